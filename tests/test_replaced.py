"""A page names what a later day replaced behind what replaced it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

import golden
from lithify.sections import WEEK

FILLER = [f"Ruth counted {n} crates of rope behind berth {2 * n}." for n in range(60)]


def pages(root: Path, *days: str) -> dict[str, list[tuple[str, str]]]:
    written = golden.week_of_lines(root, *([day, *FILLER] for day in days)).written
    return {b.tier: [(c.section, c.text) for c in d.claims] for b, d in written}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Deploy on Fridays is fine.", "No deploys on Fridays any more."),
        ("Rule: Deploy on Fridays is fine.", "Rule: No deploys on Fridays any more."),
        ("Rule: Deploy only on Tuesdays.", "Decision: deploy only on Thursdays."),
        ("Decision: two people sign for the barge.", "Decision: three people sign for the barge."),
        ("Rule: Use tabs in Makefiles.", "NEVER use tabs in Makefiles."),
    ],
)
def test_the_newer_stands_with_the_older_behind_it(older: str, newer: str, tmp_path: Path) -> None:
    told = pages(tmp_path / "root", older, "Anna painted the jetty.", newer)
    before, now = (text.partition(": ")[2] if ":" in text else text for text in (older, newer))
    ((section, text),) = [one for one in told["week"] if before.rstrip(".")[-12:] in one[1]]
    assert text.casefold().endswith(f"(earlier, 4 may 2026: {before.rstrip('.').casefold()})")
    assert now.rstrip(".").casefold() in text.casefold()
    assert section == (WEEK.decisions if ":" in newer or "NEVER" in newer else WEEK.context)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Rule: Never push without asking Marek.", "Rule: Never mail without asking Marek."),
        ("Rule: Invoices go to Dana.", "Rule: Invoices go to Marek."),
        ("Shipped: the crane of berth 4.", "Shipped: the crane of berth 5."),
        ("Rule: No deploys on Fridays.", "Rule: Two people review deploys."),
    ],
)
def test_statements_that_both_hold_both_stand(older: str, newer: str, tmp_path: Path) -> None:
    told = pages(tmp_path / "root", older, "Anna painted the jetty.", newer)
    assert "(earlier" not in " ".join(text for _, text in told["week"])
