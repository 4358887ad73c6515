"""What is kept for good out of prose: wishes, rules, lessons, places, choices, and what outdates them."""

from __future__ import annotations

from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

import roots
from lithify.compact.typed import Folding, merged
from lithify.engines import offline
from lithify.engines.offline.lasting import (
    announcing,
    bar,
    learned,
    outdated,
    people,
    pointers,
    wishes,
    withdrawn,
)
from lithify.engines.offline.lasting.titles import title_of
from lithify.values import Brief, Entry, Item, MemoryType, TypedMemory, WisdomEntry

DAY = date(2026, 4, 2)
_THINGS = [
    "mainsail",
    "jib",
    "anchor",
    "rudder",
    "keel",
    "thwart",
    "oarlock",
    "winch",
    "halyard",
    "tiller",
    "bilge",
    "compass",
    "lantern",
]


def typed(text: str, *known: TypedMemory, heading: str = "") -> tuple[TypedMemory, ...]:
    headings = (heading,) if heading else ()
    entry = Entry("2026-04-02~000000000001", text, headings, day=DAY)
    return offline.write(Brief("typed", "2026-W14", entries=(entry,), memories=known)).memories


def one(text: str, *known: TypedMemory, heading: str = "") -> TypedMemory:
    (memory,) = typed(text, *known, heading=heading)
    return memory


# Who is meant


def test_she_is_who_acted_last() -> None:
    memory = one("Oona read the programme before it went. She wants no photographs in any of them.")
    assert memory.statement == "Oona wants no photographs in any of them."


def test_a_speaker_called_she_is_whom_the_words_before_or_the_heading_name() -> None:
    memory = one('Told Oona. She: "Every one of them gets money back before they ask."')
    assert memory.statement.startswith('Oona: "Every one of them')
    said = 'I had written "a fault of the guest". She: "Never write a guest\'s fault in a ticket."'
    assert one(said, heading="Oona corrects me").statement.startswith("Oona: ")


def test_who_two_can_be_is_nobody() -> None:
    before = ["Oona wrote to the hall and Bertil rang the printer."]
    assert people.meant("He", before) == ""


def test_he_is_not_whom_others_call_she() -> None:
    assert people.meant("He", ["Oona took the boat, since she had the key."]) == ""


def test_he_is_not_who_came_after_he_was_in_use() -> None:
    assert people.meant("He", ["He mended the pump.", "Bertil paid."]) == ""


def test_an_abbreviation_is_nobody() -> None:
    assert people.meant("She", ["The MRI said nothing."]) == ""


@pytest.mark.parametrize(
    ("heading", "person"),
    [
        ("How Oona wants things", "Oona"),
        ("From Bertil", "Bertil"),
        ("Oona's way with dates", "Oona"),
        ("Bertil on invoices", "Bertil"),
        ("Slipway", ""),
    ],
)
def test_a_heading_tells_whose_words_stand_under_it(heading: str, person: str) -> None:
    assert people.in_heading((heading,)) == person


# How people want things


@pytest.mark.parametrize(
    "text",
    [
        "Bertil would rather be rung than written to when a mooring breaks.",
        "Oona doesn't want anybody to smoke near the sails.",
        "When we send him sums Bertil wants a list and not a letter.",
        "Oona would like all drafts in one file.",
        "Bertil is not to be disturbed during the tide tables.",
        "Oona likes small bills to be settled the same week.",
    ],
)
def test_how_somebody_wants_things_is_a_preference(text: str) -> None:
    assert wishes.prefers(text)
    assert one(text).type == "user"


@pytest.mark.parametrize(
    "text",
    [
        "Oona would like the jetty painted from white to grey.",
        "Bertil would like to see one dry week before he decides.",
        "Oona likes it and said to ask again in spring.",
        "Bertil wants 800 for it and would like the notice to say so.",
        "Oona would rather haul the dinghy too, and Bertil agreed.",
        "Oona wants to talk about who rows from now on.",
        "That sounds like the best of days.",
        "Oona would rather have had nets but was outvoted.",
        "Bertil would rather bring the narrower sail than none at all.",
        "Oona prefers oak, Bertil does not mind, so oak it is.",
        "Bertil wants to add the crack to the report first.",
        'Oona wants to call the yawl "Amber" at the latest in June, Bertil prefers "Kestrel".',
        "Bertil asks for the key on Monday at 8:00.",
        "Bertil takes over the letter to Mr Sluys.",
        "Oona's wish for chapter 3: wait for the final number, no brackets.",
        'Oona: "sailors hate letters."',
    ],
)
def test_a_wish_for_one_occasion_is_none(text: str) -> None:
    assert typed(text) == ()


def test_a_liking_that_gives_the_reason_is_told_by_itself() -> None:
    memory = one("Oona signed and I paid at once, because she likes small yards to be paid early.")
    assert memory.statement == "Oona likes small yards to be paid early."


def test_listed_wishes_are_kept_with_whose_they_are() -> None:
    memory = one(
        "She went through my draft. Her wishes for the newsletter: one page, no slang, sent on Fridays.",
        heading="Oona on newsletters",
    )
    assert memory.type == "user"
    assert memory.statement.startswith("Oona's wishes for the newsletter: one page")


def test_a_wish_put_to_the_writer_needs_no_name() -> None:
    memory = one(
        "Since the storm she would rather hear of damage from me at night than at breakfast."
    )
    assert memory.type == "user"


# What somebody says in quotation marks


def test_what_is_quoted_is_kept_as_one_thing() -> None:
    memory = one('User: "please never amend. One thought a commit, I read them in order."')
    assert memory.statement == ("Please never amend. One thought a commit, I read them in order.")
    memory = one(
        'Bertil: "please leave the trip line of the anchors slack. Taut means fouled. Don\'t let anybody tidy it."'
    )
    assert memory.name == "Leave the trip line of the anchors slack"
    assert memory.statement.startswith("Bertil: please leave the trip line")
    assert memory.statement.endswith("Don't let anybody tidy it.")


@pytest.mark.parametrize(
    "text",
    [
        'User: "when you are unsure, say so at the top, not at the foot."',
        'Oona: "When you give a depth, one decimal, and name the datum. The chart has two."',
        'User: "release letters: what changes for the crew first, then for the yard."',
        'User: "from today every buoy on the chart gets a date."',
        'Oona: "Please stop hanging wet sails there, they go on the rail. The loft is damp."',
        'User, on my long report: "three lines in the morning, please: wind, tide, crew."',
        'User: "plain prose, no capitals in file names. At home do as you like."',
        'User: "no bunting. Never flags. Show it."',
        'Bertil: "A chart nobody trusts is worse than none."',
        "Answer to Bertil: we launch nothing before the keel has been seen by two.",
    ],
)
def test_an_order_in_quotation_marks_is_kept(text: str) -> None:
    assert one(text).type == "feedback"


@pytest.mark.parametrize(
    "text",
    [
        'Oona: "Two more days, then I choose. Don\'t push me."',
        'Bertil: "When you have time, the pump wants a look. No hurry."',
        'Bertil: "Nobody moves anything while I\'m away. Nobody."',
        'User: "no more new things from now on. Leaks, ropes, paint."',
        'User: "thank the pilot by name in the programme, if he agrees. He is shy."',
    ],
)
def test_what_is_said_in_the_moment_is_no_rule(text: str) -> None:
    assert typed(text) == ()


def test_what_who_asks_cannot_do_without_it_is_the_reason() -> None:
    memory = one(
        'Oona: "When you give a depth, one decimal, and name the datum. Low is ours, high is theirs. '
        'I never know which one you mean."'
    )
    assert memory.why == '"I never know which one you mean."'
    assert "Low is ours" in memory.statement
    memory = one(
        'Oona reads my note on ropes: "No, please always put the length first and the girth in brackets. '
        "I can't picture a girth.\""
    )
    assert memory.why == '"I can\'t picture a girth."'


def test_news_said_beside_a_rule_is_left_out() -> None:
    memory = one(
        "Oona: \"Keep the crew list private and don't let it lie about. I've got the doctor on 2026-04-09.\""
    )
    assert memory.statement == "Oona: Keep the crew list private and don't let it lie about."


# Decisions with a number, and those that take their place


def test_a_decision_with_its_number_is_kept_with_the_number_of_the_one_it_ends() -> None:
    old = one(
        "**Decision (ADR-7):** moor on chain, eight metres each. Reason: rope chafed through."
    )
    assert old.type == "project"
    assert old.statement == "Decision (ADR-7): moor on chain, eight metres each."
    new = one(
        "**Decision (ADR-9): boats lie on piles in pairs, lines doubled; the chain is to be lifted.** Supersedes ADR-7.",
        old,
    )
    assert new.topic == old.topic
    assert "Supersedes ADR-7" in new.statement
    assert new.why == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Decision (ADR-014): boats are moored at the pier.", "ADR-017 supersedes ADR-014: boats lie in the dock."),
        ("D9: we moor at the pier, because it is near.", "D12 replaces D9: the dock, because of the swell."),
        ("D-4: we moor at the pier, because it is near.", "D-12: the dock for all boats, because of the swell. Supersedes D-4."),
        ("Decision 7: the feast is on the pier.", "Decision 11: the feast is in the hall. Replaces decision 7."),
        ("DECISION, mooring: all boats go to the pier.", "DECISION, mooring: boats go to the dock instead of the pier."),
    ],
)  # fmt: skip
def test_a_record_gives_way_to_the_one_that_names_its_number(old: str, new: str) -> None:
    known = one(old)
    memory = one(new, known)
    assert memory.topic == known.topic


def test_a_record_is_known_by_the_number_in_its_heading() -> None:
    known = one("Decision: all boats lie at the pier.", heading="ADR-014 Mooring")
    assert known.statement == "ADR-014: All boats lie at the pier."
    assert (
        one("Decision: the dock for all the boats. Supersedes ADR-14.", known).topic == known.topic
    )
    assert (
        one("Decision: the dock for guests in June. Supersedes ADR-1.", known).topic != known.topic
    )


def test_a_record_is_known_by_the_number_of_its_file() -> None:
    def week(day: str, *texts: str) -> tuple[Entry, ...]:
        of = date.fromisoformat(day)
        return tuple(Entry(f"{day}~{at:012}", text, day=of) for at, text in enumerate(texts))

    old = week("2026-04-02", "**DECISION, mooring:** boats lie at the pier. Reason: it is near.", "Written up as `docs/014-pier.md`.")  # fmt: skip
    (known,) = offline.write(Brief("typed", "2026-W14", entries=old)).memories
    assert known.statement.endswith("Written up as `docs/014-pier.md`.")
    new = week("2026-04-16", "Decision: each boat gets a berth of its own.", "`docs/017-berths.md` supersedes 014.")  # fmt: skip
    (memory,) = offline.write(Brief("typed", "2026-W16", entries=new, memories=(known,))).memories
    assert memory.topic == known.topic


def test_a_limit_set_anew_takes_the_place_of_the_old_one() -> None:
    known = one("House rule: the limit for the hall is 85 decibels at the visitors' line.")
    text = "Bertil lowered the limit in the hall to 78 decibels at the visitors' line."
    assert outdated.outdated_by(text, [known]) == known


def test_what_changes_a_known_memory_is_kept_however_much_there_is() -> None:
    known = one("Decision: guest limit 60 -> 120 boats a day.")
    rules = [f"Lesson: never leave the {thing} wet overnight." for thing in _THINGS]
    texts = ["Decision: guest limit 120 -> 90 boats a day.", *rules]
    entries = tuple(Entry(f"2026-04-09~{at:012}", text, day=date(2026, 4, 9)) for at, text in enumerate(texts))  # fmt: skip
    found = offline.write(Brief("typed", "2026-W15", entries=entries, memories=(known,))).memories
    assert known.topic in [memory.topic for memory in found]


def test_a_value_that_goes_on_from_the_last_one_is_on_its_topic() -> None:
    old = one("Decision: mooring fee for visitors raised from 12 to 15 crowns.")
    new = one("Decision (Oona, Bertil): the visitors' mooring fee from 15 down to 14 crowns.", old)
    assert new.topic == old.topic
    other = one("Decision: mooring of the visitors' dinghies from 20 down to 14 places.", old)
    assert other.topic != old.topic


def test_a_decision_for_a_near_day_without_a_reason_is_left_to_its_week() -> None:
    assert typed("Decision: the pontoons follow on 2026-04-09, 22:00.") == ()
    assert one("Decision: the pontoons close on 2026-04-09, because the crane comes that day.")


# What only looks like a rule, a wish or a decision


@pytest.mark.parametrize(
    "text",
    [
        "The pump runs on 2.7 since August; no open faults on the panel.",
        "Wreck report: list of planks, never cut.",
        "Callers: the kiosk, Hamish, and a third, never known till now: a school.",
        'User: "six knots is fine, the tide isn\'t going anywhere."',
        "**Goal:** never again a wet sail in the loft.",
        "Unsure first (new rule): I do not yet know if the leak is in the hull or the pump.",
        "Draught rule must follow: 40 cm now means three planks.",
        'Hotline rung at nine. "No known fault in your area."',
        "(No log on Thursday: my mate stood in the rain until seven. It is told below by others.)",
        'LESSON 2: "done, no problems" at 23:04 was true for the one boat only.',
        "Hauling took 24 min instead of the 6 rehearsed: the winch is slower.",
        "the missing page: was dropped as a copy because two tides fell on one minute.",
        "Strange caller tidebot/0.3: comes every 7 min, asks for one harbour only.",
        'Bertil tested with a reader: speaks "high water at six".',
        "Oona speaks to them herself.",
        "Oona wants it under 5 m at the stern as well.",
        "Bertil wants a second pump as a spare.",
    ],
)
def test_what_only_looks_lasting_is_left_to_its_week(text: str) -> None:
    assert typed(text) == ()


def test_what_is_called_worth_keeping_is_kept() -> None:
    assert one("That is worth keeping: paper cannot be patched.").type == "feedback"


# Who is who


def test_who_somebody_is_is_told_of_each() -> None:
    memories = typed(
        "Who is who, for later: Oona Brandt = harbour master, my user. Bertil Aske = sails and ropes, mornings only."
    )
    assert [memory.statement for memory in memories] == [
        "Oona Brandt = harbour master, my user.",
        "Bertil Aske = sails and ropes, mornings only.",
    ]
    assert {memory.type for memory in memories} == {"user"}
    assert typed("Clear Depth = charted depth + tide, less the draught.") == ()


def test_on_which_days_somebody_works_is_kept() -> None:
    assert one("Bertil works Tuesdays and Thursdays only.").type == "user"


# What takes the place of a rule


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            'User: "please never splice. Knot, keep the ends, I read a rope like a book."',
            'Splicing: Oona gives way: "splice is allowed for mooring lines only. Sheets: still never."',
        ),
        (
            'User also: "don\'t ring me before 9:30, school run."',
            'new quiet time: school changed, "you may ring from 8:45 now".',
        ),
        (
            'Oona: "Damage goes in the harbour chat first, then on the board. I read chat, I don\'t read boards."',
            'Oona: "The harbour chat is drowning. Please stop posting damage there, card on the board."',
        ),
        (
            'Bertil: "Reminder: anything over €500 needs Oona\'s yes before I pay. In writing."',
            "Decision: written approval is needed from €750 on instead of €500, from 2026-05-04 on.",
        ),
    ],
)
def test_a_rule_does_not_stand_beside_what_loosens_it(old: str, new: str) -> None:
    known = one(old)._replace(sources=("2026-03-30~000000000002",))
    memory = one(new, known)
    assert (memory.type, memory.topic) == (known.type, known.topic)


def test_the_reason_of_a_rule_that_was_stopped_goes_with_it() -> None:
    old = one(
        'Oona: "Damage goes in the harbour chat first, then on the board. I read chat, I don\'t read boards."'
    )._replace(updated="2026-03-02")
    new = one(
        'Oona: "The harbour chat is drowning. Please stop posting damage there, card on the board."'
    )
    (kept,) = Folding().fold({"2026-W10": (old,), "2026-W14": (new,)}).values()
    assert old.why
    assert kept.why == ""
    assert kept.superseded == (f"2026-03-02: {old.statement}",)


# Places that are there tomorrow


@pytest.mark.parametrize(
    "text",
    [
        "That job of the 9th is done. Results `bench/results/fleet-2026-03-17.json`",
        "Mended in 8d02b7e, sample kept in `hulls/samples/larch.txt`.",
        "Bertil is in on 2026-04-03; eleven bills lie in `finance/inbox/` for him.",
        "Harbour by-law: she found the binder, not yet the page.",
        "Old ones stay in `exports/lists/` for the auditor.",
        "**Next:** a call with the yard, I take notes into `notes/calls/`.",
        "Until mended: I export the berth list by hand to `exports/berths/`.",
    ],
)
def test_a_file_of_one_day_or_errand_is_no_place(text: str) -> None:
    assert typed(text) == ()


def test_a_place_in_brackets_and_one_told_by_itself() -> None:
    assert one("Oona freed it with the hand crank (hangs behind the till).").name == "Hand crank"
    memory = one(
        "Sketch of the new slip: rails laid in the mud, two winches. Cost unknown. Kept in `notes/slip.md`."
    )
    assert memory.statement.startswith("Sketch of the new slip")


# Names


def test_a_name_is_more_than_one_leftover_word() -> None:
    memory = one('Bertil: "please don\'t touch `harbour/old/boats/`, ever. The kiosk reads it."')
    assert memory.topic == "touch-harbour-old-boats"
    assert one("Oona's sheet is `rota/hours-2026.ods`.").topic == "sheet-oona"
    assert one("Decisions live in `docs/adr/`.").topic == "decisions-docs-adr"
    memory = one('User: "tell me about damage in the order of who is hurt, not as you find it."')
    assert memory.name.startswith("Tell me about damage")


# Rules and lessons


@pytest.mark.parametrize(
    "text",
    [
        "Oona added a rule of her own: nobody casts off until the log is signed.",
        "Bertil's ruling was short: the paper chart is the master, whatever the plotter says.",
        "New practice: tarpaulins from November to March, nets in summer.",
        "So it's a standing rule, chalked on the door: no fires on the pontoon while fuel is open.",
        "What we learn: weigh the anchor chain before and after each lift.",
        "The bar for the relaunch, as both agreed: two dry weeks and a clean hull.",
        "Generally: no hauling between the two tides.",
        "Only boats under nine metres may use the inner slip.",
        "Up to 90 crowns I may spend, above that I ask her first.",
        "On race days I am not to take bookings before noon.",
        "I moved the buoy only after ringing the harbour. That's how it's done from now on with every buoy.",
    ],
)
def test_a_rule_told_in_prose_is_kept(text: str) -> None:
    assert one(text).type == "feedback"


@pytest.mark.parametrize(
    "text",
    [
        "As the club is small we get a discount as a rule.",
        "Oona wrote to me herself, so the rule is not broken.",
        "No boat leaves until we know more.",
        "The buoys show red and don't light up.",
        "The red cells are places that boats must not enter.",
        "Will sort from now on.",
        "Several may leave the club, and I am not to speak of it in the bar.",
        "No leaks on Sunday (the pump was run once, so there would have been one).",
        "No limit on the number of guests.",
        "The pump opens a second valve on each start and never closes the first one.",
        "The yard has raised its price, hence ours is 40 (net, always), and the list is longer.",
        'Bertil: "A gull that gets in there deserves it."',
        "More bad news: a cable under the jetty needs a permit.",
        "Switched on: every call goes to the club and then to the tower.",
        "Oona smiled but stuck to the rule in the logbook: two lines on two cleats.",
        "Oona draws the moral: nobody has ever looked under the thwarts. Bertil thought of the other boats and looked under each.",
    ],
)
def test_what_only_sounds_like_a_rule_is_none(text: str) -> None:
    assert typed(text) == ()


def test_why_a_rule_is_put_down_is_not_why_it_holds() -> None:
    memory = one(
        "Standing rule, put here so that I find it again: no launching between six and nine."
    )
    assert memory.statement == "Standing rule, put here: no launching between six and nine."
    assert memory.why == ""


def test_what_somebody_says_to_put_the_writer_right_is_the_rule() -> None:
    memory = one(
        'I had written "wreck" in the letter, and Oona, who read it, stopped me. '
        '"We never write wreck to a guest. It frightens them."'
    )
    assert memory.statement.startswith('Oona: "We never write wreck to a guest.')


def test_an_exception_stays_with_its_rule() -> None:
    memory = one("I may now order up to 90 crowns without asking. Exception: rope, there I ask.")
    assert memory.statement.endswith("Exception: rope, there I ask.")


@pytest.mark.parametrize("after", ["Noted for good.", "So all sums I send are net."])
def test_words_that_are_taken_to_heart_are_a_rule(after: str) -> None:
    memory = one(f'Bertil sent my table back: "Net sums, please, tax beside them." {after}')
    assert memory.type == "feedback"
    assert "Net sums" in memory.statement


@pytest.mark.parametrize(
    "text",
    [
        "Bertil: use the crane, not hands, for anything on the slip.",
        "Oona: Six spares lay there. Count with your eyes, not with your list.",
        "Oona: sums in anything a guest sees are always with tax.",
        "Oona: Then give me the depth first and the tide behind it. Always.",
        "Oona sent my first list back: each line must have the size and the maker.",
        "He refused to review it: under ten lines each, and no drawings.",
        'And a correction: in letters to guests say "visitors", not "customers".',
        'Oona to me: dates on signs as "Mon 2 March", not "02/03".',
        "Catches: to be entered in the book the same evening, by six. Oona's standing rule since 2023.",
        "Bertil proposes a look at the ropes on the first Monday of every month. Oona: agreed, that's a rule.",
    ],
)
def test_a_correction_in_a_few_words_is_a_rule(text: str) -> None:
    assert [memory.type for memory in typed(text)] == ["feedback"]


@pytest.mark.parametrize(
    "text",
    [
        "Oona: take the blue rope, not the red one.",
        "Bertil: run it again, not yet done.",
        "A correction: the bill is 340, not 320, says the yard.",
    ],
)
def test_a_correction_of_one_thing_is_none(text: str) -> None:
    assert "feedback" not in [memory.type for memory in typed(text)]


def test_what_comes_of_a_rule_is_not_why_it_holds() -> None:
    memory = one("Oona: fees in anything a guest sees are always with tax. So 40 is with tax.")
    assert memory.why == ""


def test_a_rule_that_is_called_one_is_told_once() -> None:
    memory = one("Guests are photographed only if they have signed. Oona's rule, always been so.")
    assert "photographed" not in memory.how


def test_when_somebody_is_away_each_week_is_kept() -> None:
    text = "Only Bertil can do it. Bertil has Friday afternoons off."
    assert one(text).statement == "Bertil has Friday afternoons off."


def test_what_is_said_to_have_been_learnt_is_kept() -> None:
    text = "Oona asked what I had learnt this winter. Left on the list: drain hoses early, count oars twice."
    assert one(text).statement.startswith("Left on the list: drain hoses early")


def test_under_a_heading_of_rules_a_plain_line_is_one() -> None:
    assert one("Oars up when two crews meet.", heading="House rules").type == "feedback"
    assert typed("Oars up when two crews meet.", heading="Regatta") == ()


def test_a_heading_tells_whose_wish_each_line_under_it_is() -> None:
    memory = one("No visits before 9:30.", heading="How Oona wants things (after the round)")
    assert memory.statement == "Oona: No visits before 9:30."
    both = typed(
        'Bertil, after I rang at 8:12: "don\'t ring me before ten". Noted. Also: letters to him on one page, the rest behind it.',
        heading="How people want it",
    )
    assert {memory.statement for memory in both} == {
        "Bertil: letters to him on one page, the rest behind it.",
        'Bertil, after I rang at 8:12: "don\'t ring me before ten".',
    }


def test_what_happened_is_no_rule_under_a_heading_of_rules() -> None:
    text = "Any boat that is lent gets a look first. The look took an hour and cost 31 in fuel."
    assert one(text, heading="Lessons").statement == "Any boat that is lent gets a look first."


@pytest.mark.parametrize(
    ("lead", "kind"),
    [
        ("**Rules I was told today**", "feedback"),
        ("The list went to Oona. Two corrections from her:", "user"),
    ],
)
def test_the_line_over_a_list_announces_what_is_in_it(lead: str, kind: str) -> None:
    entry = Entry(
        "2026-04-02~000000000001",
        "old ropes: look twice and a second person beside",
        lead=lead,
        kind="item",
        day=DAY,
    )
    brief = Brief("typed", "2026-W14", entries=(entry,))
    assert [memory.type for memory in offline.write(brief).memories] == [kind]


def test_what_was_done_about_a_decision_is_none() -> None:
    text = "Wrote the smith a thank-you, no quote needed any more."
    entry = Entry("2026-04-02~000000000001", text, lead="**Decision: back out**", kind="item", day=DAY)  # fmt: skip
    assert offline.write(Brief("typed", "2026-W14", entries=(entry,))).memories == ()


def test_a_paragraph_of_places_is_read_line_by_line() -> None:
    found = typed(
        "Flare papers: share, /boats/flares; copies in cupboard 3 Spare oars: Mill shed, behind the winch "
        "Permits: grey binder, Bertil Old charts: now in one box, top shelf",
        heading="Where things are (asked twice this week)",
    )
    assert [memory.statement for memory in found] == [
        "Flare papers: share, /boats/flares; copies in cupboard 3.",
        "Spare oars: Mill shed, behind the winch.",
        "Permits: grey binder, Bertil.",
        "Old charts: now in one box, top shelf.",
    ]


def test_a_broken_rule_announces_none() -> None:
    assert not announcing.teaches("I broke a rule: the slip was wet at noon.")


# Why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Never leave the pump on, otherwise the tank runs dry.", "Otherwise the tank runs dry."),
        (
            "Sails go out on Mondays, never later, so nothing lies wet over a weekend.",
            "So nothing lies wet over a weekend.",
        ),
        (
            "Notes belong on the board, not in the drawer, where he cannot find them again.",
            "Where he cannot find them again.",
        ),
        ("Oona prefers paper charts, she marks them with a pen.", "She marks them with a pen."),
        ("Launches only by the crane, never by hand. Then the log knows.", "Then the log knows."),
        (
            'Names of guests are never to be on the pier sign. "Their families would ring me all week."',
            '"Their families would ring me all week."',
        ),
        (
            "The lamp of the slip blinds the pilots. So from today on it's a standing rule: no lamp while pilots are out.",
            "The lamp of the slip blinds the pilots.",
        ),
    ],
)
def test_what_would_come_of_it_is_a_reason(text: str, why: str) -> None:
    assert one(text).why == why


@pytest.mark.parametrize(
    "after",
    [
        "Bertil has changed the hull plan.",
        "She did it herself at noon.",
        "Hull alarms now go to the board only.",
        "Two hull brushes in each boat.",
        '"Agreed, and do the keels as well while you are there."',
    ],
)
def test_what_somebody_did_about_a_rule_is_not_its_reason(after: str) -> None:
    assert one(f"New practice: hulls are rinsed every week. {after}").why == ""


def test_what_binds_them_is_a_reason() -> None:
    said = (
        "Never take a hull out of the register, not for a night. The insurance of every hull demands a full list. "
        "And when shelves run short, come to me."
    )
    memory = one(f'Bertil, not loud: "{said}"')
    assert memory.why == "The insurance of every hull demands a full list."
    assert said in memory.statement
    text = "Rule: reserve the berth first. A berth given twice is what the inspector found in May."
    assert one(text).why == "A berth given twice is what the inspector found in May."


def test_where_a_rule_was_put_down_is_not_its_reason() -> None:
    assert one("From today: caulk at 12 degrees. It's written on the shed wall.").why == ""


def test_what_nobody_can_do_is_a_reason_and_not_open() -> None:
    memory = one("New practice: the log is kept on paper. A judge can't be shown a dead screen.")
    assert memory.why == "A judge can't be shown a dead screen."


def test_a_choice_is_kept_with_what_speaks_for_it() -> None:
    memory = one("Oona chose the oak mast. Pine is cheaper for a year and dearer for ten.")
    assert memory.type == "project"
    assert memory.why == "Pine is cheaper for a year and dearer for ten."


def test_a_ban_on_other_days_stands_beside_one_on_all() -> None:
    known = one("Standing rule: no launching between six and nine.")
    memory = one("New rule: no launching on Fridays after two.", known)
    assert memory.topic != known.topic


def test_a_choice_that_does_not_say_of_what_is_told_under_its_heading_or_not_at_all() -> None:
    text = "Put off until 2027, because nobody wants to touch it."
    assert typed(text) == ()
    assert one(text, heading="Mooring fee").statement == "Mooring fee: Put off until 2027."
    assert typed("Left at 10 because Saturday is the heaviest day; to be decided Monday.") == ()
    assert typed("Oona said yes at once, because guests bring guests.") == ()


def test_a_name_tells_what_a_figure_is_of() -> None:
    assert one("The Corvane Foods contract is $124,000, not $142,000.").type == "project"


def test_a_preference_beside_what_somebody_wants_to_do_is_kept() -> None:
    text = "Bertil prefers raw charts over pictures, he wants to do his own sums."
    assert one(text).type == "user"


def test_who_has_charge_is_told_with_what_of() -> None:
    memory = one("**Harbour feast** (in June): on a Sunday. Oona Brandt owns the date.")
    assert memory.statement == "Harbour feast: Oona Brandt owns the date."
    assert typed("Oona Brandt owns the date.") == ()


@pytest.mark.parametrize(
    "text",
    [
        "Bertil: 18 ropes next time, not 24.",
        "The yard's parcel came a day late and held 38 shackles, not 40.",
        "She phones again: it's 28, not 30.",
        "The rest may be the wind, at 14 knots instead of the 10 that he took.",
        "For Oona that means the dinghy is due on 20 October instead of the 6th.",
    ],
)
def test_a_figure_put_right_in_the_news_of_a_day_is_left_to_its_week(text: str) -> None:
    assert typed(text) == ()


def test_a_choice_without_a_reason_is_left_to_the_week() -> None:
    assert typed("Oona chose the oak mast. It came at noon on a cart.") == ()


def test_a_yes_stands_after_what_it_was_said_to() -> None:
    memory = one(
        "Bertil offered 40 crowns a berth for two winters. Oona said yes at once. "
        "It saves her a round of letters each autumn."
    )
    assert memory.statement.startswith("Bertil offered 40 crowns a berth")
    assert memory.why == "It saves her a round of letters each autumn."


# Places


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        (
            "The spare rudder keys are in the top drawer of the chart table.",
            "The spare rudder keys",
        ),
        ("The tide book hangs by the hatch of the boat shed.", "The tide book"),
        ("The insurance folder is the red binder on the office shelf.", "The insurance folder"),
        ("Emil asked where the flare gun lives: steel cabinet in the loft.", "flare gun"),
        ("The spare key is with Mrs Holm at the mill.", "The spare key"),
        ("The key to the sail room hangs behind the tide clock.", "The key to the sail room"),
        ("Oona wrote it in notebook 7, which lies in the top drawer aft.", "notebook 7"),
        ("Race recordings are kept on shed-2 under `/data/races`.", "Race recordings"),
        ("Bertil passed the test (certificate C-19 in the blue folder).", "certificate C-19"),
        ("Soundings go into charts/soundings.csv, at high water and at low.", "Soundings"),
        ("Draft lives in races/spring/, file two.", "Draft"),
        ("Berth slips: on the cork board by the winch.", "Berth slips"),
        ("The berth list itself is berths/2026.ods.", "The berth list"),
        ("Put her into berths/waiting.md, where all without a berth are noted.", "without a berth"),
        (
            "Oona paid in cash, receipt in the red binder, shelf 3, where lease and deeds are.",
            "lease and deeds",
        ),
        ("Bertil told me where the brass cleats went: rope cabinet, drawer 4.", "brass cleats"),
    ],
)
def test_where_a_thing_is_kept_is_a_reference(text: str, thing: str) -> None:
    assert pointers.thing_of(text) == thing
    assert one(text).type == "reference"


@pytest.mark.parametrize(
    "text",
    [
        "The key is in the top drawer at the moment.",
        "Bertil is in the loft.",
        "New sails are in the same cupboard as the others.",
        "Order the number seven jib.",
        "One lost umbrella posted in #quay-talk.",
        "Bertil sent a score. His file: `inbox/kyrie.stw`.",
        "The case is good and has the same foam. Saved as `grants/draft-3.odt`.",
        "Lorry to the tip at 14:00, receipt in the blue folder.",
        "So the leak is in `hull/stern`.",
        "Still to do before he comes: a locker, a pair of boots, and the form.",
    ],
)
def test_where_things_are_just_now_is_none(text: str) -> None:
    assert pointers.thing_of(text) == ""


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("Bertil sent the tide table; copy in `yard/2026/tides/`.", "copy"),
        ("Showed Oona round: plans under `/yard/plans`, race data under `/yard/races`.", "plans"),
        ("It goes to the yard in May; register is `/yard/gear/register.xlsx`.", "register"),
        ("He has left a winter note at `yard/notes/winter.md`.", "a winter note"),
        ("Oona gave out new gate codes in May, the list is in the safe, lower drawer.", "the list"),
        ("The code of the gate is new, envelope in the safe, lower shelf.", "envelope"),
        (
            "Photos of every hull on the slip, with a scale in each, are in `yard/2026/hulls/`.",
            "Photos of every hull",
        ),
        ("The rudders lie in the sail room, rack side, shelf 5.", "The rudders"),
    ],
)
def test_a_place_told_in_a_clause_is_found(text: str, thing: str) -> None:
    assert pointers.thing_of(text).startswith(thing)
    assert [memory.type for memory in typed(text)] == ["reference"]


@pytest.mark.parametrize(
    "text",
    [
        "The wrong draught stood in `hulls/north.yaml` since spring.",
        "Moved the sheet to `/scratch/tmp_sails/` for a night.",
        "Changed in `slips/limits.yaml`, reloaded.",
        "Little is new; the chart by the hatch is what matters.",
        "Oona's badge arrived, is in the safe, lower shelf.",
        'They wrote: "Call Lund, the code is on the door."',
    ],
)
def test_a_path_or_a_room_alone_is_no_place(text: str) -> None:
    assert not [memory for memory in typed(text) if memory.type == "reference"]


@pytest.mark.parametrize(
    "place", ["It lies in `yard/2026/plots/`.", "Filed under `yard/2026/plots/`."]
)
def test_what_it_is_stands_in_the_sentence_before(place: str) -> None:
    memory = one(f"Oona drew the berths of the north quay anew. Two of two. {place}")
    assert memory.statement == f"Oona drew the berths of the north quay anew. {place}"
    assert (memory.name, memory.topic.split("-")[0]) == (
        "Oona drew the berths of the north quay anew",
        "oona",
    )


def test_a_place_is_named_by_its_thing_unless_that_names_nothing() -> None:
    assert one("The winter berth plan lies in `yard/plans/winter.md`.").name == "Winter berth plan"
    (copy,) = typed("Oona signed the lease of the shed; copy in `yard/papers/`.")
    assert copy.name.startswith("Oona signed the lease of the shed")


def test_a_thing_that_was_moved_loses_the_name_of_its_old_place() -> None:
    old = one("The green tin with the key of the boat shed is in the top drawer.")
    new = one("Key of the boat shed: safe in the hall, code with Oona.", old)
    (kept,) = Folding().fold({"2026-W10": (old,), "2026-W14": (new,)}).values()
    assert kept.name == "Key of the boat shed"


def test_an_address_leaves_no_loose_end_in_a_name() -> None:
    name = title_of("Tide board moved, now at https://tides.example.com/north .")
    assert name == "Tide board moved"


def test_two_things_of_one_word_are_not_one() -> None:
    found = typed(
        "Bertil sent the tide table; copy in `yard/tides/`. Oona signed the lease; copy in `yard/papers/`."
    )
    assert len(found) == 2


def test_a_number_to_be_found_by_is_kept() -> None:
    memory = one("Ropes ordered from Lindqvist, order number LQ-2207.")
    assert (memory.type, "LQ-2207" in memory.statement) == ("reference", True)


def test_the_letter_is_told_with_what_it_is() -> None:
    memory = one(
        "Letter from the coast guard about the winter moorings came at noon. "
        "The letter is in the drawer of the chart table."
    )
    assert memory.statement.startswith("Letter from the coast guard")


def test_a_plan_is_named_by_the_label_before_it() -> None:
    memory = one("Moorings: Plan is in `shared/quay/plan-2026.xlsx`.")
    assert (memory.type, memory.topic.split("-")[0]) == ("reference", "moorings")


def test_two_places_in_one_entry_are_two_references() -> None:
    texts = "The tide book hangs by the hatch. The race papers are kept in the steel locker."
    assert [memory.type for memory in typed(texts)] == ["reference", "reference"]


# What outdates them


def limit(statement: str, kind: str = "feedback") -> TypedMemory:
    return TypedMemory(
        kind,  # type: ignore[arg-type]
        "tow",
        "Tow under 40",
        statement,
        statement,
        ("2026-03-02~000000000002",),
        how="The script refuses 40.",
        updated="2026-03-02",
    )


def test_a_changed_figure_takes_the_place_of_the_old_one() -> None:
    old = limit("Never tow with the battery under 40 percent.")
    new = one("The limit is now 50 instead of 40 for every tow.", old)
    assert (new.type, new.topic) == ("feedback", "tow")
    folded = Folding().fold({"2026-W10": (old,), "2026-W14": (new,)})
    (kept,) = folded.values()
    assert kept.statement == "The limit is now 50 instead of 40 for every tow."
    assert kept.superseded == ("2026-03-02: Never tow with the battery under 40 percent.",)
    assert "40" not in kept.name + kept.how or kept.name.startswith("The limit is now 50")
    assert kept.how == ""


def test_a_limit_set_anew_by_the_same_person_takes_its_place() -> None:
    old = limit("Oona wants crews under 6 rowers.", "user")
    assert outdated.outdated_by("Oona has raised her limit: 8 rowers in a crew.", [old]) == old


@pytest.mark.parametrize(
    "text",
    [
        "The berth price went from 40 to 45 crowns.",
        "Bertil thinks of a limit of 50 instead of 40 for the tow.",
        "The tow rope is 50 metres.",
    ],
)
def test_another_matter_or_a_mere_thought_outdates_nothing(text: str) -> None:
    old = limit("Never tow with the battery under 40 percent.")
    assert not (outdated.changes(text) and outdated.outdated_by(text, [old]))


def test_a_decision_said_to_be_withdrawn_takes_the_old_one_back() -> None:
    old = one(
        "Oona and Bertil agreed to haul all yawls on one steel trailer, because it saves a day."
    )
    new = one("The decision of 30 March (one steel trailer) is withdrawn: two trailers by 9 April.")
    (kept,) = Folding().fold({"2026-W10": (old,), "2026-W14": (new,)}).values()
    assert kept.statement.endswith("two trailers by 9 April.")
    assert kept.why == ""


def test_wisdom_follows_the_memory_that_outgrew_its_entry() -> None:
    entry = WisdomEntry("Tow", "Never tow with the battery under 40 percent.", ("2026-03-02~01",))
    other = WisdomEntry("Oars", "Never leave oars on the slip.", ("2026-03-02~01",))
    item = Item(
        "m1",
        "The battery limit for a tow is now 50 and never less.",
        ("2026-03-02~01", "2026-04-02~02"),
        "file",
        "feedback",
    )
    brief = Brief("wisdom", "", items=(item,), wisdom=(other, entry), max_entries=5)
    (decision,) = offline.write(brief).decisions
    assert (decision.verb, decision.target) == ("MERGE", "Tow")
    assert decision.entry is not None and "50" in decision.entry.text


# Plainer forms, and what only looks like them


@pytest.mark.parametrize(
    "text",
    [
        "Oona likes the jetty.",
        "Varnish: Oona works at the rudder; nothing finished.",
        "Oona: winch works in the boathouse except when it is wet.",
        "Tidewell does not take customers without a berth.",
        "Bertil was already on the ferry by then, Oona ill, I may not open the lock myself.",
        'The harbour master has put a note on the valve ("sea cock, do not close") and sent a photo.',
        "14 slips rejected: 11 because of the stamp, three because of the date.",
        'Complaints are at 3 % now, nearly all from one pier ("berth rejected by policy").',
        "All change: Mr Lund moved to the pilots; from now on it is Ms Aalto.",
        "Bertil asked me to put all my remarks on #31 in the log, which I had.",
        "Weekend quiet: no damage in 40 moorings.",
    ],
)
def test_a_state_a_taste_and_news_are_not_kept(text: str) -> None:
    assert typed(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Oona wants exactly one sheet, on the first of a month at the latest.",
        "Oona wants the long form, no nicknames, no drawings.",
        "Bertil needs commas between the columns.",
        "Bertil does not want sanding on the slip, ever.",
        "Oona will not look at plans above 20 pages.",
        "Oona does not send anything to owners after 17:00.",
        "Oona about my morning list: on the board before 08:00, three lines, the worst first.",
        "Bertil is allergic to epoxy.",
    ],
)
def test_a_wish_in_plain_words_is_kept(text: str) -> None:
    assert one(text).type == "user"


@pytest.mark.parametrize(
    "text",
    [
        "No. Never tow an empty barge over the bar.",
        "Launches only by the crane, never by hand.",
        "Bertil came in as well: children are never to be on the slip, whatever the tide.",
        "Questions belong on the board, not in the canteen.",
        "A thought for keeping: before a mooring is cut look who else hangs on it.",
        "We tried it with one caller and one rower. Oona wants it so for every start.",
    ],
)
def test_a_rule_in_plain_words_is_kept(text: str) -> None:
    assert one(text).type == "feedback"


@pytest.mark.parametrize(
    "text",
    [
        'Oona came over about my letter. "No calls to owners after 18:00, ever."',
        'Bertil on the jetty, quite cross. "Fathoms on every chart, not metres."',
        '"Storm news by telephone, then on the board, never on the board alone."',
        "Bertil in passing, looking at the list: two names at most, and boats always with their sail number.",
        "Oona on her way out: for her the lists should begin with the boat, never with the owner.",
        "Bertil to me about the tide letter: warnings are to be read for anything that moves a buoy.",
        "Lesson for today: a knot tied in the dark is tied twice.",
        "Lesson he wants written down: a berth on the telephone is no berth.",
        "Rule from today: names for the transom are read aloud by two people.",
        "Quarrel at noon: two boats at one ring. Rule from today: nobody ties up without a tag.",
        "From now on: if the red flag hangs on the shed door, take a message.",
        "Oona thanked us, and said what she wants us all to remember: before anybody sails they read the board.",
        "Bertil: I took berth 9 twice. The way it goes: first write the number on the board, and only then hand out the key.",
        'How it came: New practice since May, Oona says: "Chalk on the mast itself and a tag on the sail."',
        "Nothing else came. And Bertil's second remark: don't moor two yawls to one ring.",
    ],
)
def test_a_rule_said_aloud_or_in_passing_is_kept(text: str) -> None:
    assert one(text).type == "feedback"


@pytest.mark.parametrize(
    "text",
    [
        'Bertil laughed. "Ask them, but don\'t let me hope for it."',
        'Oona nodded. "After that I yawn, and you don\'t like to watch it." Will split from now on.',
        'Bertil wrote: "Tuesday, not Monday."',
    ],
)
def test_not_all_that_is_quoted_is_a_rule(text: str) -> None:
    assert typed(text) == ()


def test_what_is_quoted_belongs_to_who_acted_right_before() -> None:
    memory = one('Oona came over about my letter. "No calls to owners after 18:00, ever."')
    assert memory.statement == 'Oona: "No calls to owners after 18:00, ever."'
    assert people.spoke_last(["Oona and the harbour board met; Bertil wrote it down."]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Bertil mentioned that he'd like plans delivered as prints from now on.",
        "Oona would like sail numbers on the left of the list, not below.",
        "Bertil wants two signatures and a stamp in everything that leaves the yard.",
    ],
)
def test_what_somebody_would_like_from_now_on_is_a_preference(text: str) -> None:
    assert one(text).type == "user"


def test_what_stands_before_a_list_is_heard() -> None:
    text = "New practice: hulls are rinsed every week. I have three steps:"
    entry = Entry("2026-04-02~000000000001", text, day=DAY, kind="lead")
    (memory,) = offline.write(Brief("typed", "2026-W14", entries=(entry,))).memories
    assert memory.statement == "New practice: hulls are rinsed every week."


def test_a_heading_may_say_what_its_rules_come_from() -> None:
    memory = one("Before a launch: chock, rope, second person.", heading="Rules from it (Oona)")
    assert memory.type == "feedback"


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("Spare shackles: grey locker in the boathouse", "Spare shackles"),
        ("The hand pump lies in the top drawer of the bench.", "The hand pump"),
        ("The lease is in the drive as `papers/lease-2026.pdf`.", "The lease"),
        ("First full list in `yard/winter.md`, 40 boats.", "First full list"),
        ("Bertil has put the two bills on the share (`bills/may/`).", "two bills"),
        (
            "New code made, the old one struck out, kept in the vault under `gate/north`.",
            "New code",
        ),
    ],
)
def test_a_place_told_in_passing_is_found(text: str, thing: str) -> None:
    assert pointers.thing_of(text).startswith(thing)


def test_a_place_without_a_verb_is_told_under_its_heading() -> None:
    memory = one("Also in `yard/slips.md`.", heading="Slips of the north yard")
    assert memory.statement == "Slips of the north yard: Also in `yard/slips.md`."


def test_the_wishes_of_two_people_are_two_memories() -> None:
    found = typed("Bertil prefers feet on plans. Oona wants metres in whatever owners get to read.")
    assert [memory.statement.split()[0] for memory in found] == ["Bertil", "Oona"]


def test_what_came_of_a_wish_is_left_out() -> None:
    memory = one("Oona wants all sums in crowns. So this one was wrong. It was May.")
    assert memory.statement == "Oona wants all sums in crowns."


@pytest.mark.parametrize(
    "text",
    [
        "Caulking done, all seams; saves a day a week from now on.",
        "Fee of Lund: none yet, they are paid only if we race.",
        '"Don\'t paint it grey, light hulls look faster."',
        "Oona agreed on the spot since the club has 300 for paint.",
        "Bertil: yes, but ask for the members' rate first.",
        "Oona wants all cleats bolted on the planks.",
        "Lund: the crane moves from 20 April to Wed 27 April, no charge since we were in time.",
        "Oona doesn't want to pay for berths we may not have.",
        "Oona wants 60 burgees to sell there, at 24 each.",
        "Bertil: new oar, loom too thin, wants 42 mm instead of 40.",
        "Oona: wants it in writing, has not said yes. Bertil would take it.",
        'Oona: "Sell them, don\'t polish them."',
        '"Leave it till you have caulked the yawl, but not longer."',
        "For tomorrow, on one page, Oona's rule, I drew up the plan: crane at ten; oars at noon.",
        "Tired arms; she stops at six from now on.",
        "Bertil wants a cake from all, and Oona is not to hear of it: talk only outside.",
    ],
)
def test_an_answer_a_plan_and_a_word_on_one_thing_are_not_kept(text: str) -> None:
    assert typed(text) == ()


def test_a_price_that_begins_soon_is_no_plan() -> None:
    memory = one(
        "Lund offered 40 crowns a berth from 20 April. Oona said yes at once. It saves her a round of letters each autumn."
    )
    assert memory.type == "project"


# Bans that follow one another


def test_the_later_of_two_bans_holds() -> None:
    old = one("Oona: no launches on Sundays after 12:00.")
    new = one("Bertil, as her deputy: no launches on Sundays at all.", old)
    assert new.topic == old.topic


def test_a_ban_said_again_in_fewer_words_adds_nothing() -> None:
    old = one("Oona: no launches on Sundays after 12:00.")
    assert typed("Oona: no launches after twelve.", old) == ()


def test_a_ban_on_another_thing_stands_beside_it() -> None:
    old = one("Oona: no launches on Sundays after 12:00.")
    assert one("Oona: no music on Sundays after 12:00.", old).topic != old.topic


def test_what_is_allowed_anew_takes_the_place_of_the_ban() -> None:
    old = one("Bertil: no launches on Sundays at all.")
    text = "Sunday launches. His ban went too far. New: allowed until 12:00 if two are there. Otherwise no."
    new = one(text, old)
    assert new.topic == old.topic
    assert new.statement.startswith("Sunday launches: allowed until 12:00")
    assert new.statement.endswith("Otherwise no.")


def test_a_freeze_that_is_lifted_takes_the_place_of_the_ban() -> None:
    old = one("Oona: no paint work on any hull before the dryer has been mended.")
    assert one("The freeze on paint is lifted.", old).topic == old.topic
    assert one("The freeze on wages is lifted.", old).topic != old.topic


@pytest.mark.parametrize(
    ("text", "one_day"),
    [
        ("Oona asked for the crew list on Friday only", True),
        ("A look at the tide table would have saved the mast on Friday", True),
        ("Never launch on Friday", False),
        ("Always launch with two on Friday", False),
    ],
)
def test_a_weekday_nobody_can_tell_is_of_one_day_unless_it_is_a_rule(
    text: str, one_day: bool
) -> None:
    assert bar.dated(text) is one_day


# Names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "No boat leaves the inner basin at night without Oona's stamp, be it a small one: yawl or dinghy.",
            "No boat leaves the inner basin at night without Oona's stamp",
        ),
        (
            "No paint on the hull of a member before two of us have looked at the planks.",
            "No paint on the hull of a member before two of us have looked at the planks",
        ),
        ('Bertil, not loud: "No. Never lay oars on the slip."', "Never lay oars on the slip"),
        (
            "Bertil was cross: owners are never rung at night.",
            "Owners are never rung at night",
        ),
        (
            "On race days (Saturday, Sunday) I am not to take bookings by telephone before noon.",
            "On race days I am not to take bookings by telephone before noon",
        ),
        (
            "If a pump stops after a long, dry week, first feel whether the hose is warm - even in winter.",
            "If a pump stops after a long, dry week, first feel whether the hose is warm",
        ),
        (
            'Oona asked what the list is to look like: "I want feet, never metres, and my name on top."',
            "Oona: I want feet, never metres, and my name on top",
        ),
        (
            'Bertil wants all sums in crowns whenever a bill goes out: "I do not read foreign."',
            "Bertil wants all sums in crowns whenever a bill goes out",
        ),
        ("From now on: oars up when two crews meet.", "Oars up when two crews meet"),
        (
            "Oona has raised my limit: I may now order up to 90 crowns without asking, formerly 60.",
            "Oona has raised my limit: I may now order up to 90 crowns without asking",
        ),
        (
            "Every berth has an owner, a lamp and a number on the pier, and a rope beside it.",
            "Every berth has an owner, a lamp and a number on the pier",
        ),
    ],
)
def test_a_name_keeps_the_sense_of_what_it_names(text: str, name: str) -> None:
    assert title_of(text) == name


def test_what_another_says_next_is_no_reason_of_a_rule() -> None:
    text = (
        'Ada: "Never paint the hull in the rain." Bo: "I am still counting the oars in the shed."'
    )
    assert [one.why for one in typed(text) if one.type == "feedback"] == [""]


_SUBJECTS = ("the staging cluster", "the freezer map", "release notes", "the night report")
_STATEMENTS = tuple(
    statement.format(one)
    for one in _SUBJECTS
    for statement in (
        "Always check {} before the weekly call with finance.",
        "Never send {} to the suppliers without a second look.",
        "No calls about {} before 9:00, please.",
        "No calls about {} on Fridays, please.",
        "You may send {} to the suppliers without a second look from now on.",
        "We keep {} in maps/freezer.csv.",
        "{} is kept in maps/freezer.csv.",
        "Decided to move {} to the new host because the old one is slow.",
        "Decided against the new host for {}: we stay with the old one.",
        "Priya prefers {} in one paragraph.",
    )
)


@pytest.mark.parametrize("kind", ["feedback", "project", "reference", "user"])
def test_none_of_the_recorded_that_is_on_a_memorys_topic_is_passed_over(kind: MemoryType) -> None:
    from lithify.engines.offline.lasting.topics import SAME, Recorded, _likeness, takes_back

    known = [
        TypedMemory(kind, f"topic-{n}", "", "", text, (f"2026-04-02~{n:012x}",))
        for n, text in enumerate(_STATEMENTS)
    ]
    recorded = Recorded(known)
    fewer = 0
    for new in known:
        near = recorded.near(new)
        on_topic = [one for one in known if takes_back(new, one) or _likeness(new, one) >= SAME / 2]
        assert [one for one in near if one in on_topic] == on_topic
        fewer += len(known) - len(near)
    assert fewer > 0


@pytest.mark.parametrize(
    "line",
    [
        'Oona: "I have rowed it eleven times, always with men who then sank it."',
        'Oona: "Ask me on Monday, never before I have slept."',
        'Oona: "Now I want the lamp on the quay, always."',
        "Oona asks whether the quay should always be lit.",
        "Holm promises it for Monday 16 March; never before the fair.",
        "No freezing on the quay, lowest -9 °C.",
        "Oona: no signing at 11:00.",
    ],
)
def test_what_is_asked_told_of_oneself_or_wanted_once_is_no_memory(line: str) -> None:
    assert typed(line) == ()


# Taken back by its day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("So the decision of 7 March is taken back.", date(2026, 3, 7)),
        ("What Oona decided on the 30th is off, and she knows it.", date(2026, 3, 30)),
        ("This overturns what we agreed on 1 March.", date(2026, 3, 1)),
        ("It reverses the plan of the 28th.", date(2026, 3, 28)),
        ("Reverses the decision from 2026-03-03.", date(2026, 3, 3)),
        ("So we do not sail, contrary to 7 March.", date(2026, 3, 7)),
        ("Overrides what we did on the 28th (three boats).", date(2026, 3, 28)),
        ("It is contrary to good taste, as on 7 March.", None),
        ("The rule from 9 March is not off.", None),
        ("If the weather holds, it reverses the plan of the 28th.", None),
        ("The plan for 28 March is off.", None),
        ("The letter replaces the one of the 9th.", None),
        ("Is the decision of 7 March off?", None),
    ],
)
def test_a_sentence_may_say_of_which_day_the_choice_is_that_no_longer_holds(
    text: str, day: date | None
) -> None:
    assert withdrawn.day_in(text, DAY) == day


def test_of_two_choices_of_a_day_the_one_is_taken_back_that_is_spoken_of() -> None:
    some = one("No photographs on the quay, ever.")
    toll = some._replace(statement="The ferry toll starts after 3 hours.", updated="2026-03-06")
    reply = some._replace(statement="Lund asks for a reply in 1 hour.", updated="2026-03-06")
    said = "No ferry toll before noon. Overrides what we did on 6 March (three hours)."
    new = some._replace(statement=said, updated="2026-03-20")
    assert withdrawn.withdraws(new, toll)
    assert not withdrawn.withdraws(new, reply)


def chosen(statement: str, day: str = "2026-03-07") -> TypedMemory:
    sources = (f"{day}~000000000002",)
    return TypedMemory("project", "trailer", "Trailer", "", statement, sources, updated=day)


def test_what_is_taken_back_by_its_day_does_not_stay_as_it_was() -> None:
    old = chosen("Oona decided on one steel trailer for all yawls.")
    new = one(
        "Bertil rang the smith. The yawls go on two trailers, one each way. "
        "So the decision of 7 March is taken back. Reason: the bridge bears four tons.",
        old,
    )
    (kept,) = Folding().fold({"2026-W10": (old,), "2026-W14": (new,)}).values()
    assert kept.topic == "trailer"
    assert kept.statement == (
        "The yawls go on two trailers, one each way. So the decision of 7 March is taken back."
    )
    assert kept.why == "The bridge bears four tons."
    assert kept.name == "The yawls go on two trailers, one each way"
    assert kept.superseded == ("2026-03-07: Oona decided on one steel trailer for all yawls.",)


def test_a_day_has_more_than_one_plan() -> None:
    old = chosen("Oona decided on one steel trailer for all yawls.")
    (new,) = typed("The floor stays raw. Oona agreed: it reverses the plan of 7 March.", old)
    assert new.topic != old.topic
    assert len(Folding().fold({"2026-W10": (old,), "2026-W14": (new,)})) == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (
            "Any boat that is to be sold and not only lent gets a survey before we name a price to anybody.",
            "Any boat that is to be sold and not only lent gets a survey",
        ),
        (
            "The piano: no tuning in May; I told Bertil, who took it well.",
            "The piano: no tuning in May",
        ),
        (
            "From the flood: I now look, before I lend a boat, at the tide table first.",
            "From the flood: I now look, before I lend a boat, at the tide table first",
        ),
        (
            'Oona stopped me: "You are running ahead. Ask me before you ring a chandler."',
            "Oona: Ask me before you ring a chandler",
        ),
        (
            "Bertil listened, asked two things about varnish, and decided: we keep the oars, no new ones.",
            "We keep the oars, no new ones",
        ),
    ],
)
def test_a_name_ends_where_its_statement_does(text: str, name: str) -> None:
    assert title_of(text) == name


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (
            'Dagny: "No fish for the crew, please, ever; Bertil is allergic and the boat smells."',
            'Dagny: "No fish for the crew, please, ever; Bertil is allergic and the boat smells."',
        ),
        (
            'Then, not joking: "When something goes wrong, tell me the bad news first."',
            'Not joking: "When something goes wrong, tell me the bad news first."',
        ),
        (
            "Bertil also asked that remarks on charts come in the margin and not in mails.",
            "Bertil also asked that remarks on charts come in the margin and not in mails.",
        ),
    ],
)
def test_what_somebody_asks_for_all_days_is_kept(text: str, statement: str) -> None:
    memory = one(text)
    assert memory.statement == statement
    assert not memory.name.startswith("Not")


@pytest.mark.parametrize(
    "text",
    [
        "The piano: No tuning in May, as Bertil said.",
        "On the good side, Oona no longer has to wait on the pier on the morning of 2026-04-05.",
    ],
)
def test_what_holds_for_a_day_or_a_month_is_no_rule(text: str) -> None:
    assert typed(text) == ()


def test_a_decision_gives_way_where_the_figure_it_set_is_gone() -> None:
    old = limit("The night ferry leaves at 02:00.", "project")
    new = one("The night ferry moved from 02:00 to 03:30 for the tide.", old)
    assert (new.type, new.topic) == ("project", old.topic)
    assert not typed("The night ferry moved from 04:00 to 03:30 for the tide.", old)


def test_until_the_hour_it_names_a_rule_holds_every_day() -> None:
    memory = one("Never tow before 18:00, the lock is shut until then.")
    assert memory.type == "feedback"
    assert not typed("Never tow at night, the lock is shut until then.")


@pytest.mark.parametrize(
    "text",
    [
        "Oona wants times in the log in harbour time, 24 h clock.",
        "Oona needs the receipt by mail, not on paper.",
        'Oona also: "After 16:00 I do not read mail."',
        'Oona asks that I say "no" sooner.',
    ],
)
def test_how_somebody_wants_a_thing_is_kept(text: str) -> None:
    assert one(text).type == "user"


def test_the_reason_may_stand_some_entries_after_the_choice() -> None:
    def why(*texts: str) -> str:
        entries = tuple(
            Entry(f"2026-04-02~{n:012x}", text, ("Ropes",), day=DAY) for n, text in enumerate(texts)
        )
        found = offline.write(Brief("typed", "2026-W14", entries=entries)).memories
        return next(one.why for one in found if "hemp" in one.statement)

    choice = "Decision: every barge gets ropes of hemp."
    reason = "Reasons: jute rots, and hemp is at hand."
    assert why(choice, "The old ones lie in the shed.", reason) == "Jute rots, and hemp is at hand."
    other = "Decision: the ferry gets no lamp before May."
    assert why(choice, other, reason) == ""


def test_what_somebody_does_not_know_and_what_was_made_since_are_no_reason() -> None:
    said = one('Oona: "Never load on a Friday. I don\'t know what I was thinking."')
    assert said.why == ""
    made = one("Lesson: keep the old ropes, never burn them. New shed `ropes/old/`, nine of them.")
    assert made.why == ""


def test_a_rule_is_void_by_its_day_and_one_word_where_no_other_has_it() -> None:
    old = one('Oona: "Please always knot before you load, one crate one knot."')
    of_day = {"updated": "2026-03-30", "sources": ("2026-03-30~000000000001",)}
    other = one("Oona: Never paint the mast in rain.")._replace(**of_day)
    old = old._replace(**of_day)
    new = one("So no more knotting. The rule of 30 March is void.", old, other)
    assert (new.type, new.topic) == (old.type, old.topic)
    assert "void" in new.statement


def test_a_thing_with_a_number_is_what_a_decision_is_about() -> None:
    memory = one("Decision: berth 7 goes to Oona, because hers leaks.")
    assert (memory.type, memory.statement) == ("project", "Berth 7 goes to Oona.")


def test_a_reason_given_under_its_name_makes_a_decision_of_how_things_are_to_be() -> None:
    memory = one("No new berths are let until 11 June. Reason: the crane is booked out.")
    assert (memory.type, memory.why) == ("project", "The crane is booked out.")
    assert typed("The crane failed twice. Reason: salt in the gears.") == ()


def test_a_place_for_a_day_is_none() -> None:
    assert one("Regatta: oilskins hang by the door of the shed.").type == "reference"
    assert typed("Tomorrow regatta: oilskins hang by the door of the shed.") == ()


def test_what_was_done_under_the_name_of_a_rule_is_no_decision() -> None:
    entry = Entry(
        "2026-04-02~000000000001", "I put Lund through at noon.", lead="Phone rule", day=DAY
    )
    assert offline.write(Brief("typed", "2026-W14", entries=(entry,))).memories == ()


def test_please_in_the_words_of_another_is_a_wish() -> None:
    memory = one("Oona Lind wrote: would we please write rather than ring, and never before ten.")
    assert memory.type == "user"


def test_words_on_what_somebody_wrote_of_a_version_are_a_wish() -> None:
    memory = one('Oona about my draft of the notes for 4.7.1: "Plain words, no sail numbers."')
    assert memory.type == "user"


def taken_back(old: str, text: str) -> TypedMemory | None:
    """What stands in the place of an older memory after words that may take it back."""
    known = one(old)._replace(updated="2026-03-10", sources=("2026-03-10~000000000009",))
    found = typed(text, known)
    return next((memory for memory in found if memory.topic == known.topic), None)


def test_what_is_ended_by_its_name_is_taken_back() -> None:
    old = "Decided: the sails stay in the loft on trestles. Reason: there is no other place."
    new = taken_back(old, "All sails come down into the boat shed. That ends the trestle idea.")
    assert new is not None and "boat shed" in new.statement
    assert (
        taken_back(old, "All oars come down into the boat shed. That ends the varnish idea.")
        is None
    )


def test_what_was_said_about_a_thing_is_off() -> None:
    old = 'Oona: "Never race before June."'
    new = taken_back(
        old, 'Oona: "Right, she races from today." What she had said about June is off.'
    )
    assert new is not None and "off" in new.statement
    assert taken_back(old, "If what she had said about June is off, we race.") is None


def test_a_figure_that_holds_again_takes_the_place_of_its_change() -> None:
    old = "Decided: soundings from 15 min to 30 min at all 14 buoys. Reason: fewer batteries."
    new = taken_back(old, "Back to 15 min at all 14 buoys.")
    assert new is not None and new.statement == "Back to 15 min at all 14 buoys."
    older = one(old)._replace(updated="2026-03-10")
    both = merged(older, new)
    assert (both.why, both.name) == ("", "Back to 15 min at all 14 buoys")
    assert taken_back(old, "The dinghy is back to 15 knots.") is None


def test_a_reason_of_somebody_who_is_quoted_keeps_its_marks() -> None:
    memory = one('Oona: "Please always put the berth number first in the list, I sort by it."')
    assert memory.why == '"I sort by it."'
    memory = one("Please always put the berth number first in the list, because we sort by it.")
    assert '"' not in memory.why


def test_what_is_above_a_limit_is_told_with_the_limit() -> None:
    memory = one("The limit for orders without her name is 300. Anything above goes to Oona.")
    assert "300" in memory.statement and "Anything above goes to Oona" in memory.statement


def test_a_title_does_not_end_with_a_verb_that_says_nothing_alone() -> None:
    title = title_of(
        "A boat goes to the yard when the tide is out and Bertil has a free slip for it, before noon."
    )
    assert title.startswith("A boat goes to the yard when")


def test_of_what_there_are_two_the_words_before_tell() -> None:
    assert pointers.thing_of("One is on her ring, the other hangs in the key box aft.") == ""


def test_what_announces_a_rule_tells_its_day_too() -> None:
    memory = one("Rule from today: names for the transom are read aloud by two people.")
    assert "today" not in f"{memory.name} {memory.description} {memory.statement}"


def test_what_a_person_says_right_after_a_rule_they_gave_is_its_reason() -> None:
    memory = one(
        "**Bertil** reminded me, since I am new at the crane: nothing is lifted after 16:00, and nothing"
        ' at all in fog. "If it slips I want daylight." Noted.'
    )
    assert memory.type == "feedback"
    assert memory.why == '"If it slips I want daylight."'


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Please not again: only oil the ropes you touched.", "feedback"),
        ("Oona: moorings are closed by her, by nobody else.", "feedback"),
        ("Bertil: we name no skipper before the harbour master has confirmed it.", "feedback"),
        ("Tide clocks stay on winter time the year round.", "feedback"),
        ("Bertil asked that I stop sending him bills without a berth number.", "feedback"),
        ("Bertil is in on Tuesdays and Thursdays only.", "user"),
    ],
)
def test_what_holds_in_plain_words_is_kept(text: str, kind: str) -> None:
    assert one(text).type == kind


@pytest.mark.parametrize(
    "text",
    [
        "We expect no answer before Monday.",
        "The market is Tuesdays and Thursdays only.",
        "We see no leak before the gate.",
    ],
)
def test_what_is_only_so_now_or_of_no_person_is_not(text: str) -> None:
    assert typed(text) == ()


def test_a_meeting_tells_who_she_is_and_a_lead_that_its_list_holds() -> None:
    wish = one("She wants a drawing in each plan that touches the slip.", heading="09:15 With Oona")
    assert (wish.type, wish.statement[:10]) == ("user", "Oona wants")
    lead = "What she told me, for all plans from now on:"
    entry = Entry("2026-04-02~000000000001", "no nicknames, no drawings", (), lead, "item", day=DAY)
    (rule,) = offline.write(Brief("typed", "2026-W14", entries=(entry,))).memories
    assert rule.type == "feedback"


@pytest.mark.parametrize(
    ("text", "kind", "told"),
    [
        (
            "I tied it alone since Nils was at lunch. But he came back and was not pleased: any "
            "mast goes past his eyes before it is set, however small.",
            "feedback",
            "Nils came back",
        ),
        ("Ida was clear: no boat leaves without a lamp at its stern.", "feedback", "no boat"),
        ("Ida wants a real count of ropes each Monday from now on.", "user", "each Monday"),
        (
            "Mrs Brandt at Low Mere Farm rang about a rut. While on she said that her eyes are weak "
            "since the winter and would we please write to her on paper, and not ring before ten.",
            "user",
            "Brandt said",
        ),
        (
            "Nils asked, a bit tired, that I stop handing him bills with no order number on them.",
            "feedback",
            "Nils asked",
        ),
        ("Ida reminded me I may spend up to 250 by myself on small things.", "feedback", "250"),
        ("All but Ida (she works Tuesday to Thursday). Fog.", "user", "Ida works Tuesday"),
        ("Nils never sees chat at sea; text him.", "user", "never sees chat"),
        ("Ida likes to be called Mrs Brandt, by the way.", "user", "Mrs Brandt"),
    ],
)
def test_a_rule_inside_a_story_is_kept_with_whose_it_is(
    text: str, kind: MemoryType, told: str
) -> None:
    memory = one(text)
    assert memory.type == kind
    assert told in memory.statement


def test_how_somebody_asked_is_no_name_of_what_was_asked() -> None:
    asked = "Nils asked, a bit tired, that I stop handing him bills with no order number on them."
    assert one(asked).name.startswith("Stop handing him bills")


@pytest.mark.parametrize(
    "text",
    [
        "Nils put the record in: `p=none`, reports to a mailbox of ours.",
        "We leave it a week with the mill only, then look at the figures.",
        "Ida's rule checked in a preview for the 3rd: day ticket 15, kids as always.",
        "Ida and I looked at the policy: the excess is 500.",
        "Not to the 10th as we asked but to 8 April, for the lamprey.",
        "Ida wants gloves in small sizes; I found ten pairs in the store.",
        "Ida wants the stock gate at 3.6 m so that the baler gets through.",
    ],
)
def test_a_thing_of_one_day_is_no_rule_whatever_it_is_called(text: str) -> None:
    assert typed(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The consent is saved in Office/03 Consents with two annexes.",
        "Report saved as Lab/2026/SED-0220.",
        "Positions in Field/Mussels/relocation_0324.",
    ],
)
def test_a_folder_of_a_shared_drive_is_a_place(text: str) -> None:
    assert one(text).type == "reference"


def test_two_people_with_a_stroke_between_are_no_folder() -> None:
    assert typed("A copy to Ida/Nils about the tar.") == ()


@pytest.mark.parametrize(
    "text",
    [
        "No chart leaves the house before Ida has seen it.",
        "Nothing with a price in it goes to a dealer unless she has said yes to it.",
        "Any bill of ours over 2,000 passes his desk before it leaves the house.",
        'As of now our letters close with "Yours, the rope walk".',
        "From here on I count by name and by street.",
        "All depths in the logbook are to be in fathoms from now on.",
        "Requests of mine stay under 300 lines.",
        'Letters to guests open with "Good day", never "Dear".',
        "Before anything is restarted on the winch, ask him first.",
        "After six in the evening nothing to her, please.",
        "No little faces anywhere, not in the log, not on the board.",
        "Ida has now ruled that dates carry the month as a word.",
        "Under that sum Nils may do it alone.",
        "The mobile link to the hut is bad, so nothing over 2 MB to the crew, put it on the shelf.",
    ],
)
def test_how_things_are_done_is_a_rule_though_nobody_calls_it_one(text: str) -> None:
    memory = one(text)
    assert memory.type == "feedback"
    assert memory.statement.rstrip(".").endswith(text.rstrip(".")[-20:])


@pytest.mark.parametrize(
    "text",
    [
        "Odile brought biscuits. No comment on the timing.",
        '"Puss in Boots" had no comma anywhere and somebody had found a place for one.',
        "Nothing goes right before noon.",
        "No answer came before Ida asked again.",
        "All change: Mr Lund moved to the pilots; from now on it is Ms Aalto.",
        "Ida asked for a picture of the mast, just this once as a drawing rather than a photo.",
        "Crane hook: was in the cellar.",
        "I unpacked a copy to `mill:/srv/nets/2019/` and began to count.",
    ],
)
def test_what_all_or_none_of_a_kind_did_is_no_rule(text: str) -> None:
    assert typed(text) == ()


def test_a_custom_hides_no_rule_that_is_told_after_it() -> None:
    told = typed(
        "No message goes to guests unless Ida has approved it. Rule from now on: nets only after tar."
    )
    assert len(told) == 2


def test_a_list_of_who_is_who_is_kept() -> None:
    memory = one("The crew: Ida Brandt (head), Nils Holm (ropes and tar), Odd Lie (sails).")
    assert memory.type == "user"
    assert "Odd Lie (sails)" in memory.statement


def test_what_else_holds_is_not_why_a_rule_does() -> None:
    rule = "No chart leaves the house before Ida has seen it. And when one leaves, the chart has its scale."
    assert one(rule).why == ""


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The originals are in the vault, second shelf, and Ida has the key.", "reference"),
        ("Write the reason in the message, not only what changed, Ida told me.", "feedback"),
    ],
)
def test_what_the_words_speak_for_is_kept_though_no_phrase_says_so(
    text: str, kind: MemoryType
) -> None:
    assert learned.kept_as(text) == kind
    assert one(text).type == kind


@pytest.mark.parametrize(
    "text",
    [
        "Two gulls sat on the harbour wall and watched the lorry.",
        "The mast came at noon, 12 metres, one scratch.",
        "Nils went home early, his tooth again.",
    ],
)
def test_what_a_day_tells_speaks_for_nothing(text: str) -> None:
    assert learned.kept_as(text) is None
    assert not learned.may_keep(text)


def test_a_name_and_a_number_count_as_any_other() -> None:
    one, other = (
        learned.features(text) for text in ("Ask Ida for 12 of them.", "Ask Nils for 900 of them.")
    )
    assert one == other


def test_every_row_of_the_weights_has_one_for_nothing_and_for_each_type() -> None:
    table = files("lithify.engines.offline.lasting") / "learned.tsv"
    rows = [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines()]
    assert rows[0][0] == ""
    assert {len(row) for row in rows} == {2 + len(learned.TYPES)}
    assert len({row[0] for row in rows}) == len(rows)


# Parts that another has now, and what is dropped by name


def known_as(kind: MemoryType, statement: str, name: str = "") -> TypedMemory:
    topic = "-".join(statement.lower().split()[:3])
    return TypedMemory(
        kind,
        topic,
        name or statement,
        "",
        statement,
        ("2026-03-02~00000000000a",),
        updated="2026-03-02",
    )


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            "Use Kafka as the event bus.",
            "Decision: drop Kafka. The event bus becomes a Postgres table. Reason: one part fewer.",
        ),
        ("Use Celery with Redis as the job queue.", "Decision: drop Celery. Jobs go to a table."),
        ("Use tabs for indentation.", "Decision: Indentation: four spaces from now on."),
        ("The drawings are kept in the loft.", "Decision: the drawings go to the office."),
    ],
)
@pytest.mark.parametrize("kind", ["feedback", "project"])
def test_what_has_a_part_gives_way_to_what_has_it_now(
    kind: MemoryType, earlier: str, later: str
) -> None:
    old = known_as(kind, earlier)
    new = next(memory for memory in typed(later, old) if memory.topic == old.topic)
    after = Folding().fold({"2026-W10": [old], "2026-W14": [new]})[kind, old.topic]
    assert earlier not in after.statement
    assert after.superseded == (f"2026-03-02: {earlier}",)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Use Kafka as the event bus.", "Decision: Kafka goes to version 4 in June."),
        ("Use Kafka as the event bus.", "Decision: dropped Kafka from the agenda of the fair."),
        ("Use tabs for indentation.", "Decision: Use spaces for alignment."),
        ("Use tabs for indentation.", "Maybe four spaces for indentation from now on?"),
        ("Keep the final story in step with Bo.", "Decision: the story is ready but not final."),
    ],
)
def test_what_is_said_of_another_thing_takes_no_part_away(earlier: str, later: str) -> None:
    old = known_as("feedback", earlier)
    assert old.topic not in {memory.topic for memory in typed(later, old)}


def test_a_post_has_one_holder() -> None:
    old = known_as("user", "Oona Lind is the owner of billing.")
    after = known_as("user", "Bertil Ek is the owner of billing from 2026-04-01 on.")
    after = after._replace(topic="bertil-billing", updated="2026-04-02")
    known = Folding().fold({"2026-W10": [old], "2026-W14": [after]})
    assert [memory.statement for memory in known.values()] == [after.statement]


def test_a_name_does_not_outlive_the_words_it_was_made_from() -> None:
    old = known_as("user", "Oona doesn't want flags on the boats.")
    new = known_as("user", "Bertil, unlike Oona, likes flags on the boats.")
    assert merged(old, new._replace(updated="2026-04-02")).name == new.name


def test_an_hour_that_holds_again_takes_the_place_of_the_other(tmp_path: Path) -> None:
    days = {
        "2026-03-30": [
            "Decision: the exporter runs at 03:00 instead of 01:00, because copies end late."
        ],
        "2026-04-07": ["Decision: back to 01:00."],
    }
    root = roots.make(tmp_path / "root", days)
    assert roots.opened(root).compact().exit_code == 0
    (page,) = (root / "memory").glob("project_*.md")
    said, _, before = page.read_text().partition("## Superseded")
    assert "Back to 01:00." in said
    assert "03:00 instead of 01:00" not in said
    assert "2026-03-30: The exporter runs at 03:00 instead of 01:00." in before


@pytest.mark.parametrize(
    "moved",
    [
        "Staging has moved: it is now https://two.example, the old address redirects.",
        "Staging has a new home: https://two.example (the old page is gone).",
        "The staging address is https://two.example since yesterday.",
    ],
)
def test_a_thing_that_moved_has_one_address(moved: str) -> None:
    old = one("Staging is at https://one.example")._replace(updated="2026-03-02")
    new = one(moved, old)
    assert (new.type, new.topic, new.name) == ("reference", old.topic, "Staging")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Their manual is at https://x.example/a and says how it is signed.", "Their manual"),
        ("Runbook is at https://x.example/a.", "Runbook"),
        ("Use https://x.example for all downloads.", "Use for all downloads"),
    ],
)
def test_a_title_ends_where_its_address_begins(text: str, title: str) -> None:
    assert title_of(text) == title


def test_a_figure_that_is_another_before_the_entry_ends_is_told_with_both() -> None:
    memory = one(
        "Decision: an alarm goes off above 40 cm. Oona thought 40 too nervous, so it is 50 now."
    )
    assert memory.statement.endswith("so it is 50 now.")


def test_a_reason_told_before_the_choice_is_no_choice() -> None:
    memory = one("Decision: The ferry is too dear. Sails go by cart on weekdays.")
    assert memory.statement == "Sails go by cart on weekdays."
    assert memory.why == "The ferry is too dear."
