"""How many honest claims the verifier refuses, and how many false ones it catches.

A set is a folder with days (`memory/`) and claims about them: `claims.jsonl`, which whoever writes
the rules may read, and `held_out.jsonl`, which is only counted. Either may be missing. A line is one
claim, `{"true": false, "kind": "moved figure", "section": "Decisions", "text": "…", "cites": ["…"]}`:
whether it is true, of which kind, the section and the words of a bullet, and the ids of the entries
it cites. A claim is checked as a writer's bullet is: with the entries of its week before it, or with
all of them where its section is a month's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from lithify.bench.corpus import Day, read_days
from lithify.bench.intervals import Figure, draws, figure, mean_of
from lithify.calendar import week_of
from lithify.config import load
from lithify.errors import LithifyError
from lithify.sections import COMBINED, JUDGING, MONTH, WEEK
from lithify.values import Claim, Violation
from lithify.verify.claims import Shown, examine, mend

#: The claims that may be read while the rules are written, and those that are only counted.
FILES = {"open": "claims.jsonl", "held out": "held_out.jsonl"}
_SECTIONS = frozenset((*WEEK, *COMBINED, *MONTH))


class BadClaims(LithifyError):
    """{place}: {reason}"""

    exit_code = 2


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
    """The sets of these names or folders; all that come with the package without any."""
    folder = Path(str(files("lithify.bench") / "claims"))
    shipped = {path.name: path for path in sorted(folder.iterdir()) if path.is_dir()}
    found = [shipped.get(name, Path(name)) for name in dict.fromkeys(names)]
    for path in found:
        if not any((path / file).is_file() for file in FILES.values()):
            known = ", ".join(shipped)
            reason = f"neither a folder with {FILES['open']} nor a set of the package ({known})"
            raise BadClaims(place=path, reason=reason)
    return tuple(found or shipped.values())


def run(folder: Path, parts: Iterable[str] = tuple(FILES)) -> list[Trial]:
    """Every claim of some parts of a set, checked."""
    days = read_days(folder)
    agent = load(folder).agent_name
    everything = _shown(days, agent)
    weeks: dict[str, Shown] = {}
    found = []
    for part in parts:
        for kind, honest, claim in _read(folder / FILES[part], everything):
            shown = everything
            if claim.section not in MONTH:
                week = _week(claim, everything)
                if week not in weeks:
                    weeks[week] = _shown([d for d in days if week_of(d.day) == week], agent)
                shown = weeks[week] if set(claim.sources) <= weeks[week].entries.keys() else shown
            mended = mend(claim, shown)
            violations = examine(mended, shown, judging=claim.section in JUDGING)
            found.append(Trial(folder.name, part, kind, honest, claim, violations))
    return found


def _shown(days: Sequence[Day], agent: str) -> Shown:
    return Shown.of([entry for day in days for entry in day.entries], agent)


def _week(claim: Claim, shown: Shown) -> str:
    day = shown.entries[claim.sources[0]].day
    return week_of(day) if day else ""


def _read(path: Path, shown: Shown) -> Iterator[tuple[str, bool, Claim]]:
    """The claims of a file, each with its kind and whether it is true; none without the file."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return
    except UnicodeDecodeError as error:
        raise BadClaims(place=path, reason=f"is not UTF-8 (byte {error.start})") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _claim(json.loads(line), shown)
            except ValueError as error:
                # A decoder's message has a line of its own; the claim itself is never quoted.
                reason = (
                    f"not JSON ({error.msg})" if isinstance(error, json.JSONDecodeError) else error
                )
                raise BadClaims(place=f"{path} line {number}", reason=reason) from None


def _claim(row: object, shown: Shown) -> tuple[str, bool, Claim]:
    if not isinstance(row, dict):
        raise ValueError("not an object")
    for key, kind, what in _FIELDS:
        if not isinstance(row.get(key), kind) or row[key] in ("", []):
            raise ValueError(f"`{key}` must be {what}")
    if row["section"] not in _SECTIONS:
        raise ValueError(f'"{row["section"]}" is not a section of a week or month')
    for id in row["cites"]:
        if not isinstance(id, str) or id not in shown.entries:
            raise ValueError(f"`cites`: no entry of the days has the id {id}")
    return row["kind"], row["true"], Claim(row["text"], tuple(row["cites"]), row["section"])


_FIELDS = (
    ("true", bool, "true or false"),
    ("kind", str, "a text"),
    ("section", str, "a text"),
    ("text", str, "a text"),
    ("cites", list, "a list of ids"),
)


@dataclass(frozen=True, slots=True)
class Rate:
    """Of the claims of one kind (all kinds if it is empty), the share that was refused.

    That is to be low for honest claims and high for false ones.
    """

    kind: str
    honest: bool
    refused: Figure


def rates(trials: Iterable[Trial]) -> list[Rate]:
    """The share refused by kind, honest kinds first; before the kinds of each stands their sum."""
    trials = list(trials)
    found = []
    for honest in (True, False):
        mine = [trial for trial in trials if trial.honest is honest]
        for kind in ("", *sorted({trial.kind for trial in mine})):
            refused = [float(bool(t.violations)) for t in mine if kind in ("", t.kind)]
            if share := figure(mean_of(refused), draws(len(refused))):
                found.append(Rate(kind, honest, share))
    return found
