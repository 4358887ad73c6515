"""Files of any size, read a piece at a time: lines of JSON, arrays of JSON, archives."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from stat import S_ISREG as is_regular
from typing import IO, Any

from lithify import platform
from lithify.importers.sources import Broken, LeftOut

Record = dict[str, Any]

#: A line or an element of an array that is longer, in characters, is not read.
LONGEST = 64 << 20
#: Folders that hold no records: programs, and what tools keep for themselves.
_PASSED_OVER = frozenset({".git", ".lithify", ".obsidian", ".trash", ".venv", "node_modules"})
#: How much is read at first where a file is only looked at, or its next piece is needed.
_BLOCK = 1 << 16


def files_in(path: Path, *patterns: str) -> list[Path]:
    """Return the file itself, or the files below a folder whose names match, in order; no links."""
    if path.is_file():
        return [path] if any(fnmatch(path.name, pattern) for pattern in patterns) else []
    found = []
    for folder, below, names in platform.walk(str(path)):
        below[:] = sorted(name for name in below if name not in _PASSED_OVER)
        match = (n for n in sorted(names) if any(fnmatch(n, pattern) for pattern in patterns))
        found += [file for name in match if not (file := Path(folder, name)).is_symlink()]
    return found


def opened(path: Path) -> IO[bytes]:
    """Open a file of another tool; a pipe or device is refused and never waited for."""
    file = open(os.open(path, os.O_RDONLY | platform.NONBLOCK | platform.BINARY), "rb")  # noqa: SIM115
    if is_regular(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError("it is not a regular file")


def opened_as_text(path: Path) -> IO[str]:
    """Open a file of another tool as text, whatever its bytes."""
    return io.TextIOWrapper(opened(path), "utf-8-sig", errors="replace")


def _unpacked(path: Path) -> IO[bytes]:
    """Open a file, also one that is compressed with zstd where this Python can read that."""
    if path.suffix != ".zst":
        return opened(path)
    for name in ("compression.zstd", "zstandard"):
        with suppress(ImportError):
            unpacked: IO[bytes] = import_module(name).open(opened(path), "rb")
            return unpacked
    raise OSError("it is compressed; unpack it with zstd -d, or install the package zstandard")


def json_lines(path: Path) -> Iterator[Record | Broken]:
    """Yield the objects of a file that has one on each line; a line that is none is named."""
    with _unpacked(path) as file:
        number = 0
        while line := file.readline(LONGEST):
            number += 1
            place = f"{path.name}:{number}"
            if len(line) == LONGEST and not line.endswith(b"\n"):
                while (rest := file.readline(LONGEST)) and not rest.endswith(b"\n"):
                    pass
                yield Broken(place, "the line is longer than 64 MB")
            elif line.strip():
                yield _record(line, place)


def _record(line: bytes, place: str) -> Record | Broken:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return Broken(place, "the line is not JSON")
    return found if isinstance(found, dict) else Broken(place, "the line is not a JSON object")


def begins_with(is_ours: Callable[[Record], bool]) -> Callable[[Path], bool]:
    """A test whether one of the first whole lines of a file is a record that `is_ours` accepts."""

    def knows(path: Path) -> bool:
        with opened(path) as file:
            lines = file.read(16 * _BLOCK).split(b"\n")[:50]
        found = (_record(line, "") for line in lines if line.strip())
        return any(isinstance(record, dict) and is_ours(record) for record in found)

    return knows


def other_files(path: Path, *patterns: str) -> Iterator[LeftOut]:
    """Count the files of an archive that are not read."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
        read = [n for n in names if any(fnmatch(Path(n).name, p) for p in patterns)]
        yield from [LeftOut("other files of the archive", len(names) - len(read))] * (names != read)


@contextmanager
def opened_text(path: Path, *patterns: str) -> Iterator[Iterator[tuple[str, IO[str]]]]:
    """The text files that a path holds: the file itself, or those of an archive that match."""
    if not zipfile.is_zipfile(path):
        with opened_as_text(path) as file:
            yield iter([(path.name, file)])
        return
    with zipfile.ZipFile(path) as archive:
        names = [n for n in archive.namelist() if any(fnmatch(Path(n).name, p) for p in patterns)]

        def members() -> Iterator[tuple[str, IO[str]]]:
            for name in sorted(names):
                with archive.open(name) as raw:
                    yield name, io.TextIOWrapper(raw, "utf-8-sig", errors="replace")

        yield members()


#: Yields the rows of a table: its name, the columns that are wanted, what follows, and its values.
Rows = Callable[..., Iterator[sqlite3.Row]]


@contextmanager
def database(path: Path) -> Iterator[Rows]:
    """Open a SQLite database to read what is stored in its tables and to work nothing out."""
    with _connected(path) as opened:

        def rows(
            table: str, columns: str, rest: str = "", *values: object
        ) -> Iterator[sqlite3.Row]:
            # A view or a generated column could make its reader work without end.
            stored = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0"
            there = {name for (name,) in opened.execute(stored, (table,))}
            wanted = ", ".join(name for name in columns.split() if name in there)
            if wanted and table in _tables(opened):
                yield from opened.execute(f"SELECT {wanted} FROM {table} {rest}", values)

        yield rows


@contextmanager
def _connected(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as opened:
        opened.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        opened.row_factory = sqlite3.Row
        yield opened


def _tables(opened: sqlite3.Connection) -> set[str]:
    return {
        name for (name,) in opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }


def tables_of(path: Path) -> set[str]:
    """Return the names of a database's tables; empty for a file that is none."""
    with opened(path) as file:
        if not file.read(16).startswith(b"SQLite format 3"):
            return set()
    with _connected(path) as connection:
        return _tables(connection)


def json_items(stream: IO[str], keys: Iterable[str] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the elements of the array that a JSON text is, each with an empty key.

    Of an object, the elements of the arrays under `keys`, each with its key, and every other value
    with its own. Only one element is in memory at a time. ValueError where the text is no such JSON.
    """
    reader = _Reader(stream)
    wanted = {*keys}
    opening = reader.next_sign()
    if opening == "[":
        yield from (("", element) for element in reader.elements())
        return
    if opening != "{":
        raise ValueError("it is neither a JSON array nor a JSON object")
    while reader.next_sign() != "}":
        reader.back()
        key = reader.value()
        if reader.next_sign() != ":":
            raise ValueError(f"a colon is missing at character {reader.position}")
        if key in wanted and reader.next_sign() == "[":
            yield from ((key, element) for element in reader.elements())
        else:
            if key in wanted:
                reader.back()
            yield key, reader.value()
        if reader.next_sign() not in ",}":
            raise ValueError(f"a comma is missing at character {reader.position}")
        if reader.last == "}":
            return


class _Reader:
    """Reads JSON values from a stream through a buffer that holds little more than one of them."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream, self._buffer, self._at, self._read = stream, "", 0, 0
        self._decoder = json.JSONDecoder()

    @property
    def position(self) -> int:
        return self._read - len(self._buffer) + self._at

    @property
    def last(self) -> str:
        """The sign that was read last."""
        return self._buffer[self._at - 1]

    def _more(self, size: int = _BLOCK) -> bool:
        more = self._stream.read(size)
        self._buffer, self._at = self._buffer[self._at :] + more, 0
        self._read += len(more)
        return bool(more)

    def next_sign(self) -> str:
        """Return the next character that is not white space."""
        while True:
            while self._at < len(self._buffer):
                self._at += 1
                if not self.last.isspace():
                    return self.last
            if not self._more():
                raise ValueError(f"it ends in the middle, at character {self.position}")

    def back(self) -> None:
        self._at -= 1

    def value(self) -> Any:
        """Return the value that comes next."""
        self.next_sign()
        self._buffer, self._at = self._buffer[self._at - 1 :], 0
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer)
            except RecursionError:
                raise ValueError(f"it is nested too deeply at character {self.position}") from None
            except json.JSONDecodeError as error:
                size = max(_BLOCK, len(self._buffer))
                is_cut = "Unterminated" in error.msg or error.pos > len(self._buffer) - 12
                if is_cut and size < LONGEST and self._more(size):
                    continue
                where = self.position + error.pos
                raise ValueError(f"it is not JSON at character {where}: {error.msg}") from None
            # A number near the end of the buffer may go on.
            if isinstance(value, int | float) and len(self._buffer) - end < 32 and self._more():
                continue
            self._at = end
            return value

    def elements(self) -> Iterator[Any]:
        """Yield the elements of an array whose bracket has been read."""
        if self.next_sign() == "]":
            return
        self.back()
        while True:
            yield self.value()
            if self.next_sign() == "]":
                return
            if self.last != ",":
                raise ValueError(f"a comma is missing at character {self.position}")
