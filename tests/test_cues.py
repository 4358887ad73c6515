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
        ("The boiler hasn't been serviced.", OPEN),
        ("Nobody knows the code of the safe.", OPEN),
        ("We need a second opinion on the roof.", OPEN),
        ("Login fails on the old tablets.", OPEN),
        ("We are sticking with the small van.", DECISIONS),
        ("No calls after nine any more.", DECISIONS),
        ("Every refund needs two signatures.", DECISIONS),
        ("Ana chose the train over the flight.", DECISIONS),
        ("From now on invoices go out on Mondays.", DECISIONS),
        ("The leak is gone.", OUTCOMES),
        ("Fence painted, gate rehung, 420 paid.", OUTCOMES),
        ("The export works again since noon.", OUTCOMES),
        ("The archive holds 4,120 boxes.", CONTEXT),
    ],
)
def test_plain_statements_find_their_section(text: str, section: str) -> None:
    assert cues.section_of(entry(text)) == section


@pytest.mark.parametrize(
    ("text", "lead", "section"),
    [
        ("Gave the seedlings a lamp, so that they cannot stretch again.", "", cues.OUTCOMES),
        ("The trainee could not open the safe; that is intended.", "", cues.CONTEXT),
        ("A crate had blocked the belt and we took it off.", "", cues.CONTEXT),
        ("Courier: the crate has been shipped from Turin, no date.", "Waiting:", cues.OPEN),
        ("The open day is sold out, 60 of 60.", "", cues.OUTCOMES),
        ("Of 12 growers, 9 have agreed to take the new seed.", "", cues.OUTCOMES),
        ("Cause: a type that the parser does not know.", "", cues.CONTEXT),
        ("Cause: still unknown.", "", cues.OPEN),
        ("Open: a price for bicycles", "", cues.OPEN),
        ("The printer owes us 500 leaflets.", "", cues.OPEN),
        ("Noor must still approve the shelf plan.", "", cues.OPEN),
        ("Bank: still nothing on the account", "", cues.OPEN),
        ("Marta wants loans over 200 to be seen by her first.", "", cues.DECISIONS),
    ],
)
def test_trouble_is_open_unless_averted_intended_or_explained(
    text: str, lead: str, section: str
) -> None:
    assert cues.section_of(entry(text, lead=lead)) == section


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
        "Good morning! Ready when you are.",
        "Printed the agenda.",
        "Looked at the dashboards, all green.",
        "INFO server listening on port 8080",
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


def test_what_is_settled_is_told_from_what_is_not() -> None:
    assert cues.settles("Legal has signed the terms, the blocker is resolved.")
    assert not cues.settles("Legal has not signed the terms.")


def test_hedges_share_a_form() -> None:
    assert cues.hedges("It may slip; planned for June") == cues.hedges("He intends to, she may")
    assert cues.hedges("It shipped") == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "It might slip.",
        "The sensor could be at fault.",
        "Probably a cable.",
        "The date is unconfirmed.",
        "Tentatively booked for the 9th.",
        "The move is planned for June.",
        "Ana plans to leave.",
        "The part is expected to arrive on Friday.",
        "Bo proposed a second queue.",
        "A merger is under consideration.",
        "If the vendor agreed, we would switch.",
    ],
)
def test_a_reserve_is_seen(text: str) -> None:
    assert cues.hedges(text)


@pytest.mark.parametrize(
    "text",
    [
        "We buy a bigger disk because the old one guessed wrong last year.",
        "Chose B because nobody could tell the two apart last year.",
        "The plan was signed.",
        "The report shipped in May.",
        "Ana sent the draft to Bo.",
        "Customers should be told first.",
        "It went as planned, and faster than expected.",
        "She could not log in.",
    ],
)
def test_a_rule_a_document_a_month_and_the_past_are_no_reserve(text: str) -> None:
    assert cues.hedges(text) == frozenset()


def test_references_are_addresses_and_channels() -> None:
    text = "The board is at https://dash.example.com/b , talk goes to the channel #launch."
    assert cues.references(text) == ("https://dash.example.com/b", "#launch")
    assert cues.states_reference(text)
    assert not cues.states_reference("PR #12 is merged")


@given(st.text(max_size=200), st.text(max_size=40))
def test_any_text_gets_a_section(text: str, lead: str) -> None:
    assert cues.section_of(entry(text, lead=lead)) in WEEK_SECTIONS


@pytest.mark.parametrize(
    "text",
    ["Printed the agenda.", "Same as yesterday.", "No news today.", "Queue empty, all quiet."],
)
def test_a_chore_is_routine(text: str) -> None:
    assert cues.routine(entry(text))


@pytest.mark.parametrize(
    "text",
    [
        "The patch did not ship.",
        "It will be merged once Ana is back.",
        "A fixed cost of 40 a month.",
        "The film is about a man who decided to leave.",
    ],
)
def test_what_is_not_done_only_described_or_still_to_come_is_no_outcome(text: str) -> None:
    assert cues.section_of(entry(text)) != OUTCOMES


def test_a_letter_that_begins_with_a_greeting_is_not_routine() -> None:
    text = "Hey Ana! We got the keys of the new flat, four rooms and a garden, and move in March."
    assert not cues.routine(entry(text))


@pytest.mark.parametrize("piece", ["not ", "never ", "is done ", "will be ", "a", "if ", "No. "])
def test_a_long_hostile_text_is_read_quickly_enough_to_finish(piece: str) -> None:
    cues.judge(piece * (100_000 // len(piece)), "", ())


def test_what_forbids_is_kept_though_it_names_a_chore() -> None:
    forbids = "Never run migrations while the nightly backup runs; it locked the database."
    assert cues.judge(forbids, "", ()) == (cues.DECISIONS, True)
    assert not cues.judge("The nightly backup ran, no alerts.", "", ())[1]


def test_a_label_may_stand_before_a_spaced_colon_and_begin_with_any_letter() -> None:
    assert cues.judge("Décision : on traduit le manuel.", "", ())[0] == cues.DECISIONS
    assert cues.label_of("Öffentlich: der Plan") == "Öffentlich"


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Don't know where the draught comes from.", OPEN),
        ("We do not understand why the dough falls.", OPEN),
        ("Nobody opens the wet store until the inspector has been.", DECISIONS),
        ("Greta: don't give the trainee more than two ovens, I can't watch them all.", DECISIONS),
        ("Should be dealt with before the frost.", OPEN),
        ("The mill wrote: they will discuss the price on 9 June.", OPEN),
        ("The council wants two more drawings before it decides.", OPEN),
        ("Delivery of the hops slipped from 3 June to 17 June.", OPEN),
        ("The tank holds 80 litres since noon (was 60).", OUTCOMES),
        ("The six barrels came (order 4471).", OUTCOMES),
        ("The cellar pump has a new seal and keeps pressure again.", OUTCOMES),
        ("The tasting moves from 4 June to 11 June.", DECISIONS),
        ("She is against it: the old yeast is the brand.", DECISIONS),
    ],
)
def test_the_sense_counts_and_not_the_cue_word(text: str, section: str) -> None:
    assert cues.section_of(entry(text)) == section
    assert cues.must_keep(entry(text))


@pytest.mark.parametrize(
    "text",
    [
        "Cooling: still no failures, four days now.",
        "No payment failures in the six hours since.",
        "Looked through the gauges. Nothing to do.",
        "The brewer proposes to raise the price of a keg from 90 to 110.",
        "Wants a week of rest before the tap goes live.",
    ],
)
def test_what_is_not_there_not_to_do_or_only_wanted_is_not_kept(text: str) -> None:
    assert not cues.must_keep(entry(text))


def test_a_lesson_is_kept_wherever_it_stands() -> None:
    assert cues.must_keep(entry("Lesson: a full vat is heavier than its crane."))
    assert cues.must_keep(entry("The lesson, in Ida's words: weigh first."))


def test_a_denied_rumour_is_kept() -> None:
    assert cues.must_keep(entry("Asked the bank directly. So the rumour is false."))


def test_what_stands_under_done_is_kept_without_a_word_for_it() -> None:
    assert cues.judge("new hoses on the second filler", "", ("Done",)) == (OUTCOMES, True)


def test_what_might_be_is_neither_done_nor_decided() -> None:
    text = "slatted boxes, stacked by hand and shipped at night"
    assert cues.judge(text, "Options were:", ()) == (CONTEXT, False)
    assert cues.judge(text, "", ())[0] == OUTCOMES


def test_an_explanation_leaves_nothing_open() -> None:
    why = "why does the bell never ring on Sundays"
    assert cues.judge(why, "", ())[0] == OPEN
    assert cues.judge(why, "That explains:", ())[0] == CONTEXT
    assert cues.section_of(entry("Why the cellar smells: the drain runs dry.")) == CONTEXT
    assert cues.section_of(entry("Why does the cellar smell?")) == OPEN


def test_what_is_said_by_the_way_leaves_nothing_open() -> None:
    assert (
        cues.section_of(entry("Branches: Hull (cold store), Ghent (bonded, not open yet)")) != OPEN
    )
    assert cues.section_of(entry("The bonded store in Ghent is not open yet.")) == OPEN


def test_a_suite_that_passes_as_ever_is_routine() -> None:
    assert cues.is_routine("Suite 1,204 passed.")
    assert not cues.is_routine("The load test passed for the first time.")


@pytest.mark.parametrize(
    ("text", "forbids"),
    [
        ("No result passed on yet.", False),
        ("No news on the permit, none expected before the middle of the month.", False),
        ("No alarm before noon.", False),
        ("No deploys on Friday.", True),
        ("No visitors before 9.", True),
    ],
)
def test_to_report_that_there_is_none_forbids_nothing(text: str, forbids: bool) -> None:
    assert cues.states_prohibition(text) is forbids


def test_a_task_with_its_end_behind_an_arrow_is_no_longer_open() -> None:
    assert cues.judge("Rewrite the tariff sheet → done at four", "To do", ())[0] == cues.OUTCOMES
    assert cues.judge("Rewrite the tariff sheet -> Odile", "To do", ())[0] == cues.OPEN


@pytest.mark.parametrize(
    "text",
    [
        "Cellar scale: outline only, in the blue folder.",
        "The mixing rule asks for at least 3 h between two rises.",
        "Jo has a cold, off until at least 14 September.",
        "The timer had rung every time it was wound, so nobody slept.",
        "The eviction policy there is oldest first.",
        "Malt: six sacks left in the loft. Minimum there is 4.",
        "We use about 9,400 corks a month, so that is 12 crates.",
        "The grid's tape: switching fault, 2.1 s, the whole quarter.",
        "Credit note from the mill, 693.00! Only three weeks.",
        "Ida is off, moving her mother.",
        "Round of all the valves: one of 2019, three of 2023.",
        "The notebook agrees on 58 of the 61 casks.",
        "Abel: no sick calls.",
        "No change on the boiler since Monday.",
        "Ruth stays at the mill for the early shift.",
        "That is why the copy comes first.",
        "Store RH 57 %, 17.5 °C.",
        "At least it was not the big kiln.",
        "It isn't the water, it is the air.",
        "Nobody said yes or no.",
        "Who said what.",
        "When the van came, Ida slept.",
        "We'll see.",
        "We should have done that in August.",
        "No time before the fair.",
    ],
)
def test_a_state_a_count_or_a_cause_is_no_decision(text: str) -> None:
    assert cues.by_cues(text, "", False).section == CONTEXT


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Release moved again: 24 -> Tuesday 29 September.", DECISIONS),
        ("So the decision of 7 June is taken back.", DECISIONS),
        ("This overturns what we agreed on 1 June.", DECISIONS),
        ("The rye it is then.", DECISIONS),
        ("Please name every invoice by supplier and date.", DECISIONS),
        ("Please nobody tidies the loft that we can't explain it later.", DECISIONS),
        ("One spare lamp on the shelf always, order at 8,000 hours.", DECISIONS),
        ("We change to the co-op from 1 October.", DECISIONS),
        ("Retention of the tapes goes down to 90 days.", DECISIONS),
        ("The price goes from 0.82 to 0.94 a towel in October.", DECISIONS),
        ("Release target: Friday 18 September.", DECISIONS),
        ("Keep 30 days of the tapes.", DECISIONS),
        ("At least two people on every night shift.", DECISIONS),
        ("Wash the filter every time.", DECISIONS),
        ("Our policy is cash before delivery.", DECISIONS),
        ("The tasting was moved to the afternoon.", DECISIONS),
        ("The landlord agrees to 900 a month.", DECISIONS),
        ("Ada: yes. DECISION: approval is needed from 750 on instead of 500.", DECISIONS),
        ("Corvin wants the reminder in the afternoon only.", DECISIONS),
        ("Please stop posting there, and ring me if it is red.", DECISIONS),
        ("Swell 2 m, may not sail tomorrow.", OPEN),
        ("Both gaps open again (14 and 17 October).", OPEN),
        ("Abel: no taker for the 17th.", OPEN),
        ("Notice has to reach them by 15 September.", OPEN),
        ("Root cause of the blip unknown.", OPEN),
        ("Backed up the settings of all four sites by hand, folder 7.", OUTCOMES),
        ("The index moved to the new host at 03:10.", OUTCOMES),
    ],
)
def test_a_request_for_all_a_new_date_and_a_limit_are_decided_a_doubt_is_open(
    text: str, section: str
) -> None:
    assert cues.by_cues(text, "", False).section == section


@pytest.mark.parametrize(
    "text",
    [
        "Nothing signed; the paper is good for a week.",
        "Offer of the grid: 22.2 ct, but 36 months fixed.",
        "Both passes are fixed, they say.",
        "The yard is open from 7 to 16.",
        "Blocked out Thursday morning for the tasting.",
        "About 31,000 in vouchers are out there.",
        "With printed labels the box costs 220.",
        "Shifts of Ruth: Mon, Wed, Fri.",
    ],
)
def test_an_offer_a_claim_a_range_or_hours_kept_free_are_neither_done_nor_open(text: str) -> None:
    assert cues.section_of(entry(text)) == CONTEXT


def test_what_is_called_a_result_is_one_though_it_leaves_something_to_do() -> None:
    assert cues.section_of(entry("Result: the pilot is alive, needs the board.")) == OUTCOMES
    assert cues.section_of(entry("Result: still no answer.")) == OPEN


@pytest.mark.parametrize(
    "label", ["Bo's risk assessment", "Rule for next time", "Better next time"]
)
def test_a_label_with_a_word_of_what_is_open_in_another_sense_announces_nothing_open(
    label: str,
) -> None:
    assert cues.announced(label) != OPEN
    for plain in ("Risk", "Risks and issues", "Open risks", "Next", "For next week"):
        assert cues.announced(plain) == OPEN


@pytest.mark.parametrize(
    "text",
    [
        "No new orders are taken until 11 January.",
        "Bo gives in.",
        "So cards yes, against what we said on the 6th.",
        "All right, one exception, no second.",
    ],
)
def test_giving_in_and_closing_are_decisions(text: str) -> None:
    assert cues.section_of(entry(text)) == DECISIONS


@pytest.mark.parametrize("label", ["Decision with Ada and Bo Lind", "Decision 10:30 (Ada, Bo, me)"])
def test_a_decision_is_labelled_with_who_took_it_and_when(label: str) -> None:
    text = f"{label}: thin paper, 120 rolls"
    assert cues.label_of(text) == label
    assert cues.section_of(entry(text)) == DECISIONS


def test_who_goes_for_a_walk_has_chosen_nothing() -> None:
    assert cues.section_of(entry("Odile went for a long walk.")) == CONTEXT
    assert cues.section_of(entry("We went for a small van.")) == DECISIONS


def test_in_a_list_for_a_day_to_come_nothing_is_done_unless_it_says_so() -> None:
    assert cues.section_of(entry("valley pumps back to 4.11.2", lead="For Monday")) == OPEN
    assert cues.section_of(entry("valley pumps back to 4.11.2")) == OUTCOMES
    assert cues.section_of(entry("pumps released, done at noon", lead="For Monday")) == OUTCOMES


def test_a_heading_that_is_a_number_or_names_a_fee_announces_nothing() -> None:
    assert cues.section_of(entry("The contact was black on one side.", "D2")) == CONTEXT
    assert cues.announced("Ada on the blocking fee") == ""
    assert cues.announced("Blocking") == cues.announced("Blocking issues") == OPEN


def test_a_heading_over_what_is_done_and_what_is_not_announces_neither() -> None:
    assert cues.announced("Done / not done") == cues.announced("Decisions and open points") == ""
    assert cues.announced("Blocked / waiting") == OPEN
    assert cues.announced("Shipped & merged") == OUTCOMES


@pytest.mark.parametrize("label", ["Until fixed", "Once merged", "Release target", "Release notes"])
def test_a_label_that_speaks_of_a_result_to_come_announces_none(label: str) -> None:
    assert cues.announced(label) == ""
    assert cues.announced("Release 2.8") == cues.announced("Released") == OUTCOMES


def test_may_that_asks_is_a_reserve_and_the_month_is_none() -> None:
    assert cues.hedges("May the fund's money be used for something else?") == {"may"}
    assert cues.hedges("May was wet.") == frozenset()


@pytest.mark.parametrize(
    "text",
    ["Use tabs for indentation.", "Indentation: four spaces from now on.", "No typos in titles."],
)
def test_a_choice_among_decisions_is_kept_though_it_names_a_chore(text: str) -> None:
    entry = Entry("2026-04-02~000000000001", text, ("Decisions",))
    assert (cues.section_of(entry), cues.must_keep(entry)) == (cues.DECISIONS, True)


def test_among_decisions_that_nothing_is_new_is_still_no_decision() -> None:
    assert not cues.must_keep(Entry("2026-04-02~000000000001", "Nothing new.", ("Decisions",)))


@pytest.mark.parametrize("text", ["0 failed.", "None missing.", "Zero alerts."])
def test_that_none_is_there_is_no_trouble(text: str) -> None:
    assert cues.section_of(Entry("2026-04-02~000000000001", text)) != cues.OPEN
