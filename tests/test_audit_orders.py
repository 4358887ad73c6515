"""Audits after the fact: by an agent of another session, and of the gate's summaries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import roots
from commands import lithify
from lithify.engines.base import Call, Completion, Scripted
from lithify.engines.replies import SavedReplies
from lithify.errors import ModelError
from lithify.gate.gatekeeper import Gatekeeper, Submitted
from lithify.gate.submission import RefusedSummary, SummaryAudit
from lithify.memory import CompactOptions, Memory
from test_audit import commits, days, lying, page, reader, signed_off_by_tomasz, verdicts
from test_gate_core import good, prose

__all__ = ["days"]

AGENT = 'model = "agent"\n[verify]\naudit = "agent"\n'


def write_as(memory: Memory, session: str) -> list[str]:
    """Work off all that a session is offered; the ids of the orders without their digests."""
    done = []
    while (order := memory.next_order(session=session).order) is not None:
        call = Call(order.user, order.system, 0, 0)
        reply = verdicts(call, signed_off_by_tomasz) if order.audit else lying(call)
        assert memory.hand_in(order.id, reply, session=session).exit_code in (0, 4)
        done.append(order.id.rpartition("-")[0])
    return done


def test_a_page_is_offered_for_audit_to_another_session_than_its_writers(
    tmp_path: Path, days: dict[str, tuple[str, ...]]
) -> None:
    memory = roots.made(tmp_path, days, AGENT)
    written = write_as(memory, "one")
    assert written and not any(name.startswith("audit") for name in written)
    assert "Tomasz signed" in page(memory)
    assert "week:2026-W14" in [t.key for t in memory.status().to_audit]
    assert memory.status().exit_code == 3
    before = page(memory)
    theirs = write_as(memory, "two")
    assert theirs[0] == "audit-week-2026-W14"
    assert "Tomasz signed" not in page(memory)
    # The must-keep entry behind the lie is told in its own words instead.
    assert "Priya signed it off" in page(memory)
    history = memory.root / ".lithify/history/memory/weekly/2026-W14.md"
    assert before in [path.read_text() for path in history.iterdir()]
    assert any("audit: contradicted" in str(held.refused) for held in memory.quarantine())
    assert commits(memory, "week:2026-W14")[-1]["audit"]["by"] == "agent:unknown"
    assert lithify(["check", "--root", str(memory.root)]).returncode == 0


def test_a_page_of_an_unknown_session_is_offered_to_any(
    tmp_path: Path, days: dict[str, tuple[str, ...]]
) -> None:
    memory = roots.made(tmp_path, days, AGENT)
    names = write_as(memory, "")
    # Before the month is written, its week was audited.
    assert names.index("audit-week-2026-W14") < names.index("month-2026-04")
    assert not memory.status().to_audit
    assert write_as(memory, "another") == []


def test_an_audit_that_finds_nothing_changes_no_byte(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, None, '[verify]\naudit = "agent"\n')
    memory.compact(CompactOptions(("week",), model=roots.Careful()))
    before = roots.pages(memory.root)
    order = memory.next_order(session="two").order
    assert order and order.audit
    done = memory.hand_in(order.id, verdicts(Call(order.user, "", 0, 0)), session="two")
    assert (done.state, done.exit_code) == ("committed", 0)
    assert roots.pages(memory.root) == before
    assert [t.key for t in memory.status().to_audit] == ["week:2026-W15"]


def test_the_writers_session_cannot_hand_in_the_audit_of_its_own_page(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, None, AGENT)
    order = memory.next_order(session="one").order
    assert order
    memory.hand_in(order.id, roots.answer(Call(order.user, "", 0, 0)), session="one")
    audit = memory.next_order(session="two").order
    assert audit and audit.audit
    reply = verdicts(Call(audit.user, "", 0, 0))
    done = memory.hand_in(audit.id, reply, session="one")
    assert done.state == "refused" and "another one" in done.reason
    assert memory.hand_in(audit.id, reply, session="two").state == "committed"
    done = memory.hand_in(audit.id, reply, session="two")
    assert done.state == "refused" and "meanwhile" in done.reason


def test_a_session_that_read_untrusted_text_is_offered_no_audit(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, None, '[verify]\naudit = "agent"\n')
    memory.compact(CompactOptions(("week",), period="2026-W14", model=roots.Careful()))
    audit = memory.next_order(session="two").order
    assert audit and audit.audit
    other = memory.next_order(session="three", trusted=False).order
    assert other is None or not other.audit
    done = memory.hand_in(audit.id, verdicts(Call(audit.user, "", 0, 0)), trusted=False)
    assert done.state == "refused" and "untrusted" in done.reason


def test_verdicts_that_cannot_be_read_are_sent_back_once(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, None, '[verify]\naudit = "agent"\n')
    memory.compact(CompactOptions(("week",), period="2026-W14", model=roots.Careful()))
    order = memory.next_order().order
    assert order
    done = memory.hand_in(order.id, "Looks fine to me.")
    assert done.state == "sent back" and done.order and done.order.violations
    done = memory.hand_in(done.order.id, "As I said.")
    assert done.state == "committed" and "could not be read" in done.reason
    status = memory.status()
    assert not status.to_audit and [t.key for t in status.unaudited] == ["week:2026-W14"]


def test_a_reply_saved_before_a_crash_is_taken_up(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, None, '[verify]\naudit = "agent"\n')
    memory.compact(CompactOptions(("week",), model=roots.Careful()))
    order = memory.next_order().order
    assert order
    SavedReplies(memory.root).put(order.key, Completion(verdicts(Call(order.user, "", 0, 0))))
    following = memory.next_order()
    assert [r.task.key for r in following.results] == [order.task.key]
    assert following.order and following.order.id != order.id


def test_commands_offer_and_take_audits(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, None, '[verify]\naudit = "agent"\n')
    memory.compact(CompactOptions(("week",), period="2026-W14", model=roots.Careful()))
    root = ["--root", str(memory.root)]
    said = lithify(["write", "next", *root]).stdout
    assert "judge the claims of the summary of week 2026-W14" in said
    order = json.loads(lithify(["write", "next", "--json", *root]).stdout)["order"]
    assert order["kind"] == "audit"
    reply = verdicts(Call(order["prompt"], "", 0, 0))
    done = lithify(["write", "submit", order["id"], "--json", *root], stdin=reply)
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["results"][0]["audit"]["judged"] == 5


def test_a_model_audits_the_page_of_an_agent_before_it_is_committed(
    tmp_path: Path, days: dict[str, tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pydantic_ai", reason="pip install 'lithify[models]'")
    pytest.importorskip("rs_bpe", reason="pip install rs-bpe")
    import wire

    wire.reach(monkeypatch)
    with wire.serving(lambda call: verdicts(call, signed_off_by_tomasz)) as server:
        toml = f'model = "agent"\nverify.audit = "openai-compatible:{server.url}/v1#m"\n'
        memory = roots.made(tmp_path, days, toml)
        order = memory.next_order().order
        assert order and not server.seen
        done = memory.hand_in(order.id, lying(Call(order.user, "", 0, 0)))
        assert done.state == "sent back" and done.order
        assert done.order.violations[0].rule == "audit"
        done = memory.hand_in(done.order.id, roots.answer(Call(order.user, "", 0, 0)))
        assert done.state == "committed"
        # One call for the page, and one for the claim that changed.
        assert server.calls == 2


# Summaries of the gate


def closed_gate(root: Path) -> tuple[Gatekeeper, str]:
    """A gate that waits for a summary."""
    gate = Gatekeeper(root)
    job = gate.record("s", "prompt", prose(0, 300)).state.job
    assert gate.record("s", "answer", prose(50, 300)).closed_now
    return gate, job


def test_a_gate_summary_that_contradicts_its_record_is_refused(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {}, "[gate]\nenabled = true\n")
    gate, job = closed_gate(memory.root)
    second = reader(lambda text: True)
    auditor = memory._auditor(second)
    assert auditor
    refused = gate.submit(job, good(0), audit=SummaryAudit(auditor))
    assert isinstance(refused, RefusedSummary)
    assert "audit: contradicted: the entry says otherwise" in refused.violations[0]
    assert all(one.text in second.calls[0].prompt for one in gate.full_state(job).pending)
    # What the record does not state is work between prompts, and passes.
    silent = Scripted(lambda call: verdicts(call).replace('"supported"', '"not stated"'), "silent")
    auditor = memory._auditor(silent)
    assert auditor
    assert isinstance(gate.submit(job, good(0), audit=SummaryAudit(auditor)), Submitted)


@pytest.mark.parametrize("reply", [ModelError(model="m", reason="no network"), "?"])
def test_a_gate_does_not_stay_closed_because_a_reader_fails(
    reply: str | Exception, tmp_path: Path
) -> None:
    memory = roots.made(tmp_path, {}, "[gate]\nenabled = true\n")
    gate, job = closed_gate(memory.root)
    auditor = memory._auditor(Scripted(lambda call: reply, "m"))
    assert auditor
    audit = SummaryAudit(auditor)
    assert isinstance(gate.submit(job, good(0), audit=audit), Submitted)
    assert audit.note.startswith("not audited: ")


def test_gate_submit_asks_the_configured_reader_over_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pydantic_ai", reason="pip install 'lithify[models]'")
    pytest.importorskip("rs_bpe", reason="pip install rs-bpe")
    import wire

    wire.reach(monkeypatch)
    with wire.serving(lambda call: verdicts(call, lambda text: True)) as server:
        toml = f'gate.enabled = true\nverify.audit = "openai-compatible:{server.url}/v1#m"\n'
        root = roots.make(tmp_path / "root", {}, toml)
        _, job = closed_gate(root)
        args = ["gate", "submit", "--job", job, "--root", str(root)]
        for _ in range(2):
            done = lithify(args, stdin=good(0))
            assert done.returncode == 4
            assert "audit: contradicted" in done.stdout
        assert server.calls == 1, "a saved reply is not bought again"
