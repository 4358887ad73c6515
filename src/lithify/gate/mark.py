"""The mark of a closed gate: all that is needed to deny a call, worked out when it closes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lithify.gate import texts
from lithify.gate.decide import Demand

if TYPE_CHECKING:
    from lithify.settings import Gate


def mark(
    job: str,
    demand: Demand,
    rules: Gate,
    *,
    program: Sequence[str],
    root: str,
    sizes: Sequence[int],
    toml: Sequence[int],
    denials: str,
    served: bool,
) -> dict[str, Any]:
    """The mark's facts; `sizes` and `toml` tell whether they still hold."""
    return {
        "job": job,
        "demand": list(demand),
        "rules": [rules.max_denials, rules.on_stuck],
        "sizes": list(sizes),
        "toml": list(toml),
        "forms": forms(program, job, root),
        "denials": denials,
        "texts": {
            "denial": texts.denial(
                *(job, demand, rules, texts.submit_command(program, job, root)), served=served
            ),
            "subagent": texts.for_subagent(job, demand),
            "stuck": texts.for_person(job, texts.open_command(program, job, root)),
            "passing": texts.passing(job, demand),
        },
    }


def forms(program: Sequence[str], job: str, root: str) -> list[str]:
    """The exact commands that hand in a summary of this job."""
    return [texts.short_command(job), texts.submit_command(program, job, root)]
