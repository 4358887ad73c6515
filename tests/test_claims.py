"""Claims as careful writers put them pass, and claims that move a fact elsewhere do not."""

from __future__ import annotations

from datetime import date

import pytest

from lithify.bench.verifier import rates, run, sets
from lithify.values import Claim, Entry, Violation
from lithify.verify.claims import ShownEntries, examine, mend

TUESDAY = date(2026, 4, 7)
Said = str | tuple[str, date]


def checked(
    claim: str, said: list[Said], cites: list[int] | None = None, section: str = "Context"
) -> tuple[str, tuple[Violation, ...]]:
    """A claim after mending, and what is wrong with it; it cites everything said unless told."""
    entries = []
    for n, one in enumerate(said):
        text, day = (one, TUESDAY) if isinstance(one, str) else one
        path = f"memory/{day}.md"
        entries.append(Entry(f"{day}~{n:012x}", text, ("Log",), "", "item", path, n, n, day))
    shown = ShownEntries.of(entries, "Wren")
    ids = tuple(entries[n].id for n in (range(len(entries)) if cites is None else cites))
    mended = mend(Claim(claim, ids, section), shown)
    return mended.text, examine(mended, shown)


HONEST: list[tuple[str, list[Said]]] = [
    ("Sam wants to hike the Alps next summer.", ["Sam: I'd love to hike the Alps next summer."]),
    ("Sam went to Rome last spring.", ["Sam: I went to Rome last spring with my sister."]),
    ("Sam meets the plumber on Monday.", ["Sam: Plumber on Monday, remember?"]),
    ("Learning the violin is hard for Sam.", ["Sam: Learning the violin isn't easy, honestly."]),
    ("Sam is eager to paint the nursery.", ["Sam: Can't wait to paint the nursery!"]),
    ("Sam ran forty kilometres.", ["Sam: I ran fourty kilometres this week."]),
    (
        "Geocoding moved from the local API to the hosted one.",
        ["Geocoding now uses the hosted API instead of local."],
    ),
    (
        "The invoice counts 49 seats; the provider says 50.",
        ["49, not 50: the provider miscounted the seats on the invoice."],
    ),
    ("The cleanup script was created.", ["Plan: create a cleanup script. Status: created"]),
    (
        "The cache is needed before the release: do not clear it.",
        ["Do not clear it: the cache is needed before the release."],
    ),
    ("The report covers week 2026-W14.", ["Report for week 2026-W14 sent."]),
    ("The review is on 18 April 2026.", ["The review is on the 18th."]),
    ("The audit is on 14 April 2026.", ["The audit is on 14 April and not on the 7th."]),
    ("Wren fixed the login bug.", ["Fixed the login bug."]),
    ("Wren fixed the login bug.", ["I fixed the login bug."]),
    ("Costs fell by 40 EUR to 160 EUR.", ["Costs went from 200 EUR to 160 EUR."]),
    ("The invoices add up to 350 EUR.", ["Invoice A is 200 EUR.", "Invoice B is 150 EUR."]),
    ("The outage lasted 45 minutes.", ["Outage from 14:00 to 14:45."]),
    (
        "The migration took 3 days.",
        [("Migration began.", date(2026, 4, 6)), ("Migration finished.", date(2026, 4, 9))],
    ),
    (
        "Tomasz prefers questions in the thread over direct messages.",
        ["Tomasz prefers to be asked in the thread and not by direct message."],
    ),
    ("Wren compares screenshots side by side.", ["I cannot compare screenshots otherwise."]),
    ("Nobody works on 11 and 12 April 2026.", ["Nobody works on Saturday and Sunday."]),
    ("The fix is on stg-3.", ["The fix is on stg-3.tidewater.example."]),
    ("Elsewhere, the tests are green.", ["Tests are green in the other repo."]),
    ("Kostya comes at 16:30.", ["Kostya comes at half past four."]),
    ("The order comes to £408.", ["The order is 120 bars at £3.40."]),
    ("Greveling wird um 6,5 % teurer.", ["Greveling wird zum 1. April um 6,5 % teurer."]),
]


@pytest.mark.parametrize(("claim", "said"), HONEST, ids=[claim for claim, _ in HONEST])
def test_what_its_entries_say_in_other_words_passes(claim: str, said: list[Said]) -> None:
    assert checked(claim, said)[1] == ()


def test_the_turn_before_tells_who_is_spoken_to() -> None:
    said: list[Said] = ["Dana: When does your class start?", "Sam: It starts on the 14th, Dana!"]
    assert checked("Sam told Dana that the class starts on 14 April 2026.", said, [1])[1] == ()


def test_what_is_asked_of_any_day_gets_no_date() -> None:
    claim = "The job checks whether it already ran today."
    assert checked(claim, ["The job now checks whether it already ran today."]) == (claim, ())


FALSE: dict[str, tuple[str, list[Said]]] = {
    "a name from another entry": (
        "Dana approved the budget of 14,000 EUR.",
        ["Priya approved the budget of 14,000 EUR.", ("Dana is on leave.", date(2026, 4, 9))],
    ),
    "two people exchanged": (
        "Marit would delete visitor data after 24 months; Delia wants to hear a lawyer first.",
        ["Delia would delete visitor data after 24 months. Marit wants to hear a lawyer first."],
    ),
    "two prices exchanged": (
        "The Lumo costs 189 EUR and the Zentra 164 EUR.",
        ["Printer prices came in: Zentra 189 EUR, Lumo 164 EUR."],
    ),
    "from and to exchanged": (
        "The price rose from 250 to 150 EUR.",
        ["The price rose from 150 to 250 EUR."],
    ),
    "one thing's words given to another": (
        "Aldous wants 120 bars by 4 July.",
        ["Yusra wants 120 bars by 4 July.", "Aldous still owes us £228 for the May order."],
    ),
    "another unit": (
        "The rise costs 14,500 EUR more a month.",
        ["The rise costs 14,500 EUR more a year."],
    ),
    "all for some": (
        "All scanners at the museum failed on 21 March.",
        ["One scanner at the museum failed on 21 March."],
    ),
    "a plan told as done": (
        "Sam tried kayaking on the lake.",
        ["Sam: I'm going to try kayaking on the lake."],
    ),
    "what comes tomorrow told as done": (
        "Tobin imported the 13 members.",
        ["Tobin imports the 13 members tomorrow."],
    ),
}


@pytest.mark.parametrize(("claim", "said"), FALSE.values(), ids=FALSE)
def test_what_its_entries_do_not_say_is_refused(claim: str, said: list[Said]) -> None:
    assert checked(claim, said)[1]


def test_items_under_a_denying_line_are_not_told_as_agreed() -> None:
    entry = Entry("2026-04-07~" + "0" * 12, "A credit for Brightwell", lead="Not agreed:")
    claim = Claim("Brightwell gets a credit.", (entry.id,), "Decisions")
    assert [v.rule for v in examine(claim, ShownEntries.of([entry]))] == ["negation"]


def test_a_missing_specific_is_sent_back_with_the_entry_that_holds_it() -> None:
    _, violations = checked(
        "The lease costs 900 EUR.", ["The lease is signed.", "The deposit was 900 EUR."], [0]
    )
    assert [v.message for v in violations] == [
        '"900 EUR" does not stand in the entries cited, but in 2026-04-07~000000000001'
    ]


@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_ends_of_the_calendar_and_endless_figures_are_checked_like_others(day: date) -> None:
    figures = "0.000000000000001 of 999999999999999, of " + "9" * 400
    said: list[Said] = [(f"On Friday, next Monday, the 18th and tomorrow: {figures}.", day)]
    assert checked(f"Friday had 7 of them, and {'8' * 300}.", said)[1]


@pytest.mark.parametrize("folder", sets(), ids=lambda folder: folder.name)
def test_both_rates_hold_on_the_claims_that_may_be_read(folder) -> None:  # type: ignore[no-untyped-def]
    trials = [trial for trial in run(folder) if trial.part == "open"]
    honest, false = (rate.share for rate in rates(trials) if not rate.kind)
    assert honest <= 0.1
    assert false >= 0.3
