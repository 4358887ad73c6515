"""How well a model tells true claims from false ones when it reads them for Lithify.

    python benchmarks/reader/kit.py write FOLDER [--claims open|held-out|all|FILE] [-n N] [--seed 1]
    (give each prompt-*.md to a model and save its answer as reply-*.md beside it)
    python benchmarks/reader/kit.py score FOLDER

`write` shuffles the claims of the sets of benchmarks/claims/, or those of a file of such lines
about the same days, and writes them in numbered batches exactly as a reader of Lithify is shown them.
`key.jsonl` says which of them are true; keep it from the reader. `score` reads the replies and prints,
by kind, how many the reader does not support, how many code alone refuses, and both together.
Batches without a reply are named and not counted. Held-out claims are for counting: whoever makes
rules or prompts does not read their batches.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lithify.bench.corpus import json_lines
from lithify.engines.model.prompt import reader_prompt, shipped
from lithify.engines.model.reader import read_verdicts
from lithify.sections import BY_KEY
from lithify.values import Claim

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from verifier import FILES, Trial, check, run, sets, shown_of

STAGE = "reader"
#: Claims of a batch: about what one page has.
BATCH = 20


def trials_of(claims: str) -> Iterator[Trial]:
    """Every claim of a part of the shipped sets, or of a file, with what code says of it."""
    parts = {"open": ["open"], "held-out": ["held out"], "all": list(FILES)}.get(claims)
    if parts is not None:
        for folder in sets():
            yield from run(folder, parts)
        return
    rows = [row for _, row in json_lines(Path(claims))]
    for folder in sets():
        shown = shown_of(folder)
        mine = [row for row in rows if set(row["cites"]) <= shown.entries.keys()]
        read = [
            (
                row["kind"],
                row["true"],
                Claim(row["text"], tuple(row["cites"]), BY_KEY[row["section"]]),
            )
            for row in mine
        ]
        yield from check(folder.name, Path(claims).stem, read, shown)


def write(folder: Path, claims: str, count: int, seed: int, size: int) -> None:
    """Write the prompts of a reader and the key to them."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        sys.exit(f"{folder} is not empty")
    chance = random.Random(seed)
    trials = list(trials_of(claims))
    chance.shuffle(trials)
    trials = trials[: count or len(trials)]
    shown = {path.name: shown_of(path) for path in sets()}
    template = shipped()[STAGE]
    by_set = {name: [trial for trial in trials if trial.set == name] for name in shown}
    batches = [mine[at : at + size] for mine in by_set.values() for at in range(0, len(mine), size)]
    words = 0
    with (folder / "key.jsonl").open("w", encoding="utf-8") as key:
        for number, batch in enumerate(batches, 1):
            there = shown[batch[0].set]
            prompt = reader_prompt(
                [trial.claim for trial in batch], there.entries, template, "Agent"
            )
            text = f"{prompt.system}\n\n{prompt.user}\n"
            words += len(text.split())
            (folder / f"prompt-{number:03}.md").write_text(text, encoding="utf-8")
            for place, trial in enumerate(batch, 1):
                key.write(json.dumps(_key(number, place, trial), ensure_ascii=False) + "\n")
    print(f"{len(trials)} claims in {len(batches)} batches, {words} words of prompt: {folder}")


def _key(batch: int, place: int, trial: Trial) -> dict[str, Any]:
    known = {"batch": batch, "claim": place, "set": trial.set, "kind": trial.kind}
    return {**known, "true": trial.honest, "code": trial.outcome}


def score(folder: Path) -> None:
    """Read the replies and print what was caught and refused by kind."""
    key = [row for _, row in json_lines(folder / "key.jsonl")]
    size = Counter(row["batch"] for row in key)
    said: dict[tuple[int, int], str] = {}
    silent = []
    for batch in sorted(size):
        reply = folder / f"reply-{batch:03}.md"
        text = reply.read_text(encoding="utf-8") if reply.is_file() else ""
        verdicts = read_verdicts(text, size[batch])
        said |= {(batch, place): found.verdict for place, found in verdicts.items()}
        if not verdicts:
            silent.append(batch)
    answered = [row for row in key if row["batch"] not in silent]
    if silent:
        print(
            f"no verdicts for {len(silent)} of {len(size)} batches: {', '.join(map(str, silent))}"
        )
    without = sum((row["batch"], row["claim"]) not in said for row in answered)
    print(
        f"{len(answered)} claims read, {without} of them without a verdict (they count as supported)"
    )
    print(f"\n{'':24}{'claims':>8}{'reader':>8}{'code':>8}{'either':>8}")
    for honest in (True, False):
        mine = [row for row in answered if row["true"] is honest]
        _line("honest, not supported" if honest else "false, caught", mine, said)
        for kind in sorted({row["kind"] for row in mine}):
            _line(f"  {kind}", [row for row in mine if row["kind"] == kind], said)


def _line(title: str, rows: Sequence[dict[str, Any]], said: dict[tuple[int, int], str]) -> None:
    read = [said.get((row["batch"], row["claim"]), "supported") != "supported" for row in rows]
    code = [row["code"] == "refused" for row in rows]
    either = sum(one or other for one, other in zip(read, code, strict=True))
    print(f"{title:24}{len(rows):8}{sum(read):8}{sum(code):8}{either:8}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tasks = parser.add_subparsers(dest="task", required=True)
    writing = tasks.add_parser("write")
    writing.add_argument("folder", type=Path)
    writing.add_argument(
        "--claims", default="open", help="open, held-out, all, or a file of claims"
    )
    writing.add_argument("-n", type=int, default=0, help="so many claims, drawn at random")
    writing.add_argument("--seed", type=int, default=1)
    writing.add_argument("--batch", type=int, default=BATCH, help="claims of a batch")
    scoring = tasks.add_parser("score")
    scoring.add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.task == "write":
        write(given.folder, given.claims, given.n, given.seed, given.batch)
    else:
        score(given.folder)


if __name__ == "__main__":
    main()
