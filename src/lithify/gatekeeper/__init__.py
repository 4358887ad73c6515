"""The gate of one root: reads its files, lets the pure core decide, writes what was decided.

What a crash leaves behind, in the order of writing:

    record   mark of a closed gate, then the line. A mark without its line is found out by the
             sizes it names, and taken away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.calendar import moment, zone
from lithify.errors import UsageError
from lithify.gate import texts
from lithify.gate.decide import Demand, Event, Record, decide
from lithify.gate.jobs import INTERACTIONS, Book, Session, choose, is_job, state_of
from lithify.gatekeeper import focus
from lithify.gatekeeper.books import Books, program_words
from lithify.gatekeeper.handin import Submitted
from lithify.store import gate as store

if TYPE_CHECKING:
    from lithify.gate.submission import Refused

__all__ = ["Gatekeeper", "Recorded", "Submitted", "program_words"]

#: The same words of one session within this many seconds come from two hooks, not from a person.
_ECHO = 3
#: Characters of an answer that are remembered.
_ANSWER = 2000


class Recorded(NamedTuple):
    """An interaction that was written, and the job as it is with it."""

    seq: int
    book: Book
    closed_now: bool


class Gatekeeper(Books):
    """The gate of one root."""

    # Jobs and sessions

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
                self.add(job, "started", {})
            elif not book.active:
                self.add(job, "resumed", {})
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
                self.add(job, "ended", {})

    def note_session(self, session: str, **facts: Any) -> None:
        """Remembers something of a session that has a job."""
        with store.writing(self.root):
            if job := focus.known(self.root, session).get("job"):
                self._remember(session, job, **facts)

    def note_answer(self, session: str, text: str) -> None:
        """Remembers what a session answered last: it is told when the session ends."""
        self.note_session(session, last=self._clean(text)[:_ANSWER])

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

    def record(
        self,
        session: str,
        kind: str,
        text: str,
        job: str | None = None,
        *,
        heard_twice: bool = False,
    ) -> Recorded:
        """Adds a prompt or an answer to the session's job; closes the gate when it is over.

        `heard_twice` where two hooks may report the same: what was just said is not said again.
        """
        text = self._clean(text)
        if job is not None and not is_job(job):
            raise UsageError(reason=f"{job!r} is no job; use small letters, digits and dashes")
        with store.writing(self.root):
            job = job or self.job_of(session) or self._new_job()
            known = focus.known(self.root, session)
            if known.get("job") != job:
                # Before the line: a gate that closes is told by the focus of its session.
                self._remember(session, job)
            book, rules = self.book(job), self.rules(job)
            if heard_twice and (seq := self._just_said(job, session, kind, text)):
                return Recorded(seq, book, False)
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
                self.mark(job, demand, rules, (kind, facts))
            line = self.add(job, kind, facts)
            after = self.book(job)
            if after.demand and not decision.closes:
                # The record has grown: the mark names its size.
                self.mark(job, after.demand, rules)
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
            self.add(job, "taint", {"source": source, "session": session})
            self.refresh(job)
            self._remember(session, job, taints=[*taints, source])

    def origin(self, environ: Mapping[str, str]) -> str:
        """Who speaks in a command that an agent runs: the agent, or the strangers it has read."""
        from lithify.gatekeeper import feed

        session = focus.caller(self.root, environ, self._clock().timestamp())
        job = focus.known(self.root, session).get("job") if session else None
        return feed.origin_of(self.root, job, self.settings, self.now()) if job else "agent"

    # Submitting and opening

    def submit(self, job: str, text: str, *, origin: str = "agent") -> Submitted | Refused:
        """Accepts a summary into the chain, or says everything that is wrong with it.

        `origin` is the channel it came by: the day's entries carry it, and it cannot rise.
        """
        from lithify.gatekeeper import handin

        return handin.submit(self, job, text, origin)

    def open_by_hand(self, job: str, reason: str) -> Demand | None:
        """Opens a closed gate without a summary; the reason stays in the journal."""
        from lithify.gatekeeper import handin

        return handin.open_by_hand(self, job, reason)

    # The day

    def feed(self, job: str) -> tuple[int, ...]:
        """Writes accepted summaries that no day has yet into their days; the numbers written."""
        from lithify.gatekeeper import feed

        return feed.feed(self.root, job, self.settings)

    def end_session(self, session: str) -> None:
        """Says in the day's log what a session was about, and lets go of its job."""
        from lithify.gatekeeper import feed

        known = focus.known(self.root, session)
        if known.get("job"):
            feed.session_entry(self.root, session, known, self.settings, self._clock())
            self.note_session(session, ended=True, logged=known.get("seq", 0), prompts=0)

    # In the house

    def _clean(self, text: str) -> str:
        if not self.settings.redact:
            return text
        from lithify.text.redact import redact

        return redact(text, self.settings.allow)

    def _just_said(self, job: str, session: str, kind: str, text: str) -> int:
        """The number of the last interaction, if it is this one told a moment ago; else 0."""
        lines = store.newest(self.root, job, "interactions")
        last = next((line for line in lines if line.kind in INTERACTIONS), None)
        said = (kind, text, session)
        if last is None or said != (last.kind, last.data["text"], last.data["session"]):
            return 0
        return last.seq if (self._clock() - moment(last.time)).total_seconds() <= _ECHO else 0

    def _new_job(self) -> str:
        day = self._clock().astimezone(zone(self.settings.zone)).strftime("%Y%m%d")
        taken = set(store.jobs(self.root))
        number = next(n for n in range(1, 10_000_000) if f"{day}-{n}" not in taken)
        return f"{day}-{number}"

    def _remember(self, session: str, job: str, **facts: Any) -> None:
        known = focus.known(self.root, session)
        if known.get("job", job) != job:
            for source in known.get("taints", ()):
                self.add(job, "taint", {"source": source, "session": session})
        focus.remember(self.root, session, job, self._clock().timestamp(), **facts)
