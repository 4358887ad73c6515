"""A week out of its days: fold, cover, pack, to the length asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lithify.engines.offline.bullets import Bullet, Packing, claims_of, total_cost
from lithify.engines.offline.cover import DEFAULT, Taste, ranked
from lithify.engines.offline.fold import fold
from lithify.engines.offline.pairs import told_in
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


def write_week(brief: Brief, taste: Taste = DEFAULT) -> Draft:
    """The week's bullets, as near to the target length as whole sentences allow."""
    units = fold(told_in(brief.entries))
    target = max(1, brief.target - (HEADINGS if brief.size > 400 else 0))
    order = ranked(units, 1.5 * target, taste)
    bullets = fitted(order, target, Packing())
    sections = brief.sections or WEEK_SECTIONS
    if "Outcomes" in sections:
        for bullet in bullets:
            bullet.section = _COMBINED[bullet.section]
    return Draft(claims=claims_of(bullets, sections, brief.trusted))


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
