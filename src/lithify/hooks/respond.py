"""Replies to every event but those before a tool call: records, and gives the agent its texts."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lithify.errors import LithifyError
from lithify.gate import texts
from lithify.hooks.clients import Client, Given, Injected, Reply
from lithify.moment import ruling
from lithify.regex import regex

if TYPE_CHECKING:
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.gate.jobs import JobState

_WEB = ("WebFetch", "WebSearch")
_OURS = ("mcp__lithify__", "mcp__plugin_lithify_lithify__")
#: An untrusted origin, as the line of a fence or a field of JSON names it, quoted any number of times.
_UNTRUSTED = regex(
    r'\borigin(?:=|\\*"\s*:\s*\\*")(web|harness|mcp:[\w.@-]{1,64}|import:[\w.@-]{1,64})'
)
#: Characters that the fence around a text takes at most.
_FENCE = 400


def respond(client: Client, gate: Gatekeeper, event: str, given: Given) -> Reply:
    """Return the reply to an event in the form of Claude Code."""
    session = str(given.get("session_id") or "unknown")
    match event:
        case "SessionStart":
            anew = given.get("source") in ("compact", "clear")
            context, problem = started(client, gate, session, anew=anew), gate.settings.problem
            said = f"lithify: {problem}. The earlier settings stay in use." if problem else ""
            return Reply(context=context, person=said)
        case "UserPromptSubmit" if not given.get("agent_id"):
            words, _ = persons_words(str(given.get("prompt") or ""), client.injected)
            return Reply(context=_record(client, gate, session, "prompt", words))
        case "PostToolUse":
            return Reply(context=_after_tool(client, gate, session, given))
        case "PreCompact":
            _forget_told(client, gate, session)
            ruling.begin_anew(gate.root, session)
            kept = _before_compaction(gate, session)
            return Reply(context=kept, person=kept)
        case "Stop" if (last := given.get("last_assistant_message")) and not given.get("agent_id"):
            gate.note_answer(session, str(last))
        case "SessionEnd":
            if last := given.get("last_assistant_message"):
                gate.note_answer(session, str(last))
            gate.end_session(session)
    return Reply()


def started(client: Client, gate: Gatekeeper, session: str, *, anew: bool = False) -> str:
    """Return what a session is given when it begins or goes on; `anew` where it has lost what it knew."""
    if anew:
        ruling.begin_anew(gate.root, session)
    state = gate.start_session(session)
    if state is not None:
        gate.write_days(state.job)
        _forget_told(client, gate, session)
    ruling.remove_old(gate.root, time.time())
    return session_text(gate, state, session, hands_over=client.hands_over)


def failed(event: str, error: Exception) -> Reply:
    """Tell the person that an event was not recorded; it blocks nothing."""
    reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return Reply(person=f"lithify: {event} was not recorded ({reason})")


def questions_of(given: Given) -> str:
    """Return the questions that were asked, each with its answer, as text."""
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


def _forget_told(client: Client, gate: Gatekeeper, session: str) -> None:
    """Let the next denial bring the text to summarise again, which the agent may have lost."""
    if not client.hands_over:
        gate.note_session(session, told=[])


def _record(client: Client, gate: Gatekeeper, session: str, kind: str, text: str) -> str:
    if not text.strip():
        return ""
    recorded = gate.record(session, kind, text, heard_twice=True)
    if kind == "prompt":
        gate.remember_from_prompt(session, text, recorded)
    if not recorded.closed_now or not client.hands_over:
        return ""
    return summary_request(gate, recorded.state)


def _after_tool(client: Client, gate: Gatekeeper, session: str, given: Given) -> str:
    tool = str(given.get("tool_name") or "")
    if tool == "AskUserQuestion":
        return _record(client, gate, session, "answer", questions_of(given))
    if tool in _WEB:
        gate.note_untrusted_source(session, "web")
    elif tool.startswith(_OURS):
        # Our own tools show the memory, which labels what untrusted sources wrote.
        shown = json.dumps(given.get("tool_response"), ensure_ascii=False)
        for source in sorted(set(_UNTRUSTED.findall(shown))):
            gate.note_untrusted_source(session, source)
    elif tool.startswith("mcp__"):
        server = "".join(c if c.isalnum() or c in "._-" else "-" for c in tool[5:].split("__")[0])
        gate.note_untrusted_source(session, f"mcp:{server[:64] or 'unknown'}")
    return ""


def _before_compaction(gate: Gatekeeper, session: str) -> str:
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


# What an agent is given to read.


def summary_request(
    gate: Gatekeeper, state: JobState, limit: int = texts.LIMIT, denial: str = ""
) -> str:
    """Return what has to be summarised and how, in at most `limit` characters; empty at an open gate.

    `denial` is the reason the agent was given, where it was.
    """
    if state.demand is None:
        return ""
    from lithify.fence import fence

    said = denial or gate.denial_text(state.job, state.demand)
    room = limit - len(said) - _FENCE
    text = texts.shortened(texts.to_summarise(state, state.demand), max(room, 400))
    origin = texts.origin_of(state.pending)
    return f"{said}\n\nThe text to summarise:\n{fence(text, origin, state.job)}"[:limit]


def denial_with_text(root: str, session: str, denial: str) -> str:
    """Return a denial with the text to summarise, for an agent that was not given it with the prompt."""
    from lithify.gate.gatekeeper import Gatekeeper

    gate = Gatekeeper(root)
    job = gate.job_of(session)
    state = gate.full_state(job) if job else None
    if state is None or state.demand is None:
        return denial
    with suppress(OSError, LithifyError):  # told again rather than not at all
        gate.note_session(session, told=[state.demand.level, state.demand.stop])
    return summary_request(gate, state, denial=denial)


def session_text(
    gate: Gatekeeper, state: JobState | None, session: str, *, hands_over: bool = True
) -> str:
    """Return what a session starts with: the memory's context, then what has to be summarised.

    Without `hands_over` the text to summarise comes with the first denial, as the client says.
    """
    waiting = ""
    if state and state.demand and not hands_over:
        waiting = "The text to summarise comes with the denial of the next tool call."
    elif state and state.demand:
        waiting = summary_request(gate, state, texts.LIMIT // 2)
    asked = _pages_due(gate) if not waiting else ""
    known = _memory_context(gate, state, session, texts.LIMIT - len(waiting) - len(asked) - 4)
    return "\n\n".join(part for part in (known, asked, waiting) if part)[: texts.LIMIT]


def _pages_due(gate: Gatekeeper) -> str:
    """Ask the agent for the pages it is to write and to read, in the first session of a day."""
    from lithify.calendar import month_of
    from lithify.context.gather import task_names
    from lithify.gate import files
    from lithify.memory import Memory
    from lithify.values import TO_WRITE

    try:
        memory = Memory.open(gate.root)
        today = memory.today().isoformat()
        told = files.folder(gate.root, "told.json")
        if memory.settings.model != "agent" or (files.read_json(told) or {}).get("day") == today:
            return ""
        found = memory.status()
        # A month is written when its weeks are read.
        unread = {month_of(task.period) for task in found.to_read if task.tier == "week"}
        due = [task for task in found.tasks if task.state in TO_WRITE]
        due = [task for task in due if task.tier != "month" or task.period not in unread]
        if not (due or found.to_read):
            return ""
        with files.writing(gate.root):
            files.put_json(told, {"day": today})
    except (LithifyError, OSError):
        return ""
    import shutil

    words = ["lithify"] if shutil.which("lithify") else texts.program_words()
    program = " ".join(map(texts.quoted, words))
    # Only the plugin brings the slash command.
    command = "use the command /lithify:compact, or " if "CLAUDE_PLUGIN_ROOT" in os.environ else ""
    waiting = [f"to be written: {task_names(due)}"] if due else []
    waiting += [f"to be read: {task_names(found.to_read)}"] if found.to_read else []
    return (
        f"This memory has work for you, {'; '.join(waiting)}. When the person's own work leaves "
        f"room, or asks for it, {command}run `{program} write next` and do what it prints until "
        "nothing is due; a subagent can do it. Asked once a day."
    )


def _memory_context(gate: Gatekeeper, state: JobState | None, session: str, room: int) -> str:
    from lithify.context.compose import EMPTY
    from lithify.fence import fence
    from lithify.memory import Memory

    try:
        memory = Memory.open(gate.root)
        text = memory.context(session=session, characters=room)
    except LithifyError:
        # With a mistake in the settings, the session still gets its job's chain.
        if state is None:
            return ""
        chain, tail = texts.chain_and_tail(state, room - 2 * _FENCE)
        said = [(chain, "agent"), (tail, texts.origin_of(state.tail))]
        return "\n\n".join(fence(text, origin, state.job) for text, origin in said if text)
    # Past the settings, which are read without a fault by now, nothing here may cost the context.
    with suppress(OSError, LithifyError):
        memory.renew_moments()
    return "" if text == EMPTY else text


# The person's words in a prompt, told from the text that a client puts there itself. Clients send
# notices through the event of a prompt (a background task has ended, a timer has fired) and put
# context before or behind what the person typed. A piece counts as the client's only where it
# begins and ends as the client writes it, at the start or the end of the prompt. A tag that a person
# quotes inside a sentence stays.

#: What programs send that run a client as their agent, OpenClaw for example.
UNATTENDED = Injected(
    lines=(
        *("An async command you ran earlier has completed.", "Read HEARTBEAT.md if it exists"),
        *("System: [", "System (untrusted): ["),
    ),
    followers=("Current time: ",),
)


def persons_words(prompt: str, injected: Injected) -> tuple[str, tuple[str, ...]]:
    """Return the person's own text in a prompt, and the pieces that the client put there."""
    # Both ends move inwards over the one string, so the time is linear in its length.
    start, end = _stripped(prompt, 0, len(prompt))
    before: list[str] = []
    behind: list[str] = []
    while (stop := _leading(prompt, start, end, injected, bool(before))) > start:
        before.append(prompt[start:stop])
        start, end = _stripped(prompt, stop, end)
    while (begin := _trailing(prompt, start, end, injected.wrappers)) >= 0:
        behind.append(prompt[begin:end])
        start, end = _stripped(prompt, start, begin)
    if not before and not behind:
        start, end = 0, len(prompt)
    for name in injected.spoken:
        opening, closing = f"<{name}>", f"</{name}>"
        if prompt.startswith(opening, start, end) and prompt.endswith(closing, start, end):
            start, end = _stripped(prompt, start + len(opening), end - len(closing))
    return prompt[start:end], (*before, *reversed(behind))


def _leading(text: str, start: int, end: int, injected: Injected, follows: bool) -> int:
    """Return where the piece that the text begins with ends; `start` if it begins with none."""
    if name := _element(text, start, end, injected.notices):
        last = text.rfind(f"</{name}>", start, end)
        # One that was cut to a size has lost its end.
        whole = end if text.startswith(f"<{name}>\n", start, end) else start
        return last + len(name) + 3 if last >= 0 else whole
    if name := _element(text, start, end, injected.wrappers):
        first = text.find(f"</{name}>", start, end)
        return first + len(name) + 3 if first >= 0 else start
    for note in injected.notes:
        if text.startswith(note, start, end):
            return start + len(note)
    for opening, last_line in injected.prefaces:
        if text.startswith(opening, start, end):
            found = text.find(f"\n{last_line}", start, end)
            return found + 1 + len(last_line) if found >= 0 else start
    lines = (*injected.lines, *UNATTENDED.lines)
    lines += (*injected.followers, *UNATTENDED.followers) if follows else ()
    if text.startswith(lines, start, end):
        newline = text.find("\n", start, end)
        return newline if newline >= 0 else end
    return start


def _trailing(text: str, start: int, end: int, wrappers: tuple[str, ...]) -> int:
    """Return where the element begins that the text ends with; -1 if it ends with none."""
    for name in wrappers:
        if text.endswith(f"</{name}>", start, end):
            return text.rfind(f"\n<{name}", start, end)
    return -1


def _element(text: str, start: int, end: int, names: tuple[str, ...]) -> str:
    """Return the name of the element that the text begins with; empty if it is none of these."""
    for name in names:
        if text.startswith(f"<{name}", start, end):
            after = start + 1 + len(name)
            if "=" in name or (after < end and (text[after] == ">" or text[after].isspace())):
                return name.split(" ")[0]
    return ""


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end
