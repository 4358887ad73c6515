"""Comment marks in a text, escaped so that a provenance comment can follow it."""

from __future__ import annotations

import re


def plain(text: str) -> str:
    """The text with comment marks escaped, so that it can stand before a provenance comment."""
    if "--" not in text:
        return text
    return _CLOSE.sub(r"--\1\\>", _OPEN.sub(r"<\1\\!--", text))


def unplain(text: str) -> str:
    """The text that `plain` was given."""
    if "--" not in text:
        return text
    return _ESCAPED_OPEN.sub(r"<\1!--", _ESCAPED_CLOSE.sub(r"--\1>", text))


_OPEN, _CLOSE = re.compile(r"<(\\*)!--"), re.compile(r"--(\\*)>")
_ESCAPED_OPEN, _ESCAPED_CLOSE = re.compile(r"<(\\*)\\!--"), re.compile(r"--(\\*)\\>")
