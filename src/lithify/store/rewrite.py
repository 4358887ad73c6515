"""Replaces any files of a root together, days and logs included, and keeps no old version.

Only a person's `forget` and `scan --fix` do this. The new bytes are staged, then a plan that
names every file is renamed to `.lithify/staged/<sha256>.plan`: that is the commit, because the
journal is itself one of the files. A run killed before it changed nothing; one killed after it
is finished by the next write (`recover`). Each step may be cut short and done again. A day or page
that somebody else changed between the plan and its end is left as it stands.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from lithify.errors import StorageError, Unfinished
from lithify.store import disk, places, staging
from lithify.store.places import Root

END = ".plan"
#: The kind of the line at the end of a gate's chain that says which lines were changed.
TOMBSTONE = "tombstone"


def rewrite(root: Root, files: Mapping[str, bytes | None]) -> None:
    """Puts new bytes in the place of these files; None removes one. The caller holds the lock."""
    for path in files:
        folder = os.path.dirname(places.resolve(root, path))
        if os.path.isdir(folder):
            disk.require_writable(folder)
    staging.stage(root, {path: new for path, new in files.items() if new is not None})
    steps = {
        path: (_digest(staging.bytes_at(places.resolve(root, path))), _digest(new))
        for path, new in files.items()
    }
    plan = json.dumps({"files": steps}, sort_keys=True).encode("ascii")
    name = staging.sha(plan) + END
    place = places.staged(root, name)
    committed = False
    try:
        staging.put(root, place, plan)
        committed = True
        finish(root, name)
    except StorageError as error:
        # A plan under its name is a commit, even if the disk did not confirm the name.
        if committed or os.path.lexists(place):
            raise Unfinished(**error.facts) from error
        raise


def finish(root: Root, name: str) -> None:
    """Carries out a plan, whatever of it is done already."""
    steps: dict[str, list[str | None]] = json.loads(disk.read(places.staged(root, name)))["files"]
    for path, (old, digest) in steps.items():
        target = places.resolve(root, path)
        if not path.startswith(places.STATE) and _digest(staging.bytes_at(target)) != old:
            continue
        if digest is None:
            _remove(root, target)
            continue
        staged = staging.bytes_at(places.staged(root, digest))
        # The staged bytes go only after every file is in its place.
        if staged is not None:
            staging.put(root, target, staged)
    for digest in {digest for _, digest in steps.values() if digest}:
        disk.remove(places.staged(root, digest))
    disk.remove(places.staged(root, name))


def _digest(data: bytes | None) -> str | None:
    return None if data is None else staging.sha(data)


def _remove(root: Root, target: str) -> None:
    """Removes a file and, in `.lithify/`, the folders that it leaves empty."""
    disk.remove(target)
    folder = os.path.dirname(target)
    while os.path.isdir(folder) and places.is_inside(folder, places.state(root, "history")):
        if disk.names(folder):
            break
        os.rmdir(folder)
        folder = os.path.dirname(folder)
    if os.path.isdir(folder):
        disk.sync_dir(folder)
