"""The timeline: the days as a map, and every month with its weeks."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from lithify.calendar import day_words, month_of, week_days, week_of
from lithify.values import State, Task
from lithify.web.markup import size
from lithify.web.view import HtmlPage, PageRequest, View

#: The edge of a cell of the map with the gap beside it, and the width of its weekday names.
CELL, GAP, LEFT = 22, 4, 46
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


class Cell(NamedTuple):
    """A day, week or month on the map: its place, its shade or state, where it leads, its words."""

    x: int
    y: int
    width: int
    shade: str
    href: str
    words: str


class Map(NamedTuple):
    """Half a year of days, with the layers of their weeks and months below."""

    name: str
    width: int
    days: Sequence[Cell]
    weeks: Sequence[Cell]
    months: Sequence[Cell]
    labels: Sequence[tuple[int, str]]
    earlier: str
    later: str


class Bar(NamedTuple):
    """A month of the whole past as a bar."""

    x: float
    height: float
    width: float
    href: str
    words: str
    shown: bool


def timeline(view: View, asked: PageRequest) -> HtmlPage:
    """Half a year of days as a map, and every month with its weeks, a year at a time."""
    half = asked.query.get("half", "")
    half = half if half in view.halves else view.halves[-1]
    years = sorted({month[:4] for month in view.months}, reverse=True)
    year = asked.query.get("year", "")
    year = year if year in years else (years[0] if years else f"{view.today.year}")
    months = [
        (
            month,
            f"{_MONTHS[int(month[5:]) - 1]} {month[:4]}",
            view.tasks.get(f"month:{month}"),
            [_row(view, week) for week in weeks],
        )
        for month, weeks in list(view.months.items())[::-1]
        if month.startswith(year)
    ]
    shelf = view.snapshot.shelf
    facts = {
        "year": year,
        "years": years,
        "months": months,
        "pages": shelf.months,
        "map": _map(view, half),
        "bars": _bars(view, half),
        "span": f"{view.halves[0][:4]}–{view.halves[-1][:4]}",
    }
    return HtmlPage("timeline.html", f"Timeline {year}", facts)


class WeekRow(NamedTuple):
    """A week in a list: its dates, its days and where its page stands."""

    week: str
    dates: str
    days: Sequence[date]
    task: Task | None
    bytes: int
    written: bool


def _row(view: View, week: str) -> WeekRow:
    days = view.day_weeks.get(week, ())
    page = view.snapshot.shelf.weeks.get(week)
    task = view.tasks.get(f"week:{week}")
    return WeekRow(week, dates_of(week), days, task, page.size if page else 0, page is not None)


def dates_of(week: str) -> str:
    """The days of a week in words."""
    first, *_, last = week_days(week)
    return f"{day_words(first, year=first.year != last.year)} – {day_words(last)}"


def _map(view: View, half: str) -> Map:
    year, first = int(half[:4]), half.endswith("1")
    start, end = (
        date(year, 1 if first else 7, 1),
        date(year, 6 if first else 12, 30 if first else 31),
    )
    monday = start - timedelta(days=start.weekday())
    columns = (end - monday).days // 7 + 1
    scale, halves = sorted(view.sizes.values()), view.halves
    days, labels = [], []
    for number in range(columns * 7):
        day = monday + timedelta(days=number)
        if not start <= day <= end:
            continue
        x, y = LEFT + number // 7 * CELL, 20 + number % 7 * CELL
        if day.day == 1:
            labels.append((LEFT + -(-number // 7) * CELL, _MONTHS[day.month - 1]))
        there = view.sizes.get(day)
        if there is None:
            days.append(Cell(x, y, CELL - GAP, "none", "", ""))
            continue
        shade = str(1 + min(3, bisect(scale, there - 1) * 4 // len(scale)))
        words = f"{day_words(day)}, {size(there)}"
        days.append(Cell(x, y, CELL - GAP, shade, f"/day/{day}", words))
    weeks = _weeks(view, monday, columns)
    at = halves.index(half)
    return Map(
        name=f"{'January to June' if first else 'July to December'} {year}",
        width=LEFT + columns * CELL,
        days=days,
        weeks=weeks,
        months=_months(view, monday, columns),
        labels=labels,
        earlier=halves[at - 1] if at else "",
        later=halves[at + 1] if at + 1 < len(halves) else "",
    )


def _state(view: View, key: str, written: bool) -> State:
    task = view.tasks.get(key)
    return task.state if task else "current" if written else "absent"


def _weeks(view: View, monday: date, columns: int) -> list[Cell]:
    cells = []
    for column in range(columns):
        week = week_of(monday + timedelta(days=7 * column))
        if week in view.day_weeks or week in view.snapshot.shelf.weeks:
            state = _state(view, f"week:{week}", week in view.snapshot.shelf.weeks)
            words = f"Week {week}, {state}"
            x = LEFT + column * CELL
            cells.append(Cell(x, 182, CELL - GAP, state, f"/week/{week}", words))
    return cells


def _months(view: View, monday: date, columns: int) -> list[Cell]:
    """A bar for each month, below the weeks that belong to it."""
    held: dict[str, list[int]] = {}
    for column in range(columns):
        week = week_of(monday + timedelta(days=7 * column))
        held.setdefault(month_of(week), []).append(column)
    cells = []
    for month, under in held.items():
        if month in view.months:
            state = _state(view, f"month:{month}", month in view.snapshot.shelf.months)
            width = len(under) * CELL - GAP
            words = f"Month {month}, {state}"
            cells.append(Cell(LEFT + under[0] * CELL, 206, width, state, f"/month/{month}", words))
    return cells


def _bars(view: View, half: str) -> list[Bar]:
    """The bytes of every month of the past; each bar leads to its half of the year."""
    if not view.month_sizes:
        return []
    first, last = min(view.month_sizes), max(view.month_sizes)
    numbers = range(_number(first), _number(last) + 1)
    step, most = 1000 / max(len(numbers), 24), max(view.month_sizes.values())
    bars = []
    for place, number in enumerate(numbers):
        month = f"{number // 12:04}-{number % 12 + 1:02}"
        there = view.month_sizes.get(month, 0)
        its_half = f"{number // 12:04}-H{1 if number % 12 < 6 else 2}"
        words = f"{_MONTHS[number % 12]} {number // 12}, {size(there)}"
        height = max(2.0, 48 * there / most) if there else 0
        href = f"/timeline?half={its_half}" if there else ""
        bars.append(Bar(place * step, height, max(step - 2, 2), href, words, its_half == half))
    return bars


def _number(month: str) -> int:
    return int(month[:4]) * 12 + int(month[5:]) - 1
