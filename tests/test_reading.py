"""What a reader may trust on a page: nothing open that is settled, nothing told that was denied."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from lithify import Memory, cues
from lithify.engines import offline
from lithify.engines.offline.matters.pairs import needed_with, taken_back
from lithify.engines.offline.matters.turned import reversals
from lithify.engines.offline.reading.dating import resolved
from lithify.engines.offline.reading.headings import subject_of, timeless
from lithify.engines.offline.reading.sentences import read
from lithify.engines.offline.reading.text import plain
from lithify.engines.offline.reading.units import Unit, units_of
from lithify.markdown.pages import body_digest
from lithify.markdown.parse import parse
from lithify.text import dates
from lithify.text.atoms import unsupported
from lithify.text.tokens import estimate
from lithify.values import (
    MONTH_SECTIONS,
    WEEK_SECTIONS,
    Brief,
    Claim,
    Entry,
)
from lithify.verify.coverage import required

MONDAY = date(2026, 4, 6)
OUTCOMES, DECISIONS, OPEN, CONTEXT = WEEK_SECTIONS
FILLER = "\n".join(
    f"- {place} has a quay of {length} stones, laid by {who} and washed by the {wind} wind."
    for place, length, who, wind in (
        ("Aldmoor", "grey", "monks", "west"),
        ("Brackley", "round", "sailors", "north"),
        ("Cawdale", "black", "weavers", "salt"),
        ("Dunmere", "white", "farmers", "spring"),
        ("Eastwick", "loose", "masons", "cold"),
        ("Farrow", "heavy", "millers", "summer"),
    )
)


def days(*texts: str, gap: int = 1) -> tuple[Entry, ...]:
    """One day's Markdown after another, with filler that nobody needs."""
    found: list[Entry] = []
    for n, text in enumerate(texts):
        day = MONDAY + timedelta(days=gap * n)
        found += parse(text.encode(), label=day.isoformat(), day=day).entries
    return tuple(found)


def week(entries: tuple[Entry, ...], share: float = 0.3) -> tuple[Claim, ...]:
    size = max(1, sum(estimate(entry.text) for entry in entries))
    brief = Brief("week", "2026-W15", WEEK_SECTIONS, entries, target=int(share * size), size=size)
    return checked(brief)


def month(entries: tuple[Entry, ...], share: float = 0.3) -> tuple[Claim, ...]:
    size = max(1, sum(estimate(entry.text) for entry in entries))
    claims = tuple(Claim(entry.text, (entry.id,)) for entry in entries)
    target = int(share * size)
    brief = Brief("month", "2026-04", MONTH_SECTIONS, entries, claims, target=target, size=size)
    return checked(brief)


def checked(brief: Brief) -> tuple[Claim, ...]:
    """The claims of a draft, each of which rests on what it cites and fits a bullet."""
    by_id = {entry.id: entry for entry in brief.entries}
    claims = offline.write(brief).claims
    for claim in claims:
        assert unsupported(claim.text, [by_id[id] for id in claim.sources]) == ()
        assert estimate(f"- {claim.text}") <= 60
    return claims


def said(claims: tuple[Claim, ...], section: str = "") -> str:
    return "\n".join(claim.text for claim in claims if section in ("", claim.section))


def test_a_blocker_settled_in_the_week_is_told_with_what_settled_it() -> None:
    claims = week(
        days(
            "- Blocked: the freezer door in hall two does not shut.",
            "- The freezer door in hall two is repaired, the hinge was bent.",
        ),
        share=0.01,
    )
    assert "freezer door" not in said(claims, OPEN)
    (claim,) = [claim for claim in claims if "freezer door" in claim.text]
    assert "is repaired, the hinge was bent (had been open since 6 Apr)" in claim.text
    assert len(claim.sources) == 2


def test_a_month_asks_all_days_whether_a_blocker_is_settled() -> None:
    entries = days(
        "- Blocked: the freezer door in hall two does not shut.",
        "- The freezer door in hall two is repaired, the hinge was bent.",
        gap=7,
    )
    assert needed_with(entries, [entries[0].id]).entries == entries[1:]
    assert "freezer" not in said(month(entries), "Carried Forward")


def test_a_resolution_no_week_kept_still_closes_the_item_in_its_month(
    tmp_path: Path,
) -> None:
    memory = Memory.open(tmp_path)
    folder = tmp_path / "memory"
    folder.mkdir(exist_ok=True)
    (folder / "2026-01-05.md").write_text(
        "- Blocked: the freezer door in hall two does not shut.\n"
    )
    (folder / "2026-01-12.md").write_text(
        "- Looked at the freezer door in hall two again, back to normal.\n"
        + "".join(f"- Decision: shelf {n} goes to parish {n}.\n" for n in range(40))
    )
    memory.compact()
    assert "freezer" not in (folder / "weekly" / "2026-W03.md").read_text()
    carried = (folder / "monthly" / "2026-01.md").read_text().partition("### Carried Forward")[2]
    assert "freezer" not in carried


def test_a_late_resolution_that_leaves_its_week_alone_still_rebuilds_the_month(
    tmp_path: Path,
) -> None:
    memory = Memory.open(tmp_path)
    folder = tmp_path / "memory"
    folder.mkdir(exist_ok=True)
    (folder / "2026-01-05.md").write_text(
        "- Blocked: the freezer door in hall two does not shut.\n"
    )
    day = folder / "2026-01-12.md"
    day.write_text("".join(f"- Decision: shelf {n} goes to parish {n}.\n" for n in range(40)))
    memory.compact()
    week = body_digest((folder / "weekly" / "2026-W03.md").read_bytes())
    month = folder / "monthly" / "2026-01.md"
    assert "freezer" in month.read_text().partition("### Carried Forward")[2]
    late = "- Looked at the freezer door in hall two again, back to normal.\n"
    day.write_text(day.read_text() + late)
    memory.compact()
    assert body_digest((folder / "weekly" / "2026-W03.md").read_bytes()) == week
    assert "freezer" not in month.read_text().partition("### Carried Forward")[2]


def test_an_item_that_stands_open_again_stays_open() -> None:
    entries = days(
        "- Blocked: the freezer door in hall two does not shut.",
        "- The freezer door in hall two is repaired.",
        "- Blocked: the freezer door in hall two does not shut, again.",
        gap=5,
    )
    assert "freezer door" in said(month(entries), "Carried Forward")


@pytest.mark.parametrize(
    "denial",
    [
        "- Correction: the harbour authority has not approved the pier drawings.",
        "- Turns out the harbour authority never approved the pier drawings.",
        "- The approval of the pier drawings by the harbour authority was retracted.",
    ],
)
def test_a_claim_that_is_denied_later_is_not_told_without_the_denial(denial: str) -> None:
    entries = days("- Ana says the harbour authority approved the pier drawings.", denial)
    for claims in (week(entries), month(entries)):
        assert "Ana says" not in said(claims)
    assert taken_back(entries) == {entries[0].id}
    brief = Brief("week", "2026-W15", WEEK_SECTIONS, entries, target=100, size=100)
    assert entries[0].id not in {entry.id for entry in required(brief)}


def test_a_denial_that_names_nothing_is_told_with_what_it_denies() -> None:
    claims = week(days("- Deployed the tariff reader to all depots. That was wrong."))
    (claim,) = claims
    assert "tariff reader" in claim.text and "That was wrong" in claim.text
    assert claim.section != OUTCOMES


def test_the_headline_of_a_month_is_not_lost_to_the_figures_beside_it() -> None:
    figures = "\n".join(
        f"- Station {n} read {n * 17 % 97} lux, {n * 31 % 89} dB and {n * 13 % 83} ppm of {n}."
        for n in range(60)
    )
    entries = days(f"{figures}\n- Launched the second edition to all subscribers.", figures, gap=8)
    assert "Launched the second edition" in said(month(entries, share=0.09), "Milestones")


@pytest.mark.parametrize(
    "text",
    [
        "We might move the store to the new hall.",
        "Maybe we should go with the smaller van.",
        "Thinking about switching to the other carrier.",
        "Should we go with the smaller van?",
        "Ana suggested we drop the second shift, no conclusion.",
    ],
)
@pytest.mark.parametrize("heading", ["", "Decisions"])
def test_what_is_not_decided_is_no_decision(text: str, heading: str) -> None:
    entry = Entry("2026-04-06~0", text, (heading,) if heading else ())
    assert cues.section_of(entry) != DECISIONS


@pytest.mark.parametrize(
    "text",
    [
        "Ana: let me sleep on it",
        "That is 7,320 crowns a year",
        "At fair time everybody wants that week",
    ],
)
def test_a_price_a_wish_and_a_delay_are_no_decision(text: str) -> None:
    assert cues.section_of(Entry("2026-04-06~0", text)) != DECISIONS


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Limit of pier 9: 60 -> 120 boats a day", OUTCOMES),
        ("pier toll 3 crowns → 4 crowns", OUTCOMES),
        ("[ ] limit of pier 9: 60 -> 120 boats a day", OPEN),
        ("harbour plan -> drawer 9", CONTEXT),
    ],
)
def test_a_value_that_became_another_is_an_outcome(text: str, section: str) -> None:
    assert cues.section_of(Entry("2026-04-06~0", text)) == section


def test_a_doubt_in_the_reason_leaves_the_decision_one() -> None:
    text = "We decided to keep the old van because the new one might break."
    assert cues.section_of(Entry("2026-04-06~0", text)) == DECISIONS


def test_what_is_crossed_out_is_not_said() -> None:
    entries = days(
        "- ~~Launched the second edition.~~\n- The print run is ~~4,000~~ 3,500 copies for Ghent."
    )
    text = said(week(entries, share=2.0))
    assert "Launched" not in text and "4,000" not in text and "3,500" in text
    assert not cues.must_keep(entries[0])


def test_a_row_carries_the_names_of_its_columns() -> None:
    table = "| Part | Owner | Due |\n|---|---|---|\n| North pier | Ana | 2026-05-02 |\n"
    text = said(week(days(table), share=2.0))
    assert "Owner: Ana" in text and "Due: May 2" in text


def test_an_answer_carries_its_question() -> None:
    entries = days("- Q: Do we deliver to the islands in winter?\n- A: Only on Tuesdays.")
    (claim,) = week(entries, share=2.0)
    assert "islands in winter" in claim.text and "Only on Tuesdays" in claim.text
    assert len(claim.sources) == 2


def test_a_value_read_twice_in_other_words_is_told_as_a_change() -> None:
    entries = days(
        f"- Queue length at the gate: 41 minutes, rain all day.\n{FILLER}",
        "- Queue length at the gate now 12 minutes after the second lane.",
        gap=8,
    )
    text = said(month(entries, share=1.5), "Trajectory")
    assert "from 41 minutes to 12 minutes (6 Apr to 14 Apr)" in text


def test_a_subject_of_several_weeks_is_a_theme_that_names_them() -> None:
    entries = days(
        f"- Merged the tide table reader for the north pier.\n{FILLER}",
        "- Fixed the tide table for leap days.",
        gap=8,
    )
    text = said(month(entries, share=3.0), "Themes")
    assert (
        "Tide table (2026-W15 and 2026-W16): 6 Apr - Merged" in text and " 14 Apr - Fixed" in text
    )


def test_bold_words_on_a_line_of_their_own_stand_over_the_lines_below() -> None:
    (unit, *_) = units_of(days("**Quiet evening**\nI compared the ropes of Lund with ours.\n"))
    assert unit.text.startswith("I compared the ropes")
    assert unit.place[-1] == "Quiet evening"


def test_a_line_over_a_list_is_what_its_lines_are_about() -> None:
    text = (
        "# Monday\n\nOdile\n- wants more hours, 88 crowns each\n\nFor tomorrow\n- ropes to Lund\n"
    )
    hours, ropes = units_of(days(text))
    assert subject_of(hours.place)[0] == "Odile"
    assert timeless(subject_of(ropes.place)[0]) == ""


def test_a_line_that_says_open_is_over_a_list_of_the_day_and_not_of_the_heading_above() -> None:
    text = "# Monday\n\n## Thinking\nIt rains.\n\nOpen\n- ropes to Lund\n"
    *_, ropes = units_of(days(text))
    assert subject_of(ropes.place)[0] == ""
    text = "# Monday\n\n## Ferry\nIt rains.\n\nOdile\n- ropes to Lund\n"
    *_, ropes = units_of(days(text))
    assert ropes.place[-2:] == ("Ferry", "Odile")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("We compared the first week with today.", "We compared the first week with Apr 6."),
        ("The ferry sails not today.", "The ferry sails not on Apr 6."),
        ("We mended the ferry today.", "We mended the ferry."),
        ("The road is closed till at least tomorrow.", "The road is closed till at least Apr 7."),
    ],
)
def test_the_day_it_was_said_on_goes_only_where_nothing_hangs_on_it(said: str, told: str) -> None:
    assert resolved(said, date(2026, 4, 6)) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "The mayor was on the quay, hoarse, very good.",
            "The mayor was on the quay, hoarse, good.",
        ),
        ("The ferry needs not quite three hours.", "The ferry needs not quite three hours."),
        ("Odile has Super 8 of the last fair.", "Odile has Super 8 of the last fair."),
        ("It was the very last rope of Lund.", "It was the very last rope of Lund."),
    ],
)
def test_a_word_that_only_stresses_goes_and_what_it_stands_beside_stays(
    said: str, told: str
) -> None:
    (unit,) = units_of(days(f"- {said}"))
    assert unit.text == told


def test_hours_before_a_line_go_with_both_their_ends() -> None:
    (both,) = units_of(days("- 05:30–06:25 K1 back on the rope."))
    assert both.text.startswith("K1 back")
    (told,) = units_of(days("- 02:00-04:00 UTC again, 400 barges."))
    assert told.text.startswith("02:00-04:00 UTC again")


def test_an_entry_is_kept_for_the_rule_that_it_states() -> None:
    text = '- I had closed #2311 with "rope mended". Odile: "No ticket gets closed without its number. Always."'
    (kept,) = (unit for unit in units_of(days(text)) if unit.must)
    assert kept.text.startswith("No ticket gets closed")


def test_half_a_pair_of_marks_is_left_off_and_days_stay_days() -> None:
    text = "**11:35 Decision: never weigh wet hay.** Reason: it rots. Again 28 May–2 June."
    told = " ".join(unit.text for unit in units_of(days(text)))
    assert "**" not in told
    assert "28 May - 2 June" in told


@pytest.mark.parametrize(
    "mark", ["Mon 6 Apr:", "2026-04-06 -", "**6 April 2026:**", "[2026-04-06]"]
)
def test_the_day_of_a_bullet_is_told_once(mark: str) -> None:
    (claim,) = week(days(f"- {mark} shipped the tide table reader to Ghent."), share=3.0)
    assert claim.text == "6 Apr 2026: Shipped the tide table reader to Ghent"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- nets mended by Bram, 14 of them.", "Nets mended by Bram, 14 of them"),
        ("- So the ferry sails at 6 from now on.", "The ferry sails at 6 from now on"),
        ("- But Odile paid the 40 crowns.", "Odile paid the 40 crowns"),
        ("- quay-log 2.1 shipped to the harbour.", "quay-log 2.1 shipped to the harbour"),
        ("- So far 14 nets were mended.", "So far 14 nets were mended"),
        ("- Proofs read, two dots missing (p. 8, p. 40).", "two dots missing (p. 8, p. 40)"),
    ],
)
def test_a_bullet_begins_as_a_sentence_does_and_ends_its_brackets(text: str, told: str) -> None:
    assert said(week(days(text, FILLER))).splitlines()[0].endswith(told)


def test_sentences_that_share_a_pair_of_brackets_stand_without_half_of_it() -> None:
    told = said(week(days("(The tide gauge read 41 cm. Bram looked twice at it.)", FILLER)))
    assert "41 cm" in told and "(" not in told


def test_most_of_a_long_sentence_is_not_told_without_the_reserve_of_its_rest() -> None:
    text = (
        "I used the soundings and the harbour packet to keep the survey of the north channel "
        "aligned around three questions: whether the bar is worth dredging at all this year, what "
        "price is fair for the spoil, and which of the old wrecks could stop the whole of the work."
    )
    (entry,) = days(text)
    first, second = plain(entry).sentences
    assert first.endswith("around three questions") and "could stop" in second
    assert "whether the bar" in second and not unsupported(f"{first}. {second}", [entry])


@pytest.mark.parametrize(
    ("text", "leans"),
    [
        ("One clamp lamp is dead, the fuse. Changed, works.", True),
        ("The hatch had the wrong name on both sides. Corrected, also in the plan for Bram.", True),
        ("The old name stood on nine lists. Changed everywhere before the noon boat came.", True),
        ("The hatch had the wrong name on both sides. Corrected the plan for Bram by noon.", False),
    ],
)
def test_a_deed_without_what_it_was_done_to_leans_on_the_sentence_before(
    text: str, leans: bool
) -> None:
    last = units_of(days(text))[-1]
    assert (last.leans or not last.text.startswith(("Changed", "Corrected"))) is leans


def test_code_is_told_without_its_fence() -> None:
    told = said(
        week(days("The winch says:\n\n```sh\nwinch: brake 3 jammed at 14:02\n```\n", FILLER))
    )
    assert "brake 3 jammed at 14:02" in told and "`" not in told


def test_a_stamped_line_after_a_sentence_is_a_line_of_its_own() -> None:
    told = said(week(days("(The others were dry.)\n15:40 Sealed hatch 7 again.", FILLER)))
    assert "Sealed hatch 7 again" in told and "dry.) 15:40" not in told


@pytest.mark.parametrize(
    ("text", "section", "told"),
    [
        ("- ✅ rope paid, 40 crowns", OUTCOMES, "Rope paid, 40 crowns"),
        ("- ☐ ask Odile for the map", OPEN, "Ask Odile for the map"),
        ("- ⏳ the map from Odile", OPEN, "The map from Odile"),
        ("- 🔴 Blocked: the north pier is shut", OPEN, "The north pier is shut"),
        ("- 📝 Decision: the ferry sails at 6", DECISIONS, "The ferry sails at 6"),
        ("## 🚧 In progress\n- the new winch for the Petrel", OPEN, "The new winch for the Petrel"),
    ],
)
def test_signs_are_read_and_not_told(text: str, section: str, told: str) -> None:
    assert said(week(days(text, FILLER)), section).splitlines()[0].endswith(f"2026: {told}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- rope 14 to 9 m ✅ knot 3 retied", "Rope 14 to 9 m - knot 3 retied"),
        ("- rope is 9 m ✅ Knot 3 was retied", "Rope is 9 m. Knot 3 was retied"),
        ("- rope is 9 m ✅ (knot 3 too)", "Rope is 9 m (knot 3 too)"),
        ("- rope is 9 m ✅ - knot 3 too", "Rope is 9 m - knot 3 too"),
        ("- rope is 9 m ⚠️, knot 3 slips", "Rope is 9 m, knot 3 slips"),
    ],
)
def test_a_sign_within_a_line_parts_two_thoughts(text: str, told: str) -> None:
    assert f"2026: {told}" in said(week(days(text, FILLER), share=0.5))


@pytest.mark.parametrize(
    ("text", "section", "told"),
    [
        ("- The map has no pier 9. [ ] Odile to draw pier 9", OPEN, "Odile to draw pier 9"),
        ("- Odile wants a map; [x] map 4 sent to Odile", OUTCOMES, "Map 4 sent to Odile"),
        (
            "- No buoy at pier 9. [ ] build it that way",
            OPEN,
            "No buoy at pier 9. build it that way",
        ),
        (
            "- The bell of pier 9 rings every 10 min. [x]",
            OUTCOMES,
            "The bell of pier 9 rings every 10",
        ),
    ],
)
def test_a_box_within_a_line_is_a_box(text: str, section: str, told: str) -> None:
    assert f"2026: {told}" in said(week(days(text, FILLER)), section)


@pytest.mark.parametrize("whose", ["(ADR-14)", "(Odile, Bram, me)"])
def test_a_label_that_says_whose_decision_it_is_announces_one(whose: str) -> None:
    text = f"- **Decision {whose}:** maps in ink, 2 per pier"
    assert f"Decision {whose}: maps in ink" in said(week(days(text, FILLER)), DECISIONS)


def test_what_a_label_says_in_brackets_announces_nothing() -> None:
    text = "- Unsure first (new rule): the tide of pier 9 has 2 peaks"
    assert "pier 9" not in said(week(days(text, FILLER), share=0.9), DECISIONS)


def test_a_heading_gives_its_subject_without_signs_and_time() -> None:
    told = said(week(days("## 🚀 09:15 Pump house\n- Seal 3 was replaced by Bram.", FILLER)))
    assert "2026: Pump house: Seal 3" in told


def test_a_bold_line_over_a_list_gives_its_subject() -> None:
    (bullet, *_) = units_of(days("# Monday\n\n**12:30 ferry**\n- Ropes from Lund, 40 crowns.\n"))
    assert subject_of(bullet.place)[0] == "ferry"
    (nested,) = units_of(days("1. **Ferry**\n   - Ropes from Lund, 40 crowns.\n"))
    assert subject_of(nested.place)[0] == "Ferry"


@pytest.mark.parametrize(
    ("heading", "subject"),
    [
        ("Session B, 11:00-12:50 - ferry licence", "ferry licence"),
        ("13:30-17:40 ropes", "ropes"),
        ("#412, for good", "#412, for good"),
        ("13:40 #420", "#420"),
        ("Decision 09:15, ropes", "ropes"),
        ("Odile, 13:30", "Odile"),
        ("Odd jobs", ""),
        ("Open, going into next week", ""),
        ("Done / not done", ""),
        ("Monday round (Odile, Bram, Signe, Torvald, Ottilie as a guest)", "Monday round"),
    ],
)
def test_how_a_part_of_the_day_is_counted_is_no_subject(heading: str, subject: str) -> None:
    assert subject_of(("Monday 6 April", heading))[0] == subject


def test_no_sign_of_a_list_and_no_word_said_again_is_left_over() -> None:
    items = [f"rope of the {name} barge" for name in ("red", "old", "long", "grey", "fast", "new")]
    line = " · ".join(items * 3)
    told = [unit.text for unit in units_of(days(f"- {line}"))]
    assert len(told) > 1 and not any(text.endswith("·") for text in told)
    (unit,) = units_of(days("- Odile wants a banner at the ferry by noon. [ ] banner"))
    assert unit.text == "Odile wants a banner at the ferry by noon."
    *_, last = units_of(days('- Odile: "Send me the rows as a file." -> into the barge folder.'))
    assert not last.text.startswith("->")


def test_a_label_that_is_a_clause_belongs_to_its_sentence() -> None:
    (unit, *_) = units_of(days("- So the fair moves: from 4 May to 11 May."))
    assert (unit.label, unit.text) == ("", "So the fair moves: from 4 May to 11 May.")


def test_who_writes_in_small_letters_ends_a_sentence_with_a_question() -> None:
    told = said(week(days("user: can you paint hatch 7? and please never use red on it", FILLER)))
    assert "please never use red on it" in told
    assert "hatch 7? and" not in told


def test_a_heading_gives_no_part_that_only_says_when_or_what_kind() -> None:
    told = said(week(days("## Session 14:30 - Pump house\n- Seal 3 was replaced by Bram.", FILLER)))
    assert "2026: Pump house: Seal 3" in told


def test_a_label_that_says_nothing_is_left_out_and_so_is_what_says_that_there_is_nothing() -> None:
    text = "**Summary:** Bram replaced seal 3 of the pump.\n**Blockers:** none\n"
    told = said(week(days(text, FILLER), share=0.9))
    assert "2026: Bram replaced seal 3 of the pump" in told
    assert "none" not in told.lower()


def test_a_day_that_is_told_twice_is_told_once() -> None:
    told = said(week(days("- The ferry sails from tomorrow, Tue 7 April, at 6.", FILLER)))
    assert "sails from Tue 7 April, at 6" in told


def test_a_scheduled_weekday_lies_ahead() -> None:
    sunday = date(2026, 2, 1)
    text = "The postmortem is on Monday, with all who were on call."
    assert "2026-02-02" in dates.absolute(text, sunday)
    assert "2026-01-26" in dates.absolute("The disk failed on Monday.", sunday)
    assert "2026-02-06" in dates.absolute("Only if the form is not done on Friday.", sunday)
    assert "2026-01-30" in dates.absolute("She asked if it was done on Friday.", sunday)


def test_the_lines_of_a_log_without_list_marks_are_told_apart() -> None:
    claims = week(
        days(
            "02:14 PAGE checkout answers with errors\n02:20 disk full on db-3\n"
            "02:41 Deleted old archives, 80 GB free\n02:55 5xx back to 0.1 %, page resolved\n"
            "10:00 Decision: no deletion by hand without a second person"
        ),
        share=1.0,
    )
    assert not any(mark in said(claims) for mark in ("02:", "10:00"))
    assert "No deletion by hand" in said(claims, DECISIONS)
    assert "page resolved" in said(claims, OUTCOMES)


def test_a_sentence_too_short_to_stand_alone_is_told_with_the_one_before_it() -> None:
    (claim,) = week(days("- First payment by card, one euro, by Ana. Refunded at noon."), share=3.0)
    assert claim.text.endswith("by Ana. Refunded at noon")


def test_what_a_label_announces_stays_in_its_section() -> None:
    claims = week(days("- Blocked: no root cause for the leak in the pump. Ana suspects the seal."))
    assert {claim.section for claim in claims} == {OPEN}


def test_a_quoted_word_does_not_turn_a_day_of_the_past_into_one_ahead() -> None:
    entry = Entry("2026-03-29~0", 'I had written "should" on Friday.', day=date(2026, 3, 29))
    assert dates.absolute(entry.text, date(2026, 3, 29)) == 'I had written "should" on 2026-03-27.'
    assert unsupported('I had written "should" on 2026-03-27.', [entry]) == ()


@pytest.mark.parametrize("label", ["Decision", "Agreed", "Outcome", "Blocked", "Open question"])
def test_a_label_that_only_names_its_section_is_left_out(label: str) -> None:
    (claim,) = week(days(f"- {label}: the crates go to hall two."), share=3.0)
    assert claim.text == "6 Apr 2026: The crates go to hall two"


def test_what_a_label_settles_is_not_open() -> None:
    for text in (
        "- Fixed: the gate is stuck and blocked by ice.",
        "Fixed:\n- the gate is stuck and blocked by ice.",
    ):
        assert {claim.section for claim in week(days(text), share=3.0)} == {OUTCOMES}
    assert cues.announced("Not fixed") == OPEN


def test_a_reversal_too_long_to_tell_with_the_old_decision_stands_in_its_place() -> None:
    first = (
        "Decision: the tide reader runs on the harbour server in hall two behind the north gate, "
        "next to the old printer that the masons left there in the spring of the flood."
    )
    later = (
        "Decision: the tide reader runs on a laptop instead of the harbour server, carried by "
        "whoever has the early shift and kept in the drawer with the spare keys at night."
    )
    entries = days(f"- {first}", f"- {later}")
    text = said(week(entries))
    assert "laptop" in text and "masons" not in text
    assert entries[0].id in taken_back(entries)


OWN = ("I like short letters, one page, no jokes.", "My desk is in Ghent.", "Call me Jo.")


@pytest.mark.parametrize(
    "text",
    ["I like it.", "My van is broken.", "I never got an answer.", "I want the crates today."],
)
def test_what_the_user_says_of_the_moment_is_no_preference(text: str) -> None:
    assert not cues.is_own(text)


def test_a_reversal_keeps_the_sentence_that_states_the_new_choice() -> None:
    claims = week(
        days(
            "- The ferry moved from berth 4 to berth 9.\n"
            "- Reversed: we move the ledger from paper to slate after all; damp ruins it. "
            "Ottoline decided, cost 30 crowns a year."
        )
    )
    assert "Reversed: we move the ledger from paper to slate after all" in said(claims, DECISIONS)
    assert "Reversed: Ottoline" not in said(claims, DECISIONS)


def test_a_reversal_that_names_both_values_replaces_the_choice_it_takes_back() -> None:
    claims = month(
        days(
            "- Decision: we keep the ledger on paper, not slate, because one clerk reads it.",
            FILLER,
            "- Reversed: we move the ledger from paper to slate after all; two clerks need it.",
        ),
        share=0.5,
    )
    text = said(claims)
    assert "we move the ledger from paper to slate after all" in text
    assert "on paper, not slate" not in text


@pytest.mark.parametrize(
    "end",
    [
        "KEY-31 resolved: Farrow cut a new key at the smithy, the north crane turns again and two "
        "barges were unloaded by night with lanterns.",
        "KEY-31 resolved: Farrow cut a key for the north crane at Dunmere quay, its lock was bent, "
        "and two barges were unloaded by night with lanterns.",
    ],
)
def test_a_blocked_item_is_an_outcome_only_when_its_end_is_told_with_it(end: str) -> None:
    item = (
        "the north crane at Dunmere quay refuses its key; ticket KEY-31 opened with Farrow, who "
        "has the drawings of the lock."
    )
    claims = week(days(f"- Blocked: {item}\n- PR 88 merged: a slower winch.", f"- {end}"), 0.6)
    assert "KEY-31 resolved" in said(claims, OUTCOMES)
    (told,) = [claim for claim in claims if "refuses its key" in claim.text]
    assert told.section == OPEN or "7 Apr" in told.text


def test_a_blocked_item_that_nothing_settles_stays_among_the_blockers() -> None:
    claims = week(
        days(
            "- Blocked: the north crane at Dunmere quay refuses its key.\n"
            "- PR 88 merged: the key table of the south crane."
        ),
        share=0.6,
    )
    assert "north crane at Dunmere" in said(claims, OPEN)


def test_an_end_that_leans_on_what_is_not_told_names_what_is_over_as_an_outcome() -> None:
    claims = week(
        days(
            "- The sluice is new.\n\nThat resolves the flooded cellar which blocked the bakers.\n\n"
            + FILLER
        )
    )
    assert "Resolves the flooded cellar which blocked the bakers" in said(claims, OUTCOMES)
    assert "That resolves" not in said(claims)


def test_an_outage_is_no_decision() -> None:
    claims = week(
        days(
            "- Outage: the lamp stood dark from 03:00 to 03:40, the keeper went with the old wick."
        )
    )
    assert said(claims, DECISIONS) == ""
    assert "the lamp stood dark" in said(claims, OUTCOMES)


def test_the_open_rows_of_a_table_are_told_as_open() -> None:
    claims = week(
        days(
            "| task | owner | status |\n|---|---|---|\n| tar the hull | Odile | open |\n"
            "| sew the sails | Bram | done |\n| oil the winch | Ffion | blocked |\n\n" + FILLER
        )
    )
    told = said(claims, OPEN)
    assert "Tar the hull" in told
    assert "Oil the winch" in told
    assert "sew the sails" not in told


@pytest.mark.parametrize(
    ("item", "end"),
    [
        (
            "- [ ] Rotate the gate seal on quay-01",
            "- Gate seal on quay-01 rotated, good for a year.",
        ),
        ("- [ ] Ask Odile for the April invoice", "- Odile sent the April invoice: 340 crowns."),
        ("- Waiting for Odile's April invoice.", "- Odile sent the April invoice: 340 crowns."),
        ("- [ ] Load test with 500 boats", "- Load test with 500 boats: 310 s, 4 sank."),
        ("- Not decided: whether to drop slate roofs.", "- Decided: slate roofs are dropped."),
        (
            "- Blocked: Bram cannot open the tide ledger. His key fits the outer door and no other.",
            "- Bram can open the tide ledger since 08:20.",
        ),
        (
            "- Blocked: test_tide_table fails on every second run and nobody knows why it does.",
            "- Fixed the shaky test test_tide_table, it read two clocks.",
        ),
    ],
)
def test_what_was_done_is_no_longer_carried_as_open(item: str, end: str) -> None:
    claims = month(days(item, FILLER, end, gap=3), share=0.6)
    words = item.removeprefix("- ").removeprefix("[ ] ").removeprefix("Blocked: ")[:20]
    assert words not in said(claims, "Carried Forward")


@pytest.mark.parametrize(
    ("item", "after"),
    [
        ("- [ ] Rotate the gate seal on quay-01", "- Gate seal on quay-02 rotated."),
        ("- [ ] Ask Odile for the April invoice", "- Odile sent the March invoice: 340 crowns."),
        ("- [ ] Load test with 500 boats", "- Load test with 50 boats: 310 s, 4 sank."),
        ("- [ ] Renew all the mooring permits", "- Mooring permit renewed for one boat."),
        ("- Blocked: the tide ledger cannot be opened.", "- The tide table was opened to all."),
        ("- [ ] Write the tide guide for pilots", "- The tide guide for pilots can wait."),
        ("- [ ] Check the nightly lamp log", "- Nightly lamp log finished in 58 minutes."),
        ("- [ ] Tar the hull of the Petrel", "- Started to tar the hull of the Petrel."),
    ],
)
def test_what_is_done_in_part_or_to_another_thing_leaves_the_item_open(
    item: str, after: str
) -> None:
    claims = month(days(item, FILLER, after, gap=3), share=0.6)
    words = item.removeprefix("- ").removeprefix("[ ] ").removeprefix("Blocked: ")[1:24]
    assert words in said(claims, "Carried Forward")


def test_a_promise_takes_the_place_of_what_was_to_be_asked_for() -> None:
    asked, promised = (
        "- [ ] Ask Odile for the April invoice",
        "- Odile will send the April invoice.",
    )
    claims = month(days(asked, FILLER, promised, gap=3), share=0.6)
    assert "Odile will send the April invoice" in said(claims, "Carried Forward")


def test_what_somebody_heard_is_told_but_is_nobodys_decision() -> None:
    claims = week(days(f"- Ove has heard that the fair is cancelled.\n{FILLER}"), share=0.5)
    assert "the fair is cancelled" in said(claims, CONTEXT)
    assert cues.judge("The fair is cancelled.", "", ())[0] == DECISIONS


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "Ran `job --date 2026-04-05` again on 2026-04-06",
            "Ran `job --date 2026-04-05` again on Apr 6",
        ),
        ("Named it 'run 2026-04-05' on 2026-04-06", "Named it 'run 2026-04-05' on Apr 6"),
        ("Full house tonight (212 of 212)", "Full house (212 of 212)"),
        ("Agreed today: the gate stays shut", "Agreed: the gate stays shut"),
        ("Open as of today: the gate", "Open as of Apr 6 - the gate"),
        ("Leaks since yesterday: 0", "Leaks since Apr 5: 0"),
    ],
)
def test_a_page_shortens_dates_but_no_command(sentence: str, told: str) -> None:
    assert resolved(sentence, MONDAY) == told


def test_a_weekday_without_a_verb_is_to_come_only_among_what_is_to_be_done() -> None:
    words = "rehearsal with the choir on Thursday, 40 chairs"
    for text, day in (
        (f"## Open\n- {words}", "Apr 9"),
        (f"- [ ] {words}", "Apr 9"),
        (f"Next week: {words}", "Apr 9"),
        (f"## Notes\n- {words}", "Thursday"),
    ):
        (entry,) = parse(text.encode(), label="2026-04-06", day=MONDAY).entries
        assert f"choir on {day}," in " ".join(one.text for one in read(entry))


@pytest.mark.parametrize(
    ("heading", "subject"),
    [
        ("Gate stuck on Sunday morning", "Gate stuck"),
        ("Boiler off since yesterday", "Boiler off"),
        ("Gate at the quay", "Gate at the quay"),
    ],
)
def test_what_a_heading_is_about_is_told_without_its_day(heading: str, subject: str) -> None:
    assert timeless(subject_of(("2026-04-06", heading))[0]) == subject


def test_a_month_does_not_stand_where_its_days_leave_something_else_open(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "2026-01-05.md").write_text(
        "- Blocked: the freezer door in hall two does not shut.\n"
    )
    memory = Memory.open(tmp_path)
    memory.compact()
    snapshot = memory.snapshot()
    page, commit = snapshot.shelf.months["2026-01"], snapshot.ledger.commits["month:2026-01"]
    assert snapshot.stands(page)
    left_open = commit.data["open"]
    assert [snapshot.lookup([id])[id].text for id in left_open] == [
        "Blocked: the freezer door in hall two does not shut."
    ]
    left_open.clear()
    assert not snapshot.stands(page)


def test_a_title_ends_no_sentence_before_a_name_with_a_colon() -> None:
    entry = Entry("2026-05-04~000000000001", "Ida asked Dr. Holm: fine if the sluice is shut.")
    assert plain(entry, fit=False).sentences == ("Ida asked Dr. Holm: fine if the sluice is shut.",)


def test_a_heading_loses_the_preposition_of_its_day_with_it() -> None:
    assert timeless("Lessons from today, short") == "Lessons, short"
    assert timeless("Call with Ida tomorrow about oats") == "Call with Ida about oats"


def test_a_sentence_that_stands_for_its_paragraph_keeps_its_own_section() -> None:
    text = (
        "Fees. Gull and Tern have both written, not amused. Tern had eleven complaints on Saturday between"
        " 24 and 12 hours before, and answered two of the letters. Gull says we changed their fees without"
        " asking, and they're right about that, Oona said so herself. She'll ring both today."
    )
    (entry,) = days(text)
    assert cues.judge(text, "", ()) == (DECISIONS, True)
    (stated,) = [one for one in read(entry) if one.must]
    assert (stated.section, stated.text[:10]) == (CONTEXT, "Tern had e")


def test_what_goes_on_about_its_own_matter_turns_no_other_round() -> None:
    def turned(who: str) -> dict[int, Unit]:
        kept = "- The ferry checklist stays at the north berth."
        moved = f"- {who} moved the ferry checklist from the north berth to the mill."
        units = units_of(days(f"{kept}\n{moved}"))
        return reversals([replace(unit, section=DECISIONS) for unit in units])

    assert [*turned("Bram")] == [0]
    assert not turned("That")


def test_a_reversal_of_the_same_day_tells_its_day() -> None:
    first = "- Decision: we use Postgres for the tide ledger because Ana knows it."
    later = "- Decision: we drop Postgres for the tide ledger, a slate is enough."
    claims = week(days(f"{first}\n{FILLER}\n{later}"), share=0.6)
    assert "because Ana knows it. Reversed on 6 Apr: we drop Postgres" in said(claims, DECISIONS)


def test_every_sentence_of_a_box_that_is_not_ticked_is_open() -> None:
    item = "- [ ] Cap is enforced only at upload; a running job can slip by. Finish before 1 May."
    units = units_of(days(item))
    assert [unit.section for unit in units] == [cues.OPEN]


def test_what_to_do_differently_is_no_list_of_what_is_to_do() -> None:
    assert cues.announced("What to do differently") != cues.OPEN
    assert cues.announced("To do") == cues.OPEN
