"""The gate of one root: reads its files, calls the pure decision, writes what was decided.

The order of writing, and what a crash between two writes leaves:

    record   the closed file, where the gate closes, then the line. A closed file without its line
             names a size that the log does not have; the next reader removes it.
    submit   the line of the chain, which is the commit; then the closed file is removed and the
             day's entries are written. Whatever is missing, the next caller does.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.calendar import moment, zone
from lithify.errors import LithifyError, StorageError, Unfinished, UsageError
from lithify.gate import files, sessions, texts
from lithify.gate.decide import Demand, Event, Record, decide
from lithify.gate.jobs import INTERACTIONS, JobState, Summary, gate_state, summary_of
from lithify.gate.opening import JobGates
from lithify.settings import is_job_name

if TYPE_CHECKING:
    from lithify.gate.audit import SummaryAudit
    from lithify.gate.sessions import Session
    from lithify.gate.submission import Accepted, Refused

#: The same words of one session within this many seconds come from two hooks, not from a person.
_ECHO_SECONDS = 3
#: How many characters of an answer are remembered.
_ANSWER = 2000


class Recorded(NamedTuple):
    """An interaction that was written, and the state of the job after it."""

    seq: int
    state: JobState
    closed_now: bool


class Submitted(NamedTuple):
    """A summary that is in the chain; `again` is true if it had been accepted before.

    `left` says what failed after that; the next call does it. `state` is that of the job
    afterwards, None where it cannot be read.
    """

    summary: Summary
    again: bool = False
    left: tuple[str, ...] = ()
    state: JobState | None = None


class Gatekeeper(JobGates):
    """The gate of one root."""

    # Jobs and sessions

    def sessions(self) -> tuple[Session, ...]:
        """Every session that has recorded something."""
        return sessions.all_sessions(self.root)

    def focus(self, session: str, job: str) -> JobState:
        """Puts a session on a job. A job that does not exist is made, an ended one resumed."""
        _check_name(job)
        with files.writing(self.root):
            state = self.state(job)
            if state.next == 1:
                self._append(job, "started", {})
            elif not state.active:
                self._append(job, "resumed", {})
            self._remember(session, job)
        return self.full_state(job)

    def end_job(self, job: str) -> None:
        """Ends a job; its files stay. A closed gate has to be opened first."""
        self.existing(job)
        with files.writing(self.root):
            state = self.state(job)
            if state.demand:
                raise UsageError(
                    reason=f"{texts.what_is_due(job, state.demand)}; submit the summary, or "
                    f"`lithify gate open --job {job} --reason …`, before the job is closed"
                )
            if state.active:
                self._append(job, "ended", {})

    def note_session(self, session: str, **facts: Any) -> None:
        """Adds facts to the file of a session that has a job."""
        with files.writing(self.root):
            if job := sessions.known(self.root, session).get("job"):
                self._remember(session, job, **facts)

    def note_answer(self, session: str, text: str) -> None:
        """Remembers the last answer of a session, which goes into the day when it ends."""
        self.note_session(session, last=self._redacted(text)[:_ANSWER])

    def start(self, session: str) -> JobState | None:
        """Begins or resumes a session: returns its job with the whole chain, None if it has none."""
        self._write_choice()
        job = self.job_of(session)
        if job is None:
            return None
        with files.writing(self.root):
            if not self.is_active(job):
                self._append(job, "resumed", {})
            self._remember(session, job, ended=False)
        self.update_closed(job)
        return self.full_state(job)

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
        """Adds a prompt or an answer to the session's job; closes the gate at the threshold.

        With `heard_twice` two hooks may report the same interaction: it is then recorded once.
        """
        text = self._redacted(text)
        if job is not None:
            _check_name(job)
        with files.writing(self.root):
            self._write_choice()
            known = sessions.known(self.root, session)
            if job and known.get("job", job) != job:
                self._refuse_to_leave(known["job"])
            job = job or self.job_of(session) or self._new_job()
            if known.get("job") != job:
                # Written before the line: the guard of a closed gate finds the job by this file.
                self._remember(session, job)
            state, rules = self._state_to_record(job), self.rules(job)
            if heard_twice and (seq := self._just_recorded(job, session, kind, text)):
                return Recorded(seq, state, False)
            event = Event("prompt" if kind == "prompt" else "answer", text)
            decision = decide(event, gate_state(state, rules, on=self.settings.on))
            assert isinstance(decision, Record)
            facts: dict[str, Any] = {
                "text": decision.text,
                "tokens": decision.tokens,
                "session": session,
            }
            if decision.counted != decision.tokens:
                facts["counted"] = decision.counted
            if decision.closes:
                facts["closes"] = decision.closes
                tokens = state.tokens + decision.tokens
                demand = Demand(decision.closes, state.next + 1, tokens)
                self._write_closed(job, demand, (kind, facts))
            line = self._append(job, kind, facts)
            after = self._state_to_record(job)
            if after.demand and not decision.closes:
                # The closed file names the size of the record, which has grown.
                self._write_closed(job, after.demand)
            asked = known.get("prompts", 0) if known.get("job") == job else 0
            self._remember(
                *(session, job),
                prompts=asked + (kind == "prompt"),
                seq=line.seq,
                hash=line.hash,
            )
        return Recorded(line.seq, after, bool(decision.closes))

    def taint(self, session: str, source: str, **shown: Any) -> None:
        """Notes that a session has read an untrusted source, which its summaries then carry.

        `shown` says what it was shown and by whom. A source is noted once for each session.
        """
        known = sessions.known(self.root, session)
        job, taints = known.get("job"), known.get("taints", [])
        if not job or source in taints:
            return
        with files.writing(self.root):
            self._append(job, "taint", {"source": source, "session": session, **shown})
            self._update_closed(job)
            self._remember(session, job, taints=[*taints, source])

    def origin(self, environ: Mapping[str, str], session: str = "") -> str:
        """The origin of what an agent says here: the agent, or an untrusted source it has read.

        Where its session is not known, any session that is still open may be the one.
        """
        now = self._clock().timestamp()
        for one in sessions.calling_sessions(self.root, session, environ, now):
            origin = self.origin_of(sessions.known(self.root, one)["job"])
            if origin != "agent":
                return origin
        return "agent"

    def origin_of(self, job: str) -> str:
        """The origin of a job's summaries: the agent, or an untrusted source it has read."""
        from lithify.gate import feed

        return feed.origin_of(self.root, job, self.settings, self.now())

    # Submitting

    def submit(
        self, job: str, text: str, *, origin: str = "agent", audit: SummaryAudit | None = None
    ) -> Submitted | Refused:
        """Accepts a summary into the chain, or says everything that is wrong with it.

        `origin` is the channel the summary came by; the day's entries carry it. `audit` reads
        what passes a second time.
        """
        from lithify.gate.closed import add_denial
        from lithify.gate.submission import Refused, as_kept, cleaned, validate

        self.existing(job)
        text = self._redacted(cleaned(text))
        while True:
            state, rules = self.full_state(job), self.rules(job)
            if not state.demand and state.chain and state.chain[-1].text == as_kept(text, rules):
                # A caller that was killed before it read our answer submits again.
                return self._submitted(job, state.chain[-1], [], again=True)
            if not state.demand and not state.pending:
                return Refused((f"nothing of job {job} waits for a summary",))
            demand = _to_cover(state)
            verdict = validate(text, state, demand, rules)
            if audit and not isinstance(verdict, Refused):
                verdict = audit(verdict, state, demand)
            if isinstance(verdict, Refused):
                if state.demand:
                    # With the lock, so that a caller who may not write here is told that first.
                    with files.writing(self.root), _noting([]):
                        add_denial(files.denials_path(self.root, job, demand.level, demand.stop))
                return verdict
            # The text was checked without the lock; it is written only if nothing has changed.
            left: list[str] = []
            summary = None
            try:
                with files.writing(self.root):
                    if _to_cover(self.state(job)) != demand:
                        continue
                    summary = self._accept(job, verdict, demand, origin, left)
            except Exception as error:
                if summary is None:
                    raise
                left.append(_in_words(error))
            return self._submitted(job, summary, left)

    def _submitted(
        self, job: str, summary: Summary, left: list[str], *, again: bool = False
    ) -> Submitted:
        """Does what follows an accepted summary. It is accepted, whatever fails here."""
        state = None
        with _noting(left):
            files.clear_denials(self.root, job)
        with _noting(left):
            self.update_closed(job)
        with _noting(left):
            self.feed(job)
        with _noting(left):
            state = self.full_state(job)
        return Submitted(summary, again, tuple(dict.fromkeys(left)), state)

    # The day

    def feed(self, job: str) -> tuple[int, ...]:
        """Writes accepted summaries that are in no day yet into their days; returns their numbers."""
        from lithify.gate import feed

        return feed.feed(self.root, job, self.settings)

    def remember_asked(self, session: str, prompt: str, recorded: Recorded) -> None:
        """Writes what a recorded prompt says to remember into the day, as the person's words."""
        if "remember" not in prompt.casefold():
            return  # most prompts need not load what writes to a day
        from lithify.gate import feed

        if asked := feed.asked_to_remember(self._redacted(prompt)):
            facts = {"job": recorded.state.job, "session": session, "asked": recorded.seq}
            feed.write_asked(self.root, asked, self.settings, self._clock(), facts)

    def end_session(self, session: str) -> None:
        """Writes what a session was about into the day's log, and frees its job."""
        from lithify.gate import feed

        known = sessions.known(self.root, session)
        if job := known.get("job"):
            feed.write_session(self.root, session, known, self.settings, self._clock())
            with files.writing(self.root):
                if not self.settings.on and self.is_active(job):
                    self._append(job, "ended", {})
                self.note_session(session, ended=True, logged=known.get("seq", 0), prompts=0)

    def _redacted(self, text: str) -> str:
        if not self.settings.redact:
            return text
        from lithify.secrets.redact import redact
        from lithify.secrets.state import RootKey

        return redact(text, self.settings.allow, RootKey(self.root))

    def _just_recorded(self, job: str, session: str, kind: str, text: str) -> int:
        """The number of the last interaction if it is the same and a moment old; else 0."""
        lines = files.newest(self.root, job, "interactions")
        last = next((line for line in lines if line.kind in INTERACTIONS), None)
        given = (kind, text, session)
        if last is None or given != (last.kind, last.data["text"], last.data["session"]):
            return 0
        age = (self._clock() - moment(last.time)).total_seconds()
        return last.seq if age <= _ECHO_SECONDS else 0

    def _new_job(self) -> str:
        day = self._clock().astimezone(zone(self.settings.zone)).strftime("%Y%m%d")
        names = (f"{day}-{number}" for number in range(1, 10_000_000))
        return next(name for name in names if not files.has_job(self.root, name))

    def _state_to_record(self, job: str) -> JobState:
        """What recording needs; while the gate is off, no more than the last line is read."""
        if self.settings.on:
            return self.state(job)
        last = next(files.newest(self.root, job, "interactions"), None)
        return JobState(job, next=last.seq + 1 if last else 1)

    def _refuse_to_leave(self, job: str) -> None:
        """A session leaves a job whose gate is closed only by a person's `gate focus`."""
        if demand := self.state(job).demand:
            raise UsageError(
                reason=f"{texts.what_is_due(job, demand)}; the session cannot go to another job"
            )

    def _remember(self, session: str, job: str, **facts: Any) -> None:
        known = sessions.known(self.root, session)
        if known.get("job", job) != job:
            for source in known.get("taints", ()):
                self._append(job, "taint", {"source": source, "session": session})
        sessions.remember(self.root, session, job, self._clock().timestamp(), **facts)

    def _accept(
        self, job: str, verdict: Accepted, demand: Demand, origin: str, left: list[str]
    ) -> Summary:
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
            lines = files.newest(self.root, job, "interactions")
            facts["through"] = next((r.hash for r in lines if r.seq == last), "")
        if origin != "agent":
            facts["origin"] = origin
        if verdict.topic:
            facts["topic"] = verdict.topic
        if verdict.unverified:
            facts["unverified"] = {name: list(found) for name, found in verdict.unverified.items()}
        try:
            record = files.append(self.root, job, "chain", "summary", facts, self.now())
        except Unfinished as error:
            # The line is in the chain, and that is what counts.
            left.append(_in_words(error))
            record = next(files.newest(self.root, job, "chain"))
        with _noting(left):
            self._update_closed(job)
        return summary_of(record)


@contextlib.contextmanager
def _noting(left: list[str]) -> Iterator[None]:
    """Notes what fails, for a step that must not change the answer."""
    try:
        yield
    except Exception as error:
        left.append(_in_words(error))


def _in_words(error: Exception) -> str:
    if isinstance(error, StorageError):
        # Its own sentence says that nothing was changed.
        return "cannot {action} {path}: {reason}".format(**error.facts)
    return error.message if isinstance(error, LithifyError) else f"{type(error).__name__}: {error}"


def _check_name(job: str) -> None:
    if not is_job_name(job):
        raise UsageError(reason=f"{job!r} is not a job name; use small letters, digits and dashes")


def _to_cover(state: JobState) -> Demand:
    """What a summary has to cover: the frozen range, or everything if it comes early."""
    return state.demand or Demand(state.start, state.next, state.tokens)
