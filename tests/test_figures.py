"""No figure stands on a page that does not stand, or is not the rounding of one that stands, in its sources.

The tables of equal and unequal figures and dates are those of `docs/verifier.md`. A figure of a good
page is changed at random; what a second, simple reading of the table does not allow is refused.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from good_pages import PAGES, Page
from independent_figures import allowed, runs_of
from lithify.text.figures import find_figures, match
from lithify.values import Claim, Entry
from lithify.verify import ShownEntries, trace

DOCS = Path(__file__).resolve().parent.parent / "docs" / "verifier.md"
CHANGES = 10_000


def _table(head: str) -> list[tuple[str, str, str]]:
    rows = DOCS.read_text("utf-8").partition(head)[2].split("\n\n")[0].split("\n")[2:]
    found = []
    for row in rows:
        cells = [cell.strip() for cell in row.strip().strip("|").split(" | ")]
        found.append((cells[0], cells[1], cells[2]))
    return found


FIGURES = _table("| an entry says | a claim says | |")
DATES = _table("| an entry of 2026-07-29 says | a claim says | |")


def _refused(entry: Entry, claim: str) -> bool:
    return bool(trace(Claim(claim, (entry.id,)), ShownEntries.of([entry]))[1])


def test_the_table_has_enough_rows() -> None:
    assert len(FIGURES) >= 40
    assert len(DATES) >= 15


@pytest.mark.parametrize(("said", "claimed", "stands"), FIGURES)
def test_two_figures_are_equal_as_the_table_says(said: str, claimed: str, stands: str) -> None:
    entry = Entry("2026-07-29~000000000001", f"It was {said} in all.", day=date(2026, 7, 29))
    assert _refused(entry, f"It was {claimed} in all.") is (stands == "no")
    kinds = {
        match(figure, other) for figure in find_figures(claimed) for other in find_figures(said)
    }
    assert (stands == "rounded") == ("rounded" in kinds and "equal" not in kinds)


@pytest.mark.parametrize(("said", "claimed", "stands"), DATES)
def test_a_date_stands_as_the_table_says(said: str, claimed: str, stands: str) -> None:
    entry = Entry("2026-07-29~000000000001", said, day=date(2026, 7, 29))
    assert _refused(entry, f"Done by {claimed}.") is (stands == "no")


def test_a_figure_may_stand_in_a_heading_or_a_lead_in() -> None:
    entry = Entry(
        "2026-07-29~000000000001", "The slides are done.", ("Revision Course Session 3",), "Of 14:"
    )
    assert not _refused(entry, "The slides of session 3 of 14 are done.")


def test_figures_of_several_entries_make_no_new_one() -> None:
    entries = [Entry(f"2026-07-29~00000000000{n}", text) for n, text in enumerate(["12", "833"])]
    claim = Claim("It cost 12,833.", tuple(entry.id for entry in entries))
    assert trace(claim, ShownEntries.of(entries))[1]


def test_a_label_is_never_added_and_the_entry_that_has_it_is_named() -> None:
    cited = Entry("2026-07-29~000000000001", "11 students signed up.")
    other = Entry("2026-07-29~000000000002", "The gateway has run for 12 days.")
    shown = ShownEntries.of([cited, other])
    claim, wrong, _ = trace(Claim("12 students signed up.", (cited.id,)), shown)
    assert claim.sources == (cited.id,)
    assert other.id in wrong[0].message
    assert '"12" stands in no entry cited; they have 11' in wrong[0].message


# Changes at random


def test_a_good_page_passes() -> None:
    for page in PAGES:
        for claim in page.claims:
            assert trace(claim, page.shown)[1] == (), (page.name, claim.text)


def test_a_changed_figure_is_refused_unless_the_table_lets_it_stand() -> None:
    rng = random.Random(20261119)
    places = [(page, claim) for page in PAGES for claim in page.claims if runs_of(claim.text)]
    assert len(PAGES) >= 20
    assert {page.language for page in PAGES} == {"English", "German", "Russian", "Chinese"}
    counted: Counter[str] = Counter()
    while counted.total() < CHANGES:
        page, claim = rng.choice(places)
        changed = _changed(claim.text, page, rng)
        if changed == claim.text:
            continue
        found, wrong, _ = trace(replace(claim, text=changed), page.shown)
        assert found.sources == claim.sources
        if wrong:
            counted["refused"] += 1
            continue
        verdicts = set(allowed(changed, page.shown.cited(claim.sources)))
        assert "" not in verdicts, (page.name, claim.text, changed)
        counted["rounding" if "rounded" in verdicts else "standing"] += 1
    print(f"\n{CHANGES} changes: {dict(counted)}")
    assert counted["refused"] > CHANGES * 0.6


def _changed(text: str, page: Page, rng: random.Random) -> str:
    """Return a claim with one figure changed: a digit, its sign, a separator, a multiplier, another."""
    start, end = rng.choice(runs_of(text))
    figure = text[start:end]
    how = rng.choice(["digit", "digit", "digit", "sign", "separator", "multiplier", "swap"])
    if how == "digit":
        at = rng.choice([n for n, sign in enumerate(figure) if sign.isdigit()])
        figure = figure[:at] + rng.choice("0123456789") + figure[at + 1 :]
    elif how == "sign":
        before = text[start - 1 : start]
        if before in ("-", "−"):
            return text[: start - 1] + text[start:]
        figure = rng.choice("-−") + figure
    elif how == "separator":
        separators = [n for n, sign in enumerate(figure) if not sign.isalnum()]
        if separators:
            at = rng.choice(separators)
            figure = figure[:at] + rng.choice([",", ".", ""]) + figure[at + 1 :]
        elif len(figure) > 1:
            at = rng.randrange(1, len(figure))
            figure = figure[:at] + rng.choice(",.") + figure[at:]
    elif how == "multiplier":
        figure += rng.choice([" thousand", "k", " million", "M", " тыс.", "万", " Mrd."])
    else:
        other = rng.choice([claim.text for claim in page.claims])
        runs = runs_of(other)
        if runs:
            first, last = rng.choice(runs)
            figure = other[first:last]
    return text[:start] + figure + text[end:]
