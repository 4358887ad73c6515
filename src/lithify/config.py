"""`lithify.toml` read into frozen settings, or refused with the file, the key and the fix."""

from __future__ import annotations

import json
import os
import re
import tomllib
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

from lithify.errors import ConfigError, StorageError, UsageError
from lithify.limits import PATTERNS
from lithify.regex import regex
from lithify.sections import GATE_PRESETS
from lithify.settings import USUAL_FOLDERS, Gate, Redact, Settings, is_job_name
from lithify.store import disk, places

if typing.TYPE_CHECKING:
    from pathlib import Path

    from lithify.engines.model.prompt import Template

NAME = "lithify.toml"
#: A week of so many tokens may be told whole, so no ceiling of a page can be below it.
_LEAST_CEILING = 400
#: Tokens of sources below which a work order would show next to nothing.
_LEAST_ORDER = 1000
#: The least that numbers of a table can be.
_LEAST: Mapping[str, Mapping[str, int]] = {
    "weekly": {"min_dailies_for_weekly": 1},
    "monthly": {"min_weeklies_for_monthly": 1},
    "memories": {"max_per_week": 1},
    "agent": {"wait_days": 1},
    "wisdom": {"max_entries": 1, "stale_months": 1},
}
_LEAST_OF_GATE: Mapping[str, int] = {
    **dict.fromkeys(("threshold", "min_tokens", "max_tokens", "section_floor"), 1),
    "max_none": 0,
    "max_denials": 1,
    "rollup_every": 2,
}
#: The types of values in TOML by the types of our settings, and what a person calls them.
_TOML_TYPES: Mapping[Any, tuple[Any, str]] = {
    "table": (dict, "a table"),
    Mapping: (dict, "a table"),
    tuple: (list, "a list"),
    bool: (bool, "true or false"),
    int: (int, "a whole number"),
    float: (int | float, "a number"),
    str: (str, "text"),
}


def template(patterns: tuple[str, ...] = ()) -> str:
    """Return a new `lithify.toml`: `settings.toml` of this package, which holds all defaults as comments.

    The patterns of the root's days are put in, if it has its own.
    """
    from importlib.resources import files

    from lithify.store.days import setting

    defaults = (files("lithify") / "settings.toml").read_text("utf-8")
    if patterns in ((), Settings().days.patterns):
        return defaults
    default = '# [days]\n# patterns = ["memory/*.md"] '
    return defaults.replace(default, f"[days]\n{setting(patterns)} ")


def load(root: str | os.PathLike[str]) -> Settings:
    """Return the settings of a root; the defaults where it has no file."""
    data = _bytes(os.path.join(root, NAME), NAME)
    return Settings() if data is None else read(data)


def _bytes(path: str, file: str) -> bytes | None:
    """Read a file that may be missing."""
    try:
        return disk.read(path)
    except StorageError as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise ConfigError(file=file, reason=f"cannot be read: {error.facts['reason']}") from None


def read(data: bytes) -> Settings:
    """Return the settings that the bytes of a file say."""
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        _refuse(f"is not UTF-8 (byte {error.start})")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        _refuse(f"is not valid TOML: {error}")
    settings = Settings(**_values(Settings, table, ""))
    if "gate" in table:
        settings = settings._replace(gate=_gate(table["gate"], settings.gate))
    for problem in _problems(settings):
        _refuse(problem)
    return settings


def personal_in(data: bytes, file: str) -> str:
    """Return the folder of a person's own memory that their settings name, or ""."""
    try:
        found = tomllib.loads(data.decode("utf-8")).get("personal", "")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(file=file, reason=str(error)) from error
    if not isinstance(found, str):
        raise ConfigError(file=file, reason='`personal` is a folder, such as "~/memory"')
    return found


def _refuse(reason: str) -> NoReturn:
    raise ConfigError(file=NAME, reason=reason) from None


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


def _values(kind: Any, table: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Read the values of a table, each of the type that its field of `kind` has."""
    hints = typing.get_type_hints(kind)
    if kind is Redact:
        del hints["key"]
    values: dict[str, Any] = {}
    for key, value in table.items():
        where = f"{prefix}{key}"
        if key not in hints:
            import difflib

            near = difflib.get_close_matches(key, hints, n=1, cutoff=0.5)
            known = f"known here: {', '.join(hints)}"
            hint = f"did you mean `{prefix}{near[0]}`?" if near else known
            _refuse(f"unknown key `{where}`; {hint}")
        values[key] = _value(hints[key], value, where)
    return values


def _value(hint: Any, value: Any, where: str) -> Any:
    """Read one value of the type that is asked for, or refuse it."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is types.UnionType:
        # A setting that may be left out; where it is given it has the type before `| None`.
        return _value(arguments[0], value, where)
    if origin is typing.Literal:
        known = ", ".join(f'"{one}"' for one in arguments)
        fits, expected = value in arguments, f"one of {known}"
    else:
        kind, expected = _TOML_TYPES["table" if hasattr(hint, "_fields") else origin or hint]
        fits = isinstance(value, kind) and (hint is bool or not isinstance(value, bool))
    if not fits:
        shown = "a table" if isinstance(value, dict) else repr(value)[:60]
        _refuse(f"`{where}` must be {expected}, not {shown}")
    if hasattr(hint, "_fields"):
        return hint(**_values(hint, value, f"{where}."))
    if origin is Mapping:
        return {name: _value(arguments[1], one, f'{where}."{name}"') for name, one in value.items()}
    if origin is tuple:
        return tuple(_value(arguments[0], item, where) for item in value)
    return float(value) if hint is float else value


def _problems(settings: Settings) -> Iterator[str]:
    """Find values that are each of the right type but make no sense; say the way out."""
    yield from _gate_problems(settings.gate, "gate")
    for name, rules in settings.gate.jobs.items():
        yield from _gate_problems(rules, f"gate.jobs.{name}")
    if not 0.10 <= settings.compression <= 0.45:
        yield f"`compression` is {settings.compression}; it must be between 0.10 and 0.45"
    for table, least in _LEAST.items():
        yield from _too_small(getattr(settings, table), table, least)
    for key, tier in (("weekly", settings.weekly), ("monthly", settings.monthly)):
        if tier.max_tokens < _LEAST_CEILING:
            default = type(tier)().max_tokens
            yield (
                f"`{key}.max_tokens` is {tier.max_tokens}, too little for a page; write "
                f"{_LEAST_CEILING} or more, or take the line out for the default of {default}"
            )
    if settings.agent.order_tokens < _LEAST_ORDER:
        yield f"`agent.order_tokens` must be at least {_LEAST_ORDER:,}, or no page fits an order"
    if settings.weekly.min_dailies_for_weekly > 7:
        yield "`weekly.min_dailies_for_weekly` is more than the 7 days of a week"
    if settings.monthly.min_weeklies_for_monthly > 5:
        yield "`monthly.min_weeklies_for_monthly` is more than the 5 weeks a month can have"
    if not 0 <= settings.verify.max_repairs <= 5:
        yield f"`verify.max_repairs` is {settings.verify.max_repairs}; it must be 0 to 5"
    if settings.verify.reader in ("offline", ""):
        yield '`verify.reader` must be "same", "agent", "off" or a model'
    for key, folder in (("weekly", settings.weekly.folder), ("monthly", settings.monthly.folder)):
        if problem := folder_problem(folder):
            yield f'`{key}.folder`: "{folder}" {problem}'
    yield from _pattern_problems(*settings.folders)
    if not settings.agent_name.strip() or "\n" in settings.agent_name:
        yield "`agent_name` must be one line of text"
    if any(not name.strip() or "\n" in name for name in settings.wisdom.categories):
        yield "`wisdom.categories` has an empty name"
    if len(set(settings.wisdom.categories)) != len(settings.wisdom.categories):
        yield "`wisdom.categories` names a category twice"
    yield from _label_problems(settings.memories.labels)
    if settings.zone:
        from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

        try:
            ZoneInfo(settings.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            yield f'`zone` is "{settings.zone}", which is not a time zone; write one like "Europe/Vienna"'
    for name, facts in settings.models.items():
        if facts.window < 0 or facts.output < 0 or any(p < 0 for p in facts.price):
            yield f'`models."{name}"` holds a negative number'
        if facts.price and len(facts.price) != 2:
            yield f'`models."{name}".price` must be [input, output] in USD per million tokens'


def _too_small(section: object, where: str, least: Mapping[str, int]) -> Iterator[str]:
    for key, number in least.items():
        if getattr(section, key) < number:
            yield f"`{where}.{key}` is {getattr(section, key)}; it must be at least {number}"


def _pattern_problems(patterns: tuple[str, ...], *pages: str) -> Iterator[str]:
    from lithify.store.names import pattern_problem

    if not patterns:
        yield '`days.patterns` is empty; write at least one, like "memory/*.md"'
    if len(patterns) > PATTERNS:
        yield f"`days.patterns` holds more than {PATTERNS} patterns; use * or ** to join some"
    for pattern in patterns:
        if problem := pattern_problem(pattern, pages or USUAL_FOLDERS[1:]):
            yield f'`days.patterns`: "{pattern}" {problem}'


def folder_problem(folder: str) -> str:
    """Say what is wrong with a folder for pages; empty if nothing is."""
    from lithify.store import names

    return names.folder_problem(folder)


def check_patterns(patterns: tuple[str, ...]) -> None:
    """Refuse patterns for days that a call names, before they are written into a file."""
    for problem in _pattern_problems(patterns):
        raise UsageError(reason=problem)


def _label_problems(labels: tuple[str, ...]) -> Iterator[str]:
    """Find labels that no line can begin with, or that are named twice; one that is built in is no fault."""
    seen = set[str]()
    for label in labels:
        if not label.strip() or not label.isprintable() or label != label.strip(" *_:："):
            yield "`memories.labels`: a label is words on one line, without its colon or `*`"
        if label.casefold() in seen:
            yield f'`memories.labels` names "{label}" twice; take one out'
        seen.add(label.casefold())


def _gate(table: Mapping[str, Any], root: Gate) -> Gate:
    """Complete the gate's rules for single jobs with those of the root."""
    jobs: dict[str, Gate] = {}
    for name, own in table.get("jobs", {}).items():
        where = f"gate.jobs.{name}"
        if not is_job_name(name):
            _refuse(f"`{where}`: a job is called by small letters, digits and dashes")
        if "jobs" in own:
            _refuse(f"unknown key `{where}.jobs`; a job has no jobs")
        if "enabled" in own:
            _refuse(f"unknown key `{where}.enabled`; `gate.enabled` is for the whole root")
        values = _values(Gate, own, f"{where}.")
        if "preset" in own:
            # The root's own sections would hide the preset this job asks for.
            values.setdefault("sections", ())
        jobs[name] = root._replace(**values, jobs={})
    return root._replace(jobs=jobs)


def _gate_problems(gate: Gate, where: str) -> Iterator[str]:
    """Find rules that no summary could meet; say the way out."""
    yield from _too_small(gate, where, _LEAST_OF_GATE)
    folded = [name.strip().casefold() for name in gate.sections]
    if not all(folded):
        yield f"`{where}.sections` has an empty name; give every section one, or leave it out"
    if any(not name.isprintable() or name != name.strip(" #*:") for name in gate.sections):
        yield f"`{where}.sections`: a name is one line without `#`, `*` or `:` at its ends"
    if len(set(folded)) != len(folded):
        yield f"`{where}.sections` names a section twice; take one of them out"
    number = len(gate.sections or GATE_PRESETS[gate.preset])
    if gate.section_floor * number > gate.min_tokens:
        yield (
            f"`{where}.section_floor` {gate.section_floor} times {number} sections is "
            f"{gate.section_floor * number}, more than `min_tokens` {gate.min_tokens}; raise "
            f"`min_tokens` to {gate.section_floor * number} or lower `section_floor` to "
            f"{gate.min_tokens // number}"
        )
    if gate.min_tokens > gate.threshold:
        yield (
            f"`{where}.min_tokens` {gate.min_tokens} is more than `threshold` {gate.threshold}: "
            "a summary would be longer than what it covers; raise `threshold` to "
            f"{gate.min_tokens} or more"
        )
    if gate.min_tokens >= gate.max_tokens:
        yield (
            f"`{where}.min_tokens` {gate.min_tokens} must be below `max_tokens` "
            f"{gate.max_tokens}; raise `max_tokens`"
        )


# Setting a key of `lithify.toml`, every other byte of which stays as it is

#: The line by which a new file shows the default.
_MODEL = regex(r'^# model = "[^"\r\n]*"', re.MULTILINE)
_VALUE = r"""(?:\w+|"[^"\n]*"|'[^'\n]*'|\[(?:[^]"']|"[^"\n]*"|'[^'\n]*')*\])"""


def write_enabled(root: str, enabled: bool, *, write: bool = True) -> None:
    """Set `gate.enabled` in the file of a root, which is made where there is none.

    Without `write` it only makes sure that the file can be edited.
    """
    _write(root, lambda data: with_enabled(data, enabled), write)


def write_patterns(root: str, patterns: tuple[str, ...]) -> None:
    """Set `days.patterns` in the file of a root."""
    _write(root, lambda data: with_value(data, "days", "patterns", list(patterns)))


def page_folder(folder: str) -> str:
    """Return a folder for pages that a person names, or refuse it."""
    if problem := folder_problem(folder):
        raise UsageError(reason=f"{folder!r} {problem}")
    return folder


def write_folder(root: str, table: str, folder: str) -> None:
    """Set `weekly.folder` or `monthly.folder` in the file of a root."""
    _write(root, lambda data: with_value(data, table, "folder", folder))


def write_model(root: str, model: str) -> None:
    """Set `model` in the file of a root, unless it has one."""
    _write(root, lambda data: with_model(data, model))


def _write(root: str, edit: Callable[[bytes], bytes], write: bool = True) -> None:
    path = os.path.realpath(os.path.join(root, NAME))
    with places.named(root):
        before = disk.bytes_at(path) or b""
        after = edit(before)
        if write and after != before:
            aside = f"{path}.{os.getpid()}.tmp"
            disk.remove(aside)
            disk.write_new(aside, after)
            disk.replace(aside, path)


def with_enabled(data: bytes, enabled: bool) -> bytes:
    """Set the gate's key in a file. Refused where it cannot be set by changing one line."""
    return with_value(data, "gate", "enabled", enabled)


def with_value(data: bytes, table: str, key: str, value: bool | str | list[str]) -> bytes:
    """Set a key of a table in a file. Refused where it cannot be set by changing one line."""
    shown = json.dumps(value, ensure_ascii=False)
    text, whole = _parsed(data)
    before = whole.get(table, {})
    if isinstance(before, dict):
        if before.get(key) == value:
            return data
        wanted = {**whole, table: {**before, key: value}}
        for edited in _edits(text, table, key, shown):
            if _says(edited, wanted):
                return edited.encode()
    settings = "the gate's settings have" if table == "gate" else f"the settings of [{table}] have"
    _refuse(
        f"{settings} a form that is not edited here; write `{key} = {shown}` among them yourself"
    )


def _edits(text: str, table: str, key: str, value: str) -> Iterator[str]:
    """Set a key in every place where it may belong; one text for each."""
    end, line = _line_end(text), f"{key} = {value}"
    start, name = r"^\ufeff?[ \t]*", rf"(?:{table}|\"{table}\"|'{table}')"
    lead = rf"{start}(?:{table}[ \t]*\.[ \t]*)?(?:{key}|\"{key}\"|'{key}')[ \t]*=[ \t]*"
    for found in re.finditer(rf"({lead}){_VALUE}", text, re.MULTILINE):
        yield f"{text[: found.end(1)]}{value}{text[found.end() :]}"
    # A new file shows the default in a comment.
    for found in re.finditer(rf"^# \[{table}\]", text, re.MULTILINE):
        yield f"{text[: found.start()]}[{table}]{end}{line}{end}#{text[found.end() :]}"
    for found in re.finditer(rf"{start}\[[ \t]*{name}[ \t]*\][^\n]*$", text, re.MULTILINE):
        head, rest = text[: found.end()].rstrip("\r"), text[found.end() :].removeprefix("\n")
        yield f"{head}{end}{line}{end}{rest}"
    last = "" if not text or text.endswith("\n") else end
    yield f"{text}{last}{end if text.strip() else ''}[{table}]{end}{line}{end}"
    for found in re.finditer(rf"{start}{table}[ \t]*\.", text, re.MULTILINE):
        yield f"{text[: found.start()]}{table}.{line}{end}{text[found.start() :]}"


def with_model(data: bytes, model: str) -> bytes:
    """Set `model` in a file that has none."""
    text, table = _parsed(data)
    if "model" in table:
        return data
    line = f'model = "{model}"'
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    first = f"{mark}{line}{_line_end(text)}{text.removeprefix(mark)}"
    edits = (*(f"{text[: c.start()]}{line}{text[c.end() :]}" for c in _MODEL.finditer(text)), first)
    wanted = {**table, "model": model}
    return next((edited.encode() for edited in edits if _says(edited, wanted)), data)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _parsed(data: bytes) -> tuple[str, dict[str, Any]]:
    try:
        text = data.decode()
        return text, tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:
        _refuse(f"is not valid TOML: {error}")


def _says(text: str, wanted: object) -> bool:
    """Whether an edited text says what is wanted: it was made without a parser."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff")) == wanted
    except ValueError:
        return False
