"""The lines of a file, decoded a few at a time, so that a long file costs little beyond its bytes."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cached_property

from lithify.regex import regex
from lithify.text.words import SIGNS

#: Lines decoded together, and the bytes above which decoded lines are not kept for later.
_TOGETHER = 6
_LARGE = 1 << 20

_SPACE_CODE = 32

_NEWLINE = regex(rb"\n")
_BLANK = regex(rb"[ \t\r\x0b\x0c]*+(?:\n|\Z)")
_SPACE = regex(rb"[ \t\r\n\x0b\x0c]*+")
#: A line that can close a fenced block: nothing but the marks.
_CLOSER = regex(rb"(?m)^[ \t]*+(`{3,}+|~{3,}+)[ \t]*+\r*+$")


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
        sizes, places = self._closers[code]
        # The last closer that is long enough tells whether there is one at all.
        long_enough = bisect_right(sizes, -size)
        if not long_enough or places[long_enough - 1] < self._starts[at + 1]:
            return 0
        for closer in _CLOSER.finditer(self.data, self._starts[at + 1]):
            if closer[1][0] == code and len(closer[1]) >= size:
                return bisect_right(self._starts, closer.start())
        return 0

    @cached_property
    def _closers(self) -> dict[int, tuple[list[int], list[int]]]:
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
        return found


# What a line of Markdown is by its looks: heading, list item, fence, quote, rule, lead-in.


HEADING = regex(r" {0,3}(#+)(?=[ \t]|$)")
#: The mark of a list item; a bullet character pasted from elsewhere counts too.
ITEM = regex(r"([ \t]*)([-*+•◦▪‣]|\d{1,9}[.)])(?:[ \t]+(?=\S)|[ \t]*$)")
FENCE = regex(r"[ \t]*(`{3,}|~{3,})(.*)$")
BREAK = regex(
    r" {0,3}(?:-[ \t]*+-[ \t]*+-[- \t]*+|\*[ \t]*+\*[ \t]*+\*[* \t]*+|_[ \t]*+_[ \t]*+_[_ \t]*+)$"
)
UNDERLINE = regex(r" {0,3}={3,}[ \t]*$")
TABLE_RULE = regex(
    r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?$",
)
QUOTE = regex(r" {0,3}>[ \t]?")
QUOTED_LINE = regex(r"(?m)^ {0,3}>[ \t]?")
LEAD_END = (":", "：")
#: How a line begins that stands by itself, whatever is above it: with the time of day (`09:15 …`,
#: `[09:15] …`, `**9:15 am** - …`), a sign (`✅ …`), a label (`**Result:** …`, `Result: …`) or a speaker.
STAMPED = regex(
    r"[*_`]{0,3}\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}[:h]\d{2}(?::\d{2})?(?: ?[aApP]\.?[mM]\b\.?)?\]?[*_`]{0,3}"
    r"(?:[ \t]*[-–—:|][ \t]+|[ \t]+)(?=(\S))|"
    rf"[{SIGNS}]+[ \t]+(?=(\S))|"
    r"\*\*[^*\n]{2,40}(?::\*\*|\*\*:)[ \t]+(?=(\S))|"
    r"(?:[^\W\d_a-z][\w'/&-]*(?: [\w'/&-]+){0,2}|user|human|assistant|agent|system|tool) ?:[ \t]+(?=(\S))"
)
#: The end of a line whose sentence goes on with a time of day.
GOES_ON = regex(r"[,(/–-]\s*$")
#: The end of a line that ends a sentence.
STOPS = regex(r"[.!?:;)\]\"'`*_]\s*$")
#: Control sequences and control characters: a terminal obeys them and nobody reads them.
SIGNALS = regex(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)

#: A line that only names the list right below it: `Open`, `For Monday`, `Gate (Ada, 10:00)`.
_LIST_NAME = regex(
    r"(?=[\W_]*[^\W_])(?:(?!->|=>|→)[^\n:;!?|]){2,40}?(?<!\.)(?: \([^()\n]{1,60}\))?"
)
_NAME_WORDS = 6
#: A line of bold words alone, without a stop and no step, stands over its list like a heading.
_BOLD_LINE = regex(r"(\*\*|__)(?=\S)((?:(?!\1|->|=>|→)[^\n]){2,60})(?<![\s.!?])\1")
#: The first characters of lines that may begin a block of their own, besides digits.
_MARKS = frozenset("#-*+_>`~•◦▪‣")


def may_open(text: str) -> bool:
    """Whether a line can be anything but prose, as far as its first mark or a bar tells."""
    mark = text.lstrip(" \t")[:1]
    return mark in _MARKS or mark.isdecimal() or "|" in text


def title(text: str) -> str:
    """A heading's words, without the hashes some writers close it with."""
    text = text.strip()
    bare = text.rstrip("#")
    return bare.rstrip() if bare != text and (not bare or bare[-1] in " \t") else text


def indent_width(text: str) -> int:
    """Columns of white space a line begins with."""
    lead = text[: len(text) - len(text.lstrip(" \t"))]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)


def is_bold_line(text: str) -> bool:
    """Return whether a line is bold words alone that name what stands under it."""
    return text[:2] in ("**", "__") and _BOLD_LINE.fullmatch(text) is not None


def names_list(text: str) -> bool:
    """Return whether a line above a list names it: few words and no stop."""
    words = text.strip("*_ ")
    if text.startswith(("**", "__")) or _LIST_NAME.fullmatch(words) is None:
        return False
    return words.partition(" (")[0].count(" ") < _NAME_WORDS
