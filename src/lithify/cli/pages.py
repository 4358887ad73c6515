"""Commands on what is made of the days: pages, typed memories and wisdom."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from lithify.cli.commands import CommandGroup
from lithify.cli.days import caller, origin_here
from lithify.cli.render import (
    CommandOutput,
    at_terminal,
    count_of,
    folded,
    given_words,
    in_words,
    need_terminal,
    on_memory,
    one_line,
    option,
    picked,
    say,
    spoken,
    styled,
    table,
    wants_json,
)
from lithify.errors import NeedsTerminal, UnknownReference, UsageError
from lithify.moment.triggers import HOW_TO_NAME, fault_of
from lithify.trust import may_rule
from lithify.values import GUARDS, MEMORY_TYPES, NO_GUARD, Guard, MemoryType

if TYPE_CHECKING:
    from lithify.compact.history import PageDiff
    from lithify.compact.in_force import Remembered
    from lithify.compact.proposals import ReviewItem
    from lithify.memory import Effects, Kept, Memory
    from lithify.values import Age, Entry, WisdomEntry

_WIDTH = 100
_why = option("--why TEXT", "The reason for it.", default="")
_how = option("--how TEXT", "How to apply it.", default="")


@click.group(cls=CommandGroup, epilog="Example: lithify prompts show weekly --period 2026-W14")
def prompts() -> None:
    """Print what would be sent to a model."""


@prompts.command("show", epilog="Example: lithify prompts show weekly --period 2026-W14")
@click.argument("stage", type=click.Choice(["weekly", "combined", "monthly", "typed", "wisdom"]))
@option("--period P", "The week or month; wisdom has none.", default="")
@on_memory
def show_prompt(memory: Memory, stage: str, period: str) -> CommandOutput:
    """Print exactly what would be sent for a period: system prompt, then user prompt."""
    prompt = memory.prompt(stage, period)
    text = f"[system]\n{prompt.system}\n\n[user]\n{prompt.user}"
    return CommandOutput({"system": prompt.system, "user": prompt.user}, text)


@click.command(epilog="Example: lithify diff 2026-W14 --against offline")
@click.argument("period")
@option("--against M", "Compare with the last version that this engine or model wrote.")
@on_memory
def diff(memory: Memory, period: str, against: str | None) -> CommandOutput:
    """Show what changed when PERIOD was last rebuilt, and why it was.

    PERIOD is a week, a month, `wisdom`, or the path of a typed memory.
    """
    change = memory.diff(period, against)
    return CommandOutput(change, _change_lines(change))


def _change_lines(change: PageDiff) -> Iterator[str]:
    why = f": {change.why}" if change.why else ""
    yield f"{change.path} written {change.after} by {change.engine or 'a person'}{why}"
    if change.against and change.against != change.engine:
        yield f"before {change.before} by {change.against}"
    for line in change.lines:
        yield styled(line, fg={"+": "green", "-": "red", "@": "cyan"}.get(line[:1]))
    if not change.lines:
        yield "it says the same as before"


@click.group(cls=CommandGroup, alone="list", epilog="Example: lithify quarantine list")
def quarantine() -> None:
    """What the verifier refused, and why."""


@quarantine.command("list", epilog="Example: lithify quarantine list --json")
@on_memory
def list_refused(memory: Memory) -> CommandOutput:
    """Every refused draft or bullet, newest first."""
    held, rows = memory.quarantine(), []
    for one in held:
        first = one.reason or (one.refused[0][1][0] if one.refused else "")
        number = f"{len(one.refused)} refused"
        rows.append((one.id, one.task, one.time, number, one_line(first, 80)))
    return CommandOutput(held, table(rows) or "nothing was refused")


@quarantine.command("show", epilog="Example: lithify quarantine show 1a2b3c4d")
@click.argument("id")
@on_memory
def show_refused(memory: Memory, id: str) -> CommandOutput:
    """One refused draft or bullet, in full."""
    held = next((h for h in memory.quarantine() if h.id == id), None)
    if held is None:
        raise UnknownReference(ref=id, hint="`lithify quarantine list` shows the ids.")
    lines = [f"{held.task}  {held.time}  {held.engine}"]
    if held.reason:
        lines.append(f"the whole draft was refused: {held.reason}")
    for text, reasons in held.refused:
        lines += [f"- {text}", *(f"    {reason}" for reason in reasons)]
    return CommandOutput(held, lines)


# Typed memories


@click.command(epilog="Example: lithify remember --type feedback 'Deploy on Tuesdays only.'")
@click.argument("text", type=spoken, nargs=-1, required=True)
@option(
    "--type",
    "A person's ways, how to work, the project's facts, or a pointer outside.",
    name="kind",
    type=click.Choice(MEMORY_TYPES),
    default=None,
)
@option("--topic X", "What its file is called.", type=spoken, default="")
@_why
@_how
@option("--until DATE", "The last day on which it holds.")
@option(
    "--when TRIGGER",
    "Show it before such a tool call: 'git push', 'path:infra/*' (repeatable).",
    multiple=True,
)
@option("--guard [ask|deny|off]", "Have clients ask about such a call, or refuse it.")
@option("--personal", "Keep it in your own memory, which counts in all projects.")
@on_memory
def remember(
    memory: Memory,
    text: tuple[str, ...],
    kind: MemoryType | None,
    topic: str,
    why: str,
    how: str,
    until: date | None,
    when: tuple[str, ...],
    guard: Guard | None,
    personal: bool,
) -> CommandOutput:
    """Keep TEXT (`-` reads standard input) as a memory at once, in the words given.

    It is an entry of today's log first, so it is traced and compacted like any other. From now on
    every session starts with it. It takes the place of an older rule that says the same with another
    value; the answer names what it replaced.

    Only a person sets a guard (at a terminal); what an agent asks for waits in lithify review.
    """
    words, origin = given_words(text), origin_here(memory, text)
    if personal:
        memory = memory.personal
    kept = memory.remember(
        words,
        type=kind or ("feedback" if when or guard else "project"),
        topic=topic,
        why=why,
        how=how,
        until=until,
        when=when,
        guard=guard or NO_GUARD,
        origin=origin,
    )
    return _kept_answer(kept, words)


remember.help = f"{cleandoc(remember.help or '')}\n\n\b\n--when: {HOW_TO_NAME}"


def _kept_answer(kept: Kept, said: str) -> CommandOutput:
    entry = kept.entry
    ids = " ".join(entry.entries)
    if kept.path:
        line = f"{kept.path}  {ids}"
    elif not may_rule(entry.origin):
        line = (
            f"{entry.path}  {ids}; kept as {entry.origin}, which is not trusted: a person can "
            "accept it (lithify review)"
        )
    elif kept.waits == "memory":
        line = f"{entry.path}  {ids}; it waits for a person to accept it (lithify review)"
    else:
        line = f"{entry.path}  {ids}; the next compact makes it a memory"
    data = {**picked(entry, "entries origin", day="path"), "path": kept.path or None}
    data |= {"replaced": kept.replaced, "conflicts": kept.conflicts}
    if kept.waits == "guard":
        line += "; its guard waits for a person (lithify review)"
    lines = [line, *(f"replaces: {one_line(one.text, _WIDTH)}" for one in kept.replaced)]
    for one in kept.conflicts:
        lines.append(f"may contradict {one.id}: {one_line(one.text, _WIDTH)}")
        lines.append(to_settle(one.id, shlex.quote(said)))
    return CommandOutput(data, lines)


def to_settle(older: str, newer: str) -> str:
    """Say how a pair that may conflict is settled."""
    return f"  lithify memories supersede {older} {newer}, or keep-both {older} {newer}"


@click.group(cls=CommandGroup, alone="list", epilog="Example: lithify memories list")
def memories() -> None:
    """List, show and change memories, and take changes back.

    A line of a day that begins with Rule:, Remember:, Preference:, Lesson: or Reference: becomes
    a memory. One from outside counts for nothing until a person accepts it (lithify review).
    """


@memories.command("list", epilog="Example: lithify memories list --json")
@option("--gone", "What is no longer in force: superseded, dropped or ended.", name="only_gone")
@on_memory
def list_memories(memory: Memory, only_gone: bool) -> CommandOutput:
    """Every memory in force, each with its id, type and source.

    STATUS is marked (a label in a day), accepted (by a person, of a line from outside), found (by
    a model) or external (a file that another tool or a person wrote; `adopted` in --json).
    """
    known = memory.memories
    if only_gone:
        gone = known.gone()
        return CommandOutput(
            gone, table([_gone_row(one) for one in gone]) or "nothing went out of force"
        )
    found = known.list()
    return CommandOutput(found, _list_lines(memory, found))


def _gone_row(one: Remembered) -> tuple[str, ...]:
    because = f" → {one.because}" if one.because else ""
    because += f" ({one.reason})" if one.reason else ""
    source = max(one.sources, default="")
    return (one.id, one.status, one.on, source, one_line(f"{one.text}{because}", _WIDTH))


def _list_lines(memory: Memory, found: Sequence[Remembered]) -> Iterator[str]:
    rows = []
    for one in found:
        status = _status_of(one)
        source = max(one.sources, default="")
        rows.append((one.id, status, one.type, source, one_line(one.text, _WIDTH)))
    yield from table(rows)
    if waiting := len(memory.memories.waiting()):
        said = count_of(waiting, "labelled line")
        yield f"{said}: in `context` already, a memory file with the next lithify compact"
    elif not found:
        yield "no memories yet: begin a line of a day with Rule: or Remember:"


def _status_of(one: Remembered) -> str:
    """Say how a memory came about and whose it is."""
    whose = f", {one.whose}" if one.whose else ""
    until = f", until {one.until}" if one.until else ""
    return in_words(one.status) + whose + until + ("" if one.trusted else ", untrusted")


@memories.command("show", epilog="Example: lithify memories show 3f9a12cc")
@click.argument("id")
@on_memory
def show_memory(memory: Memory, id: str) -> CommandOutput:
    """One memory with the lines it was made from.

    ID is the one that `lithify memories list` prints, that of the day's entry, or the path of a
    memory's file.
    """
    one = memory.memories.find(id)
    lines = memory.snapshot().lookup(list(one.sources)).values()
    shown = [picked(entry, "path line origin text") for entry in lines]
    return CommandOutput({**one._asdict(), "lines": shown}, _memory_lines(one, lines))


def _memory_lines(one: Remembered, lines: Iterable[Entry]) -> Iterator[str]:
    where = f"  {one.path}" if one.path else ""
    yield f"{styled(one.id, bold=True)}  {_status_of(one)}  {one.type}{where}"
    yield from folded(f"  {one.text}", "  ")
    if one.when:
        yield f"  {one.guard or 'shown'} before: {', '.join(one.when)}"
        yield from (f"  cannot be read: {fault}" for fault in map(fault_of, one.when) if fault)
    elif one.guard:
        yield "  a guard without a trigger, which acts on no call; add one with memories guard --when"
    for entry in lines:
        yield f"  {entry.path}:{entry.line} ({entry.origin}) {one_line(entry.text, _WIDTH)}"


_reason = option("--reason TEXT", "Why; it stays in the journal.", type=spoken, default="")


@memories.command(epilog="Example: lithify memories edit 3f9a12cc 'Deploys are on Tuesdays only.'")
@click.argument("id")
@click.argument("text", type=spoken, nargs=-1)
@_why
@_how
@on_memory
def edit(
    memory: Memory, id: str, text: tuple[str, ...], why: str, how: str
) -> CommandOutput | None:
    """Put TEXT in place of what a memory says; without TEXT, an editor opens.

    The new words become an entry of today's log. What a person asked to keep only a person edits.
    """
    by = caller(memory)
    words, old = " ".join(text), memory.memories.find(id)
    if not words and not (why or how):
        if by != "user":
            raise UsageError(reason="give the new words: lithify memories edit ID 'Other words.'")
        words = (click.edit(old.text) or "").strip()
        if not words:
            say("nothing was changed")
            return None
    kept, effects = memory.effects_of(
        lambda: memory.memories.edit(id, words, why=why, how=how, by=by)
    )
    answer = _kept_answer(kept, words)
    return answer._replace(lines=[*answer.lines, *_effect_lines(effects)])


@memories.command(epilog="Example: lithify memories drop 3f9a12cc --reason 'no longer so'")
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@_reason
@on_memory
def drop(memory: Memory, ids: tuple[str, ...], reason: str) -> CommandOutput:
    """Take memories out of force, until you restore them.

    The days keep their lines; wisdom and `context` lose the memory at once. What a person asked
    to keep only a person drops.
    """
    by, known = caller(memory), memory.memories
    dropped, effects = memory.effects_of(
        lambda: [known.drop(id, by=by, reason=reason) for id in ids]
    )
    lines = [f"dropped: {one.path or one_line(one.text, _WIDTH)}" for one in dropped]
    lines += _effect_lines(effects)
    lines += [f"to take it back: lithify memories restore {one.id}" for one in dropped[-1:]]
    if dropped[1:]:
        lines.append(count_of(len(dropped), "memory", "memories"))
    return CommandOutput(dropped, lines)


def _effect_lines(effects: Effects) -> Iterator[str]:
    """Say what a command changed in memories and wisdom."""
    return (f"{what}: {one_line(text, _WIDTH)}" for what, text in effects.lines())


@memories.command(epilog="Example: lithify memories restore 3f9a12cc")
@click.argument("id")
@_reason
@on_memory
def restore(memory: Memory, id: str, reason: str) -> CommandOutput:
    """Take back that a memory was dropped, edited, or superseded by somebody's choice.

    ID is one that `lithify memories list --gone` prints.
    """
    by, known = caller(memory), memory.memories
    one, effects = memory.effects_of(lambda: known.restore(id, by=by, reason=reason))
    return CommandOutput(one, _effect_lines(effects))


@memories.command(epilog="Example: lithify memories supersede 3f9a12cc 77aa01fe")
@click.argument("old")
@click.argument("new")
@_reason
@on_memory
def supersede(memory: Memory, old: str, new: str, reason: str) -> CommandOutput:
    """Say that the memory NEW takes the place of OLD, whatever their words."""
    by, known = caller(memory), memory.memories
    (one, other), effects = memory.effects_of(
        lambda: known.supersede(old, new, by=by, reason=reason)
    )
    lines = [f"superseded: {one_line(one.text, _WIDTH)}", *_effect_lines(effects)]
    return CommandOutput({"superseded": one, "in_force": other}, lines)


@memories.command("keep-both", epilog="Example: lithify memories keep-both 3f9a12cc 77aa01fe")
@click.argument("one")
@click.argument("other")
@_reason
@on_memory
def keep_both(memory: Memory, one: str, other: str, reason: str) -> CommandOutput:
    """Say that two memories both hold: from now on neither replaces the other."""
    by, known = caller(memory), memory.memories
    pair, effects = memory.effects_of(lambda: known.keep_both(one, other, by=by, reason=reason))
    lines = [f"holds: {one_line(each.text, _WIDTH)}" for each in pair]
    return CommandOutput({"in_force": pair}, [*lines, *_effect_lines(effects)])


@memories.command("guard", epilog="Example: lithify memories guard 3f9a12cc deny --when 'git push'")
@click.argument("id")
@click.argument("level", type=click.Choice(GUARDS))
@option("--when TRIGGER", "The tool calls it is about (repeatable).", multiple=True)
@on_memory
def guard_memory(memory: Memory, id: str, level: Guard, when: tuple[str, ...]) -> CommandOutput:
    """Have clients ask a person about the calls that a rule names (ask), refuse them (deny), or
    neither (off).

    The rule becomes the person's. A guard sees what a client reports before a call, and
    docs/moment.md lists what it does not see. Needs a terminal.
    """
    need_terminal("Setting a guard")
    kept = memory.memories.guard(id, level, when)
    return _kept_answer(kept, id)


@memories.command("log", epilog="Example: lithify memories log feedback_deploys")
@click.argument("id")
@on_memory
def log_memory(memory: Memory, id: str) -> CommandOutput:
    """Tell what became of a memory: who marked, found, changed, superseded, dropped or restored it."""
    events = memory.memories.log(id)
    rows = []
    for e in events:
        what = f"{e.what}: {e.reason}" if e.reason else e.what
        rows.append((e.on, one_line(what, 60), e.by, e.source, one_line(e.text, 80)))
    return CommandOutput(events, table(rows))


# Wisdom


@click.group(cls=CommandGroup, alone="show", epilog="Example: lithify wisdom log")
def wisdom() -> None:
    """Show what WISDOM.md holds and why, review changes to it, or revoke an entry."""


@wisdom.command("show", epilog="Example: lithify wisdom show")
@on_memory
def show_wisdom(memory: Memory) -> CommandOutput:
    """The entries, each with its age and when it was last confirmed."""
    held = list(zip(memory.wisdom.entries(), memory.wisdom.ages(), strict=True))
    shown = "title text sources category"
    data = [{**picked(entry, shown), **age._asdict()} for entry, age in held]
    return CommandOutput(data, wisdom_lines(held))


def wisdom_lines(held: Sequence[tuple[WisdomEntry, Age]]) -> Iterator[str]:
    """Show entries of wisdom with their ages."""
    for entry, age in held:
        for line in folded(entry.title, "  "):
            yield styled(line, bold=True)
        for line in entry.text.split("\n"):
            yield from folded(f"  {line}", "  ")
        known = f"since {age.since}, last confirmed {age.borne_out}" if age.since else ""
        said = known if entry.sources else "written by a person"
        for piece in folded(f"  {said}{', stale' * age.stale}", "  "):
            yield styled(piece, dim=True)
    if not held:
        yield "no wisdom yet: it is distilled by lithify compact"


@wisdom.command("log", epilog="Example: lithify wisdom log --verb ADD")
@option("--verb [MERGE|ADD|DROP]", "Only these decisions.")
@option("-n", "How many, newest first.", name="most", type=click.IntRange(1), default=50)
@option("--all", "Also each of many with one reason.", name="everything")
@on_memory
def log_decisions(memory: Memory, verb: str | None, most: int, everything: bool) -> CommandOutput:
    """The decisions that made wisdom what it is, with their reasons."""
    known = memory.snapshot().ledger.wisdom.decisions
    decisions = [one for one in known if verb is None or one["verb"] == verb][::-1]
    return CommandOutput(decisions[:most], _decision_lines(decisions, most, everything))


def _decision_lines(
    decisions: Sequence[Mapping[str, Any]], most: int, everything: bool
) -> Iterator[str]:
    groups: dict[tuple[str, ...], list[str]] = {}
    for number, d in enumerate(decisions):
        alone = "" if d["verb"] == "DROP" and not everything else str(number)
        key = (str(d["time"])[:10], d["verb"], str(d["reason"]), alone)
        groups.setdefault(key, []).append(str(d["item"]))
    rows = []
    for (day, what, reason, _), items in list(groups.items())[:most]:
        item = items[0] if len(items) == 1 else f"{len(items)} items (--all lists them)"
        rows.append((day, what, one_line(item, 48), one_line(reason, 80)))
    yield from table(rows)
    if not decisions:
        yield "no decisions yet"


# What waits for a person

_only_list = option("--list", "Show what waits and ask nothing.", name="only_list")


@click.command(epilog="Example: lithify review")
@_only_list
@option("--only KIND", "Only what waits of this kind: wisdom, page, request …", default="")
@option("--approve ID", "Approve this one.", name="approved")
@option("--reject ID", "Reject this one.", name="rejected")
@on_memory
def review(
    memory: Memory, only_list: bool, only: str, approved: str | None, rejected: str | None
) -> CommandOutput | None:
    """Go through all that waits for a person: changes to wisdom, labelled lines from outside, and
    what agents ask for.

    Each is shown as a diff with who asks for it and its sources. What is rejected is not proposed
    again. Approving needs a terminal. That is a deterrent, not a sandbox: whoever can write to
    the root can edit its files by hand.
    """
    if approved and rejected:
        raise UsageError(reason="give --approve or --reject, not both")
    if chosen := approved or rejected:
        need_terminal("Deciding on a proposal")
        return CommandOutput(*_decided(memory, chosen, approve=bool(approved)))
    return _go_through(memory, only, only_list)


@wisdom.command("review", epilog="Example: lithify wisdom review")
@_only_list
@on_memory
def review_wisdom(memory: Memory, only_list: bool) -> CommandOutput | None:
    """Go through the changes to wisdom that wait, as `lithify review` does through all."""
    return _go_through(memory, "wisdom", only_list)


def _go_through(memory: Memory, only: str, only_list: bool) -> CommandOutput | None:
    items = memory.review(only)
    if only_list or wants_json() or not items:
        lines = [line for one in items for line in _item_lines(one, memory)]
        return CommandOutput(items, lines or "nothing waits for review", 4 if items else 0)
    person = at_terminal()
    for one in items:
        for line in _item_lines(one, memory):
            say(line)
        if person:
            choice = click.Choice(["a", "r", "s"])
            answer = click.prompt("approve, reject, or skip?", type=choice, default="s")
            for line in _decided(memory, one.id, approve=answer == "a")[1] if answer != "s" else ():
                say(line)
    if not person:
        raise NeedsTerminal(action="Approving a proposal")
    return None


def _decided(memory: Memory, id: str, *, approve: bool) -> tuple[ReviewItem, list[str]]:
    item, effects = memory.effects_of(lambda: memory.decide(id, approve=approve))
    said = f"{'approved' if approve else 'rejected'}: {item.asks}"
    return item, [said, *_effect_lines(effects)]


def _item_lines(one: ReviewItem, memory: Memory) -> Iterator[str]:
    import difflib

    because = f"  ({one.reason})" if one.reason else ""
    yield f"{styled(one.id, bold=True)}  {one.asks}  lowest origin: {one.origin}{because}"
    old, new = one.before.splitlines(), one.after.splitlines()
    for line in difflib.unified_diff(old, new, "now", "then", lineterm=""):
        yield "  " + styled(line, fg={"+": "green", "-": "red"}.get(line[:1]))
    for source in memory.snapshot().lookup(list(one.sources)).values():
        yield f"  {source.path}:{source.line} ({source.origin}) {one_line(source.text, 80)}"
    yield ""


@wisdom.command(
    epilog="Example: lithify wisdom revoke 'Deploy on Fridays' --reason 'no longer true'"
)
@click.argument("title", type=spoken, required=False)
@option("--source ID|ORIGIN", "Withdraw an entry or an origin, and what was made from it.")
@option("--reason TEXT", "Why; it stays in the journal.", required=True)
@on_memory
def revoke(memory: Memory, title: str | None, source: str | None, reason: str) -> CommandOutput:
    """Take an entry out of wisdom, and out of force the rule it states.

    With --source an entry of a day, or everything of an origin, is no longer trusted: wisdom and
    memories made from it go at once, pages with the next compact. Needs a terminal.
    """
    if (title is None) is (source is None):
        raise UsageError(reason="give the title of an entry, or --source, not both")
    need_terminal("Revoking an entry")
    said, known = f"revoked: {title or source}", memory.wisdom
    if source:
        ids, effects = memory.effects_of(lambda: known.revoke_source(source, reason))
        count = count_of(len(ids), "entry", "entries")
        said += f" ({count}); lithify compact writes the pages made from it again"
    else:
        _, effects = memory.effects_of(lambda: known.revoke(str(title), reason))
        said += "; lithify wisdom restore takes it back"
    data = {"revoked": title or source, "reason": reason}
    return CommandOutput(data, [said, *_effect_lines(effects)])


@wisdom.command("restore", epilog="Example: lithify wisdom restore 'Deploy on Fridays'")
@click.argument("title", type=spoken)
@on_memory
def restore_entry(memory: Memory, title: str) -> CommandOutput:
    """Put an entry back that was revoked or dropped, and in force what it was made of."""
    need_terminal("Restoring an entry")
    _, effects = memory.effects_of(lambda: memory.wisdom.restore(title))
    return CommandOutput({"restored": title}, _effect_lines(effects))


@wisdom.command("confirm", epilog="Example: lithify wisdom confirm 'Deploy on Fridays'")
@click.argument("title", type=spoken)
@on_memory
def confirm_entry(memory: Memory, title: str) -> CommandOutput:
    """Say that an entry still holds: it is borne out today, and not stale any more."""
    need_terminal("Confirming an entry")
    memory.wisdom.confirm(title)
    return CommandOutput({"confirmed": title}, f"borne out today: {title}")
