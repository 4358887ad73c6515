"""Class AsyncMemory: what Memory does, awaited. Each call runs in a thread and has no code of its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, Generic, Literal, ParamSpec, TypeVar

from lithify.calendar import Clock, system_clock
from lithify.memory import Memories, Memory, SearchIndex, Wisdom

D = TypeVar("D", covariant=True)
P = ParamSpec("P")
T = TypeVar("T")


class Threaded(Generic[D]):
    """An object whose methods run in threads; `sync` is the object itself, for all other uses."""

    sync: D


def threaded(
    method: Callable[Concatenate[D, P], T],
) -> Callable[Concatenate[Threaded[D], P], Coroutine[Any, Any, T]]:
    """Make a coroutine of a method: same parameters, same result, in a thread.

    A task that is cancelled no longer waits, but what its thread began is finished.
    """

    @wraps(method)
    async def call(self: Threaded[D], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, self.sync, *args, **kwargs)

    return call


class AsyncMemories(Threaded[Memories]):
    """The typed memories of a root, awaited."""

    def __init__(self, memory: Memory) -> None:
        self.sync = memory.memories

    list = threaded(Memories.list)
    gone = threaded(Memories.gone)
    conflicts = threaded(Memories.conflicts)
    in_force = threaded(Memories.in_force)
    waiting = threaded(Memories.waiting)
    find = threaded(Memories.find)
    file_of = threaded(Memories.file_of)
    decide_mark = threaded(Memories.decide_mark)
    drop = threaded(Memories.drop)
    restore = threaded(Memories.restore)
    supersede = threaded(Memories.supersede)
    keep_both = threaded(Memories.keep_both)
    edit = threaded(Memories.edit)
    requests = threaded(Memories.requests)
    request = threaded(Memories.request)
    decide_request = threaded(Memories.decide_request)
    guard = threaded(Memories.guard)
    decide_guard = threaded(Memories.decide_guard)
    log = threaded(Memories.log)
    rebuild = threaded(Memories.rebuild)


class AsyncWisdom(Threaded[Wisdom]):
    """The wisdom of a root, awaited."""

    def __init__(self, memory: Memory) -> None:
        self.sync = memory.wisdom

    entries = threaded(Wisdom.entries)
    ages = threaded(Wisdom.ages)
    proposals = threaded(Wisdom.proposals)
    decide = threaded(Wisdom.decide)
    revoke = threaded(Wisdom.revoke)
    restore = threaded(Wisdom.restore)
    confirm = threaded(Wisdom.confirm)
    revoke_source = threaded(Wisdom.revoke_source)


class AsyncIndex(Threaded[SearchIndex]):
    """The search index of a root, awaited."""

    def __init__(self, memory: Memory) -> None:
        self.sync = memory.index

    update = threaded(SearchIndex.update)


class AsyncMemory(Threaded[Memory]):
    """The memory under one root, for programs with an event loop: Memory's calls, awaited.

    >>> memory = await AsyncMemory.open("agent")  # doctest: +SKIP
    >>> await memory.log("Shipped 2.4.1.")  # doctest: +SKIP
    """

    def __init__(self, memory: Memory) -> None:
        self.sync = memory
        self.memories = AsyncMemories(memory)
        self.wisdom = AsyncWisdom(memory)
        self.index = AsyncIndex(memory)

    @staticmethod
    async def open(
        root: str | os.PathLike[str] | None = None, *, clock: Clock = system_clock
    ) -> AsyncMemory:
        """Open a root, as `Memory.open` does."""
        return AsyncMemory(await asyncio.to_thread(Memory.open, root, clock=clock))

    @staticmethod
    async def init(
        root: str | os.PathLike[str],
        *,
        patterns: Iterable[str] | None = None,
        gate: bool = False,
        clock: Clock = system_clock,
    ) -> AsyncMemory:
        """Make a folder a root, as `Memory.init` does."""
        made = asyncio.to_thread(Memory.init, root, patterns=patterns, gate=gate, clock=clock)
        return AsyncMemory(await made)

    @property
    def root(self) -> Path:
        """The folder of this memory."""
        return self.sync.root

    caller_origin = threaded(Memory.caller_origin)
    effects_of = threaded(Memory.effects_of)
    redacted = threaded(Memory.redacted)
    snapshot = threaded(Memory.snapshot)
    log = threaded(Memory.log)
    append_entries = threaded(Memory.append_entries)
    mark_outdated = threaded(Memory.mark_outdated)
    remember = threaded(Memory.remember)
    recall = threaded(Memory.recall)
    fenced = threaded(Memory.fenced)
    context = threaded(Memory.context)
    explained_context = threaded(Memory.explained_context)
    pages = threaded(Memory.pages)
    page = threaded(Memory.page)
    status = threaded(Memory.status)
    trace = threaded(Memory.trace)
    diff = threaded(Memory.diff)
    quarantine = threaded(Memory.quarantine)
    usage = threaded(Memory.usage)
    plan = threaded(Memory.plan)
    forecast = threaded(Memory.forecast)
    compact = threaded(Memory.compact)
    left_to_agent = threaded(Memory.left_to_agent)
    review = threaded(Memory.review)
    decide = threaded(Memory.decide)
    next_order = threaded(Memory.next_order)
    hand_in = threaded(Memory.hand_in)
    prompt = threaded(Memory.prompt)
    engine = threaded(Memory.engine)
    facts = threaded(Memory.facts)
    budget = threaded(Memory.budget)
    summary_reader = threaded(Memory.summary_reader)
    check = threaded(Memory.check)
    repair = threaded(Memory.repair)
    renew_moments = threaded(Memory.renew_moments)
    adopt_journal = threaded(Memory.adopt_journal)
    scan = threaded(Memory.scan)
    remove_secrets = threaded(Memory.remove_secrets)
    choose_to_forget = threaded(Memory.choose_to_forget)
    forget = threaded(Memory.forget)
    undo = threaded(Memory.undo)
    remains = threaded(Memory.remains)
    auto_memory = threaded(Memory.auto_memory)
    sources = threaded(Memory.sources)
    trust = threaded(Memory.trust)
    take_back = threaded(Memory.take_back)
    bring_back = threaded(Memory.bring_back)
    unattended = threaded(Memory.unattended)
    allow_unattended = threaded(Memory.allow_unattended)

    async def export(self, form: Literal["book", "jsonl"]) -> AsyncIterator[str]:
        """Write the memory as one book in Markdown, or as lines of JSON; yield its pieces."""
        pieces = await asyncio.to_thread(self.sync.export, form)
        while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
            yield piece
