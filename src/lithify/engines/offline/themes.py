"""Themes of a month: what one subject saw over several weeks, told together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import log

from lithify import cues
from lithify.atoms import find_atoms
from lithify.calendar import week_of
from lithify.dates import MONTHS, WEEKDAYS
from lithify.engines.offline.bullets import Bullet, closed, day_words, packed
from lithify.engines.offline.pairs import Matter
from lithify.engines.offline.text import LIMIT, tokens_in
from lithify.engines.offline.units import Unit, stems_in, subject_of
from lithify.engines.offline.words import COMMON_STEMS, is_common, is_empty

#: From here on a sentence says outright that something was achieved or decided.
_STATED = 2.5
#: A name in more units than these, and in more than this share of them, is no subject.
_CAST = 4
_EVERYWHERE = 0.06
_WORDS = re.compile(r"(?<![\w-])[^\W\d_][\w-]*")
_NAME = 4
#: Where a clause begins that a sentence can do without; a denial or a condition is none.
_CLAUSE = re.compile(
    r"(?<=\w\w\w)(?:; (?!but|not|no\b|if|only)|, (?:which|where|who|because|since|so|with|while)\b | because )"
)
#: Where a clause begins that a sentence can do without; a denial or a condition is none.
_CLAUSE = re.compile(
    r"(?<=\w\w\w)(?:; (?!but|not|no\b|if|only)|, (?:which|where|who|because|since|so|with|while)\b | because )"
)
#: What only a person does stands after a person's name.
_PERSON = re.compile(
    r"\b([^\W\d_a-z][\w-]+)(?:'s (?:view|word|load|desk|hand|idea)|,? (?:who|(?:\w+ly )?(?:thinks?|thought|suspects?|"
    r"corrected|reminded|told|said|says|likes|prefers|laughed|hopes|asked|wants|wrote|built|found|took|"
    r"takes|agreed|argued|noticed|knows|drafts?|rewrote|rewrites|owns|explained|insists|works|was out|is out|"
    r"is back|is on|called|looked|read|ran|tried|made|fixed|brought|came|went|had|has)))\b"
)
#: What may stand between two nouns that name one thing.
_LINK = re.compile(r" (?:(?:of|in|for|on|to|from|with|the|a|an|at|by) ){0,2}")
_SHORT_MONTHS = frozenset(name[:3].title() for name in MONTHS)
#: Shorter ones are abbreviations of a kind of thing (`PR`, `API`), not of one thing.
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Theme:
    """What a thread is about, in words."""

    subject: str


def themes_of(units: Sequence[Unit]) -> dict[int, Theme]:
    """For each place among the units the subject it shares with other weeks: heading, or a name.

    A name that stands in many of the units says nothing about any of them.
    """
    found: dict[int, Theme] = {}
    headed: dict[frozenset[str], list[Unit]] = {}
    named: dict[str, list[tuple[Unit, str]]] = {}
    for unit in units:
        if not unit.entry.day:
            continue
        _, stems = subject_of(unit.place)
        if stems:
            headed.setdefault(stems, []).append(unit)
        for atom in find_atoms(unit.text):
            if atom.kind == "name" and not atom.loose and len(atom.text) > _SHORTEST:
                named.setdefault(atom.key, []).append((unit, atom.text.removesuffix("'s")))
    most = max(_CAST, int(len(units) * _EVERYWHERE))
    for thread in headed.values():
        if len(thread) <= 2 * most and _weeks(thread) > 1:
            theme = Theme(subject_of(thread[0].place)[0])
            found.update(dict.fromkeys((unit.at for unit in thread), theme))
    rarest = sorted(named.items(), key=lambda pair: (len(pair[1]), pair[0]))
    for _, said in rarest:
        free = [unit for unit, _ in said if unit.at not in found]
        if len(said) <= most and _weeks(free) > 1:
            found.update(dict.fromkeys((unit.at for unit in free), Theme(said[0][1])))
    return found


def headlines(units: Sequence[Unit]) -> list[Unit]:
    """What was achieved and decided, first what is said most plainly and of what most days speak."""
    days: dict[str, set[object]] = {}
    for unit in units:
        for stem in set(unit.stems):
            days.setdefault(stem, set()).add(unit.entry.day)

    def weight(unit: Unit) -> float:
        telling = {stem for stem in unit.stems if stem not in COMMON_STEMS and stem.isalpha()}
        talked = sorted((len(days[stem]) for stem in telling), reverse=True)[:3]
        return cues.plainness(unit.text) + sum(log(n) for n in talked) / 3

    stated = [unit for unit in units if cues.plainness(unit.text) >= _STATED]
    return sorted(stated, key=lambda unit: (-weight(unit), unit.at))


def leading_themes(units: Sequence[Unit], room: int) -> dict[int, Theme]:
    """The sentences that tell the subjects most weeks speak of, a bullet for each, while room lasts.

    A subject is two nouns that stand together in sentences of several weeks.
    """
    most = max(2 * _CAST, int(len(units) * _EVERYWHERE))
    threads: dict[frozenset[str], list[Unit]] = {}
    names: dict[frozenset[str], Counter[str]] = {}
    for unit in units:
        if unit.entry.day is None or cues.is_routine(unit.text):
            continue
        for key, words in _subjects(unit.text).items():
            threads.setdefault(key, []).append(unit)
            names.setdefault(key, Counter())[words] += 1
    _add_matters(units, threads, names)
    ranked = sorted(
        (key for key, thread in threads.items() if len(thread) <= most and _weeks(thread) > 1),
        key=lambda key: (-_spread(threads[key]), threads[key][0].at, sorted(key)),
    )
    found: dict[int, Theme] = {}
    told: set[str] = set()
    for key in ranked:
        theme = Theme(min(names[key], key=lambda words: (-names[key][words], words)))
        free = [unit for unit in threads[key] if unit.at not in found]
        if _weeks(free) < 2 or key & told:
            continue
        part = _part(theme.subject, _one_a_week(free, _telling))
        if _weeks(part) < 2:
            part = _part(theme.subject, _trimmed(_one_a_week(free, lambda unit: -unit.tokens)))
        cost = tokens_in(_text(theme.subject, part)) + 1
        if _weeks(part) < 2 or cost > room:
            continue
        room -= cost
        told |= key
        for unit in part:
            whole = next(one for one in free if one.at == unit.at)
            whole.text, whole.tokens = unit.text, unit.tokens
            found[unit.at] = theme
    return found


def _trimmed(units: Sequence[Unit]) -> list[Unit]:
    """The sentences without what a clause of their own adds, where they keep their reserve."""
    found = []
    for unit in units:
        match = _CLAUSE.search(unit.text)
        head = unit.text[: match.start()] if match else unit.text
        if match and cues.hedges(head) == cues.hedges(unit.text) and head.count('"') % 2 == 0:
            unit = replace(unit, text=head, tokens=tokens_in(head))
        found.append(unit)
    return found


def _add_matters(
    units: Sequence[Unit],
    threads: dict[frozenset[str], list[Unit]],
    names: dict[frozenset[str], Counter[str]],
) -> None:
    """Threads of what was achieved, decided or left open, with the later weeks' words on it."""
    stated = [unit for unit in units if unit.entry.day and cues.plainness(unit.text) >= _STATED]
    places = {unit.at for unit in stated}
    matter = Matter(units, lambda unit: unit.at in places)
    for unit in stated:
        later = [one for one in matter.later(unit) if _week(one) != _week(unit)]
        if not later:
            continue
        shared = set(unit.stems).intersection(*(one.stems for one in later[-1:]))
        name = _shared_name(unit.text, shared)
        key = frozenset(stems_in(name))
        if name and key not in threads:
            threads[key] = [unit, *later]
            names[key] = Counter([name])


def _shared_name(text: str, shared: Set[str]) -> str:
    """The longest run of words in a text that another sentence shares, if it names a thing."""
    best, before, start = "", 0, 0
    run = 0
    for match in _WORDS.finditer(text):
        if not (_is_noun(match[0]) and shared >= set(stems_in(match[0]))):
            continue
        if not run or not _LINK.fullmatch(text[before : match.start()]):
            run, start = 0, match.start()
        run, before = run + 1, match.end()
        name = text[start:before]
        if run <= _NAME and (run, len(name)) > (best.count(" ") + bool(best), len(best)):
            best = name
    return best


def _spread(thread: Sequence[Unit]) -> float:
    """How widely a subject is spoken of, and how much is said of it."""
    plainest = max(cues.plainness(unit.text) for unit in thread)
    return _weeks(thread) * log(1 + _days(thread)) * (1 + 0.2 * plainest)


def _subjects(text: str) -> dict[frozenset[str], str]:
    """The pairs of nouns that stand together in a text, by their stems, in its words."""
    found: dict[frozenset[str], str] = {}
    before, start = "", 0
    for match in _WORDS.finditer(text):
        word = match[0]
        if not _is_noun(word):
            continue
        gap = text[start : match.start()]
        # "Ana to Bo" are two people, "Ana Bo" may be one, "terms of carriage" is a thing.
        people = gap != " " and before[:1].isupper() and word[0].isupper()
        if before and not people and _LINK.fullmatch(gap):
            key = frozenset((*stems_in(before), *stems_in(word)))
            if len(key) > 1:
                found.setdefault(key, f"{before}{gap}{word}")
        before, start = word, match.end()
    return found


def _is_noun(word: str) -> bool:
    """Whether a word can name a thing, as far as its ending tells."""
    low = word.lower()
    return (
        len(word) > 2
        and not is_empty(low)
        and not is_common(low)
        and not low.endswith(("ed", "ly", "ing", "'s"))
        and low not in WEEKDAYS
        and low not in MONTHS
        and word[:3] not in _SHORT_MONTHS
    )


def _days(units: Sequence[Unit]) -> int:
    days = {unit.entry.day for unit in units}
    days.update(twin.entry.day for unit in units for twin in unit.folded)
    return len(days)


def _one_a_week(thread: Sequence[Unit], worth: Callable[[Unit], float]) -> list[Unit]:
    """Of each week the sentence that is worth most."""
    best: dict[str, Unit] = {}
    for unit in thread:
        week = _week(unit)
        if week not in best or worth(unit) > worth(best[week]):
            best[week] = unit
    return sorted(best.values(), key=lambda unit: unit.at)


def _telling(unit: Unit) -> float:
    return (
        unit.worth * (cues.plainness(unit.text) + 0.5 * min(4, len(unit.firm))) / (unit.tokens + 12)
    )


def _weeks(units: Sequence[Unit]) -> int:
    return len({_week(unit) for unit in units})


def packed_by_theme(
    units: Sequence[Unit], sections: Sequence[str], themes: Mapping[int, Theme]
) -> list[Bullet]:
    """Bullets as of a week, but a subject of several weeks is one thread of bullets naming them.

    `sections` are those whose sentences may be told in a thread; the first is where it stands.
    """
    threads: dict[str, list[Unit]] = {}
    rest: list[Unit] = []
    for unit in sorted(units, key=lambda unit: unit.at):
        theme = themes.get(unit.at)
        if theme is not None and unit.section in sections:
            threads.setdefault(theme.subject, []).append(unit)
        else:
            rest.append(unit)
    bullets: list[Bullet] = []
    for subject, thread in threads.items():
        if _weeks(thread) > 1:
            told, left = _told(subject, thread, sections[0])
            bullets += told
            rest += left
        else:
            rest += thread
    return [*packed(rest), *bullets]


def _week(unit: Unit) -> str:
    return week_of(unit.entry.day) if unit.entry.day else ""


def _told(subject: str, thread: Sequence[Unit], section: str) -> tuple[list[Bullet], list[Unit]]:
    """The thread in bullets of at most sixty tokens over several weeks, and what fits none."""
    bullets: list[Bullet] = []
    left: list[Unit] = []
    rest = list(thread)
    while rest:
        part = _part(subject, rest)
        rest = [unit for unit in rest if unit not in part]
        if _weeks(part) == 1:
            left += part
            continue
        text = _text(subject, part)
        bullets.append(Bullet(section, part, text, tokens_in(text) + 1))
    return bullets, left


def _part(subject: str, thread: Sequence[Unit]) -> list[Unit]:
    """The first sentence, one of each later week while there is room, then the others."""
    first, seen = thread[0], {_week(thread[0])}
    chosen = [first]
    later = [unit for unit in thread[1:] if _week(unit) not in seen]
    for unit in [*later, *thread[1:]]:
        if unit in chosen or (unit in later and _week(unit) in seen and unit is not later[-1]):
            continue
        wider = sorted([*chosen, unit], key=lambda unit: unit.at)
        if tokens_in(_text(subject, wider)) < LIMIT:
            chosen = wider
            seen.add(_week(unit))
    return chosen


def _text(subject: str, part: Sequence[Unit]) -> str:
    weeks = sorted({_week(unit) for unit in part})
    said = []
    day = None
    for number, unit in enumerate(part):
        words = f"{unit.label}: {unit.text}" if unit.label else unit.text
        if unit.entry.day != day:
            words = f"{day_words(unit.entry)} - {words}"
        day = unit.entry.day
        said.append(closed(words, last=number == len(part) - 1))
    return f"{subject} ({weeks[0]} to {weeks[-1]}): {' '.join(said)}"
