"""Retention of pages beside every simple method, as a table, as JSON and as curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from comparison.baselines import METHODS, Method, select, units_of
from comparison.page_metrics import score
from lithify.bench import retention
from lithify.bench.corpus import Day, Period, Question, months_of, weeks_of
from lithify.bench.metrics import Piece, Score, Source
from lithify.bench.retention import ENGINE, Lengths, Page, Row, pieces_of, week_brief
from lithify.engines.base import Engine

SHARES = (0.03, 0.05, 0.09, 0.15, 0.20, 0.30, 0.40, 0.50)
#: Those worth drawing beside the engine: the best simple methods, and the two everyone knows.
DRAWN = ("greedy cover", "folding + lead", "TF-IDF MMR", "lead")

_LENGTHS = Lengths()


def periods(days: Sequence[Day], sessions: int = 0) -> tuple[Sequence[Period], Sequence[Period]]:
    """Group days into weeks and months: the calendar's, or every so many days with a log.

    Four of those parts are taken as a month.
    """
    if not sessions:
        weeks = weeks_of(days)
        return weeks, months_of(weeks)
    parts = [days[at : at + sessions] for at in range(0, len(days), sessions)]
    weeks = tuple(Period(f"part {n}", tuple(part)) for n, part in enumerate(parts, 1))
    months = []
    for at in range(0, len(weeks), 4):
        places = tuple(range(at, min(at + 4, len(weeks))))
        inside = tuple(day for place in places for day in weeks[place].days)
        months.append(Period(f"parts {at // 4 + 1}", inside, places))
    return weeks, months


def run(
    days: Sequence[Day],
    questions: Sequence[Question] = (),
    *,
    engine: Engine,
    sessions: int = 0,
    lengths: Lengths = _LENGTHS,
    methods: Mapping[str, Method] = METHODS,
    beside: Engine | None = None,
) -> tuple[Row, ...]:
    """Measure the engine, another beside it, and every simple method at the same length."""
    weeks, months = periods(days, sessions)
    units = {id(period): units_of(period) for period in (*weeks, *months)}

    def chosen_by(method: Method) -> Callable[[Period, int], list[Piece]]:
        return lambda period, budget: select(method, units[id(period)], budget)

    return retention.run(
        weeks,
        months,
        questions,
        engine=engine,
        lengths=lengths,
        methods={name: chosen_by(method) for name, method in methods.items()},
        beside=beside,
        measure=score,
    )


def as_json(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Return the rows as plain values."""
    return [asdict(row) for row in rows]


_COLUMNS = (
    ("specifics", "specifics"),
    ("single day", "single_day"),
    ("answer specifics", "answer_specifics"),
    ("answer words", "answer_words"),
    ("best unit", "best_unit"),
    ("search 1k", "tier_search"),
    ("redundancy", "redundancy"),
    ("across", "redundancy_across"),
)


def table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table, columns without a figure left out."""
    shown = [
        (title, name)
        for title, name in _COLUMNS
        if any(getattr(row.score, name) is not None for row in rows)
    ]
    lines = [
        "| tier | method | length | " + " | ".join(title for title, _ in shown) + " | marked |",
        "|---|---|" + "---:|" * (len(shown) + 2),
    ]
    for row in rows:
        figures = " | ".join(f"{getattr(row.score, name):.3f}" for _, name in shown)
        marked = "" if row.marked is None else f"{row.marked:.3f}"
        lines.append(f"| {row.tier} | {row.method} | {row.share:.1%} | {figures} | {marked} |")
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Curve:
    """A method's retention at each share of the input."""

    method: str
    points: tuple[tuple[float, float], ...]


def curves(
    days: Sequence[Day],
    questions: Sequence[Question] = (),
    *,
    engine: Engine,
    sessions: int = 0,
    shares: Sequence[float] = SHARES,
    drawn: Sequence[str] = DRAWN,
) -> tuple[Curve, ...]:
    """Retention of the weeks against their length: best unit with questions, specifics without."""
    source = Source(days, questions)
    weeks = periods(days, sessions)[0]
    units = [units_of(week) for week in weeks]
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in (ENGINE, *drawn)}
    for share in shares:
        # Unverified: at these lengths the verifier would not let the pages stand.
        pages = [
            Page(week, engine.draft(week_brief(week, Lengths(share))).claims) for week in weeks
        ]
        points[ENGINE].append((share, _retained(score(pieces_of(pages), source))))
        for name in drawn:
            kept = [
                one
                for own, page in zip(units, pages, strict=True)
                for one in select(METHODS[name], own, page.tokens)
            ]
            points[name].append((share, _retained(score(kept, source))))
    return tuple(Curve(name, tuple(found)) for name, found in points.items())


def _retained(result: Score) -> float:
    return result.specifics if result.best_unit is None else result.best_unit
