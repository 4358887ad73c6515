"""How things are done from here on, told as a fact: `no figure leaves the house before Ida has seen it`."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.lasting import bar

#: Where a clause begins that says so, be it in somebody's mouth.
_OPENS = r"(?:^(?:so |and |then )?|[;:] |[,;] (?:and|but|so) |\band |\bthat (?!of\b)|\" ?|, )"
#: What all of a kind do or none does, by itself.
_GOES = (
    r"(?:go(?:es)?|leaves?|pass(?:es)?|gets?|stays?|carr(?:y|ies)|bears?|closes?|opens?|begins?|starts?|ends?|comes?|waits?|needs?|"
    r"belongs?|shows?|names?|takes?|reads?|runs?|follows?|keeps?|uses?|must|may|(?:is|are|has|have) to|(?:is|are) (?:only )?[a-z]{2,}(?:ed|en|nt|ut|id|ade|ept)|live|lives)"
)
_ALL = r"(?:no|nothing|nobody|any(?:thing|one|body)?|every(?:thing|one|body)?|each|all|only)"
#: Under what condition, or how widely it holds.
_BOUND = (
    r"(?:\b(?:before|unless|without|until) [^.;]{0,50}?\b(?:seen?|read|sa(?:id|ys)|ask(?:ed|ing)?|approv\w+|sign\w*|agree[sd]?|check\w*|yes|okay|ok|first|knows?|leaves|goes out|is (?:sent|merged|printed|shipped))\b|"
    r"\b(?:ever|always|anywhere|everywhere|throughout|no exceptions?|without exception|in future|at all times)\b|"
    r"\bfrom (?:now|here|today|\d{4}-\d{2}-\d{2}) on\b|\bas of (?:now|today)\b)"
)
_CUSTOM = re.compile(
    rf"{_OPENS}{_ALL}\b(?! (?:of|one of|this|that|idea|doubt|news|wonder|problem|longer|more)\b)[^.;:\"]{{0,70}}? {_GOES}\b(?=[^.;\"]*{_BOUND})|"
    # `As of now our letters close with …`, `From here on I count by name`
    rf"{_OPENS}(?:from (?:now|here|today|\d{{4}}-\d{{2}}-\d{{2}}) on|as of (?:now|today)|in future|henceforth)[,:]? (?!it(?:'s| is)|this is|that(?:'s| is))(?:[\w'-]+ ){{1,5}}?(?!was\b|were\b|had\b)[a-z]+\b|"
    r"^[^.;:\"]{3,70}? (?:are|is|must|have|has) (?:only )?(?:to )?[a-z]+ [^.;:\"]{2,60} from (?:now|here|today|\d{4}-\d{2}-\d{2}) on\b|"
    # `Pull requests of mine stay under 300 lines`
    r"^(?:[A-Z][a-z-]+ )?[\w-]+s\b[^.;:\"]{0,40} (?:stay|remain|are kept) (?:under|below|within|at most|above|over) \S|"
    # `Letters open with "Good day", never "Dear"`
    r"^[A-Z][a-z-]+s\b[^.;:\"]{0,40} (?:open|close|begin|start|end|go|carry|come|bear|get) [^.;:]{2,60}, (?:and )?never \S|"
    # `before anything is restarted, ask him first`
    r"\b(?:before|if|when(?:ever)?) any[^.;,:]{3,60}, (?:ask|tell|ring|write|check|send|wait|say|call)\b|"
    # `nothing over 2 MB to the technicians`, `after six nothing to her, please`
    rf"{_OPENS}(?:[^.;:,\"]{{3,40}} )?nothing (?:to|for|with|over|after|before|in|on) [^.;:\"]{{2,60}}?(?:,? please\b|, (?:put|send|use|write|ask)\b)|"
    r"\b(?:no|never) [a-z][^.;:,\"]{1,40}? (?:anywhere|at all times|, ever)\b|"
    # `She has ruled that dates carry the month as a word`
    r"\b(?:has|have) (?:now )?(?:ruled|decreed|laid down) that\b|"
    # `I'm to drop the notes and only speak up when it is red`
    r"\bI(?:'m| am) (?:now )?to [a-z][^.;]{3,80}?\b(?:only|always|never|every|each|any|whenever|when|no longer)\b|"
    # `under that Corvin may do it alone`
    r"\b[A-Z][a-z]+ may [a-z]+ [^.;:\"]{0,30}?\b(?:alone|by (?:him|her)self|without (?:asking|her|him))\b",
    re.I,
)
_HINT = re.compile(
    r"\b(?:no|nothing|nobody|any\w*|every\w*|each|all|only|ever|never|now|here|today|future|stay|remain|kept|ruled|decreed|may|I'm to|I am to|as of)\b",
    re.I,
)
#: What was done, or is told of one case.
_TOLD = re.compile(
    r"\b(?:was|were|had|did|didn't|went|came|got|took|gave|found|said nothing|nothing (?:new|else|changed|odd|yet)|no (?:one|answer|reply|change|word|sign|harm|trace)|so far|yet|still)\b",
    re.I,
)


#: As many characters before a custom tell whether it is told of one case.
_NEAR = 25


@lru_cache(maxsize=1 << 12)
def states(text: str) -> bool:
    """Whether a sentence tells how all of a kind are done, and under what condition."""
    if not _HINT.search(text) or text.endswith("?"):
        return False
    told = _CUSTOM.search(text)
    if told is None or _TOLD.search(text, max(0, told.start() - _NEAR), told.end()):
        return False
    if bar.is_of_a_day(text):
        return False
    return not (cues.hedges(bar.without_reason(text)) - {"may"} or cues.is_tentative(text))
