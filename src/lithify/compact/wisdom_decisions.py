"""Decisions on wisdom: an engine decides on each item, and this code applies the decisions.

The code alone enforces the cap, recognises equal entries, prefers newer words, and drops entries
that nothing supports any more. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lithify.calendar import is_month, is_week, months_between, parse_day, week_days
from lithify.markdown.entries import label_of
from lithify.markdown.pages import recited
from lithify.settings import Wisdom
from lithify.text.atoms import atom_keys, unsupported
from lithify.text.hedges import denies
from lithify.text.stems import stems_of
from lithify.trust import is_trusted
from lithify.values import Claim, Decision, Entry, Item, TypedMemory, WisdomEntry
from lithify.verify.claims import overlap, words_of

#: Share of words by which two entries are on one matter.
SAME = 0.6
#: An entry that keeps less than HALF of its words is replaced; new words that share less than
#: ASTRAY of an entry's words are on another matter.
HALF, ASTRAY = 0.5, 0.2


def items_of(
    memories: Sequence[TypedMemory],
    months: Mapping[str, Sequence[Claim]],
    origin_of: Callable[[Sequence[str]], str],
) -> tuple[Item, ...]:
    """The items that wisdom is made from, each statement once."""
    found: list[Item] = []
    for memory in memories:
        text = memory.statement + (f" Why: {memory.why}" if memory.why else "")
        origin = origin_of(memory.sources)
        found.append(Item("", text, memory.sources, origin, memory.type, memory.name, memory.basis))
    for month in sorted(months):
        for claim in months[month]:
            origin = origin_of(claim.sources) if claim.trusted else _lowest(claim, origin_of)
            found.append(Item("", claim.text, claim.sources, origin))
    return tuple({fingerprint(item): item for item in found}.values())


def numbered(items: Sequence[Item]) -> tuple[Item, ...]:
    """The items of one lane with the short ids its writer uses."""
    return tuple(item._replace(id=f"m{n}") for n, item in enumerate(items, 1))


def _lowest(claim: Claim, origin_of: Callable[[Sequence[str]], str]) -> str:
    # A bullet marked unverified stays untrusted, even if its sources can no longer be found.
    origin = origin_of(claim.sources)
    return origin if not is_trusted(origin) else "import:unknown"


def fingerprint(item: Item) -> str:
    """A digest of what an item says and of its basis, independent of its id."""
    # A found memory that is marked or accepted later counts as a new item.
    word = f"\0{item.basis}" if item.basis in ("marked", "accepted") else ""
    text = f"{item.type or ''}\0{item.text}{word}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Applied:
    """Wisdom after the decisions: its entries, and each decision as it was carried out.

    `ousted` are the titles of entries that were dropped only to make room.
    """

    entries: tuple[WisdomEntry, ...]
    decisions: tuple[Decision, ...]
    dropped: tuple[tuple[WisdomEntry, str], ...] = ()
    ousted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Standing:
    """What the durability of entries depends on; `reinforced` has the last day by title."""

    settings: Wisdom
    today: str
    reinforced: Mapping[str, str] = field(default_factory=dict)

    def last_borne(self, entry: WisdomEntry) -> str:
        """The last day on which something supported an entry."""
        return max(newest(entry.sources), self.reinforced.get(entry.title, ""))

    def is_stale(self, entry: WisdomEntry) -> bool:
        """Whether nothing new has supported an entry for `stale_months`."""
        day, now = parse_day(self.last_borne(entry)), parse_day(self.today)
        return bool(day and now and months_between(day, now) >= self.settings.stale_months)

    def weakest(self, entries: Sequence[WisdomEntry], spared: Collection[str]) -> int | None:
        """The entry to drop first when there is no room; never one that a person wrote."""
        candidates = [
            n for n, e in enumerate(entries) if not is_foreign(e) and e.title not in spared
        ]

        def durability(n: int) -> tuple[bool, int, str, int]:
            entry = entries[n]
            return (not self.is_stale(entry), days_of(entry), self.last_borne(entry), n)

        return min(candidates, key=durability, default=None)


def apply(
    entries: Sequence[WisdomEntry],
    decisions: Sequence[Decision],
    items: Mapping[str, Item],
    standing: Standing,
) -> Applied:
    """Carry out the decisions, keeping at most as many entries as the settings allow."""
    state = list(entries)
    taken: list[Decision] = []
    dropped: list[tuple[WisdomEntry, str]] = []
    ousted: set[str] = set()
    fresh: set[str] = set()
    in_force = {entry.title for entry in entries}

    def drop(decision: Decision, reason: str, *, crowded: bool = False) -> None:
        crowded = crowded or decision.crowded
        taken.append(decision._replace(verb="DROP", entry=None, reason=reason, crowded=crowded))

    def oust(victim: int, reason: str) -> None:
        ousted.add(state[victim].title)
        dropped.append((state.pop(victim), reason))

    for decision in sorted(decisions, key=lambda decision: _turn(decision, in_force)):
        item = items[decision.item]
        if decision.verb == "DROP" or (decision.verb == "ADD" and decision.entry is None):
            drop(decision, decision.reason)
            continue
        twin = _twin(decision, state)
        if twin is not None:
            before = state[twin]
            others = {entry.title for n, entry in enumerate(state) if n != twin}
            after = state[twin] = _reworded(before, decision, item, standing, others)
            fresh.add(after.title)
            changed = after if after != before else None
            if changed and _shared(before, changed) < HALF:
                dropped.append((before, f"replaced by newer words: {after.text}"))
            taken.append(decision._replace(verb="MERGE", target=before.title, entry=changed))
            continue
        if decision.entry is None:
            drop(decision, f"{decision.reason}; no such entry")
            continue
        new = _as_new(decision, state, standing)
        if len(state) >= standing.settings.max_entries:
            victim = _gives_way(state, fresh, new, standing, decision.target)
            if victim is None:
                drop(decision, "no room, and every entry is better supported", crowded=True)
                continue
            oust(victim, f"gave way to “{new.title}”")
        state.append(new)
        fresh.add(new.title)
        taken.append(decision._replace(verb="ADD", target=new.title, entry=new))
    while len(state) > standing.settings.max_entries:
        victim = standing.weakest(state, ())
        if victim is None:
            break
        oust(victim, "the least durable beyond the cap")
    return Applied(tuple(state), tuple(taken), tuple(dropped), frozenset(ousted))


def _turn(decision: Decision, in_force: Collection[str]) -> int:
    """The order of decisions: merges into existing entries, then additions, then other merges.

    An addition that names an entry to give way comes after the merges into that entry, and a
    merge into a new entry comes after the entry was added.
    """
    if decision.target in in_force:
        return int(decision.verb == "ADD")
    return 2 * (decision.verb == "MERGE")


def _gives_way(
    state: Sequence[WisdomEntry],
    fresh: Collection[str],
    new: WisdomEntry,
    standing: Standing,
    named: str,
) -> int | None:
    """The entry that gives way to a new one; None if the new one is the weakest."""
    for n, entry in enumerate(state):
        if entry.title == named and named not in fresh and not is_foreign(entry):
            return n
    weakest = standing.weakest(state, fresh)
    if weakest is None:
        return None
    entry = state[weakest]
    return weakest if standing.is_stale(entry) or days_of(entry) <= days_of(new) else None


def _twin(decision: Decision, state: Sequence[WisdomEntry]) -> int | None:
    """The entry that a decision changes: the one it names, or one on the same matter."""
    new = decision.entry
    if new is None:
        named = decision.target if decision.verb == "MERGE" else ""
        return next((n for n, entry in enumerate(state) if entry.title == named), None)
    # Words that share almost nothing with an entry do not replace it, even under its title.
    near = [n for n, entry in enumerate(state) if _shared(entry, new) >= ASTRAY]
    if decision.verb == "MERGE":
        for n in near:
            if state[n].title == decision.target:
                return n
    return next(
        (n for n in near if state[n].title == new.title or _on_one_matter(state[n], new)), None
    )


def _shared(entry: WisdomEntry, words: WisdomEntry) -> float:
    """The share of an entry's words that another text has too."""
    own = words_of(entry.text)
    return len(own & words_of(words.text)) / len(own) if own else 1.0


def _as_new(decision: Decision, state: Sequence[WisdomEntry], standing: Standing) -> WisdomEntry:
    """The entry that a decision adds, with a title of its own."""
    entry = decision.entry
    assert entry is not None
    taken = {other.title for other in state}
    title = _lead(entry) if entry.title in taken else entry.title
    return entry._replace(title=title, category=_category(entry, standing), raw="")


def _lead(entry: WisdomEntry) -> str:
    """The first words of an entry, for a title."""
    return " ".join(entry.text.split()[:7]).rstrip(".,;:")


_ATTITUDE = words_of("always never must should cannot stop avoid only don't doesn't won't")


def _on_one_matter(one: WisdomEntry, other: WisdomEntry) -> bool:
    """Whether two entries are about the same thing, even if they contradict each other.

    Figures and words like "never" may differ. If each has a word that the other lacks, they
    count as two: keeping one entry too many is better than losing one.
    """
    mine, theirs = (
        frozenset(word for word in words_of(e.text) - _ATTITUDE if not word.isdigit())
        for e in (one, other)
    )
    nested = mine <= theirs or theirs <= mine
    return nested and min(len(mine), len(theirs)) >= 3 and overlap(mine, theirs) >= SAME


def _reworded(
    before: WisdomEntry,
    decision: Decision,
    item: Item,
    standing: Standing,
    taken: Collection[str],
) -> WisdomEntry:
    """An entry after a merge: newer words replace it, mere support leaves its bytes alone."""
    after = decision.entry
    if after is None or is_foreign(before) or not _says_more(after, before, item):
        return before
    if newest(item.sources) < newest(before.sources):
        return before
    category = before.category or _category(after, standing)
    if denies(after.text) is not denies(before.text):
        # Sources of the opposite statement do not support the new one.
        return WisdomEntry(after.title, after.text, item.sources, category)
    sources = tuple(dict.fromkeys([*before.sources, *item.sources]))
    return WisdomEntry(_renamed(before, after, taken), after.text, sources, category)


def _renamed(before: WisdomEntry, after: WisdomEntry, taken: Collection[str]) -> str:
    """The title of a reworded entry: a new one if the old says what the entry no longer says."""
    unsaid = set(stems_of(before.text)) - set(stems_of(after.text))
    for title in (before.title, after.title):
        if title not in taken and unsaid.isdisjoint(stems_of(title)):
            return title
    return _lead(after)


def _says_more(after: WisdomEntry, before: WisdomEntry, item: Item) -> bool:
    """Whether a new wording holds anything of the item that the entry does not say already."""
    if denies(after.text) is not denies(before.text):
        return denies(after.text) is denies(item.text)
    if atom_keys(after.text) - atom_keys(before.text):
        return True
    taken = words_of(after.text) & words_of(item.text)
    return bool(taken - words_of(f"{before.title} {before.text}"))


def _category(entry: WisdomEntry, standing: Standing) -> str:
    categories = standing.settings.categories
    if not categories:
        return ""
    return entry.category if entry.category in categories else categories[-1]


def newest(sources: Sequence[str]) -> str:
    """The newest day of sources; weeks and months count by their last day."""
    return max((_last_day(label_of(source)) for source in sources), default="")


def _last_day(label: str) -> str:
    if is_week(label):
        return week_days(label)[-1].isoformat()
    if is_month(label):
        return f"{label}-28"
    return label if parse_day(label) else ""


def is_foreign(entry: WisdomEntry) -> bool:
    """Whether a person wrote the entry: it names no source."""
    return not entry.sources


def days_of(entry: WisdomEntry) -> int:
    """The number of days or other sources that an entry cites."""
    return len({label_of(source) for source in entry.sources})


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
    said = [words_of(" ".join([*line.headings, line.lead, line.text])) for line in lines]
    return (
        bool(lines)
        and words_of(entry.text) <= frozenset[str]().union(*said)
        and denies(entry.text) is any(denies(line.text) for line in lines)
        and not unsupported(f"{entry.title}: {entry.text}", lines)
    )
