"""A week out of its days: fold, cover, pack, to the length asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.matters.counts import as_it_stands, counts_of
from lithify.engines.offline.matters.pairs import told_in
from lithify.engines.offline.matters.still import is_listed
from lithify.engines.offline.page.bullets import (
    DATE,
    Bullet,
    Packing,
    beside,
    claims_of,
    closed,
    stopped,
    total_cost,
)
from lithify.engines.offline.page.cover import DEFAULT, Taste, ranked
from lithify.engines.offline.page.fold import chores_of, fold
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.leaning import lacks_subject
from lithify.engines.offline.reading.sentences import USER
from lithify.engines.offline.reading.talk import is_talk
from lithify.engines.offline.reading.text import LIMIT, follows_on, is_chatter, split, tokens_in
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
HEADINGS = 12
_TRIES = 6
_LONG, _SHORT = 24, 12
#: What a chore of every day is worth; what competes though it states something, and what is open.
_CHORE, _STATES, _WAITS = 0.4, 1.25, 2.0
#: Tokens up to which an entry is told whole, and as many as a subject may take.
_WHOLE, _SUBJECT = 40, 8
#: A sentence of fewer tokens is seldom understood without the rest of its entry, or without how the
#: entry begins; a bullet has as many besides its sentence.
_CURT, _BRIEF, _BESIDES = 14, 18, 7
#: So many sentences make a paragraph of prose.
_PROSE = 2
#: The part of its sources that a page may take: what is put back afterwards needs a little.
_FULL = BAND[1] - 0.01
#: A result with a version is looked for by it, and never gives way; nor does one that is labelled so.
_VERSION = re.compile(r"\d\.\d+\.\d|\bv\d+\.\d")
#: The part of its page that what may not be lost can take before the page is crowded.
_ROOMY = 0.8
#: A week of as few tokens is told with all its results.
_SLIGHT = SHORT_INPUT // 2
#: On a crowded page words that stand together tell more than single words and figures do, and a
#: bullet more where it holds more of an entry.
_CROWDED = replace(DEFAULT, pair=0.5, atom=1.5, reach=10, opening=10.0, joining=1.0)


def write_week(brief: Brief, taste: Taste = DEFAULT) -> Draft:
    """The week's bullets, as near to the target length as whole sentences allow."""
    target = _room(brief)
    stated = _stated(brief.entries, target, brief.size)
    if stated.is_crowded:
        target, taste = min(3 * target // 2, int(_FULL * brief.size) - _headings(brief)), _CROWDED
    order = ranked(stated.units, 1.5 * target, taste, beside)
    bullets = fitted(order, target, Packing(apart=True))
    sections = brief.sections or WEEK_SECTIONS
    if "Outcomes" in sections:
        for bullet in bullets:
            bullet.section = _COMBINED[bullet.section]
    return Draft(claims=claims_of(bullets, sections, brief.trusted))


def crowded_out(brief: Brief) -> frozenset[str]:
    """Ids of the entries that have no sure place, in a week that states more than fits a page."""
    return _stated(brief.entries, _room(brief), brief.size).competing


def _room(brief: Brief) -> int:
    return max(1, brief.target - _headings(brief))


def _headings(brief: Brief) -> int:
    """Tokens of a page's headings, where its length counts them."""
    return HEADINGS if brief.size > SHORT_INPUT else 0


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
    units = fold([_calmed(unit, routine) for unit in in_passages(with_openings(with_nouns(told)))])
    needed = sum([unit.tokens + _BESIDES for unit in units if unit.must])
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


def with_openings(units: Sequence[Unit], most: float = 0.0) -> list[Unit]:
    """The sentences, what may not be lost of an entry made one with what the entry begins with.

    What says nothing alone is told with its opening always, and a curt statement with the rest of
    a short entry. For others that rest, or the opening of a longer one, is told too while there is
    room in the `most` that a page may have.
    """
    spent = 0
    said = Counter([unit.stems for unit in units])
    entries: dict[tuple[str, int], list[Unit]] = {}
    for unit in units:
        entries.setdefault((unit.entry.id, unit.line), []).append(unit)
    told: dict[tuple[str, int], Unit] = {}
    wider: list[tuple[int, tuple[str, int], Unit]] = []
    for key, group in entries.items():
        stated = [unit for unit in group if unit.must and unit.label != USER]
        spent += sum(unit.tokens + _BESIDES for unit in stated)
        if len(group) == 1 or len(stated) != 1 or cues.is_talk(group[0].entry.text):
            continue
        # What many entries begin with says nothing of this one.
        own = [unit for unit in group if unit.must or said[unit.stems] == 1]
        alone = stated[0]
        whole = _whole(own, alone) or _opened(own, alone)
        opened = _opened(own, alone) if _needs_opening(alone, own) else alone
        told[key] = whole if alone.tokens < _CURT else opened
        spent += told[key].tokens - alone.tokens
        if whole.tokens > told[key].tokens:
            wider.append((whole.tokens - told[key].tokens, key, whole))
    for more, key, whole in sorted(wider, key=lambda one: one[0]):
        spent += more
        if spent > most:
            break
        told[key] = whole
    kept: list[Unit] = []
    for key, group in entries.items():
        one = told.get(key)
        gone = {unit.at for unit in (one, *one.folded)} if one else frozenset[int]()
        kept += [unit for unit in group if unit.at not in gone]
        kept += [one] if one else []
    return sorted(kept, key=lambda unit: unit.at)


def in_passages(units: Sequence[Unit]) -> list[Unit]:
    """The sentences, those of one entry in passages: most things are said in more than one."""
    if is_talk(units):
        return [*units]
    found: list[Unit] = []
    for _, group in groupby(units, key=lambda unit: (unit.entry.id, unit.line, unit.label)):
        own = [*group]
        if len(own) < _PROSE or cues.is_talk(own[0].entry.text):
            found += own
            continue
        parts = [own[0]]
        for unit in own[1:]:
            if _are_apart(parts, unit) or not _passage([*parts, unit]):
                found.append(_passage(parts) or parts[0])
                parts = []
            parts.append(unit)
        found.append(_passage(parts) or parts[0])
    return found


def _are_apart(parts: Sequence[Unit], unit: Unit) -> bool:
    """Whether a sentence after others begins another thing, or stands in another section."""
    sections = {one.section for one in (*parts, unit)}
    firm = {one.section for one in (*parts, unit) if one.must}
    is_open = cues.OPEN in sections and len(sections) > 1
    return is_open or len(firm) > 1 or parts[-1].text[-1:] == "?"


def _passage(parts: Sequence[Unit]) -> Unit | None:
    """Sentences of one paragraph as one, if a bullet can hold it."""
    if len(parts) == 1:
        return parts[0]
    stated = max(parts, key=lambda unit: (unit.must, unit.section != cues.CONTEXT))
    one = _as_one(parts, stated)
    if one is None:
        return None
    must = any(unit.must for unit in parts)
    return replace(one, must=must, worth=max(unit.worth for unit in parts), leans=parts[0].leans)


def _needs_opening(stated: Unit, group: Sequence[Unit]) -> bool:
    """Whether a sentence would not be understood without the one its entry begins with."""
    if stated is group[0]:
        return False
    return stated.leans or stated.label != "" or not stated.firm or stated.tokens < _BRIEF


def _opened(group: Sequence[Unit], stated: Unit) -> Unit:
    """A sentence with the one its entry begins with, or with that before it where it leans on it."""
    at = group.index(stated)
    before = group[at - 1 if stated.leans else 0]
    if at == 0 or _is_idle(before):
        return stated
    return _as_one([before, stated], stated) or stated


def _whole(group: Sequence[Unit], stated: Unit) -> Unit | None:
    """A short entry as one sentence, where none of its sentences is idle."""
    if sum(unit.tokens for unit in group) > _WHOLE or any(map(_is_idle, group)):
        return None
    return _as_one(group, stated)


def _is_idle(unit: Unit) -> bool:
    """Whether a sentence adds nothing to the others of its entry."""
    return unit.text[-1:] in "?:" or cues.is_routine(unit.text) or is_chatter(unit.text)


def _as_one(parts: Sequence[Unit], stated: Unit) -> Unit | None:
    """Sentences of one entry as one, if a bullet can hold it and none has another speaker."""
    first = parts[0]
    if any(unit.label != first.label for unit in parts):
        return None
    text = " ".join([closed(unit.text, last=unit is parts[-1]) for unit in parts])
    if tokens_in(text) + tokens_in(first.label) > LIMIT - DATE - _SUBJECT:
        return None
    return replace(
        first,
        text=text,
        tokens=tokens_in(text),
        stems=tuple(stem for unit in parts for stem in unit.stems),
        atoms=frozenset[str]().union(*(unit.atoms for unit in parts)),
        firm=frozenset[str]().union(*(unit.firm for unit in parts)),
        section=stated.section,
        must=True,
        worth=stated.worth,
        folded=[
            *(replace(one, folded=[]) for one in parts[1:]),
            *(twin for one in parts for twin in one.folded),
        ],
    )


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


def fitted(
    order: Sequence[Unit], target: int, pack: Callable[[Sequence[Unit]], list[Bullet]]
) -> list[Bullet]:
    """As much of the order as fits the target once packed, best first; must-keeps stay."""
    least = sum(1 for unit in order if unit.must)
    low, high = least, len(order)
    best = pack(order[:low])
    if not order or total_cost(best) >= target:
        return best
    middle = _guess(order, target, low)
    while low < high:
        bullets = pack(order[:middle])
        cost = total_cost(bullets)
        if cost <= target:
            low, best = middle, bullets
            step = max(1, (target - cost) // _LONG)
            middle = min(high, low + step) if step * 2 < high - low else (low + high + 1) // 2
        else:
            high = middle - 1
            step = max(1, (cost - target) // _SHORT)
            middle = max(low + 1, middle - step) if step * 2 < high - low else (low + high + 1) // 2
    chosen = list(order[:low])
    for unit in order[low : low + _TRIES]:
        if unit.leans and not any(one.at == unit.at - 1 for one in chosen):
            continue
        bullets = pack([*chosen, unit])
        if total_cost(bullets) <= target:
            chosen.append(unit)
            best = bullets
    return best


def _guess(order: Sequence[Unit], target: int, least: int) -> int:
    """About how many sentences fit, to begin the search near the answer."""
    total = 0.0
    for number, unit in enumerate(order):
        total += unit.tokens * 1.15 + 3
        if total > target:
            return max(least + 1, number)
    return len(order)
