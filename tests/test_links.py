"""No link is followed where something is written or removed: what it leads to is judged by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from anthropic.lib.tools import ToolError

from commands import lithify
from lithify.errors import LithifyError
from lithify.fleet import objects, sync
from lithify.integrations.memory_tool import MemoryTool
from lithify.memory import Memory
from lithify.store import commit
from roots import DAYS, make, opened

TIME = "2026-04-20T02:00:00Z"
DAY = "memory/2026-04-02.md"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    root = make(tmp_path / "root", DAYS)
    (root / "memory/notes").mkdir()
    (root / "WISDOM.md").write_text("# Agent - Wisdom\n")
    (root / "memory/notes/mine.md").write_text("a note of the person\n")
    made = opened(root)
    made.log("The queue is drained.")
    return made


def files(root: Path) -> dict[str, bytes]:
    """Every file that is no link, but for what any command may touch."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.is_symlink() and "lithify/lock" not in path.as_posix()
    }


TARGETS = {
    "a day": "../2026-04-02.md",
    "a day that is not there": "../2026-04-09.md",
    "wisdom": "../../WISDOM.md",
    "settings": "../../lithify.toml",
    "the journal": "../../.lithify/journal.jsonl",
    "another note": "mine.md",
}
TOOL = {
    "str_replace": {"path": "/memories/x.md", "old_str": "a", "new_str": "HACKED"},
    "insert": {"path": "/memories/x.md", "insert_line": 0, "insert_text": "HACKED"},
    "create": {"path": "/memories/x.md", "file_text": "HACKED"},
    "delete": {"path": "/memories/x.md"},
    "rename": {"old_path": "/memories/x.md", "new_path": "/memories/y.md"},
    "rename onto": {"old_path": "/memories/mine.md", "new_path": "/memories/x.md"},
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("command", TOOL)
def test_the_memory_tool_follows_no_link(memory: Memory, command: str, target: str) -> None:
    (memory.root / "memory/notes/x.md").symlink_to(TARGETS[target])
    before = files(memory.root)
    with pytest.raises(ToolError):
        MemoryTool(memory).call({"command": command.split()[0], **TOOL[command]})
    assert files(memory.root) == before


@pytest.mark.parametrize("path", ["/memories/up/feedback_x.md", "/memories/up/notes/mine.md"])
@pytest.mark.parametrize("target", ["..", "../../.lithify", "../../memory"])
def test_the_memory_tool_follows_no_folder_that_is_a_link(
    memory: Memory, target: str, path: str
) -> None:
    (memory.root / "memory/notes/up").symlink_to(target)
    before = files(memory.root)
    for command in ({"command": "create", "file_text": "x"}, {"command": "delete"}):
        with pytest.raises(ToolError):
            MemoryTool(memory).call({**command, "path": path})
    assert files(memory.root) == before


def test_the_memory_tool_shows_nothing_behind_a_link(memory: Memory) -> None:
    (memory.root / "memory/notes/x.md").symlink_to("../../.lithify/journal.jsonl")
    with pytest.raises(ToolError):
        MemoryTool(memory).call({"command": "view", "path": "/memories/x.md"})


def _linked(path: str, target: str) -> Callable[[Path], None]:
    def link(root: Path) -> None:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(target)

    return link


PAGES = {
    "a week's page that is a day": _linked("memory/weekly/2026-W14.md", "../2026-04-02.md"),
    "the folder of weeks": _linked("memory/weekly", "."),
    "wisdom that is a day": _linked("WISDOM.md", "memory/2026-04-02.md"),
    "a typed memory that is a day": _linked("memory/feedback_x.md", "2026-04-02.md"),
}


@pytest.mark.parametrize("kind", PAGES)
def test_no_commit_follows_a_link(memory: Memory, kind: str) -> None:
    PAGES[kind](memory.root)
    before = files(memory.root)
    for path in ("memory/weekly/2026-W14.md", "WISDOM.md", "memory/feedback_x.md"):
        if not (memory.root / path).is_symlink() and not (memory.root / path).parent.is_symlink():
            continue
        for data in (b"new\n", None):
            with pytest.raises(LithifyError, match="link"):
                commit.commit(memory.root, {path: data}, "commit", {}, TIME)
    assert files(memory.root) == before


@pytest.mark.parametrize("kind", PAGES)
def test_a_compaction_writes_no_day_through_a_link(memory: Memory, kind: str) -> None:
    PAGES[kind](memory.root)
    before = (memory.root / DAY).read_bytes()
    memory.remember("Never restart the queue by hand.")
    lithify(["compact", "--root", str(memory.root)])
    assert (memory.root / DAY).read_bytes() == before


@pytest.mark.parametrize("target", ["../WISDOM.md", "../lithify.toml", "2026-04-08.md", "none.md"])
def test_no_entry_is_added_through_a_link(memory: Memory, target: str) -> None:
    today = memory.root / f"memory/{memory.today()}.md"
    today.unlink()
    today.symlink_to(target)
    before = files(memory.root)
    with pytest.raises(LithifyError, match="link"):
        memory.log("The certificate is renewed.")
    with pytest.raises(LithifyError, match="link"):
        memory.append_entries(memory.today(), [("", "brought in")], "import:git", {})
    assert {**files(memory.root), ".lithify/journal.jsonl": b""} == {
        **before,
        ".lithify/journal.jsonl": b"",
    }


@pytest.mark.parametrize("name", ["journal.jsonl", "history", "staged", "quarantine", "replies"])
def test_no_state_is_kept_behind_a_link(memory: Memory, name: str) -> None:
    place = memory.root / ".lithify" / name
    aside = memory.root / "kept"
    place.rename(aside) if place.exists() else aside.mkdir()
    place.symlink_to("../kept")
    before = files(memory.root)
    done = lithify(["compact", "--root", str(memory.root)])
    behind = {path: data for path, data in files(memory.root).items() if path.startswith("kept")}
    assert behind == {path: data for path, data in before.items() if path.startswith("kept")}
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("memory/weekly/2026-W14.md", "memory/weekly/2026-W14.md"),
        ("memory/feedback_x.md", "memory/feedback_x.md"),
        ("WISDOM.md", "WISDOM.md"),
    ],
)
@pytest.mark.parametrize("write", [objects.put, sync._replace])
def test_no_file_of_a_fleet_is_put_through_a_link(
    memory: Memory, write: Callable[..., Any], path: str, link: str
) -> None:
    _linked(link, str(memory.root / DAY))(memory.root)
    before = files(memory.root)
    with pytest.raises(LithifyError, match="link"):
        write(memory.root, path, b"other\n")
    assert {p: d for p, d in files(memory.root).items() if "history" not in p} == before


def test_forget_and_scan_write_through_no_link(memory: Memory) -> None:
    (memory.root / "kept.md").write_text("- The word is Sesame and not for you.\n")
    (memory.root / "memory/2026-04-09.md").symlink_to("../kept.md")
    before = (memory.root / "kept.md").read_bytes()
    with pytest.raises(LithifyError, match="link"):
        memory.forget(memory.choose_to_forget(["Sesame"]))
    assert (memory.root / "kept.md").read_bytes() == before
