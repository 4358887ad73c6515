"""What a paragraph says it is about before it begins: bold words that stand over it like a heading."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.reading.text import split
from lithify.markdown.patterns import is_bold_line, names_list
from lithify.text.stems import is_sentence
from lithify.values import Entry

#: Bold words with a stop of their own: "**Roof.** The felt came off in the storm". What names a thing
#: and says something of it, "**Opening: 3 May.** Sofia asked", is a sentence and no heading, and so
#: is "**The opening moves to 3 May.** Sofia asked".
_RUN_IN = re.compile(r"\s*\*\*(?=[^\s*])((?:(?!: )[^*\n]){2,60}?)(?:\.\*\*|\*\*\.)[ \t]+(?=\S)")
#: Bold words on a line of their own, the paragraph right below: its first word begins a sentence.
_ABOVE = re.compile(
    r"\s*\*\*(?=[^\s*])((?:(?!: )[^*\n]){2,60}?(?<![.!?:,;]))\*\*[ \t]+"
    r"(?=(?:I|We|You|He|She|It|They|The|A|An|This|That|These|There|My|Our|His|Her|Their|No|Not|Nobody|Nothing|One|Two|Three|All|Both)\b)"
)


@lru_cache(maxsize=1 << 12)
def run_in(text: str) -> tuple[str, str]:
    """The bold words that stand over a paragraph and the paragraph itself; none where it has none."""
    match = _RUN_IN.match(text) or _ABOVE.match(text)
    if match is None or text[match.end() :].startswith("**") or is_sentence(match[1]):
        return "", text
    return match[1], text[match.end() :]


def head_of(text: str) -> str:
    """The bold words that stand over a paragraph, if there are such."""
    return run_in(text)[0] if "**" in text[:4] else ""


def before_list(entry: Entry) -> Entry | None:
    """What a lead-in of several sentences says before the one that leads in, if it says any."""
    *told, _ = split(entry.text)
    return replace(entry, text=" ".join(told), kind="paragraph") if told else None


def under(entry: Entry) -> tuple[str, ...]:
    """The headings an entry stands under, the line over its list and its own bold words the last of them."""
    # Asked of every sentence, many times: most begin with plain words.
    headings = _over(entry.headings, entry.lead) if entry.lead else entry.headings
    head = head_of(entry.text)
    return (*headings, head) if head else headings


@lru_cache(maxsize=1 << 12)
def _over(headings: tuple[str, ...], lead: str) -> tuple[str, ...]:
    if is_bold_line(lead):
        return (*headings, lead)
    if not names_list(lead):
        return headings
    # "Open" on a line of its own is a list of the day, not of the heading it happens to follow.
    return (*(headings[:1] if cues.announced(lead) else headings), lead)


def opened(entry: Entry) -> Entry:
    """The entry with its bold words as its last heading."""
    if "**" not in entry.text[:4]:
        return entry
    head, text = run_in(entry.text)
    return replace(entry, text=text, headings=(*entry.headings, head)) if head else entry
