"""The file that says a gate is closed, and the count of the calls it has denied.

`.lithify/gate/closed/<job>.json` is derived from a job's logs when its gate closes. It holds all
that is needed to deny a call, so the hook before each tool call reads this one file and loads
little else. It also holds the sizes of the logs and the stamp of `lithify.toml` it was made from:
when they differ, the file is out of date and has to be made again.

This module runs before every tool call while a gate is closed, so it imports only `json` and `os`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lithify.gate.decide import Demand
    from lithify.settings import Gate


_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


def any_closed(root: str) -> bool:
    """Whether any gate of a root is closed: the folder exists only while one is."""
    return os.path.exists(os.path.join(_folder(root), "closed"))


def read(root: str, job: str) -> dict[str, Any] | None:
    """The content of a job's closed file; None while there is none."""
    return read_object(os.path.join(_folder(root), "closed", f"{job}.json"))


def is_current(root: str, job: str, content: Mapping[str, Any]) -> bool:
    """Whether the logs and the settings are still those the closed file was made from."""
    logs = (os.path.join(_folder(root), job, f"{log}.jsonl") for log in ("interactions", "chain"))
    sizes = [os.stat(log).st_size if os.path.exists(log) else 0 for log in logs]
    return (content["sizes"], content["toml"]) == (sizes, toml_stamp(root))


def toml_stamp(root: str) -> list[int]:
    """The time and size of `lithify.toml`, which tell that it was edited without reading it."""
    try:
        there = os.stat(os.path.join(root, "lithify.toml"))
    except OSError:
        return []
    return [there.st_mtime_ns, there.st_size]


def read_object(path: str) -> dict[str, Any] | None:
    """A JSON object from a file; None where there is no file. A pipe is never waited for."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            found: dict[str, Any] = json.loads(file.read() or b"")
            return found
    except FileNotFoundError:
        return None


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | _NONBLOCK, 0o666)


def count_denials(path: str) -> int:
    """How many calls were denied: the file holds one byte for each."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def add_denial(path: str) -> None:
    """Counts one more denial. It appends, so that two at the same time both count.

    It does not sync: a count lost in a power cut does no harm.
    """
    fd = _without_waiting(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(fd, b".")
    finally:
        os.close(fd)


def content_of(
    job: str,
    demand: Demand,
    rules: Gate,
    *,
    program: Sequence[str],
    root: str,
    sizes: Sequence[int],
    toml: Sequence[int],
    denials: str,
) -> dict[str, Any]:
    """What a closed file holds; `sizes` and `toml` are what `is_current` compares."""
    from lithify.gate import texts

    command = texts.submit_command(program, job, root)
    return {
        "job": job,
        "demand": list(demand),
        "rules": [rules.max_denials, rules.on_stuck],
        "sizes": list(sizes),
        "toml": list(toml),
        "forms": submit_commands(program, job, root),
        "denials": denials,
        "texts": {
            "denial": texts.denial(job, demand, rules, command, served=False),
            "denial_with_tool": texts.denial(job, demand, rules, command, served=True),
            "subagent": texts.for_subagent(job, demand),
            "stuck": texts.for_person(job, texts.open_command(program, job, root)),
            "passing": texts.passing(job, demand),
        },
    }


def submit_commands(program: Sequence[str], job: str, root: str) -> list[str]:
    """The exact commands that submit a summary of this job."""
    from lithify.gate import texts

    return [texts.short_command(job), texts.submit_command(program, job, root)]


def _folder(root: str) -> str:
    return os.path.join(root, ".lithify", "gate")
