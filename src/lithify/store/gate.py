"""The gate's files: two append-only logs a job, a focus a session, a mark while closed.

    .lithify/gate/<job>/interactions.jsonl   what was said; never rewritten
    .lithify/gate/<job>/chain.jsonl          accepted summaries; a line here is the commit
    .lithify/gate/sessions/<session>.json    the job a session works on, and where it was
    .lithify/gate/closed/<job>.json          derived; the folder is there only while a gate is
                                             closed, so that `test -e` can tell
    .lithify/gate/settings.json              derived: the settings without their TOML

Both logs have the form of the journal: every line bound to the one before by its hash, a cut
last line closed by the next. Writers hold the gate's own lock, which no compaction takes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from lithify.errors import LithifyError, StorageError, Unfinished
from lithify.store import disk, journal, places
from lithify.store.journal import Journal, Record
from lithify.store.lock import locked
from lithify.store.places import Root

if TYPE_CHECKING:
    from lithify.store.check import Problem

Log = Literal["interactions", "chain"]
_LOGS: tuple[Log, ...] = ("interactions", "chain")

_JOB = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_SESSION = re.compile(r"[A-Za-z0-9_-]{1,100}")
_NOT_JOBS = frozenset({"closed", "sessions"})


def folder(root: Root, *parts: str) -> str:
    """A place among the gate's files."""
    return places.state(root, "gate", *parts)


def log_path(root: Root, job: str, log: Log) -> str:
    """Where a job's record or chain stands."""
    return folder(root, job, f"{log}.jsonl")


@contextlib.contextmanager
def writing(root: Root) -> Iterator[None]:
    """Holds the gate's lock."""
    with places.named(root), locked(folder(root, "gate.lock")):
        yield


def jobs(root: Root) -> tuple[str, ...]:
    """Every job of a root."""
    try:
        names = os.listdir(folder(root))
    except OSError:
        return ()
    return tuple(sorted(n for n in names if _JOB.fullmatch(n) and n not in _NOT_JOBS))


def append(
    root: Root, job: str, log: Log, kind: str, facts: Mapping[str, Any], time: str
) -> Record:
    """Adds one line in one write and returns it; the caller holds the gate's lock."""
    if taken := journal.OWN & facts.keys():
        raise ValueError(f"a log sets {', '.join(sorted(taken))} itself")
    path = log_path(root, job, log)
    disk.make_dir(os.path.dirname(path))
    lead, line = _next(path, kind, facts, time)
    try:
        disk.append(path, lead + line + b"\n")
    except StorageError as error:
        if error.facts["action"] == "sync":
            # The line is whole in the file, though the disk did not confirm it.
            raise Unfinished(**error.facts) from error
        raise
    record = journal.parse(line)
    assert record is not None
    return record


def size_after(
    root: Root, job: str, log: Log, kind: str, facts: Mapping[str, Any], time: str
) -> int:
    """How long the log will be once this line is added."""
    path = log_path(root, job, log)
    lead, line = _next(path, kind, facts, time)
    return _size(path) + len(lead) + len(line) + 1


def size(root: Root, job: str, log: Log) -> int:
    """How long a log is."""
    return _size(log_path(root, job, log))


def read(root: Root, job: str, log: Log) -> Journal:
    """A whole log, every line of it verified."""
    path = log_path(root, job, log)
    return journal.verify(disk.read(path)) if os.path.exists(path) else Journal()


def newest(root: Root, job: str, log: Log) -> Iterator[Record]:
    """The sound lines of a log from the last to the first; damage is for `check` to report."""
    for line, _ in journal.backwards(log_path(root, job, log)):
        record = journal.parse(line)
        if record is not None:
            yield record


# Sessions, marks, settings: small whole files. ---------------------------------------------------


def session_path(root: Root, session: str) -> str:
    """Where a session's focus stands; an id that is no file name goes by its digest."""
    name = session if _SESSION.fullmatch(session) else sha256(session.encode()).hexdigest()
    return folder(root, "sessions", f"{name}.json")


def read_sessions(root: Root) -> dict[str, dict[str, Any]]:
    """Every session's file by its name."""
    top = folder(root, "sessions")
    try:
        names = sorted(os.listdir(top))
    except OSError:
        return {}
    found = {}
    for name in names:
        if name.endswith(".json"):
            data = read_json(os.path.join(top, name))
            if data is not None:
                found[name.removesuffix(".json")] = data
    return found


def mark_path(root: Root, job: str) -> str:
    """The mark of a closed gate."""
    return folder(root, "closed", f"{job}.json")


def set_mark(root: Root, job: str, facts: Mapping[str, Any]) -> None:
    """Says that a job's gate is closed, and all that is needed to deny a call."""
    put_json(mark_path(root, job), facts)


def clear_mark(root: Root, job: str) -> None:
    """Says that a job's gate is open; with the last mark goes the folder."""
    if not os.path.isdir(folder(root, "closed")):
        return
    for name in disk.names(folder(root, "closed")):
        # Nobody else is writing one: what is half made was left by a program that was killed.
        if name == f"{job}.json" or name.endswith(".tmp"):
            disk.remove(folder(root, "closed", name))
    with contextlib.suppress(OSError):
        os.rmdir(folder(root, "closed"))


def denials_path(root: Root, job: str, level: int, stop: int) -> str:
    """The count of denials of one demand."""
    return folder(root, job, f"denied-{level}-{stop}")


def clear_denials(root: Root, job: str) -> None:
    """Forgets how often calls were denied."""
    for name in disk.names(folder(root, job)):
        if name.startswith("denied-"):
            disk.remove(folder(root, job, name))


def settings_path(root: Root) -> str:
    """Where the compiled settings stand."""
    return folder(root, "settings.json")


def read_json(path: str) -> dict[str, Any] | None:
    """A small JSON file; None where it is missing or not whole."""
    try:
        data = json.loads(disk.read(path))
    except (StorageError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def put_json(path: str, data: Mapping[str, Any]) -> None:
    """A small JSON file, whole or as before; the caller holds the gate's lock."""
    disk.make_dir(os.path.dirname(path))
    aside = f"{path}.tmp"
    # We hold the lock, so one that is there belongs to a program that was killed.
    disk.remove(aside)
    disk.write_new(aside, json.dumps(data, ensure_ascii=True).encode())
    disk.replace(aside, path)


# Checking. ---------------------------------------------------------------------------------------


def problems(root: Root, book: Journal | None = None) -> Iterator[Problem]:
    """Everything about the gate's logs that is not as it was written."""
    from lithify.store.check import Problem

    book = journal.read(root) if book is None else book
    # Before the logs: what a session remembers must stand in a log that is read after it.
    sessions = read_sessions(root)
    for job in sorted({*jobs(root), *_told_of(book, sessions)}):
        logs = {log: _at_rest(root, job, log) for log in _LOGS}
        known = {"interactions": _remembered(sessions, job), "chain": _fed(book, job)}
        for log, found in logs.items():
            path = places.relative(root, log_path(root, job, log))
            if found.faults:
                first, *more = found.faults
                rest = f" (and {len(more)} more after it)" if more else ""
                yield Problem("chain", path, first.line, f"{first.reason}{rest}", "error")
            line = found.records[-1].line + 1 if found.records else 1
            if found.torn:
                message = "the last line was cut by a crash; the next write closes it"
                yield Problem("chain", path, line, message, "due")
            if reason := _missing(found, known[log]):
                yield Problem("chain", path, line, reason, "error")
        path = places.relative(root, log_path(root, job, "chain"))
        for number, reason in _misplaced(logs["chain"], logs["interactions"]):
            yield Problem("chain", path, number, reason, "error")


def _at_rest(root: Root, job: str, log: Log) -> Journal:
    """A log; one that looks unfinished is looked at again when nobody writes."""
    found = read(root, job, log)
    if found.torn or found.faults:
        with contextlib.suppress(LithifyError), writing(root):
            return read(root, job, log)
    return found


def _told_of(book: Journal, sessions: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """The jobs that the journal or a session knows something of, whatever is left of their own."""
    named = {one.get("job") for one in sessions.values() if one.get("seq")}
    facts = (record.data.get("gate") for record in book.records)
    named.update(one.get("job") for one in facts if isinstance(one, dict) and "seq" in one)
    return {job for job in named if isinstance(job, str) and _JOB.fullmatch(job)}


def _remembered(sessions: Mapping[str, Mapping[str, Any]], job: str) -> dict[int, str]:
    """The last line each session wrote into a job's record."""
    mine = [one for one in sessions.values() if one.get("job") == job and one.get("seq")]
    return {one["seq"]: one.get("hash", "") for one in mine}


def _fed(book: Journal, job: str) -> dict[int, str]:
    """The summaries of a job that the journal says were written to a day."""
    facts = (record.data.get("gate") for record in book.records)
    mine = [one for one in facts if isinstance(one, dict) and one.get("job") == job]
    return {one["seq"]: one.get("hash", "") for one in mine if "seq" in one}


def _missing(found: Journal, known: Mapping[int, str]) -> str:
    """Lines that others remember: a chain of hashes cannot miss its own end."""
    hashes = {record.seq: record.hash for record in found.records}
    last = max(hashes, default=0)
    if gone := [seq for seq in known if seq > last]:
        return f"record {max(gone)} was written and is gone; the last one here is {last}"
    changed = [seq for seq in sorted(known) if hashes.get(seq, known[seq]) != known[seq]]
    return f"record {changed[0]} is not the one that was written" if changed else ""


def _misplaced(chain: Journal, record: Journal) -> Iterator[tuple[int, str]]:
    """Summaries that do not cover what follows the one before, as it was when they were written."""
    hashes = {one.seq: one.hash for one in record.records}
    start = 1
    for summary in chain.records:
        if summary.kind != "summary" or summary.data.get("level", 0):
            continue
        begin, stop = summary.data["from"], summary.data["to"]
        if begin != start and not chain.faults:
            yield summary.line, f"it covers from {begin} on, though {start} comes next"
        if hashes.get(stop - 1) != summary.data["through"]:
            yield summary.line, f"interaction {stop - 1}, the last it covers, is gone or another"
        start = stop


def _next(path: str, kind: str, facts: Mapping[str, Any], time: str) -> tuple[bytes, bytes]:
    last = journal.tip(path)
    facts = {**facts, "torn": last.torn} if last.torn else facts
    return last.lead, journal.render(last.seq + 1, time, kind, facts, last.hash)


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.exists(path) else 0
