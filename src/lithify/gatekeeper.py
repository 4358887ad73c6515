"""The gate of one root: reads its files, lets the pure core decide, writes what was decided.

What a crash leaves behind, in the order of writing:

    record   mark of a closed gate, then the line. A mark without its line is found out by the
             sizes it names, and taken away.
    submit   the chain's line is the commit. A mark that is still there is found out the same
             way; the day's entry is written by whoever comes next.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify import focus
from lithify.calendar import Clock, stamp, system_clock, zone
from lithify.errors import StorageError, UnknownReference, UsageError
from lithify.gate import texts
from lithify.gate.decide import Demand, Event, Record, decide
from lithify.gate.jobs import (
    Book,
    Line,
    Session,
    Summary,
    choose,
    fold,
    is_job,
    state_of,
    summary_of,
)
from lithify.gate.mark import mark
from lithify.rules import edited, in_force
from lithify.store import gate as store

if TYPE_CHECKING:
    from lithify.gate.compiled import Compiled
    from lithify.gate.submission import Accepted, Refused
    from lithify.settings import Gate
    from lithify.store.places import Root


class Recorded(NamedTuple):
    """An interaction that was written, and the job as it is with it."""

    seq: int
    book: Book
    closed_now: bool


class Submitted(NamedTuple):
    """A summary that is in the chain; `again` when it had been accepted before."""

    summary: Summary
    again: bool = False


class Gatekeeper:
    """The gate of one root."""

    def __init__(self, root: Root, clock: Clock = system_clock) -> None:
        self.root = os.path.abspath(os.fspath(root))
        self._clock = clock
        self._compiled: Compiled | None = None

    # Settings

    @property
    def settings(self) -> Compiled:
        """The settings in force; a file that is refused leaves those before it in force."""
        if self._compiled is None:
            self._compiled = in_force(self.root)
        return self._compiled

    def rules(self, job: str) -> Gate:
        """The rules of one job."""
        return self.settings.rules(job)

    # Jobs and sessions

    def jobs(self) -> tuple[Book, ...]:
        """Every job, with its whole chain."""
        return tuple(self.whole(job) for job in store.jobs(self.root))

    def book(self, job: str) -> Book:
        """A job as it is now, read no further back than its last summary."""
        record = store.newest(self.root, job, "interactions")
        chain = store.newest(self.root, job, "chain")
        return fold(job, record, chain, self.rules(job))

    def whole(self, job: str) -> Book:
        """A job with every summary of its chain."""
        self.require(job)
        return self.book(job)._replace(chain=self.chain(job))

    def chain(self, job: str) -> tuple[Summary, ...]:
        """The summaries of a job, oldest first."""
        records = store.read(self.root, job, "chain").records
        return tuple(summary_of(record) for record in records if record.kind == "summary")

    def require(self, job: str) -> str:
        """The id of a job that exists."""
        if job not in store.jobs(self.root):
            raise UnknownReference(ref=job, hint="`lithify gate jobs` lists the jobs.")
        return job

    def sessions(self) -> tuple[Session, ...]:
        """Every session that was heard."""
        return focus.sessions(self.root)

    def job_of(self, session: str) -> str | None:
        """The job a session is on, or would take up; None when its first prompt opens one."""
        name = focus.name(self.root, session)
        found = self.sessions()
        own = next((one.job for one in found if one.id == name), "")
        if own and self.book(own).active:
            return own
        active = [job for job in store.jobs(self.root) if self.book(job).active]
        return choose(name, found, active, self._clock().timestamp())

    def focus(self, session: str, job: str) -> Book:
        """Puts a session on a job, made if there is none of that name, taken up if it had ended."""
        if not is_job(job):
            raise UsageError(reason=f"{job!r} is no job; use small letters, digits and dashes")
        with store.writing(self.root):
            book = self.book(job)
            if book.next == 1:
                self._line(job, "started", {})
            elif not book.active:
                self._line(job, "resumed", {})
            self._remember(session, job)
        return self.whole(job)

    def end_job(self, job: str) -> None:
        """Ends a job; what is recorded stays. A closed gate has to be opened first."""
        self.require(job)
        with store.writing(self.root):
            book = self.book(job)
            if book.demand:
                raise UsageError(
                    reason=f"{texts.what_is_due(job, book.demand)}; submit the summary, or "
                    f"`lithify gate open --job {job} --reason …`, before the job is closed"
                )
            if book.active:
                self._line(job, "ended", {})

    def note_session(self, session: str, **facts: Any) -> None:
        """Remembers something of a session that has a job."""
        with store.writing(self.root):
            if job := focus.known(self.root, session).get("job"):
                self._remember(session, job, **facts)

    def start(self, session: str) -> Book | None:
        """A session begins or goes on: its job with the whole chain, the gate's mark set right."""
        job = self.job_of(session)
        if job is None:
            return None
        with store.writing(self.root):
            self._remember(session, job, ended=False)
        self.settle(job)
        return self.whole(job)

    # Recording

    def record(self, session: str, kind: str, text: str, job: str | None = None) -> Recorded:
        """Adds a prompt or an answer to the session's job; closes the gate when it is over."""
        if self.settings.redact:
            from lithify.safety import redact

            text = redact(text, self.settings.allow)
        if job is not None and not is_job(job):
            raise UsageError(reason=f"{job!r} is no job; use small letters, digits and dashes")
        with store.writing(self.root):
            job = job or self.job_of(session) or self._new_job()
            known = focus.known(self.root, session)
            if known.get("job") != job:
                # Before the line: a gate that closes is told by the focus of its session.
                self._remember(session, job)
            book, rules = self.book(job), self.rules(job)
            event = Event("prompt" if kind == "prompt" else "answer", text)
            decision = decide(event, state_of(book, rules))
            assert isinstance(decision, Record)
            facts: dict[str, Any] = {
                "text": decision.text,
                "tokens": decision.tokens,
                "session": session,
            }
            if decision.closes:
                facts["closes"] = decision.closes
                tokens = book.tokens + decision.tokens
                demand = Demand(decision.closes, book.next + 1, tokens)
                self._mark(job, demand, rules, (kind, facts))
            line = self._line(job, kind, facts)
            after = self.book(job)
            if after.demand and not decision.closes:
                # The record has grown: the mark names its size.
                self._mark(job, after.demand, rules)
            asked = known.get("prompts", 0) if known.get("job") == job else 0
            self._remember(
                *(session, job),
                prompts=asked + (kind == "prompt"),
                seq=line.seq,
                hash=line.hash,
            )
        return Recorded(line.seq, after, bool(decision.closes))

    def taint(self, session: str, source: str) -> None:
        """Notes that a session has read what strangers wrote: its summaries speak for them too."""
        known = focus.known(self.root, session)
        job, taints = known.get("job"), known.get("taints", [])
        if not job or source in taints:
            return
        with store.writing(self.root):
            self._line(job, "taint", {"source": source, "session": session})
            self._refresh(job)
            self._remember(session, job, taints=[*taints, source])

    # Submitting and opening

    def submit(self, job: str, text: str) -> Submitted | Refused:
        """Accepts a summary into the chain, or says everything that is wrong with it."""
        from lithify.gate.submission import Refused, as_kept, cleaned, validate
        from lithify.store import denials

        self.require(job)
        text = cleaned(text)
        if self.settings.redact:
            from lithify.safety import redact

            text = redact(text, self.settings.allow)
        while True:
            book, rules = self.whole(job), self.rules(job)
            if not book.demand and book.chain and book.chain[-1].text == as_kept(text, rules):
                # Whoever was killed before the answer came asks again.
                self.settle(job)
                self.feed(job)
                return Submitted(book.chain[-1], again=True)
            if not book.demand and not book.pending:
                return Refused((f"nothing of job {job} waits for a summary",))
            demand = _wanted(book)
            verdict = validate(text, book, demand, rules)
            if isinstance(verdict, Refused):
                if book.demand:
                    denials.add(store.denials_path(self.root, job, demand.level, demand.stop))
                return verdict
            # Measured without the lock; written only if nobody was quicker.
            with store.writing(self.root):
                if _wanted(self.book(job)) != demand:
                    continue
                summary = self._accept(job, verdict, demand)
            self.feed(job)
            return Submitted(summary)

    def open_by_hand(self, job: str, reason: str) -> Demand | None:
        """Opens a closed gate without a summary; the reason stays in the journal."""
        from lithify.store.commit import note

        self.require(job)
        try:
            demand = self.book(job).demand
        except StorageError:
            # Whatever is wrong with the files, a person can get past them.
            demand = None
        note(
            self.root,
            "gate-opened",
            {"gate": {"job": job}, "reason": reason, "demand": list(demand or ())},
            self._now(),
        )
        with store.writing(self.root):
            tip = next(store.newest(self.root, job, "chain"), None)
            if demand:
                self._line(job, "opened", {"reason": reason, "chain": tip.seq if tip else 0})
            store.clear_denials(self.root, job)
            store.clear_mark(self.root, job)
        return demand

    def closed(self) -> tuple[str, ...]:
        """The jobs whose gate is closed, by their files or by a mark."""
        return tuple(
            job
            for job in store.jobs(self.root)
            if self.book(job).demand or os.path.exists(store.mark_path(self.root, job))
        )

    def settle(self, job: str) -> Book:
        """Makes the mark of a gate say what its files say, whatever a crash left."""
        with store.writing(self.root):
            return self._refresh(job)

    # The day

    def feed(self, job: str) -> tuple[int, ...]:
        """Writes accepted summaries that no day has yet into their days; the numbers written."""
        from lithify import feed

        return feed.feed(self.root, job, self.settings)

    def end_session(self, session: str) -> None:
        """Says in the day's log what a session was about, and lets go of its job."""
        from lithify import feed

        known = focus.known(self.root, session)
        if known.get("job"):
            feed.session_entry(self.root, session, known, self.settings, self._clock())
            self.note_session(session, ended=True, logged=known.get("seq", 0), prompts=0)

    def denial(self, job: str, demand: Demand) -> str:
        """What an agent is told that the gate has stopped."""
        command = texts.submit_command(program_words(), job, self.root)
        return texts.denial(job, demand, self.rules(job), command)

    # In the house

    def _accept(self, job: str, verdict: Accepted, demand: Demand) -> Summary:
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
            lines = store.newest(self.root, job, "interactions")
            facts["through"] = next((r.hash for r in lines if r.seq == last), "")
        if verdict.topic:
            facts["topic"] = verdict.topic
        if verdict.unverified:
            facts["unverified"] = {name: list(found) for name, found in verdict.unverified.items()}
        record = store.append(self.root, job, "chain", "summary", facts, self._now())
        store.clear_denials(self.root, job)
        self._refresh(job)
        return summary_of(record)

    def _refresh(self, job: str) -> Book:
        book = self.book(job)
        if book.demand:
            self._mark(job, book.demand, self.rules(job))
        else:
            store.clear_mark(self.root, job)
        return book

    def _mark(
        self,
        job: str,
        demand: Demand,
        rules: Gate,
        coming: tuple[str, dict[str, Any]] | None = None,
    ) -> None:
        """Writes the mark; `coming` is the line that is about to be added to the record."""
        if coming:
            size = store.size_after(self.root, job, "interactions", *coming, self._now())
        else:
            size = store.size(self.root, job, "interactions")
        facts = mark(
            job,
            demand,
            rules,
            program=program_words(),
            root=self.root,
            sizes=(size, store.size(self.root, job, "chain")),
            toml=edited(self.root),
            denials=store.denials_path(self.root, job, demand.level, demand.stop),
        )
        store.set_mark(self.root, job, facts)

    def _line(self, job: str, kind: str, facts: dict[str, Any]) -> Line:
        return store.append(self.root, job, "interactions", kind, facts, self._now())

    def _new_job(self) -> str:
        day = self._clock().astimezone(zone(self.settings.zone)).strftime("%Y%m%d")
        taken = set(store.jobs(self.root))
        number = next(n for n in range(1, 10_000_000) if f"{day}-{n}" not in taken)
        return f"{day}-{number}"

    def _remember(self, session: str, job: str, **facts: Any) -> None:
        focus.remember(self.root, session, job, self._clock().timestamp(), **facts)

    def _now(self) -> str:
        return stamp(self._clock())


def _wanted(book: Book) -> Demand:
    """What a summary covers: the frozen range, or early all that there is."""
    return book.demand or Demand(book.start, book.next, book.tokens)


def program_words() -> tuple[str, ...]:
    """How this very program is called, whatever the PATH."""
    beside = os.path.join(os.path.dirname(sys.executable), "lithify")
    if os.path.isfile(beside):
        return (beside,)
    return (sys.executable, "-I", "-m", "lithify.cli")
