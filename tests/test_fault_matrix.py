"""Some points of the fault matrix; `make faults` tries all of them."""

from __future__ import annotations

import os

import fault_matrix


def test_no_fault_loses_tears_or_lies() -> None:
    """One cell of each kind of fault, and of each command, at other points in each run of a day."""
    cells = [
        ("log", "EIO", 9),
        ("log", "cut-all", 5),
        ("log", "strace-EINTR", 8),
        ("remember", "ENOSPC", 12),
        ("compact", "kill", 40),
        ("write submit", "EACCES", 80),
        ("reading", "kill", 30),
        ("gate submit", "cut-data", 9),
        ("forget", "kill-half", 9),
        ("forget", "cut-all", 50),
        ("wisdom review", "EROFS", 9),
        ("review", "kill", 20),
        ("review", "EACCES", 40),
        ("edit", "kill", 40),
        ("import", "EACCES", 20),
        ("index", "EINTR", 9),
        ("index", "dst", 1),
    ]
    first = int(os.environ.get("FAULT_POINT", "3"))
    for command, kind, every in cells:
        (row,) = fault_matrix.fill(command, [kind], every, first)
        assert row.tried and not row.bad, row.found
