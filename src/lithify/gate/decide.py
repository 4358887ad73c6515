"""Decides about one tool call at a gate: `(call, state) -> Allow | Deny`. Pure.

While a gate is closed this runs before every tool call, so it loads nothing that it can avoid.
"""

from __future__ import annotations

from typing import Literal, NamedTuple


class ReportedCall(NamedTuple):
    """A tool call that a client reports.

    `submits` names the job for which it submits a summary, where it does nothing else; `searches`
    is true for the client's own search for deferred tools; `agent` is the id of a subagent.
    """

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
    """The facts a decision needs; `demand` is None while the gate is open."""

    job: str
    demand: Demand | None = None
    denials: int = 0
    max_denials: int = 8
    on_stuck: Literal["hold", "pass"] = "hold"


class Allow(NamedTuple):
    """The call goes on. `stuck` is true where only `on_stuck = "pass"` lets it."""

    stuck: bool = False


class Deny(NamedTuple):
    """The call is denied. `stuck` is true where a person should be told."""

    why: Literal["due", "subagent"]
    stuck: bool = False


def decide(call: ReportedCall, state: GateState) -> Allow | Deny:
    """Decide whether a tool call goes on."""
    if state.demand is None:
        return Allow()
    # A subagent is not shown the record and could be used to get round the gate, so only the
    # main session may submit.
    if not call.agent and (call.searches or call.submits == state.job):
        return Allow()
    stuck = state.denials >= state.max_denials
    if stuck and state.on_stuck == "pass":
        return Allow(stuck=True)
    return Deny("subagent" if call.agent else "due", stuck)
