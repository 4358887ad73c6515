"""Adds our hooks to a client's settings file and removes them; other entries stay as they are.

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
import shlex
import sys
from collections.abc import Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

from lithify.errors import ConfigError
from lithify.gate.texts import program_words, quoted
from lithify.hooks import settings_file
from lithify.hooks.clients import Access, Client, HookEntries, client_of
from lithify.moment.ruling import calls_path
from lithify.regex import regex

_HEAD = "// lithify: made by `lithify init --opencode`; taken away by `--remove`."


class SettingsFile(NamedTuple):
    """A settings file; `scope` is `project`, `local` or `user`."""

    scope: str
    path: str


class FileChange(NamedTuple):
    """What was done to a file; `backup` is the path of its copy from before."""

    path: str
    changed: bool
    backup: str = ""
    gone: bool = False
    #: The file that our MCP server was added to or taken from.
    server: str = ""


class OurSettings(NamedTuple):
    """What is ours in a settings file: hooks by event, and settings beside them."""

    entries: HookEntries
    settings: dict[str, Any]


def places(client: Client, project: str) -> tuple[SettingsFile, ...]:
    """Return every file in which the hooks of a client may stand."""
    found = [SettingsFile("project", os.path.join(project, *client.project.split("/")))]
    if client.local:
        found.append(SettingsFile("local", os.path.join(project, *client.local.split("/"))))
    return (*found, SettingsFile("user", _in_users_folder(client, client.user[2])))


def _in_users_folder(client: Client, file: str) -> str:
    variable, folder, _ = client.user
    base = os.environ.get(variable, "") if variable else ""
    return os.path.join(base or os.path.expanduser(folder), *file.split("/"))


def entries_of(client: Client, root: str, python: str, on_stuck: str) -> HookEntries:
    """Return the hooks that a client is given, by event."""
    line = partial(hook_command, root, python, client=client.name)
    return client.entries(line, on_stuck)


def server_file(client: Client, scope: str, project: str) -> str:
    """Return the file of MCP servers that belongs to a scope; empty where we write none."""
    file = client.server_files.get(scope, "")
    if file and scope == "user":
        return _in_users_folder(client, file)
    return os.path.join(project, *file.split("/")) if file else ""


def install(
    client: Client, path: str, root: str, python: str, on_stuck: str, servers: str = ""
) -> FileChange:
    """Add our hooks to the file; doing it again changes nothing.

    With `servers`, our MCP server is added to that file too. If one of the files is refused,
    neither is changed.
    """
    if client.program:
        return _put_program(path, program(root, python).encode())
    ours = ours_for(client, root, python, on_stuck, bool(servers))
    wanted: list[tuple[str, OurSettings, Client | None]] = [(path, ours, client)]
    if servers and (words := server_words(root, python)):
        server = {"command": words[0], "args": [*words[1:]]}
        wanted.append((servers, OurSettings({}, {"mcpServers": {SERVER: server}}), None))
    plan = []
    for file, ours, owner in wanted:
        before = settings_file.read(file)
        value = settings_file.parse(file, before) if before is not None else None
        plan.append((file, before, value, merged(value, ours, file, owner)))
    done = []
    for file, before, value, after in plan:
        if value is not None and settings_file.same(value, after):
            done.append(FileChange(file, False))
            continue
        backup = settings_file.keep_copy(file, before) if before is not None else ""
        settings_file.write(file, settings_file.render(after, before or b""))
        done.append(FileChange(file, True, backup))
    return done[0]._replace(server=servers if len(done) > 1 else "")


def remove(client: Client, path: str, servers: str = "") -> FileChange:
    """Remove our hooks from the file, our MCP server from the other, and nothing else."""
    if client.program:
        data = settings_file.read(path) or b""
        if not data.decode("utf-8", "replace").startswith(_HEAD):
            return FileChange(path, False)
        _delete(path, client)
        return FileChange(path, True, gone=True)
    done = _take_out(path, client)
    server = servers and _take_out(servers, None).changed
    return done._replace(server=servers if server else "")


def _take_out(path: str, client: Client | None) -> FileChange:
    """Remove what is ours from one file; without a client it is a file of MCP servers."""
    before = settings_file.read(path)
    if before is None:
        return FileChange(path, False)
    value = settings_file.parse(path, before)
    after, taken = without(value, path, client)
    if not any(taken):
        return FileChange(path, False)
    clean = _copies(path, taken, value, client)
    if clean:
        # Nobody has changed the file since, so its copy from before is put back.
        settings_file.write(path, settings_file.read(clean) or b"")
        os.remove(clean)
        return FileChange(path, True)
    if settings_file.same(merged(None, taken, path, client), value):
        _delete(path, client)
        return FileChange(path, True, gone=True)
    backup = settings_file.keep_copy(path, before)
    settings_file.write(path, settings_file.render(after, before))
    return FileChange(path, True, backup)


def ours_for(client: Client, root: str, python: str, on_stuck: str, listed: bool) -> OurSettings:
    """Return all that a client is given in the file of its hooks.

    `listed` says that a project's file names the server.
    """
    entries = entries_of(client, root, python, on_stuck)
    commands = _allowed_commands(program_words(python))
    access = Access(commands, server_words(root, python), listed)
    return OurSettings(entries, client.access(access))


def what_is_ours(client: Client, path: str) -> OurSettings:
    """Return our entries in the file, and our settings beside them."""
    data = settings_file.read(path)
    if data is None or client.program:
        return OurSettings({}, {})
    return without(settings_file.parse(path, data), path, client)[1]


def hooks_in(entries: HookEntries) -> list[tuple[str, str]]:
    """Return every event with its command line."""
    return [
        (event, str(command_of(hook)))
        for event, found in entries.items()
        for entry in found
        for hook in entry.get("hooks", [entry])
    ]


def command_of(entry: Mapping[str, Any]) -> object:
    """Return the command line of one hook, whatever its client calls it."""
    return entry.get("command") or entry.get("bash") or entry.get("powershell")


def merged(
    value: dict[str, Any] | None, ours: OurSettings, path: str, client: Client | None
) -> dict[str, Any]:
    """Return the settings with ours, each entry after those of others."""
    base = client.base if client else {}
    after = without(value, path, client)[0] if value is not None else dict(base)
    for key, wanted in base.items():
        after.setdefault(key, wanted)
    hooks = after.setdefault("hooks", {}) if ours.entries else {}
    for event, entries in ours.entries.items():
        if not isinstance(hooks.setdefault(event, []), list):
            raise settings_file.refused(path, f"`hooks.{event}` is not a list")
        hooks[event].extend(copy.deepcopy(entries))
    add_settings(after, copy.deepcopy(ours.settings))
    return after


def without(
    value: dict[str, Any], path: str, client: Client | None
) -> tuple[dict[str, Any], OurSettings]:
    """Return the settings without ours, and ours. Without a client only our MCP server is looked for."""
    after = copy.deepcopy(value)
    if client is None:
        return after, OurSettings({}, take_settings(after, {"mcpServers": {SERVER: {}}}))
    hooks = after.get("hooks")
    if hooks is None and "hooks" not in after:
        return after, OurSettings({}, {})
    if not isinstance(hooks, dict):
        raise settings_file.refused(path, "`hooks` is not an object")
    taken = _taken_hooks(hooks)
    if not taken:
        return after, OurSettings({}, {})
    if not hooks:
        del after["hooks"]
    # What stands beside the hooks is known by the Python that they name.
    python = named_in(hooks_in(taken)[0][1]).python
    beside = os.path.join(os.path.dirname(python), "lithify")
    # All that may stand there, whatever was installed at that time.
    commands = _allowed_commands((beside,), (python, "-I", "-m", "lithify.cli"))
    settings = client.access(Access(commands, ("",), listed=True))
    return after, OurSettings(taken, take_settings(after, settings))


def _taken_hooks(hooks: dict[str, Any]) -> HookEntries:
    """Remove our hooks from those of a file; return them by event."""
    taken: HookEntries = {}
    for event, found in list(hooks.items()):
        if not isinstance(found, list):
            # Some clients keep other things there too.
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


def program(root: str, python: str) -> str:
    """Return OpenCode's plugin for one root."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clients", "opencode.js")
    with open(here, encoding="utf-8") as file:
        text = file.read()
    facts = {"PYTHON": python, "ROOT": os.path.abspath(root), "SERVER": server_words(root, python)}
    for name, fact in facts.items():
        text = text.replace(f'"@{name}@"', json.dumps(fact))
    return f"{_HEAD}\n{text}"


def _parted(entry: Any) -> tuple[list[Any], dict[str, Any] | None]:
    """Return what is left of an entry without our hooks, if anything, and our part of it."""
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


def _put_program(path: str, data: bytes) -> FileChange:
    before = settings_file.read(path)
    if before == data:
        return FileChange(path, False)
    if before is not None and not before.decode("utf-8", "replace").startswith(_HEAD):
        raise settings_file.refused(path, "it is a plugin of somebody else's")
    settings_file.write(path, data)
    return FileChange(path, True)


def _copies(path: str, taken: OurSettings, value: dict[str, Any], client: Client | None) -> str:
    """Return the copy of the file from before our hooks, if there is one; copies that hold them are removed."""
    clean = ""
    for backup in sorted(glob.glob(f"{glob.escape(os.path.realpath(path))}.bak-*")):
        with contextlib.suppress(ConfigError):
            kept = settings_file.parse(backup, settings_file.read(backup) or b"")
            if not settings_file.same(merged(kept, taken, path, client), value):
                continue
            if any(without(kept, path, client)[1]):
                # A copy from a renewal of our lines would put the old lines back.
                os.remove(backup)
            else:
                clean = clean or backup
    return clean


def _delete(path: str, client: Client | None) -> None:
    """Remove the file, and the client's own folders that it leaves empty."""
    os.remove(os.path.realpath(path))
    inner = os.path.dirname(path)
    outer = os.path.dirname(inner)
    with contextlib.suppress(OSError):
        # A file of MCP servers may stand in the project itself, which stays.
        if client or os.path.basename(inner).startswith("."):
            os.rmdir(inner)
        if client and os.path.basename(outer).lstrip(".") == client.project.split("/")[0].lstrip(
            "."
        ):
            os.rmdir(outer)


# What a client is given beside its hooks: permission for our commands, and our MCP server.

#: The name of our server in every client; a closed gate knows its tool by it.
SERVER = "lithify"
#: How the commands begin that an agent may need without asking: its summaries and its pages.
_COMMANDS = ("gate submit --job", "write next", "write submit")


def server_words(root: str, python: str) -> tuple[str, ...]:
    """Return the words that start our server for a root; empty where its extra is not installed."""
    if find_spec("mcp") is None:
        return ()
    return (*program_words(python), "mcp", "--as", "agent", "--root", os.path.abspath(root))


def add_command(client: Client, scope: str, root: str, python: str) -> str:
    """Return the command that registers our server where we write no file; empty where none is needed."""
    words, start = server_words(root, python), client.add_server.get(scope, "")
    return f"{start} {' '.join(map(quoted, words))}" if words and start else ""


def add_settings(value: dict[str, Any], wanted: Mapping[str, Any]) -> None:
    """Add our settings to those of others: lists grow, and what others have set stays.

    What a list holds already is added once more, so that `take` leaves the list as it was.
    """
    for key, ours in wanted.items():
        found = value.setdefault(key, type(ours)() if key != SERVER else ours)
        if isinstance(ours, list) and isinstance(found, list):
            found += ours
        elif isinstance(ours, dict) and isinstance(found, dict) and key != SERVER:
            add_settings(found, ours)


def take_settings(value: dict[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Remove our settings and what they leave empty; return those that were there."""
    taken: dict[str, Any] = {}
    for key, ours in wanted.items():
        found = value.get(key)
        if key == SERVER:
            if is_our_server(found):
                taken[key] = value.pop(key)
        elif isinstance(ours, list) and isinstance(found, list):
            if here := [one for one in ours if one in found]:
                taken[key] = here
                for one in here:
                    del found[len(found) - 1 - found[::-1].index(one)]
        elif (
            isinstance(ours, dict)
            and isinstance(found, dict)
            and (inner := take_settings(found, ours))
        ):
            taken[key] = inner
        if key in taken and key in value and not value[key]:
            del value[key]
    return taken


def is_our_server(value: object) -> bool:
    """Tell whether an entry in a file of MCP servers is one that `init` wrote."""
    if not isinstance(value, dict) or not set(value) <= {"command", "args", "trust"}:
        return False
    command, words = value.get("command"), value.get("args")
    written = isinstance(words, list) and words[-5:-1] == ["mcp", "--as", "agent", "--root"]
    return written and isinstance(command, str) and os.path.isabs(command)


def _allowed_commands(*programs: tuple[str, ...]) -> tuple[str, ...]:
    every = (*programs, ("lithify",))
    return tuple(
        f"{' '.join(map(quoted, program))} {command}" for program in every for command in _COMMANDS
    )


# The command lines that clients run on an event: made here, and recognised again.

_OUR_COMMAND = regex(r"(?<!\S)-I -m lithify\.hooks(?!\S)")
#: What the person is told when the hook of an event does not start.
_BROKEN_MESSAGES = {
    "PreToolUse": "lithify: a gate is closed, but its guard does not start, so calls pass "
    "unchecked. What is wrong: lithify doctor",
    "": "lithify: the hook does not start, so nothing is recorded. What is wrong: lithify doctor",
}


class HookTarget(NamedTuple):
    """The interpreter and the root in a command line of ours."""

    python: str
    root: str


def hook_command(
    root: str,
    python: str = sys.executable,
    event: str = "PreToolUse",
    *,
    client: str = "claude",
    posix: bool | None = None,
) -> str:
    """Return the line that a client runs on an event.

    The line is in users' settings, so its words, the module and the path it tests must not change.

    Before a tool call a POSIX shell tests for `.lithify/gate/closed`, and what the client sent against
    the list `.lithify/moment/calls`. Without a closed gate and a call that the list names it exits and
    starts no Python. A list that cannot be read is left to Python. The line never exits with 2: some clients block the call
    then, and Python exits with 2 if it cannot open a file. If Python or the package is gone, the
    line says so and lets the call go on; if the guard was killed, it exits with 3 and the client
    decides. On Windows the line is the Python call alone, which tests for the folder itself.
    """
    posix = os.name == "posix" if posix is None else posix
    root = os.path.abspath(root)
    other = ["--harness", client] if client != "claude" else []
    words = [python, "-I", "-m", "lithify.hooks", event, *other, "--root", root]
    if not posix:
        return " ".join(f'"{word}"' if " " in word else word for word in words)
    line = " ".join(quoted(word) for word in words)
    found = client_of(client)
    ours = found.events.get(event, "")
    message = _BROKEN_MESSAGES.get(ours, _BROKEN_MESSAGES[""])
    broken = f"echo {quoted(json.dumps(found.warning(message)))}"
    if ours != "PreToolUse":
        return f"{line} || {broken}"
    quiet = f"{{ echo {quoted(found.silence)}; exit 0; }}" if found.silence else "exit 0"
    closed, calls = quoted(closed_folder(root)), quoted(calls_path(root))
    # `grep` ends with 1 where nothing matches.
    return (
        f"test -e {closed} || test -e {calls} || {quiet}; e=$(cat); test -e {closed} || "
        f'{{ printf %s "$e" | LC_ALL=C grep -qiEf {calls}; test $? != 1; }} 2>/dev/null || {quiet}; '
        f'printf %s "$e" | {line}; '
        f"case $? in 0) ;; 1|126|127) {broken} ;; *) exit 3 ;; esac"
    )


def interpreter() -> str:
    """Return the absolute path of the Python that has this package."""
    return os.path.abspath(sys.executable)


def closed_folder(root: str) -> str:
    """Return the folder that exists only while a gate is closed."""
    return os.path.join(root, ".lithify", "gate", "closed")


def is_ours(command: object) -> bool:
    """Tell whether a command line starts a hook of ours."""
    return isinstance(command, str) and _OUR_COMMAND.search(command) is not None


def named_in(command: str) -> HookTarget:
    """Return the interpreter and the root that a line of ours names."""
    before, _, after = command.partition(" -I -m lithify.hooks ")
    rest = after.partition("--root ")[2]
    if _for_windows(command):
        return HookTarget(before.strip('"'), rest.strip('"'))
    root = next(iter(shlex.split(rest)), "")
    # In the line before a tool call, `;` follows the root.
    root = root.removesuffix(";") if command.startswith("test -e ") else root
    return HookTarget(shlex.split(before)[-1], root)


def at_another_root(command: str, root: str) -> str:
    """Return the same line for another root, which a self-test runs."""
    old = named_in(command).root
    if _for_windows(command):
        return command.partition("--root ")[0] + f'--root "{root}"'
    line = command.replace(quoted(closed_folder(old)), quoted(closed_folder(root)))
    line = line.replace(quoted(calls_path(old)), quoted(calls_path(root)))
    return line.replace(f"--root {quoted(old)}", f"--root {quoted(root)}")


def _for_windows(command: str) -> bool:
    return not command.startswith("test -e ") and " || echo " not in command
