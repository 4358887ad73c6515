"""Commands that connect an agent: `init` makes a root and installs hooks, `doctor` tries them out."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from lithify import config
from lithify.calendar import stamp
from lithify.cli.render import (
    COLOURS,
    CommandOutput,
    answering,
    at_terminal,
    count_of,
    folded,
    not_read,
    on_root,
    option,
    options,
    printable,
    say,
    styled,
    wants_json,
)
from lithify.cli.root import unmatched_data
from lithify.errors import ConfigError, NoRoot, UsageError
from lithify.hooks.clients import NAMES, Client, all_clients, client_of
from lithify.hooks.install import hook_command, interpreter
from lithify.memory import Memory
from lithify.roots import (
    absolute,
    find_root,
    is_root,
    personal_root,
    user_settings,
    usual_personal_root,
)
from lithify.settings import Days, Folders
from lithify.store.days import (
    DayPlace,
    almost_days,
    found_places,
    notes_beside,
    others_in,
    setting,
    unmatched,
)
from lithify.store.tree import layout_of

if TYPE_CHECKING:
    from lithify.compact.snapshot import Snapshot
    from lithify.hooks.doctor import Diagnosis
    from lithify.settings import Settings


#: How many notes of a folder, and how many places, are named.
_NAMED = 3

_others = partial(option, "--client NAME", name="others", multiple=True)
_project = partial(option, "--project DIR", type=click.Path(file_okay=False, exists=True))
#: A flag for every client that hooks can be installed in.
_client_flags = options(
    *(
        option(
            f"--{one.flag}",
            f"Hooks and the MCP server for {one.title}.",
            name=one.name,
        )
        for one in all_clients()
    )
)


@click.command(epilog="Example: lithify init ~/agent --claude-code")
@click.argument("folder", default=".", type=click.Path(file_okay=False))
@_client_flags
@_others("The same for a client that another package brings.")
@_project("The folder the harness works in, if that is not FOLDER.")
@option(
    "--days PATTERN",
    "Where the days are, such as 'Daily/**/*.md'; once for each place.",
    name="patterns",
    multiple=True,
)
@option("--user", "In your own settings: for every project.")
@option("--local", "In settings.local.json, which is not shared.")
@option("--gate", "Switch the gate on: long jobs need summaries.")
@option("--personal", "Make FOLDER your own memory, for all projects; one per user.")
@option("--remove", "Take the hooks out again, and nothing else.")
@option("--root", "The same as FOLDER.", type=click.Path(file_okay=False))
@answering
def init(
    folder: str,
    project: str | None,
    others: tuple[str, ...],
    patterns: tuple[str, ...],
    user: bool,
    local: bool,
    gate: bool,
    personal: bool,
    remove: bool,
    root: str | None,
    **wanted: bool,
) -> CommandOutput:
    """Make FOLDER a memory root, and install hooks in an agent's client.

    Adds memory/ and a commented lithify.toml and changes nothing that is there. Where FOLDER
    holds files named by dates, lithify.toml says where they are; of two places with copies of the
    same days one is read. Hooks are added to the client's settings beside those of others, with a
    copy of the file; running it again changes nothing. They name this Python and this root by
    absolute paths.
    """
    if personal:
        return _init_personal(root or ("" if folder == "." else folder))
    chosen = [*(one for one in all_clients() if wanted[one.name]), *map(client_of, others)]
    scope = "user" if user else "local" if local else "project"
    _check_flags(chosen, user, local, remove)
    base, memory, found = os.path.abspath(absolute(root or folder)), None, False
    if not remove:
        memory, found = _make_root(root or folder, gate, patterns)
        base = str(memory.root)
        if chosen:
            memory = _let_agent_write(memory)
    project = os.path.abspath(project or base)
    changes = [_change_hooks(one, scope, project, base, remove) for one in chosen]
    said = [_hook_lines(one, done, remove) for one, done in zip(chosen, changes, strict=True)]
    hooks = [line for lines in said for line in lines]
    data: dict[str, Any] = {"hooks": changes} if chosen else {}
    if memory is None:
        return CommandOutput({"root": base, **data}, _removed_lines(base, hooks))
    beside = unmatched(memory.root, memory.settings.folders)
    snapshot = memory.snapshot()
    root_data = {
        "root": base,
        "patterns": memory.settings.days.patterns,
        "unmatched": unmatched_data(beside),
        "days": len(snapshot.shelf.days),
        "notes": notes_beside(snapshot.tree),
        "gate": {"enabled": memory.settings.gate.enabled},
    }
    return CommandOutput(
        {**root_data, **data}, _init_lines(memory.settings, snapshot, found, hooks)
    )


def _removed_lines(base: str, hooks: list[str]) -> Iterator[str]:
    yield from hooks
    if is_root(base) and Memory.open(base).settings.model == "agent":
        yield f'{config.NAME} still has model = "agent"; without an agent, take that line out.'


def _init_lines(
    settings: Settings, snapshot: Snapshot, found: bool, hooks: list[str]
) -> Iterator[str]:
    """Say which days a root has, what was done for each harness, and what comes next."""
    days, layout = snapshot.shelf.days, snapshot.tree.layout
    yield f"{snapshot.root} is a memory root."
    if days:
        where = f" ({setting(settings.days.patterns)} in {config.NAME})" if found else ""
        span = " to ".join(dict.fromkeys(str(end(days)) for end in (min, max)))
        yield f"{count_of(len(days), 'day')} found, {span}{where}."
    yield from not_read((one.path, one.reason) for one in snapshot.tree.refused)
    yield from _place_lines(snapshot, settings.folders)
    yield from _note_lines(snapshot)
    yield from _others_pages(snapshot)
    yield "Keys and `name = value` are redacted; a password told in a sentence is not found."
    if days:
        weeks, months = (os.path.dirname(layout.page(tier, "")) for tier in ("week", "month"))
        yield f"Pages will be written to {weeks}/ and {months}/."
    yield from hooks
    if settings.model == "agent":
        wait = count_of(settings.agent.wait_days, "day")
        yield f"The agent is asked to write the pages; lithify compact writes one it leaves for {wait}."
    gate = settings.gate.enabled
    if gate is None:
        line = "write `enabled = true` or `enabled = false` among the gate's settings yourself"
        yield f"{config.NAME} has a form that is not edited here: {line}."
    elif gate or hooks:
        other = "off" if gate else "on"
        yield f"The gate is {'on' if gate else 'off'}; `lithify gate {other}` changes it."
    if hooks:
        yield "Next: lithify doctor tries the hooks out."
    elif days:
        yield "Next: lithify compact"
    else:
        yield "Next: lithify log 'What happened', and lithify compact once a week is over."


def _others_pages(snapshot: Snapshot) -> Iterator[str]:
    """Name files that somebody else keeps in the folders of weeks and months."""
    for table, folder, said in _taken_folders(snapshot):
        new = f'folder = "{folder}-pages"'
        elsewhere = f"to write pages elsewhere, set {new} under [{table}] in {config.NAME}"
        yield f"{said} They stay as they are; {elsewhere}."


def _taken_folders(snapshot: Snapshot) -> Iterator[tuple[str, str, str]]:
    """Find the folders of weeks and months that hold other files: the table of settings, and words."""
    for table, tier in (("weekly", "week"), ("monthly", "month")):
        folder = os.path.dirname(snapshot.tree.layout.page(tier, ""))
        if theirs := others_in(snapshot.root, folder, table):
            more = f" and {len(theirs) - 1:,} more" if theirs[1:] else ""
            said = f"{folder}/ holds files that are no pages of lithify: {theirs[0]}{more}."
            yield table, folder, printable(said, one_line=True)


def _place_lines(snapshot: Snapshot, folders: Folders) -> Iterator[str]:
    """Say what is read where there are several places, and what is not read and why."""
    layout, places = snapshot.tree.layout, found_places(snapshot.root)
    read = [one for one in places if any(map(layout.reads, one.paths))]
    if read[1:]:
        yield from (printable(f"  {one}{_shared(one)}", one_line=True) for one in read)
    left = [one for one in places if one.files and one not in read]
    for one in left:
        plain = "no pattern names it" if one.is_log else "no file there is named by a date alone"
        why = _shared(one) or f"; {plain}"
        yield printable(f"not read: {one}{why}", one_line=True)
    for why, paths in almost_days(snapshot.root, folders).items():
        more = f" and {len(paths) - 1:,} more" if paths[1:] else ""
        yield printable(f"not read: {paths[0]}{more}: {why}", one_line=True)
    if left or any(one.same_as for one in read):
        others = [one for one in left if one.copied < len(one.files)] or left
        flags = " ".join(f"--days {shlex.quote(one.pattern)}" for one in (*read, *others[:1]))
        place = shlex.quote(str(snapshot.root))
        yield printable(f"To choose, name every place to read: lithify init {place} {flags}")


def _note_lines(snapshot: Snapshot) -> Iterator[str]:
    """Say which notes lie beside the days and are not read, and how they are taken in."""
    from lithify.importers.notes import day_of_name

    notes = notes_beside(snapshot.tree)
    if not notes:
        return
    folders: dict[str, list[str]] = {}
    for path in notes:
        folder, _, name = path.rpartition("/")
        folders.setdefault(f"{folder}/" if folder else "the root", []).append(name)
    where = ", ".join(
        f"{folder} ({len(names):,}: {', '.join(names[:_NAMED])}{', …' * bool(names[_NAMED:])})"
        for folder, names in sorted(folders.items())
    )
    begin = (
        "1 note whose name begins" if len(notes) == 1 else f"{len(notes):,} notes whose names begin"
    )
    yield printable(f"not read: {begin} with no date, in {where}", one_line=True)
    if inside := [path for path in notes if day_of_name(path)]:
        first = inside[0].rpartition("/")[2]
        yield printable(
            f"  A date elsewhere in a name, as in {first} ({len(inside):,}), makes it no part of that day.",
            one_line=True,
        )
    root, memory = str(snapshot.root), snapshot.tree.memory
    is_here = os.path.realpath(root) == os.path.realpath(os.curdir)
    place = shlex.quote(memory or "." if is_here else os.path.join(root, memory))
    more = "" if is_here else f" --root {shlex.quote(root)}"
    yield printable(
        "  To take in what they say, each on the day that it names, or else of its last change: "
        f"lithify import folder {place}{more}",
        one_line=True,
    )


def _shared(one: DayPlace) -> str:
    """Say how many days of a place another one has as well."""
    if not one.same_as:
        return ""
    said = {one.shared: "as copies", 0: "with other text"}.get(
        one.copied, f"{one.copied:,} as copies"
    )
    return f"; {one.shared:,} of these days are in {one.same_as} too, {said}"


def _make_root(folder: str, gate: bool, patterns: tuple[str, ...]) -> tuple[Memory, bool]:
    """Make a folder a root; dated files in it become its days, unless a person says otherwise.

    The second value says whether there are any.
    """
    usual = Days().patterns
    if patterns:
        config.check_patterns(patterns)
        _check_matched(absolute(folder), patterns)
    there = os.path.lexists(os.path.join(absolute(folder), config.NAME))
    if patterns and there:
        config.write_patterns(absolute(folder), patterns)
    elif not (patterns or there):
        places = found_places(absolute(folder))
        chosen = tuple(one.pattern for one in places if one.read)
        if chosen not in ((), usual) and not wants_json() and at_terminal():
            chosen = _ask_places(places)
        patterns = () if chosen == usual else chosen
    memory = Memory.init(folder, patterns=patterns, gate=gate)
    if not there and not wants_json() and at_terminal():
        memory = _ask_folders(memory)
    return memory, bool(patterns)


def _check_matched(root: str, patterns: tuple[str, ...]) -> None:
    """Refuse patterns that read no file where there are days: most likely they are mistyped."""
    places = [one for one in found_places(root) if one.files]
    reads = layout_of(root)._replace(patterns=patterns).reads
    if places and not any(reads(path) for one in places for path in one.paths):
        named, there = " and ".join(patterns), "; ".join(map(str, places[:_NAMED]))
        reason = f"{named} matches no dated file here, so nothing was changed. There are {there}"
        raise UsageError(reason=printable(reason, one_line=True))


def _ask_folders(memory: Memory) -> Memory:
    """Ask a person where weeks and months go, where others keep files in the usual folders."""
    for table, usual, said in _taken_folders(memory.snapshot()):
        say(said)
        words = f"They stay as they are. Where shall the {table} pages go?"
        answer = click.prompt(words, default=usual, value_proc=config.page_folder)
        if answer != usual:
            config.write_folder(str(memory.root), table, answer)
    return Memory.open(memory.root)


def _ask_places(places: Sequence[DayPlace]) -> tuple[str, ...]:
    """Ask a person which of the places with dated files hold days."""
    offered = [one for one in places if one.read or one.same_as]
    say("There are files here that are named by dates:")
    for number, one in enumerate(offered, 1):
        say(
            f"  {number}  {one}{_shared(one)}"
            if one.files
            else f"  {number}  {one.pattern}: new days"
        )
    usual = [str(number) for number, one in enumerate(offered, 1) if one.read]
    if not any(one.same_as for one in offered):
        read = usual if click.confirm("Read them as days?", default=True) else []
    else:
        words = "Some hold the same days. Which are read? (numbers, or 0 for none)"
        read = click.prompt(words, default=" ".join(usual)).replace(",", " ").split()
    return tuple(one.pattern for number, one in enumerate(offered, 1) if str(number) in read)


def _let_agent_write(memory: Memory) -> Memory:
    """Leave the pages to the agent whose hooks these are, unless the settings name a writer."""
    from lithify.store.commit import note

    config.write_model(str(memory.root), "agent")
    memory = Memory.open(memory.root)
    if memory.settings.model == "agent" and not memory.snapshot().ledger.initialised:
        # From now on its pages wait for it.
        note(memory.root, "init", {}, stamp(memory.now()))
    return memory


def _init_personal(folder: str) -> CommandOutput:
    """Make a person's own memory, and note in their settings where it is."""
    known = personal_root()
    place = os.path.abspath(absolute(os.path.expanduser(folder) or known or usual_personal_root()))
    if known and os.path.realpath(known) != os.path.realpath(place):
        raise UsageError(
            reason=f"your own memory is at {known}; {user_settings()} says so, and there is one"
        )
    Memory.init(place)
    settings = user_settings()
    if not known:
        os.makedirs(os.path.dirname(settings), exist_ok=True)
        line = f"personal = {json.dumps(place, ensure_ascii=False)}\n"
        with open(settings, "a", encoding="utf-8") as file:
            file.write(line)
    lines = [
        f"your own memory is at {place} ({settings} says so)",
        "what you keep there is in every project's context: lithify remember --personal TEXT",
    ]
    return CommandOutput({"root": place, "settings": settings}, lines)


def _check_flags(chosen: list[Client], user: bool, local: bool, remove: bool) -> None:
    """Refuse flags that contradict each other or name no harness."""
    if not chosen and (user or local or remove):
        names = ", ".join(f"--{one.flag}" for one in all_clients())
        raise UsageError(reason=f"name the harness that is meant: {names}")
    if user and local:
        raise UsageError(reason="--user and --local are two places; name one")
    if local and (without := [one.title for one in chosen if not one.local]):
        raise UsageError(reason=f"{', '.join(without)} has no local settings; leave --local out")


def _change_hooks(one: Client, scope: str, project: str, root: str, remove: bool) -> dict[str, Any]:
    from lithify.gate.files import settings_in_force
    from lithify.hooks import install
    from lithify.hooks.install import add_command

    path = next(place.path for place in install.places(one, project) if place.scope == scope)
    servers = install.server_file(one, scope, project)
    todo: list[str] = []
    if remove:
        done = install.remove(one, path, servers)
        todo = list(_left_behind(one, scope, project, root))
    else:
        python, on_stuck = interpreter(), settings_in_force(root).gate.on_stuck
        done = install.install(one, path, root, python, on_stuck, servers)
        todo = [
            one.untrusted(scope, path, project),
            "" if one.server_list(project) else add_command(one, scope, root, python),
        ]
    return {
        "harness": one.flag,
        "scope": scope,
        **done._asdict(),
        "todo": [step for step in todo if step],
    }


def _left_behind(one: Client, scope: str, project: str, root: str) -> Iterator[str]:
    """What else of ours the client still has after the hooks of one scope were removed."""
    from lithify.hooks import install
    from lithify.hooks.install import SERVER

    for place in install.places(one, project):
        with suppress(ConfigError):
            if place.scope != scope and install.what_is_ours(one, place.path).entries:
                option = "" if place.scope == "project" else f" --{place.scope}"
                command = f"lithify init {root} {one.option} --remove{option}"
                yield f"there are hooks in {place.path} too: {command}"
    if one.server_list(project):
        client = next(iter(one.add_server.values())).partition(" add ")[0]
        yield f"the MCP server is still registered: {client} remove {SERVER}"


def _hook_lines(one: Client, change: dict[str, Any], remove: bool) -> list[str]:
    """What was done for one harness, and what is left for the person to do."""
    path, kept = change["path"], f" (a copy is kept: {change['backup']})" * bool(change["backup"])
    server = f", the MCP server {'out of' if remove else 'in'} {change['server']}"
    server = server if change["server"] else ""
    todo = [f"  to do: {step}" for step in change["todo"]]
    if remove:
        if not change["changed"]:
            return [f"{one.title}: there were no hooks of lithify in {path}{server}", *todo]
        return [f"{one.title}: hooks taken out of {path}{kept}{server}", *todo]
    if not change["changed"]:
        first = f"{one.title}: the hooks are in {path} already{server}"
    else:
        first = f"{one.title}: hooks added to {path}{kept}{server}"
    return [first, *todo, f"  {one.then}"]


@click.command(epilog="Example: lithify doctor --json")
@_project("The folder the harness works in, if that is not the root.")
@_others("Also a client that another package brings.")
@on_root
def doctor(project: str | None, others: tuple[str, ...], root: str | None) -> CommandOutput:
    """Find the hooks in every harness's settings and try them out.

    Each hook is run as it is installed, at a temporary root. Also checked: the Python and the
    root that hooks name, versions, the gate's files. Exit code 3 when something should be fixed,
    1 when something installed does not work.
    """
    from lithify.hooks.doctor import examine

    named = root or os.environ.get("LITHIFY_ROOT")
    base = os.path.abspath(find_root(named)) if named else _nearest()
    found = examine(base, os.path.abspath(project or base or "."), others)
    levels = {one.level for one in found}
    code = 1 if "error" in levels else 3 if "warn" in levels else 0
    data = {"root": base, "exit_code": code, "findings": found}
    return CommandOutput(data, _finding_lines(found), code)


def _finding_lines(found: Sequence[Diagnosis]) -> Iterator[str]:
    for one in found:
        mark = styled(f"{one.level:5}", fg=COLOURS.get(one.level))
        first, *more = folded(f"{one.about}: {one.says}", "", taken=7)
        yield f"{mark}  {first}"
        if one.fix:
            more += folded(f"{'next' if one.level == 'info' else 'fix'}: {one.fix}", "  ", taken=7)
        for line in more:
            yield f"       {line}"


def _nearest() -> str:
    try:
        return find_root()
    except NoRoot:
        return ""


@click.command(epilog="Example: lithify hook BeforeTool --harness gemini < event.json")
@click.argument("event")
@option("--harness", "Whose event it is.", metavar=f"[{'|'.join(NAMES)}]", default="claude")
@option("--command", "Print the line for a harness's settings.", name="show")
@on_root
def hook(event: str, harness: str, show: bool, root: str | None) -> CommandOutput:
    """Answer EVENT: the harness's JSON on standard input, the decision on standard output.

    `lithify init` writes a faster line (`python -m lithify.hooks`) into a client's settings;
    --command prints it. Without --root the event belongs to $LITHIFY_ROOT, else to the nearest
    folder that `lithify init` made a root.
    """
    events = client_of(harness).events
    if event not in events:
        raise UsageError(reason=f"{event} is not an event of {harness}; it has {', '.join(events)}")
    if show:
        line = hook_command(find_root(root), event=event, client=harness)
        return CommandOutput({"event": event, "harness": harness, "command": line}, line)
    from lithify.hooks.__main__ import main

    sys.exit(main([event, "--harness", harness, *(["--root", root] if root else [])]))
