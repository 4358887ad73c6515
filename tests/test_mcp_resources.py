"""Pages as MCP resources, prompts, and the server over HTTP on this machine."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

import roots
from lithify.memory import CompactOptions, Memory
from test_mcp import HELLO, SECRET, drive, tainted

mcp = pytest.importorskip("mcp")

from mcp import StdioServerParameters  # noqa: E402

from lithify.mcp import resources  # noqa: E402
from lithify.mcp.call import ToolCall  # noqa: E402
from mcp_clients import IS_FIRST, ProtocolError, connected  # noqa: E402


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """A root with wisdom, weeks, a month and memories, and one untrusted entry."""
    memory = roots.made(tmp_path_factory.mktemp("pages"), roots.MARKED)
    memory.log("The vendor page says that version 9.1 drops TLS 1.1.", at=roots.NOW, origin="web")
    memory.compact(CompactOptions(include_current=True))
    assert "[unverified]" in (memory.root / "memory/weekly/2026-W17.md").read_text()
    return memory


async def read(client: Any, name: str) -> str:
    (content,) = (await client.read_resource(f"lithify://{name}")).contents
    assert content.mime_type == "text/markdown"
    return str(content.text)


def test_wisdom_weeks_months_days_and_memories_are_listed_and_read_as_resources(
    memory: Memory,
) -> None:
    async def act(client: Any) -> None:
        listed = (await client.list_resources()).resources
        names = [str(one.uri).removeprefix("lithify://") for one in listed]
        assert names[0] == "wisdom"
        assert {"week/2026-W14", "week/2026-W15", "month/2026-04", "day/2026-04-02"} <= set(names)
        assert any(name.startswith("memory/feedback_") for name in names)
        for name in names:
            text = await read(client, name)
            assert text.startswith("[[data ") and "origin=" in text.splitlines()[0]
            assert "<!--" not in text and "---" not in text
        assert "2.4.1" in await read(client, "week/2026-W14")
        assert "restart the queue by hand" in await read(client, "wisdom")
        templates = (await client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {
            "lithify://week/{period}",
            "lithify://month/{period}",
            "lithify://day/{date}",
            "lithify://memory/{name}",
        }

    drive(act, "--root", str(memory.root))


@pytest.mark.parametrize("name", ["week/2026-W17", f"day/{roots.NOW:%Y-%m-%d}"])
def test_what_is_untrusted_is_left_out_of_a_resource_and_counted(memory: Memory, name: str) -> None:
    call = ToolCall(str(memory.root), "tests")
    text = resources.read_resource(call, f"lithify://{name}")["contents"][0]["text"]
    assert "TLS" not in text
    assert "[1 left out because of untrusted sources" in text


def test_a_day_is_read_as_it_was_written_without_its_credentials(tmp_path: Path) -> None:
    code = "```sh\nmake release\n  make check\n```"
    text = f"# 2026-04-02\n\n## Release\n\n- Built it:\n\n{code}\n\nThe key is {SECRET}.\n"
    memory = roots.made(tmp_path, {"2026-04-02": text})
    call = ToolCall(str(memory.root), "tests")
    shown = resources.read_resource(call, "lithify://day/2026-04-02")["contents"][0]["text"]
    assert "### Release\n" in shown and "make release\n  make check" in shown
    assert SECRET not in shown and "[secret:" in shown


@pytest.mark.parametrize("way", ["heard"] if IS_FIRST else ["heard", "listening"])
def test_clients_are_told_when_a_page_or_a_day_has_come(tmp_path: Path, way: str) -> None:
    memory = roots.made(tmp_path, roots.MARKED)

    async def act() -> None:
        told = anyio.Event()

        async def hear(said: Any) -> None:
            if "list_changed" in str(said):
                told.set()

        command = [sys.executable, "-m", "lithify.cli", "mcp", "--root", str(memory.root)]
        server = StdioServerParameters(command=command[0], args=command[1:])
        old = {} if IS_FIRST or way == "listening" else {"mode": "legacy"}
        async with connected(server, "tests", message_handler=hear, **old) as client:
            before = (await client.list_resources()).resources
            with anyio.fail_after(60):
                if way == "listening":
                    async with client.listen(resources_list_changed=True) as notices:
                        memory.log("The queue was drained.", at=roots.NOW)
                        assert "changed" in str(await anext(aiter(notices))).lower()
                else:
                    memory.log("The queue was drained.", at=roots.NOW)
                    await told.wait()
            after = (await client.list_resources()).resources
            assert len(after) == len(before) + 1

    anyio.run(act)


@pytest.mark.parametrize(
    "uri",
    [
        "lithify://week/2026-W99",
        "lithify://week/../../x",
        "file:///etc/passwd",
        "lithify://memory/",
    ],
)
def test_a_resource_that_is_not_there_is_refused_and_nothing_is_read_by_path(
    memory: Memory, uri: str
) -> None:
    with pytest.raises(ProtocolError):
        resources.read_resource(ToolCall(str(memory.root), "tests"), uri)


def test_resources_are_listed_in_parts(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    call = ToolCall(str(memory.root), "tests")
    whole = [one["uri"] for one in resources.list_resources(call, None)["resources"]]
    monkeypatch.setattr(resources, "_MOST", 2)
    found, cursor = [], None
    while True:
        part = resources.list_resources(call, cursor)
        found += [one["uri"] for one in part["resources"]]
        cursor = part["nextCursor"]
        if cursor is None:
            break
    assert found == whole
    with pytest.raises(ProtocolError, match="cursor"):
        resources.list_resources(call, "-1")


def test_secrets_in_a_page_of_another_tool_do_not_leave_by_a_resource(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    (memory.root / "memory/user_keys.md").write_text(
        f"---\nname: Keys\ndescription: the key {SECRET}\ntype: user\n---\n\nUse {SECRET} here.\n"
    )
    call = ToolCall(str(memory.root), "tests")
    listed = str(resources.list_resources(call, None))
    shown = str(resources.read_resource(call, "lithify://memory/user_keys"))
    assert SECRET not in listed + shown and "[secret:" in shown


def test_prompts_recall_a_topic_and_close_the_day(memory: Memory) -> None:
    Memory.open(memory.root).gate.record("one", "prompt", "Good morning.")

    async def act(client: Any) -> None:
        listed = {one.name: one for one in (await client.list_prompts()).prompts}
        assert set(listed) == {"compact", "recall", "end-of-day"}
        assert [one.name for one in listed["recall"].arguments] == ["topic"]
        (message,) = (await client.get_prompt("recall", {"topic": "TLS of the vendor"})).messages
        assert "version 9.1" in message.content.text and "[[data " in message.content.text
        (message,) = (await client.get_prompt("end-of-day")).messages
        assert "log_entry" in message.content.text
        for name, given in (("recall", {}), ("compact", {"topic": "x"}), ("other", {})):
            with pytest.raises(ProtocolError):
                await client.get_prompt(name, given)

    drive(act, "--root", str(memory.root))
    # The passage is from the web, so what the open session writes from now on is not trusted.
    assert [one[0] for one in tainted(memory, "one")] == ["web"]


# Over HTTP. --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served(memory: Memory) -> Iterator[tuple[str, str]]:
    """The address and the token of a server over HTTP, stopped by Ctrl-C at the end."""
    command = [sys.executable, "-m", "lithify.cli", "mcp", "--http", "--port", "0"]
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "--root", str(memory.root)], stdout=pipe, stderr=pipe, text=True, env=env
    ) as server:
        assert server.stdout and server.stderr
        address = server.stdout.readline().removeprefix("serving ").strip()
        yield address, server.stdout.readline().split()[1]
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 130
        assert "Traceback" not in server.stderr.read()


def test_the_official_client_works_over_http(memory: Memory, served: tuple[str, str]) -> None:
    address, token = served

    async def act() -> None:
        async with connected(address, "web client", token=token) as client:
            assert "restart the queue" in await read(client, "wisdom")
            done = await client.call_tool("log_entry", {"text": "Said over HTTP."})
            assert done.structured_content["origin"] == "mcp:web-client"

    anyio.run(act)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://127.0.0.1:{port}"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:{port}"}, 421),
        ({"Host": "127.0.0.1:1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://127.0.0.1:{port}"}, 403),
        ({"Authorization": ""}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Bearer {token}x"}, 401),
        ({"Authorization": "{token}"}, 401),
        ({"Authorization": "Basic {token}"}, 401),
    ],
)
def test_a_foreign_host_or_origin_and_a_wrong_token_are_refused(
    served: tuple[str, str], headers: dict[str, str], status: int
) -> None:
    address, token = served
    port = address.rpartition(":")[2].removesuffix("/mcp")
    headers = {"Authorization": "Bearer {token}", **headers}
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30)
    said = {key: value.format(port=port, token=token) for key, value in headers.items()}
    accepts = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", "/mcp", json.dumps(HELLO), {**accepts, **said})
    assert connection.getresponse().status == status
    connection.close()


def test_a_client_that_leaves_in_the_middle_of_a_request_is_no_error(
    served: tuple[str, str],
) -> None:
    """What the server says of it is seen when it ends."""
    address, token = served
    port = int(address.rpartition(":")[2].removesuffix("/mcp"))
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest("POST", "/mcp")
    for name, value in (*headers.items(), ("Accept", "*/*"), ("Content-Length", "1000")):
        connection.putheader(name, value)
    connection.endheaders(b'{"jsonrpc": "2.0"')
    connection.close()


def test_over_http_nobody_speaks_as_the_agent(memory: Memory) -> None:
    command = [sys.executable, "-m", "lithify.cli", "mcp", "--http", "--as", "agent"]
    done = subprocess.run([*command, "--root", str(memory.root)], capture_output=True, text=True)
    assert done.returncode == 2 and "--as agent" in done.stderr


def test_days_and_pages_in_folders_of_ones_own_are_looked_for(tmp_path: Path) -> None:
    settings = "[days]\npatterns = ['logs/*.md']\n[weekly]\nfolder = 'pages'\n"
    (tmp_path / "lithify.toml").write_text(settings)
    for path in ("logs/2026-06-11.md", "pages/2026-W24.md"):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text("- Shipped 2.4.1.\n")
    found = resources.listed_files(str(tmp_path), resources.Listed())
    assert {"logs/2026-06-11.md", "pages/2026-W24.md"} <= found.files
