"""The form of replies that carry data, for models that can be held to a JSON schema.

What a schema lets through is read and verified like any other reply.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from lithify.engines.base import Completion


@runtime_checkable
class Structured(Protocol):
    """A model that can be held to a JSON schema."""

    def structured(
        self,
        prompt: str,
        *,
        system: str,
        schema: Mapping[str, Any],
        temperature: float,
        max_tokens: int,
    ) -> Completion: ...


_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}


def _listed(name: str, fields: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """An object that holds one list of objects with these fields; no provider takes a bare list."""
    item = {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": item}},
        "required": [name],
        "additionalProperties": False,
    }


_DECISION: Mapping[str, Mapping[str, Any]] = {
    "items": _TEXTS,
    "entry": _TEXT,
    "decision": {"type": "string", "enum": ["MERGE", "ADD", "DROP"]},
    "reason": _TEXT,
    "targets": _TEXTS,
    **dict.fromkeys(("replaces", "title", "text", "category"), _TEXT),
}

_FINDING: Mapping[str, Mapping[str, Any]] = {
    "claim": {"type": "integer"},
    "verdict": {"type": "string", "enum": ["supported", "contradicted", "not stated"]},
    "reason": _TEXT,
}

#: By stage; summaries are plain text everywhere.
SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "typed": _listed("memories", {"filename": _TEXT, "content": _TEXT}),
    "wisdom": _listed("decisions", _DECISION),
    "audit": _listed("verdicts", _FINDING),
}


def unwrapped(reply: Completion) -> Completion:
    """The list inside the object that a schema asks for; any other reply as it is."""
    try:
        found = json.loads(reply.text)
    except (ValueError, RecursionError):
        return reply
    if isinstance(found, dict) and len(found) == 1:
        (inner,) = found.values()
        if isinstance(inner, list):
            return replace(reply, text=json.dumps(inner, ensure_ascii=False))
    return reply
