"""The letters of an entry as cues read them: without marks, and small."""

from __future__ import annotations

from functools import lru_cache

from lithify.cues import words as said


@lru_cache(maxsize=1 << 13)
def bare(text: str) -> str:
    """The words of an entry without checkbox, clock time, emphasis, signs and what is crossed out."""
    if "~~" in text or "</" in text:
        text = said.STRUCK.sub(" ", text).strip()
    if text[:1] == "[" or text[:1].isspace():
        text = said.CHECKBOX.sub("", text, count=1)
    if "*" in text or "_" in text or "`" in text or "~" in text:
        text = said.MARKS.sub("", text)
    if text[:1].isdigit() or text[:1] == "[" or text[:1].isspace():
        text = said.CLOCK.sub("", text, count=1)
    if not text[:1].isascii():
        text = said.SIGNED.sub("", text)
    return text.replace("’", "'").strip()


def small(text: str) -> str:
    """The text in small letters, each in its place, for a pattern that is written in them.

    Several times faster than a pattern that knows no case, and the same: to that one these
    three are an i and an s too.
    """
    if not text.isascii():
        text = text.replace("İ", "i").replace("ı", "i").replace("ſ", "s")
    return text.lower()


def checkbox(text: str) -> bool | None:
    """True for a ticked box, False for an empty one, None where there is none."""
    match = said.CHECKBOX.match(text) if "[" in text[:8] or not text[:1].isascii() else None
    return None if match is None else bool(match[2]) or (match[1] or " ") in "xX"


def hinted(hints: tuple[str, ...], text: str) -> bool:
    """Whether a text holds one of the letters that a costlier look needs."""
    return any(map(text.lower().__contains__, hints))
