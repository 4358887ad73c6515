"""Which model strings can be used on this machine, and two calls that show what one is good for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from lithify.engines.base import Engine, MemoryModel
from lithify.engines.providers import facts
from lithify.engines.providers.command import FORMS, home
from lithify.engines.providers.facts import COMPATIBLE, HOSTED
from lithify.errors import install_command
from lithify.sections import WEEK
from lithify.values import Brief, Entry, Usage

#: The client library of a provider, where it is not called as the provider is.
_LIBRARIES: Mapping[str, str] = {
    "google": "google.genai",
    "mistral": "mistralai",
    "bedrock": "boto3",
    "openai-compatible": "openai",
    "ollama": "openai",
}


class _Login(NamedTuple):
    """Where an agent command finds its credentials, in the order of their weight.

    The files are in the command's folder (the variable that names it, and its usual place).
    """

    folder: tuple[str, str]
    #: Variables that lead to credentials or servers which cannot be looked at from here.
    elsewhere: tuple[str, ...]
    #: Variables that hold a credential.
    variables: tuple[str, ...]
    #: A file that holds a credential, and a word that is in it then.
    file: tuple[str, str]
    #: Files with a word that is there after a login whose credential may be in a keychain.
    signs: tuple[tuple[str, str], ...]


_LOGINS: Mapping[str, _Login] = {
    "claude": _Login(
        ("CLAUDE_CONFIG_DIR", ".claude"),
        ("CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"),
        ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"),
        (".credentials.json", "claudeAiOauth"),
        (("~/.claude.json", "oauthAccount"), (".claude.json", "oauthAccount")),
    ),
    "codex": _Login(
        ("CODEX_HOME", ".codex"),
        (),
        ("CODEX_API_KEY",),
        ("auth.json", "{"),
        (("config.toml", "model_provider"), ("config.toml", "cli_auth_credentials_store")),
    ),
    "gemini": _Login(
        ("GEMINI_CLI_HOME", ""),
        ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GEMINI_BASE_URL"),
        ("GEMINI_API_KEY",),
        (".gemini/oauth_creds.json", "{"),
        (
            (".gemini/settings.json", "selectedType"),
            (".gemini/.env", "GEMINI_API_KEY"),
            (".env", "GEMINI_API_KEY"),
        ),
    ),
    "copilot": _Login(
        ("COPILOT_HOME", ".copilot"),
        ("COPILOT_PROVIDER_BASE_URL",),
        ("COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"),
        ("config.json", "copilotTokens"),
        (("config.json", "loggedInUsers"), ("~/.config/gh/hosts.yml", "github.com")),
    ),
}


@dataclass(frozen=True, slots=True)
class Availability:
    """One form of model string: whether it can be called here, and why or why not.

    Not `checked` where that hangs on a server or on credentials nobody has looked for.
    """

    form: str
    usable: bool
    note: str
    checked: bool = True


def standings() -> tuple[Availability, ...]:
    """Return every form there is, without calling anyone."""
    found = [Availability("offline", True, "built in")]
    found += [_hosted(kind) for kind in (*HOSTED, *COMPATIBLE)]
    found += [_command(command) for command in FORMS]
    return tuple(found)


def _hosted(kind: str) -> Availability:
    form = f"{kind}:<url>#<model>" if kind == "openai-compatible" else f"{kind}:<model>"
    if not (_is_there("pydantic_ai") and _is_there(_LIBRARIES.get(kind, kind))):
        return Availability(form, False, f"not installed: {install_command('models')}")
    key = facts.find(kind)
    if key:
        return Availability(form, True, f"key from {key.where}")
    if kind == "bedrock":
        note = "no key: takes the AWS credentials of this machine, if it has any"
        return Availability(form, True, note, checked=False)
    if kind in facts.WITHOUT:
        return Availability(form, True, "needs no key, but a server that runs", checked=False)
    variable = facts.VARIABLES[kind][0]
    return Availability(
        form, False, f"no key: set {variable}, or `keyring set {facts.SERVICE} {kind}`"
    )


def _command(command: str) -> Availability:
    """Return whether an agent command is installed and logged in, as far as its files tell."""
    form, login = f"cli:{command}", _LOGINS[command]
    if shutil.which(command) is None:
        return Availability(form, False, f"no command `{command}` here")
    try_it = f"lithify models test {form} tries it"
    for variable in login.elsewhere:
        if os.environ.get(variable):
            return Availability(form, True, f"{variable} is set; {try_it}", checked=False)
    for variable in login.variables:
        if os.environ.get(variable):
            return Availability(form, True, f"key from {variable}")
    folder = home(*login.folder)
    if _says(folder / login.file[0], login.file[1]):
        return Availability(form, True, f"logged in by {login.file[0]}")
    if any(_says(folder / os.path.expanduser(name), word) for name, word in login.signs):
        return Availability(
            form, True, f"its login cannot be seen from here; {try_it}", checked=False
        )
    note = f"not logged in: start `{command}` once and log in, or set {login.variables[0]}"
    return Availability(form, False, note)


def _says(path: Path, word: str) -> bool:
    try:
        return word in path.read_text("utf-8", "replace")
    except OSError:
        return False


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False


# Two calls that show what a model is good for here: a plain reply, and a week in small.


WORD = "granite"
_DAY = date(2026, 4, 2)
_LINES = (
    "Shipped release 2.4.1 of the login page; Priya signed it off.",
    "Decided to keep the nightly export, because the live one times out.",
    "Blocked: the staging certificate has expired and Tomasz has to renew it.",
    "The importer handles 2,900 rows a minute on the test machine.",
)


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """One thing that was tried, and how it went; not all of it has to work."""

    what: str
    works: bool
    note: str
    needed: bool = True


def sample() -> Brief:
    """Return a day's lines as a week's writer is shown them."""
    entries = tuple(
        Entry(f"2026-04-02~{n:012x}", line, path="memory/2026-04-02.md", line=n, day=_DAY)
        for n, line in enumerate(_LINES, 1)
    )
    return Brief("week", "2026-W14", sections=WEEK, entries=entries, size=80, target=60)


def plain(model: MemoryModel) -> tuple[ModelTrial, ...]:
    """Return the first call: whether it answers, follows an instruction, and counts."""
    reply = model.complete(
        f"Reply with the word {WORD} and nothing else.",
        system="You answer in one word.",
        temperature=0.2,
        max_tokens=64,
    )
    said = " ".join(reply.text.split())[:60]
    counted = reply.usage != Usage()
    return (
        ModelTrial("answers", bool(said), f'it said "{said}"'),
        ModelTrial("follows an instruction", WORD in reply.text.lower(), f"asked for {WORD}"),
        ModelTrial(
            "counts tokens",
            counted,
            f"{reply.usage.input} in, {reply.usage.output} out" if counted else "estimated instead",
            needed=False,
        ),
    )


def drafted(engine: Engine) -> ModelTrial:
    """Return the second call: a summary in our format, its bullets naming their sources."""
    draft = engine.draft(sample())
    traced = sum(bool(claim.sources) for claim in draft.claims)
    note = f"{len(draft.claims)} bullets, {traced} with their sources"
    return ModelTrial("summarises", bool(traced), note)
