"""The gate of one root: reads its files, calls the pure decision, writes what was decided.

The order of writing, and what a crash between two writes leaves:

    record   the closed file, where the gate closes, then the line. A closed file without its line
             names a size that the log does not have; the next reader removes it.
    submit   the line of the chain, which is the commit; then the closed file is removed and the
             day's entries are written. Whatever is missing, the next caller does.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.calendar import Clock, moment, stamp, system_clock, zone
from lithify.errors import (
    ConfigError,
    LithifyError,
    StorageError,
    Unfinished,
    UnknownReference,
    UsageError,
)
from lithify.gate import files, hook_state, texts
from lithify.gate.decide import Demand
from lithify.gate.jobs import (
    INTERACTIONS,
    Interaction,
    JobState,
    Summary,
    counted_tokens,
    interaction_of,
    state_from_logs,
    summary_of,
)
from lithify.settings import is_job_name
from lithify.store import journal

if TYPE_CHECKING:
    from lithify.gate.files import GateSettings, Session
    from lithify.gate.submission import AcceptedSummary, RefusedSummary, SummaryReader
    from lithify.settings import Gate
    from lithify.store.journal import Record
    from lithify.store.places import Root

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


class Switched(NamedTuple):
    """What switching the gate has changed: the jobs that were opened, and those that were ended."""

    changed: bool
    opened: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()


class Gatekeeper:
    """The gate of one root."""

    def __init__(self, root: Root, clock: Clock = system_clock) -> None:
        self.root = os.path.abspath(os.fspath(root))
        self._clock = clock
        self._settings: GateSettings | None = None

    def now(self) -> str:
        """Return the present time in the form the logs have."""
        return stamp(self._clock())

    @property
    def settings(self) -> GateSettings:
        """Return the settings in force. If the file is refused, those read before it stay in force."""
        if self._settings is None:
            self._settings = files.settings_in_force(self.root)
        return self._settings

    def rules(self, job: str) -> Gate:
        """Return the rules of one job."""
        return self.settings.rules(job)

    def jobs(self) -> tuple[JobState, ...]:
        """Return the state of every job, with its whole chain."""
        return tuple(self.full_state(job) for job in files.jobs(self.root))

    def state(self, job: str) -> JobState:
        """Return the state of a job, read no further back than its last summary."""
        state = self._logged_state(job)
        return state if self.settings.on else state._replace(closing=None, rollup=None)

    def _logged_state(self, job: str) -> JobState:
        """Return the state that the logs tell, whether the gate is switched on or not."""
        record = files.newest(self.root, job, "interactions")
        chain = files.newest(self.root, job, "chain")
        return state_from_logs(job, record, chain, self.rules(job))

    def is_active(self, job: str) -> bool:
        """Tell whether a job goes on; only the last line of its record is read."""
        last = next(files.newest(self.root, job, "interactions"), None)
        return last is None or last.kind != "ended"

    def job_of(self, session: str) -> str | None:
        """Return the job a session works on or would take up; None if its first prompt opens a new one.

        While the gate is off each session has its own job, which ends with it and goes on with
        it: without summaries, a job that all sessions share would grow for months.
        """
        known = files.session_facts(self.root, session)
        own: str = known.get("job", "")
        if own and self.is_active(own):
            return own
        if self.settings.on:
            active = [job for job in files.jobs(self.root) if self.is_active(job)]
            name, found = files.session_file_name(self.root, session), files.all_sessions(self.root)
            return files.choose_job(name, found, active, self._clock().timestamp())
        if own and known.get("ended"):
            return own
        free = files.session_facts(self.root, files.CLI_SESSION)
        return free["job"] if free.get("ended") and self.is_active(free["job"]) else None

    def full_state(self, job: str) -> JobState:
        """Return the state of a job that exists, with every summary of its chain."""
        self.require_job(job)
        return self.state(job)._replace(chain=self.chain(job))

    def chain(self, job: str) -> tuple[Summary, ...]:
        """Return the summaries of a job, oldest first."""
        records = files.read(self.root, job, "chain").records
        return tuple(summary_of(record) for record in records if record.kind == "summary")

    def interactions(self, job: str) -> tuple[Interaction, ...]:
        """Return every interaction of a job, oldest first."""
        records = files.read(self.root, job, "interactions").records
        return tuple(interaction_of(one) for one in records if one.kind in INTERACTIONS)

    def last_job(self) -> str | None:
        """Return the job that was worked on last: an active one, else one that has ended."""
        found = sorted(files.all_sessions(self.root), key=lambda one: (one.heard, one.id))
        names = [one.job for one in reversed(found) if files.has_job(self.root, one.job)]
        names += [job for job in reversed(files.jobs(self.root)) if job not in names]
        return next(filter(self.is_active, names), None) or next(iter(names), None)

    def first_prompt(self, job: str) -> str:
        """Return the prompt that opened a job."""
        records = files.read(self.root, job, "interactions").records
        return next((str(r.data["text"]) for r in records if r.kind == "prompt"), "")

    def require_job(self, job: str) -> str:
        """Return the id of a job, refused where there is no such job."""
        if not files.has_job(self.root, job):
            raise UnknownReference(ref=job, hint="`lithify gate jobs` lists the jobs.")
        return job

    def closed_jobs(self) -> tuple[str, ...]:
        """Return the jobs whose gate is closed, by their logs or by a closed file."""
        found = []
        for job in files.jobs(self.root):
            # `check` names a damaged log; without a closed file no call is denied.
            with contextlib.suppress(StorageError):
                if os.path.lexists(files.closed_path(self.root, job)) or self.state(job).demand:
                    found.append(job)
        return tuple(found)

    def update_closed_file(self, job: str) -> JobState:
        """Make the closed file agree with the logs, whatever a crash has left."""
        with files.writing(self.root):
            return self._update_closed_file(job)

    def update_erased(self, paths: Iterable[str]) -> None:
        """Make the closed files agree with logs that a `forget` has changed."""
        changed = {path.split("/")[2] for path in paths if path.startswith(".lithify/gate/")}
        for job in files.jobs(self.root):
            if job in changed:
                self.update_closed_file(job)

    def denial_text(self, job: str, demand: Demand) -> str:
        """Return the reason an agent is given when a call is denied."""
        command = texts.submit_command(texts.program_words(), job, self.root)
        served = hook_state.is_served(self.root)
        return texts.denial(job, demand, self.rules(job), command, served=served)

    # The callers of the methods below hold the gate's lock.

    def _write_choice(self) -> None:
        """Write `enabled = false` where the key is missing, so that a person sees the choice."""
        settings = self.settings
        if settings.gate.enabled is not None or settings.problem:
            return
        from lithify.config import write_enabled

        try:
            write_enabled(self.root, False)
            self._settings = None
        except LithifyError as error:
            self._settings = settings._replace(problem=error.message)

    def _append(self, job: str, kind: str, facts: dict[str, Any]) -> Record:
        """Add a line to a job's record."""
        return files.append(self.root, job, "interactions", kind, facts, self.now())

    def _update_closed_file(self, job: str) -> JobState:
        state = self.state(job)
        if state.demand:
            self._write_closed_file(job, state.demand)
        else:
            files.remove_closed(self.root, job)
        return state

    def _write_closed_file(
        self, job: str, demand: Demand, coming: tuple[str, dict[str, Any]] | None = None
    ) -> None:
        """Write the closed file; `coming` is the line that is about to be added to the record."""
        size = files.size(self.root, job, "interactions")
        if coming:
            log = files.log_path(self.root, job, "interactions")
            size += len(journal.next_line(log, *coming, self.now()))
        rules, program = self.rules(job), texts.program_words()
        commands = texts.submit_commands(program, job, self.root)
        content = {
            "job": job,
            "demand": list(demand),
            "rules": [rules.max_denials, rules.on_stuck],
            # What the file was made from, which `hook_state.is_current` compares.
            "sizes": [size, files.size(self.root, job, "chain")],
            "toml": hook_state.toml_stamp(self.root),
            "forms": commands,
            "denials": files.denials_path(self.root, job, demand.level, demand.stop),
            "texts": {
                "denial": texts.denial(job, demand, rules, commands[-1], served=False),
                "denial_with_tool": texts.denial(job, demand, rules, commands[-1], served=True),
                "subagent": texts.for_subagent(job, demand),
                "stuck": texts.for_person(job, texts.open_command(program, job, self.root)),
                "passing": texts.passing(job, demand),
            },
        }
        files.put_json(files.closed_path(self.root, job), content)

    # Jobs and sessions

    def sessions(self) -> tuple[Session, ...]:
        """Return every session that has recorded something."""
        return files.all_sessions(self.root)

    def focus(self, session: str, job: str) -> JobState:
        """Put a session on a job. A job that does not exist is made, an ended one resumed."""
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
        """End a job; its files stay. A closed gate has to be opened first."""
        self.require_job(job)
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
        """Add facts to the file of a session that has a job."""
        with files.writing(self.root):
            if job := files.session_facts(self.root, session).get("job"):
                self._remember(session, job, **facts)

    def note_answer(self, session: str, text: str) -> None:
        """Remember the last answer of a session, which goes into the day when it ends."""
        self.note_session(session, last=self.redacted(text)[:_ANSWER])

    def start_session(self, session: str) -> JobState | None:
        """Begin or resume a session: return its job with the whole chain, None if it has none."""
        self._write_choice()
        job = self.job_of(session)
        if job is None:
            return None
        with files.writing(self.root):
            if not self.is_active(job):
                self._append(job, "resumed", {})
            self._remember(session, job, ended=False)
        self.update_closed_file(job)
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
        origin: str = "user",
    ) -> Recorded:
        """Add a prompt or an answer to the session's job; close the gate at the threshold.

        `origin` says whose words they are, where no client's hook reports the person's. With `heard_twice` two hooks may report the same interaction: it is then recorded once.
        """
        text = self.redacted(text)
        if job is not None:
            _check_name(job)
        with files.writing(self.root):
            self._write_choice()
            known = files.session_facts(self.root, session)
            if job and known.get("job", job) != job and (due := self.state(known["job"]).demand):
                # Only a person's `gate focus` takes a session away from a closed gate.
                waiting = texts.what_is_due(known["job"], due)
                raise UsageError(reason=f"{waiting}; the session cannot go to another job")
            job = job or self.job_of(session) or self._new_job()
            if known.get("job") != job:
                # Written before the line: the guard of a closed gate finds the job by this file.
                self._remember(session, job)
            state = self._state_to_record(job)
            if heard_twice and (seq := self._just_recorded(job, session, kind, text)):
                return Recorded(seq, state, False)
            from lithify.text.tokens import estimate  # which most hooks need not load

            tokens, counted = estimate(text), counted_tokens(text)
            facts: dict[str, Any] = {"text": text, "tokens": tokens, "session": session}
            if counted != tokens:
                facts["counted"] = counted
            if origin != "user":
                facts["origin"] = origin
            closes = self.settings.on and state.closes_with(counted, self.rules(job))
            if closes:
                facts["closes"] = state.start
                demand = Demand(state.start, state.next + 1, state.tokens + tokens)
                self._write_closed_file(job, demand, (kind, facts))
            line = self._append(job, kind, facts)
            after = self._state_to_record(job)
            if after.demand and not closes:
                # The closed file names the size of the record, which has grown.
                self._write_closed_file(job, after.demand)
            asked = known.get("prompts", 0) if known.get("job") == job else 0
            asked += kind == "prompt"
            self._remember(session, job, prompts=asked, seq=line.seq, hash=line.hash)
        return Recorded(line.seq, after, closes)

    def note_untrusted_source(self, session: str, source: str, **shown: Any) -> None:
        """Note that a session has read an untrusted source, which its summaries then carry.

        `shown` says what it was shown and by whom. A source is noted once for each session. A session
        that has no job yet gets one, because what it says from now on is no more to be trusted.
        """
        known = files.session_facts(self.root, session)
        taints = known.get("taints", [])
        if source in taints:
            return
        with files.writing(self.root):
            job = known.get("job") or self.job_of(session) or self._new_job()
            self._append(job, "taint", {"source": source, "session": session, **shown})
            self._update_closed_file(job)
            self._remember(session, job, taints=[*taints, source])

    def caller_origin(self, environ: Mapping[str, str], session: str = "") -> str:
        """Return the origin of what an agent says here: the agent, or an untrusted source it has read."""
        return files.caller_origin(self.root, environ, self._clock(), session)

    def job_origin(self, job: str) -> str:
        """Return the origin of a job's summaries: the agent, or an untrusted source it has read."""
        return files.job_origin(self.root, job, self.settings, self.now())

    # Submitting

    def submit(
        self, job: str, text: str, *, origin: str = "agent", reader: SummaryReader | None = None
    ) -> Submitted | RefusedSummary:
        """Accept a summary into the chain, or say everything that is wrong with it.

        `origin` is the channel the summary came by; the day's entries carry it. `reader` reads
        what passes a second time.
        """
        from lithify.gate.submission import RefusedSummary, as_kept, cleaned, validate

        self.require_job(job)
        text = self.redacted(cleaned(text))
        while True:
            state, rules = self.full_state(job), self.rules(job)
            if not state.demand and state.chain and state.chain[-1].text == as_kept(text, rules):
                # A caller that was killed before it read our answer submits again.
                return self._submitted(job, state.chain[-1], [], again=True)
            if not state.demand and not state.pending:
                return RefusedSummary((f"nothing of job {job} waits for a summary",))
            demand = _to_cover(state)
            asked = files.denials_path(self.root, job, demand.level, demand.stop) + "-asked"
            known = os.path.exists(asked)
            verdict = validate(text, state, demand, rules, asked=known)
            if reader and not isinstance(verdict, RefusedSummary):
                verdict = reader(verdict, state, demand)
            if isinstance(verdict, RefusedSummary):
                if verdict.asked and not known:
                    with files.writing(self.root):
                        files.put_file(asked, b"")
                if state.demand:
                    # With the lock, so that a caller who may not write here is told that first.
                    with files.writing(self.root), _noting([]):
                        hook_state.add_denial(
                            files.denials_path(self.root, job, demand.level, demand.stop)
                        )
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
        """Do what follows an accepted summary. It is accepted, whatever fails here."""
        state = None
        with _noting(left):
            files.clear_denials(self.root, job)
        with _noting(left):
            self.update_closed_file(job)
        with _noting(left):
            self.write_days(job)
        with _noting(left):
            state = self.full_state(job)
        return Submitted(summary, again, tuple(dict.fromkeys(left)), state)

    # The day

    def write_days(self, job: str) -> tuple[int, ...]:
        """Write accepted summaries that are in no day yet into their days; return their numbers."""
        from lithify.gate import day_log

        return day_log.write_summaries(self.root, job, self.settings)

    def remember_from_prompt(self, session: str, prompt: str, recorded: Recorded) -> None:
        """Write what a recorded prompt says to remember into the day, as the person's words."""
        if "remember" not in prompt.casefold():
            return  # most prompts need not load what writes to a day
        from lithify.gate import day_log

        if asked := day_log.asked_to_remember(self.redacted(prompt)):
            facts = {"job": recorded.state.job, "session": session, "asked": recorded.seq}
            day_log.write_asked(self.root, asked, self.settings, self._clock(), facts)

    def end_session(self, session: str) -> None:
        """Write what a session was about into the day's log, and free its job."""
        from lithify.gate import day_log

        known = files.session_facts(self.root, session)
        if job := known.get("job"):
            day_log.write_session(self.root, session, known, self.settings, self._clock())
            with files.writing(self.root):
                if not self.settings.on and self.is_active(job):
                    self._append(job, "ended", {})
                self.note_session(session, ended=True, logged=known.get("seq", 0), prompts=0)

    def redacted(self, text: str) -> str:
        """Replace the credentials in a text by this root's marks."""
        if not self.settings.redact:
            return text
        from lithify.secrets.redact import redact
        from lithify.secrets.state import RootKey

        return redact(text, self.settings.allow, RootKey(self.root))

    def _just_recorded(self, job: str, session: str, kind: str, text: str) -> int:
        """Return the number of the last interaction if it is the same and a moment old; else 0."""
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
        """Return what recording needs; while the gate is off, no more than the last line is read."""
        if self.settings.on:
            return self.state(job)
        last = next(files.newest(self.root, job, "interactions"), None)
        return JobState(job, next=last.seq + 1 if last else 1)

    def _remember(self, session: str, job: str, **facts: Any) -> None:
        """Put a session on a job and add facts to its file.

        A session that changes its job starts with new counts, because the old ones count the old
        job's prompts. It keeps its taints, because it has still read what it read.
        """
        known = files.session_facts(self.root, session)
        if known.get("job") != job:
            known = {"job": job, "taints": known.get("taints", [])}
            for source in known["taints"]:
                self._append(job, "taint", {"source": source, "session": session})
        heard = {"heard": self._clock().timestamp(), "ended": False}
        files.put_json(files.session_path(self.root, session), {**known, **heard, **facts})

    def _accept(
        self, job: str, verdict: AcceptedSummary, demand: Demand, origin: str, left: list[str]
    ) -> Summary:
        facts: dict[str, Any] = {
            "from": demand.start,
            "to": demand.stop,
            "text": verdict.text,
            "tokens": verdict.tokens,
        }
        if not demand.level:
            last = demand.stop - 1
            lines = files.newest(self.root, job, "interactions")
            facts["through"] = next((r.hash for r in lines if r.seq == last), "")
        more = {
            "level": demand.level,
            "origin": origin if origin != "agent" else "",
            "topic": verdict.topic,
            "unverified": {name: list(found) for name, found in verdict.unverified.items()},
            "unrelated": verdict.unrelated,
        }
        facts |= {name: fact for name, fact in more.items() if fact}
        try:
            record = files.append(self.root, job, "chain", "summary", facts, self.now())
        except Unfinished as error:
            # The line is in the chain, and that is what counts.
            left.append(_in_words(error))
            record = next(files.newest(self.root, job, "chain"))
        with _noting(left):
            self._update_closed_file(job)
        return summary_of(record)

    # What a person does: open gates by hand, switch the gate on and off

    def open_gates(self, reason: str, job: str | None = None) -> tuple[str, ...]:
        """Open the gate of a job, or every closed one, by hand; return those that were closed.

        No summary is needed; the journal keeps the reason.
        """
        from lithify.store.commit import note

        if job is not None:
            self.require_job(job)
        files.free_locks(self.root)
        names = [one for one in self.closed_jobs() if job in (None, one)]
        for one in names:
            demand = None
            with contextlib.suppress(StorageError):
                # A person can open the gate even if its files are damaged.
                demand = self.state(one).demand
            facts = {"gate": {"job": one}, "reason": reason, "demand": list(demand or ())}
            note(self.root, "gate-opened", facts, self.now())
            with files.writing(self.root):
                if demand:
                    self._note_opening(one, reason)
                files.remove_closed(self.root, one)
                files.clear_denials(self.root, one)
        if job is None:
            with files.writing(self.root):
                files.remove_closed(self.root, None)
        return tuple(names)

    def set_up(self, gate: bool) -> None:
        """Write the key that says whether the gate is on, where a root has none yet.

        With `gate` it is switched on. Where the file cannot be edited and the gate was not asked
        for, the key stays missing.
        """
        from lithify import config
        from lithify.config import write_enabled

        # Not from the cache, which would be the first file of a new root's `.lithify/`.
        chosen = config.load(self.root).gate.enabled
        if gate and not chosen and files.jobs(self.root):
            self.switch(True)
        elif gate:
            write_enabled(self.root, True)
        elif chosen is None:
            with contextlib.suppress(ConfigError):
                write_enabled(self.root, False)
        self._settings = None

    def switch(self, on: bool) -> Switched:
        """Switch the gate on or off for the whole root; the journal keeps it.

        Off opens what is closed. On ends the active jobs, because what they have recorded without
        a gate may be more than an agent can be shown; the next prompt opens a new job.
        """
        from lithify.config import write_enabled
        from lithify.store.commit import note

        if self.settings.problem:
            raise UsageError(reason=f"{self.settings.problem}; fix the file first")
        write_enabled(self.root, on, write=False)
        files.free_locks(self.root)
        changes = self.settings.on != on
        opened: tuple[str, ...] = ()
        ended: list[str] = []
        if not on:
            opened = self.open_gates("the gate was switched off")
        if changes:
            note(self.root, "gate-switched", {"gate": {"enabled": on}}, self.now())
        with files.writing(self.root):
            for job in files.jobs(self.root) if on and changes else ():
                with contextlib.suppress(StorageError):
                    state = self._logged_state(job)
                    if state.demand:
                        self._note_opening(job, "the gate was switched on")
                    if state.active or state.demand:
                        self._append(job, "ended", {})
                    if state.active:
                        ended.append(job)
            write_enabled(self.root, on)
            self._settings = None
            if not on:
                files.remove_closed(self.root, None)
        return Switched(changes, opened, tuple(ended))

    def _note_opening(self, job: str, reason: str) -> None:
        last = next(files.newest(self.root, job, "chain"), None)
        self._append(job, "opened", {"reason": reason, "chain": last.seq if last else 0})


@contextlib.contextmanager
def _noting(left: list[str]) -> Iterator[None]:
    """Note what fails, for a step that must not change the answer."""
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
    """Return what a summary has to cover: the frozen range, or everything if it comes early."""
    return state.demand or Demand(state.start, state.next, state.tokens)
