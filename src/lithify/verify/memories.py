"""Typed memories and decisions on wisdom against what their writer was shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from lithify.markdown.pages import NOT_STATED
from lithify.text.dates import absolute
from lithify.text.hedges import hedges
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Decision, Draft, Entry, Item, TypedMemory, Violation
from lithify.verify.claims import ShownEntries, align, examine, wrong_language
from lithify.verify.doubts import content_stems
from lithify.verify.verdict import (
    MOST_REFUSED,
    AcceptedDraft,
    Failed,
    Retry,
    Verdict,
    refusal,
    unread,
)

#: A wisdom entry is one to three sentences; this many tokens hold three long ones.
LONGEST_ENTRY = 120
LONGEST_MEMORY = 300


def verify_memories(
    draft: Draft,
    brief: Brief,
    *,
    extractive: bool,
    last: bool,
    doubts: Mapping[str, Violation] = MappingProxyType({}),
) -> Verdict:
    """The memories of a draft, each against the entries it cites.

    `doubts` are what a second reader found wrong, by the text of `claim_of` a memory.
    """
    shown = ShownEntries.to_writer(brief)
    memories = [_without_faults(_mended(memory, shown), shown) for memory in draft.memories]
    found = []
    for memory in memories:
        doubt = doubts.get(claim_of(memory).text)
        wrong = _examine_memory(memory, shown, extractive)
        found.append((memory, (*wrong, doubt) if doubt else wrong))
    statements = () if extractive else (m.statement for m in memories)
    foreign = wrong_language(statements, brief.entries)
    violations = [*draft.slips, *foreign, *(v for _, vs in found for v in vs)]
    if violations and not extractive and not last:
        return Retry(tuple(violations))
    refused = tuple(refusal(f"{m.type}_{m.topic}: {m.statement}", vs) for m, vs in found if vs)
    good = tuple(memory for memory, vs in found if not vs)
    if extractive:
        return AcceptedDraft(memories=good, refused=refused)
    if foreign:
        return Failed(foreign[0].message, unread(draft, foreign))
    refused += unread(draft, draft.slips)
    # A reply that could not be read is a failure, not an empty list of memories.
    if draft.slips and not memories:
        return Failed(draft.slips[0].message, refused)
    if len(memories) - len(good) > MOST_REFUSED * len(memories):
        first = refused[0].reasons[0]
        failed = len(memories) - len(good)
        return Failed(f"{failed} of {len(memories)} memories did not pass ({first})", refused)
    return AcceptedDraft(memories=good, refused=refused, own=tuple(map(claim_of, good)))


def claim_of(memory: TypedMemory) -> Claim:
    """What a memory claims of its entries: its statement and the reason it gives."""
    said = f"{memory.statement} Why: {memory.why}" if memory.why else memory.statement
    return Claim(said, memory.sources)


def _mended(memory: TypedMemory, shown: ShownEntries) -> TypedMemory:
    sources = tuple(id for id in memory.sources if id in shown.entries)
    if not sources:
        sources = align(memory.statement, shown)
    days = sorted(day for id in sources if (day := shown.entries[id].day))
    statement, why, how = memory.statement, memory.why, memory.how
    if days and days[0] == days[-1]:
        statement, why, how = (absolute(text, days[0]) for text in (statement, why, how))
    return memory._replace(
        sources=sources or memory.sources,
        # When a thing was learned is for the days to say, not for a writer.
        updated=days[-1].isoformat() if days else "",
        statement=statement,
        why="" if _is_unstated(why) else why,
        how="" if _is_unstated(how) else how,
    )


def _is_unstated(text: str) -> bool:
    return text.strip().rstrip(".").lower() == NOT_STATED


def _without_faults(memory: TypedMemory, shown: ShownEntries) -> TypedMemory:
    """A memory without the fields that do not pass and that it can do without.

    How to apply may be worked out by the writer, so only its specifics are checked. A name or
    description that is dropped is made from the statement when the memory is written.
    """

    def passes(text: str) -> bool:
        found = examine(Claim(text, memory.sources), shown, extractive=True)
        return all(v.rule not in ("atoms", "self-contained") for v in found)

    name, description, how = (
        text if passes(text) else "" for text in (memory.name, memory.description, memory.how)
    )
    if estimate(f"{memory.statement} {memory.why} {how}") > LONGEST_MEMORY:
        how = ""
    return memory._replace(name=name, description=description, how=how)


def _examine_memory(
    memory: TypedMemory, shown: ShownEntries, extractive: bool
) -> tuple[Violation, ...]:
    """What is wrong with a memory's statement and with the reason it gives."""
    found: list[Violation] = []
    for part in filter(None, (memory.statement, memory.why)):
        found += examine(Claim(part, memory.sources), shown, extractive=extractive)
    if estimate(f"{memory.statement} {memory.why}") > LONGEST_MEMORY:
        message = f"a memory has at most {LONGEST_MEMORY} tokens"
        found.append(Violation("length", message, memory.statement[:80]))
    return tuple(dict.fromkeys(found))


def verify_decisions(draft: Draft, brief: Brief, *, extractive: bool, last: bool) -> Verdict:
    """Decisions on wisdom: one for each item, every new text against all that it rests on."""
    items = {item.id: item for item in brief.items}
    found = [(d, _examine_decision(d, items, brief)) for d in draft.decisions]
    texts = [d.entry.text for d in draft.decisions if d.entry and not extractive]
    foreign = wrong_language(
        texts, [*(i.text for i in brief.items), *(e.text for e in brief.wisdom)]
    )
    violations = [*draft.slips, *foreign, *(v for _, vs in found for v in vs)]
    if violations and not extractive and not last:
        return Retry(tuple(violations))
    refused = tuple(
        refusal(decision.entry.text if decision.entry else decision.reason, vs)
        for decision, vs in found
        if vs
    )
    refused += unread(draft, draft.slips)
    good = tuple(decision for decision, vs in found if not vs)
    undecided = frozenset(items).difference(*(decision.items for decision in good))
    if foreign and not extractive:
        return Failed(foreign[0].message, unread(draft, foreign))
    if len(undecided) > MOST_REFUSED * len(items) and not extractive:
        reason = refused[0].reasons[0] if refused else "no decision"
        missing = f"{len(undecided)} of {len(items)} items have no decision that passed"
        return Failed(f"{missing} ({reason})", refused)
    later = "its writer gave no decision that passed; it comes up again with new material"
    left = tuple(Decision((id,), "DROP", later) for id in items if id in undecided)
    return AcceptedDraft(decisions=good + left, undecided=undecided, refused=refused)


def _examine_decision(
    decision: Decision, items: Mapping[str, Item], brief: Brief
) -> tuple[Violation, ...]:
    if decision.drops_entry:
        return _examine_drop(decision, items, brief)
    entry = decision.entry
    if entry is None:
        return ()
    made_of = [items[id] for id in decision.items]
    grounds = _grounds(decision, made_of, brief)
    claim = Claim(f"{entry.title}: {entry.text}", tuple(g.id for g in grounds))
    found = [
        v for v in examine(claim, ShownEntries.of(grounds), judging=True) if v.rule != "hedges"
    ]
    reserved = all(hedges(item.text) for item in made_of)
    if reserved and not hedges(entry.text) and decision.verb == "ADD":
        found.append(Violation("hedges", "the item only says this with a reserve", entry.text))
    if estimate(entry.text) > LONGEST_ENTRY:
        message = f"an entry is one to three sentences, at most {LONGEST_ENTRY} tokens"
        found.append(Violation("length", message, entry.text[:80]))
    if brief.categories and entry.category and entry.category not in brief.categories:
        found.append(Violation("structure", f'"{entry.category}" is not one of the categories'))
    return tuple(found)


def _grounds(decision: Decision, items: Sequence[Item], brief: Brief) -> Sequence[Entry]:
    """What a new wording may rest on: its items, the entries it changes, the days they cite."""
    assert decision.entry is not None
    grounds = [
        Entry(f"item{n}~{'0' * 12}", " ".join([f"{item.title}: {item.text}", item.how]).strip())
        for n, item in enumerate(items)
    ]
    for n, entry in enumerate(brief.wisdom):
        if entry.title in decision.targets and decision.verb == "MERGE":
            grounds.append(Entry(f"entry{n}~{'0' * 12}", f"{entry.title}: {entry.text}"))
    cited = set(decision.entry.sources)
    return [*grounds, *(entry for entry in brief.entries if entry.id in cited)]


def _examine_drop(
    decision: Decision, items: Mapping[str, Item], brief: Brief
) -> tuple[Violation, ...]:
    """A writer may drop an entry that is stale, or that something it names overtakes."""
    said = {entry.title: f"{entry.title} {entry.text}" for entry in brief.wisdom}
    words = content_stems(said[decision.target])
    for entry, age in zip(brief.wisdom, brief.ages, strict=False):
        if entry.title == decision.target and age.stale:
            return ()
    said |= {id: f"{item.title} {item.text}" for id, item in items.items()}
    overtaken = [said[name] for name in decision.because if name != decision.target]
    if any(words & content_stems(text) for text in overtaken):
        return ()
    message = "is not stale; name in `items` or `targets` what overtakes it, or keep it"
    return (Violation("decisions", f"“{decision.target}” {message}"),)
