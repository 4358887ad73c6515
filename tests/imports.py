"""Files of other tools for the tests of importers, and the fault scenario of an import."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import faults
from lithify.importers.import_run import Imported, import_from
from lithify.importers.sources import source_named
from lithify.memory import Memory
from lithify.store import journal

FIXTURES = Path(__file__).parent / "fixtures" / "imports"
NOW = datetime(2026, 4, 20, 2, 0, tzinfo=UTC)

_PARTS = {
    "invoice export": "jobs/export.py",
    "login page": "web/login.py",
    "search index": "index/build.py",
    "stock sync": "sync/stock.py",
    "label printer": "depot/labels.py",
    "rate table": "depot/rates.py",
}
#: What is asked of a part, and what comes of it.
_TURNS = (
    (
        "The {part} is slow since Monday, find out why and tell me before you change anything.",
        "I did not change anything yet. The {part} reads the whole table for every row, which takes {hour} seconds for {number} rows. Reading 500 rows at a time would take less than one.",
    ),
    (
        "Add a test for the {part} that fails when a row has no currency.",
        "The {part} has the test, and it names the row that has no currency. It failed before the fix; all {number} tests pass now.",
    ),
    (
        "Rename the settings of the {part} so that they all begin with {word}_, and keep the old names for one release.",
        "The settings of the {part} begin with {word}_ now. The old names still work and print a warning; they go with the next release.",
    ),
    (
        "Why does the {part} run twice at {hour}:00? The log says {number} rows each time.",
        "The {part} has two timers: one in cron and one in the worker. I would remove the one in cron, because the worker also knows about holidays.",
    ),
    (
        "Please write down what we decided about the {part}: no retries after {one} failures.",
        "Decision noted in docs/decisions.md: the {part} gives up after {one} failures, because the carrier locks the account after that.\n\n```python\nMAX = {one}\n```\n\n| try | wait |\n|---|---|\n| 1 | 2 s |",
    ),
    ("ok, go on", "Done. The branch is pushed and the review is asked for."),
    (
        "Move the {part} to the nightly batch. Mira signed it off yesterday, {number} EUR a month is the limit.",
        "The {part} is in the nightly batch.\n\n- It starts at 0{one}:30.\n- It stays below {number} EUR a month.\n- The old timer is gone.",
    ),
)
_COMMANDS = (
    "pytest -q tests",
    "git diff --stat",
    "make lint",
    "rg 'currency' -n src",
    "git commit -am wip",
)


def transcript(path: Path, turns: int = 500, output: int = 2_000) -> Path:
    """A Claude Code session of so many turns with varied content; tools print `output` characters."""
    chance = random.Random(7)
    when = datetime(2026, 3, 2, 8, 30, tzinfo=UTC)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for number in range(turns):
            for record in _turn(chance, number, output):
                when += timedelta(seconds=chance.randrange(5, 120))
                stamp = when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                base = {"sessionId": "s", "cwd": "/srv/depot", "isSidechain": False}
                facts = {
                    **base,
                    "uuid": f"{number}-{stamp}",
                    "timestamp": stamp,
                    "version": "2.1.0",
                }
                file.write(json.dumps({**facts, **record}) + "\n")
            if when.hour >= 17:
                when = when.replace(hour=8, minute=30) + timedelta(
                    days=3 if when.weekday() == 4 else 1
                )
    return path


def _turn(chance: random.Random, number: int, output: int) -> Iterator[dict[str, Any]]:
    part, file = [*_PARTS.items()][(number * 5 + number // 6) % len(_PARTS)]
    words = {
        "part": part,
        "word": chance.choice(("depot", "line", "gate")),
        "hour": chance.randrange(10, 23),
        "number": chance.randrange(12, 4000),
        "one": chance.randrange(2, 7),
    }
    asked, found = (
        text.format(**words) for text in _TURNS[(number * 3 + number // 7) % len(_TURNS)]
    )
    looks = [("Read", {"file_path": f"/srv/depot/{file}"}), ("Grep", {"pattern": "currency"})]
    works = [("Edit", {"file_path": f"/srv/depot/{name}"}) for name in (file, "tests/test_rows.py")]
    works += [("Bash", {"command": chance.choice(_COMMANDS)})]
    calls = looks if "Why" in asked or "find out" in asked else looks + works
    if number % 9 == 0:
        asked = f"<system-reminder>\nREMINDER {number}\n</system-reminder>\n{asked}"
    if number % 25 == 0:
        asked += "\n\n```\n" + "\n".join(f"PASTED line {n}" for n in range(30)) + "\n```"
    yield {"type": "user", "message": {"role": "user", "content": asked}}
    for step in range(chance.randrange(0, 5)):
        name, given = chance.choice(calls)
        call = {"type": "tool_use", "id": f"{number}-{step}", "name": name, "input": given}
        said = {"type": "text", "text": "Let me look at that."}
        yield {"type": "assistant", "message": {"role": "assistant", "content": [said, call]}}
        printed = "TOOLOUTPUT " * (output // 11)
        result = {"type": "tool_result", "tool_use_id": f"{number}-{step}", "content": printed}
        yield {"type": "user", "message": {"role": "user", "content": [result]}}
    content = [{"type": "thinking", "thinking": "THOUGHT"}, {"type": "text", "text": found}]
    yield {"type": "assistant", "message": {"role": "assistant", "content": content}}


def database(script: Path, path: Path) -> Path:
    """Make a database of another tool from the script of a fixture."""
    with sqlite3.connect(path) as opened:
        opened.executescript(script.read_text())
    opened.close()
    return path


def claude_mem(path: Path) -> Path:
    """A database as claude-mem leaves it."""
    return database(FIXTURES / "claude-mem/claude-mem.sql", path)


def new_root(root: Path) -> Memory:
    (root / "memory").mkdir(parents=True, exist_ok=True)
    (root / "lithify.toml").write_text('zone = "UTC"\n')
    return Memory.open(root, clock=lambda: NOW)


def bring(memory: Memory, source: str, path: Path, **options: Any) -> Imported:
    return import_from(memory, source_named(source), path, **options)


def days(root: Path) -> dict[str, str]:
    return {file.stem: file.read_text("utf-8") for file in sorted((root / "memory").glob("*.md"))}


@dataclass(frozen=True)
class Import:
    """Two days of memories of another tool, one of them in a day that is there already."""

    def prepare(self, root: Path) -> None:
        new_root(root)
        (root / "memory/2026-01-01.md").write_text("- 09:00 here before\n")
        items = [
            {
                "id": n,
                "memory": f"Item {n} of them",
                "created_at": f"2026-01-0{1 + n // 2}T1{n}:00:00Z",
            }
            for n in range(4)
        ]
        (root.parent / "memories.json").write_text(json.dumps({"results": items}))

    def act(self, root: Path) -> None:
        bring(Memory.open(root, clock=lambda: NOW), "mem0", root.parent / "memories.json")

    def check(self, root: Path, crash: faults.Crash) -> None:
        self.act(root)
        found = days(root)
        for n in range(4):
            assert f"- 1{n}:00 Remember: Item {n} of them\n" in found[f"2026-01-0{1 + n // 2}"]
        assert found["2026-01-01"].startswith("- 09:00 here before\n")
        assert [text.count("\n") for text in found.values()] == [3, 2]
        keys = [key for facts in journal.holding(root, "imported") for key in facts["imported"]]
        assert len(keys) == len(set(keys)) == 4


killed_import = Import()
