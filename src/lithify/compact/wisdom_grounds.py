"""What supports an entry of wisdom after its days were edited. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lithify.markdown.pages import recited
from lithify.text.hedges import denies
from lithify.text.specifics import unsupported
from lithify.trust import is_trusted
from lithify.values import Entry, Item, WisdomEntry
from lithify.verify.doubts import content_stems


@dataclass(frozen=True, slots=True)
class Grounds:
    """What can support an entry now: the lines it cites that still exist, and the items.

    `worded` gives, by title, the items that each entry has its words from.
    """

    resolves: Callable[[str], bool]
    lines: Mapping[str, Entry]
    material: Mapping[str, Item]
    worded: Mapping[str, Collection[str]] = field(default_factory=dict)

    def of(self, entry: WisdomEntry) -> tuple[str, ...]:
        """The ids that support an entry, without dead ones; none if nothing says its words.

        An edited line has a new id. The sources that are left, or an item of the material,
        must say all that the entry says: a line that stays does not vouch for one that went.
        """
        alive = [source for source in entry.sources if self.resolves(source)]
        # A missing day cannot be read; an entry that cites it stays.
        if len(alive) == len(entry.sources) or not all(id in self.lines for id in alive):
            return entry.sources
        trusted = {mark: i for mark, i in self.material.items() if is_trusted(i.origin)}
        bearing = [item for item in trusted.values() if _says([_line(item)], entry)]
        marks = self.worded.get(entry.title, ())
        if marks and all(mark in trusted for mark in marks):
            bearing += [trusted[mark] for mark in sorted(marks)]
        if not bearing and not _says([self.lines[id] for id in alive], entry):
            return ()
        more = [id for item in bearing for id in item.sources if self.resolves(id)]
        return tuple(dict.fromkeys([*alive, *more]))


def grounded(
    entries: Sequence[WisdomEntry], grounds: Grounds
) -> tuple[tuple[WisdomEntry, ...], tuple[tuple[WisdomEntry, str], ...]]:
    """The entries with dead ids replaced or removed, and the entries nothing supports any more."""
    kept: list[WisdomEntry] = []
    dropped: list[tuple[WisdomEntry, str]] = []
    for entry in entries:
        sources = grounds.of(entry)
        if sources == entry.sources:
            kept.append(entry)
        elif sources:
            kept.append(_recited(entry, sources))
        else:
            dropped.append((entry, "what it rested on was edited or forgotten"))
    return tuple(kept), tuple(dropped)


def _recited(entry: WisdomEntry, sources: tuple[str, ...]) -> WisdomEntry:
    """The same entry with other sources: only its comment changes."""
    return entry._replace(sources=sources, raw=recited(entry.raw, sources) if entry.raw else "")


def _line(item: Item) -> Entry:
    return Entry(f"item~{'0' * 12}", f"{item.title}: {item.text}")


def _says(lines: Sequence[Entry], entry: WisdomEntry) -> bool:
    """Whether lines say all that an entry says, its title's figures and names included."""
    said = [content_stems(" ".join([*line.headings, line.lead, line.text])) for line in lines]
    return (
        bool(lines)
        and content_stems(entry.text) <= frozenset[str]().union(*said)
        and denies(entry.text) is any(denies(line.text) for line in lines)
        and not unsupported(f"{entry.title}: {entry.text}", lines)
    )
