"""How many honest claims the verifier refuses, and how many false ones it catches.

A set is a folder with days (`memory/`) and claims about them (`claims.jsonl`, `held_out.jsonl`):
the section and the words of a bullet, the ids of the entries it cites, whether it is true, and of
which kind. A claim is checked as a writer's bullet is: with the entries of its week before it, or
with all of them where it is a month's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from lithify.bench.corpus import Day, read_days
from lithify.bench.questions import BadQuestions
from lithify.calendar import week_of
from lithify.config import load
from lithify.values import JUDGING, MONTH_SECTIONS, Claim, Violation
from lithify.verify.claims import examine, mend
from lithify.verify.shown import Shown

#: The claims that may be read while the rules are written, and those that are only counted.
FILES = {"open": "claims.jsonl", "held out": "held_out.jsonl"}


@dataclass(frozen=True, slots=True)
class Trial:
    """A claim of which it is known whether it is true, and what the verifier said of it."""

    set: str
    part: str
    kind: str
    honest: bool
    claim: Claim
    violations: tuple[Violation, ...] = ()

    @property
    def right(self) -> bool:
        """Whether an honest claim passed, or a false one was refused."""
        return self.honest is not bool(self.violations)


def sets() -> tuple[Path, ...]:
    """The sets that come with the package."""
    folder = Path(str(files("lithify.bench") / "claims"))
    return tuple(sorted(path for path in folder.iterdir() if path.is_dir()))


def run(folder: Path) -> list[Trial]:
    """Every claim of a set, checked."""
    days = read_days(folder)
    agent = load(folder).agent_name
    everything = _shown(days, agent)
    weeks: dict[str, Shown] = {}
    found = []
    for part, name in FILES.items():
        for n, row in enumerate(_rows(folder / name), 1):
            claim = _claim(row, everything, f"{name} line {n}")
            shown = everything
            if claim.section not in MONTH_SECTIONS:
                week = _week(claim, everything)
                if week not in weeks:
                    weeks[week] = _shown([d for d in days if week_of(d.day) == week], agent)
                shown = weeks[week] if set(claim.sources) <= weeks[week].entries.keys() else shown
            mended = mend(claim, shown)
            violations = examine(mended, shown, judging=claim.section in JUDGING)
            found.append(Trial(folder.name, part, row["kind"], row["true"], claim, violations))
    return found


def _shown(days: Sequence[Day], agent: str) -> Shown:
    return Shown.of([entry for day in days for entry in day.entries], agent)


def _week(claim: Claim, shown: Shown) -> str:
    day = shown.entries[claim.sources[0]].day
    return week_of(day) if day else ""


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines if line.strip()]


def _claim(row: dict[str, Any], shown: Shown, place: str) -> Claim:
    unknown = [id for id in row["cites"] if id not in shown.entries]
    if unknown or not row["cites"]:
        raise BadQuestions(file=place, reason=f"there is no entry {unknown}")
    return Claim(row["text"], tuple(row["cites"]), row["section"])


@dataclass(frozen=True, slots=True)
class Rate:
    """How many claims of a kind there are, and of how many the verifier was right."""

    kind: str
    honest: bool
    count: int
    right: int


def rates(trials: Iterable[Trial]) -> list[Rate]:
    """Both rates by kind, honest kinds first, each with its sum."""
    trials = list(trials)
    found = []
    for honest in (True, False):
        mine = [trial for trial in trials if trial.honest is honest]
        for kind in ("", *sorted({trial.kind for trial in mine})):
            these = [trial for trial in mine if kind in ("", trial.kind)]
            found.append(Rate(kind, honest, len(these), sum(trial.right for trial in these)))
    return found
