"""Chooses what a prompt is shown of memory: the rules whose patterns name it, then at most two facts.

After `ask:` a pattern has words of what a prompt asks for, after `about:` words of any sentence of it, a
question too. They stand there in any order and in any inflection, each at a place of its own, and what
follows `not:` does not. What a prompt quotes or has pasted into it is read for `has:` alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from lithify.moment.patterns import Pattern, is_now, parts_of, pattern_of, stands_in
from lithify.moment.ruling import (
    block,
    line_of,
    lines,
    local_time,
    note,
    read_memories,
    sentences,
    session_log,
    shown,
)
from lithify.regex import regex
from lithify.text.stems import stem
from lithify.text.tokens import estimate

#: The most tokens that a prompt is shown, and the most facts.
TOKENS, FACTS = 150, 2
#: The most characters of a prompt that are read.
_LONGEST = 20_000
_SENTENCE = regex(r"[^\n]+?(?:[.!?;]+(?=\s|$)|$)", re.M)
_WORD = regex(r"[^\W_]+")
#: What a prompt holds of other texts: fences, quoted lines, and long quotations.
_QUOTED = regex(r"^```[\s\S]*?(?:^```|\Z)|^>.*$|[\"“„«][^\"“”„«»]{40,}[\"”“»]", re.M)
#: Of the signs of a line, the share that are letters and spaces where somebody wrote it.
_PROSE = 0.8
#: The words that begin a question wherever they stand, and those with which one begins that has a "?".
_QUESTION = regex(
    r"whats?|which|who|whom|whose|why|hows?|whether|welche\w?|warum|wieso|pourquoi|combien|quel(le)?s?"
)
_INVERTED = regex(
    r"is|are|was|were|am|does|did|do|has|have|had|when|where|ist|sind|war|waren|hat|haben|wann|wo|wer|wie"
)


def with_prompt(root: str, session: str, prompt: str) -> str:
    """Return what a prompt without credentials is shown, fenced; mostly nothing."""
    try:
        content = read_memories(root)
    except (OSError, ValueError):
        return ""  # the start of the next session writes it again
    known = content["memories"] if content["on_prompt"] else []
    before = shown(root, session).said
    by = named(prompt, known, partial(local_time, content["zone"]))
    asked = [(memory, when) for memory, when in zip(known, by, strict=True) if when]
    found: list[Mapping[str, Any]] = []
    facts = room = 0
    for memory, when in sorted(asked, key=lambda pair: not pair[0]["rule"]):
        said = sentences(str(memory["text"]))
        tokens = estimate(line_of(memory))
        fits = room + tokens <= TOKENS and facts + (not memory["rule"]) <= FACTS
        if fits and not (said and before.issuperset(said)):
            found.append(memory)
            facts, room = facts + (not memory["rule"]), room + tokens
            note(root, session, "prompt", str(memory["key"]), when)
            note(root, session, "said", said=said)
    return block(found, str(content["mark"]))


def begin(root: str, session: str, context: str) -> str:
    """Note what a session starts with; return what it was shown before a compaction, and lacks now."""
    said = frozenset(sentences(context))
    told = lines(session_log(root, session))
    note(root, session, "said", said=sorted(said))
    # Only the first start after a compaction: a session that is taken up again still has what it met.
    lost = next(
        (line["what"] for line in reversed(told) if line["what"] in ("said", "compact")), ""
    )
    met = {line.get("key") for line in told} if lost == "compact" else set()
    content = read_memories(root)
    known = [one for one in content["memories"] if one["key"] in met]
    lost_now = (one for one in known if not said.issuperset(sentences(str(one["text"]))))
    return block(lost_now, content["mark"])


# Which prompts a pattern names


class Said(NamedTuple):
    """The words of a sentence with their stems, and how many of them stand before a question begins."""

    words: tuple[tuple[str, str], ...]
    asks: int


def named(
    prompt: str, known: Sequence[Mapping[str, Any]], clock: Callable[[], datetime]
) -> list[str]:
    """Return the pattern of each memory by which a prompt concerns it; empty where none does."""
    prompt = prompt[:_LONGEST]
    said = sentences_of(prompt)

    def by(memory: Mapping[str, Any]) -> str:
        return next((w for w in memory["when"] if names(pattern_of(w), prompt, said, clock)), "")

    return [by(memory) for memory in known]


def sentences_of(prompt: str) -> list[Said]:
    """Cut what a person wrote into sentences. What asks for an act ends where a question begins."""
    found = []
    first, *more = _QUOTED.sub(" ", prompt).split("\n")
    own = "\n".join([first, *filter(_is_prose, more)])
    for one in _SENTENCE.finditer(own):
        words = [(word, stem(word)) for word in _WORD.findall(one[0].lower())]
        begins = (n for n, (word, _) in enumerate(words) if _QUESTION.fullmatch(word))
        asks = next(begins, len(words))
        if "?" in one[0] and words and _INVERTED.fullmatch(words[0][0]):
            asks = 0
        if words:
            found.append(Said(tuple(words), asks))
    return found


def _is_prose(line: str) -> bool:
    """Tell whether somebody wrote a line: one of a log or of code has many figures and signs."""
    plain = sum(map(str.isalpha, line)) + line.count(" ")
    return not line.startswith((" ", "\t")) and plain >= _PROSE * len(line)


def names(
    pattern: Pattern, prompt: str, said: Sequence[Said], clock: Callable[[], datetime]
) -> bool:
    """Tell whether a sentence, with the one after it, holds all the words that a pattern names."""
    if not pattern.prompt or not all(
        stands_in(value, prompt) if name == "has" else is_now(name, value, clock)
        for name, value in pattern.fields
        if name != "not"
    ):
        return False
    barred = [value for name, value in pattern.fields if name == "not"]
    for first, second in pairwise([*said, Said((), 0)]):
        words = [*_part(first, pattern), *_part(second, pattern)]
        if _apart([[*_places(one, words)] for one in pattern.words]) and not any(
            any(_places(one, words)) for one in barred
        ):
            return True
    return False


def _part(said: Said, pattern: Pattern) -> Sequence[tuple[str, str]]:
    return said.words[: said.asks] if pattern.prompt == "ask" else said.words


def _apart(places: Sequence[Sequence[range]], taken: frozenset[int] = frozenset()) -> bool:
    """Tell whether each word of a pattern has a place that none of the others needs."""
    if not places or not all(places):
        return not places
    free = (place for place in places[0] if taken.isdisjoint(place))
    return any(_apart(places[1:], taken.union(place)) for place in free)


def _places(alternatives: str, words: Sequence[tuple[str, str]]) -> Iterator[range]:
    """Yield where one of `a|b` stands among words; the parts of `go-live` follow each other."""
    for one in alternatives.split("|"):
        parts = [(part, stem(part)) for part in parts_of(one)]
        for at in range(len(words) - len(parts) + 1):
            if parts and all(map(_is_it, parts, words[at : at + len(parts)])):
                yield range(at, at + len(parts))


def _is_it(part: tuple[str, str], word: tuple[str, str]) -> bool:
    return part[1] == word[1] or fnmatchcase(word[0], part[0])
