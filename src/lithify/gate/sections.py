"""The sections a summary must have, from a preset or from the settings of the root."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from lithify.sections import GATE_PRESETS, SUMMARY
from lithify.settings import Gate

Form = Literal["free", "pairs", "log"]

#: What a section says when it has nothing to report.
NOTHING = "None."


class Section(NamedTuple):
    """One section of a summary.

    `reports` is true where it reports what was said: every figure and name in it must then be in
    the record.
    """

    name: str
    hint: str
    reports: bool = False
    form: Form = "free"


#: Every section that a preset names.
SECTIONS = (
    Section(SUMMARY.requests, "what the person asked for, each request once, in order", True),
    Section(
        SUMMARY.questions,
        "what was asked back, what was answered, what was decided",
        True,
    ),
    Section(SUMMARY.design, "how it is being built and why that way and no other"),
    Section(
        SUMMARY.feedback,
        "where the person corrected or confirmed the way of work",
        True,
    ),
    Section(
        SUMMARY.state, "where the work stands now: done, in hand, next, with files and figures"
    ),
    Section(SUMMARY.sources, "each source with where it is found and what it says"),
    Section(SUMMARY.hypotheses, "each hypothesis, how it was tested and what came of it"),
    Section(SUMMARY.open_questions, "what nobody has answered yet, and who could"),
    Section(SUMMARY.goals, "what the client wants to reach, in the client's terms", True),
    Section(SUMMARY.constraints, "budget, time, people and rules that limit the work", True),
    Section(SUMMARY.actions, "who does what by when"),
    Section(SUMMARY.statutes, "each provision with its number and why it matters here"),
    Section(SUMMARY.precedents, "each case, its holding and how it bears on this one"),
    Section(SUMMARY.conflicts, "where authorities or positions contradict each other"),
    Section(
        SUMMARY.answers,
        "a line `Q:` with what was asked, then a line `A:` with the answer, pair after pair",
        True,
        "pairs",
    ),
    Section(
        SUMMARY.decision_log,
        "one line a decision: its date as 2026-04-02, what was decided, by whom, the reason",
        True,
        "log",
    ),
    Section(SUMMARY.open_matters, "what still has to be decided, and by whom"),
)
_KNOWN = {section.name.casefold(): section for section in SECTIONS}

#: A section of the user's own whose name holds one of these reports what was said.
_REPORTING = (
    *("request", "question", "answer", "decision", "correction", "feedback", "asked", "said"),
    *("goal", "constraint", "preference", "instruction"),
)


def sections_of(rules: Gate) -> tuple[Section, ...]:
    """The sections of a summary under these rules, in the order of the template."""
    names = rules.sections or GATE_PRESETS[rules.preset]
    return tuple(_KNOWN.get(name.casefold()) or _own(name) for name in names)


def most_none(rules: Gate) -> int:
    """How many sections may say `None.`; never all of them."""
    return min(rules.max_none, len(sections_of(rules)) - 1)


def bodies(text: str) -> list[tuple[str, str]]:
    """The sections of an accepted summary, each with its text."""
    pieces = re.split(r"^### (.+)\n", text, flags=re.MULTILINE)
    return [(name, body.strip()) for name, body in zip(pieces[1::2], pieces[2::2], strict=True)]


def _own(name: str) -> Section:
    reports = any(word in name.casefold() for word in _REPORTING)
    return Section(name, f"all that belongs under {name}, with the figures and names", reports)
