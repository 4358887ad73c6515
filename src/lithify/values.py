"""The frozen values that travel between the stages.

Nothing here reads a file or a clock. A stage takes some of these and returns others;
`store` turns the last of them into bytes on disk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from lithify.calendar import days_in_words, parse_day, week_of
from lithify.repeated import folded
from lithify.trust import is_trusted

#: A page of so few tokens of input may be as long as they are.
SHORT_INPUT = 400

Tier = Literal["week", "month", "typed", "wisdom"]
MemoryType = Literal["user", "feedback", "project", "reference"]
MEMORY_TYPES: tuple[MemoryType, ...] = ("user", "feedback", "project", "reference")

#: On whose word a memory rests: a label in a day, a person who accepted it, or a writer alone.
Basis = Literal["marked", "accepted", "found"]

#: Who said something: what an origin of the person's stands for, or the agent's.
Speaker = Literal["", "person", "agent"]
SPEAKERS: tuple[Speaker, ...] = ("person", "agent")

#: What a client does with a call that a rule names: it asks the person, or refuses it.
Guard = Literal["", "ask", "deny", "off"]
NO_GUARD: Guard = ""
GUARDS: tuple[Guard, ...] = ("ask", "deny", "off")

EntryKind = Literal["item", "paragraph", "row", "quote", "code", "lead"]

FrontValue: TypeAlias = "str | list[FrontValue] | dict[str, FrontValue]"


class Front(NamedTuple):
    """The front matter of a file, and what was wrong with it, if anything."""

    values: Mapping[str, FrontValue] = MappingProxyType({})
    fault: str = ""

    def text(self, key: str) -> str:
        value = self.values.get(key, "")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One statement of a source file and the place where it stands.

    `text` is what the id is taken over: list marker stripped, white space collapsed, NFC.
    `lead` is the line ending in a colon (or the header row of a table) it stands under.
    """

    id: str
    text: str
    headings: tuple[str, ...] = ()
    lead: str = ""
    kind: EntryKind = "item"
    path: str = ""
    line: int = 0
    end_line: int = 0
    day: date | None = None
    origin: str = "file"
    #: Whether it is, or holds, other people's words: a quote, a mail, a pasted page, output.
    quoted: bool = False

    def __hash__(self) -> int:
        # Whole weeks of entries are looked up at once. Equal lines of a day share an id.
        return hash((self.id, self.line))

    @property
    def trusted(self) -> bool:
        return is_trusted(self.origin)


class Entries(tuple[Entry, ...]):
    """Entries that are looked up as a whole: their hash is worked out once."""

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence on its way into a page, with the ids of the entries it rests on."""

    text: str
    sources: tuple[str, ...]
    section: str = ""
    trusted: bool = True
    title: str = ""
    quoted: bool = False

    @property
    def week(self) -> str:
        """The week of the first entry that it cites."""
        label = label_of(self.sources[0]) if self.sources else ""
        day = parse_day(label)
        return week_of(day) if day else label


class TypedMemory(NamedTuple):
    """What is known on one topic: a statement, why, how to apply it, and what it replaced.

    `superseded` has what it replaced, each with its day and, in a comment, the lines it stood on. `by`
    says who marked or accepted it, empty where a writer found it. It ends after the day `until`. `when`
    are triggers of the calls that it concerns, and `guard` says what a person has a client do with them.
    """

    type: MemoryType
    topic: str
    name: str
    description: str
    statement: str
    sources: tuple[str, ...]
    why: str = ""
    how: str = ""
    updated: str = ""
    superseded: tuple[str, ...] = ()
    basis: Basis = "found"
    by: Speaker = ""
    until: str = ""
    when: tuple[str, ...] = ()
    guard: Guard = ""

    @property
    def path(self) -> str:
        return f"memory/{self.type}_{self.topic}.md"


class WisdomEntry(NamedTuple):
    """One entry of WISDOM.md: the rule first, its reason after it.

    `raw` is the entry as it stands in the file; it is what keeps unchanged entries unchanged.
    """

    title: str
    text: str
    sources: tuple[str, ...]
    category: str = ""
    raw: str = ""

    @property
    def untitled(self) -> bool:
        """Tell whether its title is only the beginning of its text."""
        return self.text.startswith(self.title)

    @property
    def said(self) -> str:
        """What it says, its title included, and nothing twice."""
        return self.text if self.untitled else f"{self.title}: {self.text}"


Verb = Literal["MERGE", "ADD", "DROP"]


class Decision(NamedTuple):
    """What becomes of items of new material or of entries in force, and why.

    `targets` are the titles of the wisdom entries concerned, of which `entry` takes the place, or
    of one that makes room for a new one. A DROP without items takes an entry out of wisdom;
    `because` names the items and entries that overtake it. What was dropped for lack of room
    alone is `crowded`; what is `proposed` waits for a person, whoever said it, or, where it is
    `unread`, for a reader.
    """

    items: tuple[str, ...]
    verb: Verb
    reason: str
    targets: tuple[str, ...] = ()
    entry: WisdomEntry | None = None
    crowded: bool = False
    proposed: bool = False
    unread: bool = False
    because: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        return self.targets[0] if self.targets else ""

    @property
    def drops_entry(self) -> bool:
        return self.verb == "DROP" and not self.items


class Item(NamedTuple):
    """One piece of new material put before the distiller of wisdom."""

    id: str
    text: str
    sources: tuple[str, ...]
    origin: str
    type: MemoryType | None = None
    title: str = ""
    basis: Basis | None = None
    how: str = ""
    day: str = ""


class Age(NamedTuple):
    """The first and the last day that support a wisdom entry, and whether the last is long ago."""

    since: str = ""
    borne_out: str = ""
    stale: bool = False


class Brief(NamedTuple):
    """All that a writer is shown for one period; nothing else may reach its draft.

    week, typed: `entries` are the days' own. month: `claims` are the weeks' bullets and
    `entries` what they cite. wisdom: `items` are the new material, `wisdom` the entries in force,
    `ages` the age of each, `conflicts` the pairs that may contradict each other, the newer first, and
    `today` the day of the run. `memories` are the typed memories that exist.
    With `with_memories` one reply holds a week's page and its memories: the briefs of both ask for it
    in the same words. `size` is the length of the input in tokens, `target` the length to aim for,
    `ceiling` the most the page may have however long its input is (0: none). `most` is what a part of
    a split page may have of the page's most (0: this is a whole page).

    `numbers` and `claim_numbers` are the places of entries and claims in the whole period, counted
    from 1 (empty: this is the whole of it), so that a label means the same in every call. `shown` of
    `whole` tokens are shown where a period is too long for its calls (0: all of it is shown). Of a week
    that takes several orders, `part` of `parts` is shown, and `told` and `found` are the bullets and
    memories that its writer made of the parts before.
    """

    tier: Tier
    period: str
    sections: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    claims: tuple[Claim, ...] = ()
    items: tuple[Item, ...] = ()
    memories: tuple[TypedMemory, ...] = ()
    wisdom: tuple[WisdomEntry, ...] = ()
    categories: tuple[str, ...] = ()
    max_entries: int = 20
    max_memories: int = 8
    target: int = 0
    ceiling: int = 0
    most: int = 0
    size: int = 0
    trusted: bool = True
    agent_name: str = "Agent"
    ages: tuple[Age, ...] = ()
    today: str = ""
    conflicts: tuple[tuple[TypedMemory, TypedMemory], ...] = ()
    with_memories: bool = False
    numbers: tuple[int, ...] = ()
    claim_numbers: tuple[int, ...] = ()
    shown: int = 0
    whole: int = 0
    part: int = 0
    parts: int = 0
    told: tuple[Claim, ...] = ()
    found: tuple[TypedMemory, ...] = ()

    @property
    def labelled(self) -> Iterator[tuple[str, Entry]]:
        """Each entry with its label."""
        numbers = self.numbers or range(1, len(self.entries) + 1)
        return ((f"e{n}", entry) for n, entry in zip(numbers, self.entries, strict=True))

    @property
    def lines(self) -> list[tuple[str, tuple[Entry, ...]]]:
        """The lines in which entries are shown, each with its label and the entries it stands for.

        A month shows its entries one by one.
        """
        if self.tier == "month":
            return [(label, (entry,)) for label, entry in self.labelled]
        labels = {id(entry): label for label, entry in self.labelled}
        return [(labels[id(group[0])], group) for group in folded(self.entries)]

    @property
    def labelled_claims(self) -> Iterator[tuple[str, Claim]]:
        """Each bullet of a month's weeks with its label."""
        numbers = self.claim_numbers or range(1, len(self.claims) + 1)
        return ((f"b{n}", claim) for n, claim in zip(numbers, self.claims, strict=True))

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """Each short label that the writer may cite, and the entry ids it stands for.

        The label of a line that is repeated stands for all of them.
        """
        entries: dict[str, tuple[str, ...]] = {label: (entry.id,) for label, entry in self.labelled}
        entries |= {label: tuple(dict.fromkeys(e.id for e in own)) for label, own in self.lines}
        return entries | {label: claim.sources for label, claim in self.labelled_claims}


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens a writer was given and gave back; `cached` of those given cost it less."""

    input: int = 0
    output: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input + other.input, self.output + other.output, self.cached + other.cached
        )

    @property
    def facts(self) -> dict[str, int]:
        """Return the tokens as the journal and saved replies keep them."""
        facts = {"input": self.input, "output": self.output}
        return {**facts, "cached": self.cached} if self.cached else facts

    @staticmethod
    def noted(facts: Mapping[str, Any]) -> Usage:
        """Return the tokens that the journal or a saved reply has kept."""
        return Usage(*(int(facts.get(name, 0)) for name in ("input", "output", "cached")))


class Draft(NamedTuple):
    """What a writer made of a brief, before anyone has looked at it.

    `text` is a model's reply as it came, `slips` the faults of form found in reading it;
    `cut` says that it was cut off at the token limit.
    """

    claims: tuple[Claim, ...] = ()
    memories: tuple[TypedMemory, ...] = ()
    decisions: tuple[Decision, ...] = ()
    usage: Usage = Usage()
    text: str = ""
    slips: tuple[Violation, ...] = ()
    cut: bool = False


#: The rule that a fault in the form of a memory breaks, where one reply holds a page and memories.
MEMORIES = "memories"


class Violation(NamedTuple):
    """One thing a draft did wrong, in words its writer can act on."""

    rule: str
    message: str
    claim: str = ""


def label_of(id: str) -> str:
    """Return the day or file that an entry's id belongs to."""
    return id.partition("~")[0]


class SentBack(NamedTuple):
    """What goes back to a writer: what was refused of its reply, and what it is asked once.

    `claims` are refused bullets in the order they stood, with the entries they cite; `memories` and
    `decisions` likewise. `violations` say what is wrong, each with the words of its bullet in
    `claim`. `left_out` are marked entries that no bullet tells.
    """

    violations: tuple[Violation, ...] = ()
    claims: tuple[Claim, ...] = ()
    memories: tuple[TypedMemory, ...] = ()
    decisions: tuple[Decision, ...] = ()
    left_out: tuple[Entry, ...] = ()

    @property
    def about_page(self) -> bool:
        """Tell whether bullets are to be handed in."""
        return bool(self.claims or self.left_out)

    @property
    def about_memories(self) -> bool:
        """Tell whether memories are to be handed in."""
        return bool(self.memories) or any(one.rule == MEMORIES for one in self.violations)


State = Literal[
    "current", "due", "held", "stale", "waiting", "failed", "missing", "foreign", "open", "absent"
]
#: States in which a period will be written by the next compaction.
TO_WRITE: frozenset[State] = frozenset({"due", "held", "stale"})
#: States that a person should know of (exit code 3).
BEHIND: frozenset[State] = frozenset({"due", "held", "stale", "failed", "missing", "waiting"})


class Task(NamedTuple):
    """One period of one tier, where it stands, and why it would be written."""

    tier: Tier
    period: str
    state: State
    why: str = ""
    sources: Mapping[str, str] = MappingProxyType({})
    tokens: int = 0

    @property
    def key(self) -> str:
        return f"{self.tier}:{self.period}"


#: `Passage` has a field `date`, which hides the type of that name.
_Date = date


class CitingSentence(NamedTuple):
    """A sentence of a page, typed memory or wisdom entry that led to a passage."""

    tier: str
    path: str
    line: int
    text: str


class Passage(NamedTuple):
    """Neighbouring entries of a day that answer a query, one on each line, without credentials.

    Rows of a table come under its header row. `also_on` lists all other days that say nearly the same,
    `superseded` is the day on which a newer value was given, `through` the pages that led here.
    A search counts `tokens` towards its budget.
    """

    text: str
    path: str
    line: int
    end_line: int
    entries: tuple[str, ...]
    date: _Date | None
    headings: tuple[str, ...]
    score: float
    tokens: int
    origin: str = "file"
    also_on: tuple[_Date, ...] = ()
    superseded: _Date | None = None
    through: tuple[CitingSentence, ...] = ()
    #: Whether it is, or holds, other people's words, as an entry says it.
    quoted: bool = False

    @property
    def place(self) -> str:
        """The file and the lines: `memory/2026-02-03.md:12-14`."""
        last = f"-{self.end_line}" if self.end_line > self.line else ""
        return f"{self.path}:{self.line}{last}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for its reader: when it was superseded, whether it quotes, its other days."""
        return (
            *((f"superseded on {self.superseded}",) if self.superseded else ()),
            *(("[quoted]",) if self.quoted else ()),
            *((f"also on {days_in_words(self.also_on)}",) if self.also_on else ()),
        )


class Recall(NamedTuple):
    """The passages that answer a query, best first.

    Where nothing (or little) supports the query there are none (few), and `nearest` names topics near it.
    `support` is the share of the query that the best passage holds. `note` says what kept the search
    from using vectors that were asked for, and how a date without a year was read. With `after`, a token,
    the next search goes on from here. `missing` are words of the query that memory has nowhere, if they
    are a third of its telling words or more.
    """

    query: str
    passages: tuple[Passage, ...] = ()
    nearest: tuple[str, ...] = ()
    tokens: int = 0
    support: float = 0.0
    note: str = ""
    after: str = ""
    missing: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.passages)
