from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lithify import cues
from lithify.values import WEEK_SECTIONS, Entry

OUTCOMES, DECISIONS, OPEN, CONTEXT = WEEK_SECTIONS


def entry(text: str, *headings: str, lead: str = "") -> Entry:
    return Entry("2026-04-02~000000000000", text, headings, lead)


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Shipped the JWT login; Priya signed it off.", OUTCOMES),
        ("PR 12 merged at 14:00.", OUTCOMES),
        ("We decided to stay on Postgres because the team knows it.", DECISIONS),
        ("Decision: quotes expire after 15 minutes.", DECISIONS),
        ("Never push to main without a review.", DECISIONS),
        ("Blocked: no credentials for the sandbox.", OPEN),
        ("Still waiting for the signed contract.", OPEN),
        ("The archive holds 4,120 boxes.", CONTEXT),
    ],
)
def test_plain_statements_find_their_section(text: str, section: str) -> None:
    assert cues.section_of(entry(text)) == section


def test_lead_in_and_heading_decide_where_words_are_silent() -> None:
    assert cues.section_of(entry("the roof, second quote", lead="Outstanding:")) == OPEN
    assert cues.section_of(entry("two disks per array", lead="Decision:")) == DECISIONS
    assert cues.section_of(entry("dark theme", "Shipped")) == OUTCOMES


def test_checkbox_tells_done_from_open() -> None:
    assert cues.section_of(entry("[x] invoice the client")) == OUTCOMES
    assert cues.section_of(entry("[ ] invoice the client")) == OPEN
    assert cues.must_keep(entry("[ ] invoice the client"))


@pytest.mark.parametrize(
    "text",
    [
        "06:00 Health check: 14 of 14 services up, no change.",
        "Nothing new from the registrar.",
        "I kept the packet unchanged.",
        "The archive holds 4,120 boxes.",
    ],
)
def test_routine_and_plain_facts_may_be_lost(text: str) -> None:
    assert not cues.must_keep(entry(text))


@pytest.mark.parametrize(
    "text",
    [
        "We decided to drop the mobile app.",
        "Blocked: the disk on stg-2 is full.",
        "Deployed booking-api 4.9.1.",
        "The contract is $124,000, not $142,000: the figure was wrong.",
        "Do not email customers directly.",
    ],
)
def test_what_a_summary_may_not_lose_is_must_keep(text: str) -> None:
    assert cues.must_keep(entry(text))


def test_code_is_never_must_keep() -> None:
    code = Entry("2026-04-02~000000000000", "Deployed the thing", kind="code")
    assert not cues.must_keep(code)


def test_an_item_is_open_until_an_entry_resolves_it() -> None:
    assert cues.is_open(entry("Blocked: no answer from Legal."))
    assert cues.resolves(entry("Legal has signed the terms, the blocker is resolved."))
    assert not cues.resolves(entry("Legal has not signed the terms."))
    assert not cues.is_open(entry("No blockers today."))


def test_hedges_share_a_form() -> None:
    assert cues.hedges("It may slip; planned for June") == cues.hedges("plans say it may")
    assert cues.hedges("It shipped") == frozenset()


def test_references_are_addresses_and_channels() -> None:
    text = "The board is at https://dash.example.com/b , talk goes to the channel #launch."
    assert cues.references(text) == ("https://dash.example.com/b", "#launch")
    assert cues.states_reference(text)
    assert not cues.states_reference("PR #12 is merged")


@given(st.text(max_size=200), st.text(max_size=40))
def test_any_text_gets_a_section(text: str, lead: str) -> None:
    assert cues.section_of(entry(text, lead=lead)) in WEEK_SECTIONS
