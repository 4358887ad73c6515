"""The results as a table, and its place in live/README.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BEGIN = "<!-- live: written by `python -m live --write-docs` -->"
END = "<!-- live: end -->"
_SIGNS = {"passed": "yes", "failed": "**no**", "skipped": "–"}


@dataclass(frozen=True)
class Result:
    """One point with one client: `passed`, `failed` or `skipped`, and what was seen."""

    client: str
    point: str
    state: str
    seen: str = ""


def as_markdown(
    results: Sequence[Result], titles: Mapping[str, str], points: Mapping[str, str], network: str
) -> str:
    """A row for each point, a column for each client, and a list of what is not `yes`."""
    found = {(one.client, one.point): one for one in results}
    names = [name for name in titles if any(one.client == name for one in results)]
    rows = [f"| | {' | '.join(titles[name] for name in names)} |", "|---" * (len(names) + 1) + "|"]
    for point, words in points.items():
        if any(one.point == point for one in results):
            cells = [
                _SIGNS[found[name, point].state] if (name, point) in found else "" for name in names
            ]
            rows.append(f"| {words} | {' | '.join(cells)} |")
    notes = [
        f"- {titles[one.client]}, {points[one.point].lower()}: {one.state}; {_one_line(one.seen)}"
        for one in results
        if one.state != "passed"
    ]
    return "\n".join([f"Network: {network}.", "", *rows, *([""] if notes else []), *notes]) + "\n"


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "/").replace("<", "&lt;")


def write_docs(path: Path, table: str) -> None:
    """Put the table between its markers."""
    text = path.read_text("utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{path}: the markers {BEGIN!r} and {END!r} are not there")
    path.write_text(f"{before}{BEGIN}\n{table}{END}{after}", "utf-8")
