"""The settings the gate needs, in a form that is read without TOML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from lithify.settings import Days, Gate, Settings

FORMAT = 2


class Compiled(NamedTuple):
    """What of `lithify.toml` matters to the gate; `problem` when the file is refused now."""

    gate: Gate = Gate()
    zone: str = ""
    redact: bool = True
    allow: tuple[str, ...] = ()
    taint: tuple[str, ...] = ("web", "mcp")
    days: tuple[str, ...] = Days().patterns
    problem: str = ""

    def rules(self, job: str) -> Gate:
        """The rules of one job."""
        return self.gate.jobs.get(job, self.gate)


def compile_settings(settings: Settings) -> Compiled:
    """The gate's part of the settings."""
    return Compiled(
        *(settings.gate, settings.zone, settings.redact.enabled, settings.redact.allow),
        settings.trust.taint,
        settings.days.patterns,
    )


def to_json(compiled: Compiled, digest: str) -> dict[str, Any]:
    """The file that holds them, with the digest of the TOML they come from."""
    gate = compiled.gate
    return {
        "format": FORMAT,
        "digest": digest,
        "gate": {**gate._asdict(), "jobs": {}},
        "jobs": {name: {**rules._asdict(), "jobs": {}} for name, rules in gate.jobs.items()},
        "zone": compiled.zone,
        "redact": compiled.redact,
        "allow": list(compiled.allow),
        "taint": list(compiled.taint),
        "days": list(compiled.days),
    }


def from_json(data: Mapping[str, Any]) -> Compiled | None:
    """The settings a file holds; None where it is of another version or not whole."""
    try:
        if data["format"] != FORMAT:
            return None
        jobs = {name: _rules(rules) for name, rules in data["jobs"].items()}
        gate = _rules(data["gate"])._replace(jobs=jobs)
        lists = (tuple(data["allow"]), tuple(data["taint"]), tuple(data["days"]))
        return Compiled(gate, data["zone"], data["redact"], *lists)
    except (KeyError, TypeError, AttributeError):
        return None


def _rules(data: Mapping[str, Any]) -> Gate:
    return Gate(**{**data, "sections": tuple(data["sections"]), "jobs": {}})
