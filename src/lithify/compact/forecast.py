"""What a compaction by a model would ask and cost, and what of it is already paid for.

The prompts of weeks are made as they would be sent and looked up among the replies on disk.
What rests on pages that are still to be written can only be reckoned from their lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lithify.calendar import month_of
from lithify.compact.briefs import split
from lithify.compact.distil import lanes, material, wisdom_brief
from lithify.compact.ledger import Ledger
from lithify.compact.memories import memories_brief
from lithify.compact.plan import TO_WRITE
from lithify.compact.snapshot import Snapshot
from lithify.compact.summaries import month_lanes, week_lanes
from lithify.engines.base import Engine
from lithify.engines.model import TEMPERATURE, ModelEngine
from lithify.engines.model.choose import ChoosingEngine
from lithify.engines.model.prompt import Prompt, Template
from lithify.engines.replies import reply_key
from lithify.tokens import estimate
from lithify.values import Brief, Task, Usage

#: Tokens that a provider puts around a call.
AROUND = 8
#: Labels and figures fall into more tokens than our estimate of prose sees.
LABELLED = 1.04
#: A summary's labels and headings, as a share of its planned length.
LABELS = 1.20
HEADINGS = 20
#: What typed memories come to: a share of the days they are drawn from.
TYPED = 0.08
#: Tokens of one decision on an item of new material, and of the item itself.
DECISION = 46
ITEM = 58
#: A memory that exists is shown by its name and description when new ones are drawn.
KNOWN = 25
#: How much longer than asked for a page comes out, once all that must be kept is put back.
PAGE = 1.3
#: Tokens of the days' own lines beside a month's weeks, at most and as a share of them.
GROUNDING = 2000
#: Bullets of a month by its planned length.
BULLET = 30


@dataclass(frozen=True, slots=True)
class Ask:
    """One call as it would be sent, and where its reply would be kept."""

    key: str
    prompt: Prompt
    temperature: float
    limit: int
    output: int
    paid: bool

    @property
    def usage(self) -> Usage:
        given = estimate(self.prompt.system) + estimate(self.prompt.user)
        return Usage(int(given * LABELLED) + AROUND, self.output)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one task would take: calls still to buy with their tokens, and calls paid for."""

    task: Task
    calls: int = 0
    usage: Usage = Usage()
    paid: int = 0
    exact: bool = True


def forecast(snapshot: Snapshot, tasks: Sequence[Task], engine: Engine) -> tuple[Forecast, ...]:
    """Every task that would be written, with what its first round of calls takes."""
    due = [task for task in tasks if task.state in TO_WRITE]
    if not isinstance(engine, ModelEngine | ChoosingEngine):
        return tuple(Forecast(task) for task in due)
    coming = {task.period for task in due if task.tier == "week"}
    known = 0
    result = []
    for task in due:
        if task.tier == "month" and any(month_of(week) == task.period for week in coming):
            result.append(_month(snapshot, task, due, engine))
        elif task.tier == "wisdom" and len(due) > 1:
            result.append(_wisdom(snapshot, task, due, engine))
        else:
            found = _of_asks(task, asks(snapshot, task, engine))
            if task.tier == "typed" and found.calls:
                # Each week is shown what the weeks before it will have taught.
                found = replace(found, usage=found.usage + Usage(known * KNOWN), exact=not known)
                known += _memories(task)
            result.append(found)
    return tuple(result)


def asks(snapshot: Snapshot, task: Task, engine: ModelEngine | ChoosingEngine) -> tuple[Ask, ...]:
    """The first round of calls for a task, from the root as it is."""
    rounds = snapshot.settings.verify.max_repairs + 1
    attempt = snapshot.ledger.failed_times.get(task.key, 0) * rounds
    found: list[Ask] = []
    for brief in _briefs(snapshot, task, engine):
        if brief.entries or brief.items:
            found += _asked(brief, engine, attempt, snapshot.ledger)
    return tuple(found)


def _briefs(snapshot: Snapshot, task: Task, engine: Engine) -> list[Brief]:
    if not task.sources:
        return []
    match task.tier:
        case "week":
            return week_lanes(snapshot, task)
        case "month":
            return month_lanes(snapshot, task)
        case "typed":
            combined = snapshot.settings.weekly.style == "combined" and not engine.extractive
            return [memories_brief(snapshot, task, combined=combined)]
    items = material(snapshot, snapshot.ledger.judged)
    return [wisdom_brief(snapshot, lane, snapshot.wisdom()) for lane in lanes(items) if lane]


def _asked(
    brief: Brief, engine: ModelEngine | ChoosingEngine, attempt: int, ledger: Ledger
) -> list[Ask]:
    if isinstance(engine, ChoosingEngine):
        keyed = [(engine.key(q, attempt), q) for q in engine.questions(brief)]
        return [
            Ask(key, q.prompt, 0.2, engine.limit, 9 * len(q.notes), bool(engine.replies.get(key)))
            for key, q in keyed
        ]
    found = []
    temperature, limit = TEMPERATURE.get(brief.tier, 0.2), engine.room.output
    for part in split(brief, engine.room):
        prompt = engine.prompt(part)
        key = reply_key(engine.name, temperature, limit, prompt.system, prompt.user, attempt)
        saved = engine.replies.get(key)
        output = _output(part, ledger, engine.name, estimate(prompt.system + prompt.user))
        found.append(Ask(key, prompt, temperature, limit, output, saved is not None))
    return found


def _output(brief: Brief, ledger: Ledger, engine: str, given: int) -> int:
    """How long a reply will be: as this model's were before, else as long as was asked for."""
    past = _past(ledger, brief.tier, engine)
    if past is not None:
        return int(given * past)
    if brief.tier == "wisdom":
        return DECISION * len(brief.items)
    if brief.tier == "typed":
        return int(brief.size * TYPED) + AROUND
    return int(brief.target * LABELS) + HEADINGS


def _past(ledger: Ledger, tier: str, engine: str) -> float | None:
    """What this model gave back for what it was given, over its last accepted pages of a tier."""
    used = [
        commit.data["usage"]
        for key, commit in ledger.commits.items()
        if key.startswith(f"{tier}:") and commit.engine == engine and "usage" in commit.data
    ][-10:]
    given = sum(int(one["input"]) for one in used)
    if len(used) < 3 or not given:
        return None
    return float(sum(int(one["output"]) for one in used) / given)


def _of_asks(task: Task, found: Sequence[Ask]) -> Forecast:
    new = [ask for ask in found if not ask.paid]
    usage = sum((ask.usage for ask in new), Usage())
    return Forecast(task, len(new), usage, len(found) - len(new))


def _month(
    snapshot: Snapshot,
    task: Task,
    due: Sequence[Task],
    engine: ModelEngine | ChoosingEngine,
) -> Forecast:
    """A month whose weeks are still to be written, by their lengths."""
    share = snapshot.settings.compression
    coming = {t.period: t for t in due if t.tier == "week" and month_of(t.period) == task.period}
    weeks = sum(int(t.tokens * share * PAGE) for t in coming.values())
    for path in task.sources:
        week = path.rpartition("/")[2].removesuffix(".md")
        page = snapshot.shelf.weeks.get(week)
        if page is not None and week not in coming:
            weeks += page.size // 8
    if isinstance(engine, ChoosingEngine):
        calls = max(1, weeks // (BULLET * 12))
        return Forecast(task, calls, Usage(calls * 400, calls * 54), exact=False)
    # Every bullet bears a label and stands under its week's headings; many cited lines follow.
    given = int(weeks * 1.3) + min(GROUNDING, int(weeks * 1.1)) + _frame(engine.prompts["monthly"])
    output = int(weeks * share * LABELS) + HEADINGS
    return Forecast(task, 1, Usage(given, output), exact=False)


def _wisdom(
    snapshot: Snapshot,
    task: Task,
    due: Sequence[Task],
    engine: ModelEngine | ChoosingEngine,
) -> Forecast:
    """Wisdom that rests on pages still to be written, by their lengths."""
    if isinstance(engine, ChoosingEngine):
        return Forecast(task, exact=False)
    share = snapshot.settings.compression
    waiting = len(material(snapshot, snapshot.ledger.judged))
    months = [t for t in due if t.tier == "month"]
    weeks = sum(t.tokens for t in due if t.tier == "week") * share * share * PAGE
    bullets = int(weeks / BULLET) or len(months)
    memories = sum(_memories(t) for t in due if t.tier == "typed")
    items = waiting + bullets + memories
    given = items * ITEM + _frame(engine.prompts["wisdom"])
    given += sum(estimate(f"{e.title} {e.text}") + 6 for e in snapshot.wisdom())
    return Forecast(task, 1, Usage(given, items * DECISION), exact=False)


def _memories(task: Task) -> int:
    """How many memories a week of this length will teach."""
    return max(1, int(task.tokens * TYPED / 110))


def _frame(template: Template) -> int:
    return estimate(template.system) + estimate(template.user) + AROUND
