"""Which roots a fleet has: given one by one, or by a TOML file with tenants, limits and a schedule."""

from __future__ import annotations

import glob
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lithify.errors import ConfigError
from lithify.fleet.objects import OBJECTS, prefixes_under

DEFAULT_TENANT = "default"
DEFAULT_PRIORITY = 5


@dataclass(frozen=True, slots=True)
class FleetRoot:
    """One root: where it is, whose it is, and how urgent (1 is first, 9 is last)."""

    url: str
    tenant: str = DEFAULT_TENANT
    priority: int = DEFAULT_PRIORITY


@dataclass(frozen=True, slots=True)
class ProviderLimit:
    """What all workers together may ask of one provider."""

    at_once: int | None = None
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How the roots of a run are compacted; None leaves it to each root's own settings."""

    model: str | None = None
    reader: str | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    fallback: bool = False
    retry: bool = False
    include_current: bool = False


@dataclass(frozen=True, slots=True)
class Registry:
    """The roots of a fleet with everything that holds for them."""

    roots: tuple[FleetRoot, ...] = ()
    options: RunOptions = RunOptions()
    limits: Mapping[str, ProviderLimit] = field(default_factory=dict)
    #: The most that a run may cost for a tenant, in USD.
    tenant_costs: Mapping[str, float] = field(default_factory=dict)
    #: When workers start a run by themselves, as a cron expression.
    schedule: str = ""
    path: str = ""


def registry_of(urls: Iterable[str], options: RunOptions) -> Registry:
    """Return a registry of roots that are named one by one."""
    roots = (FleetRoot(url) for given in urls for url in expanded(given, os.getcwd()))
    return Registry(tuple(dict.fromkeys(roots)), options)


def read_registry(path: str) -> Registry:
    """Return the registry that a TOML file describes."""
    try:
        told = tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(file=path, reason=str(error)) from None
    reader = _Reader(path)
    reader.known(told, {"run", "limits", "tenants"}, "the top level")
    run = reader.table(told, "run")
    reader.known(run, {*RunOptions.__dataclass_fields__, "schedule"}, "[run]")
    limits = {name: reader.limit(name, one) for name, one in reader.table(told, "limits").items()}
    roots: list[FleetRoot] = []
    costs: dict[str, float] = {}
    for name, tenant in reader.table(told, "tenants").items():
        reader.known(tenant, {"roots", "max_cost", "priority"}, f"[tenants.{name}]")
        priority = reader.number(tenant.get("priority", DEFAULT_PRIORITY), 1, 9, "priority")
        if "max_cost" in tenant:
            costs[name] = float(tenant["max_cost"])
        beside = os.path.dirname(os.path.abspath(path))
        for given in tenant.get("roots", ()):
            roots += [FleetRoot(url, name, priority) for url in expanded(given, beside)]
    schedule = str(run.pop("schedule", ""))
    distinct = tuple(dict.fromkeys(roots))
    return Registry(distinct, RunOptions(**run), limits, costs, schedule, os.path.abspath(path))


def expanded(given: str, beside: str) -> list[str]:
    """Return the URLs that an address stands for: itself, or with `*` all that match.

    A relative path is looked for in the folder `beside`.
    """
    if given.startswith(OBJECTS):
        if not given.endswith("/*"):
            return [given.rstrip("/")]
        return prefixes_under(given[:-2])
    path = os.path.join(beside, given.removeprefix("file://"))
    if "*" not in path:
        return [f"file://{os.path.normpath(path)}"]
    found = sorted(glob.glob(path))
    return [f"file://{one}" for one in found if os.path.isdir(os.path.join(one, "memory"))]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads parts of the file; errors name the file."""

    path: str

    def fail(self, reason: str) -> ConfigError:
        return ConfigError(file=self.path, reason=reason)

    def table(self, told: Mapping[str, Any], name: str) -> dict[str, Any]:
        found = told.get(name, {})
        if not isinstance(found, dict):
            raise self.fail(f"[{name}] must be a table")
        return found

    def known(self, told: object, names: set[str], where: str) -> None:
        if not isinstance(told, dict):
            raise self.fail(f"{where} must be a table")
        if unknown := sorted(told.keys() - names):
            raise self.fail(f"{where} has no {unknown[0]!r}; it has {', '.join(sorted(names))}")

    def number(self, value: object, least: int, most: int, name: str) -> int:
        if not isinstance(value, int) or not least <= value <= most:
            raise self.fail(f"{name} must be a whole number from {least} to {most}")
        return value

    def limit(self, provider: str, told: Mapping[str, Any]) -> ProviderLimit:
        self.known(told, set(ProviderLimit.__dataclass_fields__), f"[limits.{provider}]")
        return ProviderLimit(**{key: self.number(told[key], 1, 10**12, key) for key in told})
