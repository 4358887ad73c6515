"""Examines the installed hooks: where they stand, what they name, and whether they work."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from lithify.calendar import system_clock
from lithify.errors import ConfigError, LithifyError, install_command
from lithify.hooks import install, settings_file
from lithify.hooks.clients import Client, all_clients, client_of
from lithify.hooks.install import (
    SERVER,
    SettingsFile,
    add_command,
    at_another_root,
    hook_command,
    interpreter,
    named_in,
    server_words,
)
from lithify.store.last_run import last_run, silent_days

Level = Literal["ok", "info", "warn", "error"]
#: The rule that allows the tools of the plugin's server; a plugin cannot set it.
_PLUGIN_RULE = "mcp__plugin_lithify_lithify"
#: Every extra that a command of ours needs, by a package that it brings.
EXTRAS = {
    "fleet": "dbos",
    "mcp": "mcp",
    "models": "pydantic_ai",
    "vectors": "lithify_vectors",
    "watch": "watchfiles",
    "web": "uvicorn",
}


class Diagnosis(NamedTuple):
    """One thing that was examined: its state, and what to do about it."""

    level: Level
    about: str
    says: str
    fix: str = ""


def examine(root: str, project: str, others: Sequence[str] = ()) -> list[Diagnosis]:
    """Examine the program, the root and the hooks of every built-in client.

    `root` is empty where there is no root; `others` names clients that other packages offer.
    """
    extras = [f"{name} {'yes' if find_spec(module) else 'no'}" for name, module in EXTRAS.items()]
    says = f"lithify {_version()} with {interpreter()}; extras: {', '.join(extras)}"
    lacking = not all(map(find_spec, EXTRAS.values()))
    found = [Diagnosis("info", "program", says, install_command("NAME") if lacking else "")]
    found += _root(root)
    standing: dict[str, list[str]] = {}
    for client in (*all_clients(), *map(client_of, others)):
        scope = ""
        for place in install.places(client, project):
            here = list(_place(client, place, root, project))
            if any(one.level != "error" for one in here):
                standing.setdefault(client.title, []).append(f"the {place.scope} settings")
                scope = scope or place.scope
            found += here
        if scope:
            found += _server(client, root, project, scope)
    if plugin := list(_plugin(root, project)):
        standing.setdefault("Claude Code", []).append("the plugin")
        found += plugin
    for title, places in standing.items():
        if len(places) > 1:
            says = (
                f"{' and '.join(places)} have the hooks, so each runs more than once: a prompt is "
                "recorded once, but a session is told its memory twice"
            )
            found.append(Diagnosis("warn", title, says, "keep one: lithify init --remove …"))
    if _gate_is_on(root):
        found.append(Diagnosis("info", "gate", "on: a long record has to be summarised"))
    elif root:
        found.append(Diagnosis("info", "gate", "the gate is off", "lithify gate on"))
    if not standing and not any(one.level == "error" for one in found if one.about != "root"):
        says = (
            f"no agent client has hooks of lithify, neither in {project} nor in your own settings"
        )
        found.append(
            Diagnosis("warn", "harnesses", says, f"lithify init {root or '.'} --claude-code")
        )
    return found


def _root(root: str) -> Iterator[Diagnosis]:
    if not root:
        yield Diagnosis("warn", "root", "there is no memory root here", "lithify init")
        return
    from lithify import config
    from lithify.gate import files
    from lithify.gate.gatekeeper import Gatekeeper

    try:
        config.read(_file(os.path.join(root, "lithify.toml")))
        wrong = list(files.problems(root))
        shut = Gatekeeper(root).closed_jobs()
    except LithifyError as error:
        yield Diagnosis("error", "root", error.message, "fix it; lithify check says more")
        return
    for problem in wrong:
        level: Level = "error" if problem.severity == "error" else "warn"
        says = f"{problem.path}, line {problem.line}: {problem.message}"
        yield Diagnosis(level, "root", says, "lithify check")
    if not os.access(root, os.W_OK):
        yield Diagnosis(
            "error", "root", f"{root} cannot be written to", "chmod u+w, or another root"
        )
    elif not wrong:
        jobs = len(files.jobs(root))
        says = f"{root}: {jobs} job{'s' * (jobs != 1)} recorded, its files are sound"
        yield Diagnosis("info", "root", says)
    if days := silent_days(last_run(root), system_clock().date()):
        says = f"it has not run for {days} days"
        fix = "lithify schedule install puts it in again, lithify schedule remove ends it"
        yield Diagnosis("warn", "daily schedule", says, fix)
    for job in shut:
        says = f"the gate of job {job} is closed: a summary is due"
        yield Diagnosis("info", "root", says, f"lithify gate submit --job {job} --template")


def _gate_is_on(root: str) -> bool:
    """Tell whether long jobs of a root need summaries; false where that cannot be read."""
    from lithify.gate.gatekeeper import Gatekeeper

    with contextlib.suppress(LithifyError):
        return bool(root) and Gatekeeper(root).settings.on
    return False


def _works(client: Client, root: str) -> str:
    """Return what hooks do that have passed their trials."""
    does = "a session starts with its memory"
    if "SessionEnd" in client.events.values():
        does += ", and its outcome is logged when it ends"
    return does + "; calls are denied and allowed as they should" * _gate_is_on(root)


def _place(client: Client, place: SettingsFile, root: str, project: str) -> Iterator[Diagnosis]:
    about = f"{client.title}, {place.scope}"
    again = f"lithify init {root or 'ROOT'} {client.option}{_option(place.scope)}"
    try:
        if client.program:
            yield from _shim(client, place, about, again)
            return
        ours = install.what_is_ours(client, place.path)
        values = _json(place.path)
    except (ConfigError, ValueError) as error:
        yield Diagnosis("error", about, str(error), f"fix the file, then {again}")
        return
    if not ours.entries:
        return
    if values.get("disableAllHooks") is True:
        says = f"{place.path} switches all hooks off (disableAllHooks)"
        yield Diagnosis("error", about, says, "take that setting out")
    lines = install.hooks_in(ours.entries)
    guards = [line for event, line in lines if event == client.guard]
    named = named_in(lines[0][1])
    wrong = ""
    if not os.access(named.python, os.X_OK):
        wrong = f"names {named.python}, which is not there"
    elif not os.path.isdir(named.root):
        wrong = f"names the root {named.root}, which is not there"
    elif not guards:
        wrong = "has no hook before tool calls: nothing is ever denied"
    if wrong:
        yield Diagnosis("error", about, f"{place.path} {wrong}", again)
        return
    theirs = _version_at(named.python)
    if theirs != _version():
        says = f"its Python has lithify {theirs or 'not at all'}, this is {_version()}"
        yield Diagnosis("warn" if theirs else "error", about, says, again)
    wanted = (
        install.ours_for(
            client, named.root, named.python, on_stuck, place.scope in client.server_files
        )
        for on_stuck in ("hold", "pass")
    )
    if ours not in wanted:
        yield Diagnosis("warn", about, f"{place.path} has the hooks of another version", again)
    elif root and os.path.realpath(named.root) != os.path.realpath(root):
        yield Diagnosis("info", about, f"its hooks serve another root, {named.root}")
    starts = {event: line for event, line in lines if client.events.get(event) == "SessionStart"}
    faults = _trials(client, guards[0], starts)
    for fault in faults:
        yield Diagnosis("error", about, f"the hook of {place.path} fails its trial: {fault}", again)
    if faults:
        return
    if todo := client.untrusted(place.scope, place.path, project):
        says = f"{place.path}: the hooks work, but {client.title} does not run them yet"
        yield Diagnosis("warn", about, says, todo)
    else:
        yield Diagnosis("ok", about, f"{place.path}: {_works(client, named.root)}")


def _shim(client: Client, place: SettingsFile, about: str, again: str) -> Iterator[Diagnosis]:
    text = _file(place.path).decode("utf-8", "replace")
    facts = dict(
        line.removeprefix("const ").split(" = ", 1)
        for line in text.splitlines()
        if line.startswith(("const PYTHON = ", "const ROOT = "))
    )
    if len(facts) != 2:
        return
    python, root = json.loads(facts["PYTHON"]), json.loads(facts["ROOT"])
    if not os.access(python, os.X_OK) or not os.path.isdir(root):
        says = f"{place.path} names {python} and {root}; one of them is not there"
        yield Diagnosis("error", about, says, again)
        return
    if text != install.program(root, python):
        yield Diagnosis("warn", about, f"{place.path} is of another version", again)
    guard, start = (
        hook_command(root, python, event, client=client.name)
        for event in ("PreToolUse", "SessionStart")
    )
    faults = _trials(client, guard, {"SessionStart": start})
    for fault in faults:
        yield Diagnosis("error", about, f"what {place.path} runs fails: {fault}", again)
    if not faults:
        yield Diagnosis("ok", about, f"{place.path}: {_works(client, root)}")


def _server(client: Client, root: str, project: str, scope: str) -> Iterator[Diagnosis]:
    """Tell whether the client starts our MCP server, by which an agent can look things up.

    `scope` is where its hooks stand; the server is to be added for the same.
    """
    about = f"{client.title}, MCP server"
    if not server_words(root, interpreter()):
        says = "it needs an extra that is not installed"
        yield Diagnosis("info", about, says, install_command("mcp"))
        return
    if client.program:
        return
    files = [install.server_file(client, scope, project) for scope in ("project", "user")]
    files += [place.path for place in install.places(client, project)]
    for path in filter(None, files):
        with contextlib.suppress(ConfigError):
            servers = _json(path).get("mcpServers")
            if isinstance(servers, dict) and SERVER in servers:
                yield Diagnosis("info", about, f"it is registered in {path}")
                return
    if path := client.server_list(project):
        yield Diagnosis("info", about, f"it is registered in {path}")
        return
    again = f"lithify init {root or 'ROOT'} {client.option}{_option(scope)}"
    fix = add_command(client, scope, root or "ROOT", interpreter()) or again
    yield Diagnosis("info", about, "it is not registered, so the agent cannot search memory", fix)


def _plugin(root: str, project: str) -> Iterator[Diagnosis]:
    """Return the plugin for Claude Code, if it is enabled."""
    about, client = "Claude Code plugin", client_of("claude")
    places = install.places(client, project)
    on = ""
    for place in places:
        with contextlib.suppress(ConfigError, AttributeError):
            enabled = _json(place.path).get("enabledPlugins", {}).items()
            found = [name for name, value in enabled if value is True]
            on = next((name for name in found if name.startswith("lithify@")), on)
    if not on:
        return
    folder = _plugin_folder(os.path.join(os.path.dirname(places[-1].path), "plugins"), on)
    try:
        hooks = _json(os.path.join(folder, "hooks", "hooks.json"))["hooks"]
        line, start = (
            hooks[event][0]["hooks"][0]["command"] for event in ("PreToolUse", "SessionStart")
        )
    except (ConfigError, LookupError, TypeError):
        says = "it is switched on, but its files are not found"
        yield Diagnosis("warn", about, says, f"claude plugin install {on}")
        return
    faults = _trials(client, line, {"SessionStart": start}, {"CLAUDE_PLUGIN_ROOT": folder})
    for fault in faults:
        says = f"the plugin in {folder} fails its trial: {fault}"
        yield Diagnosis("error", about, says, install_command("mcp"))
    if not faults:
        yield Diagnosis("ok", about, f"{folder}: {_works(client, root)}")
        if not any(_PLUGIN_RULE in _allowed(place.path) for place in places):
            says = "Claude Code asks a person before the agent hands in a summary"
            fix = f'to allow it, put "{_PLUGIN_RULE}" in permissions.allow of {places[-1].path}'
            yield Diagnosis("info", about, says, fix)


def _allowed(path: str) -> list[Any]:
    with contextlib.suppress(ConfigError, LookupError, TypeError):
        return list(_json(path)["permissions"]["allow"])
    return []


def _plugin_folder(plugins: str, name: str) -> str:
    """Return the folder that Claude Code runs a plugin from; empty where its files name none.

    A marketplace that is a folder is read in place, and only others from the installed copy.
    """
    plugin, _, market = name.partition("@")
    with contextlib.suppress(ConfigError, LookupError, TypeError, AttributeError):
        known = _json(os.path.join(plugins, "known_marketplaces.json"))[market]
        if known["source"]["source"] == "directory":
            place = os.path.join(known["installLocation"], ".claude-plugin", "marketplace.json")
            listed = next(one for one in _json(place)["plugins"] if one["name"] == plugin)
            return os.path.normpath(f"{known['installLocation']}/{listed['source']}")
    with contextlib.suppress(ConfigError, LookupError, TypeError):
        installed = _json(os.path.join(plugins, "installed_plugins.json"))
        return str(installed["plugins"][name][-1]["installPath"])
    return ""


def _option(scope: str) -> str:
    return "" if scope == "project" else f" --{scope}"


def _version() -> str:
    return metadata.version("lithify")


def _version_at(python: str) -> str:
    if os.path.realpath(python) == os.path.realpath(interpreter()):
        return _version()
    code = "from importlib.metadata import version; print(version('lithify'))"
    try:
        done = subprocess.run(
            [python, "-I", "-c", code], capture_output=True, text=True, timeout=30
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def _json(path: str) -> dict[str, Any]:
    return settings_file.parse(path, _file(path))


def _file(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


# Trials: the command of an installed hook is run at a temporary root. The calls have the client's
# own form: one that must be denied, the submission that must be admitted, a command added to the
# submission that must be denied, and one at an open gate that must go on.

TRIAL_SESSION = "lithify-trial"
_SECONDS = 60


def trial_call(
    client: Client, cwd: str, command: str | None = None, session: str = TRIAL_SESSION
) -> dict[str, Any]:
    """Return a tool call as the client reports it: a shell command, or else the reading of a file."""
    read, shell = client.trial_tools
    if command is None:
        return client.trial_call(session, cwd, read, {"file_path": "notes.md"})
    return client.trial_call(session, cwd, shell, {"command": command})


def denial_in(client: Client, said: str) -> str:
    """Return the reason in a client's denial; empty where the call goes on."""
    return str(client.denied(json.loads(said) if said.strip() else {}) or "")


def _trials(
    client: Client, guard: str, starts: Mapping[str, str], env: Mapping[str, str] | None = None
) -> list[str]:
    """Say what is wrong with the commands before a tool call and, by event, at a session's start."""
    wrong = [fault for event, line in starts.items() for fault in try_start(event, line, env)]
    return try_guard(client, guard, env) + wrong


def closed_root(folder: str) -> str:
    """Make a folder a root with a closed gate; return the job that waits."""
    from lithify.gate.gatekeeper import Gatekeeper
    from lithify.memory import Memory

    gate = Gatekeeper(Memory.init(folder, gate=True).root)
    words = " ".join(f"word{number}" for number in range(gate.rules("").threshold))
    return gate.record(TRIAL_SESSION, "prompt", f"This is a trial of the gate. {words}").state.job


def try_guard(client: Client, command: str, env: Mapping[str, str] | None = None) -> list[str]:
    """Say what is wrong with the command that runs before a tool call; nothing if it works.

    With `env` the command finds its root by the environment, else the root it names is replaced.
    """
    with tempfile.TemporaryDirectory(prefix="lithify-trial-") as folder:
        shut, free = os.path.join(folder, "closed root"), os.path.join(folder, "open root")
        job = closed_root(shut)
        os.mkdir(free)
        with open(os.path.join(free, "lithify.toml"), "w", encoding="utf-8"):
            pass
        summary = f"lithify gate submit --job {job} <<'SUMMARY'\nx\nSUMMARY"
        cases = (
            (shut, None, True, "a reading while the gate is closed"),
            (shut, summary, False, "the submission of a summary"),
            (shut, f"{summary}; ls", True, "a command that rides on the submission"),
            (free, None, False, "a reading while the gate is open"),
        )
        faults = []
        for root, line, deny, what in cases:
            done = _run_hook(command, root, trial_call(client, root, line), env)
            if fault := _fault(client, done, deny):
                faults.append(f"{what}{fault}")
        return faults


def try_start(event: str, command: str, env: Mapping[str, str] | None = None) -> list[str]:
    """Say what is wrong with the command that runs when a session starts; it must print the memory.

    `env` is as in `try_guard`.
    """
    word = "lithify-trial-memory"
    with tempfile.TemporaryDirectory(prefix="lithify-trial-") as folder:
        os.mkdir(os.path.join(folder, "memory"))
        day = f"memory/{system_clock().date()}.md"
        for name, text in (("lithify.toml", ""), (day, f"- Decision: {word}.\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        sent = {"hook_event_name": event, "source": "startup"}
        done = _run_hook(command, folder, {"session_id": TRIAL_SESSION, "cwd": folder, **sent}, env)
        if isinstance(done, str):
            return [f"the start of a session: {done}"]
        found = word in done.stdout.decode("utf-8", "replace")
        return [] if found else ["the start of a session: it was not given the memory"]


def _run_hook(
    command: str, root: str, sent: dict[str, Any], env: Mapping[str, str] | None
) -> subprocess.CompletedProcess[bytes] | str:
    """Run the command of a hook at another root; return the reason where it does not run."""
    own = {k: v for k, v in os.environ.items() if k != "LITHIFY_ROOT"}
    if env is not None:
        own |= {**env, "CLAUDE_PROJECT_DIR": root}
    else:
        command = at_another_root(command, root)
    argv = ["sh", "-c", command] if os.name == "posix" else command
    given = json.dumps(sent).encode()
    try:
        return subprocess.run(argv, input=given, capture_output=True, env=own, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the command does not run ({error})"


def _fault(client: Client, done: subprocess.CompletedProcess[bytes] | str, deny: bool) -> str:
    """Say what is wrong with an answer; nothing where the call was denied or let through rightly."""
    if isinstance(done, str):
        return f": {done}"
    said = done.stdout.decode("utf-8", "replace")
    told = " ".join(done.stderr.decode("utf-8", "replace").split())[-300:]
    if done.returncode:
        return f": the command ends in {done.returncode} ({told or 'no message'})"
    try:
        denied = bool(denial_in(client, said))
    except (ValueError, AttributeError):
        return f": the answer is not JSON: {said[:120]!r}"
    if denied == deny:
        return ""
    return (" was let through" if deny else " was denied") + (f" ({told})" if told else "")
