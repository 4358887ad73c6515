"""Making a folder a root."""

from __future__ import annotations

import os

from lithify.store import disk
from lithify.store.places import Root, named
from lithify.store.tree import memory_folder


def make_root(root: Root, settings: bytes) -> None:
    """Add what a root needs and has not: the folder of the days and a file of settings."""
    base = os.path.abspath(os.fspath(root))
    with named(root):
        disk.make_dir(base)
        folder = memory_folder(base)
        if folder:
            disk.make_dir(os.path.join(base, folder))
        path = os.path.join(base, "lithify.toml")
        if not os.path.lexists(path):
            disk.write_new(path, settings)
            disk.sync_dir(base)
