"""Serves the viewer on this machine until it is interrupted."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

import uvicorn

from lithify.errors import UsageError
from lithify.memory import Memory
from lithify.web.app import application
from lithify.web.security import Session
from lithify.web.view import Root

HOST = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """A socket on this machine's own address; port 0 is any that is free."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":
        # A server that was stopped a moment ago keeps its port busy without this. On Windows it
        # would let two servers share a port.
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        # From here on a browser waits in the queue until the server answers.
        found.listen()
    except OSError as error:
        found.close()
        raise UsageError(
            reason=f"port {port} cannot be used ({error.strerror}); name another with --port, "
            "or 0 for any that is free"
        ) from None
    return found


def serve(open_memory: Callable[[], Memory], at: socket.socket, session: Session) -> None:
    """Answer requests at a socket until Ctrl-C."""
    port = at.getsockname()[1]
    config = uvicorn.Config(
        application(Root(open_memory), session, port),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        timeout_graceful_shutdown=1,
    )
    # uvicorn passes Ctrl-C and SIGTERM on when it has shut down.
    uvicorn.Server(config).run(sockets=[at])
