"""The official MCP client in either of its major versions, spoken to in the words of the second."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from importlib.metadata import version
from typing import Any

import mcp
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from lithify import mcp as mcp_server

IS_FIRST = version("mcp").startswith("1.")
if IS_FIRST:
    import mcp.types as wire
    from mcp.shared._httpx_utils import create_mcp_http_client
    from mcp.shared.exceptions import McpError as ProtocolError
else:
    import mcp_types as wire
    from mcp import MCPError as ProtocolError
    from mcp.client.streamable_http import create_mcp_http_client

__all__ = ["IS_FIRST", "ProtocolError", "Snake", "answer", "connected", "wire"]


class Snake:
    """What came over the wire, its fields by their names in the second version."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __getattr__(self, name: str) -> Any:
        found = self.value[re.sub(r"_(.)", lambda match: match[1].upper(), name)]
        if name in ("structured_content", "input_schema", "output_schema"):
            return found
        if isinstance(found, dict):
            return Snake(found)
        return [Snake(one) for one in found] if isinstance(found, list) else found

    def model_dump_json(self) -> str:
        return repr(self.value)


def answer(*given: Any) -> Snake:
    """What a tool answers, without the wire."""
    return Snake(mcp_server.answer(*given))


class _First:
    """A session of the first version."""

    def __init__(self, session: Any, hello: Any) -> None:
        self.session, self.server_info = session, hello.serverInfo

    def __getattr__(self, name: str) -> Any:
        async def call(*args: Any, meta: Any = None) -> Any:
            if meta:  # the oldest ones have no argument for it
                told = wire.CallToolRequestParams(name=args[0], arguments=args[1], _meta=meta)
                asked = wire.ClientRequest(wire.CallToolRequest(params=told))
                result = await self.session.send_request(asked, wire.CallToolResult)
            else:
                result = await getattr(self.session, name)(*args)
            return Snake(result.model_dump(by_alias=True, mode="json"))

        return call


@asynccontextmanager
async def connected(to: Any, name: str, *, token: str = "", **heard: Any) -> AsyncIterator[Any]:
    """A client, by that name, of a server that a command starts or that an address reaches.

    `message_handler` hears what the server says by itself.
    """
    me = wire.Implementation(name=name, version="1")
    async with AsyncExitStack() as stack:
        if isinstance(to, str):
            bearing = create_mcp_http_client(headers={"Authorization": f"Bearer {token}"})
            await stack.enter_async_context(bearing)
            way: Any = streamable_http_client(to, http_client=bearing)
        else:
            way = stdio_client(to)
        if IS_FIRST:
            reading, writing, *_ = await stack.enter_async_context(way)
            minute = timedelta(seconds=60)
            talk = mcp.ClientSession(reading, writing, minute, client_info=me, **heard)
            session = await stack.enter_async_context(talk)
            yield _First(session, await session.initialize())
        else:
            client = mcp.Client(way, client_info=me, read_timeout_seconds=60, **heard)
            yield await stack.enter_async_context(client)
