"""Labelled lines that only a person makes memories of: held for review, in force once accepted."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

import commands
import roots
from lithify.errors import UnknownReference
from lithify.memory import CompactOptions, Memory

HELD = "The ledger closes at noon on the last working day."
DAYS = {
    "2026-04-02": roots.day("Merged PR 318."),
    "2026-04-08": roots.day("Rule: Niemals freitags deployen."),
}
NINE_DAYS_AGO = roots.NOW - timedelta(days=9)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = roots.made(tmp_path, DAYS)
    made.log(f"Rule: {HELD}", origin="web", at=NINE_DAYS_AGO)
    made.compact()
    return made


def held(memory: Memory) -> list[str]:
    return [one.after for one in memory.review("memory")]


def accept(memory: Memory, words: str = HELD) -> None:
    (id,) = (one.id for one in memory.review("memory") if one.after == words)
    memory.decide(id, approve=True)


def in_force(memory: Memory) -> dict[str, str]:
    return {one.text: one.status for one in memory.memories.list()}


def file_of(memory: Memory, words: str) -> str:
    return next(one.path for one in memory.memories.list() if one.text == words)


def test_what_is_held_is_in_no_file_no_context_and_no_wisdom(memory: Memory) -> None:
    assert held(memory) == [HELD]
    assert in_force(memory) == {"Niemals freitags deployen.": "marked"}
    assert [entry.text for entry in memory.wisdom.entries()] == ["Niemals freitags deployen."]
    assert not any("ledger" in path.read_text() for path in memory.root.glob("memory/*_*.md"))
    assert HELD not in memory.context()


def test_only_what_somebody_labelled_is_held(tmp_path: Path) -> None:
    lines = [HELD, "Rules: two people sign for the fuel barge.", "Always lock the shed."]
    memory = roots.made(tmp_path, {"2026-04-02": roots.day(*lines)})
    memory.compact()
    assert held(memory) == [] and in_force(memory) == {}


def test_what_a_person_accepts_is_a_memory_at_once(memory: Memory) -> None:
    (one,) = memory.review("memory")
    accept(memory)
    assert in_force(memory)[HELD] == "accepted"
    path = file_of(memory, HELD)
    assert HELD in roots.text(memory, path)
    assert memory.memories.find(path).sources == one.sources
    assert held(memory) == []
    last = json.loads((memory.root / ".lithify/journal.jsonl").read_text().splitlines()[-1])
    assert last["kind"] == "accept"
    assert memory.check() == ()


def test_an_accepted_rule_is_proposed_for_wisdom_and_not_added(memory: Memory) -> None:
    accept(memory)
    memory.compact()
    assert [entry.text for entry in memory.wisdom.entries()] == ["Niemals freitags deployen."]
    (proposal,) = memory.wisdom.proposals()
    assert (proposal.verb, proposal.origin) == ("ADD", "web")
    assert proposal.entry and proposal.entry.text == HELD
    memory.wisdom.decide(proposal.id, approve=True)
    assert HELD in [entry.text for entry in memory.wisdom.entries()]
    memory.compact()
    assert memory.wisdom.proposals() == ()


def test_what_was_accepted_goes_and_comes_back_with_its_line(memory: Memory) -> None:
    accept(memory)
    path = file_of(memory, HELD)
    day = next(one for one in memory.root.glob("memory/2026-*.md") if "ledger" in one.read_text())
    text, file = day.read_text(), roots.text(memory, path)
    day.write_text(text.replace("noon", "four"))
    memory.compact()
    assert HELD not in in_force(memory)
    day.write_text(text)
    memory.compact()
    assert roots.text(memory, path) == file


def test_what_a_person_declined_does_not_come_back_whoever_says_it_again(memory: Memory) -> None:
    memory.decide(memory.review("memory")[0].id, approve=False)
    memory.log(f"Rule: {HELD.lower()}", origin="mcp:stranger", at=roots.NOW)
    memory.compact()
    assert held(memory) == [] and HELD.lower() not in in_force(memory)


@pytest.mark.parametrize("accepted", [True, False])
def test_a_dropped_memory_does_not_come_back_and_its_line_stays(
    memory: Memory, accepted: bool
) -> None:
    if accepted:
        accept(memory)
    days = {path: data for path, data in roots.pages(memory.root).items() if "2026-" in path}
    wanted = "accepted" if accepted else "marked"
    (one,) = [one for one in memory.memories.list() if one.status == wanted]
    memory.memories.drop(one.id)
    memory.compact(CompactOptions(rewrite=True))
    assert one.text not in in_force(memory)
    assert one.text not in held(memory)
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


def test_of_untrusted_lines_so_many_are_held_a_week(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {}, "[memories]\nmax_per_week = 3\n")
    for n in range(5):
        memory.log(f"Rule: the {n}th rule of a stranger.", origin="web", at=NINE_DAYS_AGO)
    assert len(held(memory)) == 3
    memory.decide(memory.review("memory")[0].id, approve=False)
    assert len(held(memory)) == 2


def test_a_mark_of_an_origin_that_may_not_rule_is_held(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {})
    for origin in ("web", "mcp:stranger", "import:mail", "tool", "user", "agent"):
        text = f"Rule: rule by {origin.partition(':')[0]}"
        memory.log(text, origin=origin, at=NINE_DAYS_AGO)
    memory.log("Reference: https://status.example.com", origin="tool", at=roots.NOW)
    memory.compact()
    assert sorted(in_force(memory)) == ["rule by agent", "rule by user"]
    assert sorted((one.origin, one.after) for one in memory.review("memory")) == [
        ("import:mail", "rule by import"),
        ("mcp:stranger", "rule by mcp"),
        ("tool", "https://status.example.com"),
        ("tool", "rule by tool"),
        ("web", "rule by web"),
    ]
    assert sorted(entry.text for entry in memory.wisdom.entries()) == [
        "Rule by agent.",
        "Rule by user.",
    ]


def test_files_and_journal_give_the_same_again(memory: Memory, tmp_path: Path) -> None:
    memory.log("Rule: always reboot twice", origin="web", at=NINE_DAYS_AGO)
    accept(memory)
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
    assert other.review() == memory.review() and held(other) == ["always reboot twice"]


def test_what_is_not_there_can_be_neither_accepted_nor_dropped(memory: Memory) -> None:
    with pytest.raises(UnknownReference):
        memory.memories.decide_mark("00000000", accept=True)
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


def test_the_command_accepts_nothing_without_a_terminal(memory: Memory) -> None:
    review = ["review", "--only", "memory", "--root", str(memory.root)]
    (one,) = json.loads(commands.lithify([*review, "--json"]).stdout)
    assert (one["origin"], one["after"]) == ("web", HELD)
    done = commands.lithify(["review", "--approve", one["id"], "--root", str(memory.root)])
    assert (done.returncode, "terminal" in done.stderr) == (2, True)
    assert HELD not in in_force(memory)
