"""`benchmarks/answers/kit.py`: what two answerers are given, what is counted, and the table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

KIT = Path(__file__).parent.parent / "benchmarks/answers/kit.py"
DAYS = {
    "2026-03-02": "- The kiln is fired on Friday.\n- Ada ordered clay.\n",
    "2026-03-04": "- Ada painted the sign green.\n",
}
QUESTIONS = [
    {"question": "When is the kiln fired?", "answer": "on Friday"},
    {"question": "What did Ada paint?", "answer": "the sign"},
    {"question": "Who sold the wheel?", "answer": "", "category": "adversarial"},
]


def run(*command: str | Path) -> str:
    return subprocess.run(
        list(map(str, command)), check=True, capture_output=True, text=True
    ).stdout


def kit(*arguments: str | Path) -> str:
    return run(sys.executable, KIT, *arguments)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def put(path: Path, lines: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    for day, text in DAYS.items():
        path = tmp_path / "pottery/memory" / f"{day}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {day}\n\n{text}", "utf-8")
    put(tmp_path / "pottery/questions.jsonl", QUESTIONS)
    kit("write", tmp_path / "kit", tmp_path / "pottery", "-n", "3")
    return tmp_path / "kit"


def test_answerers_see_the_questions_and_never_the_answers(written: Path) -> None:
    for way in ("grep", "recall"):
        shown = rows(written / way / "questions.jsonl")
        assert {row["question"] for row in shown} == {row["question"] for row in QUESTIONS}
        assert all(row.keys() == {"id", "memory", "today", "question"} for row in shown)
    assert {row["answer"] for row in rows(written / "private/key.jsonl")} == {
        "on Friday",
        "the sign",
        "",
    }


def test_calls_and_characters_are_counted_and_scores_go_to_whom_they_belong(written: Path) -> None:
    ids = {row["question"]: row["id"] for row in rows(written / "private/key.jsonl")}
    kiln, sign = ids["When is the kiln fired?"], ids["What did Ada paint?"]
    hit = run(written / "grep/search", kiln, "-i", "KILN")
    assert "2026-03-02.md:3:- The kiln is fired on Friday." in hit
    both = run(written / "grep/search", sign, "--head", "1", "Ada")
    read = run(written / "grep/read", sign, "2026-03-04.md", "3", "3")
    assert len(both.splitlines()) == 1 and read == "- Ada painted the sign green.\n"
    passages = run(written / "recall/search", kiln, "when is the kiln fired")
    assert "fired on Friday" in passages
    for way, said in (("grep", "Friday"), ("recall", "Monday")):
        put(written / way / "answers.jsonl", [{"id": id, "answer": said} for id in ids.values()])
    kit("sheet", written)
    sheet = rows(written / "judge/sheet.jsonl")
    assert all({row["first"], row["second"]} == {"Friday", "Monday"} for row in sheet)
    right = {"Friday": 100, "Monday": 0}
    scores = [
        {"id": row["id"], "first": right[row["first"]], "second": right[row["second"]]}
        for row in sheet
    ]
    put(written / "judge/scores.jsonl", scores)
    lines = {line.split("  ")[0]: line.split()[-4:] for line in kit("table", written).splitlines()}
    characters = f"{(len(hit) + len(both) + len(read)) / 3:,.0f}"
    assert lines["all, grep"] == ["3", "100.0", "1.00", characters]
    assert lines["pottery, recall"] == ["3", "0.0", "0.33", f"{len(passages) / 3:,.0f}"]
