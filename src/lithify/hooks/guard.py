"""Rules on a tool call: lets it go on while no gate is closed, else asks `decide`.

The file of a closed gate holds all that the ruling needs. It is read alone as long as it is
current; otherwise it is made again from the logs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from lithify.gate import hook_state
from lithify.gate.decide import Demand, Deny, GateState, ReportedCall, decide
from lithify.hooks.clients import Reply

#: The names of our own server's tool, alone and in a plugin.
SUBMIT_TOOLS = ("mcp__lithify__submit_summary", "mcp__plugin_lithify_lithify__submit_summary")
#: The client's search for deferred tools, by which an agent may have to find the tool above.
SEARCH_TOOLS = ("ToolSearch",)
SHELLS = ("Bash",)

Call = dict[str, object]


def rule(root: str, call: Call, client: str = "") -> Reply:
    """Return the ruling on one tool call. If the guard itself breaks, it follows `on_stuck`.

    `client` is the name under which our MCP server knows the client that calls.
    """
    if not hook_state.any_closed(root):
        return Reply()
    try:
        return _rule(root, call, client)
    except Exception as error:
        return _broken(root, call, error)


def unreadable(root: str, error: Exception) -> Reply:
    """Return the ruling on a call whose event cannot be read."""
    if not root or not hook_state.any_closed(root):
        return Reply()
    return _broken(root, {}, error, "the event")


def tool_call(call: Call, job: str, commands: list[str]) -> ReportedCall:
    """Return a tool call as `decide` sees it; `commands` are those that submit a summary of the job."""
    tool, given = call.get("tool_name"), call.get("tool_input")
    given = given if isinstance(given, dict) else {}
    submits = ""
    if (tool in SUBMIT_TOOLS and given.get("job") == job) or (
        tool in SHELLS and admits(given.get("command"), commands)
    ):
        submits = job
    agent = call.get("agent_id")
    return ReportedCall(submits, tool in SEARCH_TOOLS, str(agent) if agent else "")


def _rule(root: str, call: Call, client: str) -> Reply:
    named = call.get("session_id")
    is_named = isinstance(named, str) and bool(named.strip())
    session = _session(root, str(named)) if is_named else {}
    # A call that names no session may be of any, so every closed gate holds it.
    jobs = [str(session.get("job") or "")] if is_named else hook_state.closed_jobs(root)
    found = {job: content for job in filter(None, jobs) if (content := _closed_file(root, job))}
    if not found:
        return Reply()
    submits = (job for job in found if tool_call(call, job, found[job]["forms"]).submits)
    job = next(submits, next(iter(found)))
    content = found[job]
    most, on_stuck = content["rules"]
    count = hook_state.count_denials(content["denials"])
    demand = Demand(*content["demand"])
    state = GateState(job, demand, count, most, on_stuck)
    event = tool_call(call, job, content["forms"])
    decision = decide(event, state)
    texts = content["texts"]
    if isinstance(decision, Deny):
        try:
            hook_state.add_denial(content["denials"])
        except OSError:
            # Without a count nobody would be told after `max_denials`, so it is now.
            decision = decide(event, state._replace(denials=most))
    if isinstance(decision, Deny):
        reason = texts["subagent"]
        if decision.why != "subagent":
            # Our MCP tool is named only if a server of this client is running.
            served = bool(client) and hook_state.is_served(root, client)
            reason = texts["denial_with_tool" if served else "denial"]
        person = texts["stuck"] if decision.stuck else ""
        first = session.get("told") != [demand.level, demand.stop]
        return Reply(reason, person=person, first=first)
    if decision.stuck:
        return Reply(context=texts["passing"], person=texts["passing"])
    return Reply()


def _session(root: str, session: str) -> dict[str, Any]:
    """Return what is known of a session: its job, and the range it was told to summarise."""
    # Most ids can be file names. Only for the others is the module loaded that makes one.
    if session.isascii() and session.replace("-", "").isalnum() and len(session) <= 100:
        path = os.path.join(root, ".lithify", "gate", "sessions", f"{session}.json")
    else:
        from lithify.gate.files import session_path

        path = session_path(root, session)
    return hook_state.read_object(path) or {}


def _closed_file(root: str, job: str) -> dict[str, Any] | None:
    """Return the closed file of a job, made again if it is out of date; None while the gate is open."""
    try:
        content = hook_state.read_closed(root, job)
        if content is None or hook_state.is_current(root, job, content):
            return content
    except (OSError, ValueError, LookupError, TypeError):
        pass
    from lithify.gate.gatekeeper import Gatekeeper

    Gatekeeper(root).update_closed_file(job)
    return hook_state.read_closed(root, job)


def _broken(root: str, call: Call, error: Exception, what: str = "its record") -> Reply:
    """Return the ruling where gate or event cannot be read: as `on_stuck` says, the escape admitted."""
    from lithify.gate import texts
    from lithify.settings import is_job_name

    folder = os.path.join(root, ".lithify", "gate")
    program = texts.program_words()
    for job in filter(is_job_name, os.listdir(folder)):
        event = tool_call(call, job, texts.submit_commands(program, job, root))
        if not event.agent and (event.submits or event.searches):
            return Reply()
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    person = texts.open_command(program, "", root)
    said = f"lithify: a gate is closed and {what} cannot be read ({reason}). "
    try:
        saved = hook_state.read_object(os.path.join(folder, "settings.json")) or {}
        on_stuck = saved["gate"]["on_stuck"]
    except Exception:
        on_stuck = "hold"
    if on_stuck == "pass":
        said += 'This call is let through by `on_stuck = "pass"`.'
        return Reply(context=said, person=said)
    said += f"A person can open it in a terminal: {person}"
    return Reply(said, person=said)


# The one shell command that a closed gate admits:
#
#     FORM <<'WORD'
#     any text
#     WORD
#
# FORM is one of a few exact strings. The word is quoted, so the shell expands nothing in the text,
# and nothing follows the closing word. The scan reads raw bytes and knows no other shell grammar:
# anything else is not admitted.

_WORD = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_LONGEST = 32
#: Control bytes other than tab and newline, which may have a meaning in some shell.
_CONTROL = frozenset(range(32)) - {9, 10} | {127}


def admits(command: object, forms: Iterable[str]) -> bool:
    """Tell whether a shell command is one of these forms with a quoted here-document, and nothing else."""
    if not isinstance(command, str):
        return False
    try:
        raw = command.encode("utf-8")
    except UnicodeEncodeError:
        return False
    if not _CONTROL.isdisjoint(raw):
        return False
    return any(_is_submission(raw, form.encode("utf-8", "surrogateescape")) for form in forms)


def _is_submission(raw: bytes, form: bytes) -> bool:
    if not form or not raw.startswith(form + b" <<"):
        return False
    first, newline, rest = raw[len(form) + 3 :].partition(b"\n")
    if not newline:
        return False
    word = _quoted_word(first.removeprefix(b" "))
    if not word:
        return False
    # Newlines after the last line have no effect.
    lines = rest.rstrip(b"\n").split(b"\n")
    # Some shells accept white space around the closing word, so no other line may look like it.
    closing = [number for number, line in enumerate(lines) if line.strip() == word]
    return closing == [len(lines) - 1] and lines[-1] == word


def _quoted_word(piece: bytes) -> bytes:
    """Return the word inside quotes that enclose the whole piece; empty where it is no plain word."""
    if len(piece) < 3 or piece[0] not in b"'\"" or piece[-1] != piece[0]:
        return b""
    word = piece[1:-1]
    if len(word) > _LONGEST or word[0] in b"0123456789" or not _WORD.issuperset(word):
        return b""
    return word
