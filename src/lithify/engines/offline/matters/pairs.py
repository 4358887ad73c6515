"""What is told together or not at all: item and settlement, claim and denial, question and answer.

An open item that was settled is no longer open, what was taken back no longer holds, and a decision
that was reversed is told with what reversed it. All are decided over all the entries there are,
whichever of them a page has room for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.matters.change import readings_of_change, told_shifts
from lithify.engines.offline.matters.lists import as_left
from lithify.engines.offline.matters.matter import Matter, comes_after, telling
from lithify.engines.offline.matters.met import met
from lithify.engines.offline.matters.retold import from_to, small
from lithify.engines.offline.matters.settled import settlements
from lithify.engines.offline.matters.shifts import shifts_in
from lithify.engines.offline.matters.standing import overtaken, standing
from lithify.engines.offline.matters.still import still_open
from lithify.engines.offline.matters.themes import told_of_themes
from lithify.engines.offline.matters.told import is_proposed, tells_change
from lithify.engines.offline.matters.turned import reversals
from lithify.engines.offline.matters.waiting import awaited
from lithify.engines.offline.matters.weight import by_weight
from lithify.engines.offline.page.bullets import day_words, stopped
from lithify.engines.offline.reading.talk import is_talk
from lithify.engines.offline.reading.text import LIMIT, tokens_in
from lithify.engines.offline.reading.units import Unit, sentences_of, stems_in, told_once, units_of
from lithify.text.atoms import find_atoms
from lithify.values import Entry

#: The longest sentence that leaves room for a date, a subject and what belongs to it.
_ROOM = LIMIT - 14
#: The share of an item's words that its end must name to tell it too.
_NEARLY = 0.7
#: Where a clause begins that an item can do without.
_TAIL = re.compile(r"; (?!but|not|no\b|if|only)|, (?:which|where|who|because|since|so|while)\b ")
#: A label that says what the mark of a reversal says.
_TURNED = re.compile(r"^(?:decision )?revers(?:ed|al): ", re.I)
#: How long an item was open that is told with its end.
_SINCE = re.compile(r" \(had been open since [^()]*\)$")
_ASKER = re.compile(r"^(?:q|question|frage|ask(?:ed)?|f)$", re.I)
_ANSWERER = re.compile(r"^(?:a|ans|answer|answered|reply|response|antwort)$", re.I)
_ASKED = re.compile(
    r"\b(?:asked|asks)\b[^.;?]* (?:whether|if|what|which|who|when|where|how|why)\b", re.I
)
_CALLED_ANSWER = re.compile(r"(?:(?:his|her|their|the) )?(?:answer|reply): ", re.I)
_ANSWERS = re.compile(
    r"^(?:(?:a|answer|reply|antwort): |(?:yes|no|yep|nope|both|neither|ja|nein|oui|non|sí)\b[,.:;! -])",
    re.I,
)
#: As many open items, values, changes told as such and subjects are shown to a month beside its weeks.
_OPEN, _VALUES, _CHANGES, _THEMES = 18, 12, 32, 8
_SAYS_Q = re.compile(r"^(?:q|question|frage): ", re.I)


def denials(units: Sequence[Unit]) -> dict[int, Unit]:
    """For the place of each sentence that was taken back the one that takes it back."""
    found: dict[int, Unit] = {}
    denying = {unit.at: denial for unit in units if (denial := _denies(unit))}
    if not denying:
        return found
    for before, unit in pairwise(units):
        if denying.get(unit.at) == "this" and _beside(before, unit):
            found[before.at] = unit
    matter = Matter(units, lambda unit: unit.at in denying)
    for unit in units:
        if unit.at in found or unit.at in denying or unit.section == cues.OPEN:
            continue
        # What is told again after it was denied stands again.
        again = unit.folded[-1] if unit.folded else unit
        if after := [one for one in matter.later(unit) if comes_after(one, again)]:
            found[unit.at] = after[-1]
    return found


def _denies(unit: Unit) -> str:
    return cues.denies(f"{unit.label}: {unit.text}" if unit.label else unit.text)


def _beside(before: Unit, after: Unit) -> bool:
    """Whether a sentence stands right after another, in its entry or the next one."""
    return before.entry.day == after.entry.day and before.place == after.place


def told_together(units: Sequence[Unit], settled: Mapping[int, Unit] | None = None) -> list[Unit]:
    """The sentences with those that need one another made one, and what was taken back gone.

    A claim that its own denial names is left out; where the denial only says "that was wrong" the
    two are one sentence. So are an item and what settled it, a question and its answer.
    `settled` are the settlements of the units, where they are known already.
    """
    return _told(units, _standing(units), settlements(units) if settled is None else settled)


def told_in(entries: tuple[Entry, ...]) -> list[Unit]:
    """The same of entries, which may be looked at again."""
    units, stands = _read(entries)
    kept = {at: unit.copy() for at, unit in stands.items()}
    settled = settlements(units)
    places = still_open(units, settled)
    ends = overtaken(units, settled, places)
    said = {unit.at for unit in sentences_of(entries) if unit.section == cues.OPEN}
    for at, end in ends.items():
        if at in kept and end.at in kept and end.at in places - said:
            # What is waited for now is told in the place of what was to be done about it.
            kept[end.at] = replace(kept[end.at], must=kept[at].must or kept[end.at].must)
    left = {at for at in places if at not in ends or ends[at].at in places & said}
    # What settles an item is told with it, open or not.
    left |= settled.keys() | {unit.at for unit in settled.values()}
    for unit in units:
        if unit.section == cues.OPEN and unit.at not in left and unit.at in kept:
            # It leaves nothing open at the week's end.
            kept[unit.at] = replace(kept[unit.at], section=cues.CONTEXT)
    return _told(units, kept, settled)


@lru_cache(maxsize=2)
def _read(entries: tuple[Entry, ...]) -> tuple[Sequence[Unit], dict[int, Unit]]:
    """The sentences of entries, and by their place those that were not taken back."""
    units = as_left(awaited(sentences_of(entries), kept=False))
    return units, _standing(units)


def _told(units: Sequence[Unit], kept: dict[int, Unit], settled: Mapping[int, Unit]) -> list[Unit]:
    for at, last in settled.items():
        if at not in kept:
            continue
        if last.at not in kept:
            # It is told with another item that it settles too.
            kept[at] = replace(kept[at], section=cues.CONTEXT)
            continue
        item, end = kept[at], kept[last.at]
        # What was open and has come about is an outcome, however it is told.
        came = replace(end, section=cues.OUTCOMES) if end.section == cues.CONTEXT else end
        if not (
            _change_value(kept, item, came)
            or _absorb(kept, item, came)
            or _join(kept, item, came)
            or _join(kept, _shortened(item, came), came)
        ):
            # What became of it is told by itself, and the item no longer as something open.
            kept[last.at] = replace(end, must=item.must or end.must)
            kept[at] = replace(item, section=cues.CONTEXT)
    for question, answer in pairwise(units):
        if question.at in kept and answer.at in kept and _answers(question, answer):
            _join(kept, kept[question.at], kept[answer.at])
    return [unit for unit in kept.values() if unit.text]


def _standing(units: Sequence[Unit]) -> dict[int, Unit]:
    """The sentences by their place, without those that were taken back."""
    kept: dict[int, Unit] = {unit.at: unit for unit in units}
    for at, denial in denials(units).items():
        if at not in kept or denial.at not in kept:
            continue
        leaning = _denies(denial) == "this"
        if leaning and _join(kept, kept[at], denial, section=_taken_back(denial)):
            continue
        if leaning:
            kept.pop(denial.at)
        kept.pop(at)
    _tell_reversals(units, kept)
    return kept


def _tell_reversals(units: Sequence[Unit], kept: dict[int, Unit]) -> None:
    """Make one sentence of a decision and the one that reverses it, or leave the later one alone."""
    stands: dict[int, int] = {}
    told: dict[int, list[int]] = {}
    for at, later in reversals(units).items():
        told.setdefault(later.at, []).append(at)
    for last, places in sorted(told.items()):
        *restated, place = sorted(stands.get(at, at) for at in places)
        if last not in kept or place not in kept or place == last:
            continue
        twins = [kept.pop(at) for at in dict.fromkeys(restated) if at in kept and at != place]
        must = any(unit.must for unit in (*twins, kept[place], kept[last]))
        if _change_value(kept, kept[place], kept[last], kept[place].section):
            stands[last] = last
            place = last
        elif _join(kept, kept[place], kept[last], section=kept[place].section, mark="Reversed"):
            stands[last] = place
        else:
            kept.pop(place)
            kept[last] = replace(kept[last], must=must)
            continue
        kept[place] = replace(kept[place], must=must, folded=[*kept[place].folded, *twins])


def _change_value(kept: dict[int, Unit], old: Unit, new: Unit, section: str = "") -> bool:
    """Tell a value that changed once, in the place of the new one, where no other word is lost."""
    if old.label != new.label or _SINCE.search(new.text):
        return False
    text = from_to(old.text, new.text)
    return bool(text) and _tell_once(kept, old, new, text, section)


def _absorb(kept: dict[int, Unit], item: Unit, end: Unit) -> bool:
    """Tell an item with its end where the end names all that the item does."""
    own = telling(item)
    # An aside of the item may go where all else of it is named; figures and names never do.
    if len(own & telling(end)) < _NEARLY * len(own) or item.text[-1:] == "?":
        return False
    if item.label not in ("", end.label):
        return False
    text = _SINCE.sub("", end.text)
    # Several items may have this end, and one may have been told on several days.
    told = [one for one in (*end.folded, *item.folded, item) if one.section == cues.OPEN]
    first = min(told, key=lambda one: one.entry.day or date.max, default=item)
    if end.entry.day != first.entry.day and first.entry.day is not None:
        text = f"{text.rstrip(' .;,')} (had been open since {day_words(first.entry)})"
    # The day that is told has to be cited.
    twins = [replace(one, must=True) if one is first else one for one in item.folded]
    return _tell_once(kept, replace(item, folded=twins), end, text)


def _shortened(item: Unit, end: Unit) -> Unit:
    """An item without the clauses whose figures and names its end tells too."""
    for cut in reversed([*_TAIL.finditer(item.text)]):
        head = item.text[: cut.start()]
        tail = find_atoms(item.text[cut.end() :], item.entry.day)
        if cues.hedges(head) != cues.hedges(item.text) or head.count('"') % 2:
            break
        if not frozenset(atom.key for atom in tail) <= end.atoms | frozenset(
            atom.key for atom in find_atoms(head, item.entry.day)
        ):
            break
        item = replace(item, text=head, tokens=tokens_in(head))
    return item


def _tell_once(kept: dict[int, Unit], old: Unit, new: Unit, text: str, section: str = "") -> bool:
    """Put one text in the place of the new sentence for both, where no figure or name is lost."""
    if tokens_in(text) > _ROOM:
        return False
    if not (old.firm | new.firm) <= frozenset(atom.key for atom in find_atoms(text, new.entry.day)):
        return False
    first = replace(old, must=True, folded=[])
    kept[new.at] = replace(
        new,
        text=text,
        tokens=tokens_in(text),
        stems=tuple(stems_in(text)),
        atoms=old.atoms | new.atoms,
        firm=old.firm | new.firm,
        section=section or new.section,
        must=old.must or new.must,
        worth=max(old.worth, new.worth),
        folded=[*old.folded, first, *new.folded],
    )
    kept.pop(old.at)
    return True


def _taken_back(denial: Unit) -> str:
    """Where a claim stands with its denial: never among what was achieved."""
    return cues.CONTEXT if denial.section == cues.OUTCOMES else denial.section


def _join(
    kept: dict[int, Unit], first: Unit, second: Unit, section: str = "", mark: str = ""
) -> bool:
    """Make one sentence of two, in the place of the first, if a bullet can hold it.

    `mark` says what the second does to the first.
    """
    label, opening = ("", "") if _is_q(first) else (first.label, "")
    text, later = first.text, second.text
    if _is_q(first):
        text = _SAYS_Q.sub("", text)
        later = _ANSWERS_MARK.sub("", later)
    elif second.label and second.label != first.label:
        later = f"{second.label}: {later}"
    apart = second.entry.day != first.entry.day and second.entry.day is not None
    if mark:
        opening = f"{mark} on {day_words(second.entry)}: " if second.entry.day else f"{mark}: "
        later = small(_TURNED.sub("", later), second.entry.text)
    elif apart:
        opening = f"{day_words(second.entry)} - "
    text = f"{stopped(text)} {opening}{later}"
    if tokens_in(text) > _ROOM:
        return False
    kept[first.at] = replace(
        first,
        label=label,
        text=text,
        tokens=tokens_in(text),
        stems=(*first.stems, *second.stems),
        atoms=first.atoms | second.atoms,
        firm=first.firm | second.firm,
        section=section or second.section,
        must=first.must or second.must,
        worth=max(first.worth, second.worth),
        # The words of the second stand in the bullet, so it is cited however many say the same.
        folded=[*first.folded, replace(second, must=True), *second.folded],
    )
    kept.pop(second.at)
    return True


_ANSWERS_MARK = re.compile(r"^(?:a|answer|reply|antwort): ", re.I)


def _is_q(unit: Unit) -> bool:
    return bool(_ASKER.match(unit.label) or _SAYS_Q.match(unit.text))


def _answers(question: Unit, answer: Unit) -> bool:
    """Whether a sentence is the answer to the question right before it."""
    if answer.text.endswith("?") or not _beside(question, answer):
        return False
    if _ASKED.search(question.text) and _CALLED_ANSWER.match(answer.text):
        return True
    return question.text.endswith("?") and bool(
        _ANSWERER.match(answer.label)
        or _ANSWERS.match(answer.text)
        or (_is_q(question) and question.entry is answer.entry)
    )


class Beside(NamedTuple):
    """What the days of a month know beyond its weeks.

    `entries` belong by those shown, `open` are the ids of those whose items all days leave open.
    """

    entries: tuple[Entry, ...]
    open: frozenset[str]


def needed_with(days: Sequence[Entry], shown: Iterable[str]) -> Beside:
    """The entries of some days that belong by those shown, which are named by their ids.

    They settle, take back or reverse one of them, or tell what no single week can tell: what is
    still to come after the last day, and how a value changed from week to week.
    """
    ids = set(shown)
    units = as_left(awaited(told_once(units_of(days))), monthly=True)
    settled = settlements(units)
    wanted: set[str] = set()
    reversed_by = reversals(units)
    for unit in sorted(units, key=lambda unit: (unit.entry.day or date.min, unit.at)):
        # What reversed it may have been reversed in its turn.
        if unit.at in reversed_by and is_among(unit, ids | wanted):
            wanted.add(reversed_by[unit.at].entry.id)
    places = still_open(units, settled, monthly=True)
    ends = overtaken(units, settled, places)
    wanted |= {unit.entry.id for unit in readings_of_change(units, _VALUES)}
    if not is_talk(units):
        # In talk there are turns, and no items, changes or subjects of work.
        wanted |= {unit.entry.id for unit in _of_the_month(units, places - ends.keys())}
    for told in (met(units), denials(units), settled, ends):
        # What no longer stands is shown with what says so, whatever it is shown for.
        among = [
            told[unit.at] for unit in units if unit.at in told and is_among(unit, ids | wanted)
        ]
        wanted |= {other.entry.id for other in among}
    # What one end ended of a matter ended the rest of it too.
    last = {end.at for end in ends.values() if end.entry.id in ids | wanted}
    wanted |= {unit.entry.id for unit in units if (end := settled.get(unit.at)) and end.at in last}
    left = standing(units, settled, places)
    return Beside(
        tuple(entry for entry in days if entry.id in wanted - ids),
        frozenset(
            one.entry.id for unit in units if unit.at in left for one in (unit, *unit.folded)
        ),
    )


def is_among(unit: Unit, ids: Set[str]) -> bool:
    """Whether a sentence, or one that repeats it, is of one of these entries."""
    return unit.entry.id in ids or any(twin.entry.id in ids for twin in unit.folded)


def _of_the_month(units: Sequence[Unit], places: Set[int]) -> Iterator[Unit]:
    """What no single week can weigh: the items still open, the changes, the subjects of weeks."""
    open_items = [unit for unit in units if unit.at in places and unit.must]
    yield from by_weight(units, open_items, places)[:_OPEN]
    changed = [
        (not shifts_in(unit.text), -cues.plainness(unit.text), unit.at, unit)
        for unit in units
        if (tells_change(unit.text) or shifts_in(unit.text)) and not is_proposed(unit.text)
    ]
    yield from (unit for *_, unit in sorted(changed, key=lambda one: one[:3])[:_CHANGES])
    # What a value became after that may be told without a word of what it was.
    steps = (unit for line in told_shifts(units) for unit in line.units)
    yield from islice((unit for unit in steps if not shifts_in(unit.text)), _CHANGES)
    yield from told_of_themes(units, {unit.at for unit in units if unit.must}, _THEMES)


@lru_cache(maxsize=4)
def taken_back(entries: tuple[Entry, ...]) -> frozenset[str]:
    """Ids of the entries of which nothing stands any more: every sentence was taken back."""
    units, stands = _read(entries)
    kept = {unit.entry.id for unit in stands.values()}
    kept.update(twin.entry.id for unit in stands.values() for twin in unit.folded)
    return frozenset(unit.entry.id for unit in units) - kept
