"""What is promised to callers, and how the rooms of the package stand to each other."""

from __future__ import annotations

import subprocess
import sys

import lithify


def test_the_public_names_are_these_and_no_others() -> None:
    assert lithify.__all__ == [
        "AsyncMemory",
        "Brief",
        "Claim",
        "CompactOptions",
        "Completion",
        "Draft",
        "Engine",
        "LithifyError",
        "Memory",
        "MemoryModel",
        "Obedient",
        "Passage",
        "Recall",
        "Report",
        "Result",
        "Scripted",
    ]
    for name in lithify.__all__:
        assert getattr(lithify, name).__name__ == name


def test_importing_the_package_loads_none_of_its_rooms() -> None:
    code = (
        "import sys, lithify; "
        "print([m for m in sys.modules if m.startswith('lithify.') or m in ('click', 'numpy')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_status_reads_no_page_and_loads_no_engine() -> None:
    code = "import sys, lithify.cli.root; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {
        "lithify.engines.base",
        "lithify.verify",
        "lithify.secrets.redact",
        "lithify.markdown.pages",
        "numpy",
        "rich",
        "zoneinfo",
    }
