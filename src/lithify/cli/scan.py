"""The command `scan`: secrets in an existing root, listed or taken out."""

from __future__ import annotations

import sys

import click

from lithify.cli.common import confirm, count_of, leave, opened, say, say_json, standard, table
from lithify.cli.progress import Progress
from lithify.errors import UsageError
from lithify.memory import Memory
from lithify.secrets.scan import LeakedSecret
from lithify.store.names import dated


@click.command(epilog="Example: lithify scan --fix")
@click.option("--fix", is_flag=True, help="Put a mark in place of every secret, in all files.")
@click.option("--yes", is_flag=True, help="With --fix: do not ask first.")
@standard
def scan(fix: bool, yes: bool, root: str | None, as_json: bool) -> None:
    """List the secrets in days, pages and the program's own files, masked.

    With --fix each is replaced by its mark, [secret:KIND:8 hex digits]. This is one of the two
    commands that change a day. The ids of changed entries are remapped in pages, memories and
    wisdom, the index is rebuilt by the next recall, and the journal records it. The files
    as they were stay in .lithify/before-scan/, readable by their owner only and ignored by git:
    delete that folder once the secrets are rotated. Copies elsewhere (backups, the history of a
    repository) are not touched, and SOUL.md and IDENTITY.md are never written: edit them yourself.

    Exit code 3 if secrets were found and are still there, 0 if there are none or all were
    replaced, 2 if --fix is given without a terminal and without --yes.
    """
    memory = opened(root)
    found = _found(memory)
    if fix and found:
        if not yes and (as_json or not sys.stdin.isatty()):
            raise UsageError(reason="--fix asks at a terminal; elsewhere give --yes too")
        if not yes:
            _show(found)
            confirm(f"Replace {count_of(len(found), 'secret')} by marks?")
        with Progress() as progress:
            progress("replacing secrets")
            done = memory.remove_secrets()
        left = _found(memory)
        if as_json:
            say_json({"mended": done._asdict(), "found": [one._asdict() for one in left]})
        else:
            days = [path for path in done.files if dated(path)]
            others = len(done.files) - len(days)
            also = f" and {count_of(others, 'file')} made from them" if others else ""
            say(
                f"{count_of(done.secrets, 'secret')} replaced in {count_of(len(days), 'day')}{also}, "
                f"{count_of(done.ids, 'entry id')} remapped"
            )
            say(f"the files as they were: {done.copies}; rotate the secrets, then delete it")
            _show(left)
            if left:
                say("these stay: SOUL.md and IDENTITY.md are never written; edit them yourself")
        leave(3 if left else 0)
        return
    if as_json:
        say_json({"found": [one._asdict() for one in found]})
    else:
        _show(found)
        say(_summary(len(found)))
    leave(3 if found else 0)


def _found(memory: Memory) -> tuple[LeakedSecret, ...]:
    with Progress() as progress:
        progress("searching for secrets")
        return memory.scan()


def _show(found: tuple[LeakedSecret, ...]) -> None:
    table([(f"{one.path}:{one.line}", one.kind, one.masked) for one in found])


def _summary(number: int) -> str:
    if not number:
        return "no secrets found"
    return f"{count_of(number, 'secret')}; lithify scan --fix takes them out"
