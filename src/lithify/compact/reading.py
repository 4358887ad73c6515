"""Pages that are in force, read and mended: by another session of an agent, and by today's verifier.

An agent's page is committed when code has passed it. What it says is then read by another session,
and its writer is asked once for marked entries it left out. Like an order for a page, neither is
stored: both follow from the journal. The commit of a page says that it waits for a reader, or that
its writer is to be asked, and no later record of the same content says how that went.

The verifier says which claims of the pages on disk it would refuse now, and which it doubts. A claim
that names no source is a person's own and is not checked, nor is a memory that a person marked or
accepted. Where sources changed since a page was written, it is stale, not wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from lithify.calendar import parse_day, week_of
from lithify.compact.brief import claims_of_weeks
from lithify.compact.ledger import content_of, reading_of, waits_for_reader
from lithify.compact.memories import bases_of
from lithify.compact.page import (
    MOST_REFUSED,
    Means,
    reading_from,
    verdicts_on,
)
from lithify.compact.plan import plan
from lithify.compact.run import Run
from lithify.compact.snapshot import Snapshot, changes, sources_of
from lithify.compact.verdicts import (
    DISPUTES,
    apply_verdicts,
    claims_of_page,
    commit_again,
    lanes_of,
    unread_wisdom,
)
from lithify.compact.workspace import Reading, Result, Workspace
from lithify.engines.model import ModelEngine
from lithify.engines.model.reader import Answer, Reader, cost_of
from lithify.markdown.pages import read_summary, read_typed, read_wisdom
from lithify.markdown.parse import front_of, parse
from lithify.sections import HOW_TO_APPLY, WISDOM
from lithify.store.tree import File
from lithify.text.dates import absolute
from lithify.text.specifics import find_atoms, unsupported
from lithify.text.stems import stems_of
from lithify.values import Brief, Claim, Entry, SentBack, Task, Tier, Violation, label_of
from lithify.verify import (
    Checked,
    RefusedText,
    ShownEntries,
    doubts,
    memory_claims,
    over_ceiling,
    question,
    trace,
    verify,
)

#: A session without a name counts as another one after so long.
ANOTHER_SESSION = timedelta(hours=12)


# Pages that wait for a reader


class UnreadPage(NamedTuple):
    """A page in force that an agent is to read, its claims, and the sessions that wrote it.

    `claims` are those that it is asked about, all of them or those that the program doubts, and
    `whole` counts all; how to apply a memory is asked about and not counted.
    """

    task: Task
    claims: tuple[Claim, ...]
    whole: int
    session: str
    written: str


def unread_pages(workspace: Workspace) -> list[UnreadPage]:
    """Return the pages in force that wait for a reader, in the order they were committed."""
    snapshot = workspace.snapshot
    commits = snapshot.ledger.pages.commits
    if not any(waits_for_reader(snapshot.ledger, key) for key in commits):
        return []
    tasks = plan(snapshot, workspace.ask)
    found = []
    for task in tasks:
        if task.state == "current" and waits_for_reader(snapshot.ledger, task.key):
            commit = commits[task.key]
            session = str(commit.data["reading"].get("session", ""))
            claims = _claims(snapshot, task)
            # What was read before its writer mended the rest is not read again.
            fresh = commit.data.get("fresh")
            asked = tuple(c for c in claims if c.text in fresh) if fresh else claims
            asked = asked if snapshot.settings.verify.read == "all" else _doubted(snapshot, asked)
            whole = sum(claim.section != HOW_TO_APPLY for claim in claims)
            found.append(UnreadPage(task, asked, whole, session, commit.time))
    return sorted(found, key=lambda page: (commits[page.task.key].seq, page.task.key))


def may_read(workspace: Workspace, page: UnreadPage, session: str) -> bool:
    """Tell whether a session may read a page: never its writer, whose name may be unknown."""
    if session and page.session:
        return session not in page.session.split()
    written = datetime.fromisoformat(page.written.replace("Z", "+00:00"))
    return workspace.clock() - written >= ANOTHER_SESSION


def batch(
    pages: Sequence[UnreadPage], reader: Reader, entries: Mapping[str, Entry]
) -> Sequence[UnreadPage]:
    """Return the first pages whose claims fit one order; at least one."""
    shown = count = 0
    for n, page in enumerate(pages):
        shown += sum(cost_of(claim, entries) for claim in page.claims)
        count += len(page.claims) + 2
        if n and (shown > reader.most_shown or count > reader.most_claims):
            return pages[:n]
    return pages


def read_pages(run: Run, pages: Sequence[UnreadPage]) -> list[Result]:
    """Take the verdicts on pages in force; raises `ReplyNeeded` where they were not handed in.

    One line of the journal notes them for all pages. It is the commit: what is left to do after a
    crash follows from it.
    """
    workspace, reader = run.workspace, reader_of(run)
    entries = entries_of(workspace.snapshot, pages)
    # A reading that failed is not answered from the reply it failed with.
    ledger = workspace.snapshot.ledger
    attempt = max(reading_of(ledger, page.task.key).get("failures", 0) for page in pages)
    answers = reader.read_pages([page.claims for page in pages], entries, attempt)
    facts = [
        _verdicts(workspace, page, answer, reader.name)
        for page, answer in zip(pages, answers, strict=True)
    ]
    workspace.note("reading", {"pages": facts})
    return apply_verdicts(workspace, [page.task for page in pages])


def reader_of(run: Run) -> Reader:
    """Return the agent of a run as a reader."""
    assert isinstance(run.engine, ModelEngine)
    return Reader(run.engine, run.workspace.snapshot.settings.agent_name)


def entries_of(snapshot: Snapshot, pages: Iterable[UnreadPage]) -> Mapping[str, Entry]:
    """Return the entries that the claims of pages cite."""
    return snapshot.lookup([id for page in pages for claim in page.claims for id in claim.sources])


def _claims(snapshot: Snapshot, task: Task) -> tuple[Claim, ...]:
    """Return what a page claims; an agent is shown trusted material only, and nothing that is hidden."""
    hidden = snapshot.ledger.captures.hidden
    return tuple(one for one in _all_claims(snapshot, task) if hidden.isdisjoint(one.sources))


def _all_claims(snapshot: Snapshot, task: Task) -> tuple[Claim, ...]:
    if task.tier == "typed":
        found = snapshot.ledger.lessons.found.get(task.period, ())
        return tuple(claim for memory in found for claim in memory_claims(memory))
    if task.tier == "wisdom":
        return tuple(claim for _, claim in unread_wisdom(snapshot))
    return tuple(claim for claim in claims_of_page(snapshot, task) if claim.trusted)


def _doubted(snapshot: Snapshot, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims that the program doubts."""
    entries = snapshot.lookup([id for claim in claims for id in claim.sources])
    shown = ShownEntries(entries, snapshot.settings.agent_name)
    return tuple(claim for claim in claims if doubts(claim, shown))


def _verdicts(workspace: Workspace, page: UnreadPage, answer: Answer, by: str) -> dict[str, Any]:
    """Return what the journal notes of a reading: how it went, and the claims that are wrong."""
    commit = workspace.snapshot.ledger.pages.commits[page.task.key]
    reading = reading_from(answer, by, len(page.claims))._replace(session=page.session)
    wrong = {
        page.claims[n].text: str(verdict)
        for n, verdict in sorted(answer.verdicts.items())
        if verdict.verdict != "supported" and not answer.fault
    }
    applied = {claim.text for claim in page.claims if claim.section == HOW_TO_APPLY}
    if len(wrong.keys() - applied) > MOST_REFUSED * page.whole:
        why = f"its reader found {len(wrong.keys() - applied)} of {page.whole} unsupported"
        reading = reading._replace(state="disputed", why=why)
    facts = {"task": page.task.key, "content": content_of(commit), **reading.facts}
    return {**facts, **({"wrong": wrong} if wrong else {})}


# Pages that go back to their writer when they are in force


class Amendment(NamedTuple):
    """What the writer of a page in force is asked: what it left out, or to mend what its reader refused."""

    task: Task
    brief: Brief
    back: SentBack


def amendments(workspace: Workspace) -> list[Amendment]:
    """Return what writers are still to be asked about pages in force."""
    snapshot, ledger = workspace.snapshot, workspace.snapshot.ledger
    keys = [
        key
        for key, commit in ledger.pages.commits.items()
        if commit.engine.startswith("agent:")
        and (commit.data.get("asks") or commit.data.get("lost") or _disputed(workspace, key))
    ]
    if not keys:
        return []
    tasks = plan(snapshot, workspace.ask)
    found = []
    for task in tasks:
        if task.key not in keys or task.state != "current" or task.tier not in ("week", "month"):
            continue
        brief = lanes_of(workspace, task)[0]
        told = [claim for claim in claims_of_page(snapshot, task) if claim.trusted]
        if wrong := _disputed(workspace, task.key):
            claims = tuple(claim for claim in told if claim.text in wrong)
            why = tuple(Violation("reader", wrong[claim.text], claim.text) for claim in claims)
            back = SentBack(why, claims)
        else:
            data = ledger.pages.commits[task.key].data
            lost = tuple(
                Claim(one["text"], tuple(one["sources"]), one["section"])
                for one in data.get("lost", ())
            )
            why = tuple(Violation("reader", o["why"], o["text"]) for o in data.get("lost", ()))
            left_out, thin = question(brief, told) if data.get("asks") else ((), False)
            back = SentBack(why, lost, left_out=left_out, thin=thin)
        if back != SentBack():
            found.append(Amendment(task, brief, back))
    return found


def _disputed(workspace: Workspace, key: str) -> Mapping[str, str]:
    """Return the claims of a disputed page that its writer may still mend, with the verdicts."""
    reading = reading_of(workspace.snapshot.ledger, key)
    commit = workspace.snapshot.ledger.pages.commits[key]
    if reading.get("state") != "disputed" or commit.data.get("disputes", 0) >= DISPUTES:
        return {}
    wrong: Mapping[str, str] = reading.get("wrong", {})
    return wrong


def amend(run: Run, one: Amendment) -> Result:
    """Take a writer's answer into its page; raises `ReplyNeeded` where it was not handed in."""
    workspace = run.workspace
    snapshot, commit = workspace.snapshot, workspace.snapshot.ledger.pages.commits[one.task.key]
    draft = run.engine.draft(one.brief, one.back)
    checked = verify(draft, one.brief, extractive=False)
    gone = {claim.text for claim in one.back.claims}
    told = tuple(claim for claim in claims_of_page(snapshot, one.task) if claim.text not in gone)
    trusted = [claim for claim in told if claim.trusted]
    # What is handed in again as it was has its verdict.
    known = gone | {claim.text for claim in trusted}
    new = [claim for claim in checked.claims if claim.text not in known]
    refused = tuple(one.as_text for one in checked.refused)
    task = one.task._replace(why="its writer answered what it was asked")
    before = reading_of(snapshot.ledger, task.key)
    # None of the sessions that wrote it reads it.
    wrote = dict.fromkeys([*str(before.get("session", "")).split(), *workspace.session.split()])
    reading = Reading("agent", "waits", session=" ".join(wrote)) if before else None
    if reading and not new and before["state"] == "read":
        reading = reading._replace(by=before["by"], state="read", tested=before.get("tested", True))
    if new and (reader := workspace.reader_of(run.engine)):
        # A model reads it before it is committed, as the page was.
        doubts_only = snapshot.settings.verify.read == "doubts"
        means = Means(run.engine, 0, reader=reader, doubts_only=doubts_only)
        read = verdicts_on(one.brief, Checked(tuple(new)), means, 0)
        wrong = [found.what for found in read.wrong]
        new = [claim for claim in new if claim not in wrong]
        refused += tuple(found.as_text for found in read.wrong)
        reading = read.reading
        if before and before["state"] != "read":
            reading = Reading(before["by"], before["state"], before.get("why", ""))
    stays, goes = over_ceiling(one.brief, (*trusted, *new))
    refused += tuple(
        RefusedText(claim.text, ("form: the page has no room for it",)) for claim in goes
    )
    disputes = commit.data.get("disputes", 0) + bool(one.back.claims)
    more: dict[str, Any] = {"disputes": disputes} if disputes else {}
    if before and before["state"] == "read" and reading and reading.state == "waits":
        more["fresh"] = [claim.text for claim in new]
    begun, time = snapshot.ledger.begun, run.begin()
    others = tuple(claim for claim in told if not claim.trusted)
    result = commit_again(workspace, task, (*stays, *others), refused, reading, time, more=more)
    if begun is None:
        workspace.note("end", {})
    snapshot.rescan()
    return result


# Today's code over the pages on disk


#: The share of a sentence's words that the entry it was taken from has.
CARRIED = 0.75
_STOP = re.compile(r"(?<=[.;!?])\s+")
#: What the program says of a line that recurs: code checks its figures and days like all others.
_OF_SERIES = re.compile(r" \((?:(?:open|unchanged) since|lowest|highest) [^()]*\)")


def not_own_words(text: str, cited: Sequence[Entry]) -> str:
    """Return what shows that a bullet was put together, if anything does.

    Each sentence stands in one of the entries cited, with all its figures and names, and where
    the sentences are of several days, the bullet names the day of each.
    """
    days = {entry.day for entry in cited if entry.day}
    told: list[frozenset[date]] = []
    for sentence in _STOP.split(_OF_SERIES.sub("", text)):
        bare = _undated(sentence)
        carriers = [entry for entry in cited if _carries(entry, bare)]
        if not carriers:
            return f'no entry cited says all of "{sentence}"'
        told.append(frozenset(entry.day for entry in carriers if entry.day))
    if not told or not all(told) or frozenset.intersection(*told):
        return ""
    named = {day for day in days if _names(text, day)}
    if all(own & named for own in told):
        return ""
    return "it joins sentences of " + " and ".join(
        day.isoformat() for day in sorted({min(own) for own in told})
    )


def _carries(entry: Entry, sentence: str) -> bool:
    words = set(stems_of(sentence))
    # "Tonight" is told as "on the evening of 27 Apr".
    dated = absolute(entry.text, entry.day) if entry.day else ""
    there = set(stems_of(" ".join([*entry.headings, entry.lead, entry.text, dated])))
    return len(words & there) >= CARRIED * len(words) and not unsupported(sentence, [entry])


def _undated(text: str) -> str:
    """Return a sentence without its dates, which its writer may have made absolute."""
    for atom in reversed(find_atoms(text)):
        if atom.kind == "date":
            text = f"{text[: atom.start]} {text[atom.end :]}"
    return text


def _names(text: str, day: date) -> bool:
    keys = (day.isoformat(), f"-{day.isoformat()[4:]}")
    return any(atom.key in keys for atom in find_atoms(text))


@dataclass(frozen=True, slots=True)
class ClaimProblem:
    """A claim that would not pass, or one that is stale; a page that is stale has no line.

    `command` writes its page again, where a command can.
    """

    path: str
    line: int
    text: str
    reasons: tuple[str, ...]
    stale: bool = False
    command: str = ""


@dataclass(frozen=True, slots=True)
class ClaimsChecked:
    """How much was looked at, and what was found."""

    pages: int
    claims: int
    findings: tuple[ClaimProblem, ...]


@dataclass(frozen=True, slots=True)
class _Material:
    """The claims of a page by line, who wrote them, and the entries their writer was shown."""

    path: str
    claims: Sequence[tuple[int, Claim]]
    entries: Iterable[Entry] = ()
    offline: bool = False
    read: bool = False
    command: str = ""
    stale: str = ""


def check_claims(
    snapshot: Snapshot,
    tasks: Iterable[Task],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ClaimsChecked:
    """Check every claim of weeks, months, memories and wisdom; `progress` hears of each page.

    What the offline engine wrote must be its sources' own words. What nobody has read is listed where
    the program doubts it.
    """
    planned = {task.key: task for task in tasks}
    shelf = snapshot.shelf
    total = len(shelf.weeks) + len(shelf.months) + len(shelf.typed) + bool(shelf.wisdom)
    count, findings = 0, list[ClaimProblem]()
    for done, page in enumerate(_pages(snapshot, planned), 1):
        count += len(page.claims)
        findings += _examined(snapshot, page)
        progress(done, total)
    return ClaimsChecked(total, count, tuple(findings))


def _pages(snapshot: Snapshot, planned: Mapping[str, Task]) -> Iterator[_Material]:
    shelf = snapshot.shelf
    for period, page in shelf.weeks.items():
        yield _summary(snapshot, planned, "week", period, page)
    for period, page in shelf.months.items():
        yield _summary(snapshot, planned, "month", period, page)
    bases = bases_of(snapshot)
    for path in shelf.typed:
        by_person = bases.get(path, "found") != "found"
        claims = () if by_person else _memory_claims(snapshot, path)
        days = {parse_day(label_of(id)) for _, claim in claims for id in claim.sources}
        weeks = sorted({f"week:{week_of(day)}" for day in days if day} & planned.keys())
        shown = snapshot.entries([path for week in weeks for path in planned[week].sources])
        yield _Material(path, claims, shown)
    if shelf.wisdom:
        entries = read_wisdom(snapshot.read(shelf.wisdom.path))
        claims = [
            (line, Claim(entry.said, entry.sources, WISDOM))
            for entry, line in entries
            if entry.sources
        ]
        yield _Material(shelf.wisdom.path, claims)


def _summary(
    snapshot: Snapshot, planned: Mapping[str, Task], tier: Tier, period: str, page: File
) -> _Material:
    task = planned.get(f"{tier}:{period}", Task(tier, period, "foreign", "", {}))
    recorded = sources_of(snapshot.shelf, snapshot.ledger, task.key, page)
    if recorded is not None and (changed := changes(recorded, task.sources)):
        return _Material(page.path, (), stale=changed)
    data, paths = snapshot.read(page.path), list(task.sources)
    return _Material(
        page.path,
        [(line.number, line.claim) for line in read_summary(data) if line.claim.sources],
        snapshot.entries(paths) if tier == "week" else claims_of_weeks(snapshot, paths)[1],
        offline=front_of(data).text("engine") == "offline",
        read=bool(front_of(data).text("read")),
        command=f"lithify compact {tier} --period {period} --rewrite"
        if task.state == "current"
        else "",
    )


def _memory_claims(snapshot: Snapshot, path: str) -> Sequence[tuple[int, Claim]]:
    """Return what a memory says and why, each a claim of its own."""
    data = snapshot.read(path)
    memory = read_typed(data, path)
    if memory is None or not memory.sources:
        return ()
    line = next((entry.line for entry in parse(data).entries), 1)
    said = filter(None, (memory.statement, memory.why))
    return [(line, Claim(text, memory.sources)) for text in said]


def _examined(snapshot: Snapshot, page: _Material) -> Iterator[ClaimProblem]:
    if page.stale:
        yield ClaimProblem(page.path, 0, "", (page.stale,), stale=True)
        return
    cited = snapshot.lookup([id for _, claim in page.claims for id in claim.sources])
    entries = {entry.id: entry for entry in page.entries} | cited
    shown = ShownEntries.of(list(entries.values()), snapshot.settings.agent_name)
    for line, claim in page.claims:
        gone = [id for id in claim.sources if id not in cited]
        if gone:
            why = f"rests on {gone[0]}, which was edited or removed"
            yield ClaimProblem(page.path, line, claim.text, (why,), stale=True)
        elif violations := _violations(claim, shown, page.offline, page.read):
            reasons = tuple(f"{v.rule}: {v.message}" for v in violations)
            yield ClaimProblem(page.path, line, claim.text, reasons, command=page.command)


def _violations(
    claim: Claim, shown: ShownEntries, offline: bool, read: bool
) -> Sequence[Violation]:
    """Return what code would refuse of a claim today and, where nobody has read it, what it doubts."""
    wrong = list(trace(claim, shown, extractive=True)[1])
    cited = [shown.entries[id] for id in claim.sources]
    if offline and (put_together := not_own_words(claim.text, cited)):
        wrong.append(Violation("own words", put_together, claim.text))
    if offline or wrong or read:
        return wrong
    return doubts(claim, shown)
