"""Short names for what is kept: a few words that end where a clause ends."""

from __future__ import annotations

import re

from lithify import cues
from lithify.engines.offline.lasting import announcing, bar, norms, wishes
from lithify.engines.offline.reading.speech import whole
from lithify.engines.offline.reading.text import split

#: Enough for most orders, and for one with its condition: without it the name would say something else.
WORDS = 12
#: A sentence of no more is told whole.
_WHOLE = 14
_LONGEST = 18
_FEW = 3
_STOPS = frozenset(",;:.!?-")
#: An address, with what leads to it; what is told of it after that is no part of a name.
_URL = re.compile(
    r"(?:,? (?:now|lives?))?(?:(?: (?:is|are))?(?: now)? (?:at|in|under|on|here):?| (?:is|are)(?: now)?:?|:)\s+https?://.*$|"
    r"\s*https?://\S+\s*"
)
#: Who said it and how stands in the text; the name is what was said.
_ANNOUNCED = re.compile(
    r"\b(?:decisions?|decided|rule|corrected me|reminded me|told me|asked me|warned me|feedback from [^:]+|"
    r"was emphatic|correction|lesson|practice|policy|remark|advice|in so many words)\b[^:\"]{0,60}:\s+(?=\S)",
    re.I,
)
#: The few words an announcement may begin with; a word once taken is not taken apart again.
_BEFORE = re.compile(r"(?:(?:[^\W\d_][\w'-]*+|[(),]++)\s?){0,8}")
_ASKED = re.compile(
    r"^(?:[A-Z][\w'-]* ){1,3}(?:\w+ly )?(?:asked|told|reminded|warned|wants|expects) me (?:again )?"
    r"(?:to |(?=not to ))|^(?:[A-Z][\w'-]* ){1,3}(?:asked|asks)(?:, [^.;:,]{2,30},)? that (?:I|we) "
)
_LABEL = re.compile(r"^[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,2}: (?=[\"A-Za-z])")
#: `Ida was cross: …`, `he stopped me at the gate: …`
_TOLD_HOW = re.compile(
    r"^[^:\"]{0,140}?\b(?:\w{3,}ed|was|were|came|said|says|wrote|put|told)\b[^:\"]{0,60}: "
)
_SETTLED = re.compile(r"\b(?:decided|agreed|chose|settled): $", re.I)
_ASIDE = re.compile(r" \([^()]*\)")
#: What the words before it mean something else without, after a comma as well.
_TURNS = r"unless|until|except|without|only|not|never|nor|rather|otherwise|than"
_BOUND = re.compile(
    rf":|,? (?:(?:and|but|or) )?(?:{_TURNS})\b|,? (?:before|after|if|when)\b| (?:while|no|instead|that|who|whose|which|and|or|but)\b|"
    r", (?:[\w'-]+ ){1,3}(?:and|or) ",
    re.I,
)
#: A case before what is said of it.
_CASE = re.compile(r"^(?:if|when|whenever|before|after|once|while|until|on|in|for|at|with)\b", re.I)
#: A case put in between, or a word that only leads on: here nothing ends.
_LEADS_ON = re.compile(
    r"(?:^|, )(?:if|when|whenever|before|after|once|while|until)\b[^,]*$|\b(?:that|and|or|but)$",
    re.I,
)
#: Of which thing it is said comes before what is.
_WHICH = re.compile(
    r"^(?:any|every|each|no|all|the|an?) (?:[\w'-]+ ){1,3}(?:that|who|which|whose) ", re.I
)
_OWN = re.compile(r"\b(?:I|I'm|I'd|I'll|me|my)\b")
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


#: A verb that says nothing without what follows.
_UNFINISHED = re.compile(r"\b(?:go|goes|is|are|gets?|stays?|lives?|comes?|has|have)$", re.I)


def title_of(text: str) -> str:
    """A clause of the text with what it means nothing without, never half of one or of a quotation."""
    short = _clause(norms.freed(core(text)))
    if _OWN.search(short) and (who := _quoted(text)) not in ("", norms.SOMEBODY):
        return f"{who}: {short}"
    return short[:1].upper() + short[1:]


def _quoted(text: str) -> str:
    """Whose words stand in quotation marks, or nothing."""
    label = _LABEL.match(text)
    said = norms.saying(
        text[label.end() :] if label else text, label[0].rstrip(": ") if label else ""
    )
    return said.speaker if said.told and '"' in text else ""


def core(text: str) -> str:
    """What was said, without who said it and how it was announced."""
    text = _URL.sub(" ", text).strip(" .;,:!-")
    text = announcing.announced_by(text)
    told = _ANNOUNCED.search(text)
    before = _BEFORE.match(text)
    if told and before and told.start() <= before.end() and not cues.bears(text[: told.end()]):
        text = text[told.end() :]
    for told_by in (_LABEL, _ASKED):
        by = told_by.match(text)
        if by and not (told_by is _LABEL and cues.bears(by[0])):
            text = text[by.end() :] or text
    how = _TOLD_HOW.match(text)
    rest = text[how.end() :] if how else ""
    if rest and (
        norms.bids(rest)
        or bar.rules(rest)
        or bar.chooses(rest)
        or _SETTLED.search(how[0] if how else "")
    ):
        text = rest
    said = norms.saying(text)
    if not said.told and not text.startswith('"'):
        return text
    wish = text[: text.index('"')].strip(" :,") if '"' in text else ""
    return wish if wishes.prefers(wish) else said.words.strip(' .;,:!-"')


def _clause(text: str) -> str:
    """The words up to where they can end: within twelve, or a few more where it would turn their sense."""
    told = [one for one in split(text) if len(one.split()) >= _FEW]
    if told:
        # What somebody is to do tells more than what was said before it.
        text = next(filter(_says_how, told), told[0])
    text = _first_of_two(text)
    if len(text.split()) > WORDS:
        text = _ASIDE.sub("", text)
    if len(text.split()) <= (WORDS if ";" in text else _WHOLE):
        return _even(text)
    ends = [(part, stops) for part, stops, bound in _parts(text, _BOUNDARY) if not bound]
    short = [end for end in ends if len(end[0].split()) <= WORDS]
    if ends and (_CASE.match(text) or not short):
        part, stops = ends[-1] if _CASE.match(text) else ends[0]
    elif short:
        part, stops = short[-1]
    else:
        parts = [*_parts(text, _BOUNDARY), *_parts(text, _PREPOSITION)]
        fewest = WORDS if _WHICH.match(text) else _FEW
        near = [
            (part, stops)
            for part, stops, _ in parts
            if fewest <= _ends_at(part) <= WORDS and not _UNFINISHED.search(part)
        ]
        far = [(part, stops) for part, stops, _ in parts if _ends_at(part) > WORDS]
        part, stops = (near[-1:] + far[:1] or [(" ".join(text.split()[:WORDS]), False)])[0]
    # Before a stop a clause is whole: "walked through," does not end in a loose word.
    return _even(part) if stops else _trimmed(part.split())


def _says_how(said: str) -> bool:
    return bar.instructs(said) or bar.rules(said) or bar.relaxes(said)


def _first_of_two(text: str) -> str:
    """What stands before a semicolon; what comes after it is another statement, unless it is a place."""
    first, _, rest = text.partition("; ")
    if not rest or "`" in rest or len(first.split()) < _FEW or _CASE.match(first):
        return text
    whole_one = first.count('"') % 2 == 0 and first.count("(") == first.count(")")
    return first if whole_one else text


def _ends_at(part: str) -> int:
    """The words of a beginning that can end where it does."""
    return len(_trimmed(part.split()).split())


def _parts(text: str, boundary: re.Pattern[str]) -> list[tuple[str, bool, bool]]:
    """The beginnings of a text that end at a boundary: each, whether a stop ends it, and whether what
    comes next is bound to it.
    """
    found = []
    for match in [*boundary.finditer(text), None]:
        at = match.start() if match else len(text)
        part = text[:at]
        if len(part.split()) > _LONGEST:
            break
        if (
            len(part.split()) >= _FEW
            and part.count('"') % 2 == 0
            and part.count("(") == part.count(")")
        ):
            stops = match is None or match[0].strip() in _STOPS
            goes_on = match is not None and _LEADS_ON.search(part) is not None
            found.append((part, stops, goes_on or _BOUND.match(text, at) is not None))
    return found


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
    return whole(text).rstrip(".")


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
