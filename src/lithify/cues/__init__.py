"""What the words of an entry say it is: outcome, decision, blocker, correction, routine.

English first, and pure. A cue reads the entry's label, lead-in, headings, checkbox and words;
where none speaks, the entry is context. `must_keep` prefers silence to a false alarm.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.cues import labels
from lithify.cues import words as said
from lithify.cues.judging import by_cues, is_talk, judge, seen_in
from lithify.cues.letters import bare, checkbox, hinted, small
from lithify.cues.places import (
    CONTEXT,
    DECISIONS,
    OPEN,
    OUTCOMES,
    announced,
    announced_by,
    bearing_lead,
    is_cause,
    label_of,
    place_of,
)
from lithify.cues.stating import (
    denies,
    hedges,
    is_hearsay,
    is_own,
    is_tentative,
    owned_fact,
    owns_preference,
    references,
    reports_none,
    states_correction,
    states_practice,
    states_preference,
    states_prohibition,
    states_reference,
    states_rule,
)
from lithify.cues.weighing import MADE, PAST, SAID, is_calm, weigh
from lithify.values import Entry

__all__ = [
    "CONTEXT",
    "DECISIONS",
    "OPEN",
    "OUTCOMES",
    "STRUCK",
    "announced",
    "announced_by",
    "bare",
    "bearing_lead",
    "bears",
    "by_cues",
    "checkbox",
    "denies",
    "hedges",
    "is_cause",
    "is_hearsay",
    "is_own",
    "is_plain_label",
    "is_routine",
    "is_talk",
    "is_tentative",
    "judge",
    "label_of",
    "lacks_object",
    "leaves_out_what",
    "must_keep",
    "owned_fact",
    "owns_preference",
    "place_of",
    "plainness",
    "references",
    "reports_none",
    "routine",
    "section_of",
    "seen_in",
    "settles",
    "speaks_of_self",
    "states_correction",
    "states_practice",
    "states_preference",
    "states_prohibition",
    "states_reference",
    "states_rule",
    "strength",
    "tells_deed",
]

STRUCK = said.STRUCK
is_plain_label = labels.is_plain
bears = labels.bears

_WITHOUT_OBJECT = frozenset(
    ["with", "by", "in", "at", "after", "since", "again", "as", "for", "via", "to", "on", "within"]
)
#: And what says where, when or how it was done.
_BESIDES = _WITHOUT_OBJECT | frozenset(
    ["also", "too", "everywhere", "now", "there", "before", "from", "both", "once", "twice"]
)
_DEEDS = MADE.union(
    ["put", "noted", "stored", "renamed", "declined", "agreed", "copied", "sorted", "changed"],
    ["counted", "taken", "marked", "done"],
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def section_of(entry: Entry) -> str:
    """The section of a week that the entry belongs to."""
    return judge(entry.text, entry.lead, entry.headings)[0]


def must_keep(entry: Entry) -> bool:
    """Whether the entry states a decision, an outcome, a blocker, a correction or a prohibition.

    What the user says of their own likes and circumstances may not be lost either.
    """
    if entry.kind == "code":
        return False
    text = entry.text
    if entry.kind == "lead":
        # The sentence that leads in says nothing without its list; those before it do.
        text = " ".join(_SENTENCE.split(text)[:-1])
    return text != "" and (judge(text, entry.lead, entry.headings)[1] or speaks_of_self(entry))


def routine(entry: Entry) -> bool:
    """Whether the entry says that all is as it was, or reports a chore."""
    return is_routine(entry.text)


@lru_cache(maxsize=1 << 13)
def is_routine(text: str) -> bool:
    """Whether these words report a chore or the absence of change, and nothing heavier."""
    return is_calm(weigh(bare(text)))


def tells_deed(text: str) -> bool:
    """Whether a line begins with what was done, as a diary's do: "watered the plants"."""
    first = bare(text).partition(" ")[0].lower()
    return first in PAST or first in MADE or (first.endswith("ed") and len(first) > 4)


def lacks_object(sentence: str) -> bool:
    """Whether a deed is told without what it was done to: "Fixed with a new seal"."""
    first, _, rest = sentence.partition(" ")
    return rest.partition(" ")[0] in _WITHOUT_OBJECT and first.lower() in MADE


def leaves_out_what(sentence: str) -> bool:
    """Whether a sentence goes on with a deed done to what the one before it names: "Changed, works." """
    first, _, rest = sentence.partition(" ")
    if first.rstrip(",;").lower() not in _DEEDS:
        return False
    return first[-1] in ",;" or rest.partition(" ")[0].rstrip(",;.") in _BESIDES


def speaks_of_self(entry: Entry) -> bool:
    """Whether the user tells in the entry what they like or are."""
    return entry.origin == "user" and any(is_own(one) for one in _SENTENCE.split(entry.text))


def strength(text: str) -> float:
    """How plainly words state an outcome, a decision or an open item."""
    return max(weigh(bare(text))[:3])


def plainness(text: str) -> float:
    """How plainly words say that something was achieved or decided; 0 where they do not."""
    weights = weigh(bare(text))
    heaviest = max(weights.outcome, weights.decision)
    return heaviest if heaviest >= max(weights.open, weights.routine, SAID) else 0.0


@lru_cache(maxsize=1 << 13)
def settles(text: str) -> bool:
    """Whether these words say that something is settled, delivered or works again."""
    if checkbox(text):
        return True
    if not hinted(said.RESOLVED_HINTS, text):
        return False
    words = bare(text)
    match = said.RESOLVED.search(small(words))
    if not match:
        return False
    before = words[max(0, match.start() - 30) : match.end()]
    rest = before.replace(words[match.start() : match.end()], "")
    return not (said.NEGATED.search(small(rest)) or said.FUTURE.search(small(before)))
