"""Markdown to plain words, and plain words to sentences.

Both only take away: no word is added, so every figure and name that comes out stood in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from lithify.regex import regex

_TYPOGRAPHY = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "\u00a0": " ", "\u2011": "-"}
)
#: Comments and what was crossed out are not said.
_NOT_SAID = regex(r"~~(?=\S)[^~]+~~|<!--(?:(?!<!--|-->).)*-->")
_TAG = regex(r"<(/?)([a-zA-Z][\w-]{0,20})((?:\s[^<>]{0,80})?/?)>")
#: Tags without an end; all others are told by it, or by what they hold: `<id>` stands for a word.
_VOID = frozenset(("br", "hr", "img", "li", "p", "wbr"))
_ADDRESS = regex(r"<((?:[a-z][a-z0-9+.-]{1,12}:|[\w.+-]+@)[^\s<>]+)>")
_LINK = regex(r"!?\[([^\[\]]{1,300})\]\(<?([^()\s<>]{1,500})>?(?: \"[^\"]{0,200}\")?\)")
_WIKI_LINK = regex(r"\[\[(?:[^\[\]|]{1,200}\|)?([^\[\]|]{1,200})\]\]")


def _pair(sign: str, count: int) -> re.Pattern[str]:
    mark = re.escape(sign) * count
    # One sign within a word is none of emphasis, and two are in scripts without spaces.
    word, ends = (rf"\w{sign}", r"[\s.,;:!?)\]—–-]") if count == 1 else (sign, rf"[^{sign}]")
    return regex(
        rf"(?:(?<![^\s(\[{{—–|])(?={mark}[^\s*_./\\,;:)\]}}])|(?<=[^\w\s{sign}])(?={mark}\w))"
        rf"{mark}((?:(?!{mark}).)+?)"
        rf"(?:(?<=\w){mark}(?![{word}])|(?<=[^\w\s{sign}]){mark}(?=$|{ends}))"
    )


#: Emphasis opens before a word and closes behind one with the same mark. A mark alone, as in `2 * 3`,
#: `*.md` or a footnote*, is a sign of the text.
_EMPHASIS = [_pair(sign, count) for sign in "*_" for count in (3, 2, 1)]

#: A full stop with what closes a quotation or bracket after it, before something that can begin a
#: sentence; ideographic stops need no space.
_END = regex(r"[.!?][\"')\]*]*\s+(?=[\"'(\[`*]*[^\W_a-z])|[。！？][」』）]*")
#: A stop after one letter, after a short capitalised word or within an abbreviation ends nothing.
_ABBREVIATED = regex(
    r"(?:^|[\s(])(?:[^\W\d_]|\d{1,2}|[A-Z][a-z]{1,3}|(?:[^\W\d_]\.)+[^\W\d_]|vs|etc|approx|no|pp?)\.$"
)
_SHORT_SENTENCE = regex(r"(?:^|[.!?]\s)\S+\.$")
#: Between quotation marks or brackets no sentence ends, unless they hold more than this.
_LONGEST_ASIDE = 240


#: A span of code, and what stands in its place while the words around it change.
_CODE, _HELD = regex(r"(`{1,3})[^`]*\1"), regex(r"`(\d+)`")


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a text changed in its words alone: a span of code stays as it is written."""
    if "`" not in text:
        return change(text)
    spans: list[str] = []

    def hold(span: re.Match[str]) -> str:
        spans.append(span[0])
        return f"`{len(spans) - 1}`"

    return _HELD.sub(lambda held: spans[int(held[1])], change(_CODE.sub(hold, text)))


@lru_cache(maxsize=1 << 12)
def plain(text: str) -> str:
    """The words of a Markdown text: links as their words with the address, no emphasis or tags."""
    return outside_code(text, _plain).replace("\n", " ")


def _plain(text: str) -> str:
    if not text.isascii():
        text = text.translate(_TYPOGRAPHY)
    if "<" in text or "~~" in text:
        text = _without_tags(_NOT_SAID.sub(" ", text))
    if "[" in text:
        text = _WIKI_LINK.sub(r"\1", text)
        text = _LINK.sub(_with_address, text)
    if "*" in text or "_" in text:
        for pair in _EMPHASIS:
            text = pair.sub(r"\1", text)
    return " ".join(text.split())


def _without_tags(text: str) -> str:
    ended = {match[2] for match in _TAG.finditer(text) if match[1]}

    def told(tag: re.Match[str]) -> str:
        is_tag = tag[2] in ended or tag[2].lower() in _VOID or "=" in tag[3] or tag[3][-1:] == "/"
        return " " if is_tag else tag[0]

    return _ADDRESS.sub(r"\1", _TAG.sub(told, text))


def said_words(text: str) -> str:
    """Return the words of a text, whatever their case, emphasis and last full stop."""
    return " ".join(re.sub(r"\*+|`+", "", text).casefold().split()).rstrip(".!。！ ")


def _with_address(link: re.Match[str]) -> str:
    words, address = link[1], link[2]
    return words if address.startswith("#") or words == address else f"{words} ({address})"


@lru_cache(maxsize=1 << 12)
def split(text: str) -> tuple[str, ...]:
    """Return the sentences of a text. An abbreviation, and what is quoted, code or in brackets, ends none."""
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if text[match.start()] == "." and _is_abbreviation(text[start : match.start() + 1][-12:]):
            continue
        at = match.end()
        # A quotation or bracket that is not closed soon was none.
        aside = text[max(start, at - _LONGEST_ASIDE) : at]
        if aside.count("(") > aside.count(")") or aside.count('"') % 2 or aside.count("`") % 2:
            continue
        found.append(text[start:at].strip())
        start = at
    found.append(text[start:].strip())
    return tuple(sentence for sentence in found if sentence)


def _is_abbreviation(ending: str) -> bool:
    """Return whether a full stop belongs to a short word, and no sentence of one word ends."""
    return bool(_ABBREVIATED.search(ending)) and not _SHORT_SENTENCE.search(ending)


# Who says an entry, where it is a turn of a conversation.


#: A name of up to three words, bold or not, before a colon and what is said.
_SPEAKER = regex(r"(?:\*\*)?([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}):(?:\*\*)?\s+\S")


def speaker_of(text: str) -> str:
    """Return the name that an entry begins with, before a colon; empty where there is none."""
    match = _SPEAKER.match(text)
    return match[1] if match else ""


# The first sentences of a text, and the sentences and points that it is made of.


SENTENCE = regex(r"(?<=[.!?。！？])\s+")

_ITEM = regex(r"(?:[-*+]|\d{1,3}[.)])\s+")
_STOPPED = regex(r"[.!?:;。！？…][\"'`)\]”’»*_]*$")
_MARKUP = regex(r"^(?:#{1,6}\s.*|\s*\|.*|\s*(?:[-*_]\s*){3,})$", re.MULTILINE)
_FENCED = regex(r"^\s*(```|~~~).*?^\s*\1\s*$", re.MULTILINE | re.DOTALL)


def points(body: str) -> list[str]:
    """The paragraphs and items of a text. Items under a line that ends in a colon stay with it."""
    points: list[list[str]] = []
    fresh = True
    for line in body.split("\n"):
        if not line.strip():
            fresh = True
            continue
        item = _ITEM.match(line)
        led = bool(points) and points[-1][0].endswith(":")
        if led and item:
            points[-1].append(line)
        elif item or fresh or not points:
            points.append([line[item.end() :] if item else line])
        else:
            points[-1].append(line)
        fresh = False
    return ["\n".join(lines) for lines in points]


def plain_sentences(text: str) -> list[str]:
    """Return the sentences of an answer, without its headings, tables and code."""
    text = _MARKUP.sub("", _FENCED.sub("", text))
    flat = (" ".join(point.split()) for point in points(text))
    stopped = (point if _STOPPED.search(point) else f"{point}." for point in flat if point)
    return [sentence for point in stopped for sentence in SENTENCE.split(point)]


def first_sentences(text: str, room: int) -> str:
    """Return a text that fits: as many whole sentences as possible, else its beginning."""
    if len(text) <= room:
        return text
    ends = [match.start() for match in SENTENCE.finditer(text[: room + 1])]
    if ends and ends[-1] > room // 3:
        return text[: ends[-1]]
    return text[: room - 1].rsplit(" ", 1)[0].rstrip() + "…"
