"""Runs that nobody watches: `lithify watch`, and the daily run of a schedule."""

from __future__ import annotations

import json
import os
import plistlib
import re
import shlex
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import roots
from lithify.calendar import stamp, system_clock
from lithify.cli import lithify as cli
from lithify.errors import UsageError
from lithify.hooks.respond import session_text
from lithify.memory import Memory
from lithify.store.last_run import INSTALLED, LastRun, last_run, save_run
from lithify.unattended import schedule
from lithify.unattended.watch import (
    FIRST_WAIT,
    LONGEST_WAIT,
    Limits,
    Upkeep,
    keep_current,
    run_once,
)

pytest.importorskip("watchfiles")

LITHIFY = [sys.executable, "-m", "lithify.cli"]
BROKEN = 'model = "local:x"\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return roots.make(tmp_path / "root", roots.MARKED)


# Watching. ---------------------------------------------------------------------------------------


def test_watch_writes_what_is_due_and_follows_new_days_until_it_is_interrupted(root: Path) -> None:
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    command = [*LITHIFY, "watch", "--root", str(root)]
    with subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as watch:
        assert watch.stdout and watch.stderr
        assert "Ctrl-C" in watch.stdout.readline()
        assert "2 weeks" in watch.stdout.readline()
        assert watch.stdout.readline().startswith("indexed ")
        second = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert second.returncode == 5 and "Another run" in second.stderr
        (root / "memory/2026-04-15.md").write_text(roots.day("Decided to keep the old importer."))
        assert "1 week" in watch.stdout.readline()
        assert watch.stdout.readline().startswith("indexed ")
        watch.send_signal(signal.SIGINT)
        assert watch.wait(30) == 130
        assert "Traceback" not in watch.stderr.read()
    assert (root / "memory/weekly/2026-W16.md").is_file()
    assert last_run(root).command == "watch" and not last_run(root).failure


def outcomes(*results: Upkeep, turns: list[tuple[float, bool]]) -> list[tuple[float, float]]:
    """When runs happened, and the wait after each, of a watch whose clock these turns are."""
    left = iter(results)
    moment = [0.0]
    seen: list[tuple[float, float]] = []

    def changes() -> Any:
        for at, changed in turns:
            moment[0] = at
            yield changed

    keep_current(
        lambda: next(left, Upkeep()),
        changes(),
        lambda done, wait: seen.append((moment[0], wait)),
        lambda: moment[0],
    )
    return seen


def test_runs_come_at_the_start_after_changes_and_when_time_has_passed() -> None:
    turns = [(1000.0, True), (1005, False), (1010, True), (1500, False), (1910, False)]
    assert [at for at, _ in outcomes(turns=turns)] == [1000, 1010, 1910]


def test_after_failures_it_waits_longer_each_time_and_changes_do_not_hurry_it() -> None:
    bad = Upkeep(error=UsageError(reason="no"))
    turns = [(1000.0, True), (1010, True), (1031, False), (1060, True), (1092, False)]
    seen = outcomes(bad, bad, turns=turns)
    assert seen == [(1000, FIRST_WAIT), (1031, 2 * FIRST_WAIT), (1092, 0)]
    many = [(1000.0 + n * LONGEST_WAIT, False) for n in range(12)]
    assert outcomes(*[bad] * 12, turns=many)[-1][1] == LONGEST_WAIT


def test_a_model_that_costs_money_needs_a_limit(root: Path) -> None:
    (root / "lithify.toml").write_text('model = "anthropic:claude-sonnet-4-5"\n')
    for command in (["watch"], ["schedule", "print", "--with", "cron"]):
        done = subprocess.run(
            [*LITHIFY, *command, "--root", str(root)], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 2 and "--max-cost" in done.stderr


# Failures are seen. ------------------------------------------------------------------------------


def test_a_run_that_fails_is_seen_in_status_and_at_the_next_sessions_start(root: Path) -> None:
    (root / "lithify.toml").write_text(BROKEN)
    command = [*LITHIFY, "schedule", "run", "--root", str(root)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and "local:x" in done.stdout

    status = subprocess.run(
        [*LITHIFY, "status", "--root", str(root)], capture_output=True, text=True, timeout=60
    )
    assert status.returncode == 3
    assert "the last automatic run (schedule, " in status.stdout
    (root / "lithify.toml").write_text("")
    memory = Memory.open(root)
    assert "The last automatic run failed on" in session_text(memory.gate, None, "one")

    assert run_once(str(root), Limits(), "schedule").exit_code == 0
    assert Memory.open(root).status().last_run.failure == ""
    assert "automatic run" not in session_text(memory.gate, None, "one")


def test_a_schedule_that_does_not_run_is_noticed_by_status_and_doctor(
    root: Path, tmp_path: Path
) -> None:
    from lithify.hooks.doctor import examine

    run_once(str(root), Limits(), "schedule")
    later = roots.opened(root, "2030-01-20").status()
    assert later.silent_days > 1000 and later.exit_code == 3
    for command, days in ((INSTALLED, 4), ("schedule", 4), ("schedule", 1), ("watch", 4)):
        moment = stamp(system_clock() - timedelta(days=days))
        save_run(root, LastRun(moment, command))
        dead = command != "watch" and days > 2
        said = CliRunner().invoke(cli, ["status", "--root", str(root)])
        assert ("has not run for 4 days" in said.output) == dead
        assert (said.exit_code == 3) == dead
        found = examine(str(root), str(tmp_path))
        assert any(one.about == "daily schedule" for one in found) == dead


def test_settings_that_cannot_be_read_are_a_failure_that_is_kept(root: Path) -> None:
    (root / "lithify.toml").write_text("not toml")
    assert run_once(str(root), Limits(), "watch").exit_code != 0
    assert "lithify.toml" in last_run(root).failure


def test_another_run_at_work_is_no_failure(root: Path) -> None:
    with Memory.open(root).locked():
        holder = subprocess.run(
            [*LITHIFY, "schedule", "run", "--root", str(root)], capture_output=True, timeout=60
        )
    assert holder.returncode == 5
    assert not last_run(root).time


# The schedule. -----------------------------------------------------------------------------------

#: A command that keeps its table in a file beside it and notes how it was called.
FAKE = """#!/bin/sh
here=$(dirname "$0")
printf '%s\\n' "$(basename "$0") $*" >> "$here/calls"
[ -e "$here/fails" ] && { echo 'no bus' >&2; exit 1; }
case "$(basename "$0") $*" in
  'crontab -l') [ -e "$here/table" ] || { echo 'no crontab for me' >&2; exit 1; }; cat "$here/table";;
  'crontab -r') rm "$here/table";;
  'crontab -') cat > "$here/table";;
esac
"""


class Machine:
    """A home and schedulers of its own."""

    def __init__(self, folder: Path) -> None:
        self.home, self.bin = folder / "home", folder / "bin"
        self.home.mkdir()
        self.bin.mkdir()
        for name in ("crontab", "systemctl", "launchctl"):
            (self.bin / name).write_text(FAKE)
            (self.bin / name).chmod(0o755)
        self.table = self.bin / "table"

    def files(self) -> dict[str, bytes]:
        found = {str(p): p.read_bytes() for p in self.home.rglob("*") if p.is_file()}
        return found | ({"table": self.table.read_bytes()} if self.table.exists() else {})

    def calls(self) -> str:
        return (self.bin / "calls").read_text()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{made.bin}:{os.environ['PATH']}")
    return made


@pytest.mark.parametrize("kind", schedule.KINDS)
@pytest.mark.parametrize("table", [None, b"", b"5 * * * * true\n", b"# mine, no newline"])
def test_removing_a_schedule_restores_every_byte(
    machine: Machine, root: Path, kind: str, table: bytes | None
) -> None:
    if table is not None:
        machine.table.write_bytes(table)
    before = machine.files()
    job = schedule.job_of(str(root), "03:10")
    assert schedule.install(job, kind)
    there = machine.files()
    assert there != before and schedule.is_installed(job, kind)
    assert not schedule.install(job, kind)
    assert machine.files() == there
    later = schedule.job_of(str(root), "04:20")
    assert schedule.install(later, kind)
    assert schedule.remove(job, kind)
    assert machine.files() == before
    assert not schedule.remove(job, kind)


def test_two_roots_have_a_schedule_each(machine: Machine, root: Path, tmp_path: Path) -> None:
    one, two = (schedule.job_of(str(tmp_path / name), "03:10") for name in ("root", "other"))
    schedule.install(one, "cron")
    only = machine.files()
    schedule.install(two, "cron")
    schedule.remove(two, "cron")
    assert machine.files() == only


def test_what_is_written_names_absolute_paths_and_survives_odd_ones(
    machine: Machine, tmp_path: Path
) -> None:
    place = tmp_path / 'a "100%" $HOME it\'s'
    place.mkdir()
    job = schedule.job_of(str(place), "7:05")
    assert Path(job.words[0]).is_absolute() and job.words[6] == str(place)
    for kind in schedule.KINDS:
        schedule.install(job, kind)
    written = {path.rpartition(".")[2]: data for path, data in machine.files().items()}
    (line,) = [x for x in written["table"].decode().splitlines() if not x.startswith("#")]
    assert line.startswith("5 7 * * * ")
    assert shlex.split(line.replace(r"\%", "%"))[5:] == list(job.words)
    assert plistlib.loads(written["plist"])["ProgramArguments"] == list(job.words)
    assert "OnCalendar=*-*-* 07:05:00" in written["timer"].decode()
    start = written["service"].decode().partition("ExecStart=")[2].splitlines()[0]
    assert shlex.split(start.replace("%%", "%").replace("$$", "$")) == list(job.words)
    assert f"systemctl --user enable --now {job.name}.timer" in machine.calls()
    assert "launchctl bootstrap gui/" in machine.calls()


def test_a_scheduler_that_refuses_leaves_nothing_behind(machine: Machine, root: Path) -> None:
    (machine.bin / "fails").touch()
    before = machine.files()
    for kind in schedule.KINDS:
        with pytest.raises(UsageError, match="no bus"):
            schedule.install(schedule.job_of(str(root), "03:10"), kind)
    assert machine.files() == before


@pytest.mark.parametrize("at", ["25:00", "3", "03:60", "noon", "03:10\n* * * * * x"])
def test_a_time_that_is_none_is_refused(root: Path, at: str) -> None:
    with pytest.raises(UsageError, match="time of day"):
        schedule.job_of(str(root), at)


def test_the_installed_command_runs_and_print_writes_nothing(machine: Machine, root: Path) -> None:
    def lithify(*words: str) -> Any:
        command = [*LITHIFY, "schedule", *words, "--root", str(root), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    before = machine.files()
    printed = lithify("print", "--with", "systemd", "--at", "03:10")
    assert machine.files() == before
    lithify("install", "--with", "systemd")
    assert last_run(root).command == INSTALLED
    assert machine.files() == {k: v.encode() for k, v in printed["files"].items()} | before
    done = subprocess.run(printed["command"], capture_output=True, text=True, timeout=60, cwd="/")
    assert done.returncode == 0 and "2 weeks" in done.stdout
    assert last_run(root).command == "schedule"
    assert lithify("remove") == {"name": printed["name"], "removed": ["systemd"]}
    assert machine.files() == before and not last_run(root).time


def test_the_commands_of_the_page_on_automatic_runs_work(machine: Machine, root: Path) -> None:
    page = (Path(__file__).parent.parent / "docs/automatic-runs.md").read_text()
    (block,) = [b for b in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if "schedule" in b]
    for line in block.splitlines():
        command = [*LITHIFY, *shlex.split(line)[1:], "--root", str(root)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
    assert "removed from systemd" in done.stdout
