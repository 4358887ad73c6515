"""The sections a summary must have: by preset, or a root's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from lithify.settings import Gate

Form = Literal["free", "pairs", "log"]


class Section(NamedTuple):
    """One part of a summary.

    `reports`: it says what was said, so every figure and name in it must be in the record.
    """

    name: str
    hint: str
    reports: bool = False
    form: Form = "free"


_STATE = Section(
    "Current State", "where the work stands now: done, in hand, next, with files and figures"
)
_OPEN = Section("Open Questions", "what nobody has answered yet, and who could")

PRESETS: dict[str, tuple[Section, ...]] = {
    "default": (
        Section("User Requests", "what the person asked for, each request once, in order", True),
        Section(
            "Questions & Decisions",
            "what was asked back, what was answered, what was decided",
            True,
        ),
        Section("Design Choices", "how it is being built and why that way and no other"),
        Section(
            "Corrections & Feedback",
            "where the person corrected or confirmed the way of work",
            True,
        ),
        _STATE,
    ),
    "research": (
        Section("Sources Cited", "each source with where it is found and what it says"),
        Section("Hypotheses Tested", "each hypothesis, how it was tested and what came of it"),
        _OPEN,
    ),
    "consulting": (
        Section("Client Goals", "what the client wants to reach, in the client's terms", True),
        Section("Constraints Surfaced", "budget, time, people and rules that limit the work", True),
        Section("Action Items", "who does what by when"),
    ),
    "legal": (
        Section("Statutes Referenced", "each provision with its number and why it matters here"),
        Section("Precedents Reviewed", "each case, its holding and how it bears on this one"),
        Section("Open Conflicts", "where authorities or positions contradict each other"),
    ),
    "support": (
        Section(
            "Questions & Answers",
            "a line `Q:` with what was asked, then a line `A:` with the answer, pair after pair",
            True,
            "pairs",
        ),
        _OPEN,
        _STATE,
    ),
    "governance": (
        Section(
            "Decision Log",
            "one line a decision: its date as 2026-04-02, what was decided, by whom, the reason",
            True,
            "log",
        ),
        Section("Open Matters", "what still has to be decided, and by whom"),
        _STATE,
    ),
}

_REPORTING = (
    *("request", "question", "answer", "decision", "correction", "feedback", "asked", "said"),
    *("goal", "constraint", "preference", "instruction"),
)


def sections_of(rules: Gate) -> tuple[Section, ...]:
    """The sections of a summary under these rules, in the order of the template."""
    known = {section.name.casefold(): section for preset in PRESETS.values() for section in preset}
    if not rules.sections:
        return PRESETS[rules.preset]
    return tuple(known.get(name.casefold()) or _own(name) for name in rules.sections)


def most_none(rules: Gate) -> int:
    """How many sections may say `None.`: never all of them."""
    return min(rules.max_none, len(sections_of(rules)) - 1)


def _own(name: str) -> Section:
    reports = any(word in name.casefold() for word in _REPORTING)
    return Section(name, f"all that belongs under {name}, with the figures and names", reports)
