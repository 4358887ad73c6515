"""Rules on a tool call by the triggers of a root: a rule as context, or a guard that asks or refuses.

    .lithify/moment/calls           what `grep -Ef` tests on an event, so that most calls start no
                                    Python; there is none where no memory has a trigger
    .lithify/moment/memories.json   the memories that may be shown, with triggers and guards
    .lithify/moment/sessions/*.log  what each session was shown, a line of JSON each

All three are derived, but for the counts of a session that has not ended: `notes` puts those into the
journal. This module runs before tool calls, so it imports little.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.moment.patterns import Clock, call_of, matches, pattern_of

if TYPE_CHECKING:
    from datetime import datetime

#: What a line of the context has before a memory's words.
_DATED = re.compile(r"^[-*\s]+\d{4}-\d\d-\d\d: ", re.M)
#: A session is told of a broken list once.
BROKEN = "broken"


class Ruling(NamedTuple):
    """What a tool call is answered: why it is refused or asked about, and what the agent is told."""

    deny: str = ""
    ask: str = ""
    context: str = ""
    person: str = ""


class Shown(NamedTuple):
    """What a session was shown since it began or was compacted.

    `said` are digests of sentences in its context, `called` the memories that came before a call.
    """

    said: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    broken: bool = False


def folder(root: str, *parts: str) -> str:
    """Return the path of a file of this package."""
    return os.path.join(root, ".lithify", "moment", *parts)


def calls_path(root: str) -> str:
    """Return the file that exists only where a memory has a trigger. Installed hooks name it."""
    return folder(root, "calls")


def rule(root: str, call: Mapping[str, Any], clock: Clock | None = None) -> Ruling:
    """Return the ruling on one tool call. If the list cannot be read, the call goes on."""
    if not os.path.exists(calls_path(root)):
        return Ruling()
    # A subagent has a context of its own.
    session = "-".join(str(call[key]) for key in ("session_id", "agent_id") if call.get(key))
    try:
        return _rule(root, session or "unknown", call, clock)
    except Exception as error:
        return _broken(root, session or "unknown", error)


def _rule(root: str, session: str, call: Mapping[str, Any], clock: Clock | None) -> Ruling:
    content, given = read_memories(root), call.get("tool_input")
    seen = call_of(str(call.get("tool_name") or ""), given if isinstance(given, dict) else {})
    now = clock or partial(local_time, content["zone"])
    found = []
    for memory in content["memories"]:
        when = next((w for w in memory["when"] if matches(pattern_of(w), seen, now)), "")
        if when:
            found.append((memory, when))
    if not found:
        return Ruling()
    guards = [(memory, when) for memory, when in found if memory["guard"] in ("ask", "deny")]
    # Of several guards the stricter one decides.
    for level, deed in (("deny", "refused"), ("ask", "asked")):
        for memory, when in guards:
            if memory["guard"] == level:
                note(root, session, deed, memory["key"], when)
                return Ruling(**{level: _reason(memory, level)})
    before = shown(root, session)
    new = [(memory, when) for memory, when in found if memory["key"] not in before.called]
    for memory, when in new:
        note(root, session, "call", memory["key"], when)
    return Ruling(context=block((memory for memory, _ in new), content["mark"]))


def local_time(zone_name: str) -> "datetime":
    """Return the time in a zone."""
    from datetime import datetime

    from lithify.calendar import zone

    return datetime.now(zone(zone_name))


def read_memories(root: str) -> dict[str, Any]:
    """Read the memories that may be shown."""
    with open(folder(root, "memories.json"), encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def sentences(text: str) -> list[str]:
    """Return a digest of each sentence of a text, by its words alone."""
    from hashlib import sha256

    parts = re.split(r"[.!?;]+(?=\s|$)|[\n()]", _DATED.sub("", text))
    said = (re.findall(r"\w+", part.casefold()) for part in parts)
    return [sha256(" ".join(words).encode()).hexdigest()[:12] for words in said if len(words) > 2]


def block(found: Iterable[Mapping[str, Any]], mark: str) -> str:
    """Return memories as the agent is shown them: fenced, each with whose it is and its day."""
    lines = [line_of(memory) for memory in found]
    if not lines:
        return ""
    from lithify.text.fence import fence

    return f"What memory holds on this:\n{fence(chr(10).join(lines), 'lithify', 'moment', mark)}"


def line_of(memory: Mapping[str, Any]) -> str:
    """Return one memory as a line."""
    return f"- {memory['text']} ({memory['whose']})"


def _reason(memory: Mapping[str, Any], level: str) -> str:
    does = "refuses" if level == "deny" else "asks about"
    return (
        f"A guard of the person {does} this call: “{memory['text']}” ({memory['whose']}). "
        f"Only the person lifts it, in a terminal: lithify memories guard {memory['id']} off"
    )


def _broken(root: str, session: str, error: Exception) -> Ruling:
    if shown(root, session).broken:
        return Ruling()
    note(root, session, BROKEN)
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return Ruling(
        person=f"lithify: the list of rules and guards cannot be read ({reason}), so calls pass "
        "unchecked. The next `lithify compact`, or a new session, writes it again."
    )


# What a session was shown


def session_log(root: str, session: str) -> str:
    """Return the file of a session."""
    plain = session.isascii() and session.replace("-", "").isalnum() and len(session) <= 100
    if not plain:
        from hashlib import sha256

        session = sha256(session.encode("utf-8", "replace")).hexdigest()
    return folder(root, "sessions", f"{session}.log")


def note(root: str, session: str, what: str, key: str = "", on: str = "", **more: Any) -> None:
    """Add a line to the file of a session. What cannot be noted blocks nothing."""
    facts = {"what": what, **({"key": key} if key else {}), **({"on": on} if on else {}), **more}
    path = session_log(root, session)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # One write, so that hooks at the same time do not mix their lines.
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")
    except OSError:
        return


def lines(path: str) -> list[dict[str, Any]]:
    """Read the file of a session; a line that a crash has cut is left out."""
    found = []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    found.append(json.loads(line))
                except ValueError:
                    continue
    except FileNotFoundError:
        pass
    return [one for one in found if isinstance(one, dict) and "what" in one]


def shown(root: str, session: str) -> Shown:
    """Return what a session was shown since it began or was compacted."""
    said: set[str] = set()
    called: set[str] = set()
    broken = False
    for line in lines(session_log(root, session)):
        match line["what"]:
            case "compact":
                said, called = set(), set()
            case "said":
                said.update(line.get("said", ()))
            case "call":
                called.add(str(line.get("key")))
            case "broken":
                broken = True
    return Shown(frozenset(said), frozenset(called), broken)
