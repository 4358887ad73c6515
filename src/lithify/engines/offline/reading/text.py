"""From an entry's Markdown to plain sentences that a bullet can be made of.

Only deletion and typography: no word is added, so every figure and name that comes out
stood in the entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.reading.speech import Turn, opening_quotation, turns, whole
from lithify.text.dates import WEEKDAYS, could_name_date, find_dates
from lithify.text.stems import SIGNS, is_sentence
from lithify.text.tokens import estimate
from lithify.values import Entry

LIMIT = 60
#: Characters within which a label ends.
_LABELLED = 20

_TYPOGRAPHY = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "\u00a0": " ", "\u2011": "-", "–": "-"}
)
#: Words of time, before a colon: they belong to their sentence.
TIMED = re.compile(
    r"\d|\b(?:to(?:day|night|morrow)|yesterday|ago|last|next|this|coming|past|since|until|week\w*|months?|"
    r"quarters?|years?|days?|morning|afternoon|evening|night|now|hence|mon|tues?|wed|thu|thurs?|fri|"
    r"sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|"
    r"apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|"
    r"dec(?:ember)?|eod|eow|eom|eoq|eoy|cob)\b",
    re.I,
)
#: "27 July–1 August": with a hyphen it would be the name of something, "July-1".
_BETWEEN_DAYS = re.compile(r"(?<=[a-z])–(?=\d{1,2} [A-Z])")
_DASH = re.compile(r"\s*—\s*")
_IMAGE = re.compile(r"!\[([^\]]*)\]\([^)\s]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\((<?)([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_REFLINK = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
#: What is left of bold words whose other mark stood by an hour, or in another sentence.
_HALF_BOLD = re.compile(r"(?<=\S)\*\*(?!\S)|(?<!\S)\*\*(?=\S)")
_ITALIC = re.compile(
    r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])|(?<![\w_])_(?=\S)([^_]+?)(?<=\S)_(?![\w_])"
)
#: What its writer has crossed out is no longer said.
_STRIKE = cues.STRUCK
#: What stands in code is no tag, though it may look like one.
_TAG = re.compile(r"(`[^`]*`)|<!--.*?-->|</?[a-zA-Z][^<>]{0,80}>")
CLOCK = re.compile(
    r"^(?:[\[`]?\d{1,2}[:h]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?(?:\s*[-–—]\s*\d{1,2}[:h]\d{2}(?:\s?(?:UTC|GMT|CES?T)\b)?+(?!\s+(?-i:[a-z]))|(?!\s*[-–—]\s*\d{1,2}[:h]\d{2}))[\]`]?)(?:\s*[-–—:|,]\s*|\s+)(?=\S)",
    re.I,
)
#: What a block of code stands between, once its lines are one.
_FENCED = re.compile(r"^(`{3,}|~{3,})\S*\s*(.*?)\s*\1$")
#: The first or the last of several sentences in one pair of brackets.
_HALF_BRACKET = re.compile(r"\(([^()]+)|([^()]+)\)[.!?]?")
#: What stands in brackets no longer than this is part of its sentence, whatever stops it has.
_SHORT_ASIDE = 40
#: A piece of a sentence that is more than this part of it says what the sentence says.
_MOST = 0.6
_CLOCK_CELL = re.compile(
    r"(?:at )?\d{1,2}[:.]\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?(?: ?(?:UTC|h))?", re.I
)
_DAY_FIRST = re.compile(r"^[*_\[(]*(?:\d|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)|[A-Z][a-z]{2,8}\.? \d)")
_AFTER_DAY = re.compile(
    r"[*_]*(?:[\])][*_]*\s*[:–—|-]?|\s*[:–—|]|\s+-)[*_]*\s+(?=\S)|[ T](?=\d{1,2}:\d{2})"
)
_WEEKDAYS = frozenset(name[:cut] for name in WEEKDAYS for cut in (3, 4, 5, len(name)))
CHECK = re.compile(r"^\[[ xX~/-]\]\s+")
#: What a line begins with that follows from the one above it.
_ARROW = re.compile(r"^(?:[-=]+>|[→⇒➔➜])\s*")
_CLAUSE = re.compile(
    r"\s(?:me|us|(?!\w*need\b)\w\w\w+ed|said|told|wrote|says|asks|adds|was|is|are|were|wants|put|set|made|from)\b|"
    r"^(?:found|got|did|made|ran|saw|went|had|took|built|sent)\b",
    re.I,
)
_BRACKET = re.compile(r"\s*\[([^\[\]]{8,})\]\s*$")
_END = re.compile(
    r"[.!?。！？](?:(?<=[。！？])|[\"')\]]*\s+(?=`|[\"'(\[]?[^\W_a-z])|(?<=\w[?!])\s+(?=[a-z]))"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|cf|approx|incl|excl|Nr|Fig|fig|Inc|Ltd|Co|Corp|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|a\.m|p\.m|U\.S|U\.K|ca|St|Mt|Ave|dept)|\b[A-Z])\.$"
)
#: And before a number.
_NUMBERING = re.compile(r"\b(?:[Nn]os?|pp?|[Vv]ol|[Cc]h|[Ss]ec|[Aa]rt)\.$")
_SOFT = re.compile(
    r"(?<=[;:])\s+|\s+[-·]\s+|,\s+(?=(?:and|but|so|which|because|while|where|who|with)\b)|,\s+"
)
_ASIDE = re.compile(r"\s*\([^()]*\)")
_OPENING = (
    r"oh|ah|wow|woah|whoa|yay|woohoo|hooray|phew|ugh|hmm+|yeah|yep|yup|yes|hey|hi|hello|ha(?:ha)+|aww?|"
    r"thanks(?: so much| a lot| a ton| again)?|thank you(?: so much)?|ok|okay|sure|great|cool|nice|"
    r"awesome|amazing|absolutely|definitely|totally|exactly|right|well|anyway|so|man|gosh|no worries|"
    r"no problem|of course|for sure|congrats|congratulations|kudos|cheers|bye|goodbye|"
    r"sounds (?:good|great)|good (?:morning|evening|afternoon|to (?:see|hear from) you)|additionally|"
    r"furthermore|moreover|in addition|also|btw|by the way|basically|honestly|actually|i mean|you know|"
    r"to be honest|unfortunately|luckily|hopefully"
)
_OPENER = re.compile(rf"^(?:(?:{_OPENING})(?:,? [A-Z][a-z]+)?(?:[,!.]+| -)\s+)+(?=\S)", re.I)
#: A label that tells nothing of what it stands before.
_EMPTY_LABEL = re.compile(
    r"^(?:summary|context|background|details?|notes?|info|overview|description|fyi|tl;?dr|recap|"
    r"highlights?|observations?|remarks?|comments?|key (?:points?|learnings?|takeaways?))\s?:\s+(?=\S)",
    re.I,
)
#: What says that there is nothing to say.
_NOTHING = re.compile(r"(?:none|n/?a|nil|nothing(?: \w+){0,3}|no|tbd|[-–—]+)\W*", re.I)
#: Signs before and after the words of a sentence, for the eye alone.
_SIGNED = re.compile(rf"^[{SIGNS}]+\s*|\s*[{SIGNS}]+(?=[.!?]?$)")
#: A sign in the midst that judges what stands before it: another thought follows.
_MARKED = re.compile(r"(?<=(\S))\s+[✅✔✓☑❌✗✘⚠⛔🚫❗‼🟢🟡🟠🔴]\ufe0f?([,;:]?)\s+(?=(\S))")
#: A sentence of nothing but these, and perhaps who is spoken to: `Thanks, Mel!`
_GREETING = re.compile(rf"^(?:(?:{_OPENING})\b(?:,? (?-i:[A-Z])[a-z]+)?(?:[,!.~ ]+|$))+$", re.I)
_STRESS = r"(?:really|very|(?-i:super)|truly|totally|absolutely|quite)"
#: The comma before it goes too, unless what follows is one more of several: "hoarse, very good".
_PADDING = re.compile(
    rf"(?<!\bnot)(?<!\bnever)(?<!n't)(?:,\s{_STRESS}\b(?=\s\w+\s\w)|(?<!\bthe)\s{_STRESS}|"
    r",?\s(?:definitely|literally|basically|actually|pretty much|sort of|kind of|kinda|obviously|of course|simply|honestly|indeed))"
    r"\b(?!\s+(?:not|no|never)\b)(?=\s[^\W\d])",
    re.I,
)
#: A pointer to what is not on the page says nothing there.
_POINTER = re.compile(
    r",?\s+(?:as (?:above|before|mentioned|noted|described)(?: (?:above|before|earlier))?|\(?see (?:above|below)\)?)(?=[.,;!)]|$)",
    re.I,
)
#: The one spoken to, named at the end: `…, Jon!`
_VOCATIVE = re.compile(r",\s+[A-Z][a-z]+(?=[!.?]+$)")
_CHATTER = re.compile(
    r"^(?:(?:that(?:'s| is| sounds| must| looks)|it(?:'s| is| sounds| looks)|this is|what an?|how|"
    r"sounds|looks|so|such|you(?:'re| are| look| must)|i(?:'m| am) (?:so |really |very )?(?:glad|happy|proud|"
    r"sorry|excited|here)|can't wait|good luck|have (?:a |fun)|take care|see you|talk|keep|bye|"
    r"let me know|no (?:worries|problem)|i (?:totally |completely )?(?:agree|understand|appreciate|get)|"
    r"i (?:can|can't) (?:imagine|believe|wait)|i hope|hope)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Plain:
    """An entry's words: what they stand under, and the sentences, each with its speaker."""

    label: str
    sentences: tuple[str, ...]
    labels: tuple[str, ...]


def plain(entry: Entry, fit: bool = True) -> Plain:
    """The entry without Markdown, clock, checkbox and padding, cut into sentences.

    `fit`: sentences too long for a bullet are cut at their clauses.
    """
    if entry.kind == "row":
        cells = tuple(_fitted(_row(entry)))
        return Plain("", cells, ("",) * len(cells))
    text = _FENCED.sub(r"\2", entry.text) if entry.kind == "code" else entry.text
    return _plain(_undated(text, entry.day), fit)


def _undated(text: str, day: date | None) -> str:
    """The text without its own day before it: the bullet says that already."""
    if day is None or not _DAY_FIRST.match(text):
        return text
    for said in find_dates(text[:40], day)[:2]:
        if said.first == said.last == day and (after := _AFTER_DAY.match(text, said.end)):
            before = text[: said.start].strip(" *_[(,").rstrip(".")
            if not before or before.lower() in _WEEKDAYS:
                rest = text[after.end() :]
                word = rest.split(maxsplit=1)[0]
                return rest[0].upper() + rest[1:] if word.isalpha() else rest
    return text


@lru_cache(maxsize=1 << 12)
def _plain(text: str, fit: bool) -> Plain:
    text = strip_marks(text)
    if text[:1] in "[`" or text[:1].isdigit():
        text = CLOCK.sub("", CHECK.sub("", text))
    text = _ARROW.sub("", text) or text
    if not text.isascii():
        text = _MARKED.sub(_after_sign, text)
        text = _SIGNED.sub("", text) or text
    if ":" in text[:_LABELLED]:
        text = _EMPTY_LABEL.sub("", text)
    aside: list[str] = []
    while text[-1:] == "]" and (shown := _BRACKET.search(text)):
        aside.insert(0, shown[1])
        text = text[: shown.start()]
    said = turns(text, _is_label)
    found: list[tuple[str, str]] = []
    for turn in said:
        if not (cues.announced(turn.label) and _NOTHING.fullmatch(turn.text)):
            found += _sentences(turn, fit)
    label = said[0].label if said else ""
    for sentence in aside:
        found += [(label, piece) for piece in _tightened(sentence, label, fit)]
    return Plain(label, tuple(one for _, one in found), tuple(who for who, _ in found))


def _after_sign(sign: re.Match[str]) -> str:
    """What stands between two thoughts in the place of a sign."""
    before, stop, after = sign.groups()
    if stop or before in ".,;:!?" or after in "(-":
        return f"{stop} "
    return ". " if after.isupper() else " - "


def _is_label(words: str) -> bool:
    """Whether the words before a colon stand over all that follows, and not over one sentence.

    A label that tells a time belongs to its sentence, where its dates are made absolute; one
    that is a clause of its own (`Priya corrected me`) says what the next words are, no more.
    """
    if cues.announced(words):
        return True
    return not (TIMED.search(words) or _CLAUSE.search(words) or is_sentence(words))


def _sentences(turn: Turn, fit: bool) -> list[tuple[str, str]]:
    """The sentences of a turn with their speaker; what follows a quotation is no longer his."""
    said, rest = opening_quotation(turn.text)
    if not said:
        return [
            (turn.label, piece)
            for sentence in split(turn.text)
            for piece in _tightened(sentence, turn.label, fit)
        ]
    inner = split(said)
    if len(inner) == 1 and tokens_in(said) <= LIMIT - 16:
        found = [(turn.label, f'"{said}"')]
    elif not turn.label and tokens_in(said) <= LIMIT - 16:
        found = [("", f'"{said}"')]
    else:
        found = [
            (turn.label, piece)
            for sentence in inner
            for piece in _tightened(sentence, turn.label, fit)
        ]
    return found + (_sentences(Turn("", _ARROW.sub("", rest)), fit) if rest else [])


def _tightened(sentence: str, label: str, fit: bool) -> list[str]:
    kept = tighten(sentence)
    if label and not cues.announced(label):
        kept = _VOCATIVE.sub("", kept)
    if not kept:
        return []
    return [whole(piece) for piece in (_fitted(kept) if fit else [kept])]


def strip_marks(text: str) -> str:
    """Markdown off, typography plain; the words stay."""
    text = _STRIKE.sub(" ", text) if "~~" in text or "</" in text else text
    text = _TAG.sub(lambda tag: tag[1] or " ", text) if "<" in text else text
    if "[" in text:
        text = _IMAGE.sub(r"\1", text)
        text = _LINK.sub(_linked, text)
        text = _REFLINK.sub(lambda m: m[2] or m[1], text)
    if "*" in text or "_" in text:
        text = _BOLD.sub(r"\2", text)
        text = _HALF_BOLD.sub("", _BOLD.sub(r"\2", text))
        text = _ITALIC.sub(lambda m: m[1] or m[2], text)
    if not text.isascii():
        text = _DASH.sub(" - ", _BETWEEN_DAYS.sub(" - ", text).translate(_TYPOGRAPHY))
    return " ".join(text.split())


def _linked(match: re.Match[str]) -> str:
    words, target = match[1], match[3]
    return words if words == target or target.startswith("#") else f"{words} ({target})"


def _row(entry: Entry) -> str:
    """A table's row as words: the first cell names it, the others carry their column's name."""
    cells = _cells(entry.text)
    heads = _cells(entry.lead)
    if len(cells) > 1 and _CLOCK_CELL.fullmatch(cells[0]):
        # A row of a day's course is about what happened; the hour only puts it in its place.
        cells, heads = cells[1:], heads[1:]
    if len(cells) < 2:
        return " ".join(cells)
    rest = []
    for at, cell in enumerate(cells[1:], 1):
        if cell and cell != "-":
            head = heads[at].rstrip(":") if at < len(heads) else ""
            # After a figure a colon would read as part of it.
            rest.append(f"{head}{' ' if head[-1].isdigit() else ': '}{cell}" if head else cell)
    if not cells[0]:
        return "; ".join(rest)
    name = cells[0]
    if heads and heads[0] and name[-1:].isdigit() and name[:1].isdigit():
        # A bare figure says nothing without the name of its column.
        name = f"{heads[0]} {name}"
    return f"{name} - {'; '.join(rest)}" if rest else name


def _cells(text: str) -> list[str]:
    return [strip_marks(cell) for cell in text.strip().strip("|").split("|")] if "|" in text else []


def split(text: str) -> list[str]:
    """The sentences of a text."""
    parts: list[str] = []
    start = 0
    paired = '"' in text and text.count('"') % 2 == 0
    for match in _END.finditer(text):
        piece = text[start : match.start() + 1]
        if _ABBREVIATION.search(piece[-8:]):
            continue
        if text[match.end() : match.end() + 1].isdigit() and _NUMBERING.search(piece[-5:]):
            continue
        # A quotation is one saying, however many sentences it has.
        if paired and text.count('"', 0, match.end()) % 2:
            continue
        if "(" in piece and _is_within(text, start, match.end()):
            # `(p. 12)`
            continue
        parts.append(text[start : match.end()].strip())
        start = match.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _is_within(text: str, start: int, at: int) -> bool:
    """Whether a short aside that was begun in a sentence goes on after this place."""
    opened = text.rfind("(", start, at)
    return 0 < text.find(")", opened) - opened <= _SHORT_ASIDE and text.find(")", opened) >= at


def tighten(sentence: str) -> str:
    """The sentence without greeting, interjection, intensifier and sign; nothing if that was all."""
    if not sentence.isascii():
        sentence = _SIGNED.sub("", sentence) or sentence
    if _GREETING.match(sentence):
        return ""
    if sentence[:1] == "(" or ")" in sentence[-2:]:
        half = _HALF_BRACKET.fullmatch(sentence)
        sentence = half[half.lastindex or 0] if half else sentence
    if '"' in sentence or "`" in sentence:
        kept = sentence
    else:
        kept = _POINTER.sub("", _PADDING.sub("", sentence))
    if opener := _OPENER.match(kept):
        kept = kept[opener.end() :]
        kept = kept[:1].upper() + kept[1:]
    return kept.strip()


def follows_on(text: str) -> bool:
    """Whether a line begins with an arrow: it tells what came of the line above it."""
    return _ARROW.match(text) is not None


def is_chatter(sentence: str) -> bool:
    """Whether the sentence reacts to another rather than saying something itself."""
    return bool(_CHATTER.match(sentence))


def is_timed(sentence: str) -> bool:
    """Whether the sentence could mean something else on another day."""
    return could_name_date(sentence)


@lru_cache(maxsize=1 << 13)
def tokens_in(text: str) -> int:
    """The tokens of a sentence; logs repeat themselves, so they are remembered."""
    return estimate(text)


def _fitted(sentence: str) -> list[str]:
    """The sentence in pieces that each leave room for a date and a subject in a bullet."""
    room = LIMIT - 14
    if tokens_in(sentence) <= room:
        return [sentence]
    if "(" in sentence and tokens_in(shorter := _ASIDE.sub("", sentence)) <= room:
        # Better without its aside than in two halves.
        return [shorter]
    parts = _parts(sentence, room)
    pieces = _filled(parts, room)
    most = max(pieces, key=len)
    if len(most) > _MOST * len(sentence) and cues.hedges(sentence) and not cues.hedges(most):
        # Most of a sentence is not told without the reserve that stands in the rest.
        pieces = _filled(parts[::-1], room, backwards=True)[::-1]
    return [piece.strip(" ,;:·") for piece in pieces if piece.strip(" ,;:·-")]


def _filled(parts: Sequence[str], room: int, backwards: bool = False) -> list[str]:
    """The parts joined to pieces, each as long as there is room; `backwards` from the last part."""
    pieces: list[str] = []
    for part in parts:
        last = pieces[-1] if pieces else ""
        joined = f"{part} {last}" if backwards else f"{last} {part}"
        if last and estimate(joined) <= room:
            pieces[-1] = joined
        else:
            pieces.append(part)
    return pieces


def _parts(sentence: str, room: int) -> list[str]:
    parts: list[str] = []
    start = 0
    for match in _SOFT.finditer(sentence):
        if sentence.count("(", start, match.start()) > sentence.count(")", start, match.start()):
            # Half a bracket is debris.
            continue
        parts.append(sentence[start : match.end()].strip())
        start = match.end()
    parts.append(sentence[start:].strip())
    out: list[str] = []
    for part in parts:
        if estimate(part) <= room:
            out.append(part)
            continue
        out.extend(_chopped(part, room))
    return [part for part in out if part]


def _chopped(part: str, room: int) -> list[str]:
    """Words in runs that fit; a single word that does not fit is cut to size."""
    out: list[str] = []
    now: list[str] = []
    used = 0
    for word in part.split():
        cost = estimate(word)
        while cost > room:
            head = word[: max(8, len(word) * room // (cost + 1))]
            out.append(head)
            word = word[len(head) :]
            cost = estimate(word)
        if now and used + cost > room:
            out.append(" ".join(now))
            now, used = [], 0
        now.append(word)
        used += cost
    if now:
        out.append(" ".join(now))
    return out
