"""Many roots in one run: each as if it were alone, within limits, and none in the others' way."""

from __future__ import annotations

import json
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("dbos", reason="pip install '.[fleet]'")
pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")
pytest.importorskip("rs_bpe", reason="pip install rs-bpe")

import sqlalchemy as sa

import fleets
import roots
import wire
from lithify.cli import lithify
from lithify.engines.providers.facts import Price
from lithify.errors import BudgetReached, ConfigError, UsageError
from lithify.fleet import admission, database, runs
from lithify.fleet.admission import SharedLimit
from lithify.fleet.registry import FleetRoot, ProviderLimit, Registry, RunOptions, read_registry
from lithify.fleet.runs import status_of
from lithify.fleet.worker import work_off
from lithify.values import Usage

PRICE = '[models."{model}"]\nwindow = 100000\nprice = [3.0, 15.0]\n'


@pytest.fixture(scope="module")
def server() -> Iterator[wire.Wire]:
    with pytest.MonkeyPatch.context() as patch:
        wire.reach(patch)
        with wire.serving() as found:
            yield found


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/fleet.sqlite"


def states(url: str, run: str) -> dict[str, str]:
    return {Path(row.url).name: row.state for row in runs.rows_of(url, run)}


def told(url: str, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(lithify, ["fleet", *arguments, "--database", url])
    return done.exit_code, done.output


def test_each_root_is_as_if_alone_and_a_bad_one_stops_no_other(
    tmp_path: Path, url: str, server: wire.Wire
) -> None:
    good = [roots.make(tmp_path / f"good{n}", fleets.days_of(n)) for n in range(2)]
    alone = shutil.copytree(good[0], tmp_path / "alone")
    poison = roots.make(tmp_path / "poison")
    (poison / "lithify.toml").write_text("model = 7\n")
    endless = roots.make(tmp_path / "endless", {"2026-04-02": ("Endless " * 400,)})
    late = tmp_path / "late"
    server.answer = lambda call: (
        "endless " * 3_000 if "Endless" in call.prompt else wire.careful(call)
    )

    run = runs.start(url, fleets.registry_of([*good, poison, endless, late], server), now=roots.NOW)
    work_off(url, run)

    found = states(url, run)
    assert found.pop("endless") in ("failed", "done")
    assert found == {"good0": "done", "good1": "done", "poison": "failed", "late": "failed"}
    assert fleets.held(good[0]) == fleets.compacted_alone(alone, server)
    page = (good[0] / "memory/weekly/2026-W14.md").read_text()
    assert f"created: {roots.NOW:%Y-%m-%dT%H:%M:%SZ}" in page
    id = next(row.id for row in runs.rows_of(url, run) if row.url.endswith("good0"))
    with runs.client_of(url) as client:
        steps = [step["function_name"] for step in client.list_workflow_steps(id)]
    assert steps.count("call") == fleets.saved_replies(good[0])
    assert steps.count("commit") == len(fleets.commits(good[0]))
    assert set(steps) == {"call", "commit"}
    left = json.loads((good[0] / ".lithify/fleet/status.json").read_text())
    assert (left["run"], left["state"]) == (run, "done")

    code, text = told(url, "status", "--json")
    status = json.loads(text)
    assert (code, status["roots"]["running"], status["over"]) == (1, 0, True)
    assert any("lithify.toml" in one["reason"] for one in status["wrong"])

    roots.make(late)
    code, text = told(url, "retry", f"file://{late}")
    assert (code, text) == (0, "1 root back in the queue\n")
    work_off(url, run)
    assert states(url, run)["late"] == "done"


def test_the_spend_cap_ends_the_run_and_what_is_committed_stays(
    tmp_path: Path, url: str, server: wire.Wire
) -> None:
    server.answer = wire.careful
    toml = PRICE.format(model=fleets.model_at(server))
    folders = [roots.make(tmp_path / f"r{n}", fleets.days_of(n), toml) for n in range(2)]
    found = tuple(FleetRoot(f"file://{f}", f"tenant{n}") for n, f in enumerate(folders))
    options = RunOptions(model=fleets.model_at(server), max_cost=0.086, reader="off")
    # The second tenant has not enough for a single call.
    run = runs.start(url, Registry(found, options, {}, {"tenant1": 0.01}), 1, roots.NOW)
    work_off(url, run)
    status = status_of(url, run)
    assert status["exit_code"] == 6
    assert set(states(url, run).values()) == {"budget"}
    assert fleets.commits(folders[0])
    assert 0 < status["spent"]["all"]["cost"] <= 0.086
    assert status["spent"]["tenant1"]["calls"] == 0
    assert status["spent"]["all"]["calls"] == sum(map(fleets.saved_replies, folders))
    code, text = told(url, "status")
    assert code == 6
    assert "$0.0100 for tenant1" in text

    before = len(server.seen)
    run = runs.start(
        url, Registry(found, RunOptions(model=options.model, reader="off")), 1, roots.NOW
    )
    work_off(url, run)
    assert set(states(url, run).values()) == {"done"}
    # What the first run paid for is not asked again.
    bought = len(server.seen) - before + status["spent"]["all"]["calls"]
    assert bought == sum(map(fleets.saved_replies, folders))


def limit_at(url: str, provider: str = "p", **caps: float) -> SharedLimit:
    engine = database.connected(url)
    price = Price(1.0, 1.0, 1.0)
    return SharedLimit(engine, "run", "t", "w", provider, "p:m", price, **caps)


def prepared(url: str, **limit: int) -> None:
    engine = database.connected(url)
    with engine.begin() as connection:
        connection.execute(
            database.spending.insert(),
            [{"run": "run", "tenant": ""}, {"run": "run", "tenant": "t"}],
        )
        connection.execute(database.providers.insert().values(provider="p", **limit))


def test_limits_hold_over_any_sliding_minute_as_the_provider_sees_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    minute = 1.0
    monkeypatch.setattr(admission, "MINUTE", minute)
    prepared(url, requests_per_minute=6, tokens_per_minute=2000, at_once=3)
    seen: list[tuple[float, int]] = []
    under_way, most, lock = 0, 0, threading.Lock()

    def call(size: int) -> None:
        nonlocal under_way, most
        limit = limit_at(url)
        held = limit.hold(100, size)
        with lock:
            under_way += 1
            most = max(most, under_way)
            seen.append((time.monotonic(), size))
        with lock:
            under_way -= 1
        limit.book(held, 100, Usage(100, size))

    threads = [threading.Thread(target=call, args=(100 * (n % 5),)) for n in range(18)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 18
    assert most <= 3
    for start, _ in seen:
        window = [size + 100 for at, size in seen if start <= at < start + minute]
        assert len(window) <= 6
        assert sum(window) <= 2000


def test_a_call_waits_for_what_is_set_aside_and_is_refused_by_what_is_spent(url: str) -> None:
    prepared(url)
    first, second = limit_at(url, max_tokens=3000), limit_at(url, max_tokens=3000)
    held = first.hold(100, 2000)
    done: list[Usage] = []
    waiting = threading.Thread(target=lambda: done.append(second.hold(100, 1500)))
    waiting.start()
    assert not done
    first.book(held, 100, Usage(100, 400))
    waiting.join(30)
    assert done
    second.book(done[0], 100, Usage(100, 1500))
    with pytest.raises(BudgetReached) as refused:
        first.hold(100, 2000)
    assert refused.value.exit_code == 6


def test_calls_of_a_dead_worker_free_their_place_and_count_at_their_worst(url: str) -> None:
    prepared(url, at_once=1)
    dead = limit_at(url)
    worst = dead.hold(100, 500)
    admission.end_calls_of(database.connected(url), "w")
    limit_at(url).hold(100, 500)
    with database.connected(url).begin() as connection:
        row = connection.execute(
            sa.select(database.spending).where(database.spending.c.tenant == "t")
        ).one()
    assert row.input + row.output == worst.input + worst.output


def test_a_call_that_no_minute_allows_is_refused_at_once(url: str) -> None:
    prepared(url, tokens_per_minute=100)
    with pytest.raises(UsageError, match="tokens_per_minute"):
        limit_at(url).hold(100, 500)


def test_tenants_take_turns_and_urgent_roots_go_first() -> None:
    many = [FleetRoot(f"file:///big/{n}", "big") for n in range(3)]
    few = [FleetRoot("file:///small/0", "small")]
    urgent = [FleetRoot("file:///now", "big", 1)]
    ranked = sorted(runs._ranked([*many, *few, *urgent]), key=lambda one: one[1])
    assert [root.url for root, _ in ranked] == [
        "file:///now",
        "file:///big/0",
        "file:///small/0",
        "file:///big/1",
        "file:///big/2",
    ]


def test_a_run_can_be_paused_cancelled_and_gone_on_with(
    tmp_path: Path, url: str, server: wire.Wire
) -> None:
    server.answer = wire.careful
    folders = [roots.make(tmp_path / f"r{n}") for n in range(2)]
    run = runs.start(url, fleets.registry_of(folders, server), 2, roots.NOW)
    assert told(url, "pause")[0] == 0
    with runs.client_of(url) as client:
        queue = client.retrieve_queue(runs.QUEUE)
        assert queue is not None
        assert queue.worker_concurrency == 0
    assert told(url, "cancel", f"file://{folders[0]}") == (0, "1 root cancelled\n")
    assert told(url, "resume", "--slots", "2")[0] == 0
    work_off(url, run)
    assert states(url, run) == {"r0": "cancelled", "r1": "done"}
    assert not fleets.commits(folders[0])
    assert told(url, "status")[0] == 3

    # The record of a run that is over is kept for a month.
    runs.start(url, fleets.registry_of(folders, server), 2, roots.NOW + runs.KEPT)
    assert runs.rows_of(url, run)
    runs.start(url, fleets.registry_of(folders, server), 2, roots.NOW + runs.KEPT * 2)
    assert not runs.rows_of(url, run)


def test_a_registry_names_tenants_roots_limits_and_a_schedule(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        (tmp_path / "acme" / name / "memory").mkdir(parents=True)
    (tmp_path / "acme" / "notes").mkdir()
    file = tmp_path / "fleet.toml"
    file.write_text(
        '[run]\nmodel = "offline"\nmax_cost = 5.0\nschedule = "0 3 * * *"\n'
        "[limits.anthropic]\nat_once = 4\nrequests_per_minute = 50\n"
        '[tenants.acme]\nroots = ["acme/*", "s3://bucket/agents/zoe"]\n'
        "max_cost = 1.5\npriority = 2\n"
    )
    found = read_registry(str(file))
    assert [root.url for root in found.roots] == [
        f"file://{tmp_path}/acme/ann",
        f"file://{tmp_path}/acme/bob",
        "s3://bucket/agents/zoe",
    ]
    assert {(root.tenant, root.priority) for root in found.roots} == {("acme", 2)}
    assert found.options == RunOptions(model="offline", max_cost=5.0)
    assert found.limits == {"anthropic": ProviderLimit(4, 50)}
    assert (found.tenant_costs, found.schedule) == ({"acme": 1.5}, "0 3 * * *")
    file.write_text("[limits.anthropic]\nper_minute = 4\n")
    with pytest.raises(ConfigError, match="per_minute"):
        read_registry(str(file))


def test_a_schedule_starts_a_run_of_its_registry(tmp_path: Path, url: str) -> None:
    from dbos import DBOS

    from lithify.fleet.worker import keep_schedule, working

    roots.make(tmp_path / "agents" / "ann")
    file = tmp_path / "fleet.toml"
    file.write_text(
        '[run]\nmodel = "offline"\nschedule = "0 3 * * *"\n[tenants.t]\nroots = ["agents/*"]\n'
    )
    with working(url):
        keep_schedule(str(file))
        DBOS.trigger_schedule(f"registry:{file}").get_result()
        run = runs.newest_run(url)
        fleets.finished(url, run, lambda left: None, 60)
    assert states(url, run) == {"ann": "done"}


def test_without_the_extra_the_command_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, url: str
) -> None:
    monkeypatch.setitem(sys.modules, "dbos", None)
    for call in (["fleet", "status", "--database", url], ["fleet"]):
        done = CliRunner().invoke(lithify, call)
        assert "pip install '.[fleet]'" in str(done.exception)
