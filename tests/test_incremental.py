"""Digests decide: what did not change is not asked for, not written, not even touched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import roots
from lithify.engines.base import Call, Scripted
from lithify.errors import UnknownReference
from lithify.memory import CompactOptions, Memory

DAYS = {
    "2026-02-03": ["Decided to write the parser in Rust.", "Never parse the feed twice."],
    "2026-02-11": ["Shipped parser 0.3 to 14 testers."],
    "2026-03-04": ["Always keep a copy of the feed before parsing it.", "Shipped parser 0.4."],
    "2026-03-12": ["Blocked: the feed vendor changed the format and gave no notice."],
}

LOADED = """
import json, sys
from lithify.cli import main
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def marks(root: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of every page: they differ when a file was written, even with the same bytes."""
    found = {path: (root / path).stat() for path in roots.pages(root)}
    return {path: (status.st_ino, status.st_mtime_ns) for path, status in found.items()}


def touched(root: Path, before: dict[str, tuple[int, int]]) -> set[str]:
    after = marks(root)
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = roots.made(tmp_path, DAYS)
    memory.compact(CompactOptions(model=roots.Careful()))
    return memory


def test_nothing_changed_means_no_call_and_no_write(memory: Memory) -> None:
    before, listing = marks(memory.root), roots.everything(memory.root)
    model = roots.Careful()
    assert memory.compact(CompactOptions(model=model)).results == ()
    assert model.calls == []
    assert touched(memory.root, before) == set()
    assert roots.everything(memory.root) == listing


def compacted(tmp_path: Path) -> Path:
    """A root with nothing left to do."""
    memory = roots.made(tmp_path, DAYS)
    memory.compact()
    assert roots.pages(memory.root)
    return memory.root


def test_a_run_that_finds_nothing_due_loads_neither_engine_nor_verifier(tmp_path: Path) -> None:
    root = compacted(tmp_path)
    argv = [sys.executable, "-c", LOADED, "compact", "--root", str(root)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout == "nothing was due\n"
    loaded = json.loads(done.stderr)
    assert "lithify.compact.run" in loaded
    heavy = (
        "lithify.engines.offline.",
        "lithify.verify",
    )
    assert not [name for name in loaded if name.startswith(heavy)]


def test_the_status_of_a_root_where_nothing_is_due_loads_nothing_that_reads_pages(
    tmp_path: Path,
) -> None:
    root = compacted(tmp_path)
    argv = [sys.executable, "-c", LOADED, "status", "--root", str(root)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert "nothing is due" in done.stdout
    heavy = (
        "lithify.markdown.pages",
        "lithify.markdown.parse",
        "lithify.secrets.redact",
        "lithify.engines",
        "lithify.verify",
    )
    assert not [name for name in json.loads(done.stderr) if name.startswith(heavy)]


def test_edited_day_rebuilds_its_week_memories_month_and_wisdom_and_nothing_else(
    memory: Memory,
) -> None:
    roots.put(memory.root, "2026-03-04", [*DAYS["2026-03-04"], "Always log the feed's version."])
    before = marks(memory.root)
    model = roots.Careful()
    done = roots.written(memory, model=model)
    assert done == ["week:2026-W10", "typed:2026-W10", "month:2026-03", "wisdom:"]
    assert model.asked == ["weekly 2026-W10", "typed 2026-W10", "monthly 2026-03", "wisdom"]
    assert touched(memory.root, before) == {
        "WISDOM.md",
        "memory/weekly/2026-W10.md",
        "memory/monthly/2026-03.md",
        "memory/feedback_always-log-the-feed.md",
    }
    wisdom = model.calls[-1].prompt.partition("<NEW_MATERIAL>")[2]
    assert "log the feed" in wisdom
    assert "keep a copy" not in wisdom and "parse the feed twice" not in wisdom  # judged before


def test_edited_old_day_is_due_but_does_not_put_memory_behind(memory: Memory) -> None:
    roots.put(memory.root, "2026-03-04", [*DAYS["2026-03-04"], "Always log the feed's version."])
    edited = memory.status()
    assert (edited.exit_code, edited.behind) == (3, 0)
    roots.put(memory.root, "2026-01-20", ["A day of a week that nobody has written."])
    assert memory.status().behind > 7


def test_replaced_versions_are_in_history_and_diff_tells_what_changed_and_why(
    memory: Memory,
) -> None:
    path = "memory/weekly/2026-W10.md"
    old = (memory.root / path).read_bytes()
    roots.put(memory.root, "2026-03-04", ["Shipped parser 0.5."])
    memory.compact(CompactOptions(model=roots.Careful()))
    kept = list((memory.root / ".lithify/history" / path).iterdir())
    assert [version.read_bytes() for version in kept] == [old]
    change = memory.diff("2026-W10")
    assert (change.path, change.why, change.engine) == (path, "edited 2026-03-04", "careful")
    added = [line for line in change.lines if line.startswith("+-")]
    gone = [line for line in change.lines if line.startswith("--") and "parser" in line]
    assert added == ["+- Shipped parser 0.5."]
    assert any("parser 0.4" in line for line in gone)
    assert not any("<!--" in line for line in change.lines)
    assert memory.diff("2026-03").lines and memory.diff("wisdom").path == "WISDOM.md"
    with pytest.raises(UnknownReference):
        memory.diff("2019-W01")


def test_diff_shows_the_page_a_hand_had_written(memory: Memory) -> None:
    page = memory.root / "memory/weekly/2026-W10.md"
    page.write_text(page.read_text() + "- Added by hand.\n")
    roots.put(memory.root, "2026-03-04", ["Shipped parser 0.5."])
    memory.compact(CompactOptions(model=roots.Careful()))
    assert "-- Added by hand." in memory.diff("2026-W10").lines


def test_rebuilt_week_with_the_same_body_leaves_its_month_alone(memory: Memory) -> None:
    day = memory.root / "memory/2026-03-12.md"
    day.write_bytes(day.read_bytes() + b"\n\n")
    before = marks(memory.root)
    model = roots.Careful()
    done = roots.written(memory, model=model)
    assert done == ["week:2026-W11", "typed:2026-W11"]
    assert model.calls == []  # the same prompts: the saved replies serve
    assert touched(memory.root, before) == {"memory/weekly/2026-W11.md"}


def test_month_follows_when_only_the_ids_below_it_changed(memory: Memory) -> None:
    day = memory.root / "memory/2026-03-12.md"
    day.write_text(day.read_text().replace("Notes of the day", "Thursday"))
    memory.compact(CompactOptions(model=roots.Careful()))
    assert memory.check() == ()
    entry = memory.snapshot().entries(["memory/2026-03-12.md"])[0]
    assert entry.id in roots.text(memory, "memory/monthly/2026-03.md")


def test_wisdom_follows_the_ids_of_what_it_rests_on(memory: Memory) -> None:
    before = roots.text(memory, "WISDOM.md")
    day = memory.root / "memory/2026-02-03.md"
    day.write_text(day.read_text().replace("Notes of the day", "Tuesday"))
    model = roots.Careful()
    memory.compact(CompactOptions(model=model))
    after = roots.text(memory, "WISDOM.md")
    assert "wisdom" not in model.asked
    strip = [line.partition(" <!--")[0] for line in before.splitlines()]
    assert [line.partition(" <!--")[0] for line in after.splitlines()] == strip
    assert after != before and memory.check() == ()


@pytest.mark.parametrize("engine", ["careful", "offline"])
def test_late_day_gives_the_same_files_as_if_it_had_always_been_there(
    tmp_path: Path, engine: str
) -> None:
    def model() -> roots.Careful | str:
        return roots.Careful() if engine == "careful" else "offline"

    late = {"2026-02-03": DAYS["2026-02-03"]}
    one = roots.made(tmp_path / "one", {k: v for k, v in DAYS.items() if k not in late})
    one.compact(CompactOptions(model=model()))
    roots.put(one.root, "2026-02-03", DAYS["2026-02-03"])
    one.compact(CompactOptions(model=model()))
    other = roots.made(tmp_path / "other", DAYS)
    other.compact(CompactOptions(model=model()))

    def without_wisdom(memory: Memory) -> dict[str, bytes]:
        return {p: d for p, d in roots.pages(memory.root).items() if p != "WISDOM.md"}

    assert without_wisdom(one) == without_wisdom(other)
    entries = {(e.title, e.text, e.sources) for e in one.wisdom.entries()}
    assert entries == {(e.title, e.text, e.sources) for e in other.wisdom.entries()}


def test_newer_memory_on_a_topic_speaks_and_the_older_is_kept_as_superseded(
    tmp_path: Path,
) -> None:
    def reply(call: Call) -> str:
        prompt = call.prompt
        if roots.stage_of(prompt) != "typed":
            return roots.answer(call)
        return json.dumps(
            [
                roots.memory_of(label, line, filename="project_timeout.md", kind="project")
                for label, line in roots.shown(prompt)
            ]
        )

    days = {
        "2026-04-08": ["The timeout of the export is now 45 seconds."],
        "2026-03-31": ["The timeout of the export is now 30 seconds."],
    }
    path = "memory/project_timeout.md"
    found = []
    for order in (list(days), list(reversed(days))):
        memory = roots.made(tmp_path / order[0], {})
        for name in order:
            roots.put(memory.root, name, days[name])
            memory.compact(CompactOptions(model=Scripted(reply)))
        found.append(roots.text(memory, path))
    assert found[0] == found[1]
    statement = found[0].partition("---\n\n")[2]
    assert statement.startswith("The timeout of the export is now 45 seconds.")
    assert "## Superseded\n\n- 2026-03-31: The timeout of the export is now 30 seconds" in statement


def test_memory_that_no_day_teaches_any_more_goes_and_leaves_a_copy(memory: Memory) -> None:
    path = "memory/feedback_never-parse-the-feed.md"
    old = (memory.root / path).read_bytes()
    roots.put(memory.root, "2026-02-03", ["Decided to write the parser in Rust."])
    memory.compact(CompactOptions(model=roots.Careful()))
    assert not (memory.root / path).exists()
    kept = list((memory.root / ".lithify/history" / path).iterdir())
    assert [version.read_bytes() for version in kept] == [old]
    assert "parse the feed twice" not in roots.text(memory, "WISDOM.md")
    assert any(
        t["target"].startswith("Never parse") for t in memory.snapshot().ledger.wisdom.tombstones
    )


def test_combined_style_needs_one_call_a_week(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS, toml='[weekly]\nstyle = "combined"\n')
    model = roots.Careful()
    memory.compact(CompactOptions(model=model))
    assert (
        [a for a in model.asked if a.startswith("combined")]
        == [
            "combined 2026-W06",
            "combined 2026-W07",
            "combined 2026-W10",
            "combined 2026-W11",
        ]
        == model.asked[:4]
    )
    assert "### Key Decisions" in roots.text(memory, "memory/weekly/2026-W06.md")
    assert (memory.root / "memory/feedback_never-parse-the-feed.md").is_file()
    assert (memory.root / "memory/feedback_always-keep-a-copy.md").is_file()


def test_preview_is_the_prompt_that_is_sent(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS)
    first = memory.prompt("weekly", "2026-W10")
    typed = memory.prompt("typed", "2026-W06")
    model = roots.Careful()
    memory.compact(CompactOptions(model=model))
    by_name = dict(zip(model.asked, model.calls, strict=True))
    assert by_name["weekly 2026-W10"].prompt == first.user
    assert by_name["weekly 2026-W10"].system == first.system
    assert by_name["typed 2026-W06"].prompt == typed.user
    assert memory.prompt("monthly", "2026-03").user == by_name["monthly 2026-03"].prompt
