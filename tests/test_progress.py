"""What a long command says on stderr, what `--quiet` leaves out, and which extra a command misses."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import click
import pytest

import roots
from lithify import Memory
from lithify.cli import lithify
from lithify.cli.render import EVERY, Progress, on_root
from lithify.errors import install_command, missing


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_pipe_gets_a_line_after_a_while_and_then_now_and_then() -> None:
    clock, stream = Clock(), io.StringIO()
    with Progress(stream=stream, clock=clock) as progress:
        for done in range(100):
            clock.now = done * 0.2
            progress("writing weeks", done, 100)
    lines = stream.getvalue().splitlines()
    assert lines[0] == f"lithify: writing weeks: {EVERY / 0.2:.0f} of 100 ({EVERY:.0f} s)"
    assert len(lines) == int(99 * 0.2 / EVERY)
    assert "\r" not in stream.getvalue()


def test_work_that_ends_at_once_says_nothing_in_a_pipe() -> None:
    clock, stream = Clock(), io.StringIO()
    with Progress(stream=stream, clock=clock) as progress:
        progress("reading", 1, 1)
    clock.now = 60.0
    progress.show()
    assert stream.getvalue() == ""


def test_a_long_step_without_news_is_repeated() -> None:
    clock, stream = Clock(), io.StringIO()
    with Progress(stream=stream, clock=clock) as progress:
        progress("searching every file")
        for clock.now in (EVERY, EVERY + 1, EVERY + EVERY):
            progress.show()
    assert stream.getvalue().count("searching every file") == 2


def test_a_terminal_gets_one_live_line_that_is_wiped_at_the_end() -> None:
    clock, stream = Clock(), Terminal()
    with Progress(stream=stream, clock=clock) as progress:
        for done in range(1, 5):
            progress("indexing\nfiles", done, 4)
            clock.now += 1.0
    assert "\n" not in stream.getvalue() and stream.getvalue().endswith("\r\x1b[K")
    assert "█" in stream.getvalue() and "indexing\\nfiles: 4 of 4" in stream.getvalue()


def test_an_interrupted_index_says_how_far_it_is() -> None:
    with (
        pytest.raises(
            KeyboardInterrupt, match=r"at 1,200 of 3,000 files .* goes on from about there"
        ),
        Progress(stream=io.StringIO()) as progress,
    ):
        progress.files(1200, 3000)
        raise KeyboardInterrupt


def test_a_reader_that_has_gone_does_not_stop_the_work() -> None:
    clock, stream = Clock(), io.StringIO()
    with Progress(stream=stream, clock=clock) as progress:
        progress("reading")
        stream.close()
        clock.now = EVERY
        progress("still reading")


@pytest.mark.parametrize("call", [["--quiet", "probe"], ["probe", "--quiet"], ["probe"]])
def test_quiet_before_or_after_the_command_leaves_progress_out(call: list[str]) -> None:
    clock, stream = Clock(), io.StringIO()

    @click.command()
    @on_root
    def probe(root: str | None) -> None:
        with Progress(stream=stream, clock=clock) as progress:
            progress("reading")
            clock.now = EVERY
            progress("reading")

    group = type(lithify).__mro__[1](commands={"probe": probe})
    group.main(call, standalone_mode=False)
    assert bool(stream.getvalue()) == ("--quiet" not in call)


# Extras


@pytest.mark.parametrize(
    ("prefix", "begins"),
    [
        ("/home/ann/.local/pipx/venvs/lithify", "pipx runpip lithify install "),
        ("/home/ann/.local/share/uv/tools/lithify", "uv pip install --python "),
    ],
)
def test_the_command_for_an_extra_is_that_of_the_installer(
    prefix: str, begins: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    assert install_command("mcp").startswith(begins)
    assert install_command("mcp").endswith(" '.[mcp]'  # in a clone of Lithify")


def test_pip_is_named_with_its_python_unless_the_shell_finds_the_same_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "prefix", "/somewhere/venv")
    clone = "  # in a clone of Lithify"
    with patch.object(shutil, "which", lambda name: str(tmp_path / name)):
        assert install_command("web") == f"{sys.executable} -m pip install '.[web]'{clone}"
        monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
        assert install_command("web") == f"pip install '.[web]'{clone}"


@pytest.mark.parametrize(
    ("package", "call", "extra"),
    [
        ("uvicorn", ["serve", "--no-open"], "web"),
        ("watchfiles", ["watch"], "watch"),
        ("obstore", ["fleet"], "fleet"),
    ],
)
def test_a_command_whose_package_cannot_be_imported_names_its_extra(
    package: str, call: list[str], extra: str, tmp_path: Path
) -> None:
    root = roots.make(tmp_path / "root", {"2026-04-01": "- One.\n"})
    place = [] if call == ["fleet"] else ["--root", str(root)]
    code = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv = {['lithify', *call, *place]!r}\n"
        "from lithify.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert package in done.stderr and install_command(extra) in done.stderr
    assert str(missing("x", package, extra)).partition(" needs ")[2] in done.stderr


# Vectors that are gone


@pytest.mark.skipif(not find_spec("lithify_vectors"), reason="needs the extra `vectors`")
def test_recall_says_that_vectors_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lithify.search import vectors
    from test_index import Toy

    monkeypatch.setattr(vectors, "embedder", Toy)
    root = roots.make(tmp_path / "root", {"2026-04-01": "- The ferry leaves at nine.\n"})
    memory = Memory.open(root)
    assert memory.recall("ferry").note == ""
    memory.index.update(vectors=True)
    assert memory.recall("ferry").note == ""
    lines = "".join(f"- Crane {number} was greased.\n" for number in range(40))
    (root / "memory/2026-04-02.md").write_text(lines)
    assert "40 texts have no vector" in memory.recall("ferry").note
    monkeypatch.setattr(vectors, "installed", lambda: False)
    assert vectors.how_to_install() in memory.recall("ferry").note
