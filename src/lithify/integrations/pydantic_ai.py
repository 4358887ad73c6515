"""A toolset and a history processor for Pydantic AI over a root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, SystemPromptPart, UserPromptPart
from pydantic_ai.toolsets import FunctionToolset

from lithify.integrations.agent_tools import AsyncAgentTools
from lithify.memory import Memory


def memory_toolset(
    memory: Memory, *, origin: str = "agent", session: str = ""
) -> FunctionToolset[Any]:
    """Return the tools of one conversation, `recall`, `log_entry` and `remember`, as a toolset."""
    tools = AsyncAgentTools(memory, origin=origin, session=session)
    return FunctionToolset([tools.recall, tools.log_entry, tools.remember])


def memory_history(
    memory: Memory, *, keep: int = 20, budget: int = 4000
) -> Callable[[list[ModelMessage]], Awaitable[list[ModelMessage]]]:
    """Return a history processor: `Agent(capabilities=[ProcessHistory(memory_history(memory))])`.

    A request begins with what memory starts a session with. Of a longer conversation the last `keep`
    messages are sent, from a prompt of the person on, so that no call is without its result.
    """
    tools = AsyncAgentTools(memory)

    async def process(messages: list[ModelMessage]) -> list[ModelMessage]:
        prompts = [number for number, one in enumerate(messages) if _is_prompt(one)]
        recent = [number for number in prompts if number >= len(messages) - keep]
        start = (recent or prompts[-1:] or [0])[0]
        known = SystemPromptPart(await tools.context(budget))
        return [ModelRequest([known]), *messages[start:]]

    return process


def _is_prompt(message: ModelMessage) -> bool:
    return any(isinstance(part, UserPromptPart) for part in message.parts)
