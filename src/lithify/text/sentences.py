"""A text cut into its sentences."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])\s*")


def split(text: str) -> list[str]:
    """The sentences of a text, in order."""
    return [part.strip() for part in _END.split(text) if part and part.strip()]
