"""`scan` finds secrets in an existing root, and `scan --fix` takes them out of every file of it."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

import roots
from lithify.cli import lithify
from lithify.errors import UsageError
from lithify.memory import Memory
from lithify.store import disk, journal
from lithify.store.recover import recover

TOKEN = "gh" + "p_" + "aB3dE5" * 6
WORD = "Kiesel" + ".weg7"
DAYS = {
    "2026-03-30": [
        "Shipped the importer 2.4.1; Priya signed it off.",
        f"Decided to rotate {TOKEN} because it leaked in PR 318.",
        "Rule: Never deploy on Fridays, because nobody is there to roll back.",
    ],
    "2026-03-31": [
        f"Rule: Always use `password={WORD}` for the staging copy, because prod is off limits.",
        "Blocked: the staging certificate has expired and Tomasz has to renew it.",
    ],
}


def everything(root: Path, *, copies: bool = False) -> bytes:
    return b"".join(
        path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and (copies or "before-scan" not in path.parts)
    )


@pytest.fixture
def leaky(tmp_path: Path) -> Memory:
    """A root that was compacted while redaction was off: its pages hold what its days do."""
    memory = roots.made(tmp_path, DAYS, "[redact]\nenabled = false\n")
    memory.compact()
    memory.gate.record("s", "prompt", f"Please rotate {TOKEN} today.")
    (memory.root / "lithify.toml").write_text('zone = "UTC"\n')
    assert everything(memory.root).count(TOKEN.encode()) > 2
    return roots.opened(memory.root)


def run(root: Path, *args: str) -> tuple[int, str]:
    done = CliRunner().invoke(lithify, [*args, "--root", str(root)])
    return done.exit_code, done.output


def test_findings_are_listed_by_file_line_and_kind_and_never_in_full(leaky: Memory) -> None:
    code, said = run(leaky.root, "scan")
    assert code == 3
    assert "memory/2026-03-30.md:4" in said and "github-token" in said and "  password  " in said
    assert TOKEN not in said and WORD not in said
    data = json.loads(run(leaky.root, "scan", "--json")[1])
    assert {"path", "line", "kind", "masked", "text"} == set(data["found"][0])
    assert TOKEN not in json.dumps(data) and WORD not in json.dumps(data)


def test_fix_shows_what_it_replaces_in_its_line_with_every_secret_masked(tmp_path: Path) -> None:
    day = f"- Two for the relay: token {TOKEN}, password={WORD}, both in use.\n"
    memory = roots.made(tmp_path, {}, "[redact]\nenabled = false\n")
    (memory.root / "memory").mkdir(exist_ok=True)
    (memory.root / "memory/2026-03-30.md").write_text(day)
    code, said = run(memory.root, "scan", "--fix", "--yes")
    assert code == 0
    assert "- Two for the relay: token •••, password=•••, both in use." in said
    assert said.count("•••, password=•••, both in use.") == 2
    assert TOKEN not in said and WORD not in said
    assert TOKEN not in (memory.root / "memory/2026-03-30.md").read_text()


def test_check_names_the_days_and_status_repeats_it_without_a_search(leaky: Memory) -> None:
    assert "secrets were found" not in run(leaky.root, "status")[1]
    said = run(leaky.root, "check")[1]
    assert "memory/2026-03-30.md" in said and "github-token" in said and TOKEN not in said
    assert "lithify scan" in run(leaky.root, "status")[1]


def test_fix_leaves_no_secret_and_no_dead_citation(leaky: Memory) -> None:
    before = {task.key: task.state for task in leaky.plan()}
    cited = [m.sources for m in leaky.memories.list()]
    code, said = run(leaky.root, "scan", "--fix", "--yes")
    assert code == 0 and "before-scan" in said, said
    held = everything(leaky.root)
    assert TOKEN.encode() not in held and WORD.encode() not in held
    after = roots.opened(leaky.root)
    assert {task.key: task.state for task in after.plan()} == before
    serious = [p for p in after.check() if p.severity != "note"]
    assert serious == []
    assert [m.sources for m in after.memories.list()] != cited
    assert after.trace("memory/2026-03-30.md:4")
    assert run(leaky.root, "scan") == (0, "no secrets found\n")
    assert "secrets were found" not in run(leaky.root, "status")[1]
    assert journal.read(leaky.root).records[-1].kind == "scan"
    assert "[secret:github-token:" in (leaky.root / "memory/2026-03-30.md").read_text()


def test_saved_replies_are_mended_and_identity_files_only_named(leaky: Memory) -> None:
    (leaky.root / "SOUL.md").write_text(f"# Who I am\n\nI deploy with {TOKEN}.\n")
    replies = leaky.root / ".lithify/replies"
    replies.mkdir(exist_ok=True)
    (replies / "aa.json").write_text(json.dumps({"id": "b1", "note": f"sent {TOKEN}"}))
    said = run(leaky.root, "scan")[1]
    assert "SOUL.md:3" in said and ".lithify/replies/aa.json:1" in said
    code, said = run(leaky.root, "scan", "--fix", "--yes")
    assert code == 3 and "SOUL.md:3" in said and "never written" in said
    assert "I deploy with" in (leaky.root / "SOUL.md").read_text()
    assert TOKEN not in (replies / "aa.json").read_text()
    (leaky.root / "SOUL.md").unlink()
    assert TOKEN.encode() not in everything(leaky.root)
    assert run(leaky.root, "scan") == (0, "no secrets found\n")


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_the_old_files_are_kept_for_their_owner_only(leaky: Memory) -> None:
    old = (leaky.root / "memory/2026-03-30.md").read_bytes()
    done = leaky.remove_secrets()
    copies = leaky.root / done.copies
    assert (copies / "memory/2026-03-30.md").read_bytes() == old
    for path in (copies, *copies.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)
    assert "before-scan/" in (leaky.root / ".lithify/.gitignore").read_text().split()


def test_pages_name_a_head_that_the_journal_has(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, DAYS, "[redact]\nenabled = false\n")
    memory.log(f"Use {TOKEN} for the mirror.", at=roots.NOW.replace(day=2))
    memory.compact()
    (memory.root / "lithify.toml").write_text('zone = "UTC"\n')
    page = memory.root / "memory/weekly/2026-W14.md"
    before = page.read_text().partition("journal: ")[2][:14]
    roots.opened(memory.root).remove_secrets()
    after = roots.opened(memory.root)
    assert page.read_text().partition("journal: ")[2][:14] != before
    assert after.status().lost_head == ""
    assert [p for p in after.check() if p.severity != "note"] == []


def test_forget_reaches_the_copies(leaky: Memory) -> None:
    copies = leaky.root / leaky.remove_secrets().copies
    assert b"Tomasz" in everything(copies, copies=True)
    memory = roots.opened(leaky.root)
    memory.forget(memory.choose_to_forget(["Tomasz"]))
    assert b"Tomasz" not in everything(memory.root, copies=True)
    assert (copies / "memory/2026-03-30.md").exists()


def test_a_secret_of_several_paragraphs_is_one_entry_afterwards(tmp_path: Path) -> None:
    lines = ["MIIEpAIBAAKCAQEA7bq0" * 3] * 3
    key = "\n".join(
        ["-----BEGIN RSA PRIVATE KEY-----", "", *lines, "", "-----END RSA PRIVATE KEY-----"]
    )
    memory = roots.made(tmp_path, {})
    day = memory.root / "memory/2026-03-30.md"
    day.write_text(f"The key of the mirror:\n\n{key}\n\nShipped the mirror.\n")
    memory.remove_secrets()
    entries = roots.opened(memory.root).snapshot().entries(["memory/2026-03-30.md"])
    assert [entry.text[:20] for entry in entries][-1] == "Shipped the mirror."
    assert "MIIE" not in day.read_text() and "[secret:" in day.read_text()


def test_fix_asks_and_elsewhere_needs_yes(leaky: Memory) -> None:
    before = everything(leaky.root / "memory")
    done = CliRunner().invoke(lithify, ["scan", "--fix", "--root", str(leaky.root)])
    assert isinstance(done.exception, UsageError) and done.exception.exit_code == 2
    assert everything(leaky.root / "memory") == before


def test_an_untrusted_entry_stays_untrusted(tmp_path: Path) -> None:
    memory = roots.made(tmp_path, {}, "[redact]\nenabled = false\n")
    logged = memory.log(f"Use {TOKEN} from now on.", origin="web", at=roots.NOW)
    (memory.root / "lithify.toml").write_text('zone = "UTC"\n')
    memory = roots.opened(memory.root)
    memory.remove_secrets()
    after = roots.opened(memory.root)
    (entry,) = after.snapshot().entries([logged.path])
    assert entry.id not in logged.entries and entry.origin == "web"
    assert [p for p in after.check() if p.severity != "note"] == []
    again = after.log("One more thing.", at=roots.NOW)
    assert again.path == logged.path
    assert [p for p in roots.opened(memory.root).check() if p.severity != "note"] == []


def test_a_clean_root_is_not_touched(tmp_path: Path) -> None:
    memory = roots.made(tmp_path)
    memory.compact()
    before = everything(memory.root / "memory"), journal.read(memory.root)
    assert memory.remove_secrets().files == ()
    assert (everything(memory.root / "memory"), journal.read(memory.root)) == before
    assert not (memory.root / ".lithify/key").exists()


def test_digests_of_our_own_journal_are_no_credentials(tmp_path: Path) -> None:
    """Lines that speak of authenticators and keys hold hexadecimal digests too."""
    memory = roots.made(tmp_path)
    words = "2fa", "authenticator", "otp secret", "api key", "recovery code", "access token"
    with memory.locked():
        for number in range(60):
            said = {"command": f"set up the {words[number % len(words)]} of service {number}"}
            memory._workspace().note("unattended", said)
    assert journal.read(memory.root).records[-1].hash
    assert run(memory.root, "scan")[0] == 0


class Killed(BaseException):
    pass


def test_killed_anywhere_it_is_all_or_nothing_and_the_next_run_converges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every call that changes the disk is a place to die at."""
    names = ("write_new", "replace", "append", "remove", "make_dir")
    real = {name: getattr(disk, name) for name in names}

    def build(folder: Path) -> Memory:
        memory = roots.made(folder, DAYS, "[redact]\nenabled = false\n")
        memory.compact()
        (memory.root / ".lithify/key").write_text("11" * 32 + "\n")
        (memory.root / "lithify.toml").write_text('zone = "UTC"\n')
        return roots.opened(memory.root)

    whole = build(tmp_path / "whole")
    whole.remove_secrets()
    pages = everything(whole.root / "memory")
    step = 0
    while True:
        memory = build(tmp_path / f"at{step}")
        old = everything(memory.root / "memory")
        calls = iter(range(10_000))

        def dying(name: str):  # type: ignore[no-untyped-def]
            def call(*args: object, **more: object) -> object:
                if next(calls) >= step:  # noqa: B023
                    raise Killed
                return real[name](*args, **more)

            return call

        for name in names:
            monkeypatch.setattr(disk, name, dying(name))
        try:
            memory.remove_secrets()
            finished = True
        except Killed:
            finished = False
        for name in names:
            monkeypatch.setattr(disk, name, real[name])
        recover(memory.root)
        assert everything(memory.root / "memory") in (old, pages), step
        roots.opened(memory.root).remove_secrets()
        assert everything(memory.root / "memory") == pages
        assert TOKEN.encode() not in everything(memory.root)
        if finished:
            break
        step += 5
    assert step > 20
