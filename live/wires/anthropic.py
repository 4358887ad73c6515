"""Anthropic Messages: `POST /v1/messages` (plain and streamed) and `/v1/messages/count_tokens`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from live.conversation import Answer, Called, Conversation, Returned, Said, Tool, texts_of

Event = tuple[str, Mapping[str, Any]]


def read(body: Mapping[str, Any]) -> Conversation:
    """The conversation of a Messages request."""
    events: list[Said | Called | Returned] = []
    for message in body.get("messages", ()):
        # A system message between the others is the client's: it must not pass for a prompt.
        role = "model" if message["role"] == "assistant" else message["role"]
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            if block["type"] == "text":
                events.append(Said(role, block["text"]))
            elif block["type"] == "tool_use":
                events.append(Called(block["id"], block["name"]))
            elif block["type"] == "tool_result":
                events.append(Returned("\n".join(texts_of(block.get("content", "")))))
    tools = [
        Tool(tool["name"], tool.get("input_schema", {}).get("properties", {}))
        for tool in body.get("tools", ())
        if "name" in tool
    ]
    system = "\n".join(texts_of(body.get("system", "")))
    return Conversation(str(body.get("model", "")), system, events, tools)


def write(answer: Answer, model: str) -> Mapping[str, Any]:
    """The answer as one message."""
    content: list[Mapping[str, Any]] = [
        {"type": "tool_use", "id": call.id, "name": call.tool.name, "input": call.arguments}
        for call in answer.calls
    ]
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content or [{"type": "text", "text": answer.text}],
        "stop_reason": "tool_use" if answer.calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": answer.tokens, "output_tokens": 20},
    }


def stream(answer: Answer, model: str) -> Iterator[Event]:
    """The answer as server-sent events."""
    message = write(answer, model)
    start = {**message, "content": [], "stop_reason": None}
    yield "message_start", {"type": "message_start", "message": start}
    for index, block in enumerate(message["content"]):
        empty: Mapping[str, Any]
        if block["type"] == "text":
            empty, delta = {"text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            given = json.dumps(block["input"])
            empty, delta = {"input": {}}, {"type": "input_json_delta", "partial_json": given}
        begun = {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        yield "content_block_start", begun
        yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 20}}
    yield "message_stop", {"type": "message_stop"}
