"""What is imported was written by others: no file of it runs a command, hangs, swells or ends a run."""

from __future__ import annotations

import io
import os
import sqlite3
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import lithify
from imports import bring, claude_mem, days, new_root
from lithify.importers.notes import OBSIDIAN
from lithify.importers.sources import source_named

GIT = {
    **{f"GIT_{who}_NAME": "Ada" for who in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{who}_EMAIL": "ada@example.com" for who in ("AUTHOR", "COMMITTER")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(place: Path, *words: str) -> str:
    command = ["git", "-C", str(place), *words]
    env = {**os.environ, **GIT}
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout


def repository(place: Path) -> Path:
    """A repository of two commits."""
    place.mkdir()
    git(place, "init", "-q", "-b", "main")
    for subject in ("Begin the importer", "Read rows in batches of 500"):
        git(place, "commit", "-q", "--allow-empty", "-m", subject)
    return place


def lose_commit(place: Path, name: str = "HEAD~1") -> None:
    digest = git(place, "rev-parse", name).strip()
    (place / ".git/objects" / digest[:2] / digest[2:]).unlink()


def promise(place: Path, url: str, *more: str) -> None:
    """Make the repository a partial clone of an address."""
    for line in (
        "core.repositoryFormatVersion=1",
        "extensions.partialClone=origin",
        "remote.origin.promisor=true",
        f"remote.origin.url={url}",
        *more,
    ):
        git(place, "config", *line.split("=", 1))


def _upload_pack(place: Path, script: Path) -> None:
    promise(place, str(place), f"remote.origin.uploadpack={script}")
    lose_commit(place)


def _external_protocol(place: Path, script: Path) -> None:
    promise(place, f"ext::{script}", "protocol.ext.allow=always")
    lose_commit(place)


def _ssh(place: Path, script: Path) -> None:
    promise(place, "ssh://host/x", f"core.sshCommand={script}")
    lose_commit(place)


def _head_is_promised(place: Path, script: Path) -> None:
    promise(place, f"ext::{script}", "protocol.ext.allow=always")
    lose_commit(place, "HEAD")


def _included(place: Path, script: Path) -> None:
    (place / "more").write_text(f'[remote "origin"]\n\tuploadpack = {script}\n')
    promise(place, str(place), f"include.path={place / 'more'}")
    lose_commit(place)


def _worktree_settings(place: Path, script: Path) -> None:
    promise(place, str(place), "extensions.worktreeConfig=true")
    git(place, "config", "--worktree", "remote.origin.uploadpack", str(script))
    lose_commit(place)


def _elsewhere(place: Path, script: Path) -> None:
    """A `.git` file that leads to a repository beside it."""
    _upload_pack(place, script)
    (place / ".git").rename(place.parent / "hidden.git")
    (place / ".git").write_text(f"gitdir: {place.parent / 'hidden.git'}\n")


def _signature(place: Path, script: Path) -> None:
    git(place, "config", "log.showSignature", "true")
    git(place, "config", "gpg.program", str(script))
    body = git(place, "cat-file", "commit", "HEAD")
    signed = body.replace("\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END\n\n", 1)
    command = ["git", "-C", str(place), "hash-object", "-t", "commit", "-w", "--stdin"]
    made = subprocess.run(command, input=signed.encode(), check=True, capture_output=True)
    git(place, "update-ref", "refs/heads/main", made.stdout.decode().strip())


def _pager_and_monitor(place: Path, script: Path) -> None:
    for key in ("core.pager", "core.fsmonitor", "core.hooksPath", "core.editor", "diff.external"):
        git(place, "config", key, str(script))


@pytest.mark.parametrize("dry_run", ["--dry-run", ""])
@pytest.mark.parametrize(
    "prepare",
    [
        _upload_pack,
        _external_protocol,
        _ssh,
        _head_is_promised,
        _included,
        _worktree_settings,
        _elsewhere,
        _signature,
        _pager_and_monitor,
    ],
)
def test_no_setting_of_a_repository_runs_a_command(
    prepare: Callable[[Path, Path], None], dry_run: str, tmp_path: Path
) -> None:
    ran, script = tmp_path / "ran", tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {ran}\n")
    script.chmod(0o755)
    place = repository(tmp_path / "repository")
    prepare(place, script)
    root = new_root(tmp_path / "root")
    options = [dry_run] if dry_run else []
    lithify(["import", "git", str(place), *options, "--root", str(root.root)])
    assert not ran.exists()


def _bare(place: Path) -> Path:
    git(place.parent, "clone", "-q", "--bare", str(place), str(place.parent / "bare.git"))
    return place.parent / "bare.git"


def _packed(place: Path) -> Path:
    git(place, "pack-refs", "--all")
    git(place, "gc", "-q")
    return place


def _detached(place: Path) -> Path:
    git(place, "checkout", "-q", "--detach")
    return place


def _worktree(place: Path) -> Path:
    git(place, "worktree", "add", "-q", "-b", "side", str(place.parent / "side"))
    return place.parent / "side"


def _shallow(place: Path) -> Path:
    git(place, "commit", "-q", "--allow-empty", "-m", "Write the changelog")
    other = place.parent / "shallow"
    git(place.parent, "clone", "-q", "--depth", "2", f"file://{place}", str(other))
    return other


def _shared(place: Path) -> Path:
    git(place.parent, "clone", "-q", "--shared", str(place), str(place.parent / "shared"))
    return place.parent / "shared"


def _sha256(place: Path) -> Path:
    other = place.parent / "long"
    other.mkdir()
    git(other, "init", "-q", "-b", "main", "--object-format=sha256")
    for subject in ("Begin the importer", "Read rows in batches of 500"):
        git(other, "commit", "-q", "--allow-empty", "-m", subject)
    return other


@pytest.mark.parametrize(
    "form", [lambda place: place, _bare, _packed, _detached, _worktree, _shallow, _shared, _sha256]
)
def test_a_repository_of_any_form_is_read(form: Callable[[Path], Path], tmp_path: Path) -> None:
    place = form(repository(tmp_path / "repository"))
    root = new_root(tmp_path / "root")
    assert bring(root, "git", place).entries == 2
    assert "Read rows in batches of 500." in "".join(days(root.root).values())


# Formats of daily notes

_BACKTRACKING = {
    "names": ("dddd" * 30 + "-YYYY-MM-DD", "a" * 60 + "!"),
    "names with dots": (".".join(["MMM"] * 30) + "!YYYY-MM-DD", "a." * 40),
    "unknown letters": ("X[.]" * 30 + "YYYY-MM-DD", "1." * 40),
    "repeated years": ("YYYY-MM-DD" + "YYYY" * 25, "2026-04-02" + "2026" * 40 + "!"),
    "repeated days": ("YYYY-MM-DD" + "D" * 3 + "[]D" * 30, "2026-04-02" + "1" * 80 + "!"),
    "ordinals": ("YYYY-MM-DD" + "Do[]" * 30, "2026-04-02" + "1st" * 40 + "!"),
}


@pytest.mark.parametrize("kind", _BACKTRACKING)
def test_no_format_of_daily_notes_takes_long_to_match(kind: str, tmp_path: Path) -> None:
    form, name = _BACKTRACKING[kind]
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/daily-notes.json").write_text(f'{{"format": "{form}"}}')
    (tmp_path / f"{name}.md").write_text("- a line\n")
    (tmp_path / "2026-04-02.md").write_text("- a line\n")
    assert len(list(OBSIDIAN.find(tmp_path))) >= 0


@pytest.mark.parametrize(
    ("form", "name"),
    [
        ("YYYY/MM/YYYY-MM-DD", "2026/04/2026-04-02"),
        ("YYYY-MM-DD dddd", "2026-04-02 Thursday"),
        ("gggg-[W]ww/YYYY-MM-DD", "2026-W14/2026-04-02"),
        ("gggg[W]ww/YYYYMMDD", "2026W14/20260402"),
        ("dd. D. MMMM, YYYY-MM-DD", "Do. 2. April, 2026-04-02"),
        ("dddd, MMMM Do YYYY (YYYY-MM-DD)", "Thursday, April 2nd 2026 (2026-04-02)"),
        ("YYYY-MM-DD[_daily]", "2026-04-02_daily"),
        ("ddd.MMM.YYYY-MM-DD", "Thu.Apr.2026-04-02"),
        ("D.M.YYYY", "2.4.2026"),
    ],
)
def test_daily_notes_are_found_by_the_format_of_their_vault(
    form: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/daily-notes.json").write_text(f'{{"format": "{form}"}}')
    note = tmp_path / f"{name}.md"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text("- a line\n")
    assert list(OBSIDIAN.find(tmp_path)) == [note]


# Files that are no files


def _linked_device(place: Path) -> None:
    place.symlink_to("/dev/zero")


_SPECIAL = {
    "folder": ("pipe.md", os.mkfifo),
    "claude-memory": ("pipe.md", os.mkfifo),
    "openclaw": ("memory/2026-04-03.md", os.mkfifo),
    "recall": ("memory/2026-04-03.md", os.mkfifo),
    "obsidian": ("2026-04-03.md", os.mkfifo),
    "obsidian settings": (".obsidian/daily-notes.json", os.mkfifo),
    "claude-code": ("pipe.jsonl", os.mkfifo),
    "chatgpt": ("conversations.json", os.mkfifo),
    "claude-mem": ("pipe.db", os.mkfifo),
    "device": ("zero.md", _linked_device),
}
_SOURCES = {"obsidian settings": "obsidian", "device": "claude-memory"}


@pytest.mark.parametrize("kind", _SPECIAL)
def test_pipes_and_devices_are_passed_over_and_said(kind: str, tmp_path: Path) -> None:
    name, make = _SPECIAL[kind]
    folder, source = tmp_path / "records", _SOURCES.get(kind, kind)
    special = folder / name
    special.parent.mkdir(parents=True)
    plain = (
        ("MEMORY.md",) if source == "claude-memory" else ("2026-04-02.md", "memory/2026-04-02.md")
    )
    for note in plain:
        (folder / note).parent.mkdir(exist_ok=True)
        (folder / note).write_text("- Shipped release 2.4.1 of the login page.\n")
    (folder / ".obsidian").mkdir(exist_ok=True)
    make(special)
    root = new_root(tmp_path / "root")
    args = ["import", source, str(folder), "--root", str(root.root)]
    done = lithify(args)
    assert "Traceback" not in done.stderr
    if source in ("folder", "claude-memory", "openclaw", "recall", "obsidian"):
        assert done.returncode == 0, done.stderr
        assert "Shipped release 2.4.1" in "".join(days(root.root).values())
    if kind not in ("obsidian settings", "claude-code", "chatgpt", "claude-mem"):
        assert "pipes" in done.stdout + done.stderr


# Databases that swell


_LONG = "printf('%.*c', 120000000, 'x')"
_COLUMNS = {
    "generated": f"narrative TEXT GENERATED ALWAYS AS ({_LONG}) VIRTUAL",
    "generated title": f"title TEXT GENERATED ALWAYS AS ({_LONG}) VIRTUAL",
    "generated key": f"memory_session_id TEXT GENERATED ALWAYS AS ({_LONG}) VIRTUAL",
    "generated unknown": f"more TEXT GENERATED ALWAYS AS ({_LONG}) VIRTUAL",
    "generated blob": "facts TEXT GENERATED ALWAYS AS (hex(zeroblob(400000000))) VIRTUAL",
}


#: In a process of its own: the highest that a process stood at includes what the tests before it took.
_READ = """
import sys
from pathlib import Path
from lithify.importers.sources import source_named

def highest():
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

source = source_named("claude-mem")
list(source.items(Path(sys.argv[1])))
before = highest()
list(source.items(Path(sys.argv[2])))
print(highest() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("kind", [*_COLUMNS, "long text", "long text elsewhere"])
def test_a_database_is_read_within_bounds(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "claude-mem.db"
    column = _COLUMNS.get(kind, "facts TEXT")
    name = column.split()[0]
    with sqlite3.connect(path) as db:
        plain = [one for one in ("memory_session_id", "title", "narrative") if one != name]
        db.execute(
            f"CREATE TABLE observations (id INTEGER PRIMARY KEY, created_at TEXT, type TEXT, "
            f"{' TEXT, '.join(plain)} TEXT, {column})"
        )
        db.execute("CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, created_at TEXT)")
        db.execute(
            "INSERT INTO observations (id, created_at, type) VALUES (1, '2026-04-02T10:00:00', 'x')"
        )
        if kind == "long text":
            db.execute("UPDATE observations SET narrative = printf('%.*c', 90000000, 'x')")
        elif kind == "long text elsewhere":
            db.execute("UPDATE observations SET type = printf('%.*c', 90000000, 'x')")
    db.close()
    command = [sys.executable, "-c", _READ, str(claude_mem(tmp_path / "plain.db")), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 60_000


def test_views_are_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "claude-mem.db"
    with sqlite3.connect(path) as db:
        for name in ("observations", "session_summaries"):
            db.execute(f"CREATE VIEW {name} AS SELECT {_LONG} AS title, 1 AS created_at")
    db.close()
    assert not source_named("claude-mem").holds(path)


# Archives that are broken

_CHATS = b'[{"conversation_id": "a", "title": "t", "mapping": {}, "create_time": 1775000000}]'


def _zipped(method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", method) as archive:
        archive.writestr("conversations.json", _CHATS * 40)
    return bytearray(raw.getvalue())


def _flag(data: bytearray, at: int, value: int) -> bytearray:
    """Set a field of two bytes in the header of the file and in the directory of the archive."""
    struct.pack_into("<H", data, at, value)
    struct.pack_into("<H", data, data.index(b"PK\x01\x02") + at + 2, value)
    return data


def _garbled(data: bytearray) -> bytearray:
    data[60:90] = b"\xff" * 30
    return data


_ARCHIVES = {
    "encrypted": lambda: _flag(_zipped(), 6, 1),
    "unknown method": lambda: _flag(_zipped(), 8, 97),
    "strong encryption": lambda: _flag(_zipped(), 6, 65),
    "patched data": lambda: _flag(_zipped(), 6, 32),
    "garbled deflate": lambda: _garbled(_zipped()),
    "garbled lzma": lambda: _garbled(_zipped(zipfile.ZIP_LZMA)),
    "garbled bzip2": lambda: _garbled(_zipped(zipfile.ZIP_BZIP2)),
    "cut off": lambda: _zipped()[:-30],
    "cut inside": lambda: _zipped()[:50] + _zipped()[-120:],
}


@pytest.mark.parametrize("kind", _ARCHIVES)
@pytest.mark.parametrize("source", ["chatgpt", "claude-ai"])
def test_a_broken_archive_is_said_in_a_line(kind: str, source: str, tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    path.write_bytes(bytes(_ARCHIVES[kind]()))
    root = new_root(tmp_path / "root")
    done = lithify(["import", source, str(path), "--root", str(root.root)])
    assert "Traceback" not in done.stderr and done.stderr.strip()
    assert done.returncode in (1, 2)


def test_what_a_reader_did_not_foresee_is_told_of_its_file(tmp_path: Path) -> None:
    """Whatever a file makes a reader raise, the others are read."""
    path = claude_mem(tmp_path / "claude-mem.db")

    def read(path: Path):  # type: ignore[no-untyped-def]
        yield from source_named("claude-mem").read(path)
        raise IndexError("list index out of range")

    source = source_named("claude-mem")._replace(read=read)
    found = list(source.items(path))
    assert len(found) > 2
    assert "list index" in found[-1].reason
