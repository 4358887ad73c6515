"""How many of the lasting things that people say in passing become memories.

    python benchmarks/lasting.py FILE ... [--missed]

Each FILE holds a paragraph a line: `text`, the sentence of it that is to be kept (`keep`, empty where
nothing is) and as what (`type`). A sentence is found where a memory of its paragraph has three fifths
of its words; what else becomes a memory is counted beside it, and in the paragraphs with nothing to
keep every memory is wrong.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from lithify.engines import offline
from lithify.markdown.parse import parse
from lithify.text.stems import stems_of
from lithify.values import Brief, TypedMemory

DAY = date(2026, 3, 5)
#: The part of a sentence's words by which a memory is known to be of it.
MOST = 0.6


def memories_of(text: str) -> tuple[TypedMemory, ...]:
    """What the engine keeps of a paragraph."""
    entries = parse(text.encode(), label=DAY.isoformat(), day=DAY).entries
    return offline.write(Brief("typed", "2026-W10", (), entries)).memories


def is_of(memory: TypedMemory, keep: str) -> bool:
    """Whether a memory is of a sentence."""
    own = set(stems_of(keep))
    told = set(stems_of(f"{memory.statement} {memory.why} {memory.how}"))
    return len(own & told) >= MOST * len(own)


def judged(rows: list[Mapping[str, str]], missed: bool) -> str:
    """What became of the paragraphs of a file, in one line."""
    found = typed = beside = wrong = 0
    kept = [row for row in rows if row["keep"]]
    for row in rows:
        memories = memories_of(row["text"])
        own = next((one for one in memories if row["keep"] and is_of(one, row["keep"])), None)
        if own is not None:
            found += 1
            typed += own.type == row["type"]
            beside += len(memories) - 1
        elif row["keep"]:
            beside += len(memories)
            if missed:
                print(f"- {row['type']}: {row['keep']}")
        else:
            wrong += len(memories)
    return (
        f"found {found} of {len(kept)} (type right {typed}), beside them {beside}, "
        f"wrong in {len(rows) - len(kept)} with nothing to keep {wrong}"
    )


def main() -> None:
    """Judge each file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--missed", action="store_true", help="print the sentences not found")
    asked = parser.parse_args()
    for path in asked.files:
        try:
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        except OSError as error:
            parser.error(f"{path}: {error.strerror}. Name a file such as lasting.jsonl.")
        print(f"{path.name}: {judged(rows, asked.missed)}", flush=True)


if __name__ == "__main__":
    main()
