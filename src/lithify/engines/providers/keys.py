"""Keys: found in the environment or the keyring, never written, never shown."""

from __future__ import annotations

import os
from collections.abc import Mapping

from lithify.errors import UsageError
from lithify.text.redact import redact

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
WITHOUT = frozenset({"openai-compatible", "ollama", "bedrock", "cli", "local"})
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
        """The secret itself, for the one call that needs it."""
        return self._value


def find(kind: str) -> Key | None:
    """A provider's key, if there is one."""
    for variable in VARIABLES.get(kind, ()):
        value = os.environ.get(variable, "").strip()
        if value:
            return Key(value, variable)
    value = _from_keyring(kind)
    return Key(value, "the keyring") if value else None


def need(kind: str) -> Key | None:
    """A provider's key, or what to do to have one."""
    key = find(kind)
    if key is None and kind not in WITHOUT:
        variable = VARIABLES[kind][0]
        raise UsageError(
            reason=f"there is no key for {kind}: set {variable}, or store it with "
            f"`keyring set {SERVICE} {kind}`"
        )
    return key


def _from_keyring(kind: str) -> str:
    try:
        import keyring
    except ImportError:
        return ""
    try:
        return (keyring.get_password(SERVICE, kind) or "").strip()
    except Exception:  # A locked or missing keyring is no keyring.
        return ""


def hide(text: str, *keys: Key | None) -> str:
    """A text with every key of ours, and whatever else looks like one, replaced."""
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
