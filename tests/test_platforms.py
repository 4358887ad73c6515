"""Windows and macOS, as far as another system can pretend to be them."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lithify import platform
from lithify.store import disk
from lithify.store.names import slug

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the pretence needs Linux's /proc")

HOOK = """
import sys
sys.path[:0] = sys.argv[1:3]
import windows
windows.pretend()
from lithify.hooks.__main__ import main
sys.exit(main(sys.argv[3:]))
"""
HOLD = """
import sys
sys.path[:0] = sys.argv[1:3]
import windows
windows.pretend()
from lithify.gate.hook_state import is_served, server_announced
from lithify.store.lock import locked
with locked(sys.argv[3] + "/.lithify/lock"), server_announced(sys.argv[3], "claude-code"):
    print("held", flush=True)
    sys.stdin.read()
"""
PATHS = [str(HERE), str(HERE.parent / "src")]


def on_windows(root: Path, *words: str, code: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, str(HERE / "windows.py"), *words, "--root", str(root)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "TZ": "UTC"},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def a_root(path: Path) -> Path:
    (path / "memory").mkdir(parents=True)
    for day in range(2, 8):
        text = f"# Log\r\n\r\n- 09:0{day} Shipped release 2.4.{day}; Priya signed it off.\r\n"
        (path / "memory" / f"2026-03-0{day}.md").write_bytes(text.encode())
    return path


def test_a_root_is_kept_and_searched_without_anything_of_posix(tmp_path: Path) -> None:
    root = a_root(tmp_path / "root")
    before = {path: path.read_bytes() for path in (root / "memory").glob("*.md")}
    on_windows(root, "init")
    on_windows(root, "log", "Rule: no deploys on Fridays — ever…")
    assert "due" in on_windows(root, "status", code=3)
    assert "written" in on_windows(root, "compact")
    assert "2.4.5" in on_windows(root, "recall", "release 2.4.5")
    assert (root / ".lithify" / "index.sqlite").is_file()
    assert "Fridays — ever…" in on_windows(root, "context")
    on_windows(root, "check")
    assert {path: path.read_bytes() for path in before} == before
    written = [*(root / "memory" / "weekly").iterdir(), root / "WISDOM.md"]
    assert all(b"\r" not in path.read_bytes() for path in written)


def test_a_hook_answers_without_anything_of_posix(tmp_path: Path) -> None:
    root = a_root(tmp_path / "root")
    on_windows(root, "init")
    done = subprocess.run(
        [sys.executable, "-c", HOOK, *PATHS, "SessionStart", "--root", str(root)],
        input=json.dumps({"session_id": "5b1e", "cwd": str(root), "source": "startup"}),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    assert "2.4.7" in done.stdout


def test_byte_locks_keep_others_out_and_go_with_their_holder(tmp_path: Path) -> None:
    root = a_root(tmp_path / "root")
    (root / ".lithify").mkdir()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, *PATHS, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    ask = (
        "import sys; sys.path[:0] = sys.argv[1:3]; import windows; windows.pretend()\n"
        "from lithify.errors import Locked\n"
        "from lithify.gate.hook_state import is_served\n"
        "from lithify.store.lock import locked\n"
        "try:\n"
        "    with locked(sys.argv[3] + '/.lithify/lock', wait=False): said = 'free'\n"
        "except Locked as error: said = str(error)\n"
        "print(said, is_served(sys.argv[3], 'claude-code'))\n"
    )

    def asked() -> str:
        command = [sys.executable, "-c", ask, *PATHS, str(root)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    with holder:
        assert holder.stdout and holder.stdout.readline() == "held\n"
        said = asked()
        assert f"pid {holder.pid} since" in said and said.endswith("True\n")
        holder.kill()
    assert asked() == "free False\n"


def test_a_file_that_another_program_reads_is_replaced_when_it_lets_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "new").write_bytes(b"new")
    (tmp_path / "page").write_bytes(b"old")
    real, refused = os.replace, [1, 2]

    def replace(src: str, dst: str) -> None:
        if refused:
            refused.pop()
            raise PermissionError(13, "it is being used by another process")
        real(src, dst)

    monkeypatch.setattr(platform, "PAUSES", (0, 0, 0))
    monkeypatch.setattr(disk.os, "replace", replace)
    disk.replace(str(tmp_path / "new"), str(tmp_path / "page"))
    assert (tmp_path / "page").read_bytes() == b"new"


@pytest.mark.parametrize("refused", [False, True])
def test_macos_is_told_to_empty_the_cache_of_its_drive(
    refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def control(fd: int, command: int) -> None:
        asked.append("F_FULLFSYNC" if command == 51 else "?")
        if refused:
            raise OSError(45, "Operation not supported")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", control)
    real = os.fsync
    with monkeypatch.context() as patch:
        patch.setattr(disk.os, "fsync", lambda fd: asked.append("fsync") or real(fd))
        disk.write_new(str(tmp_path / "page"), b"text")
    assert asked == (["F_FULLFSYNC", "fsync"] if refused else ["F_FULLFSYNC"])


def test_a_console_without_the_letters_still_gets_the_words(tmp_path: Path) -> None:
    root = a_root(tmp_path / "root")
    day = root / "memory" / "2026-03-08.md"
    day.write_text("- 10:00 Release 2.5 → 日本, ≥ 3 users 🎉 … — done.\n", encoding="utf-8")
    for words in (["recall", "2.5"], ["recall", "2.5", "--json"]):
        done = subprocess.run(
            [sys.executable, "-m", "lithify", *words, "--root", str(root)],
            capture_output=True,
            env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONPATH": PATHS[1]},
        )
        assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("topic", ["con", "NUL", "aux.", "COM1", "a:b", 'x<>|?*"', "dots...", "π "])
def test_names_that_the_program_gives_are_allowed_on_windows(topic: str) -> None:
    name = slug(topic)
    assert not set(name) & set('<>:"/\\|?*') and name.rstrip(". ") == name
    assert name.upper() not in {"CON", "PRN", "AUX", "NUL", "COM1", "LPT1"}
