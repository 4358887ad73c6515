"""What the pages of the viewer hold: parts of lists, states of a root, no secrets."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import roots
import test_reading
import viewer
from lithify.memory import Memory
from lithify.web import app
from lithify.web.periods import address
from lithify.web.view import ViewedRoot
from test_reading import verdicts
from test_reading_orders import call_of, reading, work
from viewer import KINDS, served


def test_a_page_is_sent_once_and_again_when_a_day_changes(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root")
    with served(root) as site:
        tag = site.ask("/day/2026-04-02").headers["etag"]
        again = site.ask("/day/2026-04-02", if_none_match=tag)
        assert (again.status, again.text) == (304, "")
        with (root / "memory" / "2026-04-02.md").open("a") as day:
            day.write("- 23:59 One more line at night.\n")
        changed = site.ask("/day/2026-04-02", if_none_match=tag)
        assert changed.status == 200 and "One more line at night." in changed.text


def test_a_day_whose_file_goes_while_the_viewer_is_open_is_missed_by_no_page(
    tmp_path: Path,
) -> None:
    memory = roots.made(tmp_path, {**roots.DAYS, "2026-04-02-notes": ["Decided to keep the well."]})
    memory.compact()
    view = ViewedRoot(lambda: memory, patience=0).view()
    day, part = "memory/2026-04-02.md", "memory/2026-04-02-notes.md"
    assert (address(view, day, 3), address(view, part, 3)) == (
        "/day/2026-04-02?at=L3#L3",
        "/day/2026-04-02?at=F2L3#F2L3",
    )
    (memory.root / part).unlink()
    view.snapshot.rescan()
    assert address(view, part, 3) == "/day/2026-04-02?at=L3#L3"
    with served(memory.root) as site:
        pages = ("/", "/timeline", "/day/2026-04-02", "/week/2026-W14", "/recall?q=portal+well")
        assert {site.ask(page).status for page in pages} == {200}
        (memory.root / day).unlink()
        found = {page: site.ask(page).status for page in pages}
        assert found == {**dict.fromkeys(pages, 200), "/day/2026-04-02": 404}


def test_a_root_that_is_read_for_the_first_time_says_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "FIRST_WAIT", 0)
    with served(roots.make(tmp_path / "root")) as site:
        (root,) = site.roots
        root.begin()
        root.reading = (2, 3)
        for path in ("/", "/memories"):
            reply = site.ask(path)
            assert "read and indexed: 2 of 3 files" in reply.text, path
            assert (reply.headers["refresh"], reply.headers["cache-control"]) == ("1", "no-store")
        day = site.ask("/day/2026-04-02")
        assert "/day/2026-04-02" in reply.text and "Shipped release 2.4.1" in day.text
        root.read_all(lambda: False)
        for path in ("/", "/memories"):
            reply = site.ask(path)
            assert "indexed" not in reply.text and "refresh" not in reply.headers
        assert site.ask("/day/2026-04-02", if_none_match=day.headers["etag"]).status == 200


def test_reading_ends_with_the_server_and_keeps_what_was_read(tmp_path: Path) -> None:
    folder = roots.make(tmp_path / "root")
    root = ViewedRoot(lambda: Memory.open(folder))
    root.begin()
    root.read_all(lambda: True)
    assert root.is_read(0) and root.reading is None
    assert not (folder / ".lithify/index.sqlite").exists()
    root.read_all(lambda: False)
    assert (folder / ".lithify/index.sqlite").exists()


def test_lists_are_shown_in_parts(tmp_path: Path) -> None:
    days = {f"{year}-03-02": ["Decided to stay."] for year in range(2017, 2027)}
    days["2026-03-03"] = [f"Entry number {n} of a long day." for n in range(700)]
    with served(roots.make(tmp_path / "root", days)) as site:
        assert "/day/2017-03-02" not in site.ask("/timeline").text
        assert "/day/2017-03-02" in site.ask("/timeline?year=2017").text
        first, last = site.ask("/day/2026-03-03").text, site.ask("/day/2026-03-03?page=3").text
        assert "number 250 " in first and "number 600 " not in first and "number 600 " in last
        assert "/timeline?half=2017-H1" in site.ask("/timeline").text


def test_a_root_without_days_says_what_to_do(tmp_path: Path) -> None:
    with served(roots.make(tmp_path / "root", {})) as site:
        assert "lithify log" in site.ask("/").text
        for path in KINDS:
            status = 404 if re.match("/(week|month|day|gate)/", path) else 200
            assert site.ask(path).status == status, path


def test_it_shows_who_read_a_page_and_what_nobody_has_read(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {**roots.DAYS, **test_reading.DAYS}, 'model = "agent"\n')
    work(memory, "one", until="month")
    with served(memory.root) as site:
        assert site.ask("/timeline").text.count(">not read<") == 2
        assert "not read" in site.ask("/week/2026-W14").text
    order = reading(memory)
    false = ("In short: Merged", "In short: Always")
    said = verdicts(call_of(order), lambda text: any(word in text for word in false))
    memory.hand_in(order.id, said, session="two")
    with served(memory.root) as site:
        page = site.ask("/week/2026-W14").text
        assert "read by <b>agent:unknown 2026-04-20</b>" in page and "not read" not in page
        assert "Disputed: its reader found 2 of 2 unsupported" in site.ask("/week/2026-W15").text
        assert site.ask("/timeline").text.count(">disputed<") == 1


def test_the_status_that_a_fleet_left_is_shown(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root", {})
    status = root / ".lithify" / "fleet" / "status.json"
    status.parent.mkdir(parents=True)
    with served(root) as site:
        assert "No fleet has run here" in site.ask("/fleet").text
        status.write_text('{"format": "lithify-fleet-root/1", "state": "done", "written": 3}')
        assert "lithify-fleet-root/1" in site.ask("/fleet").text
        status.write_text('{"format": ')
        assert "cannot be read" in site.ask("/fleet").text


def test_secrets_are_shown_as_marks(tmp_path: Path) -> None:
    key = "AKIA" + "IOSFODNN7EXAMPLQ"
    root = roots.make(tmp_path / "root", {"2026-03-30": [f"The deploy key is {key} for now."]})
    Memory.open(root, clock=lambda: viewer.NOW).compact()
    with served(root) as site:
        for path in ("/day/2026-03-30", "/week/2026-W14", "/recall?q=deploy+key"):
            page = site.ask(path).text
            assert "[secret:" in page and key not in page, path
