"""The command as people use it: real processes, exit codes, JSON, bad input."""

from __future__ import annotations

import itertools
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import click
import pytest
from click.testing import CliRunner

import commands
from lithify import Memory
from lithify.cli import COMMANDS, lithify, render
from lithify.memory import CompactOptions
from lithify.values import TO_WRITE, Recall
from roots import INTERRUPTIBLE
from test_gate_core import prose

SAMPLE = Path(__file__).parent.parent / "examples" / "sample"


def run(
    *args: str, root: Path | None = None, stdin: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    place = () if root is None else ("--root", str(root))
    return commands.lithify([*args, *place], stdin=stdin, env={**os.environ, **env})


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns(".lithify"))
    return root


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help_with_an_example(name: str) -> None:
    done = run(name, "--help")
    assert done.returncode == 0
    assert "Example: " in done.stdout
    assert "Usage: " in done.stdout


def test_the_first_minute_of_a_new_user(tmp_path: Path) -> None:
    root = tmp_path / "new"
    assert run("init", str(root)).returncode == 0
    assert run("status", root=root).returncode == 0
    logged = run("log", "Shipped", "2.4.1", "--at", "2026-04-02T14:05", "--json", root=root)
    assert logged.returncode == 0
    said = json.loads(logged.stdout)
    assert said["origin"] == "agent"
    assert (root / said["path"]).read_text() == "- 14:05 Shipped 2.4.1\n"
    status = run("status", "--json", root=root)
    assert status.returncode == 3
    states = {(t["tier"], t["period"]): t["state"] for t in json.loads(status.stdout)["tasks"]}
    assert states[("week", "2026-W14")] == "due"
    assert run("init", str(root)).returncode == 0


def test_the_whole_job_on_the_sample_root(sample: Path) -> None:
    before = {p: p.read_bytes() for p in (sample / "memory").glob("*.md")}
    plan = run("compact", "--dry-run", root=sample)
    assert plan.returncode == 0
    assert "13 weeks" not in plan.stdout
    done = run("compact", root=sample)
    assert done.returncode in (0, 4), done.stderr
    assert "13 weeks" in done.stdout
    assert {p: p.read_bytes() for p in before} == before
    assert run("status", root=sample).returncode == 0
    assert run("check", root=sample).returncode == 0
    again = run("compact", root=sample)
    assert (again.returncode, again.stdout.strip()) == (0, "nothing was due")
    lines = (sample / "WISDOM.md").read_text().splitlines()
    first = next(n for n, line in enumerate(lines, 1) if line.startswith("**"))
    traced = run("trace", f"WISDOM.md:{first}", root=sample)
    assert traced.returncode == 0
    assert "memory/2026-" in traced.stdout
    shown = run("wisdom", "log", "--json", root=sample)
    assert all(d["reason"] for d in json.loads(shown.stdout))


def test_json_is_one_document_and_nothing_else(sample: Path) -> None:
    for args in (
        ("status", "--json"),
        ("compact", "--dry-run", "--json"),
        ("compact", "--json"),
        ("check", "--json"),
        ("wisdom", "show", "--json"),
        ("wisdom", "log", "--json"),
        ("wisdom", "review", "--json"),
        ("memories", "list", "--json"),
        ("quarantine", "list", "--json"),
        ("diff", "2026-W03", "--json"),
        ("trace", "memory/2026-01-13.md", "--json"),
        ("prompts", "show", "weekly", "--period", "2026-W03", "--json"),
    ):
        done = run(*args, "--quiet", root=sample)
        json.loads(done.stdout)
        assert done.stderr == ""


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("status", "--root", "/nowhere/at/all"), 2, "lithify init"),
        (("compact", "--period", "2026-W60"), 2, "2026-W60"),
        (("compact", "--model", "nobody:home"), 2, "nobody:home"),
        (("trace", "no such thing"), 1, "no such thing"),
        (("trace", "memory/2026-01-13.md:9999"), 1, "none of its entries"),
        (("log", ""), 2, "nothing to log"),
        (("log", "-", "x"), 2, "standard input"),
        (("log", "x", "--at", "noon"), 2, "14:05"),
        (("wisdom", "log", "-n", "0"), 2, "-n"),
        (("wisdom", "log", "-n", "-3"), 2, "-n"),
        (("log", "x", "--origin", "user"), 2, "only lower"),
        (("quarantine", "show", "ffff"), 1, "quarantine list"),
        (("diff", "1999-W01"), 1, "that was written here"),
        (("wisdom", "revoke", "x", "--reason", "y"), 2, "terminal"),
        (("models", "test", "offline"), 2, "offline asks no model"),
        (("nonsense",), 2, "nonsense"),
        (("status", "--nonsense"), 2, "nonsense"),
    ],
)
def test_bad_input_gets_one_clear_line(
    sample: Path, args: tuple[str, ...], code: int, words: str
) -> None:
    done = run(*args, root=None if "--root" in args or args == ("nonsense",) else sample)
    assert done.returncode == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_entry_for_a_day_ahead_says_that_it_waits(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    ahead = run("log", "x", "--at", "2999-01-01T10:00", "--json", root=tmp_path)
    assert ahead.returncode == 0 and json.loads(ahead.stdout)["entries"]
    assert "2999-01-01 is in the future" in ahead.stderr
    assert run("log", "x", "--at", "2026-04-02T10:00", root=tmp_path).stderr == ""
    assert run("log", "--", "- x", LITHIFY_ROOT=str(tmp_path)).returncode == 0


def test_one_of_a_thing_is_counted_as_one(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "The blue kayak is in berth 14", "--at", "2026-04-02T10:00", root=tmp_path)
    assert run("index", root=tmp_path).stdout.startswith("1 file, 1 entry, ")
    (tmp_path / "memory/2026-04-02.md").unlink()
    assert "1 entry was logged" in run("check", root=tmp_path).stdout


@pytest.mark.parametrize("width", [80, 40])
def test_table_is_folded_between_words_at_a_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ("2026-04-02", "MERGE", "Queues are restarted by the runbook", "because " * 9 + "so")
    (whole,) = render.table([row])
    monkeypatch.setattr(render, "columns", lambda: width)
    lines = render.table([row])
    assert len(lines) > 1 and max(map(len, lines)) <= width
    assert " ".join(lines).split() == whole.split()
    assert all(line.startswith("    ") for line in lines[1:])


def test_days_edited_and_deleted_by_hand_leave_check_clean_after_compaction(
    tmp_path: Path,
) -> None:
    run("init", str(tmp_path))
    for at, text in (("10:00", "Chose Postgres"), ("11:00", "Deploy failed, error 12")):
        run("log", text, "--at", f"2026-04-01T{at}", root=tmp_path)
    run("compact", root=tmp_path)
    day = tmp_path / "memory/2026-04-01.md"
    day.write_text(day.read_text().splitlines(keepends=True)[0])
    assert run("check", root=tmp_path).returncode == 3
    run("compact", root=tmp_path)
    assert run("check", root=tmp_path).returncode == 0
    run("log", "Never compacted", "--at", "2026-04-20T10:00", root=tmp_path)
    for path in (day, tmp_path / "memory/2026-04-20.md"):
        path.unlink()
    assert run("check", root=tmp_path).returncode == 3
    run("compact", "--accept-removed", root=tmp_path)
    assert run("check", root=tmp_path).returncode == 0
    run("log", "Back, and gone again", "--at", "2026-04-20T10:00", root=tmp_path)
    (tmp_path / "memory/2026-04-20.md").unlink()
    run("compact", "--accept-removed", root=tmp_path)
    assert run("check", root=tmp_path).returncode == 0


def test_damaged_journal_is_told_by_all_that_look_at_it(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", "--at", "2026-04-01T10:00", root=tmp_path)
    run("compact", root=tmp_path)
    journal = tmp_path / ".lithify/journal.jsonl"
    journal.write_text(journal.read_text().replace('"', "X", 1))
    for command, code in (("status", 3), ("compact", 0)):
        done = run(command, root=tmp_path)
        assert done.returncode == code
        assert "the journal is damaged (line 1: " in done.stdout
        assert "lithify check --repair" in done.stdout
        assert json.loads(run(command, "--json", root=tmp_path).stdout)["damage"]
    said = run("context", root=tmp_path).stdout
    assert said.startswith("The journal is damaged") and "Every page is written" not in said
    # The record of the capture was the damaged one: what it said of the entry is gone.
    done = run("check", "--repair", root=tmp_path)
    assert done.returncode == 3 and "lithify check --adopt" in done.stdout
    Memory.open(tmp_path).adopt_journal()
    assert run("check", root=tmp_path).returncode == 0
    for command in ("status", "compact"):
        done = run(command, root=tmp_path)
        assert done.returncode == 0 and "is damaged" not in done.stdout
    assert "Every page is written." in run("context", root=tmp_path).stdout
    journal.unlink()
    (tmp_path / ".lithify/history/memory").mkdir(parents=True)
    (tmp_path / ".lithify/history/memory/x").write_text("an older version")
    assert "it is missing, though" in run("status", root=tmp_path).stdout


def test_pages_of_selected_sentences_are_called_so_where_people_look(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    names = ["".join(letters) for letters in itertools.product("abdkm", "aei", "lnrst")]
    lines = [f"- The crate {one} was moved to the shed of {one[::-1]}." for one in names]
    (tmp_path / "memory" / "2026-03-31.md").write_text("\n".join(lines))
    for command in ("compact", "status"):
        said = " ".join(run(command, root=tmp_path).stdout.split())
        assert "2 pages are made of selected sentences" in said, command
        left = re.search(r"\((\d+) of 75 entries left out\)", said)
        assert left and 0 < int(left[1]) < 75, command
        assert "lithify write next --rewrite" in said, command
    page = (tmp_path / "memory" / "weekly" / "2026-W14.md").read_text()
    assert "engine: offline" in page and "selected" not in page


def test_closed_gate_is_in_the_status(tmp_path: Path) -> None:
    run("init", str(tmp_path), "--gate")
    assert json.loads(run("status", "--json", root=tmp_path).stdout)["closed_gates"] == []
    job = json.loads(run("gate", "record", prose(1, 600), "--json", root=tmp_path).stdout)["job"]
    due = f"of job {job} (about"
    said = run("status", root=tmp_path)
    assert "a gate is closed: interaction" in said.stdout and due in said.stdout
    (closed,) = json.loads(run("status", "--json", root=tmp_path).stdout)["closed_gates"]
    assert closed["job"] == job and due in closed["due"]


def test_compaction_says_which_days_are_missing(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", "--at", "2026-04-01T10:00", root=tmp_path)
    run("log", "Shipped 2.4.1", "--at", "2026-04-02T10:00", root=tmp_path)
    run("compact", root=tmp_path)
    (tmp_path / "memory/2026-04-01.md").unlink()
    done = run("compact", root=tmp_path)
    assert done.returncode == 0
    assert "week  2026-W14  missing  memory/2026-04-01.md is missing\n" in done.stdout
    assert "--accept-removed" in done.stdout
    found = json.loads(run("compact", "--json", root=tmp_path).stdout)["missing"]
    assert [(task["tier"], task["period"]) for task in found][:1] == [("week", "2026-W14")]
    assert json.loads(run("compact", "month", "--json", root=tmp_path).stdout)["missing"] == []
    assert "missing" not in run("compact", "--accept-removed", root=tmp_path).stdout


def test_compaction_says_that_a_week_waits_and_what_to_do(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", "--at", "2026-04-01T10:00", root=tmp_path)
    run("log", "Shipped 2.4.1", "--at", "2026-04-02T10:00", root=tmp_path)
    run("compact", root=tmp_path)
    (tmp_path / "memory/2026-04-01.md").unlink()
    run("log", "Decided to move to Leipzig", "--at", "2026-04-02T11:00", root=tmp_path)
    waits = "memory/2026-04-01.md is missing; until it is back, this waits: edited 2026-04-02\n"
    done = run("compact", root=tmp_path)
    assert done.returncode == 0 and f"week  2026-W14  missing  {waits}" in done.stdout
    assert "nothing was written\n" in done.stdout and "--accept-removed" in done.stdout
    assert "day" not in [line.split()[0] for line in done.stdout.splitlines()]
    status = run("status", root=tmp_path)
    assert status.returncode == 3 and waits in status.stdout
    assert "written: 1 week" in run("compact", "--accept-removed", root=tmp_path).stdout
    assert "Leipzig" in (tmp_path / "memory/weekly/2026-W14.md").read_text()


def test_day_that_is_gone_before_a_page_rests_on_it_is_told(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", "--at", "2026-04-01T10:00", root=tmp_path)
    (tmp_path / "memory/2026-04-01.md").unlink()
    for command in ("status", "compact"):
        done = run(command, root=tmp_path)
        assert "day  2026-04-01  missing  memory/2026-04-01.md is missing, with what" in done.stdout
        assert "--accept-removed" in done.stdout
    assert run("status", root=tmp_path).returncode == run("check", root=tmp_path).returncode == 3
    run("compact", "--accept-removed", root=tmp_path)
    assert run("status", root=tmp_path).returncode == run("check", root=tmp_path).returncode == 0


def test_day_that_cannot_be_read_is_told_by_every_command(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    (tmp_path / "memory/2026-04-01.md").write_bytes(bytes(range(32)) * 8)
    for command, code in (("status", 3), ("compact", 0)):
        done = run(command, root=tmp_path)
        assert done.returncode == code
        assert "not read: memory/2026-04-01.md: it is not text in UTF-8\n" in done.stdout
        assert "save it as UTF-8 text" in done.stdout
        assert "--accept-removed" not in done.stdout
    assert run("check", root=tmp_path).returncode == 3


def test_period_without_days_is_told_from_one_that_is_written(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", "--at", "2026-04-01T10:00", root=tmp_path)
    run("compact", root=tmp_path)
    for period in ("2026-W12", "2026-02"):
        done = run("compact", "--period", period, root=tmp_path)
        said = f"nothing was due: there are no days in {period}\n"
        assert (done.returncode, done.stdout) == (0, said)
    assert run("compact", "--period", "2026-W14", root=tmp_path).stdout == "nothing was due\n"


def test_a_run_without_a_week_that_is_over_says_how_to_write_the_current_one(
    tmp_path: Path,
) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", root=tmp_path)
    done = run("compact", root=tmp_path)
    assert "is not over (--include-current writes it now)" in done.stdout
    run("log", "Rule: run the tests before a push", root=tmp_path)
    done = run("compact", root=tmp_path)
    assert "written: 1 memory file" in done.stdout
    assert "is not over (--include-current writes it now)" in done.stdout
    assert "1 week" in run("compact", "--include-current", root=tmp_path).stdout


def test_a_pipe_is_fenced_for_an_agent_and_plain_for_a_person_on_request(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", "--at", "2026-04-01T10:00", root=tmp_path)
    for call in (("recall", "Postgres", "--since", "2026-01-01"), ("context",)):
        assert "[[data" in run(*call, root=tmp_path).stdout
        plain = run(*call, "--plain", root=tmp_path).stdout
        assert "Chose Postgres" in plain and "[[" not in plain
    assert "Chose" not in run("recall", "Postgres", "--since", "2026-05-01", root=tmp_path).stdout


def test_a_pager_at_a_terminal_shows_a_person_no_fences(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", root=tmp_path)
    _, terminal = pty.openpty()
    for call in (("recall", "Postgres"), ("context",)):
        command = [commands.python(), "-I", "-m", "lithify.cli", *call, "--root", str(tmp_path)]
        pager = subprocess.run(
            command, stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, check=True
        )
        assert b"Chose Postgres" in pager.stdout and b"[[data" not in pager.stdout


def test_status_tells_how_old_the_newest_day_is(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", "--at", "2021-04-01T10:00", root=tmp_path)
    assert "the newest 2021-04-01, " in run("status", root=tmp_path).stdout
    assert " years ago\n" in run("status", root=tmp_path).stdout


def test_compaction_says_where_an_edited_page_is_kept(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    run("log", "Chose Postgres", "--at", "2026-04-01T10:00", root=tmp_path)
    run("compact", root=tmp_path)
    page = tmp_path / "memory/weekly/2026-W14.md"
    page.write_text(page.read_text() + "- Priya leads the team.\n")
    assert "external" in run("compact", root=tmp_path).stdout
    edited = page.read_text()
    run("log", "Shipped 2.4.1", "--at", "2026-04-01T11:00", root=tmp_path)
    said = run("compact", root=tmp_path).stdout
    row = "week 2026-W14 written replaces a page that lithify did not write, kept as "
    assert row in " ".join(said.split())
    assert (tmp_path / said.split("kept as ")[1].split()[0]).read_text() == edited


def test_check_says_what_holds_and_no_more(tmp_path: Path) -> None:
    run("init", str(tmp_path))
    assert run("check", root=tmp_path).stdout.startswith(
        "there is no journal yet, every file is as"
    )
    for at in ("10:00", "11:00"):
        run("log", "Chose Postgres", "--at", f"2026-04-01T{at}", root=tmp_path)
    whole = run("check", root=tmp_path).stdout
    assert whole == "the journal is whole, every file is as recorded, every source resolves\n"
    day = tmp_path / "memory/2026-04-01.md"
    day.write_text(day.read_text().replace("10:00", "10:01"))
    done = run("check", root=tmp_path)
    note, last = done.stdout.splitlines()
    assert done.returncode == 0 and note.startswith("note  memory/2026-04-01.md  changed outside")
    assert "1 file changed outside lithify" in last and "every file is" not in last


def test_a_broken_setting_is_one_line_and_exit_1(sample: Path) -> None:
    (sample / "lithify.toml").write_text("agent_nam = 'x'\n")
    done = run("status", "--json", root=sample)
    assert done.returncode == 1
    assert "agent_name" in json.loads(done.stdout)["error"]
    assert done.stderr.count("\n") == 1


def test_a_wrong_option_is_json_too_where_json_was_asked_for(sample: Path) -> None:
    done = run("compact", "--nope", "--json", root=sample)
    assert done.returncode == 2
    assert "--nope" in json.loads(done.stdout)["error"]


def test_the_root_is_found_from_below_and_by_environment(sample: Path) -> None:
    below = subprocess.run(
        [sys.executable, "-m", "lithify.cli", "status", "--json"],
        cwd=sample / "memory",
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(below.stdout)["root"] == str(sample)
    assert json.loads(run("status", "--json", LITHIFY_ROOT=str(sample)).stdout)["root"] == str(
        sample
    )


def test_a_reader_that_stops_early_is_no_error(sample: Path) -> None:
    command = f"{sys.executable} -m lithify.cli status --all --root {sample}"
    done = subprocess.run(
        ["bash", "-c", f"{command} | true; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() in ("0", "3")
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def test_ctrl_c_leaves_a_root_that_goes_on(sample: Path) -> None:
    argv = [sys.executable, "-c", INTERRUPTIBLE, "compact", "--root", str(sample)]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    journal = sample / ".lithify" / "journal.jsonl"
    while process.poll() is None and not journal.exists():
        pass
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert run("compact", root=sample).returncode in (0, 4)
    assert run("check", root=sample).returncode == 0


@pytest.mark.parametrize("module", ["lithify", "lithify.cli"])
@pytest.mark.parametrize("loading", ["click", "lithify.cli.root"])
@pytest.mark.parametrize("raising", ["raise KeyboardInterrupt", "exec('raise KeyboardInterrupt')"])
def test_ctrl_c_while_the_program_loads_is_as_clean(
    module: str, loading: str, raising: str
) -> None:
    stopped = f"""
import runpy, sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == {loading!r}:
            {raising}
sys.meta_path.insert(0, Stop())
sys.argv = ["lithify", "status"]
runpy.run_module({module!r}, run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-c", stopped], capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stderr == "lithify: interrupted; what was finished is kept\n"


@pytest.mark.parametrize("words", [["log", "-"], ["gate", "record", "-"]])
@pytest.mark.parametrize("data", [b"a\0b", b"\x89PNG\r\n\x1a\n\xff", "caf\xe9".encode("latin-1")])
def test_input_that_is_no_text_is_refused(tmp_path: Path, words: list[str], data: bytes) -> None:
    root = Memory.init(tmp_path).root
    argv = [sys.executable, "-m", "lithify.cli", *words, "--root", str(root)]
    done = subprocess.run(argv, input=data, capture_output=True)
    assert done.returncode == 2
    assert re.search(rb"not (?:text|UTF-8)", done.stderr) and done.stderr.count(b"\n") == 1
    assert not any((root / "memory").iterdir())


def test_text_of_any_language_is_logged_from_a_pipe(tmp_path: Path) -> None:
    root = Memory.init(tmp_path).root
    argv = [sys.executable, "-m", "lithify.cli", "log", "-", "--root", str(root)]
    said = "\ufeffПоставили 2.4.1, готово."
    subprocess.run(argv, input=said.encode(), check=True, env={**os.environ, "LC_ALL": "C"})
    (day,) = (root / "memory").iterdir()
    assert day.read_text("utf-8").endswith(" Поставили 2.4.1, готово.\n")


def _leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for inner, found in command.commands.items():
            yield from _leaves(found, f"{name} {inner}")
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield name, command


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_a_root_and_json(name: str) -> None:
    found = lithify.get_command(click.Context(lithify), name)
    assert found is not None
    for called, command in _leaves(found, name):
        options = {option for parameter in command.params for option in parameter.opts}
        # A fleet has many roots: they are its arguments.
        wanted = {"--json"} if name == "fleet" else {"--root", "--json"}
        assert wanted <= options, called


def test_a_root_before_the_command_of_a_group_is_its_root(sample: Path, tmp_path: Path) -> None:
    argv = ["models", "--root", str(sample), "--json", "usage"]
    assert json.loads(run(*argv).stdout) == {"pages": [], "replies": []}
    assert run("models", "--root", str(tmp_path / "none")).returncode == 2
    assert run("models", "--root", str(sample)).returncode == 0


@pytest.fixture(scope="module")
def compacted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample root after its compaction, for tests that only look at it."""
    root = tmp_path_factory.mktemp("sample") / "root"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns(".lithify"))
    Memory.open(root).compact()
    return root


@pytest.mark.parametrize("width", [80, 40])
def test_nothing_is_wider_than_the_terminal(
    compacted: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lithify.cli import days, pages

    memory = Memory.open(compacted)
    monkeypatch.setattr(render, "columns", lambda: width)
    found = memory.recall("what is the staging host")
    assert found.passages[0].through
    headings = (
        "Week of many things",
        "Session 2 (13:00-15:30) on the exporter and on the importer",
    )
    passage = found.passages[0]._replace(headings=headings)
    lines = list(days.recall_lines(found._replace(passages=(passage, *found.passages))))
    topics = ("The exporter that nobody has looked at since the winter", "Winch")
    lines += days.recall_lines(Recall("x", nearest=topics))
    ages = memory.wisdom.ages()
    lines += pages.wisdom_lines(list(zip(memory.wisdom.entries(), ages, strict=True)))
    said = click.unstyle("\n".join(lines).replace(render._ESCAPE, "\x1b"))
    assert f"{passage.date:%a %Y-%m-%d}" in said and "through memory/" in " ".join(said.split())
    assert "**" not in said and memory.wisdom.entries()[0].title.split()[0] in said
    wide = [line for line in said.splitlines() if len(line) > width]
    assert all(" " not in line.strip() for line in wide), wide


def _fire(root: Path, event: str, session: str, **given: object) -> None:
    argv = [sys.executable, "-m", "lithify.hooks", event, "--root", str(root)]
    sent = {"session_id": session, "cwd": str(root), **given}
    subprocess.run(argv, input=json.dumps(sent), text=True, check=True)


def _logged(root: Path, *words: str, **env: str) -> str:
    blank = {"CLAUDE_CODE_SESSION_ID": "", "CODEX_THREAD_ID": "", **env}
    # Other words each time: a copy of untrusted words would have their origin.
    said = " ".join(uuid4().hex[n : n + 8] for n in range(0, 32, 8))
    done = run("log", said, *words, "--json", root=root, **blank)
    return str(json.loads(done.stdout)["origin"])


def test_what_an_agent_logs_has_the_origin_of_what_its_session_has_read(tmp_path: Path) -> None:
    root = Memory.init(tmp_path).root
    _fire(root, "UserPromptSubmit", "s1", prompt="Please look up whom to pay first.")
    assert _logged(root) == "agent"
    _fire(root, "PostToolUse", "s1", tool_name="WebFetch", tool_input={}, tool_response="x")
    assert _logged(root) == _logged(root, "--origin", "tool") == "web"
    assert _logged(root, "--origin", "import:notes") == "import:notes"
    # Of two live sessions either may speak, unless the harness tells which one does.
    _fire(root, "UserPromptSubmit", "s2", prompt="Please sort the letters of last week.")
    assert _logged(root) == "web"
    for variable in ("CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"):
        assert _logged(root, **{variable: "s1"}) == "web"
        assert _logged(root, **{variable: "s2"}) == "agent"
    # On another job it has read what it has read.
    run("gate", "focus", "letters", "--session", "s1", root=root)
    assert _logged(root, CLAUDE_CODE_SESSION_ID="s1") == "web"
    _fire(root, "SessionEnd", "s1", reason="exit")
    assert _logged(root) == "agent"
    assert run("check", root=root).returncode == 0


def test_a_session_that_reads_the_web_before_its_first_prompt_is_not_trusted(
    tmp_path: Path,
) -> None:
    root = Memory.init(tmp_path).root
    _fire(root, "PostToolUse", "s1", tool_name="WebFetch", tool_input={}, tool_response="x")
    assert _logged(root, CLAUDE_CODE_SESSION_ID="s1") == "web"
    _fire(root, "UserPromptSubmit", "s1", prompt="Please look up whom to pay first.")
    assert _logged(root, CLAUDE_CODE_SESSION_ID="s1") == "web"


def test_what_a_session_may_read_is_for_the_settings_to_say(tmp_path: Path) -> None:
    root = Memory.init(tmp_path).root
    (root / "lithify.toml").write_text('[trust]\ntaint = ["mcp"]\n')
    _fire(root, "UserPromptSubmit", "s1", prompt="Please look up whom to pay first.")
    _fire(root, "PostToolUse", "s1", tool_name="WebFetch", tool_input={}, tool_response="x")
    assert _logged(root) == "agent"
    _fire(root, "PostToolUse", "s1", tool_name="mcp__shop__find", tool_input={}, tool_response="x")
    assert _logged(root) == "mcp:shop"


def test_completion_is_offered(tmp_path: Path) -> None:
    done = run(_LITHIFY_COMPLETE="bash_source")
    assert "complete" in done.stdout


def test_a_first_compaction_that_replaces_a_page_finds_no_damage(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    for day in range(5, 30):
        lines = f"- Decision: berth {day} goes to Oona.\n- Rule: never tow at night.\n"
        (folder / f"2026-01-{day:02}.md").write_text(lines)
    report = Memory.open(tmp_path).compact()
    assert any((tmp_path / ".lithify" / "history").rglob("*.*")) and report.damage == ""


@pytest.mark.parametrize(
    ("alone", "same"),
    [
        ("wisdom", "wisdom show"),
        ("memories", "memories list"),
        ("quarantine", "quarantine list"),
        ("gate", "gate status"),
        ("bench", "bench retention"),
        ("write", "write --help"),
    ],
)
def test_a_group_alone_shows_something_useful(alone: str, same: str, tmp_path: Path) -> None:
    Memory.init(tmp_path)
    run("log", "The crane was inspected.", root=tmp_path)
    place = ["--root", str(tmp_path)]
    other = CliRunner().invoke(lithify, [*same.split(), *([] if "--help" in same else place)])
    for call in ([*place, alone], [alone, *place]):
        shown = CliRunner().invoke(lithify, call)
        assert (shown.exit_code, shown.output) == (other.exit_code, other.output)
        assert shown.exit_code == 0 and shown.output


def test_a_misspelt_command_gets_a_suggestion() -> None:
    assert "Did you mean recall?" in CliRunner().invoke(lithify, ["recal", "x"]).output
    assert "Did you mean show?" in CliRunner().invoke(lithify, ["wisdom", "shw"]).output
    nothing_near = CliRunner().invoke(lithify, ["qqqqq"])
    assert nothing_near.exit_code == 2 and "Did you mean" not in nothing_near.output


def test_the_root_may_stand_before_the_command(tmp_path: Path) -> None:
    Memory.init(tmp_path)
    done = CliRunner().invoke(lithify, ["--root", str(tmp_path), "--json", "status"])
    assert json.loads(done.output)["root"] == str(tmp_path)


@pytest.mark.parametrize(
    "args",
    [
        ["log", "x"],
        ["status"],
        ["compact"],
        ["context"],
        ["recall", "x"],
        ["gate", "status"],
        ["doctor"],
    ],
    ids=lambda args: args[0],
)
def test_folder_without_a_memory_is_refused_and_stays_empty(
    args: list[str], tmp_path: Path
) -> None:
    done = run(*args, root=tmp_path)
    assert done.returncode == 2 and "No memory root" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name",
    ["2026-04-02.md", "logs/2026-04-02.md", "MEMORY.md", "weekly/2026-W14.md", "Memory/x.md"],
)
def test_folder_of_another_tool_opens_without_init(name: str, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("- Shipped 2.4.1.\n")
    assert run("status", root=tmp_path).returncode in (0, 3)
    assert run("log", "hello", root=tmp_path).returncode == 0


def test_only_commands_spelled_alike_are_suggested() -> None:
    said = CliRunner().invoke(lithify, ["complact"]).output
    assert said.rstrip().endswith("Did you mean compact?")


def test_import_lists_the_same_sources_in_text_and_json() -> None:
    shown, listed = (run("import", *more).stdout for more in ([], ["--json"]))
    assert [line.split()[0] for line in shown.splitlines()[:-2]] == [
        one["source"] for one in json.loads(listed)
    ]


def test_command_of_another_package_is_found_by_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    info = tmp_path / "tides-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tides\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[lithify.commands]\ntides = tides:tides\n")
    (tmp_path / "tides.py").write_text(
        "import click\n"
        "from lithify.cli.render import CommandOutput, on_memory\n"
        "@click.command()\n"
        "@on_memory\n"
        "def tides(memory):\n"
        "    return CommandOutput({'root': memory.root}, ['high at noon'], 3)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    root = str(Memory.init(tmp_path / "root").root)
    shown = CliRunner().invoke(lithify, ["tides", "--root", root])
    assert (shown.exit_code, shown.output) == (3, "high at noon\n")
    done = CliRunner().invoke(lithify, ["--root", root, "--json", "tides"])
    assert (done.exit_code, json.loads(done.output)) == (3, {"root": root})
    assert "tides" not in CliRunner().invoke(lithify, ["--help"]).output


def test_no_to_a_question_changes_nothing_and_is_no_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.confirm", lambda question: False)
    with pytest.raises(SystemExit) as ended:
        render.confirm("Really?")
    assert ended.value.code == 1


def test_progress_counts_the_pages_of_the_plan_and_never_grows(sample: Path) -> None:
    memory = Memory.open(sample)
    planned = sum(task.state in TO_WRITE for task in memory.plan())
    told: list[tuple[int, int]] = []
    memory.compact(CompactOptions(progress=lambda task, done, total: told.append((done, total))))
    assert {total for _, total in told} == {planned}
    assert [done for done, _ in told] == list(range(planned))


def test_wisdom_log_puts_what_was_dropped_for_one_reason_on_a_line(compacted: Path) -> None:
    short, full = (run("wisdom", "log", *more, root=compacted).stdout for more in ([], ["--all"]))
    assert "items (--all lists them)" in short and "items (--all" not in full
    assert short.count("history of a month") == 1 < full.count("history of a month")


def test_memory_is_found_by_the_id_its_file_ends_in(compacted: Path) -> None:
    path = next((compacted / "memory").glob("user_dana-*.md"))
    short = path.stem.rpartition("-")[2]
    assert path.name in run("memories", "show", short, root=compacted).stdout


def test_status_of_a_root_without_pages_counts_what_there_is_to_write(sample: Path) -> None:
    said = run("status", root=sample).stdout
    assert "13 weeks and 4 months to be written for the first time" in " ".join(said.split())
    assert "days behind" not in said


def test_no_color_leaves_text_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert render.styled("failed", fg="red") != "failed"
    monkeypatch.setenv("NO_COLOR", "1")
    assert render.styled("failed", fg="red") == "failed"
