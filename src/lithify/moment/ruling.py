"""Rules on a tool call by the triggers of a root: a rule as context, or a guard that asks or refuses.

    .lithify/moment/calls           what `grep -Ef` tests on an event, so that most calls start no
                                    Python; there is none where no rule has a trigger
    .lithify/moment/rules.json      the rules with their triggers and guards
    .lithify/moment/sessions/*.log  which rules each session was shown

This module runs before tool calls, so it imports little.
"""

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from lithify.moment.triggers import call_of, names, trigger_of

#: What is noted of a session that was told of a broken list.
_BROKEN = "broken"
#: The file of a session that is not written to for so many seconds is removed.
_OLD = 7 * 86_400


class Ruling(NamedTuple):
    """What a tool call is answered: why it is refused or asked about, and what the agent is told."""

    deny: str = ""
    ask: str = ""
    context: str = ""
    person: str = ""


def _folder(root: str, *parts: str) -> str:
    return os.path.join(root, ".lithify", "moment", *parts)


def rules_path(root: str) -> str:
    """Return the file of the rules, which exists where a session has begun with hooks."""
    return _folder(root, "rules.json")


def calls_path(root: str) -> str:
    """Return the file that exists only where a rule has a trigger. Installed hooks name it."""
    return _folder(root, "calls")


def rule(root: str, call: Mapping[str, Any]) -> Ruling:
    """Return the ruling on one tool call. If the list cannot be read, the call goes on."""
    if not os.path.exists(calls_path(root)):
        return Ruling()
    # A subagent has a context of its own.
    session = "-".join(str(call[key]) for key in ("session_id", "agent_id") if call.get(key))
    try:
        return _rule(root, session or "unknown", call)
    except Exception as error:
        return _broken(root, session or "unknown", error)


def _rule(root: str, session: str, call: Mapping[str, Any]) -> Ruling:
    with open(rules_path(root), encoding="utf-8") as file:
        content = json.load(file)
    given = call.get("tool_input")
    seen = call_of(str(call.get("tool_name") or ""), given if isinstance(given, dict) else {})
    named = [
        one
        for one in content["rules"]
        if any(names(trigger_of(when), seen) for when in one["when"])
    ]
    # Of several guards the stricter one decides.
    for level in ("deny", "ask"):
        if one := next((one for one in named if one["guard"] == level), None):
            return Ruling(**{level: _reason(one, level)})
    before = _shown(root, session)
    new = [one for one in named if one["key"] not in before]
    if not new:
        return Ruling()
    _note(root, session, (one["key"] for one in new))
    return Ruling(context=_block(new, content["mark"]))


def _block(rules: Iterable[Mapping[str, Any]], mark: str) -> str:
    """Return rules as the agent is shown them: fenced, each with whose it is and its day."""
    from lithify.fence import fence

    lines = "\n".join(f"- {one['text']} ({one['whose']})" for one in rules)
    return f"What memory holds on this:\n{fence(lines, 'lithify', 'moment', mark)}"


def _reason(one: Mapping[str, Any], level: str) -> str:
    does = "refuses" if level == "deny" else "asks about"
    return (
        f"A guard of the person {does} this call: “{one['text']}” ({one['whose']}). "
        f"Only the person lifts it, in a terminal: lithify memories guard {one['id']} off"
    )


def _broken(root: str, session: str, error: Exception) -> Ruling:
    if _BROKEN in _shown(root, session):
        return Ruling()
    _note(root, session, [_BROKEN])
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return Ruling(
        person=f"lithify: the list of rules and guards cannot be read ({reason}), so calls pass "
        "unchecked. The next `lithify compact`, or a new session, writes it again."
    )


# What a session was shown: the keys of rules, a line each


def begin_anew(root: str, session: str) -> None:
    """Forget what a session was shown: a compaction has taken it from the agent."""
    with suppress(OSError):
        os.remove(_session_log(root, session))


def remove_old(root: str, now: float) -> None:
    """Remove the files of sessions that have not been written to for long."""
    with suppress(OSError):
        for name in os.listdir(_folder(root, "sessions")):
            path = _folder(root, "sessions", name)
            if now - os.stat(path).st_mtime > _OLD:
                os.remove(path)


def _shown(root: str, session: str) -> set[str]:
    path = _session_log(root, session)
    with suppress(FileNotFoundError), open(path, encoding="utf-8", errors="replace") as file:
        return set(file.read().split())
    return set()


def _note(root: str, session: str, keys: Iterable[str]) -> None:
    """Add lines to the file of a session. What cannot be noted blocks nothing."""
    path = _session_log(root, session)
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # One write, so that hooks at the same time do not mix their lines.
        with open(path, "a", encoding="utf-8") as file:
            file.write("".join(f"{key}\n" for key in keys))


def _session_log(root: str, session: str) -> str:
    plain = session.isascii() and session.replace("-", "").isalnum() and len(session) <= 100
    if not plain:
        from hashlib import sha256

        session = sha256(session.encode("utf-8", "replace")).hexdigest()
    return _folder(root, "sessions", f"{session}.log")
