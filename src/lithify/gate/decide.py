"""Decides about one event of a harness: `(event, state) -> Allow | Deny | Record`. Pure.

While a gate is closed this runs before every tool call, so it loads nothing that it can avoid.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["prompt", "answer", "tool", "other"]


class Event(NamedTuple):
    """Something a harness reports.

    `submits` names the job for which a tool call submits a summary, where it does nothing else;
    `searches` is true for the harness's own search for deferred tools; `agent` is the id of a
    subagent.
    """

    kind: Kind
    text: str = ""
    submits: str = ""
    searches: bool = False
    agent: str = ""


class Demand(NamedTuple):
    """The summary a closed gate waits for: one that covers [start, stop).

    At level 0 the range counts interactions, at level n + 1 summaries of level n.
    """

    start: int
    stop: int
    tokens: int
    level: int = 0


class GateState(NamedTuple):
    """The facts a decision needs.

    `fresh` counts the tokens since the last summary or opening by hand, pasted blocks cut short.
    `on` is false where the root does not use the gate.
    """

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
    on: bool = True


class Allow(NamedTuple):
    """The call goes on. `stuck` is true where only `on_stuck = "pass"` lets it."""

    stuck: bool = False


class Deny(NamedTuple):
    """The call is denied. `stuck` is true where a person should be told."""

    why: Literal["due", "subagent"]
    stuck: bool = False


class Record(NamedTuple):
    """The text is added to the job's record.

    `tokens` is its size, `counted` what of it counts towards the threshold. `closes` is the first
    interaction of the range that is frozen now; 0 where the gate stays open.
    """

    text: str
    tokens: int
    counted: int
    closes: int = 0


Decision = Allow | Deny | Record


def decide(event: Event, state: GateState) -> Decision:
    """Whether a tool call goes on, or what is recorded of a prompt or an answer."""
    if event.kind in ("prompt", "answer"):
        return _record(event.text, state)
    if event.kind != "tool" or state.demand is None:
        return Allow()
    # A subagent is not shown the record and could be used to get round the gate, so only the
    # main session may submit.
    if not event.agent and (event.searches or event.submits == state.job):
        return Allow()
    stuck = state.denials >= state.max_denials
    if stuck and state.on_stuck == "pass":
        return Allow(stuck=True)
    return Deny("subagent" if event.agent else "due", stuck)


def _record(text: str, state: GateState) -> Record:
    from lithify.gate.pasted import counted_tokens
    from lithify.text.tokens import estimate

    counted = counted_tokens(text)
    # A frozen range does not grow; what comes now belongs to the next one.
    over = state.on and not state.closing and state.fresh + counted >= state.threshold
    return Record(text, estimate(text), counted, state.start if over else 0)
