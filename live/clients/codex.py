"""Codex CLI."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lithify.hooks.clients import client_of
from lithify.hooks.install import add_command, interpreter
from live.clients.base import Client, Failed

_CONFIG = """model = "scripted"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
"""


class Codex(Client):
    """Codex with hooks from `lithify init --codex`."""

    name = "codex"
    title = "Codex CLI"
    package = "@openai/codex"
    command = "codex"
    flag = "codex"
    model = "cli:codex"
    project_settings = ".codex/hooks.json"
    user_settings = ".codex/hooks.json"
    needs_trust = True
    guarded_step = "submit-mcp"
    asked_to_write = True

    @property
    def _config(self) -> Path:
        return self.workspace.home / ".codex" / "config.toml"

    def prepare(self) -> None:
        """A provider in `config.toml`."""
        self.workspace.environment["SCRIPTED_KEY"] = "scripted"
        self._config.parent.mkdir(parents=True, exist_ok=True)
        self._config.write_text(_CONFIG.format(url=self.workspace.url), "utf-8")

    def argv(self, prompt: str, *, resume: bool) -> tuple[Sequence[str | Path], str]:
        """`codex exec`, the prompt on standard input."""
        return self._exec([], resume=resume), prompt

    def _exec(self, options: Sequence[str], *, resume: bool) -> list[str | Path]:
        way = (
            "--sandbox=read-only" if self.guarded else "--dangerously-bypass-approvals-and-sandbox"
        )
        free = ["--skip-git-repo-check", way, *options]
        again = ["resume", "--last"] if resume else []
        return [self.program, "exec", *again, *free, "-"]

    def serve(self) -> None:
        """The command that `init` prints."""
        root = str(self.workspace.project)
        command = add_command(client_of("codex"), "project", root, interpreter())
        ended = self.workspace.run([self.program, *shlex.split(command)[1:]])
        if ended.code:
            raise Failed(f"codex mcp add: {ended}")

    def compact(self) -> None:
        """A window so small that the next turn compacts."""
        self.workspace.run(
            self._exec(["-c", "model_auto_compact_token_limit=50"], resume=True), "STEP say: small"
        )

    def trust(self) -> None:
        """Trust the project, ask the app server for the hooks, and keep their hashes."""
        with self._config.open("a", encoding="utf-8") as file:
            file.write(f'\n[projects."{self.workspace.project}"]\ntrust_level = "trusted"\n')
        hooks = list(self.hooks())
        if not hooks:
            raise Failed("hooks/list names no hook to trust")
        with self._config.open("a", encoding="utf-8") as file:
            for hook in hooks:
                key = json.dumps(hook["key"])
                file.write(f'\n[hooks.state.{key}]\ntrusted_hash = "{hook["currentHash"]}"\n')

    def hooks(self) -> Iterator[Mapping[str, Any]]:
        """What `hooks/list` of the app server says of every hook."""
        hello = {"clientInfo": {"name": "live", "version": "1"}}
        calls = [
            {"id": 1, "method": "initialize", "params": hello},
            {"method": "initialized"},
            {"id": 2, "method": "hooks/list", "params": {"cwds": [str(self.workspace.project)]}},
        ]
        given = "".join(json.dumps(call) + "\n" for call in calls)
        # It answers only while its input is open: the shell keeps it so for a while.
        line = f"(cat; sleep 3) | exec '{self.program}' app-server"
        for answer in self.workspace.run(["sh", "-c", line], given).out.splitlines():
            if answer.startswith("{") and json.loads(answer).get("id") == 2:
                for folder in json.loads(answer).get("result", {}).get("data", ()):
                    yield from folder.get("hooks", ())
