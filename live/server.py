"""A model server for tests with real clients: it does what the person's prompt tells it to.

Start it from the root of the checkout (it prints `http://127.0.0.1:PORT`):

    python -m live.server [--port 8765] [--log requests.jsonl]

It speaks Anthropic Messages (`/v1/messages`), OpenAI Responses (`/v1/responses`), OpenAI chat
completions (`/v1/chat/completions`) and Gemini (`/v1beta/models/NAME:streamGenerateContent`);
any key and any model name will do. The prompt carries the script, one step a line, other text
anywhere around them:

    STEP shell: echo hi                      the client's own shell tool
    STEP shell 5: echo hi                    the same after five seconds of thought
    STEP background: sleep 1                 the shell tool with run_in_background
    STEP parallel: echo one ;; echo two      two shell calls in one reply
    STEP subagent: STEP shell: ls ;; STEP say: done      a subagent with steps of its own
    STEP background-agent: STEP say: done    the same with run_in_background
    STEP tool Read: {"file_path": "/x"}      any tool by its exact name
    STEP mcp: recall {"query": "jwt"}        a tool whose name ends in `recall`
    STEP submit                              a good summary, by the command the denial printed
    STEP submit-mcp                          the same by the tool submit_summary
    STEP page                                a page for the work order that `next_page` returned
    STEP hand-in                             the answer to the order that `lithify write next` printed
    STEP fill: enough                        a text that claims to have filled the model's window
    STEP say: all done                       a text, which ends the turn

A step is taken whatever became of the one before, so a denied call is simply followed by the
next step. A prompt without steps, and a script that is finished, get a short text.

The log has one JSON object a line for every request: `path`, `wire`, `system`, `events` (what the
model was shown: `said`, `called`, `returned`, in order), `tools`, `answer` and the raw `body`.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

from live.conversation import Answer, Called, Conversation, Said
from live.script import answer
from live.wires import anthropic, chat, gemini, responses


@dataclass
class ModelServer:
    """A server on a free port of loopback, and the log of what reached it."""

    log: Path
    port: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> str:
        """Serve from a thread; gives the address."""
        outer = self

        class Handler(_Handler):
            owner = outer

        self.log.parent.mkdir(parents=True, exist_ok=True)
        self._http = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._http.daemon_threads = True
        self.port = self._http.server_address[1]
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """Close the port."""
        self._http.shutdown()
        self._http.server_close()

    def note(self, line: Mapping[str, Any]) -> None:
        """Append a line to the log."""
        with self._lock, self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def requests(self, since: int = 0) -> list[Mapping[str, Any]]:
        """The log's lines from number `since` on."""
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()[since:]]


def wire_of(path: str) -> ModuleType | None:
    """The wire that a request's path belongs to."""
    plain = path.split("?")[0].rstrip("/")
    if plain.endswith("/messages"):
        return anthropic
    if plain.endswith("/responses"):
        return responses
    if plain.endswith("/chat/completions"):
        return chat
    if plain.endswith(("generateContent", "streamGenerateContent")):
        return gemini
    return None


class _Handler(BaseHTTPRequestHandler):
    owner: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """The log file is enough."""

    def do_GET(self) -> None:
        """Lists of models, and whatever else a client asks before it begins."""
        self.owner.note({"path": self.path, "wire": None, "method": "GET"})
        if self.path.split("?")[0].endswith("/models"):
            self._json({"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        else:
            self._json({})

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """A request to the model, or one beside it, which gets a harmless answer."""
        raw = self._body()
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {}
        wire = wire_of(self.path)
        if wire is None:
            self.owner.note({"path": self.path, "wire": None, "method": "POST"})
            self._json(_beside(self.path))
            return
        request = wire.read(body)
        reply = answer(request)
        self.owner.note(_line(self.path, wire, request, reply, body))
        time.sleep(reply.seconds)
        model = request.model or "scripted"
        if body.get("stream") or "streamGenerateContent" in self.path:
            self._stream(wire.stream(reply, model), ended=wire is chat)
        else:
            self._json(wire.write(reply, model))

    def _body(self) -> bytes:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            parts = []
            while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _json(self, value: Mapping[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, events: Iterator[tuple[str, Mapping[str, Any]]], *, ended: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {json.dumps(data)}\n\n".encode())
        if ended:
            self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


def _beside(path: str) -> Mapping[str, Any]:
    """Answers to token counting, in both forms at once."""
    if "count" in path.lower():
        return {"input_tokens": 100, "totalTokens": 100}
    return {}


def _line(
    path: str, wire: ModuleType, request: Conversation, reply: Answer, body: Mapping[str, Any]
) -> Mapping[str, Any]:
    return {
        "path": path,
        "wire": wire.__name__.rpartition(".")[2],
        "system": request.system,
        "events": [_event(event) for event in request.events],
        "tools": [tool.name for tool in request.tools],
        "answer": reply.text or [[call.tool.name, call.arguments] for call in reply.calls],
        "body": body,
    }


def _event(event: object) -> Mapping[str, str]:
    if isinstance(event, Said):
        return {"said": event.role, "text": event.text}
    if isinstance(event, Called):
        return {"called": event.name, "id": event.id}
    return {"returned": getattr(event, "text", "")}


def main() -> None:
    """Serve until interrupted."""
    options = argparse.ArgumentParser(description="A scripted model on loopback.")
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--log", type=Path, default=Path("build/live/requests.jsonl"))
    given = options.parse_args()
    server = ModelServer(given.log, given.port)
    print(server.start(), flush=True)
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        server.stop()


if __name__ == "__main__":
    main()
