"""Select: a budgeted cover of rare words, near pairs and specifics, what must be kept first.

A feature counts fully the first time it is told, half the second time and little after that, so the
units chosen are those that add most to the page for their length.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from math import inf, log

from lithify.calendar import day_words
from lithify.engines.offline.read import LIMIT, OPENING, Unit
from lithify.judge.cover import water_level
from lithify.sections import WEEK
from lithify.text.hedges import denies
from lithify.text.statements import relation
from lithify.text.stems import COMMON_STEMS, COMMON_WEIGHT
from lithify.text.tokens import estimate


def weights_of(units: Sequence[Unit]) -> dict[str, float]:
    """The weight of every stem: the fewer units have it, the more it tells."""
    counts = Counter(stem for one in units for stem in set(one.stems))
    size = len(units) + 1
    return {
        stem: log(1 + size / count) * (COMMON_WEIGHT if stem in COMMON_STEMS else 1.0)
        for stem, count in counts.items()
    }


def weight(stems: Iterable[str], weights: dict[str, float]) -> float:
    """What some stems weigh together."""
    return sum(weights.get(stem, 0.0) for stem in stems)


def has_figure(atom: str) -> bool:
    """Whether a specific is a figure, date or identifier rather than a name."""
    return any(sign.isdigit() for sign in atom)


def figures(atoms: Iterable[str]) -> frozenset[str]:
    """The specifics that hold a digit."""
    return frozenset(atom for atom in atoms if has_figure(atom))


#: What a near pair of words weighs beside them, and how far apart they may stand.
_PAIR, _REACH = 0.2, 5
#: The share of all weight that specifics get, and the most one of them may count.
_SPECIFICS, _DEAREST = 0.3, 10.0
#: What a feature counts the second time, and after that.
_AGAIN, _OFTEN = 0.5, 0.1
#: Length counts a little less than in proportion: short units are not all there is.
_POWER = 0.6
#: How many times its even part of a page a day may have at most.
_LARGEST = 2.0
#: Tokens that one more sentence costs in a bullet, beside its own.
JOINING = 2
#: How much a question counts, what nobody needs, and what states something.
_ASKS, _DROP, _STATED = 0.25, 0.5, 0.5
#: The least part of its own weight a unit that must be kept has to add: what is told is told.
_NEWS = 0.25


class _Page:
    """A page under way: what each feature still adds, and the bullets begun in each group."""

    def __init__(self, units: Sequence[Unit], group: Callable[[Unit], Hashable]) -> None:
        self.units = units
        self.features, self.weights = _features(units)
        self.gains = self.weights[:]
        self.told: set[int] = set()
        self.groups = [group(one) for one in units]
        self.begun: defaultdict[Hashable, list[int]] = defaultdict(list)
        self.worth = [_worth(one) for one in units]
        self.days = [one.entry.day for one in units]
        self.of_day: Counter[date | None] = Counter()
        self.taken: dict[int, int] = {}
        self.spent = 0

    def price(self, n: int) -> int:
        """The tokens a unit costs: fewer where a bullet of its group has room for it."""
        one = self.units[n]
        for size in self.begun[self.groups[n]]:
            if size + one.tokens + JOINING <= LIMIT:
                return one.tokens + JOINING
        return one.tokens + OPENING + estimate(one.speaker or one.subject)

    def news(self, n: int) -> float:
        """What a unit adds to what is told."""
        return sum(map(self.gains.__getitem__, self.features[n]))

    def value(self, n: int) -> float:
        """What a unit adds for its length."""
        return self.worth[n] * self.news(n) / float(self.price(n) ** _POWER)

    def is_news(self, n: int) -> bool:
        """Whether enough of a unit is not told yet."""
        whole = sum(map(self.weights.__getitem__, self.features[n])) or 1.0
        return self.news(n) >= _NEWS * whole

    def take(self, n: int) -> None:
        """Tell a unit."""
        cost = self.price(n)
        for feature in self.features[n]:
            factor = _OFTEN if feature in self.told else _AGAIN
            self.gains[feature] = self.weights[feature] * factor
        self.told.update(self.features[n])
        sizes = self.begun[self.groups[n]]
        for at, size in enumerate(sizes):
            if size + cost <= LIMIT:
                sizes[at] += cost
                break
        else:
            sizes.append(cost)
        self.taken[n] = cost
        self.of_day[self.days[n]] += cost
        self.spent += cost


def select(
    units: Sequence[Unit],
    budget: float,
    group: Callable[[Unit], Hashable],
    first: Iterable[int] = (),
    share: float = 1.0,
    even: float = 0.0,
) -> list[int]:
    """The places of the units to tell within a budget of tokens.

    `group` says which units may share a bullet. Those of `first` are taken before all others, in
    their order, for at most `share` of the budget; then every day has its part of `even` of it; what
    is left goes to whatever adds most, and no day has more than twice its part of the whole. Parts
    are even, and what a short day does not need is divided among the others.
    """
    page = _Page(units, group)
    marked = _by_day(units, list(dict.fromkeys(first)))
    for own, most in _shares(marked, page, share * budget):
        spent = 0
        for n in own:
            cost = page.price(n)
            if spent + cost <= most and page.spent + cost <= share * budget and page.is_news(n):
                page.take(n)
                spent += cost
    # What no day had room for may still have what others left.
    for n in (n for own in marked for n in own if n not in page.taken):
        if page.spent + page.price(n) <= share * budget and page.is_news(n):
            page.take(n)
    days = _by_day(units, [n for n, one in enumerate(units) if not one.is_series])
    for own, most in _shares(days, page, even * budget):
        _fill(page, own, most - sum(page.taken.get(n, 0) for n in own), budget)
    whole = max((most for _, most in _shares(days, page, budget)), default=0)
    _fill(page, range(len(units)), budget, budget, _LARGEST * whole)
    if not page.taken and units:
        # No page is empty where its days hold text.
        return [max(range(len(units)), key=lambda n: (page.value(n), -n))]
    return list(page.taken)


def _fill(
    page: _Page, places: Iterable[int], most: float, budget: float, of_day: float = inf
) -> None:
    """Take of some units those that add most, for at most so many tokens, and of a day at most `of_day`."""
    heap = [(-page.value(n), n) for n in places if n not in page.taken]
    heapq.heapify(heap)
    spent = 0
    while heap and spent < most and page.spent < budget:
        _, n = heapq.heappop(heap)
        now = page.value(n)
        if heap and now < -heap[0][0]:
            heapq.heappush(heap, (-now, n))
            continue
        if now <= 0:
            break
        cost = page.price(n)
        fits = page.spent + cost <= budget and (spent + cost <= most or not spent)
        if fits and page.of_day[page.days[n]] + cost <= of_day:
            page.take(n)
            spent += cost


def _by_day(units: Sequence[Unit], places: Iterable[int]) -> list[list[int]]:
    """Places of units, those of each day together."""
    days: defaultdict[object, list[int]] = defaultdict(list)
    for n in places:
        days[units[n].entry.day].append(n)
    return list(days.values())


def _shares(
    days: Sequence[list[int]], page: _Page, budget: float
) -> Iterator[tuple[list[int], int]]:
    """Each day with the tokens it may have of a budget, the shortest days first."""
    sizes = [sum(page.price(n) for n in own) for own in days]
    level = water_level(sizes, int(budget))
    for own, size in sorted(zip(days, sizes, strict=True), key=lambda one: (one[1], one[0])):
        yield own, min(size, level)


def _worth(one: Unit) -> float:
    """How much a unit counts for what it is; in talk only its shape says that."""
    worth = one.worth * (_ASKS if one.asks else 1.0)
    if one.speaker:
        return worth
    return worth * (1 - _DROP * one.judgement.drop) * (1 + _STATED * one.must)


def _features(units: Sequence[Unit]) -> tuple[list[list[int]], list[float]]:
    """For each unit the numbers of its features, and for each number its weight."""
    rare = weights_of(units)
    size = len(units) + 1
    counts = Counter(atom for one in units for atom in one.atoms)
    exact = {
        atom: log(1 + size / count) * (1.0 if has_figure(atom) else 0.5)
        for atom, count in counts.items()
    }
    # Specifics weigh a share of what words do: dear where they are rare, cheap where all lines have some.
    words = sum(rare[stem] for one in units for stem in one.stems)
    specifics = sum(exact[atom] for one in units for atom in one.atoms) or 1.0
    scale = min(_DEAREST, _SPECIFICS * words / specifics)
    numbers: dict[Hashable, int] = {}
    weights: list[float] = []
    found: list[list[int]] = []
    for one in units:
        own: dict[Hashable, float] = {stem: rare[stem] for stem in one.stems}
        for step in range(1, _REACH + 1):
            for a, b in zip(one.stems, one.stems[step:], strict=False):
                if a != b:
                    pair = (a, b) if a < b else (b, a)
                    own[pair] = _PAIR * 0.5 * (rare[a] + rare[b])
        own.update((("atom", atom), scale * exact[atom]) for atom in sorted(one.atoms))
        row = []
        for feature, value in own.items():
            number = numbers.get(feature)
            if number is None:
                number = numbers[feature] = len(weights)
                weights.append(value)
            row.append(number)
        found.append(row)
    return found, weights


# Fold: near-duplicates become one unit that cites them all.


#: Share of their words by which two units say the same.
ALIKE = 0.6
#: Rare words by which a duplicate is looked for, units looked at for each, and ids a unit may cite.
_PROBES, _NEAREST, _CITED = 4, 40, 4


def fold(units: Sequence[Unit], weights: dict[str, float]) -> list[Unit]:
    """The units without near-duplicates, in their order; the last that says a thing stands for all."""
    by_stem: defaultdict[str, list[int]] = defaultdict(list)
    stems = [frozenset(one.stems) for one in units]
    found = list(units)
    gone: set[int] = set()
    middle: dict[int, int] = {}
    for n in range(len(units) - 1, -1, -1):
        if units[n].is_series:
            continue
        own = stems[n]
        probes = sorted(own, key=lambda stem: (-weights[stem], stem))[:_PROBES]
        for m in dict.fromkeys(m for stem in probes for m in by_stem[stem][-_NEAREST:]):
            shared = len(own & stems[m])
            union = len(own) + len(stems[m]) - shared
            if shared < ALIKE * union or denies(units[n].text) != denies(units[m].text):
                continue
            mine, theirs = own - stems[m] - COMMON_STEMS, stems[m] - own - COMMON_STEMS
            if units[n].must == 1.0 and mine and theirs:
                # A marked line stays that has as much as a noun of its own.
                continue
            if figures(units[n].atoms) <= figures(units[m].atoms):
                found[m] = _told_before(found[m], units[n])
                gone.add(n)
                break
            if _recurs(units[n], units[m], own, stems[m]):
                # Of a series only its ends stay: an earlier state takes the place of this one.
                if m in middle:
                    gone.add(middle[m])
                    found[m] = replace(found[m], since=units[n].entry.day)
                middle[m] = n
                break
        else:
            for stem in probes:
                by_stem[stem].append(n)
    return [one for n, one in enumerate(found) if n not in gone]


def _told_before(last: Unit, earlier: Unit) -> Unit:
    """A unit that also stands for one that said the same before it."""
    judgement = last.judgement._replace(must=max(last.must, earlier.must))
    ids = last.ids
    if earlier.ids[0] not in ids:
        # The newest and the oldest are always cited: a bullet may name the days of both.
        ids = (*ids[: _CITED - 1], earlier.ids[0])
    return replace(last, judgement=judgement, ids=ids, since=earlier.entry.day)


def _recurs(one: Unit, other: Unit, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether two units are the same line with other figures; another noun makes another line."""
    return (
        one.entry.day != other.entry.day
        and one.must < 1.0
        and {s for s in mine if not s[0].isdigit()} == {s for s in theirs if not s[0].isdigit()}
        and bool(figures(one.atoms)) == bool(figures(other.atoms))
    )


# Open: which of the items a page calls open are still open at its end.


#: Share of an open item's weight that a later report must have to close it.
CLOSES = 0.45
#: Words more units have than this lead nowhere.
_COMMON = 40
#: How sure a report must be.
_REPORTS = 0.6


def closed(units: Sequence[Unit], weights: dict[str, float], share: float = CLOSES) -> set[int]:
    """The places of open items that a later unit reports done."""
    items = {n for n, one in enumerate(units) if one.section == WEEK.open_items}
    if not items:
        return set()
    where: defaultdict[str, list[int]] = defaultdict(list)
    for n, one in enumerate(units):
        if one.section in (WEEK.outcomes, WEEK.decisions) and one.judgement.stated >= _REPORTS:
            for stem in set(one.stems):
                where[stem].append(n)
    counts = Counter(stem for one in units for stem in set(one.stems))
    found: set[int] = set()
    for n in items:
        own = set(units[n].stems)
        whole = weight(own, weights) or 1.0
        # What the item is about is its rarest word that others have: reports of other things lack it.
        held = [stem for stem in own if counts[stem] > 1]
        rarest = min((counts[stem] for stem in held), default=0)
        about = {stem for stem in held if counts[stem] == rarest}
        shared: Counter[int] = Counter()
        for stem in own:
            if stem not in COMMON_STEMS and len(where[stem]) <= _COMMON:
                for m in where[stem]:
                    if m > n and units[m].entry is not units[n].entry:
                        shared[m] += weights[stem]  # type: ignore[assignment]
        # A ticket has letters and a number: `#12`, `ABC-123`, `PR 297`.
        numbered = filter(has_figure, units[n].atoms)
        tickets = {atom for atom in numbered if any(s.isalpha() or s == "#" for s in atom)}
        if any(
            (got >= share * whole and not about.isdisjoint(units[m].stems))
            or (tickets & units[m].atoms and got >= share / 2 * whole)
            for m, got in shared.items()
        ):
            found.add(n)
    return found


def settled(units: Sequence[Unit], weights: dict[str, float]) -> list[Unit]:
    """The units, those that were open and are done under Context and no longer required."""
    over = closed(units, weights)
    return [
        replace(one, judgement=one.judgement._replace(section=WEEK.context, must=0.0))
        if n in over
        else one
        for n, one in enumerate(units)
    ]


# Replaced: what a later statement takes the place of, as with memories.


#: Words of its own that a statement has at least for another one to deny it.
_TELLING = 2
#: Decisions before one that are looked at for what it replaces.
_BEFORE = 200


def replaced(units: Sequence[Unit]) -> list[Unit]:
    """The units, those that a later day replaces named behind the one that takes their place.

    What is marked as a decision or rule replaces what gives another value of the same thing, as a
    newer memory does; and any statement replaces the one that it denies, or that denies it.
    """
    found: dict[int, Unit] = dict(enumerate(units))
    for m, n in sorted(_pairs(units), key=lambda pair: (-pair[1], -pair[0])):
        newer, older = units[n], units[m]
        if found.get(n) is not newer or found.get(m) is not older:
            continue
        named = f"{newer.text.rstrip('.')} (earlier, {_day(older)}: {older.text.rstrip('.')})"
        tokens = estimate(named)
        if tokens <= LIMIT:
            ids = tuple(dict.fromkeys((*newer.ids, *older.ids)))
            atoms = newer.atoms | older.atoms
            found[n] = replace(newer, text=named, tokens=tokens, ids=ids, atoms=atoms)
        if tokens <= LIMIT or newer.section == older.section == WEEK.decisions:
            del found[m]
    return list(found.values())


def _pairs(units: Sequence[Unit]) -> Iterator[tuple[int, int]]:
    """The places of two units of different days of which the later may replace the earlier."""
    may = [n for n, one in enumerate(units) if _may_hold(one)]
    stems = {n: frozenset(units[n].stems) for n in may}
    where: defaultdict[str, list[int]] = defaultdict(list)
    for n in may:
        for each in stems[n] - COMMON_STEMS:
            where[each].append(n)
    denied = {n for n in may if denies(units[n].text)}
    for n in denied:
        # What is denied is said: `No deploys on Fridays` has no noun that `Deploy on Fridays` lacks.
        own = sorted(stems[n] - COMMON_STEMS, key=lambda each: (len(where[each]), each))
        for m in where[own[0]][-_NEAREST:] if len(own) >= _TELLING else ():
            if m not in denied and stems[n] <= stems[m] and 2 * len(stems[n]) >= len(stems[m]):
                older, newer = min(m, n), max(m, n)
                if _may_replace(units[older], units[newer], "replaces", "conflict"):
                    yield older, newer
    decided = [n for n in may if units[n].section == WEEK.decisions]
    for at, n in enumerate(decided):
        for m in decided[max(0, at - _BEFORE) : at] if units[n].must == 1.0 else ():
            shared = 2 * len(stems[n] & stems[m]) >= max(len(stems[n]), len(stems[m]))
            if shared and _may_replace(units[m], units[n], "replaces"):
                yield m, n


def _may_replace(older: Unit, newer: Unit, *stands: str) -> bool:
    return _day(older) != _day(newer) and relation(newer.text, older.text) in stands


def _may_hold(one: Unit) -> bool:
    holds = one.section in (WEEK.decisions, WEEK.context) and not one.is_series
    return holds and bool(one.entry.day) and not (one.speaker or one.asks)


def _day(one: Unit) -> str:
    return day_words(one.entry.day) if one.entry.day else ""
