"""Items that are over by what stands beside them or points at them, and those that are not."""

from __future__ import annotations

import pytest
from test_open_items import listed_open, units_in

from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.still import still_open


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
