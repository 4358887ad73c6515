from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta

import pytest

from lithify import cues
from lithify.engines import offline
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


@pytest.mark.parametrize("heading", ["Thursday 12 Feb", "Thu 5 Feb 2026", "Tues, 3 Sept", "12 Feb"])
def test_a_heading_that_is_a_date_is_no_subject(heading: str) -> None:
    assert subject_of((heading,)) == ("", frozenset())
