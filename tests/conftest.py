"""Options of the test suite."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--corpus",
        metavar="PATH",
        default=None,
        help="a folder of roots (subfolders with memory/) to check besides the sample root",
    )
    parser.addoption(
        "--chaos",
        action="store_true",
        help="the whole of the fleet's chaos tests: more roots, workers and kills",
    )
