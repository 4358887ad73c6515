"""Pages of memory as MCP resources: `lithify://wisdom`, `lithify://week/2026-W14`, …"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any, NamedTuple

from lithify import config
from lithify.errors import LithifyError, UnknownReference
from lithify.fence import fence
from lithify.mcp.call import ToolCall, record_shown
from lithify.mcp.protocol import invalid
from lithify.mcp.shapes import RecallArguments
from lithify.mcp.tools import LONGEST_ANSWER, recall
from lithify.roots import find_root
from lithify.store.tree import layout_of, walk
from lithify.trust import is_trusted

SCHEME = "lithify://"
MARKDOWN = "text/markdown"
#: How many resources one answer lists.
_MOST = 200

TEMPLATES = [
    {
        "name": kind,
        "uriTemplate": f"{SCHEME}{kind}/{{{variable}}}",
        "description": says,
        "mimeType": MARKDOWN,
    }
    for kind, variable, says in (
        ("week", "period", "An ISO week of memory, for example 2026-W14"),
        ("month", "period", "A month of memory, for example 2026-04"),
        ("day", "date", "The log of a day, for example 2026-04-03"),
        ("memory", "name", "A typed memory by the name of its file, without .md"),
    )
]


def list_resources(call: ToolCall, cursor: str | None) -> dict[str, Any]:
    """The pages of memory, so many at a time."""
    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise invalid("that cursor is none of ours; begin without one")
    pages, start = call.memory().pages(), int(cursor or 0)
    found = [
        {
            "name": page.name,
            "title": page.title,
            "uri": SCHEME + page.name,
            "description": page.description or None,
            "mimeType": MARKDOWN,
        }
        for page in pages[start : start + _MOST]
    ]
    more = str(start + _MOST) if start + _MOST < len(pages) else None
    return {"resources": found, "nextCursor": more}


class Listed(NamedTuple):
    """The files that resources are made of, and the state of the folders they stand in."""

    files: frozenset[str] = frozenset()
    folders: Mapping[str, int] = {}


def listed_files(root: str | None, before: Listed) -> Listed:
    """Look which files there are, if a folder was written to since the look before."""
    try:
        place = find_root(root)
        if before.folders and before.folders == _written(before.folders):
            return before
        paths = [
            found.path for found in walk(place, layout_of(place, config.load(place).folders), [])
        ]
    except (LithifyError, OSError):
        return Listed()
    folders = {place, *(os.path.join(place, os.path.dirname(path)) for path in paths)}
    return Listed(frozenset(path for path in paths if path.endswith(".md")), _written(folders))


def _written(folders: Iterable[str]) -> dict[str, int]:
    return {folder: os.stat(folder).st_mtime_ns for folder in folders}


def read_resource(call: ToolCall, uri: str) -> dict[str, Any]:
    """One page, fenced and labelled with its origin."""
    from lithify.gate.texts import shortened

    if not uri.startswith(SCHEME):
        raise invalid(f"resources of this server begin with {SCHEME}")
    try:
        page = call.memory().page(uri.removeprefix(SCHEME))
    except UnknownReference as error:
        raise invalid(error.message) from error
    if not (is_trusted(page.origin) or page.origin == "lithify"):
        record_shown(call, "resources/read", {page.origin: []})
    text = page.text.encode("utf-8", "replace").decode()
    text = fence(shortened(text, LONGEST_ANSWER), page.origin, page.path)
    return {"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": text}]}


# The prompts that clients offer as commands, each a text file in `prompt_texts/`.


PROMPTS: list[dict[str, Any]] = [
    {
        "name": "compact",
        "description": "Write the pages of memory that are due, one work order at a time",
    },
    {
        "name": "recall",
        "description": "Answer from what the days say on a topic",
        "arguments": [
            {"name": "topic", "description": "what to look for, in words", "required": True}
        ],
    },
    {"name": "end-of-day", "description": "Log what the day decided, finished and left open"},
]


def get_prompt(call: ToolCall, name: str, given: Mapping[str, str]) -> dict[str, Any]:
    """One prompt; that of `recall` holds the passages that were found."""
    prompts = {one["name"]: one for one in PROMPTS}
    if name not in prompts:
        names = ", ".join(prompts)
        raise invalid(f"no prompt has that name; there are: {names}")
    argument = next((one["name"] for one in prompts[name].get("arguments", ())), "")
    if set(given) != ({argument} if argument else set()):
        takes = f"the argument {argument}" if argument else "no arguments"
        raise invalid(f"the prompt {name} takes {takes}")
    file = resources.files("lithify.mcp").joinpath("prompt_texts", f"{name}.md")
    text = file.read_text("utf-8")
    if argument:
        found = recall(call, RecallArguments(query=given[argument]))
        record_shown(call, f"prompts/{name}", found.shown)
        text = f"{text}\n{found.data.text}\n"
    said = {"role": "user", "content": {"type": "text", "text": text}}
    return {"description": prompts[name]["description"], "messages": [said]}
