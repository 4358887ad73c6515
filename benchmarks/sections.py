"""How often the judge puts an entry into the section a person put it into.

    python benchmarks/sections.py training/sections.jsonl [--json]

A line is an entry with its label: log, heading, lead, text, section, must_keep.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lithify.judge import MUST, Judgement, judge
from lithify.sections import BY_KEY, WEEK
from lithify.text.sentences import plain, split
from lithify.values import Entry

MUST_KEEP = "must keep"
DROP = "drop"


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall of one label, and how many entries a person gave it."""

    precision: float
    recall: float
    count: int


@dataclass(frozen=True, slots=True)
class Labelled:
    """An entry with what a person said about it."""

    entry: Entry
    section: str
    must_keep: bool


def read_labelled(lines: Iterable[str]) -> tuple[Labelled, ...]:
    """Labelled entries from JSONL: log, heading, lead, text, section, must_keep."""
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(_labelled(f"labelled~{number:012x}", json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            said = f"line {number} is no JSON object with text, section and must_keep: {error}"
            raise SystemExit(said) from error
    return tuple(found)


def _labelled(id: str, row: Mapping[str, Any]) -> Labelled:
    heading = row.get("heading") or ""
    headings = (
        tuple(heading)
        if isinstance(heading, list)
        else tuple(part for part in heading.split(" / ") if part)
    )
    entry = Entry(id=id, text=row["text"], headings=headings, lead=row.get("lead") or "")
    key = row["section"]
    if key not in (*WEEK._fields, DROP):
        raise ValueError(f"{key!r} is no section")
    section = DROP if key == DROP else BY_KEY[key]
    return Labelled(entry, section, bool(row["must_keep"]))


def sentences_of(entry: Entry) -> list[Judgement]:
    """The judgement on each sentence of an entry."""
    heading = entry.headings[-1] if entry.headings else ""
    return [judge(one, heading, entry.lead) for one in split(plain(entry.text))]


def judged(entry: Entry) -> str:
    """The section of an entry's plainest sentence; what nobody needs is dropped."""
    best = max(
        sentences_of(entry),
        key=lambda one: (one.marked, one.stated),
        default=Judgement(WEEK.context, 0, 0, 1),
    )
    return DROP if best.section == WEEK.context and best.drop > 0.5 else best.section


def accuracy(labelled: Sequence[Labelled]) -> float:
    """The share of entries put where a person put them."""
    right = sum(1 for one in labelled if judged(one.entry) == one.section)
    return right / len(labelled) if labelled else 1.0


def measure(labelled: Sequence[Labelled]) -> Mapping[str, Score]:
    """Precision and recall per section, and of must-keep."""
    pairs = [(one.section, judged(one.entry)) for one in labelled]
    scores = {
        section: _score([(a == section, b == section) for a, b in pairs])
        for section in (*WEEK, DROP)
    }
    kept = [any(said.must >= MUST for said in sentences_of(one.entry)) for one in labelled]
    scores[MUST_KEEP] = _score(
        [(one.must_keep, it) for one, it in zip(labelled, kept, strict=True)]
    )
    return scores


def _score(pairs: Sequence[tuple[bool, bool]]) -> Score:
    both = sum(1 for truth, said in pairs if truth and said)
    truths = sum(1 for truth, _ in pairs if truth)
    said = sum(1 for _, said in pairs if said)
    return Score(both / said if said else 1.0, both / truths if truths else 1.0, truths)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("labelled", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    entries = read_labelled(options.labelled.read_text("utf-8").splitlines())
    scores = measure(entries)
    if options.json:
        sections = {name: asdict(score) for name, score in scores.items()}
        print(json.dumps({"accuracy": accuracy(entries), "sections": sections}, indent=2))
        return 0
    print("| section | precision | recall | entries |\n|---|---:|---:|---:|")
    for name, score in scores.items():
        print(f"| {name} | {score.precision:.2f} | {score.recall:.2f} | {score.count} |")
    print(f"accuracy {accuracy(entries):.3f} of {len(entries)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
