"""What sentences of several weeks are about: pairs of nouns, names of things, matters taken up again."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set

from lithify import cues
from lithify.atoms import find_atoms
from lithify.calendar import week_of
from lithify.dates import MONTHS, WEEKDAYS
from lithify.engines.offline.matter import Matter
from lithify.engines.offline.units import Unit, stem_counts, stems_in
from lithify.engines.offline.words import COMMON_STEMS, is_common, is_empty

#: From here on a sentence says outright that something was achieved or decided.
STATED = 2.5
_WORDS = re.compile(r"(?<![\w-])[^\W\d_][\w-]*")
_NAME = 4
#: So many times the same line with other figures is routine.
_DAILY = 3
#: What may stand between two nouns that name one thing.
_LINK = re.compile(r" (?:(?:of|in|for|on|from|with|at|by) (?:(?:the|a|an) )?)?")
#: A noun stands after one of these; a verb does not.
_BEFORE_NOUN = frozenset(
    [
        "the",
        "a",
        "an",
        "our",
        "their",
        "its",
        "his",
        "her",
        "my",
        "your",
        "this",
        "that",
        "these",
        "those",
        "each",
        "every",
        "any",
        "no",
        "some",
        "another",
        "both",
        "of",
        "in",
        "on",
        "for",
        "from",
        "with",
        "at",
        "by",
        "about",
        "into",
        "over",
        "under",
        "after",
        "before",
        "without",
        "new",
        "old",
        "next",
        "first",
        "last",
        "second",
        "current",
        "whole",
    ]
)
#: What only a person does or has stands after a person's name.
_PERSON = re.compile(
    r"\b([^\W\d_a-z][\w-]+)(?:'s (?:view|word|load|desk|hand|idea|call)|,? (?:who|(?:\w+ly )?(?:thinks?|thought|suspects?|"
    r"corrected|reminded|told|said|says|likes|prefers|laughed|hopes|asked|asks|wants|wanted|wrote|built|found|took|"
    r"takes|agreed|argued|noticed|knows|drafts?|rewrote|rewrites|owns|explained|insists|works|was out|is out|"
    r"is back|is on|called|looked|read|ran|tried|made|fixed|brought|came|went|had|has|confirmed|flagged)))\b|"
    r"\b(?:Mrs?\.?|Ms\.?|Dr\.?|(?:sent|told|asked|reminded|called|gave|showed|thanked|met|spoke|talked)(?: to| with)?)"
    r" ([^\W\d_a-z][\w-]+)"
)
#: Who does one of these is a party to the work and not what it is about.
_ACTS = re.compile(
    r"\b([^\W\d_a-z][\w-]+) (?:sent|sends|signed|approved|approves|decided|decides|holds|worries|warns|proposes|proposed|"
    r"measured|promises|promised|answered|answers|needs|paid|pays|agrees|agreed|reports|reported|starts|plans|suggested|moved|"
    r"will|would|does|did|must|may)\b"
)
_ASIDE = re.compile(
    r"\s(?:because|since|when|while|so that|which|who|until|unless|if|where|according to)\s"
)
_SHORT_MONTHS = frozenset(name[:3].title() for name in MONTHS)
#: Shorter ones are abbreviations of a kind of thing (`PR`, `API`), not of one thing.
SHORTEST = 3


class Threads:
    """Sentences by the subject they share, and the words each subject was named with."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.units: dict[frozenset[str], list[Unit]] = {}
        self._names: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)
        nominal: set[frozenset[str]] = set()
        people = set(persons(units))
        actors = {match[1] for unit in units for match in _ACTS.finditer(unit.text)}
        lines = Counter(map(_frame, units))
        # The same line with another number each day is routine, whatever it is about.
        told = [
            unit
            for unit in units
            if unit.entry.day and not cues.is_routine(unit.text) and lines[_frame(unit)] < _DAILY
        ]
        known = {key for unit in told for key, _ in names_in(unit.text)}
        for unit in told:
            # What a sentence is about stands in its main clause.
            said = _ASIDE.split(unit.text, maxsplit=1)[0]
            for key, words, is_noun_phrase in _pairs(said):
                self._add(key, words, unit)
                if is_noun_phrase:
                    nominal.add(key)
            for key, words in names_in(unit.text, known):
                if not people & set(words.split()) and words not in actors:
                    self._add(key, words, unit)
                    nominal.add(key)
        for key in self.units.keys() - nominal:
            del self.units[key]
        self._add_matters(units)

    def _add(self, key: frozenset[str], words: str, unit: Unit) -> None:
        thread = self.units.setdefault(key, [])
        if not thread or thread[-1] is not unit:
            thread.append(unit)
        self._names[key][words] += 1

    def name(self, key: frozenset[str]) -> str:
        """The words a subject is named with most often."""
        counts = self._names[key]
        return min(counts, key=lambda words: (-counts[words], words))

    def _add_matters(self, units: Sequence[Unit]) -> None:
        """Threads of what was achieved, decided or left open, with the later weeks' words on it."""
        stated = [unit for unit in units if unit.entry.day and cues.plainness(unit.text) >= STATED]
        places = {unit.at for unit in stated}
        matter = Matter(units, lambda unit: unit.at in places)
        for unit in stated:
            later = [one for one in matter.later(unit) if week(one) != week(unit)]
            if not later:
                continue
            shared = set(unit.stems).intersection(*(one.stems for one in later[-1:]))
            name = _shared_name(unit.text, shared)
            key = frozenset(stems_in(name))
            if name and key not in self.units:
                self.units[key] = [unit, *later]
                self._names[key] = Counter([name])


def week(unit: Unit) -> str:
    """The week of a unit's day, or nothing."""
    return week_of(unit.entry.day) if unit.entry.day else ""


def persons(units: Sequence[Unit]) -> Iterator[str]:
    """The names that stand where only a person's can."""
    for unit in units:
        for match in _PERSON.finditer(unit.text):
            yield match[1] or match[2]
        if unit.label:
            yield from unit.label.split()


def names_in(
    text: str, known: Set[frozenset[str]] = frozenset()
) -> Iterator[tuple[frozenset[str], str]]:
    """The proper names of a text by their stems.

    What may only begin a sentence is one where the same words are `known` as a name elsewhere.
    """
    for atom in find_atoms(text):
        if atom.kind == "name" and len(atom.text) > SHORTEST and (not atom.loose or known):
            words = atom.text.removesuffix("'s")
            key = frozenset(stems_in(words))
            if key and (not atom.loose or key in known):
                yield key, words


def coherent(thread: Sequence[Unit], subject: Set[str], rare: Set[str]) -> list[Unit]:
    """Those of a thread that share one rare word beside their subject, over the most weeks.

    And those that share such a word with one of them, and so on: a story has many words.
    """
    sharing: dict[str, list[Unit]] = {}
    for unit in thread:
        for stem in (set(unit.stems) & rare) - subject:
            sharing.setdefault(stem, []).append(unit)
    core = max(
        (one for _, one in sorted(sharing.items())),
        key=lambda one: (len({week(unit) for unit in one}), len(one)),
        default=[],
    )
    found = {unit.at for unit in core}
    wider = len(found) > 1
    while wider:
        near = {
            unit.at
            for one in sharing.values()
            if any(unit.at in found for unit in one)
            for unit in one
        }
        wider, found = near > found, near | found
    return [unit for unit in thread if unit.at in found]


def rare_stems(units: Sequence[Unit], most: int) -> frozenset[str]:
    """The telling stems that stand in few of the units."""
    return frozenset(
        stem
        for stem, count in stem_counts(units).items()
        if count <= most and stem not in COMMON_STEMS and not stem.isdigit()
    )


def _pairs(text: str) -> Iterator[tuple[frozenset[str], str, bool]]:
    """The pairs of nouns that stand together, by their stems, and whether as nouns do."""
    before, start, opened, last = "", 0, False, ""
    seen: set[frozenset[str]] = set()
    for match in _WORDS.finditer(text):
        word = match[0]
        # "The booking fee" is a thing, and so is "the double booking".
        if not _is_noun(word) and not (word.endswith("ing") and _is_noun(word[:-3])):
            last = word.lower()
            continue
        gap = text[start : match.start()]
        # "Ana to Bo" are two people, "Ana Bo" may be one, "terms of carriage" is a thing.
        people = gap != " " and before[:1].isupper() and word[0].isupper()
        if before and not people and _LINK.fullmatch(gap):
            key = frozenset((*stems_in(before), *stems_in(word)))
            if len(key) > 1 and key not in seen:
                seen.add(key)
                yield (
                    key,
                    f"{before}{gap}{word}",
                    opened or (before[0].isupper() and word[0].isupper()),
                )
        opened = last in _BEFORE_NOUN and bool(
            re.fullmatch(r"\W", text[match.start() - 1 : match.start()])
        )
        before, start, last = word, match.end(), ""


def _frame(unit: Unit) -> tuple[str, ...]:
    """The words of a sentence without its figures."""
    return tuple(stem for stem in unit.stems if not stem[0].isdigit())


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
    return best if " " in best else ""


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
        and low not in _NO_NOUNS
        and word[:3] not in _SHORT_MONTHS
    )


_NO_NOUNS = frozenset(
    [
        "whether",
        "within",
        "across",
        "among",
        "toward",
        "towards",
        "versus",
        "via",
        "per",
        "unless",
        "although",
    ]
)
