"""The jobs of a gate as rows of a table and as JSON."""

from __future__ import annotations

from typing import Any

from lithify.cli.common import count_of, one_line
from lithify.gate import texts
from lithify.gate.decide import Demand
from lithify.gate.files import Session
from lithify.gate.gatekeeper import Gatekeeper
from lithify.gate.jobs import JobState, Summary


def row(gate: Gatekeeper, state: JobState) -> tuple[str, ...]:
    """A job as a row of a table."""
    word = "closed gate" if state.demand else "open" if state.active else "ended"
    return (
        *(state.job, word, fill(gate, state)),
        *(
            count_of(len(state.chain), "summary", "summaries"),
            one_line(gate.first_prompt(state.job), 60),
        ),
    )


def fill(gate: Gatekeeper, state: JobState) -> str:
    """How much is recorded since the last summary, and how much closes the gate."""
    if not gate.settings.on:
        return f"{state.fresh:,} tokens, the gate is off"
    return f"{state.fresh:,} of {gate.rules(state.job).threshold:,} tokens"


def job_data(gate: Gatekeeper, state: JobState, with_text: bool = False) -> dict[str, Any]:
    """A job as JSON; with its words that no summary covers, if asked for."""
    demand = state.demand
    data: dict[str, Any] = {
        "job": state.job,
        "state": "closed" if demand else "open" if state.active else "ended",
        "request": one_line(gate.first_prompt(state.job)),
        "tokens": state.tokens,
        "threshold": gate.rules(state.job).threshold,
        "pending": len(state.pending),
        "summaries": len(gate.chain(state.job)),
        "due": demand and {**_range(demand), "level": demand.level, "tokens": demand.tokens},
    }
    return {**data, "text": texts.record_text(state.pending)} if with_text else data


def _range(covered: Demand | Summary) -> dict[str, int]:
    """The range [from, to) as the chain has it, and the last that is in it."""
    return {"from": covered.start, "to": covered.stop, "last": covered.stop - 1}


def summary_data(one: Summary) -> dict[str, Any]:
    """A summary as JSON."""
    return {
        "seq": one.seq,
        "time": one.time,
        **_range(one),
        "level": one.level,
        "topic": one.topic,
        "tokens": one.tokens,
        "text": one.text,
        "unverified": {name: list(found) for name, found in one.unverified.items()},
    }


def session_data(one: Session) -> dict[str, Any]:
    """A session as JSON."""
    return {"session": one.id, "ended": one.ended}
