"""Phrases over words: one pass over a text, and only a word that can begin a phrase costs more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lithify.cue_senses import IRREGULAR, LISTS, VERBS

_TOKEN = re.compile(r"[a-zà-ɏ]+(?:[-'][a-zà-ɏ]+)*|\d(?:[\d.,:/%-]*\d)?|[.,;:!?|()—–✅✔✓]")
_SHORTENED = re.compile(r"n't\b|'(?:ll|ve|re|d|m)\b|\bcannot\b")
_FULL = {"n't": " not", "'ll": " will", "'ve": " have", "'re": " are", "'d": " would", "'m": " am"}
_FULL |= {"cannot": "can not"}
_ENDS = frozenset(".;!?")
_STOPS = _ENDS | frozenset(":|")
_BREAKS = _STOPS | frozenset(",()—–")
#: Words before the verb that leave it the head of its sentence.
_BEFORE_HEAD = frozenset(
    "i we and then also finally just so but have has had he she they successfully now today".split()
)
_ANY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a phrase: the words that may stand there."""

    words: frozenset[str]
    kind: str = "word"


@dataclass(frozen=True, slots=True)
class Phrase:
    """The places after the first, and what finding them weighs for which kind of statement."""

    rest: tuple[Place, ...]
    kind: int
    weight: float
    at_head: bool
    has_verb: bool


@dataclass(frozen=True, slots=True)
class Found:
    """A phrase found: where, of which kind, how heavy."""

    kind: int
    weight: float
    start: int
    end: int
    sentence: int
    barred: bool


def forms(base: str) -> dict[str, tuple[str, ...]]:
    """The forms of a verb by their letter; a form nobody says does no harm."""
    stem = base[:-1] if base.endswith("e") else base
    past = IRREGULAR.get(base, "").split()
    doubled = base + base[-1]
    regular = [f"{stem}ed"]
    if base.endswith("y") and base[-2:-1] not in "aeiou":
        regular = [f"{base[:-1]}ied"]
    elif re.search(r"[^aeiou][aeiou][bdgklmnprt]$", base):
        regular.append(f"{doubled}ed")
    third = f"{base[:-1]}ies" if regular[0].endswith("ied") else f"{base}s"
    thirds = (third, f"{base}es") if base.endswith(("s", "h", "x", "o", "z")) else (third,)
    return {"b": (base,), "s": thirds, "p": (*past, *regular), "g": (f"{stem}ing", f"{doubled}ing")}


def _sense(name: str, form: str) -> tuple[frozenset[str], frozenset[str]]:
    """The words of a sense in a form; those that need a particle after them apart."""
    whole: set[str] = set()
    first: set[str] = set()
    for verb in VERBS[name].split():
        base, dash, _ = verb.partition("-")
        if dash and base not in ("re", "e"):
            first.update(f"{word} {verb[len(base) + 1 :]}" for word in forms(base)[form])
        else:
            whole.update(forms(verb)[form])
    return frozenset(whole), frozenset(first)


def _words(place: str) -> frozenset[str]:
    found: set[str] = set()
    for part in place.split("/"):
        if part.startswith("<"):
            name, dot, form = part[1:-1].partition(".")
            if dot and name in VERBS:
                whole, pairs = _sense(name, form)
                found |= whole | {pair.replace(" ", "-") for pair in pairs}
            else:
                found.update(LISTS[name].split())
        else:
            found.add(part)
    return frozenset(found)


def _place(text: str) -> Place:
    if text in ("..", "$", "*"):
        return Place(_ANY, text)
    if text[0] in "?!" and len(text) > 1:
        return Place(_words(text[1:]), text[0])
    return Place(_words(text))


def index(groups: Sequence[Iterable[tuple[float, str]]]) -> dict[str, list[Phrase]]:
    """Phrases by the words they can begin with; `*` holds those that begin with any."""
    found: dict[str, list[Phrase]] = {}
    for kind, group in enumerate(groups):
        for weight, phrases in group:
            for phrase in phrases.split(" | "):
                parts = phrase.split()
                at_head = parts[0] == "^"
                places = [_place(part) for part in parts[at_head:]]
                one = Phrase(tuple(places[1:]), kind, weight, at_head, ".p>" in phrase)
                for word in places[0].words or ("*",):
                    found.setdefault(word, []).append(one)
    return found


#: Words in -ed that tell a state, a wish or a manner of speaking, not a thing done.
_STATES = frozenset(
    """based called named used related supposed tired interested married located required expected
    planned proposed needed wanted seemed looked liked asked talked discussed mentioned noted reported
    described wondered hoped indeed speed feed seed need exceed proceed hundred agreed doubted feared
    worried pleased surprised limited involved concerned complained preferred mixed shared united
    advanced detailed experienced linked listed suggested claimed argued believed assumed realised
    realized noticed remembered tried wished loved hated owed remained stayed lived existed happened
    started continued waited belonged mattered depended varied differed consisted contained included
    requested apologised apologized escalated""".split()
)

_PARTICLES = frozenset(
    pair.partition("-")[2]
    for verbs in VERBS.values()
    for pair in verbs.split()
    if "-" in pair and pair.partition("-")[0] not in ("re", "e")
)


def tokens_of(text: str) -> list[str]:
    """The words of a text in small letters, short forms written out, figures as `#`."""
    # The month, not the verb that leaves things open.
    text = text.replace(" May ", " month ").lower()
    if "'" in text or "cannot" in text:
        text = text.replace("can't", "can not").replace("won't", "will not")
        text = _SHORTENED.sub(lambda match: _FULL[match[0]], text)
    return ["#" if word[0].isdigit() else word for word in _TOKEN.findall(text)]


def find(tokens: Sequence[str], phrases: dict[str, list[Phrase]]) -> list[Found]:
    """Every phrase of the index that the words hold."""
    heads = _heads(tokens)
    found: list[Found] = []
    sentence = 0
    last_bar = -9
    clause = 0
    size = len(tokens)
    general = phrases.get("*", [])
    for at, word in enumerate(tokens):
        if word in _BREAKS:
            clause = at + 1
            if word in _ENDS:
                sentence += 1
        elif word in _BAR:
            last_bar = at
        candidates = phrases.get(word)
        if word.endswith("ed") and len(word) > 4 and word not in _STATES:
            candidates = [*(candidates or ()), *phrases.get("-ed", ())]
        head = at in heads
        pair = f"{word}-{tokens[at + 1]}" if at + 1 < size and tokens[at + 1] in _PARTICLES else ""
        if pair and (more := phrases.get(pair)):
            candidates = [*(candidates or ()), *more]
        if head:
            candidates = [*(candidates or ()), *general]
        # "A fixed cost", "the blocked list": the word describes, it does not tell.
        if not candidates or (at and word.endswith("ed") and tokens[at - 1] in _DESCRIBED):
            continue
        for phrase in candidates:
            if phrase.at_head and not head:
                continue
            end = _match(tokens, at + 1, phrase.rest, 0)
            if end:
                barred = clause <= last_bar < at and at - last_bar <= 5
                if phrase.at_head and phrase.has_verb and not barred:
                    barred = not _BAR.isdisjoint(tokens[at : end - 1])
                found.append(Found(phrase.kind, phrase.weight, at, end, sentence, barred and phrase.has_verb))
    return found


_BAR = frozenset(LISTS["bar"].split())
_DESCRIBED = frozenset(LISTS["small"].split())


def _heads(tokens: Sequence[str]) -> set[int]:
    found: set[int] = set()
    fresh = True
    for at, word in enumerate(tokens):
        if word in _STOPS:
            fresh = True
        elif fresh:
            found.add(at)
            fresh = word in _BEFORE_HEAD
    return found


def _match(tokens: Sequence[str], at: int, places: Sequence[Place], n: int) -> int:
    """Where a phrase ends that goes on at a place, or 0."""
    while n < len(places):
        place = places[n]
        kind = place.kind
        word = tokens[at] if at < len(tokens) else "."
        if kind == "word":
            if word not in place.words:
                if "-ed" in place.words and word.endswith("ed") and word not in _STATES:
                    pass
                elif at + 1 < len(tokens) and f"{word}-{tokens[at + 1]}" in place.words:
                    at += 1
                else:
                    return 0
            at += 1
        elif kind == "*":
            if word in _BREAKS:
                return 0
            at += 1
        elif kind == "$":
            if word not in _BREAKS:
                return 0
        elif kind == "!":
            if word in place.words:
                return 0
        elif kind == "?":
            if word in place.words and (end := _match(tokens, at + 1, places, n + 1)):
                return end
        else:
            for skip in range(4):
                if at + skip > len(tokens) or any(w in _BREAKS for w in tokens[at : at + skip]):
                    return 0
                if end := _match(tokens, at + skip, places, n + 1):
                    return end
            return 0
        n += 1
    return max(at, 1)
