"""Figures in the documents are those of docs/measured.md, which `make report` writes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPO = Path(__file__).parent.parent

#: A page, its sentence, the section of docs/measured.md and the line there: their groups are equal
#: as far as the page gives digits, a share in per cent or as a fraction.
FIGURES = {
    "claims, in the README": (
        "README.md",
        r"refuses ([\d.]+) % of false claims",
        "Verifier",
        r"^false .*? ([\d.]+)%",
    ),
    "honest claims, in the README": (
        "README.md",
        r"false claims and ([\d.]+) % of honest",
        "Verifier",
        r"^honest .*? ([\d.]+)%",
    ),
    "false claims": (
        "docs/verifier.md",
        r"^\| false claims .*\| (\d+) of (\d+) \(([\d.]+) %\) \|$",
        "Verifier",
        r"^false +(\d+) of +(\d+) +([\d.]+)%",
    ),
    "honest claims": (
        "docs/verifier.md",
        r"^\| honest claims .*\| (\d+) of (\d+) \(([\d.]+) %\) \|$",
        "Verifier",
        r"^honest +(\d+) of +(\d+) +([\d.]+)%",
    ),
    "secrets, in the README": (
        "README.md",
        r"([\d.]+) % of (\d+) secrets found",
        "Secrets",
        r"found ([\d.]+) of (\d+) secrets",
    ),
    "secrets": (
        "docs/threat-model.md",
        r"Of (?P<b>\d+) secrets of \d+ kinds that no rule was written against, (?P<a>[\d.]+) are found",
        "Secrets",
        r"found (?P<a>[\d.]+) of (?P<b>\d+) secrets",
    ),
}


def section(title: str) -> str:
    text = (REPO / "docs" / "measured.md").read_text("utf-8")
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert found, f"docs/measured.md has no section {title}"
    return found[1]


def figures(pattern: str, text: str) -> list[str]:
    found = re.search(pattern, text, re.M)
    assert found, pattern
    named = found.groupdict()
    return [named[name] for name in sorted(named)] if named else list(found.groups())


def same(said: str, measured: str) -> bool:
    digits = len(said.partition(".")[2])
    value = float(measured)
    return any(round(times * value, digits) == float(said) for times in (1, 100))


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_of_a_page_is_the_measured_one(name: str) -> None:
    page, sentence, title, line = FIGURES[name]
    text = " ".join((REPO / page).read_text("utf-8").split(" "))
    said, measured = figures(sentence, text), figures(line, section(title))
    wrong = [pair for pair in zip(said, measured, strict=True) if not same(*pair)]
    assert not wrong, f"{page} says {said}, measured were {measured}"
