"""Hold a claim against the entries that it cites: figures, dates, identifiers and quotations.

A figure of a claim stands, whole, in an entry that it cites, or in that entry's heading path or
lead-in line. What is equal follows the table in `docs/verifier.md`. Nothing here adds a source to a
claim, and nothing judges words: names and all that is said in words are a reader's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from lithify.regex import regex
from lithify.text.dates import DateIn, Day, find_dates, spoken_dates, with_dates, with_year
from lithify.text.figures import Figure, find_figures, match
from lithify.values import Brief, Claim, Entry, Violation

#: Entries named, and figures listed, in a reason that goes back to a writer.
_NAMED, _LISTED = 3, 8


@dataclass(frozen=True)
class ShownEntries:
    """The entries a writer was shown, by id, with the labels they had in the prompt."""

    entries: Mapping[str, Entry]
    labels: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def of(entries: Sequence[Entry]) -> ShownEntries:
        """Take entries as they are, without labels."""
        return ShownEntries({entry.id: entry for entry in entries})

    @staticmethod
    def to_writer(brief: Brief) -> ShownEntries:
        """Take what a brief shows its writer, with the labels it may cite."""
        labels = {entry.id: label for label, own in brief.lines for entry in own}
        return ShownEntries({entry.id: entry for entry in brief.entries}, labels)

    def label(self, id: str) -> str:
        """Return an entry as its writer knows it."""
        return f"[{self.labels[id]}]" if id in self.labels else id

    def cited(self, ids: Iterable[str]) -> list[Entry]:
        """Return the entries of these ids, without those that were not shown."""
        return [self.entries[id] for id in ids if id in self.entries]


def trace(
    claim: Claim, shown: ShownEntries, *, extractive: bool = False
) -> tuple[Claim, tuple[Violation, ...], tuple[Violation, ...]]:
    """Return a claim with the labels that exist, what is wrong with it, and notes.

    Where all its entries are of one day, the date that "tomorrow" means goes into brackets behind
    it, unless the claim consists of its sources' own words.
    """
    known = tuple(id for id in claim.sources if id in shown.entries)
    strangers = [id for id in claim.sources if id not in shown.entries]
    if not known:
        why = f"cites {strangers[0]}, which was not shown" if strangers else "cites no entry"
        return claim, (Violation("trace", why, claim.text),), ()
    notes = tuple(
        Violation("trace", f"{id} is not a label that was shown; it was dropped", claim.text)
        for id in strangers
    )
    cited = shown.cited(known)
    text = claim.text if extractive else _dated(claim.text, cited)
    lacking = missing(text, cited)
    wrong = tuple(
        Violation(rule, why, text)
        for rule, why in dict.fromkeys((one.rule, _reason(one, known, shown)) for one in lacking)
    )
    return replace(claim, text=text, sources=known), wrong, notes


def _dated(text: str, cited: Sequence[Entry]) -> str:
    """Return a claim with the dates of its English words, where its entries say those words."""
    days = {entry.day for entry in cited}
    day = days.pop() if len(days) == 1 else None
    if day is None:
        return text
    said = " ".join(entry.text for entry in cited).lower()
    words = {text[one.start : one.end].lower() for one in spoken_dates(text, day)}
    return with_dates(text, day) if all(word in said for word in words) else text


class Missing(NamedTuple):
    """A part of a claim that no entry it cites has."""

    rule: str
    text: str
    figures: tuple[Figure, ...] = ()
    day: DateIn | None = None


class Ground(NamedTuple):
    """What an entry vouches for: its words, figures, dates and the years it names, and its own day."""

    folded: str
    figures: tuple[Figure, ...]
    dates: frozenset[Day]
    years: frozenset[int]
    day: date | None


def missing(text: str, cited: Sequence[Entry]) -> list[Missing]:
    """Return what of a claim stands in none of the entries it cites."""
    return missing_in(text, [ground_of(entry) for entry in cited])


def missing_in(text: str, grounds: Sequence[Ground]) -> list[Missing]:
    """Return what of a text stands in none of these grounds."""
    found: list[Missing] = []
    covered: list[tuple[int, int]] = []
    for rule, start, end, pieces in _verbatim(text):
        covered.append((start, end))
        found += [
            Missing(rule, piece)
            for piece in pieces
            if not any(_stands(piece, ground.folded) for ground in grounds)
        ]
    weeks = {ground.day.isocalendar()[1] for ground in grounds if ground.day}
    for week in _WEEK.finditer(text):
        if int(week[1]) in weeks:
            covered.append(week.span())
    for one in find_dates(text):
        if one.alone or _within(one, covered):
            continue
        if any(_is_said(day, ground) for day in one.readings for ground in grounds):
            covered.append((one.start, one.end))
        elif not one.unsure:
            covered.append((one.start, one.end))
            found.append(Missing("dates", text[one.start : one.end], day=one))
    for figure in find_figures(text):
        if not _within(figure, covered) and not stands(figure, grounds):
            found.append(Missing("figures", figure.text.strip(), (figure,)))
    return found


def _is_said(day: Day, ground: Ground) -> bool:
    """Return whether an entry has a date; a bare year must stand in its words."""
    if not day.month:
        return day.year > 0 and day.year in ground.years
    return any(said.says(day) for said in ground.dates)


def stands(figure: Figure, grounds: Iterable[Ground]) -> bool:
    """Return whether one of these grounds has a figure, equal or before rounding."""
    return any(match(figure, said) for ground in grounds for said in ground.figures)


def _within(one: DateIn | Figure, covered: Sequence[tuple[int, int]]) -> bool:
    return any(start <= one.start and one.end <= end for start, end in covered)


_WEEK = regex(r"(?<![A-Za-z0-9])(?:\d{4}-)?[wW](\d{1,2})(?![A-Za-z0-9])")


def ground_of(entry: Entry) -> Ground:
    """Return what an entry vouches for, with its heading path and lead-in line."""
    return (_ground if len(entry.text) <= _REMEMBERED else _ground.__wrapped__)(entry)


#: Entries above this length are read each time they are asked for, rather than kept.
_REMEMBERED = 10_000


@lru_cache(maxsize=1 << 11)
def _ground(entry: Entry) -> Ground:
    return ground_of_texts((*entry.headings, entry.lead, entry.text), entry.day)


def ground_of_texts(parts: Sequence[str], day: date | None) -> Ground:
    """Return what some texts of a day vouch for together."""
    dates = {Day(day.year, day.month, day.day)} if day else set()
    years: set[int] = set()
    for part in parts:
        for one in find_dates(part):
            years.update(reading.year for reading in one.readings)
            dates.update(with_year(reading, day) if day else reading for reading in one.readings)
        for spoken in spoken_dates(part, day) if day else ():
            for first, last in spoken.spans:
                dates |= {Day(one.year, one.month, one.day) for one in (first, last)}
    figures = tuple(figure for part in parts for figure in find_figures(part))
    words = folded("\n".join(filter(None, parts)))
    return Ground(words, figures, frozenset(dates), frozenset(years), day)


# What stands in an entry character for character: quotations, code, addresses, paths and names in code.

_TICKS = r"(?<!`)`{1,3}([^`\n]{1,500})`{1,3}"
_QUOTES = (
    r'(?<!\w)"([^"\n]{1,400})"(?!\w)',
    r"[“„]([^“”„\n]{1,400})[”“]",
    r"«([^«»\n]{1,400})»",
    r"「([^「」\n]{1,400})」",
    r"『([^『』\n]{1,400})』",
)
_URL = r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[A-Za-z0-9$&+,/:;=?@#%~_.!()\[\]*'-]+"
_PATH = (
    r"(?<![\w/.:~])(?:~|\.{1,2})?/[A-Za-z._][A-Za-z0-9_.@+/-]*",
    r"(?<![A-Za-z0-9_/.:@-])[A-Za-z0-9_@+-]{2,}(?:[./][A-Za-z0-9_@+-]+)*\.[a-z][a-z0-9]{1,4}(?![A-Za-z0-9_])",
)
_SNAKE = r"(?<![A-Za-z0-9_])[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+(?![A-Za-z0-9_])"
_VERBATIM = regex(
    f"(?:{_TICKS})|(?:{')|(?:'.join(_QUOTES)})|(?P<url>{_URL})|(?P<path>{'|'.join(_PATH)})|(?P<snake>{_SNAKE})"
)
#: What may end a sentence behind an address, a path or the words of a quotation.
_ENDS = " \t.,:;!?)]'*_。，；：！？、…"
_ELLIPSIS = regex(r"\s*(?:\[(?:…|\.\.\.)\]|…|\.\.\.)\s*")


def _verbatim(text: str) -> Iterator[tuple[str, int, int, list[str]]]:
    """Yield the rule, the place and the pieces of each part that must stand in a source as it is."""
    for found in _VERBATIM.finditer(text):
        named = found["url"] or found["path"] or found["snake"]
        if named:
            piece = named.rstrip(_ENDS)
            yield "identifiers", found.start(), found.start() + len(piece), [piece]
        elif found[1]:
            yield "identifiers", *found.span(), [found[1]]
        else:
            words = next(filter(None, found.groups()[1:6]))
            pieces = [piece.strip(_ENDS) for piece in _ELLIPSIS.split(words)]
            yield "quotations", *found.span(), [piece for piece in pieces if piece]


def _stands(piece: str, source: str) -> bool:
    """Return whether a source has a piece as it is; of a list joined by "/" it may have the parts."""
    words = folded(piece)
    if not any(map(str.isalnum, words)) or _occurs(words, source):
        return True
    if _is_inflected(words.split(), source):
        return True
    parts = words.split("/")
    is_list = len(parts) > 1 and all(parts) and "." not in words and ":" not in words
    return is_list and all(_occurs(part.strip(), source) for part in parts)


def _is_inflected(words: Sequence[str], source: str) -> bool:
    """Return whether a source has a name in quotation marks with other endings: «Соляному острову»."""
    if not 0 < len(words) <= _NAME or any(word.isascii() or not word.isalpha() for word in words):
        return False
    stems = [re.escape(word[: max(_STEM, len(word) - _ENDING)]) for word in words]
    return re.search(r"\w{0,3}\W{1,3}".join(rf"\b{stem}" for stem in stems), source) is not None


#: Words of a name, letters that stay of a word, and letters of its ending.
_NAME, _STEM, _ENDING = 3, 3, 3


def _occurs(words: str, source: str) -> bool:
    """Return whether words stand in a source, not as a part of longer Latin words or figures."""
    at = source.find(words)
    while at >= 0:
        end = at + len(words)
        whole_left = not (_is_latin(words[0]) and at and _is_latin(source[at - 1]))
        if whole_left and not (_is_latin(words[-1]) and _is_latin(source[end : end + 1])):
            return True
        at = source.find(words, at + 1)
    return False


def _is_latin(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign == "_")


_MARKS = regex(r"[*`~\\\[\]]+|(?<![^\W_])_+|_+(?![^\W_])")
_QUOTE_MARKS = str.maketrans(
    dict.fromkeys("“”„«»「」『』", '"') | dict.fromkeys("‘’", "'") | dict.fromkeys("–—−‑", "-")
)
#: White space beside a sign of a script that puts none between words.
_WIDE_SPACE = regex(r"(?<=[\u2e80-\uffef]) | (?=[\u2e80-\uffef])")


def folded(text: str) -> str:
    """Return a text without what may differ: case, white space, Markdown's marks, kinds of quotes."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_QUOTE_MARKS)
    plain = " ".join(_MARKS.sub("", text).casefold().split())
    return plain if plain.isascii() else _WIDE_SPACE.sub("", plain)


# The reason that goes back to a writer.


def _reason(one: Missing, cited: Sequence[str], shown: ShownEntries) -> str:
    """Say what is missing, what the cited entries have instead, and which other entry has it."""
    said = f'"{one.text}" stands in no entry cited'
    if one.figures and (theirs := _figures_of(shown.cited(cited))):
        said += f"; they have {', '.join(theirs)}"
    elsewhere = [id for id in shown.entries if id not in cited and _has(one, shown.entries[id])]
    if 0 < len(elsewhere) <= _NAMED:
        labels = ", ".join(map(shown.label, elsewhere))
        said += f"; {labels} has it: cite it if the claim rests on it"
    return said


def _has(one: Missing, entry: Entry) -> bool:
    ground = ground_of(entry)
    if one.figures:
        return stands(one.figures[0], [ground])
    if one.day:
        return any(_is_said(day, ground) for day in one.day.readings)
    return _stands(one.text, ground.folded)


def _figures_of(cited: Sequence[Entry]) -> list[str]:
    found = (re.sub(r"\s+", " ", one.text) for e in cited for one in ground_of(e).figures)
    figures = list(dict.fromkeys(found))
    return [*figures[:_LISTED], *(["…"] if len(figures) > _LISTED else [])]
