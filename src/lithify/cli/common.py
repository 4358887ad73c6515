"""What the commands share: options, the root, JSON, tables and common messages."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lithify import config
from lithify.errors import UsageError
from lithify.limits import PIPED
from lithify.memory import Memory
from lithify.store.names import short_name
from lithify.values import Task

if TYPE_CHECKING:
    from lithify.store.days import Unmatched

F = TypeVar("F", bound=Callable[..., Any])

_NARROW = 24
_SURROGATE = re.compile("[\ud800-\udfff]")
#: Control characters (C0, C1), line separators, marks that reorder a line, and lone surrogates.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
#: Stands for the escape character in styled text; drawn anew so that no text can hold it.
_ESCAPE = f"\ue000{os.urandom(8).hex()}\ue000"

#: Where a context keeps whether `--quiet` was given.
QUIET = "lithify.quiet"
GONE = "is missing, with what was logged in it"
MISSING = (
    "days that pages were made from are missing: put them back, or accept that they are gone with "
    "lithify compact --accept-removed"
)
UNREAD = (
    "a file that cannot be read is left out of every page: save it as UTF-8 text, make it readable, "
    "or add its place to [days] patterns"
)


def lost_rows(lost: Iterable[str], missing: Iterable[Task]) -> list[tuple[str, ...]]:
    """Rows of a table for days that are gone with what was captured in them.

    Days that a missing period already names get no row of their own.
    """
    named = [task.why for task in missing]
    return [
        ("day", short_name(path), "missing", f"{path} {GONE}")
        for path in lost
        if not any(why.startswith(f"{path} ") for why in named)
    ]


def advice(missing: Iterable[Task], lost: Iterable[str], unread: Iterable[str]) -> list[str]:
    """What to do about days that are gone, and about files that cannot be read."""
    there = tuple(f"{path} " for path in unread)
    gone = [*lost, *(task for task in missing if not task.why.startswith(there))]
    return [*([MISSING] if gone else []), *([UNREAD] if there else [])]


def unmatched_lines(beside: Unmatched | None) -> list[str]:
    """The message about dated files that no pattern reads, with the line to add."""
    if not beside or not beside.total:
        return []
    line = f"to read them, write into {config.NAME} under [days]: {beside.line}"
    return [printable(f"not read: {beside}", one_line=True), line]


def unmatched_data(beside: Unmatched | None) -> dict[str, object] | None:
    """Dated files that no pattern reads, as JSON; `complete` is false if the search was cut short."""
    if not beside or not beside.total:
        return None
    return {
        "count": beside.total,
        "complete": beside.complete,
        "paths": list(beside.paths),
        "line": beside.line,
    }


def standard(command: F) -> F:
    """Add `--root`, `--json` and `--quiet`."""
    root = click.option(
        "--root",
        type=click.Path(file_okay=False),
        default=None,
        metavar="DIR",
        help="The memory root (else $LITHIFY_ROOT, else the nearest parent that is one).",
    )
    return root(json_option(quiet_option(command)))


def json_option(command: F) -> F:
    """Add `--json`."""
    words = "One JSON document on stdout."
    return click.option("--json", "as_json", is_flag=True, help=words)(command)


def quiet_option(command: F) -> F:
    """Add `--quiet`, which `Progress` looks at."""
    return click.option(
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=_be_quiet,
        help="No progress on stderr.",
    )(command)


def _be_quiet(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.find_root().meta[QUIET] = True


def opened(root: str | None) -> Memory:
    """Open the memory that a command works on."""
    return Memory.open(root)


def spoken(value: str) -> str:
    """Decode an argument of free text as UTF-8, whatever the locale is."""
    # Bytes that the locale does not know come as lone surrogates.
    return _utf8(os.fsencode(value)) if _SURROGATE.search(value) else value


def piped() -> str:
    """Read standard input, which must be text."""
    data = sys.stdin.buffer.read(PIPED + 1)
    if len(data) > PIPED:
        raise UsageError(
            reason=f"standard input is larger than {PIPED >> 20} MiB; nothing was written"
        )
    if b"\0" in data:
        raise UsageError(
            reason="standard input is not text (it has NUL bytes); nothing was written"
        )
    return _utf8(data.removeprefix(b"\xef\xbb\xbf")).replace("\r\n", "\n")


def _utf8(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            reason=f"the text is not UTF-8 (byte {error.start + 1}); nothing of it was taken"
        ) from None


def printable(text: str, *, one_line: bool = False) -> str:
    """Text with control characters, marks that reorder a line and broken bytes written as escapes.

    File names and entries are other people's text: a terminal must not obey what they hold. With
    `one_line` line ends are escaped as well, because a file's name could forge a line of output.
    """
    shown = _CONTROL.sub(_escape, text.replace("\r\n", "\n"))
    return shown.replace("\n", "\\n") if one_line else shown


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def say(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print text; of control sequences only those that `styled` made reach the terminal."""
    click.echo(printable(text).replace(_ESCAPE, "\x1b"), nl=nl, err=err)


def styled(text: str, **style: Any) -> str:
    """Text in a colour or weight, to be printed by `say`."""
    return click.style(printable(text), **style).replace("\x1b", _ESCAPE)


def say_wrapped(text: str, **style: Any) -> None:
    """Print a message, folded to the width of a terminal."""
    for line in folded(printable(text), ""):
        say(styled(line, **style) if style else line)


def say_json(value: object, indent: int | None = 2) -> None:
    """Print one JSON document, without an indent on one line."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    click.echo(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def table(rows: Sequence[Sequence[str]], *, styles: Sequence[str | None] = ()) -> None:
    """Print rows in aligned columns; the last column is folded to the width of a terminal."""
    if not rows:
        return
    rows = [[printable(cell, one_line=True) for cell in row] for row in rows]
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]) - 1)]
    for number, row in enumerate(rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lead = "".join(f"{cell}  " for cell in cells)
        # With too little room beside the columns, the text continues below them.
        hang = len(lead) if columns() - len(lead) >= _NARROW else 4
        style = styles[number] if styles else None
        for line in folded(f"{lead}{row[-1]}".rstrip(), " " * hang):
            say(styled(line, fg=style) if style else line)


def columns() -> int:
    """The width of the terminal; unlimited where output goes to a file or pipe."""
    if not sys.stdout.isatty():
        return sys.maxsize
    import shutil

    return shutil.get_terminal_size().columns


def folded(line: str, hang: str, taken: int = 0, most: int = sys.maxsize) -> list[str]:
    """Break a line between words into pieces that fit the terminal and `most` columns.

    `taken` columns in front of every piece are already used.
    """
    width = min(columns(), most) - taken
    if len(line) <= width:
        return [line]
    import textwrap

    return textwrap.wrap(
        line,
        max(width, _NARROW),
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    )


def confirm(question: str) -> None:
    """Ask before something is changed; an answer of no ends the command with exit code 1."""
    if not click.confirm(question):
        say("nothing was changed")
        leave(1)


def leave(code: int) -> None:
    """End the command with this exit code."""
    if code:
        sys.exit(code)


def end_by_signal() -> None:
    """Let signals end a server as they should: locks are given back, and nothing was interrupted.

    The exit code is 0 after SIGTERM and 130 after Ctrl-C.
    """
    import signal

    def stop(*_: object) -> None:
        raise KeyboardInterrupt("stopped")

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, stop)


def count_of(number: int, one: str, more: str = "") -> str:
    """A number with its noun: `1 entry`, `2 entries`."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def damage_in_words(damage: str) -> str:
    """The message about a damaged journal, with the command that repairs it."""
    return f"the journal is damaged ({damage}): lithify check --repair repairs what it can"


def task_data(task: Task) -> dict[str, object]:
    """A task as JSON shows it."""
    return {
        "tier": task.tier,
        "period": task.period,
        "state": task.state,
        "why": task.why,
        "tokens": task.tokens,
        "sources": dict(task.sources),
    }


def distinct(tasks: Iterable[Task]) -> list[Task]:
    """Tasks without the memories of a week that stands as they do: both are written together."""
    found = list(tasks)
    weeks = {(task.period, task.state, task.why) for task in found if task.tier == "week"}
    return [t for t in found if t.tier != "typed" or (t.period, t.state, t.why) not in weeks]


def in_words(name: str) -> str:
    """A tier, state or status of --json as people read it."""
    return {"foreign": "external", "adopted": "external", "typed": "memories"}.get(name, name)


def one_line(text: str, width: int = 100) -> str:
    """Text cut to a line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"
