"""How many secrets the detector finds, and how many look-alikes it takes for one, by kind.

    python benchmarks/secret_detection.py [open|held_out|prose|recent|fresh|later] [--show]
    python benchmarks/secret_detection.py --speed FOLDER

`benchmarks/secrets/` holds made-up secrets in the contexts people write them in, and harmless
texts that resemble them. They were written apart from the rules and split in halves by the hash of
a row: rules are written against the open half, and the other one is only counted. `prose` is a third
set, of sentences in which people give a credential away, and `recent` a fourth, of 200 secrets of 2025 and 2026
in six languages without look-alikes; `fresh` has 87 and 88 more, and `later` 370 and 72, both written before the rules were mended. A secret counts as found when nothing of it
is left in the text. `--show` prints what went wrong, except in the half that is only counted. `--speed` reads
the lines of the Markdown files below a folder, once by the rules that each line comes near and once by all
rules, and prints both rates.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from lithify.secrets import nearby
from lithify.secrets import redact as redactor
from lithify.secrets.redact import findings, redact

FOLDER = Path(__file__).parent / "secrets"


class Counted(NamedTuple):
    """Of each kind: the rows, and those that were found (or taken for a secret)."""

    rows: Counter[str]
    hits: Counter[str]
    wrong: list[dict[str, Any]]

    @property
    def rate(self) -> float:
        return self.hits.total() / (self.rows.total() or 1)


def rows(name: str, half: str) -> list[dict[str, Any]]:
    """The rows of `secrets` or `lookalikes` in a half."""
    place = FOLDER / f"{name}.{half}.jsonl"
    text = place.read_text(encoding="utf-8") if place.exists() else ""
    return [json.loads(line) for line in text.splitlines()]


def is_found(row: dict[str, Any]) -> bool:
    """Whether no secret of a row is left."""
    left = redact(row["text"])
    return not any(secret in left for secret in row["secrets"])


def found(half: str) -> Counted:
    """The true secrets, and which were found."""
    every = rows("secrets", half)
    wrong = [row for row in every if not is_found(row)]
    kinds = Counter(row["kind"] for row in every)
    return Counted(kinds, kinds - Counter(row["kind"] for row in wrong), wrong)


def false_alarms(half: str) -> Counted:
    """The look-alikes, and which were taken for a secret."""
    every = rows("lookalikes", half)
    wrong = [row for row in every if findings(row["text"])]
    return Counted(
        Counter(row["kind"] for row in every), Counter(row["kind"] for row in wrong), wrong
    )


def speed(folder: str) -> None:
    """Print how fast the lines of a folder are read, beside reading each by every rule."""
    files = sorted(Path(folder).rglob("*.md"))
    lines = [line for file in files for line in file.read_text("utf-8", "replace").splitlines()]
    size = sum(len(line.encode()) for line in lines) / 1e6
    rates, said = {}, {}
    for name, near in (
        ("rules nearby", nearby.nearby),
        ("every rule", lambda _: nearby.EVERYTHING),
    ):
        redactor.nearby = near  # type: ignore[assignment]
        begun = time.process_time()
        said[name] = [findings(line) for line in lines]
        rates[name] = size / (time.process_time() - begun)
    assert len({str(found) for found in said.values()}) == 1, "the two differ"
    for name, rate in rates.items():
        print(f"{name}: {rate:.2f} MB a second of {size:.1f} MB")
    print(f"ratio: {rates['rules nearby'] / rates['every rule']:.1f}")


def main(argv: list[str]) -> None:
    if "--speed" in argv:
        speed(argv[argv.index("--speed") + 1])
        return
    half = argv[0] if argv and not argv[0].startswith("-") else "open"
    secrets, alarms = found(half), false_alarms(half)
    print(f"{half}: found {secrets.rate:.3f} of {secrets.rows.total()} secrets in")
    print(f"  {len(secrets.rows)} kinds; false alarms {alarms.rate:.4f} of {alarms.rows.total()}")
    print("missed, by kind:")
    for kind in sorted(secrets.rows):
        if missed := secrets.rows[kind] - secrets.hits[kind]:
            print(f"  {kind}: {missed} of {secrets.rows[kind]}")
    print("false alarms, by kind:")
    for kind, number in sorted(alarms.hits.items()):
        print(f"  {kind}: {number} of {alarms.rows[kind]}")
    if "--show" in argv and half != "held_out":
        for row in secrets.wrong:
            print("MISSED", row["kind"], json.dumps(row, ensure_ascii=False)[:700])
        for row in alarms.wrong:
            print("ALARM", row["kind"], redact(row["text"])[:500], "<<<", row["text"][:500])


if __name__ == "__main__":
    main(sys.argv[1:])
