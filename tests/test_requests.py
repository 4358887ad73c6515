"""What an agent may change of memories at once, and what it has to ask a person for."""

from __future__ import annotations

import json
import os
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


# To forget an entry

NOTE = "The door of the cellar in Riga sticks when it rains."


def logged(memory: Memory, text: str = NOTE) -> str:
    """Log an entry in the week before, beside others, so that it is due for a page."""
    roots.put(memory.root, "2026-03-31", [text, "The boiler in Tartu was repaired by Liis."])
    found = memory.snapshot().entries(["memory/2026-03-31.md"])
    return next(entry.id for entry in found if text in entry.text)


def told(memory: Memory, words: str = NOTE) -> set[str]:
    """Where a session would be told these words."""
    orders = memory.next_order(by="agent", client="tests", session="py").order
    shown = {
        "context": Memory.open(memory.root).context(),
        "recall": memory.fenced(memory.recall("cellar door Riga")),
        "order": orders.user if orders else "",
        "page": "".join(p.read_text() for p in memory.root.glob("memory/weekly/*.md")),
    }
    return {where for where, text in shown.items() if words in text}


def forget(memory: Memory, *more: str, session: str = "") -> Any:
    environ = {**os.environ, "CLAUDE_CODE_SESSION_ID": session}
    return lithify(["forget", *more, "--root", str(memory.root)], env=environ)


def test_an_entry_is_hidden_from_the_agent_until_a_person_decides(memory: Memory) -> None:
    entry = logged(memory)
    assert {"recall", "order"} <= told(memory)
    done = forget(memory, entry, "--json")
    assert done.returncode == 4, done.stderr
    assert told(memory) == set() and NOTE in (memory.root / "memory/2026-03-31.md").read_text()
    memory.compact(CompactOptions(include_current=True))
    assert told(memory) == set()
    (asked,) = memory.memories.requests()
    assert asked.in_words() == f"forget “{NOTE}”" and memory.status().requests == (asked,)
    assert forget(memory, entry).returncode == 4 and memory.memories.requests() == (asked,)
    (item,) = memory.review("request")
    assert (item.before, item.after, item.sources) == (NOTE, "", (entry,))
    assert [p for p in memory.check() if p.severity == "error"] == []


def test_a_declined_request_to_forget_shows_the_entry_again(memory: Memory) -> None:
    entry = logged(memory)
    forget(memory, entry)
    memory.decide(only(memory).request.id, approve=False)
    assert {"recall", "order"} <= told(memory) and memory.memories.requests() == ()
    done = forget(memory, entry)
    assert done.returncode == 2 and "declined" in done.stderr and "recall" in told(memory)


def test_an_accepted_request_to_forget_erases_the_entry_and_its_id(memory: Memory) -> None:
    entry = logged(memory)
    forget(memory, entry)
    memory.decide(only(memory).request.id, approve=True)
    assert memory.remains(NOTE) == [] and memory.remains(entry) == []
    assert memory.memories.requests() == () and told(memory) == set()
    assert [p for p in memory.check() if p.severity == "error"] == []


def test_what_rests_on_a_hidden_entry_alone_is_hidden_with_it(memory: Memory) -> None:
    (entry,) = memory.log(f"Remember: {NOTE}", origin="agent").entries
    memory.compact(CompactOptions(include_current=True))
    assert NOTE in held(memory) and {"context", "recall"} <= told(memory)
    memory.memories.request("forget", entry, origin="agent")
    # A page that was written before the request stays as it is.
    assert NOTE not in held(memory) and told(memory) == {"page"}
    memory.decide(only(memory).request.id, approve=False)
    assert NOTE in held(memory) and "context" in told(memory)


def test_a_rule_of_wisdom_is_hidden_with_its_entry(memory: Memory) -> None:
    rule = "Never touch the boiler in Tartu."
    (entry,) = memory.log(f"Rule: {rule}", origin="agent").entries
    memory.compact(CompactOptions(include_current=True))
    assert "boiler in Tartu" in roots.text(memory, "WISDOM.md")
    assert "boiler in Tartu" in memory.context()
    memory.memories.request("forget", entry, origin="agent")
    assert "boiler in Tartu" not in memory.context()


def test_neither_a_persons_mark_nor_words_in_a_tainted_session_are_hidden(memory: Memory) -> None:
    mark = next(one for one in memory.memories.list() if one.text == TUESDAYS).sources[0]
    assert forget(memory, mark).returncode == 4
    assert TUESDAYS in held(memory) and TUESDAYS.casefold() in memory.context().casefold()
    entry = logged(memory)
    now = Memory.open(memory.root)
    now.gate.record("one", "prompt", "Look it up, please.")
    now.gate.note_untrusted_source("one", "web")
    assert forget(memory, entry, session="one").returncode == 4
    assert "recall" in told(memory) and len(memory.memories.requests()) == 2


def test_a_text_or_a_person_is_forgotten_by_a_person_alone(memory: Memory) -> None:
    entry = logged(memory)
    for what in ([NOTE], [entry, NOTE], ["--person", "Liis"], [entry, "--pattern", "Ri*"]):
        assert forget(memory, *what, "--yes").returncode == 2
    assert memory.memories.requests() == () and "recall" in told(memory)


# An accepted edit


def test_an_accepted_edit_is_one_line_of_the_journal(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line that brings the new words drops the old ones; files come into line after it."""
    new = "deploy on Mondays, after the stand-up"
    asked = memory.memories.request("edit", TUESDAYS, statement=new, reason="Ana said so")
    size = len((memory.root / ".lithify/journal.jsonl").read_bytes())

    def killed(*given: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("lithify.compact.lessons.take_up_entry", killed)
        memory.memories.decide_request(asked.id, accept=True)
    (line,) = (memory.root / ".lithify/journal.jsonl").read_bytes()[size:].splitlines()
    assert json.loads(line)["edit"]["reason"] == "Ana said so"
    again = roots.opened(memory.root)
    assert again.memories.requests() == ()
    told = again.context().casefold()
    assert new.casefold() in told and TUESDAYS.casefold() not in told
    again.compact(CompactOptions(include_current=True))
    assert held(again) == {new, DANA, MAREK, OWN}
    assert TUESDAYS[1:] not in (memory.root / "WISDOM.md").read_text()
    assert [p for p in again.check() if p.severity == "error"] == []


def test_an_edit_back_to_the_words_before_puts_them_in_force(memory: Memory) -> None:
    new = "deploy on Mondays, after the stand-up"
    memory.memories.edit(TUESDAYS, new)
    memory.memories.edit(new, TUESDAYS)
    assert held(memory) == {TUESDAYS, DANA, MAREK, OWN}
    memory.memories.restore(new)
    assert new in held(memory) and TUESDAYS not in held(memory)


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
