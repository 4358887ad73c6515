"""Suggestions: shown to a person, to no agent; in force once accepted, gone once dropped."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

import commands
import roots
from lithify import judge
from lithify.errors import NeedsTerminal, UnknownReference
from lithify.memory import CompactOptions, Memory
from lithify.values import MemoryType

FOUND = "The ledger closes at noon on the last working day."
DAYS = {
    "2026-04-02": roots.day(FOUND, "Merged PR 318."),
    "2026-04-08": roots.day("Rule: Niemals freitags deployen."),
}


@pytest.fixture(autouse=True)
def fake_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that is sure of every sentence about a ledger, and of no other."""

    def lasting(
        text: str, heading: str = "", lead: str = "", language: str = ""
    ) -> MemoryType | None:
        return "feedback" if "ledger" in text else None

    monkeypatch.setattr(judge, "lasting", lasting)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = roots.made(tmp_path, DAYS)
    made.compact()
    return made


def listed(memory: Memory) -> list[str]:
    return [one.text for one in memory.memories.suggestions()]


def in_force(memory: Memory) -> dict[str, str]:
    return {one.text: one.status for one in memory.memories.list()}


def test_a_suggestion_is_in_no_file_no_context_and_no_wisdom(memory: Memory) -> None:
    assert listed(memory) == [FOUND]
    assert in_force(memory) == {"Niemals freitags deployen.": "marked"}
    assert [entry.text for entry in memory.wisdom.entries()] == ["Niemals freitags deployen."]
    assert not any("ledger" in path.read_text() for path in memory.root.glob("memory/*_*.md"))


def test_looking_at_suggestions_writes_nothing(memory: Memory) -> None:
    before = roots.everything(memory.root)
    journal = (memory.root / ".lithify/journal.jsonl").read_bytes()
    memory.memories.suggestions()
    assert roots.everything(memory.root) == before
    assert (memory.root / ".lithify/journal.jsonl").read_bytes() == journal


def test_an_accepted_suggestion_is_a_memory_at_once(memory: Memory) -> None:
    (one,) = memory.memories.suggestions()
    accepted = memory.memories.accept(one.id)
    assert (accepted.status, accepted.text, accepted.sources) == ("accepted", FOUND, one.sources)
    assert FOUND in roots.text(memory, accepted.path)
    assert listed(memory) == []
    last = json.loads((memory.root / ".lithify/journal.jsonl").read_text().splitlines()[-1])
    assert last["kind"] == "accept"
    assert memory.check() == ()


def test_an_accepted_rule_is_proposed_for_wisdom_and_not_added(memory: Memory) -> None:
    memory.memories.accept(memory.memories.suggestions()[0].id)
    memory.compact()
    assert [entry.text for entry in memory.wisdom.entries()] == ["Niemals freitags deployen."]
    (proposal,) = memory.wisdom.proposals()
    assert proposal.verb == "ADD" and proposal.entry and proposal.entry.text == FOUND
    memory.wisdom.decide(proposal.id, approve=True)
    assert FOUND in [entry.text for entry in memory.wisdom.entries()]
    memory.compact()
    assert memory.wisdom.proposals() == ()


def test_what_was_accepted_goes_and_comes_back_with_its_line(memory: Memory) -> None:
    accepted = memory.memories.accept(memory.memories.suggestions()[0].id)
    day = memory.root / "memory/2026-04-02.md"
    text, file = day.read_text(), roots.text(memory, accepted.path)
    day.write_text(text.replace("noon", "four"))
    memory.compact()
    assert FOUND not in in_force(memory)
    assert listed(memory) == [FOUND.replace("noon", "four")]
    day.write_text(text)
    memory.compact()
    assert roots.text(memory, accepted.path) == file


def test_a_dropped_suggestion_does_not_come_back_whoever_says_it_again(memory: Memory) -> None:
    memory.memories.drop(memory.memories.suggestions()[0].id)
    roots.put(memory.root, "2026-04-09", [FOUND.lower()])
    memory.compact()
    assert listed(memory) == []
    assert FOUND in roots.text(memory, "memory/2026-04-02.md")


@pytest.mark.parametrize("accepted", [True, False])
def test_a_dropped_memory_does_not_come_back_and_its_line_stays(
    memory: Memory, accepted: bool
) -> None:
    if accepted:
        memory.memories.accept(memory.memories.suggestions()[0].id)
    days = {path: data for path, data in roots.pages(memory.root).items() if "2026-" in path}
    wanted = "accepted" if accepted else "marked"
    (one,) = [one for one in memory.memories.list() if one.status == wanted]
    memory.memories.drop(one.id)
    memory.compact(CompactOptions(rewrite=True))
    assert one.text not in in_force(memory)
    assert one.text not in listed(memory)
    now = roots.pages(memory.root)
    assert {path: now[path] for path in days if "ly/" not in path} == {
        path: data for path, data in days.items() if "ly/" not in path
    }
    assert list((memory.root / ".lithify/history" / one.path).iterdir())


def test_all_that_a_dropped_file_was_made_of_goes_with_it(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    memory.compact(CompactOptions(model=roots.Careful()))
    roots.put(memory.root, "2026-04-09", ["Never restart the queue by hand, not even at night."])
    memory.compact(CompactOptions(model=roots.Careful()))
    before = [one for one in memory.memories.list() if "restart" in one.text]
    assert [one.status for one in before] == ["found"]
    assert before[0].text.count("Never restart the queue") == 2
    memory.memories.drop(before[0].path)
    memory.compact(CompactOptions(model=roots.Careful()))
    assert not [one for one in memory.memories.list() if "restart" in one.text]


def test_at_most_so_many_a_week_and_untrusted_ones_beside_them(tmp_path: Path) -> None:
    lines = [f"The ledger has a rule, number {n}." for n in range(20)]
    memory = roots.made(tmp_path, {"2026-04-02": lines}, "[memories]\nmax_per_week = 3\n")
    for n in range(5):
        at = roots.NOW - timedelta(days=18)
        memory.log(f"A stranger's ledger, the {n}th one here.", origin="web", at=at)
    found = memory.memories.suggestions()
    assert [one.trusted for one in found] == [True] * 3 + [False] * 3
    memory.memories.drop(found[0].id)
    assert len(memory.memories.suggestions()) == 5


def test_a_mark_that_is_not_trusted_is_only_a_suggestion(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {})
    for origin in ("web", "mcp:stranger", "import:mail", "tool", "user", "agent"):
        text = f"Rule: rule by {origin.partition(':')[0]}"
        memory.log(text, origin=origin, at=roots.NOW - timedelta(days=9))
    memory.log("Reference: https://status.example.com", origin="tool", at=roots.NOW)
    memory.compact()
    assert sorted(in_force(memory)) == ["rule by agent", "rule by user"]
    assert sorted(listed(memory)) == [
        "https://status.example.com",
        "rule by import",
        "rule by mcp",
        "rule by tool",
        "rule by web",
    ]
    assert sorted(entry.text for entry in memory.wisdom.entries()) == [
        "Rule by agent.",
        "Rule by user.",
    ]


def test_accepting_what_is_not_trusted_needs_a_terminal(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {})
    memory.log("Rule: always reboot twice", origin="web", at=roots.NOW - timedelta(days=9))
    (one,) = memory.memories.suggestions()
    with pytest.raises(NeedsTerminal):
        memory.memories.accept(one.id, by="agent")
    assert memory.memories.list() == ()
    memory.memories.accept(one.id)
    memory.compact()
    assert in_force(memory) == {"always reboot twice": "accepted"}
    assert memory.wisdom.entries() == ()
    (proposal,) = memory.wisdom.proposals()
    assert (proposal.verb, proposal.origin) == ("ADD", "web")


def test_files_and_journal_give_the_same_again(memory: Memory, tmp_path: Path) -> None:
    memory.memories.accept(memory.memories.suggestions()[0].id)
    marked = next(one for one in memory.memories.list() if one.status == "marked")
    memory.memories.drop(marked.id)
    memory.compact()
    copy = tmp_path / "copy"
    shutil.copytree(memory.root, copy)
    for derived in ("index.sqlite", "digests.json"):
        (copy / ".lithify" / derived).unlink(missing_ok=True)
    other = roots.opened(copy)
    other.compact()
    assert roots.pages(copy) == roots.pages(memory.root)
    assert other.memories.list() == memory.memories.list()
    assert other.memories.suggestions() == memory.memories.suggestions()


def test_what_is_not_there_can_be_neither_accepted_nor_dropped(memory: Memory) -> None:
    with pytest.raises(UnknownReference):
        memory.memories.accept("00000000")
    with pytest.raises(UnknownReference):
        memory.memories.drop("00000000")


def test_what_is_adopted_is_listed_and_can_be_dropped(memory: Memory) -> None:
    page = memory.root / "memory/user_dana.md"
    page.write_text("---\nname: Dana\ntype: user\n---\n\nDana wants tables.\n")
    memory.compact()
    assert in_force(memory)["Dana wants tables."] == "adopted"
    memory.memories.drop("user_dana")
    memory.compact()
    assert not page.exists()
    assert list((memory.root / ".lithify/history/memory/user_dana.md").iterdir())


# The command


def lithify(*args: str, root: Path) -> subprocess.CompletedProcess[str]:
    return commands.lithify(["memories", *args, "--root", str(root)])


def test_the_command_lists_shows_and_drops(memory: Memory) -> None:
    done = lithify("list", "--json", root=memory.root)
    (one,) = json.loads(done.stdout)
    assert (one["status"], one["type"]) == ("marked", "feedback")
    assert one["text"] in lithify("list", root=memory.root).stdout
    shown = lithify("show", one["id"], root=memory.root).stdout
    assert "memory/2026-04-08.md:3 (file)" in shown
    assert json.loads(lithify("show", one["path"], "--json", root=memory.root).stdout)["lines"]
    refused = lithify("drop", one["id"], root=memory.root)
    assert (refused.returncode, "terminal" in refused.stderr) == (2, True)
    memory.memories.drop(one["id"])
    assert json.loads(lithify("list", "--json", root=memory.root).stdout) == []
    assert lithify("show", one["id"], root=memory.root).returncode == 1


def test_the_command_accepts_nothing_untrusted_without_a_terminal(memory: Memory) -> None:
    memory.log("Rule: always reboot twice", origin="web", at=roots.NOW - timedelta(days=9))
    (one,) = json.loads(lithify("list", "--suggested", "--json", root=memory.root).stdout)
    assert one["trusted"] is False
    done = lithify("accept", one["id"], root=memory.root)
    assert (done.returncode, "terminal" in done.stderr) == (2, True)
