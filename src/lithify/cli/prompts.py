"""`lithify prompts show`"""

from __future__ import annotations

import click

from lithify.cli.common import opened, say_json, standard


@click.group(epilog="Example: lithify prompts show weekly --period 2026-W14")
def command() -> None:
    """Look at what a model would be told."""


@command.command(epilog="Example: lithify prompts show weekly --period 2026-W14")
@click.argument("stage", type=click.Choice(["weekly", "combined", "monthly", "typed", "wisdom"]))
@click.option("--period", metavar="P", default="", help="The week or month; wisdom has none.")
@standard
def show(stage: str, period: str, root: str | None, as_json: bool) -> None:
    """Print exactly what would be sent for a period: system prompt, then user prompt."""
    prompt = opened(root).prompt(stage, period)
    if as_json:
        say_json({"system": prompt.system, "user": prompt.user})
        return
    click.echo(f"[system]\n{prompt.system}\n\n[user]\n{prompt.user}")
