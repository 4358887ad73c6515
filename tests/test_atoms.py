from __future__ import annotations

from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lithify.text.dates import absolute
from lithify.text.specifics import (
    atom_keys,
    find_atoms,
    join,
    support_of,
    support_of_text,
    unsupported,
    unsupported_by,
)
from lithify.values import Entry

THURSDAY = date(2026, 4, 2)


def entry(text: str, *headings: str, lead: str = "", day: date | None = THURSDAY) -> Entry:
    return Entry("2026-04-02~000000000000", text, headings, lead, day=day)


def pairs(text: str, anchor: date | None = None) -> list[tuple[str, str]]:
    return [(atom.kind, atom.key) for atom in find_atoms(text, anchor)]


def names(text: str) -> list[str]:
    return [atom.text for atom in find_atoms(text) if atom.kind == "name"]


@pytest.mark.parametrize(
    "spellings",
    [
        [
            "$420M",
            "420 million dollars",
            "USD 420,000,000",
            "$420m",
            "US$420 million",
            "$420,000,000",
        ],
        ["€1.5k", "1,500 euros", "EUR 1500"],
        ["five million dollars", "$5M", "$5,000,000.00"],
        ["1,200", "1200"],
        ["1.2k", "1,200"],
        ["12%", "12 percent", "12 %", "12.0%", "twelve percent"],
        ["Apr 2", "April 2nd", "2 April"],
        ["April 2, 2026", "2026-04-02", "2 Apr 2026"],
        ["2026-04", "April 2026"],
        ["Q1 2026", "2026-Q1"],
        ["3pm", "15:00", "3:00 PM", "3 p.m."],
        ["v1.4.2", "1.4.2", "V1.4.2"],
        ["two", "2", "2nd"],
        ["third", "3rd"],
        ["twenty-five", "25"],
        ["5 ms", "5ms", "5 milliseconds", "five-millisecond"],
        ["3 days", "3-day", "three days"],
        ["20 GB", "20GB", "20 gigabytes"],
        ["https://Example.com/a/B", "http://www.example.com/a/B/", "example.com/a/B"],
        ["“ship  it”", '"Ship it."', "«ship it»"],
        ["PR-212", "pr-212"],
    ],
)
def test_spellings_of_one_thing_share_their_key(spellings: list[str]) -> None:
    keys = [atom_keys(spelling) for spelling in spellings]
    assert len(keys[0]) == 1
    assert len(set(keys)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$420M", "$42M"),
        ("$420M", "€420M"),
        ("$420M", "$420"),
        ("12%", "12"),
        ("5 ms", "5 s"),
        ("3.10", "3.1"),
        ("v1.4.2", "v1.4.3"),
        ("3pm", "3am"),
        ("2026-04-02", "2026-04-03"),
        ("PR-212", "PR-221"),
        ("snake_case", "snake_cases"),
        ("https://example.com/a", "https://example.com/A"),
    ],
)
def test_different_things_have_different_keys(one: str, other: str) -> None:
    assert atom_keys(one).isdisjoint(atom_keys(other))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10–12", [("number", "10"), ("number", "12")]),
        ("10 to 12%", [("percent", "10%"), ("percent", "12%")]),
        ("$10-12M", [("money", "$10000000"), ("money", "$12000000")]),
        ("3–4pm", [("time", "15:00"), ("time", "16:00")]),
        ("Apr 2–4", [("date", "--04-02"), ("date", "--04-04")]),
        ("one server and one more", []),
        ("#212", [("id", "#212")]),
        ("JIRA-88", [("id", "jira-88")]),
        ("commit 9f3a1c2", [("id", "9f3a1c2")]),
        ("2026-04-02~9f3a1c20b7d4", [("id", "2026-04-02~9f3a1c20b7d4")]),
        ("@priya", [("id", "@priya")]),
        ("mail ops@mail.example", [("id", "ops@mail.example")]),
        ("snake_case", [("id", "snake_case")]),
        ("FY27 H1", [("id", "fy27"), ("id", "h1")]),
        ("Q1/Q2, A1/B2", [("date", "q1"), ("date", "q2"), ("id", "a1"), ("id", "b2")]),
        ("k8s", [("id", "k8s")]),
        ("`a  b`", [("id", "a b")]),
        ("src/app/file.py:12", [("path", "src/app/file.py:12")]),
        ("/login", [("path", "/login")]),
        ("~/notes/x", [("path", "~/notes/x")]),
        ("memory/2026-04-02.md", [("path", "memory/2026-04-02.md")]),
        ("and/or, he/she/they, client/server", []),
        ("e.g. this, i.e. that", []),
        ("mid-2026", [("date", "2026")]),
        ("on Friday", [("date", "friday")]),
        ("in March", [("date", "--03")]),
        ("4/2/2026", [("date", "4/2/2026")]),
        ("yesterday", []),
        (
            "共有12个项目，2026年4月2日发布 v1.2.3",
            [("number", "12"), ("date", "2026-04-02"), ("version", "1.2.3")],
        ),
        ("Сегодня 15 задач", [("number", "15")]),
    ],
)
def test_specifics_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    found = [pair for pair in pairs(text) if pair[0] != "name"]
    assert found == expected


def test_a_relative_date_is_an_atom_of_its_day() -> None:
    assert pairs("shipped yesterday, again next week", THURSDAY) == [
        ("date", "2026-04-01"),
        ("date", "2026-w15"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met Priya Raman and Tobias Wren.", ["Priya Raman", "Tobias Wren"]),
        ("the GDPR group moved to PostgreSQL", ["GDPR", "PostgreSQL"]),
        ("Priya signed it off", ["Priya"]),
        ("Priya's plan, Priya’s review", ["Priya's", "Priya’s"]),
        ("Shipped Osprey. Merged it. Fixed tests.", ["Osprey"]),
        ("Ahmed approved it", ["Ahmed"]),
        ("Mark approved it", ["Mark"]),
        ("Mark the ticket as done", []),
        ("Will ship it", []),
        ("asked Will to ship it", ["Will"]),
        ("Built, sent, kept. Ran it. Wrote docs. Held back.", []),
        ("**Decision:** Use PostgreSQL", ["PostgreSQL"]),
        ("Latency fell. Customers complained. Investors agreed. Deployment failed.", []),
        ("You've seen it; I'm sure we'll know. They're late", []),
        ("DO NOT deploy. We are DOING it. WARNING: never retry", []),
        ("Use Feature Flags For Risky Deploys", []),
        ("Keep Osprey Behind Feature Flags Until Launch", ["Osprey"]),
        ("Nancy and Kelly agreed", ["Nancy", "Kelly"]),
        ("Noor’s Thursday block", ["Noor’s"]),
        ("10:30 Restarted the worker with Sam", ["Sam"]),
        ("the Series B round", ["Series B"]),
        ("我们发布了 Osprey", ["Osprey"]),
        ("José and Zoë met Łukasz", ["José", "Zoë", "Łukasz"]),
    ],
)
def test_names_are_told_from_words_that_open_a_sentence(text: str, expected: list[str]) -> None:
    assert names(text) == expected


SOURCE = entry(
    "10:30 Priya Raman said revenue hit $420M (up 12%) on Apr 2 and PR #212 merged at 3pm; two servers"
    ' left, 5ms p95, deploy v1.4.2 from src/app/api.py by Friday: "ship it, but slowly". See'
    " https://example.com/runbook and `make_all`. Commit 9f3a1c20b7d4e5f6. First of 8 business days.",
    "Osprey",
    "Finance review",
    lead="Decisions:",
)


@pytest.mark.parametrize(
    "claim",
    [
        "Revenue hit 420 million dollars, up 12 percent (2026-04-02).",
        "Priya reported USD 420,000,000 in revenue on April 2, 2026.",
        "PR-212 was merged at 15:00; #212 is in.",
        "2 servers are left; p95 is 5 ms.",
        "Deploying 1.4.2 by 2026-04-03.",
        "Raman: “Ship it, but slowly.”",
        'Osprey finance: "ship it … slowly"',
        "Changed api.py; see example.com/runbook and make_all.",
        "Commit 9f3a1c2 at 10:30.",
        "On Thursday, in April 2026, in 2026-W14, in 2026.",
        "Decided for Friday 2026-04-03.",
        "The 1st of 8 days.",
        "Deployment planned. Deploys follow.",
        "Finance reviewed the servers of Osprey.",
        "Merged, shipped and fixed.",
    ],
)
def test_a_faithful_claim_is_never_refused(claim: str) -> None:
    assert unsupported(claim, [SOURCE]) == ()


@pytest.mark.parametrize(
    ("claim", "invented"),
    [
        ("Revenue hit $421M.", "$421M"),
        ("Revenue hit $420.", "$420"),
        ("Revenue hit €420M.", "€420M"),
        ("Revenue is up 13%.", "13%"),
        ("Merged at 4pm.", "4pm"),
        ("Merged at 3am.", "3am"),
        ("PR-213 merged.", "PR-213"),
        ("Three servers are left.", "Three"),
        ("p95 is 5 s.", "5 s"),
        ("Deploys v1.4.3.", "v1.4.3"),
        ("Due 2026-04-04.", "2026-04-04"),
        ("Due in 2025-04.", "2025-04"),
        ("Due in Q2.", "Q2"),
        ("Tobias signed it off.", "Tobias"),
        ("Priya Patel signed it off.", "Priya Patel"),
        ("The Cheng deal closed.", "Cheng"),
        ("Mark approved it.", "Mark"),
        ("Ahmed approved it.", "Ahmed"),
        ("Changed src/app/apis.py.", "src/app/apis.py"),
        ("See https://example.com/run.", "https://example.com/run"),
        ("Uses `make_none`.", "`make_none`"),
        ("Uses make_non.", "make_non"),
        ("Commit 9f3a1c3.", "9f3a1c3"),
        ('She said "ship it now".', '"ship it now"'),
        ("Ask @priya.", "@priya"),
        ("Due on Tuesday.", "Tuesday"),
    ],
)
def test_an_invented_or_changed_specific_is_caught(claim: str, invented: str) -> None:
    assert [atom.text for atom in unsupported(claim, [SOURCE])] == [invented]


@pytest.mark.parametrize(
    ("source", "claim", "invented"),
    [
        ("Talked to Bob about it.", "Talked to Bobby Tables about it.", ["Bobby"]),
        ("We listed the tables of Bob.", "Met Bobby Tables.", ["Bobby Tables"]),
        ("Tom left.", "Tommy left.", ["Tommy"]),
        ("Talked to Tom and left.", "Andy left.", ["Andy"]),
        ("We met Rob at noon.", "Robber met.", ["Robber"]),
        ("The retry of the rebase failed.", "Retries failed.", []),
        ("All rebasers failed.", "Rebaser failed.", []),
    ],
)
def test_a_name_is_no_form_of_another_name(source: str, claim: str, invented: list[str]) -> None:
    assert [atom.text for atom in unsupported(claim, [Entry("x", source)])] == invented


def test_each_cited_entry_may_support_a_part() -> None:
    one, other = entry("Priya wrote it"), entry("Raman spent $5k", day=date(2026, 4, 9))
    claim = "Priya Raman spent $5,000 (2026-04-02, 2026-04-09)."
    assert unsupported(claim, [one, other]) == ()
    assert [atom.text for atom in unsupported(claim, [one])] == [
        "Priya Raman",
        "$5,000",
        "2026-04-09",
    ]
    assert unsupported_by(claim, [join([support_of(one), support_of(other)])]) == ()


def test_an_entry_vouches_for_its_date_and_its_relative_dates() -> None:
    keys = support_of(entry("Started yesterday, ends next week")).keys
    assert {
        "2026-04-02",
        "2026-04-01",
        "2026-04-06",
        "2026-w15",
        "2026",
        "2026-04",
        "--04-02",
    } <= keys
    assert "2026-04-08" not in keys


def test_a_weekday_of_unclear_week_supports_both_readings() -> None:
    source = entry("We meet next Friday")
    assert unsupported("Meeting on 2026-04-10.", [source]) == ()
    assert unsupported("Meeting on 2026-04-03.", [source]) == ()
    assert unsupported("Meeting on 2026-04-11.", [source]) != ()


def test_a_date_without_year_matches_the_full_one_where_no_day_is_known() -> None:
    source = entry("Launch on Apr 2", day=None)
    assert unsupported("Launch on 2026-04-02", [source]) == ()
    assert unsupported("Launch in 2026-04", [source]) == ()
    assert unsupported("Launch on 2026-04-03", [source]) != ()
    assert unsupported("Closed Q1 2026", [entry("Closed Q1", day=None)]) == ()
    assert unsupported("Closed Q2 2026", [entry("Closed Q1", day=None)]) != ()


def test_a_year_is_taken_from_the_day_of_the_entry() -> None:
    source = entry("Signed on Dec 30", day=date(2026, 1, 5))
    assert unsupported("Signed on 2025-12-30", [source]) == ()
    assert unsupported("Signed on 2026-12-30", [source]) != ()


def test_an_ambiguous_slash_date_supports_either_reading() -> None:
    source = entry("Signed 4/2/2026", day=date(2026, 6, 1))
    assert unsupported("Signed on 2026-04-02", [source]) == ()
    assert unsupported("Signed on 2026-02-04", [source]) == ()
    assert unsupported("Signed on 2026-04-03", [source]) != ()
    assert unsupported("Signed 4/2/2026", [entry("Signed on 2026-04-02")]) == ()


def test_a_unit_in_the_head_of_a_table_reaches_its_rows() -> None:
    row = entry("revenue | 420", lead="| item | amount ($) | share (%) |")
    assert unsupported("Revenue: $420", [row]) == ()
    assert unsupported("Revenue: $421", [row]) != ()


def test_nothing_cited_supports_nothing() -> None:
    assert [atom.text for atom in unsupported("Priya paid $5", [])] == ["Priya", "$5"]
    assert unsupported("it went well", []) == ()


PIECES = st.sampled_from(
    [
        *(
            "Priya Raman",
            "Shipped",
            "the",
            "PostgreSQL",
            "O'Brien",
            "Jean-Luc",
            "We've",
            "Mark",
            "IBM",
        ),
        *(
            "$420M",
            "€5",
            "12%",
            "1,200",
            "3.10",
            "10–12",
            "5ms",
            "two",
            "Third",
            "one million",
            "2nd",
        ),
        *(
            "Apr 2",
            "2026-04-02",
            "yesterday",
            "next Friday",
            "in 3 days",
            "4/2/2026",
            "Q1",
            "Friday",
        ),
        *(
            "3pm",
            "10:30",
            "9-10:30am",
            "v1.4.2",
            "1.4",
            "PR-212",
            "#7",
            "@sam",
            "a_b",
            "x.py:3",
            "/etc/x",
        ),
        *(
            '"ship it"',
            "“go”",
            "`a b`",
            '"',
            "`",
            "“",
            "https://example.com/a.",
            "example.com",
            "9f3a1c2",
        ),
        *(
            "--99-x",
            "2026-99-99",
            "2026-w99",
            "`2026-13-41`",
            "'",
            "’s",
            "(",
            ")",
            ":",
            "\n",
            "**",
            "_",
            ".",
        ),
        *("12个", "Ünïcödé", "İstanbul", "ŉ", "ß", "²", "٣", "…", "-", "–", "%", "$"),
    ]
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(PIECES, max_size=10).map(" ".join),
    st.lists(PIECES, max_size=6).map("".join),
)
DAYS = st.one_of(st.none(), st.dates())


@given(TEXTS, DAYS)
@settings(deadline=None)
@example("Foo'two", None)
@example("İA", None)
def test_every_entry_supports_its_own_text(text: str, day: date | None) -> None:
    assert unsupported(text, [entry(text, day=day)]) == ()


@given(TEXTS, st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 1, 1)))
@settings(deadline=None)
@example("FRIDAY 1,000", date(2001, 1, 1))
def test_every_entry_supports_its_text_with_dates_made_absolute(text: str, day: date) -> None:
    assert unsupported(absolute(text, day), [entry(text, day=day)]) == ()


@given(TEXTS, DAYS)
@settings(deadline=None)
def test_every_atom_is_supported_by_the_text_it_was_found_in(text: str, day: date | None) -> None:
    for atom in find_atoms(text, day):
        assert text[atom.start : atom.end] == atom.text
        assert atom.key
    assert unsupported_by(text, [support_of_text(text, day)]) == ()


WORDS = (
    'Priya signed the lease, approved 1.5.2 at 3:30 p.m. on "the 4 of May" 12 % Anna Kovač v2 '
    "Apr. 3 3. April 2026 no. 7 Condor, for $40 - $45 million; not Friday! `api v1.5` (today)"
)
CLAUSES = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=9).map(" ".join)


def test_marks_that_pair_across_two_clauses_are_judged_as_a_whole() -> None:
    said = 'May" `api "the `api'
    claim = f"{said}. {said}"
    entries = [entry(said, day=date(2026, 4, 2))]
    assert unsupported(claim, entries)
    assert unsupported_by(claim, [support_of(one) for one in entries])


@given(st.lists(CLAUSES, min_size=1, max_size=3), st.lists(CLAUSES, max_size=2), st.data())
def test_words_taken_over_as_they_stand_are_judged_as_if_taken_apart(
    sources: list[str], invented: list[str], data: st.DataObject
) -> None:
    entries = [entry(text, day=date(2026, 4, 2)) for text in sources]
    pieces = data.draw(st.permutations([*sources, *invented]))
    claim = data.draw(st.sampled_from([". ", "; ", ", ", " - ", ": ", " "])).join(pieces)
    apart = unsupported_by(claim, [support_of(one) for one in entries])
    assert bool(unsupported(claim, entries)) == bool(apart)


@given(st.integers(2, 10**9), st.integers(2, 10**9))
@settings(deadline=None)
def test_another_number_is_never_support(said: int, claimed: int) -> None:
    missing = unsupported(f"it took {claimed:,} steps", [entry(f"it took {said} steps", day=None)])
    assert bool(missing) == (said != claimed)


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "A",
        "Ab ",
        "1",
        "1,",
        "1-",
        "$",
        "-",
        "_a",
        "a.",
        "/a",
        "@",
        "#",
        '"',
        "`",
        "two ",
        "a-1",
        "'a",
        "(A",
    ],
)
def test_a_long_hostile_text_is_read_in_one_pass(piece: str) -> None:
    text = piece * (50_000 // len(piece))
    assert unsupported(text, [entry(text)]) == ()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("09:58: the page loads", "09:58"),
        ("Apr 2: done", "--04-02"),
        ("At 7:05:30 it ran", "07:05"),
    ],
)
def test_a_colon_after_a_time_or_a_date_ends_it(text: str, key: str) -> None:
    assert key in atom_keys(text)


def test_a_span_that_is_a_week_supports_its_first_and_last_day() -> None:
    source = [entry("The break is 12–18 October.", day=date(2026, 9, 15))]
    assert unsupported("15 Sep 2026: The break is 12-18 October", source) == ()
