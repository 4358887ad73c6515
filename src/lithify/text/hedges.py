"""Words of reserve and of denial: whether a text holds something back or says that it is not so."""

from __future__ import annotations

import re

#: "May the money be used?" asks; it is no month.
MAY_I = re.compile(
    r"May (?:the|an?|i|we|he|she|it|they|you|this|that|my|our|his|her|their|its)\b", re.I
)
#: Words of reserve, and the one form each is known by. A rule ("should"), a document ("the plan",
#: "the draft"), a month and a guess of long ago hold nothing back.
HEDGE = re.compile(
    r"\b(?P<may>may)\b(?! \d)(?! only\b)|\b(?P<might>might)\b|\b(?P<could>could)\b(?! (?:not|only|no longer)\b|n't)(?! ?[.,;])|"
    r"\b(?P<probably>probabl[ey]|likely|presumably)\b|\b(?P<unlikely>unlikely)\b|"
    r"\b(?P<possibly>possibl[ey]|perhaps|maybe|potentially|conceivabl[ey])\b|"
    r"\b(?P<unconfirmed>unconfirmed|uncertain|unclear|not (?:yet )?(?:sure|certain|confirmed|clear(?! (?:it|them|the|this|that|any|out|up)\b))|to be confirmed|tb[cd])\b|"
    r"\b(?P<tentative>tentative(?:ly)?|provisional(?:ly)?|pencill?ed)\b|"
    r"\b(?P<reportedly>apparently|reportedly|allegedly|supposedly|rumou?red|said to be)\b|"
    r"\b(?<!\bas )(?<!\bthan )(?<!\bhad )(?<!\bwas )(?<!\bwere )(?P<plan>planned|planning to|plans? to|"
    r"(?<=\bwe )plan|(?<=\bthey )plan|(?<=\bi )plan|intends?(?: to)?|intending|aims? to)\b|"
    r"\b(?P<expect>(?:is|are|be) expected|expected (?:to|in|by|on|for|next)|(?:we|they|i|he|she) expects?(?! (?:all|every|any|each)\b)|"
    r"expects? (?:to|that|it)|should (?:arrive|be ready|be done|be back|work))\b|"
    r"\b(?P<propose>propos(?:e[sd]?|ing)|suggest(?:s|ed|ing)?|under (?:consideration|discussion)|consider(?:s|ing)|"
    r"(?:is|are|being) considered|mooted|floated)\b|"
    r"\b(?P<seem>seems?|seemingly|appears? (?:to|that)|it appears|looks? (?:like|as if))\b|"
    r"\b(?P<estimate>an? estimated?|estimated (?:at|to|\d|[$€£])|(?:is|are) estimated)|"
    r"\b(?P<guess>guess(?:es)?|suspects?|suspected|(?:i|we) (?:think|believe|assume)|assumedly)\b|"
    r"\b(?P<hope>hopes?(?! of)|hoping|hopefully)\b|\b(?P<conditional>subject to|if (?:approved|confirmed|all goes well|possible))\b|"
    r"\b(?P<would>if\b[^.;]{1,80}\bwould|would\b[^.;]{1,80}\bif)\b",
)
#: One of these stands in every reserve.
_HINTS = (
    "may|might|could|probabl|likely|presumably|possibl|perhaps|potentially|conceivabl|"
    "unconfirmed|uncertain|unclear|not sure|not certain|not confirmed|not clear|not yet|"
    "to be confirmed|tbc|tbd|tentative|provisional|pencil|apparently|reportedly|allegedly|"
    "supposedly|rumo|said to be|plan|intend|aim to|aims to|expect|should |propos|suggest|"
    "under consideration|under discussion|consider|mooted|floated|seem|appear|look|estimate|"
    "guess|suspect|think|believe|assume|hope|hoping|subject to|if approved|if confirmed|"
    "if all goes well|if possible|would"
)
_HINT_LIST = tuple(_HINTS.split("|"))
#: A clause that gives a reason out of the past.
PAST_REASON = re.compile(
    r"\b(?:because|since|after|as)\b[^.,;:]*?\b(?:was|were|had|did|last|ago|used to|\w{3,}ed)\b[^.,;:]*",
    re.I,
)
_NEGATION = re.compile(
    r"(?:\b(?:not|no|nobody|never|nor|neither|without|cannot|stop|avoid|refuse|forbid\w*)\b|n['’]t\b)"
    r"(?!\s+(?:forget|only|just)\b)",
    re.IGNORECASE,
)


def hedges(text: str) -> frozenset[str]:
    """Return the reserves of a text, each by one word (`planned` and `intends` are both `plan`).

    A reserve inside a reason of the past ("because it guessed wrong last year") does not count.
    """
    if not any(map(text.lower().__contains__, _HINT_LIST)):
        return frozenset()
    if "because" in text or "since" in text or "after" in text:
        text = PAST_REASON.sub("", text)
    # In small letters, each in its place.
    same = text.replace("’", "'").replace("İ", "i").replace("ı", "i").replace("ſ", "s")
    found = HEDGE.finditer(same.lower())
    # `May` is the month, or a name, unless it asks.
    return frozenset(
        str(match.lastgroup)
        for match in found
        if match.lastgroup != "may"
        or not text[match.start()].isupper()
        or MAY_I.match(text, match.start())
    )


def denies(text: str) -> bool:
    """Return whether the text says that something is not, or must not be."""
    return _NEGATION.search(text) is not None
