"""Whether two texts say nearly the same, or the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from lithify.recall.revise import CHANGED, values_of

#: A thing planned, done and undone is three facts.
_STATUS = {
    **dict.fromkeys(
        ("decided", "planned", "will", "should", "would", "propose", "proposed"), "plan"
    ),
    **dict.fromkeys(("not", "never", "cancelled", "canceled", "reversed", "failed"), "undone"),
    **dict.fromkeys(("refused", "blocked"), "undone"),
    **dict.fromkeys(("released", "shipped", "deployed", "launched", "resolved", "fixed"), "done"),
    **dict.fromkeys(("finished", "done", "delivered", "merged", "paid", "closed"), "done"),
    **dict.fromkeys(("renewed", "signed"), "done"),
}
_BOXES = {"[ ]": "plan", "[x]": "done"}
_NAME = r"(?<=[\w,;:)|] )[A-Z][\w’'-]*"


def alike(one: frozenset[str], other: frozenset[str], share: float = 0.5) -> bool:
    """Whether two texts say nearly the same, by the terms they have in common."""
    here, there = len(one), len(other)
    if here < share * there or there < share * here:
        return False
    common = len(one & other)
    return common >= share * (here + there - common)


def signs_of(terms: frozenset[str], common: Mapping[str, float]) -> list[str]:
    """Terms of a text of which any other that is alike has one as well, among its own signs.

    They are the first half in one order for all; those that most texts have come last in it.
    """
    half = len(terms) // 2 + 1
    signs = sorted(terms.difference(common), reverse=True)[:half]
    if len(signs) < half:
        signs += sorted(terms.intersection(common), reverse=True)[: half - len(signs)]
    return signs


@lru_cache(maxsize=4096)
def _facts(text: str) -> tuple[frozenset[str], frozenset[str], bool]:
    low = text.lower()
    status = {_STATUS[word] for word in _STATUS.keys() & re.split(r"\W+", low)}
    status.update(what for box, what in _BOXES.items() if box in low)
    changed = bool(values_of(text).pairs) and re.search(CHANGED, low) is not None
    return frozenset(status), frozenset(map(str.lower, re.findall(_NAME, text))), changed


def tells_more(text: str, other: str) -> bool:
    """Whether a text that says nearly the same as another says a fact that the other does not.

    That is a value, a name, or that something is planned, done, undone or changed.
    """
    if not values_of(text).pairs <= values_of(other).pairs:
        return True
    status, names, changed = _facts(text)
    also, _, other_changed = _facts(other)
    if status != also or changed != other_changed:
        return True
    low = other.lower()
    return any(name not in low for name in names)
