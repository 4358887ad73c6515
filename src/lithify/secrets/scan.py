"""Secrets in an existing root: found, and with a person's word taken out of every file of it.

`scan_secrets` reads and changes nothing. `replace_secrets` replaces each secret by its mark in the days, in
what was written from them and in the program's own files, together with whatever cites them
(`secrets.rewrite`); the files as they were go to `.lithify/before-scan/`, for their owner only.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from lithify.errors import LithifyError
from lithify.secrets.named import Secret
from lithify.secrets.redact import findings, marked
from lithify.secrets.rewrite import PAGES, Erasure, parts_of, rewrite_root
from lithify.secrets.state import COPIES, save_scan
from lithify.settings import Folders, Redact
from lithify.store import disk, places
from lithify.store.check import Problem
from lithify.store.names import Role
from lithify.store.places import Root
from lithify.store.tree import Tree
from lithify.text.occurrences import Span, replaced

#: What is read of memory, in the order in which one rests on the other.
_ROLES: tuple[Role, ...] = ("day", *PAGES, "soul")

#: The most characters of a line that are shown on each side of a secret, and what is shown for it.
_AROUND, _MASK = 60, "•••"


class LeakedSecret(NamedTuple):
    """A secret in a file: where it stands, its kind, what may be shown of it, and of its line."""

    path: str
    line: int
    kind: str
    masked: str
    text: str = ""


class ReplacedSecrets(NamedTuple):
    """What was changed, how many secrets were replaced, and where the old files are."""

    files: tuple[str, ...]
    secrets: int
    ids: int
    copies: str


def scan_secrets(root: Root, tree: Tree, allow: tuple[str, ...]) -> tuple[LeakedSecret, ...]:
    """Find every secret in the days and pages of a root, and in the files of the program."""
    found: list[LeakedSecret] = []
    for path in (*_memory_paths(tree), *_state_paths(root)):
        text = _text(root, path)
        is_json = path.endswith((".json", ".jsonl"))
        for line, part in json_strings(path, text) if is_json else [(0, text)]:
            secrets = findings(part, allow)
            for one in secrets:
                number = line or text.count("\n", 0, one.start) + 1
                shown = _line_around(part, one, secrets)
                found.append(LeakedSecret(path, number, one.kind, _masked(part, one), shown))
    return tuple(found)


def secret_kinds(root: Root, path: str, allow: tuple[str, ...]) -> list[str]:
    """The kind of every secret in a file."""
    return [one.kind for one in findings(_text(root, path), allow)]


def secret_problems(
    root: Root, tree: Tree, time: str, kinds_in: Callable[[str], list[str]]
) -> Iterator[Problem]:
    """Note every day and page that holds secrets; what was found is kept for `status`.

    `kinds_in` has what `secret_kinds` finds in a file; of a file that is as it was it may know it.
    """
    held: dict[str, list[str]] = {}
    for path in _memory_paths(tree):
        if found := kinds_in(path):
            held[path] = sorted(set(found))
            number = "1 secret" if len(found) == 1 else f"{len(found)} secrets"
            message = f"holds {number} ({', '.join(held[path])}); lithify scan lists them"
            yield Problem("secret", path, 0, message, "note")
    save_scan(root, held, time)


def replace_secrets(
    root: Root, tree: Tree, policy: Redact, time: str, *, folders: Folders
) -> ReplacedSecrets:
    """Take every secret out of a root; nothing is written where there is none."""
    found = scan_secrets(root, tree, policy.allow)
    if not found:
        return ReplacedSecrets((), 0, 0, "")
    copies = f"{places.STATE}/{COPIES}/{re.sub('[^0-9TZ]', '', time)}"
    erasure = Erasure(partial(marked, allow=policy.allow, key=policy.key), rebuild=False)
    facts = {"secrets": len(found), "copies": copies}
    done = rewrite_root(root, erasure, "scan", facts, time, folders=folders, copies=copies)
    return ReplacedSecrets(tuple(sorted(done.files)), len(found), len(done.ids), copies)


def _memory_paths(tree: Tree) -> list[str]:
    return [file.path for role in _ROLES for file in tree.of(role)]


def _state_paths(root: Root) -> Iterator[str]:
    """The files of the program that hold text, except the copies of an earlier scan."""
    for name in ("history", "quarantine", "replies", "gate"):
        for folder, _, found in sorted(os.walk(places.state(root, name))):
            for file in sorted(found):
                yield places.relative(root, os.path.join(folder, file))
    if os.path.exists(places.journal(root)):
        yield places.JOURNAL


def json_strings(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Read the strings of a JSON document, or of each line of a log, each with its line.

    What is no JSON is one string as it stands.
    """
    parts = text.split("\n") if path.endswith(".jsonl") else [text]
    for number, part in enumerate(parts, start=1):
        try:
            held = [one for one in parts_of(json.loads(part)) if isinstance(one, str)]
        except (ValueError, RecursionError):
            held = [part]
        yield from ((number, one) for one in held)


def _line_around(text: str, one: Secret, secrets: Sequence[Secret]) -> str:
    """The words on both sides of a secret in its line, every secret of the line masked."""
    start = max(text.rfind("\n", 0, one.start) + 1, one.start - _AROUND)
    end = text.find("\n", one.end)
    end = min(len(text) if end < 0 else end, one.end + _AROUND)
    masks = (
        Span(max(other.start, start) - start, min(other.end, end) - start, _MASK)
        for other in secrets
        if other.end > start and other.start < end
    )
    return " ".join(replaced(text[start:end], masks).split())


def _masked(text: str, one: Secret) -> str:
    value = text[one.start : one.end]
    shown = value[:4] if len(value) >= 20 and value[:4].isprintable() else ""
    return f"{shown}… ({len(value)} characters)"


def _text(root: Root, path: str) -> str:
    try:
        return disk.read(places.resolve(root, path)).decode("utf-8", "surrogateescape")
    except LithifyError:
        return ""
