"""The server of the official SDK, in either of its major versions, over plain JSON.

Adapters of some frameworks still need version 1, others version 2 already. Our handlers take and give
what goes over the wire; only this file knows how each version wants it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

import anyio
from mcp.server.lowlevel import NotificationOptions, Server
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


#: Clients that a notice goes to at most, the last that asked for something.
_MOST_TOLD = 64


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


class Notices:
    """Tells clients that the list of resources is another one, in the way of their protocol."""

    def __init__(self) -> None:
        self._sessions: dict[int, Any] = {}
        self.listening: Any = None
        if not _IS_FIRST:
            subscriptions: Any = import_module("mcp.server.subscriptions")
            self._bus = subscriptions.InMemorySubscriptionBus()
            self._event = subscriptions.ResourcesListChanged()
            self.listening = subscriptions.ListenHandler(self._bus)

    def to(self, session: Any) -> None:
        """Remember a client. The newest protocol asks for notices itself, and drops others."""
        self._sessions[id(session.client_params)] = session
        for old in list(self._sessions)[:-_MOST_TOLD]:
            del self._sessions[old]

    async def send(self) -> None:
        """Tell every client; one that is gone hears nothing."""
        if self.listening:
            await self._bus.publish(self._event)
        for session in list(self._sessions.values()):
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await session.send_resource_list_changed()


def made_server(
    name: str, instructions: str, handlers: Mapping[str, Handler], notices: Notices
) -> Server:
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
        server = Server(name, **facts, on_subscriptions_listen=notices.listening)
    server.create_initialization_options = partial(
        server.create_initialization_options, NotificationOptions(resources_changed=True)
    )
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
    """A server over streamable HTTP at one address; `running` is its lifespan, in which `beside` runs too."""

    def __init__(
        self,
        server: Server,
        security: TransportSecuritySettings,
        beside: Callable[[], AbstractAsyncContextManager[None]],
    ) -> None:
        self._manager = StreamableHTTPSessionManager(server, security_settings=security)
        self._beside = beside

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._manager.run(), self._beside():
            yield

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._manager.handle_request(scope, receive, send)
