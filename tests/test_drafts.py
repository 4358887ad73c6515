"""Recorded replies of a capable writer: the verifier takes them, and what makes them good."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from commands import lithify
from lithify import Memory
from lithify.calendar import parse_day, week_of
from lithify.compact.orders import HandedIn, Order
from lithify.markdown.pages import read_summary
from lithify.values import Claim, label_of

EXAMPLES = Path(__file__).parent.parent / "examples"
DRAFTS = EXAMPLES / "drafts"
LAST_DAY = "2026-02-01"
WEEKS = ["2026-W02", "2026-W03", "2026-W04", "2026-W05"]
PAGES = [*(f"weekly/{week}" for week in WEEKS), "monthly/2026-01"]
REPLIES = [*(f"{week}.md" for week in WEEKS), "2026-01.md", "wisdom.json"]
#: Consecutive plain words that no bullet shares with a day, and those that count as taken from one.
COPIED, TAKEN = 8, 5
_CITED = re.compile(r"\s*(?:\[[a-z]\d+\])+$")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


class Replay(NamedTuple):
    root: Path
    handed_in: dict[str, HandedIn]


def january(folder: Path) -> Path:
    """The sample with the days of January's weeks only, so that wisdom follows January."""
    shutil.copytree(EXAMPLES / "sample", folder, ignore=shutil.ignore_patterns(".lithify"))
    for day in (folder / "memory").glob("*.md"):
        if day.name[:10] > LAST_DAY:
            day.unlink()
    with (folder / "lithify.toml").open("a") as settings:
        # A recorded writer has nobody who could read for it.
        settings.write('\n[verify]\nreader = "off"\n')
    return folder


def opened(root: Path) -> Memory:
    return Memory.open(root, clock=lambda: datetime(2026, 2, 9, 2, 0, tzinfo=UTC))


def reply_name(order: Order) -> str:
    if order.task.tier == "wisdom":
        return "wisdom.json"
    return f"{order.task.period}.md"


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    root = january(tmp_path_factory.mktemp("replay") / "root")
    done: dict[str, HandedIn] = {}
    while order := opened(root).next_order(client="recorded").order:
        name = reply_name(order)
        assert name not in done, (name, done[name].reason, order.back)
        reply = (DRAFTS / name).read_text("utf-8")
        done[name] = opened(root).hand_in(order.id, reply, client="recorded")
    return Replay(root, done)


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = january(tmp_path_factory.mktemp("offline") / "root")
    opened(root).compact()
    return root


def claims(root: Path, page: str) -> list[Claim]:
    return [line.claim for line in read_summary((root / f"memory/{page}.md").read_bytes())]


def front(root: Path, page: str, pattern: str) -> list[int]:
    """The figures of a line of a page's front matter."""
    found = re.search(pattern, (root / f"memory/{page}.md").read_text("utf-8"))
    assert found, (page, pattern)
    return list(map(int, found.groups()))


def test_every_order_has_its_reply_and_each_is_committed_at_the_first_try(replay: Replay) -> None:
    assert list(replay.handed_in) == REPLIES
    of_the_demo = {"README.md", "2026-W05.verdicts.json"}
    assert {path.name for path in DRAFTS.iterdir()} == {*REPLIES, *of_the_demo}
    for name, done in replay.handed_in.items():
        # Wisdom that nobody has read waits for a person.
        held = name == "wisdom.json"
        assert (done.state, done.exit_code) == ("committed", 4 if held else 0), (name, done)
        assert not any(one.refused or (one.held and not held) for one in done.results), name
    assert not list(replay.root.glob(".lithify/quarantine/*"))


def test_a_replayed_root_checks_clean_and_says_who_wrote_it(replay: Replay) -> None:
    checked = lithify(["check", "--root", str(replay.root)])
    assert checked.returncode == 0, checked.stdout
    for page in PAGES:
        text = (replay.root / f"memory/{page}.md").read_text("utf-8")
        assert "\nengine: agent:recorded\n" in text
    assert {task.state for task in opened(replay.root).plan()} == {"current"}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_holds_what_was_written_and_nothing_is_put_back(replay: Replay, page: str) -> None:
    reply = (DRAFTS / f"{page.partition('/')[2]}.md").read_text("utf-8")
    lines = reply.partition("```typed_memory")[0].splitlines()
    recorded = [_CITED.sub("", line[2:]) for line in lines if line.startswith("- ")]
    assert [claim.text for claim in claims(replay.root, page)] == recorded


@pytest.mark.parametrize("page", PAGES)
def test_a_page_keeps_more_than_the_offline_one_within_the_length(
    replay: Replay, offline: Path, page: str
) -> None:
    kept = r"\nkept: (\d+) of (\d+)\n"
    (told, total), (other, of) = front(replay.root, page, kept), front(offline, page, kept)
    assert told / total >= other / of
    size, length = front(replay.root, page, r"\ntokens: {in: (\d+), out: (\d+)}\n")
    ceiling = 4000 if page.startswith("weekly") else 3000
    most = min(ceiling, size, max(size * 45 // 100, 800))
    assert min(size // 10, most // 2) <= length <= most


def words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def plain_runs(text: str) -> Iterator[list[str]]:
    """The words between names, figures, links and quotations, which nobody can put otherwise."""
    run: list[str] = []
    for token in re.findall(r'"[^"]*"|`[^`]*`|\S+', text):
        if re.search(r'[\d"`/#_]|(?<!^)[A-Z]|^\W*[A-Z]', token):
            yield run
            run = []
        else:
            run += words(token)
    yield run


def runs_of(length: int, texts: Iterable[list[str]]) -> set[tuple[str, ...]]:
    return {tuple(t[n : n + length]) for t in texts for n in range(len(t) - length + 1)}


def share_taken(pages: Iterable[Claim], days: set[tuple[str, ...]]) -> float:
    """The share of words that stand in a day as part of the same five consecutive words."""
    taken = total = 0
    for claim in pages:
        said = words(claim.text)
        found = {
            at
            for n in range(len(said) - TAKEN + 1)
            if tuple(said[n : n + TAKEN]) in days
            for at in range(n, n + TAKEN)
        }
        taken, total = taken + len(found), total + len(said)
    return taken / total


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_told_in_words_of_its_own(replay: Replay, offline: Path, page: str) -> None:
    days = [words(path.read_text("utf-8")) for path in (replay.root / "memory").glob("2026-*.md")]
    copied = runs_of(COPIED, days)
    for claim in claims(replay.root, page):
        assert not runs_of(COPIED, plain_runs(claim.text)) & copied, claim.text
    five = runs_of(TAKEN, days)
    assert share_taken(claims(replay.root, page), five) < 0.3
    assert share_taken(claims(offline, page), five) > 0.6


def test_a_months_themes_run_through_several_weeks(replay: Replay) -> None:
    page = claims(replay.root, "monthly/2026-01")
    assert {claim.section for claim in page} == {
        *("Themes", "Milestones", "Trajectory", "Carried Forward"),
    }
    for claim in page:
        if claim.section == "Themes":
            days = [parse_day(label_of(source)) for source in claim.sources]
            assert len({week_of(day) for day in days if day}) >= 2, claim.text
