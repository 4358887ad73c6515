"""A line that recurs with other figures is told once, with its ends; days share a page."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

import golden
import roots
from lithify.calendar import day_words
from lithify.engines.offline.series import shape_of
from lithify.sections import MONTH
from lithify.values import Claim

FIRST = date(2026, 6, 1)
PEOPLE = ("Priya", "Tomas", "Ana", "Marek", "Lena", "Ivo", "Ruth")
DID = ("repaired", "painted", "measured", "rewired", "insured", "photographed", "sold", "borrowed")
THINGS = (
    *("crane", "ferry", "gauge", "buoy", "barge", "jetty", "winch", "siren", "lamp"),
    *("ladder", "anchor", "rudder", "mast"),
)


def text_of(n: int) -> str:
    """A day: two figures, a check that never changes, a ticked routine, and six lines of work."""
    work = [
        f"- {PEOPLE[(n + k) % 7]} {DID[(3 * n + k) % 8]} the {THINGS[(5 * n + k) % 13]} of "
        f"{THINGS[(n + 7 * k) % 13]} street with {PEOPLE[(2 * n + k + 1) % 7]}, bill {100 + 6 * n + k}."
        for k in range(6)
    ]
    progress = {
        2: "- Migration of the billing services: 3 of 9 done",
        9: "- The billing services migration stands at 7 of 9",
        23: "- Billing services: 9 of 9, the migration is finished",
    }
    low = 0.05 if n == 12 else 0.2118 - 0.0046 * n
    return "\n".join(
        [
            "## Portfolio",
            f"- Holdings: {low:.4f} BTC",
            f"- Holdings: {4000 + 10 * n:,} EUR",
            "- Health check: all green",
            "- [x] daily log updated",
            "## Work",
            *work,
            *([progress[n]] if n in progress else []),
        ]
    )


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> golden.Compacted:
    days = {str(FIRST + timedelta(days=n)): text_of(n) + "\n" for n in range(28)}
    return golden.compact(roots.make(tmp_path_factory.mktemp("series") / "root", days))


def claims(compacted: golden.Compacted, tier: str) -> list[list[Claim]]:
    return [list(draft.claims) for brief, draft in compacted.written if brief.tier == tier]


def test_a_month_tells_first_and_last_value_of_each_figure(month: golden.Compacted) -> None:
    (page,) = claims(month, "month")
    told = [claim.text for claim in page if claim.section == MONTH.trajectory]
    (bitcoin,) = (text for text in told if "BTC" in text)
    (euro,) = (text for text in told if "EUR" in text)
    assert bitcoin.endswith(
        "Holdings: 0.2118 BTC; 28 Jun 2026: 0.0876 BTC (lowest 0.0500 on 13 Jun 2026)"
    )
    assert euro.endswith("Holdings: 4,000 EUR; 28 Jun 2026: 4,270 EUR")


def test_a_count_towards_a_total_is_told_once(month: golden.Compacted) -> None:
    (page,) = claims(month, "month")
    (told,) = (claim for claim in page if "of 9" in claim.text)
    assert told.text.startswith("3 Jun 2026: ")
    assert "3 of 9 done; 24 Jun 2026: 9 of 9" in told.text


def test_what_never_changes_is_told_at_most_once_and_a_ticked_routine_never(
    month: golden.Compacted,
) -> None:
    for page in (*claims(month, "week"), *claims(month, "month")):
        assert sum("Health check" in claim.text for claim in page) <= 1
        assert not any("daily log" in claim.text for claim in page)


def test_bullets_of_a_series_are_their_sources_words(month: golden.Compacted) -> None:
    written = "".join(month.pages.values())
    for _, claim, _ in month.bullets():
        assert claim.text in written, "what the verifier refuses is not written"


def test_every_day_of_a_week_has_bullets_and_none_has_most_of_them(tmp_path: Path) -> None:
    long = "".join(text_of(n).replace("- [x] daily log updated\n", "") + "\n" for n in range(20))
    days = [*(text_of(20 + n) for n in range(6)), long]
    written = golden.week_of_lines(tmp_path / "root", *days)
    (page,) = claims(written, "week")
    begun = Counter(match[0] for c in page if (match := re.match(r"\d+ \w+ \d+", c.text)))
    assert set(begun) == {day_words(date(2026, 5, 4) + timedelta(days=n)) for n in range(7)}
    assert begun["10 May 2026"] < 0.6 * begun.total()


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Holdings: 0.2118 BTC", "Holdings: 0.0878 BTC", True),
        ("Holdings: 0.2118 BTC", "Holdings: 0.2118 ETH", False),
        ("Seen on 3 May: 14 guests", "Seen on 11 June: 9 guests", True),
        ("Backup took 38 minutes", "Backup took 38 hours", False),
        ("Price: $420", "Price: €420", False),
        ("See `model_v12.xlsx`", "See `model_v13.xlsx`", False),
        ("Q1 board in room 4", "Q2 board in room 4", False),
        ("Run 2026-05-04 10:30 ended", "Run 2026-05-11 09:15 ended", True),
    ],
)
def test_a_series_keeps_noun_and_unit(one: str, other: str, same: bool) -> None:
    assert (shape_of(one) == shape_of(other)) is same
