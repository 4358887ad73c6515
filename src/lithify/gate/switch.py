"""Writes `gate.enabled` into `lithify.toml` and leaves every other byte of the file as it is."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator

from lithify.config import NAME
from lithify.errors import ConfigError, StorageError
from lithify.store import disk, places

_HEADER = re.compile(r"^\ufeff?[ \t]*\[[ \t]*(?:gate|\"gate\"|'gate')[ \t]*\][^\n]*$", re.MULTILINE)
_DOTTED = re.compile(r"^\ufeff?[ \t]*gate[ \t]*\.", re.MULTILINE)
_KEY = re.compile(
    r"^(\ufeff?[ \t]*(?:gate[ \t]*\.[ \t]*)?(?:enabled|\"enabled\"|'enabled')[ \t]*=[ \t]*)\w+",
    re.MULTILINE,
)


def write_enabled(root: str, enabled: bool, *, write: bool = True) -> None:
    """Sets the key in the file of a root, which is made where there is none.

    Without `write` it only makes sure that the file can be edited.
    """
    path = os.path.realpath(os.path.join(root, NAME))
    with places.named(root):
        try:
            before = disk.read(path)
        except StorageError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
            before = b""
        after = with_enabled(before, enabled)
        if write and after != before:
            aside = f"{path}.{os.getpid()}.tmp"
            disk.remove(aside)
            disk.write_new(aside, after)
            disk.replace(aside, path)


def with_enabled(data: bytes, enabled: bool) -> bytes:
    """The file with the key set. Refused where it cannot be set by changing one line."""
    value = "true" if enabled else "false"
    try:
        text = data.decode()
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(file=NAME, reason=f"is not valid TOML: {error}") from None
    gate = table.get("gate", {})
    if isinstance(gate, dict) and gate.get("enabled") is enabled:
        return data
    wanted = {**table, "gate": {**gate, "enabled": enabled}} if isinstance(gate, dict) else None
    for edited in _edits(text, f"enabled = {value}", value):
        try:
            # The text is searched without a parser, so the result has to prove the place right.
            if tomllib.loads(edited.removeprefix("\ufeff")) == wanted:
                return edited.encode()
        except ValueError:
            continue
    raise ConfigError(
        file=NAME,
        reason="the gate's settings have a form that is not edited here; write "
        f"`enabled = {value}` among them yourself",
    )


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
