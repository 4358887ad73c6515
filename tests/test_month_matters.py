"""What became of a month's matters: how they stand, how far they came, what weeks come back to."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from lithify import cues
from lithify.engines import offline
from lithify.engines.offline.matters.amounts import with_one_unit
from lithify.engines.offline.matters.change import changes, told_shifts
from lithify.engines.offline.matters.kindred import threads
from lithify.engines.offline.matters.measures import worths
from lithify.engines.offline.matters.naming import routine_openings
from lithify.engines.offline.matters.pairs import needed_with, told_together
from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.shifts import shifts_in
from lithify.engines.offline.matters.standing import overtaken, standing
from lithify.engines.offline.matters.steps import bullet_of
from lithify.engines.offline.matters.still import parts_of, still_open
from lithify.engines.offline.matters.themes import headlines, leading_themes
from lithify.engines.offline.matters.threads import is_announced
from lithify.engines.offline.matters.told import sets_value, tells_change
from lithify.engines.offline.matters.traced import Traces
from lithify.engines.offline.matters.turned import reversals
from lithify.engines.offline.matters.waiting import awaited
from lithify.engines.offline.matters.weight import by_weight
from lithify.engines.offline.page.bullets import sources
from lithify.engines.offline.reading.openings import head_of
from lithify.engines.offline.reading.units import Unit, told_once, units_of
from lithify.markdown.parse import parse
from lithify.text.tokens import estimate
from lithify.values import MONTH_SECTIONS, Brief, Claim, Entry
from lithify.verify.claims import Shown, examine

START = date(2026, 4, 6)
FILLER = "\n".join(
    f"- The {one} {two} was {three}."
    for one, two, three in (
        ("grey", "wall", "washed by the salt wind and dried at noon"),
        ("round", "window", "painted in oil of linseed by the masons"),
        ("black", "kettle", "lent to the weavers for their evening soup"),
        ("white", "goat", "led over the heath behind the chapel"),
        ("loose", "board", "carried to the attic with the apple crates"),
    )
)


def log(*texts: str, gap: int = 5) -> tuple[Entry, ...]:
    """The entries of some days, a gap apart."""
    found: list[Entry] = []
    for number, text in enumerate(texts):
        day = START + timedelta(days=gap * number)
        found += parse(text.encode(), label=day.isoformat(), day=day).entries
    return tuple(found)


def open_texts(*texts: str, gap: int = 5) -> list[str]:
    """What stands open after some days."""
    units = awaited(units_of(log(*texts, gap=gap)))
    settled = settlements(units)
    places = standing(units, settled, still_open(units, settled))
    return [unit.text for unit in units if unit.at in places]


def month(entries: tuple[Entry, ...], share: float = 0.6) -> tuple[Claim, ...]:
    """The claims of their month, all of which the verifier lets stand."""
    size = max(401, sum(estimate(entry.text) for entry in entries))
    claims = tuple(Claim(entry.text, (entry.id,)) for entry in entries)
    brief = Brief(
        "month", "2026-04", MONTH_SECTIONS, entries, claims, target=int(share * size), size=size
    )
    shown = Shown.of(entries)
    found = offline.write(brief).claims
    assert all(examine(claim, shown, extractive=True) == () for claim in found)
    return found


def told(entries: tuple[Entry, ...], section: str, share: float = 0.6) -> list[str]:
    """The bullets of a section of their month."""
    return [claim.text for claim in month(entries, share) if claim.section == section]


def subjects(units: list[Unit]) -> list[str]:
    stated = {unit.at for unit in units if unit.must}
    return [thread.name.lower() for thread in threads(units, stated)]


@pytest.mark.parametrize(
    ("item", "later"),
    [
        ("[ ] find out who owns the path to KX-14", "The path to KX-14 belongs to the miller."),
        (
            "[ ] recheck the height of KX-20, the map says 40 m",
            "Height of KX-20: the level says 44 m.",
        ),
        ("[ ] measure the sag of the cable at KX-31", "The cable at KX-31 measured: sag of 9 cm."),
        (
            "Blocked: the survey of KX-33 needs the mast angle.",
            "Odile gave the mast angle for KX-33, 81.",
        ),
        (
            "Blocked: nobody has written down where the vault key lies.",
            "Wrote down where the vault key lies, page 4.",
        ),
        (
            "Blocked: KX-17 Ferry Stairs is dark until someone resets it.",
            "Holm reset KX-17 at Ferry Stairs; it is back.",
        ),
        (
            "[ ] guard against double prints in the typesetter",
            "Typesetter now refuses a page that was printed.",
        ),
    ],
)
def test_what_a_later_sentence_reports_of_an_item_ends_it(item: str, later: str) -> None:
    words = item.rpartition("] ")[2].rpartition("Blocked: ")[2][1:20]
    assert words in " ".join(open_texts(f"- {item}\n{FILLER}", FILLER))
    assert words not in " ".join(open_texts(f"- {item}\n{FILLER}", f"- {later}"))


@pytest.mark.parametrize(
    ("item", "later"),
    [
        ("[ ] find out who owns the path to KX-14", "Asked the parish about the path to KX-14."),
        ("[ ] measure the sag of the cable at KX-31", "The cable at KX-32 measured: sag of 9 cm."),
        (
            "Blocked: the survey of KX-33 needs the mast angle.",
            "The mast angle for KX-33 still isn't here.",
        ),
        (
            "The pump of the brine cellar leaks, still no cause.",
            "Looked at the pump of the brine cellar.",
        ),
    ],
)
def test_who_is_still_at_it_ends_nothing(item: str, later: str) -> None:
    texts = " ".join(open_texts(f"- {item}\n{FILLER}", f"- {later}"))
    assert item.rpartition("] ")[2].rpartition("Blocked: ")[2][1:20] in texts or later[:16] in texts


def test_a_matter_that_stays_open_is_told_by_its_last_sentence() -> None:
    texts = open_texts(
        f"- Waiting: the guild office has not answered on the grazing permit.\n{FILLER}",
        "- [ ] ask the guild office again about the grazing permit",
        "- The guild office wrote: they'll discuss the grazing permit on 18 May.",
    )
    assert texts == ["The guild office wrote: they'll discuss the grazing permit on 18 May."]


def test_the_end_of_a_debt_ends_every_sentence_that_told_it_open() -> None:
    texts = open_texts(
        f"- Saltmarsh College still owes £1,180 for the March boats.\n{FILLER}",
        "- Open: Saltmarsh College, nothing on the account.",
        "- The bursar's transfer of £1,180 came in at noon.",
    )
    assert not any("Saltmarsh" in text for text in texts)


def test_a_sentence_that_overtakes_an_item_is_shown_to_the_month() -> None:
    entries = log(
        f"- [ ] find out who owns the path to KX-14\n{FILLER}",
        "- The path to KX-14 belongs to the miller.",
    )
    units = awaited(units_of(entries))
    ends = overtaken(units, {}, still_open(units, {}))
    assert [end.text for end in ends.values()] == ["The path to KX-14 belongs to the miller."]
    assert entries[-1] in needed_with(entries, [entries[0].id]).entries


@pytest.mark.parametrize(
    "line",
    [
        "Holm will take the branch off the weir next week.",
        "Brass valve (order 7803): the foundry says 30 April.",
        "The brine gauge stays covered until the valve is here.",
        "The night copy took three hours; no idea why.",
        "Asked the bursar whether £95 for the valve fits; she says only after 2 May.",
    ],
)
def test_what_is_to_come_or_lasts_at_the_end_is_open(line: str) -> None:
    assert any(line[:12] in text for text in open_texts(FILLER, f"- {line}"))


@pytest.mark.parametrize(
    "line",
    [
        "The new seal is valid until 24 May.",
        "We always close the sluice until the tide is out.",
        "The mast leans by two degrees, within the limit. Nothing to do.",
        "Lost an hour to a broken lock; oil helped.",
        "The opening is no longer 30 April, it's now 13 May.",
    ],
)
def test_what_holds_is_a_rule_or_is_well_is_not_open(line: str) -> None:
    assert not any(line[:12] in text for text in open_texts(FILLER, f"- {line}"))


def test_open_items_of_one_day_stand_in_bullets_of_their_own() -> None:
    entries = log(f"- [ ] order rope for the north bell\n- [ ] paint the ferry sign\n{FILLER}")
    carried = told(entries, "Carried Forward")
    assert len([text for text in carried if "rope" in text or "ferry" in text]) == 2


@pytest.mark.parametrize(
    ("days", "text"),
    [
        (
            ("- Tiling: 5 of 41 rooms done.", "- Tiling: 17 of 41.", "- Tiling 26 of 41."),
            "Tiling: from 5 to 26 of 41 (6 Apr to 16 Apr)",
        ),
        (
            ("- 12 of 60 plates cleaned.", "**Plates.** 31 of 60, all dry.", "- Plates: 52 of 60."),
            "Plates: from 12 to 52 of 60 (6 Apr to 16 Apr)",
        ),
        (
            ("- 8 of 21 deeds signed.", "- The notary has 12 of 21.", "- Archive: 19 of 21 deeds."),
            "Deeds: from 8 to 19 of 21 (6 Apr to 16 Apr)",
        ),
    ],
)
def test_how_much_of_a_whole_is_done_is_told_from_first_to_last(
    days: tuple[str, ...], text: str
) -> None:
    assert text in [one.fixed for one in changes(units_of(log(*days)), 200)]


@pytest.mark.parametrize(
    "days",
    [
        ("- 40/41 lamps lit.", "- 41/41 lamps lit."),
        (
            "- Boats in: 9 of 12.",
            "- Boats in: 4 of 12.",
            "- Boats in: 11 of 12.",
            "- Boats in: 3 of 12.",
        ),
    ],
)
def test_a_daily_count_of_a_whole_is_no_progress(days: tuple[str, ...]) -> None:
    assert not any(
        " of " in one.fixed and "from" in one.fixed for one in changes(units_of(log(*days)), 200)
    )


@pytest.mark.parametrize(
    "text",
    [
        "At the ford 6000 → 5000 ms.",
        "Odile takes over the tiling from Holm.",
        "The ledger goes from Odile to me.",
        "The opening is delayed from 20 April to 6 May.",
        "The share is 0.7%, March was 1.9%.",
    ],
)
def test_old_and_new_side_by_side_are_a_change(text: str) -> None:
    assert tells_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "The hall is coated from 7 to 14 April.",
        "The longest night shift was 9 hours.",
        "A crate came from Odile.",
    ],
)
def test_a_span_of_days_or_a_mere_figure_is_no_change(text: str) -> None:
    assert not tells_change(text)


def test_a_long_sentence_leaves_what_changed_and_from_what_to_what() -> None:
    entries = log(
        "- Odile is back and went through the case of the warm wind with Holm for an hour. "
        "She raised the frost alarm from 6 to 8 degrees for the five lee gardens only; "
        f"the rest stay at 6.\n{FILLER}\n{FILLER.replace('The', 'Once the')}"
    )
    assert any(
        text.endswith(": Frost alarm: from 6 to 8 degrees for the five lee gardens only")
        for text in told(entries, "Trajectory", share=0.15)
    )


def test_changes_told_as_such_and_subjects_of_weeks_reach_the_month() -> None:
    entries = log(
        f"- KX-31 is dark since the storm.\n{FILLER}",
        "- The weir gate opens at 1.6 m instead of 1.8.",
        "- KX-31 has a new aerial, put up by Holm.",
        gap=8,
    )
    shown = {entry.text for entry in needed_with(entries, [entries[1].id]).entries}
    assert "The weir gate opens at 1.6 m instead of 1.8." in shown
    assert {"KX-31 is dark since the storm.", "KX-31 has a new aerial, put up by Holm."} <= shown


def test_a_theme_names_its_weeks_and_how_it_stood_first_and_last() -> None:
    entries = log(
        f"- KX-31 Ferry Stairs is dark, cable torn.\n{FILLER}",
        f"- Holm looked for the KX-31 cable in two sheds.\n{FILLER}",
        "- KX-31 works again with a new cable.",
        gap=8,
    )
    theme = next(text for text in told(entries, "Themes") if text.startswith("KX-31"))
    assert theme.startswith("KX-31 (2026-W15 to 2026-W17): 6 Apr - ")
    assert "cable torn" in theme and "works again" in theme


def test_a_paragraph_is_about_what_it_is_headed_with() -> None:
    assert head_of("**Brine cellar.** The pump leaks.") == "Brine cellar"
    assert head_of("The **pump** leaks.") == ""
    units = units_of(
        log(
            "**Brine cellar.** The old pump leaks into the yard.",
            "**Brine cellar.** Decided: Holm puts a new pump of iron in at the stairs.",
            gap=8,
        )
    )
    assert "brine cellar" in subjects(units)


@pytest.mark.parametrize(
    "line",
    [
        "**The opening moves from 3 May to 10 May.** Sofia asked for it.",
        "**We've never tried the alarm.** Sofia went quiet.",
    ],
)
def test_bold_words_that_state_something_are_no_heading(line: str) -> None:
    [*units] = units_of(log(f"- {line}"))
    assert head_of(line) == "" and units[0].text.startswith(line.split("**")[1])


def test_routine_people_and_bare_counts_are_no_subject_of_a_month() -> None:
    units = units_of(
        log(
            "- Swept the long gallery, 14 guests.\n- Odile asked for chalk.\n- Tiling: 5 of 41.",
            "- Swept the long gallery, 20 guests.\n- Odile wants the attic dry.\n- Tiling: 9 of 41.",
            "- Swept the long gallery, 17 guests.\n- Odile said no to the fair.\n- Tiling: 12 of 41.",
            gap=8,
        )
    )
    found = subjects(units)
    assert not {"odile", "tiling", "long gallery"} & set(found)


def test_what_no_week_told_is_told_only_beside_what_one_did() -> None:
    entries = log(
        f"- Merged the sluice plan with the mill.\n{FILLER}",
        "- Raised the sluice gate from 6 to 8 cm.\n- Raised the pew rail from 2 to 4 cm.",
    )
    week, extra = entries[:-2], entries[-2:]
    size = sum(estimate(entry.text) for entry in entries)
    claims = tuple(Claim(entry.text, (entry.id,)) for entry in week)
    brief = Brief("month", "2026-04", MONTH_SECTIONS, entries, claims, target=size, size=size)
    found = offline.write(brief).claims
    cited = {entry.id for entry in week}
    assert all(cited & set(claim.sources) for claim in found)
    assert any("Sluice gate" in claim.text and extra[0].id in claim.sources for claim in found)
    assert not any("pew rail" in claim.text.lower() for claim in found)


def test_a_sentence_may_count_several_things() -> None:
    entries = log(
        f"- Hurdles 4 of 30 · nets 11 of 80.\n{FILLER}",
        "- Hurdles 12 of 30 · nets 25 of 80.",
        "- Hurdles 21 of 30 · nets 64 of 80.",
        gap=6,
    )
    found = " ".join(told(entries, "Trajectory"))
    assert "from 4 to 21 of 30" in found and "from 11 to 64 of 80" in found


def test_what_is_repeated_word_for_word_is_looked_at_once() -> None:
    day = (
        "- The grey door was painted. It looks well.\n"
        "- Waiting for the glazier.\n"
        "- We decided to keep the old lock."
    )
    entries = log(day, day, day)
    units = told_once(units_of(entries))
    first, second, third = (START + timedelta(days=5 * n) for n in range(3))
    stands = [(unit.text.split()[-1], unit.entry.day) for unit in units]
    # What happened is told where it was first, what is open where it was last.
    assert stands == [
        ("well.", first),
        ("lock.", first),
        ("glazier.", third),
        ("lock.", third),
    ]
    every = [one.entry.id for unit in units for one in (unit, *unit.folded)]
    assert sorted(every) == sorted(unit.entry.id for unit in units_of(entries))
    assert second in {twin.entry.day for unit in units for twin in unit.folded}


def test_what_is_told_again_after_it_was_denied_stands_again() -> None:
    claim = "- The north boiler runs on town gas.\n"
    denial = "- It is not true that the north boiler runs on town gas.\n"
    assert not any(
        "boiler" in unit.text and "not true" not in unit.text
        for unit in told_together(told_once(units_of(log(claim, claim, denial + FILLER))))
    )
    assert any(
        "boiler" in unit.text and "not true" not in unit.text
        for unit in told_together(told_once(units_of(log(claim, denial + FILLER, claim))))
    )


def shifted(*sentences: str) -> list[str]:
    """The changes that some days tell as such, each day one sentence."""
    units = units_of(log(*(f"- {said}" for said in sentences)))
    return [bullet_of([line]).fixed for line in told_shifts(units)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "Holm raised the toll for carts from 12 to 15 crowns.",
            "Toll for carts: from 12 to 15 crowns",
        ),
        ("Because of the frost the fair moves from 4 May to 11 May.", "Fair: from 4 May to 11 May"),
        ("Ferry fare 3.20 → 3.60 for grown-ups", "Ferry fare: from 3.20 to 3.60 for grown-ups"),
        ("So the grain account goes from Odile to Holm.", "Grain account: from Odile to Holm"),
        ("`weir/gates.toml` Lund 2.91 -> 2.94", "`weir/gates.toml` Lund: from 2.91 to 2.94"),
        ("-> **weir depth 0.5 -> 0.6 m**, at once", "Weir depth: from 0.5 to 0.6 m"),
        ("Kiln firing 14m20s -> 9m05s", "Kiln firing: from 14m20s to 9m05s"),
        ("Fair of 2.8 moved: 18 -> Monday 24 April.", "Fair of 2.8: from 18 to Monday 24 April"),
        (
            "Price changed in the mill at Lund: 14 → 11 crowns",
            "Price in the mill at Lund: from 14 to 11 crowns",
        ),
        ("Nine more bell ropes (hemp and jute): 60 -> 69", "Nine more bell ropes: from 60 to 69"),
        ("Cart price 180 -> 220 -> 195 crowns", "Cart price: from 180 to 220 to 195 crowns"),
        ("Salt in the bath from 3.0 down to 2.8 %", "Salt in the bath: from 3.0 down to 2.8 %"),
        ("Toll table goes from 37 to 60 bridge tolls.", "Toll table: from 37 to 60 bridge tolls"),
        ("Odile cut the lease from six weeks to four.", "Lease: from six weeks to four"),
        ("The bread queue has gone from eleven to ten.", "Bread queue: from eleven to ten"),
        (
            'The fair of "Two Rivers" moves from 4 to 11 May.',
            "Fair of Two Rivers: from 4 to 11 May",
        ),
        ("The sum asked for rises from £40 to £60.", "Sum asked for: from £40 to £60"),
        (
            "Holm has thought about the theft: the lease goes from 4 to 6 weeks.",
            "Lease: from 4 to 6 weeks",
        ),
        ("Odile approves the higher cart toll, 40 → 55 crowns.", "Cart toll: from 40 to 55 crowns"),
        ("Added nine bell ropes (hemp): 60 -> 69", "Bell ropes: from 60 to 69"),
        ("I raised the cart toll from 5 to 7 crowns at 12:00.", "Cart toll: from 5 to 7 crowns"),
        (
            "The mill opening is now on Monday 23 May instead of the 16th.",
            "Mill opening: from the 16th to Monday 23 May",
        ),
        (
            "Holm, 12:45, decides: Mill Fair not on 1 May, but Wednesday 8 May.",
            "Mill Fair: from 1 May to Wednesday 8 May",
        ),
    ],
)
def test_a_change_told_in_a_sentence_is_told_as_what_from_what_to_what(
    said: str, told: str
) -> None:
    assert shifted(said) == [f"{told} (6 Apr)"]


@pytest.mark.parametrize(
    "said",
    [
        "The fair runs from 4 May to 11 May.",
        "Odile walked from Ghent to Bruges.",
        "The move from Ghent to Bruges took a day.",
        "The water falls from 40 to 20 cm every single night.",
        "Holm wants to raise the toll from 12 to 15 crowns.",
        "Shall we raise the toll from 12 to 15 crowns?",
        "[ ] Go from 12 to 15 crowns for the cart toll",
        "The firing was split in 3 kilns -> 1m55s",
        "So 180 -> 220",
        "Odile carried sacks from 9 to 12 and asked nothing.",
        "Holm did the books from nine to one.",
        "Now eight rings, doubling from 1 s up to 60 s.",
        "Line 15 (downgrade test 2.4 -> 2.3) is left.",
        "Odile took S-08 and S-12 back to 2.3.1 at noon.",
        "The mill at Lund has a pass for 175, hence ours falls from €189 to €179.",
        "Done 14:10 (500 → 400 sacks).",
        "Noon spike at the weir 240 → 300 cm, gone by one.",
        "Odile starts on Monday 28 April instead of the 21st.",
    ],
)
def test_a_span_a_journey_a_wish_or_a_tide_is_no_change(said: str) -> None:
    assert shifted(said) == []


def test_changes_that_go_on_from_one_another_are_one_line_with_all_its_days() -> None:
    assert shifted(
        "The print run goes from 1,200 to 900 copies.", "Print run from 900 to 1,000 copies."
    ) == ["Print run: from 1,200 to 900 to 1,000 copies (6 Apr, 11 Apr)"]


def test_a_change_that_names_nothing_goes_on_from_one_that_does() -> None:
    assert shifted(
        "The bath house goes down from 28.5 to 28.0 degrees.",
        "The bath house is cold, says Odile → 28.0 up to 28.5 degrees again.",
    ) == ["Bath house: from 28.5 to 28.0 up to 28.5 degrees (6 Apr, 11 Apr)"]


def test_what_was_done_to_a_value_is_told_by_the_sentence_before() -> None:
    assert shifted(
        "I raised the weir limit from 500 to 700 cm.",
        "The weir limit is too high for the boats. Done 14:10 (700 → 400).",
    ) == ["Weir limit: from 500 to 700 to 400 cm (6 Apr, 11 Apr)"]


def test_a_version_goes_on_from_the_same_version_whatever_it_is_called() -> None:
    assert shifted("Kiln clay 6.7.2 → 6.8.1.", "Mending of the oven door: 6.8.1 → 6.8.2.") == [
        "Kiln clay: from 6.7.2 to 6.8.1 to 6.8.2 (6 Apr, 11 Apr)"
    ]


def test_a_question_over_a_list_is_no_name_of_what_changed() -> None:
    (line,) = told_shifts(units_of(log("## Ghent under 8?\n- Bruges 5.8 -> 5.1")))
    assert bullet_of([line]).fixed == "Bruges: from 5.8 to 5.1 (6 Apr)"


def test_a_value_is_not_called_by_who_gave_it_or_by_one_days_label() -> None:
    quotes = (
        "- Odile Marsh of the Lund mill quotes 240 euros a year.",
        "- Odile comes down to 280 euros.",
    )
    assert changes(units_of(log(*quotes)), 200) == []
    days = ("- routine: grain store 61 GB", "- Numbers first: grain store 55 GB, all well")
    (bullet,) = changes(units_of(log(*days)), 200)
    assert bullet.fixed.startswith("Grain store: from 61 GB to 55 GB")


def test_a_value_told_in_a_table_is_not_told_again_beside_another() -> None:
    table = "| what | 6 April | 11 April |\n|---|---|---|\n| Ghent weir depth | 6.1 cm | 4.7 cm |\n"
    entries = log("- Ghent weir 6.1 -> 4.7 cm, Bruges lock 5.8 -> 5.1 cm", table)
    found = [bullet.fixed for bullet in changes(units_of(entries), 400)]
    assert sum("4.7" in text for text in found) == 1
    assert any("Bruges lock" in text for text in found)


def test_a_sentence_with_a_change_that_is_told_nowhere_else_is_not_thought_told() -> None:
    said = (
        "- The mill at Lund on the far bank has brought out a pass for 175, hence ours falls from €189 to "
        "€179, and the first batch is raised from 500 to 800.\n"
    )
    found = [claim.text for claim in month(log(FILLER + said, FILLER, gap=8), share=0.2)]
    assert any("Batch: from 500 to 800" in text for text in found)
    assert any("€179" in text for text in found)


def test_a_value_taken_back_to_what_it_was_ends_the_line() -> None:
    assert shifted(
        "Kiln clay 6.7.2 → 6.8.1.", "Roll back to 6.7.2, the boxes hit every potter."
    ) == ["Kiln clay: from 6.7.2 to 6.8.1 back to 6.7.2 (6 Apr, 11 Apr)"]
    assert shifted("The toll goes from 12 to 15 crowns.", "The cart is back to 12 crowns.") == [
        "Toll: from 12 to 15 crowns (6 Apr)"
    ]


def test_a_value_in_the_place_of_the_last_goes_on_from_it() -> None:
    assert shifted(
        "The opening of the mill moves from 15 May to Friday 22 May.",
        "The opening is now on Wednesday 20 May at noon, no longer on the 22nd.",
        "Mill opening: 24 May (was 20 May).",
    ) == [
        "Opening of the mill: from 15 May to Friday 22 May to Wednesday 20 May to 24 May (6 Apr, 11 Apr, 16 Apr)"
    ]
    assert shifted("The toll goes from 12 to 15 crowns.", "The cart takes 9 crowns, not 15.") == [
        "Toll: from 12 to 15 crowns (6 Apr)"
    ]


def test_what_a_thing_is_set_to_by_its_name_goes_on_from_what_it_was() -> None:
    assert shifted("The sluice alarm goes from 60 to 55 cm.", "Sluice alarm set to 58 cm.") == [
        "Sluice alarm: from 60 to 55 to 58 cm (6 Apr, 11 Apr)"
    ]
    assert shifted("The sluice alarm goes from 60 to 55 cm.", "The mill pond set to 58 cm.") == [
        "Sluice alarm: from 60 to 55 cm (6 Apr)"
    ]


def test_all_that_a_value_has_been_may_be_told_in_a_row() -> None:
    assert shifted("The toll goes from 12 to 15 crowns.", "So 12, then 15, now 13.")[0].startswith(
        "Toll: from 12 to 15 to 13"
    )
    assert shifted("The toll goes from 12 to 15 crowns.", "So 11, then 15, now 13.") == [
        "Toll: from 12 to 15 crowns (6 Apr)"
    ]


def test_a_setting_is_what_its_arrow_leads_to() -> None:
    (unit,) = units_of(log("- `sack_size` 20 -> 15. Done.\n")[:1])
    ((_, reading),) = worths(unit)
    assert (reading.was, reading.value) == ("20", "15")


def test_what_varies_has_not_changed() -> None:
    assert shifted("The flour price wanders from 17 to 24 crowns depending on the rain.") == []


def test_what_a_thing_was_may_stand_in_a_sentence_of_its_own() -> None:
    assert shifted("Price of the flour goes up to £28, since rye is dear. Was £24.") == [
        "Price of the flour: from £24 to £28 (6 Apr)"
    ]


def test_days_of_several_are_a_value_that_moves() -> None:
    assert shifted(
        "The fair moves from 3–8 May to 10–15 May.",
        "The fair goes back by a further week, from 10–15 May to 28 May–2 June.",
    ) == ["Fair: from 3-8 May to 10-15 May to 28 May - 2 June (6 Apr, 11 Apr)"]


def test_what_is_counted_in_the_place_of_another_count_goes_on_from_it() -> None:
    assert shifted("Eight carts now instead of nine.", "Nine carts again instead of eight.") == [
        "Carts: from nine to eight to nine (6 Apr, 11 Apr)"
    ]
    days = (
        "## Ferry hire\n- So €220 (£189) a day in place of €180, says Holm.",
        "## Ferry\n- By handshake €200 (£172) a day, Monday to Friday, down from 220.",
    )
    (line,) = told_shifts(units_of(log(*days)))
    assert line.told == "from €180 to €220 a day to €200 a day"


def test_a_value_from_now_on_goes_on_from_the_last_in_its_unit() -> None:
    first = "Reading speed goes from 17 to 15 lines per page."
    assert shifted(first, "So 16 lines per page from now on.") == [
        "Reading speed: from 17 to 15 to 16 lines per page (6 Apr, 11 Apr)"
    ]
    assert shifted(first, "So 16 crates per cart from now on.") == [
        "Reading speed: from 17 to 15 lines per page (6 Apr)"
    ]


def test_a_sentence_that_names_what_it_replaces_is_told_itself() -> None:
    said = "- Decided: no carter from Lund, he drinks. Eight carts now instead of nine."
    found = [claim.text for claim in month(log(FILLER + "\n" + said, FILLER, gap=8))]
    assert any("carter from Lund" in text for text in found)
    assert not any(text.startswith("Carts: from") for text in found)


def test_a_change_is_named_by_what_a_later_day_or_a_longer_heading_says() -> None:
    days = ("- Limit 12 → 25 sacks.", "## Grain store\n- Limit 25 → 20 sacks.")
    (line,) = told_shifts(units_of(log(*days)))
    assert bullet_of([line]).fixed.startswith("Grain store: limit from 12 to 25 to 20 sacks")
    (line,) = told_shifts(units_of(log("## Session B - ferry licence\n- Licence 72 h → 24 h.")))
    assert bullet_of([line]).fixed == "Ferry licence: from 72 to 24 h (6 Apr)"


def test_a_choice_that_was_reversed_stays_a_step_of_its_value() -> None:
    first = "- Decided: with the city firm's lathe the quote goes from £380 to £465.\n"
    then = (
        "- Decided: Holm's lathe instead of the city firm's brings the quote from £465 to £430.\n"
    )
    told = [claim.text for claim in month(log(FILLER + first, then, gap=8)) if "£430" in claim.text]
    assert any("from £380 to £465 to £430" in text for text in told)


def test_what_came_of_a_count_is_no_change_of_it() -> None:
    assert not tells_change("The firing was split in 3 kilns -> 1m55s.")
    assert not tells_change("Latency here: 512 frames -> 23 ms round trip, 256 frames -> 14 ms.")
    assert not tells_change("Odile carried sacks from 9 to 12 and asked nothing.")
    assert tells_change("Odile raised the toll from 9 to 12 and asked nobody.")
    assert not tells_change("Line 15 (downgrade test 2.4 -> 2.3) is left.")
    assert not tells_change("Locks: `grep -c locked logs/pool-0830.log` -> 64")
    assert tells_change("The weir depth: 0.6 m -> 10 % of the draught.")


def test_a_change_is_part_of_a_thing_not_of_who_said_it_or_when() -> None:
    day = "## Weekly review\n- Odile said: toll gone.\n- Odile: sluice 4 -> 6 turns.\n"
    under = "## Mill race\n- Odile: sluice 6 -> 7 turns.\n"
    assert [bullet_of([one]).fixed for one in told_shifts(units_of(log(day)))] == [
        "Sluice: from 4 to 6 turns (6 Apr)"
    ]
    (line,) = told_shifts(units_of(log("- Odile said: toll gone.\n" + under)))
    assert bullet_of([line]).fixed == "Mill race: sluice from 6 to 7 turns (6 Apr)"


def test_two_changes_of_one_sentence_under_one_heading_share_a_bullet() -> None:
    day = "## Mill insurance\n- The cover goes from 3 to 4 million and the premium from 90 to 110."
    (bullet,) = changes(units_of(log(day)), 100)
    told = "cover from 3 to 4 million, premium from 90 to 110"
    assert bullet.fixed == f"Mill insurance: {told} (6 Apr)"


@pytest.mark.parametrize(
    "days",
    [
        ("- Market £420.", "- Market £447.", "- Saturday market £540."),
        ("- Kiln draught at 96 %.", "- Kiln draught at 95 %."),
        (
            "## Ferry\n- Entry £9 for the late boat.",
            "## Bath house\n- Entry back to £14 on Sunday.",
        ),
        ("## Mill\n- Memory 140 MB of 256 MB.", "## Loose\n- Kiln memory at noon 210 MB."),
    ],
)
def test_another_day_or_another_thing_is_no_change(days: tuple[str, ...]) -> None:
    assert changes(units_of(log(*days)), 200) == []


def test_what_is_read_off_from_day_to_day_is_no_change_unless_it_is_set() -> None:
    assert changes(units_of(log("- Queue 20 min.", "- Queue 15 min.")), 200) == []
    (bullet,) = changes(units_of(log("- Queue limit 20 min.", "- Queue limit 15 min.")), 200)
    assert bullet.fixed.startswith("Queue limit: from 20 min to 15 min")


def test_a_word_for_a_thing_is_that_thing_where_its_heading_says_so() -> None:
    days = ("## Kiln\n- Memory 140 MB.", "## Loose\n- Kiln memory 210 MB.")
    (bullet,) = changes(units_of(log(*days)), 200)
    assert bullet.fixed == "Kiln memory: from 140 MB to 210 MB (6 Apr to 11 Apr)"


def test_a_row_with_a_column_for_each_day_tells_how_a_thing_changed() -> None:
    days = (
        "| What | 1 Mar | today |\n|---|---|---|\n| weir depth | 8.4 m | 6.1 m |\n",
        "| What | 1 Mar | 6 Apr | today |\n|---|---|---|---|\n| weir depth | 8.4 m | 6.1 m | 4.7 m |\n"
        "| keeper | Odile | Holm | Ana |\n",
        "| Boat | Lund | Ghent |\n|---|---|---|\n| punt | 4 m | 5 m |\n",
    )
    entries = log(*days)
    (bullet,) = changes(units_of(entries), 200)
    assert bullet.fixed == "Weir depth: from 8.4 to 6.1 to 4.7 m (1 Mar, 6 Apr, 11 Apr)"
    assert told((*entries, *log(FILLER)), "Trajectory") == [bullet.fixed]
    assert entries[1] in needed_with(entries, []).entries


def test_what_changed_beside_what_a_week_told_in_its_list_traces_to_it() -> None:
    entries = log(f"- Toll raised from 2 to 3 crowns.\n- Bell rope cut from 9 to 7 m.\n{FILLER}")
    cited = {entry.id for entry in entries if "Bell rope" not in entry.text}
    units = units_of(entries)
    found = [*Traces(units, cited).bound(changes(units, 100))]
    assert any("Bell rope" in one.fixed and cited & set(sources(one.units)) for one in found)


def test_a_shortened_sentence_has_only_the_specifics_it_still_tells() -> None:
    (unit,) = units_of(log("- Crate 4471 came from Ghent, which cost 310 crowns."))
    before = unit.atoms
    unit.shorten("Crate 4471 came from Ghent")
    assert unit.atoms < before and "310" not in " ".join(unit.atoms)
    assert unit.tokens < 12


def test_what_stands_in_headings_of_several_weeks_is_a_theme_of_the_month() -> None:
    entries = log(
        f"## Kiln: the first firing\n- Bricks for the kiln arch came from Lund, 400 of them.\n{FILLER}",
        "## Repairs at the kiln\n- The arch of bricks held at 900 degrees, Ana signed it.",
        gap=7,
    )
    threads = [text for text in told(entries, "Themes") if "2026-W" in text]
    assert len(threads) == 1
    assert "kiln" in threads[0].partition(":")[0].lower()
    assert "900 degrees" in threads[0]


def test_a_part_of_every_day_is_no_theme() -> None:
    entries = log(
        "## Kitchen\n- Soup of leeks for nine guests on Monday.\n",
        "## Kitchen\n- New kettle bought by Holm for 30 crowns.\n",
        gap=7,
    )
    assert "kitchen" not in subjects(units_of(entries))


def test_what_parts_nearly_every_day_is_no_theme_whatever_is_said_under_it() -> None:
    crane = "- The crane at the north pier lifts {} tons, Odile says the pier gave way.\n"
    days = [f"## Harbour\n{crane.format(n)}\n## Loft\n- Bale {n} went up.\n" for n in range(30, 38)]
    assert "harbour" not in subjects(units_of(log(*days, gap=2)))


@pytest.mark.parametrize(
    "days",
    [
        (
            "## Kiln (OPS-31)\n- The red bricks of Lund came for the arch on a cart.",
            "## Weir (OPS-32)\n- The red bricks of Lund came for the sluice on a boat.",
        ),
        (
            "## Review\n- The arch of bricks for the kiln is due.",
            "## Review\n- The arch of bricks for the kiln held.",
        ),
        (
            "## What we take from it\n- The red bricks of Lund came for the arch on a cart.",
            "## What we take from it\n- The red bricks of Lund came for the sluice on a boat.",
        ),
    ],
)
def test_a_number_an_occasion_or_a_clause_is_no_subject(days: tuple[str, ...]) -> None:
    found = subjects(units_of(log(*days, gap=7)))
    assert not {"ops-31", "ops-32", "ops", "review"} & {*found}


def test_what_two_days_say_of_one_place_is_a_theme_only_where_it_is_one_matter() -> None:
    salt = "## Stone Harbour\n- Salt delivered at Stone Harbour, nine bags, one torn.\n"
    crane = "## Stone Harbour\n- The crane at Stone Harbour lifts 40 tons with its hook of iron.\n"
    hook = "## Stone Harbour\n- Ana signed for the new hook of the crane at Stone Harbour.\n"
    told_of = [told(log(f"{one}{FILLER}", hook, gap=7), "Themes") for one in (salt, crane)]
    threads = [[text for text in found if "2026-W" in text] for found in told_of]
    assert threads[0] == [] and "new hook" in threads[1][0]


def test_a_theme_is_told_by_what_was_decided_and_how_it_ended() -> None:
    entries = log(
        "## Kiln\n- Decided: the kiln gets an arch of bricks from Lund. Odile had soup.\n"
        f"- Told Odile about the arch by phone, long breath, grey sky over Lund.\n{FILLER}",
        f"## Loose\n- Somebody asked Holm about the arch of the kiln.\n{FILLER}",
        "## Kiln\n- The arch of the kiln is finished, Ana signed it.\n- Holm swept round the arch.",
        gap=7,
    )
    theme = " ".join(text for text in told(entries, "Themes") if "2026-W" in text)
    assert "gets an arch of bricks" in theme and "finished" in theme and "breath" not in theme


def test_a_numbered_decision_is_no_routine_however_many_there_are() -> None:
    decided = ("build a weir of oak", "sell the grey goats", "paint the chapel white")
    entries = log(*(f"- Decision (KX-{n}): we {one}." for n, one in enumerate(decided, 14)))
    units = units_of(entries)
    assert not routine_openings(units)
    assert [*map(is_announced, units)] == [True, True, True]


def test_what_stands_and_bare_figures_are_no_part_of_a_month() -> None:
    entries = log(
        "- [ ] go from 37 to 60 tolls in the book\n- We use about 9,400 bricks a month, so 12 more.\n"
        f"## Hour by hour\n- 266\n{FILLER}",
        "- [x] the tolls are in the book\n- Kiln built and signed by Ana.",
    )
    claims = {section: told(entries, section, share=0.9) for section in MONTH_SECTIONS}
    everything = " ".join(text for texts in claims.values() for text in texts)
    assert "266" not in everything
    assert not any("9,400" in text for text in claims["Milestones"])
    assert not any("37 to 60" in text for text in claims["Trajectory"])


def test_a_theme_never_leaves_the_end_off_an_item_that_is_told_with_it() -> None:
    entries = log(
        f"- [ ] Odile sends the last levelling sheet by post (!)\n{FILLER}",
        f"- Odile's letter (levelling sheet) has not come; post.\n{FILLER}",
        "- Odile's levelling sheet came, scanned by Ana before noon: `weir/sources/lund/levelling.pdf`",
        gap=7,
    )
    everything = [text for section in MONTH_SECTIONS for text in told(entries, section)]
    assert any("scanned by Ana" in text for text in everything)
    assert all("scanned by Ana" in text for text in everything if "sends" in text)


def test_a_thread_is_told_whole_in_bullets_that_follow_one_another_under_its_name() -> None:
    entries = log(
        "- Decision (KX-15): the arch of the kiln is laid in bricks from Lund and pointed with lime. "
        f"Reason: bricks hold the heat, and Odile can mend every one of them by herself.\n{FILLER}",
        f"- Fed the geese and swept the long gallery from end to end.\n{FILLER}",
        "- Decision (KX-20): back to a vault of rammed clay for the arch of the kiln, with straw in it. "
        "The bricks from Lund split at nine hundred degrees, says Holm the mason.",
        gap=8,
    )
    themes = told(entries, "Themes")
    assert themes[0].startswith("Bricks from Lund (2026-W15): 6 Apr - Decision (KX-15)")
    assert themes[1].startswith("Bricks from Lund (2026-W17): 22 Apr - Decision (KX-20)")
    assert "mend every one" in themes[0] and "split at nine hundred" in themes[1]


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [
        # Who is spoken of twice, and what is counted alike, is no matter.
        ("Odile picked the boat, Captain Ferrant nods", "Fixed the scan by Captain Ferrant", 0),
        ("Merged both lists within five minutes at noon", "Fixed the lamp after five minutes", 0),
        ("Merged the plan of the weir gate for Lund", "Fixed the weir gate in heavy rain", 1),
        ("KX-31 is dark since the storm", "KX-31 has a new aerial, put up by Holm", 1),
    ],
)
def test_a_thread_is_of_one_thing_not_of_a_person_or_a_count(
    one: str, other: str, count: int
) -> None:
    units = units_of(log(f"- {one}.\n{FILLER}", f"- {other}.", gap=8))
    assert len(subjects(units)) == count


def test_a_value_is_told_once_where_a_table_tells_all_its_steps() -> None:
    table = "| What | 1 Mar | 6 Apr | today |\n|---|---|---|---|\n| weir depth | 8.4 m | 6.1 m | 4.7 m |\n"
    entries = log(f"- Kiln swept.\n{FILLER}", f"- The weir went from 6.1 to 4.7 m.\n\n{table}")
    found = [bullet.fixed for bullet in changes(units_of(entries), 200)]
    assert found == ["Weir depth: from 8.4 to 6.1 to 4.7 m (1 Mar, 6 Apr, 11 Apr)"]


@pytest.mark.parametrize(
    ("one", "other", "told_as"),
    [
        (
            "The fair moved from 18 to Thursday 24 September.",
            "Fair moved again: 24 -> Tuesday 29 September.",
            "from 18 to Thursday 24 September to Tuesday 29 September",
        ),
        (
            "The transport of the bell moves from 5 October to Wednesday 14 October.",
            "The bell's transport moved from Oct 14 to Tuesday 13 October.",
            "from 5 October to Wednesday 14 October to Tuesday 13 October",
        ),
    ],
)
def test_a_day_that_moves_again_goes_on_however_it_is_written(
    one: str, other: str, told_as: str
) -> None:
    (bullet,) = changes(units_of(log(f"- {one}", f"- {other}")), 200)
    assert told_as in bullet.fixed


def test_a_value_of_one_sentence_is_not_told_beside_that_sentence() -> None:
    entries = log(
        "- Decision: the panel of the kiln went from 214 words to 131, and the limit of panels is 90 words.\n"
        f"{FILLER}",
        "- Decision: with 90 words the list of kiln panels is cut, the limit of the hall is tight.",
        gap=8,
    )
    assert any("214 words to 131" in text for text in told(entries, "Themes"))
    assert not any("214" in text for text in told(entries, "Trajectory"))


def test_a_crowded_month_tells_what_a_paragraph_says_in_one_passage() -> None:
    places = ("Aldmoor", "Brackley", "Corven", "Dunmere", "Eskdale", "Farrow", "Garth", "Hexley")
    paragraph = "The quay at {} is closed for {} weeks. Odile found rot under plank {}. Holm pays {}00 crowns."
    days = [
        "\n\n".join(paragraph.format(place, n + day, 3 * n + day, 2 * n + day) for place in places)
        for day, n in enumerate(range(20, 60))
    ]
    entries = log(*days, gap=1)[:300]
    size = sum(estimate(entry.text) for entry in entries)
    target = 2400
    brief = Brief("month", "2026-04", MONTH_SECTIONS, entries, target=target, size=size)
    found = [claim.text for claim in offline.write(brief).claims]
    assert any("is closed for" in text and "found rot" in text and "pays" in text for text in found)


def test_of_what_more_days_speak_comes_before_what_two_do() -> None:
    entries = log(
        f"- Merged the weir gate drawing for Lund.\n- Merged the pier lamp plan for Ghent.\n{FILLER}",
        f"- Fixed the pier lamp in heavy rain.\n{FILLER}",
        f"- Repaired the pier lamp with tarred rope.\n{FILLER}",
        "- Finished the pier lamp with copper wire.\n- Fixed the weir gate after Lund wrote.",
        gap=8,
    )
    assert subjects(units_of(entries)) == ["pier lamp", "weir gate"]


def test_a_thread_cites_the_sentence_that_its_name_is_from() -> None:
    entries = log(
        "- Decided on the three-option format for every letter to Holm, so that the abbey can choose at a glance "
        f"and nobody has to read more than a page of it before the bell rings for supper.\n{FILLER}",
        f"- Fed the geese and swept the long gallery from end to end.\n{FILLER}",
        "- Decided to give Holm three concrete options with enough around each to choose quickly, in the old format, "
        "on thin paper, with the seal of the abbey under it and the name of whoever carries it.",
        gap=8,
    )
    named = [claim for claim in month(entries) if claim.text.startswith("Three-option format (")]
    assert [claim.text[20:31] for claim in named] == ["(2026-W15):", "(2026-W17):"]
    by_id = {entry.id: entry.text for entry in entries}
    for claim in named:
        assert any("three-option" in by_id[source] for source in claim.sources)


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (
            "Winter room fee: 14 EUR from 1 November (12 before).",
            ("Winter room fee", "12", "14 EUR"),
        ),
        ("14 EUR from 1 November (12 before).", ("", "12", "14 EUR")),
        ("The limit is 500 EUR, it was 300.", ("limit", "300", "500 EUR")),
        ("Rent: 1,200 a month (was 1,150).", ("Rent", "1,150", "1,200 a month")),
        ("From today the radio time is 17:45 and not 18:30.", ("radio time", "18:30", "17:45")),
        ("Seats: 64 (were 58).", ("Seats", "58", "64")),
        ("The fee is 28 EUR. It was 24 EUR.", ("fee", "24 EUR", "28 EUR")),
        (
            "The upload answers 202 with a job id in 140 ms (was 41 s for an hour of sound).",
            ("upload", "41 s", "140 ms"),
        ),
        (
            "Import of guests: 4,112 rows in 3 minutes (was 9 minutes).",
            ("Import of guests", "9 minutes", "3 minutes"),
        ),
    ],
)
def test_a_value_beside_what_it_was_is_a_change(text: str, change: tuple[str, str, str]) -> None:
    assert [(one.what, one.old, one.new) for one in shifts_in(text)] == [change]
    assert tells_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "The pump gave 40 litres (20 per side).",
        "Free until 10 days before (7 before).",
        "From today only bills over 500 EUR need two names, it was 300.",
    ],
)
def test_a_value_that_nothing_names_is_no_change_of_its_own(text: str) -> None:
    assert not shifts_in(text)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["01:00", "03:00"], ["01:00", "03:00"]),
        (["41 s", "140 ms"], ["41 s", "140 ms"]),
        (["80 ms", "12 ms"], ["80", "12 ms"]),
    ],
)
def test_only_a_unit_that_both_values_have_is_said_once(values: list[str], told: list[str]) -> None:
    assert with_one_unit(values) == told


def test_sentences_that_tell_a_change_in_other_words() -> None:
    assert tells_change("2,316 records became 2,301.")
    assert tells_change("That saves a sling: three rotations left and not four (one Lantern).")
    assert not tells_change("He became head of the 2 sheds.")


def test_an_arrow_to_another_measure_is_no_change() -> None:
    assert not shifts_in(
        "Click latency: 512 frames -> 23 ms round trip, 256 frames -> 14 ms there."
    )
    assert shifts_in("Click latency: 23 ms -> 14 ms round trip.")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Kiln fuse · tile glue · Holm's letter · roof", 4),
        ("Not done: kiln fuse, tile glue, Holm's letter, roof", 4),
        ("Kiln fuse (Holm), tile glue (Odile), roof (nobody), door", 4),
        ("Signed, stamped, carried", 1),
        ("Odile was at the kiln, Holm had the letter of the mason with him, tea, cake", 1),
    ],
)
def test_things_named_one_after_another_are_a_list(text: str, parts: int) -> None:
    assert parts_of(text) == parts


def test_a_list_of_what_was_once_to_do_is_no_news_of_the_month() -> None:
    listed = "- Open: kiln fuse · tile glue · mason's letter · roof slates · goat bell · chapel key"
    texts = [claim.text for claim in month(log(listed, FILLER, gap=25), share=0.2)]
    assert texts and not any("·" in text for text in texts)


def test_how_a_thread_ended_has_its_place_before_how_it_began() -> None:
    units = units_of(
        log(
            "- Decision: the kiln gate gets a steel hinge.",
            "- Odile painted the kiln gate white.",
            "- Decision: the kiln gate is moved to the yard.",
            gap=8,
        )
    )
    stated = {unit.at for unit in units if unit.must}
    themes, sure = leading_themes(units, stated, frozenset(), room=60)
    assert len(themes) == 3
    assert sure == {2}


def test_of_two_threads_the_one_that_more_days_speak_of_comes_first() -> None:
    entries = log(
        "- Decision: hang the kiln gate under chapel stairs.",
        "- Decision: mix the tile glue beside warm ovens.",
        "- Holm stored the tile glue behind apple crates.",
        "- Decision: oil the kiln gate before Sunday market.",
        "- Odile thinned the tile glue with goat milk.",
        "- Young weavers smelled the tile glue at dawn.",
        "- Old linen held the tile glue till noon.",
        "- Frost split the tile glue on the heath.",
    )
    assert subjects(units_of(entries))[:2] == ["tile glue", "kiln gate"]


def test_a_decision_is_not_cut_to_its_change_without_its_reason() -> None:
    moved = "\n".join(
        f"- Shipped: the {what} went from {n} to {n + 3} pounds after a long talk with the mason, "
        "who had come on foot over the heath and wanted tea."
        for n, what in enumerate(
            ("rent of mills", "toll of bridges", "price of salt", "weavers' wage"), 11
        )
    )
    chosen = (
        "- Decision (ADR-7): Linseed replaces Tallow for the window frames. "
        "Reason: two hours against nine, and no smell of sheep in chapel."
    )
    texts = [claim.text for claim in month(log(moved, chosen, FILLER, gap=8), share=0.7)]
    assert any("Linseed" in text and "two hours against nine" in text for text in texts)


def test_of_two_items_the_later_is_carried_on_first() -> None:
    units = units_of(
        log(
            "- [ ] replace the fuse of the kiln at the mill before winter (Holm)",
            *(["- The goat slept."] * 4),
            "- [ ] slates on the roof of the chapel",
        )
    )
    items = [unit for unit in units if unit.section == cues.OPEN]
    assert by_weight(units, items, {unit.at for unit in items})[0] is items[-1]


def test_a_value_is_not_told_beside_the_passage_that_ends_with_it() -> None:
    entries = log(
        "Odile bought a drying stove for the weavers' loft, £189 from the smith at Lund. "
        "And the limit for the loft goes from 55 % down to 50 %, because below that no mould grows.\n\n"
        f"{FILLER}",
        FILLER,
        gap=8,
    )
    found = [claim.text for claim in month(entries)]
    assert sum("50 %" in text for text in found) == 1


def test_a_decision_is_reversed_by_one_that_names_its_number() -> None:
    entries = log(
        "- **Decision (ADR-014):** keep the tolls in a slate ledger by the weir.",
        "- **Decision (ADR-019): all sums are counted a year ahead.** Supersedes ADR-014.",
        "- Odile asks whether ADR-019 replaces the bell.",
    )
    units = units_of(entries)
    by_place = {unit.at: unit.text for unit in units}
    found = {by_place[at]: later.text for at, later in reversals(units).items()}
    ((old, new),) = found.items()
    assert "ADR-014" in old
    assert "ADR-019" in new


def test_what_a_record_says_stands_beside_its_number() -> None:
    entries = log(
        "- **Decision: slate ledgers for the tolls.** Reason: no ink by the weir. Written up as ADR-014.",
        "- **So: the slates go, the miller himself writes down each barge.** ADR-017, supersedes ADR-014.",
        "- The tablet for ADR-014 was cracked anyway.",
    )
    units = units_of(entries)
    by_place = {unit.at: unit.text for unit in units}
    found = {by_place[at]: later.text for at, later in reversals(units).items()}
    ((old, new),) = found.items()
    assert old.startswith("Slate ledgers")
    assert "the slates go" in new


def test_a_decision_on_words_is_reversed_by_one_that_names_them_as_replaced() -> None:
    entries = log(
        '- Decided: the sign says "about a hundred barges".',
        '- The sign says "104 barges", as the toll book has it. That replaces "about a hundred barges".',
        '- Odile reads "about a hundred barges" aloud.',
    )
    units = units_of(entries)
    by_place = {unit.at: unit.text for unit in units}
    found = {by_place[at]: later.text for at, later in reversals(units).items()}
    ((old, new),) = found.items()
    assert old.startswith("The sign says")
    assert "104 barges" in new


def test_a_decision_is_reversed_where_the_thing_is_again_what_it_was() -> None:
    entries = log(
        "- Decided: the ferry is now called The Bell.",
        "- So we go back: the ferry is Low Water again, and for good.",
        "- The bell is late again.",
    )
    units = units_of(entries)
    by_place = {unit.at: unit.text for unit in units}
    found = {by_place[at]: later.text for at, later in reversals(units).items()}
    ((old, new),) = found.items()
    assert "The Bell" in old
    assert "Low Water again" in new


def test_a_field_that_is_called_supersedes_takes_nothing_back() -> None:
    entries = log(
        "- Decision: we must keep a record of the tolls.",
        "- Decision: corrected tolls come as a new record with `supersedes`.",
    )
    assert reversals(units_of(entries)) == {}


def test_two_things_that_one_person_said_are_no_reversal() -> None:
    entries = log(
        "- Odile said that Holm came. Odile has already decided that she likes him.",
        "- Odile says her blame is that on the worn piece four teeth were hardly teeth any more.",
    )
    assert reversals(units_of(entries)) == {}


def test_a_change_that_is_called_a_decision_comes_before_other_changes() -> None:
    things = (
        "boards gates ropes chains locks sluices pumps rails doors lamps bells wheels vats kegs"
    )
    steps = "".join(
        f"- Merged and closed: the {one} of weir {at} took {at} min instead of {at + 4}.\n"
        for at, one in enumerate(things.split(), 11)
    )
    decision = "- **Decision:** Slate replaces Paper for the almanac. Reason: 2 crowns against 41."
    entries = log(f"{FILLER}\n{steps}", f"{FILLER}\n{decision}", gap=8)
    assert any("Slate replaces Paper" in claim.text for claim in month(entries, share=0.1))


def test_a_row_of_figures_in_the_words_of_every_day_gives_way() -> None:
    row = "- Merged round: barley {} sacks, {} loaves baked, mill queue {}, boats {} of {}, weir {} cm."
    days = [
        f"{row.format(61 + day, 300 + 7 * day, 30 + day, 4, 11, 80 + day)}\n{FILLER}"
        for day in range(12)
    ]
    found = [claim.text for claim in month(log(*days, gap=2), share=0.12)]
    assert not any("loaves" in text for text in found)


def test_what_its_writer_calls_trifles_gives_way() -> None:
    said = "- Closed: the yard at Lund for carts, by order of the bailiff of the lower town.\n"
    for heading, is_told in (("Odds and ends", False), ("The yard", True)):
        entries = log(f"## {heading}\n{said}\n## Work\n{FILLER}\n{FILLER.replace('The', 'No')}")
        found = headlines(units_of(entries)[:1] + units_of(log("- Closed: the lock at Ghent."))[:1])
        assert ("yard" in found[0].text) is is_told


@pytest.mark.parametrize(
    "text", ["Mill 2 needs 48 GB, it has 69.", "Disk 71 / 58 %.", "For our field 600 crowns."]
)
def test_what_is_needed_or_stands_beside_another_is_no_value_of_a_thing(text: str) -> None:
    (unit,) = units_of(log(f"- {text}\n")[:1])
    assert not list(worths(unit))


@pytest.mark.parametrize(
    "text",
    [
        "The end of the old gate is put off to 29 May.",
        "Back down to 90 a minute, and they must cache.",
        "So we made it 2 hours.",
        "New date: 23 March.",
        "Holm raised the drive to 80 GB at ten.",
        "The second door is in, 78 people from now on.",
        "The day rate is £380 from 23 March.",
        "Sheets are kept for 30 days as of Monday.",
        "The planting is to be the 21st.",
        "She has put me up to £400.",
    ],
)
def test_a_sentence_may_tell_to_what_a_value_changed_and_not_from_what(text: str) -> None:
    assert sets_value(text)
    assert not tells_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "Nine goats went to the heath, 40 paces off.",
        "Odile is back at school until the 7th.",
        "The lower rows 10 to 14 are pegged.",
        "Going back to 26 January, nothing old was found.",
        "A bill of £88.40 and a postcard of 2025.",
        "The gate is open from 9 to 12.",
    ],
)
def test_what_moves_or_lasts_sets_no_value(text: str) -> None:
    assert not sets_value(text)


def test_to_what_a_value_changed_stands_where_changes_do() -> None:
    said = "- The end of the old gate was put off to 29 May, Holm says."
    found = told(log("- The old gate ends on 30 April.", f"{said}\n{FILLER}", gap=9), "Trajectory")
    assert any("29 May" in text for text in found)


def test_a_count_of_a_whole_is_called_as_its_first_or_last_day_calls_it() -> None:
    days = (
        "## The chapel opens\n- 131/246, nine of them singers.",
        "## False alarm\n- 158/246, soup after.",
        "## What happened since\n- 246/246, none left.",
    )
    found = [text for text in told(log(*days, gap=2), "Trajectory") if "246" in text]
    assert found and not any(text.startswith("False alarm") for text in found)


def test_a_launch_is_the_first_headline() -> None:
    units = units_of(
        log("- Closed: the lock at Ghent.\n- The night ferry went live at ten and stayed on time.")
    )
    assert "night ferry" in headlines(units)[0].text
