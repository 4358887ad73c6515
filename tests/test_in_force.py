"""Which rules are in force: one answer from every door, and everything a person does can be undone."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import roots
from commands import lithify
from lithify.compact.ledger import NO_LESSONS
from lithify.compact.standing import stand
from lithify.engines.base import Call, Scripted
from lithify.errors import NeedsTerminal, UnknownReference, UsageError
from lithify.memory import CompactOptions, Memory
from lithify.text.words import content_stems
from lithify.values import Basis, TypedMemory

PAIRS = [
    json.loads(line)
    for line in (Path(__file__).parent / "fixtures/rule_pairs.jsonl")
    .read_text("utf-8")
    .splitlines()
]
TUESDAYS, THURSDAYS = "deploy only on Tuesdays", "deploy only on Thursdays"


# One answer everywhere

Teach = Callable[[Memory, str, str, int], None]


def by_remember(memory: Memory, text: str, topic: str, days_ago: int) -> None:
    at = roots.NOW - timedelta(days=days_ago)
    memory.remember(text, type="feedback", topic=topic, at=at, origin="user")


def by_label(memory: Memory, text: str, topic: str, days_ago: int) -> None:
    day = (roots.NOW - timedelta(days=days_ago)).date()
    more = f"\n  Topic: {topic}" if topic else ""
    (memory.root / f"memory/{day}.md").write_text(f"- Rule: {text}{more}\n")


def in_force(memory: Memory, pair: dict[str, Any]) -> dict[str, list[str]]:
    """What each door says is in force of a pair, in small letters."""
    both = [pair["older"], pair["newer"]]

    def said(text: str) -> list[str]:
        older, newer = (one.casefold().rstrip(".") for one in both)
        low = text.casefold()
        # The one may be a part of the other.
        longer, shorter = (newer, older) if older in newer else (older, newer)
        left = low.replace(longer, "")
        there = {longer: longer in low, shorter: shorter in left}
        return [one for one in both if there[one.casefold().rstrip(".")]]

    files = (memory.root / "memory").glob("feedback_*.md")
    pages = "\n".join(path.read_text().partition("## Superseded")[0] for path in files)
    return {
        "files": said(pages),
        "memories list": said("\n".join(one.text for one in memory.memories.list())),
        "wisdom": said(roots.text(memory, "WISDOM.md")),
        "context": said(memory.context()),
        "export": said(json.dumps(memory.auto_memory(), ensure_ascii=False)),
        "mcp": said(over_mcp(memory)),
        "viewer": said("\n".join(row.one.text for row in viewed(memory))),
    }


def over_mcp(memory: Memory) -> str:
    """What an MCP client is told is in force."""
    mcp, call = pytest.importorskip("mcp_clients"), pytest.importorskip("lithify.mcp.call")
    return str(mcp.answer(call.ToolCall(str(memory.root), "tests"), "memories", {}).content[0].text)


def viewed(memory: Memory) -> list[Any]:
    """What the viewer's page of memories shows as in force."""
    view, page = (
        pytest.importorskip("lithify.web.view"),
        pytest.importorskip("lithify.web.memories"),
    )
    now = view.ViewedRoot(lambda: memory).view()
    return list(page.memories_page(now, view.PageRequest("/memories")).facts["rows"])


def in_recall(memory: Memory, pair: dict[str, Any]) -> dict[str, bool]:
    """Whether each rule of a pair that recall answers with is marked as superseded."""
    rules = {f"Rule: {text}": text for text in (pair["older"], pair["newer"])}
    found = [p for text in rules.values() for p in memory.recall(text).passages]
    texts = [(p.text.partition("Topic:")[0].strip().removeprefix("02:00 "), p) for p in found]
    return {rules[text]: bool(p.superseded) for text, p in texts if text in rules}


def groups() -> list[list[dict[str, Any]]]:
    """The pairs in groups that one root can hold: no rule of one pair concerns another pair."""
    found: list[list[dict[str, Any]]] = []
    for pair in PAIRS:
        own = content_stems(f"{pair['older']} {pair['newer']}")
        group = next((g for g in found if len(g) < 9 and not _shared(own, g)), None)
        if group is None:
            found.append(group := [])
        group.append(pair)
    return found


def _shared(own: frozenset[str], group: list[dict[str, Any]]) -> bool:
    theirs = [content_stems(f"{pair['older']} {pair['newer']}") for pair in group]
    return any(len(own & words) > 1 for words in theirs)


def merging(group: list[dict[str, Any]]) -> Callable[[Call], str]:
    """A writer of wisdom that merges a rule into the entry whose value it replaces, and adds the others."""
    replacing = (p for p in group if p["expect"] == "newer")
    older = {p["newer"]: p["older"] for p in replacing}

    def reply(call: Call) -> str:
        if roots.stage_of(call.prompt) != "wisdom":
            return roots.answer(call)
        known = re.findall(r"^- \[(w\d+)\] (.+)$", call.prompt, re.MULTILINE)
        decided = []
        for label, line in re.findall(r"^- \[(m\d+)\] (.+)$", call.prompt, re.MULTILINE):
            old = next((older[new] for new in older if new.casefold() in line.casefold()), None)
            near = [entry for entry, text in known if old and old.casefold() in text.casefold()]
            one = {"item": label, "decision": "ADD", "text": line, "title": "", "reason": "said so"}
            decided.append({**one, "decision": "MERGE", "target": near[0]} if near else one)
        return json.dumps(decided)

    return reply


@pytest.mark.parametrize("writer", ["offline", "merging"])
@pytest.mark.parametrize("teach", [by_remember, by_label])
@pytest.mark.parametrize("group", groups(), ids=lambda group: group[0]["older"][:40])
def test_every_door_gives_one_answer(
    tmp_path: Path, group: list[dict[str, Any]], teach: Teach, writer: str
) -> None:
    memory = roots.made(tmp_path, {})
    options = CompactOptions(include_current=True)
    if writer == "merging":
        options = options._replace(model=Scripted(merging(group), reads=True))
    for n, pair in enumerate(group):
        teach(memory, pair["older"], pair["topic"], 40 - n)
    for n, pair in enumerate(group):
        teach(memory, pair["newer"], pair["topic"], 20 - n)
    memory.compact(options)
    asked = {(newer.text, older.text) for newer, older in memory.memories.conflicts()}
    for pair in group:
        replaced = pair["expect"] == "newer"
        assert ((pair["newer"], pair["older"]) in asked) is (pair["expect"] == "conflict"), pair
        wanted = [pair["newer"]] if replaced else [pair["older"], pair["newer"]]
        found = in_force(memory, pair)
        assert found == dict.fromkeys(found, wanted), pair
        recalled = in_recall(memory, pair)
        assert recalled.items() <= {pair["older"]: replaced, pair["newer"]: False}.items()
        assert pair["newer"] in recalled
    assert memory.check() == ()


@cache
def _taught() -> Path:
    folder = Path(tempfile.mkdtemp()) / "root"
    memory = roots.opened(roots.make(folder, {}))
    for text, days in ((TUESDAYS, 40), ("invoices go to Dana", 39), ("keep notes short", 38)):
        by_remember(memory, text, "", days)
    memory.compact(CompactOptions(include_current=True))
    return folder


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    shutil.copytree(_taught(), tmp_path / "root")
    return roots.opened(tmp_path / "root")


def wisdom(memory: Memory) -> list[str]:
    return [entry.text for entry in memory.wisdom.entries()]


def held(memory: Memory) -> list[str]:
    return sorted(one.text for one in memory.memories.list())


def test_remember_says_what_it_replaced_and_wisdom_changes_with_it(memory: Memory) -> None:
    kept = memory.remember(THURSDAYS, type="feedback", origin="user")
    assert [one.text for one in kept.replaced] == [TUESDAYS]
    assert "Deploy only on Thursdays." in wisdom(memory)
    assert "Tuesdays" not in roots.text(memory, "WISDOM.md") + memory.context()


def test_an_entry_that_took_over_a_newer_value_stays_whatever_else_changes(memory: Memory) -> None:
    memory.remember(THURSDAYS, type="feedback", origin="user")
    memory.memories.drop("keep notes short")
    assert "Deploy only on Thursdays." in wisdom(memory)


def test_a_mark_that_no_compaction_has_taken_up_counts_in_context(memory: Memory) -> None:
    by_label(memory, THURSDAYS, "", 1)
    shown = memory.context()
    assert "Thursdays" in shown and "Tuesdays" not in shown


def test_a_mark_without_a_file_is_listed_as_context_shows_it_and_can_be_dropped(
    memory: Memory,
) -> None:
    before = set(held(memory)) - {TUESDAYS}
    by_label(memory, THURSDAYS, "", 1)
    assert set(held(memory)) - before == {THURSDAYS}
    (one,) = (one for one in memory.memories.list() if one.text == THURSDAYS)
    assert (one.path, one.whose) == ("", "a labelled line in a file")
    assert "asked" not in memory.context()
    entry = one.sources[0]
    assert memory.memories.find(entry).id == one.id
    memory.memories.drop(entry)
    gone = {(one.text, one.status) for one in memory.memories.gone()}
    assert gone == {(THURSDAYS, "dropped"), (TUESDAYS, "superseded")}
    # What a compaction makes of the line changes nothing of it.
    memory.compact(CompactOptions(include_current=True))
    assert set(held(memory)) == before and THURSDAYS not in roots.text(memory, "WISDOM.md")
    assert {(one.text, one.status) for one in memory.memories.gone()} == gone
    memory.memories.restore(entry)
    assert set(held(memory)) - before == {THURSDAYS}


def test_an_agent_replaces_no_rule_of_the_person(memory: Memory) -> None:
    kept = memory.remember(THURSDAYS, type="feedback", origin="agent")
    assert kept.replaced == () and [one.text for one in kept.conflicts] == [TUESDAYS]
    assert {TUESDAYS, THURSDAYS} <= set(held(memory))
    assert [(a.text, b.text) for a, b in memory.status().conflicts] == [(THURSDAYS, TUESDAYS)]
    (old,) = (one for one in memory.memories.list() if one.text == TUESDAYS)
    with pytest.raises(NeedsTerminal, match=f"Ask them for: lithify memories drop {old.id}$"):
        memory.memories.drop("feedback_deploy-only-on-tuesdays", by="agent")
    memory.memories.drop(THURSDAYS, by="agent")
    assert THURSDAYS not in held(memory)


@pytest.mark.parametrize("later", ["found", "marked"])
def test_what_a_writer_finds_with_another_figure_than_a_mark_is_a_pair_to_settle(
    later: Basis,
) -> None:
    earlier: Basis = "marked" if later == "found" else "found"
    texts = {"Empty the bilge at 45 litres.": earlier, "Empty the bilge at 48 litres.": later}
    said = [
        TypedMemory("feedback", "bilge", "", "", text, (f"{n}~{n:012}",), updated=f"2026-04-0{n}")
        for n, text in enumerate(texts, 1)
    ]
    now = stand([one._replace(basis=texts[one.statement]) for one in said], NO_LESSONS)
    pairs = [(newer.basis, older.basis) for newer, older in now.conflicts]
    assert (len(now.out), pairs) == ((0, [("found", "marked")]) if later == "found" else (1, []))


def test_a_pair_that_may_conflict_is_listed_until_somebody_settles_it(memory: Memory) -> None:
    memory.remember("invoices go to Marek", type="feedback", origin="user")
    ((newer, older),) = memory.memories.conflicts()
    assert (newer.text, older.text) == ("invoices go to Marek", "invoices go to Dana")
    memory.memories.supersede(older.id, newer.id)
    assert memory.memories.conflicts() == () and "invoices go to Dana" not in held(memory)
    assert "Dana" not in roots.text(memory, "WISDOM.md")
    memory.memories.restore("invoices go to Dana")
    assert len(memory.memories.conflicts()) == 1
    memory.memories.keep_both(older.text, newer.text)
    assert memory.memories.conflicts() == () and {older.text, newer.text} <= set(held(memory))


def test_keep_both_takes_a_replacement_back_for_good(memory: Memory) -> None:
    memory.remember(THURSDAYS, type="feedback", origin="user")
    memory.memories.keep_both(TUESDAYS, THURSDAYS)
    memory.compact(CompactOptions(include_current=True))
    assert {TUESDAYS, THURSDAYS} <= set(held(memory))
    assert {"Deploy only on Tuesdays.", "Deploy only on Thursdays."} <= set(wisdom(memory))


def test_what_is_dropped_leaves_wisdom_and_context_and_restore_brings_it_back(
    memory: Memory,
) -> None:
    before = held(memory), wisdom(memory), "Tuesdays" in memory.context()
    memory.memories.drop("feedback_deploy-only-on-tuesdays")
    assert "Tuesdays" not in roots.text(memory, "WISDOM.md") + memory.context()
    memory.compact(CompactOptions(include_current=True))
    assert "Tuesdays" not in roots.text(memory, "WISDOM.md") + memory.context()
    memory.memories.restore("feedback_deploy-only-on-tuesdays")
    assert (held(memory), wisdom(memory), "Tuesdays" in memory.context()) == before
    memory.compact(CompactOptions(include_current=True))
    assert (held(memory), wisdom(memory), "Tuesdays" in memory.context()) == before


def test_an_edit_changes_wisdom_at_once_and_can_be_taken_back(memory: Memory) -> None:
    before = held(memory), wisdom(memory)
    (one,) = [m for m in memory.memories.list() if m.text == TUESDAYS]
    kept = memory.memories.edit(one.id, "deploy on Mondays, after the stand-up")
    assert kept.path == one.path
    assert "Deploy on Mondays, after the stand-up." in wisdom(memory)
    assert "Tuesdays" not in roots.text(memory, "WISDOM.md") + memory.context()
    memory.memories.restore(TUESDAYS)
    assert (held(memory), wisdom(memory)) == before
    memory.compact(CompactOptions(include_current=True))
    assert (held(memory), wisdom(memory)) == before


def test_a_revoked_entry_is_out_everywhere_and_restored_everywhere(memory: Memory) -> None:
    before = held(memory), wisdom(memory)
    memory.wisdom.revoke("Deploy only on Tuesdays.", "we no longer do")
    assert TUESDAYS not in held(memory)
    assert "Tuesdays" not in roots.text(memory, "WISDOM.md") + memory.context()
    memory.compact(CompactOptions(include_current=True))
    assert "Tuesdays" not in roots.text(memory, "WISDOM.md") + memory.context()
    memory.wisdom.restore("Deploy only on Tuesdays.")
    assert (held(memory), wisdom(memory)) == before
    with pytest.raises(UsageError):
        memory.wisdom.restore("Deploy only on Tuesdays.")
    with pytest.raises(UnknownReference):
        memory.wisdom.restore("Never said.")


def test_a_person_bears_out_a_stale_entry(memory: Memory) -> None:
    later = Memory.open(memory.root, clock=lambda: roots.NOW + timedelta(days=200))
    assert all(age.stale for age in later.wisdom.ages())
    later.wisdom.confirm("Deploy only on Tuesdays.")
    assert [age.stale for age in later.wisdom.ages()].count(False) == 1


def test_a_rule_ends_after_its_last_day(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {})
    last = roots.NOW.date() + timedelta(days=3)
    memory.remember("no releases, the office moves", type="feedback", until=last, origin="user")
    memory.compact(CompactOptions(include_current=True))
    assert "No releases" in memory.context()
    later = Memory.open(memory.root, clock=lambda: roots.NOW + timedelta(days=4))
    assert "releases, the office" not in later.context() and held(later) == []
    assert [one.status for one in later.memories.gone()] == ["ended"]
    later.compact(CompactOptions(include_current=True))
    assert "office moves" not in roots.text(later, "WISDOM.md")


def test_a_mark_ends_with_its_sentence(tmp_path: Path) -> None:
    text = (
        "- Rule: no deploys on Fridays.\n  We also had lunch with Ana.\n"
        "- Rule: run the tests twice\n  before a release.\n  Why: the first run\n  warms the cache.\n"
        "  Topic: release tests\n  Then we went home.\n"
    )
    memory = roots.made(tmp_path, {"2026-04-01": text})
    memory.compact()
    first, second = sorted(memory.memories.list(), key=lambda one: one.text)
    assert first.text == "no deploys on Fridays."
    assert second.text == "run the tests twice before a release."
    assert (second.name, second.path) == ("Release tests", "memory/feedback_release-tests.md")
    assert "**Why:** the first run warms the cache." in roots.text(memory, second.path)
    assert wisdom(memory) == [
        "No deploys on Fridays.",
        "Run the tests twice before a release. Why: the first run warms the cache.",
    ]


@pytest.mark.parametrize(
    "topic", ["my topic", "feedback_my-topic.md", "feedback_feedback-my-topic.md"]
)
def test_slugs_hold_no_type_and_no_ending(tmp_path: Path, topic: str) -> None:
    memory = roots.made(tmp_path, {})
    kept = memory.remember("keep notes short", type="feedback", topic=topic, origin="user")
    assert kept.path == "memory/feedback_my-topic.md"


def test_at_the_cap_older_marks_go_first_and_the_reason_is_told(tmp_path: Path) -> None:
    names = [
        "Zoe",
        "Yann",
        "Xena",
        "Will",
        "Vera",
        "Uma",
        "Tom",
        "Sue",
        "Rob",
        "Quin",
        "Pia",
        "Olga",
    ]
    days = {
        f"2026-03-{n + 1:02}": [f"Rule: Ask {name} about {name.lower()}works."]
        for n, name in enumerate(names)
    }
    memory = roots.made(tmp_path, days, toml="[wisdom]\nmax_entries = 8\n")
    memory.compact()
    assert wisdom(memory) == [f"Ask {name} about {name.lower()}works." for name in names[4:]]
    reasons = [d["reason"] for d in memory.snapshot().ledger.wisdom.decisions]
    assert any("it is the older one (2026-03-0" in reason for reason in reasons)
    assert not any("better supported" in reason for reason in reasons)


def test_a_proposal_whose_ground_changed_is_never_applied_in_old_words(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {}, toml='[wisdom]\nreview = "always"\n')
    memory.remember(TUESDAYS, type="feedback", origin="user")
    memory.compact(CompactOptions(include_current=True))
    (proposal,) = memory.wisdom.proposals()
    memory.memories.edit(TUESDAYS, "deploy on Mondays")
    with pytest.raises((UsageError, UnknownReference)):
        memory.wisdom.decide(proposal.id, approve=True)
    assert "Tuesdays" not in "".join(wisdom(memory))
    memory.compact(CompactOptions(include_current=True))
    (anew,) = memory.wisdom.proposals()
    assert anew.entry and anew.entry.text == "Deploy on Mondays."


def test_the_life_of_a_memory_is_told(memory: Memory) -> None:
    memory.remember(THURSDAYS, type="feedback", origin="user")
    memory.memories.drop(THURSDAYS)
    memory.memories.restore(THURSDAYS)
    memory.memories.keep_both(TUESDAYS, THURSDAYS)
    events = [*memory.memories.log(TUESDAYS), *memory.memories.log(THURSDAYS)]
    told = [(event.what, event.text) for event in events]
    assert ("marked", TUESDAYS) in told and ("marked", THURSDAYS) in told
    for what in ("dropped", "restored", "settled: both hold"):
        assert (what, THURSDAYS) in told
    assert all(event.by == "user" for event in memory.memories.log(THURSDAYS) if event.source)


def test_the_commands_change_and_undo(memory: Memory) -> None:
    def run(*args: str) -> Any:
        done = lithify([*args, "--json", "--root", str(memory.root)])
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    said = run("remember", "keep meeting notes in the repository", "--until", "2099-01-01")
    assert said["path"] and said["replaced"] == []
    (one,) = [m for m in run("memories", "list") if m["until"]]
    assert (one["by"], one["until"]) == ("agent", "2099-01-01")
    assert run("memories", "drop", one["id"])[0]["id"] == one["id"]
    (gone,) = run("memories", "list", "--gone")
    assert (gone["status"], gone["text"]) == ("dropped", one["text"])
    assert run("memories", "restore", gone["id"])["text"] == one["text"]
    assert [e["what"] for e in run("memories", "log", one["id"])][-1] == "restored"
    for args in (
        ("confirm", "Keep notes short."),
        ("restore", "x"),
        ("revoke", "x", "--reason", "y"),
    ):
        done = lithify(["wisdom", *args, "--root", str(memory.root)])
        assert (done.returncode, "terminal" in done.stderr) == (2, True)
    done = lithify(["memories", "drop", "feedback_keep-notes-short", "--root", str(memory.root)])
    assert done.returncode == 2


# Any order of marking, editing, dropping, restoring, revoking, confirming, settling and compacting

SAID = [
    f"{what} {day}"
    for what in ("deploy only on", "water the plants on", "call Ana on")
    for day in ("Mondays", "Tuesdays", "Thursdays")
]


class Rules(RuleBasedStateMachine):
    """Every door agrees at every moment, what went stays out, and undo gives the state before."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.now = roots.NOW
        self.root = roots.make(self.folder / "root", {})
        self.dropped: set[str] = set()

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @property
    def memory(self) -> Memory:
        return Memory.open(self.root, clock=lambda: self.now)

    def state(self) -> tuple[list[str], list[str]]:
        return held(self.memory), sorted(wisdom(self.memory))

    @rule(text=st.sampled_from(SAID))
    def mark(self, text: str) -> None:
        self.memory.remember(text, type="feedback", origin="user")
        self.dropped.discard(text)

    @rule()
    def compact(self) -> None:
        self.memory.compact(CompactOptions(include_current=True))

    @rule(days=st.integers(1, 3))
    def wait(self, days: int) -> None:
        self.now += timedelta(days=days)

    @precondition(lambda self: held(self.memory))
    @rule(which=st.integers(0, 9), undo=st.booleans())
    def drop(self, which: int, undo: bool) -> None:
        self.compact()
        before, texts = self.state(), held(self.memory)
        text = texts[which % len(texts)]
        self.memory.memories.drop(text)
        if undo:
            self.memory.memories.restore(text)
            assert self.state() == before
            self.compact()
            assert self.state() == before
        else:
            self.dropped.add(text)

    @precondition(lambda self: held(self.memory))
    @rule(which=st.integers(0, 9), new=st.sampled_from(SAID), undo=st.booleans())
    def edit(self, which: int, new: str, undo: bool) -> None:
        self.compact()
        before, texts = self.state(), held(self.memory)
        old = texts[which % len(texts)]
        known = {*texts, *(one.text for one in self.memory.memories.gone())}
        if new in known:
            return
        self.memory.memories.edit(old, new)
        if undo:
            self.memory.memories.restore(old)
            self.compact()
            assert self.state() == before
        else:
            self.dropped.add(old)

    @precondition(lambda self: wisdom(self.memory))
    @rule(which=st.integers(0, 9), undo=st.booleans())
    def revoke(self, which: int, undo: bool) -> None:
        self.compact()
        before, texts = self.state(), wisdom(self.memory)
        text = texts[which % len(texts)]
        self.memory.wisdom.revoke(text, "no longer so")
        if undo:
            self.memory.wisdom.restore(text)
            assert self.state() == before
        else:
            self.dropped.add(text[:1].lower() + text[1:].rstrip("."))

    @precondition(lambda self: wisdom(self.memory))
    @rule(which=st.integers(0, 9))
    def confirm(self, which: int) -> None:
        before, texts = self.state(), wisdom(self.memory)
        self.memory.wisdom.confirm(texts[which % len(texts)])
        assert self.state() == before

    @precondition(lambda self: self.memory.memories.gone())
    @rule(which=st.integers(0, 9))
    def keep_both(self, which: int) -> None:
        gone = [one for one in self.memory.memories.gone() if one.status == "superseded"]
        for one in gone[which % len(gone) :][:1] if gone else []:
            self.memory.memories.keep_both(one.text, one.because)

    @precondition(lambda self: held(self.memory))
    @rule(which=st.integers(0, 9))
    def forget(self, which: int) -> None:
        texts = held(self.memory)
        text = texts[which % len(texts)]
        self.memory.forget(self.memory.choose_to_forget([text]))
        assert text not in held(self.memory)
        with pytest.raises(UnknownReference):
            self.memory.memories.restore(text)

    @invariant()
    def every_door_agrees(self) -> None:
        texts, shown = held(self.memory), self.memory.context().casefold()
        on_page = roots.text(self.memory, "WISDOM.md").casefold() if wisdom(self.memory) else ""
        for text in SAID:
            assert (text.casefold() in shown) is (text in texts), text
            assert text in texts or text.casefold() not in on_page
        assert self.dropped.isdisjoint(texts)

    @invariant()
    def check_is_clean(self) -> None:
        assert [p for p in self.memory.check() if p.severity == "error"] == []


RulesTest = Rules.TestCase
RulesTest.settings = settings(max_examples=8, stateful_step_count=10, deadline=None)
