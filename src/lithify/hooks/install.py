"""The command line a harness is given for a hook."""

from __future__ import annotations

import os
import sys

from lithify.gate.texts import quoted


def hook_command(
    root: str, python: str = sys.executable, event: str = "PreToolUse", *, posix: bool | None = None
) -> str:
    """The line to run on an event.

    Before a tool call a POSIX shell looks for the mark of a closed gate and is done if there
    is none; Windows has the Python form alone, which looks for itself.
    """
    posix = os.name == "posix" if posix is None else posix
    root = os.path.abspath(root)
    if not posix:
        words = [python, "-I", "-m", "lithify.hooks", event, "--root", root]
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    line = f"exec {quoted(python)} -I -m lithify.hooks {event} --root {quoted(root)}"
    if event != "PreToolUse":
        return line
    mark = quoted(os.path.join(root, ".lithify", "gate", "closed"))
    return f"test -e {mark} || exit 0; {line}"
