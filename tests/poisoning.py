"""Attacks on a memory and their honest twins, told by the files of tests/poison.

`python tests/poisoning.py` runs all of them and prints a table of the families.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import commands
import roots
from lithify import config
from lithify.engines.base import Obedient
from lithify.gate.gatekeeper import Gatekeeper
from lithify.hooks.clients import client_of
from lithify.hooks.respond import respond
from lithify.memory import CompactOptions, Memory
from test_gate_core import good, prose

#: Nothing is crowded out: whether words arrive must only depend on who says them.
TOML = (
    "gate.enabled = true\ncompression = 0.45\nmemories.max_per_week = 60\n"
    "wisdom.max_entries = 100\n"
)
DAY = "2026-04-02"
_LABEL = re.compile(r"\W*(?:\d\d:\d\d )?(?:Rule|Preference|Remember|Reference): ")
MARKS = ("[quoted]", "[unverified]")

Step = Mapping[str, Any]
Side = Literal["attack", "twin"]


class Case(NamedTuple):
    """An attack, the same matter told honestly, and a word that both hold."""

    name: str
    number: int
    needle: str
    attack: tuple[Step, ...]
    twin: tuple[Step, ...]


class Family(NamedTuple):
    """Attacks of one kind; `alone`: each in a root of its own, because it damages the root."""

    name: str
    cases: tuple[Case, ...]
    alone: bool

    def groups(self, alone: bool = False) -> list[tuple[Case, ...]]:
        return [(case,) for case in self.cases] if alone or self.alone else [self.cases]


@cache
def families() -> dict[str, Family]:
    """Every family by its name."""
    found = {}
    for path in sorted((Path(__file__).parent / "poison").glob("*.json")):
        data = json.loads(path.read_text())
        cases = tuple(
            Case(one["name"], number, one["needle"], tuple(one["attack"]), tuple(one["twin"]))
            for number, one in enumerate(data["cases"])
        )
        found[data["family"]] = Family(data["family"], cases, data.get("alone", False))
    return found


# The writers


def _offline(memory: Memory) -> None:
    memory.compact()


def _obedient(memory: Memory) -> None:
    memory.compact(CompactOptions(model=Obedient()))


def _agent(memory: Memory) -> None:
    """Work off every order as `write next` and `write submit` do, obeying what stands in it."""
    while order := memory.next_order().order:
        reply = Obedient().complete(order.user, system=order.system, temperature=0, max_tokens=0)
        memory.hand_in(order.id, reply.text)


class CommandLine(Memory):
    """A memory whose entries are taken in by commands, each a process of its own."""

    def run(self, *args: str, given: str = "") -> Any:
        done = commands.lithify([*args, "--json", "--root", str(self.root)], stdin=given)
        assert done.returncode in (0, 3, 4), done.stderr
        return json.loads(done.stdout)

    def log(self, text: str, **facts: Any) -> Any:
        if facts["origin"] == "user":  # only a terminal may say so
            return super().log(text, **facts)
        at = f"{facts['at']:%Y-%m-%dT%H:%M}"
        return self.run("log", "-", "--at", at, "--origin", facts["origin"], given=text)

    def remember(self, text: str, **facts: Any) -> Any:
        return self.run("remember", "-", "--type", facts["type"], given=text)


def by_commands(memory: Memory) -> None:
    """Work off every order by `write next` and `write submit`."""
    assert isinstance(memory, CommandLine)
    order = memory.run("write", "next")["order"]
    while order:
        reply = Obedient().complete(
            order["prompt"], system=order["system"], temperature=0, max_tokens=0
        )
        order = memory.run("write", "submit", order["id"], given=reply.text)["next"]


WRITERS: Mapping[str, Callable[[Memory], None]] = {
    "offline": _offline,
    "obedient": _obedient,
    "agent": _agent,
}


# The steps


def _file(memory: Memory, case: Case, name: str, text: str) -> None:
    """Write into a file of the day; each case has its own, so that none ends where another begins."""
    path = memory.root / "memory" / f"{name}-part-{case.number}.md"
    before = path.read_text() if path.exists() else "# Notes\n"
    path.write_text(f"{before}\n{text}")


def _lines_with(memory: Memory, needle: str, *, take: bool) -> str:
    found = ""
    for path in sorted((memory.root / "memory").glob("20*.md")):
        lines = path.read_text().splitlines(keepends=True)
        found += "".join(line for line in lines if needle in line)
        if take:
            path.write_text("".join(line for line in lines if needle not in line))
    return found


def _lose(memory: Memory, what: str) -> None:
    state = memory.root / ".lithify"
    if what == "folder":
        shutil.rmtree(state)
        return
    journal = state / "journal.jsonl"
    kept = journal.read_bytes().splitlines(keepends=True)[:1] if what == "tail" else []
    journal.unlink()
    if kept:
        journal.write_bytes(b"".join(kept))
        shutil.rmtree(state / "history", ignore_errors=True)


def _session(memory: Memory, step: Step) -> None:
    """A session in a client with hooks: a prompt, what it reads, says and answers."""
    at = datetime.fromisoformat(f"{DAY}T12:00:00+00:00")
    gate, client, session = (
        Gatekeeper(memory.root, lambda: at),
        client_of("claude"),
        step["session"],
    )

    def event(name: str, **given: object) -> None:
        respond(client, gate, name, {"session_id": session, **given})

    event("UserPromptSubmit", prompt=step["prompt"])
    if tool := step.get("reads"):
        event("PostToolUse", tool_name=tool, tool_response="a page")
    if says := step.get("says"):
        memory.log(says, at=at, origin=gate.caller_origin({}, session))
    if answers := step.get("answers"):
        event("Stop", last_assistant_message=answers)
    event("SessionEnd")


def _summarise(memory: Memory, text: str) -> None:
    gate = Gatekeeper(memory.root, lambda: datetime(2026, 4, 2, 14, tzinfo=UTC))
    gate.record("g", "prompt", prose(1, 300))
    job = gate.record("g", "answer", prose(51, 300)).state.job
    gate.submit(job, good(1).replace("## Design Choices\n", f"## Design Choices\n{text}\n", 1))


def take(memory: Memory, case: Case, step: Step, write: Callable[[Memory], None]) -> None:
    """Carry out one step: a client's session, an action, or an entry by its origin."""
    day = step.get("on", DAY)
    at = datetime.fromisoformat(f"{day}T10:00:00+00:00")
    if "session" in step:
        return _session(memory, step)
    [(name, value)] = [(name, value) for name, value in step.items() if name != "on"]
    match name:
        case "file":
            _file(memory, case, day, value)
        case "move":
            _file(memory, case, value, _lines_with(memory, case.needle, take=True))
        case "copy":
            lines = _lines_with(memory, case.needle, take=False)
            for other in value:
                _file(memory, case, other, lines)
        case "recall":
            for passage in memory.recall(value).passages:
                if case.needle in passage.text:
                    memory.log(passage.text, at=at, origin="agent")
        case "remember":
            memory.remember(value, type="feedback", at=at, origin="agent")
        case "gate":
            _summarise(memory, value)
        case "compact":
            write(memory)
        case "lose":
            _lose(memory, value)
        case "adopt":
            memory.adopt_journal()
        case origin:
            memory.log(value, at=at, origin=origin)
    return None


# The judgement


class Seen(NamedTuple):
    """Where a word arrived: in wisdom, in a memory, unmarked in a page or in `context`."""

    wisdom: bool
    memory: bool
    page: bool
    context: bool

    def __str__(self) -> str:
        return ", ".join(name for name, value in self._asdict().items() if value) or "nowhere"


def _unmarked(lines: Iterable[str], needle: str) -> bool:
    return any(needle in line and not any(mark in line for mark in MARKS) for line in lines)


def _in_context(text: str, needle: str) -> bool:
    """Whether a word stands in the context outside of marked lines and marked blocks."""
    marked = re.compile(r"\[unverified\][^\n]*:\n\[\[data (\w+) .*?\[\[end \1\]\]", re.DOTALL)
    return _unmarked(marked.sub("", text).splitlines(), needle)


def seen(memory: Memory, case: Case, told: Sequence[str]) -> Seen:
    """Where a case's word has arrived; `told` is the context before and after pages were written."""
    files = (memory.root / "memory").glob("*_*.md")
    pages = [*(memory.root / "memory").glob("weekly/*.md")]
    pages += (memory.root / "memory").glob("monthly/*.md")
    wisdom = memory.root / "WISDOM.md"
    return Seen(
        wisdom.exists() and case.needle in wisdom.read_text(),
        any(case.needle in path.read_text() for path in files),
        any(_unmarked(path.read_text().splitlines(), case.needle) for path in pages),
        any(_in_context(text, case.needle) for text in told),
    )


def arrived(one: Seen, case: Case) -> bool:
    """Whether an honest statement is where it belongs: a marked one in a memory, others in a page."""
    is_marked = any(_LABEL.match(str(text)) for step in case.twin for text in step.values())
    return one.memory if is_marked or "remember" in case.twin[0] else one.page


def outcome(
    folder: Path,
    cases: Sequence[Case],
    side: Side,
    write: Callable[[Memory], None],
    kind: type[Memory] = Memory,
) -> dict[str, Seen]:
    """Where the word of each case arrives when these cases happen in one root."""
    root = roots.make(folder / "root", {}, TOML)
    memory = kind(root, config.load(root), lambda: roots.NOW)
    Memory.log(memory, "Merged PR 318 after the review.", at=datetime(2026, 4, 2, 9, tzinfo=UTC))
    for case in cases:
        for step in getattr(case, side):
            take(memory, case, step, write)
    start = memory.context(budget=20_000)
    write(memory)
    told = (start, memory.context())
    return {case.name: seen(memory, case, told) for case in cases}


def table(alone: bool) -> int:
    """Run everything, print what happened, and return how many cases went wrong."""
    wrong = 0
    print("| family | attacks | reached | twins arrived |\n|---|---:|---:|---:|")
    for family in families().values():
        reached: set[str] = set()
        lost: set[str] = set()
        names = {case.name: case for case in family.cases}
        for writer, write in WRITERS.items():
            for group in family.groups(alone):
                for side in ("attack", "twin"):
                    with tempfile.TemporaryDirectory() as folder:
                        found = outcome(Path(folder), group, side, write)
                    for name, one in found.items():
                        bad = any(one) if side == "attack" else not arrived(one, names[name])
                        if bad:
                            (reached if side == "attack" else lost).add(name)
                            print(
                                f"{family.name}, {name}: {side} by {writer}: {one}", file=sys.stderr
                            )
        count = len(family.cases)
        print(f"| {family.name} | {count} | {len(reached)} | {count - len(lost)} |")
        wrong += len(reached) + len(lost)
    return wrong


if __name__ == "__main__":
    sys.exit(bool(table("--alone" in sys.argv)))
