"""Tools, instructions and a session for the OpenAI Agents SDK over a root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from agents import Agent, RunContextWrapper, Session, SessionSettings, Tool, function_tool
from agents.items import TResponseInputItem

from lithify.integrations.agent_tools import AsyncAgentTools
from lithify.integrations.speaker import joined
from lithify.memory import Memory

#: Hosted tools that show the model what others wrote.
_UNTRUSTED = frozenset({"web_search_call"})


def memory_tools(memory: Memory, *, origin: str = "agent", session: str = "") -> list[Tool]:
    """Return the tools of one conversation, `recall`, `log_entry` and `remember`."""
    tools = AsyncAgentTools(memory, origin=origin, session=session)
    return [function_tool(one) for one in (tools.recall, tools.log_entry, tools.remember)]


def instructions(
    memory: Memory, said: str = "", *, budget: int = 4000
) -> Callable[[RunContextWrapper[Any], Agent[Any]], Awaitable[str]]:
    """Return instructions that end with what memory starts a session with: `Agent(instructions=…)`."""
    tools = AsyncAgentTools(memory)

    async def composed(_: RunContextWrapper[Any], __: Agent[Any]) -> str:
        return f"{said}\n\n{await tools.context(budget)}".strip()

    return composed


class LithifySession:
    """A session around another, which keeps the items: `LithifySession(SQLiteSession(…), memory)`.

    What the person asked and the agent answered is logged. After a hosted web search, what the agent
    says has the origin `web`.
    """

    def __init__(self, session: Session, memory: Memory, *, origin: str = "agent") -> None:
        self.underlying_session = session
        self.session_id = session.session_id
        self.session_settings: SessionSettings | None = session.session_settings
        self._tools = AsyncAgentTools(memory, origin=origin)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the items of the conversation, or the last of them."""
        return await self.underlying_session.get_items(limit)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Keep the items, then log what was said in them."""
        await self.underlying_session.add_items(items)
        for item in items:
            if item.get("type") in _UNTRUSTED:
                self._tools.sync.shown("web")
            role, content = item.get("role"), item.get("content", "")
            if role in ("user", "assistant"):
                text = content if isinstance(content, str) else joined(content)  # type: ignore[arg-type]
                await self._tools.log_message(text, role == "user")

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the last item back; what was logged stays in its day."""
        return await self.underlying_session.pop_item()

    async def clear_session(self) -> None:
        """Forget the items; what was logged stays in its day."""
        await self.underlying_session.clear_session()
