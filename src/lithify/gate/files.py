"""The files of the gate: where they stand, how they are read, written and checked.

    .lithify/gate/<job>/interactions.jsonl   what was said; never rewritten
    .lithify/gate/<job>/chain.jsonl          accepted summaries; a line here is the commit
    .lithify/gate/<job>/denied-<level>-<to>  one byte for each denial
    .lithify/gate/<job>/fed.json             the last summary that was written to a day
    .lithify/gate/sessions/<session>.json    the job a session works on, and what it has recorded
    .lithify/gate/closed/<job>.json          derived (see `hook_state`). Installed hooks run `test -e`
                                             on this folder: it exists only while a gate is closed
    .lithify/gate/settings.json              derived: the gate's part of `lithify.toml`

Both logs have the form of the journal: each line holds the hash of the line before, and a line
cut by a crash is ended by the next write. Writers hold the gate's own lock, which no compaction
takes.

Where a folder stands in place of a file that is replaced or removed, it is moved to
`.lithify/gate/misplaced.<name>`: nobody is kept from working by it, and nothing in it is lost.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lithify.calendar import stamp
from lithify.errors import LithifyError, NotWritable, StorageError
from lithify.regex import regex
from lithify.settings import Folders, Gate, Settings, is_job_name
from lithify.store import disk, journal, places
from lithify.store.journal import Journal, Record
from lithify.store.lock import locked
from lithify.store.places import Root
from lithify.store.recover import pending_rewrite, recover

if TYPE_CHECKING:
    from lithify.store.check import Problem, Severity

Log = Literal["interactions", "chain"]
_LOGS: tuple[Log, ...] = ("interactions", "chain")
_LOCKS = ("gate.lock", "feed.lock")

#: How a sandbox or a read-only file system refuses a write.
_FORBIDDEN = (errno.EROFS, errno.EACCES, errno.EPERM)
_SESSION = regex(r"[A-Za-z0-9_-]{1,100}")


def folder(root: Root, *parts: str) -> str:
    """Return the path of a file or folder of the gate."""
    return places.state(root, "gate", *parts)


def log_path(root: Root, job: str, log: Log) -> str:
    """Return the path of a job's record or chain."""
    return folder(root, job, f"{log}.jsonl")


@contextlib.contextmanager
def writing(root: Root) -> Iterator[None]:
    """Hold the gate's lock.

    A `forget` or `scan --fix` that was cut short is finished first: it would replace the logs, and
    a line added before would be lost.
    """
    with places.named(root):
        while True:
            with contextlib.ExitStack() as held:
                try:
                    held.enter_context(locked(folder(root, "gate.lock")))
                except StorageError as error:
                    if getattr(error.__cause__, "errno", None) in _FORBIDDEN:
                        raise NotWritable(**error.facts) from error
                    raise
                if not pending_rewrite(root):
                    yield
                    return
            # Without the gate's lock, because the lock of the root may be held by who waits for it.
            recover(root)


def free_locks(root: Root) -> None:
    """Clear the places of the gate's locks, for a person who opens a gate."""
    for name in _LOCKS:
        path = folder(root, name)
        if os.path.lexists(path) and not os.path.isfile(path):
            _take_away(path)


def has_job(root: Root, job: str) -> bool:
    """Tell whether a job exists."""
    return is_job_name(job) and disk.exists(folder(root, job))


def jobs(root: Root) -> tuple[str, ...]:
    """Return every job of a root."""
    return tuple(sorted(filter(is_job_name, disk.names(folder(root)))))


def append(
    root: Root, job: str, log: Log, kind: str, facts: Mapping[str, Any], time: str
) -> Record:
    """Add one line in one write and return it; the caller holds the gate's lock."""
    path = log_path(root, job, log)
    disk.make_dir(os.path.dirname(path))
    return journal.append_line(path, kind, facts, time)


def size(root: Root, job: str, log: Log) -> int:
    """Return the size of a log."""
    return disk.size(log_path(root, job, log))


def read(root: Root, job: str, log: Log) -> Journal:
    """Return a whole log with every line verified."""
    path = log_path(root, job, log)
    return journal.verify(disk.read(path)) if disk.exists(path) else Journal()


def newest(root: Root, job: str, log: Log) -> Iterator[Record]:
    """Return the sound lines of a log, last to first. Damaged ones are left out; `problems` reports them."""
    for line, _ in journal.backwards(log_path(root, job, log)):
        record = journal.parse(line)
        if record is not None:
            yield record


# Small files that are replaced whole.


def session_path(root: Root, session: str) -> str:
    """Return the path of a session's file; an id that cannot be a file name is replaced by its digest."""
    name = session if _SESSION.fullmatch(session) else sha256(session.encode()).hexdigest()
    return folder(root, "sessions", f"{name}.json")


def read_sessions(root: Root) -> dict[str, dict[str, Any]]:
    """Read every session's file; return what it holds by its name."""
    top = folder(root, "sessions")
    try:
        names = [name for name in sorted(os.listdir(top)) if name.endswith(".json")]
    except OSError:
        return {}
    found = {name.removesuffix(".json"): read_json(os.path.join(top, name)) for name in names}
    return {name: data for name, data in found.items() if data is not None}


def closed_path(root: Root, job: str) -> str:
    """Return the path of a job's closed file."""
    return folder(root, "closed", f"{job}.json")


def remove_closed(root: Root, job: str | None) -> None:
    """Remove a job's closed file, and with the last of them the folder.

    Without a job everything in the folder is removed, so that no gate is closed.
    """
    top = folder(root, "closed")
    _need_folder(top)
    for name in disk.names(top):
        # We hold the lock, so a temporary file here was left by a program that was killed.
        if job is None or name == f"{job}.json" or name.endswith(".tmp"):
            _take_away(os.path.join(top, name))
    with contextlib.suppress(OSError):
        os.rmdir(top)


def denials_path(root: Root, job: str, level: int, stop: int) -> str:
    """Return the path of the count of denials of one demand."""
    return folder(root, job, f"denied-{level}-{stop}")


def clear_denials(root: Root, job: str) -> None:
    """Remove the counts of denials of a job."""
    for name in disk.names(folder(root, job)):
        if name.startswith("denied-"):
            _take_away(folder(root, job, name))


def settings_path(root: Root) -> str:
    """Return the path of the cached settings."""
    return folder(root, "settings.json")


def read_json(path: str) -> dict[str, Any] | None:
    """Return a JSON object from a file; None where it is missing or damaged."""
    try:
        data = json.loads(disk.read(path))
    except (StorageError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def put_json(path: str, data: Mapping[str, Any]) -> None:
    """Replace a JSON file in one step; the caller holds the gate's lock."""
    put_file(path, json.dumps(data, ensure_ascii=True).encode())


def put_file(path: str, data: bytes) -> None:
    """Replace a file in one step; the caller holds the gate's lock."""
    _need_folder(os.path.dirname(path))
    disk.make_dir(os.path.dirname(path))
    aside = f"{path}.tmp"
    # We hold the lock, so a temporary file here was left by a program that was killed.
    _take_away(aside)
    disk.write_new(aside, data)
    if disk.is_folder(path):
        _take_away(path)
    disk.replace(aside, path)


def _need_folder(path: str) -> None:
    """Take away what stands in place of a folder and is none."""
    if disk.exists(path) and not disk.is_folder(path):
        _take_away(path)


def _take_away(path: str) -> None:
    """Remove a file, a pipe or a link. A folder is moved aside with all that is in it."""
    if not disk.is_folder(path) or os.path.islink(path):
        disk.remove(path)
        return
    # In `closed/` nothing may stay: installed hooks test for that folder.
    parent, name = os.path.split(path)
    parent = os.path.dirname(parent) if os.path.basename(parent) == "closed" else parent
    places_for_it = (os.path.join(parent, f"misplaced.{name}.{n}") for n in count(1))
    disk.replace(path, next(one for one in places_for_it if not os.path.lexists(one)))


# Which session works on which job, as the sessions' own small files say.


#: After this many seconds without a prompt, a session no longer keeps others from its job.
IDLE_SECONDS = 6 * 3600
#: The session that the command itself stands for; once it has ended, its job is free for the next.
CLI_SESSION = "cli"
#: The variables in which Claude Code, Codex and Copilot name the session to what they run.
SESSION_VARIABLES = ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "COPILOT_AGENT_SESSION_ID")


class Session(NamedTuple):
    """A session: the job it works on, when its last prompt came, whether it has ended."""

    id: str
    job: str
    heard: float
    ended: bool = False


def choose_job(
    session: str, sessions: Sequence[Session], active: Sequence[str], now: float
) -> str | None:
    """Return the job a session works on: its own, else the free one that was worked on last."""
    heard: dict[str, float] = {}
    for one in sessions:
        if one.id == session and one.job in active:
            return one.job
        heard[one.job] = max(heard.get(one.job, 0.0), one.heard)
    taken = {
        one.job
        for one in sessions
        if one.id != session and not one.ended and now - one.heard < IDLE_SECONDS
    }
    free = [job for job in active if job not in taken]
    return max(free, key=lambda job: (heard.get(job, 0.0), job), default=None)


def all_sessions(root: str) -> tuple[Session, ...]:
    """Return every session that has a file."""
    return tuple(
        Session(name, s.get("job", ""), float(s.get("heard", 0)), bool(s.get("ended")))
        for name, s in read_sessions(root).items()
    )


def session_facts(root: str, session: str) -> dict[str, Any]:
    """Return what the file of a session holds; empty where there is none."""
    return read_json(session_path(root, session)) or {}


def calling_sessions(root: str, named: str, environ: Mapping[str, str], now: float) -> list[str]:
    """Return the sessions a command or server may run in: the one that is named, else every open one.

    A client that starts a new session may keep a server, which then knows only the old one's id.
    So a named session counts only while it is open.
    """
    found = [one for one in all_sessions(root) if one.job and not one.ended]
    live = [one.id for one in found if now - one.heard < IDLE_SECONDS]
    for name in (named, *(environ.get(variable, "") for variable in SESSION_VARIABLES)):
        if name and session_file_name(root, name) in live:
            return [session_file_name(root, name)]
    return live


def caller_origin(root: str, environ: Mapping[str, str], now: datetime, session: str = "") -> str:
    """Return the origin of what an agent says here: the agent, or an untrusted source it has read.

    Where its session is not known, any session that is still open may be the one.
    """
    for one in calling_sessions(root, session, environ, now.timestamp()):
        job = session_facts(root, one)["job"]
        origin = job_origin(root, job, settings_in_force(root), stamp(now))
        if origin != "agent":
            return origin
    return "agent"


def job_origin(root: Root, job: str, settings: GateSettings, until: str) -> str:
    """Return the origin of a job's summaries: the agent, or an untrusted source it had read by then.

    What was recorded in the name of such a source counts as read.
    """
    for record in read(root, job, "interactions").records:
        source = str(record.data.get("source" if record.kind == "taint" else "origin", ""))
        if record.time <= until and source.partition(":")[0] in settings.taint:
            return source
    return "agent"


def session_file_name(root: str, session: str) -> str:
    """Return the id of a session as its file is named."""
    return os.path.basename(session_path(root, session)).removesuffix(".json")


# The gate's part of `lithify.toml`, cached as JSON so that a hook need not load a TOML parser.


_SETTINGS_FORMAT = 6


class GateSettings(NamedTuple):
    """The settings the gate needs; `problem` says why the file as it is now was refused.

    `on` says whether the gate may close: not where `gate.enabled` is missing.
    """

    gate: Gate = Gate()
    zone: str = ""
    redact: bool = True
    allow: tuple[str, ...] = ()
    taint: tuple[str, ...] = ("web", "mcp")
    folders: Folders = Folders()
    problem: str = ""

    @property
    def on(self) -> bool:
        return bool(self.gate.enabled)

    def rules(self, job: str) -> Gate:
        """Return the rules of one job."""
        return self.gate.jobs.get(job, self.gate)


def settings_in_force(root: str) -> GateSettings:
    """Return the settings of a root. If the file is refused, those read before it stay in force."""
    saved = read_json(settings_path(root)) or {}
    known = settings_from_json(saved)
    try:
        data = disk.read(os.path.join(root, "lithify.toml"))
    except StorageError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            problem = f"lithify.toml: cannot be read: {error.facts['reason']}"
            return (known or GateSettings())._replace(problem=problem)
        data = b""
    digest = sha256(data).hexdigest()
    if known is not None and saved.get("digest") == digest:
        return known
    from lithify import config

    try:
        fresh = gate_settings(config.read(data))
    except LithifyError as error:
        return (known or GateSettings())._replace(problem=error.message)
    # Without the cache the next call reads the TOML again; it must not keep a gate from opening.
    with contextlib.suppress(LithifyError), writing(root):
        put_json(settings_path(root), settings_to_json(fresh, digest))
    return fresh


def gate_settings(settings: Settings) -> GateSettings:
    """Take the gate's part of the settings of a root."""
    return GateSettings(
        gate=settings.gate,
        zone=settings.zone,
        redact=settings.redact.enabled,
        allow=settings.redact.allow,
        taint=settings.trust.taint,
        folders=settings.folders,
    )


def settings_to_json(settings: GateSettings, digest: str) -> dict[str, Any]:
    """Return what the cache holds; `digest` is that of the TOML the settings were read from."""
    gate = {**settings.gate._asdict(), "jobs": {}}
    jobs = {name: {**rules._asdict(), "jobs": {}} for name, rules in settings.gate.jobs.items()}
    mark = {"format": _SETTINGS_FORMAT, "digest": digest}
    return {**settings._asdict(), **mark, "gate": gate, "jobs": jobs}


def settings_from_json(data: Mapping[str, Any]) -> GateSettings | None:
    """Return the settings in the cache; None where it has another format or is incomplete."""
    try:
        if data["format"] != _SETTINGS_FORMAT:
            return None
        jobs = {name: Gate(**_with_tuples(rules)) for name, rules in data["jobs"].items()}
        gate = Gate(**{**_with_tuples(data["gate"]), "jobs": jobs})
        known = {name: data[name] for name in GateSettings._fields}
        patterns, *pages = known["folders"]
        folders = Folders(tuple(patterns), *pages)
        return GateSettings(**{**_with_tuples(known), "gate": gate, "folders": folders})
    except (KeyError, TypeError, AttributeError):
        return None


def _with_tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}


# Checking.


def problems(root: Root, written: Journal | None = None) -> Iterator[Problem]:
    """Return everything in the gate's logs that is not as it was written.

    `written` is the root's journal, where the caller has read it already.
    """
    from lithify.store.check import Problem

    written = journal.read(root) if written is None else written
    for path in _misplaced_files(root):
        message = "it is not a regular file, so what belongs there cannot be read; remove it"
        yield Problem("chain", places.relative(root, path), 0, message, "error")
    # Sessions are read before the logs: a line that a session names must be in a log read later.
    known = _known_lines(written, read_sessions(root))
    rewrites = {r.time: f"by `{r.kind}`" for r in written.records if "rewrote" in r.data}
    for job in sorted({*jobs(root), *known}):
        logs = {log: _at_rest(root, job, log) for log in _LOGS}
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
            if reason := _missing(found, known.get(job, {}).get(log, {})):
                yield Problem("chain", path, line, reason, "error")
        path = places.relative(root, log_path(root, job, "chain"))
        for number, reason in _misplaced(logs["chain"], logs["interactions"]):
            yield Problem("chain", path, number, reason, "error")
        for record in logs["chain"].records:
            if record.kind == journal.TOMBSTONE:
                by = rewrites.get(record.time, "and the journal says nothing of it")
                number = len(record.data["lines"])
                message = f"words were taken out of {number} lines at {record.time}, {by}"
                level: Severity = "note" if record.time in rewrites else "error"
                yield Problem("chain", path, record.line, message, level)


def _misplaced_files(root: Root) -> Iterator[str]:
    """Yield folders, pipes and the like where the gate keeps its files, and files in place of folders."""
    names = [*_LOCKS, "settings.json"]
    for inner in ("closed", "sessions", *jobs(root)):
        top = folder(root, inner)
        if os.path.isdir(top):
            known = (name for name in sorted(os.listdir(top)) if not name.startswith("misplaced."))
            names += [os.path.join(inner, name) for name in known]
        elif os.path.lexists(top):
            yield top
    for name in names:
        path = folder(root, name)
        if os.path.lexists(path) and not os.path.isfile(path):
            yield path


def _at_rest(root: Root, job: str, log: Log) -> Journal:
    """Return a log; one that looks unfinished is read again under the lock, when nobody writes."""
    if not os.path.isfile(log_path(root, job, log)):
        return Journal()
    found = read(root, job, log)
    if found.torn or found.faults:
        with contextlib.suppress(LithifyError), writing(root):
            return read(root, job, log)
    return found


def _known_lines(
    written: Journal, sessions: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, dict[int, str]]]:
    """Collect by job and log the lines that others know of: hash by number.

    A session knows its last interaction, the journal each summary that was written to a day.
    """
    told = [("interactions", one) for one in sessions.values()]
    facts = (record.data.get("gate") for record in written.records)
    told += [("chain", one) for one in facts if isinstance(one, dict)]
    found: dict[str, dict[str, dict[int, str]]] = {}
    for log, one in told:
        job, seq = one.get("job"), one.get("seq")
        if seq and isinstance(job, str) and is_job_name(job):
            found.setdefault(job, {}).setdefault(log, {})[seq] = one.get("hash", "")
    return found


def _missing(found: Journal, known: Mapping[int, str]) -> str:
    """Say which line others know of is gone or changed.

    The hashes of a log cannot show that lines were cut off its end.
    """
    hashes = {record.seq: record.hash for record in found.records}
    last = max(hashes, default=0)
    if gone := [seq for seq in known if seq > last]:
        return f"record {max(gone)} was written and is gone; the last one here is {last}"
    changed = [seq for seq in sorted(known) if hashes.get(seq, known[seq]) != known[seq]]
    return f"record {changed[0]} is not the one that was written" if changed else ""


def _misplaced(chain: Journal, record: Journal) -> Iterator[tuple[int, str]]:
    """Yield summaries whose range does not follow the one before, or is not what they covered once."""
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
