"""How many honest claims the verifier refuses, and how many false ones it catches.

A set is a folder with days (`memory/`) and claims about them: `claims.jsonl`, which whoever writes
the rules may read, and `held_out.jsonl`, which is only counted. Either may be missing. A line is one
claim, `{"true": false, "kind": "moved figure", "section": "decisions", "text": "…", "cites": ["…"]}`:
whether it is true, of which kind, the key of its section (`sections.BY_KEY`) and the words of a
bullet, and the ids of the entries it cites. A claim is checked as a writer's bullet is: with the
entries of its week before it, or with all of them where its section is a month's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from lithify.bench.corpus import BadLines, Day, json_lines, read_days
from lithify.calendar import week_of
from lithify.config import load
from lithify.sections import BY_KEY, JUDGING, MONTH
from lithify.values import Claim, Violation
from lithify.verify.claims import ShownEntries, examine, mend

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


def sets(names: Sequence[str] = ()) -> tuple[Path, ...]:
    """Return the sets of these names or folders; all that come with the package without any."""
    folder = Path(str(files("lithify.bench") / "claims"))
    shipped = {path.name: path for path in sorted(folder.iterdir()) if path.is_dir()}
    found = [shipped.get(name, Path(name)) for name in dict.fromkeys(names)]
    for path in found:
        if not any((path / file).is_file() for file in FILES.values()):
            known = ", ".join(shipped)
            reason = f"neither a folder with {FILES['open']} nor a set of the package ({known})"
            raise BadLines(file=path, reason=reason)
    return tuple(found or shipped.values())


def run(folder: Path, parts: Iterable[str] = tuple(FILES)) -> list[Trial]:
    """Return every claim of some parts of a set, checked."""
    days = read_days(folder)
    agent = load(folder).agent_name
    everything = _shown(days, agent)
    weeks: dict[str, ShownEntries] = {}
    found = []
    for part in parts:
        for kind, honest, claim in _read(folder / FILES[part], everything):
            shown = everything
            if claim.section not in MONTH:
                day = everything.entries[claim.sources[0]].day
                week = week_of(day) if day else ""
                if week not in weeks:
                    weeks[week] = _shown([d for d in days if week_of(d.day) == week], agent)
                shown = weeks[week] if set(claim.sources) <= weeks[week].entries.keys() else shown
            mended = mend(claim, shown)
            violations = examine(mended, shown, judging=claim.section in JUDGING)
            found.append(Trial(folder.name, part, kind, honest, claim, violations))
    return found


def _shown(days: Sequence[Day], agent: str) -> ShownEntries:
    return ShownEntries.of([entry for day in days for entry in day.entries], agent)


def _read(path: Path, shown: ShownEntries) -> Iterator[tuple[str, bool, Claim]]:
    """Read the claims of a file, each with its kind and whether it is true; none without the file."""
    for place, row in json_lines(path) if path.is_file() else ():
        if wrong := _fault(row, shown):
            raise BadLines(file=path, reason=f"{place}: {wrong}")
        yield (
            row["kind"],
            row["true"],
            Claim(row["text"], tuple(row["cites"]), BY_KEY[row["section"]]),
        )


def _fault(row: Mapping[str, Any], shown: ShownEntries) -> str:
    """Say what is wrong with a claim; the claim itself is never quoted."""
    for key, kind, what in _FIELDS:
        if not isinstance(row.get(key), kind) or row[key] in ("", []):
            return f"`{key}` must be {what}"
    if row["section"] not in BY_KEY:
        return f'"{row["section"]}" is not a section of a week or month'
    for id in row["cites"]:
        if not isinstance(id, str) or id not in shown.entries:
            return f"`cites`: no entry of the days has the id {id}"
    return ""


_FIELDS = (
    ("true", bool, "true or false"),
    ("kind", str, "a text"),
    ("section", str, "a text"),
    ("text", str, "a text"),
    ("cites", list, "a list of ids"),
)


@dataclass(frozen=True, slots=True)
class Rate:
    """How many claims of one kind (of all kinds if it is empty) there are, and were refused.

    Few are to be refused of honest claims and many of false ones.
    """

    kind: str
    honest: bool
    claims: int
    refused: int

    @property
    def share(self) -> float:
        return self.refused / self.claims


def rates(trials: Iterable[Trial]) -> list[Rate]:
    """Count what was refused by kind, honest kinds first; before the kinds stands their sum."""
    trials = list(trials)
    found = []
    for honest in (True, False):
        mine = [trial for trial in trials if trial.honest is honest]
        for kind in ("", *sorted({trial.kind for trial in mine})) if mine else ():
            of_kind = [bool(trial.violations) for trial in mine if kind in ("", trial.kind)]
            found.append(Rate(kind, honest, len(of_kind), sum(of_kind)))
    return found
