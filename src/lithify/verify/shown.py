"""What a writer was shown, and what each entry of it vouches for beside its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property, lru_cache

from lithify.text.atoms.names import names_in
from lithify.text.language import language_of, word_list
from lithify.text.stems import words_of
from lithify.values import Entry

#: Entries so near to each other under one heading are one passage.
_CLOSE = 3
#: Entries read to tell the language.
_READ = 400
_CLOCK = re.compile(r"\W*\d{1,2}[:.]\d\d(?:\s*[–-]\s*\d{1,2}[:.]\d\d)?\W+")
#: Who speaks: a name of up to three words before a colon.
_SPEAKER = re.compile(r"\W*([^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,2}):\s")
#: A day of a month that is not named: "the 18th", "am 18."
_ORDINAL = re.compile(r"\b(?:the|am|zum|vom|dem|bis) (\d{1,2})(?:st|nd|rd|th|\.)(?!\w)(?!\s*\d)")
#: Days around an entry in which such a day is looked for.
_AROUND = 35


@dataclass(frozen=True)
class Shown:
    """The entries a writer was shown, looked up by id; `agent` is who kept the log."""

    entries: Mapping[str, Entry]
    agent: str = ""

    @staticmethod
    def of(entries: Sequence[Entry], agent: str = "") -> Shown:
        return Shown({entry.id: entry for entry in entries}, agent)

    @cached_property
    def language(self) -> str:
        read = [entry.text for _, entry in zip(range(_READ), self.entries.values(), strict=False)]
        return language_of(" ".join(read))

    @cached_property
    def _neighbours(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries right before and after each one under the same heading."""
        found: dict[str, tuple[Entry, ...]] = {}
        last: Entry | None = None
        for entry in self.entries.values():
            if last and (last.path, last.day, last.headings) == (
                entry.path,
                entry.day,
                entry.headings,
            ):
                found[entry.id] = (*found.get(entry.id, ()), last)
                found[last.id] = (*found.get(last.id, ()), entry)
            last = entry
        return found

    def passages(self, ids: Sequence[str]) -> list[tuple[Entry, ...]]:
        """The entries of these ids, those that stand close together under one heading as one."""
        found: list[list[Entry]] = []
        for id in sorted((id for id in ids if id in self.entries), key=self._places.__getitem__):
            last = found[-1][-1] if found else None
            entry = self.entries[id]
            if last and _is_close(last, entry, self._places[id] - self._places[last.id]):
                found[-1].append(self.ground(id))
            else:
                found.append([self.ground(id)])
        return list(map(tuple, found))

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {id: n for n, id in enumerate(self.entries)}

    def ground(self, id: str) -> Entry:
        """An entry with what vouches for it beside its words: who keeps the log, who is spoken to.

        They stand as one more heading above it.
        """
        entry = self.entries[id]
        beside = dict.fromkeys(self._beside(entry))
        return replace(entry, headings=(*entry.headings, *beside)) if beside else entry

    def _beside(self, entry: Entry) -> Iterator[str]:
        if self.agent and speaks_for_itself(entry.text, self.language):
            yield self.agent
        for neighbour in self._neighbours.get(entry.id, ()):
            if speaker := speaker_of(neighbour.text):
                yield speaker
        if entry.day:
            yield from (day.isoformat() for day in _ordinals(entry.text, entry.day))


def _is_close(one: Entry, other: Entry, apart: int) -> bool:
    """Whether two entries stand so close that one is read with the other."""
    if (one.path, one.day) != (other.path, other.day):
        return False
    shorter = min(len(one.headings), len(other.headings))
    return apart <= _CLOSE and one.headings[:shorter] == other.headings[:shorter]


def speaker_of(text: str) -> str:
    """Who says an entry, where its text begins with a name and a colon."""
    match = _SPEAKER.match(text)
    return match[1] if match else ""


@lru_cache(maxsize=1 << 12)
def speaks_for_itself(text: str, language: str) -> bool:
    """Whether who keeps the log may be the one an entry speaks of.

    It is in the first person, or its first word is no name, so that it may have no subject.
    """
    said = _CLOCK.sub("", text, count=1) if _CLOCK.match(text) else text
    if not word_list(language, "first_person").isdisjoint(words_of(said)):
        return True
    return not any(atom.start == 0 and not atom.loose for atom in names_in(f"– {said}"[2:])) and (
        not speaker_of(said)
    )


def _ordinals(text: str, day: date) -> Iterator[date]:
    """The days that a bare ordinal may mean: the nearest before and the nearest after."""
    for match in _ORDINAL.finditer(text):
        wanted = int(match[1])
        for way in (1, -1):
            near = (day + timedelta(way * n) for n in range(_AROUND))
            if found := next((each for each in near if each.day == wanted), None):
                yield found
