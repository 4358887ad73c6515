"""The lines of an entry that holds several: begun with a label, or with a box of their own."""

from __future__ import annotations

import re

from lithify import cues
from lithify.engines.offline.reading.leaning import hangs, lacks_noun, lacks_subject
from lithify.engines.offline.reading.text import CHECK, CLOCK, TIMED

#: A label in capitals after which a line of a paragraph of such lines begins.
_NEXT_LABEL = re.compile(r"(?<=\S)\s+(?=[*_]*([A-Z][\w-]+(?: [\w-]+){0,2})[*_]*:[*_]*\s)")
#: A box within a line: what follows it is an item of its own.
_INNER_BOX = re.compile(r"(?<=\S)\s+(?:(?:[-=]+>|→)\s*)?(?=\[[ xX]\]\s+\S)")
#: And one behind all that it ticks.
_LAST_BOX = re.compile(r"(?!\[[ xX]\])(.+\S)\s+(\[[ xX]\])[.;]?", re.S)
_BOXES = ("[ ]", "[x]", "[X]")
#: Spaces in what is too few words to be an item.
_FEW = 2


def lines_of(text: str) -> list[str]:
    """The lines of a log kept as one paragraph, each begun with its label or box; else the text."""
    # A text is asked for its lines once for each of its sentences, however long it is.
    if any(box in text for box in _BOXES):
        if boxed := _LAST_BOX.fullmatch(text):
            text = f"{boxed[2]} {boxed[1]}"
        first, *boxes = _INNER_BOX.split(text)
        if any(_is_of_it(box[4:]) for box in boxes):
            # "No rule for them. [ ] build it so": one thing, with a box behind it.
            said, *named = [CHECK.sub("", part) for part in (first, *boxes)]
            # `She wants a banner. [ ] banner`: said again in a word.
            said = " ".join([said, *(words for words in named if not _is_in(words, said))])
            return [f"{boxes[-1][:3]} {said}"]
        if boxes:
            return [*lines_of(first.rstrip(" ;,:")), *boxes]
    if text.count(":") < 2 or CLOCK.match(text) or not _is_section(cues.label_of(text)):
        return [text]
    starts = [0, *(m.end() for m in _NEXT_LABEL.finditer(text) if _is_section(m[1]))]
    return [text[a:b].strip() for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def _is_in(words: str, text: str) -> bool:
    """Whether a word or two stand in a text already."""
    return words.count(" ") < _FEW and f" {words.lower().rstrip('.')} " in f" {text.lower()} "


def _is_of_it(words: str) -> bool:
    """Whether what stands behind a box needs what stands before it."""
    if words.count(" ") < _FEW or (TIMED.match(words) and ":" not in words):
        return True
    return hangs(words) or lacks_noun(words) or lacks_subject(words)


def _is_section(label: str) -> bool:
    """Whether a label is nothing but the name of a section, as `Decision` and `Open` are."""
    return cues.is_plain_label(label) and bool(cues.announced(label))
