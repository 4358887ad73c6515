"""What other tools have kept comes in once, under its day and time, and as nothing but an entry."""

from __future__ import annotations

import io
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import faults
from commands import lithify
from imports import FIXTURES, NOW, bring, claude_mem, database, days, new_root, transcript
from lithify.errors import UsageError
from lithify.importers import source_files
from lithify.importers.source_files import json_items
from lithify.importers.sources import BUILT_IN, source_named, source_of
from lithify.importers.turns import steps_line, steps_of
from lithify.memory import CompactOptions
from lithify.store import journal

GIT = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}
#: Of each source: how many entries its fixture gives, and lines that must be among them.
EXPECTED = {
    "claude-code": (
        9,
        {
            "2026-03-02": [
                "- 09:14 Request (shop): Add JWT login to the API. Tokens expire after 15 minutes.",
                "- 09:21 Result (shop): The API has a JWT login, and tokens expire after 15 minutes. "
                "All 12 tests pass. Refresh tokens are not part of this.\n"
                "    Steps: edited api/login.py; ran `pytest -q tests/test_login.py`; read 1 file",
                "- 23:32 Answer (shop): Also for admins? No, admins keep 15 minutes.",
            ],
            "2026-03-03": [
                "- 00:05 Request (shop): And write it into the changelog.",
                "- 01:00 Request (shop): /review the login",
                "- 01:02 Result (shop): The login accepts a token without an expiry; that has to be refused.",
            ],
        },
    ),
    "codex": (
        4,
        {
            "2025-05-07": ["    Steps: ran `pytest --durations=3`"],
            "2026-03-04": [
                "- 10:00 Request (ledger): Why does the ledger round 0.005 down?",
                "    Steps: edited src/money.py; ran `rg ROUND src`",
            ],
        },
    ),
    "gemini": (
        4,
        {
            "2026-03-05": ["    Steps: edited harbour.svg"],
            "2026-03-06": [
                "- 08:00 Request (atlas): Put the lighthouse on the map.",
                "- 08:01 Result (atlas): The lighthouse stands at the north pier.",
            ],
        },
    ),
    "claude-memory": (
        3,
        {
            "2026-02-20": [
                "- Rule: Never deploy on a Friday.",
                "    Why: the on-call rota is thin on weekends.",
            ],
            "2026-02-21": ["- Preference: Mira reviews every schema change before it is merged."],
        },
    ),
    "openclaw": (
        6,
        {
            "2026-02-10": [
                "- 08:30 Ordered the filter for the boiler, 42.50 EUR.",
                "- Decision: Keep it at 19 degrees at night.",
                "    > Noor: the key is with the neighbour.",
            ],
            "2026-02-12": ["- The shed needs a new roof."],
        },
    ),
    "recall": (
        4,
        {
            "2025-10-05": ["- Decisions: Dropped support for Python 3.9."],
            "2026-01-15": ["- ada: Picked SQLite for the cache because it needs no server."],
        },
    ),
    "copilot": (
        2,
        {
            "2026-03-12": [
                "- 04:20 Request (harbour): Look at the harbour page and tell me which ferries there are.",
                "- 04:20 Result (harbour): The harbour page lists three ferries. The 14:20 one is full.\n"
                "    Steps: ran `ls`",
            ]
        },
    ),
    "opencode": (
        4,
        {
            "2026-03-12": [
                "- 10:00 Request (harbour): Look at the harbour page and tell me which ferries there are.",
                "- 10:01 Request (harbour): And when does the second one leave?",
            ]
        },
    ),
    "cursor": (
        4,
        {
            "2025-03-13": ["- 10:00 Result: Pier 4 is 80 metres long."],
            "2026-03-13": [
                "- 09:01 Result (harbour): The table is sorted by departure now, and the full ferries "
                "stand last.\n    Steps: edited table.py",
            ],
        },
    ),
    "mcp-memory": (
        4,
        {
            "2026-03-14": [
                "- Harbour office, place: opens at 07:30 on weekdays",
                "- Relation: Ines reports to Harbour office",
            ]
        },
    ),
    "graphiti": (
        4,
        {
            "2026-03-01": [
                "- 16:30 phone call (harbour): Ines: the second ferry leaves at 14:20 from Monday on."
            ],
            "2026-01-10": ["- 00:00 Fact (harbour): The second ferry leaves at 13:00."],
        },
    ),
    "logseq": (
        7,
        {
            "2026-03-14": [
                "- 09:10 Called the pilot about the [[Second ferry]]",
                "- [ ] order rope for pier 4",
                "- [x] pay the mooring fee",
            ],
            "2025-10-05": ["- The buoy was painted."],
            "2025-10-06": ["- The lamp got a new bulb."],
            "2025-10-07": ["- The winch was greased."],
        },
    ),
    "basic-memory": (
        3,
        {
            "2026-01-12": [
                "- Second ferry: Observations: [schedule] Leaves at 14:20 on weekdays #timetable (since January)"
            ]
        },
    ),
    "claude-mem": (
        7,
        {
            "2026-03-07": [
                "- 11:00 Bugfix (kiln): Fixed the kiln timer. The timer used local time twice and fired "
                "an hour late.\n    Facts: The timer ignored summer time.",
                "- 12:00 Investigated (kiln): timer.py",
                "- 12:00 Next steps (kiln): Watch the firing on Sunday.",
            ]
        },
    ),
    "chatgpt": (
        2,
        {"2026-03-08": ["- 08:53 Asked (Trip to Lisbon): How many days for Lisbon in May?"]},
    ),
    "claude-ai": (
        2,
        {
            "2026-03-10": [
                "- 18:01 Answered (Sourdough): It is hungry. Feed it twice a day at 1:2:2 until the "
                "smell is gone."
            ]
        },
    ),
    "mem0": (2, {"2026-01-20": ["- 16:00 Remember: nadia: Prefers window seats on trains"]}),
    "letta": (
        3,
        {
            "2026-02-02": [
                "- 09:01 Asked: Find me a flight to Kumasi.",
                "- 09:02 Answered: The 14:20 flight has seats.",
            ],
            "2026-02-03": ["- 09:00 Memory (human): The person is called Ife and works in Accra."],
        },
    ),
    "obsidian": (
        4,
        {
            "2026-03-05": [
                "- [x] Garden: Planted the [[beans]]",
                "- Garden: plant: beans; rows: 3",
            ]
        },
    ),
    "folder": (3, {"2026-02-14-imported": ["- Bought 3 chairs for the porch."]}),
    "git": (
        2,
        {"2026-02-01": ["- 10:00 Commit {hash} by Ada (repo): Count the cups. Guests were four."]},
    ),
}


def fixture(source: str, folder: Path) -> Path:
    """The path to import from."""
    if source == "git":
        return repository(folder / "repo")
    if scripts := [*(FIXTURES / source).glob("*.sql")]:
        name = "state.vscdb" if source == "cursor" else f"{source}.db"
        return database(scripts[0], folder / name)
    copied = shutil.copytree(FIXTURES / source, folder / source)
    for file in copied.rglob("*.*"):
        os.utime(file, (1_773_500_000, 1_773_500_000))  # 2026-03-14
    return copied


def repository(path: Path) -> Path:
    def git(*words: str, when: str = "2026-02-01T10:00:00+00:00") -> None:
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        subprocess.run(["git", "-C", path, *words], check=True, env={**os.environ, **GIT, **dates})

    path.mkdir()
    git("init", "-q")
    git(
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "Count the cups\n\nGuests were four.\n\nSigned-off-by: A",
    )
    git("commit", "-q", "--allow-empty", "-m", "Order plates", when="2026-02-02T11:00:00+00:00")
    return path


@pytest.mark.parametrize("source", BUILT_IN)
def test_each_format_becomes_entries_of_its_days_and_a_second_run_adds_none(
    source: str, tmp_path: Path
) -> None:
    memory = new_root(tmp_path / "root")
    path = fixture(source, tmp_path)
    count, lines = EXPECTED[source]
    foreseen = bring(memory, source, path, dry_run=True)
    assert days(memory.root) == {}
    done = bring(memory, source, path)
    assert done.entries == foreseen.entries == count
    found = days(memory.root)
    assert len(found) == done.days
    for day, expected in lines.items():
        text = re.sub(r"Commit \w{10}", "Commit {hash}", found[day])
        for line in expected:
            assert f"{line}\n" in text
    assert "MUST-NOT" not in "".join(found.values())
    again = bring(memory, source, path)
    assert (again.entries, again.known) == (0, count)
    assert days(memory.root) == found


@pytest.mark.parametrize("source", [name for name in BUILT_IN if name not in ("git", "folder")])
def test_the_source_of_a_path_is_told_by_its_content(source: str, tmp_path: Path) -> None:
    path = fixture(source, tmp_path)
    assert source_of(path / "agent.af" if source == "letta" else path).name == source


def test_entries_are_of_the_source_and_not_trusted_until_a_person_says_so(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    bring(memory, "claude-memory", FIXTURES / "claude-memory")
    (entry,) = memory.snapshot().entries(["memory/2026-02-20.md"])
    assert (entry.origin, entry.trusted) == ("import:claude-memory", False)
    memory.compact(CompactOptions(include_current=True))
    assert memory.memories.list() == ()
    memory.trust("import:claude-memory")
    memory.compact(CompactOptions(include_current=True))
    told = {one.text: one.type for one in memory.memories.list()}
    assert told["Never deploy on a Friday."] == "feedback"


def test_a_labelled_line_of_a_note_is_a_memory_and_its_box_a_box(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    note = "## Work\n- [ ] send the quote\n  Rule: never quote without tax.\n\n![[sketch.png]]\n"
    (vault / "2026-03-05.md").write_text(note)
    memory = new_root(tmp_path / "root")
    bring(memory, "obsidian", vault)
    told = days(memory.root)["2026-03-05"]
    assert told == "- [ ] Work: send the quote\n    Rule: never quote without tax.\n"
    memory.trust("import:obsidian")
    memory.compact(CompactOptions(include_current=True))
    assert [one.text for one in memory.memories.list()] == ["never quote without tax."]


def test_a_quote_stays_a_quote(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    bring(memory, "openclaw", FIXTURES / "openclaw")
    entries = memory.snapshot().entries(["memory/2026-02-10.md"])
    assert [entry.quoted for entry in entries if "neighbour" in entry.text] == [True]


def test_secrets_are_replaced_and_counted(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    done = bring(memory, "claude-code", FIXTURES / "claude-code")
    everything = b"".join(p.read_bytes() for p in memory.root.rglob("*") if p.is_file())
    assert done.redactions == 1
    assert b"AKIAIOSFODNN7EXAMPLQ" not in everything and b"[secret:aws-access-key:" in everything


def test_what_is_left_out_is_counted_by_what_it_is(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    done = bring(memory, "claude-code", FIXTURES / "claude-code", since=date(2026, 3, 3))
    assert (done.entries, done.first, done.last) == (4, date(2026, 3, 3), date(2026, 3, 3))
    assert dict(done.left_out) == {
        "before 2026-03-03": 5,
        "tool output": 2,
        "text that the client added": 4,
        "thinking": 1,
        "messages of subagents": 1,
        "summary lines": 1,
        "commands to the client": 1,
        "words of the agent before its answer": 1,
    }
    assert (done.errors, done.examples) == (1, ("session.jsonl:21: the line is not JSON",))


def test_a_long_text_is_cut_to_its_first_sentences(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    text = "The first sentence stays. " + "Word after word follows. " * 2000
    path = tmp_path / "m.json"
    path.write_text(json.dumps([{"id": 1, "memory": text, "created_at": "2026-01-01T10:00:00Z"}]))
    done = bring(memory, "mem0", path)
    (line,) = days(memory.root)["2026-01-01"].splitlines()
    assert done.shortened == 1
    assert line.startswith("- 10:00 Remember: The first sentence stays.") and len(line) < 900
    kept = len(line.partition(" (… ")[0].split()) - 3
    assert line.endswith(f" (… {8004 - kept:,} more words)")


def test_text_that_no_file_can_hold_comes_in_without_it(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    texts = ["half \\ud800 a character", "a bell\\u0007 rings", "\\u0000"]
    items = [
        f'{{"id":{n},"memory":"{t}","created_at":"2026-01-01T10:00:00Z"}}'
        for n, t in enumerate(texts)
    ]
    (tmp_path / "m.json").write_text(f"[{','.join(items)}]")
    bring(memory, "mem0", tmp_path / "m.json")
    first, second, _ = days(memory.root)["2026-01-01"].splitlines()
    assert (
        first == "- 10:00 Remember: half ? a character"
        and second == "- 10:00 Remember: a bell rings"
    )


def test_an_import_into_a_compacted_day_makes_its_week_stale(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    for day in ("2026-01-20", "2026-03-02"):
        (memory.root / f"memory/{day}.md").write_text("- Decided to keep the old queue.\n")
    memory.compact()
    bring(memory, "mem0", FIXTURES / "mem0", since=date(2026, 1, 1))
    states = {task.period: task.state for task in memory.plan() if task.tier == "week"}
    assert states["2026-W04"] == "stale" and states["2026-W10"] == "current"


def test_what_was_forgotten_does_not_come_back(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    bring(memory, "mem0", FIXTURES / "mem0")
    memory.allow_unattended("forget")
    done = lithify(["forget", "walnuts", "--yes", "--root", str(memory.root)])
    assert done.returncode == 0, done.stderr
    again = bring(memory, "mem0", FIXTURES / "mem0")
    assert again.entries == 0
    assert "walnuts" not in "".join(days(memory.root).values())


def test_a_session_that_has_grown_adds_only_its_new_turns(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    path = tmp_path / "projects" / "session.jsonl"
    whole = (FIXTURES / "claude-code/session.jsonl").read_text().splitlines(keepends=True)
    path.parent.mkdir()
    path.write_text("".join(whole[:8]))
    assert bring(memory, "claude-code", path).entries == 2
    # A session that is resumed repeats its messages in a new file, under new ids.
    resumed = "".join(whole).replace('"s1"', '"s2"').replace('"uuid":"', '"uuid":"x')
    path.with_name("resumed.jsonl").write_text(resumed)
    done = bring(memory, "claude-code", path.parent)
    assert (done.entries, done.known) == (7, 2)


def test_an_import_killed_at_any_point_ends_as_one_that_was_not(tmp_path: Path) -> None:
    points = faults.run("imports:killed_import", tmp_path, ("kill",))
    assert points["kill"] >= 25


def test_an_interrupted_import_leaves_whole_days_and_goes_on(tmp_path: Path) -> None:
    source = transcript(tmp_path / "session.jsonl", 220)
    whole, broken = new_root(tmp_path / "whole"), new_root(tmp_path / "broken")
    bring(whole, "claude-code", source)

    def interrupt(doing: str, count: int) -> None:
        if doing.startswith("adding") and len(days(broken.root)) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bring(broken, "claude-code", source, progress=interrupt)
    left, expected = days(broken.root), days(whole.root)
    assert len(left) == 2 < len(expected)
    assert left == {day: expected[day] for day in left}
    bring(broken, "claude-code", source)
    assert days(broken.root) == expected


def test_an_import_does_not_begin_while_another_run_holds_the_root(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    with memory.locked():
        done = lithify(["import", "mem0", str(FIXTURES / "mem0"), "--root", str(memory.root)])
    assert done.returncode == 5 and days(memory.root) == {}


# A long transcript


def test_a_transcript_of_500_turns_becomes_days_that_can_be_read(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    done = bring(memory, "claude-code", transcript(tmp_path / "session.jsonl"))
    found = days(memory.root)
    assert len(found) == done.days >= 5
    lines = [line for text in found.values() for line in text.splitlines()]
    assert sum(" Request (depot): " in line for line in lines) == 500
    entry = re.compile(r"- \d\d:\d\d (Request|Result) \(depot\): \S|    Steps: \S")
    assert all(entry.match(line) for line in lines)
    assert max(map(len, lines)) < 900
    for text in found.values():
        times = re.findall(r"^- (\d\d:\d\d)", text, re.MULTILINE)
        assert times == sorted(times)
        assert not re.search("TOOLOUTPUT|THOUGHT|REMINDER|PASTED|MAX =|Let me look", text)
    page = (Path(__file__).parent.parent / "docs" / "importing.md").read_text("utf-8")
    shown = page.partition("```markdown\n")[2].partition("```")[0]
    assert shown.count("\n") > 4 and shown in found["2026-03-02"]


# Size


def test_a_large_transcript_takes_little_memory(tmp_path: Path) -> None:
    path = transcript(tmp_path / "session.jsonl", 60, output=400_000)
    assert path.stat().st_size > 40e6
    memory = new_root(tmp_path / "root")
    tracemalloc.start()
    bring(memory, "claude-code", path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12e6


def test_a_large_array_takes_little_memory(tmp_path: Path) -> None:
    text = "x" * 20_000
    node = {"message": {"id": "a", "author": {"role": "tool"}, "content": {"parts": [text]}}}
    chat = {"title": "t", "create_time": 1772960000, "current_node": "a", "mapping": {"a": node}}
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        one = json.dumps(chat)
        archive.writestr("export/conversations.json", "[" + ",\n".join([one] * 2500) + "]")
    memory = new_root(tmp_path / "root")
    tracemalloc.start()
    done = bring(memory, "chatgpt", tmp_path / "export.zip")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert dict(done.left_out)["tool output"] == 2500
    assert peak < 12e6


# Malformed files


BROKEN = {
    "claude-code": b'{"type":"user","sessionId":"s"}\n{"type":"user","uuid":1,"message":5}\n[1]\n{"a',
    "codex": b'{"timestamp":"?","type":"response_item","payload":{"type":"message","role":"user"}}\n\xff\n',
    "gemini": b'{"sessionId":"s","projectHash":"h","messages":[{"type":"user","content":7},3,{"id":',
    "chatgpt": b'[{"mapping":{"a":{"message":{"content":5}}},"current_node":"a"},5,{"mapping"',
    "claude-ai": b'[{"chat_messages":[5]},{"chat_messages":[{"sender":"human","text":"x"}]}',
    "mem0": b'{"results":[{"memory":"x","created_at":"never"},5,{"created_at":1',
    "copilot": b'{"type":"session.start","data":{}}\n{"type":"user.message","data":{"content":"x"}}\n{"a',
    "mcp-memory": b'{"type":"entity","name":"x","observations":[]}\n{"type":"entity"}\n{"type":"ent',
    "graphiti": b'{"edges":[{"uuid":"f","fact":"x"},5,{"uuid":"e","source_description":',
    "letta": b'{"agent_type":"x","messages":[{"role":"user","content":"x"},{"role":"user"}],"blocks":[',
}


@pytest.mark.parametrize("source", BROKEN)
def test_a_malformed_file_is_reported_and_writes_nothing(source: str, tmp_path: Path) -> None:
    by_line = source in ("claude-code", "codex", "copilot", "mcp-memory")
    path = tmp_path / ("x.jsonl" if by_line else "conversations.json")
    path.write_bytes(BROKEN[source])
    memory = new_root(tmp_path / "root")
    done = bring(memory, source, path)
    assert done.entries == 0 and done.errors >= 1 and done.examples
    assert days(memory.root) == {}


def test_what_stands_before_the_damage_comes_in(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text('[{"id":1,"memory":"Kept","created_at":"2026-01-01T10:00:00Z"},{"id":2,"mem')
    done = bring(new_root(tmp_path / "root"), "mem0", path)
    assert (done.entries, done.errors) == (1, 1)
    assert "not JSON at character" in done.examples[0]


def test_a_broken_archive_and_a_broken_database_are_reported(tmp_path: Path) -> None:
    database = claude_mem(tmp_path / "claude-mem.db")
    data = bytearray(database.read_bytes())
    data[4096:8192] = b"\xff" * 4096
    database.write_bytes(data)
    memory = new_root(tmp_path / "root")
    with pytest.raises(UsageError, match="looked for"):
        bring(memory, "chatgpt", database)
    done = bring(memory, "claude-mem", database)
    assert done.errors == 1 or done.entries


ODD = (
    None,
    True,
    -1,
    1e300,
    "",
    "2026-13-99",
    [],
    {},
    [None],
    {"a": 1},
    {"type": "text", "text": 7},
)


@pytest.mark.parametrize("source", BROKEN)
def test_values_of_any_kind_in_any_place_do_not_end_the_reading(
    source: str, tmp_path: Path
) -> None:
    chance = random.Random(11)
    read = source_named(source).read
    for file in (path for path in (FIXTURES / source).rglob("*") if path.is_file()):
        by_line = file.suffix == ".jsonl"
        text = file.read_text()
        lines = [line for line in text.splitlines() if line.startswith("{")]
        whole = [json.loads(line) for line in lines] if by_line else json.loads(text)
        for _ in range(40):
            holder, key = chance.choice([*places_in(whole)])
            kept, holder[key] = holder[key], chance.choice(ODD)
            path = tmp_path / file.name
            odd = "\n".join(map(json.dumps, whole)) if by_line else json.dumps(whole)
            path.write_text(odd)
            holder[key] = kept
            try:
                list(read(path))
            except ValueError as error:
                assert "JSON" in str(error)


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in nested lists and objects: what holds it, and its index or key."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places_in(value[key])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


class _Drops(io.StringIO):
    """A stream that gives a few characters at a time."""

    def read(self, size: int | None = -1, /) -> str:
        return super().read(min(size or 7, 7) if size != -1 else 7)


@settings(max_examples=100, deadline=None)
@given(st.lists(JSON, max_size=5), st.sampled_from([None, 1]))
def test_an_array_is_read_as_the_json_module_reads_it(
    values: list[object], indent: int | None
) -> None:
    text = json.dumps(values, indent=indent)
    assert [value for _, value in json_items(_Drops(text))] == values
    whole = json.dumps({"other": 1, "list": values, "more": {"list": [1]}}, indent=indent)
    found = list(json_items(_Drops(whole), ["list"]))
    expected = [("other", 1), *(("list", value) for value in values), ("more", {"list": [1]})]
    assert found == expected


@settings(max_examples=100, deadline=None)
@given(st.lists(JSON, min_size=1, max_size=3), st.data())
def test_a_cut_array_gives_a_beginning_and_an_error(
    values: list[object], data: st.DataObject
) -> None:
    text = json.dumps(values)
    cut = text[: data.draw(st.integers(0, len(text) - 1))]
    read = []
    with pytest.raises(ValueError):
        for _, value in json_items(io.StringIO(cut)):
            read.append(value)
    # A number that is cut is still a number, and the last of them.
    assert read[:-1] == values[: max(len(read) - 1, 0)]


# Steps of a turn


@pytest.mark.parametrize(
    ("tool", "given", "line"),
    [
        ("Write", {"file_path": "/srv/a/b.py"}, "edited b.py"),
        ("Bash", {"command": "cat <<'E'\nx\nE"}, "ran `cat <<'E'…`"),
        ("Bash", {"command": f"curl -H 'Bearer {'a' * 80}' x"}, "ran `curl -H 'Bearer…`"),
        ("exec_command", '{"cmd":"ls -l"}', "ran `ls -l`"),
        ("shell", {"command": ["apply_patch", "*** Add File: x.py\n+1"]}, "edited x.py"),
        ("WebFetch", {"url": "https://example.com"}, "looked up https://example.com"),
        ("mcp__tracker__create", {}, "used `mcp__tracker__create`"),
        ("TodoWrite", {"todos": []}, ""),
        ("Read", {"file_path": "/srv/a/b.py"}, ""),
    ],
)
def test_a_call_is_told_in_a_few_words(tool: str, given: object, line: str) -> None:
    assert steps_line(steps_of(tool, given, "/srv/a")) == line


def test_many_steps_stay_one_line() -> None:
    steps = [step for n in range(40) for step in steps_of("Edit", {"file_path": f"f{n}.py"})]
    assert steps_line(steps) == "edited f0.py, f1.py, f2.py, f3.py, f4.py and 35 more"


# The command


def test_the_command_lists_sources_and_suggests_the_one_that_was_meant(tmp_path: Path) -> None:
    listed = lithify(["import", "--json"])
    assert {one["source"] for one in json.loads(listed.stdout)} == set(BUILT_IN)
    wrong = lithify(["import", "claude-cod", str(tmp_path)])
    assert wrong.returncode == 2 and "did you mean claude-code" in wrong.stderr
    root = str(new_root(tmp_path / "root").root)
    other = lithify(["import", "claude-code", str(FIXTURES / "mem0"), "--root", root])
    assert other.returncode == 2
    assert "does not look like Claude Code transcripts; looked for: *.jsonl" in other.stderr
    gone = lithify(["import", "mem0", str(tmp_path / "gone"), "--root", root])
    assert gone.returncode == 2 and "does not exist" in gone.stderr


def test_the_command_says_what_came_in(tmp_path: Path) -> None:
    root = new_root(tmp_path / "root").root
    path = str(FIXTURES / "claude-code")
    done = lithify(["import", "auto", path, "--quiet", "--root", str(root)])
    assert done.returncode == 0 and done.stderr == ""
    taken, first = done.stdout.splitlines()[:2]
    assert taken == f"{path} was taken for Claude Code transcripts"
    assert first == "9 entries came in on 2 days, 2026-03-02 to 2026-03-03"
    assert "lithify trust import:claude-code" in done.stdout
    again = lithify(["import", "claude-code", path, "--root", str(root), "--json"])
    told = json.loads(again.stdout)
    assert (told["entries"], told["known"], told["errors"]) == (0, 9, 1)
    assert lithify(["check", "--root", str(root)]).returncode == 0


@pytest.mark.parametrize("source", ["auto", "codex"])
def test_the_folder_one_is_in_can_be_looked_at(source: str, tmp_path: Path) -> None:
    root = new_root(tmp_path / "root").root
    (root / "memory/people.md").write_text("- Priya owns the login.\n")
    done = lithify(["import", source, ".", "--dry-run"], cwd=root)
    assert done.returncode == (0 if source == "auto" else 2), done.stderr
    said = "1 entry would come in" if source == "auto" else "does not look like Codex CLI sessions"
    assert said in done.stdout + done.stderr


def test_nothing_readable_is_an_error(tmp_path: Path) -> None:
    root = new_root(tmp_path / "root").root
    (tmp_path / "m.json").write_text('[{"memory":"x","created_at":"never"}]')
    assert (
        lithify(["import", "mem0", str(tmp_path / "m.json"), "--root", str(root)]).returncode == 1
    )


def test_the_journal_names_the_keys_of_what_came_in(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    bring(memory, "mem0", FIXTURES / "mem0")
    records = [record for record in journal.read(memory.root).records if record.kind == "capture"]
    assert [record.data["origin"] for record in records] == ["import:mem0"] * 2
    parts = re.compile(r"[0-9a-f]{12}\.[0-9a-f]{16}\.[0-9a-f]{8}")
    brought = [pair for r in records for pair in r.data["imported"].items()]
    assert all(parts.fullmatch(key) for key, _ in brought)
    named = [entry for r in records for entry in r.data["entries"]]
    assert [entry for _, entries in brought for entry in entries] == named


def test_every_source_has_a_fixture_and_a_section_in_the_docs() -> None:
    page = (Path(__file__).parent.parent / "docs" / "importing.md").read_text("utf-8")
    for name in BUILT_IN:
        source = source_named(name)
        assert source.name == name and f"| `{name}` |" in page
    assert set(EXPECTED) == set(CHANGES) == set(BUILT_IN)
    assert shutil.which("git")


# What changes at the source


def write_memories(path: Path, *memories: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"results": memories}))
    return path


def test_an_update_at_the_source_leaves_only_the_newer_in_force(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    memory.log("Opened the travel file.", at=datetime(2026, 1, 5, 9, tzinfo=UTC))
    seat = {
        "id": "a",
        "memory": "Nadia prefers window seats.",
        "created_at": "2026-01-10T10:00:00Z",
    }
    path = write_memories(tmp_path / "memories.json", seat)
    bring(memory, "mem0", path)
    memory.trust("import:mem0")
    memory.compact(CompactOptions(include_current=True))
    assert [one.text for one in memory.memories.list()] == ["Nadia prefers window seats."]

    aisle = {**seat, "memory": "Nadia prefers aisle seats.", "updated_at": "2026-02-11T10:00:00Z"}
    write_memories(path, aisle)
    assert bring(memory, "mem0", path, dry_run=True).updates == 1
    done = bring(memory, "mem0", path)
    assert (done.entries, done.updates, done.superseded) == (1, 1, 1)
    assert "window seats" in days(memory.root)["2026-01-10"]
    assert [one.text for one in memory.memories.list()] == ["Nadia prefers aisle seats."]
    for _ in range(2):
        memory.compact(CompactOptions(include_current=True))
        assert [one.text for one in memory.memories.list()] == ["Nadia prefers aisle seats."]
        gone = {one.text: (one.status, one.on) for one in memory.memories.gone()}
        assert gone == {"Nadia prefers window seats.": ("superseded", "2026-02-11")}
        found = memory.recall("Nadia window seats").passages
        told = {str(p.superseded) for p in found if p.path.endswith("01-10.md")}
        assert told == {"2026-02-11"}
    kept = (memory.root / memory.memories.list()[0].path).read_text()
    assert "window" not in kept.partition("## Superseded")[0]

    # An older export that comes in later changes nothing, and an update that is taken back does.
    write_memories(path, seat)
    again = bring(memory, "mem0", path)
    assert (again.entries, again.known, again.superseded) == (0, 1, 0)
    write_memories(path, {**seat, "updated_at": "2026-03-01T10:00:00Z"})
    back = bring(memory, "mem0", path)
    assert (back.entries, back.known, back.superseded) == (0, 1, 1)
    memory.compact(CompactOptions(include_current=True))
    assert [one.text for one in memory.memories.list()] == ["Nadia prefers window seats."]
    assert lithify(["check", "--root", str(memory.root)]).returncode == 0


def test_what_a_note_has_more_since_the_last_run_is_of_the_day_it_was_changed(
    tmp_path: Path,
) -> None:
    memory = new_root(tmp_path / "root")
    path = fixture("basic-memory", tmp_path)
    bring(memory, "basic-memory", path)
    note = path / "harbour/Second-ferry.md"
    text = note.read_text().replace("modified: 2026-02-02", "modified: 2026-03-03")
    note.write_text(text.replace("Carries 40 cars", "Carries 44 cars"))
    before = days(memory.root)
    done = bring(memory, "basic-memory", path)
    assert (done.first, done.entries, done.superseded) == (date(2026, 3, 3), 1, 1)
    assert days(memory.root)["2026-01-12"] == before["2026-01-12"]
    (marked,) = journal.holding(memory.root, "outdated")
    assert list(marked["outdated"].values()) == ["2026-03-03"]


def test_a_session_of_opencode_is_the_same_in_its_database_and_its_export(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    done = bring(memory, "opencode", fixture("opencode", tmp_path))
    export = FIXTURES / "opencode/export.json"
    assert source_of(export).name == "opencode"
    again = bring(memory, "opencode", export)
    assert (again.entries, again.known, again.updates) == (0, done.entries, 0)
    assert again.left_out == done.left_out


@pytest.mark.parametrize("source", ["opencode", "cursor"])
def test_a_damaged_database_ends_in_one_line(source: str, tmp_path: Path) -> None:
    path = fixture(source, tmp_path)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    root = new_root(tmp_path / "root").root
    done = lithify(["import", source, str(path), "--root", str(root)])
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "could not be read  1\n" in done.stdout


#: Of a source: what changes in a file of its fixture, and how many entries come in and are superseded.
CHANGES = {
    "claude-code": (
        "session.jsonl",
        "tokens expire after 15 minutes.",
        "tokens last an hour.",
        1,
        1,
    ),
    # A rollout is only ever added to, and has no ids.
    "codex": ("rollout-2026-03-04T10-00-00-0199.jsonl", "ledger", "ledger", 0, 0),
    "gemini": (
        "tmp/atlas/chats/session-2026-03-06T08-00-bb22.jsonl",
        "the north pier",
        "the south pier",
        1,
        1,
    ),
    "chatgpt": ("conversations.json", "How many days", "How many nights", 1, 1),
    "claude-ai": ("conversations.json", "twice a day", "three times a day", 1, 1),
    "letta": ("agent.af", "works in Accra", "works in Tema", 1, 1),
    "claude-memory": (
        "feedback_deploys.md",
        "Never deploy on a Friday",
        "Never deploy on weekends",
        1,
        1,
    ),
    "recall": (".teammates/ada/memory/project_cache.md", "/var/cache/ada", "/srv/cache", 1, 1),
    "folder": ("2026-02-14 porch.md", "3 chairs", "4 chairs", 1, 1),
    "git": (".git", "", "", 1, 0),
    "copilot": ("f6750faf/events.jsonl", "The 14:20 one is full.", "All have room.", 1, 1),
    "opencode": (".db", "UPDATE part SET data = replace(data, 'is full', 'has room')", "", 2, 2),
    "cursor": (
        ".vscdb",
        "UPDATE cursorDiskKV SET value = replace(value, 'stand last', 'go')",
        "",
        1,
        1,
    ),
    "claude-mem": (".db", "UPDATE observations SET facts = '[\"Summer time counts\"]'", "", 2, 2),
    "mcp-memory": ("memory.jsonl", "opens at 07:30", "opens at 08:00", 1, 1),
    "graphiti": ("graph.json", '"invalid_at": null', '"invalid_at": "2026-04-01T00:00:00Z"', 0, 1),
    "logseq": ("journals/2026_03_14.md", "40 metres", "45 metres", 1, 1),
    "basic-memory": ("harbour/Second-ferry.md", "Carries 40 cars", "Carries 44 cars", 1, 1),
    "mem0": ("memories.json", "window seats", "aisle seats", 1, 1),
    "openclaw": ("MEMORY.md", "- ", "- Since March: ", 1, 1),
    "obsidian": ("Journal/05.03.2026.md", "rows", "lines", 1, 1),
}


@pytest.mark.parametrize("source", CHANGES)
def test_what_was_changed_at_the_source_supersedes_what_it_was(source: str, tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    path = fixture(source, tmp_path)
    name, old, new, entries, superseded = CHANGES[source]
    first = bring(memory, source, path)
    # What the source had declared invalid by then is superseded from the beginning.
    assert first.superseded == (source == "graphiti")
    before = days(memory.root)
    if source == "git":
        env = {**os.environ, **GIT}
        more = ["commit", "-q", "--allow-empty", "-m", "Order chairs"]
        subprocess.run(["git", "-C", path, *more], check=True, env=env)
    elif new == "":
        with sqlite3.connect(path) as changed:
            changed.execute(old)
        changed.close()
    else:
        text = (path / name).read_text("utf-8")
        assert old in text
        (path / name).write_text(text.replace(old, new), "utf-8")
    second = bring(memory, source, path)
    assert (second.entries, second.superseded) == (entries, superseded)
    assert second.known == first.entries - (entries and superseded)
    # Nothing gets lost: what is not an entry is counted, by what it is.
    assert (second.left_out, second.errors) == (first.left_out, first.errors)
    after = days(memory.root)
    assert all(after[day].startswith(text) for day, text in before.items())
    third = bring(memory, source, path)
    assert (third.entries, third.superseded) == (0, 0)
    assert third.known == first.entries + entries - superseded * bool(entries)
    outdated = [data["outdated"] for data in journal.holding(memory.root, "outdated")]
    assert sum(len(one) for one in outdated) == first.superseded + superseded


def test_a_folder_comes_in_under_the_names_of_its_files_beside_what_was_logged(
    tmp_path: Path,
) -> None:
    memory = new_root(tmp_path / "root")
    memory.log("Own words.")
    (today,) = days(memory.root)
    notes = tmp_path / "notes"
    (notes / "projects").mkdir(parents=True)
    (notes / "people.md").write_text("- Priya owns the login.\n")
    (notes / "projects/evolution-2026-02-22-late.md").write_text("- Learned to cook.\n")
    stamp = NOW.timestamp()
    os.utime(notes / "people.md", (stamp, stamp))
    bring(memory, "folder", notes)
    memory.log("Own words again.")
    (notes / "people.md").write_text("- Priya owns the login.\n- Mira joined.\n")
    os.utime(notes / "people.md", (stamp, stamp))
    assert bring(memory, "folder", notes).entries == 1
    found = days(memory.root)
    assert found["2026-02-22-imported"] == (
        "## projects/evolution-2026-02-22-late.md\n\n- Learned to cook.\n"
    )
    imported = found[f"{NOW:%Y-%m-%d}-imported"]
    assert imported == "## notes/people.md\n\n- Priya owns the login.\n- Mira joined.\n"
    assert "Own words again." in found[today] and "Mira" not in found[today]
    entry = next(e for e in memory.snapshot().entries([f"memory/{NOW:%Y-%m-%d}-imported.md"]))
    assert entry.headings == ("notes/people.md",) and entry.origin == "import:folder"
    assert [one for one in memory.check() if one.severity != "note"] == []


def test_an_undated_note_is_of_the_day_it_says_then_of_its_last_commit_then_of_its_file(
    tmp_path: Path,
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, text in {
        "name 2026-01-09.md": "Date: 2026-01-08\n\n- A name goes first.\n",
        "front.md": "---\nowner: Mira\nupdated: 2026-01-10\n---\n\n- Front matter.\n",
        "heading.md": "# Handoff \u2014 2026-01-11\n\n- A heading.\n",
        "label.md": "# Plan\n**Created:** 2 January 2026\n*Last Updated: January 12, 2026*\n\n- A label.\n",
        "committed.md": "- No date, due by 2026-01-30.\n",
        "coming.md": "# Plan until 2026-12-01\n\n- A day to come.\n",
    }.items():
        (notes / name).write_text(text, encoding="utf-8")
        os.utime(notes / name, (NOW.timestamp(),) * 2)
    when = {"GIT_AUTHOR_DATE": "2026-01-13T10:00:00Z", "GIT_COMMITTER_DATE": "2026-01-13T10:00:00Z"}
    who = [
        "-c",
        "user.name=Mira",
        "-c",
        "user.email=mira@example.com",
        "-c",
        "commit.gpgsign=false",
    ]
    for command in (["init", "-q"], ["add", "committed.md"], [*who, "commit", "-qm", "Add a note"]):
        subprocess.run(["git", *command], cwd=notes, check=True, env={**os.environ, **when})
    memory = new_root(tmp_path / "root")
    done = bring(memory, "folder", notes)
    found = {
        day.removesuffix("-imported"): text.split("\n")[0].rpartition("/")[2]
        for day, text in days(memory.root).items()
    }
    assert found == {
        "2026-01-09": "name 2026-01-09.md",
        "2026-01-10": "front.md",
        "2026-01-11": "heading.md",
        "2026-01-12": "label.md",
        "2026-01-13": "committed.md",
        f"{NOW:%Y-%m-%d}": "coming.md",
    }
    assert dict(done.dated) == {
        "a date at their head": 3,
        "git's last commit": 1,
        "the file's date": 1,
    }


def test_a_copy_of_the_days_neither_doubles_them_nor_takes_their_trust(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    day = memory.root / "memory/2026-04-05.md"
    line = "The sync with the old shop is paused; nobody switches it on again without Mira."
    day.write_text(f"# Day\n\n## Decisions\n\n- {line}\n- 10:30 Ordered four plates.\n")
    before = memory.snapshot().entries(["memory/2026-04-05.md"])
    shutil.copytree(memory.root / "memory", tmp_path / "copy")
    (tmp_path / "copy/people.md").write_text("- Priya owns the login.\n")
    done = bring(memory, "folder", tmp_path / "copy")
    assert done.entries == 1 and dict(done.left_out)["what this day says already, word for word"]
    assert "sync" not in "".join(text for name, text in days(memory.root).items() if "-imp" in name)
    assert memory.snapshot().entries(["memory/2026-04-05.md"]) == before
    assert {one.origin for one in before} == {"file"}


def test_an_import_is_taken_back_with_all_that_rests_on_it_and_comes_in_again(
    tmp_path: Path,
) -> None:
    memory = new_root(tmp_path / "root")
    own = "The sync with the old shop is paused; nobody switches it on again without asking Mira."
    (memory.root / "memory/2026-04-06.md").write_text(f"# Day\n\n- {own}\n- Ordered four plates.\n")
    chat = tmp_path / "chat"
    chat.mkdir()
    copied = own.removesuffix(" without asking Mira.") + ", and Mira decides."
    (chat / "2026-04-07.md").write_text(f"- {copied}\n- Rule: never park the lorry at gate 9.\n")
    before, whole = days(memory.root), CompactOptions(include_current=True)
    memory.compact(whole)
    bring(memory, "folder", chat)
    assert not memory.snapshot().entries(["memory/2026-04-06.md"])[0].trusted
    memory.trust("import:folder")
    memory.compact(whole)
    week = next((memory.root / "memory/weekly").glob("*.md"))
    assert "gate 9" in week.read_text() and len(memory.memories.list()) == 1
    memory.wisdom.revoke_source("import:folder", "chatter")
    assert not memory.snapshot().entries(["memory/2026-04-06.md"])[0].trusted

    assert memory.take_back("import:folder") == (2, 1)
    assert "import:folder" not in memory.sources()
    assert all(e.trusted for e in memory.snapshot().entries(["memory/2026-04-06.md"]))
    assert not [one for one in memory.recall("lorry gate").passages if "lorry" in one.text]
    memory.compact(whole)
    assert "gate 9" not in week.read_text() and "Ordered four plates" in week.read_text()
    assert memory.memories.list() == ()
    assert not [one for one in memory.check() if one.severity == "error"]
    # The days keep the lines, and none is added twice.
    held = days(memory.root)
    assert before.items() <= held.items() and len(held) > len(before)
    again = bring(memory, "folder", chat)
    assert (again.entries, again.known, again.back) == (0, 0, 2) and days(memory.root) == held
    assert memory.sources()["import:folder"] == (2, False)
    assert bring(memory, "folder", chat).known == 2
    memory.take_back("import:folder")
    for file in (memory.root / "memory").glob("*-imported.md"):
        file.unlink()
    once_more = bring(memory, "folder", chat)
    assert (once_more.entries, once_more.back) == (2, 0) and days(memory.root) == held
    assert memory.sources()["import:folder"] == (2, False)
    assert [one for one in memory.recall("lorry gate").passages if "lorry" in one.text]


def test_only_a_person_takes_an_import_back_and_by_its_name_alone(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    bring(memory, "claude-memory", FIXTURES / "claude-memory")
    undo = ["import", "--undo", "claude-memory"]
    assert "needs a person" in lithify(undo, cwd=memory.root).stderr
    assert "name the source alone" in lithify([*undo, "notes"], cwd=memory.root).stderr
    with pytest.raises(UsageError, match="lists the sources"):
        memory.take_back("import:obsidian")
    with pytest.raises(UsageError, match="left to take back"):
        memory.take_back("file")
    assert memory.sources()["import:claude-memory"][0]


def test_what_was_also_said_here_stays_when_an_import_is_taken_back(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    source = tmp_path / "notes"
    source.mkdir()
    (source / "memory").mkdir()
    (source / f"memory/{memory.today()}.md").write_text(
        "- Berth 4 is closed.\n- Berth 5 is open.\n"
    )
    bring(memory, "openclaw", source)
    memory.log("Berth 4 is closed.")
    memory.take_back("import:openclaw")
    snapshot = memory.snapshot()
    shown = [e.text for e in snapshot.entries(sorted(snapshot.shelf.day_paths))]
    assert any("Berth 4" in text for text in shown) and not any("Berth 5" in t for t in shown)


def test_what_the_root_reads_itself_is_not_imported_into_it(tmp_path: Path) -> None:
    memory = new_root(tmp_path / "root")
    memory.log("Own words.")
    (memory.root / "memory/people.md").write_text("- Priya owns the login.\n")
    done = bring(memory, "folder", memory.root / "memory")
    assert done.entries == 1 and ("files that this root reads itself", 1) in done.left_out
    again = bring(memory, "folder", memory.root / "memory")
    assert (again.entries, again.known) == (0, 1)


def cut(data: bytes) -> bytes:
    return data[: len(data) * 4 // 5]


def overwritten(data: bytes) -> bytes:
    return data[: len(data) // 2] + b"\xff" * (len(data) // 2)


def encrypted(data: bytes) -> bytes:
    return random.Random(len(data)).randbytes(max(len(data), 4096))


def huge(data: bytes) -> bytes:
    """One line, or one value, that is longer than what is read; the limit is lowered for the test."""
    return data + b'{"type": "' + b"x" * 300_000


@pytest.mark.parametrize(
    "damage", [cut, overwritten, encrypted, huge], ids=lambda one: one.__name__
)
@pytest.mark.parametrize("source", [name for name in BUILT_IN if name != "git"])
def test_a_damaged_file_ends_in_a_line_and_the_rest_comes_in(
    source: str,
    damage: Callable[[bytes], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source_files, "LONGEST", 100_000)
    path = fixture(source, tmp_path)
    name = CHANGES[source][0]
    file = path if path.is_file() else path / name
    file.write_bytes(damage(file.read_bytes()))
    memory = new_root(tmp_path / "root")
    try:
        done = bring(memory, source, path)
    except UsageError as error:
        assert "looked for" in error.message and "\n" not in error.message
        return
    assert done.entries or done.errors or done.left_out
    assert all("\n" not in line and len(line) < 400 for line in done.examples)
    assert max(map(len, "".join(days(memory.root).values()).split("\n"))) < 1000
    again = bring(memory, source, path)
    assert (again.entries, again.known, again.errors) == (0, done.entries, done.errors)


#: A file of many entries, of each source that is a folder of notes; of one day where its name has one.
MANY = {
    "obsidian": ("Journal/05.03.2026.md", "- Planted bean {}\n"),
    "logseq": ("journals/2026_03_14.md", "- Planted bean {}\n"),
    "openclaw": ("memory/2026-02-10.md", "- Planted bean {}\n"),
    "recall": (".teammates/ada/memory/2026-01-15.md", "- Planted bean {}\n"),
    "folder": ("2026-02-14 porch.md", "- Planted bean {}\n"),
    "basic-memory": ("harbour/Second-ferry.md", "- [bean] Planted bean {}\n"),
}


@pytest.mark.parametrize("source", MANY)
def test_a_note_of_more_than_400_entries_comes_in_whole_and_once(
    source: str, tmp_path: Path
) -> None:
    path = fixture(source, tmp_path)
    name, line = MANY[source]
    with open(path / name, "a", encoding="utf-8") as file:
        file.writelines(line.format(number) for number in range(450))
    memory = new_root(tmp_path / "root")
    done = bring(memory, source, path)
    text = "".join(days(memory.root).values())
    numbers = [int(found) for found in re.findall(r"Planted bean (\d+)", text)]
    assert numbers == [*range(450)]
    assert bring(memory, source, path).entries == 0
    changed = (path / name).read_text("utf-8").replace("bean 430\n", "pea 430\n")
    (path / name).write_text(changed, "utf-8")
    after = bring(memory, source, path)
    assert (after.entries, after.superseded) == (1, 1)
    assert after.known == done.entries - 1


# What tools write besides the usual


def chatgpt_node(id: str, parent: str, parts: list[Any], **more: Any) -> dict[str, Any]:
    role = more.pop("role", "user")
    kind = "text" if all(isinstance(part, str) for part in parts) else "multimodal_text"
    content = {"content_type": kind, "parts": parts}
    said = {"id": id, "author": {"role": role}, "create_time": 1772960001, "content": content}
    return {"id": id, "parent": parent, "message": {**said, "recipient": "all", **more}}


def test_what_was_spoken_cited_and_remembered_comes_in(tmp_path: Path) -> None:
    spoken = {"content_type": "audio_transcription", "text": "When does the ferry leave?"}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://x"}
    cited = "It leaves at 14:20 \ue200cite\ue202turn0search0\ue201 from pier 4."
    nodes = [
        chatgpt_node("a", "", [spoken, sound]),
        chatgpt_node("b", "a", [cited], role="assistant"),
        chatgpt_node("c", "b", ["Takes the ferry at 14:20."], role="assistant", recipient="bio"),
        chatgpt_node("d", "c", ["Model set context updated."], role="tool"),
    ]
    chat = {"title": "Pier", "current_node": "d", "mapping": {one["id"]: one for one in nodes}}
    (tmp_path / "conversations.json").write_text(json.dumps([chat]))
    memory = new_root(tmp_path / "root")
    done = bring(memory, "chatgpt", tmp_path)
    assert days(memory.root)["2026-03-08"].splitlines() == [
        "- 08:53 Asked (Pier): When does the ferry leave?",
        "- 08:53 Answered (Pier): It leaves at 14:20 from pier 4.",
        "- 08:53 Remember: Takes the ferry at 14:20.",
    ]
    assert dict(done.left_out) == {"images and files": 1, "tool output": 1}


def test_memories_and_projects_of_claude_ai_come_in_with_its_conversations(tmp_path: Path) -> None:
    remembered = {
        "conversations_memory": "**Work**\n\nRuns a harbour.\n\nPrefers short answers.",
        "account_uuid": "acc",
    }
    project = {
        "uuid": "p",
        "name": "Ferries",
        "description": "Which ferry leaves when",
        "prompt_template": "",
        "created_at": "2026-03-01T10:00:00Z",
        "docs": [{"uuid": "d", "filename": "table.md", "content": "14:20", "created_at": ""}],
    }
    path, chats = tmp_path / "export.zip", FIXTURES / "claude-ai/conversations.json"

    def write(memories: str) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("conversations.json", chats.read_text())
            archive.writestr("projects.json", json.dumps([project]))
            archive.writestr("memories.json", memories)
            archive.writestr("users.json", "[]")
        os.utime(path, (1_773_500_000, 1_773_500_000))

    write(json.dumps([remembered]))
    memory = new_root(tmp_path / "root")
    assert source_of(path).name == "claude-ai"
    done = bring(memory, "claude-ai", path)
    assert done.entries == 2 + 3 + 2
    assert dict(done.left_out)["other files of the archive"] == 1
    found = days(memory.root)
    assert "- 10:00 Document table.md (Ferries): 14:20\n" in found["2026-03-01"]
    assert "- memory: Runs a harbour.\n" in found["2026-03-14"]
    write(json.dumps([remembered]).replace("short answers", "long answers"))
    again = bring(memory, "claude-ai", path)
    assert (again.entries, again.known, again.superseded) == (1, 6, 1)


def test_what_openmemory_has_deleted_stays_deleted(tmp_path: Path) -> None:
    owner = {"id": "0a1b", "user_id": "nadia", "name": None}
    kept = {"id": "m1", "user_id": "0a1b", "content": "Likes trains.", "state": "active"}
    kept |= {"created_at": "2026-01-20T08:00:00"}
    gone = {**kept, "id": "m2", "content": "Likes buses."}

    def write(*memories: dict[str, Any]) -> Path:
        path = tmp_path / "memories.json"
        path.write_text(json.dumps({"user": owner, "memories": memories}))
        return path

    memory = new_root(tmp_path / "root")
    bring(memory, "mem0", write(kept, gone))
    deleted = {**gone, "state": "deleted", "deleted_at": "2026-03-01T08:00:00"}
    done = bring(memory, "mem0", write(kept, deleted))
    assert (done.entries, done.known, done.superseded) == (0, 1, 1)
    assert dict(done.left_out) == {"memories that were deleted": 1}
    assert "Remember: nadia: Likes trains.\n" in days(memory.root)["2026-01-20"]
    fresh = new_root(tmp_path / "fresh")
    assert bring(fresh, "mem0", write(kept, deleted)).entries == 1


def codex_rollout(
    path: Path, meta: dict[str, Any], turns: list[tuple[str, str]], hour: int
) -> None:
    lines: list[dict[str, Any]] = [{"type": "session_meta", "payload": meta}]
    for asked, answered in turns:
        for role, kind, text in (
            ("user", "input_text", asked),
            ("assistant", "output_text", answered),
        ):
            content = [{"type": kind, "text": text}]
            item = {"type": "message", "role": role, "content": content}
            lines.append({"type": "response_item", "payload": item})
    stamped = [
        {"timestamp": f"2026-03-04T{hour:02}:00:{n:02}Z", **line} for n, line in enumerate(lines)
    ]
    path.write_text("\n".join(map(json.dumps, stamped)))


def test_a_fork_of_codex_adds_only_its_own_turns_and_a_subagent_none(tmp_path: Path) -> None:
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    (tmp_path / "archived_sessions").mkdir()
    first = [("Count the cups.", "There are nine."), ("ok, go on", "Done.")]
    codex_rollout(sessions / "rollout-1.jsonl", {"id": "t1", "cwd": "/srv/cups"}, first, 10)
    fork = {"id": "t2", "forked_from_id": "t1", "cwd": "/srv/cups"}
    codex_rollout(sessions / "rollout-2.jsonl", fork, [*first, ("ok, go on", "Washed.")], 11)
    other = tmp_path / "archived_sessions" / "rollout-3.jsonl"
    codex_rollout(other, {"id": "t3", "cwd": "/srv/cups"}, [("ok, go on", "Dried.")], 12)
    helper = {"id": "t4", "source": {"subagent": {"thread_spawn": {}}}}
    codex_rollout(sessions / "rollout-4.jsonl", helper, [("You are a helper.", "Yes.")], 13)
    (sessions / "rollout-5.jsonl.zst").write_bytes(b"(\xb5/\xfd broken")
    memory = new_root(tmp_path / "root")
    done = bring(memory, "codex", sessions)
    told = re.findall(r"Request \(cups\): (.*)", days(memory.root)["2026-03-04"])
    assert sorted(told) == ["Count the cups.", "ok, go on", "ok, go on", "ok, go on"]
    counts = dict(done.left_out)
    assert (counts["the same thing once more"], counts["messages of subagents"]) == (4, 2)
    assert done.errors == 1 and done.examples[0].startswith("rollout-5.jsonl.zst: ")


def test_a_subagent_of_gemini_makes_no_request(tmp_path: Path) -> None:
    chats = tmp_path / "atlas" / "chats" / "parent"
    chats.mkdir(parents=True)
    head = {"sessionId": "s", "projectHash": "h", "kind": "subagent"}
    told = {"id": "1", "timestamp": "2026-03-05T08:00:00Z", "type": "user", "content": "Help."}
    (chats / "s.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(told)}\n")
    done = bring(new_root(tmp_path / "root"), "gemini", tmp_path)
    counts = {"lines about the session": 1, "messages of subagents": 1}
    assert (done.entries, dict(done.left_out)) == (0, counts)


def test_an_agent_file_inside_a_string_is_letta_whatever_words_are_in_it(tmp_path: Path) -> None:
    text = "# Habits\n" + "\n".join(f"- Habit {n} has a few words to it." for n in range(60))
    reminder = "<system-reminder>MUST-NOT</system-reminder>"
    said = {"role": "user", "content": reminder, "created_at": "2026-02-02T09:00:00Z"}
    agents = [{"name": "scout", "agent_type": "letta_v1_agent", "messages": [said]}]
    blocks = [{"label": "human", "value": text}, {"label": "empty", "value": ""}]
    whole = {"agents": agents, "blocks": blocks, "tools": [{"name": '"mapping"'}]}
    path = tmp_path / "scout.af"
    path.write_text(json.dumps(json.dumps({**whole, "created_at": "2026-02-03T09:00:00Z"})))
    assert source_of(path).name == "letta"
    memory = new_root(tmp_path / "root")
    done = bring(memory, "letta", path)
    assert (done.entries, done.shortened) == (60, 0)
    assert (
        "- Memory (human): Habits: Habit 59 has a few words to it.\n"
        in days(memory.root)["2026-02-03"]
    )
    assert dict(done.left_out)["text that the client added"] == 1


@pytest.mark.parametrize("source", ["claude-code", "codex", "gemini", "copilot"])
def test_a_line_of_a_kind_that_nobody_knows_is_counted(source: str, tmp_path: Path) -> None:
    path = fixture(source, tmp_path)
    before = bring(new_root(tmp_path / "before"), source, path)
    (file, *_) = sorted(path.rglob("*.jsonl"), reverse=True)
    stamp = {"timestamp": "2026-03-04T10:00:00Z", "sessionId": "s", "id": "new"}
    line = json.dumps({**stamp, "type": "hologram", "payload": {"type": "hologram"}})
    file.write_text(file.read_text().rstrip("\n") + f"\n{line}\n")
    after = bring(new_root(tmp_path / "after"), source, path)
    assert after.entries == before.entries
    told = sum(dict(after.left_out).values()) + after.errors
    assert told == sum(dict(before.left_out).values()) + before.errors + 1
    assert any("hologram" in what for what, _ in after.left_out)


def test_what_version_0_1_0_brought_is_known(tmp_path: Path) -> None:
    source = FIXTURES / "claude-ai/conversations.json"
    now, before = new_root(tmp_path / "now"), new_root(tmp_path / "before")
    brought = bring(now, "claude-ai", source).entries
    keys = [k for record in journal.holding(now.root, "imported") for k in record["imported"]]
    facts = {"imported": [key.split(".")[1] for key in keys]}
    before.log("All that came.")
    journal.append(before.root, "capture", {**facts, "entries": []}, "2026-04-01T10:00:00Z")
    again = bring(before, "claude-ai", source)
    assert (again.entries, again.known, again.superseded) == (0, brought, 0) and brought
