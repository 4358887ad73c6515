"""How many honest and false claims code refuses, and how many more it doubts.

A set is a folder with days (`memory/`) and claims about them: `claims.jsonl`, which whoever writes
the rules may read, and `held_out.jsonl`, which is only counted. Either may be missing. A line is one
claim, `{"true": false, "kind": "moved figure", "section": "decisions", "text": "…", "cites": ["…"]}`:
whether it is true, of which kind, the key of its section (`sections.BY_KEY`) and the words of a
bullet, and the ids of the entries it cites. A claim is checked as a writer's bullet is: with the
entries of its week before it, or with all of them where its section is a month's. What code refuses
may not be written; a doubt is a hint for a reader and refuses nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from lithify.bench.corpus import BadLines, json_lines, read_days
from lithify.calendar import week_of
from lithify.config import load
from lithify.sections import BY_KEY, MONTH
from lithify.values import Claim, Violation
from lithify.verify import ShownEntries, doubts
from lithify.verify.trace import trace

#: The claims that may be read while the rules are written, and those that are only counted.
FILES = {"open": "claims.jsonl", "held out": "held_out.jsonl"}


@dataclass(frozen=True, slots=True)
class Trial:
    """A claim of which it is known whether it is true, what code refused of it and what it doubts."""

    set: str
    part: str
    kind: str
    honest: bool
    claim: Claim
    refused: tuple[Violation, ...] = ()
    doubts: tuple[Violation, ...] = ()

    @property
    def outcome(self) -> str:
        """What became of it: refused, doubted or let through."""
        return "refused" if self.refused else "doubted" if self.doubts else "let through"

    @property
    def right(self) -> bool:
        """Whether an honest claim passed without a doubt, or a false one did not."""
        return self.honest is (self.outcome == "let through")


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
    """Every claim of some parts of a set, checked."""
    shown = shown_of(folder)
    return [
        trial
        for part in parts
        for trial in check(folder.name, part, _read(folder / FILES[part], shown), shown)
    ]


def shown_of(folder: Path) -> ShownEntries:
    """All entries of a set's days."""
    entries = [entry for day in read_days(folder) for entry in day.entries]
    return ShownEntries.of(entries, load(folder).agent_name)


def check(
    name: str, part: str, claims: Iterable[tuple[str, bool, Claim]], everything: ShownEntries
) -> Iterator[Trial]:
    """Check claims on the days of a set, each with its kind and whether it is true."""
    weeks: dict[str, ShownEntries] = {}
    for kind, honest, claim in claims:
        shown = everything
        if claim.section not in MONTH:
            day = everything.entries[claim.sources[0]].day
            week = week_of(day) if day else ""
            if week not in weeks:
                mine = [e for e in everything.entries.values() if e.day and week_of(e.day) == week]
                weeks[week] = ShownEntries.of(mine, everything.agent)
            shown = weeks[week] if set(claim.sources) <= weeks[week].entries.keys() else shown
        mended, refused, _ = trace(claim, shown)
        hints = () if refused else doubts(mended, shown)
        yield Trial(name, part, kind, honest, mended, refused, hints)


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
    """How many claims of one kind (of all kinds if it is empty) there are, were refused, or doubted.

    Those doubted passed; what was refused is not counted again.
    """

    kind: str
    honest: bool
    claims: int
    refused: int
    doubted: int = 0

    @property
    def share(self) -> float:
        return self.refused / self.claims


def rates(trials: Iterable[Trial]) -> list[Rate]:
    """Count what was refused and doubted by kind, honest kinds first; before the kinds stands their sum."""
    trials = list(trials)
    found = []
    for honest in (True, False):
        mine = [trial for trial in trials if trial.honest is honest]
        for kind in ("", *sorted({trial.kind for trial in mine})) if mine else ():
            ends = Counter(trial.outcome for trial in mine if kind in ("", trial.kind))
            found.append(Rate(kind, honest, ends.total(), ends["refused"], ends["doubted"]))
    return found
