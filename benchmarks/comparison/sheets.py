"""Questions out of a file: our JSON lines, a Recall Bench `questions.yaml`, or LoCoMo's JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from comparison.locomo import conversation
from comparison.questions import Sample, rows_of
from lithify.bench.corpus import BadLines
from lithify.markdown.front import read_front


def read(path: Path) -> tuple[Sample, ...]:
    """The samples of a file in any of the forms; what is wrong with it is said with its place."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadLines(file=path, reason=f"not UTF-8 text (byte {error.start})") from None
    name = path.name
    if path.suffix.lower() in (".yaml", ".yml"):
        samples: tuple[Sample, ...] = (Sample(name, rows_of(path, _yaml(path, text))),)
    else:
        samples = _json(path, text)
    if not any(sample.rows for sample in samples):
        raise BadLines(file=path, reason="no questions in it")
    return samples


# JSON


def _json(path: Path, text: str) -> tuple[Sample, ...]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        if text.lstrip().startswith("["):
            raise BadLines(file=path, reason=f"not JSON ({error})") from None
        return (Sample(path.name, rows_of(path, _lines(path, text))),)
    if isinstance(whole, dict) and "conversation" in whole:
        whole = [whole]
    if isinstance(whole, list) and any(isinstance(one, dict) and "qa" in one for one in whole):
        return tuple(conversation(path, number, one) for number, one in enumerate(whole, 1))
    listed = whole if isinstance(whole, list) else [whole]
    found = []
    for number, row in enumerate(listed, 1):
        if not isinstance(row, dict):
            raise BadLines(file=path, reason=f"question {number} is not an object")
        found.append((f"question {number}", row))
    return (Sample(path.name, rows_of(path, found)),)


def _lines(path: Path, text: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = f"line {number} is not JSON ({error}); expected one object a line"
            raise BadLines(file=path, reason=reason) from None
        if not isinstance(row, dict):
            raise BadLines(file=path, reason=f"line {number} is not an object")
        yield f"line {number}", row


# Recall Bench

_OPEN = re.compile(r"^\s*(?:- )?\s*[\w-]+:\s+([\"'])(.*)$")


def _yaml(path: Path, text: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
    """The mappings of a list; scalars stay the text they are, also where they look like dates."""
    lines = _joined(text.splitlines())
    if lines and lines[0][1].rstrip() == "questions:":
        del lines[0]
    start = next((len(line) - len(line.lstrip()) for _, line in lines if line.strip()), 0)
    dash = " " * start + "-"
    item: list[str] = []
    first = 0
    for number, line in [*lines, (0, dash)]:
        if line.startswith(dash + " ") or line.rstrip() == dash:
            if item:
                yield f"line {first}", _mapping(path, first, item)
            item, first = [line[len(dash) :]], number
        elif item:
            item.append(line[start:])
        elif line.strip():
            reason = f"line {number}: expected a list, each question starting with `- id: …`"
            raise BadLines(file=path, reason=reason)


def _mapping(path: Path, first: int, item: Sequence[str]) -> Mapping[str, Any]:
    lines = [line for line in item if line.strip()]
    level = len(lines[0]) - len(lines[0].lstrip()) + 1 if lines else 0
    text = "\n".join([" " * level + lines[0].strip(), *lines[1:]] if lines else [])
    front = read_front("\n".join(line[level:] for line in text.split("\n")))
    if front.fault:
        # Its own line numbers count from the question's first line.
        fault = re.sub(r"^front matter: (?:line \d+: )?", "", front.fault)
        raise BadLines(file=path, reason=f"the question at line {first}: {fault}")
    return front.values


def _joined(lines: Sequence[str]) -> list[tuple[int, str]]:
    """Lines with their numbers, comments left out; a quotation over several of them is one."""
    found: list[tuple[int, str]] = []
    waiting = ""
    for number, line in enumerate(lines, 1):
        if waiting:
            at, before = found[-1]
            closed = _closes(line.strip(), waiting)
            # A backslash at the end of a line takes the line's end away.
            escaped = waiting == '"' and before.endswith("\\")
            found[-1] = at, before[:-1] + line.strip() if escaped else f"{before} {line.strip()}"
            waiting = "" if closed else waiting
        elif line.strip() in ("---", "...") or line.lstrip().startswith("#"):
            continue
        else:
            found.append((number, line))
            match = _OPEN.match(line)
            waiting = match[1] if match and not _closes(match[2], match[1]) else ""
    return [(at, _ESCAPE.sub(_unescaped, line) if ': "' in line else line) for at, line in found]


def _closes(text: str, quote: str) -> bool:
    inside = r"(?:[^'\n]|'')*'(?!')" if quote == "'" else r"(?:[^\"\\\n]|\\.)*\""
    return re.match(inside, text) is not None


#: The escapes that YAML has and JSON has not.
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|U([0-9A-Fa-f]{8})|( )|(\\))")


def _unescaped(match: re.Match[str]) -> str:
    short, long, _, backslash = match.groups()
    if backslash:
        return str(match[0])
    if short:
        return f"\\u00{short}"
    return chr(int(long, 16)) if long and int(long, 16) < 0x110000 else " "
