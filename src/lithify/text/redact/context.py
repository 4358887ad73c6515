"""Credentials that are known by the words around them: `the PIN is now …`, `password (…)`.

A word for a credential is looked for first; then a value in one of the places where people write
it: after a colon, an equals sign or a verb, in brackets, bold or code marks, before the word
("… is the password"), in the answer to a question, or beside a user name. Each look goes at most a
few hundred characters from the word, so that the time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from lithify.text.redact import words
from lithify.text.redact.weigh import (
    has_symbol,
    is_call,
    is_chosen,
    is_hex,
    is_mixed,
    is_name,
    is_placeholder,
    is_random,
    is_reference,
    is_strong,
    is_technical,
    is_thrown,
    is_uuid,
)


class Place(NamedTuple):
    """Where a secret stands, and its kind."""

    kind: str
    start: int
    end: int


class Word(NamedTuple):
    """A word for a credential: its kind, whether no more is said of it, and how it is introduced."""

    kind: str
    text: str
    start: int
    end: int
    bare: bool
    mark: str
    given: bool


_ESCAPED_LINE_END = "\\n"


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    # Hooks import this module on every call: a pattern costs nothing until a text comes near it.
    return re.compile(pattern)


def places(text: str, lowered: str) -> Iterator[Place]:
    """The secrets of a text that the words around them give away.

    The words are looked for only around the few strings that one of them must hold; a value
    stands in the line of its word or in the next.
    """
    at = start = line = end = 0
    for hit in sorted({*_hits(lowered, words.NEAR), *_hits(text, ("PIN", "PUK", "TAN"))}):
        stop = hit + words.LONGEST
        found = compiled(words.WORD).search(text, max(at, hit - words.LONGEST), stop)
        if not found:
            continue
        at = found.end()
        if found.start() >= line:
            start = text.rfind("\n", line, found.start()) + 1 or line
            line = text.find("\n", at) + 1 or len(text)
            end = text.find("\n", line) + 1 or len(text)
        if text[found.start() - 1 : found.start()] in ("-", "_"):
            before = max(start, found.start() - 26)
            if option := compiled(words.FLAG).search(text, before, min(line, at + 430)):
                yield from _option(option)
        word = _word(text, found, start, end)
        for place in _around(text, word, start, end) if word else ():
            yield place
            at = max(at, place.end)
            also = compiled(words.ALSO).match(text, place.end, min(end, place.end + 80))
            if also and word:
                yield from _value(text, also.end(), end, "said", word)
    yield from _pairs(text, lowered)


def _hits(text: str, near: tuple[str, ...]) -> Iterator[int]:
    for one in near:
        at = text.find(one)
        while at >= 0:
            yield at
            at = text.find(one, at + len(one))


def _pairs(text: str, lowered: str) -> Iterator[Place]:
    """Passwords beside a user name, in lines that speak of an account."""
    done = 0
    for hit in sorted(_hits(lowered, words.NEAR_ACCOUNT)):
        if hit < done:
            continue
        start, done = text.rfind("\n", 0, hit) + 1, text.find("\n", hit) + 1 or len(text)
        for found in compiled(words.PAIR).finditer(text, start, done):
            value = found["value"]
            # Glued to a slash it may be the end of a path.
            in_path = text[found.start("value") - 1] == "/" and not has_symbol(value)
            if _is_paired(value, found["between"]) and not is_placeholder(value) and not in_path:
                yield Place("password", *found.span("value"))


def _word(text: str, found: re.Match[str], start: int, end: int) -> Word | None:
    """What a match means; None where it is another thing, as in `cache key` or `password policy`."""
    kind = next(name for name in ("phrase", "password", "pin", "code", "key") if found[name])
    bare = any(found[name] is not None for name in ("bare_code", "bare_key", "bare_pin"))
    if compiled(words.OTHER).match(text, found.end(), end):
        return None
    if kind in ("key", "code") and compiled(words.HARMLESS).search(
        text, max(start, found.start() - 24), found.start()
    ):
        return None
    if found["bare_code"] is not None:
        around = text[max(start, found.start() - 80) : min(end, found.end() + 60)]
        if not compiled(words.ACCESS).search(around):
            return None
    low = found[0].lower()
    mark = {"phrase": "passphrase"}.get(kind, kind)
    if kind == "key":
        names = {"token": "token", "jeton": "token", "secret": "secret", "cred": "credential"}
        mark = next((names[name] for name in names if name in low), "key")
    before = text[max(start, found.start() - 12) : found.start()].lower()
    given = before.endswith(("with the ", "with ", "using the ", "use the ", "mit dem "))
    return Word(kind, found[0], found.start(), found.end(), bare, mark, given)


def _around(text: str, word: Word, start: int, end: int) -> Iterator[Place]:
    """The value that belongs to one word for a credential."""
    if link := compiled(words.FROM).match(text, word.end, min(end, word.end + 400)):
        old = link["old"].strip("\"'`*“”„«»()")
        new = list(_value(text, link.end(), end, "said", word))
        if old and new and is_secret(old, word, "said", delimited=old != link["old"]):
            begin = link.start("old") + link["old"].index(old)
            yield Place(word.mark, begin, begin + len(old))
        yield from new
        if new:
            return
    tail = compiled(words.TAIL).match(text, word.end, end)
    after = tail.end() if tail else word.end
    ways = (
        ("given", words.ASSIGN, after),
        ("said", words.VERB, word.end),
        ("direct", words.DIRECT, word.end),
        ("said", words.ASKED, word.end),
        ("gap", words.NEXT_LINE, word.end),
        ("gap", words.GAP, word.end),
    )
    for how, pattern, begin in ways:
        link = compiled(pattern).match(text, begin, min(end, begin + 300))
        if not link:
            continue
        if how == "given" and link["how"] == "=" and word.text.isupper():
            how = "sure"
        if found := list(_value(text, link.end(), end, how, word)):
            yield from found
            return
    if found := list(_before(text, word, start)) or list(_nearby(text, word, end)):
        yield from found


def _nearby(text: str, word: Word, end: int) -> Iterator[Place]:
    """A value that other words part from its word, where its form leaves little doubt."""
    stop = min(word.end + 90, end)
    line = text.find("\n", word.end, stop)
    stop = line if line >= 0 else stop
    if word.kind in ("pin", "code"):
        found = compiled(words.NEARBY_CODE).match(text, word.end, stop)
        if found and _is_code(found["value"], word, "said") and not _is_year(found["value"]):
            yield Place(word.mark, *found.span("value"))
        return
    for found in compiled(words.NEARBY).finditer(text, word.end, stop):
        value = found["value"].rstrip(".,;:?")
        between = text[word.end : found.start("value")]
        if is_placeholder(value) or is_technical(value) or is_reference(value):
            continue
        if word.kind == "key":
            good = len(value) >= (32 if word.bare else 20) and is_random(value)
        else:
            good = (
                is_mixed(value) and (has_symbol(value) or is_chosen(value)) and not is_name(value)
            )
            linked = compiled(words.LINKED).search(between)
            good = good or bool(linked and len(value) >= 12 and is_chosen(value))
        if good and not compiled(words.NOT_THE_KEY).search(between):
            yield Place(word.mark, found.start("value"), found.start("value") + len(value))
            return


def _is_year(value: str) -> bool:
    return len(value) == 4 and value.startswith(("19", "20"))


def _value(text: str, begin: int, end: int, how: str, word: Word) -> Iterator[Place]:
    """The value that begins at a position, if it is a secret."""
    boxed = compiled(words.BOXED).match(text, begin, end)
    if boxed and how != "said":
        group = str(boxed.lastgroup)
        strict = "gap" if word.kind in ("password", "phrase") else how
        if is_secret(boxed[group], word, strict, delimited=True):
            yield Place(word.mark, *boxed.span(group))
        return
    if word.kind in ("pin", "code"):
        grouped = compiled(words.GROUPED).match(text, begin, end)
        if grouped and _is_code(grouped[0], word, how) and not is_technical(grouped[0]):
            yield Place(word.mark, *grouped.span())
            return
    found = compiled(words.VALUE).match(text, begin, end)
    if not found:
        return
    group = next(name for name in ("quoted", "printed", "bare") if found[name] is not None)
    value, delimited = found[group], group != "bare"
    first, last = found.span(group)
    if found["bold"] and not delimited:
        value = value.rstrip("*_")
        delimited, last = True, first + len(value)
    if not delimited and (is_call(value, text, last) or is_reference(value)):
        return
    if (
        how == "direct"
        and word.given
        and not delimited
        and text[last : last + 1] in ("", *".,;)\n")
    ):
        # "unlocks with the password …": only the value can follow.
        how = "told"
    elif how == "direct" and word.text.lower() in ("pw", "pwd", "passwd", "mdp"):
        # A short form needs no verb.
        how = "said"
    if not is_secret(value, word, how, delimited=delimited):
        return
    if len(value) >= words.MOST and (rest := compiled(r"[^\s\"'`]+").match(text, last)):
        last = rest.end()
    yield Place(word.mark, first, last)


def is_secret(value: str, word: Word, how: str, *, delimited: bool) -> bool:
    """Whether a value beside a word for a credential is one.

    The surer the place, the less the value itself must look like a secret: `sure` is an assignment
    to a constant, `given` any other, `told` and `said` are sentences, `direct` follows the word
    itself, and with a `gap` other words stand between.
    """
    if _ESCAPED_LINE_END in value:
        return False
    if is_placeholder(value):
        return False
    if word.kind in ("pin", "code"):
        return _is_code(value, word, how)
    if is_technical(value):
        return False
    if word.kind == "phrase" and how != "gap":
        first, *rest = value.lower().split()
        spoken = delimited and len(rest) >= 2 and first not in words.PROSE
        if spoken and not compiled(words.INFLECTED).fullmatch(first):
            return True
        if _is_joined_phrase(value):
            return True
    if word.kind in ("password", "phrase"):
        return _is_password(value, how, delimited)
    if delimited and is_reference(value):
        return False
    if how in ("direct", "gap", "said", "told"):
        if is_uuid(value) or (is_hex(value) and how == "gap"):
            return not word.bare and how != "gap" and word.mark in ("key", "secret")
        if word.bare and how != "said" and is_hex(value):
            return False
        return is_thrown(value, 10 if delimited else 12 if how == "said" and not word.bare else 16)
    return is_thrown(value, 8 if delimited else 12)


def _is_joined_phrase(value: str) -> bool:
    """Whether a value is four words or more joined by marks, none of which prose needs."""
    pieces = re.split(r"[-._]", value.lower())
    return len(pieces) >= 4 and all(pieces) and not words.PROSE.intersection(pieces)


def _is_password(value: str, how: str, delimited: bool) -> bool:
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    symbols = any(not (char.isalnum() or char in "-_./") for char in value)
    if how == "told":
        return len(value) >= 6 and not value.islower()
    if how in ("direct", "gap"):
        if delimited and how == "direct":
            lower = value.islower() and not (is_mixed(value) and len(value) >= 8)
            return len(value) >= 6 and not lower and not _is_prose(value)
        return is_chosen(value) or (is_strong(value) and len(value) >= 8)
    if delimited:
        return len(value) >= 6 and not _is_prose(value)
    if how == "said":
        return letters and len(value) >= 6 and (digits or (len(value) >= 8 and has_symbol(value)))
    return len(value) >= 6 and (how == "sure" or digits or symbols)


def _is_code(value: str, word: Word, how: str) -> bool:
    plain = value.strip("#*.").replace("-", "").replace(" ", "")
    if plain.isdigit():
        if word.bare and how not in ("given", "said") and word.kind == "pin":
            return False  # a pin of a plug or a chip
        return 4 <= len(plain) <= 12 and (how != "gap" or word.kind == "pin")
    return (
        word.kind == "code"
        and how != "gap"
        and is_mixed(plain)
        and (
            (len(plain) >= 6 and is_strong(value) and not word.bare)
            or (len(plain) >= 5 and plain.isupper())
        )
    )


def _is_prose(value: str) -> bool:
    """Whether quoted words are a sentence or a name and not what somebody chose for a secret."""
    said = value.lower().split()
    if any(map(str.isdigit, value)):
        return False
    if len(said) < 2:
        return is_reference(value) and value.count("-") < 2
    return any(word in words.PROSE for word in said)


def _is_paired(value: str, between: str) -> bool:
    """Whether a value beside a user name is the password."""
    if _ESCAPED_LINE_END in value or is_technical(value.rstrip("):")):
        return False  # the words of two lines of a JSON string; a version or address
    if is_mixed(value) and has_symbol(value) and len(value) >= 6:
        return True
    if between == " / " and len(value) >= 8 and (is_strong(value) or has_symbol(value)):
        return True
    # "and" or a space join many other things.
    return is_chosen(value) and between.strip() not in ("", "and", "und", "et", "y")


def _option(found: re.Match[str]) -> Iterator[Place]:
    """The secret that an option of a command line gives."""
    name, value = found["name"], found["value"]
    if is_placeholder(value) or is_technical(value):
        return
    if "pass" in name or name.endswith(("pw", "pin")):
        given = found["quote"] is not None or f"{name}=" in found[0]
        if given or not value.isalpha() or len(value) >= 8:
            yield Place("password", *found.span("value"))
    elif is_mixed(value) and len(value) >= 8 and not is_name(value):
        yield Place("token", *found.span("value"))


def _before(text: str, word: Word, start: int) -> Iterator[Place]:
    """A value that stands before its word: `… is the new password`."""
    begin = max(start, word.start - 160)
    line = text.rfind("\n", begin, word.start) + 1 or begin
    if found := compiled(words.BEFORE).search(text, max(begin, line), word.start):
        value = found["value"].rstrip(".,:;?")
        if is_placeholder(value) or is_technical(value) or is_reference(value):
            return
        if word.kind in ("password", "phrase"):
            good = is_strong(value) or is_chosen(value)
            # A commit and what it did: `76fccbc - password reset`.
            good = good and not (is_hex(value) and found["link"] in "–—-(")
        elif word.kind in ("pin", "code"):
            digits = value.isdigit() and 4 <= len(value) <= 8 and not _is_year(value)
            good = digits and not word.bare and found["link"] in ("is", "was", "as", "=")
        else:
            good = word.kind == "key" and is_thrown(value, 16)
            good = good and not is_uuid(value) and not is_hex(value)
        if good:
            first = found.start("value") + found["value"].index(value)
            yield Place(word.mark, first, first + len(value))
