"""The gate's core: what closes it, what passes it, what a summary must be, what is read back."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lithify.gate import texts
from lithify.gate.decide import Allow, Demand, Deny, GateState, ReportedCall, decide
from lithify.gate.files import Session, choose_job
from lithify.gate.jobs import JobState, Summary, counted_tokens, state_from_logs
from lithify.gate.submission import AcceptedSummary, RefusedSummary, cleaned, validate
from lithify.gate.texts import bodies, most_none, sections_of
from lithify.sections import GATE_PRESETS
from lithify.settings import Gate, is_job_name
from lithify.store import journal
from lithify.text.tokens import estimate

RULES = Gate()
TIME = "2026-04-02T14:00:00Z"
WORDS = [
    "anchor",
    "basin",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "gravel",
    "harbor",
    "inlet",
    "jetty",
    "kelp",
    "lagoon",
    "marsh",
    "narrows",
    "oyster",
    "pier",
    "quarry",
    "reef",
    "sandbar",
    "tide",
    "upland",
    "valley",
    "wharf",
    "yawl",
    "shoal",
    "brine",
    "dune",
    "estuary",
    "foam",
]


def prose(seed: int, tokens: int) -> str:
    """Sentences of plain words in ever new order, about so many tokens."""
    chance = random.Random(seed)
    sentences = []
    while tokens > 0:
        sentences.append(" ".join(chance.sample(WORDS, min(12, tokens))) + ".")
        tokens -= 13
    return " ".join(sentences)


def good(seed: int = 0, rules: Gate = RULES, each: int = 52) -> str:
    """A summary that meets the rules."""
    parts = []
    for number, section in enumerate(sections_of(rules)):
        body = prose(seed * 11 + number, each)
        if section.form == "pairs":
            body = f"Q: {body}\nA: {prose(seed * 13 + number, each)}"
        if section.form == "log":
            body = f"- 2026-04-02 {body}"
        parts.append(f"### {section.name}\n{body}")
    topic = f"Topic: part {seed}\n" if rules.shape == "topics" else ""
    return topic + "\n\n".join(parts)


def closed_job(record: str = "", chain: Sequence[Summary] = ()) -> tuple[JobState, Demand]:
    log = Log()
    record = record or prose(1, 600)
    log.add("prompt", {"text": record, "tokens": estimate(record), "closes": 1, "session": "s"})
    state = state_from_logs("job", log.newest(), (), Gate())
    assert state.demand
    return state._replace(chain=tuple(chain)), state.demand


def violations(text: str, rules: Gate = RULES, **known: Any) -> tuple[str, ...]:
    state, demand = closed_job(**known)
    found = validate(text, state, demand, rules)
    return found.violations if isinstance(found, RefusedSummary) else ()


class Log:
    """A log in memory, with the store's own records."""

    def __init__(self) -> None:
        self.records: list[journal.Record] = []

    def add(self, kind: str, data: dict[str, Any]) -> journal.Record:
        record = journal.Record(len(self.records) + 1, TIME, kind, data, "", "")
        self.records.append(record)
        return record

    def newest(self) -> list[journal.Record]:
        return self.records[::-1]


# What closes and opens it. -----------------------------------------------------------------------


class Model:
    """A job driven by events, the way the gatekeeper drives it, with no disk."""

    def __init__(self, rules: Gate) -> None:
        self.rules = rules
        self.record, self.chain = Log(), Log()
        self.denials: dict[Demand, int] = {}
        self.passed = 0

    @property
    def state(self) -> JobState:
        return state_from_logs("job", self.record.newest(), self.chain.newest(), self.rules)

    def say(self, kind: Any, tokens: int) -> None:
        text, state = "word " * tokens, self.state
        assert estimate(text) == tokens
        facts = {"text": text, "tokens": tokens, "session": "s"}
        if state.closes_with(counted_tokens(text), self.rules):
            facts["closes"] = state.start
        self.record.add(kind, facts)

    def call(self, agent: str = "", submits: str = "", searches: bool = False) -> Allow | Deny:
        demand = self.state.demand
        denials = self.denials.get(demand, 0) if demand else 0
        rules = self.rules
        state = GateState("job", demand, denials, rules.max_denials, rules.on_stuck)
        decision = decide(ReportedCall(submits, searches, agent), state)
        if demand and isinstance(decision, Deny):
            self.denials[demand] = denials + 1
        return decision

    def submit(self) -> None:
        demand = self.state.demand
        assert demand is not None and isinstance(self.call(submits="job"), Allow)
        facts = {"from": demand.start, "to": demand.stop, "text": "### A\nx", "tokens": 9}
        self.chain.add("summary", {**facts, **({"level": demand.level} if demand.level else {})})

    def open(self) -> None:
        self.record.add("opened", {"reason": "why", "chain": len(self.chain.records)})


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(["prompt", "answer"]), st.integers(0, 90)),
        st.tuples(st.sampled_from(["tool", "subagent", "search", "wrong job"]), st.just(0)),
        st.tuples(st.sampled_from(["submit", "open", "taint", "end"]), st.just(0)),
    ),
    max_size=60,
)


@settings(max_examples=80, deadline=None)
@given(
    EVENTS,
    st.sampled_from(["chain", "hierarchical", "topics"]),
    st.sampled_from(["hold", "pass"]),
)
def test_no_events_leave_the_gate_closed_for_good_or_open_to_a_productive_call(
    events: list[tuple[str, int]], shape: Any, on_stuck: Any
) -> None:
    model = Model(
        Gate(threshold=100, shape=shape, on_stuck=on_stuck, max_denials=3, rollup_every=2)
    )
    for kind, tokens in events:
        demand = model.state.demand
        if kind in ("prompt", "answer"):
            model.say(kind, tokens)
            assert demand is None or model.state.demand in (demand, model.state.closing)
        elif kind == "submit":
            if demand:
                model.submit()
        elif kind == "open":
            if demand:
                model.open()
                assert model.state.demand is None
        elif kind in ("taint", "end"):
            model.record.add({"taint": "taint", "end": "ended"}[kind], {})
            assert model.state.demand == demand
        else:
            before = model.denials.get(demand, 0) if demand else 0
            decision = model.call(
                agent="a1" if kind == "subagent" else "",
                submits="other" if kind == "wrong job" else "",
                searches=kind == "search",
            )
            if demand is None or kind == "search":
                assert decision == Allow()
            elif on_stuck == "hold":
                assert isinstance(decision, Deny)
            else:
                stuck = isinstance(decision, Allow)
                assert stuck == (before >= 3)
                assert not stuck or decision == Allow(stuck=True)
        _each_is_covered_once_or_pending(model)
    # Whatever happened: a summary each, or a person's word, and the work goes on.
    for _ in range(10):
        if model.state.demand:
            model.submit()
    assert model.state.demand is None
    assert model.call() == Allow()


def _each_is_covered_once_or_pending(model: Model) -> None:
    state = model.state
    said = [r.seq for r in model.record.records if r.kind in ("prompt", "answer")]
    ranges = [
        range(r.data["from"], r.data["to"]) for r in model.chain.records if not r.data.get("level")
    ]
    pending = {one.seq for one in state.pending}
    for seq in said:
        assert sum(seq in covered for covered in ranges) + (seq in pending) == 1


def test_threshold_is_reached_by_one_long_prompt_or_by_many_short_answers() -> None:
    long = Model(Gate(threshold=100))
    long.say("prompt", 100)
    assert long.state.demand == Demand(1, 2, 100)
    many = Model(Gate(threshold=100))
    for _ in range(9):
        many.say("answer", 11)
    assert many.state.demand is None and many.state.fresh == 99
    many.say("answer", 1)
    assert many.state.demand == Demand(1, 11, 100)


def test_range_stays_frozen_while_the_person_goes_on_talking() -> None:
    model = Model(Gate(threshold=100))
    for tokens in (60, 60, 500):
        model.say("prompt", tokens)
    assert model.state.demand == Demand(1, 3, 120)
    model.submit()
    assert model.state.demand is None and model.state.tokens == 500
    model.say("prompt", 1)
    assert model.state.demand == Demand(3, 5, 501)


def test_opened_by_hand_it_closes_only_after_another_threshold() -> None:
    model = Model(Gate(threshold=100))
    model.say("prompt", 100)
    model.open()
    model.say("prompt", 99)
    assert model.state.demand is None
    model.say("prompt", 1)
    demand = model.state.demand
    assert demand is not None and (demand.start, demand.tokens) == (1, 200)


def test_after_max_denials_it_tells_the_person_and_pass_gives_way() -> None:
    state = GateState("job", Demand(1, 2, 600), denials=8)
    assert decide(ReportedCall(), state) == Deny("due", stuck=True)
    assert decide(ReportedCall(), state._replace(denials=7)) == Deny("due")
    assert decide(ReportedCall(), state._replace(on_stuck="pass")) == Allow(stuck=True)


def test_subagent_can_neither_work_nor_submit_nor_search() -> None:
    state = GateState("job", Demand(1, 2, 600))
    for event in (ReportedCall(), ReportedCall(submits="job"), ReportedCall(searches=True)):
        assert decide(event._replace(agent="a1"), state) == Deny("subagent")


def test_hierarchical_asks_for_a_summary_of_summaries() -> None:
    model = Model(Gate(threshold=100, shape="hierarchical", rollup_every=2))
    for _ in range(2):
        model.say("prompt", 100)
        model.submit()
    assert model.state.demand == Demand(1, 3, 18, level=1)
    model.submit()
    assert model.state.demand is None
    for _ in range(2):
        model.say("prompt", 100)
        model.submit()
    assert model.state.demand == Demand(4, 6, 18, level=1)
    model.submit()
    assert model.state.demand == Demand(3, 7, 18, level=2)


# Jobs. -------------------------------------------------------------------------------------------


def test_second_live_session_leaves_the_first_its_job_and_the_next_takes_it_up() -> None:
    first = Session("a", "one", 1000.0)
    assert choose_job("a", [first], ["one"], 2000.0) == "one"
    assert choose_job("b", [first], ["one"], 2000.0) is None
    assert choose_job("b", [first._replace(ended=True)], ["one"], 2000.0) == "one"
    assert choose_job("b", [first], ["one"], 1000.0 + 7 * 3600) == "one"
    assert choose_job("a", [first], [], 2000.0) is None


def test_names_of_jobs_are_safe_as_folders() -> None:
    assert is_job_name("20260402-1") and is_job_name("billing")
    for name in ("", "..", "a/b", "A", "-a", "closed", "sessions", "a.b", "x" * 65, "a\n"):
        assert not is_job_name(name)


# What a summary must be. -------------------------------------------------------------------------


def test_good_summary_is_accepted_in_any_order_of_its_sections() -> None:
    state, demand = closed_job()
    parts = good().split("\n\n")
    found = validate("\n\n".join(parts[::-1]), state, demand, Gate())
    assert isinstance(found, AcceptedSummary)
    assert bodies(found.text)[0][0] == "Current State"
    assert 200 <= found.tokens == estimate(found.text) <= 1000


def test_refusal_lists_everything_at_once_with_the_figures() -> None:
    parts = good().split("\n\n")
    short = "### Design Choices\n" + prose(3, 33)
    text = "\n\n".join(
        [
            "Here you are:",
            parts[0],
            parts[0],
            short,
            "### Corrections & Feedback\nNone.",
            "### Extra\nx",
        ]
    )
    found = violations(text)
    tokens = estimate(prose(3, 33))
    assert f"Design Choices: {tokens} of 40 tokens" in found
    for words in (
        "text before the first section",
        "User Requests: given more than once",
        "Extra: no section of this job",
        "Questions & Decisions: missing",
        "Current State: missing",
    ):
        assert any(words in one for one in found), words
    assert any("of at least 200 tokens" in one for one in found)


def test_none_is_said_in_two_sections_at_most() -> None:
    parts = good(each=90).split("\n\n")
    names = [section.name for section in sections_of(Gate())]

    def without(*numbers: int) -> str:
        kept = [f"### {names[n]}\nNone." if n in numbers else parts[n] for n in range(5)]
        return "\n\n".join(kept)

    assert violations(without(1, 3)) == ()
    found = violations(without(0, 1, 3), record=prose(1, 900))
    assert "`None.` in 3 sections, at most 2 may say it" in found


def test_summary_is_shorter_than_what_it_covers() -> None:
    size = estimate(prose(1, 300))
    found = violations(good(each=80), record=prose(1, 300))
    assert any(f"what it covers has {size:,}" in one for one in found)
    assert any("1,000 tokens" in one for one in violations(good(each=260), record=prose(1, 9000)))


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("what the person asked for, each request once, in order " + prose(5, 40), "copied"),
        ("Lorem ipsum dolor sit amet " + prose(5, 40), "filler"),
        ("TBD. " + prose(5, 45), "filler"),
        ("the same word and the same word again " * 8, "filler"),
        (". ".join([prose(5, 13)] * 4), "says again"),
    ],
)
def test_filler_and_copied_template_are_refused(bad: str, words: str) -> None:
    parts = good(each=70).split("\n\n")
    parts[2] = f"### Design Choices\n{bad}"
    assert any("Design Choices" in one and words in one for one in violations("\n\n".join(parts)))


def test_summary_before_is_not_accepted_again() -> None:
    before = Summary(1, TIME, 1, 2, cleaned(good()), 300)
    assert any("summary before" in one for one in violations(good(), chain=[before]))


def test_what_is_marked_unverified_is_no_better_known_when_it_is_said_again() -> None:
    record = prose(1, 600)
    parts = good().split("\n\n")
    parts[4] += " The totals are in src/billing/export.py since the morning."
    state, demand = closed_job(record)
    first = validate("\n\n".join(parts), state, demand, Gate())
    assert isinstance(first, AcceptedSummary)
    assert first.unverified == {"Current State": ["src/billing/export.py"]}
    chain = [Summary(1, TIME, 1, 2, first.text, 300, unverified=first.unverified)]
    again = good(1).split("\n\n")
    again[4] += " Now src/billing/export.py writes the totals too."
    state, demand = closed_job(prose(2, 600), chain)
    second = validate("\n\n".join(again), state, demand, Gate())
    assert isinstance(second, AcceptedSummary)
    assert second.unverified == {"Current State": ["src/billing/export.py"]}
    # Where it reports what was said, neither.
    again[0] += " Change src/billing/export.py."
    (only,) = violations("\n\n".join(again), record=prose(2, 600), chain=chain)
    assert only.startswith("User Requests: not in what was recorded: src/billing/export.py")
    # What the record has said meanwhile is known, and stays so.
    state, demand = closed_job(prose(2, 600) + " See src/billing/export.py.", chain)
    told = validate("\n\n".join(again), state, demand, Gate())
    assert isinstance(told, AcceptedSummary) and not told.unverified
    chain.append(Summary(2, TIME, 2, 3, told.text, 300))
    later = good(2).split("\n\n")
    later[4] += " The file src/billing/export.py is done."
    state, demand = closed_job(prose(3, 600), chain)
    third = validate("\n\n".join(later), state, demand, Gate())
    assert isinstance(third, AcceptedSummary) and not third.unverified


def test_unknown_figures_are_refused_where_it_reports_and_marked_where_it_does_not() -> None:
    record = prose(1, 600) + " Ship 4.2.1 to Priya by Friday, for $420M."
    parts = good().split("\n\n")
    parts[0] += " Ship 4.2.1 to Priya, worth 420 million dollars."
    parts[4] += " Timeouts fell to 37 ms on Zephyrbox."
    state, demand = closed_job(record)
    found = validate("\n\n".join(parts), state, demand, Gate())
    assert isinstance(found, AcceptedSummary)
    assert set(found.unverified) == {"Current State"}
    assert any("37" in one for one in found.unverified["Current State"])
    parts[0] += " It must hold 9,500 users."
    (only,) = violations("\n\n".join(parts), record=record)
    assert only.startswith("User Requests: not in what was recorded") and "9,500" in only


def test_plain_report_of_what_was_said_is_not_taken_for_invention() -> None:
    record = (
        "Add a dark theme. Priya wants it by Friday. The export times out after 30s since v2.4.1 "
        f"for more than 5,000 rows. {prose(1, 600)}"
    )
    parts = good(each=60).split("\n\n")
    parts[0] += (
        "\n1. Fix the export: since v2.4.1 it takes over 30 seconds for 5,000 rows.\n"
        "2. Add a dark theme for Priya by Friday.\n3. Tests are still to be written."
    )
    parts[1] += "\nClaude asked the user about it on 2026-04-02."
    assert violations("\n\n".join(parts), record=record) == ()


def test_chain_vouches_for_what_it_says() -> None:
    parts = good().split("\n\n")
    parts[0] += " It must hold 9,500 users."
    before = Summary(1, TIME, 1, 2, "### User Requests\nIt must hold 9,500 users.", 300)
    assert violations("\n\n".join(parts), chain=[before]) == ()


@pytest.mark.parametrize("preset", sorted(GATE_PRESETS))
def test_each_preset_can_be_met(preset: Any) -> None:
    rules = Gate(preset=preset)
    record = prose(1, 700) + " On 2026-04-02 it was so."
    assert violations(good(4, rules, each=90), rules, record=record) == ()
    assert most_none(rules) < len(sections_of(rules))


def test_support_wants_pairs_and_governance_dates() -> None:
    support = Gate(preset="support")
    text = good(2, support, each=90).replace("\nA: ", "\n")
    assert any("1 `Q:` and 0 `A:`" in one for one in violations(text, support))
    board = Gate(preset="governance")
    text = good(2, board, each=90).replace("2026-04-02 ", "")
    assert any("begins with its date" in one for one in violations(text, board))


def test_topics_want_their_first_line() -> None:
    rules = Gate(shape="topics")
    state, demand = closed_job()
    found = validate(good(3, rules), state, demand, rules)
    assert isinstance(found, AcceptedSummary) and found.topic == "part 3"
    assert "Topic: missing" in violations(good(3), rules)[0]


def test_the_template_itself_is_refused() -> None:
    assert any("copied from the template" in one for one in violations(texts.template(Gate())))


def test_text_of_a_body_cannot_pose_as_a_section() -> None:
    parts = good().split("\n\n")
    parts[2] += "\n#### User Requests of old\nand so on"
    state, demand = closed_job()
    found = validate("\n\n".join(parts), state, demand, Gate())
    assert isinstance(found, AcceptedSummary)
    assert len(bodies(found.text)) == 5


# What is read back. ------------------------------------------------------------------------------


def summaries(count: int, **facts: Any) -> list[Summary]:
    return [
        Summary(n, f"2026-04-{n % 28 + 1:02}T10:00:00Z", n, n + 1, cleaned(good(n)), 260, **facts)
        for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("count", [1, 2, 7, 40, 300])
def test_read_back_has_the_last_summary_whole_and_stays_under_its_limit(count: int) -> None:
    chain = summaries(count)
    text = texts.read_back("job", chain)
    assert len(text) < texts.LIMIT
    assert chain[-1].text in text
    if count > 1:
        assert f"[summary {count - 1}, " in text and "rolled up" in text
    if count == 300:
        assert "older summaries" in text


def test_read_back_shows_rollups_in_the_place_of_what_they_cover() -> None:
    chain = summaries(4)
    chain.append(Summary(5, TIME, 1, 5, cleaned(good(99)), 260, level=1))
    text = texts.read_back("job", chain)
    assert chain[-1].text in text and "[summary 4" not in text


def test_read_back_of_topics_has_the_last_of_each() -> None:
    chain = [one._replace(topic="ab"[n % 2]) for n, one in enumerate(summaries(6))]
    text = texts.read_back("job", chain)
    assert chain[-1].text in text and chain[-2].text in text
    assert len(text) < texts.LIMIT


def test_huge_last_summary_still_fits() -> None:
    huge = Summary(1, TIME, 1, 2, "### A\n" + "x" * 50_000, 9)
    assert len(texts.read_back("job", [huge])) < texts.LIMIT


def test_one_of_a_thing_is_spoken_of_as_one() -> None:
    assert texts.what_is_due("a", Demand(4, 5, 700)).startswith("interaction 4 of job a (about 700")
    assert texts.what_is_due("a", Demand(4, 5, 700)).endswith("has no summary yet")
    assert texts.what_is_due("a", Demand(1, 4, 700)).startswith("interactions 1 to 3 of job a")
    assert texts.what_is_due("a", Demand(1, 4, 700, 1)).startswith("summaries 1 to 3 of job a")
    one = Summary(2, "2026-04-02T14:00:00Z", 4, 5, "text", 1)
    assert texts.summary_text(one).startswith("[summary 2, 2026-04-02T14:00:00Z, interaction 4]")
    assert texts.count_of(1, "summary", "summaries") == "1 summary"
    assert texts.count_of(1200, "summary", "summaries") == "1,200 summaries"
