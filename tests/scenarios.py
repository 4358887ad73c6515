"""What the fault loops break: captures, commits, saved replies, and recoveries of these.

Imports nothing that is slow to start: a fresh interpreter loads it for every killed run.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import faults
from lithify.store import commit, disk, journal
from lithify.store.check import check
from lithify.store.commit import append_day, note, save_new
from lithify.store.recover import recover
from lithify.store.repair import repair

TIME = "2026-04-02T14:00:00Z"
DAY = "memory/2026-04-02.md"
FIRST = b"- 14:00 the deploy went out at 13:58\n"
SECOND = b"- 14:05 and it holds\n"
WEEK = "memory/weekly/2026-W14.md"
MONTH = "memory/monthly/2026-04.md"


@dataclass(frozen=True)
class Append:
    """One entry captured into a day that may exist, with or without a last newline."""

    day: bytes = b""
    known: bool = False

    def prepare(self, root: Path) -> None:
        if self.day:
            (root / "memory").mkdir()
            (root / DAY).write_bytes(self.day)
        if self.known:
            note(root, "init", {}, TIME)

    def act(self, root: Path) -> None:
        append_day(root, DAY, FIRST, "capture", {"origin": "web"}, TIME)

    def check(self, root: Path, crash: faults.Crash) -> None:
        assert _bytes(root / DAY).startswith(self.day)
        recorded = any(record.kind == "capture" for record in journal.read(root).records)
        _assert_honest(crash, recorded)
        whole = self._with(FIRST)
        if crash.done:
            assert _bytes(root / DAY) == whole

        note(root, "next", {}, TIME)
        assert _bytes(root / DAY) == (whole if recorded else self.day)

        append_day(root, DAY, SECOND, "capture", {}, TIME)
        assert _bytes(root / DAY) == (whole + SECOND if recorded else self._with(SECOND))
        assert check(root) == ()

    def _with(self, entry: bytes) -> bytes:
        if not self.day:
            return entry
        return self.day + (b"" if self.day.endswith(b"\n") else b"\n") + entry


@dataclass(frozen=True)
class Commit:
    """New versions of derived files beside a day that is not to be touched."""

    old: Mapping[str, bytes] = field(default_factory=dict)
    new: Mapping[str, bytes | None] = field(default_factory=dict)

    def prepare(self, root: Path) -> None:
        for path, data in {DAY: FIRST, **self.old}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)

    def act(self, root: Path) -> None:
        commit.commit(root, self.new, "summary", {"engine": "offline"}, TIME)

    def check(self, root: Path, crash: faults.Crash) -> None:
        assert _bytes(root / DAY) == FIRST
        for path, new in self.new.items():
            assert _bytes(root / path) in (self.old.get(path, b""), new or b"")
        recorded = any(record.kind == "summary" for record in journal.read(root).records)
        _assert_honest(crash, recorded)

        note(root, "next", {}, TIME)
        for path, new in self.new.items():
            assert _bytes(root / path) == ((new or b"") if recorded else self.old.get(path, b""))

        self.act(root)
        for path, new in self.new.items():
            assert _bytes(root / path) == (new or b"")
            assert (root / path).exists() == (new is not None)
        for path, data in self.old.items():
            kept = root / ".lithify/history" / path / disk.sha(data)
            assert kept.read_bytes() == data
        assert _bytes(root / DAY) == FIRST
        assert check(root) == ()


@dataclass(frozen=True)
class Save:
    """A reply that was paid for."""

    def prepare(self, root: Path) -> None:
        pass

    def act(self, root: Path) -> None:
        save_new(root, ".lithify/replies/one", FIRST)

    def check(self, root: Path, crash: faults.Crash) -> None:
        saved = root / ".lithify/replies/one"
        assert _bytes(saved) in (b"", FIRST) and saved.exists() == bool(_bytes(saved))
        assert saved.exists() or not crash.done
        self.act(root)
        assert saved.read_bytes() == FIRST
        assert check(root) == ()


@dataclass(frozen=True)
class Repair:
    """A damaged journal, a reply that belies its name, and leftovers, put right."""

    def prepare(self, root: Path) -> None:
        append_day(root, DAY, FIRST, "capture", {"origin": "web"}, TIME)
        note(root, "one", {}, TIME)
        note(root, "two", {}, TIME)
        book = root / ".lithify/journal.jsonl"
        book.write_bytes(book.read_bytes().replace(b'"origin":"web"', b'"origin":"wxb"'))
        wrong = root / ".lithify/replies" / disk.sha(b"right")
        wrong.parent.mkdir()
        wrong.write_bytes(b"wrong")
        (root / ".lithify/staged" / disk.sha(b"left")).write_bytes(b"left")

    def act(self, root: Path) -> None:
        repair(root, TIME)

    def check(self, root: Path, crash: faults.Crash) -> None:
        assert "\n" not in crash.message
        before = journal.read(root)
        copies = root / ".lithify/history/repair"
        if not before.faults:
            assert [r.kind for r in before.records] == ["capture", "one", "two", "repaired"]
            kept = root / before.records[-1].data["copy"]
            assert disk.sha(kept.read_bytes()) == before.records[-1].data["sha256"]
        if not (root / ".lithify/replies" / disk.sha(b"right")).exists():
            assert any(
                path.read_bytes() == b"wrong" for path in copies.rglob("*") if path.is_file()
            )
        # The leftover may belong to the damaged line, so it is set aside and told.
        left = repair(root, TIME).left
        assert {(problem.kind, problem.severity) for problem in left} == {("unclaimed", "note")}
        kinds = [record.kind for record in journal.read(root).records]
        assert kinds == ["capture", "one", "two", "repaired"]
        assert _bytes(root / DAY) == FIRST


@dataclass(frozen=True)
class Recovery:
    """The run after a killed one, killed too; `left` is the root as the first one left it."""

    broken: Append | Commit
    left: Path

    def prepare(self, root: Path) -> None:
        shutil.copytree(self.left, root, dirs_exist_ok=True)

    def act(self, root: Path) -> None:
        recover(root)

    def check(self, root: Path, crash: faults.Crash) -> None:
        self.broken.check(root, faults.Crash("kill", 0, done=False))


new_day = Append()
known_root = Append(known=True)
grown_day = Append(day=b"# 2026-04-02\n\n- 09:00 stand-up\n", known=True)
day_without_newline = Append(day=b"- written by hand", known=True)
new_file = Commit(new={WEEK: b"# Week\n"})
replaced_file = Commit(old={WEEK: b"# Week, first\n"}, new={WEEK: b"# Week, second\n"})
two_files = Commit(
    old={WEEK: b"# Week, first\n"}, new={WEEK: b"# Week, second\n", MONTH: b"# Month\n"}
)
twins = Commit(old={WEEK: b"# old\n"}, new={WEEK: b"# same\n", MONTH: b"# same\n"})
deletion = Commit(old={WEEK: b"# Week\n"}, new={WEEK: None})
save = Save()
broken_root = Repair()


def killed_recoveries(folder: Path, kinds: list[str]) -> dict[str, int]:
    """Breaks the recovery of each distinct state that a killed run can leave."""
    points = dict.fromkeys(kinds, 0)
    broken: list[Append | Commit] = [day_without_newline, twins, deletion]
    seen: list[dict[str, bytes]] = []
    # The check of a recovery is that of the run it recovers, whatever killed it.
    checked: dict[int, set[faults.Left]] = {id(scenario): set() for scenario in broken}
    for scenario, kind in itertools.product(broken, faults.KILLS):
        for point in itertools.count(1):
            trial = folder / "trial"
            trial.mkdir()
            scenario.prepare(trial)
            ended = faults.break_at(kind, point, lambda s=scenario, t=trial: s.act(t), trial)
            state = _files(trial)
            if ended and any("/staged/" in path for path in state) and state not in seen:
                seen.append(state)
                known = checked[id(scenario)]
                again = faults.drive(Recovery(scenario, trial), folder, kinds, known)
                points = {kind: points[kind] + again[kind] for kind in kinds}
            shutil.rmtree(trial)
            if ended is None:
                break
    return points


def _assert_honest(crash: faults.Crash, recorded: bool) -> None:
    """What the caller was told is true: done, nothing changed, or recorded for the next run."""
    assert "\n" not in crash.message
    if crash.done:
        assert recorded
    if crash.error:
        assert crash.error == ("Unfinished" if recorded else "StorageError")


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _files(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file() and path.name != "lock")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}
