"""The command lines that harnesses run on an event: made here, and recognised again."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from typing import NamedTuple

from lithify.gate.texts import quoted
from lithify.hooks.harness import Harness
from lithify.hooks.harnesses import harness_of

_OURS = re.compile(r"(?<!\S)-I -m lithify\.hooks(?!\S)")
#: What the person is told when the hook of an event does not start.
_BROKEN = {
    "PreToolUse": "lithify: a gate is closed, but its guard does not start, so calls pass "
    "unchecked. What is wrong: lithify doctor",
    "": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor",
}


class Named(NamedTuple):
    """The interpreter and the root in a command line of ours."""

    python: str
    root: str


def hook_command(
    root: str,
    python: str = sys.executable,
    event: str = "PreToolUse",
    *,
    harness: str = "claude",
    posix: bool | None = None,
) -> str:
    """The line that a harness runs on an event.

    The line is in users' settings, so its words, the module and the path it tests must not change.

    Before a tool call a POSIX shell tests for `.lithify/gate/closed` and exits if no gate is
    closed, without starting Python. The line never exits with 2: some harnesses block the call
    then, and Python exits with 2 if it cannot open a file. If Python or the package is gone, the
    line says so and lets the call go on; if the guard was killed, it exits with 3 and the harness
    decides. On Windows the line is the Python call alone, which tests for the folder itself.
    """
    posix = os.name == "posix" if posix is None else posix
    root = os.path.abspath(root)
    other = ["--harness", harness] if harness != "claude" else []
    words = [python, "-I", "-m", "lithify.hooks", event, *other, "--root", root]
    if not posix:
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    line = " ".join(quoted(word) for word in words)
    client = harness_of(harness)
    ours = client.events.get(event, "")
    broken = f"echo {quoted(_broken(client, ours))}"
    if ours != "PreToolUse":
        return f"{line} || {broken}"
    quiet = f"{{ echo {quoted(client.silence)}; exit 0; }}" if client.silence else "exit 0"
    return (
        f"test -e {quoted(closed_folder(root))} || {quiet}; {line}; "
        f"case $? in 0) ;; 1|126|127) {broken} ;; *) exit 3 ;; esac"
    )


def interpreter() -> str:
    """The absolute path of the Python that has this package."""
    return os.path.abspath(sys.executable)


def closed_folder(root: str) -> str:
    """The folder that exists only while a gate is closed."""
    return os.path.join(root, ".lithify", "gate", "closed")


def is_ours(command: object) -> bool:
    """Whether a command line starts a hook of ours."""
    return isinstance(command, str) and _OURS.search(command) is not None


def named_in(command: str) -> Named:
    """The interpreter and the root that a line of ours names."""
    before, _, after = command.partition(" -I -m lithify.hooks ")
    rest = after.partition("--root ")[2]
    if _for_windows(command):
        return Named(before.strip('"'), rest.strip('"'))
    root = next(iter(shlex.split(rest)), "")
    # In the line before a tool call, `;` follows the root.
    root = root.removesuffix(";") if command.startswith("test -e ") else root
    return Named(shlex.split(before)[-1], root)


def at_another_root(command: str, root: str) -> str:
    """The same line for another root, which a self-test runs."""
    old = named_in(command).root
    if _for_windows(command):
        return command.partition("--root ")[0] + f'--root "{root}"'
    line = command.replace(quoted(closed_folder(old)), quoted(closed_folder(root)))
    return line.replace(f"--root {quoted(old)}", f"--root {quoted(root)}")


def _for_windows(command: str) -> bool:
    return not command.startswith("test -e ") and " || echo " not in command


def _broken(harness: Harness, event: str) -> str:
    return json.dumps(harness.warning(_BROKEN.get(event, _BROKEN[""])))
