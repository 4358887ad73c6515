"""Runs the attacks of the test suite and prints how many were tried and how many held, by way in.

    make attack            all of them; ARGS="-k page" as of pytest

A family is some files of tests; `make test` runs them all too. The way in is told by the name of a
case: what names none attacks the Python API or a part of the program directly.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FAMILIES = {
    "who may cause what": ["test_door", "test_requests", "test_access"],
    "the gate": ["test_gate_trust", "test_gate_escape", "test_gate_choice"],
    "poisoned text": ["test_poisoning", "test_lanes", "test_injected"],
    "laundered origin": ["test_laundering"],
    "hostile replies": ["test_hostile_model"],
    "foreign files and links": ["test_links", "test_strange_roots", "test_importers"],
    "the viewer": ["test_web_security"],
    "the server": ["test_mcp", "test_mcp_resources"],
}
#: How the name of a case tells its way in.
WAYS = {
    "command": r"shell|command|terminal|without_a_terminal|gate_record",
    "MCP": r"mcp|client|over_http|server",
    "hooks": r"hook|call_that_names|prompt|injected",
    "viewer": r"web_security|viewer",
    "importers": r"import",
    "direct": r"",
}


class Table:
    """Counts, by family and way in, what was tried and what held."""

    def __init__(self) -> None:
        self.tried: Counter[tuple[str, str]] = Counter()
        self.held: Counter[tuple[str, str]] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and not (report.when == "setup" and report.failed):
            return
        name = Path(report.nodeid.partition("::")[0]).stem
        family = next(one for one, files in FAMILIES.items() if name in files)
        way = next(one for one, words in WAYS.items() if re.search(words, report.nodeid, re.I))
        self.tried[family, way] += 1
        self.held[family, way] += report.passed

    def text(self) -> str:
        """Return the table: of each cell what held, of what was tried."""
        lines = ["".join(["family".ljust(26), *(way.rjust(12) for way in WAYS)])]
        for family in FAMILIES:
            cells = [(self.held[family, way], self.tried[family, way]) for way in WAYS]
            shown = (f"{held} of {tried}" if tried else "-" for held, tried in cells)
            lines.append("".join([family.ljust(26), *(cell.rjust(12) for cell in shown)]))
        lines.append(f"{self.tried.total()} attacks, {self.held.total()} held")
        return "\n".join(lines)


if __name__ == "__main__":
    table = Table()
    files = [HERE / f"{name}.py" for names in FAMILIES.values() for name in names]
    options = ["-q", "--no-header", "-p", "no:cacheprovider", *map(str, files), *sys.argv[1:]]
    code = pytest.main(options, plugins=[table])
    print(f"\n{table.text()}")
    sys.exit(code)
