"""Claims whose source is gone: what `check` cannot see from bytes alone."""

from __future__ import annotations

from collections.abc import Iterator

from lithify.compact.snapshot import Snapshot
from lithify.markdown.pages import read_summary, read_typed, read_wisdom
from lithify.markdown.parse import front_of
from lithify.store.check import Problem


def audit(snapshot: Snapshot) -> Iterator[Problem]:
    """Every sentence that names a source which does not resolve, and every day that cannot be read well."""
    shelf = snapshot.shelf
    for page in [*shelf.weeks.values(), *shelf.months.values()]:
        for line in read_summary(snapshot.read(page.path)):
            yield from _dead(snapshot, page.path, line.number, line.claim.sources)
    for page in shelf.typed.values():
        memory = read_typed(snapshot.read(page.path), page.path)
        if memory:
            yield from _dead(snapshot, page.path, 1, memory.sources)
    if shelf.wisdom:
        for entry, number in read_wisdom(snapshot.read(shelf.wisdom.path)):
            yield from _dead(snapshot, shelf.wisdom.path, number, entry.sources)
    for file in snapshot.tree.of("day"):
        fault = front_of(snapshot.read(file.path)).fault
        if fault:
            yield Problem("front", file.path, 1, f"{fault}; its body is read all the same", "note")


def _dead(snapshot: Snapshot, path: str, line: int, sources: tuple[str, ...]) -> Iterator[Problem]:
    dead = [source for source in sources if not _stands(snapshot, source)]
    if dead:
        message = f"rests on {dead[0]}, which is gone" + (
            f" (and {len(dead) - 1} more)" if dead[1:] else ""
        )
        yield Problem("source", path, line, message, "due")


def _stands(snapshot: Snapshot, source: str) -> bool:
    return source in snapshot.lookup([source])
