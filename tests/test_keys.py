"""Keys reach their provider and nobody else; secrets in days reach nobody at all."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import roots
from lithify.cli import lithify
from lithify.engines.providers import facts, hosted
from lithify.engines.providers.hosted import Hosted
from lithify.errors import LithifyError

pytest.importorskip("pydantic_ai", reason="pip install '.[models]'")
pytest.importorskip("rs_bpe", reason="pip install rs-bpe")

import wire
from lithify.memory import CompactOptions
from test_providers import HOSTED, point

SENTINEL = "sentinel" + "-4f1d9c77-" + "never-to-be-seen"
MIX = "aB3dE5gH7jK9mN2pQ4sT6vW8xY1zC3fG5hJ7kL9n"

#: Ten kinds of credentials as they turn up in a working log.
PLANTED = (
    "AK" + "IA" + "Q7" * 8,
    "gh" + "p_" + MIX[:36],
    "gl" + "pat-" + MIX[:20],
    "sk" + "-ant-api03-" + MIX,
    "sk" + "-proj-" + MIX + "_" + MIX,
    "xo" + "xb-123456789012-" + MIX[:24],
    "AI" + "za" + MIX[:35],
    "sk" + "_live_" + MIX[:24],
    "np" + "m_" + MIX[:36],
    "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0In0." + MIX[:20],
)


#: Runs commands one after the other, because their libraries take longer to load than they do.
IN_TURN = """
import json, sys
from lithify.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["lithify", *words]
    try:
        main()
    except SystemExit as ended:
        print(f"\\nended with {ended.code}", flush=True)
"""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[wire.Wire]:
    async def at_once(seconds: float) -> None:
        return None

    monkeypatch.setattr(hosted, "pause", at_once)
    with wire.serving() as found:
        point(monkeypatch, found)
        for name in (
            "ANTHROPIC",
            "OPENAI",
            "GOOGLE",
            "MISTRAL",
            "GROQ",
            "OPENAI_COMPATIBLE",
            "OLLAMA",
        ):
            monkeypatch.setenv(f"{name}_API_KEY", SENTINEL)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SENTINEL)
        yield found


@pytest.mark.parametrize("form", HOSTED)
def test_no_error_log_traceback_or_file_holds_the_key(
    form: str, server: wire.Wire, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    root = roots.make(tmp_path / "root")
    told = []
    for fault in ("denied", "broken", "dropped", "html", ""):
        server.faults.clear()
        server.faults.extend([fault] * (6 if fault else 0))
        try:
            memory = roots.opened(root, "2026-05-11")
            report = memory.compact(CompactOptions(("week",), model=form.format(url=server.url)))
            told += [f"{result!r}" for result in report.results]
        except LithifyError as error:
            told += traceback.format_exception(error, chain=True)
            told.append(f"{error!r} {error.facts!r}")
    sent = "".join(str(seen.headers) for seen in server.seen)
    assert SENTINEL in sent or form.startswith("bedrock"), "the provider itself must get it"
    assert SENTINEL not in "\n".join(told)
    assert SENTINEL not in caplog.text
    for path in root.rglob("*"):
        assert not path.is_file() or SENTINEL.encode() not in path.read_bytes(), path


def test_the_command_prints_no_key_not_even_when_its_libraries_talk(
    server: wire.Wire, tmp_path: Path
) -> None:
    root = roots.make(tmp_path / "root")
    server.faults.extend(["denied"] * 9)
    loud = {"ANTHROPIC_LOG": "debug", "OPENAI_LOG": "debug"}
    commands = (
        ["compact", "--model", HOSTED[0], "--root", str(root)],
        ["models", "test", HOSTED[0], "--root", str(root)],
    )
    done = subprocess.run(
        [sys.executable, "-c", IN_TURN, json.dumps(commands)],
        capture_output=True,
        text=True,
        env={**os.environ, **loud},
        check=False,
    )
    assert SENTINEL not in done.stdout + done.stderr
    assert done.stdout.splitlines().count("ended with 1") == 2
    assert done.returncode == 0
    assert len(server.seen) == 2


def test_a_key_shows_only_where_it_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", SENTINEL)
    key = facts.find("groq")
    assert key is not None and key.reveal() == SENTINEL
    assert SENTINEL not in f"{key!r} {key} {vars(Hosted)}"
    assert facts.hide(f"rejected: {SENTINEL}!", key) == "rejected: [key]!"


def test_a_key_in_the_keyring_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring", reason="pip install keyring")
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    stored = {("lithify", "groq"): SENTINEL}
    monkeypatch.setattr(keyring, "get_password", lambda service, name: stored.get((service, name)))
    key = facts.find("groq")
    assert key is not None and (key.reveal(), key.where) == (SENTINEL, "the keyring")


def test_a_locked_keyring_is_no_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring = pytest.importorskip("keyring", reason="pip install keyring")
    monkeypatch.delenv("GROQ_API_KEY", raising=False)

    def locked(service: str, name: str) -> str:
        raise RuntimeError("locked")

    monkeypatch.setattr(keyring, "get_password", locked)
    assert facts.find("groq") is None


def test_planted_credentials_of_ten_kinds_never_reach_the_server(
    server: wire.Wire, tmp_path: Path
) -> None:
    days = {
        "2026-03-31": [f"Rotated the token, it was {PLANTED[0]} before." for _ in "x"],
        "2026-04-02": [
            *(f"Always use {secret} for the staging deploy, decided today." for secret in PLANTED),
            "Never restart the queue by hand: it loses the jobs in flight.",
        ],
        "2026-04-08": "# Log\n\n```\n" + "\n".join(f"token={s}" for s in PLANTED) + "\n```\n",
    }
    memory = roots.opened(roots.make(tmp_path / "root", days), "2026-05-11")
    memory.compact(CompactOptions(model=HOSTED[0]))
    assert server.calls >= 5
    measured = CliRunner().invoke(
        lithify, ["bench", "retention", "--model", HOSTED[0], "--root", str(memory.root)]
    )
    assert measured.exit_code == 0 and HOSTED[0] in measured.output
    assert "[secret:" in server.everything
    for secret in PLANTED:
        assert secret not in server.everything
        assert secret[:-6] not in server.everything
