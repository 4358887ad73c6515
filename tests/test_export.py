"""An export says what the memory says, marks what is not trusted, and can be read again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import roots
from commands import lithify
from imports import FIXTURES, bring, new_root
from lithify.export import MOST_BYTES, MOST_LINES, auto_memory, book, json_lines
from lithify.importers.sources import source_of
from lithify.memory import CompactOptions, Memory


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """A compacted root of trusted days, with a few entries that were imported."""
    root = tmp_path_factory.mktemp("root")
    new_root(root)
    for name, lines in roots.MARKED.items():
        (root / f"memory/{name}.md").write_text(roots.day(*lines), "utf-8")
    found = Memory.open(root, clock=lambda: roots.NOW)
    secret = "The key is AKIAIOSFODNN7EXAMPLQ. # no heading <!-- hidden -->"
    (root / "memory/2026-04-09.md").write_text(f"# 2026-04-09\n\n- {secret}\n")
    bring(found, "claude-memory", FIXTURES / "claude-memory")
    found.compact()
    return found


def test_the_book_has_every_tier_and_contents_that_lead_there(memory: Memory) -> None:
    text = "\n".join(book(memory.snapshot()))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    anchors = {heading.lower().replace(" ", "-") for heading in headings}
    links = re.findall(r"^- \[.+\]\(#(.+)\)$", text, re.MULTILINE)
    assert {*links} <= anchors and {"wisdom", "memories", "days-of-2026-04"} <= {*links}
    assert any(link.startswith("week-2026-w14") for link in links)
    assert "- Shipped release 2.4.1 of the login page; Priya signed it off.\n" in text
    assert "<!--" not in text and "AKIA" not in text and "[secret:aws-access-key:" in text
    assert "no heading" not in headings


def test_the_book_marks_what_is_not_trusted(memory: Memory) -> None:
    text = "\n".join(book(memory.snapshot()))
    assert re.search(r"^- \[unverified\] Rule: Never deploy on a Friday\.", text, re.MULTILINE)
    assert "- [unverified] Shipped" not in text


def test_every_line_of_json_has_its_sources(memory: Memory) -> None:
    found = [json.loads(line) for line in json_lines(memory.snapshot())]
    ids = {one["id"]: one for one in found if one["kind"] == "entry"}
    assert {one["kind"] for one in found} == {"entry", "claim", "memory", "wisdom"}
    for one in found:
        if one["kind"] != "entry":
            assert one["sources"] and {*one["sources"]} <= ids.keys()
    imported = [one for one in ids.values() if one["origin"] == "import:claude-memory"]
    assert imported and not any(one["trusted"] for one in imported)
    assert not any("AKIA" in json.dumps(one) for one in found)


def test_the_auto_memory_folder_holds_what_is_trusted_and_reads_back(
    memory: Memory, tmp_path: Path
) -> None:
    target = tmp_path / "auto"
    done = lithify(["export", "auto-memory", str(target), "--root", str(memory.root)])
    assert done.returncode == 0, done.stderr
    index = (target / "MEMORY.md").read_text()
    names = re.findall(r"\]\((.+?\.md)\) — ", index)
    assert {*names} == {file.name for file in target.glob("*_*.md")} and len(names) >= 2
    assert not any("Friday" in file.read_text() for file in target.iterdir())
    assert source_of(target).name == "claude-memory"
    again = new_root(tmp_path / "again")
    bring(again, "claude-memory", target)
    again.trust("import:claude-memory")
    again.compact(CompactOptions(include_current=True))
    assert {one.text for one in again.memories.list()} == {
        one.text for one in memory.memories.list()
    }


def test_the_index_of_a_large_memory_stays_within_what_is_loaded(tmp_path: Path) -> None:
    memory = new_root(tmp_path)
    for number in range(300):
        text = f"---\nname: {'long ' * 15}{number}\ntype: project\n---\n\nFact {number} holds.\n"
        (tmp_path / f"memory/project_fact-{number}.md").write_text(text)
    files = auto_memory(memory.snapshot())
    index = files["MEMORY.md"]
    assert len(files) == 301
    assert index.count("\n") <= MOST_LINES and len(index.encode()) <= MOST_BYTES
    more = re.search(r"^- (\d+) more memories in this folder$", index, re.MULTILINE)
    assert more and int(more[1]) + index.count("](") == 300


def test_an_export_replaces_nothing_unasked(memory: Memory, tmp_path: Path) -> None:
    target, root = tmp_path / "memory.md", ["--root", str(memory.root)]
    assert lithify(["export", "book", str(target), *root]).returncode == 0
    before = target.read_bytes()
    refused = lithify(["export", "book", str(target), *root])
    assert refused.returncode == 2 and "--overwrite" in refused.stderr
    assert lithify(["export", "jsonl", str(target), "--overwrite", *root]).returncode == 0
    assert target.read_bytes() != before
    assert lithify(["export", "auto-memory", str(tmp_path), *root]).returncode == 2
    printed = lithify(["export", "book", "-", *root])
    assert printed.stdout.encode() == before
    assert [path.name for path in tmp_path.iterdir()] == ["memory.md"]


def test_an_empty_root_is_an_empty_book(tmp_path: Path) -> None:
    snapshot = new_root(tmp_path).snapshot()
    assert [*json_lines(snapshot)] == []
    assert [*book(snapshot)] == ["# The memory of Agent", "", "## Contents", ""]
