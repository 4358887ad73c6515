"""Fit the weights by which the words of an entry speak for its section.

    python benchmarks/teach.py FILE ... [--more FILE ...] [--held-out FILE ...] [--write]

Each FILE holds labelled entries as `sections.jsonl` does (README). Entries of the files after
`--more` count for more: they are whole entries of many kinds, the others sentences of one log
each. Without `--held-out` every FILE is left out once and judged by what the others teach; with
it, those files are judged and nothing is learned from them. `--write` puts the weights of all files
into the package.

A feature is learned where it stands in several files, so that no log's own words are, and where no
word of it is a name (mostly written with a capital inside a sentence). The model is
a softmax with a quadratic penalty; the weights are rounded to hundredths, and one that stays near
nothing is left out. Beside it stands what the cues alone make of the same entries.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from calendar import day_name, month_name
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from lithify import cues
from lithify.cues import learned
from lithify.values import WEEK_SECTIONS

TABLE = Path(learned.__file__).with_name("learned.tsv")
SECTIONS = (*WEEK_SECTIONS, "drop")
#: A feature is learned where it stands so often, and in so many files.
LEAST, FILES = 8, 6
#: How dear large weights are, and how often an entry of the files after `--more` counts.
PENALTY, MORE = 6.0, 1.5
#: A capital inside a sentence, and what is written with one though it is nobody's name.
INSIDE = re.compile(r"(?<=[a-z,;] )([A-Z]?[a-zà-ɏ]+)\b")
NO_NAMES = frozenset([*map(str.lower, (*day_name, *month_name)), "month"])
#: Weights all below this many hundredths say nothing.
SLIGHT = 10


@dataclass(frozen=True, slots=True)
class Labelled:
    """An entry as the model sees it: its features, its kind, its file, how much it counts.

    Where a mark or a label settles the section there is nothing to learn, and no feature.
    """

    text: str
    features: dict[str, float]
    kind: int
    cued: int
    file: str
    weight: float


def read(path: Path, weight: float) -> Iterable[Labelled]:
    """The labelled entries of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text, lead = row["text"], row["lead"]
        headings = tuple(part for part in row["heading"].split(" / ") if part)
        cued = cues.by_cues(text, *cues.place_of(lead, headings))
        yield Labelled(
            text,
            {} if cued.is_sure else dict(cues.seen_in(cues.bare(text), cued)),
            SECTIONS.index(row["section"]),
            SECTIONS.index(cued.section),
            str(path),
            weight,
        )


def learnable(entries: Sequence[Labelled]) -> list[str]:
    """The features to learn: those of several files that hold no name."""
    counts = Counter(name for one in entries for name in one.features)
    files: defaultdict[str, set[str]] = defaultdict(set)
    parts: Counter[str] = Counter()
    for one in entries:
        # A file of many kinds of entries is as good as several of one kind.
        parts[one.file] += 1
        part = f"{one.file}{parts[one.file] // 200}" if one.weight > 1 else one.file
        for name in one.features:
            files[name].add(part)
    names = names_in(one.text for one in entries)
    return sorted(
        feature
        for feature, count in counts.items()
        if count >= LEAST
        and len(files[feature]) >= FILES
        and names.isdisjoint(feature.replace("'s", "").split(" "))
    )


def names_in(texts: Iterable[str]) -> frozenset[str]:
    """The words that most often have a capital inside a sentence, in small letters."""
    words = Counter(word for text in texts for word in INSIDE.findall(text))
    found = {word.lower() for word in words if word[0].isupper()} - NO_NAMES
    return frozenset(word for word in found if words[word.title()] > words[word])


def matrix(entries: Sequence[Labelled], places: dict[str, int]) -> csr_matrix:
    """The entries as rows of features; the first column is always one."""
    data, columns, starts = [], [], [0]
    for one in entries:
        data.append(1.0)
        columns.append(0)
        for name, value in one.features.items():
            if name in places:
                data.append(value)
                columns.append(places[name])
        starts.append(len(data))
    return csr_matrix((data, columns, starts), shape=(len(entries), len(places) + 1))


def fit(entries: Sequence[Labelled]) -> dict[str, np.ndarray[Any, Any]]:
    """The weights of each feature in hundredths, by kind; those of "" count always."""
    entries = [one for one in entries if one.features]
    places = {name: n for n, name in enumerate(learnable(entries), 1)}
    weight = np.array([one.weight for one in entries])
    kinds = [one.kind for one in entries]
    rows = matrix(entries, places)
    table = np.rint(100 * softmax(rows, weight, kinds, len(SECTIONS), PENALTY)).astype(int)
    named = {name: table[n] for name, n in places.items() if abs(table[n]).max() >= SLIGHT}
    return {"": table[0], **named}


def softmax(
    rows: csr_matrix,
    weight: np.ndarray[Any, Any],
    kind: Sequence[int],
    kinds: int,
    penalty: float,
) -> np.ndarray[Any, Any]:
    """The weights of each feature by kind, those of the first without penalty."""
    truth = np.zeros((len(kind), kinds))
    truth[np.arange(len(kind)), kind] = 1.0

    def loss(flat: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        table = flat.reshape(-1, kinds)
        scores = rows @ table
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        dear = table.copy()
        dear[0] = 0.0
        cost = -(weight * np.log((chances * truth).sum(axis=1) + 1e-12)).sum()
        slope = rows.T @ ((chances - truth) * weight[:, None]) + penalty * dear
        return cost + penalty / 2 * float((dear**2).sum()), slope.ravel()

    start = np.zeros(rows.shape[1] * kinds)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return found.x.reshape(-1, kinds)


def summed(entry: Labelled, table: dict[str, Any]) -> np.ndarray[Any, Any]:
    """What the features of an entry weigh together, by kind."""
    seen = [value * table[name] for name, value in entry.features.items() if name in table]
    return sum(seen, table[""])


def kinds_of(entries: Sequence[Labelled], table: dict[str, Any]) -> list[int]:
    """The kind that the weights give each entry; what a mark settles is left to it."""
    found = []
    for one in entries:
        if not one.features:
            found.append(one.cued)
            continue
        found.append(int(np.argmax(summed(one, table))))
    return found


def told(name: str, entries: Sequence[Labelled], guessed: Sequence[int]) -> str:
    """Accuracy, what is dropped counted as context, and precision and recall of each section."""
    context = SECTIONS.index("Context")
    pairs = [(one.kind, guess) for one, guess in zip(entries, guessed, strict=True)]
    merged = [(min(a, context), min(b, context)) for a, b in pairs]
    parts = [f"{name:34}{sum(a == b for a, b in merged) / len(merged):.3f}"]
    for n, section in enumerate(SECTIONS[: context + 1]):
        both = sum(a == b == n for a, b in merged)
        said, true = sum(b == n for _, b in merged), sum(a == n for a, _ in merged)
        parts.append(f"{section.split()[-1]} {both / max(1, said):.2f} {both / max(1, true):.2f}")
    return "  ".join(parts)


def report(name: str, entries: Sequence[Labelled], guessed: Sequence[int]) -> None:
    """Print what cues alone and what the weights make of the entries."""
    print(told(f"{name} cues", entries, [one.cued for one in entries]))
    print(told(f"{name} taught", entries, guessed), flush=True)


def reported(
    path: Path, entries: Sequence[Labelled], table: dict[str, Any]
) -> Iterable[tuple[Labelled, int]]:
    """The entries of a file with the kind that the weights give each, after a report of them."""
    guessed = kinds_of(entries, table)
    report(f"{path.parent.name}/{path.stem}", entries, guessed)
    return zip(entries, guessed, strict=True)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+", help="labelled sentences of a log each")
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="labelled entries")
    parser.add_argument("--held-out", type=Path, nargs="*", default=[], help="to be judged alone")
    parser.add_argument("--write", action="store_true", help="put the weights into the package")
    options = parser.parse_args(arguments)
    for path in (*options.files, *options.more, *options.held_out):
        if not path.is_file():
            parser.error(f"{path}: no such file")
    taught = [one for path in options.files for one in read(path, 1.0)]
    taught += [one for path in options.more for one in read(path, MORE)]
    print("accuracy; precision and recall of outcomes, decisions, open items, context")
    judged: list[tuple[Labelled, int]] = []
    if options.held_out:
        table = fit(taught)
        for path in options.held_out:
            judged += reported(path, [*read(path, 1.0)], table)
    elif not options.write:
        for path in options.files:
            table = fit([one for one in taught if one.file != str(path)])
            judged += reported(path, [one for one in taught if one.file == str(path)], table)
    if judged:
        report("all", *map(list, zip(*judged, strict=True)))
    if options.write:
        table = fit(taught)
        lines = ["\t".join((name, *map(str, row))) for name, row in table.items()]
        TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
        print(f"{len(lines)} features, {TABLE.stat().st_size} bytes: {TABLE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
