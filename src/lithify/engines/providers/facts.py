"""What is known of a model: how much it takes and gives, what it costs, what it can do."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from lithify.engines.base import CAUTIOUS, Room
from lithify.errors import UsageError
from lithify.settings import Settings
from lithify.values import Usage

#: Models reached over the network through the client library, in the order they are listed.
HOSTED = ("anthropic", "openai", "google", "mistral", "groq", "bedrock")
COMPATIBLE = ("openai-compatible", "ollama")
KINDS = (*HOSTED, *COMPATIBLE, "cli")

_FORMS = (
    "offline, anthropic:…, openai:…, google:…, mistral:…, groq:…, bedrock:…, "
    "openai-compatible:<url>#<model>, ollama:<model>, cli:claude|codex|gemini|copilot"
)

#: How the names of well-known models begin, for a hint.
_FAMILIES = (
    ("anthropic", "claude-"),
    ("openai", "gpt-"),
    ("google", "gemini-"),
    ("mistral", "mistral-"),
)


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model string taken apart."""

    kind: str
    model: str
    url: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.url}#{self.model}" if self.url else f"{self.kind}:{self.model}"


def parse(text: str) -> ModelName:
    """Return a model string taken apart, or refused with the forms there are."""
    kind, colon, rest = text.partition(":")
    if kind not in KINDS or not colon or not rest.strip() or rest != rest.strip():
        raise UsageError(reason=f"{text!r} is not a model{_meant(text)}; the forms are {_FORMS}")
    if kind != "openai-compatible":
        return ModelName(kind, rest)
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
    return ModelName(kind, model, url.rstrip("/"))


def _meant(text: str) -> str:
    """Return what somebody may have had in mind who left out whose model it is."""
    for kind, start in _FAMILIES:
        if text.lower().startswith(start):
            return f", perhaps {kind}:{text}"
    return ", perhaps offline" if text.lower().startswith("off") else ""


@dataclass(frozen=True, slots=True)
class Price:
    """USD for a million tokens in, out, and in again from the provider's cache."""

    input: float
    output: float
    cached: float

    def of(self, usage: Usage) -> float:
        """Return what a use costs."""
        cached = min(usage.input, usage.cached)
        fresh = usage.input - cached
        millionths = fresh * self.input + cached * self.cached + usage.output * self.output
        return millionths / 1_000_000


FREE = Price(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Facts:
    """A model's capabilities. `warning` says what had to be guessed."""

    window: int = CAUTIOUS.window
    output: int = CAUTIOUS.output
    price: Price | None = None
    warning: str = ""

    @property
    def room(self) -> Room:
        return Room(self.window, self.output)


def facts_of(model: str, settings: Settings) -> Facts:
    """Return what is known of a model; a person's word in the settings over every list.

    A name that is not a model string is that of a model made elsewhere: nothing is known of it.
    """
    known = Facts(price=FREE if model == "offline" else None)
    if model.partition(":")[0] in KINDS:
        known = _listed(parse(model))
    told = settings.models.get(model)
    if told is None:
        return known
    window = told.window or known.window
    price = Price(told.price[0], told.price[1], told.price[0]) if told.price else known.price
    return Facts(
        window,
        min(told.output, window // 2) if told.output else known.output,
        price,
        "" if told.window and price else known.warning,
    )


@lru_cache(maxsize=64)
def _listed(name: ModelName) -> Facts:
    if name.kind == "ollama":
        return Facts(price=FREE)
    if name.kind == "cli":
        # What it costs is between the person and the subscription the command is logged into.
        return Facts(window=100_000, price=FREE)
    if name.kind in HOSTED and (found := _from_list(name)):
        return Facts(window=found[0], price=found[1])
    warning = (
        f"the window ({CAUTIOUS.window:,} tokens is assumed) and the price are not known of {name}; "
        f'tell them in lithify.toml under [models."{name}"]'
    )
    return Facts(warning=warning)


def _from_list(name: ModelName) -> tuple[int, Price] | None:
    """Return a hosted model's window and price from the list that ships with the `models` extra."""
    try:
        from genai_prices import Usage as Sold
        from genai_prices import calc_price
    except ImportError:
        return None
    # The price list calls them as we do, but for one.
    seller = "aws" if name.kind == "bedrock" else name.kind

    def million(*kinds: str) -> float:
        # A thousand tokens at a time: dearer tiers begin far above what one call sends.
        sold = Sold(**dict.fromkeys(kinds, 1000))
        return float(calc_price(sold, name.model, provider_id=seller).total_price) * 1000

    try:
        price = Price(
            million("input_tokens"),
            million("output_tokens"),
            million("input_tokens", "cache_read_tokens"),
        )
        found = calc_price(Sold(input_tokens=1), name.model, provider_id=seller)
    except (LookupError, ValueError, TypeError):
        return None
    return found.model.context_window or CAUTIOUS.window, price


# Keys: found in the environment or the keyring, never written, never shown.


#: The environment variables that may hold a provider's key, the first that is set counts.
VARIABLES: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "mistral": ("MISTRAL_API_KEY",),
    "groq": ("GROQ_API_KEY",),
    "bedrock": ("AWS_BEARER_TOKEN_BEDROCK",),
    # Not OPENAI_API_KEY: a root's settings name the server, and may not send that key to it.
    "openai-compatible": ("OPENAI_COMPATIBLE_API_KEY",),
    "ollama": ("OLLAMA_API_KEY",),
}
#: Providers that may be called without a key of ours: servers of one's own, or AWS profiles.
WITHOUT = frozenset({"openai-compatible", "ollama", "bedrock", "cli"})
SERVICE = "lithify"
HIDDEN = "[key]"


class Key:
    """A secret that shows only where it was found."""

    __slots__ = ("_value", "where")

    def __init__(self, value: str, where: str) -> None:
        self._value = value
        self.where = where

    def __repr__(self) -> str:
        return f"<key from {self.where}>"

    def reveal(self) -> str:
        """Return the secret itself, for the one call that needs it."""
        return self._value


def find(kind: str) -> Key | None:
    """Return a provider's key, if there is one."""
    for variable in VARIABLES.get(kind, ()):
        value = os.environ.get(variable, "").strip()
        if value:
            return Key(value, variable)
    try:
        import keyring

        value = (keyring.get_password(SERVICE, kind) or "").strip()
    except Exception:  # A locked or missing keyring is no keyring.
        return None
    return Key(value, "the keyring") if value else None


def need(kind: str) -> Key | None:
    """Return a provider's key, or what to do to have one."""
    key = find(kind)
    if key is None and kind not in WITHOUT:
        variable = VARIABLES[kind][0]
        raise UsageError(
            reason=f"there is no key for {kind}: set {variable}, or store it with "
            f"`keyring set {SERVICE} {kind}`"
        )
    return key


def hide(text: str, *keys: Key | None) -> str:
    """Return a text with every key of ours, and whatever else looks like one, replaced."""
    # Loaded late: a run that calls no model asks for facts, too.
    from lithify.secrets.redact import redact

    known = {
        os.environ.get(variable, "").strip()
        for variables in VARIABLES.values()
        for variable in (*variables, "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
    }
    known |= {key.reveal() for key in keys if key}
    for secret in sorted(known, key=len, reverse=True):
        if len(secret) >= 4:
            text = text.replace(secret, HIDDEN)
    return redact(text)
