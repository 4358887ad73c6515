"""Each change of the viewer in a real browser, by the keyboard alone, and what can come between."""

from __future__ import annotations

import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from lithify.memory import Memory
from lithify.store import places
from lithify.store.lock import locked
from roots import opened
from test_web import AXE, looking
from test_web_memories import TUESDAYS
from test_web_undo import full_of_decisions
from viewer import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


class Action(NamedTuple):
    """A change: its page, what is typed into which field, and the control that makes it.

    `item` says which item of the page it is on, and `opens` what shows its form. `key` makes it with the
    focus on its item. `waits` tells that it is refused while a compaction runs.
    """

    path: str
    does: str
    item: str = "main"
    opens: str = ""
    field: str = ""
    words: str = ""
    key: str = ""
    waits: bool = True


def button(name: str) -> str:
    return f"button:has-text('{name}')"


RULE = f".card:has-text('{TUESDAYS}')"
WISE = ".wisdom .card:has-text('Keep notes short')"
ACTIONS = {
    "log": Action("/", button("Log it"), field="textarea", words="Berth 4 is closed.", waits=False),
    "remember": Action(
        "/", button("as a rule"), field="textarea", words="Never tow at night.", waits=False
    ),
    "approve on today": Action("/", "", ".decide [data-item]", key="a"),
    "approve": Action("/review", "", ".card:has-text('Dana') >> nth=0", key="a"),
    "reject": Action("/review", "", ".card:has-text('Dana') >> nth=0", key="x"),
    "edit": Action(
        "/memories", button("Save"), RULE, ".edit summary", "textarea", "deploy on Mondays"
    ),
    "drop": Action("/memories", button("Drop it"), RULE, ".drop summary"),
    "restore": Action("/memories?show=gone", button("Restore"), ".card"),
    "newer": Action("/memories?show=conflicts", button("Newer holds"), ".card"),
    "keep both": Action("/memories?show=conflicts", button("Keep both"), ".card"),
    "confirm": Action("/wisdom", button("Confirm"), WISE),
    "revoke": Action(
        "/wisdom", button("Revoke it"), WISE, ".drop summary", "input[name=reason]", "they grew"
    ),
    "restore wisdom": Action("/wisdom", button("Restore"), "section[aria-labelledby=gone]"),
    "forget": Action("/forget/", button("Erase")),
}


def reach(page: Page, target: Locator) -> None:
    """Press Tab until a control has the focus, which must be seen."""
    sought = target.element_handle()
    if page.evaluate("document.activeElement === document.body"):
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # the link that skips the navigation
    for _ in range(150):
        page.keyboard.press("Tab")
        if sought.evaluate("one => one === document.activeElement"):
            break
    style = "getComputedStyle(document.activeElement).outlineStyle"
    assert target.evaluate("one => one === document.activeElement"), target
    assert page.evaluate(style) == "solid"


def fill_in(page: Page, action: Action) -> None:
    """Come to the form of an action and fill it in, without a mouse."""
    item = page.locator(action.item).first
    if action.key:
        while not item.evaluate("one => one === document.activeElement"):
            page.keyboard.press("j")
        return
    if action.opens and not item.locator(action.does).is_visible():
        reach(page, item.locator(action.opens).first)
        page.keyboard.press("Enter")
    if action.field:
        reach(page, item.locator(action.field).first)
        page.keyboard.press("Control+A")
        page.keyboard.type(action.words)
    reach(page, item.locator(action.does).first)


def send(page: Page, action: Action) -> None:
    with page.expect_navigation():
        page.keyboard.press(action.key or "Enter")


def state(memory: Memory) -> tuple[object, ...]:
    held = sorted((one.text, one.status) for one in memory.memories.list())
    settled = repr(memory.memories.conflicts())
    stale = [one.stale for one in memory.wisdom.ages()]
    return held, memory.wisdom.entries(), memory.review(), settled, stale


def accessible(page: Page) -> list[tuple[str, str]]:
    from axe_playwright_python.sync_playwright import Axe

    said = Axe().run(page, options=AXE).response["violations"]
    return [(one["id"], node["html"]) for one in said for node in one["nodes"]]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return full_of_decisions(tmp_path_factory.mktemp("actions")).root


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_by_keyboard_with_a_compaction_two_tabs_and_a_restart(
    browser: Browser, prepared: Path, tmp_path: Path, name: str
) -> None:
    action, root = ACTIONS[name], tmp_path / "root"
    shutil.copytree(prepared, root)
    memory = opened(root)
    if name == "restore":
        memory.memories.drop(TUESDAYS)
    if name == "restore wisdom":
        memory.wisdom.revoke("Keep notes short.", "so")
    path = action.path
    if name == "forget":
        path += next(iter(memory.memories.find(TUESDAYS).sources))
    before = state(memory)
    with ExitStack() as first:
        site = first.enter_context(served(root))
        with looking(browser, site) as page:
            other = page.context.new_page()
            for tab in (other, page):
                tab.goto(site.url + path)
            fill_in(page, action)
            if action.waits:
                # A compaction runs: nothing is changed, and what was typed is still there.
                with locked(places.compact_lock(root)):
                    send(page, action)
                    assert "Another run" in page.locator("main").inner_text()
                assert state(memory) == before
                page.goto(site.url + path)
                if action.field == "textarea":
                    assert page.locator(action.item).first.locator("textarea").input_value() == (
                        action.words
                    )
                fill_in(page, action)
            send(page, action)
            assert page.locator(".done").is_visible() and accessible(page) == []
            changed = state(memory)
            assert changed != before or name == "log"

            # The form in the other tab is older than the change; Today is live and shows the next one.
            fill_in(other, action)
            send(other, action)
            if action.waits and path != "/":
                assert state(memory) == changed
            assert other.locator("h1, .done").first.is_visible()
            other.close()

            if name != "forget":
                undo = page.locator(".done button")
                reach(page, undo)
                send(page, Action("", ""))
            page.goto(site.url + path)
            if name == "forget":
                assert page.locator("h1").inner_text() == "Not here"
                return
            port = site.port
            fill_in(page, action)
            first.close()
            with served(root, port=port) as again:
                # The server that showed the form is gone, and with it the person's session.
                send(page, action)
                assert "link that" in page.locator("main").inner_text()
                with looking(browser, again, width=390, scheme="dark") as phone:
                    phone.goto(again.url + path)
                    fill_in(phone, action)
                    send(phone, action)
                    assert phone.locator(".done").is_visible() and accessible(phone) == []
    assert not [one for one in memory.check() if one.severity == "error"]
