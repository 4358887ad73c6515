"""An entry as it may travel, to a writer, a page or the index: its credentials taken out."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from lithify.settings import Redact
from lithify.values import Entry

#: A stretch of so many characters without a space is no prose.
_STRETCH = 400
_UNBROKEN = re.compile(r"[!-~]{400,}")
#: The most of pasted output that travels, in characters.
_LONGEST = 40_000
#: Longer texts are not kept for when they come again.
_REMEMBERED = 2000


def clean(entry: Entry, redact: Redact) -> Entry:
    """An entry whose id is of the bytes on disk and whose words are redacted.

    Encoded or minified stretches and endless output are clipped: nobody reads them. Prose is not.
    """
    text = _clipped(redacted(entry.text, redact), entry.kind == "code")
    lead = redacted(entry.lead, redact)
    headings = _headings(entry.headings, redact)
    if (text, lead, headings) == (entry.text, entry.lead, entry.headings):
        return entry
    return replace(entry, text=text, lead=lead, headings=headings)


@lru_cache(maxsize=1 << 12)
def _headings(headings: tuple[str, ...], redact: Redact) -> tuple[str, ...]:
    # They come back with every entry under them.
    return tuple(redacted(heading, redact) for heading in headings)


def redacted(text: str, redact: Redact) -> str:
    """A text with its credentials taken out, if the settings ask for it."""
    if not redact.enabled or not text:
        return text
    return (_redacted if len(text) <= _REMEMBERED else _redacted.__wrapped__)(text, redact.allow)


def _clipped(text: str, is_output: bool) -> str:
    if len(text) < _STRETCH:
        return text
    text = _UNBROKEN.sub(lambda match: match[0][:60] + "…", text)
    return text[:_LONGEST].rstrip() + "…" if is_output and len(text) > _LONGEST else text


@lru_cache(maxsize=1 << 13)
def _redacted(text: str, allow: tuple[str, ...]) -> str:
    # Lead-ins come back with every entry under them, and logs repeat themselves.
    from lithify.text.redact import redact

    return redact(text, allow)
