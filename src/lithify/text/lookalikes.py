"""Text in the letters that a reader takes it for: without invisible signs, accents, look-alikes.

For comparing only: a copy is still recognised if its letters were exchanged for others that look
the same.
"""

from __future__ import annotations

import re
import unicodedata

#: Cyrillic and Greek letters that look like Latin ones.
_LATIN = str.maketrans(
    "\u0430\u0441\u0501\u0435\u04bb\u0456\u0458\u04cf\u043a\u043c\u043e\u0440\u051b\u0455\u0442\u0475\u051d\u0445\u0443"
    "\u0251\u0261\u0131\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03b3",
    "acdehijlkmopqstvwxy" + "agi" + "abeikvoptuxy",
)
_UNSEEN = re.compile(
    "[\u0300-\u036f\u00ad\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef]+"
)


def as_read(text: str) -> str:
    """The text in small letters without invisible signs, look-alikes as the Latin letters."""
    if text.isascii():
        return text.lower()
    whole = unicodedata.normalize("NFKD", text).casefold()
    return _UNSEEN.sub("", whole).translate(_LATIN)
