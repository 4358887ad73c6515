"""What labelled sentences taught: how far the words of a sentence speak for keeping it for good.

The weights were fitted by `benchmarks/teach_lasting.py` on sentences of which readers had said
whether they are to be kept, and as what. They are read once, and only where somebody asks.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

from lithify.values import MemoryType

#: What a sentence may be kept as; the first weights are those of keeping nothing.
TYPES: tuple[MemoryType, ...] = ("feedback", "user", "reference")
#: Hundredths by which the words must speak more for keeping a sentence than against it.
_CLEARLY = 100
#: Words that are looked at.
_LOOKED_AT = 60
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,:]*|[^\w\s]")
#: A capital after these begins something anew, and may be no name.
_ANEW = frozenset('.:;"(—!?')
#: What ends as an owner's name does, and is none's.
_CONTRACTED = frozenset(["it's", "that's", "he's", "she's", "there's", "what's", "here's"])
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ENDINGS = frozenset(["ed", "ng", "ly", "es"])
_LONG_ENOUGH = 4
#: How long a sentence is, in parts of so many words, and the longest that is told from others.
_PART, _LONGEST = 6, 5


def features(text: str) -> list[str]:
    """What is looked at: words, those that stand together or one apart, how they end, how many."""
    words = _words_in(text)
    found = dict.fromkeys(words)
    found.update(dict.fromkeys(f"{one} {other}" for one, other in pairwise(("^", *words, "$"))))
    found.update(dict.fromkeys(f"{a} _ {b}" for a, b in zip(words, words[2:], strict=False)))
    ends = (word[-2:] for word in words if len(word) > _LONG_ENOUGH and word.isalpha())
    found.update(dict.fromkeys(f"-{end}" for end in ends if end in _ENDINGS))
    found[f"={min(_LONGEST, len(words) // _PART)}"] = None
    return [*found]


def _words_in(text: str) -> list[str]:
    """The words as the weights know them: any name is `N`, any number `#`."""
    found: list[str] = []
    before = ""
    for match in _WORD.finditer(text):
        word = match[0].replace("’", "'")
        owned = word.endswith("'s") and word.lower() not in _CONTRACTED
        word = word[:-2] if owned else word
        if word[0].isdigit():
            found.append("#")
        elif word[0].isupper() and word != "I" and found and before not in _ANEW:
            found.append("N")
        else:
            found.append(word.lower())
        if owned:
            found.append("'s")
        before = match[0]
    return found[:_LOOKED_AT]


@lru_cache(maxsize=1 << 13)
def kept_as(text: str) -> MemoryType | None:
    """What a sentence is to be kept as, where its words speak clearly for that; or nothing."""
    known = _known()
    sums = [*known[""]]
    for feature in features(text):
        if row := known.get(feature):
            for n, weight in enumerate(row):
                sums[n] += weight
    nothing, *kept = sums
    best = max(kept)
    return TYPES[kept.index(best)] if best - nothing >= _CLEARLY else None


@lru_cache(maxsize=1 << 12)
def may_keep(text: str) -> bool:
    """Whether any sentence of a text is to be kept by its words."""
    return any(map(kept_as, _SENTENCE.split(text)))


@cache
def _known() -> dict[str, tuple[int, ...]]:
    """The weights of each feature, in hundredths, for nothing and for each type.

    Those of the empty feature count always.
    """
    table = files("lithify.engines.offline.lasting") / "learned.tsv"
    rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines())
    return {name: tuple(map(int, numbers)) for name, *numbers in rows}
