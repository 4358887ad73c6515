"""Sets a key of `lithify.toml` and leaves every other byte of the file as it is."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from lithify.config import NAME
from lithify.errors import ConfigError, StorageError
from lithify.store import disk, places

#: The line by which a new file shows the default.
_MODEL = re.compile(r'^# model = "[^"\r\n]*"', re.MULTILINE)
_HEADER = re.compile(r"^\ufeff?[ \t]*\[[ \t]*(?:gate|\"gate\"|'gate')[ \t]*\][^\n]*$", re.MULTILINE)
_DOTTED = re.compile(r"^\ufeff?[ \t]*gate[ \t]*\.", re.MULTILINE)
_KEY = re.compile(
    r"^(\ufeff?[ \t]*(?:gate[ \t]*\.[ \t]*)?(?:enabled|\"enabled\"|'enabled')[ \t]*=[ \t]*)\w+",
    re.MULTILINE,
)


def write_enabled(root: str, enabled: bool, *, write: bool = True) -> None:
    """Set `gate.enabled` in the file of a root, which is made where there is none.

    Without `write` it only makes sure that the file can be edited.
    """
    _write(root, lambda data: with_enabled(data, enabled), write)


def write_model(root: str, model: str) -> bool:
    """Set `model` in the file of a root, unless it has one; returns whether it was set."""
    return _write(root, lambda data: with_model(data, model))


def _write(root: str, edit: Callable[[bytes], bytes], write: bool = True) -> bool:
    path = os.path.realpath(os.path.join(root, NAME))
    with places.named(root):
        try:
            before = disk.read(path)
        except StorageError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
            before = b""
        after = edit(before)
        if write and after != before:
            aside = f"{path}.{os.getpid()}.tmp"
            disk.remove(aside)
            disk.write_new(aside, after)
            disk.replace(aside, path)
        return after != before


def with_enabled(data: bytes, enabled: bool) -> bytes:
    """The file with the gate's key set. Refused where it cannot be set by changing one line."""
    value = "true" if enabled else "false"
    text, table = _parsed(data)
    gate = table.get("gate", {})
    if isinstance(gate, dict) and gate.get("enabled") is enabled:
        return data
    wanted = {**table, "gate": {**gate, "enabled": enabled}} if isinstance(gate, dict) else None
    edited = _proven(_edits(text, f"enabled = {value}", value), wanted)
    if edited is None:
        raise ConfigError(
            file=NAME,
            reason="the gate's settings have a form that is not edited here; write "
            f"`enabled = {value}` among them yourself",
        )
    return edited


def with_model(data: bytes, model: str) -> bytes:
    """The file with `model` set where it has none."""
    text, table = _parsed(data)
    if "model" in table:
        return data
    line = f'model = "{model}"'
    end = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    commented = (f"{text[: c.start()]}{line}{text[c.end() :]}" for c in _MODEL.finditer(text))
    first = f"{mark}{line}{end}{text.removeprefix(mark)}"
    edited = _proven([*commented, first], {**table, "model": model})
    return data if edited is None else edited


def _parsed(data: bytes) -> tuple[str, dict[str, Any]]:
    try:
        text = data.decode()
        return text, tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(file=NAME, reason=f"is not valid TOML: {error}") from None


def _proven(edits: Iterable[str], wanted: object) -> bytes | None:
    """The first edited text that says what is wanted; it is made without a parser."""
    for edited in edits:
        try:
            if tomllib.loads(edited.removeprefix("\ufeff")) == wanted:
                return edited.encode()
        except ValueError:
            continue
    return None


def _edits(text: str, line: str, value: str) -> Iterator[str]:
    """The text with the key set, in every place where it may belong."""
    end = "\r\n" if "\r\n" in text else "\n"
    for key in _KEY.finditer(text):
        yield f"{text[: key.end(1)]}{value}{text[key.end() :]}"
    for header in _HEADER.finditer(text):
        head, rest = text[: header.end()].rstrip("\r"), text[header.end() :].removeprefix("\n")
        yield f"{head}{end}{line}{end}{rest}"
    lead = "" if not text or text.endswith("\n") else end
    yield f"{text}{lead}{end if text.strip() else ''}[gate]{end}{line}{end}"
    for dotted in _DOTTED.finditer(text):
        yield f"{text[: dotted.start()]}gate.{line}{end}{text[dotted.start() :]}"
