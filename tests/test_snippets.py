"""Commands and code in the documents work as they stand there."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from commands import lithify as command
from imports import claude_mem
from lithify.cli import lithify
from lithify.config import load
from lithify.fleet.registry import read_registry

REPO = Path(__file__).parent.parent
FIXTURES = REPO / "tests" / "fixtures" / "imports"
SAMPLE = REPO / "examples" / "sample"
PAGES = ["README.md", *sorted(p.relative_to(REPO).as_posix() for p in REPO.glob("docs/**/*.md"))]

#: Lines of `sh` blocks that are not run, by how they begin or what they hold, and why. Options of a
#: lithify command among them are still checked against its --help.
NOT_RUN = {
    "uv tool install": "installs the program; test_packaging.py installs its wheel",
    "pip install": "installs packages from an index",
    "python3 -m venv": "makes an environment to install into",
    "make ": "the two targets of the repository; this is one of them, test_docs.py runs the other",
    "export ": "sets a key or an address for lines that are not run",
    "ollama:": "needs a server; test_providers.py asks one on the loopback",
    "openai-compatible:": "needs a server; test_providers.py asks one on the loopback",
    "anthropic:": "needs a key and the network; test_providers.py asks a server on the loopback",
    "lithify serve": "serves until it is stopped; test_web.py starts it",
    "lithify watch": "runs until it is stopped; test_upkeep.py starts it",
    "lithify schedule install": "changes the scheduler of the machine; test_upkeep.py fakes one",
    "lithify schedule remove": "changes the scheduler of the machine; test_upkeep.py fakes one",
    "lithify fleet": "needs PostgreSQL or object storage; test_fleet.py runs them",
    "lithify trust import:": "needs a person at a terminal; test_importers.py gives it one",
    "lithify write submit ORDER": "ORDER stands for an id; test_agent_commands.py hands pages in",
    "3f9a12cc": "stands for the id of what waits; test_held_marks.py approves and rejects some",
}

#: Pages with Python that is not run, and why.
NOT_EXECUTED = {
    "docs/api.md": "signatures, which scripts/api-doc takes from the code",
    "docs/guides/frameworks.md": "needs the frameworks; test_frameworks.py and test_memory_tool.py run it",
}


def blocks(language: str, page: str) -> list[str]:
    text = (REPO / page).read_text("utf-8")
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)


def pages_with(language: str) -> list[str]:
    return [page for page in PAGES if blocks(language, page)]


def why_not(line: str) -> str:
    return next(
        (key for key in NOT_RUN if line.startswith(key) or (key[-1] != " " and key in line)), ""
    )


def lines_of(page: str) -> list[str]:
    """The lines of the shell blocks of a page, without their comments."""
    lines = "".join(blocks("sh", page)).splitlines()
    return [bare for line in lines if (bare := re.sub(r"(^|\s{2,})#.*", "", line).rstrip())]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with what other tools have left, and a root with some days of the sample in it."""
    (tmp_path / "root" / "memory").mkdir(parents=True)
    for day in sorted((SAMPLE / "memory").glob("2026-01-2[6-9].md")):
        shutil.copy(day, tmp_path / "root" / "memory")
    shutil.copytree(FIXTURES / "openclaw", tmp_path / ".openclaw" / "workspace")
    projects = tmp_path / ".claude" / "projects" / "my-project"
    shutil.copytree(FIXTURES / "claude-memory", projects / "memory")
    shutil.copy(FIXTURES / "claude-code" / "session.jsonl", projects)
    shutil.copytree(FIXTURES / "codex", tmp_path / ".codex" / "sessions")
    shutil.copy(FIXTURES / "mem0" / "memories.json", tmp_path)
    (tmp_path / ".claude-mem").mkdir()
    claude_mem(tmp_path / ".claude-mem" / "claude-mem.db")
    return tmp_path


def run_as_typed(lines: list[str], home: Path) -> str:
    """What commands print that are typed one after the other, beginning in the root of this home."""
    said, cwd = "", home / "root"
    env = {**os.environ, "HOME": str(home)}
    env.pop("LITHIFY_PERSONAL", None)
    for part in [part for line in lines for part in line.split(" && ")]:
        words = [word.replace("~", str(home), 1) for word in shlex.split(part)]
        if words[0] == "cd":
            cwd = Path(words[1])
            continue
        if words[0] == "lithify":
            paths = {one: sorted(map(str, cwd.glob(one))) for one in words if "*" in one}
            args = [path for one in words[1:] for path in paths.get(one, [one])]
            done = command(args, cwd=cwd, env=env)
        else:
            done = subprocess.run(
                ["bash", "-euc", part],
                cwd=cwd,
                env=env,
                capture_output=True,
                text=True,
                check=False,
            )
        # status and doctor end with 3 where something is due, or left to do in the client
        expected = (0, 3) if words[1:2] in (["status"], ["doctor"]) else (0,)
        assert done.returncode in expected, f"{part}: {done.stdout}{done.stderr}"
        said += done.stdout
    return said


@pytest.mark.parametrize("page", sorted({*pages_with("sh")} - {"README.md", "docs/engine.md"}))
def test_the_commands_of_a_page_work(page: str, home: Path) -> None:
    lines = [line for line in lines_of(page) if not why_not(line)]
    if lines:
        run_as_typed(lines, home)


def test_the_readme_leads_to_a_page_a_trace_an_answer_and_a_remembered_fact(home: Path) -> None:
    lines = [line for line in lines_of("README.md") if not why_not(line)]
    said = run_as_typed(lines, home)
    assert list((home / "notes" / "memory" / "weekly").glob("*.md"))
    assert "ok     Claude Code" in said
    assert "└─ memory/" in said
    assert "signed it off" in said.partition("From memory")[2]
    assert "Deploys are on Tuesdays." in said.rpartition("What earlier sessions left")[2]


def test_every_reason_not_to_run_a_line_is_needed() -> None:
    lines = [line for page in pages_with("sh") for line in lines_of(page)]
    assert {why_not(line) for line in lines} - {""} == set(NOT_RUN)


def commands_named(page: str) -> Iterator[str]:
    """Every lithify command that a page shows, in a block or in a sentence."""
    text = (REPO / page).read_text("utf-8")
    fenced = re.findall(r"^ *```\w*\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    for block in fenced:
        yield from re.findall(r"^ *(?:\$ )?(lithify .*)", block, re.MULTILINE)
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    yield from (" ".join(one.split()) for one in re.findall(r"`(lithify [^`]+)`", prose))


def refuse_unknown(words: list[str]) -> None:
    """Raise a usage error for a command or an option that does not exist."""
    command: click.Command = lithify
    context = click.Context(lithify, info_name="lithify")
    while True:
        _, words, _ = command.make_parser(context).parse_args(words)
        if not isinstance(command, click.Group) or not words:
            return
        name, *words = words
        child = command.get_command(context, name)
        if child is None:
            raise click.UsageError(f"no command {name}")
        command, context = child, click.Context(child, parent=context)


@pytest.mark.parametrize("page", [page for page in PAGES if page != "docs/commands.md"])
def test_commands_that_a_page_names_exist_with_their_options(page: str) -> None:
    for shown in commands_named(page):
        typed = re.split(r"\s+(?:#|&&|\|\||\||<<?|>>?|2>)(?=\s|'|$)|\s{3,}", shown)[0]
        if "--NAME" in typed:  # stands for the option of a client
            continue
        try:
            refuse_unknown(shlex.split(typed)[1:])
        except click.UsageError as error:
            pytest.fail(f"{shown}: {error.format_message()}")


@pytest.mark.parametrize(
    "page", sorted({*pages_with("python")} - {*NOT_EXECUTED, "docs/engine.md"})
)
def test_the_python_of_a_page_works(
    page: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(home)
    if "Memory.init" not in "".join(blocks("python", page)):
        (home / "root").rename(home / "agent")
    names = {
        "__name__": "__main__",
        "my_client": lambda *_: "No page.",
        "my_agent": lambda *_: "No page.",
    }
    exec("\n".join(blocks("python", page)), names)
    said = capsys.readouterr().out
    if page == "docs/guides/python.md":
        assert "keep JWT for the login" in said and " written " in said and " current " in said


def test_the_engine_in_the_docs_writes_a_week(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = blocks("python", "docs/engine.md")
    (home / "agent" / "memory").mkdir(parents=True)
    (home / "agent" / "memory" / "2026-04-02.md").write_text("- Ada shipped 2.4.1.\n")
    monkeypatch.chdir(home)
    exec(code, {"__name__": "__main__"})
    page = (home / "agent" / "memory" / "weekly" / "2026-W14.md").read_text("utf-8")
    assert "engine: first-lines\n" in page and "- Ada shipped 2.4.1. <!--" in page


def test_the_commands_of_the_offline_engine_measure_and_write_no_page(home: Path) -> None:
    asked = {"id": "q1", "question": "What keeps the login?", "answer": "JWT"}
    asked["relevant_days"] = ["2026-01-26"]
    (home / "root" / "questions.jsonl").write_text(json.dumps(asked) + "\n")
    said = run_as_typed(lines_of("docs/engine.md"), home)
    assert "lithify" in said and "single day" in said
    assert not (home / "root" / "memory" / "weekly").exists()


def test_the_registry_of_the_page_on_fleets_is_one(tmp_path: Path) -> None:
    (text,) = blocks("toml", "docs/fleet.md")
    on_disk = re.sub(r', "s3://[^"]*"', "", text)  # reading a bucket's list needs the bucket
    (tmp_path / "fleet.toml").write_text(on_disk)
    assert read_registry(str(tmp_path / "fleet.toml")).options.max_cost == 50


@pytest.mark.parametrize("page", ["docs/formats.md", "docs/models.md", "docs/verifier.md"])
def test_the_settings_of_a_page_are_accepted(page: str, tmp_path: Path) -> None:
    (text,) = blocks("toml", page)
    (tmp_path / "lithify.toml").write_text(text)
    load(tmp_path)
