"""Names and descriptions of memories, made from their statements."""

from __future__ import annotations

import re

from lithify.markdown.entries import normalise
from lithify.values import TypedMemory

_NAME, _DESCRIPTION = 60, 160


def named(memory: TypedMemory) -> TypedMemory:
    """A memory with a name and a description, made from its statement if it has none."""
    words = bare(memory.statement)
    return memory._replace(
        name=memory.name or _title(words),
        description=memory.description or _first_words(words, _DESCRIPTION),
    )


def bare(statement: str) -> str:
    """A statement on one line without emphasis."""
    return normalise(re.sub(r"\*+|`+", "", statement))


def _title(text: str) -> str:
    """The first clause of a statement where it is short, else its first words; with a capital."""
    clause = re.split(r"(?<=\w)[;；。.!?](?:\s|$)", text)[0]
    title = _first_words(clause, _NAME)
    return title[:1].upper() + title[1:] if title.split(" ")[0].isalpha() else title


def _first_words(text: str, most: int) -> str:
    """The beginning of a text, cut between two words where it has any."""
    if len(text) > most:
        cut = text[: most + 1]
        text = cut.rpartition(" ")[0] if " " in cut else cut[:most]
    return text.strip().rstrip(".,;:!?。，；：！？")
