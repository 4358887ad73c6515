from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lithify.text.dates import absolute, find_dates, relative_left
from lithify.text.dates.named import RULES, DateRule
from lithify.text.specifics import find_atoms, unsupported
from lithify.values import Claim, Entry
from lithify.verify import ShownEntries
from lithify.verify.trace import trace

THURSDAY = date(2026, 4, 2)
ANCHORS = st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 12, 31))


def spans(text: str, anchor: date = THURSDAY) -> list[tuple[str, str, str]]:
    return [
        (text[said.start : said.end], said.first.isoformat(), said.last.isoformat())
        for said in find_dates(text, anchor)
    ]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-04-02", "2026-04-02", "2026-04-02"),
        ("2026/4/2", "2026-04-02", "2026-04-02"),
        ("2026年4月2日", "2026-04-02", "2026-04-02"),
        ("Apr 2", "2026-04-02", "2026-04-02"),
        ("Apr. 2", "2026-04-02", "2026-04-02"),
        ("april 2", "2026-04-02", "2026-04-02"),
        ("April 2nd, 2026", "2026-04-02", "2026-04-02"),
        ("April the 2nd", "2026-04-02", "2026-04-02"),
        ("2 April", "2026-04-02", "2026-04-02"),
        ("1st of May 2026", "2026-05-01", "2026-05-01"),
        ("Apr 2–4", "2026-04-02", "2026-04-04"),
        ("10-12 April 2025", "2025-04-10", "2025-04-12"),
        ("13/4/2026", "2026-04-13", "2026-04-13"),
        ("4/13/2026", "2026-04-13", "2026-04-13"),
        ("5/5/2026", "2026-05-05", "2026-05-05"),
        ("2026-04", "2026-04-01", "2026-04-30"),
        ("March 2026", "2026-03-01", "2026-03-31"),
        ("2026-W14", "2026-03-30", "2026-04-05"),
        ("Q1 2026", "2026-01-01", "2026-03-31"),
        ("2026-Q3", "2026-07-01", "2026-09-30"),
        ("Q4", "2025-10-01", "2025-12-31"),
        ("September", "2026-09-01", "2026-09-30"),
        ("Dec 30", "2025-12-30", "2025-12-30"),
        ("Feb 29", "2028-02-29", "2028-02-29"),
    ],
)
def test_an_absolute_date_is_found_whole(text: str, first: str, last: str) -> None:
    assert spans(text) == [(text, first, last)]
    assert not find_dates(text, THURSDAY)[0].relative


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Apr 2: the disk was full", "Apr 2"),
        ("2 April: the disk was full", "2 April"),
        ("the evening of Apr 2: all back", "Apr 2"),
        ("2026-04-02: all back", "2026-04-02"),
    ],
)
def test_a_colon_ends_a_date(text: str, said: str) -> None:
    assert spans(text) == [(said, "2026-04-02", "2026-04-02")]


@pytest.mark.parametrize(
    ("text", "said", "first", "last"),
    [
        ("in March", "March", "2026-03-01", "2026-03-31"),
        ("by mid-April", "April", "2026-04-01", "2026-04-30"),
        ("at the end of May", "May", "2026-05-01", "2026-05-31"),
        ("in 2025", "2025", "2025-01-01", "2025-12-31"),
        ("since 2024 it holds", "2024", "2024-01-01", "2024-12-31"),
        ("at 2026-04-02T10:00Z", "2026-04-02", "2026-04-02", "2026-04-02"),
    ],
)
def test_a_bare_month_or_year_needs_its_preposition(
    text: str, said: str, first: str, last: str
) -> None:
    assert spans(text) == [(said, first, last)]


@pytest.mark.parametrize(
    "text",
    [
        "4/2/2026",
        "you may march on",
        "it may 5 times",
        "The sun sat down, mon ami",
        "may be sat on",
        "on sun and sat",
        "April signed it off",
        "2025 entries",
        "version 2026.04.02",
        "2026-13-01",
        "April 31",
        "2026-W60",
        "one day, someday, the other day, day by day",
        "at the end of the day it works",
        "every Monday, on Fridays, on Friday nights",
        "Monday",
        "the last week was hard",
        "over the next month",
        "finished in 3 days",
        "the first outage in two years",
        "took 20 minutes, in 20 minutes",
        "last time, next step, this one",
        "yesterday_build today.md /tomorrow @today #tonight",
        "nextweek lastyear",
        "3,700 years ago",
        "signed 1,200 days ago",
        "1.500 weeks ago",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert spans(text) == []


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("today", "2026-04-02", "2026-04-02"),
        ("tonight", "2026-04-02", "2026-04-02"),
        ("this morning", "2026-04-02", "2026-04-02"),
        ("yesterday", "2026-04-01", "2026-04-01"),
        ("Tomorrow evening", "2026-04-03", "2026-04-03"),
        ("last night", "2026-04-01", "2026-04-01"),
        ("the day before yesterday", "2026-03-31", "2026-03-31"),
        ("the day after tomorrow", "2026-04-04", "2026-04-04"),
        ("last Tuesday", "2026-03-31", "2026-03-31"),
        ("last Thursday", "2026-03-26", "2026-03-26"),
        ("next Tuesday", "2026-04-07", "2026-04-07"),
        ("next Fri", "2026-04-10", "2026-04-10"),
        ("this Sunday", "2026-04-05", "2026-04-05"),
        ("this past Friday", "2026-03-27", "2026-03-27"),
        ("this coming Monday", "2026-04-06", "2026-04-06"),
        ("Monday of next week", "2026-04-06", "2026-04-06"),
        ("next week on Tuesday", "2026-04-07", "2026-04-07"),
        ("two weeks ago", "2026-03-19", "2026-03-19"),
        ("a week ago", "2026-03-26", "2026-03-26"),
        ("3 days ago", "2026-03-30", "2026-03-30"),
        ("2d ago", "2026-03-31", "2026-03-31"),
        ("an hour ago", "2026-04-02", "2026-04-02"),
        ("in 3 days", "2026-04-05", "2026-04-05"),
        ("10 days from now", "2026-04-12", "2026-04-12"),
        ("three months ago", "2026-01-01", "2026-01-31"),
        ("a year ago", "2025-01-01", "2025-12-31"),
        ("a few days ago", "2026-03-27", "2026-03-31"),
        ("this week", "2026-03-30", "2026-04-05"),
        ("next week", "2026-04-06", "2026-04-12"),
        ("the week after next", "2026-04-13", "2026-04-19"),
        ("last weekend", "2026-03-28", "2026-03-29"),
        ("this weekend", "2026-04-04", "2026-04-05"),
        ("last month", "2026-03-01", "2026-03-31"),
        ("next quarter", "2026-07-01", "2026-09-30"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("last March", "2026-03-01", "2026-03-31"),
        ("next March", "2027-03-01", "2027-03-31"),
    ],
)
def test_a_relative_date_is_resolved_against_its_day(text: str, first: str, last: str) -> None:
    assert spans(text) == [(text, first, last)]
    assert find_dates(text, THURSDAY)[0].relative


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("by Friday", ["2026-04-03"]),
        ("by Thursday", ["2026-04-02"]),
        ("until Wednesday", ["2026-04-08"]),
        ("since Wednesday", ["2026-04-01"]),
        ("we met on Monday", ["2026-03-30"]),
        ("we will meet on Monday", ["2026-04-06"]),
        ("the review is due Monday", ["2026-04-06"]),
        ("by EOD Friday", ["2026-04-03"]),
        ("by Monday or Tuesday", ["2026-04-06", "2026-04-07"]),
        ("he was out from Monday to Wednesday", ["2026-03-30", "2026-04-01"]),
        ("they met on Wednesday and Monday", ["2026-04-01", "2026-03-30"]),
        ("he has been out from Monday to Friday", ["2026-03-30", "2026-04-03"]),
    ],
)
def test_a_weekday_is_read_by_the_words_around_it(text: str, days: list[str]) -> None:
    assert [said.first.isoformat() for said in find_dates(text, THURSDAY)] == days


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("The concert on Sunday is cancelled", "2026-04-05"),
        ("The tour on Monday is fully booked", "2026-04-06"),
        ("The office is closed on Monday", "2026-04-06"),
        ("The valve will be replaced on Monday", "2026-04-06"),
        ("Rolled out the patch to 20 hosts; the others follow on Monday", "2026-04-06"),
        ("The second crew joins on Monday", "2026-04-06"),
        ("The roofers end on Tuesday", "2026-04-07"),
        ("Settled at last: Runa carries the keys on Monday", "2026-04-06"),
        ("Ada has her driving test on Monday", "2026-04-06"),
        ("Ada has driven home on Monday", "2026-03-30"),
        ("Ring Ada (she rows in the race on Sunday)", "2026-04-05"),
        ("Ada wants the sheet on Tuesday, one page", "2026-04-07"),
        ("Two of six chapters, the rest on Tuesday", "2026-04-07"),
        ("The tasting on Tuesday went well", "2026-03-31"),
        ("The rebuild on Tuesday is finished", "2026-03-31"),
    ],
)
def test_only_a_finite_past_verb_looks_back_from_a_weekday(text: str, day: str) -> None:
    assert [first for _, first, _ in spans(text)] == [day]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        # The verb of the weekday's own clause counts, wherever it stands.
        ("The fan is set to start at six, and on Monday the fuse didn't hold", "2026-03-30"),
        ("On Monday, Ola found the leak", "2026-03-30"),
        ("Ola, who was away on Monday, has the figures", "2026-03-30"),
        ("The jury sat on Monday until midnight", "2026-03-30"),
        ("No crane was needed on Monday", "2026-03-30"),
        ("The scheduling office reopened on Monday", "2026-03-30"),
        ("Sample taken on Monday, result unknown", "2026-03-30"),
        ("He did not get round to it on Monday, he was ill", "2026-03-30"),
        ("The boxes were moved on Monday by two people as always", "2026-03-30"),
        ("Rang Ola on Monday about the keys", "2026-03-30"),
        ("Asked Ola on Monday", "2026-03-30"),
        ("Ola had asked for an offer on Monday", "2026-03-30"),
        ("The signed form came on Monday", "2026-03-30"),
        ("Moved the crates to the cellar, to be fetched on Monday", "2026-04-06"),
        ("Old server, to be switched off on Monday", "2026-04-06"),
        ("The badges get printed on Monday", "2026-04-06"),
        ("Ola wants every crate packed on Monday", "2026-04-06"),
        ("She will bring the signed form on Monday", "2026-04-06"),
        ("The pool stays closed on Monday", "2026-04-06"),
        ("Ola brings the drill on Monday", "2026-04-06"),
        ("Ola brings it, on Monday.", "2026-04-06"),
        ("I'm back on Monday", "2026-04-06"),
        ("From Monday the side door is locked", "2026-04-06"),
        ("Coming to measure on Monday", "2026-04-06"),
    ],
)
def test_a_weekday_points_where_the_verb_of_its_clause_does(text: str, day: str) -> None:
    assert [first for _, first, _ in spans(text)] == [day]
    assert absolute(text, THURSDAY) == text.replace("Monday", day)


@pytest.mark.parametrize(
    "text",
    [
        "He said well, fine, look for the cause on Monday",
        "Ola asked me to open the box on Monday",
        "She asked for one page on Monday",
        "Ola promised the drawings on Monday",
        "It would have stopped on Monday",
        "The part was due on Monday",
        "The part was supposed to come on Monday",
        "It should have been signed on Monday",
        "Two short outages on Monday",
        "First visitors on Monday",
        "Reading on Monday: 4.2 bar",
        "The pump is mended, rehearsal on Monday",
        "40 orders on Monday, when the desk is closed",
        "It gets emptied on Monday, never on Fridays",
        "Every shift begins on Monday",
        "The drill moves from Monday to Wednesday, as Mondays are full",
        "The hall had been dry by Monday",
        "The desk is open from Monday to Saturday",
        "Never paint on Friday",
        "It has failed to please anyone ahead of the opening on Friday",
        "Can it wait until the visit on Monday week?",
        "next Friday",
        "Ola's last Friday but one",
        "in her last week here",
        "Three failures in ten days",
        "Thirteen pages in five days, not one led to anything",
        "So in one month it has been 40 and 50",
        "The bill goes out, due in 30 days",
        "Last Friday before the fair.",
        "Last month at that price.",
        "for the whole last week of September",
        "all packed but for the last night's",
        "Bills are to reach her in one batch by noon on Thursday",
        "0 alarms in two weeks",
        "the second time in a week",
        "whether it would land in 12 months",
        "They are to be with him by Tuesday noon of the board week",
        "She leaves at noon on Wednesdays, so what comes in later waits until Thursday",
    ],
)
def test_what_nobody_can_tell_stays_as_it_was_said(text: str) -> None:
    assert absolute(text, THURSDAY) == text
    assert relative_left(text) == []


def test_what_is_put_on_a_day_is_to_come() -> None:
    assert (
        absolute("she has put it on Monday 09:00", THURSDAY) == "she has put it on 2026-04-06 09:00"
    )
    for text in (
        "rehearsal on Monday",
        "she would come on Monday",
        "it was due on Monday",
        "she asked for it on Monday",
    ):
        assert absolute(text, THURSDAY) == text
    for text in ("seen on Monday", "build frozen on Monday"):
        assert relative_left(text) == []


def test_an_unclear_weekday_is_a_guess_that_names_no_date_of_its_own() -> None:
    (said,) = find_dates("rehearsal on Monday", THURSDAY)
    assert said.unclear and not said.exact
    assert [atom.key for atom in find_atoms("rehearsal on Monday", THURSDAY)] == ["monday"]
    source = [Entry(f"{THURSDAY}~{'0' * 12}", "rehearsal on Monday", day=THURSDAY)]
    for day in ("Monday", "2026-04-06", "2026-03-30"):
        assert not unsupported(f"rehearsal on {day}", source)
    assert unsupported("rehearsal on 2026-04-07", source)


def test_a_weekday_its_source_leaves_open_stands_with_the_day_it_was_said() -> None:
    open_ = Entry(f"{THURSDAY}~{'0' * 12}", "Visit on Monday", day=THURSDAY)
    said = replace(open_, text="Ola said go, he calls on Monday")
    told = [
        trace(Claim(text, (entry.id,)), ShownEntries.of([entry]))
        for text, entry in (("Visit on Monday", open_), ("He calls on Monday", said))
    ]
    assert [wrong for _, wrong, _ in told] == [(), ()]
    assert [claim.text for claim, *_ in told] == [
        f"Visit on Monday [said {THURSDAY}]",
        "He calls on 2026-04-06",
    ]


def test_a_guess_says_that_it_is_one() -> None:
    exact = {
        text: find_dates(text, THURSDAY)[0].exact
        for text in ("2026-04-02", "yesterday", "by Friday", "next Tuesday", "3 days ago")
    }
    guessed = {
        text: find_dates(text, THURSDAY)[0].exact
        for text in ("Apr 2", "on Monday", "next Friday", "two weeks ago", "a few days ago", "Q1")
    }
    assert all(exact.values()) and not any(guessed.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday", "2026-04-01"),
        ("by Friday", "by 2026-04-03"),
        ("next week", "the week of 2026-04-06"),
        ("last month", "2026-03"),
        ("last year", "2025"),
        ("Shipped it yesterday.", "Shipped it on 2026-04-01."),
        ("Yesterday we shipped", "On 2026-04-01 we shipped"),
        ("Yesterday: shipped", "2026-04-01: shipped"),
        ("as of today the flag is off", "as of 2026-04-02 the flag is off"),
        ("Met Priya this morning", "Met Priya on the morning of 2026-04-02"),
        ("Dinner tonight, then home", "Dinner on the evening of 2026-04-02, then home"),
        ("last month was hard", "2026-03 was hard"),
        ("costs rose last month", "costs rose in 2026-03"),
        ("since last quarter", "since Q1 2026"),
        ("hiked last weekend", "hiked over the weekend of 2026-03-28"),
        ("earlier this week", "earlier in the week of 2026-03-30"),
        ("Launch in 3 days", "Launch on 2026-04-05"),
        ("agreed two weeks ago", "agreed around 2026-03-19"),
        ("about a year ago", "about 2025"),
        ("asked a few days ago", "asked a few days before 2026-04-02"),
        ("by EOD", "by the end of 2026-04-02"),
        ("by the end of the week", "by the end of the week of 2026-03-30"),
        ("due by Monday or Tuesday.", "due by 2026-04-06 or 2026-04-07."),
        ("Done (yesterday)", "Done (2026-04-01)"),
        (
            "the TTL is 10 minutes from today, not 15",
            "the TTL is 10 minutes from 2026-04-02 on, not 15",
        ),
        ("kept 30 days from today, no longer 14", "kept 30 days from 2026-04-02 on, no longer 14"),
        ("Ana owns billing from today; Bo helps", "Ana owns billing from 2026-04-02 on; Bo helps"),
        ("from today on it holds", "from 2026-04-02 on it holds"),
        ("the notes from today", "the notes from 2026-04-02"),
        ("The launch is 10 days from today", "The launch is 10 days from 2026-04-02"),
        ("The mail came in yesterday.", "The mail came in on 2026-04-01."),
        ("Three came in this morning", "Three came in on the morning of 2026-04-02"),
        ("All thoughts on tomorrow.", "All thoughts on 2026-04-03."),
        (
            "The talk with Ola last week was fine",
            "The talk with Ola in the week of 2026-03-23 was fine",
        ),
        ("A form that worked last year is no proof", "A form that worked in 2025 is no proof"),
        ("The rest slipped, and yesterday was dull", "The rest slipped, and 2026-04-01 was dull"),
        ("And this morning Ola rang", "And on the morning of 2026-04-02 Ola rang"),
        ("He is off today and tomorrow", "He is off on 2026-04-02 and 2026-04-03"),
        (
            "no visits from today 12:00 until Friday",
            "no visits from 2026-04-02 12:00 until 2026-04-03",
        ),
        ("seats - today: 9; yesterday: 7", "seats - 2026-04-02: 9; 2026-04-01: 7"),
        ("Sold yesterday 1,377.", "Sold on 2026-04-01, 1,377."),
        ("She comes tomorrow week.", "She comes on 2026-04-10."),
        ("Open tomorrow 9 am", "Open on 2026-04-03 9 am"),
        ("sold yesterday 2012 of them", "sold on 2026-04-01 2012 of them"),
        ("expected mid next week", "expected mid 2026-W15"),
        ("Not urgent, this year.", "Not urgent, in 2026."),
        ("away all next week", "away all the week of 2026-04-06"),
        ("That makes Monday the 6th the last day", "That makes 2026-04-06 the last day"),
        ("flight Fri 3rd / Sat 4th", "flight on 2026-04-03 / 2026-04-04"),
        ("two samples: Friday 3rd, then one later", "two samples: 2026-04-03, then one later"),
    ],
)
def test_a_rewritten_sentence_reads_alone(text: str, expected: str) -> None:
    assert absolute(text, THURSDAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Today's and Tomorrow's meetings are REQUIRED fields",
        "This morning's morning brief was late",
        "Today’s standup slipped",
        "Two of last year's three bad weekends",
        "It wrote tonight's before the move",
        "Made explicit that Today and Tomorrow are REQUIRED fields",
        "the tomorrow section comes before the today section",
        "we held the last Friday meeting",
        "a 'yesterday' log is read, and `git log --since yesterday`",
    ],
)
def test_a_day_that_is_part_of_a_name_or_owns_what_follows_stays(text: str) -> None:
    assert absolute(text, THURSDAY) == text


@pytest.mark.parametrize(
    "text",
    [
        'She wrote "see you tomorrow" and left',
        "She wrote “see you tomorrow” and left",
        "the 'next week' label",
        "run `git log --since yesterday`",
        "see https://example.com/by/today?x=tomorrow",
        "[notes](today.md)",
        "links expire in 7 days",
        "every request is answered in 3 days",
        "valid for 15 minutes from now on",
        "tomorrow (2026-04-03)",
        "on Friday, April 17",
        "the other day, one day, someday, day by day",
        "You may march with the sun",
        "Shipped on 2026-04-02, reviewed Apr 3, closed in March",
        "",
    ],
)
def test_text_that_is_absolute_or_verbatim_stays(text: str) -> None:
    assert absolute(text, THURSDAY) == text
    assert relative_left(text) == []


def test_what_is_still_relative_is_named() -> None:
    text = 'Ship it tomorrow or by Friday, not "next week"; two weeks ago it failed.'
    assert relative_left(text) == ["tomorrow", "Friday", "two weeks ago"]


PHRASES = st.sampled_from(
    [
        "today",
        "tonight",
        "Yesterday",
        "tomorrow night",
        "this morning",
        "last night",
        "the day before yesterday",
        "last Tuesday",
        "next Friday",
        "next Tuesday",
        "this Sunday",
        "this Tuesday",
        "by Friday",
        "on Monday",
        "until Wed",
        "since Thursday",
        "due Monday",
        "two weeks ago",
        "a week ago",
        "a few days ago",
        "3 days ago",
        "in 3 days",
        "in two weeks",
        "5 days from now",
        "next week",
        "last month",
        "this quarter",
        "last year",
        "last weekend",
        "last March",
        "by EOD",
        "today's",
        "this week's",
        "Monday of next week",
        "on Monday and Tuesday",
        "by the end of the month",
        "a couple of days ago",
    ]
)
FILLERS = st.sampled_from(
    [
        "",
        "we met",
        "Shipped",
        "and",
        "the",
        "on",
        "by",
        "in",
        "(",
        ")",
        ",",
        ".",
        ":",
        "will",
        "'s",
        "was",
        "—",
        "-",
        "/",
        "2026-04-01",
        "April 3",
        "this",
        "last",
        "of",
        "next",
        "\n",
        "Priya’s",
    ]
)


@given(st.lists(st.one_of(PHRASES, FILLERS), max_size=8), ANCHORS)
@example(["on Monday", "the day before yesterday", "we met"], date(2000, 1, 1))
@settings(deadline=None)
def test_nothing_relative_is_left_of_the_known_forms(parts: list[str], anchor: date) -> None:
    rewritten = absolute(" ".join(parts), anchor)
    # "The tomorrow", "tomorrow's" and a "Yesterday" amid a sentence are left: parts of a name.
    assert all(
        said.unclear
        or rewritten[said.end :].startswith(("'s", "’s"))
        or rewritten[: said.start].rstrip().lower().endswith("the")
        or rewritten[said.start : said.end] == "Yesterday"
        for said in find_dates(rewritten, anchor)
        if said.relative
    )
    assert absolute(rewritten, anchor) == rewritten


@given(st.text(), st.dates())
@settings(deadline=None)
def test_any_text_on_any_day_is_survived(text: str, anchor: date) -> None:
    for said in find_dates(text, anchor):
        assert 0 <= said.start < said.end <= len(text)
        assert said.first <= said.last
    absolute(text, anchor)
    relative_left(text)


@given(st.lists(st.one_of(PHRASES, FILLERS), max_size=8), st.dates())
@settings(deadline=None)
def test_no_day_is_too_early_or_too_late(parts: list[str], anchor: date) -> None:
    absolute(" ".join(parts), anchor)


@given(ANCHORS, ANCHORS)
@settings(deadline=None)
def test_every_day_is_read_back_from_its_own_spelling(day: date, anchor: date) -> None:
    for spelling in (
        day.isoformat(),
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
    ):
        assert [(said.first, said.last) for said in find_dates(spelling, anchor)] == [(day, day)]


@given(ANCHORS)
@settings(deadline=None)
def test_a_missing_year_is_the_nearest(anchor: date) -> None:
    for ahead in (-150, -1, 0, 1, 150):
        day = anchor + timedelta(ahead)
        if (day.month, day.day) != (2, 29):
            assert find_dates(f"{day:%B} {day.day}", anchor)[0].first == day


@pytest.mark.parametrize(
    "piece", ["today", "in ", "last ", "on Mon ", '"', "`", "(", "](", "a few ", "2026-", "9"]
)
def test_a_long_hostile_text_is_read_in_one_pass(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    absolute(text, THURSDAY)
    relative_left(text)


FIGURES = st.sampled_from(
    [
        "5 minutes",
        "30 days",
        "14",
        "$1,200",
        "12.25%",
        "three weeks",
        "15",
        "two",
        "1.5 GB",
        "from",
        "from today",
        "from now",
        "is",
        "of",
        "kept",
        "in",
        "where it was",
        "due in 3 days",
    ]
)


COUNTING = re.compile(r"^in\s|\b(?:ago|now)$")


@given(st.lists(st.one_of(FIGURES, FIGURES, PHRASES, FILLERS), max_size=10), ANCHORS)
@example(["last Tuesday", "14"], date(2000, 1, 1))
@settings(deadline=None)
def test_no_figure_is_lost_but_the_count_of_a_date_which_stays_traceable(
    parts: list[str], anchor: date
) -> None:
    text = " ".join(parts)
    resolved = [said for said in find_dates(text, anchor) if said.relative]
    rewritten = absolute(text, anchor)
    left = [atom.key for atom in find_atoms(rewritten)]
    for atom in find_atoms(text):
        # A weekday's own number is told by its date.
        inside = any(
            said.start <= atom.start < said.end
            and (COUNTING.search(text[said.start : said.end]) or atom.key == str(said.first.day))
            for said in resolved
        )
        if atom.kind in ("number", "money", "percent") and not inside:
            assert atom.key in left
            left.remove(atom.key)
    missing = unsupported(rewritten, [Entry(f"{anchor}~{'0' * 12}", text, day=anchor)])
    assert not [atom for atom in missing if atom.kind == "date"]


ABSOLUTE = {rule.pattern: rule for rules in RULES.values() for rule in rules if rule.absolute}
NAMED = (
    "Apr 2; 2 April; April 2026; in May; 2026-04-02; 2026年4月2日; 2026-W14; in 2026; 13/4/2026;"
    " 3. März; 13.4.2026; Q3"
)


@pytest.mark.parametrize("rule", ABSOLUTE.values(), ids=lambda rule: rule.reading.__name__)
def test_what_is_read_as_absolute_needs_no_rewording(rule: DateRule) -> None:
    matches = [match for at in range(len(NAMED)) if (match := rule.pattern.match(NAMED, at))]
    hits = [hit for match in matches if (hit := rule.reading(match, THURSDAY))]
    assert hits and not any(hit.form for hit in hits)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("the drill on Tuesday the 16th is off", "the drill on 2026-06-16 is off"),
        ("by Friday 12th it ships", "by 2026-06-12 it ships"),
        (
            "it moves from Tuesday 16 to Thursday 18 June",
            "it moves from 2026-06-16 to Thursday 18 June",
        ),
        ("it opens on Tuesday 16", "it opens on 2026-06-16"),
        ("on Sat 20 and Sun 21 June", "on Sat 20 and Sun 21 June"),
        ("she may take tomorrow off", "she may take 2026-06-09 off"),
        ("after this month of worry", "after this month of worry"),
        ("it was her last Friday here", "it was her last Friday here"),
        ("on Tuesday, the 16th of June", "on Tuesday, the 16th of June"),
        ("we meet next Wednesday, the 17th", "we meet on 2026-06-17"),
        ("it slips from today to Thu 18 June", "it slips from 2026-06-08 to Thu 18 June"),
        ("he wants the other 28 in five days", "he wants the other 28 in five days"),
        ("they come in five days", "they come on 2026-06-13"),
    ],
)
def test_a_weekday_beside_its_number_and_an_amount_beside_a_term(text: str, told: str) -> None:
    assert absolute(text, date(2026, 6, 8)) == told


def test_a_last_day_with_a_verb_of_its_own_is_a_day() -> None:
    text = "Last Friday at the class with a group of friends I felt it."
    (day,) = find_dates(text, date(2023, 7, 23))
    assert day.first == date(2023, 7, 21)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        # The verb of the clause itself may be a habit or a plan: nobody can tell.
        ("Made a check that runs on Sunday at 4:00.", "Made a check that runs on Sunday at 4:00."),
        ("Sent the letter that came on Monday.", "Sent the letter that came on 2026-03-30."),
        # What stays on a weekday is so every week.
        ("The refresh stays on Sunday.", "The refresh stays on Sunday."),
        ("Ada stays until Sunday.", "Ada stays until 2026-04-05."),
        # What has been so since a day looks back, whatever its first verb.
        (
            "Units 4 and 5 have a hole on Sunday and run ahead since.",
            "Units 4 and 5 have a hole on 2026-03-29 and run ahead since.",
        ),
    ],
)
def test_a_clause_within_another_has_its_own_verb_and_since_looks_back(
    text: str, right: str
) -> None:
    assert absolute(text, date(2026, 4, 2)) == right


@pytest.mark.parametrize(
    "text",
    [
        "sessions by mtime > today",
        "shown in Today view",
        "first published Jan 4, 2026, last Jan 25 (39 versions)",
    ],
)
def test_a_value_a_name_and_a_day_of_a_month_are_no_relative_dates(text: str) -> None:
    assert absolute(text, THURSDAY) == text
