"""Agent commands a person is logged into, asked as plain models: a prompt in, a reply out.

No shell is involved, the prompt travels on standard input, and the command runs in a folder of
its own with its tools, hooks and servers switched off as far as it allows: what a day says must
not make it do anything. Our own hooks keep silent in it (`lithify.hooks.nested`).
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lithify.engines.base import Completion
from lithify.engines.providers import facts
from lithify.engines.providers.facts import ModelName
from lithify.errors import ModelError, NotInstalled, UsageError
from lithify.text.tokens import estimate
from lithify.values import Usage

TIMEOUT = 600.0


@dataclass(frozen=True, slots=True)
class Form:
    """How one command is called, how its answer is read, and what it leaves behind."""

    #: Its arguments, from a fresh session id.
    arguments: Callable[[str], tuple[str, ...]]
    read: Callable[[str], tuple[str, Usage | None]]
    environment: Mapping[str, str] = field(default_factory=dict)
    #: The settings that it reads from the folder it runs in: a path, and what is in the file.
    settings: tuple[str, str] | None = None
    #: What a call has left in the command's own folders, from the folder it ran in and the session.
    remains: Callable[[str, str], Iterator[Path]] = lambda folder, session: iter(())


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
    """Return the JSON object a command printed, after whatever it printed before it."""
    data = json.loads(output[output.index("{") :])
    if not isinstance(data, dict):
        raise ValueError("no JSON object")
    return data


def _number(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    return value if isinstance(value, int) else 0


def home(variable: str, name: str) -> Path:
    """Return the folder of a command: where its variable says, else in the person's home."""
    named = os.environ.get(variable)
    return Path(named) if named else Path.home() / name


#: Codex has no switch for all tools: these are the features that bring one. It takes no offence
#: at a name that another version does not know.
_CODEX_TOOLS = (
    *("hooks", "shell_tool", "unified_exec", "view_image", "multi_agent", "goals", "apps"),
    *("plugins", "image_generation", "tool_suggest", "skill_search", "sleep_tool", "browser_use"),
    "computer_use",
)


def _codex_arguments(session: str) -> tuple[str, ...]:
    off = ",".join(f"{name}=false" for name in _CODEX_TOOLS)
    # Settings are merged into the person's, so each server has to be named.
    servers = ",".join(f"{json.dumps(name)}={{enabled=false}}" for name in _codex_servers())
    return (
        *("exec", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral"),
        *("-c", f"features={{{off}}}", "-c", 'web_search="disabled"'),
        *("-c", f"mcp_servers={{{servers}}}", "-"),
    )


def _codex_servers() -> tuple[str, ...]:
    """Return the MCP servers in the settings of Codex."""
    try:
        found = tomllib.loads((home("CODEX_HOME", ".codex") / "config.toml").read_text("utf-8"))
    except (OSError, ValueError):
        return ()
    servers = found.get("mcp_servers")
    return tuple(servers) if isinstance(servers, dict) else ()


#: An empty list of servers would allow all of them.
_GEMINI_SETTINGS = {
    "hooksConfig": {"enabled": False},
    "tools": {"core": []},
    "mcp": {"allowed": ["none"]},
    "skills": {"enabled": False},
}


def _gemini_remains(folder: str, session: str) -> Iterator[Path]:
    own = home("GEMINI_CLI_HOME", "") / ".gemini"
    for kind in ("tmp", "history"):
        found = own / kind / os.path.basename(folder)
        with suppress(OSError):
            if (found / ".project_root").read_text("utf-8").strip() == folder:
                yield found


def _copilot_arguments(session: str) -> tuple[str, ...]:
    return (
        *("--silent", "--no-color", "--available-tools=none", "--disable-builtin-mcps"),
        *("--no-custom-instructions", "--no-ask-user", "--no-auto-update"),
        *("--log-level", "none", "--log-dir", ".", "--session-id", session),
    )


def _copilot_remains(folder: str, session: str) -> Iterator[Path]:
    states = home("COPILOT_HOME", ".copilot") / "session-state"
    yield states / session
    yield states / ".session-operation-locks" / f"{session}.lock"


FORMS: Mapping[str, Form] = {
    # It would make a folder for its memory of the folder it runs in, and send along every file
    # that the prompt names with an @, whatever tools it has.
    "claude": Form(
        lambda session: (
            *("-p", "--output-format", "json", "--tools", "", "--strict-mcp-config"),
            *("--setting-sources", "", "--no-session-persistence"),
        ),
        _claude,
        {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1", "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1"},
    ),
    "codex": Form(_codex_arguments, _plain),
    "gemini": Form(
        lambda session: ("--output-format", "json", "--extensions", "none"),
        _gemini,
        # It reads no settings in a folder that nobody has trusted, and does not start there.
        {"GEMINI_CLI_TRUST_WORKSPACE": "true"},
        (".gemini/settings.json", json.dumps(_GEMINI_SETTINGS)),
        _gemini_remains,
    ),
    "copilot": Form(_copilot_arguments, _plain, remains=_copilot_remains),
}


class Command:
    """An agent command as a model. It decides on temperature and length by itself."""

    def __init__(self, name: ModelName) -> None:
        if name.model not in FORMS:
            known = ", ".join(FORMS)
            raise UsageError(reason=f"there is no cli:{name.model}; the commands are {known}")
        self.name, self.command = str(name), name.model

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        form = FORMS[self.command]
        program = shutil.which(self.command)
        if program is None:
            raise NotInstalled(
                user=f"The model {self.name}",
                what=f"the command `{self.command}`",
                command=f"{self.command} once, after installing it, to log in",
            )
        asked = f"{system}\n\n{prompt}" if system else prompt
        text, said, code = self._run(program, form, asked)
        if code:
            raise self._fault(f"it ended with code {code}: {said or text}")
        try:
            reply, usage = form.read(text)
        except ValueError as error:
            raise self._fault(f"its answer could not be read: {error}") from None
        return Completion(reply, usage or Usage(estimate(asked), estimate(reply)))

    def _run(self, program: str, form: Form, asked: str) -> tuple[str, str, int]:
        session = str(uuid.uuid4())
        with _folder(form, session) as folder, marked_as_nested() as mark:
            process = subprocess.Popen(
                [program, *form.arguments(session)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**os.environ, **form.environment, **mark},
                # A group of its own, so that what it started ends with it.
                start_new_session=True,
            )
            try:
                out, err = process.communicate(asked.encode("utf-8", "replace"), timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                raise self._fault(f"no answer within {TIMEOUT:.0f} seconds") from None
            finally:
                if process.poll() is None:
                    _end(process)
            return (
                out.decode("utf-8", "replace"),
                err.decode("utf-8", "replace"),
                process.returncode,
            )

    def _fault(self, reason: str) -> ModelError:
        return ModelError(model=self.name, reason=facts.hide(" ".join(reason.split()))[:400])


@contextmanager
def marked_as_nested() -> Iterator[Mapping[str, str]]:
    """Mark a child as ours: return variables that are valid for what it starts until the block ends."""
    if sys.platform == "win32":  # Its locks do not tell who holds them: hooks do not keep silent.
        yield {}
        return
    import fcntl

    token = secrets.token_hex(16)
    with tempfile.TemporaryDirectory(prefix="lithify-") as folder:
        path = os.path.join(folder, token)
        with open(path, "x", encoding="ascii") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.write(token)
            file.flush()
            yield {"LITHIFY_NESTED": path}


@contextmanager
def _folder(form: Form, session: str) -> Iterator[str]:
    """A new folder to run a command in. It is removed again with what the call has left elsewhere.

    Its name is the same for each call if no other call is running: some commands note every
    folder they have run in.
    """
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = os.path.join(os.path.realpath(tempfile.gettempdir()), f"lithify-model-{user}")
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        folder = os.path.realpath(tempfile.mkdtemp(prefix="lithify-model-"))
    try:
        if form.settings:
            path = Path(folder, form.settings[0])
            path.parent.mkdir()
            path.write_text(form.settings[1], "utf-8")
        yield folder
    finally:
        for left in (*form.remains(folder, session), Path(folder)):
            with suppress(OSError):
                shutil.rmtree(left) if left.is_dir() else left.unlink()


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
