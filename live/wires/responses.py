"""OpenAI Responses: `POST …/responses`, plain and streamed (Codex)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from live.conversation import Answer, Called, Conversation, Returned, Said, Tool, texts_of

Event = tuple[str, Mapping[str, Any]]


def read(body: Mapping[str, Any]) -> Conversation:
    """The conversation of a Responses request."""
    events: list[Said | Called | Returned] = []
    system = [str(body.get("instructions") or "")]
    given = body.get("input", ())
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    for item in items:
        kind = item.get("type", "message")
        if kind == "message":
            content = item["content"]
            parts = [{"text": content}] if isinstance(content, str) else content
            for part in parts:
                text = part.get("text", "")
                if item["role"] in ("system", "developer"):
                    system.append(text)
                else:
                    events.append(Said("model" if item["role"] == "assistant" else "user", text))
        elif kind.endswith("_call"):
            events.append(Called(str(item.get("call_id", "")), str(item.get("name", kind))))
        elif kind.endswith("_call_output"):
            events.append(Returned("\n".join(texts_of(item.get("output", "")))))
    return Conversation(str(body.get("model", "")), "\n".join(system), events, list(_tools(body)))


def _tools(body: Mapping[str, Any]) -> Iterator[Tool]:
    for tool in body.get("tools") or ():
        if tool.get("type") == "namespace":
            for inner in tool.get("tools", ()):
                wire = {"name": inner["name"], "namespace": tool["name"]}
                name = f"{tool['name']}__{inner['name']}"
                yield Tool(name, _properties(inner), wire)
        elif "name" in tool:
            yield Tool(tool["name"], _properties(tool), {"name": tool["name"]})


def _properties(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = tool.get("parameters") or {}
    properties: Mapping[str, Any] = schema.get("properties", {})
    return properties


def write(answer: Answer, model: str) -> Mapping[str, Any]:
    """The answer as one response."""
    calls: list[Mapping[str, Any]] = [
        {
            "type": "function_call",
            "id": f"fc_{call.id}",
            "call_id": call.id,
            "arguments": json.dumps(call.arguments),
            "status": "completed",
            **call.tool.wire,
        }
        for call in answer.calls
    ]
    said = {
        "type": "message",
        "id": "msg_scripted",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": answer.text, "annotations": []}],
    }
    usage = {
        "input_tokens": answer.tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": answer.tokens + 20,
    }
    return {
        "id": "resp_scripted",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": model,
        "status": "completed",
        "output": calls or [said],
        "usage": usage,
    }


def stream(answer: Answer, model: str) -> Iterator[Event]:
    """The answer as server-sent events."""
    response = write(answer, model)
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    yield _event("response.created", response=begun)
    for index, item in enumerate(response["output"]):
        yield _event("response.output_item.added", output_index=index, item=item)
        if item["type"] == "message":
            where = {"item_id": item["id"], "output_index": index, "content_index": 0}
            yield _event("response.output_text.delta", delta=answer.text, **where)
        yield _event("response.output_item.done", output_index=index, item=item)
    yield _event("response.completed", response=response)


def _event(kind: str, **data: Any) -> Event:
    return kind, {"type": kind, **data}
