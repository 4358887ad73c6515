"""Tools for LangChain and LangGraph agents over a root."""

from __future__ import annotations

from langchain_core.tools import BaseTool, StructuredTool

from lithify.integrations.agent_tools import AsyncAgentTools
from lithify.memory import Memory


def memory_tools(memory: Memory, *, origin: str = "agent", session: str = "") -> list[BaseTool]:
    """Return the tools of one conversation: `create_agent(model, memory_tools(memory))`.

    They are `recall`, `log_entry` and `remember`, called or awaited.
    """
    tools = AsyncAgentTools(memory, origin=origin, session=session)
    pairs = (
        (tools.sync.recall, tools.recall),
        (tools.sync.log_entry, tools.log_entry),
        (tools.sync.remember, tools.remember),
    )
    return [
        StructuredTool.from_function(called, awaited, parse_docstring=True)
        for called, awaited in pairs
    ]
