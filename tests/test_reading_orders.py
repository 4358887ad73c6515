"""An agent's page is read by another session when it is in force; and the gate's summaries."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import faults
import roots
from commands import lithify
from lithify.compact.orders import Order
from lithify.engines.base import Call, Completion, Scripted
from lithify.engines.replies import SavedReplies
from lithify.errors import ModelError
from lithify.gate.gatekeeper import Gatekeeper, Submitted
from lithify.gate.submission import RefusedSummary
from lithify.memory import CompactOptions, Memory
from lithify.store import commit as store
from test_gate_core import good, prose
from test_reading import (
    DAYS,
    WISDOM,
    admin_tool,
    claims_in,
    commits,
    denying,
    forgetful,
    lying,
    not_read,
    page,
    reader,
    reworded,
    rules,
    signed_off_by_tomasz,
    verdicts,
    with_how,
    worded,
)

AGENT = 'model = "agent"\n'
Writer = Callable[[Call], str]


def call_of(order: Order) -> Call:
    return Call(order.user, order.system, 0, 0)


def work(
    memory: Memory,
    session: str,
    writer: Writer = lying,
    *,
    is_false: Callable[[str], bool] = signed_off_by_tomasz,
    until: str = "",
    **asks: Any,
) -> list[str]:
    """Work off what a session is offered, up to an order; the orders' names without their digests."""
    done: list[str] = []
    while (order := memory.next_order(session=session, **asks).order) is not None:
        name = order.id.rpartition("-")[0]
        if until and name.startswith(until):
            break
        call = call_of(order)
        reply = verdicts(call, is_false) if order.kind == "read" else writer(call)
        assert memory.hand_in(order.id, reply, session=session).state in ("committed", "part")
        done.append(name)
        assert len(done) < 20
    return done


def reading(memory: Memory, session: str = "two", **asks: Any) -> Order:
    """The reading order that a session is offered."""
    order = memory.next_order(session=session, **asks).order
    assert order and order.kind == "read"
    return order


def one_week(tmp_path: Path, writer: Writer = lying) -> Memory:
    """A root with one page, written by session one and read by nobody."""
    memory = roots.made(tmp_path, DAYS, AGENT)
    assert work(memory, "one", writer, until="month")[0] == "page-week-2026-W14"
    return memory


# Offered to whom


def test_a_page_is_committed_when_code_has_passed_it_and_read_afterwards(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    assert "Tomasz signed" in page(memory) and "\nread: " not in page(memory)
    assert "week:2026-W14" in [task.key for task in memory.status().to_read]
    assert memory.status().exit_code == 3
    before = page(memory)
    assert work(memory, "two")[0].startswith("read-")
    assert "Tomasz signed" not in page(memory)
    assert "\nread: agent:unknown 2026-04-20\n" in page(memory)
    assert "\nengine: agent:unknown\n" in page(memory)
    history = memory.root / ".lithify/history/memory/weekly/2026-W14.md"
    assert before in [path.read_text() for path in history.iterdir()]
    held = [(text, why) for one in memory.quarantine() for text, why in one.refused]
    ((text, why),) = held
    assert "Tomasz signed" in text
    assert why == ("reader: contradicted: the entry says otherwise",)
    assert lithify(["check", "--root", str(memory.root)]).returncode == 0


def test_a_page_is_never_offered_to_the_session_that_wrote_it(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, roots.MARKED, AGENT)
    assert not any(name.startswith("read") for name in work(memory, "one", roots.answer))
    later = Memory.open(memory.root, clock=lambda: roots.NOW + timedelta(days=3))
    order = later.next_order(session="one").order
    assert order is None or order.kind != "read"


def test_the_writers_session_cannot_hand_in_verdicts_on_its_own_page(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    order = reading(memory)
    # As that session's subagent might: what it was given is the order, not a name.
    own = memory.next_order(session="one").order
    assert own is None or own.kind != "read"
    assert reading(memory, "one", as_reader=True).id == order.id


def test_a_session_that_read_untrusted_text_is_offered_no_reading(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    order = reading(memory)
    for as_reader in (False, True):
        other = memory.next_order(session="three", by="web", as_reader=as_reader).order
        assert other is None or other.kind != "read"
    done = memory.hand_in(order.id, verdicts(call_of(order)), session="three", by="web")
    assert done.state == "refused"
    assert "\nread: " not in page(memory)


def test_a_session_without_a_name_counts_as_another_after_twelve_hours(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS, AGENT)
    work(memory, "", until="month")
    for hours, kind in ((11, "page"), (12, "read")):
        later = Memory.open(memory.root, clock=lambda h=hours: roots.NOW + timedelta(hours=h))  # type: ignore[misc]
        order = later.next_order().order
        assert (order.kind if order else "page") == kind


def test_a_subagent_given_nothing_but_the_order_may_read_at_once(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    order = reading(memory, "one", as_reader=True)
    done = memory.hand_in(order.id, verdicts(call_of(order)), session="one")
    assert done.state == "committed"
    assert "\nread: agent:unknown 2026-04-20\n" in page(memory)
    assert memory.next_order(session="one", as_reader=True).order is None


def test_a_reader_is_offered_no_page_to_write(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS, AGENT)
    assert memory.next_order(session="one", as_reader=True).order is None


def test_many_unread_pages_are_one_order(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {**roots.DAYS, **DAYS}, AGENT)
    work(memory, "one", reworded, until="month")
    order = reading(memory)
    assert {"week:2026-W14", "week:2026-W15"} <= {task.key for task in order.tasks}
    assert memory.hand_in(order.id, verdicts(call_of(order)), session="two").state == "committed"
    for week in ("2026-W14", "2026-W15"):
        assert "\nread: agent:unknown 2026-04-20\n" in page(memory, week)
    assert not memory.status().to_read


def test_a_page_written_meanwhile_does_not_spoil_an_open_reading(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {**roots.DAYS, **DAYS}, AGENT)
    work(memory, "one", reworded, until="page-week-2026-W15")
    order = reading(memory)
    work(memory, "one", reworded, until="month")
    done = memory.hand_in(order.id, verdicts(call_of(order)), session="two")
    assert done.state == "committed"
    assert "\nread: " in page(memory) and "\nread: " not in page(memory, "2026-W15")


def test_a_month_is_offered_when_its_weeks_are_read_or_have_waited(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    order = memory.next_order(session="one").order
    assert order is None or order.task.tier != "month"
    late = Memory.open(memory.root, clock=lambda: roots.NOW + timedelta(days=8))
    order = late.next_order(session="one").order
    assert order and order.task.tier == "month"
    read = reading(memory)
    after = memory.hand_in(read.id, verdicts(call_of(read)), session="two")
    assert after.order and after.order.task.tier == "month"


# Verdicts that are not believed


@pytest.mark.parametrize(
    "reply",
    [
        denying,
        lambda call: verdicts(call).replace('"contradicted"', '"supported"'),
        lambda call: "1: supported",
    ],
    ids=["denies everything", "agrees with everything", "leaves out"],
)
def test_after_two_failed_readings_a_page_is_not_offered_again(
    tmp_path: Path, reply: Writer
) -> None:
    memory = one_week(tmp_path)
    before = page(memory)
    for session in ("two", "three"):
        assert memory.status().to_read
        order = reading(memory, session)
        done = memory.hand_in(order.id, reply(call_of(order)), session=session)
        assert done.state == "committed" and "not read: it" in done.reason
    assert page(memory) == before
    order_after = memory.next_order(session="four").order
    assert order_after is None or order_after.kind != "read"
    assert "week:2026-W14" in not_read(memory)
    assert not memory.status().to_read


def test_verdicts_that_cannot_be_read_are_sent_back_once(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    order = reading(memory)
    done = memory.hand_in(order.id, "Looks fine to me.", session="two")
    assert done.state == "sent back" and done.order and done.order.back
    again = done.order
    done = memory.hand_in(again.id, verdicts(call_of(again)), session="two")
    assert done.state == "committed" and "\nread: " in page(memory)


@pytest.mark.parametrize("reply", ["", "x" * 200_000])
def test_empty_or_huge_verdicts_are_refused_and_the_order_stands(
    tmp_path: Path, reply: str
) -> None:
    memory = one_week(tmp_path)
    order = reading(memory)
    assert memory.hand_in(order.id, reply, session="two").state == "refused"
    assert reading(memory).id == order.id


def test_the_writer_is_told_once_what_its_reader_took_out_and_only_that_is_read_again(
    tmp_path: Path,
) -> None:
    memory = one_week(tmp_path)
    first = reading(memory)
    memory.hand_in(first.id, verdicts(call_of(first), signed_off_by_tomasz), session="two")
    assert "Tomasz signed" not in page(memory)
    order = memory.next_order(session="one").order
    assert order and order.kind == "mend" and order.back
    assert [claim.text for claim in order.back.claims if "Tomasz signed" in claim.text]
    assert "Tomasz signed" in order.user and "contradicted" in order.user
    true = "### Key Outcomes\n- Release 2.4.1 of the login page was signed off by Priya. [e3]"
    memory.hand_in(order.id, re.sub(r"\[e3\]", _label(order, "2.4.1"), true), session="one")
    assert "signed off by Priya" in page(memory) and "\nread: " not in page(memory)
    again = reading(memory)
    told = [text for _, text in claims_in(again.user) if text.startswith(("Release", "In short"))]
    assert told == ["Release 2.4.1 of the login page was signed off by Priya."]
    memory.hand_in(again.id, verdicts(call_of(again)), session="two")
    assert "signed off by Priya" in page(memory) and "\nread: " in page(memory)
    following = memory.next_order(session="one").order
    assert following is None or following.kind != "mend"


def _label(order: Any, words: str) -> str:
    found = re.search(rf"^(\[e\d+\]) .*{re.escape(words)}", order.user, re.MULTILINE)
    assert found
    return found[1]


def test_a_week_shown_in_part_stays_one_when_it_is_read(tmp_path: Path) -> None:
    names = ("Ada", "Bela", "Cleo", "Dora", "Emil", "Finn", "Gwen", "Hugo")
    lines = [f"{names[n % 8]} checked valve {n + 100} of hall {n % 7 + 50}." for n in range(400)]
    lines[::40] = [f"Decision: hall {n} closes at {n % 9 + 12}:00." for n in range(0, 400, 40)]
    memory = roots.made(tmp_path, {"2026-04-02": lines}, f"{AGENT}[agent]\norder_tokens = 1000\n")
    work(memory, "one", until="month")
    counted = re.compile(r"^(?:shown|kept|tokens): .*$", re.MULTILINE)
    before = counted.findall(page(memory))
    assert len(before) == 3
    order: Any = reading(memory)
    claim = claims_in(order.user)[0][1]
    while order and order.kind == "read":
        said = verdicts(call_of(order), lambda text: text == claim)
        order = memory.hand_in(order.id, said, session="two").order
    after = counted.findall(page(memory))
    assert "\nread: " in page(memory)
    assert [one for one in before if "shown" in one] == [one for one in after if "shown" in one]
    assert [one.partition(" of ")[2] for one in before] == [
        one.partition(" of ")[2] for one in after
    ]


def test_how_to_apply_leaves_a_memory_of_an_agent_alone(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS, AGENT)
    work(memory, "one", with_how, until="month")
    path = next((memory.root / "memory").glob("feedback_never*.md"))
    assert "admin tool" in path.read_text()
    order = reading(memory)
    assert "(judgement) Drain the queue with the admin tool" in order.user
    memory.hand_in(order.id, verdicts(call_of(order), admin_tool), session="two")
    assert "**How to apply:** not stated" in path.read_text()
    assert "Never restart the queue" in path.read_text()


def test_the_only_memory_of_a_week_goes_when_its_reader_does_not_support_it(
    tmp_path: Path,
) -> None:
    memory = roots.made(tmp_path, DAYS, AGENT)
    work(memory, "one", with_how, until="month")
    path = next((memory.root / "memory").glob("feedback_never*.md"))
    order = reading(memory)
    statement = "Never restart the queue by hand"
    memory.hand_in(
        order.id, verdicts(call_of(order), lambda text: text.startswith(statement)), session="two"
    )
    assert not path.exists()
    assert "typed:2026-W14" not in not_read(memory)
    assert "typed:2026-W14" in lithify(["quarantine", "list", "--root", str(memory.root)]).stdout


# Disputed pages


def test_a_disputed_page_keeps_all_and_goes_back_to_its_writer_once(tmp_path: Path) -> None:
    memory = one_week(tmp_path, reworded)
    before = roots.bullets(page(memory))

    def most(text: str) -> bool:
        return text.startswith("In short") and "importer" not in text

    order = reading(memory)
    memory.hand_in(order.id, verdicts(call_of(order), most), session="two")
    assert roots.bullets(page(memory)) == before
    assert "unsupported" in not_read(memory)["week:2026-W14"]
    mend = memory.next_order(session="one").order
    assert mend and mend.kind == "mend" and mend.id.startswith("mend-week-2026-W14-")
    assert "contradicted: the entry says otherwise" in mend.user
    done = memory.hand_in(mend.id, roots.answer(call_of(mend)), session="one")
    assert done.state in ("committed", "part"), done
    assert not any(line.startswith("- In short: Shipped") for line in roots.bullets(page(memory)))
    # It is read again; disputed once more, it is not offered to its writer again.
    order = reading(memory)
    found = verdicts(
        call_of(order), lambda text: text.startswith(("Shipped", "Decided", "Blocked"))
    )
    memory.hand_in(order.id, found, session="two")
    after = memory.next_order(session="one").order
    assert after is None or after.kind != "mend"


# The one question


def told_too_little(folder: Path, toml: str = AGENT) -> tuple[Memory, Order | None]:
    """A root whose week leaves marked entries out, and the order that asks its writer for them."""
    memory = roots.made(folder, DAYS, toml)
    order = memory.next_order(session="one").order
    assert order
    return memory, memory.hand_in(order.id, forgetful(call_of(order)), session="one").order


def test_marked_entries_left_out_are_asked_for_when_the_page_is_in_force(tmp_path: Path) -> None:
    memory, mend = told_too_little(tmp_path)
    assert "certificate" not in page(memory)
    assert not memory.status().left_out, "its writer was not asked yet"
    assert mend and mend.id.startswith("mend-week-2026-W14-")
    assert "Blocked: the staging certificate" in mend.user
    memory.hand_in(mend.id, roots.answer(call_of(mend)), session="one")
    assert "certificate has expired" in page(memory)
    after = memory.next_order(session="one").order
    assert after is None or after.kind != "mend"
    assert not memory.status().left_out


def test_none_is_an_answer_and_is_asked_for_once(tmp_path: Path) -> None:
    memory, mend = told_too_little(tmp_path)
    assert mend and mend.kind == "mend"
    before = roots.bullets(page(memory))
    assert memory.hand_in(mend.id, "NONE", session="one").state == "committed"
    assert roots.bullets(page(memory)) == before
    assert {task.key: lost for task, lost in memory.status().left_out} == {"week:2026-W14": 1}
    after = memory.next_order(session="one").order
    assert after is None or after.kind != "mend"


def test_unanswered_nothing_is_lost(tmp_path: Path) -> None:
    memory, _ = told_too_little(tmp_path)
    assert roots.state(memory, "week:2026-W14") == "current"
    assert reading(memory).tasks


def test_the_question_goes_along_with_a_send_back(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS, AGENT)
    order = memory.next_order(session="one").order
    assert order
    wrong = forgetful(call_of(order)).replace("2.4.1", "7.7.7")
    done = memory.hand_in(order.id, wrong, session="one")
    assert done.state == "sent back" and done.order
    assert "7.7.7" in done.order.user and "Blocked: the staging" in done.order.user
    done = memory.hand_in(done.order.id, "NONE", session="one")
    assert done.state == "committed"
    after = memory.next_order(session="one").order
    assert after is None or after.kind != "mend"


# Wisdom


def taught(tmp_path: Path) -> Memory:
    memory = roots.made(tmp_path, WISDOM, AGENT)
    memory.compact(CompactOptions(("week", "typed", "month"), model="offline"))
    order = memory.next_order(session="one").order
    assert order and order.task.tier == "wisdom"
    memory.hand_in(order.id, worded(call_of(order)), session="one")
    return memory


def test_wisdom_of_an_agent_waits_for_its_reader_and_is_then_applied(tmp_path: Path) -> None:
    memory = taught(tmp_path)
    assert "as agreed" not in rules(memory) and memory.wisdom.proposals()
    order = reading(memory)
    memory.hand_in(order.id, verdicts(call_of(order)), session="two")
    assert "as agreed" in rules(memory)
    assert not memory.wisdom.proposals()
    said = " ".join(str(one) for one in memory.snapshot().ledger.wisdom.decisions)
    assert "supported by agent:unknown" in said


def test_wisdom_that_its_reader_does_not_support_is_turned_down(tmp_path: Path) -> None:
    memory = taught(tmp_path)
    order = reading(memory)

    def oslo(text: str) -> bool:
        return "as agreed" in text and "Oslo" in text

    memory.hand_in(order.id, verdicts(call_of(order), oslo), session="two")
    assert "Friday" in rules(memory) and "Oslo" not in rules(memory)
    assert not memory.wisdom.proposals()


def test_wisdom_that_nobody_reads_stays_a_proposal(tmp_path: Path) -> None:
    memory = taught(tmp_path)
    assert memory.next_order(session="one").order is None
    assert memory.status().proposals and "as agreed" not in rules(memory)


# Kept once


def test_the_same_verdicts_twice_have_one_winner(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    order = reading(memory)
    memory.hand_in(order.id, verdicts(call_of(order), signed_off_by_tomasz), session="two")
    before = page(memory)
    again = memory.hand_in(order.id, verdicts(call_of(order)), session="two")
    assert again.state in ("again", "refused")
    assert page(memory) == before


def test_verdicts_saved_before_a_crash_are_taken_up(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    order = reading(memory)
    SavedReplies(memory.root).put(order.key, Completion(verdicts(call_of(order))))
    following = memory.next_order(session="two")
    assert "week:2026-W14" in [one.task.key for one in following.results]
    assert following.order is None or following.order.kind != "read"
    assert "\nread: " in page(memory)


def test_an_order_whose_page_changed_takes_nothing(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    order = reading(memory)
    path = memory.root / "memory/weekly/2026-W14.md"
    path.write_text(path.read_text().replace("In short: Merged", "Merged") + "- By hand.\n")
    done = memory.hand_in(order.id, verdicts(call_of(order)), session="two")
    assert done.state == "refused" or "By hand." in page(memory)


def agent_on_a_root_that_is_read(folder: Path, kinds: list[str]) -> dict[str, int]:
    """Kill every other session of a writer and its reader at points spread over the run."""
    start = folder / "start"
    roots.make(start, DAYS, AGENT)
    whole = faults_copy(start, folder / "whole")
    made, asked = _session(whole)
    calls = len(made)
    met = {}
    for kind in kinds:
        hit = 0
        for n in range(8):
            root = faults_copy(start, folder / f"{kind}-{n}")
            point = 1 + int((n + 0.5) * calls / 8)
            hit += faults.break_at(kind, point, lambda root=root: _work_off(root), root) is not None  # type: ignore[misc]
            saved, before = _saved(root), _asked(root)
            _work_off(root)
            assert _dateless(root) == _dateless(whole)
            # What reached disk is not asked for again: at most the one reply that was lost is.
            again = [name for name in _asked(root)[len(before) :] if name in before]
            assert len(again) <= 1 and not any(_is_saved(name, saved) for name in again)
            assert set(saved) <= set(_saved(root))
            assert roots.opened(root).check() == ()
            assert roots.opened(root).next_order(session="two").order is None
        met[kind] = hit
    assert asked
    return met


def faults_copy(start: Path, root: Path) -> Path:
    import shutil

    shutil.copytree(start, root)
    return root


def _work_off(root: Path) -> None:
    memory = roots.opened(root)
    for session in ("one", "two", "one", "two"):
        while (order := memory.next_order(session=session).order) is not None:
            with root.with_name(f"{root.name}.asked").open("a") as file:
                file.write(f"{order.id}\n")
            call = call_of(order)
            is_reading = order.kind == "read"
            reply = verdicts(call, signed_off_by_tomasz) if is_reading else _leaves_out(call)
            memory.hand_in(order.id, reply, session=session)


def _leaves_out(call: Call) -> str:
    said = lying(call)
    if roots.stage_of(call.prompt) == "combined":
        return "\n".join(line for line in said.splitlines() if "Blocked" not in line)
    return said


def _session(root: Path) -> tuple[list[str], list[str]]:
    from compactions import _made

    return _made(lambda: _work_off(root)), _saved(root)


def _asked(root: Path) -> list[str]:
    """The orders that were answered, saved or not."""
    path = root.with_name(f"{root.name}.asked")
    return path.read_text().split() if path.exists() else []


def _is_saved(order: str, saved: list[str]) -> bool:
    return any(name.startswith(order.rpartition("-")[2]) for name in saved)


def _saved(root: Path) -> list[str]:
    return [path.name for path in (root / ".lithify/replies").glob("*.json")]


def _dateless(root: Path) -> dict[str, bytes]:
    return {
        path: re.sub(rb"^journal: .*\n", b"", data, flags=re.MULTILINE)
        for path, data in roots.pages(root).items()
    }


def test_killed_between_any_steps_nothing_is_lost_and_nothing_asked_twice(tmp_path: Path) -> None:
    points = faults.run(
        "test_reading_orders:agent_on_a_root_that_is_read", tmp_path, ["kill", "kill-half"]
    )
    assert points["kill"] == 8


# Commands and MCP


def test_commands_offer_and_take_readings(tmp_path: Path) -> None:
    memory = one_week(tmp_path)
    root = ["--root", str(memory.root)]
    # The command runs in no session here, so it reads as a subagent would.
    said = lithify(["write", "next", "--as-reader", *root]).stdout
    assert "judge the claims below" in said
    order = json.loads(lithify(["write", "next", "--as-reader", "--json", *root]).stdout)["order"]
    assert order["kind"] == "read" and "week:2026-W14" in order["pages"]
    reply = verdicts(Call(order["prompt"], "", 0, 0), signed_off_by_tomasz)
    done = lithify(["write", "submit", order["id"], "--json", *root], stdin=reply)
    assert done.returncode == 4, done.stdout
    assert json.loads(done.stdout)["state"] == "committed"
    assert "Tomasz signed" not in page(memory)
    nothing = json.loads(lithify(["write", "next", "--as-reader", "--json", *root]).stdout)
    assert nothing["order"] is None


def test_newest_offers_the_newest_week_first(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, None, AGENT)
    root = ["--json", "--root", str(memory.root)]
    for args, period in (([], "2026-W14"), (["--newest"], "2026-W15")):
        order = json.loads(lithify(["write", "next", *args, *root]).stdout)["order"]
        assert order["period"] == period
    reply = roots.answer(Call(order["prompt"], order["system"], 0, 0))
    done = lithify(["write", "submit", order["id"], *root], stdin=reply)
    assert done.returncode == 0, done.stdout
    assert page(memory, "2026-W15")


def test_mcp_hands_out_readings_to_another_session_and_to_a_reader(tmp_path: Path) -> None:
    pytest.importorskip("mcp")
    from lithify.mcp.call import ToolCall
    from mcp_clients import answer

    memory = Memory.open(roots.make(tmp_path / "root", DAYS, AGENT))
    for session in ("one", "two"):
        memory.gate.record(session, "prompt", "Good morning.")
    one, two = (ToolCall(str(memory.root), "tests", session, True) for session in ("one", "two"))
    order = answer(one, "next_page", {}).structured_content
    assert order and order["order"].startswith("page-week-2026-W14-")
    said = lying(Call(order["text"], "", 0, 0))
    answer(one, "submit_page", {"order": order["order"], "page": said})
    other = answer(two, "next_page", {}).structured_content
    same = answer(one, "next_page", {"as_reader": True}).structured_content
    assert other and same and other["order"] == same["order"] and other["order"].startswith("read-")
    verdict = verdicts(Call(other["text"], "", 0, 0), signed_off_by_tomasz)
    done = answer(two, "submit_page", {"order": other["order"], "page": verdict})
    assert done.structured_content and done.structured_content["state"] == "committed"
    assert "Tomasz signed" not in page(memory)
    assert "\nread: agent:tests " in page(memory)


def test_a_model_reads_the_page_of_an_agent_before_it_is_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")
    pytest.importorskip("rs_bpe", reason="pip install rs-bpe")
    import wire

    wire.reach(monkeypatch)
    with wire.serving(lambda call: verdicts(call, signed_off_by_tomasz)) as server:
        toml = f'model = "agent"\nverify.reader = "openai-compatible:{server.url}/v1#m"\n'
        memory = roots.made(tmp_path, DAYS, toml)
        order = memory.next_order().order
        assert order and not server.seen
        done = memory.hand_in(order.id, lying(call_of(order)))
        assert done.state == "sent back" and done.order and done.order.back
        assert done.order.back.violations[0].rule == "reader"
        done = memory.hand_in(done.order.id, reworded(call_of(done.order)))
        assert done.state in ("committed", "part")
        assert "Priya signed" in page(memory) and '\nread: "openai' in page(memory)


def test_what_a_writer_adds_later_is_read_by_the_model_that_read_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")
    pytest.importorskip("rs_bpe", reason="pip install rs-bpe")
    import wire

    def blocked(text: str) -> bool:
        return text.startswith("In short: Blocked")

    wire.reach(monkeypatch)
    for name, is_false in (("true", lambda text: False), ("false", blocked)):
        with wire.serving(lambda call: verdicts(call, is_false)) as server:  # noqa: B023
            toml = f'model = "agent"\nverify.reader = "openai-compatible:{server.url}/v1#m"\n'
            memory, mend = told_too_little(tmp_path / name, toml)
            assert mend and mend.kind == "mend"
            memory.hand_in(mend.id, reworded(call_of(mend)), session="one")
            assert ("certificate" in page(memory)) is (name == "true")
            assert '\nread: "openai' in page(memory)
            assert not memory.status().to_read
    ((text, why),) = memory.quarantine()[0].refused
    assert "certificate" in text and why == ("reader: contradicted: the entry says otherwise",)


def test_a_page_of_untrusted_words_alone_waits_for_no_reader(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {}, AGENT)
    at = datetime(2026, 4, 2, 12, tzinfo=UTC)
    memory.log("The vendor's page says to reboot twice.", origin="web", at=at)
    assert work(memory, "one") == []
    assert "reboot twice" in page(memory)
    assert not memory.status().to_read


# Summaries of the gate


def closed_gate(root: Path) -> tuple[Gatekeeper, str]:
    """A gate that waits for a summary."""
    gate = Gatekeeper(root)
    job = gate.record("s", "prompt", prose(0, 300)).state.job
    assert gate.record("s", "answer", prose(50, 300)).closed_now
    return gate, job


def summary_reader(memory: Memory, model: Scripted) -> Any:
    from lithify.gate.submission import SummaryReader

    return SummaryReader(memory._reading(model)["reader"])


def test_a_gate_summary_that_contradicts_its_record_is_refused(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {}, "[gate]\nenabled = true\n")
    gate, job = closed_gate(memory.root)
    own = [line.removeprefix("- ") for line in good(0).splitlines()]
    second = reader(lambda text: text in own)
    refused = gate.submit(job, good(0), reader=summary_reader(memory, second))
    assert isinstance(refused, RefusedSummary)
    assert "contradicted: the entry says otherwise" in refused.violations[0]
    assert all(one.text in second.calls[0].prompt for one in gate.full_state(job).pending)
    # What the record does not state is work between prompts, and passes.
    silent = Scripted(
        lambda call: verdicts(call, lambda text: text in own).replace(
            '"contradicted", "reason": "the', '"not stated", "reason": "the'
        ),
        "silent",
        reads=True,
    )
    done = gate.submit(job, good(0), reader=summary_reader(memory, silent))
    assert isinstance(done, Submitted)


@pytest.mark.parametrize("reply", [ModelError(model="m", reason="no network"), "?"])
def test_a_gate_does_not_stay_closed_because_a_reader_fails(
    reply: str | Exception, tmp_path: Path
) -> None:
    memory = roots.made(tmp_path, {}, "[gate]\nenabled = true\n")
    gate, job = closed_gate(memory.root)
    second = summary_reader(memory, Scripted(lambda call: reply, "m", reads=True))
    assert isinstance(gate.submit(job, good(0), reader=second), Submitted)
    assert second.note.startswith("not read: ")


def test_without_a_model_as_reader_summaries_are_not_read(tmp_path: Path) -> None:
    for name in ("same", "agent", "off"):
        memory = roots.made(tmp_path / name, {}, f'verify.reader = "{name}"\n')
        assert memory.summary_reader() is None


def test_what_a_reader_is_shown_holds_the_claims_of_the_page_and_its_controls(
    tmp_path: Path,
) -> None:
    memory = one_week(tmp_path)
    told = [text for _, text in claims_in(reading(memory).user)]
    bullets = [line.removeprefix("- ") for line in roots.bullets(page(memory))]
    assert set(bullets) <= set(told)
    assert len(told) > len(bullets)
    assert commits(memory, "week:2026-W14")[0]["reading"]["state"] == "waits"


class Killed(BaseException):
    pass


@pytest.mark.parametrize("goes_on", ["the same hand-in", "the next order", "a compaction"])
def test_a_reading_killed_between_two_pages_is_finished_and_asked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, goes_on: str
) -> None:
    memory = roots.made(tmp_path, {**roots.DAYS, **DAYS}, AGENT)
    work(memory, "one", until="month")
    order = reading(memory)
    assert len(order.tasks) > 1
    said = verdicts(call_of(order), signed_off_by_tomasz)
    commit = store.commit

    def killed_at_the_second(*args: Any) -> Any:
        if committed:
            raise Killed
        committed.append(args)
        return commit(*args)

    committed: list[Any] = []
    with monkeypatch.context() as patch:
        patch.setattr(store, "commit", killed_at_the_second)
        with pytest.raises(Killed):
            memory.hand_in(order.id, said, session="two")
    assert sum("\nread: " in page(memory, week) for week in ("2026-W14", "2026-W15")) == 1
    again = roots.opened(memory.root)
    match goes_on:
        case "the same hand-in":
            again.hand_in(order.id, said, session="two")
        case "the next order":
            again.next_order(session="two")
        case _:
            again.compact(CompactOptions(("week",), model="offline"))
    for week in ("2026-W14", "2026-W15"):
        assert "\nread: agent:unknown 2026-04-20" in page(memory, week)
    assert "Tomasz signed" not in page(memory)
    after = roots.opened(memory.root).next_order(session="three").order
    assert after is None or after.kind != "read"
