"""Runs the command in a process of its own, forked from one that has loaded it already.

Most of a short command's time goes into loading. Each command still has its own arguments,
environment, standard streams and exit code; how it loads is tested where that is the question.
`python()` is an interpreter for the command lines of hooks that is as quick.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import marshal
import os
import pkgutil
import runpy
import select
import shutil
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
    request = (
        "lithify",
        list(args),
        str(Path(cwd).absolute()),
        dict(os.environ if env is None else env),
    )
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        given.write(stdin.encode() if isinstance(stdin, str) else stdin)
        given.seek(0)
        channel, _ = _server()
        fds = [file.fileno() for file in (given, out, err)]
        socket.send_fds(channel, [marshal.dumps(request)], fds)
        code = int(channel.recv(_LONGEST))
        out.seek(0)
        err.seek(0)
        said, complained = (file.read().decode("utf-8") for file in (out, err))
    return subprocess.CompletedProcess(["lithify", *args], code, said, complained)


def python(*loaded: str) -> str:
    """An interpreter that runs `-I -m lithify…` in a fork of a process that has loaded it.

    `loaded` are further modules that it has loaded. A signal to it does not reach the fork.
    """
    return _server(*loaded)[1]


#: Hands the arguments and the standard streams on; whatever else is asked runs as it is.
_INTERPRETER = """#!{python} -SI
import sys
if sys.argv[1:3] != ["-I", "-m"] or not sys.argv[3].startswith("lithify"):
    import posix
    posix.execv(sys.executable, [sys.executable, *sys.argv[1:]])
import _socket, marshal, posix
env = {{key.decode(): value.decode() for key, value in posix.environ.items()}}
channel = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
channel.connect({path!r})
fds = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
request = marshal.dumps((sys.argv[3], sys.argv[4:], posix.getcwd(), env))
channel.sendmsg([request], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, fds)])
posix._exit(int(channel.recv(64)) & 255)
"""


@cache
def _server(*loaded: str) -> tuple[socket.socket, str]:
    """A channel to the process that forks, and the interpreter that asks it; it ends with this one."""
    folder = tempfile.mkdtemp(prefix="commands-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program, path = Path(folder, "python"), f"{folder}/socket"
    program.write_text(_INTERPRETER.format(python=sys.executable, path=path))
    program.chmod(0o755)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listening.bind(path)
    listening.listen()
    with theirs, listening:
        numbers = [theirs.fileno(), listening.fileno()]
        subprocess.Popen(
            [sys.executable, __file__, *map(str, numbers), *loaded],
            stdin=subprocess.DEVNULL,
            pass_fds=numbers,
        ).returncode = 0  # nobody waits for it: it ends when the channel closes
    return ours, str(program)


def _serve(channel: socket.socket, listening: socket.socket, loaded: Sequence[str]) -> None:
    import lithify.cli

    for module in pkgutil.iter_modules(lithify.cli.__path__, "lithify.cli."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for name in ("memory", "compact.run", "engines.offline"):
        importlib.import_module(f"lithify.{name}")
    for name in loaded:
        importlib.import_module(name)
    while True:
        ready, _, _ = select.select([channel, listening], [], [])
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if channel not in ready:
            with listening.accept()[0] as asking:
                # One that stays, as a server does, keeps nobody else waiting.
                if not os.fork():
                    _answer(asking, (channel, listening))
                    os._exit(0)
        elif not _answer(channel, (channel, listening)):
            return


def _answer(asking: socket.socket, ours: Sequence[socket.socket]) -> bool:
    """Carry out one request in a child; False where there is none because the channel closed."""
    data, fds, _, _ = socket.recv_fds(asking, _LONGEST, 3)
    if not data:
        return False
    child = os.fork()
    if not child:
        for one in {asking, *ours}:
            one.close()
        _act(marshal.loads(data), fds)
    for fd in fds:
        os.close(fd)
    _, status = os.waitpid(child, 0)
    asking.send(str(os.waitstatus_to_exitcode(status)).encode())
    return True


def _act(request: tuple[str, list[str], str, dict[str, str]], fds: Sequence[int]) -> None:
    module, args, cwd, env = request
    code = 1
    try:
        for number, fd in enumerate(fds):
            os.dup2(fd, number)
        os.environ.clear()
        os.environ.update(env)
        os.chdir(cwd)
        sys.argv = ["lithify", *args]
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
        runpy.run_module(module, run_name="__main__", alter_sys=True)
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
    _serve(*(socket.socket(fileno=int(number)) for number in sys.argv[1:3]), sys.argv[3:])
