"""A week's or month's draft: structure, every claim, coverage, length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType

from lithify.markdown.pages import allowed, length
from lithify.sections import JUDGING
from lithify.values import Brief, Claim, Draft, Violation
from lithify.verify.claims import ShownEntries, examine, mend, wrong_language
from lithify.verify.coverage import LeftOutEntries, fit, in_order, kept, put_back
from lithify.verify.verdict import (
    MOST_REFUSED,
    AcceptedDraft,
    Failed,
    RefusedText,
    Retry,
    Verdict,
    refusal,
    unread,
)

#: Entries that a repair round names at most.
_NAMED = 8


def verify_summary(
    draft: Draft,
    brief: Brief,
    *,
    extractive: bool,
    last: bool,
    named: bool = False,
    doubts: Mapping[str, Violation] = MappingProxyType({}),
) -> Verdict:
    """A week's or month's draft against all that its writer was shown.

    `named` says that its writer has been told once already what it left out; `doubts` are what a
    second reader found wrong, by the text of the claim.
    """
    shown = ShownEntries.to_writer(brief)
    claims = [claim if extractive else mend(claim, shown) for claim in draft.claims]
    found = [
        (
            claim,
            _section(claim, brief)
            + examine(claim, shown, extractive=extractive, judging=claim.section in JUDGING)
            + ((doubts[claim.text],) if claim.text in doubts else ()),
        )
        for claim in claims
    ]
    refused = tuple(refusal(claim.text, violations) for claim, violations in found if violations)
    good = [claim for claim, violations in found if not violations]
    if extractive:
        return settle(good, brief, refused, shown, frozenset(good), complete=False)
    foreign = wrong_language((claim.text for claim in claims), brief.entries)
    if not last:
        violations = [*draft.slips, *foreign, *(v for _, vs in found for v in vs)]
        # Dates that were made absolute here are not the writer's words.
        violations += _length(brief, draft.claims)
        if not claims and not violations:
            violations.append(Violation("structure", "the reply holds no bullet"))
        lost = _left_out(brief, good) if violations or not named else []
        if violations or lost:
            return Retry((*violations, *lost))
    if foreign:
        return Failed(foreign[0].message, unread(draft, foreign))
    if len(refused) > MOST_REFUSED * len(claims):
        first = refused[0].reasons[0]
        return Failed(f"{len(refused)} of {len(claims)} bullets did not pass ({first})", refused)
    if not good:
        reason = draft.slips[0].message if draft.slips else "the reply holds no bullet"
        return Failed(reason, unread(draft, draft.slips))
    page = settle(good, brief, refused + unread(draft, draft.slips), shown, frozenset(good))
    if not page.claims:
        return Failed("its only bullet is longer than the page may be", page.refused)
    return replace(page, own=tuple(_distinct(good)))


def settle(
    claims: Sequence[Claim],
    brief: Brief,
    refused: tuple[RefusedText, ...],
    shown: ShownEntries | None = None,
    passed: frozenset[Claim] = frozenset(),
    *,
    complete: bool = True,
) -> AcceptedDraft:
    """Good claims made a whole page: what was left out is put back, the length brought in band.

    What was put back goes through the same gate as what was written; `passed` has been there. An
    extractive writer has seen what must be kept and made its choice within its length, so its page
    is not `complete`d; neither is a part of a page, because the other parts may tell what it lacks.
    """
    shown = shown or ShownEntries.to_writer(brief)
    # What is put back may say what is there already: each text stands once, before and after.
    whole = in_order(_distinct(claims), brief)
    added = put_back(brief, whole) if complete and not brief.most else ()
    whole, gave_way = fit(brief, in_order((*whole, *added), brief), added)
    page = _distinct(whole)
    examined = [
        (claim, () if claim in passed else examine(claim, shown, extractive=True)) for claim in page
    ]
    sound = [claim for claim, violations in examined if not violations]
    known = {r.text for r in refused}
    refused += tuple(
        refusal(claim.text, violations)
        for claim, violations in examined
        if violations and claim.text not in known
    )
    return AcceptedDraft(
        claims=tuple(sound), refused=refused, kept=kept(brief, sound), gave_way=gave_way
    )


def _distinct(claims: Sequence[Claim]) -> list[Claim]:
    """Each text once, with the sources of all who said it."""
    found: dict[str, Claim] = {}
    for claim in claims:
        twin = found.get(claim.text)
        if twin:
            sources = tuple(dict.fromkeys([*twin.sources, *claim.sources]))
            claim = Claim(twin.text, sources, twin.section, twin.trusted)
        found[claim.text] = claim
    return list(found.values())


def _section(claim: Claim, brief: Brief) -> tuple[Violation, ...]:
    if claim.section in brief.sections:
        return ()
    return (Violation("structure", f'"{claim.section}" is not one of the sections', claim.text),)


def _left_out(brief: Brief, claims: Sequence[Claim]) -> list[Violation]:
    """What must be kept and is missing, by its label, and how much room there is for it."""
    lost = list(islice(LeftOutEntries(brief, claims), _NAMED))
    if not lost:
        return []
    left = allowed(brief)[1] - length(brief, claims)
    room = (
        f"about {left} tokens are left for them"
        if left > 0
        else "the page is full, so shorten others"
    )
    # A month's writer is shown every bullet, but not every entry.
    labels = {id: label for label, ids in brief.labels.items() for id in ids}
    return [
        Violation("coverage", f"no bullet tells these entries, which must be kept; {room}"),
        *(Violation("coverage", f'[{labels[e.id]}] "{e.text[:160]}"') for e in lost),
    ]


def _length(brief: Brief, claims: Sequence[Claim]) -> list[Violation]:
    least, most = allowed(brief)
    now = length(brief, claims)
    if now > most:
        asked = f"at most {most} are allowed"
    elif claims and now < least:
        asked = f"at least {least} are asked for"
    else:
        return []
    return [Violation("length", f"the summary has about {now} tokens; {asked}")]
