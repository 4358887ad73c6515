"""The commands `import` and `export`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lithify.cli.common import (
    count_of,
    leave,
    one_line,
    opened,
    say,
    say_json,
    standard,
    table,
)
from lithify.cli.days import day_option
from lithify.cli.progress import Progress
from lithify.errors import UsageError

if TYPE_CHECKING:
    from lithify.importers.run import Imported


@click.command("import", epilog="Example: lithify import claude-code ~/.claude/projects --dry-run")
@click.argument("source", required=False, metavar="[SOURCE]")
@click.argument("path", required=False, type=click.Path(path_type=Path), metavar="[PATH]")
@click.option("--dry-run", is_flag=True, help="Only say what would come in.")
@click.option("--since", callback=day_option, metavar="DATE", help="Leave out what is older.")
@standard
def import_(
    source: str | None,
    path: Path | None,
    dry_run: bool,
    since: date | None,
    root: str | None,
    as_json: bool,
) -> None:
    """Bring in what another tool has kept: each item once, under its own day and time.

    Without arguments it lists the sources. SOURCE `auto` finds out which one a path belongs to.
    Credentials are replaced, long texts are cut to their first sentences, and what tools printed is
    left out. Entries have the origin import:SOURCE and are not trusted until lithify trust says so.
    A second run adds only what is new; one that was interrupted goes on where it ended.

    Exit code 1 if nothing of the path could be read, 5 if another run holds the root.
    """
    from lithify.importers.run import import_from
    from lithify.importers.sources import source_named, source_of

    if source is None:
        _list_sources(as_json)
        return
    if path is None:
        known = source_named(source).where if source != "auto" else "any file or folder"
        raise UsageError(reason=f"name the path to import from ({known})")
    path = path.expanduser()
    found = source_of(path) if source == "auto" else source_named(source)
    with Progress() as progress:

        def tell(doing: str, number: int) -> None:
            progress(f"{one_line(doing, 50)}: {count_of(number, 'entry', 'entries')}")

        done = import_from(opened(root), found, path, since=since, dry_run=dry_run, progress=tell)
    if as_json:
        said = {**done._asdict(), "first": _day(done.first), "last": _day(done.last)}
        say_json({**said, "left_out": dict(done.left_out), "dry_run": dry_run})
    else:
        _say(done, dry_run)
    leave(1 if done.errors and not done.entries + done.known else 0)


def _day(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _list_sources(as_json: bool) -> None:
    from lithify.importers.sources import all_sources

    sources = [(one.name, one.title, one.where) for one in all_sources()]
    if as_json:
        names = ("source", "title", "where")
        say_json([dict(zip(names, row, strict=True)) for row in sources])
        return
    table(sources)
    say("\nlithify import SOURCE PATH brings one in; auto finds out which it is")


def _say(done: Imported, dry_run: bool) -> None:
    verb = "would come in" if dry_run else "came in"
    entries = count_of(done.entries, "entry", "entries")
    span = f", {done.first} to {done.last}" if done.first else ""
    say(f"{entries} {verb} on {count_of(done.days, 'day')}{span}")
    rows = [("already there", f"{done.known:,}")] if done.known else []
    rows += [("cut to their first sentences", f"{done.shortened:,}")] if done.shortened else []
    rows += [("secrets replaced", f"{done.redactions:,}")] if done.redactions else []
    rows += [(f"left out: {what}", f"{count:,}") for what, count in done.left_out]
    rows += [("could not be read", f"{done.errors:,}")] if done.errors else []
    table([(f"  {what}", count) for what, count in rows])
    for example in done.examples:
        say(f"    {one_line(example)}")
    if done.entries and not dry_run:
        say(f"They are not trusted yet: read them, then run lithify trust import:{done.source}")


@click.command(epilog="Example: lithify export book memory.md")
@click.argument("form", type=click.Choice(["book", "jsonl", "auto-memory"]))
@click.argument("target", type=click.Path(path_type=Path))
@click.option("--overwrite", is_flag=True, help="Replace a file that is there.")
@standard
def export(form: str, target: Path, overwrite: bool, root: str | None, as_json: bool) -> None:
    """Write the memory to TARGET in a form for people or other tools.

    `book` is one Markdown file: wisdom, memories, months, weeks and days, with contents. `jsonl` has
    every entry, claim, memory and rule of wisdom with ids, origins and sources, an object a line.
    `auto-memory` is a new folder as Claude Code keeps its memory: MEMORY.md and a file a memory.
    `-` as TARGET prints a book or JSON lines.

    Credentials are replaced. What is not trusted is marked; the auto-memory folder leaves it out.
    """
    from lithify.export import auto_memory, book, json_lines

    snapshot = opened(root).snapshot()
    if form == "auto-memory":
        if target.exists() and (not target.is_dir() or any(target.iterdir())):
            raise UsageError(reason=f"{target} is there already; name a new or empty folder")
        files = auto_memory(snapshot)
        target.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (target / name).write_text(text, "utf-8", errors="replace", newline="\n")
        written = len(files)
    else:
        lines = (book if form == "book" else json_lines)(snapshot)
        if str(target) == "-":
            for line in lines:
                click.echo(line)
            return
        if target.exists() and not overwrite:
            raise UsageError(reason=f"{target} is there already; --overwrite replaces it")
        written = _write_lines(target, lines)
    if as_json:
        say_json({"form": form, "target": str(target), "written": written})
    else:
        what = count_of(written, "file" if form == "auto-memory" else "line")
        say(f"{target}: {what}")


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
