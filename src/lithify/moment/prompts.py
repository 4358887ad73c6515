"""Chooses what a prompt is shown of memory: the rules that apply, then at most two facts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from lithify.moment.ruling import (
    block,
    line_of,
    lines,
    note,
    read_memories,
    sentences,
    session_log,
    shown,
)
from lithify.text.likeness import content_stems
from lithify.text.tokens import estimate

#: The most tokens that a prompt is shown, and the most facts.
TOKENS, FACTS = 150, 2
#: Below this score a memory is not shown.
MARGIN = 0.5


def with_prompt(root: str, session: str, prompt: str) -> str:
    """Return what a prompt without credentials is shown, fenced; mostly nothing."""
    try:
        content = read_memories(root)
    except (OSError, ValueError):
        return ""  # the start of the next session writes it again
    known = content["memories"] if content["on_prompt"] else []
    before = shown(root, session).said
    found: list[Mapping[str, Any]] = []
    facts = room = 0
    for memory in ranked(prompt, known):
        said = sentences(str(memory["text"]))
        tokens = estimate(line_of(memory))
        fits = room + tokens <= TOKENS and facts + (not memory["rule"]) <= FACTS
        if fits and not (said and before.issuperset(said)):
            found.append(memory)
            facts, room = facts + (not memory["rule"]), room + tokens
    for memory in found:
        note(root, session, "prompt", str(memory["key"]))
        note(root, session, "said", said=sentences(str(memory["text"])))
    return block(found)


def begin(root: str, session: str, context: str) -> str:
    """Note what a session starts with; return what it was shown before a compaction, and lacks now."""
    said = frozenset(sentences(context))
    note(root, session, "said", said=sorted(said))
    met = {line.get("key") for line in lines(session_log(root, session))}
    known = [one for one in read_memories(root)["memories"] if one["key"] in met]
    return block(one for one in known if not said.issuperset(sentences(str(one["text"]))))


def ranked(prompt: str, known: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the memories that a prompt concerns: rules first, of each the nearest first."""
    scores = scored(prompt, known)
    near = [n for n, score in enumerate(scores) if score >= MARGIN]
    near.sort(key=lambda n: (not known[n]["rule"], -scores[n]))
    return [known[n] for n in near]


def scored(prompt: str, known: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return how much each memory concerns a prompt, by the rare words that both have."""
    asked = content_stems(prompt)
    stems = [content_stems(str(memory["text"])) for memory in known]
    spread = Counter(stem for own in stems for stem in own)
    weights = {stem: math.log(1 + (len(known) + 1) / n) for stem, n in spread.items()}
    return [
        sum(weights[s] for s in own & asked) / (sum(weights[s] for s in own) or 1) for own in stems
    ]
