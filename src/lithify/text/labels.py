"""Labels, boxes and ticks: what the writer of a line said on purpose about what the line is.

A label is a word before a colon (`Decision: …`), or the words of a heading or lead-in line; the
labels of thirteen languages stand in `languages.json`. Nothing here looks at what a sentence means.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from lithify.regex import regex
from lithify.sections import AS_COMBINED, BY_KEY, WEEK
from lithify.values import MEMORY_TYPES, Entry, MemoryType

#: A task's box, or a sign that stands for one: ticked, or still to be done.
_BOX = regex(r"\s*(?:[-*+]\s+)?(?:\[([ xX~/-])\]|([☑✅✔✓🗹])|[☐⬜◻🔲⏳⌛🚧])\ufe0f?\s*")
_TICK_AT_END = regex(r"\s[✅✔✓]\ufe0f?[\s.*_]*$")
#: One or two times of day that a line begins with: `09:00`, `[14:05]`, `9:00 am - 10:30:`.
_CLOCK = regex(
    r"[\s*_`(\[]{0,4}\d{1,2}[:h]\d\d(?::\d\d)?(?:\s?[apAP]\.?[mM]\b\.?)?"
    r"(?:\s*[-–—]\s*\d{1,2}[:h]\d\d)?[\])`*_]*[\s:,|–—-]+(?=\S)"
)
#: A label before a colon, with an aside in brackets at most; or alone in square brackets.
_LABEL = regex(
    r"[\s*_]*([^\W\d_][^:：.!?()\[\]\n]{0,30}?)[\s*_]*(?:\([^()\n]{0,40}\)[\s*_]*)?[:：][\s*_]*(?=\S)"
)
_TAG = regex(r"[\s*_]*\[([^\W\d_][^\[\]:\n]{0,30})\](?!\()[\s*_:：]*(?=\S)")
#: What stands around a label in a heading: signs, figures, dates, an aside in brackets.
_ASIDE = regex(r"\([^()\n]*\)")
_LONGEST = 100
_EDGES = regex(r"^[\W\d_]+|[\W\d_]+$")


@cache
def _languages() -> Mapping[str, Mapping[str, Any]]:
    with open(os.path.join(os.path.dirname(__file__), "languages.json"), "rb") as file:
        found: dict[str, dict[str, Any]] = json.load(file)
    return found


def in_every_language(name: str) -> list[Any]:
    """Return what the languages have under a name of `languages.json`, one item a language."""
    return [own[name] for own in _languages().values() if name in own]


@cache
def labels(kind: str) -> tuple[str, ...]:
    """Return the labels of a kind in every language, in small letters.

    The kinds are the types of memories and the keys of a week's sections.
    """
    return tuple(dict.fromkeys(label for own in in_every_language(kind) for label in own))


@cache
def memory_labels() -> Mapping[str, MemoryType]:
    """Return the labels that mark a line as a memory, each with the type of memory it makes."""
    return {label: kind for kind in MEMORY_TYPES for label in labels(kind)}


@cache
def _sections() -> Mapping[str, str]:
    """Return the section that each label stands for; a rule stands among decisions."""
    found = {label: name for key, name in BY_KEY.items() for label in labels(key)}
    for label, kind in memory_labels().items():
        found[label] = WEEK.decisions if kind == "feedback" else WEEK.context
    for name, combined in AS_COMBINED.items():
        found[name.lower()] = found[combined.lower()] = name
    return found


@lru_cache(maxsize=1 << 12)
def section_of(words: str) -> str:
    """Return the section that the words of a label, heading or lead-in line name, or "" for none."""
    if len(words) > _LONGEST:
        return ""
    bare = _EDGES.sub("", _ASIDE.sub(" ", words)).casefold()
    return _sections().get(" ".join(bare.split()), "")


def label_of(text: str) -> tuple[str, str]:
    """Return the section that a line's label names, and the line without the label; "" for none."""
    for pattern in (_LABEL, _TAG):
        match = pattern.match(text)
        if match and (section := section_of(match[1])):
            return section, text[match.end() :]
    return "", text


def box_of(text: str) -> tuple[bool | None, str]:
    """Return whether a line's box is ticked (None where it has no box), and the line without it."""
    match = _BOX.match(text)
    if match is None:
        return None, text
    return bool(match[2]) or (match[1] or " ") in "xX", text[match.end() :]


def without_clock(text: str) -> str:
    """Return a line without the time of day it begins with."""
    match = _CLOCK.match(text)
    return text[match.end() :] if match else text


def without_marks(text: str) -> str:
    """Return what a line says, without its time of day, box and label."""
    words = without_clock(box_of(without_clock(text))[1])
    return label_of(words)[1]


def section_by_form(text: str, heading: str = "", lead: str = "") -> str:
    """Return the section that a line's box, label, lead-in line or heading names, or "" for none.

    An open box or a label of open items is open; a ticked box or a tick is an outcome, unless the
    line's label says that it is a decision.
    """
    ticked, words = box_of(without_clock(text))
    label = label_of(without_clock(words))[0]
    if ticked is None and _TICK_AT_END.search(words):
        ticked = True
    if ticked is not None and label in ("", WEEK.open_items):
        return WEEK.outcomes if ticked else WEEK.open_items
    return label or section_of(lead) or section_of(heading)


def mark_of(entry: Entry) -> str:
    """Return the section under which somebody marked an entry: by a label, a heading or an open box.

    It is empty where nobody did, under Context, for what is ticked off, and for code.
    """
    if entry.kind in ("code", "lead"):
        return ""
    ticked, words = box_of(without_clock(entry.text))
    if ticked or _TICK_AT_END.search(words):
        return ""
    heading = entry.headings[-1] if entry.headings else ""
    # What stands under "Done:" was marked as done, not as something to keep.
    lead = entry.lead if section_of(entry.lead) != WEEK.outcomes else ""
    section = section_by_form(entry.text, heading, lead)
    return section if section != WEEK.context else ""
