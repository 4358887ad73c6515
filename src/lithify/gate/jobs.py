"""A job as its two files tell it: what is recorded, what is covered, what the gate waits for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lithify.gate.decide import Demand, State

if TYPE_CHECKING:
    from lithify.settings import Gate

#: After this many seconds without a prompt a session no longer keeps others from its job.
FORGOTTEN = 6 * 3600

INTERACTIONS = ("prompt", "answer")

_JOB = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_TAKEN = frozenset({"closed", "sessions"})


class Line(Protocol):
    """One line of a job's files."""

    @property
    def seq(self) -> int: ...
    @property
    def time(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...
    @property
    def hash(self) -> str: ...


class Interaction(NamedTuple):
    """A prompt, or a question with its answer."""

    seq: int
    time: str
    kind: str
    text: str
    tokens: int


class Summary(NamedTuple):
    """One accepted summary; `start` and `stop` are what it covers, [start, stop)."""

    seq: int
    time: str
    start: int
    stop: int
    text: str
    tokens: int
    level: int = 0
    topic: str = ""
    unverified: Mapping[str, Sequence[str]] = MappingProxyType({})


class Book(NamedTuple):
    """A job now. `chain` holds the summaries that were read, oldest first: at least the last."""

    job: str
    pending: tuple[Interaction, ...] = ()
    chain: tuple[Summary, ...] = ()
    start: int = 1
    next: int = 1
    fresh: int = 0
    closing: Demand | None = None
    rollup: Demand | None = None
    active: bool = True

    @property
    def demand(self) -> Demand | None:
        """What the gate waits for; None while it is open."""
        return self.closing or self.rollup

    @property
    def tokens(self) -> int:
        """The size of the part that no summary covers."""
        return sum(one.tokens for one in self.pending)

    def covered_by(self, demand: Demand) -> tuple[Interaction, ...]:
        """The interactions of a demand."""
        return tuple(one for one in self.pending if demand.start <= one.seq < demand.stop)

    def summaries_of(self, demand: Demand) -> tuple[Summary, ...]:
        """The summaries that a summary of summaries is to cover."""
        return tuple(
            one
            for one in self.chain
            if one.level == demand.level - 1 and demand.start <= one.seq < demand.stop
        )


def is_job(name: str) -> bool:
    """Whether a name can be a job's id."""
    return _JOB.fullmatch(name) is not None and name not in _TAKEN


def fold(job: str, record: Iterable[Line], chain: Iterable[Line], rules: Gate) -> Book:
    """The job that these lines tell, both given newest first and read no further than needed."""
    summaries: list[Summary] = []
    start, last = 1, 0
    for line in chain:
        if line.kind == "summary":
            summary = summary_of(line)
            summaries.append(summary)
            last = last or summary.seq
            if summary.level == 0:
                start = max(start, summary.stop)
                if rules.shape != "hierarchical":
                    break
    pending: list[Interaction] = []
    closing: Demand | None = None
    newest, opened, fresh, held = 0, False, 0, 0
    active = True
    for line in record:
        if not newest:
            newest, active = line.seq, line.kind != "ended"
        if line.seq < start:
            break
        if line.kind == "opened":
            held = held or int(line.data["chain"]) + 1
            opened = True
        if line.kind not in INTERACTIONS:
            continue
        tokens = int(line.data["tokens"])
        pending.append(Interaction(line.seq, line.time, line.kind, line.data["text"], tokens))
        fresh += 0 if opened else tokens
        if line.data.get("closes") == start and not opened:
            closing = Demand(start, line.seq + 1, 0)
    pending.reverse()
    if closing:
        size = sum(one.tokens for one in pending if one.seq < closing.stop)
        closing = closing._replace(tokens=size)
    rollup = None
    # Opened by hand, it stays open for summaries too until there is a new one.
    if rules.shape == "hierarchical" and held != last + 1:
        rollup = _due_rollup(summaries, rules.rollup_every)
    summaries.reverse()
    return Book(
        *(job, tuple(pending), tuple(summaries), start, max(newest + 1, start)),
        *(fresh, closing, rollup, active),
    )


def state_of(book: Book, rules: Gate, denials: int = 0) -> State:
    """What a decision about this job rests on."""
    return State(
        *(book.job, book.demand, denials, rules.max_denials, rules.on_stuck, rules.threshold),
        *(book.start, book.next, book.fresh, book.closing is not None),
    )


def summary_of(line: Line) -> Summary:
    """The summary that a line of the chain holds."""
    data = line.data
    return Summary(
        *(line.seq, line.time, data["from"], data["to"], data["text"], data["tokens"]),
        *(data.get("level", 0), data.get("topic", ""), data.get("unverified", {})),
    )


def in_view(chain: Sequence[Summary]) -> tuple[Summary, ...]:
    """The summaries that no summary of summaries covers."""
    rolled: dict[int, int] = {}
    for one in chain:
        if one.level:
            rolled[one.level - 1] = one.stop
    return tuple(one for one in chain if one.seq >= rolled.get(one.level, 0))


class Session(NamedTuple):
    """Who works on what: the focused job, when it was last heard, whether it has ended."""

    id: str
    job: str
    heard: float
    ended: bool = False


def choose(
    session: str, sessions: Sequence[Session], active: Sequence[str], now: float
) -> str | None:
    """The job a session works on: its own, else the one last worked on that is free."""
    heard: dict[str, float] = {}
    for one in sessions:
        if one.id == session and one.job in active:
            return one.job
        heard[one.job] = max(heard.get(one.job, 0.0), one.heard)
    taken = {
        one.job
        for one in sessions
        if one.id != session and not one.ended and now - one.heard < FORGOTTEN
    }
    free = [job for job in active if job not in taken]
    return max(free, key=lambda job: (heard.get(job, 0.0), job), default=None)


def _due_rollup(newest_first: Sequence[Summary], every: int) -> Demand | None:
    view = in_view(newest_first[::-1])
    for level in sorted({one.level for one in view}):
        waiting = [one for one in view if one.level == level]
        if len(waiting) >= every:
            size = sum(one.tokens for one in waiting)
            return Demand(waiting[0].seq, waiting[-1].seq + 1, size, level + 1)
    return None
