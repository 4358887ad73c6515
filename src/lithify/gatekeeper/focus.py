"""Which session works on which job, as the sessions' own small files say."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from lithify.gate.jobs import FORGOTTEN, Session
from lithify.store import gate as store

#: Where a harness names the session to the commands it runs: Claude Code, Codex.
_NAMED = ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID")


def sessions(root: str) -> tuple[Session, ...]:
    """Every session that was heard."""
    return tuple(
        Session(name, s.get("job", ""), float(s.get("heard", 0)), bool(s.get("ended")))
        for name, s in store.read_sessions(root).items()
    )


def known(root: str, session: str) -> dict[str, Any]:
    """What is remembered of a session."""
    return store.read_json(store.session_path(root, session)) or {}


def remember(
    root: str,
    session: str,
    job: str,
    heard: float,
    *,
    prompts: int | None = None,
    **facts: Any,
) -> None:
    """Puts a session on a job, with what is to be known of it; the caller holds the gate's lock.

    On another job it starts anew: the counts are the old job's. What it has read it has read.
    """
    before = known(root, session)
    if before.get("job") != job:
        before = {"job": job, "taints": before.get("taints", [])}
    if prompts is not None:
        facts["prompts"] = prompts
    path = store.session_path(root, session)
    store.put_json(path, {**before, "heard": heard, "ended": False, **facts})


def caller(root: str, environ: Mapping[str, str], now: float) -> str:
    """The session that a command is run in: the one its harness names, else the only live one."""
    for variable in _NAMED:
        if known(root, environ.get(variable, "")).get("job"):
            return environ[variable]
    heard = [one for one in sessions(root) if one.job and now - one.heard < FORGOTTEN]
    live = [one.id for one in heard if not one.ended]
    return live[0] if len(live) == 1 else ""


def name(root: str, session: str) -> str:
    """A session's id as its file has it."""
    return os.path.basename(store.session_path(root, session)).removesuffix(".json")
