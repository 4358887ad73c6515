"""Sentences that say nothing alone: their noun, their object or their beginning stands before them."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify import cues

#: Words that lean on the sentence before them.
_HANGS = re.compile(
    r"^(?:it|its|they|their|them|he|his|she|her|that|this|these|those|which|reasons?|causes?(?=:)|otherwise|both)\b",
    re.I,
)
#: The thing itself stands in the sentence before: "Carla mended it by noon".
_OBJECT = re.compile(r"(?!if |when |as |that )(?:[\w:'-]+,? ){1,3}(?:it|them)(?![\w'-])", re.I)
_IT = re.compile(
    r"(?:it|they|he|she)(?:'s|'d|'ll)? (?!is (?:clear|likely|possible|time|worth)\b)|"
    r"found (?:out )?why\b|(?:this|that) (?:is|was|came|comes|means|took|takes|happened)\b|"
    r"(?!i |we |you |if |when |as |that |make |made |take |keep )[\w'-]+ (?:[\w'-]+ )?(?:it|them)(?![\w'-])",
    re.I,
)
#: A clause cut off the sentence it ends.
_CUT_OFF = re.compile(r"(?:so|and|but|or|which|because|while|where|who|with|since|as)\b")
#: Who took a decision, and nothing of what it is: told with the sentence before it.
_DECIDER = re.compile(
    r"^(?:(?-i:[A-Z])[\w'-]+|we|they|he|she)(?: (?:and|has|have) [\w'-]+)? (?:decided|agreed|approved|signed off)\b(?:[.,;!]|$)",
    re.I,
)
#: "That resolves the blocked disk": named with what it had blocked, and over.
_ENDED = re.compile(
    r"(?:^|(?<=[.;!] ))(?:(?:that|this|which) )?"
    r"(?:resolves|resolved|fixes|fixed|unblocks|unblocked|closes|clears|ends)\b",
    re.I,
)
_LEFT = re.compile(r"\b(?:still|yet|pending|until|once|when|if|part(?:ly|ially)?)\b", re.I)
_COMMA = re.compile(r"[,;] (?!which|who|and|but|or)")
_WAS = re.compile(
    r"\b(?:was|were|lost|failed|died|broke|hung|stopped|crashed|stalled|jammed|leaked|stuck)\b",
    re.I,
)
_HELPED = re.compile(r"(?:[\w-]+ ){1,4}helped\b", re.I)
#: What words weigh that say it outright.
_OUTRIGHT = 3.0


@lru_cache(maxsize=1 << 13)
def hangs(sentence: str) -> bool:
    """Whether the sentence begins with a word that leans on the one before it."""
    return bool(_HANGS.match(sentence))


def lacks_noun(sentence: str) -> bool:
    """Whether what a sentence is about stands in the one before it, or it ends that one."""
    return (
        _OBJECT.match(sentence) is not None
        or _CUT_OFF.match(sentence) is not None
        or cues.leaves_out_what(sentence)
    )


def lacks_subject(sentence: str) -> bool:
    """Whether a line of its own speaks of a thing that only the line before it names."""
    if " " not in sentence:
        return cues.tells_deed(sentence)
    return _IT.match(sentence) is not None or cues.lacks_object(sentence)


def names_decider(sentence: str) -> bool:
    """Whether a sentence says who took a decision, and nothing of what it is."""
    return _DECIDER.match(sentence) is not None


def ends_it(sentence: str) -> bool:
    """Whether a sentence that leans says that what the one before it tells is over."""
    return cues.settles(sentence) and cues.judge(sentence, "", ())[0] == cues.OUTCOMES


def leaves_open(sentence: str) -> bool:
    """Whether a short sentence says outright that what the one before it tells is not settled."""
    return cues.strength(sentence) >= _OUTRIGHT and cues.judge(sentence, "", ())[0] == cues.OPEN


@lru_cache(maxsize=1 << 13)
def is_end(sentence: str) -> bool:
    """Whether a sentence says that what it names is over, with nothing left of it."""
    return _ENDED.search(sentence) is not None and not _LEFT.search(sentence)


@lru_cache(maxsize=1 << 13)
def is_over(sentence: str) -> bool:
    """Whether a trouble of the past is told with what ended it: "stood still, mended by noon"."""
    first, *clauses = _COMMA.split(sentence)
    return (
        bool(clauses)
        and _WAS.search(first) is not None
        and not _LEFT.search(sentence)
        and (cues.settles(clauses[-1]) or _HELPED.match(clauses[-1]) is not None)
    )


def after_end(sentence: str) -> str:
    """What a sentence that tells an end says after its verb: the thing that is over."""
    return _ENDED.split(sentence, maxsplit=1)[-1].lstrip(" :")
