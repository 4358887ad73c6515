"""The MCP server over streamable HTTP, for clients on this machine only."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from lithify.errors import UsageError
from lithify.mcp import Announced, make_server

HOST = "127.0.0.1"


def serve_http(root: str | None, port: int, ready: Callable[[str], None]) -> None:
    """Serve until interrupted; `ready` is called with the address once it listens.

    A request with the `Host` or `Origin` of another site is refused: a page in a browser of this
    machine can send requests here, and can have its own name point here.
    """
    with socket.socket() as listening, Announced() as announced:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
        except OSError as error:
            reason = f"cannot listen on port {port} ({error.strerror}); name another with --port"
            raise UsageError(reason=reason) from error
        listening.listen()
        hosts = [f"{name}:{listening.getsockname()[1]}" for name in (HOST, "localhost")]
        security = TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=hosts,
            allowed_origins=[f"http://{host}" for host in hosts],
        )
        app = make_server(root, False, announced, {}).streamable_http_app(
            host=HOST, transport_security=security
        )
        ready(f"http://{hosts[0]}/mcp")
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listening])
