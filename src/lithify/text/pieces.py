"""A long text in pieces, for whoever takes it apart into words.

A list of all the words of a text takes about ten times the memory of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Characters of a piece, about.
SIZE = 1 << 16
_SPACE = re.compile(r"\s")


def pieces(text: str) -> Iterator[str]:
    """The text in order, cut only before white space; a short one comes as it is."""
    if len(text) <= SIZE:
        yield text
        return
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + SIZE)
        end = space.start() if space else len(text)
        yield text[start:end]
        start = end
