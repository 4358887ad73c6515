"""The documents say what the program does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lithify.cli import COMMANDS

REPO = Path(__file__).parent.parent


def test_the_commands_are_documented_as_they_are() -> None:
    done = subprocess.run(
        [sys.executable, str(REPO / "scripts" / "commands-doc"), "--print"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (REPO / "docs" / "commands.md").read_text("utf-8"), (
        "run scripts/commands-doc"
    )
    for name in COMMANDS:
        assert f"## lithify {name}\n" in done.stdout


@pytest.mark.parametrize("path", ["", "status", "gate status"])
def test_help_is_documented_as_the_program_prints_it(path: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lithify", *path.split(), "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "98"},
    )
    page = (REPO / "docs" / "commands.md").read_text("utf-8")
    assert f"## {f'lithify {path}'.strip()}\n\n```\n{done.stdout}```\n" in page


def test_the_demo_shows_whole_entries_of_wisdom(tmp_path: Path) -> None:
    command = tmp_path / "lithify"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m lithify.cli "$@"\n')
    command.chmod(0o755)
    demo = tmp_path / "demo"
    done = subprocess.run(
        [REPO / "scripts/demo", command, REPO / "examples/sample", demo],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    shown = done.stdout.partition("WISDOM.md\x1b[0m\n")[2].partition("\n\n\x1b[1m")[0]
    pieces = [piece for piece in shown.split("\n\n") if piece.startswith("**")]
    whole = re.sub(r" *<!--.*-->", "", (demo / "WISDOM.md").read_text()).split("\n\n")
    assert pieces and all(piece.rstrip() in [one.rstrip() for one in whole] for piece in pieces)


def blocks(language: str, page: str = "README.md") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (REPO / page).read_text("utf-8"), re.DOTALL)


def run_as_typed(lines: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Commands in a shell in which `lithify` is this one, in a home of its own."""
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    command = bin_folder / "lithify"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m lithify.cli "$@"\n')
    command.chmod(0o755)
    env = {**os.environ, "HOME": str(folder), "PATH": f"{bin_folder}:{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "-euc", "\n".join(lines)],
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_commands_of_the_readme_work(tmp_path: Path) -> None:
    script = "".join(block for block in blocks("sh") if "lithify init" in block)
    lines = [line for line in script.splitlines() if not line.startswith("pip ")]
    done = run_as_typed([line for line in lines if line], tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "agent" / "memory").is_dir()
    assert "lithify trace" in script and "lithify doctor" in script
    assert "signed it off" in done.stdout.partition("From memory")[2]


def test_the_commands_of_the_offline_engine_work(tmp_path: Path) -> None:
    days = sorted((REPO / "examples" / "sample" / "memory").glob("????-??-??.md"))[:6]
    (tmp_path / "memory").mkdir()
    for day in days:
        (tmp_path / "memory" / day.name).write_bytes(day.read_bytes())
    for own, given in (("labelled", "benchmarks/sections"), ("wanted", "examples/keep")):
        lines = (REPO / f"{given}.jsonl").read_text("utf-8").splitlines(keepends=True)
        (tmp_path / f"{own}.jsonl").write_text("".join(lines[:20]))
    done = run_as_typed("".join(blocks("sh", "docs/engine.md")).splitlines(), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "word+atom cover" in done.stdout and "must keep" in done.stdout
    assert (tmp_path / "retention.svg").stat().st_size > 0
    assert not (tmp_path / "memory" / "weekly").exists()


def test_the_python_of_the_readme_works(tmp_path: Path) -> None:
    (code,) = blocks("python")
    (tmp_path / "agent" / "memory").mkdir(parents=True)
    (tmp_path / "agent" / "memory" / "2026-04-02.md").write_text("- 09:00 Decision: keep JWT.\n")
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "week 2026-W14 current" in done.stdout


@pytest.mark.parametrize(
    "page",
    sorted(
        p.relative_to(REPO).as_posix()
        for p in REPO.glob("**/*.md")
        if ".venv" not in p.parts and "sample" not in p.parts and "build" not in p.parts
    ),
)
def test_links_lead_somewhere(page: str) -> None:
    path = REPO / page
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target


def test_every_promise_of_durability_names_a_test_that_exists() -> None:
    text = (REPO / "docs" / "durability.md").read_text("utf-8")
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", text)
    assert len(named) >= 10
    for file, test in named:
        assert f"def {test}(" in (REPO / "tests" / file).read_text("utf-8"), f"{file}::{test}"
