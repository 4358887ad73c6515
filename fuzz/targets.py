"""What is fuzzed: each function takes bytes and raises only if something is wrong."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from lithify.compact.brief import brief_of
from lithify.engines.base import Completion, Scripted
from lithify.engines.model import ModelEngine
from lithify.engines.model.reader import read_verdicts
from lithify.engines.model.reply import find_array, unwrapped
from lithify.gate.decide import Demand
from lithify.gate.jobs import JobState
from lithify.gate.submission import as_kept, cleaned, validate
from lithify.hooks.clients import NAMES, client_of
from lithify.hooks.events import answer
from lithify.hooks.guard import admits
from lithify.markdown.front import read_front, write_front
from lithify.markdown.pages import body_digest, memory_type_of, read_typed, read_wisdom
from lithify.markdown.parse import parse, read_entries
from lithify.memory import Memory
from lithify.settings import Gate, Settings
from lithify.values import Brief, Claim, Item, Task
from lithify.verify import verify

FORMS = ("lithify gate submit --job 20260402-1",)
_DAY = b"""- Shipped release 2.4.1 of the login page; Priya signed it off.
- Rule: never restart the queue by hand.
- Blocked: the staging certificate has expired and Tomasz has to renew it.
"""
_ROOT = tempfile.mkdtemp(prefix="lithify-fuzz-")


def markdown(data: bytes) -> None:
    """A file is read as entries, and its blocks give the same bytes again."""
    document = parse(data)
    assert b"".join(block.raw for block in document.blocks) == data, "the bytes are not the same"
    body_digest(data)
    memory_type_of(data)
    read_typed(data, "memory/feedback_x.md")
    list(read_wisdom(data))


def front(data: bytes) -> None:
    """Front matter is read or has a fault; what was read is written and read as the same."""
    found = read_front(data.decode("utf-8", "surrogateescape"))
    if not found.fault:
        again = read_front(write_front(found.values).removeprefix("---\n").removesuffix("---\n"))
        assert again.values == found.values, "what was written is read as something else"


def hook(data: bytes) -> None:
    """Whatever a client sends before a tool call is answered; any other event is read or refused."""
    for name in NAMES:
        harness = client_of(name)
        for event, ours in harness.events.items():
            if ours == "PreToolUse":
                answer(name, event, data, _ROOT)
                continue
            try:
                given = json.loads(data or b"{}")
                if isinstance(given, dict):
                    harness.read(event, given)
            except (ValueError, RecursionError):
                continue


def reply(data: bytes) -> None:
    """A reply is read and judged, whatever was asked for: a page, memories, decisions, verdicts.

    Models and agents reply to the same briefs; a summary for the gate is judged by its own rules.
    """
    text = data.decode("utf-8", "replace")
    find_array(text)
    read_verdicts(text, 3)
    unwrapped(Completion(text))
    engine = ModelEngine(Scripted(lambda call: text))
    for brief in _briefs():
        draft = engine.draft(brief)
        verify(draft, brief, extractive=False)
    for rules in (Gate(), Gate(shape="topics")):
        state, demand = _closed_gate()
        validate(cleaned(text), state, demand, rules)
        as_kept(text, rules)


@cache
def _briefs() -> tuple[Brief, ...]:
    """What a model or agent may be asked: week, week with memories, month, memories, wisdom."""
    settings = Settings()
    entries = tuple(read_entries(_DAY, path="memory/2026-04-02.md", label="2026-04-02", day=None))
    week, month = (
        Task(tier, at, "due", "", {}) for tier, at in (("week", "2026-W14"), ("month", "2026-04"))
    )
    claims = [Claim(entry.text, (entry.id,)) for entry in entries]
    items = tuple(
        Item(f"i{number}", entry.text, (entry.id,), "user", title=entry.text[:40])
        for number, entry in enumerate(entries, start=1)
    )
    return (
        brief_of(week, entries, settings),
        brief_of(week, entries, settings)._replace(with_memories=True),
        brief_of(month, entries, settings, claims=claims),
        brief_of(week._replace(tier="typed"), entries, settings),
        Brief(
            tier="wisdom",
            period="",
            entries=entries,
            items=items,
            categories=("Work",),
            max_entries=40,
        ),
    )


@cache
def _closed_gate() -> tuple[JobState, Demand]:
    """A job that waits for a summary."""
    Path(_ROOT, "gated", "memory").mkdir(parents=True)
    Path(_ROOT, "gated", "lithify.toml").write_text("gate.enabled = true\ngate.threshold = 200\n")
    gate = Memory.open(Path(_ROOT, "gated")).gate
    for kind in ("prompt", "answer"):
        gate.record("s", kind, "Please check the queue. " * 60)
    (job,) = (state.job for state in gate.jobs())
    state = gate.full_state(job)
    assert state.demand
    return state, state.demand


def matcher(data: bytes) -> None:
    """A command that the closed gate admits is the one form, a here-document and nothing after it."""
    command = data.decode("utf-8", "surrogateescape")
    if admits(command, FORMS):
        first, *body, last = command.rstrip("\n").split("\n")
        word = first.removeprefix(FORMS[0]).strip(" <").strip("'\"")
        assert first.startswith(f"{FORMS[0]} <<") and word.replace("_", "").isalnum(), first
        assert last == word and word not in body, "something follows the here-document"


TARGETS: dict[str, Callable[[bytes], None]] = {
    "markdown": markdown,
    "front": front,
    "hook": hook,
    "reply": reply,
    "matcher": matcher,
}
