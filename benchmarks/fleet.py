"""Throughput of a fleet against what concurrency and latency allow, and how its memory grows.

    python benchmarks/fleet.py [--roots 2000] [--workers 1 4] [--at-once 8] [--latency 1.0]

A model server on the loopback answers every call after a fixed time, a PostgreSQL of its own is
shared by the workers, and each root has one week to write in one call. At best, `at-once / latency`
calls are answered a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import fleets
import roots
from lithify.engines.base import Call
from lithify.fleet import runs
from lithify.fleet.registry import FleetRoot, ProviderLimit, Registry, RunOptions
from lithify.fleet.runs import OPEN

DAY = "# Notes\n\n- Decided to ship release 2.{n}.1 on Friday.\n- Merged PR {n}, it went well.\n"
TOML = 'zone = "UTC"\n[weekly]\nstyle = "combined"\n[monthly]\nmin_weeklies_for_monthly = 5\n'


async def serve(latency: float) -> None:
    """Answer chat completions after `latency` seconds; prints the port, then a line a call."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                began = time.time()
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length")
                )
                asked = json.loads(await reader.readexactly(length))
                await asyncio.sleep(latency)
                writer.write(reply_to(asked))
                await writer.drain()
                print(began, time.time(), flush=True)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def reply_to(asked: dict[str, object]) -> bytes:
    messages = asked["messages"]
    assert isinstance(messages, list)
    prompt = "\n".join(str(one["content"]) for one in messages if one["role"] == "user")
    text = roots.answer(Call(prompt, "", 0.0, 0))
    message = {"role": "assistant", "content": text}
    body = json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960},
        }
    ).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (
        len(body),
        body,
    )


def resident(pid: int) -> int:
    """Resident memory of a process in KiB."""
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


def step_cost(url: str) -> float:
    """Milliseconds that the durable engine takes for a step that does nothing."""
    code = (
        "import sys, time, logging\n"
        "from dbos import DBOS\n"
        "DBOS(config={'name': 'steps', 'system_database_url': sys.argv[1], 'log_level': 'ERROR'})\n"
        "@DBOS.workflow()\n"
        "def steps():\n"
        "    began = time.perf_counter()\n"
        "    for _ in range(300):\n"
        "        DBOS.run_step({'name': 'none'}, int)\n"
        "    return (time.perf_counter() - began) / 300\n"
        "DBOS.launch()\n"
        "print(steps() * 1000)\n"
        "DBOS.destroy()\n"
    )
    done = subprocess.run([sys.executable, "-c", code, url], capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def measure(folder: Path, count: int, workers: int, at_once: int, latency: float) -> None:
    found = []
    for n in range(count):
        root = folder / f"r{n}"
        (root / "memory").mkdir(parents=True)
        (root / "lithify.toml").write_text(TOML)
        (root / "memory" / "2026-04-08.md").write_text(DAY.format(n=n))
        found.append(FleetRoot(f"file://{root}", f"tenant{n % 10}"))
    command = [sys.executable, __file__, "--serve", str(latency)]
    with open(folder / "calls.log", "w") as log:
        server = subprocess.Popen(command, stdout=log)
    try:
        while not (port := (folder / "calls.log").read_text().partition("\n")[0]):
            time.sleep(0.05)
        model = f"openai-compatible:http://127.0.0.1:{port}/v1#m"
        with fleets.postgres() as database:
            url = database.get_uri()
            cost = step_cost(url)
            limits = {"openai-compatible": ProviderLimit(at_once=at_once)}
            # More roots than calls at once, so that one is ready whenever a call ends.
            slots = max(2, -(-at_once * 7 // (4 * workers)))
            began = time.time()
            registry = Registry(tuple(found), RunOptions(model=model), limits)
            run = runs.start(url, registry, slots, roots.NOW)
            queued = time.time() - began
            crew = fleets.Workers(url, slots, {"LITHIFY_TIMEOUT": "60", "LITHIFY_FLEET_DEAD": "60"})
            crew.start(workers)
            sizes: list[tuple[int, int]] = []

            def turn(left: int) -> None:
                sizes.append((count - left, sum(resident(one.pid) for one in crew.running)))
                time.sleep(1.0)

            try:
                fleets.finished(url, run, turn, 3600)
            finally:
                crew.stop()
            states = {row.state for row in runs.rows_of(url, run)}
            assert not runs.rows_of(url, run, OPEN)
    finally:
        server.kill()
        server.wait()
    calls = [
        tuple(map(float, line.split()))
        for line in (folder / "calls.log").read_text().splitlines()[1:]
    ]
    first, last = min(b for b, _ in calls), max(e for _, e in calls)
    rate, best = len(calls) / (last - first), at_once / latency
    lost = (last - first) * at_once / len(calls) - latency
    early = max(size for done, size in sizes if count * 0.1 <= done <= count * 0.4)
    late = max(size for done, size in sizes if done >= count * 0.7)
    print(
        f"{count} roots, {workers} workers: {len(calls)} calls in {last - first:.0f} s, "
        f"{rate:.2f}/s of {best:.2f}/s = {100 * rate / best:.0f} %; "
        f"{1000 * lost:.0f} ms of a place lost per call; {cost:.1f} ms per durable step; "
        f"queued in {queued:.1f} s; memory {early // 1024} MiB early, {late // 1024} MiB late; "
        f"states {sorted(states)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--roots", type=int, default=2000)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--latency", type=float, default=1.0)
    parser.add_argument("--serve", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve is not None:
        asyncio.run(serve(given.serve))
    os.environ["NO_PROXY"] = "127.0.0.1"
    # The server is on the loopback without TLS; reading a list of authorities would be measured too.
    os.environ["SSL_CERT_DIR"] = str(Path(__file__).parent)
    for workers in given.workers:
        with tempfile.TemporaryDirectory(prefix="lithify-fleet-") as folder:
            measure(Path(folder), given.roots, workers, given.at_once, given.latency)


if __name__ == "__main__":
    main()
