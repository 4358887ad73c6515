"""Turns of a coding agent: what was asked, what came of it, and the steps in one line.

A reader of sessions yields what was heard, in order; `turns` makes the items of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import PurePath
from typing import Any, NamedTuple

from lithify.gate.jobs import typed_text
from lithify.importers.sources import Broken, ImportItem, LeftOut, Reading, json_object
from lithify.regex import regex
from lithify.text.sentences import plain_sentences

#: What the tools of any client do, by their names; those under "" do no work.
_TOOLS = {
    "edited": "edit write multiedit notebookedit apply_patch write_file replace create str_replace "
    "edit_file edit_file_v2 search_replace patch",
    "ran": "bash powershell shell shell_command local_shell exec_command run_shell_command container.exec "
    "run_terminal_cmd run_terminal_command_v2",
    "looked up": "webfetch websearch web_fetch web_search google_web_search",
    "delegated": "task agent spawn_agent",
    "read": "read read_file read_file_v2 read_many_files notebookread view",
    "searched": "grep glob ls list list_dir list_directory grep_search search_file_content rg file_search "
    "codebase_search",
    "": "todowrite toolsearch update_plan write_todos skill askuserquestion exitplanmode enterplanmode "
    "taskcreate taskupdate tasklist taskget taskoutput bashoutput killshell write_stdin wait wait_agent "
    "save_memory todoread report_intent read_bash stop_bash todo_write",
}
_VERBS = {tool: verb for verb, tools in _TOOLS.items() for tool in tools.split()}
#: Verbs whose objects are named, and how many of them; of the others only the number is told.
_NAMED = {"edited": 5, "ran": 3, "looked up": 3, "delegated": 2, "used": 4}
_COUNTED = {"read": ("file", "files"), "searched": ("time", "times")}
_ORDER = ("edited", "ran", "looked up", "delegated", "used", "read", "searched")
_PATHS = ("file_path", "path", "notebook_path", "absolute_path", "filePath", "target_file")
_SUBJECTS = ("query", "url", "description", "prompt")
_PATCHED = regex(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_SHELLS = frozenset({"bash", "sh", "zsh", "-lc", "-c"})
#: The most characters of a command or a subject.
_LONGEST = 70


class ToolStep(NamedTuple):
    """What one call of a tool did."""

    verb: str
    what: str


def steps_of(tool: str, arguments: object, folder: str = "") -> Iterator[ToolStep]:
    """What a call did, from the tool's name and what it was given; nothing for tools of the client."""
    verb = _VERBS.get(tool.casefold(), "used")
    given = json_object(arguments) or {"input": arguments}  # a patch, for example, is no JSON
    if verb == "ran":
        command = _command(given)
        patched = _PATCHED.findall(command) if "apply_patch" in command[:200] else []
        yield from [ToolStep("edited", path.strip()) for path in patched] or [
            ToolStep(verb, _line(command))
        ]
    elif verb == "edited":
        patched = [
            p for text in given.values() if isinstance(text, str) for p in _PATCHED.findall(text)
        ]
        named = [str(given[name]) for name in _PATHS if given.get(name)]
        for path in patched or named[:1]:
            within = f"{folder.rstrip('/')}/" if folder else ""
            yield ToolStep(verb, path.strip().removeprefix(within))
    elif verb == "used":
        yield ToolStep(verb, tool)
    elif verb:
        found = [str(given[name]) for name in (*_PATHS, *_SUBJECTS) if given.get(name)]
        yield ToolStep(verb, _line(found[0]) if found else "")


def _command(given: Mapping[str, Any]) -> str:
    command = given.get("command", given.get("cmd", given.get("input", "")))
    if isinstance(command, list):
        words = [str(word) for word in command]
        if "apply_patch" in words:
            return "\n".join(words)
        command = " ".join(word for n, word in enumerate(words) if n > 1 or word not in _SHELLS)
    return str(command)


def _line(text: str) -> str:
    """The beginning of a text, cut between words: half a secret would not be recognised as one."""
    first = text.strip().partition("\n")[0].strip()
    if len(first) <= _LONGEST:
        return first + "…" if "\n" in text.strip() else first
    return f"{first[: _LONGEST + 1].rpartition(' ')[0]}…"


def steps_line(steps: Iterable[ToolStep]) -> str:
    """The steps of a turn in one line, what was changed first; empty if it only looked at files."""
    done: dict[str, dict[str, int]] = {}
    for step in steps:
        whats = done.setdefault(step.verb, {})
        whats[step.what] = whats.get(step.what, 0) + 1
    if done.keys() <= _COUNTED.keys():
        return ""
    parts = []
    for verb in (verb for verb in _ORDER if verb in done):
        whats = done[verb]
        if verb in _COUNTED:
            number = len(whats) if verb == "read" else sum(whats.values())
            parts.append(f"{verb} {number} {_COUNTED[verb][number != 1]}")
            continue
        quote = "`" if verb in ("ran", "used") else ""
        named = [f"{quote}{what}{quote}" for what in whats if what]
        shown, more = named[: _NAMED[verb]], len(named) - _NAMED[verb]
        if shown:
            parts.append(f"{verb} {', '.join(shown)}" + (f" and {more} more" if more > 0 else ""))
    return "; ".join(parts)


class Heard(NamedTuple):
    """Something in a session: what the person asked, or what the agent said and did.

    `key` names it, the same in every copy of the session; `folder` is where the agent works.
    """

    when: datetime | None
    key: str
    asked: str = ""
    said: str = ""
    steps: tuple[ToolStep, ...] = ()
    folder: str = ""


def turns(session: Iterable[Heard | ImportItem | LeftOut | Broken]) -> Reading:
    """Yield the turns of a session: every request begins one."""
    turn: Turn | None = None
    for one in session:
        if not isinstance(one, Heard):
            yield one
        elif one.when is None:
            yield Broken(one.key[:60], "it has no time")
        else:
            about = PurePath(one.folder.replace("\\", "/")).name
            if one.asked or turn is None:
                yield from turn.items() if turn else ()
                turn = Turn(one.key, one.when, one.asked.strip(), about)
            yield from turn.say(one.said, one.when)
            turn.steps += one.steps
    yield from turn.items() if turn else ()


class Turn:
    """A turn while it is read. `items` gives what it amounts to."""

    def __init__(self, key: str, when: datetime, asked: str = "", about: str = "") -> None:
        self.key, self.when, self.asked, self.about = key, when, asked, about
        self.answer, self.answered = "", when
        self.steps: list[ToolStep] = []

    def say(self, text: str, when: datetime) -> Iterator[LeftOut]:
        """Take the agent's words; the last of a turn are its answer."""
        if text.strip():
            if self.answer:
                yield LeftOut("words of the agent before its answer")
            self.answer, self.answered = text, when

    def items(self) -> Iterator[ImportItem | LeftOut]:
        asked = " ".join(typed_text(self.asked).split())
        is_done = self.answer or self.steps
        # A command such as /clear that the agent never saw is no request.
        if asked and (is_done or not asked.startswith("/")):
            yield ImportItem(self.when, "Request", asked, f"{self.key}:request", self.about)
        elif asked:
            yield LeftOut("commands to the client")
        line, answer = steps_line(self.steps), " ".join(plain_sentences(self.answer))
        # Below the result, so that a page which quotes the turn quotes what came of it.
        more = f"Steps: {line}" if line and answer else ""
        who, text = ("Result", answer) if answer else ("Steps", line)
        if text:
            key, version = f"{self.key}:result", f"{self.answer}|{line}"
            yield ImportItem(self.answered, who, text, key, self.about, more, version=version)
        elif self.steps or self.answer:
            yield LeftOut("turns without words that only looked at files")
