"""Embeddings of entries, an optional extra that recall uses where it is installed.

The encoder (int8) and its vocabulary are data files of the package lithify-vectors. The code of the
package is not run, and the files are used only if they have the pinned digests. Where people talk, an
entry is embedded with the turn before it: "Yes, on Tuesday" says little alone. A text has a vector for
each turn that comes before it somewhere. A vector is stored as 384 bytes; the search compares the query
with every vector.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.errors import NotInstalled, install_command
from lithify.regex import regex
from lithify.search.index import ENCODER_FILES, Index

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PACKAGE = "lithify_vectors"
_NEEDED = ("numpy", "onnxruntime", _PACKAGE)
#: The most word pieces of a text that are read, and the most words of the turn before: its end, to
#: which an answer refers.
LENGTH = 128
_WORDS_BEFORE = 40
#: All vectors have length one, so one scale keeps the products of their bytes comparable.
_SCALE = 400
#: The most new texts that a search embeds first; more are left to the background.
MOST_PER_SEARCH = 32
#: How many vectors are kept at a time.
_BATCH = 64
_PIECE = regex(
    "[\u2e80-\u9fff\uf900-\ufaff]|[^\\W_\u2e80-\u9fff\uf900-\ufaff]+|[^\\w\\s]|_", re.UNICODE
)
_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_LONGEST_WORD = 100


def installed() -> bool:
    """Return whether every package that the extra needs is installed."""
    return all(find_spec(name) is not None for name in _NEEDED)


def vector_text(text: str, before: str | None = None) -> str:
    """The text to embed for an entry, given the turn before it if both are turns of a conversation."""
    return f"{' '.join(before.split()[-_WORDS_BEFORE:])} {text}" if before else text


#: Every text of the days with each turn that comes before it on its day (0 where there is none) and
#: the last day it stands on.
_WANTED = """
SELECT text.id AS text, ifnull(turn.id, 0) AS before, max(place.day) AS day
FROM place JOIN doc ON doc.id = place.doc AND doc.shelf = 0 JOIN text ON text.id = doc.text
LEFT JOIN place AS earlier ON text.speaker <> '' AND earlier.file = place.file
    AND earlier.seq = place.seq - 1 AND earlier.day = place.day
LEFT JOIN doc AS said ON said.id = earlier.doc
LEFT JOIN text AS turn ON turn.id = said.text AND turn.speaker <> ''
GROUP BY text.id, ifnull(turn.id, 0)
"""
_MISSING = f"""
SELECT wanted.text, wanted.before FROM ({_WANTED}) AS wanted
LEFT JOIN vector ON vector.text = wanted.text AND vector.before = wanted.before
WHERE vector.text IS NULL ORDER BY day DESC, 1, 2
"""
_GONE = f"DELETE FROM vector WHERE (text, before) NOT IN (SELECT text, before FROM ({_WANTED}))"
#: A text may have gone while it was embedded.
_KEEP = (
    "INSERT OR REPLACE INTO vector SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM text WHERE id = ?)"
)
_TEXTS = "SELECT one.text, turn.text FROM text AS one LEFT JOIN text AS turn ON turn.id = ? WHERE one.id = ?"


def fill(
    index: Index,
    most: int | None = None,
    writing: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> int:
    """Embed what has no vector, the newest days first, unless it is more than `most`.

    Returns how many vectors are still missing. Each batch is kept at once, inside `writing`: nobody waits
    for longer, and what was stopped goes on there.
    """
    known = dict(index.db.execute("SELECT key, value FROM meta"))
    encoder, revision = repr(ENCODER_FILES), known.get("revision", "0")
    left = int(known.get("unembedded", 0))
    if (known.get("encoder"), known.get("embedded")) == (encoder, revision) and (
        not left or (most is not None and left > most)
    ):
        return left
    if known.get("encoder") != encoder:
        with writing():
            index.db.execute("DELETE FROM vector")
    missing = index.db.execute(_MISSING).fetchall()
    left = len(missing)
    if most is not None and left > most:
        missing = []
    for at in range(0, len(missing) + 1, _BATCH):
        rows = [_embedded(index, *key) for key in missing[at : at + _BATCH]]
        left -= len(rows)
        state = {"encoder": encoder, "embedded": revision, "unembedded": str(left)}
        with writing():
            index.db.execute("BEGIN IMMEDIATE")
            try:
                index.db.executemany(_KEEP, [(*row, row[0]) for row in rows])
                if not left:
                    index.db.execute(_GONE)
                index.db.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", state.items())
            except BaseException:
                index.db.execute("ROLLBACK")
                raise
            index.db.execute("COMMIT")
    index.forget()
    return left


def _embedded(index: Index, text: int, before: int) -> tuple[int, int, bytes]:
    own, turn = index.db.execute(_TEXTS, (before, text)).fetchone() or ("", None)
    return text, before, embedder().small(vector_text(own, turn)).tobytes()


class Similar(NamedTuple):
    """How near texts are to a query: from 0 (the median or below) to 1 (the nearest).

    `best` is the cosine of the nearest one.
    """

    texts: dict[int, float]
    best: float = 0.0


def similar(index: Index, query: str) -> Similar:
    """Return the similarity of each text to a query."""
    import numpy as np

    wanted = embedder().vector(query)
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
    found: dict[int, float] = {}
    for key, value in zip(keys, scaled.tolist(), strict=True):
        found[key] = max(value, found.get(key, 0.0))
    return Similar(found, high / _SCALE)


def _matrices(index: Index) -> Iterator[tuple[list[int], NDArray[np.int8]]]:
    import numpy as np

    cursor = index.db.execute("SELECT text, value FROM vector ORDER BY text")
    while rows := cursor.fetchmany(20_000):
        data = b"".join(value for _, value in rows)
        yield [key for key, _ in rows], np.frombuffer(data, dtype=np.int8).reshape(len(rows), -1)


class Embedder:
    """An encoder and its vocabulary, loaded."""

    def __init__(self, weights: Path, vocabulary: Path) -> None:
        import onnxruntime

        words = vocabulary.read_text(encoding="utf-8").split("\n")
        self.vocabulary = {word: number for number, word in enumerate(words) if word}
        options = onnxruntime.SessionOptions()
        # On a busy machine more threads cost more than they save.
        options.intra_op_num_threads = 1
        options.log_severity_level = 3
        self.session: Any = onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )

    def vector(self, text: str) -> NDArray[np.float32]:
        import numpy as np

        numbers = np.array([pieces(text, self.vocabulary)], dtype=np.int64)
        mean = self.session.run(None, {"input_ids": numbers})[0][0].mean(axis=0)
        found: NDArray[np.float32] = mean / max(1e-9, float(np.linalg.norm(mean)))
        return found

    def small(self, text: str) -> NDArray[np.int8]:
        import numpy as np

        whole = self.vector(text)
        found: NDArray[np.int8] = np.clip(np.rint(whole * _SCALE), -127, 127).astype(np.int8)
        return found


@lru_cache(maxsize=1)
def embedder() -> Embedder:
    """Return the encoder that ships."""
    if not installed():
        raise NotInstalled(
            user="Recall with vectors", what="packages of an extra", command=how_to_install()
        )
    return Embedder(*map(data_file, ENCODER_FILES))


def how_to_install() -> str:
    """Return how to install it, with the encoder's package."""
    return install_command("vectors", "./packages/lithify-vectors")


def data_file(name: str) -> Path:
    """Return a data file of the package, checked against its pinned digest."""
    spec = find_spec(_PACKAGE)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        path = Path(folder) / name
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == ENCODER_FILES[name]:
            return path
    raise NotInstalled(
        user="Recall with vectors",
        what=f"a lithify-vectors whose {name} has the digest {ENCODER_FILES[name][:12]}…",
        command=how_to_install(),
    )


def pieces(text: str, vocabulary: Mapping[str, int], most: int = LENGTH) -> list[int]:
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
