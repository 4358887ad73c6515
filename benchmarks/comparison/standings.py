"""The figures of a recall run: by method and by category, as a table, as JSON, as curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from comparison.intervals import (
    LEVEL,
    SEED,
    TIMES,
    Draws,
    Figure,
    Ratio,
    difference,
    draws,
    figure,
    mean_of,
)
from comparison.retention import Curve
from lithify.bench.recall import (
    BUDGETS,
    FALSE_SILENCE,
    FIRST,
    LOOK,
    SILENT,
    TRUE_SILENCE,
    Scored,
)

SILENCE_PRECISION = "silence precision"
#: The measures in the order they are shown.
MEASURES: tuple[str, ...] = (
    *(f"words in {budget}" for budget in BUDGETS),
    *(f"specifics in {budget}" for budget in BUDGETS),
    *(f"best unit in {budget}" for budget in BUDGETS),
    *(f"evidence in {budget}" for budget in BUDGETS),
    *(f"tokens in {budget}" for budget in BUDGETS),
    f"evidence@{LOOK}",
    f"tokens@{LOOK}",
    *(f"hit@{k}" for k in FIRST),
    *(f"recall@{k}" for k in FIRST),
    f"days named@{LOOK}",
    TRUE_SILENCE,
    SILENCE_PRECISION,
    FALSE_SILENCE,
)
#: The budget and the measures that are shown of every category.
ROOM = 1000
BRIEFLY = (
    f"words in {ROOM}",
    f"specifics in {ROOM}",
    f"best unit in {ROOM}",
    f"evidence@{LOOK}",
    f"evidence in {ROOM}",
    f"hit@{LOOK}",
    SILENT,
)

Figures = Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class Standings:
    """A run's figures: all questions, each category, and the first method against the others."""

    questions: int
    absent: int
    overall: Mapping[str, Figures]
    categories: Mapping[str, Mapping[str, Figures]]
    ahead: Mapping[str, Figures]


def standings(scored: Mapping[str, Sequence[Scored]], drawn: Draws | None = None) -> Standings:
    """Every figure with its interval; the first method is the one held against the others."""
    engine = next(iter(scored))
    rows = scored[engine]
    drawn = draws(len(rows)) if drawn is None else drawn
    ratios = {name: _ratios(own) for name, own in scored.items()}
    ahead = {}
    for name, own in list(ratios.items())[1:]:
        pairs = {m: difference(ratios[engine][m], own[m], drawn) for m in MEASURES}
        ahead[name] = {m: one for m, one in pairs.items() if one is not None}
    categories: dict[str, Mapping[str, Figures]] = {}
    for category in sorted({row.category for row in rows}):
        places = [at for at, row in enumerate(rows) if row.category == category]
        few = draws(len(places))
        categories[category] = {
            name: _figures(_ratios([own[at] for at in places]), few) for name, own in scored.items()
        }
    return Standings(
        questions=len(rows),
        absent=sum(row.absent for row in rows),
        overall={name: _figures(own, drawn) for name, own in ratios.items()},
        categories=categories,
        ahead=ahead,
    )


def _ratios(rows: Sequence[Scored]) -> dict[str, Ratio]:
    found = {
        measure: mean_of([row.values.get(measure) for row in rows])
        for measure in (*MEASURES, SILENT)
    }
    silent = [row.values[SILENT] or 0.0 for row in rows]
    absent = [float(row.absent) for row in rows]
    right = tuple(a * b for a, b in zip(silent, absent, strict=True))
    wrong = tuple(a * (1 - b) for a, b in zip(silent, absent, strict=True))
    found[TRUE_SILENCE] = Ratio(right, tuple(absent))
    found[FALSE_SILENCE] = Ratio(wrong, tuple(1 - one for one in absent))
    found[SILENCE_PRECISION] = Ratio(right, tuple(silent))
    return found


def _figures(ratios: Mapping[str, Ratio], drawn: Draws) -> Figures:
    found = {measure: figure(ratio, drawn) for measure, ratio in ratios.items()}
    return {measure: one for measure, one in found.items() if one is not None}


def as_json(result: Standings) -> dict[str, object]:
    """The standings as plain values, with how the intervals were drawn."""
    plain = asdict(result)
    return {**plain, "intervals": {"level": LEVEL, "resamples": TIMES, "seed": SEED}}


def table(result: Standings) -> str:
    """A row a measure and a column a method, then the categories."""
    names = list(result.overall)
    lines = [
        f"| {result.questions - result.absent} answerable, {result.absent} absent | "
        + " | ".join(names)
        + " |",
        "|---|" + "---:|" * len(names),
    ]
    for measure in MEASURES:
        cells = [_cell(own.get(measure)) for own in result.overall.values()]
        if any(cells):
            lines.append(f"| {measure} | " + " | ".join(cell or "-" for cell in cells) + " |")
    engine = names[0]
    for name, own in result.ahead.items():
        parts = [
            f"{measure} {own[measure].value:+.3f} ({own[measure].low:+.2f} to {own[measure].high:+.2f})"
            for measure in BRIEFLY
            if measure in own
        ]
        lines += ["", f"{engine} against {name}: " + ", ".join(parts)]
    if len(result.categories) > 1:
        lines += ["", *_by_category(result)]
    return "\n".join(lines)


def _cell(one: Figure | None) -> str:
    if one is None:
        return ""
    if one.high > 10:
        return f"{one.value:.0f}"
    return f"{one.value:.3f} ({one.low:.2f}-{one.high:.2f})"


def _by_category(result: Standings) -> list[str]:
    shown = [
        measure
        for measure in BRIEFLY
        if any(measure in own for each in result.categories.values() for own in each.values())
    ]
    lines = [
        "| category | questions | method | " + " | ".join(shown) + " |",
        "|---|---:|---|" + "---:|" * len(shown),
    ]
    for category, each in result.categories.items():
        for name, own in each.items():
            cells = [f"{own[m].value:.3f}" if m in own else "-" for m in shown]
            count = own[SILENT].count
            lines.append(f"| {category or '-'} | {count} | {name} | " + " | ".join(cells) + " |")
    return lines


def curves(result: Standings) -> tuple[Curve, ...]:
    """Answer words against the budget, a curve a method."""
    found = []
    for name, own in result.overall.items():
        points = [(float(b), own[f"words in {b}"].value) for b in BUDGETS if f"words in {b}" in own]
        found.append(Curve(name, tuple(points)))
    return tuple(found)
