"""Train the ranker of recall and its threshold for silence; writes `src/lithify/search/ranker.json`.

    python training/recall/train_ranker.py [--check] [--roots FOLDER] [--encoders FOLDER]

The examples are the questions of `training/recall/logs/`. Each log becomes a root of its own,
compacted offline so that summaries lead to its days. Questions without an answer are those written as
such, which are about the people and things of their log, and some of another log, which are not. The ranker is a linear model over the features
of `lithify.search.rank`, fitted so that the entries that answer a question get the most of a
softmax over its candidates. Silence is a logistic regression over `lithify.search.select.Signs`; its
bias is set where it leaves one answerable question in a hundred of the logs left out without an answer.
Questions that share no word with their log have no candidates, and no bias could answer them: they
are left out of that hundred and counted in the wrong silence that is printed.

The chance that a selected entry answers is a logistic regression over `lithify.search.select.ChanceSigns`.
Its price is the highest of `PRICES` at which the logs left out lose at most a hundredth of the evidence
that the whole budget gives; what each price costs is printed. The fold encoders are not needed for
it: the shares of the scores are probabilities with either set of weights, so without `--encoders`
both sets get the same.

The figures printed come from logs that were left out whole, a fifth at a time; the weights written
are fitted on all. There is no random number in it. `--check` prints the figures and writes nothing.
`--roots` keeps the roots in a folder, with their vectors, and uses them again the next time.

Without `--encoders` the weights for words alone are taught, with it those for an index with vectors.
The folder has an encoder for each fold, `fold-0.onnx` to `fold-4.onnx`, trained without the logs of
that fold (`folds` of `pairs.py`): the encoder that ships was trained on these logs, so on them its
vectors look better than they are on others.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from pairs import folds, read_logs
from scipy.optimize import minimize

from lithify.memory import Memory
from lithify.search import vectors
from lithify.search.query import Query, read_query
from lithify.search.rank import Features, Ranked, alike, best_first, candidates, weigh
from lithify.search.recall import RootSearch
from lithify.search.select import (
    ChanceSigns,
    SelectedDoc,
    Signs,
    chance_signs,
    pool_of,
    select,
    signs_of,
)

HERE = Path(__file__).parent
LOGS = HERE / "logs"
RANKER = HERE.parent.parent / "src" / "lithify" / "search" / "ranker.json"
FOLDS = 5
PENALTY = 1e-3
WRONG_SILENCE = 0.01
BUDGET = 1000
#: What a token may cost in chance, and the most evidence that the chosen price may lose.
PRICES = (0.0, 5e-5, 7.5e-5, 1e-4, 1.25e-4, 1.5e-4, 2e-4, 3e-4)
MOST_LOST = 0.01
#: One in so many questions of another log is asked of a log.
STRANGE = 4
#: Features that only vectors give.
VECTOR_FEATURES = ("vector", "near_vector")


class Example(NamedTuple):
    """A question with its candidates; `answers` has the documents of each entry that answers it.

    A `strange` one is of another log.
    """

    log: str
    query: Query
    answers: list[set[int]]
    found: Ranked
    strange: bool


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    options.add_argument("--roots", type=Path)
    options.add_argument("--encoders", type=Path)
    given = options.parse_args()
    name = "with vectors" if given.encoders else "words only"
    trained: dict[str, Any] = json.loads(RANKER.read_text()) if RANKER.exists() else {}
    left_out = list(folds(read_logs(LOGS), FOLDS))
    with TemporaryDirectory(prefix="lithify-ranker-") as folder:
        kept = given.roots or Path(folder)
        roots = [_root(log, kept) for log in sorted(LOGS.iterdir()) if log.is_dir()]
        # The questions of the log half-way around the list are strange to a log.
        far = roots[len(roots) // 2 :] + roots[: len(roots) // 2]
        strange = dict(zip(roots, far, strict=True))
        examples: list[Example] = []
        for fold, names in enumerate(left_out):
            if given.encoders:
                _use_encoder(given.encoders / f"fold-{fold}.onnx")
            for root in roots:
                if root.name in names:
                    examples += _examples(root, strange[root], bool(given.encoders))
    trained[name] = _train(name, examples, left_out, bool(given.encoders))
    if not given.encoders:
        trained["with vectors"]["chance"] = trained[name]["chance"]
    if not given.check:
        RANKER.write_text(json.dumps(trained, indent=2) + "\n")


def _use_encoder(path: Path) -> None:
    """Embed texts and questions with another encoder than the one that ships."""
    encoder = vectors.Embedder(path, vectors.data_file("vocabulary.txt"))
    vectors.embedder = lambda: encoder  # type: ignore[assignment]


def _root(log: Path, folder: Path) -> Path:
    """A root with the days of a log, compacted; some logs are those of `training/logs`."""
    root = folder / log.name
    own = log / "memory"
    days = own if own.is_dir() else HERE.parent / "logs" / log.name / "memory"
    if not root.exists():
        shutil.copytree(days, root / "memory")
        Memory.init(root).compact()
    shutil.copy(log / "questions.jsonl", root)
    return root


def _examples(root: Path, other: Path, with_vectors: bool) -> list[Example]:
    memory = Memory.open(root)
    search = RootSearch(memory.root, memory.settings)
    if with_vectors:
        search.embed()
    index, _ = search.index()
    last = max(date.fromisoformat(path.name[:10]) for path in (root / "memory").glob("2*.md"))
    found = []
    own, others = _questions(root), _questions(other)[::STRANGE]
    for row, strange in (*((row, False) for row in own), *((row, True) for row in others)):
        query = read_query(row["question"], last)
        near = vectors.similar(index, query.text) if with_vectors else None
        known = candidates(index, query, (1, last.toordinal()), near)
        answers = [{place.doc for place in index.entry(id)} for id in row["evidence"]]
        found.append(Example(root.name, query, [] if strange else answers, known, strange))
    index.close()
    return found


def _questions(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "questions.jsonl").read_text("utf-8").splitlines()]


def _train(
    name: str, examples: Sequence[Example], folds_: Sequence[frozenset[str]], with_vectors: bool
) -> dict[str, Any]:
    used = [one for one in Features._fields if with_vectors or one not in VECTOR_FEATURES]
    inside: list[float] = []
    shown: dict[float, list[tuple[int, float]]] = {price: [] for price in PRICES}
    supports: list[tuple[float, Example]] = []
    for left_out in folds_:
        known = [one for one in examples if one.log not in left_out]
        rank = fit_rank(known, used)
        answer = fit_answer(known, rank, with_vectors)
        chance = fit_chance(known)
        for one in examples:
            if one.log in left_out:
                _order(one, rank)
                inside += [_found_inside(one)] if one.answers else []
                for price in PRICES if one.answers else ():
                    shown[price].append(_shown(one, {**chance, "price": price}))
                supports.append((_support(one, answer), one))
    answerable = sorted(support for support, one in supports if one.answers)
    decided = [support for support in answerable if support > float("-inf")]
    threshold = decided[int(WRONG_SILENCE * len(decided))]
    absent = [one for one in supports if not one[1].answers]
    silent = [[s < threshold for s, one in absent if one.strange == kind] for kind in (False, True)]
    print(
        f"{name}: {len(answerable)} answerable questions of {len({one.log for one in examples})} logs, evidence inside "
        f"{BUDGET} tokens {np.mean(inside):.3f}; without an answer {len(silent[0])}, silent "
        f"{np.mean(silent[0]):.3f}; of another log {len(silent[1])}, silent {np.mean(silent[1]):.3f}; "
        f"wrong silence {np.mean([s < threshold for s in answerable]):.3f}"
    )
    means = {price: np.mean(rows, axis=0) for price, rows in shown.items()}
    for price, (tokens, held) in means.items():
        print(f"price {price:.6f}: {tokens:.0f} tokens, evidence {held:.3f}")
    rank = fit_rank(examples, used)
    answer = fit_answer(examples, rank, with_vectors)
    answer["bias"] -= threshold
    chance = fit_chance(examples)
    parts = {"rank": rank, "answer": answer, "chance": chance}
    rounded = {
        name: {key: round(value, 3) for key, value in part.items()} for name, part in parts.items()
    }
    enough = means[0.0][1] - MOST_LOST
    rounded["chance"]["price"] = max(price for price in PRICES if means[price][1] >= enough)
    return rounded


def fit_rank(examples: Sequence[Example], used: Sequence[str]) -> dict[str, float]:
    """The weights that give the entries that answer the most of a softmax over the candidates."""
    columns = [Features._fields.index(name) for name in used]
    tables, wanted = [], []
    for one in examples:
        ids = list(one.found.features)
        right = np.array([any(id in answer for answer in one.answers) for id in ids], dtype=float)
        if right.any():
            tables.append(np.array([one.found.features[id] for id in ids])[:, columns])
            wanted.append(right / right.sum())
    table, target = np.concatenate(tables), np.concatenate(wanted)
    owner = np.repeat(np.arange(len(tables)), [len(rows) for rows in tables])
    starts = np.searchsorted(owner, np.arange(len(tables)))

    def loss(weights: Any) -> tuple[float, Any]:
        sums = table @ weights
        sums -= np.maximum.reduceat(sums, starts)[owner]
        parts = np.exp(sums)
        totals = np.add.reduceat(parts, starts)[owner]
        value = -(target * (sums - np.log(totals))).sum() / len(tables)
        slope = table.T @ (parts / totals - target) / len(tables)
        return value + PENALTY * weights @ weights, slope + 2 * PENALTY * weights

    found = minimize(loss, np.zeros(len(used)), jac=True, method="L-BFGS-B").x
    return dict(zip(used, map(float, found), strict=True))


def fit_answer(
    examples: Sequence[Example], rank: dict[str, float], with_vectors: bool
) -> dict[str, float]:
    """The weights of the signs that a question has an answer; both kinds count the same in all."""
    for one in examples:
        _order(one, rank)
    table = np.array([[*signs_of(one.query, one.found), 1.0] for one in examples])
    right = np.array([bool(one.answers) for one in examples], dtype=float)
    share = np.where(right > 0, 0.5 / right.sum(), 0.5 / (1 - right).sum())

    def loss(weights: Any) -> tuple[float, Any]:
        sums = table @ weights
        value = (share * (np.logaddexp(0, sums) - right * sums)).sum()
        slope = table.T @ (share * (1 / (1 + np.exp(-sums)) - right))
        return value + PENALTY * weights @ weights, slope + 2 * PENALTY * weights

    # A sign may only speak for an answer.
    bounds = [(0.0, None)] * len(Signs._fields)
    start = np.zeros(len(bounds) + 1)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[*bounds, (None, None)]).x
    return dict(zip((*Signs._fields, "bias"), map(float, found), strict=True))


def fit_chance(examples: Sequence[Example]) -> dict[str, float]:
    """The weights of the signs that a selected entry answers; the examples are in their order."""
    rows, right = [], []
    for one in examples:
        if one.answers:
            pool = pool_of(one.found, BUDGET, one.query.terms)
            rows += chance_signs(one.found, pool)
            right += [any(_documents(shown) & answer for answer in one.answers) for shown in pool]
    table, target = np.array(rows), np.array(right, dtype=float)

    def loss(weights: Any) -> tuple[float, Any]:
        sums = table @ weights
        value = (np.logaddexp(0, sums) - target * sums).mean()
        slope = table.T @ (1 / (1 + np.exp(-sums)) - target) / len(target)
        return value, slope

    found = minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B").x
    return dict(zip(ChanceSigns._fields, map(float, found), strict=True))


def _documents(shown: SelectedDoc) -> set[int]:
    return {doc.id for doc in (shown.doc, *shown.same)}


def _shown(one: Example, chance: dict[str, float]) -> tuple[int, float]:
    """The tokens of what is selected, and the share of the entries that answer among it."""
    selected = select(one.found, BUDGET, one.query.terms, factors=chance)
    held = set[int]().union(*map(_documents, selected))
    share = sum(not answer.isdisjoint(held) for answer in one.answers) / len(one.answers)
    return sum(shown.doc.tokens for shown in selected), share


def _order(one: Example, rank: dict[str, float]) -> None:
    weigh(one.found, rank)
    one.found.order = best_first(one.found)


def _support(one: Example, answer: dict[str, float]) -> float:
    if not one.found.docs:
        return float("-inf")
    signs = signs_of(one.query, one.found)._asdict()
    return answer["bias"] + sum(answer[name] * sign for name, sign in signs.items())


def _found_inside(one: Example) -> float:
    """The share of the entries that answer which the best candidates inside the budget hold."""
    room, shown = BUDGET, dict[int, frozenset[str]]()
    for id in one.found.order:
        doc = one.found.docs[id]
        if doc.tokens <= room and not any(alike(doc.own, own, 0.7) for own in shown.values()):
            room -= doc.tokens
            shown[id] = doc.own
    return sum(not answer.isdisjoint(shown) for answer in one.answers) / len(one.answers)


if __name__ == "__main__":
    main()
