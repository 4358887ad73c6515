"""The values that importers share, and the sources there are, by name or by what a path holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from lithify.errors import UsageError
from lithify.plugins import offered


class ImportItem(NamedTuple):
    """Something that was said or done.

    `when` is a day where the source knows no time. `who` is the label that the entry begins with,
    `about` the project or conversation. `key` names the item at its source, the same in every reading:
    an item that comes again under its key with another `version` is an update. `more` is a line of its
    own below the text, which stays where the text is cut. `of` names the record that it is a part of,
    and `until` is the day on which the source took it back. With a `heading` it stands under that, in
    a file of its day that holds nothing but imports.
    """

    when: date
    who: str
    text: str
    key: str
    about: str = ""
    more: str = ""
    of: str = ""
    #: What changes where the source changes the item: by default its text.
    version: str = ""
    until: date | None = None
    heading: str = ""


class LeftOut(NamedTuple):
    """Something that is left out on purpose, and how often."""

    what: str
    times: int = 1


class Whole(NamedTuple):
    """A record of which every item was read: what it had before and has no more ends on this day.

    A record that the source has deleted is whole without an item. With `dates_news`, what it has more
    than at the last run is of this day too, whatever the day of the item is.
    """

    of: str
    when: date
    dates_news: bool = False


class Dated(NamedTuple):
    """What told the day of a note that has none in its name."""

    by: str


class Broken(NamedTuple):
    """Something that cannot be read."""

    place: str
    reason: str


Reading = Iterator[ImportItem | LeftOut | Whole | Dated | Broken]
TOOL_OUTPUT = LeftOut("tool output")
INJECTED = LeftOut("text that the client added")
THINKING = LeftOut("thinking")


class ImportSource(NamedTuple):
    """One tool whose records can be imported."""

    name: str
    title: str
    #: Where its files usually are.
    where: str
    #: What is looked for in a path.
    looks_for: str
    #: The files of a path that could hold its records; empty where there are none.
    find: Callable[[Path], Iterable[Path]]
    #: The items of one file.
    read: Callable[[Path], Reading]
    #: Whether a file does hold its records, by its beginning.
    knows: Callable[[Path], bool] = Path.is_file

    def holds(self, file: Path) -> bool:
        """Tell whether a file holds records of this source."""
        # Nobody can list what libraries raise for the files of others.
        with suppress(Exception):
            return self.knows(file)
        return False

    def items(self, file: Path) -> Reading:
        """Read the items of a file; what goes wrong on the way is one of them."""
        try:
            yield from self.read(file)
        except Exception as error:
            yield Broken(file.name, str(error) or type(error).__name__)


def moment_of(value: object) -> datetime | None:
    """The moment that a source wrote as ISO 8601 text, or as seconds or milliseconds since 1970."""
    try:
        if isinstance(value, str) and value.replace(".", "", 1).isdigit():
            value = float(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > 1e11 else value
            return datetime.fromtimestamp(seconds, UTC)
        if isinstance(value, str) and value:
            found = datetime.fromisoformat(value.strip())
            return found if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def first_moment(record: dict[str, Any], *names: str) -> datetime | None:
    """Return the moment in the first of these fields that has one."""
    return next((found for name in names if (found := moment_of(record.get(name)))), None)


def objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of a list, or an object alone; nothing of what is neither."""
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, dict)]


def json_object(value: object) -> dict[str, Any]:
    """Return an object, also one that is written as JSON text; empty for all else."""
    if isinstance(value, str | bytes):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def text_of(content: object, kinds: tuple[str, ...] = ("text",)) -> str:
    """Return the text of a message: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    blocks = [block for block in objects(content) if block.get("type", "text") in kinds]
    texts = [block.get("text") for block in blocks]
    texts += (
        [part for part in content if isinstance(part, str)] if isinstance(content, list) else []
    )
    return "\n\n".join(text for text in texts if isinstance(text, str) and text.strip())


# The table of sources

#: Where each built-in source stands. Those told by their content come before those that take any text.
BUILT_IN = {
    "claude-code": "claude_code:SOURCE",
    "codex": "codex:SOURCE",
    "gemini": "gemini:SOURCE",
    "copilot": "copilot:SOURCE",
    "opencode": "opencode:SOURCE",
    "cursor": "cursor:SOURCE",
    "claude-mem": "claude_mem:SOURCE",
    "mcp-memory": "graphs:MCP_MEMORY",
    "graphiti": "graphs:GRAPHITI",
    "chatgpt": "chats:CHATGPT",
    "claude-ai": "chats:CLAUDE_AI",
    "letta": "letta:SOURCE",
    "mem0": "mem0:SOURCE",
    "claude-memory": "notes:AUTO_MEMORY",
    "openclaw": "notes:OPENCLAW",
    "recall": "notes:RECALL",
    "logseq": "outlines:LOGSEQ",
    "basic-memory": "outlines:BASIC_MEMORY",
    "obsidian": "notes:OBSIDIAN",
    "git": "git:SOURCE",
    "folder": "notes:FOLDER",
}


def source_named(name: str) -> ImportSource:
    """Return the source of this name: a built-in one, else one that an installed package offers.

    The error names those that are nearly called so.
    """
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        found = getattr(import_module(f"lithify.importers.{module}"), attribute)
    else:
        found = offered("importers", name)
    if found is None:
        near = get_close_matches(name, BUILT_IN, 3, 0.7)
        hint = f"did you mean {' or '.join(near)}?" if near else "lithify import lists them"
        raise UsageError(reason=f"there is no source {name!r}; {hint}")
    if not isinstance(found, ImportSource):
        raise UsageError(reason=f"what is offered as the source {name!r} is no ImportSource")
    # The origin of what comes in is the name that a person asked for.
    return found._replace(name=name)


def all_sources() -> Iterator[ImportSource]:
    """Return the built-in sources."""
    return map(source_named, BUILT_IN)


def source_of(path: Path) -> ImportSource:
    """Return the first source whose records a path holds."""
    if not path.exists():
        raise UsageError(reason=f"{path} does not exist")
    for source in all_sources():
        if any(source.holds(file) for file in source.find(path)):
            return source
    raise UsageError(
        reason=f"{path} is not of a kind that can be imported; lithify import lists those"
    )
