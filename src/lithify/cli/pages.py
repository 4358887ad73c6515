"""Commands on pages: `prompts`, `diff` and `quarantine`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.render import Answer, on_memory, one_line, styled, table
from lithify.errors import UnknownReference

if TYPE_CHECKING:
    from lithify.compact.history import PageDiff, RefusedDraft
    from lithify.memory import Memory


@click.group(cls=CommandGroup, epilog="Example: lithify prompts show weekly --period 2026-W14")
def prompts() -> None:
    """Print what would be sent to a model."""


@prompts.command("show", epilog="Example: lithify prompts show weekly --period 2026-W14")
@click.argument("stage", type=click.Choice(["weekly", "combined", "monthly", "typed", "wisdom"]))
@click.option("--period", metavar="P", default="", help="The week or month; wisdom has none.")
@on_memory
def show_prompt(memory: Memory, stage: str, period: str) -> Answer:
    """Print exactly what would be sent for a period: system prompt, then user prompt."""
    prompt = memory.prompt(stage, period)
    text = f"[system]\n{prompt.system}\n\n[user]\n{prompt.user}"
    return Answer({"system": prompt.system, "user": prompt.user}, text)


@click.command(epilog="Example: lithify diff 2026-W14 --against offline")
@click.argument("period")
@click.option(
    "--against", metavar="M", help="Compare with the last version that this engine or model wrote."
)
@on_memory
def diff(memory: Memory, period: str, against: str | None) -> Answer:
    """Show what changed when PERIOD was last rebuilt, and why it was.

    PERIOD is a week, a month, `wisdom`, or the path of a typed memory.
    """
    change = memory.diff(period, against)
    return Answer(change, _change_lines(change))


def _change_lines(change: PageDiff) -> Iterator[str]:
    why = f": {change.why}" if change.why else ""
    yield f"{change.path} written {change.after} by {change.engine or 'a person'}{why}"
    if change.against and change.against != change.engine:
        yield f"before {change.before} by {change.against}"
    for line in change.lines:
        colour = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        yield styled(line, fg=colour) if colour else line
    if not change.lines:
        yield "it says the same as before"


@click.group(cls=CommandGroup, alone="list", epilog="Example: lithify quarantine list")
def quarantine() -> None:
    """What the verifier refused, and why."""


@quarantine.command("list", epilog="Example: lithify quarantine list --json")
@on_memory
def list_refused(memory: Memory) -> Answer:
    """Every refused draft or bullet, newest first."""
    held = memory.quarantine()
    return Answer(held, _held_rows(held) or "nothing was refused")


def _held_rows(held: Sequence[RefusedDraft]) -> list[str]:
    rows = []
    for one in held:
        first = one.reason or (one.refused[0][1][0] if one.refused else "")
        number = f"{len(one.refused)} refused"
        rows.append((one.id, one.task, one.time, number, one_line(first, 80)))
    return table(rows)


@quarantine.command("show", epilog="Example: lithify quarantine show 1a2b3c4d")
@click.argument("id")
@on_memory
def show_refused(memory: Memory, id: str) -> Answer:
    """One refused draft or bullet, in full."""
    held = next((h for h in memory.quarantine() if h.id == id), None)
    if held is None:
        raise UnknownReference(ref=id, hint="`lithify quarantine list` shows the ids.")
    lines = [f"{held.task}  {held.time}  {held.engine}"]
    if held.reason:
        lines.append(f"the whole draft was refused: {held.reason}")
    for text, reasons in held.refused:
        lines += [f"- {text}", *(f"    {reason}" for reason in reasons)]
    return Answer(held, lines)
