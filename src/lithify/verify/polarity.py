"""Whether a claim states what its sources only hold possible, plan or deny.

A reserve or a "not" governs what stands beside it: in "Ada did not approve the budget, since the
old one works" the approving, not the working. A claim is refused where it says the governed word
plainly, where most of its words stand in that sentence, and where no other clause of its sources
says the word plainly of the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify.text.atoms.atom import word_set
from lithify.text.hedges import hedges, small
from lithify.values import Entry
from lithify.verify.forms import all_roots, is_date, is_past, root, root_set, roots, said_in
from lithify.verify.governed import (
    LONGEST,
    MOST,
    STATEMENT,
    TAKEN_WHOLE,
    Mark,
    Sentence,
    read,
    unmarked,
)

#: Words of a short report.
_FEW = 3
#: Share of a statement that a claim must repeat to say the same in another word.
USED = 0.6

#: In a claim these keep open or in the future what they stand with.
_RESERVED = root_set(
    """
whether if would risk threat threaten danger fear worry want wish chance option possibility possible
potential open pending await propose proposal consider consideration discuss discussion talk idea
plan intend intention aim hope expect due should could can rumour rumor doubt question suspect
suspicion believe think thought assume assumption estimate forecast target schedule upcoming seek ask
request offer undecided uncertain unclear unsure unverified unproven future might maybe
perhaps probably prepare warn warning announce ready need must unless case tentative draft suggestion
suggest apparent apparently alleged prospect outlook goal pencil tbd tbc weigh explore contemplate
debate mull evaluate likely
"""
)
#: In a claim these say that something is not so, or not yet.
_DENIED = root_set(
    """
not no never nor neither without cannot nobody none nothing hardly barely lack miss missing absent
absence fail failure refuse refusal reject rejection decline deny denial unable impossible instead
rather stop drop end cancel skip avoid only pending open outstanding await wait still until defer
postpone delay yet need must should block prevent forbid forbidden ban prohibit exempt withhold
except former formerly zero remain whether if wrong false untrue cease leave abandon withdraw
revoke oppose against veto unchanged idle inability exclude exclusion unclear empty free out
intact doubt few little most some part partly partial partially overlook forget keep
"""
)
_ATTRIBUTED = root_set("say tell hear claim accord mention write speak allege gossip hearsay per")
#: In a claim these set one thing against another.
_AGAINST = frozenset(["from", "over", "than", "versus", "vs"])
_BE = word_set("is are was were be been being am began started keeps kept")
_AHEAD = frozenset(["will", "shall", "soon", "next", "upcoming", "going"])
_DENYING = re.compile(
    r"\b(?:no|not|never|cannot|without|nobody|none|nothing|neither|nor)\b|n['’]t\b", re.I
)


def turned(text: str, cited: Sequence[Entry]) -> dict[str, str]:
    """The rules a claim breaks by what it leaves out of its sources, each with the word left out."""
    sources = [sentence for entry in cited for sentence in read(entry.text)][:MOST]
    found: dict[str, str] = {}
    if any(sentence.marks for sentence in sources):
        around = frozenset[str]().union(*(roots(p) for e in cited for p in (*e.headings, e.lead)))
        text = _unlabelled(unmarked(text[:LONGEST]), around)
        label, colon, _ = text.partition(":")
        labelled = "hedges" if colon and len(label) < 30 and _is_reserved(label) else ""
        for statement in STATEMENT.split(text):
            claimed = roots(statement)
            for sentence in sources:
                for mark in sentence.marks:
                    if (
                        mark.rule not in found
                        and mark.rule != labelled
                        and (
                            _is_taken(claimed, mark, around)
                            if not mark.heads or not mark.heads.isdisjoint(claimed)
                            else _is_retold(claimed, mark, around, sources)
                        )
                        and not _is_kept(statement, claimed & mark.heads, mark)
                        and not _is_plain(claimed, mark, sentence, sources)
                    ):
                        found[mark.rule] = mark.word
    if "negation" not in found and _DENYING.search(text) and _denies_all(text, cited):
        found["negation"] = "not"
    return found


def _unlabelled(text: str, around: frozenset[str]) -> str:
    """A claim without the day and the heading that stand before it."""
    label, colon, rest = text.partition(": ")
    while colon and all(word in around or is_date(word) for word in roots(label)):
        text = rest
        label, colon, rest = text.partition(": ")
    return text


def _is_taken(claimed: frozenset[str], mark: Mark, around: frozenset[str]) -> bool:
    """Whether a claim says what a mark governs."""
    if len(claimed & mark.scope) < 2:
        return False
    there = mark.scope | around if mark.heads else mark.scope
    # The day a thing was said on is put in from elsewhere.
    told = [word in there for word in claimed if word in there or not is_date(word)]
    return sum(told) >= mark.share * len(told)


def _is_retold(
    claimed: frozenset[str], mark: Mark, around: frozenset[str], sources: Sequence[Sentence]
) -> bool:
    """Whether a claim says nearly all of a statement, with a word of its own for what is governed."""
    if mark.undone or mark.contrast or len(claimed & mark.near) < USED * len(mark.near):
        return False
    return not claimed <= around.union(*(part.words for s in sources for part in s.parts))


def _is_reserved(text: str) -> bool:
    return bool(hedges(text)) or text.endswith("?") or not _RESERVED.isdisjoint(all_roots(text))


def is_open(text: str) -> bool:
    """Whether a text leaves open or denies what it says, in whatever words."""
    return _is_reserved(text) or _is_denied(text)


def _is_denied(text: str, but: frozenset[str] = frozenset()) -> bool:
    """Whether a text says in whatever words that something is not so, `but` by these."""
    words = said_in(small(text))
    return not _DENIED.isdisjoint(frozenset(map(root, words)) - but) or any(
        word.endswith("n't") or (word.startswith("un") and len(word) > 6) for word in words
    )


def _is_kept(statement: str, heads: frozenset[str], mark: Mark) -> bool:
    """Whether a claim has a reserve or a "not" of its own, in whatever words."""
    words = said_in(small(statement))
    if mark.until and mark.until not in words:
        return True
    before = dict(zip(reversed(words), reversed(["", *words[:-1]]), strict=True))
    at_head = [word for word in words if root(word) in heads]
    if at_head and all(word.endswith("ing") and before[word] not in _BE for word in at_head):
        return True  # "restarting it loses jobs" does not say that anybody does
    if mark.rule == "negation":
        # "From 150 to 250", "49, they say 50": what is denied is told as another's or as the old.
        against = not _AGAINST.isdisjoint(words) or _is_beside(words, at_head, mark)
        against = against or not _ATTRIBUTED.isdisjoint(map(root, words))
        return (mark.contrast and against) or _is_denied(statement, heads)
    others = frozenset(map(root, words)) - heads
    if hedges(statement) or statement.endswith("?") or not _RESERVED.isdisjoint(others):
        return True
    if mark.undone:
        return not any(
            is_past(word) and before[word] not in ("is", "are", "be", "gets") for word in at_head
        )
    if mark.word in ("plan", "expect", "propose", "hope"):
        to_do = any(before[word] == "to" for word in at_head)
        return to_do or not _AHEAD.isdisjoint(words)
    return not mark.heads and not _ATTRIBUTED.isdisjoint(others)


def _is_beside(words: Sequence[str], denied: Sequence[str], mark: Mark) -> bool:
    """Whether a claim tells a figure that is denied together with the one that is true."""
    figures = {word for word in words if word[0].isdigit()}
    return all(word in figures for word in denied) and len(figures & mark.scope) > len(denied)


def _is_plain(
    claimed: frozenset[str], mark: Mark, marked: Sentence, sources: Sequence[Sentence]
) -> bool:
    """Whether the sources say elsewhere, without a mark, what the claim says."""
    heads = claimed & mark.heads
    own = len(claimed & (marked.parts[mark.part].words if heads else mark.scope))
    for sentence in sources:
        governed = {
            other.part
            for other in sentence.marks
            if (other.rule, other.undone) == (mark.rule, mark.undone)
            and (not heads or not heads.isdisjoint(other.heads))
        }
        if not heads and sentence is not marked:
            whole = len(claimed & roots(sentence.text))
            if not governed and (whole >= mark.share * len(claimed) or _reports(sentence, claimed)):
                return True
            continue
        for at, part in enumerate(sentence.parts):
            common = len(claimed & part.words)
            contrast = part.contrast and mark.rule == "negation"
            if sentence is marked and heads and at > mark.part and contrast:
                common += 1  # "not the red one, but the blue"
            elif at in governed or (heads and heads.isdisjoint(part.words)):
                continue
            if sentence is not marked:
                if common >= 2 or part.leaning or _reports(sentence, claimed):
                    return True
            elif common > own or (
                heads and (common == own or (at > mark.part and part.leaning and 2 * common >= own))
            ):
                return True
    return False


def _reports(sentence: Sentence, claimed: frozenset[str]) -> bool:
    """Whether a few words say that what a claim tells was done: "Status: created"."""
    words = roots(sentence.text)
    done = [word for word in said_in(small(sentence.text)) if is_past(word)]
    return len(words) <= _FEW and any(root(word) in claimed for word in done)


def _denies_all(text: str, cited: Sequence[Entry]) -> bool:
    """Whether a claim denies what its sources say, and they deny nothing."""
    marks = [m for s in read(text) for m in s.marks if m.rule == "negation" and m.heads]
    if not marks or any(_is_denied(" ".join((*e.headings, e.lead, e.text))) for e in cited):
        return False
    return any(
        not mark.heads.isdisjoint(whole)
        and len(mark.scope & whole) >= max(2, TAKEN_WHOLE * len(mark.scope))
        for mark in marks
        for whole in (roots(entry.text) for entry in cited)
    )
