"""What the gate's hooks cost, as ratios to a bare `python -I -c pass`.

    python benchmarks/gate.py [--runs 50]

The same machine, runs interleaved, medians. Beside the hooks stands a bash+jq script that does
the closed case's reading: the event, the session's job, the mark, a denial; and the plugin's own
line, which finds root and program first. Byte code is compiled beforehand: an installed package
has it.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lithify.gate.gatekeeper import Gatekeeper
from lithify.hooks.install import hook_command

ROOT = Path(__file__).resolve().parent.parent
GOALS = {
    "PreToolUse, open": 0.3,
    "PreToolUse, closed": 3.0,
    "plugin, open": 0.3,
    "plugin, closed": 3.0,
    "SessionStart": 12.0,
}
PLUGIN = ROOT / "plugins" / "claude-code"

SCRIPT = """\
event=$(cat)
gate=$1/.lithify/gate
test -e "$gate/closed" || exit 0
session=$(jq -r .session_id <<<"$event")
job=$(jq -r .job "$gate/sessions/$session.json")
test -e "$gate/closed/$job.json" || exit 0
jq -c '{hookSpecificOutput: {hookEventName: "PreToolUse", permissionDecision: "deny",
  permissionDecisionReason: .texts.denial}}' "$gate/closed/$job.json"
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    runs = parser.parse_args().runs
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    compileall.compile_dir(str(ROOT / "src"), quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        taken = measure(Path(folder), runs, env)
    bare = statistics.median(taken["python -I -c pass"])
    print(f"gate, median of {runs}, ratio to `python -I -c pass` of {sys.version.split()[0]}")
    for name, seconds in taken.items():
        middle = statistics.median(seconds)
        goal = f"  (goal <= {GOALS[name]}x)" if name in GOALS else ""
        print(f"  {name:28} {middle * 1000:7.1f} ms {middle / bare:6.2f}x{goal}")


def measure(folder: Path, runs: int, env: dict[str, str]) -> dict[str, list[float]]:
    """The seconds of each run of each case."""
    opened, closed, prompts = (folder / name for name in ("open", "closed", "prompts"))
    for root in (opened, closed, prompts):
        (root / "memory").mkdir(parents=True)
        (root / "lithify.toml").write_text("[gate]\nenabled = true\n")
    Gatekeeper(opened).record("s1", "prompt", "A short request.")
    Gatekeeper(closed).record("s1", "prompt", "A request of many plain words, said again. " * 80)
    (prompts / "lithify.toml").write_text("[gate]\nenabled = true\nthreshold = 1000000\n")
    Gatekeeper(prompts).record("s1", "prompt", "A short request.")
    tool = {"tool_name": "Read", "tool_input": {"file_path": "notes.md"}}
    common = {"session_id": "s1", "cwd": str(folder), "hook_event_name": "PreToolUse"}
    call = json.dumps({**common, **tool})
    said = json.dumps({**common, "prompt": "Please look at the tests as well. " * 5})
    cases = {
        "python -I -c pass": ([sys.executable, "-I", "-c", "pass"], ""),
        "PreToolUse, open": (["sh", "-c", hook_command(str(opened))], call),
        "PreToolUse, closed": (["sh", "-c", hook_command(str(closed))], call),
        "UserPromptSubmit": (
            ["sh", "-c", hook_command(str(prompts), event="UserPromptSubmit")],
            said,
        ),
        "SessionStart": (["sh", "-c", hook_command(str(prompts), event="SessionStart")], said),
    }
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text("utf-8"))["hooks"]
    line = hooks["PreToolUse"][0]["hooks"][0]["command"]
    # The root is found by the folder the harness works in, lithify by the PATH.
    found = f'PATH="{Path(sys.executable).parent}:$PATH"; CLAUDE_PLUGIN_ROOT="{PLUGIN}"'
    for name, root in (("plugin, open", opened), ("plugin, closed", closed)):
        cases[name] = (["sh", "-c", f'{found}; CLAUDE_PROJECT_DIR="{root}"; {line}'], call)
    if shutil.which("bash") and shutil.which("jq"):
        cases["bash+jq, open"] = (["bash", "-c", SCRIPT, "gate", str(opened)], call)
        cases["bash+jq, closed"] = (["bash", "-c", SCRIPT, "gate", str(closed)], call)
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(runs + 2):
        for name, (argv, given) in cases.items():
            start = time.perf_counter()
            done = subprocess.run(argv, input=given.encode(), env=env, capture_output=True)
            if turn > 1:
                taken[name].append(time.perf_counter() - start)
            assert done.returncode == 0, done.stderr
            assert (b'"deny"' in done.stdout) == name.endswith("closed"), done.stdout
    return taken


if __name__ == "__main__":
    main()
