"""A week out of its days: fold, cover, pack, to the length asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.matters.boxes import is_listed
from lithify.engines.offline.matters.closed import before_closing
from lithify.engines.offline.matters.counts import as_it_stands, counts_of
from lithify.engines.offline.matters.pairs import told_in
from lithify.engines.offline.page.bullets import (
    DATE,
    Packing,
    beside,
    claims_of,
    stopped,
)
from lithify.engines.offline.page.cover import DEFAULT, Taste, ranked
from lithify.engines.offline.page.fitting import fitted, headings_of, target_of
from lithify.engines.offline.page.fold import chores_of, fold
from lithify.engines.offline.page.passages import BESIDES, CURT, in_passages
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.leaning import lacks_subject
from lithify.engines.offline.reading.sentences import USER
from lithify.engines.offline.reading.text import LIMIT, follows_on, split, tokens_in
from lithify.engines.offline.reading.units import Unit
from lithify.values import (
    BAND,
    COMBINED_SECTIONS,
    SHORT_INPUT,
    WEEK_SECTIONS,
    Brief,
    Draft,
    Entry,
)

_COMBINED = dict(
    zip(
        WEEK_SECTIONS,
        (COMBINED_SECTIONS[1], COMBINED_SECTIONS[0], *COMBINED_SECTIONS[2:]),
        strict=True,
    )
)
#: What a chore of every day is worth; what competes though it states something, and what is open.
_CHORE, _STATES, _WAITS = 0.4, 1.1, 1.5
#: And what was said of a ticket that is closed.
_CLOSED = 0.5
#: The part of its sources that a page may take: what is put back afterwards needs a little.
_FULL = BAND[1] - 0.01
#: A result with a version is looked for by it, and never gives way; nor does one that is labelled so.
_VERSION = re.compile(r"\d\.\d+\.\d|\bv\d+\.\d")
_REASON = re.compile(r"(?:the )?(?:reasons?|grounds)\b[^.;:]{0,20}:|because\b", re.I)
#: The part of its page that what may not be lost can take before the page is crowded.
_ROOMY = 0.8
#: A week of as few tokens is told with all its results.
_SLIGHT = SHORT_INPUT // 2
#: On a crowded page words that stand together tell more than single words and figures do, and a
#: bullet more where it holds more of an entry.
_CROWDED = replace(DEFAULT, pair=0.5, atom=3.0, reach=10, opening=10.0, joining=1.0)


def write_week(brief: Brief, taste: Taste = DEFAULT) -> Draft:
    """The week's bullets, as near to the target length as whole sentences allow."""
    target = target_of(brief)
    stated = _stated(brief.entries, target, brief.size)
    if stated.is_crowded:
        target, taste = min(3 * target // 2, int(_FULL * brief.size) - headings_of(brief)), _CROWDED
    order = ranked(stated.units, 1.5 * target, taste, beside)
    bullets = fitted(order, target, Packing(apart=True))
    sections = brief.sections or WEEK_SECTIONS
    if "Outcomes" in sections:
        for bullet in bullets:
            bullet.section = _COMBINED[bullet.section]
    return Draft(claims=claims_of(bullets, sections, brief.trusted))


def crowded_out(brief: Brief) -> frozenset[str]:
    """Ids of the entries that have no sure place, in a week that states more than fits a page."""
    return _stated(brief.entries, target_of(brief), brief.size).competing


class _Stated(NamedTuple):
    """What a week says; where more of it may not be lost than fits, some of that competes."""

    units: tuple[Unit, ...]
    is_crowded: bool
    competing: frozenset[str]


@lru_cache(maxsize=2)
def _stated(entries: tuple[Entry, ...], target: int, size: int) -> _Stated:
    counts = counts_of(entries)
    routine = chores_of(entries) | counts.overtaken
    told = [as_it_stands(unit, counts) for unit in told_in(entries)]
    own = _said_once(with_nouns(_with_reasons(told)))
    ended = before_closing(own)
    own = [replace(u, worth=u.worth * _CLOSED) if u.at in ended else u for u in own]
    units = fold([_calmed(unit, routine) for unit in in_passages(own)])
    needed = sum([unit.tokens + BESIDES for unit in units if unit.must])
    if size <= _SLIGHT or needed <= _ROOMY * target:
        return _Stated(tuple(units), False, frozenset())
    competing, firm = set[str](), set[str]()
    for unit in units:
        if unit.must:
            ids = [one.entry.id for one in (unit, *unit.folded)]
            (competing if _gives_way(unit) else firm).update(ids)
    # An entry that reports a result and takes a decision is kept for the decision.
    competing -= firm
    spared = (_competing(u) if u.must and u.entry.id in competing else u for u in units)
    return _Stated(tuple(spared), True, frozenset(competing))


def _with_reasons(units: Sequence[Unit]) -> list[Unit]:
    """The sentences, the reason that is given right after a decision as sure to be kept as it is."""
    found: list[Unit] = []
    for unit in units:
        last = found[-1] if found else None
        if (
            last is not None
            and (last.entry.day, last.place) == (unit.entry.day, unit.place)
            and last.must
            and last.section == cues.DECISIONS
            and (cues.is_cause(unit.label) or _REASON.match(unit.text))
        ):
            unit = replace(unit, must=True, section=cues.DECISIONS)
        found.append(unit)
    return found


def _said_once(units: Sequence[Unit]) -> list[Unit]:
    """The sentences without those that repeat another; few words recur by chance, and stay."""
    long = fold([unit for unit in units if unit.tokens >= CURT])
    return sorted([*long, *(u for u in units if u.tokens < CURT)], key=lambda unit: unit.at)


def _gives_way(unit: Unit) -> bool:
    """Whether what a sentence states is neither decided nor obeyed later nor announced as open."""
    if unit.section == cues.DECISIONS or unit.label == USER:
        return False
    if cues.states_prohibition(unit.text) or cues.states_correction(unit.text):
        return False
    if unit.section == cues.OPEN:
        return not is_listed(unit)
    if cues.announced(cues.label_of(unit.entry.text)) == cues.OUTCOMES:
        return False
    return not _VERSION.search(unit.text)


def _competing(unit: Unit) -> Unit:
    """A sentence that states something without a sure place, worth more than one that does not."""
    more = _WAITS if unit.section == cues.OPEN else _STATES
    return replace(unit, must=False, worth=unit.worth * more)


def _calmed(unit: Unit, routine: frozenset[str]) -> Unit:
    """The sentence, worth little where it is a chore of every day."""
    if unit.entry.id not in routine:
        return unit
    return replace(unit, must=False, section=cues.CONTEXT, worth=unit.worth * _CHORE)


def with_nouns(units: Sequence[Unit]) -> list[Unit]:
    """The sentences, a line that begins with a pronoun made one with the line that has its noun."""
    kept: list[Unit] = []
    for unit in units:
        last = kept[-1] if kept else None
        if (
            last is None
            or last.entry is unit.entry
            or last.at != unit.at - 1
            or not _needs_line_above(unit)
        ):
            kept.append(unit)
            continue
        # What an entry is about stands in its first sentence.
        at = len(kept) - 1
        while at and kept[at - 1].entry is last.entry and kept[at - 1].line == last.line:
            at -= 1
        if joined := _one(kept[at], unit) or _one(_opening(kept[at]), unit):
            kept[at] = joined
        else:
            kept.append(unit)
    return kept


def _needs_line_above(unit: Unit) -> bool:
    if unit.label:
        return cues.is_cause(unit.label)
    return lacks_subject(unit.text) or follows_on(unit.entry.text)


def _opening(unit: Unit) -> Unit:
    """The first of the sentences a unit is made of, where the others may be left out."""
    head = split(unit.text)[0]
    return unit if unit.must else replace(unit, text=head, tokens=tokens_in(head))


def _one(first: Unit, second: Unit) -> Unit | None:
    """Two lines of one place as one sentence, if a bullet can hold it."""
    if (first.entry.day, first.place) != (second.entry.day, second.place):
        return None
    if first.box is not None:
        return None
    if (first.label or subject_of(first.place)[0]) and not follows_on(second.entry.text):
        return None
    text = f"{stopped(first.text)} {f'{second.label}: ' if second.label else ''}{second.text}"
    if tokens_in(text) > LIMIT - DATE - 2:
        return None
    return replace(
        first,
        text=text,
        tokens=tokens_in(text),
        stems=(*first.stems, *second.stems),
        atoms=first.atoms | second.atoms,
        firm=first.firm | second.firm,
        # A cause leaves a thing what it is; what was done about it may be more.
        section=_section_of(first, second),
        must=first.must or second.must,
        worth=max(first.worth, second.worth),
        # Its words stand in the bullet, so it is cited however many say the same.
        folded=[*first.folded, replace(second, must=True), *second.folded],
    )


def _section_of(first: Unit, second: Unit) -> str:
    """Where two lines stand that are told as one: what was chosen stays so, whatever is asked then."""
    settled = first.must and first.section == cues.DECISIONS
    return second.section if second.must and not (second.label or settled) else first.section
