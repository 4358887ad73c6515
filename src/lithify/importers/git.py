"""Git history: an entry for each commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lithify.importers.sources import Broken, ImportItem, ImportSource, LeftOut, Reading, moment_of

#: Nothing that a repository's settings name is run.
_GIT = ("git", "-c", "log.showSignature=false", "-c", "core.fsmonitor=false", "--no-pager", "-C")
_END = "\x1e"
_FORMAT = "--format=%H%x1f%aI%x1f%an%x1f%P%x1f%B%x1e"
_TRAILERS = ("Signed-off-by:", "Co-authored-by:", "Change-Id:", "Reviewed-by:")


def read(path: Path) -> Reading:
    """Yield the commits that lead to the current one, oldest first."""
    place = str(path if path.is_dir() else path.parent)
    command = [*_GIT, place, "log", "--reverse", "--no-color", "--encoding=UTF-8", _FORMAT]
    about = path.resolve().name.removesuffix(".git")
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    ) as git:
        assert git.stdout is not None
        record = ""
        for line in git.stdout:
            record += line
            if line.rstrip("\n").endswith(_END):
                yield from _commit(record.rstrip("\n").removesuffix(_END), about)
                record = ""
    if git.returncode:
        yield Broken(place, "git log failed")


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
    command = [*_GIT, str(path), "rev-parse", "--verify", "-q", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


SOURCE = ImportSource(
    name="git",
    title="Git history",
    where="a repository",
    looks_for="a git repository with at least one commit, and git on the PATH",
    find=lambda path: [path] if (path / ".git").exists() or (path / "objects").is_dir() else [],
    knows=_knows,
    read=read,
)
