from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from math import log
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from comparison.recall_metrics import measures

from lithify.bench import recall
from lithify.bench.corpus import Day, Question, read_days
from lithify.bench.metrics import Source
from lithify.bench.recall import Shown
from lithify.cli.bench import bench as command

DAYS = {
    "2026-03-02": """# 2026-03-02

## Harbour

- Ines moved the blue kayak to berth 14.
- The crane inspection is booked for Friday.
- Bram paid 320 euros for rope.
""",
    "2026-03-03": """# 2026-03-03

## Harbour

- Ines moved the blue kayak to berth 14.
- Yuki painted the boathouse door green.

## Office

- The lease of the loft ends in October.
""",
    "2026-03-05": """# 2026-03-05

- Bram sold the old rope for 45 euros.
- The ferry to Lindholm was cancelled because of fog.
""",
}


def write_days(folder: Path) -> Path:
    memory = folder / "memory"
    memory.mkdir(parents=True)
    for day, text in DAYS.items():
        (memory / f"{day}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def days(tmp_path: Path) -> tuple[Day, ...]:
    return read_days(write_days(tmp_path) / "memory")


def shown(text: str, day: str | None = None, tokens: int = 10, also: Sequence[str] = ()) -> Shown:
    known = date.fromisoformat(day) if day else None
    others = tuple(date.fromisoformat(one) for one in also)
    return Shown(tuple(text.split("\n")), known, tokens, others)


def probe(
    answer: str, on: Sequence[str] = (), evidence: Sequence[str] = (), **more: Any
) -> Question:
    relevant = tuple(date.fromisoformat(day) for day in on)
    return Question(
        "q",
        more.pop("question", "What?"),
        answer,
        more.pop("category", ""),
        relevant,
        tuple(evidence),
    )


def measured(
    days: Sequence[Day], one: Question, passages: Sequence[Shown]
) -> dict[str, float | None]:
    asked = Source(days, [one]).asked[0]
    return measures(one, asked, dict.fromkeys(recall.BUDGETS, passages))


# Measures


def test_hits_and_recall_are_of_the_days_a_question_is_about(days: tuple[Day, ...]) -> None:
    one = probe("x", ["2026-03-03", "2026-03-05"])
    found = [shown("a", "2026-03-02"), shown("b", "2026-03-05"), shown("c", "2026-03-05")]
    values = measured(days, one, found)
    assert (values["hit@1"], values["hit@5"]) == (0.0, 1.0)
    assert (values["recall@1"], values["recall@5"]) == (0.0, 0.5)


def test_a_day_that_a_passage_also_stands_on_is_named_and_not_hit(days: tuple[Day, ...]) -> None:
    one = probe("x", ["2026-03-03"])
    values = measured(days, one, [shown("a", "2026-03-02", also=["2026-03-03"])])
    assert (values["hit@20"], values["days named@10"]) == (0.0, 1.0)


def test_a_question_without_days_has_no_say_in_hits(days: tuple[Day, ...]) -> None:
    values = measured(days, probe("rope"), [shown("rope")])
    assert values["hit@1"] is None
    assert values["evidence@10"] is None
    assert values["words in 1000"] == 1.0


def test_evidence_is_the_exact_sentence_whatever_its_marks(days: tuple[Day, ...]) -> None:
    said = ["Ines: Nobody saw the KAYAK!", "Bram: It was fog"]
    one = probe("x", evidence=said)
    values = measured(days, one, [shown("**Ines:** Nobody saw the kayak."), shown("Bram: fog")])
    assert values["evidence@10"] == 0.5
    # Two passages do not make one sentence.
    assert recall.evidence(["a b c d"], [shown("a b"), shown("c d")]) == 0.0
    late = [*(shown("x") for _ in range(10)), shown("Bram: it was fog")]
    assert recall.evidence(["Bram: it was fog"], late) == 1.0
    assert measured(days, probe("x", evidence=["Bram: it was fog"]), late)["evidence@10"] == 0.0


def test_answer_words_weigh_by_rarity_and_leave_the_questions_out(days: tuple[Day, ...]) -> None:
    # Of 7 different entries over 3 days (8 in all) `rope` is in two and `green` in one.
    one = probe("green rope", question="What is old?")
    rope, green = log(1 + 8 / 2), log(1 + 8 / 1)
    values = measured(days, one, [shown("rope everywhere")])
    assert values["words in 500"] == pytest.approx(rope / (rope + green))
    # No entry holds both: the best unit is held against the one with most of them.
    assert values["best unit in 500"] == pytest.approx(rope / green)
    same = probe("green rope", question="Which rope?")
    assert measured(days, same, [shown("green")])["words in 500"] == 1.0


def test_words_of_a_best_unit_stand_in_one_entry(days: tuple[Day, ...]) -> None:
    one = probe("blue kayak berth 14", question="Where?")
    together = measured(days, one, [shown("the blue kayak at berth 14")])
    lines = measured(days, one, [shown("the blue\nkayak at\nberth 14")])
    assert together["best unit in 1000"] == 1.0
    assert lines["words in 1000"] == 1.0
    assert lines["best unit in 1000"] is not None
    assert lines["best unit in 1000"] < 0.7


def test_the_day_of_a_passage_says_when(days: tuple[Day, ...]) -> None:
    one = probe("5 March 2026", ["2026-03-05"], question="When was the ferry cancelled?")
    values = measured(days, one, [shown("The ferry was cancelled", "2026-03-05")])
    assert values["words in 1000"] == 1.0
    assert measured(days, one, [shown("The ferry was cancelled")])["words in 1000"] == 0.0


def test_answer_specifics_that_the_memory_never_had_are_not_asked_for(
    days: tuple[Day, ...],
) -> None:
    one = probe("320 euros and 9,999 euros", question="How much?")
    assert measured(days, one, [shown("320 euros")])["specifics in 500"] == 1.0


def test_of_a_question_about_nothing_only_silence_is_measured(days: tuple[Day, ...]) -> None:
    one = probe("", category="negative-recall")
    assert measured(days, one, []) == {"silent": 1.0}
    assert measured(days, one, [shown("x")]) == {"silent": 0.0}


# The command


def bench(*arguments: str) -> Result:
    return CliRunner().invoke(command, ["recall", *arguments])


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    lines = [
        {"question": "Where is the blue kayak?", "answer": "berth 14", "category": "plain"},
        {"question": "Who painted the door?", "answer": "Yuki", "category": "plain"},
        {"question": "Who bought a zeppelin?", "answer": "", "category": "negative-recall"},
    ]
    path = tmp_path / "asked.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_days_the_root_has_not_are_noted(tmp_path: Path, asked: Path) -> None:
    row = {"question": "Who painted?", "answer": "Yuki", "relevant_days": ["2031-01-01"]}
    asked.write_text(json.dumps(row), encoding="utf-8")
    done = bench("--root", str(write_days(tmp_path / "root")), "--questions", str(asked))
    assert "1 of 1 questions are about days the root has not" in done.stderr


def test_the_table_has_recall_beside_plain_full_text_search(tmp_path: Path, asked: Path) -> None:
    root = write_days(tmp_path / "root")
    done = bench("--root", str(root), "--questions", str(asked))
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["3", "questions", "lithify", "FTS5"]
    assert ["words", "in", "1000", "1.000", "1.000"] in lines
    assert lines[-2][:3] == ["true", "silence", "1.000"]
    assert sorted(path.name for path in (root / "memory").iterdir()) == [f"{d}.md" for d in DAYS]


def test_json_says_the_same_on_every_run(tmp_path: Path, asked: Path) -> None:
    options = ("--root", str(write_days(tmp_path / "root")), "--questions", str(asked), "--json")
    first, second = bench(*options), bench(*options)
    assert first.stdout == second.stdout
    found = json.loads(first.stdout)
    assert (found["questions"], found["absent"]) == (3, 1)
    assert found["overall"]["lithify"]["words in 500"] == 1.0
    assert found["overall"]["lithify"]["false silence"] == 0.0


def test_full_text_search_takes_any_question_and_stops_where_the_budget_ends(
    days: tuple[Day, ...],
) -> None:
    ask = recall.full_text([entry for day in days for entry in day.entries])
    found = ask("kayak AND NOT (NEAR", 1000)
    assert found[0].units == ("Ines moved the blue kayak to berth 14.",)
    assert ask("kayak", found[0].tokens) == found[:1]
    assert ask("?!", 1000) == [] == ask("kayak", found[0].tokens - 1)
