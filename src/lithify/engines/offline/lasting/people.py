"""Who is meant by `he` or `she`, where only one can be: who acted last, or whom the heading names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from lithify.text.atoms import find_atoms
from lithify.text.dates import MONTHS

#: What people do and things do not.
_ACTS = re.compile(
    r"(?:'s mother)?(?: \([^)]{2,40}\))?(?:,? (?:has|had|have|will|would|then|also|always|never|just|now|only|again|still|[a-z]+ly))*,? "
    r"(?:sa(?:id|ys)|t(?:old|ells)|ask(?:s|ed)|want(?:s|ed)|th(?:inks|ought)|lik(?:es|ed)|prefer(?:s|red)|agree[sd]|"
    r"wr(?:ote|ites|itten)|r(?:ang|ings|ung)|call(?:s|ed)|read|reads|sign(?:s|ed)|t(?:ook|akes|aken)|ch(?:ose|ooses|osen)|"
    r"decide[sd]|approve[sd]|point(?:s|ed)|found|looked|stopped|noticed|returned|sen(?:t|ds)|came|comes|went|g(?:ave|ives)|"
    r"put|knows|knew|hope[sd]|expect(?:s|ed)|suggest(?:s|ed)|propose[sd]|announce[sd]|promise[sd]|insist(?:s|ed)|"
    r"remind(?:s|ed)|review(?:s|ed)|laugh(?:s|ed)|sat|raised|lowered|relaxed|rule[sd]|spoke|phone[sd]|answer(?:s|ed)|"
    r"repl(?:ies|ied)|explain(?:s|ed)|admit(?:s|ted)|heard|saw|correct(?:s|ed)|rewrote|stayed|wanted|made|makes|"
    r"show(?:s|ed)|used|needs|"
    r"(?:is|was) (?:pleased|annoyed|firm|happy|angry|sorry|glad|not happy|quite))\b|"
    r":? \""
)
#: `From Nils`, `How Nils wants things`, `Nils on reports`, `Nils's way with dates`, `10:00 Talk with Nils`
_NAME = r"(?-i:([A-Z][a-z'-]+))"
_MONTHS = frozenset(MONTHS)
_HEADING = re.compile(
    rf"^(?:[^:]*\b(?:from|by|for)|how|what) {_NAME}\b|^{_NAME}(?:'s)? (?:on|about|wants?|prefers?|likes?|says|said|told|corrects?|corrected)\b|"
    rf"^{_NAME}'s (?:\w+ )?(?:ways?|words?|rules?|wish(?:es)?|views?|requests?|orders?|comments?|feedback|preferences?)\b|"
    rf"^{_NAME}, (?:on|about)\b|^(?:\d{{1,2}}[:.]\d\d )?(?:\w+ )?with {_NAME}$",
    re.I,
)
#: A full name and what its bearer is; a sum has signs in it.
_WHO_IS = re.compile(
    r"(?:^|(?<=[:;] ))((?:[A-Z][\w'-]+ ){1,3}[A-Z][\w'-]+ = [a-z][^=+*/<>]{2,120})$"
)
#: `Ida Brandt (head), Nils Holm (ropes), Odd Lie (sails)`
_CAST = re.compile(r"(?:[A-Z][\w'-]+ [A-Z][\w'-]+ \([a-z][^()]{1,40}\)(?:,? and |, |; )?){3,}")
#: `All but Nils (he works Tuesday to Thursday)`
_ASIDE = re.compile(
    r"\b([A-Z][a-z'-]+) \((?:he|she) (works (?:only )?(?:on )?[A-Z][a-z]+days?\b[^()]{0,40})\)"
)
#: What ties a sentence to the one before it, ahead of its `he` or `she`.
_TIED = re.compile(
    r"^(?:but|and|so|then|later|also|still|afterwards|now|while on),? (?=(?:he|she)\b)", re.I
)
_AT = re.compile(r" (?:at|of|from|in) (?:the )?")
#: Where a clause begins, and what stands after its subject.
_HEADS = re.compile(r"(?:^|[;:,] |\band |\bbut )$")
_GOES_ON = re.compile(r" [a-z]+")
_HIM = re.compile(r"\b(?:he|him|his|himself)\b", re.I)
_HER = re.compile(r"\b(?:she|her|hers|herself)\b", re.I)
_HE_OR_SHE = re.compile(
    r"^(?:[Hh]e|[Ss]he)(?=(?:'d|'ll)? (?!'))|"
    r"^(?:[Hh]is|[Hh]er)(?= (?:\w+ )?(?:wish(?:es)?|preferences?|requirements|requests|rules?)\b)"
)


def role_in(text: str) -> str:
    """The clause that says who somebody is or when they work: `Ida Brandt = harbour master`; or nothing."""
    if aside := _ASIDE.search(text) if "(" in text else None:
        return f"{aside[1]} {aside[2]}."
    who = _WHO_IS.search(text)
    return text[who.start(1) :] if who else ""


def is_role(text: str) -> bool:
    """Whether the words say who somebody is, and no more, or who several people are."""
    return _WHO_IS.match(text) is not None or ("), " in text and _CAST.search(text) is not None)


@lru_cache(maxsize=1 << 12)
def in_heading(headings: tuple[str, ...]) -> str:
    """The person whose words the innermost heading announces, or nothing."""
    heading = headings[-1].strip(" #*_.") if headings else ""
    match = _HEADING.match(heading)
    who = next((name.removesuffix("'s") for name in match.groups() if name), "") if match else ""
    return "" if who.lower() in _MONTHS else who


def named(text: str, before: Sequence[str], heading: str = "") -> str:
    """The sentence with the person in place of a `he` or `she` at its head, where one can be meant."""
    if tied := _TIED.match(text):
        told = named(text[tied.end() :], before, heading)
        return text if told == text[tied.end() :] else told
    match = _HE_OR_SHE.match(text)
    who = meant(match[0], before, heading) if match else ""
    if not (match and who):
        return text
    rest = text[match.end() :]
    if match[0].lower() in ("his", "her"):
        return f"{who}'s{rest}"
    for short, full in (("'d", " would"), ("'ll", " will")):
        if rest.startswith(short):
            rest = full + rest[len(short) :]
    return who + rest


def meant(pronoun: str, before: Sequence[str], heading: str = "") -> str:
    """Who acted last in what was said, if it was one person; else whom the heading names.

    Whom others call by the other pronoun is not meant, nor who came after the pronoun was in use.
    """
    for at in range(len(before) - 1, -1, -1):
        acting = _acting(before[at])
        if acting:
            who, start = acting[0]
            earlier = [*before[:at], before[at][:start]]
            since = [before[at][start:], *before[at + 1 :]]
            return who if len(acting) == 1 and _may_be(pronoun, earlier, since) else ""
    named_at = {name: at for at, text in reversed([*enumerate(before)]) for name in _names(text)}
    if heading or len(named_at) != 1:
        return heading if _may_be(pronoun, (), before) else ""
    ((who, at),) = named_at.items()
    return who if _may_be(pronoun, before[:at], before[at:]) else ""


def spoke_last(before: Sequence[str]) -> str:
    """Whose deed alone the sentence right before tells, or nobody: what is quoted next is theirs."""
    acting = _acting(before[-1]) if before else ()
    first = len(acting) == 1 and not before[-1][: acting[0][1]].strip("0123456789:. ")
    return acting[0][0] if first else ""


def _may_be(pronoun: str, earlier: Sequence[str], since: Sequence[str]) -> bool:
    own, other = (_HIM, _HER) if pronoun.lower() in ("he", "his") else (_HER, _HIM)
    if any(own.search(text) for text in earlier):
        return False
    return any(own.search(text) for text in since) or not any(map(other.search, since))


@lru_cache(maxsize=1 << 12)
def _acting(text: str) -> tuple[tuple[str, int], ...]:
    """The persons who do something in a sentence, and where each is named first.

    With one of them go all that other clauses begin with: they may be who is meant.
    """
    acting: dict[str, int] = {}
    heads: dict[str, int] = {}
    last = ("", 0, 0)
    for atom in find_atoms(text):
        name = _bare(atom.text)
        if atom.kind != "name" or not _is_persons(name):
            continue
        who, start, end = last
        # `Mrs Brandt at Low Mere rang`
        of_place = bool(who) and _AT.fullmatch(text, end, atom.start) is not None
        last = (name, atom.start, atom.end)
        if _ACTS.match(text, atom.end):
            acting.setdefault(*((who, start) if of_place else (name, atom.start)))
        elif _HEADS.search(text, 0, atom.start) and _GOES_ON.match(text, atom.end):
            heads.setdefault(name, atom.start)
    return tuple({**acting, **heads}.items()) if acting else ()


def _names(text: str) -> list[str]:
    found = (_bare(atom.text) for atom in find_atoms(text) if atom.kind == "name")
    return [name for name in found if _is_persons(name)]


def _bare(name: str) -> str:
    return name.removesuffix("'s")


def _is_persons(name: str) -> bool:
    """Whether a name can be a person's: no abbreviation, no number in it."""
    return all(word[:1].isupper() and word[1:].islower() for word in re.split(r"[ '-]", name))
