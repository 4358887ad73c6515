"""What a day states outright: boxes, labels before a colon, and headings that are such labels."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib.resources import files

from lithify.sections import AS_COMBINED, BY_KEY

#: A task's box, or a sign that stands for one: ticked, or still to be done.
_BOX = re.compile(r"\s*(?:[-*+]\s+)?(?:\[([ xX~/-])\]|([☑✅✔✓🗹])|[☐⬜◻🔲⏳⌛🚧])\ufe0f?\s*")
#: A time of day, or two, that a line begins with: `09:00`, `[14:05]`, `9:00 am - 10:30:`.
_CLOCK = re.compile(
    r"[\s*_`(\[]{0,4}\d{1,2}[:h]\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?(?:\s*[-–—]\s*\d{1,2}[:h]\d\d)?[\])`]*"
    r"[\s:,|–—-]+(?=\S)",
    re.I,
)
_LABEL = re.compile(r"\W{0,4}([^\W\d_][^:：.!?\n]{1,30}?)\W{0,3}[:：][\s*_]{0,4}(?=\S)")
#: Words in square brackets that are no link.
_TAG = re.compile(r"\[([^\W\d_][^\[\]:]{1,24})\](?!\()")
_EDGES = re.compile(r"^\W+|\W+$")


@cache
def _sections() -> dict[str, str]:
    """Return the section that each label stands for: those of the file, and our own names."""
    data = json.loads((files("lithify.judge") / "labels.json").read_text("utf-8"))
    found = {label: BY_KEY[key] for key, labels in data.items() for label in labels}
    for name, combined in AS_COMBINED.items():
        found[name.lower()] = found[combined.lower()] = name
    return found


def box_of(text: str) -> tuple[bool | None, str]:
    """Whether a line's box is ticked (None where it has no box), and the line without it."""
    match = _BOX.match(text)
    if match is None:
        return None, text
    return bool(match[2]) or (match[1] or " ") in "xX", text[match.end() :]


def without_clock(text: str) -> str:
    """A line without the time of day it begins with."""
    match = _CLOCK.match(text)
    return text[match.end() :] if match else text


@lru_cache(maxsize=1 << 12)
def section_of(label: str) -> str:
    """The section that a label or heading names, or "" where it names none."""
    return _sections().get(_EDGES.sub("", label).lower(), "")


def label_of(text: str) -> str:
    """The words before the first colon of a line, where they are short enough for a label."""
    match = _LABEL.match(text)
    return match[1].strip() if match else ""


def tag_of(text: str) -> str:
    """The first words in square brackets that name a section, as in `Order the heater [done]`."""
    return next((tag for tag in _TAG.findall(text) if section_of(tag)), "")


def without_label(text: str) -> str:
    """A line without a label that names its section: the page says that already."""
    match = _LABEL.match(text)
    if match is None or not section_of(match[1]):
        return text
    rest = text[match.end() :]
    # A name such as `base.html` stays as it is written.
    return rest[0].upper() + rest[1:] if rest.split()[0].rstrip(",.:;").isalpha() else rest
