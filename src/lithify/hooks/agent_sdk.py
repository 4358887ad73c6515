"""The gate for the Claude Agent SDK: callbacks in the shape its `HookMatcher` takes.

    from claude_agent_sdk import ClaudeAgentOptions
    from lithify.hooks.agent_sdk import hooks

    options = ClaudeAgentOptions(hooks=hooks("~/agent"))

The SDK has no callback for the start of a session, so a session gets its context with the first
prompt. It has none for the end either: call `Memory.open(root).gate.end_session(id)`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

from lithify.errors import UsageError
from lithify.gate.files import settings_in_force
from lithify.hooks.clients.claude import CLIENT, NOTED_TOOLS, answer
from lithify.hooks.events import reply_to

Callback = Callable[[Any, str | None, Any], Awaitable[dict[str, Any]]]


def hooks(root: str | os.PathLike[str], *, matcher: Any = None) -> dict[str, list[Any]]:
    """Return what `ClaudeAgentOptions(hooks=…)` takes; `matcher` stands in for the SDK's `HookMatcher`."""
    if matcher is None:
        try:
            from claude_agent_sdk import HookMatcher

            matcher = HookMatcher
        except ImportError as error:
            reason = "the Claude Agent SDK is not installed; run: pip install claude-agent-sdk"
            raise UsageError(reason=reason) from error
    base = os.path.abspath(os.path.expanduser(os.fspath(root)))
    if not os.path.isdir(base):
        raise UsageError(reason=f"{base} is not a folder; make it a root with `lithify init`")
    answered = _callback(base)
    guard = {}
    if "on_failure" in getattr(matcher, "__dataclass_fields__", {}):
        holds = settings_in_force(base).gate.on_stuck == "hold"
        guard["on_failure"] = "block" if holds else "continue"
    return {
        "UserPromptSubmit": [matcher(hooks=[answered], timeout=20)],
        "PreToolUse": [matcher(hooks=[answered], timeout=10, **guard)],
        "PostToolUse": [matcher(matcher=NOTED_TOOLS, hooks=[answered], timeout=20)],
        "PreCompact": [matcher(hooks=[answered], timeout=20)],
        "Stop": [matcher(hooks=[answered], timeout=20)],
    }


def _callback(root: str) -> Callback:
    begun: set[str] = set()

    def reply_for(given: dict[str, Any]) -> dict[str, Any]:
        event = str(given.get("hook_event_name") or "")
        reply = reply_to(CLIENT, event, given, root)
        session = str(given.get("session_id") or "unknown")
        if event == "UserPromptSubmit" and session not in begun:
            begun.add(session)
            # After the prompt, because that opens or resumes the job. If it closed the gate, the
            # start's context holds the text to summarise.
            start = reply_to(CLIENT, "SessionStart", given, root)
            reply = reply._replace(
                context=start.context or reply.context, person=reply.person or start.person
            )
        return answer(event, reply)

    async def callback(given: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
        return await asyncio.to_thread(reply_for, dict(given))

    return callback
