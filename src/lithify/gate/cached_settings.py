"""The gate's part of `lithify.toml`, cached as JSON so that a hook need not load a TOML parser."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from lithify.errors import LithifyError, StorageError
from lithify.gate import files
from lithify.settings import Days, Gate, Settings
from lithify.store import disk

FORMAT = 4


class GateSettings(NamedTuple):
    """The settings the gate needs; `problem` says why the file as it is now was refused.

    `on` says whether the gate may close: not where `gate.enabled` is missing.
    """

    gate: Gate = Gate()
    zone: str = ""
    redact: bool = True
    allow: tuple[str, ...] = ()
    taint: tuple[str, ...] = ("web", "mcp")
    days: tuple[str, ...] = Days().patterns
    problem: str = ""

    @property
    def on(self) -> bool:
        return bool(self.gate.enabled)

    def rules(self, job: str) -> Gate:
        """The rules of one job."""
        return self.gate.jobs.get(job, self.gate)


def in_force(root: str) -> GateSettings:
    """The settings of a root. If the file is refused, those read before it stay in force."""
    saved = files.read_json(files.settings_path(root)) or {}
    known = from_json(saved)
    try:
        data = disk.read(os.path.join(root, "lithify.toml"))
    except StorageError as error:
        if not isinstance(error.__cause__, FileNotFoundError):
            problem = f"lithify.toml: cannot be read: {error.facts['reason']}"
            return (known or GateSettings())._replace(problem=problem)
        data = b""
    digest = sha256(data).hexdigest()
    if known is not None and saved.get("digest") == digest:
        return known
    from lithify import config

    try:
        fresh = gate_settings(config.read(data))
    except LithifyError as error:
        return (known or GateSettings())._replace(problem=error.message)
    # Without the cache the next call reads the TOML again; it must not keep a gate from opening.
    with contextlib.suppress(LithifyError), files.writing(root):
        files.put_json(files.settings_path(root), to_json(fresh, digest))
    return fresh


def gate_settings(settings: Settings) -> GateSettings:
    """Take the gate's part of the settings of a root."""
    return GateSettings(
        gate=settings.gate,
        zone=settings.zone,
        redact=settings.redact.enabled,
        allow=settings.redact.allow,
        taint=settings.trust.taint,
        days=settings.days.patterns,
    )


def to_json(settings: GateSettings, digest: str) -> dict[str, Any]:
    """What the cache holds; `digest` is that of the TOML the settings were read from."""
    gate = settings.gate
    return {
        "format": FORMAT,
        "digest": digest,
        "gate": {**gate._asdict(), "jobs": {}},
        "jobs": {name: {**rules._asdict(), "jobs": {}} for name, rules in gate.jobs.items()},
        "zone": settings.zone,
        "redact": settings.redact,
        "allow": list(settings.allow),
        "taint": list(settings.taint),
        "days": list(settings.days),
    }


def from_json(data: Mapping[str, Any]) -> GateSettings | None:
    """The settings in the cache; None where it has another format or is incomplete."""
    try:
        if data["format"] != FORMAT:
            return None
        jobs = {name: _rules(rules) for name, rules in data["jobs"].items()}
        gate = _rules(data["gate"])._replace(jobs=jobs)
        lists = (tuple(data["allow"]), tuple(data["taint"]), tuple(data["days"]))
        return GateSettings(gate, data["zone"], data["redact"], *lists)
    except (KeyError, TypeError, AttributeError):
        return None


def _rules(data: Mapping[str, Any]) -> Gate:
    return Gate(**{**data, "sections": tuple(data["sections"]), "jobs": {}})
