"""`benchmarks/reader/kit.py`: prompts as a reader gets them, and the score of its replies."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from verifier import sets, shown_of

from lithify.sections import BY_KEY

FOLDER = Path(__file__).parent.parent / "benchmarks/reader"
FRESH = FOLDER / "fresh.jsonl"


def kit(*arguments: str | Path) -> str:
    command = [sys.executable, str(FOLDER / "kit.py"), *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def answer(folder: Path, says: Callable[[dict[str, Any]], str]) -> None:
    found: dict[int, list[dict[str, Any]]] = {}
    for row in rows(folder / "key.jsonl"):
        verdict = {"claim": row["claim"], "verdict": says(row), "reason": "so"}
        found.setdefault(row["batch"], []).append(verdict)
    for batch, verdicts in found.items():
        (folder / f"reply-{batch:03}.md").write_text(json.dumps(verdicts), "utf-8")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    kit("write", tmp_path / "kit", "--claims", FRESH, "-n", "12", "--batch", "5")
    return tmp_path / "kit"


def test_prompts_hold_the_claims_and_never_say_which_are_true(written: Path) -> None:
    key = rows(written / "key.jsonl")
    prompts = "".join(path.read_text("utf-8") for path in written.glob("prompt-*.md"))
    assert len(key) == 12 and len({row["true"] for row in key}) == 2
    assert not any(row["kind"] in prompts for row in key if "-" in row["kind"])
    assert sum(row["text"] in prompts for row in rows(FRESH)) == 12


def test_the_same_seed_draws_the_same_claims(written: Path, tmp_path: Path) -> None:
    kit("write", tmp_path / "again", "--claims", FRESH, "-n", "12", "--batch", "5")
    kit("write", tmp_path / "other", "--claims", FRESH, "-n", "12", "--batch", "5", "--seed", "2")
    first, again, other = (
        (folder / "key.jsonl").read_text()
        for folder in (written, tmp_path / "again", tmp_path / "other")
    )
    assert first == again != other


def test_a_perfect_reader_and_one_that_agrees_with_everything(written: Path) -> None:
    lies = sum(not row["true"] for row in rows(written / "key.jsonl"))
    answer(written, lambda row: "supported" if row["true"] else "contradicted")
    lines = kit("score", written).splitlines()
    found = [line.split()[-4:-2] for line in lines if line.startswith(("honest", "false"))]
    assert found == [[str(12 - lies), "0"], [str(lies), str(lies)]]
    answer(written, lambda row: "supported")
    lines = kit("score", written).splitlines()
    assert [line.split()[-3] for line in lines if line.startswith("false")] == ["0"]


def test_a_batch_without_a_reply_is_named_and_not_counted(written: Path) -> None:
    answer(written, lambda row: "supported")
    (written / "reply-001.md").write_text("I would rather not.")
    said = kit("score", written)
    first = sum(row["batch"] == 1 for row in rows(written / "key.jsonl"))
    assert "no verdicts for 1 of" in said and f"{12 - first} claims read" in said


def test_the_fresh_claims_cite_days_of_the_sets() -> None:
    known = frozenset().union(*(shown_of(folder).entries for folder in sets()))
    found = rows(FRESH)
    assert len(found) == 60 and sum(row["true"] for row in found) == 30
    assert all(known >= set(row["cites"]) and row["section"] in BY_KEY for row in found)
