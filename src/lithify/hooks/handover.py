"""What a session is given: a job's chain read back, and the text a closed gate waits on."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from lithify.gate import texts
from lithify.gate.readback import read_back
from lithify.safety import fence

if TYPE_CHECKING:
    from lithify.gate.jobs import Book
    from lithify.gatekeeper import Gatekeeper

_COMMENT = re.compile(r"\s*<!--.*?-->", re.DOTALL)
_FENCE = 400


def handed_over(gate: Gatekeeper, book: Book, limit: int = texts.LIMIT) -> str:
    """What has to be summarised and how, in fewer than `limit` characters."""
    if book.demand is None:
        return ""
    said = gate.denial(book.job, book.demand)
    room = limit - len(said) - _FENCE
    text = texts.shortened(texts.to_summarise(book, book.demand), max(room, 400))
    return f"{said}\n\nThe text to summarise:\n{fence(text, 'user', book.job)}"[:limit]


def session_text(gate: Gatekeeper, book: Book, limit: int = texts.LIMIT) -> str:
    """What a session starts with: wisdom, the job's chain, what waits; fenced as data."""
    waiting = ""
    if book.demand:
        waiting = handed_over(gate, book, limit // 2)
    elif book.pending:
        waiting = (
            f"Not summarised yet: {len(book.pending)} interactions, about {book.tokens:,} tokens."
        )
    head = f"Job {book.job} goes on; its summaries so far, oldest first:" if book.chain else ""
    room = limit - len(waiting) - len(head) - 3 * _FENCE
    chain = read_back(book.job, book.chain, room)
    room -= len(chain)
    parts = []
    if (wisdom := _wisdom(gate.root)) and room > 600:
        parts.append(fence(texts.shortened(wisdom, room), "file", "WISDOM.md"))
    if chain:
        parts.append(f"{head}\n{fence(chain, 'agent', book.job)}")
    if waiting:
        parts.append(waiting)
    return "\n\n".join(parts)[:limit]


def _wisdom(root: str) -> str:
    """The root's wisdom as an agent reads it: without provenance, credentials replaced."""
    try:
        with open(os.path.join(root, "WISDOM.md"), encoding="utf-8", errors="replace") as file:
            text = file.read(100_000)
    except OSError:
        return ""
    from lithify.safety import redact

    return redact(_COMMENT.sub("", text)).strip()
