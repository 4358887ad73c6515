from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta

import pytest

from lithify import cues
from lithify.engines import offline
from lithify.engines.offline.lasting.pointers import thing_of
from lithify.engines.offline.lasting.reasons import explains
from lithify.engines.offline.page.bullets import Packing
from lithify.engines.offline.page.cover import Taste, ranked
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.units import Unit, units_of
from lithify.markdown.parse import parse
from lithify.text.atoms import unsupported
from lithify.text.tokens import estimate
from lithify.values import (
    COMBINED_SECTIONS,
    MONTH_SECTIONS,
    WEEK_SECTIONS,
    Brief,
    Claim,
    Entry,
    Item,
    TypedMemory,
    WisdomEntry,
)
from lithify.verify import coverage
from lithify.verify.claims import Shown, examine

MONDAY = date(2026, 3, 30)

DAY = """# {day}

## Harbor import

- 09:10 Deployed importer 2.{n}.0 with the new tariff reader.
- 09:30 Standup, nothing new.
- Decision: rows are signed with the hash of sheet {n}, because hand edits broke an audit.
- Throughput reached {rate} rows a second on the test machine.
- Blocked: the partner desk has not sent key number {n}.
- The weather in the harbour was grey and the coffee machine hummed along as it does.

## Notes

Yesterday **Marta Lind** asked about `import_rows` and about the [wiki](https://wiki.example.com/rows).
A second sentence that goes on about nothing in particular, to give the writer something to leave out.
A third one of the same kind, which is longer than it has any need to be and says next to nothing.
"""


def entries_of(days: int, start: date = MONDAY) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for n in range(days):
        day = start + timedelta(days=n)
        text = DAY.format(day=day.isoformat(), n=n + 1, rate=100 + 7 * n)
        found += parse(text.encode(), label=day.isoformat(), day=day).entries
    return tuple(found)


def week_brief(entries: tuple[Entry, ...], share: float = 0.3) -> Brief:
    size = sum(estimate(entry.text) + 2 for entry in entries)
    return Brief(
        "week",
        "2026-W14",
        sections=WEEK_SECTIONS,
        entries=entries,
        target=int(share * size),
        size=size,
    )


def month_brief(weeks: int = 4) -> Brief:
    claims: list[Claim] = []
    entries: list[Entry] = []
    for n in range(weeks):
        week = entries_of(5, MONDAY + timedelta(weeks=n))
        written = offline.write(week_brief(week)).claims
        cited = {id for claim in written for id in claim.sources}
        claims += written
        entries += [entry for entry in week if entry.id in cited]
    size = sum(estimate(claim.text) for claim in claims)
    return Brief(
        "month",
        "2026-04",
        sections=MONTH_SECTIONS,
        entries=tuple(entries),
        claims=tuple(claims),
        target=int(0.3 * size),
        size=size,
    )


@pytest.mark.parametrize("brief", [week_brief(entries_of(5)), month_brief()], ids=["week", "month"])
def test_every_claim_rests_on_what_it_cites(brief: Brief) -> None:
    by_id = {entry.id: entry for entry in brief.entries}
    claims = offline.write(brief).claims
    assert claims
    for claim in claims:
        assert claim.sources
        assert unsupported(claim.text, [by_id[id] for id in claim.sources]) == ()


@pytest.mark.parametrize("brief", [week_brief(entries_of(7)), month_brief()], ids=["week", "month"])
def test_no_bullet_is_longer_than_sixty_tokens(brief: Brief) -> None:
    assert max(estimate(f"- {claim.text}") for claim in offline.write(brief).claims) <= 60


@pytest.mark.parametrize(
    "text",
    [
        'Decision: Ada said "Keep it short—nobody reads the second page of a report."',
        'Blocked: "We are stuck — can you move the review to 09:30 without the board?" asks Ada.',
        "Blocked: the harbour works, since costs come in above plan and below the old estimate.",
        'Ada: "The crates are packed." The customs desk could still refuse them, so nothing moved.',
    ],
)
def test_what_the_engine_writes_of_a_line_its_verifier_takes(text: str) -> None:
    entries = parse(f"- {text}\n".encode(), label=str(MONDAY), day=MONDAY).entries
    brief = week_brief(entries, share=1.0)
    claims = offline.write(brief).claims
    assert claims
    shown = Shown.of(entries)
    assert [examine(claim, shown, extractive=True) for claim in claims] == [()] * len(claims)


def test_a_word_too_long_for_a_bullet_is_cut() -> None:
    entry = Entry("2026-04-02~0", "x" * 2000 + " deployed", day=date(2026, 4, 2))
    brief = Brief("week", "2026-W14", WEEK_SECTIONS, (entry,), target=2000, size=2000)
    claims = offline.write(brief).claims
    assert claims
    assert all(estimate(f"- {claim.text}") <= 60 for claim in claims)


def test_length_meets_the_target() -> None:
    brief = week_brief(entries_of(7), share=0.6)
    total = sum(estimate(f"- {claim.text}") for claim in offline.write(brief).claims)
    assert 0.7 * brief.target <= total <= brief.target


def test_must_keeps_survive_a_target_too_small_for_them() -> None:
    brief = week_brief(entries_of(5), share=0.01)
    cited = {id for claim in offline.write(brief).claims for id in claim.sources}
    needed = {entry.id for entry in coverage.required(brief)}
    assert len(needed) > len(brief.entries) / 4
    assert needed <= cited


def test_a_line_that_recurs_is_told_once() -> None:
    entries = tuple(
        Entry(f"2026-04-0{n}~{n}", "Decision: invoices go out on Fridays.", day=date(2026, 4, n))
        for n in range(1, 6)
    )
    claims = offline.write(week_brief(entries, share=0.9)).claims
    assert len(claims) == 1
    assert set(claims[0].sources) == {entry.id for entry in entries}


def test_a_change_of_value_is_told_again() -> None:
    entries = tuple(
        Entry(
            f"2026-04-0{n}~{n}", f"Decision: the fee is {n * 10} dollars now.", day=date(2026, 4, n)
        )
        for n in (1, 3)
    )
    text = " ".join(claim.text for claim in offline.write(week_brief(entries, share=1.0)).claims)
    assert "10 dollars" in text
    assert "30 dollars" in text


def test_bullets_read_alone() -> None:
    brief = week_brief(entries_of(3), share=0.9)
    text = "\n".join(claim.text for claim in offline.write(brief).claims)
    assert "2026: " in text
    for debris in ("**", "](", "09:10", "Yesterday", "yesterday"):
        assert debris not in text
    assert "wiki (https://wiki.example.com/rows)" in text


def test_sections_come_in_order_and_by_day_within() -> None:
    claims = offline.write(week_brief(entries_of(5), share=0.6)).claims
    rank = {section: n for n, section in enumerate(WEEK_SECTIONS)}
    places = [(rank[claim.section], claim.sources[0][:10]) for claim in claims]
    assert places == sorted(places)
    assert {"Key Outcomes", "Decisions", "Blockers & Open Items"} <= {c.section for c in claims}


def test_combined_style_uses_its_own_sections() -> None:
    brief = week_brief(entries_of(3))
    combined = Brief("week", "2026-W14", COMBINED_SECTIONS, brief.entries, target=400, size=900)
    found = {claim.section for claim in offline.write(combined).claims}
    assert found <= set(COMBINED_SECTIONS)
    assert "Key Decisions" in found


def test_the_month_carries_forward_only_what_is_still_open() -> None:
    def told(day: int, text: str) -> Entry:
        return Entry(f"2026-04-{day:02}~{day:012}", text, day=date(2026, 4, day))

    entries = (
        told(1, "Blocked: the Sablehurst sandbox credentials are missing."),
        told(2, "Blocked: Legal has not answered on the Varnholt agreement."),
        told(20, "The Sablehurst sandbox credentials arrived, the blocker is resolved."),
    )
    brief = Brief("month", "2026-04", MONTH_SECTIONS, entries, target=300, size=900)
    carried = [c.text for c in offline.write(brief).claims if c.section == "Carried Forward"]
    assert any("Varnholt" in text for text in carried)
    assert not any("Sablehurst" in text for text in carried)


def test_a_value_that_changed_is_told_with_old_and_new() -> None:
    def told(day: int, value: str) -> Entry:
        text = f"Quote latency on the portal stands at {value} ms."
        return Entry(f"2026-04-{day:02}~{day:012}", text, day=date(2026, 4, day))

    entries = (told(1, "910"), told(9, "870"), told(23, "640"))
    brief = Brief("month", "2026-04", MONTH_SECTIONS, entries, target=400, size=1000)
    claims = [c for c in offline.write(brief).claims if c.section == "Trajectory"]
    assert [c for c in claims if "from 910" in c.text and "to 640" in c.text]
    assert {claims[0].sources[0], claims[0].sources[1]} == {entries[0].id, entries[2].id}


def told(text: str, day: int = 2, number: int = 1, heading: str = "") -> Entry:
    headings = (heading,) if heading else ()
    return Entry(f"2026-04-{day:02}~{number:012}", text, headings, day=date(2026, 4, day))


def week_texts(*entries: Entry) -> list[str]:
    brief = Brief("week", "2026-W14", WEEK_SECTIONS, entries, target=900, size=3000)
    return [claim.text for claim in offline.write(brief).claims]


def test_each_speaker_keeps_the_words_that_are_theirs() -> None:
    text = (
        'Bea: "Ship the harbour build at noon. The tariff rows can wait for Monday." '
        'Colm: "Count every tariff row first. Then we talk about harbour builds."'
    )
    joined = " ".join(week_texts(told(text)))
    for words, speaker in (
        ("Ship the harbour build", "Bea"),
        ("The tariff rows can wait", "Bea"),
        ("Count every tariff row", "Colm"),
        ("Then we talk about harbour", "Colm"),
    ):
        before = joined[: joined.index(words)]
        assert max(("Bea", "Colm"), key=lambda name: before.rfind(f"{name}:")) == speaker


def talk(*turns: str) -> list[Unit]:
    return units_of([told(text, number=number) for number, text in enumerate(turns, 1)])


def test_an_answer_is_worth_more_than_what_is_said_unasked() -> None:
    asked = talk("Bea: Where did you park the van?", "Colm: The van stands behind the mill.")
    unasked = talk("Bea: Park the van well.", "Colm: The van stands behind the mill.")
    assert asked[-1].worth > unasked[-1].worth
    own = talk("Colm: Where did I park it?", "Colm: The van stands behind the mill.")
    assert own[-1].worth == unasked[-1].worth


def test_a_note_in_brackets_is_worth_less_than_what_was_said() -> None:
    said, note = talk("Bea: We moored at the old pier. [photo of a heron on a wooden post]")
    assert "heron" in note.text
    assert note.worth < said.worth


def test_talk_fills_no_section_unless_it_states_something_outright() -> None:
    units = talk("Bea: We decided to sell the mill.", "Colm: Tests pass on my side.")
    assert cues.judge("Tests pass on my side.", "", ())[0] == cues.OUTCOMES
    assert [unit.section for unit in units if unit.must] == [cues.DECISIONS]
    assert {unit.section for unit in units if not unit.must} == {cues.CONTEXT}


def test_a_greeting_is_no_sentence_but_what_follows_it_is() -> None:
    units = talk("Ana: Hey Ben! Thanks, Ben. The lease for the hall on Elm Street is signed.")
    assert [unit.text for unit in units] == ["The lease for the hall on Elm Street is signed."]


def test_a_short_sentence_goes_where_a_bullet_still_has_room() -> None:
    long = (
        "the {} pier stands in deep water beside the old mill and the grey stones of the quay wall"
    )
    units = talk(
        long.format("northern"),
        f"{long.format('southern')} {'of the harbour ' * 6}",
        "the sky is grey",
    )
    bullets = Packing()(units)
    assert [len(bullet.units) for bullet in bullets] == [2, 1]
    assert bullets[0].units[1].text == "the sky is grey"


def test_words_told_apart_are_news_where_they_stand_together_within_reach() -> None:
    first, second, third, far, near = talk(*["Ada: The heron came back to the marsh."] * 5)
    first.stems, second.stems, third.stems = (
        ("heron", "marsh"),
        ("marsh", "ferry"),
        ("ferry", "lamp"),
    )
    far.stems, near.stems = ("heron", "marsh", "ferry", "lamp"), ("heron", "lamp")
    far.must = near.must = False
    units = [first, second, third, far, near]
    taste = Taste(pair=1.0, again=0.0, often=0.0)
    assert ranked(units, 1000.0, replace(taste, reach=1))[3] is near
    assert ranked(units, 1000.0, replace(taste, reach=10))[3] is far


def test_a_bullet_without_room_makes_no_other_sentence_cheaper() -> None:
    begun, beside, elsewhere = talk(
        "Ada: The quay is built of granite blocks from the quarry at Gorse.",
        "Ada: The heron nests in the old elm by the weir this spring.",
        "Ada: The heron nests in the new elm by the lock this spring.",
    )
    begun.must = True
    elsewhere.section = cues.OUTCOMES
    # Of two that tell the same, the one that costs less comes first.
    beside.stems = elsewhere.stems
    beside.tokens = elsewhere.tokens + 1
    assert ranked([begun, beside, elsewhere], 1000.0)[1] is beside
    begun.tokens = 50
    assert ranked([begun, beside, elsewhere], 1000.0)[1] is elsewhere


def test_no_sentence_has_two_labels() -> None:
    (text,) = week_texts(told('Note: Sandra Ramirez: "The depot keeps the red crates."'))
    assert text.endswith('Sandra Ramirez: "The depot keeps the red crates."')
    assert "Note" not in text


def test_what_follows_a_quotation_is_not_put_in_its_speakers_mouth() -> None:
    texts = week_texts(told('Marek: "our clock, our loss". The crane rota hangs in the office.'))
    assert [text for text in texts if "crane rota" in text and "Marek" not in text]


def test_quotations_are_whole_or_have_no_marks() -> None:
    long = "Keep the cadence tight at every depot. " + "Say what broke and who mends it. " * 6
    texts = week_texts(
        told(f'Ines: "{long}"'),
        told('He wrote "Stop it. Count again." on the board of the Hull depot.', number=2),
    )
    assert texts
    assert all(text.count('"') % 2 == 0 for text in texts)
    assert any('"Stop it. Count again."' in text for text in texts)


def test_dates_in_a_quotation_stay_as_they_were_said() -> None:
    (text,) = week_texts(told('Yesterday Ines wrote "we ship tomorrow" to the Hull depot.'))
    assert '"we ship tomorrow"' in text
    assert "esterday" not in text


def test_a_sentence_that_leans_on_another_is_told_with_it() -> None:
    texts = week_texts(told("The Varnholt desk opened a new gate. It closes at 18:00."))
    assert texts == ["2 Apr 2026: The Varnholt desk opened a new gate. It closes at 18:00"]


def test_lines_that_share_no_matter_are_bullets_of_their_own() -> None:
    texts = week_texts(
        told("Repaired the pump in hall 2 with a new seal.", number=1),
        told("Signed the lease for the depot in Lund.", number=2),
        told("The pump in hall 2 delivered 40 litres a minute after the test.", number=3),
    )
    assert not any("pump" in text and "lease" in text for text in texts)


def test_lines_under_a_heading_that_names_one_matter_may_share_a_bullet() -> None:
    texts = week_texts(
        told("Replaced the seal of pump 3 at 10:40.", number=1, heading="Leaking pump"),
        told("Delivered 40 litres a minute.", number=2, heading="Leaking pump"),
    )
    assert len(texts) == 1


LABELLED = (
    "Decision: the ferry sails on Sundays too. Decision: dogs travel free until autumn.\n"
    "Blocked: the winter timetable, no reply from the harbour office.\n"
    "Open: who paints the pier.\nOpen: a price for bicycles."
)


def test_each_labelled_line_of_a_paragraph_is_told_in_its_section() -> None:
    claims = offline.write(week_brief((told(" ".join(LABELLED.split())),), share=1.0)).claims
    assert [(claim.section, claim.text[12:]) for claim in claims] == [
        (cues.DECISIONS, "The ferry sails on Sundays too"),
        (cues.DECISIONS, "Dogs travel free until autumn"),
        (cues.OPEN, "The winter timetable, no reply from the harbour office"),
        (cues.OPEN, "Who paints the pier"),
        (cues.OPEN, "A price for bicycles"),
    ]


def test_a_paragraph_of_labelled_lines_is_covered_by_its_lines() -> None:
    brief = week_brief((told(" ".join(LABELLED.split())),), share=1.0)
    claims = offline.write(brief).claims
    assert coverage.coverage(brief, claims) == 1.0
    assert coverage.coverage(brief, claims[:1]) == pytest.approx(0.2)
    put_back = coverage.top_up(brief, claims[:1])
    assert sorted(claim.text for claim in put_back) == sorted(claim.text for claim in claims)


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (
            "The form sent two mails for each order. Carla fixed it by noon, change #88.",
            "for each order. Carla fixed it by noon",
        ),
        (
            "The probe touched the wall of the oven. Solved with a longer bracket.",
            "the wall of the oven. Solved with a longer bracket",
        ),
        (
            "Decision: the fair is dropped. Bea: the growers need us more.",
            "The fair is dropped. Bea: the growers need us more",
        ),
        (
            'Decision: the fair is dropped. Bea: "The growers need us more."',
            'The fair is dropped. Bea: "The growers need us more."',
        ),
    ],
)
def test_noun_object_and_reason_stay_with_their_sentence(text: str, whole: str) -> None:
    assert any(whole in f"{unit.label}{unit.text}" for unit in units_of([told(text)]))


def test_a_line_that_begins_with_a_pronoun_is_told_with_the_line_before_it() -> None:
    first, second = (
        told("Ran the import for the 40 members of the choir.", number=1),
        told("It failed at row 12 with a time-out.", number=2),
    )
    (claim,) = offline.write(week_brief((first, second), share=1.0)).claims
    assert "choir. It failed at row 12" in claim.text
    assert set(claim.sources) == {first.id, second.id}


def test_a_cause_on_a_line_of_its_own_is_told_with_what_it_explains() -> None:
    texts = week_texts(
        told("The gate failed for 54 pupils at 08:10.", number=1),
        told("Cause: a card type that the reader does not know.", number=2),
    )
    assert texts == [
        "2 Apr 2026: The gate failed for 54 pupils at 08:10. Cause: a card type that the reader does not know"
    ]


def test_the_end_of_a_long_sentence_is_no_bullet_of_its_own() -> None:
    long = "Added rye, oats and barley to the list of exempt grains in `config/grains.toml`, release 4.2.1 out"
    text = f"{long} at 15:20, Bea approved the refund of 90 euros by phone this morning, so no need next time."
    *_, last = units_of([told(text)])
    assert last.text.startswith("so no need")
    assert last.leans
    assert not last.must


def test_a_row_with_an_hour_is_told_by_what_happened() -> None:
    row = replace(
        told("| 09:10 | pump 2 replaced | done |"), kind="row", lead="| Time | What | State |"
    )
    (text,) = week_texts(row)
    assert text.endswith("2026: Pump 2 replaced - State: done")


def test_what_is_done_every_day_is_no_outcome_but_a_value_read_every_day_may_be() -> None:
    chore = [
        told(f"Printed the list for the night, {20 + n} names.", day=n, number=n)
        for n in range(2, 6)
    ]
    value = [told(f"The yield reached {70 + n} kilos.", day=n, number=10 + n) for n in range(2, 6)]
    brief = week_brief((*chore, *value))
    needed = {entry.id for entry in coverage.required(brief)}
    assert needed == {entry.id for entry in value}
    outcomes = [c.text for c in offline.write(brief).claims if c.section == cues.OUTCOMES]
    assert not any("Printed" in text for text in outcomes)


def test_no_stop_follows_a_colon() -> None:
    texts = week_texts(told("The crew kept the rota as follows: "), told("Sandra leads.", number=2))
    assert not [text for text in texts if ":." in text or ":;" in text or text.endswith(":")]


def test_a_theme_over_several_weeks_names_them() -> None:
    entries = (
        told("Varnholt sent the first tariff sheet with 40 rows.", 1, 1, "Varnholt papers"),
        told(
            "Varnholt sent a second sheet, 55 rows, all of them signed.", 14, 2, "Varnholt papers"
        ),
    )
    brief = Brief("month", "2026-04", MONTH_SECTIONS, entries, target=300, size=900)
    (claim,) = offline.write(brief).claims
    assert claim.section == "Themes"
    assert (
        claim.text.startswith("Varnholt papers (2026-W14 and 2026-W16): 1 Apr - ")
        and ". 14 Apr - " in claim.text
    )
    assert set(claim.sources) == {entry.id for entry in entries}


@pytest.mark.parametrize("text", ["None.", "No unresolved asks from this exchange."])
def test_nothing_open_is_not_carried_forward(text: str) -> None:
    entry = Entry("2026-04-02~000000000001", text, lead="Open items:", day=date(2026, 4, 2))
    brief = Brief("month", "2026-04", MONTH_SECTIONS, (entry,), target=300, size=900)
    assert "Carried Forward" not in {claim.section for claim in offline.write(brief).claims}


def typed(text: str, *known: TypedMemory) -> tuple[TypedMemory, ...]:
    entry = Entry("2026-04-02~000000000001", text, day=date(2026, 4, 2))
    return offline.write(Brief("typed", "2026-W14", entries=(entry,), memories=known)).memories


def test_a_preference_becomes_a_user_memory_with_its_reason() -> None:
    (memory,) = typed("Marta prefers short summaries, because she reads them on the train.")
    assert (memory.type, memory.why) == ("user", "She reads them on the train.")
    assert memory.updated == "2026-04-02"
    assert memory.topic.replace("-", "").isalnum()


def test_a_correction_becomes_feedback() -> None:
    (memory,) = typed("Ines corrected me: never restart the broker alone.")
    assert memory.type == "feedback"


def test_an_address_becomes_a_reference() -> None:
    (memory,) = typed("The bookings dashboard is at https://dash.example.com/bookings.")
    assert memory.type == "reference"


def test_relative_dates_of_a_memory_are_made_whole() -> None:
    (memory,) = typed("Decision: the portal launches on 2026-05-04, not tomorrow.")
    assert "2026-05-04" in memory.statement
    assert "tomorrow" not in memory.statement


def test_status_and_small_talk_leave_no_memory() -> None:
    assert typed("Health check fine, no change. Had lunch. The build took 4 minutes.") == ()


@pytest.mark.parametrize(
    "text",
    [
        "No deploy on 2026-02-13, it is a holiday.",
        "I compared what was sent, and never what stayed behind.",
        "I kept the briefing at 6:30 AM as the standing rule.",
        "The crew has not signed, so we may not call their tariff desk.",
        "Lena wants to replace it before noon.",
    ],
)
def test_events_and_things_of_one_day_leave_no_memory(text: str) -> None:
    assert typed(text) == ()


def test_a_reason_stands_under_why_and_not_under_how() -> None:
    (memory,) = typed(
        "Priya corrected me: never run a backfill alone, because a double insert goes unseen. "
        "It broke two audits. Count the rows first."
    )
    assert memory.why == "A double insert goes unseen."
    assert memory.how == "Count the rows first."


def test_names_end_at_a_clause_and_slugs_have_no_year() -> None:
    (memory,) = typed(
        "Lena corrected me: do not call a screen done before it has been walked through, "
        "as agreed for 2026, with the keyboard alone."
    )
    assert memory.name == "Do not call a screen done before it has been walked through"
    assert "2026" not in memory.topic


def test_he_and_she_become_the_one_person_who_can_be_meant() -> None:
    (memory,) = typed("Tomasz had words about the test. He corrected me: never re-run it blindly.")
    assert memory.statement.startswith("Tomasz corrected me")


def test_a_long_log_gives_a_bounded_number_of_memories() -> None:
    goods = [
        "anchor",
        "barrel",
        "copper",
        "dynamo",
        "engine",
        "funnel",
        "gasket",
        "hopper",
        "inlet",
        "jacket",
        "kettle",
        "ladder",
    ]
    rules = [f"Never lift the {a} beside the {b} crane." for a in goods for b in goods if a != b]
    entries = tuple(told(rule, 2, n) for n, rule in enumerate(rules))
    memories = offline.write(Brief("typed", "2026-W14", entries=entries)).memories
    assert 0 < len(memories) <= 12


def test_what_is_recorded_already_is_not_recorded_again() -> None:
    (memory,) = typed("Marta prefers short summaries, because she reads them on the train.")
    assert typed("Marta prefers short summaries.", memory) == ()


@pytest.mark.parametrize(
    "text",
    [
        'Marta: "Please never quote a price before the survey is done."',
        '"We always weigh the crates twice", Ole reminded the new driver.',
        "Ole reminded us that we do not park in the loading bay.",
        'I had written "clients". Marta: "We say members, not clients."',
        'Marta corrected my letter: "No abbreviations in anything we sign."',
        "Lesson: a spare part counts only once it has been fitted and tried.",
        "Takeaway: walk the route before the trucks leave.",
        'Ole: "Nobody opens a hatch alone."',
        "Marta asked that receipts be filed on the day they come in.",
        "Any crate without a seal goes back to the dock.",
        "If a seal is broken, we call the insurer before we unload.",
        "Diesel is never stored beside the paint.",
        "No visitors on the ramp, says Ole.",
        "For the next audit we should print the logs first.",
        "Don't sign for a delivery before the seal has been read.",
    ],
)
def test_a_rule_in_ordinary_words_becomes_feedback(text: str) -> None:
    assert [memory.type for memory in typed(text)] == ["feedback"]


@pytest.mark.parametrize(
    "text",
    [
        "We never heard back from the harbour office.",
        "I must not forget to buy stamps.",
        "Don't forget the crane inspection on Monday.",
        "The night shift always leaves the lights on.",
        'Ole: "It\'s the pump, not the valve."',
        'Marta wrote: "Please send me the slides today."',
        "We should never have rented the second crane.",
        "Put the forklift back, since it had been in the way.",
        "Marta wants results to be back by Monday.",
        "[ ] never mind the hatch, ask Ole for the key of every shed",
        "The fault is in `crane/motor.py`, line 12.",
        "Broken build: https://ci.example.com/b/81",
        "Wrote the weights to `out/weights.csv`.",
    ],
)
def test_what_was_seen_or_asked_once_leaves_no_memory(text: str) -> None:
    assert typed(text) == ()


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Dashboard for the cranes: https://dash.example.com/d/cranes", "dashboard-cranes"),
        ("The berth plan is kept in `plans/berths.ods`; only Ole edits it.", "berth"),
        ("Ole moved the berth plan to `plans/2026/berths.csv`.", "berth"),
        ("Marta and I wrote the storm checklist, `docs/storm.md`.", "storm-checklist"),
        ("Hotline of the tug company: +49 40 5550 1234", "hotline-tug"),
    ],
)
def test_the_place_of_a_thing_becomes_a_reference_named_after_it(text: str, topic: str) -> None:
    (memory,) = typed(text)
    assert memory.type == "reference"
    assert memory.topic.startswith(topic)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("We never use the east gate; it floods.", "It floods."),
        (
            'Ole said: "Please don\'t stack crates by the door, ever. It is a fire exit."',
            "It is a fire exit.",
        ),
        (
            "Marta likes notes as plain text, her reader is old.",
            "Her reader is old.",
        ),
        (
            "Decision: the night ferry is dropped. Marta: the crews need their sleep more.",
            "Marta: the crews need their sleep more.",
        ),
        (
            "Wear the red vest on deck. Reason: the crane driver sees it.",
            "The crane driver sees it.",
        ),
        ('Marta: "Ole, we always count the ropes." He will.', ""),
        ("Ole Brandt joined as lead of the docks; his desk is in the tower.", ""),
    ],
)
def test_the_reason_is_taken_from_the_clause_or_sentence_beside(text: str, why: str) -> None:
    (memory,) = typed(text)
    assert memory.why == why


def test_who_said_a_rule_stays_with_it() -> None:
    (memory,) = typed('Marta asked how I send her the tides: "I want metres, never feet."')
    assert memory.statement.startswith("Marta asked")


def test_decisions_on_lines_of_one_paragraph_are_two_memories() -> None:
    first, second = typed(
        "Decision: we keep the old tug.\nDecision: the ramp is closed on Sundays."
    )
    assert "ramp" not in first.statement
    assert second.statement == "The ramp is closed on Sundays."


def item(n: int, text: str, type_: str | None = "feedback") -> Item:
    return Item(f"m{n}", text, (f"2026-04-0{n}~{n:012}",), "file", type_, text[:30])  # type: ignore[arg-type]


def wisdom(items: tuple[Item, ...], *now: WisdomEntry, cap: int = 20) -> dict[str, str]:
    brief = Brief("wisdom", "all", items=items, wisdom=now, max_entries=cap)
    decisions = offline.write(brief).decisions
    assert [decision.item for decision in decisions] == [one.id for one in items]
    assert all(decision.reason for decision in decisions)
    return {decision.item: decision.verb for decision in decisions}


def test_rules_are_added_and_history_is_dropped() -> None:
    verbs = wisdom(
        (
            item(1, "Never restart the broker alone. Why: a restart drops manifests."),
            item(2, "In April the portal had 118 bookings.", None),
            item(3, "The dashboard is at https://dash.example.com/b.", "reference"),
        )
    )
    assert verbs == {"m1": "ADD", "m2": "DROP", "m3": "DROP"}


def test_posts_and_decisions_of_one_day_do_not_become_wisdom() -> None:
    verbs = wisdom(
        (
            item(1, "Tomasz is the owner of billing: every invoice needs his review.", "user"),
            item(2, "Release 5.0.1 goes out on 2026-03-04. Why: the page is blank.", "project"),
            item(3, "No schema changes on the last two working days of a month.", "feedback"),
        )
    )
    assert verbs == {"m1": "DROP", "m2": "DROP", "m3": "ADD"}


def test_two_that_say_the_same_become_one() -> None:
    rule = "Never restart the broker alone, because a restart drops manifests."
    verbs = wisdom((item(1, rule), item(2, rule)))
    assert sorted(verbs.values()) == ["ADD", "MERGE"]


def test_wisdom_never_outgrows_its_cap() -> None:
    words = ["anchor", "barrel", "copper", "dynamo", "engine", "funnel"]
    items = tuple(item(n, f"Never touch the {word} {word}s.") for n, word in enumerate(words, 1))
    verbs = wisdom(items, cap=3)
    assert list(verbs.values()).count("ADD") == 3


def test_wisdom_bears_the_name_of_its_memory() -> None:
    rule = item(1, 'Ole: "Please never release mooring ropes before the pilot waves."')
    named = rule._replace(title="Never release mooring ropes before the pilot waves")
    for one in (named, rule._replace(title="")):
        (decision,) = offline.write(Brief("wisdom", "all", items=(one,), max_entries=20)).decisions
        assert decision.entry is not None
        assert decision.entry.title == "Never release mooring ropes before the pilot waves"


def test_a_decision_on_all_things_of_a_kind_becomes_wisdom() -> None:
    text = "Photos of crews are deleted after a month. Why: nobody asked the crews."
    assert wisdom((item(1, text, "project"),)) == {"m1": "ADD"}


def test_the_same_brief_gives_the_same_words_under_any_hash_seed() -> None:
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "import test_offline as t; from lithify.engines import offline;"
        "print(offline.write(t.month_brief(2))); print(offline.write(t.week_brief(t.entries_of(5))))"
    )
    outputs = set()
    for seed in ("0", "1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", script, os.path.dirname(__file__)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1


def test_other_languages_keep_their_text() -> None:
    text = "Die Disponenten wollen die Abholzeit in Ortszeit sehen."
    entry = Entry("2026-04-02~000000000001", text, day=date(2026, 4, 2))
    brief = Brief("week", "2026-W14", WEEK_SECTIONS, (entry,), target=60, size=60)
    assert "Abholzeit in Ortszeit" in offline.write(brief).claims[0].text


def test_nothing_in_gives_nothing_out() -> None:
    for tier in ("week", "month", "typed", "wisdom"):
        draft = offline.write(Brief(tier, "x"))
        assert (draft.claims, draft.memories, draft.decisions) == ((), (), ())


def test_a_topic_in_another_script_has_a_file_of_its_own() -> None:
    assert typed("Amélie prefers to be asked in French, always in writing.")[0].topic.startswith(
        "amelie"
    )


def test_a_rule_told_beside_what_happened_on_a_day_is_still_a_rule() -> None:
    (memory,) = typed("Never paint the hull in the rain; it cost us nine hours today.")
    assert memory.type == "feedback"
    assert memory.statement.startswith("Never paint the hull in the rain")


@pytest.mark.parametrize("heading", ["Thursday 12 Feb", "Thu 5 Feb 2026", "Tues, 3 Sept", "12 Feb"])
def test_a_heading_that_is_a_date_is_no_subject(heading: str) -> None:
    assert subject_of((heading,)) == ("", frozenset())


def test_what_the_writer_did_about_a_rule_is_not_its_reason() -> None:
    rule = "From now on dots everywhere in the lists and labels."
    assert explains("The lists with slashes break the import of the labels.", rule)
    assert not explains("I changed all the lists and labels by hand.", rule)


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("Note: the mooring papers are in the blue binder on Tove's shelf.", "the mooring papers"),
        ("The spare winch key lives in the grey cabinet.", "The spare winch key"),
        ("The parcel is in the cupboard.", ""),
        ("The rollout is in a safe state.", ""),
    ],
)
def test_a_place_in_a_room_is_told_of_what_is_fetched_from_there(text: str, thing: str) -> None:
    assert thing_of(text) == thing
