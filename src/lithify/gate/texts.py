"""What the gate says: to the agent it stops, to the person, and what it hands over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lithify.gate.decide import Demand
from lithify.gate.jobs import Book, Interaction, Summary
from lithify.gate.presets import most_none, sections_of

if TYPE_CHECKING:
    from lithify.settings import Gate

#: Harnesses cut what a hook says at this many characters.
LIMIT = 10_000
DELIMITER = "SUMMARY"

_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=-]+")


def quoted(word: str) -> str:
    """A word as a POSIX shell reads it back."""
    return word if _PLAIN.fullmatch(word) else "'" + word.replace("'", "'\"'\"'") + "'"


def submit_command(program: Sequence[str], job: str, root: str) -> str:
    """The command that hands in a summary, whatever the folder and PATH it is run in."""
    words = (*program, "gate", "submit", "--job", job, "--root", root)
    return " ".join(quoted(word) for word in words)


def short_command(job: str) -> str:
    """The same, for whoever stands in the root and has `lithify` on the PATH."""
    return f"lithify gate submit --job {job}"


def template(rules: Gate) -> str:
    """The form of a summary, a hint under each heading."""
    lead = "Topic: <its name, a few words, the same one for the same topic>\n" * (
        rules.shape == "topics"
    )
    parts = [f"### {section.name}\n<{section.hint}>" for section in sections_of(rules)]
    return lead + "\n\n".join(parts)


def filled_template(command: str, rules: Gate) -> str:
    """The whole command with the form as its here-document."""
    return f"{command} <<'{DELIMITER}'\n{template(rules)}\n{DELIMITER}"


def what_is_due(job: str, demand: Demand) -> str:
    """One line on what has to be summarised."""
    what = f"{_range_of(demand)} of job {job} (about {demand.tokens:,} tokens)"
    have = "has" if demand.stop - demand.start == 1 else "have"
    if demand.level:
        return f"{what} {have} to be summed up in one"
    return f"{what} {have} no summary yet"


def _range_of(covered: Demand | Summary) -> str:
    """What is covered, in words: `interaction 4`, `summaries 2 to 5`."""
    one, more = ("summary", "summaries") if covered.level else ("interaction", "interactions")
    last = covered.stop - 1
    return f"{one} {last}" if covered.start == last else f"{more} {covered.start} to {last}"


def count_of(number: int, one: str, more: str = "") -> str:
    """So many of a thing, in words: `1 summary`, `2 summaries`."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def rules_in_words(demand: Demand, rules: Gate) -> str:
    """What a summary must be, with the figures."""
    sections = sections_of(rules)
    most = min(rules.max_tokens, demand.tokens - 1)
    most = rules.max_tokens if demand.tokens <= rules.min_tokens else most
    reporting = [section.name for section in sections if section.reports]
    known = (
        f" In {', '.join(reporting)} every figure and name must be in the record."
        if reporting
        else ""
    )
    return (
        f"{len(sections)} sections, each once, in any order, each with {rules.section_floor} "
        f"tokens or more, or exactly `None.` in at most {most_none(rules)} of them; "
        f"{rules.min_tokens:,} to {most:,} tokens in all.{known} A token is about three quarters "
        "of a word."
    )


def denial(job: str, demand: Demand, rules: Gate, command: str, *, served: bool) -> str:
    """Why a call is denied and the way on; by our MCP tool too where a server can be `served`."""
    tool = f"the MCP tool submit_summary (job {job}), or with " if served else ""
    return (
        f"The gate is closed: {what_is_due(job, demand)}. Every tool call is denied until a "
        "summary of them is accepted; then repeat this one.\n"
        f"Submit it with {tool}exactly this command, its hints replaced, "
        "nothing before, after or around it:\n\n"
        f"{filled_template(command, rules)}\n\n{rules_in_words(demand, rules)}"
    )


def for_subagent(job: str, demand: Demand) -> str:
    """Why a subagent's call is denied."""
    return (
        f"The gate is closed: {what_is_due(job, demand)}. Only the main session can submit the "
        "summary. End here and report what you have so far."
    )


def for_person(job: str, open_command: str) -> str:
    """What a person is told when the agent does not get on."""
    return (
        f"lithify: the agent is stuck at the closed gate of job {job}. Ask it for the summary, or "
        f"open the gate yourself in a terminal: {open_command}"
    )


def open_command(program: Sequence[str], job: str, root: str) -> str:
    """How a person opens a gate by hand; every closed one where no job is named."""
    words = (*program, "gate", "open", *(("--job", job) if job else ()), "--root", root)
    return " ".join(quoted(word) for word in words) + " --reason 'WHY'"


def passing(job: str, demand: Demand) -> str:
    """The warning on each call that a gate set to give way lets through."""
    return (
        f'lithify: let through by `on_stuck = "pass"`, though {what_is_due(job, demand)}; '
        "the summary is still due."
    )


def record_text(interactions: Sequence[Interaction]) -> str:
    """Interactions as they are read."""
    return "\n\n".join(f"[{one.seq}] {one.time} {one.kind}\n{one.text}" for one in interactions)


def to_summarise(book: Book, demand: Demand) -> str:
    """The text that a summary is to cover."""
    if demand.level:
        return "\n\n".join(summary_text(one) for one in book.summaries_of(demand))
    return record_text(book.covered_by(demand))


def summary_text(one: Summary) -> str:
    """A summary as it is read: its place, its words, what in them nobody vouched for."""
    topic = f", topic {one.topic}" if one.topic else ""
    head = f"[summary {one.seq}{topic}, {one.time}, {_range_of(one)}]"
    marks = [f"{name}: {', '.join(texts)}" for name, texts in one.unverified.items()]
    tail = f"\n[unverified] {'; '.join(marks)}" if marks else ""
    return f"{head}\n{one.text}{tail}"


def shortened(text: str, room: int) -> str:
    """A text that fits: its beginning and its end, and how much is left out between."""
    if len(text) <= room:
        return text
    gap = f"\n[… {len(text) - room:,} characters and more left out here …]\n"
    keep = max(0, room - len(gap))
    head = keep * 2 // 3
    return text[:head] + gap + (text[-(keep - head) :] if keep > head else "")
