"""Options of the test suite, and the browser that the tests of the viewer share."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# At the end, because some of the scripts there have names that are ours, too.
sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))

# The same commit gives the same result twice: examples are chosen by the test's name. `make fuzz`
# looks for new ones. How long an example takes says more about the machine than about the program.
settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("new", deadline=None)
settings.load_profile("same")

if TYPE_CHECKING:
    from playwright.sync_api import Browser


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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a worker."""
    from viewer import FLAGS

    found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed; on Debian: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield started
        started.close()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of the browser last: its driver keeps an event loop running in the worker."""
    items.sort(key=lambda item: "browser" in getattr(item, "fixturenames", ()))
