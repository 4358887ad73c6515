"""Claims as careful writers put them pass; what nobody said does not, and what is moved is a doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest
from verifier import run, sets

from lithify.values import Claim, Entry, Violation
from lithify.verify import ShownEntries, doubts
from lithify.verify.specifics import missing
from lithify.verify.trace import trace

MONDAY, TUESDAY, WEDNESDAY = (date(2026, 4, n) for n in (6, 7, 8))
Said = str | tuple[str, date]


def checked(
    claim: str, said: Sequence[Said], cites: Sequence[int] | None = None
) -> tuple[str, tuple[Violation, ...]]:
    """A claim as it may be written, and what is wrong with it; it cites everything said unless told."""
    mended, wrong, _ = trace(claim_of(claim, said, cites), shown_of(said))
    return mended.text, wrong


def shown_of(said: Sequence[Said]) -> ShownEntries:
    entries = []
    for n, one in enumerate(said):
        text, day = (one, TUESDAY) if isinstance(one, str) else one
        path = f"memory/{day}.md"
        entries.append(Entry(f"{day}~{n:012x}", text, ("Log",), "", "item", path, n, n, day))
    return ShownEntries.of(entries, "Wren")


def claim_of(claim: str, said: Sequence[Said], cites: Sequence[int] | None = None) -> Claim:
    ids = tuple(shown_of(said).entries)
    return Claim(claim, ids if cites is None else tuple(ids[n] for n in cites), "Context")


HONEST: list[tuple[str, list[Said]]] = [
    ("Sam wants to hike the Alps next summer.", ["Sam: I'd love to hike the Alps next summer."]),
    ("Sam went to Rome last spring.", ["Sam: I went to Rome last spring with my sister."]),
    ("Sam meets the plumber on Monday.", ["Sam: Plumber on Monday, remember?"]),
    ("Learning the violin is hard for Sam.", ["Sam: Learning the violin isn't easy, honestly."]),
    ("Sam is eager to paint the nursery.", ["Sam: Can't wait to paint the nursery!"]),
    ("Sam ran forty kilometres.", ["Sam: I ran fourty kilometres this week."]),
    (
        "Two tools were put into ~/tools/bin.",
        ["Installed ~/tools/bin/mapper.", "Installed ~/tools/bin/packer."],
    ),
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
    (
        "AAVE was rated BUY on all three days.",
        [("AAVE: BUY", MONDAY), ("AAVE is a BUY again", TUESDAY), ("Rating: BUY", WEDNESDAY)],
    ),
    ("There is no Aave position: collateral and debt are $0.", ["Aave: collateral $0, debt $0."]),
    (
        "The backup ran on 6, 7 and 8 April.",
        [("Backup ran.", MONDAY), ("Backup ran.", TUESDAY), ("Backup ran.", WEDNESDAY)],
    ),
    ("The backup ran on April 6, 7 and 8.", ["Backup ran on 6, 7 and 8 April."]),
    ("Das Backup lief am 6., 7. und 8. April.", ["Backup lief am 6., 7. und 8. April."]),
    ("The portfolio is worth about $80,000.", ["Portfolio value: $80,039."]),
    ("The refund is from 17 February.", ["Refund ~Feb 17 from the agency."]),
    ("Sam went to Rome in the summer of 2025.", ["Sam: I went to Rome last summer."]),
    ("The deal closed in Q2 2026.", ["Closed the deal."]),
    ("The deal closed in H1 2026.", ["Closed the deal."]),
    ("The deal closed in week 15.", ["Closed the deal."]),
    ("It failed on 2 days.", [("It failed.", MONDAY), ("It failed again.", TUESDAY)]),
    ("Two of the three backups failed.", ["Backup A failed.", "Backup B failed.", "C is fine."]),
    ("Geofencing went live.", ["The geo fence is live."]),
    ("Frobnicate the queue before a release.", ["Before a release the queue is frobbed."]),
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


INVENTED: list[tuple[str, list[Said]]] = [
    ("Version 2.4.9 shipped.", ["Version 2.4.1 shipped."]),
    ("The invoices add up to 360 EUR.", ["Invoice A is 200 EUR.", "Invoice B is 150 EUR."]),
    ("The portfolio is worth about $90,000.", ["Portfolio value: $80,039."]),
    ("The portfolio is worth $80,000.", ["Portfolio value: $80,039."]),
    ("The backup ran on 6, 7 and 8 April.", [("Backup ran.", MONDAY), ("It ran.", TUESDAY)]),
    ("The deal closed in Q3 2026.", ["Closed the deal."]),
    ("Sam went to Rome in the summer of 2023.", ["Sam: I went to Rome last summer."]),
    ("The fix was approved by Marguerite.", ["The fix was approved."]),
    ("Klaus Brandauer approved the fix.", ["The fix was approved."]),
    ('Sam said "we are doomed".', ['Sam: "We are fine," said the pilot.']),
    ("The logs are at /var/log/wren.log.", ["The logs are on the host."]),
    ("The outage lasted 55 minutes.", ["Outage from 14:00 to 14:45."]),
]


def test_lists_under_leads_of_their_own_are_counted_apart() -> None:
    leads = ["Updated:"] * 4 + ["Deleted:"] * 2
    plain = shown_of([f"file-{letter}.md" for letter in "abcdef"]).entries
    found = [replace(one, lead=lead) for one, lead in zip(plain.values(), leads, strict=True)]
    shown = ShownEntries.of(found, "Wren")

    def lacking(text: str) -> list[str]:
        return [atom.text for atom in missing(text, found, shown)]

    assert lacking("4 files were updated and 2 were deleted.") == []
    assert lacking("3 files were updated and 2 were deleted.") == ["3"]
    assert lacking("They lie in ~/tools/lib.") == ["~/tools/lib"]


@pytest.mark.parametrize(("claim", "said"), INVENTED, ids=[claim for claim, _ in INVENTED])
def test_what_stands_in_no_entry_is_refused(claim: str, said: list[Said]) -> None:
    assert {v.rule for v in checked(claim, said)[1]} == {"specifics"}


DOUBTED: dict[str, tuple[str, list[Said]]] = {
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
    "a hedge left out": (
        "Lena moves to the Lisbon office in June.",
        ["Lena may move to the Lisbon office in June."],
    ),
    "ein Vorbehalt weggelassen": (
        "Torben hat das Angebot über 500 € geschickt.",
        ["Torben hat das Angebot über 500 € vermutlich geschickt."],
    ),
}


@pytest.mark.parametrize(("claim", "said"), DOUBTED.values(), ids=DOUBTED)
def test_what_is_moved_is_a_doubt_and_no_refusal(claim: str, said: list[Said]) -> None:
    assert checked(claim, said)[1] == ()
    assert doubts(claim_of(claim, said), shown_of(said))


def test_a_plain_repetition_is_no_doubt() -> None:
    for claim, said in HONEST[4:9]:
        hints = doubts(claim_of(claim, said), shown_of(said))
        assert not {v.rule for v in hints} & {"together", "unit", "widened"}, claim


def test_headings_lead_in_and_a_bold_line_above_are_said_too() -> None:
    def under(*headings: str, lead: str = "", text: str = "Done at nine.", n: int = 0) -> Entry:
        id = f"{TUESDAY}~{n:012x}"
        return Entry(id, text, headings, lead, "paragraph", "memory/x.md", n, n, TUESDAY)

    for entries in (
        [under("Log", "Plant in Graz")],
        [under("Log", lead="In Graz:")],
        [under("Log", text="**Deploys to Graz**"), under("Log", n=1)],
    ):
        claim = Claim("The deploy to Graz was done at nine.", (entries[-1].id,))
        assert trace(claim, ShownEntries.of(entries))[1] == ()
    apart = [under("Log", text="**Deploys to Graz**"), under("Mail", n=1)]
    claim = Claim("Done in Graz at nine.", (apart[-1].id,))
    assert trace(claim, ShownEntries.of(apart))[1]


# Labels


def test_a_figure_of_another_entry_on_the_matter_gets_its_label_and_the_writer_is_told() -> None:
    said = ["The lease is signed.", "The deposit for the lease was 900 EUR.", "Paid 900 EUR."]
    claim = claim_of("The lease is signed, the deposit is 900 EUR.", said, [0])
    mended, wrong, notes = trace(claim, shown_of(said))
    assert not wrong and mended.sources == tuple(shown_of(said).entries)[:2]
    assert mended.text == claim.text
    assert [n.message for n in notes] == ['2026-04-07~000000000001 was added: it says "900 EUR"']


def test_of_several_entries_that_hold_a_figure_the_nearest_gets_the_label() -> None:
    far = "A lease for the garage was signed, 900 EUR."
    said = [far, *["Nothing new."] * 9, "The lease is signed.", "Rent of the lease: 900 EUR."]
    claim = claim_of("The lease was signed, rent 900 EUR.", said, [10])
    assert trace(claim, shown_of(said))[0].sources == tuple(shown_of(said).entries)[10:]


FEBRUARY = date(2026, 2, 24)
LINES = (
    "91 ветклиника (62 СПб + 26 Москва + тесты)",
    "3 стоматологии",
    "2 реальных клика: Четыре лапы, Вирион — обе ветклиники",
    "`enrich_from_2gis_html.js` → 104 с email из 2ГИС (32%), 219 с сайтом",
    "GeoReview Click Monitor — каждые 15 мин проверяет clicks.json, шлёт в ТГ при новых кликах",
    "Парсинг сайтов (`parse_websites.py`) → ещё 48 email с сайтов",
    "15 секунд на захват внимания",
)
CLINICS: list[Said] = [(line, FEBRUARY) for line in LINES]


@pytest.mark.parametrize(
    ("claim", "said", "cites", "figures"),
    [
        ("Mail went to 104 vets; 48 clicks.", ["Mail to 91 vets; 2 clicks.", "104 sites"], [0], 2),
        ("The lease costs 900 EUR.", ["The lease is signed.", "The deposit was 900 EUR."], [0], 1),
        (
            "The lease ends on 3 May.",
            ["The lease is signed.", "On 3 May Ada has a day off."],
            [0],
            1,
        ),
        (
            "Письма ушли 104 ветклиникам и 15 стоматологиям; кликов 48.",
            CLINICS,
            [0, 1, 2],
            3,
        ),
        ("Письма ушли 104 ветклиникам.", CLINICS, [0], 1),
        ("Сайт перенесён на 15 серверов.", [("Сайт перенесён.", FEBRUARY), *CLINICS], [0], 1),
    ],
)
def test_no_label_is_added_for_a_figure_alone(
    claim: str, said: list[Said], cites: list[int], figures: int
) -> None:
    mended, wrong, notes = trace(claim_of(claim, said, cites), shown_of(said))
    assert mended.sources == claim_of(claim, said, cites).sources and not notes
    assert len(wrong) == figures
    for violation in wrong:
        assert "if another holds it, cite that one" in violation.message or (
            "stands in no entry that was shown" in violation.message
        )


def test_a_name_that_acts_elsewhere_is_sent_back_also_at_the_beginning() -> None:
    said: list[Said] = ["Priya approved the budget of 14,000 EUR.", "Dana is on leave."]
    (violation,) = checked("Dana approved the budget of 14,000 EUR.", said, [0])[1]
    assert violation.message.endswith("but in 2026-04-07~000000000001")


def test_an_unknown_label_beside_a_valid_one_is_dropped_and_reported() -> None:
    said = ["The lease is signed."]
    claim = claim_of("The lease is signed.", said)
    one = replace(claim, sources=("[e999]", *claim.sources))
    mended, wrong, notes = trace(one, shown_of(said))
    assert mended == claim and not wrong
    assert [n.message for n in notes] == ["[e999] is not a label that was shown; it was dropped"]


def test_an_unknown_label_alone_is_refused_and_none_at_all_is_aligned() -> None:
    said = ["The lease is signed.", "Lunch was late."]
    alone = Claim("The lease is signed.", ("[e999]",), "Context")
    assert [v.message for v in trace(alone, shown_of(said))[1]] == [
        "cites [e999], which was not shown"
    ]
    aligned, wrong, _ = trace(replace(alone, sources=()), shown_of(said))
    assert not wrong and aligned.sources == tuple(shown_of(said).entries)[:1]
    stranger = Claim("The moon is full.", (), "Context")
    assert [v.rule for v in trace(stranger, shown_of(said))[1]] == ["trace"]


# Days


@pytest.mark.parametrize(
    ("claim", "said", "written"),
    [
        (
            "The demo was moved to tomorrow.",
            ["Moved the demo to tomorrow."],
            "The demo was moved to 2026-04-08.",
        ),
        (
            "The demo is tomorrow, the audit is ready.",
            [("The demo is tomorrow.", MONDAY), ("The audit is ready.", WEDNESDAY)],
            "The demo is on 2026-04-07, the audit is ready.",
        ),
        (
            "Sam hears from the agency next week.",
            [("Sam: they call next week.", MONDAY), ("Sam: next week for sure.", WEDNESDAY)],
            "Sam hears from the agency next week [said 2026-04-06, 2026-04-08].",
        ),
    ],
)
def test_a_relative_date_is_resolved_where_that_is_certain_else_its_day_stands_in_brackets(
    claim: str, said: list[Said], written: str
) -> None:
    assert checked(claim, said) == (written, ())
    assert checked(written, said) == (written, ()), "and only once"


@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_ends_of_the_calendar_and_endless_figures_are_checked_like_others(day: date) -> None:
    figures = "0.000000000000001 of 999999999999999, of " + "9" * 400
    said: list[Said] = [(f"On Friday, next Monday, the 18th and tomorrow: {figures}.", day)]
    assert checked(f"Friday had 77 of them, and {'8' * 300}.", said)[1]


# The claims that may be read


def test_code_refuses_hardly_an_honest_claim_and_doubts_mark_lies() -> None:
    trials = [trial for folder in sets() for trial in run(folder, ["open"])]
    honest, false = ([trial for trial in trials if trial.honest is true] for true in (True, False))
    assert sum(bool(trial.refused) for trial in honest) <= 0.01 * len(honest)
    assert sum(bool(trial.refused) for trial in false) >= 18
    for rule in {v.rule for trial in trials for v in trial.doubts}:
        marked = [sum(rule in {v.rule for v in t.doubts} for t in ts) for ts in (honest, false)]
        assert marked[1] >= 5 * marked[0], rule
