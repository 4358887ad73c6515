"""A person's word on sources: an import is trusted, an entry or an origin is withdrawn."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import roots
from commands import lithify
from lithify.errors import UnknownReference, UsageError
from lithify.memory import CompactOptions, Memory
from lithify.store import journal

AT = datetime(2026, 4, 2, 10, 0, tzinfo=UTC)
RULE = "Rule: never restart the payments queue by hand, it loses jobs in flight."


def imported(folder: Path) -> Memory:
    memory = roots.made(folder)
    memory.log(RULE, at=AT, origin="import:notes")
    memory.compact()
    assert not memory.memories.list() and not memory.wisdom.entries()
    return memory


def held_by(memory: Memory) -> list[str]:
    said = [
        *(one.text for one in memory.memories.list()),
        *(one.text for one in memory.wisdom.entries()),
    ]
    return [text for text in said if "payments queue" in text]


def test_a_trusted_import_may_become_memory_and_wisdom(tmp_path: Path) -> None:
    memory = imported(tmp_path)
    assert memory.sources()["import:notes"] == (1, False)
    memory.trust("import:notes")
    assert memory.sources()["import:notes"] == (1, True)
    assert journal.read(memory.root).records[-1].kind == "trust"
    memory.compact()
    assert len(held_by(memory)) == 2
    [found] = [p for p in memory.recall("payments queue").passages if "payments" in p.text]
    assert found.origin == "file"


def test_only_imports_can_be_trusted_and_only_at_a_terminal(tmp_path: Path) -> None:
    memory = imported(tmp_path)
    memory.log("Buy now.", origin="web")
    for source in ("web", "import:other"):
        with pytest.raises(UsageError):
            memory.trust(source)
    done = lithify(["trust", "import:notes", "--root", str(memory.root)])
    assert done.returncode == 2 and "terminal" in done.stderr
    listed = lithify(["trust", "--root", str(memory.root)])
    assert listed.returncode == 0 and "import:notes  not trusted  1 entry" in listed.stdout


@pytest.mark.parametrize("by", ["id", "origin"])
def test_a_withdrawn_source_takes_with_it_all_that_rests_on_it(tmp_path: Path, by: str) -> None:
    memory = roots.made(tmp_path)
    (id,) = memory.log(RULE, at=AT, origin="agent").entries
    memory.compact()
    assert len(held_by(memory)) == 2
    assert memory.wisdom.revoke_source(id if by == "id" else "agent", "it was wrong") == (id,)
    assert held_by(memory) == []
    assert roots.state(memory, "week:2026-W14") == "stale"
    memory.compact()
    assert held_by(memory) == []
    page = roots.text(memory, "memory/weekly/2026-W14.md")
    told = [line for line in page.splitlines() if "payments queue" in line]
    assert all(line.startswith("- [unverified]") for line in told)
    assert "payments queue" not in memory.context()
    assert not [p for p in memory.check() if p.severity == "error"]
    assert any(
        "withdrawn by a person" in d["reason"] for d in memory.snapshot().ledger.wisdom.decisions
    )


def test_a_withdrawn_source_does_not_come_back_as_a_copy(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    (id,) = memory.log(RULE, at=AT, origin="agent").entries
    memory.compact()
    memory.wisdom.revoke_source(id, "it was wrong")
    assert memory.log(RULE, origin="agent").origin == "revoked"
    memory.compact(CompactOptions(include_current=True))
    assert held_by(memory) == []


def test_trust_is_taken_back_by_revoking_the_source(tmp_path: Path) -> None:
    memory = imported(tmp_path)
    memory.trust("import:notes")
    memory.compact()
    assert held_by(memory)
    with pytest.raises(UnknownReference):
        memory.wisdom.revoke_source("import:other", "no")
    memory.wisdom.revoke_source("import:notes", "it was wrong")
    assert held_by(memory) == []
    assert memory.sources()["import:notes"] == (1, False)
