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
import math
import os
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from lithify.errors import ConfigError
from lithify.hooks.command_line import hook_command, is_ours
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


def install(harness: Harness, path: str, root: str, python: str, on_stuck: str) -> Change:
    """Adds our hooks to the file; doing it again changes nothing."""
    before = _bytes(path)
    if harness.program:
        return _put_program(path, before, program(root, python))
    entries = entries_of(harness, root, python, on_stuck)
    value = parse(path, before) if before is not None else None
    after = merged(value, entries, harness.base, path)
    if value is not None and _same(value, after):
        return Change(path, False)
    backup = _keep(path, before) if before is not None else ""
    _write(path, _render(after, before or b""))
    return Change(path, True, backup)


def remove(harness: Harness, path: str) -> Change:
    """Removes our hooks from the file, and nothing else."""
    before = _bytes(path)
    if before is None:
        return Change(path, False)
    if harness.program:
        if not before.decode("utf-8", "replace").startswith(_HEAD):
            return Change(path, False)
        _delete(path, harness)
        return Change(path, True, gone=True)
    value = parse(path, before)
    after, taken = without(value, path)
    if not taken:
        return Change(path, False)
    clean = _copies(path, taken, value, harness)
    if clean:
        # Nobody has changed the file since, so its copy from before is put back.
        _write(path, _bytes(clean) or b"")
        os.remove(clean)
        return Change(path, True)
    if _same(merged(None, taken, harness.base, path), value):
        _delete(path, harness)
        return Change(path, True, gone=True)
    backup = _keep(path, before)
    _write(path, _render(after, before))
    return Change(path, True, backup)


def installed(harness: Harness, path: str) -> Entries:
    """Our entries in the file, by event."""
    data = _bytes(path)
    if data is None or harness.program:
        return {}
    return without(parse(path, data), path)[1]


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


def parse(path: str, data: bytes) -> dict[str, Any]:
    """The settings in the file. A file that is not plain JSON is refused and not changed."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"the key {twice!r} stands there twice")
        return found

    def number(text: str) -> float:
        if not math.isfinite(value := float(text)):
            raise ValueError(f"{text} is no number we could write back")
        return value

    try:
        value = json.loads(
            data.decode("utf-8-sig") or "{}",
            object_pairs_hook=once,
            parse_float=number,
            parse_constant=number,
        )
    except (ValueError, RecursionError) as error:
        reason = (
            f"it is not plain JSON ({error}); mend it, then run this again. Nothing was changed"
        )
        raise ConfigError(file=path, reason=reason) from error
    if not isinstance(value, dict):
        raise ConfigError(file=path, reason="it holds no JSON object. Nothing was changed")
    return value


def merged(
    value: dict[str, Any] | None, entries: Entries, base: Mapping[str, Any], path: str
) -> dict[str, Any]:
    """The settings with our entries, each after those of others."""
    after = without(value, path)[0] if value is not None else dict(base)
    for key, wanted in base.items():
        after.setdefault(key, wanted)
    hooks = after.setdefault("hooks", {})
    for event, ours in entries.items():
        if not isinstance(hooks.setdefault(event, []), list):
            raise _refused(path, f"`hooks.{event}` is no list")
        hooks[event].extend(copy.deepcopy(ours))
    return after


def without(value: dict[str, Any], path: str) -> tuple[dict[str, Any], Entries]:
    """The settings without our entries, and the entries."""
    after = copy.deepcopy(value)
    hooks = after.get("hooks")
    if hooks is None and "hooks" not in after:
        return after, {}
    if not isinstance(hooks, dict):
        raise _refused(path, "`hooks` is no object")
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
    if taken and not hooks:
        del after["hooks"]
    return after, taken


def program(root: str, python: str) -> str:
    """OpenCode's plugin for one root."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "harnesses", "opencode.js")
    with open(here, encoding="utf-8") as file:
        text = file.read()
    for name, path in (("PYTHON", python), ("ROOT", os.path.abspath(root))):
        text = text.replace(f'"@{name}@"', json.dumps(path))
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


def _refused(path: str, reason: str) -> ConfigError:
    return ConfigError(file=path, reason=f"{reason}; mend it first. Nothing was changed")


def _put_program(path: str, before: bytes | None, text: str) -> Change:
    data = text.encode()
    if before == data:
        return Change(path, False)
    if before is not None and not before.decode("utf-8", "replace").startswith(_HEAD):
        raise _refused(path, "it is a plugin of somebody else's")
    _write(path, data)
    return Change(path, True)


def _same(one: object, other: object) -> bool:
    """Whether two JSON values are the same. Python's `==` takes 1, 1.0 and true for equal."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _render(value: dict[str, Any], before: bytes) -> bytes:
    """The file in its own style: indentation, line ends, byte order mark."""
    text = before.decode("utf-8-sig", "replace")
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    indent: str | int = found[1] if found else 2
    out = json.dumps(value, indent=indent, ensure_ascii=False) + "\n"
    if "\r\n" in text:
        out = out.replace("\n", "\r\n")
    try:
        data = out.encode()
    except UnicodeEncodeError:
        data = (json.dumps(value, indent=indent) + "\n").encode()
    return (b"\xef\xbb\xbf" if before.startswith(b"\xef\xbb\xbf") else b"") + data


def _real(path: str) -> str:
    # A link stays a link, for those who keep their dotfiles elsewhere.
    return os.path.realpath(path)


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(file=path, reason=f"it cannot be read ({error.strerror})") from error


def _copies(path: str, taken: Entries, value: dict[str, Any], harness: Harness) -> str:
    """The copy of the file from before our hooks, if there is one; copies that hold them are removed."""
    clean = ""
    for backup in sorted(glob.glob(f"{glob.escape(_real(path))}.bak-*")):
        with contextlib.suppress(ConfigError):
            kept = parse(backup, _bytes(backup) or b"")
            if not _same(merged(kept, taken, harness.base, path), value):
                continue
            if without(kept, path)[1]:
                # A copy from a renewal of our lines would put the old lines back.
                os.remove(backup)
            else:
                clean = clean or backup
    return clean


def _delete(path: str, harness: Harness) -> None:
    """Removes the file, and the harness's own folders that it leaves empty."""
    os.remove(_real(path))
    inner = os.path.dirname(path)
    outer = os.path.dirname(inner)
    with contextlib.suppress(OSError):
        os.rmdir(inner)
        if os.path.basename(outer) == harness.project.split("/")[0]:
            os.rmdir(outer)


def _keep(path: str, data: bytes) -> str:
    backup = f"{_real(path)}.bak-{sha256(data).hexdigest()[:8]}"
    if not os.path.exists(backup):
        _write(backup, data, like=path)
    return backup


def _write(path: str, data: bytes, like: str = "") -> None:
    """Replaces the file in one step, with the permissions it had."""
    target = _real(path)
    aside = f"{target}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(aside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):
            os.chmod(aside, os.stat(like or target).st_mode & 0o7777)
        os.replace(aside, target)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.remove(aside)
        raise ConfigError(file=path, reason=f"it cannot be written ({error.strerror})") from error
