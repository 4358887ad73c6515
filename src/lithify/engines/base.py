"""What an engine is, what a model is, and two models that ship for tests.

`Scripted` replays replies. `Obedient` does whatever its input tells it to: it stands for a
model that falls for instructions planted in the material.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

from lithify.errors import ModelError
from lithify.regex import regex
from lithify.values import Brief, Draft, SentBack, Usage

T = TypeVar("T")


class Step(Protocol):
    """How a call to a model (`call`) or a commit (`commit`) is carried out."""

    def __call__(self, kind: str, work: Callable[[], T]) -> T: ...


def directly(kind: str, work: Callable[[], T]) -> T:
    """Carry out a step here and now."""
    return work()


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's reply: its text, what it cost in tokens, and why it ended."""

    text: str
    usage: Usage = Usage()
    stop_reason: str = "end"


@runtime_checkable
class MemoryModel(Protocol):
    """Any language model. `name` goes into front matter and into the key of saved replies."""

    @property
    def name(self) -> str: ...

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion: ...


@runtime_checkable
class Concurrent(Protocol):
    """A model that several threads may ask at the same time."""

    @property
    def at_once(self) -> int: ...

    def interrupt(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Room:
    """How much an engine takes and gives in one call, in tokens."""

    window: int
    output: int


#: What is taken for granted of a model nothing is known about; no longer reply is ever asked for.
CAUTIOUS = Room(window=32_000, output=4096)


class Engine(Protocol):
    """A writer of drafts. `mark` is its version: it changes when it would answer a brief differently.

    `draft` is given what went back to its writer, if anything did; then it returns what is handed in
    again and no more.
    """

    @property
    def name(self) -> str: ...

    @property
    def mark(self) -> str: ...

    @property
    def room(self) -> Room | None: ...

    @property
    def extractive(self) -> bool: ...

    def draft(self, brief: Brief, back: SentBack | None = None, attempt: int = 0) -> Draft: ...


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model."""

    prompt: str
    system: str
    temperature: float
    max_tokens: int


Reply = str | Completion | Exception


@dataclass(slots=True)
class Scripted:
    """A model for tests: it replays replies in order, or asks a function for each, and records calls.

    The replies are those of a writer. What a reader is asked it answers itself, by `attentive`, unless
    it `reads` by its replies too.
    """

    replies: Iterable[Reply] | Callable[[Call], Reply]
    name: str = "scripted"
    calls: list[Call] = field(default_factory=list)
    reads: bool = False

    def __post_init__(self) -> None:
        if not callable(self.replies):
            self.replies = iter(self.replies)

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        call = Call(prompt, system, temperature, max_tokens)
        if VERDICTS in prompt and not self.reads:
            return _counted(prompt, system, attentive(prompt))
        self.calls.append(call)
        if callable(self.replies):
            reply = self.replies(call)
        else:
            try:
                reply = next(iter(self.replies))
            except StopIteration:
                raise ModelError(model=self.name, reason="the script has no reply left") from None
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Completion):
            return reply
        return _counted(prompt, system, reply)


#: What a reader's prompt ends with.
VERDICTS = "<VERDICTS>"
_CLAIM = regex(r"^(\d+): (?:\(judgement\) )?(.+)$")
_CITES = regex(r"^\(cites (.+)\)$")
_SHOWN = regex(r"^\[(e\d+)\] (.+)$")
_FIGURE = regex(r"\d+(?:[.,:]\d+)*")
#: Figures, and capitalised words that begin no sentence.
_SPECIFIC = regex(rf"{_FIGURE.pattern}|(?<=[^.!?:] )[A-Z]\w+")


def attentive(prompt: str) -> str:
    """Answer what a reader is asked.

    Supported is what has no figure or name its entries lack, and not an entry's words but for a long one.
    """
    claims: list[tuple[int, str, list[str]]] = []
    entries: dict[str, str] = {}
    for line in prompt.splitlines():
        if said := _CLAIM.match(line):
            claims.append((int(said[1]), said[2], []))
        elif claims and (cites := _CITES.match(line)):
            claims[-1][2].extend(re.findall(r"e\d+", cites[1]))
        elif shown := _SHOWN.match(line):
            entries[shown[1]] = shown[2]
    found = []
    for number, text, labels in claims:
        there = " ".join(entries.get(label, "") for label in labels)
        # A figure is no part of another: "6" does not stand in "2026".
        figures = {
            form for figure in _FIGURE.findall(there) for form in (figure, figure.lstrip("0"))
        }
        lacking = [
            word
            for word in _SPECIFIC.findall(text)
            if word not in (figures if word[0].isdigit() else there)
        ]
        for label in labels:
            lacking += _one_other_word(text, entries.get(label, ""))
        verdict = "contradicted" if lacking else "supported"
        found.append({"claim": number, "verdict": verdict, "reason": ", ".join(lacking[:3])})
    return json.dumps(found)


def _one_other_word(text: str, entry: str) -> list[str]:
    """Return the one long word in which a text differs from the end of an entry, if it is one."""
    said, shown = re.findall(r"\w+", text), re.findall(r"\w+", entry)
    pairs = zip(said, shown[-len(said) :], strict=False) if len(said) <= len(shown) else ()
    other = [one for one, theirs in pairs if one != theirs]
    return other if len(other) == 1 and len(other[0]) > 4 else []


_LABELLED = regex(r"^\s*-? ?\[(\w\d+)\] (?:\(\d{4}-\d\d-\d\d[^()]*\) )?(.+)$", re.MULTILINE)
_ORDER = regex(r"add to wisdom:?\s*(.+)", re.IGNORECASE)
_RULE = regex(r"\b(?:never|always)\b", re.IGNORECASE)
_FENCE = regex(r"```typed_memory\s*(.*?)```", re.DOTALL)


@dataclass(slots=True)
class Obedient:
    """A model for tests that injected text does no harm: it follows every instruction it is shown.

    As a reader it agrees with every claim.
    """

    name: str = "obedient"
    calls: list[Call] = field(default_factory=list)

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        if VERDICTS in prompt:
            agreed = re.sub("contradicted", "supported", attentive(prompt))
            return _counted(prompt, system, agreed)
        self.calls.append(Call(prompt, system, temperature, max_tokens))
        return _counted(prompt, system, self._reply(prompt))

    def _reply(self, prompt: str) -> str:
        material = prompt.partition("<OUTPUT_FORMAT>")[0]
        found = _LABELLED.findall(material)
        orders = _ORDER.findall(material)
        if "DECISIONS>" in prompt:
            return json.dumps(self._decide(found, orders))
        remembers = "<MEMORY_TYPES>" in prompt or "<REFUSED_MEMORIES>" in prompt
        memories = self._remember(found, orders, material) if remembers else []
        sections = re.findall(r"^### (.+)$", prompt.partition("<OUTPUT_FORMAT>")[2], re.MULTILINE)
        if remembers and not sections and "```typed_memory" not in prompt:
            return json.dumps(memories)
        bullets = [f"- {text} [{label}]" for label, text in found]
        bullets += [f"- {order}" for order in orders]
        fences = [f"```typed_memory\n{memory['content']}```" for memory in memories]
        return "\n".join([*(f"### {section}" for section in sections), *bullets, *fences]) or "NONE"

    def _decide(self, found: list[tuple[str, str]], orders: list[str]) -> list[dict[str, str]]:
        decisions = [
            {
                "item": label,
                "decision": "ADD" if label.startswith("m") else "DROP",
                "title": " ".join(text.split()[:5]).strip(".,:;"),
                "text": text,
                "reason": "shown",
            }
            for label, text in found
            if not label.startswith("w")
        ]
        item = decisions[0]["item"] if decisions else "m1"
        told = {"item": item, "decision": "ADD", "reason": "told to"}
        return decisions + [{**told, "title": order[:40], "text": order} for order in orders]

    def _remember(
        self, found: list[tuple[str, str]], orders: list[str], material: str
    ) -> list[dict[str, str]]:
        memories = [_memory(text, label) for label, text in found if _RULE.search(text)]
        memories += [_memory(order, "") for order in orders]
        planted = {"filename": "feedback_planted.md"}
        return memories + [{**planted, "content": body} for body in _FENCE.findall(material)]


def _counted(prompt: str, system: str, reply: str) -> Completion:
    from lithify.text.tokens import estimate

    return Completion(reply, Usage(estimate(system + prompt), estimate(reply)))


def _memory(text: str, label: str) -> dict[str, str]:
    name = " ".join(re.findall(r"[a-z]+", text.lower())[:5])
    front = f"---\nname: {name}\ndescription: {name}\ntype: feedback\nsources: [{label}]\n---\n"
    body = f"{text}\n\n**Why:** not stated\n\n**How to apply:** not stated\n"
    return {"filename": f"feedback_{name.replace(' ', '-')}.md", "content": front + body}
