"""`lithify.toml` read into frozen settings, or refused with the file, the key and the fix."""

from __future__ import annotations

import os
import re
import tomllib
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from lithify.errors import ConfigError, StorageError
from lithify.limits import PATTERNS
from lithify.sections import GATE_PRESETS
from lithify.settings import LABELS, Gate, Redact, Settings, is_job_name
from lithify.store import disk, places

if typing.TYPE_CHECKING:
    from pathlib import Path

    from lithify.engines.model.prompt import Template

NAME = "lithify.toml"
#: A week of so many tokens may be told whole, so no ceiling of a page can be below it.
_LEAST_CEILING = 400
#: Tokens of sources below which a work order would show next to nothing.
_LEAST_ORDER = 1000

#: What `lithify init` writes: every setting with its default, commented out but for the gate's key.
TEMPLATE = """\
# Settings of this memory. Everything is optional; these are the defaults.
# agent_name = "Agent"
# zone = "Europe/Vienna"        # the machine's own zone when left out
# model = "offline"             # who writes pages: offline, agent, or any model of docs/models.md
# compression = 0.30            # length of a summary, as a share of what it covers
#
# [days]
# patterns = ["memory/*.md"]    # files named by a date; ** stands for any folders
#
# [weekly]
# style = "separate"            # or "combined": summary and memories in one call
# max_tokens = 4000             # a page is never longer, however long its days are
# min_dailies_for_weekly = 1
#
# [monthly]
# max_tokens = 3000
# min_weeklies_for_monthly = 1
#
# [memories]
# max_per_week = 8              # memories found or suggested in one week; marked ones have no cap
# labels = []                   # more words that mark a line, beside Rule:, Remember: and so on
#
# [agent]                       # with model = "agent"
# wait_days = 7                 # days a page waits for the agent before it is written offline
# order_tokens = 12000          # tokens of sources that one work order shows
#
# [wisdom]
# max_entries = 20
# categories = []
# review = "auto"               # or "always": every change waits for a person
# stale_months = 3
#
# [verify]
# max_repairs = 2
# audit = ""                    # a second reader of each page: any model, or "agent"
#
[gate]                          # see docs/gate.md; [gate.jobs.NAME] sets them for one job
enabled = false                 # `lithify gate on` and `lithify gate off` change it
# threshold = 500               # tokens of prompts and answers after which a summary is due
# min_tokens = 200
# max_tokens = 1000
# section_floor = 40            # tokens a section has at least, unless it says "None."
# max_none = 2
# max_denials = 8
# on_stuck = "hold"             # or "pass": let calls through, with a warning on each
# sections = []                 # your own, in place of the preset's
# preset = "default"            # research, consulting, legal, support, governance
# shape = "chain"               # or "hierarchical", "topics"
# rollup_every = 5
#
# [trust]
# files = true                  # whether days that other tools wrote are trusted
# taint = ["web", "mcp"]
#
# [redact]
# enabled = true
# allow = []                    # texts that are no secrets, or names of rules
#
# [models."ollama:llama3.2"]    # what you know of a model, by its model string; see docs/models.md
# window = 0                    # tokens it reads; 0 where the program knows better
# output = 0                    # tokens it writes at most
# price = []                    # USD for a million tokens, as [in, out]
"""


def template(patterns: tuple[str, ...] = ()) -> str:
    """A new `lithify.toml`: all defaults as comments, and the patterns of its days, if it has its own."""
    from lithify.store.days import setting

    if patterns in ((), Settings().days.patterns):
        return TEMPLATE
    default = '# [days]\n# patterns = ["memory/*.md"] '
    return TEMPLATE.replace(default, f"[days]\n{setting(patterns)} ")


def load(root: str | os.PathLike[str]) -> Settings:
    """The settings of a root; the defaults where it has no file."""
    data = _bytes(os.path.join(root, NAME), NAME)
    return Settings() if data is None else read(data)


def _bytes(path: str, file: str) -> bytes | None:
    """The bytes of a file that may be missing."""
    try:
        return disk.read(path)
    except StorageError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise ConfigError(file=file, reason=f"cannot be read: {error.facts['reason']}") from None


def read(data: bytes, file: str = NAME) -> Settings:
    """Settings from the bytes of a file."""
    import tomllib

    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(file=file, reason=f"is not UTF-8 (byte {error.start})") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(file=file, reason=f"is not valid TOML: {error}") from None
    settings: Settings = _fill(Settings, table, "", file)
    if "gate" in table:
        settings = settings._replace(gate=_gate(table["gate"], settings.gate, file))
    _combinations(settings, file)
    return settings


def load_prompts(root: Path) -> Mapping[str, Template]:
    """The prompts in force: the package's, and over them the root's own from `prompts/`."""
    from lithify.engines.model.prompt import read_template, shipped

    found = dict(shipped())
    for stage in found:
        file = f"prompts/{stage}.md"
        data = _bytes(os.path.join(root, file), file)
        if data is None:
            continue
        try:
            text = data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeDecodeError as error:
            raise ConfigError(file=file, reason=f"cannot be read: {error}") from None
        found[stage] = read_template(stage, text, file)
    return found


def _fill(kind: Any, table: Mapping[str, Any], prefix: str, file: str) -> Any:
    return kind(**_values(kind, table, prefix, file))


def _values(kind: Any, table: Mapping[str, Any], prefix: str, file: str) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    if kind is Redact:
        del hints["key"]
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"{prefix}{key}"
        if key not in hints:
            import difflib

            near = difflib.get_close_matches(key, hints, n=1, cutoff=0.5)
            hint = (
                f"; did you mean `{prefix}{near[0]}`?"
                if near
                else f"; known here: {', '.join(hints)}"
            )
            raise ConfigError(file=file, reason=f"unknown key `{where}`{hint}")
        values[key] = _value(hints[key], value, where, file)
    return values


def _value(hint: Any, value: Any, where: str, file: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        # A setting that may be left out; where it is given it has the type before `| None`.
        return _value(arguments[0], value, where, file)
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        if not isinstance(value, dict):
            raise _wrong(where, "a table", value, file)
        return _fill(hint, value, f"{where}.", file)
    if origin is Mapping or (isinstance(origin, type) and issubclass(origin, Mapping)):
        if not isinstance(value, dict):
            raise _wrong(where, "a table", value, file)
        return {
            name: _value(arguments[1], facts, f'{where}."{name}"', file)
            for name, facts in value.items()
        }
    if origin is tuple:
        if not isinstance(value, list):
            raise _wrong(where, "a list", value, file)
        return tuple(_value(arguments[0], item, where, file) for item in value)
    if origin is typing.Literal:
        if value not in arguments:
            choices = ", ".join(f'"{choice}"' for choice in arguments)
            raise _wrong(where, f"one of {choices}", value, file)
        return value
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    fits = isinstance(value, hint) or (hint is float and type(value) is int)
    if not fits or (isinstance(value, bool) and hint is not bool):
        raise _wrong(where, names[hint], value, file)
    return float(value) if hint is float else value


def _wrong(where: str, expected: str, value: Any, file: str) -> ConfigError:
    shown = repr(value) if not isinstance(value, (dict, types.GeneratorType)) else "a table"
    return ConfigError(file=file, reason=f"`{where}` must be {expected}, not {shown[:60]}")


def _combinations(settings: Settings, file: str) -> None:
    """Values that are each of the right type but make no sense, with the way out."""

    def refuse(reason: str) -> None:
        raise ConfigError(file=file, reason=reason)

    if not 0.10 <= settings.compression <= 0.45:
        refuse(f"`compression` is {settings.compression}; it must be between 0.10 and 0.45")
    at_least_one = {
        "weekly.min_dailies_for_weekly": settings.weekly.min_dailies_for_weekly,
        "monthly.min_weeklies_for_monthly": settings.monthly.min_weeklies_for_monthly,
        "memories.max_per_week": settings.memories.max_per_week,
        "agent.wait_days": settings.agent.wait_days,
        "wisdom.max_entries": settings.wisdom.max_entries,
        "wisdom.stale_months": settings.wisdom.stale_months,
    }
    for key, number in at_least_one.items():
        if number < 1:
            refuse(f"`{key}` is {number}; it must be at least 1")
    for key, tier in (("weekly", settings.weekly), ("monthly", settings.monthly)):
        if tier.max_tokens < _LEAST_CEILING:
            default = type(tier)().max_tokens
            refuse(
                f"`{key}.max_tokens` is {tier.max_tokens}, too little for a page; write "
                f"{_LEAST_CEILING} or more, or take the line out for the default of {default}"
            )
    if settings.agent.order_tokens < _LEAST_ORDER:
        refuse(f"`agent.order_tokens` must be at least {_LEAST_ORDER:,}, or no page fits an order")
    if settings.weekly.min_dailies_for_weekly > 7:
        refuse("`weekly.min_dailies_for_weekly` is more than the 7 days of a week")
    if settings.monthly.min_weeklies_for_monthly > 5:
        refuse("`monthly.min_weeklies_for_monthly` is more than the 5 weeks a month can have")
    if not 0 <= settings.verify.max_repairs <= 5:
        refuse(f"`verify.max_repairs` is {settings.verify.max_repairs}; it must be 0 to 5")
    if settings.verify.audit == "offline":
        refuse('`verify.audit` is "offline", which cannot audit; name a model, "agent", or ""')
    _patterns(settings.days.patterns, refuse)
    if not settings.agent_name.strip() or "\n" in settings.agent_name:
        refuse("`agent_name` must be one line of text")
    if any(not name.strip() or "\n" in name for name in settings.wisdom.categories):
        refuse("`wisdom.categories` has an empty name")
    if len(set(settings.wisdom.categories)) != len(settings.wisdom.categories):
        refuse("`wisdom.categories` names a category twice")
    if settings.memories.labels:
        _labels(settings.memories.labels, refuse)
    if settings.zone:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(settings.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            refuse(
                f'`zone` is "{settings.zone}", which is not a time zone; write one like "Europe/Vienna"'
            )
    for name, facts in settings.models.items():
        if facts.window < 0 or facts.output < 0 or any(p < 0 for p in facts.price):
            refuse(f'`models."{name}"` holds a negative number')
        if facts.price and len(facts.price) != 2:
            refuse(f'`models."{name}".price` must be [input, output] in USD per million tokens')


def _patterns(patterns: tuple[str, ...], refuse: Callable[[str], None]) -> None:
    from lithify.store.names import pattern_problem

    if not patterns:
        refuse('`days.patterns` is empty; write at least one, like "memory/*.md"')
    if len(patterns) > PATTERNS:
        refuse(f"`days.patterns` holds more than {PATTERNS} patterns; use * or ** to join some")
    for pattern in patterns[:PATTERNS]:
        if problem := pattern_problem(pattern):
            refuse(f'`days.patterns`: "{pattern}" {problem}')


def _labels(labels: tuple[str, ...], refuse: Callable[[str], None]) -> None:
    """Labels that a line can begin with, each once and none that is built in."""
    seen = set(LABELS)
    for label in labels:
        if not label.strip() or not label.isprintable() or label != label.strip(" *_:："):
            refuse("`memories.labels`: a label is words on one line, without its colon or `*`")
        if label.casefold() in seen:
            refuse(f'`memories.labels` names "{label}" twice, or it is built in; take it out')
        seen.add(label.casefold())


def _gate(table: Mapping[str, Any], root: Gate, file: str) -> Gate:
    """The gate's rules with those of single jobs made whole, all of them possible to meet."""
    jobs: dict[str, Gate] = {}
    _possible(root, "gate", file)
    for name, own in table.get("jobs", {}).items():
        where = f"gate.jobs.{name}"
        if not is_job_name(name):
            reason = f"`{where}`: a job is called by small letters, digits and dashes"
            raise ConfigError(file=file, reason=reason)
        if "jobs" in own:
            raise ConfigError(file=file, reason=f"unknown key `{where}.jobs`; a job has no jobs")
        if "enabled" in own:
            reason = f"unknown key `{where}.enabled`; `gate.enabled` is for the whole root"
            raise ConfigError(file=file, reason=reason)
        values = _values(Gate, own, f"{where}.", file)
        if "preset" in own:
            # The root's own sections would hide the preset this job asks for.
            values.setdefault("sections", ())
        jobs[name] = root._replace(**values, jobs={})
        _possible(jobs[name], where, file)
    return root._replace(jobs=jobs) if jobs else root


def _possible(gate: Gate, where: str, file: str) -> None:
    """Refuses rules that no summary could meet, with the way out."""

    def refuse(reason: str) -> None:
        raise ConfigError(file=file, reason=reason)

    for key, least in {
        **dict.fromkeys(("threshold", "min_tokens", "max_tokens", "section_floor"), 1),
        "max_none": 0,
        "max_denials": 1,
        "rollup_every": 2,
    }.items():
        if getattr(gate, key) < least:
            refuse(f"`{where}.{key}` is {getattr(gate, key)}; it must be at least {least}")
    folded = [name.strip().casefold() for name in gate.sections]
    if not all(folded):
        refuse(f"`{where}.sections` has an empty name; give every section one, or leave it out")
    if any(not name.isprintable() or name != name.strip(" #*:") for name in gate.sections):
        refuse(f"`{where}.sections`: a name is one line without `#`, `*` or `:` at its ends")
    if len(set(folded)) != len(folded):
        refuse(f"`{where}.sections` names a section twice; take one of them out")
    number = len(gate.sections or GATE_PRESETS[gate.preset])
    if gate.section_floor * number > gate.min_tokens:
        refuse(
            f"`{where}.section_floor` {gate.section_floor} times {number} sections is "
            f"{gate.section_floor * number}, more than `min_tokens` {gate.min_tokens}; raise "
            f"`min_tokens` to {gate.section_floor * number} or lower `section_floor` to "
            f"{gate.min_tokens // number}"
        )
    if gate.min_tokens > gate.threshold:
        refuse(
            f"`{where}.min_tokens` {gate.min_tokens} is more than `threshold` {gate.threshold}: "
            "a summary would be longer than what it covers; raise `threshold` to "
            f"{gate.min_tokens} or more"
        )
    if gate.min_tokens >= gate.max_tokens:
        refuse(
            f"`{where}.min_tokens` {gate.min_tokens} must be below `max_tokens` "
            f"{gate.max_tokens}; raise `max_tokens`"
        )


# Sets a key of `lithify.toml` and leaves every other byte of the file as it is.


#: The line by which a new file shows the default.
_MODEL = re.compile(r'^# model = "[^"\r\n]*"', re.MULTILINE)
_HEADER = re.compile(r"^\ufeff?[ \t]*\[[ \t]*(?:gate|\"gate\"|'gate')[ \t]*\][^\n]*$", re.MULTILINE)
_DOTTED = re.compile(r"^\ufeff?[ \t]*gate[ \t]*\.", re.MULTILINE)
_KEY = re.compile(
    r"^(\ufeff?[ \t]*(?:gate[ \t]*\.[ \t]*)?(?:enabled|\"enabled\"|'enabled')[ \t]*=[ \t]*)\w+",
    re.MULTILINE,
)


def write_enabled(root: str, enabled: bool, *, write: bool = True) -> None:
    """Set `gate.enabled` in the file of a root, which is made where there is none.

    Without `write` it only makes sure that the file can be edited.
    """
    _write(root, lambda data: with_enabled(data, enabled), write)


def write_model(root: str, model: str) -> bool:
    """Set `model` in the file of a root, unless it has one; returns whether it was set."""
    return _write(root, lambda data: with_model(data, model))


def _write(root: str, edit: Callable[[bytes], bytes], write: bool = True) -> bool:
    path = os.path.realpath(os.path.join(root, NAME))
    with places.named(root):
        try:
            before = disk.read(path)
        except StorageError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
            before = b""
        after = edit(before)
        if write and after != before:
            aside = f"{path}.{os.getpid()}.tmp"
            disk.remove(aside)
            disk.write_new(aside, after)
            disk.replace(aside, path)
        return after != before


def with_enabled(data: bytes, enabled: bool) -> bytes:
    """The file with the gate's key set. Refused where it cannot be set by changing one line."""
    value = "true" if enabled else "false"
    text, table = _parsed(data)
    gate = table.get("gate", {})
    if isinstance(gate, dict) and gate.get("enabled") is enabled:
        return data
    wanted = {**table, "gate": {**gate, "enabled": enabled}} if isinstance(gate, dict) else None
    edited = _proven(_edits(text, f"enabled = {value}", value), wanted)
    if edited is None:
        raise ConfigError(
            file=NAME,
            reason="the gate's settings have a form that is not edited here; write "
            f"`enabled = {value}` among them yourself",
        )
    return edited


def with_model(data: bytes, model: str) -> bytes:
    """The file with `model` set where it has none."""
    text, table = _parsed(data)
    if "model" in table:
        return data
    line = f'model = "{model}"'
    end = "\r\n" if "\r\n" in text else "\n"
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    commented = (f"{text[: c.start()]}{line}{text[c.end() :]}" for c in _MODEL.finditer(text))
    first = f"{mark}{line}{end}{text.removeprefix(mark)}"
    edited = _proven([*commented, first], {**table, "model": model})
    return data if edited is None else edited


def _parsed(data: bytes) -> tuple[str, dict[str, Any]]:
    try:
        text = data.decode()
        return text, tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(file=NAME, reason=f"is not valid TOML: {error}") from None


def _proven(edits: Iterable[str], wanted: object) -> bytes | None:
    """The first edited text that says what is wanted; it is made without a parser."""
    for edited in edits:
        try:
            if tomllib.loads(edited.removeprefix("\ufeff")) == wanted:
                return edited.encode()
        except ValueError:
            continue
    return None


def _edits(text: str, line: str, value: str) -> Iterator[str]:
    """The text with the key set, in every place where it may belong."""
    end = "\r\n" if "\r\n" in text else "\n"
    for key in _KEY.finditer(text):
        yield f"{text[: key.end(1)]}{value}{text[key.end() :]}"
    for header in _HEADER.finditer(text):
        head, rest = text[: header.end()].rstrip("\r"), text[header.end() :].removeprefix("\n")
        yield f"{head}{end}{line}{end}{rest}"
    lead = "" if not text or text.endswith("\n") else end
    yield f"{text}{lead}{end if text.strip() else ''}[gate]{end}{line}{end}"
    for dotted in _DOTTED.finditer(text):
        yield f"{text[: dotted.start()]}gate.{line}{end}{text[dotted.start() :]}"
