"""Whose words may be taken as they are, and what whoever calls may cause: the one door of every adapter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from lithify.errors import NeedsTerminal

#: Channels a person or the person's own agent speaks through. Everything else is untrusted.
TRUSTED_ORIGINS = frozenset({"user", "agent", "tool", "file"})


#: Channels whose words may set a rule: what a tool printed is a report, not an instruction.
RULING_ORIGINS = frozenset({"user", "agent", "file"})


def is_trusted(origin: str) -> bool:
    """Whether material of this origin may rest unmarked in memory."""
    return origin in TRUSTED_ORIGINS


def may_rule(origin: str) -> bool:
    """Whether material of this origin may say how work is done from now on."""
    return origin in RULING_ORIGINS


def is_of_a_person(origin: str) -> bool:
    """Whether words of this origin are the person's: said by them, or in a file they keep."""
    return origin in ("user", "file")


Effect = Literal[
    "log",
    "remember",
    "correct",
    "correct a mark",
    "page",
    "rewrite",
    "read",
    "wisdom",
    "decide",
    "record",
    "summary",
    "gate",
    "forget",
    "trust",
]
#: What becomes of it. `untrusted`: it is kept with its origin, out of context. `held`: it waits as a
#: proposal. `hidden`: a person is asked for it, and until then nobody is shown it. `asked`: a person is
#: asked for it, nothing changes. `person`: only a person does it.
#: `refused`: it is not offered.
Outcome = Literal["done", "untrusted", "held", "hidden", "asked", "person", "refused"]

#: What a call can cause, in words, and what becomes of it: by a person, by the person's own agent, and
#: by anybody else, who is an untrusted client or an agent whose session has read untrusted text.
DOOR: Mapping[Effect, tuple[str, Outcome, Outcome, Outcome]] = {
    "log": ("add an entry to a day", "done", "done", "untrusted"),
    "remember": ("mark a memory", "done", "done", "untrusted"),
    "correct": ("change an agent's mark or a found memory", "done", "done", "asked"),
    "correct a mark": ("change what a person marked", "done", "asked", "asked"),
    "page": ("write a page that is due, and its memories", "done", "done", "held"),
    "rewrite": ("write or mend a page in force", "done", "done", "refused"),
    "read": ("judge a page in force as its reader", "done", "done", "refused"),
    "wisdom": ("decide on wisdom as its writer", "done", "done", "refused"),
    "decide": ("approve or reject what waits", "done", "person", "person"),
    "record": ("add to a job's record", "done", "done", "untrusted"),
    "summary": ("submit the summary of a closed gate", "done", "done", "untrusted"),
    "gate": ("switch, open, close or leave a gate", "done", "person", "person"),
    "forget": ("forget an entry", "done", "hidden", "asked"),
    "trust": (
        "trust a source, take back an import, adopt lost records, revoke wisdom",
        "done",
        "person",
        "person",
    ),
}


#: The kinds of session, and in whose name what they ask for is done.
SESSIONS: Mapping[str, str] = {
    "a person: terminal, viewer, Python": "user",
    "the agent: its shell, `mcp --as agent`, the memory tool": "agent",
    "the agent after it read the web or another MCP server": "web",
    "a client: `mcp`, `mcp --http`": "mcp:CLIENT",
    "an importer": "import:SOURCE",
}


def outcome(effect: Effect, by: str) -> Outcome:
    """Return what becomes of an effect that is asked for in the name of an origin."""
    _, person, agent, other = DOOR[effect]
    return person if by == "user" else agent if by == "agent" else other


def require(effect: Effect, by: str, action: str, hint: str = "") -> None:
    """Refuse what is not done at once in this name; `action` says what needs a person."""
    if outcome(effect, by) != "done":
        raise NeedsTerminal(action, hint)


def unjournaled_origin(files: bool, is_held: bool) -> str:
    """The origin of entries that the journal does not know.

    `file`, for another tool wrote them; not where files are not trusted, or where the journal has
    lost records that could say otherwise.
    """
    return "import:unjournaled" if is_held else "file" if files else "import:file"
