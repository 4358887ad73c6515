"""Model strings to models: whom to ask, how to reach them, and what they can do.

Nothing of a client library is imported, no key is looked up and no file is opened before the
first call: a plan for a model can be made on a machine that cannot reach it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lithify.engines.base import MemoryModel
from lithify.errors import UsageError
from lithify.settings import Settings

#: Models reached over the network through the client library, in the order they are listed.
HOSTED = ("anthropic", "openai", "google", "mistral", "groq", "bedrock")
COMPATIBLE = ("openai-compatible", "ollama")
KINDS = (*HOSTED, *COMPATIBLE, "cli", "local")

_FORMS = (
    "offline, anthropic:…, openai:…, google:…, mistral:…, groq:…, bedrock:…, "
    "openai-compatible:<url>#<model>, ollama:<model>, cli:claude|codex|gemini|copilot, "
    "local:smollm2"
)

#: How the names of well-known models begin, for a hint.
_FAMILIES = (
    ("anthropic", "claude-"),
    ("openai", "gpt-"),
    ("google", "gemini-"),
    ("mistral", "mistral-"),
    ("local", "smollm2"),
)


@dataclass(frozen=True, slots=True)
class Name:
    """A model string taken apart."""

    kind: str
    model: str
    url: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.url}#{self.model}" if self.url else f"{self.kind}:{self.model}"


def parse(text: str) -> Name:
    """A model string taken apart, or refused with the forms there are."""
    kind, colon, rest = text.partition(":")
    if kind not in KINDS or not colon or not rest.strip() or rest != rest.strip():
        raise UsageError(reason=f"{text!r} is no model{_meant(text)}; the forms are {_FORMS}")
    if kind != "openai-compatible":
        return Name(kind, rest)
    url, _, model = rest.partition("#")
    if not url.startswith(("http://", "https://")) or not model:
        raise UsageError(
            reason=f"{text!r} must be like openai-compatible:http://127.0.0.1:8080/v1#some-model"
        )
    if "@" in url.partition("://")[2].partition("/")[0]:
        raise UsageError(
            reason="a model string is written into files and may hold no password; put the key "
            "into OPENAI_COMPATIBLE_API_KEY"
        )
    return Name(kind, model, url.rstrip("/"))


def _meant(text: str) -> str:
    """What somebody may have had in mind who left out whose model it is."""
    for kind, start in _FAMILIES:
        if text.lower().startswith(start):
            return f", perhaps {kind}:{text}"
    return ", perhaps offline" if text.lower().startswith("off") else ""


def resolve(model: str, settings: Settings) -> MemoryModel:
    """The model that a string stands for; what is missing to call it is said at the first call."""
    name = parse(model)
    if name.kind == "cli":
        from lithify.engines.providers.command import Command

        return Command.of(name)
    if name.kind == "local":
        from lithify.engines.providers.local import Local

        return Local.of(name)
    from lithify.engines.providers.hosted import Hosted

    return Hosted(name)
