"""What a session is given: the memory read back, and the text a closed gate waits on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lithify.errors import LithifyError
from lithify.fence import fence
from lithify.gate import texts
from lithify.gate.texts import read_back

if TYPE_CHECKING:
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.gate.jobs import JobState

_FENCE = 400


def handed_over(gate: Gatekeeper, state: JobState, limit: int = texts.LIMIT) -> str:
    """What has to be summarised and how, in fewer than `limit` characters."""
    if state.demand is None:
        return ""
    said = gate.denial(state.job, state.demand)
    room = limit - len(said) - _FENCE
    text = texts.shortened(texts.to_summarise(state, state.demand), max(room, 400))
    return f"{said}\n\nThe text to summarise:\n{fence(text, 'user', state.job)}"[:limit]


def with_text(root: str, session: str, denial: str) -> str:
    """A denial with the text that has to be summarised, for an agent that was not handed it."""
    from lithify.gate.gatekeeper import Gatekeeper

    gate = Gatekeeper(root)
    job = gate.job_of(session)
    return (handed_over(gate, gate.full_state(job)) if job else "") or denial


def session_text(
    gate: Gatekeeper, state: JobState | None, session: str, limit: int = texts.LIMIT
) -> str:
    """What a session starts with: what is late, wisdom, the job's chain; then what waits."""
    waiting = ""
    if state and state.demand:
        waiting = handed_over(gate, state, limit // 2)
    elif state and state.pending:
        waiting = (
            f"Not summarised yet: {texts.count_of(len(state.pending), 'interaction')} of job "
            f"{state.job}, about {state.tokens:,} tokens."
        )
    known = _known(gate, state, session, limit - len(waiting) - 2)
    return "\n\n".join(part for part in (known, waiting) if part)[:limit]


def _known(gate: Gatekeeper, state: JobState | None, session: str, room: int) -> str:
    from lithify.memory import Memory
    from lithify.recall.context import EMPTY

    try:
        text = Memory.open(gate.root).context(session=session, characters=room)
    except LithifyError:
        # A mistake in the settings must not cost a job its thread; it is told by itself.
        chain = read_back(state.job, state.chain, room - _FENCE) if state else ""
        return fence(chain, "agent", state.job) if state and chain else ""
    return "" if text == EMPTY else text
