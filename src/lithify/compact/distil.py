"""Wisdom: the items nobody has judged yet, put before a writer, applied and committed."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from lithify.compact import wisdom
from lithify.compact.desk import Desk, Result
from lithify.compact.ledger import wisdom_data
from lithify.compact.review import proposal_id
from lithify.compact.snapshot import Snapshot
from lithify.engines.base import Engine
from lithify.markdown.pages import render_wisdom
from lithify.trust import is_trusted
from lithify.values import Brief, Decision, Item, Task, Usage, WisdomEntry
from lithify.verify import Failed, Refused

_LANE = "the untrusted items, which stay undecided"


def material(snapshot: Snapshot, judged: Collection[str]) -> tuple[Item, ...]:
    """Every typed memory and every bullet of the months, less what was judged before."""
    pages = sorted(snapshot.shelf.months.items())
    memories = [memory for _, memory in sorted(snapshot.memories().items())]
    resting = {id for memory in memories for id in memory.sources}
    resting.update(id for _, page in pages for id in snapshot.cited_by(page))
    # Looked up together: each day is read once, however many rest on it.
    cited = snapshot.lookup(list(resting))
    months = {label: snapshot.claims(page) for label, page in pages}
    told = {id for claims in months.values() for claim in claims for id in claim.sources}
    # A bullet that names no source is its own.
    cited |= snapshot.lookup(list(told - cited.keys()))

    def origin_of(sources: Sequence[str]) -> str:
        origins = [cited[id].origin for id in sources if id in cited]
        return next((origin for origin in origins if not is_trusted(origin)), "file")

    return wisdom.items_of(memories, months, frozenset(judged), origin_of)


def lanes(items: Sequence[Item]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """The trusted items and the others, each lane numbered by itself."""
    trusted = [item for item in items if is_trusted(item.origin)]
    others = [item for item in items if not is_trusted(item.origin)]
    return wisdom.numbered(trusted), wisdom.numbered(others)


def wisdom_brief(
    snapshot: Snapshot, items: Sequence[Item], entries: Sequence[WisdomEntry]
) -> Brief:
    """New material beside the entries in force, with the days' lines both rest on."""
    settings = snapshot.settings
    shown = [
        e._replace(title=snapshot.redacted(e.title), text=snapshot.redacted(e.text), raw="")
        for e in entries
    ]
    cited = dict.fromkeys(source for item in items for source in item.sources)
    return Brief(
        tier="wisdom",
        period="",
        entries=tuple(snapshot.lookup(list(cited)).values()),
        items=tuple(items),
        wisdom=tuple(shown),
        categories=settings.wisdom.categories,
        max_entries=settings.wisdom.max_entries,
        trusted=all(is_trusted(item.origin) for item in items),
        agent_name=settings.agent_name,
    )


@dataclass(slots=True)
class _Outcome:
    """What the lanes have come to so far."""

    entries: tuple[WisdomEntry, ...]
    taken: list[dict[str, Any]] = field(default_factory=list)
    dropped: list[tuple[WisdomEntry, str]] = field(default_factory=list)
    proposals: list[dict[str, Any]] = field(default_factory=list)
    judged: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    usage: Usage = Usage()


def write_wisdom(desk: Desk, task: Task, engine: Engine, time: str) -> Result:
    """Every new item decided on; what rests on untrusted words is only proposed."""
    snapshot, settings = desk.snapshot, desk.snapshot.settings
    everything = material(snapshot, ())
    judged = snapshot.ledger.judged
    items = [item for item in everything if wisdom.fingerprint(item) not in judged]
    before = snapshot.wisdom()
    outcome = _Outcome(before)
    for trusted, lane in zip((True, False), lanes(items), strict=True):
        failed = _decide(desk, task, engine, time, lane, outcome, trusted=trusted)
        if failed and trusted:
            return desk.failed(task, failed, engine, outcome.usage, time)
        if failed:
            # No stranger's words may keep the trusted decisions from being taken.
            outcome.refused += [*failed.refused, Refused(_LANE, (failed.reason,))]
    if settings.wisdom.review == "auto":
        outcome.entries, gone = wisdom.grounded(outcome.entries, snapshot.resolves, everything)
        outcome.dropped += gone
    path = snapshot.shelf.wisdom.path if snapshot.shelf.wisdom else "WISDOM.md"
    files: dict[str, bytes | None] = {}
    if outcome.entries != before or (snapshot.shelf.wisdom is None and items):
        files[path] = render_wisdom(
            outcome.entries, settings.agent_name, time[:10], settings.wisdom.categories
        )
    facts = desk.facts(task, engine, outcome.usage, outcome.refused)
    tombstones = [_tombstone(snapshot, entry, reason) for entry, reason in outcome.dropped]
    facts["decisions"] = [*outcome.taken, *tombstones]
    facts["judged"] = sorted(outcome.judged)
    known = set(snapshot.ledger.proposals)
    proposals = [p for p in outcome.proposals if p["id"] not in known]
    if proposals:
        facts["proposals"] = proposals
    desk.quarantine(task, outcome.refused, "", engine, time)
    desk.commit(files, facts, time)
    return Result(
        task,
        "written" if files else "unchanged",
        files=tuple(files),
        refused=len(outcome.refused),
        held=len(proposals),
        usage=outcome.usage,
        engine=engine.name,
    )


def _decide(
    desk: Desk,
    task: Task,
    engine: Engine,
    time: str,
    lane: Sequence[Item],
    outcome: _Outcome,
    *,
    trusted: bool,
) -> Failed | None:
    """One lane's items through the writer; applied if that is allowed, proposed if not."""
    snapshot, settings = desk.snapshot, desk.snapshot.settings.wisdom
    written = desk.have_written(wisdom_brief(snapshot, lane, outcome.entries), engine, task)
    outcome.usage += written.usage
    verdict = written.verdict
    if isinstance(verdict, Failed):
        return verdict
    outcome.refused += verdict.refused
    by_id = {item.id: item for item in lane}
    outcome.judged += [
        wisdom.fingerprint(item) for item in lane if item.id not in verdict.undecided
    ]
    standing = wisdom.Standing(settings, time[:10], snapshot.ledger.reinforced)
    applied = wisdom.apply(outcome.entries, verdict.decisions, by_id, standing, snapshot.resolves)
    may_apply = trusted and settings.review == "auto"
    for decision in applied.decisions:
        item = by_id[decision.item]
        if decision.entry is not None and not may_apply:
            outcome.proposals.append(_proposal(decision, item.origin))
            continue
        if decision.verb == "MERGE" and not trusted:
            # To be borne out by a stranger does not keep an entry from growing stale.
            decision = decision._replace(verb="DROP", reason=f"{decision.reason}; untrusted")
        outcome.taken.append(_decision_data(decision, item))
    if may_apply:
        outcome.entries = applied.entries
        outcome.dropped += applied.dropped
    return None


def _tombstone(snapshot: Snapshot, entry: WisdomEntry, reason: str) -> dict[str, Any]:
    title, text = snapshot.redacted(entry.title), snapshot.redacted(entry.text)
    return {
        "item": title,
        "verb": "DROP",
        "reason": reason,
        "target": title,
        "entry": wisdom_data(entry._replace(title=title, text=text)),
    }


def _proposal(decision: Decision, origin: str) -> dict[str, Any]:
    assert decision.entry is not None
    entry = wisdom_data(decision.entry)
    text = json.dumps([decision.verb, decision.target, entry])
    return {
        "id": proposal_id(text),
        "verb": decision.verb,
        "target": decision.target,
        "reason": decision.reason,
        "origin": origin,
        "entry": entry,
    }


def _decision_data(decision: Decision, item: Item) -> dict[str, Any]:
    data: dict[str, Any] = {
        "item": item.title or item.text[:120],
        "verb": decision.verb,
        "reason": decision.reason,
    }
    if decision.verb != "DROP":
        entry = decision.entry
        data["target"] = entry.title if entry else decision.target
        data["on"] = wisdom.newest(item.sources)
    return data
