from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from lithify.bench import baselines, corpus, judged, metrics, plot, retention
from lithify.bench.metrics import piece
from lithify.cli.bench import bench as command
from lithify.engines.offline import Offline
from lithify.errors import LithifyError, UsageError
from lithify.text.stems import stems_of
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


QUESTIONS = corpus.read_questions(
    json.dumps(row)
    for row in (
        {"id": 1, "question": "What did Marta buy?", "answer": "12 crates of copper"},
        {"id": 2, "question": "Where is Yuki?", "answer": "Lisbon", "category": "single-hop"},
        {"id": 3, "question": "Who flew?", "answer": "nobody", "category": "adversarial"},
    )
)


def test_questions_about_what_was_never_said_are_left_out() -> None:
    assert [question.id for question in QUESTIONS] == ["1", "2"]


def test_weeks_are_the_calendars_or_so_many_sessions(days: tuple[corpus.Day, ...]) -> None:
    assert [len(week.days) for week in corpus.weeks_of(days)] == [7, 3]
    weeks = corpus.weeks_of(days, 4)
    assert [len(week.days) for week in weeks] == [4, 4, 2]
    assert [month.weeks for month in corpus.months_of(weeks, 4)] == [(0, 1, 2)]


def test_the_whole_source_keeps_everything(days: tuple[corpus.Day, ...]) -> None:
    source = metrics.Source(days, QUESTIONS)
    all_of_it = [piece(entry.text, entry.day) for day in days for entry in day.entries]
    score = metrics.score(all_of_it, source)
    assert (score.answer_atoms, score.answer_words, score.best_unit) == (1.0, 1.0, 1.0)


def test_nothing_keeps_nothing(days: tuple[corpus.Day, ...]) -> None:
    score = metrics.score([], metrics.Source(days, QUESTIONS))
    assert (score.atoms, score.answer_words, score.best_unit, score.tier_search) == (0, 0, 0, 0)


def test_scattered_words_do_not_make_a_best_unit(days: tuple[corpus.Day, ...]) -> None:
    source = metrics.Source(days, QUESTIONS[:1])
    together = metrics.score([piece("12 crates of copper", None)], source)
    apart = metrics.score([piece("12", None), piece("crates", None), piece("copper", None)], source)
    assert apart.answer_words == together.answer_words == 1.0
    assert together.best_unit == 1.0
    assert apart.best_unit is not None
    assert apart.best_unit < 0.7


def test_redundancy_counts_twins_of_a_page_and_of_the_tier() -> None:
    pieces = [
        piece("copper crates in the northern yard", None, "a"),
        piece("copper crates in the northern yard", None, "b"),
        piece("a blue kayak went to Lisbon", None, "a"),
    ]
    stems = [frozenset(stems_of(one.text)) for one in pieces]
    assert metrics.redundancy(pieces, stems, within=True) == 0
    assert 0.5 < metrics.redundancy(pieces, stems) < 0.8


def found(pieces: list[metrics.Piece], query: str) -> frozenset[str]:
    stems = [frozenset(stems_of(one.text)) for one in pieces]
    return metrics.Index(pieces, stems).search(stems_of(query))


def test_tier_search_knows_heading_and_day_of_a_bullet_and_returns_neither() -> None:
    pieces = [
        piece("twelve crates arrived", date(2026, 3, 2), "a", ("Copper yard",)),
        piece("a kayak was sold", date(2026, 3, 3), "a", ("Boats",)),
    ]
    assert found(pieces, "copper") == {*stems_of("twelve crates arrived")}
    assert found(pieces, "2026-03-03 Tuesday") >= {*stems_of("a kayak was sold")}


def test_tier_search_returns_near_duplicates_once() -> None:
    filler = " ".join(f"word{n}" for n in range(52))
    double = [piece(f"copper {filler} twin{n}", None) for n in range(40)]
    other = piece(f"{' '.join(f'thing{n}' for n in range(120))} copper", None)
    assert "thing7" in found([*double, other], "copper")


def test_best_unit_counts_a_bullets_own_words_only() -> None:
    index = metrics.Index(
        [piece("twelve crates", None, "a", ("Copper",))], [frozenset(stems_of("twelve crates"))]
    )
    assert index.best_unit(dict.fromkeys(stems_of("copper"), 1.0)) == 0
    assert index.best_unit(dict.fromkeys(stems_of("copper crates"), 1.0)) == 1


@pytest.mark.parametrize("name", baselines.METHODS)
def test_each_baseline_fills_its_budget_and_no_more(
    name: str, days: tuple[corpus.Day, ...]
) -> None:
    units = baselines.units_of(corpus.weeks_of(days)[0])
    kept = baselines.select(baselines.METHODS[name], units, 200)
    assert 150 <= sum(one.tokens for one in kept) <= 200
    assert max(one.tokens for one in kept) <= 60
    assert kept == baselines.select(baselines.METHODS[name], units, 200)


def test_a_run_compares_all_methods_at_one_length(days: tuple[corpus.Day, ...]) -> None:
    rows = retention.run(days, QUESTIONS, engine=Offline())
    names = [row.method for row in rows if row.tier == "week"]
    assert names == [retention.ENGINE, *baselines.METHODS]
    engine = rows[0]
    assert all(row.share <= engine.share for row in rows if row.tier == "week")
    text = retention.table(rows)
    assert "| week | lithify | " in text
    assert "best unit" in text
    json.dumps(retention.as_json(rows))


def test_the_bench_measures_what_an_engine_would_have_on_disk(days: tuple[corpus.Day, ...]) -> None:
    class Silent(Protocolled):
        def draft(self, brief: Brief, *rest: object) -> Draft:
            return Draft()

    rows = retention.run(days, methods={}, engine=Silent())
    # What the writer left out of the required is put back, and too thin a page is filled.
    assert rows[0].share > 0.05


def test_without_questions_the_table_has_no_answers(days: tuple[corpus.Day, ...]) -> None:
    text = retention.table(retention.run(days, methods={"lead": baselines.lead}, engine=Offline()))
    assert "answer" not in text
    assert "single day" in text


def test_the_plot_is_one_svg_with_every_method(days: tuple[corpus.Day, ...]) -> None:
    drawn = retention.curves(days, QUESTIONS, engine=Offline(), shares=(0.1, 0.5), drawn=("lead",))
    picture = plot.svg(drawn, "Kept < all")
    assert picture.startswith("<svg")
    assert picture.count("<polyline") == 2
    assert "Kept &lt; all" in picture


def test_section_scores_count_right_and_wrong() -> None:
    rows = [
        {"text": "Done: the login page.", "section": "Key Outcomes", "must_keep": True},
        {"text": "The sky is grey.", "section": "Decisions", "must_keep": True},
        {"text": "Nothing new.", "section": "drop", "must_keep": False},
    ]
    labelled = judged.read_labelled(json.dumps(row) for row in rows)
    scores = judged.measure(labelled)
    assert scores["Key Outcomes"] == judged.Score(1.0, 1.0, 1)
    assert scores["Decisions"].recall == 0.0
    assert scores[judged.MUST_KEEP].recall == 0.5
    assert judged.accuracy(labelled) == pytest.approx(2 / 3)


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


@pytest.mark.parametrize("what", ["retention", "recall"])
def test_plot_without_a_folder_is_refused_before_the_run(
    what: str, days: tuple[corpus.Day, ...], tmp_path: Path
) -> None:
    asked = tmp_path / "asked.jsonl"
    asked.write_text('{"question": "When?", "answer": "Monday"}\n')
    named = ["--root", str(tmp_path), "--questions", str(asked)]
    done = CliRunner().invoke(command, [what, *named, "--plot", str(tmp_path / "no" / "x.svg")])
    assert done.exit_code == 2 and "no folder" in done.output


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[]",
        '{"section": "Context", "must_keep": false}',
        '{"text": "a", "section": "Elsewhere", "must_keep": false}',
    ],
)
def test_sections_refuses_a_set_it_cannot_read(tmp_path: Path, line: str) -> None:
    labelled = tmp_path / "labelled.jsonl"
    labelled.write_text(line, encoding="utf-8")
    done = CliRunner().invoke(command, ["sections", str(labelled)])
    assert isinstance(done.exception, UsageError)
    assert "line 1" in str(done.exception)
