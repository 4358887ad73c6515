"""A job as its two logs tell it: what is recorded, what is covered, what the gate waits for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lithify.gate.decide import Demand
from lithify.regex import regex

if TYPE_CHECKING:
    from lithify.settings import Gate
    from lithify.store.journal import Record

#: The kinds of line that are interactions.
INTERACTIONS = ("prompt", "answer")


class Interaction(NamedTuple):
    """A prompt, or a question with its answer."""

    seq: int
    time: str
    kind: str
    text: str
    tokens: int
    #: Whose words they are: a client's hook reports the person's.
    origin: str = "user"


class Summary(NamedTuple):
    """One accepted summary of [start, stop)."""

    seq: int
    time: str
    start: int
    stop: int
    text: str
    tokens: int
    level: int = 0
    topic: str = ""
    unverified: Mapping[str, Sequence[str]] = MappingProxyType({})
    #: Whether it shares next to nothing with what the person said, and was handed in again.
    unrelated: bool = False


class JobState(NamedTuple):
    """A job as it is now.

    `chain` holds the summaries that were read, oldest first: at least the last one. `pending`
    holds the interactions that no summary covers. `fresh` is what counts towards the threshold.
    """

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
        """Return what the gate waits for; None while it is open."""
        return self.closing or self.rollup

    @property
    def tokens(self) -> int:
        """Return the size of what no summary covers."""
        return sum(one.tokens for one in self.pending)

    @property
    def tail(self) -> tuple[Interaction, ...]:
        """Return what no summary covers and no closed gate asks to be summarised."""
        stop = self.closing.stop if self.closing else 0
        return tuple(one for one in self.pending if one.seq >= stop)

    def closes_with(self, counted: int, rules: Gate) -> bool:
        """Decide whether so many more tokens close the gate.

        A frozen range does not grow; what comes while the gate is closed belongs to the next one.
        """
        return self.closing is None and self.fresh + counted >= rules.threshold

    def covered_by(self, demand: Demand) -> tuple[Interaction, ...]:
        """Return the interactions that a summary has to cover."""
        return tuple(one for one in self.pending if demand.start <= one.seq < demand.stop)

    def summaries_of(self, demand: Demand) -> tuple[Summary, ...]:
        """Return the summaries that a summary of summaries has to cover."""
        return tuple(
            one
            for one in self.chain
            if one.level == demand.level - 1 and demand.start <= one.seq < demand.stop
        )


def state_from_logs(
    job: str, record: Iterable[Record], chain: Iterable[Record], rules: Gate
) -> JobState:
    """Return the state that these lines give. Both logs come newest first and are read as far as needed."""
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
    newest, opened, fresh, opened_before = 0, False, 0, 0
    active = True
    for line in record:
        if not newest:
            newest, active = line.seq, line.kind != "ended"
        if line.seq < start:
            break
        if line.kind == "opened":
            opened_before = opened_before or int(line.data["chain"]) + 1
            opened = True
        if line.kind not in INTERACTIONS:
            continue
        pending.append(interaction_of(line))
        fresh += 0 if opened else int(line.data.get("counted", line.data["tokens"]))
        if line.data.get("closes") == start and not opened:
            closing = Demand(start, line.seq + 1, 0)
    pending.reverse()
    if closing:
        size = sum(one.tokens for one in pending if one.seq < closing.stop)
        closing = closing._replace(tokens=size)
    rollup = None
    # A gate opened by hand waits for no summary of summaries until there is a new summary.
    if rules.shape == "hierarchical" and opened_before != last + 1:
        rollup = _due_rollup(summaries, rules.rollup_every)
    summaries.reverse()
    return JobState(
        *(job, tuple(pending), tuple(summaries), start, max(newest + 1, start)),
        *(fresh, closing, rollup, active),
    )


def interaction_of(line: Record) -> Interaction:
    """Return the interaction that a line of the record holds."""
    tokens = int(line.data["tokens"])
    origin = line.data.get("origin", "user")
    return Interaction(line.seq, line.time, line.kind, line.data["text"], tokens, origin)


def summary_of(line: Record) -> Summary:
    """Return the summary that a line of the chain holds."""
    data = line.data
    return Summary(
        *(line.seq, line.time, data["from"], data["to"], data["text"], data["tokens"]),
        *(data.get("level", 0), data.get("topic", ""), data.get("unverified", {})),
        data.get("unrelated", False),
    )


def not_rolled_up(chain: Sequence[Summary]) -> tuple[Summary, ...]:
    """Return the summaries that no summary of summaries covers."""
    rolled: dict[int, int] = {}
    for one in chain:
        if one.level:
            rolled[one.level - 1] = one.stop
    return tuple(one for one in chain if one.seq >= rolled.get(one.level, 0))


def _due_rollup(newest_first: Sequence[Summary], every: int) -> Demand | None:
    view = not_rolled_up(newest_first[::-1])
    for level in sorted({one.level for one in view}):
        waiting = [one for one in view if one.level == level]
        if len(waiting) >= every:
            size = sum(one.tokens for one in waiting)
            return Demand(waiting[0].seq, waiting[-1].seq + 1, size, level + 1)
    return None


# Pasted blocks of a prompt: a fence, or ten lines or more without an empty one between.

#: So many lines in a row are taken for pasted, and so many tokens of a pasted block count.
PASTED_LINES, PASTED_TOKENS = 10, 50

_FENCE = regex(r"[ \t]*(`{3,}|~{3,})")


class PromptBlock(NamedTuple):
    """Some lines of a text, and whether they were pasted."""

    text: str
    pasted: bool


def counted_tokens(text: str) -> int:
    """Count the tokens of a text, of each pasted block only the first ones.

    A pasted log or stack trace is no request that has to be summarised word by word. The record
    keeps it whole.
    """
    from lithify.text.tokens import estimate  # which most hooks need not load

    sizes = [(estimate(block.text), block.pasted) for block in blocks(text)]
    return sum(min(size, PASTED_TOKENS) if pasted else size for size, pasted in sizes)


def typed_text(text: str) -> str:
    """Return the text without what was pasted; the whole text where nothing else is in it."""
    typed = "\n".join(block.text for block in blocks(text) if not block.pasted)
    return typed if typed.strip() else text


def blocks(text: str) -> Iterator[PromptBlock]:
    """Return the text in its order, cut at fences and empty lines; what lies between keeps together."""
    typed: list[str] = []
    for lines, fenced in _runs(text.splitlines()):
        if not fenced and len(lines) < PASTED_LINES:
            typed += lines
            continue
        if typed:
            yield PromptBlock("\n".join(typed), False)
            typed = []
        yield PromptBlock("\n".join(lines), True)
    if typed:
        yield PromptBlock("\n".join(typed), False)


def _runs(lines: list[str]) -> Iterator[tuple[list[str], bool]]:
    """Yield fences, and outside them the runs of lines that are not empty; an empty line stands alone."""
    run: list[str] = []
    mark = ""
    for line in lines:
        bare = line.strip()
        opens = None if mark else _FENCE.match(line)
        if run and (opens or not (bare or mark)):
            yield run, False
            run = []
        run.append(line)
        # A fence ends with a line of its own sign, as long as the one it began with or longer.
        closes = bool(mark and bare) and not bare.strip(mark[0]) and len(bare) >= len(mark)
        if opens:
            mark = opens[1]
        elif closes or not (bare or mark):
            yield run, closes
            run, mark = [], ""
    if run:
        yield run, bool(mark)
