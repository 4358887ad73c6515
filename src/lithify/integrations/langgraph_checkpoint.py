"""A checkpointer for LangGraph that logs a conversation: around any other, which keeps the checkpoints."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from copy import copy
from inspect import isfunction
from typing import Any, Self

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
)

from lithify.integrations.speaker import Speaker, joined
from lithify.memory import Memory


class LoggingCheckpointer(BaseCheckpointSaver[Any]):
    """A checkpointer around another: `LoggingCheckpointer(SqliteSaver(…), memory)`.

    With each checkpoint, what is new among the messages is logged: what the person asked and what the
    agent answered, each message once, however often a thread is resumed. After an answer of one of the
    `untrusted_tools` what the agent says has the origin `web`. `channel` is the key of the state that
    holds the messages.
    """

    def __new__(cls, saver: BaseCheckpointSaver[Any] | None = None, *_: Any, **__: Any) -> Self:
        """Make one that can do what the saver can, and nothing else: programs ask for that."""
        able = {
            name: _passed_on(name)
            for name, method in vars(BaseCheckpointSaver).items()
            if isfunction(method) and not name.startswith("_") and name not in vars(cls)
            if saver and getattr(type(saver), name) is not method
        }
        return super().__new__(type(cls.__name__, (cls,), able) if able else cls)

    def __init__(
        self,
        saver: BaseCheckpointSaver[Any],
        memory: Memory,
        *,
        origin: str = "agent",
        untrusted_tools: Collection[str] = (),
        channel: str = "messages",
    ) -> None:
        self.saver, self.memory, self.channel = saver, memory, channel
        self.untrusted_tools = frozenset(untrusted_tools)
        self._origin, self._speakers = origin, dict[str, Speaker]()
        super().__init__(serde=saver.serde)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint, then log what is new in it."""
        done = self.saver.put(config, checkpoint, metadata, new_versions)
        self._log(config, checkpoint, new_versions)
        return done

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Store a checkpoint, then log what is new in it."""
        done = await self.saver.aput(config, checkpoint, metadata, new_versions)
        await asyncio.to_thread(self._log, config, checkpoint, new_versions)
        return done

    @property
    def config_specs(self) -> list[Any]:
        """The options that the saver reads from a configuration."""
        return self.saver.config_specs

    def with_allowlist(
        self, extra_allowlist: Collection[tuple[str, ...]]
    ) -> BaseCheckpointSaver[Any]:
        """Return the same around a saver that may read these types."""
        clone = copy(self)
        clone.saver = self.saver.with_allowlist(extra_allowlist)
        clone.serde = clone.saver.serde
        return clone

    def _log(
        self, config: RunnableConfig, checkpoint: Checkpoint, new_versions: ChannelVersions
    ) -> None:
        messages = checkpoint["channel_values"].get(self.channel, ())
        if self.channel in new_versions and isinstance(messages, Iterable):
            thread = str(config["configurable"]["thread_id"])
            # What one conversation was shown does not taint another.
            made = Speaker(self.memory, origin=self._origin)
            speaker = self._speakers.setdefault(thread, made)
            for number, one in enumerate(messages):
                if isinstance(one, ToolMessage) and one.name in self.untrusted_tools:
                    speaker.shown("web")
                elif isinstance(one, HumanMessage | AIMessage):
                    text = one.content if isinstance(one.content, str) else joined(one.content)
                    by_person = isinstance(one, HumanMessage)
                    speaker.log_message(text, by_person, f"{thread}/{one.id or number}")


def _passed_on(name: str) -> Any:
    def call(self: LoggingCheckpointer, *args: Any, **named: Any) -> Any:
        return getattr(self.saver, name)(*args, **named)

    return call
