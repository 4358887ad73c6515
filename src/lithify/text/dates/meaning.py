"""What the words mean on the day they are said."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

from lithify.text.dates.hit import (
    MONTHS,
    PARTS,
    WEEKDAYS,
    YEAR_ROUND,
    Hit,
    Match,
    reads,
    word_before,
    word_set,
)
from lithify.text.dates.tense import is_bare, is_of_any, looks_back, may_be_over, tense

_SHORT_MONTHS = "jan feb mar apr jun jul aug sep sept oct nov dec"

_ALL_MONTHS = f"{YEAR_ROUND} {_SHORT_MONTHS}"

_ONLY_MONTHS = frozenset(MONTHS) - {"march", "april", "may", "june", "august"}

_TIME_PREPOSITIONS = word_set(
    "in of by early late mid since until till through to from during for before after last next"
    " this end start beginning around and or between throughout circa"
)

_SMALL_NUMBERS = "one two three four five six seven eight nine ten eleven twelve"

_COUNTS = {word: n for n, word in enumerate(_SMALL_NUMBERS.split(), 1)}

_COUNTS |= {"a": 1, "an": 1, "couple": 2, "of": 2, "few": 3, "several": 4}

_BEFORE_WEEKDAY = "by until till before on since from after through starting effective due eod"

_MONTH = (
    rf"(?P<month>(?:{YEAR_ROUND.replace(' ', '|')})\b|(?:{_SHORT_MONTHS.replace(' ', '|')})\b\.?)"
)

_NTH = r"\d{1,2}(?:st|nd|rd|th)?"

_DAY = rf"(?P<day>{_NTH})(?:\s?[-–—]\s?(?P<to>{_NTH}))?(?!\w|%|[:.,]\d)"

_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\w)"

_PART = rf"(?:\s+(?P<part>{PARTS})\b)?"

WEEKDAY = (
    r"(?P<weekday>(?i:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    # "On Monday nights" is every Monday, and "Monday week" is not the coming one.
    rf"|Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b(?!\s+(?:(?:{PARTS})s|week)\b)"
)

_COUNT = (
    r"(?P<count>\d{1,3}|(?:an?\s+)?(?:couple(?:\s+of)?|few)|several|an?"
    rf"|{_SMALL_NUMBERS.replace(' ', '|')})"
)

BESIDE = re.compile(r"\s*[,(]\s*|\s+(?:the\s+)?(?=\d|[A-Z][a-z]+\.?\s+\d)")


#: "28 in five days" and "the first crash in two weeks" are how many, not when.
_AMOUNT = re.compile(
    r"(?<!\bin\s)(?:\b(?:no|none|nothing|once|twice|times?|only|\w+est|most|first|second|third|\d+(?:st|nd|rd|th)"
    rf"|{_SMALL_NUMBERS.replace(' ', '|')}|\w+teen|\w+ty|dozens?|hundreds?)\b|(?<![\w.,:/-])\d+(?:[.,]\d+)?(?:\s?%)?\s+(?=\Z|[a-z]))"
    r"(?!\s*(?:minute|hour|day|week|month|year)s?\s+(?:ago|from)\b)",
    re.IGNORECASE,
)
_WORKING_WEEK = re.compile(r"\s*(?:to|through|till|until|[-–])\s*(?:fri|sat|sun)", re.IGNORECASE)
_LATER = re.compile(r"\b(?:will|due|expires?|ends|starts|begins)\b|['’]ll\b", re.IGNORECASE)

#: Before "last" and "next" these tell of an order and no day: "her last Monday", "the next week".
_OWNED = re.compile(
    r"(?:\b(?:the|an?|my|our|your|his|her|its|their|whose|every|each)|['’]s|s['’])\s+\Z",
    re.IGNORECASE,
)

#: The last of its kind: "the whole last week of May", and "Last month at that price." by itself.
_OF_ITS_KIND = re.compile(r"\s+of\b", re.IGNORECASE)
_WITHOUT_VERB = re.compile(
    r"\s+(?:at|before|with|for)(?:\s+(?!(?:i|we|you|he|she|it|they)\b)[\w'-]+){1,3}(?:[.!?]|\Z)",
    re.IGNORECASE,
)

#: After "the last Monday" this is what was that day: "the last Monday meeting", not "of May".
_ATTRIBUTED = re.compile(
    r"\s+(?!(?:of|but|in|at|here|there|before|after|was|is|were|are|will|when|and|or|for|with|on|to|by|that|we"
    r"|he|she|they|it)\b)[a-z]{2,}"
)

#: The day of the month beside a weekday says which week is meant.
_THE_NTH = (
    r"(?:,?\s+(?:the\s+)?(?P<nth>\d{1,2})(?:st|nd|rd|th)\b"
    r"|\s+(?P<bare>[12]?\d|3[01])(?=[,;)](?!\d)|\.?\s*\Z|\.\s|\s+(?:to|and|at|or|until)\b))"
)

MORE = re.compile(rf"\s*(?P<joint>[/&–-]|\b(?:and|or|to|through)\b)\s*{WEEKDAY}(?!{_THE_NTH})")


def _hit(match: Match, days: tuple[date, date] | date, form: str = "", exact: bool = True) -> Hit:
    first, last = days if isinstance(days, tuple) else (days, days)
    return Hit(*match.span(), first, last, form, exact)


def _month(match: Match) -> int:
    word = match["month"].lower()
    # "may" and "march" in small letters are verbs.
    if match["month"][0].islower() and word in ("may", "march", "mar"):
        raise ValueError(word)
    return 1 + next(n for n, name in enumerate(MONTHS) if name.startswith(word[:3]))


def weekday_of(match: Match) -> int:
    word = match["weekday"].lower()
    return next(n for n, name in enumerate(WEEKDAYS) if name.startswith(word[:3]))


def _nearest(anchor: date, month: int, day: int) -> date:
    reach = 4 if (month, day) == (2, 29) else 1
    years = range(max(1, anchor.year - reach), min(9999, anchor.year + reach) + 1)
    days = [date(year, month, day) for year in years if day <= monthrange(year, month)[1]]
    return min(days, key=lambda day: abs(day - anchor))


def _span(unit: str, day: date) -> tuple[date, date]:
    """The week, weekend, month, quarter or year that holds a day."""
    if unit == "week":
        return day - timedelta(day.weekday()), day + timedelta(6 - day.weekday())
    if unit == "weekend":
        return day + timedelta(5 - day.weekday()), day + timedelta(6 - day.weekday())
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    low = (day.month - 1) // size * size + 1
    high = low + size - 1
    return date(day.year, low, 1), date(day.year, high, monthrange(day.year, high)[1])


def _shift(day: date, unit: str, by: int) -> date:
    if unit in ("day", "week", "weekend"):
        return day + timedelta(by if unit == "day" else 7 * by)
    months = day.year * 12 + day.month - 1 + by * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


@reads(_ALL_MONTHS, rf"{_MONTH}\s+(?:the\s+)?{_DAY}(?:,?\s+{_YEAR})?", absolute=True)
@reads("1 2", rf"{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+{_YEAR})?", with_=_ALL_MONTHS, absolute=True)
def _month_day(match: Match, anchor: date) -> Hit:
    month, day, year = _month(match), _digits(match["day"]), int(match["year"] or 0)
    first = last = date(year, month, day) if year else _nearest(anchor, month, day)
    if match["to"]:
        last = max(first, first.replace(day=_digits(match["to"])))
    return _hit(match, (first, last), exact=bool(year))


def _digits(said: str) -> int:
    return int(said.rstrip("stndrhSTNDRH"))


@reads(_ALL_MONTHS, rf"{_MONTH}(?:,|\s+of)?\s+{_YEAR}", absolute=True)
def _month_year(match: Match, anchor: date) -> Hit:
    return _hit(match, _span("month", date(int(match["year"]), _month(match), 1)))


@reads(_ALL_MONTHS, rf"(?=[A-Z])(?i:{_MONTH})(?![\w'’-])", 0, absolute=True)
def _bare_month(match: Match, anchor: date) -> Hit | None:
    before = word_before(match.string, match.start())
    if match["month"].lower() not in _ONLY_MONTHS and before not in _TIME_PREPOSITIONS:
        return None
    return _hit(match, _span("month", _nearest(anchor, _month(match), 15)), exact=False)


@reads("4", r"(?P<y>\d{4})(?P<sep>[-/])(?P<m>\d\d?)(?P=sep)(?P<d>\d\d?)(?![\d/])", absolute=True)
@reads("4", r"(?P<y>\d{4})年(?P<m>\d\d?)月(?P<d>\d\d?)日", absolute=True)
def _iso_day(match: Match, anchor: date) -> Hit:
    return _hit(match, date(int(match["y"]), int(match["m"]), int(match["d"])))


@reads(
    "4",
    r"(?P<y>\d{4})(?:-?W(?P<week>\d\d)|[- ]?Q(?P<quarter>[1-4])|-(?P<month>\d\d))(?![\w~]|-\w)",
    absolute=True,
)
def _iso_span(match: Match, anchor: date) -> Hit:
    year = int(match["y"])
    if match["week"]:
        return _hit(match, _span("week", date.fromisocalendar(year, int(match["week"]), 1)))
    if match["quarter"]:
        return _hit(match, _span("quarter", date(year, int(match["quarter"]) * 3, 1)))
    return _hit(match, _span("month", date(year, int(match["month"]), 1)))


@reads("4", rf"{_YEAR}(?![.,:/-]\w|%)", absolute=True)
def _bare_year(match: Match, anchor: date) -> Hit | None:
    if word_before(match.string, match.start()) not in _TIME_PREPOSITIONS:
        return None
    return _hit(match, _span("year", date(int(match["year"]), 1, 1)))


@reads("1 2", r"(?P<a>\d\d?)/(?P<b>\d\d?)/(?P<y>\d{4})(?![\d/])", with_="/", absolute=True)
def _slashed(match: Match, anchor: date) -> Hit | None:
    a, b, year = int(match["a"]), int(match["b"]), int(match["y"])
    # 4/2/2026 is April here and February there: only what can be read one way is a date.
    if a <= 12 and b <= 12 and a != b:
        return None
    return _hit(match, date(year, b, a) if a > 12 else date(year, a, b))


@reads(
    "q", rf"Q(?P<n>[1-4])(?:[\s,]+(?:of\s+)?{_YEAR}|\s?['’](?P<yy>\d\d))?(?!\w)", 0, absolute=True
)
def _quarter(match: Match, anchor: date) -> Hit:
    month = int(match["n"]) * 3 - 1
    year = int(match["year"] or 0) or (2000 + int(match["yy"]) if match["yy"] else 0)
    day = date(year, month, 15) if year else _nearest(anchor, month, 15)
    return _hit(match, _span("quarter", day), exact=bool(year))


@reads(
    "today tonight yesterday tomorrow",
    # "Tomorrow week" is a week after it, "today week on week" is today.
    rf"(?P<word>today|tonight|yesterday|tomorrow)\b(?:(?P<later>\s+week)\b(?!\s+(?:on|by|in|after)\b)|{_PART})",
)
def _near(match: Match, anchor: date) -> Hit:
    word = match["word"].lower()
    day = anchor + timedelta({"yesterday": -1, "tomorrow": 1}.get(word, 0))
    day += timedelta(7 if match["later"] else 0)
    return _hit(match, day, (match["part"] or ("evening" if word == "tonight" else "day")).lower())


@reads(
    "the day",
    r"(?:the\s+)?(?P<unit>day)\s+(?:(?P<back>before)\s+yesterday|after\s+tomorrow)\b",
    with_="yesterday tomorrow",
)
@reads(
    "the week",
    r"(?:the\s+)?(?P<unit>week)\s+(?:(?P<back>before)\s+last|after\s+next)\b",
    with_="last next",
)
def _beyond(match: Match, anchor: date) -> Hit:
    unit = match["unit"].lower()
    day = _shift(anchor, unit, -2 if match["back"] else 2)
    return _hit(match, _span("week", day) if unit == "week" else day, unit)


_DAYS = " ".join((*WEEKDAYS, "mon tue tues wed thu thur thurs fri sat sun"))


@reads(_DAYS, rf"{WEEKDAY}(?i:\s+(?:of\s+)?(?P<way>last|next|this)\s+week)\b", 0, with_="week")
@reads(
    "last next this", rf"(?i:(?P<way>last|next|this)\s+week,?\s+on)\s+{WEEKDAY}", 0, with_="week"
)
def _week_and_weekday(match: Match, anchor: date) -> Hit:
    monday, _ = _span("week", anchor)
    by = {"last": -7, "next": 7}.get(match["way"].lower(), 0)
    return _hit(match, monday + timedelta(by + weekday_of(match)), "day")


@reads(
    f"{_DAYS} last next this coming",
    rf"(?:(?i:last|next|this|coming)\s+)?{WEEKDAY}{_THE_NTH}(?!\s+(?:of\s+)?[A-Z])"
    # "Sat 21 and Sun 22 November": the month of the second is that of both.
    r"(?!\s*(?:and|or|&)\s*(?:[A-Z][a-z]+\s+)?\d{1,2}(?:st|nd|rd|th)?\s+[A-Z][a-z])",
    0,
    with_=_DAYS,
)
def _weekday_and_nth(match: Match, anchor: date) -> Hit | None:
    nth, weekday = int(match["nth"] or match["bare"]), weekday_of(match)
    near = (anchor + timedelta(step) for step in range(-60, 61))
    days = [day for day in near if (day.day, day.weekday()) == (nth, weekday)]
    return _hit(match, min(days, key=lambda day: abs(day - anchor)), "day") if days else None


@reads(
    "last next this",
    rf"(?P<way>this\s+past|this\s+coming|last|next|this)\s+(?P<unit>weekend|week|month|quarter|year|{PARTS})\b",
    with_="weekend week month quarter year " + PARTS.replace("|", " "),
)
def _step(match: Match, anchor: date) -> Hit | None:
    way, unit = _way(match), match["unit"].lower()
    owned = _OWNED.search(match.string, max(0, match.start() - 12), match.start())
    if unit in PARTS.split("|"):
        if way == "next" or (way == "last" and (unit != "night" or owned)):
            return None
        return _hit(match, anchor - timedelta(way == "last"), unit)
    # "the last week" is a stretch of seven days, not a week of the calendar.
    if way != "this" and (owned or _is_rank(match)):
        return None
    if way == "this" and _OF_ITS_KIND.match(match.string, match.end()):
        return None  # "this month of worry"
    return _hit(match, _span(unit, _shift(anchor, unit, {"last": -1, "this": 0}.get(way, 1))), unit)


def _is_rank(match: Match) -> bool:
    """Whether "last" and "next" tell of an order: "Last Thursday before his holiday." """
    if _OF_ITS_KIND.match(match.string, match.end()):
        return True
    opens = _opens_sentence(match.string, match.start())
    return opens and _WITHOUT_VERB.match(match.string, match.end()) is not None


def _opens_sentence(text: str, start: int) -> bool:
    """Whether a place is the text's beginning, or only white space parts it from a stop."""
    at = start
    while at and text[at - 1].isspace():
        at -= 1
    return start == 0 or (0 < at < start and text[at - 1] in ".!?:;")


def _way(match: Match) -> str:
    word: str = match["way"].lower().split()[-1]
    return "last" if word == "past" else word


@reads(
    "last next this coming",
    rf"(?i:(?P<way>this\s+past|this\s+coming|last|next|this|coming))\s+{WEEKDAY}(?i:{_PART})(?!{_THE_NTH})",
    0,
    with_=_DAYS,
)
def _step_weekday(match: Match, anchor: date) -> Hit | None:
    way = _way(match)
    owned = _OWNED.search(match.string, max(0, match.start() - 12), match.start())
    if way in ("last", "next") and owned and not _ATTRIBUTED.match(match.string, match.end()):
        return None
    if way == "last" and _is_rank(match):
        return None
    day, sure = _stepped(anchor, weekday_of(match), way)
    form = (match["part"] or "day").lower()
    unclear = "" if sure or way == "last" else "either"
    return _hit(match, day, form, sure)._replace(unclear=unclear)


def _stepped(anchor: date, weekday: int, way: str) -> tuple[date, bool]:
    """The day that "last", "next" or "this" weekday means, and whether it has no second reading."""
    monday, today = anchor - timedelta(anchor.weekday()), anchor.weekday()
    if way == "next":
        return monday + timedelta(7 + weekday), weekday <= today
    if way == "last":
        return anchor - timedelta((today - weekday - 1) % 7 + 1), weekday >= today
    if way == "this":
        return monday + timedelta(weekday), weekday >= today
    return _on_weekday(anchor, weekday, way), True


@reads(
    _BEFORE_WEEKDAY,
    rf"(?P<way>[A-Za-z]+)\s+(?P<said>{WEEKDAY}(?i:{_PART}))(?!{_THE_NTH}|\s+(?i:(?:of\s+)?(?:last|next|this)\s+week)\b)",
    0,
    with_=_DAYS,
)
def _after_preposition(match: Match, anchor: date) -> Hit:
    said, (start, end) = match["way"].lower(), match.span()
    exact = False
    if said in ("on", "from", "after", "starting", "effective"):
        way = tense(match.string, start, end, leads=said == "on")
        if said == "on" and word_before(match.string, start) == "as":
            way = "past"  # "else as on Friday"
        if way == "coming" and said == "on" and weekday_of(match) == anchor.weekday():
            way = "unsure"  # of the day itself one says "today"
        if way == "coming" and weekday_of(match) == 0 and _WORKING_WEEK.match(match.string, end):
            way = "habit"  # "open from Monday to Friday"
        if not way and said in ("starting", "effective"):
            way = "coming"
    elif said == "since":
        way = "past"
    elif is_of_any(match.string, start, end):
        way = "habit"
    else:
        exact = not may_be_over(match.string, start)
        way = "coming" if exact else "unsure"
    day = _on_weekday(anchor, weekday_of(match), way)
    form = (match["part"] or "day").lower()
    unclear = {"": "no verb", "unsure": "either", "habit": "habit"}.get(way, "")
    bare = way == "past" and said == "on" and is_bare(match.string, start)
    return Hit(*match.span("said"), day, day, form, exact, unclear, bare)


def _on_weekday(anchor: date, weekday: int, way: str) -> date:
    """The weekday before or after a day, or that day itself."""
    ahead = (weekday - anchor.weekday()) % 7
    return anchor + timedelta(ahead - 7 if way == "past" and ahead else ahead)


@reads("last next this", rf"(?P<way>last|next|this)\s+{_MONTH}(?!\w)", with_=_ALL_MONTHS)
def _step_month(match: Match, anchor: date) -> Hit:
    month, way = _month(match), _way(match)
    year = anchor.year + (way == "next" and month <= anchor.month)
    year -= way == "last" and month >= anchor.month
    return _hit(match, _span("month", date(year, month, 1)), "month")


_HABIT = re.compile(
    r"\b(?:always|never|every|each|any|usually|normally|typically|generally|within|if|whenever|once)\b"
    r"|(?<!\bwill )(?<!'ll )(?<!\bto )(?<!\bmay )(?<!must )(?<!should )(?<!could )(?<!might )"
    r"\b(?:expire|renew|reset|rotate|lapse|respond|reply|answer|pay|refund|retry|arrive|ship)\s+\Z",
    re.IGNORECASE,
)


#: "So in one month it has been 40 and 50": what came within it.
_HAS_BEEN = re.compile(r",?\s+(?:it|he|she|they|we|i|you)\s+(?:has|have|had)\b", re.IGNORECASE)
#: From when on a bill's days count is not said.
_BILL = re.compile(r"\b(?:bills?|invoices?|payments?|payable)\b", re.IGNORECASE)


def _is_term(text: str, start: int, end: int) -> bool:
    """Whether a stretch of time is a rule's or a count's: "links expire in 7 days" names no day."""
    said = text[max(0, start - 120) : start]
    if _HAS_BEEN.match(text, end) or (said.rstrip().endswith("due") and _BILL.search(said)):
        return True
    left = re.split(r"[.!?;\n]", said)[-1]
    amounts = list(_AMOUNT.finditer(left))
    if amounts and not _LATER.search(left, amounts[-1].end()):
        return True
    return _HABIT.search(left) is not None


_UNIT = r"(?P<unit>minute|hour|day|week|month|year)s?"


@reads(
    "1 2 3 couple several " + " ".join(_COUNTS),
    # "30 days from today" is a term at least as often as a date: its figure stays.
    rf"{_COUNT}\s+{_UNIT}\s+(?P<way>ago|from\s+now)\b(?!\s+on)",
    with_="ago now",
)
@reads("1 2 3", r"(?P<count>\d{1,3})\s?(?P<unit>[hdwmy])\s+(?P<way>ago)\b", with_="ago")
@reads(
    "in",
    rf"(?P<way>in)\s+{_COUNT}\s+(?!minute|hour){_UNIT}(?:['’]?\s+time)?\b(?!['’-]|\s+(?:ago|after|before|of|from)\b)",
    with_="day days week weeks month months year years",
)
def _counted(match: Match, anchor: date) -> Hit | None:
    words, way, unit = match["count"].lower().split(), match["way"].lower(), match["unit"].lower()
    count = int(words[0]) if words[0].isdigit() else _COUNTS[words[-1]]
    unit = next(
        name for name in ("hour", "minute", "day", "week", "month", "year") if name.startswith(unit)
    )
    if way == "in" and (
        (count, unit) == (1, "day")
        or looks_back(match.string, match.start())
        or _is_term(match.string, match.start(), match.end())
    ):
        return None  # "finished in 3 days" is how long, not when
    if unit in ("hour", "minute"):
        if way != "ago":
            return None
        return _hit(match, anchor, "day", exact=False)
    sign = -1 if way == "ago" else 1
    if words[-1] in ("few", "several"):
        ends = sorted(_shift(anchor, unit, sign * n) for n in (2, 6))
        form = f"{match['count'].lower()} {unit}s {'before' if sign < 0 else 'after'}"
        return _hit(match, (ends[0], ends[1]), form, exact=False)
    day = _shift(anchor, unit, sign * count)
    if unit in ("day", "week"):
        exact = unit == "day" and "couple" not in words
        return _hit(match, day, "day" if exact else "about day", exact=exact)
    return _hit(match, _span(unit, day), f"about {unit}", exact=False)


_ENDS = {"d": "day", "b": "day", "w": "week", "m": "month", "q": "quarter", "y": "year"}


@reads(
    "eod cob eow eom eoq eoy",
    rf"(?P<unit>EOD|COB|EOW|EOM|EOQ|EOY)\b(?!\s+(?:on\s+)?(?:(?i:today|tomorrow|the)\b|{WEEKDAY}|\d|(?i:{_MONTH})))",
    0,
)
@reads(
    "the end",
    r"(?:the\s+)?end\s+of\s+(?:the\s+|this\s+)?(?P<unit>day|week|month|quarter|year)\b(?!\s+of\b|['’-])",
    with_="end",
)
def _end(match: Match, anchor: date) -> Hit | None:
    unit = (
        _ENDS.get(match["unit"][-1].lower()) if match["unit"].isupper() else match["unit"].lower()
    )
    # "at the end of the day" is a manner of speaking.
    if unit is None or (
        not match["unit"].isupper()
        and word_before(match.string, match.start()) not in ("by", "before", "until", "till")
    ):
        return None
    return _hit(match, anchor if unit == "day" else _span(unit, anchor), f"end {unit}")
