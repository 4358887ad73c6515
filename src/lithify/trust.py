"""Whose words may be taken as they are."""

from __future__ import annotations

#: Channels a person or the person's own agent speaks through. Everything else is untrusted.
TRUSTED_ORIGINS = frozenset({"user", "agent", "tool", "file"})


#: Channels whose words may set a rule: what a tool printed is a report, not an instruction.
RULING_ORIGINS = frozenset({"user", "agent", "file"})


def is_trusted(origin: str) -> bool:
    """Whether material of this origin may rest unmarked in memory."""
    return origin in TRUSTED_ORIGINS


def may_rule(origin: str) -> bool:
    """Whether material of this origin may say how work is done from now on."""
    return origin in RULING_ORIGINS


def is_of_a_person(origin: str) -> bool:
    """Whether words of this origin are the person's: said by them, or in a file they keep."""
    return origin in ("user", "file")


def unjournaled_origin(files: bool, is_held: bool) -> str:
    """The origin of entries that the journal does not know.

    `file`, for another tool wrote them; not where files are not trusted, or where the journal has
    lost records that could say otherwise.
    """
    return "import:unjournaled" if is_held else "file" if files else "import:file"
