"""Typed memories and decisions on wisdom against what their writer was shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lithify.markdown.pages import NOT_STATED
from lithify.sections import HOW_TO_APPLY
from lithify.text.likeness import content_stems
from lithify.text.sentences import split
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Decision, Entry, Item, TypedMemory, Violation
from lithify.verify.specifics import ShownEntries
from lithify.verify.trace import dated, trace
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
    reason, its, _ = trace(Claim(why, claim.sources), shown) if why else (claim, (), ())
    statement, why = claim.text, reason.text if why else ""
    if estimate(f"{statement} {why}") > LONGEST_MEMORY:
        message = f"a memory has at most {LONGEST_MEMORY} tokens"
        wrong += (Violation("length", message, statement[:80]),)
    sources = claim.sources
    if not its and why:
        sources = tuple(dict.fromkeys((*sources, *reason.sources)))

    def passing(text: str) -> str:
        return text if text and not trace(Claim(text, sources), shown, extractive=True)[1] else ""

    how = passing(dated(how, sources, shown))
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
    items = {item.id: item for item in brief.items}
    passed: list[Decision] = []
    refused: list[Refused] = []
    for decision in decisions:
        wrong = _decision_faults(decision, items, brief, extractive)
        if wrong:
            refused.append(Refused(decision, wrong))
        else:
            passed.append(decision)
    return tuple(passed), tuple(refused)


def not_taken_up(brief: Brief, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return a DROP for each item that no decision names; that is no fault of its writer."""
    decided = {id for decision in decisions for id in decision.items}
    return tuple(
        Decision((item.id,), "DROP", "not taken up")
        for item in brief.items
        if item.id not in decided
    )


def _decision_faults(
    decision: Decision, items: Mapping[str, Item], brief: Brief, extractive: bool
) -> tuple[Violation, ...]:
    if decision.drops_entry:
        return _drop_faults(decision, items, brief)
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


def _drop_faults(
    decision: Decision, items: Mapping[str, Item], brief: Brief
) -> tuple[Violation, ...]:
    """Say so where an entry is dropped that is neither stale nor overtaken by something named."""
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
    return (Violation("decisions", f"“{decision.target}” {message}", decision.reason),)
