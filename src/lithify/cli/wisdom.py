"""Commands on wisdom: what it holds, the decisions behind it, proposals, and revoking."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.render import (
    Answer,
    at_terminal,
    count_of,
    flag,
    folded,
    on_memory,
    one_line,
    picked,
    say,
    spoken,
    styled,
    table,
    wants_json,
)
from lithify.errors import NeedsTerminal, UsageError

if TYPE_CHECKING:
    from lithify.compact.ledger import Proposal
    from lithify.memory import Memory
    from lithify.values import Age, WisdomEntry


@click.group(cls=CommandGroup, alone="show", epilog="Example: lithify wisdom log")
def wisdom() -> None:
    """Show what WISDOM.md holds and why, review proposals, or revoke an entry."""


def _entry_data(entry: WisdomEntry) -> dict[str, Any]:
    return picked(entry, "title text sources category")


@wisdom.command("show", epilog="Example: lithify wisdom show")
@on_memory
def show_wisdom(memory: Memory) -> Answer:
    """The entries, each with its age and when it was last confirmed."""
    held = list(zip(memory.wisdom.entries(), memory.wisdom.ages(), strict=True))
    data = [{**_entry_data(entry), **age._asdict()} for entry, age in held]
    return Answer(data, wisdom_lines(held))


def wisdom_lines(held: Sequence[tuple[WisdomEntry, Age]]) -> Iterator[str]:
    """Show entries of wisdom with their ages."""
    for entry, age in held:
        for line in folded(entry.title, "  "):
            yield styled(line, bold=True)
        for line in entry.text.split("\n"):
            yield from folded(f"  {line}", "  ")
        known = f"since {age.since}, last confirmed {age.borne_out}" if age.since else ""
        said = known if entry.sources else "written by a person"
        for piece in folded(f"  {said}{', stale' * age.stale}", "  "):
            yield styled(piece, dim=True)
    if not held:
        yield "no wisdom yet: it is distilled by lithify compact"


@wisdom.command("log", epilog="Example: lithify wisdom log --verb ADD")
@click.option("--verb", type=click.Choice(["MERGE", "ADD", "DROP"]), help="Only these decisions.")
@click.option(
    "-n",
    "most",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many, newest first.",
)
@flag("--all", "everything", help="Also each of many with one reason.")
@on_memory
def log_decisions(memory: Memory, verb: str | None, most: int, everything: bool) -> Answer:
    """The decisions that made wisdom what it is, with their reasons.

    Items that were dropped on one day for the same reason share a line, unless --all is given.
    """
    known = memory.snapshot().ledger.wisdom.decisions
    decisions = [one for one in known if verb is None or one["verb"] == verb][::-1]
    return Answer(decisions[:most], _decision_lines(decisions, most, everything))


def _decision_lines(
    decisions: Sequence[Mapping[str, Any]], most: int, everything: bool
) -> Iterator[str]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for number, d in enumerate(decisions):
        alone = "" if d["verb"] == "DROP" and not everything else str(number)
        key = (str(d["time"])[:10], d["verb"], str(d["reason"]), alone)
        groups.setdefault(key, []).append(str(d["item"]))
    rows = []
    for (day, what, reason, _), items in list(groups.items())[:most]:
        item = items[0] if len(items) == 1 else f"{len(items)} items (--all lists them)"
        rows.append((day, what, one_line(item, 48), one_line(reason, 80)))
    yield from table(rows)
    if not decisions:
        yield "no decisions yet"


@wisdom.command(epilog="Example: lithify wisdom review")
@flag("--list", "only_list", help="Show the proposals and ask nothing.")
@on_memory
def review(memory: Memory, only_list: bool) -> Answer | None:
    """Go through the proposals: a diff, its sources and their least trusted origin, yes or no.

    Approving needs a terminal. That is a deterrent, not a sandbox: whoever can write to the
    root can edit WISDOM.md by hand.
    """
    proposals = memory.wisdom.proposals()
    if only_list or wants_json() or not proposals:
        data = [{**p._asdict(), "entry": p.entry and _entry_data(p.entry)} for p in proposals]
        lines = [line for one in proposals for line in _proposal_lines(one, memory)]
        return Answer(data, lines or "nothing waits for review", 4 if proposals else 0)
    person = at_terminal()
    for proposal in proposals:
        for line in _proposal_lines(proposal, memory):
            say(line)
        if person:
            choice = click.Choice(["a", "r", "s"])
            answer = click.prompt("approve, reject, or skip?", type=choice, default="s")
            if answer != "s":
                memory.wisdom.decide(proposal.id, approve=answer == "a")
    if not person:
        raise NeedsTerminal(action="Approving a proposal")
    return None


def _proposal_lines(proposal: Proposal, memory: Memory) -> Iterator[str]:
    import difflib

    entry = proposal.entry
    name = styled(proposal.id, bold=True)
    yield f"{name}  {proposal.verb}  lowest origin: {proposal.origin}  ({proposal.reason})"
    before = next((e for e in memory.wisdom.entries() if e.title == proposal.target), None)
    old = [f"**{before.title}**", before.text] if before else []
    new = [f"**{entry.title}**", entry.text] if entry and proposal.verb != "DROP" else []
    for line in difflib.unified_diff(old, new, "WISDOM.md", "proposal", lineterm=""):
        colour = {"+": "green", "-": "red"}.get(line[:1])
        yield "  " + (styled(line, fg=colour) if colour else line)
    if entry:
        for source in memory.snapshot().lookup(list(entry.sources)).values():
            yield f"  {source.path}:{source.line} ({source.origin}) {one_line(source.text, 80)}"
    yield ""


@wisdom.command(
    epilog="Example: lithify wisdom revoke 'Deploy on Fridays' --reason 'no longer true'"
)
@click.argument("title", type=spoken, required=False)
@click.option(
    "--source",
    metavar="ID|ORIGIN",
    help="Withdraw an entry or an origin, and what was made from it.",
)
@click.option(
    "--reason", type=spoken, metavar="TEXT", required=True, help="Why; it stays in the journal."
)
@on_memory
def revoke(memory: Memory, title: str | None, source: str | None, reason: str) -> Answer:
    """Take an entry out of wisdom, and note that in the journal.

    With --source an entry of a day, or everything of an origin, is no longer trusted: wisdom and
    memories made from it go at once, pages with the next compact. Needs a terminal: a deterrent,
    not a sandbox.
    """
    if (title is None) is (source is None):
        raise UsageError(reason="give the title of an entry, or --source, not both")
    if not sys.stdin.isatty():
        raise NeedsTerminal(action="Revoking an entry")
    said = f"revoked: {title or source}"
    if source:
        count = count_of(len(memory.wisdom.revoke_source(source, reason)), "entry", "entries")
        said += f" ({count}); lithify compact writes the pages made from it again"
    else:
        memory.wisdom.revoke(str(title), reason)
    return Answer({"revoked": title or source, "reason": reason}, said)
