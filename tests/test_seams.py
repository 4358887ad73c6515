"""What another package offers by entry points works through the command line like a built-in part."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

ENTRY_POINTS = """\
[lithify.importers]
shopping = paper_notes:SHOPPING
mem0 = paper_notes:SHOPPING
no-source = paper_notes:Quoting

[lithify.clients]
till = paper_notes:TILL
gemini = paper_notes:TILL
no-client = paper_notes:Quoting

[lithify.engines]
quoting = paper_notes:Quoting

[lithify.commands]
receipts = paper_notes:receipts
log = paper_notes:receipts
"""
MODULE = """\
import json
from datetime import date
import click
from lithify import Claim, Draft
from lithify.cli.render import CommandOutput, on_memory
from lithify.hooks.clients import Client
from lithify.importers.sources import Broken, ImportItem, ImportSource, LeftOut

def read(path):
    for line in path.read_text("utf-8").splitlines():
        day, _, text = line.partition(" ")
        if not text:
            yield Broken(path.name, "a line has no text")
        elif text.startswith("#"):
            yield LeftOut("comments")
        else:
            yield ImportItem(date.fromisoformat(day), "Bought", text, line)

SHOPPING = ImportSource(
    name="git",
    title="Shopping lists",
    where="the kitchen",
    looks_for="*.list files",
    find=lambda path: sorted(path.glob("*.list")),
    read=read,
)

TILL = Client(
    name="cash",
    flag="cash",
    title="The till",
    events={"Opened": "SessionStart", "Beep": "PreToolUse"},
    read=lambda event, given: given,
    write=lambda event, reply: json.dumps({"says": reply.context, "no": reply.deny}),
    project=".till/hooks.json",
    user=("", "~/.till", "hooks.json"),
    then="It takes effect with the next customer.",
    entries=lambda line, on_stuck: {
        event: [{"hooks": [{"command": line(event)}]}] for event in ("Opened", "Beep")
    },
    guard="Beep",
    denied=lambda said: said.get("no"),
)

@click.command()
@on_memory
def receipts(memory):
    days = memory.status().days
    return CommandOutput({"days": days}, [f"{days} days of receipts"])

class Quoting:
    name = mark = "quoting"
    room = None
    extractive = True

    def draft(self, brief, back=None, attempt=0):
        last = brief.sections[-1] if brief.sections else ""
        return Draft(tuple(Claim(e.text, (e.id,), last, e.trusted) for e in brief.entries))
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Install a package into a folder as pip would, without a network."""
    info = tmp_path / "site" / "paper_notes-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: paper-notes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    (info.parent / "paper_notes.py").write_text(MODULE)
    return info.parent


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    folder = tmp_path / "kitchen"
    folder.mkdir()
    (folder / "april.list").write_text("2026-04-02 Two pumps for 80 EUR.\n2026-04-03 # idle\n")
    return folder


def run(site: Path, *args: str, given: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(site)}
    command = [sys.executable, "-m", "lithify", *args]
    return subprocess.run(command, input=given, capture_output=True, text=True, env=env)


def test_an_importer_of_another_package_brings_its_records_in(
    site: Path, lists: Path, tmp_path: Path
) -> None:
    root = str(tmp_path / "root")
    assert run(site, "init", root).returncode == 0
    done = run(site, "import", "shopping", str(lists), "--root", root)
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout.startswith("1 entry came in on 1 day") and "left out: comments" in done.stdout
    )
    # The origin is the name that was asked for, whatever the package calls itself.
    assert "lithify trust import:shopping" in done.stdout
    day = next(Path(root).rglob("2026-04-02.md")).read_text()
    assert "- Bought: Two pumps for 80 EUR." in day


def test_an_entry_point_is_no_way_around_the_table(site: Path, lists: Path, tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    assert run(site, "init", root).returncode == 0
    taken = run(site, "import", "mem0", str(lists), "--root", root)
    assert taken.returncode == 2 and "does not look like mem0 exports" in taken.stderr
    unknown = run(Path(os.devnull), "import", "shopping", str(lists))
    assert unknown.returncode == 2 and "there is no source 'shopping'" in unknown.stderr
    wrong = run(site, "import", "no-source", str(lists))
    assert wrong.returncode == 2 and "is no ImportSource" in wrong.stderr


def test_built_in_sources_are_found_without_reading_entry_points(site: Path) -> None:
    code = (
        "import sys; from lithify.importers.sources import source_named; source_named('mem0')\n"
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_an_engine_of_another_package_writes_pages(site: Path, tmp_path: Path) -> None:
    days = tmp_path / "root" / "memory"
    days.mkdir(parents=True)
    (days / "2026-04-02.md").write_text("- The pump runs again.\n")
    done = run(site, "compact", "--model", "quoting", "--root", str(tmp_path / "root"))
    assert done.returncode == 0, done.stderr
    page = (days / "weekly" / "2026-W14.md").read_text()
    assert "engine: quoting" in page and "- The pump runs again. <!--" in page


def test_a_client_of_another_package_is_given_hooks_that_answer(site: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    done = run(site, "init", str(root), "--client", "till")
    assert done.returncode == 0, done.stderr
    assert "The till: hooks added to" in done.stdout
    hooks = (root / ".till" / "hooks.json").read_text()
    # The line names the client as it was asked for, whatever the package calls it.
    assert "lithify.hooks Beep --harness till --root" in hooks and "cash" not in hooks
    (root / "memory").mkdir(exist_ok=True)
    (root / "memory" / f"{date.today()}.md").write_text("- The till drawer sticks.\n")
    event = json.dumps({"session_id": "5b1e", "cwd": str(root)})
    said = run(site, "hook", "Opened", "--harness", "till", "--root", str(root), given=event)
    assert said.returncode == 0 and "The till drawer sticks." in json.loads(said.stdout)["says"]
    gone = run(site, "init", str(root), "--client", "till", "--remove")
    assert gone.returncode == 0 and not (root / ".till").exists()


def test_a_built_in_client_is_found_in_the_table_and_an_unknown_one_refused(
    site: Path, tmp_path: Path
) -> None:
    (tmp_path / "lithify.toml").touch()
    there = ("--command", "--root", str(tmp_path))
    line = run(site, "hook", "BeforeTool", "--harness", "gemini", *there)
    assert line.returncode == 0 and "BeforeTool --harness gemini" in line.stdout
    unknown = run(site, "init", str(tmp_path / "root"), "--client", "abacus")
    assert unknown.returncode == 2 and "'abacus' is not a harness" in unknown.stderr
    assert not (tmp_path / "root").exists()
    wrong = run(site, "hook", "Beep", "--harness", "no-client")
    assert wrong.returncode == 2 and "is no Client" in wrong.stderr


def test_a_command_of_another_package_runs_beside_the_built_in_ones(
    site: Path, tmp_path: Path
) -> None:
    root = str(tmp_path / "root")
    assert run(site, "init", root).returncode == 0
    # A built-in name stays with the built-in command.
    assert run(site, "log", "The pump runs again.", "--root", root).returncode == 0
    assert run(site, "receipts", "--root", root).stdout == "1 days of receipts\n"
    assert json.loads(run(site, "receipts", "--json", "--root", root).stdout) == {"days": 1}
