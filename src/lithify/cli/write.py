"""`lithify write`: the agent at work asks for the next page, writes it and hands it in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.compact import result_data
from lithify.cli.render import Answer, count_of, flag, in_words, on_memory, picked, piped
from lithify.gate.files import SESSION_VARIABLES
from lithify.gate.texts import program_words, quoted
from lithify.hooks.clients import all_clients
from lithify.trust import is_trusted

if TYPE_CHECKING:
    from lithify.compact.orders import Order, OrderProgress
    from lithify.memory import Memory

_rewrite = flag("--rewrite", help="Also pages that the offline engine wrote and are current.")
_client = click.option("--client", metavar="NAME", help="The program the agent runs in.")


@click.group(cls=CommandGroup, epilog="Example: lithify write next")
def write() -> None:
    """Let the agent at work write the pages that are due, one work order at a time.

    `write next` prints an order: what to write and from what. `write submit` takes the page;
    it is verified like any other and committed, or sent back with what is wrong. With
    verify.audit = "agent" an order can also ask for the audit of a page that another session wrote.
    """


@write.command("next", epilog="Example: lithify write next --json")
@_rewrite
@flag("--retry", help="Also periods that failed before.")
@_client
@on_memory
def next_(memory: Memory, rewrite: bool, retry: bool, client: str | None) -> Answer:
    """Print the next page to write or to audit as a work order. Exit code 0, also when nothing is due."""
    found = memory.next_order(retry=retry, **_writer(memory, rewrite, client))
    order = _order_data(memory, found.order, rewrite) if found.order else None
    results = [result_data(one) for one in found.results]
    return Answer({"order": order, "results": results}, _order_lines(memory, found, rewrite))


def _order_lines(memory: Memory, found: OrderProgress, rewrite: bool) -> Iterator[str]:
    for result in found.results:
        note = f", {count_of(result.refused, 'bullet')} refused" if result.refused else ""
        note += f"; {result.audit}" if result.audit else ""
        yield f"{in_words(result.task.tier)} {result.task.period} {in_words(result.status)}{note}"
    if not found.order:
        yield "nothing is due"
        return
    command = _command(memory, found.order, rewrite)
    how = f"Hand the reply in with exactly:\n\n{command} <<'PAGE'\n<your reply>\nPAGE"
    yield found.order.in_words(how)


@write.command(epilog="Example: lithify write submit week-2026-W14-9f3a1c20b7d4 < page.md")
@click.argument("order")
@_rewrite
@_client
@on_memory
def submit(memory: Memory, order: str, rewrite: bool, client: str | None) -> Answer:
    """Hand in the page or the verdicts that ORDER asks for, from standard input.

    Exit code 0 when it is committed whole, 4 when it is sent back, refused, or committed with
    bullets in quarantine, 1 when the period failed.
    """
    done = memory.hand_in(order, piped(), **_writer(memory, rewrite, client))
    following = _order_data(memory, done.order, rewrite) if done.order else None
    data = picked(done, "state reason exit_code")
    data |= {"results": [result_data(one) for one in done.results], "next": following}
    if done.state == "sent back" and done.order:
        then = f"Hand the whole page in again: {_command(memory, done.order, rewrite)}"
    else:
        then = "More is due: lithify write next" if done.order else "nothing more is due"
    return Answer(data, [done.in_words(), then], done.exit_code)


def _command(memory: Memory, order: Order, rewrite: bool) -> str:
    words = (*program_words(), "write", "submit", order.id, "--root", str(memory.root))
    return " ".join(map(quoted, words)) + " --rewrite" * rewrite


def _writer(memory: Memory, rewrite: bool, client: str | None) -> dict[str, Any]:
    """Who writes: in which client and session, and whether that has read only what is trusted."""
    callers = (one.flag for one in all_clients() if os.environ.get(one.shell_variable))
    return {
        "rewrite": rewrite,
        "client": client or next(callers, "unknown"),
        "session": next(filter(None, map(os.environ.get, SESSION_VARIABLES)), ""),
        "trusted": is_trusted(memory.gate.caller_origin(os.environ)),
    }


def _order_data(memory: Memory, order: Order, rewrite: bool) -> dict[str, Any]:
    shown = picked(order, "id system violations", prompt="user")
    kind, submit = "audit" if order.audit else "page", _command(memory, order, rewrite)
    return {**shown, **picked(order.task, "tier period why"), "kind": kind, "submit": submit}
