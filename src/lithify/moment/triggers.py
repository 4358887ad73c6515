"""Reads triggers and tells which tool calls they name: `path:infra/*`, `tool:*mail*`, `git push`.

A trigger is the glob of a file, the glob of a tool, or words of a command. Words stand in a row at the
start of a command or directly after `&&`, `||`, `;`, `|`, `(` or a line's end. No other grammar of a
shell is known: quotes, wrappers such as `sudo`, options in between and variables are not read.

This module runs before tool calls, so it imports little. Its time is linear in the length of a call.
"""

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple

#: What whoever remembers something is told of triggers.
HOW_TO_NAME = """\
Triggers of the tool calls before which it is shown; of several, one is enough. Capitals do not matter,
and * stands for any letters.
- git push: a command that begins with these words, also after && || ; | ( or a line's end.
- path:infra/*: a file that a call names, by its path or the end of it, and all in such a folder.
- tool:*mail*: a tool, by its name.
Name the calls that can break the rule and no others. Words behind sudo, env or sh -c are not seen.
"""
#: Tools that some clients report under another name, as Claude Code calls them.
_RENAMED = ("bash", "read", "task", "webfetch", "websearch", "askuserquestion")
_FIELD = re.compile(r"([a-z]{2,}):(?!//)")
_FILE_FIELD = re.compile("path|file|dir")
_OPERATOR = re.compile(r"[;|&()<>]")
#: What ends a command or a part of one, after which of these another begins, and its words that count.
_ENDS = re.compile(r"(&&|[;|(\n]|[)&<>])")
_STARTS = frozenset(("&&", ";", "|", "(", "\n"))
_WORDS = 8
#: What separates the words of a command that may be files.
_BETWEEN = re.compile(r"[\s;|&()<>\"'`=]+")
_PATCHED = re.compile(r"^\*\*\* (?:\w+ file|move to): (.+)$", re.M)
#: What a glob leaves open.
_OPEN = re.compile(r"[*?]|\[!?.[^]]*\]")
_PLAIN = re.compile(r"[\w.@-]+", re.ASCII)


class Trigger(NamedTuple):
    """A trigger taken apart: its field, empty for a command, and its globs in small letters."""

    field: str
    globs: tuple[str, ...]


class ToolCall(NamedTuple):
    """What a trigger may name, in small letters: the tool, the first words of each command, and files."""

    tool: str
    commands: frozenset[tuple[str, ...]]
    files: frozenset[str]


def trigger_of(text: str) -> Trigger:
    """Take a trigger apart; a fault in it is a ValueError that says what is wrong."""
    text = " ".join(text.lower().split())
    found = _FIELD.match(text)
    field, value = (found[1], text[found.end() :].strip()) if found else ("", text)
    if field not in ("", "path", "tool"):
        raise ValueError(f"{text!r}: write path:FILE, tool:NAME or the words of a command")
    if not any(map(str.isalnum, value)):
        raise ValueError(f"{text!r} names no command, file or tool")
    if field == "path":
        value = value.replace("\\", "/").removeprefix("./").strip("/")
    if field:
        return Trigger(field, (value,))
    if _OPERATOR.search(value):
        raise ValueError(f"{text!r} is more than the words of one command; give several triggers")
    if value.count(" ") >= _WORDS:
        raise ValueError(f"{text!r} has more than {_WORDS} words")
    return Trigger("", tuple(value.split()))


def fault_of(trigger: str) -> str:
    """Say what is wrong with a trigger; empty where nothing is."""
    try:
        trigger_of(trigger)
    except ValueError as error:
        return str(error)
    return ""


def call_of(tool: str, given: Mapping[str, object]) -> ToolCall:
    """Read a tool call in the form of Claude Code."""
    commands: set[tuple[str, ...]] = set()
    files: set[str] = set()
    for name, text in _texts(given):
        if name in ("command", "cmd"):
            commands.update(_commands(text))
            files.update(_BETWEEN.split(text))
        elif _FILE_FIELD.search(name) and "\n" not in text:
            files.add(text)
        if text.startswith("*** begin patch"):
            files.update(_PATCHED.findall(text))
    paths = frozenset(file.replace("\\", "/").rstrip("/") for file in files)
    return ToolCall(tool.lower(), frozenset(commands), paths)


def _texts(given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield each text that a tool is given with the name of its field, in small letters."""
    waiting: list[tuple[str, object]] = [("", given)]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, str):
            yield name, value.lower()
        elif isinstance(value, Mapping):
            waiting += [(str(key).lower(), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(name, inner) for inner in value]


def _commands(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the first words of each command in a text."""
    before = "\n"
    # A line whose end has a backslash goes on.
    for number, piece in enumerate(_ENDS.split(text.replace("\\\n", " "))):
        if number % 2:
            before = piece
        elif before in _STARTS and (words := piece.split(None, _WORDS)[:_WORDS]):
            yield tuple(words)


def names(trigger: Trigger, call: ToolCall) -> bool:
    """Tell whether a call is one that a trigger names."""
    globs, firm = trigger.globs, max(_OPEN.split(trigger.globs[0]), key=len)
    if trigger.field == "tool":
        return any(fnmatchcase(tool, globs[0]) for tool in (call.tool, call.tool.split("__")[-1]))
    # To look for the firm part of a glob first is far quicker than to compare the glob.
    if trigger.field == "path":
        forms = (f"*/{globs[0]}", f"*/{globs[0]}/*")
        held = (f"/{file}" for file in call.files if firm in file)
        return any(fnmatchcase(file, form) for file in held for form in forms)
    return any(_begins(globs, words) for words in call.commands if firm in words[0])


def _begins(globs: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Tell whether a command begins with words that these globs name, its program also by its path."""
    program = words[0] if "/" in globs[0] else words[0].rpartition("/")[2]
    return len(words) >= len(globs) and all(map(fnmatchcase, (program, *words[1:]), globs))


def needle(trigger: Trigger) -> str:
    """Return a regular expression that every call holds which a trigger names.

    `grep` tests it on the event as the client sent it, so that most calls start no Python. It is plain
    texts with `.*` between them, so a client without `grep` looks for one after the other; a single `.`
    is any call.
    """
    glob = " ".join(trigger.globs)
    if trigger.field == "tool":
        # Each client joins the names of a server and its tool in its own way.
        found = set(re.findall("[a-z0-9]+", _OPEN.sub(" ", glob))) - {"mcp", "cursor"}
        is_renamed = any(fnmatchcase(name, glob) for name in _RENAMED)
        return "." if is_renamed else max(sorted(found), key=len, default=".")
    plain = (one.replace(".", r"\.") for part in _OPEN.split(glob) for one in _PLAIN.findall(part))
    return ".*".join(plain) or "."
