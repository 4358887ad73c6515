"""Adds our hooks to a harness's settings file and removes them; other entries stay as they are.

Before a file is changed, a copy named after its digest is kept beside it. Removing the hooks from
a file that nobody has changed since puts that copy back. From any other file only our entries are
removed, and what they leave empty.
"""

from __future__ import annotations

import contextlib
import copy
import glob
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from lithify.errors import ConfigError
from lithify.hooks import settings_file
from lithify.hooks.access import (
    SERVER,
    access_of,
    installed_settings,
    put,
    server_settings,
    server_words,
    take,
)
from lithify.hooks.command_line import hook_command, is_ours, named_in
from lithify.hooks.harness import Entries, Harness

_HEAD = "// lithify: made by `lithify init --opencode`; taken away by `--remove`."


class Place(NamedTuple):
    """A settings file; `scope` is `project`, `local` or `user`."""

    scope: str
    path: str


class Change(NamedTuple):
    """What was done to a file; `backup` is the path of its copy from before."""

    path: str
    changed: bool
    backup: str = ""
    gone: bool = False
    #: The file that our MCP server was added to or taken from.
    server: str = ""


class Ours(NamedTuple):
    """What is ours in a settings file: hooks by event, and settings beside them."""

    entries: Entries
    settings: dict[str, Any]


class _Plan(NamedTuple):
    """A file, its bytes, and what it is to hold; None where it stays."""

    path: str
    before: bytes | None
    after: dict[str, Any] | None


def places(harness: Harness, project: str) -> tuple[Place, ...]:
    """Every file in which the hooks of a harness may stand."""
    found = [Place("project", os.path.join(project, *harness.project.split("/")))]
    if harness.local:
        found.append(Place("local", os.path.join(project, *harness.local.split("/"))))
    variable, folder, file = harness.user
    base = os.environ.get(variable, "") if variable else ""
    path = os.path.join(base or os.path.expanduser(folder), *file.split("/"))
    return (*found, Place("user", path))


def entries_of(harness: Harness, root: str, python: str, on_stuck: str) -> Entries:
    """The hooks that a harness is given, by event."""

    def line(event: str) -> str:
        return hook_command(root, python, event, harness=harness.name)

    return harness.entries(line, on_stuck)


def server_file(harness: Harness, scope: str, project: str) -> str:
    """The file of MCP servers that belongs to a scope; empty where we write none."""
    file = harness.server_files.get(scope, "")
    if file and scope == "user":
        variable, folder, _ = harness.user
        base = os.environ.get(variable, "") if variable else ""
        return os.path.join(base or os.path.expanduser(folder), file)
    return os.path.join(project, *file.split("/")) if file else ""


def install(
    harness: Harness, path: str, root: str, python: str, on_stuck: str, servers: str = ""
) -> Change:
    """Adds our hooks to the file; doing it again changes nothing.

    With `servers`, our MCP server is added to that file too. If one of the files is refused,
    neither is changed.
    """
    before = settings_file.read(path)
    if harness.program:
        return _put_program(path, before, program(root, python))
    wanted = ours_for(harness, root, python, on_stuck, bool(servers))
    plan = [_Plan(path, before, _merge(path, before, wanted, harness))]
    if servers and (server := server_settings(root, python)):
        before = settings_file.read(servers)
        plan.append(_Plan(servers, before, _merge(servers, before, Ours({}, server), None)))
    done = [_carry_out(one) for one in plan]
    return done[0]._replace(server=servers if len(done) > 1 else "")


def remove(harness: Harness, path: str, servers: str = "") -> Change:
    """Removes our hooks from the file, our MCP server from the other, and nothing else."""
    if harness.program:
        data = settings_file.read(path) or b""
        if not data.decode("utf-8", "replace").startswith(_HEAD):
            return Change(path, False)
        _delete(path, harness)
        return Change(path, True, gone=True)
    done = _take_out(path, harness)
    server = servers and _take_out(servers, None).changed
    return done._replace(server=servers if server else "")


def _take_out(path: str, harness: Harness | None) -> Change:
    """Removes what is ours from one file; without a harness it is a file of MCP servers."""
    before = settings_file.read(path)
    if before is None:
        return Change(path, False)
    value = settings_file.parse(path, before)
    after, taken = without(value, path, harness)
    if not any(taken):
        return Change(path, False)
    clean = _copies(path, taken, value, harness)
    if clean:
        # Nobody has changed the file since, so its copy from before is put back.
        settings_file.write(path, settings_file.read(clean) or b"")
        os.remove(clean)
        return Change(path, True)
    if settings_file.same(merged(None, taken, path, harness), value):
        _delete(path, harness)
        return Change(path, True, gone=True)
    backup = settings_file.keep_copy(path, before)
    settings_file.write(path, settings_file.render(after, before))
    return Change(path, True, backup)


def ours_for(harness: Harness, root: str, python: str, on_stuck: str, listed: bool) -> Ours:
    """All that a harness is given in the file of its hooks."""
    entries = entries_of(harness, root, python, on_stuck)
    return Ours(entries, harness.access(access_of(root, python, listed)))


def installed(harness: Harness, path: str) -> Entries:
    """Our entries in the file, by event."""
    return what_is_ours(harness, path).entries


def what_is_ours(harness: Harness, path: str) -> Ours:
    """Our entries in the file, and our settings beside them."""
    data = settings_file.read(path)
    if data is None or harness.program:
        return Ours({}, {})
    return without(settings_file.parse(path, data), path, harness)[1]


def hooks_in(entries: Entries) -> list[tuple[str, str]]:
    """Every event with its command line."""
    return [
        (event, str(command_of(hook)))
        for event, found in entries.items()
        for entry in found
        for hook in entry.get("hooks", [entry])
    ]


def command_of(entry: Mapping[str, Any]) -> object:
    """The command line of one hook, whatever its harness calls it."""
    return entry.get("command") or entry.get("bash") or entry.get("powershell")


def merged(
    value: dict[str, Any] | None, ours: Ours, path: str, harness: Harness | None
) -> dict[str, Any]:
    """The settings with ours, each entry after those of others."""
    base = harness.base if harness else {}
    after = without(value, path, harness)[0] if value is not None else dict(base)
    for key, wanted in base.items():
        after.setdefault(key, wanted)
    hooks = after.setdefault("hooks", {}) if ours.entries else {}
    for event, entries in ours.entries.items():
        if not isinstance(hooks.setdefault(event, []), list):
            raise settings_file.refused(path, f"`hooks.{event}` is not a list")
        hooks[event].extend(copy.deepcopy(entries))
    put(after, copy.deepcopy(ours.settings))
    return after


def without(
    value: dict[str, Any], path: str, harness: Harness | None
) -> tuple[dict[str, Any], Ours]:
    """The settings without ours, and ours. Without a harness only our MCP server is looked for."""
    after = copy.deepcopy(value)
    if harness is None:
        return after, Ours({}, take(after, {"mcpServers": {SERVER: {}}}))
    hooks = after.get("hooks")
    if hooks is None and "hooks" not in after:
        return after, Ours({}, {})
    if not isinstance(hooks, dict):
        raise settings_file.refused(path, "`hooks` is not an object")
    taken = _taken_hooks(hooks)
    if not taken:
        return after, Ours({}, {})
    if not hooks:
        del after["hooks"]
    # What stands beside the hooks is known by the Python that they name.
    python = named_in(hooks_in(taken)[0][1]).python
    return after, Ours(taken, take(after, installed_settings(harness, python)))


def _taken_hooks(hooks: dict[str, Any]) -> Entries:
    """Removes our hooks from those of a file; returns them by event."""
    taken: Entries = {}
    for event, found in list(hooks.items()):
        if not isinstance(found, list):
            # Some harnesses keep other things there too.
            continue
        left = []
        for entry in found:
            kept, ours = _parted(entry)
            left += kept
            if ours is not None:
                taken.setdefault(event, []).append(ours)
        if left or not found:
            hooks[event] = left
        else:
            del hooks[event]
    return taken


def _merge(
    path: str, before: bytes | None, ours: Ours, harness: Harness | None
) -> dict[str, Any] | None:
    """The settings with ours; None where they are there already."""
    value = settings_file.parse(path, before) if before is not None else None
    after = merged(value, ours, path, harness)
    return None if value is not None and settings_file.same(value, after) else after


def _carry_out(plan: _Plan) -> Change:
    path, before, after = plan
    if after is None:
        return Change(path, False)
    backup = settings_file.keep_copy(path, before) if before is not None else ""
    settings_file.write(path, settings_file.render(after, before or b""))
    return Change(path, True, backup)


def program(root: str, python: str) -> str:
    """OpenCode's plugin for one root."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "harnesses", "opencode.js")
    with open(here, encoding="utf-8") as file:
        text = file.read()
    facts = {"PYTHON": python, "ROOT": os.path.abspath(root), "SERVER": server_words(root, python)}
    for name, fact in facts.items():
        text = text.replace(f'"@{name}@"', json.dumps(fact))
    return f"{_HEAD}\n{text}"


def _parted(entry: Any) -> tuple[list[Any], dict[str, Any] | None]:
    """What is left of an entry without our hooks, if anything, and our part of it."""
    if not isinstance(entry, dict):
        return [entry], None
    inner = entry.get("hooks")
    if not isinstance(inner, list):
        return ([], entry) if is_ours(command_of(entry)) else ([entry], None)
    ours = [one for one in inner if isinstance(one, dict) and is_ours(command_of(one))]
    if not ours:
        return [entry], None
    rest = [one for one in inner if one not in ours]
    return [{**entry, "hooks": rest}] if rest else [], {**entry, "hooks": ours}


def _put_program(path: str, before: bytes | None, text: str) -> Change:
    data = text.encode()
    if before == data:
        return Change(path, False)
    if before is not None and not before.decode("utf-8", "replace").startswith(_HEAD):
        raise settings_file.refused(path, "it is a plugin of somebody else's")
    settings_file.write(path, data)
    return Change(path, True)


def _copies(path: str, taken: Ours, value: dict[str, Any], harness: Harness | None) -> str:
    """The copy of the file from before our hooks, if there is one; copies that hold them are removed."""
    clean = ""
    for backup in sorted(glob.glob(f"{glob.escape(settings_file.real(path))}.bak-*")):
        with contextlib.suppress(ConfigError):
            kept = settings_file.parse(backup, settings_file.read(backup) or b"")
            if not settings_file.same(merged(kept, taken, path, harness), value):
                continue
            if any(without(kept, path, harness)[1]):
                # A copy from a renewal of our lines would put the old lines back.
                os.remove(backup)
            else:
                clean = clean or backup
    return clean


def _delete(path: str, harness: Harness | None) -> None:
    """Removes the file, and the harness's own folders that it leaves empty."""
    os.remove(settings_file.real(path))
    inner = os.path.dirname(path)
    outer = os.path.dirname(inner)
    with contextlib.suppress(OSError):
        # A file of MCP servers may stand in the project itself, which stays.
        if harness or os.path.basename(inner).startswith("."):
            os.rmdir(inner)
        if harness and os.path.basename(outer).lstrip(".") == harness.project.split("/")[0].lstrip(
            "."
        ):
            os.rmdir(outer)
