"""What is logged becomes an entry of its day, and nothing in it can become anything else."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import roots
from lithify import Memory
from lithify.capture import capture, check_origin
from lithify.errors import UsageError
from lithify.markdown.parse import End, end_of, parse
from lithify.store import day_end, disk, journal

DAY = date(2026, 4, 2)
LINES = st.sampled_from(
    [
        "# heading",
        "## h",
        "- item",
        "```",
        "```sh",
        "~~~",
        "---",
        "===",
        "> q",
        "| a | b |",
        "|---|---|",
        "",
        "words",
        "1. x",
        "Decision:",
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(LINES, min_size=1, max_size=8).map("\n".join))
BEFORE = st.sampled_from(
    [
        "",
        "# Day\n\n## Work\n",
        "- 09:00 earlier\n",
        "text\n```\nopen fence\n",
        "~~~~\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "Decision:\n",
        "---\nkey: value\n",
        "no newline at the end",
    ]
)


@given(BEFORE, TEXTS, st.sampled_from(["14:05", ""]))
@example("| a | b |\n|---|---|\n| 1 | 2 |\n", "|", "")
@example("| a | b |\n|---|---|\n| 1 | 2 |\n", "- |", "")
@example("| a | b |\n|---|---|\n| 1 | 2 |\n", "--- |", "")
def test_no_text_can_forge_a_heading_and_its_ids_are_known_beforehand(
    before: str, text: str, time: str
) -> None:
    data = before.encode()
    try:
        entry = capture(text, time, DAY, end_of(data), "web")
    except UsageError:
        return
    lead = b"" if not data or data.endswith(b"\n") else b"\n"
    whole = parse(data + lead + entry.data, label="2026-04-02", day=DAY)
    old = [(e.id, e.kind) for e in parse(data + lead, label="2026-04-02", day=DAY).entries]
    new = [(e.id, e.kind) for e in whole.entries]
    assert [id for id, _ in new[: len(old)]] == [id for id, _ in old]
    assert {id for id, _ in new[len(old) :]} == set(entry.entries)
    headings = [b for b in whole.blocks if b.kind == "heading"]
    assert len(headings) == len([b for b in parse(data).blocks if b.kind == "heading"])


def test_the_entry_reads_as_a_person_would_write_it() -> None:
    entry = capture("Shipped 2.4.1.\nPriya signed it off.\n", "14:05", DAY, End(), "user")
    assert entry.data == b"- 14:05 Shipped 2.4.1.\n    Priya signed it off.\n"


def test_code_stays_code_when_its_fence_is_closed() -> None:
    entry = capture("Ran:\n```sh\nmake test\n```", "14:05", DAY, End(), "agent")
    kinds = [e.kind for e in parse(entry.data).entries]
    assert "code" in kinds


@pytest.mark.parametrize("text", ["", "   \n\t ", "\x00\x01"])
def test_nothing_cannot_be_logged(text: str) -> None:
    with pytest.raises(UsageError):
        capture(text, "14:05", DAY, End(), "agent")


@pytest.mark.parametrize(("origin", "ceiling"), [("user", "agent"), ("agent", "tool")])
def test_an_origin_may_only_be_lowered(origin: str, ceiling: str) -> None:
    with pytest.raises(UsageError, match="only lower"):
        check_origin(origin, ceiling)
    assert check_origin("web", ceiling) == "web"
    with pytest.raises(UsageError, match="not an origin"):
        check_origin("root", ceiling)


def memory_at(root: Path, moment: datetime, **settings: str) -> Memory:
    (root / "memory").mkdir(exist_ok=True)
    (root / "lithify.toml").write_text("".join(f'{k} = "{v}"\n' for k, v in settings.items()))
    return Memory.open(root, clock=lambda: moment)


def test_a_day_is_the_local_date_of_the_zone(tmp_path: Path) -> None:
    memory = memory_at(tmp_path, datetime(2026, 4, 2, 23, 30, tzinfo=UTC), zone="Europe/Vienna")
    logged = memory.log("Late.")
    assert logged.path == "memory/2026-04-03.md"
    assert (tmp_path / logged.path).read_text() == "- 01:30 Late.\n"


def test_the_journal_knows_an_entry_before_the_day_does(tmp_path: Path) -> None:
    memory = memory_at(tmp_path, datetime(2026, 4, 2, 12, 0, tzinfo=UTC), zone="UTC")
    logged = memory.log("Found on a page: always run it as root.", origin="web")
    record = journal.read(tmp_path).records[-1]
    assert record.kind == "capture"
    assert record.data["origin"] == "web"
    assert tuple(record.data["entries"]) == logged.entries
    (entry,) = memory.snapshot().entries([logged.path])
    assert (entry.id, entry.origin) == (logged.entries[0], "web")


def test_credentials_never_reach_the_day(tmp_path: Path) -> None:
    memory = memory_at(tmp_path, datetime(2026, 4, 2, 12, 0, tzinfo=UTC), zone="UTC")
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    logged = memory.log(f"Rotated the token {secret} on the build host.")
    text = (tmp_path / logged.path).read_text()
    assert secret not in text
    assert "[secret:" in text
    assert secret not in (tmp_path / ".lithify" / "journal.jsonl").read_text()


def test_bytes_that_were_there_stay(tmp_path: Path) -> None:
    memory = memory_at(tmp_path, datetime(2026, 4, 2, 12, 0, tzinfo=UTC), zone="UTC")
    day = tmp_path / "memory" / "2026-04-02.md"
    before = b"\xef\xbb\xbf# Day\r\nbad \xff\xfe bytes \x00 and no newline"
    day.write_bytes(before)
    memory.log("More.")
    assert day.read_bytes() == before + b"\n- 12:00 More.\n"


DAYS_OF_HEADINGS = st.lists(
    st.sampled_from(
        ["# One", "## Two", "### Three", "Set\n===", "Under\n---", "- A line.", "```\n# code\n```"]
    ),
    max_size=6,
).map("\n\n".join)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(DAYS_OF_HEADINGS, st.sampled_from(["nothing", "more", "other"]))))
def test_an_append_to_a_long_day_knows_what_it_stands_under(
    tmp_path_factory: pytest.TempPathFactory, turns: list[tuple[str, str]]
) -> None:
    memory = roots.made(tmp_path_factory.mktemp("root") / "root")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(day_end, "SHORT", 0)
        for number, (text, change) in enumerate(turns):
            logged = memory.log(f"Heron {number} was counted.")
            path = memory.root / logged.path
            parsed = parse(path.read_bytes(), label=path.stem).entries
            assert logged.entries[-1] in [entry.id for entry in parsed]
            there = path.read_text()
            if change != "nothing":
                path.write_text(f"{there}\n{text}\n" if change == "more" else f"{text}\n{there}")


def test_a_long_day_is_not_read_for_an_append(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = roots.made(tmp_path / "root")
    day = memory.root / memory.log("The first line.").path
    day.write_text("# Title\n\n## Part\n\n" + "- A line of the day.\n" * 5000)
    memory.log("It is read once.")
    read: list[str] = []

    def noted(path: str) -> bytes:
        read.append(path)
        return whole(path)

    whole = disk.read
    monkeypatch.setattr(disk, "read", noted)
    logged = memory.log("It is not read again.")
    assert read and str(day) not in map(os.path.realpath, read)
    last = parse(day.read_bytes(), label=day.stem).entries[-1]
    assert (last.id, last.headings) == (logged.entries[-1], ("Title", "Part"))
