"""Pages of memory as MCP resources: `lithify://wisdom`, `lithify://week/2026-W14`, …"""

from __future__ import annotations

import mcp_types as wire
from mcp.shared.exceptions import MCPError

from lithify.errors import UnknownReference
from lithify.mcp.call import Call
from lithify.mcp.shown import record_shown
from lithify.mcp.tools import LONGEST_ANSWER
from lithify.text.fence import fence
from lithify.trust import is_trusted

SCHEME = "lithify://"
MARKDOWN = "text/markdown"
#: How many resources one answer lists.
_MOST = 200

TEMPLATES = [
    wire.ResourceTemplate(
        name=kind,
        uri_template=f"{SCHEME}{kind}/{{{variable}}}",
        description=says,
        mime_type=MARKDOWN,
    )
    for kind, variable, says in (
        ("week", "period", "An ISO week of memory, for example 2026-W14"),
        ("month", "period", "A month of memory, for example 2026-04"),
        ("memory", "name", "A typed memory by the name of its file, without .md"),
    )
]


def list_resources(call: Call, cursor: str | None) -> wire.ListResourcesResult:
    """The pages of memory, so many at a time."""
    from lithify.recall.shown_pages import listed_pages

    if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10):
        raise MCPError(wire.INVALID_PARAMS, "that cursor is none of ours; begin without one")
    snapshot = call.memory().snapshot()
    pages, start = listed_pages(snapshot), int(cursor or 0)
    found = [
        wire.Resource(
            name=page.name,
            title=snapshot.redacted(page.title),
            uri=SCHEME + page.name,
            description=snapshot.redacted(page.description) or None,
            mime_type=MARKDOWN,
        )
        for page in pages[start : start + _MOST]
    ]
    more = str(start + _MOST) if start + _MOST < len(pages) else None
    return wire.ListResourcesResult(resources=found, next_cursor=more)


def read_resource(call: Call, uri: str) -> wire.ReadResourceResult:
    """One page, fenced and labelled with its origin."""
    from lithify.gate.texts import shortened
    from lithify.recall.shown_pages import shown_page

    if not uri.startswith(SCHEME):
        raise MCPError(wire.INVALID_PARAMS, f"resources of this server begin with {SCHEME}")
    try:
        page = shown_page(call.memory().snapshot(), uri.removeprefix(SCHEME))
    except UnknownReference as error:
        raise MCPError(wire.INVALID_PARAMS, error.message) from error
    if not (is_trusted(page.origin) or page.origin == "lithify"):
        record_shown(call, "resources/read", {page.origin: []})
    text = page.text.encode("utf-8", "replace").decode()
    text = fence(shortened(text, LONGEST_ANSWER), page.origin, page.path)
    content = wire.TextResourceContents(uri=uri, mime_type=MARKDOWN, text=text)
    return wire.ReadResourceResult(contents=[content])
