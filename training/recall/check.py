"""Check the questions that recall is taught with.

    python training/recall/check.py [--against FOLDER ...]

Every entry id of `training/recall/logs/*/questions.jsonl` must be an entry of the log's days. With
`--against` no sentence of eight words or more may stand both in a log or question and in a text file
of the folders given, which hold what recall is measured on. Prints the questions of each kind;
exit 1 with a line for each fault.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from lithify.bench.corpus import read_days

HERE = Path(__file__).parent
LEAST_WORDS = 8
_SENTENCE = re.compile(r"[.!?;]\s+|\n")
_WORD = re.compile(r"\w+")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--against", type=Path, nargs="*", default=[])
    known = set(sentences(texts(options.parse_args().against)))
    kinds: Counter[str] = Counter()
    faults: list[str] = []
    logs = sorted(path.parent for path in HERE.glob("logs/*/questions.jsonl"))
    for log in logs:
        own = log / "memory"
        days = read_days(own if own.is_dir() else HERE.parent / "logs" / log.name / "memory")
        ids = {entry.id for day in days for entry in day.entries}
        said = [day.text for day in days]
        for number, line in enumerate((log / "questions.jsonl").read_text("utf-8").splitlines(), 1):
            row = json.loads(line)
            kinds[row["kind"]] += 1
            said += [row["question"], row["answer"]]
            gone = [id for id in row["evidence"] if id not in ids]
            faults += [f"{log.name} line {number}: no entry {id}" for id in gone]
            if bool(row["evidence"]) == (row["kind"] == "absent"):
                faults.append(f"{log.name} line {number}: evidence and kind disagree")
        shared = sorted(set(sentences(said)) & known)
        faults += [f"{log.name}: shared with what recall is measured on: {one}" for one in shared]
    print(f"{kinds.total()} questions on {len(logs)} logs")
    for kind, count in kinds.most_common():
        print(f"{count:6} {kind}")
    print("\n".join(faults), file=sys.stderr)
    return bool(faults)


def texts(folders: Iterable[Path]) -> Iterator[str]:
    """The text files under folders."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".md", ".json", ".jsonl", ".yaml", ".txt"):
                yield path.read_text("utf-8", "replace")


def sentences(found: Iterable[str]) -> Iterator[str]:
    """The sentences of eight words or more, as lower-case words."""
    for text in found:
        for sentence in _SENTENCE.split(text):
            words = _WORD.findall(sentence.lower())
            if len(words) >= LEAST_WORDS:
                yield " ".join(words)


if __name__ == "__main__":
    sys.exit(main())
