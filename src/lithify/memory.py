"""class Memory: one root, and everything that can be done with it. Parts are wired here only."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from datetime import date
from functools import cached_property, partial
from typing import TYPE_CHECKING

from lithify import config
from lithify.audited_root import AuditedRoot
from lithify.calendar import Clock, system_clock
from lithify.errors import UsageError
from lithify.open_root import chosen_root, placed

if TYPE_CHECKING:
    from lithify.compact.forecast import Forecast
    from lithify.compact.orders import HandedIn, Progress
    from lithify.compact.run import Report, Run
    from lithify.compact.status import Status
    from lithify.engines.agent import AgentEngine
    from lithify.engines.base import Engine, MemoryModel, Step
    from lithify.engines.model.prompt import Prompt
    from lithify.engines.providers.budget import Limit
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.search.recall import RootSearch
    from lithify.search.refresh import Indexed
    from lithify.values import Recall, Task, Tier


class Memory(AuditedRoot):
    """The memory under one root.

    >>> memory = Memory.open("examples/sample")  # doctest: +SKIP
    >>> memory.log("Shipped 2.4.1.")  # doctest: +SKIP
    """

    @staticmethod
    def open(root: str | os.PathLike[str] | None = None, *, clock: Clock = system_clock) -> Memory:
        """Open a root: the one given, `$LITHIFY_ROOT`, or the nearest parent that is one."""
        place = chosen_root(root)
        return Memory(place, config.load(place), clock)

    @staticmethod
    def init(
        root: str | os.PathLike[str],
        *,
        patterns: Iterable[str] | None = None,
        gate: bool = False,
        clock: Clock = system_clock,
    ) -> Memory:
        """Make a folder a root: `memory/`, a commented `lithify.toml`, and `.lithify/.gitignore`.

        `patterns` say where its days are; left out, they are those of the dated files there. With
        `gate` the gate is switched on; without, a root that has it keeps it.
        """
        from pathlib import Path

        from lithify.secrets.state import ignore
        from lithify.store.days import found_patterns
        from lithify.store.tree import make_root

        place = Path(placed(root))
        days = found_patterns(place) if patterns is None else tuple(patterns)
        make_root(place, config.template(days).encode())
        ignore(place)
        Memory.open(place, clock=clock).gate.settle(gate)
        return Memory.open(place, clock=clock)

    @property
    def gate(self) -> Gatekeeper:
        """The gate of this root: jobs, their records and chains."""
        from lithify.gate.gatekeeper import Gatekeeper

        return Gatekeeper(self.root, self._clock)

    # Looking

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
        """What is current, what is behind, and by how much. Nothing is written, not even a cache."""
        from lithify.compact.snapshot import Snapshot
        from lithify.compact.status import status_of
        from lithify.store.days import unmatched

        beside = unmatched(self.root, self.settings.days.patterns)
        snapshot = Snapshot(self.root, self.settings, save=False)
        return status_of(snapshot, self.ask())._replace(unmatched=beside)

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
        from lithify.compact.status import status_of
        from lithify.search.context import MIN_BUDGET, compose, gather, job_shown

        if budget < MIN_BUDGET:
            raise UsageError(reason=f"a context needs a budget of {MIN_BUDGET} tokens or more")
        snapshot = self.snapshot()
        status = status_of(snapshot, self.ask())
        state, origin = job_shown(self.gate, job, session, self.settings.trust.taint)
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
            raise UsageError(reason=f"the first day, {since}, is after the last, {until}")
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
        from lithify.search.recall import RootSearch

        return RootSearch(self._place, self.settings)

    # Compaction

    def engine(
        self,
        model: str | MemoryModel | None = None,
        budget: Limit | None = None,
        step: Step | None = None,
    ) -> Engine:
        """The engine a model string or object stands for; the configured one by default.

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

        prompts, floor = config.load_prompts(self.root), offline_engine()
        return engine_for(wanted, self.root, self.settings, prompts, floor, budget, step)

    def forecast(
        self,
        tasks: Iterable[Task],
        model: str | MemoryModel | None = None,
        audit: str | MemoryModel | None = None,
    ) -> tuple[Forecast, ...]:
        """What writing these tasks would take: calls, tokens, and what is paid for already.

        With a model as second reader (`audit`, else `verify.audit`), also what that would take.
        """
        from lithify.compact.forecast import forecast

        today = self.today().isoformat()
        engine, auditor = self.engine(model), self.auditor(audit)
        return forecast(self.snapshot(), tuple(tasks), engine, today, auditor)

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
        audit: str | MemoryModel | None = None,
        progress: Callable[[Task, int, int], None] | None = None,
        budget: Limit | None = None,
        step: Step | None = None,
    ) -> Report:
        """Write all that is due: weeks, typed memories, months, wisdom.

        With a limit in USD or tokens it ends with `BudgetReached` before the call that could cross
        it; what is written is in force. With several workers, independent pages are asked for at
        the same time. `engine` is any writer, in place of a model. With `rewrite`, current pages
        are written too. `audit` names a second reader, in place of `verify.audit`. `budget` takes
        the place of the two limits, and `step` carries out each call and each commit.
        """
        from lithify.compact.run import Run
        from lithify.compact.workspace import Workspace

        budget = budget or self.budget(model, max_cost, max_tokens_total)
        writer = engine or self.engine(model, budget, step)
        agent = writer.name.startswith("agent:")
        writer = offline_engine() if agent else writer
        with self.alone():
            ask = self.ask(writer, include_current=include_current, retry=retry)
            state = (self.snapshot(), self._clock, ask, offline_engine())
            workspace = Workspace(*state, **self._audits(audit, budget, step=step), step=step)
            run = Run(workspace, writer, fallback, workers, "all" if rewrite else "")
            if agent:
                from lithify.compact.orders import waits_for_agent

                run.leaves = partial(waits_for_agent, workspace.snapshot, today=self.today())
            if progress:
                run.progress = progress
            if accept_removed:
                run.accept_removed()
            return run.compact(tuple(tiers), period)

    # The agent as writer

    def next_order(
        self,
        *,
        rewrite: bool = False,
        retry: bool = False,
        client: str = "unknown",
        session: str = "",
        trusted: bool = True,
    ) -> Progress:
        """The next page that the agent at work is to write or audit; with `rewrite`, also offline ones.

        With `retry` periods that failed are offered again. What an agent that is not `trusted` decides on wisdom waits for a person. `session` wrote its pages itself, so others audit them.
        """
        from lithify.compact.orders import advance

        engine = self._agent(client)
        with self.alone():
            return advance(self._orders(engine, rewrite, trusted, session, retry), session)

    def hand_in(
        self,
        order: str,
        text: str,
        *,
        rewrite: bool = False,
        client: str = "unknown",
        session: str = "",
        trusted: bool = True,
    ) -> HandedIn:
        """Take the agent's reply to an order: verified, and committed or sent back."""
        from lithify.compact.orders import hand_in

        engine = self._agent(client)
        with self.alone():
            begin = partial(self._orders, engine, rewrite, trusted, session)
            return hand_in(begin, engine, order, text, session)

    def _agent(self, client: str = "unknown") -> AgentEngine:
        from lithify.compact.orders import agent_room
        from lithify.engines.agent import Absent, AgentEngine
        from lithify.engines.replies import SavedReplies

        room = agent_room(self.settings.agent.order_tokens)
        replies = SavedReplies(self.root, f"agent:{client}", self.settings.redact)
        return AgentEngine(Absent(), config.load_prompts(self.root), replies, room, client=client)

    def _orders(
        self, engine: AgentEngine, rewrite: bool, trusted: bool, session: str, retry: bool
    ) -> Run:
        from lithify.compact.run import Run
        from lithify.compact.workspace import Workspace

        # An order holds trusted material only; the offline engine adds the rest.
        ask = self.ask(engine, retry=retry)
        state = (self.snapshot(), self._clock, ask, None, offline_engine(), not trusted)
        workspace = Workspace(*state, **self._audits(session=session))
        return Run(workspace, engine, rewrite="offline" if rewrite else "")

    def prompt(self, stage: str, period: str, model: MemoryModel | None = None) -> Prompt:
        """Exactly what the first call for a period would send."""
        from lithify.compact.forecast import preview
        from lithify.engines.base import Scripted
        from lithify.engines.model import ModelEngine

        engine = self.engine(model or Scripted((), self.settings.model))
        assert isinstance(engine, ModelEngine)
        return preview(self.snapshot(), stage, period, engine, self.ask(include_current=True))


def offline_engine() -> Engine:
    """The engine that needs no model."""
    from lithify.engines.offline import Offline

    return Offline()
