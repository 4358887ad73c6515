"""Commands on wisdom: what it holds, the decisions behind it, proposals, and revoking."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from lithify.cli.common import (
    count_of,
    folded,
    leave,
    one_line,
    opened,
    say,
    say_json,
    spoken,
    standard,
    styled,
    table,
)
from lithify.cli.groups import CommandGroup
from lithify.errors import NeedsTerminal, UsageError

if TYPE_CHECKING:
    from lithify.compact.ledger import Proposal
    from lithify.memory import Memory


@click.group(cls=CommandGroup, alone="show", epilog="Example: lithify wisdom log")
def wisdom() -> None:
    """Show what WISDOM.md holds and why, review proposals, or revoke an entry."""


@wisdom.command("show", epilog="Example: lithify wisdom show")
@standard
def show_wisdom(root: str | None, as_json: bool) -> None:
    """The entries, each with its age and when it was last confirmed."""
    memory = opened(root)
    entries, ages = memory.wisdom.entries(), memory.wisdom.ages()
    if as_json:
        from lithify.compact.ledger import wisdom_data

        say_json([wisdom_data(e) | age._asdict() for e, age in zip(entries, ages, strict=True)])
        return
    for entry, age in zip(entries, ages, strict=True):
        for line in folded(entry.title, "  "):
            say(styled(line, bold=True))
        for line in entry.text.split("\n"):
            for piece in folded(f"  {line}", "  "):
                say(piece)
        known = f"since {age.since}, last confirmed {age.borne_out}" if age.since else ""
        said = known if entry.sources else "written by a person"
        for piece in folded(f"  {said}{', stale' * age.stale}", "  "):
            say(styled(piece, dim=True))
    if not entries:
        say("no wisdom yet: it is distilled by lithify compact")


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
@click.option("--all", "everything", is_flag=True, help="Also each of many with one reason.")
@standard
def log_decisions(
    verb: str | None, most: int, everything: bool, root: str | None, as_json: bool
) -> None:
    """The decisions that made wisdom what it is, with their reasons.

    Items that were dropped on one day for the same reason share a line, unless --all is given.
    """
    decisions = [
        d
        for d in opened(root).snapshot().ledger.wisdom.decisions
        if verb is None or d["verb"] == verb
    ][::-1]
    if as_json:
        say_json([dict(d) for d in decisions[:most]])
        return
    groups: dict[tuple[str, ...], list[str]] = {}
    for number, d in enumerate(decisions):
        alone = "" if d["verb"] == "DROP" and not everything else str(number)
        key = (str(d["time"])[:10], d["verb"], str(d["reason"]), alone)
        groups.setdefault(key, []).append(str(d["item"]))
    rows = []
    for (day, what, reason, _), items in list(groups.items())[:most]:
        item = items[0] if len(items) == 1 else f"{len(items)} items (--all lists them)"
        rows.append((day, what, one_line(item, 48), one_line(reason, 80)))
    table(rows)
    if not decisions:
        say("no decisions yet")


@wisdom.command(epilog="Example: lithify wisdom review")
@click.option("--list", "only_list", is_flag=True, help="Show the proposals and ask nothing.")
@standard
def review(only_list: bool, root: str | None, as_json: bool) -> None:
    """Go through the proposals: a diff, its sources and their least trusted origin, yes or no.

    Approving needs a terminal. That is a deterrent, not a sandbox: whoever can write to the
    root can edit WISDOM.md by hand.
    """
    memory = opened(root)
    proposals = memory.wisdom.proposals()
    if as_json:
        from lithify.compact.ledger import wisdom_data

        say_json([{**p._asdict(), "entry": p.entry and wisdom_data(p.entry)} for p in proposals])
        leave(4 if proposals else 0)
        return
    if not proposals:
        say("nothing waits for review")
        return
    if only_list or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for proposal in proposals:
            _show_proposal(proposal, memory)
        if not only_list:
            raise NeedsTerminal(action="Approving a proposal")
        leave(4)
        return
    for proposal in proposals:
        _show_proposal(proposal, memory)
        answer = click.prompt(
            "approve, reject, or skip?", type=click.Choice(["a", "r", "s"]), default="s"
        )
        if answer != "s":
            memory.wisdom.decide(proposal.id, approve=answer == "a")


def _show_proposal(proposal: Proposal, memory: Memory) -> None:
    import difflib

    entry = proposal.entry
    say(
        f"{styled(proposal.id, bold=True)}  {proposal.verb}  lowest origin: {proposal.origin}  ({proposal.reason})"
    )
    before = next((e for e in memory.wisdom.entries() if e.title == proposal.target), None)
    old = [f"**{before.title}**", before.text] if before else []
    new = [f"**{entry.title}**", entry.text] if entry and proposal.verb != "DROP" else []
    for line in difflib.unified_diff(old, new, "WISDOM.md", "proposal", lineterm=""):
        colour = {"+": "green", "-": "red"}.get(line[:1])
        say("  " + (styled(line, fg=colour) if colour else line))
    if entry:
        for source in memory.snapshot().lookup(list(entry.sources)).values():
            say(f"  {source.path}:{source.line} ({source.origin}) {one_line(source.text, 80)}")
    say("")


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
@standard
def revoke(
    title: str | None, source: str | None, reason: str, root: str | None, as_json: bool
) -> None:
    """Take an entry out of wisdom, and note that in the journal.

    With --source an entry of a day, or everything of an origin, is no longer trusted: wisdom and
    memories made from it go at once, pages with the next compact. Needs a terminal: a deterrent,
    not a sandbox.
    """
    if (title is None) is (source is None):
        raise UsageError(reason="give the title of an entry, or --source, not both")
    if not sys.stdin.isatty():
        raise NeedsTerminal(action="Revoking an entry")
    memory = opened(root)
    said = f"revoked: {title or source}"
    if source:
        count = count_of(len(memory.wisdom.revoke_source(source, reason)), "entry", "entries")
        said += f" ({count}); lithify compact writes the pages made from it again"
    else:
        memory.wisdom.revoke(str(title), reason)
    if as_json:
        say_json({"revoked": title or source, "reason": reason})
    else:
        say(said)
