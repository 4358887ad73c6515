"""Check the recall questions: every evidence id resolves, and nothing is shared with other corpora.

    python training/recall/check.py [CORPUS …]

A corpus is a folder with days or questions that were written by others. No run of eight words of a
log or a question may stand in one.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lithify.bench.corpus import read_days

HERE = Path(__file__).parent
#: What each log is; the others are work logs.
KINDS = {
    "two people chatting": "beacon classroom encore gantry hedge kiln orchard shutter thimble charla",
    "a person and an assistant": "armchair ledger rafters timetable",
    "coding sessions": "marina tally waterworks clinic scores surgery",
    "operations": "baths cableway ferries harbour theatre tower creamery halls huts",
    "research notes": "archive flatworm mire seeds peat river",
    "support": "bicycle broadband lenses",
    "household": "flat garten larder",
    "meetings": "standup trustees",
    "a workshop or business": "bells bindery bistrot globes reservoir",
}
SHARED_WORDS = 8
_WORD = re.compile(r"[^\W_]+")


def runs(text: str) -> Iterator[tuple[str, ...]]:
    words = [word.lower() for word in _WORD.findall(text)]
    return (tuple(words[n : n + SHARED_WORDS]) for n in range(len(words) - SHARED_WORDS + 1))


def texts(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".md", ".jsonl", ".json", ".yaml"):
            yield path.read_text("utf-8", "replace")


def main() -> None:
    foreign = {run for corpus in sys.argv[1:] for text in texts(Path(corpus)) for run in runs(text)}
    kinds, sizes, faults = Counter[str](), Counter[int](), []
    logs = sorted(path.parent for path in HERE.glob("logs/*/questions.jsonl"))
    for log in logs:
        entries = {entry.id: entry for day in read_days(log) for entry in day.entries}
        asked = set()
        for n, line in enumerate((log / "questions.jsonl").read_text("utf-8").splitlines(), 1):
            row = json.loads(line)
            kinds[row["kind"]] += 1
            sizes[len(row["evidence"])] += 1
            lost = [id for id in row["evidence"] if id not in entries]
            if (
                lost
                or bool(row["evidence"]) is (row["kind"] == "absent")
                or row["question"] in asked
            ):
                faults.append(f"{log.name} line {n}: {row['question']}")
            asked.add(row["question"])
            if any(run in foreign for run in runs(row["question"])):
                faults.append(f"{log.name} line {n} is shared: {row['question']}")
        for entry in entries.values() if foreign else ():
            if any(run in foreign for run in runs(entry.text)):
                faults.append(f"{log.name} {entry.id} is shared: {entry.text[:80]}")
    known = {name for names in KINDS.values() for name in names.split()}
    faults += [f"{log.name} has no kind" for log in logs if log.name not in known]
    print(f"{len(logs)} logs of {len(KINDS)} kinds, {sum(kinds.values())} questions")
    print("by kind:", ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print("by entries that answer:", ", ".join(f"{n}: {sizes[n]}" for n in sorted(sizes)))
    for fault in faults:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
