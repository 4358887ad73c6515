"""Text of a root as safe HTML: Markdown without raw HTML or images, and marked words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import unescape

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from lithify.regex import regex
from lithify.text.words import stem, stems_of

# Raw HTML is shown as text. An image would be fetched from elsewhere, so it is shown as a link.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
_TAGS = frozenset(
    {
        *("p", "br", "em", "strong", "s", "code", "pre", "ul", "ol", "li"),
        *("a", "blockquote", "hr", "table", "thead", "tbody", "tr", "th", "td"),
    }
)
_SCHEMES = ("http://", "https://", "mailto:")
_WORD = regex(r"\w+(?:['’.,:/-]\w+)*")
_TAG = regex(r'(<(?:[^>"]|"[^"]*")*>)')
_BETWEEN_CELLS = regex(r"(?<!\\)\|")
#: So many words in a row that a claim repeats are marked in its source.
_RUN = 3


def _only_absolute(tag: str, attribute: str, value: str) -> str | None:
    # A relative link of a day leads to a file, not to a page of the viewer.
    return value if attribute == "start" or value.lower().startswith(_SCHEMES) else None


def _safe(html: str) -> Markup:
    return Markup(
        nh3.clean(
            html,
            tags=set(_TAGS),
            attributes={"a": {"href"}, "ol": {"start"}},
            attribute_filter=_only_absolute,
            url_schemes={"http", "https", "mailto"},
            link_rel="noopener noreferrer",
        )
    )


@lru_cache(maxsize=1 << 13)
def block(text: str) -> Markup:
    """Markdown as HTML."""
    return _safe(_MARKDOWN.render(text))


@lru_cache(maxsize=1 << 13)
def inline(text: str) -> Markup:
    """One line of Markdown as HTML."""
    return _safe(_MARKDOWN.renderInline(" ".join(text.split())))


def outdented(raw: str) -> str:
    """A nested item as an item of its own: its indent would make code of it."""
    lines = raw.split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] if line[:margin].isspace() else line for line in lines)


def rule_below(row: str) -> str:
    """The line that makes the header of a table of a row."""
    return "|" + "-|" * (len(_BETWEEN_CELLS.findall(row.strip().strip("|"))) + 1)


def plain(text: str) -> str:
    """A line of Markdown as words for a link, the cells of a row with dots between them."""
    if text.startswith("|"):
        text = " · ".join(cell.strip() for cell in _BETWEEN_CELLS.split(text.strip("| ")))
    return unescape(_TAG.sub("", inline(text)))


def shared(text: str, claim: str) -> Markup:
    """A source's text with the words marked that a claim repeats: figures, and runs of words."""
    known = {word.lower() for word in _WORD.findall(claim)}
    runs: list[list[re.Match[str]]] = [[]]
    for match in _WORD.finditer(text):
        if match[0].lower() in known:
            runs[-1].append(match)
        elif runs[-1]:
            runs.append([])
    told = [
        (run[0].start(), run[-1].end())
        for run in runs
        if len(run) >= _RUN or any(c.isdigit() for match in run for c in match[0])
    ]
    return _marked(text, told)


def found(text: str, query: str) -> Markup:
    """A passage as HTML, with the words marked that a query asks for, in any inflection."""
    wanted = set(stems_of(query))
    pieces = _TAG.split(block(text))
    for place in range(0, len(pieces), 2):
        said = unescape(pieces[place])
        words = [match for match in _WORD.finditer(said) if stem(match[0].lower()) in wanted]
        pieces[place] = _marked(said, [match.span() for match in words])
    return Markup("".join(pieces))


def matched(text: str, query: str) -> list[str]:
    """The words of a query that a passage holds, as the passage spells them."""
    wanted = set(stems_of(query))
    words = [match[0] for match in _WORD.finditer(text) if stem(match[0].lower()) in wanted]
    return list({stem(word.lower()): word for word in reversed(words)}.values())[::-1]


def _marked(text: str, spans: Sequence[tuple[int, int]]) -> Markup:
    # Words side by side are one mark.
    joined: list[tuple[int, int]] = []
    for start, stop in spans:
        if joined and not text[joined[-1][1] : start].strip():
            start = joined.pop()[0]
        joined.append((start, stop))
    pieces, end = [], 0
    for start, stop in joined:
        pieces += [escape(text[end:start]), Markup("<mark>"), escape(text[start:stop])]
        pieces.append(Markup("</mark>"))
        end = stop
    return Markup("").join([*pieces, escape(text[end:])])


def word_diff(before: str, after: str) -> list[tuple[str, str]]:
    """What becomes of a text word by word: pieces that are kept, gone (`-`) or new (`+`)."""
    import difflib

    old, new = re.findall(r"\s+|\S+", before), re.findall(r"\s+|\S+", after)
    pieces: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(("", "".join(old[a:b])))
            continue
        pieces += [("-", "".join(old[a:b]))] if b > a else []
        pieces += [("+", "".join(new[c:d]))] if d > c else []
    return pieces


def size(count: int) -> str:
    """A number of bytes in the unit that reads best."""
    if count < 1000:
        return f"{count} B"
    for unit, worth in (("kB", 1_000), ("MB", 1_000_000)):
        if count < worth * 1000:
            return f"{count / worth:.{1 if count < worth * 10 else 0}f} {unit}"
    return f"{count / 1e9:.1f} GB"


def counted(number: int, one: str, more: str = "") -> str:
    """A number with its noun."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"
