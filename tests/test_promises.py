"""The pages on guarantees and threats name tests, commands and pages that exist."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
DOCS = TESTS.parent / "docs"


def test_every_test_that_the_page_names_exists() -> None:
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", (DOCS / "promises.md").read_text())
    assert len(named) >= 90
    missing = [
        f"{file}::{test}"
        for file, test in named
        if f"def {test}(" not in (TESTS / file).read_text(encoding="utf-8")
    ]
    assert missing == []


def test_every_threat_of_the_list_has_one_row_with_what_is_not_covered() -> None:
    text = (DOCS / "threat-model.md").read_text()
    rows = re.findall(r"(?m)^\| T(\d+) [^|]+\|([^|]+)\|([^|]+)\|([^|]+)\|$", text)
    assert [int(number) for number, *_ in rows] == list(range(1, 18))
    assert all(cell.strip() for _, *cells in rows for cell in cells)
