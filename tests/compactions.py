"""Whole compactions, killed at many of their calls to the disk, resumed and compared.

A fresh interpreter runs these: it forks a child for every point at which it is killed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import faults
import roots
from lithify.engines.base import Call
from lithify.memory import CompactOptions, Memory
from lithify.store import disk, journal

#: At most so many points of a kind, spread evenly over the run.
POINTS = {"kill": 5, "kill-half": 2}
LATER = roots.NOW + timedelta(days=1)

Act = Callable[[Path, Any], None]


class Logging(roots.Careful):
    """A careful model that leaves a line beside the root for every call, killed or not."""

    def __init__(self, log: Path) -> None:
        super().__init__()
        self.log = log

    def complete(self, prompt: str, **options: Any) -> Any:  # type: ignore[override]
        with self.log.open("a") as file:
            file.write("asked\n")
        return super().complete(prompt, **options)


def with_model(root: Path, now: Any = roots.NOW) -> None:
    model = Logging(root.with_name(f"{root.name}.calls"))
    opened(root, now).compact(CompactOptions(model=model, accept_removed=True))


def with_offline(root: Path, now: Any = roots.NOW) -> None:
    opened(root, now).compact(CompactOptions(accept_removed=True))


def with_agent(root: Path, now: Any = roots.NOW) -> None:
    """An agent that writes what is due, and another that reads it, until nothing is left."""
    memory = opened(root, now)
    memory.compact(CompactOptions((), accept_removed=True))
    log = root.with_name(f"{root.name}.calls")
    while True:
        session = "writer"
        order = memory.next_order(client="test", session=session).order
        if order is None:
            session = "reader"
            found = memory.next_order(client="test", session=session, as_reader=True)
            order = found.order
            if order is None and found.results:
                # What was read may let a month be written.
                continue
        if order is None:
            return
        with log.open("a") as file:
            file.write("asked\n")
        reply = roots.answer(Call(order.user, order.system, 0, 0))
        memory.hand_in(order.id, reply, client="test", session=session)


def opened(root: Path, now: Any) -> Memory:
    return Memory.open(root, clock=lambda: now)


def new_root(folder: Path) -> None:
    """Days that nobody has compacted yet, one of them with a stranger's words."""
    roots.make(folder, roots.MARKED)
    opened(folder, roots.NOW).log(
        "Always reboot twice, says example.com.", origin="web", at=roots.NOW - timedelta(days=9)
    )


def grown_root(folder: Path) -> None:
    """A root at rest in which a day was edited, one added, one let go, and a page written by hand."""
    new_root(folder)
    opened(folder, roots.NOW).compact(CompactOptions(model=roots.Careful()))
    roots.put(folder, "2026-04-01", ["Decided to keep the old parser until June."])
    roots.put(
        folder, "2026-04-08", ["Merged PR 318.", "Rule: Always tag a release before a deploy."]
    )
    (folder / "memory/2026-03-31.md").unlink()
    page = folder / "WISDOM.md"
    page.write_text(page.read_text() + "\n- Priya decides about the login page.\n")


def _drive(
    prepare: Callable[[Path], None], act: Act, later: float, folder: Path, kinds: list[str]
) -> dict[str, int]:
    """Kill runs at some points; `later` by a part of their distance, so that no two runs' agree."""
    start = folder / "start"
    prepare(start)
    wanted, calls = {}, 0
    made: list[str] = []
    for now in (roots.NOW, LATER):
        whole = _copy(start, folder / f"whole-{now.day}")
        made = _made(lambda whole=whole, now=now: act(whole, now))  # type: ignore[misc]
        wanted[now] = roots.pages(whole)
        calls = _calls(whole)
    met = {}
    for kind in kinds:
        total = made.count("write") if kind == "kill-half" else len(made)
        points = [1 + int((n + later) * total / POINTS[kind]) for n in range(POINTS[kind])]
        hit = 0
        for point in points:
            root = _copy(start, folder / f"{kind}-{point}")
            crash = faults.break_at(kind, point, lambda root=root: act(root, roots.NOW), root)  # type: ignore[misc]
            hit += crash is not None
            _check(root, act, roots.pages(start), wanted, calls)
            shutil.rmtree(root)
        met[kind] = hit
    return met


#: Each engine on each root, by the names that the tests ask for.
model_on_new_root = partial(_drive, new_root, with_model, 0 / 6)
model_on_grown_root = partial(_drive, grown_root, with_model, 1 / 6)
agent_on_new_root = partial(_drive, new_root, with_agent, 2 / 6)
agent_on_grown_root = partial(_drive, grown_root, with_agent, 3 / 6)
offline_on_new_root = partial(_drive, new_root, with_offline, 4 / 6)
offline_on_grown_root = partial(_drive, grown_root, with_offline, 5 / 6)


def _check(root: Path, act: Act, before: dict[str, bytes], wanted: Any, calls: int) -> None:
    """After a kill: nothing torn, no source touched; after the next run: the same bytes.

    Each order of an agent is a run of its own, with the time at which it was answered: its pages are
    compared without their times.
    """
    shown = _timeless if act is with_agent else dict
    begun = any(record.kind == "begin" for record in journal.read(root).records[_known(root) :])
    final = wanted[roots.NOW]
    # A page is committed, then read, and may change once more: each state was recorded whole.
    records = journal.read(root).records
    known = {sha for record in records for sha in record.data.get("files", {}).values()}
    for path, data in roots.pages(root).items():
        whole = act is with_agent and hashlib.sha256(data).hexdigest() in known
        assert whole or data in (before.get(path), final.get(path)), f"{path} is torn"
        assert data == before.get(path) or not path.startswith("memory/2026-"), path
    saved = _replies(root)
    made = _calls(root)
    act(root, LATER)
    assert shown(roots.pages(root)) == shown(wanted[roots.NOW if begun else LATER])
    # A reply that reached disk is never asked for again: one call a kill is lost at most.
    assert _calls(root) <= calls + 1
    assert _calls(root) - made == _replies(root) - saved
    assert opened(root, LATER).check() == ()


def _timeless(pages: dict[str, bytes]) -> dict[str, bytes]:
    """Pages without the times of their runs."""
    times = re.compile(
        rb"(?<=^created: )\S+|(?<=^Last compacted: )\S+|(?<=^read: agent:test )\S+", re.M
    )
    return {path: times.sub(b"", data) for path, data in pages.items()}


def _known(root: Path) -> int:
    """How many records the journal had before the run."""
    return int(root.with_name(f"{root.name}.known").read_text())


def _copy(start: Path, root: Path) -> Path:
    shutil.copytree(start, root)
    root.with_name(f"{root.name}.known").write_text(str(len(journal.read(root).records)))
    return root


def _replies(root: Path) -> int:
    folder = root / ".lithify/replies"
    return sum(path.suffix == ".json" for path in folder.iterdir()) if folder.is_dir() else 0


def _calls(root: Path) -> int:
    log = root.with_name(f"{root.name}.calls")
    return len(log.read_text().splitlines()) if log.exists() else 0


def _made(act: Callable[[], None]) -> list[str]:
    """The calls to the disk that a run makes."""
    made: list[str] = []

    class Counting:
        def __getattr__(self, name: str) -> Any:
            if name in faults._CALLS:
                made.append(name)
            return getattr(os, name)

    disk.os = Counting()  # type: ignore[assignment]
    try:
        act()
    finally:
        disk.os = os
    return made
