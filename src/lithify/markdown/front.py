"""Front matter: a strict reader of the part of YAML that memory files use, and our writer.

Scalars stay text: `NO`, `012` and `12:30:45` are what they look like. There are no aliases,
tags or multi-line scalars beyond folded continuation, so no input can grow when read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from lithify.limits import FRONT_MATTER, FRONT_MATTER_DEPTH

Value: TypeAlias = "str | list[Value] | dict[str, Value]"

_IN_QUOTES = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'"
_QUOTED = re.compile(_IN_QUOTES)
_KEY = re.compile(
    rf"({_IN_QUOTES}|[^\s:#\[\]{{}},&*!|>'\"%@`-][^:#]*+|-[^\s:][^:#]*+)\s*+:(?=\s|$)"
)
_PLAIN = re.compile(r"^[^\s\-?:,\[\]{}#&*!|>'\"%@`][^\n]*$")


@dataclass(frozen=True, slots=True)
class Front:
    """What stood between the two lines of dashes, and what was wrong with it, if anything."""

    values: Mapping[str, Value] = field(default_factory=dict)
    fault: str = ""

    def text(self, key: str) -> str:
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""


class _Broken(Exception):
    """The front matter is not of the form we read."""


def read_front(text: str) -> Front:
    """Read the inside of a front matter block; a fault is reported, never raised."""
    if len(text.encode("utf-8", "surrogateescape")) > FRONT_MATTER:
        return Front(fault=f"front matter is larger than {FRONT_MATTER // 1024} KiB")
    try:
        lines = _lines(text)
        values, rest = _block(lines, 0, 0, 0)
        if rest < len(lines):
            raise _Broken(f"line {lines[rest][2]}: unexpected indentation")
        if not isinstance(values, dict):
            raise _Broken("front matter is not a mapping")
        return Front(values)
    except _Broken as broken:
        return Front(fault=f"front matter: {broken}")


def _lines(text: str) -> list[tuple[int, str, int]]:
    """(indent, content, number) of the lines that say something."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if line[indent : indent + 1] == "\t":
            raise _Broken(f"line {number}: a tab in the indentation")
        found.append((indent, bare, number))
    return found


def _block(
    lines: list[tuple[int, str, int]], at: int, indent: int, depth: int
) -> tuple[Value, int]:
    if depth > FRONT_MATTER_DEPTH:
        raise _Broken(f"nested deeper than {FRONT_MATTER_DEPTH}")
    if at < len(lines) and (lines[at][1] == "-" or lines[at][1].startswith("- ")):
        return _sequence(lines, at, lines[at][0], depth)
    values: dict[str, Value] = {}
    while at < len(lines) and lines[at][0] >= indent:
        level, content, number = lines[at]
        if level > indent:
            raise _Broken(f"line {number}: unexpected indentation")
        match = _KEY.match(content)
        if not match:
            raise _Broken(f"line {number}: expected `key: value`")
        key = _key(match)
        if key in values:
            raise _Broken(f"line {number}: {key!r} stands twice")
        rest = content[match.end() :].strip()
        at += 1
        if rest and not rest.startswith("#"):
            if rest in ("|", ">", "|-", ">-", "|+", ">+"):
                values[key], at = _folded(lines, at, indent)
            else:
                values[key] = value = _inline(rest, number, depth)
                # A plain scalar may run on over lines that are indented deeper.
                if isinstance(value, str) and rest[0] not in "\"'":
                    more, at = _folded(lines, at, indent)
                    values[key] = f"{value} {more}" if more else value
        elif at < len(lines) and (
            lines[at][0] > indent or (lines[at][0] == indent and lines[at][1].startswith("- "))
        ):
            values[key], at = _block(lines, at, lines[at][0], depth + 1)
        else:
            values[key] = ""
    return values, at


def _sequence(
    lines: list[tuple[int, str, int]], at: int, indent: int, depth: int
) -> tuple[Value, int]:
    items: list[Value] = []
    while at < len(lines) and lines[at][0] == indent and lines[at][1].startswith("-"):
        rest = lines[at][1][1:].strip()
        items.append(_inline(rest, lines[at][2], depth) if rest else "")
        at += 1
        if at < len(lines) and lines[at][0] > indent:
            raise _Broken(f"line {lines[at][2]}: lists hold single values here")
    return items, at


def _folded(lines: list[tuple[int, str, int]], at: int, indent: int) -> tuple[str, int]:
    parts = []
    while at < len(lines) and lines[at][0] > indent:
        parts.append(lines[at][1])
        at += 1
    return " ".join(parts), at


def _key(match: re.Match[str]) -> str:
    return _unquoted(match[1]) if match[1][0] in "\"'" else match[1].strip()


def _unquoted(text: str) -> str:
    """Read a text in single or double quotes."""
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    try:
        return str(json.loads(text))
    except ValueError:
        raise _Broken(f"bad quoted text {text[:40]}") from None


def _inline(text: str, number: int, depth: int) -> Value:
    value, rest = _flow(text, number, depth, stops="")
    rest = rest.strip()
    if rest and not rest.startswith("#"):
        raise _Broken(f"line {number}: {rest[:40]!r} after the value")
    return value


def _flow(text: str, number: int, depth: int, stops: str) -> tuple[Value, str]:
    if depth > FRONT_MATTER_DEPTH:
        raise _Broken(f"line {number}: nested deeper than {FRONT_MATTER_DEPTH}")
    text = text.lstrip()
    if text[:1] in ("&", "*", "!") and text[1:2].strip():
        raise _Broken(f"line {number}: aliases and tags are not read")
    if text.startswith("["):
        return _flow_items(text, number, depth)
    if text.startswith("{"):
        return _flow_pairs(text, number, depth)
    if text.startswith(('"', "'")):
        match = _QUOTED.match(text)
        if not match:
            raise _Broken(f"line {number}: a quote is not closed")
        return _unquoted(match[0]), text[match.end() :]
    if stops:
        end = next((i for i, c in enumerate(text) if c in stops), len(text))
    else:
        comment = re.search(r"\s#", text)
        end = comment.start() if comment else len(text)
    return text[:end].strip(), text[end:]


def _flow_items(text: str, number: int, depth: int) -> tuple[Value, str]:
    items: list[Value] = []
    text = text[1:].lstrip()
    while not text.startswith("]"):
        if not text:
            raise _Broken(f"line {number}: `[` is not closed")
        item, text = _flow(text, number, depth + 1, stops=",]")
        items.append(item)
        text = _after_item(text, "]", number)
    return items, text[1:]


def _flow_pairs(text: str, number: int, depth: int) -> tuple[Value, str]:
    pairs: dict[str, Value] = {}
    text = text[1:].lstrip()
    while not text.startswith("}"):
        match = _KEY.match(text)
        if not match:
            raise _Broken(f"line {number}: `{{` is not closed or holds no `key: value`")
        key = _key(match)
        if key in pairs:
            raise _Broken(f"line {number}: {key!r} stands twice")
        pairs[key], text = _flow(text[match.end() :], number, depth + 1, stops=",}")
        text = _after_item(text, "}", number)
    return pairs, text[1:]


def _after_item(text: str, closer: str, number: int) -> str:
    text = text.lstrip()
    if text.startswith(","):
        return text[1:].lstrip()
    if not text.startswith(closer):
        raise _Broken(f"line {number}: expected `,` or `{closer}`")
    return text


def write_front(values: Mapping[str, Value]) -> str:
    """Front matter with its dashes, one key a line; reading it gives the same values."""
    lines = [f"{_key_text(key)}: {_written(value)}".rstrip() for key, value in values.items()]
    return "\n".join(["---", *lines, "---", ""])


def _written(value: Value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key_text(k)}: {_written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_written(v) for v in value) + "]"
    return _scalar(value)


def _key_text(key: str) -> str:
    return json.dumps(key) if ":" in key else _scalar(key)


#: What a plain scalar may not hold: flow marks, comments, quotes, controls, odd separators.
_UNSAFE = re.compile(r"[,\[\]{}#\"]|:(\s|$)|\s$|[\x00-\x1f]|[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ODD = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def _scalar(text: str) -> str:
    if _PLAIN.match(text) and not _UNSAFE.search(text):
        return text
    return json.dumps(text, ensure_ascii=_ODD.search(text) is not None)
