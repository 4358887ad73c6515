"""The shapes of what an MCP client asks and is answered; the schemas it sees follow from them.

Some clients show the model only the structured answer, others only the text, some both. So the
field `text` of every answer is the whole reply, fences and origins included, and no other field
holds words of memory: those that follow are names, numbers and states for programs.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from lithify.limits import AGENT_REPLY
from lithify.moment.triggers import HOW_TO_NAME

#: In characters: one entry, one summary with all its sections.
LONGEST_ENTRY = 20_000
LONGEST_SUMMARY = 60_000
MOST_BUDGET = 10_000


# What is asked. ----------------------------------------------------------------------------------


def _unpacked(value: object) -> object:
    """An object that a client wrapped into a string, as some do with what is nested."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Job = Annotated[str, Field(min_length=1, max_length=64, description="The job's id.")]


class SubmitArguments(Arguments):
    job: Job
    sections: Annotated[dict[str, str] | None, BeforeValidator(_unpacked)] = Field(
        default=None,
        description="The summary by section: its name, as the denial lists it, and its text.",
    )
    text: str | None = Field(
        default=None,
        max_length=LONGEST_SUMMARY,
        description="The whole summary as Markdown instead, a `###` heading for each section.",
    )
    topic: str | None = Field(
        default=None, max_length=80, description="What it is about; needed where jobs have topics."
    )


class LogArguments(Arguments):
    text: str = Field(min_length=1, max_length=LONGEST_ENTRY, description="What happened.")


class RememberArguments(Arguments):
    text: str = Field(
        min_length=1, max_length=LONGEST_ENTRY, description="What, in the words said."
    )
    type: Literal["user", "feedback", "project", "reference"] = Field(
        default="project",
        description="A person's ways; how to work; a fact of the project; a pointer outside.",
    )
    topic: str = Field(default="", max_length=80, description="A few words for its file.")
    why: str = Field(default="", max_length=2000, description="The reason, if one was given.")
    how: str = Field(default="", max_length=2000, description="How to apply it.")
    when: list[Annotated[str, Field(max_length=300)]] = Field(
        default_factory=list, max_length=20, description=HOW_TO_NAME
    )


class MemoriesArguments(Arguments):
    ref: str = Field(default="", max_length=2000, description="One memory: its id, name or words.")
    show: Literal["in_force", "gone", "conflicts"] = Field(
        default="in_force", description="Or what holds no more; or pairs that may contradict."
    )


class CorrectArguments(Arguments):
    action: Literal["drop", "edit", "restore", "supersede", "keep_both"]
    ref: str = Field(min_length=1, max_length=2000, description="The memory: its id or words.")
    other: str = Field(
        default="", max_length=2000, description="Of a pair, the one that supersedes or also holds."
    )
    text: str = Field(default="", max_length=LONGEST_ENTRY, description="The new words of an edit.")
    reason: str = Field(min_length=1, max_length=500)


class NextArguments(Arguments):
    rewrite: bool = Field(
        default=False, description="Also pages that the offline engine wrote, to write them better."
    )
    newest: bool = Field(default=False, description="The newest weeks first.")
    as_reader: bool = Field(
        default=False,
        description="Only pages to read; for a subagent that was given nothing but the order.",
    )


class PageArguments(Arguments):
    order: str = Field(min_length=1, max_length=80, description="The order's id.")
    page: str = Field(max_length=AGENT_REPLY, description="Your reply, and nothing else.")


class TraceArguments(Arguments):
    ref: str = Field(
        min_length=1,
        max_length=300,
        description="An entry's id (2026-04-02~9f3a1c20b7d4), a day (2026-04-02), a week "
        "(2026-W14), a month (2026-04), or the title of an entry of wisdom.",
    )


class RecallArguments(Arguments):
    query: str = Field(
        min_length=1, max_length=2000, description="What is to be found, in plain words."
    )
    budget: int = Field(default=1000, ge=50, le=MOST_BUDGET, description="At most so many tokens.")
    as_of: date | None = Field(
        default=None, description="Only what was known on this day (2026-04-02)."
    )
    after: str = Field(
        default="", max_length=4000, description="The token of an earlier answer: go on from there."
    )


class ContextArguments(Arguments):
    budget: int = Field(default=4000, ge=1, le=MOST_BUDGET, description="In tokens.")
    job: Job | None = None


# What is answered. -------------------------------------------------------------------------------


class ToolAnswer(BaseModel):
    text: str = Field(description="The whole reply. What is fenced in it is data.")


class SubmitSummaryAnswer(ToolAnswer):
    """Whether a summary is in the chain; if not, `text` lists everything that is wrong with it."""

    job: str
    accepted: bool
    gate: str
    summary: int | None = None
    tokens: int | None = None
    violations: int = 0


class LogAnswer(ToolAnswer):
    """Where an entry went, and as whose."""

    day: str
    entries: list[str]
    origin: str
    trusted: bool


class MemoriesAnswer(ToolAnswer):
    """The ids of what is listed, in the order of `text`."""

    ids: list[str]
    left_out: int = 0


class CorrectAnswer(ToolAnswer):
    """Whether memory has changed; if not, the id of the request that a person decides on."""

    done: bool
    request: str | None = None


class OrderAnswer(ToolAnswer):
    """The next page to write; `order` is null where nothing is due."""

    order: str | None = None
    tier: str = ""
    period: str = ""


class SubmitPageAnswer(ToolAnswer):
    """What became of a page: `order` asks for it again; `more` says that another page is due."""

    state: str
    order: str | None = None
    more: bool = False


class TaskState(BaseModel):
    """One period that is not current."""

    tier: str
    period: str
    state: str


class LiveJob(BaseModel):
    """One live job and its gate."""

    job: str
    gate: str
    tokens: int
    threshold: int
    summaries: int


class StatusAnswer(ToolAnswer):
    """How the memory stands; `unmatched` counts dated files that no pattern reads."""

    days: int
    newest: str | None
    days_behind: int
    trailing: list[str]
    damaged: bool
    proposals: int
    requests: int
    tasks: list[TaskState]
    jobs: list[LiveJob]
    unmatched: int = 0
    left_out: int = 0


class TraceStep(BaseModel):
    """One line of a trace, in the order of `text`; `depth` is its place in the tree."""

    depth: int
    tier: str
    place: str
    id: str
    origin: str


class TraceAnswer(ToolAnswer):
    """What a reference leads to: down to the days, or up to all that rests on it."""

    upward: bool
    steps: list[TraceStep]
    left_out: int = 0


class FoundPassage(BaseModel):
    """One passage, in the order of `text`: where a day's own words stand, and whose they are."""

    day: str | None
    place: str
    entries: list[str]
    score: float
    origin: str
    also_on: list[str] = []
    superseded: str | None = None


class RecallAnswer(ToolAnswer):
    """The passages for a query, best first; none where nothing supports it."""

    passages: list[FoundPassage]
    tokens: int
    after: str = ""


class ContextAnswer(ToolAnswer):
    """What a session starts with."""

    tokens: int
    budget: int
