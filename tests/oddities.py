"""Replies that are well-formed and not what was asked for: thoughts before them, tools in their place."""

from __future__ import annotations

from typing import Any

_TOOL = {"name": "save", "arguments": "{}"}


def thinking(path: str, reply: dict[str, Any]) -> dict[str, Any]:
    """A reply after a train of thought that is no part of it."""
    if "/v1/messages" in path:
        thought = {"type": "thinking", "thinking": "hm, let me see", "signature": "s"}
        reply["content"].insert(0, thought)
    elif "/responses" in path:
        summary = [{"type": "summary_text", "text": "hm, let me see"}]
        reply["output"].insert(0, {"type": "reasoning", "id": "rs_1", "summary": summary})
    elif "Content" in path:
        parts = reply["candidates"][0]["content"]["parts"]
        parts.insert(0, {"text": "hm, let me see", "thought": True})
    elif "converse" in path:
        thought = {"reasoningContent": {"reasoningText": {"text": "hm, let me see"}}}
        reply["output"]["message"]["content"].insert(0, thought)
    else:
        reply["choices"][0]["message"]["reasoning_content"] = "hm, let me see"
    return reply


def tooling(path: str, reply: dict[str, Any]) -> dict[str, Any]:
    """A call of a tool that nobody offered, and no text."""
    if "/v1/messages" in path:
        block = {"type": "tool_use", "id": "t1", "name": "save", "input": {}}
        return {**reply, "content": [block], "stop_reason": "tool_use"}
    if "/responses" in path:
        call = {"type": "function_call", "id": "fc_1", "call_id": "t1", **_TOOL}
        return {**reply, "output": [{**call, "status": "completed"}]}
    if "Content" in path:
        part = {"functionCall": {"name": "save", "args": {}}}
        reply["candidates"][0]["content"]["parts"] = [part]
        return reply
    if "converse" in path:
        use = {"toolUse": {"toolUseId": "t1", "name": "save", "input": {}}}
        message = {"role": "assistant", "content": [use]}
        return {**reply, "output": {"message": message}, "stopReason": "tool_use"}
    calls = [{"id": "call12345", "type": "function", "function": _TOOL}]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    return {**reply, "choices": [choice]}
