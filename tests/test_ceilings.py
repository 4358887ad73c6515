"""A page that is over its ceiling is named, with the command that writes it again."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from lithify.compact.status import long_pages
from lithify.settings import Settings
from lithify.store.names import Layout
from lithify.values import Task
from test_cli import run

SAMPLE = Path(__file__).resolve().parent.parent / "examples" / "sample" / "memory"
CEILING = 420


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two full weeks of one month, compacted before their pages had a lower ceiling."""
    (tmp_path / "memory").mkdir()
    for day in range(5, 17):
        if (file := SAMPLE / f"2026-01-{day:02}.md").exists():
            shutil.copyfile(file, tmp_path / "memory" / file.name)
    run("compact", root=tmp_path)
    ceiling = f"max_tokens = {CEILING}\n"
    (tmp_path / "lithify.toml").write_text(f"[weekly]\n{ceiling}[monthly]\nmax_tokens = 400\n")
    return tmp_path


def over(root: Path) -> list[dict[str, object]]:
    found = json.loads(run("status", "--json", root=root).stdout)["over_ceiling"]
    assert isinstance(found, list)
    return found


def test_status_names_long_pages_with_the_command_that_shortens_each(root: Path) -> None:
    first, *_ = found = over(root)
    assert [one["path"] for one in found[:2]] == [
        "memory/weekly/2026-W02.md",
        "memory/weekly/2026-W03.md",
    ]
    page = (root / "memory/weekly/2026-W02.md").read_text()
    assert first["tokens"] == int(re.findall(r"out: (\d+)", page)[0]) > CEILING
    assert first["ceiling"] == CEILING and first["setting"] == "weekly.max_tokens"
    status = run("status", root=root)
    assert status.returncode == 0
    assert f"too long: {first['path']}, {first['tokens']} tokens, over the 420 of" in status.stdout
    assert f"  {first['command']}\n" in status.stdout
    program, *argv = str(first["command"]).split()
    assert program == "lithify"
    assert run(*argv, root=root).returncode in (0, 4)
    assert [one["path"] for one in over(root) if one["path"] == first["path"]] == []
    assert (root / "memory/weekly/2026-W02.md").read_text() != page


def test_check_notes_long_pages_and_stays_content(root: Path) -> None:
    done = run("check", "--json", root=root)
    notes = [one for one in json.loads(done.stdout)["problems"] if one["kind"] == "long"]
    assert [one["path"] for one in notes] == [one["path"] for one in over(root)]
    assert all(one["severity"] == "note" and "--rewrite" in one["message"] for one in notes)
    assert done.returncode == 0


def test_a_page_that_is_written_again_anyway_or_is_not_ours_is_not_named(root: Path) -> None:
    (root / "memory/2026-01-06.md").write_text("- Moved the importer to the new runner.\n")
    assert "memory/weekly/2026-W02.md" not in [one["path"] for one in over(root)]
    page = root / "memory/weekly/2026-W03.md"
    page.write_text(page.read_text() + "- Priya leads the team.\n")
    assert "memory/weekly/2026-W03.md" not in [one["path"] for one in over(root)]


def test_length_of_a_page_without_a_record_is_estimated_from_its_body(tmp_path: Path) -> None:
    page = tmp_path / "monthly" / "2026-04.md"
    page.parent.mkdir()
    bullet = "- Shipped importer 2.4.1 to 420 users. <!-- 2026-04-02~9f3a1c20b7d4 -->\n"
    page.write_text(f"---\ntype: monthly\n---\n\n# 2026-04\n\n{bullet * 400}")
    task = Task("month", "2026-04", "current", "")
    (found,) = long_pages(tmp_path, Layout(""), [task], Settings())
    assert found.path == "monthly/2026-04.md"
    assert 3000 < found.tokens < 7000
    assert found.command == "lithify compact month --period 2026-04 --rewrite"
    page.write_text(f"---\ntype: monthly\n---\n\n# 2026-04\n\n{bullet * 100}")
    assert long_pages(tmp_path, Layout(""), [task], Settings()) == ()
