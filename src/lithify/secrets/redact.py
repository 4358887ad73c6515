"""Credentials found in a text and replaced by marks that name their kind and keep their identity.

    The deploy key is [secret:aws-access-key:c41f09ab].

The eight hex digits are a keyed digest of the value: the same value has the same mark wherever it
stands in a root, and nobody without the key can try out values against it. Without a key a mark
has no digits. Marks are left as they are.

`token_formats` has the credentials that are known by their form, `labelled` those that the words
around them give away. Texts of any length are read in linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING

from lithify.regex import regex
from lithify.secrets.labelled import Secret, labelled_secrets, listed_secrets, paired_secrets
from lithify.secrets.nearby import LONG, nearby
from lithify.secrets.plausible import compiled
from lithify.secrets.token_formats import TokenFormat

# Loaded late: hooks read many texts, and hardly one of them holds a credential.
if TYPE_CHECKING:
    from lithify.text.occurrences import Span

_MARK = regex(r"\[secret:[a-z0-9-]+(?::[0-9a-f]{8})?\]")
#: Characters that are not seen: they can split a secret, never make up one.
_UNSEEN = regex(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
#: Code marks, bold and escapes in the middle of a token.
_GLUED = regex(
    r"(?<=[A-Za-z0-9_-])[*`]{1,4}(?=[A-Za-z0-9_-])"
    r"|\\(?<=[A-Za-z0-9]\\)(?=[_*-][A-Za-z0-9])"
)
#: A run that is long enough for a token.
_RUN = regex(rf"[\w.$~:/+=-]{{{LONG},}}")

#: A token that goes on in the next line, of a shell or of a box drawn around both too.
_WRAPPED = regex(
    r"\n(?<=[A-Za-z0-9_+/=.-]{12}\n)[ \t>]*(?=[A-Za-z0-9_+/=.-]{8,}[\"'`]?[ \t]*(?:[\r\n]|\Z))"
)
_BOXED = regex(
    r"(?:[ \t]{0,8}[│┃]|\\)\n[ \t│┃]*(?=[A-Za-z0-9_+/=.-]{8,}[\"'`]?[ \t]*[│┃]?[ \t]*(?:[\r\n]|\Z))"
)


def findings(text: str, allow: Collection[str] = (), before: str = "") -> tuple[Secret, ...]:
    """The credentials in a text, in order, none overlapping another.

    `allow` holds texts that are known to be harmless, or names of kinds to leave out. `before` is
    what the text stands under (a lead-in, the header of a table); nothing in it is a finding.
    """
    whole = f"{before}\n{text}" if before else text
    if whole.isascii() and whole.isprintable():
        found = list(_everything(whole))
    else:
        found = _seen(whole, _UNSEEN, _everything)
    if ("`" in whole or "**" in whole or "\\" in whole) and _GLUED.search(whole):
        found += _seen(whole, _GLUED, _tokens)
    for way in _WRAPPED, _BOXED:
        if "\n" not in whole or not way.search(whole):
            continue
        wrapped = _seen(whole, way, _everything)
        found += [one for one in wrapped if "\n" in whole[one.start : one.end]]
    if not found:
        return ()
    found += _said_again(whole, found)
    marks = [match.span() for match in _MARK.finditer(whole)]
    shift = len(whole) - len(text)
    kept: list[Secret] = []
    for finding in sorted(found, key=lambda one: (one.start, -one.end)):
        cut = _outside(finding, marks)
        if cut is None or cut.start < shift or cut.kind in allow:
            continue
        if whole[cut.start : cut.end] in allow:
            continue
        cut = Secret(cut.kind, cut.start - shift, cut.end - shift)
        if not kept or cut.start >= kept[-1].end:
            kept.append(cut)
        elif cut.end > kept[-1].end:
            kept[-1] = kept[-1]._replace(end=cut.end)
    return tuple(kept)


def _said_again(text: str, found: list[Secret]) -> Iterator[Secret]:
    """What is found once, wherever it stands again in other capitals."""
    lowered = text.lower()
    if len(lowered) != len(text):
        return
    values = {lowered[one.start : one.end]: one.kind for one in found if one.end - one.start < 64}
    for value, kind in values.items():
        if not (len(value) >= 8 and any(map(str.isdigit, value))):
            continue
        at = lowered.find(value)
        while at >= 0:
            yield Secret(kind, at, at + len(value))
            at = lowered.find(value, at + len(value))


def redact(
    text: str,
    allow: Collection[str] = (),
    key: Callable[[], bytes] | None = None,
    before: str = "",
) -> str:
    """Replace every credential in a text by a mark; `key` is asked for when there is one."""
    if not (spans := marked(text, allow, key, before)):
        return text
    from lithify.text.occurrences import replaced

    return replaced(text, spans)


def marked(
    text: str,
    allow: Collection[str] = (),
    key: Callable[[], bytes] | None = None,
    before: str = "",
) -> list[Span]:
    """Find the credentials in a text, each with its mark; also those seen once others are marked."""
    spans: list[Span] = []
    secret: bytes | None = None
    now = text
    while found := findings(now, allow, before):
        from lithify.text.occurrences import Span, replaced

        secret = (key() if key else b"") if secret is None else secret
        known, shift = iter([*spans, None]), 0
        span = next(known)
        for one in found:
            # Findings stand beside the marks, never across one.
            while span and span.start + shift < one.start:
                shift += len(span.new) - (span.end - span.start)
                span = next(known)
            spans.append(Span(one.start - shift, one.end - shift, mark_of(one, now, secret)))
        spans.sort()
        now = replaced(text, spans)
    return spans


def mark_of(finding: Secret, text: str, key: bytes) -> str:
    """What stands in place of a finding."""
    if not key:
        return f"[secret:{finding.kind}]"
    from hashlib import blake2b

    value = _GLUED.sub("", _UNSEEN.sub("", text[finding.start : finding.end]))
    digest = blake2b(value.encode("utf-8", "surrogatepass"), key=key).hexdigest()
    # A letter comes first: digits alone could be read as a date or a figure.
    found = re.search("[a-f][0-9a-f]{7}", digest)
    return f"[secret:{finding.kind}:{found[0] if found else digest[:8]}]"


def _outside(finding: Secret, marks: list[tuple[int, int]]) -> Secret | None:
    """A finding up to the first mark in it; None where it begins with or within one."""
    at = bisect_right(marks, (finding.start, 1 << 62)) - 1
    if at >= 0 and marks[at][1] > finding.start:
        return None
    if at + 1 < len(marks) and marks[at + 1][0] < finding.end:
        return finding._replace(end=marks[at + 1][0])
    return finding


def _seen(
    text: str, hidden: re.Pattern[str], find: Callable[[str], Iterator[Secret]]
) -> list[Secret]:
    """What is found in a text once some characters are taken out, at its places in the text."""
    starts, shifts, pieces = [0], [0], []
    done = 0
    for match in hidden.finditer(text):
        pieces.append(text[done : match.start()])
        done = match.end()
        starts.append(match.start() - shifts[-1])
        shifts.append(shifts[-1] + len(match[0]))
    if len(starts) == 1:
        return list(find(text))
    pieces.append(text[done:])

    def place(at: int) -> int:
        return at + shifts[bisect_right(starts, at) - 1]

    return [
        Secret(one.kind, place(one.start), place(one.end - 1) + 1) for one in find("".join(pieces))
    ]


def _everything(text: str) -> Iterator[Secret]:
    lowered = text.lower()
    near = nearby(lowered)
    if not near.any:
        return
    if near.rules:
        yield from _by_form(text, lowered, near.rules)
    # Where small letters take another number of characters, positions would not fit.
    lowered = lowered if len(lowered) == len(text) else text
    if near.words or near.capitals:
        yield from labelled_secrets(text, lowered, near.words)
    if near.accounts:
        yield from paired_secrets(text, lowered, near.accounts)
    if near.listed:
        yield from listed_secrets(text, lowered)


def _tokens(text: str) -> Iterator[Secret]:
    lowered = text.lower()
    yield from _by_form(text, lowered, nearby(lowered).rules)


def _by_form(text: str, lowered: str, rules: tuple[TokenFormat, ...]) -> Iterator[Secret]:
    runs: str | None = None
    for rule in rules:
        if rule.prefixed:
            # Tokens with a prefix are long runs without a space, and most texts hold few of those.
            runs = "\n".join(_RUN.findall(text)).lower() if runs is None else runs
            if not any(map(runs.__contains__, rule.near)):
                continue
        for start, end in _stretches(text, lowered, rule.near, rule.name == "private-key"):
            for match in compiled(rule.pattern).finditer(text, start, end):
                secret = match.lastindex or 0
                if rule.fits(match[secret]):
                    yield Secret(rule.name, *match.span(secret))


def _stretches(
    text: str, lowered: str, near: tuple[str, ...], whole: bool = False
) -> list[tuple[int, int]]:
    """The stretches worth searching: lines that hold one of the words, and the line after."""
    if "\n" not in text or len(lowered) != len(text) or whole:
        return [(0, len(text))] if any(one in lowered for one in near) else []
    lines: set[tuple[int, int]] = set()
    for one in near:
        at = lowered.find(one)
        while at >= 0:
            end = text.find("\n", at) + 1 or len(text)
            lines.add((text.rfind("\n", 0, at) + 1, text.find("\n", end) + 1 or len(text)))
            at = lowered.find(one, end)
    found: list[tuple[int, int]] = []
    for start, end in sorted(lines):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
