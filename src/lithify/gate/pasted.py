"""Pasted blocks of a prompt: a fence, or ten lines or more without an empty one between. Pure.

A pasted log or stack trace is no request that has to be summarised word by word, so that only its
first tokens count towards the threshold. The record keeps it whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from lithify.text.tokens import estimate

#: So many lines in a row are taken for pasted, and so many tokens of a pasted block count.
LINES, TOKENS = 10, 50

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")


class Block(NamedTuple):
    """Some lines of a text, and whether they were pasted."""

    text: str
    pasted: bool


def counted_tokens(text: str) -> int:
    """The size of a text with each pasted block as its first tokens."""
    sizes = [(estimate(block.text), block.pasted) for block in blocks(text)]
    return sum(min(size, TOKENS) if pasted else size for size, pasted in sizes)


def typed_text(text: str) -> str:
    """The text without what was pasted; the whole text where nothing else is in it."""
    typed = "\n".join(block.text for block in blocks(text) if not block.pasted)
    return typed if typed.strip() else text


def blocks(text: str) -> Iterator[Block]:
    """The text in its order, cut at fences and empty lines; what lies between keeps together."""
    typed: list[str] = []
    for lines, fenced in _runs(text.splitlines()):
        if not fenced and len(lines) < LINES:
            typed += lines
            continue
        if typed:
            yield Block("\n".join(typed), False)
            typed = []
        yield Block("\n".join(lines), True)
    if typed:
        yield Block("\n".join(typed), False)


def _runs(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Fences, and outside them the runs of lines that are not empty; an empty line stands alone."""
    run: list[str] = []
    mark = ""
    for line in lines:
        found = _FENCE.match(line)
        if mark:
            run.append(line)
            if line.strip() and not line.strip().strip(mark[0]) and len(line.strip()) >= len(mark):
                yield run, True
                run, mark = [], ""
        elif found or not line.strip():
            if run:
                yield run, False
            run = [line]
            mark = found[1] if found else ""
            if not found:
                yield run, False
                run = []
        else:
            run.append(line)
    if run:
        yield run, bool(mark)
