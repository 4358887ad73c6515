"""The words that tell what a text is about, and a text as a sentence of its own."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.engines.offline.reading.speech import whole
from lithify.text.atoms import find_atoms
from lithify.text.stems import COMMON_STEMS, is_common, is_empty, stems_of, words_of

_ANYBODY = re.compile(r"(?:any|every|some|no)(?:body|one|thing)")
#: Words of a yes or a choice, and of when it was: they tell nothing of the matter.
_SETTLING = frozenset(
    stems_of(
        "agreed agree decided decision chose verdict approved accepted yes said spot left temporary "
        "monday tuesday wednesday thursday friday saturday sunday week weekend month day morning evening"
    )
)
_MATTER = 2
#: What has a number is a thing and nobody's name: `Berth 7`
_NUMBERED = re.compile(r"\b([A-Z][\w-]+) \d")
_ENDS_IN_URL = re.compile(r"https?://\S*[^\s.]$")


def telling_in(text: str) -> list[str]:
    """The words that tell what a text is about, each once."""
    return [word for word in dict.fromkeys(words_of(text)) if _tells(word)]


def _tells(word: str) -> bool:
    return (
        len(word) > 2
        and not word.isdigit()
        and not is_empty(word)
        and not is_common(word)
        and "'" not in word
        and not _ANYBODY.fullmatch(word)
    )


@lru_cache(maxsize=1 << 12)
def matter_in(text: str) -> frozenset[str]:
    """The stems by which two texts are of one matter: no common words, no figures."""
    return frozenset(
        stem for stem in stems_of(text) if stem not in COMMON_STEMS and not stem.isdigit()
    )


@lru_cache(maxsize=1 << 12)
def unnamed_matter(text: str) -> frozenset[str]:
    """The stems of a matter without those of names: who decides is named in many."""
    things = frozenset(_NUMBERED.findall(text))
    names = (atom.text for atom in find_atoms(text) if atom.kind == "name")
    return matter_in(text) - {
        stem for name in names if name not in things for stem in stems_of(name)
    }


def is_of_nothing(text: str) -> bool:
    """Whether a decision does not say what it is about: `Agreed by Ida; said yes on the spot.`"""
    told = len(unnamed_matter(text) - _SETTLING)
    # A word of it beside a name may be enough: `the Corvane contract`.
    return told < _MATTER and not (told and any(atom.kind == "name" for atom in find_atoms(text)))


def sentence_of(text: str) -> str:
    """The text with a capital letter and a full stop."""
    text = whole(text).strip().rstrip(" ,;:-")
    if _ENDS_IN_URL.search(text):
        return text[:1].upper() + text[1:]  # a full stop would be taken for a part of it
    return text[:1].upper() + text[1:] + ("" if text[-1:] in '.!?"' else ".")
