"""Roots of other tools open unchanged, and nothing of theirs is lost."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import roots
from lithify.memory import Memory

#: The layout that Stevenic/recall and its `.teammates/<name>/` folders leave.
RECALL = {
    "SOUL.md": "# Ada\n\nI keep the build green.\n",
    "WISDOM.md": "# Ada - Wisdom\n\nDistilled principles. Read this first every session (after SOUL.md).\n\n"
    "Last compacted: 2026-03-01\n\n---\n\n**Pin versions**\nA build that floats breaks on a Friday.\n",
    "memory/2026-03-30.md": "# 2026-03-30\n\n## Notes\n\n- Shipped the cache rewrite; hit rate 91%.\n",
    "memory/2026-04-01.md": "# 2026-04-01\n\nDecided to keep Redis until the autumn.\n",
    "memory/weekly/2026-W13.md": "---\ntype: weekly\nweek: 2026-W13\nperiod: 2026-03-23 to 2026-03-29\n"
    "---\n\n# Week 2026-W13\n\n- Moved 14 jobs to the new runner.\n- Cache hit rate fell to 62%.\n",
    "memory/monthly/2026-02.md": "---\ntype: monthly\nmonth: 2026-02\n---\n\n# 2026-02\n\n"
    "- The old runner was the bottleneck all month.\n",
    "memory/project_runner.md": "---\nname: Runner\ndescription: the CI runner\ntype: project\n---\n\n"
    "All jobs move to the new runner by May.\n",
}

#: An OpenClaw workspace: several files a day, its long-term memory in MEMORY.md.
OPENCLAW = {
    "SOUL.md": "# Soul\n\nBe useful.\n",
    "AGENTS.md": "# Agents\n\nRead MEMORY.md.\n",
    "MEMORY.md": "# Long-term memory\n\n- Likes short answers.\n",
    "memory/2026-02-10.md": "# Tuesday\n\n- Fixed the door sensor; battery at 12%.\n",
    "memory/2026-02-10-1430.md": "# Session: 2026-02-10 14:30\n\n**user**: never call before nine\n",
    "memory/2026-02-10-door-sensor.md": "# Door sensor\n\nDecided to replace the sensor in March.\n",
    "memory/2026-02-12.md": "\ufeff# Thursday\r\n\r\n- Ordered 2 sensors for 39.90 EUR.\r\n",
}

#: A Claude Code auto-memory folder: flat, typed by front matter under `metadata:`.
AUTO = {
    "MEMORY.md": "- [Tests](feedback_tests.md) - how tests are run\n- [Deploy](deploy-notes.md)\n",
    "feedback_tests.md": "---\nname: tests\ndescription: how tests are run\nmetadata:\n"
    "  node_type: memory\n  type: feedback\n---\n\nNever mock the database in tests.\n\n"
    "**Why:** a mocked one hid a broken migration.\n\n**How to apply:** use the test container.\n",
    "deploy-notes.md": "---\nname: deploy notes\ndescription: where deploys happen\nmetadata:\n"
    "  type: reference\n---\n\nDeploys are watched at https://deploys.example.com/board.\n",
    "notes.md": "Only a file that happens to be here.\n",
}

FOREIGN = {"recall": RECALL, "openclaw": OPENCLAW, "auto-memory": AUTO}


def laid(folder: Path, files: Mapping[str, str]) -> Memory:
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    return roots.opened(folder)


def versions(root: Path, path: str) -> list[bytes]:
    folder = root / ".lithify" / "history" / path
    return [version.read_bytes() for version in folder.iterdir()] if folder.is_dir() else []


@pytest.mark.parametrize("tool", FOREIGN)
def test_looking_at_another_tools_root_changes_nothing(tmp_path: Path, tool: str) -> None:
    memory = laid(tmp_path, FOREIGN[tool])
    before = roots.pages(tmp_path)
    memory.status()
    memory.plan()
    memory.wisdom()
    memory.check()
    assert roots.pages(tmp_path) == before


@pytest.mark.parametrize("engine", ["offline", "careful"])
@pytest.mark.parametrize("tool", FOREIGN)
def test_nothing_of_theirs_is_overwritten_without_a_copy(
    tmp_path: Path, tool: str, engine: str
) -> None:
    memory = laid(tmp_path, FOREIGN[tool])
    before = roots.pages(tmp_path)
    for _ in range(2):
        memory.compact(model=roots.Careful() if engine == "careful" else None)
    after = roots.pages(tmp_path)
    assert set(before) <= set(after)
    for path, data in before.items():
        assert after[path] == data or data in versions(tmp_path, path), path
    days = [path for path in before if "/2026-" in path and "ly/" not in path]
    assert all(after[path] == before[path] for path in days)
    assert [t.key for t in memory.plan() if t.state not in ("current", "foreign")] == []
    assert not [p for p in memory.check() if p.level == "broken"]


def test_weeks_and_months_without_provenance_are_sources_of_their_own(tmp_path: Path) -> None:
    memory = laid(tmp_path, RECALL)
    report = memory.compact(model=roots.Careful())
    adopted = {r.task.key for r in report.results if r.status == "adopted"}
    assert adopted == {"week:2026-W13", "month:2026-02"}
    for path in ("memory/weekly/2026-W13.md", "memory/monthly/2026-02.md"):
        assert roots.text(memory, path) == RECALL[path]
    march = roots.text(memory, "memory/monthly/2026-03.md")
    assert "- Cache hit rate fell to 62%. <!-- 2026-W13~" in march
    id = march.partition("62%. <!-- ")[2].partition(" ")[0]
    (leaf,) = memory.trace(id).roots
    assert leaf.path == "memory/weekly/2026-W13.md" and "62%" in leaf.text
    assert memory.check() == ()
    wisdom = roots.text(memory, "WISDOM.md")
    assert "**Pin versions**\nA build that floats breaks on a Friday.\n" in wisdom


def test_several_files_of_a_day_make_one_week(tmp_path: Path) -> None:
    memory = laid(tmp_path, OPENCLAW)
    memory.compact(model=roots.Careful())
    week = roots.text(memory, "memory/weekly/2026-W07.md")
    for words in ("12%", "before nine", "sensor in March", "39.90"):
        assert words in week
    assert roots.text(memory, "MEMORY.md") == OPENCLAW["MEMORY.md"]
    assert "never call before nine" in roots.text(memory, "WISDOM.md")


def test_flat_folder_stays_flat_and_its_memories_count(tmp_path: Path) -> None:
    memory = laid(tmp_path, AUTO)
    found = memory.snapshot().memories()
    assert {path: m.type for path, m in found.items()} == {
        "feedback_tests.md": "feedback",
        "deploy-notes.md": "reference",
    }
    assert found["feedback_tests.md"].why == "a mocked one hid a broken migration."
    memory.compact(model=roots.Careful())
    assert not (tmp_path / "memory").exists()
    (entry,) = memory.wisdom()
    assert entry.text == "Never mock the database in tests."
    assert entry.sources[0].startswith("feedback_tests~")
    (trace,) = memory.trace(entry.title).roots
    assert {n.path for n in trace.children} == {"feedback_tests.md"}
    assert memory.check() == ()
    memory.log("Shipped 2.4.1.")
    assert (tmp_path / "2026-04-20.md").is_file()


def test_new_lesson_on_a_foreign_topic_goes_on_top_and_keeps_theirs(tmp_path: Path) -> None:
    days = {"memory/2026-04-02.md": "# Day\n\n- Never mock the cache in tests either.\n"}
    memory = laid(tmp_path, days)
    path = "memory/feedback_never-mock-the-cache.md"
    theirs = (
        "---\nname: the cache\ntype: feedback\n---\n\nMock the cache in tests where it is slow.\n"
    )
    (tmp_path / path).write_text(theirs)
    memory.compact(model=roots.Careful())
    text = roots.text(memory, path)
    assert "Never mock the cache in tests either." in text
    assert "Mock the cache in tests where it is slow." in text.partition("## Superseded")[2]
    assert versions(tmp_path, path) == [theirs.encode()]
    assert memory.check() == ()
    before = text
    roots.put(tmp_path, "2026-04-08", ["Shipped the cache."])
    memory.compact(model=roots.Careful())
    assert roots.text(memory, path) == before


def test_hand_edited_memory_of_ours_is_left_alone_until_something_new_is_learned(
    tmp_path: Path,
) -> None:
    memory = roots.made(tmp_path)
    memory.compact(model=roots.Careful())
    path = "memory/feedback_never-restart-the-queue.md"
    page = memory.root / path
    page.write_text(page.read_text().replace("by hand", "by hand, ever"))
    edited = page.read_bytes()
    day = memory.root / "memory/2026-04-02.md"
    day.write_text(day.read_text() + "- Lunch with Priya.\n")
    memory.compact(model=roots.Careful())
    assert page.read_bytes() == edited
    day.write_text(day.read_text().replace("it loses the jobs", "it loses all jobs"))
    memory.compact(model=roots.Careful())
    assert "it loses all jobs" in page.read_text()
    assert edited in versions(memory.root, path)


def test_any_bytes_survive_a_compaction(tmp_path: Path) -> None:
    odd = {
        "2026-04-01": b"\xff\xfe broken \x80 bytes\n- Shipped \xe9t\xe9 1.2.\n",
        "2026-04-02": b"no newline, no heading, NUL \x00 inside",
        "2026-04-03": b"\xef\xbb\xbf# BOM\r\n\r\n* Decided: yes\r\n",
        "2026-04-04": b"---\nopen front matter\n",
        "2026-04-05": "# 日本語\n\n- 決定：来週から新しい手順を使う。\n".encode(),
    }
    memory = roots.made(tmp_path, {})
    for name, data in odd.items():
        (memory.root / "memory" / f"{name}.md").write_bytes(data)
    page = memory.root / "memory/weekly/2026-W14.md"
    careful = roots.Careful()
    for model in (None, careful):
        memory.compact(model=model)
        for name, data in odd.items():
            assert (memory.root / "memory" / f"{name}.md").read_bytes() == data
        week = page.read_bytes().decode()
        page.unlink()
    assert "決定" in week
    for call in careful.calls:
        call.prompt.encode()  # a lone surrogate could not be sent
