"""What is promised to callers, and how the rooms of the package stand to each other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import lithify


def test_the_public_names_are_these_and_no_others() -> None:
    assert lithify.__all__ == [
        "Brief",
        "Claim",
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
        "lithify.text.redact",
        "lithify.markdown.pages",
        "numpy",
        "rich",
        "zoneinfo",
    }


def test_an_engine_that_a_package_offers_writes_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site"
    info = package / "quoting-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: quoting\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[lithify.engines]\nquoting = quoting:Quoting\n")
    (package / "quoting.py").write_text(
        "from lithify import Claim, Draft\n"
        "class Quoting:\n"
        "    name = mark = 'quoting'\n"
        "    room = None\n"
        "    extractive = True\n"
        "    def draft(self, brief, previous=None, violations=(), attempt=0):\n"
        "        last = brief.sections[-1] if brief.sections else ''\n"
        "        return Draft(tuple(Claim(e.text, (e.id,), last) for e in brief.entries))\n"
    )
    monkeypatch.syspath_prepend(str(package))
    days = tmp_path / "root" / "memory"
    days.mkdir(parents=True)
    (days / "2026-04-02.md").write_text("- The pump runs again.\n")
    lithify.Memory.open(tmp_path / "root").compact(("week",), model="quoting")
    page = (days / "weekly" / "2026-W14.md").read_text()
    assert "engine: quoting" in page and "- The pump runs again. <!--" in page
