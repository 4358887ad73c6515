"""Questions that were put to somebody, and what they said to it on a later line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.matters.matter import FEWEST, comes_after, telling
from lithify.engines.offline.reading.units import Unit, stems_in

#: Whom an entry with a question says it was put to.
_ASKED = re.compile(
    r"\b(?:[Aa]sk(?:ed)?|[Ww]rote(?: to)?|[Ww]aiting (?:for|on)) ([A-Z][\w'-]+)|"
    r"\b([A-Z][\w'-]+) (?:has not|hasn't|did not|didn't) (?:yet )?(?:said|say|answer(?:ed)?|repl(?:y|ied))"
)
#: What they say to it: an answer by name, or anything of the same matter.
_SAYS = re.compile(
    r"([A-Z][\w'-]+) (?:(?P<answers>answer(?:s|ed)|repl(?:ies|ied)|confirm(?:s|ed)|decide[sd])|"
    r"(?:says|said|wrote|writes|wants|agree[sd]|tells|told))\b"
)
#: What is no answer yet.
_NOTHING = re.compile(
    r"\b(?:not know|no idea|not yet|not decided|will (?:say|answer|tell|ask|look|think)|asks|thinks about|looks into|later)\b",
    re.I,
)


def replied(units: Sequence[Unit]) -> dict[int, Unit]:
    """For the place of each sentence of a question that was put to somebody what they said to it."""
    asked = [(unit, name) for unit in units for name in _put_to(unit)]
    if not asked:
        return {}
    said = [(unit, says) for unit in units if (says := _SAYS.match(unit.said))]
    return dict(_met(asked, said))


def _met(
    asked: Sequence[tuple[Unit, str]], said: Sequence[tuple[Unit, re.Match[str]]]
) -> Iterator[tuple[int, Unit]]:
    for item, name in asked:
        about = frozenset(stems_in(item.entry.text)) - frozenset(stems_in(name))
        for one, says in said:
            if says[1] != name or not comes_after(one, item) or _NOTHING.search(one.said):
                continue
            least = 1 if says["answers"] else FEWEST
            if len(telling(one) & about) >= least and one.entry is not item.entry:
                yield item.at, one


def _put_to(unit: Unit) -> tuple[str, ...]:
    """Whom the question of an open sentence's entry was put to."""
    return _asked_in(unit.entry.text) if unit.section == cues.OPEN else ()


@lru_cache(maxsize=1 << 12)
def _asked_in(text: str) -> tuple[str, ...]:
    if "?" not in text:
        return ()
    return tuple(match[1] or match[2] for match in _ASKED.finditer(text))
