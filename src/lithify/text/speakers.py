"""Who says an entry, where it is a turn of a conversation."""

from __future__ import annotations

import re

#: A name of up to three words, bold or not, before a colon and what is said.
_SPEAKER = re.compile(r"(?:\*\*)?([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}):(?:\*\*)?\s+\S")


def speaker_of(text: str) -> str:
    """The name that an entry begins with, before a colon; empty where there is none."""
    match = _SPEAKER.match(text)
    return match[1] if match else ""


def said(text: str) -> str:
    """What is said, without who says it."""
    match = _SPEAKER.match(text)
    return text[match.end() - 1 :] if match else text
