"""What an MCP client can call: arguments in, an answer out, nothing of the wire.

No tool takes a path, and none can approve, forget, open a gate by hand or change a setting. What
the tools need is loaded by the first call: a server answers `tools/list` before that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel

from lithify.errors import LithifyError, NeedsTerminal, UnknownReference, UsageError
from lithify.fence import fence
from lithify.mcp.call import ToolCall, ToolReply
from lithify.mcp.shapes import (
    LONGEST_SUMMARY,
    Arguments,
    ContextAnswer,
    ContextArguments,
    CorrectAnswer,
    CorrectArguments,
    FoundPassage,
    LiveJob,
    LogAnswer,
    LogArguments,
    MemoriesAnswer,
    MemoriesArguments,
    NextArguments,
    OrderAnswer,
    PageArguments,
    RecallAnswer,
    RecallArguments,
    RememberArguments,
    StatusAnswer,
    SubmitArguments,
    SubmitPageAnswer,
    SubmitSummaryAnswer,
    TaskState,
    ToolAnswer,
    TraceAnswer,
    TraceArguments,
    TraceStep,
)
from lithify.regex import regex
from lithify.trust import is_trusted, may_rule

if TYPE_CHECKING:
    from lithify.compact.orders import Order
    from lithify.compact.trace import Node
    from lithify.gate.submission import SummaryReader
    from lithify.memory import Memory

#: The most that one answer is, in characters.
LONGEST_ANSWER = 40_000
#: How many tasks, jobs or lines of a trace one answer lists.
_MOST = 60
_LINE = 500
#: How many other days an answer lists for a passage; its text says how many there are.
_MOST_ALSO = 12
#: An origin as fences and marks in a text name it.
_ORIGIN = regex(r"\borigin=(web|harness|(?:mcp|import):[\w.@-]+)")


def log_entry(call: ToolCall, given: LogArguments) -> ToolReply:
    """Add an entry to today's log: a decision, an outcome, a blocker, a fact worth keeping.

    Credentials in it are replaced.
    """
    done = call.memory().log(given.text, origin=call.origin())
    day = done.path.rpartition("/")[2].removesuffix(".md")
    text = f"logged on {day} as {' '.join(done.entries)}, origin {done.origin}"
    return _logged(text, day, done.entries, done.origin)


def remember(call: ToolCall, given: RememberArguments) -> ToolReply:
    """Keep a statement as a memory, in the words given, because somebody asked for it.

    Use it when the person says to remember something. Every later session starts with it.
    """
    said = given.model_dump(exclude={"text"})
    kept = call.memory().remember(given.text, **said, origin=call.origin())
    entry = kept.entry
    where = f"remembered as {kept.path.rpartition('/')[2]}" if kept.path else "kept in the day"
    if not kept.path:
        later = "the next compaction makes it a memory"
        doubt = f"origin {entry.origin} is not trusted, so a person has to accept it"
        held = kept.waits == "memory"
        later = "it waits for a person to accept it" if held else later
        where = f"{where}; {later if may_rule(entry.origin) else doubt}"
    day = entry.path.rpartition("/")[2].removesuffix(".md")
    return _logged(where, day, entry.entries, entry.origin)


def _logged(text: str, day: str, ids: Sequence[str], origin: str) -> ToolReply:
    trusted = is_trusted(origin)
    return ToolReply(
        LogAnswer(text=text, day=day, entries=list(ids), origin=origin, trusted=trusted)
    )


def memories(call: ToolCall, given: MemoriesArguments) -> ToolReply:
    """List the memories in force, or tell the life of one."""
    memory = call.memory()
    known = memory.memories
    rows: list[tuple[str, str, Sequence[str]]] = []
    if given.ref:
        for event in known.log(given.ref):
            because = f" ({event.reason})" if event.reason else ""
            said = f"{event.on} {event.what}{because} by {event.by or 'the program'}: {event.text}"
            rows.append((event.id, said, [event.id] if event.id else []))
    elif given.show == "conflicts":
        for newer, older in known.conflicts():
            said = f"{newer.id} ({newer.updated}) {newer.text} ↔ {older.id} ({older.updated}) {older.text}"
            rows.append((newer.id, said, [*newer.sources, *older.sources]))
    else:
        for one in known.gone() if given.show == "gone" else known.list():
            because = f" → {one.because}" if one.because else ""
            whose = f", {one.whose}" if one.whose else ""
            said = f"{one.id} {one.type}, {one.status}{whose}, {one.on or one.updated}: {one.text}"
            rows.append((one.id, said + because, one.sources))
    # The newest are shown, and stand first.
    shown = rows if given.ref else rows[::-1]
    shown, left_out = shown[:_MOST], len(rows[_MOST:])
    entries = memory.snapshot().lookup([id for *_, ids in shown for id in ids])
    doubtful = _by_origin((entry.origin, (id,)) for id, entry in entries.items())
    text = "\n".join(one_line(memory.redacted(said)) for _, said, _ in shown)
    more = f"\n[{left_out} more left out]" if left_out else ""
    body = fence(text, next(iter(doubtful), "file"), "memories") if text else "nothing"
    data = MemoriesAnswer(text=body + more, ids=[id for id, *_ in shown if id], left_out=left_out)
    return ToolReply(data, shown=doubtful)


def correct_memory(call: ToolCall, given: CorrectArguments) -> ToolReply:
    """Correct a memory that is wrong. What a person asked to keep, only a person changes: then
    this makes a request.
    """
    memory, origin = call.memory(), call.origin()
    pair = given.action in ("supersede", "keep_both")
    if pair is not bool(given.other) or (given.action == "edit") is not bool(given.text):
        raise UsageError(reason="`other` names the second of a pair, `text` the words of an edit")
    refs = (given.ref, given.other) if pair else (given.ref,)
    words = (given.text,) if given.text else ()
    act = getattr(memory.memories, given.action)
    with suppress(NeedsTerminal):
        change = partial(act, *refs, *words, by=origin, reason=given.reason)
        kept, effects = memory.effects_of(change)
        if given.action == "edit" and not is_trusted(source := kept.entry.origin):
            raise UsageError(reason=f"these words are known from {source}: they replace nothing")
        lines = [one_line(f"{what}: {text}") for what, text in effects.lines()]
        text = "\n".join(lines) or "noted; what is in force is the same"
        return ToolReply(CorrectAnswer(text=fence(text, "agent", "changed"), done=True))
    asked = memory.memories.request(
        given.action, *refs, statement=given.text, reason=given.reason, origin=origin
    )
    text = f"request {asked.id}: a person decides (lithify review); nothing changed yet"
    return ToolReply(CorrectAnswer(text=text, done=False, request=asked.id))


def next_page(call: ToolCall, given: NextArguments) -> ToolReply:
    """Get the next page of memory that is due, as a work order for you to write or to read.

    It holds all that is needed. Hand the reply in with submit_page. Nothing due: `order` is null.
    """
    found = call.memory().next_order(
        rewrite=given.rewrite,
        newest=given.newest,
        as_reader=given.as_reader,
        client=call.client,
        session=call.open_session(),
        by=call.origin(),
    )
    order = found.order
    if order is None:
        return ToolReply(OrderAnswer(text=found.end.capitalize() + "."))
    tier, period = (order.task.tier, order.task.period) if order.tasks else ("", "")
    return ToolReply(OrderAnswer(text=_order_text(order), order=order.id, tier=tier, period=period))


def _order_text(order: Order) -> str:
    return order.in_words(
        f'Hand it in with the tool submit_page: order "{order.id}", your reply as `page`.'
    )


def submit_page(call: ToolCall, given: PageArguments) -> ToolReply:
    """Hand in what an order asks for. It is checked; what is wrong comes back."""
    memory = call.memory()
    done = memory.hand_in(
        given.order,
        given.page,
        client=call.client,
        session=call.open_session(),
        by=call.origin(),
    )
    again = done.order.id if done.order and done.state == "sent back" else ""
    lines = [done.in_words()]
    if again and done.order:
        lines.append(_order_text(done.order))
    elif done.order:
        lines.append("More is due: next_page.")
    text, more = "\n".join(lines), bool(done.order and not again)
    data = SubmitPageAnswer(text=text, state=done.state, order=again or None, more=more)
    return ToolReply(data, refused=done.state in ("sent back", "refused", "failed"))


def submit_summary(call: ToolCall, given: SubmitArguments) -> ToolReply:
    """Hand in the summary a closed gate waits for. A refusal lists everything that is wrong."""
    from lithify.gate import texts
    from lithify.gate.submission import RefusedSummary

    gate = call.gate()
    try:
        gate.require_job(given.job)
    except UnknownReference as error:
        closed = ", ".join(gate.closed_jobs()) or "none"
        raise UsageError(reason=f"{error.message} Jobs whose gate is closed: {closed}.") from error
    rules = gate.rules(given.job)
    topic = f"Topic: {given.topic}\n" if given.topic and rules.shape == "topics" else ""
    reader, note = _summary_reader(gate.root)
    text = topic + _summary_text(given)
    done = gate.submit(given.job, text, origin=call.origin(), reader=reader)
    note = reader.note if reader else note
    job = gate.state(given.job) if isinstance(done, RefusedSummary) else done.state
    word = "closed" if job and job.demand else "open"
    if isinstance(done, RefusedSummary):
        wrong = "\n".join(f"- {violation}" for violation in done.violations)
        lines = [f"refused, {len(done.violations)} to fix:", fence(wrong, "lithify", "violations")]
        if job and job.demand:
            lines.append(texts.rules_in_words(job.demand, rules))
        text, wrongs = "\n".join(lines), len(done.violations)
        data = SubmitSummaryAnswer(
            text=text, job=given.job, accepted=False, gate=word, violations=wrongs
        )
        return ToolReply(data, refused=True)
    summary = done.summary
    before = " (it was accepted before)" if done.again else ""
    lines = [f"accepted as summary {summary.seq} of job {given.job}{before}"]
    if doubts := [f"{name}: {', '.join(found)}" for name, found in summary.unverified.items()]:
        lines += ["marked unverified:", fence("\n".join(doubts), "agent", "unverified")]
    lines += [f"still to do, by the next call: {step}" for step in done.left]
    lines += [note] if note else []
    if job and job.demand:
        lines.append(f"one more: {texts.what_is_due(given.job, job.demand)}")
        due = texts.to_summarise(job, job.demand)
        lines.append(
            fence(
                texts.shortened(due, LONGEST_ANSWER // 2), texts.origin_of(job.pending), given.job
            )
        )
        lines.append(texts.rules_in_words(job.demand, rules))
    else:
        lines.append("the gate is open: go on")
    return ToolReply(
        SubmitSummaryAnswer(
            text="\n".join(lines),
            job=given.job,
            accepted=True,
            gate=word,
            summary=summary.seq,
            tokens=summary.tokens,
        )
    )


def status(call: ToolCall, given: Arguments) -> ToolReply:
    """Say what of the memory is late or failed, and which jobs are live with what gate."""
    from lithify.gate import texts
    from lithify.values import BEHIND

    memory = call.memory()
    found = memory.status()
    tasks = [task for task in found.tasks if task.state in BEHIND]
    gate = memory.gate
    jobs = [one for one in gate.jobs() if one.active or one.demand]
    lines = [one_line(f"{t.tier} {t.period} {t.state}: {t.why}") for t in tasks[:_MOST]]
    beside = found.unmatched
    if beside and beside.total:
        lines.append(one_line(f"not read: {beside}"))
        lines.append(one_line(f"to read them, under [days] in lithify.toml: {beside.line}"))
    states = []
    for one in jobs[:_MOST]:
        word, most = "closed" if one.demand else "open", gate.rules(one.job).threshold
        summaries = texts.count_of(len(one.chain), "summary", "summaries")
        due = f"; {texts.what_is_due(one.job, one.demand)}" if one.demand else ""
        size = f"{one.tokens:,} of {most:,} tokens"
        lines.append(f"job {one.job}: gate {word}, {size}, {summaries}{due}")
        counts = {"tokens": one.tokens, "threshold": most, "summaries": len(one.chain)}
        states.append(LiveJob(job=one.job, gate=word, **counts))
    verb = "is" if len(tasks) == 1 else "are"
    late = f"{texts.count_of(len(tasks), 'period')} {verb} late" if tasks else "nothing is late"
    if found.behind:
        late = f"memory is {texts.count_of(found.behind, 'day')} behind, {late}"
    late += "".join(f"; {week} is not over and behind its days" for week in found.trailing)
    if found.damage:
        late += one_line(f"; the journal is damaged, {found.damage} (lithify check)")
    newest = f", the newest {found.newest}" if found.newest else ""
    head = f"{texts.count_of(found.days, 'day')}{newest}; {late}"
    return ToolReply(
        StatusAnswer(
            text="\n".join(
                [head, *([fence("\n".join(lines), "lithify", "status")] if lines else [])]
            ),
            days=found.days,
            newest=found.newest.isoformat() if found.newest else None,
            days_behind=found.behind,
            trailing=list(found.trailing),
            damaged=bool(found.damage),
            proposals=found.proposals,
            requests=len(found.requests),
            tasks=[TaskState(tier=t.tier, period=t.period, state=t.state) for t in tasks[:_MOST]],
            jobs=states,
            unmatched=beside.total if beside else 0,
            left_out=max(0, len(tasks) - _MOST) + max(0, len(jobs) - _MOST),
        )
    )


def trace(call: ToolCall, given: TraceArguments) -> ToolReply:
    """Follow a sentence of memory down to the days' own lines, or a line up to what rests on it."""
    memory = call.memory()
    # Not by a path: only what memory itself has a name for is followed.
    found = memory.trace(given.ref, names_only=True)
    nodes = list(_walk(found.roots))
    shown = nodes[:_MOST]
    left_out = len(nodes) - len(shown)
    text = "\n".join(_traced_line(memory, node, depth) for depth, node in shown)
    # A sentence that is shown may rest on one that is left out.
    doubtful = _by_origin((node.origin, (node.id,)) for _, node in nodes if node.origin)
    more = f"\n[{left_out} more lines left out]" if left_out else ""
    data = TraceAnswer(
        text=fence(text, next(iter(doubtful), "file"), "trace") + more,
        upward=found.upward,
        steps=[
            TraceStep(
                depth=depth, tier=node.tier, place=_place(node), id=node.id, origin=node.origin
            )
            for depth, node in shown
        ],
        left_out=left_out,
    )
    return ToolReply(data, shown=doubtful)


def recall(call: ToolCall, given: RecallArguments) -> ToolReply:
    """Find what the days themselves say on a question; nothing where nothing supports it."""
    memory = call.memory()
    found = memory.recall(given.query, budget=given.budget, as_of=given.as_of, after=given.after)
    passages = [
        FoundPassage(
            day=passage.date.isoformat() if passage.date else None,
            place=passage.place,
            entries=list(passage.entries),
            score=round(passage.score, 3),
            origin=passage.origin,
            also_on=[day.isoformat() for day in passage.also_on[-_MOST_ALSO:]],
            superseded=passage.superseded.isoformat() if passage.superseded else None,
        )
        for passage in found.passages
    ]
    doubtful = _by_origin((passage.origin, passage.entries) for passage in found.passages)
    return ToolReply(
        RecallAnswer(
            text=memory.fenced(found), passages=passages, tokens=found.tokens, after=found.after
        ),
        shown=doubtful,
    )


def context(call: ToolCall, given: ContextArguments) -> ToolReply:
    """Read what a session starts with: rules, what is open, what happened lately, the live job."""
    from lithify.text.tokens import estimate

    text = call.memory().context(given.budget, job=given.job, characters=LONGEST_ANSWER - 1000)
    doubtful = _by_origin((origin, ()) for origin in _ORIGIN.findall(text))
    return ToolReply(
        ContextAnswer(text=text, tokens=estimate(text), budget=given.budget), shown=doubtful
    )


class Tool(NamedTuple):
    """A tool: what it does, takes and answers, and whether it leaves the root as it was."""

    run: Callable[[ToolCall, Any], ToolReply]
    takes: type[BaseModel]
    answers: type[ToolAnswer]
    reads: bool = True
    again: bool = True


#: Every tool by the name that clients call it. A tool of its own is one line here.
TOOLS: Mapping[str, Tool] = {
    "submit_summary": Tool(submit_summary, SubmitArguments, SubmitSummaryAnswer, reads=False),
    "remember": Tool(remember, RememberArguments, LogAnswer, reads=False),
    "memories": Tool(memories, MemoriesArguments, MemoriesAnswer),
    "correct_memory": Tool(correct_memory, CorrectArguments, CorrectAnswer, reads=False),
    "next_page": Tool(next_page, NextArguments, OrderAnswer, reads=False),
    "submit_page": Tool(submit_page, PageArguments, SubmitPageAnswer, reads=False),
    "log_entry": Tool(log_entry, LogArguments, LogAnswer, reads=False, again=False),
    "status": Tool(status, Arguments, StatusAnswer),
    "trace": Tool(trace, TraceArguments, TraceAnswer),
    "context": Tool(context, ContextArguments, ContextAnswer),
    "recall": Tool(recall, RecallArguments, RecallAnswer),
}


def _summary_reader(root: str) -> tuple[SummaryReader | None, str]:
    """Who reads a summary a second time, or why nobody can: no mistake bars the way out."""
    from lithify.memory import Memory

    try:
        return Memory.open(root).summary_reader(), ""
    except LithifyError as error:
        return None, f"not read: {error.message}"


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


def _traced_line(memory: Memory, node: Node, depth: int) -> str:
    origin = f" (origin={node.origin})" if node.origin else ""
    # Redacted before it is cut: half a secret is one that no rule knows.
    said = one_line(memory.redacted(node.text)) or one_line(node.note)
    return f"{'  ' * depth}{_place(node) or node.id}{origin}: {said}"


def _place(node: Node) -> str:
    return f"{node.path}:{node.line}" if node.path else ""


def _by_origin(pairs: Iterable[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
    """The ids of what is shown and untrusted, by origin, each once."""
    found: dict[str, dict[str, None]] = {}
    for origin, ids in pairs:
        if not is_trusted(origin) and origin != "lithify":
            found.setdefault(origin, {}).update(dict.fromkeys(ids))
    return {origin: list(ids) for origin, ids in found.items()}


def one_line(text: str) -> str:
    """A text as one line, cut where it is too long for a list."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _LINE else flat[: _LINE - 1].rstrip() + "…"
