"""The loopback server's replies as streams: the same reply, piece by piece, in each wire format."""

from __future__ import annotations

import binascii
import json
import struct
from collections.abc import Iterable
from typing import Any

PIECE = 37


def is_asked(path: str, body: dict[str, Any]) -> bool:
    """Whether a request wants its reply as a stream."""
    return bool(body.get("stream")) or "streamGenerateContent" in path or "converse-stream" in path


def stream_of(path: str, reply: dict[str, Any]) -> tuple[bytes, str]:
    """A whole reply as the bytes of a stream, and their content type."""
    if "converse-stream" in path:
        return _bedrock(reply), "application/vnd.amazon.eventstream"
    if "/v1/messages" in path:
        rows = _anthropic(reply)
    elif "/responses" in path:
        rows = _responses(reply)
    elif "streamGenerateContent" in path:
        rows = _gemini(reply)
    else:
        rows = _chat(reply)
    lines = []
    for row in rows:
        kind = row.get("type")
        event = f"event: {kind}\n" if kind else ""
        lines.append(f"{event}data: {json.dumps(row)}\n\n")
    if "/chat/completions" in path:
        lines.append("data: [DONE]\n\n")
    return "".join(lines).encode(), "text/event-stream"


def _pieces(text: str) -> list[str]:
    return [text[n : n + PIECE] for n in range(0, len(text), PIECE)]


def _anthropic(reply: dict[str, Any]) -> Iterable[dict[str, Any]]:
    text = reply["content"][0]["text"]
    used = reply["usage"]
    begun = {**reply, "content": [], "stop_reason": None, "usage": {**used, "output_tokens": 1}}
    yield {"type": "message_start", "message": begun}
    block = {"type": "text", "text": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    for piece in _pieces(text):
        delta = {"type": "text_delta", "text": piece}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    end = {"stop_reason": reply["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": end, "usage": used}
    yield {"type": "message_stop"}


def _chat(reply: dict[str, Any]) -> Iterable[dict[str, Any]]:
    head = {key: reply[key] for key in ("id", "created", "model")}
    head["object"] = "chat.completion.chunk"
    choice = reply["choices"][0]

    def chunk(delta: dict[str, Any], why: str | None = None) -> dict[str, Any]:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": why}]}

    yield chunk({"role": "assistant", "content": ""})
    for piece in _pieces(choice["message"]["content"]):
        yield chunk({"content": piece})
    usage = reply["usage"]
    # Told both ways: in a chunk of its own, and beside the end as one provider does.
    yield {**chunk({}, choice["finish_reason"]), "x_groq": {"id": "r1", "usage": usage}}
    yield {**head, "choices": [], "usage": usage}


def _responses(reply: dict[str, Any]) -> Iterable[dict[str, Any]]:
    item = reply["output"][0]
    part = item["content"][0]
    open_item = {**item, "status": "in_progress", "content": []}
    begun = {**reply, "status": "in_progress", "output": [], "usage": None}
    place = {"output_index": 0, "content_index": 0, "item_id": item["id"]}
    refused = part["type"] == "refusal"
    text = part["refusal"] if refused else part["text"]
    name = "refusal" if refused else "output_text"
    field = "refusal" if refused else "text"
    rows: list[dict[str, Any]] = [
        {"type": "response.created", "response": begun},
        {"type": "response.output_item.added", "output_index": 0, "item": open_item},
        {"type": "response.content_part.added", **place, "part": {**part, field: ""}},
    ]
    for piece in _pieces(text):
        rows.append({"type": f"response.{name}.delta", **place, "delta": piece, "logprobs": []})
    rows += [
        {"type": f"response.{name}.done", **place, field: text, "logprobs": []},
        {"type": "response.content_part.done", **place, "part": part},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": f"response.{reply['status']}", "response": reply},
    ]
    for number, row in enumerate(rows):
        yield {**row, "sequence_number": number}


def _gemini(reply: dict[str, Any]) -> Iterable[dict[str, Any]]:
    candidate = reply["candidates"][0]
    pieces = _pieces(candidate["content"]["parts"][0]["text"])
    for number, piece in enumerate(pieces, 1):
        last = number == len(pieces)
        content = {"role": "model", "parts": [{"text": piece}]}
        one = {"content": content, "index": 0}
        if last:
            one["finishReason"] = candidate["finishReason"]
        yield {**reply, "candidates": [one]}


def _bedrock(reply: dict[str, Any]) -> bytes:
    text = reply["output"]["message"]["content"][0]["text"]
    rows: list[tuple[str, dict[str, Any]]] = [("messageStart", {"role": "assistant"})]
    for piece in _pieces(text):
        rows.append(("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"text": piece}}))
    rows += [
        ("contentBlockStop", {"contentBlockIndex": 0}),
        ("messageStop", {"stopReason": reply["stopReason"]}),
        ("metadata", {"usage": reply["usage"], "metrics": reply["metrics"]}),
    ]
    return b"".join(_framed(kind, json.dumps(row).encode()) for kind, row in rows)


def _framed(kind: str, payload: bytes) -> bytes:
    """One message of the binary event stream, its lengths and checksums around it."""
    headers = b""
    for name, value in (
        (":event-type", kind),
        (":content-type", "application/json"),
        (":message-type", "event"),
    ):
        headers += bytes([len(name)]) + name.encode() + b"\x07"
        headers += struct.pack(">H", len(value)) + value.encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    body = prelude + struct.pack(">I", binascii.crc32(prelude)) + headers + payload
    return body + struct.pack(">I", binascii.crc32(body))
