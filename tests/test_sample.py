"""What a compaction of the sample root promises."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from lithify import Memory

SAMPLE = Path(__file__).parent.parent / "examples" / "sample"
WEEKS = [f"2026-W{week:02}" for week in range(2, 15)]
CACHE = "digests.json"
MONTHS = ["2026-01", "2026-02", "2026-03", "2026-04"]
COMPACT = """
import sys
from datetime import UTC, datetime
from lithify import Memory
Memory.open(sys.argv[1], clock=lambda: datetime(2026, 4, 20, 2, 0, tzinfo=UTC)).compact()
"""


def opened(root: Path) -> Memory:
    return Memory.open(root, clock=lambda: datetime(2026, 4, 20, 2, 0, tzinfo=UTC))


def copied(folder: Path) -> Path:
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns(".lithify"))
    return folder


def digests(root: Path) -> dict[str, str]:
    """Every file of a root by what it says, without locks and what is derived."""
    return {
        path.relative_to(root).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.endswith(("lock", ".sqlite", CACHE))
    }


def times(root: Path) -> dict[str, int]:
    return {name: (root / name).stat().st_mtime_ns for name in digests(root)}


@pytest.fixture(scope="module")
def compacted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, compacted once; a test that changes it takes a copy."""
    root = copied(tmp_path_factory.mktemp("sample") / "root")
    opened(root).compact()
    return root


@pytest.fixture
def again(compacted: Path, tmp_path: Path) -> Path:
    root = tmp_path / "root"
    shutil.copytree(compacted, root)
    return root


def test_every_week_and_month_is_written(compacted: Path) -> None:
    memory = compacted / "memory"
    assert sorted(path.stem for path in memory.glob("weekly/*")) == WEEKS
    assert sorted(path.stem for path in memory.glob("monthly/*")) == MONTHS
    assert (compacted / "WISDOM.md").exists()
    behind = {task.key: task.state for task in opened(compacted).plan() if task.state != "current"}
    assert not behind


def test_the_days_keep_their_bytes(compacted: Path) -> None:
    before, after = digests(SAMPLE), digests(compacted)
    given = [name for name in before if not name.startswith(".lithify")]
    assert len(given) > 60
    assert {name: after[name] for name in given} == {name: before[name] for name in given}


def test_a_second_root_gets_the_same_bytes(compacted: Path, tmp_path: Path) -> None:
    other = copied(tmp_path / "elsewhere")
    opened(other).compact()
    assert digests(other) == digests(compacted)


def test_the_bytes_do_not_depend_on_the_hash_seed(compacted: Path, tmp_path: Path) -> None:
    other = copied(tmp_path / "seeded")
    subprocess.run(
        [sys.executable, "-c", COMPACT, str(other)],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "12345"},
    )
    assert digests(other) == digests(compacted)


def test_a_second_compaction_touches_nothing(again: Path) -> None:
    before, said = times(again), digests(again)
    opened(again).compact()
    assert digests(again) == said
    assert times(again) == before


def test_losing_the_cache_of_digests_changes_nothing(again: Path) -> None:
    before, said = times(again), digests(again)
    (again / ".lithify" / CACHE).unlink()
    opened(again).compact()
    assert digests(again) == said
    assert times(again) == before


def test_check_finds_no_error_afterwards(compacted: Path) -> None:
    errors = [problem for problem in opened(compacted).check() if problem.severity == "error"]
    assert errors == []
