"""What version 0.1.0's offline engine left: nothing of it goes without a person's word."""

from __future__ import annotations

from pathlib import Path

import pytest

import roots
from lithify.compact.journaled import memory_data
from lithify.markdown.pages import render_typed, render_wisdom
from lithify.memory import Memory
from lithify.store import commit as store
from lithify.values import TypedMemory, WisdomEntry

TEXT = "Never restart the queue by hand: it loses the jobs in flight."
TIME = "2026-04-06T02:00:00Z"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A root as 0.1.0 left it: one memory and one entry of wisdom that its phrases chose."""
    memory = roots.made(tmp_path)
    memory.compact()
    snapshot = memory.snapshot()
    source = next(e.id for e in snapshot.entries(["memory/2026-04-02.md"]) if e.text == TEXT)
    old = TypedMemory(
        "feedback", "restart-queue", "Queue", "Queue", TEXT, (source,), updated="2026-04-02"
    )
    commit = snapshot.ledger.commits["typed:2026-W14"]
    facts = {
        "task": "typed:2026-W14",
        "sources": dict(commit.sources),
        "engine": "offline",
        "why": "new",
        "memories": [memory_data(old)],
    }
    store.commit(memory.root, {old.path: render_typed(old)}, "commit", facts, TIME)
    entry = WisdomEntry("Queue", TEXT, (source,))
    months = {
        page.path: page.sha256
        for page in [*snapshot.shelf.months.values(), *memory.snapshot().shelf.typed.values()]
    }
    decision = {
        "item": "Queue",
        "verb": "ADD",
        "reason": "a prohibition",
        "target": "Queue",
        "on": "2026-04-02",
        "mark": "0" * 16,
        "worded": True,
    }
    facts = {"task": "wisdom:", "sources": months, "engine": "offline", "why": "new"}
    facts |= {"decisions": [decision], "judged": ["0" * 16], "entries": 1}
    page = render_wisdom([entry], "Agent", "2026-04-06", ())
    store.commit(memory.root, {"WISDOM.md": page}, "commit", facts, TIME)
    return memory


def test_an_extracted_memory_stays_as_it_is_until_it_is_dropped(memory: Memory) -> None:
    path = memory.root / "memory/feedback_restart-queue.md"
    before = path.read_bytes()
    memory.compact()
    roots.put(memory.root, "2026-04-03", ["Rule: Niemals freitags deployen."])
    memory.compact()
    memory.compact(rewrite=True)
    assert path.read_bytes() == before
    statuses = {one.path: one.status for one in memory.memories()}
    assert statuses["memory/feedback_restart-queue.md"] == "adopted"
    memory.drop("feedback_restart-queue")
    memory.compact()
    assert not path.exists()


def test_a_deleted_file_is_not_asked_for_again(memory: Memory) -> None:
    (memory.root / "memory/feedback_restart-queue.md").unlink()
    memory.compact()
    assert memory.status().exit_code == 0


def test_an_entry_nobody_marked_is_proposed_to_be_dropped_and_stays_till_then(
    memory: Memory,
) -> None:
    assert roots.state(memory, "wisdom:") == "stale"
    memory.compact()
    assert [entry.title for entry in memory.wisdom()] == ["Queue"]
    (proposal,) = memory.proposals()
    assert (proposal.verb, proposal.target) == ("DROP", "Queue")
    memory.compact()
    assert len(memory.proposals()) == 1
    assert roots.state(memory, "wisdom:") == "current"


def test_an_approved_drop_leaves_a_tombstone(memory: Memory) -> None:
    memory.compact()
    memory.settle(memory.proposals()[0].id, approve=True)
    assert memory.wisdom() == ()
    stones = memory.snapshot().ledger.tombstones
    assert [stone["target"] for stone in stones] == ["Queue"]
    memory.compact()
    assert memory.wisdom() == ()
    assert memory.proposals() == ()


def test_a_rejected_drop_keeps_the_entry_and_is_not_asked_again(memory: Memory) -> None:
    memory.compact()
    memory.settle(memory.proposals()[0].id, approve=False)
    roots.put(memory.root, "2026-04-03", ["Rule: Niemals freitags deployen."])
    memory.compact()
    assert sorted(e.title for e in memory.wisdom()) == ["Niemals freitags deployen", "Queue"]
    assert memory.proposals() == ()


def test_a_rule_that_is_marked_now_is_no_longer_proposed(memory: Memory) -> None:
    roots.put(memory.root, "2026-04-03", [f"Rule: {TEXT}"])
    memory.compact()
    assert [entry.text for entry in memory.wisdom()] == [TEXT]
    assert memory.proposals() == ()


def test_marks_of_weeks_that_were_read_before_are_taken_up(memory: Memory) -> None:
    """0.1.0 did not look for them, and its weeks are current."""
    folder = memory.root.parent / "old"
    roots.make(folder, {"2026-04-02": "- Rule: Niemals freitags deployen.\n"})
    old = roots.opened(folder)
    page = old.snapshot().shelf.days[roots.NOW.date().replace(day=2)][0]
    facts = {
        "task": "typed:2026-W14",
        "sources": {page.path: page.sha256},
        "engine": "offline",
        "memories": [],
    }
    store.commit(folder, {}, "commit", facts, TIME)
    old.compact()
    assert [one.text for one in old.memories()] == ["Niemals freitags deployen."]
    journal = (folder / ".lithify/journal.jsonl").read_bytes()
    old.compact()
    assert (folder / ".lithify/journal.jsonl").read_bytes() == journal
