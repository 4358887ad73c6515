"""What became of an open item: the later sentence that settles it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.matters.arrived import arrived
from lithify.engines.offline.matters.boxes import is_ticked
from lithify.engines.offline.matters.chosen import chosen
from lithify.engines.offline.matters.closed import DENIED, by_day, by_heading, by_ticket, settles
from lithify.engines.offline.matters.ends import (
    ANSWERS,
    LOOKS,
    OF_DATES,
    are_two,
    fails,
    past_verbs,
    told_otherwise,
)
from lithify.engines.offline.matters.matter import (
    CROWD,
    FEWEST,
    Matter,
    Rarity,
    comes_after,
    telling,
)
from lithify.engines.offline.matters.replied import replied
from lithify.engines.offline.reading.leaning import after_end, is_end
from lithify.engines.offline.reading.lines import lines_of
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

_CLAUSE = re.compile(r"[,;:(]|\s(?:which|that|so|because|and|since)\s")
#: How an item begins, and the verbs by which it comes about that are not its own.
_COMES_BY = (
    (
        re.compile(
            r"(?:still )?(?:ask|request|chase|remind|wait\w*|await\w*|blocked on|get|collect|fetch|answer|reply|invoice)\b",
            re.I,
        ),
        re.compile(
            r"\b(?:sent|paid|came|gave|given|handed|returned|brought|answered|replied|booked)\b",
            re.I,
        ),
    ),
    (
        re.compile(r"(?:buy|order|purchase|book|reserve)\b", re.I),
        re.compile(r"\b(?:bought|ordered|paid|came|booked|reserved)\b", re.I),
    ),
    (
        re.compile(r"(?:write|draft|prepare|document)\b", re.I),
        re.compile(
            r"\b(?:written|wrote|drafted|sent|handed|(?:is|are) (?:at|with|up|out|live)|now \w+s)\b",
            re.I,
        ),
    ),
    (
        re.compile(r"[^.;]*\b(?:cannot|can't|could not|can not)\b", re.I),
        re.compile(r"\bcan\b(?! (?:wait|be)\b)", re.I),
    ),
    (
        re.compile(r"(?:decide|choose|pick|agree|settle)\b", re.I),
        re.compile(r"\b(?:decided|decision|chosen|chose|agreed|settled|picked)\b", re.I),
    ),
    (
        re.compile(r"(?:[^.;]*\b)?no access\b", re.I),
        re.compile(r"\b(?:got|have|has|given|granted)\b[^.;]*\baccess\b", re.I),
    ),
    (
        re.compile(r"(?:upgrade|update|bump|move|migrate|switch)\b", re.I),
        re.compile(r"\b(?:(?:is|are|runs?|now) (?:on|at)|runs?)\b", re.I),
    ),
)
_ROW_DONE = re.compile(
    r"\b(?:written|sent|paid|ordered|tested|reviewed|rehearsed|held|met|passed)\b", re.I
)
#: Where an item has named its matter: what follows gives its day, its reason or its detail.
_NAMED = re.compile(
    r"[,;:(?]|\s-\s|[.!]\s|\s(?:which|that|so|because|since|before|until|by|unless|as|and)\s", re.I
)
_GIVES = re.compile(r"(?:send|give|drop) [A-Z]\w+ an? (\w+)", re.I)
_WHOLE_OF = re.compile(r"\b(?:all|every|each|both)\b", re.I)
_WAITS = re.compile(
    r"^(?:still )?(?:waiting|awaiting|blocked|to-?do|not decided|undecided|open)\b", re.I
)
_LEAD = re.compile(r"^(?:\[ \] |(?:not decided|undecided|open|waiting|to-?do|next): )+", re.I)
#: An item that tells how things stand, and not what is to be done.
_STATES = re.compile(r"(?:the|a|an|our|my|no)\b|\S+ (?:is|are|has|have|can|cannot)\b", re.I)
_RESOLVED = re.compile(r"(?:resolved|fixed|solved): ", re.I)
_FIGURED = re.compile(r"(?<![\w.-])[\w.#-]*\d[\w.-]*")


def settlements(units: Sequence[Unit]) -> dict[int, Unit]:
    """For the place of each open item the later sentence that settles it, if there is one."""
    rarity = Rarity(units)
    settled = Matter(units, settles, rarity)
    found: dict[int, Unit] = {}
    for unit in units:
        if unit.section == cues.OPEN:
            after = [
                one
                for one in settled.later(unit)
                if _is_apart(one, unit) and not are_two(unit, one) and _is_of_it(one, unit)
            ]
            if after and _is_task(unit) and LOOKS.match(unit.text):
                after = [one for one in after if _did(unit.text, one.text)]
            if after:
                found[unit.at] = after[-1]
    for ends in (
        _named_ends(units),
        _done(units),
        told_otherwise(units, rarity.counts),
        arrived(units, rarity.counts),
        chosen(units, rarity.counts),
        replied(units),
    ):
        for at, end in ends.items():
            found.setdefault(at, end)
    if not found:
        return found
    stuck = Matter(units, lambda unit: unit.section == cues.OPEN, rarity)
    for unit in units:
        last = found.get(unit.at)
        if last and any(_reopens(one, unit, last) for one in stuck.later(unit)):
            del found[unit.at]
    return found


def _is_of_it(end: Unit, item: Unit) -> bool:
    """Whether what is settled is the item, and not another thing of a sentence that names both."""
    shared = telling(end) & telling(item)
    return _is_matter(shared - ANSWERS) and not fails(end.text, shared)


def _is_matter(words: Set[str]) -> bool:
    """Whether words tell a matter: a day alone is none."""
    return any(not word.isdigit() for word in words - OF_DATES)


def _named_ends(units: Sequence[Unit]) -> dict[int, Unit]:
    """The items whose first clause is what a later sentence says is resolved."""
    ends = [unit for unit in units if is_end(unit.text)]
    found: dict[int, Unit] = {}
    if not ends:
        return found
    items: dict[str, list[tuple[Unit, frozenset[str]]]] = {}
    for unit in units:
        if unit.section == cues.OPEN:
            about = _first_clause(unit.text)
            for stem in about:
                items.setdefault(stem, []).append((unit, about))
    for end in ends:
        named = _first_clause(after_end(end.text))
        near = {
            unit.at: (unit, about) for stem in named for unit, about in items.get(stem, [])[-CROWD:]
        }
        for at, (unit, about) in sorted(near.items()):
            shared = len(named & about)
            if shared >= max(FEWEST, len(named) / 2, len(about) / 2) and comes_after(end, unit):
                found[at] = end
    return found


def _done(units: Sequence[Unit]) -> dict[int, Unit]:
    """The items whose matter a later sentence names in all its words and says to have come about.

    A task may be done under another verb (`ask for the invoice`, `sent the invoice`); nothing else
    of what an item is about may be missing, a machine's number and `all of them` least.
    """
    found: dict[int, Unit] = {}
    items = [(unit, _needed(unit)) for unit in units if unit.section == cues.OPEN]
    sought = frozenset(stem for needed in {needed for _, needed in items} for stem in needed)
    by_stem: dict[str, list[Unit]] = {stem: [] for stem in sought - COMMON_STEMS}
    named = _named_in(units)
    for unit in units:
        if unit.text[-1:] != "?":
            words = telling(unit) & sought
            if unit.at in named:
                words |= named[unit.at] & by_stem.keys()
            for stem in words:
                by_stem[stem].append(unit)
    near: dict[frozenset[str], list[Unit]] = {}
    for item, needed in items:
        if needed not in near:
            near[needed] = _naming(needed, by_stem, named)
        for one in reversed(near[needed]):
            if one.entry is item.entry or not comes_after(one, item):
                continue
            # What is done may leave another thing open: only the deed itself tells it there.
            is_deed = one.section != cues.OPEN or (_is_task(item) and _did(item.text, one.text))
            if is_deed and _comes_about(one, item):
                found[item.at] = one
                break
    for item, end in (*_follow_ups(units), *by_ticket(units), *by_day(units), *by_heading(units)):
        found.setdefault(item.at, end)
    return found


def _needed(item: Unit) -> frozenset[str]:
    """The stems of an item that its end must name, none where they are too few to tell it by."""
    _, about = _about(item)
    if len(frozenset(about)) < FEWEST:
        return frozenset()
    needed = frozenset(about[1:] if _is_task(item) else about)
    return needed if _is_matter(needed) else frozenset()


def _named_in(units: Sequence[Unit]) -> dict[int, frozenset[str]]:
    """What sentences name beside their words: their label's, or all of a line that is ticked off."""
    found: dict[int, frozenset[str]] = {}
    line = ("", 0)
    for unit in units:
        if unit.label:
            found[unit.at] = _stem_set(stems_in(unit.label))
        if (unit.entry.id, unit.line) != line and is_ticked(unit):
            found[unit.at] = _stem_set(stems_in(unit.said))
        line = (unit.entry.id, unit.line)
    return found


def _naming(
    needed: frozenset[str],
    by_stem: Mapping[str, Sequence[Unit]],
    named: Mapping[int, frozenset[str]],
) -> list[Unit]:
    """The last sentences that name all of some stems, found by the rarest of them."""
    known = (by_stem[stem] for stem in sorted(needed) if stem in by_stem)
    rarest = min(known, key=len, default=())
    return [
        one
        for one in rarest[-CROWD:]
        if needed <= _stem_set(one.stems) | named.get(one.at, frozenset())
    ]


# Logs repeat themselves, and a month reads what its weeks have read: what follows is remembered.


@lru_cache(maxsize=1 << 12)
def _stem_set(stems: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stems)


def _about(item: Unit) -> tuple[str, tuple[str, ...]]:
    """The words in which an item names its matter, and their stems."""
    return _about_of(item.text, item.entry.kind == "row")


@lru_cache(maxsize=1 << 13)
def _about_of(text: str, is_row: bool) -> tuple[str, tuple[str, ...]]:
    head = _NAMED.split(_LEAD.sub("", text), maxsplit=1)[0]
    stems = tuple(stem for stem in stems_in(head) if len(stem) > 1)
    about = tuple(stem for stem in stems if stem not in COMMON_STEMS)
    # The first cell of a row is a name, however plain its words.
    return head, stems if is_row and about else about


def _is_task(unit: Unit) -> bool:
    """Whether an item begins with what is to be done, or with the word that it is waited for."""
    return _is_task_in(unit.text, unit.entry.text, unit.entry.lead)


@lru_cache(maxsize=1 << 13)
def _is_task_in(text: str, entry: str, lead: str) -> bool:
    if cues.checkbox(entry) is False or _WAITS.match(text):
        return True
    announced = (cues.announced(cues.label_of(entry)), cues.announced(lead))
    return cues.OPEN in announced and not _STATES.match(text)


def _comes_about(end: Unit, item: Unit) -> bool:
    """Whether a sentence that names an item's matter says that it was done, and done whole."""
    # Under another label it is another thing's, unless the label names the item.
    named = _stem_set(stems_in(end.label)) <= _stem_set(item.stems)
    if end.label != item.label and not (named or end.label.istitle()):
        return False
    if is_ticked(end):
        head, about = _about(item)
        figures = frozenset(_FIGURED.findall(head)) <= frozenset(_FIGURED.findall(end.said))
        return figures and sum(not stem.isdigit() for stem in about) >= FEWEST
    return _came_about(
        end.text,
        (*end.stems, *stems_in(end.label)),
        end.section == cues.DECISIONS,
        item.text,
        _is_task(item),
        item.entry.kind == "row",
    )


@lru_cache(maxsize=1 << 13)
def _came_about(
    end: str, stems: tuple[str, ...], is_decided: bool, item: str, is_task: bool, is_row: bool
) -> bool:
    head, told = _about_of(item, is_row)
    about = frozenset(told)
    figures = frozenset(map(str.lower, _FIGURED.findall(head)))
    told_figures = tuple(map(str.lower, _FIGURED.findall(end)))
    # 2.9 has come with 2.9.1.
    if not all(any(f"{one}.".startswith(f"{it}.") for one in told_figures) for it in figures):
        return False
    if _WHOLE_OF.search(head) and not _WHOLE_OF.search(end):
        return False
    clause, _, rest = end.partition(": ")
    if about <= frozenset(stems_in(clause)) and re.search(r"\d", rest) and item in clause:
        # The task in its own words, and what came of it.
        return True
    said = re.split(r"[;(]|\. ", end, maxsplit=1)[0]
    shared = about & _stem_set(stems)
    if DENIED.search(said.partition(" until ")[0]) or fails(end, shared):
        return False
    if len(shared) + bool(shared and figures) < FEWEST:
        return False
    if is_task and _did(head, said):
        return True
    if is_task and LOOKS.match(head):
        return False
    if re.match(r"whether\b", head, re.I) and is_decided:
        return True
    if is_row and _ROW_DONE.search(said):
        return True
    begun = _LEAD.sub("", item)
    return cues.settles(said) or any(
        how.search(said) is not None for what, how in _COMES_BY if what.match(begun)
    )


def _did(task: str, said: str) -> bool:
    """Whether a sentence has the verb a task begins with, in the past."""
    verb = stems_in(task)[:1]
    if gives := _GIVES.match(task):
        # "Send Ada a reminder" is done where Ada was reminded.
        verb = stems_in(gives[1])[:1]
    return bool(verb) and verb in past_verbs(said)


def _follow_ups(units: Sequence[Unit]) -> list[tuple[Unit, Unit]]:
    """Items and the later lines of the same label that say of the same thing that it is settled.

    Under one heading a day's `Resolved:` ends what the lines before it tell of the same thing.
    """
    found = []
    last: dict[tuple[str, str] | None, Unit] = {}
    here: dict[tuple[object, ...], list[Unit]] = {}
    for unit in units:
        place = (unit.entry.day, unit.place)
        # Only under a label of two words is the first telling word the thing's name.
        key = (unit.label, _first_telling(unit)) if " " in unit.label else None
        if unit.section == cues.OPEN:
            if key:
                last[key] = unit
            if unit.box is None and "[ ]" not in unit.text:
                here.setdefault(place, []).append(unit)
            continue
        if key in last and settles(unit) and not DENIED.search(unit.text):
            found.append((last.pop(key), unit))
        if unit.place and _RESOLVED.match(unit.text):
            found += [(one, unit) for one in here.get(place, ()) if telling(one) & telling(unit)]
    return found


def _first_telling(unit: Unit) -> str:
    return next((stem for stem in unit.stems if stem not in COMMON_STEMS), "")


def _first_clause(text: str) -> frozenset[str]:
    head = _CLAUSE.split(text, maxsplit=1)[0]
    return frozenset(stem for stem in stems_in(head) if stem not in COMMON_STEMS)


def _is_apart(settled: Unit, item: Unit) -> bool:
    """Whether a sentence does not merely go on about the item in the item's own entry."""
    if settled.entry is not item.entry or len(lines_of(item.entry.text)) > 1:
        return True
    return cues.section_of(item.entry) != cues.OPEN


def _reopens(later: Unit, item: Unit, settled: Unit) -> bool:
    """Whether the same words stand open again after they were settled."""
    one, other = frozenset(item.stems), frozenset(later.stems)
    return comes_after(later, settled) and len(one & other) >= 0.6 * len(one | other)
