"""From chosen sentences to bullets: dated, with their subject, at most sixty tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lithify import cues
from lithify.engines.offline.reading.headings import subject_of, timeless
from lithify.engines.offline.reading.leaning import hangs
from lithify.engines.offline.reading.text import LIMIT, tokens_in
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS
from lithify.values import Claim, Entry

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MANY = 8
#: Words that sentences of two entries share where they are of one thing.
_SHARED = 2
#: The part of the fewer of their words that this must be.
_PART = 0.25
#: What ties a sentence to one that is not on the page, and says no more than that.
_TIE = re.compile(
    r"(?:and|but|so(?! (?:far|that|long|much|many|few|little|as|be|is|do|does|did|to)\b))[,:]? (?=\w)",
    re.I,
)
DATE = 5


@dataclass(slots=True)
class Bullet:
    """Sentences of one day and heading that stand together."""

    section: str
    units: list[Unit] = field(default_factory=list)
    fixed: str = ""
    size: int = 0

    @property
    def cost(self) -> int:
        self.size = self.size or cost_of(self.units)
        return self.size

    def takes(self, more: Sequence[Unit]) -> bool:
        """Add these sentences if the bullet can hold them too, and say whether it could."""
        together = [*self.units, *more]
        size = _size_within(together)
        if size:
            self.units, self.size = together, size
        return size > 0


def day_words(entry: Entry) -> str:
    """The day of an entry in words: `2 Apr`."""
    return f"{entry.day.day} {_MONTHS[entry.day.month - 1]}" if entry.day else ""


def date_mark(entry: Entry) -> str:
    """The day of an entry as a bullet begins with it: `2 Apr 2026:`."""
    if entry.day is None:
        return ""
    return f"{entry.day.day} {_MONTHS[entry.day.month - 1]} {entry.day.year:04}:"


def cost_of(units: Sequence[Unit]) -> int:
    """Tokens of the bullet these sentences make, its marker included."""
    first = units[0]
    total = 1 + (DATE if first.entry.day else 0)
    subject = subject_for(units)
    if subject:
        total += tokens_in(subject) + 1
    label = ""
    for unit in units:
        if unit.label and unit.label != label:
            total += tokens_in(unit.label) + 1
        label = _last_speaker(unit)
        total += unit.tokens + (not _ends(unit.text))
    last = units[-1].text
    return total - (not _ends(last) or _stops(last))


def _last_speaker(unit: Unit) -> str:
    """Who has the last word in a sentence: a question may be told with another's answer."""
    for one in reversed(unit.folded):
        if one.label and one.label != unit.label and f" {one.label}: {one.text}" in unit.text:
            return one.label
    return unit.label


def joins(before: Unit, after: Unit) -> bool:
    """Whether a sentence may follow another in a bullet: not an unnamed one after a speaker's."""
    return bool(after.label) or not before.label


def _stops(text: str) -> bool:
    """Whether the text ends in a full stop that a bullet can do without."""
    return text[-1:] == "." and text[-3:] != "..."


def subject_for(units: Sequence[Unit]) -> str:
    """The heading's subject, where none of the sentences names it."""
    if len(units) == 1 and not fits(units[0]):
        # A date made absolute may have lengthened the sentence: it goes before its subject.
        return ""
    return _missing(units)


def fits(unit: Unit) -> bool:
    """Whether a bullet can hold a sentence with its date, its speaker and its subject."""
    words = [word for word in (_missing([unit]), unit.label) if word]
    return 1 + DATE + sum(map(tokens_in, words)) + len(words) + unit.tokens <= LIMIT


def _missing(units: Sequence[Unit]) -> str:
    """The heading's subject, if the sentences do not name it."""
    subject, stems = subject_of(units[0].place)
    if not subject:
        return ""
    first = units[0]
    missing = stems
    if not first.label and hangs(first.text):
        return timeless(subject)
    for unit in units:
        missing = missing.difference(unit.stems)
        if unit.label:
            missing = missing.difference(stems_in(unit.label))
    return timeless(subject) if len(missing) * 2 > len(stems) else ""


def beside(unit: Unit) -> tuple[object, ...]:
    """What sentences share that can be begun in one bullet: talk goes on, a log's entries do not."""
    if _is_matter(unit) or (unit.label and unit.section == cues.CONTEXT):
        return unit.section, unit.entry.day, unit.place
    return unit.section, unit.entry.id


def _is_matter(unit: Unit) -> bool:
    """Whether the heading of a sentence names one matter: a single word names a kind of thing."""
    return len(subject_of(unit.place)[1]) > 1


class Packing:
    """Joins sentences of one section, day and heading in order while they fit a bullet.

    The sentences of one entry stay together where a bullet can hold them, in the first one that has
    room. One choice is packed after another, and what did not change is not packed again.
    `apart`: entries that do not speak of one thing stand in bullets of their own.
    `by_speaker`: what one says stands together, and not beside what another answers.
    """

    def __init__(self, apart: bool = False, by_speaker: bool = False) -> None:
        self._apart, self._by_speaker = apart, by_speaker
        self._known: dict[tuple[tuple[int, ...], ...], list[Bullet]] = {}

    def __call__(self, units: Iterable[Unit]) -> list[Bullet]:
        beside: dict[tuple[object, ...], list[list[Unit]]] = {}
        for run in _runs(sorted(units, key=lambda unit: unit.at)):
            first = run[0]
            speaker = first.label if self._by_speaker else ""
            group = (first.section, first.entry.day, first.place, speaker)
            beside.setdefault(group, []).append(run)
        bullets: list[Bullet] = []
        for runs in beside.values():
            key = tuple([tuple([unit.at for unit in run]) for run in runs])
            if key not in self._known:
                self._known[key] = _put_together(runs, self._apart)
            bullets += self._known[key]
        return bullets


def _put_together(runs: Sequence[Sequence[Unit]], apart: bool) -> list[Bullet]:
    """Bullets of runs that all have one section, day and heading."""
    bullets: list[Bullet] = []
    for run in runs:
        first = run[0]
        near = [one for one in bullets if not apart or _of_one_thing(one.units, run)]
        if any(joins(one.units[-1], first) and one.takes(run) for one in near):
            continue
        bullet = near[-1] if near and near[-1] is bullets[-1] else None
        if bullet and (not joins(bullet.units[-1], first) or (len(run) > 1 and _size_within(run))):
            bullet = None
        for unit in run:
            if bullet is None or not bullet.takes([unit]):
                if unit.leans and not unit.must and bullet is not None:
                    # Better left out than begun with a pronoun.
                    continue
                bullet = Bullet(unit.section, [unit])
                bullets.append(bullet)
    return bullets


def _of_one_thing(units: Sequence[Unit], run: Sequence[Unit]) -> bool:
    """Whether sentences are of one matter, talk or entry, or share words enough to be."""
    first = run[0]
    if _is_matter(first) or (first.label and units[-1].label and first.section == cues.CONTEXT):
        return True
    if any(unit.entry is first.entry and unit.line == first.line for unit in units):
        return True
    if first.entry.kind == "row" and units[-1].entry.kind == "row":
        # Rows of a table share the names of its columns and nothing else.
        return False
    said = {stem for unit in units for stem in unit.stems} - COMMON_STEMS
    more = {stem for unit in run for stem in unit.stems} - COMMON_STEMS
    return len(said & more) >= max(_SHARED, min(len(said), len(more)) * _PART)


def _size_within(units: Sequence[Unit]) -> int:
    """Tokens of the bullet these sentences make; 0 where they are more than a bullet can hold."""
    least = sum([unit.tokens for unit in units]) + (DATE if units[0].entry.day else 0)
    size = cost_of(units) if least <= LIMIT else least
    return size if size <= LIMIT else 0


def _runs(units: Sequence[Unit]) -> list[list[Unit]]:
    """Chosen sentences that follow one another in one entry and section."""
    runs: list[list[Unit]] = []
    for unit in units:
        last = runs[-1][-1] if runs else None
        if (
            last
            and last.entry is unit.entry
            and last.line == unit.line
            and last.section == unit.section
            and joins(last, unit)
        ):
            runs[-1].append(unit)
        else:
            runs.append([unit])
    return runs


def total_cost(bullets: Iterable[Bullet]) -> int:
    """Tokens of all the bullets."""
    return sum(bullet.cost for bullet in bullets)


def written(bullet: Bullet) -> str:
    """The bullet's words."""
    if bullet.fixed:
        return bullet.fixed
    units = bullet.units
    parts = []
    subject = subject_for(units)
    mark = date_mark(units[0].entry)
    if mark:
        parts.append(mark)
    if subject:
        parts.append(f"{subject}:")
    said: list[str] = []
    label = ""
    for unit in units:
        text = unit.text
        if not (said or unit.label):
            text = untied(text) if subject else _begun(text)
        if unit.label and unit.label != label:
            text = f"{unit.label}: {text}"
            text = text if said or subject else _with_capital(text)
        label = _last_speaker(unit)
        said.append(text)
    return " ".join([*parts, in_a_row(said)])


def untied(text: str) -> str:
    """The sentence without the word that ties it to a longer one, of which it was a part."""
    return _begun(text) if text[0].islower() and _TIE.match(text) else text


def _begun(text: str) -> str:
    """A sentence as the first of a bullet: not tied to another, and with a capital.

    What is no plain word, as a path or a version is, stays as it is written.
    """
    tie = _TIE.match(text)
    return _with_capital(text[tie.end() :] if tie else text)


def _with_capital(text: str) -> str:
    first = text.split(maxsplit=1)[0].rstrip(",;:.!?")
    return text[0].upper() + text[1:] if first.isalpha() and first.islower() else text


def in_a_row(said: Sequence[str]) -> str:
    """Sentences one after the other, each with the stop it needs, and none at the end."""
    parts: list[str] = []
    for number, text in enumerate(said):
        words = _with_capital(text) if number and _ends(said[number - 1]) else text
        if number == len(said) - 1:
            parts.append(words[:-1] if _stops(words) else words.rstrip(" ,;:"))
        elif _ends(words):
            parts.append(words)
        else:
            stop = "." if said[number + 1][:1].isupper() else ";"
            parts.append(f"{words.rstrip(' ,;:')}{stop}")
    return " ".join(parts)


def stopped(text: str) -> str:
    """A sentence with its stop, where no quotation ends it already."""
    return text if _ends(text) else f"{text.rstrip(' ,;:')}."


def _ends(text: str) -> bool:
    """Whether a sentence has its stop, within a quotation or behind it."""
    return text.rstrip("\"'")[-1:] in (".", "!", "?")


def sources(units: Sequence[Unit]) -> tuple[str, ...]:
    """The ids a bullet rests on: its own entries, the folded ones that may not be lost, the last."""
    ids = dict.fromkeys(unit.entry.id for unit in units)
    for unit in units:
        twins = unit.folded
        for twin in twins:
            if twin.must or len(twins) <= _MANY:
                ids.setdefault(twin.entry.id)
        if twins:
            ids.setdefault(twins[-1].entry.id)
    return tuple(ids)


def claims_of(
    bullets: Sequence[Bullet], sections: Sequence[str], trusted: bool
) -> tuple[Claim, ...]:
    """The bullets as claims, section by section, by day within each."""
    rank = {section: n for n, section in enumerate(sections)}
    ordered = sorted(bullets, key=lambda b: (rank[b.section], b.units[0].at))
    return tuple(
        Claim(written(bullet), sources(bullet.units), bullet.section, trusted) for bullet in ordered
    )
