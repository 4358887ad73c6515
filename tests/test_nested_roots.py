"""Every command works where days lie in folders, and no dated file is passed over in silence."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

import roots
from lithify import config
from lithify.bench.corpus import read_days
from lithify.errors import ConfigError
from lithify.memory import CompactOptions, Memory
from lithify.settings import Folders
from lithify.store import days
from lithify.store.days import found_patterns, unmatched
from lithify.store.names import name_file
from test_cli import run
from test_days import fill, set_patterns

#: Roots as other tools and people leave them; each has two days of the week 2026-W24.
NESTED: Mapping[str, tuple[str, ...]] = {
    "memory/daily/**/*.md": (
        "memory/daily/2026-06/2026-06-11.md",
        "memory/daily/2026-06/2026-06-12.md",
    ),
    "logs/**/*.md": ("logs/2026/06/11.md", "logs/2026/06/12.md", "logs/2026/06/12-standup.md"),
    "20*/**/*.md": ("2026/2026-06-11.md", "2026/2026-06-12.md"),
    "notes/*.md": ("notes/2026-06-11.md", "notes/2026-06-12.md"),
    "sessions/**/*.md": ("sessions/2026-06-11/one.md", "sessions/2026-06-12/two.md"),
}

# Dated files that no pattern reads.


def test_unread_dated_files_are_counted_and_a_few_are_named(tmp_path: Path) -> None:
    fill(tmp_path, ["memory/2026-06-11.md", *(f"logs/2026/06/{n:02}.md" for n in range(1, 31))])
    fill(
        tmp_path,
        ["node_modules/a/2026-06-11.md", ".git/2026-06-11.md", "memory/weekly/2026-06-01.md"],
    )
    fill(tmp_path, ["other/lithify.toml", "other/memory/2026-06-11.md", "old [1]/2025-01-01.md"])
    found = unmatched(tmp_path)
    assert (found.total, len(found.paths), found.complete) == (31, days.SHOWN, True)
    assert found.line == 'patterns = ["memory/*.md", "logs/**/*.md", "old [[]1]/*.md"]'
    assert str(found).startswith("31 dated files are read by no pattern: logs/2026/06/01.md, ")
    set_patterns(tmp_path, *found.patterns)
    assert unmatched(tmp_path, config.load(tmp_path).folders).total == 0


def test_search_for_dated_files_ends_at_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, [f"logs/{name}/2026-06-11.md" for name in "abcdefgh"])
    monkeypatch.setattr(days, "SEARCH_LIMIT", 12)
    found = unmatched(tmp_path)
    assert 0 < found.total < 8 and not found.complete
    assert str(found).startswith("at least ")


def test_status_and_check_name_dated_files_with_the_line_that_reads_them(tmp_path: Path) -> None:
    root = fill(tmp_path / "root", ["memory/2026-06-11.md", "memory/daily/2026-06/2026-06-12.md"])
    run("compact", root=root)
    status = run("status", root=root)
    line = 'patterns = ["memory/*.md", "memory/daily/**/*.md"]'
    assert "not read: 1 dated file is read by no pattern: memory/daily/2026-06/2026-06-12.md" in (
        status.stdout
    )
    assert f"under [days]: {line}\n" in status.stdout
    assert status.returncode == 0
    data = json.loads(run("status", "--json", root=root).stdout)
    assert data["unmatched"] == {
        "count": 1,
        "complete": True,
        "paths": ["memory/daily/2026-06/2026-06-12.md"],
        "line": line,
    }
    check = run("check", "--json", root=root)
    (problem,) = json.loads(check.stdout)["problems"]
    assert (problem["kind"], problem["severity"], check.returncode) == ("unmatched", "note", 0)
    assert line in problem["message"]
    (root / "lithify.toml").write_text(f"[days]\n{line}\n")
    data = json.loads(run("status", "--json", root=root).stdout)
    assert (data["days"], data["unmatched"]) == (2, None)


def test_day_that_the_patterns_leave_out_is_not_taken_for_gone(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    memory.compact()
    before = roots.pages(memory.root)
    set_patterns(memory.root, "logs/*.md")
    memory = roots.opened(memory.root)
    status = memory.status()
    assert status.exit_code == 3 and status.lost == ()
    assert f"memory/{min(roots.DAYS)}.md" in status.unread
    why = [task.why for task in status.tasks if task.state == "missing"]
    assert why and all("no pattern in [days] of lithify.toml reads it" in one for one in why)
    # Letting days go does not mean those which are there.
    memory.compact(CompactOptions(accept_removed=True))
    set_patterns(memory.root, "memory/*.md", "logs/*.md")
    memory = roots.opened(memory.root)
    memory.compact()
    after = roots.pages(memory.root)
    assert {**after, "lithify.toml": b""} == {**before, "lithify.toml": b""}


# Where a new entry goes.


@pytest.mark.parametrize(
    ("patterns", "there", "path"),
    [
        # The usual place, wherever it is read.
        (["memory/*.md"], [], "memory/2026-07-01.md"),
        (["logs/*.md", "memory/*.md"], ["logs/2026-06-11.md"], "memory/2026-07-01.md"),
        (["memory/**/*.md"], ["memory/2026/06/11.md"], "memory/2026-07-01.md"),
        # The form of the newest day that the first pattern reads.
        (["logs/**/*.md"], ["logs/2026/06/11.md"], "logs/2026/07/01.md"),
        (["logs/**/*.md"], ["logs/2026-06/11.md"], "logs/2026-07/01.md"),
        (["logs/**/*.md"], ["logs/2026/06-11.md"], "logs/2026/07-01.md"),
        (["logs/**/*.md"], ["logs/2026/06/06/a.md"], "logs/2026/07/01/2026-07-01.md"),
        (["logs/**/*.md"], ["logs/2026/2026-06-11.md"], "logs/2026/2026-07-01.md"),
        (["logs/**/*.md"], ["logs/2026-W24/2026-06-11.md"], "logs/2026-W27/2026-07-01.md"),
        (["logs/**/*.md"], ["logs/2025-01-01.md", "logs/2026/06/11.md"], "logs/2026/07/01.md"),
        (["logs/**/*.md"], ["logs/2026/06/11-standup.md"], "logs/2026/07/01.md"),
        (["logs/**/*.md"], ["logs/2026-06-11/one.md"], "logs/2026-07-01/2026-07-01.md"),
        (["memory/daily/**/*.md"], ["memory/2026-06-11.md"], "memory/daily/2026-07-01.md"),
        # What the pattern asks for beside the date.
        (["logs/*-log.md"], ["logs/2026-06-11-log.md"], "logs/2026-07-01-log.md"),
        (["logs/*/notes.md"], ["logs/2026-06-11/notes.md"], "logs/2026-07-01/notes.md"),
        # The day's own plain file, though newer days have another form.
        (["logs/**/*.md"], ["logs/2026-07-01.md", "logs/2026/07/02.md"], "logs/2026-07-01.md"),
        # A folder named by more than a date cannot be made up.
        (["logs/**/*.md"], ["logs/2026/June/2026-06-11.md"], "logs/2026-07-01.md"),
        # No day yet: the plainest form that the pattern reads.
        (["logs/**/*.md"], [], "logs/2026-07-01.md"),
        (["logs/20??/*.md"], [], "logs/2026/2026-07-01.md"),
        (["20*/**/*.md"], [], "2026/2026-07-01.md"),
        (["*/*.md", "logs/*.md"], ["logs/2026-06-11.md"], "memory/2026-07-01.md"),
    ],
)
def test_new_entry_goes_where_the_root_keeps_its_days(
    patterns: list[str], there: list[str], path: str, tmp_path: Path
) -> None:
    fill(tmp_path, there)
    set_patterns(tmp_path, *patterns)
    memory = roots.opened(tmp_path, "2026-07-01")
    assert memory.log("Shipped 2.4.1.").path == path
    assert memory.log("And again.").path == path
    assert "2026-07-01" in memory.snapshot().tree.days()
    assert path in {file.path for file in memory.snapshot().tree.of("day")}


def test_patterns_that_leave_no_place_for_an_entry_are_told(tmp_path: Path) -> None:
    set_patterns(tmp_path, "logs/*/fixed/*-x.md")
    done = run("log", "Shipped", root=tmp_path)
    assert done.returncode == 1 and 'put "memory/*.md"' in done.stderr
    assert not list(tmp_path.rglob("*x.md"))


def test_what_a_session_did_is_logged_where_the_root_keeps_its_days(tmp_path: Path) -> None:
    fill(tmp_path, ["logs/2026/06/11.md"])
    set_patterns(tmp_path, "logs/**/*.md")
    gate = roots.opened(tmp_path, "2026-07-01").gate
    gate.record("s", "prompt", "Move the importer to the new runner, all 14 jobs of it.", None)
    gate.note_answer("s", "All 14 jobs of the importer run on the new runner.")
    gate.end_session("s")
    written = [path for path in roots.pages(tmp_path) if path.startswith("logs/")]
    assert written == ["logs/2026/06/11.md", "logs/2026/07/01.md"]
    assert not (tmp_path / "memory").exists()


# The commands on nested roots.


@pytest.mark.parametrize("pattern", NESTED)
def test_every_command_works_on_a_nested_root(pattern: str, tmp_path: Path) -> None:
    root = fill(tmp_path / "root", NESTED[pattern])
    before = roots.pages(root)
    init = run("init", str(root), "--json")
    assert json.loads(init.stdout)["patterns"][-1:] == [pattern]
    assert json.loads(init.stdout)["unmatched"] is None
    assert run("status", root=root).returncode == 3
    assert run("compact", root=root).returncode == 0
    assert run("status", root=root).returncode == 0
    week = (root / "memory/weekly/2026-W24.md").read_text()
    assert all(f"{path}: " in week for path in NESTED[pattern])
    ids = re.findall(r"2026-06-1[12]~[0-9a-f]{12}", week)
    assert ids
    hit = json.loads(run("recall", "JWT login Priya", "--json", root=root).stdout)["passages"][0]
    assert (hit["path"], hit["date"]) == (NESTED[pattern][0], "2026-06-11")
    # From what the week cites to its line in a day, and from that line back up to the week.
    (cited,) = json.loads(run("trace", ids[0], "--json", root=root).stdout)["roots"]
    assert cited["path"] in NESTED[pattern]
    up = run("trace", f"{cited['path']}:{cited['line']}", root=root)
    assert up.returncode == 0 and "memory/weekly/2026-W24.md" in up.stdout
    assert run("check", root=root).returncode == 0
    logged = json.loads(run("log", "Done.", "--at", "2026-06-13T10:00", "--json", root=root).stdout)
    assert name_file(logged["path"], patterns=config.load(root).days.patterns).label == "2026-06-13"
    assert logged["entries"][0].startswith("2026-06-13~")
    assert run("status", root=root).returncode == 3
    after = roots.pages(root)
    assert {path: after[path] for path in before} == before


def test_bench_measures_the_days_that_the_patterns_read(tmp_path: Path) -> None:
    root = fill(tmp_path / "root", [*NESTED["logs/**/*.md"], "memory/2026-06-13.md"])
    assert [str(one.day) for one in read_days(root)] == ["2026-06-13"]
    found = read_days(root, Folders(("logs/**/*.md",)))
    assert [str(one.day) for one in found] == ["2026-06-11", "2026-06-12"]
    # A day of several files is one, the plain file first.
    both = [(root / path).read_text() for path in NESTED["logs/**/*.md"][1:]]
    assert found[1].text == "\n".join(both)
    set_patterns(root, "logs/**/*.md")
    before = roots.pages(root)
    done = run("bench", "retention", "--json", root=root)
    assert done.returncode == 0 and json.loads(done.stdout)
    assert roots.pages(root) == before


def test_edited_nested_day_makes_its_week_stale_and_a_missing_one_is_told(tmp_path: Path) -> None:
    root = fill(tmp_path / "root", NESTED["logs/**/*.md"])
    Memory.init(root).compact()
    (root / "logs/2026/06/12.md").write_text(roots.day("Rolled importer 2.4.1 back."))
    status = run("status", root=root)
    assert "edited logs/2026/06/12.md" in status.stdout
    (root / "logs/2026/06/12.md").unlink()
    assert "logs/2026/06/12.md is missing" in run("status", root=root).stdout
    run("compact", "--accept-removed", root=root)
    assert run("status", root=root).returncode == 0


def test_workspace_with_several_files_a_day_needs_no_setting(tmp_path: Path) -> None:
    root = fill(tmp_path / "root", ["memory/2026-06-11.md", "memory/2026-06-11-1430.md"])
    data = json.loads(run("init", str(root), "--json").stdout)
    assert data["patterns"] == ["memory/*.md"]
    assert (root / "lithify.toml").read_text() == config.template()


def test_init_keeps_the_usual_place_first_unless_days_are_kept_elsewhere(tmp_path: Path) -> None:
    cases = {
        ("memory/2026-06-11.md", "memory/daily/2026-06-12.md"): (
            "memory/*.md",
            "memory/daily/*.md",
        ),
        ("docs/decisions/2026-06-11-redis.md",): ("memory/*.md", "docs/decisions/*.md"),
        ("logs/2026-06-11-am.md", "logs/2026-06-12.md"): ("logs/*.md",),
        ("memory/2026-06-11.md",): (),
        ("readme.md",): (),
    }
    for number, (paths, patterns) in enumerate(cases.items()):
        root = fill(tmp_path / str(number), paths)
        assert found_patterns(root) == patterns
        assert Memory.init(root).settings.days.patterns == (patterns or ("memory/*.md",))


def test_init_takes_no_dated_document_for_a_day_where_a_log_is_kept(tmp_path: Path) -> None:
    posts = ["blog/2026-06-11-pears.md", "memory/plans/2026-06-12-cellar.md"]
    for number, (day, patterns) in enumerate(
        [
            ("logs/2026/06/11.md", ["logs/**/*.md"]),
            ("memory/2026-06-11.md", ["memory/*.md"]),
            ("memory/2026-06-11-1430.md", ["memory/*.md"]),
        ]
    ):
        root = fill(tmp_path / str(number), [*posts, day])
        told = json.loads(run("init", str(root), "--json").stdout)
        assert told["patterns"] == patterns
        assert told["unmatched"]["paths"] == posts
        assert posts[0] in run("status", root=root).stdout


def test_init_says_what_it_wrote_and_leaves_settings_that_are_there(tmp_path: Path) -> None:
    root = fill(tmp_path / "new", ["logs/2026-06-11.md"])
    line = 'patterns = ["logs/*.md"]'
    assert line in run("init", str(root)).stdout
    assert f"\n[days]\n{line} " in (root / "lithify.toml").read_text()
    old = fill(tmp_path / "old", ["logs/2026-06-11.md"])
    (old / "lithify.toml").write_text('zone = "UTC"\n')
    said = run("init", str(old)).stdout
    assert "not read: logs/*.md: 1 day, 2026-06-11; no pattern names it\n" in said
    assert (old / "lithify.toml").read_text() == 'zone = "UTC"\n\n[gate]\nenabled = false\n'


def test_init_names_the_notes_beside_the_days_and_the_command_that_takes_them_in(
    tmp_path: Path,
) -> None:
    days = ["2026-02-21.md", "2026-02-22.md", "2026-02-22-ci-setup.md"]
    root = fill(tmp_path / "root", [f"memory/{day}" for day in days])
    assert "no date" not in run("init", str(root)).stdout
    notes = ["evolution-2026-02-22.md", "people.md", "projects/foo.md", "projects/old/bar.txt"]
    fill(root, [f"memory/{note}" for note in notes])
    fill(root, ["memory/weekly/2026-W08.md", "memory/notes/own.md", "README.md", "memory/x.json"])
    (root / "memory/evolution-2026-02-22.md").write_text("- Learned to cook.\n")
    (root / "memory/feedback_deploys.md").write_text("Never on a Friday.\n")
    said = run("init", str(root)).stdout
    assert (
        "not read: 4 notes whose names begin with no date, in memory/ (2: evolution-2026-02-22.md, "
        "people.md), memory/projects/ (1: foo.md), memory/projects/old/ (1: bar.txt)\n"
    ) in said
    assert "as in evolution-2026-02-22.md (1), makes it no part of that day." in said
    told = json.loads(run("init", str(root), "--json").stdout)
    assert told["notes"] == [f"memory/{note}" for note in sorted(notes)]
    command = said.partition("last change: lithify ")[2].partition("\n")[0]
    assert command == f"import folder {root}/memory --root {root}"
    taken = json.loads(run(*command.split(), "--json").stdout)
    assert taken["left_out"]["files that this root reads itself"] == 6
    under = [file.read_text() for file in sorted((root / "memory").glob("*-imported.md"))]
    assert [re.findall("^## (.*)", text, re.MULTILINE) for text in under] == [
        ["memory/evolution-2026-02-22.md"],
        ["memory/people.md", "old/bar.txt", "projects/foo.md"],
    ]
    here = subprocess.run(
        [sys.executable, "-m", "lithify", "init"], cwd=root, capture_output=True, text=True
    )
    assert here.stdout.count("lithify import folder memory\n") == 1


def test_of_a_place_and_its_copy_init_reads_one_and_says_how_to_choose(tmp_path: Path) -> None:
    days = [f"2026-03-{n:02}.md" for n in range(2, 6)]
    root = fill(tmp_path / "vault", [f"Daily/2026/03/{day}" for day in days])
    fill(root, [*(f"Archive/{day}" for day in days), "Archive/2025-12-30.md"])
    fill(root, ["Clippings/2026-02-11-pears.md", "notes/2026-04-01.txt"])
    said = run("init", str(root)).stdout
    assert "4 days found, 2026-03-02 to 2026-03-05" in said
    assert (
        "not read: Archive/*.md: 5 days, 2025-12-30 to 2026-03-05; "
        "4 of these days are in Daily/**/*.md too, as copies\n"
    ) in said
    assert "not read: Clippings/*.md: 1 day, 2026-02-11; no file there is named by a date" in said
    assert "not read: notes/2026-04-01.txt: its name looks like a day's; days are files" in said
    assert f"lithify init {root} --days 'Daily/**/*.md' --days 'Archive/*.md'\n" in said
    assert config.load(root).days.patterns == ("Daily/**/*.md",)
    said = run("init", str(root), "--days", "Archive/*.md").stdout
    assert "5 days found, 2025-12-30 to 2026-03-05" in said
    assert config.load(root).days.patterns == ("Archive/*.md",)
    mistyped = run("init", str(root), "--days", "Achive/*.md")
    assert mistyped.returncode == 2 and "Achive/*.md matches no dated file" in mistyped.stderr
    assert "There are Daily/**/*.md: 4 days" in mistyped.stderr
    assert config.load(root).days.patterns == ("Archive/*.md",)
    done = run("init", str(root), "--days", "../*.md")
    assert done.returncode == 2 and "leads out of the root" in done.stderr


def test_of_two_places_that_are_not_read_a_mere_copy_is_not_the_one_to_add(tmp_path: Path) -> None:
    days = ["2026-03-02.md", "2026-03-03.md"]
    root = fill(tmp_path / "root", [f"memory/{day}" for day in days])
    shutil.copytree(root / "memory", root / "memory/daily")
    fill(root, ["memory/decisions/2026-02-28-queue.md"])
    said = run("init", str(root)).stdout
    assert "not read: memory/daily/*.md: 2 days" in said
    assert "--days 'memory/*.md' --days 'memory/decisions/*.md'\n" in said


def test_two_logs_of_the_same_days_are_both_read_and_named(tmp_path: Path) -> None:
    root = fill(tmp_path / "root", ["work/2026-06-11.md", "home/2026-06-11.md"])
    (root / "home/2026-06-11.md").write_text("- Watered the plants.\n")
    said = run("init", str(root)).stdout
    assert "1 of these days are in work/*.md too, with other text" in said
    assert set(config.load(root).days.patterns) == {"work/*.md", "home/*.md"}


def test_a_graph_of_logseq_is_read_and_written_in_its_own_form(tmp_path: Path) -> None:
    fill(tmp_path, ["journals/2026_06_11.md", "pages/Slipway.md"])
    memory = Memory.init(tmp_path, clock=roots.opened(tmp_path, "2026-07-01")._clock)
    assert memory.settings.days.patterns == ("journals/*.md",)
    assert list(memory.snapshot().tree.days()) == ["2026-06-11"]
    assert memory.log("Shipped 2.4.1.").path == "journals/2026_07_01.md"


def test_a_file_with_several_names_is_read_once(tmp_path: Path) -> None:
    fill(tmp_path, ["Daily/2026-06-11.md", "Daily/2026-06-12.md", "Hard/other.md"])
    for day in ("2026-06-11.md", "2026-06-12.md"):
        (tmp_path / "Hard" / day).hardlink_to(tmp_path / "Daily" / day)
    (tmp_path / "Again").symlink_to("Daily")
    (tmp_path / "Daily/2026-06-11-link.md").symlink_to("2026-06-11.md")
    set_patterns(tmp_path, "Again/*.md", "Daily/*.md", "Daily/**/*.md", "Hard/*.md")
    tree = Memory.open(tmp_path).snapshot().tree
    assert [file.path for file in tree.of("day")] == ["Daily/2026-06-11.md", "Daily/2026-06-12.md"]
    assert [(one.path, one.reason[:50]) for one in tree.refused] == [
        ("Again", "3 files in it are the same as in Daily/, and are r"),
        ("Daily/2026-06-11-link.md", "it is the same file as the day's in Daily/, which "),
        ("Hard", "2 files in it are the same as in Daily/, and are r"),
    ]
    passages = Memory.open(tmp_path).recall("JWT login Priya").passages
    assert passages and all(one.path.startswith("Daily/") for one in passages)


@pytest.mark.parametrize(
    ("there", "answer", "patterns"),
    [
        (["logs/2026-06-11.md"], "y", ("logs/*.md",)),
        (["logs/2026-06-11.md"], "n", ("memory/*.md",)),
        (["a/2026-06-11.md", "old/2026-06-11.md"], "", ("a/*.md",)),
        (["a/2026-06-11.md", "old/2026-06-11.md"], "2", ("old/*.md",)),
        (["a/2026-06-11.md", "old/2026-06-11.md"], "1, 2", ("a/*.md", "old/*.md")),
        (["a/2026-06-11.md", "old/2026-06-11.md"], "0", ("memory/*.md",)),
    ],
)
def test_init_asks_at_a_terminal(
    there: list[str], answer: str, patterns: tuple[str, ...], tmp_path: Path
) -> None:
    root = tmp_path / "root"
    for path in there:
        fill(root, [path])
    answered(root, answer)
    assert config.load(root).days.patterns == patterns


def answered(root: Path, answer: str) -> None:
    """Run `init` at a terminal where a person gives this answer."""
    person, terminal = pty.openpty()
    os.write(person, f"{answer}\n".encode())
    argv = [sys.executable, "-m", "lithify", "init", str(root)]
    done = subprocess.run(argv, stdin=terminal, stdout=terminal, stderr=terminal, check=False)
    os.close(terminal)
    os.close(person)
    assert done.returncode == 0


def test_pages_go_to_the_folder_that_the_settings_name_and_status_names_the_old_ones(
    tmp_path: Path,
) -> None:
    memory = roots.made(tmp_path)
    memory.compact()
    before = roots.pages(memory.root)
    old = [path for path in before if path.startswith(("memory/weekly/", "memory/monthly/"))]
    settings = memory.root / "lithify.toml"
    settings.write_text(
        f"{settings.read_text()}\n[weekly]\nfolder = 'pages/weeks'\n[monthly]\nfolder = 'memory/m'\n"
    )
    memory = roots.opened(memory.root)
    refused = dict(memory.status().refused)
    assert set(refused) == {"memory/weekly", "memory/monthly"}
    assert all("of a folder that was used before" in why for why in refused.values())
    report = memory.compact()
    assert report.missing == () and report.exit_code == 0
    after = roots.pages(memory.root)
    moved = [
        path.replace("memory/weekly", "pages/weeks").replace("memory/monthly", "memory/m")
        for path in old
    ]
    assert set(moved) <= set(after) and {path: after[path] for path in old} == {
        path: before[path] for path in old
    }
    for path in old:
        (memory.root / path).unlink()
    memory = roots.opened(memory.root)
    status = memory.status()
    assert status.refused == () and status.exit_code == 0
    assert {task.state for task in status.tasks} <= {"current", "open", "absent"}
    assert [one for one in memory.check() if one.severity != "note"] == []


def test_init_says_that_a_folder_of_pages_is_somebody_elses_and_writes_elsewhere(
    tmp_path: Path,
) -> None:
    root = fill(tmp_path / "root", ["memory/2026-06-11.md", "memory/weekly/notes.md"])
    theirs = (root / "memory/weekly/notes.md").read_bytes()
    said = run("init", str(root)).stdout
    assert "memory/weekly/ holds files that are no pages of lithify: notes.md." in said
    (root / "lithify.toml").unlink()
    answered(root, "memory/weeks")
    assert config.load(root).folders.weekly == "memory/weeks"
    run("compact", root=root)
    assert (root / "memory/weeks/2026-W24.md").is_file()
    assert (root / "memory/weekly/notes.md").read_bytes() == theirs
    assert [path.name for path in (root / "memory/weekly").iterdir()] == ["notes.md"]


@pytest.mark.parametrize("folder", ["memory", "", "../weeks", ".lithify", "a/*", "logs"])
def test_a_folder_that_cannot_hold_pages_is_refused(folder: str, tmp_path: Path) -> None:
    set_patterns(tmp_path, "logs/*.md")
    with (tmp_path / "lithify.toml").open("a") as file:
        file.write(f"[weekly]\nfolder = '{folder}'\n")
    with pytest.raises(ConfigError):
        config.load(tmp_path)
