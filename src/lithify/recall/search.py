"""From a query to passages, or to silence."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

from lithify.errors import UsageError
from lithify.index.read import Doc, Index
from lithify.recall.choose import Chosen, choose
from lithify.recall.lexical import EVER, days_of
from lithify.recall.passages import passages_of
from lithify.recall.query import Query, read_query
from lithify.recall.rank import ordinal, rank, rank_days
from lithify.recall.ranked import Ranked
from lithify.recall.silence import SILENT, kindred, support
from lithify.recall.when import shifted
from lithify.values import Recall

#: How many topics are named where there is no answer.
_TOPICS = 5
#: A topic that has no heading is so many words of the text.
_TOPIC_WORDS = 8
#: Left uncompiled: only silence needs it.
_CLOCK = r"^\d{1,2}[:h]\d\d\s+"
#: How many entries about an event are asked for its day.
_EVENT = 8


def search(
    index: Index,
    query: str,
    *,
    today: date,
    budget: int = 2000,
    k: int | None = None,
    as_of: date | None = None,
    since: date | None = None,
    until: date | None = None,
    vectors: bool | None = None,
) -> Recall:
    """The passages that answer a query, best first, within a budget of tokens.

    Where nothing supports the query there are none, and the nearest topics are named.
    """
    if budget < 1 or (k is not None and k < 1):
        raise UsageError(reason="a budget and a number of passages are 1 or more")
    asked = read_query(query, as_of or today)
    last = min(ordinal(as_of, EVER[1]), ordinal(until, EVER[1]))
    # What has no date is neither before nor after one.
    window = (ordinal(since, 1 if last < EVER[1] else 0), last)
    if asked.entry:
        found = _by_id(index, asked, window)
        chosen = [Chosen(doc, 1.0) for doc in found.docs.values()]
        held = float(bool(chosen))
    else:
        asked = _counted_from(index, asked, window)
        if asked.days_only:
            found = rank_days(index, asked, window)
            held = float(bool(found.docs))
        else:
            found = rank(index, asked, window, _similar(index, asked, vectors))
            held = support(index, asked, found)
            if held < SILENT and asked.when.spans:
                found, held = _on_its_days(index, asked, window, found, held)
        if held < SILENT:
            return Recall(query, nearest=_topics(found), support=round(held, 4))
        chosen = choose(found, budget, asked.terms)
    room = budget - sum(one.doc.tokens for one in chosen)
    passages = passages_of(index, chosen, found, asked, window, room)[:k]
    return Recall(query, tuple(passages), (), sum(p.tokens for p in passages), round(held, 4))


def _similar(index: Index, asked: Query, vectors: bool | None) -> dict[int, float] | None:
    """How near texts are by their vectors: where there are any, unless told otherwise."""
    if vectors is False or not index.has_vectors:
        return None
    from lithify.index.vectors import installed, similar

    return similar(index, asked.text) if vectors or installed() else None


def _on_its_days(
    index: Index, asked: Query, window: tuple[int, int], found: Ranked, held: float
) -> tuple[Ranked, float]:
    """What the days that a query names hold, where its words are said nowhere."""
    there = rank_days(index, asked, window)
    if asked.plain:
        # Words that stand anywhere: all that the days hold is asked for.
        return there, float(bool(there.docs))
    kin = kindred(asked)
    of_kind = [id for id in there.order if not kin.isdisjoint(there.docs[id].own)]
    if of_kind:
        there.order = of_kind
        there.docs = {id: there.docs[id] for id in of_kind}
        there.scores = {id: there.scores[id] for id in of_kind}
        return there, 1.0
    return (found if found.docs else there), held


def _by_id(index: Index, asked: Query, window: tuple[int, int]) -> Ranked:
    """The entry an id names, wherever it stands."""
    found = Ranked()
    inside = [p.doc for p in index.entry(asked.entry) if window[0] <= p.day <= window[1]]
    found.docs = index.docs(inside)
    found.scores = dict.fromkeys(found.docs, 1.0)
    found.days = days_of(index, found.docs, window)
    return found


def _counted_from(index: Index, asked: Query, window: tuple[int, int]) -> Query:
    """Find the day of "two weeks before the launch", if memory says when the launch is."""
    offset = asked.when.offset
    if offset is None:
        return asked
    from lithify.text.dates import find_dates

    event = rank(index, read_query(offset.event, date.min), window)
    said: Counter[date] = Counter()
    for id in event.order[:_EVENT]:
        written = date.fromordinal(max(1, event.days[id][1]))
        text = event.docs[id].text
        said.update({one.first for one in find_dates(text, written) if one.first == one.last})
    if not said:
        return asked
    day = max(said, key=lambda one: (said[one], one))
    return asked._replace(when=asked.when._replace(spans=(shifted(day, offset),)))


def _topics(found: Ranked) -> tuple[str, ...]:
    names = dict.fromkeys(topic_of(found.docs[id]) for id in found.order)
    return tuple(name for name in names if name)[:_TOPICS]


def topic_of(doc: Doc) -> str:
    """What a document is about: its nearest heading that names a subject, else how it begins."""
    # Only silence needs it, and most searches end otherwise.
    from lithify.engines.offline.reading.headings import subject_of

    for heading in reversed(doc.headings):
        if subject_of((heading,))[0]:
            return heading
    begins = re.sub(_CLOCK, "", doc.text.strip("|[]x `"))
    words = re.split(r"[.;|!?]\s", begins, maxsplit=1)[0].split()
    return " ".join(words[:_TOPIC_WORDS]).rstrip(".,:;")
