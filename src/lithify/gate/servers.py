"""Which of our MCP servers are running: one file each, `.lithify/servers/<client>.<pid>`.

A denial names the tool `submit_summary` only to a client whose server has answered. The server
locks its file for as long as it lives, so the file of one that was killed counts for nothing; the
next server removes it. The guard of a closed gate reads these files, so this module imports little.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from lithify import platform


def is_served(root: str, client: str = "") -> bool:
    """Whether a server of this client is running; without a name, one of any client."""
    try:
        names = os.listdir(_folder(root))
    except OSError:
        return False
    mine = (name for name in names if not client or name.rpartition(".")[0] == client)
    return any(_is_alive(os.path.join(_folder(root), name)) for name in mine)


@contextlib.contextmanager
def announced(root: str, client: str) -> Iterator[None]:
    """Says that a server of this client is running, until the block ends or the program does."""
    os.makedirs(_folder(root), exist_ok=True)
    for name in os.listdir(_folder(root)):
        path = os.path.join(_folder(root), name)
        if not _is_alive(path):
            with contextlib.suppress(OSError):
                os.remove(path)
    path = os.path.join(_folder(root), f"{client}.{os.getpid()}")
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        platform.lock(fd, wait=False)
        yield
    finally:
        os.close(fd)
        with contextlib.suppress(OSError):
            os.remove(path)


def _is_alive(path: str) -> bool:
    """Whether the server that made a file still holds its lock."""
    try:
        # A pipe or a device that somebody put here is not waited for.
        fd = os.open(path, os.O_RDONLY | platform.NONBLOCK)
    except OSError:
        return False
    try:
        platform.lock(fd, wait=False, shared=True)
    except BlockingIOError:
        return True
    except OSError:
        pass
    finally:
        os.close(fd)
    return False


def _folder(root: str) -> str:
    return os.path.join(root, ".lithify", "servers")
