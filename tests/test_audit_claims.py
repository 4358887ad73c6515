"""How much of what a second reader marks reaches a page: claims of which it is known which are true."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import roots
from lithify.bench.verifier import sets
from lithify.calendar import week_of
from lithify.compact.brief import briefs_of
from lithify.engines.base import Scripted
from lithify.memory import CompactOptions, Memory
from lithify.sections import BY_KEY, WEEK
from test_audit import claims_in, page, reader


def week_replies(memory: Memory, week: str, rows: list[dict[str, Any]]) -> str:
    """A reply of the week's writer that holds these claims."""
    task = roots.task(memory, f"week:{week}", include_current=True)
    assert task
    brief = briefs_of(memory.snapshot(), task)[0]
    labels = {id: label for label, ids in brief.labels.items() for id in ids}
    lines = []
    for section in WEEK:
        lines.append(f"### {section}")
        for row in rows:
            if BY_KEY[row["section"]] == section:
                cited = "".join(f"[{labels[id]}]" for id in row["cites"])
                lines.append(f"- {row['text']} {cited}")
    return "\n".join(lines)


def weeks_of(folder: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for line in (folder / "claims.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        weeks = {week_of(date.fromisoformat(id[:10])) for id in row["cites"]}
        if len(weeks) == 1 and BY_KEY[row["section"]] in WEEK:
            found.setdefault(weeks.pop(), []).append(row)
    yield from sorted(found.items())


@pytest.mark.parametrize("folder", sets(), ids=lambda folder: folder.name)
def test_what_a_reader_marks_does_not_reach_the_page_and_nothing_honest_is_lost(
    folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder / "memory", tmp_path / "root/memory")
    agent = (folder / "lithify.toml").read_text() if (folder / "lithify.toml").exists() else ""
    (tmp_path / "root/lithify.toml").write_text(f'{agent}zone = "UTC"\n[verify]\nmax_repairs = 0\n')
    memory = roots.opened(tmp_path / "root", "2026-12-01")
    runs = marked = reached = supported = lost = 0

    def told(week: str, rows: list[dict[str, Any]], second: Scripted) -> list[str]:
        """The bullets of a page whose writer claims this."""
        nonlocal runs
        runs += 1
        writer = Scripted([week_replies(memory, week, rows)], f"writer-{runs}")
        done = memory.compact(
            CompactOptions(("week",), period=week, model=writer, audit=second, rewrite=True)
        )
        if done.results[0].status == "failed":
            return []
        return [line.removeprefix("- ") for line in roots.bullets(page(memory, week))]

    for week, rows in weeks_of(folder):
        honest = [row for row in rows if row["true"]][:10]
        # A part of them, to save time; with all of them 125 are marked and none reaches a page.
        false = [row for row in rows if not row["true"]][::6]
        # What the verifier lets pass of the honest claims, in the words that it mends them to.
        good: dict[str, dict[str, Any]] = {}
        for row in honest:
            second = reader()
            told(week, [row], second)
            good |= {text: row for call in second.calls for _, text in claims_in(call.prompt)}
        shown: set[str] = set()

        def is_false(text: str) -> bool:
            shown.add(text)  # noqa: B023 - called before the next week
            return text not in good  # noqa: B023

        names = list(good)
        if len(names) < 3:
            continue
        for at, lie in enumerate(false):
            start = 7 * at % max(1, len(names) - 8)
            shown.clear()
            # One lie beside up to eight claims: no more than a third is refused.
            rows = [*(good[text] for text in names[start : start + 8]), lie]
            bullets = told(week, rows, reader(is_false))
            marked += sum(text not in good for text in shown)
            reached += sum(text in bullets for text in shown if text not in good)
            supported += sum(text in good for text in shown)
            lost += sum(text not in bullets for text in shown if text in good)
    assert marked >= 3
    assert reached <= 0.05 * marked
    assert lost == 0
