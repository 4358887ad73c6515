"""Every file of a root is found, named for what it is, and read only when it changed."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
import tracemalloc
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lithify.store import tree as store_tree
from lithify.store.lock import locked
from lithify.store.names import ROLES, name_file, slug
from lithify.store.tree import TYPE_LIMIT, memory_folder, scan

LONG_AGO = 1_000_000_000


def fill(root: Path, *paths: str, data: bytes = b"text\n") -> None:
    """Files written long ago, so that the cache may trust what it reads."""
    for path in paths:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        os.utime(place, (LONG_AGO, LONG_AGO))


def roles(root: Path, **options: Any) -> dict[str, tuple[str, str]]:
    return {file.path: (file.role, file.label) for file in scan(root, **options).files}


def cache(root: Path) -> Path:
    return root / ".lithify/digests.json"


# What a file is.


@pytest.mark.parametrize(
    ("path", "role", "label"),
    [
        ("memory/2026-04-02.md", "day", "2026-04-02"),
        ("memory/2026-02-10-1430.md", "day", "2026-02-10"),
        ("memory/2026-02-10-topic.md", "day", "2026-02-10"),
        ("memory/2024-02-29.md", "day", "2024-02-29"),
        ("memory/2026-04-02.MD", "day", "2026-04-02"),
        ("memory/2026-02-30.md", "other", "2026-02-30"),
        ("memory/2026-02-29-topic.md", "other", "2026-02-29-topic"),
        ("memory/2026-13-01.md", "other", "2026-13-01"),
        ("memory/0000-01-01.md", "other", "0000-01-01"),
        ("memory/2026-04-02.txt", "other", "2026-04-02"),
        ("memory/2026-04-021.md", "other", "2026-04-021"),
        ("memory/٢٠٢٦-04-02.md", "other", "٢٠٢٦-04-02"),
        ("2026-04-02.md", "other", "2026-04-02"),
        ("memory/deep/2026-04-02.md", "other", "2026-04-02"),
        ("memory/weekly/2026-W14.md", "week", "2026-W14"),
        ("memory/weekly/2026-w14.md", "week", "2026-W14"),
        ("memory/WEEKLY/2026-W14.md", "week", "2026-W14"),
        ("memory/weekly/2026-W53.md", "week", "2026-W53"),
        ("memory/weekly/2025-W53.md", "other", "2025-W53"),
        ("memory/weekly/2026-W00.md", "other", "2026-W00"),
        ("memory/weekly/2026-W54.md", "other", "2026-W54"),
        ("memory/2026-W14.md", "other", "2026-W14"),
        ("memory/monthly/2026-04.md", "month", "2026-04"),
        ("memory/monthly/2026-13.md", "other", "2026-13"),
        ("memory/monthly/2026-00.md", "other", "2026-00"),
        ("memory/feedback_testing-approach.md", "typed", "feedback_testing-approach"),
        ("memory/User_Role.md", "typed", "User_Role"),
        ("memory/feedback.md", "other", "feedback"),
        ("memory/idea_later.md", "other", "idea_later"),
        ("WISDOM.md", "wisdom", "WISDOM"),
        ("memory/wisdom.md", "wisdom", "WISDOM"),
        ("SOUL.md", "soul", "SOUL"),
        ("identity.md", "soul", "IDENTITY"),
        ("MEMORY.md", "index", "MEMORY"),
        ("memory/MEMORY.md", "index", "MEMORY"),
        ("memory/weekly/WISDOM.md", "other", "WISDOM"),
        ("lithify.toml", "other", "lithify"),
        ("Makefile", "other", "Makefile"),
    ],
)
def test_name_says_what_a_file_is(path: str, role: str, label: str) -> None:
    name = name_file(path)
    assert (name.role, name.label) == (role, label)


@given(st.text(min_size=1).filter(lambda name: "/" not in name), st.booleans())
def test_any_name_has_a_role(name: str, flat: bool) -> None:
    for path in (name, f"memory/{name}", f"memory/weekly/{name}.md"):
        assert name_file(path, flat=flat).role in ROLES


def test_years_with_53_weeks_are_told_from_the_others() -> None:
    has = [y for y in range(2015, 2033) if name_file(f"memory/weekly/{y}-W53.md").role == "week"]
    assert has == [2015, 2020, 2026, 2032]


def test_layout_of_a_root(tmp_path: Path) -> None:
    fill(tmp_path, "WISDOM.md", "SOUL.md", "memory/2026-04-02.md", "memory/weekly/2026-W14.md")
    fill(tmp_path, "memory/monthly/2026-04.md", "memory/project_launch.md", "memory/notes.md")
    fill(tmp_path, "lithify.toml", "prompts/week.md", ".hidden/2026-01-01.md", "memory/.x.md")
    tree = scan(tmp_path)
    assert [(file.role, file.path) for file in tree.files] == [
        ("soul", "SOUL.md"),
        ("wisdom", "WISDOM.md"),
        ("typed", "memory/project_launch.md"),
        ("month", "memory/monthly/2026-04.md"),
        ("week", "memory/weekly/2026-W14.md"),
        ("day", "memory/2026-04-02.md"),
        ("other", "lithify.toml"),
        ("other", "memory/notes.md"),
    ]
    assert tree.memory == "memory" and tree.refused == ()
    (day,) = tree.of("day")
    assert day.sha256 == sha256(b"text\n").hexdigest() and day.size == 5
    assert tree.of("typed")[0].memory_type == "project"


def test_several_files_make_one_day_the_plain_one_first(tmp_path: Path) -> None:
    names = ["2026-02-10-zoo.md", "2026-02-10-1430.md", "2026-02-10.md", "2026-02-09-x.md"]
    fill(tmp_path, *(f"memory/{name}" for name in names))
    days = scan(tmp_path).days()
    assert {day: [file.path for file in files] for day, files in days.items()} == {
        "2026-02-09": ["memory/2026-02-09-x.md"],
        "2026-02-10": [
            "memory/2026-02-10.md",
            "memory/2026-02-10-1430.md",
            "memory/2026-02-10-zoo.md",
        ],
    }
    assert list(days) == ["2026-02-09", "2026-02-10"]


def test_flat_folder_of_typed_memories(tmp_path: Path) -> None:
    fill(tmp_path, "MEMORY.md", "user_role.md", "feedback_tests.md", "other.md")
    assert roles(tmp_path) == {
        "MEMORY.md": ("index", "MEMORY"),
        "feedback_tests.md": ("typed", "feedback_tests"),
        "user_role.md": ("typed", "user_role"),
        "other.md": ("other", "other"),
    }
    assert scan(tmp_path).memory == ""


def test_flat_folder_of_days(tmp_path: Path) -> None:
    fill(tmp_path, "2026-04-02.md", "weekly/2026-W14.md", "monthly/2026-04.md", "src/2026-04-03.md")
    assert roles(tmp_path) == {
        "2026-04-02.md": ("day", "2026-04-02"),
        "weekly/2026-W14.md": ("week", "2026-W14"),
        "monthly/2026-04.md": ("month", "2026-04"),
    }


@pytest.mark.parametrize(
    ("paths", "folder"),
    [
        ([], "memory"),
        (["lithify.toml"], "memory"),
        (["MEMORY.md", "SOUL.md"], "memory"),
        (["MEMORY.md"], ""),
        (["2026-04-02.md"], ""),
        (["2026-04-02.md", "memory/x.md"], "memory"),
        (["Memory/x.md"], "Memory"),
        (["Memory/x.md", "memory/x.md"], "memory"),
    ],
)
def test_folder_that_new_days_go_to(paths: list[str], folder: str, tmp_path: Path) -> None:
    fill(tmp_path, *paths)
    assert memory_folder(tmp_path) == folder


def test_two_spellings_of_one_label_are_both_kept(tmp_path: Path) -> None:
    fill(tmp_path, "memory/weekly/2026-W14.md", "memory/Weekly/2026-w14.md", "Memory/2026-04-02.md")
    fill(tmp_path, "memory/2026-04-02.md")
    tree = scan(tmp_path)
    assert [f.path for f in tree.of("week")] == [
        "memory/Weekly/2026-w14.md",
        "memory/weekly/2026-W14.md",
    ]
    assert [f.path for f in tree.days()["2026-04-02"]] == [
        "Memory/2026-04-02.md",
        "memory/2026-04-02.md",
    ]


def test_unicode_forms_share_a_label_and_keep_their_spelling(tmp_path: Path) -> None:
    composed = "memory/user_café.md"
    split = unicodedata.normalize("NFD", composed)
    fill(tmp_path, composed, split)
    found = scan(tmp_path).of("typed")
    assert {file.path for file in found} == {composed, split}
    assert {file.label for file in found} == {"user_café"}


def test_name_that_is_no_text_is_listed_and_cached(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md")
    name = os.fsencode(tmp_path) + b"/memory/user_caf\xe9.md"
    with open(name, "wb") as file:
        file.write(b"x")
    os.utime(name, (LONG_AGO, LONG_AGO))
    assert len(scan(tmp_path).of("typed")) == 1
    assert scan(tmp_path).read == 0


# What is not read.


def test_what_is_called_almost_like_a_day_is_told_with_the_reason(tmp_path: Path) -> None:
    almost = {
        "2026-10-14 notes with spaces.md": "put - or _ after the date",
        "2026-13-45.md": "no such date",
        "2026-10-16.txt": "files that end in .md",
        "2026-10-16-v1.2.txt": "files that end in .md",
        "2026-10-17": "files that end in .md",
        "2026-1-5.md": "write the date like 2026-01-05",
    }
    others = ("2026-10-14.md~", "2026-10-14.png", "2026-10-14.md.bak", "notes.md", "2026-10.md")
    fill(tmp_path, "memory/2026-10-14.md", *(f"memory/{name}" for name in (*almost, *others)))
    fill(tmp_path, "2026-13-45.md", "memory/weekly/2026-13-45.md", "memory/2026-10-21.md/x.md")
    tree = scan(tmp_path, type_of=lambda data: None)
    told = {one.path: one for one in tree.refused}
    assert told.keys() == {"memory/2026-10-21.md", *(f"memory/{name}" for name in almost)}
    assert not any(one.broken for one in tree.refused)
    for name, reason in {**almost, "2026-10-21.md": "it is a folder"}.items():
        assert reason in told[f"memory/{name}"].reason
    # Its front matter makes it a memory, whatever it is called.
    cache(tmp_path).unlink()
    typed = scan(tmp_path, type_of=lambda data: "project").refused
    assert "memory/2026-13-45.md" not in [one.path for one in typed]


def test_link_out_of_the_root_is_refused_and_never_read(tmp_path: Path) -> None:
    fill(tmp_path, "outside/secret.md", "root/memory/2026-04-02.md")
    root = tmp_path / "root"
    (root / "memory/2026-04-03.md").symlink_to(tmp_path / "outside/secret.md")
    (root / "memory/weekly").symlink_to(tmp_path / "outside")
    (root / "memory/2026-04-04.md").symlink_to("../../outside/secret.md")
    tree = scan(root)
    assert [file.path for file in tree.files] == ["memory/2026-04-02.md"]
    assert [(one.path, one.reason) for one in tree.refused] == [
        ("memory/2026-04-03.md", "it is a link that leads out of the root"),
        ("memory/2026-04-04.md", "it is a link that leads out of the root"),
        ("memory/weekly", "it is a link that leads out of the root"),
    ]


def test_folder_beside_the_root_with_its_name_as_prefix_is_outside(tmp_path: Path) -> None:
    fill(tmp_path, "root/memory/2026-04-02.md", "root-other/2026-04-03.md")
    (tmp_path / "root/memory/2026-04-03.md").symlink_to(tmp_path / "root-other/2026-04-03.md")
    assert [one.path for one in scan(tmp_path / "root").refused] == ["memory/2026-04-03.md"]


def test_link_inside_the_root_is_followed(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", "memory/kept/2026-W14.md")
    (tmp_path / "memory/2026-04-02-copy.md").symlink_to("2026-04-02.md")
    (tmp_path / "memory/weekly").symlink_to("kept")
    tree = scan(tmp_path)
    assert [file.path for file in tree.of("day")] == ["memory/2026-04-02.md"]
    assert [file.path for file in tree.of("week")] == ["memory/weekly/2026-W14.md"]
    assert [(one.path, one.reason) for one in tree.refused] == [
        (
            "memory/2026-04-02-copy.md",
            "it is the same file as the day's in memory/, which is read",
        )
    ]


def test_linked_root_is_read(tmp_path: Path) -> None:
    fill(tmp_path, "real/memory/2026-04-02.md")
    (tmp_path / "link").symlink_to("real")
    assert [file.path for file in scan(tmp_path / "link").files] == ["memory/2026-04-02.md"]


def test_loops_and_broken_links_do_not_hang(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md")
    (tmp_path / "memory/loop").symlink_to(".")
    (tmp_path / "memory/2026-04-03.md").symlink_to("2026-04-03.md")
    (tmp_path / "memory/2026-04-04.md").symlink_to("nowhere.md")
    tree = scan(tmp_path)
    assert [file.path for file in tree.files] == ["memory/2026-04-02.md"]
    reasons = {one.path: one.reason for one in tree.refused}
    assert reasons["memory/loop"] == "it is a link to a folder that leads in circles"
    assert reasons["memory/2026-04-03.md"].startswith("it cannot be followed: ")
    assert reasons["memory/2026-04-04.md"].startswith("it cannot be followed: ")


def test_links_upon_links_do_not_multiply(tmp_path: Path) -> None:
    for level in range(12):
        fill(tmp_path, f"memory/l{level}/note.md")
        for name in ("x", "y"):
            (tmp_path / f"memory/l{level}/{name}").symlink_to(f"../l{level + 1}")
    assert len(scan(tmp_path).files) < 12 * 4


def test_what_is_no_text_is_not_read(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", data=b"a stray \x00 in a day\n" + b"text\n" * 9)
    fill(tmp_path, "memory/2026-04-03.md", data=bytes(range(256)) * 9)
    fill(tmp_path, "memory/2026-04-04.md", data="Grüße, später mehr\n".encode("latin-1"))
    tree = scan(tmp_path)
    assert [file.label for file in tree.of("day")] == ["2026-04-02", "2026-04-04"]
    (refused,) = tree.refused
    assert (refused.path, refused.reason) == ("memory/2026-04-03.md", "it is not text in UTF-8")


def test_pipe_in_the_place_of_a_day_does_not_hang(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md")
    os.mkfifo(tmp_path / "memory/2026-04-03.md")
    (refused,) = scan(tmp_path).refused
    assert (refused.path, refused.reason) == ("memory/2026-04-03.md", "it is not a regular file")


def test_file_swapped_for_a_link_after_the_look_is_not_read(tmp_path: Path) -> None:
    fill(tmp_path, "outside.md")
    (tmp_path / "link.md").symlink_to("outside.md")
    with pytest.raises(OSError, match="symbolic links"):
        store_tree._read_file(str(tmp_path / "link.md"), whole=False)


def test_empty_memory_file_is_listed_with_its_reason(tmp_path: Path) -> None:
    fill(tmp_path, "memory/weekly/2026-W14.md", "memory/notes.md", data=b"")
    tree = scan(tmp_path)
    assert [(one.path, one.reason, one.broken) for one in tree.refused] == [
        ("memory/weekly/2026-W14.md", "it is empty", False)
    ]
    assert [file.path for file in tree.files] == ["memory/notes.md"]


def test_emptied_day_is_still_a_day(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", data=b"")
    (day,) = scan(tmp_path).of("day")
    assert (day.size, day.sha256) == (0, hashlib.sha256(b"").hexdigest())


def test_unreadable_file_or_folder_is_listed_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, "memory/2026-04-02.md", "memory/2026-04-03.md", "memory/weekly/2026-W14.md")
    read, scandir = store_tree._read_file, os.scandir

    def deny_file(path: str, *, whole: bool) -> Any:
        if path.endswith("03.md"):
            raise PermissionError(13, "Permission denied")
        return read(path, whole=whole)

    def deny_folder(path: Any) -> Any:
        if str(path).endswith("weekly"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(store_tree, "_read_file", deny_file)
    monkeypatch.setattr(os, "scandir", deny_folder)
    tree = scan(tmp_path)
    assert [file.path for file in tree.files] == ["memory/2026-04-02.md"]
    assert [(one.path, one.reason, one.broken) for one in tree.refused] == [
        ("memory/2026-04-03.md", "Permission denied", True),
        ("memory/weekly", "Permission denied", True),
    ]


def test_missing_root_is_an_empty_tree(tmp_path: Path) -> None:
    tree = scan(tmp_path / "none", save=False)
    assert tree.files == () and tree.refused[0].path == "."


# What front matter says.


def says(data: bytes) -> str | None:
    return "feedback" if b"type: feedback" in data else None


def test_front_matter_makes_a_typed_memory(tmp_path: Path) -> None:
    fill(tmp_path, "memory/plain.md", "memory/2026-04-02.md", "WISDOM.md")
    fill(tmp_path, "memory/tests.md", "memory/deep/tests.md", data=b"type: feedback\n")
    fill(tmp_path, "memory/large.md", data=b"type: feedback\n" + b"x" * TYPE_LIMIT)
    asked: list[bytes] = []

    def type_of(data: bytes) -> str | None:
        asked.append(data)
        return says(data)

    tree = scan(tmp_path, type_of=type_of)
    assert [(f.path, f.memory_type, f.label) for f in tree.of("typed")] == [
        ("memory/tests.md", "feedback", "tests")
    ]
    assert sorted(asked) == [b"text\n", b"type: feedback\n"]
    (typed,) = tree.of("typed")
    assert typed.sha256 == sha256(b"type: feedback\n").hexdigest()
    assert scan(tmp_path, type_of=type_of).files == tree.files
    assert len(asked) == 2


def test_type_is_asked_for_when_a_later_scan_wants_it(tmp_path: Path) -> None:
    fill(tmp_path, "memory/tests.md", data=b"type: feedback\n")
    assert scan(tmp_path).of("typed") == ()
    assert len(scan(tmp_path, type_of=says).of("typed")) == 1


# What is not read again.


def test_unchanged_files_are_not_read_again(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", "memory/2026-04-03.md", "WISDOM.md")
    first = scan(tmp_path)
    assert first.read == 3
    written = cache(tmp_path).stat().st_mtime_ns, cache(tmp_path).stat().st_ino
    again = scan(tmp_path)
    assert again.read == 0 and again.files == first.files
    assert written == (cache(tmp_path).stat().st_mtime_ns, cache(tmp_path).stat().st_ino)


def test_changed_file_alone_is_read_again(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", "memory/2026-04-03.md")
    scan(tmp_path)
    fill(tmp_path, "memory/2026-04-03.md", data=b"more text\n")
    tree = scan(tmp_path)
    assert tree.read == 1
    assert tree.days()["2026-04-03"][0].sha256 == sha256(b"more text\n").hexdigest()


def test_touched_file_is_read_but_its_type_is_not_asked_again(tmp_path: Path) -> None:
    fill(tmp_path, "memory/tests.md", data=b"type: feedback\n")
    asked: list[bytes] = []

    def type_of(data: bytes) -> str | None:
        asked.append(data)
        return says(data)

    scan(tmp_path, type_of=type_of)
    os.utime(tmp_path / "memory/tests.md", (LONG_AGO + 9, LONG_AGO + 9))
    tree = scan(tmp_path, type_of=type_of)
    assert tree.read == 1 and len(tree.of("typed")) == 1
    assert len(asked) == 1


def test_edit_that_hides_behind_size_and_mtime_is_seen(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", data=b"one\n")
    scan(tmp_path)
    fill(tmp_path, "memory/2026-04-02.md", data=b"two\n")
    (file,) = scan(tmp_path).files
    assert file.sha256 == sha256(b"two\n").hexdigest()


def test_file_written_just_now_is_not_trusted(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md")
    os.utime(tmp_path / "memory/2026-04-02.md")
    assert scan(tmp_path).read == 1
    written = cache(tmp_path).stat().st_ino
    assert scan(tmp_path).read == 1
    assert cache(tmp_path).stat().st_ino == written  # nothing new was learnt


def test_file_from_the_future_is_not_trusted(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md")
    ahead = time.time() + 1e6
    os.utime(tmp_path / "memory/2026-04-02.md", (ahead, ahead))
    assert [scan(tmp_path).read for _ in range(3)] == [1, 1, 1]


def test_vanished_file_leaves_the_cache(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", "memory/2026-04-03.md")
    scan(tmp_path)
    (tmp_path / "memory/2026-04-03.md").unlink()
    scan(tmp_path)
    assert list(json.loads(cache(tmp_path).read_bytes())["files"]) == ["memory/2026-04-02.md"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: b"",
        lambda raw: raw[:-20],
        lambda raw: b"[]",
        lambda raw: b"\0" * len(raw),
        lambda raw: raw.replace(b'"version":1', b'"version":0'),
        lambda raw: raw.replace(b'.md":[', b'.md":[1,'),
        lambda raw: b"[" * 100_000,
    ],
)
def test_broken_cache_costs_a_read_and_nothing_else(
    spoil: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    fill(tmp_path, "memory/2026-04-02.md")
    files = scan(tmp_path).files
    cache(tmp_path).write_bytes(spoil(cache(tmp_path).read_bytes()))
    tree = scan(tmp_path)
    assert tree.files == files and tree.read == 1
    assert scan(tmp_path).read == 0


def test_deleted_cache_gives_the_same_tree(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", "memory/user_x.md", "WISDOM.md")
    files = scan(tmp_path).files
    cache(tmp_path).unlink()
    assert scan(tmp_path).files == files


def test_verify_reads_all_and_names_the_lies(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", "memory/2026-04-03.md")
    true = scan(tmp_path).files
    saved = json.loads(cache(tmp_path).read_bytes())
    saved["files"]["memory/2026-04-03.md"][4] = "0" * 64
    cache(tmp_path).write_text(json.dumps(saved))
    assert true[1] not in scan(tmp_path, save=False).files
    tree = scan(tmp_path, verify=True)
    assert tree.lies == ("memory/2026-04-03.md",)
    assert tree.read == 2 and tree.files == true
    assert scan(tmp_path, verify=True).lies == ()


def test_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path, "memory/2026-04-02.md")

    def refuse(*args: Any) -> Any:
        raise OSError(30, "Read-only file system")

    for call in ("mkdir", "replace", "unlink"):
        monkeypatch.setattr(store_tree.places.os, call, refuse)
    assert len(scan(tmp_path).files) == 1
    monkeypatch.undo()
    assert not cache(tmp_path).exists()


def test_cache_is_not_waited_for(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md")
    from threading import Thread

    with locked(tmp_path / ".lithify/lock"):
        thread = Thread(target=scan, args=(tmp_path,))
        thread.start()
        thread.join(timeout=60)
        assert not thread.is_alive()
    assert not cache(tmp_path).exists()


def test_scan_leaves_a_crash_to_the_next_writer(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", ".lithify/staged/" + "0" * 64)
    scan(tmp_path)
    assert cache(tmp_path).exists()
    assert os.listdir(tmp_path / ".lithify/staged") == ["0" * 64]


def test_large_file_is_hashed_in_pieces(tmp_path: Path) -> None:
    fill(tmp_path, "memory/2026-04-02.md", data=b"text\n" * 4096)
    os.truncate(tmp_path / "memory/2026-04-02.md", 100 << 20)
    tracemalloc.start()
    try:
        (file,) = scan(tmp_path).files
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert file.size == 100 << 20
    assert peak < 8 << 20


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("Never mock: the cache", "never-mock-the-cache"),
        ("Über uns", "uber-uns"),
        ("Straße", "strae"),
        ("con", "topic-con"),
        ("", "topic"),
    ],
)
def test_topic_in_our_letters_is_its_words(topic: str, name: str) -> None:
    assert slug(topic) == name


def test_topics_in_any_script_are_different_names_that_stay() -> None:
    topics = [
        "сервер",
        "бюджет",
        "сервер API",
        "бюджет API",
        "部署",
        "デプロイ",
        "कि",
        "की",
        "🚀",
        "🔥",
    ]
    names = [slug(topic) for topic in topics]
    assert len(set(names)) == len(topics)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]*", name) and len(name) <= 60 for name in names)
    assert [slug(name) for name in names] == names
    assert slug("Сервер") == slug("сервер") == "topic-011d1922"
