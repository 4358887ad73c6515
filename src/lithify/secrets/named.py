"""Credentials that are known by their name: `DB_PASSWORD=…`, `token: …`, `login (user / …)`.

The names are those of `formats.txt`. A value stands after a sign (`=`, `:`, `|`, an arrow), after a space
where code marks or the dashes of an option say that a value follows, in brackets, or beside a
user. It must look chosen or thrown: what is told in a sentence, and what is a word, is not found.
Each look goes at most a few hundred characters from the name, so that the time is linear in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from lithify.secrets.formats import (
    compiled,
    formats,
    has_all,
    has_sign,
    is_chosen,
    is_key,
    is_mixed,
    is_name,
    is_none,
    is_thrown,
)


class Secret(NamedTuple):
    """Where a credential stands in a text, and its kind."""

    kind: str
    start: int
    end: int


#: What makes another thing of the name before it or after it.
_OTHER = r"(?i)(?<![a-z])(?:cache|public|pub|primary|foreign|idempotency|id)[\s_.-]?$"
_NOT_VALUE = (
    r"(?i)s?[\s_-]?(?:id|hash|file|path|url|name|type|length|limit|count|policy)s?(?![a-z])"
)
#: The rest of a name, and the marks that close it.
_TAIL = r"s?(?:[_.-]?[A-Za-z0-9]{1,12}){0,2}\\?[\"'`*\])]{0,3}"
#: What the value belongs to: `password for the printer:`.
_OF = r"(?:\s[\w.@/'’()-]{1,30}){0,5}?"
_SIGN = r"\*{0,2}\s{0,3}(?P<sign>=>|:=|={1,2}|[:：＝|→]|->)\*{0,2}\s{0,3}(?:base64:)?"
_PLAIN, _PRINTED = "\"'`", "„“”‚‘’«»「」『』"
_MARKS = r",;&<>(){}\[\]|"
#: The most characters of a value that are judged; a longer one is taken to its end.
_MOST = 400
_BARE = (
    rf"(?:[^\s{_PLAIN}{_PRINTED}{_MARKS}\u2e80-\uffef]"
    # Marks inside a password: one before a space, or before the next `name=`, ends it.
    rf"|[{_MARKS}]{{1,4}}(?=[\w@#$%^])(?![\w.-]{{1,40}}[=:])){{3,{_MOST}}}(?<![.,:?*])"
)
_VALUE = (
    rf"(?:\*\*|__)?(?:(?P<quote>\\?[{_PLAIN}])(?P<quoted>[^\s{_PLAIN}\\]{{3,{_MOST}}})"
    rf"(?:(?P=quote)|(?=\S{{{_MOST}}}))"
    r"|<(?P<angled>[^\s<>]{8,200})>"
    rf"|[{_PRINTED}]\s?(?P<printed>[^\s{_PLAIN}{_PRINTED}\\]{{3,{_MOST}}})\s?[{_PRINTED}]"
    rf"|(?P<bare>{_BARE}))"
)
_BOXED = r"\s?(?:\((?P<round>[^\s()]{4,200})\)|\[(?P<square>[^\s()\[\]]{4,200})\](?!\())"
#: A user and a password, in brackets or around a slash.
_PAIR = (
    r"[^\n.!?;\ue000]{0,60}?(?:(?<=[\s(\[`\"'])[\w.@+-]{2,40}\s?/\s?|[(\[`][\w.@+-]{2,40}\s?[:,]\s?)"
    r"(?P<value>[^\s\"'`()\[\]|/]{6,80})"
)
#: A value in the line of its name that only a machine can have made.
_FAR = r"[^\n\ue000]{0,60}?(?<![\w/.+=-])(?P<value>[A-Za-z0-9_+/-]{20,200}={0,2})(?![\w/+=-]|\.\w)"
#: What may be a key, right behind the name of one.
_KEY = r"(?=(?:[^\s\d]{0,100}\d){4})[\w+/=.-]{20,}"
#: What says that a digest or a fingerprint follows.
_DIGEST = r"(?i)(?:sha|md|blake)-?\d[\w-]{0,4}[:=\s-]\s?$"
_CALL = r"[A-Za-z_][\w.]*[(\[<]"
_FENCE = r"(?m)^[ \t>]*(?:`{3,}|~{3,})"


@cache
def _name_pattern() -> re.Pattern[str]:
    """Match a name; the group that matched says what its value is like."""

    def any_of(words: tuple[str, ...], begins: str) -> str:
        whole = [re.escape(word).replace("\\ ", "[ _-]?") for word in words if word != "pin"]
        ends = rf"(?:(?!(?!s(?![^\W\d_]))[^\W\d_])|{turn})"
        return "|".join(one if len(one) > 5 else f"{begins}{one}{ends}" for one in whole)

    known = formats()
    # A short name of a password is the end of many words: it begins one, or a part of one.
    turn = r"(?-i:(?<=[a-z])(?=[A-Z]))"
    begins = rf"(?:(?<![^\W\d_])|{turn})"
    pin = r"(?<![^\W\d_])(?:PIN|pin(?=s?\s?[:=]))(?![^\W\d_])"
    return re.compile(
        rf"(?i)(?P<password>{any_of(known.names, begins)})|(?P<token>{any_of(known.made, '')})"
        rf"|(?P<user>{any_of(known.users, begins)})|(?-i:(?P<pin>{pin}))"
    )


@cache
def near_names() -> tuple[str, ...]:
    """List what stands in every line with a name, in small letters."""
    known = formats()
    words = (*known.names, *known.made, *known.users)
    found = {word.partition(" ")[0] if " " in word else word for word in words}
    return tuple(sorted(one for one in found if not any(o in one for o in found - {one})))


def named_secrets(text: str, stretches: list[tuple[int, int]]) -> Iterator[Secret]:
    """Yield the credentials that stand beside a name, in the lines that hold one."""
    fences = [found.start() for found in compiled(_FENCE).finditer(text)]
    for begin, end in stretches:
        at = begin
        while name := _name_pattern().search(text, at, end):
            at = name.end()
            for one in _beside(text, name, end, fences):
                if not compiled(_DIGEST).search(text, max(at, one.start - 12), one.start):
                    yield one
                    at = max(at, one.end)


def _in_code(text: str, at: int, fences: list[int]) -> bool:
    """Tell whether a place is inside a fenced block or a code span."""
    before = text[max(0, at - 200) : at].rpartition("\n")[2]
    return bisect_right(fences, at) % 2 == 1 or before.count("`") % 2 == 1


def _beside(text: str, name: re.Match[str], end: int, fences: list[int]) -> Iterator[Secret]:
    """Yield the value of one name."""
    kind = str(name.lastgroup)
    start, stop = name.end(), min(end, name.end() + 900)
    if compiled(_OTHER).search(text, max(0, name.start() - 16), name.start()):
        return
    if kind != "user" and not compiled(_NOT_VALUE).match(text, start, stop):
        tail = compiled(_TAIL).match(text, start, stop)
        after = tail.end() if tail else start
        whole = _value(text, after, stop, name, fences)
        if whole:
            yield whole
            return
        if boxed := compiled(_BOXED).match(text, start, stop):
            group = str(boxed.lastgroup)
            if _is_value(boxed[group], kind, sure=False) and _is_no_commit(boxed[group], 32):
                yield Secret(kind, *boxed.span(group))
                return
        far = compiled(_FAR).match(text, start, stop) if kind == "token" else None
        if far and _is_far(far["value"]):
            yield Secret("token", *far.span("value"))
            return
    if kind in ("user", "password", "token"):
        pair = compiled(_PAIR).match(text, start, stop)
        if pair and _is_paired(pair["value"].rstrip(".,:;")):
            first = pair.start("value")
            yield Secret("password", first, first + len(pair["value"].rstrip(".,:;")))


def _value(
    text: str, after: int, stop: int, name: re.Match[str], fences: list[int]
) -> Secret | None:
    """Find the value after a sign, or after a space between code marks."""
    kind, sure = str(name.lastgroup), True
    if not (link := compiled(_SIGN).match(text, after, stop)):
        direct = compiled(r"\s{1,3}").match(text, after, stop)
        option = compiled(r"--?[\w-]{0,24}$").search(text, max(0, name.start() - 26), name.start())
        if (direct and (option or _in_code(text, name.start(), fences))) or (
            direct and kind == "token" and compiled(_KEY).match(text, direct.end(), stop)
        ):
            link = direct
        else:
            link, sure = compiled(_OF + _SIGN).match(text, after, stop), False
    found = compiled(_VALUE).match(text, link.end(), stop) if link else None
    if not found or link is None:
        return None
    group = next(one for one in ("quoted", "printed", "angled", "bare") if found[one] is not None)
    value, (first, last) = found[group], found.span(group)
    if group == "bare":
        value = value.rstrip("*_" if found[0].startswith(("**", "__")) else "").rstrip(")]}>")
        last = first + len(value)
        if _is_call(value, text, last):
            return None
    signed = sure and "sign" in link.groupdict()
    least = 32 if sure and kind == "token" else _MOST
    if not _is_value(value, kind, sure=sure) or not (signed or _is_no_commit(value, least)):
        return None
    if len(value) >= _MOST and (rest := compiled(r"[^\s\"'`]+").match(text, last)):
        last = rest.end()
    return Secret(kind, first, last)


def _is_value(value: str, kind: str, *, sure: bool) -> bool:
    """Tell whether the value of a name is a credential; `sure`: it is assigned or quoted."""
    if kind == "pin":
        return value.isdigit() and 4 <= len(value) <= 8
    if is_none(value) or "\\n" in value:
        return False
    if kind == "token":
        return is_thrown(value, 8 if sure else 12)
    if not is_chosen(value):
        return False
    return sure or not is_name(value)


def _is_no_commit(value: str, least: int) -> bool:
    """Tell a value from hexadecimal digits that no sign joins to their name, which may be a commit's."""
    is_hex = compiled(r"(?i)(?:0x)?[0-9a-f]+").fullmatch(value) is not None
    return not is_hex or len(value) >= least


def _is_paired(value: str) -> bool:
    """Tell whether what stands beside a user is a password."""
    long = len(value) >= 8 and has_all(value) and not is_name(value)
    strong = (is_mixed(value) and has_sign(value)) or long
    return strong and not is_none(value)


def _is_far(value: str) -> bool:
    """Tell whether a value that words part from its name can be nothing but a key."""
    if is_key(value):
        return True
    small = compiled(r"(?=(?:\D*\d){4})[0-9a-z]{20,40}").fullmatch(value) is not None
    return small and _is_no_commit(value, 32) and len(value) != 40 and not is_none(value)


def _is_call(value: str, text: str, end: int) -> bool:
    """Tell whether the text goes on as the call or the type that a value begins."""
    rest = text[end : end + 300].partition("\n")[0]
    if rest[:1] in ("(", "["):
        return True
    closed = re.search(r"[)\]>]", value + rest) or not any(map(str.isdigit, value))
    return bool(closed and compiled(_CALL).match(value))
