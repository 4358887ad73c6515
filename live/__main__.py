"""Drives every client through every point and prints a table.

    make live
    python -m live [--client NAME] [--point NAME] [--keep] [--json] [--write-docs]

Clients are installed from npm into the scratch folder (`build/live/clients`) once; `--clients DIR`
uses copies that are there already. Where namespaces can be had, nothing but loopback is reachable
while they run. Each point has a fresh HOME and project under `build/live/runs/CLIENT/POINT`; with
`--keep`, or where a point failed, they stay: `events/` (what the client sent to our hooks),
`requests.jsonl` (what reached the model) and `output.txt` (what the client printed). The exit code
is 0 when nothing failed.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from live.clients import CLIENTS
from live.clients.base import Client, Failed, Skipped
from live.install import install, version_of
from live.points import POINTS
from live.table import Result, as_markdown, write_docs
from live.workspace import CHECKOUT, Workspace

_INSIDE = "LITHIFY_LIVE_LOOPBACK_ONLY"


def main() -> int:
    """Install, shut the network out, run, report."""
    given = _options()
    given.scratch.mkdir(parents=True, exist_ok=True)
    if _INSIDE not in os.environ:
        for client in _chosen(given.client):
            _say(f"installing {client.package}")
            try:
                install(client, given.clients or given.scratch / "clients")
            except Skipped as reason:
                _say(f"{client.title}: {reason}")
        alone = _without_network()
        if alone:
            command = [*alone, sys.executable, "-m", "live", *sys.argv[1:]]
            environment = {**os.environ, _INSIDE: "1"}
            return subprocess.run(command, env=environment, cwd=CHECKOUT, check=False).returncode
        network = "not shut out, because this machine lends no network namespaces"
    else:
        _raise_loopback()
        network = "loopback only"
    return _report(given, network)


def _report(given: argparse.Namespace, network: str) -> int:
    versions: dict[str, str] = {}
    with ThreadPoolExecutor(given.jobs) as pool:
        per_client = pool.map(lambda client: _drive(client, given, versions), _chosen(given.client))
        results = [result for several in per_client for result in several]
    titles = {one.name: f"{one.title} {versions.get(one.name, '')}".strip() for one in CLIENTS}
    points = {name: name.replace("_", " ").capitalize() for name in POINTS}
    if given.json:
        print(json.dumps({"versions": versions, "results": [asdict(r) for r in results]}, indent=2))
    else:
        table = as_markdown(results, titles, points, network)
        print(table)
        if given.write_docs:
            write_docs(CHECKOUT / "live" / "README.md", table)
    return int(any(result.state == "failed" for result in results))


def _drive(
    client: type[Client], given: argparse.Namespace, versions: dict[str, str]
) -> list[Result]:
    """Every point with one client."""
    chosen = given.point or list(POINTS)
    try:
        program = client.installed((given.clients or given.scratch / "clients") / client.command)
        if not program.exists():
            raise Skipped("it could not be installed")
        versions[client.name] = version_of(program, given.scratch / "runs" / client.name / "home")
    except Skipped as reason:
        return [Result(client.name, point, "skipped", str(reason)) for point in chosen]
    return [_try(client, program, point, given) for point in chosen]


def _try(client: type[Client], program: Path, point: str, given: argparse.Namespace) -> Result:
    folder = given.scratch / "runs" / client.name / point
    shutil.rmtree(folder, ignore_errors=True)
    workspace = Workspace(folder)
    workspace.environment["PATH"] = f"{workspace.bin}:{program.parent}:{os.environ.get('PATH', '')}"
    try:
        POINTS[point](client(program, workspace))
        result = Result(client.name, point, "passed")
    except Skipped as reason:
        result = Result(client.name, point, "skipped", str(reason))
    except Failed as seen:
        result = Result(client.name, point, "failed", str(seen))
    except (OSError, ValueError, LookupError) as error:
        result = Result(client.name, point, "failed", f"{type(error).__name__}: {error}")
    finally:
        workspace.close()
    if result.state != "failed" and not given.keep:
        shutil.rmtree(folder, ignore_errors=True)
    _say(f"{client.title}: {point}: {result.state}" + (f" ({result.seen})" if result.seen else ""))
    return result


def _chosen(names: Sequence[str] | None) -> list[type[Client]]:
    return [client for client in CLIENTS if not names or client.name in names]


def _without_network() -> list[str]:
    """The command that runs another without a network, or nothing where that cannot be had."""
    for command in (["unshare", "-n"], ["unshare", "-r", "-n"]):
        try:
            if subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0:
                return command
        except OSError:
            pass
    return []


def _raise_loopback() -> None:
    """Set the flag IFF_UP of `lo`, which a new namespace leaves down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh22x", b"lo", 0x1)
        fcntl.ioctl(any_socket, 0x8914, request)


def _options() -> argparse.Namespace:
    options = argparse.ArgumentParser(prog="live", description="Drive the real clients.")
    options.add_argument("--client", action="append", choices=[one.name for one in CLIENTS])
    options.add_argument("--point", action="append", choices=list(POINTS))
    options.add_argument("--scratch", type=Path, default=CHECKOUT / "build" / "live")
    options.add_argument("--clients", type=Path, help="a folder with installed clients")
    options.add_argument("--jobs", type=int, default=2, help="clients at the same time")
    options.add_argument("--keep", action="store_true", help="keep every run's folder")
    options.add_argument("--json", action="store_true")
    options.add_argument("--write-docs", action="store_true", help="put the table into the docs")
    given = options.parse_args()
    given.scratch = given.scratch.resolve()
    given.clients = given.clients and given.clients.resolve()
    return given


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
