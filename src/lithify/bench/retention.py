"""Retention: how much of the days each tier still holds, beside other methods at equal length.

Each method gets, period by period, exactly the tokens of the engine's own bullets; the headings of a
page are counted for each. A month's budget follows from its weeks: without ceilings it is about 9 % of its days. A
model measured beside the engine has the length it chose, months out of its own weeks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from types import MappingProxyType

from lithify.bench.corpus import Period, Question
from lithify.bench.metrics import Piece, Score, Source, piece, score
from lithify.compact.page import Means, write
from lithify.engines.base import Engine
from lithify.sections import MONTH, WEEK
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim
from lithify.verify import kept
from lithify.verify.verdict import KeptCount

ENGINE = "lithify"
#: How often a model is asked to mend a draft, as by default in a root.
REPAIRS = 2
HEADINGS = sum(estimate(f"### {section}") for section in WEEK)

#: Chooses what to keep of a period within a budget in tokens.
Method = Callable[[Period, int], Sequence[Piece]]


@dataclass(frozen=True, slots=True)
class Page:
    """What an engine wrote for one period."""

    period: Period
    claims: tuple[Claim, ...]
    failed: bool = False
    kept: KeptCount = KeptCount(0, 0)

    @property
    def tokens(self) -> int:
        return HEADINGS + sum(estimate(f"- {claim.text}") for claim in self.claims)


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long pages are asked to be: a share of their input, and a ceiling for each tier (0: none)."""

    share: float = 0.30
    week: int = 0
    month: int = 0


def page_of(period: Period, brief: Brief, engine: Engine) -> Page:
    """Return what would be written to disk for a brief: what passes the verifier."""
    written = write(brief, Means(engine, REPAIRS))
    if written.failed:
        return Page(period, (), failed=True)
    return Page(period, written.checked.claims, kept=kept(brief, written.checked.claims))


def weekly(weeks: Sequence[Period], engine: Engine, lengths: Lengths = Lengths()) -> list[Page]:
    """Have an engine write the weeks."""
    return [page_of(week, week_brief(week, lengths), engine) for week in weeks]


def week_brief(week: Period, lengths: Lengths) -> Brief:
    """Ask for a week out of its days."""
    brief = Brief("week", week.name, WEEK, week.entries, size=week.tokens)
    return _within(brief, lengths.share, lengths.week)


def monthly(
    months: Sequence[Period], weeks: Sequence[Page], engine: Engine, lengths: Lengths = Lengths()
) -> list[Page]:
    """Have an engine write the months, out of its weeks."""
    pages = []
    for month in months:
        claims = tuple(claim for at in month.weeks for claim in weeks[at].claims)
        cited = {id for claim in claims for id in claim.sources}
        entries = tuple(entry for entry in month.entries if entry.id in cited)
        size = sum(weeks[at].tokens for at in month.weeks)
        brief = Brief("month", month.name, MONTH, entries, claims=claims, size=size)
        pages.append(page_of(month, _within(brief, lengths.share, lengths.month), engine))
    return pages


def _within(brief: Brief, share: float, ceiling: int) -> Brief:
    target = int(share * brief.size)
    return brief._replace(target=min(target, ceiling or target), ceiling=ceiling)


def pieces_of(pages: Sequence[Page]) -> list[Piece]:
    """Return the bullets of a tier, each with the day and headings of the entry it cites first."""
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

    `failed` counts the periods whose draft did not pass: nothing of them was kept. `marked` is the share
    of the marked entries that an engine's pages tell.
    """

    tier: str
    method: str
    share: float
    seconds: float
    score: Score
    failed: int = 0
    marked: float | None = None


def run(
    weeks: Sequence[Period],
    months: Sequence[Period],
    questions: Sequence[Question] = (),
    *,
    engine: Engine,
    lengths: Lengths = Lengths(),
    methods: Mapping[str, Method] = MappingProxyType({}),
    beside: Engine | None = None,
    measure: Callable[[Sequence[Piece], Source], Score] = score,
) -> tuple[Row, ...]:
    """Measure an engine, another beside it, and every method at the week and the month."""
    days = [day for week in weeks for day in week.days]
    source = Source(days, questions)
    whole = sum(day.tokens for day in days) or 1
    engines = {ENGINE: engine} | ({beside.name: beside} if beside else {})
    written = {name: _written(weeks, months, one, lengths) for name, one in engines.items()}
    rows = []
    for at, (tier, periods) in enumerate((("week", weeks), ("month", months))):
        for name, tiers in written.items():
            pages, seconds = tiers[at]
            share, failed = sum(p.tokens for p in pages) / whole, sum(p.failed for p in pages)
            required = sum(page.kept.required for page in pages)
            marked = sum(page.kept.told for page in pages) / required if required else None
            found = measure(pieces_of(pages), source)
            rows.append(Row(tier, name, share, seconds, found, failed, marked))
        budgets = [page.tokens - HEADINGS for page in written[ENGINE][at][0]]
        for name, method in methods.items():
            began = perf_counter()
            pairs = zip(periods, budgets, strict=True)
            kept = [one for period, budget in pairs for one in method(period, budget)]
            seconds = perf_counter() - began
            share = (sum(one.tokens for one in kept) + HEADINGS * len(periods)) / whole
            rows.append(Row(tier, name, share, seconds, measure(kept, source)))
    return tuple(rows)


def _written(
    weeks: Sequence[Period], months: Sequence[Period], engine: Engine, lengths: Lengths
) -> tuple[tuple[list[Page], float], tuple[list[Page], float]]:
    """Have an engine write the weeks and the months out of them; returns each with its seconds."""
    began = perf_counter()
    week_pages = weekly(weeks, engine, lengths)
    between = perf_counter()
    month_pages = monthly(months, week_pages, engine, lengths)
    return (week_pages, between - began), (month_pages, perf_counter() - between)
