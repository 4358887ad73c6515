from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from lithify import Memory, cues
from lithify.engines import offline
from lithify.engines.offline.matters.counts import counts_of
from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.still import is_listed
from lithify.engines.offline.page import bullets
from lithify.engines.offline.page.bullets import cost_of, in_a_row, stopped, subject_for
from lithify.engines.offline.page.passages import in_passages, with_openings
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.leaning import is_over
from lithify.engines.offline.reading.text import split, strip_marks
from lithify.engines.offline.reading.units import units_of
from lithify.markdown.parse import parse
from lithify.text.tokens import estimate
from lithify.values import SHORT_INPUT, WEEK_SECTIONS, Brief, Claim, Entry
from lithify.verify import coverage

OUTCOMES, DECISIONS, OPEN, CONTEXT = WEEK_SECTIONS
MONDAY = date(2026, 5, 4)


def week_of(*days: str) -> tuple[Entry, ...]:
    """The entries of some days from Monday on, each given as the text of its file."""
    found: list[Entry] = []
    for n, text in enumerate(days):
        day = MONDAY + timedelta(days=n)
        found += parse(text.encode(), label=day.isoformat(), day=day).entries
    return tuple(found)


def brief_of(*days: str, share: float = 0.3) -> Brief:
    entries = week_of(*days)
    size = sum(estimate(entry.text) + 2 for entry in entries)
    return Brief(
        "week",
        "2026-W19",
        sections=WEEK_SECTIONS,
        entries=entries,
        target=int(share * size),
        size=size,
    )


def written(*days: str, share: float = 0.3) -> tuple[Claim, ...]:
    return offline.write(brief_of(*days, share=share)).claims


def told_in(section: str, claims: tuple[Claim, ...]) -> list[str]:
    return [claim.text for claim in claims if claim.section == section]


def test_bold_words_over_a_paragraph_are_the_subject_of_its_sentences() -> None:
    (text,) = [
        claim.text
        for claim in written("**Kiln two.** The lining cracked in the night. Nobody knows why.")
        if "why" in claim.text
    ]
    assert "Kiln two" in text
    assert "Kiln two. " not in text


def test_bold_words_that_begin_a_sentence_stay_in_it() -> None:
    (unit,) = units_of(week_of("**Marta** repaired the loom in hall 3."))
    assert unit.text.startswith("Marta repaired")
    assert unit.place == ()


def test_bold_words_that_say_something_of_a_thing_are_a_sentence() -> None:
    text = '**Fair opens: Friday 8 May.** Marta: "two weeks, no rush".'
    assert any("Fair opens: Friday 8 May" in claim.text for claim in written(text, share=0.9))


def test_a_subject_keeps_the_words_of_its_heading_in_their_order() -> None:
    for heading, subject in (
        ("Session 1 - stocktaking with Marta (09:40-11:55)", "stocktaking with Marta"),
        ("Cold store (bay 4)", "Cold store (bay 4)"),
        ("Alarm: cold store too warm", "Alarm - cold store too warm"),
        ("Plan (Marta, Olaf, Henrike)", "Marta, Olaf, Henrike"),
    ):
        assert subject_of((heading,))[0] == subject


def test_a_title_that_tells_its_day_is_no_subject() -> None:
    assert subject_of(("Tue 5 May - inventory day",)) == ("", frozenset())
    assert subject_of(("2026-05-05 stocktaking", "Cold store"))[0] == "Cold store"
    assert subject_of(("Cold store",))[0] == "Cold store"


def test_a_label_on_a_later_sentence_is_told_with_its_fact() -> None:
    claims = written(
        "- Fix: the inlet valve now opens at two bar and not at five. Merged as PR 81."
    )
    (text,) = told_in(OUTCOMES, claims)
    assert "two bar" in text
    assert "PR 81" in text


def test_a_curt_statement_is_told_with_what_its_entry_begins_with() -> None:
    claims = written(
        "- The oven of the canteen went out at 11:20, second time. Don't know the cause."
    )
    (text,) = told_in(OPEN, claims)
    assert "oven" in text
    assert "cause" in text


def test_a_curt_rule_is_told_with_its_reason_and_nothing_is_put_back_for_it() -> None:
    rule = "- Do not weld on Sundays. The fire watch of the old town has nobody on duty then."
    talk = "- The wind came from the west all day and the yard smelled of rain and diesel."
    brief = brief_of(rule, *([talk * 6] * 3))
    claims = offline.write(brief).claims
    (text,) = [claim.text for claim in claims if "weld" in claim.text]
    assert "fire watch" in text
    assert coverage.top_up(brief, claims) == claims


def test_an_opening_is_not_put_in_another_speakers_mouth() -> None:
    claims = written('- Rana: "no lids on the vats". Decided to weigh each vat twice a day.')
    assert not [c for c in claims if "Rana" in c.text and "Decided" in c.text]


def test_sentences_made_one_stand_in_the_order_in_which_they_were_said() -> None:
    text = (
        "- Ida walked through the plant with the new fitter. The gate 7 pump stands in Turku since "
        "last winter. Ola read the letter of the clerk in the hall and sent it on."
    )
    first, second, third = units_of(week_of(text))
    opened = with_openings([first, replace(second, must=False), replace(third, must=True)])
    assert "fitter. Ola" in opened[0].text and "Turku" in opened[1].text
    (whole,) = in_passages(opened)
    assert whole.text.index("fitter") < whole.text.index("Turku") < whole.text.index("Ola")


def test_openings_that_are_no_need_are_told_while_there_is_room() -> None:
    text = (
        "- Ida walked through the plant with the new fitter. The gate 7 pump was shipped to Turku, "
        "paid and insured, on the noon boat."
    )
    units = units_of(week_of(text))
    (wide,) = with_openings(units, most=1000)
    assert "fitter" in wide.text
    assert "Turku" in wide.text
    # Nothing is left once what may not be lost has filled the page; a week leaves them to compete.
    assert [unit.text for unit in with_openings(units, 10)] == [unit.text for unit in units]
    assert [unit.text for unit in with_openings(units)] == [unit.text for unit in units]


def test_of_counts_out_of_one_whole_the_last_is_kept() -> None:
    days = ("- Meters: 4 of 30", "- Meters: 11 of 30", "- Meters: 19 of 30, hall B next")
    counts = counts_of(week_of(*days))
    ids = [entry.id for entry in week_of(*days)]
    assert counts.last == {ids[2]}
    assert counts.overtaken == {ids[0], ids[1]}
    assert "19 of 30" in " ".join(told_in(OUTCOMES, written(*days)))
    (kept,) = coverage.required(brief_of(*days))
    assert kept.id == ids[2]


def test_counts_of_other_wholes_or_things_do_not_overtake_each_other() -> None:
    days = ("- Meters: 4 of 30\n- Valves: 2 of 30", "- Meters: 9 of 30", "- Pipes: 9 of 12")
    counts = counts_of(week_of(*days))
    assert len(counts.last) == len(counts.overtaken) == 1


def test_a_count_that_never_changes_is_a_check_and_not_kept() -> None:
    counts = counts_of(week_of(*["- Gauges answering: 12 of 12"] * 4))
    assert not counts.last
    assert not counts.overtaken


def test_a_lead_in_of_several_sentences_is_told_but_for_the_last() -> None:
    text = "The depot contract is withdrawn. We decided to store the crates at home. Reasons:\n\n- rent\n"
    entries = week_of(text)
    assert entries[0].kind == "lead"
    assert cues.must_keep(entries[0])
    said = " ".join(unit.text for unit in units_of(entries))
    assert "depot contract" in said
    assert "Reasons" not in said
    assert not cues.must_keep(Entry("x", "What follows:", (), kind="lead"))


def test_one_end_settles_every_item_it_ends() -> None:
    claims = written(
        "- [ ] get the key of the cold store from Halvorsen\n"
        "- Blocked: cannot count the crates without the key of the cold store, asked Halvorsen.",
        "- Halvorsen answered and brought the key of the cold store, so the crates could be counted.",
    )
    assert told_in(OPEN, claims) == []


@pytest.mark.parametrize(
    ("item", "end"),
    [
        (
            "Asked Bertil for the remaining diesel budget.",
            "Bertil Hauge: the diesel budget is 900.",
        ),
        (
            "Ask the town hall again about the mooring permit.",
            "The town hall wrote: mooring permit next.",
        ),
        ("[ ] measure the sag of the north awning", "The north awning measured: 4 cm of sag."),
        (
            "Ole thinks the drain by the slipway is blocked.",
            "Drain by the slipway is clean, so not that.",
        ),
    ],
)
def test_what_was_asked_or_to_be_looked_at_ends_with_its_answer(item: str, end: str) -> None:
    units = units_of(week_of(f"- {item}", f"- {end}"))
    assert units[0].section == OPEN
    assert settlements(units)[0].at == 1


def test_a_choice_left_open_ends_with_the_decision_under_its_heading() -> None:
    days = (
        "## Berth\n- No decision until Solveig is back.",
        "Decision: the berth goes to the pilot boat; Solveig chose.",
    )
    units = units_of(week_of(*days))
    assert settlements(units)[0].at == 1


def test_things_of_one_kind_with_other_numbers_are_two() -> None:
    units = units_of(
        week_of(
            "- K-12 lost its battery cover and needs a new clamp from the store.",
            "- K-17 got its battery cover and a new clamp from the store, works again.",
        )
    )
    assert 0 not in settlements(units)


@pytest.mark.parametrize(
    ("sentence", "over"),
    [
        ("The belt was jammed by a crate at 10:15, cleared at 10:21.", True),
        ("Lost an hour to a dead modem; a restart helped.", True),
        ("The belt was jammed by a crate, still not cleared.", False),
        ("Waiting for the fitter, who has confirmed.", False),
        ("The belt was jammed by a crate at 10:15.", False),
    ],
)
def test_a_trouble_told_with_its_end_is_over(sentence: str, over: bool) -> None:
    assert is_over(sentence) is over


def test_what_looks_like_a_tag_in_code_stays() -> None:
    text = strip_marks("Files land in `/store/<site>/<day>/` and <b>nowhere</b> else.")
    assert "`/store/<site>/<day>/`" in text
    assert "<b>" not in text


def test_a_pointer_to_another_place_of_the_page_is_left_out() -> None:
    (unit, *_) = units_of(week_of("- The gauge failed twice and then once more, see above."))
    assert "above" not in unit.text


def test_a_time_in_a_label_is_made_absolute() -> None:
    texts = [
        claim.text for claim in written("**Done today:** Ngaio set the clock by hand at 11:40.")
    ]
    assert texts
    assert not [text for text in texts if "today" in text]


def test_half_a_bracket_is_not_told() -> None:
    sentence = (
        "Decided with the harbour master to shut the outer gates at eight instead of ten on all quays "
        "with a night watch of their own and a lamp on the mole (quay 4, quay 9, quay 12, quay 17, quay 21)."
    )
    for unit in units_of(week_of(f"- {sentence}")):
        assert unit.text.count("(") == unit.text.count(")")


def test_a_heading_that_says_what_the_section_says_is_no_subject() -> None:
    assert subject_of(("Waiting",)) == ("", frozenset())
    (text,) = told_in(OPEN, written("## Waiting\n- Slate: the quarry has not answered."))
    assert "Waiting" not in text


def test_what_was_open_and_came_about_is_an_outcome() -> None:
    claims = written(
        "- Asked Bertil for the remaining diesel budget.",
        "- Bertil Hauge: the diesel budget is 900.",
    )
    assert told_in(OPEN, claims) == told_in(CONTEXT, claims) == []
    assert "900" in " ".join(told_in(OUTCOMES, claims))


def test_the_sentences_of_an_entry_are_chosen_in_passages() -> None:
    said = "The kiln ran at 940 degrees for nine hours. Olaf came with bread at dawn"
    units = units_of(week_of(f"- {said}.\n- Marta swept.\n"))
    assert [unit.text for unit in in_passages(units)] == [said, "Marta swept."]
    # What was decided and what is left to do stand in sections of their own where neither may be
    # lost; what is asked is told with what is said then.
    first, second, third = units
    sure = [replace(first, section=cues.DECISIONS, must=True), replace(second, must=True)]
    sure[1].section = cues.OPEN
    assert in_passages([*sure, third]) == [*sure, third]
    asked = replace(first, text=f"{first.text.rstrip('.')}?")
    assert (
        in_passages([asked, second, third])[0].text == f"{asked.text} Olaf came with bread at dawn"
    )


def test_a_passage_stands_where_it_ends_unless_it_may_not_be_lost() -> None:
    text = (
        "- The kiln ran at 940 degrees. Olaf came with bread at dawn. Marta swept the whole yard.\n"
    )
    ran, came, swept = units_of(week_of(text))
    ran, came, swept = (
        replace(unit, section=one)
        for unit, one in zip(
            (ran, came, swept), (cues.OUTCOMES, cues.OPEN, cues.CONTEXT), strict=True
        )
    )
    (left,) = in_passages([ran, came, swept])
    assert (left.section, left.must) == (cues.OPEN, False)
    (kept,) = in_passages([replace(ran, must=True), came, swept])
    assert (kept.section, kept.must) == (cues.OUTCOMES, True)


def test_a_statement_stays_in_its_place_among_the_sentences_around_it() -> None:
    said = (
        "The boat left with Ola at the helm and no wind. The ropes lay in the hold all winter long, wet "
        "and cold, and the mice had been at most of them before spring. Decided to buy new ropes"
    )
    (claim,) = written(f"{said}.", share=1.0)
    assert (claim.section, claim.text) == (DECISIONS, f"4 May 2026: {said}")


def test_a_part_of_a_long_sentence_is_told_without_what_ties_it_to_the_rest() -> None:
    (unit,) = units_of(week_of("## Stove\n- Tearing the tiles out would cost a wall.\n"))
    cut = replace(unit, text="and tearing the tiles out would cost a wall.")
    told = bullets.written(bullets.Bullet(CONTEXT, [cut]))
    assert told == "4 May 2026: Stove: Tearing the tiles out would cost a wall"


def test_a_sentence_said_before_is_left_out_of_a_later_passage() -> None:
    again = "The pump by the north gate ran at 12 bar all night without a stop."
    days = (
        f"- Olaf came with bread at dawn. {again}",
        f"- Marta painted the shed green before noon. Olaf came with bread at dawn. {again}",
    )
    told = " ".join(claim.text for claim in written(*days, share=1.0))
    assert told.count("12 bar") == 1
    assert told.count("bread") == 2


def test_a_passage_is_worth_what_its_sentences_are() -> None:
    units = units_of(week_of("- The kiln ran at 940 degrees. Olaf came with bread at dawn.\n"))
    (one,) = in_passages([replace(units[0], worth=2.0), replace(units[1], worth=1.0)])
    assert 1.0 < one.worth < 2.0


def test_a_passage_is_as_long_as_its_bullet_can_be_with_its_subject() -> None:
    said = (
        "The kiln ran at 940 degrees for nine hours and nobody slept before it was cold. "
        "Olaf came with bread at dawn, and Marta brought the big jug of milk for all of them. "
        "Bertil swept the yard and went home alone by the late ferry"
    )
    (one,) = in_passages(units_of(week_of(f"## Pottery\n- {said}.\n")))
    assert (one.text, subject_for([one])) == (said, "Pottery")
    assert 54 < cost_of([one]) <= 60
    apart = in_passages(units_of(week_of(f"## Glazing of river bend tiles\n- {said}.\n")))
    assert [unit.text[:6] for unit in apart] == ["The ki", "Bertil"]


def test_talk_is_chosen_sentence_by_sentence() -> None:
    units = units_of(week_of("Marta: I fired the kiln at dawn. Olaf came with bread.\n"))
    assert in_passages(units) == units


def test_what_many_entries_begin_with_is_not_told_with_each() -> None:
    days = [f"- Walked the dyke with Ola. The pump by gate {n} was fixed by noon." for n in (3, 8)]
    kept = [unit for unit in with_openings(units_of(week_of(*days)), 1000) if unit.must]
    assert len(kept) == 2
    assert not [unit for unit in kept if "Ola" in unit.text]


def test_what_keeps_going_again_or_was_corrected_is_settled() -> None:
    assert cues.settles("QX-16 has a new spring and keeps time again.")
    assert cues.settles("Ida corrected ten days of readings.")
    assert not cues.settles("Ida corrected me.")
    assert not cues.settles("The pump fails again.")


def test_a_cause_leans_on_what_its_own_entry_says_before_it() -> None:
    fault = "The letter about the lamp went out at noon, with a plan of all the wires of the shed."
    cause = "Cause: a loose wire had blown fuse seven twice in one night, and nobody had looked."
    units = units_of(week_of(f"- The slipway is closed until June.\n- {fault} {cause}"))
    assert [unit.text for unit in units if "fuse seven" in unit.text] == [f"{fault} {cause}"]
    longer = units_of(week_of(f"- {fault} {cause.replace('twice', 'twice ' + 'and again ' * 12)}"))
    assert [unit.leans for unit in longer if unit.text.startswith("Cause")] == [True]


def test_what_follows_from_a_line_is_told_with_it() -> None:
    above = '- Marta: "half a pallet in my aisle, with the gate open?"'
    told = written(f"## Aisle four\n{above}\n- -> **limit 5 -> 6 pallets**, at once", share=0.9)
    (text,) = [claim.text for claim in told if "limit" in claim.text]
    assert "half a pallet" in text
    assert "-> limit" not in text


def test_a_quotation_without_a_stop_is_parted_from_what_follows_it() -> None:
    then = "then rain."
    assert (
        in_a_row(['Olaf counts "never before noon"', then])
        == 'Olaf counts "never before noon"; then rain'
    )
    assert in_a_row(['Olaf: "Never before noon."', "Rain."]) == 'Olaf: "Never before noon." Rain'
    assert in_a_row(["Ten sacks.", then]) == "Ten sacks. Then rain"
    assert in_a_row(["ten sacks", "Rain."]) == "ten sacks. Rain"


def test_no_stop_follows_a_quotation_that_has_one() -> None:
    assert stopped('Olaf said: "We never count crates."') == 'Olaf said: "We never count crates."'
    assert stopped("Olaf counts crates,") == "Olaf counts crates."


SMALL = (
    "Merged the label printer patch.",
    "Fixed the door sensor.",
    "Delivered the spare pallets.",
    "Repaired the scale in bay two.",
    "Finished the stock count of aisle nine.",
    "Replaced the cracked scanner cradle.",
)
LARGE = (
    "Decided to keep the night shift on paper lists, because the tablets lose their network in bay "
    "four whenever the big door is open for more than a minute.",
    "Blocked: the customs papers for the Larvik order are missing and the broker answers nobody.",
    "Released 4.7.0 to all three halls after the load test had passed twice without a lost scan.",
    "Never restack a pallet marked red before Henrike has seen it herself.",
    "Result: the new racking in hall two holds 940 pallets, the fire officer has signed it.",
)


def crowded_week() -> Brief:
    days = [
        "\n".join(f"- {line.replace('.', f' for row {n}.', 1)}" for line in (*SMALL, *LARGE[:2]))
        for n in range(4)
    ]
    return brief_of(*days, "\n".join(f"- {line}" for line in LARGE))


def test_results_compete_where_a_week_states_more_than_its_page_can_hold() -> None:
    brief = crowded_week()
    needed = {entry.text for entry in coverage.required(brief)}
    assert not any("door sensor" in text for text in needed)
    assert set(LARGE) <= needed
    page = " ".join(claim.text for claim in offline.write(brief).claims)
    assert "4.7.0" in page and "Henrike" in page and "door sensor" not in page


def test_trouble_told_in_passing_competes_in_a_crowded_week_and_announced_trouble_does_not() -> (
    None
):
    passing = "The conveyor in bay six is still stuck and nobody knows why."
    days = ["\n".join(f"- {line}" for line in (*SMALL, *LARGE, passing))]
    days += [days[0].replace(".", f" for row {n}.") for n in range(3)]
    needed = {entry.text for entry in coverage.required(brief_of(*days))}
    assert LARGE[1] in needed and passing not in needed
    roomy = brief_of(f"- {passing}", *(["- Rain on the yard, and wind from the west. " * 30] * 4))
    assert passing in {entry.text for entry in coverage.required(roomy)}


def test_a_box_a_label_a_lead_in_and_a_heading_list_what_is_open() -> None:
    listed = (
        "- [ ] Order the belt.",
        "- Blocked: the belt is late.",
        "Waiting on:\n- The belt is late.",
        "## Open items\n- The belt is late.",
    )
    for text in listed:
        assert is_listed(units_of(week_of(text))[-1]), text
    for text in ("- [x] Order the belt.", "- The belt is late.", "## Belts\n- The belt is late."):
        assert not is_listed(units_of(week_of(text))[-1]), text


def test_a_week_with_room_keeps_its_small_results() -> None:
    talk = "- The wind came from the west all day and the yard smelled of rain and diesel."
    brief = brief_of("- Fixed the door sensor.", *([talk * 8] * 4))
    assert any("door sensor" in entry.text for entry in coverage.required(brief))
    assert "door sensor" in " ".join(claim.text for claim in offline.write(brief).claims)


def test_results_compete_in_a_short_week_and_all_stay_in_a_slight_one() -> None:
    lines = [f"- {line}" for line in (*SMALL, *LARGE)]
    short = brief_of("\n".join(lines), "\n".join(lines).replace(".", " for row 9."))
    assert short.size <= SHORT_INPUT
    needed = {entry.text for entry in coverage.required(short)}
    assert not any("door sensor" in text for text in needed)
    assert set(LARGE) <= needed
    slight = brief_of("\n".join(lines[:7]))
    assert any("door sensor" in entry.text for entry in coverage.required(slight))
    assert "door sensor" in " ".join(claim.text for claim in offline.write(slight).claims)


def test_of_lines_that_tell_as_much_a_result_comes_first_in_a_crowded_week() -> None:
    seen = ("winch", "beacon", "raft", "crane", "siren", "ladder", "anchor", "barrel", "buoy")
    mended = ("kettle", "saddle", "violin", "plough", "anvil", "loom", "churn", "lathe", "sledge")
    days = (
        "\n".join(f"- Fog at the {thing} in the old brick yard." for thing in seen),
        "\n".join(f"- Repaired the {thing} in the old brick yard." for thing in mended),
    )
    told = " ".join(claim.text for claim in written(*days))
    assert told.count("Repaired") > 4 * told.count("Fog") > 0


def test_a_heading_that_names_tomorrow_is_told_without_it() -> None:
    page = written("## Rota for tomorrow\n\n- Blocked: nobody has the vault key.", share=1.0)
    assert [claim.text for claim in page] == ["4 May 2026: Rota: Nobody has the vault key"]


def test_an_entry_with_a_result_and_a_decision_is_kept_for_the_decision() -> None:
    both = "Result: repaired the hoist in bay two.\nDecision: Anneke alone signs for the hoist."
    lines = "\n".join(f"- {entry.text}" for entry in crowded_week().entries)
    brief = brief_of(f"{lines}\n\n{both}\n")
    needed = " ".join(entry.text for entry in coverage.required(brief))
    assert "Anneke" in needed and "door sensor" not in needed
    assert "Anneke alone signs" in " ".join(claim.text for claim in offline.write(brief).claims)


def test_what_its_writer_says_again_in_short_is_worth_more() -> None:
    text = "- The east gate was painted by Oona."
    plain, recap = (
        units_of(week_of(f"## {heading}\n{text}"))[0].worth
        for heading in ("Gates", "Week in short")
    )
    assert recap > plain


@pytest.mark.parametrize(
    "text",
    [
        "The east gate was painted **in two coats** by Oona.",
        'Oona painted the east gate with "two coats and a primer".',
        "Oona has agreed to paint the east gate.",
    ],
)
def test_what_its_writer_stresses_is_worth_more(text: str) -> None:
    plain = units_of(week_of("- The east gate was painted by Oona."))[0].worth
    assert units_of(week_of(f"- {text}"))[0].worth > plain


@pytest.mark.parametrize("label", ["**Gate:**", "**Gate**:"])
def test_a_bold_label_stresses_nothing(label: str) -> None:
    plain = units_of(week_of("- Gate: it was painted in two coats by Oona."))[0].worth
    assert units_of(week_of(f"- {label} it was painted in two coats by Oona."))[0].worth == plain


def test_a_week_of_few_words_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "2026-01-05.md").write_text(
        "- The team walked through the new garden.\n- Rain fell, the seedlings stayed inside.\n"
    )
    (folder / "2026-01-13.md").write_text(
        "- 决定：数据库迁移到新服务器。\n- 完成：部署到生产环境。\n"
    )
    Memory.open(tmp_path).compact()
    assert "seedlings" in (folder / "weekly" / "2026-W02.md").read_text()
    month = (folder / "monthly" / "2026-01.md").read_text()
    assert "数据库" in (folder / "weekly" / "2026-W03.md").read_text()
    assert "seedlings" in month and "数据库" in month


def test_a_number_after_its_mark_ends_no_sentence() -> None:
    text = "Micrometer no. 3 lay on p. 12 of vol. 2. They said no. Nobody laughed."
    assert split(text) == [
        "Micrometer no. 3 lay on p. 12 of vol. 2.",
        "They said no.",
        "Nobody laughed.",
    ]


FILL = "\n".join(
    f"- Sack {n} of rye weighed and stacked by the {n}th pillar, all dry." for n in range(40)
)


def test_a_reason_right_after_a_decision_is_as_sure_as_it_is() -> None:
    decided = (
        "- Decided: the mill stays shut on Sundays for the whole of the summer and the autumn.\n"
    )
    reason = "- Reason: Ove's back, and the two carts that broke on the ford in the dark."
    told = told_in(DECISIONS, written(decided + reason, FILL, share=0.1))
    assert any("Ove's back" in text for text in told)
    (other,) = [
        one
        for one in written(decided + reason.replace("Reason: ", ""), FILL, share=0.1)
        if "Sundays" in one.text
    ]
    assert "Ove's back" not in other.text


def test_what_is_called_an_answer_is_told_with_what_was_asked() -> None:
    asked = "- Asked Ove whether I may open the sluice myself. Answer: by day yes; at night Ida does it."
    (text,) = [claim.text for claim in written(asked, FILL, share=0.2) if "sluice" in claim.text]
    assert "may open the sluice" in text and "at night Ida does it" in text


def test_please_always_is_an_order_wherever_it_stands() -> None:
    (claim,) = [
        one
        for one in written('- Ida: "no, please always tie the sacks twice."', FILL)
        if "twice" in one.text
    ]
    assert claim.section == DECISIONS
