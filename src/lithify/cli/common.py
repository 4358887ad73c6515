"""What every command has: the root, JSON, and a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from lithify.memory import Memory

F = TypeVar("F", bound=Callable[..., Any])


def standard(command: F) -> F:
    """Add `--root` and `--json`."""
    root = click.option(
        "--root",
        type=click.Path(file_okay=False),
        default=None,
        metavar="DIR",
        help="The memory root (else $LITHIFY_ROOT, else the nearest parent that is one).",
    )
    as_json = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")
    return root(as_json(command))


def opened(root: str | None) -> Memory:
    """The memory a command works on."""
    return Memory.open(root)


def say_json(value: object) -> None:
    """One JSON document."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def table(rows: Sequence[Sequence[str]], *, styles: Sequence[str | None] = ()) -> None:
    """Columns as wide as their widest cell; the last one runs free."""
    if not rows:
        return
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]) - 1)]
    for number, row in enumerate(rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        line = "  ".join([*cells, row[-1]]).rstrip()
        style = styles[number] if styles else None
        click.echo(click.style(line, fg=style) if style else line)


def leave(code: int) -> None:
    """End the command with this exit code."""
    if code:
        sys.exit(code)


def one_line(text: str, width: int = 100) -> str:
    """Text cut to a line."""
    flat = " ".join(text.split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"
