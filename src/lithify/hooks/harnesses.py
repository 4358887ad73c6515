"""Where each harness keeps its hooks, and what of ours stands there."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from lithify.hooks.install import hook_command

Entries = dict[str, list[dict[str, Any]]]


class Place(NamedTuple):
    """A file of settings; `scope` is `project`, `local` or `user`."""

    scope: str
    path: str


class Harness(NamedTuple):
    """A harness: its option of `init`, its wire, what a person still has to do."""

    flag: str
    wire: str
    title: str
    project: str
    #: An environment variable that moves it, the folder else, the file in it.
    user: tuple[str, str, str]
    then: str
    entries: Callable[[str, str, str], Entries]
    local: str = ""
    #: What its file must have besides the hooks.
    base: Mapping[str, Any] = {}
    #: The file is a program of ours, not settings that others share.
    program: bool = False

    def places(self, project: str) -> tuple[Place, ...]:
        """Every file in which its hooks may stand."""
        found = [Place("project", os.path.join(project, *self.project.split("/")))]
        if self.local:
            found.append(Place("local", os.path.join(project, *self.local.split("/"))))
        return (*found, Place("user", _user(*self.user)))


def by_flag(flag: str) -> Harness:
    """The harness of an option."""
    return next(one for one in HARNESSES if one.flag == flag)


def command_of(entry: Mapping[str, Any]) -> object:
    """The command line of one hook, whatever its harness calls it."""
    return entry.get("command") or entry.get("bash") or entry.get("powershell")


def _user(variable: str, folder: str, file: str) -> str:
    base = os.environ.get(variable, "") if variable else ""
    return os.path.join(base or os.path.expanduser(folder), *file.split("/"))


def _claude(root: str, python: str, on_stuck: str) -> Entries:
    def hook(event: str, timeout: int, fails: str = "continue") -> dict[str, Any]:
        line = hook_command(root, python, event)
        return {"type": "command", "command": line, "timeout": timeout, "onFailure": fails}

    guard = hook("PreToolUse", 10, "block" if on_stuck == "hold" else "continue")
    return {
        "SessionStart": [{"hooks": [hook("SessionStart", 30)]}],
        "UserPromptSubmit": [{"hooks": [hook("UserPromptSubmit", 20)]}],
        "PreToolUse": [{"matcher": "*", "hooks": [guard]}],
        "PostToolUse": [
            {
                "matcher": "^(AskUserQuestion|WebFetch|WebSearch|mcp__.+)$",
                "hooks": [hook("PostToolUse", 20)],
            }
        ],
        "PreCompact": [{"hooks": [hook("PreCompact", 20)]}],
        "Stop": [{"hooks": [hook("Stop", 20)]}],
        "SessionEnd": [{"hooks": [hook("SessionEnd", 20)]}],
    }


def _codex(root: str, python: str, on_stuck: str) -> Entries:
    def group(event: str, matcher: str = "", timeout: int = 20) -> list[dict[str, Any]]:
        line = hook_command(root, python, event, harness="codex")
        hook = {"type": "command", "command": line, "timeout": timeout}
        return [{**({"matcher": matcher} if matcher else {}), "hooks": [hook]}]

    return {
        "SessionStart": group("SessionStart"),
        "UserPromptSubmit": group("UserPromptSubmit"),
        "PreToolUse": group("PreToolUse", ".*", 10),
        "PostToolUse": group("PostToolUse", "^(request_user_input|web_search|mcp__.+)$"),
        "PreCompact": group("PreCompact"),
        "Stop": group("Stop"),
        "SessionEnd": group("SessionEnd", "", 3),
    }


def _gemini(root: str, python: str, on_stuck: str) -> Entries:
    def group(event: str, matcher: str = "", seconds: int = 20) -> list[dict[str, Any]]:
        line = hook_command(root, python, event, harness="gemini")
        # Its timeouts are milliseconds.
        hook = {"name": f"lithify-{event}", "type": "command", "command": line}
        hooks = [{**hook, "timeout": seconds * 1000}]
        return [{**({"matcher": matcher} if matcher else {}), "hooks": hooks}]

    return {
        "SessionStart": group("SessionStart"),
        "BeforeAgent": group("BeforeAgent"),
        "BeforeTool": group("BeforeTool", ".*", 10),
        "AfterTool": group("AfterTool", "^(ask_user|web_fetch|google_web_search|mcp_.+)$"),
        "PreCompress": group("PreCompress"),
        "AfterAgent": group("AfterAgent"),
        "SessionEnd": group("SessionEnd"),
    }


def _cursor(root: str, python: str, on_stuck: str) -> Entries:
    def hook(event: str, timeout: int = 20, **more: Any) -> list[dict[str, Any]]:
        line = hook_command(root, python, event, harness="cursor")
        # With `failClosed` an answer without a permission is refused too, and the only other
        # one we could give is an allow that is not ours to give.
        return [{"command": line, "timeout": timeout, "failClosed": False, **more}]

    before = ("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile")
    return {
        "sessionStart": hook("sessionStart"),
        "beforeSubmitPrompt": hook("beforeSubmitPrompt"),
        **{event: hook(event, 10) for event in (*before, "subagentStart")},
        "postToolUse": hook("postToolUse", matcher="AskQuestion|WebFetch|WebSearch|MCP:.*"),
        "preCompact": hook("preCompact"),
        "afterAgentResponse": hook("afterAgentResponse"),
        "sessionEnd": hook("sessionEnd"),
    }


def _copilot(root: str, python: str, on_stuck: str) -> Entries:
    shell = "bash" if os.name == "posix" else "powershell"

    def hook(event: str, timeout: int = 20, **more: Any) -> list[dict[str, Any]]:
        line = hook_command(root, python, event, harness="copilot")
        return [{"type": "command", shell: line, "timeoutSec": timeout, **more}]

    return {
        "sessionStart": hook("sessionStart"),
        "userPromptSubmitted": hook("userPromptSubmitted"),
        "preToolUse": hook("preToolUse", 10),
        "postToolUse": hook("postToolUse", matcher="ask_user|web_fetch|web_search|.+-.+"),
        "preCompact": hook("preCompact"),
        "sessionEnd": hook("sessionEnd"),
    }


def _opencode(root: str, python: str, on_stuck: str) -> Entries:
    return {}


HARNESSES = (
    Harness(
        *("claude-code", "claude", "Claude Code"),
        *(".claude/settings.json", ("CLAUDE_CONFIG_DIR", "~/.claude", "settings.json")),
        *("It takes effect with the next session.", _claude),
        local=".claude/settings.local.json",
    ),
    Harness(
        *("codex", "codex", "Codex CLI"),
        *(".codex/hooks.json", ("CODEX_HOME", "~/.codex", "hooks.json")),
        "Trust the hooks once with /hooks; older versions also need `codex_hooks = true` under "
        "[features] in config.toml.",
        _codex,
    ),
    Harness(
        *("gemini", "gemini", "Gemini CLI"),
        *(".gemini/settings.json", ("", "~/.gemini", "settings.json")),
        *("It takes effect with the next session; /hooks lists them.", _gemini),
    ),
    Harness(
        *("cursor", "cursor", "Cursor"),
        *(".cursor/hooks.json", ("", "~/.cursor", "hooks.json")),
        *("Cursor reads them in a trusted workspace; its settings list them under Hooks.", _cursor),
        base={"version": 1},
    ),
    Harness(
        *("copilot", "copilot", "GitHub Copilot CLI"),
        *(".github/hooks/lithify.json", ("COPILOT_HOME", "~/.copilot", "hooks/lithify.json")),
        *("It takes effect with the next session.", _copilot),
        base={"version": 1},
    ),
    Harness(
        *("opencode", "opencode", "OpenCode"),
        *(
            ".opencode/plugins/lithify.js",
            ("XDG_CONFIG_HOME", "~/.config", "opencode/plugins/lithify.js"),
        ),
        *("It takes effect with the next start.", _opencode),
        program=True,
    ),
)


def interpreter() -> str:
    """The Python that has this package, by its absolute path."""
    return os.path.abspath(sys.executable)
