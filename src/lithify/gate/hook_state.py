"""What the hook before a tool call reads: the closed file, the denials, our running servers.

`.lithify/gate/closed/<job>.json` is derived from a job's logs when its gate closes. It holds all
that is needed to deny a call, so the hook before each tool call reads this one file and loads
little else. It also holds the sizes of the logs and the stamp of `lithify.toml` it was made from:
when they differ, the file is out of date and has to be made again.

Each of our running MCP servers has a file `.lithify/servers/<client>.<pid>`, which it keeps locked
for as long as it lives, so the file of one that was killed counts for nothing. A denial names the
tool `submit_summary` only to a client whose server has answered.

This module runs before every tool call while a gate is closed, so it imports little.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

from lithify import platform


def any_closed(root: str) -> bool:
    """Tell whether any gate of a root is closed: the folder exists only while one is."""
    return os.path.exists(os.path.join(_folder(root), "closed"))


def closed_jobs(root: str) -> list[str]:
    """Return the jobs that have a closed file."""
    names = sorted(os.listdir(os.path.join(_folder(root), "closed")))
    return [name.removesuffix(".json") for name in names if name.endswith(".json")]


def read_closed(root: str, job: str) -> dict[str, Any] | None:
    """Return the content of a job's closed file; None while there is none."""
    return read_object(os.path.join(_folder(root), "closed", f"{job}.json"))


def is_current(root: str, job: str, content: Mapping[str, Any]) -> bool:
    """Tell whether the logs and the settings are still those the closed file was made from."""
    logs = (os.path.join(_folder(root), job, f"{log}.jsonl") for log in ("interactions", "chain"))
    sizes = [os.stat(log).st_size if os.path.exists(log) else 0 for log in logs]
    return (content["sizes"], content["toml"]) == (sizes, toml_stamp(root))


def toml_stamp(root: str) -> list[int]:
    """Return the time and size of `lithify.toml`, which tell that it was edited without reading it."""
    try:
        there = os.stat(os.path.join(root, "lithify.toml"))
    except OSError:
        return []
    return [there.st_mtime_ns, there.st_size]


def read_object(path: str) -> dict[str, Any] | None:
    """Return a JSON object from a file; None where there is no file. A pipe is never waited for."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            found: dict[str, Any] = json.loads(file.read() or b"")
            return found
    except FileNotFoundError:
        return None


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | platform.NONBLOCK, 0o666)


def count_denials(path: str) -> int:
    """Count the calls that were denied: the file holds one byte for each."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def add_denial(path: str) -> None:
    """Count one more denial. It appends, so that two at the same time both count.

    It does not sync: a count lost in a power cut does no harm.
    """
    fd = _without_waiting(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(fd, b".")
    finally:
        os.close(fd)


def _folder(root: str) -> str:
    return os.path.join(root, ".lithify", "gate")


def is_served(root: str, client: str = "") -> bool:
    """Tell whether a server of this client is running; without a name, one of any client."""
    try:
        names = os.listdir(_servers_folder(root))
    except OSError:
        return False
    mine = (name for name in names if not client or name.rpartition(".")[0] == client)
    return any(_server_is_alive(os.path.join(_servers_folder(root), name)) for name in mine)


@contextlib.contextmanager
def server_announced(root: str, client: str) -> Iterator[None]:
    """Say that a server of this client is running, until the block ends or the program does."""
    os.makedirs(_servers_folder(root), exist_ok=True)
    for name in os.listdir(_servers_folder(root)):
        path = os.path.join(_servers_folder(root), name)
        if not _server_is_alive(path):
            with contextlib.suppress(OSError):
                os.remove(path)
    path = os.path.join(_servers_folder(root), f"{client}.{os.getpid()}")
    fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        platform.lock(fd, wait=False)
        yield
    finally:
        os.close(fd)
        with contextlib.suppress(OSError):
            os.remove(path)


def _server_is_alive(path: str) -> bool:
    """Tell whether the server that made a file still holds its lock."""
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


def _servers_folder(root: str) -> str:
    return os.path.join(root, ".lithify", "servers")
