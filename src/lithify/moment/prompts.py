"""Chooses what a prompt is shown of memory: the rules that apply, then at most two facts."""

from __future__ import annotations

import math
import re
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
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.text.tokens import estimate

#: The most tokens that a prompt is shown, and the most facts.
TOKENS, FACTS = 150, 2
#: Below this score a memory is not shown: three words that few other memories have. It is the least margin
#: at which nine of ten things shown are right on the tuned half of `benchmarks/moment.py`.
MARGIN = 2.6
#: The share of the best score that the others have to have.
_NEAR = 0.9
#: The part of a rule that a sentence may say and still be reminded of it.
_SAID = 0.5
_SENTENCE = re.compile(r"[^\n]+?(?:[.!?;]+(?=\s|$)|$)", re.M)


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
    for memory in near(scored(prompt, known), known):
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
    told = lines(session_log(root, session))
    note(root, session, "said", said=sorted(said))
    # Only the first start after a compaction: a session that is taken up again still has what it met.
    lost = next(
        (line["what"] for line in reversed(told) if line["what"] in ("said", "compact")), ""
    )
    met = {line.get("key") for line in told} if lost == "compact" else set()
    known = [one for one in read_memories(root)["memories"] if one["key"] in met]
    return block(one for one in known if not said.issuperset(sentences(str(one["text"]))))


def near(
    scores: Sequence[float], known: Sequence[Mapping[str, Any]], margin: float = MARGIN
) -> list[Mapping[str, Any]]:
    """Return the memories above a margin and about as near as the nearest: rules first."""
    least = max([margin, *(_NEAR * score for score in scores)])
    found = [n for n, score in enumerate(scores) if score >= least]
    found.sort(key=lambda n: (not known[n]["rule"], -scores[n]))
    return [known[n] for n in found]


def scored(prompt: str, known: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return how much each memory concerns a prompt: the telling words that one sentence shares with it.

    A word that only one memory has counts 1, one that many have less. A question asks for a fact, and
    only for one that has all its telling words; anything else asks for an act, which rules concern. A
    sentence that says more than half of a rule needs no reminder of it.
    """
    stems = [_telling(str(memory["text"])) for memory in known]
    spread = Counter(stem for own in stems for stem in own)
    whole = math.log(1 + len(known))
    weights = {stem: math.log(1 + len(known) / n) / whole for stem, n in spread.items()}
    asked = [(_telling(one[0]), "?" in one[0]) for one in _SENTENCE.finditer(prompt)]

    def score(memory: Mapping[str, Any], own: frozenset[str]) -> float:
        best = 0.0
        for words, is_question in asked:
            shared = own & words
            said = sum(weights[stem] for stem in shared)
            if memory["rule"]:
                fits = not is_question and said <= _SAID * sum(weights[stem] for stem in own)
            else:
                fits = is_question and shared == words
            best = max(best, said * fits)
        return best

    return [score(memory, own) for memory, own in zip(known, stems, strict=True)]


def _telling(text: str) -> frozenset[str]:
    return frozenset(stems_of(text)) - COMMON_STEMS
