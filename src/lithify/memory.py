"""class Memory: one root, and everything that can be done with it. Parts are wired here only."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lithify import config
from lithify.calendar import Clock, stamp, system_clock, zone
from lithify.errors import NoRoot, UnknownReference, UsageError
from lithify.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from lithify.compact.calls_ahead import Backfill
    from lithify.compact.forecast import Forecast
    from lithify.compact.history import Bought, Change, Held, Spent
    from lithify.compact.ledger import Proposal
    from lithify.compact.plan import Ask
    from lithify.compact.review import Remembered
    from lithify.compact.run import Report
    from lithify.compact.snapshot import Snapshot
    from lithify.compact.trace import Trace
    from lithify.compact.workspace import Workspace
    from lithify.engines.base import Engine, MemoryModel
    from lithify.engines.model.prompt import Prompt
    from lithify.engines.providers.budget import Budget
    from lithify.engines.providers.facts import Facts
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.index.refresh import Indexed
    from lithify.recall.search import RootSearch
    from lithify.store.check import Problem, Repair
    from lithify.store.days import Unmatched
    from lithify.store.journal import Journal
    from lithify.values import Recall, Task, Tier, WisdomEntry


def find_root(start: Path) -> Path:
    """The nearest folder, from `start` upwards, that holds `lithify.toml` or `memory/`."""
    return type(start)(_nearest(os.fspath(start)))


def here() -> str:
    """The current folder; a shell may stand in one that has been deleted."""
    try:
        return os.getcwd()
    except OSError:
        raise UsageError(
            reason="the current folder is gone; go to one that is there, or name the root from / on"
        ) from None


def placed(path: str | os.PathLike[str]) -> str:
    """A path from / on; the current folder is asked for only where it has to be."""
    path = os.fspath(path)
    return path if os.path.isabs(path) else os.path.join(here(), path)


def _nearest(start: str) -> str:
    folder, above = start, os.path.dirname(start)
    while not (
        os.path.isfile(os.path.join(folder, config.NAME))
        or os.path.isdir(os.path.join(folder, "memory"))
    ):
        if folder == above:
            raise NoRoot(start=start)
        folder, above = above, os.path.dirname(above)
    return folder


class Logged(NamedTuple):
    """Where an entry went."""

    path: str
    entries: tuple[str, ...]
    origin: str
    text: str


class Status(NamedTuple):
    """How a root stands."""

    root: Path
    tasks: tuple[Task, ...]
    days: int
    newest: date | None
    behind: int
    refused: tuple[tuple[str, str], ...]
    proposals: int
    foreign: int
    #: Weeks that are not over, whose page is behind its days.
    trailing: tuple[str, ...] = ()
    #: What is wrong with the journal.
    damage: str = ""
    #: Days that are gone with what was captured in them.
    lost: tuple[str, ...] = ()
    #: Files that ought to be readable and are not; they are among the refused.
    unread: tuple[str, ...] = ()
    #: Dated files that no pattern of `days.patterns` reads.
    unmatched: Unmatched | None = None

    @property
    def exit_code(self) -> int:
        from lithify.compact.plan import BEHIND

        behind = any(task.state in BEHIND for task in self.tasks)
        return 3 if behind or self.damage or self.lost or self.unread else 0


class Memory:
    """The memory under one root.

    >>> memory = Memory.open("examples/sample")  # doctest: +SKIP
    >>> memory.log("Shipped 2.4.1.")  # doctest: +SKIP
    """

    def __init__(
        self, root: str | os.PathLike[str], settings: Settings, clock: Clock = system_clock
    ) -> None:
        self._place = os.fspath(root)
        self.settings = settings
        self._clock = clock

    @staticmethod
    def open(root: str | os.PathLike[str] | None = None, *, clock: Clock = system_clock) -> Memory:
        """Open a root: the one given, `$LITHIFY_ROOT`, or the nearest parent that is one."""
        if root is None:
            root = os.environ.get("LITHIFY_ROOT") or _nearest(here())
        place = placed(root)
        if not os.path.isdir(place):
            raise NoRoot(start=place)
        return Memory(place, config.load(place), clock)

    @staticmethod
    def init(
        root: str | os.PathLike[str],
        *,
        patterns: Iterable[str] | None = None,
        clock: Clock = system_clock,
    ) -> Memory:
        """Make a folder a root: `memory/`, a commented `lithify.toml`, and nothing else.

        `patterns` say where its days are; left out, they are those of the dated files there.
        """
        from pathlib import Path

        from lithify.store.days import found_patterns
        from lithify.store.tree import make_root

        place = Path(placed(root))
        days = found_patterns(place) if patterns is None else tuple(patterns)
        make_root(place, config.template(days).encode())
        return Memory.open(place, clock=clock)

    @cached_property
    def root(self) -> Path:
        """The folder of this memory."""
        # Loaded when asked for: recall does not, and starts the sooner.
        from pathlib import Path

        return Path(self._place)

    @property
    def gate(self) -> Gatekeeper:
        """The gate of this root: jobs, their records and chains."""
        from lithify.gate.gatekeeper import Gatekeeper

        return Gatekeeper(self.root, self._clock)

    # Time

    def now(self) -> datetime:
        """The present moment in the root's zone."""
        return self._clock().astimezone(zone(self.settings.zone))

    def today(self) -> date:
        return self.now().date()

    # Capture

    def log(self, text: str, *, at: datetime | None = None, origin: str = "agent") -> Logged:
        """Append an entry to its day; credentials in it are replaced first."""
        from lithify.capture import capture
        from lithify.markdown.parse import End, end_of
        from lithify.store import places, staging
        from lithify.store.commit import append_day
        from lithify.store.days import day_path
        from lithify.text.redact import redact

        moment = at or self.now()
        if moment.tzinfo is not None:
            try:
                moment = moment.astimezone(zone(self.settings.zone))
            except OverflowError:
                raise UsageError(
                    reason=f"{moment.isoformat()} has no day in the zone of this root: days go "
                    "from 0001-01-01 to 9999-12-31"
                ) from None
        day = moment.date()
        path = day_path(self.root, self.settings.days.patterns, day)
        if self.settings.redact.enabled:
            text = redact(text, self.settings.redact.allow)
        with places.named(self.root):
            there = staging.bytes_at(places.resolve(self.root, path))
        end = End() if there is None else end_of(there)
        entry = capture(text, f"{moment:%H:%M}", day, end, origin)
        facts: dict[str, object] = {"entries": list(entry.entries), "origin": origin}
        if entry.sketches:
            facts["sketches"] = entry.sketches
        append_day(self.root, path, entry.data, "capture", facts, stamp(self._clock()))
        return Logged(path, entry.entries, origin, entry.data.decode())

    # Looking

    def snapshot(self) -> Snapshot:
        """The root as it is now."""
        # What reads pages and plans is loaded by those who do: recall answers without either.
        from lithify.compact.snapshot import Snapshot

        return Snapshot(self.root, self.settings)

    def ask(
        self, engine: Engine | None = None, *, include_current: bool = False, retry: bool = False
    ) -> Ask:
        """How a plan is asked for; without an engine, any engine's failures are told."""
        from lithify.compact.plan import Ask

        mark = engine.mark if engine else None
        return Ask(self.today(), mark, include_current, retry)

    def plan(
        self,
        *,
        include_current: bool = False,
        retry: bool = False,
        model: str | MemoryModel | None = None,
    ) -> tuple[Task, ...]:
        """Every period, where it stands, and why."""
        from lithify.compact.plan import plan

        snapshot = self.snapshot()
        ask = self.ask(self.engine(model), include_current=include_current, retry=retry)
        return plan(snapshot.shelf, snapshot.ledger, self.settings, ask)

    def status(self) -> Status:
        """What is current, what is behind, and by how much."""
        from lithify.store.days import unmatched

        beside = unmatched(self.root, self.settings.days.patterns)
        return self._status(self.snapshot())._replace(unmatched=beside)

    def _status(self, snapshot: Snapshot) -> Status:
        from lithify.compact.plan import plan
        from lithify.compact.shelf import lost_days, unsummarised_days, weeks_behind

        shelf, ledger = snapshot.shelf, snapshot.ledger
        tasks = plan(shelf, ledger, self.settings, self.ask())
        days = [day for day in shelf.days if day <= self.today()]
        return Status(
            root=self.root,
            tasks=tasks,
            days=len(shelf.days),
            newest=max(days, default=None),
            behind=_days_behind(tasks, self.today()),
            refused=tuple((r.path, r.reason) for r in snapshot.tree.refused),
            proposals=len(ledger.proposals),
            foreign=sum(task.state == "foreign" for task in tasks),
            trailing=weeks_behind(shelf, unsummarised_days(shelf, ledger, self.today()), tasks),
            damage=snapshot.damage,
            lost=lost_days(shelf, ledger),
            unread=tuple(r.path for r in snapshot.tree.refused if r.broken),
        )

    def trace(self, ref: str) -> Trace:
        """From a sentence down to the lines it rests on; from a line up to all that rests on it."""
        from lithify.compact.trace import trace

        return trace(self.snapshot(), ref)

    def context(
        self,
        budget: int = 4000,
        *,
        job: str | None = None,
        session: str | None = None,
        characters: int | None = None,
    ) -> str:
        """What a session starts with, in at most `budget` tokens, fenced as data.

        What is late, wisdom, the chain of the job (the one named, the session's, else the one
        last worked on), the newest week and month. The same bytes as long as nothing changes.
        """
        from lithify.gate.files import newest
        from lithify.recall.context import MIN_BUDGET, compose
        from lithify.recall.context_facts import gather, origin_of

        if budget < MIN_BUDGET:
            raise UsageError(reason=f"a context needs a budget of {MIN_BUDGET} tokens or more")
        snapshot = self.snapshot()
        status = self._status(snapshot)
        gate = self.gate
        live = gate.existing(job) if job else gate.job_of(session) if session else _last_job(gate)
        state, origin = None, "agent"
        if live:
            state = gate.full_state(live)
            lines = newest(self.root, live, "interactions")
            origin = origin_of(lines, self.settings.trust.taint)
        facts = gather(snapshot, status.tasks, self.today(), status.behind, state, origin)
        return compose(facts, budget, characters)

    # Recall

    def recall(
        self,
        query: str,
        *,
        budget: int = 2000,
        k: int | None = None,
        as_of: date | None = None,
        since: date | None = None,
        until: date | None = None,
        vectors: bool | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Recall:
        """What the days say about a query, best first, within a budget of tokens.

        `as_of` hides what came after a day. Where nothing supports the query there is nothing.
        """
        if not query.strip():
            raise UsageError(reason="there is nothing to look for; say in words what you want")
        if since and until and since > until:
            raise UsageError(reason=f"no day lies between {since} and {until}: from is after to")
        return self._search.recall(
            query,
            self.today,
            progress=progress,
            budget=budget,
            k=k,
            as_of=as_of,
            since=since,
            until=until,
            vectors=vectors,
        )

    def index(
        self,
        *,
        rebuild: bool = False,
        vectors: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Indexed:
        """Bring the index up to date with the files, and its vectors if asked for."""
        index, done = self._search.index(rebuild=rebuild, progress=progress)
        self._search.give_back(index)
        return done._replace(vectors=self._search.embed()) if vectors else done

    @cached_property
    def _search(self) -> RootSearch:
        from lithify.recall.search import RootSearch

        return RootSearch(self._place, self.settings)

    # Compaction

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the root against other writers, with what a crash left undone put right."""
        from lithify.store import places
        from lithify.store.commit import recover
        from lithify.store.lock import locked

        with locked(places.compact_lock(self.root), wait=False):
            recover(self.root)
            yield

    def engine(
        self, model: str | MemoryModel | None = None, budget: Budget | None = None
    ) -> Engine:
        """The engine a model string or object stands for; the configured one by default.

        A name that a package offers under the entry point group `lithify.engines` is one too.
        """
        wanted = self.settings.model if model is None else model
        if wanted == "offline":
            return offline_engine()
        if isinstance(wanted, str) and (offered := _offered_engine(wanted)):
            return offered
        from lithify.engines.providers.engine import engine_for

        prompts = config.load_prompts(self.root)
        return engine_for(wanted, self.root, self.settings, prompts, offline_engine(), budget)

    def facts(self, model: str | None = None) -> Facts:
        """What is known of a model: its window, its price, what it can do."""
        from lithify.engines.providers.facts import facts_of

        return facts_of(model or self.settings.model, self.settings)

    def forecast(
        self, tasks: Iterable[Task], model: str | MemoryModel | None = None
    ) -> tuple[Forecast, ...]:
        """What writing these tasks would take: calls, tokens, and what is paid for already."""
        from lithify.compact.forecast import forecast

        return forecast(self.snapshot(), tuple(tasks), self.engine(model))

    def usage(self) -> tuple[tuple[Spent, ...], tuple[Bought, ...]]:
        """What models have been asked so far: by the journal, and by the replies on disk."""
        from lithify.compact.history import bought, spent
        from lithify.store import journal

        return spent(journal.read(self.root).records), bought(self.root)

    def compact(
        self,
        tiers: Iterable[Tier] = ("week", "typed", "month", "wisdom"),
        *,
        period: str | None = None,
        model: str | MemoryModel | None = None,
        include_current: bool = False,
        retry: bool = False,
        fallback: bool = False,
        accept_removed: bool = False,
        rewrite: bool = False,
        max_cost: float | None = None,
        max_tokens_total: int | None = None,
        workers: int = 1,
        engine: Engine | None = None,
        progress: Callable[[Task, int, int], None] | None = None,
    ) -> Report:
        """Write all that is due: weeks, typed memories, months, wisdom.

        With a limit in USD or tokens it ends with `BudgetReached` before the call that could
        cross it; what was written until then is in force. With several workers, pages that do
        not depend on each other are asked for at the same time. `engine` is any writer of the
        protocol `Engine`, in place of a model. With `rewrite`, pages that are current are written too: by another model, say.
        """
        from lithify.compact.run import Run
        from lithify.compact.workspace import Workspace

        writer = engine or self.engine(model, self._budget(model, max_cost, max_tokens_total))
        with self._alone():
            ask = self.ask(writer, include_current=include_current, retry=retry)
            workspace = Workspace(self.snapshot(), self._clock, ask, self.engine("offline"))
            run = Run(workspace, writer, fallback, workers, rewrite)
            if progress:
                run.progress = progress
            if accept_removed:
                run.accept_removed()
            return run.compact(tuple(tiers), period)

    def submit_batch(
        self,
        tiers: Iterable[Tier] = ("week", "typed", "month", "wisdom"),
        *,
        period: str | None = None,
        model: str | None = None,
        include_current: bool = False,
        retry: bool = False,
        max_cost: float | None = None,
        max_tokens_total: int | None = None,
    ) -> Backfill:
        """Hand every call that is known now to the provider's batch endpoint.

        Those are the weeks that are due; when these are written, the months.
        """
        from lithify.compact.calls_ahead import submit
        from lithify.compact.plan import is_wanted
        from lithify.engines.model import ModelEngine

        engine = self.engine(model)
        if not isinstance(engine, ModelEngine):
            raise UsageError(reason=f"{engine.name} has no batch endpoint")
        with self._alone():
            tasks = self.plan(include_current=include_current, retry=retry, model=model)
            wanted = [t for t in tasks if t.tier in tiers and is_wanted(t, period)]
            budget = self._budget(model, max_cost, max_tokens_total)
            return submit(self.snapshot(), wanted, engine, engine.model, budget)

    def fetch_batches(self) -> tuple[tuple[str, Backfill], ...]:
        """Save the replies of batches that have ended, each with the model it was handed to."""
        from lithify.compact.calls_ahead import fetch, open_batches
        from lithify.engines.providers.batch import model_of
        from lithify.engines.providers.engine import resolve

        with self._alone():
            waiting = [(name, model_of(text)) for name, text in open_batches(self.root)]
            return tuple(
                (model, fetch(self.root, name, resolve(model, self.settings)))
                for name, model in waiting
            )

    def _budget(
        self, model: str | MemoryModel | None, max_cost: float | None, max_tokens: int | None
    ) -> Budget | None:
        if max_cost is None and max_tokens is None:
            return None
        from lithify.engines.providers.engine import budget_for

        wanted = self.settings.model if model is None else model
        name = wanted if isinstance(wanted, str) else wanted.name
        return budget_for(name, self.settings, max_cost, max_tokens)

    def diff(self, period: str, against: str | None = None) -> Change:
        """What the newest version of a page says that the one before did not, and why.

        With `against`, compared with the newest earlier version that this engine wrote.
        """
        from lithify.compact.history import change

        return change(self.snapshot(), period, against)

    def quarantine(self) -> tuple[Held, ...]:
        """What the verifier refused, newest first, each with its reasons."""
        from lithify.compact.history import quarantined

        return quarantined(self.root)

    def prompt(self, stage: str, period: str, model: MemoryModel | None = None) -> Prompt:
        """Exactly what the first call for a period would send."""
        from lithify.compact.forecast import preview
        from lithify.engines.base import Scripted
        from lithify.engines.model import ModelEngine

        engine = self.engine(model or Scripted((), self.settings.model))
        assert isinstance(engine, ModelEngine)
        return preview(self.snapshot(), stage, period, engine, self.ask(include_current=True))

    # Memories

    def memories(self) -> tuple[Remembered, ...]:
        """The typed memories in force: marked, accepted, found by a model, or adopted."""
        from lithify.compact.review import memories

        return memories(self.snapshot())

    def suggestions(self) -> tuple[Remembered, ...]:
        """What the days hold that may deserve to last; nothing of it is in force."""
        from lithify.compact.review import suggested

        return suggested(self.snapshot())

    def accept(self, suggestion: str, *, at_terminal: bool = False) -> Remembered:
        """Make a suggestion a memory. One from an untrusted entry needs a person at a terminal."""
        from lithify.compact.review import accept

        with self._alone():
            workspace = self._workspace()
            return accept(workspace, suggestion, stamp(self._clock()), at_terminal=at_terminal)

    def drop(self, ref: str) -> Remembered:
        """Take a memory out of force, or dismiss a suggestion; it does not come back."""
        from lithify.compact.review import drop

        with self._alone():
            return drop(self._workspace(), ref, stamp(self._clock()))

    def _workspace(self) -> Workspace:
        from lithify.compact.workspace import Workspace

        return Workspace(self.snapshot(), self._clock, self.ask(), self.engine("offline"))

    # Wisdom

    def wisdom(self) -> tuple[WisdomEntry, ...]:
        """The entries in force."""
        return self.snapshot().wisdom()

    def proposals(self) -> tuple[Proposal, ...]:
        """Changes to wisdom that wait for a person."""
        return tuple(self.snapshot().ledger.proposals.values())

    def settle(self, proposal: str, *, approve: bool) -> None:
        """Approve or reject a proposal. A person's act: no hook or server calls this."""
        from lithify.compact.review import settle

        with self._alone():
            settle(self.snapshot(), proposal, approve, stamp(self._clock()))

    def revoke(self, title: str, reason: str) -> None:
        """Take an entry out of wisdom; its tombstone stays in the journal."""
        from lithify.compact.review import revoke

        with self._alone():
            revoke(self.snapshot(), title, reason, stamp(self._clock()))

    # Keeping

    def check(self) -> tuple[Problem, ...]:
        """Everything about the root that is not as it should be."""
        from lithify.markdown.pages import memory_type_of
        from lithify.store.check import check

        return check(
            self.root,
            patterns=self.settings.days.patterns,
            type_of=memory_type_of,
            extra=self._more_problems,
        )

    def repair(self) -> Repair:
        """Mend what can be mended, each thing copied before it is touched."""
        from lithify.markdown.pages import memory_type_of
        from lithify.store.check import repair

        return repair(
            self.root,
            stamp(self._clock()),
            patterns=self.settings.days.patterns,
            type_of=memory_type_of,
            extra=self._more_problems,
        )

    def _more_problems(self, journal: Journal) -> Iterator[Problem]:
        """The problems of the gate's logs and of the pages, which the store does not know."""
        from lithify.compact.trace import audit
        from lithify.gate.files import problems

        yield from problems(self.root, journal)
        yield from audit(self.snapshot())


def offline_engine() -> Engine:
    """The engine that needs no model."""
    from lithify.engines.offline import Offline

    return Offline()


def _offered_engine(name: str) -> Engine | None:
    """The engine that an installed package offers by this name, if one does."""
    if ":" in name:
        return None
    from importlib.metadata import entry_points

    found = entry_points(group="lithify.engines", name=name)
    return next(iter(found)).load()() if found else None


def _days_behind(tasks: Iterable[Task], today: date) -> int:
    """Days since the oldest week that nobody has written could have been.

    A stale week is not among them: an old day that was edited does not undo all since then.
    """
    from lithify.calendar import week_days

    late = [
        (today - week_days(task.period)[-1]).days
        for task in tasks
        if task.tier == "week" and task.state in ("due", "failed")
    ]
    return max(late, default=0)


def _last_job(gate: Gatekeeper) -> str | None:
    """The job that was worked on last and goes on."""
    heard = sorted(gate.sessions(), key=lambda one: (one.heard, one.id), reverse=True)
    found = (one.job for one in heard if one.job and gate.state(one.job).active)
    return next(found, None) or gate.job_of("")


__all__ = ["Logged", "Memory", "Status", "UnknownReference", "find_root"]
