"""What the entries under a heading are about, in few words."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.engines.offline.reading.text import is_timed, strip_marks
from lithify.text.dates import relative_left
from lithify.text.stems import SIGNS, is_empty, stems_of
from lithify.text.tokens import estimate

#: Headings of these words alone name no subject.
_GENERIC = """
log logs note notes daily day today morning afternoon evening night routine misc miscellaneous
summary status state session sessions conversation conversations chat chores small things bits
also work done tasks task todo update updates general other various entries entry journal diary
recap standup housekeeping noise minor memory context outcomes outcome decisions decision blockers
blocker open items item next steps actions progress plan plans shipped results result monday
tuesday wednesday thursday friday saturday sunday week weekend shift report waiting pending
blocked rest little surprise surprises odds ends loose admin personal private home odd jobs matters fixes
going into carried over not office inbox
"""
_TIMEY = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2}(?::\d{2})?|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|"
    r"\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b|\b(?:january|february|march|april|may|june|july|"
    r"august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|"
    r"(?<!#)\b\d{1,4}(?:st|nd|rd|th)?\b|\b(?:[ap]m|utc|gmt|ces?t|[ep][sd]t)\b",
    re.I,
)
#: What a page's title begins with that tells its day; a time of day tells a part of it.
_DAYED = re.compile(rf"(?!\d{{1,2}}[:h]\d\d)(?:{_TIMEY.pattern})", re.I)
_PART = re.compile(r"\s+[-–—|:]\s+|:\s+|,\s+(?=\d)|(?<=\d),\s+")
_CUT = re.compile(r"\s+[-–—|:]\s+|:\s+|,\s+|\s+\(|\s+(?:and|with|while|after|before|pending)\s+")
#: Before a heading's words: signs, and the time of day. Behind them: from when to when.
_UNSAID = re.compile(
    rf"^[{SIGNS}\s]*(?:\d{{1,2}}[:h]\d{{2}}(?::\d{{2}})?(?: ?[ap]m\b)?[\s:,–—-]+){{0,2}}", re.I
)
_HOURS = re.compile(r"\s*\([\s\d:.h,–—-]*\d[:h]\d\d[^()]{0,12}\)\s*$")
#: Over what its writer says again in few words.
_RECAP = re.compile(
    r"\b(?:(?:week|month|day|sprint)(?:'s end)? (?:in (?:short|brief|review|numbers)|brought|was|recap|review|summary|wrap-?up)|"
    r"(?:recap|review|summary) of the (?:week|month|day|sprint)|wrap-?up|retrospective|"
    r"(?:end of (?:the )?(?:week|month|day)|eo[dwm])(?: summary| recap| notes?)?|"
    r"look(?:ing|ed|s)? back|in (?:short|brief)|tl;?dr|weekly (?:summary|review|recap)|monthly (?:summary|review|recap))\b",
    re.I,
)
_HASHES = re.compile(r"^[\s:-]*(?:#+(?!\d)[\s:-]*)*")
_SUBJECT_ROOM = 7
#: What is left over before a date that was taken away.
_LOOSE_END = re.compile(r"(?:\s+(?:for|on|of|by|at|from|to|until|since|or|and|the))+\s*$", re.I)


@lru_cache(maxsize=1 << 12)
def subject_of(headings: tuple[str, ...]) -> tuple[str, frozenset[str]]:
    """What the entries under these headings are about, in few words, and its stems."""
    # A page's title that tells its day is about all of the day.
    titled = headings[:1] and _DAYED.match(headings[0].lstrip(" #*_"))
    for heading in reversed(headings[1:] if titled else headings):
        words = _HOURS.sub("", _UNSAID.sub("", strip_marks(heading).replace("`", "")))
        if not _says(words):
            continue
        short = _brief(_named(words))
        return short, frozenset(stems_of(short))
    return "", frozenset()


@lru_cache(maxsize=1 << 12)
def timeless(subject: str) -> str:
    """A heading's subject without its relative dates: what stands under it tells the day, or none."""
    for words in relative_left(subject, unclear=True) if is_timed(subject) else ():
        dated = rf"\s*(?:\b(?:from|of|for|on|in|since|until|till|by|at)\s+)?{re.escape(words)}(?:['’]s)?"
        subject = _LOOSE_END.sub("", re.sub(dated, "", subject, count=1))
    subject = subject.strip(" ,;:-")
    return "" if all(map(is_empty, subject.lower().split())) else subject


_GENERIC_STEMS = frozenset(s for word in _GENERIC.split() for s in stems_of(word))


@lru_cache(maxsize=1 << 12)
def is_recap(heading: str) -> bool:
    """Whether what stands under a heading is its writer's own summary."""
    return _RECAP.search(heading) is not None


def _named(words: str) -> str:
    """A heading without a part that only says when or what kind: `Session 14:30 - Billing`."""
    parts = _PART.split(words)
    told = [part for part in parts if _says(part)]
    return told[0] if len(told) == 1 else words


def _says(words: str) -> bool:
    """Whether words of a heading name anything; a letter by which parts are counted names none."""
    return any(
        stem not in _GENERIC_STEMS and len(stem) > 1 for stem in stems_of(_TIMEY.sub(" ", words))
    )


def is_generic(stem: str) -> bool:
    """Whether a heading's word names a part of any log, and no subject."""
    return stem in _GENERIC_STEMS


def _brief(words: str) -> str:
    # A number's sign belongs to it: `#412`.
    words = _HASHES.sub("", words).rstrip(" #:-")
    if estimate(words) <= _SUBJECT_ROOM:
        return _whole(words)
    ends = [*(cut.start() for cut in _CUT.finditer(words)), len(words)]
    starts = [0, *(cut.end() for cut in _CUT.finditer(words))]
    told = [(a, b) for a, b in zip(starts, ends, strict=True) if _says(words[a:b])]
    first = told[0] if told else (0, len(words))
    heads = [_whole(words[first[0] : end]) for _, end in reversed(told)]
    if short := next((head for head in heads if estimate(head) <= _SUBJECT_ROOM), ""):
        return short
    kept: list[str] = []
    for word in words[slice(*first)].strip(" ()-:").split():
        if estimate(" ".join([*kept, word])) > _SUBJECT_ROOM:
            break
        kept.append(word)
    return " ".join(kept)


def _whole(words: str) -> str:
    """A part of a heading as a subject: all that stands in brackets or none, no colon but the last."""
    words = words.strip(" -:").replace(": ", " - ")
    if words.count("(") > words.count(")"):
        before = words[: words.rindex("(")].rstrip(" ,")
        return before if _says(before) else f"{words})"
    return words if "(" in words else words.rstrip(")")
