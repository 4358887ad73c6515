"""Inputs beyond any limit are refused with a message, and hostile text cannot steer a terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

import roots
from lithify import limits
from lithify.cli import lithify
from lithify.config import load
from lithify.engines.base import Completion
from lithify.engines.replies import SavedReplies
from lithify.errors import LithifyError, StorageError
from lithify.hooks.events import answer
from lithify.markdown.parse import parse
from lithify.memory import Memory
from lithify.store.names import Layout
from lithify.text.occurrences import pattern_finder

DOCS = Path(__file__).parent.parent / "docs" / "formats.md"
#: Everything that a terminal would obey; the line end is what separates lines of output.
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
HOSTILE = "red \x1b[31m title \x1b]0;pwned\x07 csi \x9b2J bidi \u202e gpj.exe \u2066 back\x08\x08"


def run(root: Path, *args: str, input: str | bytes | None = None) -> tuple[int, str]:
    done = CliRunner().invoke(lithify, [*args, "--root", str(root)], input=input)
    if isinstance(done.exception, LithifyError):
        return done.exception.exit_code, done.exception.message
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_the_page_on_limits_lists_every_limit_with_its_value() -> None:
    units = {"MiB": 1 << 20, "KiB": 1 << 10, "characters": 1, "": 1}
    table = DOCS.read_text().partition("## Limits\n")[2]
    rows = re.findall(r"(?m)^\|[^|]+\| (\d+) ?(\w*) \|[^|]+\|$", table)
    said = [int(number) * units[unit] for number, unit in rows]
    assert said == [value for name, value in vars(limits).items() if name.isupper()]


def test_a_day_that_is_too_large_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {"2026-03-30": ["Shipped the importer 2.4.1."]})
    with (memory.root / "memory/2026-03-31.md").open("wb") as file:
        file.truncate(limits.FILE + 1)
    said = run(memory.root, "status")[1]
    assert "memory/2026-03-31.md" in said and "larger than 128 MiB" in said
    memory.compact()
    assert "importer 2.4.1" in (memory.root / "memory/weekly/2026-W14.md").read_text()
    assert "importer 2.4.1" in run(memory.root, "recall", "importer")[1]
    with pytest.raises(StorageError, match=r"append to memory/2026-03-31.md: it is larger"):
        memory.log("One more.", at=datetime(2026, 3, 31, 10))


def test_standard_input_that_is_too_large_writes_nothing(tmp_path: Path) -> None:
    Memory.init(tmp_path)
    code, said = run(tmp_path, "log", "-", input=b"a" * (limits.PIPED + 1))
    assert code == 2 and "larger than 16 MiB" in said
    assert list((tmp_path / "memory").glob("*.md")) == []


@pytest.mark.parametrize("event", ["PreToolUse", "UserPromptSubmit", "Stop"])
def test_an_event_that_is_too_large_or_too_deep_breaks_no_hook(tmp_path: Path, event: str) -> None:
    Memory.init(tmp_path)
    for raw in (b" " * (limits.HOOK_EVENT + 1), b'{"a":' + b"[" * 200_000, b"[" * 200_000):
        said = answer("claude", event, raw, str(tmp_path))
        assert not said or "deny" not in json.dumps(json.loads(said))


def test_a_reply_that_is_too_long_is_cut_before_it_is_kept(tmp_path: Path) -> None:
    kept = SavedReplies(tmp_path).put("aa", Completion("word " * 2_000_000))
    assert len(kept.text) == limits.MODEL_REPLY + 1
    assert (tmp_path / ".lithify/replies/aa.json").stat().st_size < 2 * limits.MODEL_REPLY


def test_of_an_endless_entry_the_beginning_is_read_and_all_of_it_kept(tmp_path: Path) -> None:
    words = "The pump ran for an hour. " * 20_000
    memory = roots.made(tmp_path, {"2026-03-30": f"- {words}\n- Shipped the importer 2.4.1.\n"})
    path = memory.root / "memory/2026-03-30.md"
    before = path.read_bytes()
    long, short = memory.snapshot().entries(["memory/2026-03-30.md"])
    assert limits.ENTRY - 100 < len(long.text) <= limits.ENTRY + 1 and long.text.endswith("…")
    assert "importer" in short.text and path.read_bytes() == before


@pytest.mark.parametrize(
    "data",
    [
        b"\n".join(b"  " * depth + b"- item" for depth in range(0, 10_000, 10)),
        b"> " * 10_000 + b"said\n",
        b"- " + b"[" * 20_000 + b"]" * 20_000 + b"\n- " + b"(" * 20_000 + b"\n- " + b"*" * 40_000,
    ],
    ids=["lists", "quotes", "brackets"],
)
def test_deep_nesting_is_read_and_rendered_to_the_same_bytes(data: bytes) -> None:
    assert b"".join(block.raw for block in parse(data).blocks) == data


def test_no_pattern_of_a_person_can_hang(tmp_path: Path) -> None:
    stars = "*a" * 60
    assert not Layout(patterns=(f"memory/{stars}*b.md",)).reads(f"memory/{'a' * 240}.md")
    assert Layout(patterns=("memory/2026-*-*-*-*.md",)).reads("memory/2026-04-02-x-y.md")
    assert list(pattern_finder(stars + "*b")("a" * 5_000)) == []
    for pattern in ("memory/" + "**/x/" * 5 + "*.md", "memory/" + "a" * 500 + ".md"):
        (tmp_path / "lithify.toml").write_text(f'[days]\npatterns = ["{pattern}"]\n')
        with pytest.raises(LithifyError, match="too long"):
            load(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="such names are not allowed there")
def test_nothing_that_a_terminal_obeys_is_printed(tmp_path: Path) -> None:
    day = f"# {HOSTILE}\n\n- Shipped {HOSTILE} 2.4.1\n- Rule: never {HOSTILE}, because of it.\n"
    memory = roots.made(tmp_path, {"2026-03-30": day})
    for name in (f"2026-03-31-{HOSTILE.replace('/', '')}.md", "2026-04-01-two\nlines.md"):
        (memory.root / "memory" / name).write_text(day)
    (memory.root / f"2026-04-02-{HOSTILE}.md").write_text(day)
    memory.compact()
    commands: list[tuple[str, ...]] = [
        ("status",),
        ("check",),
        ("recall", "shipped"),
        ("context",),
        ("trace", "memory/2026-03-30.md:3"),
        ("memories", "list"),
        ("wisdom", "show"),
        ("scan",),
        ("diff", "2026-W14"),
        ("quarantine",),
        ("forget", "--dry-run", "Shipped"),
        ("log", HOSTILE),
        ("compact", "--rewrite"),
        ("prompts", "show", "weekly", "--period", "2026-W14"),
    ]
    for args in commands:
        for how in ((), ("--json",)):
            said = run(memory.root, *args, *how)[1] if args[0] != "trace" or not how else ""
            assert not OBEYED.search(said), (args, how, OBEYED.findall(said))
    said = run(memory.root, "status")[1]
    assert "two\nlines" not in said
    command = [sys.executable, "-m", "lithify", "trace", HOSTILE, "--root", str(memory.root)]
    error = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert "\\x1b[31m" in error and not OBEYED.search(error)
