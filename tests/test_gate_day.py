"""What a summary and a session leave in the day, and what of it a week tells."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lithify.gate.day_log import request_entry, result_entry, summary_entries
from lithify.gate.gatekeeper import Gatekeeper, Submitted
from lithify.gate.jobs import Summary
from lithify.memory import CompactOptions, Memory

NOW = datetime(2026, 4, 2, 14, 0, tzinfo=UTC)
TIME = "2026-04-02T14:00:00Z"
JOB = "20260402-1"


def told(text: str, job: str = JOB, **facts: object) -> list[str]:
    return summary_entries(job, Summary(1, TIME, 1, 2, text, 300, **facts))  # type: ignore[arg-type]


def test_each_point_is_an_entry_under_a_label_of_its_own() -> None:
    body = "- Move the docs to the new theme.\n- Keep every URL.\n\nTell who was asked."
    assert told(f"### User Requests\n{body}\n\n### Current State\nThree pages are done.") == [
        "Request: Move the docs to the new theme.",
        "Request: Keep every URL.",
        "Request: Tell who was asked.",
        "Current state: Three pages are done.",
    ]


def test_a_lead_in_keeps_its_items() -> None:
    (only,) = told("### Design Choices\nTwo files hold it:\n- theme.css\n- theme.js")
    assert only == "Design choice: Two files hold it:\n- theme.css\n- theme.js"


def test_sections_of_other_names_and_named_jobs_are_told_by_them() -> None:
    text = "### Hypotheses Tested\nThe cache was cold."
    assert told(text, "billing") == ["Hypotheses Tested (billing): The cache was cold."]
    assert told(text, topic="exports") == ["Hypotheses Tested (exports): The cache was cold."]


@pytest.mark.parametrize(
    "nothing",
    [
        "None.",
        "Nothing was asked back so far.",
        "No questions were asked and no decisions were made in this range.",
        "There were no corrections from the user yet.",
        "- No feedback so far.\n- Nothing was corrected.",
    ],
)
def test_where_there_is_nothing_nothing_is_written(nothing: str) -> None:
    assert told(f"### Questions & Decisions\n{nothing}\n\n### Corrections & Feedback\nNone.") == []


@pytest.mark.parametrize(
    ("said", "entry"),
    [
        ("Nothing was asked so far. Keep the URLs: agreed.", "Decision: Keep the URLs: agreed."),
        (
            "No deploys on Fridays, that was decided.",
            "Decision: No deploys on Fridays, that was decided.",
        ),
        ("Nothing may be written to the archive.", "Asked: Nothing may be written to the archive."),
        ("No decision on the retry limit yet.", "Asked: No decision on the retry limit yet."),
        ("Redirects stay; the answer was yes.", "Decision: Redirects stay; the answer was yes."),
    ],
)
def test_what_is_said_stays_and_only_what_is_settled_is_a_decision(said: str, entry: str) -> None:
    assert told(f"### Questions & Decisions\n{said}") == [entry]


def test_the_mark_of_an_unverified_specific_goes_where_it_goes() -> None:
    text = "### Current State\n- `src/export.py` is done.\n- The rest waits for Zephyrbox"
    unknown = {"Current State": ["src/export.py", "Zephyrbox"]}
    assert told(text, unverified=unknown) == [
        "Current state: `src/export.py` [unverified] is done.",
        "Current state: The rest waits for Zephyrbox [unverified].",
    ]


def test_a_session_tells_its_request_and_its_result() -> None:
    asked = ["Hi there", "Please move the docs to Starlight 0.30.", "Go on."]
    answered = (
        "## Report\n\nAll pages are switched\n\n```\nmake docs\n```\n- 3 of 25 checked.\n\nMore?"
    )
    assert request_entry(asked) == "Request: Please move the docs to Starlight 0.30."
    assert result_entry(answered) == "Result: All pages are switched. 3 of 25 checked."


@pytest.mark.parametrize(
    ("answered", "entry"),
    [
        ("", ""),
        ("Done.", ""),
        ("Done: 3 of 25 pages checked.", "Result: Done: 3 of 25 pages checked."),
        ("Merged #12.", "Result: Merged #12."),
        (
            "Which of the two files do you mean?",
            "Open question: Which of the two files do you mean?",
        ),
        ("x" * 700, "Result: " + "x" * 599 + "…"),
        ("It is done now. " * 50, "Result: " + ("It is done now. " * 37).strip()),
    ],
)
def test_what_a_session_answered_is_told_if_it_tells_something(answered: str, entry: str) -> None:
    assert result_entry(answered) == entry


def test_a_session_that_goes_on_asks_for_nothing_with_a_nod() -> None:
    assert request_entry(["Yes."], begins=False) == ""
    assert request_entry(["Fix tests"]) == "Request: Fix tests"


def test_what_was_pasted_is_not_what_was_asked() -> None:
    trace = "\n".join(f"  File m.py, line {n}" for n in range(30))
    assert request_entry([f"{trace}\n\nWhy does the export fail?"]) == (
        "Request: Why does the export fail?"
    )
    assert request_entry([trace]).startswith("Request: File m.py, line 0 File m.py, line 1")


SUMMARY = """### User Requests
Move the docs site from the old theme to Starlight 0.30, keep every URL, and report which of the 25 pages need manual work. The brand colour #0A7F5A belongs into the header and nowhere else on the page.

### Questions & Decisions
{decided}

### Design Choices
The header takes the colour from one variable, so that the palette stays in a single file, and the sidebar is made from the names of the folders instead of being written by hand for each page of the guide.

### Corrections & Feedback
None.

### Current State
The template src/layouts/base.html is converted to the new theme and works; the pages of the guide come next, then the search box that nobody could configure, and after that the redirects for every old anchor.
"""
DECIDED = (
    "Asked whether redirects should be kept for the old anchors; the answer was yes, keep redirects "
    "for 90 days. That covers the anchors that editors link to from outside, so the table comes "
    "before the switch."
)
NOTHING = (
    "Nothing was asked back so far. No questions were asked, and no decisions were made by the person "
    "or by the agent in this part of the conversation. There was nothing to be decided yet, and "
    "nothing else was said about it up to now in this session."
)


@pytest.mark.parametrize("decided", [DECIDED, NOTHING])
def test_a_week_tells_request_points_and_result_of_a_session(tmp_path: Path, decided: str) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "lithify.toml").write_text(
        'zone = "UTC"\n[gate]\nenabled = true\nthreshold = 300\n'
    )
    gate = Gatekeeper(tmp_path, lambda: NOW)
    asked = (
        "Please move the docs site from the old theme to Starlight 0.30, keep every URL, and tell me "
        "which of the 25 pages need manual work. Use #0A7F5A in the header."
    )
    job = gate.record("s1", "prompt", asked).state.job
    gate.record("s1", "answer", "Q: Keep redirects?\nA: Yes, keep redirects for 90 days.")
    said = "The old theme has a sidebar of its own and a search box that nobody could configure. "
    gate.record("s1", "prompt", said * 20)
    assert isinstance(gate.submit(job, SUMMARY.format(decided=decided)), Submitted)
    gate.record("s1", "prompt", "Now switch base.html and check the pages of the guide.")
    gate.note_answer("s1", "Done: base.html switched, 3 of 25 pages checked.")
    gate.end_session("s1")
    memory = Memory.open(tmp_path, clock=lambda: NOW)
    memory.compact(CompactOptions(["week"], include_current=True))
    week = (tmp_path / "memory" / "weekly" / "2026-W14.md").read_text()
    assert "Move the docs site from the old theme to Starlight 0.30" in week
    assert "base.html switched, 3 of 25 pages checked" in week
    assert "The header takes the colour from one variable" in week
    named = week.count("src/layouts/base.html")
    assert named == week.count("src/layouts/base.html [unverified]")
    assert named or decided is DECIDED
    assert ("keep redirects for 90 days" in week) == (decided is DECIDED)
    for silly in ("Nothing was asked", "No questions", JOB, "Session on job", "prompts"):
        assert silly not in week


def test_an_answer_is_remembered_without_its_secrets(tmp_path: Path) -> None:
    gate = Gatekeeper(tmp_path, lambda: NOW)
    gate.record("s1", "prompt", "Please rotate the password of the database.")
    word = "Tr0ub" + "4dor"
    gate.note_answer("s1", f"Now password={word}, on all three machines.")
    gate.end_session("s1")
    assert not any(word in path.read_text() for path in tmp_path.rglob("*.*") if path.is_file())
    assert "[secret:password:" in (tmp_path / "memory" / "2026-04-02.md").read_text()


END = """
import sys
from lithify.gate.gatekeeper import Gatekeeper
gate = Gatekeeper(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
gate.end_session("s")
"""


def test_an_end_that_two_hooks_report_at_once_is_written_once(tmp_path: Path) -> None:
    gate = Gatekeeper(Memory.init(tmp_path).root)
    gate.record("s", "prompt", "Please move the docs to the new theme.")
    gate.note_answer("s", "The docs are on the new theme.")
    ends = [
        subprocess.Popen(
            [sys.executable, "-c", END, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(4)
    ]
    for end in ends:
        assert end.stdout and end.stdout.readline() == b"ready\n"
    for end in ends:
        assert end.stdin
        end.stdin.write(b"go\n")
        end.stdin.flush()
    assert [end.wait(timeout=60) for end in ends] == [0] * 4
    for end in ends:
        end.communicate()
    (day,) = (tmp_path / "memory").glob("2*.md")
    assert day.read_text().count("Request:") == day.read_text().count("Result:") == 1
