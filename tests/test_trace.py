"""From any sentence down to the lines it rests on; from a line up to all that rests on it."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import roots
from lithify.cli.days import trace as command
from lithify.compact.trace import Node
from lithify.errors import UnknownReference
from lithify.memory import CompactOptions, Memory

QUEUE = "Never restart the queue by hand: it loses the jobs in flight."


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = roots.made(tmp_path)
    memory.compact(CompactOptions(model=roots.Careful()))
    return memory


def walk(nodes: tuple[Node, ...]) -> Iterator[Node]:
    for node in nodes:
        yield node
        yield from walk(node.children)


def leaves(nodes: tuple[Node, ...]) -> list[Node]:
    return [node for node in walk(nodes) if not node.children]


def line_of(memory: Memory, path: str, words: str) -> int:
    lines = roots.text(memory, path).splitlines()
    return next(n for n, line in enumerate(lines, 1) if words in line)


@pytest.mark.parametrize("ref", ["title", "line", "second line"])
def test_wisdom_entry_leads_through_the_tiers_to_file_line_and_words(
    memory: Memory, ref: str
) -> None:
    title = "Never restart the queue by"
    line = line_of(memory, "WISDOM.md", f"**{title}**")
    where = {"title": title, "line": f"WISDOM.md:{line}", "second line": f"WISDOM.md:{line + 1}"}
    trace = memory.trace(where[ref])
    assert not trace.upward
    (root,) = trace.roots
    assert (root.tier, root.path, root.line) == ("wisdom", "WISDOM.md", line)
    tiers = {node.tier for node in walk(trace.roots)}
    assert {"wisdom", "week", "day"} < tiers
    for leaf in leaves(trace.roots):
        assert (leaf.tier, leaf.path, leaf.text) == ("day", "memory/2026-04-02.md", QUEUE)
        assert roots.text(memory, leaf.path).splitlines()[leaf.line - 1] == f"- {QUEUE}"
        assert leaf.origin == "file" and leaf.id.startswith("2026-04-02~")


def test_file_is_named_from_the_root_from_here_or_by_its_whole_path(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = line_of(memory, "memory/2026-04-02.md", QUEUE)
    (tmp_path / "linked").symlink_to(memory.root)
    whole = memory.root / "memory/2026-04-02.md"
    linked = tmp_path / "linked/memory/2026-04-02.md"

    def found(ref: str) -> tuple[int, list[str]]:
        done = CliRunner().invoke(command, [ref, "--root", str(memory.root), "--json"])
        roots = json.loads(done.stdout)["roots"] if done.exit_code == 0 else []
        return done.exit_code, [f"{root['path']}:{root['line']}" for root in roots]

    (memory.root / "memory/weekly/notes").mkdir()
    for here, path in (
        ("memory", "2026-04-02.md"),
        ("memory/weekly", "../2026-04-02.md"),
        ("memory/weekly", "memory/2026-04-02.md"),
        ("memory/weekly/notes", str(whole)),
        ("memory", str(linked)),
    ):
        monkeypatch.chdir(memory.root / here)
        assert found(f"{path}:{line}") == (0, [f"memory/2026-04-02.md:{line}"]), (here, path)
    assert memory.trace(f"{whole}:{line}").roots[0].text == QUEUE
    (tmp_path / "2026-04-02.md").write_text("- elsewhere\n")
    assert found(f"{tmp_path / '2026-04-02.md'}:1") == (1, [])


def test_month_bullet_leads_through_its_week(memory: Memory) -> None:
    path = "memory/monthly/2026-04.md"
    trace = memory.trace(f"{path}:{line_of(memory, path, 'PR 318')}")
    chain = [(node.tier, node.path) for node in walk(trace.roots)]
    assert chain == [
        ("month", path),
        ("week", "memory/weekly/2026-W15.md"),
        ("day", "memory/2026-04-08.md"),
    ]


def test_whole_page_is_traced_bullet_by_bullet(memory: Memory) -> None:
    path = "memory/weekly/2026-W14.md"
    trace = memory.trace(path)
    assert [root.text for root in trace.roots] == [
        line.removeprefix("- ") for line in roots.bullets(roots.text(memory, path))
    ]
    typed = memory.trace("memory/feedback_never-restart-the-queue.md")
    assert [leaf.text for leaf in leaves(typed.roots)] == [QUEUE]


@pytest.mark.parametrize("by", ["line", "id"])
def test_line_of_a_day_leads_up_to_all_that_rests_on_it(memory: Memory, by: str) -> None:
    path = "memory/2026-04-02.md"
    ref = f"{path}:{line_of(memory, path, 'queue')}"
    if by == "id":
        ref = memory.trace(ref).roots[0].id
    trace = memory.trace(ref)
    assert trace.upward
    (root,) = trace.roots
    assert (root.tier, root.path, root.text) == ("day", path, QUEUE)
    above = {(node.tier, node.path) for node in walk(root.children)}
    assert above == {
        ("week", "memory/weekly/2026-W14.md"),
        ("typed", "memory/feedback_never-restart-the-queue.md"),
        ("month", "memory/monthly/2026-04.md"),
        ("wisdom", "WISDOM.md"),
    }


def test_up_and_down_agree(memory: Memory) -> None:
    for page in ("memory/weekly/2026-W14.md", "memory/monthly/2026-04.md", "WISDOM.md"):
        for root in memory.trace(page).roots:
            for leaf in leaves((root,)):
                up = {(n.path, n.line) for n in walk(memory.trace(leaf.id).roots)}
                assert (root.path, root.line) in up


def test_same_words_in_two_places_are_both_listed(tmp_path: Path) -> None:
    twice = roots.day("Shipped release 2.4.1.", "Lunch.", "Shipped release 2.4.1.")
    memory = roots.made(tmp_path, {"2026-04-02": twice, "2026-04-02-late": twice})
    memory.compact(CompactOptions(model=roots.Careful()))
    trace = memory.trace("memory/2026-04-02.md:3")
    assert [(root.path, root.line) for root in trace.roots] == [
        ("memory/2026-04-02.md", 3),
        ("memory/2026-04-02.md", 5),
        ("memory/2026-04-02-late.md", 3),
        ("memory/2026-04-02-late.md", 5),
    ]
    assert len({root.id for root in trace.roots}) == 1


def test_trace_is_plain_data(memory: Memory) -> None:
    data = json.loads(json.dumps(dataclasses.asdict(memory.trace("Never restart the queue by"))))
    assert set(data) == {"ref", "roots", "upward", "others"}
    node = data["roots"][0]
    assert set(node) == {"tier", "path", "line", "text", "id", "origin", "note", "children"}
    assert node["children"][0]["tier"] in ("month", "typed")


def test_entry_written_by_hand_says_that_it_is_its_own_source(memory: Memory) -> None:
    page = memory.root / "WISDOM.md"
    page.write_text(page.read_text() + "\n**Ask: Priya first**\nShe knows the login page.\n")
    (root,) = memory.trace("Ask: Priya first").roots
    assert "its own source" in root.note and root.children == ()


def test_source_that_is_gone_is_named_as_gone(memory: Memory) -> None:
    (memory.root / "memory/2026-04-02.md").unlink()
    notes = {leaf.note for leaf in leaves(memory.trace("Never restart the queue by").roots)}
    assert notes == {"its source no longer exists"}


def test_check_names_the_day_that_is_missing_and_not_all_that_cites_it(memory: Memory) -> None:
    day = memory.root / "memory/2026-04-02.md"
    data = day.read_bytes()
    day.unlink()
    (found,) = [one for one in memory.check() if one.severity != "note"]
    assert (found.kind, found.path) == ("gone", "memory/2026-04-02.md")
    assert re.search(r"is missing, and pages cite it [1-9]\d* times; put it back", found.message)
    day.write_bytes(data.replace(QUEUE.encode(), b"Another line."))
    assert {one.kind for one in memory.check() if one.severity == "due"} == {"source"}
    day.write_bytes(data)
    assert [one for one in memory.check() if one.severity != "note"] == []


@pytest.mark.parametrize(
    ("ref", "paths"),
    [
        ("2026-04-02", {"memory/2026-04-02.md"}),
        ("2026-W14", {"memory/weekly/2026-W14.md"}),
        ("2026-04", {"memory/monthly/2026-04.md"}),
    ],
)
def test_day_week_and_month_are_followed_by_their_names(
    memory: Memory, ref: str, paths: set[str]
) -> None:
    found = memory.trace(ref)
    assert {node.path for node in found.roots} == paths
    assert found.roots == memory.trace(next(iter(paths))).roots
    assert found.upward == (len(ref) == 10)


def test_several_references_are_followed_in_their_order(memory: Memory) -> None:
    refs = ["memory/weekly/2026-W14.md", "2026-04-02"]
    named = [*refs, "--root", str(memory.root)]
    done = CliRunner().invoke(command, [*named, "--json"])
    assert [one["ref"] for one in json.loads(done.output)] == refs
    shown = CliRunner().invoke(command, named).output
    one = CliRunner().invoke(command, [refs[0], "--root", str(memory.root)]).output
    assert one and shown.startswith(one) and len(shown) > len(one)
    assert "ref" in json.loads(CliRunner().invoke(command, [*named[1:], "--json"]).output)


def test_tree_is_folded_between_words_at_a_narrow_terminal(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = ["2026-W14", "--full", "--root", str(memory.root)]
    words = CliRunner().invoke(command, named).output.replace("│", " ").split()
    monkeypatch.setattr("lithify.cli.render.columns", lambda: 48)
    lines = CliRunner().invoke(command, named).output.splitlines()
    assert " ".join(lines).replace("│", " ").split() == words
    assert all(len(line) <= 48 for line in lines if ".md:" not in line)
    assert all(line[:1] in "│├└m " for line in lines)


def test_secrets_stay_out_of_a_trace(tmp_path: Path) -> None:
    secret = "AK" + "IA" + "Q7WE4RT2YU8IO5PA"
    memory = roots.made(tmp_path, {"2026-04-02": [f"Rotated the key {secret} at noon."]})
    memory.compact(CompactOptions(model=roots.Careful()))
    assert secret not in str(memory.trace("memory/2026-04-02.md:3"))


@pytest.mark.parametrize(
    "ref", ["nothing", "memory/2026-04-02.md:1", "memory/none.md:3", "2026-04-02~000000000000", ""]
)
def test_unknown_reference_is_refused_with_a_hint(memory: Memory, ref: str) -> None:
    with pytest.raises(UnknownReference):
        memory.trace(ref)


def test_words_of_a_sentence_find_it_wherever_it_stands(memory: Memory) -> None:
    found = memory.trace("IMPORTER   now handles 2,900 rows")
    assert "2,900 rows a minute" in found.roots[0].text
    assert "memory/2026-04-08.md" in {leaf.path for leaf in leaves(found.roots)}
    assert all("2,900" in other.text for other in found.others)
    with pytest.raises(UnknownReference, match="words of a page"):
        memory.trace("nothing says this")
