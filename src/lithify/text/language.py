"""In which language a text is, told by its function words or its script."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from lithify.regex import regex
from lithify.values import MEMORY_TYPES, MemoryType

_WORD = regex(r"[^\W\d_]+")
_FOLDER = os.path.join(os.path.dirname(__file__), "wordlists")
#: From here on scripts put no space between words.
_WIDE = "\u2e80"
_FUNCTION_WORDS = {
    "English": "the and of to is was for with that on it at by this from are be not have has were",
    "German": "der die das und ist nicht mit von den zu ein eine auf für im dem wurde auch sich bei",
    "French": "le la les des et est une pour dans que qui sur avec du au pas par ce ont sont",
    "Spanish": "el los las de que y en un una por con para del se es al lo fue como más",
    "Italian": "il di che per un non con del è una gli alla sono dei nel da della ha più le",
    "Portuguese": "o de que e do da em um para com não uma os se na por mais ao foi são",
    "Dutch": "de het een en van is dat op te met voor niet zijn er aan door ook naar wordt bij",
    "Polish": "i w na z do się nie jest to że po dla od przez jak są został oraz było ale",
    "Swedish": "och att det som en på är av för med den till inte har ett om vi var men från",
    "Russian": "и в не на что по это для как из от за но был до или при уже его только после через",
    "Ukrainian": "і в не на що по це для як із від за але був до або при вже його тільки після через",
}
_SETS = {name: frozenset(words.split()) for name, words in _FUNCTION_WORDS.items()}
FUNCTION_WORDS = frozenset[str]().union(*_SETS.values())
#: Words read of a text; its language does not change after them.
_ENOUGH = 2000
#: A text of fewer words may lack function words by chance.
_FEW = 100


#: The share of a language's function words in prose; notes have fewer, but so many different ones.
_PROSE, _NOTES, _DIFFERENT = 0.1, 0.03, 6
#: Scripts in which one sign says about as much as so many letters.
_DENSE, _LETTERS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL"), 3


@lru_cache(maxsize=64)
def language_of(text: str) -> str:
    """Return the language of a text, or the script where that tells it; "" where neither does."""
    words = [word.lower() for word in _WORD.findall(text[: _ENOUGH * 12])][:_ENOUGH]
    script = _script(words)
    if script:
        return script
    seen = Counter(words)
    hits = Counter({name: sum(map(seen.__getitem__, known)) for name, known in _SETS.items()})
    (best, most), (_, next_most) = hits.most_common(2)
    different = len(_SETS[best] & seen.keys())
    if different < 3 or most < 1.5 * next_most:
        return ""
    return best if most >= (_NOTES if different >= _DIFFERENT else _PROSE) * len(words) else ""


def judged_as(text: str) -> str:
    """The language by which a log is judged: English where a few plain letters do not tell."""
    few = text.isascii() and text.count(" ") < _FEW
    return language_of(text) or ("English" if few else "")


def _script(words: Sequence[str]) -> str:
    """Return the script that says most, if it is not Latin."""
    seen: Counter[str] = Counter()
    for letter in "".join(words):
        script = unicodedata.name(letter, "LATIN").partition(" ")[0]
        seen[script] += _LETTERS if script in _DENSE else 1
    if not seen:
        return ""
    best, most = seen.most_common(1)[0]
    return best.capitalize() if best != "LATIN" and most > 0.5 * seen.total() else ""


def word_list(language: str, name: str) -> frozenset[str]:
    """Return one of the closed lists of a language, empty where it has none."""
    return frozenset(_lists(language).get(name, ()))


@cache
def in_any_language(name: str) -> frozenset[str]:
    """One of the closed lists in every language that has it, where a text may be in any of them."""
    return frozenset[str]().union(*(_lists(language).get(name, ()) for language in languages()))


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that have closed lists."""
    return tuple(sorted(name.removesuffix(".json") for name in os.listdir(_FOLDER)))


def word_table(language: str, name: str) -> dict[str, Any]:
    """Return each word of such a list with its value: its own, or its place in the list."""
    found = _lists(language).get(name, [])
    return found if isinstance(found, dict) else {word: n for n, word in enumerate(found)}


@cache
def number_table(name: str) -> dict[str, int]:
    """Return the words of such a table in every language, where a text may be in any of them."""
    tables = (_lists(language).get(name, {}) for language in languages())
    return {word: number for table in tables for word, number in table.items()}


@cache
def _lists(language: str) -> dict[str, Any]:
    if language.lower() not in languages():
        return {}
    with open(os.path.join(_FOLDER, f"{language.lower()}.json"), "rb") as file:
        lists: dict[str, Any] = json.load(file)
    return lists


@cache
def labels(kind: str) -> tuple[str, ...]:
    """Return the labels of lines that are of a kind, in every language, in lower case.

    The kinds are the types of memories, the sections of pages by their keys, and `turns`: the labels
    without which a line says the opposite.
    """
    found = (_lists(language).get("labels", {}).get(kind, ()) for language in languages())
    return tuple(dict.fromkeys(label for own in found for label in own))


@cache
def memory_labels() -> Mapping[str, MemoryType]:
    """Return the labels that mark a line as a memory, each with the type of memory it makes."""
    return {label: kind for kind in MEMORY_TYPES for label in labels(kind)}


def is_spaced(word: str) -> bool:
    """Return whether a word is of a script that puts space between words."""
    return word[-1] < _WIDE


def alternatives(words: Iterable[str]) -> str:
    """Return a pattern of whole words, and of those of a script that puts no space between words."""
    apart: dict[bool, list[str]] = {True: [], False: []}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        apart[is_spaced(word)].append(re.escape(word))
    spaced, wide = apart[True], apart[False]
    return "|".join([rf"\b(?:{'|'.join(spaced)})\b"] * bool(spaced) + wide)
