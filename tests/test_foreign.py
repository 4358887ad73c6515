"""Roots of other tools open unchanged, and nothing of theirs is lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

import roots
from lithify.engines.base import Call, Scripted
from lithify.markdown.pages import read_typed, render_typed
from lithify.memory import CompactOptions, Memory

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
    memory.wisdom.entries()
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
        memory.compact(CompactOptions(model=roots.Careful() if engine == "careful" else None))
    after = roots.pages(tmp_path)
    assert set(before) <= set(after)
    for path, data in before.items():
        assert after[path] == data or data in versions(tmp_path, path), path
    days = [path for path in before if "/2026-" in path and "ly/" not in path]
    assert all(after[path] == before[path] for path in days)
    assert [t.key for t in memory.plan() if t.state not in ("current", "foreign")] == []
    assert not [p for p in memory.check() if p.severity == "error"]


def test_weeks_and_months_without_provenance_are_sources_of_their_own(tmp_path: Path) -> None:
    memory = laid(tmp_path, RECALL)
    report = memory.compact(CompactOptions(model=roots.Careful()))
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
    (entry, *_) = memory.snapshot().entries(["memory/monthly/2026-02.md"])
    assert entry.day == date(2026, 2, 28)
    wisdom = roots.text(memory, "WISDOM.md")
    assert "**Pin versions**\nA build that floats breaks on a Friday.\n" in wisdom


def test_several_files_of_a_day_make_one_week(tmp_path: Path) -> None:
    memory = laid(tmp_path, OPENCLAW)
    memory.compact(CompactOptions(model=roots.Careful()))
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
    memory.compact(CompactOptions(model=roots.Careful()))
    assert not (tmp_path / "memory").exists()
    (entry,) = memory.wisdom.entries()
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
    memory.compact(CompactOptions(model=roots.Careful()))
    text = roots.text(memory, path)
    assert "Never mock the cache in tests either." in text
    assert "Mock the cache in tests where it is slow." in text.partition("either.")[2]
    assert versions(tmp_path, path) == [theirs.encode()]
    assert memory.check() == ()
    before = text
    roots.put(tmp_path, "2026-04-08", ["Shipped the cache."])
    memory.compact(CompactOptions(model=roots.Careful()))
    assert roots.text(memory, path) == before


def test_hand_edited_memory_of_ours_is_left_alone_until_something_new_is_learned(
    tmp_path: Path,
) -> None:
    memory = roots.made(tmp_path)
    memory.compact(CompactOptions(model=roots.Careful()))
    path = "memory/feedback_never-restart-the-queue.md"
    page = memory.root / path
    page.write_text(page.read_text().replace("by hand", "by hand, ever"))
    edited = page.read_bytes()
    day = memory.root / "memory/2026-04-02.md"
    day.write_text(day.read_text() + "- Lunch with Priya.\n")
    memory.compact(CompactOptions(model=roots.Careful()))
    assert page.read_bytes() == edited
    day.write_text(day.read_text().replace("it loses the jobs", "it loses all jobs"))
    memory.compact(CompactOptions(model=roots.Careful()))
    assert "it loses all jobs" in page.read_text()
    assert edited in versions(memory.root, path)


def without_state(root: Path, place: Path, *, pages: bool) -> Memory:
    """A root as a clone has it: without the program's folder, or with days and memories alone."""
    for path, data in roots.pages(root).items():
        if pages or not path.startswith(("memory/weekly", "memory/monthly", "WISDOM")):
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(data)
    return roots.opened(place)


@pytest.mark.parametrize("pages", [True, False], ids=["whole", "days and memories"])
@pytest.mark.parametrize("engine", ["offline", "careful"])
def test_root_that_travelled_without_our_folder_goes_on_as_before(
    tmp_path: Path, engine: str, pages: bool
) -> None:
    def compact(memory: Memory) -> None:
        memory.compact(CompactOptions(model=roots.Careful() if engine == "careful" else None))

    home = roots.made(tmp_path)
    compact(home)
    away = without_state(home.root, tmp_path / "away", pages=pages)
    compact(away)
    assert roots.pages(away.root) == roots.pages(home.root)
    for memory in (home, away):
        roots.put(memory.root, "2026-04-10", ["Never mock the queue, because it hid a deadlock."])
        compact(memory)
        compact(memory)
    assert roots.pages(away.root) == roots.pages(home.root)
    assert away.check() == () and away.status().exit_code == 0


@pytest.mark.parametrize("left", ["the file", "nothing"])
def test_version_that_was_built_upon_and_is_lost_stops_nothing(tmp_path: Path, left: str) -> None:
    home = roots.made(tmp_path)
    home.compact(CompactOptions(model=roots.Careful()))
    away = without_state(home.root, tmp_path / "away", pages=False)
    away.compact(CompactOptions(model=roots.Careful()))
    path = "memory/feedback_never-restart-the-queue.md"
    assert path in away.snapshot().ledger.pages.bases
    before = roots.pages(away.root)
    shutil.rmtree(away.root / ".lithify/history")
    if left == "nothing":
        (away.root / path).unlink()
    roots.put(away.root, "2026-04-10", ["Never mock the queue, because it hid a deadlock."])
    for _ in range(2):
        assert away.compact(CompactOptions(model=roots.Careful())).exit_code == 0
    after = roots.pages(away.root)
    assert after[path] == before[path]
    assert "memory/feedback_never-mock-the-queue.md" in after
    assert away.status().exit_code == 0


#: A memory's body with its fields on lines that follow each other.
CLOSE = (
    "Leave Kafka alone.\n**Why:** it cost two outages\nin one week.\n"
    "**How to apply:** route new feeds through the old queue.\n"
)


def test_fields_on_lines_without_a_gap_are_fields(tmp_path: Path) -> None:
    front = "---\nname: kafka\ndescription: kafka stays\nmetadata:\n  type: feedback\n---\n"
    memory = laid(tmp_path, {"MEMORY.md": "- [Kafka](kafka.md)\n", "kafka.md": f"{front}\n{CLOSE}"})
    found = memory.snapshot().memories()["kafka.md"]
    assert (found.statement, found.why, found.how) == (
        "Leave Kafka alone.",
        "it cost two outages in one week.",
        "route new feeds through the old queue.",
    )
    memory.compact(CompactOptions(model=roots.Careful()))
    assert "**Why:**" not in roots.text(memory, "WISDOM.md")
    unstated = "Leave Kafka alone.\r\n**Why:** not stated\r\n**How to apply:** not stated\r\n"
    bare = read_typed(f"{front}\n{unstated}".encode(), "kafka.md")
    assert bare and (bare.statement, bare.why, bare.how) == ("Leave Kafka alone.", "", "")
    again = read_typed(render_typed(found), "feedback_kafka.md")
    assert again and (again.statement, again.why) == (found.statement, found.why)


def test_reply_with_fields_on_lines_without_a_gap_is_read_as_fields(tmp_path: Path) -> None:
    day = ["Leave Kafka alone, because it cost two outages in one week."]
    memory = roots.made(tmp_path, {"2026-04-02": day})

    def reply(call: Call) -> str:
        if roots.stage_of(call.prompt) != "typed":
            return roots.answer(call)
        front = "---\nname: Kafka\ndescription: Kafka stays\ntype: feedback\nsources: [e1]\n---\n"
        body = "Leave Kafka alone.\n**Why:** it cost two outages in one week.\n**How to apply:** not stated"
        return json.dumps([{"filename": "feedback_kafka.md", "content": front + body}])

    memory.compact(CompactOptions(model=Scripted(reply)))
    text = roots.text(memory, "memory/feedback_kafka.md")
    assert text.endswith(
        "Leave Kafka alone.\n\n**Why:** it cost two outages in one week.\n\n"
        "**How to apply:** not stated\n"
    )


def test_close_lines_of_another_tools_memory_are_found_by_recall(tmp_path: Path) -> None:
    text = "---\nname: kafka\ntype: feedback\n---\nLeave Kafka alone.\n**Why:** not stated\n"
    memory = laid(tmp_path, {"memory/2026-04-02.md": "# Day\n", "memory/feedback_kafka.md": text})
    assert [p.path for p in memory.recall("Kafka").passages] == ["memory/feedback_kafka.md"]


def test_topics_in_another_script_are_files_of_their_own(tmp_path: Path) -> None:
    lines = ["Always restart the сервер at night.", "Never touch the бюджет in June."]
    memory = roots.made(tmp_path, {"2026-04-02": lines})
    theirs = "---\nname: сервер\ntype: feedback\n---\n\nRestart the сервер by day.\n"
    own = memory.root / "memory/feedback_сервер.md"
    own.write_text(theirs)

    def reply(call: Call) -> str:
        if roots.stage_of(call.prompt) != "typed":
            return roots.answer(call)
        names = ["feedback_сервер.md", "feedback_бюджет.md"]
        shown = roots.shown(call.prompt)
        return json.dumps(
            [
                roots.memory_of(label, line, filename=name, name=name[9:-3])
                for name, (label, line) in zip(names, shown, strict=False)
            ]
        )

    for _ in range(2):
        memory.compact(CompactOptions(model=Scripted(reply)))
        found = memory.snapshot().memories()
        assert len(found) == 2 and "memory/feedback_сервер.md" in found
        assert sorted(m.name for m in found.values()) == ["бюджет", "сервер"]
        assert "Restart the сервер by day." in own.read_text()
        roots.put(memory.root, "2026-04-09", ["Always restart the сервер at noon."])
    assert memory.check() == ()


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
        memory.compact(CompactOptions(model=model))
        for name, data in odd.items():
            assert (memory.root / "memory" / f"{name}.md").read_bytes() == data
        week = page.read_bytes().decode()
        page.unlink()
    assert "決定" in week
    for call in careful.calls:
        call.prompt.encode()  # a lone surrogate could not be sent
