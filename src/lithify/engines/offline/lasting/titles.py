"""Short names for what is kept: a few words that end where a clause ends."""

from __future__ import annotations

import re

from lithify import cues
from lithify.engines.offline.lasting import norms
from lithify.engines.offline.reading.speech import whole

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
#: The order or habit before what it is about: `never release`, `we always read`.
_BIDDING = re.compile(
    r"(?:(?:we|you|nobody|no one|everyone|everybody|one)(?: now)? )?"
    r"(?:(?:(?:always|never|only|do not|don't|must not|must never|must|may not|not to)(?: ever)? (?!(?:be|let)\b)[a-z-]+|no(?= [a-z])) |"
    r"(?:use|keep|put|write|store|label|name|give|take|run|wear|close|quote|avoid|send|say|answer|check|read|test|page|sign|"
    r"mark|copy|save|report|record|file|round|show|include|prime) )",
    re.I,
)
_DETERMINER = re.compile(
    r"^(?:(?:the|an?|our|any|every|each|all|its|their|your|his|her|this) )+", re.I
)
#: What can stand after a verb and is no thing.
_NO_THING = re.compile(
    r"^(?:to|on|in|at|by|for|from|with|without|into|over|under|about|as|via|it|them|him|her|us|me|you|that|this|these|those|if|"
    r"when|while|before|after|until|unless|going|doing|being|trying|getting|making|having|looking|working|waiting|alone|again|directly|anything|anyone|everything|nothing|up|out|off|down|away|back|so)\b",
    re.I,
)
_CUT = re.compile(
    r"[,;:.!?(](?=\s|$)|\s-\s|\s\(|\s(?=(?:on|in|at|by|for|from|with|without|into|over|under|about|as|via|to|back|it|they|he|she|we|you|"
    r"that|which|who|if|when|while|before|after|until|unless|because|since|so|and|or|but|not|never|earlier|later|more|less|than|"
    r"first|only|directly|alone|again|is|are|was|were|has|have|must|may|can|should|ever|done|do|don't|does|doesn't|cannot)\b)",
    re.I,
)
#: One more phrase makes a single word a topic: `deploys from 17:00`.
_FURTHER = re.compile(r"^(?:on|in|at|for|from|with|without|under|over|about) ", re.I)
_CONTRAST = re.compile(r"^[\w' -]{2,30}, not [\w' -]{2,30}$")
_DEALT = re.compile(
    r"\s(?:(?:not )?(?:to )?be \w+ed|(?:not )?to be \w+|gets?|goes|go|stays?|belongs?|counts?|must|needs?|(?:is|are) (?:always |never |only )?\w+(?:ed|en|ept|ade|ent|old|ut))\b",
    re.I,
)
_ASKED_FOR = re.compile(
    r"^[A-Z][\w'-]*(?: [A-Z][\w'-]*)? (?:ask|want|expect|insist)(?:s|ed)(?: that| for)? "
)
_ANY_STOP = re.compile(r"[,;:.!?]")
_LONGEST_TOPIC = 6
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
    short = _clause(norms.freed(core(text)))
    return short[:1].upper() + short[1:]


def topic_of(text: str) -> str:
    """What a rule is about, in two to seven words that do not say the rule; nothing if unclear."""
    words = norms.freed(core(text))
    if '"' in words:
        return ""
    told = _BIDDING.match(words)
    thing = words[told.end() :] if told else _subject(words)
    thing = _DETERMINER.sub("", thing)
    if not thing or _NO_THING.match(thing):
        return ""
    name, after = _noun_phrase(thing)
    if name.count(" ") < 1 and (more := _FURTHER.match(after)):
        name += f" {_noun_phrase(after, more.end())[0]}"
    name = _trimmed(name.split()) if name else ""
    fits = 1 <= name.count(" ") <= _LONGEST_TOPIC and len(name) < 0.8 * len(words)
    return name[:1].upper() + name[1:] if fits else ""


def _subject(words: str) -> str:
    """The words before what is said of them, where that is how it is dealt with."""
    words = _ASKED_FOR.sub("", words)
    dealt = _DEALT.search(words)
    before = words[: dealt.start()] if dealt else ""
    return before if before.count(" ") <= _LONGEST_TOPIC and not _ANY_STOP.search(before) else ""


def _noun_phrase(words: str, start: int = 0) -> tuple[str, str]:
    """The words up to where a phrase of another kind begins, and the rest."""
    if contrast := _CONTRAST.match(words):
        return contrast[0], ""
    cut = _CUT.search(words, start)
    at = cut.start() if cut else len(words)
    return words[:at].strip(" ,;:.!"), words[at:].strip()


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
    said = norms.saying(text)
    return said.words.strip(' .;,:!-"') if said.told or text.startswith('"') else text


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
