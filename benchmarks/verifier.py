"""How many honest and false claims code refuses, and what verifying costs.

    python benchmarks/verifier.py [SET]... [--part open|held-out|all] [--missed]
    python benchmarks/verifier.py --cost [--runs 9]

A SET is one of benchmarks/claims/ (chat, german, worklog; all of them if none is named) or a folder
of your own with days (`memory/`) and claims about them: `claims.jsonl`, which whoever writes the
rules may read, and `held_out.jsonl`, which is only counted. Either may be missing. A line is one
claim, `{"true": false, "kind": "moved figure", "section": "decisions", "text": "…", "cites": ["…"]}`:
whether it is true, of which kind, the key of its section (`sections.BY_KEY`) and the words of a
bullet, and the ids of the entries it cites. A claim is checked as a writer's bullet is: with the
entries of its week before it, or with all of them where its section is a month's. What code refuses
may not be written; the rest is a reader's. `--missed` lists the open claims that code got wrong;
held-out claims are never printed.

`--cost` prints processor time as a ratio to a bare `python -c pass`, the median of the runs. The page
is made of honest claims, with all entries of a log as what its writer was shown, at about 1,000,
2,000 and 4,000 tokens; the sources grow with it. Caches are emptied before each run.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lithify.bench.corpus import BadLines, json_lines, read_days
from lithify.calendar import week_of
from lithify.cli.render import table
from lithify.errors import LithifyError
from lithify.sections import BY_KEY, MONTH, WEEK
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Draft, Entry, Violation
from lithify.verify import ShownEntries, over_ceiling, question, trace, verify

CLAIMS = Path(__file__).resolve().parent / "claims"
#: The claims that may be read while the rules are written, and those that are only counted.
FILES = {"open": "claims.jsonl", "held out": "held_out.jsonl"}


@dataclass(frozen=True, slots=True)
class Trial:
    """A claim of which it is known whether it is true, and what code refused of it."""

    set: str
    part: str
    kind: str
    honest: bool
    claim: Claim
    refused: tuple[Violation, ...] = ()

    @property
    def outcome(self) -> str:
        """What became of it: refused or let through."""
        return "refused" if self.refused else "let through"

    @property
    def right(self) -> bool:
        """Whether an honest claim passed, or a false one did not."""
        return self.honest is (self.outcome == "let through")


def sets(names: Sequence[str] = ()) -> tuple[Path, ...]:
    """Return the sets of these names or folders; all that lie beside this file without any."""
    shipped = {path.name: path for path in sorted(CLAIMS.iterdir()) if path.is_dir()}
    found = [shipped.get(name, Path(name)) for name in dict.fromkeys(names)]
    for path in found:
        if not any((path / file).is_file() for file in FILES.values()):
            known = ", ".join(shipped)
            reason = f"neither a folder with {FILES['open']} nor one of {known}"
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
    return ShownEntries.of(entries)


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
                weeks[week] = ShownEntries.of(mine)
            shown = weeks[week] if set(claim.sources) <= weeks[week].entries.keys() else shown
        mended, refused, _ = trace(claim, shown)
        yield Trial(name, part, kind, honest, mended, refused)


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
    """How many claims of one kind (of all kinds if it is empty) there are, and were refused."""

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
            ends = Counter(trial.outcome for trial in mine if kind in ("", trial.kind))
            found.append(Rate(kind, honest, ends.total(), ends["refused"]))
    return found


def lines_of(trials: Sequence[Trial], parts: Sequence[str]) -> Iterator[str]:
    """Show the rates of each set, its parts side by side, honest kinds first."""
    by_set: dict[str, list[Trial]] = {}
    for trial in trials:
        by_set.setdefault(trial.set, []).append(trial)
    if len(by_set) > 1:
        by_set["all sets"] = list(trials)
    for number, (name, mine) in enumerate(by_set.items()):
        if number:
            yield ""
        cells: dict[tuple[bool, str], dict[str, str]] = {}
        for part in parts:
            for rate in rates(trial for trial in mine if trial.part == part):
                row = cells.setdefault((not rate.honest, rate.kind), {})
                row[f"{part}: refused"] = f"{rate.refused:3d} of {rate.claims:3d} {rate.share:6.1%}"
        titles = [f"{part}: refused" for part in parts]
        rows = []
        for (false, kind), row in sorted(cells.items()):
            title = f"  {kind}" if kind else "false" if false else "honest"
            rows.append((title, *(row.get(column, "-") for column in titles)))
        yield from table([(name, *titles), *rows])


def missed(trials: Iterable[Trial]) -> Iterator[str]:
    """List the open claims that code was wrong about; those held out are only counted."""
    for trial in sorted(trials, key=lambda trial: not trial.honest):
        if trial.part == "open" and not trial.right:
            yield f"\n{trial.outcome}: {trial.set}, {trial.kind}\n  {trial.claim.text}"
            for one in trial.refused:
                yield f"  {one.rule}: {one.message}"


# What it costs


def bare(runs: int) -> float:
    """Processor time of an interpreter that does nothing."""
    taken = []
    for _ in range(runs):
        process = subprocess.Popen([sys.executable, "-c", "pass"])
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        taken.append(usage.ru_utime + usage.ru_stime)
    return statistics.median(taken)


def page(tokens: int) -> tuple[Draft, Brief]:
    """Claims of about so many tokens and the entries that they cite, with those around them."""
    folder = next(path for path in sets() if path.name == "worklog")
    claims = [trial.claim for trial in run(folder) if trial.honest and trial.part == "open"]
    days = {entry.id: entry for day in read_days(folder) for entry in day.entries}
    found: list[Claim] = []
    entries: dict[str, Entry] = {}
    while sum(estimate(claim.text) for claim in found) < tokens:
        # The same log again is another log: ids and words differ.
        turn = len(found) // len(claims)
        claim = claims[len(found) % len(claims)]
        ids = tuple(f"{id}{turn}" for id in claim.sources)
        found.append(Claim(claim.text, ids, WEEK.context))
        if not entries or f"{next(iter(days))}{turn}" not in entries:
            entries |= {f"{id}{turn}": replace(e, id=f"{id}{turn}") for id, e in days.items()}
    size = sum(estimate(entry.text) for entry in entries.values())
    sections, shown = WEEK, tuple(entries.values())
    brief = Brief("week", "2026-W14", sections, shown, size=size, ceiling=tokens + tokens // 4)
    return Draft(tuple(found)), brief


def empty_caches() -> None:
    for item in gc.get_objects():
        if type(item).__name__ == "_lru_cache_wrapper":
            item.cache_clear()


def costs(runs: int) -> None:
    """Print what it costs to verify pages of three lengths."""
    start = bare(runs)
    print(
        f"verifying a page, median of {runs}, ratio to `python -c pass` of {sys.version.split()[0]}"
    )
    for tokens in (1000, 2000, 4000):
        draft, brief = page(tokens)
        taken = []
        for _ in range(runs):
            empty_caches()
            before = time.process_time()
            checked = verify(draft, brief, extractive=False)
            over_ceiling(brief, checked.claims)
            question(brief, checked.claims)
            taken.append(time.process_time() - before)
        sources = sum(estimate(entry.text) for entry in brief.entries)
        ratio = statistics.median(taken) / start
        print(
            f"  {tokens:5} tokens, {len(draft.claims):3} bullets, {sources:6} of sources {ratio:6.1f}x"
        )
    print("goal: a page of 4,000 tokens <= 20x")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", metavar="SET")
    parser.add_argument("--part", choices=["open", "held-out", "all"], default="all")
    parser.add_argument("--missed", action="store_true", help="list the open claims it got wrong")
    parser.add_argument("--cost", action="store_true", help="measure processor time instead")
    parser.add_argument("--runs", type=int, default=9)
    given = parser.parse_args()
    if given.cost:
        costs(given.runs)
        return 0
    parts = list(FILES) if given.part == "all" else [given.part.replace("-", " ")]
    try:
        trials = [trial for folder in sets(given.sets) for trial in run(folder, parts)]
    except LithifyError as error:
        parser.error(error.message)
    if not trials:
        parser.error("no set has claims of this part")
    print("\n".join(lines_of(trials, parts)))
    if given.missed:
        print("\n".join(missed(trials)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
