"""How much of what somebody marked a page cites. It counts, and it adds nothing."""

from __future__ import annotations

from collections.abc import Sequence

from lithify.sections import WEEK
from lithify.text.labels import box_of, mark_of, without_clock
from lithify.values import Brief, Claim, Entry
from lithify.verify.verdict import KeptCount


def marked(brief: Brief) -> tuple[Entry, ...]:
    """Return the entries of a brief that somebody marked, each text once, where it stands last.

    What a later line has ticked is done. Of a month, what is open counts if its last week lists it.
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
    """Return the marked entries that the last week of a month lists as open."""
    last = max((claim.week for claim in brief.claims), default="")
    listed = {
        id
        for claim in brief.claims
        if claim.week == last and claim.section == WEEK.open_items
        for id in claim.sources
    }
    return frozenset(
        e.id for e in brief.entries if e.id in listed and mark_of(e) == WEEK.open_items
    )


def question(brief: Brief, claims: Sequence[Claim]) -> tuple[Entry, ...]:
    """Return the marked entries that no claim cites, about which a writer is asked once.

    Of a month only what is still open is asked about: the writers of its weeks were asked of the rest.
    """
    open_ = _open_at_the_end(brief) if brief.tier == "month" else None
    left = _untold(brief, claims)
    return tuple(entry for entry in left if open_ is None or entry.id in open_)


def kept(brief: Brief, claims: Sequence[Claim]) -> KeptCount:
    """Count the marked entries, and those that a claim cites."""
    total = len(marked(brief))
    return KeptCount(total - len(_untold(brief, claims)), total)


def _untold(brief: Brief, claims: Sequence[Claim]) -> list[Entry]:
    cited = {id for claim in claims for id in claim.sources}
    return [entry for entry in marked(brief) if entry.id not in cited]
