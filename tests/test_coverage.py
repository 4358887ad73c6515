"""What a writer leaves out: named once, put back with precision, and never at the cost of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest

import roots
from lithify.engines.base import Call, Completion, Scripted
from lithify.markdown.pages import allowed, length
from lithify.memory import CompactOptions
from lithify.sections import MONTH, WEEK
from lithify.values import Brief, Claim, Draft, Entry, TypedMemory
from lithify.verify import AcceptedDraft, Failed, Retry, Verdict, settle, verify
from lithify.verify.coverage import CERTAIN, LeftOutEntries

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
PARTIAL = "### Context\n- The importer handles 1,240 rows a minute on the test machine. [e2]"
PAGE = "memory/weekly/2026-W14.md"


def brief_of(*texts: str, kind: str = "item") -> Brief:
    entries = tuple(
        Entry(
            f"2026-04-0{1 + n % 7}~{n:012x}", text, kind=kind, line=n, day=date(2026, 4, 1 + n % 7)
        )  # type: ignore[arg-type]
        for n, text in enumerate(texts)
    )
    filler = tuple(
        Entry(f"2026-04-01~{n:012x}", f"Looked at shelf {n}, grey and dusty.", day=date(2026, 4, 1))
        for n in range(100, 140)
    )
    return Brief("week", "2026-W14", WEEK, (*entries, *filler), size=1500, target=600)


def left_out(brief: Brief, *claims: Claim) -> list[str]:
    return [entry.text for entry in LeftOutEntries(brief, claims)]


# The repair round


def answered(*replies: str | Callable[[Call], str]) -> Scripted:
    left = list(replies)

    def reply(call: Call) -> Completion:
        one = left.pop(0) if len(left) > 1 else left[0]
        return Completion(one if isinstance(one, str) else one(call))

    return Scripted(reply)


def test_what_is_left_out_is_asked_for_by_label_before_anything_is_put_back(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS)
    model = answered(PARTIAL, roots.answer)
    memory.compact(CompactOptions(("week",), model=model))
    assert len(model.calls) == 2
    asked = model.calls[1].prompt.partition("<VIOLATIONS>")[2]
    for label, text in (("e1", "Decision: move"), ("e4", "Shipped release"), ("e5", "Blocked:")):
        assert f'coverage: [{label}] "{text}' in asked
    assert "tokens are left for them" in asked
    assert "canteen" not in asked
    assert "31 Mar 2026:" not in roots.text(memory, PAGE), "the writer's own words stand"


def test_coverage_alone_is_asked_for_once_and_then_put_back_in_the_sources_words(
    tmp_path: Path,
) -> None:
    memory = roots.made(tmp_path, DAYS)
    model = answered(PARTIAL)
    result = memory.compact(CompactOptions(("week",), model=model)).results[0]
    assert len(model.calls) == 2 and result.status == "written"
    page = roots.text(memory, PAGE)
    assert "2.4.1" in page and "Tomasz has to renew it" in page and "nightly batch" in page
    assert page.index("### Blockers") < page.index("Tomasz")


def test_a_spoilt_repair_does_not_cost_the_draft_that_only_lacked_entries(tmp_path: Path) -> None:
    for name, spoilt in (
        ("refusal", "I cannot help with that."),
        ("cut", Completion("### Context\n- Shi", stop_reason="max_tokens")),
    ):
        replies = iter([PARTIAL, *[spoilt] * 9])
        memory = roots.made(tmp_path / name, DAYS)
        model = Scripted(lambda call, replies=replies: next(replies))  # type: ignore[misc]
        assert memory.compact(CompactOptions(("week",), model=model)).results[0].status == "written"
        page = roots.text(memory, PAGE)
        assert "1,240 rows" in page and "2.4.1" in page


def test_at_most_eight_are_named_the_surest_first() -> None:
    brief = brief_of(
        *(f"Decision: team {n} keeps tool {n} for the {n}. quarter." for n in range(20))
    )
    claim = Claim(brief.entries[30].text, (brief.entries[30].id,), CONTEXT)
    verdict = verify(Draft((claim,) * 5), brief, extractive=False, last=False)
    assert isinstance(verdict, Retry)
    named = [v for v in verdict.violations if v.rule == "coverage" and v.message.startswith("[e")]
    assert len(named) == 8


# What is worth asking for


def test_below_the_margin_nothing_is_asked_for() -> None:
    talk = ("Sounds lovely, we should go hiking next week!", "I finally finished my painting.")
    assert left_out(brief_of(*talk)) == []
    assert CERTAIN > 0.9


def test_what_a_later_entry_reports_done_is_not_asked_for() -> None:
    item = "[ ] renew the staging certificate with Tomasz"
    assert left_out(brief_of(item)) == [item]
    done = "[x] the staging certificate is renewed, Tomasz did it"
    assert item not in left_out(brief_of(item, done))
    assert item in left_out(brief_of(done, item))


def test_what_the_page_tells_in_other_words_is_not_asked_for() -> None:
    brief = brief_of("Decision: Priya moves the invoice export to a nightly batch at 02:30.")
    other = brief.entries[5].id
    told = Claim(
        "The invoice export runs as a nightly batch, 02:30, says Priya.", (other,), DECISIONS
    )
    assert left_out(brief) and not left_out(brief, told)
    denied = Claim(
        "The invoice export is no nightly batch at 02:30, says Priya.", (other,), DECISIONS
    )
    assert left_out(brief, denied)
    vague = Claim("The export was discussed with Priya.", (other,), DECISIONS)
    assert left_out(brief, vague)


def test_a_row_of_a_table_is_not_put_back() -> None:
    row = "Decision: | Priya | keeps the nightly batch | 02:30 |"
    assert left_out(brief_of(row, kind="row")) == []


# What gives way


def page_of(brief: Brief, sections: Sequence[str], each: int) -> tuple[Claim, ...]:
    shown = iter(brief.entries[20:] * 30)
    return tuple(
        Claim(f"{(e := next(shown)).text} Seen on round {n}.", (e.id,), section)
        for section in sections
        for n in range(each)
    )


def settled(brief: Brief, claims: Sequence[Claim]) -> AcceptedDraft:
    return settle(claims, brief, (), passed=frozenset(claims))


def test_put_backs_never_displace_decisions_or_open_items_and_what_gave_way_is_listed() -> None:
    brief = brief_of("Decision: Priya moves the invoice export to a nightly batch at 02:30.")
    claims = page_of(brief, WEEK, 20)
    page = settled(brief, claims)
    texts = {claim.text for claim in page.claims}
    assert all(c.text in texts for c in claims if c.section in (DECISIONS, OPEN))
    assert any("nightly batch" in text for text in texts)
    assert page.gave_way and {c.text for c in page.gave_way} | texts >= {c.text for c in claims}
    assert length(brief, page.claims) <= allowed(brief)[1]
    full = page_of(brief, (DECISIONS, OPEN), 32)
    assert length(brief, full) > allowed(brief)[1]
    assert not any("nightly batch" in claim.text for claim in settled(brief, full).claims)


@pytest.mark.parametrize("sections", [(DECISIONS, OPEN), (OPEN,), WEEK])
def test_decisions_and_open_items_alone_do_not_exceed_the_most(sections: tuple[str, ...]) -> None:
    brief = brief_of("Had lunch.")
    claims = page_of(brief, sections, 90)
    page = settled(brief, claims)
    assert length(brief, page.claims) <= allowed(brief)[1]
    assert len(page.claims) + len(page.gave_way) >= len({c.text for c in claims})
    firm = [claim.section for claim in page.claims]
    if sections == (DECISIONS, OPEN):
        assert abs(firm.count(DECISIONS) - firm.count(OPEN)) <= 1, "neither is emptied"


def test_a_month_does_not_exceed_its_ceiling_by_what_it_carries_forward() -> None:
    brief = brief_of("Had lunch.")._replace(tier="month", sections=MONTH, size=20_000, ceiling=400)
    page = settled(brief, page_of(brief, ("Carried Forward",), 200))
    assert length(brief, page.claims) <= 400 and len(page.gave_way) > 100


def test_a_bullet_that_tells_what_must_be_kept_gives_way_after_one_that_does_not() -> None:
    brief = brief_of("Shipped release 2.4.1 of the login page; Priya signed it off.")
    first = brief.entries[0]
    last = Claim(first.text, (first.id,), CONTEXT)
    page = settled(brief, (*page_of(brief, (CONTEXT,), 70), last))
    assert last.text in {claim.text for claim in page.claims} and page.gave_way


def test_a_single_bullet_over_the_ceiling_fails_and_is_not_written() -> None:
    long = "Moved " + " ".join(f"crate{n}" for n in range(400)) + "."
    entry = Entry("2026-04-01~000000000001", long, day=date(2026, 4, 1))
    brief = Brief("week", "2026-W14", WEEK, (entry,), size=900, target=100, ceiling=150)
    draft = Draft((Claim(long, (entry.id,), CONTEXT),), text=long)
    assert isinstance(verify(draft, brief, extractive=False, last=True), Failed)


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


def remembered(memory: TypedMemory, *, last: bool = False) -> Verdict:
    brief = Brief("typed", "2026-W14", entries=(RULE,))
    return verify(Draft(memories=(memory,)), brief, extractive=False, last=last)


def test_how_to_apply_may_be_worked_out_by_the_writer() -> None:
    verdict = remembered(NOTE)
    assert isinstance(verdict, AcceptedDraft) and verdict.memories[0].how == NOTE.how


def test_why_is_verified_like_a_statement() -> None:
    for why in (
        "The vendor charges a fee for every new colour of the brochure.",
        "Marguerite said it loses the jobs in flight.",
    ):
        assert isinstance(remembered(NOTE._replace(why=why)), Retry), why
        assert isinstance(remembered(NOTE._replace(why=why), last=True), Failed)


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
    verdict = remembered(NOTE._replace(**{field: wrong}))  # type: ignore[arg-type]
    assert isinstance(verdict, AcceptedDraft)
    assert verdict.memories == (NOTE._replace(**{field: "", "updated": "2026-04-02"}),)  # type: ignore[arg-type]


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
