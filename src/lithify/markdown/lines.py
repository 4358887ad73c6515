"""The lines of a file, decoded a few at a time, so that a long file costs little beyond its bytes."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right

#: Lines decoded together, and the bytes above which decoded lines are not kept for later.
_TOGETHER = 6
_LARGE = 1 << 20

_SPACE_CODE = 32

_NEWLINE = re.compile(rb"\n")
_BLANK = re.compile(rb"[ \t\r\x0b\x0c]*+(?:\n|\Z)")
_SPACE = re.compile(rb"[ \t\r\n\x0b\x0c]*+")
#: A line that can close a fenced block: nothing but the marks.
_CLOSER = re.compile(rb"(?m)^[ \t]*+(`{3,}+|~{3,}+)[ \t]*+\r*+$")


class Lines:
    """A file's bytes as lines, split at line feeds alone; lines count from 0 here."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        # Positions take four bytes each: a file of empty lines has as many lines as bytes.
        self._starts = array("I" if len(data) < 1 << 32 else "Q", [0])
        self._starts.extend(match.end() for match in _NEWLINE.finditer(data))
        if self._starts[-1] != len(data):
            self._starts.append(len(data))
        self.count = len(self._starts) - 1
        self._decoded: dict[int, list[str]] = {}
        self._closers: dict[int, tuple[list[int], list[int]]] = {}

    def raw(self, start: int, end: int) -> bytes:
        """The bytes of some lines."""
        return self.data[self._starts[start] : self._starts[end]]

    def offset(self, at: int) -> int:
        """Where a line begins, in bytes."""
        return self._starts[at]

    def decoded(self, start: int, end: int) -> str:
        """The text of some lines as it stands, line ends included."""
        first, last = self._starts[start], self._starts[end]
        if last - first < _LARGE:
            return self.data[first:last].decode("utf-8", "surrogateescape")
        self._decoded.clear()
        return str(memoryview(self.data)[first:last], "utf-8", "surrogateescape")

    def text(self, at: int) -> str:
        """A line as it is read: without its end, and without a byte order mark."""
        group = at >> _TOGETHER
        texts = self._decoded.get(group)
        if texts is None:
            texts = self._decode(group)
        return texts[at - (group << _TOGETHER)]

    def _decode(self, group: int) -> list[str]:
        # Two groups are kept: a line is compared with the one before it.
        while len(self._decoded) > 1:
            del self._decoded[next(iter(self._decoded))]
        start = group << _TOGETHER
        end = min(start + (1 << _TOGETHER), self.count)
        texts = self.decoded(start, end).split("\n")
        if self.data[self._starts[end] - 1] == 10:
            texts.pop()
        if any("\r" in text for text in texts):
            texts = [text.rstrip("\r") for text in texts]
        if not group and texts:
            texts[0] = texts[0].removeprefix("\ufeff")
        self._decoded[group] = texts
        return texts

    def is_blank(self, at: int) -> bool:
        """Whether a line holds nothing but white space."""
        start = self._starts[at]
        return self.data[start] <= _SPACE_CODE and _BLANK.match(self.data, start) is not None

    def after_blanks(self, at: int) -> int:
        """The first line from here on that is not blank, or the number of lines."""
        start = self._starts[at]
        if at == self.count or self.data[start] > _SPACE_CODE:
            return at
        space = _SPACE.match(self.data, start)
        end = space.end() if space else start
        return self.count if end == len(self.data) else bisect_right(self._starts, end) - 1

    def fence_end(self, at: int, mark: str, size: int) -> int:
        """The line after the one that closes a fence opened on line `at`, or 0 if none does."""
        code = ord(mark)
        if not self._closers:
            self._find_closers()
        sizes, places = self._closers[code]
        # The last closer that is long enough tells whether there is one at all.
        long_enough = bisect_right(sizes, -size)
        if not long_enough or places[long_enough - 1] < self._starts[at + 1]:
            return 0
        for closer in _CLOSER.finditer(self.data, self._starts[at + 1]):
            if closer[1][0] == code and len(closer[1]) >= size:
                return bisect_right(self._starts, closer.start())
        return 0

    def _find_closers(self) -> None:
        """Of the lines that can close a fence, those that no line below exceeds in length.

        For each mark: their lengths, negative so that they rise, and where they stand.
        """
        found: dict[int, tuple[list[int], list[int]]] = {code: ([], []) for code in b"`~"}
        for closer in _CLOSER.finditer(self.data):
            sizes, places = found[closer[1][0]]
            while sizes and -sizes[-1] <= len(closer[1]):
                sizes.pop()
                places.pop()
            sizes.append(-len(closer[1]))
            places.append(closer.start())
        self._closers = found
