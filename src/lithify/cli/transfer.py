"""Commands on what comes from elsewhere and goes there: `import`, `trust` and `export`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lithify.cli.render import (
    CommandOutput,
    Progress,
    at_terminal,
    count_of,
    need_terminal,
    on_memory,
    on_root,
    one_line,
    option,
    picked,
    table,
)
from lithify.errors import NeedsTerminal, UsageError
from lithify.memory import Memory

if TYPE_CHECKING:
    from lithify.importers.import_run import Imported


@click.command("import", epilog="Example: lithify import claude-code ~/.claude/projects --dry-run")
@click.argument("source", required=False, metavar="[SOURCE]")
@click.argument("path", required=False, type=click.Path(path_type=Path), metavar="[PATH]")
@option("--dry-run", "Only say what would come in.")
@option("--since DATE", "Leave out what is older.")
@option("--undo", "Take back all that came in from SOURCE; the same import brings it back.")
@on_root
def import_(
    source: str | None,
    path: Path | None,
    dry_run: bool,
    since: date | None,
    undo: bool,
    root: str | None,
) -> CommandOutput:
    """Bring in what another tool has kept: each item once, under its own day and time.

    Without arguments it lists the sources; SOURCE `auto` finds out which one a path belongs to.
    Entries have the origin import:SOURCE and are not trusted until `lithify trust` says so. A
    second run adds only what is new. Exit code 1 if nothing could be read.

    After --undo, which needs a terminal, nobody is shown what SOURCE brought, and nothing rests on
    it. Its lines stay in the days.
    """
    from lithify.importers.import_run import import_from
    from lithify.importers.sources import all_sources, source_named, source_of

    if undo:
        if source is None or path or dry_run or since:
            raise UsageError(reason="--undo takes back all of a source: name the source alone")
        need_terminal("Taking an import back")
        return _taken_back(Memory.open(root), source)
    if source is None:
        sources = list(all_sources())
        known = [picked(one, "title where", source="name") for one in sources]
        rows = table([(one.name, one.title, one.where) for one in sources])
        then = "\nlithify import SOURCE PATH brings one in; auto finds out which it is"
        return CommandOutput(known, [*rows, then])
    if path is None:
        where = source_named(source).where if source != "auto" else "any file or folder"
        raise UsageError(reason=f"name the path to import from ({where})")
    path = path.expanduser()
    found = source_of(path) if source == "auto" else source_named(source)
    with Progress() as progress:

        def tell(doing: str, number: int) -> None:
            progress(f"{one_line(doing, 50)}: {count_of(number, 'entry', 'entries')}")

        memory = Memory.open(root)
        done = import_from(memory, found, path, since=since, dry_run=dry_run, progress=tell)
    counts = {"left_out": dict(done.left_out), "dated": dict(done.dated)}
    data = {**done._asdict(), **counts, "dry_run": dry_run}
    failed = done.errors and not done.entries + done.known
    taken = [f"{path} was taken for {found.title}"] if source == "auto" else []
    return CommandOutput(data, [*taken, *_imported_lines(done, dry_run)], 1 if failed else 0)


def _taken_back(memory: Memory, source: str) -> CommandOutput:
    entries, days = memory.take_back(f"import:{source.removeprefix('import:')}")
    said = count_of(entries, "entry", "entries")
    return CommandOutput(
        {"source": source, "taken_back": entries, "days": days},
        [
            f"{said} of {count_of(days, 'day')} taken back: nobody is shown them any more",
            "Their lines stay in the days; the next lithify compact writes without them what rests on them.",
        ],
    )


def _imported_lines(done: Imported, dry_run: bool) -> Iterator[str]:
    verb = "would come in" if dry_run else "came in"
    entries = count_of(done.entries, "entry", "entries")
    span = f", {done.first} to {done.last}" if done.first else ""
    yield f"{entries} {verb} on {count_of(done.days, 'day')}{span}"
    counts = [
        ("already there", done.known),
        ("shown again, which you had taken back", done.back),
        ("updates of earlier entries", done.updates),
        ("earlier entries marked superseded", done.superseded),
        ("cut to their first sentences", done.shortened),
        ("secrets replaced", done.redactions),
        *((f"left out: {what}", count) for what, count in done.left_out),
        *((f"notes dated by {what}", count) for what, count in done.dated),
        ("could not be read", done.errors),
    ]
    yield from table([(f"  {what}", f"{count:,}") for what, count in counts if count])
    for example in done.examples:
        yield f"    {one_line(example)}"
    if done.entries and not dry_run:
        yield f"They are not trusted yet: read them, then run lithify trust import:{done.source}"
        yield f"or take them back: lithify import --undo {done.source}"


@click.command(epilog="Example: lithify trust import:notes")
@click.argument("source", required=False, metavar="[import:SOURCE]")
@option("--unattended COMMAND", "Let scripts call a command that needs a person, such as forget.")
@option("--attended COMMAND", "Take that back: the command needs a person again.")
@on_memory
def trust(
    memory: Memory, source: str | None, unattended: str | None, attended: str | None
) -> CommandOutput:
    """Trust what an importer brought; without a source, list where entries came from.

    Needs a terminal; `lithify wisdom revoke --source` takes it back. With --unattended a command
    that needs a person may be called without a terminal in this root, by anybody,
    until --attended.
    """
    if command := unattended or attended:
        if not at_terminal():
            raise NeedsTerminal(action="Letting scripts call a command, or no more,")
        memory.allow_unattended(command, allowed=bool(unattended))
        which = sorted(memory.unattended())
        said = ", ".join(f"lithify {one}" for one in which) or "no command that needs a person"
        return CommandOutput({"unattended": which}, f"scripts may call: {said}")
    if source is not None:
        need_terminal("Trusting a source")
        memory.trust(source)
    data, rows = [], []
    for origin, (count, good) in memory.sources().items():
        data.append({"source": origin, "entries": count, "trusted": good})
        word = "trusted" if good else "not trusted"
        rows.append((origin, word, count_of(count, "entry", "entries")))
    nothing = (
        "nothing was logged or imported here yet; entries in files that other tools wrote are "
        "trusted"
    )
    allowed = [f"scripts may call: lithify {one}" for one in sorted(memory.unattended())]
    return CommandOutput(data, [*(table(rows) or [nothing]), *allowed])


@click.command(epilog="Example: lithify export book memory.md")
@click.argument("form", type=click.Choice(["book", "jsonl", "auto-memory"]))
@click.argument("target", type=click.Path(path_type=Path))
@option("--overwrite", "Replace a file that is there.")
@on_memory
def export(memory: Memory, form: str, target: Path, overwrite: bool) -> CommandOutput | None:
    """Write the memory to TARGET in a form for people or other tools.

    `book` is one Markdown file; `jsonl` has every entry, claim, memory and rule, an object a
    line; `auto-memory` is a new folder as Claude Code keeps its memory. `-` as TARGET prints a
    book or JSON lines. What is not trusted is marked; the auto-memory folder leaves it out.
    """
    if form == "auto-memory":
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise UsageError(reason=f"{target} is there already; name a new or empty folder")
        files = memory.auto_memory()
        target.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (target / name).write_text(text, "utf-8", errors="replace", newline="\n")
        written, what = len(files), "file"
    else:
        lines = memory.export("book" if form == "book" else "jsonl")
        if str(target) == "-":
            for line in lines:
                click.echo(line)
            return None
        if target.exists() and not overwrite:
            raise UsageError(reason=f"{target} is there already; --overwrite replaces it")
        written, what = _write_lines(target, lines), "line"
    data = {"form": form, "target": target, "written": written}
    return CommandOutput(data, f"{target}: {count_of(written, what)}")


def _write_lines(target: Path, lines: Iterable[str]) -> int:
    """Write lines to a file that is replaced only when all of them are there."""
    aside = target.with_name(f"{target.name}.part")
    written = 0
    try:
        with aside.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
            for line in lines:
                file.write(f"{line}\n")
                written += 1
        aside.replace(target)
    except OSError as error:
        raise UsageError(reason=f"cannot write {target}: {error.strerror}") from error
    finally:
        aside.unlink(missing_ok=True)
    return written
