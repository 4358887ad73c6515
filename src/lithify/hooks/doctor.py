"""Examines the installed hooks: where they stand, what they name, and whether they work."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from lithify.calendar import system_clock
from lithify.errors import ConfigError, LithifyError
from lithify.extras import install_command
from lithify.hooks import install, selftest, settings_file
from lithify.hooks.access import SERVER, add_command, server_words
from lithify.hooks.command_line import Named, hook_command, interpreter, named_in
from lithify.hooks.harness import Harness
from lithify.hooks.harnesses import all_harnesses, harness_of
from lithify.hooks.install import Ours, Place
from lithify.store.last_run import last_run, silent_days

Level = Literal["ok", "info", "warn", "error"]
#: The rule that allows the tools of the plugin's server; a plugin cannot set it.
_PLUGIN_RULE = "mcp__plugin_lithify_lithify"
#: Every extra that a command of ours needs, by a package that it brings.
EXTRAS = {
    "fleet": "dbos",
    "local": "xllamacpp",
    "mcp": "mcp",
    "models": "pydantic_ai",
    "vectors": "lithify_vectors",
    "watch": "watchfiles",
    "web": "uvicorn",
}


class Finding(NamedTuple):
    """One thing that was examined: its state, and what to do about it."""

    level: Level
    about: str
    says: str
    fix: str = ""


def examine(root: str, project: str) -> list[Finding]:
    """All findings; `root` is empty where there is no root."""
    found = [*_program(), *_root(root)]
    standing: dict[str, list[str]] = {}
    for harness in all_harnesses():
        scope = ""
        for place in install.places(harness, project):
            here = list(_place(harness, place, root, project))
            if any(one.level != "error" for one in here):
                standing.setdefault(harness.title, []).append(f"the {place.scope} settings")
                scope = scope or place.scope
            found += here
        if scope:
            found += _server(harness, root, project, scope)
    if plugin := list(_plugin(root, project)):
        standing.setdefault("Claude Code", []).append("the plugin")
        found += plugin
    for title, places in standing.items():
        if len(places) > 1:
            says = (
                f"{' and '.join(places)} have the hooks, so each runs more than once: a prompt is "
                "recorded once, but a session is told its memory twice"
            )
            found.append(Finding("warn", title, says, "keep one: lithify init --remove …"))
    found += _gate(root)
    if not standing and not any(one.level == "error" for one in found if one.about != "root"):
        says = (
            f"no agent client has hooks of lithify, neither in {project} nor in your own settings"
        )
        found.append(
            Finding("warn", "harnesses", says, f"lithify init {root or '.'} --claude-code")
        )
    return found


def _program() -> Iterator[Finding]:
    extras = [f"{name} {'yes' if find_spec(module) else 'no'}" for name, module in EXTRAS.items()]
    says = f"lithify {_version()} with {interpreter()}; extras: {', '.join(extras)}"
    lacking = not all(map(find_spec, EXTRAS.values()))
    yield Finding("info", "program", says, install_command("NAME") if lacking else "")


def _root(root: str) -> Iterator[Finding]:
    if not root:
        yield Finding("warn", "root", "there is no memory root here", "lithify init")
        return
    from lithify import config
    from lithify.gate import files
    from lithify.gate.gatekeeper import Gatekeeper

    try:
        config.read(_file(os.path.join(root, "lithify.toml")))
        wrong = list(files.problems(root))
        shut = Gatekeeper(root).closed_jobs()
    except LithifyError as error:
        yield Finding("error", "root", error.message, "fix it; lithify check says more")
        return
    for problem in wrong:
        level: Level = "error" if problem.severity == "error" else "warn"
        says = f"{problem.path}, line {problem.line}: {problem.message}"
        yield Finding(level, "root", says, "lithify check")
    if not os.access(root, os.W_OK):
        yield Finding("error", "root", f"{root} cannot be written to", "chmod u+w, or another root")
    elif not wrong:
        jobs = len(files.jobs(root))
        says = f"{root}: {jobs} job{'s' * (jobs != 1)} recorded, its files are sound"
        yield Finding("info", "root", says)
    if days := silent_days(last_run(root), system_clock().date()):
        says = f"it has not run for {days} days"
        fix = "lithify schedule install puts it in again, lithify schedule remove ends it"
        yield Finding("warn", "daily schedule", says, fix)
    for job in shut:
        says = f"the gate of job {job} is closed: a summary is due"
        yield Finding("info", "root", says, f"lithify gate submit --job {job} --template")


def _gate_is_on(root: str) -> bool:
    """Whether long jobs of a root need summaries; false where that cannot be read."""
    from lithify.gate.gatekeeper import Gatekeeper

    with contextlib.suppress(LithifyError):
        # Settings that do not know the choice have a gate that is on.
        return bool(root) and bool(getattr(Gatekeeper(root).settings, "on", True))
    return False


def _gate(root: str) -> Iterator[Finding]:
    if _gate_is_on(root):
        yield Finding("info", "gate", "on: a long record has to be summarised")
    elif root:
        yield Finding("info", "gate", "the gate is off", "lithify gate on")


def _works(harness: Harness, root: str) -> str:
    """What hooks do that have passed their trials."""
    does = "a session starts with its memory"
    if "SessionEnd" in harness.events.values():
        does += ", and its outcome is logged when it ends"
    return does + "; calls are denied and allowed as they should" * _gate_is_on(root)


def _place(harness: Harness, place: Place, root: str, project: str) -> Iterator[Finding]:
    about = f"{harness.title}, {place.scope}"
    again = f"lithify init {root or 'ROOT'} --{harness.flag}{_option(place.scope)}"
    try:
        if harness.program:
            yield from _shim(harness, place, about, again)
            return
        ours = install.what_is_ours(harness, place.path)
        values = _json(place.path)
    except (ConfigError, ValueError) as error:
        yield Finding("error", about, str(error), f"fix the file, then {again}")
        return
    if not ours.entries:
        return
    if values.get("disableAllHooks") is True:
        says = f"{place.path} switches all hooks off (disableAllHooks)"
        yield Finding("error", about, says, "take that setting out")
    lines = install.hooks_in(ours.entries)
    guards = [line for event, line in lines if event == harness.guard]
    named = named_in(lines[0][1])
    if not os.access(named.python, os.X_OK):
        says = f"{place.path} names {named.python}, which is not there"
        yield Finding("error", about, says, again)
        return
    if not os.path.isdir(named.root):
        says = f"{place.path} names the root {named.root}, which is not there"
        yield Finding("error", about, says, again)
        return
    if not guards:
        says = f"{place.path} has no hook before tool calls: nothing is ever denied"
        yield Finding("error", about, says, again)
        return
    theirs = _version_at(named.python)
    if theirs != _version():
        says = f"its Python has lithify {theirs or 'not at all'}, this is {_version()}"
        yield Finding("warn" if theirs else "error", about, says, again)
    if not _current(harness, ours, named, place.scope):
        yield Finding("warn", about, f"{place.path} has the hooks of another version", again)
    elif root and os.path.realpath(named.root) != os.path.realpath(root):
        yield Finding("info", about, f"its hooks serve another root, {named.root}")
    faults = selftest.run(harness, guards[0])
    for event, line in lines:
        if harness.events.get(event) == "SessionStart":
            faults += selftest.run_start(event, line)
    for fault in faults:
        yield Finding(
            "error", about, f"the hook of {place.path} fails its trial: {fault.says}", again
        )
    if faults:
        return
    if todo := harness.untrusted(place.scope, place.path, project):
        says = f"{place.path}: the hooks work, but {harness.title} does not run them yet"
        yield Finding("warn", about, says, todo)
    else:
        yield Finding("ok", about, f"{place.path}: {_works(harness, named.root)}")


def _shim(harness: Harness, place: Place, about: str, again: str) -> Iterator[Finding]:
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
        yield Finding("error", about, says, again)
        return
    if text != install.program(root, python):
        yield Finding("warn", about, f"{place.path} is of another version", again)
    faults = selftest.run(harness, hook_command(root, python, harness=harness.name))
    start = next(event for event, ours in harness.events.items() if ours == "SessionStart")
    faults += selftest.run_start(start, hook_command(root, python, start, harness=harness.name))
    for fault in faults:
        yield Finding("error", about, f"what {place.path} runs fails: {fault.says}", again)
    if not faults:
        yield Finding("ok", about, f"{place.path}: {_works(harness, root)}")


def _server(harness: Harness, root: str, project: str, scope: str) -> Iterator[Finding]:
    """Whether the client starts our MCP server, by which an agent can look things up.

    `scope` is where its hooks stand; the server is to be added for the same.
    """
    about = f"{harness.title}, MCP server"
    if not server_words(root, interpreter()):
        says = "it needs an extra that is not installed"
        yield Finding("info", about, says, install_command("mcp"))
        return
    if harness.program:
        return
    files = [install.server_file(harness, scope, project) for scope in ("project", "user")]
    files += [place.path for place in install.places(harness, project)]
    for path in filter(None, files):
        with contextlib.suppress(ConfigError):
            servers = _json(path).get("mcpServers")
            if isinstance(servers, dict) and SERVER in servers:
                yield Finding("info", about, f"it is registered in {path}")
                return
    if path := harness.server_list(project):
        yield Finding("info", about, f"it is registered in {path}")
        return
    again = f"lithify init {root or 'ROOT'} --{harness.flag}{_option(scope)}"
    fix = add_command(harness, scope, root or "ROOT", interpreter()) or again
    yield Finding("info", about, "it is not registered, so the agent cannot search memory", fix)


def _plugin(root: str, project: str) -> Iterator[Finding]:
    """The plugin for Claude Code, if it is enabled."""
    places = install.places(harness_of("claude"), project)
    on = ""
    for place in places:
        try:
            enabled = _json(place.path).get("enabledPlugins")
        except ConfigError:
            continue
        if isinstance(enabled, dict):
            found = [name for name, value in enabled.items() if value is True]
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
        yield Finding("warn", "Claude Code plugin", says, f"claude plugin install {on}")
        return
    env = {"CLAUDE_PLUGIN_ROOT": folder}
    faults = selftest.run(harness_of("claude"), line, env)
    faults += selftest.run_start("SessionStart", start, env)
    for fault in faults:
        says = f"the plugin in {folder} fails its trial: {fault.says}"
        yield Finding("error", "Claude Code plugin", says, install_command("mcp"))
    if not faults:
        yield Finding("ok", "Claude Code plugin", f"{folder}: {_works(harness_of('claude'), root)}")
        if not any(_PLUGIN_RULE in _allowed(place.path) for place in places):
            says = "Claude Code asks a person before the agent hands in a summary"
            fix = f'to allow it, put "{_PLUGIN_RULE}" in permissions.allow of {places[-1].path}'
            yield Finding("info", "Claude Code plugin", says, fix)


def _allowed(path: str) -> list[Any]:
    with contextlib.suppress(ConfigError, LookupError, TypeError):
        return list(_json(path)["permissions"]["allow"])
    return []


def _plugin_folder(plugins: str, name: str) -> str:
    """The folder that Claude Code runs a plugin from; empty where its files name none.

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


def _current(harness: Harness, ours: Ours, named: Named, scope: str) -> bool:
    listed = scope in harness.server_files
    return any(
        ours == install.ours_for(harness, named.root, named.python, on_stuck, listed)
        for on_stuck in ("hold", "pass")
    )


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
