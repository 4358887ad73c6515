"""Claude Code's wire: its JSON in, its JSON out. Facts are said, never orders."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lithify.gatekeeper import Gatekeeper
    from lithify.hooks.guard import Ruling

EVENTS = (
    *("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact"),
    *("Stop", "SubagentStop", "SessionEnd"),
)
_WEB = ("WebFetch", "WebSearch")


def answer(ruling: Ruling) -> str:
    """The answer to PreToolUse; empty lets the harness go its own way.

    Never a bare allow: it would answer questions that are the person's to answer.
    """
    out: dict[str, Any] = {}
    if ruling.deny:
        out["hookSpecificOutput"] = {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": ruling.deny[:10_000],
        }
    elif ruling.warn:
        out["hookSpecificOutput"] = {
            "hookEventName": "PreToolUse",
            "additionalContext": ruling.warn,
        }
    if said := ruling.tell or ruling.warn:
        out["systemMessage"] = said
    return json.dumps(out) if out else ""


def respond(gate: Gatekeeper, event: str, given: dict[str, Any]) -> str:
    """What there is to say to any other event."""
    session = str(given.get("session_id") or "unknown")
    context = person = ""
    match event:
        case "SessionStart":
            context = _start(gate, session)
        case "UserPromptSubmit":
            context = _record(gate, session, "prompt", str(given.get("prompt") or ""))
        case "PostToolUse":
            context = _after_tool(gate, session, given)
        case "PreCompact":
            person = _before_compaction(gate, session)
        case "Stop" if last := given.get("last_assistant_message"):
            if not given.get("agent_id"):
                gate.note_session(session, last=str(last)[:2000])
        case "SessionEnd":
            gate.end_session(session)
    if problem := gate.settings.problem if event == "SessionStart" else "":
        person = f"lithify: {problem}. The settings before it stay in force."
    out: dict[str, Any] = {}
    if context:
        out["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": context}
    if person:
        out["systemMessage"] = person
    return json.dumps(out) if out else ""


def failed(event: str, error: Exception) -> str:
    """A recorder that breaks says so and blocks nothing."""
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return json.dumps({"systemMessage": f"lithify: {event} was not recorded ({reason})"})


def questions_of(given: dict[str, Any]) -> str:
    """The questions that were asked, each with its answer, as text."""
    asked, reply = given.get("tool_input"), given.get("tool_response")
    answers = _answers(reply) or _answers(asked)
    known = asked.get("questions") if isinstance(asked, dict) else None
    texts = [str(q.get("question", "")) for q in known or () if isinstance(q, dict)]
    if answers:
        order = [text for text in texts if text in answers]
        order += [text for text in answers if text not in order]
        return "\n".join(f"Q: {text}\nA: {_said(answers[text])}" for text in order)
    questions = "\n".join(f"Q: {text}" for text in texts if text)
    return "\n".join(part for part in (questions, f"A: {_said(reply)}" if reply else "") if part)


def _answers(value: object) -> dict[str, Any]:
    found = value.get("answers") if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def _said(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _start(gate: Gatekeeper, session: str) -> str:
    from lithify.hooks.handover import session_text

    book = gate.start(session)
    if book is None:
        return ""
    gate.feed(book.job)
    return session_text(gate, book)


def _record(gate: Gatekeeper, session: str, kind: str, text: str) -> str:
    if not text.strip():
        return ""
    recorded = gate.record(session, kind, text)
    if not recorded.closed_now:
        return ""
    from lithify.hooks.handover import handed_over

    return handed_over(gate, recorded.book)


def _after_tool(gate: Gatekeeper, session: str, given: dict[str, Any]) -> str:
    from lithify.hooks.guard import SUBMIT_TOOLS

    tool = str(given.get("tool_name") or "")
    if tool == "AskUserQuestion":
        return _record(gate, session, "answer", questions_of(given))
    if tool in _WEB:
        gate.taint(session, "web")
    elif tool.startswith("mcp__") and tool not in SUBMIT_TOOLS:
        server = "".join(c if c.isalnum() or c in "._-" else "-" for c in tool[5:].split("__")[0])
        gate.taint(session, f"mcp:{server[:64] or 'unknown'}")
    return ""


def _before_compaction(gate: Gatekeeper, session: str) -> str:
    job = gate.job_of(session)
    if job is None:
        return ""
    book = gate.whole(job)
    waiting = f"{len(book.pending)} interactions (about {book.tokens:,} tokens) after it"
    if not book.chain:
        return (
            f"lithify: job {job} has no summary yet; {waiting.removesuffix(' after it')} are kept."
        )
    last = book.chain[-1]
    return (
        f"lithify: the chain of job {job} holds {len(book.chain)} summaries, the last of "
        f"{last.time}; {waiting} are kept. All of it is read back after the compaction."
    )
