"""The kept inputs of the fuzz targets, and a moment of mutation; `make fuzz` goes on for longer."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "fuzz"))

import run as fuzzing
from targets import TARGETS


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_no_input_breaks_a_parser(target: str) -> None:
    kept = fuzzing.seeds(target)
    chance = random.Random(1)
    for data in (*kept, *(fuzzing.mutated(chance.choice(kept), chance, kept) for _ in range(200))):
        TARGETS[target](data)
