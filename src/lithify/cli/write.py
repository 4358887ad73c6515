"""`lithify write`: the agent at work asks for the next page, writes it and hands it in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.common import count_of, in_words, leave, opened, piped, say, say_json, standard
from lithify.gate.files import SESSION_VARIABLES
from lithify.gate.texts import program_words, quoted
from lithify.hooks.clients import all_clients
from lithify.trust import is_trusted

if TYPE_CHECKING:
    from lithify.compact.orders import HandedIn, Order
    from lithify.compact.workspace import Result
    from lithify.memory import Memory

_rewrite = click.option(
    "--rewrite", is_flag=True, help="Also pages that the offline engine wrote and are current."
)
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
@click.option("--retry", is_flag=True, help="Also periods that failed before.")
@_client
@standard
def next_(rewrite: bool, retry: bool, client: str | None, root: str | None, as_json: bool) -> None:
    """Print the next page to write or to audit as a work order. Exit code 0, also when nothing is due."""
    memory = opened(root)
    found = memory.next_order(retry=retry, **_writer(memory, rewrite, client))
    if as_json:
        order = _order_data(memory, found.order, rewrite) if found.order else None
        say_json({"order": order, "results": [_result_data(r) for r in found.results]})
        return
    _tell_results(found.results)
    if found.order:
        say(found.order.in_words(_how(memory, found.order, rewrite)))
    else:
        say("nothing is due")


@write.command(epilog="Example: lithify write submit week-2026-W14-9f3a1c20b7d4 < page.md")
@click.argument("order")
@_rewrite
@_client
@standard
def submit(order: str, rewrite: bool, client: str | None, root: str | None, as_json: bool) -> None:
    """Hand in the page or the verdicts that ORDER asks for, from standard input.

    Exit code 0 when it is committed whole, 4 when it is sent back, refused, or committed with
    bullets in quarantine, 1 when the period failed.
    """
    memory = opened(root)
    done = memory.hand_in(order, piped(), **_writer(memory, rewrite, client))
    if as_json:
        say_json(_handed_in_data(memory, done, rewrite))
    else:
        say(done.in_words())
        if done.state == "sent back" and done.order:
            say(f"Hand the whole page in again: {_command(memory, done.order, rewrite)}")
        elif done.order:
            say("More is due: lithify write next")
        else:
            say("nothing more is due")
    leave(done.exit_code)


def _how(memory: Memory, order: Order, rewrite: bool) -> str:
    command = _command(memory, order, rewrite)
    return f"Hand the reply in with exactly:\n\n{command} <<'PAGE'\n<your reply>\nPAGE"


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
        "trusted": is_trusted(memory.gate.origin(os.environ)),
    }


def _tell_results(results: tuple[Result, ...]) -> None:
    for result in results:
        note = f", {count_of(result.refused, 'bullet')} refused" if result.refused else ""
        note += f"; {result.audit}" if result.audit else ""
        say(f"{in_words(result.task.tier)} {result.task.period} {in_words(result.status)}{note}")


def _order_data(memory: Memory, order: Order, rewrite: bool) -> dict[str, Any]:
    return {
        "id": order.id,
        "kind": "audit" if order.audit else "page",
        "tier": order.task.tier,
        "period": order.task.period,
        "why": order.task.why,
        "system": order.system,
        "prompt": order.user,
        "submit": _command(memory, order, rewrite),
        "violations": [v._asdict() for v in order.violations],
    }


def _result_data(result: Result) -> dict[str, Any]:
    return {
        "tier": result.task.tier,
        "period": result.task.period,
        "status": result.status,
        "reason": result.reason,
        "files": list(result.files),
        "refused": result.refused,
        "held": result.held,
        "audit": result.audit.facts if result.audit else None,
    }


def _handed_in_data(memory: Memory, done: HandedIn, rewrite: bool) -> dict[str, Any]:
    return {
        "state": done.state,
        "reason": done.reason,
        "exit_code": done.exit_code,
        "results": [_result_data(r) for r in done.results],
        "next": _order_data(memory, done.order, rewrite) if done.order else None,
    }
