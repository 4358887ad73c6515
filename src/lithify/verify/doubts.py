"""Whether a claim states what its sources only hold possible, plan or deny.

A reserve or a "not" governs what stands beside it: in "Ada did not approve the budget, since the
old one works" the approving, not the working. A claim is refused where it says the governed word
plainly, where most of its words stand in that sentence, and where no other clause of its sources
says the word plainly of the same.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

from lithify.judge import without_clock
from lithify.text import hedges as hedge_words
from lithify.text.hedges import denies, hedges, hinted, small
from lithify.text.language import word_list
from lithify.text.sentences import said, speaker_of
from lithify.text.specifics import Atom, Support, atom_keys, find_atoms, support_of_text
from lithify.text.specifics.atom import word_set
from lithify.text.specifics.find import bare_word
from lithify.text.specifics.support import holds
from lithify.text.stems import is_empty, stem, words_of
from lithify.values import Entry

#: Where one clause ends and the next may begin, in whatever language.
_STOPS = r"[.;!?:]\s+|\s*,\s+|\s*[()\[\]–—|]\s*|\s+-\s+|\s*→\s*"
_ASIDE = re.compile(r"\(([^()]*)\)")
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


@lru_cache(maxsize=16)
def joint(language: str) -> re.Pattern[str]:
    """What stands between two clauses of a language."""
    words = "|".join(sorted(word_list(language, "joints"), key=len, reverse=True))
    return re.compile(rf"{_STOPS}|,?\s+(?=(?:{words})\b)" if words else _STOPS, re.IGNORECASE)


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
_OFTEN = frozenset(
    ["night", "morning", "evening", "time", "tag", "woche", "monat", "nacht", "abend", "morgen"]
) | frozenset(f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun"))
_NEVER = frozenset(("never", "nobody", "nie", "niemals", "niemand"))
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|€|[.;:!?,]")
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


def widened(text: str, cited: Sequence[Entry], language: str) -> str:
    """A word that says "all" or "never" where no source says one."""
    universal = word_list(language, "universal")
    said = frozenset(word for entry in cited for word in words_of(f"{entry.lead} {entry.text}"))
    if not universal or said & universal:
        return ""
    denied = any(denies(entry.text) for entry in cited)
    for clause in clauses(text, language):
        words = words_of(clause.text)
        for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
            # "Do not restart it alone" says never; "in all" counts, "every night" is how often.
            spared = (denied and word in _NEVER) or before in ("in", "at", "above", "after")
            spared = spared or after in _UNITS or after in _OFTEN
            if word in universal and not spared:
                return word
    return ""


# What a clause puts together stands together in what it cites.

#: How much more must be said around another specific; a specific counts for two words.
MARGIN = 3
TIMES = 2
_SPECIFIC = 2
#: Characters of an entry that are cut into clauses: each is held against every other.
LONGEST = 4000
_DAY = re.compile(r"-\d\d-\d\d\Z")
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
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
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


# How alike two texts are, by the words that carry their meaning.

_ANY_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_PLAIN_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)?")
_COMMON = word_set(
    """
    a an and are as at be been but by did do does for from had has have he her his i if in
    into is it its me my no nor not of off on or our out over own she so some such than that
    the their them then there these they this to too up was we were what when where which who
    will with you your
    """
)
_ENDINGS = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "ed", "es", "s", "ly"),
    *("e", "y"),
)


@lru_cache(maxsize=1 << 13)
def content_stems(text: str) -> frozenset[str]:
    """The words that carry meaning, cut to a common stem."""
    if text.isascii():
        found = set(_PLAIN_WORD.findall(text.lower()))
    else:
        found = set(map(str.lower, _ANY_WORD.findall(text)))
    return frozenset(map(_stem, found - _COMMON))


@lru_cache(maxsize=1 << 13)
def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of words two texts have in common."""
    return len(one & other) / len(one | other) if one and other else 0.0


def say_same(one: str, other: str, share: float) -> bool:
    """Whether two texts say one thing: one holds all words, figures and names of the other."""
    mine, theirs = content_stems(one), content_stems(other)
    if overlap(mine, theirs) < share or not _nested(mine, theirs):
        return False
    return denies(one) is denies(other) and _nested(atom_keys(one), atom_keys(other))


def _nested(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


# Words without the ending of their form, so that `left` and `leave` are one.

_VOWEL = re.compile("[aeiouy]")
_FORMS = """
arise arose arisen|bear bore borne|beat beaten|become became|begin began begun|bend bent|bind bound
bite bit bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought
catch caught|choose chose chosen|come came|deal dealt|die dying|dig dug|draw drew drawn
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
fight fought|find found|flee fled|fly flew flown|forget forgot forgotten|freeze froze frozen
get got gotten|give gave given|go went gone goes|grow grew grown|hang hung|hear heard|hide hid hidden
hold held|keep kept|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lie lay lain
light lit|lose lost|make made|mean meant|meet met|pay paid|prove proven|ride rode ridden
ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent
shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spin spun|stand stood
steal stole stolen|stick stuck|strike struck|swear swore sworn|sweep swept|swim swam swum
take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
tie tied tying|understand understood|use used using|wake woke woken|wear wore worn|win won
wind wound|withhold withheld|withdraw withdrew withdrawn|write wrote written|agree agreed agrees
""".replace("\n", "|").strip("|")
_BASE = {form: verb for verb, *forms in map(str.split, _FORMS.split("|")) for form in forms}

#: Words that say nothing of what a sentence is about.
EMPTY = word_set(
    """a about an and any are as at be been being but by can did do does done for from had has have
    he her him his how i if in into is it its itself me my of off on or our out over own she so
    some such than that the their them then there these they this those to too up us was we were
    what when where which who whose will with would you your one also again now already just very
    still yet even ever through across via really actually anyone anybody anything either much"""
)
CALENDAR = word_set(
    """january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep sept
    oct nov dec mon tue wed thu fri sat sun"""
)

_FORM_ENDINGS = (("ing", ""), ("ied", "y"), ("ed", ""), ("ies", "y"), ("es", ""), ("s", ""))
_PAST = frozenset(_BASE) - frozenset(["goes", "dying", "tying", "using", "agrees"])


@lru_cache(maxsize=1 << 14)
def root(word: str) -> str:
    """A word without the ending of its form: `cancelled` and `cancels` are `cancel`."""
    word = _BASE.get(word, word)
    for ending, instead in _FORM_ENDINGS:
        base = word.removesuffix(ending)
        if (
            base != word
            and len(base) + len(instead) >= 3
            and word[-2:] != "ss"
            and _VOWEL.search(base + instead)
        ):
            word = base + instead
            break
    word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def is_past(word: str) -> bool:
    """Whether a word may be a verb in the past."""
    return word in _PAST or (word.endswith("ed") and len(word) > 4 and not word.endswith("eed"))


def words_in_order(text: str) -> list[str]:
    """The words of a text in their order, with their capitals."""
    return _ANY_WORD.findall(text.replace("’", "'") if "’" in text else text)


@lru_cache(maxsize=1 << 12)
def roots(text: str) -> frozenset[str]:
    """The words of a text that tell something, each by its root."""
    words = set(words_in_order(small(text))) - EMPTY
    return frozenset(root(word.removesuffix("'s")) for word in words)


def root_set(words: str) -> frozenset[str]:
    return frozenset(map(root, words.split()))


def is_date(word: str) -> bool:
    """Whether a word is a number or of the calendar: often put in from elsewhere."""
    return word.isdigit() or word in CALENDAR


# The clauses of a sentence, and what in them stands under a reserve or a "not".

#: Share of a claim's words that must stand in a sentence to be taken from it.
TAKEN = 0.5
#: The same where nothing tells which word is governed: the whole clause is.
TAKEN_WHOLE = 0.6
#: The same for what stands under a condition, of which a rule keeps many words.
TAKEN_IF = 0.75
#: What is longer is no sentence; its end is not searched for marks.
LONGEST_SENTENCE = 2000
#: Sentences read of one source.
MOST = 200

_EMPHASIS = re.compile(r"[*`~]+|(?<!\w)_|_(?!\w)")
SENTENCE_END = re.compile(r"(?:(?<=[.!?;])|(?<=[.!?][\"”)]))\s+")
_OPENS = "the|a|an|he|she|it|they|we|i|this|that|his|her|their|our"
#: Where one clause of a source ends and the next begins.
_PART = re.compile(
    r"\s*[,:()–—]\s+(?!\d)|\s+-\s+|\s+(?=(?:but|because|since|although|though|while|whereas|otherwise|unless|"
    r"until|so|which|who|whose|where|when|if|whether|yet|after|before)\b"
    rf"|and (?:[A-Z]|(?:{_OPENS})\b))"
)
#: Where a claim goes on to another statement, with a subject of its own.
STATEMENT = re.compile(
    r"[.!?;]\s+|,?\s+(?=(?:but|because|since|although|though|while|whereas|otherwise)\b)"
    rf"|,?\s+and (?=[A-Z]\w+ \w|(?:{_OPENS})\b)|,\s+(?=[A-Z]\w+ \w+(?:ed|s)\b)"
)
_LEANS = re.compile(r"\b(?:he|she|it|they|this|that|both|we|i)\b", re.I)
_CONTRAST = re.compile(r"(?:only|but|instead|just|rather)\b", re.I)

#: Reserves by the word after which the governed one comes.
_MODAL = frozenset(["may", "might", "could"])
_FORWARD = frozenset(["probably", "unlikely", "possibly", "reportedly"])
_AIM = frozenset(["plan", "expect", "hope", "seem"])
#: Reserves whose clause comes after them.
_COMPLEMENT = frozenset(["guess", "hope", "propose", "seem"])
_TO_VERB = re.compile(r"\b(?:to|plan|planning|intends?|intending|seems?|appears?)$")
_ADJECTIVE = re.compile(r"\b(?:the|a|an|our|its|his|her|their|this|as|than) (?:\w+ )?$", re.I)
#: An object that is suggested is there; what is suggested to be done is not done.
_OBJECT = re.compile(r"\s+(?:a|an|the|this|these|our|his|her|their|two|three|some|it)\b")
_LABEL = re.compile(r"\W*(?:plan|idea|proposal|rumou?r|option|guess|hearsay|wish)s?:\s")
_IF = re.compile(r"\b(?:if|unless|whether|in case)\b")
_UNTRUE = re.compile(
    r"\b(?:not true|not the case|untrue|(?:false|wrong) that|den(?:y|ies|ied)(?: that| having)?|doubt(?:s|ed)?)\b"
)
_NOT = re.compile(
    r"\b(?P<none>nobody|no one|none(?: of)?|nothing|neither|nor|no)\b(?!\.? ?\d)|"
    r"(?P<not>\b(?:not|never|cannot|without|hardly|refus(?:e[sd]?|ing) to|declin(?:e[sd]?|ing) to|"
    r"fail(?:s|ed|ing)? to|unable to|forgot to|forbid\w*|avoid(?:s|ed)?|instead of|rather than)\b|n't\b)"
)
_NO_DENIAL = re.compile(
    r"\s+(?:forget|only|just|more than|less than|later than|fewer than|longer than|earlier than|"
    r"to mention|doubt|matter|sooner|wonder|merely|problem|trouble|need|wait (?:to|for)|help|otherwise|"
    r"\w+ (?:\w+ )?otherwise)\b|\s*(?:[,:.]|$)"
)
#: Before a "not" that denies no verb.
_BEFORE_DENIAL = re.compile(r"(?:,|\band|\bbut|–|—|\()\s*$")
#: "Not until Friday" says that on Friday it was.
_UNTIL = re.compile(r"\b(?:until|till|before|unless|without)\b")
_DID_NOT = re.compile(r"\b(?:(?:did|was|were|had)(?: not|n't)|never)$")
_UNDONE = re.compile(
    r"\b(?:wants?|wish(?:es)?|wanted|needs?|needed|has|have|going|about|is|are|asked \w+|promised|"
    r"offered|tried|trying|yet|would (?:like|love)|keen) to\b|\b(?:thinking|dreams|dreaming) of\b|\b(?:will|must|should|shall|let us|let's)\b"
)

_LATER = re.compile(r"\b(?:tomorrow|next (?:week|month|year|\w+day)|later this)\b")
#: "May not" is a reserve, "or not" and "if not" leave open.
_WEAK = re.compile(r"\b(?:may|might|or|if|why|whether|perhaps|maybe) $")
#: One of these stands beside every mark that is no reserve.
_HINT = re.compile(
    r"\b(?:no|not|nobody|none|nothing|neither|nor|never|cannot|without|hardly|will|must|should|shall|"
    r"let|if|unless|whether|in case|to|tomorrow|next|later|instead|rather)\b|n't|thinking|dream|den[yi]|doubt|untrue|that|avoid|forbid|:"
)
_STOP = re.compile(r"[:;–—(]")
#: They end like adverbs.
_LY = word_set("supply reply apply comply multiply imply family assembly")
_LIGHT = root_set("make take give get do have find see be come go")


@dataclass(frozen=True, slots=True)
class SentenceMark:
    """One reserve or "not" of a sentence, and what it governs."""

    rule: str
    word: str
    #: Any of these in a claim is the governed word; where there are none, the whole scope is.
    heads: frozenset[str]
    scope: frozenset[str]
    #: The words of its statement, and the clause of its sentence in which it governs.
    near: frozenset[str]
    part: int
    share: float = TAKEN
    #: Whether only a claim in the past turns it: "will come", "came".
    undone: bool = False
    #: "Not before Friday" is turned only by who says "before Friday".
    until: str = ""
    #: Whether it only sets one thing against another: "on the 14th and not on the 7th".
    contrast: bool = False


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A clause: its words, whether it names its subject by a pronoun, and whether it contrasts."""

    words: frozenset[str]
    leaning: bool
    contrast: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    marks: tuple[SentenceMark, ...]

    @property
    def parts(self) -> tuple[SentencePart, ...]:
        return _parts(self.text)


def unmarked(text: str) -> str:
    """A text without emphasis."""
    return _EMPHASIS.sub("", text)


@lru_cache(maxsize=1 << 12)
def read(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text with what is said in them under a reserve or a "not"."""
    sentences = SENTENCE_END.split(unmarked(text), maxsplit=MOST)
    return tuple(Sentence(part, _marks(part)) for part in sentences[:MOST])


@lru_cache(maxsize=1 << 12)
def _parts(text: str) -> tuple[SentencePart, ...]:
    starts = _starts(text)
    pieces = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    return tuple(
        SentencePart(roots(piece), bool(_LEANS.search(piece)), bool(_CONTRAST.match(piece)))
        for piece in pieces
    )


def _starts(text: str) -> list[int]:
    return [0, *(match.end() for match in _PART.finditer(text))]


def _marks(text: str) -> tuple[SentenceMark, ...]:
    text = text[:LONGEST_SENTENCE]
    low = small(text.replace("’", "'"))
    reserved = hinted(hedge_words.HEDGE_HINTS, low)
    hint = _HINT.search(low)
    if not reserved and not hint:
        return ()
    marking = _Marking(text, low)
    found = list(marking.reserves()) if reserved else []
    if hint:
        found += [*marking.conditions(), *marking.undone(), *marking.denials()]
    return tuple(found)


class _Marking:
    """The marks of one sentence, by what kind of word makes them."""

    def __init__(self, text: str, low: str) -> None:
        self.text, self.low = text, low
        self.starts: list[int] = []
        self.bounds: list[int] = []

    def _within(self, at: int) -> tuple[int, int]:
        """Where the statement around a place begins and ends."""
        if not self.bounds:
            self.bounds = [0, *(m.end() for m in STATEMENT.finditer(self.text)), len(self.text) + 1]
        n = bisect_right(self.bounds, at)
        return self.bounds[n - 1], self.bounds[n]

    def _part(self, at: int) -> int:
        self.starts = self.starts or _starts(self.text)
        return bisect_right(self.starts, at) - 1

    def _heading(
        self,
        rule: str,
        match: re.Match[str],
        heads: frozenset[str],
        undone: bool = False,
        until: str = "",
        contrast: bool = False,
    ) -> Iterator[SentenceMark]:
        """A mark that governs one word."""
        if not heads:
            return
        start, end = self._within(match.start())
        first = self._part(match.end())
        parts = _parts(self.text)
        part = next((n for n in range(first, len(parts)) if heads & parts[n].words), first)
        near = roots(self.text[start:end])
        word = str(match.lastgroup) if rule == "hedges" and not undone else match[0]
        yield SentenceMark(
            rule, word, heads, roots(self.text), near, part, TAKEN, undone, until, contrast
        )

    def _over(self, rule: str, word: str, start: int, end: int, at: int) -> Iterator[SentenceMark]:
        """A mark that governs a whole clause."""
        scope = roots(self.text[start:end])
        if len(scope) > 1:
            yield SentenceMark(rule, word, frozenset(), scope, scope, self._part(at), TAKEN_WHOLE)

    def reserves(self) -> Iterator[SentenceMark]:
        for match in _reserves(self.text, self.low):
            word, at = str(match.lastgroup), match.start()
            start, end = self._within(at)
            after = self.text[match.end() : end]
            part = self._part(at)
            opens = not roots(self.text[self.starts[part] : at])
            if word == "conditional":
                yield from self._over("hedges", word, 0, len(self.text), at)
            elif after.startswith(":"):
                yield from self._over("hedges", word, match.end(), len(self.text), at)
            elif (
                word in _MODAL
                or (word in _FORWARD and not opens)
                or (word in _AIM and (_TO_VERB.search(match[0]) or after.startswith(" to ")))
            ):
                yield from self._heading("hedges", match, _heads(after))
            elif match[0].startswith("should"):
                yield from self._heading("hedges", match, _heads(match[0][6:]))
            elif _is_no_reserve(word, after, self.text, at):
                continue
            elif after.strip(" .)") and (opens or word in _COMPLEMENT):
                yield from self._over("hedges", word, match.end(), end, at)
            else:
                yield from self._over("hedges", word, start, end, at)

    def conditions(self) -> Iterator[SentenceMark]:
        """What stands under a label or an "if"."""
        if label := _LABEL.match(self.low):
            yield from self._over("hedges", "plan", label.end(), len(self.text), label.end())
        if _IF.search(self.low):
            for n, part in enumerate(_parts(self.text)):
                self._part(0)
                if _IF.match(self.low, self.starts[n]) and len(part.words) > 1:
                    yield SentenceMark(
                        "hedges", "if", frozenset(), part.words, part.words, n, TAKEN_IF
                    )

    def undone(self) -> Iterator[SentenceMark]:
        """What is wanted or will be, and is not done."""
        for match in _UNDONE.finditer(self.low):
            after = self.text[match.end() : self._within(match.start())[1]]
            yield from self._heading("hedges", match, _heads(after), undone=True)
        for match in _LATER.finditer(self.low):
            start, end = self._within(match.start())
            said = self.text[start:end]
            # "She signs it tomorrow": whatever is done of it is not done yet.
            if not any(map(is_past, words_in_order(small(said)))):
                yield from self._heading("hedges", match, roots(said), undone=True)

    def denials(self) -> Iterator[SentenceMark]:
        for match in _UNTRUE.finditer(self.low):
            end = self._within(match.start())[1]
            yield from self._over("negation", match[0], match.end(), end, match.start())
        for match in _NOT.finditer(self.low):
            if _NO_DENIAL.match(self.low, match.end()) or _WEAK.search(
                self.low, max(0, match.start() - 10), match.start()
            ):
                continue
            end = self._within(match.start())[1]
            after = self.text[match.end() : end]
            if match["none"]:
                yield from self._heading("negation", match, _done_by_none(after))
            else:
                past = _DID_NOT.search(self.low, max(0, match.start() - 5), match.end())
                until = past and _UNTIL.search(self.low, match.end(), end + 8)
                limit = until[0] if until else ""
                contrast = match[0] in ("instead of", "rather than") or bool(
                    match[0] == "not" and _BEFORE_DENIAL.search(self.low, 0, match.start())
                )
                yield from self._heading(
                    "negation", match, _heads(after), until=limit, contrast=contrast
                )


def _reserves(text: str, low: str) -> Iterator[re.Match[str]]:
    if "because" in low or "since" in low or "after" in low:
        low = hedge_words.PAST_REASON.sub(lambda m: " " * len(m[0]), low)
    for match in hedge_words.HEDGE.finditer(low):
        month = match.lastgroup == "may" and text[match.start()].isupper()
        if not month or hedge_words.MAY_I.match(text, match.start()):
            yield match


def _is_no_reserve(word: str, after: str, text: str, at: int) -> bool:
    """Whether a word only names a thing: "the planned move", "suggested a scanner", "an estimated 40"."""
    if word in ("plan", "guess"):
        return _ADJECTIVE.search(text, max(0, at - 40), at) is not None
    return word == "estimate" or (word == "propose" and _OBJECT.match(after) is not None)


def _is_empty(word: str) -> bool:
    low = word.lower()
    return (
        low in EMPTY
        or low in ("not", "never", "only")
        or (low.endswith("ly") and len(low) > 5 and low not in _LY)
    )


def _heads(after: str) -> frozenset[str]:
    """The word governed by what stands before, and those joined to it: "leave the team and go"."""
    words = words_in_order(_STOP.split(after, maxsplit=1)[0])
    at = next((n for n, word in enumerate(words) if not _is_empty(word)), None)
    if at is None:
        return frozenset()
    found = {words[at].lower()}
    for joint, word in zip(words[at:], words[at + 1 :], strict=False):
        joined = joint in ("or", "nor") or (joint == "and" and not is_past(word))
        if joined and word.islower() and not _is_empty(word):
            found.add(word)
    return frozenset(map(root, found))


def _done_by_none(after: str) -> frozenset[str]:
    """What nobody did, or else what there is none of."""
    words = [w.lower() for w in words_in_order(after)]
    if "and" in words:
        words = words[: words.index("and")]
    words = [word for word in words if not _is_empty(word)]
    done = next((root(word) for word in words if is_past(word)), "")
    first = frozenset(map(root, words[:1]))
    if not done:
        return first
    return first | {done} if done in _LIGHT else frozenset([done])


# Whether a claim states what its sources only hold possible, plan or deny.

#: Words of a short report.
_FEW = 3
#: Share of a statement that a claim must repeat to say the same in another word.
USED = 0.6

#: In a claim these keep open or in the future what they stand with.
_RESERVED = root_set(
    """
whether if would risk threat threaten danger fear worry want wish chance option possibility possible
potential open pending await propose proposal consider consideration discuss discussion talk idea
plan intend intention aim hope expect due should could can rumour rumor doubt question suspect
suspicion believe think thought assume assumption estimate forecast target schedule upcoming seek ask
request offer undecided uncertain unclear unsure unverified unproven future might maybe
perhaps probably prepare warn warning announce ready need must unless case tentative draft suggestion
suggest apparent apparently alleged prospect outlook goal pencil tbd tbc weigh explore contemplate
debate mull evaluate likely
"""
)
#: In a claim these say that something is not so, or not yet.
_DENIED = root_set(
    """
not no never nor neither without cannot nobody none nothing hardly barely lack miss missing absent
absence fail failure refuse refusal reject rejection decline deny denial unable impossible instead
rather stop drop end cancel skip avoid only pending open outstanding await wait still until defer
postpone delay yet need must should block prevent forbid forbidden ban prohibit exempt withhold
except former formerly zero remain whether if wrong false untrue cease leave abandon withdraw
revoke oppose against veto unchanged idle inability exclude exclusion unclear empty free out
intact doubt few little most some part partly partial partially overlook forget keep
"""
)
_ATTRIBUTED = root_set("say tell hear claim accord mention write speak allege gossip hearsay per")
#: In a claim these set one thing against another.
_AGAINST = frozenset(["from", "over", "than", "versus", "vs"])
_BE = word_set("is are was were be been being am began started keeps kept")
_AHEAD = frozenset(["will", "shall", "soon", "next", "upcoming", "going"])
_DENYING = re.compile(
    r"\b(?:no|not|never|cannot|without|nobody|none|nothing|neither|nor)\b|n['’]t\b", re.I
)


def turned(text: str, cited: Sequence[Entry]) -> dict[str, str]:
    """The rules a claim breaks by what it leaves out of its sources, each with the word left out."""
    sources = [sentence for entry in cited for sentence in read(entry.text)][:MOST]
    found: dict[str, str] = {}
    if any(sentence.marks for sentence in sources):
        around = frozenset[str]().union(*(roots(p) for e in cited for p in (*e.headings, e.lead)))
        text = _unlabelled(unmarked(text[:LONGEST_SENTENCE]), around)
        label, colon, _ = text.partition(":")
        labelled = "hedges" if colon and len(label) < 30 and _is_reserved(label) else ""
        for statement in STATEMENT.split(text):
            claimed = roots(statement)
            for sentence in sources:
                for mark in sentence.marks:
                    if (
                        mark.rule not in found
                        and mark.rule != labelled
                        and (
                            _is_taken(claimed, mark, around)
                            if not mark.heads or not mark.heads.isdisjoint(claimed)
                            else _is_retold(claimed, mark, around, sources)
                        )
                        and not _is_kept(statement, claimed & mark.heads, mark)
                        and not _is_plain(claimed, mark, sentence, sources)
                    ):
                        found[mark.rule] = mark.word
    if "negation" not in found and _DENYING.search(text) and _denies_all(text, cited):
        found["negation"] = "not"
    return found


def _unlabelled(text: str, around: frozenset[str]) -> str:
    """A claim without the day and the heading that stand before it."""
    label, colon, rest = text.partition(": ")
    while colon and all(word in around or is_date(word) for word in roots(label)):
        text = rest
        label, colon, rest = text.partition(": ")
    return text


def _is_taken(claimed: frozenset[str], mark: SentenceMark, around: frozenset[str]) -> bool:
    """Whether a claim says what a mark governs."""
    if len(claimed & mark.scope) < 2:
        return False
    there = mark.scope | around if mark.heads else mark.scope
    # The day a thing was said on is put in from elsewhere.
    told = [word in there for word in claimed if word in there or not is_date(word)]
    return sum(told) >= mark.share * len(told)


def _is_retold(
    claimed: frozenset[str], mark: SentenceMark, around: frozenset[str], sources: Sequence[Sentence]
) -> bool:
    """Whether a claim says nearly all of a statement, with a word of its own for what is governed."""
    if mark.undone or mark.contrast or len(claimed & mark.near) < USED * len(mark.near):
        return False
    return not claimed <= around.union(*(part.words for s in sources for part in s.parts))


def _is_reserved(text: str) -> bool:
    words = {root(word.removesuffix("'s")) for word in words_in_order(small(text))}
    return bool(hedges(text)) or text.endswith("?") or not _RESERVED.isdisjoint(words)


def is_open(text: str) -> bool:
    """Whether a text leaves open or denies what it says, in whatever words."""
    return _is_reserved(text) or _is_denied(text)


def _is_denied(text: str, but: frozenset[str] = frozenset()) -> bool:
    """Whether a text says in whatever words that something is not so, `but` by these."""
    words = words_in_order(small(text))
    return not _DENIED.isdisjoint(frozenset(map(root, words)) - but) or any(
        word.endswith("n't") or (word.startswith("un") and len(word) > 6) for word in words
    )


def _is_kept(statement: str, heads: frozenset[str], mark: SentenceMark) -> bool:
    """Whether a claim has a reserve or a "not" of its own, in whatever words."""
    words = words_in_order(small(statement))
    if mark.until and mark.until not in words:
        return True
    before = dict(zip(reversed(words), reversed(["", *words[:-1]]), strict=True))
    at_head = [word for word in words if root(word) in heads]
    if at_head and all(word.endswith("ing") and before[word] not in _BE for word in at_head):
        return True  # "restarting it loses jobs" does not say that anybody does
    if mark.rule == "negation":
        # "From 150 to 250", "49, they say 50": what is denied is told as another's or as the old.
        against = not _AGAINST.isdisjoint(words) or _is_beside(words, at_head, mark)
        against = against or not _ATTRIBUTED.isdisjoint(map(root, words))
        return (mark.contrast and against) or _is_denied(statement, heads)
    others = frozenset(map(root, words)) - heads
    if hedges(statement) or statement.endswith("?") or not _RESERVED.isdisjoint(others):
        return True
    if mark.undone:
        return not any(
            is_past(word) and before[word] not in ("is", "are", "be", "gets") for word in at_head
        )
    if mark.word in ("plan", "expect", "propose", "hope"):
        to_do = any(before[word] == "to" for word in at_head)
        return to_do or not _AHEAD.isdisjoint(words)
    return not mark.heads and not _ATTRIBUTED.isdisjoint(others)


def _is_beside(words: Sequence[str], denied: Sequence[str], mark: SentenceMark) -> bool:
    """Whether a claim tells a figure that is denied together with the one that is true."""
    figures = {word for word in words if word[0].isdigit()}
    return all(word in figures for word in denied) and len(figures & mark.scope) > len(denied)


def _is_plain(
    claimed: frozenset[str], mark: SentenceMark, marked: Sentence, sources: Sequence[Sentence]
) -> bool:
    """Whether the sources say elsewhere, without a mark, what the claim says."""
    heads = claimed & mark.heads
    own = len(claimed & (marked.parts[mark.part].words if heads else mark.scope))
    for sentence in sources:
        governed = {
            other.part
            for other in sentence.marks
            if (other.rule, other.undone) == (mark.rule, mark.undone)
            and (not heads or not heads.isdisjoint(other.heads))
        }
        if not heads and sentence is not marked:
            whole = len(claimed & roots(sentence.text))
            if not governed and (whole >= mark.share * len(claimed) or _reports(sentence, claimed)):
                return True
            continue
        for at, part in enumerate(sentence.parts):
            common = len(claimed & part.words)
            contrast = part.contrast and mark.rule == "negation"
            if sentence is marked and heads and at > mark.part and contrast:
                common += 1  # "not the red one, but the blue"
            elif at in governed or (heads and heads.isdisjoint(part.words)):
                continue
            if sentence is not marked:
                if common >= 2 or part.leaning or _reports(sentence, claimed):
                    return True
            elif common > own or (
                heads and (common == own or (at > mark.part and part.leaning and 2 * common >= own))
            ):
                return True
    return False


def _reports(sentence: Sentence, claimed: frozenset[str]) -> bool:
    """Whether a few words say that what a claim tells was done: "Status: created"."""
    words = roots(sentence.text)
    done = [word for word in words_in_order(small(sentence.text)) if is_past(word)]
    return len(words) <= _FEW and any(root(word) in claimed for word in done)


def _denies_all(text: str, cited: Sequence[Entry]) -> bool:
    """Whether a claim denies what its sources say, and they deny nothing."""
    marks = [m for s in read(text) for m in s.marks if m.rule == "negation" and m.heads]
    if not marks or any(_is_denied(" ".join((*e.headings, e.lead, e.text))) for e in cited):
        return False
    return any(
        not mark.heads.isdisjoint(whole)
        and len(mark.scope & whole) >= max(2, TAKEN_WHOLE * len(mark.scope))
        for mark in marks
        for whole in (roots(entry.text) for entry in cited)
    )
