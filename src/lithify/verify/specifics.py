"""Figures, dates, names and quotations of a claim against the entries that its writer was shown.

An entry vouches for more than its words: for its day and the days it may mean, for the headings, the
lead-in and the bold line above it, for who keeps the log and who is spoken to, and for what follows
from its figures and dates. What no entry vouches for may not be written.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, localcontext
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from itertools import combinations, islice

from lithify.calendar import parse_day
from lithify.regex import regex
from lithify.text.dates.find_dates import possible_days, possible_months, possible_times
from lithify.text.language import FUNCTION_WORDS, in_any_language, language_of, word_list
from lithify.text.sentences import said, speaker_of
from lithify.text.specifics import Atom, find_atoms, support_of, support_of_text, unsupported
from lithify.text.specifics.find import SPELLED, bare_word, names_in
from lithify.text.specifics.support import holds, share_a_stem
from lithify.text.stems import COMMON_STEMS, stems_of, words_of
from lithify.values import Brief, Entry

# What a writer was shown, and what each entry of it vouches for beside its own words.

#: Entries before one whose names it may mean.
_BEFORE = 8
#: Characters of an entry, and of a clause, that are read for who does something.
_LONGEST, _FIRST_WORDS = 4000, 60
#: A name is known from so many entries on.
_KNOWN = 3
#: Entries read to tell the language.
_READ = 400
#: Letters by which two forms of a word are one.
_LETTERS = 6
_CLOCK = regex(r"\W*\d{1,2}[:.]\d\d(?:\s*[–-]\s*\d{1,2}[:.]\d\d)?\W+")
_SMALL = regex(r"(?<![^\W\d_])[a-zäöüß]{2,}")
_BOLD = regex(r"\*\*[^*]+\*\*:?")
#: What goes on after who does something.
_GOES_ON = regex(r"(?:['’]s)? [a-zäöüß]|,? (?:and|und|&) [A-Z]")
#: Where one clause ends and the next may begin, in whatever language.
_STOPS = r"[.;!?:]\s+|\s*,\s+|\s*[()\[\]–—|]\s*|\s+-\s+|\s*→\s*"


@dataclass(frozen=True)
class ShownEntries:
    """The entries a writer was shown, looked up by id; `agent` is who kept the log.

    `labels` are the short names of the entries in the prompt.
    """

    entries: Mapping[str, Entry]
    agent: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(entries: Sequence[Entry], agent: str = "") -> ShownEntries:
        return ShownEntries({entry.id: entry for entry in entries}, agent)

    @staticmethod
    def to_writer(brief: Brief) -> ShownEntries:
        """What a brief shows its writer, with the labels it may cite."""
        labels = {entry.id: label for label, own in brief.lines for entry in own}
        return ShownEntries({entry.id: entry for entry in brief.entries}, brief.agent_name, labels)

    def label(self, id: str) -> str:
        """An entry as its writer knows it."""
        return f"[{self.labels[id]}]" if id in self.labels else id

    def cited(self, ids: Iterable[str]) -> list[Entry]:
        """The entries of these ids, without those that were not shown."""
        return [self.entries[id] for id in ids if id in self.entries]

    @cached_property
    def language(self) -> str:
        """The language of the entries; a few plain words are taken for English."""
        text = " ".join(entry.text for entry in islice(self.entries.values(), _READ))
        return language_of(text) or ("English" if text.isascii() else "")

    @cached_property
    def articles(self) -> frozenset[str]:
        """The articles of a language in which every noun has a capital; empty in others."""
        return word_list(self.language, "articles")

    @cached_property
    def by_stem(self) -> Mapping[str, tuple[str, ...]]:
        """The entries that hold each content word, in themselves or above them."""
        found: dict[str, list[str]] = {}
        for id, entry in self.entries.items():
            for stem in content_words(" ".join((*entry.headings, entry.lead, entry.text))):
                found.setdefault(stem, []).append(id)
        return {stem: tuple(ids) for stem, ids in found.items()}

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each entry stands among those shown."""
        return {id: n for n, id in enumerate(self.entries)}

    @cached_property
    def doers(self) -> frozenset[str]:
        """The names that begin a clause and go on with a verb, or speak: persons and the like."""
        found: set[str] = set()
        small: set[str] = set()
        spoken = sum(bool(speaker_of(entry.text)) for entry in self.entries.values())
        for entry in self.entries.values():
            text = _CLOCK.sub("", entry.text, count=1) if _CLOCK.match(entry.text) else entry.text
            small.update(map(bare_word, _SMALL.findall(text)))
            if speaker := speaker_of(text):
                if 2 * spoken > len(self.entries):
                    found.add(bare_word(speaker))
                text = said(text)
            for piece in joint(self.language).split(text[:_LONGEST]):
                first = piece.lstrip()[:_FIRST_WORDS]
                if first[:1].isupper():
                    for atom in names_in(first)[:1]:
                        if atom.start == 0 and _GOES_ON.match(first, atom.end):
                            found.add(atom.key)
        return frozenset(name for name in found if name not in small) - self._with_article

    @cached_property
    def _with_article(self) -> frozenset[str]:
        """The words with a capital that mostly stand after an article, alone and with it."""
        articles = self.articles
        if not articles:
            return frozenset()
        pair = re.compile(r"(\w+)\s+([A-ZÄÖÜ][\wäöüß-]+)")
        after: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        for entry in self.entries.values():
            for before, word in pair.findall(entry.text):
                seen[bare_word(word)] += 1
                after[bare_word(word)] += before.lower() in articles
        nouns = [word for word, count in after.items() if 2 * count > seen[word]]
        return frozenset((*nouns, *(f"{article} {noun}" for article in articles for noun in nouns)))

    def is_known(self, name: Atom) -> bool:
        """Whether a name is known all through the log: a label of one entry that has it tells nothing."""
        holding = (entry for entry in self.entries.values() if holds(name, support_of(entry)))
        return len(list(islice(holding, _KNOWN))) == _KNOWN

    def ground(self, id: str) -> Entry:
        """An entry with what vouches for it beside its words, as one more heading above it."""
        if id not in self._grounds:
            entry = self.entries[id]
            beside = dict.fromkeys(self._beside(entry))
            self._grounds[id] = replace(entry, headings=(*entry.headings, *beside))
        return self._grounds[id]

    @cached_property
    def _grounds(self) -> dict[str, Entry]:
        return {}

    @cached_property
    def missing(self) -> dict[tuple[str, ...], tuple[Atom, ...]]:
        """What texts lack in the entries they cite, as far as it was looked for."""
        return {}

    @cached_property
    def unread(self) -> dict[tuple[str, ...], tuple[Atom, ...]]:
        """What of it may be said in words that code cannot read."""
        return {}

    def _beside(self, entry: Entry) -> Iterator[str]:
        if self.agent and speaks_for_itself(entry.text, self.language):
            yield self.agent
        before, after = self._around(entry)
        yield from (speaker_of(other.text) for other in (*before[:1], *after))
        bold = (other.text for other in before if _BOLD.fullmatch(other.text.strip()))
        yield from islice(bold, 1)
        if self._points_back(entry):
            named = (atom for other in before for atom in names_in(other.text))
            yield from (atom.text for atom in named if atom.key in self.doers)
        if entry.day:
            words = f"{entry.text} {entry.lead}"
            yield from (day.isoformat() for day in possible_days(words, entry.day, self.language))
            yield from possible_times(words, self.language)
            yield from possible_months(words, entry.day)
            half, quarter = (entry.day.month + 5) // 6, (entry.day.month + 2) // 3
            yield f"{entry.day.isocalendar()[1]} H{half} Q{quarter} Q{quarter} {entry.day.year}"

    def _around(self, entry: Entry) -> tuple[list[Entry], list[Entry]]:
        """The entries before one under its heading, nearest first, and the one after it."""
        at = self.places[entry.id]

        def beside(others: Iterable[Entry]) -> list[Entry]:
            return [o for o in others if (o.path, o.headings) == (entry.path, entry.headings)]

        before = self._in_order[max(0, at - _BEFORE) : at]
        return beside(reversed(before)), beside(self._in_order[at + 1 : at + 2])

    @cached_property
    def _in_order(self) -> tuple[Entry, ...]:
        return tuple(self.entries.values())

    def _points_back(self, entry: Entry) -> bool:
        """Whether an entry speaks of somebody without a name."""
        words = frozenset(words_of(entry.text))
        if not words.isdisjoint(word_list(self.language, "third_person")):
            return True
        return not any(atom.key in self.doers for atom in names_in(said(entry.text)))


@lru_cache(maxsize=16)
def joint(language: str) -> re.Pattern[str]:
    """What stands between two clauses of a language."""
    words = "|".join(sorted(word_list(language, "joints"), key=len, reverse=True))
    return re.compile(rf"{_STOPS}|,?\s+(?=(?:{words})\b)" if words else _STOPS, re.IGNORECASE)


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


@lru_cache(maxsize=1 << 13)
def content_words(text: str) -> frozenset[str]:
    """The words of a text that tell what it is about, figures and function words left out.

    Each is cut to its first letters, by which the forms of a word are one also where code knows no
    endings; in other scripts than Latin, and without a list, words of three letters are function words.
    """
    words = frozenset(s for s in stems_of(text) if s.isalpha() and (len(s) > 3 or s.isascii()))
    return frozenset(word[:_LETTERS] for word in words - COMMON_STEMS - FUNCTION_WORDS)


# What a claim says that the entries it cites do not.

#: Counts up to this are no specifics where they are written in letters.
_SMALL_COUNT = 12
#: What stands before the first word of a sentence: nothing, or the end of another one.
_BEGINS = regex(r"(?:\A|[.!?:…。]|\n)[^\w;,]*\Z")
#: Languages with the same form of a name in every sentence, but for an "s".
_WITHOUT_CASES = frozenset(
    ("English", "German", "Dutch", "Swedish", "French", "Italian", "Portuguese", "Spanish")
)
_WEEK_LABEL = regex(r"(?:\d{4}-)?w\d\d?")


def missing(text: str, cited: Sequence[Entry], shown: ShownEntries) -> tuple[Atom, ...]:
    """The specifics of a text that the entries do not say, and that do not follow from them."""
    key = (text, *(entry.id for entry in cited))
    if key not in shown.missing:
        found = unsupported(text, cited)
        if found:
            # What vouches for an entry beside its words is only looked for where they do not do.
            grounds = [shown.ground(entry.id) for entry in cited]
            found = tuple(atom for atom in unsupported(text, grounds) if atom in found)
            found = tuple(atom for atom in found if not _stands(atom, cited))
            found = tuple(filter(None, (_specific(a, text, grounds, shown) for a in found)))
            found = tuple(atom for atom in found if not follows(atom, text, grounds))
        shown.unread[key] = tuple(atom for atom in found if _is_unread(atom, cited, shown.language))
        found = tuple(atom for atom in found if atom not in shown.unread[key])
        shown.missing[key] = found
    return shown.missing[key]


def unread(text: str, cited: Sequence[Entry], shown: ShownEntries) -> tuple[Atom, ...]:
    """The specifics of a text that may follow from words of the entries that code cannot read."""
    missing(text, cited, shown)
    return shown.unread[text, *(entry.id for entry in cited)]


def _is_unread(atom: Atom, cited: Sequence[Entry], language: str) -> bool:
    """Whether code cannot know that the entries do not say a specific.

    So it is of a name in letters that they do not have, of a day where they speak of one in words
    that only a list names ("next week" in other languages than English and German), and of a figure
    with the digits of one of theirs in a language whose words for thousands code does not know.
    """
    if atom.kind == "name":
        letters = {_script(letter) for entry in cited for letter in entry.text if letter.isalpha()}
        return _script(atom.key[0]) not in letters
    if language in ("English", "German"):
        return False
    if atom.kind == "date":
        starts = tuple(in_any_language("relative"))
        return any(word.startswith(starts) for entry in cited for word in words_of(entry.text))
    if atom.kind not in _BARE or language in ("", "Cyrillic") or word_list(language, "scales"):
        return False
    digits = re.sub(r"\D", "", atom.key).strip("0")
    figures = (a.key for entry in cited for a in find_atoms(entry.text) if a.kind in _BARE)
    return any(re.sub(r"\D", "", key).strip("0") == digits for key in figures)


@cache
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _stands(atom: Atom, cited: Sequence[Entry]) -> bool:
    """Whether a version or identifier stands in an entry as it is, also in the name of a file.

    A folder stands in the path of what lies in it.
    """
    if atom.kind == "path":
        folder = f"{atom.text.rstrip('/')}/"
        return any(folder in entry.text for entry in cited)
    if atom.kind not in ("version", "identifier"):
        return False
    as_it_is = re.compile(rf"(?<![^\W_]){re.escape(atom.text)}(?![^\W_])", re.IGNORECASE)
    return any(as_it_is.search(entry.text) for entry in cited)


def _specific(atom: Atom, text: str, cited: Sequence[Entry], shown: ShownEntries) -> Atom | None:
    """The part of an atom that is surely specific and not said; None where nothing of it is.

    A small count in words, a week's label and the first word of a sentence are none. Where every
    noun has a capital, a name is who does something somewhere in the log.
    """
    if atom.kind == "number" and atom.text[0].isalpha():
        figure = _figure(atom.key)
        return None if figure and figure[0] <= _SMALL_COUNT else atom
    if _WEEK_LABEL.fullmatch(atom.key):
        return None
    if atom.kind != "name" or _is_fuller(atom, cited, shown):
        return atom if atom.kind != "name" else None
    words = atom.key.split()
    if articles := shown.articles | word_list(language_of(text), "articles"):
        noun = not articles.isdisjoint(words_of(text[: atom.start])[-1:] + words[:1])
        words = [] if noun else [word for word in words if word in shown.doers]
    elif atom.loose and _BEGINS.search(text, 0, atom.start):
        words = [word for n, word in enumerate(words) if n or word in shown.doers]
    words = [word for word in words if not _in_another_case(word, cited, shown)]
    left = replace(atom, key=" ".join(words))
    if not words or any(holds(left, support_of(entry)) for entry in cited):
        return None
    return None if shown.is_known(left) else left


def _in_another_case(word: str, cited: Sequence[Entry], shown: ShownEntries) -> bool:
    """Whether the entries have a name in another form, where the language of the log has cases."""
    if shown.language in _WITHOUT_CASES:
        return False
    return any(share_a_stem(word, other) for entry in cited for other in support_of(entry).words)


def _is_fuller(atom: Atom, cited: Sequence[Entry], shown: ShownEntries) -> bool:
    """Whether a name is that of somebody the entries name in part: "Gwen" is "Gwen Tarrow"."""
    words = atom.key.split()
    name = atom.text.removesuffix("'s")
    if len(words) < 2 or not any(name in entry.text for entry in shown.entries.values()):
        return False
    parts = [replace(atom, key=word) for word in words]
    return any(holds(part, support_of(entry)) for part in parts for entry in cited)


# Where a missing specific stands instead.

#: Entries named where a specific stands in others than those cited.
_NAMED = 3
#: Entries that are looked at for a specific in another form than the claim has it.
_LOOKED_AT = 100
_PARTS = regex(r"\d+|[^\W\d_]{3,}")
_QUOTES = '"“”„«»`'
#: Kinds that say nothing of what they count or date: they stand in many entries by chance.
_BARE = frozenset(("number", "money", "percent", "date", "time"))
#: Words beside a figure by which two texts are of one matter, where they share no name.
_SHARED = 2


def cite_more(
    text: str, known: tuple[str, ...], lacking: Sequence[Atom], shown: ShownEntries
) -> dict[str, Atom]:
    """The nearest other entry for each missing specific that holds it, by its id.

    An entry is near only if it shares a content word with the claim, the specific's own words aside.
    A figure, date or time alone tells no matter: its entry must also share a name or two words.
    """
    added: dict[str, Atom] = {}
    for atom in lacking:
        if not _held_by(atom, (*known, *added), shown):
            for id in _near(text, atom, (*known, *added), shown):
                if _held_by(atom, (id,), shown) and _is_of_matter(text, atom, shown.entries[id]):
                    added[id] = atom
                    break
    return added


def _is_of_matter(text: str, atom: Atom, entry: Entry) -> bool:
    """Whether an entry that holds a specific is of the same matter as a claim, by its own words."""
    if atom.kind not in _BARE:
        return True
    own, atoms = f"{entry.lead} {entry.text}", find_atoms(text)
    if any(
        holds(other, support_of_text(own))
        for other in atoms
        if other.kind not in _BARE and not other.loose
    ):
        return True
    aside = frozenset().union(*(content_words(a.text) for a in atoms if a.kind in _BARE))
    return len((content_words(text) - aside) & content_words(own)) >= _SHARED


def _near(text: str, atom: Atom, known: Sequence[str], shown: ShownEntries) -> list[str]:
    """The entries that share a content word with a claim, the nearest first.

    Rare words that are shared count, divided by how far an entry stands from those cited.
    """
    weight: dict[str, float] = {}
    for stem in sorted(content_words(text) - content_words(atom.text)):
        ids = shown.by_stem.get(stem, ())
        for id in ids:
            weight[id] = weight.get(id, 0.0) + 1 / len(ids)
    cited = [shown.places[id] for id in known]
    for id in weight:
        weight[id] /= 1 + min((abs(shown.places[id] - n) for n in cited), default=0)
    near = sorted((-weight[id], shown.places[id], id) for id in weight if id not in known)
    return [id for *_, id in near[:_LOOKED_AT]]


def _held_by(atom: Atom, ids: Iterable[str], shown: ShownEntries) -> bool:
    cited = shown.cited(ids)
    if any(holds(atom, support_of(entry)) for entry in cited):
        return True
    return atom.kind == "name" and any(
        all(_in_another_case(word, [entry], shown) for word in atom.key.split()) for entry in cited
    )


def elsewhere(atom: Atom, known: Sequence[str], shown: ShownEntries) -> tuple[str, ...]:
    """The entries shown that hold a specific, beside those cited."""
    low = atom.text.casefold()
    # "40" is no part of "1,240".
    whole = re.compile(rf"(?<!\w)(?<!\d[.,]){re.escape(low)}(?!\w)(?![.,]\d)")
    said = ((id, entry.text.casefold()) for id, entry in shown.entries.items())
    there = [id for id, text in said if low in text and whole.search(text)]
    if not there:
        # A name may stand there in another case.
        ends = 4 if atom.kind == "name" else 0
        parts = [part[: max(3, len(part) - ends)] for part in _PARTS.findall(low)]
        hints = (id for id, e in shown.entries.items() if any(map(e.text.casefold().count, parts)))
        there = [id for id in islice(hints, _LOOKED_AT) if _held_by(atom, (id,), shown)]
    return tuple(id for id in there if id not in known)[:_NAMED]


def fault(atom: Atom, known: Sequence[str], shown: ShownEntries) -> str:
    """Say of a missing specific where it stands, so that its writer can cite it or leave it out.

    Of a figure that is not said: it would be cited for the figure, and not for what it counts.
    """
    there = elsewhere(atom, known, shown)
    if not there:
        return f"{quoted(atom)} stands in no entry that was shown"
    if atom.kind in _BARE:
        return f"{quoted(atom)} stands in none of the entries it cites; if another holds it, cite that one"
    labels = ", ".join(map(shown.label, there))
    return f"{quoted(atom)} does not stand in the entries cited, but in {labels}"


def quoted(atom: Atom) -> str:
    return f'"{atom.text.strip(_QUOTES)}"'


# What follows from the figures and dates of the entries cited.

#: Figures of the sources that are put together; a table of hundreds tells nothing.
_MOST = 40
#: A figure of more digits is a number of something; what two give together has room in these.
_KEY = regex(r"([$€£¥₹]?)(\d{1,15}(?:\.\d{1,15})?)(%?)(?: (.+))?")
_DIGITS = 100
_MONTH = regex(r"(?:\d{4}|-)-(\d\d)")
_PENCE = regex(r"(?<![\d.])(\d{1,2})p\b")
_YEAR = regex(r"(\d{4})")
_TIME = regex(r"\d\d:\d\d")
_HALF_HOUR = regex(r"\bhalf an hour\b|\bhalbe Stunde\b|\bhalben Stunde\b", re.IGNORECASE)
_NTH = regex(r"\d+(?:st|nd|rd|th)")
_LAST_WORD = regex(r"([^\W\d_]+)\W*(?:of|in|von)?\W*\Z")
_DAYS = {"day": 1, "week": 7}
#: How alike two spellings of a number are.
_ALIKE = 0.85
#: A share may be rounded by so much.
_ROUNDED = Decimal("0.6")
#: A rounded figure that says so may differ by this part of itself.
_ABOUT = Decimal("0.05")

_CURRENCY = frozenset("$€£¥₹")

Figure = tuple[Decimal, str]


def follows(atom: Atom, text: str, cited: Sequence[Entry]) -> bool:
    """Whether a figure of a claim is a difference, sum, share, duration or count of what it cites."""
    if atom.kind == "date" and _is_between(atom.key, cited):
        return True
    if _YEAR.fullmatch(atom.key):
        return _is_year_of(atom, text, cited)
    if atom.kind not in ("number", "money", "percent"):
        return False
    wanted = _figure(atom.key)
    if wanted is None:
        return False
    if _NTH.fullmatch(atom.text):
        said = (key for entry in cited for key in support_of(entry).keys)
        return any(key.endswith(f"-{int(wanted[0]):02}") for key in said)
    if _counts(wanted, atom, text, cited) or _is_misspelt(wanted, cited):
        return True
    known = list(dict.fromkeys(_figures(cited)))[:_MOST]
    if _says_about(atom, text) and any(_is_rounded(wanted, figure) for figure in known):
        return True
    with localcontext(prec=_DIGITS):
        found = any(_same(wanted, result) for result in _results(known))
    return found or wanted in _durations(cited)


def _is_between(key: str, cited: Sequence[Entry]) -> bool:
    """Whether a month lies between two that an entry names: "from August to October"."""
    month = _MONTH.fullmatch(key)
    if not month:
        return False
    for entry in cited:
        named = [_MONTH.fullmatch(atom.key) for atom in find_atoms(entry.text)]
        months = [int(other[1]) for other in named if other]
        if len(months) > 1 and min(months) < int(month[1]) < max(months):
            return True
    return False


def _is_year_of(atom: Atom, text: str, cited: Sequence[Entry]) -> bool:
    """Whether a year belongs to a season that an entry names: "last summer" is the summer of 2023."""
    season = _LAST_WORD.search(text, 0, atom.start)
    if not season:
        return False
    return any(
        entry.day is not None
        and abs(entry.day.year - int(atom.key)) <= 1
        and season[1].casefold() in words_of(entry.text)
        for entry in cited
    )


def _figure(key: str) -> Figure | None:
    match = _KEY.fullmatch(key)
    return (Decimal(match[2]), match[1] or match[3] or match[4] or "") if match else None


def _figures(cited: Iterable[Entry]) -> Iterator[Figure]:
    for entry in cited:
        for atom in find_atoms(f"{entry.text} {entry.lead}"):
            if figure := _figure(atom.key):
                yield figure
        for pence in _PENCE.finditer(entry.text):
            yield Decimal(pence[1]) / 100, "£"


def _says_about(atom: Atom, text: str) -> bool:
    """Whether a claim says of a figure that it is rounded."""
    before = text[max(0, atom.start - 24) : atom.start]
    words = words_of(before)[-2:]
    about = in_any_language("about")
    return before.rstrip().endswith(("~", "≈")) or not about.isdisjoint(words)


def _is_rounded(wanted: Figure, figure: Figure) -> bool:
    """Whether a figure is another one rounded: told with fewer digits, and close to it."""
    if wanted[1] and figure[1] and wanted[1] != figure[1]:
        return False
    digits = [len(str(value).replace(".", "").strip("0")) for value, _ in (wanted, figure)]
    return digits[0] < digits[1] and abs(wanted[0] - figure[0]) <= _ABOUT * figure[0]


def _same(wanted: Figure, result: Figure) -> bool:
    """Whether two figures are one, as far as the wanted one is told; a unit counts where both have one."""
    if wanted[1] and result[1] and wanted[1] != result[1]:
        return False
    if wanted[1] == "%":
        return abs(wanted[0] - result[0]) <= _ROUNDED
    return wanted[0] == result[0].quantize(wanted[0], ROUND_HALF_UP)


def _results(known: Sequence[Figure]) -> Iterator[Figure]:
    """What two figures give: their difference, sum, ratio and share, and their product."""
    for (one, unit), (other, its) in combinations(known, 2):
        if unit == its or not (unit and its):
            kind = unit or its
            yield abs(one - other), kind
            yield one + other, kind
            for part, whole in ((one, other), (other, one)):
                if whole:
                    yield 100 * part / whole, "%"
                    yield 100 * abs(part - whole) / whole, "%"
                    yield part / whole, "" if unit and its else kind
                    yield part // whole, ""
        if not (unit and its) or unit == its == "m":
            yield one * other, unit or its
        elif (unit in _CURRENCY) is not (its in _CURRENCY):
            yield one * other, unit if unit in _CURRENCY else its
    for unit in {unit for _, unit in known}:
        yield sum((value for value, its in known if its == unit), Decimal(0)), unit


def _durations(cited: Sequence[Entry]) -> Iterator[Figure]:
    """Days and weeks between two dates, minutes and hours between two times."""
    days: set[date] = {entry.day for entry in cited if entry.day}
    times = set()
    for entry in cited:
        for atom in find_atoms(entry.text, entry.day):
            if atom.kind == "date" and (day := parse_day(atom.key)):
                days.add(day)
            elif atom.kind == "time":
                times.add(_minutes(atom.key))
    for one, other in combinations(sorted(days)[:_MOST], 2):
        for inclusive in (0, 1):
            count = (other - one).days + inclusive
            yield from (
                (Decimal(count // size), unit) for unit, size in _DAYS.items() if count % size == 0
            )
    for atom in (a for entry in cited for a in find_atoms(entry.text) if a.kind == "date"):
        if (year := _YEAR.match(atom.key)) and days:
            yield Decimal(abs(max(days).year - int(year[1]))), "year"
    for entry in cited:
        if _HALF_HOUR.search(entry.text):
            yield Decimal(30), "min"
    times |= {_minutes(time) for entry in cited for time in entry.headings if _TIME.fullmatch(time)}
    for start, end in combinations(sorted(times)[:_MOST], 2):
        yield Decimal(end - start), "min"
        yield Decimal(end - start) / 60, "h"


def _minutes(time: str) -> int:
    return 60 * int(time[:2]) + int(time[3:])


def _is_misspelt(wanted: Figure, cited: Sequence[Entry]) -> bool:
    """Whether a source has the number with a slip in its spelling: "fourty"."""
    words = [word for word, value in SPELLED.items() if value == wanted[0] and len(word) > 4]
    said = {word for entry in cited for word in words_of(entry.text)}
    return any(get_close_matches(word, said, 1, _ALIKE) for word in words)


def _counts(wanted: Figure, atom: Atom, text: str, cited: Sequence[Entry]) -> bool:
    """Whether a writer counted the entries or days it cites, or what it lists itself."""
    if wanted[1] not in ("", "day") or wanted[0] > max(len(cited), _SMALL_COUNT):
        return False
    # "Updated:" and "Deleted:" lead in lists of their own.
    parts = Counter(entry.lead for entry in cited if entry.lead)
    counts = (len(cited), len({entry.day for entry in cited}), *parts.values())
    if len(cited) > 1 and wanted[0] in counts:
        return True
    others = {a.key for a in find_atoms(text) if a.key != atom.key and a.kind in ("name", "date")}
    return len(others) > 1 and wanted[0] == len(others)
