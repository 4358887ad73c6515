"""One event of a harness, from its JSON to the answer. Light: it runs before every tool call."""

from __future__ import annotations

import json
import os

from lithify.hooks.wire import Given, Reply, Wire, wire_of


def answer(harness: str, event: str, raw: bytes, root: str = "") -> str:
    """What the harness is to read on standard output."""
    wire = wire_of(harness)
    ours = wire.events.get(event, "")
    try:
        given = json.loads(raw or b"{}")
        if not isinstance(given, dict):
            raise ValueError("the event is no JSON object")
        given = wire.read(event, given)
    except (ValueError, RecursionError) as error:
        return wire.write(event, _unreadable(ours, root, error))
    return wire.write(event, reply_to(wire, ours, given, root))


def reply_to(wire: Wire, event: str, given: Given, root: str = "") -> Reply:
    """The reply to one of our events; a recorder that breaks blocks nothing."""
    root = root or root_of(str(given.get("cwd") or ""))
    if event == "PreToolUse":
        return _before_tool(wire, given, root) if root else Reply()
    if not root or not event:
        return _rootless(event)
    try:
        from lithify.gate.gatekeeper import Gatekeeper
        from lithify.hooks.respond import respond

        return respond(Gatekeeper(root), event, given)
    except Exception as error:
        from lithify.hooks.respond import failed

        return failed(event, error)


def root_of(start: str) -> str:
    """The root an event belongs to: `$LITHIFY_ROOT`, else the nearest folder made one.

    Looked for from `start` upwards, or from the current folder.

    A folder that only happens to have a `memory/` may be anybody's, and nobody asked for a hook
    to write there: `lithify init` is the asking.
    """
    if named := os.environ.get("LITHIFY_ROOT"):
        return os.path.abspath(named) if os.path.isdir(named) else ""
    try:
        folder = os.path.abspath(start)
    except OSError:  # the current folder is gone
        return ""
    while True:
        for name in ("lithify.toml", ".lithify"):
            if os.path.exists(os.path.join(folder, name)):
                return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent


def _before_tool(wire: Wire, given: Given, root: str) -> Reply:
    from lithify.hooks import guard

    reply = guard.rule(root, given)
    if wire.hands_over or not (reply.deny and reply.first) or given.get("agent_id"):
        return reply
    # The prompt's answer could not carry the text, so the first denial does.
    try:
        from lithify.hooks.handover import with_text

        return reply._replace(deny=with_text(root, str(given.get("session_id")), reply.deny))
    except Exception:
        return reply


def _unreadable(event: str, root: str, error: Exception) -> Reply:
    if event == "PreToolUse":
        from lithify.hooks import guard

        # Whose call this is cannot be told: it is held like any other the guard cannot judge.
        return guard.unreadable(root or root_of(""), error)
    from lithify.hooks.respond import failed

    return failed(event, error)


def _rootless(event: str) -> Reply:
    named = os.environ.get("LITHIFY_ROOT")
    if event == "SessionStart" and named:
        return Reply(person=f"lithify: LITHIFY_ROOT is {named}, no folder; nothing is recorded.")
    return Reply()
