"""Retention: how much of the days each tier still holds, beside simple methods at equal length.

Each method gets, period by period, exactly the tokens the engine's own page has, headings
included. A month's budget follows from its weeks: without ceilings it is about 9 % of its days. A
model measured beside the engine has the length it chose, months out of its own weeks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter

from lithify.bench.baselines import METHODS, Method, select, units_of
from lithify.bench.corpus import Day, Period, Question, months_of, weeks_of
from lithify.bench.metrics import Piece, Score, Source, piece, score
from lithify.compact.page import Means, write
from lithify.engines.base import Engine
from lithify.sections import MONTH, WEEK
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim
from lithify.verify import Failed

ENGINE = "lithify"
#: How often a model is asked to mend a draft, as by default in a root.
REPAIRS = 2
SHARES = (0.03, 0.05, 0.09, 0.15, 0.20, 0.30, 0.40, 0.50)
#: Those worth drawing beside the engine: the best simple methods, and the two everyone knows.
DRAWN = ("word+atom cover", "folding + lead", "TF-IDF MMR", "lead")
HEADINGS = sum(estimate(f"### {section}") for section in WEEK)


@dataclass(frozen=True, slots=True)
class Page:
    """What the engine wrote for one period."""

    period: Period
    claims: tuple[Claim, ...]
    failed: bool = False

    @property
    def tokens(self) -> int:
        return HEADINGS + sum(estimate(f"- {claim.text}") for claim in self.claims)


def page_of(period: Period, brief: Brief, engine: Engine) -> Page:
    """What would be written to disk for a brief: verified, required entries put back."""
    verdict = write(brief, Means(engine, REPAIRS)).verdict
    if isinstance(verdict, Failed):
        return Page(period, (), failed=True)
    return Page(period, verdict.claims)


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long pages are asked to be: a share of their input, and a ceiling for each tier (0: none)."""

    share: float = 0.30
    week: int = 0
    month: int = 0


def weekly(
    weeks: Sequence[Period], engine: Engine, lengths: Lengths = Lengths(), *, verified: bool = True
) -> list[Page]:
    """The engine's weeks; unverified, at lengths the verifier would not let stand."""
    pages = []
    for week in weeks:
        target = int(lengths.share * week.tokens)
        brief = Brief(
            tier="week",
            period=week.name,
            sections=WEEK,
            entries=week.entries,
            target=min(target, lengths.week or target),
            ceiling=lengths.week,
            size=week.tokens,
        )
        if verified:
            pages.append(page_of(week, brief, engine))
        else:
            pages.append(Page(week, engine.draft(brief).claims))
    return pages


def monthly(
    months: Sequence[Period], weeks: Sequence[Page], engine: Engine, lengths: Lengths = Lengths()
) -> list[Page]:
    """The engine's months, out of its weeks."""
    pages = []
    for month in months:
        claims = tuple(claim for at in month.weeks for claim in weeks[at].claims)
        cited = {id for claim in claims for id in claim.sources}
        size = sum(weeks[at].tokens for at in month.weeks)
        target = int(lengths.share * size)
        brief = Brief(
            tier="month",
            period=month.name,
            sections=MONTH,
            entries=tuple(entry for entry in month.entries if entry.id in cited),
            claims=claims,
            target=min(target, lengths.month or target),
            ceiling=lengths.month,
            size=size,
        )
        pages.append(page_of(month, brief, engine))
    return pages


def pieces_of(pages: Sequence[Page]) -> list[Piece]:
    """The bullets of a tier, each with the day and headings of the entry it cites first."""
    found = []
    for page in pages:
        by_id = {entry.id: entry for entry in page.period.entries}
        for claim in page.claims:
            first = by_id[claim.sources[0]]
            found.append(piece(claim.text, first.day, page.period.name, first.headings))
    return found


@dataclass(frozen=True, slots=True)
class Row:
    """One method at one tier; `seconds` from parsed days to chosen bullets.

    `failed` counts the periods whose draft did not pass: nothing of them was kept.
    """

    tier: str
    method: str
    share: float
    seconds: float
    score: Score
    failed: int = 0


def run(
    days: Sequence[Day],
    questions: Sequence[Question] = (),
    *,
    engine: Engine,
    sessions: int = 0,
    lengths: Lengths = Lengths(),
    methods: Mapping[str, Method] = METHODS,
    beside: Engine | None = None,
) -> tuple[Row, ...]:
    """The engine, another beside it, and every baseline at the week and the month, in one run.

    `sessions` takes every so many days as a week instead of the calendar's, and four of those
    as a month: for logs that are not kept daily.
    """
    source = Source(days, questions)
    weeks = weeks_of(days, sessions)
    months = months_of(weeks, sessions)
    whole = sum(day.tokens for day in days) or 1
    tiers = _written(weeks, months, engine, lengths)
    others = _written(weeks, months, beside, lengths) if beside else ()
    rows = []
    for at, (tier, periods) in enumerate((("week", weeks), ("month", months))):
        pages = tiers[at].pages
        rows.append(tiers[at].row(tier, ENGINE, source, whole))
        if beside:
            rows.append(others[at].row(tier, beside.name, source, whole))
        budgets = [page.tokens for page in pages]
        began = perf_counter()
        units = [units_of(period) for period in periods]
        cutting = perf_counter() - began
        for name, method in methods.items():
            began = perf_counter()
            kept = [
                one
                for own, budget in zip(units, budgets, strict=True)
                for one in select(method, own, budget)
            ]
            seconds = cutting + perf_counter() - began
            tokens = sum(one.tokens for one in kept)
            rows.append(Row(tier, name, tokens / whole, seconds, score(kept, source)))
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class _Tier:
    """An engine's pages of one tier, and how long they took."""

    pages: list[Page]
    seconds: float

    def row(self, tier: str, name: str, source: Source, whole: int) -> Row:
        share = sum(page.tokens for page in self.pages) / whole
        kept = score(pieces_of(self.pages), source)
        failed = sum(page.failed for page in self.pages)
        return Row(tier, name, share, self.seconds, kept, failed)


def _written(
    weeks: Sequence[Period], months: Sequence[Period], engine: Engine, lengths: Lengths
) -> tuple[_Tier, _Tier]:
    """An engine's weeks, and its months out of them."""
    began = perf_counter()
    week_pages = weekly(weeks, engine, lengths)
    between = perf_counter()
    month_pages = monthly(months, week_pages, engine, lengths)
    ended = perf_counter()
    return _Tier(week_pages, between - began), _Tier(month_pages, ended - between)


def as_json(rows: Sequence[Row]) -> list[dict[str, object]]:
    """The rows as plain values."""
    return [asdict(row) for row in rows]


_COLUMNS = (
    ("atoms", "atoms"),
    ("single day", "single_day_atoms"),
    ("answer atoms", "answer_atoms"),
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
        "| tier | method | length | " + " | ".join(title for title, _ in shown) + " |",
        "|---|---|" + "---:|" * (len(shown) + 1),
    ]
    for row in rows:
        figures = " | ".join(f"{getattr(row.score, name):.3f}" for _, name in shown)
        lines.append(f"| {row.tier} | {row.method} | {row.share:.1%} | {figures} |")
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
    """Retention of the weeks against their length: best unit with questions, atoms without."""
    source = Source(days, questions)
    weeks = weeks_of(days, sessions)
    units = [units_of(week) for week in weeks]
    points: dict[str, list[tuple[float, float]]] = {name: [] for name in (ENGINE, *drawn)}
    for share in shares:
        pages = weekly(weeks, engine, Lengths(share), verified=False)
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
    return result.atoms if result.best_unit is None else result.best_unit
