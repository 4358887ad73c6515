"""Gemini CLI."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from live.clients.base import Client, change_json, write_json


class Gemini(Client):
    """Gemini CLI with hooks from `lithify init --gemini`."""

    name = "gemini"
    title = "Gemini CLI"
    package = "@google/gemini-cli"
    command = "gemini"
    flag = "gemini"
    model = "cli:gemini"
    project_settings = ".gemini/settings.json"
    user_settings = ".gemini/settings.json"
    needs_trust = True
    same_events = True
    #: `PreCompress` comes before every request to the model.
    tells_compaction = False
    asked_to_write = True

    def prepare(self) -> None:
        """An API key and the address in the environment."""
        self.workspace.environment |= {
            "GEMINI_API_KEY": "scripted",
            "GOOGLE_GEMINI_BASE_URL": self.workspace.url,
        }
        auth = {"auth": {"selectedType": "gemini-api-key"}}
        change_json(self.settings(user=True), security=auth, general={"enableAutoUpdate": False})

    def argv(self, prompt: str, *, resume: bool) -> tuple[Sequence[str | Path], str]:
        """One prompt with `-p`."""
        again = ["--resume", "latest"] if resume else []
        return [self.program, *again, "-y", "-p", prompt], ""

    def compact(self) -> None:
        """A threshold so small that the next turn compresses."""
        change_json(self.settings(user=True), model={"compressionThreshold": 0.00001})
        self.ask("STEP say: small", resume=True)

    def trust(self) -> None:
        """What choosing "trust folder" in its dialogue keeps."""
        path = self.workspace.home / ".gemini" / "trustedFolders.json"
        write_json(path, {str(self.workspace.project): "TRUST_FOLDER"})
