"""From a file's bytes to blocks that tile it, and the entries among them.

Every byte belongs to exactly one block, so rendering is joining. Structure is read from the
text as a person would: what is not plainly a heading, list, table, quote or fence is prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

from lithify.markdown.entries import normal_id, normalise
from lithify.markdown.front import LIMIT, Front, read_front
from lithify.text.stems import SIGNS, is_sentence
from lithify.values import Entry, EntryKind

BlockKind = Literal["front", "heading", "blank", "break", "header", "entry"]

_HEADING = re.compile(r" {0,3}(#+)(?=[ \t]|$)")
#: A list's mark may be a dot that was pasted from elsewhere.
_ITEM = re.compile(r"([ \t]*)([-*+•◦▪‣]|\d{1,9}[.)])(?:[ \t]+(?=\S)|[ \t]*$)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)$")
#: How a line begins that is one by itself, whatever stands above it: with the time of day (`09:15 …`,
#: `[09:15] …`, `**9:15 am** - …`), a sign (`✅ …`), a label (`**Result:** …`, `Result: …`) or a speaker.
_STAMPED = re.compile(
    r"[*_`]{0,3}\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}[:h]\d{2}(?::\d{2})?(?: ?[aApP]\.?[mM]\b\.?)?\]?[*_`]{0,3}"
    r"(?:[ \t]*[-–—:|][ \t]+|[ \t]+)(?=(\S))|"
    rf"[{SIGNS}]+[ \t]+(?=(\S))|"
    r"\*\*[^*\n]{2,40}(?::\*\*|\*\*:)[ \t]+(?=(\S))|"
    r"(?:[^\W\d_a-z][\w'/&-]*(?: [\w'/&-]+){0,2}|user|human|assistant|agent|system|tool) ?:[ \t]+(?=(\S))"
)
#: What a line ends in whose sentence goes on with a time of day.
_GOES_ON = re.compile(
    r"(?:[,(/–-]|\b(?:at|to|by|of|in|on|from|since|until|till|after|before|around|about|and|or|for|the|"
    r"between|than|is|was|were|are|be))\s*$",
    re.I,
)
#: And one that ends a sentence.
_STOPS = re.compile(r"[.!?:;)\]\"'`*_]\s*$")
_BREAK = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE = re.compile(r" {0,3}={3,}[ \t]*$")
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?$")
_QUOTE = re.compile(r" {0,3}>[ \t]?")
_QUOTED_LINE = re.compile(r"(?m)^ {0,3}>[ \t]?")
_LEAD_END = (":", "：")
#: A line that is no more than the name of the list right below it: `Open`, `For Monday`, `Gate (Ada, 10:00)`.
_LIST_NAME = re.compile(
    r"(?!(?:I|We|You|He|She|It|They|There|This|That)\b|\w+ed \w)(?=[\W_]*[^\W_])(?:(?!->|=>|→)[^\n:;!?|]){2,40}?(?<!\.)(?: \([^()\n]{1,60}\))?"
)
_NAME_WORDS = 6
#: What tells that something happened names no list: `Deploy failed twice`.
_TELLS = re.compile(
    r" (?:\w{2,}ed|went|came|got|sent|broke|found|ran|took|made|told|said|fell|lost|built|wrote|met|paid|rang|began|gave|"
    r"kept|held|fails|works|breaks|needs|wants|does|did)\b",
    re.I,
)
#: A line of bold words alone that ends no sentence and tells no step stands over its list like a heading.
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)((?:(?!\1|->|=>|→)[^\n]){2,60})(?<![\s.!?])\1")
#: A name with its clause: `Rules I was told today`, `What we have learnt`
_OF_WHICH = re.compile(
    r"(?:[A-Z][a-z]+s (?:I|we|you|he|she|they)|(?:What|How|Where) [a-z]*) (?!\?)", re.I
)


class Block(NamedTuple):
    """A run of whole lines: its bytes, its kind, and where it begins (lines count from 1)."""

    kind: BlockKind
    raw: bytes
    line: int
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file."""

    path: str
    label: str
    blocks: tuple[Block, ...]
    front: Front

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(block.entry for block in self.blocks if block.entry is not None)


def parse(data: bytes, *, path: str = "", label: str = "", day: date | None = None) -> Document:
    """Read a file's bytes into blocks; `render` gives the same bytes back."""
    reader = _Reader(data, path, label, day)
    return Document(path, label, tuple(reader.blocks()), reader.front)


@dataclass(frozen=True, slots=True)
class End:
    """What is in force at the end of a file: an entry appended there stands under it."""

    headings: tuple[str, ...] = ()
    open_fence: bool = False


def end_of(data: bytes) -> End:
    """The heading path at a file's end, without keeping the file's blocks in memory."""
    reader = _Reader(data, "", "", None)
    for _ in reader.blocks():
        pass
    headings = tuple(title for _, title in reader.headings)
    return End(headings, min(reader.unclosed.values()) < _NEVER)


def front_of(data: bytes) -> Front:
    """A file's front matter alone, however long the file."""
    reader = _Reader(data[: 2 * LIMIT], "", "", None)
    reader._front_end()
    return reader.front


def after_front(data: bytes) -> bytes:
    """A file's bytes without its front matter."""
    reader = _Reader(data, "", "", None)
    return b"".join(reader.lines[reader._front_end() :])


def is_bold_line(text: str) -> bool:
    """Whether a line is bold words alone that name what stands under it."""
    bold = _BOLD_LINE.fullmatch(text) if text[:2] in ("**", "__") else None
    return bold is not None and not (is_sentence(bold[2]) and not _OF_WHICH.match(bold[2]))


def names_list(text: str) -> bool:
    """Whether a line above a list names it and says nothing: few words, no verb, no stop."""
    words = text.strip("*_ ")
    if text.startswith(("**", "__")) or _LIST_NAME.fullmatch(words) is None or is_sentence(words):
        return False
    name = words.partition(" (")[0]
    return name.count(" ") < _NAME_WORDS and _TELLS.search(name) is None


def render(document: Document) -> bytes:
    """The bytes the document was parsed from."""
    return b"".join(block.raw for block in document.blocks)


class _Reader:
    """One pass over the lines, with the heading path and the lead-ins in force."""

    def __init__(self, data: bytes, path: str, label: str, day: date | None) -> None:
        self.lines = _split(data)
        self.texts = _texts(data)
        self.blank = [not line.strip(b" \t\r\n\x0b\x0c") for line in self.lines]
        self.path, self.label, self.day = path, label, day
        self.front = Front()
        self.headings: list[tuple[int, str]] = []
        self.path_of_headings: tuple[str, ...] = ()
        self.under = ""
        self.leads: list[tuple[int, str]] = []
        self.unclosed = {"`": _NEVER, "~": _NEVER}

    def blocks(self) -> Iterator[Block]:
        at = 0
        end = self._front_end()
        if end:
            yield self._block("front", 0, end)
            at = end
        while at < len(self.lines):
            if self.blank[at]:
                start = at
                while at < len(self.lines) and self.blank[at]:
                    at += 1
                yield self._block("blank", start, at)
                continue
            block, at = self._next(at)
            yield block

    def _front_end(self) -> int:
        if not self.lines or self.texts[0].rstrip() != "---":
            return 0
        for at in range(1, len(self.lines)):
            if self.texts[at].rstrip() in ("---", "..."):
                inside = b"".join(self.lines[1:at]).decode("utf-8", "surrogateescape")
                self.front = read_front(inside)
                return at + 1
            # Dashes that open a page of prose are a rule, not front matter.
            if at > 2000:
                return 0
        return 0

    def _next(self, at: int) -> tuple[Block, int]:
        text = self.texts[at]
        if not _may_open(text):
            return self._paragraph(at)
        if _BREAK.match(text):
            self.leads.clear()
            return self._block("break", at, at + 1), at + 1
        item = _ITEM.match(text)
        if item:
            return self._item(at, item)
        heading = _HEADING.match(text)
        if heading:
            self._enter(len(heading[1]), _title(text[heading.end() :]))
            return self._block("heading", at, at + 1), at + 1
        end = self._fence_end(at, text)
        if end:
            return self._entry("code", at, end), end
        if _QUOTE.match(text):
            return self._quote(at)
        if self._is_table_header(at, text):
            return self._table_header(at, text)
        if "|" in text and self.leads and self.leads[-1][0] == _IN_TABLE:
            return self._entry("row", at, at + 1), at + 1
        return self._paragraph(at)

    def _enter(self, level: int, title: str) -> None:
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, normalise(title)))
        self.path_of_headings = tuple(title for _, title in self.headings)
        self.under = "".join(f"{title}\x1f" for title in self.path_of_headings)
        self.leads.clear()

    def _fence_end(self, at: int, text: str) -> int:
        """The line after a fenced block, or 0. A fence that never closes is only a line of text."""
        match = _FENCE.match(text)
        if not match or (match[1][0] == "`" and "`" in match[2]):
            return 0
        mark, size = match[1][0], len(match[1])
        if size >= self.unclosed[mark]:
            return 0
        closer = re.compile(rf"[ \t]*{re.escape(mark)}{{{size},}}[ \t]*$")
        for end in range(at + 1, len(self.lines)):
            if closer.match(self.texts[end]):
                return end + 1
        self.unclosed[mark] = size
        return 0

    def _quote(self, at: int) -> tuple[Block, int]:
        kept = self._stamp_of(at) is not None
        end = at + 1
        while end < len(self.lines) and not self.blank[end] and _QUOTE.match(self.texts[end]):
            if self._is_stamped(end, kept):
                break
            end += 1
        return self._entry("quote", at, end), end

    def _item(self, at: int, item: re.Match[str]) -> tuple[Block, int]:
        indent = _width(item[1])
        while self.leads and self.leads[-1][0] >= indent:
            self.leads.pop()
        end = self._run_on(at + 1, kept=True)
        while end < len(self.lines):
            # After blank lines only what is indented under the item still belongs to it.
            gap = end
            while gap < len(self.lines) and self.blank[gap]:
                gap += 1
            if gap == end or gap == len(self.lines) or self._opens(gap):
                break
            if _width(self.texts[gap]) < indent + 2:
                break
            end = self._run_on(gap + 1, kept=True)
        block = self._entry("item", at, end)
        return self._as_lead(block, indent, at, end), end

    def _paragraph(self, at: int) -> tuple[Block, int]:
        if at + 1 < len(self.lines) and _UNDERLINE.match(self.texts[at + 1]):
            self._enter(1, self.texts[at])
            return self._block("heading", at, at + 2), at + 2
        self.leads.clear()
        end = self._run_on(at + 1, kept=self._stamp_of(at) is not None)
        block = self._entry("paragraph", at, end)
        return self._as_lead(block, -1, at, end), end

    def _as_lead(self, block: Block, indent: int, at: int, end: int) -> Block:
        """A line ending in a colon, with items under it, is their context, and so is a bold one.

        So is one right above them that says no more than what they are: `To do`, `Waiting on`.
        """
        entry = block.entry
        assert entry is not None
        words = entry.text.rstrip("*_ ")
        right_above = end == at + 1 and end < len(self.lines) and not self.blank[end]
        names = indent < 0 and right_above and names_list(words)
        if not (words.endswith(_LEAD_END) or names or is_bold_line(entry.text)):
            return block
        below = end
        while below < len(self.lines) and self.blank[below]:
            below += 1
        if below == len(self.lines):
            return block
        item = _ITEM.match(self.texts[below])
        if item and _width(item[1]) > indent:
            inherited = f"{self.leads[-1][1]} " if self.leads else ""
            self.leads.append((indent, inherited + entry.text))
            return self._entry("lead", at, end, lead=inherited.strip())
        if self._is_table_header(below, self.texts[below]) or self._fence_at(below):
            return self._entry("lead", at, end)
        return block

    def _fence_at(self, at: int) -> bool:
        return bool(self._fence_end(at, self.texts[at]))

    def _run_on(self, at: int, kept: bool = False) -> int:
        """The end of the lines that continue the one before them.

        `kept`: a line that begins like one by itself continues nothing, but where a sentence runs on.
        """
        while at < len(self.lines) and not self.blank[at] and not self._opens(at):
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
        if stamp is None or _GOES_ON.search(self.texts[at - 1]):
            return False
        return kept or (
            not stamp[stamp.lastindex or 0].islower()
            and _STOPS.search(self.texts[at - 1]) is not None
        )

    def _stamp_of(self, at: int) -> re.Match[str] | None:
        """How a line begins that is one by itself, quoted or not."""
        text = self.texts[at]
        quoted = _QUOTE.match(text)
        return _STAMPED.match(text, quoted.end() if quoted else 0) if self.day else None

    def _opens(self, at: int) -> bool:
        """Whether a line begins a block of its own."""
        text = self.texts[at]
        return _may_open(text) and bool(
            _ITEM.match(text)
            or _HEADING.match(text)
            or _QUOTE.match(text)
            or _BREAK.match(text)
            or self._fence_end(at, text)
            or self._is_table_header(at, text)
        )

    def _is_table_header(self, at: int, text: str) -> bool:
        if "|" not in text or at + 1 >= len(self.lines):
            return False
        rule = self.texts[at + 1].strip()
        return "-" in rule and "|" in rule and _TABLE_RULE.match(rule) is not None

    def _table_header(self, at: int, text: str) -> tuple[Block, int]:
        self.leads.clear()
        self.leads.append((_IN_TABLE, normalise(text)))
        return self._block("header", at, at + 2), at + 2

    def _block(self, kind: BlockKind, start: int, end: int) -> Block:
        if kind == "blank" and self.leads and self.leads[-1][0] == _IN_TABLE:
            self.leads.clear()
        return Block(kind, b"".join(self.lines[start:end]), start + 1)

    def _entry(self, kind: EntryKind, start: int, end: int, lead: str | None = None) -> Block:
        raw = b"".join(self.lines[start:end])
        text = raw.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
        if kind in ("item", "lead") and (marker := _ITEM.match(text)):
            text = text[marker.end() :]
        elif kind == "quote":
            text = _QUOTED_LINE.sub("", text)
        text = normalise(text)
        if lead is None:
            if self.leads and self.leads[-1][0] == _IN_TABLE and kind != "row":
                self.leads.clear()
            lead = self.leads[-1][1] if self.leads else ""
        entry = Entry(
            id=normal_id(self.label, self.under, text),
            text=text if text.isprintable() else SIGNALS.sub("", text),
            headings=self.path_of_headings,
            lead=lead,
            kind=kind,
            path=self.path,
            line=start + 1,
            end_line=end,
            day=self.day,
        )
        return Block("entry", raw, start + 1, entry)


#: What a terminal obeys and nobody reads; the words around it are read without it.
SIGNALS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
#: With one of these, a digit or a bar a line may begin a block of its own.
_MARKS = frozenset("#-*+_>`~•◦▪‣")
#: The length of a fence that no line has.
_NEVER = 1 << 30
#: The depth at which a table's header row stands among the lead-ins.
_IN_TABLE = 1 << 20


def _may_open(text: str) -> bool:
    """Whether a line can be anything but prose, as far as its first mark tells."""
    mark = text.lstrip(" \t")[:1]
    return mark in _MARKS or mark.isdecimal() or "|" in text


def _title(text: str) -> str:
    """A heading's words, without the hashes some writers close it with."""
    text = text.strip()
    bare = text.rstrip("#")
    return bare.rstrip() if bare != text and (not bare or bare[-1] in " \t") else text


def _width(text: str) -> int:
    """Columns of white space a line begins with."""
    lead = text[: len(text) - len(text.lstrip(" \t"))]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)


def _texts(data: bytes) -> list[str]:
    """The lines as they are read: without their ends, and without a byte order mark."""
    texts = data.decode("utf-8", "surrogateescape").split("\n")
    if not texts[-1]:
        texts.pop()
    if b"\r" in data:
        texts = [text.rstrip("\r") for text in texts]
    if texts:
        texts[0] = texts[0].removeprefix("\ufeff")
    return texts


def _split(data: bytes) -> list[bytes]:
    """Lines by line feed alone: a lone carriage return is part of its line."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    if not lines[-1]:
        lines.pop()
    return lines
