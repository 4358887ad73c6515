"""One form for what any harness says and hears: a wire reads into it and writes from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

Given = dict[str, Any]

HARNESSES = ("claude", "codex", "gemini", "cursor", "copilot", "opencode")
#: Harnesses cut what a hook says at this many characters.
LIMIT = 10_000


class Reply(NamedTuple):
    """What to answer: why a call is denied, what the agent is to know, what the person is told.

    `first` marks the first denial over one range.
    """

    deny: str = ""
    context: str = ""
    person: str = ""
    first: bool = False


class Wire(NamedTuple):
    """How one harness speaks.

    `events` names our event for each of its own. `read` turns what it sends into the form of
    Claude Code, the tools that matter here called as they are there. `hands_over` says whether
    the answer to a prompt can carry text to the agent; where it cannot, the first denial does.
    """

    name: str
    events: Mapping[str, str]
    read: Callable[[str, Given], Given]
    write: Callable[[str, Reply], str]
    hands_over: bool = True


def wire_of(name: str) -> Wire:
    """The wire of a harness; only this one is loaded."""
    if name == "claude":
        from lithify.hooks.claude import WIRE
    elif name == "codex":
        from lithify.hooks.codex import WIRE
    elif name == "gemini":
        from lithify.hooks.gemini import WIRE
    elif name == "cursor":
        from lithify.hooks.cursor import WIRE
    elif name == "copilot":
        from lithify.hooks.copilot import WIRE
    elif name == "opencode":
        from lithify.hooks.opencode import WIRE
    else:
        raise ValueError(f"{name!r} is no harness; there are {', '.join(HARNESSES)}")
    return WIRE
