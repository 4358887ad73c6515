"""What an MCP client can call: arguments in, an answer out, nothing of the wire.

No tool takes a path, and none can approve, forget, open a gate by hand or change a setting.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from lithify.compact.plan import BEHIND
from lithify.compact.snapshot import Snapshot
from lithify.compact.status import Status
from lithify.compact.trace import Node, trace_name
from lithify.errors import NoRoot, UnknownReference, UsageError
from lithify.gate import texts
from lithify.gate.gatekeeper import Gatekeeper
from lithify.gate.submission import Refused
from lithify.mcp.shapes import (
    LONGEST_SUMMARY,
    Arguments,
    Block,
    ContextArguments,
    Found,
    JobState,
    LogArguments,
    Logged,
    RecallArguments,
    Recalled,
    Standing,
    Step,
    SubmitArguments,
    Submitted,
    TaskState,
    TraceArguments,
    Traced,
    Unmatched,
)
from lithify.memory import Memory
from lithify.open_root import find_root, here, placed
from lithify.recall.passages import fenced, place
from lithify.text.fence import fence
from lithify.text.tokens import estimate
from lithify.trust import is_trusted
from lithify.values import Passage

#: The most that one answer is, in characters.
LONGEST_ANSWER = 40_000
#: How many tasks, jobs or lines of a trace one answer lists.
_MOST = 60
_LINE = 500


class Call(NamedTuple):
    """Whose call it is: the root it is about, and the name the client gave itself."""

    root: str | None
    client: str

    def memory(self) -> Memory:
        return Memory.open(self.root)

    def gate(self) -> Gatekeeper:
        # Not through the settings: a mistake in them must not bar the way out of a closed gate.
        root = self.root or os.environ.get("LITHIFY_ROOT") or find_root(Path(here()))
        if not Path(root).is_dir():
            raise NoRoot(start=placed(root))
        return Gatekeeper(root)


class Reply(NamedTuple):
    """What a tool says, as text and as data; `refused` when the call did not do what it asked."""

    text: str
    data: BaseModel
    refused: bool = False


def submit_summary(call: Call, given: SubmitArguments) -> Reply:
    """Hand in the summary a closed gate waits for. A refusal lists everything that is wrong."""
    gate = call.gate()
    try:
        gate.existing(given.job)
    except UnknownReference as error:
        closed = ", ".join(gate.closed_jobs()) or "none"
        raise UsageError(reason=f"{error.message} Jobs whose gate is closed: {closed}.") from error
    rules = gate.rules(given.job)
    topic = f"Topic: {given.topic}\n" if given.topic and rules.shape == "topics" else ""
    done = gate.submit(given.job, topic + _summary_text(given), origin=f"mcp:{call.client}")
    job = gate.state(given.job) if isinstance(done, Refused) else done.state
    word = "closed" if job and job.demand else "open"
    if isinstance(done, Refused):
        lines = [f"refused, {len(done.violations)} to mend:", *(f"- {v}" for v in done.violations)]
        if job and job.demand:
            lines.append(f"\n{texts.rules_in_words(job.demand, rules)}")
        data = Submitted(job=given.job, accepted=False, gate=word, violations=list(done.violations))
        return Reply("\n".join(lines), data, refused=True)
    summary = done.summary
    before = " (it was accepted before)" if done.again else ""
    lines = [f"accepted as summary {summary.seq} of job {given.job}{before}"]
    for name, unknown in summary.unverified.items():
        lines.append(f"marked unverified in {name}: {', '.join(unknown)}")
    lines += [f"still to do, by the next call: {step}" for step in done.left]
    if job and job.demand:
        lines.append(f"one more: {texts.what_is_due(given.job, job.demand)}")
        due = texts.to_summarise(job, job.demand)
        lines.append(fence(texts.shortened(due, LONGEST_ANSWER // 2), "agent", given.job))
    else:
        lines.append("the gate is open: go on")
    data = Submitted(
        job=given.job,
        accepted=True,
        summary=summary.seq,
        tokens=summary.tokens,
        gate=word,
        unverified={name: list(found) for name, found in summary.unverified.items()},
    )
    return Reply("\n".join(lines), data)


def log_entry(call: Call, given: LogArguments) -> Reply:
    """Add an entry to today's log: a decision, an outcome, a blocker, a fact worth keeping.

    It is kept as unverified, with this client as its origin; credentials are replaced.
    """
    done = call.memory().log(given.text, origin=f"mcp:{call.client}")
    day = done.path.rpartition("/")[2].removesuffix(".md")
    trusted = is_trusted(done.origin)
    data = Logged(day=day, entries=list(done.entries), origin=done.origin, trusted=trusted)
    return Reply(f"logged on {day} as {' '.join(done.entries)}, origin {done.origin}", data)


def status(call: Call, given: Arguments) -> Reply:
    """Say what of the memory is late or failed, and which jobs are live with what gate."""
    memory = call.memory()
    found = memory.status()
    tasks = [task for task in found.tasks if task.state in BEHIND]
    gate = memory.gate
    jobs = [one for one in gate.jobs() if one.active or one.demand]
    data = Standing(
        days=found.days,
        newest=found.newest.isoformat() if found.newest else None,
        days_behind=found.behind,
        trailing=list(found.trailing),
        damage=found.damage,
        proposals=found.proposals,
        tasks=[
            TaskState(tier=t.tier, period=t.period, state=t.state, why=one_line(t.why))
            for t in tasks[:_MOST]
        ],
        jobs=[
            JobState(
                job=one.job,
                gate="closed" if one.demand else "open",
                tokens=one.tokens,
                threshold=gate.rules(one.job).threshold,
                summaries=len(one.chain),
                due=texts.what_is_due(one.job, one.demand) if one.demand else "",
            )
            for one in jobs[:_MOST]
        ],
        unmatched=_unmatched(found),
        left_out=max(0, len(tasks) - _MOST) + max(0, len(jobs) - _MOST),
    )
    lines = [f"{t.tier} {t.period} {t.state}: {t.why}" for t in data.tasks]
    if data.unmatched:
        lines.append(one_line(f"not read: {found.unmatched}"))
        lines.append(one_line(f"to read them, under [days] in lithify.toml: {data.unmatched.line}"))
    lines += [
        f"job {j.job}: gate {j.gate}, {j.tokens:,} of {j.threshold:,} tokens, "
        f"{texts.count_of(j.summaries, 'summary', 'summaries')}{'; ' * bool(j.due)}{j.due}"
        for j in data.jobs
    ]
    verb = "is" if len(tasks) == 1 else "are"
    late = f"{texts.count_of(len(tasks), 'period')} {verb} late" if tasks else "nothing is late"
    if data.days_behind:
        late = f"memory is {texts.count_of(data.days_behind, 'day')} behind, {late}"
    late += "".join(f"; {week} is not over and behind its days" for week in data.trailing)
    late += "; the journal is damaged (lithify check)" if data.damage else ""
    newest = f", the newest {data.newest}" if data.newest else ""
    head = f"{texts.count_of(data.days, 'day')}{newest}; {late}"
    return Reply(
        f"{head}\n{fence(chr(10).join(lines), 'lithify', 'status')}" if lines else head, data
    )


def _unmatched(found: Status) -> Unmatched | None:
    """The dated files that no pattern reads, each name cut to a line."""
    beside = found.unmatched
    if not beside or not beside.total:
        return None
    paths = [one_line(path) for path in beside.paths]
    return Unmatched(count=beside.total, complete=beside.complete, paths=paths, line=beside.line)


def trace(call: Call, given: TraceArguments) -> Reply:
    """Follow a sentence of memory down to the days' own lines, or a line up to what rests on it."""
    snapshot = call.memory().snapshot()
    # Not by a path: only what memory itself has a name for is followed.
    found = trace_name(snapshot, given.ref)
    if found is None:
        hint = "Give an entry's id, a day, a week, a month, or the title of an entry of wisdom."
        raise UnknownReference(ref=one_line(given.ref), hint=hint)
    steps = [_step(snapshot, node, depth) for depth, node in _walk(found.roots)]
    shown = steps[:_MOST]
    left_out = len(steps) - len(shown)
    data = Traced(ref=given.ref, upward=found.upward, steps=shown, left_out=left_out)
    lines = []
    for step in shown:
        origin = f" (origin={step.origin})" if step.origin else ""
        lead = "  " * step.depth
        lines.append(f"{lead}{step.place or step.id}{origin}: {step.text or step.note}")
    doubtful = [step.origin for step in shown if step.origin and not is_trusted(step.origin)]
    more = f"\n[{left_out} more lines left out]" if left_out else ""
    return Reply(fence("\n".join(lines), (doubtful or ["file"])[0], "trace") + more, data)


def recall(call: Call, given: RecallArguments) -> Reply:
    """Find what the days themselves say on a question; nothing where nothing supports it."""
    found = call.memory().recall(given.query, budget=given.budget, as_of=given.as_of)
    data = Recalled(
        query=given.query,
        passages=[_found(passage) for passage in found.passages],
        nearest=list(found.nearest),
        tokens=found.tokens,
    )
    return Reply(fenced(found), data)


def context(call: Call, given: ContextArguments) -> Reply:
    """Read what a session starts with: what is late, wisdom, the live job's chain, week, month."""
    memory = call.memory()
    text = memory.context(given.budget, job=given.job, characters=LONGEST_ANSWER - 1000)
    return Reply(text, Block(text=text, tokens=estimate(text), budget=given.budget))


class Tool(NamedTuple):
    """A tool: what it does, takes and answers, and whether it leaves the root as it was."""

    run: Callable[[Call, Any], Reply]
    takes: type[BaseModel]
    answers: type[BaseModel]
    reads: bool = True
    again: bool = True


#: Every tool by the name that clients call it. A tool of its own is one line here.
TOOLS: Mapping[str, Tool] = {
    "submit_summary": Tool(submit_summary, SubmitArguments, Submitted, reads=False),
    "log_entry": Tool(log_entry, LogArguments, Logged, reads=False, again=False),
    "status": Tool(status, Arguments, Standing),
    "trace": Tool(trace, TraceArguments, Traced),
    "context": Tool(context, ContextArguments, Block),
    "recall": Tool(recall, RecallArguments, Recalled),
}


def _summary_text(given: SubmitArguments) -> str:
    if (given.sections is None) == (given.text is None):
        raise UsageError(reason="give either `sections` or the whole `text`, and not both")
    if given.text is not None:
        return given.text
    sections = given.sections or {}
    if any("\n" in name or "\r" in name for name in sections):
        raise UsageError(reason="the name of a section is one line")
    text = "\n\n".join(f"### {name}\n{body}" for name, body in sections.items())
    if len(text) > LONGEST_SUMMARY:
        raise UsageError(
            reason=f"sections: {len(text):,} characters, at most {LONGEST_SUMMARY:,} are read"
        )
    return text


def _walk(nodes: Sequence[Node], depth: int = 0) -> Iterator[tuple[int, Node]]:
    for node in nodes:
        yield depth, node
        yield from _walk(node.children, depth + 1)


def _step(snapshot: Snapshot, node: Node, depth: int) -> Step:
    place = f"{node.path}:{node.line}" if node.path else ""
    # Redacted before it is cut: half a secret is one that no rule knows.
    text, note = one_line(snapshot.redacted(node.text)), one_line(node.note)
    known = {"tier": node.tier, "place": place, "id": node.id, "origin": node.origin}
    return Step(depth=depth, text=text, note=note, **known)


def _found(passage: Passage) -> Found:
    return Found(
        day=passage.date.isoformat() if passage.date else None,
        place=place(passage),
        entries=list(passage.entries),
        text=passage.text,
        score=round(passage.score, 3),
        origin=passage.origin,
        also_on=[day.isoformat() for day in passage.also_on],
        superseded=passage.superseded.isoformat() if passage.superseded else None,
    )


def one_line(text: str) -> str:
    """A text as one line, cut where it is too long for a list."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _LINE else flat[: _LINE - 1].rstrip() + "…"
