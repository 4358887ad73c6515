"""Class Memory: one root and everything that can be done with it. Only here parts are put together.

A method opens what it needs and hands on; the work is done by functions of the packages below.
What belongs to typed memories, to wisdom, to the index and to the gate is reached through
`memory.memories`, `memory.wisdom`, `memory.index` and `memory.gate`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from functools import cached_property, partial
from itertools import product
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from lithify import config, telemetry
from lithify.calendar import Clock, stamp, system_clock, zone
from lithify.errors import LithifyError, StorageError, Unfinished, UnknownReference, UsageError
from lithify.roots import absolute, find_root
from lithify.secrets.state import RootKey
from lithify.trust import may_rule, outcome
from lithify.values import TO_WRITE

if TYPE_CHECKING:
    from pathlib import Path

    from lithify.capture import Logged
    from lithify.compact.forecast import Forecast
    from lithify.compact.history import Bought, MemoryEvent, PageDiff, RefusedDraft, Spent
    from lithify.compact.in_force import InForce, Remembered
    from lithify.compact.ledger import Correction, Proposal, Request
    from lithify.compact.orders import HandedIn, OrderProgress
    from lithify.compact.plan import Ask
    from lithify.compact.proposals import ReviewItem
    from lithify.compact.requests import Waiting
    from lithify.compact.run import Report, Run
    from lithify.compact.snapshot import Snapshot
    from lithify.compact.status import RootStatus
    from lithify.compact.trace import Trace
    from lithify.compact.workspace import Workspace
    from lithify.context.compose import ExplainedContext
    from lithify.context.single_pages import ListedPage, ShownPage
    from lithify.engines.base import Engine, MemoryModel, Step
    from lithify.engines.model import AgentEngine
    from lithify.engines.model.prompt import Prompt
    from lithify.engines.providers.budget import Budget, Limit
    from lithify.engines.providers.facts import Facts
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.gate.submission import SummaryReader
    from lithify.search.recall import RootSearch
    from lithify.search.refresh import Indexed
    from lithify.secrets.forget import Choice, Remnant
    from lithify.secrets.rewrite import Receipt
    from lithify.secrets.scan import LeakedSecret, ReplacedSecrets
    from lithify.settings import Settings
    from lithify.store.check import Problem
    from lithify.store.journal import Journal
    from lithify.store.repair import Repair
    from lithify.values import Age, Guard, MemoryType, Recall, Task, Tier, WisdomEntry

T = TypeVar("T")


class CompactOptions(NamedTuple):
    """Say what `Memory.compact` writes, by whom, and within which limits.

    `tiers` and `period` choose what is written (`period="2026-W14"`). `model` is a string such as
    `"anthropic:NAME"` or an object; without one the setting counts. `engine` is any writer, in place of a
    model. `include_current` adds the week that is not over, `retry` what failed before, `rewrite` pages that
    are current. With `fallback` the offline engine writes what the model fails at. `accept_removed` says that
    days which are gone were removed on purpose. `max_cost` is in USD and `max_tokens_total` in tokens;
    `budget` takes the place of both. With several `workers`, independent pages are asked for at the same
    time. `reader` says who reads what is written, in place of `verify.reader`. `progress` is called with
    each task, its number and how many there are. `step` carries out each call and each commit.
    """

    tiers: Iterable[Tier] = ("week", "typed", "month", "wisdom")
    period: str | None = None
    model: str | MemoryModel | None = None
    include_current: bool = False
    retry: bool = False
    fallback: bool = False
    accept_removed: bool = False
    rewrite: bool = False
    max_cost: float | None = None
    max_tokens_total: int | None = None
    workers: int = 1
    engine: Engine | None = None
    reader: str | MemoryModel | None = None
    progress: Callable[[Task, int, int], None] | None = None
    budget: Limit | None = None
    step: Step | None = None


ALL_DUE = CompactOptions()


class Kept(NamedTuple):
    """What somebody said to remember: its entry in the day, and the file of its memory.

    `path` is empty where there is no file yet: another run holds the root, or the disk is full, and
    the next compaction makes it; or the mark waits for a person.
    """

    entry: Logged
    path: str = ""
    #: What it took the place of, and what may contradict it; nobody has settled the latter.
    replaced: tuple[Remembered, ...] = ()
    conflicts: tuple[Remembered, ...] = ()
    #: What waits for a person: "memory" (see `memories.confirm`) or its "guard".
    waits: str = ""


class Effects(NamedTuple):
    """What a change did to what every session starts with: memories in force, and wisdom."""

    out_of_force: tuple[str, ...] = ()
    into_force: tuple[str, ...] = ()
    out_of_wisdom: tuple[str, ...] = ()
    into_wisdom: tuple[str, ...] = ()

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield each change in words, and the text that it concerns."""
        said = ("out of force", "in force", "out of WISDOM.md", "into WISDOM.md")
        for what, texts in zip(said, self, strict=True):
            yield from ((what, text) for text in texts)


class Forgotten(NamedTuple):
    """What a `forget` did: its receipt, the pages made anew, and those that wait for their writer.

    `left` are the places of the root that still hold it: files that are no memory, such as exports.
    `back` are memories in force again, because what had replaced them is gone.
    `dropped` says which bullets went from pages that wait.
    """

    receipt: Receipt
    entries: int
    rebuilt: tuple[str, ...] = ()
    due: tuple[str, ...] = ()
    left: tuple[Remnant, ...] = ()
    back: tuple[Remembered, ...] = ()
    dropped: tuple[str, ...] = ()


class Memory:
    """The memory under one root.

    >>> memory = Memory.open("examples/sample")  # doctest: +SKIP
    >>> memory.log("Shipped 2.4.1.")  # doctest: +SKIP
    """

    def __init__(
        self, root: str | os.PathLike[str], settings: Settings, clock: Clock = system_clock
    ) -> None:
        self._place = os.fspath(root)
        # The marks for secrets are those of this root.
        redact = settings.redact._replace(key=RootKey(self._place))
        self.settings = settings._replace(redact=redact)
        self._clock = clock

    @staticmethod
    def open(root: str | os.PathLike[str] | None = None, *, clock: Clock = system_clock) -> Memory:
        """Open a root: the one given, `$LITHIFY_ROOT`, or the nearest parent that is one."""
        place = find_root(root)
        return Memory(place, config.load(place), clock)

    @staticmethod
    def init(
        root: str | os.PathLike[str],
        *,
        patterns: Iterable[str] | None = None,
        gate: bool = False,
        clock: Clock = system_clock,
    ) -> Memory:
        """Make a folder a root: `memory/`, a commented `lithify.toml`, and in `.lithify/` two files for git.

        `patterns` say where its days are; left out, they are those of the dated files there. With
        `gate` the gate is switched on; without, a root that has it keeps it.
        """
        from pathlib import Path

        from lithify.secrets.state import ignore
        from lithify.store.days import found_patterns
        from lithify.store.tree import make_root

        place = Path(absolute(root))
        days = found_patterns(place) if patterns is None else tuple(patterns)
        make_root(place, config.template(days).encode())
        ignore(place)
        Memory.open(place, clock=clock).gate.set_up(gate)
        return Memory.open(place, clock=clock)

    @property
    def personal(self) -> Memory:
        """The person's own memory, which counts in all projects."""
        from lithify.roots import personal_root

        place = personal_root()
        if not place:
            raise UsageError(reason="you have no memory of your own yet: lithify init --personal")
        return Memory.open(place, clock=self._clock)

    @cached_property
    def root(self) -> Path:
        """The folder of this memory."""
        # `pathlib` is loaded late: recall does without it and starts sooner.
        from pathlib import Path

        return Path(self._place)

    @property
    def gate(self) -> Gatekeeper:
        """The gate of this root: jobs, their records and chains."""
        from lithify.gate.gatekeeper import Gatekeeper

        return Gatekeeper(self.root, self._clock)

    def caller_origin(self, environ: Mapping[str, str], session: str = "") -> str:
        """Return the origin of what an agent says here: the agent, or an untrusted source it has read."""
        from lithify.gate.files import caller_origin

        return caller_origin(absolute(self._place), environ, self._clock(), session)

    @property
    def memories(self) -> Memories:
        """The typed memories of this root, and what may become one."""
        return Memories(self)

    @property
    def wisdom(self) -> Wisdom:
        """The wisdom of this root, its decisions and proposals."""
        return Wisdom(self)

    def review(self, only: str = "") -> tuple[ReviewItem, ...]:
        """List what waits for a person's yes or no, of one kind or of all."""
        from lithify.compact.proposals import review_items

        snapshot = self.snapshot()
        return review_items(snapshot, self.memories.in_force(snapshot), only)

    def decide(self, id: str, *, approve: bool) -> ReviewItem:
        """Approve or reject what waits. A person's act."""
        item = next((one for one in self.review() if one.id == id), None)
        if item is None:
            hint = "`lithify review` lists what waits; what it rests on may have changed."
            raise UnknownReference(ref=id, hint=hint)
        _DECISIONS[item.kind](self, id, approve)
        return item

    def _decide_page(self, id: str, approve: bool) -> None:
        from lithify.compact.proposals import decide_page

        with self.locked():
            decide_page(self._workspace(), id, approve, self._time())

    @cached_property
    def index(self) -> SearchIndex:
        """The search index of this root."""
        return SearchIndex(self)

    def effects_of(self, act: Callable[[], T]) -> tuple[T, Effects]:
        """Make a change, and return what it gives with what it changed in memories and wisdom."""
        before = self._in_force_now()
        done = act()
        pairs = zip(before, self._in_force_now(), strict=True)
        (out, into), (gone, new) = (
            (tuple(x for x in old if x not in now), tuple(x for x in now if x not in old))
            for old, now in pairs
        )
        return done, Effects(out, into, gone, new)

    def noted(self, act: Callable[[], T]) -> tuple[T, tuple[int, ...]]:
        """Call `act`; return its result and the numbers to give to `undo`, () if it cannot be undone."""
        from lithify.compact.undo import UNDOABLE
        from lithify.store import journal

        before = journal.read(self.root).records
        with journal.noting() as own:
            done = act()
        kinds = {record.kind for record in own}
        # What was forgotten is gone from the journal too.
        is_whole = journal.read(self.root).records[: len(before)] == before
        return done, tuple(one.seq for one in own) if is_whole and kinds <= UNDOABLE else ()

    def undo(self, change: Iterable[int]) -> None:
        """Take back a change that `noted` made, as long as nothing rests on it. A person's act."""
        from lithify.compact.undo import undo

        with self.locked():
            undo(self._workspace(), frozenset(change), self._time())

    def _in_force_now(self) -> tuple[Sequence[str], Sequence[str]]:
        snapshot = self.snapshot()
        held = self.memories.in_force(snapshot).statements
        return [one.statement for one in held], [one.text for one in snapshot.wisdom()]

    def now(self) -> datetime:
        """Return the present moment in the root's zone."""
        return self._clock().astimezone(zone(self.settings.zone))

    def today(self) -> date:
        """Return the present day in the root's zone."""
        return self.now().date()

    def _time(self) -> str:
        return stamp(self._clock())

    def redacted(self, text: str) -> str:
        """Replace the credentials in a text by this root's marks."""
        from lithify.capture import redacted

        return redacted(text, self.settings.redact)

    def snapshot(self) -> Snapshot:
        """Read the root as it is now."""
        # Loaded late: recall answers without reading pages or planning.
        from lithify.compact.snapshot import Snapshot
        from lithify.store.recover import finish_rewrite

        finish_rewrite(self.root)
        return Snapshot(self.root, self.settings)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the root against other writers, and finish or undo what a crash interrupted."""
        from lithify.store import places
        from lithify.store.commit import in_steps
        from lithify.store.lock import locked
        from lithify.store.recover import recover

        with locked(places.compact_lock(self.root), wait=False):
            recover(self.root)
            with in_steps(self.root):
                yield
        self.renew_moments(anew=False)

    @property
    def _reads_moments(self) -> bool:
        """Tell whether a client has read the rules with triggers."""
        from lithify.moment import ruling

        return os.path.exists(ruling.rules_path(self._place))

    def renew_moments(self, *, anew: bool = True) -> None:
        """Write the rules that hooks read; not `anew`, only where a client has read them before."""
        from lithify.compact.in_force import in_force
        from lithify.moment import compiled

        if anew or self._reads_moments:
            snapshot = self.snapshot()
            known = [(snapshot, self.memories.in_force(snapshot))]
            if above := self._personal_snapshot():
                known.append((above, in_force(above, self._conditions())))
            compiled.write(snapshot, known)

    # Capturing

    def log(self, text: str, *, at: datetime | None = None, origin: str = "agent") -> Logged:
        """Append an entry to its day; credentials in it are replaced first."""
        return self._log(text, at, origin)

    def _log(
        self,
        text: str,
        at: datetime | None,
        origin: str,
        facts: Mapping[str, object] = MappingProxyType({}),
    ) -> Logged:
        from lithify.capture import append_entries, check_origin

        check_origin(origin, "user")
        moment = self.in_zone(at or self.now())
        entry = (f"{moment:%H:%M}", self.redacted(text))
        where = (self.root, self.settings.folders, moment.date())
        return append_entries(*where, [entry], origin, self._time(), facts)

    def append_entries(
        self,
        day: date,
        entries: Sequence[tuple[str, str]],
        origin: str,
        keys: Sequence[str] = (),
        heading: str = "",
    ) -> Logged:
        """Append entries, each a time and a text without credentials, to a day as one capture.

        `keys` name what an importer brought, an item for each entry. What has a `heading` goes under it
        into a file of the day of its own.
        """
        from lithify.capture import append_entries

        folders, time = self.settings.folders, self._time()
        return append_entries(
            self.root, folders, day, entries, origin, time, keys=keys, heading=heading
        )

    def mark_outdated(self, since: Mapping[str, str]) -> None:
        """Note the day since which an entry holds no more at its source; "" if it holds again.

        What was written from their days is written again at the next compaction.
        """
        from lithify.store.commit import note

        facts = {"outdated": dict(since), "days": self._days_of(since)}
        note(self.root, "outdated", facts, self._time())

    def _days_of(self, ids: Iterable[str]) -> list[str]:
        """Return the files of the days that entries stand in."""
        from lithify.values import label_of

        snapshot, labels = self.snapshot(), set(map(label_of, ids))
        return sorted({path for label in labels for path in snapshot.paths_of(label)})

    def in_zone(self, moment: datetime) -> datetime:
        """Convert a moment to the zone of this root; one without a zone is taken as it is."""
        if moment.tzinfo is None:
            return moment
        try:
            return moment.astimezone(zone(self.settings.zone))
        except OverflowError:
            raise UsageError(
                reason=f"{moment.isoformat()} has no day in the zone of this root: days go "
                "from 0001-01-01 to 9999-12-31"
            ) from None

    def remember(
        self,
        statement: str,
        *,
        type: MemoryType = "project",
        topic: str = "",
        why: str = "",
        how: str = "",
        until: date | None = None,
        when: Sequence[str] = (),
        guard: str = "",
        at: datetime | None = None,
        origin: str = "agent",
    ) -> Kept:
        """Keep a statement in the words it was said in: in the day, and as a memory at once.

        It is in force up to the day `until`. `when` are triggers: it is shown before the tool calls that
        one of them names. With a `guard` the client asks about such a call or refuses it; what is not the
        person's word only proposes that.
        """
        from lithify.compact.marks import marked_entry, triggers_in
        from lithify.moment.compiled import require_triggers

        if not all(map(str.strip, when)):
            raise UsageError(reason="a trigger is empty; one names a call: --when 'git push'")
        when = triggers_in(";".join(when))
        if not statement.strip():
            raise UsageError(reason="there is nothing to remember; say it in words")
        require_triggers(when, guard)
        text = marked_entry(
            statement,
            type,
            topic=topic,
            why=why,
            how=how,
            until=until.isoformat() if until else "",
            when=when,
            guard=guard,
        )
        kept = self._remember(statement, self._log(text, at, origin))
        waits = "guard" if guard and kept.entry.origin != "user" else ""
        return kept._replace(waits=kept.waits or waits)

    def _remember(self, statement: str, logged: Logged, *, replaces: bool = False) -> Kept:
        """Make a memory of a statement that was logged, and which may replace others by the same line."""
        from lithify.compact.lessons import take_up_entry
        from lithify.compact.review import rebuild

        try:
            with self.locked():
                workspace = self._workspace()
                take_up_entry(workspace, logged.entries[0], logged.origin, statement)
                if replaces:
                    rebuild(workspace, self._time(), "in-force")
                kept = self.memories._kept(logged, statement)
                held = not may_rule(logged.origin) or (
                    self.settings.memories.confirm != "off" and logged.origin == "agent"
                )
                return kept._replace(waits="memory" if held else "")
        except LithifyError:
            # The entry is in its day, and the next compaction reads it.
            return Kept(logged)

    # Asking

    def recall(
        self,
        query: str,
        *,
        budget: int = 1000,
        k: int | None = None,
        as_of: date | None = None,
        since: date | None = None,
        until: date | None = None,
        vectors: bool | None = None,
        after: str = "",
        progress: Callable[[int, int], None] | None = None,
    ) -> Recall:
        """Find what the days say about a query, best first, within a budget of tokens.

        `as_of` hides what came after a day. Where nothing supports the query there is nothing.
        `after` is that of an earlier answer, and goes on where it ended.
        """
        if not query.strip():
            raise UsageError(reason="there is nothing to look for; say in words what you want")
        if since and until and since > until:
            raise UsageError(reason=f"the first day, {since}, is after the last, {until}")
        with telemetry.span("recall") as span:
            found = self.index.search.recall(
                query,
                self.today,
                progress=progress,
                budget=budget,
                k=k,
                as_of=as_of,
                since=since,
                until=until,
                vectors=vectors,
                after=after,
            )
            span.set_attribute("passages", len(found.passages))
            span.set_attribute("tokens", found.tokens)
        telemetry.count("recalls", 1, found=str(bool(found.passages)).lower())
        return found

    def fenced(self, found: Recall, budget: int | None = None) -> str:
        """Render what `recall` found for an agent: fenced as data, each passage with its origin.

        A budget limits the tokens of the whole text, fences and labels included.
        """
        from lithify.search.passages import fenced

        return fenced(found, budget)

    def context(
        self,
        budget: int = 4000,
        *,
        job: str | None = None,
        session: str | None = None,
        characters: int | None = None,
    ) -> str:
        """Compose what a session starts with, in at most `budget` tokens, fenced as data.

        The person's own rules, wisdom, marks, an index of other memories, what is open, what happened
        lately, the chain of the job (the one named, the session's, else the one last worked on), and
        what is due. The same bytes as long as nothing changes.
        """
        return self.explained_context(budget, job=job, session=session, characters=characters).text

    def explained_context(
        self,
        budget: int = 4000,
        *,
        job: str | None = None,
        session: str | None = None,
        characters: int | None = None,
    ) -> ExplainedContext:
        """Compose a context with the reason of each line, and with what was left out and why."""
        from lithify.compact.status import status_of
        from lithify.context.compose import MIN_BUDGET, compose
        from lithify.context.gather import gather, job_shown

        if budget < MIN_BUDGET:
            raise UsageError(reason=f"a context needs a budget of {MIN_BUDGET} tokens or more")
        snapshot = self.snapshot()
        status = status_of(snapshot, self._conditions())
        state, origin = job_shown(self.gate, job, session)
        facts = gather(
            *(snapshot, status.tasks, self.today(), status.behind, state, origin),
            personal=self._personal_snapshot(),
        )
        return compose(facts, budget, characters)

    def _personal_snapshot(self) -> Snapshot | None:
        """Read the person's own root, unless there is none or it is this one; faults there are its own."""
        from lithify.roots import personal_root

        place = personal_root()
        if not place or os.path.realpath(place) == os.path.realpath(self._place):
            return None
        try:
            return Memory.open(place, clock=self._clock).snapshot()
        except (LithifyError, OSError):
            return None

    def pages(self) -> tuple[ListedPage, ...]:
        """List what an agent may read: wisdom, months, weeks, memories and days."""
        from lithify.context.single_pages import listed_pages

        return listed_pages(self.snapshot())

    def page(self, name: str) -> ShownPage:
        """Return the text and origin of a page by its name, such as `week/2026-W14`."""
        from lithify.context.single_pages import shown_page

        return shown_page(self.snapshot(), name)

    def status(self, snapshot: Snapshot | None = None) -> RootStatus:
        """Tell what is current, what is behind, and by how much. Nothing is written, not even a cache.

        With `snapshot`, as the root was when that was taken.
        """
        from lithify.compact.snapshot import Snapshot
        from lithify.compact.status import status_of
        from lithify.store.days import unmatched

        beside = unmatched(self.root, self.settings.folders)
        snapshot = snapshot or Snapshot(self.root, self.settings, save=False)
        return status_of(snapshot, self._conditions())._replace(unmatched=beside)

    def trace(self, ref: str, folder: str = "", *, names_only: bool = False) -> Trace:
        """Follow a sentence down to the lines it rests on, or a line up to all that rests on it.

        A file in `ref` is relative to the root, or to `folder`. With `names_only`, `ref` is an
        entry's id, a day, a week, a month or the title of an entry of wisdom, and no path.
        """
        from lithify.compact.trace import trace, trace_name

        if not names_only:
            return trace(self.snapshot(), ref, folder)
        if found := trace_name(self.snapshot(), ref):
            return found
        hint = "Give an entry's id, a day, a week, a month, or the title of an entry of wisdom."
        raise UnknownReference(ref=" ".join(ref.split())[:200], hint=hint)

    def diff(self, period: str, against: str | None = None) -> PageDiff:
        """Tell what the newest version of a page says that the one before did not, and why.

        With `against`, compared with the newest earlier version that this engine wrote.
        """
        from lithify.compact.history import change

        return change(self.snapshot(), period, against)

    def quarantine(self) -> tuple[RefusedDraft, ...]:
        """List what the verifier refused, newest first, each with its reasons."""
        from lithify.compact.history import quarantined

        return quarantined(self.root)

    def usage(self) -> tuple[tuple[Spent, ...], tuple[Bought, ...]]:
        """Tell what models have been asked so far: as the journal counts it, and as the saved replies do."""
        from lithify.compact.history import bought, spent
        from lithify.store import journal

        return spent(journal.read(self.root).records), bought(self.root)

    # Compacting

    def _conditions(
        self, engine: Engine | None = None, *, include_current: bool = False, retry: bool = False
    ) -> Ask:
        """Say the conditions of a plan; without an engine, the failures of every engine count."""
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
        """List every period, where it stands, and why."""
        from lithify.compact.plan import plan

        snapshot = self.snapshot()
        engine = self.engine(model)
        conditions = self._conditions(engine, include_current=include_current, retry=retry)
        return plan(snapshot, conditions)

    def forecast(
        self,
        tasks: Iterable[Task],
        model: str | MemoryModel | None = None,
        reader: str | MemoryModel | None = None,
    ) -> tuple[Forecast, ...]:
        """Estimate what writing these tasks would take: calls, tokens, and what is paid for already.

        What reading takes is counted apart; `reader` takes the place of `verify.reader`.
        """
        from lithify.compact.forecast import forecast

        today = self.today().isoformat()
        engine = self.engine(model)
        workspace = self._workspace(**self._reading(reader))
        found = workspace.reader_of(engine)
        return forecast(workspace.snapshot, tuple(tasks), engine, today, found)

    def compact(self, options: CompactOptions = ALL_DUE) -> Report:
        """Write all that is due: weeks, typed memories, months, wisdom.

        With a limit in USD or tokens it ends with `BudgetReached` before the call that could cross
        it; what is written is in force.
        """
        from lithify.compact.run import Run

        budget = options.budget or self.budget(
            options.model, options.max_cost, options.max_tokens_total
        )
        writer = options.engine or self.engine(options.model, budget, options.step)
        agent = writer.name.startswith("agent:")
        writer = offline_engine() if agent else writer
        with self.locked(), telemetry.span("compact", engine=writer.name):
            workspace = self._workspace(
                self._conditions(
                    writer, include_current=options.include_current, retry=options.retry
                ),
                offline=offline_engine(),
                step=options.step,
                **self._reading(options.reader, budget, options.step),
            )
            run = Run(workspace, writer, options.fallback, options.workers)
            run.rewrite = "all" if options.rewrite else ""
            run.leaves = self._leaves(workspace.snapshot, options)
            if options.progress:
                run.progress = options.progress
            if options.accept_removed:
                run.accept_removed()
            return run.compact(tuple(options.tiers), options.period)

    def left_to_agent(self, tasks: Iterable[Task], options: CompactOptions = ALL_DUE) -> list[Task]:
        """Return those of these tasks that a compaction would leave to the agent for now."""
        leaves = self._leaves(self.snapshot(), options)
        return [task for task in tasks if task.state in TO_WRITE and leaves(task)]

    def _leaves(self, snapshot: Snapshot, options: CompactOptions) -> Callable[[Task], bool]:
        """Return what tells whether a page is left to the agent for now.

        Selected sentences take the place of nothing that an agent or a model wrote, unless somebody
        names the engine or asks for pages anew.
        """
        wanted = self.settings.model if options.model is None else options.model
        named = options.model is not None or options.rewrite
        if options.engine or not (wanted == "agent" or (wanted == "offline" and not named)):
            return lambda task: False
        from lithify.compact.plan import waits_for_agent

        judged = wanted == "offline"
        return partial(waits_for_agent, snapshot, today=self.today(), only_judged=judged)

    def next_order(
        self,
        *,
        newest: bool = False,
        rewrite: bool = False,
        retry: bool = False,
        as_reader: bool = False,
        client: str = "unknown",
        session: str = "",
        by: str = "user",
    ) -> OrderProgress:
        """Return the next work order: a page to write, or pages to judge.

        With `newest` the newest weeks come first, with `rewrite` offline pages are offered too, with
        `retry` periods that failed. In the name of an untrusted origin (`by`) all that is written waits
        for a person. `session` wrote its pages itself, so others read them; a reader that was given
        nothing but its order asks `as_reader`, also within that session.
        """
        from lithify.compact.orders import Asking, advance

        begin = self._orders(client, session, by)
        with self.locked():
            run = begin(newest=newest, rewrite=rewrite, retry=retry)
            return advance(run, Asking(session, as_reader))

    def hand_in(
        self,
        order: str,
        text: str,
        *,
        client: str = "unknown",
        session: str = "",
        by: str = "user",
    ) -> HandedIn:
        """Take the agent's reply to an order: check it, and commit it or send it back."""
        from lithify.compact.orders import hand_in

        with self.locked():
            return hand_in(self._orders(client, session, by), order, text, session)

    def prompt(self, stage: str, period: str, model: MemoryModel | None = None) -> Prompt:
        """Return what the first call of a stage (weekly, typed, combined, monthly, wisdom) would send."""
        from lithify.compact.forecast import preview
        from lithify.engines.base import Scripted
        from lithify.engines.model import ModelEngine

        engine = self.engine(model or Scripted((), self.settings.model))
        assert isinstance(engine, ModelEngine)
        return preview(
            self.snapshot(), stage, period, engine, self._conditions(include_current=True)
        )

    def _workspace(self, conditions: Ask | None = None, **means: Any) -> Workspace:
        """Open what a change to pages works with: a snapshot, the clock, and the conditions of a plan."""
        from lithify.compact.workspace import Workspace

        return Workspace(self.snapshot(), self._clock, conditions or self._conditions(), **means)

    def _orders(self, client: str, session: str, by: str) -> Callable[..., Run]:
        """Return what begins a run by an agent; it may take up again what failed or was offline."""
        from lithify.compact.run import Run

        engine = self._agent(client, by)

        def begin(*, newest: bool = False, rewrite: bool = False, retry: bool = False) -> Run:
            # An order holds trusted material only; the offline engine adds the rest.
            workspace = self._workspace(
                self._conditions(engine, retry=retry),
                untrusted=offline_engine(),
                by=by,
                session=session,
                **self._reading(),
            )
            return Run(workspace, engine, rewrite="offline" if rewrite else "", newest=newest)

        return begin

    # Models

    def engine(
        self,
        model: str | MemoryModel | None = None,
        budget: Limit | None = None,
        step: Step | None = None,
    ) -> Engine:
        """Return the engine a model string or object stands for; the configured one by default.

        A name that a package offers under the entry point group `lithify.engines` is one too.
        """
        wanted = self.settings.model if model is None else model
        if wanted == "offline":
            return offline_engine()
        if wanted == "agent":
            return self._agent()
        if isinstance(wanted, str) and ":" not in wanted:
            from lithify.plugins import offered

            if make := offered("engines", wanted):
                engine: Engine = make()
                return engine
        from lithify.engines.providers.engine import engine_for

        prompts = config.load_prompts(self.root)
        return engine_for(wanted, self.root, self.settings, prompts, budget, step)

    def facts(self, model: str | None = None) -> Facts:
        """Tell what is known of a model: its window, its price, what it can do."""
        from lithify.engines.providers.facts import facts_of

        return facts_of(model or self.settings.model, self.settings)

    def budget(
        self,
        model: str | MemoryModel | None,
        max_cost: float | None,
        max_tokens: int | None = None,
    ) -> Budget | None:
        """Return the limits of one run or of several that share them; None where there are none."""
        if max_cost is None and max_tokens is None:
            return None
        from lithify.engines.providers.engine import budget_for

        wanted = self.settings.model if model is None else model
        name = wanted if isinstance(wanted, str) else wanted.name
        return budget_for(name, self.settings, max_cost, max_tokens)

    def summary_reader(self) -> SummaryReader | None:
        """Return who reads summaries of the gate, where `verify.reader` names a model."""
        from lithify.engines.model.reader import Reader
        from lithify.gate.submission import SummaryReader

        reader = self._reading()["reader"]
        return SummaryReader(reader) if isinstance(reader, Reader) else None

    def _reading(
        self,
        reader: str | MemoryModel | None = None,
        budget: Limit | None = None,
        step: Step | None = None,
    ) -> dict[str, Any]:
        """Tell a workspace who reads what is written; by default as the settings say."""
        wanted = self.settings.verify.reader if reader is None else reader
        if wanted in ("same", "agent", "off"):
            return {"reader": wanted}
        from lithify.engines.providers.engine import reader_for

        prompts = config.load_prompts(self.root)
        return {"reader": reader_for(wanted, self.root, self.settings, prompts, budget, step)}

    def _agent(self, client: str = "unknown", by: str = "user") -> AgentEngine:
        from lithify.compact.orders import agent_room
        from lithify.engines.model import Absent, AgentEngine
        from lithify.engines.replies import SavedReplies

        room = agent_room(self.settings.agent.order_tokens)
        replies = SavedReplies(self.root, f"agent:{client}", self.settings.redact)
        # No trusted page is made of a reply that somebody else handed in.
        writer = Absent() if outcome("page", by) == "done" else Absent("untrusted agent")
        return AgentEngine(writer, config.load_prompts(self.root), replies, room, client=client)

    # Keeping

    def check(self) -> tuple[Problem, ...]:
        """List everything about the root that is not as it should be."""
        from lithify.store.check import check

        folders = self.settings.folders
        return check(self.root, folders=folders, extra=self._more_problems)

    def repair(self) -> Repair:
        """Mend what can be mended, each thing copied before it is touched."""
        from lithify.store.repair import repair

        time, folders = self._time(), self.settings.folders
        return repair(self.root, time, folders=folders, extra=self._more_problems)

    def _more_problems(self, journal: Journal) -> Iterator[Problem]:
        """List the problems of the gate's logs and of the pages, which the store does not know."""
        from lithify.compact.trace import dead_sources, unsupported_claims
        from lithify.gate.files import problems

        snapshot = self.snapshot()
        yield from problems(self.root, journal)
        yield from dead_sources(snapshot)
        yield from unsupported_claims(snapshot)
        yield from self._secret_problems(snapshot)

    def _secret_problems(self, snapshot: Snapshot) -> Iterator[Problem]:
        from lithify.secrets.scan import secret_kinds, secret_problems

        def kinds_in(path: str) -> list[str]:
            def make() -> list[str]:
                return secret_kinds(self.root, path, self.settings.redact.allow)

            kinds: list[str] = snapshot.made(path, "secrets", "", make)
            return kinds

        yield from secret_problems(self.root, snapshot.tree, self._time(), kinds_in)
        snapshot.keep()

    def adopt_journal(self) -> tuple[str, ...]:
        """Accept that the journal has lost the records that pages name. A person's act."""
        from lithify.store.commit import note
        from lithify.store.journal import ADOPTED, heads_to_adopt

        pages = [file.path for file in self.snapshot().tree.of("week", "month")]
        gone = heads_to_adopt(self.root, pages)
        if gone:
            note(self.root, ADOPTED, {"heads": gone}, self._time())
        return tuple(gone)

    def scan(self) -> tuple[LeakedSecret, ...]:
        """List every secret that stands in a file of the root, masked."""
        from lithify.secrets.scan import scan_secrets

        snapshot = self.snapshot()
        list(self._secret_problems(snapshot))
        return scan_secrets(self.root, snapshot.tree, self.settings.redact.allow)

    def remove_secrets(self) -> ReplacedSecrets:
        """Replace the secrets in all files of the root by placeholders. A person's act.

        The ids of entries that change are remapped wherever they are cited, and the files as they
        were are kept for their owner only.
        """
        from lithify.secrets.scan import replace_secrets
        from lithify.secrets.state import save_scan

        time = self._time()
        redact, folders = self.settings.redact, self.settings.folders
        with self.locked():
            tree = self.snapshot().tree
            done = replace_secrets(self.root, tree, redact, time, folders=folders)
            save_scan(self.root, {}, time)
        return done

    def choose_to_forget(
        self,
        refs: Iterable[str] = (),
        *,
        patterns: Iterable[str] = (),
        people: Iterable[str] = (),
    ) -> Choice:
        """Find what these entry ids, texts, patterns and names stand for, before it is forgotten."""
        from lithify.secrets.forget import choose

        return choose(self.root, self.snapshot().tree, refs, patterns=patterns, people=people)

    def forget(self, choice: Choice, *, dry_run: bool = False) -> Forgotten:
        """Erase what was chosen, and make anew what the offline engine had written of it.

        What one of the erased had replaced is in force again. A person's act, and it cannot be undone.
        A `dry_run` changes nothing: its receipt names the files that would be touched.
        """
        if dry_run:
            return self._forget(choice, dry_run=True)
        done, effects = self.effects_of(partial(self._forget, choice))
        return done._replace(back=tuple(map(self.memories.find, effects.into_force)))

    def _forget(self, choice: Choice, *, dry_run: bool = False) -> Forgotten:
        from lithify.secrets.forget import found_in
        from lithify.secrets.rewrite import Erasure, rewrite_root
        from lithify.store.commit import in_steps

        time, folders = self._time(), self.settings.folders
        erasure, facts = Erasure(choice.find, choice.gone), {"entries": len(choice.gone)}
        with in_steps(self.root):
            with self.locked():
                receipt = rewrite_root(
                    *(self.root, erasure, "forget", facts, time), folders=folders, dry_run=dry_run
                )
                if dry_run or not receipt.files:
                    return Forgotten(receipt, 0)
                self.memories.rebuild()
            self.gate.update_erased(receipt.files)
            rebuilt = self._rebuild_offline(receipt.stale)
            dropped = self._drop_outdated()
            names = {path.rpartition("/")[2].removesuffix(".md") for path in receipt.stale}
            due = tuple(
                task.key
                for task in self.plan()
                if task.state in TO_WRITE
                and (task.period in names if task.period else "WISDOM.md" in receipt.files)
            )
            left = tuple(found_in(self.root, choice.find))
            return Forgotten(receipt, len(choice.gone), rebuilt, due, left, dropped=dropped)

    def _drop_outdated(self) -> tuple[str, ...]:
        """Take what rested on erased entries out of pages that wait for their writer; say what went."""
        from lithify.compact.plan import plan
        from lithify.compact.reading import drop_outdated

        with self.locked():
            workspace, said = self._workspace(), list[str]()
            for task in plan(workspace.snapshot, workspace.ask):
                if task.state in ("stale", "waiting") and (
                    done := drop_outdated(workspace, task, self._time)
                ):
                    said.append(f"{task.tier} {task.period}: {done.reason}")
                    workspace.snapshot.rescan()
        return tuple(said)

    def _rebuild_offline(self, stale: Iterable[str]) -> tuple[str, ...]:
        """Write stale pages of the offline engine again, weeks before months before wisdom."""
        commits = self.snapshot().ledger.pages.commits
        tiers: tuple[Tier, ...] = ("week", "month", "wisdom")
        written: list[str] = []
        for tier, (key, commit) in product(tiers, sorted(commits.items())):
            of, _, period = key.partition(":")
            is_stale = not period or any(path.endswith(f"/{period}.md") for path in stale)
            if of != tier or commit.engine != "offline" or not is_stale:
                continue
            report = self.compact(CompactOptions((tier,), period=period or None, model="offline"))
            for path, reason in report.unread:
                raise StorageError(action="read", path=path, reason=reason)
            for result in report.results:
                if result.status == "failed":
                    raise StorageError(action="write", path=key, reason=result.reason)
                written += result.files
        return tuple(dict.fromkeys(written))

    def remains(self, text: str) -> list[Remnant]:
        """List the places of the root that still hold a text."""
        from lithify.secrets.forget import remains

        return remains(self.root, text)

    def export(self, form: Literal["book", "jsonl"]) -> Iterator[str]:
        """Yield the pieces of the memory as one book in Markdown, or as lines of JSON."""
        from lithify.export import book, json_lines

        return (book if form == "book" else json_lines)(self.snapshot())

    def auto_memory(self) -> dict[str, str]:
        """Return the names and texts of the files of an auto-memory folder; nothing is written."""
        from lithify.export import auto_memory

        return auto_memory(self.snapshot())

    def unattended(self) -> frozenset[str]:
        """Return the commands that need a person and that a person lets scripts call."""
        from lithify.store import journal

        return journal.unattended(journal.read(self.root).records)

    def allow_unattended(self, command: str, *, allowed: bool = True) -> None:
        """Let scripts call a command that needs a person, or no more. A person's act, noted in the journal."""
        command = " ".join(command.split())
        if not allowed and command not in self.unattended():
            raise UsageError(reason=f"scripts may not call lithify {command}; nothing was changed")
        with self.locked():
            self._workspace().note("unattended", {"command": command, "allowed": allowed})

    def sources(self) -> dict[str, tuple[int, bool]]:
        """Count the entries of each origin that are shown, and tell whether it is trusted."""
        from collections import Counter

        from lithify.trust import is_trusted

        ledger = self.snapshot().ledger
        gone = ledger.captures.taken_back
        counted = Counter(by for id, by in ledger.captures.origins.items() if id not in gone)
        out, lifted = ledger.captures.revoked, ledger.captures.trusted
        return {
            origin: (count, origin not in out and (origin in lifted or is_trusted(origin)))
            for origin, count in sorted(counted.items())
        }

    def trust(self, origin: str) -> None:
        """Trust what an importer brought. A person's act.

        The next compaction writes again what rests on its days.
        """
        from lithify.store.commit import note

        if not origin.startswith("import:") or origin not in self.sources():
            raise UsageError(
                reason=f"{origin} is not an import of this root; `lithify trust` lists its sources"
            )
        origins = self.snapshot().ledger.captures.origins
        days = self._days_of(id for id, by in origins.items() if by == origin)
        note(self.root, "trust", {"trust": origin, "days": days}, self._time())

    def take_back(self, origin: str) -> tuple[int, int]:
        """Have nobody shown what an importer brought; return of how many entries and days. A person's act.

        The lines stay in their days, and the next compaction writes without them what rests on them.
        What was said here from them stays. The same import brings them back.
        """
        from lithify.store.commit import note

        snapshot = self.snapshot()
        known, records = snapshot.ledger.captures, snapshot.journal.records
        brought, others = set[str](), set[str]()
        for one in (record.data for record in records if record.kind == "capture"):
            is_theirs = "imported" in one and one["origin"] == origin
            (brought if is_theirs else others).update(one["entries"])
        ids = brought - others - known.taken_back
        if not origin.startswith("import:") or not ids:
            raise UsageError(
                reason=f"nothing of {origin} is left to take back; `lithify trust` lists the sources"
            )
        days = self._days_of(ids)
        facts = {"taken_back": origin, "hidden": dict.fromkeys(sorted(ids), True), "days": days}
        note(self.root, "take-back", facts, self._time())
        return len(ids), len({id[:10] for id in ids})

    def bring_back(self, ids: Iterable[str]) -> None:
        """Show entries of an import again that were taken back."""
        from lithify.store.commit import note

        hidden = dict.fromkeys(sorted(ids), False)
        facts = {"hidden": hidden, "days": self._days_of(hidden)}
        note(self.root, "bring-back", facts, self._time())


class Memories:
    """The typed memories of a root, and what waits to be one."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def list(self) -> tuple[Remembered, ...]:
        """List the memories in force: marked, accepted, found by a model, or adopted."""
        from lithify.compact.review import memories

        return memories(self._memory.snapshot(), self._memory._conditions())

    def gone(self) -> tuple[Remembered, ...]:
        """List the statements no longer in force: superseded, dropped, or ended."""
        return tuple(self.in_force().gone())

    def conflicts(self) -> tuple[tuple[Remembered, Remembered], ...]:
        """List the pairs that may contradict each other, the newer first; nobody has settled them."""
        return tuple(self.in_force().conflicts())

    def in_force(self, snapshot: Snapshot | None = None) -> InForce:
        """Return what is in force today, labelled lines that no compaction has read yet among it."""
        from lithify.compact.in_force import in_force

        return in_force(snapshot or self._memory.snapshot(), self._memory._conditions())

    def waiting(self) -> tuple[str, ...]:
        """List the statements of labelled lines that the next compaction will make memories of."""
        from lithify.compact.marks import untaken
        from lithify.compact.plan import plan
        from lithify.compact.standing import words_key

        memory, snapshot = self._memory, self._memory.snapshot()
        tasks = plan(snapshot, memory._conditions())
        said = (one.statement for one in untaken(snapshot, tasks))
        return tuple(one for one in said if words_key(one) not in snapshot.ledger.lessons.dropped)

    def find(self, ref: str) -> Remembered:
        """Return the memory, or what waits to be one, that an id, a name or a path stands for."""
        from lithify.compact.review import find

        return find(self._memory.snapshot(), ref, self._memory._conditions())

    def file_of(self, entries: Iterable[str]) -> str:
        """Return the file of the memory that rests on one of these entries, or ""."""
        ours = set(entries)
        known = self._memory.snapshot().memories().items()
        return next((path for path, memory in known if ours & {*memory.sources}), "")

    def drop(self, ref: str, *, by: str = "user", reason: str = "") -> Remembered:
        """Take a memory out of force, or decline what waits to be one, until it is restored.

        What wisdom and `context` have of it goes in the same call. In the name of an agent
        (`by="agent"`) what it marked itself and what a writer found is dropped.
        """
        from lithify.compact.review import drop

        return self._changed(partial(drop, ref=ref, by=by), reason)

    def restore(self, ref: str, *, by: str = "user", reason: str = "") -> Remembered:
        """Take back that something was dropped, edited, or superseded by somebody's choice."""
        from lithify.compact.review import restore

        return self._changed(partial(restore, ref=ref, by=by), reason)

    def supersede(
        self, old: str, new: str, *, by: str = "user", reason: str = ""
    ) -> tuple[Remembered, Remembered]:
        """Say that one memory takes the place of another, whatever their words."""
        from lithify.compact.review import settle

        return self._changed(partial(settle, refs=(old, new), newer=True, by=by), reason)

    def keep_both(
        self, one: str, other: str, *, by: str = "user", reason: str = ""
    ) -> tuple[Remembered, Remembered]:
        """Say that two memories both hold; neither replaces the other from now on."""
        from lithify.compact.review import settle

        return self._changed(partial(settle, refs=(one, other), newer=False, by=by), reason)

    def _changed(self, act: Callable[..., T], reason: str) -> T:
        memory = self._memory
        with memory.locked():
            workspace = memory._workspace()
            known = workspace.snapshot.tree.refused
            done = act(workspace, time=memory._time(), reason=memory.redacted(reason))
            # What could not be read in between, wisdom was not brought in line with.
            for one in workspace.snapshot.tree.refused:
                if one.broken and one not in known:
                    raise Unfinished(action="read", path=one.path, reason=one.reason)
            return done

    def edit(
        self,
        ref: str,
        statement: str = "",
        *,
        why: str = "",
        how: str = "",
        topic: str = "",
        by: str = "user",
        reason: str = "",
    ) -> Kept:
        """Put other words in place of a memory.

        The new words are an entry of today, by the person or the agent, and what they replace is dropped
        by the same line of the journal. `restore` takes the edit back.
        """
        # In one step, so that what is refused has added no entry either.
        with self._memory.locked():
            return self._edited(ref, statement, why, how, topic, by, reason)

    def _edited(
        self, ref: str, statement: str, why: str, how: str, topic: str, by: str, reason: str
    ) -> Kept:
        from lithify.compact.marks import marked_entry
        from lithify.compact.review import dropped_for, find, require_right_to_edit

        memory, snapshot = self._memory, self._memory.snapshot()
        old = find(snapshot, ref, memory._conditions())
        require_right_to_edit(old, by)
        new = statement or old.text
        if known := snapshot.memories().get(old.path):
            why, how = why or known.why, how or known.how
            if (new, why, how) == (known.statement, known.why, known.how):
                raise UsageError(reason=f"{ref} says that already; nothing was changed")
        facts = {"edit": dropped_for(snapshot, old, new, by, memory.redacted(reason))}
        text = marked_entry(new, old.type, topic=topic, why=why, how=how)
        logged = memory._log(text, None, by, facts)
        kept = memory._remember(new, logged, replaces=True)
        others = tuple(one for one in kept.conflicts if one.text != old.text)
        return kept._replace(conflicts=others)

    def guard(self, ref: str, guard: Guard, when: Sequence[str] = ()) -> Kept:
        """Have clients ask about calls like `when` ("ask"), refuse them ("deny"), or neither. A person's act."""
        one = self.find(ref)
        return self._set_guard(one.text, one.type, when or one.when, guard)

    def _set_guard(self, text: str, type: MemoryType, when: Sequence[str], guard: Guard) -> Kept:
        # An entry in the words of an agent's would be the agent's too.
        said = f"{guard}, by the person"
        return self._memory.remember(text, type=type, when=when, guard=said, origin="user")

    def decide_mark(self, id: str, *, accept: bool) -> Remembered:
        """Make a memory of a labelled line that waits, or decline it. A person's act."""
        from lithify.compact import review

        if not accept:
            return self.drop(id)
        with self._memory.locked():
            return review.accept(self._memory._workspace(), id, self._memory._time())

    def decide_guard(self, id: str, *, accept: bool) -> None:
        """Set a guard that was proposed, or decline it. A person's act."""
        from lithify.compact.marks import guard_named, memory_of_mark
        from lithify.compact.proposals import DECLINED_GUARD, proposed_guards
        from lithify.store.commit import note

        snapshot = self._memory.snapshot()
        found = proposed_guards(snapshot, self.in_force(snapshot))
        key, mark = next((key, mark) for key, mark in found if key.startswith(id))
        made = memory_of_mark(mark)
        if accept:
            guard = guard_named(mark.guard)
            self._set_guard(made.statement, made.type, made.when, guard)
        else:
            note(self._memory.root, DECLINED_GUARD, {"words": key}, self._memory._time())

    def requests(self) -> tuple[Waiting, ...]:
        """List what agents ask a person to change; a request whose ground changed has lapsed."""
        from lithify.compact.requests import waiting_requests

        snapshot = self._memory.snapshot()
        return waiting_requests(snapshot.ledger, self.in_force(snapshot))

    def request(
        self,
        action: Correction,
        *refs: str,
        statement: str = "",
        reason: str = "",
        origin: str = "agent",
    ) -> Request:
        """Ask a person to change memories, in the name of an agent; nothing is changed yet.

        An entry that is to be forgotten is out of context, recall and orders until a person decides.
        """
        from lithify.compact.requests import ask_for, ask_to_forget

        memory = self._memory
        clean = {"statement": memory.redacted(statement), "reason": memory.redacted(reason)}
        with memory.locked():
            if action == "forget":
                (id,) = refs
                told = {"reason": clean["reason"], "origin": origin}
                return ask_to_forget(memory._workspace(), id, self.in_force(), **told)
            return ask_for(memory._workspace(), action, refs, origin=origin, **clean)

    def decide_request(self, id: str, *, accept: bool) -> Waiting:
        """Accept or decline a request. A person's act."""
        from lithify.compact.requests import decline, waiting_request

        memory = self._memory
        with memory.locked():
            workspace = memory._workspace()
            one = waiting_request(workspace, id, self.in_force(workspace.snapshot))
            if not accept:
                decline(workspace, one.request, memory._time())
        if accept and one.request.entry:
            memory.forget(memory.choose_to_forget([one.request.entry]))
        elif accept:
            words = [one.request.statement] if one.request.action == "edit" else []
            getattr(self, one.request.action)(*one.refs, *words, reason=one.request.reason)
        return one

    def _kept(self, logged: Logged, statement: str) -> Kept:
        from lithify.compact.standing import words_key

        held, words = self.in_force(), words_key(statement)
        replaced = (
            one
            for one in held.gone()
            if one.status == "superseded" and words_key(one.because) == words
        )
        pairs = [pair for pair in held.conflicts() if words in {words_key(p.text) for p in pair}]
        others = (one for pair in pairs for one in pair if words_key(one.text) != words)
        return Kept(logged, self.file_of(logged.entries), tuple(replaced), tuple(others))

    def log(self, ref: str, snapshot: Snapshot | None = None) -> tuple[MemoryEvent, ...]:
        """Tell what became of a memory and of what it replaced, oldest first."""
        from lithify.compact.history import life_of
        from lithify.compact.review import words_told_of

        snapshot, conditions = snapshot or self._memory.snapshot(), self._memory._conditions()
        words = words_told_of(snapshot, ref, conditions)
        return life_of(snapshot, self.in_force(snapshot), words)

    def rebuild(self) -> None:
        """Write the files of memories again from what the journal holds, after a `forget`."""
        from lithify.compact.review import rebuild

        rebuild(self._memory._workspace(), self._memory._time())


class Wisdom:
    """The entries of `WISDOM.md`, the decisions that led to them, and the proposals that wait."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def entries(self) -> tuple[WisdomEntry, ...]:
        """List the entries in force."""
        return self._memory.snapshot().wisdom()

    def ages(self) -> tuple[Age, ...]:
        """Tell since when each entry in force holds, and when it was last confirmed."""
        from lithify.compact.wisdom import ages

        return ages(self._memory.snapshot(), self._memory.today().isoformat())

    def proposals(self) -> tuple[Proposal, ...]:
        """List the changes to wisdom that wait for a person."""
        return tuple(self._memory.snapshot().ledger.wisdom.proposals.values())

    def decide(self, proposal: str, *, approve: bool) -> None:
        """Approve or reject a proposal. A person's act."""
        from lithify.compact.review import decide_proposal

        with self._memory.locked():
            decide_proposal(self._memory._workspace(), proposal, approve, self._memory._time())

    def revoke(self, title: str, reason: str) -> None:
        """Take an entry out of wisdom, and out of force the rule it states; `restore` takes it back."""
        from lithify.compact.review import revoke

        with self._memory.locked():
            revoke(self._memory._workspace(), title, reason, self._memory._time())

    def restore(self, title: str) -> None:
        """Put an entry back that was revoked or dropped, and the memories it was made of in force again."""
        from lithify.compact.review import restore_entry

        with self._memory.locked():
            restore_entry(self._memory._workspace(), title, self._memory._time())

    def confirm(self, title: str) -> None:
        """Note that a person says today that an entry still holds, so that it is not stale."""
        from lithify.compact.review import confirm

        with self._memory.locked():
            confirm(self._memory._workspace(), title, self._memory._time())

    def revoke_source(self, source: str, reason: str) -> tuple[str, ...]:
        """Withdraw an entry or an origin, and all that rests on it; return the ids of the entries."""
        from lithify.compact.review import revoke_source

        memory = self._memory
        with memory.locked():
            ids = revoke_source(memory._workspace(), source, reason, memory._time())
            memory.memories.rebuild()
            return ids


class SearchIndex:
    """The search index of a root: derived from its files, kept current by every recall."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    @cached_property
    def search(self) -> RootSearch:
        """The search over this index."""
        from lithify.search.recall import RootSearch

        return RootSearch(self._memory._place, self._memory.settings)

    def update(
        self,
        *,
        rebuild: bool = False,
        vectors: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Indexed:
        """Bring the index up to date with the files, and its vectors if asked for."""
        index, done = self.search.index(rebuild=rebuild, progress=progress)
        self.search.give_back(index)
        return done._replace(vectors=self.search.embed()) if vectors else done

    def embed_later(self) -> None:
        """Start a process that embeds the texts without a vector, where vectors are in use."""
        import subprocess

        from lithify.search.vectors import installed

        wanted = self._memory.settings.recall.vectors, os.environ.get("LITHIFY_VECTORS")
        # Windows cannot replace an index that another process has open.
        if wanted[0] == "off" or wanted[1] == "off" or sys.platform == "win32" or not installed():
            return

        root, quiet = str(self._memory.root), subprocess.DEVNULL
        argv = [sys.executable, "-m", "lithify", "index", "--vectors", "--quiet", "--root", root]
        with suppress(OSError):
            subprocess.Popen(argv, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


#: What a person's yes or no does, by the kind of what waits.
_DECISIONS: Mapping[str, Callable[[Memory, str, bool], object]] = {
    "wisdom": lambda memory, item, yes: memory.wisdom.decide(item, approve=yes),
    "page": lambda memory, item, yes: memory._decide_page(item, yes),
    "request": lambda memory, item, yes: memory.memories.decide_request(item, accept=yes),
    "guard": lambda memory, item, yes: memory.memories.decide_guard(item, accept=yes),
    "memory": lambda memory, item, yes: memory.memories.decide_mark(item, accept=yes),
}


def offline_engine() -> Engine:
    """Return the engine that needs no model."""
    from lithify.engines.offline import Offline

    return Offline()
