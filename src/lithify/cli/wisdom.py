"""`lithify wisdom show|log|review|revoke`"""

from __future__ import annotations

import difflib
import sys

import click

from lithify.cli.common import folded, leave, one_line, opened, say_json, spoken, standard, table
from lithify.compact.ledger import Proposal, wisdom_data
from lithify.errors import NeedsTerminal
from lithify.memory import Memory


@click.group(epilog="Example: lithify wisdom log")
def command() -> None:
    """Show, explain, review or revoke what WISDOM.md holds."""


@command.command(epilog="Example: lithify wisdom show")
@standard
def show(root: str | None, as_json: bool) -> None:
    """The entries in force, without provenance."""
    entries = opened(root).wisdom()
    if as_json:
        say_json(
            [
                {
                    "title": e.title,
                    "text": e.text,
                    "sources": list(e.sources),
                    "category": e.category,
                }
                for e in entries
            ]
        )
        return
    for entry in entries:
        for line in folded(entry.title, "  "):
            click.echo(click.style(line, bold=True))
        for line in entry.text.split("\n"):
            for piece in folded(f"  {line}", "  "):
                click.echo(piece)
    if not entries:
        click.echo("no wisdom yet: it is distilled by lithify compact")


@command.command(epilog="Example: lithify wisdom log --verb ADD")
@click.option("--verb", type=click.Choice(["MERGE", "ADD", "DROP"]), help="Only these decisions.")
@click.option(
    "-n",
    "most",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many, newest first.",
)
@standard
def log(verb: str | None, most: int, root: str | None, as_json: bool) -> None:
    """Every decision that made wisdom what it is, with its reason."""
    decisions = [
        d for d in opened(root).snapshot().ledger.decisions if verb is None or d["verb"] == verb
    ][::-1][:most]
    if as_json:
        say_json([dict(d) for d in decisions])
        return
    table(
        [
            (
                str(d["time"])[:10],
                d["verb"],
                one_line(str(d["item"]), 48),
                one_line(str(d["reason"]), 80),
            )
            for d in decisions
        ]
    )
    if not decisions:
        click.echo("no decisions yet")


@command.command(epilog="Example: lithify wisdom review")
@click.option("--list", "only_list", is_flag=True, help="Show the proposals and ask nothing.")
@standard
def review(only_list: bool, root: str | None, as_json: bool) -> None:
    """Go through the proposals: a diff, its sources and their lowest origin, yes or no.

    Approving needs a terminal. That is a deterrent, not a sandbox: whoever can write to the
    root can edit WISDOM.md by hand.
    """
    memory = opened(root)
    proposals = memory.proposals()
    if as_json:
        say_json([{**p._asdict(), "entry": p.entry and wisdom_data(p.entry)} for p in proposals])
        leave(4 if proposals else 0)
        return
    if not proposals:
        click.echo("nothing waits for review")
        return
    if only_list or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for proposal in proposals:
            _show(proposal, memory)
        if not only_list:
            raise NeedsTerminal(action="Approving a proposal")
        leave(4)
        return
    for proposal in proposals:
        _show(proposal, memory)
        answer = click.prompt(
            "approve, reject, or skip?", type=click.Choice(["a", "r", "s"]), default="s"
        )
        if answer != "s":
            memory.settle(proposal.id, approve=answer == "a")


def _show(proposal: Proposal, memory: Memory) -> None:
    entry = proposal.entry
    click.echo(
        f"{click.style(proposal.id, bold=True)}  {proposal.verb}  lowest origin: {proposal.origin}  ({proposal.reason})"
    )
    before = next((e for e in memory.wisdom() if e.title == proposal.target), None)
    old = [f"**{before.title}**", before.text] if before else []
    new = [f"**{entry.title}**", entry.text] if entry and proposal.verb != "DROP" else []
    for line in difflib.unified_diff(old, new, "WISDOM.md", "proposal", lineterm=""):
        colour = {"+": "green", "-": "red"}.get(line[:1])
        click.echo("  " + (click.style(line, fg=colour) if colour else line))
    if entry:
        for source in memory.snapshot().lookup(list(entry.sources)).values():
            click.echo(
                f"  {source.path}:{source.line} ({source.origin}) {one_line(source.text, 80)}"
            )
    click.echo("")


@command.command(
    epilog="Example: lithify wisdom revoke 'Deploy on Fridays' --reason 'no longer true'"
)
@click.argument("title", type=spoken)
@click.option(
    "--reason", type=spoken, metavar="TEXT", required=True, help="Why; it stays in the journal."
)
@standard
def revoke(title: str, reason: str, root: str | None, as_json: bool) -> None:
    """Take an entry out of wisdom, leaving a tombstone in the journal.

    Needs a terminal: a deterrent, not a sandbox.
    """
    if not sys.stdin.isatty():
        raise NeedsTerminal(action="Revoking an entry")
    opened(root).revoke(title, reason)
    if as_json:
        say_json({"revoked": title, "reason": reason})
    else:
        click.echo(f"revoked: {title}")
