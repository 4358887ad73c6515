"""Which lines of a day are other people's words: quotes, code, mail, pasted elements and output.

Told by form alone, in one pass over the lines: `>` lines, fences, an element that is closed, header
lines of a mail and what stands below them, `$ command` and lines of a log. What somebody pastes
without any such sign is not recognised.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from lithify.markdown.lines import BREAK, HEADING, ITEM, Lines, indent_width
from lithify.regex import regex
from lithify.text.words import as_read

_CLOCK = r"\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}:\d\d(?::\d\d)?\]?\s+"
_LEAD = regex(rf"\s*(?:[-*+]\s+)?(?:{_CLOCK})?[*_]{{0,2}}")
_STAMP = regex(rf"\s*{_CLOCK}")
_FENCE = regex(r"(`{3,}|~{3,})")
_TAG = regex(r"<([a-z][\w:-]*)(?:\s[^<>]*)?>")
_OURS = regex(r"\[\[data (\w+)")
_CLOSERS = regex(rb"</[A-Za-z][\w:-]*|\[\[end \w+")
#: Elements that people write into notes of their own.
_OWN_TAGS = frozenset({"details", "summary"})

#: Lines in which the header of a mail must show itself: two fields that mail has, one of them the
#: sender, or fields in a row of which one has an address.
_NEAR = 5
_HEADER = regex(r"\s*[*_]{0,2}(from|sent|date|to|cc|subject)[*_]{0,2}\s?:")
_FIELD = regex(r"\s*[*_]{0,2}[^\W\d_][\w-]{0,11}[*_]{0,2}\s?:[*_]{0,2}\s+(\S.*)")
_ADDRESS = regex(r"[\w.+-]{1,64}@[\w-]{1,64}\.\w")
#: Words between dashes: "-----Original Message-----".
_FORWARDED = regex(r"-{3,} ?\w[^-]{3,40}-{3,}\s*$")
_OUTPUT = regex(r"\$ [a-z./~]|>>> \S")
_LOG = regex(r"\s*\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*\s+\W{0,2}[A-Z]{4,8}\b")
#: The longest line that announces a passage, and the first signs of lines that may begin one.
_LONGEST, _SIGNS = 200, frozenset(">`<[$~-0123456789")


class _Passage(NamedTuple):
    """Somebody's words that go on until `close`, a blank line, or a line that is not theirs.

    Lines that are indented less than `indent` are outside. Items belong if `items` says so, or
    below a colon.
    """

    indent: int = 0
    close: str = ""
    to_blank: bool = False
    items: bool = False
    is_quote: bool = False


def quoted_lines(lines: Lines) -> bytes:
    """For each line of a file, 1 where it is somebody else's."""
    scan = _Scan(lines)
    at = 0
    while at < lines.count:
        at = scan.read(at)
    return bytes(scan.flags)


class _Scan:
    """The lines read so far, and the passage that goes on.

    `above` is the last line that is not blank.
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.flags = bytearray(lines.count)
        self.passage: _Passage | None = None
        self.above = ""
        self.after_blank = True

    def read(self, at: int) -> int:
        """Judge a line, or a whole fenced block; returns the line to go on with."""
        line = self.lines.text(at)
        passage = self.passage
        if passage and self._holds(passage, line):
            self.flags[at] = bool(line.strip())
            if passage.close and passage.close in as_read(line):
                self.passage = None
            end = at + 1
        else:
            self.passage = None
            end = self._begin(at, line)
        self.after_blank = not line.strip()
        self.above = self.above if self.after_blank else line
        return end

    def _holds(self, passage: _Passage, line: str) -> bool:
        """Whether a passage goes on with this line."""
        if passage.close:
            return True
        if not line.strip():
            return not passage.to_blank
        if HEADING.match(line) or BREAK.match(line) or indent_width(line) < passage.indent:
            return False
        if passage.is_quote and _STAMP.match(line):
            return False
        if ITEM.match(line):
            return (
                passage.items or self.above.rstrip().endswith(":") or bool(ITEM.match(self.above))
            )
        return True

    def _begin(self, at: int, line: str) -> int:
        """Look for a passage that begins with this line or below it."""
        # What follows the mark of an item, the time, and emphasis.
        body = _LEAD.sub("", line, count=1)
        if not body or not (body[0] in _SIGNS or ":" in line or not body[0].isascii()):
            return at + 1
        plain = as_read(body[:_LONGEST]).strip()
        fence = _FENCE.match(plain)
        if fence and not (fence[1][0] == "`" and "`" in plain[fence.end() :]):
            return self._fenced(at, fence[1])
        indent = indent_width(line) + (ITEM.match(line) is not None)
        if plain[:1] == ">" and not plain.startswith(">>> "):
            self._open(at, _Passage(indent, to_blank=True, is_quote=True))
        elif close := self._closer(at, plain, body):
            self._open(at, _Passage(close=close))
            if close in as_read(body):
                self.passage = None
        elif self._is_mail(at, plain):
            self._open(at, _Passage(indent))
        elif _OUTPUT.match(plain) or _LOG.match(line):
            self._open(at, _Passage(indent, to_blank=True, items=True))
        return at + 1

    def _open(self, at: int, passage: _Passage) -> None:
        self.flags[at], self.passage = 1, passage

    def _fenced(self, at: int, mark: str) -> int:
        """Flag a fenced block, and text between it and the next one without a blank line."""
        end = self.lines.fence_end(at, mark[0], len(mark))
        if not end:
            self._open(at, _Passage(to_blank=True))
            return at + 1
        wedged = end
        while wedged < self.lines.count and not self.lines.is_blank(wedged):
            line = self.lines.text(wedged)
            if _FENCE.match(line.strip()):
                end = wedged
                break
            if ITEM.match(line) or HEADING.match(line):
                break
            wedged += 1
        self.flags[at:end] = b"\1" * (end - at)
        return end

    @cached_property
    def _closers(self) -> dict[str, int]:
        """Where each closing tag stands last."""
        found = _CLOSERS.finditer(self.lines.data)
        return {match[0].decode().lower(): match.start() for match in found}

    def _closer(self, at: int, plain: str, body: str) -> str:
        """What closes the element or fence of ours that begins a line; empty if nothing does."""
        if ours := _OURS.match(plain):
            close = f"[[end {ours[1]}"
        else:
            tag = _TAG.match(plain)
            if not tag or tag[1] in _OWN_TAGS:
                return ""
            close = f"</{tag[1]}"
            whole = as_read(body).rstrip()
            if close in whole and not whole.endswith(f"{close}>"):
                return ""
        return close if self._closers.get(close, -1) >= self.lines.offset(at) else ""

    def _is_mail(self, at: int, plain: str) -> bool:
        """Return whether a line begins the header of a mail."""
        if _FORWARDED.match(plain):
            return True
        if not _FIELD.match(plain):
            return False
        near = [self.lines.text(n) for n in range(at, min(at + _NEAR, self.lines.count))]
        named = {match[1] for text in near if (match := _HEADER.match(as_read(text)))}
        if _HEADER.match(plain) and "from" in named and len(named) > 1:
            return True
        fields: list[str] = []
        for text in near:
            match = _FIELD.match(text)
            if not match:
                break
            fields.append(match[1])
        return len(fields) > 1 and any(map(_ADDRESS.search, fields[:2]))
