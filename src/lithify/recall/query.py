"""What a query asks for: its terms and their weights, the pairs they stand in, its time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from lithify.index.terms import terms_of
from lithify.markdown.entries import is_entry_id
from lithify.recall.when import NO_TIME, When, read_time
from lithify.text.stems import COMMON_STEMS, stem

#: More of a query than this is not read; more terms than this are not looked up.
_LONGEST = 4000
_MOST = 48
#: What a word weighs that tells little wherever it stands.
COMMON = 0.6
#: What a date or a "latest" weighs as a word among others.
_TIME = 0.4
#: The kind of value that a word asks for.
_KINDS = {
    stem(word): kind
    for kind, words in {
        "version": ("version", "release"),
        "clock": ("time", "hour", "clock"),
        "money": ("budget", "cost", "price", "spend", "pay", "charge", "fee", "salary", "revenue"),
        "percent": ("percent", "percentage", "rate", "share"),
        "day": ("date", "deadline"),
    }.items()
    for word in words
}
#: Of "last week" nothing is left to be looked for once it is known which one.
_UNITS = frozenset(terms_of("last next this past day week month year ago today yesterday"))
#: Words that ask for whatever there is.
_ANYTHING = frozenset(
    terms_of(
        "happen event go going went get do thing something anything everything work update new say "
        "said know tell show look see find remember interesting important last past talk day week "
        "note log entry summary summarize recap report all"
    )
)
#: A word that is capital inside of a sentence.
_NAME = re.compile(r"(?<=[\w,'’] )[A-Z][^\W\d_]+(?:['’]s)?")


class Query(NamedTuple):
    """A query as it is searched; `until` are the terms of what it asks to look before."""

    text: str
    terms: dict[str, float]
    pairs: frozenset[tuple[str, str]]
    when: When = NO_TIME
    names: frozenset[str] = frozenset()
    kinds: Mapping[str, str] = MappingProxyType({})
    entry: str = ""
    until: frozenset[str] = frozenset()

    @property
    def days_only(self) -> bool:
        """Whether the query asks for days and says nothing of what."""
        return bool(self.when.spans) and all(
            weight <= _TIME or word in _ANYTHING for word, weight in self.terms.items()
        )

    @property
    def plain(self) -> bool:
        """Whether no word of the query tells much by itself."""
        return max(self.terms.values(), default=0.0) < 1


def read_query(text: str, today: date) -> Query:
    """Understand a query as asked on a day; no text at all is refused or special."""
    text = " ".join(text[:_LONGEST].split())
    if is_entry_id(text):
        return Query(text, {}, frozenset(), entry=text)
    when = read_time(text, today)
    timed = when.spans_of_text
    if when.offset:
        timed = (*timed, (when.offset.start, when.offset.end))
    words = terms_of(_without(text, tuple(sorted(timed))))
    terms: dict[str, float] = {}
    for word in words:
        weight = COMMON if word in COMMON_STEMS else 1.0
        terms[word] = max(terms.get(word, 0.0), weight)
        if len(terms) == _MOST:
            break
    # What the words of time say may also be said in the text: it is asked for, but weighs little.
    for word in terms_of(text):
        if len(terms) < _MOST and not (when.spans and word in _UNITS):
            terms.setdefault(word, _TIME)
    plain = [w for w in terms_of(re.sub(r"[^\w\s'’]", " ", text)) if w in terms]
    names = {term for name in _NAME.findall(text) for term in terms_of(name)}
    known = frozenset(name for name in names if terms.get(name) == 1.0)
    kinds = {word: _KINDS[word] for word in terms if word in _KINDS}
    until = re.search(r"\b(?:before|prior to)\b", text, re.I) if not timed else None
    before = frozenset(terms_of(text[until.end() :])) if until else frozenset[str]()
    return Query(text, terms, frozenset(pairwise(plain)), when, known, kinds, until=before)


def _without(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    for start, end in reversed(spans):
        text = f"{text[:start]} {text[end:]}"
    return text
