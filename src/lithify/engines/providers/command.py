"""Agent commands a person is logged into, asked as plain models: a prompt in, a reply out.

No shell is involved, the prompt travels on standard input, and the command runs in an empty
folder with its tools, hooks and settings switched off as far as it allows: what a day says
must not make it do anything.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lithify.engines.base import Completion
from lithify.engines.providers import keys
from lithify.engines.providers.model_string import Name
from lithify.errors import ModelError, NotInstalled, UsageError
from lithify.text.tokens import estimate
from lithify.values import Usage

TIMEOUT = 600.0


@dataclass(frozen=True, slots=True)
class Form:
    """How one command is called, and how its answer is read."""

    arguments: tuple[str, ...]
    read: Callable[[str], tuple[str, Usage | None]]


def _plain(output: str) -> tuple[str, Usage | None]:
    return output.strip(), None


def _claude(output: str) -> tuple[str, Usage | None]:
    data = _document(output)
    if data.get("is_error") or not isinstance(data.get("result"), str):
        raise ValueError(str(data.get("result") or data.get("subtype") or "an error"))
    used = data.get("usage") or {}
    cached = _number(used, "cache_read_input_tokens")
    given = _number(used, "input_tokens") + cached + _number(used, "cache_creation_input_tokens")
    return data["result"], Usage(given, _number(used, "output_tokens"), cached) if given else None


def _gemini(output: str) -> tuple[str, Usage | None]:
    data = _document(output)
    if data.get("error") or not isinstance(data.get("response"), str):
        raise ValueError(str(data.get("error") or "an error"))
    usage = Usage()
    for model in ((data.get("stats") or {}).get("models") or {}).values():
        tokens = model.get("tokens") or {}
        usage += Usage(
            _number(tokens, "prompt"), _number(tokens, "candidates"), _number(tokens, "cached")
        )
    return data["response"], usage if usage.input else None


def _document(output: str) -> dict[str, Any]:
    """The JSON object a command printed, after whatever it printed before it."""
    data = json.loads(output[output.index("{") :])
    if not isinstance(data, dict):
        raise ValueError("no JSON object")
    return data


def _number(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    return value if isinstance(value, int) else 0


FORMS: Mapping[str, Form] = {
    "claude": Form(
        (
            *("-p", "--output-format", "json", "--tools", "", "--strict-mcp-config"),
            *("--setting-sources", "", "--no-session-persistence"),
        ),
        _claude,
    ),
    "codex": Form(
        ("exec", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral", "-"), _plain
    ),
    "gemini": Form(("--output-format", "json"), _gemini),
    "copilot": Form(
        ("--silent", "--no-color", "--deny-tool", "shell", "--deny-tool", "write"), _plain
    ),
}


@dataclass(frozen=True, slots=True)
class Command:
    """An agent command as a model. It decides on temperature and length by itself."""

    name: str
    command: str
    timeout: float = TIMEOUT

    @staticmethod
    def of(name: Name) -> Command:
        if name.model not in FORMS:
            known = ", ".join(FORMS)
            raise UsageError(reason=f"there is no cli:{name.model}; the commands are {known}")
        return Command(str(name), name.model)

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        form = FORMS[self.command]
        program = shutil.which(self.command)
        if program is None:
            raise NotInstalled(
                model=self.name,
                what=f"the command `{self.command}`",
                command=f"{self.command} once, after installing it, to log in",
            )
        asked = f"{system}\n\n{prompt}" if system else prompt
        text, said, code = self._run([program, *form.arguments], asked)
        if code:
            raise self._fault(f"it ended with code {code}: {said or text}")
        try:
            reply, usage = form.read(text)
        except ValueError as error:
            raise self._fault(f"its answer could not be read: {error}") from None
        return Completion(reply, usage or Usage(estimate(asked), estimate(reply)))

    def _run(self, argv: list[str], asked: str) -> tuple[str, str, int]:
        with tempfile.TemporaryDirectory(prefix="lithify-") as empty:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=empty,
                # A group of its own, so that what it started ends with it.
                start_new_session=True,
            )
            try:
                out, err = process.communicate(
                    asked.encode("utf-8", "replace"), timeout=self.timeout
                )
            except subprocess.TimeoutExpired:
                raise self._fault(f"no answer within {self.timeout:.0f} seconds") from None
            finally:
                if process.poll() is None:
                    _end(process)
            return (
                out.decode("utf-8", "replace"),
                err.decode("utf-8", "replace"),
                process.returncode,
            )

    def _fault(self, reason: str) -> ModelError:
        return ModelError(model=self.name, reason=keys.hide(" ".join(reason.split()))[:400])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command that was waited for in vain, with all it started."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except ProcessLookupError:
        pass
    process.communicate()
