"""A summary handed in, or a gate opened by hand: the two ways on from a closed gate.

submit   the chain's line is the commit. A mark that is still there is found out by the sizes
         it names; the day's entry is written by whoever comes next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.errors import StorageError
from lithify.gate.decide import Demand
from lithify.gate.jobs import Book, Summary, summary_of
from lithify.store import gate as store

if TYPE_CHECKING:
    from lithify.gate.submission import Accepted, Refused
    from lithify.gatekeeper.books import Books


class Submitted(NamedTuple):
    """A summary that is in the chain; `again` when it had been accepted before."""

    summary: Summary
    again: bool = False


def submit(books: Books, job: str, text: str, origin: str = "agent") -> Submitted | Refused:
    """Accepts a summary into the chain, or says everything that is wrong with it."""
    from lithify.gate.submission import Refused, as_kept, cleaned, validate
    from lithify.store import denials

    books.require(job)
    text = cleaned(text)
    if books.settings.redact:
        from lithify.text.redact import redact

        text = redact(text, books.settings.allow)
    while True:
        book, rules = books.whole(job), books.rules(job)
        if not book.demand and book.chain and book.chain[-1].text == as_kept(text, rules):
            # Whoever was killed before the answer came asks again.
            books.settle(job)
            _feed(books, job)
            return Submitted(book.chain[-1], again=True)
        if not book.demand and not book.pending:
            return Refused((f"nothing of job {job} waits for a summary",))
        demand = _wanted(book)
        verdict = validate(text, book, demand, rules)
        if isinstance(verdict, Refused):
            if book.demand:
                denials.add(store.denials_path(books.root, job, demand.level, demand.stop))
            return verdict
        # Measured without the lock; written only if nobody was quicker.
        with store.writing(books.root):
            if _wanted(books.book(job)) != demand:
                continue
            summary = _accept(books, job, verdict, demand, origin)
        _feed(books, job)
        return Submitted(summary)


def open_by_hand(books: Books, job: str, reason: str) -> Demand | None:
    """Opens a closed gate without a summary; the reason stays in the journal."""
    from lithify.store.commit import note

    books.require(job)
    try:
        demand = books.book(job).demand
    except StorageError:
        # Whatever is wrong with the files, a person can get past them.
        demand = None
    note(
        books.root,
        "gate-opened",
        {"gate": {"job": job}, "reason": reason, "demand": list(demand or ())},
        books.now(),
    )
    with store.writing(books.root):
        tip = next(store.newest(books.root, job, "chain"), None)
        if demand:
            books.add(job, "opened", {"reason": reason, "chain": tip.seq if tip else 0})
        store.clear_denials(books.root, job)
        store.clear_mark(books.root, job)
    return demand


def _accept(books: Books, job: str, verdict: Accepted, demand: Demand, origin: str) -> Summary:
    facts: dict[str, Any] = {
        "from": demand.start,
        "to": demand.stop,
        "text": verdict.text,
        "tokens": verdict.tokens,
    }
    if demand.level:
        facts["level"] = demand.level
    else:
        last = demand.stop - 1
        lines = store.newest(books.root, job, "interactions")
        facts["through"] = next((r.hash for r in lines if r.seq == last), "")
    if origin != "agent":
        facts["origin"] = origin
    if verdict.topic:
        facts["topic"] = verdict.topic
    if verdict.unverified:
        facts["unverified"] = {name: list(found) for name, found in verdict.unverified.items()}
    record = store.append(books.root, job, "chain", "summary", facts, books.now())
    store.clear_denials(books.root, job)
    books.refresh(job)
    return summary_of(record)


def _wanted(book: Book) -> Demand:
    """What a summary covers: the frozen range, or early all that there is."""
    return book.demand or Demand(book.start, book.next, book.tokens)


def _feed(books: Books, job: str) -> None:
    from lithify.gatekeeper import feed

    feed.feed(books.root, job, books.settings)
