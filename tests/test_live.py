"""The scripted model of `make live` does what a prompt says, over every wire."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from live.conversation import Call, Called, Conversation, Returned, Said, Tool
from live.script import DONE, QUIET, answer
from live.server import ModelServer
from live.table import BEGIN, END, Result, as_markdown, write_docs

PROMPT = "Please.\nSTEP shell: echo hi\nSTEP say: all done"
SHELL = Tool("Bash", {"command": {}})
OBJECT = {"type": "object", "properties": {"command": {"type": "string"}}}
DENIAL = (
    "The gate is closed: interaction 1 of job 20260101-1 has no summary yet.\n\n"
    "/bin/lithify gate submit --job 20260101-1 --root /r <<'SUMMARY'\n"
    "### User Requests\n<hint>\n\n### Current State\n<hint>\nSUMMARY\n\n2 sections"
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ModelServer]:
    one = ModelServer(tmp_path / "requests.jsonl")
    one.start()
    yield one
    one.stop()


def asked(*events: Said | Called | Returned, tools: tuple[Tool, ...] = (SHELL,)) -> Conversation:
    return Conversation("m", "", [Said("user", PROMPT), *events], tools)


WIRES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "anthropic": (
        "/v1/messages",
        {
            "messages": [{"role": "user", "content": PROMPT}],
            "tools": [{"name": "Bash", "input_schema": OBJECT}],
        },
    ),
    "chat": (
        "/v1/chat/completions",
        {
            "messages": [{"role": "user", "content": PROMPT}],
            "tools": [{"type": "function", "function": {"name": "bash", "parameters": OBJECT}}],
        },
    ),
    "responses": (
        "/v1/responses",
        {"input": PROMPT, "tools": [{"type": "function", "name": "shell_command"}]},
    ),
    "gemini": (
        "/v1beta/models/m:generateContent",
        {
            "contents": [{"role": "user", "parts": [{"text": PROMPT}]}],
            "tools": [{"functionDeclarations": [{"name": "run_shell_command"}]}],
        },
    ),
}


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("streamed", [False, True])
def test_every_wire_carries_a_step_to_the_clients_own_tool(
    server: ModelServer, wire: str, streamed: bool
) -> None:
    path, body = WIRES[wire]
    path = path.replace(":generate", ":streamGenerate") if streamed else path
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}{path}",
        json.dumps({**body, "stream": streamed}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as reply:
        assert "echo hi" in reply.read().decode()
    (line,) = server.requests()
    assert line["wire"] == wire
    assert line["events"] == [{"said": "user", "text": PROMPT}]
    assert [next(iter(arguments.values())) for _, arguments in line["answer"]] == ["echo hi"]


def test_steps_are_taken_in_order_and_parallel_calls_count_once() -> None:
    both = [Called(f"lithify_0_{place}_x", "Bash") for place in (0, 1)]
    assert answer(asked(*both, Returned("a"), Returned("b"))).text == "all done"
    ended = [*both, Said("model", "all done")]
    assert answer(asked(*ended)).text == DONE


def test_text_that_a_client_injects_is_no_prompt() -> None:
    reminder = Said("user", "<system-reminder>\nSTEP shell: rm x\n</system-reminder>")
    (call,) = answer(asked(reminder)).calls
    assert call.arguments["command"] == "echo hi"


def test_a_request_without_steps_or_tools_gets_a_short_text() -> None:
    assert answer(asked(Said("user", "Summarise the conversation."))).text == QUIET
    assert answer(asked(tools=())).text == QUIET


def test_submit_uses_the_command_and_sections_that_the_denial_printed() -> None:
    prompt = Said("user", "STEP shell: ls\nSTEP submit")
    denied = (Called("lithify_0_0_x", "Bash"), Returned(DENIAL))
    reply = answer(Conversation("m", "", [prompt, *denied], [SHELL]))
    call: Call = reply.calls[0]
    first, *lines = call.arguments["command"].splitlines()
    assert first == "/bin/lithify gate submit --job 20260101-1 --root /r <<'SUMMARY'"
    assert [line for line in lines if line.startswith("#")] == [
        "### User Requests",
        "### Current State",
    ]
    assert lines[-1] == "SUMMARY"


def test_the_table_goes_between_its_markers_and_nowhere_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", "utf-8")
    results = [Result("one", "denied", "passed"), Result("two", "denied", "skipped", "no npm")]
    titles = {"one": "One 1.0", "two": "Two"}
    table = as_markdown(results, titles, {"denied": "Denied"}, "loopback only")
    assert "| Denied | yes | – |" in table
    assert "- Two, denied: skipped; no npm" in table
    write_docs(page, table)
    assert page.read_text("utf-8") == f"before\n{BEGIN}\n{table}{END}\nafter\n"


ORDER = """memories 2026-W10 written
Work order read-1-60df: judge the claims below.
Hand the reply in with exactly:

/bin/lithify write submit read-1-60df --root /r <<'PAGE'
<your reply>
PAGE

<CLAIMS>
1: The herons were counted.
(cites [e1])
[e1] (2026-03-02) 09:00 The herons were counted.

2: The storks were counted.
(cites [e1])
"""


def test_an_order_is_answered_by_the_command_it_names_and_a_false_claim_is_found() -> None:
    prompt = "Please.\nSTEP shell: lithify write next\nSTEP hand-in"
    said = [Said("user", prompt), Called("lithify_0_0_1x1", "Bash"), Returned(ORDER)]
    (call,) = answer(Conversation("m", "", said, (SHELL,))).calls
    first, reply, _ = call.arguments["command"].split("\n")
    assert first == "/bin/lithify write submit read-1-60df --root /r <<'PAGE'"
    assert [one["verdict"] for one in json.loads(reply)] == ["supported", "contradicted"]
