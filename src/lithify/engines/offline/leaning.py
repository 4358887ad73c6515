"""Sentences that say nothing alone: their noun, their object or their beginning stands before them."""

from __future__ import annotations

import re

from lithify import cues

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


def lacks_noun(sentence: str) -> bool:
    """Whether what a sentence is about stands in the one before it, or it ends that one."""
    return (
        _OBJECT.match(sentence) is not None
        or _CUT_OFF.match(sentence) is not None
        or cues.lacks_object(sentence)
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
