"""The prompts that clients offer as commands, each a text file in `prompt_texts/`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import NamedTuple

import mcp_types as wire
from mcp.shared.exceptions import MCPError

from lithify.mcp.call import Call
from lithify.mcp.shapes import RecallArguments
from lithify.mcp.shown import record_shown
from lithify.mcp.tools import recall


class _Prompt(NamedTuple):
    description: str
    #: The one argument it takes, if any, and what that is.
    argument: str = ""
    means: str = ""


PROMPTS: Mapping[str, _Prompt] = {
    "compact": _Prompt("Write the pages of memory that are due, one work order at a time"),
    "recall": _Prompt(
        "Answer from what the days say on a topic", "topic", "what to look for, in words"
    ),
    "end-of-day": _Prompt("Log what the day decided, finished and left open"),
}


def list_prompts() -> wire.ListPromptsResult:
    """The prompts as a client is told of them."""
    return wire.ListPromptsResult(
        prompts=[
            wire.Prompt(
                name=name,
                description=one.description,
                arguments=[
                    wire.PromptArgument(name=one.argument, description=one.means, required=True)
                ]
                if one.argument
                else None,
            )
            for name, one in PROMPTS.items()
        ]
    )


def get_prompt(call: Call, name: str, given: Mapping[str, str]) -> wire.GetPromptResult:
    """One prompt; that of `recall` holds the passages that were found."""
    if name not in PROMPTS:
        names = ", ".join(PROMPTS)
        raise MCPError(wire.INVALID_PARAMS, f"no prompt has that name; there are: {names}")
    prompt = PROMPTS[name]
    if set(given) != ({prompt.argument} if prompt.argument else set()):
        takes = f"the argument {prompt.argument}" if prompt.argument else "no arguments"
        raise MCPError(wire.INVALID_PARAMS, f"the prompt {name} takes {takes}")
    file = resources.files("lithify.mcp").joinpath("prompt_texts", f"{name}.md")
    text = file.read_text("utf-8")
    if prompt.argument:
        found = recall(call, RecallArguments(query=given[prompt.argument]))
        record_shown(call, f"prompts/{name}", found.shown)
        text = f"{text}\n{found.data.text}\n"
    said = wire.PromptMessage(role="user", content=wire.TextContent(type="text", text=text))
    return wire.GetPromptResult(description=prompt.description, messages=[said])
