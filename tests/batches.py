"""The batch endpoints of the loopback server: Anthropic's message batches, OpenAI's files and batches."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wire import Wire

_TIME = "2026-05-01T00:00:00Z"
_EPOCH = 1_700_000_000


def posted(wire: Wire, path: str, raw: bytes, headers: dict[str, str]) -> tuple[int, Any]:
    """A file uploaded, or a batch made."""
    number = len(wire.batches) + 1
    if path.endswith("/files"):
        body = _part(raw, headers["content-type"])
        wire.batches[f"file-{number}"] = [json.loads(line) for line in body.splitlines()]
        return 200, {
            "id": f"file-{number}",
            "object": "file",
            "bytes": len(body),
            "created_at": _EPOCH,
            "filename": "batch.jsonl",
            "purpose": "batch",
            "status": "processed",
        }
    asked = json.loads(raw)
    if path.startswith("/v1/messages/batches"):
        wire.batches[f"msgbatch_{number}"] = asked["requests"]
        return 200, _anthropic(wire, f"msgbatch_{number}", done=False)
    wire.batches[f"batch_{number}"] = asked["input_file_id"]
    return 200, _openai(wire, f"batch_{number}", done=False)


def fetched(wire: Wire, path: str) -> tuple[int, Any]:
    """A batch's state, or its results."""
    path = path.partition("?")[0]
    if match := re.fullmatch(r"/v1/messages/batches/(\w+)", path):
        return 200, _anthropic(wire, match[1], done=wire.done)
    if match := re.fullmatch(r"/v1/messages/batches/(\w+)/results", path):
        return 200, _lines(
            _anthropic_result(wire, n, r) for n, r in enumerate(wire.batches[match[1]])
        )
    if match := re.fullmatch(r"/v1/batches/(\w+)", path):
        return 200, _openai(wire, match[1], done=wire.done)
    if match := re.fullmatch(r"/v1/files/out-([\w-]+)/content", path):
        return 200, _lines(_openai_result(wire, n, r) for n, r in enumerate(wire.batches[match[1]]))
    return 404, {"error": {"type": "not_found_error", "message": path}}


def _lines(rows: Any) -> bytes:
    return b"\n".join(json.dumps(row).encode() for row in rows)


def _part(raw: bytes, kind: str) -> str:
    """The file in a multipart body."""
    mark = kind.partition("boundary=")[2].strip('"').encode()
    for part in raw.split(b"--" + mark):
        head, _, body = part.partition(b"\r\n\r\n")
        if b"filename=" in head:
            return body.removesuffix(b"\r\n").decode()
    raise ValueError("no file")


def _anthropic(wire: Wire, id: str, *, done: bool) -> dict[str, Any]:
    total = len(wire.batches[id])
    return {
        "id": id,
        "type": "message_batch",
        "processing_status": "ended" if done else "in_progress",
        "request_counts": {
            "processing": 0 if done else total,
            "succeeded": total if done else 0,
            "errored": 0,
            "canceled": 0,
            "expired": 0,
        },
        "created_at": _TIME,
        "expires_at": _TIME,
        "ended_at": _TIME if done else None,
        "archived_at": None,
        "cancel_initiated_at": None,
        "results_url": f"{wire.url}/v1/messages/batches/{id}/results" if done else None,
    }


def _anthropic_result(wire: Wire, number: int, request: dict[str, Any]) -> dict[str, Any]:
    from wire import converse

    if number in wire.failing:
        error = {"type": "error", "error": {"type": "api_error", "message": "it broke"}}
        result: dict[str, Any] = {"type": "errored", "error": error}
    else:
        result = {"type": "succeeded", "message": converse(wire, "/v1/messages", request["params"])}
    return {"custom_id": request["custom_id"], "result": result}


def _openai(wire: Wire, id: str, *, done: bool) -> dict[str, Any]:
    file = wire.batches[id]
    total = len(wire.batches[file])
    return {
        "id": id,
        "object": "batch",
        "endpoint": "/v1/responses",
        "input_file_id": file,
        "completion_window": "24h",
        "status": "completed" if done else "in_progress",
        "output_file_id": f"out-{file}" if done else None,
        "error_file_id": None,
        "created_at": _EPOCH,
        "request_counts": {"total": total, "completed": total if done else 0, "failed": 0},
    }


def _openai_result(wire: Wire, number: int, request: dict[str, Any]) -> dict[str, Any]:
    from wire import converse

    row = {"id": f"r{number}", "custom_id": request["custom_id"], "error": None}
    if number in wire.failing:
        body: Any = {"error": {"type": "server_error", "message": "it broke"}}
        return {**row, "response": {"status_code": 500, "request_id": "q", "body": body}}
    body = converse(wire, "/v1/responses", request["body"])
    return {**row, "response": {"status_code": 200, "request_id": "q", "body": body}}
