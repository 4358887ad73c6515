"""What a reader marks stays off a page, over claims of which it is known which are true."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from verifier import sets

import roots
from lithify.calendar import week_of
from lithify.compact.brief import briefs_of
from lithify.engines.base import Call, Scripted
from lithify.memory import CompactOptions, Memory
from lithify.sections import BY_KEY, WEEK
from test_reading import claims_in, page


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


def knowing(call: Call, good: Collection[str]) -> str:
    """The verdicts of a reader who knows which claims are true: these, and the entries' own words."""
    entries = re.findall(r"^\[e\d+\] (.+)$", call.prompt, re.MULTILINE)
    said = [
        (n, text in good or any(shown.endswith(f") {text}") for shown in entries))
        for n, text in claims_in(call.prompt)
    ]
    verdict = {True: "supported", False: "contradicted"}
    return json.dumps([{"claim": n, "verdict": verdict[true], "reason": ""} for n, true in said])


@pytest.mark.parametrize("folder", sets(), ids=lambda folder: folder.name)
def test_every_claim_that_a_reader_marks_stays_off_the_page_and_none_it_supports_is_lost(
    folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder / "memory", tmp_path / "root/memory")
    agent = (folder / "lithify.toml").read_text() if (folder / "lithify.toml").exists() else ""
    (tmp_path / "root/lithify.toml").write_text(f'{agent}zone = "UTC"\n[verify]\nmax_repairs = 0\n')
    memory = roots.opened(tmp_path / "root", "2026-12-01")
    runs = marked = reached = supported = lost = 0

    def told(week: str, rows: list[dict[str, Any]], reader: Scripted | str) -> list[str]:
        """The bullets of a page whose writer claims this; none if code refuses them."""
        nonlocal runs
        runs += 1
        writer = Scripted([week_replies(memory, week, rows)], f"writer-{runs}")
        done = memory.compact(
            CompactOptions(("week",), period=week, model=writer, reader=reader, rewrite=True)
        )
        reading = done.results[0].reading
        assert reader == "off" or (reading and reading.state == "read"), reading
        if done.results[0].status == "failed":
            return []
        return [line.removeprefix("- ") for line in roots.bullets(page(memory, week))]

    for week, rows in weeks_of(folder):
        # What code lets pass, in the words that it mends claims to.
        good = {text: row for row in rows if row["true"] for text in told(week, [row], "off")}
        good = dict(list(good.items())[:10])
        if len(good) < 3:
            continue
        # A part of the false ones, to save time.
        for at, lie in enumerate([row for row in rows if not row["true"]][::6]):
            false = told(week, [lie], "off")
            if not false or false[0] in good:
                continue
            names = list(good)
            start = 7 * at % max(1, len(names) - 8)
            beside = names[start : start + 8]
            second = Scripted(lambda call: knowing(call, good), "reader", reads=True)  # noqa: B023
            # One lie beside up to eight claims: no more than a third is refused.
            bullets = told(week, [*(good[text] for text in beside), lie], second)
            marked += 1
            reached += false[0] in bullets
            supported += len(beside)
            lost += sum(text not in bullets for text in beside)
    assert marked >= 3 and supported >= 9
    assert reached == 0
    assert lost == 0
