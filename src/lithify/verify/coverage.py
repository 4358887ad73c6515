"""What must survive a summary, what did, and what is put back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from lithify.cues import must_keep
from lithify.engines import offline
from lithify.engines.offline.matters.counts import counts_of
from lithify.engines.offline.matters.pairs import taken_back
from lithify.engines.offline.page.fold import chores_of
from lithify.engines.offline.reading.lines import lines_of
from lithify.engines.offline.reading.sentences import read
from lithify.engines.offline.week import crowded_out
from lithify.markdown.pages import summary_text
from lithify.text.atoms import atom_keys
from lithify.text.tokens import estimate
from lithify.values import BAND, SHORT_INPUT, Brief, Claim, Entry
from lithify.verify.claims import denies, overlap, words_of

#: Words two entries must share to say the same thing.
SAME = 0.7
#: Words of an entry that a bullet must repeat to have told it.
TOLD = 3
_FILLERS = words_of("still again also now today yet just really again currently already")


#: A page is looked at several times on its way; its offline draft is the same each time, and so
#: is what it may not lose.
_offline_claims = lru_cache(maxsize=2)(lambda brief: offline.write(brief).claims)


def _carried(brief: Brief) -> list[Claim]:
    """What a month still has open at its end, as the offline engine sees it."""
    claims: tuple[Claim, ...] = _offline_claims(brief)
    return [claim for claim in claims if claim.section == brief.sections[-1]]


@lru_cache(maxsize=2)
def required(brief: Brief) -> tuple[Entry, ...]:
    """The entries of a brief that may not be lost."""
    if brief.tier == "month":
        carried = {id for claim in _carried(brief) for id in claim.sources[:1]}
        return tuple(entry for entry in brief.entries if entry.id in carried)
    counts = counts_of(brief.entries)
    gone = taken_back(brief.entries) | chores_of(brief.entries) | counts.overtaken
    gone |= crowded_out(brief)
    return tuple(
        entry
        for entry in brief.entries
        if (must_keep(entry) or entry.id in counts.last) and entry.id not in gone
    )


def survived(entries: Sequence[Entry], claims: Sequence[Claim], brief: Brief) -> frozenset[str]:
    """Ids of the required entries that a claim tells, or that say what such an entry says."""
    kept = _kept(_told(claims), brief)
    alive = {id for one in kept for id in one.ids}
    saying = _saying([entry for entry in entries if entry.id not in alive], kept)
    return frozenset(
        e.id for e in entries if e.id in alive or not words_of(e.text) or saying[e.text]
    )


def _told(claims: Sequence[Claim]) -> dict[str, list[frozenset[str]]]:
    """For each entry, the words of every claim that cites it."""
    told: dict[str, list[frozenset[str]]] = {}
    for claim in claims:
        words = words_of(claim.text)
        for id in dict.fromkeys(claim.sources):
            told.setdefault(id, []).append(words)
    return told


def _keepers(
    entries: Sequence[Entry], told: Mapping[str, Sequence[frozenset[str]]], brief: Brief
) -> dict[str, frozenset[str]]:
    """For each required entry that survived, the entries that are told and say what it says."""
    kept = _kept(told, brief)
    alive = {id for one in kept for id in one.ids}
    saying = _saying(entries, kept)
    found = {}
    for entry in entries:
        keepers = saying[entry.text] | ({entry.id} & alive)
        if keepers or not words_of(entry.text):
            found[entry.id] = keepers
    return found


def _lines(entry: Entry, brief: Brief) -> tuple[str, ...]:
    """The lines of an entry that may not be lost; an entry that is one line is its own."""
    # A month keeps of an entry what is open at its end, and not every line.
    lines = lines_of(entry.text) if brief.tier == "week" else ()
    if len(lines) < 2:
        return (entry.text,)
    kept = tuple(line for line in lines if must_keep(replace(entry, text=line)))
    return kept or (entry.text,)


def _untold(entry: Entry, told: Sequence[frozenset[str]], brief: Brief) -> tuple[str, ...]:
    """The lines of an entry that the claims of these words leave out."""
    said = frozenset[str]().union(*told)
    lines = _lines(entry, brief)
    if len(lines) == 1:
        return () if _is_told(words_of(entry.text), said) else (entry.text,)
    # Lines of one entry share words: what tells one of them is not yet the other.
    return tuple(line for line in lines if 2 * len(words_of(line) & said) < len(words_of(line)))


def _loses(entry: Entry, told: Sequence[frozenset[str]], left: Sequence[frozenset[str]]) -> bool:
    """Whether a sentence that may not be lost was told by some claims, and by those left is not."""
    before, after = frozenset[str]().union(*told), frozenset[str]().union(*left)
    stated = (words_of(one.text) for one in read(entry) if one.must)
    return any(2 * len(words & after) < len(words) <= 2 * len(words & before) for words in stated)


def _is_told(words: frozenset[str], said: frozenset[str]) -> bool:
    return len(words & said) >= min(TOLD, (len(words) + 1) // 2)


class _Kept(NamedTuple):
    """A text of a brief that is told, and the entries that have it."""

    text: str
    words: frozenset[str]
    ids: Sequence[str]

    def says(self, text: str, words: frozenset[str]) -> bool:
        """Whether it says all that another text of these words says."""
        # One word more can be the one that matters, unless it only says "still".
        return (
            words - _FILLERS <= self.words
            and overlap(words, self.words) >= SAME
            and denies(text) is denies(self.text)
            and atom_keys(text) <= atom_keys(self.text)
        )


def _kept(told: Mapping[str, Sequence[frozenset[str]]], brief: Brief) -> list[_Kept]:
    # To be cited is not enough: a bullet can name every entry and tell none of them.
    alive: dict[str, list[str]] = {}
    known: dict[tuple[object, ...], bool] = {}
    for entry in brief.entries:
        claims = told.get(entry.id)
        if claims is None:
            continue
        # Twins are cited together: what tells one tells the other.
        key = (entry.text, *map(id, claims))
        is_told = known.get(key)
        if is_told is None:
            is_told = known[key] = not _untold(entry, claims, brief)
        if is_told:
            alive.setdefault(entry.text, []).append(entry.id)
    return [_Kept(text, words_of(text), ids) for text, ids in alive.items()]


def _saying(entries: Sequence[Entry], kept: Sequence[_Kept]) -> dict[str, frozenset[str]]:
    """For each text of the entries, the ids of those of the kept that say all that it says."""
    texts = {entry.text: words_of(entry.text) for entry in entries}
    asked = frozenset[str]().union(*texts.values())
    by_word: dict[str, list[int]] = {word: [] for word in asked}
    for n, one in enumerate(kept):
        for word in asked & one.words:
            by_word[word].append(n)
    found = {}
    for text, words in texts.items():
        # The rarest words lead to the few entries that could say the same.
        rare = sorted(words, key=lambda word: (len(by_word[word]), word))
        near: set[int] = set()
        for word in rare[: max(3, len(rare) // 3)]:
            near.update(by_word[word][:50])
        saying = (kept[n].ids for n in near if kept[n].says(text, words))
        found[text] = frozenset[str]().union(*saying)
    return found


def coverage(brief: Brief, claims: Sequence[Claim]) -> float:
    """The share of required entries that survived; one of several lines counts by its lines."""
    entries = {entry.id: entry for entry in required(brief)}
    if not entries:
        return 1.0
    alive = survived([*entries.values()], claims, brief)
    told = _told(claims)
    lines = lost = 0
    for entry in entries.values():
        lines += len(_lines(entry, brief))
        if entry.id not in alive:
            lost += len(_untold(entry, told.get(entry.id, ()), brief))
    return 1 - lost / lines


def top_up(brief: Brief, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims with what was left out of the required put back in the sources' own words."""
    if brief.tier == "month":
        return _top_up_month(brief, claims)
    entries = required(brief)
    alive = survived(entries, claims, brief)
    told = _told(claims)
    # Of an entry that is told in part, only the lines that are missing are put back.
    lost = tuple(
        replace(entry, text=" ".join(_untold(entry, told.get(entry.id, ()), brief)))
        for entry in entries
        if entry.id not in alive
    )
    if not lost:
        return tuple(claims)
    added = offline.write(brief._replace(entries=lost, target=brief.size or 1 << 20)).claims
    return in_order([*claims, *added], brief)


def _top_up_month(brief: Brief, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    cited = {id for claim in claims for id in claim.sources}
    added = [claim for claim in _carried(brief) if not cited & set(claim.sources)]
    return in_order([*claims, *added], brief)


def in_order(claims: Sequence[Claim], brief: Brief) -> tuple[Claim, ...]:
    """Claims by section, each section in the order they came."""
    rank = {section: n for n, section in enumerate(brief.sections)}
    return tuple(sorted(claims, key=lambda claim: rank[claim.section]))


def length(brief: Brief, claims: Sequence[Claim]) -> int:
    """The tokens of a page that count."""
    if brief.size <= SHORT_INPUT:
        # The four headings are the form's, not the writer's; on a short input they would be all.
        return sum(estimate(claim.text) for claim in claims)
    return estimate(summary_text(brief.sections, claims))


def allowed(brief: Brief) -> tuple[int, int]:
    """The fewest and the most tokens a page of this brief may have."""
    if brief.size <= SHORT_INPUT:
        return 0, brief.size
    return int(brief.size * BAND[0]) + 1, int(brief.size * BAND[1])


def fit(brief: Brief, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims brought into the band: spare ones give way, offline ones fill a page too thin."""
    least, most = allowed(brief)
    now = length(brief, claims)
    if now > most:
        return _shortened(brief, claims, now - most)
    if now < least:
        return _filled(brief, claims, least)
    return tuple(claims)


def _shortened(brief: Brief, claims: Sequence[Claim], excess: int) -> tuple[Claim, ...]:
    """The claims less the last ones without which everything required is still told.

    What the offline engine would not have kept goes first: no page may keep less than its.
    """
    floor = {id for claim in _offline_claims(brief) for id in claim.sources}
    last_first = reversed(range(len(claims)))
    order = sorted(last_first, key=lambda n: not floor.isdisjoint(claims[n].sources))
    told = _told(claims)
    keepers = _keepers(required(brief), told, brief)
    resting: dict[str, list[str]] = {}
    for id, its in keepers.items():
        for keeper in its:
            resting.setdefault(keeper, []).append(id)
    entries = {entry.id: entry for entry in brief.entries}
    out = set()
    for n in order:
        if excess <= 0:
            break
        left = {id: list(told[id]) for id in claims[n].sources}
        for others in left.values():
            others.remove(words_of(claims[n].text))
        # Entries that nobody would tell any more; another that says the same may do for them.
        silent = {id for id in left if id in entries and _untold(entries[id], left[id], brief)}
        if any(keepers[id] <= silent for keeper in silent for id in resting.get(keeper, ())):
            continue
        # Nor may the sentence go for which an entry is kept, while others of it are still told.
        if any(id in keepers and _loses(entries[id], told[id], left[id]) for id in left):
            continue
        told.update(left)
        for keeper in silent:
            for id in resting.pop(keeper, ()):
                keepers[id] -= {keeper}
        out.add(n)
        excess -= estimate(f"- {claims[n].text}")
    return tuple(claim for n, claim in enumerate(claims) if n not in out)


def _filled(brief: Brief, claims: Sequence[Claim], least: int) -> tuple[Claim, ...]:
    cited = {id for claim in claims for id in claim.sources}
    page = list(claims)
    for claim in _offline_claims(brief):
        if length(brief, page) >= least:
            break
        if not cited & set(claim.sources):
            page.append(claim)
            cited.update(claim.sources)
    return in_order(page, brief)
