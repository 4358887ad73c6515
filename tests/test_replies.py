"""A reply that reached the disk is never bought again, however often the program is killed."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

import roots
from lithify.engines.base import Completion
from lithify.engines.replies import SavedReplies
from lithify.memory import CompactOptions
from lithify.store.commit import prune_replies
from lithify.values import Usage

pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")
pytest.importorskip("rs_bpe", reason="pip install rs-bpe")

import wire

NOW = "2026-11-01"

#: Forks a compaction for each line it reads: libraries are loaded once, and every run is a
#: process of its own that can be killed. At a fixed moment, so that a resumed run and an
#: unbroken one can be compared.
LAUNCHER = """
import os, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
import roots
from lithify.memory import CompactOptions
import lithify.compact.workspace, lithify.compact.run, lithify.engines.model, lithify.engines.offline
import pydantic_ai.direct, pydantic_ai.models.openai, pydantic_ai.providers.openai
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        memory = roots.opened(Path({root!r}), {now!r})
        report = memory.compact(CompactOptions(model={model!r}, workers={workers}))
        os._exit(any(r.status == "failed" for r in report.results))
    print(pid, flush=True)
    print(os.waitpid(pid, 0)[1], flush=True)
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[wire.Wire]:
    wire.reach(monkeypatch)
    with wire.serving() as found:
        yield found


def years(folder: Path, weeks: int) -> Path:
    """A root with a day in each of so many weeks."""
    days = {}
    for week in range(1, weeks + 1):
        days[f"{date(2025, 1, 1) + timedelta(weeks=week)}"] = (
            f"Decided to move job {week} to the night, because it times out.",
            f"Shipped release 2.{week}.1 of the login page.",
        )
    return roots.make(folder, days)


def saved(root: Path) -> int:
    return len(list((root / ".lithify" / "replies").glob("*.json")))


@pytest.mark.parametrize(("workers", "weeks", "calls"), [(1, 8, 17), (3, 7, 14)])
def test_killed_at_random_no_more_is_bought_than_saved_and_killed(
    workers: int, weeks: int, calls: int, server: wire.Wire, tmp_path: Path
) -> None:
    choose = random.Random(5)
    root = years(tmp_path / "root", weeks)
    model = f"openai-compatible:{server.url}/v1#m"
    code = LAUNCHER.format(
        tests=str(Path(__file__).parent), root=str(root), now=NOW, model=model, workers=workers
    )
    launcher = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert launcher.stdin and launcher.stdout
    kills, status = 0, -1
    while status:
        at = len(server.seen) + choose.randint(2, calls // 3)
        reached = threading.Event()

        def answer(call: wire.Call, at: int = at, reached: threading.Event = reached) -> str:
            if len(server.seen) >= at:
                reached.set()
            return wire.careful(call)

        server.answer = answer
        launcher.stdin.write("\n")
        launcher.stdin.flush()
        pid = int(launcher.stdout.readline())
        ended = threading.Thread(target=_kill_when, args=(reached, pid, choose.random() * 0.02))
        ended.start()
        status = int(launcher.stdout.readline())
        reached.set()
        ended.join()
        kills += status == signal.SIGKILL
        assert status in (0, signal.SIGKILL)
    launcher.stdin.close()
    launcher.wait(timeout=60)
    launcher.stdout.close()
    assert len(server.seen) >= calls
    assert kills >= 3
    assert saved(root) <= len(server.seen) <= saved(root) + kills * workers
    whole = years(tmp_path / "whole", weeks)
    roots.opened(whole, NOW).compact(CompactOptions(model=model))
    assert roots.pages(root) == roots.pages(whole)


def _kill_when(reached: threading.Event, pid: int, later: float) -> None:
    """Kill somewhere between a reply leaving the server and the page it is for."""
    reached.wait()
    threading.Event().wait(later)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def test_ctrl_c_ends_at_once_and_the_next_run_goes_on(server: wire.Wire, tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root")
    model = f"openai-compatible:{server.url}/v1#m"
    third = threading.Event()
    let_go = server.held

    def answer(call: wire.Call) -> str:
        if len(server.seen) == 3:
            third.set()
            let_go.clear()
            let_go.wait(60)
        return wire.careful(call)

    server.answer = answer
    argv = [sys.executable, "-c", roots.INTERRUPTIBLE, "compact", "--model", model]
    child = subprocess.Popen(
        [*argv, "--root", str(root)], stderr=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert third.wait(120)
    child.send_signal(signal.SIGINT)
    _, said = child.communicate(timeout=120)
    assert child.returncode == 130, said
    assert b"what was finished is kept" in said and b"Traceback" not in said
    assert saved(root) == 2
    let_go.set()
    server.answer = wire.careful
    roots.opened(root, "2026-05-11").compact(CompactOptions(model=model))
    assert len(server.seen) == saved(root) + 1


def test_a_saved_reply_says_its_model_and_all_that_it_used(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root")
    replies = SavedReplies(root, "some:model")
    replies.put("aa", Completion("text", Usage(10, 5, 4), "max_tokens"))
    assert replies.get("aa") == Completion("text", Usage(10, 5, 4), "max_tokens")
    data = json.loads((root / ".lithify" / "replies" / "aa.json").read_text())
    assert data["model"] == "some:model"


def test_replies_saved_before_models_were_noted_are_still_read(tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root")
    folder = root / ".lithify" / "replies"
    folder.mkdir(parents=True)
    old = {"text": "t", "usage": {"input": 1, "output": 2}, "stop_reason": "end"}
    (folder / "aa.json").write_text(json.dumps(old))
    assert SavedReplies(root).get("aa") == Completion("t", Usage(1, 2), "end")


def test_roots_share_replies_when_a_person_says_so(
    server: wire.Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = f"openai-compatible:{server.url}/v1#m"
    first, second, third = (roots.make(tmp_path / name) for name in ("a", "b", "c"))
    monkeypatch.setenv("LITHIFY_SHARED_REPLIES", str(first))
    roots.opened(second, "2026-05-11").compact(CompactOptions(model=model))
    bought = len(server.seen)
    roots.opened(third, "2026-05-11").compact(CompactOptions(model=model))
    assert len(server.seen) == bought > 0
    assert roots.pages(second) == roots.pages(third)
    assert saved(first) == saved(second) == saved(third) == bought


def test_pruning_takes_old_replies_and_nothing_else(server: wire.Wire, tmp_path: Path) -> None:
    root = roots.make(tmp_path / "root")
    memory = roots.opened(root, "2026-05-11")
    memory.compact(CompactOptions(model=f"openai-compatible:{server.url}/v1#m"))
    before = roots.pages(root)
    count = saved(root)
    assert prune_replies(root, 0.0) == (0, 0)
    assert prune_replies(root, 1e12)[0] == count > 0
    assert (saved(root), roots.pages(root)) == (0, before)
    assert memory.status().exit_code == 0
