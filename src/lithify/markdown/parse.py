"""From a file's bytes to blocks that tile it, and the entries among them.

Every byte belongs to exactly one block, so rendering is joining. Structure is read from the
text as a person would: what is not plainly a heading, list, table, quote or fence is prose.

An entry's id follows from its text in its normal form and the headings above it.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import zip_longest
from re import Match
from typing import Literal, NamedTuple

from lithify.limits import FRONT_MATTER
from lithify.markdown.lines import (
    BREAK,
    FENCE,
    GOES_ON,
    HEADING,
    ITEM,
    LEAD_END,
    QUOTE,
    QUOTED_LINE,
    SIGNALS,
    STAMPED,
    STOPS,
    TABLE_RULE,
    UNDERLINE,
    Lines,
    indent_width,
    is_bold_line,
    may_open,
    names_list,
    title,
)
from lithify.markdown.quoted import quoted_lines
from lithify.regex import regex
from lithify.text.words import SIZE, pieces
from lithify.values import Entry, EntryKind, Front

_ID = regex(r"([^\s~]+)~([0-9a-f]{12})")

#: A hash that has taken in some headings, and goes on with a text.
Hash = hashlib.blake2b


def normalise(text: str) -> str:
    """One line: NFC, white space collapsed, case kept."""
    if len(text) <= SIZE:
        return _one_line(text)
    # In pieces: split at once, a long text would take ten times its size in words.
    return " ".join(filter(None, map(_one_line, pieces(text))))


def _one_line(text: str) -> str:
    return " ".join((text if text.isascii() else unicodedata.normalize("NFC", text)).split())


def under_headings(headings: Iterable[str] = (), above: Hash | None = None) -> Hash:
    """The hash that the ids of entries under some headings begin with.

    `above`: the one of the headings above these, so that a long path is not read again.
    """
    digest = above.copy() if above else hashlib.blake2b(digest_size=6)
    for heading in headings:
        digest.update(_bytes(f"{heading}\x1f"))
    return digest


def id_of(label: str, under: Hash, text: str) -> str:
    """The id of an entry whose text is in its normal form."""
    digest = under.copy()
    for piece in pieces(text) if len(text) > SIZE else (text,):
        digest.update(_bytes(piece))
    return f"{label}~{digest.hexdigest()}"


def entry_id(label: str, headings: Sequence[str], text: str) -> str:
    """The id of an entry of the file or day called `label`: it survives reordering, not edits."""
    return id_of(label, under_headings(headings), normalise(text))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def is_entry_id(text: str) -> bool:
    """Whether the text has the form of an entry id."""
    return _ID.fullmatch(text) is not None


def row_in_words(header: str, row: str) -> str:
    """A row of a table in one line, each cell with the name of its column."""
    names, cells = ([cell.strip() for cell in one.strip("| ").split("|")] for one in (header, row))
    pairs = zip_longest(names[: len(cells)], cells, fillvalue="")
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


# From a file's bytes to blocks that tile it, and the entries among them.


BlockKind = Literal["front", "heading", "blank", "break", "header", "entry"]

#: The depth at which a table's header row stands among the lead-ins.
_IN_TABLE = 1 << 20
#: The characters up to which a lead-in is told together with those it stands under.
_LONGEST_LEAD = 2000
#: Lines in which front matter has to end; dashes that open a page of prose are a rule.
_FRONT_LINES = 2000


class Block(NamedTuple):
    """A run of whole lines: its bytes, its kind, and where it begins (lines count from 1)."""

    kind: BlockKind
    raw: bytes
    line: int
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file."""

    blocks: tuple[Block, ...]
    front: Front

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(block.entry for block in self.blocks if block.entry is not None)


def parse(
    data: bytes, *, path: str = "", label: str = "", day: date | None = None, shown: bytes = b""
) -> Document:
    """Read a file's bytes into blocks; `render` gives the same bytes back.

    `shown` are the same lines without credentials. The texts of entries, headings and lead-ins are
    read from them; ids and structure follow from the bytes themselves.
    """
    reader = _Reader(data, path, label, day, shown)
    blocks = tuple(
        Block(part.kind, reader.lines.raw(part.start, part.end), part.start + 1, part.entry)
        for part in reader.parts()
    )
    return Document(blocks, reader.front)


def read_entries(
    data: bytes, *, path: str = "", label: str = "", day: date | None = None, shown: bytes = b""
) -> Iterator[Entry]:
    """The entries of a file one by one; unlike `parse` this keeps no second copy of its bytes."""
    for part in _Reader(data, path, label, day, shown).parts():
        if part.entry is not None:
            yield part.entry


@dataclass(frozen=True, slots=True)
class End:
    """What is in force at the end of a file: an entry appended there stands under it.

    `spans` are the places of the headings, in bytes.
    """

    headings: tuple[str, ...] = ()
    open_fence: bool = False
    spans: tuple[tuple[int, int], ...] = ()


def end_of(data: bytes) -> End:
    """The heading path at a file's end, without keeping the file's blocks in memory."""
    reader = _Reader(data, "", "", None)
    spans: list[tuple[int, int]] = []
    for part in reader.parts():
        if part.kind == "heading":
            span = (reader.lines.offset(part.start), reader.lines.offset(part.end))
            spans[len(reader.headings) - 1 :] = [span]
    return End(reader.path_of_headings, reader.open_fence, tuple(spans))


def front_of(data: bytes) -> Front:
    """A file's front matter alone, however long the file."""
    reader = _Reader(data[: 2 * FRONT_MATTER], "", "", None)
    reader.front_end()
    return reader.front


def after_front(data: bytes) -> bytes:
    """A file's bytes without its front matter."""
    reader = _Reader(data, "", "", None)
    return reader.lines.raw(reader.front_end(), reader.lines.count)


def render(document: Document) -> bytes:
    """The bytes the document was parsed from."""
    return b"".join(block.raw for block in document.blocks)


class _Part(NamedTuple):
    """A block by its lines, from `start` to before `end`, counted from 0."""

    kind: BlockKind
    start: int
    end: int
    entry: Entry | None = None


class _Heading(NamedTuple):
    level: int
    title: str
    under: Hash


class _Reader:
    """One pass over the lines, with the heading path and the lead-ins in force."""

    def __init__(
        self, data: bytes, path: str, label: str, day: date | None, shown: bytes = b""
    ) -> None:
        self.lines = Lines(data)
        #: The same lines as they are shown.
        self.shown = Lines(shown) if shown and shown is not data else self.lines
        self.path, self.label, self.day = path, label, day
        self.front = Front()
        self.headings: list[_Heading] = []
        self.path_of_headings: tuple[str, ...] = ()
        self.under = under_headings()
        self.leads: list[tuple[int, str]] = []
        self.open_fence = False

    def parts(self) -> Iterator[_Part]:
        at = self.front_end()
        if at:
            yield _Part("front", 0, at)
        while at < self.lines.count:
            if self.lines.is_blank(at):
                start, at = at, self.lines.after_blanks(at)
                if self._in_table():
                    self.leads.clear()
                yield _Part("blank", start, at)
                continue
            part = self._next(at)
            yield part
            at = part.end

    def front_end(self) -> int:
        """The line after the front matter, which is read on the way; 0 if there is none."""
        if not self.lines.count or self.lines.text(0).rstrip() != "---":
            return 0
        for at in range(1, min(self.lines.count, _FRONT_LINES + 2)):
            if self.lines.text(at).rstrip() in ("---", "..."):
                # Loaded late: a day has no front matter.
                from lithify.markdown.front import read_front

                self.front = read_front(self.lines.decoded(1, at))
                return at + 1
        return 0

    def _next(self, at: int) -> _Part:
        text = self.lines.text(at)
        if not may_open(text):
            return self._paragraph(at)
        if BREAK.match(text):
            self.leads.clear()
            return _Part("break", at, at + 1)
        item = ITEM.match(text)
        if item:
            return self._item(at, item)
        heading = HEADING.match(text)
        if heading:
            said = title(self.shown.text(at).lstrip(" ").lstrip("#"))
            self._enter(len(heading[1]), title(text[heading.end() :]), said)
            return _Part("heading", at, at + 1)
        end = self._fence_end(at, text)
        if end:
            return self._entry("code", at, end)
        if QUOTE.match(text):
            return self._quote(at)
        if self._is_table_header(at, text):
            self.leads[:] = [(_IN_TABLE, normalise(self.shown.text(at)))]
            return _Part("header", at, at + 2)
        if "|" in text and self._in_table():
            return self._entry("row", at, at + 1)
        return self._paragraph(at)

    def _in_table(self) -> bool:
        return bool(self.leads) and self.leads[-1][0] == _IN_TABLE

    def _enter(self, level: int, words: str, shown: str) -> None:
        while self.headings and self.headings[-1].level >= level:
            self.headings.pop()
        name = normalise(words)
        self.under = under_headings([name], self.headings[-1].under if self.headings else None)
        self.headings.append(_Heading(level, normalise(shown), self.under))
        self.path_of_headings = tuple(heading.title for heading in self.headings)
        self.leads.clear()

    def _fence_end(self, at: int, text: str) -> int:
        """The line after a fenced block, or 0. A fence that never closes is only a line of text."""
        match = FENCE.match(text)
        if not match or (match[1][0] == "`" and "`" in match[2]):
            return 0
        end = self.lines.fence_end(at, match[1][0], len(match[1]))
        self.open_fence |= not end
        return end

    def _quote(self, at: int) -> _Part:
        kept = self._stamp_of(at) is not None
        end = at + 1
        while end < self.lines.count and QUOTE.match(self.lines.text(end)):
            if self._is_stamped(end, kept):
                break
            end += 1
        return self._entry("quote", at, end)

    def _item(self, at: int, item: Match[str]) -> _Part:
        indent = indent_width(item[1])
        while self.leads and self.leads[-1][0] >= indent:
            self.leads.pop()
        end = self._run_on(at + 1, kept=True)
        # After blank lines only what is indented under the item still belongs to it.
        while end < (gap := self.lines.after_blanks(end)) < self.lines.count:
            if self._opens(gap) or indent_width(self.lines.text(gap)) < indent + 2:
                break
            end = self._run_on(gap + 1, kept=True)
        return self._as_lead(self._entry("item", at, end), indent)

    def _paragraph(self, at: int) -> _Part:
        if at + 1 < self.lines.count and UNDERLINE.match(self.lines.text(at + 1)):
            self._enter(1, self.lines.text(at), self.shown.text(at))
            return _Part("heading", at, at + 2)
        self.leads.clear()
        end = self._run_on(at + 1, kept=self._stamp_of(at) is not None)
        return self._as_lead(self._entry("paragraph", at, end), -1)

    @cached_property
    def _theirs(self) -> bytes:
        return quoted_lines(self.lines)

    def _as_lead(self, part: _Part, indent: int) -> _Part:
        """An entry as the lead-in of what stands under it, if it is one.

        A line ending in a colon with items under it is their context. So is a bold line, and one
        right above them that says no more than what they are: `To do`, `Waiting on`.
        """
        _, start, end, entry = part
        assert entry is not None
        whole = entry.text
        if self.shown is not self.lines:
            whole = self._text(self.lines, entry.kind, start, end)
        words = whole.rstrip("*_ ")
        right_above = end == start + 1 and end < self.lines.count and not self.lines.is_blank(end)
        names = indent < 0 and right_above and names_list(words)
        if not (words.endswith(LEAD_END) or names or is_bold_line(whole)):
            return part
        below = self.lines.after_blanks(end)
        if below == self.lines.count:
            return part
        text = self.lines.text(below)
        item = ITEM.match(text)
        if item and indent_width(item[1]) > indent:
            above = self.leads[-1][1] if self.leads else ""
            # Lead-ins under lead-ins would add up without bound: the nearest one is enough.
            if len(above) + len(entry.text) > _LONGEST_LEAD:
                above = ""
            self.leads.append((indent, f"{above} {entry.text}" if above else entry.text))
            return self._entry("lead", start, end, lead=above.strip())
        if self._is_table_header(below, text) or self._fence_end(below, text):
            return self._entry("lead", start, end)
        return part

    def _run_on(self, at: int, kept: bool = False) -> int:
        """The end of the lines that continue the one before them.

        `kept`: a line that looks like one by itself begins a new entry, unless a sentence runs on.
        """
        while at < self.lines.count and not self.lines.is_blank(at) and not self._opens(at):
            if self._is_stamped(at, kept):
                break
            at += 1
        return at

    def _is_stamped(self, at: int, kept: bool) -> bool:
        """Whether a line of its own begins here, in a block of such lines or by its looks.

        Only a page that speaks from a day has them, a day's, a week's or a month's: elsewhere what
        stands under a title belongs to it.
        """
        stamp = self._stamp_of(at)
        if stamp is None or GOES_ON.search(self.lines.text(at - 1)):
            return False
        return kept or (
            not stamp[stamp.lastindex or 0].islower()
            and STOPS.search(self.lines.text(at - 1)) is not None
        )

    def _stamp_of(self, at: int) -> Match[str] | None:
        """How a line begins that is one by itself, quoted or not."""
        if not self.day:
            return None
        text = self.lines.text(at)
        quoted = QUOTE.match(text)
        return STAMPED.match(text, quoted.end() if quoted else 0)

    def _opens(self, at: int) -> bool:
        """Whether a line begins a block of its own."""
        text = self.lines.text(at)
        return may_open(text) and bool(
            ITEM.match(text)
            or HEADING.match(text)
            or QUOTE.match(text)
            or BREAK.match(text)
            or self._fence_end(at, text)
            or self._is_table_header(at, text)
        )

    def _is_table_header(self, at: int, text: str) -> bool:
        if "|" not in text or at + 1 >= self.lines.count:
            return False
        rule = self.lines.text(at + 1).strip()
        if "-" not in rule or "|" not in rule or ITEM.match(rule):
            return False
        return TABLE_RULE.match(rule) is not None

    def _entry(self, kind: EntryKind, start: int, end: int, lead: str | None = None) -> _Part:
        text = shown = self._text(self.lines, kind, start, end)
        if self.shown is not self.lines:
            # Of a credential that several entries share, all but the first hold nothing.
            shown = self._text(self.shown, kind, start, end) or "…"
        if lead is None:
            if self._in_table() and kind != "row":
                self.leads.clear()
            lead = self.leads[-1][1] if self.leads else ""
        entry = Entry(
            id=id_of(self.label, self.under, text),
            text=shown if shown.isprintable() else SIGNALS.sub("", shown),
            headings=self.path_of_headings,
            lead=lead,
            kind=kind,
            path=self.path,
            line=start + 1,
            end_line=end,
            day=self.day,
            quoted=kind in ("quote", "code") or 1 in self._theirs[start:end],
        )
        return _Part("entry", start, end, entry)

    def _text(self, lines: Lines, kind: EntryKind, start: int, end: int) -> str:
        """Read the text of some lines in its normal form, without the mark of a list or quote."""
        text = lines.decoded(start, end).removeprefix("\ufeff")
        if kind in ("item", "lead") and (marker := ITEM.match(text)):
            text = text[marker.end() :]
        elif kind == "quote":
            text = QUOTED_LINE.sub("", text)
        return normalise(text)
