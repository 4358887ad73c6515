"""Which files held secrets when they were last looked for; `status` repeats it without a search."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from lithify.errors import LithifyError
from lithify.store import disk, places, staging
from lithify.store.lock import locked
from lithify.store.places import Root

_NAME = "secrets.json"


class LastScan(NamedTuple):
    """When secrets were looked for, and the files that held some."""

    time: str = ""
    files: tuple[str, ...] = ()


def last_scan(root: Root) -> LastScan:
    """What was found last; nothing where nobody looked."""
    try:
        data = json.loads(disk.read(places.state(root, _NAME)))
        return LastScan(str(data["time"]), tuple(data["files"]))
    except (LithifyError, ValueError, KeyError, TypeError):
        return LastScan()


def remember(root: Root, held: Mapping[str, list[str]], time: str) -> None:
    """Keep what was found, each file with its kinds; a root that cannot be written does without."""
    if not held and not last_scan(root).files:
        return
    with contextlib.suppress(LithifyError), locked(places.lock(root)):
        data = json.dumps({"time": time, "files": held}, ensure_ascii=False)
        staging.put(root, places.state(root, _NAME), data.encode())
