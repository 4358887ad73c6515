"""Gemini: `POST …/models/NAME:generateContent`, `:streamGenerateContent` and `:countTokens`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from live.conversation import Answer, Called, Conversation, Returned, Said, Tool, texts_of

Event = tuple[str, Mapping[str, Any]]


def read(body: Mapping[str, Any]) -> Conversation:
    """The conversation of a generateContent request; its model is in the address."""
    events: list[Said | Called | Returned] = []
    for number, content in enumerate(body.get("contents", ())):
        role = "model" if content.get("role") == "model" else "user"
        said = []
        for part in content.get("parts", ()):
            if "functionCall" in part:
                # Calls of one reply stand in one content: without an id of ours, that is their step.
                call = part["functionCall"]
                events.append(Called(str(call.get("id") or f"lithify_{number}_0_x"), call["name"]))
            elif "functionResponse" in part:
                given = part["functionResponse"].get("response", "")
                events.append(Returned("\n".join(texts_of(given))))
            elif "text" in part and not part.get("thought"):
                said.append(part["text"])
        if said:
            events.append(Said(role, "\n".join(said)))
    tools = [
        Tool(one["name"], _schema(one).get("properties", {}))
        for group in body.get("tools") or ()
        for one in group.get("functionDeclarations", ())
    ]
    system = "\n".join(texts_of(body.get("systemInstruction", "")))
    form = body.get("generationConfig") or {}
    schema = form.get("responseJsonSchema") or form.get("responseSchema") or {}
    return Conversation("", system, events, tools, schema)


def _schema(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    schema = tool.get("parametersJsonSchema") or tool.get("parameters") or {}
    return schema if isinstance(schema, Mapping) else {}


def write(answer: Answer, model: str) -> Mapping[str, Any]:
    """The answer as one candidate."""
    calls: list[Mapping[str, Any]] = [
        {"functionCall": {"id": call.id, "name": call.tool.name, "args": call.arguments}}
        for call in answer.calls
    ]
    content = {"role": "model", "parts": calls or [{"text": answer.text}]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {
            "promptTokenCount": answer.tokens,
            "candidatesTokenCount": 20,
            "totalTokenCount": answer.tokens + 20,
        },
        "modelVersion": model,
    }


def stream(answer: Answer, model: str) -> Iterator[Event]:
    """The answer as server-sent events: one holds it all."""
    yield "", write(answer, model)
