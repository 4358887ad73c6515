"""Fences around text, so that an agent reads it as data and not as instructions.

They have no angle brackets, which some clients escape in what a hook hands over.
"""

from __future__ import annotations

import re
from itertools import count

from lithify.regex import regex


def fence(text: str, origin: str, label: str, mark: str = "") -> str:
    """Put a text between two lines that it cannot contain, labelled with its origin.

    A `mark` that was made for more than this text is as good as its own.
    """
    mark = mark or unused_mark(text, origin, label)
    head = f"[[data {mark} origin={one_line(origin)} label={one_line(label)}]]"
    return f"{head}\n{text}\n[[end {mark}]]"


def unused_mark(text: str, *labels: str, size: int = 8) -> str:
    """Return a mark of so many bytes that a text does not contain; it depends on all that is given."""
    from hashlib import blake2b  # slow to load, and a call with a mark needs none

    for attempt in count():
        seed = "\0".join((text, *labels, str(attempt))).encode("utf-8", "surrogatepass")
        mark = blake2b(seed, digest_size=size).hexdigest()
        if mark not in text:
            break
    return mark


def one_line(text: str) -> str:
    """Return a label without line breaks, brackets and other signs that a fence could be forged with."""
    return re.sub(r"[^\w.:/@~ -]+", "_", text)[:120].strip() or "unknown"


# Comment marks in a text, escaped so that a provenance comment can follow it.


def plain(text: str) -> str:
    """The text with comment marks escaped, so that it can stand before a provenance comment."""
    if "--" not in text:
        return text
    return _CLOSE.sub(r"--\1\\>", _OPEN.sub(r"<\1\\!--", text))


def unplain(text: str) -> str:
    """Return the text that `plain` was given."""
    if "--" not in text:
        return text
    return _ESCAPED_OPEN.sub(r"<\1!--", _ESCAPED_CLOSE.sub(r"--\1>", text))


_OPEN, _CLOSE = regex(r"<(\\*)!--"), regex(r"--(\\*)>")
_ESCAPED_OPEN, _ESCAPED_CLOSE = regex(r"<(\\*)\\!--"), regex(r"--(\\*)\\>")
