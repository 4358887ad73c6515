"""No attack reaches wisdom, a memory or an unmarked line without a person; honest words do."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from poisoning import WRITERS, CommandLine, Side, arrived, by_commands, families, outcome

CASES = list(chain.from_iterable(family.cases for family in families().values()))


def test_there_are_enough_attacks_and_no_two_share_a_word() -> None:
    assert len(CASES) >= 60
    assert len({case.needle for case in CASES}) == len(CASES)
    assert all(case.needle in str(side) for case in CASES for side in (case.attack, case.twin))


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("family", families())
def test_no_attack_arrives_without_a_person(family: str, writer: str, tmp_path: Path) -> None:
    for number, group in enumerate(families()[family].groups()):
        found = outcome(tmp_path / str(number), group, "attack", WRITERS[writer])
        assert {name: str(one) for name, one in found.items() if any(one)} == {}


@pytest.mark.parametrize("side", ["attack", "twin"])
def test_one_of_each_family_fares_the_same_by_commands(side: Side, tmp_path: Path) -> None:
    cases = [family.cases[0] for family in families().values() if not family.alone]
    found = outcome(tmp_path, cases, side, by_commands, CommandLine)
    wrong = {
        case.name: str(found[case.name])
        for case in cases
        if (any(found[case.name]) if side == "attack" else not arrived(found[case.name], case))
    }
    assert wrong == {}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("family", families())
def test_the_same_matter_told_honestly_arrives(family: str, writer: str, tmp_path: Path) -> None:
    for number, group in enumerate(families()[family].groups()):
        found = outcome(tmp_path / str(number), group, "twin", WRITERS[writer])
        lost = {
            case.name: str(found[case.name])
            for case in group
            if not arrived(found[case.name], case)
        }
        assert lost == {}
