"""OpenCode."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from live.clients.base import Client, change_json

_LIMITS = {"context": 200_000, "output": 8_000}


class OpenCode(Client):
    """OpenCode with the plugin from `lithify init --opencode`."""

    name = "opencode"
    title = "OpenCode"
    package = "opencode-ai"
    command = "opencode"
    flag = "opencode"
    project_settings = ".opencode/plugins/lithify.js"
    user_settings = ".config/opencode/plugins/lithify.js"
    guarded_step = "submit"  # it allows every command unless told otherwise

    @property
    def _config(self) -> Path:
        return self.workspace.home / ".config" / "opencode" / "opencode.json"

    def prepare(self) -> None:
        """A provider that speaks OpenAI's wire."""
        self.workspace.environment |= {
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
        }
        # It asks npm for the types of its plugins at every start, and tries for over a minute.
        npm = f"registry={self.workspace.url}/npm\nfetch-retries=0\n"
        (self.workspace.home / ".npmrc").write_text(npm, "utf-8")
        options = {"baseURL": f"{self.workspace.url}/v1", "apiKey": "scripted"}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": options,
            "models": {"scripted": {"name": "scripted", "limit": _LIMITS}},
        }
        change_json(
            self._config,
            model="scripted/scripted",
            small_model="scripted/scripted",
            autoupdate=False,
            share="disabled",
            provider={"scripted": provider},
        )

    def argv(self, prompt: str, *, resume: bool) -> tuple[Sequence[str | Path], str]:
        """`opencode run`; an argument would reach the model in quotes, standard input does not."""
        return [self.program, "run", *(["--continue"] if resume else [])], prompt

    def compact(self) -> None:
        """It compacts, and goes on by itself, after a reply that fills the window."""
        self.ask("STEP fill: enough", resume=True)

    def own_settings(self) -> bytes:
        """The plugin is a file of its own."""
        return b""
