"""What a page leaves out is counted and asked for once; what is too much for it gives way, counted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

import roots
from lithify.engines.base import Call, Scripted
from lithify.markdown.pages import length, most_of
from lithify.memory import CompactOptions
from lithify.sections import MONTH, WEEK
from lithify.values import Brief, Claim, Decision, Draft, Entry, Item, TypedMemory, WisdomEntry
from lithify.verify import Checked, kept, not_taken_up, over_ceiling, question, verify

OUTCOMES, DECISIONS, OPEN, CONTEXT = WEEK
DAYS = {
    "2026-03-31": (
        "Decision: move the invoice export to a nightly batch because the live one times out.",
        "The importer handles 1,240 rows a minute on the test machine.",
        "Had lunch with the people from the depot in the old canteen.",
    ),
    "2026-04-02": (
        "Shipped release 2.4.1 of the login page; Priya signed it off.",
        "Blocked: the staging certificate has expired and Tomasz has to renew it.",
    ),
}


def brief_of(*texts: str | Entry) -> Brief:
    entries = tuple(
        text
        if isinstance(text, Entry)
        else Entry(f"2026-04-0{1 + n % 7}~{n:012x}", text, line=n, day=date(2026, 4, 1 + n % 7))
        for n, text in enumerate(texts)
    )
    filler = tuple(
        Entry(f"2026-04-01~{n:012x}", f"Looked at shelf {n}, grey and dusty.", day=date(2026, 4, 1))
        for n in range(100, 140)
    )
    return Brief("week", "2026-W14", WEEK, (*entries, *filler), size=1500, target=600)


def asked(brief: Brief, *claims: Claim) -> list[str]:
    return [entry.text for entry in question(brief, claims)]


# What is asked for


@pytest.mark.parametrize(
    "text",
    [
        "Decision: Priya moves the invoice export to a nightly batch.",
        "**Blocked:** the staging certificate has expired.",
        "10:40 Decision: keep the old parser.",
        "[ ] renew the staging certificate",
        "Entscheidung: der Export läuft nachts.",
        Entry("2026-04-01~00000000000f", "The certificate of staging", lead="Open items:"),
    ],
    ids=str,
)
def test_what_somebody_marked_is_asked_for_and_counted(text: str | Entry) -> None:
    brief = brief_of(text)
    assert asked(brief) == [brief.entries[0].text]
    assert kept(brief, ()) == (0, 1) and str(kept(brief, ())) == "0 of 1"


@pytest.mark.parametrize(
    "text",
    [
        "Sounds lovely, we should go hiking next week!",
        "I finally decided on the blue tiles for the bathroom.",
        "Never restart the queue by hand.",
        "[x] daily log updated",
        Entry("2026-04-01~00000000000f", "| Priya | nightly | 02:30 |", kind="row"),
    ],
    ids=str,
)
def test_what_nobody_marked_is_left_to_the_writer(text: str | Entry) -> None:
    assert asked(brief_of(text)) == []


def test_an_entry_that_a_bullet_cites_is_covered_whatever_it_says_of_it() -> None:
    brief = brief_of("Decision: Priya moves the invoice export to a nightly batch at 02:30.")
    first = brief.entries[0].id
    assert asked(brief, Claim("The export was discussed.", (first,), DECISIONS)) == []
    assert kept(brief, [Claim("The export was discussed.", (first,), DECISIONS)]) == (1, 1)


def test_an_open_box_that_a_later_line_ticks_is_not_asked_for() -> None:
    item, done = "[ ] renew the staging certificate", "[x] Renew the staging certificate."
    assert asked(brief_of(item, done)) == []
    assert asked(brief_of(done, item)) == [item]


def test_a_line_that_comes_every_day_is_asked_for_once() -> None:
    item = "[ ] renew the staging certificate"
    assert len(asked(brief_of(item, item, item))) == 1


def test_a_month_asks_for_what_its_last_week_still_has_open() -> None:
    early, late = "[ ] paint the fence", "[ ] renew the staging certificate"
    brief = brief_of(early, late)
    old, new = brief.entries[:2]
    weeks = (
        Claim("Paint the fence.", ("2026-03-25~00000000000e", old.id), OPEN),
        Claim("Renew the certificate.", (new.id,), OPEN),
    )
    month = brief._replace(tier="month", sections=MONTH, claims=weeks)
    assert asked(month) == [late]


# What gives way


def page_of(brief: Brief, sections: Sequence[str], each: int) -> tuple[Claim, ...]:
    shown = iter(brief.entries[20:] * 30)
    return tuple(
        Claim(f"{(e := next(shown)).text} Seen on round {n}.", (e.id,), section)
        for section in sections
        for n in range(each)
    )


def test_a_page_that_fits_is_returned_as_it_is() -> None:
    brief = brief_of("Had lunch.")
    claims = page_of(brief, WEEK, 3)
    assert over_ceiling(brief, claims) == (claims, ())


def test_the_last_bullets_of_context_go_first_then_those_of_the_longest_section() -> None:
    brief = brief_of("Had lunch.")._replace(size=20_000, ceiling=600)
    claims = page_of(brief, WEEK, 16)
    stays, goes = over_ceiling(brief, claims)
    assert stays and goes and sorted(stays + goes, key=claims.index) == list(claims)
    assert list(stays) == sorted(stays, key=claims.index), "nothing is reordered"
    context = [claim for claim in goes if claim.section == CONTEXT]
    assert goes[: len(context)] == tuple(context) == tuple(reversed(page_of(brief, WEEK, 16)[48:]))
    left = [sum(claim.section == section for claim in stays) for section in WEEK]
    assert left[3] == 0 and max(left[:3]) - min(left[:3]) <= 1
    assert length(brief, stays) <= most_of(brief)


def test_a_month_gives_way_by_its_themes() -> None:
    brief = brief_of("Had lunch.")._replace(tier="month", sections=MONTH, size=20_000, ceiling=500)
    _, goes = over_ceiling(brief, page_of(brief, MONTH, 12))
    assert {claim.section for claim in goes[:12]} == {MONTH.themes}


def test_a_page_under_400_tokens_is_never_too_long() -> None:
    brief = brief_of("Had lunch.")._replace(size=100, ceiling=100)
    claims = page_of(brief, WEEK, 5)
    assert over_ceiling(brief, claims)[1] == ()


def test_a_bullet_over_the_ceiling_alone_gives_way() -> None:
    long = Claim("Moved " + " ".join(f"crate{n}" for n in range(900)) + ".", ("x~0",), CONTEXT)
    brief = brief_of("Had lunch.")._replace(size=5000, ceiling=450)
    assert over_ceiling(brief, [long]) == ((), (long,))


# A draft


def test_nothing_of_a_draft_is_added_reordered_or_reworded() -> None:
    brief = brief_of("Decision: keep it.", "Shipped 2.4.1 tomorrow.", "Lena may leave.")
    first, second, third = (entry.id for entry in brief.entries[:3])
    claims = (
        Claim("Lena leaves.", (third,), CONTEXT),
        Claim("Shipping of 2.4.1 was set for tomorrow.", (second,), OUTCOMES),
        Claim("Shipped 2.4.2.", (second,), OUTCOMES),
        Claim("It was decided to keep it.", (first, "[e999]"), DECISIONS),
        Claim("Elsewhere.", (first,), "Lessons Learned"),
    )
    found = verify(Draft(claims), brief, extractive=False)
    assert [claim.text for claim in found.claims] == [
        "Lena leaves.",
        "Shipping of 2.4.1 was set for tomorrow (2026-04-03).",
        "It was decided to keep it.",
    ]
    assert [(one.what, [v.rule for v in one.violations]) for one in found.refused] == [
        (claims[2], ["figures"]),
        (claims[4], ["structure"]),
    ]
    assert [note.rule for note in found.notes] == ["trace"]
    (reason,) = found.refused[0].as_text.reasons
    assert reason.startswith('figures: "2.4.2" stands in no entry cited; they have 2.4.1')


def test_a_draft_in_the_sources_own_words_is_left_as_it_is() -> None:
    brief = brief_of("Shipped 2.4.1 tomorrow.")
    claim = Claim("Shipped 2.4.1 tomorrow.", (brief.entries[0].id,), OUTCOMES)
    wrong = Claim("Shipped 2.4.9 tomorrow.", (brief.entries[0].id,), OUTCOMES)
    found = verify(Draft((claim, wrong)), brief, extractive=True)
    assert found.claims == (claim,) and [one.what for one in found.refused] == [wrong]


# Memories


RULE = Entry(
    "2026-04-02~00000000000a",
    "Never restart the queue by hand: it loses the jobs in flight, as Priya saw at 02:30.",
    day=date(2026, 4, 2),
)
NOTE = TypedMemory(
    "feedback",
    "queue",
    "Queue restarts",
    "Do not restart the queue by hand",
    "Never restart the queue by hand.",
    (RULE.id,),
    why="It loses the jobs in flight.",
    how="Before a deploy, wait until the running jobs are through, or ask who is on call.",
)


def remembered(memory: TypedMemory) -> Checked:
    brief = Brief("typed", "2026-W14", entries=(RULE,))
    return verify(Draft(memories=(memory,)), brief, extractive=False)


def test_how_to_apply_may_be_worked_out_by_the_writer() -> None:
    assert remembered(NOTE).memories[0].how == NOTE.how


def test_statement_and_why_are_held_to_what_was_shown() -> None:
    for wrong in (
        NOTE._replace(why="It loses 12 jobs in flight."),
        NOTE._replace(statement="Never restart the queue more than 4 times."),
        NOTE._replace(sources=("[e99]",)),
    ):
        found = remembered(wrong)
        assert not found.memories and len(found.refused) == 1, wrong


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("name", "Rule 47 by Marguerite"),
        ("description", "Do not restart the queue 47 times"),
        ("how", "Ask Marguerite at 09:15 first."),
        ("how", "Wait for the jobs to end, then wait again. " * 60),
    ],
)
def test_a_field_that_fails_alone_is_dropped_and_the_memory_kept(field: str, wrong: str) -> None:
    found = remembered(NOTE._replace(**{field: wrong}))  # type: ignore[arg-type]
    assert found.memories == (NOTE._replace(**{field: "", "updated": "2026-04-02"}),)  # type: ignore[arg-type]


def test_a_name_and_description_that_fail_are_made_from_the_statement(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS | {"2026-04-03": [RULE.text]})
    item = roots.memory_of("e6", "Never restart the queue by hand.", name="Marguerite's rule 47")
    item["filename"] = "feedback_queue.md"
    memory.compact(CompactOptions(("typed",), model=Scripted(lambda call: json.dumps([item]))))
    text = roots.text(memory, "memory/feedback_queue.md")
    assert "name: Never restart the queue by hand\n" in text and "Marguerite" not in text


@pytest.mark.parametrize("foreign", [False, True])
def test_a_memory_under_the_name_of_another_matter_opens_a_file_of_its_own(
    tmp_path: Path, foreign: bool
) -> None:
    days = {
        "2026-03-31": ["Never restart the queue by hand: it loses the jobs in flight."],
        "2026-04-08": ["Always book the large hall for the spring fair two months ahead."],
    }
    memory = roots.made(tmp_path, days)
    old = memory.root / "memory/feedback_rule.md"
    if foreign:
        old.write_text("---\nname: q\ntype: feedback\n---\nPaint the fence green every May.\n")
    before = old.read_bytes() if foreign else b""

    def reply(call: Call) -> str:
        shown = roots.shown(call.prompt)
        return json.dumps([roots.memory_of(a, b, filename="feedback_rule.md") for a, b in shown])

    memory.compact(CompactOptions(("typed",), model=Scripted(reply)))
    files = sorted(path.name for path in (memory.root / "memory").glob("feedback_*.md"))
    texts = [(memory.root / "memory" / name).read_text() for name in files]
    assert len(files) == 2 + foreign and "feedback_rule.md" in files
    assert sum("restart the queue" in text for text in texts) == 1
    assert sum("spring fair" in text for text in texts) == 1
    assert not any("Superseded" in text for text in texts)
    if foreign:
        assert old.read_bytes() == before
    assert memory.compact(CompactOptions(("typed",), model=Scripted(reply))).results == ()
    roots.put(memory.root, "2026-04-10", ["Had lunch with the people from the depot."])
    memory.compact(CompactOptions(("typed",), model=Scripted(reply)))
    assert set(files) <= {path.name for path in (memory.root / "memory").glob("feedback_*.md")}


# Wisdom


ITEMS = tuple(
    Item(f"m{n}", text, (RULE.id,), "user", "feedback")
    for n, text in enumerate(("Never restart the queue by hand.", "Book the hall early."), 1)
)


def decided(*decisions: Decision, entries: tuple[WisdomEntry, ...] = ()) -> Checked:
    brief = Brief("wisdom", "2026-05", items=ITEMS, wisdom=entries, entries=(RULE,))
    return verify(Draft(decisions=decisions), brief, extractive=False)


def added(text: str) -> Decision:
    return Decision(("m1",), "ADD", "new", entry=WisdomEntry("Queue restarts", text, (RULE.id,)))


def test_an_entry_of_wisdom_rests_on_its_items_and_the_days_they_cite() -> None:
    good = added("Never restart the queue by hand: Priya saw at 02:30 that it loses jobs.")
    assert decided(good).decisions == (good,)
    wrong = added("Never restart the queue by hand, as was found at 03:30.")
    assert [v.rule for v in decided(wrong).refused[0].violations] == ["figures"]


def test_an_entry_of_wisdom_has_at_most_three_sentences() -> None:
    line = "Never restart the queue by hand. It loses jobs. Wait. "
    assert decided(added(line)).decisions
    (refused,) = decided(added(line + "Or ask. Then restart.")).refused
    assert refused.violations[0].message == "an entry is one to three sentences; it has 5"


def test_an_item_without_a_decision_is_dropped_and_that_is_no_fault() -> None:
    found = decided(added("Never restart the queue by hand."))
    assert not found.refused and not found.slips
    brief = Brief("wisdom", "2026-05", items=ITEMS)
    (drop,) = not_taken_up(brief, found.decisions)
    assert (drop.items, drop.verb, drop.reason) == (("m2",), "DROP", "not taken up")


def test_an_entry_leaves_only_by_a_decision_that_names_what_overtakes_it() -> None:
    entry = WisdomEntry("Halls", "Book the hall in spring.", (RULE.id,))
    drop = Decision((), "DROP", "old", targets=("Halls",))
    assert [one.what for one in decided(drop, entries=(entry,)).refused] == [drop]
    overtaken = drop._replace(because=("m2",))
    assert decided(overtaken, entries=(entry,)).decisions == (overtaken,)
