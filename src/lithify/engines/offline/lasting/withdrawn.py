"""Decisions and rules taken back by their day or by name: `what we agreed on the 5th is off`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

from lithify import cues
from lithify.calendar import last_numbered
from lithify.engines.offline.lasting import bar
from lithify.engines.offline.lasting.reasons import ROOM
from lithify.engines.offline.lasting.reversals import turns_away
from lithify.engines.offline.lasting.telling import unnamed_matter
from lithify.engines.offline.reading.text import split
from lithify.engines.offline.reading.units import stems_in
from lithify.text.dates import find_dates
from lithify.text.stems import COMMON_STEMS
from lithify.text.tokens import estimate
from lithify.values import TypedMemory

_CHOSEN = r"\b(?:decisions?|decided|decide|agreed|agreement|agree|chosen|chose|choice|plan|planned|rule|ruling|order|ordered|instruction|settled|promised)\b"
#: No sentence takes back by a day without one of these.
_HINT = re.compile(
    r"\b(?:off|void|dead|gone|moot|drop|overturn|overrul|revers|rescind|revok|undo|undid|annul|withdr|cancel|supersed|replac|longer|back)",
    re.I,
)
#: `this overturns what we agreed on …`, and where the day stands then.
_TAKES_BACK = re.compile(
    r"\b(?:overturn|overrul|revers|rescind|revok|undo|undid|annul|withdr[ae]w|cancel|supersed|replac|tak(?:es?|ing) back|took back)\w*"
    rf"\b[^.;:]{{0,40}}?{_CHOSEN}",
    re.I,
)
#: `what she decided on … is off`
_IS_OFF = re.compile(
    r"\b(?:is|are) (?:now |thus |then |therefore |hereby |so )?(?:off|void|dead|gone|moot|overturned|reversed|rescinded|revoked|undone|annulled|"
    r"withdrawn|dropped|cancell?ed|superseded|replaced|taken back|called off|no longer (?:valid|true|in force))\b",
    re.I,
)
#: `contrary to 6 July`, `overrides what we did on the 6th`: what is said is done instead of that day's.
_AGAINST = re.compile(
    r"\b(?:contrary to|overrid(?:es|ing|den)|overrode)(?: (?:what|the \w+)(?: (?:I|we|you|he|she|they))?(?: \w+){0,2}?)?"
    r"(?: (?:on|of|from))?(?: the)? $",
    re.I,
)
#: `that ends the pallet idea`, `what she had said about January is off`, `the hosting plan is dead`
_BY_NAME = re.compile(
    r"\b(?:that|this) (?:ends|kills|buries) (?:the|our|his|her|their|my) (?P<ended>[\w' -]{3,40}?) (?:idea|plan|rule|arrangement|scheme|experiment)\b|"
    r"\bwhat (?:I|we|he|she|they|(?-i:[A-Z])[\w'-]+) (?:had |has |have )?(?:said|decided|agreed|planned|wrote|told (?:us|me)) (?:about|on|of|for) (?P<told>[^.;:]{3,40}?) is (?:off|over|void|dead|out|gone|no longer true)\b|"
    r"\bthe (?P<off>[\w' -]{3,40}?) (?:idea|plan|rule|ban|arrangement|scheme) is (?:off|over|void|dead|dropped|out|gone|no longer in force)\b",
    re.I,
)
_NAMES_CHOICE = re.compile(_CHOSEN, re.I)
#: The day a choice is of; what it is for comes later.
_OF_DAY = re.compile(
    rf"{_CHOSEN}(?! for (?:the )?\d)[^.;:]*? (?:of|on|from|since|dated)(?: the)? $|{_CHOSEN} $",
    re.I,
)
_NUMBERED = re.compile(r"\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! (?:of )?[A-Z])")
_UNSURE = re.compile(
    r"\b(?:not|never|if|unless|whether|may|might|could|would|should|until|whatever)\b|n't\b", re.I
)
#: Characters from the choice to its day, and from the day to what became of it.
_NEAR, _WITHIN = 40, 70
#: Telling words that bind what is said around it to the choice of that day.
_SHARED = 2
#: So many sentences before it may tell what is done instead.
_BEFORE = 4


@lru_cache(maxsize=1 << 13)
def is_hinted(text: str) -> bool:
    """Whether the words may take something back by its day."""
    if re.search(r"\bcontrary to\b|\boverr[io]d", text, re.I) or _BY_NAME.search(text):
        return True
    return bool(_HINT.search(text) and _NAMES_CHOICE.search(text))


def day_in(text: str, said_on: date) -> date | None:
    """The day whose choice a sentence says no longer holds, or none."""
    if text.endswith("?") or not is_hinted(text):
        return None
    takes = _TAKES_BACK.search(text)
    for start, end, day in _days(text, said_on):
        before = text[max(0, start - _NEAR) : start]
        if day < said_on and _AGAINST.search(before):
            return day
        if day >= said_on or not _OF_DAY.search(before):
            continue
        after = text[end : end + _WITHIN]
        off = _IS_OFF.search(after)
        if off and not _UNSURE.search(after[: off.end()]):
            return day
        if takes and takes.end() <= start <= takes.end() + _NEAR:
            return None if _UNSURE.search(text[: takes.start()]) else day
    return None


def _days(text: str, said_on: date) -> Iterator[tuple[int, int, date]]:
    """The days that a text names, and where; `the 5th` is the last one."""
    for found in find_dates(text, said_on):
        if found.first == found.last:
            yield found.start, found.end, found.first
    for match in _NUMBERED.finditer(text):
        if day := last_numbered(said_on, int(match[1])):
            yield match.start(), match.end(), day


def withdrawn_day(memory: TypedMemory) -> date | None:
    """The day whose choice a memory says no longer holds, or none."""
    if not memory.updated or not is_hinted(memory.statement):
        return None
    said_on = date.fromisoformat(memory.updated)
    return next(filter(None, (day_in(one, said_on) for one in split(memory.statement))), None)


def withdraws(new: TypedMemory, old: TypedMemory) -> bool:
    """Whether a memory takes back an older one by its name, or by its day and speaks of its matter."""
    named = [_named(one) for one in split(new.statement)] if is_hinted(new.statement) else []
    earlier = old.type != "reference" and old.updated < new.updated
    if earlier and any(one and one <= _said(old) for one in named):
        return True
    day = withdrawn_day(new)
    if day is None or day.isoformat() != old.updated or old.type == "reference":
        return False
    matter = unnamed_matter(old.statement)
    # A word may be that of several choices of the day.
    return len(unnamed_matter(new.statement) & matter) >= min(_SHARED, len(matter))


def withdrawn_by(
    told: Sequence[str], said_on: date, known: Sequence[TypedMemory]
) -> tuple[int, TypedMemory] | None:
    """The sentence of an entry that takes a memory back by its day or name, and that memory; or nothing.

    Of the day's memories it is the one that has most words in common with it and those before it.
    """
    if found := _withdrawn_by_name(told, said_on, known):
        return found
    days = {at: day for at, text in enumerate(told) if (day := day_in(text, said_on))}
    for at, day in days.items():
        words = unnamed_matter(" ".join(told[max(0, at - _BEFORE) : at + 1]))
        of = [one for one in known if one.updated == day.isoformat() and one.type != "reference"]
        shared = [len(words & unnamed_matter(one.statement)) for one in of]
        most = max(shared, default=0)
        if most >= _SHARED and shared.count(most) == 1:
            return at, of[shared.index(most)]
        # "No squashing. The rule of the 3rd is void.": a word is enough where no other rule has it.
        near = unnamed_matter(" ".join(told[max(0, at - 1) : at + 1]))
        speaking = [one for one in of if near & unnamed_matter(one.statement)]
        if len(speaking) == 1:
            return at, speaking[0]
    return None


def _withdrawn_by_name(
    told: Sequence[str], said_on: date, known: Sequence[TypedMemory]
) -> tuple[int, TypedMemory] | None:
    """The sentence that takes a memory back by its name, and that memory.

    Of several that are named so it is the one that is spoken of right before.
    """
    older = [one for one in known if one.type != "reference" and one.updated < said_on.isoformat()]
    for at, text in enumerate(told):
        named = _named(text)
        of = [one for one in older if named and named <= _said(one)]
        before = stems_in(" ".join(told[max(0, at - 1) : at]))
        near = {stem for stem in before if not stem.isdigit()} - COMMON_STEMS - named
        spoken_of = [one for one in of if near & _said(one)] if len(of) > 1 else of
        if len(spoken_of) == 1:
            return at, spoken_of[0]
    return None


def _named(text: str) -> frozenset[str]:
    """The words by which a sentence names what no longer holds; none where it names nothing."""
    found = _BY_NAME.search(text)
    if found is None or text.endswith("?") or _UNSURE.search(text[: found.start()]):
        return frozenset()
    return frozenset(stems_in(found["ended"] or found["told"] or found["off"])) - COMMON_STEMS


def _said(memory: TypedMemory) -> frozenset[str]:
    return frozenset(stems_in(memory.statement))


def instead_of(told: Sequence[str], at: int) -> tuple[str, ...]:
    """The sentence that takes back, with the one before or else after it that says what holds now."""
    text = told[at]
    before = [one for one in told[max(0, at - _BEFORE) : at] if not one.endswith("?")]
    holds = [one for one in before if bar.decides(one) or bar.chooses(one) or turns_away(one)]
    near = [one for one in before[-1:] if not one.startswith("I ")]
    for one in (one for one in holds or near if not bar.hangs(one)):
        if estimate(one) + estimate(text) <= 2 * ROOM and not cues.is_hearsay(one):
            return one, text
    after = told[at + 1] if at + 1 < len(told) else "?"
    if after.endswith("?") or estimate(text) + estimate(after) > 2 * ROOM:
        return (text,)
    return text, after
