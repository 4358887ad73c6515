"""What the words before a colon say: nothing but a section's name, or something of their own."""

from __future__ import annotations

import re
from functools import lru_cache

#: A label that says no more than the name of its section does.
PLAIN_LABEL = re.compile(
    r"(?:(?:the|our|key|main|final|new|today's|team|quick|further|more|other|also) )*"
    r"(?:decisions?|decided|agreed|agreements?|rulings?|verdict|adr|policy|rules?|outcomes?|results?|milestones?|"
    r"wins?|accomplish(?:ed|ments?)|achievements?|deliverables?|notes?|open|open (?:items?|loops?|questions?|issues?|points?|threads?)|"
    r"block(?:ed|ers?)|impediments?|outstanding|waiting|done(?: today| so far)?|(?:still )?to-?\s?dos?|next(?: steps?| up)?|pending|follow-?\s?ups?|"
    r"unresolved|action items?|actions|carried (?:over|forward)|remaining|still open|stuck|problems?|"
    r"besluit(?:en)?|beschl(?:uss|üsse)|entscheidung(?:en)?|décisions?|decisi[oó]n(?:es)?|decisioni?|решени[ея]|決定|"
    r"offen\w*|blockiert|ausstehend|bloqué|bloqueado|pendientes?|geblokkeerd|aperti|en attente|未決|課題)"
    r"(?: #?\d{1,4})?",
    re.I,
)
#: Words in a label that change what is said after it: without them it would say something else.
BEARING = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|isn't|wasn't|aren't|weren't|don't|didn't|doesn't|can't|won't|"
    r"un(?:true|done|likely|confirmed|resolved|verified|tested|sure|decided)|"
    r"(?:re)?solv\w+|resolution|fix(?:ed|es)?|closed|cleared|done|gone|over|finished|completed?|repaired|"
    r"revert(?:ed|s)?|revers(?:ed|al)|undo|rolled|roll-?back|withdrawn|withdrew|retract\w*|rescind\w*|cancel\w*|dropped|lifted|"
    r"relaxed|abandoned|rejected|declined|refused|denied|denial|void|expired|obsolete|deprecated|superseded|outdated|"
    r"wrong|wrongly|false|falsely|incorrect|mistaken|mistake|myth|rumou?rs?|hearsay|gossip|alleged\w*|claims?|claimed|disputed|"
    r"if|unless|when|whenever|until|once|before|after|except|exception|instead|assum\w+|hypothe\w+|theory|suspected|guess|"
    r"plan(?:s|ned)?|ideas?|propos\w+|suggest\w+|drafts?|option|maybe|perhaps|possibly|probably|might|tentative|"
    r"wish|hopes?|goal|target|risks?|fears?|worr(?:y|ies)|concerns?|"
    r"cause|causes|caused|reasons?|why|because|symptoms?|was|were|formerly|previously|old|past|history|"
    r"examples?|e\.g|anti-?patterns?|bad|don'?ts?|avoid|joke|quote|test|simulat\w+|drill|"
    r"gelöst|behoben|erledigt|falsch|nicht|kein\w*|gerücht|wenn|falls|résolu\w*|faux|résuelt\w*|resuelt\w*|opgelost|niet)\b",
    re.I,
)
#: Under these words stands what was wrong, and no longer is.
SETTLING = re.compile(
    r"\b(?:resolved|fixed|solved|repaired|closed|unblocked|gelöst|behoben|résolue?s?|resuelt[oa]s?|opgelost)$",
    re.I,
)
#: Over a list these say no more than its section does.
LISTED = re.compile(
    r"\b(?:done|finished|completed?|tests?|targets?|goals?|over|quotes?|reasons?|why)\b", re.I
)


@lru_cache(maxsize=1 << 12)
def is_plain(label: str) -> bool:
    """Whether a label says nothing that the name of the section it announces does not say."""
    return PLAIN_LABEL.fullmatch(label.rstrip(": ")) is not None


@lru_cache(maxsize=1 << 12)
def bears(label: str) -> bool:
    """Whether a label resolves, denies, reverses or conditions what is said after it."""
    return BEARING.search(label) is not None


def over_list(words: str) -> str:
    """A lead-in without which the lines under it would say something else, or nothing."""
    if not words or len(words) > 32 or words.count(" ") > 4 or is_plain(words):
        return ""
    return words if bears(LISTED.sub("", words)) else ""
