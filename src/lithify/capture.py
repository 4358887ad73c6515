"""Entries on their way into a day and back out of it: their bytes, origins and redaction.

`capture` makes the bytes that `Memory.log` appends, with the ids they will have. `stamped` and
`clipped` give entries that were read from a file their origin and cut what nobody reads.
Only `append_entries` touches the disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lithify.errors import StorageError, UsageError
from lithify.limits import ENTRY, FILE
from lithify.markdown.lines import SIGNALS
from lithify.markdown.parse import End, entry_id, parse
from lithify.regex import regex
from lithify.settings import Folders, Redact
from lithify.text.copies import UntrustedCaptures, sketch
from lithify.trust import is_trusted, may_rule
from lithify.values import Entry

if TYPE_CHECKING:
    from lithify.store.places import Root

#: Wide enough that no reader of Markdown takes a continuation line for a heading.
INDENT = "    "
#: A stretch of so many characters without a space is not prose.
_STRETCH = 400
#: The most characters of pasted output that are shown.
_LONGEST = 40_000
#: The redaction of longer texts is not cached.
_REMEMBERED = 2000

_UNBROKEN = regex(r"[!-~]{400,}")

_FENCE = regex(r"^(\s*)(`{3,}|~{3,})", re.MULTILINE)
_ORIGIN = regex(r"(user|agent|tool|web|harness|mcp:[\w.@-]{1,64}|import:[\w.@-]{1,64})")


@dataclass(frozen=True, slots=True)
class Captured:
    """An entry ready to be appended, and what the journal is to say of it."""

    data: bytes
    entries: tuple[str, ...]
    sketches: dict[str, list[int]]


def check_origin(origin: str, ceiling: str) -> str:
    """The origin asked for, if it does not rise above what the channel itself has."""
    if not _ORIGIN.fullmatch(origin):
        raise UsageError(
            reason=f"{origin!r} is not an origin; use user, agent, tool, web, harness, mcp:NAME or import:NAME"
        )
    order = ["user", "agent", "tool"]
    rank = order.index(origin) if origin in order else len(order)
    if rank < order.index(ceiling):
        raise UsageError(
            reason=f"--origin may only lower: this channel speaks as {ceiling}, not as {origin}"
        )
    return origin


def capture(text: str, time: str, day: date, end: End, origin: str) -> Captured:
    """The bytes of one entry at the end of a day, `- HH:MM text`, and the ids in them.

    `time` is empty where only the day is known.
    """
    text = SIGNALS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        raise UsageError(
            reason="there is nothing to log; give a text, or `-` to read standard input"
        )
    text = _closed(text, end)
    first, *rest = text.split("\n")
    head = " ".join(filter(None, ("-", time, first.strip())))
    lines = [head, *(f"{INDENT}{line}".rstrip() for line in rest)]
    data = ("\n".join(lines) + "\n").encode("utf-8", "replace")
    entries = parse(data, label=day.isoformat(), day=day).entries
    ids = {entry_id(day.isoformat(), end.headings, entry.text): entry.text for entry in entries}
    sketches = {id: sketch(words) for id, words in ids.items()} if not is_trusted(origin) else {}
    return Captured(data, tuple(ids), sketches)


def _closed(text: str, end: End) -> str:
    """A text whose fences cannot pair with anything outside of it."""
    kinds = [entry.kind for entry in parse(text.encode("utf-8", "replace")).entries]
    fences = len(_FENCE.findall(text))
    if end.open_fence or fences != 2 * kinds.count("code"):
        return _FENCE.sub(r"\1\\\2", text)
    return text


# Origins of entries read back from a day


def stamped(
    entries: Iterable[Entry],
    origins: Mapping[str, str],
    copied_from: Callable[[str], str | None],
    unknown: str,
) -> Iterator[Entry]:
    """The entries with their origins; `unknown` is that of entries that were never captured.

    But one that is nearly the same as an untrusted capture, or holds a piece of one, is an edited
    copy and keeps that origin, in whatever day it stands. What may report but set no rule is quoted.
    """
    for entry in entries:
        origin = origins.get(entry.id) or copied_from(entry.text) or unknown
        quoted = entry.quoted or (is_trusted(origin) and not may_rule(origin))
        is_same = (entry.origin, entry.quoted) == (origin, quoted)
        yield entry if is_same else replace(entry, origin=origin, quoted=quoted)


def lowered(origin: str, text: str, untrusted: Callable[[], UntrustedCaptures]) -> str:
    """The origin of words on their way in: those of a stranger keep the stranger's.

    What an agent logs may repeat what our own tools have shown it; a person may say anything.
    """
    if origin == "user" or not is_trusted(origin):
        return origin
    return untrusted().origin_of_copy(text) or origin


# Entries read back from a day


def clipped(entry: Entry) -> Entry:
    """Cut an entry short where nobody reads on; its id is still that of the bytes on disk.

    Encoded or minified stretches and very long output are cut short, because no writer reads
    them. Prose is cut only where an entry is longer than `limits.ENTRY`, between two words.
    """
    if len(entry.text) > ENTRY:
        short = entry.text[:ENTRY].rpartition(" ")[0] or entry.text[:ENTRY]
        entry = replace(entry, text=f"{short.rstrip()}…")
    text = _clipped(entry.text, entry.kind == "code")
    return entry if text == entry.text else replace(entry, text=text)


def without_secrets(data: bytes, redact: Redact) -> bytes:
    """Take the credentials out of a file's bytes, if the settings ask for it; its lines stay."""
    if not redact.enabled:
        return data
    from lithify.secrets.redact import shown

    return shown(data, redact.allow, redact.key)


def redacted(text: str, redact: Redact) -> str:
    """Take the credentials out of a text that is no file, if the settings ask for it."""
    if not redact.enabled or not text:
        return text
    of = _redacted if len(text) <= _REMEMBERED else _redacted.__wrapped__
    return of(text, redact.allow, redact.key)


def _clipped(text: str, is_output: bool) -> str:
    if len(text) < _STRETCH:
        return text
    text = _UNBROKEN.sub(lambda match: match[0][:60] + "…", text)
    return text[:_LONGEST].rstrip() + "…" if is_output and len(text) > _LONGEST else text


@lru_cache(maxsize=1 << 13)
def _redacted(text: str, allow: tuple[str, ...], key: Callable[[], bytes] | None) -> str:
    # What is shown comes back with every command.
    from lithify.secrets.redact import redact

    return redact(text, allow, key)


class Logged(NamedTuple):
    """Where an entry went, its bytes as text, and the origin it was given."""

    path: str
    entries: tuple[str, ...]
    origin: str
    text: str


def append_entries(
    root: Root,
    folders: Folders,
    day: date,
    entries: Sequence[tuple[str, str]],
    origin: str,
    time: str,
    facts: Mapping[str, object] = MappingProxyType({}),
    keys: Sequence[str] = (),
    heading: str = "",
) -> Logged:
    """Append entries, each a time and a text without credentials, to a day as one capture.

    Untrusted words among them lower the origin. `facts` are what its journal line says besides; an
    `edit` among them, which is what the words replace, stays out where they are not trusted. `keys` name what an importer brought, an item for each entry.

    What has a `heading` goes under it into a file of its own: in the day's own file all that is
    written later would stand under it too.
    """
    from lithify.markdown.parse import end_of
    from lithify.store import day_end, disk, journal, places
    from lithify.store.commit import append_day
    from lithify.store.days import day_path, path_beside
    from lithify.store.tree import TOO_LARGE

    with places.named(root):
        whole = "\n".join(text for _, text in entries)
        sketches = (
            (str(data["origin"]), numbers)
            for data in journal.holding(root, "sketches")
            for numbers in data["sketches"].values()
        )
        origin = lowered(origin, whole, lambda: UntrustedCaptures(sketches))
        path = day_path(root, folders, day)
        path = path_beside(root, folders, path) if heading else path
        place = places.writable(root, path)
        # What is added there would never be read.
        if disk.size(place) > FILE:
            raise StorageError(action="append to", path=path, reason=TOO_LARGE)
        known = day_end.headings_in_force(root, path, place)
        there = disk.bytes_at(place) or b"" if known is None else b""
    end = replace(end_of(known[0]), spans=known[1]) if known else end_of(there)
    above = b""
    if heading and end.headings[-1:] != (heading,):
        above = (f"\n## {heading}\n\n" if known or there else f"## {heading}\n\n").encode()
        end = end_of((known[0] if known else there) + b"\n" + above)
    made = [capture(text, clock, day, end, origin) for clock, text in entries]
    ids = tuple(dict.fromkeys(id for one in made for id in one.entries))
    said: dict[str, object] = {**facts, "entries": list(ids), "origin": origin}
    if not is_trusted(origin):
        said.pop("edit", None)
    if keys:
        said["imported"] = {key: list(one.entries) for key, one in zip(keys, made, strict=True)}
    if copied := {id: found for one in made for id, found in one.sketches.items()}:
        said["sketches"] = copied
    data = above + b"".join(one.data for one in made)
    added = append_day(root, path, data, "capture", said, time).data["append"]
    if not (above or end.open_fence) and end_of(data) == End():
        day_end.keep(root, path, place, end.spans, added["offset"] + added["length"])
    return Logged(path, ids, origin, data.decode())
