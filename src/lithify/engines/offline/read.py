"""Read entries as lines that a page can tell, and fold the lines that recur but for their figures.

Every word of a line comes from its entry, its heading or its lead-in line. Marks and times of day in
front are taken off, and certain dates are put in brackets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import zip_longest

from lithify.calendar import day_words
from lithify.engines.cover import features_of
from lithify.regex import regex
from lithify.sections import WEEK
from lithify.text.dates import with_dates
from lithify.text.figures import Figure, find_figures
from lithify.text.labels import section_by_form, section_of, without_clock, without_marks
from lithify.text.sentences import plain, speaker_of, split
from lithify.text.tokens import estimate
from lithify.text.words import stems_of
from lithify.values import Entry

#: Tokens of a bullet, unless it is one sentence; words of what stands before it; words of code.
LIMIT, _SUBJECT, _CODE = 60, 5, 30
#: A heading on this share of the days or lines, and on so many of them, tells nothing apart.
_COMMON, _COMMON_DAYS, _COMMON_LINES = 0.5, 3, 6
#: What stands before and behind the figure of an identifier: `#12`, `PR 12`, `12/A`.
_NAMED, _JOINED = regex(r".*[\w#/-]\Z|[A-Z]{2} \Z"), regex(r"[\w/-]")
#: Where a part of a line begins that is told again with another figure.
_PART = regex(r"[:;,—–]\s+")


@dataclass(frozen=True, eq=False)
class Unit:
    """Neighbouring sentences of one entry, with the form that the line has last where it recurs.

    `is_marked` says that somebody marked them: the first ones of an entry with a label, box or section.
    """

    said: str
    entry: Entry
    at: int
    section: str
    subject: str = ""
    is_marked: bool = False
    newest: Unit | None = None

    @cached_property
    def text(self) -> str:
        """The bullet: its day, what it is about, what is said, and how the line reads last."""
        last = self.newest or self
        marks = [day_words(one.entry.day) if one.entry.day else "" for one in (self, last)]
        told, day = self.said, ", ".join(dict.fromkeys(filter(None, marks)))
        if last.said != told:
            mark = f"{marks[1]}: " if marks[1] != marks[0] else ""
            again, day = last.said[_where_changed(told, last.said) :], marks[0]
            told = f"{told.rstrip('.')}; {mark}{again}"
        return ": ".join(part for part in (day, self.subject, told) if part)

    @cached_property
    def cost(self) -> int:
        return estimate(f"- {self.text}")

    @cached_property
    def features(self) -> frozenset[str]:
        return features_of(f"{self.subject} {self.said}")

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.entry.id, self.newest.entry.id) if self.newest else (self.entry.id,)


def units_of(entries: Sequence[Entry], limit: int = LIMIT) -> list[Unit]:
    """Return the lines of some entries in their order, of as many sentences as fit the limit.

    Code and lead-in lines are read only on a day that has nothing else.
    """
    days = {entry.day for entry in entries if entry.kind not in ("code", "lead")}
    common = _common_shapes(entries)
    found: list[Unit] = []
    for entry in entries:
        if entry.kind in ("code", "lead") and entry.day in days:
            continue
        heading = entry.headings[-1] if entry.headings else ""
        section = section_by_form(entry.text, heading, entry.lead) or WEEK.context
        subject = _subject_of(entry, common)
        for n, said in enumerate(_passages(entry, subject, limit)):
            about = "" if set(stems_of(subject)) <= set(stems_of(said)) else subject
            is_marked = not n and section != WEEK.context
            found.append(Unit(said, entry, len(found), section, about, is_marked))
    return found


def _passages(entry: Entry, subject: str, limit: int) -> list[str]:
    """Cut what an entry says into runs of sentences that fit the limit; no sentence is cut."""
    if entry.kind == "code":
        return [" ".join(entry.text.split()[:_CODE])]
    words = _row(entry) if entry.kind == "row" else plain(without_marks(entry.text))
    if entry.day:
        # The day itself stands in front.
        dated, today = with_dates(words, entry.day), f" ({entry.day})"
        words = dated if today in words else dated.replace(today, "")
    speaker = f"{speaker_of(words)}: " if speaker_of(words) else ""
    room = limit - estimate(f"- {day_words(entry.day) if entry.day else ''}: {subject}: ")
    runs: list[str] = []
    size = room
    for sentence in (words,) if entry.kind == "row" else split(words):
        size += (cost := estimate(sentence))
        if runs and size <= room:
            runs[-1] += f" {sentence}"
        else:
            runs.append(f"{speaker if runs else ''}{sentence}")
            size = cost if cost < room else room
    return [run for run in runs if any(map(str.isalnum, run))]


def _row(entry: Entry) -> str:
    """Return a table's row: its first cell, then each cell behind the name of its column."""
    lines = (entry.text, entry.lead)
    cells, heads = ([plain(cell.strip()) for cell in one.strip(" |").split("|")] for one in lines)
    pairs = zip_longest(cells[1:], heads[1 : len(cells)], fillvalue="")
    rest = "; ".join(f"{head}: {cell}" if head else cell for cell, head in pairs if cell)
    return " - ".join(part for part in (cells[0], rest) if part)


def _subject_of(entry: Entry, common: frozenset[str]) -> str:
    """Return the lead-in line or heading that says what an entry is about; no section, title or length."""
    lead = split(entry.lead)[-1] if entry.lead and entry.kind != "row" else ""
    for words in (lead, *entry.headings[::-1]):
        said = plain(without_clock(words)).strip(" :：#*_-–—")
        is_title = words in entry.headings[:1] and any(map(str.isdigit, said))
        if not any(map(str.isalpha, said)) or is_title or _shape(words) in common:
            continue
        if not (section_of(words) or section_of(said)):
            most = LIMIT // 4 if words == lead else _SUBJECT
            return said if len(said.split()) <= most and estimate(said) <= 2 * most else ""
    return ""


def _common_shapes(entries: Sequence[Entry]) -> frozenset[str]:
    """Return the headings, figures aside, that tell no line apart: on most days, or over most lines."""
    above = Counter((words, e.day) for e in entries for words in {e.lead, *e.headings})
    lines, days = Counter[str](), dict[str, set[date | None]]()
    for (words, day), count in above.items():
        lines[_shape(words)] += count
        days.setdefault(_shape(words), set()).add(day)
    most = max(_COMMON_DAYS, _COMMON * len({entry.day for entry in entries}))
    whole = max(_COMMON_LINES, _COMMON * len(entries))
    return frozenset(one for one in days if len(days[one]) >= most or lines[one] >= whole)


def folded(units: Sequence[Unit]) -> tuple[list[Unit], list[Unit]]:
    """Return each line once, with its newest form where it recurs, and the lines between the two.

    What is open is left out where the same words are told as done.
    """
    groups: dict[Hashable, list[Unit]] = {}
    done = {one.said.casefold() for one in units if one.section == WEEK.outcomes}
    for one in units:
        if one.section != WEEK.open_items or one.said.casefold() not in done:
            groups.setdefault((one.section, one.subject, _shape(one.said)), []).append(one)
    found = [
        replace(first, newest=more[-1] if more and more[-1].entry.id != first.entry.id else None)
        for first, *more in groups.values()
    ]
    between = [one for own in groups.values() for one in own[1:-1]]
    return sorted(found, key=lambda one: one.at), between


def _shape(text: str) -> str:
    """Return a line without its figures."""
    parts, at = [], 0
    for figure in find_figures(text) if any(map(str.isdigit, text)) else ():
        parts.append(text[at : figure.start].removesuffix("+"))
        at = figure.end
    return "\0".join([*parts, text[at:]]).casefold()


def _changes(first: str, last: str) -> list[tuple[Figure, Figure]]:
    """Return the figures in which two lines of one shape differ."""
    pairs = zip(find_figures(first), find_figures(last), strict=False)
    return [(one, other) for one, other in pairs if one.text != other.text]


def changed_values(first: str, last: str) -> bool:
    """Return whether two lines of one shape differ in figures, and in no identifier, time or date."""
    changes = _changes(first, last)
    return bool(changes) and all(_is_value(a, first) and _is_value(b, last) for a, b in changes)


def _is_value(figure: Figure, text: str) -> bool:
    is_named = _NAMED.match(text[max(0, figure.start - 3) : figure.start])
    return figure.kind == "number" and not is_named and not _JOINED.match(text, figure.end)


def _where_changed(first: str, last: str) -> int:
    """Return where the part of a line begins that holds the first figure which changed."""
    start = next((other.start for _, other in _changes(first, last)), 0)
    spans = [(one.start, one.end) for one in find_figures(last)]
    begins = (match.end() for match in _PART.finditer(last, 0, start))
    return max((at for at in begins if not any(a < at < b for a, b in spans)), default=0)
