"""Options of the test suite, and the browser that the tests of the viewer share."""

from __future__ import annotations

import gc
import os
import shutil
import ssl
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# At the end, because some of the scripts there have names that are ours, too.
sys.path.append(str(Path(__file__).parent.parent / "benchmarks"))

# The same commit gives the same result twice: examples are chosen by the test's name. `make fuzz`
# looks for new ones. How long an example takes says more about the machine than about the program.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=100)
settings.register_profile("new", deadline=None, max_examples=300)
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


def pytest_configure() -> None:
    """Keep the tests' many small files in memory, where there is a place that is like a disk.

    A power cut is played, so nothing need reach a real one.
    """
    # A person's own memory is no part of a test that does not make one.
    os.environ["LITHIFY_PERSONAL"] = ""
    # A process that no test waits for would outlive its root.
    os.environ["LITHIFY_VECTORS"] = "off"
    memory = "/dev/shm"
    if "TMPDIR" not in os.environ and os.access(memory, os.W_OK):
        facts = os.statvfs(memory)
        # A container's often is small and runs no program.
        if not facts.f_flag & os.ST_NOEXEC and facts.f_bavail * facts.f_frsize > 4 << 30:
            os.environ["TMPDIR"] = tempfile.tempdir = memory


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect no garbage while everything is imported, nor look at it later: it stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session", autouse=True)
def one_authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let clients trust one authority: nothing here leaves the machine, and each client reads all."""
    bundle = ssl.get_default_verify_paths().cafile
    with pytest.MonkeyPatch.context() as patch:
        if bundle:
            head, end, _ = Path(bundle).read_text("utf-8").partition("-----END CERTIFICATE-----\n")
            file = tmp_path_factory.mktemp("trust") / "one.pem"
            file.write_text(head + end, "utf-8")
            patch.setenv("SSL_CERT_FILE", str(file))
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests of a file; its driver keeps an event loop running meanwhile."""
    from viewer import FLAGS

    found = shutil.which("chromium")
    if found is None:
        pytest.skip("chromium is not installed; on Debian: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield started
        started.close()


#: The files that take longest, so that no worker begins one of them when the other is done.
LONG = (
    "web_actions",
    "in_force",
    "web",
    "linear",
    "providers",
    "crash",
    "door",
    "web_undo",
    "replies",
    "cli",
    "web_security",
    "mcp",
    "reading_claims",
    "fleet_chaos",
    "compact_crash",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first, and within a file the tests of the browser last."""
    files = {item.path: number for number, item in enumerate(reversed(items))}
    long = {f"test_{name}": number for number, name in enumerate(LONG)}
    items.sort(
        key=lambda item: (
            long.get(item.path.stem, len(long)),
            -files[item.path],
            "browser" in getattr(item, "fixturenames", ()),
        )
    )
