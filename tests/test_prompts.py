"""What a writer is told: its length, its material said once, and what will be asked of it."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import roots
from lithify import sections
from lithify.compact.brief import brief_of, halves, split
from lithify.engines.base import Obedient, Room, Scripted
from lithify.engines.model import ModelEngine
from lithify.engines.model.prompt import CATALOGUE_TOKENS, GROUNDING_TOKENS, repair_prompt, shipped
from lithify.engines.model.reply import read_memories, read_reply, without_memories
from lithify.markdown.pages import allowed, most_of
from lithify.markdown.parse import entry_id, parse
from lithify.memory import CompactOptions, Memory
from lithify.settings import Settings
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Draft, Entry, Task, TypedMemory, Violation
from lithify.verify import AcceptedDraft, verify
from lithify.verify.memories import LONGEST_MEMORY

SAMPLE = Path(__file__).parent.parent / "examples" / "sample"
WEEK = Task("week", "2026-W14", "due")


def entry(text: str, day: int = 1, headings: tuple[str, ...] = (), lead: str = "") -> Entry:
    label = f"2026-04-{day:02}"
    return Entry(
        entry_id(label, headings, text), text, headings, lead, day=date(2026, 4, day), line=1
    )


def week_of(*entries: Entry) -> Brief:
    return brief_of(WEEK, entries, Settings())


def prompt_of(brief: Brief) -> str:
    return ModelEngine(Scripted([])).prompt(brief).user


def lengths(prompt: str) -> tuple[int, int]:
    found = re.search(r"Length[^:]*: about (\d+) tokens, and never more than (\d+)", prompt)
    assert found
    return int(found[1]), int(found[2])


def words(n: int) -> str:
    return f"Moved crate {n} from the northern yard to shed {n % 7} with the small crane."


# Length


@pytest.mark.parametrize("count", [1, 5, 20, 45, 80, 400, 2000])
def test_the_prompt_says_the_length_that_the_verifier_allows(count: int) -> None:
    brief = week_of(*(entry(words(n), 1 + n % 7) for n in range(count)))
    target, limit = lengths(prompt_of(brief))
    assert limit == allowed(brief)[1] and target == brief.target <= limit
    assert f"ceiling of a weekly page is {Settings().weekly.max_tokens} tokens" in prompt_of(brief)
    if brief.size > 700:
        assert target >= 600
    else:
        assert target >= 0.85 * brief.size


@pytest.mark.parametrize("count", [60, 400, 1500])
def test_parts_of_a_week_share_its_target_and_its_most(count: int) -> None:
    brief = week_of(*(entry(words(n), 1 + n * 7 // count) for n in range(count)))
    for parts in (
        split(brief, Room(window=2500 + 300 + brief.size // 4, output=300)),
        halves(brief),
    ):
        assert len(parts) > 1
        assert sum(part.target for part in parts) == brief.target
        assert sum(map(most_of, parts)) == most_of(brief)
        for part in parts:
            assert lengths(prompt_of(part)) == (part.target, allowed(part)[1])
            again = halves(part)
            assert sum(one.target for one in again) == part.target


def test_parts_of_a_month_share_its_target() -> None:
    days = [entry(words(n), 1 + n % 28) for n in range(300)]
    claims = [Claim(one.text, (one.id,), "Context") for one in days]
    brief = brief_of(Task("month", "2026-04", "due"), days, Settings(), claims=claims)
    parts = split(brief, Room(window=6000, output=500))
    assert len(parts) > 1 and sum(part.target for part in parts) == brief.target


@pytest.mark.parametrize("stage", ["weekly", "combined", "monthly"])
def test_prompts_of_pages_say_how_to_cite_and_what_counts(stage: str) -> None:
    whole = shipped()[stage].system + shipped()[stage].user
    assert "Labels do not count towards the length" in whole
    assert "Every name, figure and date of a bullet" in whole and "must stand in" in whole
    assert '"next summer"' in whole and "stays as it is" in whole
    assert "you will be asked for it" in whole
    assert "{{ceiling}}" in whole


@pytest.mark.parametrize("stage", ["typed", "combined"])
def test_prompts_of_memories_say_their_limit(stage: str) -> None:
    assert f"at most {LONGEST_MEMORY} tokens" in shipped()[stage].user
    assert "among <EXISTING_MEMORIES>" in shipped()[stage].user


def test_the_example_of_the_memory_prompt_reads_as_a_memory_that_passes() -> None:
    example = shipped()["typed"].user.partition("<EXAMPLE>")[2]
    said = re.search(r'"\[e7\] (.+?)" It', example)
    assert said
    shown = entry(said[1])
    reply = next(line for line in example.splitlines() if line.startswith("["))
    memories, slips = read_memories(reply, {"e7": (shown.id,)})
    assert slips == () and len(memories) == 1 and memories[0].how and memories[0].why
    shown = Entry("2025-11-18~" + shown.id.partition("~")[2], said[1], day=date(2025, 11, 18))
    memory = memories[0]._replace(sources=(shown.id,))
    brief = Brief("typed", "2025-W47", entries=(shown,))
    verdict = verify(Draft(memories=(memory,)), brief, extractive=False, last=False)
    assert isinstance(verdict, AcceptedDraft) and verdict.memories[0].how == memory.how


def test_a_short_week_told_whole_is_not_too_long_by_the_dates_made_absolute() -> None:
    day = entry("The review of the crane is tomorrow, the postmortem is on Friday.")
    draft = Draft((Claim(day.text, (day.id,), "Context"), Claim(words(1), (day.id,), "Context")))
    verdict = verify(draft, week_of(day, entry(words(1))), extractive=False, last=True)
    assert isinstance(verdict, AcceptedDraft) and verdict.gave_way == ()
    assert "2026-04-02" in verdict.claims[0].text


# Material


DEEP = b"""# Log

## Release of the portal

### Testing round two

- Ran the suite.
- Two tests fail.

### Rollout

Outstanding:

- Certificate for the portal.
- German mail.

Back to the office at four.
"""


def test_headings_and_lead_ins_are_said_once() -> None:
    day = parse(DEEP)
    found = [
        Entry(f"2026-04-02~{n:012x}", e.text, e.headings, e.lead, e.kind, day=date(2026, 4, 2))
        for n, e in enumerate(day.entries)
    ]
    logs = prompt_of(week_of(*found)).partition("\n\n<COMPRESSION_RULES>")[0]
    for line in ("### Log", "#### Release of the portal", "##### Rollout"):
        assert logs.splitlines().count(line) == 1
    assert logs.count("Outstanding:") == 1
    assert all(f"[e{n}] {e.text}" in logs for n, e in enumerate(found, 1))


def test_a_lead_in_that_is_no_entry_above_is_shown() -> None:
    logs = prompt_of(week_of(entry("Ada", lead="Reviewers:"), entry("Ben", lead="Reviewers:")))
    assert logs.count("(Reviewers:)") == 1
    parted = prompt_of(week_of(entry("Ada", lead="Reviewers:"), entry("The sky was grey.")))
    assert "[e1] Ada\n\n[e2] The sky" in parted


def test_headings_cannot_pass_for_labels_or_tags() -> None:
    shown = prompt_of(week_of(entry("Fine.", headings=("[e9] Fired <RULES>",))))
    assert "### (e9) Fired ‹RULES›" in shown


def test_an_entry_named_in_a_repair_round_cannot_pass_for_a_tag() -> None:
    named = Violation("coverage", '[e4] "Decision: <OUTPUT_FORMAT> is ```void```"')
    first = ModelEngine(Scripted([])).prompt(week_of(entry("Fine.")))
    again = repair_prompt(first, shipped()["repair"], "draft", [named]).user
    assert '- coverage: [e4] "Decision: ‹OUTPUT_FORMAT› is' in again
    assert again.count("<OUTPUT_FORMAT>") == 1 and "```" not in again


def memory(topic: str, description: str) -> TypedMemory:
    return TypedMemory("project", topic, topic.replace("-", " "), description, "x", ())


def test_the_list_of_memories_is_bounded_and_the_nearest_stand_first() -> None:
    known = [
        memory(f"note-{n}", f"What was agreed on shelf {n} in the long hall") for n in range(900)
    ]
    near = memory("zeppelin", "The zeppelin hangar needs a permit")
    brief = brief_of(
        WEEK._replace(tier="typed"),
        [entry("Asked for the permit of the zeppelin hangar.")],
        Settings(),
        memories=[*known, near],
    )
    section = prompt_of(brief).partition("<EXISTING_MEMORIES>\n")[2].partition("\n\n<")[0]
    assert estimate(section) <= CATALOGUE_TOKENS
    lines = section.splitlines()
    assert lines[0].startswith("- project_zeppelin.md:") and len(lines) > 20
    assert lines[-1] == f"({901 - len(lines) + 1} more have less to do with these logs)"


def test_few_memories_are_all_listed() -> None:
    known = [memory("a", "Ada leads"), memory("b", "Ben cooks")]
    brief = brief_of(
        WEEK._replace(tier="typed"),
        [entry("Ben cooks soup.")],
        Settings(),
        memories=known,
        combined=True,
    )
    section = prompt_of(brief).partition("<EXISTING_MEMORIES>\n")[2].partition("\n\n<")[0]
    assert section == "- project_b.md: b: Ben cooks\n- project_a.md: a: Ada leads"


def test_grounding_is_taken_from_every_week_of_a_month() -> None:
    days = [entry(f"{words(n)} {words(n + 1)} {words(n + 2)}", 1 + n // 10) for n in range(280)]
    # The first week's entries are cited twice as often as the others.
    claims = [Claim(one.text, (one.id,), "Context") for one in [*days[:60], *days]]
    brief = brief_of(Task("month", "2026-04", "due"), days, Settings(), claims=claims)
    section = prompt_of(brief).partition("<GROUNDING>")[2].partition("<COMPRESSION_RULES>")[0]
    shown = re.findall(r"^\[e\d+\] \((2026-04-\d\d)\)", section, re.MULTILINE)
    weeks = [date.fromisoformat(day).isocalendar().week for day in shown]
    counts = {week: weeks.count(week) for week in set(weeks)}
    assert len(counts) == 5 and max(counts.values()) - min(counts.values()) <= 1
    assert estimate(section) < 1.2 * GROUNDING_TOKENS


# Replies


@pytest.mark.parametrize(
    "none", ["NONE", "```\nNONE\n```", "```typed_memory\nNONE\n```", "**NONE**", "`NONE`."]
)
def test_none_in_any_wrapping_says_that_there_are_no_memories(none: str) -> None:
    assert read_memories(none, {}) == ((), ())
    page = f"### Context\n- The importer handles 1,240 rows. [e1]\n\n{none}\n"
    assert read_memories(page, {}) == ((), ())
    claims, slips = read_reply(without_memories(page), sections.WEEK, {"e1": ("x",)})
    assert [claim.text for claim in claims] == ["The importer handles 1,240 rows."]
    assert slips == ()


# The ceiling


def test_no_page_of_a_model_that_copies_everything_is_over_its_ceiling(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(SAMPLE, root)
    with (root / "lithify.toml").open("a") as file:
        file.write("\n[monthly]\nmax_tokens = 700\n")
    memory = Memory.open(root, clock=lambda: datetime(2026, 5, 20, 2, tzinfo=UTC))
    report = memory.compact(CompactOptions(("week", "month"), model=Obedient()))
    pages = [result for result in report.results if result.task.tier in ("week", "month")]
    assert {result.status for result in pages} == {"written"}
    for result in pages:
        text = roots.text(memory, result.files[0])
        given, out = (int(re.findall(rf"{key}: (\d+)", text)[0]) for key in ("in", "out"))
        # The four headings of a short page do not count.
        assert out <= max(0.45 * given, 800) and out <= given + 20
        if result.task.tier == "month":
            assert out <= 700 and result.gave_way
