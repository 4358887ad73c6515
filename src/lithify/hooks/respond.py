"""Replies to every event but those before a tool call: records, and gives the agent its texts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from lithify.hooks.harness import Given, Harness, Reply
from lithify.hooks.injected import persons_words

if TYPE_CHECKING:
    from lithify.gate.gatekeeper import Gatekeeper

_WEB = ("WebFetch", "WebSearch")
_OURS = ("mcp__lithify__", "mcp__plugin_lithify_lithify__")
#: An untrusted origin, as the line of a fence or a field of JSON names it, quoted any number of times.
_UNTRUSTED = re.compile(
    r'\borigin(?:=|\\*"\s*:\s*\\*")(web|harness|mcp:[\w.@-]{1,64}|import:[\w.@-]{1,64})'
)


def respond(harness: Harness, gate: Gatekeeper, event: str, given: Given) -> Reply:
    """The reply to an event in the form of Claude Code."""
    session = str(given.get("session_id") or "unknown")
    match event:
        case "SessionStart":
            context, problem = started(harness, gate, session), gate.settings.problem
            said = f"lithify: {problem}. The earlier settings stay in use." if problem else ""
            return Reply(context=context, person=said)
        case "UserPromptSubmit" if not given.get("agent_id"):
            words, _ = persons_words(str(given.get("prompt") or ""), harness.injected)
            return Reply(context=_record(harness, gate, session, "prompt", words))
        case "PostToolUse":
            return Reply(context=_after_tool(harness, gate, session, given))
        case "PreCompact":
            _forget_told(harness, gate, session)
            kept = _before_compaction(gate, session)
            return Reply(context=kept, person=kept)
        case "Stop" if (last := given.get("last_assistant_message")) and not given.get("agent_id"):
            gate.note_answer(session, str(last))
        case "SessionEnd":
            if last := given.get("last_assistant_message"):
                gate.note_answer(session, str(last))
            gate.end_session(session)
    return Reply()


def started(harness: Harness, gate: Gatekeeper, session: str) -> str:
    """What a session is given when it begins or goes on."""
    from lithify.hooks.session_text import session_text

    state = gate.start(session)
    if state is not None:
        gate.feed(state.job)
        _forget_told(harness, gate, session)
    return session_text(gate, state, session, hands_over=harness.hands_over)


def failed(event: str, error: Exception) -> Reply:
    """Tells the person that an event was not recorded; it blocks nothing."""
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return Reply(person=f"lithify: {event} was not recorded ({reason})")


def questions_of(given: Given) -> str:
    """The questions that were asked, each with its answer, as text."""
    asked, reply = given.get("tool_input"), given.get("tool_response")
    answers = _answers(reply) or _answers(asked)
    known = asked.get("questions") if isinstance(asked, dict) else None
    texts = [str(q.get("question", "")) for q in known or () if isinstance(q, dict)]
    if not texts and isinstance(asked, dict) and isinstance(asked.get("question"), str):
        texts = [asked["question"]]
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


def _forget_told(harness: Harness, gate: Gatekeeper, session: str) -> None:
    """The agent may have lost the text to summarise, so the next denial brings it again."""
    if not harness.hands_over:
        gate.note_session(session, told=[])


def _record(harness: Harness, gate: Gatekeeper, session: str, kind: str, text: str) -> str:
    if not text.strip():
        return ""
    recorded = gate.record(session, kind, text, heard_twice=True)
    if kind == "prompt":
        gate.remember_asked(session, text, recorded)
    if not recorded.closed_now or not harness.hands_over:
        return ""
    from lithify.hooks.session_text import summary_request

    return summary_request(gate, recorded.state)


def _after_tool(harness: Harness, gate: Gatekeeper, session: str, given: Given) -> str:
    tool = str(given.get("tool_name") or "")
    if tool == "AskUserQuestion":
        return _record(harness, gate, session, "answer", questions_of(given))
    if tool in _WEB:
        gate.taint(session, "web")
    elif tool.startswith(_OURS):
        # Our own tools show the memory, which labels what untrusted sources wrote.
        shown = json.dumps(given.get("tool_response"), ensure_ascii=False)
        for source in sorted(set(_UNTRUSTED.findall(shown))):
            gate.taint(session, source)
    elif tool.startswith("mcp__"):
        server = "".join(c if c.isalnum() or c in "._-" else "-" for c in tool[5:].split("__")[0])
        gate.taint(session, f"mcp:{server[:64] or 'unknown'}")
    return ""


def _before_compaction(gate: Gatekeeper, session: str) -> str:
    from lithify.gate import texts

    job = gate.job_of(session)
    if job is None:
        return ""
    state = gate.full_state(job)
    count = len(state.pending)
    waiting = f"{texts.count_of(count, 'interaction')} (about {state.tokens:,} tokens)"
    kept = "is kept" if count == 1 else "are kept"
    if not state.chain:
        return f"lithify: job {job} has no summary yet; {waiting} {kept}."
    chain = texts.count_of(len(state.chain), "summary", "summaries")
    return (
        f"lithify: the chain of job {job} holds {chain}, the last of {state.chain[-1].time}; "
        f"{waiting} after it {kept}. All of it is read back after the compaction, so the summary "
        "of the conversation need not repeat it."
    )
