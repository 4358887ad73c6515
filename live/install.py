"""Installs the clients from npm into the scratch folder."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
from pathlib import Path

from live.clients.base import Client, Skipped

#: Seconds that npm may take for one client.
TIMEOUT = 600
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def install(client: type[Client], folder: Path) -> Path:
    """The client's program, installed if it is not there yet."""
    place = folder / client.command
    program = client.installed(place)
    if not program.exists():
        if not shutil.which("npm"):
            raise Skipped("there is no npm")
        place.mkdir(parents=True, exist_ok=True)
        wanted = f"{client.package}@{_version(client)}"
        _npm("install", "--no-audit", "--no-fund", "--prefix", str(place), wanted)
    if not program.exists():
        raise Skipped(f"{client.package} has no command for this platform")
    return program


def version_of(program: Path, home: Path) -> str:
    """What the program says its version is."""
    home.mkdir(parents=True, exist_ok=True)
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(home)}
    try:
        ended = subprocess.run(
            [program, "--version"], env=environment, capture_output=True, text=True, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Skipped(f"{program.name} --version: {error}") from error
    words = [word.rstrip(".") for word in ended.stdout.split() if word[:1].isdigit()]
    if ended.returncode or not words:
        raise Skipped(f"{program.name} --version ended with {ended.returncode}")
    return words[0]


def _version(client: type[Client]) -> str:
    """The newest version; of OpenCode the newest that has come out for this platform too."""
    if client.package != "opencode-ai":
        return "latest"
    machine = _MACHINES.get(platform.machine().lower(), platform.machine())
    own = _versions(f"opencode-{platform.system().lower()}-{machine}")
    both = [version for version in _versions(client.package) if version in own]
    return both[-1] if both else "latest"


def _versions(package: str) -> list[str]:
    """The versions of a package, the newest last."""
    found: list[str] = json.loads(_npm("view", package, "versions", "--json"))
    return found


def _npm(*words: str) -> str:
    try:
        ended = subprocess.run(
            ["npm", *words], capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Skipped(f"npm {words[0]}: {error}") from error
    if ended.returncode:
        last = (ended.stderr.strip().splitlines() or ["no reason given"])[0]
        raise Skipped(f"npm {words[0]} {words[-1]}: {last}")
    return ended.stdout
