"""What a memory is about, where its own words do not say it: its heading, its label, or the sentence before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.lasting import announcing, pointers
from lithify.engines.offline.lasting.reasons import ROOM
from lithify.engines.offline.lasting.said import Said
from lithify.engines.offline.lasting.telling import (
    is_of_nothing,
    sentence_of,
    telling_in,
    unnamed_matter,
)
from lithify.engines.offline.lasting.titles import title_of
from lithify.engines.offline.reading.headings import subject_of, timeless
from lithify.store.names import slug
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.text.tokens import estimate
from lithify.values import TypedMemory

_ARTICLE = re.compile(r"^(?:the|an?|our|my|its|all|both) ", re.I)
#: What an entry begins with in bold letters.
_BOLD = re.compile(r"\*\*([^*.?!]{3,40}[:.]?)\*\*(?= ?[(:A-Z])")
#: What somebody has charge of must be told besides.
_CHARGE = re.compile(
    r"\b(?:owns|takes over|is (?:in charge|responsible|the (?:owner|lead|contact)))"
    r" (?:for |of )?(?:the )?(?P<what>\w+)\W*$"
)
#: Telling words that name a thing, and as many of them as make a topic.
_NAMED = 2
_TOPIC = 4
#: As many sentences before a place may tell what is there.
_BEFORE = 3


def located(memory: TypedMemory, said: Said, before: Sequence[str]) -> TypedMemory | None:
    """The memory of a place, named by the thing that is there, or by the words that tell what it is.

    Nothing where no words do: `Notes in …`
    """
    statement = _placed(said, memory.statement, before)
    thing = "" if pointers.leans_back(said.text) else pointers.name_of(said.points_to)
    name = title_of(_ARTICLE.sub("", thing)) if telling_in(thing) else ""
    if pointers.name_of(name):
        return memory._replace(statement=statement, name=name)
    telling = telling_in(pointers.without_address(statement))
    if not telling or (pointers.leans_back(said.text) and statement == memory.statement):
        return None
    topic = slug(" ".join(telling[:_TOPIC]))
    return memory._replace(statement=statement, name=title_of(statement), topic=topic)


def _placed(said: Said, statement: str, before: Sequence[str]) -> str:
    """The statement of a place with what tells what is there, where `it` or `the letter` is not enough:
    the sentence before it, or its heading.
    """
    told = [one for one in before[-_BEFORE:] if len(telling_in(one)) >= _NAMED]
    told = told if told and estimate(told[-1]) <= 2 * ROOM else []
    if pointers.leans_back(said.text):
        # The fullest of them: a few words beside it (`Size unknown.`) tell nothing.
        first = max(reversed(told), key=lambda one: len(telling_in(one)), default="")
        return f"{sentence_of(first)} {statement}" if first else about(said, statement)
    named = pointers.name_of(said.points_to)
    stems = [stem for stem in stems_of(said.points_to) if stem not in COMMON_STEMS]
    address = pointers.address_in(statement)
    numbered = pointers.is_numbered(said.text)
    if numbered or (address and not named):
        under = about(said, statement)
        few = len(telling_in(pointers.without_address(statement))) < _NAMED + numbered
        alone = few and under == statement and not said.points_to.endswith("s")
        return f"{sentence_of(told[-1])} {statement}" if told and alone else under
    if len(stems) > 1 or said.spoken != said.text or address:
        return statement
    for one in reversed(before):
        if set(stems) & set(stems_of(one)) and estimate(one) <= ROOM:
            return f"{sentence_of(one)} {statement}"
    return about(said, statement)


def about(said: Said, statement: str) -> str:
    """The statement under its heading's subject: it does not say itself what it is about."""
    if announcing.under(said.entry.headings):
        return statement
    about = _labelled(said.entry.text) or timeless(subject_of(said.entry.headings)[0])
    told = telling_in(pointers.without_address(statement))
    if not about or said.spoken != said.text or set(telling_in(about)) & set(told):
        return statement
    return f"{about}: {statement}"


def _labelled(text: str) -> str:
    """What an entry begins with in bold letters, as a heading of its own; no section's name, no sentence."""
    bold = _BOLD.match(text)
    if bold is None or cues.announced(bold[1]):
        return ""
    return timeless(subject_of((bold[1].rstrip(":. "),))[0])


def lacks_matter(memory: TypedMemory) -> bool:
    """Whether a decision, or who has charge of a thing, does not say what that is."""
    if memory.type == "project":
        return is_of_nothing(memory.statement)
    charge = _CHARGE.search(memory.statement) if memory.type == "user" else None
    return charge is not None and len(unnamed_matter(charge["what"])) < _NAMED
