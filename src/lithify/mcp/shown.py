"""Records that sessions were shown text from untrusted sources.

What an agent writes after it has read such text is not trusted. The hooks of most clients cannot
tell what our tools have shown, so the server writes it into the record of the session itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lithify.errors import LithifyError, NotShown

if TYPE_CHECKING:
    from lithify.mcp.call import Call

#: How many ids of entries one line of a record names.
_MOST_IDS = 50


def session_in(meta: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """The session a call comes from: Codex names it with each call, others when they start us."""
    from lithify.gate.sessions import VARIABLES

    named = [meta.get("sessionId"), *(environ.get(variable) for variable in VARIABLES)]
    return next((one for one in named if isinstance(one, str) and one), "")


def record_shown(call: Call, tool: str, shown: Mapping[str, Sequence[str]]) -> None:
    """Records the untrusted sources of a reply, or raises: then the reply must not be shown."""
    if not shown:
        return
    from lithify.calendar import moment
    from lithify.gate.sessions import calling_sessions

    try:
        gate = call.gate()
        now = moment(gate.now()).timestamp()
        for session in calling_sessions(gate.root, call.session, {}, now):
            for source, ids in shown.items():
                facts = {"client": call.client, "tool": tool, "entries": list(ids)[:_MOST_IDS]}
                gate.taint(session, source, **facts)
    except (LithifyError, OSError) as error:
        raise NotShown(sources=", ".join(shown), reason=str(error)) from error
