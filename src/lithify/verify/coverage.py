"""What somebody marked, how much of it a page tells, and what its writer is asked once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from lithify.judge import box_of, mark_of, without_clock
from lithify.sections import WEEK
from lithify.text.likeness import content_stems
from lithify.text.specifics import atom_keys
from lithify.values import Brief, Claim, Entry
from lithify.verify.verdict import KeptCount

#: Share of an entry's weight and specifics that a text must have to tell its matter.
TELLS = 0.6
#: A page with a smaller share of the words that were shown is thin.
THIN = 0.02


@lru_cache(maxsize=4)
def marked(brief: Brief) -> tuple[Entry, ...]:
    """The entries of a brief that somebody marked, each text once, where it stands last.

    What a later line has ticked is done. Of a month, what is open counts if its last week lists it,
    whoever found that it is.
    """
    found: dict[str, Entry] = {}
    monthly = brief.tier == "month"
    open_ = _open_at_the_end(brief) if monthly else frozenset()
    for entry in brief.entries:
        ticked, words = box_of(without_clock(entry.text))
        key = words.casefold().strip(" .")
        if ticked:
            found.pop(key, None)
        elif entry.id in open_ or mark_of(entry) not in ("", WEEK.open_items if monthly else ""):
            found[key] = entry
    return tuple(found.values())


def _open_at_the_end(brief: Brief) -> frozenset[str]:
    """The entries that the last week of a month lists as open.

    Of a bullet, those that somebody marked as open; where nobody did, the last that it cites.
    """
    last = max((claim.week for claim in brief.claims), default="")
    entries = {entry.id: entry for entry in brief.entries}
    found: set[str] = set()
    for claim in brief.claims:
        if claim.week == last and claim.section == WEEK.open_items:
            own = [entries[id] for id in claim.sources if id in entries]
            found |= {e.id for e in own if mark_of(e) == WEEK.open_items} or {
                e.id for e in own[-1:]
            }
    return frozenset(found)


def question(brief: Brief, claims: Sequence[Claim]) -> tuple[tuple[Entry, ...], bool]:
    """What a writer is asked once: the marked entries that no claim tells, and whether the page is thin.

    Of a month only what is still open is asked about: the writers of its weeks were asked of the rest.
    """
    left = _untold(brief, claims)
    if brief.tier == "month":
        open_ = _open_at_the_end(brief)
        left = (entry for entry in left if entry.id in open_)
    return tuple(left), _is_thin(brief, claims)


def kept(brief: Brief, claims: Sequence[Claim]) -> KeptCount:
    """How many of the marked entries a page tells."""
    total = len(marked(brief))
    return KeptCount(total - len(list(_untold(brief, claims))), total)


def _is_thin(brief: Brief, claims: Sequence[Claim]) -> bool:
    def words(texts: Iterable[Entry | Claim]) -> int:
        return sum(len(one.text.split()) for one in texts)

    return words(claims) < THIN * (words(brief.entries) + words(brief.claims))


def _untold(brief: Brief, claims: Sequence[Claim]) -> Iterator[Entry]:
    """The marked entries that no claim cites, and whose matter none tells.

    A claim also tells what an entry that it cites says of the same matter.
    """
    cited = {id for claim in claims for id in claim.sources}
    left = [entry for entry in marked(brief) if entry.id not in cited]
    if not left:
        return
    holders = Counter(word for entry in brief.entries for word in content_stems(entry.text))
    total = len(brief.entries) + 1

    def weight(words: frozenset[str]) -> float:
        return sum(math.log(total / (holders[word] or 1)) for word in sorted(words))

    texts = [c.text for c in claims] + [e.text for e in brief.entries if e.id in cited]
    told = [(content_stems(text), atom_keys(text)) for text in dict.fromkeys(texts)]
    for entry in left:
        words, atoms = content_stems(without_clock(entry.text)), atom_keys(entry.text)
        whole = weight(words)
        if not any(
            weight(words & theirs) >= TELLS * whole and len(atoms & its) >= TELLS * len(atoms)
            for theirs, its in told
            if words & theirs
        ):
            yield entry
