"""Patterns that name tool calls or prompts in plain words and globs: `git push`, `ask:ship it`.

Words without a field are words of a command, the path of a file, or the name of a tool. In a command
the first two follow each other, options between them aside; further words may stand anywhere after.
With a field, `path:` is any file that a call names, `edit:` one that it changes by a tool for that, by
`>` or by a command such as `rm`, `run:` a word of a command that does more than read, `tool:` its name,
`has:` a word in any of its texts, `not:` one in none of them; `on:` and `at:` say on which weekdays and
hours. After `ask:` and `about:` stand words of a prompt (see `prompts`). `a|b` is one or the other. All
that stands in one pattern has to hold. Upper and lower case are alike.

This module runs before tool calls, so it imports little.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

Clock = Callable[[], "datetime"]

#: What whoever remembers something is told of patterns.
HOW_TO_NAME = """\
Patterns of the prompts and tool calls that bring it back; of several, one is enough. In one pattern all
parts have to hold; a|b is either one, * any letters, get-up two words in a row.
- ask:push|publish|get-up branch|pr|github not:button: a prompt that asks for an act. The words stand in
  one sentence or two together, in any order and inflection, before a what, which, who, why or how.
- about:staging|pre-production db|database: the same in any sentence, questions too.
- ask:free|clean|delete space|disk|old has:/srv/mail: with a name from anywhere in the prompt, pasted logs too.
- git push, psql drop: a command with these words in a row.
- edit:db/*.sql, path:infra/prod, tool:*send*mail*: a file a call may change, a file it names, a tool.
- has:berlin, not:--dry-run, on:fri, at:22-6: beside others, a whole word that stands in what the call is
  given, or nowhere in it; weekdays; hours.
Think first of ten prompts that should bring it back, of somebody who does not think of it: the act in plain
talk, its occasion, a trouble it explains, a question it answers. Then of ten that share its words and
should not: the same act on another thing, what was done before, how a thing works, another sense of a word.
Write three to eight patterns of prompts, in the person's languages, that name the first and none of the
second: a group with the verbs of one act or its occasion, then one with the names of one thing, each with
every word that people use for it. Words that go with anything (it, this, do, use, get, look, page, table)
only in a row (push-it) or beside two other groups. not: has names of the other thing alone, no common
words: it bars the pattern wherever it stands. Of calls name those that can break a rule, with what makes
them so (edit:*.sql has:drop), and neither those that keep it nor those that only read.
"""
FIELDS = ("path", "edit", "run", "tool", "has", "host", "not", "on", "at")
#: How a pattern of a prompt begins: what it asks for, or what it is about at all.
PROMPTS = ("ask", "about")
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_HOURS = re.compile(r"([01]?\d|2[0-4])-([01]?\d|2[0-4])")
#: Programs that take a command as a text.
_SHELLS = frozenset(
    ("sh", "bash", "dash", "zsh", "ksh", "fish", "eval", "ssh", "su", "watch", "xargs")
) | {"python", "python3", "perl", "ruby", "node"}
#: Programs that run another one, whose name is the first word that is no option, figure or host.
_WRAPPERS = frozenset(
    ("sudo", "doas", "env", "timeout", "nohup", "nice", "time", "exec", "xargs", "ssh")
)
#: Programs that only read the files they name, and those that change them: each, or the last alone.
_READERS = frozenset(
    ("cat", "less", "more", "head", "tail", "grep", "egrep", "rg", "ls", "find", "wc", "diff")
) | {"stat", "file", "bat", "tree", "cd", "du", "jq"}
_CHANGE_ALL = frozenset(
    ("rm", "rmdir", "unlink", "shred", "mv", "tee", "touch", "chmod", "chown", "truncate", "patch")
) | {
    "gzip",
    "gunzip",
    "xz",
    "bzip2",
    "zstd",
    "vi",
    "vim",
    "nano",
    "del",
    "remove-item",
    "move-item",
}
_CHANGE_LAST = frozenset(("cp", "rsync", "scp", "ln", "install", "copy", "set-content"))
_CHANGE_BY = {
    "git": ("checkout", "restore", "rm", "mv", "clean"),
    "sed": ("-i*",),
    "perl": ("-*i*",),
    "find": ("-delete", *_CHANGE_ALL),
}
#: A word in the name of a tool that only reads.
_READING = frozenset(
    (
        "read",
        "view",
        "grep",
        "glob",
        "search",
        "list",
        "fetch",
        "get",
        "find",
        "query",
        "show",
        "ls",
    )
)
_PIECES = re.compile(r"""(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s;|&()`\n"'\\])+|[;|&()`\n]""", re.S)
_ASSIGNED = re.compile(r"\w+=")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.M)
_PARTS = re.compile(r"(?:[^\W_]|[*?])+")
_LITERAL = re.compile(r"[\w./:@=+-]{2,}", re.ASCII)
#: Levels of commands within texts of commands that are read.
_DEEP = 3
_LONGEST = 20_000


class ToolCall(NamedTuple):
    """What a pattern may name: the tool, the words of each command, files, and all texts."""

    tool: str
    commands: tuple[tuple[str, ...], ...] = ()
    paths: tuple[str, ...] = ()
    text: str = ""


def call_of(tool: str, given: Mapping[str, object]) -> ToolCall:
    """Read a tool call in the form of Claude Code."""
    texts = [(key, text) for key, text in _texts(given, "") if text]
    commands: list[tuple[str, ...]] = []
    paths: list[str] = []
    for key, text in texts:
        if re.search(r"command|cmd|script$", key):
            commands += _commands(text[:_LONGEST])
        elif re.search(r"path|file|dir", key) and len(text) < 500 and "\n" not in text:
            paths.append(text.replace("\\", "/"))
        if text.startswith("*** Begin Patch"):
            paths += [one or other for one, other in _PATCHED.findall(text)]
    return ToolCall(tool, tuple(commands), tuple(paths), "\n".join(text for _, text in texts))


def _texts(value: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _texts(inner, str(name).lower())
    elif isinstance(value, list):
        if value and all(isinstance(one, str) for one in value) and re.search("command|argv", key):
            yield key, " ".join(f"'{one}'" if " " in one else one for one in value)
        else:
            for inner in value:
                yield from _texts(inner, key)


def _commands(text: str, depth: int = _DEEP, run: bool = False) -> list[tuple[str, ...]]:
    """Return the simple commands of a shell text, each as its words without quotes.

    Where a program runs a text as a command, or `run` says so, those of quoted texts are among them.
    """
    found: list[list[str]] = [[]]
    quoted: list[str] = []
    for piece in _PIECES.findall(text.replace("\\\n", " ").replace("$(", "(")):
        if piece in ";|&()`\n":
            found.append([])
            continue
        word = re.sub(r"""\\(.)|["']""", r"\1", piece)
        if not found[-1] and _ASSIGNED.match(word):
            continue
        found[-1].append(word.lower())
        if re.search(r"\s", word) or "'" in piece[1:-1] or '"' in piece[1:-1]:
            inner = piece[1:-1] if piece[:1] in "\"'" else word
            quoted.append(re.sub(r"\\(.)", r"\1", inner))
    commands = [tuple(words) for words in found if words]
    run = run or any(_name(word) in _SHELLS for words in commands for word in words)
    if depth and run:
        for inner in quoted:
            commands += _commands(inner, depth - 1, run)
    return commands


def _name(word: str) -> str:
    return word.rpartition("/")[2]


def _program(command: tuple[str, ...]) -> str:
    """Return the program that a command runs, behind those that only start it."""
    for before, word in pairwise(("", *command)):
        # An option or a figure of such a program, or the host that it runs on.
        of_wrapper = before and (word[0] in "-0123456789" or "=" in word or _name(before) == "ssh")
        if not of_wrapper and _name(word) not in _WRAPPERS:
            return _name(word)
    return _name(command[-1])


def parts_of(word: str) -> list[str]:
    """Return the words that one word of a pattern names in a row: `get-up` is two."""
    return _PARTS.findall(word)


def _names(word: str) -> int:
    """Count the words that one of a pattern names; a name such as k17 says as much as two."""
    parts = parts_of(word)
    return len(parts) + any(re.search(r"[^\W\d]", one) and re.search(r"\d", one) for one in parts)


class Pattern(NamedTuple):
    """A pattern taken apart: its words, each field with its value, and whether it is one of prompts."""

    words: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]
    prompt: str = ""


def pattern_of(text: str) -> Pattern:
    """Take a pattern apart; a fault in it is a ValueError that says what is wrong."""
    words: list[str] = []
    fields: list[tuple[str, str]] = []
    prompt = ""
    for number, word in enumerate(text.lower().split()):
        name, colon, value = word.partition(":")
        if colon and name in PROMPTS and not number:
            prompt = name
            words += filter(None, [value])
            continue
        if not (colon and name in FIELDS):
            words.append(word)
            continue
        if name == "on":
            days = [day[:3] for day in value.split(",")]
            if not all(day in _WEEKDAYS for day in days):
                raise ValueError(f"{word!r} names no weekdays; write on:fri or on:sat,sun")
        elif name == "at" and not _HOURS.fullmatch(value):
            raise ValueError(f"{word!r} names no hours; write at:22-6")
        elif not value:
            raise ValueError(f"nothing follows {word!r}")
        elif prompt and name not in ("not", "has"):
            raise ValueError(f"{word!r} names calls; {prompt}: names words of a prompt")
        fields.append((name, value))
    said = sum(min(map(_names, word.split("|"))) for word in words)
    if prompt and said + any(name in ("on", "at", "has") for name, _ in fields) < 2:
        raise ValueError(
            f"{text!r} names one word, which catches too much; write {prompt}:push branch or {prompt}:go-live"
        )
    if not words and all(name in ("not", "on", "at") for name, _ in fields):
        raise ValueError("a pattern names a command, a path, a tool, or a prompt after ask:")
    return Pattern(tuple(words), tuple(fields), prompt)


def matches(pattern: Pattern, call: ToolCall, clock: Clock) -> bool:
    """Tell whether a call is one that a pattern names."""
    if pattern.prompt:
        return False
    return all(_field_holds(name, value, call, clock) for name, value in pattern.fields) and (
        not pattern.words
        or any(_in_order(pattern.words, command) for command in call.commands)
        or (len(pattern.words) == 1 and _names_it(pattern.words[0], call))
    )


def _field_holds(name: str, value: str, call: ToolCall, clock: Clock) -> bool:
    match name:
        case "on" | "at":
            return is_now(name, value, clock)
        case "tool":
            return _is_tool(value, call)
        case "has" | "host":
            return stands_in(value, call.text)
        case "not":
            return not stands_in(value, call.text)
        case "run":
            words = (w for c in call.commands if _program(c) not in _READERS for w in c)
            return any(_is_word(value, word) for word in words)
    return any(_is_path(value, path) for path in _paths_of(call, changed=name == "edit"))


def is_now(name: str, value: str, clock: Clock) -> bool:
    """Tell whether it is one of the weekdays that `on:` names, or of the hours that `at:` does."""
    if name == "on":
        return _WEEKDAYS[clock().weekday()] in {day[:3] for day in value.split(",")}
    first, end = map(int, value.split("-"))
    hour = clock().hour
    return first <= hour < end if first < end else hour >= first or hour < end


def stands_in(value: str, text: str) -> bool:
    """Tell whether a text has one of these words, each whole."""
    words = "|".join(re.escape(word).replace(r"\*", r"\S*") for word in value.split("|"))
    return re.search(rf"(?<![^\W_])(?:{words})(?![^\W_])", text, re.I) is not None


def _fits(glob: str, word: str) -> bool:
    """Tell whether a word is what a glob names, or one of several."""
    return any(fnmatchcase(word, one) for one in glob.split("|"))


def _names_it(word: str, call: ToolCall) -> bool:
    return _is_tool(word, call) or any(
        _is_path(word, path) for path in _paths_of(call, changed=False)
    )


def _is_tool(value: str, call: ToolCall) -> bool:
    """Tell whether a tool is what a glob names: `*` names none that only reads, unless it says so."""
    tool = call.tool.lower()
    if "*" in value and _only_reads(call.tool) and not _only_reads(value.replace("*", "_")):
        return False
    return _fits(value, tool) or _fits(value, tool.rpartition("__")[2])


def _only_reads(tool: str) -> bool:
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", tool.rpartition("__")[2])
    return not _READING.isdisjoint(map(str.lower, words))


def _paths_of(call: ToolCall, *, changed: bool) -> Iterator[str]:
    """Yield the files that a call names; with `changed`, those that it changes as far as that shows."""
    if not (changed and (call.commands or _only_reads(call.tool))):
        yield from call.paths
    for command in call.commands:
        for word in _changed_by(command) if changed else command:
            yield from filter(None, re.split(r"[<>=]+", word))


def _changed_by(command: tuple[str, ...]) -> Iterator[str]:
    """Yield the words of a command that name what it changes, and where its output goes."""
    program = _program(command)
    acts = _CHANGE_BY.get(program, ())
    if program in _CHANGE_ALL or any(fnmatchcase(w, act) for w in command for act in acts):
        yield from command
    elif program in _CHANGE_LAST:
        yield command[-1]
    for word, following in pairwise((*command, "")):
        if ">" in word:
            yield word.rpartition(">")[2] or following


def _is_path(glob: str, path: str) -> bool:
    """Tell whether a path, its end, its name or a folder above it is what a glob names.

    A word with `*` in it is its name or the folder it stands in: those above are seldom meant.
    """
    if "|" in glob:
        return any(_is_path(one, path) for one in glob.split("|"))
    path = path.lower().rstrip("/")
    if "/" not in glob:
        parts = path.split("/")
        return any(fnmatchcase(part, glob) for part in (parts[-2:] if "*" in glob else parts))
    glob = glob.strip("/").removeprefix("./")
    forms = (glob, f"*/{glob}", f"{glob}/*", f"*/{glob}/*")
    return any(fnmatchcase(path.lstrip("/").removeprefix("./"), form) for form in forms)


def _in_order(words: tuple[str, ...], command: tuple[str, ...]) -> bool:
    """Tell whether a command has these words: the first two together, the others after them."""
    for start, first in enumerate(command):
        if _is_word(words[0], first):
            rest = _after_second(words, command, start + 1)
            if rest is not None and all(
                any(_is_word(word, other) for other in rest) for word in words[2:]
            ):
                return True
    return False


def _after_second(
    words: tuple[str, ...], command: tuple[str, ...], place: int
) -> tuple[str, ...] | None:
    """Return what follows the second word; None where that does not follow the first."""
    if len(words) == 1:
        return command[place:]
    if words[1].startswith("-"):
        rest = command[place:]
        return rest if any(_is_word(words[1], other) for other in rest) else None
    option = False
    for number, word in enumerate(command[place:], place):
        if _is_word(words[1], word):
            return command[number + 1 :]
        if not (option or word.startswith("-")):
            return None
        option = word.startswith("-") and "=" not in word
    return None


def _is_word(glob: str, word: str) -> bool:
    return _fits(glob, word) or _fits(glob, _name(word))


# What the shell tests


def needle(pattern: Pattern) -> str:
    """Return an extended regular expression that every call holds which a pattern may name.

    `grep` tests it on the event as the client sent it, so that most calls start no Python.
    """
    pieces = [_literals(word) for word in pattern.words]
    for name, value in pattern.fields:
        if name == "tool":
            pieces.append(_literals(value, of_tool=True))
        elif name not in ("not", "on", "at"):
            pieces.append(_literals(value))
    firm = [piece for piece in pieces[:2] if piece]
    return ".*".join(firm) if len(pattern.words) > 1 else max(pieces, key=len, default="") or "."


def _literals(globs: str, *, of_tool: bool = False) -> str:
    """Return what an event holds of one of these globs; empty where that may be anything."""
    found = [_literal(glob, of_tool) for glob in globs.split("|")]
    if not all(found):
        return ""
    return found[0] if len(found) == 1 else f"({'|'.join(found)})"


def _literal(glob: str, of_tool: bool) -> str:
    if of_tool:  # whatever the client calls it
        glob = glob.rpartition("__")[2]
        if glob == "bash":
            return "(bash|shell)"
    found = _LITERAL.findall(re.sub(r"\[[^]]*\]", "*", glob))
    escaped = (re.sub(r"[.+]", r"\\\g<0>", one) for one in found)
    # What Claude Code calls WebFetch others call web_fetch.
    return ".*".join(re.sub(r"^web(?=[a-z])", "web.?", one) for one in escaped)


def needles(patterns: Iterable[Pattern]) -> bytes:
    """Return the lines that `grep -Ef` reads."""
    lines = sorted({needle(pattern) for pattern in patterns if not pattern.prompt})
    return "".join(f"{line}\n" for line in lines).encode()
