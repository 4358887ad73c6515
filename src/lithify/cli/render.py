"""Turn what a command returns into text, JSON and an exit code, and add the options of every command.

A command is a function that takes values and returns an `CommandOutput`. `on_memory`, `on_root` and
`answering` make a command of it that prints the answer: one JSON document with `--json`, else
lines of text. What goes to stderr (notes, progress) and what asks a person is said at once.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import wraps
from threading import Event, Lock, Thread
from typing import Any, NamedTuple, TextIO

import click

from lithify.calendar import parse_day
from lithify.errors import LithifyError, NeedsTerminal, UsageError
from lithify.limits import PIPED
from lithify.memory import Memory
from lithify.regex import regex

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]

_NARROW = 24
_SURROGATE = regex("[\ud800-\udfff]")
#: Control characters (C0, C1), line separators, marks that reorder a line, and lone surrogates.
_CONTROL = regex("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
#: Stands for the escape character in styled text; drawn anew so that no text can hold it.
_ESCAPE = f"\ue000{os.urandom(8).hex()}\ue000"

#: The colours of words that say how something stands.
COLOURS = {
    **dict.fromkeys(("closed gate", "budget", "error", "failed", "fails", "missing"), "red"),
    **dict.fromkeys(("due", "held", "stale", "waiting", "warn"), "yellow"),
    **dict.fromkeys(("ok", "works", "yes"), "green"),
}

#: Seconds before each line in a pipe, and between changes of a live line.
EVERY, LIVE = 5.0, 0.1
_BAR = 24


class CommandOutput(NamedTuple):
    """What a command has found: `data` is for --json, `lines` are for people.

    `data` is any value that `plain` understands. Lines may come from a generator: nothing of it
    runs where JSON is asked for.
    """

    data: object
    lines: Iterable[str] = ()
    exit_code: int = 0


def render(answer: CommandOutput | None, as_json: bool) -> None:
    """Print an answer and leave with its exit code; None is of a command that said all itself."""
    if answer is None:
        return
    if as_json:
        say_json(answer.data)
    else:
        for line in (answer.lines,) if isinstance(answer.lines, str) else answer.lines:
            say(line)
    if answer.exit_code:
        sys.exit(answer.exit_code)


def plain(value: Any) -> Any:
    """Make a value one that JSON has: fields become keys, tuples lists, dates and paths text."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "_asdict"):
        value = value._asdict()
    elif hasattr(value, "__dataclass_fields__"):
        value = {name: getattr(value, name) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return [plain(inner) for inner in value]


def picked(value: object, names: str, **renamed: str) -> dict[str, Any]:
    """Choose fields of a value for JSON: those named, and others under another name."""
    chosen = {name: name for name in names.split()} | renamed
    return {key: getattr(value, name) for key, name in chosen.items()}


def reasons(refused: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """Give paths with their reasons the keys that JSON shows them under."""
    return [{"path": path, "reason": reason} for path, reason in refused]


def not_read(refused: Iterable[tuple[str, str]]) -> list[str]:
    """Name files that could not be read, with their reasons."""
    return [printable(f"not read: {path}: {reason}", one_line=True) for path, reason in refused]


# Options


def on_memory(command: Command) -> Command:
    """Add `--root`, `--json` and `--quiet`; call a command with its memory and print the answer."""

    return on_opened(Memory.open)(command)


def on_opened(opened: Callable[[str | None], object]) -> Decorator:
    """Do the same for a command that is called with something else of the root."""

    def decorating(command: Command) -> Command:
        @wraps(command)
        def opening(root: str | None, **given: Any) -> Any:
            return command(opened(root), **given)

        return on_root(opening)

    return decorating


def on_root(command: Command) -> Command:
    """Do the same for a command that finds its root itself, if it needs one."""
    words = "The memory root (else $LITHIFY_ROOT, else the nearest parent that is one)."
    root = option("--root DIR", words, type=click.Path(file_okay=False))
    return root(answering(command))


def answering(command: Command) -> Command:
    """Add `--json` and `--quiet`, and print what a command answers."""

    @wraps(command)
    def rendering(as_json: bool, quiet: bool, **given: Any) -> None:
        # `Progress` looks at `quiet` itself.
        render(command(**given), as_json)

    return options(
        option("--json", "One JSON document on stdout.", name="as_json"),
        option("--quiet", "No progress on stderr."),
    )(rendering)


def option(form: str, help: str | None = None, name: str = "", **more: Any) -> Decorator:
    """Add an option written as `--help` shows it: `--all`, `--max-cost USD`, `--with [cron|systemd]`.

    Without a value it is a flag. A placeholder of `_VALUES` says what its value is.
    """
    spelled, _, value = form.partition(" ")
    if value.startswith("["):
        more["type"] = click.Choice(value[1:-1].split("|"))
    elif value:
        more = {"metavar": value, "type": _VALUES.get(value), **more}
    elif not more.keys() & {"type", "metavar"}:
        more["is_flag"] = True
    names = (*spelled.split("/"), name) if name else (spelled,)
    more = {"show_default": bool(more.get("default")), **more}
    made: Decorator = click.option(*names, help=help, **more)
    return made


def options(*several: Decorator) -> Decorator:
    """Make one decorator of several options, in the order of `--help`."""

    def adding(command: Command) -> Command:
        for one in reversed(several):
            command = one(command)
        return command

    return adding


def wants_json() -> bool:
    """Whether the command that runs was called with `--json`: it cannot ask anything then."""
    return bool(click.get_current_context().params.get("as_json"))


def at_terminal() -> bool:
    """Whether a person is there: standard input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def person_reads() -> bool:
    """Whether a person reads the output, also through a pager: an agent's pipe has no terminal beside it."""
    return sys.stdout.isatty() or (sys.stdin.isatty() and sys.stderr.isatty())


def person_calls() -> bool:
    """Whether a person calls the command that runs, or allowed scripts to (`trust --unattended`)."""
    if at_terminal():
        return True
    context = click.get_current_context()
    try:
        allowed = Memory.open(context.params.get("root")).unattended()
    except LithifyError:
        return False
    return context.command_path.partition(" ")[2] in allowed


def need_terminal(action: str) -> None:
    """Refuse a program what only a person may do."""
    if not person_calls():
        raise NeedsTerminal(action=action)


# Input


def spoken(value: str) -> str:
    """Decode an argument of free text as UTF-8, whatever the locale is."""
    # Bytes that the locale does not know come as lone surrogates.
    return _utf8(os.fsencode(value)) if _SURROGATE.search(value) else value


def _day(value: str) -> date:
    if day := parse_day(value):
        return day
    raise click.BadParameter(f"{value!r} is not a day like 2026-04-02")


#: What the placeholder of an option's value stands for; any other is a text as the shell gives it.
_VALUES: dict[str, Any] = {
    "DATE": _day,
    "GLOB": spoken,
    "NAME": spoken,
    "TEXT": spoken,
    "USD": click.FloatRange(0),
}


def given_words(text: tuple[str, ...]) -> str:
    """Join the words of a call; `-` alone reads standard input."""
    return piped() if text == ("-",) else " ".join(text)


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


# Output


def printable(text: str, *, one_line: bool = False) -> str:
    """Write control characters, marks that reorder a line and broken bytes as escapes.

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


def say(text: str = "", *, err: bool = False) -> None:
    """Print text; of control sequences only those that `styled` made reach the terminal."""
    click.echo(printable(text).replace(_ESCAPE, "\x1b"), err=err)


def styled(text: str, **style: Any) -> str:
    """Give text a colour or weight, to be printed by `say`."""
    if style == {"fg": None} or os.environ.get("NO_COLOR"):
        return text
    return click.style(printable(text), **style).replace("\x1b", _ESCAPE)


def say_json(value: object, indent: int | None = 2) -> None:
    """Print one JSON document, without an indent on one line."""
    text = json.dumps(plain(value), ensure_ascii=False, indent=indent)
    click.echo(_CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def table(rows: Sequence[Sequence[str]], state: int | None = None) -> list[str]:
    """Align rows in columns; the last column is folded to the width of a terminal.

    A row has the colour of the word in its column `state`.
    """
    rows = [[printable(cell, one_line=True) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    lines = []
    for row in rows:
        lead = "".join(f"{cell.ljust(width)}  " for cell, width in zip(row, widths, strict=False))
        # With too little room beside the columns, the text continues below them.
        hang = len(lead) if columns() - len(lead) >= _NARROW else 4
        colour = None if state is None else COLOURS.get(row[state])
        folds = folded(f"{lead}{row[-1]}".rstrip(), " " * hang)
        lines += [styled(line, fg=colour) for line in folds]
    return lines


def wrapped(text: str, colour: str | None = None) -> list[str]:
    """Fold a message to the width of a terminal."""
    return [styled(line, fg=colour) for line in folded(printable(text), "")]


def columns() -> int:
    """Return the width of the terminal; unlimited where output goes to a file or pipe."""
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
        sys.exit(1)


def end_by_signal() -> None:
    """Let signals end a server as they should: locks are given back, and nothing was interrupted.

    The exit code is 0 after SIGTERM and 130 after Ctrl-C.
    """
    import signal

    def stop(*_: object) -> None:
        raise KeyboardInterrupt("stopped")

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, stop)


# Progress on stderr


class Progress:
    """Says what a command is doing and how far it is; nothing where it ends at once.

    Begins with `doing` at once. A thread repeats the last words while the work gives no news, so that a long step is seen too.
    """

    def __init__(
        self,
        doing: str = "",
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream, self._clock = stream or sys.stderr, clock
        context = click.get_current_context(silent=True)
        self._quiet = bool(context and context.params.get("quiet"))
        self._live = self._stream.isatty()
        self._pause = LIVE if self._live else EVERY
        self._text, self._shown = doing, False
        self._indexed = ""
        self._start = self._next = 0.0
        self._ended, self._lock = Event(), Lock()
        self._thread: Thread | None = None

    def __enter__(self) -> Progress:
        if self._text:
            self(self._text)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, *where: object) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join()
        if self._shown and self._live:
            self._write("\r\x1b[K")
        if self._indexed and kind is KeyboardInterrupt:
            said = f"interrupted at {self._indexed} of the index; the next run goes on from about there"
            raise KeyboardInterrupt(said) from None

    def __call__(self, doing: str, done: int = 0, total: int = 0) -> None:
        """Say what is being done, and how many of how many."""
        if self._quiet:
            return
        counted = f": {done:,} of {total:,}" if total else ""
        filled = _BAR * done // total if total else 0
        bar = f"{'█' * filled}{'░' * (_BAR - filled)} " if total and self._live else ""
        self._text = f"{bar}{printable(doing, one_line=True)}{counted}"
        if self._thread is None:
            self._start = self._clock()
            self._next = self._start + self._pause
            self._thread = Thread(target=self._repeat, daemon=True)
            self._thread.start()
        self.show()

    def files(self, done: int, total: int) -> None:
        """Progress of the search index."""
        self._indexed = f"{done:,} of {count_of(total, 'file')}"
        self("indexing files", done, total)

    def show(self) -> None:
        """Write the last words if it is time to."""
        with self._lock:
            now = self._clock()
            if now < self._next or self._ended.is_set():
                return
            self._next = now + self._pause
            passed = f" ({now - self._start:.0f} s)" if now - self._start >= EVERY else ""
            line = f"{self._text}{passed}"
            if self._live:
                import shutil

                # A line that wraps could not be overwritten.
                line = line[: shutil.get_terminal_size().columns - 1]
            self._write(f"\r\x1b[K{line}" if self._live else f"lithify: {line}\n")
            self._shown = True

    def _repeat(self) -> None:
        while not self._ended.wait(0.5):
            self.show()

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # nobody reads it any more
            self._quiet = True


# Words


def count_of(number: int, one: str, more: str = "") -> str:
    """Write a number with its noun: `1 entry`, `2 entries`."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def in_words(name: str) -> str:
    """Write a tier, state or status of --json as people read it."""
    return {"foreign": "external", "adopted": "external", "typed": "memories"}.get(name, name)


def one_line(text: str, width: int = 100) -> str:
    """Cut text to a line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"


def place(path: str, line: int) -> str:
    """Write where something stands; 0 is a file as a whole."""
    return f"{path}:{line}" if line else path
