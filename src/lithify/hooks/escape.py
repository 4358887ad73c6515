"""Recognises the one shell command that a closed gate admits.

    FORM <<'WORD'
    any text
    WORD

FORM is one of a few exact strings. The word is quoted, so the shell expands nothing in the text,
and nothing follows the closing word. The scan reads raw bytes and knows no other shell grammar:
anything else is not admitted.
"""

from __future__ import annotations

from collections.abc import Iterable

_WORD = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")
_LONGEST = 32
#: Control bytes other than tab and newline, which may have a meaning in some shell.
_CONTROL = frozenset(range(32)) - {9, 10} | {127}


def admits(command: object, forms: Iterable[str]) -> bool:
    """Whether a shell command is one of these forms with a quoted here-document, and nothing else."""
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
    # Newlines after the last line have no effect.
    lines = rest.rstrip(b"\n").split(b"\n")
    # Some shells accept white space around the closing word, so no other line may look like it.
    closing = [number for number, line in enumerate(lines) if line.strip() == word]
    return closing == [len(lines) - 1] and lines[-1] == word


def _quoted(piece: bytes) -> bytes:
    """The word inside quotes that enclose the whole piece; empty where it is no plain word."""
    if len(piece) < 3 or piece[0] not in b"'\"" or piece[-1] != piece[0]:
        return b""
    word = piece[1:-1]
    if len(word) > _LONGEST or word[0] in b"0123456789" or not _WORD.issuperset(word):
        return b""
    return word
