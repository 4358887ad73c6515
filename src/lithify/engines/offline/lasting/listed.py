"""Lines under a heading that announces them: rules, wishes of somebody, or where things are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.lasting import bar, norms
from lithify.engines.offline.lasting.telling import telling_in
from lithify.values import MemoryType

DANGLING = re.compile(
    r"^(?:it|its|they|them|their|he|him|she|her|that|this|these|those|which|so|also|but|and|then|"
    r"otherwise|instead(?! of)|both|same|reasons?(?=:)|why(?=:)|because)\b",
    re.I,
)
#: Words that only tie a sentence to the one before.
OPENS = re.compile(r"^(?:(?:also|and|but|so|then|last|besides)[,:]? |(?:no|yes|right)[.,!] )", re.I)
_HAPPENED = re.compile(
    r"^[A-Z][a-z]+ [a-z]{2,}ed\b|\b(?:was|were|had|took|cost|went|came|said)\b(?![^\"]*\"$)"
)
#: What its writer did about it, told without a subject.
_DEED = re.compile(
    r"(?:Went|Told|Took|Made|Wrote|Sent|Gave|Got|Rang|Found|Did|[A-Z][a-z]+ed)\b(?! by\b)"
)
_BY_WHOM = re.compile(r"([A-Z][a-z]+)(?:,[^.\"]{3,60}?)?: ")
_SHORT = 4
_CALL = 2
_PLACE = 16


def of_person(
    labels: Sequence[str], texts: Sequence[str], person: str
) -> tuple[list[str], list[str]]:
    """The sentences under a heading of wishes or rules, each with the name of whose they are before it."""
    found = []
    for label, text in zip(labels, texts, strict=True):
        text = OPENS.sub("", text)
        told = f"{label}: {text}" if label and not text.startswith('"') else text
        found.append((label, text) if not person or person in told else (person, told))
    return [label for label, _ in found], [text for _, text in found]


def names_place(said: str) -> bool:
    """Whether a line under a heading that asks where things are can be a place: few words, no news."""
    if said.endswith("?") or len(said.split()) > _PLACE or bar.dated(said):
        return False
    return not (bar.passes(said) or bar.reports(said))


def whose(text: str) -> str:
    """The name that an entry begins with, as that of who wants it: `Ida, after …: "…"`"""
    name = _BY_WHOM.match(cues.bare(text))
    return name[1] if name else ""


def listed(texts: Sequence[str], kinds: Sequence[MemoryType | None]) -> list[int]:
    """The sentences of an entry that are what its heading announces: the first, and those like it up to
    where something is told.
    """
    found: list[int] = []
    for at, (said, kind) in enumerate(zip(texts, kinds, strict=True)):
        like = not (DANGLING.match(said) or _HAPPENED.search(said)) and len(telling_in(said)) > 1
        if kind in ("user", "feedback") or (
            is_stated(said) and (like or not (found or any(kinds)))
        ):
            found.append(at)
        elif found and len(said.split()) > _CALL:
            break
    return found


def is_stated(said: str) -> bool:
    """Whether a sentence under a heading that announces rules can be one: no report, no question."""
    if said.endswith(("?", ":")) or len(said.split()) < _SHORT:
        return False
    if bar.dated(norms.saying(said).words) or bar.is_of_a_moment(said):
        return False
    return '"' in said or not (
        said.startswith("I ")
        or _DEED.match(said)
        or bar.reports(said)
        or bar.hangs(said)
        or bar.passes(said)
    )
