"""Commands that take words out of a root: `forget` erases, `scan` finds and masks secrets."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from lithify.cli.progress import Progress
from lithify.cli.render import (
    Answer,
    at_terminal,
    confirm,
    count_of,
    flag,
    on_memory,
    one_line,
    piped,
    place,
    say,
    spoken,
    table,
    wants_json,
)
from lithify.errors import NeedsTerminal, UsageError
from lithify.store.names import dated

if TYPE_CHECKING:
    from lithify.memory import Forgotten, Memory
    from lithify.secrets.forget import Choice
    from lithify.secrets.scan import LeakedSecret

_SHOWN = 40
_OUT_OF_REACH = (
    "Not erased: copies and backups elsewhere, the history of a repository that holds the root, "
    "and what a disk keeps in free blocks."
)


@click.command(epilog="Example: lithify forget --person 'Ann Lee'")
@click.argument("what", nargs=-1, type=spoken, metavar="[ID|TEXT]...")
@click.option(
    "--pattern",
    "patterns",
    multiple=True,
    type=spoken,
    metavar="GLOB",
    help="Words that match, one glob a word (* and ?); no regular expressions.",
)
@click.option(
    "--person",
    "people",
    multiple=True,
    type=spoken,
    metavar="NAME",
    help="Every entry that names this person, as a whole.",
)
@click.option(
    "--verify", type=spoken, metavar="TEXT", help="Only search: exit 3 if TEXT is anywhere left."
)
@flag("--yes", help="Erase without asking; needed where there is no terminal.")
@flag("--dry-run", help="Show what would be erased and change nothing.")
@on_memory
def forget(
    memory: Memory,
    what: tuple[str, ...],
    patterns: tuple[str, ...],
    people: tuple[str, ...],
    verify: str | None,
    yes: bool,
    dry_run: bool,
) -> Answer:
    """Erase an entry (by its id), a text, what matches a pattern, or a person from the whole root.

    Entries are taken out of the days with all that was made from them; a text becomes
    [forgotten] in days, pages, memories, wisdom, the gate's records, saved replies, history,
    quarantine, journal and index. Spellings that differ in case, accents, white space or split
    words are found too; encoded forms are not. `-` reads the text from standard input, so that it
    does not stay in a shell's history. This cannot be undone.
    """
    if verify is not None:
        return _remains(memory, piped().strip() if verify == "-" else verify)
    refs = [piped().strip() if one == "-" else one for one in what]
    if not (refs or patterns or people):
        raise UsageError(reason="say what to forget: an entry's id, a text, --pattern or --person")
    with Progress("searching the days"):
        choice = memory.choose_to_forget(refs, patterns=patterns, people=people)
    if dry_run:
        return Answer({"entries": _choice_data(choice)}, _choice_lines(choice))
    if not wants_json():
        for line in _choice_lines(choice):
            say(line)
    if not yes:
        if wants_json() or not at_terminal():
            raise NeedsTerminal(action="Forgetting without --yes")
        confirm("Erase this, and all that was made from it, for good?")
    with Progress("erasing"):
        done = memory.forget(choice)
    receipt = done.receipt
    data = {
        "entries": done.entries,
        "files": receipt.files,
        "ids": {new: "changed" for new in sorted(set(receipt.ids.values())) if new},
        "rebuilt": done.rebuilt,
        "due": done.due,
        "not_erased": _OUT_OF_REACH,
    }
    return Answer(data, _forgotten_lines(done))


def _choice_data(choice: Choice) -> list[dict[str, object]]:
    return [
        {"id": one.id, "path": one.path, "line": one.line, "whole": one.id in choice.gone}
        for one in choice.entries
    ]


def _choice_lines(choice: Choice) -> Iterator[str]:
    for entry in choice.entries[:_SHOWN]:
        how = "whole entry" if entry.id in choice.gone else "words in it"
        yield f"{entry.path}:{entry.line}  {how}  {one_line(entry.text, 80)}"
    if len(choice.entries) > _SHOWN:
        yield f"and {count_of(len(choice.entries) - _SHOWN, 'more entry', 'more entries')}"
    if not choice.entries:
        yield "no entry of a day holds it; other files of the root are searched too"


def _forgotten_lines(done: Forgotten) -> Iterator[str]:
    files = done.receipt.files
    if not files:
        yield "nothing of it was found; nothing was changed"
        return
    for path, state in sorted(files.items()):
        yield f"{state}: {path}"
    for path in done.rebuilt:
        yield f"written again: {path}"
    for key in done.due:
        yield (
            f"due: {key} (a model wrote it; what came from the erased text is out of the page "
            "already)"
        )
    if done.due:
        yield "run lithify compact to have these pages written again"
    yield f"forgotten: {count_of(len(files), 'file')} touched. {_OUT_OF_REACH}"


def _remains(memory: Memory, text: str) -> Answer:
    if not text.strip():
        raise UsageError(reason="there is no text to search for")
    with Progress("searching every file"):
        found = memory.remains(text)
    lines = [f"still there: {place(one.path, one.line)}" for one in found]
    nothing = "nothing of it is left in any file of the root (.git is not searched)"
    return Answer({"found": found}, lines or nothing, 3 if found else 0)


@click.command(epilog="Example: lithify scan --fix")
@flag("--fix", help="Put a mark in place of every secret, in all files.")
@flag("--yes", help="With --fix: do not ask first.")
@on_memory
def scan(memory: Memory, fix: bool, yes: bool) -> Answer:
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
    found = _secrets(memory)
    if not (fix and found):
        summary = f"{count_of(len(found), 'secret')}; lithify scan --fix takes them out"
        lines = [*_secret_lines(found), summary if found else "no secrets found"]
        return Answer({"found": found}, lines, 3 if found else 0)
    if not yes:
        if wants_json() or not sys.stdin.isatty():
            raise UsageError(reason="--fix asks at a terminal; elsewhere give --yes too")
        for line in _secret_lines(found):
            say(line)
        confirm(f"Replace {count_of(len(found), 'secret')} by marks?")
    with Progress("replacing secrets"):
        done = memory.remove_secrets()
    left = _secrets(memory)
    days = sum(dated(path) is not None for path in done.files)
    others = len(done.files) - days
    also = f" and {count_of(others, 'file')} made from them" if others else ""
    lines = [
        f"{count_of(done.secrets, 'secret')} replaced in {count_of(days, 'day')}{also}, "
        f"{count_of(done.ids, 'entry id')} remapped",
        f"the files as they were: {done.copies}; rotate the secrets, then delete it",
        *_secret_lines(left),
    ]
    if left:
        lines.append("these stay: SOUL.md and IDENTITY.md are never written; edit them yourself")
    return Answer({"mended": done, "found": left}, lines, 3 if left else 0)


def _secrets(memory: Memory) -> tuple[LeakedSecret, ...]:
    with Progress("searching for secrets"):
        return memory.scan()


def _secret_lines(found: Sequence[LeakedSecret]) -> list[str]:
    return table([(f"{one.path}:{one.line}", one.kind, one.masked) for one in found])
