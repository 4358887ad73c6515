"""Kill it anywhere, fill its disk, cut its power: nothing is lost and the next run converges."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import faults
import scenarios

# The errors take one way through the code; some scenarios are enough to see them differ.
SOME = (*faults.KILLS, *faults.CUTS, "ENOSPC")
EVERY = (*faults.KILLS, *faults.CUTS, *faults.ERRORS)


@pytest.mark.parametrize("scenario", ["new_day", "known_root", "grown_day", "day_without_newline"])
def test_capture_survives_any_fault(scenario: str, tmp_path: Path) -> None:
    kinds = EVERY if scenario in ("new_day", "day_without_newline") else SOME
    points = faults.run(f"scenarios:{scenario}", tmp_path, kinds)
    assert points["kill-half"] >= 4  # the lock, the staged bytes, the journal, the day
    assert min(points[kind] for kind in kinds if kind not in ("kill-half", "short")) >= 15


@pytest.mark.parametrize(
    "scenario", ["new_file", "replaced_file", "two_files", "twins", "deletion"]
)
def test_commit_survives_any_fault(scenario: str, tmp_path: Path) -> None:
    kinds = EVERY if scenario == "two_files" else SOME
    points = faults.run(f"scenarios:{scenario}", tmp_path, kinds)
    assert points["kill-half"] >= 2
    assert min(points[kind] for kind in kinds if kind not in ("kill-half", "short")) >= 15


def test_saved_reply_is_whole_or_absent(tmp_path: Path) -> None:
    points = faults.run("scenarios:save", tmp_path, EVERY)
    assert points["kill"] >= 8


def test_repair_may_be_broken_off_at_any_point(tmp_path: Path) -> None:
    points = faults.run("scenarios:broken_root", tmp_path, ("kill", "cut-all"))
    assert points["kill"] >= 30


def test_recovery_may_be_killed_at_any_point(tmp_path: Path) -> None:
    points = faults.run("scenarios:killed_recoveries", tmp_path, faults.KILLS)
    assert points["kill"] >= 50 and points["kill-half"] >= 3


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
@pytest.mark.parametrize(
    ("scenario", "call"),
    [
        *(("known_root", call) for call in ("write", "fsync", "mkdir", "unlink")),
        *(("two_files", call) for call in ("write", "fsync", "rename")),
    ],
)
def test_kernel_kills_at_every_system_call(scenario: str, call: str, tmp_path: Path) -> None:
    # Not every machine has each of them: arm64 has no mkdir, only mkdirat.
    calls = f"?{call},?{call}at,?{call}at2"
    code = f"import sys, scenarios; scenarios.{scenario}.act(sys.argv[1])"
    strace = ["strace", "-f", "-o", os.devnull, "-e", f"trace={calls}", "-e"]
    python = [sys.executable, "-B", "-c", code]
    for point in itertools.count(1):
        root = tmp_path / str(point)
        root.mkdir()
        getattr(scenarios, scenario).prepare(root)
        done = subprocess.run(
            [*strace, f"inject={calls}:signal=KILL:when={point}", *python, str(root)],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            break
        assert "Traceback" not in done.stderr, done.stderr
        getattr(scenarios, scenario).check(root, faults.Crash("kill", point, done=False))
    assert point > 1
