"""`lithify log`"""

from __future__ import annotations

import os
import re
import sys
from datetime import datetime

import click

from lithify.calendar import zone
from lithify.capture import check_origin, default_origin
from lithify.cli.common import opened, piped, say_json, spoken, standard
from lithify.errors import UsageError
from lithify.memory import Memory
from lithify.trust import is_trusted


@click.command(epilog="Example: git log -1 --format=%s | lithify log -")
@click.argument("text", type=spoken, nargs=-1, required=True)
@click.option("--at", metavar="TIME", help="HH:MM of today, or 2026-04-02T14:05.")
@click.option(
    "--origin", metavar="ORIGIN", help="Who says so: user, agent, tool, web, mcp:NAME, import:NAME."
)
@standard
def command(
    text: tuple[str, ...], at: str | None, origin: str | None, root: str | None, as_json: bool
) -> None:
    """Append TEXT to its day's log (`-` reads standard input).

    Credentials are replaced by placeholders first. The origin is `user` at a terminal and
    `agent` otherwise; --origin may only lower it. In a session that has read the web or another
    MCP server it is theirs.
    """
    if text[0] == "-" and text[1:]:
        raise UsageError(
            reason="`-` reads standard input and takes no words beside it; a text with a dash "
            "in front is given as: lithify log -- '- such as this'"
        )
    memory = opened(root)
    words = piped() if text == ("-",) else " ".join(text)
    ceiling = default_origin(sys.stdin.isatty() and text != ("-",))
    moment = _moment(at, memory)
    asked = check_origin(origin or ceiling, ceiling)
    spoken = _of_the_session(asked, memory) if ceiling == "agent" else asked
    logged = memory.log(words, at=moment, origin=spoken)
    _say_if_ahead(moment, memory)
    if spoken != asked:
        click.echo(f"note: the session has read {spoken}, so this is kept as {spoken}", err=True)
    if as_json:
        say_json({"path": logged.path, "entries": list(logged.entries), "origin": logged.origin})
    else:
        click.echo(f"{logged.path}  {' '.join(logged.entries)}")


def _of_the_session(origin: str, memory: Memory) -> str:
    """The origin of what an agent says: no better than what its session has read."""
    read = memory.gate.origin(os.environ)
    return read if is_trusted(origin) and not is_trusted(read) else origin


def _say_if_ahead(moment: datetime | None, memory: Memory) -> None:
    if moment is None:
        return
    day = moment.astimezone(zone(memory.settings.zone)).date()
    if day > memory.today():
        click.echo(f"note: {day} lies ahead; it waits until its week is over", err=True)


def _moment(at: str | None, memory: Memory) -> datetime | None:
    if at is None:
        return None
    now = memory.now()
    if re.fullmatch(r"\d{1,2}:\d{2}", at):
        hour, minute = (int(part) for part in at.split(":"))
        if hour < 24 and minute < 60:
            return now.replace(hour=hour, minute=minute)
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        raise UsageError(
            reason=f"--at {at!r} is no time; write 14:05 or 2026-04-02T14:05"
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=zone(memory.settings.zone))
