"""The names of sections: of a week's and a month's page, and of a job's summary.

Each name is written once, here. Code, prompts, labels and labelled data say which section they mean
by its key (`WEEK.decisions`, `{{decisions}}` in a prompt, `"decisions"` in data), so a section is
renamed by changing one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class WeekSections(NamedTuple):
    """The sections of a week's page, in their order."""

    outcomes: str = "Key Outcomes"
    decisions: str = "Decisions"
    open_items: str = "Blockers & Open Items"
    context: str = "Context"


WEEK = WeekSections()


class CombinedSections(NamedTuple):
    """The sections of a week's page that is written in one reply with its memories."""

    decisions: str = "Key Decisions"
    outcomes: str = "Outcomes"
    open_items: str = WEEK.open_items
    context: str = WEEK.context


COMBINED = CombinedSections()


class MonthSections(NamedTuple):
    """The sections of a month's page, in their order."""

    themes: str = "Themes"
    milestones: str = "Milestones"
    trajectory: str = "Trajectory"
    carried_forward: str = "Carried Forward"


MONTH = MonthSections()

#: The section of a combined week that stands for each section of a separate one.
AS_COMBINED: Mapping[str, str] = MappingProxyType(
    {name: getattr(COMBINED, key) for key, name in WEEK._asdict().items()}
)
#: Sections in which a writer says in its own words what entries amount to.
JUDGING = (MONTH.themes, MONTH.trajectory)
#: Under these names a reader is shown how to apply a memory, and an entry of wisdom.
HOW_TO_APPLY, WISDOM = "How to apply", "Wisdom"
#: All that a reader is told to take as judgement.
JUDGEMENT = frozenset({*JUDGING, HOW_TO_APPLY, WISDOM})
#: The sections of separate weeks and of months by the keys that labelled data has for them.
BY_KEY: Mapping[str, str] = MappingProxyType({**WEEK._asdict(), **MONTH._asdict()})


class SummarySections:
    """The sections that a preset of the gate can ask a job's summary for.

    No tuple: they have no order, and every start of the command pays for a tuple's class.
    """

    requests = "User Requests"
    questions = "Questions & Decisions"
    design = "Design Choices"
    feedback = "Corrections & Feedback"
    state = "Current State"
    sources = "Sources Cited"
    hypotheses = "Hypotheses Tested"
    open_questions = "Open Questions"
    goals = "Client Goals"
    constraints = "Constraints Surfaced"
    actions = "Action Items"
    statutes = "Statutes Referenced"
    precedents = "Precedents Reviewed"
    conflicts = "Open Conflicts"
    answers = "Questions & Answers"
    decision_log = "Decision Log"
    open_matters = "Open Matters"


SUMMARY = SummarySections()

#: The sections of a summary, by preset.
GATE_PRESETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "default": (
            *(SUMMARY.requests, SUMMARY.questions, SUMMARY.design),
            *(SUMMARY.feedback, SUMMARY.state),
        ),
        "research": (SUMMARY.sources, SUMMARY.hypotheses, SUMMARY.open_questions),
        "consulting": (SUMMARY.goals, SUMMARY.constraints, SUMMARY.actions),
        "legal": (SUMMARY.statutes, SUMMARY.precedents, SUMMARY.conflicts),
        "support": (SUMMARY.answers, SUMMARY.open_questions, SUMMARY.state),
        "governance": (SUMMARY.decision_log, SUMMARY.open_matters, SUMMARY.state),
    }
)
