"""Lines that a log repeats, the same but for their times: shown once, with the times of the others."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Protocol, TypeVar

from lithify.regex import regex

#: Fewer lines than this are shown each by itself, and so are shorter ones: folding saves little.
FEWEST, _LENGTH = 4, 30

#: Other figures than these say another thing: "crate 4 was moved" and "crate 5 was moved" are two.
_TIME = regex(r"\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?[Mm]\b)?")


class Line(Protocol):
    """What is read of an entry."""

    @property
    def id(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def lead(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def headings(self) -> Sequence[str]: ...
    @property
    def origin(self) -> str: ...
    @property
    def quoted(self) -> bool: ...


LineT = TypeVar("LineT", bound=Line)


def folded(entries: Sequence[LineT]) -> list[tuple[LineT, ...]]:
    """Return entries in their order, each first one with those that repeat it but for times."""
    alike: dict[Hashable, list[LineT]] = {}
    for n, entry in enumerate(entries):
        plain = entry.kind in ("item", "paragraph") and len(entry.text) >= _LENGTH
        alike.setdefault(_said(entry) if plain else n, []).append(entry)
    found: list[tuple[LineT, ...]] = []
    place = {id(entry): n for n, entry in enumerate(entries)}
    for group in alike.values():
        found += [tuple(group)] if len(group) >= FEWEST else [(entry,) for entry in group]
    return sorted(found, key=lambda group: place[id(group[0])])


def others(group: Sequence[Line]) -> str:
    """Say how often a line is repeated, on which days, and with which times."""
    if len(group) < 2:
        return ""
    places = _differing(group)
    days = []
    for day, own in groupby(group[1:], key=lambda entry: entry.id.partition("~")[0]):
        times = ["/".join(_TIME.findall(one.text)[n] for n in places) for one in own]
        days.append(f"{day}: {', '.join(times)}" if places else f"{day}: {len(times)}")
    return f" (and {len(group) - 1} more like it; {'; '.join(days)})"


def _said(entry: Line) -> tuple[str, ...]:
    """Return what entries must share to be one: their words, what stands above them, who wrote them."""
    words = tuple(_without_times(text) for text in (entry.text, entry.lead, *entry.headings))
    return (*words, entry.origin, str(entry.quoted))


@lru_cache(maxsize=1 << 12)
def _without_times(text: str) -> str:
    return _TIME.sub("0", text)


def _differing(group: Sequence[Line]) -> list[int]:
    """Return which times, counted from 0, are not the same in all lines of a group."""
    columns = zip(*(_TIME.findall(entry.text) for entry in group), strict=True)
    return [n for n, column in enumerate(columns) if len(set(column)) > 1]
