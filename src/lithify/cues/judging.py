"""Which section the words of an entry belong to in their place, and whether they may not be lost."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from lithify.cues import learned
from lithify.cues import words as said
from lithify.cues.letters import bare, checkbox, small
from lithify.cues.phrases import tokens_of
from lithify.cues.places import (
    CONTEXT,
    DECISIONS,
    OPEN,
    OUTCOMES,
    announced,
    is_cause,
    label_of,
    place_of,
    settling,
)
from lithify.cues.stating import is_tentative, states_correction, states_prohibition
from lithify.cues.weighing import OUTRIGHT, PLAIN, SAID, is_calm, outside_brackets, weigh


def judge(text: str, lead: str, headings: tuple[str, ...]) -> tuple[str, bool]:
    """The section of these words in this place, and whether they may not be lost."""
    place, under_settled = place_of(lead, headings)
    section, kept = _judge(text, place, under_settled)
    if place == OPEN and section == OUTCOMES and _is_to_come(text, lead or headings[-1]):
        return OPEN, True
    if lead and section != place and checkbox(text) is None and _lead_weakens(lead, section):
        return CONTEXT, False
    return section, kept


@lru_cache(maxsize=1 << 12)
def _is_to_come(text: str, over: str) -> bool:
    """Whether a line of a list for a day to come says what is to be so then: "pump back to 3 bar"."""
    coming = said.FOR_A_DAY.match(small(bare(over))) is not None
    return coming and checkbox(text) is None and not said.HAS_BEEN.search(small(text))


@lru_cache(maxsize=1 << 12)
def _lead_weakens(lead: str, section: str) -> bool:
    """Whether a lead-in is over what might be, or over what explains a thing and leaves none open."""
    over = small(lead)
    return bool(said.OPTIONS.search(over) or (section == OPEN and said.EXPLAINS.search(over)))


@lru_cache(maxsize=1 << 12)
def _judge(text: str, place: str, under_settled: bool) -> tuple[str, bool]:
    """The same where a heading or lead-in announces `place`, or says that all under it is settled."""
    cued = by_cues(text, place, under_settled)
    if cued.is_sure or cued.section == cued.place:
        return cued.section, cued.kept
    words = bare(text)
    if max(weigh(words)[:3]) >= OUTRIGHT:
        # What is said outright is believed whatever the other words are.
        return cued.section, cued.kept
    section = learned.section_of(seen_in(words, cued), cued.section)
    if section == DECISIONS != cued.section and _is_nobodys(words):
        section = cued.section
    return section, cued.kept or section == OPEN != cued.section


def _is_nobodys(words: str) -> bool:
    """Whether words tell no choice of anybody: something is thought of, or somebody heard it."""
    return is_tentative(words) or said.HEARSAY.search(small(words)) is not None


def seen_in(words: str, cued: Cued) -> Iterator[learned.Feature]:
    """What of bare words and their cues the learned weights are for."""
    tokens = outside_brackets(tokens_of(words))
    return learned.features(tokens, cued.place, cued.section, cued.kept, weigh(words))


class Cued(NamedTuple):
    """What the cues make of an entry; `is_sure` where its writer says so by a mark or a label."""

    section: str
    kept: bool
    place: str
    is_sure: bool = False


def by_cues(text: str, place: str, under_settled: bool) -> Cued:
    """The section that marks, labels and phrases tell, in a place that announces one or none."""
    words = bare(text)
    label = label_of(text)
    labelled = announced(label) if label else ""
    place = labelled or place
    body = words[len(label) :].lstrip(" :\u202f\u00a0") if label else words
    if label and not labelled and _is_talk(label, body):
        return Cued(
            CONTEXT, bool(said.SWORN.search(small(body))) and not words.endswith("?"), place, True
        )
    weights = weigh(words)
    # What forbids is no chore, though it may name one.
    forbids = states_prohibition(text) and weights.decision >= weights.routine
    quiet = is_calm(weights) and not forbids
    box = checkbox(text)
    if box is not None:
        return Cued(*((OUTCOMES, not quiet) if box else (OPEN, True)), place, True)
    if said.TICKED_OFF.search(words):
        return Cued(OUTCOMES, not quiet, place, True)
    settled = settling(label) if label else under_settled
    if settled and labelled != OPEN and not words.endswith("?"):
        return Cued(OUTCOMES, not quiet, place, True)
    if place == DECISIONS and is_tentative(body):
        return Cued(OPEN, not quiet, place, True)
    if labelled == OPEN or place == DECISIONS:
        # A choice among decisions is one, though it names a chore: "Use tabs for indentation".
        chosen = place == DECISIONS and weights.decision >= PLAIN
        return Cued(place, chosen or not quiet, place, True)
    if said.LESSON.match(words):
        section = DECISIONS if weights.decision >= PLAIN else CONTEXT
        return Cued(section, True, place)
    if _unblocks(body) and not body[:8].lower().startswith(("no ", "nothing ")):
        return Cued(OUTCOMES, not body.endswith("?"), place, True)
    if quiet:
        return Cued(place or CONTEXT, False, place)
    section, kept = _weighed(words, place)
    if section == OPEN and labelled == OUTCOMES and weights.open < OUTRIGHT and words[-1] != "?":
        # What its writer calls a result is one, though it leaves something to be done.
        section = OUTCOMES
    if (
        section == OPEN != place
        and forbids
        and weights.decision >= PLAIN
        and said.FORBIDS.search(small(words))
    ):
        # What is forbidden is settled; the trouble it names is why.
        section = DECISIONS
    if section == DECISIONS != place and said.HEARSAY.search(small(words)) and not forbids:
        # What somebody heard is nobody's choice.
        section = CONTEXT
    if section == OPEN != place and (is_cause(label) or said.ANSWERED.match(small(words))):
        section = OPEN if said.UNKNOWN.search(small(body)) else CONTEXT
    return Cued(section, kept or forbids, place)


def _unblocks(body: str) -> bool:
    near = "block" in body or "stuck" in body or "waiting" in body
    return near and said.UNBLOCKED.search(small(body)) is not None


def _weighed(body: str, place: str) -> tuple[str, bool]:
    """What words that report no chore say, under a heading that announces `place`."""
    weights = weigh(body)
    outcome, decision, stuck = weights[:3]
    if body.endswith("?"):
        asked = stuck >= PLAIN or place == OPEN or said.QUESTION.match(small(body)) is not None
        return (OPEN, True) if asked else (place or CONTEXT, False)
    if place == OPEN:
        # What is sent off but not here yet is still waited for.
        done = outcome >= PLAIN > stuck
        return (OUTCOMES, True) if done else (OPEN, True)
    if place == OUTCOMES:
        outcome += 1.5
    heaviest = max(outcome, decision, stuck)
    if heaviest < SAID or weights.context > heaviest:
        return (place or CONTEXT), bool(place) or states_correction(body)
    kept = heaviest >= PLAIN or place == OUTCOMES or states_correction(body)
    if stuck == heaviest:
        return OPEN, kept
    if decision == heaviest:
        return (place or CONTEXT, False) if is_tentative(body) else (DECISIONS, kept)
    return OUTCOMES, kept


def is_talk(text: str) -> bool:
    """Whether a line is someone's part in a conversation, and not a log's own words."""
    words = bare(text)
    label = label_of(text)
    return label != "" and not announced(label) and _is_talk(label, words[len(label) :])


def _is_talk(label: str, body: str) -> bool:
    return label.istitle() and said.TALK.search(small(body)) is not None
