"""Reads and writes the JSON settings files of clients, which other programs and people share."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
from hashlib import sha256
from typing import Any

from lithify.errors import ConfigError


def parse(path: str, data: bytes) -> dict[str, Any]:
    """Return the settings in the file. A file that is not plain JSON is refused and not changed."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"the key {twice!r} stands there twice")
        return found

    def number(text: str) -> float:
        if not math.isfinite(value := float(text)):
            raise ValueError(f"{text} is not a number that can be written back")
        return value

    try:
        value = json.loads(
            data.decode("utf-8-sig") or "{}",
            object_pairs_hook=once,
            parse_float=number,
            parse_constant=number,
        )
    except (ValueError, RecursionError) as error:
        reason = f"it is not plain JSON ({error}); fix it, then run this again. Nothing was changed"
        raise ConfigError(file=path, reason=reason) from error
    if not isinstance(value, dict):
        raise ConfigError(file=path, reason="it holds no JSON object. Nothing was changed")
    return value


def refused(path: str, reason: str) -> ConfigError:
    return ConfigError(file=path, reason=f"{reason}; fix it first. Nothing was changed")


def same(one: object, other: object) -> bool:
    """Tell whether two JSON values are the same. Python's `==` takes 1, 1.0 and true for equal."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def render(value: dict[str, Any], before: bytes) -> bytes:
    """Return the file in its own style: indentation, line ends, byte order mark."""
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


def read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(file=path, reason=f"it cannot be read ({error.strerror})") from error


def keep_copy(path: str, data: bytes) -> str:
    backup = f"{os.path.realpath(path)}.bak-{sha256(data).hexdigest()[:8]}"
    if not os.path.exists(backup):
        write(backup, data, like=path)
    return backup


def write(path: str, data: bytes, like: str = "") -> None:
    """Replace the file in one step, with the permissions it had."""
    # A link stays a link, for those who keep their dotfiles elsewhere.
    target = os.path.realpath(path)
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
