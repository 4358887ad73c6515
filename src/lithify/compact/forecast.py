"""What a compaction by a model would send and cost, and how much of it is paid for already.

The prompts are built as they would be sent, counted, and looked up among the saved replies. A page
that rests on pages still to be written is estimated from the lengths these are expected to have.

A run with several workers makes the same calls ahead, some at the same time. Weeks do not depend on
each other, so all of them can be asked for at once; when they are written, so can all months. The
memories of a week are drawn in the light of those before it, and wisdom is one call. Only the calls
run ahead: pages are verified and committed one after the other in the plan's order, and find their
replies saved or wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace

from lithify.calendar import is_month, is_week, month_of
from lithify.compact.brief import briefs_of, split
from lithify.compact.ledger import Ledger
from lithify.compact.page import first_attempt
from lithify.compact.plan import Ask, plan
from lithify.compact.snapshot import Snapshot
from lithify.compact.wisdom import wisdom_briefs
from lithify.compact.workspace import Workspace
from lithify.engines.base import Completion, Concurrent, Engine, T
from lithify.engines.model import TEMPERATURE, ModelEngine
from lithify.engines.model.prompt import Prompt
from lithify.engines.model.reader import Reader
from lithify.engines.replies import reply_key
from lithify.errors import BudgetReached, UnknownReference, UsageError
from lithify.markdown.pages import body_of, target_length
from lithify.text.tokens import estimate
from lithify.values import TO_WRITE, Brief, Task, Tier, Usage

#: A reply's length as a share of its prompt, where no reply was measured and the prompt names no
#: length. Few weeks hold many memories, and decisions on
#: wisdom word its entries anew.
OUTPUT_SHARE = 0.15
_SHARES: Mapping[Tier, float] = {"typed": 0.1, "wisdom": 0.4}
#: What the labels of its bullets, which do not count, add to a page of the length that is asked for.
_LABELS = 1.2
#: Tokens of a claim with its labels, and of a verdict that finds it supported.
_CLAIM, _VERDICT = 40, 18
#: Claims of known truth that a reader is tested with on each page.
_CONTROLS = 2
_STAGES = {"month": "monthly", "wisdom": "wisdom"}


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call as it would be sent, the key of its reply, and the tokens its reply may have."""

    key: str
    prompt: Prompt
    temperature: float
    attempt: int
    output: int
    paid: bool


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one task would take: the calls to make with their tokens, and the calls paid for.

    `reply` counts the tokens of all its replies, paid or not. `readings` are the calls of its
    reader, which come on top, with their tokens in `reading`.
    """

    task: Task
    calls: int = 0
    usage: Usage = Usage()
    paid: int = 0
    exact: bool = True
    reply: int = 0
    readings: int = 0
    reading: Usage = Usage()


def forecast(
    snapshot: Snapshot,
    tasks: Sequence[Task],
    engine: Engine,
    today: str,
    reader: Reader | None = None,
) -> tuple[Forecast, ...]:
    """Return, for every task that would be written, what its first round of calls would take."""
    found: dict[str, Forecast] = {}
    due = [task for task in tasks if task.state in TO_WRITE]
    if not isinstance(engine, ModelEngine):
        return tuple(Forecast(task) for task in due)
    for task in sorted(due, key=lambda task: task.tier in ("month", "wisdom")):
        below = [one for one in found.values() if _rests_on(task, one.task)]
        if below and task.tier in ("month", "wisdom"):
            one = _of_coming(snapshot, task, engine, below)
        else:
            calls = calls_of(snapshot, task, engine, today)
            new = [call for call in calls if not call.paid]
            given, output = (sum(c.prompt.tokens for c in new), sum(c.output for c in new))
            paid, reply = len(calls) - len(new), sum(call.output for call in calls)
            # A week's memories are drawn in the light of those of the weeks before it.
            one = Forecast(task, len(new), Usage(given, output), paid, not below, reply)
        found[task.key] = _with_reading(one, reader) if reader else one
    return tuple(found[task.key] for task in due)


def _rests_on(task: Task, other: Task) -> bool:
    """Tell whether the prompt of a task shows what another one is still to write."""
    if task.tier == "month":
        return other.tier == "week" and month_of(other.period) == task.period
    shown: dict[str, tuple[str, ...]] = {"typed": ("typed",), "wisdom": ("typed", "month")}
    return other.tier in shown.get(task.tier, ())


def _of_coming(
    snapshot: Snapshot, task: Task, engine: ModelEngine, below: Sequence[Forecast]
) -> Forecast:
    """Estimate one call that shows the replies its task rests on, and the weeks on disk."""
    shown, target = sum(one.reply for one in below), 0
    coming = {one.task.period for one in below}
    for week, page in snapshot.shelf.weeks.items():
        if page.path in task.sources and week not in coming:
            shown += estimate(body_of(snapshot.read(page.path)))
    given = shown + engine.prompts[_STAGES[task.tier]].tokens
    if task.tier == "month":
        settings = snapshot.settings
        target = target_length("month", shown, settings.compression, settings.monthly.max_tokens)
    share = _measured_share(snapshot.ledger, task.tier, engine.name)
    output = _reply_length(given, task.tier, share, target)
    return Forecast(task, 1, Usage(given, output), exact=False, reply=output)


def _with_reading(found: Forecast, reader: Reader) -> Forecast:
    """Add what reading would take: each call shows a reply, the entries it cites, and controls.

    What a claim cites is taken to be as long as the claim.
    """
    calls = found.calls + found.paid
    if not calls:
        return found
    claims = found.reply // _CLAIM + calls * _CONTROLS
    given = calls * reader.engine.prompts["reader"].tokens + 2 * claims * _CLAIM
    return replace(found, readings=calls, reading=Usage(given, claims * _VERDICT))


def calls_of(
    snapshot: Snapshot, task: Task, engine: ModelEngine, today: str = ""
) -> tuple[ModelCall, ...]:
    """Build the first round of calls for a task, from the root as it is."""
    attempt = first_attempt(snapshot, task)
    share = _measured_share(snapshot.ledger, task.tier, engine.name)
    found: list[ModelCall] = []
    for brief in _briefs(snapshot, task, engine, today):
        if brief.entries or brief.items:
            found += _calls(brief, engine, attempt, share)
    return tuple(found)


def _briefs(snapshot: Snapshot, task: Task, engine: Engine, today: str) -> list[Brief]:
    if not task.sources:
        return []
    if task.tier == "wisdom":
        return wisdom_briefs(snapshot, today)
    return briefs_of(snapshot, task, room=engine.room)


def _calls(brief: Brief, engine: ModelEngine, attempt: int, share: float | None) -> list[ModelCall]:
    found = []
    temperature = TEMPERATURE.get(brief.tier, 0.2)
    for part in split(brief, engine.room):
        prompt = engine.prompt(part)
        key = reply_key(
            engine.name, temperature, engine.room.output, prompt.system, prompt.user, attempt
        )
        target = part.target if part.tier in ("week", "month") else 0
        output = _reply_length(prompt.tokens, part.tier, share, target)
        paid = engine.replies.get(key) is not None
        found.append(ModelCall(key, prompt, temperature, attempt, output, paid))
    return found


def _measured_share(ledger: Ledger, tier: str, engine: str) -> float | None:
    """Return output by input over the pages of a tier that this engine wrote; None without any."""
    used = [
        commit.data["usage"]
        for key, commit in ledger.pages.commits.items()
        if key.startswith(f"{tier}:") and commit.engine == engine and "usage" in commit.data
    ]
    given = sum(int(one["input"]) for one in used)
    return sum(int(one["output"]) for one in used) / given if given else None


def _reply_length(given: int, tier: Tier, share: float | None, target: int) -> int:
    """Return the tokens of a reply: the measured share of its prompt, or what the prompt asks for."""
    if share is not None:
        return int(given * share)
    if target:
        return int(target * _LABELS)
    return int(given * _SHARES.get(tier, OUTPUT_SHARE))


def preview(snapshot: Snapshot, stage: str, period: str, engine: ModelEngine, ask: Ask) -> Prompt:
    """Build the prompt of a stage's first call for a period, without sending it."""
    if stage == "wisdom":
        brief = wisdom_briefs(snapshot, ask.today.isoformat())[0]
    else:
        weekly, monthly = ("week", "2026-W14", is_week), ("month", "2026-04", is_month)
        kind, example, is_one = monthly if stage == "monthly" else weekly
        if not is_one(period):
            raise UsageError(reason=f"name a {kind}: --period {example} ({period!r} is not one)")
        key = f"{'typed' if stage == 'typed' else kind}:{period}"
        tasks = plan(snapshot, ask)
        task = next((task for task in tasks if task.key == key), None)
        if task is None:
            raise UnknownReference(ref=period, hint="`lithify status --all` lists the periods.")
        combined, room = stage == "combined", engine.room
        brief = briefs_of(snapshot, task, combined=combined, room=room)[0]
    return engine.prompt(split(brief, engine.room)[0])


# Calls made before their page's turn


#: Replies per worker that may wait for their page. More would spend money before a limit is seen.
DEPTH = 2


class CallsAhead:
    """Makes the calls of the next tasks, with as many threads as there are workers.

    `engine` writes with their replies: one that is under way is waited for.
    """

    def __init__(self, engine: ModelEngine, pool: ThreadPoolExecutor, workers: int) -> None:
        self._engine = engine
        self._pool = pool
        self._depth = DEPTH * workers
        self._under_way: dict[str, Future[Completion]] = {}
        self._keys: dict[str, list[str]] = {}
        self.engine = self._patient(replace(engine, replies=self))

    def workspace(self, workspace: Workspace) -> Workspace:
        """Return a workspace whose reader has the budget to itself when it is short, as the writer."""
        reader = workspace.reader
        if not isinstance(reader, Reader):
            return workspace
        return replace(workspace, reader=replace(reader, engine=self._patient(reader.engine)))

    def _patient(self, engine: ModelEngine) -> ModelEngine:
        """Return an engine that waits for the calls under way before it calls the budget reached.

        They count at their worst; their real cost may leave room. What is not asked for lack of
        budget, such as a reading, is left out for good, so every call waits and not each page.
        """

        def carried_out(kind: str, work: Callable[[], T]) -> T:
            def patiently() -> T:
                try:
                    return work()
                except BudgetReached:
                    if not self.settle():
                        raise
                return work()

            return engine.step(kind, patiently)

        return replace(engine, step=carried_out)

    def get(self, key: str) -> Completion | None:
        """Return the reply of a call under way, else a saved one."""
        call = self._under_way.get(key)
        if call is None:
            return self._engine.replies.get(key)
        try:
            return call.result()
        except BudgetReached:
            # The budget counted calls under way at their worst; their real cost may leave room.
            return None
        finally:
            if call.done():
                del self._under_way[key]

    def put(self, key: str, reply: Completion, shown: str = "") -> Completion:
        """Save a reply."""
        return self._engine.replies.put(key, reply, shown)

    def start(self, snapshot: Snapshot, tasks: Sequence[Task]) -> None:
        """Start the first calls of the next tasks until enough are under way."""
        # A week's memories depend on those of the weeks before it, and in the combined style,
        # where one reply holds both, so does the week. Other tasks do not depend on each other.
        separate = snapshot.settings.weekly.style == "separate"
        independent = ("week", "month") if separate else ("month",)
        under_way = self._under_way
        for past in self._keys.keys() - {task.key for task in tasks}:
            # A page that failed leaves calls that nobody waits for.
            for key in self._keys.pop(past):
                under_way.pop(key, None)
        for task in tasks:
            if len(under_way) >= self._depth:
                return
            if task.key in self._keys or task.tier not in independent:
                continue
            found = [call for call in calls_of(snapshot, task, self._engine) if not call.paid]
            self._keys[task.key] = [call.key for call in found]
            for call in found:
                if call.key not in under_way:
                    under_way[call.key] = self._pool.submit(self._call, call)

    def settle(self) -> bool:
        """Wait for the calls under way and start no others; returns whether there were any."""
        under_way = self._under_way
        for key in [key for key, call in under_way.items() if call.cancel()]:
            del under_way[key]
        waited = [call for call in under_way.values() if not call.done()]
        wait(waited)
        return bool(waited)

    def interrupt(self, model: Concurrent) -> None:
        """Stop the calls under way and start no others."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        # Repeated, because a worker may be about to start a call.
        while left := [call for call in self._under_way.values() if not call.done()]:
            model.interrupt()
            wait(left, timeout=0.1)

    def _call(self, call: ModelCall) -> Completion:
        return self._engine.ask(call.prompt, call.temperature, call.attempt)


@contextmanager
def calls_ahead(engine: Engine, workers: int) -> Iterator[CallsAhead | None]:
    """Workers for a run, or None where the model is asked one call at a time."""
    model = engine.model if isinstance(engine, ModelEngine) else None
    if not isinstance(engine, ModelEngine) or not isinstance(model, Concurrent):
        yield None
        return
    workers = min(workers, model.at_once)
    if workers < 2:
        yield None
        return
    pool = ThreadPoolExecutor(workers - 1, thread_name_prefix="ahead")
    calls = CallsAhead(engine, pool, workers)
    try:
        yield calls
    except (KeyboardInterrupt, SystemExit):
        calls.interrupt(model)
        raise
    finally:
        # Calls under way are paid for, so their replies are waited for and saved.
        pool.shutdown(cancel_futures=True)
