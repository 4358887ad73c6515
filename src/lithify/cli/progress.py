"""Progress of a long command on stderr: one live line on a terminal, a line now and then in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import TextIO

import click

from lithify.cli.render import QUIET, printable

#: Seconds before each line in a pipe, and between changes of a live line.
EVERY, LIVE = 5.0, 0.1
_WIDTH = 24


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
        self._quiet = bool(context and context.find_root().meta.get(QUIET))
        self._live = self._stream.isatty()
        self._pause = LIVE if self._live else EVERY
        self._text, self._shown = doing, False
        self._start = self._next = 0.0
        self._ended, self._lock = Event(), Lock()
        self._thread: Thread | None = None

    def __enter__(self) -> Progress:
        if self._text:
            self(self._text)
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join()
        if self._shown and self._live:
            self._write("\r\x1b[K")

    def __call__(self, doing: str, done: int = 0, total: int = 0) -> None:
        """Say what is being done, and how many of how many."""
        if self._quiet:
            return
        counted = f": {done:,} of {total:,}" if total else ""
        filled = _WIDTH * done // total if total else 0
        bar = f"{'█' * filled}{'░' * (_WIDTH - filled)} " if total and self._live else ""
        self._text = f"{bar}{printable(doing, one_line=True)}{counted}"
        if self._thread is None:
            self._start = self._clock()
            self._next = self._start + self._pause
            self._thread = Thread(target=self._repeat, daemon=True)
            self._thread.start()
        self.show()

    def files(self, done: int, total: int) -> None:
        """Progress of the search index."""
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
            self._write(f"\r\x1b[K{_fitted(line)}" if self._live else f"lithify: {line}\n")
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


def _fitted(line: str) -> str:
    """The line cut to the terminal: one that wraps could not be overwritten."""
    import shutil

    return line[: shutil.get_terminal_size().columns - 1]
