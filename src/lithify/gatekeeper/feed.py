"""Chain and calendar are one memory: what the gate accepts becomes entries of its day.

The chain's line is the commit. A day's entry is written after it, with the chain's number in
its journal line; whoever comes next writes what is missing, and nothing twice.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from lithify.calendar import moment, stamp, zone
from lithify.capture import capture
from lithify.gate.compiled import Compiled
from lithify.gate.day import session_entries, summary_entries
from lithify.gate.jobs import summary_of
from lithify.markdown.parse import End, end_of
from lithify.store import gate as store
from lithify.store import journal
from lithify.store.commit import append_day, recover
from lithify.store.days import day_path
from lithify.store.lock import locked
from lithify.store.places import Root

#: How far back in the journal a session looks for its own last entry.
_RECENT = 50


def feed(root: Root, job: str, settings: Compiled) -> tuple[int, ...]:
    """Writes the job's summaries that no day has yet; returns their numbers."""
    hint = store.folder(root, job, "fed.json")
    # A lock of its own: a prompt that is being recorded never waits for a day.
    with locked(store.folder(root, "feed.lock")):
        records = store.read(root, job, "chain").records
        # A summary of summaries says nothing that its days do not have.
        due = [r for r in records if r.kind == "summary" and not r.data.get("level")]
        done = (store.read_json(hint) or {}).get("seq", 0)
        due = [record for record in due if record.seq > done]
        if not due:
            return ()
        # One that was killed may have its line in the journal and not yet in the day.
        recover(root)
        known = _in_the_journal(root, job)
        written = []
        for record in due:
            if record.seq not in known:
                facts = {"job": job, "seq": record.seq, "hash": record.hash}
                origin = record.data.get("origin") or origin_of(root, job, settings, record.time)
                lines = summary_entries(job, summary_of(record))
                _append(root, lines, moment(record.time), settings, origin, facts)
                written.append(record.seq)
        store.put_json(hint, {"seq": due[-1].seq})
        return tuple(written)


def session_entry(
    root: Root, session: str, known: Mapping[str, Any], settings: Compiled, now: datetime
) -> None:
    """Says in the day what a session was about, if anything was asked since it was last said."""
    job, prompts = known["job"], int(known.get("prompts", 0))
    if not prompts or known.get("seq", 0) <= known.get("logged", 0):
        return
    facts = {"job": job, "session": session, "through": known["seq"]}
    if any(r and r.data.get("gate") == facts for r in islice(journal.newest(root), _RECENT)):
        # Said already, by one that was killed before it could note so.
        return
    asked, begins = _asked(root, job, session, int(known.get("logged", 0)))
    told = session_entries(asked, str(known.get("last", "")), begins=begins)
    if told:
        origin = origin_of(root, job, settings, stamp(now))
        _append(root, told, now, settings, origin, facts)


def _asked(root: Root, job: str, session: str, told: int) -> tuple[list[str], bool]:
    """What a session was asked after `told`, but for what a summary tells; and whether that is all."""
    covered = 1
    for record in store.newest(root, job, "chain"):
        if record.kind == "summary" and not record.data.get("level"):
            covered = int(record.data["to"])
            break
    since = max(told + 1, covered)
    asked = []
    for record in store.newest(root, job, "interactions"):
        if record.seq < since:
            break
        if record.kind == "prompt" and record.data["session"] == session:
            asked.append(record.data["text"])
    return asked[::-1], since == 1


def _append(
    root: Root,
    texts: Sequence[str],
    at: datetime,
    settings: Compiled,
    origin: str,
    facts: Mapping[str, Any],
) -> None:
    local = at.astimezone(zone(settings.zone))
    day = local.date()
    path = day_path(root, settings.days, day)
    target = os.path.join(os.fspath(root), *path.split("/"))
    end = End()
    if os.path.isfile(target):
        with open(target, "rb") as file:
            end = end_of(file.read())
    entries = [capture(text, f"{local:%H:%M}", day, end, origin) for text in texts]
    said: dict[str, Any] = {
        "entries": [id for entry in entries for id in entry.entries],
        "origin": origin,
        "gate": dict(facts),
    }
    sketches = {id: found for entry in entries for id, found in entry.sketches.items()}
    if sketches:
        said["sketches"] = sketches
    data = b"".join(entry.data for entry in entries)
    append_day(root, path, data, "capture", said, stamp(at))


def _in_the_journal(root: Root, job: str) -> set[int]:
    found = set()
    for record in journal.read(root).records:
        facts = record.data.get("gate")
        if isinstance(facts, dict) and facts.get("job") == job and "seq" in facts:
            found.add(int(facts["seq"]))
    return found


def origin_of(root: Root, job: str, settings: Compiled, until: str) -> str:
    """Who speaks on a job: the agent, or the strangers it had read by then."""
    for record in store.read(root, job, "interactions").records:
        if record.kind == "taint" and record.time <= until:
            source: str = record.data["source"]
            if source.partition(":")[0] in settings.taint:
                return source
    return "agent"
