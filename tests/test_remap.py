"""Words and entries are taken out of a whole root, and what cites a changed entry cites it still."""

from __future__ import annotations

from pathlib import Path

import pytest

import roots
from lithify.memory import CompactOptions, Memory
from lithify.secrets.rewrite import Erasure, Receipt, rewrite_root
from lithify.store import commit, journal
from lithify.store.recover import pending_rewrite
from lithify.text.occurrences import text_finder

TIME = "2026-04-20T02:00:00Z"
NOBODY = text_finder([])


def changed(
    memory: Memory, *texts: str, gone: tuple[str, ...] = (), rebuild: bool = True
) -> Receipt:
    erasure = Erasure(text_finder(texts), frozenset(gone), rebuild)
    return rewrite_root(memory.root, erasure, "forget", {}, TIME)


def id_of(memory: Memory, words: str) -> str:
    found = [
        entry.id
        for pages in memory.snapshot().shelf.days.values()
        for entry in memory.snapshot().entries([page.path for page in pages])
        if words in entry.text
    ]
    return found[0]


def left(root: Path, words: str) -> list[str]:
    files = [path for path in root.rglob("*") if path.is_file()]
    return [str(path) for path in files if words.casefold().encode() in path.read_bytes().lower()]


def errors(memory: Memory) -> list[str]:
    return [f"{p.path}: {p.message}" for p in memory.check() if p.severity == "error"]


@pytest.fixture(params=["offline", "model"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Memory:
    memory = roots.made(tmp_path, roots.MARKED)
    memory.log("Priya asked for the audit of the login page.", origin="user")
    memory.compact(CompactOptions(model=None if request.param == "offline" else roots.Careful()))
    memory.recall("login")
    return memory


def test_replaced_words_are_nowhere_left_and_the_root_is_sound(memory: Memory) -> None:
    receipt = changed(memory, "Priya")
    assert left(memory.root, "priya") == []
    assert errors(memory) == []
    assert receipt.files["memory/2026-04-02.md"] == "changed"
    assert "[forgotten] signed it off" in roots.text(memory, "memory/2026-04-02.md")


def test_a_changed_entry_is_cited_by_its_new_id(memory: Memory) -> None:
    old = id_of(memory, "Priya signed")
    page = memory.snapshot().shelf.weeks["2026-W14"]
    assert old in memory.snapshot().cited_by(page)
    receipt = changed(memory, "Priya")
    new = receipt.ids[old]
    assert new and new == id_of(memory, "signed it off")
    page = memory.snapshot().shelf.weeks["2026-W14"]
    assert new in memory.snapshot().cited_by(page)
    assert left(memory.root, old.partition("~")[2]) == []


def test_what_rests_on_an_entry_that_is_gone_goes_with_it(memory: Memory) -> None:
    old = id_of(memory, "Never restart")
    assert left(memory.root, "restart the queue")
    changed(memory, gone=(old,))
    assert left(memory.root, "restart the queue") == []
    assert left(memory.root, old.partition("~")[2]) == []
    assert errors(memory) == []
    assert "Always run the migration" in roots.text(memory, "WISDOM.md")


def test_without_rebuild_pages_stay_current(memory: Memory) -> None:
    before = [(task.key, task.state) for task in memory.plan()]
    changed(memory, "Tomasz", rebuild=False)
    assert [(task.key, task.state) for task in memory.plan()] == before
    assert left(memory.root, "tomasz") == []


def test_what_is_not_there_changes_nothing(memory: Memory) -> None:
    before = {path: path.read_bytes() for path in memory.root.rglob("*") if path.is_file()}
    assert changed(memory, "Zebedee").files == {}
    after = {path: path.read_bytes() for path in memory.root.rglob("*") if path.is_file()}
    locks = ("lock", "digests.json")  # the cache takes up files that have become old enough
    assert {p: b for p, b in after.items() if not p.name.endswith(locks)} == {
        p: b for p, b in before.items() if not p.name.endswith(locks)
    }


def test_the_journal_says_that_words_were_taken_out_and_not_which(memory: Memory) -> None:
    changed(memory, "Priya")
    last = journal.read(memory.root).records[-1]
    assert last.kind == "forget"
    assert "memory/2026-04-02.md" in last.data["rewrote"]
    assert journal.read(memory.root).faults == ()


@pytest.fixture
def killed(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A root whose change was committed and killed before the first file was replaced."""
    memory.gate.record("s", "prompt", "Please call Priya.")
    with monkeypatch.context() as patch:
        patch.setattr(commit, "finish_plan", lambda root, name: None)
        changed(memory, "Priya")
    assert pending_rewrite(memory.root)
    return memory


def test_a_day_edited_after_a_crash_keeps_the_edit(killed: Memory) -> None:
    day = killed.root / "memory/2026-04-02.md"
    edit = day.read_bytes() + b"- Written by hand.\n"
    day.write_bytes(edit)
    killed.snapshot()
    assert not pending_rewrite(killed.root)
    assert day.read_bytes() == edit
    changed(killed, "Priya")
    assert left(killed.root, "priya") == [] and b"Written by hand." in day.read_bytes()


def test_a_prompt_recorded_after_a_crash_is_kept(killed: Memory) -> None:
    job = killed.gate.record("s", "prompt", "And ask Tomasz for the certificate.").state.job
    killed.snapshot()
    said = (killed.root / ".lithify/gate" / job / "interactions.jsonl").read_text()
    assert "ask Tomasz" in said and "Priya" not in said
    assert errors(killed) == []


def test_captures_are_still_found_where_they_stand(memory: Memory) -> None:
    memory.log("Tomasz called about the audit.", origin="web")
    changed(memory, "login page")
    assert not [p for p in memory.check() if p.kind in ("capture", "changed", "gone")]
    [web] = [e for e in memory.snapshot().entries(["memory/2026-04-20.md"]) if "Tomasz" in e.text]
    assert web.origin == "web"
