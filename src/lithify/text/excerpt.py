"""The first sentences of a text, and the sentences and points that it is made of."""

from __future__ import annotations

import re

SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")

_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+")
_STOPPED = re.compile(r"[.!?:;。！？…][\"'`)\]”’»*_]*$")
_MARKUP = re.compile(r"^(?:#{1,6}\s.*|\s*\|.*|\s*(?:[-*_]\s*){3,})$", re.MULTILINE)
_FENCED = re.compile(r"^\s*(```|~~~).*?^\s*\1\s*$", re.MULTILINE | re.DOTALL)


def points(body: str) -> list[str]:
    """The paragraphs and items of a text. Items under a line that ends in a colon stay with it."""
    points: list[list[str]] = []
    fresh = True
    for line in body.split("\n"):
        if not line.strip():
            fresh = True
            continue
        item = _ITEM.match(line)
        led = bool(points) and points[-1][0].endswith(":")
        if led and item:
            points[-1].append(line)
        elif item or fresh or not points:
            points.append([line[item.end() :] if item else line])
        else:
            points[-1].append(line)
        fresh = False
    return ["\n".join(lines) for lines in points]


def plain_sentences(text: str) -> list[str]:
    """The sentences of an answer, without its headings, tables and code."""
    text = _MARKUP.sub("", _FENCED.sub("", text))
    flat = (" ".join(point.split()) for point in points(text))
    stopped = (point if _STOPPED.search(point) else f"{point}." for point in flat if point)
    return [sentence for point in stopped for sentence in SENTENCE.split(point)]


def first_sentences(text: str, room: int) -> str:
    """A text that fits: as many whole sentences as possible, else its beginning."""
    if len(text) <= room:
        return text
    ends = [match.start() for match in SENTENCE.finditer(text[: room + 1])]
    if ends and ends[-1] > room // 3:
        return text[: ends[-1]]
    return text[: room - 1].rsplit(" ", 1)[0].rstrip() + "…"
