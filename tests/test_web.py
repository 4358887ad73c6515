"""The viewer in a real browser: every page, its keys, its changes, its looks."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import roots
import viewer
from lithify.memory import Memory
from viewer import KINDS, QUESTION, Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DARK = ("/", "/week/2026-W05", QUESTION)
AXE = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
CONTRAST = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample root with its pages, and a job of the gate."""
    folder = viewer.compacted_sample(tmp_path_factory.mktemp("web") / "root")
    gate = Memory.open(folder, clock=lambda: viewer.NOW).gate
    gate.focus("session", "demo")
    gate.record("session", "prompt", "Please move the launch to Tuesday.")
    return folder


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[Served]:
    with served(root) as found:
        found.cookie = found.sign_in()
        yield found


@contextmanager
def looking(
    browser: Browser,
    site: Served,
    *,
    width: int = 1280,
    scheme: str = "light",
    sign_in: bool = True,
) -> Iterator[Page]:
    """A page of the browser that notes what goes wrong in `site.log`."""
    # Without motion: half-way through a fade a page has other colours.
    context = browser.new_context(
        reduced_motion="reduce",
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    if sign_in:
        name, _, value = (site.cookie or site.sign_in()).partition("=")
        context.add_cookies([{"name": name, "value": value, "url": site.url}])
    page = context.new_page()
    site.log.clear()
    page.on("console", lambda said: site.log.append(said.text))
    page.on("pageerror", lambda error: site.log.append(str(error)))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on(
        "request",
        lambda sent: None if sent.url.startswith(site.url) else site.log.append(sent.url),
    )
    try:
        yield page
    finally:
        context.close()


@pytest.fixture(scope="module")
def page(browser: Browser, site: Served) -> Iterator[Page]:
    """A page that tests of one kind use one after the other: each goes where it begins."""
    with looking(browser, site) as found:
        yield found


def test_every_address_on_the_pages_leads_to_a_page(site: Served) -> None:
    seen, waiting = {"/"}, ["/"]
    while waiting:
        reply = site.ask(waiting.pop())
        assert reply.status == 200
        for href in re.findall(r'(?:href|action)="(/[^"#]*)', reply.text):
            href = href.replace("&amp;", "&")
            # Days are many and alike: one month of them is enough.
            if href not in seen and not re.match(r"/day/2026-0[13]|/static", href):
                seen.add(href)
                waiting.append(href)
    assert {path for path in KINDS if "?" not in path} <= seen | {"/day/2026-01-28"}


class Visit(NamedTuple):
    """What a browser found on one page: errors and requests, its widths, and what axe says."""

    log: list[str]
    headings: int
    widths: dict[int, int]
    violations: list[tuple[str, str]]


def visits(browser: Browser, site: Served) -> dict[str, Visit]:
    """One visit to each kind of page."""
    from axe_playwright_python.sync_playwright import Axe

    found = {}
    with looking(browser, site) as page:
        for path in KINDS:
            page.goto(site.url + path)
            # A checker comes in through the debugger; the page itself lets no other script run.
            said = Axe().run(page, options=AXE).response["violations"]
            if path in DARK:
                page.emulate_media(color_scheme="dark")
                said += Axe().run(page, options=CONTRAST).response["violations"]
                page.emulate_media(color_scheme="light")
            widths = {}
            for width in (360, 820, 1280):
                page.set_viewport_size({"width": width, "height": 900})
                widths[width] = page.evaluate("document.documentElement.scrollWidth")
            serious = [
                (one["id"], node["html"])
                for one in said
                if one["impact"] in ("serious", "critical")
                for node in one["nodes"]
            ]
            found[path] = Visit(list(site.log), page.locator("h1").count(), widths, serious)
    return found


def test_every_page_loads_clean_fits_360_pixels_and_satisfies_axe(
    browser: Browser, site: Served
) -> None:
    """In one test, because the visits take long."""
    found = visits(browser, site)
    assert {path: visit.log for path, visit in found.items() if visit.log} == {}
    assert {visit.headings for visit in found.values()} == {1}
    wider = [
        (path, width)
        for path, visit in found.items()
        for width, needed in visit.widths.items()
        if needed > width
    ]
    assert wider == []
    assert {path: visit.violations for path, visit in found.items() if visit.violations} == {}


def test_hovering_a_claim_shows_the_lines_it_rests_on(page: Page, site: Served) -> None:
    page.goto(f"{site.url}/week/2026-W05")
    claim = page.locator("[data-claim]", has_text="People: the second platform")
    sources = claim.locator(".sources")
    assert not sources.is_visible()
    claim.locator(".text").hover()
    assert sources.is_visible()
    assert page.locator(".sources:visible").count() == 1
    assert "Marek needs a number from the board" in sources.inner_text()
    assert "2026-01-30.md:" in sources.inner_text()
    place, beside = claim.bounding_box(), sources.bounding_box()
    assert place and beside and beside["x"] >= place["x"] + place["width"]


def test_focusing_a_claim_shows_its_lines_and_the_link_leads_to_them(
    page: Page, site: Served
) -> None:
    page.goto(f"{site.url}/month/2026-01")
    claim = page.locator("[data-claim]").nth(3)
    claim.focus()
    assert claim.locator(".sources").is_visible()
    claim.locator("figcaption a").first.click()
    assert "/day/2026-01-" in page.url
    target = page.locator(f"#{page.url.partition('#')[2]}")
    assert target.is_visible()
    assert "2026-01" in target.locator(".rests").inner_text()


def test_a_link_leads_to_its_line_in_the_second_file_of_a_long_day(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "memory").mkdir(parents=True)
    (root / "lithify.toml").write_text('zone = "UTC"\n')
    first = "".join(f"- Line {n} is about nothing much.\n" for n in range(400))
    (root / "memory" / "2026-04-20.md").write_text(first)
    (root / "memory" / "2026-04-20-harbour.md").write_text(
        "# Harbour\n\n- The herons moved east.\n"
    )
    with served(root) as site:
        site.cookie = site.sign_in()
        found = re.search(r'href="(/day/[^"#]+)#(\w+)"', site.ask("/recall?q=herons").text)
        assert found
        page = site.ask(found[1].replace("&amp;", "&")).text
        line = page.partition(f'id="{found[2]}"')[2].partition("</div>")[0]
        assert "The herons moved east" in line
        ids = re.findall(r'id="(\w*L\d+)"', page)
        assert len(ids) == len(set(ids))


def test_wisdom_is_followed_down_to_the_days_and_has_its_history(site: Served) -> None:
    page = site.ask("/wisdom").text
    assert 'href="/day/2026-02-10?at=F2L25#F2L25"' in page and 'href="/week/2026-W07#L' in page
    assert "marked as a rule in the days" in page and "last confirmed" in page


def test_recall_says_why_a_passage_was_found(site: Served) -> None:
    page = site.ask("/recall?q=what+is+the+staging+host").text
    assert "<mark>staging host</mark>" in page and "Reached through" in page
    (more,) = re.findall(r'href="(/recall\?[^"]*after=[^"]*)"', page)
    places = r'class="at">([^<]+)<'
    rest = site.ask(html.unescape(more)).text
    assert not set(re.findall(places, page)) & set(re.findall(places, rest))
    assert site.ask("/recall?q=host&after=no-token!").text.count("is not the token") == 1


def test_recall_says_what_superseded_a_passage(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {"2026-04-16": ["Rule: the gate opens at 09:00."]})
    roots.put(memory.root, "2026-04-17", ["Rule: the gate opens at 10:00."])
    memory.compact()
    with served(memory.root) as site:
        site.cookie = site.sign_in()
        page = site.ask("/recall?q=when+does+the+gate+open").text
        assert "superseded 17 Apr 2026" in page and 'href="#p1"' in page


def test_sources_show_without_javascript(browser: Browser, site: Served) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/week/2026-W05")
    assert page.locator(".sources:visible").count() == page.locator("[data-claim]").count()
    context.close()


def test_the_keyboard_reaches_everything(page: Page, site: Served) -> None:
    page.goto(f"{site.url}/week/2026-W05")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.matches('[data-claim]')")
    second = page.evaluate("document.activeElement.id")
    assert page.locator(f"#{second} .sources").is_visible()
    ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid"
    page.keyboard.press("k")
    assert page.evaluate("document.activeElement.id") != second
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    page.keyboard.press("]")
    page.wait_for_url("**/week/2026-W06")
    page.keyboard.press("/")
    page.keyboard.type("who signed off the release")
    page.keyboard.press("Enter")
    page.wait_for_url("**/recall?q=who*")
    assert page.locator(".found mark").count() > 0
    page.locator("main").focus()
    page.keyboard.press("g")
    page.keyboard.press("w")
    page.wait_for_url("**/wisdom")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"


def test_the_arrows_move_on_the_map_of_days(page: Page, site: Served) -> None:
    page.goto(f"{site.url}/timeline")
    page.locator("[data-cell]").first.focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "/day/2026-01-06"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "/day/2026-01-13"
    page.keyboard.press("Enter")
    page.wait_for_url("**/day/2026-01-13")


def _ground(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def test_the_theme_follows_the_system_and_can_be_switched(browser: Browser, site: Served) -> None:
    with looking(browser, site, scheme="dark") as page:
        page.goto(site.url)
        dark = _ground(page)
        page.locator("#theme").click()
        light = _ground(page)
        assert dark != light
        page.goto(f"{site.url}/wisdom")
        assert _ground(page) == light  # the choice is kept
    with looking(browser, site) as page:
        page.goto(site.url)
        assert _ground(page) == light
        page.locator("#theme").click()
        page.reload()
        assert _ground(page) == dark


def test_a_server_that_was_not_started_on_a_terminal_shows_no_forms_and_says_why(
    root: Path,
) -> None:
    with served(root, changes=False) as site:
        for path in ("/memories", "/review"):
            page = site.ask(path).text
            assert "Read-only" in page and 'method="post"' not in page
        assert site.session.token == ""
        refused = site.change("/memories/drop", {"id": "x", "form_token": site.session.form_token})
        assert refused.status == 403


# Changes


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(root, tmp_path / "root"))


def test_a_memory_is_edited_and_dropped_and_a_held_line_approved(
    browser: Browser, tmp_path: Path
) -> None:
    root = roots.make(tmp_path / "root", roots.MARKED)
    memory = Memory.open(root, clock=lambda: viewer.NOW)
    # A mark of a source that is not trusted waits for a person.
    memory.log("Rule: Dana does not take phone calls before 14:00.", origin="web")
    memory.compact()
    with served(root) as site, looking(browser, site) as page:
        page.goto(f"{site.url}/memories")
        card = page.locator(".card", has_text="restart the queue")
        card.locator(".edit summary").click()
        card.locator("textarea").fill("Never restart the queue, by hand or by script.")
        card.locator(".edit button").click()
        page.wait_for_url("**/memories?done=*")
        assert page.locator("[role=status]").is_visible()
        assert "by hand or by script" in page.locator(".cards").inner_text()

        card = page.locator(".card", has_text="migration on a copy")
        card.locator(".drop summary").click()
        card.locator(".drop button").click()
        page.wait_for_url("**/memories?done=*")
        assert "migration on a copy" not in page.locator(".cards").inner_text()

        page.goto(f"{site.url}/review")
        card = page.locator(".card", has_text="does not take phone calls")
        card.get_by_role("button", name="Approve").click()
        page.wait_for_url("**/review?done=*")
        assert "does not take phone calls" not in page.locator(".cards").inner_text()
        assert "does not take phone calls" in page.locator("[role=status]").inner_text()
    said = {one.text: one.status for one in memory.memories.list()}
    assert "accepted" in said.values() and any("by script" in text for text in said)
    assert not any("migration on a copy" in text for text in said)


def test_review_approves_one_proposal_and_rejects_another(browser: Browser, tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root", roots.MARKED, '[wisdom]\nreview = "always"\n')
    memory = Memory.open(root, clock=lambda: viewer.NOW)
    memory.compact()
    assert len(memory.wisdom.proposals()) == 2
    with served(root) as site, looking(browser, site) as page:
        page.goto(f"{site.url}/review")
        assert page.locator("nav .count").inner_text() == "2"
        first = page.locator(".card", has_text="restart the queue")
        assert "Never restart the queue by hand" in first.locator("ins").last.inner_text()
        assert "memory" not in first.locator(".facts").inner_text()
        first.get_by_role("button", name="Approve").click()
        page.wait_for_url("**/review?done=*")
        page.locator(".card").get_by_role("button", name="Reject").click()
        page.wait_for_url("**/review?done=*")
        assert "Nothing waits for review" in page.locator("main").inner_text()
    assert [entry.text for entry in memory.wisdom.entries()] == [
        "Never restart the queue by hand: it loses the jobs in flight."
    ]


def test_the_gate_page_follows_the_record(browser: Browser, copy: Path) -> None:
    gate = Memory.open(copy, clock=lambda: viewer.NOW).gate
    with served(copy) as site, looking(browser, site) as page:
        with page.expect_response("**/events"):
            page.goto(f"{site.url}/gate/demo")
        assert "move the launch to Tuesday" in page.locator(".record").inner_text()
        gate.record("session", "prompt", "And tell the pilot customers today.")
        page.get_by_text("And tell the pilot customers today.").wait_for()
