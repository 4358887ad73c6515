"""Whatever lies in a root: no file outside it is touched, nothing hangs, no letter is lost.

What cannot be used is refused in one line, and the rest of the work is done.
"""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType

import pytest

import commands
from lithify import calendar
from lithify.errors import ConfigError, OutsideRoot, StorageError, UsageError
from lithify.memory import CompactOptions, Memory
from lithify.store import disk, places
from lithify.store.tree import scan

DAY = "- 09:00 Shipped 2.4.1; Priya signed it off.\n- 10:00 Decided for Postgres: it has JSON.\n"
MARCH = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three weeks of days, and a file beside the root that is not ours."""
    (tmp_path / "victim").write_text("precious\n")
    made = tmp_path / "root"
    (made / "memory").mkdir(parents=True)
    (made / ".lithify").mkdir()
    for day in ("05", "06", "13", "20"):
        (made / f"memory/2026-01-{day}.md").write_text(DAY)
    return made


def opened(root: Path, now: datetime = MARCH) -> Memory:
    return Memory.open(root, clock=lambda: now)


def lithify(
    *words: str | bytes, stdin: bytes = b"", environment: Mapping[str, str] = MappingProxyType({})
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [commands.python(), "-I", "-m", "lithify", *words],
        input=stdin,
        capture_output=True,
        timeout=60,
        env={**os.environ, **environment},
    )


# Links that lead out.


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("lock", lambda memory: memory.log("hi")),
        ("lock", lambda memory: memory.check()),
        ("lock", lambda memory: memory.context()),
        ("index.lock", lambda memory: memory.recall("Priya")),
        ("index.sqlite", lambda memory: memory.recall("Priya")),
        ("compact.lock", lambda memory: memory.compact()),
        ("journal.jsonl", lambda memory: memory.log("hi")),
        ("digests.json", lambda memory: memory.status()),
        ("gate/gate.lock", lambda memory: memory.gate.record("s", "prompt", "Do it.")),
    ],
)
def test_state_that_is_a_link_out_of_the_root_is_refused(
    name: str, use: Callable[[Memory], object], root: Path
) -> None:
    link = root / ".lithify" / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(root.parent / "victim")
    with pytest.raises(OutsideRoot, match=rf"^\.lithify/{name} leads out of the root"):
        use(opened(root))
    assert (root.parent / "victim").read_text() == "precious\n"


def test_state_folder_that_is_a_link_out_of_the_root_is_refused(root: Path) -> None:
    (root / ".lithify").rmdir()
    (root.parent / "elsewhere").mkdir()
    (root / ".lithify").symlink_to(root.parent / "elsewhere")
    with pytest.raises(OutsideRoot):
        opened(root).log("hi")
    assert not any((root.parent / "elsewhere").iterdir())


def test_link_to_a_file_that_is_not_there_makes_none(root: Path) -> None:
    (root / ".lithify/lock").symlink_to(root.parent / "none")
    with pytest.raises(OutsideRoot):
        opened(root).log("hi")
    assert not (root.parent / "none").exists()


def test_a_link_to_the_root_is_followed(root: Path) -> None:
    (root.parent / "link").symlink_to("root")
    memory = opened(root.parent / "link")
    memory.log("hi")
    assert memory.compact().exit_code == 0
    assert memory.check() == ()
    assert (root / ".lithify/journal.jsonl").read_bytes().count(b'"kind":"capture"') == 1


@pytest.mark.parametrize("open_it", [disk.open_lock, lambda path: disk.append(path, b"x")])
def test_no_link_is_followed_by_what_writes_into_a_file(
    open_it: Callable[[str], object], tmp_path: Path
) -> None:
    (tmp_path / "victim").write_text("precious\n")
    (tmp_path / "link").symlink_to("victim")
    with pytest.raises(StorageError):
        open_it(str(tmp_path / "link"))
    assert (tmp_path / "victim").read_text() == "precious\n"


# Pipes. The commands run apart, so that one that waits for a pipe ends with its time.


@pytest.mark.parametrize("use", [disk.read, disk.sync, disk.open_lock])
def test_pipe_is_no_regular_file(use: Callable[[str], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)  # so that no reader has to wait
    try:
        with pytest.raises(StorageError, match="it is not a regular file"):
            use(str(tmp_path / "pipe"))
    finally:
        os.close(writer)


@pytest.mark.parametrize(
    ("path", "command", "said"),
    [
        ("WISDOM.md", "compact", b"annot read WISDOM.md: it is not a regular file"),
        ("memory/weekly/2026-W02.md", "compact", b"2026-W02.md: it is not a regular file"),
        (".lithify/journal.jsonl", "check", b"Cannot read .lithify/journal.jsonl: it is not"),
        (".lithify/journal.jsonl", "log", b"Cannot read .lithify/journal.jsonl: it is not"),
        ("lithify.toml", "status", b"lithify.toml: cannot be read: it is not a regular file"),
        ("memory/2026-01-21.md", "log", b"Cannot read memory/2026-01-21.md: it is not a regular"),
    ],
)
def test_pipe_in_a_root_is_refused_and_not_waited_for(
    path: str, command: str, said: bytes, root: Path
) -> None:
    (root / path).parent.mkdir(exist_ok=True)
    os.mkfifo(root / path)
    words = ["hi", "--at", "2026-01-21T10:00"] if command == "log" else []
    done = lithify(command, *words, "--root", str(root))
    assert done.returncode == 1
    assert said in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


def test_pipe_in_place_of_the_cache_or_a_prompt_holds_nobody_up(root: Path) -> None:
    os.mkfifo(root / ".lithify/digests.json")
    assert lithify("status", "--root", str(root)).returncode == 3
    assert lithify("context", "--root", str(root)).returncode == 0
    assert (root / ".lithify/digests.json").is_file()
    (root / "prompts").mkdir()
    os.mkfifo(root / "prompts/weekly.md")
    with pytest.raises(ConfigError, match=r"prompts/weekly\.md: cannot be read: it is not"):
        opened(root).prompt("weekly", "2026-W02")


def test_gate_opens_though_the_settings_are_a_pipe(root: Path) -> None:
    os.mkfifo(root / "lithify.toml")
    done = lithify("gate", "status", "--root", str(root))
    assert done.returncode == 0
    assert done.stderr.startswith(b"lithify.toml: cannot be read: it is not a regular file")


# The first and the last days there are.


def test_days_at_either_end_of_time_are_compacted(root: Path) -> None:
    open_items = "- Open: the lease by Friday, the audit, the call on the 5th, the offer\n"
    for day in ("0001-01-01", "0001-01-03", "0500-06-07", "9999-12-29", "9999-12-31"):
        (root / f"memory/{day}.md").write_text(DAY + open_items + "- [ ] pay by Friday\n")
    memory = opened(root, datetime(9999, 12, 31, 5, tzinfo=UTC))
    assert memory.compact(CompactOptions(include_current=True)).exit_code == 0
    months = {path.name for path in (root / "memory/monthly").iterdir()}
    assert months == {"0001-01.md", "0500-06.md", "2026-01.md", "9999-12.md"}
    assert all(task.state == "current" for task in memory.plan(include_current=True))
    assert memory.check() == ()
    assert memory.recall("Priya").passages
    memory.status()
    memory.context()


def test_years_have_four_digits() -> None:
    assert calendar.month_of("0500-W23") == "0500-06"
    assert calendar.stamp(datetime(500, 6, 7, tzinfo=UTC)) == "0500-06-07T00:00:00Z"
    assert calendar.moment("0500-06-07T00:00:00Z") == datetime(500, 6, 7, tzinfo=UTC)


def test_no_day_lies_beyond_the_ends_of_time() -> None:
    assert calendar.week_days("9999-W52")[-1] == date.max
    assert calendar.week_days("2026-W14")[-1] == date(2026, 4, 5)
    assert calendar.shifted(date.min, -7) == date.min
    assert calendar.shifted(date.max, 7) == date.max
    assert calendar.month_end(date(2024, 2, 1)) == date(2024, 2, 29)


@pytest.mark.parametrize("at", ["9999-12-31T23:59-12:00", "0001-01-01T00:00+14:00"])
def test_time_that_has_no_day_is_refused(at: str, root: Path) -> None:
    (root / "lithify.toml").write_text('zone = "Europe/Vienna"\n')
    with pytest.raises(UsageError, match="has no day in the zone of this root"):
        opened(root).log("x", at=datetime.fromisoformat(at))


# The current folder is gone.


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("log", "hi"), 0),
        (("recall", "Priya"), 0),
        (("check",), 0),
        (("trace", "2026-01-05"), 0),
        (("gate", "status"), 0),
        (("doctor",), 3),
        (("hook", "PreToolUse"), 0),
    ],
)
def test_absolute_root_is_enough_in_a_folder_that_is_gone(
    words: tuple[str, ...], code: int, root: Path
) -> None:
    done = in_no_folder(root, *words, "--root", str(root))
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.parametrize("words", [("status",), ("gate", "status"), ("doctor",), ("init",)])
def test_folder_that_is_gone_is_told_in_one_line(words: tuple[str, ...], root: Path) -> None:
    done = in_no_folder(root, *words)
    assert done.returncode == 2
    assert done.stderr.startswith(b"lithify: the current folder was deleted;")
    assert done.stderr.count(b"\n") == 1


def test_hook_without_a_root_has_nothing_to_say_in_a_folder_that_is_gone(root: Path) -> None:
    done = in_no_folder(root, "hook", "PreToolUse")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def in_no_folder(root: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    code = (
        "import os, sys; os.chdir(sys.argv[1]); os.rmdir(sys.argv[1]);"
        "os.execv(sys.executable, [sys.executable, '-m', 'lithify', *sys.argv[2:]])"
    )
    gone = root.parent / "gone"
    gone.mkdir()
    environment = {**os.environ, "HOME": str(root.parent)}
    environment.pop("LITHIFY_ROOT", None)
    return subprocess.run(
        [sys.executable, "-c", code, str(gone), *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment,
    )


# What may not be read.


def test_day_that_cannot_be_read_is_told_in_one_line(root: Path) -> None:
    (root / "memory/2026-01-21.md").mkdir()
    with pytest.raises(StorageError, match=r"^Cannot read memory/2026-01-21\.md: Is a directory"):
        opened(root).log("x", at=datetime(2026, 1, 21, 10))


def test_day_that_may_not_be_read_is_told_in_one_line(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refuse(path: str, *rest: int) -> int:
        if path.endswith("2026-01-20.md"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StorageError, match=r"^Cannot read memory/2026-01-20\.md: Permission"):
        opened(root).log("x", at=datetime(2026, 1, 20, 10))
    assert not (root / ".lithify/journal.jsonl").exists()


# Letters.

PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_letters_are_kept_whatever_the_locale(root: Path) -> None:
    at = ("--at", "2026-01-21T10:00", "--root", str(root))
    said = lithify("log", "Müller rief an".encode(), *at, environment=PLAIN)
    piped = lithify("log", "-", *at, stdin="Größe 42\n".encode(), environment=PLAIN)
    assert (said.returncode, piped.returncode) == (0, 0)
    day = (root / "memory/2026-01-21.md").read_text("utf-8")
    assert day == "- 10:00 Müller rief an\n- 10:00 Größe 42\n"
    found = lithify("recall", "Müller".encode(), "--root", str(root), environment=PLAIN)
    assert "Müller rief an".encode() in found.stdout


def test_root_is_found_by_its_bytes_whatever_the_locale(root: Path) -> None:
    root = root.rename(root.parent / "Mühle")
    done = lithify(
        "log", "x", "--at", "2026-01-21T10:00", "--root", os.fsencode(root), environment=PLAIN
    )
    assert done.returncode == 0
    assert (root / "memory/2026-01-21.md").exists()


@pytest.mark.parametrize("environment", [{}, PLAIN], ids=["utf-8", "plain"])
@pytest.mark.parametrize("words", [(b"bad \xff",), ("-",)], ids=["argument", "stdin"])
def test_text_that_is_no_utf8_is_refused(
    words: tuple[str | bytes, ...], environment: dict[str, str], root: Path
) -> None:
    at = ("--at", "2026-01-21T10:00", "--root", str(root))
    done = lithify("log", *words, *at, stdin=b"bad \xff\n", environment=environment)
    assert done.returncode == 2
    assert done.stderr.startswith(b"lithify: the text is not UTF-8 (byte 5)")
    assert not (root / "memory/2026-01-21.md").exists()


# What is in the way.


def test_file_in_place_of_a_folder_of_ours_is_to_be_taken_away(root: Path) -> None:
    (root / ".lithify/staged").write_text("")
    with pytest.raises(
        StorageError, match=r"folder \.lithify/staged: .* is in its place; remove it"
    ):
        opened(root).log("hi")


def test_day_with_a_line_break_in_its_name_is_noticed(root: Path) -> None:
    (root / "memory/2026-01-08-new\nline.md").write_text(DAY)
    (refused,) = scan(root).refused
    assert refused.path == "memory/2026-01-08-new\nline.md"
    assert refused.reason == "its name looks like a day's, but has a line break in it"


@pytest.mark.parametrize("what", ["a folder", "a link out"])
def test_page_that_cannot_be_written_does_not_keep_the_others_from_it(
    what: str, root: Path
) -> None:
    page = root / "memory/weekly/2026-W02.md"
    page.parent.mkdir()
    if what == "a folder":
        page.mkdir()
    else:
        page.symlink_to(root.parent / "victim")
    memory = opened(root)
    report = memory.compact()
    assert report.exit_code == 1
    (failed,) = [one for one in report.results if one.status == "failed"]
    assert failed.task.period == "2026-W02" and "memory/weekly/2026-W02.md" in failed.reason
    written = {file for one in report.results for file in one.files if one.status == "written"}
    assert {"memory/weekly/2026-W03.md", "memory/weekly/2026-W04.md"} <= written
    assert (root.parent / "victim").read_text() == "precious\n"

    page.rmdir() if what == "a folder" else page.unlink()
    assert memory.compact().exit_code == 0
    assert (root / "memory/monthly/2026-01.md").exists()


def test_compaction_ends_where_the_program_cannot_write_its_own_files(root: Path) -> None:
    (root / ".lithify/staged").write_text("")
    with pytest.raises(StorageError, match=r"\.lithify/staged"):
        opened(root).compact()
    assert places.state(root, "staged") == str(root / ".lithify/staged")
