"""What a month's days speak of again and again: which names are stories, and what is told of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from lithify.engines import offline
from lithify.engines.offline.matters.stories import stories, told_by
from lithify.engines.offline.matters.themes import ByTheme, Theme
from lithify.engines.offline.page.bullets import Packing
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.text import LIMIT
from lithify.engines.offline.reading.units import units_of
from lithify.markdown.parse import parse
from lithify.text.tokens import estimate
from lithify.values import MONTH_SECTIONS, Brief, Claim, Entry
from lithify.verify.claims import Shown, examine

START = date(2026, 4, 6)
#: Days of other things, so that no story is of most days.
OTHERS = (
    "## Loft\n- Nine bales of wool went up before noon.\n- Moths found.\n- Hatch oiled.\n- Ropes counted.",
    "## Chapel\n- White goats were led over the heath.\n- Psalms sung.\n- Wax melted.\n- Bench mended.",
    "## Attic\n- Apple crates stand behind a grey board.\n- Mice heard.\n- Beam dusted.\n- Skylight shut.",
    "## Yard\n- Salt wind dried what the masons had washed.\n- Gravel raked.\n- Pump primed.\n- Gate hung.",
    "## Shed\n- A black kettle was lent to the weavers.\n- Axes ground.\n- Lamp trimmed.\n- Sacks folded.",
    "## Pond\n- Two ducks came, one of them lame.\n- Reeds cut.\n- Ice gone.\n- Sluice greased.",
)


def log(*days: str) -> tuple[Entry, ...]:
    """The entries of some days among others, four days from one to the next."""
    found: list[Entry] = []
    for number, text in enumerate((*days, *OTHERS)):
        day = START + timedelta(days=4 * number)
        found += parse(text.encode(), label=day.isoformat(), day=day).entries
    return tuple(found)


def names(*days: str) -> set[str]:
    """The stories of some days, as they are called."""
    units = units_of(log(*days))
    return {story.name for story in stories(units)}


def under(heading: str) -> tuple[str, ...]:
    """Three days of a story under a heading."""
    said = (
        "Bricks came by cart, 400 of them, and were laid out to dry.",
        "An arch was begun.",
        "Fired to 900 degrees, and no crack in any of the bricks.",
    )
    return tuple(f"## {heading}\n- {one}" for one in said)


@pytest.mark.parametrize(
    ("days", "name"),
    [
        (under("Kiln"), "Kiln"),
        (under("10:40 Kiln"), "Kiln"),
        (("## Kiln\n- Bricks.", "## Kiln: the arch\n- Begun.", "## Kiln\n- Fired."), "Kiln"),
        (
            (
                "- Our offer for Port Ellery went out.",
                "- They want a crane at Port Ellery.",
                "- Signed with Port Ellery, 900 crowns.",
            ),
            "Port Ellery",
        ),
        (
            (
                "- The mast lamp is dark again.",
                "- Holm took the mast lamp apart.",
                "- The mast lamp burns since noon.",
            ),
            "mast lamp",
        ),
    ],
)
def test_what_several_days_speak_of_is_a_story(days: tuple[str, ...], name: str) -> None:
    assert name in names(*days)


@pytest.mark.parametrize(
    "days",
    [
        under("Review"),
        under("What we take from it"),
        under("Notes"),
        ("- Odile said no.", "- Sent it to Odile.", "- Odile asked for more."),
        ("- Fish on Friday.", "- Tar in the Friday boat.", "- Soup till Friday."),
        ("- Holm: the arch holds.", "- Holm: it is dry.", "- Holm: the door fits."),
        under("Kiln")[:2],
    ],
)
def test_an_occasion_a_person_or_a_thing_of_two_days_is_none(days: tuple[str, ...]) -> None:
    assert names(*days) == set()


def test_what_most_days_speak_of_is_routine_and_no_story() -> None:
    assert "Kiln" not in names(*under("Kiln"), *under("Kiln"), *under("Kiln"))


def test_what_one_week_alone_tells_is_no_story_of_the_month() -> None:
    units = units_of(log(*under("Kiln")))
    first = [unit for unit in units if unit.entry.day == START]
    assert told_by(stories(units), first, frozenset()) == ([], {})


def test_a_story_is_told_by_how_it_stands_and_how_it_began() -> None:
    units = units_of(log(*under("Kiln")))
    found = stories(units)
    parts, named = told_by(found, units, frozenset())
    own = [unit.text.split()[0] for unit in parts if named[unit.at] == "Kiln"]
    assert own == ["Fired", "Bricks"]


def test_a_heading_of_two_days_is_looked_for_in_the_sentences_of_others() -> None:
    days = ("## Kiln\n- Bricks.", "## Kiln\n- Begun.", "- Salt was thrown into the kiln at noon.")
    (story,) = [one for one in stories(units_of(log(*days))) if one.name == "Kiln"]
    assert len(story.places) == 3


def test_of_two_names_for_the_same_sentences_one_is_a_story() -> None:
    days = tuple(f"## Kiln\n- The old Port Ellery arch, part {n}." for n in (1, 2, 3))
    assert len(names(*days) & {"Kiln", "Port Ellery"}) == 1


def test_a_month_names_its_story_with_its_weeks_before_each_step() -> None:
    entries = log(*under("Kiln"))
    size = max(401, sum(estimate(entry.text) for entry in entries))
    claims = tuple(Claim(entry.text, (entry.id,)) for entry in entries)
    brief = Brief(
        "month", "2026-04", MONTH_SECTIONS, entries, claims, target=int(0.6 * size), size=size
    )
    found = offline.write(brief).claims
    assert all(examine(claim, Shown.of(entries), extractive=True) == () for claim in found)
    told = [claim.text for claim in found if claim.text.startswith("Kiln (2026-W")]
    assert "Bricks came by cart" in told[0] and "900 degrees" in told[-1]


def test_a_sentence_that_leaves_no_room_for_the_name_is_told_by_its_day_alone() -> None:
    name = "The old kiln behind the chapel of the lower town"
    units = [unit for unit in units_of(log(*under(name))) if name in unit.place]
    long = " ".join(f"cart {number} of bricks was laid out;" for number in range(10, 16))
    units[-1] = replace(units[-1], text=long, tokens=estimate(long))
    sections = tuple({unit.section for unit in units})
    themes = {unit.at: Theme(name) for unit in units}
    bullets = ByTheme(sections, themes, Packing(apart=True)).packed(units)
    texts = [bullet.fixed for bullet in bullets]
    assert texts[0].startswith(f"{name} (2026-W15):")
    assert texts[-1].startswith("14 Apr 2026: cart 10 of bricks")
    assert max(map(estimate, texts)) <= LIMIT


@pytest.mark.parametrize(
    ("headings", "subject"),
    [
        (("10:40 The kiln",), "The kiln"),
        (("Tuesday 3 March 2026", "10:40 The kiln"), "The kiln"),
        (("2026-03-03 The kiln",), ""),
    ],
)
def test_a_time_of_day_before_a_heading_is_no_title_of_the_day(
    headings: tuple[str, ...], subject: str
) -> None:
    assert subject_of(headings)[0] == subject
