"""How plainly words say that they are an outcome, a decision, an open item, a chore or a mere fact."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from lithify.cues import phrases, turns
from lithify.cues import words as said

_PHRASES = phrases.Index.of(
    (
        turns.OUTCOME,
        turns.DECISION,
        turns.OPEN,
        turns.ROUTINE,
        turns.CONTEXT,
        turns.GREETING,
    )
)
_DECISION, _OPEN, _ROUTINE, _GREETING = 1, 2, 3, 5
PAST = frozenset(turns.PAST.split())
#: Forms of the verbs that leave something behind.
MADE = phrases.words_of("<made.p>/<done.p>")
#: What the first sentence says counts most: those after it give reasons and detail.
_FADING = (1.0, 0.96, 0.92)
_FADED = (1.0, 0.7, 0.5)
#: From here on words say what they are, so plainly that they may not be lost, and outright.
SAID, PLAIN, OUTRIGHT = 1.5, 2.4, 3.0
_CALM = 2.0
#: One of these stands where something is said not to be there.
_NONE_HINTS = ("0 ", "no ", "zero ", "none ", "nothing ")
#: Tokens of a line that says little besides its greeting.
_SHORT = 16


class Weights(NamedTuple):
    """How plainly the words say that they are each kind of statement."""

    outcome: float
    decision: float
    open: float
    routine: float
    context: float


def is_calm(weights: Weights) -> bool:
    """Whether words of these weights report a chore or the absence of change."""
    return weights.routine >= _CALM and weights.routine >= max(weights[:3])


@lru_cache(maxsize=1 << 13)
def weigh(words: str) -> Weights:
    """How plainly bare words say that they are each kind of statement."""
    # What an entry is about stands at its beginning; a page of output is not read to its end.
    read = words[:1200]
    if any(map(read.lower().__contains__, _NONE_HINTS)):
        read = said.NONE_OF.sub("", read)
    if " for a " in read:
        read = said.OUTING.sub("", read)
    tokens = phrases.tokens_of(read)
    found = phrases.find(tokens, _PHRASES)
    at: dict[tuple[int, int], float] = {}
    backward = "had" in tokens or "so" in tokens or "if" in tokens
    asides = _asides(tokens) if "(" in tokens else ()
    for one in found:
        if one.barred and one.kind < 2:
            continue
        if one.kind == _OPEN and one.start in asides:
            continue
        if backward and one.kind == _OPEN and _is_not_so(tokens, one.start):
            continue
        weight = one.weight * (_FADED if one.kind == _ROUTINE else _FADING)[min(one.sentence, 2)]
        key = one.kind, one.start
        at[key] = max(at.get(key, 0.0), weight)
    kinds: list[list[float]] = [[] for _ in range(6)]
    for (kind, _), weight in at.items():
        kinds[kind].append(weight)
    whole = [_together(kind) if kind else 0.0 for kind in kinds]
    if tokens[:1] == ["tried"]:
        whole[_DECISION] = 0.0
    if len(tokens) <= _SHORT:
        whole[_ROUTINE] = max(whole[_ROUTINE], whole[_GREETING])
    if said.OUTPUT.match(words):
        whole[_ROUTINE] += PLAIN
    if _is_chore(words, tokens) and max(whole[1:3]) < SAID and whole[0] < PLAIN:
        whole[0], whole[_ROUTINE] = 0.0, max(whole[_ROUTINE], PLAIN)
    if ">" in read or "→" in read:
        # A value and what became of it: "limit 60 -> 120 a minute".
        whole[0] = max(whole[0], OUTRIGHT if said.SHIFT.search(read) else 0.0)
    if whole[0] >= SAID and (
        said.FIGURE.search(read) or (whole[0] > whole[_ROUTINE] and said.FILE.search(read))
    ):
        whole[0] += 0.4  # a result with its figure, or the place where it can be looked up
    return Weights(*whole[:5])


def outside_brackets(tokens: Sequence[str]) -> Sequence[str]:
    """The words that are not said by the way."""
    if "(" not in tokens:
        return tokens
    asides = _asides(tokens)
    return [word for n, word in enumerate(tokens) if n not in asides]


def _asides(tokens: Sequence[str]) -> frozenset[int]:
    """The places of the words in brackets: what is said there by the way leaves nothing open."""
    found: list[int] = []
    start = -1
    for n, word in enumerate(tokens):
        if word == "(":
            start = n
        elif word == ")" and start >= 0:
            found += range(start, n)
            start = -1
    return frozenset(found)


def _is_not_so(tokens: Sequence[str], start: int) -> bool:
    """Whether a trouble had been before, is what something was done to avert, or only might be."""
    clause = tokens[max(0, start - 12) : start]
    for n in range(len(clause) - 1, -1, -1):
        word = clause[n]
        if word in ".;:!?":
            return False
        if word == "had" and len(clause) - n <= 2:
            return True
        if word == "if" and len(clause) - n <= 3:
            return True
        if word == "that" and n and clause[n - 1] == "so":
            return True
    return False


def _together(weights: list[float]) -> float:
    best = max(weights)
    return best + 0.3 * min(sum(weights) - best, 3.0)


def _is_chore(words: str, tokens: list[str]) -> bool:
    """Whether a line is one short past-tense deed without figure, name or reason."""
    if len(tokens) > 8 or "#" in tokens or not tokens:
        return False
    if len(tokens) > 5 and tokens[0] in MADE:
        return False
    if len(tokens) <= 3:
        return not said.NAME_INSIDE.search(words)
    return (tokens[0] in PAST or tokens[0].endswith("ed")) and not said.NAME_INSIDE.search(words)
