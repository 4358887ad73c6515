"""A path gives its date, patterns say which dated files are days, and odd files stay harmless."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import roots
from lithify import config
from lithify.errors import ConfigError
from lithify.settings import Folders
from lithify.store.commit import commit
from lithify.store.days import day_path, propose, setting, unmatched
from lithify.store.names import Layout, dated, name_file, pattern_problem
from lithify.store.tree import scan
from test_cli import run

TEXTS = (
    roots.day("Priya signed off the JWT login for 420 users.", "Decided on Redis, it is cheaper."),
    roots.day("Shipped importer 2.4.1 with PR 318.", "Blocked: the staging certificate expired."),
    roots.day("Standup: Tomasz renews the certificate by 2026-06-19."),
)


def fill(root: Path, paths: Iterable[str]) -> Path:
    for number, path in enumerate(paths):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(TEXTS[number % len(TEXTS)])
    return root


def set_patterns(root: Path, *patterns: str) -> None:
    root.mkdir(parents=True, exist_ok=True)
    (root / "lithify.toml").write_text(f'zone = "UTC"\n[days]\n{setting(patterns)}\n')


# The date of a path.

DATES = st.dates(date(1, 1, 1), date(9999, 12, 31))
FOLDERS = st.lists(
    st.sampled_from(["logs", "memory", "daily", "Über uns", "a.b", "20"]), max_size=3
)
FORMS = [
    "{y}-{m}-{d}.md",
    "{y}-{m}-{d}-standup.md",
    "{y}-{m}-{d}_1430.MD",
    "{y}/{m}/{d}.md",
    "{y}/{m}/{d}-standup.md",
    "{y}-{m}/{d}.md",
    "{y}/{m}-{d}.md",
    "{y}/{y}-{m}-{d}.md",
    "{y}/{m}/{y}-{m}-{d}-topic.md",
    "{y}-{m}-{d}/standup.md",
    "{y}/{m}/{d}/standup.md",
    "{y}-{m}-{d}/deep/er.md",
]


@given(DATES, FOLDERS, st.sampled_from(FORMS))
def test_name_and_folders_give_the_date(day: date, folders: list[str], form: str) -> None:
    path = form.format(y=f"{day.year:04}", m=f"{day.month:02}", d=f"{day.day:02}")
    found = dated("/".join([*folders, path]))
    assert found is not None and found.label == day.isoformat()
    assert (found.suffix == "") == (re.search(r"\d\d\.md$", path) is not None)


@given(st.text(alphabet="0123456789-_/. amdW٣\n", max_size=30).map(lambda text: f"{text}.md"))
def test_date_of_any_path_is_a_real_date_whose_digits_stand_in_it(path: str) -> None:
    found = dated(path)
    if found is not None:
        date.fromisoformat(found.label)
        digits = re.sub(r"[/-]", "", path)
        assert found.label.replace("-", "") in digits


@pytest.mark.parametrize(
    "path",
    [
        "2026/13/01.md",
        "2026/06/31.md",
        "2026/6/4.md",
        "2026/06/14.txt",
        "2026/06/14 notes.md",
        "26/06/14.md",
        "2026/06.md",
        "weekly/2026-W24.md",
        "2026-06-14.md/inside.md",
        "12026-06-14.md",
        "06/2026/14.md",
        "",
    ],
)
def test_path_without_a_date_has_none(path: str) -> None:
    assert dated(path) is None


@given(st.text(alphabet="0123456789-_./ amdM\u00e4", max_size=24), st.booleans())
def test_days_by_default_are_those_directly_in_memory(path: str, flat: bool) -> None:
    """The rule of roots without the setting, written down a second time."""
    folder, _, file = path.rpartition("/")
    found = re.fullmatch(r"(\d{4}-\d\d-\d\d)([-_].+)?\.md", file.lower())
    here = folder.lower() == "memory" or (flat and not folder)
    try:
        is_day = bool(here and found and date.fromisoformat(found[1]))
    except ValueError:
        is_day = False
    assert (name_file(path, flat=flat).role == "day") == is_day


# Patterns.

TREE = [
    *("2026-06-14.md", "memory/2026-06-14.md", "memory/daily/2026-06-14.md", "memory/a/b/14.md"),
    *("logs/2026/06/14.md", "logs/2026/06/14-x.md", "logs/2026-06/14.txt", "logs/14.md"),
    *(".hidden/2026-06-14.md", "logs/.hidden/14.md", "logs/.14.md", "l[o]gs/14.md", "a b/c.md"),
]


@pytest.mark.parametrize(
    "pattern",
    [
        *("*.md", "memory/*.md", "memory/**/*.md", "**/*.md", "logs/**/*.md", "logs/*/*/14*.md"),
        *("logs/20??/**/*.md", "logs/20[0-9][0-9]/*/[!0]*.md", "*/2026/**/14.md", "l[[]o]gs/*.md"),
        *(".hidden/*.md", "logs/.hidden/*.md", "**/.hidden/*.md", "logs/**", "a b/?.md", "log*/*"),
    ],
)
def test_pattern_reads_what_the_shell_would_list(pattern: str, tmp_path: Path) -> None:
    fill(tmp_path, TREE)
    listed = {
        path
        for path in glob.glob(pattern, root_dir=tmp_path, recursive=True)
        if (tmp_path / path).is_file()
    }
    # The module `glob` finds no hidden folder by a name that comes after `**`.
    listed |= {"logs/.hidden/14.md", ".hidden/2026-06-14.md"} if pattern[:4] == "**/." else set()
    read = {path for path in TREE if Layout(patterns=(pattern,)).reads(path)}
    assert pattern_problem(pattern) == ""
    assert read == listed
    # Every folder on the way is walked: what is read by name is found on disk.
    dates = {path for path in read if dated(path)}
    assert {file.path for file in scan(tmp_path, folders=Folders((pattern,))).of("day")} == dates


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("", "is empty"),
        ("  ", "is empty"),
        ("/var/log/*.md", "leads out of the root"),
        ("~/logs/*.md", "leads out of the root"),
        ("C:/logs/*.md", "leads out of the root"),
        ("../*.md", "leads out of the root"),
        ("memory/../../*.md", "leads out of the root"),
        ("logs\\*.md", "separated by /"),
        ("logs//*.md", "empty folder name"),
        ("./logs/*.md", "`.`"),
        ("logs/**.md", "`**`"),
        (".lithify/history/*.md", "belongs to the program"),
        ("memory/weekly/*.md", "written from days"),
        ("Memory/Monthly/**/*.md", "written from days"),
        ("logs/*.txt", ".md"),
        ("logs/[z-a]*.md", "[ ]"),
    ],
)
def test_bad_pattern_is_refused_with_the_reason(pattern: str, words: str, tmp_path: Path) -> None:
    set_patterns(tmp_path, "memory/*.md", pattern)
    with pytest.raises(ConfigError) as caught:
        config.load(tmp_path)
    assert words in caught.value.message
    assert "lithify.toml: `days.patterns`" in caught.value.message


def test_no_pattern_at_all_is_refused(tmp_path: Path) -> None:
    set_patterns(tmp_path)
    assert "at least one" in run("status", root=tmp_path).stderr
    assert run("status", root=tmp_path).returncode == 1


def test_pages_and_packages_are_never_days(tmp_path: Path) -> None:
    fill(
        tmp_path, ["memory/weekly/2026-06-14.md", "memory/monthly/2026/06/14.md", "a/2026-06-14.md"]
    )
    fill(
        tmp_path,
        [
            "a/node_modules/b/2026-06-14.md",
            "memory/node_modules/2026-06-14.md",
            ".lithify/history/2026-06-14.md",
        ],
    )
    tree = scan(tmp_path, folders=Folders(("**/*.md",)))
    assert [file.path for file in tree.of("day")] == ["a/2026-06-14.md"]
    assert unmatched(tmp_path, Folders(("**/*.md",))).total == 0


def test_plain_file_of_a_day_comes_first_then_the_others_by_name(tmp_path: Path) -> None:
    paths = ["logs/2026/06/14-b.md", "logs/2026/06/14.md", "logs/2026/06/14-a.md"]
    tree = scan(fill(tmp_path, paths), folders=Folders(("logs/**/*.md",)))
    (files,) = tree.days().values()
    assert [file.path for file in files] == [paths[1], paths[2], paths[0]]


def test_flat_root_reads_patterns_of_memory_from_its_top(tmp_path: Path) -> None:
    fill(tmp_path, ["MEMORY.md", "2026-06-11.md", "daily/2026-06-12.md", "weekly/2026-06-13.md"])
    tree = scan(tmp_path, folders=Folders(("memory/**/*.md",)))
    assert tree.memory == ""
    assert [file.label for file in tree.of("day")] == ["2026-06-11", "2026-06-12"]
    assert (
        day_path(tmp_path, Folders(("memory/daily/*.md",)), date(2026, 6, 20))
        == "daily/2026-06-20.md"
    )


# Odd files beside memory.


def test_odd_files_where_a_pattern_leads_are_told_and_never_read(tmp_path: Path) -> None:
    root = fill(tmp_path / "root", ["logs/2026-06-11.md", "logs/2026/06/31.md", "logs/readme.md"])
    fill(tmp_path, ["outside/2026-06-12.md"])
    (root / "logs/2026-06-12.md").symlink_to(tmp_path / "outside/2026-06-12.md")
    (root / "logs/elsewhere").symlink_to(tmp_path / "outside")
    (root / "logs/script").symlink_to("/bin/sh")
    (root / "logs/circle").symlink_to(".")
    (root / "logs/2026-06-13.md").mkdir()
    os.mkfifo(root / "logs/2026-06-14.md")
    os.mkfifo(root / "logs/pipe")
    tree = scan(root, folders=Folders(("logs/**/*.md",)))
    assert [file.path for file in tree.of("day")] == ["logs/2026-06-11.md"]
    assert {one.path: one.reason for one in tree.refused} == {
        "logs/2026-06-12.md": "it is a link that leads out of the root",
        "logs/elsewhere": "it is a link that leads out of the root",
        "logs/circle": "it is a link to a folder that leads in circles",
        "logs/2026-06-13.md": "its name looks like a day's, but it is a folder",
        "logs/2026-06-14.md": "it is not a regular file",
        "logs/2026/06/31.md": "its name looks like a day's, but there is no such date",
    }


def test_link_inside_the_root_is_followed_where_a_pattern_leads(tmp_path: Path) -> None:
    fill(tmp_path, ["kept/2026-06-11.md"])
    (tmp_path / "logs").symlink_to("kept")
    tree = scan(tmp_path, folders=Folders(("logs/*.md",)))
    assert [file.path for file in tree.of("day")] == ["logs/2026-06-11.md"]


def test_day_in_any_place_is_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="only ever added to"):
        commit(tmp_path, {"logs/2026/06/14.md": b"new"}, "week", {}, "2026-06-15T00:00:00Z")


@given(DATES, FOLDERS, st.sampled_from(FORMS))
def test_proposed_pattern_reads_the_file_it_was_made_for(
    day: date, folders: list[str], form: str
) -> None:
    name = form.format(y=f"{day.year:04}", m=f"{day.month:02}", d=f"{day.day:02}")
    path = "/".join([*folders, name])
    patterns = propose([path], Layout("memory", ("none/*.md",)))
    assert [pattern_problem(pattern) for pattern in patterns] == [""]
    assert Layout(patterns=patterns).reads(path)


@given(DATES, st.lists(st.sampled_from(FORMS), max_size=4), DATES)
def test_new_entry_is_always_read_as_its_day(there: date, forms: list[str], day: date) -> None:
    with TemporaryDirectory() as folder:
        digits = {"y": f"{there.year:04}", "m": f"{there.month:02}", "d": f"{there.day:02}"}
        for form in forms:
            place = Path(folder, "logs", form.format(**digits))
            if not place.parent.is_file() and not place.is_dir():
                fill(Path(folder), [str(place.relative_to(folder))])
        path = day_path(folder, Folders(("logs/**/*.md",)), day)
        name = name_file(path, patterns=("logs/**/*.md",))
    assert (name.role, name.label) == ("day", day.isoformat())
