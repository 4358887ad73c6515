"""Why a rule holds: what its speaker adds, and what it was learnt from."""

from __future__ import annotations

from datetime import date

import pytest

from lithify.engines import offline
from lithify.markdown.parse import parse
from lithify.values import Brief, TypedMemory

DAY = date(2026, 4, 8)


def _typed(text: str) -> tuple[TypedMemory, ...]:
    entries = tuple(parse(text.encode(), label=DAY.isoformat(), day=DAY).entries)
    return offline.write(Brief("typed", "2026-W15", entries=entries, size=1000)).memories


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            'Nils stopped me: "You never ring the quarry. Never. You ask Runa. They talk to people '
            'they know."',
            "They talk to people they know.",
        ),
        (
            'Runa was firm: "Never blast after noon. If it goes wrong, there\'s nobody left to dig."',
            "If it goes wrong, there's nobody left to dig.",
        ),
        (
            'Nils: "Please always put the pit number first in the report, I sort by it."',
            '"I sort by it."',
        ),
        (
            "Decided: rails for both pits, since saturated clay swallows the carts.",
            "Saturated clay swallows the carts.",
        ),
        (
            "The pit map gave depths in feet. I had taken the shaft's depth from the old map. "
            "Lesson: measure a shaft, never trust a map.",
            "I had taken the shaft's depth from the old map.",
        ),
        (
            "Runa sent the sheet back. A wrong unit on a charge could cost a hand. Rule I take from "
            "it: write the unit behind every figure.",
            "A wrong unit on a charge could cost a hand.",
        ),
    ],
)
def test_what_a_rule_was_learnt_from_or_its_speaker_adds_is_its_reason(text: str, why: str) -> None:
    memories = _typed(f"- {text}")
    assert why in [memory.why for memory in memories]


def test_what_went_wrong_in_the_line_before_is_why_a_lesson_was_learnt() -> None:
    (memory,) = _typed(
        "- The pump log had been empty since the ides of spring.\n"
        "- Lesson: a pump log counts only once somebody has read it."
    )
    assert memory.why == "The pump log had been empty since the ides of spring."
    assert len(memory.sources) == 2


@pytest.mark.parametrize(
    "before",
    [
        "Suspect the carts run into the gate at night; not proven.",
        "The canteen had no bread on two days.",
        "Did nobody see that the lamps were not lit?",
    ],
)
def test_what_only_stands_before_a_lesson_is_not_its_reason(before: str) -> None:
    memories = _typed(
        f"- {before}\n- Lesson: the night run paid for itself, light every lamp first."
    )
    assert [memory.why for memory in memories] == [""]
