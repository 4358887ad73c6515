"""Decisions that take another's place and say so: by its number, or by the value that it had set."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.lasting.telling import matter_in

_NUMBER = r"(?:#\d+\b|\b(?-i:[A-Z]{1,5})-?\d+\b|\b(?:decision|ADR|RFC) (?:no\. ?|#)?\d+\b|(?<=/)\d{2,4}(?=-[a-z])|\b0\d{1,3}\b(?=\W*$|[.;,] ))"
#: A record in a file of its own: `docs/decisions/014-mooring.md`
_FILE = re.compile(r"/\d{2,4}-[\w-]+\.(?:md|rst|txt|adoc)\b")
#: `Supersedes ADR-7`, `replaces decision 7`
_BY_NUMBER = re.compile(
    rf"\b(?:supersed|overturn|revers|replac|revok|rescind|withdr[ae]w)\w*,? (?:the )?(?:decision (?!\d|#|no))?({_NUMBER})",
    re.I,
)
_NUMBERS = re.compile(_NUMBER, re.I)
#: A label or a heading that is a record's number, or begins with it.
_RECORD = re.compile(
    r"(?:decision \(?)?((?:ADR|RFC|DEC|DR|(?-i:D))[- ]?\d{1,4}|decision #?\d{1,4})\b", re.I
)
_ZEROS = re.compile(r"(?<=\D)0+(?=\d)")
_VALUE = r"[€$£]?\d[\d.,]*(?<![.,])"
#: `limit 60 -> 120`, `from 0.4 down to 0.3`: the value that was, and the one that is.
_STEP = re.compile(
    rf"({_VALUE})(?: [^\s\d]{{1,8}})? ?(?:->|\u2192) ?({_VALUE})|"
    rf"\bfrom ({_VALUE})(?: [^\s\d]{{1,8}})? (?:(?:up|down|back) )?to ({_VALUE})",
    re.I,
)
#: Telling words that two steps of one value share.
_SHARED = 2


def is_superseding(text: str) -> bool:
    """Whether the words say which decision, by its number, no longer holds."""
    return bool(_BY_NUMBER.match(text))


def supersedes_record(text: str) -> bool:
    """Whether the words name, by its number, a decision that no longer holds."""
    return _BY_NUMBER.search(text) is not None


def may_supersede(text: str) -> bool:
    """Whether a decision names another by its number, or changes a value."""
    return supersedes_record(text) or bool(_step(text)[0])


def supersedes(later: str, earlier: str) -> bool:
    """Whether a later decision names an earlier one by its number, or goes on from the value it set."""
    if (gone := ended(later)) and gone & (records_in(earlier) - ended(earlier)):
        return True
    was, is_now = _step(later)[0], _step(earlier)[1]
    return bool(was) and was == is_now and len(matter_in(later) & matter_in(earlier)) >= _SHARED


def record_of(label: str, headings: tuple[str, ...]) -> str:
    """The number of the record that a decision is, by its label or its heading; or nothing."""
    over = headings[-1].strip(" #*_") if headings else ""
    record = _RECORD.match(label) or _RECORD.match(over)
    return record[1] if record else ""


def is_record_file(text: str) -> bool:
    """Whether the words name the file that a decision is written up in."""
    return _FILE.search(text) is not None


def names_record(text: str, record: str) -> bool:
    """Whether the words name a record by its number."""
    return _key(record) in records_in(text)


def records_in(text: str) -> frozenset[str]:
    """The numbers by which the words name records."""
    return frozenset(map(_key, _NUMBERS.findall(text)))


@lru_cache(maxsize=1 << 12)
def ended(text: str) -> frozenset[str]:
    """The numbers of the records that a decision says no longer hold."""
    return frozenset(_key(match[1]) for match in _BY_NUMBER.finditer(text))


def _key(number: str) -> str:
    return _ZEROS.sub("", "".join(sign for sign in number.lower() if sign.isalnum() or sign == "#"))


@lru_cache(maxsize=1 << 12)
def _step(text: str) -> tuple[str, str]:
    """The value that a decision changes and the one it sets, or nothing."""
    step = _STEP.search(cues.bare(text))
    return (step[1] or step[3], step[2] or step[4]) if step else ("", "")
