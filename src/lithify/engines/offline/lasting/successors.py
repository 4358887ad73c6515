"""Decisions that take another's place and say so: by its number, or by the value that it had set."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.lasting.telling import matter_in

#: `Supersedes ADR-7`
_BY_NUMBER = re.compile(
    r"\b(?:supersed|overturn|revers|replac|revok|rescind|withdr[ae]w)\w*,? (?:the )?(?:decision )?(#\d+|[A-Z]{2,}[- ]?\d+)\b",
    re.I,
)
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


def may_supersede(text: str) -> bool:
    """Whether a decision names another by its number, or changes a value."""
    return _BY_NUMBER.search(text) is not None or bool(_step(text)[0])


def supersedes(later: str, earlier: str) -> bool:
    """Whether a later decision names an earlier one by its number, or goes on from the value it set."""
    if any(match[1].lower() in earlier.lower() for match in _BY_NUMBER.finditer(later)):
        return True
    was, is_now = _step(later)[0], _step(earlier)[1]
    return bool(was) and was == is_now and len(matter_in(later) & matter_in(earlier)) >= _SHARED


@lru_cache(maxsize=1 << 12)
def _step(text: str) -> tuple[str, str]:
    """The value that a decision changes and the one it sets, or nothing."""
    step = _STEP.search(cues.bare(text))
    return (step[1] or step[3], step[2] or step[4]) if step else ("", "")
