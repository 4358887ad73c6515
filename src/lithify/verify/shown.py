"""What a writer was shown, and what each entry of it vouches for beside its own words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice

from lithify.text.atoms import Atom, support_of
from lithify.text.atoms.names import ACTS, bare_word, names_in
from lithify.text.atoms.support import holds
from lithify.text.dates.possible import possible_days, possible_months, possible_times
from lithify.text.language import language_of, word_list
from lithify.text.speakers import said, speaker_of
from lithify.text.stems import words_of
from lithify.values import Brief, Entry
from lithify.verify.clauses import joint

#: Entries before one whose names it may mean.
_BEFORE = 8
#: Characters of an entry, and of a clause, that are read for who does something.
_LONGEST, _BEGINNING = 4000, 60
#: Entries read to tell the language.
_READ = 400
_CLOCK = re.compile(r"\W*\d{1,2}[:.]\d\d(?:\s*[–-]\s*\d{1,2}[:.]\d\d)?\W+")
_SMALL = re.compile(r"(?<![^\W\d_])[a-zäöüß]{2,}")
#: What goes on after who does something.
_GOES_ON = re.compile(r"(?:['’]s)? [a-zäöüß]|,? (?:and|und|&) [A-Z]")


@dataclass(frozen=True)
class Shown:
    """The entries a writer was shown, looked up by id; `agent` is who kept the log.

    `labels` are the short names of the entries in the prompt.
    """

    entries: Mapping[str, Entry]
    agent: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(entries: Sequence[Entry], agent: str = "") -> Shown:
        return Shown({entry.id: entry for entry in entries}, agent)

    @staticmethod
    def to_writer(brief: Brief) -> Shown:
        """What a brief shows its writer, with the labels it may cite."""
        labels = {ids[0]: label for label, ids in brief.labels.items() if len(ids) == 1}
        return Shown({entry.id: entry for entry in brief.entries}, brief.agent_name, labels)

    def label(self, id: str) -> str:
        """An entry as its writer knows it."""
        return f"[{self.labels[id]}]" if id in self.labels else id

    def says(self, atom: Atom, id: str) -> bool:
        """Whether an entry holds a specific in its own words."""
        return atom.text in self.entries[id].text

    @cached_property
    def language(self) -> str:
        """The language of the entries; a few plain words are taken for English."""
        text = " ".join(entry.text for entry in islice(self.entries.values(), _READ))
        return language_of(text) or ("English" if text.isascii() else "")

    @cached_property
    def _neighbours(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries right before and after each one under the same heading."""
        found: dict[str, tuple[Entry, ...]] = {}
        last: Entry | None = None
        for entry in self.entries.values():
            if last and (last.path, last.headings) == (entry.path, entry.headings):
                found[entry.id] = (*found.get(entry.id, ()), last)
                found[last.id] = (*found.get(last.id, ()), entry)
            last = entry
        return found

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {id: n for n, id in enumerate(self.entries)}

    @cached_property
    def is_talk(self) -> bool:
        """Whether most entries begin with who says them."""
        spoken = sum(bool(speaker_of(entry.text)) for entry in self.entries.values())
        return 2 * spoken > len(self.entries)

    @cached_property
    def doers(self) -> frozenset[str]:
        """The names that begin a clause and go on with a verb, or speak: persons and the like."""
        found: set[str] = set()
        small: set[str] = set()
        for entry in self.entries.values():
            text = _CLOCK.sub("", entry.text, count=1) if _CLOCK.match(entry.text) else entry.text
            small.update(map(bare_word, _SMALL.findall(text)))
            if speaker := speaker_of(text):
                if self.is_talk:
                    found.add(bare_word(speaker))
                text = said(text)
            for piece in joint(self.language).split(text[:_LONGEST]):
                first = piece.lstrip()[:_BEGINNING]
                if first[:1].isupper():
                    for atom in names_in(first)[:1]:
                        if atom.start == 0 and _GOES_ON.match(first, atom.end):
                            found.add(atom.key)
        return frozenset(name for name in found if name not in small) - self._with_article

    @cached_property
    def _with_article(self) -> frozenset[str]:
        """The words with a capital that mostly stand after an article."""
        articles = word_list(self.language, "articles")
        if not articles:
            return frozenset()
        pair = re.compile(r"(\w+)\s+([A-ZÄÖÜ][\wäöüß-]+)")
        after: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        for entry in self.entries.values():
            for before, word in pair.findall(entry.text):
                seen[bare_word(word)] += 1
                after[bare_word(word)] += before.lower() in articles
        return frozenset(word for word, count in after.items() if 2 * count > seen[word])

    def ground(self, id: str) -> Entry:
        """An entry with what vouches for it beside its words: who keeps the log, who is spoken to.

        They stand as one more heading above it.
        """
        if id not in self._grounds:
            entry = self.entries[id]
            beside = dict.fromkeys(self._beside(entry))
            self._grounds[id] = replace(entry, headings=(*entry.headings, *beside))
        return self._grounds[id]

    @cached_property
    def missing(self) -> dict[tuple[str, ...], tuple[Atom, ...]]:
        """What texts lack in the entries they cite, as far as it was looked for."""
        return {}

    @cached_property
    def _grounds(self) -> dict[str, Entry]:
        return {}

    def is_missing(self, atom: Atom, text: str, cited: Sequence[Entry]) -> bool:
        """Whether a word with a capital that the entries do not have is a name, as far as can be told.

        Where nouns have capitals too, a name is who does something somewhere in the log and never
        has an article.
        """
        if self._is_fuller(atom, cited):
            return False
        if not word_list(self.language, "articles"):
            sure = not atom.loose or " " in atom.key or atom.key in self.doers
            return sure or ACTS.match(text, atom.end) is not None
        names = " ".join(word for word in atom.key.split() if word in self.doers)
        return bool(names) and not any(
            holds(replace(atom, key=names), support_of(entry)) for entry in cited
        )

    def _is_fuller(self, atom: Atom, cited: Sequence[Entry]) -> bool:
        """Whether a name is that of somebody the entries name in part: "Gwen" is "Gwen Tarrow"."""
        words = atom.key.split()
        if len(words) < 2 or atom.text.removesuffix("'s") not in self._everything:
            return False
        parts = (replace(atom, key=word) for word in words)
        return any(holds(part, support_of(entry)) for part in parts for entry in cited)

    @cached_property
    def _everything(self) -> str:
        return "\n".join(entry.text for entry in self.entries.values())

    def _beside(self, entry: Entry) -> Iterator[str]:
        if self.agent and speaks_for_itself(entry.text, self.language):
            yield self.agent
        for neighbour in self._neighbours.get(entry.id, ()):
            if speaker := speaker_of(neighbour.text):
                yield speaker
        if self._points_back(entry):
            yield from self._named_before(entry)
        if entry.day:
            words = " ".join((entry.text, entry.lead))
            days = possible_days(words, entry.day, self.language)
            yield from (day.isoformat() for day in days)
            yield from possible_times(words, self.language)
            yield from possible_months(words, entry.day)

    def _points_back(self, entry: Entry) -> bool:
        """Whether an entry speaks of somebody without a name."""
        words = frozenset(words_of(entry.text))
        if not words.isdisjoint(word_list(self.language, "third_person")):
            return True
        return not any(atom.key in self.doers for atom in names_in(said(entry.text)))

    def _named_before(self, entry: Entry) -> Iterator[str]:
        """The names in the entries right before one, under the same heading."""
        at = self._places[entry.id]
        for other in self._in_order[max(0, at - _BEFORE) : at]:
            if (other.path, other.headings) == (entry.path, entry.headings):
                yield from (atom.text for atom in names_in(other.text) if atom.key in self.doers)

    @cached_property
    def _in_order(self) -> tuple[Entry, ...]:
        return tuple(self.entries.values())


@lru_cache(maxsize=1 << 12)
def speaks_for_itself(text: str, language: str) -> bool:
    """Whether who keeps the log may be the one an entry speaks of.

    It is in the first person, or its first word is no name, so that it may have no subject.
    """
    words = _CLOCK.sub("", text, count=1) if _CLOCK.match(text) else text
    if not word_list(language, "first_person").isdisjoint(words_of(words)):
        return True
    named = any(atom.start == 0 and not atom.loose for atom in names_in(words))
    return not named and not speaker_of(words)
