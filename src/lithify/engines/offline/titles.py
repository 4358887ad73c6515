"""Short names for what is kept: a few words that end where a clause ends."""

from __future__ import annotations

import re

from lithify import cues
from lithify.engines.offline.speech import whole

#: Enough for an order with its condition: without it the name would say something else.
WORDS = 12
_FEW = 3
_STOPS = frozenset(",;:.!?")
_URL = re.compile(r"\s*https?://\S+\s*")
#: Who said it and how stands in the text; the name is what was said.
_ANNOUNCED = re.compile(
    r"\b(?:decisions?|decided|rule|corrected me|reminded me|told me|asked me|warned me|feedback from [^:]+|"
    r"was emphatic|correction|lesson|practice|policy|in so many words)\b[^:\"]{0,60}:\s+(?=\S)",
    re.I,
)
#: The few words an announcement may begin with; a word once taken is not taken apart again.
_BEFORE = re.compile(r"(?:(?:[^\W\d_][\w'-]*+|[(),]++)\s?){0,8}")
_ASKED = re.compile(
    r"^(?:[A-Z][\w'-]* ){1,3}(?:\w+ly )?(?:asked|told|reminded|warned|wants|expects) me (?:again )?"
    r"(?:to |(?=not to ))"
)
_LABEL = re.compile(r"^[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,2}: (?=[\"A-Za-z])")
_BOUNDARY = re.compile(
    r"[,;:.!?](?=\s|$)|\s-\s|\s(?=(?:because|since|so that|which|who|while|whereas|unless|until|"
    r"before|after|when|if|but|and|or|without|instead|rather|not|than|that)\b)|\s\("
)
_PREPOSITION = re.compile(
    r"\s(?=(?:of|in|on|at|by|to|for|from|with|into|over|under|about|as|via)\b)"
)
#: Words nothing may end with.
_LOOSE = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "but",
        "nor",
        "if",
        "of",
        "in",
        "on",
        "at",
        "by",
        "to",
        "for",
        "from",
        "with",
        "without",
        "into",
        "onto",
        "over",
        "under",
        "about",
        "as",
        "than",
        "that",
        "which",
        "who",
        "whose",
        "when",
        "while",
        "where",
        "before",
        "after",
        "until",
        "since",
        "because",
        "so",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "am",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "will",
        "would",
        "shall",
        "should",
        "can",
        "could",
        "may",
        "might",
        "must",
        "not",
        "no",
        "never",
        "only",
        "also",
        "its",
        "his",
        "her",
        "their",
        "our",
        "my",
        "your",
        "this",
        "these",
        "those",
        "it",
        "he",
        "she",
        "they",
        "we",
        "you",
        "i",
        "every",
        "each",
        "any",
        "all",
        "both",
        "either",
        "neither",
        "between",
        "against",
        "through",
        "during",
        "per",
        "via",
        "up",
        "out",
        "off",
        "very",
        "more",
        "most",
    ]
)


def title_of(text: str) -> str:
    """A name of at most twelve words: a clause of the text, never half of one or of a quotation."""
    short = _clause(core(text))
    return short[:1].upper() + short[1:]


def core(text: str) -> str:
    """What was said, without who said it and how it was announced."""
    text = _URL.sub(" ", text).strip(" .;,:!-")
    told = _ANNOUNCED.search(text)
    before = _BEFORE.match(text)
    if told and before and told.start() <= before.end() and not cues.bears(text[: told.end()]):
        text = text[told.end() :]
    for told_by in (_LABEL, _ASKED):
        by = told_by.match(text)
        if by and not (told_by is _LABEL and cues.bears(by[0])):
            text = text[by.end() :] or text
    return text


def _clause(text: str) -> str:
    words = text.split()
    if len(words) <= WORDS:
        return _even(text)
    return _up_to(_BOUNDARY, text) or _up_to(_PREPOSITION, text) or _trimmed(words[:WORDS])


def _up_to(boundary: re.Pattern[str], text: str) -> str:
    """The longest part of at most twelve words that ends at a boundary."""
    best, clause = "", False
    for match in boundary.finditer(text):
        part = text[: match.start()]
        count = len(part.split())
        if count > WORDS:
            break
        if count >= _FEW and part.count('"') % 2 == 0 and part.count("(") == part.count(")"):
            best, clause = part, match[0].strip() in _STOPS
    if not best:
        return ""
    # Before a stop a clause is whole: "walked through," does not end in a loose word.
    return _even(best) if clause else _trimmed(best.split())


def _trimmed(words: list[str]) -> str:
    while (
        len(words) > 2
        and words[-2:] != ["now", "on"]
        and words[-1].strip("\"',;:.").lower() in _LOOSE
    ):
        words = words[:-1]
    return _even(" ".join(words))


def _even(text: str) -> str:
    text = text.strip(" ,;:-.(")
    if text.count("(") > text.count(")"):
        text = text.replace("(", "")
    return whole(text)


def clipped(text: str, size: int) -> str:
    """The text up to a size in characters, cut between words and never inside a quotation."""
    text = text.strip().rstrip(" .;,:")
    if len(text) <= size:
        return whole(text)
    short = text[: size + 1].rsplit(" ", 1)[0]
    at = max((m.start() for m in re.finditer(r"[,;:](?=\s)", short)), default=0)
    if at > size // 2:
        short = short[:at]
    if short.count('"') % 2:
        opened = short.rindex('"')
        short = short[:opened] if opened > size // 2 else short.replace('"', "")
    return _trimmed(short.split())
