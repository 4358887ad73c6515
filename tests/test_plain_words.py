"""What a newcomer reads: references that lead nowhere, a status that writes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

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
