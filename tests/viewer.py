"""The viewer of a root on the loopback, and a browser that looks at it."""

from __future__ import annotations

import http.client
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn

from lithify.memory import Memory
from lithify.web.app import application, listen
from lithify.web.security import BrowserSession
from lithify.web.view import ViewedRoot
from roots import NOW

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
QUESTION = "/recall?q=when+does+the+portal+launch&as_of=2026-01-12"
#: One page of each kind, of the sample root.
KINDS = (
    "/",
    "/timeline",
    "/week/2026-W05",
    "/month/2026-01",
    "/day/2026-01-28",
    "/wisdom",
    "/memories",
    "/memories?show=gone",
    "/memories?show=conflicts",
    "/review",
    QUESTION,
    "/recall",
    "/gate",
    "/gate/demo",
    "/quarantine",
    "/cost",
    "/fleet",
)
SAMPLE = Path(__file__).parent.parent / "examples" / "sample"


def compacted_sample(folder: Path) -> Path:
    """A copy of the sample root with all its pages written."""
    shutil.copytree(SAMPLE, folder)
    Memory.open(folder, clock=lambda: NOW).compact()
    return folder


@dataclass
class Reply:
    """An answer of the server."""

    status: int
    headers: dict[str, str]
    text: str


@dataclass
class Served:
    """A viewer that is running."""

    port: int
    session: BrowserSession
    roots: list[ViewedRoot] = field(default_factory=list)
    cookie: str = ""
    log: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, path: str, method: str = "GET", body: str | None = None, **headers: str) -> Reply:
        """Send one request; `host` and the like replace what a browser would send."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"host": f"127.0.0.1:{self.port}", **headers}
        sent = {name.replace("_", "-"): value for name, value in sent.items()}
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            for one in value.split("\n"):
                connection.putheader(name, one)
        data = (body or "").encode()
        if body is not None:
            connection.putheader("content-length", str(len(data)))
        connection.endheaders(data or None)
        answer = connection.getresponse()
        reply = Reply(
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            answer.read().decode("utf-8", "replace"),
        )
        connection.close()
        return reply

    def sign_in(self) -> str:
        """Exchange the token of the terminal for the cookie, as a browser sends it."""
        reply = self.ask(f"/open?token={self.session.token}")
        return reply.headers["set-cookie"].partition(";")[0]

    def change(self, path: str, fields: dict[str, str], **headers: str) -> Reply:
        """Send a form as one of our pages would, but for what is given."""
        sent = {
            "content_type": "application/x-www-form-urlencoded",
            "origin": self.url,
            "sec_fetch_site": "same-origin",
            **headers,
        }
        kept = {name: value for name, value in sent.items() if value}
        return self.ask(path, "POST", urlencode(fields), **kept)


@contextmanager
def served(*roots: Path, changes: bool = True, port: int = 0) -> Iterator[Served]:
    """Serve roots until the block ends."""
    with listen(port) as at:
        session, port = BrowserSession(changes=changes), at.getsockname()[1]
        opened = [partial(Memory.open, root, clock=lambda: NOW) for root in roots]
        shown = [ViewedRoot(one, patience=0) for one in opened]
        app = application(shown, session, port, lambda: server.should_exit)
        options: dict[str, Any] = {"log_level": "warning", "ws": "none", "lifespan": "off"}
        server = uvicorn.Server(uvicorn.Config(app, timeout_graceful_shutdown=1, **options))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [at]})
        thread.start()
        try:
            yield Served(port, session, shown)
        finally:
            server.should_exit = True
            thread.join()
