"""What became of each memory: how often it was shown, on what, and how often its guard acted.

While a session goes on its own file counts (see `ruling`). When it ends the counts go into the journal,
one line a session, by the keys of the memories alone.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from lithify.moment.ruling import folder, lines, session_log
from lithify.moment.ruling import note as note_line
from lithify.store.commit import note
from lithify.store.journal import Record

KIND = "shown"
#: Each thing that can become of a memory, as the files name it.
DEEDS = ("prompt", "call", "asked", "refused")
#: A session whose file is not written to for so many seconds has ended unseen.
_FORGOTTEN = 2 * 86_400


class Uses(NamedTuple):
    """How often a memory was shown with a prompt or before a call, and how often its guard acted."""

    prompt: int = 0
    call: int = 0
    asked: int = 0
    refused: int = 0
    on: tuple[str, ...] = ()
    last: str = ""

    @property
    def in_words(self) -> str:
        """Say it in one line; empty where it was never used."""
        said = [
            *([f"shown with {self.prompt} prompts"] if self.prompt else []),
            *([f"before {self.call} calls"] if self.call else []),
            *([f"asked {self.asked} times"] if self.asked else []),
            *([f"refused {self.refused} times"] if self.refused else []),
        ]
        on = f" on {', '.join(self.on)}" if self.on else ""
        return f"{', '.join(said)}{on}, last {self.last}" if said else ""


def close(root: str, session: str, time: str) -> None:
    """Put the counts of a session that ends into the journal.

    Its file stays for a while: the session may be taken up again, and knows what it was shown.
    """
    if counts := _counted(lines(session_log(root, session))):
        note(root, KIND, {"rules": counts}, time)
        note_line(root, session, "closed")


def close_forgotten(root: str, now: float, time: str) -> None:
    """Put the counts of sessions that never ended into the journal, and remove the files of old ones."""
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(folder(root, "sessions")):
            path = folder(root, "sessions", name)
            if now - os.stat(path).st_mtime > _FORGOTTEN:
                if counts := _counted(lines(path)):
                    note(root, KIND, {"rules": counts}, time)
                # Last, so that a crash counts twice rather than never.
                os.remove(path)


def _counted(found: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Count what became of each memory since the session was counted last."""
    counts: dict[str, Counter[str]] = {}
    on: dict[str, set[str]] = {}
    for line in found:
        if line["what"] == "closed":
            counts, on = {}, {}
        elif line["what"] in DEEDS and line.get("key"):
            counts.setdefault(str(line["key"]), Counter())[line["what"]] += 1
            on.setdefault(str(line["key"]), set()).update(filter(None, [line.get("on", "")]))
    return {
        key: {**counts[key], **({"on": sorted(on[key])} if on[key] else {})}
        for key in sorted(counts)
    }


def uses(root: str, records: Iterable[Record], today: str) -> dict[str, Uses]:
    """Return what became of each memory, by its key: of ended sessions, and of those that go on."""
    found: dict[str, Uses] = {}
    for day, counts in _all_counts(root, records, today):
        for key, more in counts.items():
            one = found.get(key, Uses())
            on = dict.fromkeys([*one.on, *more.get("on", ())])
            sums = {deed: getattr(one, deed) + int(more.get(deed, 0)) for deed in DEEDS}
            found[key] = Uses(**sums, on=tuple(on), last=max(one.last, day))
    return found


def _all_counts(
    root: str, records: Iterable[Record], today: str
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for record in records:
        if record.kind == KIND:
            yield record.time[:10], record.data["rules"]
    with contextlib.suppress(FileNotFoundError):
        for name in sorted(os.listdir(folder(root, "sessions"))):
            yield today, _counted(lines(folder(root, "sessions", name)))
