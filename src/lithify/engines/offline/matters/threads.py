"""A subject of several weeks in few sentences: what it was, how it turned, where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from math import log

from lithify import cues
from lithify.engines.offline.matters.sagas import Saga
from lithify.engines.offline.matters.standing import ID
from lithify.engines.offline.matters.subjects import STATED, persons, week
from lithify.engines.offline.page.bullets import closed, date_mark, day_words
from lithify.engines.offline.reading.text import LIMIT, split, tokens_in
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.words import COMMON_STEMS

#: Where a clause begins that a sentence can do without; a denial or a condition is none.
_CLAUSE = re.compile(
    r"(?<=\w\w\w)(?:; (?!but|not|no\b|if|only)|, (?:which|where|who|because|since|so|with|while)\b | because |"
    r" and (?=(?:should|will|would|must|has|have|had|is|are|was|were|did|does|can|could)\b))"
)
#: What it adds to a sentence of a thread that it states something, that it names the subject, and
#: that it tells how something that had been open ended.
_STATES, _NAMES, _ENDED = 1.0, 1.0, 1.0
#: What it takes from it that it neither states nor specifies anything.
_SLIGHT = 2.0
#: What it adds to stand in the first week or the last, and what it takes to be cut short.
_FIRST, _LATEST, _CUT = 0.5, 1.5, 0.25
#: What it adds that two sentences share a word beside their subject.
_BOUND = 3.0
#: As many sentences of a week are looked at.
_MOST = 5
#: A number of no more digits may count anything, but "boiler 2" is one thing.
_SMALL = 2
_WITH_NUMBER = re.compile(
    r"\b(?!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*)[a-z]{4,} \d{1,2}\b(?![.,:]\d)"
)
#: What a day before its sentence takes.
_DAY = 6
#: Telling words without which a sentence must have a specific to be told in a thread.
_WORDS = 4
#: As many characters tell where a sentence was taken from.
_HEAD = 12
#: What is said of something that only the sentence before names.
_LEANS = re.compile(
    r"^(?:[A-Za-z]+ )?(?:it|they|them|he|she|this|that|these|those|others?)\b", re.I
)


def best_part(saga: Saga, free: Sequence[Unit], worth: Callable[[Unit], float]) -> list[Unit]:
    """What tells a subject best: two sentences of two weeks, and of others what there is room for.

    They share a word beside the subject's, unless that is a ticket or a thing of two nouns, or both
    begin with it and it is no name: who speaks of one place on two days may speak of two matters.
    Nothing where no two of them fit a bullet together.
    """
    name = saga.name
    # Two sentences of one person need not be of one matter.
    key = saga.key.union(COMMON_STEMS, *map(stems_in, persons(free)))
    exact = any(map(ID.fullmatch, map(str.upper, saga.key)))
    exact = exact or (len(saga.key) > 1 and not name.istitle())
    room = LIMIT - tokens_in(text_of(name, free[:1])) + free[0].tokens + _DAY
    best: dict[str, list[tuple[float, Unit]]] = {}
    for unit in free:
        own = best.setdefault(week(unit), [])
        own += [(worth(one) - _CUT * (one is not unit), one) for one in (unit, *_cut(unit))]
    for own in best.values():
        own.sort(key=lambda pair: (-pair[0], pair[1].at))
        del own[_MOST:]
    begun, last = min(best), max(best)
    words = {id(unit): _own_words(unit, key) for own in best.values() for _, unit in own}
    about = {id(unit) for own in best.values() for _, unit in own if _begins_with(unit, saga.key)}
    about = about if any(name.lower() in unit.text for unit in free) else set()
    pairs = [
        (one + other + _BOUND * akin + _FIRST * (early == begun) + _LATEST * (late == last), a, b)
        for early, firsts in best.items()
        for late, seconds in best.items()
        if early < late
        for one, a in firsts
        for other, b in seconds
        if a.tokens + b.tokens + 2 * _DAY <= room
        and (
            (akin := not words[id(a)].isdisjoint(words[id(b)])) or exact or {id(a), id(b)} <= about
        )
    ]
    if not pairs:
        return []
    _, first, second = max(pairs, key=lambda pair: (pair[0], -pair[1].at, -pair[2].at))
    chosen = [first, second]
    others = [own[0] for at, own in best.items() if at not in (week(first), week(second))]
    bound = words[id(first)] | words[id(second)]
    for _, unit in sorted(others, key=lambda pair: (-pair[0], pair[1].at)):
        wider = sorted([*chosen, unit], key=lambda unit: unit.at)
        akin = exact or not bound.isdisjoint(words[id(unit)])
        if akin and tokens_in(text_of(name, wider)) < LIMIT:
            chosen = wider
    return chosen


def _begins_with(unit: Unit, key: Set[str]) -> bool:
    """Whether a sentence is headed with a subject, labelled with it or begins with it."""
    heads = (*unit.place[-1:], unit.label, " ".join(unit.text.split(maxsplit=2)[:2]))
    return any(key <= frozenset(stems_in(head)) for head in heads)


def _own_words(unit: Unit, others: Set[str]) -> frozenset[str]:
    """The words of a sentence that can bind it to another; a small number does not."""
    said = frozenset(stems_in(f"{unit.label} {unit.text}")) - others
    numbered = _WITH_NUMBER.findall(unit.text.lower())
    return frozenset(stem for stem in said if not stem.isdigit() or len(stem) > _SMALL).union(
        numbered
    )


def worth_among(thread: Sequence[Unit], stated: Set[int], key: Set[str]) -> Callable[[Unit], float]:
    """What each sentence of a thread tells of it: what it states, and what others say more of.

    One that names the subject tells of it for sure, and one that says how it ended tells most.
    """
    days = days_of(thread)

    def worth(unit: Unit) -> float:
        plain = cues.plainness(unit.text)
        if is_announced(unit):
            plain = max(plain, STATED)
        plain += _STATES * (unit.at in stated) + _ENDED * (weeks_in([unit]) > 1)
        plain += _NAMES * bool(key & frozenset(stems_in(f"{unit.label} {unit.text}")))
        exact = 0.25 * min(4, len(unit.firm))
        slight = _SLIGHT * (not exact and not plain)
        return unit.worth * (plain + exact + talked_of(unit, days) - slight)

    return worth


def is_told_alone(unit: Unit) -> bool:
    """Whether a sentence says something without the one before it."""
    if _LEANS.match(unit.text):
        return False
    return bool(unit.firm) or sum(1 for stem in unit.stems if stem not in COMMON_STEMS) >= _WORDS


def is_announced(unit: Unit) -> bool:
    """Whether a sentence is the decision that its line is labelled as."""
    if unit.text[:_HEAD].lower() not in unit.entry.text[: 3 * _HEAD].lower():
        return False
    return cues.announced(cues.label_of(unit.entry.text)) == cues.DECISIONS


def days_of(units: Sequence[Unit]) -> dict[str, set[object]]:
    """The days on which each word stands."""
    days: dict[str, set[object]] = {}
    for unit in units:
        for stem in set(unit.stems):
            days.setdefault(stem, set()).add(unit.entry.day)
    return days


def talked_of(unit: Unit, days: Mapping[str, Set[object]]) -> float:
    """On how many days a sentence's words stand, those that most days have."""
    telling = {stem for stem in unit.stems if stem not in COMMON_STEMS and stem.isalpha()}
    talked = sorted((len(days[stem]) for stem in telling), reverse=True)[:3]
    return sum(log(n) for n in talked) / 3


def _cut(unit: Unit) -> Iterator[Unit]:
    """The sentence without what is said after it, or in a clause of its own, where it keeps its reserve."""
    if _ends_of(unit):
        # What tells its end is told with it.
        return
    match = _CLAUSE.search(unit.text)
    heads = [unit.text[: match.start()]] if match else []
    for head in (*heads, *split(unit.text)[:1]):
        # Half a quotation or half a bracket is debris.
        whole = head.count('"') % 2 == 0 and head.count("(") == head.count(")")
        if head != unit.text and whole and cues.hedges(head) == cues.hedges(unit.text):
            cut = replace(unit, text=head, tokens=tokens_in(head))
            if is_told_alone(cut):
                yield cut


def one_a_week(thread: Sequence[Unit], worth: Callable[[Unit], float]) -> list[Unit]:
    """Of each week the sentence that is worth most."""
    best: dict[str, Unit] = {}

    def rank(unit: Unit) -> tuple[str, float]:
        # What tells an end weeks later says most of what became of it.
        return max(all_weeks([unit])), worth(unit)

    for unit in thread:
        own = week(unit)
        if own not in best or rank(unit) > rank(best[own]):
            best[own] = unit
    return sorted(best.values(), key=lambda unit: unit.at)


def weeks_in(units: Sequence[Unit]) -> int:
    return len(all_weeks(units))


def all_weeks(units: Sequence[Unit]) -> set[str]:
    """The weeks some sentences tell of: an item that is told with its end tells of both."""
    return {week(one) for unit in units for one in (unit, *_ends_of(unit))}


def _ends_of(unit: Unit) -> list[Unit]:
    """What a sentence is told with: how it ended, or what reversed it."""
    told = [(one, day_words(one.entry)) for one in unit.folded if one.must]
    return [
        one for one, day in told if f"{day} - " in unit.text or f"Reversed on {day}: " in unit.text
    ]


def part_of(subject: str, thread: Sequence[Unit]) -> list[Unit]:
    """The first sentence, the last week's, one of each between while there is room, then the others."""
    first, seen = thread[0], {week(thread[0])}
    chosen = [first]
    places = {first.at}
    later = [unit for unit in thread[1:] if week(unit) not in seen]
    spread = {unit.at for unit in later[:-1]}
    for unit in [*later[-1:], *later[:-1], *thread[1:]]:
        if unit.at in places or (unit.at in spread and week(unit) in seen):
            continue
        wider = sorted([*chosen, unit], key=lambda unit: unit.at)
        if tokens_in(text_of(subject, wider)) < LIMIT:
            chosen = wider
            places.add(unit.at)
            seen.add(week(unit))
    return chosen


def text_of(subject: str, part: Sequence[Unit]) -> str:
    """The thread in words: its subject, then each day with what was said, the first with its year."""
    said = []
    day = None
    for number, unit in enumerate(part):
        words = f"{unit.label}: {unit.text}" if unit.label else unit.text
        if unit.entry.day != day:
            mark = day_words(unit.entry) if number else date_mark(unit.entry).rstrip(":")
            words = f"{mark} - {words}"
        day = unit.entry.day
        said.append(closed(words, last=number == len(part) - 1))
    return " ".join([f"{subject[0].upper()}{subject[1:]}:", *said])
