"""Weeks are ISO weeks; a week belongs to the month that holds its Thursday."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lithify import calendar


@given(st.dates(date(1990, 1, 1), date(2100, 12, 31)))
def test_a_day_is_one_of_the_days_of_its_week(day: date) -> None:
    week = calendar.week_of(day)
    assert day in calendar.week_days(week)
    assert calendar.is_week(week)
    thursday = calendar.week_days(week)[3]
    assert calendar.month_of(week) == f"{thursday:%Y-%m}"
    assert calendar.is_month(calendar.month_of(week))


@pytest.mark.parametrize(
    ("week", "month"),
    [
        ("2026-W14", "2026-04"),
        ("2026-W05", "2026-01"),
        ("2026-W53", "2026-12"),
        ("2021-W01", "2021-01"),
    ],
)
def test_straddling_weeks_go_where_their_thursday_is(week: str, month: str) -> None:
    assert calendar.month_of(week) == month


@pytest.mark.parametrize("text", ["2025-W53", "2026-W00", "2026-W54", "2026-14", "2026-W1", "x"])
def test_weeks_that_do_not_exist_are_none(text: str) -> None:
    assert not calendar.is_week(text)


@pytest.mark.parametrize("text", ["2026-02-30", "2026-13-01", "2026-4-2", "20260402", ""])
def test_days_that_do_not_exist_are_none(text: str) -> None:
    assert calendar.parse_day(text) is None


def test_a_week_is_over_on_the_monday_after_it() -> None:
    assert not calendar.is_over("2026-W14", date(2026, 4, 5))
    assert calendar.is_over("2026-W14", date(2026, 4, 6))


def test_a_stamp_reads_back() -> None:
    now = datetime(2026, 4, 6, 2, 0, 7, tzinfo=UTC)
    assert calendar.moment(calendar.stamp(now)) == now


def test_months_between_counts_whole_months() -> None:
    assert calendar.months_between(date(2026, 1, 31), date(2026, 4, 30)) == 2
    assert calendar.months_between(date(2026, 1, 30), date(2026, 4, 30)) == 3


@pytest.mark.parametrize(
    ("label", "day"),
    [
        ("2026-04-02", date(2026, 4, 2)),
        ("2026-W14", date(2026, 4, 5)),
        ("2026-02", date(2026, 2, 28)),
        ("2026-12", date(2026, 12, 31)),
        ("WISDOM", None),
        ("feedback_tests", None),
    ],
)
def test_a_page_speaks_from_its_day_or_from_the_last_of_its_period(
    label: str, day: date | None
) -> None:
    assert calendar.spoken_on(label) == day
