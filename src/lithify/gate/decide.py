"""What becomes of one event: `(event, state) -> Allow | Deny | Record`.

Light on purpose: while a gate is closed this runs before every tool call.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["prompt", "answer", "tool", "other"]


class Event(NamedTuple):
    """Something a harness reports.

    `submits` names the job a tool call hands a summary to, and only that; `searches` is the
    harness's own search for tools it has deferred; `agent` is the id of a subagent.
    """

    kind: Kind
    text: str = ""
    submits: str = ""
    searches: bool = False
    agent: str = ""


class Demand(NamedTuple):
    """What the gate waits for: a summary of [start, stop).

    Level 0 covers interactions; level n + 1 covers summaries of level n.
    """

    start: int
    stop: int
    tokens: int
    level: int = 0


class State(NamedTuple):
    """What a decision rests on. `fresh` are the tokens since a summary or an opening by hand."""

    job: str
    demand: Demand | None = None
    denials: int = 0
    max_denials: int = 8
    on_stuck: Literal["hold", "pass"] = "hold"
    threshold: int = 500
    start: int = 1
    next: int = 1
    fresh: int = 0
    closing: bool = False


class Allow(NamedTuple):
    """The call goes on; `stuck` when only because the gate was set to give way."""

    stuck: bool = False


class Deny(NamedTuple):
    """The call does not go on; `stuck` when a person should be told."""

    why: Literal["due", "subagent"]
    stuck: bool = False


class Record(NamedTuple):
    """The text joins the job's record; `closes` is the first interaction of the frozen range."""

    text: str
    tokens: int
    closes: int = 0


Decision = Allow | Deny | Record


def decide(event: Event, state: State) -> Decision:
    """The one decision of the gate."""
    if event.kind in ("prompt", "answer"):
        return _record(event.text, state)
    if event.kind != "tool" or state.demand is None:
        return Allow()
    # A subagent is not shown the record, and would be a way round: the main session submits.
    if not event.agent and (event.searches or event.submits == state.job):
        return Allow()
    stuck = state.denials >= state.max_denials
    if stuck and state.on_stuck == "pass":
        return Allow(stuck=True)
    return Deny("subagent" if event.agent else "due", stuck)


def _record(text: str, state: State) -> Record:
    from lithify.text.tokens import estimate

    tokens = estimate(text)
    # A range that is frozen stays as it is; what comes now waits for the next one.
    over = not state.closing and state.fresh + tokens >= state.threshold
    return Record(text, tokens, state.start if over else 0)
