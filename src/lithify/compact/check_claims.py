"""Today's verifier over the pages on disk: which claims it would refuse now, and which it doubts.

A claim that names no source is a person's own and is not checked, nor is a memory that a person marked
or accepted. Where sources changed since a page was written, it is stale, not wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from lithify.calendar import parse_day, week_of
from lithify.compact.brief import claims_of_weeks
from lithify.compact.memories import bases_of
from lithify.compact.snapshot import Snapshot, changes, sources_of
from lithify.markdown.pages import read_summary, read_typed, read_wisdom
from lithify.markdown.parse import front_of, parse
from lithify.regex import regex
from lithify.sections import WISDOM
from lithify.store.tree import File
from lithify.text.dates import absolute
from lithify.text.specifics import find_atoms, unsupported
from lithify.text.stems import stems_of
from lithify.values import Claim, Entry, Task, Tier, Violation, label_of
from lithify.verify import ShownEntries, doubts, trace

#: The share of a sentence's words that the entry it was taken from has.
CARRIED = 0.75
_STOP = regex(r"(?<=[.;!?])\s+")
#: What the program says of a line that recurs: code checks its figures and days like all others.
_OF_SERIES = regex(r" \((?:(?:open|unchanged) since|lowest|highest) [^()]*\)")


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
    #: What the weeks of a month say, which an offline month tells in their words.
    bullets: Sequence[Claim] = ()
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
    recorded = sources_of(snapshot, task.key, page)
    if recorded is not None and (changed := changes(recorded, task.sources)):
        return _Material(page.path, (), stale=changed)
    data, paths = snapshot.read(page.path), list(task.sources)
    bullets, entries = list[Claim](), snapshot.entries(paths) if tier == "week" else []
    if tier == "month":
        bullets, entries = claims_of_weeks(snapshot, paths)
    return _Material(
        page.path,
        [(line.number, line.claim) for line in read_summary(data) if line.claim.sources],
        entries,
        bullets,
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
        elif violations := _violations(claim, shown, page):
            reasons = tuple(f"{v.rule}: {v.message}" for v in violations)
            yield ClaimProblem(page.path, line, claim.text, reasons, command=page.command)


def _violations(claim: Claim, shown: ShownEntries, page: _Material) -> Sequence[Violation]:
    """Return what code would refuse of a claim today and, where nobody has read it, what it doubts."""
    wrong = list(trace(claim, shown, extractive=True)[1])
    if page.offline:
        cited = [shown.entries[id] for id in claim.sources]
        told = [
            replace(shown.entries[id], text=one.text)
            for one in page.bullets
            for id in claim.sources
            if id in one.sources
        ]
        if put_together := not_own_words(claim.text, [*cited, *told]):
            wrong.append(Violation("own words", put_together, claim.text))
    if page.offline or wrong or page.read:
        return wrong
    return doubts(claim, shown)
