"""Replies that reached disk: saved before they are read, never bought twice."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from lithify.capture import redacted
from lithify.engines.base import Completion
from lithify.limits import MODEL_REPLY
from lithify.secrets.redact import findings
from lithify.settings import Redact
from lithify.store.commit import save_new
from lithify.values import Usage


class Replies(Protocol):
    """Where replies are kept, by key. `put` returns the reply as it will be read again.

    `shown` is what its writer was shown.
    """

    def get(self, key: str) -> Completion | None: ...

    def put(self, key: str, reply: Completion, shown: str = "") -> Completion: ...


def reply_key(
    model: str, temperature: float, max_tokens: int, system: str, prompt: str, attempt: int
) -> str:
    """Return the address of a reply: everything that could have made it another one."""
    text = json.dumps([model, temperature, max_tokens, system, prompt, attempt])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


@dataclass(frozen=True, slots=True)
class SavedReplies:
    """Replies under a root's `.lithify/replies/`; `model` is noted with those it gave.

    Credentials in a reply are replaced before it is saved: a writer may repeat one that it knows.
    A commit that the prompt names is no password because the reply names it after the word.
    """

    root: Path
    model: str = ""
    redact: Redact = Redact()
    #: Those of another root, which are used and added to as well.
    other: SavedReplies | None = None

    def get(self, key: str) -> Completion | None:
        saved = self._read(key)
        if saved is None and self.other and (saved := self.other.get(key)):
            self._save(key, saved, saved.text)
        return saved

    def put(self, key: str, reply: Completion, shown: str = "") -> Completion:
        reply = self._save(key, reply, shown)
        if self.other:
            self.other.put(key, reply, shown)
        return reply

    def _read(self, key: str) -> Completion | None:
        try:
            data = json.loads((self.root / ".lithify" / "replies" / f"{key}.json").read_bytes())
            usage = Usage.noted(data["usage"])
            return Completion(str(data["text"]), usage, str(data["stop_reason"]))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _save(self, key: str, reply: Completion, shown: str) -> Completion:
        # A reply longer than is read is refused all the same: one character more says so.
        text = reply.text[: MODEL_REPLY + 1]
        # What stands in the prompt was read for credentials in its own place, and is none.
        said = {text[one.start : one.end] for one in findings(text)} if shown else ()
        allow = (*self.redact.allow, *sorted(value for value in said if value in shown))
        reply = replace(reply, text=_redacted(text, self.redact._replace(allow=allow)))
        data = {
            "text": reply.text,
            "model": self.model,
            "usage": reply.usage.facts,
            "stop_reason": reply.stop_reason,
        }
        raw = json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")
        save_new(self.root, f".lithify/replies/{key}.json", raw)
        return reply


def _redacted(text: str, policy: Redact) -> str:
    """A reply without credentials; where it holds JSON, each string of it is judged by itself.

    A mark in place of a quote or a bracket would leave JSON that cannot be read.
    """
    begin = next((at for at, char in enumerate(text) if char in "[{"), len(text))
    try:
        data, end = json.JSONDecoder(strict=False).raw_decode(text, begin)
    except (ValueError, RecursionError):
        return redacted(text, policy)
    clean = _strings_redacted(data, policy, "")
    held = text[begin:end] if clean == data else json.dumps(clean, ensure_ascii=False)
    return redacted(text[:begin], policy) + held + redacted(text[end:], policy)


def _strings_redacted(value: Any, policy: Redact, name: str) -> Any:
    if isinstance(value, dict):
        return {
            redacted(key, policy): _strings_redacted(inner, policy, key)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_strings_redacted(inner, policy, name) for inner in value]
    if not isinstance(value, str):
        return value
    # The name of a field tells what its value is, as a lead-in does.
    beside = f'"{name}": '
    said = redacted(f"{beside}{value}", policy)
    return said[len(beside) :] if said.startswith(beside) else redacted(value, policy)


@dataclass(frozen=True, slots=True)
class NoReplies:
    """Keeps nothing: for looking at a draft without a root."""

    def get(self, key: str) -> Completion | None:
        return None

    def put(self, key: str, reply: Completion, shown: str = "") -> Completion:
        return reply
