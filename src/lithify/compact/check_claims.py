"""Today's verifier over the pages on disk: which of their claims it would refuse.

A claim that names no source is a person's own and is not checked, nor is a memory that a person
marked or accepted. Where sources changed since a page was written, it is stale, not wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lithify.calendar import parse_day, week_of
from lithify.compact.own_words import not_own_words
from lithify.compact.shelf import Page, changes, sources_of
from lithify.compact.snapshot import Snapshot
from lithify.compact.typed import bases_of
from lithify.compact.week_month import weeks_told
from lithify.markdown.entries import label_of
from lithify.markdown.pages import read_summary, read_typed, read_wisdom
from lithify.markdown.parse import front_of, parse
from lithify.sections import JUDGING
from lithify.values import Claim, Entry, Task, Tier, Violation
from lithify.verify.claims import Shown, examine

#: The section that claims of wisdom are examined under: a writer's own words, as in `JUDGING`.
_WISDOM = "Wisdom"


@dataclass(frozen=True, slots=True)
class Finding:
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
class Checked:
    """How much was looked at, and what was found."""

    pages: int
    claims: int
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class _Material:
    """The claims of a page by line, who wrote them, and the entries their writer was shown."""

    path: str
    claims: Sequence[tuple[int, Claim]]
    entries: Iterable[Entry] = ()
    offline: bool = False
    command: str = ""
    stale: str = ""


def check_claims(
    snapshot: Snapshot,
    tasks: Iterable[Task],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Checked:
    """Check every claim of weeks, months, memories and wisdom; `progress` hears of each page.

    What the offline engine wrote must be its sources' own words. On a model's page a bullet may
    be: the program itself puts some back.
    """
    planned = {task.key: task for task in tasks}
    shelf = snapshot.shelf
    total = len(shelf.weeks) + len(shelf.months) + len(shelf.typed) + bool(shelf.wisdom)
    count, findings = 0, list[Finding]()
    for done, page in enumerate(_pages(snapshot, planned), 1):
        count += len(page.claims)
        findings += _examined(snapshot, page)
        progress(done, total)
    return Checked(total, count, tuple(findings))


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
            (line, Claim(f"{entry.title}: {entry.text}", entry.sources, _WISDOM))
            for entry, line in entries
            if entry.sources
        ]
        yield _Material(shelf.wisdom.path, claims)


def _summary(
    snapshot: Snapshot, planned: Mapping[str, Task], tier: Tier, period: str, page: Page
) -> _Material:
    task = planned.get(f"{tier}:{period}", Task(tier, period, "foreign", "", {}))
    recorded = sources_of(snapshot.shelf, snapshot.ledger, task.key, page)
    if recorded is not None and (changed := changes(recorded, task.sources)):
        return _Material(page.path, (), stale=changed)
    data, paths = snapshot.read(page.path), list(task.sources)
    return _Material(
        page.path,
        [(line.number, line.claim) for line in read_summary(data) if line.claim.sources],
        snapshot.entries(paths) if tier == "week" else weeks_told(snapshot, paths)[1],
        offline=front_of(data).text("engine") == "offline",
        command=f"lithify compact {tier} --period {period} --rewrite"
        if task.state == "current"
        else "",
    )


def _memory_claims(snapshot: Snapshot, path: str) -> Sequence[tuple[int, Claim]]:
    """What a memory says and why, each a claim of its own."""
    data = snapshot.read(path)
    memory = read_typed(data, path)
    if memory is None or not memory.sources:
        return ()
    line = next((entry.line for entry in parse(data).entries), 1)
    said = filter(None, (memory.statement, memory.why))
    return [(line, Claim(text, memory.sources)) for text in said]


def _examined(snapshot: Snapshot, page: _Material) -> Iterator[Finding]:
    if page.stale:
        yield Finding(page.path, 0, "", (page.stale,), stale=True)
        return
    cited = snapshot.lookup([id for _, claim in page.claims for id in claim.sources])
    entries = {entry.id: entry for entry in page.entries} | cited
    shown = Shown.of(list(entries.values()), snapshot.settings.agent_name)
    for line, claim in page.claims:
        gone = [id for id in claim.sources if id not in cited]
        if gone:
            why = f"rests on {gone[0]}, which was edited or removed"
            yield Finding(page.path, line, claim.text, (why,), stale=True)
        elif violations := _violations(claim, shown, page.offline):
            reasons = tuple(f"{v.rule}: {v.message}" for v in violations)
            yield Finding(page.path, line, claim.text, reasons, command=page.command)


def _violations(claim: Claim, shown: Shown, offline: bool) -> Sequence[Violation]:
    taken = list(examine(claim, shown, extractive=True))
    cited = [shown.entries[id] for id in claim.sources]
    if put_together := not_own_words(claim.text, cited):
        taken.append(Violation("own words", put_together, claim.text))
    if offline or not taken:
        return taken
    judging = claim.section in (*JUDGING, _WISDOM)
    found = examine(claim, shown, judging=judging)
    # A rule may drop the reserve that its grounds were told with.
    return [v for v in found if v.rule != "hedges" or claim.section != _WISDOM]
