"""Answers one event of a client. It runs before every tool call, so it imports little."""

from __future__ import annotations

import json
import os
import sys

from lithify.hooks.clients import Client, Given, Reply, client_of
from lithify.limits import HOOK_EVENT


def answer(name: str, event: str, raw: bytes, root: str = "") -> str:
    """Return what the client reads on standard output."""
    client = client_of(name)
    if "LITHIFY_NESTED" in os.environ:
        from lithify.hooks.nested import is_nested

        if is_nested():  # A client that runs as a model of ours: no person speaks in it.
            return client.write(event, Reply())
    ours = client.events.get(event, "")
    try:
        if len(raw) > HOOK_EVENT:
            raise ValueError(f"the event is larger than {HOOK_EVENT >> 20} MiB")
        given = json.loads(raw or b"{}")
        if not isinstance(given, dict):
            raise ValueError("the event is not a JSON object")
        given = client.read(event, given)
    except (ValueError, RecursionError) as error:
        return client.write(event, _unreadable(ours, root, error))
    return client.write(event, reply_to(client, ours, given, root))


def reply_to(client: Client, event: str, given: Given, root: str = "") -> Reply:
    """Return the reply to one of our events. An error while recording blocks no call."""
    if "opentelemetry" not in sys.modules:
        return _reply_to(client, event, given, root)
    from lithify import telemetry

    facts = {"event": event, "client": client.name}
    with telemetry.span("hook", **facts):
        reply = _reply_to(client, event, given, root)
    did = (
        "denied" if reply.deny else "asked" if reply.ask else "told" if reply.context else "nothing"
    )
    telemetry.count("hooks", 1, **facts, did=did)
    return reply


def _reply_to(client: Client, event: str, given: Given, root: str) -> Reply:
    root = root or root_of(str(given.get("cwd") or ""))
    if event == "PreToolUse":
        return _before_tool(client, given, root) if root else Reply()
    if not root or not event:
        named = os.environ.get("LITHIFY_ROOT")
        if event == "SessionStart" and named:
            said = f"lithify: LITHIFY_ROOT is {named}, no folder; nothing is recorded."
            return Reply(person=said)
        return Reply()
    try:
        from lithify.gate.gatekeeper import Gatekeeper
        from lithify.hooks.respond import respond

        return respond(client, Gatekeeper(root), event, given)
    except Exception as error:
        from lithify.hooks.respond import failed

        return failed(event, error)


def root_of(start: str) -> str:
    """Return the root an event belongs to: `$LITHIFY_ROOT`, else the nearest one from `start` upwards.

    Only a folder that `lithify init` or an earlier hook has made a root counts. One that only has
    a `memory/` may belong to something else, and nobody asked us to write there.
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


def _before_tool(client: Client, given: Given, root: str) -> Reply:
    from lithify.gate import hook_state

    reply = Reply()
    if hook_state.any_closed(root):
        from lithify.hooks import guard

        reply = guard.rule(root, given, client.mcp_client)
    if not reply.deny:
        return _with_memory(client, given, root, reply)
    if client.hands_over or not reply.first or given.get("agent_id"):
        return reply
    # Where the answer to a prompt does not reach the agent, the first denial holds the text.
    try:
        from lithify.hooks.respond import denial_with_text

        return reply._replace(deny=denial_with_text(root, str(given.get("session_id")), reply.deny))
    except Exception:
        return reply


def _with_memory(client: Client, given: Given, root: str, reply: Reply) -> Reply:
    """Add what memory holds on a tool call: a guard's ruling, or rules as context.

    A client that tells the agent nothing before a call holds it once, with the rules as the reason.
    """
    from lithify.moment import ruling

    found = ruling.rule(root, given)
    person = "\n".join(filter(None, (reply.person, found.person)))
    context = "\n\n".join(filter(None, (reply.context, found.context)))
    if found.deny or (found.ask and not client.asks):
        cannot = f" {client.title} cannot ask the person, so the call is refused."
        return reply._replace(deny=found.deny or found.ask + cannot, person=person)
    if found.context and not client.hears_call:
        held = "Held once, so that you know of it first. If the call keeps to it, make it again."
        return reply._replace(deny=f"{found.context}\n{held}", person=person)
    return reply._replace(ask=found.ask, context=context, person=person)


def _unreadable(event: str, root: str, error: Exception) -> Reply:
    if event == "PreToolUse":
        from lithify.hooks import guard

        # The call cannot be judged, so it follows `on_stuck`.
        return guard.unreadable(root or root_of(""), error)
    from lithify.hooks.respond import failed

    return failed(event, error)
