"""Which lines of a day are other people's words: quotes, mail, pasted pages, talk and output.

Told by form alone, in one pass over the lines. A passage begins with a sign of its own (`>`, a
fence, a tag, the header of a mail, `$ command`, lines of a log, turns of a conversation) or below a
line that announces it ("From the page:", "Output:", "Dana wrote:"). Where it ends depends on how it
began. What somebody pastes without any such sign is not recognised.
"""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from lithify.markdown.lines import BREAK, HEADING, ITEM, Lines, indent_width
from lithify.regex import regex
from lithify.text.language import memory_labels
from lithify.text.stems import as_read

_CLOCK = r"\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}:\d\d(?::\d\d)?\]?\s+"
_LEAD = regex(rf"\s*(?:[-*+]\s+)?(?:{_CLOCK})?[*_]{{0,2}}")
_STAMP = regex(rf"\s*{_CLOCK}")
_FENCE = regex(r"(`{3,}|~{3,})")
_TAG = regex(r"<([a-z][\w:-]*)(?:\s[^<>]*)?>")
_OURS = regex(r"\[\[data (\w+)")
_CLOSERS = regex(rb"</[A-Za-z][\w:-]*|\[\[end \w+")
#: Elements that people write into notes of their own.
_OWN_TAGS = frozenset({"details", "summary"})

#: Lines in which the header of a mail, or a conversation, must show itself.
_NEAR = 5
_HEADER = regex(
    r"\s*[*_]{0,2}(from|von|de|sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoye|"
    r"objet|a)[*_]{0,2}\s?:"
)
_SENDERS = frozenset({"from", "von", "de"})
_FORWARDED = regex(
    r"-{2,}\s*(?:original message|forwarded message|ursprungliche nachricht|"
    r"weitergeleitete nachricht)\s*-{2,}|begin forwarded message:"
)
_OUTPUT = regex(r"\$ [a-z./~]|>>> \S|traceback \(most recent call last\):")
_LOG = regex(
    r"\s*\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*\s+\W{0,2}"
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)\b"
)
_TURN = regex(
    rf"\s*(?:{_CLOCK})?(?:\*\*)?([A-Z][\w.'’-]+(?: [A-Z][\w.'’-]*){{0,2}})(?: ?\([^()]*\))?:(?:\*\*)? +\S"
)

#: The two sides of this memory, as logs of conversations name them.
_OWN_SIDES = frozenset({"user", "human", "me", "assistant", "agent"})
#: The longest line that announces a passage, and the first signs of lines that may begin one.
_LONGEST, _SIGNS = 200, frozenset(">`<[$~#-0123456789")

_TEXTS = (
    r"(?:web ?)?(?:page|site|article|blog|post|wiki|documentation|docs|faq|readme|manual|guide|"
    r"e?-?mail|message|newsletter|letter|ticket|thread|comment|transcript|conversation|chat(?: log)?|"
    r"output|stdout|stderr|console|terminal|clipboard|excerpt|response|document|pdf|https?://\S+)s?"
)
#: What stands over a passage: it names a kind of text, says where it was copied, or who says it.
_ANNOUNCES = regex(
    r"(?:the |full |whole |raw |pasted |copied |forwarded |console |tool |command |meeting |call )*"
    r"(?:transcript|conversation|chat log|chat|output|stdout|stderr|clipboard|excerpt|paste|response)"
    r"(?: (?:of|from|with|by|in|on)\b.*)?|"
    r"(?:copied|pasted|quoted|taken|contents?|text|excerpt|snippet|extract) (?:from|of) .*|"
    rf"from (?:the|a|an|their|his|her|its) (?:[\w-]+ ){{0,3}}{_TEXTS}(?: .*)?|from https?://\S+"
)
#: Headings over such a passage; "Output" and "Conversation" stand over people's own notes too.
_TITLES = regex(
    r"(?:(?:raw|full|call|meeting) )*(?:transcript|chat log|stdout|stderr|clipboard|paste)\b.*|"
    r"(?:copied|pasted|quoted) from .*|.*[(\[](?:untrusted|third[- ]party)[)\]]|"
    r"(?:web ?)?(?:page|site|article|content)s? (?:fetched|scraped|crawled|copied|pasted)\b.*|"
    r"(?:fetched|scraped|crawled|copied|pasted) (?:web ?)?(?:page|site|article|content)s?\b.*"
)
_SAYS = regex(
    r"(?:.*\s)?(?!(?:i|we|you|user|person|owner)\s)\S+\s(?:says|said|writes|wrote|states|stated|"
    r"printed|returned|replied|answered|schrieb|a ecrit)"
)


class _Passage(NamedTuple):
    """Somebody's words that go on until `close`, a blank line, or a line that is not theirs.

    Lines that are indented less than `indent` are outside. Under a heading of some `level` all
    belongs, up to the next one. Items belong if `items` says so, or below a colon.
    """

    indent: int = 0
    close: str = ""
    to_blank: bool = False
    items: bool = False
    level: int = 0
    is_list: bool = False
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
        if heading := HEADING.match(line):
            return 0 < passage.level < len(heading[1])
        if passage.level:
            return True
        if BREAK.match(line) or indent_width(line) < passage.indent:
            return False
        if passage.is_quote and _STAMP.match(line):
            return False
        if ITEM.match(line):
            return (
                passage.items or self.above.rstrip().endswith(":") or bool(ITEM.match(self.above))
            )
        return not (passage.is_list and self.after_blank and not line[0].isspace())

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
        elif _OUTPUT.match(plain) or _LOG.match(line) or self._is_conversation(at, line):
            self._open(at, _Passage(indent, to_blank=True, items=True))
        elif heading := HEADING.match(line):
            if _TITLES.fullmatch(as_read(line[heading.end() :]).strip(" #*_:")):
                self.passage = _Passage(level=len(heading[1]))
        elif len(body) <= _LONGEST and plain.rstrip("*_ ").endswith(":"):
            words = plain.rstrip("*_ :")
            if _ANNOUNCES.fullmatch(words) or _SAYS.fullmatch(words):
                self.passage = self._below(at, line)
        return at + 1

    def _open(self, at: int, passage: _Passage) -> None:
        self.flags[at], self.passage = 1, passage

    def _below(self, at: int, line: str) -> _Passage | None:
        """The passage that a line announces, if anything stands below it."""
        below = self.lines.after_blanks(at + 1)
        if below == self.lines.count:
            return None
        after, indent = self.lines.text(below), indent_width(line)
        is_item, is_deeper = ITEM.match(after) is not None, indent_width(after) > indent
        if ITEM.match(line):
            if is_deeper:
                return _Passage(indent + 1, items=True)
            return None if is_item else _Passage()
        if is_item:
            return _Passage(indent, items=True, is_list=True)
        # In a day of lines with times, the next line is another entry.
        return None if _STAMP.match(line) and _STAMP.match(after) else _Passage(indent)

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
        if _FORWARDED.match(plain):
            return True
        first = _HEADER.match(plain)
        if not first:
            return False
        more = (_HEADER.match(as_read(text)) for text in self._near(at)[1:])
        labels = {first[1], *(match[1] for match in more if match)}
        return len(labels) > 1 and not labels.isdisjoint(_SENDERS)

    def _near(self, at: int) -> list[str]:
        return [self.lines.text(n) for n in range(at, min(at + _NEAR, self.lines.count))]

    def _is_conversation(self, at: int, line: str) -> bool:
        """Whether two people take turns here, in a day that is not a conversation itself."""
        if not _TURN.match(line):
            return False
        # People do not talk on across a heading.
        near = takewhile(lambda text: not HEADING.match(text), self._near(at))
        found = (match[1].lower() for text in near if (match := _TURN.match(text)))
        turns = [name for name in found if name not in memory_labels()]
        if not _OWN_SIDES.isdisjoint(turns):
            return False
        back_and_forth = (a == c != b for a, b, c in zip(turns, turns[1:], turns[2:], strict=False))
        return any(back_and_forth) and self._is_of_notes

    @cached_property
    def _is_of_notes(self) -> bool:
        """Whether the file holds more than a conversation."""
        texts = [self.lines.text(n) for n in range(self.lines.count) if not self.lines.is_blank(n)]
        return 4 * sum(1 for text in texts if _TURN.match(text)) < 3 * len(texts)
