"""Whole roots compacted once a session, with what the engine was shown and what it wrote."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path

import everyday
import roots
from lithify.calendar import day_words, week_of
from lithify.engines.base import Room
from lithify.markdown.pages import longest
from lithify.markdown.parse import parse
from lithify.memory import CompactOptions, Memory, offline_engine
from lithify.sections import MONTH, WEEK
from lithify.text.dates import absolute
from lithify.text.sentences import plain, split
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.values import SHORT_INPUT, Brief, Claim, Draft, Entry, SentBack

_HERE = Path(__file__).parent.parent
LOGS = ("clinic", "mire", "peat", "theatre")
FOLDERS: Mapping[str, Path] = {
    "sample": _HERE / "examples" / "sample",
    **{name: _HERE / "training" / "logs" / name for name in LOGS},
}
NAMES = (*FOLDERS, *everyday.ROOTS)

_WORD = re.compile(r"\w+")
_SPEAKER = re.compile(r"[A-Z]\w+: ")


@dataclass
class Recording:
    """The offline engine, and every brief it got with the draft it gave."""

    name: str = "offline"
    mark: str = "offline"
    room: Room | None = None
    extractive: bool = True
    written: list[tuple[Brief, Draft]] = field(default_factory=list)

    def draft(self, brief: Brief, back: SentBack | None = None, attempt: int = 0) -> Draft:
        draft = offline_engine().draft(brief, back, attempt)
        if brief.tier in ("week", "month"):
            self.written.append((brief, draft))
        return draft


@dataclass(frozen=True)
class Compacted:
    """A root after its compaction: its pages, and the briefs and drafts they came from."""

    pages: Mapping[str, str]
    written: Sequence[tuple[Brief, Draft]]

    def bullets(self) -> Iterator[tuple[Brief, Claim, list[Entry]]]:
        """Every bullet with its brief and the entries it cites."""
        for brief, draft in self.written:
            entries = {entry.id: entry for entry in brief.entries}
            for claim in draft.claims:
                yield brief, claim, [entries[id] for id in claim.sources if id in entries]


@cache
def compacted(name: str) -> Compacted:
    """A root of `NAMES`, compacted; once in each test process."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        if name in FOLDERS:
            shutil.copytree(FOLDERS[name] / "memory", root / "memory")
            (root / "lithify.toml").write_text('zone = "UTC"\n')
        else:
            roots.make(root, everyday.ROOTS[name])
        return compact(root)


def compact(root: Path) -> Compacted:
    """Compact a root at a time when all its days are over."""
    newest = max(date.fromisoformat(p.name[:10]) for p in (root / "memory").glob("2*.md"))
    now = datetime(newest.year, newest.month, newest.day, 2, tzinfo=UTC) + timedelta(days=60)
    engine = Recording()
    Memory.open(root, clock=lambda: now).compact(CompactOptions(engine=engine))
    pages = {
        path.relative_to(root).as_posix(): path.read_text()
        for path in sorted((root / "memory").glob("*ly/*.md"))
    }
    return Compacted(pages, engine.written)


def drafted(days: Mapping[str, str], target: int = 4000) -> tuple[list[Claim], list[Claim]]:
    """The claims of the weeks and of the month of some days, with room for all of them.

    `target` is the length to aim for with the month.
    """
    entries: dict[str, list[Entry]] = {}
    for name, text in days.items():
        day = date.fromisoformat(name)
        entries.setdefault(week_of(day), []).extend(
            parse(text.encode(), label=name, day=day).entries
        )
    brief = Brief("week", "", WEEK, target=4000, size=8000)
    weeks: list[Claim] = []
    for week, own in entries.items():
        draft = offline_engine().draft(brief._replace(period=week, entries=tuple(own)))
        weeks += draft.claims
    every = tuple(entry for own in entries.values() for entry in own)
    month = brief._replace(
        tier="month",
        target=target,
        period=next(iter(days))[:7],
        sections=MONTH,
        entries=every,
        claims=tuple(weeks),
    )
    return weeks, list(offline_engine().draft(month).claims)


def week_of_lines(folder: Path, *days: Sequence[str] | str) -> Compacted:
    """The page of a week whose first days hold these lines."""
    first = date(2026, 5, 4)
    named = {str(first + timedelta(days=n)): lines for n, lines in enumerate(days)}
    return compact(roots.make(folder, named))


def words_known(entry: Entry) -> set[str]:
    """Every word that a bullet may take from an entry: its text, place and dates made absolute."""
    pieces = [plain(entry.text), entry.text, entry.lead, *entry.headings]
    if entry.day:
        dated = absolute(plain(entry.text), entry.day)
        pieces += [dated, day_words(entry.day)]
        pieces += [
            day_words(date.fromisoformat(said))
            for said in re.findall(r"\b\d{4}-\d\d-\d\d\b", dated)
        ]
    return {word for piece in pieces for word in _WORD.findall(plain(piece).casefold())}


def said(claim: Claim) -> list[str]:
    """The words of a bullet."""
    return _WORD.findall(claim.text.casefold())


def common_ground(entries: Sequence[Entry], shown: Sequence[Entry]) -> bool:
    """Whether all the entries hang together: a heading path and a rare word, or turns of one talk."""
    counts: dict[str, int] = {}
    for entry in shown:
        for stem in set(stems_of(entry.text)):
            counts[stem] = counts.get(stem, 0) + 1
    rare = {stem for stem, count in counts.items() if count <= max(4, 0.05 * len(shown))}
    rare -= COMMON_STEMS
    rare = {stem for stem in rare if len(stem) > 2 or not stem.isascii()}
    together, rest = [entries[0]], list(entries[1:])
    while rest:
        near = [e for e in rest if any(_tied(e, other, rare) for other in together)]
        if not near:
            return False
        together += near
        rest = [entry for entry in rest if entry not in near]
    return True


def _tied(one: Entry, other: Entry, rare: set[str]) -> bool:
    mine, theirs = set(stems_of(one.text)), set(stems_of(other.text))
    # One entry may say among other things what the other says.
    said = [[set(stems_of(part)) for part in split(plain(e.text))] for e in (one, other)]
    pairs = [(mine, theirs), *product(*said)]
    if any(a and len(a & b) >= 0.5 * len(a | b) for a, b in pairs):
        return True
    if _SPEAKER.match(one.text) and _SPEAKER.match(other.text):
        return one.day == other.day
    if _totals(one) & _totals(other):
        # Two counts up to one total, of one matter.
        return bool(mine & theirs)
    return one.headings == other.headings and bool(mine & theirs & rare)


def _totals(entry: Entry) -> set[str]:
    return set(re.findall(r"\d\s?(?:/|of)\s?(\d+)", entry.text))


def digest(name: str) -> str:
    """A digest of all the pages of a root."""
    return sha256(repr(sorted(compacted(name).pages.items())).encode()).hexdigest()


if __name__ == "__main__":
    # A fresh interpreter prints the digest of its pages: the hash seed must not change them.
    for name in sys.argv[1:]:
        print(name, digest(name))


def allowed(brief: Brief) -> tuple[int, int]:
    """The fewest tokens that a page of this brief should have, and the most it may."""
    most = longest(brief.size, brief.ceiling)
    if brief.size <= SHORT_INPUT:
        return 0, most
    return min(brief.size // 10, most // 2), most
