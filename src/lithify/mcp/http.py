"""The MCP server over streamable HTTP, for clients on this machine only."""

from __future__ import annotations

import logging
import secrets
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.routing import Route

from lithify.errors import UsageError
from lithify.mcp import Announced, make_server, telling
from lithify.mcp.protocol import HttpApp, Notices

HOST = "127.0.0.1"


def serve_http(root: str | None, port: int, ready: Callable[[str, str], None]) -> None:
    """Serve until interrupted; `ready` is called with the address and the token once it listens.

    A request without the token is refused: any program of this machine can connect. A request with
    the `Host` or `Origin` of another site is refused: a page in a browser of this machine can send
    requests here, and can have its own name point here.
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
        # A client that leaves in the middle of a request has done no harm that anybody must see.
        logging.getLogger("mcp.server.streamable_http").addFilter(
            lambda record: (
                not (record.exc_info and isinstance(record.exc_info[1], ClientDisconnect))
            )
        )
        notices = Notices()
        server = make_server(root, False, announced, {}, notices)
        served = HttpApp(server, security, lambda: telling(root, notices))
        app = Starlette(routes=[Route("/mcp", served)], lifespan=lambda _: served.running())
        token = secrets.token_urlsafe(32)
        ready(f"http://{hosts[0]}/mcp", token)
        config = uvicorn.Config(with_token(app, token), log_level="warning")
        uvicorn.Server(config).run(sockets=[listening])


def with_token(app: Callable[..., Awaitable[None]], token: str) -> Callable[..., Awaitable[None]]:
    """Wrap an application so that it answers requests that bear the token, and no others."""
    wanted = f"Bearer {token}".encode()

    async def asking(scope: dict[str, Any], receive: Any, send: Any) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "lifespan" or secrets.compare_digest(given, wanted):
            await app(scope, receive, send)
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return asking
