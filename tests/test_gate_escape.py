"""The one command that passes a closed gate, and the many that only look like it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lithify.gate.texts import filled_template, quoted, submit_command, submit_commands
from lithify.hooks.guard import admits, tool_call
from lithify.settings import Gate

JOB = "20260402-1"
SHORT = f"lithify gate submit --job {JOB}"
FULL = f"/opt/agent/bin/lithify gate submit --job {JOB} --root /srv/agent"
FORMS = [SHORT, FULL]
BODY = '### User Requests\nKeep $HOME, `ls` and $(date) as they are; it\'s "fine" \\ so.\n'
DOC = f"<<'SUMMARY'\n{BODY}SUMMARY"

HONEST = [
    f"{SHORT} {DOC}",
    f"{FULL} {DOC}",
    f"{SHORT} {DOC}\n",
    f"{SHORT} {DOC}\n\n",
    f"{SHORT} << 'EOF'\n{BODY}EOF",
    f'{SHORT} <<"EOF"\n{BODY}EOF',
    f"{SHORT} <<'E_1'\nEOF\nSUMMARY\nE_1 not yet\nE_1",
    f"{SHORT} <<'EOF'\nÜber 日本語 “quotes” 🎉\nEOF",
    f"{SHORT} <<'EOF'\n\nEOF",
    f"{SHORT} <<'EOF'\n\tindented; rm -rf x && y | z > w\nEOF",
]

BYPASSES = [
    # Not the command at all.
    "",
    "ls",
    SHORT,
    f"{SHORT} ",
    f"{SHORT} < summary.md",
    f"{SHORT} --template",
    "lithify gate status",
    f"lithify gate submit --job other {DOC}",
    f"lithify gate submit --job {JOB}2 {DOC}",
    f"lithify gate submit --job {JOB} --json {DOC}",
    f"lithify gate submit --json --job {JOB} {DOC}",
    f"lithify gate submit --job={JOB} {DOC}",
    f"lithify gate open --job {JOB} --reason x {DOC}",
    f"LITHIFY gate submit --job {JOB} {DOC}",
    # Chained before or after.
    f"ls; {SHORT} {DOC}",
    f"ls && {SHORT} {DOC}",
    f"ls | {SHORT} {DOC}",
    f"ls & {SHORT} {DOC}",
    f"ls\n{SHORT} {DOC}",
    f"{SHORT} <<'SUMMARY'; ls\n{BODY}SUMMARY",
    f"{SHORT} <<'SUMMARY' && ls\n{BODY}SUMMARY",
    f"{SHORT} <<'SUMMARY' || ls\n{BODY}SUMMARY",
    f"{SHORT} <<'SUMMARY' | tee x\n{BODY}SUMMARY",
    f"{SHORT} <<'SUMMARY' & ls\n{BODY}SUMMARY",
    f"{SHORT} {DOC}; ls",
    f"{SHORT} {DOC}\nls",
    f"{SHORT} {DOC}\n\nls",
    f"{SHORT} {DOC} ",
    f"{SHORT} {DOC}\n ls",
    f"{SHORT}; ls {DOC}",
    f"{SHORT}\nls {DOC}",
    # A second document, or an end inside the text.
    f"{SHORT} {DOC}\nSUMMARY",
    f"{SHORT} <<'EOF'\nx\nEOF\nls\nEOF",
    f"{SHORT} <<'EOF'\nx\nEOF \nls\nEOF",
    f"{SHORT} <<'EOF'\nx\n\tEOF\nls\nEOF",
    f"{SHORT} <<'EOF' <<'TWO'\nx\nEOF\ny\nTWO",
    f"{SHORT} <<'EOF'\nno end",
    f"{SHORT} <<'EOF'",
    f"{SHORT} <<'EOF'\nx\nEOF2",
    f"{SHORT} <<'EOF'\nx\nEO\0F\nls\nEOF",
    f"{SHORT} <<'EOF'\nx\0\nEOF",
    f"{SHORT} <<'EOF'\r\nx\r\nEOF\r\n",
    f"{SHORT} <<'EOF'\nx\nEOF\r\nls\nEOF",
    # Text that the shell would expand.
    f"{SHORT} <<EOF\n$(ls)\nEOF",
    f"{SHORT} <<EOF\nplain\nEOF",
    f"{SHORT} <<E'O'F\nx\nEOF",
    f"{SHORT} <<\\EOF\nx\nEOF",
    f"{SHORT} <<-'EOF'\nx\n\tEOF",
    f"{SHORT} <<'EOF\"\nx\nEOF",
    f"{SHORT} <<''\nx\n",
    f"{SHORT} <<$'EOF'\nx\nEOF",
    f"{SHORT} <<'E F'\nx\nE F",
    f"{SHORT} <<< 'text'",
    f'{SHORT} <<<"$(ls)"',
    f"{SHORT} <(ls)",
    f"{SHORT} $(ls) {DOC}",
    f"{SHORT} `ls` {DOC}",
    f"{SHORT}$(ls) {DOC}",
    f"lithify gate submit --job $(ls) {DOC}",
    f"lithify gate submit --job {JOB}\\\n; ls {DOC}",
    # Redirections.
    f"{SHORT} <<'EOF' > out\nx\nEOF",
    f"{SHORT} <<'EOF' 2>&1\nx\nEOF",
    f"{SHORT} > out {DOC}",
    f"{SHORT} <<'EOF' >> ~/.bashrc\nx\nEOF",
    f"{SHORT} <<'EOF'>out\nx\nEOF",
    # Something in front.
    f"PATH=/opt/evil {SHORT} {DOC}",
    f"env {SHORT} {DOC}",
    f"sudo {SHORT} {DOC}",
    f"command {SHORT} {DOC}",
    f"exec {SHORT} {DOC}",
    f"time {SHORT} {DOC}",
    f"! {SHORT} {DOC}",
    f"bash -c '{SHORT}' {DOC}",
    f"bash -c \"{SHORT} <<'EOF'\nx\nEOF\"",
    f"eval {SHORT} {DOC}",
    f"alias lithify=ls; {SHORT} {DOC}",
    f"({SHORT} {DOC}\n)",
    f"{{ {SHORT} {DOC}\n}}",
    f" {SHORT} {DOC}",
    f"\t{SHORT} {DOC}",
    f"\n{SHORT} {DOC}",
    f"# x\n{SHORT} {DOC}",
    f"{SHORT} # {DOC}",
    # Another program of that name, and look-alikes.
    f"./{SHORT} {DOC}",
    f"/opt/evil/{SHORT} {DOC}",
    f"/opt/agent/bin/../bin/lithify gate submit --job {JOB} --root /srv/agent {DOC}",
    f"/opt/agent/bin/lithify gate submit --job {JOB} --root /srv/other {DOC}",
    f"~/bin/{SHORT} {DOC}",
    f"'lithify' gate submit --job {JOB} {DOC}",
    f"l\\ithify gate submit --job {JOB} {DOC}",
    f"lithіfy gate submit --job {JOB} {DOC}",
    f"ｌithify gate submit --job {JOB} {DOC}",
    f"lithify\u00a0gate submit --job {JOB} {DOC}",
    f"lithify  gate submit --job {JOB} {DOC}",
    f"lithify gate submit --job\t{JOB} {DOC}",
    f"lithify gate submit --job {JOB}\u200b {DOC}",
    f"{SHORT} ＜＜'EOF'\nx\nEOF",
    f"{SHORT} <<’EOF’\nx\nEOF",
    f"{SHORT} <<'EOF'\u2028ls\nEOF",
    f"{SHORT} <<'ЕOF'\nx\nЕOF",
    f"{SHORT} <<'EOF'\nx\x1b[A\nEOF",
    f"{SHORT} <<'EOF'\nx\ud800\nEOF",
    f"{SHORT} <<'{'E' * 40}'\nx\n{'E' * 40}",
]


@pytest.mark.parametrize("command", HONEST)
def test_honest_form_is_admitted(command: str) -> None:
    assert admits(command, FORMS)


@pytest.mark.parametrize("command", BYPASSES)
def test_what_rides_on_the_escape_is_denied(command: str) -> None:
    assert not admits(command, FORMS)


def test_the_corpus_is_large_and_has_nothing_twice() -> None:
    assert len(set(BYPASSES)) == len(BYPASSES) >= 60


@pytest.mark.parametrize("command", [None, 7, ["ls"], {"a": 1}, b"ls"])
def test_what_is_no_text_is_no_command(command: object) -> None:
    assert not admits(command, FORMS)


def test_command_of_the_denial_is_admitted_as_it_is_printed() -> None:
    for program, root in [
        (["/opt/agent/bin/lithify"], "/srv/agent"),
        (["/opt/my agent/bin/python", "-I", "-m", "lithify.cli"], "/srv/it's here"),
    ]:
        line = submit_command(program, JOB, root)
        assert admits(filled_template(line, Gate()), submit_commands(program, JOB, root))


def test_submit_tool_is_admitted_only_from_our_server_and_for_its_job() -> None:
    def submits(tool: str, given: object) -> str:
        return tool_call({"tool_name": tool, "tool_input": given}, JOB, FORMS).submits

    assert submits("mcp__lithify__submit_summary", {"job": JOB, "text": "x"}) == JOB
    assert submits("mcp__plugin_lithify_lithify__submit_summary", {"job": JOB}) == JOB
    assert submits("mcp__lithify__submit_summary", {"job": "other"}) == ""
    assert submits("mcp__lithify__submit_summary", "text") == ""
    assert submits("mcp__evil__submit_summary", {"job": JOB}) == ""
    assert submits("mcp__lithify__recall", {"job": JOB}) == ""
    assert submits("Bash", {"command": HONEST[0]}) == JOB
    assert submits("PowerShell", {"command": HONEST[0]}) == ""


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
def test_shells_run_nothing_but_the_command_and_hand_it_the_text(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "lithify"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$0.args"\ncat >> "$0.text"\n')
    program.chmod(0o755)
    root = str(tmp_path / "a root")
    line = submit_command([str(program)], JOB, root)
    for shell in filter(shutil.which, ("bash", "dash")):
        for honest in HONEST:
            command = line + honest[honest.index(" <<") :]
            assert admits(command, [line])
            done = subprocess.run([shell, "-c", command], cwd=tmp_path, capture_output=True)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
            args = program.with_name("lithify.args").read_text()
            assert args == f"gate submit --job {JOB} --root {root}\n"
            text = program.with_name("lithify.text").read_text()
            assert text == honest.split("\n", 1)[1].rstrip("\n").rsplit("\n", 1)[0] + "\n"
            assert sorted(p.name for p in tmp_path.iterdir()) == ["bin"]
            for name in ("lithify.args", "lithify.text"):
                program.with_name(name).unlink()


def test_quoting_is_what_a_shell_reads_back() -> None:
    for word in ("plain", "/a/b-c_1.2", "two words", "it's", "$x;`y`", "", "ünï"):
        done = subprocess.run(["sh", "-c", f"printf %s {quoted(word)}"], capture_output=True)
        assert done.stdout.decode() == word
