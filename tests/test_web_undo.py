"""Undo in the viewer: each change of Today and of the pages of care is taken back as if it never was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import roots
from lithify.memory import CompactOptions, Memory
from lithify.store.journal import Chain, verify
from test_web_memories import DANA, MAREK, OWN, TUESDAYS, change, held, id_of, shown
from viewer import Served, served

BORROWED = "badges are worn on the left"
GUARDED = "never push to the release branch"


def full_of_decisions(tmp_path: Path) -> Memory:
    """A root in which everything that a person decides on waits."""
    memory = roots.made(tmp_path, {}, '[wisdom]\nreview = "always"\n')
    before = roots.NOW - timedelta(days=120)
    memory.remember("keep notes short", type="feedback", at=before, origin="user")
    for text in (TUESDAYS, DANA, MAREK):
        memory.remember(text, type="feedback", origin="user", why="Ana asked for it")
    memory.remember(OWN, origin="agent")
    memory.log(f"Rule: {BORROWED}", origin="web")
    memory.compact(CompactOptions(include_current=True))
    for one in memory.wisdom.proposals():
        if "notes" in str(one.entry) or "Tuesdays" in str(one.entry):
            memory.decide(one.id, approve=True)
    memory.remember(GUARDED, type="feedback", guard="deny", when=["git push"], origin="agent")
    memory.memories.request("drop", DANA, reason="she left", origin="agent")
    memory.memories.request("edit", MAREK, statement="invoices go to Ina", reason="so")
    return memory


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return full_of_decisions(tmp_path)


@pytest.fixture
def site(memory: Memory) -> Iterator[Served]:
    with served(memory.root) as site:
        site.cookie = site.sign_in()
        yield site


def state(memory: Memory) -> dict[str, object]:
    """All that a person sees of a root, but for the days."""
    return {
        "held": sorted((one.text, one.status, one.path) for one in memory.memories.list()),
        "gone": sorted((one.text, one.status) for one in memory.memories.gone()),
        "pairs": sorted(map(repr, memory.memories.conflicts())),
        "wisdom": memory.wisdom.entries(),
        "ages": memory.wisdom.ages(),
        "review": memory.review(),
        "files": {p: d for p, d in roots.pages(memory.root).items() if "2026-04-20" not in p},
        "lives": [memory.memories.log(text) for text in sorted(held(memory))],
    }


def waiting(memory: Memory, kind: str, words: str) -> str:
    found = memory.review(kind)
    return next(one.id for one in found if words in f"{one.asks} {one.before} {one.after}")


def _compacted(memory: Memory) -> None:
    memory.compact(CompactOptions(include_current=True))


def _edited_by_hand(memory: Memory) -> None:
    with open(memory.root / "WISDOM.md", "a") as file:
        file.write("\nA line of mine.\n")


Fields = Callable[[Memory], dict[str, str]]
CASES: dict[str, tuple[str, Fields]] = {
    "log": ("/log", lambda m: {"words": "Berth 4 is closed.", "keep": "entry"}),
    "remember": ("/log", lambda m: {"words": "Never tow at night.", "keep": "rule"}),
    "drop": ("/memories/drop", lambda m: {"id": id_of(m, TUESDAYS), "reason": "so"}),
    "edit": (
        "/memories/edit",
        lambda m: {"id": id_of(m, TUESDAYS), "statement": "deploy only on Mondays"},
    ),
    "edit why": (
        "/memories/edit",
        lambda m: {"id": id_of(m, TUESDAYS), "statement": TUESDAYS, "why": "Eva asked for it"},
    ),
    "newer": ("/memories/supersede", lambda m: {"id": DANA, "other": MAREK}),
    "both": ("/memories/keep-both", lambda m: {"id": DANA, "other": MAREK}),
    "confirm": ("/wisdom/confirm", lambda m: {"id": "Keep notes short."}),
    "revoke": ("/wisdom/revoke", lambda m: {"id": "Keep notes short.", "reason": "they grew"}),
}
for _verb in ("approve", "reject"):
    for _kind, _words in (
        ("wisdom", "Dana"),
        ("request", "drop"),
        ("request", "Ina"),
        ("guard", "push"),
    ):
        CASES[f"{_verb} {_kind} {_words}"] = (
            f"/review/{_verb}",
            lambda m, kind=_kind, words=_words: {"id": waiting(m, kind, words)},  # type: ignore[misc]
        )


def made(site: Served, path: str, fields: dict[str, str]) -> str:
    """Send a form, and return what the Undo in its answer names."""
    form = {"form_token": site.session.form_token, **fields}
    reply = site.change(path, form, cookie=site.cookie)
    assert reply.status == 303, reply.text
    page = site.ask(reply.headers["location"], cookie=site.cookie).text
    offered = page[page.index('action="/undo"') : page.index(">Undo<")]
    return offered.rpartition('name="records" value="')[2].partition('"')[0]


@pytest.mark.parametrize("name", CASES)
def test_every_change_is_undone_and_can_be_made_again(
    memory: Memory, site: Served, name: str
) -> None:
    path, fields = CASES[name]
    before = state(memory)
    for _ in range(2):
        records = made(site, path, fields(memory))
        changed = state(memory)
        assert changed != before or name == "log"
        assert "Undone." in change(site, "/undo", records=records)
        assert state(memory) == before
        assert not [p for p in memory.check() if p.severity == "error"]
        again = {"form_token": site.session.form_token, "records": records}
        assert site.change("/undo", again, cookie=site.cookie).status == 404
    assert "Berth 4" not in shown(site, "/")
    assert not memory.recall("Is berth 4 closed?").passages
    change(site, "/log", words="Berth 4 is closed.", keep="entry")
    assert "Berth 4" in shown(site, "/") and memory.recall("Is berth 4 closed?").passages
    memory.compact(CompactOptions(include_current=True))
    after = state(memory)
    assert (after["held"], after["wisdom"]) == (before["held"], before["wisdom"])


@pytest.mark.parametrize(
    ("path", "fields", "later"),
    [
        # The days that the entry is in were compacted.
        ("/log", {"words": "Decided to close berth 4.", "keep": "entry"}, _compacted),
        ("/memories/drop", {"id": OWN}, lambda m: m.memories.restore(OWN)),
        ("/wisdom/revoke", {"id": "Keep notes short.", "reason": "so"}, _edited_by_hand),
    ],
)
def test_what_something_rests_on_is_not_undone(
    memory: Memory,
    site: Served,
    path: str,
    fields: dict[str, str],
    later: Callable[[Memory], object],
) -> None:
    if path == "/memories/drop":
        fields = {"id": id_of(memory, OWN)}
    records = made(site, path, fields)
    later(memory)
    before = roots.pages(memory.root), len(memory.snapshot().journal.records)
    form = {"form_token": site.session.form_token, "records": records}
    reply = site.change("/undo", form, cookie=site.cookie)
    assert reply.status == 400 and "since" in reply.text
    assert (roots.pages(memory.root), len(memory.snapshot().journal.records)) == before


def test_an_undo_ends_where_it_was_asked_for_and_never_elsewhere(site: Served) -> None:
    form = {"form_token": site.session.form_token, "words": "Berth 4 is closed."}
    for back, leads in (("/timeline", "/timeline?"), ("//evil", "/?"), ("http://evil", "/?")):
        reply = site.change("/log", {**form, "back": back}, cookie=site.cookie)
        assert reply.headers["location"].startswith(f"{leads}done=")


def test_an_undo_names_its_records_also_in_a_journal_that_was_merged(tmp_path: Path) -> None:
    """Two machines share a root through object storage, and each wrote to it alone for a while."""
    from lithify.fleet.sync import merged

    def book(records: list[tuple[str, dict[str, object]]]) -> bytes:
        chain = Chain()
        for kind, facts in records:
            chain.add("2026-04-20T02:00:00Z", kind, facts)
        return bytes(chain)

    common = ("init", {})
    here = book([common, ("commit", {"files": {}}), ("confirm", {"titles": []})])
    there = book([common, ("drop", {"words": ["a"]}), ("undo", {"undoes": [2]})])
    records = verify(merged(here, there, 1)).records
    assert [one.kind for one in records] == ["init", "commit", "confirm", "drop", "undo"]
    assert [records[seq - 1].kind for seq in records[-1].data["undoes"]] == ["drop"]
