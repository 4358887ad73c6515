"""The command lines a harness is given, and whether a line is one of them."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from typing import NamedTuple

from lithify.gate.texts import quoted
from lithify.hooks.wire import wire_of

_OURS = re.compile(r"(?<!\S)-I -m lithify\.hooks(?!\S)")
_BROKEN = {
    "PreToolUse": "lithify: a gate is closed, but its guard does not start, so calls pass "
    "unchecked. What is wrong: lithify doctor",
    "": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor",
}
#: Harnesses that take an empty answer for a failure, or may.
_NEVER_SILENT = ("gemini", "cursor")


class Named(NamedTuple):
    """What a command line of ours names."""

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
    """The line to run on an event of a harness.

    Before a tool call a POSIX shell looks for the mark of a closed gate and is done if there
    is none. A line never ends in 2, which some harnesses take for a block and Python for a file
    it cannot open: where Python or the package is gone it says so and lets the call go on, and
    where the guard was killed it ends in 3, for the harness to act on. Windows has the Python
    form alone, which looks for the mark itself.
    """
    posix = os.name == "posix" if posix is None else posix
    root = os.path.abspath(root)
    other = ["--harness", harness] if harness != "claude" else []
    words = [python, "-I", "-m", "lithify.hooks", event, *other, "--root", root]
    if not posix:
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    line = " ".join(quoted(word) for word in words)
    ours = wire_of(harness).events.get(event, "")
    broken = f"echo {quoted(_broken(harness, ours))}"
    if ours != "PreToolUse":
        return f"{line} || {broken}"
    quiet = "{ echo '{}'; exit 0; }" if harness in _NEVER_SILENT else "exit 0"
    return (
        f"test -e {quoted(mark_of(root))} || {quiet}; {line}; "
        f"case $? in 0) ;; 1|126|127) {broken} ;; *) exit 3 ;; esac"
    )


def mark_of(root: str) -> str:
    """What is there only while a gate is closed."""
    return os.path.join(root, ".lithify", "gate", "closed")


def is_ours(command: object) -> bool:
    """Whether a command line starts our hooks."""
    return isinstance(command, str) and _OURS.search(command) is not None


def named_in(command: str) -> Named:
    """The interpreter and the root that a line of ours names."""
    before, _, after = command.partition(" -I -m lithify.hooks ")
    rest = after.partition("--root ")[2]
    if _for_windows(command):
        return Named(before.strip('"'), rest.strip('"'))
    root = next(iter(shlex.split(rest)), "")
    # Behind the guard's call the line goes on.
    root = root.removesuffix(";") if command.startswith("test -e ") else root
    return Named(shlex.split(before)[-1], root)


def at_another_root(command: str, root: str) -> str:
    """The same line for another root: what a trial runs."""
    old = named_in(command).root
    if _for_windows(command):
        return command.partition("--root ")[0] + f'--root "{root}"'
    line = command.replace(quoted(mark_of(old)), quoted(mark_of(root)))
    return line.replace(f"--root {quoted(old)}", f"--root {quoted(root)}")


def _for_windows(command: str) -> bool:
    return not command.startswith("test -e ") and " || echo " not in command


def _broken(harness: str, event: str) -> str:
    text = _BROKEN.get(event, _BROKEN[""])
    if harness == "copilot":
        return json.dumps({"type": "progress", "message": text})
    return json.dumps({"user_message" if harness == "cursor" else "systemMessage": text})
