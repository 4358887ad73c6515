"""How long the command takes to start, as ratios to a bare `python -c pass`.

    python benchmarks/startup.py [--runs 15]

The same interpreter, runs interleaved, medians of processor time (user and system). Byte code is compiled beforehand: an
installed package has it.
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
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


#: What an MCP client sends first; only `lithify mcp` reads it.
HELLO: tuple[dict[str, object], ...] = (
    {
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "startup", "version": "0"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 1, "method": "tools/list"},
)


def cpu_seconds(argv: list[str], env: dict[str, str], given: Path) -> float:
    """What a command costs the processor, user and system: steadier than the clock."""
    with open(os.devnull, "w") as nowhere, given.open() as file:
        process = subprocess.Popen(argv, env=env, stdin=file, stdout=nowhere)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    compileall.compile_dir(str(ROOT / "src"), quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "root"
        shutil.copytree(ROOT / "examples" / "sample", small)
        command = [str(Path(sys.executable).parent / "lithify")]
        hello = Path(folder) / "hello.jsonl"
        hello.write_text("".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in HELLO))
        # From here on nothing is due.
        cpu_seconds([*command, "compact", "--root", str(small)], env, hello)
        cases = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -c 'import click'": [sys.executable, "-c", "import click"],
            "lithify --help": [*command, "--help"],
            "lithify status  # 63 days": [*command, "status", "--root", str(small)],
            "lithify compact  # nothing due": [*command, "compact", "--root", str(small)],
            "python -c 'import mcp.server'": [sys.executable, "-c", "import mcp.server"],
            "lithify mcp  # tools listed": [*command, "mcp", "--root", str(small)],
        }
        taken: dict[str, list[float]] = {name: [] for name in cases}
        for turn in range(runs + 2):
            for name, argv in cases.items():
                spent = cpu_seconds(argv, env, hello)
                if turn > 1:
                    taken[name].append(spent)
    bare = statistics.median(taken["python -c pass"])
    print(f"start-up, median of {runs}, ratio to `python -c pass` of {sys.version.split()[0]}")
    for name, seconds in taken.items():
        print(f"  {name:30} {statistics.median(seconds) / bare:5.1f}x")
    print("goals: --help <= 6x, status <= 8x, compact with nothing due <= 12x")


if __name__ == "__main__":
    main()
