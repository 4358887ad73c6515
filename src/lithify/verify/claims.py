"""One claim against the entries it cites: trace, atoms, hedges, and whether it reads alone."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_UP, Decimal, localcontext
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import combinations, islice

from lithify.calendar import parse_day
from lithify.judge import decision_chance, is_taught
from lithify.sections import COMBINED, WEEK
from lithify.text.dates import absolute, relative_left
from lithify.text.dates.scan import possible_days, possible_months, possible_times
from lithify.text.hedges import denies, hedges, hinted, small
from lithify.text.language import language_of, word_list
from lithify.text.sentences import said, speaker_of
from lithify.text.specifics import Atom, find_atoms, support_of, unsupported
from lithify.text.specifics.find import ACTS, SPELLED, bare_word, names_in
from lithify.text.specifics.support import holds
from lithify.text.stems import words_of
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Entry, Violation
from lithify.verify.doubts import (
    SENTENCE_END,
    clauses,
    content_stems,
    crossed,
    is_open,
    joint,
    misplaced,
    other_unit,
    turned,
    widened,
    words_in,
)

#: Figures of the sources that are put together; a table of hundreds tells nothing.
_MOST = 40
#: A figure of more digits is a number of something; what two give together has room in these.
_KEY = re.compile(r"([$€£¥₹]?)(\d{1,15}(?:\.\d{1,15})?)(%?)(?: (.+))?")
_DIGITS = 100
_MONTH = re.compile(r"(?:\d{4}|-)-(\d\d)")
_PENCE = re.compile(r"(?<![\d.])(\d{1,2})p\b")
_YEAR = re.compile(r"(\d{4})-")
_TIME = re.compile(r"\d\d:\d\d")
_HALF_HOUR = re.compile(r"\bhalf an hour\b|\bhalbe Stunde\b|\bhalben Stunde\b", re.IGNORECASE)
_NTH = re.compile(r"\d+(?:st|nd|rd|th)")
_DAYS = {"day": 1, "week": 7}
#: How alike two spellings of a number are.
_ALIKE = 0.85
#: A share may be rounded by so much.
_ROUNDED = Decimal("0.6")

_CURRENCY = frozenset("$€£¥₹")

Figure = tuple[Decimal, str]


def follows(atom: Atom, text: str, cited: Sequence[Entry]) -> bool:
    """Whether a figure of a claim is a difference, sum, share, duration or count of what it cites."""
    if atom.kind == "date":
        return _is_between(atom.key, cited)
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
    days = {entry.day for entry in cited if entry.day}
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
    """Whether a writer counted what it lists or cites: "these four conditions"."""
    if not atom.text[0].isalpha() or wanted[0] > 12:
        return False
    if wanted[0] == len(cited):
        return True
    others = [a for a in find_atoms(text) if a is not atom and a.kind != "date"]
    parts = re.split(r",\s|;\s|\s(?:and|und|or|oder)\s", text)
    listed = range(len(parts) - 2, len(parts) + 1)
    return wanted[0] in listed or wanted[0] == len({a.key for a in others if a.kind == "name"})


# What a writer was shown, and what each entry of it vouches for beside its own words.

#: Entries before one whose names it may mean.
_BEFORE = 8
#: Characters of an entry, and of a clause, that are read for who does something.
_LONGEST, _FIRST_WORDS = 4000, 60
#: Entries read to tell the language.
_READ = 400
_CLOCK = re.compile(r"\W*\d{1,2}[:.]\d\d(?:\s*[–-]\s*\d{1,2}[:.]\d\d)?\W+")
_SMALL = re.compile(r"(?<![^\W\d_])[a-zäöüß]{2,}")
#: What goes on after who does something.
_GOES_ON = re.compile(r"(?:['’]s)? [a-zäöüß]|,? (?:and|und|&) [A-Z]")


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
        labels = {ids[0]: label for label, ids in brief.labels.items() if len(ids) == 1}
        return ShownEntries({entry.id: entry for entry in brief.entries}, brief.agent_name, labels)

    def label(self, id: str) -> str:
        """An entry as its writer knows it."""
        return f"[{self.labels[id]}]" if id in self.labels else id

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
                first = piece.lstrip()[:_FIRST_WORDS]
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
        places, in_order = self._in_order
        at = places[entry.id]
        for other in in_order[max(0, at - _BEFORE) : at]:
            if (other.path, other.headings) == (entry.path, entry.headings):
                yield from (atom.text for atom in names_in(other.text) if atom.key in self.doers)

    @cached_property
    def _in_order(self) -> tuple[Mapping[str, int], tuple[Entry, ...]]:
        return {id: n for n, id in enumerate(self.entries)}, tuple(self.entries.values())


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


# One claim against the entries it cites: trace, atoms, hedges, and whether it reads alone.

#: Share of a claim's words that must stand in what it cites; below it, it says something else.
SUPPORT = 0.25
#: Letters by which a claim's word is taken for another form of a source's.
_BEGINNING = 4
#: Share at which an entry that was not cited is taken as what a claim rests on.
ALIGNED = 0.5

#: Sections that hold decisions, and how sure the judge must be that none was stated.
DECISIONS = (WEEK.decisions, COMBINED.decisions)
SURE = 0.97

#: Spaces in a lead-in that is a label and no sentence.
_LABEL = 5

#: One of these stands in every pointer.
_POINTING = (
    *("above", "before", "mentioned", "noted", "described", "daily", "previous", "below", "ditto"),
)
_POINTERS = re.compile(
    r"\b(?:as (?:above|before|mentioned|noted|described)|(?:see|per) (?:the )?(?:above|below)|in the (?:above|below)"
    r"|(?:see|per|in) (?:the )?(?:daily(?: log\b|(?! \w))|previous bullet)"
    r"|(?:the )?same (?:issue|problem|thing|bug) as (?:above|before)|ditto|the aforementioned)\b",
    re.IGNORECASE,
)
#: Share of a sentence's words that a claim must repeat to be made of it.
USED = 0.6
_TURNED = {
    "hedges": "the sources only say this with a reserve ({})",
    "negation": "the sources say the opposite",
}

_OF_ANY_DAY = re.compile(
    r"\b(?:whether|if|when(?:ever)?|every|each)\b[^.;]*\b(?:today|tomorrow|yesterday)\b", re.I
)


def _words(entry: Entry) -> frozenset[str]:
    """The words of an entry and of what it stands under."""
    return content_stems(" ".join([*entry.headings, entry.lead, entry.text]))


def support(claim_words: frozenset[str], cited: Sequence[str], shown: ShownEntries) -> float:
    """The share of a claim's words that stand in the entries cited."""
    if not claim_words:
        return 1.0
    there = frozenset[str]().union(*(_words(shown.entries[id]) for id in cited))
    return len(claim_words & there) / len(claim_words)


def mend(claim: Claim, shown: ShownEntries) -> Claim:
    """What can be put right without asking: missing sources aligned, relative dates resolved."""
    known = tuple(id for id in claim.sources if id in shown.entries)
    if not known:
        known = align(claim.text, shown)
    cited = [shown.entries[id] for id in known]
    text = _dated(claim.text, cited, shown)
    if cited and _missing(text, cited, shown):
        known = _widened(text, known, shown)
    return replace(claim, text=text, sources=known or claim.sources)


def _dated(text: str, cited: Sequence[Entry], shown: ShownEntries) -> str:
    """The text with relative dates made absolute, unless that would say what no source says.

    What is asked of any day ("whether it already ran today") has no date.
    """
    days = {entry.day for entry in cited if entry.day}
    if len(days) != 1 or _OF_ANY_DAY.search(text):
        return text
    dated = absolute(text, next(iter(days)))
    if dated == text:
        return text
    made = len(_missing(dated, cited, shown)) > len(_missing(text, cited, shown))
    return text if made else dated


def _missing(text: str, cited: Sequence[Entry], shown: ShownEntries) -> tuple[Atom, ...]:
    """The specifics of a text that the entries do not say, and that do not follow from them."""
    key = (text, *(entry.id for entry in cited))
    if key not in shown.missing:
        found = unsupported(text, cited)
        if found:
            # What vouches for an entry beside its words is only looked for where they do not do.
            grounds = [shown.ground(entry.id) for entry in cited]
            found = tuple(atom for atom in unsupported(text, grounds) if atom in found)
            found = tuple(atom for atom in found if not follows(atom, text, grounds))
            names = (atom for atom in found if atom.kind == "name")
            spare = {atom for atom in names if not shown.is_missing(atom, text, grounds)}
            found = tuple(atom for atom in found if atom not in spare)
        shown.missing[key] = found
    return shown.missing[key]


def align(text: str, shown: ShownEntries, most: int = 2) -> tuple[str, ...]:
    """The entries that best support a text that names none, if their support is enough."""
    wanted = content_stems(text)
    ranked = sorted(
        ((len(wanted & _words(shown.entries[id])), -n, id) for n, id in enumerate(shown.entries)),
        reverse=True,
    )
    chosen: list[str] = []
    for hits, _, id in ranked[:6]:
        if not hits or len(chosen) == most:
            break
        before = support(wanted, chosen, shown)
        if support(wanted, [*chosen, id], shown) > before + 0.1:
            chosen.append(id)
    return tuple(chosen) if chosen and support(wanted, chosen, shown) >= ALIGNED else ()


def _widened(text: str, cited: tuple[str, ...], shown: ShownEntries) -> tuple[str, ...]:
    """One more entry that was shown, where it says the same and holds what is lacking.

    The specifics themselves do not count: an entry that only shares the figure says something else.
    """
    wanted = frozenset[str]().union(*(clause.words for clause in clauses(text, shown.language)))
    told = {id: len(wanted & words_in(entry.text)) for id, entry in shown.entries.items()}
    for id in heapq.nlargest(3, told, key=told.__getitem__):
        if told[id] < max(1, ALIGNED * len(wanted)):
            break
        if id not in cited:
            wider = (*cited, id)
            if not _missing(text, [shown.entries[i] for i in wider], shown):
                return wider
    return cited


def examine(
    claim: Claim, shown: ShownEntries, *, extractive: bool = False, judging: bool = False
) -> tuple[Violation, ...]:
    """Everything wrong with a claim, in words its writer can act on.

    `extractive` says that the words are the sources' own, `judging` that a writer says in its own
    words what the entries amount to: then only citations and specifics are checked.
    """
    found: list[Violation] = []

    def wrong(rule: str, message: str) -> None:
        found.append(Violation(rule, message, claim.text))

    strangers = [id for id in claim.sources if id not in shown.entries]
    known = [id for id in claim.sources if id in shown.entries]
    cited = [shown.entries[id] for id in known]
    if strangers:
        wrong("trace", f"cites {strangers[0]}, which was not shown")
    if not cited:
        wrong("trace", "cites no entry, and none that was shown says this")
        return tuple(found)
    for atom in _missing(claim.text, cited, shown):
        wrong(
            "atoms",
            f'"{atom.text}" does not stand in the entries cited{_elsewhere(atom, claim, shown)}',
        )
    if not (extractive or judging) and _is_elsewhere(claim, shown):
        wrong("trace", "the entries cited speak of something else")
    # Twice what it cites, and two sentences more.
    most = 2 * sum(estimate(entry.text) for entry in cited) + 60
    if not extractive and estimate(claim.text) > most:
        wrong("length", "it is longer than what it cites; a summary says less")
    pointer = _POINTERS.search(claim.text) if hinted(_POINTING, small(claim.text)) else None
    if pointer:
        wrong("self-contained", f'"{pointer.group()}" cannot be understood alone')
    for word in relative_left(claim.text):
        if not any(_stands(word, entry) for entry in cited):
            wrong("self-contained", f'"{word}" must be an absolute date')
            break
    if extractive:
        words = _reserve_lost(claim.text, cited)
        broken = {"hedges": words} if words else {}
    else:
        broken = turned(claim.text, cited)
    for rule, words in broken.items():
        wrong(rule, _TURNED[rule].format(words))
    if not extractive and (lead := _denying_lead(claim.text, cited)):
        wrong("negation", f'it stands under "{lead}"')
    if not (found or extractive or judging):
        found += _together(claim.text, cited, shown)
        if not found and _undecided(claim, cited, shown):
            wrong("decision", "no entry cited states a decision; tell it in another section")
    return tuple(found)


def _stands(word: str, entry: Entry) -> bool:
    """Whether a source says a day so that nobody can tell its date, even on its own day."""
    if _OF_ANY_DAY.search(entry.text):
        return word.lower() in entry.text.lower()
    return entry.day is not None and word in absolute(entry.text, entry.day)


def _elsewhere(atom: Atom, claim: Claim, shown: ShownEntries) -> str:
    """Where a missing specific does stand, so that its writer can cite it or leave it out."""
    there = [
        id
        for id, entry in shown.entries.items()
        if id not in claim.sources and atom.text in entry.text
    ]
    if not there:
        return ""
    near = words_in(claim.text)
    best = max(there, key=lambda each: len(near & words_in(shown.entries[each].text)))
    return f", but in {shown.label(best)}"


def _denying_lead(text: str, cited: Sequence[Entry]) -> str:
    """The line that all entries cited stand under, where it denies and the claim does not: "Not agreed:"."""
    leads = {entry.lead for entry in cited}
    lead = next(iter(leads))
    if len(leads) > 1 or lead.count(" ") > _LABEL or not denies(lead) or is_open(text):
        return ""
    return lead


def _undecided(claim: Claim, cited: Sequence[Entry], shown: ShownEntries) -> bool:
    """Whether a claim tells a decision and surely no entry that it cites states one."""
    if claim.section not in DECISIONS or not is_taught(shown.language):
        return False
    return all(decision_chance(entry, shown.language) <= 1 - SURE for entry in cited)


def _together(text: str, cited: Sequence[Entry], shown: ShownEntries) -> Iterator[Violation]:
    """What a claim puts together otherwise than its sources do."""
    if fault := misplaced(text, cited, shown.language, shown.doers):
        yield Violation("together", fault, text)
    if pair := crossed(text, cited, shown.language, shown.agent):
        yield Violation("together", f"{pair} are the other way round in the entries cited", text)
    if unit := other_unit(text, cited):
        yield Violation("unit", f'the entries cited do not count in "{unit}"', text)
    if word := widened(text, cited, shown.language):
        yield Violation("widened", f'"{word}" is more than the entries cited say', text)


def _is_elsewhere(claim: Claim, shown: ShownEntries) -> bool:
    """Whether hardly a word of a claim stands in what it cites."""
    words = _beginnings(claim.text)
    there = [_context(shown.entries[id]) for id in claim.sources if id in shown.entries]
    return len(words & frozenset[str]().union(*there)) < SUPPORT * len(words)


@lru_cache(maxsize=1 << 12)
def _context(entry: Entry) -> frozenset[str]:
    return _beginnings(" ".join([*entry.headings, entry.lead, entry.text]))


def _beginnings(text: str) -> frozenset[str]:
    return frozenset(word[:_BEGINNING] for word in words_in(text))


@lru_cache(maxsize=1 << 13)
def _is_hedged(text: str) -> bool:
    return any(map(hedges, SENTENCE_END.split(text)))


def _reserve_lost(text: str, cited: Sequence[Entry]) -> str:
    """The reserves of the sentences that a cut claim is made of, if it has none and all of them do.

    Only these count: a plan told in the next sentence of the same entry says nothing about
    this one.
    """
    if not any(_is_hedged(entry.text) for entry in cited) or hedges(text):
        return ""
    wanted = content_stems(text)
    found = [
        hedges(sentence)
        for entry in cited
        for sentence in SENTENCE_END.split(entry.text)
        if (words := content_stems(sentence)) and len(words & wanted) >= USED * len(words)
    ]
    return ", ".join(sorted(found[0])[:3]) if found and all(found) else ""


def wrong_language(texts: Iterable[str], shown: Sequence[str | Entry]) -> tuple[Violation, ...]:
    """A violation if a draft speaks a language that nothing its writer was shown speaks."""
    theirs = language_of(" ".join(texts))
    if not theirs:
        return ()
    sources = [text if isinstance(text, str) else text.text for text in shown]
    ours = language_of(" ".join(sources))
    if not ours or ours == theirs or any(language_of(text) == theirs for text in sources):
        return ()
    return (Violation("language", f"the reply is in {theirs}; the material is in {ours}"),)
