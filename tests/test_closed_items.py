"""Items that are over by what stands beside them or points at them, and those that are not."""

from __future__ import annotations

from datetime import date

import pytest

from lithify.calendar import end_of_month
from lithify.engines.offline.matters.closed import before_closing
from lithify.engines.offline.matters.due import passed
from lithify.engines.offline.matters.pairs import needed_with
from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.still import still_open
from lithify.engines.offline.matters.waiting import awaited
from lithify.engines.offline.reading.units import units_of
from lithify.markdown.parse import parse
from test_open_items import entries_of, listed_open, units_in


def left_open(*days: str) -> list[str]:
    """The texts of the sentences that still stand open after some days."""
    units = units_in(*days)
    places = still_open(units, settlements(units))
    return [unit.text for unit in units if unit.at in places]


def test_what_was_to_come_next_is_outrun_by_the_next_such_line() -> None:
    first, then = "**Next:** rye, then the bran.", "- Rain.\n\n**Next:** mend the chute."
    assert "then the bran" in listed_open(first, "- Rain.")
    told = listed_open(first, then)
    assert "then the bran" not in told
    assert "end the chute" in told
    # A day to come keeps it, and a box is no plan for one day.
    assert "28 March" in listed_open("**Next:** fair in Lund on 28 March.", then)
    assert "the hoist" in listed_open(f"- [ ] oil the hoist\n\n{first}", then)


@pytest.mark.parametrize(
    "end",
    [
        "- [x] #41: both sails sewn and hung",
        "- #41 is void, the abbey sews them itself.",
        "- All quiet; #41 closed.",
    ],
)
def test_a_ticket_is_over_by_its_number_whatever_else_is_said(end: str) -> None:
    item = "- [ ] #41 new canvas for the wings"
    assert left_open(item) == ["#41 new canvas for the wings"]
    assert left_open(item, end) == []
    assert left_open(item, end.replace("#41", "#42")) == ["#41 new canvas for the wings"]


def test_a_ticket_is_not_over_where_that_is_denied() -> None:
    item = "- [ ] #41 new canvas for the wings"
    assert left_open(item, "- #41 is not closed, whatever Ove says.")[:1] == [
        "#41 new canvas for the wings"
    ]


def test_a_line_that_names_the_day_of_a_box_ends_the_box_it_speaks_of() -> None:
    boxes = "- [ ] load trial with 40 sacks\n- [ ] rope for the bell"
    end = "- Trial with 40 barrels on the ramp, it held. That box from the 9th is done."
    assert left_open(boxes, "- Rain.", end) == ["rope for the bell"]
    # Another day's box, an end that is denied, and one that shares no word.
    assert len(left_open(boxes, "- Rain.", end.replace("9th", "8th"))) == 2
    assert len(left_open(boxes, "- Rain.", end.replace("is done", "is not done"))) >= 2
    assert len(left_open(boxes, "- Rain.", "- The promise of the 9th is kept.")) == 2


def test_a_box_within_a_line_is_a_task_and_is_told_without_its_brackets() -> None:
    told = listed_open(
        "- Eleven sacks have no mark: [ ] Ove to paint them red\n"
        "- the mill: he wants light at night. [ ] lamp over the door (Karin)\n"
    )
    assert "no mark: Ove to paint them red" in told
    assert "Lamp over the door (Karin)" in told
    assert "[ ]" not in told


def test_a_tick_within_or_at_the_end_of_a_line_says_that_it_is_done() -> None:
    assert listed_open('- Board redone by Ove: "Mill out of order - use the ford". [x]') == ""
    item = "- [ ] The ford keeps old tolls (no reform). Its sign must not carry the new one."
    assert left_open(item) != []
    assert left_open(item, '- Ford: sign without the new one, headed "old tolls" ✅') == []
    assert left_open(item, "- Ford: sign without the new one, headed in red ✅") != []


def test_the_rows_of_a_table_of_what_is_open_are_open() -> None:
    rows = "| lease of the ford | Karin | Easter |\n| two hinges | Ove | - |\n"
    told = listed_open(f"| open | who | by |\n|---|---|---|\n{rows}").lower()
    assert "lease of the ford" in told
    assert "two hinges" in told
    assert listed_open(f"| thing | colour | by |\n|---|---|---|\n{rows}") == ""


@pytest.mark.parametrize(
    "text",
    [
        "- Hedda asks whether the bishop needs a stable. Yes, the one with the puddle.",
        "- Why not by the ford? There the cart sinks with every load.",
        "## Tolls\n- Hedda wants the carters not to share the toll of the pilgrims\n"
        "- **Decision:** carters pay 4 pence, pilgrims stay at one.",
        "## The leaking race\n- Symptom: the race loses water by night and the wheel is short of it\n"
        "- Plan A: clay. Washed out.\n- Plan B: oak boards ✅",
    ],
)
def test_what_is_answered_or_decided_beside_it_is_not_open(text: str) -> None:
    assert listed_open(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "- Which ford? He does not say.",
        "- Lease: has Ove signed at last? No, it lies on his desk. Still open.",
        "## Tolls\n- Hedda wants a longer rope for the hoist\n- **Decision:** carters pay 4 pence.",
        "## The leaking race\n- The race is leaking at the second post\n- Plan A: clay. Washed out.",
    ],
)
def test_what_gets_no_answer_and_no_decision_stays_open(text: str) -> None:
    assert listed_open(text) != ""


def test_a_line_that_crosses_a_task_out_ends_it() -> None:
    tasks = "- [ ] tune the bell properly, Ove\n- [ ] rope for the bell"
    assert left_open(tasks, "- ~~tune the bell~~ it is sold") == ["rope for the bell"]


def test_a_section_headed_with_an_item_and_ticked_off_ends_the_item() -> None:
    item = "# Monday\n\n- [ ] harvest wagon: new axle and a pole"
    section = (
        "# Tuesday\n\n## Session 2 - harvest wagon\n\n- [x] stands on its wheels, Ove drove it"
    )
    assert left_open(item) == ["new axle and a pole"]
    assert left_open(item, section) == []
    # A line of something else that went well, and a section that leaves something open.
    assert left_open(item, section.replace("[x] stands", "rye in the loft ✅; stands")) != []
    assert len(left_open(item, f"{section}\n- [ ] pole still to be cut")) == 2


def test_the_one_who_was_asked_answers_in_the_line_that_begins_with_the_name() -> None:
    item = "- [ ] ask Hedda if we may name her on the bell"
    assert left_open(item) != []
    assert left_open(item, '- Hedda answers: yes, but "without the surname".') == []
    assert left_open(item, "- Hedda rode to Lund.") != []
    quote = "- Three prices asked; the smith Tilo hasn't answered."
    assert left_open(quote, "- Tilo: no price, too busy.") == []
    assert left_open(quote, "- Tilo: no answer from him.") != []


def test_what_was_to_be_measured_is_told_under_its_name_with_a_figure() -> None:
    item = "- [ ] measure the grain moisture of the late rye in the loft"
    assert left_open(item, "- grain moisture in the loft: 14 on the scale, dry enough") == []
    assert left_open(item, "- grain moisture in the loft: Ove has lent his scale") != []


def test_what_is_only_asked_for_again_or_put_off_ends_nothing() -> None:
    units = units_in(
        '- Asked about the lease of the ford: the abbot says "with the scribe". No date.',
        "- Lease letter: Karin chased the abbot again, empty hall",
    )
    assert settlements(units) == {}
    units = units_in(
        "- Nobody has taken the lease of the ford yet.", "- Lease of the ford: not in March."
    )
    assert settlements(units) == {}


def test_a_weekday_that_is_waited_for_is_over_with_it() -> None:
    item = "- Ove is ill, back perhaps Wednesday"
    assert left_open(item, "- Rain.") == ["Ove is ill, back perhaps Wednesday"]
    assert left_open(item, "- Rain.", "- Hail.", "- Sun.") == []


def test_under_boxes_what_has_no_box_is_a_remark() -> None:
    text = "### Notes for tomorrow\n\n- [ ] rope for the bell\n- [ ] thank Ove (by eight, done: 19:50)\n\n- purse counted, 43 short\n"
    assert left_open(text) == ["rope for the bell"]
    assert "purse counted" in "".join(left_open(text.replace("[ ] ", "")))


def test_what_a_month_is_shown_for_its_change_is_shown_with_its_end() -> None:
    days = entries_of(
        "- [ ] #41 go from 37 to 60 sails in the yard", "- Rain.", "- [x] #41: sewn and hung, Ove"
    )
    assert {entry.id for entry in (days[0], days[2])} <= {
        one.id for one in needed_with(days, []).entries
    }


def test_a_price_that_was_asked_for_is_answered_by_the_one_who_was_asked() -> None:
    item = "- New hinges for the gate: asked for a price at the forge (Mr Tilo)."
    assert left_open(item) != []
    assert left_open(item, "- Mr Tilo: eight hinges, 5 crowns each, three weeks.") == []
    assert left_open(item, "- Mr Tilo: hinges not before Easter.") != []


def test_what_was_asked_and_answered_in_one_breath_is_not_open() -> None:
    assert (
        left_open("- Asked Ove whether the race ever froze: in 1911 and never since, he says.")
        == []
    )
    assert left_open("- Asked Ove for the plan of the race: no answer.") != []


def test_a_line_headed_with_a_task_tells_what_became_of_it() -> None:
    item = "- [ ] look at the double ledger pages (two of harvest), low priority"
    assert left_open(item, "- ledger pages: looked, one is a copy of a copy. Not worth it.") == []
    trial = "- [ ] finish the wagon trial"
    assert left_open(trial, "- Wagon trial with 40 sacks: 0 breaks, 71 turns") == []
    assert left_open(trial, "- Wagon trial waits for dry weather") != []


def test_the_only_box_of_a_day_is_the_one_that_is_spoken_of() -> None:
    item = "- [ ] find out why the race grows"
    assert left_open(item, "- That answers the question of the 9th.") == []


def test_an_evening_planned_for_the_last_day_is_over() -> None:
    (unit,) = units_in("- Late bathing tomorrow: Bram and Pilar on guard")
    assert passed(unit, "2026-03-10")


def test_what_nobody_called_open_fades_sooner_than_what_somebody_did() -> None:
    told = (
        "- The granary roof leaks.\n- Blocked: the loft waits for its key.\n- Lease still not signed; the notary has time in April at the earliest.",
        *["- Rain."] * 17,
    )
    assert left_open(*told[:8])[:1] == ["The granary roof leaks."]
    left = left_open(*told)
    assert "The granary roof leaks." not in left_open(*told[:9])
    # On days of which nothing is told nothing can have been said of it.
    assert "The granary roof leaks." in left_open(told[0], *[""] * 12, *["- Rain."] * 3)
    assert any("waits for its key" in one for one in left)
    assert any("April" in one for one in left)


# Lists of boxes that nobody ticks


RELISTED = (
    "- [ ] varnish for the north pier\n- [ ] hymn books\n- [ ] crane: rent or buy",
    "- [ ] varnish of the pier, still\n- [ ] new ropes\n- [ ] letter to Holm",
    "- [ ] new ropes\n- [ ] letter to Holm\n- [ ] keys of the shed",
)


def test_what_later_lists_no_longer_hold_is_over() -> None:
    left = left_open(*RELISTED)
    assert "hymn books" not in left and "crane: rent or buy" not in left
    assert "keys of the shed" in left and "varnish for the north pier" in left


def test_what_a_later_list_held_and_the_last_ones_do_not_is_over() -> None:
    fourth = "- [ ] letter to Holm\n- [ ] keys of the shed\n- [ ] oars"
    left = left_open(*RELISTED, fourth)
    assert "varnish for the north pier" not in left
    assert "letter to Holm" in left
    # A day that both have in common names nothing.
    weekday = RELISTED[0].replace("hymn books", "hymn books Monday")
    later = [text.replace("new ropes", "ropes Monday") for text in RELISTED[1:]]
    assert "hymn books Monday" not in left_open(weekday, *later)


def test_what_a_later_list_tells_again_is_told_there() -> None:
    boxes = "- [ ] reference for Ove, before the 30th\n- [x] oars counted"
    later = "Open: keys of the shed; Ada's reference for Ove; new ropes."
    assert left_open(boxes) == ["reference for Ove, before the 30th"]
    assert [text[:8] for text in left_open(boxes, later)] == ["Keys of "]
    assert len(left_open(boxes, later.replace("Ove", "Holm"))) == 2


def test_a_box_stays_open_where_boxes_are_ticked_or_one_list_alone_is_later() -> None:
    first, second, third = RELISTED
    assert "hymn books" in left_open(first, second)
    ticked = "- [x] flag hoisted\n- [x] oars counted"
    assert "hymn books" in left_open(first, f"{ticked}\n{second}", third)


def test_lists_without_boxes_are_written_anew_too() -> None:
    first = "## Open\n- varnish for the north pier\n- hymn books\n- lamp for the ferry stage, Holm"
    second = "Open: varnish, lamp, new ropes, letter to Holm."
    third = "## Open\n- new ropes\n- letter to Holm\n- keys of the shed"
    left = left_open(first, second, third)
    assert "hymn books" not in left and "keys of the shed" in left
    # One word of a later line names what has it among others.
    assert "lamp for the ferry stage, Holm" in left
    # A list for one day is no list of all that is open.
    assert "hymn books" in left_open(first, second, f"## For Friday\n{third[8:]}")


def test_what_was_said_of_a_ticket_before_it_was_closed_is_known() -> None:
    days = (
        "- #31 Ada rows to the pump.\n- Decided: #31 waits for the tide.\n- #32 the gate creaks.",
        "- #31 closed, a loose plug.\n- #32 the gate still creaks.",
    )
    units = units_in(*days)
    by_place = {unit.at: unit.text for unit in units}
    assert [by_place[at] for at in before_closing(units)] == ["#31 Ada rows to the pump."]


# The end of a month


def test_what_is_for_the_last_days_of_a_month_does_not_outlive_it() -> None:
    # The last week of March ends on Sunday the 29th; the 31st is of a week of April.
    text = (
        "- [ ] proof to the abbey on 31 March\n- [ ] bell rope, before 2 April\n"
        "- Waiting for the miller's answer since 3 March."
    )
    units = units_of(parse(text.encode(), label="2026-03-26", day=date(2026, 3, 26)).entries)
    assert len(still_open(units, {})) == 3
    left = still_open(units, {}, monthly=True)
    assert [unit.text[:9] for unit in units if unit.at in left] == ["bell rope", "Waiting f"]


@pytest.mark.parametrize(
    "item",
    ["- [ ] proof to the abbey by 27 March", "- [ ] bell rope, due on 27 March"],
)
def test_what_has_to_be_done_by_a_day_is_late_after_it_and_not_over(item: str) -> None:
    days = {"2026-03-26": item, "2026-03-29": "- Rain all day, the barges stay."}
    entries = [
        entry
        for day, text in days.items()
        for entry in parse(text.encode(), label=day, day=date.fromisoformat(day)).entries
    ]
    units = units_of(entries)
    assert units[0].at in still_open(units, {})


def test_a_week_in_the_midst_of_a_month_tells_nothing_of_its_end() -> None:
    assert end_of_month(date(2026, 3, 18)) == date(2026, 3, 18)
    assert end_of_month(date(2026, 3, 26)) == date(2026, 3, 31)
    assert end_of_month(date(2026, 12, 30)) == date(2026, 12, 31)
    assert end_of_month(date(2026, 8, 2)) == date(2026, 8, 2)


# What nobody waits for


@pytest.mark.parametrize(
    "told",
    [
        "- The chart hangs in the hall beside the fuses, nobody asked.",
        "- The new label hangs on its wire and looks proud.",
        "- Eleven miles, the longest row so far.",
        "- Ada's figures are done at five, as promised to Ove.",
        "- Ove promised not to bring anybody who does not like cake.",
        "- The flood can't come back.",
        "- Crates go by cart if the ferry does not run, all else by hand.",
        "- The certificate names us, valid to 31 May.",
        "- Signed by both, from 5 May to 31 July.",
        "- Waiting list at nine: the abbey withdrew.",
        "- Ove rang to ask if the 18th is firm. I said yes.",
        "- Ada wants a better price for 42 sacks. Ove gave 31 crowns on the spot.",
        "- Nothing but a letter from Holm: the well is under one ell.",
    ],
)
def test_what_sounds_like_waiting_and_is_none(told: str) -> None:
    assert left_open(told) == []


def test_what_hangs_or_is_promised_in_earnest_is_open() -> None:
    for told in (
        "- The repair hangs on the lock bodies only.",
        "- No answer from Holm so far.",
        "- Holm promised the hinges.",
    ):
        assert len(left_open(told)) == 1


@pytest.mark.parametrize(
    "told",
    [
        "- [ ] storage: barn or not, Wed",
        "- Cake promised for Wednesday, Ove lives near.",
        "- [ ] Fund, Wednesday",
    ],
)
def test_a_day_of_the_week_at_the_end_or_booked_is_the_day_of_an_item(told: str) -> None:
    assert len(left_open(told, "- Rain.")) == 1
    assert left_open(told, "- Rain.", "- Rain.", "- Rain.") == []


# Choices, agreements and what falls away


@pytest.mark.parametrize(
    "end",
    [
        "**Crane**\n- Decision: rent, and only in spring.",
        "## Crane\n- We decided to rent from Holm.",
        "- Decision: the crane is rented from Holm.",
    ],
)
def test_a_choice_is_over_with_the_decision_that_its_name_heads(end: str) -> None:
    for item in ("- [ ] crane: rent or buy", "- [ ] crane: decide", "- [ ] crane: Ove decides"):
        assert len(left_open(item, "- Rain.")) == 1
        assert left_open(item, end) == []
        assert len(left_open(item, end.replace("rane", "hurn"))) == 1


def test_what_falls_away_or_is_needed_no_more_is_over() -> None:
    item = "- Holm's written quote for the new mill hasn't come."
    assert len(left_open(item)) == 1
    assert (
        left_open(item, "- What falls away with it: Holm's written quote, the night watch.") == []
    )
    assert left_open(item, "- Holm's quote is no longer needed.") == []
    assert len(left_open(item, "- What falls away with it: Holm's old cart, the night watch.")) == 1


def test_what_somebody_was_to_send_is_over_when_it_came() -> None:
    item = "- [ ] Ada's rope drawing\n- [ ] measure the rope"
    assert left_open(item, "- Ada's drawing came: clear lines, in ink.") == ["measure the rope"]


def test_a_trouble_is_over_with_the_ruling_its_paragraph_goes_on_with() -> None:
    assert left_open("- Problem: splitting a sack. Left half keeps the seal. Ove agrees.") == []
    trouble = "The press can't hold two moulds, and its maker has no date."
    assert left_open(f"{trouble} Ada's verdict: we stay with the hand mill.") == []
    waits = left_open(f"{trouble} Ada decided to wait until May.")
    assert trouble in waits


@pytest.mark.parametrize(
    "line",
    [
        "- Somebody has to tell the carter; Karin did, at noon.",
        "- The mill wants twelve sacks of meal. Sent.",
        "- Hedda needs the yard in the evening. Changed from eight to ten.",
        "- I asked for the promise in writing and have it, in the blue binder.",
        "- Date of the fair asked: 13 June.",
        "- TODO: the bell rope - who: Ove; until: done already, he did it on Sunday.",
    ],
)
def test_what_was_done_in_the_same_breath_is_not_open(line: str) -> None:
    assert line.splitlines()[-1][2:11] not in listed_open(line)


@pytest.mark.parametrize(
    "text",
    [
        # Another answers in the next line of a talk that is written down.
        "Hedda: How many sacks do we have?\nOve: Enough for forty loaves.",
        "- The carters ask whether old tokens count at the gate. Hedda: yes, until Sunday.",
        "- Karin asks whether the mayor needs a chair. Yes. The one with the cushion.",
        "- Ove is still reading the toll list. He asks what a cart costs when it has to go twice. Seven pence, 7.1 in all.",
    ],
)
def test_a_question_is_over_with_the_answer_beside_it(text: str) -> None:
    units = awaited(units_in(text), kept=False)
    assert still_open(units, settlements(units)) == frozenset()


def test_a_guess_is_no_answer() -> None:
    assert left_open("Where did the damp come from?\nOve: I'd bet on the north wall.") != []


def test_a_day_that_another_takes_the_place_of_is_over() -> None:
    units = awaited(
        units_in(
            *[""] * 14,
            "- The old sluice stays, locked, until 7 April; then it's given up. It costs 9 crowns a day.",
            "- Things she leaves: the old sluice. It was to go on 7 April, her first day back, and she does"
            " not want to do that in the first hour: still to do, 14 April instead.",
        )
    )
    places = still_open(units, settlements(units), monthly=True)
    assert not [unit.text for unit in units if unit.at in places and "stays" in unit.text]
    assert [unit.text for unit in units if unit.at in places and "14 April" in unit.text]
