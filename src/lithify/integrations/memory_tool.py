"""A backend for the memory tool of Anthropic's SDK (`memory_20250818`), over a root.

The files that an agent writes below `/memories` are notes in `memory/notes/`. Every change is a
commit: redacted, journaled with its origin, the old version kept in history. What a change adds is
logged as an entry of the day first, so that it is compacted and recalled like everything else and
outlives the note. Below `/memories/lithify` the pages of the root are shown; they cannot be written.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from anthropic.lib.tools import (
    BetaAbstractMemoryTool,
    BetaAsyncAbstractMemoryTool,
    BetaFunctionToolResultType,
    ToolError,
)
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818Command,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from lithify import platform
from lithify.async_memory import Threaded, threaded
from lithify.calendar import stamp
from lithify.capture import redacted
from lithify.errors import LithifyError
from lithify.fence import fence
from lithify.integrations.speaker import Speaker, journaled, notes_folder
from lithify.memory import Memory
from lithify.store import disk, places
from lithify.store.commit import commit
from lithify.store.lock import locked
from lithify.store.names import dated
from lithify.trust import is_trusted

TOP = "/memories"
#: The folder below `TOP` that shows the pages of the root.
PAGES = "lithify"
#: The most characters that one note may have.
LONGEST = 100_000
#: The most folders that a note may lie in, with its own name.
DEEPEST = 20

_READ_ONLY = (
    f"{TOP}/{PAGES} shows pages that are written from the days and cannot be changed here; "
    f"write what is new into a note elsewhere below {TOP}"
)


class _Note(NamedTuple):
    """A path below `/memories`: as the agent names it, and in the root."""

    shown: str
    path: str
    #: What follows `/memories/lithify/`; None for a note.
    page: str | None = None


class MemoryTool(BetaAbstractMemoryTool):
    """The memory tool over a root: pass it to `client.beta.messages.run_tools(tools=[…])`.

    `origin` is that of what the agent writes, `session` its session where hooks record one. Once it
    was shown something untrusted, what it writes has that origin.
    """

    def __init__(
        self,
        memory: Memory,
        *,
        origin: str = "agent",
        session: str = "",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.memory = memory
        self._speaker = Speaker(memory, origin=origin, session=session)
        self._folder = notes_folder(memory)

    # Commands

    def execute(self, command: BetaMemoryTool20250818Command) -> BetaFunctionToolResultType:
        """Carry out a command; what went wrong is told in the way the SDK passes on to the agent."""
        try:
            return super().execute(command)
        except LithifyError as error:
            raise ToolError(error.message) from error

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """Show a note or page with line numbers, or list a folder."""
        note = self._note(command.path)
        if note.page is not None and (name := self._page_names().get(note.page)):
            page = self.memory.page(name)
            self._speaker.shown(page.origin)
            return self._numbered(note, page.text, command.view_range, page.origin)
        if note.page is None and (text := self._text(note)) is not None:
            origin = journaled(self.memory, "notes").get(note.path, "file")
            self._speaker.shown(origin)
            text = redacted(text, self.memory.settings.redact)
            fenced = "" if is_trusted(origin) else origin
            return self._numbered(note, text, command.view_range, fenced)
        return self._listing(note)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Make a new note."""
        note = self._writable(command.path)
        with self._locked():
            if self._text(note) is not None or self._below(note):
                raise ToolError(
                    f"{note.shown} already exists; change it with str_replace or insert"
                )
            self._write(note, command.file_text, command.file_text, "create")
        return f"File created successfully at: {note.shown}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replace words that occur once in a note."""
        note, new = self._writable(command.path), command.new_str or ""
        with self._locked():
            text = self._existing(note)
            found = text.count(command.old_str) if command.old_str else 0
            if found != 1:
                raise ToolError(
                    f"old_str occurs {found} times in {note.shown}, so nothing was replaced; give "
                    "words that occur exactly once"
                )
            self._write(note, text.replace(command.old_str, new), new, "str_replace")
        return f"The file {note.shown} has been edited."

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Insert lines after a line of a note."""
        note, added = self._writable(command.path), command.insert_text.rstrip("\n")
        with self._locked():
            lines = self._existing(note).removesuffix("\n").split("\n")
            lines = [] if lines == [""] else lines
            if not 0 <= command.insert_line <= len(lines):
                raise ToolError(f"insert_line must be between 0 and {len(lines)} in {note.shown}")
            lines.insert(command.insert_line, added)
            self._write(note, "\n".join(lines) + "\n", added, "insert")
        return f"The file {note.shown} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Delete a note or a folder of notes; their last versions stay in history."""
        note = self._writable(command.path)
        with self._locked():
            self._commit(dict.fromkeys(self._files(note)), {}, "delete")
        return f"Successfully deleted {note.shown}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Give a note or a folder of notes another name; origins stay."""
        old, new = self._writable(command.old_path), self._writable(command.new_path)
        with self._locked():
            if self._text(new) is not None or self._below(new):
                raise ToolError(f"The destination {new.shown} already exists")
            origins, files, kept = (
                journaled(self.memory, "notes"),
                dict[str, bytes | None](),
                dict[str, str](),
            )
            for path in self._files(old):
                target = new.path + path.removeprefix(old.path)
                _refuse_dates(target, new.shown)
                files |= {path: None, target: disk.bytes_at(self._real(path))}
                kept[target] = origins.get(path, "file")
            self._commit(files, kept, "rename")
        return f"Successfully renamed {old.shown} to {new.shown}"

    # Paths

    def _note(self, path: str) -> _Note:
        rest = path.removeprefix(TOP).rstrip("/")
        parts = rest.split("/")[1:]
        plain = path.isprintable() and "\\" not in path and path.startswith(TOP)
        if not plain or rest[:1] not in ("", "/") or any(p[:1] in ("", ".") for p in parts):
            raise ToolError(f"a path begins with {TOP}/ and has no empty, hidden or '..' parts")
        if len(parts) > DEEPEST:
            raise ToolError(f"a path has at most {DEEPEST} parts below {TOP}")
        page = "/".join(parts[1:]) if parts[:1] == [PAGES] else None
        return _Note(TOP + rest, "/".join([self._folder, *parts]), page)

    def _writable(self, path: str) -> _Note:
        note = self._note(path)
        if note.page is not None:
            raise ToolError(_READ_ONLY)
        if note.shown == TOP:
            raise ToolError(f"{TOP} itself cannot be changed; name a file below it")
        _refuse_dates(note.path, note.shown)
        return note

    def _real(self, path: str) -> str:
        return places.writable(self.memory.root, path)

    def _text(self, note: _Note) -> str | None:
        real = self._real(note.path)
        data = disk.bytes_at(real) if os.path.isfile(real) else None
        return None if data is None else data.decode("utf-8", "replace")

    def _existing(self, note: _Note) -> str:
        text = self._text(note)
        if text is None:
            raise ToolError(f"{note.shown} is not a file; view {TOP} lists what there is")
        return text

    def _below(self, note: _Note) -> dict[str, int]:
        """The notes in a folder, by path, with their sizes."""
        found: dict[str, int] = {}
        for folder, folders, files in platform.walk(self._real(note.path)):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                real = os.path.join(folder, name)
                if not name.startswith(".") and not os.path.islink(real):
                    found[places.relative(self.memory.root, real)] = os.path.getsize(real)
        return found

    def _files(self, note: _Note) -> list[str]:
        if self._text(note) is not None:
            return [note.path]
        if found := list(self._below(note)):
            return found
        raise ToolError(f"The path {note.shown} does not exist; view {TOP} lists what there is")

    # Showing

    def _page_names(self) -> Mapping[str, str]:
        names = (page.name for page in self.memory.pages())
        return {f"{name}.md": name for name in names if not name.startswith("day/")}

    def _listing(self, note: _Note) -> str:
        sizes: dict[str, int | None] = {}
        if note.page is None:
            start = len(self._folder)
            sizes = {TOP + path[start:]: size for path, size in self._below(note).items()}
        if note.shown == TOP or note.page is not None:
            sizes |= {f"{TOP}/{PAGES}/{name}": None for name in self._page_names()}
        inside = {path: size for path, size in sizes.items() if path.startswith(f"{note.shown}/")}
        if not inside and note.shown != TOP:
            raise ToolError(f"The path {note.shown} does not exist; view {TOP} lists what there is")
        # A name is its writer's words, as what stands in the file is.
        origins, start = journaled(self.memory, "notes"), len(TOP)
        lines, others = [f"Here're the files in {note.shown}:"], dict[str, list[str]]()
        for path, size in inside.items():
            line = f"{'read-only' if size is None else f'{size}B'}\t{path}"
            origin = origins.get(self._folder + path[start:], "file")
            (lines if is_trusted(origin) else others.setdefault(origin, [])).append(line)
        for origin, named in others.items():
            self._speaker.shown(origin)
            lines.append(fence("\n".join(named), origin, note.shown))
        return "\n".join(lines)

    def _numbered(self, note: _Note, text: str, view: list[int] | None, fenced: str) -> str:
        lines = text.removesuffix("\n").split("\n")
        first, last = view if view and len(view) == 2 else (1, -1)
        first = max(first, 1)
        shown = lines[first - 1 : len(lines) if last == -1 else max(last, 0)]
        body = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(shown, first))
        body = fence(body, fenced, note.path) if fenced else body
        return f"Here's the content of {note.shown} with line numbers:\n{body}"

    # Writing

    def _locked(self) -> Any:
        return locked(places.lock(self.memory.root))

    def _write(self, note: _Note, text: str, added: str, command: str) -> None:
        if len(text) > LONGEST:
            raise ToolError(
                f"{note.shown} would have {len(text):,} characters, at most {LONGEST:,} fit; "
                "split it into several files"
            )
        origin, target = self._speaker.origin, self._real(note.path)
        # What cannot be written must not be logged as if it had been.
        disk.make_dir(os.path.dirname(target))
        disk.require_writable(os.path.dirname(target))
        disk.exists(target)
        if added.strip():
            origin = self.memory.log(f"Note {note.shown}: {added}", origin=origin).origin
        before = journaled(self.memory, "notes").get(note.path, origin)
        origin = origin if is_trusted(before) else before
        data = redacted(text, self.memory.settings.redact).encode("utf-8", "replace")
        self._commit({note.path: data}, {note.path: origin}, command)

    def _commit(
        self, files: Mapping[str, bytes | None], origins: Mapping[str, str], command: str
    ) -> None:
        facts = {"notes": dict(origins), "command": command}
        commit(self.memory.root, files, "note", facts, stamp(self.memory.now()))


class AsyncMemoryTool(BetaAsyncAbstractMemoryTool, Threaded[MemoryTool]):
    """The same tool for `AsyncAnthropic`; each command runs in a thread."""

    def __init__(
        self,
        memory: Memory,
        *,
        origin: str = "agent",
        session: str = "",
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self.sync = MemoryTool(memory, origin=origin, session=session)

    execute = threaded(MemoryTool.execute)
    view = threaded(MemoryTool.view)
    create = threaded(MemoryTool.create)
    str_replace = threaded(MemoryTool.str_replace)
    insert = threaded(MemoryTool.insert)
    delete = threaded(MemoryTool.delete)
    rename = threaded(MemoryTool.rename)


def _refuse_dates(path: str, shown: str) -> None:
    if dated(path):
        raise ToolError(f"{shown} is named like a day's log; choose a name without a date")
