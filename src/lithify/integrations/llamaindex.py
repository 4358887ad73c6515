"""A memory block for LlamaIndex over a root."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.memory import BaseMemoryBlock
from pydantic import PrivateAttr

from lithify.integrations.agent_tools import AsyncAgentTools
from lithify.memory import Memory


class LithifyMemoryBlock(BaseMemoryBlock[str]):
    """A block of long-term memory: `Memory.from_defaults(memory_blocks=[LithifyMemoryBlock(memory)])`.

    It gives what a session starts with and what the days say on the last question. What leaves the
    short-term memory is logged: what the person asked and what the agent answered. It has priority 0,
    for its budgets bound it already.
    """

    name: str = "lithify"
    description: str | None = "What earlier sessions left, and what the days say on the question."
    #: The tokens of what a session starts with, and of what is recalled.
    budget: int = 2000
    recall_budget: int = 800
    _tools: AsyncAgentTools = PrivateAttr()

    def __init__(self, memory: Memory, *, origin: str = "agent", **fields: Any) -> None:
        super().__init__(**fields)
        self._tools = AsyncAgentTools(memory, origin=origin)
        self._tools.sync.budget = self.recall_budget

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [one.content for one in messages or [] if one.role == MessageRole.USER]
        parts = [await self._tools.context(self.budget)]
        if asked and (question := (asked[-1] or "").strip()):
            parts.append(await self._tools.recall(question))
        return "\n\n".join(parts)

    async def _aput(self, messages: list[ChatMessage]) -> None:
        for one in messages:
            if one.role in (MessageRole.USER, MessageRole.ASSISTANT):
                await self._tools.log_message(one.content or "", one.role == MessageRole.USER)
