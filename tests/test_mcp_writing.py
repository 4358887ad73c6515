"""Pages and memories over MCP: written, remembered and trusted as the server was started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

import roots
from lithify.engines.base import Call as ModelCall
from lithify.mcp.call import ToolCall
from lithify.memory import Memory
from mcp_clients import answer
from test_mcp import drive

CHECKOUT = Path(__file__).parents[1]


def reply_to(order: str) -> str:
    """A faithful reply to an order as an agent reads it."""
    return roots.answer(ModelCall(order, "", 0, 0))


def test_a_root_is_brought_up_to_date_by_the_official_client_alone(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root", roots.MARKED)
    states: list[str] = []

    async def act(client: Any) -> None:
        readers = 0
        while readers < 3:
            # A month is written when a reader that was given nothing else has read its weeks.
            asking = {"as_reader": True} if readers % 2 else {}
            order = (await client.call_tool("next_page", asking)).structured_content
            if order["order"] is None:
                readers += 1
                continue
            page = {"order": order["order"], "page": reply_to(order["text"])}
            done = (await client.call_tool("submit_page", page)).structured_content
            states.append(done["state"])
            assert len(states) < 20

    drive(act, "--as", "agent", "--root", str(root), client="claude-code")
    assert set(states) == {"committed"}
    for page in ("weekly/2026-W14", "weekly/2026-W15", "monthly/2026-04"):
        assert "engine: agent:claude-code" in (root / f"memory/{page}.md").read_text()
    assert Memory.open(root).check() == ()


def test_a_page_that_is_sent_back_says_what_is_wrong_and_how_to_go_on(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root")
    call = ToolCall(str(root), "tests")
    order = answer(call, "next_page", {}).structured_content
    assert order
    lie = reply_to(order["text"]).replace("2.4.1", "7.7.7")
    done = answer(call, "submit_page", {"order": order["order"], "page": lie})
    assert done.is_error and done.structured_content
    assert done.structured_content["state"] == "sent back"
    text, again = done.structured_content["text"], done.structured_content["order"]
    assert "7.7.7" in text and f'submit_page: order "{again}"' in text
    mended = {"order": again, "page": reply_to(order["text"])}
    assert not answer(call, "submit_page", mended).is_error


@pytest.mark.parametrize(("as_agent", "origin"), [(True, "agent"), (False, "mcp:tests")])
def test_what_is_remembered_is_trusted_only_for_the_harness_agent(
    tmp_path: Path, as_agent: bool, origin: str
) -> None:
    memory = roots.made(tmp_path, {})
    call = ToolCall(str(memory.root), "tests", "", as_agent)
    done = answer(call, "remember", {"text": "We deploy on Tuesdays only.", "type": "feedback"})
    assert done.structured_content and done.structured_content["origin"] == origin
    assert len(memory.memories.list()) == as_agent
    assert len(memory.review("memory")) == (not as_agent)


def test_the_agent_of_a_session_that_read_the_web_is_not_trusted(tmp_path: Path) -> None:
    memory = roots.opened(roots.make(tmp_path / "root", {}))
    now = Memory.open(memory.root)
    now.gate.record("one", "prompt", "Look it up, please.")
    now.gate.record("two", "prompt", "Something else.")
    now.gate.note_untrusted_source("one", "web")
    # Other words each time: what repeats untrusted words has their origin.
    sessions = ("one", "Always reboot twice.", "web"), ("two", "Squash commits.", "agent")
    for session, text, origin in (*sessions, ("", "Rotate the logs weekly.", "web")):
        given = {"text": text, "type": "feedback"}
        done = answer(ToolCall(str(memory.root), "tests", session, True), "remember", given)
        assert done.structured_content and done.structured_content["origin"] == origin


def test_clients_are_offered_the_steps_of_the_plugins_command_as_a_prompt(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root", {})
    command = (CHECKOUT / "plugins/claude-code/commands/compact.md").read_text()
    writing = command[command.index("\n2. ") : command.index("\n6. ")]

    async def act(client: Any) -> None:
        assert "compact" in [prompt.name for prompt in (await client.list_prompts()).prompts]
        (message,) = (await client.get_prompt("compact")).messages
        assert writing in message.content.text
        # The subagent that reads comes with the plugin; other clients are told what to tell one.
        assert "as_reader: true" in message.content.text

    drive(act, "--as", "agent", "--root", str(root))
