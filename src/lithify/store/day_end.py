"""Where the headings in force at the end of a long day stand, so that an append need not read the day.

`.lithify/day-end.json` tells it of one file, that which was appended to last, by positions and without a
word of it. It counts while the file looks as it did and has the same headings there.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from lithify.errors import LithifyError
from lithify.store import disk, places
from lithify.store.lock import locked
from lithify.store.places import Root

NAME = "day-end.json"
#: Days up to this size, in bytes, are read whole.
SHORT = 1 << 16


Spans = tuple[tuple[int, int], ...]


def headings_in_force(root: Root, path: str, place: str) -> tuple[bytes, Spans] | None:
    """Return the headings in force at the end of a day and where they stand; None if that is not known."""
    with suppress(LithifyError, OSError, ValueError, KeyError, TypeError):
        if disk.size(place) > SHORT:
            known = json.loads(disk.read(places.state(root, NAME)))
            if (known["path"], known["look"]) == (path, _look(place)):
                spans = tuple((int(start), int(end)) for start, end in known["headings"])
                lines = _lines(place, spans)
                return (lines, spans) if disk.sha(lines) == known["sha256"] else None
    return None


def keep(root: Root, path: str, place: str, headings: Spans, size: int) -> None:
    """Keep where the headings stand in a day that was just appended to and should have this size."""
    with suppress(LithifyError, OSError), locked(places.lock(root), wait=False):
        look = _look(place)
        if look[0] == size > SHORT:
            digest = disk.sha(_lines(place, headings))
            known = {"path": path, "look": look, "headings": headings, "sha256": digest}
            disk.put(root, places.state(root, NAME), json.dumps(known).encode())


def _look(place: str) -> list[int]:
    facts = os.lstat(place)
    return [facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns, facts.st_ino]


def _lines(place: str, spans: Spans) -> bytes:
    found = []
    with open(place, "rb") as file:
        for start, end in spans:
            file.seek(start)
            found.append(file.read(end - start))
    return b"\n\n".join(found)
