"""`check --claims`: today's verifier over the pages on disk."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import lithify
from lithify.compact.check_claims import ClaimProblem
from lithify.memory import Memory
from roots import DAYS, everything, make, opened, put


def id_of(memory: Memory, begins: str) -> str:
    snapshot = memory.snapshot()
    days = [file.path for file in snapshot.tree.of("day")]
    return next(e.id for e in snapshot.entries(days) if e.text.startswith(begins))


def page(memory: Memory, name: str, engine: str, section: str, *bullets: tuple[str, ...]) -> None:
    """A page made by hand: each bullet is its text and the beginnings of the entries it cites."""
    kind = "weekly" if "W" in name else "monthly"
    lines = [
        f"---\ntype: {kind}\nperiod: {name}\nengine: {engine}\n---\n\n# {name}\n\n### {section}"
    ]
    for text, *cited in bullets:
        ids = " ".join(id_of(memory, begins) for begins in cited)
        lines.append(f"- {text} <!-- {ids} -->" if ids else f"- {text}")
    path = memory.root / "memory" / kind / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines) + "\n")


def findings(memory: Memory) -> tuple[ClaimProblem, ...]:
    return memory.check_claims().findings


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return opened(make(tmp_path / "root"))


ROWS = "The importer handles 1,240"
MERGED = "Merged PR 318"
SHIPPED = "Shipped release"
DECIDED = "Decided to move"


@pytest.mark.parametrize(
    ("section", "text", "cites"),
    [
        (
            "Milestones",
            "31 Mar 2026: The importer handles 1,240 rows a minute on the test machine. "
            "Merged PR 318, the importer now handles 2,900 rows a minute",
            (ROWS, MERGED),
        ),
        ("Milestones", "Shipped release 2.4.1 of the login page; merged PR 318", (SHIPPED, MERGED)),
        (
            "Milestones",
            "Decided to move the invoice export to a nightly batch and shipped release 2.4.1",
            (DECIDED, SHIPPED),
        ),
        ("Trajectory", "importer: 1,240 → 2,900 rows a minute", (ROWS, MERGED)),
        ("Trajectory", "Rows a minute: from 1,240 to 2,900 (31 Mar to 8 Apr)", (ROWS, MERGED)),
        ("Trajectory", "release 2.4.1 → PR 318", (SHIPPED, MERGED)),
    ],
)
def test_bullets_put_together_out_of_several_entries_are_found(
    memory: Memory, section: str, text: str, cites: tuple[str, ...]
) -> None:
    page(memory, "2026-04", "offline", section, (text, *cites))
    (found,) = findings(memory)
    assert (found.path, found.line, found.text) == ("memory/monthly/2026-04.md", 10, text)
    assert found.reasons and found.reasons[0].startswith("own words: ") and not found.stale


def test_two_days_may_share_a_bullet_that_names_both(memory: Memory) -> None:
    text = (
        "31 Mar 2026: The importer handles 1,240 rows a minute; "
        "8 Apr 2026: the importer now handles 2,900 rows a minute"
    )
    page(memory, "2026-04", "offline", "Trajectory", (text, ROWS, MERGED))
    assert findings(memory) == ()


def test_what_the_offline_engine_writes_today_passes(memory: Memory) -> None:
    memory.compact()
    checked = memory.check_claims()
    assert checked.findings == () and checked.claims > 5 and checked.pages >= 4


def test_an_offline_month_may_tell_what_a_models_week_says(memory: Memory) -> None:
    told = "Customers have had 2.4.1 since Priya approved what changes for those who log in"
    page(memory, "2026-W14", "some-model", "Key Outcomes", (told, SHIPPED))
    page(memory, "2026-04", "offline", "Milestones", (f"2 Apr 2026: {told}", SHIPPED))
    assert not [found for found in findings(memory) if "monthly" in found.path]


def test_a_models_page_is_held_to_what_a_model_may_say(memory: Memory) -> None:
    honest = "Release 2.4.1 of the login page went out after Priya had signed it off"
    wrong = "Release 2.4.1 of the login page went out after Tomasz had signed it off"
    own = "Shipped release 2.4.1 of the login page; Priya signed it off."
    bullets = [(text, SHIPPED) for text in (honest, wrong, own)]
    page(memory, "2026-W14", "some-model", "Key Outcomes", *bullets)
    (found,) = findings(memory)
    assert found.text == wrong and "Tomasz" in found.reasons[0]


def test_what_a_person_wrote_without_sources_is_not_checked(memory: Memory) -> None:
    page(memory, "2026-W14", "", "Key Outcomes", ("Olga sold 99 boats.",))
    assert memory.check_claims().claims == 0


def test_a_page_whose_day_changed_is_stale_and_not_wrong(memory: Memory) -> None:
    memory.compact()
    put(memory.root, "2026-04-02", ["Shipped release 2.4.2 of the login page; Olga signed it off."])
    found = findings(memory)
    assert found and all(one.stale for one in found)
    week = next(one for one in found if one.path == "memory/weekly/2026-W14.md")
    assert (week.line, week.reasons) == (0, ("edited 2026-04-02",))


def test_a_claim_whose_line_is_gone_is_stale(memory: Memory) -> None:
    page(memory, "2026-W14", "offline", "Key Outcomes", (DAYS["2026-04-02"][0], SHIPPED))
    put(memory.root, "2026-04-02", ["Nothing happened."])
    (found,) = findings(memory)
    assert found.stale and "which was edited or removed" in found.reasons[0]


def test_memories_and_wisdom_are_checked_against_what_they_cite(memory: Memory) -> None:
    never = id_of(memory, "Never restart")
    (memory.root / "memory" / "feedback_queue.md").write_text(
        f"---\nname: queue\ntype: feedback\nsources: [{never}]\n---\n\n"
        "Never restart the queue by hand: it loses the 45 jobs in flight.\n"
    )
    (memory.root / "WISDOM.md").write_text(
        f"# Agent - Wisdom\n\n**Queue**\nThe queue is restarted by Olga alone. <!-- {never} -->\n"
    )
    found = {one.path: one.reasons[0] for one in findings(memory)}
    assert found.keys() == {"memory/feedback_queue.md", "WISDOM.md"}
    assert "45" in found["memory/feedback_queue.md"] and "Olga" in found["WISDOM.md"]


def test_a_memory_that_a_person_marked_is_theirs(tmp_path: Path) -> None:
    memory = opened(make(tmp_path / "root", {"2026-04-02": ["Rule: no deploys on Fridays."]}))
    memory.compact()
    assert memory.snapshot().shelf.typed
    assert findings(memory) == ()


def test_the_command_names_page_line_bullet_and_reason_and_changes_nothing(memory: Memory) -> None:
    memory.compact()
    before = everything(memory.root)
    assert lithify(["check", "--claims", "--root", str(memory.root)]).returncode == 0
    text = "importer: 1,240 → 2,900 rows a minute"
    page(memory, "2026-03", "offline", "Trajectory", (text, ROWS, MERGED))
    before["memory/monthly/2026-03.md"] = (memory.root / "memory/monthly/2026-03.md").read_bytes()
    done = lithify(["check", "--claims", "--root", str(memory.root)])
    assert done.returncode == 3
    assert "memory/monthly/2026-03.md:10" in done.stdout and text in done.stdout
    assert (
        "own words: no entry cited says all of" in done.stdout
        and "1 would be refused" in done.stdout
    )
    data = json.loads(lithify(["check", "--claims", "--json", "--root", str(memory.root)]).stdout)
    (found,) = data["claims"]["findings"]
    assert (found["line"], found["text"], found["stale"]) == (10, text, False)
    assert everything(memory.root) == before


def test_without_the_flag_claims_are_not_compared(memory: Memory) -> None:
    page(memory, "2026-04", "offline", "Trajectory", ("1,240 → 2,900 rows", ROWS, MERGED))
    done = lithify(["check", "--json", "--root", str(memory.root)])
    assert done.returncode == 0 and "claims" not in json.loads(done.stdout)
