"""A group of commands: what it does alone, and what a misspelt command is told."""

from __future__ import annotations

from typing import Any, NoReturn

import click


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
            self._refuse(ctx, args[0])
        return super().resolve_command(ctx, args)

    def _refuse(self, ctx: click.Context, name: str) -> NoReturn:
        from difflib import get_close_matches

        near = get_close_matches(name, self.list_commands(ctx), 2, 0.7)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        ctx.fail(f"No such command {name!r}.{hint}")


def _shared_options(args: list[str]) -> tuple[list[str], list[str]]:
    """The options that every command has, taken from the front of a call, and the rest."""
    at = 0
    while at < len(args):
        if args[at] == "--root" and at + 1 < len(args):
            at += 2
        elif args[at].startswith("--root=") or args[at] in ("--json", "--quiet"):
            at += 1
        else:
            break
    return args[:at], args[at:]
