"""The budgets of src/lithify: what scripts/size counts, and that no budget ever rises."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

REPO = Path(__file__).parents[1]
SIZE: dict[str, Any] = runpy.run_path(str(REPO / "scripts/size"))

KNOWN = '''\
"""Counts no docstring, though it names one | two | three | four."""

import re
from typing import Literal

__all__ = ["Aa", "Bb", "Cc", "Dd", "Ee", "Ff", "Gg", "Hh"]
Kind = Literal["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]

NARROW = re.compile(r"yes|no|maybe")  # three alternatives: none
WIDE = re.compile(r"(?P<when>today|morgen|\\bhier\\b)|[a-z]{2,}|x|(?i:завтра)")  # four words
GLUED = rf"{NARROW.pattern}|left|right|{WIDE}"  # two
SHELL = "test -e a || test -e b || test -e c || true"

SEVEN = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben")
EIGHT = frozenset({"uno", "dos", "tres", "cuatro", "cinco", "seis", "siete y medio", "ocho"})  # nine: y is one letter
NESTED = {"jan": ("january", "januar"), "feb": ("february", "februar"), "mar": ("march", "märz")}  # nine
FIELDS = ["a_path", "b.c", "x/y", "id3", "e-mail", "f:", "A sentence is no word of a list.", "h_i"]
SPLIT = "lunes martes miércoles jueves viernes sábado domingo lundi".split()  # eight


def record(day: str, week: str | None) -> dict[str, str | None]:
    """Return a record."""
    if not day:
        raise ValueError("a | b | c | day")
    return {"day": day, "week": week, "month": day, "year": day, "who": day, "how": day, "of": day, "to": day}
'''


def test_the_words_of_a_known_file_are_counted() -> None:
    counted = dict(SIZE["found_in_code"](KNOWN))
    lines = {line.partition(" ")[0]: number for number, line in enumerate(KNOWN.splitlines(), 1)}
    expected = {"WIDE": 4, "GLUED": 2, "EIGHT": 9, "NESTED": 9, "SPLIT": 8}
    assert counted == {lines[name]: words for name, words in expected.items()}
    assert SIZE["words_of_code"](KNOWN) == sum(expected.values())


def test_the_words_of_data_files_are_counted(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text('{"rule": ["Регел\\u044c", "规则", "a"]}', "utf-8")
    (tmp_path / "words.txt").write_text("# A comment\none two\n3 x\n", "utf-8")
    assert SIZE["words_of_data"](tmp_path / "labels.json") == 3
    assert SIZE["words_of_data"](tmp_path / "words.txt") == 2


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *who, *words], check=True, capture_output=True)


def size(folder: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, folder / "scripts" / "size", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


BUDGET = """\
[all]
lines = {lines}
files = 9
words = 99
design = 1
design_files = 1
design_words = 0

[rooms.cli]
lines = {cli}
words = 9
design = 3
design_words = 0
paths = ["cli/", "commands/"]

[rooms.root]
lines = 9
words = 9
design = 1
design_words = 0
paths = []
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with an old budget, and then one of two rooms that hold five lines and one line."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(REPO / "scripts/size", tmp_path / "scripts/size")
    (tmp_path / "src/lithify/cli").mkdir(parents=True)
    (tmp_path / "src/lithify/cli/render.py").write_text("x = 1\n" * 5, "utf-8")
    (tmp_path / "src/lithify/memory.py").write_text("x = 1\n", "utf-8")
    git(tmp_path, "init", "-b", "main")
    budget(tmp_path, '[packages]\n"cli" = [2, 1]\n')
    budget(tmp_path, BUDGET.format(lines=20, cli=10))
    return tmp_path


def budget(folder: Path, text: str) -> None:
    (folder / "scripts/size.toml").write_text(text, "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "a budget")


def test_a_budget_that_was_raised_fails(repo: Path) -> None:
    assert size(repo)[0] == 0
    budget(repo, BUDGET.format(lines=20, cli=8))
    assert size(repo)[0] == 0
    budget(repo, BUDGET.format(lines=20, cli=9))
    status, told = size(repo)
    assert status == 1 and "a budget was raised: cli lines: 9, once 8" in told
    # Also before it is committed, and for a room that never had a budget.
    budget(repo, BUDGET.format(lines=20, cli=8))
    text = BUDGET.format(lines=20, cli=8).replace("[rooms.root]", "[rooms.attic]")
    (repo / "scripts/size.toml").write_text(text, "utf-8")
    assert "a budget was raised: attic lines: 9, once 0" in size(repo)[1]


def test_what_one_side_of_a_merge_lowered_stays_low(repo: Path) -> None:
    git(repo, "checkout", "-b", "side")
    budget(repo, BUDGET.format(lines=20, cli=7))
    git(repo, "checkout", "main")
    git(repo, "merge", "-s", "ours", "--no-ff", "-m", "merge", "side")
    assert "a budget was raised: cli lines: 10, once 7" in size(repo)[1]


def test_a_room_above_its_budget_fails_and_a_room_being_built_is_not_counted(repo: Path) -> None:
    (repo / "src/lithify/cli/_new").mkdir()
    (repo / "src/lithify/cli/_new/render.py").write_text("x = 1\n" * 50, "utf-8")
    status, told = size(repo)
    assert status == 0 and "not counted: cli/_new" in told
    (repo / "src/lithify/commands").mkdir()
    (repo / "src/lithify/cli/render.py").rename(repo / "src/lithify/commands/render.py")
    assert size(repo)[0] == 0  # another folder of the same room
    (repo / "src/lithify/attic").mkdir()
    (repo / "src/lithify/attic/old.py").write_text("x = 1\n", "utf-8")
    status, told = size(repo)
    assert status == 1 and "over budget: no room lines: 1, budget 0" in told


def test_budgets_are_lowered_to_what_is_there_but_not_below_the_design(repo: Path) -> None:
    assert size(repo, "--lower", "cli")[0] == 0
    lower = SIZE["house_of"]((repo / "scripts/size.toml").read_text("utf-8"))
    assert (lower.rooms["cli"].lines, lower.rooms["cli"].words) == (5, 0)
    assert (lower.rooms["root"].lines, lower.lines) == (9, 20)
    (repo / "src/lithify/cli/render.py").write_text("x = 1\n", "utf-8")
    size(repo, "--lower")
    lower = SIZE["house_of"]((repo / "scripts/size.toml").read_text("utf-8"))
    assert (lower.rooms["cli"].lines, lower.rooms["root"].lines) == (3, 1)
    assert (lower.lines, lower.files, lower.words) == (2, 2, 0)


def test_a_source_archive_and_a_shallow_clone_are_told_and_not_compared(
    repo: Path, tmp_path: Path
) -> None:
    (repo / "scripts/size.toml").write_text(BUDGET.format(lines=20, cli=30), "utf-8")
    assert size(repo)[0] == 1
    shutil.rmtree(repo / ".git")
    status, told = size(repo)
    assert status == 0 and "not compared" in told


def test_the_house_has_the_rooms_and_numbers_of_its_design() -> None:
    house = SIZE["house_of"]((REPO / "scripts/size.toml").read_text("utf-8"))
    assert len(house.rooms) == 20
    assert sum(room.design for room in house.rooms.values()) == house.design == 34_000
    assert sum(room.design_words for room in house.rooms.values()) <= house.design_words == 1_200
