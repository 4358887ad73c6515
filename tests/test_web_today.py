"""The front page: what is new, what a person writes and decides there, and that it keeps itself fresh."""

from __future__ import annotations

import http.client
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import roots
from lithify.memory import Memory
from lithify.values import Entry
from lithify.web.app import VISIT
from test_web import looking
from test_web_memories import change, shown
from viewer import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REVIEWED = '[wisdom]\nreview = "always"\n'


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A root whose proposals wait for a person."""
    memory = roots.opened(roots.make(tmp_path / "root", roots.MARKED, REVIEWED))
    memory.compact()
    return memory


@pytest.fixture
def site(memory: Memory) -> Iterator[Served]:
    with served(memory.root) as site:
        site.cookie = site.sign_in()
        yield site


def visited(site: Served, seconds: float) -> str:
    """The cookies of a browser that was on the front page so long ago."""
    last = int(time.time() - seconds)
    return f"{site.cookie}; visit_lithify_{site.port}=0.{last}"


def test_what_is_new_is_what_was_written_since_the_last_visit(memory: Memory, site: Served) -> None:
    for day in (memory.root / "memory").glob("*.md"):
        os.utime(day, (0, 0))
    memory.log("The crane moved to berth 9.", origin="user")
    first = site.ask("/", cookie=site.cookie)
    assert "The last days" in first.text
    assert f"visit_lithify_{site.port}=0." in first.headers["set-cookie"]
    later = site.ask("/", cookie=visited(site, VISIT + 60)).text
    new = later[later.index("New since your last visit") : later.index("Waits for you")]
    assert "The crane moved to berth 9." in new and new.count('href="/day/') >= 1
    assert "2026-04-02" not in new
    # Within one visit the page keeps telling what was new when it began.
    assert "The last days" in site.ask("/", cookie=visited(site, 60)).text


def test_an_entry_and_a_rule_are_written_in_the_persons_words_and_taken_back(
    memory: Memory, site: Served
) -> None:
    assert "Logged" in change(site, "/log", words="Berth 4 is closed.", keep="entry")
    logged = next(e for e in memory.snapshot().entries([roots_day(memory)]) if "Berth 4" in e.text)
    assert logged.origin == "user"
    said = change(site, "/log", words="Never tow at night.", keep="rule")
    assert "In force Never tow at night." in said
    kept = next(one for one in memory.memories.list() if one.text == "Never tow at night.")
    assert kept.by == "person"
    assert "Out of force" in change(site, "/memories/drop", id=kept.id)
    form = {"form_token": site.session.form_token, "words": "  "}
    assert "nothing to write" in site.change("/log", form, cookie=site.cookie).text


def roots_day(memory: Memory) -> str:
    return max(page.path for pages in memory.snapshot().shelf.days.values() for page in pages)


def test_a_page_is_told_when_the_root_changes(memory: Memory, site: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)
    connection.request("GET", "/events")
    answer = connection.getresponse()
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.readline() == b"retry: 2000\n"
    assert answer.readline() == b"\n"
    memory.log("The crane moved to berth 9.")
    assert answer.readline() == b"data: changed\n"
    connection.close()


def test_the_open_page_shows_a_new_entry_and_keeps_what_is_being_written(
    browser: Browser, memory: Memory, site: Served
) -> None:
    with looking(browser, site) as page:
        with page.expect_response("**/events"):
            page.goto(site.url)
        page.locator("textarea[name=words]").fill("Half a thought")
        memory.log("The crane moved to berth 9.", origin="user")
        page.get_by_text("The crane moved to berth 9.").wait_for()
        assert page.locator("textarea[name=words]").input_value() == "Half a thought"
        page.reload()
        assert page.locator("textarea[name=words]").input_value() == "Half a thought"
        page.get_by_role("button", name="Log it").click()
        page.locator(".done").wait_for()
        assert page.locator("textarea[name=words]").input_value() == ""
        assert not [line for line in site.log if "error" in line.lower()]


def test_a_proposal_is_decided_on_with_one_key(
    browser: Browser, memory: Memory, site: Served
) -> None:
    first, *_ = proposals = memory.review()
    with looking(browser, site) as page:
        page.goto(site.url)
        item = page.locator(".decide [data-item]").first
        item.focus()
        page.keyboard.press("a")
        page.locator(".done").wait_for()
    left = memory.review()
    assert len(left) == len(proposals) - 1 and first.id not in {one.id for one in left}
    assert "Approved" not in shown(site, "/")


def test_several_roots_have_one_server_one_login_and_a_change_stays_in_its_own(
    tmp_path: Path,
) -> None:
    folders = [roots.make(tmp_path / name / "root", {"2026-04-02": ["A day."]}) for name in "ab"]
    with served(*folders) as site:
        site.cookie = site.sign_in()
        first = site.ask("/").headers["location"]
        assert (first, site.ask(first).status) == ("/at/root/", 200)
        page = site.ask("/at/root-2/", cookie=site.cookie).text
        assert 'href="/at/root-2/timeline"' in page and 'src="/at/root-2/static/app.js"' in page
        assert "href='/at/root/'" in page and 'href="/timeline"' not in page
        assert (
            site.ask("/at/root-2/static/app.js").status == site.ask("/at/root/gate").status == 200
        )
        change(site, "/at/root-2/log", words="Only in the second.", keep="entry")
    told = [sum("Only in" in e.text for e in _entries(folder)) for folder in folders]
    assert told == [0, 1]


def _entries(folder: Path) -> tuple[Entry, ...]:
    snapshot = Memory.open(folder).snapshot()
    paths = [page.path for pages in snapshot.shelf.days.values() for page in pages]
    return snapshot.entries(paths)


def test_the_memory_can_be_taken_away_as_a_file(memory: Memory, site: Served) -> None:
    for name, said in (("memory.md", "# The memory of"), ("memory.jsonl", '{"')):
        reply = site.ask(f"/export/{name}")
        assert reply.status == 200 and reply.text.startswith(said)
        assert reply.headers["content-disposition"] == f'attachment; filename="{name}"'
    assert site.ask("/export/other").status == 404


def test_an_entry_is_forgotten_after_a_preview_of_what_rests_on_it(
    memory: Memory, site: Served
) -> None:
    rule = next(one for one in memory.memories.list() if one.sources)
    id = rule.sources[0]
    label = id.partition("~")[0]
    assert f'href="/forget/{id}"' in site.ask(f"/day/{label}", cookie=site.cookie).text
    assert f'href="/forget/{id}"' not in site.ask(f"/day/{label}").text
    said = shown(site, f"/forget/{id}")
    assert "What rests on it" in said and "cannot be undone" in said
    assert "Forgotten" in change(site, "/forget", id=id)
    assert id not in {e.id for e in _entries(memory.root)}
    assert rule.text not in {one.text for one in memory.memories.list()}
    assert site.ask(f"/forget/{id}", cookie=site.cookie).status == 404
