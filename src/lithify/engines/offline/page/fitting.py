"""How much of an order of sentences fits a page of a length."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lithify.engines.offline.page.bullets import Bullet, total_cost
from lithify.engines.offline.reading.units import Unit
from lithify.values import SHORT_INPUT, Brief

_HEADINGS = 12
_TRIES = 6
_LONG, _SHORT = 24, 12


def target_of(brief: Brief) -> int:
    """Tokens for the bullets of a page: of a short input as many as of the longest of those.

    A share of three lines would be none of them. What nobody vouches for keeps to its share.
    """
    share = brief.target / max(1, brief.size)
    least = min(brief.size, int(SHORT_INPUT * share)) if brief.trusted else 1
    return max(1, least, brief.target - headings_of(brief))


def headings_of(brief: Brief) -> int:
    """Tokens of a page's headings, where its length counts them."""
    return _HEADINGS if brief.size > SHORT_INPUT else 0


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
