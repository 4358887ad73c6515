"""The texts that an agent is given: what a session starts with, and what it has to summarise."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from typing import TYPE_CHECKING

from lithify.errors import LithifyError
from lithify.gate import texts
from lithify.gate.job_store import program_words
from lithify.text.fence import fence

if TYPE_CHECKING:
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.gate.jobs import JobState

#: Characters that the fence around a text takes at most.
_FENCE = 400


def summary_request(
    gate: Gatekeeper, state: JobState, limit: int = texts.LIMIT, denial: str = ""
) -> str:
    """What has to be summarised and how, in at most `limit` characters; empty at an open gate.

    `denial` is the reason the agent was given, where it was.
    """
    if state.demand is None:
        return ""
    said = denial or gate.denial(state.job, state.demand)
    room = limit - len(said) - _FENCE
    text = texts.shortened(texts.to_summarise(state, state.demand), max(room, 400))
    return f"{said}\n\nThe text to summarise:\n{fence(text, 'user', state.job)}"[:limit]


def fenced_job(state: JobState, limit: int = texts.LIMIT) -> str:
    """A job's chain and the words after it in at most `limit` characters, each fenced."""
    chain, tail = texts.chain_and_tail(state, limit - 2 * _FENCE)
    said = [(chain, "agent"), (tail, "user")]
    return "\n\n".join(fence(text, origin, state.job) for text, origin in said if text)


def denial_with_text(root: str, session: str, denial: str) -> str:
    """A denial with the text to summarise, for an agent that was not given it with the prompt."""
    from lithify.gate.gatekeeper import Gatekeeper

    gate = Gatekeeper(root)
    job = gate.job_of(session)
    state = gate.full_state(job) if job else None
    if state is None or state.demand is None:
        return denial
    with suppress(OSError, LithifyError):  # told again rather than not at all
        gate.note_session(session, told=[state.demand.level, state.demand.stop])
    return summary_request(gate, state, denial=denial)


def session_text(
    gate: Gatekeeper,
    state: JobState | None,
    session: str,
    limit: int = texts.LIMIT,
    *,
    hands_over: bool = True,
) -> str:
    """What a session starts with: the memory's context, then what has to be summarised.

    Without `hands_over` the text to summarise comes with the first denial, as the client says.
    """
    waiting = ""
    if state and state.demand and not hands_over:
        waiting = "The text to summarise comes with the denial of the next tool call."
    elif state and state.demand:
        waiting = summary_request(gate, state, limit // 2)
    asked = _pages_due(gate) if not waiting else ""
    known = _known(gate, state, session, limit - len(waiting) - len(asked) - 4)
    return "\n\n".join(part for part in (known, asked, waiting) if part)[:limit]


def _pages_due(gate: Gatekeeper) -> str:
    """Asks the agent for the pages it is to write, in the first session of a day."""
    from lithify.compact.plan import TO_WRITE
    from lithify.gate import files
    from lithify.memory import Memory
    from lithify.search.context import task_names

    try:
        memory = Memory.open(gate.root)
        today = memory.today().isoformat()
        told = files.folder(gate.root, "told.json")
        if memory.settings.model != "agent" or (files.read_json(told) or {}).get("day") == today:
            return ""
        due = [task for task in memory.plan() if task.state in TO_WRITE]
        if not due:
            return ""
        with files.writing(gate.root):
            files.put_json(told, {"day": today})
    except (LithifyError, OSError):
        return ""
    words = ["lithify"] if shutil.which("lithify") else program_words()
    program = " ".join(map(texts.quoted, words))
    # Only the plugin brings the slash command.
    command = "use the command /lithify:compact, or " if "CLAUDE_PLUGIN_ROOT" in os.environ else ""
    return (
        f"Pages of this memory wait for you to write them: {task_names(due)}. When the person's own "
        f"work leaves room, or asks for it, {command}run `{program} write next` and do what it prints "
        "until nothing is due; a subagent can do it. Asked once a day."
    )


def _known(gate: Gatekeeper, state: JobState | None, session: str, room: int) -> str:
    from lithify.memory import Memory
    from lithify.search.context import EMPTY

    try:
        text = Memory.open(gate.root).context(session=session, characters=room)
    except LithifyError:
        # With a mistake in the settings, the session still gets its job's chain.
        return fenced_job(state, room) if state else ""
    return "" if text == EMPTY else text
