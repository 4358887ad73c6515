"""Typed memories and decisions on wisdom against what their writer was shown."""

from __future__ import annotations

from collections.abc import Sequence

from lithify.markdown.pages import NOT_STATED
from lithify.sections import HOW_TO_APPLY
from lithify.text.sentences import split
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Decision, Entry, TypedMemory, Violation
from lithify.verify.check import ShownEntries, trace
from lithify.verify.verdict import Refused

#: Sentences of a wisdom entry at most.
MOST_SENTENCES = 3
LONGEST_MEMORY = 300


def memory_claim(memory: TypedMemory) -> Claim:
    """What a memory claims of its entries: its statement and the reason it gives."""
    said = f"{memory.statement} Why: {memory.why}" if memory.why else memory.statement
    return Claim(said, memory.sources)


def memory_claims(memory: TypedMemory) -> tuple[Claim, ...]:
    """What a reader is asked of a memory: what it claims, and apart from that how to apply it."""
    how = (Claim(memory.how, memory.sources, HOW_TO_APPLY),) if memory.how else ()
    return (memory_claim(memory), *how)


def check_memory(
    memory: TypedMemory, shown: ShownEntries
) -> tuple[TypedMemory, tuple[Violation, ...], tuple[Violation, ...]]:
    """Return a memory put right, what is wrong with it, and notes.

    Its statement and its reason are checked as claims. A name, description or way to apply it that
    does not pass is dropped alone: name and description are then made from the statement.
    """
    why, how = (
        "" if text.strip().rstrip(".").lower() == NOT_STATED else text
        for text in (memory.why, memory.how)
    )
    claim, wrong, notes = trace(Claim(memory.statement, memory.sources), shown)
    sources = claim.sources
    reason, its, _ = trace(Claim(why, sources), shown) if why else (claim, (), ())
    statement, why = claim.text, reason.text if why else ""
    if estimate(f"{statement} {why}") > LONGEST_MEMORY:
        message = f"a memory has at most {LONGEST_MEMORY} tokens"
        wrong += (Violation("length", message, statement[:80]),)

    def passing(text: str) -> str:
        found, faults, _ = trace(Claim(text, sources), shown)
        return found.text if text and not faults else ""

    how = passing(how)
    if estimate(f"{statement} {why} {how}") > LONGEST_MEMORY:
        how = ""
    days = sorted(entry.day for entry in shown.cited(sources) if entry.day)
    mended = memory._replace(
        sources=sources,
        # When a thing was learned is for the days to say, not for a writer.
        updated=days[-1].isoformat() if days else "",
        statement=statement,
        why=why,
        how=how,
        name=passing(memory.name),
        description=passing(memory.description),
    )
    return mended, tuple(dict.fromkeys((*wrong, *its))), notes


def check_decisions(
    decisions: Sequence[Decision], brief: Brief, *, extractive: bool
) -> tuple[tuple[Decision, ...], tuple[Refused, ...]]:
    """Return the decisions on wisdom that pass, and those that do not."""
    wrong = [(one, _decision_faults(one, brief, extractive)) for one in decisions]
    refused = tuple(Refused(one, faults) for one, faults in wrong if faults)
    return tuple(one for one, faults in wrong if not faults), refused


def not_taken_up(brief: Brief, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return a DROP for each item that no decision names; that is no fault of its writer."""
    decided = {id for decision in decisions for id in decision.items}
    left = (item.id for item in brief.items if item.id not in decided)
    return tuple(Decision((id,), "DROP", "not taken up") for id in left)


def _decision_faults(decision: Decision, brief: Brief, extractive: bool) -> tuple[Violation, ...]:
    if decision.drops_entry:
        return _drop_faults(decision, brief)
    entry = decision.entry
    if entry is None:
        return ()
    grounds = grounds_of(decision, brief)
    claim = Claim(_titled(entry.title, entry.text), tuple(ground.id for ground in grounds))
    found = list(trace(claim, ShownEntries.of(grounds), extractive=True)[1])
    sentences = len(split(entry.text))
    if sentences > MOST_SENTENCES and not extractive:
        message = f"an entry is one to three sentences; it has {sentences}"
        found.append(Violation("length", message, entry.text))
    if brief.categories and entry.category and entry.category not in brief.categories:
        message = f'"{entry.category}" is not one of the categories'
        found.append(Violation("structure", message, entry.text))
    return tuple(found)


def grounds_of(decision: Decision, brief: Brief) -> Sequence[Entry]:
    """What a new wording may rest on: its items, the entries it changes, the days they cite."""
    # Counted over the whole brief: a reader is shown the grounds of several decisions together.
    grounds = [
        Entry(f"item{n}~{'0' * 12}", f"{_titled(item.title, item.text)} {item.how}".strip())
        for n, item in enumerate(brief.items)
        if item.id in decision.items
    ]
    for n, entry in enumerate(brief.wisdom):
        if entry.title in decision.targets and decision.verb == "MERGE":
            grounds.append(Entry(f"entry{n}~{'0' * 12}", _titled(entry.title, entry.text)))
    cited = set(decision.entry.sources if decision.entry else ())
    return [*grounds, *(entry for entry in brief.entries if entry.id in cited)]


def _titled(title: str, text: str) -> str:
    return f"{title}: {text}" if title else text


def _drop_faults(decision: Decision, brief: Brief) -> tuple[Violation, ...]:
    """Say so where an entry is dropped that is neither stale nor overtaken by something named."""
    stale = {e.title for e, age in zip(brief.wisdom, brief.ages, strict=False) if age.stale}
    if decision.target in stale or any(name != decision.target for name in decision.because):
        return ()
    message = "is not stale; name in `items` or `targets` what overtakes it, or keep it"
    return (Violation("decisions", f"“{decision.target}” {message}", decision.reason),)
