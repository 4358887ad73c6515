"""Phrases over words: one pass over a text, and only a word that can begin a phrase costs more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile
from typing import NamedTuple

from lithify.cues.senses import IRREGULAR, LISTS, VERBS

_TOKEN = re.compile(r"[a-zà-ɏ]+(?:[-'][a-zà-ɏ]+)*|\d(?:[\d.,:/%-]*\d)?|[.,;:!?|()—–✅✔✓]")
_SHORTENED = re.compile(r"n't\b|'(?:ll|ve|re|d|m)\b|\bcannot\b")
_IS = re.compile(
    r"\b(it|that|there|here|what|who|where|he|she|everything|nothing|nobody|everyone)'s\b"
)
_MANY = frozenset(
    [
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
        "hundred",
        "thousand",
        "million",
        "dozen",
    ]
)
_FULL = {"n't": " not", "'ll": " will", "'ve": " have", "'re": " are", "'d": " would", "'m": " am"}
_FULL |= {"cannot": "can not"}
_ENDS = frozenset(".;!?")
_STOPS = _ENDS | frozenset(":|")
_BREAKS = _STOPS | frozenset(",()—–")
#: Words before the verb that leave it the head of its sentence.
_BEFORE_HEAD = frozenset(LISTS["lead"].split())
_STATES = frozenset(LISTS["state-of"].split())
_ANY: frozenset[str] = frozenset()
#: Words a gap can have, and the one after it.
_GAP = 4


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a phrase: the words that may stand there, and `then` after a gap."""

    words: frozenset[str]
    kind: str = "word"
    then: frozenset[str] = _ANY


@dataclass(frozen=True, slots=True)
class Phrase:
    """The places after the first, and what finding them weighs for which kind of statement."""

    rest: tuple[Place, ...]
    next: frozenset[str]
    kind: int
    weight: float
    at_head: bool
    has_verb: bool


Steps = list[tuple[Phrase, int]]

_NO_STEPS: Steps = []
#: Pairs of words remembered; a log repeats itself, a hostile text must not fill the memory.
_TRIED = 1 << 16


class Found(NamedTuple):
    """A phrase found: where, of which kind, how heavy."""

    kind: int
    weight: float
    start: int
    end: int
    sentence: int
    barred: bool


@lru_cache(maxsize=1 << 10)
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


@lru_cache(maxsize=1 << 10)
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


def words_of(place: str) -> frozenset[str]:
    """The words that may stand at a place of a phrase."""
    return _words(place)


def _place(text: str) -> Place:
    if text in ("..", "$", "*"):
        return Place(_ANY, text)
    if text[0] in "?!" and len(text) > 1:
        return Place(_words(text[1:]), text[0])
    return Place(_words(text))


@dataclass(frozen=True, slots=True)
class Index:
    """Phrases by the words they can begin with, and which of them two words in a row leave.

    `anywhere` are those that begin with any word, and `later` which of them a word so many places
    behind it leaves.
    """

    phrases: dict[str, list[Phrase]]
    firsts: frozenset[str]
    anywhere: list[Phrase]
    later: dict[tuple[int, str], list[int]]
    tried: dict[tuple[str, str, bool], Steps]

    @staticmethod
    def of(tables: Sequence[str]) -> Index:
        """The phrases of some tables, each of the kind of its table's place."""
        found: dict[str, list[Phrase]] = {}
        for kind, table in enumerate(tables):
            for weight, phrase in _rows(table):
                parts = phrase.split()
                at_head = parts[0] == "^"
                places = [_place(part) for part in parts[at_head:]]
                places = [
                    replace(place, then=_next(places[n + 1 :])) for n, place in enumerate(places)
                ]
                after = tuple(places[1:])
                one = Phrase(after, _next(after), kind, weight, at_head, ".p>" in phrase)
                for word in places[0].words or ("*",):
                    found.setdefault(word, []).append(one)
        anywhere = found.pop("*", [])
        later: dict[tuple[int, str], list[int]] = {}
        for n, one in enumerate(anywhere):
            for key in _later(one.rest):
                later.setdefault(key, []).append(n)
        firsts = frozenset(word.partition("-")[0] for word in found) | found.keys()
        return Index(found, firsts, anywhere, later, {})

    def steps(self, word: str, following: str, head: bool) -> Steps:
        """The phrases that can begin with two words, and how many of them each has used up."""
        if len(self.tried) > _TRIED:
            self.tried.clear()
        one = list(self.phrases.get(word, ()))
        if word.endswith("ed") and len(word) > 4 and word not in _STATES:
            one += self.phrases.get("-ed", ())
        seen = ("", following) if following.endswith("ed") else (following,)
        found = [(p, 1) for p in one if not p.next or not p.next.isdisjoint(seen)]
        if following in _PARTICLES:
            found += [(phrase, 2) for phrase in self.phrases.get(f"{word}-{following}", ())]
        return [(phrase, step) for phrase, step in found if head or not phrase.at_head]

    def after_any(self, ahead: Sequence[str]) -> Steps:
        """The phrases that can begin with any word and go on with these."""
        found: set[int] = set()
        for n, word in enumerate(ahead):
            found.update(self.later.get((n, word), ()))
            if word.endswith("ed"):
                found.update(self.later.get((n, ""), ()))
        return [(self.anywhere[n], 1) for n in sorted(found)]


def _later(rest: tuple[Place, ...]) -> Iterator[tuple[int, str]]:
    """The words that a phrase must hold after its first, each with the places it can have."""
    n = sum(1 for _ in takewhile(lambda place: place.kind == "*", rest))
    gap = rest[n].kind == ".."
    words = rest[n].then if gap else _next(rest[n:])
    assert words and "." not in words, "what begins with any word goes on with a certain one"
    for place in range(n, n + (_GAP if gap else 1)):
        yield from ((place, word) for word in words)


def _rows(table: str) -> Iterator[tuple[float, str]]:
    weight = 0.0
    for line in table.strip().splitlines():
        said, colon, rest = line.partition(":")
        if colon and said[0].isdigit():
            weight, line = float(said), rest
        for phrase in line.split("|"):
            if phrase.strip():
                yield weight, phrase.strip()


def _next(places: Sequence[Place]) -> frozenset[str]:
    """The words that can come second, or none where that cannot be told at a glance."""
    found: set[str] = set()
    for place in places:
        if place.kind not in ("word", "?"):
            return _ANY
        found |= place.words | {word.partition("-")[0] for word in place.words}
        if place.kind == "word":
            # An empty word stands for any in -ed.
            return frozenset(found)
    return _ANY


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
        text = _IS.sub(r"\1 is", text)
    return ["#" if word[0].isdigit() or word in _MANY else word for word in _TOKEN.findall(text)]


def find(tokens: Sequence[str], index: Index) -> list[Found]:
    """Every phrase of the index that the words hold."""
    found: list[Found] = []
    sentence = clause = 0
    last_bar = -9
    tried, firsts = index.tried, index.firsts
    fresh = True
    for at, (word, following) in enumerate(pairwise([*tokens, "."])):
        if word in _BREAKS:
            clause = at + 1
            if word in _ENDS:
                sentence += 1
        head = fresh and word not in _STOPS
        fresh = word in (_BEFORE_HEAD if head else _STOPS)
        steps: Steps = _NO_STEPS
        if word in firsts or word.endswith("ed"):
            key = (word, following, head)
            known = tried.get(key)
            if known is None:
                known = tried[key] = index.steps(word, following, head)
            steps = known
        if head and not _DEEDS.isdisjoint(map(_deed, tokens[at + 1 : at + 6])):
            steps = [*steps, *index.after_any(tokens[at + 1 : at + 6])]
        # "A fixed cost", "the blocked list": the word describes, it does not tell.
        if steps and not (at and word.endswith("ed") and tokens[at - 1] in _DESCRIBED):
            for phrase, step in steps:
                end = _match(tokens, at + step, phrase.rest, 0) if phrase.rest else at + step
                if end:
                    barred = (phrase.has_verb or not phrase.kind) and (
                        (clause <= last_bar and at - last_bar <= (5 if phrase.has_verb else 8))
                        or (phrase.at_head and not _BAR.isdisjoint(tokens[at : end - 1]))
                    )
                    found.append(Found(phrase.kind, phrase.weight, at, end, sentence, barred))
        if word in _BAR:
            last_bar = at
    wide = [one for one in found if one.end - one.start > 1]
    return [one for one in found if not _inside(one, wide)]


def _deed(word: str) -> str:
    return "-ed" if word.endswith("ed") else word


def _inside(one: Found, found: Sequence[Found]) -> bool:
    """Whether a phrase is but a part of a longer one of another kind that weighs as much."""
    return any(
        other.kind != one.kind
        and other.start <= one.start
        and one.end <= other.end
        and other.end - other.start > one.end - one.start
        and other.weight >= one.weight
        for other in found
    )


#: What every phrase that begins with any word goes on with.
_DEEDS = frozenset(
    word.partition("-")[0] for name in ("done", "made", "decide") for word in _words(f"<{name}.p>")
) | {"-ed"}
_BAR = frozenset(LISTS["bar"].split())
_DESCRIBED = frozenset((LISTS["small"] + " with without of").split())


def _match(tokens: Sequence[str], at: int, places: tuple[Place, ...], n: int) -> int:
    """Where a phrase ends that goes on at a place, or 0."""
    while n < len(places):
        place = places[n]
        kind = place.kind
        word = tokens[at] if at < len(tokens) else "."
        if kind == "word":
            if word.endswith("ed") and tokens[at - 1] in _DESCRIBED:
                return 0
            if word not in place.words:
                if (
                    "-ed" in place.words
                    and len(word) > 4
                    and word.endswith("ed")
                    and word not in _STATES
                ):
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
            wanted = place.then
            for at_ in range(at, min(at + _GAP, len(tokens))):
                word = tokens[at_]
                if (not wanted or word in wanted or ("" in wanted and word.endswith("ed"))) and (
                    end := _match(tokens, at_, places, n + 1)
                ):
                    return end
                if word in _BREAKS:
                    break
            return 0
        n += 1
    return max(at, 1)
