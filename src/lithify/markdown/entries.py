"""What an entry's text is, and the id that follows from it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

_ID = re.compile(r"([^\s~]+)~([0-9a-f]{12})")


def normalise(text: str) -> str:
    """One line: NFC, white space collapsed, case kept."""
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def entry_id(label: str, headings: Sequence[str], text: str) -> str:
    """The id of an entry of the file or day called `label`: it survives reordering, not edits."""
    return normal_id(label, "".join(f"{heading}\x1f" for heading in headings), normalise(text))


def normal_id(label: str, under: str, text: str) -> str:
    """The id of an entry whose text is normalised and whose headings are joined already."""
    joined = (under + text).encode("utf-8", "surrogateescape")
    return f"{label}~{hashlib.blake2b(joined, digest_size=6).hexdigest()}"


def is_entry_id(text: str) -> bool:
    """Whether the text has the form of an entry id."""
    return _ID.fullmatch(text) is not None


def label_of(entry: str) -> str:
    """The day or file an entry id belongs to."""
    return entry.partition("~")[0]
