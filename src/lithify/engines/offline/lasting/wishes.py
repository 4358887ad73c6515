"""How people want things done: preferences that hold beyond one occasion, in whatever clause.

A wish for one thing (`would like the shelf moved`) is granted or refused and then over; what
somebody prefers, cannot stand or wants of every thing of a kind stays.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.lasting import bar

#: Things of a kind, never one thing: `reports`, `all sums`, `every order`, `them`.
_MANY = (
    r"(?:them|everything|anything|(?:all|every|each|any) (?:[\w'-]+ ){1,3}?|"
    r"(?:(?:his|her|their|my|our|the) )?(?:[a-z-]+ )?[a-z-]{2,}s )"
)
#: How a thing is, and not what becomes of it.
_MANNER = (
    r"(?:under|below|within|in|as|by|before|after|without|with|sorted|written|to be|to (?:come|arrive|start|begin|end)|"
    r"no (?:more|later|longer|earlier)|for [\w ]{2,20} on|on paper)"
)
_PREFERS = re.compile(
    r"\b(?:prefers?|preferred|preference|(?:would|(?<!I)'d) (?:much )?(?:rather|sooner)(?! (?:not|have (?:had|been)|\w+ (?:the|this|that|it))\b)|"
    r"(?<!would )(?<!'d )(?:(?:likes|(?:I|[Ww]e|[Tt]hey) like) (?:to |his |her |their |our |my |short|the \w+ (?:\w+ )?(?:first|last|short|in|on|as|by|with|without|before|after)\b)|likes it (?!and\b|but\b|so\b|very\b|a lot\b|too\b|that\b)(?=\w)|"
    r"likes (?!an?\b|the\b|this\b|that\b|it\b)[a-z-]+ (?!\d))|"
    rf"(?:would|'d) like {_MANY} ?(?:[a-z]+ed )?{_MANNER} |"
    r"(?:would|'d) like [^.;:]{3,60}?(?: from now on|, (?:not|never) [a-z]+| (?:every|each) (?:day|week|month|quarter|year|time|[A-Z][a-z]+day))\b|"
    r"(?:is|are) (?:not|never|only) to be (?:interrupted|disturbed|called|rung|phoned|paged|woken|messaged|copied)|"
    r"favou?rs|hates|(?:I|we) hate|is allergic to|(?:can't|cannot) eat|dislikes?|can't stand|insists? (?:on|that)|best reached|(?<!\d )(?<!the )works? from|"
    r"(?:reads|answers|checks) (?!them\b|it\b|these\b|those\b)\w+ (?:on|in|before|after|only)|answers (?:on|by|only)|"
    r"(?:does not|doesn't|never|will not|won't) (?:read|open|take|answer|accept|look at|want) (?!(?:[a-z-]+ )?(?:customers|clients|orders|bookings|cards|payments|returns|students|patients|members|guests)\b)(?:[a-z-]+ )?[\w-]+s|"
    r"(?:does not|doesn't) want [a-z]+ing|(?:does not|doesn't|never) \w+ any(?:thing|one|body)?\b[^.;]*\b(?:after|before) \d+|"
    r"needs [a-z-]+s (?:between|in|as|with|without|instead)|"
    r"needs (?:the|his|her|all|any|every) [a-z-]+ (?:by|on|in|as) [a-z-]+, not (?:by|on|in|as)|"
    r"(?:do|does)(?: not|n't) (?:read|answer|take|open|check) (?:[a-z-]+ )?(?:e?-?mail|calls?|messages?|chat|the (?:phone|telephone))|"
    r"asks? that (?:I|we|you) [^.;:]{3,60}? (?:sooner|earlier|first|more often|at once)|"
    r"(?:does not|doesn't|won't) (?:want|have) (?:any(?:one|body|thing)?|to be \w+|the word|\"[^\"]+\" (?=\w))|"
    r"wants (?:[a-z-]+ )?[a-z-]+s (?:in the [a-z-]+ )?(?:in|as|without) (?!the\b|an?\b|this\b|that\b|our\b|his\b|her\b|their\b)\w+|"
    r"asks? (?:that|to be)\b[^.;]{0,80}?\b(?:from now on|when(?:ever)?|be \w+ed and not|and not)|"
    r"(?:wants?|(?:asks|(?:they|we|I|[a-z]+s) ask) (?:for|that)|expects?|asked (?:for|that)) [^.;:]{0,80}?\b(?:always|never|every|in everything|each(?= [a-z])|(?<!at )all(?= [a-z])|any(?! more\b)|(?:for|in|on|of|with|about) any(?:thing|one|body)|any(?:one|body) to|only|"
    r"first|as an?|in an?|at \d+(?!\.?\d* ?(?:each|apiece|c?m|mm|kg|g|l)\b)|under \d+|no (?:more|later|earlier)|numbered|by default|weekly|daily|"
    r"up front|instead of(?! \W?\d)|rather than(?! \W?\d)|before and after|exactly|at the latest|at most|whatever|no [a-z]+s))\b|"
    r"\bwants? [^.;:]{3,60}? (?:(?:each|every) [A-Z][a-z]+day\b|from now on\b)|\bnever (?:sees|looks at|hears|checks) (?!it\b|them\b|this\b|that\b)\w|"
    r"\b(?:likes|wants|asked|asks) to be (?:called|addressed as)\b|"
    r"\b(?:[Aa]nything|[Ee]verything) [^.;,]{2,40} (?:he|she|they|[A-Z][a-z]+) wants? \w",
)
_PLEASE = re.compile(
    r"\b(?:would|could|can) (?:we|you|I) please [^.;:]{3,60}?"
    r"\b(?:never|always|only|rather than|instead of|every|on paper|and not)\b"
)
#: What is wanted whenever something is done.
_WHENEVER = re.compile(
    r"\b(?:[Ww]hen(?:ever)?|[Ii]f) (?:I|we|you|someone|somebody|anyone|an?|any)\b[^.;:]{3,60}?,? "
    r"(?:he|she|they|[A-Z][a-z]+) (?:wants|likes|expects) \S"
)
#: `Her wishes for the monthly letter: …`
_LISTED = re.compile(
    r"^(?:his|her|their|(?-i:[A-Z])[\w-]+'s) (?:\w+ )?(?:wishes|wish (?!for \w+ \d)|preferences?|requirements|requests|conditions) ?"
    r"(?:for|about|on|as to|with) [^:\"]{3,80}: \S|^(?-i:[A-Z])[\w-]+ (?:about|on) (?:my|our) (?:[^:.\"]|\.(?=\d)){3,50}: \S",
    re.I,
)
_VAGUE = re.compile(
    r"\b(?:wants?|asks? for|asked for|expects?) (?:to \w+ )?(?:it|that|this|them)\b(?:(?! (?:short|in|as|under|by)\b)|.*\bas well\b)|"
    r"\bwants? an? (?:second|third|new|spare|different|further) "
)
#: To know, to talk and to see are wishes for one occasion.
_ONCE = re.compile(
    r"\b(?:wants?|would like|'d like|asks?|asked) (?:us |me |you |everyone )?to (?:know|talk|discuss|see|meet|hear|look|try|think|change|move|wait)\b(?![^.;]*\b(?:each|every)\b)"
    r"|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day at \d|\bthe (?:old|new|other|same|first) one\b"
    r"|\b(?:he|she|they) (?:will|is going to|are going to) (?:talk|ask|speak|see|check|find out)\b",
    re.I,
)
#: What somebody wants to do is no wish for how others do things.
_OWN_ACT = re.compile(
    r"\bwants? to (?!be\b|have\b|get\b|receive\b)\w+\b(?![^.;]*\b(?:each|every|always|whenever|before any)\b)"
)
#: A wish for one thing or piece of work, told with what came of it.
_GIVEN = re.compile(
    r"\bwants? all (?:the )?(?:[\w-]+ )?[\w-]+s (?:[\w-]+ed|done|made|sent|ready)\b(?! (?:in|as|by|with|without|every|each)\b)|"
    r"; I (?:found|ordered|bought|sent|gave|took) |, so [\w ]{2,20} it is\b|\b(?:wants|prefers) [^.;]{3,60}, (?-i:[A-Z])\w+ (?:prefers|wants|would rather|does not mind)\b|"
    r"\b(?:and|but) (?-i:[A-Z])\w+ (?:has )?(?:agreed|said (?:yes|no)|approved|refused)\b|"
    r"\basked for an? [^.;,]*, (?:given|sent|delivered|handed|done|they|he|she|it|we|I)\b",
    re.I,
)
#: A clause that gives somebody's liking as the reason for what was done once.
_BECAUSE = re.compile(r",? (?:because|since|as|for) (?=(?:he|she|they|[A-Z][a-z]+) )")
#: `when we send sums Nils wants …`
_NAMED = re.compile(
    r"\b(?:[Ww]hen(?:ever)?|[Ii]f) [^.;:]{3,60}?,? [A-Z][a-z]+ (?:wants|likes|expects) "
)
_OF_WRITER = re.compile(r"\b(?:I|me|my)\b")
_SUBJECT = re.compile(
    r"(?<!what )(?<!that )(?<!which )(?<!other )\b([Hh]e|[Ss]he)(?:'d| would| does| doesn't| won't)?(?: not| much)? "
    r"(?:prefers?|rather|sooner|likes?|wants?|hates?|dislikes?|insists?|expects?|asks?|reads|answers)\b"
)


@lru_cache(maxsize=1 << 12)
def prefers(text: str) -> bool:
    """Whether a person says how they like things done, beyond one occasion."""
    if not (
        _PREFERS.search(_OWN_ACT.sub("", bar.without_reason(text)))
        or _PLEASE.search(text)
        or _WHENEVER.search(text)
        or _LISTED.match(text)
    ):
        return False
    if _VAGUE.search(text) or _ONCE.search(text) or _GIVEN.search(text):
        return False
    return not (bar.passes(text) or bar.is_passing(text) or bar.dated(text))


def wish_in(text: str) -> str:
    """The clause that tells a liking, where it only gives the reason for what was done once."""
    for cut in _BECAUSE.finditer(text):
        clause = text[cut.end() :]
        if prefers(clause) and not prefers(text[: cut.start()]):
            return clause
    return text


def lists(text: str) -> bool:
    """Whether somebody's wishes for a kind of thing are listed."""
    return bool(_LISTED.match(text))


def unnamed(text: str) -> str:
    """The pronoun that tells who wants it, where no name does; else nothing."""
    wants = _SUBJECT.search(text)
    return wants[1] if wants else ""


def tells_whose(text: str) -> bool:
    """Whether a wish names who has it within the sentence, or is about what the writer of the log does."""
    return bool(_NAMED.search(text) or (unnamed(text) and _OF_WRITER.search(cues.bare(text))))
