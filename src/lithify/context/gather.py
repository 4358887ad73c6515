"""What a session starts with, collected from a snapshot of the root: redacted, trusted, nothing twice.

In this order: the person's own rules, wisdom, marks that wisdom does not hold, an index of the other
memories, what is open, what happened lately, the live job, what is due. `context` writes it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from lithify.calendar import ago, month_with, parse_day, week_of
from lithify.capture import lowered
from lithify.compact.plan import Ask
from lithify.compact.snapshot import (
    sources_of,
    unsummarised_days,
    weeks_behind,
)
from lithify.context.compose import ContextFacts, ContextLine, ContextPart, LeftOut
from lithify.fence import unplain
from lithify.gate.texts import count_of, what_is_due
from lithify.markdown.pages import QUOTED, mark_of, read_summary, read_wisdom
from lithify.regex import regex
from lithify.sections import MONTH, WEEK
from lithify.store.last_run import last_run
from lithify.text.sentences import said_words
from lithify.values import TO_WRITE, Claim, Task, label_of

if TYPE_CHECKING:
    from lithify.compact.in_force import InForce
    from lithify.compact.snapshot import Snapshot
    from lithify.compact.standing import StatementKey
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.gate.jobs import JobState, Summary
    from lithify.store.tree import File
    from lithify.values import Entry, TypedMemory, WisdomEntry


#: Pages larger than this, in bytes, are left out; of a day as large so much of its end is read.
_LARGEST_PAGE, _DAY_END = 200_000, 20_000
#: The last days with text that are told of, and those of them that are told of at length.
_LAST_DAYS, _AT_LENGTH = 14, 2
#: The most lines of a day, where it is told of at length and where it is not.
_MOST_LINES, _FEW_LINES = 10, 4
#: The last days with text that are searched for what is open, and the most open items that are shown.
#: What was open longer ago is mostly settled somewhere in other words.
_OPEN_DAYS, _MOST_OPEN = 10, 12
#: The most characters of a line, of the line that leads in a list, and of what a memory is about.
_LINE, _LEAD, _ABOUT = 220, 80, 100
#: From this share of common words on, two lines say the same; a report that holds this share of an
#: open item's words, each by how rare it is, says that it is done; a newer open item that holds this
#: share of an older one's may say it again.
_SAME, _SETTLES, _AGAIN = 0.7, 0.4, 0.5
#: A line of so many telling words is said by any longer one that has all of them.
_WHOLE = 4
_OPEN_SECTIONS = (WEEK.open_items, MONTH.carried_forward)
_REPORTED = (WEEK.outcomes, WEEK.decisions)
_CHANGED_BY_OTHERS = "not as it was written, and files are not trusted here (trust.files)"
_COMMENT = regex(r"\s*<!--.*?-->", re.DOTALL)
_CONTROL = regex(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_SURROGATE = regex(r"[\ud800-\udfff]+")


def gather(
    snapshot: Snapshot,
    tasks: Sequence[Task],
    today: date,
    behind: int,
    state: JobState | None = None,
    origin: str = "agent",
    personal: Snapshot | None = None,
) -> ContextFacts:
    """Collect what a root, and a job with its whole chain, have to show today.

    Texts are redacted and comments removed. What is not trusted is left out: recall shows it,
    marked. The chain of a job is labelled with what its sessions read. `personal` is the person's own
    root, whose rules come first.
    """
    job, chain, tail = (state.job, state.chain, state.tail) if state else ("", (), ())
    start = _Start(snapshot, today, _entries_in_chain(snapshot, job) if job else ())
    parts = [*start.rules(personal), start.index()]
    lately = start.lately()
    parts += [start.open_items(), *lately]
    snapshot.keep()
    for summary in chain:
        # A summary may repeat a stranger's words in a session that was not seen reading them.
        origin = lowered(origin, summary.text, lambda: snapshot.untrusted)
    shelf = snapshot.shelf
    known = shelf.days or shelf.weeks or shelf.months or shelf.wisdom
    return ContextFacts(
        due=_due(snapshot, tasks, today, behind, state) if known or state else "",
        parts=tuple(part for part in parts if part.units or part.left_out),
        job=job,
        chain=tuple(_clean_summary(snapshot, one) for one in chain),
        origin=origin,
        tail=tuple(one._replace(text=_clean(snapshot, one.text)) for one in tail),
    )


class _Rule(NamedTuple):
    """A rule on its way into the context: its section, its statements, and the line itself."""

    section: str
    keys: tuple[StatementKey, ...]
    line: ContextLine
    #: Statements that may contradict it, each as its line.
    earlier: tuple[ContextLine, ...] = ()


class _OpenItem(NamedTuple):
    """Something open: its words, the days it was first and last named, why it counts as open, and
    what leads in its list.
    """

    text: str
    since: str
    last: str
    why: str
    lead: str = ""
    stems: frozenset[str] = frozenset()


class _Start:
    """Collects the sections of one root; what one section says, no later one says again."""

    def __init__(self, snapshot: Snapshot, today: date, in_chain: Collection[str]) -> None:
        from lithify.compact.in_force import in_force

        self.snapshot = snapshot
        self.today = today
        self.in_chain = frozenset(in_chain)
        self.held: InForce = in_force(snapshot, Ask(today))
        #: The ids of entries, and the words of lines, that are shown already.
        self.shown: set[str] = set()
        self.said: list[frozenset[str]] = []
        #: What pages of judging writers say is open, newest first, each with how many of the lines
        #: of what was done stand on newer pages.
        self.page_open: list[tuple[Claim, str, int]] = []
        self.page_done: list[frozenset[str]] = []
        self.on_page: set[str] = set()
        self.sources: dict[str, Sequence[Entry]] = {}
        #: The files of days that pages of judging writers tell, each with its digest at the time.
        self.told: Mapping[str, str] = {}

    # Rules

    def rules(self, personal: Snapshot | None) -> Iterator[ContextPart]:
        """Yield the person's own rules, wisdom, and the marks that wisdom does not hold."""
        own = _rules_of(self.snapshot, self.held)
        if personal is not None:
            yield self._of_the_person(personal, own)
        self.in_index = own.in_index
        page = self.snapshot.shelf.wisdom
        parts = {
            "wisdom": ContextPart(
                "Wisdom, the rules this work has taught:",
                _origin(self.snapshot, page) if page else "lithify",
                page.path if page else "WISDOM.md",
            ),
            "memories": ContextPart(
                "Marked and accepted memories, newest first:", "lithify", "memories"
            ),
        }
        for section, part in parts.items():
            lines = [
                line for r in own.rules if r.section == section for line in (r.line, *r.earlier)
            ]
            for line in lines:
                self._say(line.text)
            left_out = own.left_out if section == "wisdom" else ()
            yield part._replace(section=section, units=tuple(lines), left_out=left_out)
        self.shown |= own.sources

    def _of_the_person(self, snapshot: Snapshot, own: _Rules) -> ContextPart:
        """Return the rules of the person's own root that no rule of this one takes the place of."""
        from lithify.compact.in_force import in_force
        from lithify.compact.standing import bare
        from lithify.compact.statements import relation

        title = "The person's own rules, for all their work; a rule of this project goes first:"
        part = ContextPart(title, "lithify", "personal", section="personal")
        found, left_out = [], []
        here = [m.statement for m in self.held.statements if m.basis != "found"]
        here += [bare(rule.line.text) for rule in own.rules if not rule.keys]
        theirs = in_force(snapshot, Ask(self.today))
        for rule in _rules_of(snapshot, theirs).rules:
            statements = [theirs.standing.statements[key].statement for key in rule.keys]
            statements = statements or [bare(rule.line.text)]
            stands = {relation(text, said) for text in here for said in statements}
            words = set(map(said_words, statements))
            if "replaces" in stands or not words.isdisjoint(map(said_words, here)):
                left_out.append(
                    LeftOut(rule.line.text, "a rule of this project on the same matter")
                )
                continue
            line = rule.line
            if "conflict" in stands:
                line = line._replace(text=f"{line.text} (this project may say otherwise)")
            for one in (line, *rule.earlier):
                self._say(one.text)
                found.append(one._replace(why=f"the person's own root: {one.why}"))
        return part._replace(units=tuple(found), left_out=tuple(left_out))

    # The index

    def index(self) -> ContextPart:
        """Return one line for each other memory in force: its name, what it is about, its path."""
        part = ContextPart(
            "Other memories, one line each (read the file where it matters):",
            *("lithify", "index"),
            section="index",
        )
        found: list[ContextLine] = []
        left_out: list[LeftOut] = []
        others = [(p, m, "found by a writer") for p, m in self.held.files.items()]
        others = [
            (path, memory, why if self.snapshot.is_ours(path) else "a file of another tool")
            for path, memory, why in others
            if memory.basis == "found" or not self.snapshot.is_ours(path)
        ]
        others += [
            (
                self.held.as_remembered(m).path,
                m,
                "an agent's mark that the writer of wisdom dropped",
            )
            for m in self.in_index
        ]
        others.sort(key=lambda one: (one[1].updated, one[0]), reverse=True)
        for path, memory, why in others:
            entries = self.snapshot.lookup(memory.sources).values()
            if not all(entry.trusted for entry in entries):
                left_out.append(LeftOut(path, "not trusted"))
                continue
            if memory.sources and self.shown.issuperset(memory.sources):
                left_out.append(LeftOut(path, "wisdom holds it"))
                continue
            name = memory.name or path.rpartition("/")[2].removesuffix(".md")
            about = memory.description or memory.statement
            about = (
                ""
                if said_words(about).startswith(said_words(name)) and len(about) > _ABOUT
                else about
            )
            words = " ".join(_clean(self.snapshot, f"{name}\n{about}").split("\n")[0].split())
            told = _shortened(_clean(self.snapshot, about), _ABOUT)
            same = said_words(told).startswith(said_words(words)) or not told
            text = (told or words) if same else f"{words}: {told}"
            found.append(ContextLine(f"- {text} ({path}; {why})", why=f"{why}, {memory.updated}"))
        return part._replace(units=tuple(found), left_out=tuple(left_out))

    # What is open

    def open_items(self) -> ContextPart:
        """Return what is open, the newest first, each with the day since when it is."""
        part = ContextPart("Open, newest first:", "file", "open", section="open")
        items, left_out = self._open_on_days()
        said: list[_OpenItem] = []
        for item in [*self._open_on_pages(left_out), *items]:
            if not any(_alike(item.text, other.text) for other in said):
                said.append(item)
        said.sort(key=lambda item: (item.last, item.since), reverse=True)
        found: list[ContextLine] = []
        lead = ""
        for item in said:
            if self._told(item.text):
                left_out.append(LeftOut(item.text, "said above"))
            elif len(found) == _MOST_OPEN:
                left_out.append(LeftOut(item.text, "older than the newest open items"))
            else:
                self._say(item.text)
                text = f"{item.lead} {item.text}" if item.lead != lead else item.text
                lead = item.lead
                age = f"since {item.since}, {ago(date.fromisoformat(item.since), self.today)}"
                found.append(ContextLine(f"- {text.strip()} ({age})", why=item.why))
        return part._replace(units=tuple(found), left_out=tuple(left_out))

    def _open_on_pages(self, left_out: list[LeftOut]) -> Iterator[_OpenItem]:
        """Yield what pages of judging writers say is open and no newer one of them says is done.

        Of what several pages say is open the newest wording stands, with the oldest day.
        """
        stems = [_stems(claim.text) for claim, _, _ in self.page_open]
        weights = _weights([*stems, *self.page_done])
        found: list[tuple[str, _OpenItem]] = []
        for (claim, path, newer), words in zip(self.page_open, stems, strict=True):
            days = sorted(label_of(id) for id in claim.sources if parse_day(label_of(id)))
            text = _clean(self.snapshot, claim.text)
            if any(_settles(done, words, weights) for done in self.page_done[:newer]):
                left_out.append(LeftOut(text, "a newer page says that it is done"))
                continue
            if not days:
                continue
            item = _OpenItem(text, days[0], days[-1], f"{path} says it is open", stems=words)
            for n, (page, other) in enumerate(found):
                if page != path and _says_again(other, item, weights):
                    found[n] = (page, other._replace(since=min(other.since, item.since)))
                    left_out.append(LeftOut(text, "a newer page says it in other words"))
                    break
            else:
                found.append((path, item))
        for _, item in found:
            yield item

    def _open_on_days(self) -> tuple[list[_OpenItem], list[LeftOut]]:
        """Return what days say is open and none of them says is done since, and what was left out.

        Of days that a judging writer has told its page says what is open.
        """
        facts = [
            (day, path, fact)
            for day, path in self._paths(_OPEN_DAYS)
            if self.told.get(path) != self._digest(path)
            for fact in self._facts(path)
            if fact.stems
        ]
        weights = _weights([fact.stems for _, _, fact in facts])
        items: list[_OpenItem] = []
        left_out: list[LeftOut] = []
        for day, path, fact in facts:
            stems, since = frozenset(fact.stems), day
            if fact.state == "done":
                over = [item for item in items if _settles(stems, item.stems, weights)]
                left_out += [LeftOut(item.text, f"done on {day}") for item in over]
                items = [item for item in items if item not in over]
                continue
            entry = self.snapshot.with_origin(self._source(path)[fact.place])
            if not entry.trusted or entry.quoted or entry.id in self.in_chain:
                continue
            if (
                entry.id in self.shown
                or entry.id in self.on_page
                or self.held.tells_withdrawn(entry.text, [entry.id])
            ):
                continue
            again = [item for item in items if _same(stems, item.stems)]
            since = min([day, *(item.since for item in again)])
            items = [item for item in items if item not in again]
            lead = _shortened(_clean(self.snapshot, entry.lead), _LEAD)
            text = self._line_of(entry, led=False, boxed=False)
            why = f"{path}:{entry.line} says it is open, and nothing since that it is done"
            items.append(_OpenItem(text, since, day, why, lead, stems))
        return items, left_out

    # Lately

    def lately(self) -> list[ContextPart]:
        """Return the pages of judging writers that tell the last days, newest first, and the other days."""
        paths = self._paths(_LAST_DAYS)
        parts: list[ContextPart] = []
        told: dict[str, str] = {}
        for tier, period, file, days in self._judged_pages([path for _, path in paths]):
            title = f"The {tier} {period}, as its writer tells it:"
            part = summary_part(self.snapshot, file, title)._replace(section="page")
            parts.append(self._without_said(part, file, days))
            told = {**days, **told}
        self.told = told
        return [*parts, self._days(paths, told)]

    def _judged_pages(
        self, paths: Sequence[str]
    ) -> Iterator[tuple[str, str, File, Mapping[str, str]]]:
        """Yield the pages that judging writers wrote of these files of days, newest first, with their days.

        A month is told only of days that no such week tells.
        """
        shelf, commits = self.snapshot.shelf, self.snapshot.ledger.pages.commits
        left = set(paths)
        for tier, pages in (("week", shelf.weeks), ("month", shelf.months)):
            for period in sorted(pages, reverse=True):
                file, commit = pages[period], commits.get(f"{tier}:{period}")
                if (commit and commit.engine == "offline") or file.size > _LARGEST_PAGE:
                    continue
                told = self._days_of(tier, period, file)
                if not left.isdisjoint(told):
                    left.difference_update(told)
                    yield tier, period, file, told

    def _days_of(self, tier: str, period: str, page: File) -> Mapping[str, str]:
        """Return the files of days that a page was written from, each with its digest at the time."""
        shelf = self.snapshot.shelf
        sources = sources_of(self.snapshot, f"{tier}:{period}", page)
        if sources is None:
            within = (day for day in shelf.days if period in (week_of(day), month_with(day)))
            return {file.path: file.sha256 for day in within for file in shelf.days[day]}
        found: dict[str, str] = {}
        for path, digest in sources.items():
            file = self.snapshot.file(path)
            if tier == "month" and file and file.role == "week":
                found |= self._days_of("week", file.label, file)
            else:
                found[path] = digest
        return found

    def _without_said(self, part: ContextPart, file: File, days: Mapping[str, str]) -> ContextPart:
        """Return a page without what is out of force, said above, or open, which has its own place.

        What rests on lines of its `days` that were changed or erased since is not told either.
        """
        files = {path: self.snapshot.file(path) for path in days}
        changed = {
            self.snapshot.tree.layout.name(path).label
            for path, now in files.items()
            if now is None or now.sha256 != days[path]
        }
        kept: list[tuple[Claim, ContextLine]] = []
        left_out = list(part.left_out)
        newer = len(self.page_done)
        for claim, unit in _claims_with_lines(self.snapshot, file):
            self.on_page.update(claim.sources)
            if claim.section in _REPORTED:
                self.page_done.append(_stems(claim.text))
            at_risk = [id for id in claim.sources if label_of(id) in changed]
            if self.held.tells_withdrawn(claim.text, claim.sources):
                left_out.append(LeftOut(unit.text, "a rule that is not in force any more"))
            elif not all(map(self.snapshot.resolves, at_risk)):
                left_out.append(LeftOut(unit.text, "what it rests on was changed or erased"))
            elif claim.section in _OPEN_SECTIONS:
                self.page_open.append((claim, file.path, newer))
            elif self._told(unit.text, claim.sources):
                left_out.append(LeftOut(unit.text, "said above"))
            else:
                self._say(unit.text)
                why = f"the newest page that a writer judged: {file.path}"
                kept.append((claim, unit._replace(why=why, place=len(kept))))
        return part._replace(units=tuple(_newest_of_each(kept)), left_out=tuple(left_out))

    def _days(self, paths: Sequence[tuple[str, str]], told: Mapping[str, str]) -> ContextPart:
        """Return the headings and first entries of the days that the page lacks, newest first."""
        part = ContextPart(
            "The last days in their own words, newest first:", "file", "days", section="days"
        )
        units: list[ContextLine] = []
        left_out: list[LeftOut] = []
        days = list(dict.fromkeys(day for day, _ in reversed(paths)))
        for number, day in enumerate(days):
            most = _MOST_LINES if number < _AT_LENGTH else _FEW_LINES
            entries = [one for of, path in paths if of == day for one in self._lacking(path, told)]
            firsts = {entry.headings[:1] for _, entry in entries}
            title = "".join(*firsts) if len(firsts) == 1 else ""
            above = lead = ""
            for entry in self._first_of_each(day, entries, most, left_out):
                text = self._line_of(entry, led=entry.lead != lead)
                lead = entry.lead
                self._say(text)
                self.shown.add(entry.id)
                mark = f"{QUOTED} " if entry.quoted else ""
                heading = _heading(self.snapshot, entry, title)
                if heading != above:
                    above = heading
                    text = f"{heading}: {text}" if heading else text
                why = f"{entry.path}:{entry.line}, of the last days with text"
                units.append(ContextLine(f"- {mark}{text}", f"### {day}", why))
        return part._replace(units=tuple(units), left_out=tuple(left_out))

    def _lacking(self, path: str, told: Mapping[str, str]) -> Iterator[tuple[_Fact, Entry]]:
        """Yield the entries of a day's file that the page does not cover, each with what is known.

        Their origins are left out.
        """
        file = self.snapshot.file(path)
        if file and told.get(path) == file.sha256:
            return
        before = self.snapshot.lines_then(path, told[path]) if path in told else 0
        source = self._source(path)
        for fact in self._facts(path):
            entry = source[fact.place]
            if entry.end_line > before:
                yield fact, entry

    def _first_of_each(
        self, day: str, entries: Iterable[tuple[_Fact, Entry]], most: int, left_out: list[LeftOut]
    ) -> list[Entry]:
        """Return the first entries under each heading of a day, in turn, until there are enough."""
        by_heading: dict[tuple[str, ...], list[tuple[int, _Fact, Entry]]] = {}
        for place, (fact, entry) in enumerate(entries):
            by_heading.setdefault(entry.headings, []).append((place, fact, entry))
        queues = [iter(own) for own in by_heading.values()]
        chosen: list[tuple[int, Entry]] = []
        seen = 0
        while queues and len(chosen) < most:
            queue = queues.pop(0)
            for place, fact, one in queue:
                seen += 1
                entry = self.snapshot.with_origin(one)
                if why := self._why_not(fact, entry, chosen):
                    left_out.append(LeftOut(entry.id, why))
                    continue
                chosen.append((place, entry))
                queues.append(queue)
                break
        if rest := sum(map(len, by_heading.values())) - seen:
            left_out.append(LeftOut(f"{rest} of {day}", "later entries of their day"))
        return [entry for _, entry in sorted(chosen, key=lambda one: one[0])]

    def _why_not(self, fact: _Fact, entry: Entry, chosen: Iterable[tuple[int, Entry]]) -> str:
        """Say why an entry is not told under the last days; empty where it may be."""
        if not entry.trusted:
            return "not trusted"
        if fact.state == "open":
            return "open items have their own place"
        if entry.id in self.in_chain:
            return "the chain says it"
        if self.held.tells_withdrawn(entry.text, [entry.id]):
            return "a rule that is not in force any more"
        if entry.id in self.shown or self._told(self._line_of(entry)):
            return "said above"
        if any(_alike(other.text, entry.text) for _, other in chosen):
            return "said above"
        return ""

    # What is said, and what is not in force any more

    def _told(self, text: str, sources: Collection[str] = ()) -> bool:
        """Tell whether something is shown already: nearly its words, or half of them of the same entries."""
        stems = _stems(text)
        if sources and self.shown.issuperset(sources):
            return any(2 * len(stems & other) >= min(len(stems), len(other)) for other in self.said)
        return any(_same(stems, other) for other in self.said)

    def _say(self, text: str) -> None:
        self.said.append(_stems(text))

    # The days

    def _paths(self, most: int) -> list[tuple[str, str]]:
        """Return the files of the last days that have text, oldest first, each with its day."""
        found: list[tuple[str, str]] = []
        days = 0
        for day in sorted(self.snapshot.shelf.days, reverse=True):
            if day > self.today or days == most:
                continue
            own = [
                (day.isoformat(), page.path) for page in self.snapshot.shelf.days[day] if page.size
            ]
            days += bool(own)
            found += reversed(own)
        return found[::-1]

    def _digest(self, path: str) -> str:
        file = self.snapshot.file(path)
        return file.sha256 if file else ""

    def _facts(self, path: str) -> list[_Fact]:
        """Return what is known of the entries of a day's file, kept until the file changes."""
        made = self.snapshot.made(path, "start", "", lambda: _facts_of(self._source(path)))
        return [_Fact(*fact) for fact in made]

    def _source(self, path: str) -> Sequence[Entry]:
        """Return the entries of a day's file; of a long one, those at its end."""
        if path not in self.sources:
            file = self.snapshot.file(path)
            is_long = file is not None and file.size > _LARGEST_PAGE
            self.sources[path] = (
                self.snapshot.last_entries(path, _DAY_END)
                if is_long
                else self.snapshot.source(path)
            )
        return self.sources[path]

    def _line_of(self, entry: Entry, *, led: bool = True, boxed: bool = True) -> str:
        """Return an entry as one line, whole or its first sentences, with what leads in its list."""
        from lithify.text.labels import box_of, without_clock
        from lithify.text.sentences import first_sentences

        said = entry.text if boxed else box_of(without_clock(entry.text))[1]
        lead = _shortened(_clean(self.snapshot, entry.lead), _LEAD) if led else ""
        text = " ".join(_clean(self.snapshot, _COMMENT.sub("", said)).split())
        return f"{lead} {first_sentences(text, _LINE)}".strip()


class _Fact(NamedTuple):
    """What is known of an entry: its position, and whether it is open or done.

    The words of what is open or done are kept, cut to stems.
    """

    place: int
    state: str = ""
    stems: Sequence[str] = ()


def _facts_of(entries: Sequence[Entry]) -> list[Any]:
    """Return what the form of each statement of a file says: whether it is open or done."""
    from lithify.text.labels import section_by_form
    from lithify.text.sentences import plain, split

    found: list[Any] = []
    for place, entry in enumerate(entries):
        if entry.kind not in ("item", "paragraph", "quote") or entry.text.endswith((":", "：")):
            continue
        heading = entry.headings[-1] if entry.headings else ""
        section, state = section_by_form(entry.text, heading, entry.lead), ""
        if section == WEEK.open_items:
            # Of a matter with lines of its own (evidence, the next step) the first one names it.
            state = "" if place and _is_detail(entry, entries[place - 1]) else "open"
        elif section in _REPORTED:
            state = "done"
        sentences = split(plain(entry.text)) if state else ()
        # What is open is named in its first sentence.
        told = sentences[:1] if state == "open" else sentences
        found.append((place, state, sorted(_stems(" ".join(told))) if state else []))
    return found


def _is_detail(entry: Entry, before: Entry) -> bool:
    """Return whether a line is not the first under its heading and begins with a bold label of its own."""
    from lithify.text.labels import label_of

    if before.headings != entry.headings or not entry.text.startswith("**"):
        return False
    return not label_of(entry.text)[0]


def _heading(snapshot: Snapshot, entry: Entry, title: str) -> str:
    """Return the heading that an entry stands under, unless it is the title of its day."""
    own = entry.headings[1:] if entry.headings[:1] == (title,) else entry.headings
    return " ".join(_clean(snapshot, own[-1]).split()).rstrip(":") if own else ""


# Rules: wisdom as it is in force, and marks


class _Rules(NamedTuple):
    """The rules of a root, those that only the index has, and the entries that they rest on."""

    rules: tuple[_Rule, ...]
    in_index: tuple[TypedMemory, ...] = ()
    sources: frozenset[str] = frozenset()
    left_out: tuple[LeftOut, ...] = ()


def _rules_of(snapshot: Snapshot, held: InForce) -> _Rules:
    """Return wisdom as it is in force, then the marks that it does not hold, the newest first."""
    from lithify.compact.standing import key_of
    from lithify.compact.wisdom_in_line import behind, in_line, item_mark

    page, ledger, standing = snapshot.shelf.wisdom, snapshot.ledger, held.standing
    left_out: list[LeftOut] = []
    entries: Sequence[WisdomEntry] = ()
    if page and not _is_trusted(snapshot, page):
        left_out.append(LeftOut(page.path, _CHANGED_BY_OTHERS))
    elif page and page.size <= _LARGEST_PAGE:
        entries = snapshot.wisdom()
        if standing.out or ledger.lessons.undone:
            new = in_line(snapshot, held)
            entries = new.entries
            left_out += [LeftOut(d["item"], d["reason"]) for d in new.decisions if "entry" in d]
    rules: list[_Rule] = []
    sources: set[str] = set()
    told: set[StatementKey] = set()
    for entry in entries:
        if held.is_hidden(entry.sources):
            continue
        keys = tuple(key for key in behind(entry, ledger, standing) if standing.holds(key))
        told.update(keys)
        sources.update(entry.sources)
        if line := _wisdom_line(snapshot, entry):
            behind_it = (held.whose(standing.statements[key]) for key in keys)
            if whose := ", ".join(dict.fromkeys(behind_it)):
                line = line._replace(text=f"{line.text} ({whose})")
            rules.append(_Rule("wisdom", keys, line))
    words = {said_words(entry.text) for entry in entries}
    dropped = _dropped_by_its_writer(snapshot)
    in_index: list[TypedMemory] = []
    marks = [memory for memory in held.statements if memory.basis != "found"]
    # Sorting is stable: of two of one day the one that was said last comes first.
    for memory in sorted(marks, key=lambda one: one.updated)[::-1]:
        if key_of(memory) in told or said_words(memory.statement) in words:
            continue
        mark = item_mark(memory)
        if mark in ledger.wisdom.barred:
            left_out.append(LeftOut(memory.statement, "a person took it out of wisdom"))
        elif memory.by == "agent" and mark in dropped:
            in_index.append(memory)
            left_out.append(
                LeftOut(memory.statement, "its writer left it out of wisdom: in the index")
            )
        else:
            why = f" (why: {memory.why})" if memory.why else ""
            text = _clean(snapshot, f"{memory.statement}{why}")
            whose = held.whose(memory)
            line = ContextLine(
                f"- {memory.updated}: {text} ({whose})", "", f"{memory.basis}: {whose}"
            )
            rules.append(_Rule("memories", (key_of(memory),), line))
            sources.update(memory.sources)
    paired = _with_conflicts(snapshot, rules, held)
    return _Rules(tuple(paired), tuple(in_index), frozenset(sources), tuple(left_out))


def _wisdom_line(snapshot: Snapshot, entry: WisdomEntry) -> ContextLine | None:
    """Return an entry of wisdom as it stands in its file, without comments."""
    raw = entry.raw or (
        f"**{entry.text}**" if entry.untitled else f"**{entry.title}**\n{entry.text}"
    )
    text = _clean(snapshot, unplain(_COMMENT.sub("", raw)))
    group = f"## {_clean(snapshot, entry.category)}" if entry.category else ""
    return ContextLine(text, group, "an entry of wisdom") if text else None


def _with_conflicts(snapshot: Snapshot, rules: list[_Rule], held: InForce) -> list[_Rule]:
    """Put two rules that may contradict each other together, the newer first."""
    from lithify.compact.standing import key_of

    for newer, older in held.standing.conflicts:
        places = [
            next((n for n, rule in enumerate(rules) if key_of(one) in rule.keys), None)
            for one in (newer, older)
        ]
        at, below = places
        if at is None or below is None or at == below or rules[below].keys != (key_of(older),):
            continue
        place = rules[min(at, below)]
        said = _clean(snapshot, older.statement)
        why = "it may contradict the line above; nobody has settled it"
        line = ContextLine(
            f"  earlier ({older.updated}), not settled: {said}", place.line.group, why
        )
        one = rules[at]._replace(section=place.section)
        one = one._replace(line=one.line._replace(group=place.line.group))
        one = one._replace(earlier=(*one.earlier, line, *rules[below].earlier))
        rules[min(at, below)] = one
        del rules[max(at, below)]
    return rules


def _dropped_by_its_writer(snapshot: Snapshot) -> frozenset[str]:
    """Return the items that a judging writer dropped, or whose entry it dropped from wisdom."""
    wisdom = snapshot.ledger.wisdom
    dropped = [one for one in wisdom.decisions if one["verb"] == "DROP" and "mark" in one]
    if not dropped:
        return frozenset(wisdom.retired)
    engines = {record.seq: record.data.get("engine") for record in snapshot.journal.records}
    judged = {str(one["mark"]) for one in dropped if engines.get(one["seq"]) != "offline"}
    led = frozenset[str]().union(*wisdom.led.values())
    return frozenset(judged | wisdom.retired.keys()) - wisdom.crowded - led


# Words


def _stems(text: str) -> frozenset[str]:
    """Return the words that carry the meaning of a line, without its box, clock and label."""
    from lithify.text.labels import without_marks
    from lithify.text.words import content_stems

    return content_stems(without_marks(text.removeprefix("- ")))


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether two lines say nearly the same, or the longer all that the shorter does."""
    least = min(len(one), len(other))
    shared = len(one & other)
    return bool(least) and (
        shared >= _SAME * len(one | other) or (least >= _WHOLE and shared == least)
    )


def _alike(one: str, other: str) -> bool:
    return _same(_stems(one), _stems(other))


def _weights(lines: Sequence[Collection[str]]) -> Mapping[str, float]:
    """Return how much each word of these lines tells: more, the fewer have it."""
    spread = Counter(stem for stems in lines for stem in stems)
    return {stem: math.log(1 + len(lines) / n) for stem, n in spread.items()}


def _settles(report: frozenset[str], item: frozenset[str], weights: Mapping[str, float]) -> bool:
    """Tell whether a later report says that something open is done."""
    whole = sum(weights[stem] for stem in item)
    return len(report & item) > 1 and sum(weights[s] for s in report & item) >= _SETTLES * whole


def _says_again(newer: _OpenItem, older: _OpenItem, weights: Mapping[str, float]) -> bool:
    """Tell whether a newer page's open item is an older one's in other words: most of what its words
    tell, and every figure and capitalised word.
    """
    told = sum(weights[stem] for stem in older.stems & newer.stems)
    if len(older.stems & newer.stems) < 2 or told < _AGAIN * sum(weights[s] for s in older.stems):
        return False
    from lithify.text.figures import find_figures
    from lithify.text.words import words_of

    before, now = ({one.digits for one in find_figures(item.text)} for item in (older, newer))
    named = " ".join(word for word in older.text.split()[1:] if word[0].isupper())
    return before <= now and set(words_of(named)) <= set(words_of(newer.text))


def _shortened(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"


# Days and pages


def _claims_with_lines(snapshot: Snapshot, page: File) -> Iterator[tuple[Claim, ContextLine]]:
    """Yield the trusted bullets of a week or month, each with its line."""
    if not _is_trusted(snapshot, page):
        return
    if snapshot.is_ours(page.path):
        # Only pages we wrote carry marks of trust; elsewhere trust follows from the sources.
        claims = [line.claim for line in read_summary(snapshot.shown(page.path))]
    else:
        claims = [
            replace(claim, text=_COMMENT.sub("", claim.text)) for claim in snapshot.claims(page)
        ]
    for claim in claims:
        text = _clean(snapshot, claim.text)
        group = f"### {_clean(snapshot, claim.section)}" if claim.section else ""
        if claim.trusted:
            yield claim, ContextLine(f"- {mark_of(claim)}{text}", group)


def _newest_of_each(lines: Iterable[tuple[Claim, ContextLine]]) -> Iterator[ContextLine]:
    """Yield the lines of a page, each section in turn, what happened last first."""
    sections: dict[str, list[tuple[str, int, ContextLine]]] = {}
    for claim, line in lines:
        day = max((label_of(id) for id in claim.sources), default="")
        sections.setdefault(line.group, []).append((day, line.place, line))
    newest = (sorted(own, reverse=True) for own in sections.values())
    for turn in zip_longest(*newest):
        yield from (one[2] for one in turn if one)


def summary_part(snapshot: Snapshot, page: File, title: str = "") -> ContextPart:
    """Return the trusted bullets of a week or month."""
    units = tuple(line for _, line in _claims_with_lines(snapshot, page))
    return ContextPart(title, _origin(snapshot, page), page.path, units)


def wisdom_part(snapshot: Snapshot) -> ContextPart | None:
    """Return the entries of wisdom; None where there are none."""
    page = snapshot.shelf.wisdom
    if page is None or page.size > _LARGEST_PAGE or not _is_trusted(snapshot, page):
        return None
    lines = [_wisdom_line(snapshot, entry) for entry, _ in read_wisdom(snapshot.shown(page.path))]
    units = [line for line in lines if line]
    part = ContextPart(
        "Wisdom, the rules this work has taught:", _origin(snapshot, page), page.path
    )
    return part._replace(units=tuple(units)) if units else None


# The live job, and what is due


def job_shown(
    gate: Gatekeeper, job: str | None, session: str | None
) -> tuple[JobState | None, str]:
    """The state and origin of the job to show: the one named, the session's, or the last one."""
    live = gate.require_job(job) if job else gate.job_of(session) if session else gate.last_job()
    return (gate.full_state(live), gate.job_origin(live)) if live else (None, "agent")


def _due(
    snapshot: Snapshot, tasks: Sequence[Task], today: date, behind: int, state: JobState | None
) -> str:
    """Say what is due or late, and how old the newest day is. Times are whole days, so that the text
    seldom changes.
    """
    said: list[str] = []
    if (run := last_run(snapshot.root)).failure:
        said.append(f"The last automatic run failed on {run.time[:10]} (`lithify status`).")
    command = "write next" if snapshot.settings.model == "agent" else "compact"
    due = [task for task in tasks if task.state in TO_WRITE]
    if behind:
        said.append(f"Memory is {count_of(behind, 'day')} behind.")
    if due:
        said.append(f"To be written: {task_names(due)} (`lithify {command}`).")
    if failed := [task for task in tasks if task.state == "failed"]:
        said.append(f"Failed: {task_names(failed)} (`lithify {command} --retry`).")
    if missing := [task for task in tasks if task.state == "missing"]:
        said.append(f"Based on days that are missing: {task_names(missing)} (`lithify status`).")
    unsummarised = unsummarised_days(snapshot, today)
    open_weeks = weeks_behind(snapshot.shelf, unsummarised, tasks)
    said += [f"Week {week} is not over; its page is behind its days." for week in open_weeks]
    if snapshot.damage or snapshot.lost_head:
        said.append("The journal is damaged (`lithify check`).")
    if proposals := snapshot.ledger.wisdom.proposals:
        said.append(f"{count_of(len(proposals), 'proposal')} for wisdom: a person has to decide.")
    said = said or ["Every page is written."]
    if days := [day for day in snapshot.shelf.days if day <= today]:
        last = max(days).isoformat()
        said.append(f"The newest day is {last}, {ago(date.fromisoformat(last), today)}.")
    if state and state.demand:
        said.append(f"The gate is closed: {what_is_due(state.job, state.demand)}.")
    elif state and state.pending and (snapshot.settings.gate.enabled or state.chain):
        count = count_of(len(state.pending), "interaction")
        said.append(f"Job {state.job}: {count}, about {state.tokens:,} tokens, without a summary.")
    return " ".join(said)


def task_names(tasks: Sequence[Task]) -> str:
    """Return the periods of tasks in a few words."""
    # Typed memories are due with their week and need no mention of their own.
    weeks = {task.period for task in tasks if task.tier == "week"}
    names = [
        "wisdom" if task.tier == "wisdom" else f"{task.tier} {task.period}"
        for task in tasks
        if task.tier != "typed" or task.period not in weeks
    ]
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return ", ".join(names[:6]) + more


def _entries_in_chain(snapshot: Snapshot, job: str) -> frozenset[str]:
    """Return the ids of the entries that the gate wrote to days from a job's summaries."""
    found: set[str] = set()
    for record in snapshot.journal.records:
        facts = record.data.get("gate")
        if isinstance(facts, dict) and facts.get("job") == job and "seq" in facts:
            found.update(record.data.get("entries", ()))
    return frozenset(found)


def _origin(snapshot: Snapshot, page: File) -> str:
    return "lithify" if snapshot.is_ours(page.path) else "file"


def _is_trusted(snapshot: Snapshot, page: File) -> bool:
    """Whether a page is as we wrote it, or whoever changes files here may tell a session what to do."""
    return snapshot.settings.trust.files or snapshot.is_ours(page.path)


def _clean_summary(snapshot: Snapshot, one: Summary) -> Summary:
    doubts = {
        name: [_clean(snapshot, text) for text in texts] for name, texts in one.unverified.items()
    }
    text, topic = _clean(snapshot, one.text), _clean(snapshot, one.topic)
    return one._replace(text=text, topic=topic, unverified=doubts)


def _clean(snapshot: Snapshot, text: str) -> str:
    """Remove control characters, then redact: what is removed first could have split a secret."""
    text = _SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return snapshot.redacted(_CONTROL.sub("", text)).strip()
