"""The table of all commands, each loaded when it is called, and the exit codes of a call."""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys

import click

from lithify.cli.groups import CommandGroup
from lithify.errors import LithifyError

#: Every command: its module in this package and its name there, and its line in `lithify --help`.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init:init", "Make a folder a memory root."),
    "log": ("days:log", "Append an entry to today's log."),
    "remember": ("memories:remember", "Keep something as a memory at once."),
    "status": ("root:status", "Show what is current, due, stale or failed."),
    "compact": ("compact:compact", "Compact days into weeks, months and wisdom."),
    "write": ("write:write", "Let the agent at work write the pages that are due."),
    "context": ("days:context", "Print what a session starts with, under a budget."),
    "recall": ("days:recall", "Find what the days say about something."),
    "trace": (
        "days:trace",
        "Follow a sentence to its sources, or a line to what was made from it.",
    ),
    "diff": ("pages:diff", "Show what changed in a period and why it was rebuilt."),
    "memories": ("memories:memories", "List, show, edit, accept or drop what was marked or found."),
    "wisdom": ("wisdom:wisdom", "Show wisdom and its decisions, review or revoke it."),
    "quarantine": ("pages:quarantine", "List what the verifier refused, with its reasons."),
    "prompts": ("pages:prompts", "Print exactly what would be sent to a model."),
    "models": ("models:models", "List models, test one, or show what they have cost."),
    "import": ("transfer:import_", "Bring in what another tool has kept."),
    "export": ("transfer:export", "Write the memory as a book, JSON lines or auto-memory."),
    "trust": ("trust:trust", "List where entries came from, or trust an import."),
    "forget": ("forget:forget", "Erase words, entries or a person from the whole root."),
    "check": ("root:check", "Verify the journal, the files and every source."),
    "scan": ("scan:scan", "List secrets in the files of a root, or take them out."),
    "gate": ("gate:gate", "Keep a live job legible: its record, its chain, its gate."),
    "hook": ("setup:hook", "Answer an event of an agent harness."),
    "doctor": ("setup:doctor", "Find the hooks of every harness and try them out."),
    "serve": ("serve:serve", "Show the memory in a browser, on this machine only."),
    "mcp": ("setup:mcp", "Serve memory's tools to an agent, over MCP."),
    "watch": ("watch:watch", "Keep the index and what is due current, until Ctrl-C."),
    "schedule": ("schedule:schedule", "Run by itself every day: systemd, cron or launchd."),
    "index": ("days:index", "Bring the search index up to date, or rebuild it."),
    "fleet": ("fleet:fleet", "Compact many roots, on one machine or on many."),
    "bench": ("bench:bench", "Measure what compaction keeps of a root."),
}


_COMPLETE = "_LITHIFY_COMPLETE"


class _Lazy(CommandGroup):
    """A group that knows its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        found = importlib.import_module(f"lithify.cli.{module}")
        command: click.Command = getattr(found, attribute)
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
        from lithify.cli.common import say

        say(f"lithify: {error.message}", err=True)
        sys.exit(error.exit_code)
    except click.Abort:
        raise KeyboardInterrupt from None
    except BrokenPipeError:
        # The reader has closed its end: write nothing more, also not when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    finally:
        # The process ends here: the last collection would look for cycles that nobody reuses.
        gc.freeze()
