"""What subject a path of headings names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lithify.search.headings import subject_of


@pytest.mark.parametrize(
    "heading",
    [
        "2026-03-02",
        "3 March 2026",
        "March 2026",
        "02.03.2026",
        "2026年3月2日",
        "10:00–11:00",
        "**14:30**",
        "9am – 11 a.m.",
        "",
    ],
)
def test_a_heading_of_a_date_or_a_time_names_no_subject(heading: str) -> None:
    assert subject_of((heading,)) == ""
    assert subject_of(("Winch", heading)) == "Winch"


@pytest.mark.parametrize(
    ("heading", "subject"),
    [
        ("09:30 – 10:15 Billing review", "Billing review"),
        ("9:05 am Stand-up", "Stand-up"),
        ("2 p.m.: Call with Ana", "Call with Ana"),
        ("14:30 TEST run", "TEST run"),
        ("2026-03-02 10:00 Crane check", "Crane check"),
        ("Billing (09:00–11:30)", "Billing"),
        ("🎉 **Launch** of Slipway", "Launch of Slipway"),
        ("4. Projects", "Projects"),
        ("🎯 2) Costs", "Costs"),
    ],
)
def test_times_and_marks_are_no_part_of_the_subject(heading: str, subject: str) -> None:
    assert subject_of(("Ops", heading)) == subject


@pytest.mark.parametrize(
    "heading", ["March launch", "Q1 planning", "Kiln 4", "2 amps", "料金の更新"]
)
def test_a_date_or_number_among_the_words_stays(heading: str) -> None:
    assert subject_of((heading,)) == heading


def test_the_title_of_a_day_and_its_numbered_parts_name_no_subject() -> None:
    assert subject_of(("2026-03-02 — A long day",)) == ""
    assert subject_of(("2026-03-02", "Session 2 (13:00–15:00)")) == ""


def test_the_innermost_heading_with_a_subject_is_named() -> None:
    assert subject_of(("Ops", "Import", "09:30")) == "Import"
    assert subject_of(()) == ""


@given(st.tuples(st.text(max_size=40), st.text(max_size=40)))
def test_any_heading_is_read(headings: tuple[str, ...]) -> None:
    assert isinstance(subject_of(headings), str)
