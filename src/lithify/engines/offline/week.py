"""A week out of its days: fold, cover, pack, to the length asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lithify import cues
from lithify.engines.offline.bullets import DATE, Bullet, Packing, beside, claims_of, total_cost
from lithify.engines.offline.cover import DEFAULT, Taste, ranked
from lithify.engines.offline.fold import chores_of, fold
from lithify.engines.offline.headings import subject_of
from lithify.engines.offline.leaning import lacks_subject
from lithify.engines.offline.pairs import told_in
from lithify.engines.offline.text import LIMIT, split, tokens_in
from lithify.engines.offline.units import Unit
from lithify.values import COMBINED_SECTIONS, WEEK_SECTIONS, Brief, Draft

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
#: What a chore of every day is worth.
_CHORE = 0.4


def write_week(brief: Brief, taste: Taste = DEFAULT) -> Draft:
    """The week's bullets, as near to the target length as whole sentences allow."""
    routine = chores_of(brief.entries)
    units = fold([_calmed(unit, routine) for unit in with_nouns(told_in(brief.entries))])
    target = max(1, brief.target - (HEADINGS if brief.size > 400 else 0))
    order = ranked(units, 1.5 * target, taste, beside)
    bullets = fitted(order, target, Packing(apart=True))
    sections = brief.sections or WEEK_SECTIONS
    if "Outcomes" in sections:
        for bullet in bullets:
            bullet.section = _COMBINED[bullet.section]
    return Draft(claims=claims_of(bullets, sections, brief.trusted))


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
            or not (cues.is_cause(unit.label) if unit.label else lacks_subject(unit.text))
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


def _opening(unit: Unit) -> Unit:
    """The first of the sentences a unit is made of, where the others may be left out."""
    head = split(unit.text)[0]
    return unit if unit.must else replace(unit, text=head, tokens=tokens_in(head))


def _one(first: Unit, second: Unit) -> Unit | None:
    """Two lines of one place as one sentence, if a bullet can hold it."""
    if (first.entry.day, first.place) != (second.entry.day, second.place):
        return None
    if first.label or subject_of(first.place)[0] or cues.checkbox(first.entry.text) is not None:
        return None
    begun = first.text if first.text[-1:] in ".!?" else f"{first.text.rstrip(' ,;:')}."
    text = f"{begun} {f'{second.label}: ' if second.label else ''}{second.text}"
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
        section=second.section if second.must and not second.label else first.section,
        must=first.must or second.must,
        worth=max(first.worth, second.worth),
        # Its words stand in the bullet, so it is cited however many say the same.
        folded=[*first.folded, replace(second, must=True), *second.folded],
    )


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
