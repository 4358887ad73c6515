"""Teach the judge: fit the weights of every head from the labelled logs, and say what they are worth.

    python training/train.py                 every log left out in turn, then the figures
    python training/train.py --write         fit on all logs and write the package's weights
    python training/train.py --blind         judge the blind sets by the written weights

Needs numpy and scipy (`pip install -e .[bench]`). The model is a softmax for each head over the
features of `lithify.judge.features`, with a quadratic penalty; weights are rounded to signed bytes.
Writing twice gives the same file. What the data is, and the figures: `training/README.md`.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

import lithify.judge
from lithify.judge import box_of, judge, label_of, must_chance, section_of
from lithify.judge.features import CLASSES, HEADS, SHIFT, SIZE, Weights, features, unpack
from lithify.sections import BY_KEY, WEEK
from lithify.text.sentences import plain, split

HERE = Path(__file__).parent
WEIGHTS = Path(lithify.judge.__file__).with_name("english.weights")
#: The penalty on large weights of each head, and how much a written paragraph's sentence counts.
PENALTY = {"section": 8.0, "must": 8.0, "lasting": 4.0}
WRITTEN = 0.5
#: What the marks of the logs are kept as: feedback, lesson, user, reference, project.
MARKS = {"-": "", "f": "feedback", "l": "feedback", "u": "user", "r": "reference", "p": "project"}
#: Steps of a signed byte for one unit of score, and below what a weight is left out.
STEPS = 96
SLIGHT = 0.02
Array = np.ndarray[Any, Any]


class Row(NamedTuple):
    """A labelled sentence or entry; a head it has no label for is None."""

    log: str
    text: str
    heading: str
    lead: str
    section: str | None
    must: str | None
    lasting: str | None
    weight: float = 1.0


def rows_of(path: Path, log: str = "") -> Iterator[Row]:
    """The labelled rows of one file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        last = row.get("last")
        yield Row(
            log or f"{path.stem}:{row['log']}",
            plain(box_of(row["text"])[1]),
            row.get("heading", ""),
            row.get("lead", ""),
            BY_KEY.get(row.get("section"), row.get("section")),
            None if "must_keep" not in row else "must" if row["must_keep"] else "",
            MARKS.get(last[:1]) if last else None,
        )


def paragraphs_of(path: Path) -> Iterator[Row]:
    """The sentences of written paragraphs, of which at most one is worth remembering."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        kept = row["keep"].strip()
        for text in split(row["text"]):
            kind = row["type"] if kept and (text in kept or kept in text) else ""
            yield Row(f"{path.stem}:{number // 200}", text, "", "", None, None, kind, WRITTEN)


def taught() -> list[Row]:
    """All rows the weights are taught by."""
    found: list[Row] = []
    for path in sorted((HERE / "logs").glob("*/l*.jsonl")):
        found += rows_of(path, path.parent.name)
    for name in ("entries", "sections"):
        found += rows_of(HERE / f"{name}.jsonl")
    return [*found, *paragraphs_of(HERE / "lasting.jsonl")]


def matrix(rows: Sequence[Row]) -> csr_matrix:
    """The features of rows, with a last column that is always one."""
    columns = [[*sorted(features(row.text, row.heading, row.lead)), SIZE] for row in rows]
    starts = np.cumsum([0, *map(len, columns)])
    flat = np.fromiter((n for own in columns for n in own), dtype=np.int32, count=starts[-1])
    return csr_matrix((np.ones(len(flat)), flat, starts), shape=(len(rows), SIZE + 1))


def fit(data: csr_matrix, kinds: Array, weights: Array, classes: int, penalty: float) -> Array:
    """A softmax by L-BFGS: a row of weights for each feature, the last one the bias."""
    size = data.shape[1]
    picked = np.zeros((len(kinds), classes))
    picked[np.arange(len(kinds)), kinds] = 1.0

    def loss(flat: Array) -> tuple[float, Array]:
        table = flat.reshape(size, classes)
        scores = data @ table
        scores -= scores.max(axis=1, keepdims=True)
        norm = np.log(np.exp(scores).sum(axis=1, keepdims=True))
        log_chances = scores - norm
        value = -(weights * (log_chances * picked).sum(axis=1)).sum()
        slope = data.T @ (weights[:, None] * (np.exp(log_chances) - picked)) + penalty * table
        return value + 0.5 * penalty * (table**2).sum(), slope.ravel()

    found = minimize(
        loss, np.zeros(size * classes), jac=True, method="L-BFGS-B", options={"maxiter": 50}
    )
    return np.asarray(found.x).reshape(size, classes)


def weights_from(rows: Sequence[Row], data: csr_matrix) -> bytes:
    """The weights file that rows teach."""
    parts = []
    for head, classes in HEADS.items():
        known = [n for n, row in enumerate(rows) if getattr(row, head) is not None]
        kinds = np.array([classes.index(getattr(rows[n], head)) for n in known])
        counted = np.array([rows[n].weight for n in known])
        parts.append(fit(data[known], kinds, counted, len(classes), PENALTY[head]))
    table = np.hstack(parts)
    # A weight that stays near nothing is none: the file is small, and rows without any are skipped.
    table[:-1][np.abs(table[:-1]) < SLIGHT] = 0.0
    table[:-1] = np.clip(np.rint(table[:-1] * STEPS), -127, 127)
    bias = np.rint(table[-1] * STEPS).astype(int)
    head = {"size": SIZE, "classes": CLASSES, "bias": bias.tolist(), "scale": 1 / STEPS}
    body = bytes(value + SHIFT for row in table[:-1].astype(int).tolist() for value in row)
    return json.dumps(head).encode() + b"\n" + zlib.compress(body, 9)


class Judged(NamedTuple):
    """A row with what weights say of it."""

    row: Row
    section: str
    must: float
    lasting: float
    kind: str
    sure: float
    feedback: float


def judged(rows: Iterable[Row], weights: Weights) -> list[Judged]:
    """Rows by weights alone, whatever their labels state."""
    found = []
    for row in rows:
        chances = weights.chances(features(row.text, row.heading, row.lead))
        section = HEADS["section"][int(np.argmax(chances["section"]))]
        sure, feedback = max(chances["section"]), chances["lasting"][1]
        nothing, *kinds = chances["lasting"]
        kind = HEADS["lasting"][1 + int(np.argmax(kinds))]
        found.append(Judged(row, section, must_chance(chances), 1 - nothing, kind, sure, feedback))
    return found


def report(name: str, found: Sequence[Judged]) -> None:
    """Print what judgements are worth, head by head."""
    known = [one for one in found if one.row.section is not None]
    if known:
        right = sum(one.section == one.row.section for one in known)
        same = sum(
            one.section == one.row.section
            or {one.section, one.row.section} == {WEEK.context, "drop"}
            for one in known
        )
        print(
            f"{name}: section {right / len(known):.3f}, Context and drop as one {same / len(known):.3f} of {len(known)}"
        )
    free = [one for one in known if not _is_stated(one.row)]
    for section in WEEK[:3] if free else ():
        for least in (0.8, 0.9, 0.95, 0.97):
            taken = [one for one in free if one.section == section and one.sure >= least]
            right = sum(one.row.section == section for one in taken)
            share = right / max(1, len(taken))
            print(f"{name}: nothing states it, {section} by {least}: {share:.3f} of {len(taken)}")
    known = [one for one in found if one.row.must is not None]
    for least in (0.5, 0.7, 0.8, 0.9) if known else ():
        taken = [one for one in known if one.must >= least]
        print(
            f"{name}: must-keep by {least}: {_precision(taken, 'must')}, recall {_recall(taken, known, 'must')}"
        )
    known = [one for one in found if one.row.lasting is not None]
    for least in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95) if known else ():
        taken = [one for one in known if one.lasting >= least]
        typed = sum(one.kind == one.row.lasting for one in taken)
        rules = [one for one in known if one.feedback >= least]
        print(f"{name}: rules and lessons by {least}: {_precision(rules, 'lasting')}")
        print(
            f"{name}: lasting by {least}: {_precision(taken, 'lasting')}, "
            f"recall {_recall(taken, known, 'lasting')}, type right {typed} of {len(taken)}"
        )


def _is_stated(row: Row) -> bool:
    """Whether a label, a heading or a lead-in states the section of a row."""
    return any(map(section_of, (label_of(row.text), row.heading, row.lead)))


def _precision(taken: Sequence[Judged], head: str) -> str:
    right = sum(bool(getattr(one.row, head)) for one in taken)
    return f"precision {right / max(1, len(taken)):.3f} ({right} of {len(taken)})"


def _recall(taken: Sequence[Judged], known: Sequence[Judged], head: str) -> str:
    right = sum(bool(getattr(one.row, head)) for one in taken)
    return f"{right / max(1, sum(bool(getattr(one.row, head)) for one in known)):.3f}"


def leave_out(rows: Sequence[Row], data: csr_matrix) -> list[Judged]:
    """Every log judged by weights that the others taught."""
    found = []
    for log in dict.fromkeys(row.log for row in rows):
        mine = [n for n, row in enumerate(rows) if row.log != log]
        weights = unpack(weights_from([rows[n] for n in mine], data[mine]))
        own = judged([row for row in rows if row.log == log], weights)
        right = [one.section == one.row.section for one in own if one.row.section is not None]
        print(
            f"left out {log}: section {np.mean(right) if right else float('nan'):.3f}",
            file=sys.stderr,
        )
        found += own
    return found


def blind() -> None:
    """The two blind sets by the package's weights and labels. Read once, never tuned on."""
    weights = unpack(WEIGHTS.read_bytes())
    rows = [*rows_of(HERE / "sections_held_out.jsonl")]
    report("blind entries", judged(rows, weights))
    raw = (HERE / "sections_held_out.jsonl").read_text(encoding="utf-8").splitlines()
    right = 0
    for line in map(json.loads, raw):
        said = [judge(one, line["heading"], line["lead"]) for one in split(plain(line["text"]))]
        best = max(said, key=lambda one: (one.marked, one.stated))
        labelled = WEEK.context if line["section"] == "drop" else BY_KEY[line["section"]]
        right += best.section == labelled
    print(
        f"blind entries: section as the product judges, drop under Context: {right / len(raw):.3f}"
    )
    report("blind paragraphs", judged(paragraphs_of(HERE / "lasting_held_out.jsonl"), weights))


def main() -> None:
    """Fit, judge and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--write", action="store_true", help="write the package's weights")
    parser.add_argument("--blind", action="store_true", help="judge the blind sets")
    asked = parser.parse_args()
    if asked.blind:
        blind()
        return
    rows = taught()
    data = matrix(rows)
    if asked.write:
        WEIGHTS.write_bytes(weights_from(rows, data))
        print(f"{len(rows)} rows, {WEIGHTS.stat().st_size} bytes")
        return
    found = leave_out(rows, data)
    report("all logs", found)
    report("whole logs alone", [one for one in found if ":" not in one.row.log])


if __name__ == "__main__":
    main()
