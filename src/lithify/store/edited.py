"""One Markdown file with words or whole entries taken out, and where each entry went."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping
from datetime import date
from itertools import accumulate
from typing import NamedTuple

from lithify.markdown.pages import split_provenance
from lithify.markdown.parse import parse
from lithify.text.occurrences import Find, Span, merged

_UTF8 = ("utf-8", "surrogateescape")


class Edited(NamedTuple):
    """The new bytes of a file, the ids that changed, the texts of new ids, and what was erased.

    `spans` are the parts of the old bytes that were exchanged.
    """

    data: bytes
    ids: dict[str, str]
    texts: dict[str, str]
    erased: tuple[str, ...]
    spans: tuple[tuple[int, int, int], ...]

    def place(self, offset: int) -> int:
        """Where a byte of the old file stands in the new one."""
        shift = 0
        for start, end, length in self.spans:
            if offset <= start:
                break
            if offset < end:
                return start + shift + length
            shift += length - (end - start)
        return offset + shift


def edited(
    data: bytes,
    label: str,
    day: date | None,
    find: Find,
    gone: Collection[str],
    cited: Mapping[str, str] | None = None,
) -> Edited:
    """Replace what is found in a file and take out entries: those gone, and those that cite one.

    `cited` gives the new ids of entries; an entry of the file that cites one without goes too.
    """
    document = parse(data, label=label, day=day)
    ends = list(accumulate(len(block.raw) for block in document.blocks))
    whole: list[Span] = []
    erased: list[str] = []
    for block, end in zip(document.blocks, ends, strict=True):
        if block.entry is None:
            continue
        _, ids = split_provenance(block.entry.text) if cited else ("", ())
        if block.entry.id in gone or any((cited or {}).get(id) == "" for id in ids):
            whole.append(Span(end - len(block.raw), end, ""))
            erased.append(block.entry.text)
    spans = _with_found(data, find, whole)
    if not spans:
        return Edited(data, {}, {}, (), ())
    new = _replaced(data, spans)
    places = tuple((s.start, s.end, len(s.new.encode(*_UTF8))) for s in spans)
    result = Edited(new, {}, {}, tuple(erased), places)
    after = parse(new, label=label, day=day).blocks
    starts = list(accumulate((len(block.raw) for block in after), initial=0))
    for block, end in zip(document.blocks, ends, strict=True):
        if block.entry is None:
            continue
        start = end - len(block.raw)
        removed = any(span.start <= start and end <= span.end and not span.new for span in spans)
        # An entry whose beginning was replaced is now the one that holds the replacement.
        at = bisect_right(starts, result.place(start + 1) - 1) - 1
        now = None if removed or at >= len(after) else after[at].entry
        if now is None or now.id != block.entry.id:
            result.ids[block.entry.id] = now.id if now else ""
        if now is not None and now.id != block.entry.id:
            result.texts[now.id] = now.text
    return result


def _with_found(data: bytes, find: Find, whole: list[Span]) -> list[Span]:
    """What is found, by bytes, together with the parts that are taken out whole."""
    text = data.decode(*_UTF8)
    found = merged(find(text))
    if found and not text.isascii():
        # From characters to bytes, counted on from one place to the next.
        at = size = 0
        by_bytes = []
        for span in found:
            size += len(text[at : span.start].encode(*_UTF8))
            length = len(text[span.start : span.end].encode(*_UTF8))
            by_bytes.append(Span(size, size + length, span.new))
            at, size = span.end, size + length
        found = by_bytes
    starts = [span.start for span in whole]

    def inside(span: Span) -> bool:
        before = bisect_right(starts, span.start) - 1
        return before >= 0 and span.end <= whole[before].end

    return merged([*whole, *(span for span in found if not inside(span))])


def _replaced(data: bytes, spans: list[Span]) -> bytes:
    parts, at = [], 0
    for span in spans:
        parts += [data[at : span.start], span.new.encode(*_UTF8)]
        at = span.end
    return b"".join([*parts, data[at:]])
