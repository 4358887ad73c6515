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
from lithify.engines.model.prompt import (
    CATALOGUE_TOKENS,
    MEMORY_WORDS,
    Prompt,
    reader_prompt,
    repair_prompt,
    shipped,
)
from lithify.engines.model.reply import read_memories, read_reply, without_memories
from lithify.markdown.pages import most_of
from lithify.markdown.parse import entry_id, parse
from lithify.memory import CompactOptions, Memory
from lithify.settings import Settings
from lithify.text.tokens import estimate
from lithify.values import (
    Brief,
    Claim,
    Decision,
    Draft,
    Entry,
    Item,
    SentBack,
    Task,
    TypedMemory,
    Violation,
    WisdomEntry,
)
from lithify.verify import over_ceiling, verify
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


def lengths(prompt: str) -> tuple[int, int | None, int]:
    """The target, the limit and the number of bullets that a prompt names, in words."""
    asked = re.search(r"Length[^:]*: about ([\d,]+) words in some (\d+) bullets", prompt)
    assert asked
    most = re.search(r"The page holds ([\d,]+) words at most", prompt)
    target, bullets = (int(said.replace(",", "")) for said in asked.groups())
    return target, int(most[1].replace(",", "")) if most else None, bullets


def tokens_per_word(brief: Brief) -> float:
    texts = [entry.text for entry in brief.entries]
    return sum(map(estimate, texts)) / sum(len(text.split()) for text in texts)


def words(n: int) -> str:
    return f"Moved crate {n} from the northern yard to shed {n % 7} with the small crane."


# Length


@pytest.mark.parametrize("count", [1, 5, 20, 45, 80, 400, 2000])
def test_lengths_are_said_in_words_and_bullets_and_are_the_true_ones(count: int) -> None:
    brief = week_of(*(entry(words(n), 1 + n % 7) for n in range(count)))
    target, limit, bullets = lengths(prompt_of(brief))
    one = tokens_per_word(brief)
    assert 0.9 * brief.target - one <= target * one <= brief.target
    # A limit that nobody can reach is not spoken of.
    assert (limit is None) == (brief.size <= 1.05 * most_of(brief))
    if limit:
        assert 0.9 * Settings().weekly.max_tokens <= limit * one <= most_of(brief)
    assert most_of(brief) == Settings().weekly.max_tokens
    assert target / 40 <= bullets <= target / 15 or bullets == 1
    if brief.size > 700:
        assert brief.target >= 600
    else:
        assert brief.target >= 0.85 * brief.size


def test_no_prompt_counts_in_tokens_what_a_writer_has_to_count() -> None:
    for stage, template in shipped().items():
        whole = f"{template.system} {template.user}"
        assert "token" not in whole, stage
        assert "at least" not in whole and "never more than" not in whole


def test_text_without_spaces_is_counted_in_characters() -> None:
    brief = week_of(*(entry(f"今日は北の庭から木箱{n}番を小屋へ動かした。" * 3) for n in range(60)))
    assert re.search(r"about [\d,]+ characters in some \d+ bullets", prompt_of(brief))


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
            again = halves(part)
            assert sum(one.target for one in again) == part.target


def test_parts_of_a_month_share_its_target() -> None:
    days = [entry(words(n), 1 + n % 28) for n in range(300)]
    claims = [Claim(one.text, (one.id,), "Context") for one in days]
    brief = brief_of(Task("month", "2026-04", "due"), days, Settings(), claims=claims)
    parts = split(brief, Room(window=6000, output=500))
    assert len(parts) > 1 and sum(part.target for part in parts) == brief.target


@pytest.mark.parametrize("stage", ["weekly", "monthly"])
def test_prompts_of_pages_say_how_to_cite_and_what_counts(stage: str) -> None:
    whole = shipped()[stage].system + shipped()[stage].user
    assert "Labels do not count" in whole
    assert "Its figures, dates, addresses, paths, versions and code stand in" in whole
    assert "Add up nothing" in whole and "Quotation marks hold" in whole
    assert '"soon"' in whole and "asked" in whole and "once" in whole


@pytest.mark.parametrize("stage", ["typed", "weekly"])
def test_prompts_of_memories_say_their_limit_and_when_to_take_a_known_name(stage: str) -> None:
    user = shipped()[stage].user
    assert "each of at most {{memory_words}}" in user
    assert "among <EXISTING_MEMORIES>" in user
    assert "something newer on the same matter" in user and "user_sam-diet.md" in user
    assert estimate("word " * MEMORY_WORDS) <= LONGEST_MEMORY


@pytest.mark.parametrize("style", ["separate", "combined"])
def test_one_prompt_asks_for_a_week_and_its_memories(style: str) -> None:
    settings = Settings()._replace(weekly=Settings().weekly._replace(style=style))  # type: ignore[arg-type]
    names = sections.COMBINED if style == "combined" else sections.WEEK
    entries = [entry("Ben cooks soup.")]
    week = brief_of(WEEK, entries, settings)._replace(with_memories=True)
    alone = brief_of(WEEK, entries, settings)
    assert week.sections == alone.sections == names
    for brief in (week, alone):
        assert re.findall(r"^### (.+)$", prompt_of(brief), re.MULTILINE) is not None
        assert set(re.findall(r"^### (.+)$", prompt_of(brief), re.MULTILINE)) == set(names)
    assert "```typed_memory" in prompt_of(week) and "the single word NONE" in prompt_of(week)
    assert "<EXISTING_MEMORIES>\nnone yet" in prompt_of(week)
    assert "<MEMORY_TYPES>" not in prompt_of(alone)
    typed = week._replace(tier="typed")
    engine = ModelEngine(Scripted([]))
    assert engine.prompt(typed) == engine.prompt(week)


def test_an_order_of_a_week_has_little_beside_its_sources_and_the_known_memories() -> None:
    week = brief_of(WEEK, [entry("Ben cooks soup.")], Settings())._replace(with_memories=True)
    prompt = ModelEngine(Scripted([])).prompt(week)
    assert len(f"{prompt.system} {prompt.user}".split()) < 655


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
    checked = verify(Draft(memories=(memory,)), brief, extractive=False)
    assert checked.refused == () and checked.memories[0].how == memory.how


def test_a_short_week_told_whole_is_not_too_long_by_the_dates_made_absolute() -> None:
    day = entry("The review of the crane is tomorrow, the postmortem is on Friday.")
    draft = Draft((Claim(day.text, (day.id,), "Context"), Claim(words(1), (day.id,), "Context")))
    brief = week_of(day, entry(words(1)))
    checked = verify(draft, brief, extractive=False)
    assert over_ceiling(brief, checked.claims)[1] == ()
    assert "2026-04-02" in checked.claims[0].text


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


def test_a_line_repeated_but_for_its_time_is_shown_once_and_its_label_stands_for_all() -> None:
    told = "Refresh ran at {}:48 AM, nothing to change"
    refreshes = [
        entry(told.format(n), 1 + n // 7, (f"Log of 2026-04-0{1 + n // 7}",)) for n in range(5, 12)
    ]
    crates = [entry(f"Moved crate {n} to the back of the yard.") for n in range(4)]
    brief = brief_of(WEEK, [refreshes[0], *crates, *refreshes[1:]], Settings())
    shown = prompt_of(brief)
    later = ", ".join(f"{n}:48 AM" for n in range(7, 12))
    more = f" (and 6 more like it; 2026-04-01: 6:48 AM; 2026-04-02: {later})"
    assert f"[e1] {told.format(5)}{more}\n" in shown and "[e6]" not in shown
    assert all(f"[e{n}] Moved crate {n - 2} to" in shown for n in range(2, 6))
    ids = tuple(one.id for one in refreshes)
    assert brief.labels["e1"] == ids and brief.labels["e2"] == (crates[0].id,)
    assert brief.size < sum(estimate(one.text) for one in brief.entries)
    back = SentBack((Violation("figures", "no", "It ran."),), (Claim("It ran.", ids, "Context"),))
    again = sent_back(brief, back)
    assert "- It ran. [e1]\n" in again and again.count("Refresh ran") == 1


def test_a_reader_is_shown_repeated_lines_as_one_only_for_a_claim_that_cites_them_all() -> None:
    lines = [entry(f"Refresh ran at {n}:48 AM, nothing to change") for n in range(5, 9)]
    every, one = tuple(line.id for line in lines), lines[1].id
    claims = [Claim("It ran four times.", every), Claim("It ran at 6:48 AM.", (one,))]
    shown = reader_prompt(claims, {e.id: e for e in lines}, shipped()["reader"], "Rook").user
    assert (
        "(cites [e1])\n[e1] (2026-04-01) Refresh ran at 5:48 AM, nothing to change (and 3 more"
        in shown
    )
    assert "(cites [e2])\n[e2] (2026-04-01) Refresh ran at 6:48 AM, nothing to change\n" in shown


def test_headings_cannot_pass_for_labels_or_tags() -> None:
    shown = prompt_of(week_of(entry("Fine.", headings=("[e9] Fired <RULES>",))))
    assert "### (e9) Fired ‹RULES›" in shown


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
    )._replace(sections=sections.WEEK, with_memories=True)
    section = prompt_of(brief).partition("<EXISTING_MEMORIES>\n")[2].partition("\n\n<")[0]
    assert section == "- project_b.md: b: Ben cooks\n- project_a.md: a: Ada leads"


def test_a_month_shows_its_weeks_and_of_the_days_only_what_they_leave_out() -> None:
    told, untold = entry(words(1)), entry("Decision: the crane goes to the yard.", 2)
    claims = [Claim(told.text, (told.id,), "Context")]
    brief = brief_of(Task("month", "2026-04", "due"), [told, untold], Settings(), claims=claims)
    section = prompt_of(brief).partition("<MARKED_ENTRIES>")[2].partition("<COMPRESSION_RULES>")[0]
    assert "[e2] (2026-04-02) Decision: the crane" in section and "[e1]" not in section
    alone = brief_of(Task("month", "2026-04", "due"), [told], Settings(), claims=claims)
    assert "\n<MARKED_ENTRIES>\n" not in prompt_of(alone)


# Labels


def test_a_label_means_the_same_in_every_call_of_a_period() -> None:
    days = [entry(words(n), 1 + n // 30) for n in range(210)]
    brief = week_of(*days)
    known = brief.labels
    parts = split(brief, Room(window=2500 + 300 + brief.size // 4, output=300))
    again = [half for part in parts for half in halves(part)]
    assert len(again) > len(parts) > 1
    for part in [*parts, *again]:
        assert part.labels.items() <= known.items()
        for label, (id,) in part.labels.items():
            text = next(one.text for one in days if one.id == id)
            assert f"[{label}] {text}" in prompt_of(part)
    claims = [Claim(one.text, (one.id,), "Context") for one in days]
    month = brief_of(Task("month", "2026-04", "due"), days, Settings(), claims=claims)
    for part in split(month, Room(window=6000, output=500)):
        assert part.labels.items() <= month.labels.items()


# What is sent back


LONG = [entry(words(n), 1 + n // 30) for n in range(200)]
PAGE = brief_of(WEEK, LONG, Settings())


def sent_back(brief: Brief, back: SentBack) -> str:
    first = Prompt("SYSTEM", "FIRST")
    prompt = repair_prompt(brief, first, shipped()["repair"], back)
    assert prompt.system == "SYSTEM" and "FIRST" not in prompt.user
    return prompt.user


def test_a_send_back_holds_the_refused_bullets_and_the_words_they_concern_alone() -> None:
    lie = Claim("Moved crate 999 to the yard.", (LONG[3].id, LONG[90].id), "Context")
    why = Violation("figures", "999 is in no entry cited; [e121] has 120", lie.text)
    shown = sent_back(PAGE, SentBack((why,), (lie,)))
    assert "### Context\n- Moved crate 999 to the yard. [e4][e91]\n  999 is in no entry" in shown
    for n in (4, 91, 121):
        one = LONG[n - 1]
        assert f"[e{n}] ({one.day}) {one.text}" in shown
    assert len(re.findall(r"^\[e\d+\]", shown, re.MULTILINE)) == 3
    assert all(f"### {name}" in shown for name in sections.WEEK)
    assert len(shown.split()) < 220


def test_each_reason_stands_below_its_own_bullet_and_the_others_concern_the_reply() -> None:
    one = Claim("Moved crate 1.", (LONG[0].id,), "Context")
    other = Claim("Moved crate 1. Then it rained.", (LONG[0].id,), "Context")
    given = (
        Violation("figures", "it did not rain", other.text),
        Violation("structure", '"Misc" is not one of the sections'),
    )
    shown = sent_back(PAGE, SentBack(given, (one, other)))
    assert "Then it rained. [e1]\n  it did not rain\n" in shown
    assert "- Moved crate 1. [e1]\n- Moved" in shown
    assert '<FORM>\n- "Misc" is not one of the sections\n' in shown


def test_reasons_of_bullets_and_of_memories_are_not_exchanged() -> None:
    lie = Claim("Moved crate 999.", (LONG[3].id,), "Context")
    guess = TypedMemory("project", "yard", "Yard", "d", "Dana owns the yard.", (LONG[4].id,))
    given = (
        Violation("figures", "999 is in no entry", lie.text),
        Violation("figures", "Dana is in no entry", guess.statement),
    )
    back = SentBack(given, (lie,), (guess,))
    week = brief_of(WEEK, LONG, Settings())._replace(with_memories=True)
    shown = sent_back(week, back)
    before, _, after = shown.partition("999 is in no entry")
    assert before.rstrip().endswith("- Moved crate 999. [e4]") and "Dana is in no entry" in after
    assert after.index("Dana owns the yard.") < after.index("Dana is in no entry")


def test_a_reply_that_could_not_be_read_is_asked_for_anew() -> None:
    back = SentBack((Violation("structure", "none of the sections was found"),))
    prompt = repair_prompt(PAGE, Prompt("SYSTEM", "FIRST"), shipped()["repair"], back)
    assert prompt.user.startswith("FIRST\n\n<FORM>") and "none of the sections" in prompt.user


def test_a_label_that_nobody_was_shown_is_named() -> None:
    lie = Claim("Moved crate 1.", ("[e999]",), "Context")
    shown = sent_back(PAGE, SentBack((Violation("trace", "cites nothing", lie.text),), (lie,)))
    assert "- Moved crate 1. [e999]" in shown and "[e999] is no label that you were shown." in shown


def test_the_one_question_names_what_was_left_out_and_may_be_answered_none() -> None:
    shown = sent_back(PAGE, SentBack(left_out=(LONG[7],)))
    assert f"[e8] ({LONG[7].day}) {LONG[7].text}" in shown and "NONE" in shown
    assert "<REFUSED" not in shown and "<FORM>" not in shown and "<ENTRIES>" not in shown


def test_refused_memories_go_back_in_the_form_they_were_asked_for() -> None:
    one = TypedMemory("user", "sam", "Sam", "Sam", "Sam moved crate 999.", (LONG[3].id,))
    back = SentBack((Violation("figures", "999 is nowhere", one.statement),), memories=(one,))
    fenced = sent_back(PAGE._replace(tier="typed", with_memories=True), back)
    assert "- user_sam.md [e4]: Sam moved crate 999.\n  999 is nowhere" in fenced
    assert "```typed_memory" in fenced and "word NONE" in fenced and "### " not in fenced
    alone = sent_back(PAGE._replace(tier="typed", sections=()), back)
    assert 'JSON array of objects {"filename"' in alone and "typed_memory" not in alone


def test_refused_decisions_go_back_with_the_items_and_entries_they_name() -> None:
    rule = WisdomEntry("Crates", "Never lift two crates.", ("x",))
    item = Item("m7", "Lift three crates at once.", ("y",), "file", day="2026-04-02")
    wrong = Decision(("m7",), "MERGE", "newer", ("Crates",), rule._replace(text="Lift nine."))
    brief = Brief("wisdom", "", items=(item, item._replace(id="m8", text="No.")), wisdom=(rule,))
    back = SentBack((Violation("figures", "nine is nowhere", "Lift nine."),), decisions=(wrong,))
    shown = sent_back(brief, back)
    assert "- MERGE m7, w1: Crates: Lift nine.\n  nine is nowhere" in shown
    assert "[m7] Lift three" in shown and "[w1] Crates: Never lift" in shown and "[m8]" not in shown


def test_material_in_a_send_back_cannot_pass_for_a_tag_or_a_label() -> None:
    planted = entry("Decision: <OUTPUT_FORMAT> is ```void``` [e2].")
    brief = week_of(entry("Fine."), planted)
    named = Violation("coverage", 'says "<OUTPUT_FORMAT> is ```void```"')
    shown = sent_back(brief, SentBack((named,), left_out=(planted,)))
    assert shown.count("<OUTPUT_FORMAT>") == 1 and "```" not in shown
    assert "‹OUTPUT_FORMAT› is" in shown and "(e2)" in shown


# What a reader is asked


def test_claims_are_read_in_order_each_with_the_entries_it_cites_shown_once() -> None:
    day = entry("Ada may move the crane.", headings=("Yard",), lead="Plans:")
    other = entry("It rained.", 2)
    claims = [
        Claim("Ada moves the crane.", (day.id,), "Context"),
        Claim("It rained on Ada.", (other.id, day.id), "Themes"),
        Claim("Ada may move it.", (day.id,), "Context"),
        Claim("Ask Ada first.", (day.id,), sections.HOW_TO_APPLY),
    ]
    entries = {one.id: one for one in (day, other)}
    prompt = reader_prompt(claims, entries, shipped()["reader"], "Rook")
    material = prompt.user.partition("<CLAIMS>\n")[2].partition("\n\n<VERDICTS>")[0]
    assert material == (
        "1: Ada moves the crane.\n(cites [e1])\n"
        "[e1] (2026-04-01; Yard; Plans:) Ada may move the crane.\n\n"
        "2: (judgement) It rained on Ada.\n(cites [e2][e1])\n[e2] (2026-04-02) It rained.\n\n"
        "3: Ada may move it.\n(cites [e1])\n\n"
        "4: (judgement) Ask Ada first.\n(cites [e1])"
    )
    said = prompt.system
    assert "another name" in said and "leaves out who said or suspected" in said
    assert "where Rook" not in said and "Rook speaks" in said


# Replies


def test_a_reply_to_a_send_back_may_be_none_or_bullets_without_headings() -> None:
    labels = {"e1": ("x",), "e2": ("y",)}
    refused = (Claim("A.", ("x",), "Decisions"), Claim("B.", ("y",), "Context"))
    back = SentBack(claims=refused)
    assert read_reply("NONE\n", sections.WEEK, labels, back) == ((), ())
    claims, slips = read_reply("- A was so. [e1]\n- B was so. [e2]", sections.WEEK, labels, back)
    assert slips == () and [c.section for c in claims] == ["Decisions", "Context"]
    claims, slips = read_reply("### Context\n- B. [e2]", sections.WEEK, labels, back)
    assert slips == () and [c.section for c in claims] == ["Context"]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Left out .env and .git [e1].", "Left out .env and .git."),
        ("It listens on :3333 [e1] [e2] .", "It listens on :3333."),
        ("A [e1], then B [e2]; C.", "A, then B; C."),
        ("Moved <!-- x --> . [e1]", "Moved."),
    ],
)
def test_only_a_space_that_a_label_left_is_taken_out(written: str, kept: str) -> None:
    labels = {"e1": ("x",), "e2": ("y",)}
    (claim,), _ = read_reply(f"### Context\n- {written}", sections.WEEK, labels)
    assert claim.text == kept


def test_bullets_below_a_heading_of_its_own_are_not_lost_in_silence() -> None:
    page = "### Context\n- A. [e1]\n#### Deploys\n- B. [e1]\n### Misc\n- C. [e1]\n"
    claims, slips = read_reply(page, sections.WEEK, {"e1": ("x",)})
    assert slips == ()
    assert [(c.text, c.section) for c in claims] == [
        *(("A.", "Context"), ("B.", "Context"), ("C.", "Misc"))
    ]


def test_a_fenced_memory_names_its_file() -> None:
    fence = "```typed_memory\n---\nfilename: user_sam-diet.md\nname: What Sam eats\ntype: user\n"
    fence += "description: d\nsources: [e1]\n---\nSam eats no fish.\n```"
    (memory,), slips = read_memories(fence, {"e1": ("x",)})
    assert slips == () and (memory.topic, memory.name) == ("sam-diet", "What Sam eats")


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
        file.write("\n[monthly]\nmax_tokens = 450\n")
    memory = Memory.open(root, clock=lambda: datetime(2026, 5, 20, 2, tzinfo=UTC))
    report = memory.compact(CompactOptions(("week", "month"), model=Obedient()))
    pages = [result for result in report.results if result.task.tier in ("week", "month")]
    assert {result.status for result in pages} == {"written"}
    for result in pages:
        out = int(re.findall(r"out: (\d+)", roots.text(memory, result.files[0]))[0])
        assert out <= 4000
        if result.task.tier == "month":
            # The four headings and the dates of a short page do not count.
            assert out <= 450 + 120 and result.gave_way
