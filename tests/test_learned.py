"""What labelled entries taught the cues: a second look, beside marks, labels and outright words."""

from __future__ import annotations

from pathlib import Path

import pytest

from lithify import cues
from lithify.bench.sections import accuracy, read_labelled
from lithify.cues import CONTEXT, DECISIONS, OPEN, OUTCOMES, learned

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


@pytest.mark.parametrize(
    "text",
    [
        "Progress file says iteration 27 of at most 30.",
        "The purchase slip must be with the bursar.",
        "Cause of the silence: two mails a day at most, both used up.",
    ],
)
def test_a_word_that_often_decides_is_believed_only_where_the_others_agree(text: str) -> None:
    assert cues.by_cues(text, "", False).section == DECISIONS
    assert cues.judge(text, "", ())[0] != DECISIONS


def test_what_a_mark_a_label_or_a_plain_word_settles_is_left_alone() -> None:
    assert cues.judge("[x] the night shift on paper lists", "", ())[0] == OUTCOMES
    assert cues.judge("Decision: the gate stays shut", "", ())[0] == DECISIONS
    assert cues.judge("Blocked by the missing seal.", "", ())[0] == OPEN


def test_what_is_only_thought_of_is_no_decision_whatever_its_words() -> None:
    suggested = "Ana suggested we drop the second shift, no conclusion."
    assert cues.judge(suggested, "", ())[0] != DECISIONS


def test_a_feature_nobody_learned_says_nothing() -> None:
    section = learned.section_of([("qwzx vrtk", 1.0)], CONTEXT)
    assert section == learned.section_of([], CONTEXT)


def test_entries_nobody_learned_from_find_their_sections() -> None:
    lines = (BENCHMARKS / "sections_held_out.jsonl").read_text(encoding="utf-8").splitlines()
    assert accuracy(read_labelled(lines)) >= 0.68
