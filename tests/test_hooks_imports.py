"""The hook path stays light: the standard library and our own modules, nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lithify.gate.gatekeeper import Gatekeeper
from test_gate_core import prose

PROBE = """
import io, json, sys
given = sys.stdin.read()
sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
from lithify.hooks.__main__ import main
code = main(sys.argv[1:])
print(json.dumps({"code": code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""
SESSION = "5b1e"
CASES: list[tuple[str, dict[str, Any]]] = [
    ("SessionStart", {"source": "startup"}),
    ("UserPromptSubmit", {"prompt": "Please add a dark theme."}),
    ("PreToolUse", {"tool_name": "Read", "tool_input": {}}),
    ("PostToolUse", {"tool_name": "AskUserQuestion", "tool_response": {"answers": {"a?": "b"}}}),
    ("PreCompact", {"trigger": "auto"}),
    ("Stop", {"last_assistant_message": "Done."}),
    ("SessionEnd", {"reason": "exit"}),
]


def modules(root: Path, event: str, given: dict[str, Any]) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROBE, event, "--root", str(root)],
        input=json.dumps({"session_id": SESSION, "cwd": str(root), **given}),
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stderr)
    assert found["code"] == 0
    assert "was not recorded" not in done.stdout
    return set(found["modules"])


@pytest.mark.parametrize(("event", "given"), CASES, ids=[event for event, _ in CASES])
def test_only_the_standard_library_is_imported(
    event: str, given: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "lithify.toml").write_text("[gate]\nenabled = true\nthreshold = 700\n")
    Gatekeeper(tmp_path).record(SESSION, "prompt", prose(1, 900))
    found = modules(tmp_path, event, given)
    roots = {name.partition(".")[0] for name in found} - {"__main__", "__mp_main__"}
    # What site's own .pth files bring in is not ours.
    ours = roots - set(sys.stdlib_module_names) - {"_distutils_hack", "sitecustomize"}
    assert ours == {"lithify"}
    # Once a session the whole memory is read, its settings too.
    late = set() if event == "SessionStart" else {"tomllib"}
    assert not found & {*late, "click", "sqlite3", "socket", "asyncio", "shlex"}


def test_guard_of_a_closed_gate_imports_next_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "lithify.toml").write_text("[gate]\nenabled = true\n")
    Gatekeeper(tmp_path).record(SESSION, "prompt", prose(1, 900))
    found = modules(tmp_path, "PreToolUse", {"tool_name": "Read", "tool_input": {}})
    assert {name for name in found if name.startswith("lithify.")} == {
        *("lithify.gate", "lithify.gate.hook_state", "lithify.gate.decide"),
        *("lithify.hooks", "lithify.hooks.__main__", "lithify.limits", "lithify.platform"),
        *("lithify.hooks.events", "lithify.hooks.guard"),
        *("lithify.hooks.clients", "lithify.hooks.clients.claude"),
    }
    assert not found & {"dataclasses", "hashlib", "datetime", "inspect"}
