"""Good pages in four languages: the entries that a writer was shown, and the bullets it made of them.

Each stands twice: as an agent wrote it, and as the offline engine writes it of the same entries.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import NamedTuple

from lithify.engines.offline import Offline
from lithify.sections import WEEK
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Entry
from lithify.verify import ShownEntries

FILES = Path(__file__).resolve().parent / "fixtures" / "pages"


class Page(NamedTuple):
    """A page with what its writer was shown."""

    name: str
    language: str
    claims: tuple[Claim, ...]
    shown: ShownEntries


def _page(data: dict[str, object]) -> Page:
    entries: list[Entry] = []
    ids: dict[str, str] = {}
    rows: list[dict[str, object]] = data["entries"]  # type: ignore[assignment]
    for n, row in enumerate(rows):
        label, day = str(row["label"]), date.fromisoformat(str(row["day"]))
        ids[label] = f"{day}~{n:012x}"
        headings = tuple(str(one) for one in row["headings"])  # type: ignore[attr-defined]
        lead = str(row.get("lead", ""))
        entries.append(Entry(ids[label], str(row["text"]), headings, lead, line=n, day=day))
    claims = tuple(
        Claim(one["text"], tuple(ids[label] for label in one["labels"]))
        for one in data["claims"]  # type: ignore[attr-defined]
    )
    return Page(str(data["name"]), str(data["language"]), claims, ShownEntries.of(entries))


def _offline(page: Page) -> Page:
    """Return the page that the offline engine writes of the same entries."""
    entries = tuple(page.shown.entries.values())
    size = sum(estimate(entry.text) for entry in entries)
    brief = Brief("week", "2026-W14", WEEK, entries, target=size, ceiling=4000, size=size)
    return page._replace(name=f"{page.name}, offline", claims=Offline().draft(brief).claims)


#: Every page of every file of `fixtures/pages`, by an agent.
WRITTEN = tuple(
    _page(data)
    for file in sorted(FILES.glob("*.json"))
    for data in json.loads(file.read_text("utf-8"))
)
#: All of them, and what the offline engine makes of the same entries.
PAGES = (*WRITTEN, *map(_offline, WRITTEN))
