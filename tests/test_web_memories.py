"""Memories and wisdom in the viewer: what they show, what a person changes there, and who may not."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest

import roots
from lithify.errors import UnknownReference
from lithify.memory import CompactOptions, Memory
from lithify.store import disk, places
from lithify.store.lock import locked
from lithify.web.changes import CHANGES
from viewer import Served, served

TUESDAYS, THURSDAYS = "deploy only on Tuesdays", "deploy only on Thursdays"
DANA, MAREK = "invoices go to Dana", "invoices go to Marek"
OWN = "the staging server is called heron"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = roots.made(tmp_path, {})
    before = roots.NOW - timedelta(days=120)
    memory.remember("keep notes short", type="feedback", at=before, origin="user")
    for text in (TUESDAYS, DANA, MAREK):
        memory.remember(text, type="feedback", origin="user", why="Ana asked for it")
    memory.remember(OWN, origin="agent")
    memory.compact(CompactOptions(include_current=True))
    return memory


@pytest.fixture
def site(memory: Memory) -> Iterator[Served]:
    with served(memory.root) as site:
        site.cookie = site.sign_in()
        yield site


def shown(site: Served, path: str) -> str:
    """The words of a page's main part, without the lines of days that it shows."""
    reply = site.ask(path, cookie=site.cookie)
    assert reply.status == 200, reply.text
    main = reply.text[reply.text.index("<main") : reply.text.index("<footer")]
    main = re.sub(r"<figure.*?</figure>", "", main, flags=re.S)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", main).split()))


def change(site: Served, path: str, **fields: str) -> str:
    """Send a form, and return what the page says that it leads to."""
    form = {"form_token": site.session.form_token, **fields}
    reply = site.change(path, form, cookie=site.cookie)
    assert reply.status == 303, reply.text
    return shown(site, reply.headers["location"])


def held(memory: Memory) -> set[str]:
    return {one.text for one in memory.memories.list()}


def id_of(memory: Memory, text: str) -> str:
    return next(one.id for one in memory.memories.list() if one.text == text)


def test_a_memory_says_whose_it_is_since_when_and_why(memory: Memory, site: Served) -> None:
    page = shown(site, "/memories")
    card = page[page.index("the person's words") :].split("History")[0]
    assert "since 2026-04-20" in card and "Why Ana asked for it" in card
    assert "the agent's note" in page[page.index("project") : page.index(OWN)]
    life = site.ask(f"/memory/{id_of(memory, TUESDAYS)}", cookie=site.cookie).text
    assert re.search(r'href="/day/2026-04-20\?at=L\d+#L\d+"', life)
    assert site.ask("/memory/nothing").status == 404


def test_a_pair_is_settled_and_the_choice_taken_back(memory: Memory, site: Served) -> None:
    page = shown(site, "/memories?show=conflicts")
    assert page.index(MAREK) < page.index(DANA) and "Newer holds" in page
    assert "1 pair of memories that may contradict" in shown(site, "/")
    said = change(site, "/memories/supersede", id=DANA, other=MAREK)
    assert f"Out of force {DANA}" in said and "Out of WISDOM.md Invoices go to Dana." in said
    assert DANA not in held(memory) and memory.memories.conflicts() == ()
    gone = shown(site, "/memories?show=gone")
    assert "superseded 2026-04-20" in gone and DANA in gone
    said = change(site, "/memories/restore", id=memory.memories.gone()[0].id)
    assert f"In force {DANA}" in said and len(memory.memories.conflicts()) == 1
    change(site, "/memories/keep-both", id=MAREK, other=DANA)
    assert memory.memories.conflicts() == () and {DANA, MAREK} <= held(memory)


def test_what_a_newer_value_replaced_can_hold_again_beside_it(memory: Memory, site: Served) -> None:
    memory.remember(THURSDAYS, type="feedback", origin="user")
    assert TUESDAYS not in held(memory)
    assert "Restore, and keep both" in shown(site, "/memories?show=gone")
    (gone,) = memory.memories.gone()
    change(site, "/memories/restore", id=gone.id, other=gone.because)
    assert {TUESDAYS, THURSDAYS} <= held(memory)


def test_a_drop_says_what_went_and_is_restored(memory: Memory, site: Served) -> None:
    before = held(memory), sorted(entry.text for entry in memory.wisdom.entries())
    said = change(site, "/memories/drop", id=id_of(memory, TUESDAYS), reason="not this month")
    assert f"Out of force {TUESDAYS}" in said and "Out of WISDOM.md Deploy only" in said
    assert "Dropped because not this month" in shown(site, "/memories?show=gone")
    (gone,) = memory.memories.gone()
    life = shown(site, f"/memory/{gone.id}")
    assert "marked by the person" in life and "dropped by the person Why not this month" in life
    assert f"In force {TUESDAYS}" in change(site, "/memories/restore", id=gone.id)
    memory.compact(CompactOptions(include_current=True))
    assert (held(memory), sorted(entry.text for entry in memory.wisdom.entries())) == before


def test_wisdom_is_confirmed_revoked_and_restored(memory: Memory, site: Served) -> None:
    page = shown(site, "/wisdom")
    assert page.count("Confirm") == [age.stale for age in memory.wisdom.ages()].count(True) == 1
    change(site, "/wisdom/confirm", id="Keep notes short.")
    assert not any(age.stale for age in memory.wisdom.ages()) and "Confirm:" not in shown(
        site, "/wisdom"
    )
    form = {"form_token": site.session.form_token, "id": "Keep notes short.", "reason": " "}
    assert site.change("/wisdom/revoke", form, cookie=site.cookie).status == 400
    said = change(site, "/wisdom/revoke", id="Keep notes short.", reason="they grew")
    assert "Out of WISDOM.md Keep notes short." in said and "keep notes short" not in held(memory)
    assert "they grew Restore" in said
    said = change(site, "/wisdom/restore", id="Keep notes short.")
    assert "Into WISDOM.md Keep notes short." in said and "keep notes short" in held(memory)


def test_what_an_agent_asks_for_is_accepted_or_declined(memory: Memory, site: Served) -> None:
    first = memory.memories.request("drop", TUESDAYS, reason="stale", origin="web")
    second = memory.memories.request("edit", DANA, statement="invoices go to Eva", reason="so")
    page = shown(site, "/review")
    assert TUESDAYS in page and "lowest origin web" in page and "invoices go to Eva" in page
    assert "An agent asks to drop this." in shown(site, "/memories")
    change(site, "/review/reject", id=first.id)
    said = change(site, "/review/approve", id=second.id)
    assert "In force invoices go to Eva" in said and memory.memories.requests() == ()
    assert TUESDAYS in held(memory) and DANA not in held(memory)
    again = {"form_token": site.session.form_token, "id": second.id}
    assert site.change("/review/approve", again, cookie=site.cookie).status == 404


@pytest.mark.parametrize("path", CHANGES)
def test_no_change_is_taken_without_the_cookie_or_the_token_of_the_form(
    memory: Memory, site: Served, path: str
) -> None:
    before = roots.pages(memory.root), len(memory.snapshot().journal.records)
    fields = {"id": id_of(memory, OWN), "other": DANA, "reason": "so", "statement": "x"}
    with_token = {**fields, "form_token": site.session.form_token}
    assert site.change(path, with_token).status == 403
    assert site.change(path, fields, cookie=site.cookie).status == 403
    assert site.change(path, with_token, cookie=site.cookie, origin="http://evil").status == 403
    assert (roots.pages(memory.root), len(memory.snapshot().journal.records)) == before


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [
        (TUESDAYS, THURSDAYS, True),
        ("use tabs in Makefiles", "never use tabs in Makefiles", True),
        (DANA, MAREK, False),
    ],
)
def test_the_pages_show_as_in_force_what_every_other_door_does(
    tmp_path: Path, older: str, newer: str, replaced: bool
) -> None:
    memory = roots.made(tmp_path, {})
    for text, days in ((older, 40), (newer, 12)):
        at = roots.NOW - timedelta(days=days)
        memory.remember(text, type="feedback", at=at, origin="user")
    memory.compact(CompactOptions(include_current=True))
    with served(memory.root) as site:
        page = shown(site, "/memories").replace(newer, "")
        assert (older in page) is not replaced
        assert (older in shown(site, "/memories?show=gone").split("Now")[0]) is replaced
        wisdom = shown(site, "/wisdom").partition("Taken out")[0]
        assert (older[:1].upper() + older[1:] + "." in wisdom) is not replaced


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/memories/edit", {"id": TUESDAYS, "statement": "deploy only on Mondays"}),
        ("/memories/edit", {"id": OWN, "statement": "the staging server is called crane"}),
        ("/memories/drop", {"id": TUESDAYS}),
        ("/memories/supersede", {"id": DANA, "other": MAREK}),
        ("/memories/keep-both", {"id": DANA, "other": MAREK}),
        ("/wisdom/revoke", {"id": "Keep notes short.", "reason": "so"}),
        ("/wisdom/confirm", {"id": "Keep notes short."}),
        ("/review/approve", {}),
    ],
)
def test_a_change_that_is_refused_has_changed_nothing(
    memory: Memory, site: Served, path: str, fields: dict[str, str]
) -> None:
    if not fields:
        request = memory.memories.request("edit", DANA, statement="invoices go to Eva", reason="so")
        fields = {"id": request.id}
    form = {"form_token": site.session.form_token, **fields}
    before = roots.everything(memory.root), len(memory.snapshot().journal.records)
    with locked(places.compact_lock(memory.root)):
        assert site.change(path, form, cookie=site.cookie).status == 409
    assert (roots.everything(memory.root), len(memory.snapshot().journal.records)) == before
    assert site.change(path, form, cookie=site.cookie).status == 303


def test_an_edit_on_a_full_disk_is_done_once_when_it_is_tried_again(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, write, failed = "deploy only on Mondays", os.write, 0
    for number in range(0, 60, 3):
        root = tmp_path / str(number)
        shutil.copytree(memory.root, root)
        left = number

        def full(fd: int, data: bytes) -> int:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return write(fd, data)

        kept = roots.opened(root)
        with monkeypatch.context() as patch:
            patch.setattr(disk.os, "write", full)
            try:
                kept.memories.edit(TUESDAYS, new)
            except Exception as error:
                failed += 1
                said = str(error)
        if left < 0 and new not in held(kept):
            assert "full" not in said and "No space" in said
            # The line of the journal was written or not; then it is in force, and the files follow.
            with contextlib.suppress(UnknownReference):
                kept.memories.edit(TUESDAYS, new)
            assert new in {one.statement for one in kept.memories.in_force().statements}
            kept.compact(CompactOptions(include_current=True))
        day = "".join(path.read_text() for path in (root / "memory").glob("2026-04-20*.md"))
        assert (day.count(new), TUESDAYS in held(kept), new in held(kept)) == (1, False, True)
        assert len(held(kept)) == len(held(memory))
        if left >= 0:
            break
    assert failed > 2


@pytest.mark.parametrize("theirs", ["edit", "drop", "why", "supersede"])
@pytest.mark.parametrize("mine", ["/memories/edit", "/memories/drop"])
def test_a_form_of_another_tab_is_not_taken_over_a_change(
    memory: Memory, site: Served, theirs: str, mine: str
) -> None:
    page = site.ask("/memories", cookie=site.cookie).text
    card = page[page.index(f'action="{mine}"', page.index(f">{DANA}")) :]
    form = dict(re.findall(r'name="(\w+)" value="([^"]*)"', card[: card.index("</form>")]))
    change_of = {
        "edit": lambda: memory.memories.edit(DANA, "invoices go to Eva"),
        "drop": lambda: memory.memories.drop(DANA),
        "why": lambda: memory.memories.edit(DANA, DANA, why="Eva asked for it"),
        "supersede": lambda: memory.memories.supersede(DANA, MAREK),
    }
    change_of[theirs]()
    before = held(memory)
    form = {**form, "statement": "invoices go to Ina"}
    reply = site.change(mine, form, cookie=site.cookie)
    assert reply.status == 409 and "changed" in reply.text
    assert "invoices go to Ina" in reply.text or mine.endswith("drop")
    assert held(memory) == before
