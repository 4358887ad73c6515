"""Before a tool call: nothing while no gate is closed, else the one decision.

The mark of a closed gate names the sizes of the files it was derived from. As long as they
are what it says, it is all that has to be read; otherwise the files themselves are asked.
"""

from __future__ import annotations

import json
import os
from typing import Any

from lithify.gate.decide import Allow, Demand, Deny, Event, State, decide
from lithify.hooks.escape import admits
from lithify.hooks.wire import Reply
from lithify.store import denials

#: How the tool of our own server is called, alone and bundled in a plugin.
SUBMIT_TOOLS = ("mcp__lithify__submit_summary", "mcp__plugin_lithify_lithify__submit_summary")
#: The harness's search for tools it has not loaded: the way to the tool above.
SEARCH_TOOLS = ("ToolSearch",)
SHELLS = ("Bash",)

Call = dict[str, object]


def rule(root: str, call: Call) -> Reply:
    """The ruling on one tool call; a guard that breaks follows `on_stuck`."""
    gate = os.path.join(root, ".lithify", "gate")
    if not os.path.exists(os.path.join(gate, "closed")):
        return Reply()
    try:
        return _rule(root, gate, call)
    except Exception as error:
        return _broken(root, gate, call, error)


def unreadable(root: str, error: Exception) -> Reply:
    """The ruling on a call that cannot be read."""
    gate = os.path.join(root, ".lithify", "gate")
    if not root or not os.path.exists(os.path.join(gate, "closed")):
        return Reply()
    return _broken(root, gate, {}, error, "the event")


def event_of(call: Call, job: str, forms: list[str]) -> Event:
    """A tool call as the core sees it."""
    tool, given = call.get("tool_name"), call.get("tool_input")
    given = given if isinstance(given, dict) else {}
    submits = ""
    if (tool in SUBMIT_TOOLS and given.get("job") == job) or (
        tool in SHELLS and admits(given.get("command"), forms)
    ):
        submits = job
    agent = call.get("agent_id")
    return Event("tool", "", submits, tool in SEARCH_TOOLS, str(agent) if agent else "")


def _rule(root: str, gate: str, call: Call) -> Reply:
    job = _focus(root, gate, str(call.get("session_id") or ""))
    if not job:
        return Reply()
    mark = _mark(root, gate, job)
    if mark is None:
        return Reply()
    most, on_stuck = mark["rules"]
    count = denials.count(mark["denials"])
    state = State(job, Demand(*mark["demand"]), count, most, on_stuck)
    decision = decide(event_of(call, job, mark["forms"]), state)
    texts = mark["texts"]
    if isinstance(decision, Deny):
        denials.add(mark["denials"])
        reason = texts["subagent"] if decision.why == "subagent" else texts["denial"]
        person = texts["stuck"] if decision.stuck else ""
        return Reply(reason, person=person, first=count == 0)
    if isinstance(decision, Allow) and decision.stuck:
        return Reply(context=texts["passing"], person=texts["passing"])
    return Reply()


def _focus(root: str, gate: str, session: str) -> str:
    # Most ids are file names as they are; only the others need the store to tell theirs.
    if session.isascii() and session.replace("-", "").isalnum() and len(session) <= 100:
        path = os.path.join(gate, "sessions", f"{session}.json")
    else:
        from lithify.store.gate import session_path

        path = session_path(root, session)
    found = _read(path)
    return str(found.get("job") or "") if found else ""


def _mark(root: str, gate: str, job: str) -> dict[str, Any] | None:
    """The mark of a job's closed gate, as true as its files; None while the gate is open."""
    path = os.path.join(gate, "closed", f"{job}.json")
    try:
        mark = _read(path)
        if mark is None or (mark["sizes"], mark["toml"]) == (_sizes(gate, job), _toml(root)):
            return mark
    except (ValueError, LookupError):
        pass
    from lithify.gatekeeper import Gatekeeper

    Gatekeeper(root).settle(job)
    return _read(path)


def _read(path: str) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            found: dict[str, Any] = json.loads(file.read())
            return found
    except FileNotFoundError:
        return None


def _sizes(gate: str, job: str) -> list[int]:
    logs = (os.path.join(gate, job, f"{log}.jsonl") for log in ("interactions", "chain"))
    return [os.stat(log).st_size if os.path.exists(log) else 0 for log in logs]


def _toml(root: str) -> list[int]:
    try:
        there = os.stat(os.path.join(root, "lithify.toml"))
    except OSError:
        return []
    return [there.st_mtime_ns, there.st_size]


def _broken(root: str, gate: str, call: Call, error: Exception, what: str = "its record") -> Reply:
    """Gate or event cannot be read: hold or give way as the settings say, and never bar the escape."""
    from lithify.gate import texts
    from lithify.gate.jobs import is_job
    from lithify.gate.mark import forms
    from lithify.gatekeeper import program_words

    program = program_words()
    for job in filter(is_job, os.listdir(gate)):
        event = event_of(call, job, forms(program, job, root))
        if not event.agent and (event.submits or event.searches):
            return Reply()
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    person = texts.open_command(program, "", root)
    said = f"lithify: a gate is closed and {what} cannot be read ({reason}). "
    try:
        on_stuck = (_read(os.path.join(gate, "settings.json")) or {})["gate"]["on_stuck"]
    except Exception:
        on_stuck = "hold"
    if on_stuck == "pass":
        said += 'This call is let through by `on_stuck = "pass"`.'
        return Reply(context=said, person=said)
    said += f"A person can open it in a terminal: {person}"
    return Reply(said, person=said)
