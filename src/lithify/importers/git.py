"""Git history: an entry for each commit."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import date
from functools import lru_cache
from pathlib import Path

from lithify.importers.source_files import opened_as_text
from lithify.importers.sources import Broken, ImportItem, ImportSource, LeftOut, Reading, moment_of
from lithify.regex import regex

_DIGEST = regex("[0-9a-f]{40}|[0-9a-f]{64}")
_END = "\x1e"
_FORMAT = "--format=%H%x1f%aI%x1f%an%x1f%P%x1f%B%x1e"
_TRAILERS = ("Signed-off-by:", "Co-authored-by:", "Change-Id:", "Reviewed-by:")


def read(path: Path) -> Reading:
    """Yield the commits that lead to the current one, oldest first."""
    command = ["log", "--reverse", "--no-color", "--encoding=UTF-8", _FORMAT]
    about = path.resolve().name.removesuffix(".git")
    with _git(path, *command) as git:
        assert git.stdout is not None
        record = ""
        for line in git.stdout:
            record += line
            if line.rstrip("\n").endswith(_END):
                yield from _commit(record.rstrip("\n").removesuffix(_END), about)
                record = ""
    if git.returncode:
        yield Broken(str(path), "git log failed")


@contextmanager
def _git(path: Path, command: str, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Run git on the current commit of a repository, with its objects and nothing else of it.

    Settings can name programs to run, for a pager, a signature or an object that is missing. So git
    is given an empty repository of ours, and theirs only as the place where objects are.
    """
    commit, common = _current(path)
    with tempfile.TemporaryDirectory() as empty:
        for name in ("objects", "refs"):
            Path(empty, name).mkdir()
        Path(empty, "HEAD").write_text("ref: refs/heads/none\n")
        if len(commit) == 64:
            long = "[core]\nrepositoryFormatVersion = 1\n[extensions]\nobjectFormat = sha256\n"
            Path(empty, "config").write_text(long)
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        env |= {"GIT_DIR": empty, "GIT_OBJECT_DIRECTORY": str((common / "objects").resolve())}
        env |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        env |= {
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_SHALLOW_FILE": str((common / "shallow").resolve()),
        }
        with subprocess.Popen(
            ["git", "-c", "core.quotePath=false", "--no-pager", command, *options, commit],
            cwd=empty,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        ) as git:
            yield git


def _current(path: Path) -> tuple[str, Path]:
    """Return the current commit of a repository, and the folder of its objects and branches."""
    folder = path / ".git" if (path / ".git").exists() else path
    if folder.is_file():
        folder = Path(path, _line(folder).removeprefix("gitdir:").strip())
    common = folder / _line(folder / "commondir") if (folder / "commondir").exists() else folder
    return _commit_of(folder, common), common


def last_commit(file: Path) -> date | None:
    """Return the day of the last commit that changed a file; nothing where it is in none."""
    file = file.resolve()
    for folder in file.parents:
        if (folder / ".git").exists():
            # A clone gives every file the day of the clone. Without git that is all there is to know.
            with suppress(OSError, ValueError):
                days = _last_commits(folder, _current(folder)[0])
                return days.get(file.relative_to(folder).as_posix())
            return None
    return None


@lru_cache(maxsize=4)
def _last_commits(path: Path, commit: str) -> Mapping[str, date]:
    """Return the day on which each file of a repository was last changed by what led to a commit."""
    days: dict[str, date] = {}
    day = None
    with _git(path, "log", "--name-only", "--format=%x1e%aI") as git:
        assert git.stdout is not None
        for line in git.stdout:
            if line.startswith(_END):
                moment = moment_of(line[1:])
                day = moment.date() if moment else None
            elif day:
                days.setdefault(line.rstrip("\n"), day)
    return days


def _commit_of(folder: Path, common: Path) -> str:
    """Return the digest of the current commit, as HEAD and the branches say it."""
    said = _line(folder / "HEAD")
    for _ in range(5):
        if _DIGEST.fullmatch(said):
            return said
        name = said.removeprefix("ref:").strip()
        if not name.startswith("refs/") or ".." in name.split("/"):
            break
        if (common / name).is_file():
            said = _line(common / name)
        else:
            with opened_as_text(common / "packed-refs") as file:
                packed = dict(line.split()[1::-1] for line in file if line.count(" ") == 1)
            said = packed.get(name, "")
    raise ValueError("its HEAD names no commit")


def _line(path: Path) -> str:
    with opened_as_text(path) as file:
        return file.readline(4096).strip()


def _commit(record: str, about: str) -> Reading:
    fields = record.lstrip("\n").split("\x1f", 4)
    when = moment_of(fields[1]) if len(fields) == 5 else None
    if when is None:
        yield Broken(fields[0][:12], "the commit has no time")
        return
    if " " in fields[3]:
        yield LeftOut("merges")
        return
    subject, _, body = fields[4].strip().partition("\n")
    lines = [line for line in body.splitlines() if not line.strip().startswith(_TRAILERS)]
    subject = subject if subject.endswith((".", "!", "?")) else f"{subject}."
    said = " ".join(f"{subject} {' '.join(lines)}".split())
    yield ImportItem(when, f"Commit {fields[0][:10]} by {fields[2]}", said, fields[0], about)


def _knows(path: Path) -> bool:
    with _git(path, "cat-file", "-e") as git:
        return git.wait() == 0


SOURCE = ImportSource(
    name="git",
    title="Git history",
    where="a repository",
    looks_for="a git repository with at least one commit, and git on the PATH",
    find=lambda path: [path] if (path / ".git").exists() or (path / "objects").is_dir() else [],
    knows=_knows,
    read=read,
)
