"""What a session is given: the memory read back, and the text a closed gate waits on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lithify.errors import LithifyError
from lithify.gate import texts
from lithify.gate.readback import read_back
from lithify.text.fence import fence

if TYPE_CHECKING:
    from lithify.gate.jobs import Book
    from lithify.gatekeeper import Gatekeeper

_FENCE = 400


def handed_over(gate: Gatekeeper, book: Book, limit: int = texts.LIMIT) -> str:
    """What has to be summarised and how, in fewer than `limit` characters."""
    if book.demand is None:
        return ""
    said = gate.denial(book.job, book.demand)
    room = limit - len(said) - _FENCE
    text = texts.shortened(texts.to_summarise(book, book.demand), max(room, 400))
    return f"{said}\n\nThe text to summarise:\n{fence(text, 'user', book.job)}"[:limit]


def with_text(root: str, session: str, denial: str) -> str:
    """A denial with the text that has to be summarised, for an agent that was not handed it."""
    from lithify.gatekeeper import Gatekeeper

    gate = Gatekeeper(root)
    job = gate.job_of(session)
    return (handed_over(gate, gate.whole(job)) if job else "") or denial


def session_text(
    gate: Gatekeeper, book: Book | None, session: str, limit: int = texts.LIMIT
) -> str:
    """What a session starts with: what is late, wisdom, the job's chain; then what waits."""
    waiting = ""
    if book and book.demand:
        waiting = handed_over(gate, book, limit // 2)
    elif book and book.pending:
        waiting = (
            f"Not summarised yet: {texts.count_of(len(book.pending), 'interaction')} of job "
            f"{book.job}, about {book.tokens:,} tokens."
        )
    known = _known(gate, book, session, limit - len(waiting) - 2)
    return "\n\n".join(part for part in (known, waiting) if part)[:limit]


def _known(gate: Gatekeeper, book: Book | None, session: str, room: int) -> str:
    from lithify.memory import Memory
    from lithify.recall.context import EMPTY

    try:
        text = Memory.open(gate.root).context(session=session, characters=room)
    except LithifyError:
        # A mistake in the settings must not cost a job its thread; it is told by itself.
        chain = read_back(book.job, book.chain, room - _FENCE) if book else ""
        return fence(chain, "agent", book.job) if book and chain else ""
    return "" if text == EMPTY else text
