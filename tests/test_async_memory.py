"""AsyncMemory: the calls of Memory, awaited, with the event loop free meanwhile."""

from __future__ import annotations

import asyncio
import inspect
import threading
from pathlib import Path

import pytest

import roots
from lithify import AsyncMemory, LithifyError
from lithify.memory import CompactOptions, Memory

#: What needs no thread or is no call: use `memory.sync`. These are all of Memory that is left out.
ONLY_SYNC = {"gate", "personal", "now", "today", "in_zone", "locked", "noted"}


@pytest.mark.parametrize("door", ["memory", "memories", "wisdom"])
def test_every_call_has_its_awaited_form_with_the_same_parameters(
    door: str, tmp_path: Path
) -> None:
    memory = AsyncMemory(roots.made(tmp_path))
    awaited = memory if door == "memory" else getattr(memory, door)
    of = type(awaited.sync)
    names = {name for name in vars(of) if not name.startswith("_")}
    assert {name for name in names if not hasattr(awaited, name)} == (
        ONLY_SYNC if of is Memory else set()
    )
    for name in names - ONLY_SYNC:
        call = getattr(type(awaited), name, None)
        if inspect.isfunction(vars(of)[name]) and name != "export":
            assert inspect.iscoroutinefunction(call), name
            assert inspect.signature(call) == inspect.signature(vars(of)[name]), name
    for name in ("open", "init"):
        ours, theirs = (inspect.signature(getattr(one, name)) for one in (AsyncMemory, Memory))
        assert ours.parameters == theirs.parameters


def test_a_program_logs_remembers_recalls_compacts_and_exports(tmp_path: Path) -> None:
    async def act() -> None:
        memory = AsyncMemory(roots.made(tmp_path))
        await memory.log("The staging database moved to port 6543.")
        await memory.remember("No deploys on Fridays.", type="feedback", origin="user")
        await memory.compact(CompactOptions(include_current=True))
        found = await memory.recall("staging database port")
        assert "6543" in await memory.fenced(found)
        assert [one.text for one in await memory.memories.list()] == ["No deploys on Fridays."]
        assert "No deploys on Fridays." in await memory.context()
        assert "6543" in "".join([piece async for piece in memory.export("jsonl")])
        with pytest.raises(LithifyError, match="nothing to look for"):
            await memory.recall(" ")
        again = await AsyncMemory.open(memory.root)
        assert (await again.status()).days == (await memory.status()).days

    asyncio.run(act())


def test_the_loop_goes_on_while_a_call_waits(tmp_path: Path) -> None:
    went_on = threading.Event()

    async def act() -> None:
        memory = AsyncMemory(roots.made(tmp_path))
        waiting = asyncio.create_task(memory.effects_of(lambda: went_on.wait(60)))
        while not waiting.done():
            went_on.set()
            await asyncio.sleep(0)
        assert waiting.result()[0]

    asyncio.run(act())


def test_many_calls_at_once_on_one_root_lose_nothing(tmp_path: Path) -> None:
    async def act() -> None:
        memory = AsyncMemory(roots.made(tmp_path))
        said = [f"Case {number} was closed by Tomasz." for number in range(12)]
        done = await asyncio.gather(*(memory.log(one) for one in said))
        assert len({id for one in done for id in one.entries}) == 12
        found = await asyncio.gather(*(memory.recall(one, budget=3000) for one in said))
        for one, answer in zip(said, found, strict=True):
            assert any(one in passage.text for passage in answer.passages)
        assert [p for p in await memory.check() if p.severity != "note"] == []

    asyncio.run(act())
