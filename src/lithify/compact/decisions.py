"""Decisions on wisdom: an engine decides on items and entries, and this code applies that.

The code alone enforces the cap, recognises equal entries, prefers newer words, and drops entries
that nothing supports any more. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lithify.calendar import is_month, is_week, months_between, parse_day, week_days
from lithify.compact.statements import denies
from lithify.markdown.pages import provenance, rule_entry, split_provenance
from lithify.settings import WisdomSettings
from lithify.text.words import content_stems, overlap, stems_of
from lithify.trust import is_trusted
from lithify.values import Age, Decision, Entry, Item, WisdomEntry, label_of

#: Share of words by which two entries are on one matter.
SAME = 0.6
#: An entry that keeps less than HALF of its words is replaced; new words that share less than
#: ASTRAY of an entry's words are on another matter.
HALF, ASTRAY = 0.5, 0.2


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
class Durability:
    """What the durability of entries depends on; `reinforced` has the last day by title.

    `voices` tells sources apart by who says what, as the function of that name does. `marked` has the
    lines that somebody marked, each with its place in the order in which they were said.
    """

    settings: WisdomSettings
    today: str
    reinforced: Mapping[str, str] = field(default_factory=dict)
    voices: Mapping[str, str] = field(default_factory=dict)
    marked: Mapping[str, int] = field(default_factory=dict)

    def support(self, entry: WisdomEntry) -> int:
        """Count how often an entry is confirmed: on different days, not by the same words again."""
        voices = {self.voices.get(source, source) for source in entry.sources}
        return min(len(voices), len({label_of(source) for source in entry.sources}))

    def last_borne(self, entry: WisdomEntry) -> str:
        """Return the last day on which something supported an entry."""
        return max(newest(entry.sources), self.reinforced.get(entry.title, ""))

    def is_stale(self, entry: WisdomEntry) -> bool:
        """Tell whether nothing new has supported an entry for `stale_months`."""
        day, now = parse_day(self.last_borne(entry)), parse_day(self.today)
        return bool(day and now and months_between(day, now) >= self.settings.stale_months)

    def age(self, entry: WisdomEntry) -> Age:
        """Tell how long an entry has been supported, and until when."""
        days = [day for source in entry.sources if (day := _last_day(label_of(source)))]
        return Age(min(days, default=""), self.last_borne(entry), self.is_stale(entry))

    def durability(self, entry: WisdomEntry) -> tuple[bool, bool, int, str, int]:
        """Return what the order depends on in which entries go where there is no room.

        Found ones go before marked ones, stale ones before others, then those borne out on fewer
        days, then older ones.
        """
        said = max((self.marked.get(source, -1) for source in entry.sources), default=-1)
        days = self.support(entry), self.last_borne(entry)
        return (said >= 0, not self.is_stale(entry), *days, said)

    def weakest(self, entries: Sequence[WisdomEntry], spared: Collection[str]) -> int | None:
        """Return the entry to drop first when there is no room; never one that a person wrote."""
        candidates = [
            n for n, e in enumerate(entries) if not is_foreign(e) and e.title not in spared
        ]
        return min(candidates, key=lambda n: (self.durability(entries[n]), n), default=None)

    def why_weaker(self, weaker: WisdomEntry, than: WisdomEntry) -> str:
        """Say in which respect one entry gives way to another."""
        mine, theirs = self.durability(weaker), self.durability(than)
        if mine[0] is not theirs[0]:
            return "a writer found it, and the other was marked"
        if mine[1] is not theirs[1]:
            return f"nothing has borne it out since {mine[3]}"
        if mine[2] != theirs[2]:
            return (
                f"{mine[2]} {'day bears' if mine[2] == 1 else 'days bear'} it out, not {theirs[2]}"
            )
        return f"it is the older one ({mine[3]})"


def apply(
    entries: Sequence[WisdomEntry],
    decisions: Sequence[Decision],
    items: Mapping[str, Item],
    standing: Durability,
    *,
    for_review: bool = False,
) -> Applied:
    """Carry out the decisions, keeping at most as many entries as the settings allow.

    What a person wrote is changed or dropped only `for_review`, where the result is a proposal.
    """
    state = _State(list(entries), standing, for_review)
    in_force = {entry.title for entry in entries}
    for decision in sorted(decisions, key=lambda decision: _turn(decision, in_force)):
        if decision.drops_entry:
            state.take_out(decision)
            continue
        if decision.verb == "DROP" or (decision.verb == "ADD" and decision.entry is None):
            state.leave_out(decision, decision.reason)
            continue
        # Which of the marked rules is in force was decided before they came here.
        marked = bool(decision.items) and all(items[id].basis == "marked" for id in decision.items)
        twin = _twin(decision, state.entries, marked=marked)
        if twin is not None:
            state.merge(twin, decision, _together([items[id] for id in decision.items]))
        elif decision.entry is None:
            state.leave_out(decision, f"{decision.reason}; no such entry")
        elif decision.items:
            state.add(decision)
    while len(state.entries) > standing.settings.max_entries:
        victim = standing.weakest(state.entries, ())
        if victim is None:
            break
        left = [entry for n, entry in enumerate(state.entries) if n != victim]
        next_weakest = standing.weakest(left, ())
        why = (
            ""
            if next_weakest is None
            else standing.why_weaker(state.entries[victim], left[next_weakest])
        )
        state.oust(victim, f"no room: {why}" if why else "no room beside what a person wrote")
    return Applied(
        tuple(state.entries), tuple(state.taken), tuple(state.dropped), frozenset(state.ousted)
    )


@dataclass(slots=True)
class _State:
    """Wisdom while decisions are applied; `fresh` are the titles that a decision changed."""

    entries: list[WisdomEntry]
    standing: Durability
    for_review: bool
    taken: list[Decision] = field(default_factory=list)
    dropped: list[tuple[WisdomEntry, str]] = field(default_factory=list)
    ousted: set[str] = field(default_factory=set)
    fresh: set[str] = field(default_factory=set)

    def leave_out(self, decision: Decision, reason: str, *, crowded: bool = False) -> None:
        crowded = crowded or decision.crowded
        self.taken.append(
            decision._replace(verb="DROP", entry=None, reason=reason, crowded=crowded)
        )

    def oust(self, victim: int, reason: str) -> None:
        self.ousted.add(self.entries[victim].title)
        self.dropped.append((self.entries.pop(victim), reason))

    def take_out(self, decision: Decision) -> None:
        """Drop an entry as its writer says, unless another decision has just changed it."""
        for n, entry in enumerate(self.entries):
            if entry.title == decision.target and entry.title not in self.fresh:
                if self.for_review or not is_foreign(entry):
                    self.taken.append(decision._replace(entry=self.entries.pop(n)))
                return

    def merge(self, twin: int, decision: Decision, item: Item) -> None:
        """Bear an entry out, or give it new words, in which the other targets may be united."""
        before = self.entries[twin]
        others = self._united(decision, before)
        after = before
        if not is_foreign(before) or (self.for_review and before.title in decision.targets):
            after = self._reworded(before, others, decision, item)
        if after == before:
            others = []
        if after != before and _shared(before, after) < HALF:
            self.dropped.append((before, f"replaced by newer words: {after.text}"))
        self.entries[twin] = after
        self.entries = [entry for entry in self.entries if entry not in others]
        self.dropped += [(other, f"united with “{after.title}”") for other in others]
        self.fresh.add(after.title)
        changed = after if after != before else None
        titles = (before.title, *(other.title for other in others))
        self.taken.append(decision._replace(verb="MERGE", targets=titles, entry=changed))

    def _united(self, decision: Decision, before: WisdomEntry) -> list[WisdomEntry]:
        """Return the other entries that the new words of one take in."""
        new = decision.entry
        if new is None or decision.verb != "MERGE" or before.title not in decision.targets:
            return []
        return [
            entry
            for entry in self.entries
            if entry.title in decision.targets
            and entry.title not in self.fresh | {before.title}
            and _shared(entry, new) >= ASTRAY
            and (self.for_review or not is_foreign(entry))
        ]

    def add(self, decision: Decision) -> None:
        """Add an entry with a title of its own; if there is no room, a weaker one gives way."""
        entry = decision.entry
        assert entry is not None
        taken = {other.title for other in self.entries}
        title = _lead(entry) if entry.title in taken else entry.title
        new = entry._replace(title=title, category=_category(entry, self.standing), raw="")
        if len(self.entries) >= self.standing.settings.max_entries:
            victim, why = self._gives_way(new, decision.target)
            if victim is None:
                self.leave_out(decision, f"no room: {why}", crowded=True)
                return
            self.oust(victim, f"gave way to “{new.title}”: {why}")
        self.entries.append(new)
        self.fresh.add(new.title)
        self.taken.append(decision._replace(verb="ADD", targets=(new.title,), entry=new))

    def _gives_way(self, new: WisdomEntry, named: str) -> tuple[int | None, str]:
        """Return the entry that gives way to a new one, and why; None if the new one is the weakest."""
        for n, entry in enumerate(self.entries):
            if entry.title == named and named not in self.fresh and not is_foreign(entry):
                return n, "its writer named it"
        standing, weakest = self.standing, self.standing.weakest(self.entries, ())
        if weakest is None:
            return None, "a person wrote every entry"
        entry = self.entries[weakest]
        if standing.durability(entry) >= standing.durability(new):
            return None, standing.why_weaker(new, entry)
        return weakest, standing.why_weaker(entry, new)

    def _reworded(
        self, before: WisdomEntry, others: Sequence[WisdomEntry], decision: Decision, item: Item
    ) -> WisdomEntry:
        """Merge into an entry: newer words replace it, mere support leaves its bytes alone."""
        after, united = decision.entry, (before, *others)
        if after is None or not (others or (decision.items and _says_more(after, before, item))):
            return before
        if decision.items and newest(item.sources) < max(newest(e.sources) for e in united):
            return before
        # Sources of the opposite statement do not support the new one. Where several entries
        # become one, its opposite is an entry that another of them, or the item, contradicts.
        holds = [e for e in (*united, WisdomEntry("", item.text, ())) if _agree(e, after)]
        agreed = [
            e
            for e in united
            if e in holds or (others and not any(_on_one_matter(e, other) for other in holds))
        ]
        sources = dict.fromkeys([*(id for e in agreed for id in e.sources), *item.sources])
        if not sources:
            return before
        taken = {entry.title for entry in self.entries} - {entry.title for entry in united}
        title = after.title
        if before in agreed and (not others or title in taken):
            title = _renamed(before, after, taken)
        category = before.category or _category(after, self.standing)
        if before.untitled and title == before.title:
            # Its title was its own first sentence.
            return rule_entry(after.text, after.title, tuple(sources), category, taken)
        return WisdomEntry(title, after.text, tuple(sources), category)


def _turn(decision: Decision, in_force: Collection[str]) -> int:
    """Return the order of decisions: merges into existing entries, drops, additions, other merges.

    What only bears an entry out comes before it is reworded or united with another. An addition
    that names an entry to give way comes after those that do not, and a merge into a new entry
    after the entry was added.
    """
    known = decision.target in in_force
    if decision.verb == "MERGE":
        return int(decision.entry is not None) if known else 5
    if decision.verb == "DROP":
        return 2
    return 4 if known else 3


def _together(items: Sequence[Item]) -> Item:
    """Return several items as one, with the words and sources of all."""
    text = " ".join(item.text for item in items)
    sources = tuple(dict.fromkeys(id for item in items for id in item.sources))
    return Item("", text, sources, "file")


def _twin(decision: Decision, state: Sequence[WisdomEntry], *, marked: bool = False) -> int | None:
    """Return the entry that a decision changes: the one it names, or one on the same matter.

    A `marked` rule changes only an entry that says the same.
    """
    new = decision.entry
    if new is None:
        named = decision.target if decision.verb == "MERGE" else ""
        return next((n for n, entry in enumerate(state) if entry.title == named), None)
    from lithify.compact.statements import say_same

    # Words that share almost nothing with an entry do not replace it, even under its title.
    near = [n for n, entry in enumerate(state) if _shared(entry, new) >= ASTRAY]
    if decision.verb == "MERGE":
        places = {state[n].title: n for n in reversed(near)}
        for title in decision.targets:
            if title in places:
                return places[title]
    return next(
        (
            n
            for n in near
            if (
                say_same(state[n].text, new.text)
                if marked
                else state[n].title == new.title or _on_one_matter(state[n], new)
            )
        ),
        None,
    )


def _shared(entry: WisdomEntry, words: WisdomEntry) -> float:
    """Return the share of an entry's words that another text has too."""
    own = content_stems(entry.text)
    return len(own & content_stems(words.text)) / len(own) if own else 1.0


def _lead(entry: WisdomEntry) -> str:
    """Return the first words of an entry, for a title."""
    return " ".join(entry.text.split()[:7]).rstrip(".,;:")


_ATTITUDE = content_stems("always never must should cannot stop avoid only don't doesn't won't")


def _on_one_matter(one: WisdomEntry, other: WisdomEntry) -> bool:
    """Tell whether two entries are about the same thing, even if they contradict each other.

    Figures and words like "never" may differ. If each has a word that the other lacks, they
    count as two: keeping one entry too many is better than losing one.
    """
    mine, theirs = (
        frozenset(word for word in content_stems(e.text) - _ATTITUDE if not word.isdigit())
        for e in (one, other)
    )
    nested = mine <= theirs or theirs <= mine
    return nested and min(len(mine), len(theirs)) >= 3 and overlap(mine, theirs) >= SAME


def _agree(one: WisdomEntry, other: WisdomEntry) -> bool:
    """Tell whether both or neither of two entries deny something."""
    return denies(one.text) is denies(other.text)


def _renamed(before: WisdomEntry, after: WisdomEntry, taken: Collection[str]) -> str:
    """Choose the title of a reworded entry: a new one if it no longer says what the old says."""
    unsaid = set(stems_of(before.text)) - set(stems_of(after.text))
    for title in (before.title, after.title):
        if title not in taken and unsaid.isdisjoint(stems_of(title)):
            return title
    return _lead(after)


def _says_more(after: WisdomEntry, before: WisdomEntry, item: Item) -> bool:
    """Tell whether a new wording holds anything of the item that the entry does not say already."""
    taken = content_stems(after.text) & content_stems(item.text)
    return bool(taken - content_stems(f"{before.title} {before.text}"))


def _category(entry: WisdomEntry, standing: Durability) -> str:
    categories = standing.settings.categories
    if not categories:
        return ""
    return entry.category if entry.category in categories else categories[-1]


def newest(sources: Sequence[str]) -> str:
    """Return the newest day of sources; weeks and months count by their last day."""
    return max((_last_day(label_of(source)) for source in sources), default="")


def _last_day(label: str) -> str:
    if is_week(label):
        return week_days(label)[-1].isoformat()
    if is_month(label):
        return f"{label}-28"
    return label if parse_day(label) else ""


def is_foreign(entry: WisdomEntry) -> bool:
    """Tell whether a person wrote the entry: it names no source."""
    return not entry.sources


def voices(lines: Iterable[Entry]) -> dict[str, str]:
    """Tell who says what, by the id of each line: copies of a line by one origin are one voice."""
    from lithify.text.labels import without_clock

    return {
        line.id: f"{line.origin} {' '.join(sorted(content_stems(without_clock(line.text))))}"
        for line in lines
    }


# What supports an entry after its days were edited


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
        """Return the ids that support an entry, without dead ones; none if nothing says its words.

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
    """Replace or remove dead ids of entries, and tell apart those nothing supports any more."""
    kept: list[WisdomEntry] = []
    dropped: list[tuple[WisdomEntry, str]] = []
    for entry in entries:
        sources = grounds.of(entry)
        if sources == entry.sources:
            kept.append(entry)
        elif sources:
            # Only its comment changes.
            raw = split_provenance(entry.raw)[0] + provenance(sources) if entry.raw else ""
            kept.append(entry._replace(sources=sources, raw=raw))
        else:
            dropped.append((entry, "what it rested on was edited or forgotten"))
    return tuple(kept), tuple(dropped)


def _line(item: Item) -> Entry:
    return Entry(f"item~{'0' * 12}", f"{item.title}: {item.text}")


def _says(lines: Sequence[Entry], entry: WisdomEntry) -> bool:
    """Tell whether lines say all that an entry says, its title's figures and names included."""
    # A run that finds nothing due loads no verifier.
    from lithify.verify.check import missing

    said = [content_stems(" ".join([*line.headings, line.lead, line.text])) for line in lines]
    return (
        bool(lines)
        and content_stems(entry.text) <= frozenset[str]().union(*said)
        and denies(entry.text) is any(denies(line.text) for line in lines)
        and not missing(entry.said, lines)
    )
