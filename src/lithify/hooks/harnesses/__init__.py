"""The clients whose hooks we answer, one module each.

The hook before each tool call loads this file and the module of one client, so both import only
what a call needs.
"""

from __future__ import annotations

from importlib import import_module

from lithify.hooks.harness import Harness

NAMES = ("claude", "codex", "gemini", "cursor", "copilot", "opencode")


def harness_of(name: str) -> Harness:
    """The harness of a name; only its module is loaded."""
    if name not in NAMES:
        raise ValueError(f"{name!r} is not a harness; there are {', '.join(NAMES)}")
    found: Harness = import_module(f"{__name__}.{name}").HARNESS
    return found


def all_harnesses() -> tuple[Harness, ...]:
    """Every harness."""
    return tuple(map(harness_of, NAMES))


def by_flag(flag: str) -> Harness:
    """The harness that an option of `lithify init` names."""
    return next(one for one in all_harnesses() if one.flag == flag)
