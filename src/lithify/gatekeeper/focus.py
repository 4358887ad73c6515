"""Which session works on which job, as the sessions' own small files say."""

from __future__ import annotations

import os
from typing import Any

from lithify.gate.jobs import Session
from lithify.store import gate as store


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

    On another job it starts anew: the counts are the old job's.
    """
    before = known(root, session)
    if before.get("job") != job:
        before = {"job": job}
    if prompts is not None:
        facts["prompts"] = prompts
    path = store.session_path(root, session)
    store.put_json(path, {**before, "heard": heard, "ended": False, **facts})


def name(root: str, session: str) -> str:
    """A session's id as its file has it."""
    return os.path.basename(store.session_path(root, session)).removesuffix(".json")
