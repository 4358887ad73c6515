"""What was read a moment ago is kept while there is room."""

from __future__ import annotations

from lithify.compact.kept import Kept


def test_what_was_put_first_goes_first_whoever_asks_for_it() -> None:
    kept: Kept[tuple[int, ...]] = Kept(4)
    kept.put("a", (1, 2))
    kept.put("b", (3, 4))
    assert kept.get("a") == (1, 2)
    kept.put("c", (5,))
    assert kept.get("a") is None
    assert kept.get("b") == (3, 4) and kept.get("c") == (5,)


def test_one_that_is_too_large_is_kept_alone() -> None:
    kept: Kept[tuple[int, ...]] = Kept(2)
    kept.put("small", (1,))
    kept.put("large", (1, 2, 3))
    assert kept.get("small") is None
    assert kept.get("large") == (1, 2, 3)


def test_a_dropped_or_replaced_value_leaves_its_room() -> None:
    kept: Kept[tuple[int, ...]] = Kept(3)
    kept.put("a", (1, 2, 3))
    kept.put("a", (1,))
    kept.put("b", (2, 3))
    assert kept.get("a") == (1,)
    kept.drop("b")
    kept.put("c", (4, 5))
    assert kept.get("a") == (1,) and kept.get("c") == (4, 5)
