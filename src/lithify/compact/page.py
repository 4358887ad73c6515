"""Pages written by an engine: drafted, checked by code, mended by their writer, read, committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from lithify.compact.brief import briefs_for, halves, split
from lithify.compact.ledger import ledger_form, memory_data
from lithify.compact.lessons import commit_lessons
from lithify.compact.memories import named
from lithify.compact.snapshot import Snapshot
from lithify.compact.statements import say_same
from lithify.compact.workspace import Composed, Failed, Reading, Result, Status, Workspace
from lithify.engines.base import Engine
from lithify.engines.model import ReplyNeeded
from lithify.engines.model.reader import Answer, Reader
from lithify.errors import BudgetReached, ModelError
from lithify.markdown.pages import render_summary, summary_text
from lithify.sections import WISDOM
from lithify.store.journal import head
from lithify.text.tokens import estimate
from lithify.trust import outcome
from lithify.values import (
    MEMORIES,
    Brief,
    Claim,
    Decision,
    Draft,
    Entry,
    FrontValue,
    SentBack,
    Task,
    TypedMemory,
    Usage,
    Violation,
)
from lithify.verify import (
    Checked,
    KeptCount,
    Refused,
    RefusedText,
    grounds_of,
    kept,
    memory_claim,
    memory_claims,
    over_ceiling,
    question,
    verify,
)

#: The share of what a writer handed in that may be refused before all of it is, and the share of a
#: page that its reader may take out before the page is disputed.
MOST_REFUSED = 1 / 3
#: Characters of an unreadable reply that are kept for a person to look at.
EXCERPT = 2000
#: Characters of a bullet by which a note on its labels names it.
_NOTED = 80
_LANE = "the untrusted part of this page, which the offline engine wrote instead"
_CUT = "the reply was cut off at the token limit"


class Turns(Protocol):
    """Parts that build on each other: each is shown what the parts before it came to."""

    def shown(self, part: Brief) -> Brief: ...

    def take(self, part: Brief, written: Written) -> None: ...


class Means(NamedTuple):
    """What a brief is written with: its writer, how often it may mend, and its reader, if any."""

    engine: Engine
    max_repairs: int
    attempt: int = 0
    turns: Turns | None = None
    reader: Reader | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a brief: what passed, what was refused, how it was read, and what it cost.

    `asked` is the question that its writer was not asked yet; `gave_way` are claims that did not
    fit. Where `failed` is set, nothing may be written.
    """

    checked: Checked = Checked()
    refused: tuple[RefusedText, ...] = ()
    reading: Reading | None = None
    asked: SentBack | None = None
    gave_way: tuple[Claim, ...] = ()
    usage: Usage = Usage()
    failed: Failed | None = None

    @property
    def spent(self) -> Usage:
        """Return what writer and reader cost together."""
        return self.usage + self.reading.usage if self.reading else self.usage


def write(brief: Brief, means: Means) -> Written:
    """Have a brief written, in parts if it is too long for one call."""
    parts = split(brief, means.engine.room)
    if means.turns is None:
        return _write(brief, parts, means)
    whole = Written()
    for part in parts:
        shown = means.turns.shown(part)
        written = _write(shown, (shown,), means)
        if written.failed:
            return replace(written, usage=whole.usage + written.usage)
        means.turns.take(shown, written)
        whole = replace(
            whole,
            refused=(*whole.refused, *written.refused),
            reading=_beside(whole.reading, written.reading),
            usage=whole.usage + written.usage,
        )
    return whole


def _write(brief: Brief, parts: Sequence[Brief], means: Means) -> Written:
    """Draft the parts of a brief, have what code refuses mended, and have the whole read."""
    checked, usage, drafts = Checked(), Usage(), list[Draft]()
    for n, part in enumerate(parts, 1):
        drafted, spent, failed = _drafted(_following(part, n, len(parts), drafts, means), means)
        usage += spent
        if failed:
            return Written(usage=usage, failed=failed)
        drafts += drafted
        checked = _joined(checked, _checked(drafted, brief, means.engine))
    if means.engine.extractive:
        return _settled(brief, checked, means, usage)
    asked: SentBack | None = None
    for turn in range(1, means.max_repairs + 1):
        if not (checked.refused or checked.slips):
            break
        asks = brief.sections and not asked
        back = sent_back(checked, question(brief, checked.claims) if asks else ())
        asked = asked or back
        draft = means.engine.draft(brief, back, means.attempt + turn)
        usage += draft.usage
        checked = _mended(checked, _checked([draft], brief, means.engine))
    checked = _own(brief, checked)
    if failed := _failure(checked):
        return Written(usage=usage, failed=failed)
    written = _settled(brief, checked, means, usage)
    if asked is None and brief.tier in ("week", "month"):
        written = _asked_once(brief, written, means)
    return _read(brief, written, means) if means.reader else written


def _following(
    part: Brief, number: int, parts: int, before: Sequence[Draft], means: Means
) -> Brief:
    """Return a part of a week as an agent is shown it, with what it wrote of the parts before.

    The calls of a model are made at the same time, so its parts know nothing of each other.
    """
    if parts == 1 or not means.engine.name.startswith("agent:"):
        return part
    told = tuple(claim for draft in before for claim in draft.claims)
    found = tuple(memory for draft in before for memory in draft.memories)
    return part._replace(part=number, parts=parts, told=told, found=found)


def _own(brief: Brief, checked: Checked) -> Checked:
    """Return of a reply that holds a page and memories what the brief is for."""
    if not brief.with_memories:
        return checked
    typed = brief.tier == "typed"
    return replace(
        checked,
        claims=() if typed else checked.claims,
        memories=checked.memories if typed else (),
        refused=tuple(r for r in checked.refused if isinstance(r.what, TypedMemory) is typed),
        slips=tuple(slip for slip in checked.slips if (slip.rule == MEMORIES) is typed),
    )


def _drafted(part: Brief, means: Means) -> tuple[list[Draft], Usage, Failed | None]:
    """Return the drafts of a part: in halves where a reply is cut off, again where it is unreadable."""
    usage, back = Usage(), None
    for turn in range(means.max_repairs + 1):
        draft = means.engine.draft(part, back, means.attempt + turn)
        usage += draft.usage
        if draft.cut:
            smaller = halves(part)
            if len(smaller) == 1:
                return [], usage, Failed(_CUT, (_excerpt(draft, _CUT),))
            found: list[Draft] = []
            for half in smaller:
                drafts, spent, failed = _drafted(half, means)
                usage += spent
                if failed:
                    return [], usage, failed
                found += drafts
            return found, usage, None
        empty = not (draft.claims or draft.memories or draft.decisions)
        nothing = part.sections and not draft.claims and not means.engine.extractive
        if not (empty and draft.slips) and not nothing:
            return [draft], usage, None
        slips = draft.slips or (Violation("form", "the reply holds no bullet"),)
        # Nothing of it is kept, so all of it is asked for again, the memories too.
        back = SentBack(tuple(slip._replace(rule="form") for slip in slips))
    return [], usage, Failed(slips[0].message, (_excerpt(draft, slips[0].message),))


def _excerpt(draft: Draft, why: str) -> RefusedText:
    return RefusedText(draft.text[:EXCERPT], (f"form: {why}",))


def _checked(drafts: Sequence[Draft], brief: Brief, engine: Engine) -> Checked:
    found = Checked()
    for draft in drafts:
        found = _joined(found, verify(draft, brief, extractive=engine.extractive))
    return found


def _joined(one: Checked, other: Checked) -> Checked:
    """Return two parts as one, in which bullets that say the same are one."""
    return Checked(
        join((*one.claims, *other.claims)) if one.claims else other.claims,
        (*one.memories, *other.memories),
        (*one.decisions, *other.decisions),
        (*one.refused, *other.refused),
        (*one.slips, *other.slips),
        (*one.notes, *other.notes),
    )


def join(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims of several parts as one list, in which the same words stand once."""
    kept: list[Claim] = []
    for claim in claims:
        twin = next(
            (
                n
                for n, other in enumerate(kept)
                if other.section == claim.section and say_same(other.text, claim.text)
            ),
            None,
        )
        if twin is None:
            kept.append(claim)
            continue
        richer = max(kept[twin], claim, key=lambda c: len(c.text))
        sources = tuple(dict.fromkeys([*kept[twin].sources, *claim.sources]))
        kept[twin] = replace(richer, sources=sources)
    return tuple(kept)


def sent_back(checked: Checked, left_out: tuple[Entry, ...] = ()) -> SentBack:
    """Return what goes back to a writer: what code refused, and the one question, if any."""
    whats = [one.what for one in checked.refused]
    return SentBack(
        (*checked.slips, *(v for one in checked.refused for v in one.violations), *checked.notes),
        tuple(what for what in whats if isinstance(what, Claim)),
        tuple(what for what in whats if isinstance(what, TypedMemory)),
        tuple(what for what in whats if not isinstance(what, Claim | TypedMemory)),
        left_out,
    )


def _mended(before: Checked, after: Checked) -> Checked:
    """Return what passed before with what was handed in again; what was given up is gone.

    A reply that cannot be read gives nothing up.
    """
    if after.slips and not (after.claims or after.memories or after.decisions or after.refused):
        return replace(before, slips=after.slips)
    known = {claim.text for claim in before.claims}
    return Checked(
        (*before.claims, *(claim for claim in after.claims if claim.text not in known)),
        (*before.memories, *after.memories),
        (*before.decisions, *after.decisions),
        after.refused,
        after.slips,
        after.notes,
    )


def _failure(checked: Checked) -> Failed | None:
    """Tell why nothing of a reply may be written, if so."""
    refused = tuple(one.as_text for one in checked.refused)
    handed_in = len(checked.claims) + len(checked.memories) + len(checked.decisions) + len(refused)
    if len(refused) <= MOST_REFUSED * handed_in:
        return None
    why = refused[0].reasons[0]
    return Failed(
        f"{len(refused)} of {handed_in} that were handed in did not pass ({why})", refused
    )


def _settled(brief: Brief, checked: Checked, means: Means, usage: Usage) -> Written:
    """Hold a page to its ceiling; what does not fit is counted, and kept in quarantine."""
    refused = tuple(one.as_text for one in checked.refused)
    refused += tuple(
        RefusedText(slip.claim or slip.message, (slip.message,)) for slip in checked.slips
    )
    if brief.tier not in ("week", "month"):
        return Written(checked, refused, usage=usage)
    stays, goes = over_ceiling(brief, checked.claims)
    if not means.engine.extractive:
        why = (f"form: the page is longer than {brief.ceiling} tokens",)
        refused += tuple(RefusedText(claim.text, why) for claim in goes)
    return Written(replace(checked, claims=stays), refused, gave_way=goes, usage=usage)


def _asked_once(brief: Brief, written: Written, means: Means) -> Written:
    """Ask a writer once for the marked entries it left out; without an answer nothing is lost."""
    left_out = question(brief, written.checked.claims)
    if not left_out:
        return written
    back = SentBack(left_out=left_out)
    try:
        draft = means.engine.draft(brief, back, means.attempt + 1)
    except ReplyNeeded:
        # An agent is asked when its page is in force.
        return replace(written, asked=back)
    except (ModelError, BudgetReached):
        return written
    more = verify(draft, brief, extractive=False)
    stays, goes = over_ceiling(brief, _mended(written.checked, more).claims)
    return replace(
        written,
        checked=replace(written.checked, claims=stays),
        refused=(*written.refused, *(one.as_text for one in more.refused)),
        gave_way=(*written.gave_way, *goes),
        usage=written.usage + draft.usage,
    )


# A reader of what passed


def _read(brief: Brief, written: Written, means: Means) -> Written:
    """Have what passed read; what is not supported goes back once, then to quarantine."""
    assert means.reader is not None
    checked = written.checked
    read = verdicts_on(brief, checked, means, means.attempt)
    checked, dropped = _without_how(checked, read)
    written = replace(written, checked=checked, refused=(*written.refused, *dropped))
    if not read.wrong:
        return replace(written, reading=read.reading)
    whole = len(_things(checked))
    good = _without(checked, [one.what for one in read.wrong])
    back = sent_back(Checked(refused=read.wrong))
    try:
        # The attempt is one that no send-back of code has.
        draft = means.engine.draft(brief, back, means.attempt + means.max_repairs + 1)
    except (ModelError, BudgetReached):
        return _judged(written, good, read, whole)
    again = verify(draft, brief, extractive=False)
    usage = written.usage + draft.usage
    # What was handed in again as it was has its verdict.
    known = {_words(one.what, brief): one for one in read.wrong}
    same = [what for what in _things(again) if _words(what, brief) in known]
    again = _without(again, same)
    second = verdicts_on(brief, again, means, means.attempt + 1)
    reading = read.reading.beside(second.reading)
    again, dropped = _without_how(again, second)
    written = replace(written, refused=(*written.refused, *dropped))
    kept = _without(again, [one.what for one in second.wrong])
    repeated = [known[_words(what, brief)] for what in same]
    left = _Verdicts((*repeated, *second.wrong, *again.refused), reading)
    written = replace(written, checked=_mended(good, replace(kept, refused=())), usage=usage)
    return _judged(written, written.checked, left, whole)


class _Verdicts(NamedTuple):
    """What a reader does not find supported, and how the reading went."""

    wrong: tuple[Refused, ...]
    reading: Reading
    #: Why the way to apply a memory is not supported, by its words.
    misapplied: Mapping[str, str] = MappingProxyType({})


def _judged(written: Written, good: Checked, read: _Verdicts, whole: int) -> Written:
    """Take out what a reader did not find supported, or nothing where that is too much."""
    alone = all(isinstance(one.what, TypedMemory) for one in read.wrong)
    if len(read.wrong) > MOST_REFUSED * whole and not alone:
        why = f"its reader found {len(read.wrong)} of {whole} unsupported"
        disputed = read.reading._replace(state="disputed", why=why)
        doubted = [one.what for one in read.wrong]
        everything = replace(
            good,
            claims=(*good.claims, *(d for d in doubted if isinstance(d, Claim))),
            memories=(*good.memories, *(d for d in doubted if isinstance(d, TypedMemory))),
            decisions=(*good.decisions, *(d for d in doubted if isinstance(d, Decision))),
        )
        return replace(written, checked=everything, reading=disputed)
    refused = (*written.refused, *(one.as_text for one in read.wrong))
    return replace(written, checked=good, refused=refused, reading=read.reading)


def verdicts_on(brief: Brief, checked: Checked, means: Means, attempt: int) -> _Verdicts:
    """Ask a reader about everything that passed; one that fails or is wrong is not believed."""
    assert means.reader is not None
    reader, things = means.reader, _things(checked)
    claims = [readable(one, brief) for one in things]
    claims += [(how, ()) for memory in checked.memories for how in memory_claims(memory)[1:]]
    entries = {entry.id: entry for entry in brief.entries}
    entries |= {entry.id: entry for _, cited in claims for entry in cited}
    if not claims:
        return _Verdicts((), Reading(reader.name, "read"))
    try:
        answer = reader.read([claim for claim, _ in claims], entries, attempt)
    except (ModelError, BudgetReached) as error:
        return _Verdicts((), Reading(reader.name, "unread", error.message))
    reading = reading_from(answer, reader.name, len(claims))
    if answer.fault:
        return _Verdicts((), reading)
    found = {
        n: str(verdict)
        for n, verdict in sorted(answer.verdicts.items())
        if verdict.verdict != "supported"
    }
    wrong = tuple(
        Refused(things[n], (Violation("reader", why, claims[n][0].text),))
        for n, why in found.items()
        if n < len(things)
    )
    misapplied = {claims[n][0].text: why for n, why in found.items() if n >= len(things)}
    return _Verdicts(wrong, reading, misapplied)


def _without_how(checked: Checked, read: _Verdicts) -> tuple[Checked, tuple[RefusedText, ...]]:
    """Return what passed without the ways to apply a memory that are not supported, and those."""
    refused = [one.what for one in read.wrong]
    gone = [m for m in checked.memories if m.how in read.misapplied and m not in refused]
    memories = tuple(m._replace(how="") if m in gone else m for m in checked.memories)
    dropped = tuple(RefusedText(m.how, (f"reader: {read.misapplied[m.how]}",)) for m in gone)
    return replace(checked, memories=memories), dropped


def reading_from(answer: Answer, by: str, asked: int) -> Reading:
    """Return how a reading went, as the journal keeps it."""
    if answer.fault:
        return Reading(by, "unread", answer.fault, usage=answer.usage)
    judged = len(answer.verdicts)
    return Reading(by, "read", "", judged, asked - judged, answer.tested, answer.usage)


def _things(checked: Checked) -> list[Claim | TypedMemory | Decision]:
    """Return what a reader can judge: bullets, memories, and decisions that word an entry."""
    worded = [decision for decision in checked.decisions if decision.entry]
    return [*checked.claims, *checked.memories, *worded]


def readable(what: Claim | TypedMemory | Decision, brief: Brief) -> tuple[Claim, Sequence[Entry]]:
    """Return what a reader is shown of a bullet, memory or decision: a claim and what it cites."""
    if isinstance(what, Claim):
        return what, ()
    if isinstance(what, TypedMemory):
        return memory_claim(what), ()
    assert what.entry is not None
    grounds = grounds_of(what, brief)
    words = what.entry.said
    return Claim(words, tuple(ground.id for ground in grounds), WISDOM), grounds


def _words(what: Claim | TypedMemory | Decision, brief: Brief) -> str:
    """Return what a reader is shown of a bullet, memory or decision."""
    return readable(what, brief)[0].text


def _without(checked: Checked, gone: Sequence[object]) -> Checked:
    """Return what passed without some of it."""
    return replace(
        checked,
        claims=tuple(one for one in checked.claims if one not in gone),
        memories=tuple(one for one in checked.memories if one not in gone),
        decisions=tuple(one for one in checked.decisions if one not in gone),
    )


def _beside(one: Reading | None, other: Reading | None) -> Reading | None:
    """Return the readings of two parts of a page as one."""
    return one.beside(other) if one and other else one or other


def have_written(
    workspace: Workspace, brief: Brief, engine: Engine, task: Task, turns: Turns | None = None
) -> Written:
    """Have a brief written by the engine, checked and read."""
    if not (brief.entries or brief.items):
        return Written()
    engine = engine if brief.trusted else workspace.untrusted or engine
    verify = workspace.snapshot.settings.verify
    attempt = first_attempt(workspace.snapshot, task)
    # The sources' own words need no reader.
    reader = None if engine.extractive else workspace.reader_of(engine)
    return write(brief, Means(engine, verify.max_repairs, attempt, turns, reader))


def first_attempt(snapshot: Snapshot, task: Task) -> int:
    """Return the attempt a task is written with; an earlier failure is not answered from saved replies."""
    failure = snapshot.ledger.pages.failures.get(task.key)
    return failure.times * (snapshot.settings.verify.max_repairs + 2) if failure else 0


def compose(workspace: Workspace, task: Task, engine: Engine) -> Composed:
    """Write and check one week or month, each lane by itself, without changing the root."""
    lanes = briefs_for(workspace.snapshot, task, engine.name, engine.room)
    page = Composed(lanes[0].sections, sum(b.size for b in lanes), lanes[0].shown, lanes[0].whole)
    for brief in lanes:
        written = have_written(workspace, brief, engine, task)
        page = replace(
            page, usage=page.usage + written.usage, reading=_beside(page.reading, written.reading)
        )
        if written.failed and not brief.trusted and workspace.offline:
            # Untrusted words must not keep the trusted part of a page from being written.
            lane = RefusedText(_LANE, (written.failed.reason,))
            page = replace(page, refused=(*page.refused, *written.failed.refused, lane))
            written = have_written(workspace, brief, workspace.offline, task)
        if written.failed:
            return replace(page, failed=written.failed)
        quoted = {entry.id for entry in brief.entries if entry.quoted}
        claims = tuple(
            replace(claim, trusted=brief.trusted, quoted=not quoted.isdisjoint(claim.sources))
            for claim in written.checked.claims
        )
        page = replace(
            page,
            claims=(*page.claims, *claims),
            refused=(*page.refused, *written.refused),
            gave_way=(*page.gave_way, *written.gave_way),
            notes=(*page.notes, *written.checked.notes),
        )
        if engine.extractive and brief.tier == "week":
            page = replace(page, entries=_counted(page.entries, brief, claims))
        if brief.trusted:
            page = replace(page, kept=kept(brief, claims), asked=written.asked)
            # The offline engine made its choice within a length: nobody asks it for more.
            if not engine.extractive:
                page = replace(page, left_out=len(question(brief, claims)))
    return page


def _counted(before: KeptCount | None, brief: Brief, claims: Sequence[Claim]) -> KeptCount:
    """Count the entries of a brief that some claims cite, of all, with those counted before."""
    shown = {entry.id for entry in brief.entries if entry.kind not in ("code", "lead")}
    cited = shown.intersection(id for claim in claims for id in claim.sources)
    told, of = before or KeptCount()
    return KeptCount(told + len(cited), of + len(shown))


def write_summary(workspace: Workspace, task: Task, engine: Engine, time: str) -> Result:
    """Compose and commit one week or month."""
    if not task.sources:
        path = page_path(workspace.snapshot, task)
        workspace.commit({path: None}, workspace.facts(task, engine.name, Usage(), ()), time)
        return Result(task, "written", task.why, (path,), engine=engine.name)
    page = compose(workspace, task, engine)
    if page.failed:
        return workspace.failed(task, page.failed, engine, page.spent, time)
    if any(claim.trusted for claim in page.claims):
        page = replace(page, reading=page.reading or workspace.reading_to_come(engine))
    facts = workspace.facts(task, engine.name, page.usage, page.refused, page.reading)
    return replace(commit_page(workspace, task, page, facts, time), usage=page.spent)


def page_path(snapshot: Snapshot, task: Task) -> str:
    """Tell where the page of a week or month is."""
    return snapshot.shelf.layout.page(task.tier, task.period)


def commit_page(
    workspace: Workspace, task: Task, page: Composed, facts: Mapping[str, Any], time: str
) -> Result:
    """Put a composed page in force, and what was refused of it in quarantine."""
    path, engine = page_path(workspace.snapshot, task), str(facts["engine"])
    front: dict[str, FrontValue] = {
        "type": "weekly" if task.tier == "week" else "monthly",
        "period": task.period,
        "engine": engine,
        "created": time,
        "sources": dict(task.sources),
        "tokens": {
            "in": str(page.size),
            "out": str(estimate(summary_text(page.sections, page.claims))),
        },
        "kept": str(page.kept),
    }
    if page.whole:
        front["shown"] = f"{page.shown} of {page.whole}"
    if page.reading and page.reading.state == "read":
        front["read"] = f"{page.reading.by} {time[:10]}" + " (untested)" * (not page.reading.tested)
    if known := head(*workspace.snapshot.ledger.captures.last):
        front["journal"] = known
    noted: dict[str, Any] = {"left_out": page.left_out, "asks": bool(page.asked)}
    if page.entries:
        noted["selected"] = list(page.entries)
    facts = {**facts, **{key: value for key, value in noted.items() if value}}
    text = render_summary(front, task.period, page.sections, page.claims)
    workspace.quarantine(task, page.refused, "", engine, time)
    if outcome("page", workspace.by) != "done":
        return workspace.propose(task, facts, time, {path: text.decode()})
    replaced = workspace.commit({path: text}, facts, time)
    return Result(
        task,
        "written",
        files=(path,),
        replaced=replaced,
        refused=len(page.refused),
        kept=page.kept,
        entries=page.entries,
        gave_way=tuple(claim.text for claim in page.gave_way),
        notes=tuple(f'{note.message} (in: "{note.claim[:_NOTED]}")' for note in page.notes),
        usage=page.usage,
        engine=engine,
        reading=page.reading,
    )


def write_memories(workspace: Workspace, task: Task, engine: Engine, time: str) -> Result:
    """Write what an engine finds in one week, and the files that change.

    The offline engine finds nothing itself; it keeps what a model found while its lines exist.
    """
    snapshot = workspace.snapshot
    if engine.extractive:
        before = snapshot.ledger.lessons.found.get(task.period, ())
        found = tuple(m for m in before if all(map(snapshot.resolves, m.sources)))
        facts = workspace.facts(task, engine.name, Usage(), ())
        return commit_found(workspace, task, found, (), facts, time)
    (brief,) = briefs_for(workspace.snapshot, task, engine.name, engine.room)
    written = have_written(workspace, brief, engine, task)
    if written.failed:
        return workspace.failed(task, written.failed, engine, written.spent, time)
    memories = written.checked.memories
    most = snapshot.settings.memories.max_per_week
    reason = f"a week has at most {most} found memories (memories.max_per_week)"
    beyond = [Refused(memory, (Violation("form", reason),)).as_text for memory in memories[most:]]
    refused = (*written.refused, *beyond)
    found = tuple(map(named, memories[:most]))
    reading = (written.reading or workspace.reading_to_come(engine)) if found else None
    facts = workspace.facts(task, engine.name, written.usage, refused, reading)
    done = commit_found(workspace, task, found, refused, facts, time)
    return replace(done, usage=written.spent, reading=reading)


def commit_found(
    workspace: Workspace,
    task: Task,
    found: Sequence[TypedMemory],
    refused: Sequence[RefusedText],
    facts: Mapping[str, Any],
    time: str,
) -> Result:
    """Put what was found in a week in force: the files that change, and what the journal notes."""
    lessons, engine = workspace.snapshot.ledger.lessons, str(facts["engine"])
    weeks = {**lessons.found, task.period: tuple(map(ledger_form, found))}
    workspace.quarantine(task, refused, "", engine, time)
    facts = {**facts, "found": [memory_data(memory) for memory in found]}
    if outcome("page", workspace.by) != "done":
        return workspace.propose(task, facts, time, declined="" if found else "it found nothing")
    files = commit_lessons(workspace, lessons._replace(found=weeks), facts, time)
    status: Status = "written" if files else "unchanged"
    return Result(task, status, files=files, refused=len(refused), engine=engine)
