"""Files of the program's own that have served, taken away."""

from __future__ import annotations

import os

from lithify.store.places import Root, resolve


def prune_replies(root: Root, before: float) -> tuple[int, int]:
    """Delete replies older than a moment; how many there were, and their bytes.

    A reply whose page is in force is not needed again; one whose page is not would be bought
    a second time.
    """
    count = size = 0
    folder = resolve(root, ".lithify/replies")
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return 0, 0
    for name in names:
        path = os.path.join(folder, name)
        try:
            facts = os.lstat(path)
            if name.endswith(".json") and facts.st_mtime < before:
                os.unlink(path)
                count, size = count + 1, size + facts.st_size
        except OSError:
            continue
    return count, size
