"""The agent at work as an engine: it is asked with a work order, and its reply is handed in later.

The engine reads only replies that are saved. Where one is missing, it raises `ReplyNeeded` with the
prompt, and the compaction stops there: that prompt is the next work order. When the reply is saved,
the same compaction runs again and gets one reply further.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lithify.engines.base import Completion
from lithify.engines.model import ModelEngine
from lithify.engines.model.prompt import Prompt
from lithify.engines.replies import reply_key
from lithify.errors import ModelError
from lithify.values import Brief, Draft, Violation


class ReplyNeeded(Exception):
    """A page cannot be written before the agent has answered this prompt.

    `violations` are what was wrong with its reply before, if this asks for a better one.
    """

    def __init__(self, key: str, prompt: Prompt) -> None:
        super().__init__(key)
        self.key, self.prompt = key, prompt
        self.violations: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class Absent:
    """The model of an agent's engine: nobody who could be asked while a command runs."""

    name: str = "agent"

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        raise ModelError(model=self.name, reason="an agent is asked by `lithify write next`")


@dataclass(frozen=True, slots=True)
class AgentEngine(ModelEngine):
    """An agent behind our prompts; `client` is the program it runs in."""

    client: str = "unknown"

    @property
    def name(self) -> str:
        return f"agent:{self.client}"

    def draft(
        self,
        brief: Brief,
        previous: Draft | None = None,
        violations: Sequence[Violation] = (),
        attempt: int = 0,
    ) -> Draft:
        try:
            return ModelEngine.draft(self, brief, previous, violations, attempt)
        except ReplyNeeded as needed:
            needed.violations = tuple(violations)
            raise

    def ask(
        self,
        prompt: Prompt,
        temperature: float,
        attempt: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """The reply that was handed in for a prompt."""
        # The client is not part of the key: an order may be answered by an agent in another one.
        key = reply_key(self.model.name, 0, 0, prompt.system, prompt.user, attempt)
        saved = self.replies.get(key)
        if saved is None:
            raise ReplyNeeded(key, prompt)
        return saved
