"""What the offline engine looks at once, or not at all, comes out as if it had looked every time."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from lithify import cues
from lithify.engines.offline.lasting import bar
from lithify.engines.offline.matters import readings
from lithify.engines.offline.matters.matter import (
    CROWD,
    FEWEST,
    Matter,
    Rarity,
    comes_after,
    telling,
)
from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.told import _TOLD, told_in
from lithify.engines.offline.page.bullets import Packing, written
from lithify.engines.offline.page.fold import SAME
from lithify.engines.offline.reading.units import Unit, stem_counts, units_of
from lithify.text.atoms import support_of, unsupported, unsupported_by
from lithify.text.stems import words_of
from lithify.values import Entry

MONDAY = date(2026, 3, 30)
NOUNS = ("crane", "harbour", "ledger", "invoice", "depot", "ferry", "key", "tariff")
WORDS = st.sampled_from((*NOUNS, "blocked", "fixed:", "resolved:", "is", "the", "waiting", "2.1.4"))
LINES = st.lists(st.lists(WORDS, min_size=2, max_size=7).map(" ".join), min_size=1, max_size=12)
CHANGING = st.sampled_from(
    ("from", "From", "to", "moved", "put", "it", "was", "is", ", not", "up", "instead of", "due")
) | st.sampled_from(("40", "3 Apr", "Apr 3", "€", "ms", ":", "=", "the", "limit", "at", "2026"))
SAYINGS = st.lists(CHANGING, max_size=9).map(" ".join)
SPECIFIC = st.sampled_from(
    ("Priya", "Priya’s", "O'Neil", "Raman-Lee", "ops/plan_v2.md", "`ops/plan_v3.md`", "PR-212")
) | st.sampled_from(("30 Mar", "2026-03-31", "31 Mar", "Monday", "v2.4.1", "$5k", "the", "ferry;"))
CLAIMS = st.lists(SPECIFIC, min_size=1, max_size=6).map(" ".join)


def told(lines: list[str], times: int = 2) -> list[Unit]:
    """The sentences of lines that come again on other days."""
    return units_of(
        [
            Entry(f"{day}~{n}", line, ("Quay",), day=MONDAY + timedelta(days=day))
            for day in range(times)
            for n, line in enumerate(lines)
        ]
    )


def found_plainly(units: list[Unit], earlier: Unit) -> list[Unit]:
    """The sentences after one that share its matter, each looked at by itself."""
    rarity = Rarity(units)
    last = {
        stem: [unit.at for unit in units if stem in telling(unit)][-CROWD:]
        for stem in telling(earlier)
    }
    found = []
    for unit in units:
        shared = frozenset(stem for stem, places in last.items() if unit.at in places)
        need = min(0.45 * rarity.together(telling(earlier)), 0.7 * rarity.together(telling(unit)))
        enough = len(shared) >= FEWEST and rarity.together(shared) >= need
        if enough and comes_after(unit, earlier):
            found.append(unit)
    return found


@given(LINES)
def test_a_sentence_said_again_finds_what_comes_after_it_and_not_after_its_first_time(
    lines: list[str],
) -> None:
    units = told(lines)
    matter = Matter(units, lambda unit: True)
    for unit in units:
        assert [one.at for one in matter.later(unit)] == [
            one.at for one in found_plainly(units, unit)
        ]


@given(LINES)
def test_stems_are_counted_once_for_each_sentence_that_has_them(lines: list[str]) -> None:
    units = told(lines, times=3)
    plainly = {
        stem: sum(stem in unit.stems for unit in units) for unit in units for stem in unit.stems
    }
    assert stem_counts(units) == plainly


@given(LINES)
def test_what_settles_an_item_comes_after_it(lines: list[str]) -> None:
    units = told(lines, times=3)
    places = {unit.at: unit for unit in units}
    for at, end in settlements(units).items():
        assert places[at].section == cues.OPEN
        assert comes_after(end, places[at])


@given(LINES, st.lists(st.sets(st.integers(0, 23), min_size=1), min_size=2, max_size=5))
def test_a_choice_packs_the_same_whatever_was_packed_before(
    lines: list[str], choices: list[set[int]]
) -> None:
    units = told(lines)
    packing = Packing()
    for choice in choices:
        chosen = [unit for unit in units if unit.at in choice]
        again, fresh = packing(chosen), Packing()(chosen)
        assert [written(one) for one in again] == [written(one) for one in fresh]
        assert [one.cost for one in again] == [one.cost for one in fresh]


def test_sentences_of_lengths_too_far_apart_never_share_enough_words() -> None:
    for size, length in product(range(1, 61), repeat=2):
        if length < SAME * size or size < SAME * length:
            most = min(size, length)
            assert not any(s >= SAME * (size + length - s) for s in range(most + 1))


@given(SAYINGS)
@example("moved From From to from")
@example("The round is no longer daily.")
def test_a_change_is_seen_wherever_its_words_stand(text: str) -> None:
    assert (told_in(text) is None) == (_TOLD.search(text) is None)
    for kind, frame in readings._FRAMES:
        if kind in readings._FIGURED and frame.match(text):
            assert readings._DIGIT.search(text)


@given(SAYINGS)
def test_what_has_no_figure_is_about_no_day(text: str) -> None:
    assert not bar.dated("".join(char for char in text if not char.isdigit()))


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_letters_are_cut_into_words_as_any_others(text: str) -> None:
    assert words_of(f"{text} ß") == [*words_of(text), "ß"]


@given(CLAIMS, st.lists(CLAIMS, min_size=1, max_size=3))
def test_what_entries_have_as_it_stands_is_what_they_vouch_for(
    claim: str, lines: list[str]
) -> None:
    days = [MONDAY + timedelta(days=n) for n in range(len(lines))]
    cited = [
        Entry(f"{day}~{n}", line, ("Quay",), day=day)
        for n, (day, line) in enumerate(zip(days, lines, strict=True))
    ]
    prepared = [support_of(entry) for entry in cited]
    assert unsupported(claim, cited) == unsupported_by(claim, prepared)
