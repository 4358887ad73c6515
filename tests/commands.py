"""Runs the command in a process of its own, forked from one that has loaded it already.

Most of a short command's time goes into loading. Each command still has its own arguments,
environment, standard streams and exit code; how it loads is tested where that is the question.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import runpy
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

_LONGEST = 1 << 17


def lithify(
    args: Sequence[str],
    *,
    stdin: str | bytes = "",
    cwd: str | Path = ".",
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `lithify` with these arguments; what it wrote, and how it ended."""
    request = {
        "args": list(args),
        "cwd": str(Path(cwd).absolute()),
        "env": dict(os.environ if env is None else env),
    }
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin.encode() if isinstance(stdin, str) else stdin)
        given.seek(0)
        channel = _server()
        fds = [file.fileno() for file in (given, out, err)]
        socket.send_fds(channel, [json.dumps(request).encode()], fds)
        code = int(channel.recv(_LONGEST))
        out.seek(0)
        err.seek(0)
        said, complained = (file.read().decode("utf-8") for file in (out, err))
    return subprocess.CompletedProcess(["lithify", *args], code, said, complained)


@cache
def _server() -> socket.socket:
    """A channel to the process that forks; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        subprocess.Popen(
            [sys.executable, __file__, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        ).returncode = 0  # nobody waits for it: it ends when the channel closes
    return ours


def _serve(channel: socket.socket) -> None:
    import lithify.cli

    for module in pkgutil.iter_modules(lithify.cli.__path__, "lithify.cli."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("memory", "compact.run", "engines.offline.week", "engines.offline.month"):
        importlib.import_module(f"lithify.{name}")
    while True:
        data, fds, _, _ = socket.recv_fds(channel, _LONGEST, 3)
        if not data:
            return
        child = os.fork()
        if not child:
            channel.close()
            _act(json.loads(data), fds)
        for fd in fds:
            os.close(fd)
        _, status = os.waitpid(child, 0)
        channel.send(str(os.waitstatus_to_exitcode(status)).encode())


def _act(request: dict[str, object], fds: Sequence[int]) -> None:
    code = 1
    try:
        for number, fd in enumerate(fds):
            os.dup2(fd, number)
        os.environ.clear()
        os.environ.update(request["env"])  # type: ignore[call-overload]
        os.chdir(str(request["cwd"]))
        sys.argv = ["lithify", *request["args"]]  # type: ignore[misc]
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
        runpy.run_module("lithify", run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
