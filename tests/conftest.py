"""Options of the test suite."""

from __future__ import annotations

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the program.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--corpus",
        metavar="PATH",
        default=None,
        help="a folder of roots (subfolders with memory/) to check besides the sample root",
    )
