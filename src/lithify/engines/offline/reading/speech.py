"""Who says which words of an entry, and which of them stand in quotation marks.

Words in quotation marks are taken whole or without the marks: half a quotation is nobody's.
A speaker's name is carried to no sentence that follows another's name or the end of a quote.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_WORD = r"[^\W\d_a-z][\w'-]*"
_LABEL = re.compile(r"([^\W\d_][\w.'-]*(?: [\w.'&/-]+){0,3}(?: \([^()]{1,24}\))?)\s?:\s+(?=\S)")
#: A name with a colon in the middle of a text, where a sentence or a quotation has ended.
_INNER = re.compile(
    rf"(?:(?<=[.!?;:])(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bProf\.)(?<!\bSt\.)|(?<=[.!?;][\"')])|(?<=\"))\s+((?:(?:Mrs?|Ms|Dr)\. )?{_WORD}(?: {_WORD}){{0,2}}):\s+(?=\S)"
)
_QUOTED = re.compile(r'"[^"]*"')
_LONGEST_LABEL = 32
#: Private characters that stand for quotations while the words around them are changed.
_HELD = 0xE000


@dataclass(frozen=True, slots=True)
class Turn:
    """Words under one label; a text has one turn for each label in it."""

    label: str
    text: str

    @property
    def quoted(self) -> bool:
        """Whether the words under the label are a quotation, so that the label is a speaker."""
        return self.text.startswith('"')


def turns(text: str, is_label: Callable[[str], bool]) -> list[Turn]:
    """The text cut where its speakers change; a heading word within keeps its own words only.

    `is_label` judges the words before the first colon.
    """
    if ":" not in text:
        return [Turn("", text.strip())] if text.strip() else []
    found: list[Turn] = []
    label, start = "", 0
    first = _LABEL.match(text)
    if first and len(first[1]) <= _LONGEST_LABEL and is_label(first[1]):
        label, start = first[1], first.end()
    for match in _INNER.finditer(text):
        if match.start() < start - 1 or _inside(text, match.start()):
            continue
        before = text[start : match.start()].strip()
        if before:
            found.append(Turn(label, before))
        if text[match.end()] == '"':
            label, start = match[1], match.end()
        else:
            # What the word announces is told with it, and nothing after it is the speaker's.
            label, start = "", match.start(1)
    rest = text[start:].strip()
    if rest:
        found.append(Turn(label, rest))
    return found


def _inside(text: str, place: int) -> bool:
    return text.count('"', 0, place) % 2 == 1


def opening_quotation(text: str) -> tuple[str, str]:
    """The words of the quotation a text opens with, and what follows it; nothing if it has none."""
    match = _QUOTED.match(text)
    if not match or match.end() - match.start() < 3:
        return "", text
    rest = text[match.end() :].lstrip(" .,;")
    if rest and (rest[0].islower() or text[match.end()] in ",;"):
        return "", text
    return match[0][1:-1].strip(), rest


def whole(text: str) -> str:
    """The text without its quotation marks where they do not pair."""
    return text if text.count('"') % 2 == 0 else " ".join(text.replace('"', "").split())


def outside_quotes(text: str, change: Callable[[str], str]) -> str:
    """The text changed everywhere but between quotation marks."""
    if '"' not in text or text.count('"') % 2:
        return change(text)
    # The marks stay in place while the rest is read, so that it is read as one sentence.
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[0])
        return f'"{chr(_HELD + len(held) - 1)}"'

    changed = change(_QUOTED.sub(hold, text))
    for number, words in enumerate(held):
        changed = changed.replace(f'"{chr(_HELD + number)}"', words, 1)
    return changed
