"""Why something holds: the reason a sentence gives itself, or the one beside it gives."""

from __future__ import annotations

import re

from lithify import cues
from lithify.engines.offline import bar
from lithify.engines.offline.text import plain
from lithify.engines.offline.titles import core
from lithify.engines.offline.words import stems_of
from lithify.tokens import estimate
from lithify.values import Entry

#: Tokens up to which a sentence can be a reason or an instruction.
ROOM = 45
_LABEL = re.compile("reasons?|why|because|grounds", re.I)
_REASON = re.compile(
    r"(?:,|;|\.)?\s+(?:because(?! of (?:that|this|it|them|these|those)\b)(?: of)?|so that|so as to|as otherwise|"
    r"given that|seeing that|on the grounds that|due to(?! (?:be|go|\w+ (?:on|in|by)\b))|in order (?:not )?to|"
    r"the reason (?:is|being)(?: that)?|reasons?:|lest|"
    r"since(?! (?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|last|"
    r"then|yesterday|early|late|mid|spring|summer|autumn|winter|the (?:\w+ )?(?:launch|release|start|"
    r"deploy\w*|upgrade|move|meeting|morning|weekend|incident|outage)\b)))\s+(.+?)[.;]?$",
    re.I,
)
#: What happened before a rule was made, where only something gone wrong can be meant.
_AFTER = re.compile(
    r",?\s+((?:ever since|after)\s+(?!every\b|each\b|any\b|all\b|that\b|which\b)[^.;:]*?\b(?:broke|failed|lost|leaked|crashed|"
    r"burned|burnt|vanished|complained|missed|went (?:wrong|down|out|missing|to)|got \w+|cost|locked|overwrote|deleted|"
    r"was (?:lost|sent|wrong|deleted|overwritten|missed|charged|down)|were (?:lost|sent|wrong|deleted|missed|charged))\b[^.;:]*)[.;]?$",
    re.I,
)
#: An order or a statement, and after the colon what makes it one.
_COLON_REASON = re.compile(r"^([^:]{15,}):\s+([a-z][^:]{20,})$")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|makes?|made|will|would|can|could|cannot|costs?|reads?|sees?|goes|went|"
    r"needs?|broke|breaks|fails?|\w{3,}ed|\w{3,}s)\b"
)
_REASON_SENTENCE = re.compile(
    r"^(?:the )?(?:reasons?|why|because|grounds)(?: (?:is|was|are)(?: that)?|:)?\s+(?!of\b)(.+?)\.?$",
    re.I,
)
#: A sentence that goes on about the one before it.
_GOES_ON = re.compile(
    r"^(?:it|that|this|they|he|she|you|otherwise|last (?:time|year|month|week)|once|in \w+ \d{4}|we (?:had|got|lost|were)|"
    r"too (?:many|much|often)|two|three|nobody|no one|someone|somebody|one of)\b",
    re.I,
)


def stated_reason(sentence: str) -> str:
    """The reason a sentence announces as one, or nothing."""
    match = _REASON_SENTENCE.match(sentence)
    return match[1] if match else ""


def reason_of(entry: Entry) -> str:
    """The reason an entry announces as one, or nothing."""
    sentences = plain(entry, fit=False).sentences
    if not sentences:
        return ""
    stated = stated_reason(sentences[0])
    return stated or (sentences[0] if _LABEL.fullmatch(cues.label_of(entry.text)) else "")


def reasoned(text: str) -> tuple[str, str]:
    """The statement and its reason, if a clause of its own gives one."""
    for clause in (_REASON, _AFTER):
        match = clause.search(text)
        # A reserve in the reason is a reserve on the whole.
        if match and match.start() > 15 and not cues.hedges(match[1]):
            return text[: match.start()], match[1]
    colon = _COLON_REASON.match(text)
    if (
        colon
        and (cues.states_prohibition(colon[1]) or cues.states_correction(colon[1]))
        and _FINITE.search(colon[2])
        and not cues.states_prohibition(colon[2])
        and not bar.instructs(colon[2])
        and not cues.hedges(colon[2])
    ):
        return colon[1], colon[2]
    return text, ""


def explains(follow: str, statement: str) -> bool:
    """Whether the sentence after a rule tells what it is good for, and is no rule itself."""
    if estimate(follow) > ROOM or cues.hedges(follow) or not _FINITE.search(follow):
        return False
    if bar.rules(follow) or cues.judge(follow, "", ())[0] == cues.OPEN:
        return False
    shared = set(stems_of(follow)) & set(stems_of(core(statement)))
    return bool(shared) or bool(_GOES_ON.match(follow))
