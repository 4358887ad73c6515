"""`lithify gate`: the jobs of a root, their records, summaries and gates."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.common import count_of, leave, piped, say, say_json, spoken, standard, table
from lithify.cli.gate_views import fill, job_data, row, session_data, summary_data
from lithify.errors import LithifyError, NeedsTerminal, UsageError
from lithify.gate import texts
from lithify.gate.decide import Demand
from lithify.gate.files import CLI_SESSION, Session
from lithify.gate.gatekeeper import Gatekeeper
from lithify.gate.jobs import JobState
from lithify.gate.submission import Refused
from lithify.gate.texts import program_words
from lithify.roots import find_root
from lithify.text.fence import fence

if TYPE_CHECKING:
    from lithify.gate.submission import SummaryAudit

_job = click.option("--job", metavar="ID", help="The job; needed only where there are several.")


def _opened(root: str | None) -> Gatekeeper:
    # Not through the settings: a mistake in them must not bar the way out of a closed gate.
    return Gatekeeper(find_root(root))


def _second_reader(root: str) -> SummaryAudit | None:
    """Who reads a summary a second time; a mistake in the settings must not bar the way out."""
    from lithify.memory import Memory

    try:
        return Memory.open(root).summary_audit()
    except LithifyError as error:
        say(f"not audited: {error.message}", err=True)
        return None


def _need_terminal(action: str) -> None:
    """Refuses a program: what follows gets round a closed gate, and only a person may do that."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NeedsTerminal(action=action)


def _one(gate: Gatekeeper, job: str | None) -> str:
    """The job that is meant: the one named, the one whose gate is closed, the only active one."""
    if job is not None:
        return gate.existing(job)
    states = gate.jobs()
    for wanted in ([s for s in states if s.demand], [s for s in states if s.active]):
        if len(wanted) == 1:
            return wanted[0].job
        if wanted:
            names = ", ".join(state.job for state in wanted)
            raise UsageError(reason=f"there are several jobs ({names}); name one with --job")
    raise UsageError(
        reason="there is no job yet; the first prompt or `lithify gate record` opens one"
    )


@click.group(cls=CommandGroup, alone="status", epilog="Example: lithify gate status")
def gate() -> None:
    """Keep a live job legible: after so many tokens of prompts and answers a summary is due."""


@gate.command(epilog="Example: lithify gate status --text")
@click.option("--text", "with_text", is_flag=True, help="Also print what no summary covers.")
@standard
def status(with_text: bool, root: str | None, as_json: bool) -> None:
    """Show each job's gate, how full it is, and what it waits for.

    Exit code 3 while a gate is closed.
    """
    gate = _opened(root)
    states = [state for state in gate.jobs() if state.active or state.demand]
    for state in states:
        gate.update_closed(state.job)
        gate.feed(state.job)
    if as_json:
        say_json(
            {
                "enabled": gate.settings.on,
                "settings_problem": gate.settings.problem,
                "jobs": [job_data(gate, state, with_text) for state in states],
            }
        )
        leave(3 if any(state.demand for state in states) else 0)
        return
    if gate.settings.problem:
        say(f"{gate.settings.problem}; the earlier settings stay in use", err=True)
    table(
        [row(gate, state) for state in states],
        styles=["red" if s.demand else None for s in states],
    )
    for state in states:
        if with_text and state.pending:
            say(f"\n{texts.record_text(state.pending)}")
        if state.demand:
            line = texts.submit_command(program_words(), state.job, gate.root)
            say(f"due: {texts.what_is_due(state.job, state.demand)}\n  {line} < summary.md")
    if not states:
        say("no job yet: the first prompt opens one")
    leave(3 if any(state.demand for state in states) else 0)


@gate.command(epilog="Example: lithify gate record 'Please add a dark theme.'")
@click.argument("text", type=spoken, nargs=-1, required=True)
@click.option(
    "--kind", type=click.Choice(["prompt", "answer"]), default="prompt", show_default=True
)
@click.option("--session", default=CLI_SESSION, show_default=True, help="Who says it.")
@_job
@standard
def record(
    text: tuple[str, ...],
    kind: str,
    session: str,
    job: str | None,
    root: str | None,
    as_json: bool,
) -> None:
    """Add TEXT (`-` reads standard input) to a job's record, as a hook does."""
    words = piped() if text == ("-",) else " ".join(text)
    if not words.strip():
        raise UsageError(reason="there is nothing to record")
    gate = _opened(root)
    done = gate.record(session, kind, words, job)
    state = gate.state(done.state.job)
    if as_json:
        say_json({"seq": done.seq, **job_data(gate, state)})
        return
    say(f"{state.job}  {done.seq}  {fill(gate, state)}")
    if state.demand:
        say(f"the gate is closed: {texts.what_is_due(state.job, state.demand)}")


@gate.command(epilog="Example: lithify gate submit --job 20260402-1 < summary.md")
@click.option("--template", is_flag=True, help="Print the command with the form to fill in.")
@_job
@standard
def submit(template: bool, job: str | None, root: str | None, as_json: bool) -> None:
    """Read a summary from standard input; accept it, or say all that is wrong with it at once.

    Exit code 4 where it is refused.
    """
    gate = _opened(root)
    job = _one(gate, job)
    if template:
        state = gate.state(job)
        line = texts.submit_command(program_words(), job, gate.root)
        form = texts.filled_template(line, gate.rules(job))
        words = texts.rules_in_words(state.demand or _all(state), gate.rules(job))
        if as_json:
            say_json({"job": job, "template": form, "rules": words})
        else:
            say(form)
            say(f"\n{words}", err=True)
        return
    audit = _second_reader(gate.root)
    done = gate.submit(job, sys.stdin.buffer.read().decode("utf-8", "replace"), audit=audit)
    if audit and audit.note:
        say(audit.note, err=True)
    if isinstance(done, Refused):
        if as_json:
            say_json({"accepted": False, "job": job, "violations": list(done.violations)})
        else:
            say(f"refused, {len(done.violations)} to fix:")
            for violation in done.violations:
                say(f"- {violation}")
        leave(4)
        return
    summary, after = done.summary, done.state
    if as_json:
        data = {"accepted": True, "again": done.again, "job": job, "left": list(done.left)}
        say_json({**data, **summary_data(summary)})
    else:
        before = " (it was accepted before)" if done.again else ""
        say(f"accepted as summary {summary.seq} of job {job}{before}: {summary.tokens} tokens")
        for name, unknown in summary.unverified.items():
            say(f"marked unverified in {name}: {', '.join(unknown)}")
        for step in done.left:
            say(f"still to do, by the next call: {step}")
        if after and after.demand:
            say(f"one more: {texts.what_is_due(job, after.demand)}")
            say(texts.to_summarise(after, after.demand))
        elif after:
            say("the gate is open")


@gate.command(epilog="Example: lithify gate chain --job 20260402-1 --read-back")
@click.option("--read-back", is_flag=True, help="As a session is given it: older ones rolled up.")
@_job
@standard
def chain(read_back: bool, job: str | None, root: str | None, as_json: bool) -> None:
    """Print a job's accepted summaries, oldest first."""
    gate = _opened(root)
    job = _one(gate, job)
    summaries = gate.chain(job)
    if as_json:
        say_json([summary_data(one) for one in summaries])
    elif read_back:
        say(texts.read_back(job, summaries) or f"job {job} has no summary yet")
    else:
        say("\n\n".join(map(texts.summary_text, summaries)) or f"job {job} has no summary yet")


@gate.command("open", epilog="Example: lithify gate open --reason 'the paste was a mistake'")
@click.option(
    "--reason", type=spoken, metavar="TEXT", required=True, help="Why; it stays in the journal."
)
@click.option("--job", metavar="ID", help="Only this job's gate.")
@standard
def open_(reason: str, job: str | None, root: str | None, as_json: bool) -> None:
    """Open closed gates by hand, without a summary.

    What is recorded stays and is covered by the next summary, which is due after another
    threshold of tokens. Needs a terminal: a deterrent, not a sandbox.
    """
    _need_terminal("Opening a gate by hand")
    if not reason.strip():
        raise UsageError(reason="--reason must say why")
    gate = _opened(root)
    opened = gate.open_closed(reason.strip(), job)
    if as_json:
        say_json({"opened": list(opened), "reason": reason.strip()})
    else:
        say(f"opened: {', '.join(opened)}" if opened else "no gate is closed")


@gate.command(epilog="Example: lithify gate show --all")
@click.option("--all", "everything", is_flag=True, help="All summaries and the whole record.")
@click.option("--job", metavar="ID", help="The job; the last one worked on where it is left out.")
@standard
def show(everything: bool, job: str | None, root: str | None, as_json: bool) -> None:
    """Print what a session is given of its job: the chain, then what no summary covers."""
    gate = _opened(root)
    state = gate.full_state(job or gate.last_job() or _one(gate, None))
    record = gate.record_of(state.job) if everything else state.pending
    if as_json:
        said = [one._asdict() for one in record]
        summaries = [summary_data(one) for one in state.chain]
        say_json({"job": state.job, "summaries": summaries, "interactions": said})
        return
    chain_text, tail = texts.chain_and_tail(state)
    tail = tail or texts.tail_text(state.job, state.pending)
    if everything:
        chain_text = "\n\n".join(map(texts.summary_text, state.chain))
        tail = texts.record_text(record)
    parts = [(chain_text, gate.origin_of(state.job)), (tail, "user")]
    say("\n\n".join(fence(text, origin, state.job) for text, origin in parts if text))


@gate.command("on", epilog="Example: lithify gate on")
@standard
def on_(root: str | None, as_json: bool) -> None:
    """Switch the gate on for this root: a long job has to be summarised before work goes on.

    Jobs that were recorded without a gate are ended, so that it does not close over weeks of
    them; `gate focus` reopens one. Needs a terminal.
    """
    _switch(True, root, as_json)


@gate.command(epilog="Example: lithify gate off")
@standard
def off(root: str | None, as_json: bool) -> None:
    """Switch the gate off for this root: jobs are recorded, and no call is ever denied.

    What is closed now is opened. Needs a terminal.
    """
    _switch(False, root, as_json)


def _switch(on: bool, root: str | None, as_json: bool) -> None:
    word = "on" if on else "off"
    _need_terminal(f"Switching the gate {word}")
    gate = _opened(root)
    done = gate.switch(on)
    if as_json:
        say_json({"enabled": on, **done._asdict()})
        return
    if not done.changed:
        say(f"the gate is {word} already")
    elif on:
        most = gate.settings.gate.threshold
        say(f"the gate is on: after {most:,} tokens of prompts and answers a summary is due")
    else:
        say("the gate is off: jobs are recorded, and nothing is denied")
    if done.opened:
        say(f"opened: {', '.join(done.opened)}")
    if done.ended:
        say(f"ended, so that the next prompt opens a new job: {', '.join(done.ended)}")


@gate.command(epilog="Example: lithify gate jobs --json")
@standard
def jobs(root: str | None, as_json: bool) -> None:
    """List every job, ended ones too, and the sessions on them."""
    gate = _opened(root)
    states, sessions = gate.jobs(), gate.sessions()
    if as_json:
        say_json(
            [
                {
                    **job_data(gate, state),
                    "sessions": [session_data(s) for s in _on(state, sessions)],
                }
                for state in states
            ]
        )
        return
    table(
        [
            (*row(gate, state), " ".join(s.id for s in _on(state, sessions) if not s.ended))
            for state in states
        ]
    )
    if not states:
        say("no job yet: the first prompt opens one")


@gate.command(epilog="Example: lithify gate focus billing")
@click.argument("job")
@click.option("--session", metavar="ID", help="The session; needed only where there are several.")
@standard
def focus(job: str, session: str | None, root: str | None, as_json: bool) -> None:
    """Put a session on JOB, which is made if it is new and reopened if it was closed.

    Where no session is live, the next one gets it. Needs a terminal, as `gate open` does: the
    session leaves a gate that may be closed.
    """
    _need_terminal("Putting a session on another job")
    gate = _opened(root)
    if session is None:
        live = [one.id for one in gate.sessions() if not one.ended]
        if len(live) > 1:
            names = ", ".join(live)
            raise UsageError(
                reason=f"{len(live)} sessions are live; name one with --session: {names}"
            )
        session = live[0] if live else ""
    state = gate.focus(session or CLI_SESSION, job)
    if not session:
        # Nobody is there yet: the job is left free for the session that comes.
        gate.note_session(CLI_SESSION, ended=True)
    if as_json:
        say_json({"session": session or None, **job_data(gate, state)})
    elif not session:
        say(f"the next session works on {job}")
    else:
        say(
            f"{session} works on {job}: {count_of(len(state.chain), 'summary', 'summaries')}, "
            f"{count_of(state.tokens, 'token')} since"
        )


@gate.command(epilog="Example: lithify gate close --job billing")
@_job
@standard
def close(job: str | None, root: str | None, as_json: bool) -> None:
    """End a job. Its record and chain stay; `gate focus` reopens it."""
    gate = _opened(root)
    job = _one(gate, job)
    gate.end_job(job)
    if as_json:
        say_json({"closed": job})
    else:
        say(f"job {job} is closed")


def _all(state: JobState) -> Demand:
    return Demand(state.start, state.next, state.tokens)


def _on(state: JobState, sessions: tuple[Session, ...]) -> list[Session]:
    return [one for one in sessions if one.job == state.job]
