"""The documents say what the program does."""

from __future__ import annotations

import difflib
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import commands
from lithify.cli import COMMANDS
from lithify.errors import LithifyError

REPO = Path(__file__).parent.parent
PACKAGE = REPO / "src" / "lithify"


def test_the_commands_are_documented_as_they_are() -> None:
    done = script("commands-doc", "--print")
    assert done.stdout == (REPO / "docs" / "commands.md").read_text("utf-8"), (
        "run scripts/commands-doc"
    )
    for name in COMMANDS:
        assert f"## lithify {name}\n" in done.stdout


@pytest.mark.parametrize("path", ["", "status", "gate status"])
def test_help_is_documented_as_the_program_prints_it(path: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lithify", *path.split(), "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "98"},
    )
    page = (REPO / "docs" / "commands.md").read_text("utf-8")
    shown = page.partition(f"## {f'lithify {path}'.strip()}\n\n```\n")[2].partition("```\n")[0]
    assert shown
    told_once = re.compile(r"Options:|  (--root|--json|--quiet|-h,) |  Example: lithify [a-z ]+$|$")
    for line in difflib.ndiff(shown.splitlines(), done.stdout.splitlines()):
        assert line[0] in " ?" or (line[0] == "+" and told_once.match(line[2:])), line


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The root that the demo leaves, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    command = folder / "lithify"
    command.write_text(f'#!/bin/sh\nexec {commands.python()} -I -m lithify.cli "$@"\n')
    command.chmod(0o755)
    done = subprocess.run(
        [REPO / "scripts/demo", command, REPO / "examples/sample", folder / "root"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "root", done.stdout


def test_the_demo_shows_one_week_by_both_writers(demo: tuple[Path, str]) -> None:
    root, said = demo
    by_offline, by_agent = said.split("lithify write submit page-week-2026-W05-")
    for shown, page in ((by_offline, root), (by_agent, root.with_name("root-agent"))):
        text = (page / "memory/weekly/2026-W05.md").read_text("utf-8")
        first = text.partition("### Key Outcomes\n- ")[2].partition(" <!--")[0]
        assert first in " ".join(shown.split())
    assert "\nengine: agent:recorded\n" in text


def test_the_demo_shows_a_lie_that_is_refused(demo: tuple[Path, str]) -> None:
    root, said = demo
    lie = "Seun has looked into it."
    assert lie in said
    assert "  contradicted: Seun may look on Monday" in said
    page = root.with_name("root-agent") / "memory/weekly/2026-W05.md"
    assert lie not in page.read_text("utf-8")


def test_the_demo_shows_a_rule_replaced_and_an_answer_with_its_lines(
    demo: tuple[Path, str],
) -> None:
    root, said = demo
    wisdom = (root / "WISDOM.md").read_text("utf-8")
    assert "before 08:30" in wisdom and "before 09:00" not in wisdom
    answer = said.partition("lithify recall ")[2].partition("\n\n\x1b")[0]
    path, line = re.findall(r"(memory/\S+\.md):(\d+)", answer)[0]
    there = (root / path).read_text("utf-8").splitlines()[int(line) - 1]
    assert there.removeprefix("- ")[:60] in " ".join(answer.split())


def script(name: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the repository with this Python."""
    command = [sys.executable, str(REPO / "scripts" / name), *args]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_python_reference_is_that_of_the_docstrings() -> None:
    done = script("api-doc", "--print")
    assert done.stdout == (REPO / "docs" / "api.md").read_text("utf-8"), "run scripts/api-doc"


def test_the_settings_are_documented_as_init_writes_them() -> None:
    told = runpy.run_path(str(REPO / "scripts/settings-doc"))
    assert told["PAGE"].read_text("utf-8") == told["document"](), "run scripts/settings-doc"


def test_the_recording_shows_what_the_program_prints() -> None:
    done = script("recording", "--check")
    assert done.returncode == 0, done.stderr


def test_exit_codes_of_errors_are_documented() -> None:
    page = (REPO / "docs" / "commands.md").read_text("utf-8")
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    kinds, codes = [LithifyError], {0, 3, 4, 130}
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        codes.add(kind.exit_code)
    assert documented == codes


#: What pages write like a module or folder and is none: files of a root and of clients, groups of
#: entry points, the names of the fleet's spans, and an example.
OUTSIDE = frozenset(
    [
        "toml",
        "json",
        "js",
        "engines",
        "importers",
        "clients",
        "commands",
        "root",
        "call",
        "commit",
        "steps",
        "tokens",
        "cost",
        "waited",
        "staged/",
        "memory/weekly/",
        "memory/monthly/",
        "app.py",
        "lithify/",
    ]
)


def named_files(text: str) -> set[str]:
    """The files and modules of the package that a page names, as paths below it."""
    modules = [name.replace(".", "/") for name in re.findall(r"\blithify\.([a-z_][\w.]*\w)", text)]
    files = re.findall(r"`(?:src/)?(?:lithify/)?((?:[a-z_]+/)*[a-z_]+(?:\.py|/))`", text)
    return {*modules, *files} - OUTSIDE


def exists(name: str, page: Path) -> bool:
    """Whether a module, a file or folder, or a name of a module is there."""
    for folder in (PACKAGE, REPO, page.parent):
        place = folder / name
        if place.exists() or place.with_suffix(".py").exists():
            return True
    module, _, attribute = name.rpartition("/")
    holder = (PACKAGE / module).with_suffix(".py") if module else PACKAGE / "__init__.py"
    return holder.is_file() and attribute in holder.read_text("utf-8")


PAGES = [
    *(path.relative_to(REPO).as_posix() for path in REPO.glob("docs/**/*.md")),
    *(path.relative_to(REPO).as_posix() for path in REPO.glob("*/README.md")),
    *("README.md", "CONTRIBUTING.md"),
]


@pytest.mark.parametrize("page", sorted(PAGES))
def test_files_and_modules_named_in_the_page_exist(page: str) -> None:
    path = REPO / page
    assert [n for n in named_files(path.read_text("utf-8")) if not exists(n, path)] == []


def test_functions_named_in_the_architecture_are_in_the_folders_it_says() -> None:
    rows = [
        line.split("|")[-3:-1]
        for line in (REPO / "docs" / "architecture.md").read_text("utf-8").splitlines()
        if line.startswith("| ") and "()`" in line
    ]
    assert len(rows) >= 20
    for functions, folders in rows:
        places = [PACKAGE / folder for folder in re.findall(r"`([\w/.]+)`", folders)]
        files = [file for place in places for file in (place, *place.rglob("*.py"))]
        code = "".join(file.read_text("utf-8") for file in files if file.is_file())
        for name in re.findall(r"`(\w+)(?:\(\))?`", functions):
            assert re.search(rf"^ *(?:def|class) {name}\b", code, re.MULTILINE), (name, folders)


def test_the_architecture_lists_every_folder() -> None:
    page = (REPO / "docs" / "architecture.md").read_text("utf-8")
    listing = page.partition("src/lithify/\n")[2].partition("```")[0]
    folders = [f"{p.name}/" for p in PACKAGE.iterdir() if (p / "__init__.py").is_file()]
    files = [p.name for p in PACKAGE.glob("*.py") if not p.name.startswith("__")]
    assert [name for name in folders + files if name not in listing.split()] == []


@pytest.mark.parametrize(
    "page",
    sorted(
        p.relative_to(REPO).as_posix()
        for p in REPO.glob("**/*.md")
        if not {".venv", "build", "sample", "logs", "claims"}.intersection(
            p.relative_to(REPO).parts
        )
    ),
)
def test_links_lead_somewhere(page: str) -> None:
    path = REPO / page
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text("utf-8")):
        if not target.startswith("http"):
            assert (path.parent / target).exists(), target
