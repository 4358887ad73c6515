"""A scratch HOME and project for one point, and how commands are run in it.

`events/` of a workspace holds what the client sent to our hooks, one file for each event that
started Python: `NUMBER-EVENT.json` is the event's JSON, byte for byte.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from live.server import ModelServer

CHECKOUT = Path(__file__).resolve().parent.parent
LITHIFY = CHECKOUT / ".venv" / "bin" / "lithify"
PYTHON = CHECKOUT / ".venv" / "bin" / "python"
#: Seconds that one command may take.
TIMEOUT = 120

_TEE = """#!/bin/sh
# Keeps what a hook is given, then starts it; by the clock that was set.
if [ -e {clock} ]; then . {clock}; fi
case "$3" in lithify.hooks) ;; *) exec {python} "$@" ;; esac
file={events}/$(date +%s%N)-$4.json
cat > "$file"
exec {python} "$@" < "$file"
"""


@dataclass(frozen=True)
class Ended:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    def __str__(self) -> str:
        said = " ".join((self.err or self.out).split())
        return f"exit {self.code}: {said[-300:]}"


@dataclass
class Workspace:
    """One point's scratch folder, with a model server of its own.

    In it: `home`, `project` (the memory root), `events`, `bin`, `requests.jsonl` (what reached
    the model) and `output.txt` (what the client printed).
    """

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.server = ModelServer(self.folder / "requests.jsonl")
        for path in (self.home, self.project, self.events, self.bin):
            path.mkdir(parents=True, exist_ok=True)
        tee = self.bin / "python-with-tee"
        clock = self.folder / "clock"
        tee.write_text(_TEE.format(python=PYTHON, events=self.events, clock=clock), "utf-8")
        tee.chmod(0o755)
        # The plugin for Claude Code finds this command, and its Python in the first line.
        self.command.write_text(
            f"#!{tee}\n{LITHIFY.read_text('utf-8').partition(chr(10))[2]}", "utf-8"
        )
        self.command.chmod(0o755)
        self.url = self.server.start()
        subprocess.run(["git", "init", "-q", str(self.project)], check=False, env=self._env())

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def events(self) -> Path:
        return self.folder / "events"

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    @property
    def command(self) -> Path:
        """`lithify` by the clock that was set."""
        return self.bin / "lithify"

    def close(self) -> None:
        """Stop the model server."""
        self.server.stop()

    def _env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("LANG", "TERM") if name in os.environ}
        path = f"{self.bin}:{os.environ.get('PATH', '')}"
        return {**kept, "PATH": path, "HOME": str(self.home), **self.environment}

    def run(self, command: Sequence[str | Path], given: str = "", timeout: int = TIMEOUT) -> Ended:
        """Run a command in the project; it is ended with its whole group when time is up."""
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=self.project,
            env=self._env(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
            errors="replace",
        )
        try:
            out, err = process.communicate(given, timeout=timeout)
            return Ended(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            return Ended(124, "", f"no end within {timeout} seconds")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def lithify(self, *words: str | Path, given: str = "") -> Ended:
        """Run the lithify under test on the project."""
        return self.run([LITHIFY, *words], given)

    def set_clock(self, moment: datetime) -> None:
        """Let hooks and `self.command` believe that it is `moment`; their clock goes on from there."""
        library = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
        if library is None:
            raise FileNotFoundError("libfaketime is not installed: apt-get install libfaketime")
        ahead = moment.timestamp() - time.time()
        text = f"export LD_PRELOAD={library} FAKETIME={ahead:+.0f}\n"
        (self.folder / "clock").write_text(text, "utf-8")

    def tee_hooks(self, path: Path) -> None:
        """Let the hooks in a settings file keep the events they are given."""
        text = path.read_text("utf-8")
        path.write_text(text.replace(str(PYTHON), str(self.bin / "python-with-tee")), "utf-8")

    def requests(self) -> list[Mapping[str, Any]]:
        """What reached the model so far: `requests.jsonl`, without what has no wire."""
        return [one for one in self.server.requests() if one["wire"]]

    def interactions(self) -> list[Mapping[str, Any]]:
        """What the gate recorded, over all jobs."""
        return [one for one in self._lines("interactions.jsonl") if "text" in one]

    def summaries(self) -> list[Mapping[str, Any]]:
        """The accepted summaries, over all jobs."""
        return self._lines("chain.jsonl")

    def _lines(self, name: str) -> list[Mapping[str, Any]]:
        found = sorted((self.project / ".lithify" / "gate").glob(f"*/{name}"))
        return [json.loads(line) for path in found for line in path.read_text("utf-8").splitlines()]

    def today(self) -> str:
        """The text of every day in the root."""
        days = sorted((self.project / "memory").glob("2*.md"))
        return "\n".join(path.read_text("utf-8") for path in days)


def shown(request: Mapping[str, Any]) -> str:
    """What a request told the model beside tool results and its own words."""
    said = [one["text"] for one in request["events"] if one.get("said") not in (None, "model")]
    return "\n".join([request["system"], *said])


def returned(request: Mapping[str, Any]) -> list[str]:
    """What the tool calls in a request gave back."""
    return [one["returned"] for one in request["events"] if "returned" in one]
