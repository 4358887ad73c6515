"""Every command by its name, and how a call of one ends."""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys

import click

from lithify.errors import LithifyError

#: Every command with its module and the line that `lithify --help` shows for it.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("lithify.cli.init", "Make a folder a memory root."),
    "log": ("lithify.cli.log", "Append an entry to today's log."),
    "status": ("lithify.cli.status", "Show what is current, due, stale or failed."),
    "compact": ("lithify.cli.compact", "Compact days into weeks, months and wisdom."),
    "context": ("lithify.cli.context", "Print what a session starts with, under a budget."),
    "recall": ("lithify.cli.recall", "Find what the days say about something."),
    "trace": (
        "lithify.cli.trace",
        "Follow a sentence to its sources, or a line to what rests on it.",
    ),
    "diff": ("lithify.cli.diff", "Show what changed in a period and why it was rebuilt."),
    "memories": ("lithify.cli.memories", "List, show, accept or drop what was marked or found."),
    "wisdom": ("lithify.cli.wisdom", "Show, explain, review or revoke wisdom."),
    "quarantine": ("lithify.cli.quarantine", "List what the verifier refused, with its reasons."),
    "prompts": ("lithify.cli.prompts", "Print exactly what would be sent to a model."),
    "models": ("lithify.cli.models", "List models, test one, or show what they have cost."),
    "check": ("lithify.cli.check", "Verify the journal, the files and every source."),
    "gate": ("lithify.cli.gate", "Keep a live job legible: its record, its chain, its gate."),
    "hook": ("lithify.cli.hook", "Answer an event of an agent harness."),
    "doctor": ("lithify.cli.doctor", "Find the hooks of every harness and try them out."),
    "mcp": ("lithify.cli.mcp", "Serve memory's tools to an agent, over MCP."),
    "index": ("lithify.cli.index", "Bring the search index up to date, or rebuild it."),
    "bench": ("lithify.cli.bench", "Measure what compaction keeps of a root."),
}


_COMPLETE = "_LITHIFY_COMPLETE"


class _Lazy(click.Group):
    """A group that knows its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"lithify {version('lithify')}")
        ctx.exit()


@click.group(
    cls=_Lazy,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: lithify log 'Shipped 2.4.1; Priya signed it off.' && lithify compact",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version.",
)
def lithify() -> None:
    """The memory of a working agent: days become weeks, months and wisdom, every sentence
    traced to the lines it came from."""


def run() -> None:
    """Run the command that was called and leave with a documented exit code."""
    as_json = "--json" in sys.argv
    try:
        if instruction := os.environ.get(_COMPLETE):
            from click.shell_completion import shell_complete

            sys.exit(shell_complete(lithify, {}, "lithify", _COMPLETE, instruction))
        # Not click's own main(): it turns a closed pipe into exit code 1.
        with lithify.make_context("lithify", sys.argv[1:]) as context:
            lithify.invoke(context)
    except click.exceptions.Exit as leaving:
        sys.exit(leaving.exit_code)
    except click.ClickException as error:
        if as_json:
            click.echo(json.dumps({"error": error.format_message(), "exit_code": 2}))
        error.show()
        sys.exit(2)
    except LithifyError as error:
        if as_json:
            click.echo(json.dumps({"error": error.message, "exit_code": error.exit_code}))
        click.echo(f"lithify: {error.message}", err=True)
        sys.exit(error.exit_code)
    except click.Abort:
        raise KeyboardInterrupt from None
    except BrokenPipeError:
        # The reader has what it wanted; say no more, also not when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    finally:
        # The process ends here: in what it leaves behind nobody need look for cycles.
        gc.freeze()
