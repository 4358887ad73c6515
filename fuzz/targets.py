"""What is fuzzed: each function takes bytes and raises only if something is wrong."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable

from lithify.engines.model.audit import read_verdicts
from lithify.engines.model.json_reply import find_array
from lithify.hooks.escape import admits
from lithify.hooks.events import answer
from lithify.hooks.harnesses import NAMES, harness_of
from lithify.markdown.front import read_front, write_front
from lithify.markdown.pages import body_digest, memory_type_of, read_typed, read_wisdom
from lithify.markdown.parse import parse

FORMS = ("lithify gate submit --job 20260402-1",)
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
        harness = harness_of(name)
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
    """A model's reply is read, or found to hold nothing that can be read."""
    text = data.decode("utf-8", "replace")
    find_array(text)
    read_verdicts(text, 3)


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
