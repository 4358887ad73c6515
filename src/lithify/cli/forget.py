"""`lithify forget`: erase words, entries or a person, and prove that nothing is left."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from lithify.cli.common import (
    confirm,
    count_of,
    leave,
    one_line,
    opened,
    piped,
    say,
    say_json,
    spoken,
    standard,
)
from lithify.cli.progress import Progress
from lithify.errors import NeedsTerminal, UsageError

if TYPE_CHECKING:
    from lithify.memory import Forgotten, Memory
    from lithify.secrets.forget import Choice

_SHOWN = 40
OUT_OF_REACH = (
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
@click.option(
    "--yes", is_flag=True, help="Erase without asking; needed where there is no terminal."
)
@click.option("--dry-run", is_flag=True, help="Show what would be erased and change nothing.")
@standard
def forget(
    what: tuple[str, ...],
    patterns: tuple[str, ...],
    people: tuple[str, ...],
    verify: str | None,
    yes: bool,
    dry_run: bool,
    root: str | None,
    as_json: bool,
) -> None:
    """Erase an entry (by its id), a text, what matches a pattern, or a person from the whole root.

    Entries are taken out of the days with all that was made from them; a text becomes
    [forgotten] in days, pages, memories, wisdom, the gate's records, saved replies, history,
    quarantine, journal and index. Spellings that differ in case, accents, white space or split
    words are found too; encoded forms are not. `-` reads the text from standard input, so that it
    does not stay in a shell's history. This cannot be undone.
    """
    memory = opened(root)
    if verify is not None:
        _verify(memory, verify, as_json)
        return

    refs = [piped().strip() if one == "-" else one for one in what]
    if not (refs or patterns or people):
        raise UsageError(reason="say what to forget: an entry's id, a text, --pattern or --person")
    with Progress() as progress:
        progress("searching the days")
        choice = memory.choose_to_forget(refs, patterns=patterns, people=people)
    if not as_json:
        _show(choice)
    if dry_run:
        if as_json:
            say_json({"entries": [_entry_data(choice, entry) for entry in choice.entries]})
        return
    if not yes:
        if not (sys.stdin.isatty() and sys.stdout.isatty()) or as_json:
            raise NeedsTerminal(action="Forgetting without --yes")
        confirm("Erase this, and all that was made from it, for good?")
    with Progress() as progress:
        progress("erasing")
        done = memory.forget(choice)
    _tell(done, memory, as_json)


def _show(choice: Choice) -> None:
    for entry in choice.entries[:_SHOWN]:
        how = "whole entry" if entry.id in choice.gone else "words in it"
        say(f"{entry.path}:{entry.line}  {how}  {one_line(entry.text, 80)}")
    if len(choice.entries) > _SHOWN:
        more = count_of(len(choice.entries) - _SHOWN, "more entry", "more entries")
        say(f"and {more}")
    if not choice.entries:
        say("no entry of a day holds it; other files of the root are searched too")


def _entry_data(choice: Choice, entry: object) -> dict[str, object]:
    from lithify.values import Entry

    assert isinstance(entry, Entry)
    return {
        "id": entry.id,
        "path": entry.path,
        "line": entry.line,
        "whole": entry.id in choice.gone,
    }


def _tell(done: Forgotten, memory: Memory, as_json: bool) -> None:
    receipt = done.receipt
    if as_json:
        say_json(
            {
                "entries": done.entries,
                "files": dict(receipt.files),
                "ids": {new: "changed" for new in sorted(set(receipt.ids.values())) if new},
                "rebuilt": list(done.rebuilt),
                "due": list(done.due),
                "not_erased": OUT_OF_REACH,
            }
        )
        return
    if not receipt.files:
        say("nothing of it was found; nothing was changed")
        return
    for path, state in sorted(receipt.files.items()):
        say(f"{state}: {path}")
    for path in done.rebuilt:
        say(f"written again: {path}")
    for key in done.due:
        say(
            f"due: {key} (a model wrote it; what came from the erased text is out of the page already)"
        )
    if done.due:
        say("run lithify compact to have these pages written again")
    say(f"forgotten: {count_of(len(receipt.files), 'file')} touched. {OUT_OF_REACH}")


def _verify(memory: Memory, text: str, as_json: bool) -> None:
    from lithify.secrets.forget import remains

    if text == "-":
        text = piped().strip()
    if not text.strip():
        raise UsageError(reason="there is no text to search for")
    with Progress() as progress:
        progress("searching every file")
        found = remains(memory.root, text)
    if as_json:
        say_json({"found": [one._asdict() for one in found]})
    else:
        for one in found:
            say(f"still there: {one.path}:{one.line}" if one.line else f"still there: {one.path}")
        if not found:
            say("nothing of it is left in any file of the root (.git is not searched)")
    leave(3 if found else 0)
