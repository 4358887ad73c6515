"""The gate's settings in force, read without TOML for as long as the file stays the same."""

from __future__ import annotations

import os
from hashlib import sha256

from lithify.errors import LithifyError, StorageError
from lithify.gate.compiled import Compiled, compile_settings, from_json, to_json
from lithify.store import disk
from lithify.store import gate as store


def in_force(root: str) -> Compiled:
    """The settings of a root; a file that is refused leaves those before it in force."""
    saved = store.read_json(store.settings_path(root)) or {}
    known = from_json(saved)
    try:
        data = disk.read(os.path.join(root, "lithify.toml"))
    except StorageError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            problem = f"lithify.toml: cannot be read: {error.facts['reason']}"
            return (known or Compiled())._replace(problem=problem)
        data = b""
    digest = sha256(data).hexdigest()
    if known is not None and saved.get("digest") == digest:
        return known
    from lithify import config

    try:
        fresh = compile_settings(config.read(data))
    except LithifyError as error:
        return (known or Compiled())._replace(problem=error.message)
    with store.writing(root):
        store.put_json(store.settings_path(root), to_json(fresh, digest))
    return fresh


def edited(root: str) -> list[int]:
    """What tells, without reading it, that the file has been edited since."""
    try:
        there = os.stat(os.path.join(root, "lithify.toml"))
    except OSError:
        return []
    return [there.st_mtime_ns, there.st_size]
