"""The index is derived: whatever happens to it, recall finds the same and the files stay."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from lithify.cli import lithify
from lithify.memory import Memory
from lithify.search import index, refresh, vectors
from lithify.search.add_files import IndexedFile, IndexRecord, IndexWriter, RootReader
from lithify.search.index import PASSAGES, Index, terms_of
from lithify.search.vectors import installed as vectors_installed
from lithify.search.vectors import similar

DAYS = {
    "2026-03-30": "# Notes\n\n- Decided to keep JWT for the login.\n- Budget is $18,000 a month.\n",
    "2026-03-31": "# Notes\n\n- The importer handles 1,240 rows a minute.\n- Nothing else.\n",
    "2026-04-01": "# Notes\n\n- Budget is $21,000 a month.\n- Priya renewed the certificate.\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "memory").mkdir(parents=True)
    for day, text in DAYS.items():
        (folder / "memory" / f"{day}.md").write_text(text)
    return folder


def answers(root: Path) -> list[object]:
    memory = Memory.open(root)
    queries = ("What is the budget?", "JWT login", "importer rows", "certificate Priya")
    return [memory.recall(query) for query in queries]


def bytes_of(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (root / "memory").iterdir()}


def index_file(root: Path) -> Path:
    return root / ".lithify" / index.NAME


def test_a_changed_day_is_all_that_is_read_again(root: Path) -> None:
    memory = Memory.open(root)
    assert memory.index.update().rebuilt
    assert memory.index.update().changed == 0
    with (root / "memory" / "2026-03-31.md").open("a") as file:
        file.write("- The zebra export runs at noon.\n")
    done = memory.index.update()
    assert (done.changed, done.rebuilt) == (1, False)
    assert "zebra" in memory.recall("zebra export").passages[0].text


def settle(root: Path, time: int = 1_700_000_000) -> None:
    """As if the files had been left alone for long."""
    for path in (root / "memory").iterdir():
        os.utime(path, (time, time))


def test_files_that_look_the_same_are_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(root)
    before = answers(root)

    def refuse(*_: object) -> None:
        raise AssertionError("read")

    monkeypatch.setattr(RootReader, "digest", refuse)
    monkeypatch.setattr(RootReader, "source", refuse)
    assert answers(root) == before


def test_a_file_that_only_looks_other_is_read_once_and_not_indexed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(root)
    Memory.open(root).index.update()
    settle(root, 1_700_000_500)
    read: list[str] = []
    digest = RootReader.digest

    def noted(self: RootReader, path: str) -> str:
        read.append(path)
        return digest(self, path)

    monkeypatch.setattr(RootReader, "digest", noted)
    assert Memory.open(root).index.update().changed == 0
    assert len(read) == len(DAYS)
    assert Memory.open(root).index.update().changed == 0
    assert len(read) == len(DAYS)


def test_a_write_too_soon_after_another_to_be_told_apart_is_seen(root: Path) -> None:
    path = root / "memory" / "2026-03-31.md"
    memory = Memory.open(root)
    memory.index.update()
    status = path.stat()
    text = path.read_text()
    path.write_text(text.replace("importer", "exporter"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert memory.recall("exporter rows")


def test_an_open_memory_sees_what_another_process_indexed(root: Path) -> None:
    one, other = Memory.open(root), Memory.open(root)
    assert one.recall("importer rows")
    (root / "memory" / "2026-04-02.md").write_text("- The zebra export runs at noon.\n")
    assert other.recall("zebra export")
    assert one.recall("zebra export")
    assert one.index.update().entries == other.index.update().entries == 7


def test_an_open_memory_outlives_its_index(root: Path) -> None:
    memory = Memory.open(root)
    before = memory.recall("importer rows")
    index_file(root).unlink()
    assert memory.recall("importer rows") == before
    index_file(root).write_bytes(b"not a database" * 1000)
    assert memory.recall("importer rows") == before


def test_one_memory_is_searched_by_many_threads(root: Path) -> None:
    memory = Memory.open(root)
    alone = memory.recall("What is the budget?")
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(memory.recall, ["What is the budget?"] * 16)) == [alone] * 16


def test_a_day_that_is_gone_is_found_no_more(root: Path) -> None:
    memory = Memory.open(root)
    assert memory.recall("importer rows")
    (root / "memory" / "2026-03-31.md").unlink()
    assert not memory.recall("importer rows")


def test_changes_one_by_one_give_what_a_rebuild_gives(root: Path) -> None:
    memory = Memory.open(root)
    memory.index.update()
    (root / "memory" / "2026-04-01.md").write_text(DAYS["2026-04-01"] + "- JWT again.\n")
    memory.index.update()
    (root / "memory" / "2026-04-02.md").write_text(DAYS["2026-03-30"])
    memory.index.update()
    (root / "memory" / "2026-03-30.md").unlink()
    before = answers(root)
    memory.index.update(rebuild=True)
    assert answers(root) == before


def test_a_large_change_builds_the_index_anew_with_the_same_results(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(root)
    monkeypatch.setattr(refresh, "_MOST_CHANGED", 1)
    with (root / "memory" / "2026-03-30.md").open("a") as file:
        file.write("- Nothing of note.\n")
    assert Memory.open(root).index.update().rebuilt
    found = answers(root)
    index_file(root).unlink()
    assert answers(root) == found


def test_a_deleted_index_comes_back_the_same(root: Path) -> None:
    before = answers(root)
    index_file(root).unlink()
    assert answers(root) == before


@pytest.mark.parametrize("damage", ["garbage", "empty", "cut", "middle", "newer", "a folder"])
def test_a_broken_index_is_built_anew(root: Path, damage: str) -> None:
    before, sources = answers(root), bytes_of(root)
    path = index_file(root)
    data = path.read_bytes()
    if damage == "garbage":
        path.write_bytes(b"not a database" * 1000)
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "cut":
        path.write_bytes(data[: len(data) // 3])
    elif damage == "middle":
        path.write_bytes(data[:4096] + b"\xff" * (len(data) - 8192) + data[-4096:])
    elif damage == "newer":
        with sqlite3.connect(path) as db:
            db.execute(f"PRAGMA user_version = {index.VERSION + 1}")
        db.close()
    else:
        path.unlink()
        path.mkdir()
    assert answers(root) == before
    assert bytes_of(root) == sources


def test_other_settings_make_another_index(root: Path) -> None:
    secret = "AK" + "IA" + "Z7Q4M2X9T5B1K8WD"
    (root / "memory" / "2026-04-02.md").write_text(f"- The deploy key is {secret} for now.\n")
    memory = Memory.open(root)
    assert secret not in memory.recall("deploy key").passages[0].text
    assert secret.encode() not in index_file(root).read_bytes()
    (root / "lithify.toml").write_text("[redact]\nenabled = false\n")
    assert secret in Memory.open(root).recall("deploy key").passages[0].text


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("after", [1, 2])
def test_killed_while_indexing_leaves_what_was_there(root: Path, after: int) -> None:
    before = answers(root)
    (root / "memory" / "2026-04-02.md").write_text("- The zebra export runs at noon.\n")
    code = (
        "import os, signal\n"
        "from lithify.search.add_files import IndexWriter\n"
        "from lithify.memory import Memory\n"
        f"seen, real = [], IndexWriter.{'add' if after == 1 else 'finish'}\n"
        "def kill(self, *given):\n"
        "    real(self, *given)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        f"IndexWriter.{'add' if after == 1 else 'finish'} = kill\n"
        f"Memory.open({str(root)!r}).index.update(rebuild={after == 2})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    assert Memory.open(root).recall("zebra export")
    (root / "memory" / "2026-04-02.md").unlink()
    assert answers(root) == before


@pytest.mark.parametrize("is_there", [True, False], ids=["a large change", "the first run"])
def test_a_run_goes_on_where_another_was_interrupted(
    root: Path, is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "_STEP", 0)
    monkeypatch.setattr(refresh, "_SHARE", 1e9)
    if is_there:
        Memory.open(root).index.update()
        for day in (root / "memory").iterdir():
            day.write_text(f"{day.read_text()}- The zebra export runs at noon.\n")
    for day in (root / "memory").iterdir():
        os.utime(day, (1e9, 1e9))

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    seen: list[tuple[int, int]] = []
    with pytest.raises(KeyboardInterrupt):
        Memory.open(root).index.update(progress=stop)
    before, seen[:] = seen[:], []
    memory = Memory.open(root)
    memory.index.update(progress=lambda done, total: seen.append((done, total)))
    assert before[0][1] - seen[0][1] == 2
    found = answers(root)
    memory.index.update(rebuild=True)
    assert answers(root) == found
    assert not list((root / ".lithify").glob("index.sqlite?*"))


def test_what_was_begun_of_an_index_and_is_broken_is_begun_anew(root: Path) -> None:
    before = answers(root)
    draft = root / ".lithify" / "index.sqlite.new"
    draft.write_bytes(index_file(root).read_bytes()[:9000])
    index_file(root).unlink()
    assert answers(root) == before
    assert answers(root) == before and not draft.exists()


def test_recall_works_where_nothing_can_be_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = answers(root)
    (root / "memory" / "2026-04-02.md").write_text("- The zebra export runs at noon.\n")

    def refuse(*_: object, **__: object) -> Iterator[None]:
        raise PermissionError(13, "read-only")

    monkeypatch.setattr(refresh, "locked", refuse)
    memory = Memory.open(root)
    assert memory.index.update().in_memory
    assert memory.recall("zebra export")
    (root / "memory" / "2026-04-02.md").unlink()
    assert answers(root) == before


def test_a_reader_goes_on_while_another_writes(root: Path) -> None:
    memory = Memory.open(root)
    memory.index.update()
    with sqlite3.connect(index_file(root)) as db:
        (stamp,) = db.execute("SELECT value FROM meta WHERE key = 'stamp'").fetchone()
    db.close()
    writer = index.opened(str(index_file(root)), stamp)
    assert writer is not None
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM place")
    assert memory.recall("importer rows")
    writer.execute("ROLLBACK")
    writer.close()


def test_a_search_is_answered_from_one_state_of_the_index(root: Path) -> None:
    memory = Memory.open(root)
    memory.index.update()
    index, _ = memory.index.search.index()
    writer = sqlite3.connect(index_file(root), timeout=0, isolation_level=None)
    with index.still():
        places = index.db.execute("SELECT count(*) FROM place").fetchone()
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM place")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            writer.execute("COMMIT")
        assert index.db.execute("SELECT count(*) FROM place").fetchone() == places
    writer.execute("COMMIT")
    assert index.db.execute("SELECT count(*) FROM place").fetchone() == (0,)
    with pytest.raises(ZeroDivisionError), index.still():
        _ = 1 / 0
    assert not index.db.in_transaction
    writer.close()
    index.close()


def test_a_compaction_that_runs_keeps_nobody_waiting(root: Path) -> None:
    from lithify.store import places
    from lithify.store.lock import locked

    with locked(places.compact_lock(root)):
        code = (
            f"from lithify.memory import Memory; print(Memory.open({str(root)!r}).index.update())"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
        )
    assert "rebuilt=True" in done.stdout


@pytest.mark.parametrize(
    ("text", "whole", "parts"),
    [
        ("the rate_limit of it", "rate_limit", ["rat", "limit"]),
        ("see src/app/limits.py now", "src/app/limits.py", ["app", "limit", "py"]),
        ("our RateLimiter broke", "ratelimiter", ["limiter"]),
        ("PAY-1234 is open", "pay-1234", ["pay", "1234"]),
        ("release v2.4.1 is out", "v2.4.1", []),
        ("costs $18,000 a year", "18000", []),
        ("the board-prep call", "board-prep", ["board", "prep"]),
        ("standup at 09:30", "9:30", []),
        ("raised $1.2M", "1.2m", []),
        ("東京に行く", "東京", ["行く"]),
        ("a café", "caf", []),
    ],
)
def test_a_term_is_found_whole_and_in_parts(text: str, whole: str, parts: list[str]) -> None:
    terms = terms_of(text)
    assert whole in terms
    for part in parts:
        assert part in terms


@given(st.text(max_size=300))
def test_any_text_has_terms_that_can_be_looked_up(text: str) -> None:
    for term in terms_of(text):
        assert term
        assert not term.isspace()
        assert " " not in term


texts = st.lists(
    st.tuples(
        st.sampled_from(["alpha beta", "beta gamma", "gamma", "delta epsilon zeta", "alpha"]),
        st.sampled_from([(), ("One",), ("One", "Two")]),
    ),
    max_size=5,
)


def source(path: str, said: list[tuple[str, tuple[str, ...]]]) -> IndexedFile:
    records = [
        IndexRecord(text, headings, "", "item", n, n, f"2026-01-01~{n:012x}", "file", 1)
        for n, (text, headings) in enumerate(said, 1)
    ]
    return IndexedFile(path, "x", "day", "2026-01-01", tuple(records))


def contents(index: Index) -> object:
    """All that can be read from an index, without its numbers."""
    found: dict[str, list[tuple[str, tuple[str, ...], int]]] = {}
    known = index.terms(["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "on", "two"])
    for word, term in known.items():
        for base, docs, weights in index.postings(term):
            table = index.docs(base + doc for doc in docs)
            found.setdefault(word, []).extend(
                (table[base + doc].text, table[base + doc].headings, weight)
                for doc, weight in zip(docs, weights, strict=True)
            )
        for base, passages, weights in index.postings(term, PASSAGES):
            spans = index.spans(base + one for one in passages)
            found.setdefault(f"passages of {word}", []).extend(
                (str(spans[base + one].last - spans[base + one].first), (), weight)
                for one, weight in zip(passages, weights, strict=True)
            )
    counts = {word: term[1:] for word, term in known.items()}
    sizes = [index.size(shelf) for shelf in range(3)]
    return {word: sorted(rows) for word, rows in found.items()}, counts, sizes


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), texts), max_size=8))
def test_any_order_of_changes_leaves_what_the_last_state_gives(
    changes: list[tuple[str, list[tuple[str, tuple[str, ...]]]]],
) -> None:
    changed = Index(index.fresh(":memory:", ""))
    for path, said in changes:
        writer = IndexWriter(changed.db)
        writer.remove(path)
        writer.add(source(path, said))
        writer.finish()
    fresh = Index(index.fresh(":memory:", ""))
    writer = IndexWriter(fresh.db)
    for path, said in dict(changes).items():
        writer.add(source(path, said))
    writer.finish()
    changed.forget()
    assert contents(changed) == contents(fresh)
    changed.close()
    fresh.close()


def test_the_day_of_an_entry_is_its_own(root: Path) -> None:
    found = Memory.open(root).recall("importer rows").passages[0]
    assert found.date == date(2026, 3, 31)
    assert found.path == "memory/2026-03-31.md"
    assert found.line == 3
    assert os.path.exists(root / found.path)


# Vectors


def test_words_are_cut_into_the_longest_pieces_there_are() -> None:
    from lithify.search.vectors import pieces

    marks = {"[CLS]": 1, "[SEP]": 2, "[UNK]": 3}
    words = {"em": 4, "##bed": 5, "##ding": 6, "embed": 7, ",": 8, "cafe": 9, "東": 10}
    assert pieces("Embedding, café", {**marks, **words}, 16) == [1, 7, 6, 8, 9, 2]
    assert pieces("東京 zzz", {**marks, **words}, 16) == [1, 10, 3, 3, 2]
    assert pieces("embed " * 50, {**marks, **words}, 8) == [1, *[7] * 6, 2]


class Toy:
    """An embedding that knows two meanings: rain, and everything else."""

    def vector(self, text: str) -> object:
        import numpy as np

        wet = any(word in text.lower() for word in ("rain", "drizzle", "shower"))
        return np.array([1.0, 0.0] if wet else [0.0, 1.0], dtype=np.float32)

    def small(self, text: str) -> object:
        import numpy as np

        return np.rint(self.vector(text) * 127).astype(np.int8)  # type: ignore[operator]


def test_vectors_are_used_where_there_are_any(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "embedder", Toy)
    monkeypatch.setattr(vectors, "installed", lambda: True)
    lines = "".join(f"- Weather of port {n}: fine.\n" for n in range(6))
    (root / "memory" / "2026-04-02.md").write_text(lines + "- Weather of port 7: drizzle.\n")
    memory = Memory.open(root)
    plain = memory.recall("weather of port in the rain")
    assert memory.index.update(vectors=True).vectors > 6
    near = memory.recall("weather of port in the rain")
    assert "drizzle" in near.passages[0].text
    assert memory.recall("weather of port in the rain", vectors=False) == plain
    (root / "memory" / "2026-04-03.md").write_text("- Weather of port 8: shower.\n")
    assert "shower" in " ".join(p.text for p in memory.recall("weather in the rain").passages[:2])


def embedded(root: Path, monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    """The entries that have vectors, each with the turn it was embedded with."""
    monkeypatch.setattr(vectors, "embedder", Toy)
    Memory.open(root).index.update(vectors=True)
    with closing(sqlite3.connect(index_file(root))) as db:
        question = (
            "SELECT text.text, ifnull(turn.text, '') FROM vector JOIN text ON text.id = vector.text"
            " LEFT JOIN text AS turn ON turn.id = before"
        )
        return set(db.execute(question))


def test_a_turn_is_embedded_with_each_turn_before_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"2026-04-02": "Shall we meet?", "2026-04-03": "Is it paid?"}
    for day, question in asked.items():
        talk = f"- A note.\n- Anna: {question}\n- Ben: Yes.\n"
        (root / "memory" / f"{day}.md").write_text(talk)
    found = embedded(root, monkeypatch)
    assert {before for text, before in found if text == "Ben: Yes."} == {
        "Anna: Shall we meet?",
        "Anna: Is it paid?",
    }
    assert {before for text, before in found if not text.startswith("Ben")} == {""}
    # A vector whose turns no longer follow each other goes, as in an index built anew.
    (root / "memory" / "2026-04-03.md").write_text("- Ben: Yes.\n")
    changed = embedded(root, monkeypatch)
    assert {before for text, before in changed if text == "Ben: Yes."} == {
        "Anna: Shall we meet?",
        "",
    }
    Memory.open(root).index.update(rebuild=True)
    assert embedded(root, monkeypatch) == changed


def test_the_end_of_a_long_turn_is_what_an_answer_refers_to() -> None:
    from lithify.search.vectors import vector_text

    assert vector_text("Ben: Yes.", "Anna: Shall we?") == "Anna: Shall we? Ben: Yes."
    assert vector_text("Ben: Yes.", "word " * 99 + "end?") == "word " * 39 + "end? Ben: Yes."
    assert vector_text("A note.") == "A note."


def test_vectors_of_another_encoder_are_not_used_and_made_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = embedded(root, monkeypatch)
    with closing(sqlite3.connect(index_file(root))) as db:
        assert Index(db).has_vectors
        for module in (index, vectors):
            monkeypatch.setattr(module, "ENCODER_FILES", {"encoder.onnx": "another"})
        assert not Index(db).has_vectors
        db.execute("UPDATE vector SET value = x'00'")
        db.commit()
    assert embedded(root, monkeypatch) == made
    with closing(sqlite3.connect(index_file(root))) as db:
        assert db.execute("SELECT count(*) FROM vector WHERE value = x'00'").fetchone() == (0,)


def test_an_index_built_anew_keeps_the_vectors_of_the_same_texts(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = embedded(root, monkeypatch)
    (root / "memory" / "2026-04-01.md").unlink()
    monkeypatch.setattr(Toy, "vector", None)  # nothing is embedded again
    memory = Memory.open(root)
    assert memory.index.update(rebuild=True).rebuilt
    with closing(sqlite3.connect(index_file(root))) as db:
        assert 0 < db.execute("SELECT count(*) FROM vector").fetchone()[0] < len(made)
    assert memory.index.update(vectors=True).vectors


def test_embedding_that_was_stopped_goes_on_with_the_older_days(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopping(Toy):
        asked: ClassVar[list[str]] = []

        def small(self, text: str) -> object:
            self.asked.append(text)
            if len(self.asked) == 4:
                raise KeyboardInterrupt
            return super().small(text)

    for day in range(1, 6):
        (root / "memory" / f"2026-05-0{day}.md").write_text(f"- Line of day {day}.\n")
    monkeypatch.setattr(vectors, "embedder", Stopping)
    monkeypatch.setattr(vectors, "_BATCH", 1)
    memory = Memory.open(root)
    with pytest.raises(KeyboardInterrupt):
        memory.index.update(vectors=True)
    assert Stopping.asked[:3] == [f"Line of day {day}." for day in (5, 4, 3)]
    memory.index.update(vectors=True)
    # What was kept is not embedded again.
    assert Counter(Stopping.asked).most_common(2)[1][1] == 1


@pytest.mark.parametrize(
    ("setting", "variable", "started"), [("auto", "", 1), ("off", "", 0), ("auto", "off", 0)]
)
@pytest.mark.skipif(sys.platform == "win32", reason="nothing is embedded in the background there")
def test_a_command_has_texts_embedded_by_another_process(
    root: Path, monkeypatch: pytest.MonkeyPatch, setting: str, variable: str, started: int
) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(subprocess, "Popen", lambda argv, **_: begun.append(argv))
    monkeypatch.setattr(vectors, "installed", lambda: True)
    monkeypatch.setenv("LITHIFY_VECTORS", variable)
    with (root / "lithify.toml").open("a") as file:
        file.write(f'\n[recall]\nvectors = "{setting}"\n')
    for command in (["index"], ["compact"], ["status"]):
        begun.clear()
        assert CliRunner().invoke(lithify, [*command, "--root", str(root)]).exit_code in (0, 3)
        assert len(begun) == (started if command != ["status"] else 0)


def test_the_package_of_vectors_is_the_one_that_is_pinned() -> None:
    repository = Path(__file__).parent.parent
    package = repository / "packages" / "lithify-vectors"
    for name, digest in index.ENCODER_FILES.items():
        file = package / "lithify_vectors" / name
        assert hashlib.sha256(file.read_bytes()).hexdigest() == digest
    version = tomllib.loads((package / "pyproject.toml").read_text())["project"]["version"]
    extras = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    assert f"lithify-vectors=={version}" in extras["optional-dependencies"]["vectors"]


@pytest.mark.skipif(not vectors_installed(), reason="needs the extra `vectors`")
def test_the_encoder_finds_an_answer_in_other_words(root: Path) -> None:
    talk = (
        "- Anna: Where do the spare keys live these days?\n- Ben: In the blue tin by the stove.\n"
        "- Anna: Did the plumber send his bill?\n- Ben: Two hundred, and it is paid.\n"
        "- Anna: Are you coming on Saturday?\n- Ben: Only if the train runs.\n"
    )
    (root / "memory" / "2026-04-02.md").write_text(talk)
    memory = Memory.open(root)
    memory.index.update(vectors=True)
    with closing(sqlite3.connect(index_file(root))) as db:
        near = similar(Index(db), "What did we owe for mending the pipes?").texts
        best = max(near, key=lambda key: near[key])
        (text,) = db.execute("SELECT text FROM text WHERE id = ?", (best,)).fetchone()
    assert text in ("Anna: Did the plumber send his bill?", "Ben: Two hundred, and it is paid.")


def test_files_with_another_digest_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from lithify.errors import NotInstalled

    monkeypatch.setattr(vectors, "ENCODER_FILES", {"encoder.onnx": "0" * 64})
    with pytest.raises(NotInstalled, match="whose encoder"):
        vectors.data_file("encoder.onnx")


def test_vectors_that_are_demanded_and_not_there_are_an_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lithify.errors import NotInstalled

    vectors.embedder.cache_clear()
    monkeypatch.setattr(vectors, "installed", lambda: False)
    with pytest.raises(NotInstalled, match="vectors"):
        Memory.open(root).recall("JWT login", vectors=True)
    assert Memory.open(root).recall("JWT login")
