"""What a compaction by a model would send and cost, and how much of it is paid for already.

The prompts of weeks are built as they would be sent and looked up among the saved replies. What
rests on pages that are still to be written can only be estimated from their lengths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lithify.calendar import month_of
from lithify.compact.audit_forecast import audit_ahead
from lithify.compact.ledger import Ledger
from lithify.compact.marks import marks_in
from lithify.compact.plan import TO_WRITE
from lithify.compact.snapshot import Snapshot
from lithify.compact.split import FILL, split
from lithify.compact.typed import memories_brief
from lithify.compact.week_month import month_lanes, week_lanes
from lithify.compact.wisdom import wisdom_briefs
from lithify.compact.wisdom_material import docket
from lithify.engines.base import Engine
from lithify.engines.model import TEMPERATURE, ModelEngine
from lithify.engines.model.audit import Auditor
from lithify.engines.model.choose import ChoosingEngine
from lithify.engines.model.prompt import CATALOGUE_TOKENS, Prompt, Template
from lithify.engines.replies import reply_key
from lithify.markdown.pages import allowed, target_length
from lithify.text.language import language_of
from lithify.text.tokens import estimate
from lithify.values import Brief, Task, Usage
from lithify.verify.coverage import required

#: Tokens that a provider puts around a call.
AROUND = 8
#: Labels and figures take more tokens than our estimate, which is made for prose.
LABELLED = 1.04
#: Tokens of a bullet's marker and label.
LABEL = 6
HEADINGS = 20
#: Tokens of a typed memory beside what it says: its name, its front matter, its form.
MEMORY = 75
#: The length of a week's memories, as a share of its days.
TYPED = 0.05
#: Tokens of one decision on an item of new material, and of an entry beside its words.
DECISION = 21
ENTRY = 20
#: One of so many bullets of a month becomes an entry of wisdom.
RULES = 12
#: Tokens around an item of new material and around an entry in force.
ITEM = 28
#: Tokens of a known memory, which is shown by its name and description.
KNOWN = 25
#: Tokens of the days' own lines beside a month's weeks, at most and as a share of them.
GROUNDING = 2000
#: Tokens of a bullet where there is none to measure.
BULLET = 30
#: Other languages in Latin letters take more tokens a word than English.
FOREIGN = 1.18
#: The number of weeks that are sampled to see what the days are like.
TRIED = 12

#: Signs that a tokeniser joins with what follows: in snake_case, and marks side by side.
_JOINED = re.compile(r"(?<=[^\W_])_(?=[^\W_])|(?<=[^\w\s])(?!(?<=(.))\1)(?=[^\w\s])")


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it would be sent, and the key of its reply."""

    key: str
    prompt: Prompt
    temperature: float
    limit: int
    attempt: int
    output: int
    paid: bool

    @property
    def usage(self) -> Usage:
        return Usage(_sent(self.prompt.system) + _sent(self.prompt.user) + AROUND, self.output)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one task would take: the calls to make with their tokens, and the calls paid for.

    `reply` counts the tokens of all its replies, paid or not. `audits` are the calls of a second
    reader, which come on top, with their tokens in `audit`.
    """

    task: Task
    calls: int = 0
    usage: Usage = Usage()
    paid: int = 0
    exact: bool = True
    reply: int = 0
    audits: int = 0
    audit: Usage = Usage()


def forecast(
    snapshot: Snapshot,
    tasks: Sequence[Task],
    engine: Engine,
    today: str,
    auditor: Auditor | None = None,
) -> tuple[Forecast, ...]:
    """Every task that would be written, with what its first round of calls would take."""
    due = [task for task in tasks if task.state in TO_WRITE]
    if not isinstance(engine, ModelEngine | ChoosingEngine):
        return tuple(Forecast(task) for task in due)
    coming = {task.period for task in due if task.tier == "week"}
    outlook = _outlook(snapshot, due)
    known = 0.0
    result = []
    for task in due:
        if task.tier == "month" and any(month_of(week) == task.period for week in coming):
            result.append(_month(snapshot, task, due, engine, outlook))
        elif task.tier == "wisdom" and len(due) > 1:
            result.append(_wisdom(snapshot, task, due, engine, outlook))
        else:
            found = _of_calls(task, calls_of(snapshot, task, engine, today))
            if task.tier == "typed" and found.calls:
                # Each week is shown the memories of the weeks before it.
                more = Usage(min(int(known * KNOWN), CATALOGUE_TOKENS))
                found = replace(found, usage=found.usage + more, exact=not known)
                known += outlook.memories * task.tokens + _marks(snapshot, [task])
            result.append(found)
    if auditor and isinstance(engine, ModelEngine):
        result = [_with_audit(one, auditor, outlook) for one in result]
    if outlook.tongue == 1 or isinstance(engine, ChoosingEngine):
        return tuple(result)
    return tuple(_spoken(one, engine, outlook.tongue) for one in result)


def _spoken(found: Forecast, engine: ModelEngine, factor: float) -> Forecast:
    """A forecast for days in another language than that of the prompts."""
    stage = {"week": "weekly", "month": "monthly"}.get(found.task.tier, found.task.tier)
    frame = found.calls * _frame(engine.prompts[stage])
    given = frame + max(0, found.usage.input - frame) * factor
    audit = replace(found.audit, input=int(found.audit.input * factor))
    return replace(found, usage=Usage(int(given), int(found.usage.output * factor)), audit=audit)


def _with_audit(found: Forecast, auditor: Auditor, outlook: _Outlook) -> Forecast:
    """A forecast with what a second reader would take; decisions on wisdom are not audited."""
    if found.task.tier == "wisdom":
        return found
    beside = LABEL if found.task.tier != "typed" else MEMORY
    parts, reply = found.calls + found.paid, found.reply - HEADINGS
    calls, usage = audit_ahead(auditor, parts, reply, outlook.bullet, beside)
    return replace(found, audits=calls, audit=usage)


@dataclass(frozen=True, slots=True)
class _Outlook:
    """What the days of this root yield per token, as the plan counts tokens."""

    page: float = 0.39
    bullet: float = BULLET
    memories: float = TYPED / (MEMORY + BULLET)
    tongue: float = 1.0


def _outlook(snapshot: Snapshot, due: Sequence[Task]) -> _Outlook:
    """Sample some weeks evenly for the length of their pages and their language."""
    weeks = [task for task in due if task.tier == "week" and task.sources and task.tokens]
    step = max(1, -(-len(weeks) // TRIED))
    given = entries = 0
    page = 0.0
    words: list[str] = []
    for task in weeks[::step]:
        given += task.tokens
        for brief in week_lanes(snapshot, task):
            words += [entry.text for entry in brief.entries[:40]]
            page += _on_disk(brief)
            entries += len(brief.entries)
    if not given:
        return _Outlook()
    text = " ".join(words)
    # Other scripts are counted by the letter, which is close enough.
    latin = sum(map(str.isascii, text)) > 0.8 * len(text)
    factor = FOREIGN if latin and language_of(text) not in ("", "English") else 1.0
    bullet = max(1.0, given / max(1, entries))
    return _Outlook(page / given, bullet, tongue=factor)


def _on_disk(brief: Brief) -> float:
    """The length of a page with half of what its writer may have left out put back."""
    lost = sum(estimate(entry.text) + LABEL for entry in required(brief))
    share = brief.target / max(1, brief.size)
    return min(allowed(brief)[1], brief.target + (1 - share) * lost / 3)


def calls_of(
    snapshot: Snapshot, task: Task, engine: ModelEngine | ChoosingEngine, today: str = ""
) -> tuple[Call, ...]:
    """The first round of calls for a task, from the root as it is."""
    rounds = snapshot.settings.verify.max_repairs + 1
    attempt = snapshot.ledger.failed_times.get(task.key, 0) * rounds
    found: list[Call] = []
    for brief in _briefs(snapshot, task, engine, today):
        if brief.entries or brief.items:
            found += _calls(brief, engine, attempt, snapshot.ledger)
    return tuple(found)


def _briefs(snapshot: Snapshot, task: Task, engine: Engine, today: str) -> list[Brief]:
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
    return wisdom_briefs(snapshot, today)


def _calls(
    brief: Brief, engine: ModelEngine | ChoosingEngine, attempt: int, ledger: Ledger
) -> list[Call]:
    if isinstance(engine, ChoosingEngine):
        keyed = [(engine.key(q, attempt), q) for q in engine.questions(brief)]
        return [
            Call(
                key,
                q.prompt,
                0.2,
                engine.limit,
                attempt,
                9 * len(q.notes),
                bool(engine.replies.get(key)),
            )
            for key, q in keyed
        ]
    found = []
    temperature, limit = TEMPERATURE.get(brief.tier, 0.2), engine.room.output
    for part in split(brief, engine.room):
        prompt = engine.prompt(part)
        key = reply_key(engine.name, temperature, limit, prompt.system, prompt.user, attempt)
        saved = engine.replies.get(key)
        output = _output(part, ledger, engine.name, estimate(prompt.system + prompt.user))
        found.append(Call(key, prompt, temperature, limit, attempt, output, saved is not None))
    return found


def _output(brief: Brief, ledger: Ledger, engine: str, given: int) -> int:
    """The length of a reply: as this model's replies so far, else as long as asked for."""
    past = _past(ledger, brief.tier, engine)
    if past is not None:
        return int(given * past)
    if brief.tier == "wisdom":
        memories = sum(item.type is not None for item in brief.items)
        words = sum(estimate(item.text) for item in brief.items) / max(1, len(brief.items))
        return _decided(len(brief.items), memories, words)
    if brief.tier == "typed":
        return AROUND + int(brief.size * TYPED)
    shown = brief.claims or brief.entries
    return _page(brief.target, brief.size / max(1, len(shown)))


def _marks(snapshot: Snapshot, tasks: Sequence[Task]) -> int:
    """How many lines are marked in the days of weeks that are due."""
    return sum(1 for task in tasks for mark in marks_in(snapshot, list(task.sources)) if mark.holds)


def _decided(items: int, memories: int, words: float) -> int:
    """The tokens of decisions: each with its reason, those that become an entry with its text."""
    entries = memories + (items - memories) / RULES
    return int(DECISION * items + (words + ENTRY) * entries)


def _page(target: float, bullet: float) -> int:
    """The tokens of a summary of a planned length, every bullet with its label."""
    return int(target * (1 + LABEL / max(1.0, bullet))) + HEADINGS


def _sent(text: str) -> int:
    """The tokens of a prompt: closer than our estimate on labels and on code in one line."""
    return int((estimate(text) - len(_JOINED.findall(text))) * LABELLED)


def _past(ledger: Ledger, tier: str, engine: str) -> float | None:
    """The ratio of output to input over this model's last accepted pages of a tier."""
    used = [
        commit.data["usage"]
        for key, commit in ledger.commits.items()
        if key.startswith(f"{tier}:") and commit.engine == engine and "usage" in commit.data
    ][-10:]
    given = sum(int(one["input"]) for one in used)
    if len(used) < 3 or not given:
        return None
    return float(sum(int(one["output"]) for one in used) / given)


def _of_calls(task: Task, found: Sequence[Call]) -> Forecast:
    new = [call for call in found if not call.paid]
    usage = sum((call.usage for call in new), Usage())
    reply = sum(call.output for call in found)
    return Forecast(task, len(new), usage, len(found) - len(new), reply=reply)


def _month(
    snapshot: Snapshot,
    task: Task,
    due: Sequence[Task],
    engine: ModelEngine | ChoosingEngine,
    outlook: _Outlook,
) -> Forecast:
    """A month whose weeks are still to be written, by their lengths."""
    coming = {t.period: t for t in due if t.tier == "week" and month_of(t.period) == task.period}
    weeks = sum(t.tokens * outlook.page for t in coming.values())
    for path in task.sources:
        week = path.rpartition("/")[2].removesuffix(".md")
        page = snapshot.shelf.weeks.get(week)
        if page is not None and week not in coming:
            weeks += page.size / 8
    if isinstance(engine, ChoosingEngine):
        calls = max(1, int(weeks / (BULLET * 12)))
        return Forecast(task, calls, Usage(calls * 400, calls * 54), exact=False)
    # Every bullet has a label and its week's headings above it; the cited lines follow.
    labels = weeks * LABEL / outlook.bullet + HEADINGS * len(task.sources or coming)
    lines = min(GROUNDING, weeks * (1 + 2 * LABEL / outlook.bullet))
    given = int(weeks + labels + lines) + _frame(engine.prompts["monthly"])
    output = _page(_month_target(snapshot, task, due, outlook), outlook.bullet)
    return Forecast(task, 1, Usage(given, output), exact=False, reply=output)


def _month_target(snapshot: Snapshot, task: Task, due: Sequence[Task], outlook: _Outlook) -> int:
    """The length that a month will be asked for, its weeks being those that are to come."""
    coming = [t for t in due if t.tier == "week" and month_of(t.period) == task.period]
    weeks = int(sum(t.tokens for t in coming) * outlook.page)
    settings = snapshot.settings
    return target_length("month", weeks, settings.compression, settings.monthly.max_tokens)


def _wisdom(
    snapshot: Snapshot,
    task: Task,
    due: Sequence[Task],
    engine: ModelEngine | ChoosingEngine,
    outlook: _Outlook,
) -> Forecast:
    """Wisdom that rests on pages still to be written, by their lengths."""
    if isinstance(engine, ChoosingEngine):
        return Forecast(task, exact=False)
    waiting = len(docket(snapshot).items)
    months = [t for t in due if t.tier == "month"]
    bullets = int(sum(_month_target(snapshot, t, due, outlook) for t in months) / outlook.bullet)
    weeks_read = [t for t in due if t.tier == "typed"]
    memories = int(sum(t.tokens for t in weeks_read) * outlook.memories)
    memories += _marks(snapshot, weeks_read)
    items = waiting + bullets + memories
    output = _decided(items, memories, outlook.bullet)
    calls = max(1, -(-output // int(engine.room.output * FILL)))
    # Each call shows the entries in force; a memory also says why and how.
    standing = sum(estimate(f"{e.title} {e.text}") + ITEM for e in snapshot.wisdom())
    given = int((items + memories) * outlook.bullet) + ITEM * items
    given += calls * (standing + _frame(engine.prompts["wisdom"]))
    return Forecast(task, calls, Usage(given, output), exact=False)


def _frame(template: Template) -> int:
    return estimate(template.system) + estimate(template.user) + AROUND
