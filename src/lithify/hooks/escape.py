"""The one command a closed gate admits, told apart from everything that only looks like it.

    FORM <<'WORD'
    any text
    WORD

FORM is one of a few exact strings, the word is quoted so that the shell expands nothing in
the text, and after the closing word there is nothing. The scan is over the raw bytes and
knows no shell grammar beyond this: what it does not know is not admitted.
"""

from __future__ import annotations

from collections.abc import Iterable

_WORD = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_LONGEST = 32
#: A tab and a newline are text; every other control byte can mean something to some shell.
_CONTROL = frozenset(range(32)) - {9, 10} | {127}


def admits(command: object, forms: Iterable[str]) -> bool:
    """Whether a shell command is one of these forms with a quoted here-document, and no more."""
    if not isinstance(command, str):
        return False
    try:
        raw = command.encode("utf-8")
    except UnicodeEncodeError:
        return False
    if not _CONTROL.isdisjoint(raw):
        return False
    return any(_is_form(raw, form.encode("utf-8", "surrogateescape")) for form in forms)


def _is_form(raw: bytes, form: bytes) -> bool:
    if not form or not raw.startswith(form + b" <<"):
        return False
    first, newline, rest = raw[len(form) + 3 :].partition(b"\n")
    if not newline:
        return False
    word = _quoted(first.removeprefix(b" "))
    if not word:
        return False
    # Newlines behind the last line end no command and begin none.
    lines = rest.rstrip(b"\n").split(b"\n")
    # Some shells forgive white space around the closing word: to all of them it must be one line.
    closing = [number for number, line in enumerate(lines) if line.strip() == word]
    return closing == [len(lines) - 1] and lines[-1] == word


def _quoted(piece: bytes) -> bytes:
    """The word between a pair of quotes that make up the whole piece."""
    if len(piece) < 3 or piece[0] not in b"'\"" or piece[-1] != piece[0]:
        return b""
    word = piece[1:-1]
    if len(word) > _LONGEST or word[0] in b"0123456789" or not _WORD.issuperset(word):
        return b""
    return word
