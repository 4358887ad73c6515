"""What a newcomer reads: references that lead nowhere, a status that writes nothing."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import commands
import roots
from lithify import Memory
from lithify.cli import lithify
from lithify.errors import NothingToTrace


def contents(root: Path) -> dict[str, tuple[int, bytes]]:
    """Every file and folder below a root: when it was changed, and its bytes."""
    return {
        str(path): (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in [root, *root.rglob("*")]
    }


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A root with pages."""
    root = roots.make(tmp_path_factory.mktemp("written") / "root", roots.MARKED)
    Memory.open(root).compact()
    return root


@pytest.mark.parametrize("options", [[], ["--json"], ["--all"]])
def test_status_writes_nothing_to_disk(written: Path, tmp_path: Path, options: list[str]) -> None:
    never = roots.make(tmp_path / "root", roots.MARKED)
    for root in (written, never):
        before = contents(root)
        CliRunner().invoke(lithify, ["status", "--root", str(root), *options])
        assert contents(root) == before


@pytest.mark.parametrize(
    ("ref", "says"),
    [
        ("memory/2026-04-09.md", "the file is empty"),
        ("memory/weekly/2030-W02.md", "the file is empty"),
        ("memory/2026-04-02.md:1", "none of its entries is on line 1; the nearest is on line 3"),
        ("WISDOM.md:1", "none of its claims is on line 1"),
        ("memory/2026-04-10.md", "there are no entries in this file"),
        ("lithify.toml", "not a page or a day"),
        ("{outside}", "not in the memory root"),
        ("2020-W01", "no page or day of that date"),
    ],
)
def test_trace_says_why_a_reference_leads_nowhere(
    written: Path, tmp_path: Path, ref: str, says: str
) -> None:
    (written / "memory/2026-04-09.md").write_text("")
    (written / "memory/2026-04-10.md").write_text("# A heading alone\n")
    (written / "memory/weekly/2030-W02.md").write_text("")
    (tmp_path / "notes.md").write_text("- Not ours.\n")
    call = ["trace", "--root", str(written), ref.format(outside=tmp_path / "notes.md")]
    done = CliRunner().invoke(lithify, call)
    assert isinstance(done.exception, NothingToTrace) and says in str(done.exception)
    assert done.exception.exit_code == 1


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("lithify wisdom ", "revoke"),
        ("lithify --root x mem", "memories"),
        ("lithify fleet st", "status"),
        ("lithify compact --in", "--include-current"),
    ],
)
def test_a_shell_is_offered_commands_of_groups_and_options(words: str, offered: str) -> None:
    before = words.split(" ")
    env = {"COMP_WORDS": words, "COMP_CWORD": str(len(before) - 1)}
    done = commands.lithify([], env={**os.environ, **env, "_LITHIFY_COMPLETE": "bash_complete"})
    assert f"plain,{offered}" in done.stdout.splitlines()
    assert "Usage" not in done.stdout


def test_periods_that_stand_alike_share_a_line_and_memories_go_with_their_week(
    tmp_path: Path,
) -> None:
    days = {f"2026-0{month}-15": ["Shipped."] for month in range(1, 8)}
    call = ["status", "--root", str(roots.make(tmp_path / "root", days))]
    said = CliRunner().invoke(lithify, call).output
    assert re.search(r"^week .* \(7\) +due +new$", said, re.MULTILINE) and "memories " not in said
    every = CliRunner().invoke(lithify, [*call, "--all"]).output
    assert len(re.findall(r"^(?:week|memories) .* new$", every, re.MULTILINE)) == 14


def test_pages_of_others_are_called_external_and_keep_their_name_in_json(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root", {"2026-04-01": ["Shipped."]})
    (root / "memory/weekly").mkdir()
    (root / "memory/weekly/2026-W14.md").write_text("# Week\n\n- Somebody else wrote this.\n")
    call = ["status", "--root", str(root)]
    assert (
        "external  not written by lithify; kept as it is"
        in CliRunner().invoke(lithify, call).output
    )
    data = json.loads(CliRunner().invoke(lithify, [*call, "--json"]).stdout)
    assert {task["state"] for task in data["tasks"] if task["tier"] == "week"} == {"foreign"}
