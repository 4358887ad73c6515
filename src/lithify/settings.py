"""The settings of a root, as frozen values with their defaults. `config` reads them.

Named tuples, because every start of the command pays for the classes made here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from lithify.regex import regex


class Days(NamedTuple):
    """Where the days of a root are; patterns are relative to the root."""

    patterns: tuple[str, ...] = ("memory/*.md",)


class Folders(NamedTuple):
    """Where the files of a root are: patterns of its days, and the folders of weeks and months."""

    patterns: tuple[str, ...] = Days().patterns
    weekly: str = "memory/weekly"
    monthly: str = "memory/monthly"


USUAL_FOLDERS = Folders()


class Weekly(NamedTuple):
    style: Literal["separate", "combined"] = "separate"
    max_tokens: int = 4000
    folder: str = "memory/weekly"
    min_dailies_for_weekly: int = 1


class Monthly(NamedTuple):
    max_tokens: int = 3000
    folder: str = "memory/monthly"
    min_weeklies_for_monthly: int = 1


class MemoriesSettings(NamedTuple):
    """`labels` mark a day's line as a memory, beside the ones that are built in.

    `confirm` says whose memories wait for a person: nobody's, an agent's, or those of writers too.
    """

    max_per_week: int = 8
    labels: tuple[str, ...] = ()
    confirm: Literal["off", "agent", "all"] = "off"


class Agent(NamedTuple):
    """How the agent at work writes pages, where `model` is "agent"."""

    wait_days: int = 7
    order_tokens: int = 12_000
    orders_per_week: int = 2


class WisdomSettings(NamedTuple):
    max_entries: int = 20
    categories: tuple[str, ...] = ()
    review: Literal["auto", "always"] = "auto"
    stale_months: int = 3


class Verify(NamedTuple):
    """`reader` says who reads what was written: "same", a model, "agent" or "off"."""

    max_repairs: int = 2
    reader: str = "same"


_JOB_NAME = regex(r"[a-z0-9][a-z0-9-]{0,63}")
#: Names that the gate's own folders have.
_RESERVED = frozenset({"closed", "sessions"})


def is_job_name(name: str) -> bool:
    """Whether a job can have this name."""
    return _JOB_NAME.fullmatch(name) is not None and name not in _RESERVED


class Gate(NamedTuple):
    """When a live job must be summarised, and what such a summary has to be.

    `enabled` is None where the file does not say it; `gate.files.GateSettings` decides then. `jobs` holds the rules of single jobs, whole: what their tables leave out is the root's.
    """

    enabled: bool | None = None
    threshold: int = 500
    min_tokens: int = 200
    max_tokens: int = 1000
    section_floor: int = 40
    max_none: int = 2
    max_denials: int = 8
    on_stuck: Literal["hold", "pass"] = "hold"
    sections: tuple[str, ...] = ()
    preset: Literal["default", "research", "consulting", "legal", "support", "governance"] = (
        "default"
    )
    shape: Literal["chain", "hierarchical", "topics"] = "chain"
    rollup_every: int = 5
    jobs: Mapping[str, Gate] = MappingProxyType({})


class Trust(NamedTuple):
    files: bool = True
    taint: tuple[str, ...] = ("web", "mcp")


class RecallSettings(NamedTuple):
    #: With `auto` vectors are made and used wherever their extra is installed.
    vectors: Literal["auto", "off"] = "auto"


class Redact(NamedTuple):
    enabled: bool = True
    allow: tuple[str, ...] = ()
    #: Gives the key of the root's marks; not a setting of the file.
    key: Callable[[], bytes] | None = None


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
    days: Days = Days()
    weekly: Weekly = Weekly()
    monthly: Monthly = Monthly()
    memories: MemoriesSettings = MemoriesSettings()
    agent: Agent = Agent()
    wisdom: WisdomSettings = WisdomSettings()
    verify: Verify = Verify()
    gate: Gate = Gate()
    trust: Trust = Trust()
    recall: RecallSettings = RecallSettings()
    redact: Redact = Redact()
    models: Mapping[str, ModelFacts] = MappingProxyType({})

    @property
    def folders(self) -> Folders:
        return Folders(self.days.patterns, self.weekly.folder, self.monthly.folder)
