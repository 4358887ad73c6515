"""Recall: from a query to passages, or to nothing where memory does not support it."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from lithify.calendar import parse_day
from lithify.errors import LithifyError, UsageError
from lithify.search.index import NAME, Index
from lithify.search.passages import SHOWN, passages_of, shown_before, token_after
from lithify.search.query import Query, names_time, read_query, shifted, years_back
from lithify.search.rank import ALL_DAYS, Ranked, days_of, rank, rank_days, weights
from lithify.search.refresh import Indexed, Progress, WantedFiles, up_to_date
from lithify.search.select import (
    MIN_SUPPORT,
    SelectedDoc,
    missing_words,
    nearest_topics,
    select,
    support,
)
from lithify.settings import Settings
from lithify.store import journal, places
from lithify.store.journal import lost_head
from lithify.store.lock import locked
from lithify.store.places import Root
from lithify.store.recover import finish_rewrite
from lithify.store.tree import RefusedFile, layout_of, walk
from lithify.trust import unjournaled_origin
from lithify.values import Recall

if TYPE_CHECKING:
    from lithify.search.add_files import RootReader
    from lithify.search.vectors import Similar

_EMBED = "lithify index --vectors adds them"
#: How many entries about an event are searched for its date.
_MOST_EVENT = 8
#: The part of the budget that an answer with weak support may take.
_WEAK_PART = 0.3
#: An answer with weak support may take so many tokens of any budget.
_WEAK_LEAST = 60
#: In how many years dates without a year are looked for.
_MOST_YEARS = 12
#: Nanoseconds: a file written more recently may change again without changing its times.
_SETTLED = 2_000_000_000


class RootSearch:
    """Searches a root. Its index is brought up to date first and stays open between searches."""

    def __init__(self, root: Root, settings: Settings) -> None:
        self.root, self.settings = root, settings
        # A search takes an index out of this list, so that threads never share one.
        self._kept: list[Index] = []

    def __del__(self) -> None:
        for index in self._kept:
            index.close()

    def index(
        self, *, rebuild: bool = False, progress: Progress | None = None
    ) -> tuple[Index, Indexed]:
        """Return the index, up to date with the files; the caller gives it back or closes it."""
        finish_rewrite(self.root)
        settled = time.time_ns() - _SETTLED
        layout = layout_of(self.root, self.settings.folders)
        refused: list[RefusedFile] = []
        found = {one.path: one for one in walk(self.root, layout, refused)}
        files = {
            path: (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            for path, _, status in found.values()
        }
        pages = [path for path in found if layout.name(path).role in ("week", "month")]
        unknown = unjournaled_origin(self.settings.trust.files, bool(lost_head(self.root, pages)))
        words = list(journal.holding(self.root, "trust", "distrust", "outdated", "hidden"))
        said = [[r.get(x) for x in ("trust", "distrust", "hidden")] for r in words]
        said = [one for one in said if any(one)]
        # The settings and a person's words on sources change what is indexed.
        settings = (self.settings.redact[:2], self.settings.trust, tuple(layout))
        stamp = repr((*settings, unknown, said))

        def reader() -> RootReader:
            # Loaded late: a root without changes needs no parser.
            from lithify.search.add_files import RootReader

            return RootReader(self.root, self.settings, layout, found, unknown)

        wanted = WantedFiles(files, settled, reader, stamp, progress)
        kept = self._kept.pop() if self._kept else None
        index, done = up_to_date(self.root, wanted, rebuild=rebuild, kept=kept)
        outdated = {id: day for r in words for id, day in r.get("outdated", {}).items()}
        index.imported = {id: _ordinal(parse_day(day), 0) for id, day in outdated.items() if day}
        return index, done

    def give_back(self, index: Index) -> None:
        """Keep an index open for the next search, if it may stay open."""
        # Windows cannot replace an open file; an index in memory would soon be out of date.
        if sys.platform != "win32" and index.inode:
            self._kept.append(index)
        else:
            index.close()

    def recall(
        self,
        query: str,
        today: Callable[[], date],
        *,
        progress: Progress | None = None,
        **options: Any,
    ) -> Recall:
        """Search the root. If the index proves broken, build it again and search once more."""
        # Only a query with a date needs to know today, and time zones take long to load.
        options["today"] = today() if names_time(query) else date.max
        if options.get("vectors") is None and self.settings.recall.vectors == "off":
            options["vectors"] = False
        index, _ = self.index(progress=progress)
        try:
            note = self._embed(index, options.get("vectors"))
            with index.still():
                found = search(index, query, **options)
                found = found._replace(note="; ".join(filter(None, (found.note, note))))
        except sqlite3.DatabaseError as error:
            index.close()
            if isinstance(error, sqlite3.ProgrammingError):
                raise  # an error of ours, which a new index would not cure
            index, _ = self.index(rebuild=True, progress=progress)
            found = search(index, query, **options)
        except BaseException:
            index.close()
            raise
        self.give_back(index)
        return found

    def embed(self) -> int:
        """Embed every text of the index that has no vector; the number of vectors."""
        from lithify.search.vectors import fill

        lock = partial(locked, places.state(self.root, "index.lock"))
        with locked(places.state(self.root, "embed.lock")):
            while True:
                index, done = self.index()
                try:
                    fill(index, writing=lock)
                    # What was kept in an index that has been replaced since is lost.
                    there = places.state(self.root, NAME)
                    if done.in_memory or index.inode == os.stat(there).st_ino:
                        return int(index.db.execute("SELECT count(*) FROM vector").fetchone()[0])
                finally:
                    index.close()

    def _embed(self, index: Index, vectors: bool | None) -> str:
        """Embed new texts, all if vectors are demanded; return what to tell where some are missing."""
        if vectors is False or (vectors is None and not index.has_vectors):
            return ""
        from lithify.search.vectors import MOST_PER_SEARCH, fill, how_to_install, installed

        if not (vectors or installed()):
            what = "the vectors of the index cannot be used, because their extra is not installed"
            return f"{what}. Run: {how_to_install()}"
        left = 0
        # If the index cannot be written, new texts go without a vector this time.
        with suppress(LithifyError, sqlite3.OperationalError) if not vectors else nullcontext():
            left = fill(index, None if vectors else MOST_PER_SEARCH)
        return f"{left:,} texts have no vector yet: {_EMBED}" if left else ""


def search(
    index: Index,
    query: str,
    *,
    today: date,
    budget: int = 1000,
    k: int | None = None,
    as_of: date | None = None,
    since: date | None = None,
    until: date | None = None,
    vectors: bool | None = None,
    after: str = "",
) -> Recall:
    """Find the passages that answer a query, best first, within a budget of tokens.

    Where nothing supports the query there are none, and the nearest topics are named; where little
    does, they are named beside the few that are shown. `after` is the token of an earlier answer: what
    that showed is left out.
    """
    if budget < 1 or (k is not None and k < 1):
        raise UsageError(reason="a budget and a number of passages are 1 or more")
    before, note = shown_before(after), ""
    topics, missing = tuple[str, ...](), tuple[str, ...]()
    asked = read_query(query, as_of or today)
    last = min(_ordinal(as_of, ALL_DAYS[1]), _ordinal(until, ALL_DAYS[1]))
    # Documents without a day (0) are searched only if no first or last day is given.
    window = (_ordinal(since, 1 if last < ALL_DAYS[1] else 0), last)
    if asked.entry:
        found = _by_id(index, asked, window)
        selected = [SelectedDoc(doc, 1.0) for doc in found.docs.values() if not before]
        held = float(bool(found.docs))
    else:
        asked = _counted_from(index, asked, window)
        asked, note = _in_its_years(index, asked, window)
        if asked.days_only:
            found = rank_days(index, asked, window)
            held = float(bool(found.docs))
        else:
            found = rank(index, asked, window, _similarity(index, asked, vectors))
            held = support(asked, found)
            missing = missing_words(asked, found)
            if held < MIN_SUPPORT and asked.time.spans and not found.docs:
                # The nearest topics are then those of the days that it names.
                found = rank_days(index, asked, window)
        if held < weights(found)["answer"]["weak"]:
            topics = nearest_topics(asked, found)
        if held < MIN_SUPPORT:
            return Recall(query, nearest=topics, support=round(held, 4), note=note, missing=missing)
        digests = index.digests(found.docs) if before else ()
        told = {id for id, digest in digests if digest[:SHOWN] in before}
        topics = () if before else topics
        budget = min(budget, max(_WEAK_LEAST, int(_WEAK_PART * budget))) if topics else budget
        selected = select(found, budget, asked.terms, told)
    room = budget - sum(one.doc.tokens for one in selected)
    if not selected and found.docs and not before:
        least = min(doc.tokens for doc in found.docs.values())
        note = f"the shortest passage needs a budget of {least} tokens"
    passages = tuple(passages_of(index, selected, found, asked, window, room, before)[:k])
    after = token_after(before, passages)
    tokens = sum(passage.tokens for passage in passages)
    return Recall(query, passages, topics, tokens, round(held, 4), note, after, missing)


def _similarity(index: Index, asked: Query, vectors: bool | None) -> Similar | None:
    """The similarity of texts by their vectors; None without vectors, or if they are not wanted."""
    if vectors is False or not index.has_vectors:
        return None
    from lithify.search.vectors import installed, similar

    return similar(index, asked.text) if vectors or installed() else None


def _by_id(index: Index, asked: Query, window: tuple[int, int]) -> Ranked:
    """Return the entry with an id, wherever it stands."""
    found = Ranked()
    inside = [p.doc for p in index.entry(asked.entry) if window[0] <= p.day <= window[1]]
    found.docs = index.docs(inside)
    found.scores = dict.fromkeys(found.docs, 1.0)
    found.days = days_of(index, found.docs, window)
    return found


def _counted_from(index: Index, asked: Query, window: tuple[int, int]) -> Query:
    """Replace "two weeks before the launch" by days, if memory says when the launch is."""
    offset = asked.time.offset
    if offset is None:
        return asked
    from lithify.text.dates import find_dates, spoken_dates, with_year

    event = rank(index, read_query(offset.event, date.min), window)
    said: Counter[date] = Counter()
    for id in event.order[:_MOST_EVENT]:
        written = date.fromordinal(max(1, event.days[id][1]))
        text = event.docs[id].text
        days = (with_year(one.readings[0], written) for one in find_dates(text))
        spoken = (one.certain for one in spoken_dates(text, written))
        said.update({*(date(*day) for day in days if day.month and day.day), *filter(None, spoken)})
    if not said:
        return asked
    day = max(said, key=lambda one: (said[one], one))
    return asked._replace(time=asked.time._replace(spans=(shifted(day, offset),)))


def _in_its_years(index: Index, asked: Query, window: tuple[int, int]) -> tuple[Query, str]:
    """Take dates without a year as of the latest year that memory has them in; name the others."""
    held: dict[int, tuple[tuple[int, int], ...]] = {}
    for back in range(_MOST_YEARS if asked.time.yearless else 0):
        spans = tuple(
            [(years_back(one, back), years_back(two, back)) for one, two in asked.time.spans]
        )
        # What begins in one year and has no end is not in every year before.
        inside = [(max(one, window[0], 1), min(two, window[1], one + 365)) for one, two in spans]
        if any(
            index.on_days(date.fromordinal(one).isoformat(), date.fromordinal(two).isoformat(), 1)
            for one, two in inside
            if one <= two
        ):
            held[date.fromordinal(spans[0][0]).year] = spans
    if not held:
        return asked, ""
    latest, *others = held
    asked = asked._replace(time=asked.time._replace(spans=held[latest]))
    named = ", ".join(map(str, others))
    return asked, f"read as of {latest}; memory has the same dates of {named}" if others else ""


def _ordinal(day: date | None, default: int) -> int:
    return default if day is None else day.toordinal()
