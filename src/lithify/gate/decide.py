"""Decides about one event of a client: `(event, state) -> Allow | Deny | Record`. Pure.

While a gate is closed this runs before every tool call, so it loads nothing that it can avoid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["prompt", "answer", "tool", "other"]


class Event(NamedTuple):
    """Something a client reports.

    `submits` names the job for which a tool call submits a summary, where it does nothing else;
    `searches` is true for the client's own search for deferred tools; `agent` is the id of a
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
    from lithify.text.tokens import estimate

    counted = counted_tokens(text)
    # A frozen range does not grow; what comes now belongs to the next one.
    over = state.on and not state.closing and state.fresh + counted >= state.threshold
    return Record(text, estimate(text), counted, state.start if over else 0)


# Pasted blocks of a prompt: a fence, or ten lines or more without an empty one between.

#: So many lines in a row are taken for pasted, and so many tokens of a pasted block count.
PASTED_LINES, PASTED_TOKENS = 10, 50

#: Not compiled here, because a tool call does not need it.
_FENCE = r"[ \t]*(`{3,}|~{3,})"


class Block(NamedTuple):
    """Some lines of a text, and whether they were pasted."""

    text: str
    pasted: bool


def counted_tokens(text: str) -> int:
    """Count the tokens of a text, of each pasted block only the first ones.

    A pasted log or stack trace is no request that has to be summarised word by word. The record
    keeps it whole.
    """
    from lithify.text.tokens import estimate

    sizes = [(estimate(block.text), block.pasted) for block in blocks(text)]
    return sum(min(size, PASTED_TOKENS) if pasted else size for size, pasted in sizes)


def typed_text(text: str) -> str:
    """The text without what was pasted; the whole text where nothing else is in it."""
    typed = "\n".join(block.text for block in blocks(text) if not block.pasted)
    return typed if typed.strip() else text


def blocks(text: str) -> Iterator[Block]:
    """The text in its order, cut at fences and empty lines; what lies between keeps together."""
    typed: list[str] = []
    for lines, fenced in _runs(text.splitlines()):
        if not fenced and len(lines) < PASTED_LINES:
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
        found = re.match(_FENCE, line)
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
