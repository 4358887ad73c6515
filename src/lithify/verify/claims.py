"""One claim against the entries it cites: trace, atoms, hedges, and whether it reads alone."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from lithify.judge import decision_chance, is_taught
from lithify.text.atoms import Atom, unsupported
from lithify.text.dates import absolute, relative_left
from lithify.text.hedges import denies, hedges, hinted, small
from lithify.text.language import language_of
from lithify.text.tokens import estimate
from lithify.values import COMBINED_SECTIONS, WEEK_SECTIONS, Claim, Entry, Violation
from lithify.verify.alike import words_of
from lithify.verify.clauses import clauses, words_in
from lithify.verify.derived import follows
from lithify.verify.extent import other_unit, widened
from lithify.verify.pairing import crossed
from lithify.verify.polarity import is_open, turned
from lithify.verify.shown import Shown
from lithify.verify.together import misplaced

#: Share of a claim's words that must stand in what it cites; below it, it says something else.
SUPPORT = 0.25
#: Letters by which a claim's word is taken for another form of a source's.
_BEGINNING = 4
#: Share at which an entry that was not cited is taken as what a claim rests on.
ALIGNED = 0.5

#: Sections that hold decisions, and how sure the judge must be that none was stated.
DECISIONS = (WEEK_SECTIONS[1], COMBINED_SECTIONS[0])
SURE = 0.9

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
_SENTENCE = re.compile(r"(?:(?<=[.!?;])|(?<=[.!?][\"”)]))\s+")


def _words(entry: Entry) -> frozenset[str]:
    """The words of an entry and of what it stands under."""
    return words_of(" ".join([*entry.headings, entry.lead, entry.text]))


def support(claim_words: frozenset[str], cited: Sequence[str], shown: Shown) -> float:
    """The share of a claim's words that stand in the entries cited."""
    if not claim_words:
        return 1.0
    there = frozenset[str]().union(*(_words(shown.entries[id]) for id in cited))
    return len(claim_words & there) / len(claim_words)


def mend(claim: Claim, shown: Shown) -> Claim:
    """What can be put right without asking: missing sources aligned, relative dates resolved."""
    known = tuple(id for id in claim.sources if id in shown.entries)
    if not known:
        known = align(claim.text, shown)
    cited = [shown.entries[id] for id in known]
    text = _dated(claim.text, cited, shown)
    if cited and _missing(text, cited, shown):
        known = _widened(text, known, shown)
    return replace(claim, text=text, sources=known or claim.sources)


def _dated(text: str, cited: Sequence[Entry], shown: Shown) -> str:
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


def _missing(text: str, cited: Sequence[Entry], shown: Shown) -> tuple[Atom, ...]:
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


def align(text: str, shown: Shown, most: int = 2) -> tuple[str, ...]:
    """The entries that best support a text that names none, if their support is enough."""
    wanted = words_of(text)
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


def _widened(text: str, cited: tuple[str, ...], shown: Shown) -> tuple[str, ...]:
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
    claim: Claim, shown: Shown, *, extractive: bool = False, judging: bool = False
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
    if not extractive and estimate(claim.text) > _most(cited):
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
    for rule, said in broken.items():
        wrong(rule, _TURNED[rule].format(said))
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


def _elsewhere(atom: Atom, claim: Claim, shown: Shown) -> str:
    """Where a missing specific does stand, so that its writer can cite it or leave it out."""
    there = [id for id in shown.entries if id not in claim.sources and shown.says(atom, id)]
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


def _undecided(claim: Claim, cited: Sequence[Entry], shown: Shown) -> bool:
    """Whether a claim tells a decision and surely no entry that it cites states one."""
    if claim.section not in DECISIONS or not is_taught(shown.language):
        return False
    return all(decision_chance(entry, shown.language) <= 1 - SURE for entry in cited)


def _together(text: str, cited: Sequence[Entry], shown: Shown) -> Iterator[Violation]:
    """What a claim puts together otherwise than its sources do."""
    if fault := misplaced(text, cited, shown.language, shown.doers):
        yield Violation("together", fault, text)
    if pair := crossed(text, cited, shown.language, shown.agent):
        yield Violation("together", f"{pair} are the other way round in the entries cited", text)
    if unit := other_unit(text, cited):
        yield Violation("unit", f'the entries cited do not count in "{unit}"', text)
    if word := widened(text, cited, shown.language):
        yield Violation("widened", f'"{word}" is more than the entries cited say', text)


def _is_elsewhere(claim: Claim, shown: Shown) -> bool:
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
    return any(map(hedges, _SENTENCE.split(text)))


def _most(cited: Sequence[Entry]) -> int:
    """How long a claim may be: twice what it cites, and two sentences more."""
    return 2 * sum(estimate(entry.text) for entry in cited) + 60


def _reserve_lost(text: str, cited: Sequence[Entry]) -> str:
    """The reserves of the sentences that a cut claim is made of, if it has none and all of them do.

    Only these count: a plan told in the next sentence of the same entry says nothing about
    this one.
    """
    if not any(_is_hedged(entry.text) for entry in cited) or hedges(text):
        return ""
    wanted = words_of(text)
    found = [
        hedges(sentence)
        for entry in cited
        for sentence in _SENTENCE.split(entry.text)
        if (words := words_of(sentence)) and len(words & wanted) >= USED * len(words)
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
