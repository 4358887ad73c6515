"""What a change makes of texts, ids and digests in the program's own files.

A `Scrub` learns as the files are read: the new ids of changed entries, the digests of changed
files, the words of all that rests on entries that are gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lithify.store import staging
from lithify.store.edited import Edited
from lithify.text.occurrences import FORGOTTEN, Find, replaced, text_finder, together
from lithify.text.sketch import FEWEST, is_copy, sketch

#: In the place of a digest that no longer stands for anything.
BLANK = "0" * 64
#: What a value becomes that rested on an entry that is gone.
GONE: Any = object()

DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
_ID = re.compile(r"[^\s~\"'\[\](){},<>]+~[0-9a-f]{12}")
_SOURCE = re.compile(r"\"?([^\s{,\"]+)\"?: ([0-9a-f]{64})\b")
_HEAD = re.compile(r"(?m)^(journal: )(\d+)~([0-9a-f]+)$")


class Scrub:
    """The state of one change."""

    def __init__(self, find: Find, gone: Iterable[str]) -> None:
        #: Old ids with their new ones; empty for entries that are gone.
        self.ids: dict[str, str] = dict.fromkeys(gone, "")
        self.find = find
        self.days: dict[str, Edited] = {}
        #: Pages of which a version is to be written again; what rests on them is too.
        self.stale: set[str] = set()
        self.digests: dict[str, str] = {}
        #: The hash of each record of the journal, before and after.
        self.heads: dict[int, tuple[str, str]] = {}
        #: Memories of which a version rests on what is gone: they are made anew or not at all.
        self.dropped: set[str] = set()
        self._texts: dict[str, str] = {}
        self._erased: list[frozenset[int]] = []

    def take_day(self, path: str, day: Edited, old: bytes) -> None:
        """Learn what became of a day."""
        self.days[path] = day
        self.ids.update(day.ids)
        self._texts.update(day.texts)
        self._erased += [frozenset(sketch(text)) for text in day.erased if len(text.split()) > 3]
        self.digests[staging.sha(old)] = staging.sha(day.data)

    def also_find(self, texts: Iterable[str]) -> None:
        """Find these texts too; too short ones would be found everywhere."""
        if long := [text for text in texts if len(text.split()) >= FEWEST]:
            self.find = together(self.find, text_finder(long))

    def rests_on_gone(self, ids: Iterable[Any]) -> bool:
        """Whether one of these ids is of an entry that is gone."""
        return any(self.ids.get(id) == "" for id in map(str, ids))

    def resting(self, value: Any) -> Iterator[str]:
        """The texts of memories and wisdom in a journal line that rest on what is gone."""
        if isinstance(value, dict):
            sources = value.get("sources")
            if isinstance(sources, list) and self.rests_on_gone(sources):
                yield from (inner for inner in value.values() if isinstance(inner, str))
            else:
                for inner in value.values():
                    yield from self.resting(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from self.resting(inner)

    def value(self, value: Any, key: str = "", stale: bool = False) -> Any:
        """A JSON value with everything exchanged; `GONE` if it rested on what is gone.

        `stale`: digests of changed days are blanked, so that what names them is made again.
        """
        if isinstance(value, str):
            if value in self.ids:
                return self.ids[value] or GONE
            if DIGEST.fullmatch(value):
                return self.digests.get(value, value)
            return self.text(value)
        if isinstance(value, list):
            return [new for one in value if (new := self.value(one, key, stale)) is not GONE]
        if not isinstance(value, dict):
            return value
        sources = value.get("sources")
        if isinstance(sources, list) and self.rests_on_gone(sources):
            return GONE
        return self._sketches(value) if key == "sketches" else self._pairs(value, key, stale)

    def _pairs(self, value: Mapping[str, Any], key: str, stale: bool) -> Any:
        pairs = {}
        for name, inner in value.items():
            if name in self.dropped:
                continue
            new = self.value(inner, name, stale)
            if new is GONE and name == "entry" and "id" in value:
                return GONE  # a proposal
            changed = name in self.days or (stale and name in self.stale)
            if key == "sources" and changed and (stale or new == inner):
                new = BLANK
            name = self.ids.get(name, name)
            if name and new is not GONE:
                pairs[self.text(name)] = new
        return pairs

    def _sketches(self, known: Mapping[str, Any]) -> dict[str, Any]:
        new = {}
        for id, numbers in known.items():
            if now := self.ids.get(id, id):
                new[now] = sketch(self._texts[now]) if now in self._texts else numbers
        return new

    def text(self, text: str) -> str:
        """A text without the words, ids and near copies of what is gone."""
        text = _ID.sub(lambda match: self.ids.get(match[0], match[0]) or FORGOTTEN, text)
        text = replaced(text, self.find(text))
        if not self._erased or text.count(" ") < FEWEST - 1:
            return text
        return "\n".join(FORGOTTEN if self._is_near(line) else line for line in text.split("\n"))

    def _is_near(self, line: str) -> bool:
        own = frozenset(sketch(line)) if line.count(" ") >= FEWEST - 1 else frozenset()
        return bool(own) and any(is_copy(own, e) or is_copy(e, own) for e in self._erased)

    def cited(self, text: str) -> str:
        """A page's text with the ids of changed entries exchanged."""
        return _ID.sub(lambda match: self.ids.get(match[0], match[0]), text)

    def front(self, text: str, stale: bool) -> str:
        """Front matter with the digests and the journal's head exchanged."""

        def source(match: re.Match[str]) -> str:
            known = self.digests.get(match[2])
            changed = match[1] in self.days or match[1] in self.stale
            if changed and (stale or not known):
                return match[0].replace(match[2], BLANK)
            return match[0].replace(match[2], known) if known else match[0]

        def head(match: re.Match[str]) -> str:
            old, new = self.heads.get(int(match[2]), ("", ""))
            same = old.startswith(match[3])
            return f"{match[1]}{match[2]}~{new[: len(match[3])]}" if same else match[0]

        return _HEAD.sub(head, _SOURCE.sub(source, text))

    def place(self, place: dict[str, Any], old: bytes) -> dict[str, Any]:
        """Where a captured entry stands in its changed day, whose bytes were `old`."""
        day = self.days[place["path"]]
        start, end = place["offset"], place["offset"] + place["length"]
        if staging.sha(old[start:end]) != place["sha256"]:
            start = end = 0
        start, end = day.place(start), day.place(end)
        digest = staging.sha(day.data[start:end])
        return {**place, "offset": start, "length": end - start, "sha256": digest}
