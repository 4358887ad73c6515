"""Hints for a reader: where the wording of a claim differs from that of the entries it cites.

Nothing here refuses a claim. Each rule stays only while it marks false claims at least five times as
often as honest ones (`benchmarks/verifier.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

from lithify.judge import without_clock
from lithify.regex import regex
from lithify.text.language import in_any_language, word_list
from lithify.text.likeness import word_set
from lithify.text.sentences import said, speaker_of, split
from lithify.text.specifics import Atom, Support, find_atoms, support_of_text
from lithify.text.specifics.find import bare_word
from lithify.text.specifics.support import holds
from lithify.text.stems import is_empty, stem, words_of
from lithify.values import Claim, Entry, Violation
from lithify.verify.specifics import ShownEntries, joint, quoted, unread

#: Characters of a text that are looked at: each clause is held against every other.
LONGEST = 4000


def doubts(claim: Claim, shown: ShownEntries) -> tuple[Violation, ...]:
    """What about a claim a reader should look at, each in one line."""
    return tuple(Violation(rule, why, claim.text) for rule, why in _doubts(claim, shown))


def _doubts(claim: Claim, shown: ShownEntries) -> Iterator[tuple[str, str]]:
    cited = shown.cited(claim.sources)
    text, language = claim.text[:LONGEST], shown.language
    for atom in unread(claim.text, cited, shown):
        yield "language", f"{quoted(atom)} is not read in the entries cited; words may say it"
    if why := misplaced(text, cited, language, shown.doers):
        yield "together", why
    if pair := crossed(text, cited, language, shown.agent):
        yield "together", f"{pair} are the other way round in the entries cited"
    if unit := other_unit(text, cited):
        yield "unit", f'the entries cited do not count in "{unit}"'
    if word := hedge_lost(text, cited, language):
        yield "hedges", f'the entries cited say this with "{word}"'
    if word := widened(text, cited):
        yield "widened", f'"{word}" stands in no entry cited'


# A hedge or a quantifier that stands on one side only.

#: Share of a claim's words that a sentence must have to be what the claim is made of.
MADE_OF = 0.6


def _marks(text: str, *lists: str) -> frozenset[str]:
    """The words of closed lists that a text holds."""
    words = frozenset(words_of(text))
    found = words & frozenset[str]().union(*map(in_any_language, lists))
    return found | {word for word in words if word.endswith("n't") and "negations" in lists}


def hedge_lost(text: str, cited: Sequence[Entry], language: str) -> str:
    """A hedge in every sentence that a claim is made of, on what it repeats, where it has none.

    A denial keeps what it denies open as well. The same rule for denials was measured and left out:
    it marked two false claims for each honest one.
    """
    if _marks(text, "negations", "hedges", "intentions"):
        return ""
    mine = words_in(text)
    sentences = (sentence for e in cited for sentence in split(e.text[:LONGEST]))
    made_of = [s for s in sentences if len(mine & words_in(s)) >= MADE_OF * len(mine)]
    found = [
        [
            min(words)
            for c in clauses(s, language)
            if (words := _marks(c.text, "hedges")) and words_in(c.text) & mine
        ]
        for s in made_of
    ]
    return found[0][0] if found and all(found) else ""


def widened(text: str, cited: Sequence[Entry]) -> str:
    """A word that says "all" or "never" where no source says one."""
    theirs = " ".join(part for entry in cited for part in (*entry.headings, entry.lead, entry.text))
    own = _marks(text, "universal")
    if _marks(theirs, "negations"):
        own -= in_any_language("negations")  # "no lists are needed" says that nobody needs them
    return min(own) if own and not _marks(theirs, "universal") else ""


# The clauses of a text.

_ASIDE = regex(r"\(([^()]*)\)")
#: Letters by which two forms of a word are one: longer endings differ from form to form.
_LETTERS = 6
#: A piece without words of its own that begins so belongs to the one after it, others to that before.
_AND = ("and", "but", "while", "und", "aber", "während")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a claim that one entry must carry.

    `words` are those that are part of no specific.
    """

    text: str
    words: frozenset[str]
    atoms: tuple[Atom, ...]


@lru_cache(maxsize=1 << 12)
def words_in(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, each by its first letters."""
    return frozenset(stem(word)[:_LETTERS] for word in words_of(text) if not is_empty(word))


@lru_cache(maxsize=1 << 12)
def clauses(text: str, language: str = "English") -> tuple[Clause, ...]:
    """The clauses of a text; what stands in brackets is one of its own, after the others."""
    asides = [match[1] for match in _ASIDE.finditer(text)]
    parts = [_ASIDE.sub(lambda match: " " * len(match[0]), text), *asides]
    return tuple(clause for part in parts for clause in _of_part(part, language))


def _of_part(text: str, language: str) -> list[Clause]:
    atoms = find_atoms(text)
    found = []
    for start, end in _spans(text, atoms, language):
        mine = tuple(atom for atom in atoms if start <= atom.start < end)
        found.append(Clause(text[start:end], _own_words(text, start, end, atoms), mine))
    return found


def _own_words(text: str, start: int, end: int, atoms: Sequence[Atom]) -> frozenset[str]:
    """Return the words of a stretch that are part of no specific."""
    rest = list(text[start:end])
    for atom in atoms:
        if atom.kind == "quote" or not start <= atom.start < end:
            continue
        for at in range(atom.start - start, min(atom.end - start, len(rest))):
            rest[at] = " "
    return words_in("".join(rest))


def _spans(text: str, atoms: Sequence[Atom], language: str) -> list[tuple[int, int]]:
    """Where the clauses lie: a piece without words of its own goes with the one before it."""
    cuts = [0]
    for match in joint(language).finditer(text):
        if not any(atom.start < match.end() and match.start() < atom.end for atom in atoms):
            cuts.append(match.end())
    spans = list(zip(cuts, [*cuts[1:], len(text)], strict=True))
    found: list[tuple[int, int]] = []
    for at, (start, end) in enumerate(spans):
        if _own_words(text, start, end, atoms):
            found.append((start, end))
        elif at + 1 < len(spans) and (not found or text[start:end].lstrip().startswith(_AND)):
            spans[at + 1] = (start, spans[at + 1][1])  # "and Bo after the offline mode"
        elif found:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


# How much and how many: the unit a figure counts in, and whether all are meant or some.

#: Units by one name each; the names of time are words, so they are given in two languages.
_UNITS = {
    form: forms.split()[0]
    for forms in """ms millisecond milliseconds|s sec second seconds sekunde sekunden
min minute minutes minuten|h hr hour hours stunde stunden|day days daily tag tage tagen täglich
week weeks weekly woche wochen wöchentlich|weekend weekends wochenende
month months monthly monat monate monaten monatlich|quarter quarters quartal
year years yearly annually annual jahr jahre jahren jährlich
workday workdays werktag werktage werktagen
g gram grams gramm|kg kilo kilos kilogramm|mg|t ton tons tonnen|l litre litres liter|ml
m metre metres meter metern|cm zentimeter|mm millimeter|km kilometre kilometres kilometer|m²|m³
thousand tausend|million millions millionen|billion billions milliarden|kb|mb|gb|tb""".replace(
        "\n", "|"
    ).split("|")
    for form in forms.split()
}
_TOKEN = regex(r"\d+(?:[.,]\d+)*|[^\W\d_]+|€|[.;:!?,]")
#: Tokens behind a figure in which its unit stands: "0.29 EUR per ticket a month".
_BEHIND = 4


def other_unit(text: str, cited: Sequence[Entry]) -> str:
    """A unit in which a claim counts a figure that every source counts in others."""
    sources = [_counted(entry.text) for entry in cited]
    for figure, units in _counted(text).items():
        theirs = [source[figure] for source in sources if figure in source]
        if not theirs or any(not mine or mine & units for mine in theirs) or not units:
            continue
        return sorted(units)[0]
    return ""


def _counted(text: str) -> dict[str, frozenset[str]]:
    """The figures of a text and the units right behind each, as far as the next figure."""
    found: dict[str, frozenset[str]] = {}
    tokens = _TOKEN.findall(text.lower())
    for at, token in enumerate(tokens):
        if token[0].isdigit():
            units = set()
            for after in tokens[at + 1 : at + 1 + _BEHIND]:
                if after[0].isdigit() or after in ".;:!?,":
                    break
                if after in _UNITS:
                    units.add(_UNITS[after])
            found[token] = found.get(token, frozenset()) | units
    return found


# What a clause puts together stands together in what it cites.

#: How much more must be said around another specific; a specific counts for two words.
MARGIN = 3
TIMES = 2
_SPECIFIC = 2
_DAY = regex(r"-\d\d-\d\d\Z")
_FIGURES = frozenset(("number", "money", "percent"))


@dataclass(frozen=True)
class EntryClause:
    """A clause of an entry, with what the entry vouches for throughout."""

    clause: Clause
    entry: Entry
    speaker: str

    @cached_property
    def support(self) -> Support:
        text = f"{self.speaker}: {self.clause.text}" if self.speaker else self.clause.text
        return support_of_text(text, self.entry.day)

    def holds(self, atom: Atom) -> bool:
        return holds(atom, self.support)

    def around(self, clause: Clause, atom: Atom | None = None) -> frozenset[str]:
        """What this says of a claim's clause, one of its specifics left aside."""
        words = clause.words & self.clause.words
        atoms = {a.key for a in clause.atoms if a is not atom and self.holds(a)}
        return frozenset(words | {f"{n} {key}" for key in atoms for n in range(_SPECIFIC)})


@lru_cache(maxsize=1 << 10)
def clauses_of_entry(entry: Entry, language: str) -> tuple[EntryClause, ...]:
    """The clauses of an entry."""
    text = without_clock(entry.text[:LONGEST])
    speaker = speaker_of(text)
    return tuple(EntryClause(clause, entry, speaker) for clause in clauses(said(text), language))


def misplaced(text: str, cited: Sequence[Entry], language: str, doers: frozenset[str]) -> str:
    """Which name, figure or date stands in another's place, if one does."""
    sources = [clauses_of_entry(entry, language) for entry in cited]
    for clause in clauses(text, language):
        for atom in clause.atoms:
            if atom.kind == "name" and atom.key not in doers:
                continue
            if rival := _rival(atom, clause, sources, doers, language):
                return f'"{atom.text}" stands where the entries cited say "{rival}" of it'
    return ""


def _rival(
    atom: Atom,
    clause: Clause,
    sources: Sequence[Sequence[EntryClause]],
    doers: frozenset[str],
    language: str,
) -> str:
    own = _most_around(atom, clause, sources)
    if own is None and atom.kind != "name":
        return ""  # it follows from others, or is an entry's own day
    entries = [source[0].entry for source in sources if source] if own is None else []
    third = word_list(language, "third_person")
    if any(holds(atom, _around(entry)) for entry in entries):
        return ""
    if any(not third.isdisjoint(words_of(entry.text)) for entry in entries):
        return ""  # "she" may be anybody named before
    own = own or 0
    seen = set()
    speaks = any(bare_word(source[0].speaker) == atom.key for source in sources if source)
    for one in (one for source in sources for one in source):
        for other in _specifics(one, speaks):
            if other.key in seen or not is_like(atom, other) or holds(other, _support(clause.text)):
                continue
            if other.kind == "name" and other.key not in doers:
                continue
            seen.add(other.key)
            if holds(other, _support(atom.text)) or holds(atom, _support(other.text)):
                continue
            theirs = _most_around(other, clause, sources, without=atom)
            # A bare number stands beside many things.
            bare = atom.kind == "number" and not _unit(atom)
            if theirs is not None and theirs >= MARGIN + bare + TIMES * own:
                return other.text
    return ""


def _specifics(said: EntryClause, speakers: bool) -> Iterator[Atom]:
    yield from said.clause.atoms
    if said.speaker and speakers:
        yield Atom("name", said.speaker.casefold(), said.speaker, 0, 0)


@lru_cache(maxsize=1 << 10)
def _around(entry: Entry) -> Support:
    return support_of_text(" ".join((*entry.headings, entry.lead)))


@lru_cache(maxsize=1 << 12)
def _support(text: str) -> Support:
    return support_of_text(text)


def _most_around(
    atom: Atom,
    clause: Clause,
    sources: Sequence[Sequence[EntryClause]],
    without: Atom | None = None,
) -> int | None:
    """How much of a clause is said around a specific, at most in one place; None where it is not said.

    What goes on after a name speaks of it until another is named, and what stands beside a figure
    belongs to it until another one does.
    """
    found: list[int] = []
    for source in sources:
        for at, one in enumerate(source):
            if one.holds(atom) and not (without and one.holds(without)):
                found.append(len(_reach(atom, at, source, clause, without)))
    return max(found, default=None)


def _reach(
    atom: Atom, at: int, source: Sequence[EntryClause], clause: Clause, without: Atom | None
) -> frozenset[str]:
    near = set(source[at].around(clause, without or atom))
    steps = (1,) if atom.kind == "name" else (1, -1)
    for step in steps:
        n = at + step
        while 0 <= n < len(source) and not any(is_like(atom, a) for a in source[n].clause.atoms):
            near |= source[n].around(clause, without or atom)
            n += step
    return frozenset(near)


def is_like(one: Atom, other: Atom) -> bool:
    """Whether one specific could stand in the other's place."""
    if one.kind in _FIGURES:
        return other.kind in _FIGURES and _unit(one) == _unit(other) != "nth"
    if one.kind == "date":
        return other.kind == "date" and bool(_DAY.search(one.key)) is bool(_DAY.search(other.key))
    return one.kind == other.kind


def _unit(atom: Atom) -> str:
    if atom.text.endswith(("st", "nd", "rd", "th")):
        return "nth"
    return atom.key.partition(" ")[2] if atom.kind == "number" else atom.kind


# Two values keep what each is said with: "from 5 to 2.5" is not "from 2.5 to 5".

#: Pairs of values looked at in one claim.
_MOST = 60
#: Characters around a value in which its words stand.
_NEAR = 25
_VALUES = frozenset(("number", "money", "percent", "version", "time", "date"))
_WORD = regex(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: Words that stand with any value.
_EMPTY = word_set("a an the and of in on at is was der die das ein eine und im am ist war")


@dataclass(frozen=True, slots=True)
class Placed:
    """A text's values and words, each by its place."""

    values: tuple[Atom, ...]
    words: tuple[tuple[int, int, str], ...]


def crossed(text: str, cited: Sequence[Entry], language: str, agent: str = "") -> str:
    """Two values of a claim, each said with what its source says of the other."""
    claim = _placed(text[:LONGEST])
    pairs = [
        (one, other)
        for one, other in combinations(claim.values, 2)
        if one.key != other.key and is_like(one, other)
    ]
    for entry in cited if pairs else ():
        source = _placed(_named(entry.text[:LONGEST], language, agent))
        by_key = {value.key: value for value in reversed(source.values)}
        for one, other in pairs[:_MOST]:
            first, second = by_key.get(one.key), by_key.get(other.key)
            if first and second and _is_crossed(claim, (one, other), source, (first, second)):
                return f'"{one.text}" and "{other.text}"'
    return ""


def _named(text: str, language: str, agent: str) -> str:
    """A text with who keeps the log by name, where it speaks of itself."""
    own = word_list(language, "first_person")
    if not agent or not own:
        return text
    return _WORD.sub(lambda m: agent if m[0].lower() in own else m[0], text)


@lru_cache(maxsize=1 << 11)
def _placed(text: str) -> Placed:
    atoms = find_atoms(text)
    values = tuple(atom for atom in atoms if atom.kind in _VALUES)
    words = [
        (*match.span(), stem(match[0].lower())[:6])
        for match in _WORD.finditer(text)
        if match[0].lower() not in _EMPTY
        and not any(a.start <= match.start() < a.end for a in atoms if a.kind != "quote")
    ]
    named = [(atom.start, atom.end, atom.key) for atom in atoms if atom.kind != "quote"]
    return Placed(values, tuple(words + named))


def _is_crossed(
    claim: Placed, pair: tuple[Atom, Atom], source: Placed, there: tuple[Atom, Atom]
) -> bool:
    if pair[0].start == pair[1].start and there[0].start == there[1].start:
        # "From 150 to 250" is one stretch of text.
        return source.values.index(there[0]) > source.values.index(there[1])
    mine, theirs = _beside(claim, *pair), _beside(source, *there)
    straight = mine[0] & theirs[0] | mine[1] & theirs[1]
    return bool(mine[0] & theirs[1] and mine[1] & theirs[0] and not straight)


def _beside(text: Placed, one: Atom, other: Atom) -> tuple[frozenset[str], frozenset[str]]:
    """The words that stand beside one value only, and those beside the other only."""
    near: tuple[set[str], set[str]] = (set(), set())
    for start, end, word in text.words:
        gaps = [max(start - value.end, value.start - end) for value in (one, other)]
        if min(gaps) < 0 or min(gaps) > _NEAR:
            continue
        near[gaps[1] < gaps[0]].add(word)
    return frozenset(near[0] - near[1]), frozenset(near[1] - near[0])
