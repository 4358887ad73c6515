"""Model strings such as `anthropic:NAME`: the kinds there are, and how a string is taken apart."""

from __future__ import annotations

from dataclasses import dataclass

from lithify.errors import UsageError

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
        raise UsageError(reason=f"{text!r} is not a model{_meant(text)}; the forms are {_FORMS}")
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
