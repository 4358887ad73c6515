"""Words cut into the pieces of a vocabulary, longest first, as BERT's models expect them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

_PIECE = re.compile(
    "[\u2e80-\u9fff\uf900-\ufaff]|[^\\W_\u2e80-\u9fff\uf900-\ufaff]+|[^\\w\\s]|_", re.UNICODE
)
_BEGIN, _END, _UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
_LONGEST_WORD = 100


def pieces(text: str, vocabulary: Mapping[str, int], most: int) -> list[int]:
    """The numbers of a text's pieces between the marks of beginning and end."""
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
