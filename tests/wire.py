"""A server on the loopback that speaks the wire formats of the providers, faults included.

It counts tokens with a real vocabulary, so that what it reports owes nothing to our estimate,
and keeps every request, so that a test can look at what left the machine.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import oddities
import roots
import streams
from lithify.engines.base import VERDICTS, Call

#: What can go wrong with a reply; each is used up by one request.
FAULTS = (
    "busy",
    "broken",
    "dropped",
    "drip",
    "html",
    "gzip",
    "cut",
    "refusal",
    "huge",
    "thinking",
    "tooling",
    "denied",
    "rejected",
    "hang",
)

Answer = Callable[[Call], str]

#: The list that a request's JSON schema asks for.
_FORM = re.compile(r'"properties": \{"(memories|decisions|verdicts)": \{')


def careful(call: Call) -> str:
    """What a careful model replies, to a prompt of ours or to any other."""
    ours = any(tag in call.prompt for tag in ("<OUTPUT_FORMAT>", VERDICTS, roots.SENT_BACK))
    return roots.answer(call) if ours else "Very well, as you wish."


def reach(monkeypatch: Any) -> None:
    """Clients find the loopback without a proxy, and read no list of authorities at each call."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", os.path.dirname(__file__))


@lru_cache(maxsize=1)
def _vocabulary() -> Any:
    from rs_bpe.bpe import openai

    return openai.cl100k_base()


def count(text: str) -> int:
    """Tokens by a vocabulary in wide use."""
    return int(_vocabulary().count(text))


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: str
    fault: str
    at: float = field(default_factory=time.monotonic)


@dataclass
class Wire:
    """The server: what it was asked, what it reported, and what it will do wrong next."""

    answer: Answer = careful
    faults: deque[str] = field(default_factory=deque)
    seen: list[Seen] = field(default_factory=list)
    used: list[tuple[int, int]] = field(default_factory=list)
    #: Waited for before every answer, where a test wants a call held in flight.
    held: threading.Event = field(default_factory=threading.Event)
    retry_after: str = "0"
    url: str = ""
    formed: int = 0
    streamed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.held.set()

    @property
    def calls(self) -> int:
        """Requests that were answered whole."""
        return sum(seen.fault not in ("busy", "broken", "dropped", "denied") for seen in self.seen)

    @property
    def everything(self) -> str:
        """All bodies that ever arrived."""
        return "\n".join(seen.body for seen in self.seen)

    @property
    def usage(self) -> tuple[int, int]:
        """The tokens reported so far, in and out."""
        return sum(i for i, _ in self.used), sum(o for _, o in self.used)

    def reply(self, call: Call, fault: str, body: dict[str, Any]) -> tuple[str, int, int, str]:
        """The text for a call, its tokens, and why it ended."""
        text, why = self.answer(call), "stop"
        form = _FORM.search(json.dumps(body))
        if form:
            # Held to a schema, a model says nothing outside of it.
            text = json.dumps({form[1]: json.loads(text)})
            self.formed += 1
        if fault == "huge":
            text += " and so on" * 400_000
        if fault == "refusal":
            text, why = "I cannot help with that.", "refusal"
        if fault == "cut":
            text, why = text[: len(text) // 2], "length"
        given, back = count(call.system) + count(call.prompt) + 8, count(text) + 1
        with self.lock:
            self.used.append((given, back))
        return text, given, back, why


@contextmanager
def serving(answer: Answer = careful, *faults: str) -> Iterator[Wire]:
    """A server that answers like this, after going wrong like that."""
    wire = Wire(answer, deque(faults))

    class Handler(_Requests):
        pass

    Handler.wire = wire
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.block_on_close = False
    wire.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield wire
    finally:
        wire.held.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wire: Wire

    def log_message(self, format: str, *args: object) -> None:
        return

    def do_POST(self) -> None:
        wire = self.wire
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with wire.lock:
            fault = wire.faults.popleft() if wire.faults else ""
            headers = {key.lower(): value for key, value in self.headers.items()}
            wire.seen.append(Seen(self.path, headers, raw.decode("utf-8", "replace"), fault))
        wire.held.wait(60)
        if fault == "hang":
            # Until the client gives up, which closes the connection.
            self.connection.settimeout(30)
            self.close_connection = not self.connection.recv(1)
            return None
        if fault == "busy":
            return self._send(429, _fault("rate_limit_error", "slow down"), retry=True)
        if fault == "broken":
            return self._send(500, _fault("api_error", "it broke"))
        if fault == "denied":
            key = next((v for k, v in headers.items() if k in _KEYS), "")
            return self._send(401, _fault("authentication_error", f"the key {key} is not valid"))
        if fault == "rejected":
            return self._send(400, _fault("invalid_request_error", "no schema here"))
        if fault == "html":
            return self._raw(200, b"<html>sign in to the network</html>", "text/html")
        asked = json.loads(raw)
        body = converse(wire, self.path, asked, fault)
        if body is None:
            return self._send(404, _fault("not_found_error", f"nothing at {self.path}"))
        if fault in ("thinking", "tooling"):
            body = getattr(oddities, fault)(self.path, body)
        if streams.is_asked(self.path, asked):
            wire.streamed += 1
            return self._raw(200, *streams.stream_of(self.path, body), fault=fault)
        return self._send(200, body, fault=fault)

    def _send(self, status: int, body: Any, *, retry: bool = False, fault: str = "") -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self._raw(status, data, "application/json", retry=retry, fault=fault)

    def _raw(
        self, status: int, data: bytes, kind: str, *, retry: bool = False, fault: str = ""
    ) -> None:
        if fault == "gzip":
            data = gzip.compress(data)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if retry:
            self.send_header("Retry-After", self.wire.retry_after)
        if fault == "gzip":
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        try:
            if fault == "dropped":
                self.wfile.write(data[: len(data) // 2])
                self.wfile.flush()
                self.close_connection = True
                self.connection.close()
            elif fault == "drip":
                for n in range(0, len(data), 7):
                    self.wfile.write(data[n : n + 7])
                    self.wfile.flush()
            else:
                self.wfile.write(data)
        except OSError:
            self.close_connection = True


_KEYS = ("x-api-key", "authorization", "x-goog-api-key")


def _fault(kind: str, message: str) -> dict[str, Any]:
    """An error in a form that every client reads something from."""
    error = {"type": kind, "code": kind, "message": message, "status": kind.upper()}
    return {"type": "error", "error": error, "message": message}


def converse(wire: Wire, path: str, body: dict[str, Any], fault: str = "") -> dict[str, Any] | None:
    """The answer to a request in the format of the address it came to; None if nobody is there."""
    for pattern, speak in _SPEECH.items():
        if re.search(pattern, path):
            return speak(wire, body, fault)
    return None


def _text(content: Any) -> str:
    """The text in a message's content, whichever way it is nested."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return str(content.get("text", ""))
    return "".join(_text(part) for part in content or ())


def _of(messages: list[dict[str, Any]], *roles: str) -> str:
    return "\n".join(_text(m.get("content")) for m in messages if m.get("role") in roles)


def _anthropic(wire: Wire, body: dict[str, Any], fault: str) -> dict[str, Any]:
    call = Call(_of(body["messages"], "user"), _text(body.get("system")), 0.0, body["max_tokens"])
    text, given, back, why = wire.reply(call, fault, body)
    stops = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "text", "text": text}],
        "stop_reason": stops[why],
        "stop_sequence": None,
        "usage": {"input_tokens": given, "output_tokens": back, "cache_read_input_tokens": 0},
    }


def _chat(wire: Wire, body: dict[str, Any], fault: str) -> dict[str, Any]:
    messages = body["messages"]
    limit = body.get("max_completion_tokens") or body.get("max_tokens") or 0
    call = Call(_of(messages, "user"), _of(messages, "system", "developer"), 0.0, limit)
    text, given, back, why = wire.reply(call, fault, body)
    stops = {"stop": "stop", "length": "length", "refusal": "content_filter"}
    message = {"role": "assistant", "content": text}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": stops[why]}],
        "usage": {"prompt_tokens": given, "completion_tokens": back, "total_tokens": given + back},
    }


def _responses(wire: Wire, body: dict[str, Any], fault: str) -> dict[str, Any]:
    given_in = body["input"]
    messages = [{"role": "user", "content": given_in}] if isinstance(given_in, str) else given_in
    system = body.get("instructions") or _of(messages, "system", "developer")
    call = Call(_of(messages, "user"), system, 0.0, body.get("max_output_tokens") or 0)
    text, given, back, why = wire.reply(call, fault, body)
    part = {"type": "output_text", "text": text, "annotations": []}
    if why == "refusal":
        part = {"type": "refusal", "refusal": text}
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }
    cut = why == "length"
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": body["model"],
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "output": [message],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": given,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": back,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": given + back,
        },
    }


def _gemini(wire: Wire, body: dict[str, Any], fault: str) -> dict[str, Any]:
    prompt = "\n".join(_text(c["parts"]) for c in body["contents"] if c.get("role") != "model")
    system = _text((body.get("systemInstruction") or {}).get("parts"))
    call = Call(prompt, system, 0.0, body.get("generationConfig", {}).get("maxOutputTokens", 0))
    text, given, back, why = wire.reply(call, fault, body)
    stops = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}
    content = {"role": "model", "parts": [{"text": text}]}
    return {
        "candidates": [{"content": content, "finishReason": stops[why], "index": 0}],
        "usageMetadata": {
            "promptTokenCount": given,
            "candidatesTokenCount": back,
            "totalTokenCount": given + back,
        },
        "modelVersion": "gemini",
        "responseId": "r1",
    }


def _bedrock(wire: Wire, body: dict[str, Any], fault: str) -> dict[str, Any]:
    limit = body.get("inferenceConfig", {}).get("maxTokens", 0)
    call = Call(_of(body["messages"], "user"), _text(body.get("system")), 0.0, limit)
    text, given, back, why = wire.reply(call, fault, body)
    stops = {"stop": "end_turn", "length": "max_tokens", "refusal": "content_filtered"}
    return {
        "output": {"message": {"role": "assistant", "content": [{"text": text}]}},
        "stopReason": stops[why],
        "usage": {"inputTokens": given, "outputTokens": back, "totalTokens": given + back},
        "metrics": {"latencyMs": 1},
    }


_SPEECH: dict[str, Callable[[Wire, dict[str, Any], str], dict[str, Any]]] = {
    r"/v1/messages(\?|$)": _anthropic,
    r"/chat/completions$": _chat,
    r"/v1/responses$": _responses,
    r":(generate|streamGenerate)Content": _gemini,
    r"/model/.+/converse(-stream)?$": _bedrock,
}
