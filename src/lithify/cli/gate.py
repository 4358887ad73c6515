"""`lithify gate`: the jobs of a root, their records, summaries and gates."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.render import (
    CommandOutput,
    at_terminal,
    count_of,
    given_words,
    need_terminal,
    on_opened,
    one_line,
    option,
    picked,
    say,
    spoken,
    table,
    wants_json,
)
from lithify.errors import LithifyError, UsageError
from lithify.fence import fence
from lithify.gate import texts
from lithify.gate.decide import Demand
from lithify.gate.files import CLI_SESSION
from lithify.gate.gatekeeper import Gatekeeper, Submitted
from lithify.gate.submission import RefusedSummary
from lithify.gate.texts import program_words
from lithify.roots import find_root

if TYPE_CHECKING:
    from lithify.gate.files import Session
    from lithify.gate.jobs import JobState, Summary
    from lithify.gate.submission import SummaryReader

_job = option("--job ID", "The job; needed only where there are several.")


#: Does as `on_root` does for a command on the gate of a root. Not through the settings: a mistake in
#: them must not bar the way out of a closed gate.
on_gate = on_opened(lambda root: Gatekeeper(find_root(root)))


def _one(gate: Gatekeeper, job: str | None) -> str:
    """Return the job that is meant: the one named, the one whose gate is closed, the only active one."""
    if job is not None:
        return gate.require_job(job)
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


# What is shown of a job


def _row(gate: Gatekeeper, state: JobState) -> tuple[str, ...]:
    word = "closed gate" if state.demand else "open" if state.active else "ended"
    number = count_of(len(state.chain), "summary", "summaries")
    request = one_line(gate.first_prompt(state.job), 60)
    return state.job, word, _fill(gate, state), number, request


def _fill(gate: Gatekeeper, state: JobState) -> str:
    """Say how much is recorded since the last summary, and how much closes the gate."""
    if not gate.settings.on:
        return f"{state.fresh:,} tokens, the gate is off"
    return f"{state.fresh:,} of {gate.rules(state.job).threshold:,} tokens"


def _job_data(gate: Gatekeeper, state: JobState) -> dict[str, Any]:
    demand = state.demand
    return {
        **picked(state, "job tokens"),
        "state": "closed" if demand else "open" if state.active else "ended",
        "request": one_line(gate.first_prompt(state.job)),
        "threshold": gate.rules(state.job).threshold,
        "pending": len(state.pending),
        "summaries": len(gate.chain(state.job)),
        "due": demand and {**_range(demand), **picked(demand, "level tokens")},
    }


def _summary_data(one: Summary) -> dict[str, Any]:
    return {**_range(one), **picked(one, "seq time level topic tokens text unverified")}


def _range(covered: Demand | Summary) -> dict[str, int]:
    """Return the range [from, to) as the chain has it, and the last that is in it."""
    return {"from": covered.start, "to": covered.stop, "last": covered.stop - 1}


@click.group(cls=CommandGroup, alone="status", epilog="Example: lithify gate status")
def gate() -> None:
    """Ask for a summary of a long job before it goes on: the gate, what it recorded, what it took."""


@gate.command(epilog="Example: lithify gate status --text")
@option("--text", "Also print what no summary covers.", name="with_text")
@on_gate
def status(gate: Gatekeeper, with_text: bool) -> CommandOutput:
    """Show each job's gate, how full it is, and what it waits for.

    Exit code 3 while a gate is closed.
    """
    states = [state for state in gate.jobs() if state.active or state.demand]
    jobs = []
    for state in states:
        gate.update_closed_file(state.job)
        gate.write_days(state.job)
        text = {"text": texts.record_text(state.pending)} if with_text else {}
        jobs.append({**_job_data(gate, state), **text})
    problem = gate.settings.problem
    if problem and not wants_json():
        say(f"{problem}; the earlier settings stay in use", err=True)
    data = {"enabled": gate.settings.on, "settings_problem": problem, "jobs": jobs}
    code = 3 if any(state.demand for state in states) else 0
    return CommandOutput(data, _status_lines(gate, states, with_text), code)


def _status_lines(gate: Gatekeeper, states: Sequence[JobState], with_text: bool) -> Iterator[str]:
    yield from table([_row(gate, state) for state in states], state=1)
    for state in states:
        if with_text and state.pending:
            yield f"\n{texts.record_text(state.pending)}"
        if state.demand:
            line = texts.submit_command(program_words(), state.job, gate.root)
            yield f"due: {texts.what_is_due(state.job, state.demand)}\n  {line} < summary.md"
    if not states:
        yield "no job yet: the first prompt opens one"


@gate.command(epilog="Example: lithify gate record 'Please add a dark theme.'")
@click.argument("text", type=spoken, nargs=-1, required=True)
@option("--kind [prompt|answer]", default="prompt")
@option("--session TEXT", "Who says it.", default=CLI_SESSION)
@_job
@on_gate
def record(
    gate: Gatekeeper, text: tuple[str, ...], kind: str, session: str, job: str | None
) -> CommandOutput:
    """Add TEXT (`-` reads standard input) to a job's record, as a hook does.

    Without a terminal it is the agent's, or of what its session has read, and never the person's.
    """
    words = given_words(text)
    if not words.strip():
        raise UsageError(reason="there is nothing to record")
    # The session that it is recorded for says nothing of who records it.
    origin = "user" if at_terminal() else gate.caller_origin(os.environ)
    done = gate.record(session, kind, words, job, origin=origin)
    state = gate.state(done.state.job)
    lines = [f"{state.job}  {done.seq}  {_fill(gate, state)}"]
    if state.demand:
        lines.append(f"the gate is closed: {texts.what_is_due(state.job, state.demand)}")
    return CommandOutput({"seq": done.seq, **_job_data(gate, state)}, lines)


@gate.command(epilog="Example: lithify gate submit --job 20260402-1 < summary.md")
@option("--template", "Print the command with the form to fill in.")
@_job
@on_gate
def submit(gate: Gatekeeper, template: bool, job: str | None) -> CommandOutput:
    """Read a summary from standard input; accept it, or say all that is wrong with it at once.

    Exit code 4 where it is refused.
    """
    job = _one(gate, job)
    if template:
        state, rules = gate.state(job), gate.rules(job)
        demand = state.demand or Demand(state.start, state.next, state.tokens)
        line = texts.submit_command(program_words(), job, gate.root)
        form, words = texts.filled_template(line, rules), texts.rules_in_words(demand, rules)
        if not wants_json():
            say(f"\n{words}", err=True)
        return CommandOutput({"job": job, "template": form, "rules": words}, form)
    reader = _summary_reader(gate.root)
    text, origin = (
        sys.stdin.buffer.read().decode("utf-8", "replace"),
        gate.caller_origin(os.environ),
    )
    done = gate.submit(job, text, origin=origin, reader=reader)
    if reader and reader.note:
        say(reader.note, err=True)
    if isinstance(done, RefusedSummary):
        wrong = [f"- {violation}" for violation in done.violations]
        data = {"accepted": False, "job": job, "violations": done.violations}
        return CommandOutput(data, [f"refused, {len(wrong)} to fix:", *wrong], 4)
    data = {"accepted": True, "job": job, **picked(done, "again left")}
    return CommandOutput({**data, **_summary_data(done.summary)}, _accepted_lines(job, done))


def _summary_reader(root: str) -> SummaryReader | None:
    """Open who reads a summary a second time; a mistake in the settings must not bar the way out."""
    from lithify.memory import Memory

    try:
        return Memory.open(root).summary_reader()
    except LithifyError as error:
        say(f"not read: {error.message}", err=True)
        return None


def _accepted_lines(job: str, done: Submitted) -> Iterator[str]:
    summary, after = done.summary, done.state
    before = " (it was accepted before)" if done.again else ""
    yield f"accepted as summary {summary.seq} of job {job}{before}: {summary.tokens} tokens"
    for name, unknown in summary.unverified.items():
        yield f"marked unverified in {name}: {', '.join(unknown)}"
    for step in done.left:
        yield f"still to do, by the next call: {step}"
    if after and after.demand:
        yield f"one more: {texts.what_is_due(job, after.demand)}"
        yield texts.to_summarise(after, after.demand)
    elif after:
        yield "the gate is open"


@gate.command(epilog="Example: lithify gate chain --job 20260402-1 --read-back")
@option("--read-back", "As a session is given it: older ones rolled up.")
@_job
@on_gate
def chain(gate: Gatekeeper, read_back: bool, job: str | None) -> CommandOutput:
    """Print a job's accepted summaries, oldest first."""
    job = _one(gate, job)
    summaries = gate.chain(job)
    text = "\n\n".join(map(texts.summary_text, summaries))
    if read_back:
        text = texts.read_back(job, summaries)
    return CommandOutput(map(_summary_data, summaries), text or f"job {job} has no summary yet")


@gate.command("open", epilog="Example: lithify gate open --reason 'the paste was a mistake'")
@option("--reason TEXT", "Why; it stays in the journal.", required=True)
@option("--job ID", "Only this job's gate.")
@on_gate
def open_(gate: Gatekeeper, reason: str, job: str | None) -> CommandOutput:
    """Open closed gates by hand, without a summary.

    What is recorded stays, and the next summary has to cover it. Needs a terminal.
    """
    need_terminal("Opening a gate by hand")
    reason = reason.strip()
    if not reason:
        raise UsageError(reason="--reason must say why")
    opened = gate.open_gates(reason, job)
    line = f"opened: {', '.join(opened)}" if opened else "no gate is closed"
    return CommandOutput({"opened": opened, "reason": reason}, line)


@gate.command(epilog="Example: lithify gate show --all")
@option("--all", "All summaries and the whole record.", name="everything")
@option("--job ID", "The job; the last one worked on where it is left out.")
@on_gate
def show(gate: Gatekeeper, everything: bool, job: str | None) -> CommandOutput:
    """Print what a session is given of its job: the chain, then what no summary covers."""
    state = gate.full_state(job or gate.last_job() or _one(gate, None))
    record = gate.interactions(state.job) if everything else state.pending
    chain_text, tail = texts.chain_and_tail(state)
    tail = tail or texts.tail_text(state.job, state.pending)
    if everything:
        chain_text = "\n\n".join(map(texts.summary_text, state.chain))
        tail = texts.record_text(record)
    parts = [(chain_text, gate.job_origin(state.job)), (tail, texts.origin_of(record))]
    text = "\n\n".join(fence(text, origin, state.job) for text, origin in parts if text)
    summaries = [_summary_data(one) for one in state.chain]
    return CommandOutput({"job": state.job, "summaries": summaries, "interactions": record}, text)


@gate.command("on", epilog="Example: lithify gate on")
@on_gate
def on_(gate: Gatekeeper) -> CommandOutput:
    """Switch the gate on for this root: a long job has to be summarised before work goes on.

    Jobs that were recorded without a gate are ended; `gate focus` reopens one. Needs a terminal.
    """
    return _switch(gate, True)


@gate.command(epilog="Example: lithify gate off")
@on_gate
def off(gate: Gatekeeper) -> CommandOutput:
    """Switch the gate off for this root: jobs are recorded, and no call is ever denied.

    What is closed now is opened. Needs a terminal.
    """
    return _switch(gate, False)


def _switch(gate: Gatekeeper, on: bool) -> CommandOutput:
    word = "on" if on else "off"
    need_terminal(f"Switching the gate {word}")
    done = gate.switch(on)
    if not done.changed:
        lines = [f"the gate is {word} already"]
    elif on:
        most = gate.settings.gate.threshold
        lines = [f"the gate is on: after {most:,} tokens of prompts and answers a summary is due"]
    else:
        lines = ["the gate is off: jobs are recorded, and nothing is denied"]
    if done.opened:
        lines.append(f"opened: {', '.join(done.opened)}")
    if done.ended:
        lines.append(f"ended, so that the next prompt opens a new job: {', '.join(done.ended)}")
    return CommandOutput({"enabled": on, **done._asdict()}, lines)


@gate.command(epilog="Example: lithify gate jobs --json")
@on_gate
def jobs(gate: Gatekeeper) -> CommandOutput:
    """List every job, ended ones too, and the sessions on them."""
    data, rows = [], []
    sessions = gate.sessions()
    for state in gate.jobs():
        here: list[Session] = [one for one in sessions if one.job == state.job]
        shown = [picked(one, "ended", session="id") for one in here]
        data.append({**_job_data(gate, state), "sessions": shown})
        rows.append((*_row(gate, state), " ".join(one.id for one in here if not one.ended)))
    return CommandOutput(data, table(rows) or "no job yet: the first prompt opens one")


@gate.command(epilog="Example: lithify gate focus billing")
@click.argument("job")
@option("--session ID", "The session; needed only where there are several.")
@on_gate
def focus(gate: Gatekeeper, job: str, session: str | None) -> CommandOutput:
    """Put a session on JOB, which is made if it is new and reopened if it was closed.

    Where no session is live, the next one gets it. Needs a terminal.
    """
    need_terminal("Putting a session on another job")
    if session is None:
        live = [one.id for one in gate.sessions() if not one.ended]
        if len(live) > 1:
            names = ", ".join(live)
            raise UsageError(
                reason=f"{len(live)} sessions are live; name one with --session: {names}"
            )
        session = live[0] if live else ""
    state = gate.focus(session or CLI_SESSION, job)
    if session:
        summaries = count_of(len(state.chain), "summary", "summaries")
        line = f"{session} works on {job}: {summaries}, {count_of(state.tokens, 'token')} since"
    else:
        # Nobody is there yet: the job is left free for the session that comes.
        gate.note_session(CLI_SESSION, ended=True)
        line = f"the next session works on {job}"
    return CommandOutput({"session": session or None, **_job_data(gate, state)}, line)


@gate.command(epilog="Example: lithify gate close --job billing")
@_job
@on_gate
def close(gate: Gatekeeper, job: str | None) -> CommandOutput:
    """End a job. Its record and chain stay; `gate focus` reopens it. Needs a terminal."""
    need_terminal("Ending a job")
    job = _one(gate, job)
    gate.end_job(job)
    return CommandOutput({"closed": job}, f"job {job} is closed")
