"""Roots in git: two copies that grew apart are merged, and nothing of either is lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lithify.memory import Memory
from lithify.secrets.forget import remains
from lithify.store import journal
from lithify.store.journal import lost_head

REPO = Path(__file__).parent.parent
START = datetime(2026, 4, 1, 9, 0, tzinfo=UTC)
LATER = datetime(2026, 4, 20, 9, 0, tzinfo=UTC)
WEEK = "memory/weekly/2026-W14.md"
FIRST = "Decided to ship the importer on 2026-04-07, because Tomasz needs it for the audit."
OURS = "Rule: never restart the queue by hand, it loses the jobs in flight."
THEIRS = "Rule: always run the migration on a copy first, a failed one locks the table."
FROM_WEB = "The vendor page says that version 9.1 of the connector drops support for TLS 1.1."


def git(folder: Path, *words: str, check: bool = True) -> str:
    """Run git with nothing of the person's own configuration."""
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_NAME": "Test" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "test@example.org" for who in ("AUTHOR", "COMMITTER")},
    }
    done = subprocess.run(
        ["git", "-C", str(folder), *words], env=env, capture_output=True, text=True, timeout=60
    )
    assert not check or done.returncode == 0, done.stderr
    return done.stdout


def at(root: Path, moment: datetime) -> Memory:
    return Memory.open(root, clock=lambda: moment)


def save(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)


@pytest.fixture
def clones(tmp_path: Path) -> tuple[Path, Path]:
    """Two clones of one root; each has logged a rule of its own and compacted."""
    one, two = tmp_path / "one", tmp_path / "two"
    Memory.init(one, clock=lambda: START)
    git(one, "init", "-q", "-b", "main")
    (one / ".gitattributes").write_text("memory/[0-9]*.md merge=union\n")
    at(one, START).log(FIRST, origin="user")
    save(one, "begin")
    git(tmp_path, "clone", "-q", str(one), str(two))
    for root, text, minute in ((one, OURS, 10), (two, THEIRS, 20)):
        at(root, START.replace(minute=minute)).log(text, origin="user")
        if root == two:
            at(two, START.replace(minute=30)).log(FROM_WEB, origin="web")
        at(root, LATER.replace(minute=minute)).compact()
        save(root, "work")
    return one, two


def merge(one: Path, two: Path, side: str = "ours") -> None:
    """Merge the second clone into the first; of pages that conflict, one side is taken."""
    git(one, "fetch", "-q", str(two), "main")
    git(one, "merge", "-q", "FETCH_HEAD", check=False)
    for path in git(one, "diff", "--name-only", "--diff-filter=U").split():
        git(one, "checkout", f"--{side}", path)
    save(one, "merge")


def rules(root: Path) -> str:
    return (root / "WISDOM.md").read_text()


def test_derived_files_and_what_belongs_to_the_machine_stay_out_of_git(
    clones: tuple[Path, Path],
) -> None:
    at(clones[0], LATER).index.update()
    at(clones[0], LATER).log("The key is AKIAIOSFODNN7EXAMPLE.", origin="user")
    listed = git(clones[0], "ls-files", "-co", "--exclude-standard").split()
    state = {path.split("/")[1] for path in listed if path.startswith(".lithify/")}
    assert state <= {".gitignore", ".gitattributes", "journal.jsonl", "history", "quarantine"}


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_two_journals_that_grew_apart_are_joined_and_nothing_is_lost(
    clones: tuple[Path, Path], side: str
) -> None:
    one, two = clones
    branches = [journal.read(root).records for root in clones]
    merge(one, two, side)
    before = at(one, LATER)
    assert any("second branch" in p.message and "git" in p.message for p in before.check())

    repaired = at(one, LATER).repair()

    assert any("joined the branches" in line for line in repaired.done)
    assert [p for p in repaired.left if p.severity == "error"] == []
    book = journal.read(one)
    assert not book.faults
    last = next(record for record in book.records if record.kind == "merge")
    assert sorted(last.data["heads"]) == sorted(f"{b[-1].seq}~{b[-1].hash}" for b in branches)
    kept = {record.hash for record in book.records}
    kept |= {n.partition("~")[2] for r in book.records for n in r.data.get("formerly", ())}
    assert kept >= {record.hash for branch in branches for record in branch}
    assert not lost_head(one, [WEEK])

    assert not any(task.state == "foreign" for task in at(one, LATER).plan())
    at(one, LATER).compact()
    assert "restart the queue" in rules(one)
    assert "migration on a copy" in rules(one)
    week = (one / WEEK).read_text()
    assert "importer" in week
    assert [p for p in at(one, LATER).check() if p.severity != "note"] == []
    ledger = at(one, LATER).snapshot().ledger
    assert sorted(ledger.captures.origins.values()) == ["user", "user", "user", "web"]
    assert "[unverified]" in week


def test_forgetting_after_a_merge_keeps_the_journal_whole(clones: tuple[Path, Path]) -> None:
    one, two = clones
    merge(one, two)
    at(one, LATER).repair()
    at(one, LATER).forget(
        at(one, LATER).choose_to_forget(["because Tomasz needs it for the audit"])
    )
    assert not journal.read(one).faults
    assert not lost_head(one, [WEEK])
    assert remains(one, "Tomasz") == []


def test_conflict_markers_in_the_journal_are_taken_out(clones: tuple[Path, Path]) -> None:
    one, two = clones
    (one / ".lithify/.gitattributes").unlink()
    save(one, "no attributes")
    git(one, "fetch", "-q", str(two), "main")
    git(one, "merge", "-q", "FETCH_HEAD", check=False)
    assert b"<<<<<<<" in (one / ".lithify/journal.jsonl").read_bytes()
    for path in git(one, "diff", "--name-only", "--diff-filter=U").split():
        if not path.startswith(".lithify"):
            git(one, "checkout", "--ours", path)
    at(one, LATER).repair()
    book = journal.read(one)
    assert not book.faults
    assert [r.kind for r in book.records].count("merge") == 1
    assert not any(r.kind == "damaged" for r in book.records)


def test_a_third_copy_with_records_that_were_joined_before_adds_only_what_is_new(
    clones: tuple[Path, Path],
) -> None:
    one, two = clones
    merge(one, two)
    at(one, LATER).repair()
    save(one, "joined")
    count = len(journal.read(one).records)
    at(two, LATER).log("Priya signed the importer off on the same day.", origin="user")
    save(two, "one more")
    merge(one, two)
    at(one, LATER).repair()
    book = journal.read(one)
    assert not book.faults
    # The new capture and the second merge.
    assert len(book.records) == count + 2
    assert [r.kind for r in book.records].count("capture") == 5


def test_pages_and_days_with_conflict_markers_are_named(clones: tuple[Path, Path]) -> None:
    one, two = clones
    git(one, "fetch", "-q", str(two), "main")
    git(one, "merge", "-q", "FETCH_HEAD", check=False)
    left = at(one, LATER).repair().left
    named = {p.path for p in left if p.kind == "conflict"}
    assert WEEK in named
    assert "memory/2026-04-01.md" not in named


def test_the_commands_of_the_page_on_git_work(clones: tuple[Path, Path]) -> None:
    one, two = clones
    before, after = re.findall(r"```sh\n(.*?)```", (REPO / "docs/sync.md").read_text(), re.DOTALL)
    assert before.split("'")[1] in (one / ".gitattributes").read_text()
    merge(one, two)
    for line in after.splitlines():
        command = [sys.executable, "-m", *line.split(), "--root", str(one)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "the journal is whole" in done.stdout
