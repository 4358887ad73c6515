"""Finding the words that name dates."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from functools import lru_cache
from string import ascii_letters

from lithify.text.dates.hit import RULES, VERBATIM, Hit, Rule
from lithify.text.dates.meaning import BESIDE, MORE, WEEKDAY, weekday_of
from lithify.text.pieces import pieces

_LETTER = frozenset(ascii_letters)
_LETTERS, _FIGURE = re.compile(r"[A-Za-z]+"), re.compile(r"[0-9]+")
_WORD = re.compile(r"[A-Za-z]+|[0-9]+")
#: After these a word is part of a longer one.
_JOINS = frozenset("_/@#.\\~$")
_TRIGGERS = frozenset(RULES)
_NEEDED = frozenset[str]().union(*(rule.needed for rules in RULES.values() for rule in rules))

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


_Places = tuple[tuple[int, tuple[Rule, ...]], ...]


def _places(text: str) -> _Places:
    return (_starts if len(text) <= _REMEMBERED else _starts.__wrapped__)(text)


@lru_cache(maxsize=1 << 14)
def _starts(text: str) -> _Places:
    """Where a date may begin, and the rules that fit there; the same on whatever day it is said."""
    low = text.lower()
    words: set[str] = set()
    for piece in pieces(low):
        words.update(_LETTERS.findall(piece))
    if len(low) != len(text):
        low = text.replace("İ", "i").lower()  # the one letter that becomes two
    beside = words & _NEEDED
    if "/" in text:
        beside.add("/")
    found: list[tuple[int, list[Rule]]] = []
    for word in words & _TRIGGERS:
        if rules := _live(word, beside):
            found += [(start, rules) for start in _where(word, text, low)]
    for figure in _FIGURE.finditer(text):
        if rules := _live(_trigger(figure.group()), beside):
            found.append((figure.start(), rules))
    return tuple(
        (start, fitting)
        for start, rules in sorted(found)
        if _begins(text, start)
        and (fitting := tuple([rule for rule in rules if rule.pattern.match(text, start)]))
    )


def _live(trigger: str, beside: set[str]) -> list[Rule]:
    rules = RULES.get(trigger, ())
    return [rule for rule in rules if not rule.needed or not beside.isdisjoint(rule.needed)]


def _where(word: str, text: str, low: str) -> Iterator[int]:
    """Where a word stands by itself in a text that is also given in small letters."""
    start = low.find(word)
    while start >= 0:
        end = start + len(word)
        alone = text[start - 1 : start] not in _LETTER and text[end : end + 1] not in _LETTER
        # What is no plain letter may become one when it is small: the sign of the kelvin does.
        if alone and text[start:end].isascii():
            yield start
        start = low.find(word, end)


def _first(rules: Iterable[Rule], text: str, start: int, anchor: date) -> Hit | None:
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
    # A script without spaces may stand right before a date; Latin letters and digits may not.
    inside = before.isnumeric() or (before.isalpha() and before < "ɐ")
    return not inside and before not in _JOINS


def _runs_on(text: str, end: int) -> bool:
    after = text[end : end + 2]
    return len(after) == 2 and after[0] in "-./_@" and (after[1].isalnum() or after[1] == "_")


def _explained(text: str, hit: Hit, said_on: date | None) -> Hit:
    """A relative date whose absolute one stands beside it needs no rewriting."""
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
