"""Credentials found in a text and replaced by marks that name their kind and keep their identity.

    The deploy key is [secret:aws-access-key:c41f09ab].

The eight hex digits are a keyed digest of the value: the same value has the same mark wherever it
stands in a root, and nobody without the key can try out values against it. Without a key a mark
has no digits. Marks are left as they are.

A file is searched as a whole, once: `shown` gives its bytes with every line in its place, from which all
that is shown of it is read. So `scan` and every other command find the same. Texts of any length are read
in linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator

from lithify.regex import regex
from lithify.secrets.formats import compiled, formats
from lithify.secrets.named import Secret, named_secrets, near_names
from lithify.text.occurrences import Span, merged, replaced

_MARK = regex(r"\[secret:[a-z0-9-]+(?::[0-9a-f]{8})?\]")
#: Characters that are not seen: they can split a secret, never make up one.
_UNSEEN = regex(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
_CONTROL = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
#: Code marks, bold and escapes in the middle of a token.
_GLUED = regex(
    r"(?<=[A-Za-z0-9_-])[*`]{1,4}(?=[A-Za-z0-9_-])|(?<=[A-Z0-9])__(?=[A-Z0-9])"
    r"|\\(?<=[A-Za-z0-9]\\)(?=[_*-][A-Za-z0-9])"
)
#: A token that goes on in the next line, of a shell or of a box drawn around both too.
_WRAPPED = regex(
    r"\n(?<=[A-Za-z0-9_+/=.%:-]{12}\n)[ \t>]*(?=[a-z_+/.-]*[A-Z0-9])"
    r"(?=[A-Za-z0-9_+/.%-]{6,}={0,2}[\"'`,;)]{0,3}[ \t]*(?:[\r\n]|\Z))"
)
_BOXED = regex(
    r"(?:[ \t]{0,8}[│┃]|\\)\n[ \t│┃]*"
    r"(?=[A-Za-z0-9_+/.-]{8,}={0,2}[\"'`]?[ \t]*[│┃]?[ \t]*(?:[\r\n]|\Z))"
)
_LINE = regex(r"\n[\s>│┃]*")
_RUN = regex(r"[^\W_]+")
#: The shortest value that is replaced wherever else it stands, and the characters read together.
_AGAIN, _PIECE = 6, 1 << 20
#: How often a text is searched again with what was found replaced.
_ROUNDS = 4


#: What covers a mark or a credential while a text is searched; no credential has it.
_COVER = "\ue000"


def findings(text: str, allow: Collection[str] = ()) -> tuple[Secret, ...]:
    """Return the credentials in a text, in order, none overlapping another.

    `allow` holds texts that are known to be harmless, or names of kinds to leave out.
    What was found is covered and the text searched again, because it may have hidden another.
    """
    covered = _MARK.sub(lambda mark: _COVER * len(mark[0]), text) if "[secret:" in text else text
    found: list[Secret] = []
    for _ in range(_ROUNDS):
        new = _uncovered(covered, _in_pieces(covered), text, allow)
        if not new:
            break
        found += new
        covers = (Span(one.start, one.end, _COVER * (one.end - one.start)) for one in new)
        covered = replaced(covered, covers)
    if found:
        found += _uncovered(covered, _again(covered, text, found), text, allow)
    return tuple(sorted(found, key=lambda one: one.start))


def redact(text: str, allow: Collection[str] = (), key: Callable[[], bytes] | None = None) -> str:
    """Replace every credential in a text by a mark; `key` is asked for when there is one."""
    return replaced(text, marked(text, allow, key))


def marked(
    text: str, allow: Collection[str] = (), key: Callable[[], bytes] | None = None
) -> list[Span]:
    """Find the credentials in a text, each with its mark."""
    found = findings(text, allow)
    secret = key() if key and found else b""
    return [Span(one.start, one.end, _mark(text, one, secret)) for one in found]


def shown(
    data: bytes, allow: Collection[str] = (), key: Callable[[], bytes] | None = None
) -> bytes:
    """Return the bytes of a file without its credentials, every line still in its place.

    A credential of several lines leaves its mark in the first one and nothing in the others.
    """
    text = data.decode("utf-8", "surrogateescape")
    spans = [
        span._replace(new=span.new + "\n" * text.count("\n", span.start, span.end))
        for span in marked(text, allow, key)
    ]
    return replaced(text, spans).encode("utf-8", "surrogateescape") if spans else data


def _mark(text: str, one: Secret, key: bytes) -> str:
    """Make what stands in place of a credential."""
    if not key:
        return f"[secret:{one.kind}]"
    from hashlib import blake2b

    value = _GLUED.sub("", _UNSEEN.sub("", text[one.start : one.end]))
    digest = blake2b(value.encode("utf-8", "surrogatepass"), key=key).hexdigest()
    # A letter comes first: digits alone could be read as a date or a figure.
    found = re.search("[a-f][0-9a-f]{7}", digest)
    return f"[secret:{one.kind}:{found[0] if found else digest[:8]}]"


def _uncovered(
    covered: str, found: Iterable[Secret], text: str, allow: Collection[str]
) -> list[Secret]:
    """Join what overlaps, and cut what reaches into what is covered."""
    kept: list[Secret] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        cut = covered.find(_COVER, one.start, one.end)
        end = one.end if cut < 0 else cut
        if end <= one.start or one.kind in allow or text[one.start : end] in allow:
            continue
        if not kept or one.start >= kept[-1].end:
            kept.append(one._replace(end=end))
        elif end > kept[-1].end:
            kept[-1] = kept[-1]._replace(end=end)
    return kept


def _again(covered: str, text: str, found: list[Secret]) -> Iterator[Secret]:
    """Find the same values wherever else they stand, in whatever case.

    Each is looked up by its longest run of letters and digits, so that many cost no more than a few.
    """
    lowered, small = _lower(covered), _lower(text)
    known: dict[str, dict[tuple[int, int], dict[str, str]]] = {}
    for kind, start, end in found:
        value = small[start:end]
        if _AGAIN <= len(value) < 200:
            run = max(_RUN.finditer(value), key=lambda run: len(run[0]), default=None)
            if run:
                place = (run.start(), len(value))
                known.setdefault(run[0], {}).setdefault(place, {})[value] = kind
    for run in _RUN.finditer(lowered) if known else ():
        for (before, size), values in known.get(run[0], {}).items():
            start = run.start() - before
            if start >= 0 and (kind_of := values.get(lowered[start : start + size])):
                yield Secret(kind_of, start, start + size)


def _lower(text: str) -> str:
    """Return a text in small letters, each character in its place."""
    return text.replace("İ", "I").lower()


def _in_pieces(text: str) -> Iterator[Secret]:
    """Search a text piece by piece, so that a long one takes little memory.

    A piece ends behind a blank line where it can, and never in the armour of a key.
    """
    begin = 0
    while begin < len(text):
        end = len(text)
        if end - begin > 2 * _PIECE:
            blank = text.find("\n\n", begin + _PIECE, begin + 2 * _PIECE)
            line = text.find("\n", begin + 2 * _PIECE)
            end = blank + 2 if blank >= 0 else line + 1 or end
            armour = text.rfind("-----BEGIN ", begin + 1, end)
            if armour > text.rfind("-----END ", begin, end):
                end = armour
        whole = not begin and end == len(text)
        for one in _in_piece(text if whole else text[begin:end]):
            yield Secret(one.kind, one.start + begin, one.end + begin)
        begin = end


def _in_piece(text: str) -> Iterator[Secret]:
    """Search one piece: as it stands, without what is not seen, and with wrapped lines joined."""
    is_plain = text.isascii() and not _CONTROL.search(text)
    alone = list(_search(text) if is_plain else _without(text, _UNSEEN, _search))
    yield from alone
    begins = {one.start for one in alone}
    if _GLUED.search(text):
        glued = _without(text, _GLUED, _search)
        yield from (one for one in glued if _GLUED.search(text, one.start, one.end))
    for way in (_WRAPPED, _BOXED) if "\n" in text else ():
        if way.search(text):
            for one in _without(text, way, _search):
                line = _LINE.search(text, one.start, one.end)
                # Of two credentials each in a line of its own neither goes on in the next line.
                if line and not (one.start in begins and line.end() in begins):
                    yield one


def _without(
    text: str, hidden: re.Pattern[str], find: Callable[[str], Iterator[Secret]]
) -> Iterator[Secret]:
    """Search a text once some characters are taken out; the places are those in the text."""
    starts, shifts, pieces, done = [0], [0], [], 0
    for match in hidden.finditer(text):
        pieces.append(text[done : match.start()])
        done = match.end()
        starts.append(match.start() - shifts[-1])
        shifts.append(shifts[-1] + len(match[0]))
    bare = "".join([*pieces, text[done:]]) if pieces else text

    def place(at: int) -> int:
        return at + shifts[bisect_right(starts, at) - 1]

    for one in find(bare):
        yield Secret(one.kind, place(one.start), place(one.end - 1) + 1)


def _search(text: str) -> Iterator[Secret]:
    yield from _by_form(text)
    lowered = _lower(text)
    if stretches := _stretches(text, lowered, near_names()):
        yield from named_secrets(text, stretches)


def _by_form(text: str) -> Iterator[Secret]:
    """Find what is known by its form."""
    lowered, near = _lower(text), formats().near
    # Most texts hold few of the strings that one of the formats needs.
    held = [one for string, found in near.items() if string in lowered for one in found]
    for one in dict.fromkeys(held):
        for start, end in _stretches(text, lowered, one.near, whole=one.kind == "private-key"):
            for match in compiled(one.pattern).finditer(text, start, end):
                group = match.lastindex or 0
                if one.fits(match[group]):
                    yield Secret(one.kind, *match.span(group))


def _stretches(
    text: str, lowered: str, near: tuple[str, ...], *, whole: bool = False
) -> list[tuple[int, int]]:
    """Return what is worth searching: the lines that hold one of some strings, each with the next."""
    if "" in near:
        return [(0, len(text))]
    if whole or "\n" not in text:
        return [(0, len(text))] if any(one in lowered for one in near) else []
    lines: set[Span] = set()
    for one in near:
        at = lowered.find(one)
        while at >= 0:
            end = text.find("\n", at) + 1 or len(text)
            lines.add(Span(text.rfind("\n", 0, at) + 1, text.find("\n", end) + 1 or len(text)))
            at = lowered.find(one, end)
    return [(span.start, span.end) for span in merged(lines)]
