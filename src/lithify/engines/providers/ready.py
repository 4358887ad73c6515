"""What of the model strings can be used on this machine, and what is missing for the rest."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from lithify.engines.providers import keys, local
from lithify.engines.providers.command import FORMS
from lithify.engines.providers.model_string import COMPATIBLE, HOSTED

_LIBRARIES: Mapping[str, str] = {
    "anthropic": "anthropic",
    "openai": "openai",
    "google": "google.genai",
    "mistral": "mistralai",
    "groq": "groq",
    "bedrock": "boto3",
    "openai-compatible": "openai",
    "ollama": "openai",
}
_EXTRA = "pip install 'lithify[models]'"


@dataclass(frozen=True, slots=True)
class Standing:
    """One form of model string: whether it can be called here, and why or why not.

    Not `checked` where that hangs on a server or on credentials nobody has looked for.
    """

    form: str
    usable: bool
    note: str
    checked: bool = True


def standings() -> tuple[Standing, ...]:
    """Every form there is, without calling anyone."""
    found = [Standing("offline", True, "built in")]
    found += [_hosted(kind) for kind in (*HOSTED, *COMPATIBLE)]
    for command in FORMS:
        path = shutil.which(command)
        note = "the command is installed" if path else f"no command `{command}` here"
        found.append(Standing(f"cli:{command}", path is not None, note))
    for model in local.WEIGHTS:
        missing = local.missing(model)
        note = f"needs {missing}: {local.INSTALL}" if missing else "installed"
        found.append(Standing(f"local:{model}", not missing, note))
    return tuple(found)


def _hosted(kind: str) -> Standing:
    form = f"{kind}:<url>#<model>" if kind == "openai-compatible" else f"{kind}:<model>"
    if not (_is_there("pydantic_ai") and _is_there(_LIBRARIES[kind])):
        return Standing(form, False, f"not installed: {_EXTRA}")
    key = keys.find(kind)
    if key:
        return Standing(form, True, f"key from {key.where}")
    if kind == "bedrock":
        note = "no key: takes the AWS credentials of this machine, if it has any"
        return Standing(form, True, note, checked=False)
    if kind in keys.WITHOUT:
        return Standing(form, True, "needs no key, but a server that runs", checked=False)
    variable = keys.VARIABLES[kind][0]
    return Standing(form, False, f"no key: set {variable}, or `keyring set {keys.SERVICE} {kind}`")


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:
        return False
