"""One call of a tool: whose it is, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lithify.errors import LithifyError, NotShown
from lithify.mcp.shapes import ToolAnswer
from lithify.roots import find_root

if TYPE_CHECKING:
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.memory import Memory


class ToolCall(NamedTuple):
    """Whose call it is: the root it is about, the client's name for itself, and its session."""

    root: str | None
    client: str
    #: As the client names it; empty where it does not.
    session: str = ""
    #: Whether the server was started for the client's own agent, which is trusted as such.
    as_agent: bool = False

    def memory(self) -> Memory:
        from lithify.memory import Memory

        return Memory.open(self.root)

    def gate(self) -> Gatekeeper:
        from lithify.gate.gatekeeper import Gatekeeper

        # Not through the settings: a mistake in them must not bar the way out of a closed gate.
        return Gatekeeper(find_root(self.root))

    def origin(self) -> str:
        """The origin of what is written: the agent and what it has read, or just some client."""
        if not self.as_agent:
            return f"mcp:{self.client}"
        return self.gate().caller_origin({}, self.session)

    def open_session(self) -> str:
        """The session of the call, if it is still open: a client may keep a server for the next."""
        if not self.session:
            return ""
        from time import time

        from lithify.gate.files import calling_sessions, session_file_name

        root = find_root(self.root)
        named = session_file_name(root, self.session)
        return self.session if calling_sessions(root, self.session, {}, time()) == [named] else ""


class ToolReply(NamedTuple):
    """What a tool says; its data holds the text too.

    `refused` when the call did not do what it asked. `shown` has the ids of the entries in the
    text whose origin is untrusted, by that origin.
    """

    data: ToolAnswer
    refused: bool = False
    shown: Mapping[str, Sequence[str]] = {}


# What sessions were shown of untrusted sources

#: How many ids of entries one line of a record names.
_MOST_IDS = 50


def session_in(meta: Mapping[str, object], environ: Mapping[str, str]) -> str:
    """The session a call comes from: Codex names it with each call, others when they start us."""
    from lithify.gate.files import SESSION_VARIABLES

    named = [meta.get("sessionId"), *(environ.get(variable) for variable in SESSION_VARIABLES)]
    return next((one for one in named if isinstance(one, str) and one), "")


def record_shown(call: ToolCall, tool: str, shown: Mapping[str, Sequence[str]]) -> None:
    """Records the untrusted sources of a reply, or raises: then the reply must not be shown."""
    if not shown:
        return
    from lithify.calendar import moment
    from lithify.gate.files import calling_sessions

    try:
        gate = call.gate()
        now = moment(gate.now()).timestamp()
        for session in calling_sessions(gate.root, call.session, {}, now):
            for source, ids in shown.items():
                facts = {"client": call.client, "tool": tool, "entries": list(ids)[:_MOST_IDS]}
                gate.note_untrusted_source(session, source, **facts)
    except (LithifyError, OSError) as error:
        raise NotShown(sources=", ".join(shown), reason=str(error)) from error
