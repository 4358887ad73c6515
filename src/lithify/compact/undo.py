"""Taking back a person's change, as long as nothing rests on it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lithify.calendar import month_of, parse_day, week_of
from lithify.compact.ledger import undone
from lithify.compact.snapshot import Snapshot
from lithify.compact.trace import places_in
from lithify.compact.workspace import Workspace
from lithify.errors import UnknownReference, UsageError
from lithify.store import disk
from lithify.store.journal import Record
from lithify.values import label_of

#: The kinds of records that a person's change is made of; a `forget` is none, and an undo neither.
UNDOABLE = frozenset(
    {
        *("capture", "commit", "in-force", "accept", "drop", "restore", "settle", "unsettle"),
        *("approve", "reject", "decline", "guard-declined", "revoke", "confirm"),
    }
)


def undo(workspace: Workspace, seqs: Collection[int], time: str) -> None:
    """Put back what these records changed: files as they were, and the journal as if they were not.

    A day keeps the lines that they added, but nobody is shown them and nothing is made of them.
    """
    snapshot = workspace.snapshot
    every = snapshot.journal.records
    left = set(seqs) - undone(every)
    records = [one for one in every if one.seq in left and one.kind in UNDOABLE]
    if not records or len(records) < len(seqs):
        raise UnknownReference(ref="this change", hint="It may have been undone already.")
    words = {word for record in records for word in _told(record)}
    captured = [record.data["entries"] for record in records if record.kind == "capture"]
    entries = {str(id) for ids in captured for id in ids}
    if any(entries.intersection(sources) for sources in _cited(snapshot, entries)):
        raise UsageError(reason="a page was written from it since, so it cannot be undone")
    if any(_told(one) & words for one in snapshot.records if one.seq > max(left)):
        raise UsageError(reason="it was decided on again since, so it cannot be undone")
    files = dict(_files_before(snapshot, records))
    facts = {"undoes": sorted(seqs), "hidden": dict.fromkeys(sorted(entries), True)}
    workspace.commit(files, facts, time, "undo")


def _told(record: Record) -> set[str]:
    """Return the statements that a record decides on, by their words."""
    return {*record.data.get("words", ()), *record.data.get("pair", ())}


def _cited(snapshot: Snapshot, entries: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yield what each sentence of the weeks and months of these entries rests on."""
    weeks = {week_of(day) for id in entries if (day := parse_day(label_of(id)))}
    for tier, shelf, names in (
        ("week", snapshot.shelf.weeks, weeks),
        ("month", snapshot.shelf.months, set(map(month_of, weeks))),
    ):
        for name in names & shelf.keys():
            yield from (place.sources for place in places_in(snapshot, tier, shelf[name].path))


def _files_before(
    snapshot: Snapshot, records: Collection[Record]
) -> Iterator[tuple[str, bytes | None]]:
    """Yield each file that the records changed as it was before; refuse where it changed since."""
    before: dict[str, str | None] = {}
    left: dict[str, str | None] = {}
    for record in records:
        for path, digest in record.data.get("files", {}).items():
            before.setdefault(path, record.data.get("replaced", {}).get(path))
            left[path] = digest
    for path, digest in before.items():
        old = disk.bytes_in(snapshot.root, f".lithify/history/{path}/{digest}") if digest else None
        if disk.digest_in(snapshot.root, path) != left[path] or (digest and old is None):
            raise UsageError(reason=f"{path} has changed since, so this cannot be undone")
        yield path, old
