"""What an entry's text is, and the id that follows from it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

_SPACE = re.compile(r"\s+")
_ID = re.compile(r"([^\s~]+)~([0-9a-f]{12})")


def normalise(text: str) -> str:
    """One line: NFC, white space collapsed, case kept."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", text)).strip()


def entry_id(label: str, headings: Sequence[str], text: str) -> str:
    """The id of an entry of the file or day called `label`: it survives reordering, not edits."""
    joined = "\x1f".join([*headings, normalise(text)])
    digest = hashlib.blake2b(joined.encode("utf-8", "surrogateescape"), digest_size=6)
    return f"{label}~{digest.hexdigest()}"


def is_entry_id(text: str) -> bool:
    """Whether the text has the form of an entry id."""
    return _ID.fullmatch(text) is not None


def label_of(entry: str) -> str:
    """The day or file an entry id belongs to."""
    return entry.partition("~")[0]
