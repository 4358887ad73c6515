"""GitHub Copilot CLI."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from live.clients.base import Client, change_json


class Copilot(Client):
    """Copilot CLI with hooks from `lithify init --copilot`."""

    name = "copilot"
    title = "Copilot CLI"
    package = "@github/copilot"
    command = "copilot"
    flag = "copilot"
    model = "cli:copilot"
    project_settings = ".github/hooks/lithify.json"
    user_settings = ".copilot/hooks/lithify.json"
    needs_trust = True
    injects = (
        "subagent: STEP say: found it",
        'tool bash: {"command": "sleep 1", "description": "wait", "mode": "async"}',
    )

    def prepare(self) -> None:
        """A provider of the person's own, offline."""
        self.workspace.environment |= {
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_BASE_URL": f"{self.workspace.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "scripted",
            "COPILOT_MODEL": "scripted",
        }

    def argv(self, prompt: str, *, resume: bool) -> tuple[Sequence[str | Path], str]:
        """One prompt with `-p`."""
        again = ["--continue"] if resume else []
        free = ["--allow-all-tools", "--allow-all-paths"]
        return [self.program, *again, *free, "--no-color", "-p", prompt], ""

    def compact(self) -> None:
        """The typed command."""
        self.ask("/compact", resume=True)

    def trust(self) -> None:
        """What trusting the folder in its dialogue keeps."""
        path = self.workspace.home / ".copilot" / "config.json"
        change_json(path, trustedFolders=[str(self.workspace.project)])

    def own_settings(self) -> bytes:
        """The hooks are a file of their own."""
        return b""
