"""A request to a model, whatever wire it came over, and what the scripted model answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Said:
    """A text of the person, of the client in the person's name, or of the model (`role`)."""

    role: str
    text: str


@dataclass(frozen=True)
class Called:
    """A tool call that the model made earlier in the conversation."""

    id: str
    name: str


@dataclass(frozen=True)
class Returned:
    """What a tool call gave back."""

    text: str


@dataclass(frozen=True)
class Tool:
    """A tool that the client offers, with the schemas of its arguments. `wire` is whatever the wire needs to name it in a call."""

    name: str
    properties: Mapping[str, Any] = field(default_factory=dict)
    wire: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Conversation:
    """One request: the system text, all that was said and done so far, and the tools offered.

    `schema` is set where the answer has to be JSON of that form.
    """

    model: str
    system: str
    events: Sequence[Said | Called | Returned]
    tools: Sequence[Tool] = ()
    schema: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Call:
    """A tool call that the model makes now."""

    id: str
    tool: Tool
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """What the model says after `seconds` of thought: tool calls, or a text where there are none.

    `tokens` is what it claims to have read, by which a client decides when to compact.
    """

    calls: Sequence[Call] = ()
    text: str = ""
    seconds: int = 0
    tokens: int = 100


def texts_of(value: Any) -> list[str]:
    """Every string in a JSON value, in order: clients nest what a tool said in many ways."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for part in value.values() for text in texts_of(part)]
    if isinstance(value, Sequence):
        return [text for part in value for text in texts_of(part)]
    return []
