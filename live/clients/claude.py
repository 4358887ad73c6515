"""Claude Code, with the hooks in its settings or with the plugin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from live.clients.base import Client, Failed, change_json, has_gate_choice
from live.workspace import CHECKOUT, Ended


class Claude(Client):
    """Claude Code with hooks from `lithify init --claude-code`."""

    name = "claude"
    title = "Claude Code"
    package = "@anthropic-ai/claude-code"
    command = "claude"
    flag = "claude-code"
    model = "cli:claude"
    project_settings = ".claude/settings.json"
    user_settings = ".claude/settings.json"
    guarded_step = "submit"
    asked_to_write = True
    injects = ("background-agent: STEP say: found it", "background: sleep 1")

    def prepare(self) -> None:
        """Point it at the scripted model; `IS_SANDBOX` lets root skip permissions.

        Without the search for tools, those of MCP servers are offered at once.
        """
        self.workspace.environment |= {
            "ANTHROPIC_BASE_URL": self.workspace.url,
            "ANTHROPIC_API_KEY": "scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "ENABLE_TOOL_SEARCH": "false",
            "IS_SANDBOX": "1",
        }

    def argv(self, prompt: str, *, resume: bool) -> tuple[Sequence[str | Path], str]:
        """One prompt with `-p`."""
        again = ["--continue"] if resume else []
        free = [] if self.guarded else ["--dangerously-skip-permissions"]
        return [self.program, *again, *free, "-p"], prompt

    def compact(self) -> None:
        """The typed command works with `-p` too."""
        self.ask("/compact", resume=True)

    def trust(self) -> None:
        """What accepting its dialogue keeps: hooks run without it, permission rules do not count."""
        accepted = {str(self.workspace.project): {"hasTrustDialogAccepted": True}}
        change_json(self.workspace.home / ".claude.json", projects=accepted)

    def own_settings(self) -> bytes:
        """Four spaces, no final line end, and a rule of the person's."""
        return b'{\n    "permissions": {"allow": ["Bash(ls:*)"]},\n    "model": "sonnet"\n}'


class ClaudePlugin(Claude):
    """Claude Code with the plugin of this checkout."""

    name = "claude-plugin"
    title = "Claude Code, plugin"
    model = ""
    guarded_step = ""
    asked_to_write = False
    compact_command = "/lithify:compact"
    user_settings = ".claude/settings.json"

    def add_hooks(self, *, gate: bool, user: bool = False, tee: bool = True) -> None:
        """Marketplace, plugin, and a root as the plugin's README says; the tee is on its PATH."""
        words = ["init", "."] + (["--gate"] if gate and has_gate_choice(self.workspace) else [])
        self._done(self.workspace.lithify(*words))
        plugin: list[str | Path] = [self.program, "plugin"]
        self._done(self.workspace.run([*plugin, "marketplace", "add", str(CHECKOUT)]))
        self._done(self.workspace.run([*plugin, "install", "lithify@lithify"]))

    def remove_hooks(self) -> None:
        """Uninstall the plugin and forget the marketplace."""
        plugin: list[str | Path] = [self.program, "plugin"]
        self._done(self.workspace.run([*plugin, "uninstall", "lithify@lithify"]))
        self._done(self.workspace.run([*plugin, "marketplace", "remove", "lithify"]))

    def settings(self, *, user: bool = False) -> Path:
        """The plugin is switched on in the person's settings."""
        return self.workspace.home / self.user_settings

    def serve(self) -> None:
        """The plugin brings the server."""

    @staticmethod
    def _done(ended: Ended) -> None:
        if ended.code:
            raise Failed(str(ended))
