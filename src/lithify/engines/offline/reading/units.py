"""The sentences an engine chooses among, each with its place, its words and its specifics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, groupby

from lithify import cues
from lithify.engines.offline.reading.headings import is_recap
from lithify.engines.offline.reading.lines import lines_of
from lithify.engines.offline.reading.openings import before_list, under
from lithify.engines.offline.reading.sentences import read
from lithify.engines.offline.reading.text import tokens_in
from lithify.text.atoms import find_atoms
from lithify.text.stems import stems_of
from lithify.values import Entry

#: As many rows of one table are told whatever else there is; more are a list to be looked up.
_ROWS = 6
#: What the first sentence of an answer is worth.
_ANSWER = 1.25
#: What its writer says again in short is worth so much more.
_RECAP = 1.5


@dataclass(slots=True)
class Unit:
    """One sentence that may be chosen. `at` is its place among all, and breaks every tie.

    It `leans` where its noun stands in the one before; `line` is that of its entry. Sentences of one
    entry that were made one are its `parts`.
    """

    at: int
    entry: Entry
    label: str
    text: str
    tokens: int
    stems: tuple[str, ...]
    atoms: frozenset[str]
    firm: frozenset[str]
    section: str
    must: bool
    worth: float
    folded: list[Unit] = field(default_factory=list)
    leans: bool = False
    line: int = 0
    parts: tuple[Unit, ...] = ()

    @property
    def place(self) -> tuple[str, ...]:
        return under(self.entry)

    @property
    def said(self) -> str:
        """The line of its entry that it stands on, as it was written."""
        text = self.entry.text
        return lines_of(text)[self.line] if self.line or "[" in text[1:] else text

    @property
    def box(self) -> bool | None:
        """Whether its line is ticked off or left to do; None where it has no box."""
        text = self.entry.text
        # Asked of every sentence, many times: most have none.
        return cues.checkbox(self.said) if "[" in text or not text[:1].isascii() else None

    def shorten(self, text: str) -> None:
        """Leave this part of the sentence, with the words and specifics that it still has."""
        left = frozenset(atom.key for atom in find_atoms(text, self.entry.day))
        self.text, self.tokens, self.stems = text, tokens_in(text), stems_in(text)
        self.atoms, self.firm = self.atoms & left, self.firm & left

    def copy(self) -> Unit:
        """The same sentence, with a list of its own for those folded into it."""
        return Unit(
            self.at,
            self.entry,
            self.label,
            self.text,
            self.tokens,
            self.stems,
            self.atoms,
            self.firm,
            self.section,
            self.must,
            self.worth,
            [*self.folded],
            self.leans,
            self.line,
            self.parts,
        )


def units_of(entries: Sequence[Entry]) -> list[Unit]:
    """The sentences of the entries in order, those that say nothing left out."""
    found: list[Unit] = []
    seen: set[str] = set()
    rows: dict[tuple[object, ...], int] = {}
    for entry in entries:
        if entry.id in seen:
            continue
        seen.add(entry.id)
        said = before_list(entry) if entry.kind == "lead" else entry
        if said is None:
            continue
        table = (entry.day, entry.headings)
        asked = bool(found) and _asks(found[-1], entry)
        again = any(map(is_recap, (*under(entry)[-1:], entry.lead)))
        for one in read(said):
            # An answer is worth more than what is said unasked.
            answers = asked and one.label not in ("", found[-1].label) and one.text[-1:] != "?"
            must = one.must
            if must and entry.kind == "row" and one.section == cues.OPEN:
                rows[table] = rows.get(table, 0) + 1
                must = rows[table] <= _ROWS or cues.must_keep(entry)
            found.append(
                Unit(
                    len(found),
                    entry,
                    one.label,
                    one.text,
                    one.tokens,
                    one.stems,
                    one.atoms,
                    one.firm,
                    one.section,
                    must,
                    one.worth * (_ANSWER if answers else 1.0) * (_RECAP if again else 1.0),
                    leans=one.leans,
                    line=one.line,
                )
            )
            asked = False
    return found


@lru_cache(maxsize=2)
def sentences_of(entries: tuple[Entry, ...]) -> tuple[Unit, ...]:
    """The same for several who look at the sentences and leave them as they are."""
    return tuple(units_of(entries))


def told_once(units: Sequence[Unit]) -> list[Unit]:
    """The sentences without the entries that only repeat another, which are folded into it.

    What happened is told where it was first, what is open where it was last. A decision is looked
    at both times: what reverses it may have come between.
    """
    said: dict[tuple[object, ...], list[list[Unit]]] = {}
    for _, group in groupby(units, key=lambda unit: unit.entry.id):
        own = [*group]
        said.setdefault(tuple([(one.text, one.label, one.section) for one in own]), []).append(own)
    kept: list[Unit] = []
    for groups in said.values():
        sections = {unit.section for unit in groups[0]}
        if cues.DECISIONS in sections and len(groups) > 1:
            kept += groups.pop()
        stands = groups.pop(-1 if cues.OPEN in sections else 0)
        for at, unit in enumerate(stands):
            twins = [group[at] for group in groups]
            kept.append(replace(unit, folded=twins) if twins else unit)
    return sorted(kept, key=lambda unit: unit.at)


def _asks(before: Unit, entry: Entry) -> bool:
    """Whether the turn before an entry ends in a question that the entry could answer."""
    return (
        before.text[-1:] == "?"
        and before.label != ""
        and before.entry.day == entry.day
        and before.place == under(entry)
    )


@lru_cache(maxsize=1 << 13)
def stems_in(text: str) -> tuple[str, ...]:
    """The stems of a sentence; logs repeat themselves, so they are remembered."""
    return tuple(stems_of(text))


def stem_counts(units: Sequence[Unit]) -> dict[str, int]:
    """In how many of the sentences each stem stands; sentences that recur are looked at once."""
    # What recurs was read once: the stems are the very same.
    known = {id(unit.stems): unit.stems for unit in units}
    counts = Counter(chain.from_iterable(map(set, known.values())))
    for one, times in Counter([id(unit.stems) for unit in units]).items():
        if times > 1:
            for stem in set(known[one]):
                counts[stem] += times - 1
    return counts
