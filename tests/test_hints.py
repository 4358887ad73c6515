"""A text is only searched for a cue where it holds a hint, and in small letters: none goes missing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lithify import cues
from lithify.cues import weighing
from lithify.cues import words as said
from lithify.cues.letters import hinted, small
from lithify.engines.offline.lasting import reversals
from lithify.engines.offline.matters import shifts
from lithify.text.atoms import figures
from lithify.text.dates import VERBATIM
from lithify.verify import claims

#: Letters that a pattern which knows no case takes for an i, an s and a k.
ODD = "İıſ\u212a"
SMALL = "BINDS COMMITS CORRECTION DENIAL DOUBTS FUTURE HEDGE LEANING_DENIAL NEGATED PRACTICE"
SMALL += " PROHIBITION QUESTION REASON RESOLVED STANDING SWORN TALK TENTATIVE UNBLOCKED"


@settings(max_examples=400, deadline=None)
@given(st.from_regex(said.HEDGE))
def test_every_reserve_is_hinted_at(text: str) -> None:
    # "ſ" and "K" (Kelvin) are an s and a k to a pattern that knows no case; nobody writes them.
    if text.isascii():
        assert any(hint in text.lower() for hint in said.HEDGE_HINTS)


#: Each pattern, and what is asked first: where it says no, the pattern is never tried.
GUARDED = {
    "resolved": (said.RESOLVED, lambda text: hinted(said.RESOLVED_HINTS, text)),
    "correction": (said.CORRECTION, lambda text: hinted(said.CORRECTION_HINTS, text)),
    "prohibition": (said.PROHIBITION, lambda text: hinted(said.PROHIBITION_HINTS, text)),
    "none of": (said.NONE_OF, lambda text: any(h in text.lower() for h in weighing._NONE_HINTS)),
    "turned away": (reversals._AWAY, reversals._is_hinted),
    "outright": (reversals._OUTRIGHT, reversals._is_hinted),
    "gone": (reversals._GONE, reversals._is_hinted),
    "from to": (shifts._FROM_TO, shifts._MAY_SHIFT.search),
    "replaced": (shifts._REPLACED, shifts._MAY_SHIFT.search),
    "was": (shifts._WAS_SAID, shifts._MAY_SHIFT.search),
}


@pytest.mark.parametrize("name", GUARDED)
def test_a_guard_lets_through_what_its_pattern_is_for(name: str) -> None:
    pattern, guard = GUARDED[name]

    @settings(max_examples=200, deadline=None)
    @given(st.from_regex(pattern))
    def check(text: str) -> None:
        if text.isascii() and text.isprintable():
            assert guard(text)

    check()


@pytest.mark.parametrize("text", ["The build is green.", "The parts are in.", "C'est réparé."])
def test_what_is_over_is_seen_though_it_is_said_in_few_words(text: str) -> None:
    assert cues.settles(text)


def test_where_something_is_does_not_settle_it() -> None:
    assert not cues.settles("The report is in the folder.")


@settings(max_examples=200, deadline=None)
@given(st.from_regex(claims._POINTERS))
def test_every_pointer_is_hinted_at(text: str) -> None:
    assert hinted(claims._POINTING, small(text))


@settings(max_examples=200, deadline=None)
@given(st.from_regex(figures._TIME))
def test_every_time_of_day_has_a_colon_or_a_half(text: str) -> None:
    assert ":" in text or figures._HALF.search(text)


@settings(max_examples=200, deadline=None)
@given(st.from_regex(VERBATIM))
def test_every_quotation_has_its_mark(text: str) -> None:
    assert any(mark in text for mark in figures._QUOTES) or figures._QUOTED.search(text)


@given(st.text(), st.sampled_from(ODD))
def test_small_letters_stand_where_the_letters_stood(text: str, odd: str) -> None:
    for one in (text, odd):
        assert len(small(one)) == len(one)
        assert [bool(re.match(r"\w", c)) for c in small(one)] == [
            c.isalnum() or c == "_" for c in one
        ]


@pytest.mark.parametrize("name", SMALL.split())
def test_small_letters_are_read_as_without_case(name: str) -> None:
    pattern: re.Pattern[str] = getattr(said, name)
    caseless = re.compile(pattern.pattern, re.I)

    @settings(max_examples=40, deadline=None)
    @given(st.from_regex(caseless), st.text(f"aN't s,.{ODD}", max_size=6))
    def check(text: str, before: str) -> None:
        for one in (text, before + text):
            found, meant = pattern.search(small(one)), caseless.search(one)
            assert (found and found.span()) == (meant and meant.span())

    check()
