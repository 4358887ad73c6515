"""`benchmarks/verifier.py`: what code refuses of honest and false claims, by kind."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from verifier import main, rates, run, sets

from lithify.bench.corpus import BadLines
from lithify.markdown.parse import parse
from roots import make

SHIPPED = "Shipped release 2.4.1 of the login page; Priya signed it off."
HONEST = "Release 2.4.1 of the login page is out, and Priya signed it off."
MOVED = "Release 2.9.7 of the login page is out, and Priya signed it off."
#: A claim that is marked false and that every verifier must let through.
THROUGH = "Shipped release 2.4.1 of the login page; Priya signed it off!"


def claim(text: str, *, true: bool, kind: str, **more: Any) -> dict[str, Any]:
    entries = parse(f"- {SHIPPED}\n".encode(), label="2026-04-02").entries
    row = {"true": true, "kind": kind, "section": "outcomes", "text": text}
    return {**row, "cites": [entries[0].id], **more}


OPEN = [
    claim(HONEST, true=True, kind="paraphrase"),
    claim(MOVED, true=True, kind="mistaken"),
    claim(MOVED, true=False, kind="moved-figure"),
    claim(THROUGH, true=False, kind="let-through"),
    claim(f"All of it: {SHIPPED}", true=False, kind="widened"),
]
HELD = [claim(THROUGH + " Unread.", true=False, kind="unread-kind")]


def make_set(folder: Path, **parts: object) -> Path:
    """A set of one day; a part is rows, or the file's text."""
    make(folder, {"2026-04-02": f"- {SHIPPED}\n"})
    for name, rows in parts.items():
        text = rows if isinstance(rows, str) else "".join(f"{json.dumps(r)}\n" for r in rows)  # type: ignore[attr-defined]
        (folder / f"{name}.jsonl").write_text(text)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return make_set(tmp_path / "small", claims=OPEN, held_out=HELD)


def test_both_rates_are_by_kind_with_their_sum_first(small: Path) -> None:
    found = [(r.honest, r.kind, r.claims, r.refused) for r in rates(run(small, ["open"]))]
    assert found == [
        (True, "", 2, 1),
        (True, "mistaken", 1, 1),
        (True, "paraphrase", 1, 0),
        (False, "", 3, 1),
        (False, "let-through", 1, 0),
        (False, "moved-figure", 1, 1),
        (False, "widened", 1, 0),
    ]


Measure = Callable[..., tuple[int, str, str]]


@pytest.fixture
def measure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Measure:
    """Call the script with these words; return its exit code, its output and its errors."""

    def called(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["verifier.py", *map(str, words)])
        try:
            status = main()
        except SystemExit as end:
            status = int(end.code or 0)
        return status, *capsys.readouterr()

    return called


def test_the_parts_stand_side_by_side(small: Path, measure: Measure) -> None:
    status, shown, _ = measure(small)
    assert status == 0
    lines = shown.splitlines()
    titles = [title for title in lines[0].split("  ") if title]
    assert [title.strip() for title in titles] == ["small", "open: refused", "held out: refused"]
    assert any(line.startswith("honest") and "1 of   2" in line for line in lines)
    assert any("unread-kind" in line and "0 of   1" in line for line in lines)


def test_a_part_can_be_left_out(small: Path, measure: Measure) -> None:
    _, shown, _ = measure(small, "--part", "open")
    assert "unread-kind" not in shown and "held out" not in shown
    _, shown, _ = measure(small, "--part", "held-out")
    assert "unread-kind" in shown and "paraphrase" not in shown


def test_what_was_missed_is_listed_and_a_held_out_claim_never(
    small: Path, measure: Measure
) -> None:
    _, shown, _ = measure(small, "--missed")
    refused, *through = shown.split("\n\n")[1:]
    assert refused.startswith(f"refused: small, mistaken\n  {MOVED}\n") and "2.9.7" in refused
    assert [one.partition("\n")[0] for one in through] == [
        "let through: small, let-through",
        "let through: small, widened",
    ]
    status, shown, wrong = measure(small, "--missed", "--part", "held-out")
    assert status == 0 and "Unread." not in shown + wrong


def test_several_sets_are_summed(tmp_path: Path, small: Path, measure: Measure) -> None:
    other = make_set(tmp_path / "other", claims=OPEN)
    _, shown, _ = measure(small, other, "--part", "open")
    last = shown.split("\n\n")[-1].splitlines()
    assert last[0].startswith("all sets") and "2 of   4" in last[1]


GOOD = json.dumps(OPEN[0])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{Unread", "is not JSON (Expecting property name enclosed in double quotes)"),
        ("[1]", "is not an object"),
        (json.dumps({**OPEN[0], "true": "yes"}), "`true` must be true or false"),
        (json.dumps({**OPEN[0], "kind": ""}), "`kind` must be a text"),
        (json.dumps({**OPEN[0], "cites": []}), "`cites` must be a list of ids"),
        (
            json.dumps({**OPEN[0], "cites": [["x"]]}),
            "`cites`: no entry of the days has the id ['x']",
        ),
        (
            json.dumps({**OPEN[0], "section": "Poems"}),
            '"Poems" is not a section of a week or month',
        ),
    ],
)
def test_a_bad_line_is_named_with_its_reason(
    tmp_path: Path, line: str, reason: str, measure: Measure
) -> None:
    folder = make_set(tmp_path / "bad", claims=f"{GOOD}\n\n{line}\n")
    with pytest.raises(BadLines) as error:
        run(folder)
    assert error.value.message.startswith(f"{folder / 'claims.jsonl'}: line 3")
    assert reason in error.value.message and "Unread" not in error.value.message
    status, _, wrong = measure(folder)
    assert status == 2 and "claims.jsonl: line 3" in wrong


def test_a_folder_without_claims_is_no_set(tmp_path: Path, measure: Measure) -> None:
    status, _, wrong = measure(tmp_path)
    assert status == 2 and "neither a folder with claims.jsonl nor one of chat" in wrong


def test_a_part_without_claims_is_said(tmp_path: Path, measure: Measure) -> None:
    folder = make_set(tmp_path / "small", claims=OPEN)
    status, _, wrong = measure(folder, "--part", "held-out")
    assert status == 2 and "no set has claims of this part" in wrong


def test_the_sets_can_be_read() -> None:
    assert [path.name for path in sets()] == ["chat", "german", "worklog"]
    assert len(rates(run(sets(["worklog"])[0], ["open"]))) > 20
