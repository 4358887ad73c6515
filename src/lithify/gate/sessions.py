"""Which session works on which job, as the sessions' own small files say."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lithify.gate import files

#: After this many seconds without a prompt, a session no longer keeps others from its job.
IDLE_SECONDS = 6 * 3600
#: The session that the command itself stands for; once it has ended, its job is free for the next.
NOBODY = "cli"
#: The variables in which Claude Code, Codex and Copilot name the session to what they run.
VARIABLES = ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID", "COPILOT_AGENT_SESSION_ID")


class Session(NamedTuple):
    """A session: the job it works on, when its last prompt came, whether it has ended."""

    id: str
    job: str
    heard: float
    ended: bool = False


def choose_job(
    session: str, sessions: Sequence[Session], active: Sequence[str], now: float
) -> str | None:
    """The job a session works on: its own, else the free one that was worked on last."""
    heard: dict[str, float] = {}
    for one in sessions:
        if one.id == session and one.job in active:
            return one.job
        heard[one.job] = max(heard.get(one.job, 0.0), one.heard)
    taken = {
        one.job
        for one in sessions
        if one.id != session and not one.ended and now - one.heard < IDLE_SECONDS
    }
    free = [job for job in active if job not in taken]
    return max(free, key=lambda job: (heard.get(job, 0.0), job), default=None)


def all_sessions(root: str) -> tuple[Session, ...]:
    """Every session that has a file."""
    return tuple(
        Session(name, s.get("job", ""), float(s.get("heard", 0)), bool(s.get("ended")))
        for name, s in files.read_sessions(root).items()
    )


def known(root: str, session: str) -> dict[str, Any]:
    """What the file of a session holds; empty where there is none."""
    return files.read_json(files.session_path(root, session)) or {}


def remember(
    root: str,
    session: str,
    job: str,
    heard: float,
    *,
    prompts: int | None = None,
    **facts: Any,
) -> None:
    """Puts a session on a job and adds facts to its file; the caller holds the gate's lock.

    A session that changes its job starts with new counts, because the old ones count the old
    job's prompts. It keeps its taints, because it has still read what it read.
    """
    before = known(root, session)
    if before.get("job") != job:
        before = {"job": job, "taints": before.get("taints", [])}
    if prompts is not None:
        facts["prompts"] = prompts
    path = files.session_path(root, session)
    files.put_json(path, {**before, "heard": heard, "ended": False, **facts})


def calling_sessions(root: str, named: str, environ: Mapping[str, str], now: float) -> list[str]:
    """The sessions a command or server may run in: the one that is named, else every open one.

    A client that starts a new session may keep a server, which then knows only the old one's id.
    So a named session counts only while it is open.
    """
    found = [one for one in all_sessions(root) if one.job and not one.ended]
    live = [one.id for one in found if now - one.heard < IDLE_SECONDS]
    for name in (named, *(environ.get(variable, "") for variable in VARIABLES)):
        if name and file_name(root, name) in live:
            return [file_name(root, name)]
    return live


def file_name(root: str, session: str) -> str:
    """The id of a session as its file is named."""
    return os.path.basename(files.session_path(root, session)).removesuffix(".json")
