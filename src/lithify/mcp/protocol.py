"""The server of the official SDK, in either of its major versions, over plain JSON.

Adapters of some frameworks still need version 1, others version 2 already. Our handlers take and give
what goes over the wire; only this file knows how each version wants it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

_IS_FIRST = version("mcp").partition(".")[0] == "1"
_types: Any = import_module("mcp.types" if _IS_FIRST else "mcp_types")
_errors: Any = import_module("mcp.shared.exceptions")
ProtocolError: type[Exception] = _errors.McpError if _IS_FIRST else _errors.MCPError

#: The requests that are answered, by the name of their types, and how the wire names them.
_REQUESTS = {
    "ListTools": "tools/list",
    "CallTool": "tools/call",
    "ListPrompts": "prompts/list",
    "GetPrompt": "prompts/get",
    "ListResources": "resources/list",
    "ListResourceTemplates": "resources/templates/list",
    "ReadResource": "resources/read",
}


class Caller(NamedTuple):
    """Who asks: the name a client gave itself, what it says beside a request, and its session."""

    client: str
    meta: Mapping[str, object]
    session: Any


Handler = Callable[[Caller, Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


def invalid(message: str) -> Exception:
    """Return the error of a request that cannot be answered as it is."""
    return _error(_types.INVALID_PARAMS, message)


def failed(message: str) -> Exception:
    """Return the error of a request that was right and could not be answered."""
    return _error(_types.INTERNAL_ERROR, message)


def _error(code: int, message: str) -> Exception:
    given = (_types.ErrorData(code=code, message=message),) if _IS_FIRST else (code, message)
    return ProtocolError(*given)


def made_server(name: str, instructions: str, handlers: Mapping[str, Handler]) -> Server:
    """Make a server that answers these requests, by the names of the wire."""
    facts: dict[str, Any] = {"version": version("lithify"), "instructions": instructions}
    server: Any
    if _IS_FIRST:
        server = Server(name, **facts)
        for type_name, method in _REQUESTS.items():
            request = getattr(_types, f"{type_name}Request")
            server.request_handlers[request] = _first(server, type_name, handlers[method])
    else:
        for type_name, method in _REQUESTS.items():
            snake = re.sub(r"(?<!^)(?=[A-Z])", "_", type_name).lower()
            facts[f"on_{snake}"] = _second(type_name, handlers[method])
        server = Server(name, **facts)
    made: Server = server
    return made


def _first(server: Any, type_name: str, handler: Handler) -> Callable[[Any], Awaitable[Any]]:
    async def answer(request: Any) -> Any:
        context = server.request_context
        result = await _answered(type_name, handler, context, context.meta, request.params)
        return _types.ServerResult(result)

    return answer


def _second(type_name: str, handler: Handler) -> Callable[[Any, Any], Awaitable[Any]]:
    async def answer(context: Any, params: Any) -> Any:
        return await _answered(type_name, handler, context, context.meta, params)

    return answer


async def _answered(type_name: str, handler: Handler, context: Any, meta: Any, params: Any) -> Any:
    known = _plain(context.session.client_params)
    said = known.get("clientInfo") or {}
    caller = Caller(str(said.get("name", "")), _plain(meta), context.session)
    result = await handler(caller, _plain(params))
    return getattr(_types, f"{type_name}Result").model_validate(result)


def _plain(given: Any) -> dict[str, Any]:
    """Return what the SDK read as it came over the wire."""
    if given is None or isinstance(given, dict):
        return given or {}
    plain: dict[str, Any] = given.model_dump(by_alias=True)
    return plain


class HttpApp:
    """A server over streamable HTTP at one address; `running` is its lifespan."""

    def __init__(self, server: Server, security: TransportSecuritySettings) -> None:
        self._manager = StreamableHTTPSessionManager(server, security_settings=security)
        self.running = self._manager.run

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._manager.handle_request(scope, receive, send)
