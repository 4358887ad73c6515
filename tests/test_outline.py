"""A month tells what its days' headings say, those of one matter together."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

import golden
import roots
from lithify.calendar import day_words
from lithify.sections import MONTH

FIRST = date(2026, 6, 1)
#: Titles of days, by the number of the day; every day also has a routine heading.
TITLES = {
    1: "[09:30] Kestrel Importer: first draft",
    4: "Boathouse roof repaired",
    10: "Kestrel Importer slow on large files",
    18: "Supplier contract signed",
    23: "Kestrel Importer retired",
}


DID = ("repaired", "painted", "measured", "rewired", "insured", "photographed", "sold", "borrowed")
THINGS = (
    *("crane", "ferry", "gauge", "buoy", "barge", "jetty", "winch", "siren", "lamp"),
    *("ladder", "anchor", "rudder", "mast"),
)


def text_of(n: int) -> str:
    """A day: a routine report, and below its title what Ruth said."""
    title = TITLES.get(n, f"{n}:00")
    about = "the Kestrel Importer" if "Kestrel" in title else f"the {THINGS[n % 13]}"
    work = [
        f"- {DID[(3 * n + k) % 8].capitalize()} the {THINGS[(5 * n + k) % 13]} of "
        f"{THINGS[(n + 7 * k) % 13]} street behind the {THINGS[(2 * n + 5 * k) % 13]}."
        for k in range(8)
    ]
    return "\n".join(
        [
            *(f"# Day {n}", "", "## Morning report", "", *work, "", f"## {title}", ""),
            f"- Ruth {DID[n % 8]} a page on {about} for invoice {900 + n}.\n",
        ]
    )


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> golden.Compacted:
    days = {str(FIRST + timedelta(days=n)): text_of(n) for n in range(28)}
    return golden.compact(roots.make(tmp_path_factory.mktemp("outline") / "root", days))


def themes(month: golden.Compacted) -> list[str]:
    ((_, page),) = [one for one in month.written if one[0].tier == "month"]
    return [claim.text for claim in page.claims if claim.section == MONTH.themes]


def on(n: int) -> str:
    return day_words(FIRST + timedelta(days=n))


def test_titles_that_share_a_name_stand_in_one_bullet_with_their_days(
    month: golden.Compacted,
) -> None:
    assert themes(month)[0] == (
        f"{on(1)}: Kestrel Importer: first draft; {on(10)}: Kestrel Importer slow on large files; "
        f"{on(23)}: Kestrel Importer retired"
    )


def test_other_titles_stand_with_their_day_and_routine_ones_nowhere(
    month: golden.Compacted,
) -> None:
    assert f"{on(4)}: Boathouse roof repaired" in themes(month)
    assert f"{on(18)}: Supplier contract signed" in themes(month)
    assert not any(text.endswith("Morning report") for text in themes(month))


def test_titles_are_the_words_of_the_entries_they_cite(month: golden.Compacted) -> None:
    written = "".join(month.pages.values())
    for _, claim, _ in month.bullets():
        assert claim.text in written, "what the verifier refuses is not written"
