"""OpenAI chat completions: `POST …/chat/completions`, plain and streamed (OpenCode, Copilot)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from live.conversation import Answer, Called, Conversation, Returned, Said, Tool, texts_of

Event = tuple[str, Mapping[str, Any]]


def read(body: Mapping[str, Any]) -> Conversation:
    """The conversation of a chat request."""
    events: list[Said | Called | Returned] = []
    system: list[str] = []
    for message in body.get("messages", ()):
        role = message["role"]
        text = "\n".join(
            part.get("text", "") if isinstance(part, Mapping) else part
            for part in _parts(message.get("content"))
        )
        if role in ("system", "developer"):
            system.append(text)
        elif role == "tool":
            events.append(Returned(text))
        else:
            if text:
                events.append(Said("model" if role == "assistant" else "user", text))
            for call in message.get("tool_calls") or ():
                events.append(Called(call["id"], call["function"]["name"]))
    tools = [
        Tool(
            one["function"]["name"],
            one["function"].get("parameters", {}).get("properties", {}),
        )
        for one in body.get("tools") or ()
        if "function" in one
    ]
    return Conversation(str(body.get("model", "")), "\n".join(system), events, tools)


def _parts(content: Any) -> list[Any]:
    if content is None:
        return []
    return list(content) if isinstance(content, list) else texts_of(content)


def write(answer: Answer, model: str) -> Mapping[str, Any]:
    """The answer as one completion."""
    message: dict[str, Any] = {
        "role": "assistant",
        "content": None if answer.calls else answer.text,
    }
    if answer.calls:
        message["tool_calls"] = _calls(answer)
    choice = {"index": 0, "message": message, "finish_reason": _reason(answer)}
    return {**_frame(model, "chat.completion"), "choices": [choice], "usage": _usage(answer)}


def stream(answer: Answer, model: str) -> Iterator[Event]:
    """The answer as server-sent events; the server adds `[DONE]`."""
    delta: dict[str, Any] = {"role": "assistant"}
    if answer.calls:
        delta["tool_calls"] = [{"index": i, **call} for i, call in enumerate(_calls(answer))]
    else:
        delta["content"] = answer.text
    frame = _frame(model, "chat.completion.chunk")
    yield "", {**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    ended = {"index": 0, "delta": {}, "finish_reason": _reason(answer)}
    yield "", {**frame, "choices": [ended], "usage": _usage(answer)}


def _usage(answer: Answer) -> Mapping[str, int]:
    read = answer.tokens
    return {"prompt_tokens": read, "completion_tokens": 20, "total_tokens": read + 20}


def _frame(model: str, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-scripted", "object": kind, "created": 1_700_000_000, "model": model}


def _reason(answer: Answer) -> str:
    return "tool_calls" if answer.calls else "stop"


def _calls(answer: Answer) -> list[dict[str, Any]]:
    return [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.tool.name, "arguments": json.dumps(call.arguments)},
        }
        for call in answer.calls
    ]
