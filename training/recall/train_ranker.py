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

Support is weak below what three answerable questions in a hundred have.

The chance that a selected entry answers is a logistic regression over `lithify.search.select.ChanceSigns`.
Its price is the lowest of `PRICES` at which the logs left out give back `MOST_TOKENS` on average, which with
neighbours and on longer logs becomes about 600; what each price costs is printed.

The figures printed come from logs that were left out whole, a fifth at a time; the weights written
are fitted on all. There is no random number in it. `--check` prints the figures and writes nothing.
`--roots` keeps the roots in a folder, with their vectors, and uses them again the next time.

Without `--encoders` the weights for words alone are taught, with it those for an index with vectors.
The folder has an encoder for each fold, `fold-0.onnx` to `fold-4.onnx`, trained without the logs of
that fold (`folds` of `pairs.py`): the encoder that ships was trained on these logs, so on them its
vectors look better than they are on others. And it has `base.onnx`, the encoder that training began
with: logs of strangers are further from what the one that ships has seen, so how far to trust the ranking by
words (`lithify.search.rank.trust_of`) is taught with both. Everything else is taught, and every figure
counted, with the encoders of the folds.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Mapping, Sequence
from datetime import date
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from pairs import folds, read_logs
from scipy.optimize import minimize

from lithify.memory import Memory
from lithify.search import vectors
from lithify.search.query import Query, read_query
from lithify.search.rank import (
    Features,
    Ranked,
    alike,
    best_first,
    candidates,
    parts_of,
    trust_of,
    weigh,
)
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
#: The part of the answerable questions whose support counts as weak or none.
WEAK = 0.03
BUDGET = 1000
#: What a token may cost in chance, and what a question may give back on average at the chosen price.
PRICES = (0.0, 5e-5, 1e-4, 1.5e-4, 2e-4, 2.5e-4, 3e-4, 3.5e-4, 4e-4, 5e-4, 6e-4)
MOST_TOKENS = 400
ANSWERABLE = "answerable"
#: One in so many questions of another log is asked of a log.
STRANGE = 4
#: Features that only vectors give.
VECTOR_FEATURES = ("vector", "near_vector")
#: The encoders: the one of the log's fold, and the one that training began with.
OWN, BASE = "fold", "base"
#: The parts of wrong silence at which the right silence is printed.
CURVE = (0.005, 0.01, 0.02, 0.03, 0.05)


EXAMPLES: list[Example] = []


Weights = Mapping[str, Mapping[str, float]]


class Example(NamedTuple):
    """A question with its candidates; `answers` has the documents of each entry that answers it.

    A `strange` one is of another log. `encoder` is the one whose vectors were used.
    """

    log: str
    kind: str
    encoder: str
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
        logs = [log for log in sorted(LOGS.iterdir()) if log.is_dir()]
        # The questions of the log half-way around the list are strange to a log.
        far = logs[len(logs) // 2 :] + logs[: len(logs) // 2]
        jobs = [
            (log, other, kept / encoder, encoder, _encoder(given.encoders, log, encoder, left_out))
            for log, other in zip(logs, far, strict=True)
            for encoder in ((OWN, BASE) if given.encoders else (OWN,))
        ]
        with Pool() as pool:
            found = pool.starmap(_examples, jobs, chunksize=1)
    EXAMPLES.extend(one for examples in found for one in examples)
    trained[name] = _train(name, left_out, bool(given.encoders))
    if not given.check:
        RANKER.write_text(json.dumps(trained, indent=2) + "\n")


def _encoder(
    folder: Path | None, log: Path, encoder: str, left_out: Sequence[frozenset[str]]
) -> Path | None:
    """The encoder whose vectors of a log are used."""
    fold = next(fold for fold, names in enumerate(left_out) if log.name in names)
    return folder and folder / (f"fold-{fold}.onnx" if encoder == OWN else "base.onnx")


def _use_encoder(path: Path) -> None:
    """Embed texts and questions with another encoder than the one that ships."""
    encoder = vectors.Embedder(path, vectors.data_file("vocabulary.txt"))
    vectors.embedder = lambda: encoder  # type: ignore[assignment]


def _root(log: Path, folder: Path) -> Path:
    """A root with the days of a log, compacted."""
    root = folder / log.name
    if not root.exists():
        shutil.copytree(log / "memory", root / "memory")
        Memory.init(root).compact()
    return root


def _examples(
    log: Path, other: Path, folder: Path, encoder: str, weights: Path | None
) -> list[Example]:
    root = _root(log, folder)
    memory = Memory.open(root)
    search = RootSearch(memory.root, memory.settings)
    if weights:
        _use_encoder(weights)
        search.embed()
    index, _ = search.index()
    last = max(date.fromisoformat(path.name[:10]) for path in (root / "memory").glob("2*.md"))
    found = []
    own, others = _questions(log), _questions(other)[::STRANGE]
    for row, strange in (*((row, False) for row in own), *((row, True) for row in others)):
        query = read_query(row["question"], last)
        near = vectors.similar(index, query.text) if weights else None
        known = candidates(index, query, (1, last.toordinal()), near)
        answers = [{place.doc for place in index.entry(id)} for id in row["evidence"]]
        answers = [] if strange else answers
        found.append(Example(log.name, row["kind"], encoder, query, answers, known, strange))
    index.close()
    return found


def _questions(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "questions.jsonl").read_text("utf-8").splitlines()]


def _train(name: str, left_out: Sequence[frozenset[str]], with_vectors: bool) -> dict[str, Any]:
    # The processes start here, so that each of them has the examples.
    with Pool() as pool:
        seen = pool.starmap(_figures, [(names, with_vectors) for names in left_out])
    supports = [row for figures in seen for row in figures.supports]
    answerable = sorted(row.support for row in supports if row.kind == ANSWERABLE)
    decided = [support for support in answerable if support > float("-inf")]
    inside = np.mean([share for figures in seen for share in figures.inside])
    print(f"{name}: {len(answerable)} questions, evidence inside {BUDGET} tokens {inside:.3f}")
    for part in CURVE:
        silent = {row.kind: [] for row in supports} | {row.of: [] for row in supports}
        for row in supports:
            wrong = row.support < decided[int(part * len(decided))]
            silent[row.kind].append(wrong)
            if row.kind == ANSWERABLE and part == WRONG_SILENCE:
                silent[row.of].append(wrong)
        said = {kind: f"{np.mean(rows):.3f}" for kind, rows in silent.items() if rows}
        print(f"silent at {part}:", *(f"{kind} {share}" for kind, share in said.items()))
    shown = np.mean([row for figures in seen for row in figures.shown], axis=0)
    for price, (tokens, held) in zip(PRICES, shown, strict=True):
        print(f"price {price:.6f}: {tokens:.0f} tokens, evidence {held:.3f}")
    parts = _fit(EXAMPLES, with_vectors)
    silence, weak = (decided[int(part * len(decided))] for part in (WRONG_SILENCE, WEAK))
    parts["answer"]["bias"] -= silence
    parts["answer"]["weak"] = 1 / (1 + np.exp(silence - weak))
    # Its own weights of words alone are used beside those with vectors.
    parts.pop("words", None)
    rounded = {
        name: {key: round(value, 3) for key, value in part.items()} for name, part in parts.items()
    }
    rounded["chance"]["price"] = min(
        price for price, row in zip(PRICES, shown, strict=True) if row[0] <= MOST_TOKENS
    )
    return rounded


class Support(NamedTuple):
    """The support of a question left out: what kind of silence it counts for, and its own kind."""

    support: float
    kind: str
    of: str


class Figures(NamedTuple):
    """What the logs of a fold give: the evidence inside the budget, supports, and what a price shows."""

    inside: list[float]
    supports: list[Support]
    shown: list[list[tuple[int, float]]]


def _fit(examples: Sequence[Example], with_vectors: bool) -> dict[str, dict[str, float]]:
    """Every part of the weights; the examples of the encoder of the fold are left in their order."""
    own = [one for one in examples if one.encoder == OWN]
    words = [name for name in Features._fields if name not in VECTOR_FEATURES]
    rank = {"rank": fit_rank(own, words)}
    if with_vectors:
        rank = {"rank": fit_rank(own, Features._fields), "words": rank["rank"]}
        rank["trust"] = fit_trust(examples, rank)
    for one in own:
        _order(one, rank)
    return {**rank, "answer": fit_answer(own), "chance": fit_chance(own)}


def _figures(left_out: frozenset[str], with_vectors: bool) -> Figures:
    """Train on the other logs, and count on those that are left out."""
    parts = _fit([one for one in EXAMPLES if one.log not in left_out], with_vectors)
    answer, chance = parts["answer"], parts["chance"]
    found = Figures([], [], [])
    for one in EXAMPLES:
        if one.log in left_out and one.encoder == OWN:
            _order(one, parts)
            kind = "another log" if one.strange else ANSWERABLE if one.answers else "absent"
            found.supports.append(Support(_support(one, answer), kind, one.kind))
            if one.answers:
                found.inside.append(_found_inside(one))
                prices = [_shown(one, {**chance, "price": price}) for price in PRICES]
                found.shown.append(prices)
    return found


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


def fit_trust(examples: Sequence[Example], rank: Weights) -> dict[str, float]:
    """The weights of the mixture of both rankings that gives the entries that answer the most."""
    rows, parts, names = [], [], list(trust_of(examples[0].found))
    for one in examples:
        right = set[int]().union(*one.answers) & one.found.features.keys()
        if right:
            rows.append(list(trust_of(one.found).values()))
            both = (parts_of(one.found, rank[name]) for name in ("words", "rank"))
            parts.append([sum(part[id] for id in right) for part in both])
    table, (words, other) = np.array(rows), np.array(parts).T

    def loss(weights: Any) -> tuple[float, Any]:
        share = 1 / (1 + np.exp(-(table @ weights)))
        held = share * words + (1 - share) * other + 1e-9
        slope = -table.T @ ((words - other) * share * (1 - share) / held) / len(table)
        return -np.log(held).mean() + PENALTY * weights @ weights, slope + 2 * PENALTY * weights

    found = minimize(loss, np.zeros(table.shape[1]), jac=True, method="L-BFGS-B").x
    return dict(zip(names, map(float, found), strict=True))


def fit_answer(examples: Sequence[Example]) -> dict[str, float]:
    """The weights of the signs that a question has an answer; both kinds count the same in all."""
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


def _order(one: Example, rank: Weights) -> None:
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
