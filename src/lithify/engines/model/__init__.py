"""Any language model as an engine: prompts out, replies in, nothing believed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lithify.engines.base import CAUTIOUS, Completion, MemoryModel, Room, Step, directly
from lithify.engines.model.prompt import (
    Prompt,
    Template,
    as_logged,
    prompt_for,
    repair_prompt,
    shipped,
    stage_of,
)
from lithify.engines.model.reply import (
    SCHEMAS,
    Structured,
    read_decisions,
    read_memories,
    read_reply,
    unquoted,
    unwrapped,
    without_memories,
)
from lithify.engines.replies import NoReplies, Replies, reply_key
from lithify.errors import LithifyError, ModelError
from lithify.values import MEMORIES, Brief, Draft, SentBack

TEMPERATURE: Mapping[str, float] = {"wisdom": 0.3}
CUT = frozenset({"length", "max_tokens", "max_output_tokens"})


@dataclass(frozen=True, slots=True)
class ModelEngine:
    """A `MemoryModel` behind our prompts, its replies saved before they are read."""

    model: MemoryModel
    prompts: Mapping[str, Template] = field(default_factory=shipped)
    replies: Replies = field(default_factory=NoReplies)
    room: Room = CAUTIOUS
    extractive: bool = False
    step: Step = directly

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def mark(self) -> str:
        # The prompts of models that only choose or read are none of this engine's.
        own = sorted(self.prompts.keys() - {"choose", "reader"})
        marks = "".join(self.prompts[stage].mark for stage in own)
        return f"{self.model.name}:{hashlib.sha256(marks.encode()).hexdigest()[:12]}"

    def prompt(self, brief: Brief) -> Prompt:
        """Exactly what the first call for this brief sends."""
        return prompt_for(brief, self.prompts[stage_of(brief)])

    def draft(self, brief: Brief, back: SentBack | None = None, attempt: int = 0) -> Draft:
        """Ask once; with what was sent back, ask for that alone and return what it became."""
        prompt = self.prompt(brief)
        if back is not None:
            prompt = repair_prompt(brief, prompt, self.prompts["repair"], back)
        schema = SCHEMAS.get(stage_of(brief))
        reply = self.ask(prompt, TEMPERATURE.get(brief.tier, 0.2), attempt, schema)
        return self._read(brief, reply, back)

    def ask(
        self,
        prompt: Prompt,
        temperature: float,
        attempt: int,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """The reply to a prompt: the one on disk, or a new one that is saved before it is read."""
        limit = self.room.output
        key = reply_key(self.name, temperature, limit, prompt.system, prompt.user, attempt)
        saved = self.replies.get(key)
        if saved is not None:
            return saved
        return self.step("call", lambda: self._buy(key, prompt, temperature, schema))

    def _buy(
        self, key: str, prompt: Prompt, temperature: float, schema: Mapping[str, Any] | None
    ) -> Completion:
        limit = self.room.output
        try:
            if schema is not None and isinstance(self.model, Structured):
                reply = self.model.structured(
                    prompt.user,
                    system=prompt.system,
                    schema=schema,
                    temperature=temperature,
                    max_tokens=limit,
                )
                reply = unwrapped(reply)
            else:
                reply = self.model.complete(
                    prompt.user, system=prompt.system, temperature=temperature, max_tokens=limit
                )
        except LithifyError:
            raise
        except Exception as error:
            # Whatever a model's client raises, one period fails and the others go on.
            reason = " ".join(str(error).split())[:300] or type(error).__name__
            raise ModelError(model=self.name, reason=reason) from error
        if not isinstance(reply.text, str):
            raise ModelError(model=self.name, reason="it returned no text")
        # As it will be read from disk: a reply must not mean one thing now and another later.
        reply = replace(reply, text=reply.text.encode("utf-8", "replace").decode())
        return self.replies.put(key, reply, prompt.user)

    def _read(self, brief: Brief, reply: Completion, back: SentBack | None) -> Draft:
        labels = brief.labels
        reply = replace(reply, text=as_logged(reply.text))
        draft = Draft(usage=reply.usage, text=reply.text, cut=reply.stop_reason in CUT)
        if brief.tier == "wisdom":
            decisions, slips = read_decisions(reply.text, brief)
            return draft._replace(decisions=decisions, slips=slips)
        if brief.with_memories:
            both = self._read_both(brief, reply.text, back)
            return draft._replace(claims=both.claims, memories=both.memories, slips=both.slips)
        if brief.tier == "typed":
            memories, slips = read_memories(reply.text, labels)
            memories, refused = unquoted(memories, brief)
            return draft._replace(memories=memories, slips=(*slips, *refused))
        claims, slips = read_reply(reply.text, brief.sections, labels, back)
        return draft._replace(claims=claims, slips=slips)

    def _read_both(self, brief: Brief, text: str, back: SentBack | None) -> Draft:
        """Return the bullets and the memories of a reply, of what came back those it concerns.

        The drafts of a week and of its memories are the same, so that one send-back serves both.
        """
        back = back if back and (back.about_page or back.about_memories) else None
        draft = Draft()
        if back is None or back.about_page:
            page = without_memories(text)
            claims, slips = read_reply(page, brief.sections, brief.labels, back)
            draft = draft._replace(claims=claims, slips=slips)
        if back is None or back.about_memories:
            memories, slips = read_memories(text, brief.labels)
            if back and not memories and back.about_page:
                # Bullets alone give the memories up.
                slips = ()
            memories, refused = unquoted(memories, brief)
            own = (one._replace(rule=MEMORIES) for one in (*slips, *refused))
            draft = draft._replace(memories=memories, slips=(*draft.slips, *own))
        return draft


# The agent at work as an engine: it is asked with a work order, and its reply is handed in later.


class ReplyNeeded(LithifyError):
    """A page cannot be written before the agent has answered this prompt.

    `back` is what goes back to it, if this asks for a reply to be mended.
    """

    def __init__(self, key: str, prompt: Prompt) -> None:
        super().__init__()
        self.key, self.prompt = key, prompt
        self.back: SentBack | None = None


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

    def draft(self, brief: Brief, back: SentBack | None = None, attempt: int = 0) -> Draft:
        try:
            return ModelEngine.draft(self, brief, back, attempt)
        except ReplyNeeded as needed:
            needed.back = back
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
