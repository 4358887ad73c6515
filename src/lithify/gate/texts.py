"""The words of the gate: the sections of a summary, denials, and summaries as an agent reads them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Literal, NamedTuple

from lithify.gate.decide import Demand
from lithify.gate.jobs import Interaction, JobState, Summary, not_rolled_up
from lithify.regex import regex
from lithify.sections import GATE_PRESETS, SUMMARY
from lithify.settings import Gate
from lithify.trust import is_trusted

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
    Section(SUMMARY.questions, "what was asked back, what was answered, what was decided", True),
    Section(SUMMARY.design, "how it is being built and why that way and no other"),
    Section(SUMMARY.feedback, "where the person corrected or confirmed the way of work", True),
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
_KNOWN_SECTIONS = {section.name.casefold(): section for section in SECTIONS}

#: A section of the user's own whose name holds one of these reports what was said.
_REPORTING = (
    *("request", "question", "answer", "decision", "correction", "feedback", "asked", "said"),
    *("goal", "constraint", "preference", "instruction"),
)


def sections_of(rules: Gate) -> tuple[Section, ...]:
    """Return the sections of a summary under these rules, in the order of the template."""
    names = rules.sections or GATE_PRESETS[rules.preset]
    return tuple(_KNOWN_SECTIONS.get(name.casefold()) or _own_section(name) for name in names)


def most_none(rules: Gate) -> int:
    """Return how many sections may say `None.`; never all of them."""
    return min(rules.max_none, len(sections_of(rules)) - 1)


def bodies(text: str) -> list[tuple[str, str]]:
    """Return the sections of an accepted summary, each with its text."""
    pieces = re.split(r"^### (.+)\n", text, flags=re.MULTILINE)
    return [(name, body.strip()) for name, body in zip(pieces[1::2], pieces[2::2], strict=True)]


def _own_section(name: str) -> Section:
    reports = any(word in name.casefold() for word in _REPORTING)
    return Section(name, f"all that belongs under {name}, with the figures and names", reports)


#: Clients cut what a hook says at this many characters.
LIMIT = 10_000
#: The word that ends the here-document of a submission.
DELIMITER = "SUMMARY"
#: Characters a rolled-up summary has at least; where there is less room it is only counted.
_LEAST = 200

_PLAIN = regex(r"[A-Za-z0-9_./:@%+,=-]+")


def quoted(word: str) -> str:
    """Return a word quoted for a POSIX shell."""
    return word if _PLAIN.fullmatch(word) else "'" + word.replace("'", "'\"'\"'") + "'"


def program_words(python: str = sys.executable) -> tuple[str, ...]:
    """Return the words that call the installation of a Python, whatever the PATH is."""
    beside = os.path.join(os.path.dirname(python), "lithify")
    if os.path.isfile(beside):
        return (beside,)
    return (python, "-I", "-m", "lithify.cli")


def submit_command(program: Sequence[str], job: str, root: str) -> str:
    """Return the command that submits a summary from any folder, with any PATH."""
    words = (*program, "gate", "submit", "--job", job, "--root", root)
    return " ".join(quoted(word) for word in words)


def submit_commands(program: Sequence[str], job: str, root: str) -> list[str]:
    """Return the exact commands that submit a summary: for the root with a PATH, and for anywhere."""
    return [f"lithify gate submit --job {job}", submit_command(program, job, root)]


def template(rules: Gate) -> str:
    """Return the template of a summary, with a hint under each heading."""
    lead = "Topic: <its name, a few words, the same one for the same topic>\n" * (
        rules.shape == "topics"
    )
    parts = [f"### {section.name}\n<{section.hint}>" for section in sections_of(rules)]
    return lead + "\n\n".join(parts)


def filled_template(command: str, rules: Gate) -> str:
    """Return the whole command with the template as its here-document."""
    return f"{command} <<'{DELIMITER}'\n{template(rules)}\n{DELIMITER}"


def what_is_due(job: str, demand: Demand) -> str:
    """Say in one clause what has to be summarised."""
    what = f"{_range_of(demand)} of job {job} (about {demand.tokens:,} tokens)"
    have = "has" if demand.stop - demand.start == 1 else "have"
    if demand.level:
        return f"{what} {have} to be summed up in one"
    return f"{what} {have} no summary yet"


def _range_of(covered: Demand | Summary) -> str:
    """Return a range in words: `interaction 4`, `summaries 2 to 5`."""
    one, more = ("summary", "summaries") if covered.level else ("interaction", "interactions")
    last = covered.stop - 1
    return f"{one} {last}" if covered.start == last else f"{more} {covered.start} to {last}"


def count_of(number: int, one: str, more: str = "") -> str:
    """Return a number with its noun: `1 summary`, `2 summaries`."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"


def rules_in_words(demand: Demand, rules: Gate) -> str:
    """Return the rules a summary must meet, with their figures."""
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
    """Say why a call is denied and how to go on. `served`: our MCP tool is offered too."""
    tool = f"the MCP tool submit_summary (job {job}), or with " if served else ""
    return (
        f"The gate is closed: {what_is_due(job, demand)}. Every tool call is denied until a "
        "summary of them is accepted; then repeat this one.\n"
        f"Submit it with {tool}exactly this command, its hints replaced, "
        "nothing before, after or around it:\n\n"
        f"{filled_template(command, rules)}\n\n{rules_in_words(demand, rules)}"
    )


def for_subagent(job: str, demand: Demand) -> str:
    """Say why a subagent's call is denied."""
    return (
        f"The gate is closed: {what_is_due(job, demand)}. Only the main session can submit the "
        "summary. End here and report what you have so far."
    )


def for_person(job: str, open_command: str) -> str:
    """Return the message to the person when the agent is stuck."""
    return (
        f"lithify: the agent is stuck at the closed gate of job {job}. Ask it for the summary, or "
        f"open the gate yourself in a terminal: {open_command}"
    )


def open_command(program: Sequence[str], job: str, root: str) -> str:
    """Return the command that opens a gate by hand; without a job it opens every closed one."""
    words = (*program, "gate", "open", *(("--job", job) if job else ()), "--root", root)
    return " ".join(quoted(word) for word in words) + " --reason 'WHY'"


def passing(job: str, demand: Demand) -> str:
    """Return the warning on each call that `on_stuck = "pass"` lets through."""
    return (
        f'lithify: let through by `on_stuck = "pass"`, though {what_is_due(job, demand)}; '
        "the summary is still due."
    )


def record_text(interactions: Sequence[Interaction]) -> str:
    """Return interactions as text; of what is not the person's, whose it is."""
    lines = []
    for one in interactions:
        whose = "" if one.origin == "user" else f", not the person's words: {one.origin}"
        lines.append(f"[{one.seq}] {one.time} {one.kind}{whose}\n{one.text}")
    return "\n\n".join(lines)


def origin_of(interactions: Sequence[Interaction]) -> str:
    """Return the least trusted origin of what is shown together."""
    origins = {one.origin for one in interactions} - {"user"}
    return min(origins, key=lambda one: (is_trusted(one), one), default="user")


def to_summarise(state: JobState, demand: Demand) -> str:
    """Return the text that a summary has to cover."""
    if demand.level:
        return "\n\n".join(summary_text(one) for one in state.summaries_of(demand))
    return record_text(state.covered_by(demand))


def summary_text(one: Summary) -> str:
    """Return a summary as text: its number and range, its words, and what in them is unverified."""
    topic = f", topic {one.topic}" if one.topic else ""
    head = f"[summary {one.seq}{topic}, {one.time}, {_range_of(one)}]"
    marks = [f"{name}: {', '.join(texts)}" for name, texts in one.unverified.items()]
    marks += ["it shares next to nothing with what the person said"] * one.unrelated
    tail = f"\n[unverified] {'; '.join(marks)}" if marks else ""
    return f"{head}\n{one.text}{tail}"


def shortened(text: str, room: int) -> str:
    """Return a text that fits: its beginning, its end, and between them how much is left out."""
    if len(text) <= room:
        return text
    gap = f"\n[… {len(text) - room:,} characters and more left out here …]\n"
    keep = max(0, room - len(gap))
    head = keep * 2 // 3
    return text[:head] + gap + (text[-(keep - head) :] if keep > head else "")


def read_back(job: str, chain: Sequence[Summary], limit: int = LIMIT) -> str:
    """Return the job's chain in fewer than `limit` characters, oldest first; empty where there is none.

    The last summary (with topics, the last of each) is whole; older ones are shortened, and what
    does not fit is counted.
    """
    if not chain:
        return ""
    view = not_rolled_up(chain)
    newest = {one.topic: one for one in view}
    last = [one for one in view if one is newest[one.topic]]
    older = [one for one in view if one not in last]
    # With many topics the last of each may not fit; the newest of all always does.
    kept: list[tuple[int, str]] = []
    room = limit - 200
    for number, one in enumerate(reversed(last)):
        text = summary_text(one)
        if number == 0:
            text = shortened(text, room)
        elif len(text) > room:
            older.append(one)
            continue
        kept.append((one.seq, text))
        room -= len(text) + 2
    older.sort(key=lambda one: one.seq)
    rolled, counted = _rolled(older, room)
    lines = [text for _, text in sorted([*kept, *rolled])]
    if counted:
        when = dict.fromkeys(one.time[:10] for one in (counted[0], counted[-1]))
        older_ones = count_of(len(counted), "older summary", "older summaries")
        lines.insert(0, f"[{older_ones}, {' to '.join(when)}: lithify gate chain --job {job}]")
    return "\n\n".join(lines)


def chain_and_tail(state: JobState, limit: int = LIMIT) -> tuple[str, str]:
    """Return a job's chain and the words after it, together in at most `limit` characters."""
    tail = tail_text(state.job, state.tail, limit // 2) if state.tail else ""
    chain = read_back(state.job, state.chain, limit - len(tail))
    return chain, tail_text(state.job, state.tail, limit - len(chain)) if tail else ""


def tail_text(job: str, tail: Sequence[Interaction], limit: int = LIMIT) -> str:
    """Return what no summary covers in at most `limit` characters: the newest whole, the oldest counted.

    Empty where not even the beginning of the newest fits.
    """
    left_out = f"[{{}} before: lithify gate show --job {job} --all]"
    room = limit - len(left_out) - 30
    kept: list[str] = []
    for one in reversed(tail):
        text = record_text([one])
        if len(text) > room and (kept or room < _LEAST):
            break
        kept.append(shortened(text, room))
        room -= len(text) + 2
    if kept and (missing := len(tail) - len(kept)):
        kept.append(left_out.format(count_of(missing, "interaction")))
    return "\n\n".join(reversed(kept))


def rolled_up(one: Summary, room: int) -> str:
    """Return a summary shortened to the beginning of each of its sections."""
    topic = f", topic {one.topic}" if one.topic else ""
    head = f"[summary {one.seq}{topic}, {one.time[:10]}, rolled up]"
    parts = [(name, " ".join(body.split())) for name, body in bodies(one.text) if body != NOTHING]
    left = room - len(head)
    lines = [head]
    for number, (name, body) in enumerate(parts):
        share = left // (len(parts) - number) - len(name) - 4
        if share < 20:
            break
        line = f"\n{name}: {_begin(body, share)}"
        lines.append(line)
        left -= len(line)
    return "".join(lines)


def _rolled(older: Sequence[Summary], room: int) -> tuple[list[tuple[int, str]], list[Summary]]:
    """Return the summaries that fit, shortened, the newest with the most room; and those that do not fit."""
    fit = min(len(older), room // _LEAST)
    chosen = older[len(older) - fit :]
    weights = [1 / (age + 1) for age in range(fit)][::-1]
    spare = room - fit * _LEAST
    rolled = []
    for one, weight in zip(chosen, weights, strict=True):
        share = _LEAST + int(spare * weight / sum(weights)) - 2
        rolled.append((one.seq, rolled_up(one, share)))
    return rolled, list(older[: len(older) - fit])


def _begin(text: str, room: int) -> str:
    """Return as many whole sentences as fit, else as many words."""
    if len(text) <= room:
        return text
    cut = text[:room]
    for mark in (". ", "! ", "? ", "; "):
        end = cut.rfind(mark)
        if end > room // 3:
            return cut[: end + 1]
    return cut[: max(cut.rfind(" "), room // 2) - 1].rstrip() + "…"
