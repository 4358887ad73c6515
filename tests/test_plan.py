"""What is due, stale, waiting, failed or missing, told from the files, the journal and the day."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import roots
from commands import lithify
from lithify.engines.base import Call, Scripted
from lithify.memory import CompactOptions
from lithify.store import tree

W14, W15, APRIL = "week:2026-W14", "week:2026-W15", "month:2026-04"


def kept(root: Path, path: str) -> list[bytes]:
    """The versions of a page in history."""
    folder = root / ".lithify" / "history" / path
    return [version.read_bytes() for version in sorted(folder.iterdir())] if folder.is_dir() else []


def test_new_days_are_due_and_after_a_run_everything_is_current(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    assert {t.state for t in memory.plan()} == {"due"}
    assert memory.status().exit_code == 3
    assert memory.compact().exit_code in (0, 4)
    assert {t.state for t in memory.plan()} == {"current"}
    assert memory.status().exit_code == 0
    assert roots.written(memory) == []


def test_lone_day_is_enough_for_week_month_and_wisdom(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {"2026-04-02": roots.DAYS["2026-04-02"]})
    roots.written(memory)
    for path in ("memory/weekly/2026-W14.md", "memory/monthly/2026-04.md", "WISDOM.md"):
        assert (memory.root / path).is_file()


def test_late_day_makes_its_week_month_and_wisdom_stale_and_no_other(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory)
    roots.put(memory.root, "2026-04-01", ["Decided to keep the old parser until June."])
    behind = {t.key: t.why for t in memory.plan() if t.state == "stale"}
    assert set(behind) == {W14, "typed:2026-W14", APRIL, "wisdom:"}
    assert behind[W14] == "late 2026-04-01"
    roots.written(memory)
    assert "old parser" in roots.text(memory, "memory/weekly/2026-W14.md")


def test_edited_day_is_seen_by_its_digest(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory)
    roots.put(memory.root, "2026-04-02", ["Shipped release 2.4.2 of the login page instead."])
    found = roots.task(memory, W14)
    assert found and (found.state, found.why) == ("stale", "edited 2026-04-02")
    assert roots.state(memory, W15) == "current"


def test_removed_day_is_missing_until_it_is_back_or_let_go(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory)
    before = roots.pages(memory.root)
    day = memory.root / "memory" / "2026-04-02.md"
    saved = day.read_bytes()
    day.unlink()
    assert roots.state(memory, W14) == roots.state(memory, "typed:2026-W14") == "missing"
    assert memory.status().exit_code == 3
    assert roots.written(memory) == []
    after = roots.pages(memory.root)
    assert after == {path: data for path, data in before.items() if path != "memory/2026-04-02.md"}

    day.write_bytes(saved)
    assert roots.state(memory, W14) == "current"
    day.unlink()
    assert roots.written(memory, accept_removed=True)
    assert "Priya" not in roots.text(memory, "memory/weekly/2026-W14.md")
    assert not [t for t in memory.plan() if t.state != "current"]

    day.write_bytes(saved)
    assert roots.state(memory, W14) == "stale"
    roots.written(memory)
    day.unlink()
    assert roots.state(memory, W14) == "missing"  # to have been let go once is no leave for ever


@pytest.mark.parametrize("model", [None, "careful"])
def test_week_whose_only_day_was_let_go_leaves_no_page_behind(
    tmp_path: Path, model: str | None
) -> None:
    memory = roots.made(tmp_path)
    engine = roots.Careful() if model else None
    roots.written(memory, model=engine)
    page = roots.text(memory, "memory/weekly/2026-W15.md").encode()
    (memory.root / "memory" / "2026-04-08.md").unlink()
    roots.written(memory, model=engine, accept_removed=True)
    left = roots.pages(memory.root)
    assert "memory/weekly/2026-W15.md" not in left
    assert not [path for path, data in left.items() if b"migration" in data or b"2,900" in data]
    assert kept(memory.root, "memory/weekly/2026-W15.md") == [page]
    assert not [t for t in memory.plan() if t.state != "current"]
    assert memory.check() == ()


def test_root_whose_days_were_all_let_go_is_empty_and_at_rest(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory)
    for day in (memory.root / "memory").glob("2026-*.md"):
        day.unlink()
    roots.written(memory, accept_removed=True)
    assert not list((memory.root / "memory").glob("*ly/*.md"))
    assert not [t for t in memory.plan() if t.state != "current"]
    assert roots.written(memory) == []


def test_emptied_day_is_an_edit_and_not_a_removal(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory)
    page = roots.text(memory, "memory/weekly/2026-W15.md").encode()
    roots.put(memory.root, "2026-04-08", "")
    assert roots.state(memory, W15) == "stale"
    roots.written(memory)
    assert roots.bullets(roots.text(memory, "memory/weekly/2026-W15.md")) == []
    assert kept(memory.root, "memory/weekly/2026-W15.md") == [page]
    assert not [t for t in memory.plan() if t.state != "current"]
    roots.put(memory.root, "2026-04-08", roots.DAYS["2026-04-08"])
    assert roots.state(memory, W15) == "stale"


def test_future_day_waits_for_its_date(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {**roots.DAYS, "2026-05-06": ["Launch day: 3 regions go live."]})
    roots.written(memory)
    assert not [t for t in memory.plan() if "W19" in t.period or t.period == "2026-05"]
    later = roots.opened(memory.root, "2026-05-12")
    assert roots.state(later, "week:2026-W19") == "due"
    # A clock that was set back takes nothing away from what was written in the meantime.
    roots.written(later)
    assert roots.state(memory, "week:2026-W19") not in ("missing", "due", "stale")
    assert roots.written(memory) == []


def test_week_is_due_when_it_is_over_or_asked_for(tmp_path: Path) -> None:
    days = {"2026-04-13": ["Decided to drop the old API."], "2026-04-19": ["Shipped 3.0."]}
    memory = roots.opened(roots.make(tmp_path / "root", days), "2026-04-19")
    assert roots.state(memory, "week:2026-W16") == "open"
    assert memory.status().exit_code == 0
    assert roots.written(memory) == []
    assert roots.state(memory, "week:2026-W16", include_current=True) == "due"
    assert roots.state(roots.opened(memory.root, "2026-04-20"), "week:2026-W16") == "due"
    done = roots.written(memory, include_current=True)
    assert {"week:2026-W16", APRIL} <= set(done)


def test_month_is_due_once_its_weeks_with_days_are_over_and_written(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    assert roots.state(memory, APRIL) == "due"  # the 20th: no later week holds a day
    memory.compact(CompactOptions(("week",)))
    assert roots.state(memory, APRIL) == "due"
    roots.put(memory.root, "2026-04-20", ["Decided to hire a second tester."])
    found = roots.task(memory, APRIL)
    assert found and (found.state, found.why) == ("open", "2026-W17 is not over")


def test_week_belongs_to_the_month_of_its_thursday(tmp_path: Path) -> None:
    days = {
        "2026-03-30": ["Shipped the March report."],  # W14, Thursday 2 April
        "2026-04-30": ["Shipped the April report."],  # W18 ends on 3 May
        "2026-05-03": ["Closed the April books."],
    }
    memory = roots.opened(roots.make(tmp_path / "root", days), "2026-05-20")
    roots.written(memory)
    assert sorted(p.stem for p in (memory.root / "memory/monthly").iterdir()) == ["2026-04"]
    april = roots.text(memory, "memory/monthly/2026-04.md")
    assert "2026-W14" in april and "2026-W18" in april


def test_iso_week_53_and_the_turn_of_the_year(tmp_path: Path) -> None:
    days = {
        "2026-12-31": ["Closed the books of 2026."],
        "2027-01-02": ["Opened the books of 2027."],
    }
    memory = roots.opened(roots.make(tmp_path / "root", days), "2027-01-20")
    roots.written(memory)
    page = roots.text(memory, "memory/weekly/2026-W53.md")
    assert "2026-12-31.md" in page and "2027-01-02.md" in page
    assert sorted(p.stem for p in (memory.root / "memory/monthly").iterdir()) == ["2026-12"]
    assert not (memory.root / "memory/weekly/2027-W01.md").exists()


def test_several_files_of_a_day_count_together(tmp_path: Path) -> None:
    days = {
        "2026-04-02": ["Shipped release 2.4.1."],
        "2026-04-02-1430": ["Decided to freeze releases until 12 April."],
        "2026-04-02-zoe": ["Blocked: the licence server is down."],
    }
    memory = roots.made(tmp_path, days, toml="[weekly]\nmin_dailies_for_weekly = 2\n")
    assert roots.state(memory, W14) == "open"  # three files, but one day
    memory = roots.made(tmp_path / "again", days)
    roots.written(memory)
    page = roots.text(memory, "memory/weekly/2026-W14.md")
    assert all(f"{name}.md" in page for name in days)
    (memory.root / "memory" / "2026-04-02-zoe.md").unlink()
    found = roots.task(memory, W14)
    assert found and (found.state, found.why) == ("missing", "memory/2026-04-02-zoe.md is missing")


def test_days_of_a_thin_week_feed_the_month_directly(tmp_path: Path) -> None:
    days = {
        **{f"2026-04-{n:02}": [f"Shipped build {n} to 1{n}0 users."] for n in (6, 7, 8)},
        "2026-04-02": ["Decided to leave the vendor; the contract ends on 2026-06-30."],
    }
    memory = roots.made(tmp_path, days, toml="[weekly]\nmin_dailies_for_weekly = 3\n")
    model = roots.Careful()
    done = roots.written(memory, model=model)
    assert not (memory.root / "memory/weekly/2026-W14.md").exists()
    assert "typed:2026-W14" in done
    april = roots.text(memory, "memory/monthly/2026-04.md")
    assert "leave the vendor" in april and "build 7" in april
    assert not [t for t in memory.plan() if t.state not in ("current", "open")]
    assert roots.written(memory, model=model) == []

    roots.put(memory.root, "2026-04-02", ["Decided to stay with the vendor after all."])
    assert "month:2026-04" in roots.written(memory, model=model)
    assert "stay with the vendor" in roots.text(memory, "memory/monthly/2026-04.md")


def test_week_that_has_a_page_is_kept_up_to_date_though_it_grew_thin(tmp_path: Path) -> None:
    days = {f"2026-04-{n:02}": [f"Shipped build {n}."] for n in (6, 7, 8)}
    memory = roots.made(tmp_path, days, toml="[weekly]\nmin_dailies_for_weekly = 3\n")
    roots.written(memory)
    (memory.root / "memory" / "2026-04-07.md").unlink()
    roots.written(memory, accept_removed=True)
    assert "build 7" not in roots.text(memory, "memory/weekly/2026-W15.md")
    assert "build 7" not in roots.text(memory, "memory/monthly/2026-04.md")


def test_too_few_weeks_leave_the_month_open(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, toml="[monthly]\nmin_weeklies_for_monthly = 3\n")
    roots.written(memory)
    assert roots.state(memory, APRIL) == "open"


def test_failed_week_leaves_its_month_waiting(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)

    def reply(call: Call) -> str:
        prompt = call.prompt
        if "Period: 2026-W15" in prompt and roots.stage_of(prompt) == "weekly":
            return "I cannot help with that."
        return roots.answer(call)

    model = Scripted(reply)
    report = memory.compact(CompactOptions(model=model))
    assert report.exit_code == 1
    states = {t.key: t.state for t in memory.plan(model=model)}
    assert states[W15] == "failed" and states[APRIL] == "waiting"
    shown = {t.key: t.state for t in memory.status().tasks}
    assert shown[W15] == "failed" and shown[APRIL] == "waiting"
    assert not (memory.root / "memory/monthly").exists()
    assert (memory.root / "memory/weekly/2026-W14.md").is_file()


def test_foreign_week_is_adopted_and_gives_way_only_when_a_day_changes(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    theirs = b"# Week 14\n\n- We shipped the login page.\n"
    page = memory.root / "memory/weekly/2026-W14.md"
    page.parent.mkdir()
    page.write_bytes(theirs)
    assert roots.state(memory, W14) == "foreign"
    results = memory.compact(CompactOptions(model=roots.Careful())).results
    assert [r.task.key for r in results if r.status == "adopted"] == [W14]
    assert page.read_bytes() == theirs
    assert "We shipped the login page" in roots.text(memory, "memory/monthly/2026-04.md")
    assert "2026-W14~" in roots.text(memory, "memory/monthly/2026-04.md")
    assert memory.compact(CompactOptions(model=roots.Careful())).results == ()

    roots.put(memory.root, "2026-04-01", ["Decided to keep the old parser until June."])
    assert roots.state(memory, W14) == "stale"
    roots.written(memory, model=roots.Careful())
    assert b"old parser" in page.read_bytes()
    assert kept(memory.root, "memory/weekly/2026-W14.md") == [theirs]


def test_hand_edited_week_stands_and_its_month_follows_it(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory, model=roots.Careful())
    page = memory.root / "memory/weekly/2026-W14.md"
    edited = page.read_bytes() + b"- Priya leads the login team from May.\n"
    page.write_bytes(edited)
    found = roots.task(memory, W14)
    assert found and (found.state, found.why) == ("foreign", "edited by hand; kept as it is")
    roots.written(memory, model=roots.Careful())
    assert page.read_bytes() == edited
    assert roots.state(memory, W14) == "foreign" and roots.state(memory, APRIL) == "current"
    assert "login team" in roots.text(memory, "memory/monthly/2026-04.md")

    roots.put(memory.root, "2026-04-01", ["Decided to keep the old parser until June."])
    results = {r.task.key: r for r in memory.compact(CompactOptions(model="offline")).results}
    assert edited in kept(memory.root, "memory/weekly/2026-W14.md")
    (place,) = results[W14].replaced
    assert (memory.root / place).read_bytes() == edited
    assert results[APRIL].status == "written" and results[APRIL].replaced == ()


def test_hand_edited_wisdom_keeps_every_word(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    model = roots.Careful()
    roots.written(memory, model=model)
    page = memory.root / "WISDOM.md"
    own = "\n**Ask Priya before touching the login page**\nShe knows why it is as it is.\n"
    page.write_text(page.read_text() + own)
    edited = page.read_bytes()
    assert roots.written(memory, model=model) == []
    assert page.read_bytes() == edited
    roots.put(memory.root, "2026-04-01", ["Always tag a release before it is deployed."])
    roots.written(memory, model=model)
    assert own.strip() in page.read_text()
    assert "tag a release" in page.read_text()
    assert edited in kept(memory.root, "WISDOM.md")


def test_deleted_page_of_ours_is_written_again(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory)
    before = roots.pages(memory.root)
    (memory.root / "memory/weekly/2026-W14.md").unlink()
    found = roots.task(memory, W14)
    assert found and (found.state, found.why) == ("due", "its file is missing")
    assert roots.state(memory, APRIL) == "stale"
    roots.written(memory)
    assert roots.pages(memory.root) == before


def test_deleted_memory_of_ours_is_due_and_written_again(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, roots.MARKED)
    roots.written(memory)
    before = roots.pages(memory.root)
    gone = [path for path in before if path.startswith("memory/feedback_")]
    assert len(gone) == 2
    for path in gone:
        (memory.root / path).unlink()
    assert {p.path for p in memory.check() if p.kind == "gone"} == set(gone)
    due = {t.period: t.why for t in memory.plan() if t.tier == "typed" and t.state == "due"}
    assert sorted(due.values()) == [f"{path} is missing" for path in gone]
    assert memory.status().exit_code == 3
    roots.written(memory)
    assert roots.pages(memory.root) == before
    assert memory.check() == () and memory.status().exit_code == 0


def test_memory_that_was_given_another_name_is_at_rest(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, roots.MARKED)
    roots.written(memory)
    path = next((memory.root / "memory").glob("feedback_*queue*.md"))
    path.rename(path.with_name("feedback_queue.md"))
    roots.written(memory)
    assert memory.check() == () and memory.status().exit_code == 0
    assert roots.written(memory) == []


def test_emptied_memory_stays_as_its_owner_left_it(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, roots.MARKED)
    roots.written(memory)
    path = next((memory.root / "memory").glob("feedback_*.md"))
    path.write_bytes(b"")
    roots.put(memory.root, "2026-04-09", ["Lunch with Priya."])
    roots.written(memory)
    assert path.read_bytes() == b""


def test_what_waits_beside_a_day_that_is_gone_is_told(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory)
    (memory.root / "memory/2026-03-31.md").unlink()
    roots.put(memory.root, "2026-04-02", ["Decided to move the office to Leipzig."])
    roots.put(memory.root, "2026-04-03", ["Shipped 2.4.2."])
    found = roots.task(memory, W14)
    why = "memory/2026-03-31.md is missing; until it is back, this waits: edited 2026-04-02; late 2026-04-03"
    assert found and (found.state, found.why) == ("missing", why)
    report = memory.compact()
    assert next((t.key, t.why) for t in report.missing) == (W14, why)
    assert report.exit_code == 0 and not report.results


def test_captured_day_that_is_gone_is_behind_until_it_is_let_go(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    ahead = memory.log("Shipped 2.5.", at=datetime(2027, 1, 1, 10))
    roots.written(memory)
    assert memory.status().exit_code == 0
    (memory.root / ahead.path).unlink()
    assert [p.path for p in memory.check()] == [ahead.path]
    assert memory.status().lost == memory.compact().lost == (ahead.path,)
    assert memory.status().exit_code == 3
    memory.compact(CompactOptions(accept_removed=True))
    assert memory.status().exit_code == 0 and memory.check() == ()


def test_day_that_cannot_be_read_is_told_and_never_let_go(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory)
    path, before = "memory/2026-04-02.md", roots.pages(memory.root)
    (memory.root / path).write_bytes(bytes(range(32)) * 8)
    found = roots.task(memory, W14)
    why = f"{path} cannot be read: it is not text in UTF-8"
    assert found and (found.state, found.why) == ("missing", why)
    new = memory.root / "memory/2026-04-15.md"
    new.write_bytes(bytes(range(32)) * 8)
    unread = (path, "memory/2026-04-15.md")
    assert memory.status().unread == unread and memory.status().exit_code == 3
    for accept in (False, True):
        report = memory.compact(CompactOptions(accept_removed=accept))
        assert tuple(one for one, _ in report.unread) == unread and not report.results
    (memory.root / path).write_bytes(before[path])
    new.unlink()
    assert memory.status().exit_code == 0


def fail_to_read(monkeypatch: pytest.MonkeyPatch, *paths: str) -> None:
    """Let the system fail to read these files or folders."""
    read, scandir = tree._read_file, os.scandir

    def failing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, **options: Any) -> Any:
            if str(path).endswith(paths):
                raise OSError(errno.EIO, "Input/output error")
            return real(path, **options)

        return call

    monkeypatch.setattr(tree, "_read_file", failing(read))
    monkeypatch.setattr(os, "scandir", failing(scandir))


def test_day_that_the_system_fails_to_read_holds_its_week_and_month(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = "memory/2026-04-15.md"
    root = roots.make(tmp_path / "root")
    roots.put(root, "2026-04-15", ["Moved the importer to the new machine."])
    with monkeypatch.context() as failing:
        fail_to_read(failing, late)
        memory = roots.opened(root, "2026-04-16")
        assert APRIL not in roots.written(memory)
        found = roots.task(memory, APRIL)
        assert found and (found.state, found.why) == ("open", "2026-W16 is not over")

        memory = roots.opened(root, "2026-05-05")
        for key in ("week:2026-W16", APRIL):
            found = roots.task(memory, key)
            assert found and found.state == "waiting", found
            assert found.why == f"{late} cannot be read: Input/output error"
        assert roots.written(memory) == [] and memory.status().exit_code == 3
    assert {"week:2026-W16", APRIL} < {*roots.written(memory)}
    assert "new machine" in roots.text(memory, "memory/weekly/2026-W16.md")


def test_page_that_the_system_fails_to_read_is_neither_rewritten_nor_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = roots.made(tmp_path, roots.MARKED)
    roots.written(memory)
    before = roots.pages(memory.root)
    rule = next(path for path in before if path.startswith("memory/feedback_"))
    pages = ("memory/weekly/2026-W14.md", "memory/monthly/2026-04.md", rule, "WISDOM.md")
    for path in (*pages, "memory/weekly", "memory"):
        with monkeypatch.context() as failing:
            fail_to_read(failing, path)
            assert roots.written(memory) == [], path
    assert roots.pages(memory.root) == before and memory.status().exit_code == 0


def test_only_the_tier_and_period_asked_for_are_written(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    assert roots.written(memory, tiers=("week",), period="2026-W14") == [W14]
    assert roots.written(memory, period="2026-04") == [
        "typed:2026-W14",
        W15,
        "typed:2026-W15",
        APRIL,
    ]


def test_month_is_not_written_before_its_weeks(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    assert roots.written(memory, tiers=("month",)) == []
    memory.compact(CompactOptions(("week",), period="2026-W14"))
    assert roots.written(memory, tiers=("month",)) == []
    memory.compact(CompactOptions(("week",)))
    assert roots.written(memory, tiers=("month",)) == [APRIL]


def test_selected_sentences_do_not_replace_what_a_model_wrote(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory, model=roots.Careful())
    before = roots.bullets(roots.text(memory, "memory/weekly/2026-W14.md"))
    day = memory.root / "memory/2026-04-02.md"
    day.write_text(day.read_text().replace("release 2.4.1", "release 2.4.2"))
    plan = lithify(["compact", "--dry-run", "--root", str(memory.root)]).stdout
    assert "left to the agent for now (edited 2026-04-02)" in plan
    report = memory.compact()
    assert W14 in {task.key for task in report.left}
    said = {r.task.key: r.reason for r in report.results if r.reason}
    assert said[W14].startswith(f"1 of {len(before)} bullets rested on what was changed")
    page = roots.text(memory, "memory/weekly/2026-W14.md")
    assert "engine: careful" in page
    assert roots.bullets(page) == [b for b in before if "2.4.1" not in b]
    assert roots.state(memory, W14) == "stale"
    assert not [r for r in memory.compact().results if r.task.key == W14], "once is enough"
    # The day as it was: so is the page.
    edited = day.read_text()
    day.write_text(edited.replace("release 2.4.2", "release 2.4.1"))
    said = {r.task.key: r.reason for r in memory.compact().results if r.reason}
    assert said[W14] == f"1 of {len(before)} bullets came back with the lines that they rest on"
    assert said.keys() == {W14, APRIL}
    assert roots.bullets(roots.text(memory, "memory/weekly/2026-W14.md")) == before
    assert {roots.state(memory, W14), roots.state(memory, APRIL)} == {"current"}
    assert not memory.compact().results
    day.write_text(edited)
    memory.compact()
    assert roots.state(memory, W14) == "stale"
    # Nobody wrote it for `agent.wait_days`.
    for path in (memory.root / "memory").glob("2026-*.md"):
        os.utime(path, (roots.NOW.timestamp(),) * 2)
    later = roots.opened(memory.root, roots.NOW + timedelta(memory.settings.agent.wait_days))
    assert W14 in roots.written(later)
    assert "engine: offline" in roots.text(memory, "memory/weekly/2026-W14.md")


def test_whoever_names_the_offline_engine_has_it_write(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    roots.written(memory, model=roots.Careful())
    roots.put(memory.root, "2026-04-01", ["Decided to keep the old parser until June."])
    assert W14 not in roots.written(memory)
    assert "engine: careful" in roots.text(memory, "memory/weekly/2026-W14.md")
    assert W14 in roots.written(memory, model="offline")
    assert "engine: offline" in roots.text(memory, "memory/weekly/2026-W14.md")
