"""Without a model, no command talks to any machine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

DRIVER = Path(__file__).parent / "every_command.py"
#: A namespace of its own with nothing in it, not even a loopback device that is up.
APART = ["unshare", "--map-root-user", "--net"]


@cache
def _why_not_apart() -> str:
    if not shutil.which("unshare"):
        return "unshare is not installed"
    done = subprocess.run([*APART, "true"], capture_output=True, text=True, check=False)
    return done.stderr.strip() or "namespaces are not allowed here" if done.returncode else ""


def _run(root: Path, *options: str, apart: bool = False) -> dict[str, list[int]]:
    home = root / "home"
    home.mkdir(parents=True)
    keys = ("KEY", "TOKEN", "PROXY")
    env = {name: value for name, value in os.environ.items() if not name.upper().endswith(keys)}
    command = [*(APART if apart else ()), sys.executable, str(DRIVER), str(root / "root"), *options]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        env={**env, "HOME": str(home)},
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    codes: dict[str, list[int]] = json.loads(done.stdout.splitlines()[-1])
    return codes


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """The exit codes of every command in an interpreter that refuses to talk."""
    return _run(tmp_path_factory.mktemp("guarded"), "--guard")


def test_no_command_talks_to_another_machine_without_a_model(
    guarded: dict[str, list[int]],
) -> None:
    assert guarded["recall"] == [0] and guarded["compact"][0] == 0
    assert all(code in (0, 3) for codes in guarded.values() for code in codes), guarded


def test_without_a_route_every_command_ends_the_same(
    guarded: dict[str, list[int]], tmp_path: Path
) -> None:
    if why := _why_not_apart():
        print(f"skipped: no namespace without a route: {why}")
        pytest.skip(why)
    assert _run(tmp_path, apart=True) == guarded
