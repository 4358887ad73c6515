"""What a month promises its reader: changes told as changes, threads that cohere, items still open."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from lithify.engines import offline
from lithify.engines.offline.lasting.reversals import reverses
from lithify.engines.offline.matters.change import changes
from lithify.engines.offline.matters.pairs import needed_with, told_together
from lithify.engines.offline.matters.retold import from_to, small
from lithify.engines.offline.matters.themes import ByTheme, Theme
from lithify.engines.offline.matters.told import tells_change
from lithify.engines.offline.page.bullets import Packing, day_words
from lithify.engines.offline.reading.units import units_of
from lithify.markdown.parse import parse
from lithify.text.atoms import unsupported
from lithify.text.tokens import estimate
from lithify.values import MONTH_SECTIONS, Brief, Claim, Entry
from lithify.verify.claims import Shown, examine

START = date(2026, 4, 6)
PLACES = ("Aldmoor", "Brackley", "Cawdale", "Dunmere", "Eastwick", "Farrow", "Gorse", "Hexley")
FILLER = "\n".join(
    f"- {place} has a quay of {stone} stones, laid by {who} and washed by the {wind} wind."
    for place, stone, who, wind in zip(
        PLACES,
        ("grey", "round", "black", "white", "loose", "heavy", "flat", "sharp"),
        ("monks", "sailors", "weavers", "farmers", "masons", "millers", "bakers", "coopers"),
        ("west", "north", "salt", "spring", "cold", "summer", "dry", "evening"),
        strict=True,
    )
)


def log(*texts: str, gap: int = 8) -> tuple[Entry, ...]:
    """The entries of some days, a gap apart."""
    found: list[Entry] = []
    for number, text in enumerate(texts):
        day = START + timedelta(days=gap * number)
        found += parse(text.encode(), label=day.isoformat(), day=day).entries
    return tuple(found)


def month(entries: tuple[Entry, ...], share: float = 0.6) -> tuple[Claim, ...]:
    """A month of the entries, every claim of which the verifier lets stand."""
    size = max(401, sum(estimate(entry.text) for entry in entries))
    claims = tuple(Claim(entry.text, (entry.id,)) for entry in entries)
    target = int(share * size)
    brief = Brief("month", "2026-04", MONTH_SECTIONS, entries, claims, target=target, size=size)
    shown = Shown.of(entries)
    found = offline.write(brief).claims
    for claim in found:
        assert examine(claim, shown, extractive=True) == ()
        assert unsupported(claim.text, [shown.entries[id] for id in claim.sources]) == ()
        assert estimate(f"- {claim.text}") <= 60
    return found


def told(entries: tuple[Entry, ...], section: str) -> str:
    return "\n".join(claim.text for claim in month(entries) if claim.section == section)


def test_a_decision_taken_back_by_its_day_is_told_with_what_is_done_instead() -> None:
    entries = log(
        f"- Ana and Bo decided on headphones, six pairs on hooks.\n{FILLER}",
        "- Benches it is: of oak, with shakers under the seat. Six pairs of headphones make a queue. "
        "So the decision of 6 April is taken back.",
    )
    assert (
        "6 Apr - Ana and Bo decided on headphones, six pairs on hooks. "
        "Reversed on 14 Apr: Benches it is: of oak, with shakers under the seat"
    ) in told(entries, "Themes")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("Bus is RabbitMQ.", "Bus is Kafka, not RabbitMQ.", "Bus: from RabbitMQ to Kafka"),
        (
            "The bus runs on RabbitMQ.",
            "The bus runs on Kafka instead of RabbitMQ, because replay is needed.",
            "The bus: from RabbitMQ to Kafka, because replay is needed",
        ),
        ("Launch in May.", "Launch moved from May to June.", "Launch moved from May to June"),
        ("Blue gate is blocked.", "Blue gate is now done.", "Blue gate: from blocked to done"),
        ("My desk is in Ghent.", "My desk is in Farrow.", "My desk: from Ghent to Farrow"),
    ],
)
def test_a_value_and_what_replaced_it_are_named_by_their_own_words(
    old: str, new: str, text: str
) -> None:
    assert from_to(old, new) == text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # What a thing did is no value.
        ("Crane 4 didn't come.", "Crane 4 is back at last, with a new rope."),
        ("Trains leave on Fridays.", "Trains no longer leave on Fridays; they leave on Tuesdays."),
        ("We use Postgres for the ledger.", "We are dropping Postgres for the ledger."),
        ("It is grey.", "It is white."),
        ("Rail is slow.", "Barges are slow."),
        ("Await Ada's first list.", "Await Ada's last list."),
    ],
)
def test_sentences_without_one_frame_are_not_forced_into_from_and_to(old: str, new: str) -> None:
    assert from_to(old, new) == ""


def test_a_reversal_tells_which_is_in_force_and_stands_among_the_turns() -> None:
    entries = log(
        f"- Decision: we use Postgres for the ledger, because Ana knows it.\n{FILLER}",
        "- Decision: we drop Postgres for the ledger and go with SQLite.",
    )
    text = told(entries, "Trajectory")
    assert "because Ana knows it. Reversed on 14 Apr: we drop Postgres" in text


def test_what_i_did_keeps_its_capital_inside_a_sentence() -> None:
    assert small("I left it open.", "") == "I left it open."
    assert small("The gate is shut.", "") == "the gate is shut."
    assert small("Kafka it is.", "Kafka it is.") == "Kafka it is."


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            "Use a short framing for all board-facing drafts.",
            "Ana asked me to keep family items apart and not let work-facing plans touch them.",
        ),
        (
            "Kept the buyer's name and the price isolated to this session.",
            "Kept the session as a short check-in rather than a price review.",
        ),
        (
            "Held the work in kickoff posture.",
            "Marked the old memo as the superseded reading and held the work in kickoff posture.",
        ),
        (
            "Stay in the review until the contract is read.",
            "Ana asked whether the team should move from review into talks.",
        ),
        (
            "Confirmed 40 euros as the fee for the north pier.",
            "Replaced the fee for the north pier with 40 euros.",
        ),
        ("Keep the final story in step with Bo.", "Left the story ready for review but not final."),
    ],
)
def test_words_in_common_are_no_reversal(earlier: str, later: str) -> None:
    assert not reverses(later, earlier)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Support goes to the Lisbon team.", "Support goes to Porto, the Lisbon team is out."),
        ("Going with Terraform for provisioning.", "We abandon Terraform for provisioning."),
        ("Use feature flags for the rollout.", "Decision reversed: rollout without feature flags."),
        ("Chose Stripe as payment provider.", "Replaced Stripe with Adyen as payment provider."),
    ],
)
def test_a_choice_turned_away_from_is_reversed(earlier: str, later: str) -> None:
    assert reverses(later, earlier)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (
            "Cache lifetime is 15 minutes.",
            "Cache lifetime is 5 minutes, set by Ana.",
            "Cache lifetime: from 15 minutes to 5 minutes",
        ),
        (
            "Deployed tide-api 1.2.0 to hall two.",
            "tide-api 1.4.1 is live, no errors.",
            "tide-api: from 1.2.0 to 1.4.1",
        ),
        (
            "Hall two runs on PostgreSQL 15.4 for good.",
            "Upgraded hall two to PostgreSQL 16.2.",
            "PostgreSQL: from 15.4 to 16.2",
        ),
        (
            "Budget for the pier is $40k.",
            "Budget for the pier rose to $55k.",
            "Budget for the pier: from $40k to $55k",
        ),
        (
            "The tide reader is owned by Ana.",
            "The tide reader is now owned by Bo.",
            "The tide reader: from Ana to Bo",
        ),
        (
            "The north pier opening is on 3 May.",
            "The north pier opening moved to 17 May.",
            "North pier opening: from 3 May to 17 May",
        ),
        (
            "Health check: 14 of 14 gates up, no change.",
            "Health check: 15 of 15 gates up, lamps lit.",
            "Health check: from 14 of 14 to 15 of 15 gates up",
        ),
    ],
)
def test_a_value_that_changed_is_told_from_old_to_new(old: str, new: str, text: str) -> None:
    units = told_together(units_of(log(f"- {old}", f"- {new}")))
    assert [one.fixed for one in changes(units, 100)] == [f"{text} (6 Apr to 14 Apr)"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Door one is open.", "Door two is closed."),
        ("The weekly review is on 3 May.", "The weekly review is on 10 May."),
        ("The crate count for Ghent is 40 items.", "The crate count for Farrow is 70 items."),
        ("Cache lifetime is 15 minutes.", "Cache lifetime may be 5 minutes."),
        ("tide-api 1.2.0 is live.", "tide-api 1.3.0 will be next."),
    ],
)
def test_different_things_and_mere_plans_are_no_change(old: str, new: str) -> None:
    assert changes(told_together(units_of(log(f"- {old}", f"- {new}"))), 100) == []


def test_a_time_that_moved_is_a_change_and_a_span_of_time_is_none() -> None:
    assert tells_change("The briefing moved from 7:00 to 6:30.")
    assert tells_change("The briefing is at 6:30, not 7:00.")
    assert not tells_change("The window is open from 10:00 to 12:00.")


def test_an_item_is_told_once_with_the_end_that_names_it() -> None:
    entries = log(
        f"- Blocked: the keyboard trap in the date picker.\n{FILLER}",
        "- The keyboard trap in the date picker is fixed with patch 258.",
    )
    text = told(entries, "Milestones")
    assert "14 Apr 2026: The keyboard trap in the date picker is fixed with patch 258" in text
    assert "(had been open since 6 Apr)" in text and text.count("keyboard trap") == 1


@pytest.mark.parametrize(
    "again",
    [
        "- Blocked: the keyboard trap in the date picker.",
        "- Still blocked: the keyboard trap in the date picker.",
    ],
)
def test_an_item_told_on_many_days_was_open_since_the_first(again: str) -> None:
    entries = log(
        f"- Blocked: the keyboard trap in the date picker.\n{FILLER}",
        *[again] * 9,
        "- The keyboard trap in the date picker is fixed with patch 258.",
        gap=2,
    )
    text = told(entries, "Milestones")
    assert text.count("had been open") == 1
    assert "(had been open since 6 Apr)" in text and text.count("keyboard trap") == 1


@pytest.mark.parametrize(
    "line",
    [
        "I kept the crates under the roof as agreed.",
        "Continue to watch the tide gauge for drift.",
        "No external letters were sent to Ghent.",
        "If the ice holds, the ferry would take the crates.",
        "`papers/open_items.md`",
        "Bo likes the crates numbered from the left.",
        "Bo asked whether the date of the fair is at risk. Said: not at all.",
    ],
)
def test_reports_habits_and_mere_cases_are_not_carried_forward(line: str) -> None:
    entries = log(
        f"## Open items\n\n- {line}\n- [ ] Order the rope for the north bell.\n\n{FILLER}"
    )
    carried = told(entries, "Carried Forward")
    assert "Order the rope" in carried
    assert line[:20] not in carried


@pytest.mark.parametrize(
    "line",
    [
        "Blocked: Varnholt has not signed the paper on tariffs.",
        "Blocked: no answer from the harbour master since March.",
        "Open: who pays for the second mooring ring?",
        "Waiting for Ana's word on the mooring ring.",
        "TODO: keep the old ledger readable for the auditors.",
        "[ ] Continue the fence along the north pier.",
    ],
)
def test_what_waits_for_somebody_is_carried_forward(line: str) -> None:
    assert line.split(": ")[-1].rstrip(".")[-20:] in told(
        log(f"- {line}\n{FILLER}"), "Carried Forward"
    )


def test_a_sentence_that_says_what_it_resolves_ends_the_item() -> None:
    entries = log(
        "- Blocked: the staging disk is full, so no copy can be restored and nothing rehearsed."
        f"\n{FILLER}",
        "- New machine racked. That resolves the full staging disk which blocked us since March.",
    )
    assert "staging disk" not in told(entries, "Carried Forward")


def test_an_announced_blocker_has_its_place_before_what_goes_on_about_it() -> None:
    lines = "\n".join(
        f"- Ana still has to look at crate {n} from {place}." for n, place in enumerate(PLACES)
    )
    entries = log(f"- Blocked: Varnholt has not signed the paper on tariffs.\n{lines}\n{FILLER}")
    carried = [c.text for c in month(entries, share=0.2) if c.section == "Carried Forward"]
    assert any("Varnholt" in text for text in carried)


def test_a_thread_is_told_under_one_name_only_where_its_sentences_share_more() -> None:
    apart = log(
        f"- The desk at Tidewater bought a lamp for the hall.\n{FILLER}",
        "- Lunch at Tidewater was fish soup.",
    )
    bound = log(
        f"- The desk at Tidewater sent a tariff sheet of forty rows.\n{FILLER}",
        "- The second tariff sheet of Tidewater came, all rows signed.",
    )
    assert "2026-W" not in told(apart, "Themes")
    assert " (2026-W15 and 2026-W16): 6 Apr - The desk at Tidewater sent" in told(bound, "Themes")


def test_a_verb_with_its_object_is_no_subject_of_a_theme() -> None:
    entries = log(
        f"- Confirm whether Ana wants the lamp.\n{FILLER}", "- Confirm whether Bo wants the soup."
    )
    assert "onfirm whether (" not in told(entries, "Themes")


def test_however_many_say_the_same_the_sentence_told_is_cited() -> None:
    again = "- We no longer print the tide tables on paper."
    entries = log("- Decision: print the tide tables on paper.", *[again] * 12, FILLER, gap=1)
    assert any("no longer print" in claim.text for claim in month(entries))


def test_a_short_month_tells_turns_and_incidents_before_errands() -> None:
    entries = log(
        "- Booked a table for four at the Heron for Odile's birthday, 2026-04-24 at 19:30.\n"
        "- Decision: the ledger stays on paper, not slate, because one clerk reads it.\n"
        "- Bought a cake for the party at the Heron, 12 crowns.",
        "## Incident\n- 02:50 Resolved: the north lamp burns again after 36 minutes.\n\n"
        "## Work\n- Launch of the barge moved from 2026-05-16 to 2026-05-30: the harbour master is away.",
        "- Reversed: we move the ledger from paper to slate after all; damp ruins it.",
        FILLER,
    )
    text = "\n".join(claim.text for claim in month(entries, share=0.2))
    assert "from paper to slate after all" in text
    assert "the north lamp burns again" in text
    assert "Launch of the barge: from May 16 to May 30 (14 Apr)" in text
    assert "Booked a table" not in text


def test_another_version_of_a_thing_reverses_nothing() -> None:
    assert not reverses(
        "Decided: Slate 3.9 is dropped with the loader 0.5.", "The Slate loader stays in use."
    )
    assert reverses("Slate 3.9 is dropped for the loader.", "The loader runs on Slate 3.9.")


@pytest.mark.parametrize(
    ("item", "end"),
    [
        ("The miller Haverkamp still owes 410 crowns.", "Haverkamp paid at the counter."),
        ("Ferrer & Sons owe us €2,310 for the sails.", "A transfer of €2,310 came in at noon."),
        ("[ ] update `docs/tides/gauge.md` for `--offset`", "Gauge docs now cover `--offset`."),
        ("Ana needs a second hand for the mast removal.", "The mast removal is called off."),
        ("[ ] north bell clapper needs a polish", "Bell clapper polished by Bo, rings well."),
        ("[ ] send Odile a nudge", "Nudged Odile about the list, she knows."),
        ("[ ] ask Odile about the rope invoice", "Odile says the rope invoice is lost."),
        ("Blocked: the crane cannot lift the new crates.", "The crane lifts the crates again."),
        (
            "The ferry ramp at Gorse is stuck; Holm sent for.",
            "Holm was here, the ramp moves again.",
        ),
    ],
)
def test_an_item_closed_in_other_words_is_not_carried_forward(item: str, end: str) -> None:
    words = item.removeprefix("[ ] ").rpartition(": ")[2][1:18]
    assert words in told(log(f"- {item}\n{FILLER}", FILLER), "Carried Forward")
    closed = told(log(f"- {item}\n{FILLER}", f"- {end}"), "Carried Forward")
    assert words not in closed and end[:18] not in closed


@pytest.mark.parametrize(
    ("item", "after"),
    [
        ("Ferrer & Sons owe us €2,310 for the sails.", "Ferrer & Sons will pay the €2,310 in May."),
        ("Blocked: pump 2 of the dry dock is broken.", "Pump 3 of the dry dock is repaired."),
        ("Ana and Bo quarrel over the berth plan, still open.", "Ana and Bo settled the menu."),
    ],
)
def test_a_promise_or_another_thing_closes_no_item(item: str, after: str) -> None:
    carried = told(log(f"- {item}\n{FILLER}", f"- {after}"), "Carried Forward")
    assert item.rpartition(": ")[2][1:20] in carried


@pytest.mark.parametrize(
    "line",
    [
        "Veneer: 40 of 60 sheets came; Tolland owes us 20.",
        "Reminded Odile of the berth list; she promises it for 3 May.",
        "Bo on the slipway survey: Sunday 17 May, 06:00.",
        "The harbour visit is planned for 12 May.",
    ],
)
def test_what_is_owed_or_due_after_the_last_day_reaches_the_month(line: str) -> None:
    entries = log(f"- {line}\n{FILLER}", FILLER)
    assert line.rstrip(".")[-20:] in told(entries, "Carried Forward")
    assert entries[0] in needed_with(entries, [entries[1].id]).entries


def test_a_month_carries_no_item_whose_few_words_name_nothing() -> None:
    entries = log(FILLER, "- [ ] which rope?\n- [ ] ask Holm for the rope of the north pier", gap=3)
    carried = told(entries, "Carried Forward")
    assert "rope of the north pier" in carried
    assert "hich rope?" not in carried


def test_a_ticket_that_came_and_went_in_a_week_gives_way_in_a_month() -> None:
    first = "- #31 the rope of Lund broke at noon and was spliced by Holm, 40 crowns."
    later = "- #31 the rope of Lund broke again, Holm asks 90 crowns."
    short = [claim.text for claim in month(log(f"{first}\n{FILLER}", FILLER), share=0.1)]
    long = [claim.text for claim in month(log(f"{first}\n{FILLER}", later), share=0.1)]
    assert not any("#31" in text for text in short)
    assert any("#31" in text for text in long)


def test_a_month_knows_an_end_that_none_of_its_weeks_tells() -> None:
    boxes = "- [ ] rent or buy the crane\n- [ ] hymn books\n- [ ] oars"
    entries = log(
        f"{boxes}\n{FILLER}",
        "- [ ] hymn books\n- [ ] oars\n- [ ] nets",
        "- [ ] oars\n- [ ] nets\n- [ ] pitch",
    )
    needed = needed_with(entries, [entries[0].id])
    assert entries[0].id not in needed.open and entries[-1].id in needed.open
    shown = entries[:6]
    brief = Brief("month", "2026-04", MONTH_SECTIONS, shown, target=200, size=500)
    carried = [
        [claim.text for claim in offline.write(one).claims if claim.section == "Carried Forward"]
        for one in (brief, brief._replace(open=needed.open))
    ]
    assert any("crane" in text for text in carried[0])
    assert not any("crane" in text for text in carried[1])


def test_what_had_been_wrong_or_is_meant_so_is_not_carried_forward() -> None:
    entries = log(
        "- A rope on the winch had blocked the gate.\n"
        "- Bo could not open the strong room; that is intended.\n"
        "- Rain trial without a roof: 40 crates counted, 0 lost.\n"
        "- The signal lamp failed at 02:10, wick burnt. Bo replaced it.\n"
        f"- [ ] Order the rope for the north bell.\n{FILLER}"
    )
    carried = told(entries, "Carried Forward")
    assert "Order the rope" in carried
    assert not any(word in carried for word in ("winch", "strong room", "Rain trial", "wick"))


def test_a_setting_is_told_with_every_step_and_progress_from_first_to_last() -> None:
    days = (
        "- Ana raised GATE_DELAY_S from 20 to 45 seconds.\n- Dredging stands at 12% of the basin.",
        "- Morning round 07:10, Dredging at 37%.",
        "- GATE_DELAY_S is 40 seconds since noon.\n- Dredging 61%.",
    )
    found = {one.fixed for one in changes(units_of(log(*days)), 100)}
    assert "GATE_DELAY_S: from 20 to 45 to 40 seconds (6 Apr to 22 Apr)" in found
    assert "Dredging: from 12% to 61% (6 Apr to 22 Apr)" in found


@pytest.mark.parametrize(
    "line", ["Counted the gulls on the mole, {} birds.", "Gauge hut at {} degrees."]
)
def test_the_same_line_with_another_number_every_day_is_no_trajectory(line: str) -> None:
    days = [f"- {line.format(number)}" for number in (14, 31, 9, 22, 12, 40)]
    assert changes(units_of(log(*days, gap=2)), 100) == []
    assert needed_with(log(*days, gap=2), []).entries == ()


def test_values_no_week_told_are_shown_to_their_month() -> None:
    entries = log(
        "- Berth fee is €12.", f"- Berth fee stays out of the news.\n{FILLER}", "- Berth fee €15."
    )
    shown = needed_with(entries, [entries[1].id]).entries
    assert shown == (entries[0], entries[-1])


def test_a_person_is_no_theme_and_a_theme_ends_with_what_became_of_it() -> None:
    entries = log(
        f"- Ines sent the chart of the sand bank to Farrow.\n- The Petrel Dock crane is stuck.\n{FILLER}",
        "- Ines approved the chart paper.\n- Ines signed the Petrel Dock crane order.",
        "- The Petrel Dock crane works again.",
    )
    themes = told(entries, "Themes")
    assert "Ines (" not in themes
    assert "Petrel Dock" in themes and "works again" in themes


def test_an_announced_decision_is_a_milestone_of_a_short_month() -> None:
    entries = log(
        f"- Decision: the lower quay is closed to carts from May, because the stones sink.\n{FILLER}",
        "- Shipped the tide reader 1.2.0.\n- Merged the lamp schedule.\n- Fixed the bell rope.",
    )
    text = "\n".join(c.text for c in month(entries, share=0.2) if c.section == "Milestones")
    assert "lower quay is closed" in text


def test_a_theme_whose_first_sentence_fills_a_bullet_is_no_longer_than_one() -> None:
    long = " ".join(f"part {number} of the lighthouse lamp" for number in range(1, 6))
    first = parse(f"- Open: the lighthouse lamp waits for {long}.\n".encode(), day=START)
    unit = units_of(first.entries)[0]
    later = parse(b"- The lighthouse lamp was repaired.\n", day=START + timedelta(days=14))
    end = replace(units_of(later.entries)[0], must=True)
    text = f"{unit.text}. {day_words(end.entry)} - {end.text}"
    whole = replace(unit, text=text, tokens=estimate(text), folded=[end])
    page = ByTheme(("Threads",), {whole.at: Theme("lighthouse lamp")}, Packing())
    bullets = page.packed([replace(whole, section="Threads")])
    assert bullets
    assert all(bullet.cost <= 60 for bullet in bullets)
    assert not any(bullet.fixed for bullet in bullets)


def test_a_value_told_from_what_down_to_what_is_the_last_one() -> None:
    entries = log(
        "- Disk of the tide server at 71%.\n" + FILLER,
        "- Packed old files; disk of the tide server from 74% down to 48%.\n" + FILLER,
    )
    texts = " ".join(bullet.fixed for bullet in changes(units_of(entries), 400))
    assert "48%" in texts
    assert "from:" not in texts


def test_a_short_month_tells_a_decision_with_what_its_entry_begins_with() -> None:
    reasons = (
        "The pilot left for the coastguard",
        "The new boiler eats twice the coal",
        "The east landing silted up",
        "The brass bell cracked in the frost",
        "The deckhand broke an ankle",
    )
    days = [
        f"- {why}. Decided to run the {place} ferry {number} times a day only."
        for number, (why, place) in enumerate(zip(reasons, PLACES, strict=False), 2)
    ]
    entries = log(f"{days[0]}\n{FILLER}", *days[1:], gap=3)
    decided = [claim.text for claim in month(entries, share=0.25) if "Decided" in claim.text]
    assert decided
    for text in decided:
        assert any(why in text for why in reasons)


def test_an_open_item_of_a_short_month_is_not_told_with_what_its_entry_begins_with() -> None:
    entries = log(
        "- The slipway at Farrow was swept on Monday. Blocked: the winch waits for a pawl from Cawdale."
        f"\n{FILLER}"
    )
    text = told(entries, "Carried Forward")
    assert "pawl from Cawdale" in text and "swept" not in text


def test_items_and_results_leave_room_in_a_short_month() -> None:
    days = [
        f"- Decided to close the gate of {place} at night from now on.\n"
        f"- Open: the lamp of {place} still waits for its glass.\n"
        f"- Shipped the sluice of {place} with {number} new boards.\n"
        f"- Agreed with the dean of {place} on a rent of {number * 7}.\n"
        f"- Blocked: the crane of {place} has no chain before winter."
        for number, place in enumerate(PLACES, 4)
    ]
    fact = "The miller keeps eleven skeps of bees under a thatched lean-to by the orchard wall"
    days[1] += f"\n- {fact}."
    claims = month(log(*days, gap=4), share=0.3)
    assert any(fact in claim.text for claim in claims)
    assert {claim.section for claim in claims} >= {"Milestones", "Carried Forward"}


def test_unrelated_results_of_one_day_stand_apart_in_a_short_month() -> None:
    entries = log(
        f"- Shipped the sluice of Dunmere.\n- Signed the lease of a boathouse in Gorse.\n{FILLER}"
    )
    assert not [
        claim for claim in month(entries) if "sluice" in claim.text and "boathouse" in claim.text
    ]


def test_no_thread_ends_a_sentence_within_a_bracket() -> None:
    entries = log(
        "- KX-31 waits for parts from the yard (a cable of forty fathoms from Dunmere on 7 April; "
        f"a brass lamp with a ground lens from the foundry in Eastwick by the end of May).\n{FILLER}",
        f"- Two divers of the yard looked at KX-31 and its cable.\n{FILLER}",
        "- KX-31 works again with the cable from the yard.",
    )
    claims = month(entries)
    assert any("fathoms" in claim.text for claim in claims)
    assert all(claim.text.count("(") == claim.text.count(")") for claim in claims)
