"""The text that stands for an entry when it is embedded: the entry with what it is about.

A turn such as "Yes, on Tuesday" says little without the turn before it. The encoder of the package
`lithify-vectors` was trained on exactly this text.
"""

from __future__ import annotations

#: The words that are kept of the turn before: its end, which is what an answer refers to.
_WORDS_BEFORE = 40


def vector_text(text: str, before: str = "") -> str:
    """The text to embed for an entry; `before` is the turn before it where people talk, else empty."""
    return f"{' '.join(before.split()[-_WORDS_BEFORE:])} {text}" if before else text
