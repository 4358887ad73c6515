"""Write weeks and months: choose among the lines, and file them under their sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations

from lithify.calendar import day_words, week_of
from lithify.engines.cover import Cover, features_of, weights_of
from lithify.engines.offline.read import LIMIT, Unit, changed_values, folded, units_of
from lithify.sections import AS_COMBINED, COMBINED, MONTH, WEEK
from lithify.text.tokens import estimate
from lithify.text.words import stems_of
from lithify.values import SHORT_INPUT, Brief, Claim, Draft, Entry, label_of

#: The most of its sources that a longer week takes; the part up to which marked lines come first.
WEEK_MOST, MARKED = 0.4, 0.33


def write_week(brief: Brief) -> Draft:
    """Return the bullets of a week; a short one is told whole."""
    headings = sum(estimate(f"### {section}") for section in brief.sections)
    budget = max(1, min(brief.target, int(WEEK_MOST * brief.size)) - headings)
    if brief.size <= SHORT_INPUT:
        budget = LIMIT * SHORT_INPUT
    days = {entry.day for entry in brief.entries}
    lines = units_of(brief.entries, min(LIMIT, budget // max(1, len(days))))
    weights = weights_of([one.features for one in lines])
    names = AS_COMBINED if COMBINED.outcomes in brief.sections else {name: name for name in WEEK}
    chosen = choose(*folded(lines), budget, weights)
    claims = [Claim(one.text, one.ids, names[one.section], brief.trusted) for one in chosen]
    return Draft(tuple(sorted(claims, key=lambda one: brief.sections.index(one.section))))


def choose(
    units: Sequence[Unit], between: Sequence[Unit], left: int, weights: Mapping[str, float]
) -> list[Unit]:
    """Return the lines that a page tells, in the order of the days.

    First one of each day, its newest marked one if any; then what is marked, newest first, up to its
    part of the page; then what the cover adds. The lines `between` two that recur are told on days
    that have no other.
    """
    every = [*units, *between]
    costs = [one.cost for one in every]
    cover = Cover([one.features for one in every], costs, weights)
    days: dict[date | None, list[int]] = {}
    for n, one in enumerate(every):
        for day in {one.entry.day, (one.newest or one).entry.day}:
            days.setdefault(day, []).append(n)
    chosen: dict[int, None] = {}
    unmarked = (1 - MARKED) * left

    def take(n: int) -> None:
        nonlocal left
        cover.take(n)
        chosen[n] = None
        left -= costs[n]

    for passed, (_, own) in enumerate(sorted(days.items(), key=lambda pair: str(pair[0]))):
        if not chosen.keys().isdisjoint(own):
            continue
        own = [n for n in own if n < len(units)] or own
        fits = [n for n in own if costs[n] <= left / (len(days) - passed)]
        if marked := [n for n in fits if every[n].is_marked]:
            take(max(marked, key=lambda n: every[n].at))
        elif fits:
            take(max(fits, key=lambda n: (cover.gain(n), -n)))
        else:
            take(min(own, key=lambda n: (costs[n], n)))
    for n in sorted(range(len(units)), key=lambda n: -every[n].at):
        if n not in chosen and every[n].is_marked and costs[n] <= left - unmarked:
            take(n)
    chosen |= dict.fromkeys(cover.fill((n for n in range(len(units)) if n not in chosen), left))
    return sorted((every[n] for n in chosen), key=lambda one: one.at)


# Months: bullets of the weeks as they stand, themes and values as lines of the entries they cite.


#: The most of its weeks that a month takes, unless that is less than `SHORT_INPUT`.
MONTH_MOST = 0.3
#: The part of a page that each section may take before the cover fills the rest, and its least tokens.
CARRIED, MILESTONES, THEMES, TRAJECTORY, PART = 0.2, 0.2, 0.1, 0.1, 30
#: A word is rare on at most this share of the days, or on so many; two make a matter.
_RARE, _RARE_DAYS, _MATTER = 0.1, 3, 2
#: Themes of a page, the rarest words of an entry that are paired, and the most entries that a word leads to.
_MOST_THEMES, _PAIRED, _HOLDERS = 8, 12, 100
#: The section of a month for each of a separate or combined week; all else is a theme.
_DONE = (WEEK.outcomes, WEEK.decisions, COMBINED.outcomes, COMBINED.decisions)
_FILED = dict.fromkeys(_DONE, MONTH.milestones) | {WEEK.open_items: MONTH.carried_forward}


def write_month(brief: Brief) -> Draft:
    """Return the month's bullets: each section within its part, then the cover over its weeks."""
    headings = sum(estimate(f"### {section}") for section in MONTH)
    most = max(int(MONTH_MOST * brief.size), SHORT_INPUT)
    budget = min(brief.target, brief.size, most) - headings
    weeks = [replace(c, section=_FILED.get(c.section, MONTH.themes)) for c in brief.claims]
    units = units_of(brief.entries, limit=0)
    rare = _rare_words(brief.entries)
    done = [claim for claim in weeks if claim.section == MONTH.milestones]
    found: list[Claim] = []
    for claims, share in (
        (_carried(weeks, units, rare), CARRIED),
        (done[::-1], MILESTONES),
        (_themes(units, rare), THEMES),
        (_trajectory(units), TRAJECTORY),
    ):
        left = budget - sum(map(_cost, found))
        found += _within(claims, min(left, max(share * budget, PART)))
    told = {id(one) for one in found}
    rest = [one for one in weeks if one.section != MONTH.carried_forward and id(one) not in told]
    rows = [features_of(one.text) for one in rest]
    said = Counter(word for one in found for word in features_of(one.text))
    cover = Cover(rows, list(map(_cost, rest)), weights_of(rows), said)
    found += [rest[n] for n in cover.fill(range(len(rest)), budget - sum(map(_cost, found)))]
    found.sort(key=lambda one: (MONTH.index(one.section), label_of(one.sources[0])))
    return Draft(tuple(replace(one, trusted=brief.trusted) for one in found))


def _cost(claim: Claim) -> int:
    return estimate(f"- {claim.text}")


def _within(claims: Iterable[Claim], left: float) -> list[Claim]:
    """Return the claims that fit, in their order of preference."""
    found = []
    for one in claims:
        if (cost := _cost(one)) <= left:
            found.append(one)
            left -= cost
    return found


def _week(entry: Entry) -> str:
    return week_of(entry.day) if entry.day else ""


def _rare_words(entries: Sequence[Entry]) -> dict[str, int]:
    """Return the words of few days with the number of their days, headings aside."""
    days = {entry.day for entry in entries}
    pairs = {(word, entry.day) for entry in entries for word in stems_of(entry.text)}
    counts = Counter(word for word, _ in pairs if len(word) > 1 and not word.isdigit())
    most = max(_RARE_DAYS, int(_RARE * len(days)))
    return {word: count for word, count in counts.items() if count <= most}


def _themes(units: Sequence[Unit], rare: dict[str, int]) -> Iterator[Claim]:
    """Yield pairs of rare words that stand together in lines of two weeks, each entry once."""
    held = {(word, _week(one.entry)) for one in units for word in stems_of(one.said)}
    again = {word for word, n in Counter(word for word, _ in held).items() if n > 1} & rare.keys()
    holders: dict[tuple[str, str], list[Unit]] = {}
    for one in units:
        own = sorted(again & set(stems_of(one.said)), key=lambda word: (rare[word], word))
        for pair in combinations(sorted(own[:_PAIRED]), 2):
            holders.setdefault(pair, []).append(one)
    weeks = {pair: len({_week(one.entry) for one in own}) for pair, own in holders.items()}
    used: set[str] = set()
    themes = 0
    for pair in sorted(holders, key=lambda p: (-weeks[p], rare[p[0]] + rare[p[1]], p)):
        left = [one for one in holders[pair] if one.entry.id not in used]
        if themes < _MOST_THEMES and len({_week(one.entry) for one in left}) > 1:
            themes += 1
            used.update(one.entry.id for one in left)
            text = f"{left[0].text.rstrip('.')}; {left[-1].text}"
            yield Claim(text, (*left[0].ids, *left[-1].ids), MONTH.themes)


def _trajectory(units: Sequence[Unit]) -> Iterator[Claim]:
    """Yield the lines that recur with another value on another day, the first and the last."""
    for one in folded(units)[0]:
        if (
            one.newest
            and one.entry.day != one.newest.entry.day
            and changed_values(one.said, one.newest.said)
        ):
            yield Claim(one.text, one.ids, MONTH.trajectory)


def _carried(weeks: Sequence[Claim], units: Sequence[Unit], rare: dict[str, int]) -> list[Claim]:
    """Return the open items of the last week and those that a later week took up, the newest first.

    A later line takes an item up if it shares two rare words with it, or says the same. What was ticked or
    told under a label of outcomes is left out.
    """
    words: list[set[str]] = []
    spots: dict[str, list[int]] = {}
    holders: dict[str, list[int]] = {}
    for n, one in enumerate(units):
        said = one.said.casefold().strip(" .")
        # The same words count like two rare ones.
        words.append({*(rare.keys() & set(stems_of(one.said))), f"{said}\0", f"{said}\1"})
        spots.setdefault(one.entry.id, []).append(n)
        for word in words[-1]:
            holders.setdefault(word, []).append(n)
    found: list[Claim] = []
    told: set[int] = set()
    for claim in weeks:
        cited = sorted(n for id in claim.sources for n in spots.get(id, ()))
        if claim.section != MONTH.carried_forward or not cited or not told.isdisjoint(cited):
            continue
        own = set[str]().union(*(words[n] for n in cited))
        near = (holders[word] for word in own if len(holders[word]) <= _HOLDERS)
        shared = Counter(n for held in near for n in held if n > cited[-1])
        later = sorted(n for n, count in shared.items() if count >= _MATTER)
        week = _week(units[cited[-1]].entry)
        again = [units[n] for n in later if _week(units[n].entry) > week]
        is_done = any(units[n].section == WEEK.outcomes for n in later)
        if not is_done and (again or week == _week(units[-1].entry)):
            told.update(later)
            found.append(_open_since(claim, units[cited[0]].entry, again[-1] if again else None))
    return found[::-1]


def _open_since(claim: Claim, entry: Entry, newest: Unit | None) -> Claim:
    """Return an open item with the day since which it is open, and its newest line."""
    since = f"{day_words(entry.day)}: " if entry.day else ""
    text = f"Open since {since}{claim.text.removeprefix(since)}" if since else claim.text
    if newest is None:
        return replace(claim, text=text)
    again = f"; {newest.text}"
    if newest.entry.day and newest.said.rstrip(".") in text:
        again = f" (again {day_words(newest.entry.day)})"
    sources = tuple(dict.fromkeys((*claim.sources, *newest.ids)))
    return replace(claim, text=f"{text.rstrip('.')}{again}", sources=sources)
