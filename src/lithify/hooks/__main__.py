"""`python -m lithify.hooks EVENT [--root DIR]`: a harness's JSON on stdin, the answer on stdout."""

from __future__ import annotations

import json
import os
import sys


def main(argv: list[str]) -> int:
    """Answers one event; whatever happens here, no call is blocked by an exit code."""
    event = argv[0] if argv else ""
    root = argv[2] if argv[1:2] == ["--root"] and len(argv) == 3 else ""
    if event == "PreToolUse":
        said = _before_tool(root)
    else:
        said = _on(event, root)
    if said:
        sys.stdout.write(said + "\n")
        sys.stdout.flush()
    return 0


def _before_tool(root: str) -> str:
    from lithify.hooks import claude, guard

    raw = sys.stdin.buffer.read()
    try:
        call = json.loads(raw)
        if not isinstance(call, dict):
            raise ValueError("the event is no JSON object")
    except (ValueError, RecursionError) as error:
        # Whose call this is cannot be told: it is held like any other the guard cannot judge.
        return claude.answer(guard.unreadable(root or _find(os.getcwd()), error))
    root = root or _find(str(call.get("cwd") or os.getcwd()))
    return claude.answer(guard.rule(root, call)) if root else ""


def _on(event: str, root: str) -> str:
    from lithify.hooks import claude

    try:
        given = json.loads(sys.stdin.buffer.read() or b"{}")
        root = root or _find(str(given.get("cwd") or os.getcwd()))
        if not root or event not in claude.EVENTS:
            return ""
        from lithify.gatekeeper import Gatekeeper

        return claude.respond(Gatekeeper(root), event, given)
    except Exception as error:
        return claude.failed(event, error)


def _find(start: str) -> str:
    """The nearest folder from here upwards that is a root; empty where there is none."""
    folder = os.path.abspath(start)
    while True:
        if os.path.isfile(os.path.join(folder, "lithify.toml")) or os.path.isdir(
            os.path.join(folder, "memory")
        ):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
