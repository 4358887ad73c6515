"""The figures of `lithify bench verifier` as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lithify.bench.intervals import LEVEL, Figure
from lithify.bench.verifier import Rate, Trial, rates
from lithify.cli.common import say, table

_SUMS = {True: "honest refused", False: "false caught"}


def show(trials: Sequence[Trial], parts: Sequence[str]) -> None:
    """A table for each set, and one for all where there are several."""
    for at, (name, mine) in enumerate(_by_set(trials).items()):
        columns = [_by_kind(rates(t for t in mine if t.part == part)) for part in parts]
        kinds = sorted({kind for column in columns for kind in column}, key=_order)
        rows = [
            (_title(kind), *(_cell(column.get(kind), not kind[1]) for column in columns))
            for kind in kinds
        ]
        if at:
            say()
        table([(name, *parts), *rows])


def data(trials: Sequence[Trial]) -> dict[str, Any]:
    """The figures by set and part; a share is of claims refused, an interval of their level."""
    found = {
        name: {
            part: [_plain(rate) for rate in rates(t for t in mine if t.part == part)]
            for part in dict.fromkeys(trial.part for trial in mine)
        }
        for name, mine in _by_set(trials).items()
    }
    return {"level": LEVEL, "sets": found}


def missed_in(trials: Iterable[Trial]) -> list[dict[str, Any]]:
    """The open claims that the verifier was wrong about; those held out are only counted."""
    return [
        {
            "set": trial.set,
            "kind": trial.kind,
            "true": trial.honest,
            "text": trial.claim.text,
            "cites": list(trial.claim.sources),
            "reasons": [f"{v.rule}: {v.message}" for v in trial.violations],
        }
        for trial in sorted(trials, key=lambda trial: not trial.honest)
        if trial.part == "open" and not trial.right
    ]


def _by_set(trials: Sequence[Trial]) -> dict[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in trials:
        found.setdefault(trial.set, []).append(trial)
    return {**found, "all sets": list(trials)} if len(found) > 1 else found


def _by_kind(found: Iterable[Rate]) -> Mapping[tuple[bool, str], Rate]:
    return {(rate.honest, rate.kind): rate for rate in found}


def _order(kind: tuple[bool, str]) -> tuple[bool, str]:
    return not kind[0], kind[1]


def _title(kind: tuple[bool, str]) -> str:
    return f"  {kind[1]}" if kind[1] else _SUMS[kind[0]]


def _cell(rate: Rate | None, is_sum: bool) -> str:
    if rate is None:
        return "-"
    share = rate.refused
    cell = f"{round(share.value * share.count):3d} of {share.count:3d} {share.value:6.1%}"
    return f"{cell} ({share.low:.1%} to {share.high:.1%})" if is_sum else cell


def _plain(rate: Rate) -> dict[str, Any]:
    share: Figure = rate.refused
    return {
        "kind": rate.kind or "all",
        "true": rate.honest,
        "claims": share.count,
        "refused": round(share.value * share.count),
        "share": share.value,
        "low": share.low,
        "high": share.high,
    }
