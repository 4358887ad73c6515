"""A text is only searched for a cue where it holds a hint: no cue may go without one."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lithify.cues import words as said


@settings(max_examples=400, deadline=None)
@given(st.from_regex(said.HEDGE))
def test_every_reserve_is_hinted_at(text: str) -> None:
    # "ſ" and "K" (Kelvin) are an s and a k to a pattern that knows no case; nobody writes them.
    if text.isascii():
        assert any(hint in text.lower() for hint in said.HEDGE_HINTS)
