"""What every client can be asked to do; a client overrides what differs."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from live.workspace import Ended, Workspace


class Skipped(Exception):
    """The point cannot be driven here; the message says why."""


class Failed(Exception):
    """The point does not hold; the message says what was seen."""


@dataclass
class Client(ABC):
    """A client in one workspace."""

    program: Path
    workspace: Workspace
    #: Whether the client keeps its default permissions and sandbox.
    guarded: bool = False

    name: ClassVar[str]
    title: ClassVar[str]
    package: ClassVar[str]
    command: ClassVar[str]
    #: What `lithify init` and `lithify compact --model cli:` call it.
    flag: ClassVar[str]
    model: ClassVar[str] = ""
    #: Where the hooks stand in the project and in HOME.
    project_settings: ClassVar[str]
    user_settings: ClassVar[str]
    #: Whether hooks run only after the person trusted them or the folder.
    needs_trust: ClassVar[bool] = False
    #: The step that submits under the client's default permissions; none where all need approval.
    guarded_step: ClassVar[str] = ""
    #: The command by which a person has the pages of memory written; none where it has no such thing.
    compact_command: ClassVar[str] = ""
    #: Steps after which it puts a text of its own into a prompt.
    injects: ClassVar[Sequence[str]] = ("subagent: STEP say: found it",)
    #: Whether `init` leaves the pages to it, and it hears at the start of a session that they wait.
    asked_to_write: ClassVar[bool] = False
    #: Whether a hook hears of a compaction, and not of every request.
    tells_compaction: ClassVar[bool] = True
    #: Whether the events of a subagent look like those of the main session.
    same_events: ClassVar[bool] = False

    @classmethod
    def installed(cls, folder: Path) -> Path:
        """The program, in the folder that npm installed it into."""
        return folder / "node_modules" / ".bin" / cls.command

    @abstractmethod
    def prepare(self) -> None:
        """Point the client at the scripted model."""

    @abstractmethod
    def argv(self, prompt: str, *, resume: bool) -> tuple[Sequence[str | Path], str]:
        """The command line for one prompt, and its standard input."""

    def compact(self) -> None:
        """Make the client compact the conversation of the last session, and go on with it."""
        raise Skipped("no way to make it compact from a script")

    def trust(self) -> None:  # noqa: B027 - most clients need none
        """Trust the project and its hooks, as a person would."""

    def ask(self, prompt: str, *, resume: bool = False) -> Ended:
        """Run one prompt to its end."""
        argv, given = self.argv(prompt, resume=resume)
        ended = self.workspace.run(argv, given)
        log = self.workspace.folder / "output.txt"
        with log.open("a", encoding="utf-8") as file:
            file.write(f"$ {argv}\n{ended.out}\n{ended.err}\nexit {ended.code}\n")
        return ended

    def add_hooks(self, *, gate: bool, user: bool = False, tee: bool = True) -> None:
        """`lithify init` for this client; the project is the root."""
        words = ["init", ".", f"--{self.flag}", *(["--user"] if user else [])]
        if gate and has_gate_choice(self.workspace):
            words.append("--gate")
        ended = self.workspace.lithify(*words)
        if ended.code:
            raise Failed(f"lithify {' '.join(words)}: {ended}")
        if tee:
            self.workspace.tee_hooks(self.settings(user=user))

    def remove_hooks(self) -> None:
        """`lithify init --remove` for this client."""
        ended = self.workspace.lithify("init", ".", f"--{self.flag}", "--remove")
        if ended.code:
            raise Failed(f"lithify init --remove: {ended}")

    def settings(self, *, user: bool = False) -> Path:
        """The file that `lithify init` adds the hooks to."""
        if user:
            return self.workspace.home / self.user_settings
        return self.workspace.project / self.project_settings

    def own_settings(self) -> bytes:
        """Settings that a person may have had in that file before; empty where there are none."""
        return b'{\n    "hooks": {}\n}'

    def serve(self) -> None:  # noqa: B027 - most clients need none
        """Register lithify's MCP server, where `init` left that to the person."""


def has_gate_choice(workspace: Workspace) -> bool:
    """Whether this lithify has `init --gate`."""
    return "--gate" in workspace.lithify("init", "--help").out


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write a settings file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", "utf-8")


def change_json(path: Path, **changes: Any) -> None:
    """Set top-level keys of a settings file; objects are merged one level deep."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else ["{}"]
    # Copilot puts remarks above its settings.
    value = json.loads("\n".join(line for line in lines if not line.startswith("//")))
    for key, new in changes.items():
        old = value.get(key)
        value[key] = {**old, **new} if isinstance(old, dict) and isinstance(new, dict) else new
    write_json(path, value)
