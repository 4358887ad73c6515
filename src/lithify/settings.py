"""The settings of a root, as frozen values with their defaults. `config` reads them.

Named tuples, because every start of the command pays for the classes made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple


class Weekly(NamedTuple):
    style: Literal["separate", "combined"] = "separate"
    min_dailies_for_weekly: int = 1


class Monthly(NamedTuple):
    min_weeklies_for_monthly: int = 1


class Wisdom(NamedTuple):
    max_entries: int = 20
    categories: tuple[str, ...] = ()
    review: Literal["auto", "always"] = "auto"
    stale_months: int = 3


class Verify(NamedTuple):
    max_repairs: int = 2


class Trust(NamedTuple):
    files: bool = True
    taint: tuple[str, ...] = ("web", "mcp")


class Redact(NamedTuple):
    enabled: bool = True
    allow: tuple[str, ...] = ()


class ModelFacts(NamedTuple):
    """What a person told us of a model that the program does not know."""

    window: int = 0
    output: int = 0
    price: tuple[float, ...] = ()


class Settings(NamedTuple):
    """All of `lithify.toml`; what the file leaves out has these defaults."""

    agent_name: str = "Agent"
    zone: str = ""
    model: str = "offline"
    compression: float = 0.30
    weekly: Weekly = Weekly()
    monthly: Monthly = Monthly()
    wisdom: Wisdom = Wisdom()
    verify: Verify = Verify()
    trust: Trust = Trust()
    redact: Redact = Redact()
    models: Mapping[str, ModelFacts] = MappingProxyType({})
