"""Days, ISO weeks and months as periods of memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache

from lithify.regex import regex

Clock = Callable[[], datetime]

_DAY = regex(r"(\d{4})-(\d{2})-(\d{2})")
_WEEK = regex(r"(\d{4})-W(\d{2})")
_MONTH = regex(r"(\d{4})-(\d{2})")


def system_clock() -> datetime:
    """The present moment, in UTC. The only clock of the program."""
    return datetime.now(UTC)


def zone(name: str | None) -> tzinfo:
    """The named zone, or the machine's own when none is configured."""
    if name:
        from zoneinfo import ZoneInfo

        return ZoneInfo(name)
    return datetime.now().astimezone().tzinfo or UTC


def stamp(moment: datetime) -> str:
    """A moment as it is written into files: `2026-04-06T02:00:00Z`."""
    # Not by strftime, which leaves out the zeros of a year below 1000.
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def moment(text: str) -> datetime:
    """The moment a stamp names."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def parse_day(text: str) -> date | None:
    """The day `2026-04-02` names, or None where there is no such day."""
    match = _DAY.fullmatch(text)
    if not match:
        return None
    try:
        return date(*(int(part) for part in match.groups()))
    except ValueError:
        return None


def shifted(day: date, days: int) -> date:
    """The day so many days on, or back if it is less than none; at most the last or first there is."""
    on = min(max(day.toordinal() + days, date.min.toordinal()), date.max.toordinal())
    return date.fromordinal(on)


@lru_cache(maxsize=1 << 12)
def week_of(day: date) -> str:
    """The ISO week a day belongs to: `2026-W14`."""
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


def week_start(week: str) -> date:
    """The Monday of an ISO week; ValueError where the year has no such week."""
    match = _WEEK.fullmatch(week)
    if not match:
        raise ValueError(f"not an ISO week: {week!r}")
    return date.fromisocalendar(int(match[1]), int(match[2]), 1)


def week_days(week: str) -> tuple[date, ...]:
    """Monday to Sunday; the very last week there is ends with its Friday."""
    monday = week_start(week)
    return tuple(shifted(monday, n) for n in range(min(6, (date.max - monday).days) + 1))


def month_of(week: str) -> str:
    """The month a week belongs to: the one that holds its Thursday."""
    return month_with(week_start(week) + timedelta(days=3))


def month_with(day: date) -> str:
    """The month that holds a day: `2026-04`."""
    return day.isoformat()[:7]


def month_start(month: str) -> date:
    """The first day of `2026-04`; ValueError where there is no such month."""
    match = _MONTH.fullmatch(month)
    if not match:
        raise ValueError(f"not a month: {month!r}")
    return date(int(match[1]), int(match[2]), 1)


def month_end(day: date) -> date:
    """The last day of the month that holds a day."""
    return max(one for n in range(31) if (one := shifted(day, n)).month == day.month)


def is_week(text: str) -> bool:
    """Whether the text names an ISO week that exists."""
    try:
        week_start(text)
    except ValueError:
        return False
    return True


def is_month(text: str) -> bool:
    """Whether the text names a month that exists."""
    try:
        month_start(text)
    except ValueError:
        return False
    return True


def spoken_on(label: str) -> date | None:
    """The day a page speaks from: a day itself, of a week or a month the last; others have none."""
    if day := parse_day(label):
        return day
    if is_week(label):
        return week_days(label)[-1]
    if is_month(label):
        return month_end(month_start(label))
    return None


def is_over(week: str, today: date) -> bool:
    """Whether the week's Sunday lies behind us."""
    return week_days(week)[-1] < today


def months_between(earlier: date, later: date) -> int:
    """Whole calendar months from one day to a later one."""
    months = (later.year - earlier.year) * 12 + later.month - earlier.month
    return months - 1 if later.day < earlier.day else months


def ago(day: date, today: date) -> str:
    """Say how long ago a day is, in whole days, weeks, months or years."""
    days = (today - day).days
    for size, name, least in ((365, "year", 730), (30, "month", 60), (7, "week", 21)):
        if days >= least:
            return f"{days // size} {name}{'' if days // size == 1 else 's'} ago"
    return "today" if days <= 0 else f"{days} day{'' if days == 1 else 's'} ago"


_MONTH_NAMES = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_words(day: date, *, year: bool = True) -> str:
    """A day as a bullet names it: `2 Apr 2026`, the same in every locale."""
    words = f"{day.day} {_MONTH_NAMES[day.month - 1]}"
    return f"{words} {day.year:04}" if year else words


def days_in_words(days: Sequence[date], most: int = 3) -> str:
    """Name days in their order, those in a row as a span; of more spans, only how many days and when."""
    spans: list[list[date]] = []
    for day in days:
        if spans and day == shifted(spans[-1][-1], 1):
            spans[-1].append(day)
        else:
            spans.append([day])
    if len(spans) > most:
        return f"{len(days)} days, {days[0]} to {days[-1]}"
    return ", ".join(f"{span[0]} to {span[-1]}" if span[1:] else str(span[0]) for span in spans)
