"""Fit the weights by which the words of a sentence speak for keeping it for good.

    python benchmarks/teach_lasting.py LABELS ... [--paragraphs FILE ...] [--held-out FILE ...] [--write]

LABELS are sentences of one log each, marked where they are worth remembering (`last` in
`logs/*/labels.jsonl` and `logs/*/lasting.jsonl`, README); each is left out once and judged by what
the others teach. FILEs are paragraphs as `lasting.jsonl` has them, whose sentences count for half;
those held out are judged and nothing is learned from them. `--write` puts the weights of all into
the package.

A feature is learned where it stands in several files and no word of it is a name. The model is that
of `teach.py`.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from teach import names_in, softmax

from lithify.engines.offline.lasting import learned
from lithify.engines.offline.reading.text import split

TABLE = Path(learned.__file__).with_name("learned.tsv")
KINDS = ("", *learned.TYPES)
#: What the marks of the labels are kept as; whether a decision stands is another question.
MARKS = {"-": "", "f": "feedback", "l": "feedback", "u": "user", "r": "reference"}
#: A feature is learned where it stands so often, and in so many files.
LEAST, FILES = 4, 2
#: How dear large weights are, and what a sentence of a paragraph counts.
PENALTY, WRITTEN = 2.0, 0.5
#: Paragraphs of many fields are as good as several files of so many.
PART = 200
#: Weights all below this many hundredths say nothing.
SLIGHT = 8


class Sentence(NamedTuple):
    """A sentence, what it is to be kept as, where it is from, and how much that counts."""

    text: str
    kind: int
    file: str
    weight: float


def labelled(path: Path) -> Iterator[Sentence]:
    """The sentences of a log, those left out of which nobody can say whether they are to be kept."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if (mark := row["last"][:1]) in MARKS:
            yield Sentence(row["text"], KINDS.index(MARKS[mark]), str(path), 1.0)


def written(path: Path) -> Iterator[Sentence]:
    """The sentences of a file's paragraphs."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        kept = row["keep"].strip()
        for text in split(row["text"]):
            is_kept = bool(kept) and (text.strip() in kept or kept in text)
            kind = KINDS.index(row["type"]) if is_kept else 0
            yield Sentence(text, kind, f"{path}{number // PART}", WRITTEN)


def fit(sentences: Sequence[Sentence]) -> dict[str, np.ndarray[Any, Any]]:
    """The weights of each feature in hundredths, by kind; those of "" count always."""
    seen = [learned.features(one.text) for one in sentences]
    counts = Counter(name for names in seen for name in names)
    files: defaultdict[str, set[str]] = defaultdict(set)
    for one, names in zip(sentences, seen, strict=True):
        for name in names:
            files[name].add(one.file)
    nobody = names_in(one.text for one in sentences)
    kept = sorted(
        name
        for name, count in counts.items()
        if count >= LEAST and len(files[name]) >= FILES and nobody.isdisjoint(name.split(" "))
    )
    places = {name: n for n, name in enumerate(kept, 1)}
    columns = [[0, *(places[name] for name in names if name in places)] for names in seen]
    starts = np.cumsum([0, *map(len, columns)])
    flat = [n for own in columns for n in own]
    rows = csr_matrix((np.ones(len(flat)), flat, starts), shape=(len(seen), len(places) + 1))
    weights = np.array([one.weight for one in sentences])
    kinds = [one.kind for one in sentences]
    table = np.rint(100 * softmax(rows, weights, kinds, len(KINDS), PENALTY)).astype(int)
    named = {name: table[n] for name, n in places.items() if abs(table[n]).max() >= SLIGHT}
    return {"": table[0], **named}


def margins(sentences: Sequence[Sentence], table: dict[str, Any]) -> Iterator[tuple[int, int, int]]:
    """How far the words speak for keeping each sentence, what it is to be kept as, and what they say."""
    for one in sentences:
        known = (table[name] for name in learned.features(one.text) if name in table)
        nothing, *kept = sum(known, table[""])
        yield max(kept) - nothing, one.kind, 1 + int(np.argmax(kept))


def report(name: str, judged: Sequence[tuple[int, int, int]]) -> None:
    """Print how much of what is to be kept is found, and how much of what is found is to be kept."""
    kept = sum(1 for _, kind, _ in judged if kind)
    for least in (0, 50, 100, 150, 200):
        found = [(kind, guess) for margin, kind, guess in judged if margin >= least]
        right = sum(1 for kind, _ in found if kind)
        typed = sum(1 for kind, guess in found if kind == guess)
        print(
            f"{name}, by {least}: found {right} of {kept}, type right {typed}, "
            f"wrong {len(found) - right} of {len(judged) - kept}",
            flush=True,
        )


def main() -> None:
    """Fit, judge and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("labels", nargs="+", type=Path)
    parser.add_argument("--paragraphs", nargs="*", type=Path, default=[])
    parser.add_argument("--held-out", nargs="*", type=Path, default=[])
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    for path in (*asked.labels, *asked.paragraphs, *asked.held_out):
        if not path.is_file():
            parser.error(f"{path}: no such file")
    logs = {path: [*labelled(path)] for path in asked.labels}
    paragraphs = [one for path in asked.paragraphs for one in written(path)]
    if asked.write:
        table = fit([*(one for own in logs.values() for one in own), *paragraphs])
        for path in asked.held_out:
            report(path.name, [*margins([*written(path)], table)])
        lines = ("\t".join([name, *map(str, row)]) for name, row in table.items())
        TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return
    judged: list[tuple[int, int, int]] = []
    for path, own in logs.items():
        others = [one for other, more in logs.items() if other != path for one in more]
        judged += margins(own, fit([*others, *paragraphs]))
    report("each log left out", judged)


if __name__ == "__main__":
    main()
