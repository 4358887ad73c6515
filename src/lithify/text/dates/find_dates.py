"""Finding the words that name dates."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache

from lithify.calendar import shifted, week_of
from lithify.regex import regex
from lithify.text.dates.meaning import BESIDE, MORE, WEEKDAY, weekday_of
from lithify.text.dates.named import (
    MONTHS,
    RULES,
    VERBATIM,
    DateRule,
    Hit,
    word_before,
)
from lithify.text.language import languages, number_table, word_table
from lithify.text.likeness import word_set

_WORD = regex(r"[A-Za-z]+|[0-9]+")
#: After these a word is part of a longer one.
_JOINS = frozenset("_/@#.\\~$")
#: What stands between the ends of a stretch of days.
_REACHES = ("to", "through", "-", "–")
#: Longer texts are read once and need no place in the memory of those read often.
_REMEMBERED = 2000


def could_name_date(text: str) -> bool:
    """Whether a text has words that could name a date; where not, the day it is read on is all one."""
    return len(text) > _REMEMBERED or bool(_starts(text))


def scan(text: str, said_on: date | None) -> Iterator[Hit]:
    anchor = said_on or date(2001, 3, 1)
    done = 0
    for start, rules in _places(text):
        if start < done:
            continue
        hit = _first(rules, text, start, anchor)
        if hit is None or (hit.form and _runs_on(text, hit.end)):
            continue
        hit = _explained(text, hit, said_on)
        yield hit
        # "by Monday or Tuesday", "from Monday to Friday": the days that follow the first.
        while hit.form == "day" and (more := MORE.match(text, hit.end)):
            try:
                hit = _explained(text, _following(hit, more, anchor), said_on)
            except OverflowError:
                break
            yield hit
        done = hit.end


def _following(hit: Hit, more: re.Match[str], anchor: date) -> Hit:
    day = hit.last + timedelta((weekday_of(more) - hit.last.weekday() - 1) % 7 + 1)
    if hit.last < anchor < day and more["joint"] not in _REACHES:
        day -= timedelta(7)  # what was on Friday and Monday was on both
    return hit._replace(start=more.start("weekday"), end=more.end(), first=day, last=day)


_Places = tuple[tuple[int, tuple[DateRule, ...]], ...]


def _places(text: str) -> _Places:
    return (_starts if len(text) <= _REMEMBERED else _starts.__wrapped__)(text)


@lru_cache(maxsize=1 << 14)
def _starts(text: str) -> _Places:
    """Where a date may begin, and the rules that fit there; the same on whatever day it is said."""
    found: list[tuple[int, tuple[DateRule, ...]]] = []
    for token in _WORD.finditer(text):
        rules, start = RULES.get(_trigger(token.group())), token.start()
        if rules and _begins(text, start):
            fitting = tuple([rule for rule in rules if rule.pattern.match(text, start)])
            found += [(start, fitting)] * bool(fitting)
    return tuple(found)


def _first(rules: Iterable[DateRule], text: str, start: int, anchor: date) -> Hit | None:
    for rule in rules:
        match = rule.pattern.match(text, start)
        if match is not None:
            try:
                hit = rule.reading(match, anchor)
            except (ValueError, OverflowError):  # no such day: the 31st of April, the year 10000
                continue
            if hit is not None:
                return hit
    return None


def _begins(text: str, start: int) -> bool:
    before = text[start - 1 : start]
    if before == "-":
        return text[max(0, start - 6) : start].lower().endswith(("mid-", "early-", "late-"))
    if before == "/" and text[start] == "Q":  # "Q1/Q2"
        return True
    if before == "~" and not text[start - 2 : start - 1].strip():  # "~Feb 17"
        return True
    # A script without spaces may stand right before a date; Latin letters and digits may not.
    inside = before.isnumeric() or (before.isalpha() and before < "ɐ")
    return not inside and before not in _JOINS


def _runs_on(text: str, end: int) -> bool:
    after = text[end : end + 2]
    return len(after) == 2 and after[0] in "-./_@" and (after[1].isalnum() or after[1] == "_")


def _explained(text: str, hit: Hit, said_on: date | None) -> Hit:
    """Return a relative date whose absolute one stands beside it needs no rewriting."""
    beside = BESIDE.match(text, hit.end) if hit.form else None
    token = _WORD.match(text, beside.end()) if beside else None
    if token is None or (trigger := _trigger(token.group())) not in RULES:
        return hit
    said = _first(RULES[trigger], text, token.start(), said_on or hit.first)
    if said is None or said.form or said.first != said.last:
        return hit
    same_weekday = hit.first.weekday() == said.first.weekday()
    named = re.search(WEEKDAY, text[hit.start : hit.end]) is not None
    meant = hit.first <= said.first <= hit.last or (named and same_weekday)
    return said._replace(start=hit.start) if meant or said_on is None else hit


def _trigger(word: str) -> str:
    return str(len(word)) if word[0] <= "9" else word.lower()


def relative(text: str, said_on: date | None) -> Iterator[Hit]:
    if all(rule.absolute for _, rules in _places(text) for rule in rules):
        return
    spans: list[tuple[int, int]] | None = None
    for hit in scan(text, said_on):
        if hit.form:
            if spans is None:
                spans = [match.span() for match in VERBATIM.finditer(text)]
            at = bisect_right(spans, (hit.start, len(text)))
            if at == 0 or spans[at - 1][1] <= hit.start:
                yield hit


# How a relative date reads once it is absolute.


_PREPOSITIONS = word_set(
    "on in by until till since of from to for before after at during through over than between and"
    " or as vs versus around about with against like within past into onto towards toward throughout the all"
)
#: After a verb these are part of it where a day follows: "came in yesterday", "is over today".
_PARTICLES = frozenset(("in", "over"))
#: How a day limits something: "till at least tomorrow" needs no other preposition.
_LIMITED = regex(r"\b(?:until|till|by|before|for|from) at (?:least|most)\s+\Z", re.IGNORECASE)
#: A day before "and" or "or", which the one after it shares its preposition with.
_PAIRED = regex(
    r"(?:\b(?:to(?:day|night|morrow)|yesterday|ago|night|morning|afternoon|evening|weekend|week|month|quarter"
    r"|year)|day|\d)\s+(?:and|or)\s+\Z",
    re.IGNORECASE,
)
#: What a day follows that is what its clause speaks of: "and last month was hard".
_BEGINS = frozenset(("", "and", "but", "so", "that", "because", "as", "if", "or", "then"))
#: A day that somebody takes: "takes tomorrow off".
_TAKEN = word_set("take takes took taking taken")
_OFF = regex(r"\s+(?:off|free|and|or|as well)\b", re.IGNORECASE)
#: What is something: "that makes Monday the last day".
_MADE = word_set("make makes made making call calls called")
_VAGUE = word_set("about around roughly approximately nearly almost")
_SUBJECT = regex(
    r"['’]s\b|\s+(?:is|was|are|were|has|had|will|would|looks?|seems?|went|saw|marks?|marked|brings"
    r"|brought|feels|felt|works|worked|turned|became|proved)\b"
)
#: What follows "from today" where it already says how far.
_REACHES_ON = regex(
    r"\s*(?:[-–—/]|['’]s\b|(?:\d{1,2}:\d\d\s+)?(?:to|until|till|through)\b"
    r"|(?:on(?:wards?)?|forwards?|and|or|for)\b)",
    re.IGNORECASE,
)
#: "The notes from today" were written today; "the owner from today" is it from then on.
_MADE_ON = regex(
    r"\b(?:e-?mails?|mails?|messages?|notes?|photos?|pictures?|meetings?|calls?|reports?|figures|numbers"
    r"|data|results?|transcripts?|records?|recordings?|entry|entries|commits?|builds?|exports?|dumps?"
    r"|backups?|errors?|lists?|summary|readings?|orders?|news|logs?|those|ones?|apart|away|aside"
    r"|far|different|back)\s+from\s+\Z",
    re.IGNORECASE,
)
_COUNTED = regex(
    r"\b(?:due|deadline|expir\w+|launch\w*|starts?|begins?|ends?|opens?|closes?|scheduled|happens?"
    r"|arriv\w+)\b[^.!?;]*\s(?:minute|hour|day|week|month|year)s?\s+from\s+\Z",
    re.IGNORECASE,
)
_STOP = regex(r"\s*(?:\Z|[.;:!?)\]|—–\n])")


def reworded(text: str, hit: Hit, anchor: date) -> tuple[int, str]:
    """Return where the old words end, and the new ones, with the preposition the place needs."""
    name, preposition = _name(hit, anchor)
    before, after, end = word_before(text, hit.start), text[hit.end : hit.end + 16], hit.end
    near = text[max(0, hit.start - 20) : hit.start].rstrip(" \t*_>#•")
    left = near.rstrip(" \t*_>#-•")
    limited = _LIMITED.search(text, max(0, hit.start - 20), hit.start) is not None
    joined = (
        limited
        or before in _MADE
        or near[-1:] == "/"
        or text[hit.start - 1 : hit.start] in tuple("–—-(")
        or (before in _PREPOSITIONS and not _is_apart(text, hit, before, preposition))
    )
    alone = (not left or left[-1] in ".!?:;,\n([|—–" or near[-2:] == " -") and _STOP.match(after)
    if left[-1:] == ":" and after[:1] == ",":
        joined = True  # "in two steps: Tuesday, then again a week later"
    if left[-1:] == "," and hit.form == "year":
        alone = None  # "not urgent, this year"
    if before == "mid" and hit.form in ("week", "month", "year"):
        name, preposition = week_of(hit.first) if hit.form == "week" else name, ""
    elif (
        (before in _TAKEN and hit.form == "day" and _OFF.match(after))
        or joined
        or alone
        or (before in _BEGINS and _SUBJECT.match(after))
    ):
        preposition = ""
    words = f"{preposition} {name}" if preposition else name
    if before == "from" and _lasts(text, hit):
        words += " on"
    if before in _VAGUE:
        words = words.removeprefix("around ")
    if text[hit.start : hit.start + 2].istitle() and (not left or left[-1] in ".!?:\n|"):
        words = words[0].upper() + words[1:]
    return end, words


def _is_apart(text: str, hit: Hit, before: str, preposition: str) -> bool:
    """Return whether the word before a date is not the one it hangs on."""
    if before in _PARTICLES:
        return preposition == "on"
    return before in ("and", "or") and not _PAIRED.search(text, max(0, hit.start - 30), hit.start)


def _lasts(text: str, hit: Hit) -> bool:
    """Return whether "from today" says since when something holds, and not when it was made."""
    if text[hit.start : hit.end].lower() != "today" or _REACHES_ON.match(text, hit.end):
        return False
    left = text[max(0, hit.start - 120) : hit.start]
    # "The launch is 10 days from today" counts from it; without a word more both readings stay.
    return not (_MADE_ON.search(left) or _COUNTED.search(left))


def _name(hit: Hit, anchor: date) -> tuple[str, str]:
    """Return the absolute name of a date, and the preposition it takes in a sentence."""
    manner, _, unit = hit.form.rpartition(" ")
    day = hit.first.isoformat()
    names = {
        "day": (day, "on"),
        "week": (f"the week of {day}", "in"),
        "weekend": (f"the weekend of {day}", "over"),
        "month": (day[:7], "in"),
        "quarter": (f"Q{(hit.first.month + 2) // 3} {day[:4]}", "in"),
        "year": (day[:4], "in"),
    }
    if unit in ("before", "after"):
        return f"{hit.form} {anchor.isoformat()}", ""
    name, preposition = names.get(unit) or (f"the {unit} of {day}", "on")
    if manner == "about":
        return f"around {name}", ""
    return (f"the end of {name}", "by") if manner == "end" else (name, preposition)


# The days and times that a text may mean: what a claim may tell of it, and what nobody can decide.


#: A day of a month that is not named: "the 18th", "am 18."
_ORDINAL = regex(
    r"\b(?:(?:the|from|to) (\d{1,2})(?:st|nd|rd|th)|(?:am|zum|vom|dem|bis|beim|den) (\d{1,2})\.)(?!\w)(?!\s*\d)"
)
#: Days around an entry in which such a day is looked for.
_AROUND = 35
_LETTERS_ONLY = regex(r"[^\W\d_]+")
_NEXT = regex(r"\b(?:next|nächst\w*|kommend\w*|in (?:a|one|einer) (?:week|woche))\b", re.IGNORECASE)
_WEEKEND = regex(r"weekend|wochenend", re.IGNORECASE)
#: "Half past four", "at three", "halb fünf": the minutes they stand from the hour.
_PAST = {"half past": 30, "quarter past": 15, "ten past": 10, "twenty past": 20, "five past": 5}
_PAST |= {"quarter to": -15, "ten to": -10, "twenty to": -20, "five to": -5, "halb": -30}
_PAST |= {"viertel nach": 15, "viertel vor": -15, "dreiviertel": -15, "at": 0, "by": 0, "um": 0}
_PAST |= {"from": 0, "until": 0, "till": 0, "bis": 0, "and": 0, "before": 0, "ab": 0, "gegen": 0}
_NOON = {"noon": 12, "midday": 12, "mittags": 12, "midnight": 0, "mitternacht": 0}


def possible_days(text: str, day: date, language: str) -> Iterator[date]:
    """The days that a text said on a day may mean by a weekday, an ordinal or a word like "tomorrow"."""
    around = _around(day)
    for match in _ORDINAL.finditer(text):
        wanted = int(match[1] or match[2])
        yield from _nearest_of(day, [each for each in around if each.day == wanted])
    weekdays, near = word_table(language, "weekdays"), word_table(language, "near_days")
    if not near:  # a script is used by several languages, and a few words tell none
        near = number_table("near_days")
        weekdays = {
            word: n for each in languages() for word, n in word_table(each, "weekdays").items()
        }
    steps = (7, 14) if _NEXT.search(text) else (7,)
    for word in map(str.lower, _LETTERS_ONLY.findall(text)):
        if word in near:
            yield from (each for each in around if (each - day).days == near[word])
        for name, weekday in weekdays.items():
            # "Fri", "Mondays", "Freitagabend"
            if word.startswith(name) or (len(word) == 3 and name.startswith(word)):
                yield from _on_weekday(around, day, weekday, max(steps))
    if _WEEKEND.search(text):
        for weekday in (5, 6):
            yield from _on_weekday(around, day, weekday, 7)


def _around(day: date) -> list[date]:
    """Return the days around one, as far as the calendar reaches."""
    first, last = (shifted(day, days).toordinal() for days in (-_AROUND, _AROUND))
    return [date.fromordinal(each) for each in range(first, last + 1)]


def _on_weekday(around: list[date], day: date, weekday: int, ahead: int) -> Iterator[date]:
    """Such a weekday in the week before a day, and as far ahead as told."""
    for each in around:
        if each.weekday() == weekday and -7 < (each - day).days < ahead:
            yield each


def _nearest_of(day: date, found: list[date]) -> Iterator[date]:
    """Of the days found, the nearest before and the nearest after."""
    yield from [each for each in found if each <= day][-1:]
    yield from [each for each in found if each >= day][:1]


def possible_months(text: str, day: date) -> Iterator[str]:
    """The months that a text names by a word with a capital, of the year of its day: "March was less"."""
    for word in _LETTERS_ONLY.findall(text):
        if word[0].isupper() and word.lower() in MONTHS:
            yield f"{day.year}-{MONTHS.index(word.lower()) + 1:02}"


def possible_times(text: str, language: str) -> Iterator[str]:
    """Yield the times of a day that a text says in words, in either half of the day."""
    low = text.lower()
    hours = word_table(language, "hours")
    for match in re.finditer(rf"\b({'|'.join(_PAST)}) ({'|'.join(hours)})\b", low) if hours else ():
        for half in (0, 12):
            minutes = (60 * (hours[match[2]] + 1 + half) + _PAST[match[1]]) % (24 * 60)
            yield f"{minutes // 60:02}:{minutes % 60:02}"
    for word in _NOON.keys() & set(_LETTERS_ONLY.findall(low)):
        yield f"{_NOON[word]:02}:00"
