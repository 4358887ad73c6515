"""A daily run of a root by systemd, cron or launchd: what is written where, and taken out again.

Everything is named by the root, so that several roots have a schedule each. Absolute paths of the
interpreter and the root are written, because a scheduler has neither the person's PATH nor folder.
"""

from __future__ import annotations

import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from lithify.errors import UsageError
from lithify.store import disk

KINDS = ("systemd", "cron", "launchd")


class Job(NamedTuple):
    """What runs every day: its name, the root, the words of its command, hour and minute."""

    name: str
    root: str
    words: tuple[str, ...]
    hour: int
    minute: int


def job_of(root: str, at: str, options: Iterable[str] = (), python: str = sys.executable) -> Job:
    """The daily job of a root."""
    if not (found := re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", at)):
        raise UsageError(reason=f"{at!r} is not a time of day; write 03:10")
    root = os.path.abspath(root)
    words = (os.path.abspath(python), "-m", "lithify", "schedule", "run", "--root", root, *options)
    if any(not word.isprintable() for word in words):
        raise UsageError(
            reason="a schedule cannot hold a path with line breaks or control characters"
        )
    slug = re.sub(r"[^a-z0-9]+", "-", os.path.basename(root).lower()).strip("-")[:24] or "root"
    name = f"lithify-{slug}-{sha256(root.encode()).hexdigest()[:8]}"
    return Job(name, root, words, int(found[1]), int(found[2]))


def usual_kind() -> str:
    """The scheduler of this machine."""
    if sys.platform == "darwin":
        return "launchd"
    for kind, command in (("systemd", "systemctl"), ("cron", "crontab")):
        if shutil.which(command):
            return kind
    raise UsageError(
        reason="neither systemctl nor crontab is here; have this machine's own scheduler run "
        "`lithify schedule run --root DIR` once a day"
    )


def files_of(job: Job, kind: str) -> Mapping[str, bytes]:
    """The files that a schedule consists of; none for cron, which has one table for all."""
    if kind == "systemd":
        base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
        path = os.path.join(base, "systemd", "user", job.name)
        return {f"{path}.service": _service(job), f"{path}.timer": _timer(job)}
    if kind == "launchd":
        path = os.path.expanduser(f"~/Library/LaunchAgents/{job.name}.plist")
        return {path: _plist(job)}
    return {}


def cron_block(job: Job, lead: str = "") -> bytes:
    """The lines of a crontab; `lead` says how the table ended before them."""
    # In a crontab `%` ends the command.
    command = " ".join(shlex.quote(word) for word in job.words).replace("%", r"\%")
    line = f"{job.minute} {job.hour} * * * {command}"
    return f"# begin {job.name}{lead}\n{line}\n# end {job.name}\n".encode()


def install(job: Job, kind: str) -> bool:
    """Install a job; False if it was there as it is to be."""
    if kind == "cron":
        table = _crontab()
        new = _without(table or b"", job.name)
        lead = "" if new.endswith(b"\n") else " (no newline)" if new else ""
        lead = (
            " (no table)" if table is None or b" (no table)\n" in _ours(table, job.name) else lead
        )
        new += b"\n" * (lead == " (no newline)") + cron_block(job, lead)
        if new != table:
            _run(["crontab", "-"], new)
        return new != table
    files = files_of(job, kind)
    if all(disk.bytes_at(path) == data for path, data in files.items()):
        return False
    there = is_installed(job, kind)
    if there:
        _deactivate(job, kind)
    for path, data in files.items():
        disk.make_dir(os.path.dirname(path))
        disk.remove(path)
        disk.write_new(path, data)
    try:
        _activate(job, kind)
    except UsageError:
        for path in files:
            disk.remove(path)
        raise
    return True


def remove(job: Job, kind: str) -> bool:
    """Take a job out again; everything else is as it was before, to the byte."""
    if not is_installed(job, kind):
        return False
    if kind == "cron":
        table = _crontab() or b""
        new = _without(table, job.name)
        if not new and b" (no table)\n" in _ours(table, job.name):
            _run(["crontab", "-r"])
        else:
            _run(["crontab", "-"], new)
        return True
    _deactivate(job, kind)
    for path in files_of(job, kind):
        disk.remove(path)
    if kind == "systemd":
        _run(["systemctl", "--user", "daemon-reload"])
    return True


def is_installed(job: Job, kind: str) -> bool:
    """Whether a job of this name is there."""
    if kind == "cron":
        return bool(shutil.which("crontab") and _ours(_crontab() or b"", job.name))
    return any(os.path.exists(path) for path in files_of(job, kind))


def _activate(job: Job, kind: str) -> None:
    if kind == "systemd":
        _run(["systemctl", "--user", "daemon-reload"])
        _run(["systemctl", "--user", "enable", "--now", f"{job.name}.timer"])
    else:
        (path,) = files_of(job, kind)
        _run(["launchctl", "bootstrap", f"gui/{os.getuid()}", path])


def _deactivate(job: Job, kind: str) -> None:
    if kind == "systemd":
        _run(["systemctl", "--user", "disable", "--now", f"{job.name}.timer"])
    else:
        _run(["launchctl", "bootout", f"gui/{os.getuid()}/{job.name}"])


# Forms


def _service(job: Job) -> bytes:
    command = " ".join(_systemd_word(word) for word in job.words)
    about = job.root.replace("%", "%%")
    return (
        f"[Unit]\nDescription=Keep the memory in {about} current\n\n"
        f"[Service]\nType=oneshot\nNice=10\nExecStart={command}\n"
    ).encode()


def _systemd_word(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"'


def _timer(job: Job) -> bytes:
    return (
        f"[Unit]\nDescription=Daily run of {job.name}\n\n"
        f"[Timer]\nOnCalendar=*-*-* {job.hour:02}:{job.minute:02}:00\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    ).encode()


def _plist(job: Job) -> bytes:
    return plistlib.dumps(
        {
            "Label": job.name,
            "ProgramArguments": list(job.words),
            "StartCalendarInterval": {"Hour": job.hour, "Minute": job.minute},
            "ProcessType": "Background",
        }
    )


# The table of cron


def _crontab() -> bytes | None:
    """The person's table; None where there is none."""
    done = subprocess.run(["crontab", "-l"], capture_output=True, check=False)
    if done.returncode == 0:
        return done.stdout
    if b"no crontab" in done.stderr.lower():
        return None
    raise UsageError(reason=f"crontab -l failed: {done.stderr.decode('utf-8', 'replace').strip()}")


def _block(name: str) -> re.Pattern[bytes]:
    begin, end = (re.escape(f"# {word} {name}".encode()) for word in ("begin", "end"))
    return re.compile(rb"(?m)^" + begin + rb"(?: \([a-z ]+\))?\n[^\n]*\n" + end + rb"\n")


def _ours(table: bytes, name: str) -> bytes:
    found = _block(name).search(table)
    return found[0] if found else b""


def _without(table: bytes, name: str) -> bytes:
    found = _block(name).search(table)
    if not found:
        return table
    before = table[: found.start()]
    if b" (no newline)\n" in found[0] and found.end() == len(table):
        before = before.removesuffix(b"\n")
    return before + table[found.end() :]


def _run(command: list[str], given: bytes = b"") -> None:
    try:
        done = subprocess.run(command, input=given, capture_output=True, check=False)
    except OSError as error:
        raise UsageError(reason=f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip() or f"exit code {done.returncode}"
        raise UsageError(reason=f"{' '.join(command)} failed: {said}")
