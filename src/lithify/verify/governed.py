"""The clauses of a sentence, and what in them stands under a reserve or a "not"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lithify.text import hedges as said
from lithify.text.atoms.atom import word_set
from lithify.text.hedges import hinted, small
from lithify.verify.forms import EMPTY, is_past, root, root_set, roots, said_in

#: Share of a claim's words that must stand in a sentence to be taken from it.
TAKEN = 0.5
#: The same where nothing tells which word is governed: the whole clause is.
TAKEN_WHOLE = 0.6
#: The same for what stands under a condition, of which a rule keeps many words.
TAKEN_IF = 0.75
#: What is longer is no sentence; its end is not searched for marks.
LONGEST = 2000
#: Sentences read of one source.
MOST = 200

_EMPHASIS = re.compile(r"[*`~]+|(?<!\w)_|_(?!\w)")
_SENTENCE = re.compile(r"(?:(?<=[.!?;])|(?<=[.!?][\"”)]))\s+")
_OPENS = "the|a|an|he|she|it|they|we|i|this|that|his|her|their|our"
#: Where one clause of a source ends and the next begins.
_PART = re.compile(
    r"\s*[,:()–—]\s+(?!\d)|\s+-\s+|\s+(?=(?:but|because|since|although|though|while|whereas|otherwise|unless|"
    r"until|so|which|who|whose|where|when|if|whether|yet|after|before)\b"
    rf"|and (?:[A-Z]|(?:{_OPENS})\b))"
)
#: Where a claim goes on to another statement, with a subject of its own.
STATEMENT = re.compile(
    r"[.!?;]\s+|,?\s+(?=(?:but|because|since|although|though|while|whereas|otherwise)\b)"
    rf"|,?\s+and (?=[A-Z]\w+ \w|(?:{_OPENS})\b)|,\s+(?=[A-Z]\w+ \w+(?:ed|s)\b)"
)
_LEANS = re.compile(r"\b(?:he|she|it|they|this|that|both|we|i)\b", re.I)
_CONTRAST = re.compile(r"(?:only|but|instead|just|rather)\b", re.I)

#: Reserves by the word after which the governed one comes.
_MODAL = frozenset(["may", "might", "could"])
_FORWARD = frozenset(["probably", "unlikely", "possibly", "reportedly"])
_AIM = frozenset(["plan", "expect", "hope", "seem"])
#: Reserves whose clause comes after them.
_COMPLEMENT = frozenset(["guess", "hope", "propose", "seem"])
_TO_VERB = re.compile(r"\b(?:to|plan|planning|intends?|intending|seems?|appears?)$")
_ADJECTIVE = re.compile(r"\b(?:the|a|an|our|its|his|her|their|this|as|than) (?:\w+ )?$", re.I)
#: An object that is suggested is there; what is suggested to be done is not done.
_OBJECT = re.compile(r"\s+(?:a|an|the|this|these|our|his|her|their|two|three|some|it)\b")
_LABEL = re.compile(r"\W*(?:plan|idea|proposal|rumou?r|option|guess|hearsay|wish)s?:\s")
_IF = re.compile(r"\b(?:if|unless|whether|in case)\b")
_UNTRUE = re.compile(
    r"\b(?:not true|not the case|untrue|(?:false|wrong) that|den(?:y|ies|ied)(?: that| having)?|doubt(?:s|ed)?)\b"
)
_NOT = re.compile(
    r"\b(?P<none>nobody|no one|none(?: of)?|nothing|neither|nor|no)\b(?!\.? ?\d)|"
    r"(?P<not>\b(?:not|never|cannot|without|hardly|refus(?:e[sd]?|ing) to|declin(?:e[sd]?|ing) to|"
    r"fail(?:s|ed|ing)? to|unable to|forgot to|forbid\w*|avoid(?:s|ed)?|instead of|rather than)\b|n't\b)"
)
_NO_DENIAL = re.compile(
    r"\s+(?:forget|only|just|more than|less than|later than|fewer than|longer than|earlier than|"
    r"to mention|doubt|matter|sooner|wonder|merely|problem|trouble|need|wait (?:to|for)|help|otherwise|"
    r"\w+ (?:\w+ )?otherwise)\b|\s*(?:[,:.]|$)"
)
#: Before a "not" that denies no verb.
_AGAINST = re.compile(r"(?:,|\band|\bbut|–|—|\()\s*$")
#: "Not until Friday" says that on Friday it was.
_UNTIL = re.compile(r"\b(?:until|till|before|unless|without)\b")
_DID_NOT = re.compile(r"\b(?:(?:did|was|were|had)(?: not|n't)|never)$")
_UNDONE = re.compile(
    r"\b(?:wants?|wish(?:es)?|wanted|needs?|needed|has|have|going|about|is|are|asked \w+|promised|"
    r"offered|tried|trying|yet|would (?:like|love)|keen) to\b|\b(?:thinking|dreams|dreaming) of\b|\b(?:will|must|should|shall|let us|let's)\b"
)

_LATER = re.compile(r"\b(?:tomorrow|next (?:week|month|year|\w+day)|later this)\b")
#: "May not" is a reserve, "or not" and "if not" leave open.
_WEAK = re.compile(r"\b(?:may|might|or|if|why|whether|perhaps|maybe) $")
#: One of these stands beside every mark that is no reserve.
_HINT = re.compile(
    r"\b(?:no|not|nobody|none|nothing|neither|nor|never|cannot|without|hardly|will|must|should|shall|"
    r"let|if|unless|whether|in case|to|tomorrow|next|later|instead|rather)\b|n't|thinking|dream|den[yi]|doubt|untrue|that|avoid|forbid|:"
)
_STOP = re.compile(r"[:;–—(]")
#: They end like adverbs.
_LY = word_set("supply reply apply comply multiply imply family assembly")
_LIGHT = root_set("make take give get do have find see be come go")


@dataclass(frozen=True, slots=True)
class Mark:
    """One reserve or "not" of a sentence, and what it governs."""

    rule: str
    word: str
    #: Any of these in a claim is the governed word; where there are none, the whole scope is.
    heads: frozenset[str]
    scope: frozenset[str]
    #: The words of its statement, and the clause of its sentence in which it governs.
    near: frozenset[str]
    part: int
    share: float = TAKEN
    #: Whether only a claim in the past turns it: "will come", "came".
    undone: bool = False
    #: "Not before Friday" is turned only by who says "before Friday".
    until: str = ""
    #: Whether it only sets one thing against another: "on the 14th and not on the 7th".
    contrast: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """A clause: its words, whether it names its subject by a pronoun, and whether it contrasts."""

    words: frozenset[str]
    leaning: bool
    contrast: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    marks: tuple[Mark, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        return _parts(self.text)


def unmarked(text: str) -> str:
    """A text without emphasis."""
    return _EMPHASIS.sub("", text)


@lru_cache(maxsize=1 << 12)
def read(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text with what is said in them under a reserve or a "not"."""
    sentences = _SENTENCE.split(unmarked(text), maxsplit=MOST)
    return tuple(Sentence(part, _marks(part)) for part in sentences[:MOST])


@lru_cache(maxsize=1 << 12)
def _parts(text: str) -> tuple[Part, ...]:
    starts = _starts(text)
    pieces = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    return tuple(
        Part(roots(piece), bool(_LEANS.search(piece)), bool(_CONTRAST.match(piece)))
        for piece in pieces
    )


def _starts(text: str) -> list[int]:
    return [0, *(match.end() for match in _PART.finditer(text))]


def _marks(text: str) -> tuple[Mark, ...]:
    text = text[:LONGEST]
    low = small(text.replace("’", "'"))
    reserved = hinted(said.HEDGE_HINTS, low)
    hint = _HINT.search(low)
    if not reserved and not hint:
        return ()
    marking = _Marking(text, low)
    found = list(marking.reserves()) if reserved else []
    if hint:
        found += [*marking.conditions(), *marking.undone(), *marking.denials()]
    return tuple(found)


class _Marking:
    """The marks of one sentence, by what kind of word makes them."""

    def __init__(self, text: str, low: str) -> None:
        self.text, self.low = text, low
        self.starts: list[int] = []
        self.bounds: list[int] = []

    def _within(self, at: int) -> tuple[int, int]:
        """Where the statement around a place begins and ends."""
        if not self.bounds:
            self.bounds = [0, *(m.end() for m in STATEMENT.finditer(self.text)), len(self.text) + 1]
        n = bisect_right(self.bounds, at)
        return self.bounds[n - 1], self.bounds[n]

    def _part(self, at: int) -> int:
        self.starts = self.starts or _starts(self.text)
        return bisect_right(self.starts, at) - 1

    def _heading(
        self,
        rule: str,
        match: re.Match[str],
        heads: frozenset[str],
        undone: bool = False,
        until: str = "",
        contrast: bool = False,
    ) -> Iterator[Mark]:
        """A mark that governs one word."""
        if not heads:
            return
        start, end = self._within(match.start())
        first = self._part(match.end())
        parts = _parts(self.text)
        part = next((n for n in range(first, len(parts)) if heads & parts[n].words), first)
        near = roots(self.text[start:end])
        word = str(match.lastgroup) if rule == "hedges" and not undone else match[0]
        yield Mark(rule, word, heads, roots(self.text), near, part, TAKEN, undone, until, contrast)

    def _over(self, rule: str, word: str, start: int, end: int, at: int) -> Iterator[Mark]:
        """A mark that governs a whole clause."""
        scope = roots(self.text[start:end])
        if len(scope) > 1:
            yield Mark(rule, word, frozenset(), scope, scope, self._part(at), TAKEN_WHOLE)

    def reserves(self) -> Iterator[Mark]:
        for match in _reserves(self.text, self.low):
            word, at = str(match.lastgroup), match.start()
            start, end = self._within(at)
            after = self.text[match.end() : end]
            part = self._part(at)
            opens = not roots(self.text[self.starts[part] : at])
            if word == "conditional":
                yield from self._over("hedges", word, 0, len(self.text), at)
            elif after.startswith(":"):
                yield from self._over("hedges", word, match.end(), len(self.text), at)
            elif (
                word in _MODAL
                or (word in _FORWARD and not opens)
                or (word in _AIM and (_TO_VERB.search(match[0]) or after.startswith(" to ")))
            ):
                yield from self._heading("hedges", match, _heads(after))
            elif match[0].startswith("should"):
                yield from self._heading("hedges", match, _heads(match[0][6:]))
            elif _is_no_reserve(word, after, self.text, at):
                continue
            elif after.strip(" .)") and (opens or word in _COMPLEMENT):
                yield from self._over("hedges", word, match.end(), end, at)
            else:
                yield from self._over("hedges", word, start, end, at)

    def conditions(self) -> Iterator[Mark]:
        """What stands under a label or an "if"."""
        if label := _LABEL.match(self.low):
            yield from self._over("hedges", "plan", label.end(), len(self.text), label.end())
        if _IF.search(self.low):
            for n, part in enumerate(_parts(self.text)):
                self._part(0)
                if _IF.match(self.low, self.starts[n]) and len(part.words) > 1:
                    yield Mark("hedges", "if", frozenset(), part.words, part.words, n, TAKEN_IF)

    def undone(self) -> Iterator[Mark]:
        """What is wanted or will be, and is not done."""
        for match in _UNDONE.finditer(self.low):
            after = self.text[match.end() : self._within(match.start())[1]]
            yield from self._heading("hedges", match, _heads(after), undone=True)
        for match in _LATER.finditer(self.low):
            start, end = self._within(match.start())
            said = self.text[start:end]
            # "She signs it tomorrow": whatever is done of it is not done yet.
            if not any(map(is_past, said_in(small(said)))):
                yield from self._heading("hedges", match, roots(said), undone=True)

    def denials(self) -> Iterator[Mark]:
        for match in _UNTRUE.finditer(self.low):
            end = self._within(match.start())[1]
            yield from self._over("negation", match[0], match.end(), end, match.start())
        for match in _NOT.finditer(self.low):
            if _NO_DENIAL.match(self.low, match.end()) or _WEAK.search(
                self.low, max(0, match.start() - 10), match.start()
            ):
                continue
            end = self._within(match.start())[1]
            after = self.text[match.end() : end]
            if match["none"]:
                yield from self._heading("negation", match, _done_by_none(after))
            else:
                past = _DID_NOT.search(self.low, max(0, match.start() - 5), match.end())
                until = past and _UNTIL.search(self.low, match.end(), end + 8)
                limit = until[0] if until else ""
                contrast = match[0] in ("instead of", "rather than") or bool(
                    match[0] == "not" and _AGAINST.search(self.low, 0, match.start())
                )
                yield from self._heading(
                    "negation", match, _heads(after), until=limit, contrast=contrast
                )


def _reserves(text: str, low: str) -> Iterator[re.Match[str]]:
    if "because" in low or "since" in low or "after" in low:
        low = said.PAST_REASON.sub(lambda m: " " * len(m[0]), low)
    for match in said.HEDGE.finditer(low):
        month = match.lastgroup == "may" and text[match.start()].isupper()
        if not month or said.MAY_I.match(text, match.start()):
            yield match


def _is_no_reserve(word: str, after: str, text: str, at: int) -> bool:
    """Whether a word only names a thing: "the planned move", "suggested a scanner", "an estimated 40"."""
    if word in ("plan", "guess"):
        return _ADJECTIVE.search(text, max(0, at - 40), at) is not None
    return word == "estimate" or (word == "propose" and _OBJECT.match(after) is not None)


def _is_empty(word: str) -> bool:
    low = word.lower()
    return (
        low in EMPTY
        or low in ("not", "never", "only")
        or (low.endswith("ly") and len(low) > 5 and low not in _LY)
    )


def _heads(after: str) -> frozenset[str]:
    """The word governed by what stands before, and those joined to it: "leave the team and go"."""
    words = said_in(_STOP.split(after, maxsplit=1)[0])
    at = next((n for n, word in enumerate(words) if not _is_empty(word)), None)
    if at is None:
        return frozenset()
    found = {words[at].lower()}
    for joint, word in zip(words[at:], words[at + 1 :], strict=False):
        joined = joint in ("or", "nor") or (joint == "and" and not is_past(word))
        if joined and word.islower() and not _is_empty(word):
            found.add(word)
    return frozenset(map(root, found))


def _done_by_none(after: str) -> frozenset[str]:
    """What nobody did, or else what there is none of."""
    words = [w.lower() for w in said_in(after)]
    if "and" in words:
        words = words[: words.index("and")]
    words = [word for word in words if not _is_empty(word)]
    done = next((root(word) for word in words if is_past(word)), "")
    first = frozenset(map(root, words[:1]))
    if not done:
        return first
    return first | {done} if done in _LIGHT else frozenset([done])
