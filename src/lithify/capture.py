"""What is said becomes an entry of its day: redacted, stamped with its origin, appended.

Pure: the bytes to append and the ids they will have. `Memory.log` writes them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from lithify.compact.origins import needs_sketch, sketch
from lithify.errors import UsageError
from lithify.markdown.entries import entry_id
from lithify.markdown.parse import End, parse
from lithify.markdown.patterns import SIGNALS

#: Wide enough that no reader of Markdown takes a continuation line for a heading.
INDENT = "    "

_FENCE = re.compile(r"^(\s*)(`{3,}|~{3,})", re.MULTILINE)
_ORIGIN = re.compile(r"(user|agent|tool|web|mcp:[\w.@-]{1,64}|import:[\w.@-]{1,64})")


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
            reason=f"{origin!r} is no origin; use user, agent, tool, web, mcp:NAME or import:NAME"
        )
    order = ["user", "agent", "tool"]
    rank = order.index(origin) if origin in order else len(order)
    if rank < order.index(ceiling):
        raise UsageError(
            reason=f"--origin may only lower: this channel speaks as {ceiling}, not as {origin}"
        )
    return origin


def capture(text: str, time: str, day: date, end: End, origin: str) -> Captured:
    """The bytes of one entry at the end of a day, `- HH:MM text`, and the ids in them."""
    text = SIGNALS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        raise UsageError(
            reason="there is nothing to log; give a text, or `-` to read standard input"
        )
    text = _closed(text, end)
    first, *rest = text.split("\n")
    lines = [f"- {time} {first.strip()}", *(f"{INDENT}{line}".rstrip() for line in rest)]
    data = ("\n".join(lines) + "\n").encode("utf-8", "replace")
    entries = parse(data, label=day.isoformat(), day=day).entries
    ids = {entry_id(day.isoformat(), end.headings, entry.text): entry.text for entry in entries}
    sketches = {id: sketch(words) for id, words in ids.items()} if needs_sketch(origin) else {}
    return Captured(data, tuple(ids), sketches)


def _closed(text: str, end: End) -> str:
    """A text whose fences cannot pair with anything outside of it."""
    kinds = [entry.kind for entry in parse(text.encode("utf-8", "replace")).entries]
    fences = len(_FENCE.findall(text))
    if end.open_fence or fences != 2 * kinds.count("code"):
        return _FENCE.sub(r"\1\\\2", text)
    return text


def default_origin(terminal: bool) -> str:
    """Who speaks when nobody says: a person at a terminal, an agent otherwise."""
    return "user" if terminal else "agent"
