"""Front matter: a strict reader of the part of YAML that memory files use, and our writer.

Scalars stay text: `NO`, `012` and `12:30:45` are what they look like. There are no aliases,
tags or multi-line scalars beyond folded continuation, so no input can grow when read.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lithify.limits import FRONT_MATTER, FRONT_MATTER_DEPTH
from lithify.regex import regex
from lithify.values import Front, FrontValue

_IN_QUOTES = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'"
_QUOTED = regex(_IN_QUOTES)
_KEY = regex(rf"({_IN_QUOTES}|[^\s:#\[\]{{}},&*!|>'\"%@`-][^:#]*+|-[^\s:][^:#]*+)\s*+:(?=\s|$)")
_PLAIN = regex(r"^[^\s\-?:,\[\]{}#&*!|>'\"%@`][^\n]*$")


class _Broken(Exception):
    """The front matter is not of the form we read."""


def read_front(text: str) -> Front:
    """Read the inside of a front matter block; a fault is reported, never raised."""
    if len(text.encode("utf-8", "surrogateescape")) > FRONT_MATTER:
        return Front(fault=f"front matter is larger than {FRONT_MATTER // 1024} KiB")
    try:
        lines = deque(_lines(text))
        values = _block(lines, 0, 0)
        if lines:
            raise _Broken(f"line {lines[0].number}: unexpected indentation")
        if not isinstance(values, dict):
            raise _Broken("front matter is not a mapping")
        return Front(values)
    except _Broken as broken:
        return Front(fault=f"front matter: {broken}")


class _Line(NamedTuple):
    indent: int
    text: str
    number: int


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines that say something."""
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" "))
        if line[indent : indent + 1] == "\t":
            raise _Broken(f"line {number}: a tab in the indentation")
        yield _Line(indent, bare, number)


def _block(lines: deque[_Line], indent: int, depth: int) -> FrontValue:
    """Take a list or the pairs of one indentation off the lines that are left."""
    if depth > FRONT_MATTER_DEPTH:
        raise _Broken(f"nested deeper than {FRONT_MATTER_DEPTH}")
    if lines and (lines[0].text == "-" or lines[0].text.startswith("- ")):
        return _sequence(lines, lines[0].indent, depth)
    values: dict[str, FrontValue] = {}
    while lines and lines[0].indent >= indent:
        level, content, number = lines.popleft()
        if level > indent:
            raise _Broken(f"line {number}: unexpected indentation")
        match = _KEY.match(content)
        if not match:
            raise _Broken(f"line {number}: expected `key: value`")
        key = _key(match)
        if key in values:
            raise _Broken(f"line {number}: {key!r} stands twice")
        rest = content[match.end() :].strip()
        below = lines[0] if lines else _Line(-1, "", 0)
        if rest in ("|", ">", "|-", ">-", "|+", ">+"):
            values[key] = _deeper(lines, indent)
        elif rest and not rest.startswith("#"):
            values[key] = value = _inline(rest, number, depth)
            # A plain scalar may run on over lines that are indented deeper.
            if isinstance(value, str) and rest[0] not in "\"'" and below.indent > indent:
                values[key] = f"{value} {_deeper(lines, indent)}"
        elif below.indent > indent or (below.indent == indent and below.text.startswith("- ")):
            values[key] = _block(lines, below.indent, depth + 1)
        else:
            values[key] = ""
    return values


def _sequence(lines: deque[_Line], indent: int, depth: int) -> FrontValue:
    items: list[FrontValue] = []
    while lines and lines[0].indent == indent and lines[0].text.startswith("-"):
        line = lines.popleft()
        rest = line.text[1:].strip()
        items.append(_inline(rest, line.number, depth) if rest else "")
        if lines and lines[0].indent > indent:
            raise _Broken(f"line {lines[0].number}: lists hold single values here")
    return items


def _deeper(lines: deque[_Line], indent: int) -> str:
    """Take off the lines that are indented deeper, joined to one."""
    parts = []
    while lines and lines[0].indent > indent:
        parts.append(lines.popleft().text)
    return " ".join(parts)


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


def _inline(text: str, number: int, depth: int) -> FrontValue:
    value, rest = _flow(text, number, depth, stops="")
    rest = rest.strip()
    if rest and not rest.startswith("#"):
        raise _Broken(f"line {number}: {rest[:40]!r} after the value")
    return value


def _flow(text: str, number: int, depth: int, stops: str) -> tuple[FrontValue, str]:
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


def _flow_items(text: str, number: int, depth: int) -> tuple[FrontValue, str]:
    items: list[FrontValue] = []
    text = text[1:].lstrip()
    while not text.startswith("]"):
        if not text:
            raise _Broken(f"line {number}: `[` is not closed")
        item, text = _flow(text, number, depth + 1, stops=",]")
        items.append(item)
        text = _after_item(text, "]", number)
    return items, text[1:]


def _flow_pairs(text: str, number: int, depth: int) -> tuple[FrontValue, str]:
    pairs: dict[str, FrontValue] = {}
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


def write_front(values: Mapping[str, FrontValue]) -> str:
    """Front matter with its dashes, one key a line; reading it gives the same values."""
    lines = [f"{_key_text(key)}: {_written(value)}".rstrip() for key, value in values.items()]
    return "\n".join(["---", *lines, "---", ""])


def _written(value: FrontValue) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key_text(k)}: {_written(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_written(v) for v in value) + "]"
    return _scalar(value)


def _key_text(key: str) -> str:
    return json.dumps(key) if ":" in key else _scalar(key)


#: What a plain scalar may not hold: flow marks, comments, quotes, controls, odd separators.
_UNSAFE = regex(r"[,\[\]{}#\"]|:(\s|$)|\s$|[\x00-\x1f]|[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ODD = regex(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def _scalar(text: str) -> str:
    if _PLAIN.match(text) and not _UNSAFE.search(text):
        return text
    return json.dumps(text, ensure_ascii=_ODD.search(text) is not None)
