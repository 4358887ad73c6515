"""What code knows of a claim: the lines it cites, and what stands in them character for character."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import roots
from lithify.text.dates import find_dates, with_dates
from lithify.text.figures import find_figures
from lithify.values import Claim, Entry
from lithify.verify import ShownEntries, trace

DAY = date(2026, 7, 29)


def _entry(text: str, *, number: int = 1, headings: tuple[str, ...] = (), lead: str = "") -> Entry:
    return Entry(f"2026-07-29~{number:012x}", text, headings, lead, day=DAY)


def _rules(text: str, *entries: Entry) -> list[str]:
    claim = Claim(text, tuple(entry.id for entry in entries))
    return [one.rule for one in trace(claim, ShownEntries.of(entries))[1]]


# Each row: what an entry says, and what a claim says that it may say, or may not.

STANDS = [
    ("run `make test` first", "`make test` comes first."),
    ("Run `Make  Test` first", "`make test` comes first."),
    ("see <https://example.org/a/b?c=1>.", "It is told at https://example.org/a/b?c=1."),
    ("http://localhost:8770（v0.2.0），产出目录", "It runs at http://localhost:8770, as v0.2.0."),
    ("the file src/app/main.py is new", "src/app/main.py was added."),
    ("the file src/app/main.py is new", "It lies under src/app/main.py, main.py that is."),
    ("①strip_einvoice_footer() 改好", "strip_einvoice_footer was mended."),
    ("HMA23002/23008/23011 入库", "`HMA23002/23008` are in."),
    ("红色/结果 一栏", "The column 红色/Result is new."),
    ('Ana said: "We ship on **Monday**, whatever comes."', "Ana: “we ship on Monday”."),
    ('Ana said: "We ship on Monday, whatever comes."', 'Ana: "We ship … whatever comes."'),
    ("Peak months: Jan/Feb", "The peak months are Jan and Feb."),
    ("Договор с «Соляным островом» подписан", "«Соляному острову» выслан договор."),
    ("copied to the_old_name yesterday", "The copy is called the_old_name."),
    ("done and/or tested", "It was done and/or tested."),
    ("it's 5 o'clock", "It's what's done at 5."),
    ("launch: the 17th", "The launch on the 17th may slip."),
]

DOES_NOT = [
    ("run `make test` first", "`make tests` comes first.", "identifiers"),
    ("see https://example.org/a/b", "It is told at https://example.org/a/c.", "identifiers"),
    ("the file src/app/main.py is new", "src/app/main2.py was added.", "identifiers"),
    ("the file src/app/main.py is new", "src/ap/main.py was added.", "identifiers"),
    ("strip_einvoice_footer() is done", "strip_invoice_footer is done.", "identifiers"),
    ('Ana said: "We ship on Monday."', 'Ana: "We ship on Tuesday."', "quotations"),
    ("安娜说：“周一发布”", "安娜说“周二发布”。", "quotations"),
    ("the config is in app.toml", "It is set in lib.toml.", "identifiers"),
]


@pytest.mark.parametrize(("said", "claim"), STANDS)
def test_what_stands_in_an_entry_passes(said: str, claim: str) -> None:
    assert _rules(claim, _entry(said)) == []


@pytest.mark.parametrize(("said", "claim", "rule"), DOES_NOT)
def test_an_identifier_or_quotation_of_ones_own_is_refused(
    said: str, claim: str, rule: str
) -> None:
    assert _rules(claim, _entry(said)) == [rule]


def test_names_and_words_are_a_readers() -> None:
    assert _rules("Bruno never promised twelve chairs to Odile.", _entry("Ana sold chairs.")) == []


def test_a_heading_and_a_lead_in_are_the_entrys_own() -> None:
    entry = _entry("done", headings=("Plan `v3`", "Week 12"), lead="Of 40 rooms:")
    assert _rules("`v3` of week 12 has 40 rooms.", entry) == []


def test_an_unknown_label_beside_a_known_one_is_dropped_and_named() -> None:
    entry = _entry("Ana sold 12 chairs.")
    claim, wrong, notes = trace(Claim("Ana sold 12.", ("e99", entry.id)), ShownEntries.of([entry]))
    assert claim.sources == (entry.id,)
    assert not wrong
    assert "e99" in notes[0].message


@pytest.mark.parametrize("sources", [(), ("e99",)])
def test_a_claim_that_cites_no_entry_is_refused(sources: tuple[str, ...]) -> None:
    entry = _entry("Ana sold 12 chairs.")
    _, wrong, _ = trace(Claim("Ana sold 12 chairs.", sources), ShownEntries.of([entry]))
    assert [one.rule for one in wrong] == ["trace"]


def test_a_reason_stands_at_its_bullet() -> None:
    entry = _entry("Ana sold 12 chairs.")
    _, wrong, _ = trace(Claim("Ana sold 13.", (entry.id,)), ShownEntries.of([entry]))
    assert [(one.rule, one.claim) for one in wrong] == [("figures", "Ana sold 13.")]


def test_an_english_word_of_a_day_gets_its_date_in_brackets() -> None:
    entry = _entry("Ship it tomorrow.")
    claim, wrong, _ = trace(Claim("It ships tomorrow.", (entry.id,)), ShownEntries.of([entry]))
    assert (claim.text, wrong) == ("It ships tomorrow (2026-07-30).", ())


def test_entries_of_two_days_leave_the_word_as_it_is() -> None:
    other = Entry("2026-07-30~000000000002", "Ship it tomorrow.", day=date(2026, 7, 30))
    shown = ShownEntries.of([_entry("Ship it tomorrow."), other])
    claim, _, _ = trace(Claim("It ships tomorrow.", tuple(shown.entries)), shown)
    assert claim.text == "It ships tomorrow."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Call Ana in 3 days.", "Call Ana in 3 days (2026-08-01)."),
        ("Today's brief is out.", "Today's brief is out."),
        ("Call Ana on Friday.", "Call Ana on Friday."),
        ('She wrote "see you tomorrow".', 'She wrote "see you tomorrow".'),
        ("Due tomorrow (2026-07-30).", "Due tomorrow (2026-07-30)."),
    ],
)
def test_only_a_certain_date_goes_into_brackets(text: str, told: str) -> None:
    assert with_dates(text, DAY) == told


_HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from("0123456789.,:/-−'’ %€$kMaz月日年万\"`_()"), st.characters()
    ),
    max_size=80,
)


@given(_HOSTILE)
def test_any_text_is_read_and_supports_itself(text: str) -> None:
    entry = _entry(text)
    figures = find_figures(text)
    assert all(text[one.start : one.end] == one.text for one in figures)
    assert all(one.start <= two.start for one, two in pairwise(figures))
    assert all(one.end <= len(text) for one in find_dates(text))
    assert "figures" not in _rules(text, entry)
    assert "dates" not in _rules(text, entry)


def test_check_names_a_sentence_on_disk_that_its_lines_do_not_say(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {"2026-04-02": "# Notes\n\n- The crate cost 1,250 EUR.\n"})
    memory.compact()
    page = memory.root / "memory/weekly/2026-W14.md"
    assert not [one for one in memory.check() if one.kind == "unsupported"]
    page.write_text(page.read_text("utf-8").replace("1,250", "1,350"), "utf-8")
    found = [one for one in memory.check() if one.kind == "unsupported"]
    assert [(one.path, one.severity) for one in found] == [("memory/weekly/2026-W14.md", "note")]
    assert '"1,350 EUR" stands in no entry cited; they have 1,250 EUR' in found[0].message
