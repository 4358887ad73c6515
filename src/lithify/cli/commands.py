"""The table of all commands, each loaded when it is called, and the exit codes of a call.

A command of another package comes by the entry point group `lithify.commands`, which is read only
for a name that is not in the table.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
from typing import Any

import click

from lithify.errors import LithifyError

#: Every command: its module in this package and its name there, and its line in `lithify --help`.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("setup:init", "Make a folder a memory root."),
    "log": ("days:log", "Append an entry to today's log."),
    "remember": ("pages:remember", "Keep something as a memory at once."),
    "status": ("root:status", "Show what is current, due, stale or failed."),
    "compact": ("compact:compact", "Compact days into weeks, months and wisdom."),
    "write": ("compact:write", "Let the agent at work write the pages that are due."),
    "context": ("days:context", "Print what a session starts with, under a budget."),
    "recall": ("days:recall", "Find what the days say about something."),
    "trace": (
        "days:trace",
        "Follow a sentence to its sources, or a line to what was made from it.",
    ),
    "diff": ("pages:diff", "Show what changed in a period and why it was rebuilt."),
    "memories": ("pages:memories", "List, show, edit, accept or drop what was marked or found."),
    "wisdom": ("pages:wisdom", "Show wisdom and its decisions, review or revoke it."),
    "review": ("pages:review", "Approve or reject what waits for a person."),
    "quarantine": ("pages:quarantine", "List what the verifier refused, with its reasons."),
    "prompts": ("pages:prompts", "Print exactly what would be sent to a model."),
    "models": ("models:models", "List models, test one, or show what they have cost."),
    "import": ("transfer:import_", "Bring in what another tool has kept."),
    "export": ("transfer:export", "Write the memory as a book, JSON lines or auto-memory."),
    "trust": ("transfer:trust", "List where entries came from, or trust an import."),
    "forget": ("root:forget", "Erase words, entries or a person from the whole root."),
    "check": ("root:check", "Verify the journal, the files and every source."),
    "scan": ("root:scan", "List secrets in the files of a root, or take them out."),
    "gate": ("gate:gate", "Ask for a summary of a long job before it goes on."),
    "hook": ("setup:hook", "Answer an event of an agent harness."),
    "doctor": ("setup:doctor", "Find the hooks of every harness and try them out."),
    "serve": ("serve:serve", "Show the memory in a browser, on this machine only."),
    "mcp": ("serve:mcp", "Serve memory's tools to an agent, over MCP."),
    "watch": ("serve:watch", "Keep the index and what is due current, until Ctrl-C."),
    "schedule": ("serve:schedule", "Run by itself every day: systemd, cron or launchd."),
    "index": ("days:index", "Bring the search index up to date, or rebuild it."),
    "fleet": ("fleet:fleet", "Compact many roots, on one machine or on many."),
    "bench": ("bench:bench", "Measure what compaction keeps of a root."),
}


class CommandGroup(click.Group):
    """A group that shows something useful when it is called alone.

    `alone` is the command it then runs; without one it prints its help. `--root DIR`, `--json` and
    `--quiet` may stand before the name of a command as well as after it.
    """

    def __init__(self, *args: Any, alone: str = "", **options: Any) -> None:
        super().__init__(*args, **{"no_args_is_help": False, **options})
        self.alone = alone

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        shared, args = _shared_options(args)
        if ctx.resilient_parsing:  # a shell asks what could come next
            return super().parse_args(ctx, args)
        if not args or (self.alone and args[0].startswith("-") and args[0] not in ("-h", "--help")):
            if not self.alone:
                click.echo(ctx.get_help(), color=ctx.color)
                ctx.exit()
            args = [self.alone, *args]
        end = args.index("--") if "--" in args else len(args)
        return super().parse_args(ctx, [*args[:end], *shared, *args[end:]])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.list_commands(ctx), 2, 0.7)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


def _shared_options(args: list[str]) -> tuple[list[str], list[str]]:
    """Split a call into the options of every command that stand in front of it, and the rest."""
    at = 0
    while at < len(args):
        if args[at] == "--root" and at + 1 < len(args):
            at += 2
        elif args[at].startswith("--root=") or args[at] in ("--json", "--quiet"):
            at += 1
        else:
            break
    return args[:at], args[at:]


_COMPLETE = "_LITHIFY_COMPLETE"


class _Lazy(CommandGroup):
    """A group that knows its commands without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            from lithify.plugins import offered

            return offered("commands", name)
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
    epilog=(
        "Example: lithify log 'Shipped 2.4.1; Priya signed it off.' && lithify compact\n\n"
        'Completions: eval "$(_LITHIFY_COMPLETE=bash_source lithify)", or zsh_source, fish_source.'
    ),
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
        from lithify.cli.render import say

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
