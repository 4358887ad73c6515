"""What an agent may change of memories at once, and what it has to ask a person for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import roots
from commands import lithify
from lithify.compact.ledger import Correction
from lithify.errors import UnknownReference, UsageError
from lithify.memory import CompactOptions, Memory

TUESDAYS, DANA, MAREK = "deploy only on Tuesdays", "invoices go to Dana", "invoices go to Marek"
OWN = "the staging server is called heron"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = roots.made(tmp_path, {})
    for text in (TUESDAYS, DANA, MAREK):
        memory.remember(text, type="feedback", origin="user")
    memory.remember(OWN, origin="agent")
    memory.compact(CompactOptions(include_current=True))
    return memory


def held(memory: Memory) -> set[str]:
    return {one.text for one in memory.memories.list()}


def only(memory: Memory) -> Any:
    (one,) = memory.memories.requests()
    return one


CASES: dict[str, tuple[Correction, tuple[str, ...], str, set[str]]] = {
    "drop": ("drop", (TUESDAYS,), "", {DANA, MAREK, OWN}),
    "edit": ("edit", (TUESDAYS,), "deploy on Mondays", {"deploy on Mondays", DANA, MAREK, OWN}),
    "supersede": ("supersede", (DANA, MAREK), "", {TUESDAYS, MAREK, OWN}),
    "keep both": ("keep_both", (DANA, MAREK), "", {TUESDAYS, DANA, MAREK, OWN}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_request_changes_nothing_until_a_person_accepts_it(
    memory: Memory, case: tuple[Correction, tuple[str, ...], str, set[str]]
) -> None:
    action, refs, words, wanted = case
    before = held(memory), memory.memories.conflicts()
    asked = memory.memories.request(action, *refs, statement=words, reason="Ana said so")
    again = memory.memories.request(action, *refs, statement=words, reason="in other words")
    assert again == asked and only(memory).request == asked
    assert (held(memory), memory.memories.conflicts()) == before
    memory.compact(CompactOptions(include_current=True))
    assert memory.status().requests == memory.memories.requests() == (only(memory),)
    memory.memories.decide_request(asked.id, accept=True)
    assert held(memory) == wanted and memory.memories.requests() == ()
    assert memory.memories.conflicts() == (() if len(refs) == 2 else before[1])
    told = [(e.what, e.by, e.reason) for e in memory.memories.log(refs[0])]
    assert (f"asked to {action.replace('_', ' ')}", "agent", "Ana said so") in told
    assert ("person", "Ana said so") in [one[1:] for one in told]
    assert [p for p in memory.check() if p.severity == "error"] == []


def test_restoring_what_a_person_dropped_is_asked_for_too(memory: Memory) -> None:
    memory.memories.drop(TUESDAYS, reason="not this month")
    (gone,) = memory.memories.gone()
    assert (gone.text, gone.reason) == (TUESDAYS, "not this month")
    asked = memory.memories.request("restore", TUESDAYS, reason="the month is over")
    memory.memories.decide_request(asked.id, accept=True)
    assert TUESDAYS in held(memory) and memory.memories.requests() == ()


def test_a_declined_request_is_not_made_again(memory: Memory) -> None:
    asked = memory.memories.request("drop", TUESDAYS, reason="stale")
    before = held(memory)
    memory.memories.decide_request(asked.id, accept=False)
    assert held(memory) == before and memory.memories.requests() == ()
    with pytest.raises(UsageError, match="declined"):
        memory.memories.request("drop", TUESDAYS, reason="really stale")
    with pytest.raises(UnknownReference):
        memory.memories.decide_request(asked.id, accept=True)
    # Dropped and restored by the person, it is another question.
    memory.memories.drop(TUESDAYS)
    memory.memories.restore(TUESDAYS)
    memory.memories.request("drop", TUESDAYS, reason="stale")
    assert len(memory.memories.requests()) == 1


LAPSES: dict[str, Callable[[Memory], Any]] = {
    "dropped": lambda memory: memory.memories.drop(TUESDAYS),
    "dropped and restored": lambda memory: (
        memory.memories.drop(TUESDAYS),
        memory.memories.restore(TUESDAYS),
    ),
    "edited": lambda memory: memory.memories.edit(TUESDAYS, "deploy on Mondays"),
    "superseded": lambda memory: memory.remember(
        "deploy only on Thursdays", type="feedback", origin="user"
    ),
    "revoked": lambda memory: memory.wisdom.revoke("Deploy only on Tuesdays.", "no longer"),
    "forgotten": lambda memory: memory.forget(memory.choose_to_forget([TUESDAYS])),
}


@pytest.mark.parametrize("change", LAPSES.values(), ids=LAPSES.keys())
def test_a_request_whose_ground_changed_lapses(
    memory: Memory, change: Callable[[Memory], Any]
) -> None:
    asked = memory.memories.request("drop", TUESDAYS, reason="stale")
    change(memory)
    assert memory.memories.requests() == memory.status().requests == ()
    before = held(memory)
    with pytest.raises(UnknownReference):
        memory.memories.decide_request(asked.id, accept=True)
    assert held(memory) == before


def test_the_commands_list_requests_and_leave_the_decision_to_a_person(memory: Memory) -> None:
    asked = memory.memories.request("drop", TUESDAYS, reason="stale", origin="web")

    def run(*args: str) -> Any:
        return lithify([*args, "--root", str(memory.root)])

    (one,) = json.loads(run("review", "--json").stdout)
    assert (one["id"], one["origin"], one["before"]) == (asked.id, "web", TUESDAYS)
    assert "lithify review" in run("status").stdout
    for way in ("--approve", "--reject"):
        done = run("review", way, asked.id)
        assert (done.returncode, "terminal" in done.stderr) == (2, True)
    assert TUESDAYS in held(memory) and len(memory.memories.requests()) == 1


# Over MCP

pytest.importorskip("mcp")

from lithify.mcp.call import ToolCall  # noqa: E402
from mcp_clients import answer  # noqa: E402


def called(memory: Memory, tool: str, as_agent: bool = True, **given: Any) -> Any:
    done = answer(ToolCall(str(memory.root), "tests", "", as_agent), tool, given)
    return done.structured_content or done.content[0].text


def test_an_agent_corrects_what_it_marked_and_asks_for_the_rest(memory: Memory) -> None:
    done = called(memory, "correct_memory", action="drop", ref=OWN, reason="it is gone")
    assert done["done"] and OWN not in held(memory) and f"out of force: {OWN}" in done["text"]
    done = called(memory, "correct_memory", action="restore", ref=OWN, reason="it is back")
    assert done["done"] and OWN in held(memory)
    new = "the staging server is called osprey"
    done = called(memory, "correct_memory", action="edit", ref=OWN, text=new, reason="renamed")
    assert done["done"] and new in held(memory) and OWN not in held(memory)
    (one,) = [one for one in memory.memories.list() if one.text == new]
    assert one.by == "agent"
    before = held(memory)
    done = called(memory, "correct_memory", action="drop", ref=TUESDAYS, reason="stale")
    assert not done["done"] and done["request"] == only(memory).request.id
    assert held(memory) == before and called(memory, "status")["requests"] == 1


@pytest.mark.parametrize(("as_agent", "origin"), [(False, "mcp:tests"), (True, "web")])
def test_who_is_not_trusted_only_asks(memory: Memory, as_agent: bool, origin: str) -> None:
    before = held(memory)
    Memory.open(memory.root).gate.record("one", "prompt", "Look it up, please.")
    Memory.open(memory.root).gate.note_untrusted_source("one", "web")
    done = called(memory, "correct_memory", as_agent, action="drop", ref=OWN, reason="gone")
    assert not done["done"] and only(memory).request.origin == origin and held(memory) == before


def test_memories_over_mcp_are_listed_and_told(memory: Memory) -> None:
    memory.memories.drop(TUESDAYS, reason="not this month")
    listed = called(memory, "memories")
    assert DANA in listed["text"] and TUESDAYS not in listed["text"]
    assert set(listed["ids"]) == {one.id for one in memory.memories.list()}
    assert TUESDAYS in called(memory, "memories", show="gone")["text"]
    assert f"{DANA}" in called(memory, "memories", show="conflicts")["text"]
    life = called(memory, "memories", ref=TUESDAYS)["text"]
    assert "marked by user" in life and "dropped (not this month) by person" in life


@pytest.mark.parametrize(
    "given",
    [
        {"action": "supersede", "ref": DANA},
        {"action": "drop", "ref": DANA, "other": MAREK},
        {"action": "edit", "ref": OWN},
        {"action": "drop", "ref": OWN, "text": "x"},
        {"action": "drop", "ref": "never said"},
        {"action": "keep_both", "ref": DANA, "other": DANA},
        {"action": "forget", "ref": OWN},
    ],
)
def test_a_call_that_makes_no_sense_changes_nothing(memory: Memory, given: dict[str, str]) -> None:
    before = held(memory)
    assert isinstance(called(memory, "correct_memory", **given, reason="so"), str)
    assert held(memory) == before and memory.memories.requests() == ()
