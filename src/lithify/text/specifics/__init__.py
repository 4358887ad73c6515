"""The specifics of a text: figures, dates, identifiers, quotations and names, and their support.

A claim may say nothing specific that its sources do not. `find_atoms` takes a text apart,
`unsupported` names the atoms of a claim that none of the entries it cites contains.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from lithify.text.dates import could_name_date
from lithify.text.specifics.atom import Atom, Support
from lithify.text.specifics.find import all_but_names, names_in
from lithify.text.specifics.support import holds, prepared, source_keys
from lithify.values import Entry

__all__ = [
    "Atom",
    "Support",
    "atom_keys",
    "find_atoms",
    "join",
    "support_of",
    "support_of_text",
    "unsupported",
    "unsupported_by",
]


#: Entries above this length are read each time they are asked for, rather than kept.
_REMEMBERED = 10_000


def find_atoms(text: str, anchor: date | None = None) -> tuple[Atom, ...]:
    """Return the specifics of a text, in order; relative dates among them if their day is given."""
    if len(text) > 2000:
        return _found.__wrapped__(text, anchor)
    return _found(text, anchor if could_name_date(text) else None)


@lru_cache(maxsize=1 << 13)
def _found(text: str, anchor: date | None) -> tuple[Atom, ...]:
    # A claim is read by several rules of the verifier, an entry by several of the engine.
    atoms, rest = all_but_names(text, anchor)
    atoms += names_in(rest)
    return tuple(sorted(atoms, key=lambda atom: (atom.start, atom.end)))


def atom_keys(text: str, anchor: date | None = None) -> frozenset[str]:
    """Return the keys of a text's specifics, comparable with those of another text."""
    return frozenset(atom.key for atom in find_atoms(text, anchor))


def unsupported(text: str, entries: Sequence[Entry]) -> tuple[Atom, ...]:
    """Return the specifics of a claim that none of the entries it cites contains."""
    days = {entry.day.isoformat() for entry in entries if entry.day}
    # An entry vouches for its day, with the year and without.
    days |= {f"-{day[4:]}" for day in days}
    missing = tuple(atom for atom in find_atoms(text) if atom.key not in days)
    sources: list[Support] = []
    for entry in entries:
        # Mostly the first entry has all of it.
        if not missing:
            return ()
        sources.append(support_of(entry))
        missing = tuple(atom for atom in missing if not holds(atom, sources[-1]))
    return _even_together(missing, sources)


def unsupported_by(text: str, sources: Sequence[Support]) -> tuple[Atom, ...]:
    """Return the specifics of a text that none of the prepared sources contains."""
    missing = (a for a in find_atoms(text) if not any(holds(a, source) for source in sources))
    return _even_together(tuple(missing), sources)


def _even_together(missing: tuple[Atom, ...], sources: Sequence[Support]) -> tuple[Atom, ...]:
    """Return what the sources lack also as one: a name may have its parts in different entries."""
    if not missing or len(sources) < 2:
        return missing
    whole = join(sources)
    return tuple(atom for atom in missing if not holds(atom, whole))


def support_of(entry: Entry) -> Support:
    """Return what an entry vouches for."""
    return (_support if len(entry.text) <= _REMEMBERED else _support.__wrapped__)(entry)


# Who cites an entry again mostly does so soon.
@lru_cache(maxsize=1 << 10)
def _support(entry: Entry) -> Support:
    keys = {key for part in _parts(entry) for key in source_keys(part, entry.day)}
    if entry.day:
        keys.add(entry.day.isoformat())
    return prepared(frozenset(keys), _whole(entry))


def _parts(entry: Entry) -> tuple[str, ...]:
    return (entry.text, entry.lead, *entry.headings)


def _whole(entry: Entry) -> str:
    return "\n".join(_parts(entry))


def support_of_text(text: str, anchor: date | None = None) -> Support:
    """Return what a text vouches for that is not an entry of a day."""
    return prepared(frozenset(source_keys(text, anchor)), text)


def join(sources: Iterable[Support]) -> Support:
    """Return one support out of several."""
    parts = list(sources)
    return Support(
        frozenset[str]().union(*(part.keys for part in parts)),
        frozenset[str]().union(*(part.words for part in parts)),
        "\n".join(part.text for part in parts),
        "\n".join(part.folded for part in parts),
    )
