from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from lithify.bench import corpus, metrics, retention
from lithify.bench.metrics import piece
from lithify.cli.bench import bench as command
from lithify.errors import LithifyError
from lithify.text.words import stems_of
from lithify.values import Brief, Draft


class Protocolled:
    """An engine's plain properties, for those that only differ in what they draft."""

    name = mark = "silent"
    room = None
    extractive = True


FACTS = ("Marta bought 12 crates of copper", "Ines sold the blue kayak", "Yuki moved to Lisbon")


@pytest.fixture
def days(tmp_path: Path) -> tuple[corpus.Day, ...]:
    for n in range(10):
        day = date(2026, 3, 2) + timedelta(days=n)
        lines = [f"- {fact} with note {n}." for fact in FACTS]
        lines += [f"- Filler line {k} of day {n} about nothing much at all." for k in range(8)]
        text = f"# {day}\n\n## Yard\n\n" + "\n".join(lines) + "\n"
        (tmp_path / f"{day}.md").write_text(text, encoding="utf-8")
    (tmp_path / "README.md").write_text("not a day", encoding="utf-8")
    return corpus.read_days(tmp_path)


QUESTIONS = (
    corpus.Question("1", "What did Marta buy?", "12 crates of copper"),
    corpus.Question("2", "Where is Yuki?", "Lisbon", "single-hop"),
)


def test_questions_are_read_with_their_days_and_evidence(tmp_path: Path) -> None:
    row = {
        "question": "Who paid?",
        "answer": 320,
        "relevant_days": ["2026-03-02"],
        "evidence": ["Bram paid 320 euros for rope."],
    }
    absent = {"id": 7, "question": "Who flew?", "category": "adversarial"}
    path = tmp_path / "asked.jsonl"
    path.write_text(f"{json.dumps(row)}\n\n{json.dumps(absent)}\n")
    paid, flew = corpus.read_questions(path)
    assert paid == corpus.Question(
        "1", "Who paid?", "320", "", (date(2026, 3, 2),), ("Bram paid 320 euros for rope.",)
    )
    assert (flew.id, flew.absent, paid.absent) == ("7", True, False)


def test_the_whole_source_keeps_everything(days: tuple[corpus.Day, ...]) -> None:
    source = metrics.Source(days, QUESTIONS)
    all_of_it = [piece(entry.text, entry.day) for day in days for entry in day.entries]
    score = metrics.score(all_of_it, source)
    assert (score.answer_specifics, score.answer_words, score.best_unit) == (1.0, 1.0, 1.0)


def test_nothing_keeps_nothing(days: tuple[corpus.Day, ...]) -> None:
    score = metrics.score([], metrics.Source(days, QUESTIONS))
    assert (score.specifics, score.answer_words, score.best_unit) == (0, 0, 0)


def test_scattered_words_do_not_make_a_best_unit(days: tuple[corpus.Day, ...]) -> None:
    source = metrics.Source(days, QUESTIONS[:1])
    together = metrics.score([piece("12 crates of copper", None)], source)
    apart = metrics.score([piece("12", None), piece("crates", None), piece("copper", None)], source)
    assert apart.answer_words == together.answer_words == 1.0
    assert together.best_unit == 1.0
    assert apart.best_unit is not None
    assert apart.best_unit < 0.7


def test_best_unit_counts_a_bullets_own_words_only() -> None:
    units = [frozenset(stems_of("twelve crates")), frozenset(stems_of("a blue kayak"))]
    assert metrics.best_unit(dict.fromkeys(stems_of("copper"), 1.0), units) == 0
    assert metrics.best_unit(dict.fromkeys(stems_of("copper crates kayak"), 1.0), units) == 1


def test_the_bench_measures_what_an_engine_would_have_on_disk(days: tuple[corpus.Day, ...]) -> None:
    class Silent(Protocolled):
        def draft(self, brief: Brief, *rest: object) -> Draft:
            return Draft()

    weeks = corpus.weeks_of(days)
    rows = retention.run(weeks, corpus.months_of(weeks), engine=Silent())
    # Its headings: what a writer leaves out is not put back, and no page is filled.
    assert rows[0].score.tokens == 0
    assert 0 < rows[0].share < 0.02


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"nope", "not JSON"),
        (b"[1,2]", "not an object"),
        (b'{"question":"x"}', "no `answer`"),
        (b"\xff", "not UTF-8"),
        (b"", "no questions"),
    ],
)
def test_questions_that_cannot_be_read_are_refused_in_words(
    text: bytes, said: str, days: tuple[corpus.Day, ...], tmp_path: Path
) -> None:
    path = tmp_path / "asked.jsonl"
    path.write_bytes(text)
    done = CliRunner().invoke(
        command, ["retention", "--root", str(tmp_path), "--questions", str(path)]
    )
    assert isinstance(done.exception, LithifyError), done.exception
    assert done.exception.exit_code == 2
    assert said in done.exception.message and path.name in done.exception.message


def test_the_table_has_answers_where_questions_are_asked(
    days: tuple[corpus.Day, ...], tmp_path: Path
) -> None:
    done = CliRunner().invoke(command, ["retention", "--root", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert done.output.split("\n")[0].split() == [
        "tier",
        "method",
        "length",
        "specifics",
        "single",
        "day",
        "marked",
    ]
    asked = tmp_path / "asked.jsonl"
    asked.write_text(json.dumps({"question": "Where is Yuki?", "answer": "Lisbon"}))
    named = ["retention", "--root", str(tmp_path), "--questions", str(asked)]
    assert "best unit" in CliRunner().invoke(command, named).output
    rows = json.loads(CliRunner().invoke(command, [*named, "--json"]).output)
    week, greedy, month, _ = rows
    assert (week["tier"], month["tier"], week["method"]) == ("week", "month", "lithify")
    assert greedy["method"] == "greedy cover" and 0 < greedy["share"] <= week["share"]
    assert week["score"]["answer_words"] is not None and week["share"] > month["share"]
