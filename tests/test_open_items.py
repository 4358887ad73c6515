"""What a week and a month still have open at their end, and what they no longer have."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from lithify.engines import offline
from lithify.engines.offline.matters.boxes import is_announced
from lithify.engines.offline.matters.counts import counts_of
from lithify.engines.offline.matters.due import after, ahead, passed
from lithify.engines.offline.matters.lists import as_left
from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.still import parts_of, still_open
from lithify.engines.offline.matters.waiting import awaited
from lithify.engines.offline.matters.weight import by_weight
from lithify.engines.offline.reading.units import Unit, units_of
from lithify.markdown.parse import parse
from lithify.text.tokens import estimate
from lithify.values import WEEK_SECTIONS, Brief, Entry

OPEN = WEEK_SECTIONS[2]
MONDAY = date(2026, 3, 9)
FILLER = "\n".join(
    f"- The {thing} in the yard was {deed} by the {who}."
    for thing, deed, who in (
        ("lantern", "polished", "night porter"),
        ("trough", "scrubbed", "stable hands"),
        ("gatepost", "tarred", "two brothers"),
        ("wheelbarrow", "lent out", "gardener's wife"),
    )
)


def entries_of(*days: str) -> tuple[Entry, ...]:
    found: list[Entry] = []
    for n, text in enumerate(days):
        day = MONDAY + timedelta(days=n)
        found += parse(text.encode(), label=day.isoformat(), day=day).entries
    return tuple(found)


def listed_open(*days: str) -> str:
    """The open items of the page of a week."""
    entries = entries_of(*days, FILLER)
    size = max(401, sum(estimate(entry.text) + 2 for entry in entries))
    brief = Brief(
        "week", "2026-W11", sections=WEEK_SECTIONS, entries=entries, target=size, size=size
    )
    claims = offline.write(brief).claims
    assert claims
    return "\n".join(claim.text for claim in claims if claim.section == OPEN)


def units_in(*days: str) -> list[Unit]:
    return units_of(entries_of(*days))


@pytest.mark.parametrize(
    ("item", "end"),
    [
        (
            "- Hedda promises the timber for Thursday.",
            "- Hedda kept her word. Forty beams, all dry.",
        ),
        ("- Still no permit for the crane.", "- In short: mast painted, permit here, crew tired."),
        ("- Ove is on leave; no word on the sluice plan.", "- Ove is back and has brought bread."),
        (
            "- Lambing duty at Whitsun still without a name.",
            "- Hedda settled the Whitsun question: Ove stays, Karin helps.",
        ),
        (
            "- The second draft of the leaflet went to Karin; no answer so far.",
            "- Karin on the leaflet: good as it stands, go ahead.",
        ),
        (
            "- The permit clock of WP-2210 stands still, the office needs a map.",
            "- The map went off in the morning; WP-2210 runs again.",
        ),
        (
            "Waiting on\n- Karin: bolts for hatch 4",
            "- Hatch 4: Karin's man put the new bolts in, closes like a door.",
        ),
    ],
)
def test_an_end_told_in_other_words_ends_the_item(item: str, end: str) -> None:
    told = item.splitlines()[-1].split(": ")[-1].rstrip(".")[-14:]
    assert told in listed_open(item)
    assert told not in listed_open(item, end)


@pytest.mark.parametrize(
    ("item", "later"),
    [
        # Another thing of the same name, another speaker, a test that failed again.
        ("- Abbey: yes or no on the bell, second letter, no answer.", "- The bank's letter came."),
        ("- So no answer still, but a date for one.", "- Karin answered by letter, dated March 9."),
        (
            "- [ ] The hoist test remains in quarantine",
            "- Suite of 90 passed, quarantined hoist test failed once.",
        ),
        (
            "- Scale 7 reads low again. Nobody knows why yet.",
            "- Scale 7 and scale 9 swapped, we shall see on Sunday.",
        ),
        (
            "- Waiting on: Abbey (bell); Karin (bolts); the mill (flour); Ove (sluice plan).",
            "- Karin's bolts came at noon.",
        ),
        ("- Hedda promises the timber for Friday.", "- Karin kept her word."),
    ],
)
def test_what_ends_another_thing_leaves_the_item_open(item: str, later: str) -> None:
    told = item.split(". ")[0].rstrip(".")[-14:]
    assert told in listed_open(item, later)


@pytest.mark.parametrize(
    "line",
    [
        '- Ove, dryly: "I should have read it and not said it."',
        "- Hedda from the mayor: there is no plan for a toll, there never was one.",
        "- The carter has no second wagon that week, so Ove's uncle, 40 crowns.",
        "- The clock on the tower died, it was out for an hour.",
        "- Phone lines rewired at lunch, nothing lost.",
        "- Karin gave the pumps a new gasket, which fixes a valve that closes late.",
    ],
)
def test_what_leaves_nothing_to_do_is_not_listed_as_open(line: str) -> None:
    assert line[2:20] not in listed_open(line)


@pytest.mark.parametrize(
    "line",
    [
        "- The mill still has not answered, so I rang again.",
        "- The miller wants a longer rope for the hoist.",
        "- First drawing done, 40 seats counted; Karin must confirm the rows.",
        "- Asked Ove to bring the ladder: no answer.",
        "- The pump fails every single night and is back by four.",
        "- Should be dealt with before the river rises.",
    ],
)
def test_what_somebody_still_has_to_do_is_listed_as_open(line: str) -> None:
    assert line.rstrip(".")[-14:] in listed_open(line)


def test_a_list_for_the_next_day_is_over_with_it() -> None:
    item = "### A list for tomorrow\n\n1. seeds to Karin before noon\n"
    units = units_in(item)
    assert len(still_open(units, settlements(units))) == 1
    assert "seeds to Karin" not in listed_open(item)


def test_a_weekday_is_a_day_and_a_line_of_a_calendar_is_one_too() -> None:
    (weekday,) = units_in("- [ ] Wednesday 09:00 inspection of the hoist")
    assert not passed(weekday, "2026-03-10")
    assert passed(weekday, "2026-03-13")
    (line,) = units_in("- [ ] Thu 2: last load of hay")
    assert ahead(line, "2026-03-31")
    assert not ahead(line, "2026-04-02")


def test_a_line_above_a_list_that_only_names_it_is_its_lead_in() -> None:
    entries = entries_of("Waiting on\n- Karin: bolts\n- Ove: the plan\n")
    assert [(entry.kind, entry.lead) for entry in entries] == [
        ("lead", ""),
        ("item", "Waiting on"),
        ("item", "Waiting on"),
    ]
    apart = entries_of("Waiting on\n\n- Karin: bolts\n")
    assert [entry.kind for entry in apart] == ["paragraph", "item"]
    other = entries_of("Fixed the roof\n- Karin: bolts\n")
    assert [entry.kind for entry in other] == ["paragraph", "item"]


def test_what_is_done_and_what_is_to_do_in_one_paragraph_are_two_things() -> None:
    done, to_do = units_in(
        "**Done today:** Ove set the sluice by hand.\n**Still to do:** a lock for the sluice house.\n"
    )
    assert not is_announced(done)
    assert is_announced(to_do)
    assert "set the sluice" not in listed_open(
        "**Done today:** Ove set the sluice by hand.\n**Still to do:** a lock for the sluice house.\n"
    )


def test_a_list_of_what_is_open_is_out_of_date_after_a_week() -> None:
    text = "- Waiting on: Abbey (bell); Karin (bolts); the mill (flour)."
    assert parts_of(text) == 3
    (early,) = units_in(text)
    late = units_of(
        (*entries_of(text), *parse(b"- Rain.", label="2026-03-30", day=date(2026, 3, 30)).entries)
    )
    assert early.at in still_open([early], settlements([early]))
    assert early.at not in still_open(late, settlements(late))


def test_items_of_other_matters_come_before_the_same_matter_again() -> None:
    units = units_in(
        "- Blocked: the night pump of the mill has no fuse, the smith has none.\n"
        "- Blocked: the night pump of the mill waits for a fuse of the smith.\n"
        "- Blocked: the ferry waits for a rudder.\n"
    )
    order = by_weight(units, units, {unit.at for unit in units})
    assert "ferry" not in order[-1].text


@pytest.mark.parametrize(
    "item",
    [
        "- Cask 14 is on hold. It was filled on 2 March with water from the upper well.",
        "- The bill of the smith, 310 crowns, was due on 24 February.",
        "- The smith paid 90 crowns on 6 March, so 220 crowns are outstanding.",
        "- The mill lane is blocked and the cart had to turn; told the parish.",
    ],
)
def test_a_day_that_was_over_when_it_was_written_ends_nothing(item: str) -> None:
    assert item[2:20] in listed_open(item, FILLER, "- The geese were driven to the pond.")


@pytest.mark.parametrize(
    "line",
    [
        "- Nothing from Hedda or the sawmill.",
        "- No further word from the parish on the lease.",
        "- The soil report is still out.",
        "- The smith hasn't answered either of my letters; I'll ride over.",
        "- Karin thinks it's the frost, Ove the worms. Not settled.",
        "- He'll send two new hinges for nothing, date to follow.",
        "- Ordered a new sluice gate, £140, from the forge at Lund, three weeks.",
        "- Lammas fair: entries close on the 27th, £4 each.",
        "- Letter from the infirmary for Karin: left knee, Thursday 26 March, 9:30.",
        "- He'll set the new millstone on Tuesday 24 March.",
    ],
)
def test_what_is_waited_for_is_listed_as_open_though_nobody_calls_it_so(line: str) -> None:
    assert line.strip("-. ") in listed_open(line)


@pytest.mark.parametrize(
    "line",
    [
        "- Nothing else of note on the farm.",
        "- Ove is away on 24 March.",
        "- The rooms at the hotel are from 24 to 26 March.",
        "- Oat cakes sold out by ten at the market.",
        "- Karin has hung the lamp upside down.",
        "- Ove turned the sign round without a word.",
        "- The plum wine is parked until spring: nobody has an evening for it.",
    ],
)
def test_what_waits_for_nothing_is_not_listed_as_open(line: str) -> None:
    assert listed_open(line) == ""


@pytest.mark.parametrize(
    "heading",
    [
        "Not here yet",
        "Still without answer",
        "Still to come",
        "Loose ends",
        "For Monday",
        "Open at the end of the week",
        "Open for Odile",
    ],
)
def test_a_heading_that_says_that_things_are_missing_makes_a_list_of_open_items(
    heading: str,
) -> None:
    listed = listed_open("- Fed the geese.", f"## {heading}\n- hay from Lund\n- the vicar's map")
    assert "hay from lund" in listed.lower()
    assert "the vicar's map" in listed.lower()


def test_a_list_for_a_weekday_is_over_with_it() -> None:
    item = units_in("## For Wednesday\n- grease the axle")[0]
    assert ahead(item, MONDAY.isoformat())
    assert passed(item, (MONDAY + timedelta(days=3)).isoformat())
    # On the day itself what was done of it is told; only a box waits for its tick.
    wednesday = (MONDAY + timedelta(days=2)).isoformat()
    assert passed(item, wednesday)
    assert passed(units_in("## For Wednesday\n- The plan of 3 March holds.")[0], wednesday)
    for line in ("- [ ] grease the axle", "- Open: grease, pitch, tar"):
        assert not passed(units_in(f"## For Wednesday\n{line}")[0], wednesday)


def test_a_number_alone_names_a_day_to_come_unless_it_is_past() -> None:
    units = units_in("- The test is on the 21st.\n- It was measured on the 7th.")
    assert [after(unit, MONDAY.isoformat()) for unit in units] == [["2026-03-21"], []]


def test_what_is_waited_for_now_is_told_in_place_of_the_task() -> None:
    listed = listed_open(
        "To do:\n- write to the Lindholm estate for the rights in four engravings",
        "- Letter to the Lindholm estate about the rights in the four engravings went out. "
        "They need ten working days.",
    )
    assert "ten working days" in listed
    assert "write to the Lindholm" not in listed


def test_what_nobody_answered_competes_in_a_week_and_is_left_to_the_weeks_in_a_month() -> None:
    units = units_in("- Nothing from Hedda or the sawmill.", "- The boards come on 30 March.")
    assert [unit.section == OPEN for unit in awaited(units, kept=False)] == [True, True]
    assert not any(unit.must for unit in awaited(units, kept=False))
    assert [unit.must for unit in awaited(units)] == [False, True]


def test_of_the_lines_that_list_all_that_is_open_the_last_day_s_stands() -> None:
    monday = "Open: the gate key; a second quote for the fence; Orla's answer."
    friday = "**Open:** a second quote for the fence; paint; the ladder."
    noted = "Waiting on: Orla."
    week = tuple(
        Entry(f"2026-05-{day:02}~{number:012}", text, (), day=date(2026, 5, day))
        for number, (day, text) in enumerate([(4, monday), (6, noted), (8, friday)])
    )
    assert counts_of(week).overtaken == {week[0].id}
    assert counts_of(week[:2]).overtaken == frozenset()


@pytest.mark.parametrize(
    "line",
    [
        "- Nobody has opened the old granary since autumn.",
        "- The sums differ because a ledger was copied twice: a ledger cannot err by itself.",
        "- What worried me was the pump: without it there's no water and no milk for the calves.",
        "- Shut by noon, the miller's men confirmed they can't turn it back any more.",
        "- Karin can't eat walnuts, so no walnut loaf this time. Ove bakes.",
        "- Ove wants the scales tested on the first Monday of every month, with the sheet written down.",
        "- Anyone missing a key should say so. Nobody has said so.",
        "- Question from Karin whether forty sacks are needed; Ove says forty.",
        "- The parish asks whether the old ramp is still used; it is.",
        "- Asked the smith outright about the sale. He laughed: no sale, no talks.",
        "- While waiting for the ferry I did the accounts nobody has had time for.",
        "- The two lodgers extend by three years, until 31 December 2029.",
    ],
)
def test_a_cue_that_stands_by_the_way_leaves_nothing_open(line: str) -> None:
    assert listed_open(line) == ""


@pytest.mark.parametrize(
    "line",
    [
        "- The pump leaks at the seal.",
        "- The east door cannot be locked from inside.",
        "- The new scales have not been tested.",
        "- The miller asks whether we want the cart in June.",
        "- Karin wants a list of the sacks before she answers.",
        "- Don't know the cause; the wheel goes on.",
    ],
)
def test_what_its_own_clause_leaves_open_is_listed(line: str) -> None:
    assert line.strip("-. ").split(";")[0] in listed_open(line)


def test_a_day_in_brackets_is_the_day_of_its_line() -> None:
    (item,) = units_in("- [ ] the ledger (Karin, Wed)")
    assert not passed(item, "2026-03-10")
    assert passed(item, "2026-03-12")


def test_a_day_at_the_end_of_a_line_with_a_box_is_its_day() -> None:
    (item,) = units_in("- [ ] 2.31.1 to the mill Wednesday")
    assert not passed(item, "2026-03-10")
    assert passed(item, "2026-03-12")
    (since,) = units_in("- [ ] the weir leaks since Wednesday")
    assert not passed(since, "2026-03-12")


@pytest.mark.parametrize(
    "line",
    [
        "- A guest asks whether a dog needs a ticket. 8 crowns, yes.",
        "- Wim asks why some tolls need Karin. Explained the limits, 80 and 20 crowns.",
    ],
)
def test_a_question_with_its_answer_is_not_open(line: str) -> None:
    assert listed_open(line) == ""


def test_what_is_denied_of_another_thing_does_not_keep_an_item_open() -> None:
    (item,) = units_in("- Karin sends an offer by 11 March. They have no cart of their own.")
    assert passed(item, "2026-03-13")
    (waiting,) = units_in("- The offer of 11 March is not here.")
    assert not passed(waiting, "2026-03-13")


def test_of_a_list_on_one_line_what_has_come_about_is_left_out() -> None:
    items = "Open: sluice gate; rye seed (Karin); letter to the parish."
    assert "Sluice gate; rye seed (Karin); letter" in listed_open(items)
    page = listed_open(items, "- The sluice gate is repaired.")
    assert "Rye seed (Karin); letter to the parish" in page
    assert "luice" not in page


def test_of_a_list_with_commas_too_and_its_label_stays() -> None:
    items = "Waiting on: Hedda (seed), the smith (hinges), the parish (lease), Ove (scales)."
    units = as_left(units_in(items, "- The smith sent the hinges, all delivered."))
    assert units[0].text == "Waiting on: Hedda (seed), the parish (lease), Ove (scales)."


def test_a_list_of_which_nothing_is_left_is_not_open() -> None:
    items = "Open: sluice gate on Tuesday 10 March; rye seed on 10 March; letter on 10 March."
    assert listed_open(items, "- Rain.", "- Hail.") == ""


def test_what_is_ticked_off_ends_what_all_of_its_entry_names() -> None:
    item = "- [ ] millstone: French or local (Ove)"
    assert "Millstone: French or local" in listed_open(item)
    end = "- [x] Stone ordered. Ove decided for the French millstone over the local one."
    assert listed_open(item, end) == ""


def test_what_nobody_has_spoken_of_for_weeks_is_no_longer_open() -> None:
    told = ["- The granary roof leaks.\n- [ ] roof of the barn"] + ["- Rain."] * 24
    units = units_in(*told)
    places = still_open(units, {})
    assert [unit.text for unit in units if unit.at in places] == ["roof of the barn"]
    early = units_in(*told[:8])
    assert len(still_open(early, {})) == 2


def test_what_somebody_cannot_do_is_not_over_with_what_another_gets() -> None:
    units = units_in("- She cannot get through the gate with the cart.", "- Ove gets a new coat.")
    assert settlements(units) == {}


def test_two_things_of_one_day_are_not_one_thing_that_was_moved() -> None:
    units = units_in(
        "- [ ] seven sacks on 12 March",
        "- The fair moves from 12 March to 19 March, as there are too many sacks to turn.",
    )
    assert settlements(units) == {}


@pytest.mark.parametrize(
    "text",
    [
        "- Sent Karin the log of the 11 stops of the mill, blocked again. She'll look at it soon.",
        "- 40 of 52 hens are ringed; missing are the black ones.",
        "- First count of the bees: two hives strong, cause of the weak one open.",
        "- The drying of the hay didn't work, the barn was damp.",
    ],
)
def test_what_somebody_will_do_is_missing_or_did_not_work_is_open(text: str) -> None:
    told = text.removeprefix("- ").split()[-2]
    assert told in listed_open(text)


def test_a_heading_of_what_is_to_come_lists_open_items() -> None:
    assert "Fair in Lund" in listed_open("## To keep in view\n- Fair in Lund\n- hay prices")


def test_a_day_alone_ends_nothing() -> None:
    units = units_in("- [ ] bus on 12 March", "- The cart was delivered on 12 March.")
    assert settlements(units) == {}


@pytest.mark.parametrize(
    "line",
    [
        "- Bench for the choir: still nobody.",
        "- Draft four came, 1,212 boats in all. Easter boats still not.",
        "- Crank 12 is marked for repair; Hedda has not said whether to buy the wheel.",
        "- Hedda pressed the seal at ten. The ruling is expected in the middle of June.",
        "- Samples of the well went to the town. Results in about ten days.",
        "- The founder named 64 crowns by word of mouth, written quote follows.",
        "- The glazier comes Monday or Tuesday, Ove fits the panes.",
        "- The vote on the bridge is Monday 17:00.",
        '- Karin reads the small print, paragraph 6, "any other use", with care. She asks Ove on 16 March.',
    ],
)
def test_what_a_sentence_leaves_to_wait_for_is_listed(line: str) -> None:
    friday = ("", "", "", "", line)
    assert line[-18:-1] in listed_open(*friday)


@pytest.mark.parametrize(
    "line",
    [
        "- Market day, and yet nothing broke.",
        "- My steps 12 to 19, all pumps down, one (the bilge) had to be stopped because it hung in a long draw.",
        "- Her leave was to be early and she took it late, without a word.",
        "- 19 mm of rain, which the dry half did not get. He had slept badly since my question on Sunday.",
        "- The ferry is full of cyclists.",
        "- This would have been the deadline for the map.",
        "- Anything above 500 crowns has to be signed by Hedda.",
        '- "Small Worlds" has eight lanterns, on loan until 12 December.',
        "- Rain none, wind weak; next gusts over 40 not before 19 March.",
    ],
)
def test_what_only_sounds_open_is_not_listed(line: str) -> None:
    assert line[2:20] not in listed_open(line)


def test_a_heading_that_names_a_trouble_makes_no_list_of_what_is_open() -> None:
    told = "## Lentils - a second problem\n\n- Nine trays stood in the warm room."
    assert "Nine trays" not in listed_open(told)
    assert "Nine trays" in listed_open(told.replace("a second problem", "problems"))


@pytest.mark.parametrize("label", ["Open besides", "Left lying", "What lies open"])
def test_labels_of_what_is_left_lying_say_that_it_is_open(label: str) -> None:
    assert "puddle under the bench" in listed_open(f"{label}: puddle under the bench in hall one.")


def test_in_a_list_for_a_day_what_looks_like_a_report_is_to_be_had_then() -> None:
    week = ("", "", "", "", "## For Monday\n\n- Amended charter, 900 crowns, from the council")
    assert "Amended charter" in listed_open(*week)


def test_what_has_to_be_done_by_a_day_is_open_though_it_sounds_like_a_rule() -> None:
    line = "- Notice to the miller has to reach him by 15 April, otherwise the lease runs on."
    assert "Notice to the miller" in listed_open(line)


def test_what_was_still_to_do_on_a_day_is_over_with_the_day() -> None:
    line = "- Still to do on 10 March: sit in on the weighing, begin with the books."
    assert "sit in on the weighing" not in listed_open(line, "", "", "- The books are begun.")


def test_a_day_that_is_set_for_it_ends_no_task() -> None:
    item = "- [ ] signed deeds to Ove Holm by 19 June"
    assert "Signed deeds" in listed_open(
        item, "- Tuesday: Ida signs the deeds, then Ove Holm, with a camera."
    )
    assert listed_open(item, "- Ida signed the deeds and they went to Ove Holm.") == ""


def test_what_is_allowed_once_something_is_done_ends_no_task() -> None:
    item = "- [ ] empty the granary by 19 June (ask Ove whether the chaff may go)"
    assert "granary" in listed_open(item, "- Ove by phone: chaff may go once he has our list.")


def test_what_is_done_at_an_hour_is_not_open() -> None:
    assert "rye" in listed_open("- [ ] rye into the loft").lower()
    assert listed_open("Open:\n- rye into the loft (done 17:05)") == ""


# What somebody answered, and what has come about in other words


@pytest.mark.parametrize(
    ("item", "end"),
    [
        ("- [ ] Does the mill grind rye too? Asked Wim.", "- Wim says the mill takes no rye."),
        ("- [ ] Rye too? Karin has not said. Asked her.", "- Karin answered: no rye needed."),
        ("- [ ] Upgrade Tidebook to 2.9", "- Tidebook is on 2.9.1 since noon."),
        ("- [ ] Decide on the ledger format", "- Ledger format: two columns, decided with Karin."),
        ("- Blocked: no access to the toll page", "- Got access to the toll page from Karin."),
    ],
)
def test_what_was_answered_or_has_come_in_other_words_is_not_open(item: str, end: str) -> None:
    assert listed_open(item) != ""
    assert listed_open(item, end) == ""


@pytest.mark.parametrize(
    ("item", "end"),
    [
        (
            "- [ ] Does the mill grind rye too? Asked Wim.",
            "- Wim says he does not know yet, rye is dear.",
        ),
        (
            "- [ ] Does the mill grind rye too? Asked Wim.",
            "- Karin says the mill smells of rye.",
        ),
        ("- [ ] Upgrade Tidebook to 2.9", "- Tidebook is on 2.8 since noon."),
        ("- [ ] Decide on the ledger format", "- Toll format: two columns, decided with Karin."),
    ],
)
def test_what_was_said_of_another_thing_or_by_another_leaves_it_open(item: str, end: str) -> None:
    assert listed_open(item, end) != ""
