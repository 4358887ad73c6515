"""Whether a later entry supersedes an earlier one: it gives a newer value of the same thing.

That is so only where a sentence of each has the same subject and a value of the same kind, and the
later sentence says that something changed, names the old value as old, or makes the same statement
with another value. A later version of the same thing and another holder of the same post supersede
the earlier ones. In doubt nothing is superseded. Lines of a log and rows of a report never are: each
stays true of its hour.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import date
from functools import cache, lru_cache
from typing import NamedTuple

from lithify.regex import regex
from lithify.search.index import Doc, terms_of
from lithify.search.query import NUMBER_WORDS
from lithify.text.language import alternatives, in_any_language
from lithify.text.stems import COMMON_STEMS, is_empty, stem

_CLOCK_BEFORE = regex(r"\d{1,2}:\d{2}\s+")
_NUMBERS = NUMBER_WORDS[1:]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_VALUE = regex(
    r"(?P<money>[$€£¥]\s?\d[\d,]*(?:\.\d+)?\s?(?:[kmb]\b|million|billion)?)"
    r"|(?P<percent>\d+(?:\.\d+)?\s?%)"
    r"|(?P<day>\d{4}-\d{2}-\d{2})"
    r"|(?P<clock>\d{1,2}:\d{2}(?:\s?[ap]m)?)"
    r"|(?P<version>\bv?\d+\.\d+(?:\.\d+)*(?:-?(?:rc|beta|alpha)[.\d]*)?\b)"
    r"|(?P<count>\b\d[\d,]*)(?:\s?(?P<unit>[^\W\d_]+(?:/[^\W\d_]+)?))?"
    rf"|\b(?P<weekday>{'|'.join(_DAYS)})s?\b|\b(?P<spelled>{'|'.join(_NUMBERS)})\b"
)
#: Words that say that something has changed, in English. Compiled on first use, like the patterns below.
_CHANGE = (
    r"\b(?:now|no longer|instead|from today|from tomorrow|as of|effective|starting|(?<!no )changed?s?"
    r"|moved?s?|raised?|lowered|cut to|up from|down from|replaced?s?|switched|renamed|revised"
    r"|back to|reversed|widened|extended|reduced|increased|slips?|postponed|renewed)\b|→|->"
    r"|\b(?:is|are|has|runs?|lives?)\b.{0,80}\bsince\b"
)
#: The start of a line of a log: "06:00 Check: 14 of 14", "Check 06:00: 14 of 14".
_REPORT = r"\d{1,2}:\d{2}\s|\D{0,24}\b\d{1,2}:\d{2}:\s"
_BREAK = r"(?<=[.!?;])\s+|\n"
#: After a number: it is an ordinal and no count; the word it counts; words that it does not count.
_ORDINALS = ("st", "nd", "rd", "th")
_WORD_AFTER = r"\s?([^\W\d_]{2,})"
_ADVERBS = frozenset(
    ["now", "already", "again", "still", "today", "more", "back", "instead", "later"]
)
#: What stands around the value before a change: "from 5 to 8".
_CHANGE_FROM = r"\bfrom\s+(?:\w+\s+)?$"
_CHANGE_TO = r"\s*(?:\w+\s+)?(?:to|→|->)\s"
_NOUN = r"([^\W\d_]{2,})\s$"
_NAMED = r"([\w.-]*[^\W\d_][\w.-]*)(?:\s+(?:version|to|is|at|now))?\s+$"
#: Words around a version that is planned and not released.
_PLANNED = (
    r"\b(?:decided|planned|plans?|will|would|should|could|might|may|if|once|when|until|whether"
    r"|before|into|proposed?|next|upcoming|target|waiting|candidate)\b|\[ \]"
)
#: Words of a lasting state, and words of a single event or hour.
_STATE = r"\b(?:is|are|has|have|stands? at|costs?|runs?|lives?|kept)\b|: "
_EVENT = r"\b(?:took|was|were|had|today|yesterday|tonight|this (?:week|morning|month)|so far|\d+ \w+ed)\b"
#: "Ada Lind is the owner of billing"; "the staging host is now stg-3.example".
_POST = (
    r"(?P<who>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?) (?:is|becomes|became|remains)(?: now)? (?:the |our )"
    r"(?:new )?(?P<post>[a-z][a-z-]*(?: [a-z][a-z-]*)? (?:of|for) (?:the )?[\w-]+)"
)
_POST_IS = (
    r"\b(?:[Tt]he|[Oo]ur) (?P<post>[\w’'-]+(?: [\w’'-]+){0,3}?) is (?:now )?"
    r"(?P<who>`?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*|`?[a-z]+[-.]?\d[\w.-]*\w|`?[a-z][\w-]*\.[\w.-]*\w)"
)
#: Words of change, time and measure, which are never part of a subject.
_NO_SUBJECT = frozenset(
    terms_of(
        "change move raise lower replace switch rename revise reverse widen extend reduce increase "
        "slip postpone effective longer decision decide reason minute hour second month quarter ms "
        "utc local plan set book january february march april june july august september october "
        "november december monday tuesday wednesday thursday friday saturday sunday morning percent"
    )
)
#: Kinds of value for which one shared word is enough, if the later sentence names the old value.
_ONE_WORD_KINDS = frozenset(["money", "percent", "day", "version"])
#: Marks the noun of a number that is a label: "rack 4".
_LABEL = "#"
_VERSION_TERMS = frozenset(terms_of("version release"))
#: Two sentences have the same subject if they share so many words, and this part of the shorter.
_SHARED_WORDS = 2
_SHARED_PART = 0.5
#: The longest name or version that is read.
_LONGEST = 60


@cache
def change() -> str:
    """Return the pattern of words that say that something has changed, in any language."""
    return f"{_CHANGE}|{alternatives(in_any_language('changes'))}"


@cache
def _old_value() -> str:
    """Return the pattern of what stands before a value that no longer holds, in any language."""
    return rf"(?:{alternatives(in_any_language('old_value'))})\s*$"


class FoundValue(NamedTuple):
    """A value in a text: what it counts, the number of its sentence, whether it is named as old."""

    kind: str
    value: str
    noun: str
    sentence: int
    old: bool


class FoundValues(NamedTuple):
    """The values of a text, with its sentences.

    `versions` maps the name of a thing to its version, if that is released and not only planned.
    """

    kinds: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    all: tuple[FoundValue, ...]
    sentences: tuple[str, ...]
    versions: dict[str, tuple[int, ...]]


_NO_VALUES = FoundValues(frozenset(), frozenset(), (), (), {})


@lru_cache(maxsize=4096)
def values_of(text: str) -> FoundValues:
    """Find the figures, dates, times and versions of a text."""
    low = text.lower()
    start = _CLOCK_BEFORE.match(low)
    found = list(_VALUE.finditer(low, start.end() if start else 0))
    if not found:
        return _NO_VALUES
    starts = [0, *(gap.end() for gap in re.finditer(_BREAK, low))]
    sentences = tuple(low[a:b] for a, b in zip(starts, [*starts[1:], len(low)], strict=True))
    values: list[FoundValue] = []
    versions: dict[str, tuple[int, ...]] = {}
    for match in found:
        kind, value = match.lastgroup or "", re.sub(r"[\s,]", "", match[0])
        end = match.end()
        if match["count"] and match["unit"] in _ORDINALS:
            continue
        if match["count"]:
            kind, value, end = "count", match["count"].replace(",", ""), match.end("count")
        elif match["spelled"]:
            kind, value = "count", str(_NUMBERS.index(match["spelled"]) + 2)
        elif match["weekday"]:
            value = match["weekday"]
        elif match["version"] and not value.lstrip("v").replace(".", "").isdigit():
            # A release candidate supersedes nothing.
            kind = "candidate"
        at = bisect_right(starts, match.start()) - 1
        before = low[max(starts[at], match.start() - _LONGEST) : match.start()]
        old = bool(
            re.search(_old_value(), before)
            or (re.search(_CHANGE_FROM, before) and re.match(_CHANGE_TO, low[end : end + _LONGEST]))
        )
        noun = _counted(before, low, end) if kind == "count" else ""
        values.append(FoundValue(kind, value, noun, at, old))
        if kind == "version" and len(value) < _LONGEST:
            named = re.search(_NAMED, before)
            if named and not re.search(_PLANNED, sentences[at]):
                versions[named[1]] = tuple(int(part) for part in value.lstrip("v").split("."))
    pairs = frozenset((one.kind, one.value) for one in values)
    return FoundValues(frozenset(k for k, _ in pairs), pairs, tuple(values), sentences, versions)


def _counted(before: str, text: str, end: int) -> str:
    """Return what a number counts: the word after it, or with `#` the word it labels ("rack 4")."""
    after = re.match(_WORD_AFTER, text[end : end + _LONGEST])
    if after and not is_empty(after[1]) and after[1] not in _ADVERBS:
        return stem(after[1])
    noun = re.search(_NOUN, before)
    if noun is None or is_empty(noun[1]) or stem(noun[1]) in COMMON_STEMS | _NO_SUBJECT:
        return ""
    return _LABEL + stem(noun[1])


@lru_cache(maxsize=2048)
def _subject(sentence: str) -> frozenset[str]:
    """Return the words that make up the subject of a sentence; of a compound only the whole."""
    words = {
        term
        for term in terms_of(sentence)
        if term not in COMMON_STEMS and term not in _NO_SUBJECT and not term[0].isdigit()
    }
    for whole in [term for term in words if not term.isalnum()]:
        words -= {stem(part) for part in re.split(r"[\W_]+", whole)}
    return frozenset(words)


@lru_cache(maxsize=1024)
def _holders(text: str) -> dict[frozenset[str], str]:
    """Return who or what holds a post ("the owner of billing"), by the terms of the post."""
    if not re.search(r"\b(?:is|becomes|became|remains)\b", text):
        return {}
    found = [*re.finditer(_POST, text), *re.finditer(_POST_IS, text)]
    posts = {frozenset(terms_of(match["post"])): match["who"].lower() for match in found}
    return {post: who for post, who in posts.items() if post}


def has_value(text: str) -> bool:
    """Return whether a text gives a value that a later one may supersede."""
    return bool(values_of(text).all or _holders(text))


def gives_value(text: str, kinds: frozenset[str]) -> bool:
    """Whether a text gives a value of one of these kinds that is neither old nor only planned."""
    values = values_of(text)
    if "version" in kinds and "version" in values.kinds and not values.versions:
        kinds -= {"version"}
    return any(one.kind in kinds and not one.old for one in values.all)


def own_days(doc: Doc) -> dict[str, str]:
    """Map the words for the day of an entry, and for the one before, to what they are to any entry.

    They say when it was written, as its date does, and are no value that another day could change.
    """
    if not doc.first or doc.first != doc.last:
        return {}
    days = {"-0": date.fromordinal(doc.first), "-1": date.fromordinal(max(doc.first - 1, 1))}
    return {
        word: name + back
        for back, day in days.items()
        for name, word in (("day", str(day)), ("weekday", _DAYS[day.weekday()]))
    }


def supersedes(newer: Doc, older: Doc, asked: frozenset[str]) -> bool:
    """Return whether a later entry gives a newer value of what an earlier one says.

    `asked` are the telling terms of the query: both must be about one of them.
    """
    now, then = values_of(newer.text), values_of(older.text)
    if now.versions and then.versions and _is_later(newer, older, asked):
        return True
    if newer.kind == "row" or older.kind == "row":
        return False
    held, before = _holders(newer.text), _holders(older.text)
    if held and before and any(held[post] != before[post] for post in held.keys() & before):
        return True
    if now.kinds.isdisjoint(then.kinds) or (asked and asked.isdisjoint(newer.own & older.own)):
        return False
    today, that_day = own_days(newer), own_days(older)
    return any(
        new.kind == old.kind
        and new.value != old.value
        and not (new.value in today and old.value in that_day)
        and not new.old
        and not old.old
        and _replaces(new, old, newer.text, older.text, asked)
        for new in now.all
        for old in then.all
    )


def _is_later(newer: Doc, older: Doc, asked: frozenset[str]) -> bool:
    """Whether an entry names a later version of a thing, and both have everything else asked."""
    now, then = values_of(newer.text).versions, values_of(older.text).versions
    for name in now.keys() & then:
        if now[name] > then[name]:
            other = asked.difference(terms_of(name), _VERSION_TERMS)
            if other <= newer.all_terms & older.all_terms:
                return True
    return False


def _replaces(
    new: FoundValue, old: FoundValue, newer: str, older: str, asked: frozenset[str]
) -> bool:
    """Return whether one value supersedes another, judged by the sentences they stand in."""
    if new.noun != old.noun and new.noun and old.noun:
        return False
    now, then = values_of(newer), values_of(older)
    here, there = now.sentences[new.sentence], then.sentences[old.sentence]
    said, was = _subject(here), _subject(there)
    shared = said & was
    # A long entry says many things: only those about the query count.
    if not shared or (asked and asked.isdisjoint(shared)):
        return False
    if _names(said - was) and _names(was - said):
        return False
    beside = [one for one in now.all if one.sentence == new.sentence and one.kind == old.kind]
    cited = any(one.old and one.value == old.value for one in beside)
    if any(one.value == old.value and not one.old for one in beside):
        return False
    if cited and new.kind in _ONE_WORD_KINDS:
        return True
    if len(shared) < max(_SHARED_WORDS, _SHARED_PART * min(len(said), len(was))):
        return False
    # Another label ("rack 4", "rack 5") is another thing, and another line of a log another hour.
    if cited or _LABEL in (new.noun[:1], old.noun[:1]):
        return cited
    if re.match(_REPORT, newer) and re.match(_REPORT, older):
        return False
    same = said <= was or was <= said
    return bool(re.search(change(), here)) or (same and _is_state(here) and _is_state(there))


def _names(words: frozenset[str]) -> bool:
    """Return whether one of the words names a numbered thing: kiln-02, stg-3."""
    return any(not word.isalpha() and any(map(str.isdigit, word)) for word in words)


def _is_state(sentence: str) -> bool:
    """Return whether a sentence states what lasts, and not what happened once."""
    return bool(re.search(_STATE, sentence)) and not re.search(_EVENT, sentence)
