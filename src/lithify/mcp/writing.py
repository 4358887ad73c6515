"""The tools that add to memory: entries, what to remember, and pages written by the agent."""

from __future__ import annotations

from lithify.mcp.call import Call, Reply
from lithify.mcp.shapes import (
    HandedIn,
    LogArguments,
    Logged,
    NextArguments,
    Order,
    PageArguments,
    RememberArguments,
)
from lithify.trust import is_trusted


def log_entry(call: Call, given: LogArguments) -> Reply:
    """Add an entry to today's log: a decision, an outcome, a blocker, a fact worth keeping.

    Credentials in it are replaced.
    """
    done = call.memory().log(given.text, origin=call.origin())
    day = done.path.rpartition("/")[2].removesuffix(".md")
    trusted = is_trusted(done.origin)
    text = f"logged on {day} as {' '.join(done.entries)}, origin {done.origin}"
    entries = list(done.entries)
    return Reply(Logged(text=text, day=day, entries=entries, origin=done.origin, trusted=trusted))


def remember(call: Call, given: RememberArguments) -> Reply:
    """Keep a statement as a memory, in the words given, because somebody asked for it.

    Use it when the person says to remember something. Every later session starts with it.
    """
    kept = call.memory().remember(
        given.text,
        type=given.type,
        topic=given.topic,
        why=given.why,
        how=given.how,
        origin=call.origin(),
    )
    entry = kept.entry
    where = f"remembered as {kept.path.rpartition('/')[2]}" if kept.path else "kept in the day"
    if not kept.path:
        later = "the next compaction makes it a memory"
        doubt = f"origin {entry.origin} is not trusted, so a person has to accept it"
        where = f"{where}; {later if is_trusted(entry.origin) else doubt}"
    day = entry.path.rpartition("/")[2].removesuffix(".md")
    entries, trusted = list(entry.entries), is_trusted(entry.origin)
    return Reply(Logged(text=where, day=day, entries=entries, origin=entry.origin, trusted=trusted))


def next_page(call: Call, given: NextArguments) -> Reply:
    """Get the next page of memory that is due, as a work order for you to write or to audit.

    It holds all that is needed. Hand the reply in with submit_page. Nothing due: `order` is null.
    """
    from lithify.compact.orders import order_text

    trusted = is_trusted(call.origin())
    found = call.memory().next_order(
        rewrite=given.rewrite, client=call.client, session=call.open_session(), trusted=trusted
    )
    order = found.order
    if order is None:
        return Reply(Order(text="Nothing is due."))
    how = f'Hand it in with the tool submit_page: order "{order.id}", your reply as `page`.'
    told = Order(text=order_text(order, how), order=order.id, tier=order.task.tier)
    return Reply(told.model_copy(update={"period": order.task.period}))


def submit_page(call: Call, given: PageArguments) -> Reply:
    """Hand in what an order asks for. It is verified; what is wrong comes back listed."""
    from lithify.compact.orders import verdict_text

    memory = call.memory()
    done = memory.hand_in(
        given.order,
        given.page,
        rewrite=given.rewrite,
        client=call.client,
        session=call.open_session(),
        trusted=is_trusted(call.origin()),
    )
    again = done.order.id if done.order and done.state == "sent back" else ""
    lines = [verdict_text(done)]
    if again:
        lines.append(f'Hand the whole page in again with submit_page: order "{again}".')
    elif done.order:
        lines.append("More is due: next_page.")
    data = HandedIn(text="\n".join(lines), state=done.state, order=again or None)
    more = bool(done.order and not again)
    refused = done.state in ("sent back", "refused", "failed")
    return Reply(data.model_copy(update={"more": more}), refused=refused)
