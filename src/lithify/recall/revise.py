"""Which of two entries gives the newer value of one thing.

A later entry takes the place of an earlier one only where a sentence of each speaks of the same
subject and gives a value of the same kind, and the later one says that something changed, cites
the old value as the old one, or is the same statement with another value. A later version of the
same thing and another holder of the same post replace the earlier ones. Where that is in doubt
nothing is replaced: lines of a log and rows of a report stay true of their hour.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from lithify.index.read import Doc
from lithify.index.terms import terms_of
from lithify.recall.when import SMALL
from lithify.text.stems import COMMON_STEMS, is_empty, stem

_CLOCK_BEFORE = re.compile(r"\d{1,2}:\d{2}\s+")
_NUMBERS = SMALL[1:]
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_VALUE = re.compile(
    r"(?P<money>[$€£¥]\s?\d[\d,]*(?:\.\d+)?\s?(?:[kmb]\b|million|billion)?)"
    r"|(?P<percent>\d+(?:\.\d+)?\s?%)"
    r"|(?P<day>\d{4}-\d{2}-\d{2})"
    r"|(?P<clock>\d{1,2}:\d{2}(?:\s?[ap]m)?)"
    r"|(?P<version>\bv?\d+\.\d+(?:\.\d+)*(?:-?(?:rc|beta|alpha)[.\d]*)?\b)"
    r"|(?P<count>\b\d[\d,]*)(?:\s?(?P<unit>[^\W\d_]+(?:/[^\W\d_]+)?))?"
    rf"|\b(?P<weekday>{'|'.join(_DAYS)})s?\b|\b(?P<spelled>{'|'.join(_NUMBERS)})\b"
)
#: Left uncompiled until a value is looked at closely.
CHANGED = (
    r"\b(?:now|no longer|instead|from today|from tomorrow|as of|effective|starting|(?<!no )changed?s?"
    r"|moved?s?|raised?|lowered|cut to|up from|down from|replaced?s?|switched|renamed|revised"
    r"|back to|reversed|widened|extended|reduced|increased|slips?|postponed|renewed)\b|→|->"
    r"|\b(?:is|are|has|runs?|lives?)\b.{0,80}\bsince\b"
)
#: A line of a log: "06:00 Check: 14 of 14", "Check 06:00: 14 of 14".
_REPORT = r"\d{1,2}:\d{2}\s|\D{0,24}\b\d{1,2}:\d{2}:\s"
_BREAK = r"(?<=[.!?;])\s+|\n"
#: The value before a change: "from 5 to 8", "up from 5", "where it was 15", "no longer 14".
_FROM = r"\bfrom\s+(?:\w+\s+)?$"
_TO = r"\s*(?:\w+\s+)?(?:to|→|->)\s"
_BEFORE = r"\b(?:up from|down from|was|were|no longer(?: on)?|instead of)\s+$"
_NOUN = r"([^\W\d_]{2,})\s$"
_NAMED = r"([\w.-]*[^\W\d_][\w.-]*)(?:\s+(?:version|to|is|at|now))?\s+$"
#: A version that is spoken of and not out.
_PLANNED = (
    r"\b(?:decided|planned|plans?|will|would|should|could|might|may|if|once|when|until|whether"
    r"|before|into|proposed?|next|upcoming|target|waiting|candidate)\b|\[ \]"
)
_STATE = r"\b(?:is|are|has|have|stands? at|costs?|runs?|lives?|kept)\b|: "
_OF_ITS_HOUR = r"\b(?:took|was|were|had|today|yesterday|tonight|this (?:week|morning|month)|so far|\d+ \w+ed)\b"
#: "Ada Lind is the owner of billing"; "the staging host is now stg-3.example".
_POST = (
    r"(?P<who>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)?) (?:is|becomes|became|remains)(?: now)? (?:the |our )"
    r"(?:new )?(?P<post>[a-z][a-z-]*(?: [a-z][a-z-]*)? (?:of|for) (?:the )?[\w-]+)"
)
_IS = (
    r"\b(?:[Tt]he|[Oo]ur) (?P<post>[\w’'-]+(?: [\w’'-]+){0,3}?) is (?:now )?"
    r"(?P<who>`?[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*|`?[a-z]+[-.]?\d[\w.-]*\w|`?[a-z][\w-]*\.[\w.-]*\w)"
)
#: What is not of a subject: words of change, of time and of measure.
_NO_SUBJECT = frozenset(
    terms_of(
        "change move raise lower replace switch rename revise reverse widen extend reduce increase "
        "slip postpone effective longer decision decide reason minute hour second month quarter ms "
        "utc local plan set book january february march april june july august september october "
        "november december monday tuesday wednesday thursday friday saturday sunday morning percent"
    )
)
#: With what kinds an old value that is cited tells the subject with one word in common.
_TELLING = frozenset(["money", "percent", "day", "version"])
#: So many words make up a subject, and such a share of the shorter of two.
_WORDS = 2
_SHARE = 0.5
#: No name and no version is longer.
_LONGEST = 60


class Value(NamedTuple):
    """A value in a text: what it counts, the sentence it stands in, whether it is the old one."""

    kind: str
    value: str
    noun: str
    sentence: int
    old: bool


class Values(NamedTuple):
    """What of a text is a value, with the sentences they stand in.

    `versions` are those of things by their names, out and not only planned.
    """

    kinds: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    all: tuple[Value, ...]
    sentences: tuple[str, ...]
    versions: dict[str, tuple[int, ...]]


@lru_cache(maxsize=4096)
def values_of(text: str) -> Values:
    """The figures, dates and times of a text, each with its kind."""
    low = text.lower()
    start = _CLOCK_BEFORE.match(low)
    found = list(_VALUE.finditer(low, start.end() if start else 0))
    if not found:
        return _NONE
    starts = [0, *(gap.end() for gap in re.finditer(_BREAK, low))]
    sentences = tuple(low[a:b] for a, b in zip(starts, [*starts[1:], len(low)], strict=True))
    values: list[Value] = []
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
            # What is being tried takes no place yet.
            kind = "candidate"
        at = bisect_right(starts, match.start()) - 1
        before = low[max(starts[at], match.start() - _LONGEST) : match.start()]
        old = bool(
            re.search(_BEFORE, before)
            or (re.search(_FROM, before) and re.match(_TO, low[end : end + _LONGEST]))
        )
        noun = _counted(before, low, end) if kind == "count" else ""
        values.append(Value(kind, value, noun, at, old))
        if kind == "version" and len(value) < _LONGEST:
            named = re.search(_NAMED, before)
            if named and not re.search(_PLANNED, sentences[at]):
                versions[named[1]] = tuple(int(part) for part in value.lstrip("v").split("."))
    pairs = frozenset((one.kind, one.value) for one in values)
    return Values(frozenset(k for k, _ in pairs), pairs, tuple(values), sentences, versions)


_ORDINALS = ("st", "nd", "rd", "th")
_NONE = Values(frozenset(), frozenset(), (), (), {})
_WORD_AFTER = r"\s?([^\W\d_]{2,})"


def _counted(before: str, text: str, end: int) -> str:
    """What a number counts: the word after it, or, marked, what it is the number of ("rack 4")."""
    after = re.match(_WORD_AFTER, text[end : end + _LONGEST])
    if after and not is_empty(after[1]) and after[1] not in _ADVERBS:
        return stem(after[1])
    noun = re.search(_NOUN, before)
    if noun is None or is_empty(noun[1]) or stem(noun[1]) in COMMON_STEMS | _NO_SUBJECT:
        return ""
    return _LABEL + stem(noun[1])


_LABEL = "#"
_VERSION = frozenset(terms_of("version release"))
_ADVERBS = frozenset(
    ["now", "already", "again", "still", "today", "more", "back", "instead", "later"]
)


@lru_cache(maxsize=2048)
def _subject(sentence: str) -> frozenset[str]:
    """The words that tell what a sentence speaks of; of a compound only the whole."""
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
    """Who or what holds a post, by the words of the post."""
    if not re.search(r"\b(?:is|becomes|became|remains)\b", text):
        return {}
    found = [*re.finditer(_POST, text), *re.finditer(_IS, text)]
    posts = {frozenset(terms_of(match["post"])): match["who"].lower() for match in found}
    return {post: who for post, who in posts.items() if post}


def has_value(text: str) -> bool:
    """Whether a text gives a value that another may take the place of."""
    return bool(values_of(text).all or _holders(text))


def gives(text: str, kinds: frozenset[str]) -> bool:
    """Whether a text gives a value of one of these kinds, in force and not only planned."""
    values = values_of(text)
    if "version" in kinds and "version" in values.kinds and not values.versions:
        kinds -= {"version"}
    return any(one.kind in kinds and not one.old for one in values.all)


def supersedes(newer: Doc, older: Doc, asked: frozenset[str]) -> bool:
    """Whether a later entry gives a newer value of what an earlier one speaks of."""
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
    return any(
        new.kind == old.kind
        and new.value != old.value
        and not new.old
        and not old.old
        and _replaces(new, old, newer.text, older.text, asked)
        for new in now.all
        for old in then.all
    )


def _is_later(newer: Doc, older: Doc, asked: frozenset[str]) -> bool:
    """Whether an entry names a later version of a thing; what else is asked, both must tell."""
    now, then = values_of(newer.text).versions, values_of(older.text).versions
    for name in now.keys() & then:
        if now[name] > then[name]:
            other = asked.difference(terms_of(name), _VERSION)
            if other <= _about(newer) & _about(older):
                return True
    return False


def _about(doc: Doc) -> frozenset[str]:
    return doc.own.union(doc.about.split())


def _replaces(new: Value, old: Value, newer: str, older: str, asked: frozenset[str]) -> bool:
    """Whether one value takes the place of another, by the sentences they stand in."""
    if new.noun != old.noun and new.noun and old.noun:
        return False
    now, then = values_of(newer), values_of(older)
    here, there = now.sentences[new.sentence], then.sentences[old.sentence]
    said, was = _subject(here), _subject(there)
    shared = said & was
    # Of the many things that a long entry says, the one that is asked about.
    if not shared or (asked and asked.isdisjoint(shared)):
        return False
    if _names(said - was) and _names(was - said):
        return False
    beside = [one for one in now.all if one.sentence == new.sentence and one.kind == old.kind]
    cited = any(one.old and one.value == old.value for one in beside)
    if any(one.value == old.value and not one.old for one in beside):
        return False
    if cited and new.kind in _TELLING:
        return True
    if len(shared) < max(_WORDS, _SHARE * min(len(said), len(was))):
        return False
    # What stands in a log, and the number of a thing ("rack 4"), is another and not a newer one.
    if cited or _LABEL in (new.noun[:1], old.noun[:1]):
        return cited
    if re.match(_REPORT, newer) and re.match(_REPORT, older):
        return False
    same = said <= was or was <= said
    return bool(re.search(CHANGED, here)) or (same and _is_state(here) and _is_state(there))


def _names(words: frozenset[str]) -> bool:
    """Whether one of the words is the name of a single thing: kiln-02, stg-3."""
    return any(not word.isalpha() and any(map(str.isdigit, word)) for word in words)


def _is_state(sentence: str) -> bool:
    return bool(re.search(_STATE, sentence)) and not re.search(_OF_ITS_HOUR, sentence)
