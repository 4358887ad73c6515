"""How often a closed gate has said no: one byte a denial, in a file of the demand's own.

Apart from the rest of the store because it runs before every tool call of a closed gate:
nothing here imports more than `os`. What is lost in a power cut is only counted again.
"""

from __future__ import annotations

import os


def count(path: str) -> int:
    """The denials so far."""
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def add(path: str) -> None:
    """One more; appended, so that two at once both count."""
    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        os.write(fd, b".")
    finally:
        os.close(fd)
