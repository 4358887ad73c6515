"""What `benchmarks/` compares with: simple methods, other questions, intervals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import compare_recall
import pytest
from comparison import (
    baselines,
    intervals,
    page_metrics,
    plot,
    questions,
    rankers,
    retention,
    sheets,
    standings,
)
from comparison.questions import Sample

from lithify.bench import corpus, metrics
from lithify.bench.corpus import BadLines, Day
from lithify.bench.metrics import piece
from lithify.bench.recall import Scored, evidence
from lithify.bench.retention import ENGINE
from lithify.engines.offline import Offline
from lithify.errors import LithifyError
from lithify.markdown.parse import parse
from lithify.text.words import stems_of
from test_bench import QUESTIONS, days
from test_bench_recall import DAYS, asked, shown, write_days

__all__ = ["asked", "days"]


@pytest.fixture
def harbour(tmp_path: Path) -> tuple[Day, ...]:
    return corpus.read_days(write_days(tmp_path) / "memory")


# Pages


def test_weeks_are_the_calendars_or_so_many_sessions(days: tuple[corpus.Day, ...]) -> None:
    assert [len(week.days) for week in retention.periods(days)[0]] == [7, 3]
    weeks, months = retention.periods(days, 4)
    assert [len(week.days) for week in weeks] == [4, 4, 2]
    assert [month.weeks for month in months] == [(0, 1, 2)]


def test_redundancy_counts_twins_of_a_page_and_of_the_tier() -> None:
    pieces = [
        piece("copper crates in the northern yard", None, "a"),
        piece("copper crates in the northern yard", None, "b"),
        piece("a blue kayak went to Lisbon", None, "a"),
    ]
    stems = [frozenset(stems_of(one.text)) for one in pieces]
    assert page_metrics.redundancy(pieces, stems, within=True) == 0
    assert 0.5 < page_metrics.redundancy(pieces, stems) < 0.8


def found(pieces: list[metrics.Piece], query: str) -> frozenset[str]:
    stems = [frozenset(stems_of(one.text)) for one in pieces]
    return page_metrics.Index(pieces, stems).search(stems_of(query))


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
    assert names == [ENGINE, *baselines.METHODS]
    engine = rows[0]
    assert all(row.share <= engine.share for row in rows if row.tier == "week")
    text = retention.table(rows)
    assert "| week | lithify | " in text
    assert "best unit" in text
    json.dumps(retention.as_json(rows))


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


# Searching


def test_bm25_shows_the_same_words_once_and_stops_where_the_budget_ends(
    harbour: tuple[Day, ...],
) -> None:
    ask = rankers.simple([entry for day in harbour for entry in day.entries])["BM25"]
    found = ask("Where is the blue kayak of Ines?", 1000)
    assert found[0].units == ("Ines moved the blue kayak to berth 14.",)
    assert [one.units for one in found].count(found[0].units) == 1
    assert ask("Where is the blue kayak of Ines?", found[0].tokens) == found[:1]
    assert ask("Where is the blue kayak of Ines?", found[0].tokens - 1) == []
    assert ask("zeppelin", 1000) == []


def test_bm25_finds_an_entry_by_its_heading_and_its_date(harbour: tuple[Day, ...]) -> None:
    ask = rankers.simple([entry for day in harbour for entry in day.entries])["BM25"]
    assert ask("office", 1000)[0].units == ("The lease of the loft ends in October.",)
    assert {one.day for one in ask("Thursday", 1000)} == {date(2026, 3, 5)}


def test_plain_passages_are_neighbours_under_one_heading() -> None:
    text = "# Pumps\n\n- The pump is blue.\n- It leaks.\n\n# Valves\n\n- A valve is red.\n"
    entries = parse(text.encode(), path="memory/2026-03-02.md", label="2026-03-02").entries
    runs = rankers.passages(entries)
    assert [[entry.text for entry in run] for run in runs] == [
        ["The pump is blue.", "It leaks."],
        ["A valve is red."],
    ]
    (found,) = rankers.simple(entries)["passages"]("What does the pump do?", 1000)
    assert found.units == ("The pump is blue.", "It leaks.")
    long = parse(b"".join(b"- Pump %d %s.\n" % (n, b"hums on " * 30) for n in range(9))).entries
    assert 1 < len(rankers.passages(long)) < 9


def test_fts5_takes_any_question() -> None:
    entries = parse(b"- The pump is blue.\n- Lunch was late.\n").entries
    ask = rankers.simple(entries)["FTS5"]
    assert "The pump is blue." in ask("pump AND NOT (NEAR", 1000)[0].units
    assert ask("?!", 1000) == []


def test_folded_bm25_skips_what_says_nearly_the_same() -> None:
    lines = [f"- Night check {n}: tanks full, pumps quiet, gate shut." for n in (1, 2)]
    day = date(2026, 3, 2)
    parsed = parse("\n".join([*lines, "- The pumps were serviced."]).encode(), label="x", day=day)
    methods = rankers.simple(parsed.entries)
    assert len(methods["BM25"]("pumps", 1000)) == 3
    assert len(methods["BM25, folded"]("pumps", 1000)) == 2


def test_vectors_and_fusion_come_with_an_embedding(harbour: tuple[Day, ...]) -> None:
    entries = [entry for day in harbour for entry in day.entries]

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[1.0, 0.0] if "ferry" in text else [0.0, 1.0] for text in texts]

    methods = rankers.simple(entries, embed)
    assert list(methods)[:4] == ["passages", "BM25", "BM25, folded", "FTS5"]
    assert list(methods)[-2:] == ["vectors", "rank fusion"]
    assert "ferry" in methods["vectors"]("the ferry", 1000)[0].units[0]
    # First in one list and second in the other is before first in one and last in the other.
    assert "ferry" in methods["rank fusion"]("rope ferry", 1000)[0].units[0]


def test_an_interval_is_the_same_on_every_run_and_holds_its_figure() -> None:
    values = [float(n % 3 == 0) for n in range(60)]
    ratio = intervals.mean_of(values)
    one = intervals.figure(ratio, intervals.draws(60))
    assert one == intervals.figure(ratio, intervals.draws(60))
    assert one is not None
    assert one.value == pytest.approx(1 / 3)
    # The standard error of the mean is 0.061: 1.96 of them each way.
    assert one.low == pytest.approx(1 / 3 - 0.119, abs=0.03)
    assert one.high == pytest.approx(1 / 3 + 0.119, abs=0.03)
    assert one.count == 60


def test_a_constant_has_no_width_and_nothing_has_no_figure() -> None:
    same = intervals.figure(intervals.mean_of([0.5] * 9), intervals.draws(9))
    assert same == intervals.Figure(0.5, 0.5, 0.5, 9)
    assert intervals.figure(intervals.mean_of([None, None]), intervals.draws(2)) is None


def test_a_difference_is_taken_question_by_question() -> None:
    one = intervals.mean_of([0.9, 0.1, 0.9, 0.1])
    other = intervals.mean_of([0.8, 0.0, 0.8, 0.0])
    found = intervals.difference(one, other, intervals.draws(4))
    assert found is not None
    # The questions differ widely; how much better the one is does not.
    assert (found.low, found.high) == (pytest.approx(0.1), pytest.approx(0.1))


def rows(values: Sequence[tuple[str, bool, float]]) -> list[Scored]:
    return [
        Scored(
            kind, absent, {"silent": silent, **({} if absent else {"words in 1000": 1 - silent})}
        )
        for kind, absent, silent in values
    ]


def test_silence_is_right_on_what_is_absent_and_wrong_elsewhere() -> None:
    scored = rows(
        [
            ("negative", True, 1.0),
            ("negative", True, 1.0),
            ("negative", True, 0.0),
            ("negative", True, 0.0),
            ("plain", False, 1.0),
            ("plain", False, 0.0),
            ("plain", False, 0.0),
            ("plain", False, 0.0),
        ]
    )
    own = standings.standings({"one": scored}).overall["one"]
    assert own["true silence"].value == 0.5
    assert own["silence precision"].value == pytest.approx(2 / 3)
    assert own["false silence"].value == 0.25
    assert own["words in 1000"].value == 0.75
    assert own["words in 1000"].count == 4


def test_standings_are_by_category_and_against_the_others() -> None:
    ours = rows([("a", False, 0.0), ("b", False, 0.0), ("b", False, 1.0)])
    theirs = rows([("a", False, 1.0), ("b", False, 1.0), ("b", False, 1.0)])
    result = standings.standings({"one": ours, "two": theirs})
    assert result.categories["b"]["one"]["words in 1000"].value == 0.5
    assert result.ahead["two"]["words in 1000"].value == pytest.approx(2 / 3)
    text = standings.table(result)
    assert "| 3 answerable, 0 absent | one | two |" in text
    assert "| b | 2 | two | 0.000 | 1.000 |" in text
    assert json.loads(json.dumps(standings.as_json(result)))["intervals"]["resamples"] == 1000


# Files


def sheet(folder: Path, name: str, text: str) -> Sample:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    (sample,) = sheets.read(path)
    return sample


YAML = """\
# questions about the harbour
- id: harbour-q001
  question: "Where did Ines move the kayak: which berth?"
  answer: berth 14
  category: factual-recall
  difficulty: easy
  relevant_days:
    - 1
    - 2
  requires_synthesis: false
- id: harbour-q002
  question: When was the ferry
    cancelled?
  answer: 2026-03-05
  category: temporal-reasoning
  relevant_days: [2026-03-05]
- question: >-
    Did anyone buy
    a zeppelin?
  answer: 'No, nobody''s
    log says so.'
  category: negative-recall
  relevant_days: []
"""


def test_recall_bench_days_count_from_the_first_and_dates_stay_text(tmp_path: Path) -> None:
    sample = sheet(tmp_path, "questions.yaml", YAML)
    first, second, third = questions.dated(sample, date(2026, 3, 2))
    assert first.id == "harbour-q001"
    assert first.question == "Where did Ines move the kayak: which berth?"
    assert first.days == (date(2026, 3, 2), date(2026, 3, 3))
    assert second.question == "When was the ferry cancelled?"
    assert second.answer == "2026-03-05"
    assert second.days == (date(2026, 3, 5),)
    assert third.question == "Did anyone buy a zeppelin?"
    assert third.answer == "No, nobody's log says so."
    assert third.absent


def test_a_list_under_a_key_and_indented_is_read_too(tmp_path: Path) -> None:
    indented = "questions:\n" + "".join(f"  {line}\n" for line in YAML.splitlines()[1:])
    assert sheet(tmp_path, "a.yaml", indented).rows == sheet(tmp_path, "b.yml", YAML).rows


def test_our_lines_have_evidence_and_days(tmp_path: Path) -> None:
    row = {
        "id": 7,
        "question": "Who paid?",
        "answer": 320,
        "category": "plain",
        "relevant_days": ["2026-03-02"],
        "evidence": ["Bram paid 320 euros for rope."],
    }
    sample = sheet(tmp_path, "q.jsonl", f"\n{json.dumps(row)}\n{json.dumps(row)}\n")
    assert sample == sheet(tmp_path, "q.jsonl", json.dumps([row, row]))
    one, _ = questions.dated(sample, None)
    assert (one.id, one.answer) == ("7", "320")
    assert one.evidence == ("Bram paid 320 euros for rope.",)


LOCOMO = [
    {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Oto",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "Hi Oto!"},
                {
                    "speaker": "Oto",
                    "dia_id": "D1:2",
                    "text": "I bought a\ncello yesterday.",
                    "blip_caption": "a photo of a cello",
                },
            ],
            "session_2_date_time": "9:00 am on 8 May, 2023",
            "session_2": [{"speaker": "Ada", "dia_id": "D2:1", "text": "My cat is called Pim."}],
            "session_3_date_time": "7:10 pm on 2 June, 2023",
            "session_3": [],
        },
        "qa": [
            {
                "question": "What did Oto buy?",
                "answer": "a cello",
                "evidence": ["D1:2"],
                "category": 4,
            },
            {
                "question": "When?",
                "answer": 2023,
                "evidence": ["D1:02; D2:1", "D9:9"],
                "category": 2,
            },
            {
                "question": "Has Ada a dog?",
                "adversarial_answer": "Pim",
                "category": 5,
                "evidence": [],
            },
        ],
    },
    {
        "sample_id": "talk-2",
        "conversation": {
            "session_1_date_time": "8:00 am on 1 July, 2023",
            "session_1": [{"speaker": "Ivo", "dia_id": "D1:1", "text": "The tram is late."}],
        },
        "qa": [
            {"question": "What is late?", "answer": "tram", "evidence": ["D1:1"], "category": 1}
        ],
    },
]


def test_a_conversation_becomes_days_with_a_bullet_a_turn(tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps(LOCOMO), encoding="utf-8")
    first, second = sheets.read(path)
    assert (first.name, second.name) == ("talk-1", "talk-2")
    (text,) = first.days.values()
    assert text.splitlines() == [
        "# 2023-05-08",
        "",
        "## Conversation at 1:56 pm",
        "",
        "- **Ada:** Hi Oto!",
        "- **Oto:** I bought a cello yesterday. [shares image: a photo of a cello]",
        "",
        "## Conversation at 9:00 am",
        "",
        "- **Ada:** My cat is called Pim.",
    ]
    cello, when, dog = questions.dated(first, None)
    assert cello.evidence == ("Oto: I bought a cello yesterday.",)
    assert cello.days == (date(2023, 5, 8),)
    assert cello.category == "single-hop"
    assert when.evidence == ("Oto: I bought a cello yesterday.", "Ada: My cat is called Pim.")
    assert (when.answer, when.category) == ("2023", "temporal")
    assert dog.absent
    assert evidence(cello.evidence, [shown(text)]) == 1.0


def test_a_limit_takes_from_all_over_the_file() -> None:
    assert questions.thinned(range(100), 4) == (0, 25, 50, 75)
    assert questions.thinned(range(3), 4) == (0, 1, 2)
    assert questions.thinned(range(3), None) == (0, 1, 2)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("q.jsonl", '{"question": "a", "answer": "b"}\n{"question": "a"\n', "line 2 is not JSON"),
        ("q.jsonl", '{"question": "a", "answer": "b"}\n[1]\n', "line 2 is not an object"),
        ("q.jsonl", '{"answer": "b"}\n', "question 1: no `question`"),
        ("q.jsonl", '{"question": "a"}\n', "question 1: no `answer`"),
        ("q.jsonl", "", "no questions"),
        ("q.json", '[{"question": "a",', "not JSON"),
        ("q.json", '[{"question": ["a"], "answer": "b"}]', "`question` is not a text"),
        ("q.json", '[{"question": "a", "answer": "b", "relevant_days": "x"}]', "is not a list"),
        (
            "q.json",
            '[{"question": "a", "answer": "b", "relevant_days": ["May"]}]',
            "'May' is neither",
        ),
        ("q.json", '[{"qa": []}]', "sample 1: no `conversation`"),
        ("q.json", '[{"conversation": {"session_1": [{}]}, "qa": []}]', "session_1_date_time"),
        ("q.yaml", "id: a\n", "line 1: expected a list"),
        ("q.yaml", "- id: a\n  question: &x y\n", "the question at line 1: aliases"),
        ("q.yaml", "- id: a\n  answer: b\n", "line 1: no `question`"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_place(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(BadLines) as error:
        sheet(tmp_path, name, text)
    assert said in error.value.message
    assert name in error.value.message


def test_bytes_that_are_no_text_are_said_to_be_none(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadLines, match="not UTF-8"):
        sheets.read(path)


# Scripts


def test_json_and_plot_say_the_same_on_every_run(
    tmp_path: Path, asked: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, plot = write_days(tmp_path / "root"), tmp_path / "out.svg"
    options = [str(asked), "--root", str(root), "--json", "--plot", str(plot)]
    printed = []
    for _ in range(2):
        compare_recall.main(options)
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    figures = json.loads(printed[0])["overall"]["lithify"]
    assert figures["words in 500"]["value"] == 1.0
    assert figures["false silence"] == {"value": 0.0, "low": 0.0, "high": 0.0, "count": 2}
    drawn = plot.read_text("utf-8")
    assert "BM25, folded" in drawn
    assert ">4000</text>" in drawn


def test_a_conversation_is_measured_without_a_root(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(LOCOMO), encoding="utf-8")

    def told(*options: str) -> Any:
        compare_recall.main([str(path), "--json", *options])
        return json.loads(capsys.readouterr().out)

    whole = told()
    assert (whole["questions"], whole["absent"]) == (4, 1)
    assert whole["overall"]["lithify"]["evidence in 1000"]["count"] == 3
    assert 0 < whole["overall"]["lithify"]["tokens in 1000"]["value"] <= 1000
    assert told("--sample", "talk-2")["questions"] == 1
    assert told("--limit", "2")["questions"] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--sample", "talk-9"), "no such sample; there are talk-1, talk-2"),
        (("--root", "."), "choose with --sample"),
        (("--first-day", "May"), "May is not a date"),
    ],
)
def test_a_choice_that_cannot_be_made_is_explained(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps(LOCOMO), encoding="utf-8")
    with pytest.raises(LithifyError) as error:
        compare_recall.main([str(path), *arguments])
    assert said in error.value.message


def test_the_table_has_recall_beside_bm25(
    tmp_path: Path,
    asked: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("lithify.search.vectors.installed", lambda: False)
    root = write_days(tmp_path / "root")
    compare_recall.main([str(asked), "--root", str(root)])
    printed = capsys.readouterr().out
    assert "| 2 answerable, 1 absent | lithify | passages | BM25 | BM25, folded | FTS5 |" in printed
    assert "| words in 1000 | 1.000 (1.00-1.00) | 1.000" in printed
    assert "| true silence | 1.000" in printed
    assert "| plain | 2 | lithify |" in printed
    assert sorted(path.name for path in (root / "memory").iterdir()) == [f"{d}.md" for d in DAYS]
