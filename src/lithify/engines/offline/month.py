"""A month out of its weeks' source entries: themes, milestones, changes of value, open items."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from datetime import date, timedelta
from itertools import chain
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.matters.amounts import number_in
from lithify.engines.offline.matters.boxes import is_bare
from lithify.engines.offline.matters.change import changes
from lithify.engines.offline.matters.clause import BRIEF, changing_part, cut_to_change
from lithify.engines.offline.matters.closed import tickets_in
from lithify.engines.offline.matters.lists import as_left
from lithify.engines.offline.matters.naming import routine_openings
from lithify.engines.offline.matters.pairs import is_among, told_together
from lithify.engines.offline.matters.rows import daily_words, is_row
from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.shifts import Shift, shifts_in
from lithify.engines.offline.matters.standing import standing
from lithify.engines.offline.matters.still import parts_of, still_open
from lithify.engines.offline.matters.stories import Story, stories, told_by
from lithify.engines.offline.matters.subjects import week
from lithify.engines.offline.matters.themes import (
    ByTheme,
    Theme,
    headlines,
    is_errand,
    leading_themes,
)
from lithify.engines.offline.matters.threads import is_announced
from lithify.engines.offline.matters.told import (
    is_proposed,
    sets_value,
    tells_change,
    tells_turn,
)
from lithify.engines.offline.matters.traced import Traces
from lithify.engines.offline.matters.turned import reversals
from lithify.engines.offline.matters.waiting import awaited
from lithify.engines.offline.matters.weight import by_weight
from lithify.engines.offline.page.bullets import Bullet, Packing, beside, claims_of
from lithify.engines.offline.page.cover import DEFAULT, ranked
from lithify.engines.offline.page.fitting import fitted, target_of
from lithify.engines.offline.page.fold import fold, last_states
from lithify.engines.offline.page.passages import in_passages, with_openings
from lithify.engines.offline.reading.talk import is_talk, one_by_one
from lithify.engines.offline.reading.text import LIMIT
from lithify.engines.offline.reading.units import Unit, stems_in, told_once, units_of
from lithify.text.stems import COMMON_STEMS
from lithify.values import MONTH_SECTIONS, Brief, Draft

THEMES, MILESTONES, TRAJECTORY, CARRIED = MONTH_SECTIONS
_TOLD_SECTIONS = (THEMES, MILESTONES, TRAJECTORY)
#: Sentences nobody asked for may not crowd a month: the share of it that open items may take.
_CARRIED_SHARE = 0.10
_CHANGE_SHARE = 0.20
#: A short month has room for a few values nevertheless.
_CHANGES = 70
#: What the changes told as such may take beside the values, however long the month.
_TOLD_SHARE, _TOLD = 0.06, 120
#: What was achieved and decided has its place before any figure competes for one; in a short month
#: a part of it has, so that not everything is given away before anything competes.
_HEADLINE_SHARE, _SHORT_SHARE = 0.20, 0.10
#: The shortest month has room for one or two of them nevertheless.
_HEADLINES = 40
_THEME_SHARE, _THEMED = 0.05, 60
#: The part of a month that tells how its stories began and stand.
_STORY_SHARE = 0.25
#: What an errand is worth beside what the month's work tells.
_ERRAND = 0.5
#: A sentence that names so many people in full is a list of who is who, and no news of the month.
_PERSON, _ROLL = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b"), 4
#: What an item is worth that is no longer open: how it ended is told, if it is known.
_PAST = 0.5
#: What a ticket is worth that came and went in a week.
_WEEK = timedelta(days=7)
_TICKET = 0.5
#: What a sentence is worth that tells to what something was changed.
_SET = 1.4
#: What a sentence is worth whose value is told already, old and new.
_READ = 0.5
#: What one has, uses or needs as a rule is no step that was reached.
_STANDS = re.compile(
    r"(?:we|they|i) (?:\w+ly )?(?:use|have|need|run|own|keep|hold|hope|want)\b", re.I
)
#: What a row of the day's figures is worth.
_READING = 0.2
#: A month of more tokens has room for what every day tells; a shorter one is crowded.
_LONG = 6000
#: What a bullet's date and marker take.
_MARK = 6
#: As many open items have their place before anything else competes for one.
_ITEMS = 6


#: In a month a capital that may be no name is worth little beside what is one, and words that stand
#: together tell more than single words and figures do; a sentence that joins a bullet costs its words.
_MONTHLY = replace(DEFAULT, pair=0.5, atom=5.0, loose=0.2, opening=8.0, joining=1.0)
#: In talk a word said again is mostly of the same thing, and what joins a bullet needs no speaker.
_TALK = replace(DEFAULT, loose=0.2, again=0.25, joining=1.0)
#: On a short page that holds even more, and whole passages tell more than many short lines.
_SHORT = replace(DEFAULT, pair=0.5, atom=1.5, reach=10, opening=10.0, joining=1.0, power=0.65)


class Known(NamedTuple):
    """What is known of some sentences, by their places.

    `turned` are decisions and what reversed them, `stating` those that state what their entry is
    kept for, `read` those whose value is told already, `resolved` items with an end in a later week.
    """

    turned: Set[int]
    stating: Set[int]
    read: Set[int]
    resolved: Set[int]


def write_month(brief: Brief) -> Draft:
    """The month's bullets, as near to the target length as whole sentences allow."""
    said = units_of(brief.entries)
    # A conversation has turns, not items and headlines: there all compete by what they tell.
    talk = is_talk(said)
    everything = as_left(awaited(told_once(one_by_one(said) if talk else said)), monthly=True)
    settled = settlements(everything)
    places = still_open(everything, settled, monthly=True)
    if brief.open is not None:
        # All the days may know an end that none of those shown tells.
        places &= {unit.at for unit in everything if is_among(unit, brief.open)}
    open_items = standing(everything, settled, places)
    open_items -= {unit.at for unit in everything if is_bare(unit)}
    past = {unit.at for unit in everything if unit.section == cues.OPEN} - open_items
    units = fold(told_together(everything, settled))
    target = target_of(brief)
    cited = {source for claim in brief.claims for source in claim.sources}
    traces = Traces(everything, cited)
    of_values = max(int(_CHANGE_SHARE * target), min(_CHANGES, 3 * target // 10))
    turns = reversals(everything)
    # A choice that was reversed is told with its end or not at all; what it set was a step nevertheless.
    kept = {unit.at for unit in units}
    steps = [unit for unit in everything if unit.at in turns and unit.at not in kept]
    steps = sorted([*units, *steps], key=lambda unit: unit.at)
    changed = [*traces.bound(changes(steps, of_values))]
    told = {
        unit.at
        for one in changed
        for unit in one.units
        if (not unit.must and unit.tokens <= BRIEF) or _says_all(one.fixed, unit)
    }
    units = [unit for unit in units if unit.at not in told and traces.holds(unit)]
    units = last_states([unit for unit in units if talk or any(map(str.isalpha, unit.text))])
    short = not talk and target <= _LONG
    if short:
        units = _in_passages(units, brief.size)
    stated = {
        unit.entry.id
        for unit in units
        if unit.must and unit.section == cues.OPEN and _stands_open(unit, open_items)
    }
    stating = {unit.at for unit in units if unit.must}
    told_on = _days_of_tickets(everything)
    for unit in units:
        if unit.at in past and parts_of(unit.text) > 1:
            # A list of what was once to do says nothing of what became of it.
            unit.worth = 0.0
        elif unit.at in past and unit.section == cues.OPEN:
            unit.worth *= _PAST
        if _is_of_one_week(unit, told_on):
            unit.worth *= _TICKET
        unit.section = _section(unit, open_items, stated)
        unit.must = False
    turned = {at for one, later in turns.items() for at in (one, later.at)}
    values_in: dict[str, list[str]] = {}
    for unit in (unit for one in changed for unit in one.units):
        if _are_told(shifts_in(unit.text), changed):
            values_in.setdefault(unit.entry.id, []).append(unit.text)
    read = {
        unit.at
        for unit in units
        if any(text in unit.text for text in values_in.get(unit.entry.id, ()))
    }
    resolved = {
        at
        for item in everything
        if (end := settled.get(item.at)) and week(item) != week(end)
        for at in (item.at, end.at)
    }
    known = Known(turned, stating, read, resolved)
    spare = of_values - sum(one.cost for one in changed)
    values = max(1, spare + int(min(_TOLD, _TOLD_SHARE * target)))
    own = stories(everything) if short else []
    themes = _require(units, target, known, 0 if talk else values, own)
    whole = [unit.text for unit in units if unit.must]
    changed = [one for one in changed if not _is_told_in(whole, one)]
    room = target - sum(one.cost for one in changed)
    if talk:
        order = ranked(units, 1.5 * room, _TALK, _said_by_one)
    elif short:
        order = ranked(units, 1.5 * room, _SHORT, beside, [one.fixed for one in changed])
    else:
        order = ranked(units, 1.5 * room, _MONTHLY)
    packing = Packing(apart=short, by_speaker=talk)
    by_theme = ByTheme(_TOLD_SECTIONS, themes, packing)
    bullets = fitted(order, room, by_theme.packed)
    whole = [unit.text for bullet in bullets for unit in bullet.units]
    twice = [one for one in changed if _is_told_in(whole, one)]
    if twice:
        changed = [one for one in changed if one not in twice]
        room += sum(one.cost for one in twice)
        bullets = fitted(order, room, by_theme.packed)
    bullets = [*traces.bound(bullets)]
    for one in changed:
        one.section = TRAJECTORY
    in_order = sorted([*bullets, *changed], key=lambda bullet: _place(bullet, themes))
    claims = (claims_of([bullet], MONTH_SECTIONS, brief.trusted) for bullet in in_order)
    return Draft(claims=tuple(chain.from_iterable(claims)))


def _place(bullet: Bullet, themes: Mapping[int, Theme]) -> tuple[int, bool, int, int]:
    """Where a bullet stands: in its section, threads first, the bullets of one beside one another."""
    at = bullet.units[0].at
    theme = themes.get(at) if bullet.fixed and bullet.section == THEMES else None
    first = min(place for place, other in themes.items() if other == theme) if theme else at
    return MONTH_SECTIONS.index(bullet.section), theme is None, first, at


def _days_of_tickets(units: Sequence[Unit]) -> Mapping[str, Set[date]]:
    """The days on which each ticket is spoken of."""
    days: dict[str, set[date]] = {}
    for unit in units:
        for one in (unit, *unit.folded):
            if day := one.entry.day:
                for ticket in tickets_in(one.text):
                    days.setdefault(ticket, set()).add(day)
    return days


def _is_of_one_week(unit: Unit, told_on: Mapping[str, Set[date]]) -> bool:
    """Whether a sentence begins with a ticket that nobody speaks of for longer than a week."""
    first, *_ = [*tickets_in(unit.text), ""]
    days = told_on.get(first) if first and unit.text.startswith(first) else None
    return days is not None and max(days) - min(days) < _WEEK


def _said_by_one(unit: Unit) -> tuple[object, ...]:
    """What sentences of talk share that can be begun in one bullet."""
    return unit.section, unit.entry.day, unit.place, unit.label


def _in_passages(units: Sequence[Unit], most: int) -> list[Unit]:
    """The sentences in passages, results and decisions told with what their entry begins with.

    An open item is a line of a list, and stays as short as it is.
    """
    items = {unit.entry.id for unit in units if unit.must and unit.section == cues.OPEN}
    others = [unit for unit in units if unit.entry.id not in items]
    wider = in_passages(with_openings(others, most))
    kept = [unit for unit in units if unit.entry.id in items]
    return sorted([*wider, *kept], key=lambda unit: unit.at)


def _says_all(text: str, unit: Unit) -> bool:
    """Whether a text has all the words that a sentence tells something by."""
    return {stem for stem in unit.stems if stem not in COMMON_STEMS} <= set(stems_in(text))


def _is_told_in(whole: Sequence[str], change: Bullet) -> bool:
    """Whether a value stands in one sentence alone, and that sentence is told anyway."""
    return len(change.units) == 1 and any(
        change.units[0].text.rstrip(" .") in text for text in whole
    )


def _are_told(shifts: Sequence[Shift], changed: Sequence[Bullet]) -> bool:
    """Whether all that a sentence tells as changed stands in the lines of values."""
    told = " ".join(one.fixed for one in changed)
    return all(shift.new in told or number_in(shift.new) in told for shift in shifts)


def _stands_open(unit: Unit, open_items: Set[int]) -> bool:
    return unit.at in open_items or any(twin.at in open_items for twin in unit.folded)


def _section(unit: Unit, open_items: frozenset[int], stated: Set[str]) -> str:
    if unit.section == cues.OPEN and _stands_open(unit, open_items):
        # What goes on about a blocker stands with it; by itself it is no open item.
        return CARRIED if unit.entry.id in stated else THEMES
    if unit.section == cues.OPEN and unit.entry.text.startswith("[ ]"):
        # What was to be done has changed nothing by itself.
        return THEMES
    turns = tells_turn if unit.section == cues.DECISIONS else tells_change
    if turns(unit.text) or sets_value(unit.text):
        return TRAJECTORY
    if unit.section in (cues.OUTCOMES, cues.DECISIONS) and not _STANDS.match(unit.text):
        return MILESTONES
    return THEMES


def _keep(units: Sequence[Unit], room: int, cut: bool = False) -> None:
    """Make the first of some sentences stay, as many as there is room for, `cut` to what changed."""
    for unit in units:
        if room > 0:
            if cut:
                cut_to_change(unit)
            unit.must = True
            room -= unit.tokens + _MARK


def _require(
    units: Sequence[Unit],
    target: int,
    known: Known,
    room_of_values: int,
    own: Sequence[Story] = (),
) -> dict[int, Theme]:
    """What stays whatever else there is: open items, values, headlines and the leading themes.

    Decisions that were reversed come first: a week of the month still tells the old one. In talk
    there is no room of values, and nothing but its themes has to stay.
    """
    talk = not room_of_values
    if not talk:
        carried = [
            unit
            for unit in units
            if unit.section == CARRIED and (unit.at in known.stating or cues.must_keep(unit.entry))
        ]
        room = min(_ITEMS * LIMIT, int(_CARRIED_SHARE * target))
        _keep(by_weight(units, carried, known.stating), room)
        values = [
            unit
            for unit in units
            if unit.section == TRAJECTORY
            and unit.at not in known.read
            and tells_turn(unit.text)
            and not is_proposed(changing_part(unit.text))
        ]
        values.sort(key=lambda unit: (not is_announced(unit), -cues.plainness(unit.text), unit.at))
        needed = sum(unit.tokens + _MARK for unit in values)
        _keep(values, room_of_values, cut=target <= _LONG and needed > room_of_values)
    rows: set[int] = set()
    daily = daily_words(units) if not talk else frozenset()
    for unit in units:
        if not talk and is_errand(unit):
            unit.worth *= _ERRAND
        if not talk and not unit.must and len(_PERSON.findall(unit.text)) >= _ROLL:
            unit.worth *= _ERRAND
        if not talk and unit.section != CARRIED and is_row(unit, daily, unit.section == THEMES):
            unit.worth *= _READING
            rows.add(unit.at)
        if unit.at in known.read:
            unit.worth *= _READ
        elif not talk and unit.section == TRAJECTORY and sets_value(unit.text):
            unit.worth *= _SET
    # In talk every turn has its speaker, and what is said again is no thread of work; a long month
    # has room for all that is said of a thing, under what stands over it.
    loose = [
        unit
        for unit in units
        if unit.section in (THEMES, MILESTONES, TRAJECTORY)
        and not (talk and unit.label)
        and target <= _LONG
    ]
    room = max(int(target * _THEME_SHARE), min(_THEMED, target // 2))
    themes, sure = leading_themes(loose, known.stating - known.read, known.turned, room)
    for unit in loose:
        unit.must = unit.must or unit.at in sure
    parts, of_stories = told_by(own, loose, known.stating)
    room = int(_STORY_SHARE * target)
    for unit in parts:
        if unit.tokens + _MARK <= room:
            unit.must = True
            room -= unit.tokens + _MARK
            sure |= {unit.at}
    themes |= {at: Theme(name) for at, name in of_stories.items()}
    if not talk:
        stated = [
            unit
            for unit in units
            if unit.section in (MILESTONES, TRAJECTORY) and cues.must_keep(unit.entry)
        ]
        turns = [unit for unit in units if unit.at in known.turned and unit.section != CARRIED]
        rest = known.turned | known.read | rows
        # A short month has no room for what is written every day.
        routine = routine_openings(units) if target <= _LONG else frozenset()
        heads = [unit for unit in headlines(stated, known.resolved, routine) if unit.at not in rest]
        # How a thread began comes after all else where it is told how it ended.
        ended = {themes[at] for at in sure}
        heads.sort(key=lambda unit: themes.get(unit.at) in ended)
        spent = sum(unit.tokens + _MARK for unit in units if unit.must)
        share = _HEADLINE_SHARE if target > _LONG else _SHORT_SHARE
        room = max(int(target * share), min(_HEADLINES, 2 * target // 5))
        # A very short month is full of what came before; one headline it has.
        room = max(target // 10, min(room, target - spent))
        _keep([unit for unit in (*reversed(turns), *heads) if not unit.must], room)
    return themes
