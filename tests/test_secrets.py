"""Secrets leave no trace: marks that keep identity, applied wherever text goes in or out."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from pathlib import Path
from unicodedata import normalize

import pytest

import roots
from lithify.engines.base import Completion
from lithify.engines.replies import SavedReplies
from lithify.memory import Memory
from lithify.secrets.formats import formats
from lithify.secrets.redact import findings, redact
from lithify.secrets.state import RootKey
from lithify.settings import Redact

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import secret_detection

TOKEN = "gh" + "p_" + "aB3dE5" * 6
OTHER = "gh" + "p_" + "Zx9wV7" * 6
KEY = lambda: b"k" * 32  # noqa: E731


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("billing: sk_org_@", "live_" + "4fKq9Zx2LmT8vRw1YbNc6HdJ"),
        ("createClient(url, 'sb_@')", "secret_" + "N7UND0UgjKTVK_Uodkm0Hg_xSvEMPvz"),
        (
            "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 1\n@",
            "AAAAgQDX3mZ0kq1v8w2c7yPq6t5r4e3w2q1",
        ),
        ("guest wifi pw: @", "lobster" + "Picnic_88"),
    ],
    ids=("organisation key", "supabase", "putty", "wifi"),
)
def test_forms_that_were_missed_once_are_found(line: str, value: str) -> None:
    assert value not in redact(line.replace("@", value))


def test_the_same_value_has_the_same_mark_under_the_same_key() -> None:
    text = f"old {TOKEN}, new {OTHER}, again {TOKEN}"
    first, second, third = (word.strip(",") for word in redact(text, key=KEY).split()[1::2])
    assert first == third != second
    assert redact(text, key=KEY) == redact(text, key=KEY)
    assert redact(text, key=lambda: b"another key") != redact(text, key=KEY)
    assert redact(TOKEN) == "[secret:github-token]"


def test_a_value_split_by_what_is_not_seen_has_the_mark_of_the_value() -> None:
    for mark in ("\u200b", "\u00ad", "\x07", "\ufeff", "`", "**"):
        split = f"{TOKEN[:9]}{mark}{TOKEN[9:]}"
        assert redact(f"use {split} here", key=KEY) == f"use {redact(TOKEN, key=KEY)} here"


def test_marks_are_left_as_they_are() -> None:
    for mark in ("[secret:password:ab12cd34]", "[secret:jwt]"):
        for frame in (
            "password = {}",
            'the token is "{}"',
            "| Password |\n|---|\n| {} |",
            "key {}",
        ):
            text = frame.format(mark)
            assert findings(text) == ()
    left = redact(f"password=[secret:jwt] {TOKEN}", key=KEY)
    assert left.startswith("password=[secret:jwt] [secret:github-token:")


@pytest.mark.skipif(os.name == "nt", reason="no modes there")
def test_the_key_is_made_when_it_is_first_needed_and_only_its_owner_reads_it(
    tmp_path: Path,
) -> None:
    memory = Memory.init(tmp_path)
    memory.log("Nothing to hide.")
    key = tmp_path / ".lithify" / "key"
    assert not key.exists()
    memory.log(f"The token is {TOKEN}.")
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    ignored = (tmp_path / ".lithify" / ".gitignore").read_text().split()
    assert "key" in ignored and "before-scan/" in ignored
    before = key.read_bytes()
    memory.log(f"The token is still {TOKEN}.")
    assert key.read_bytes() == before
    day = next((tmp_path / "memory").glob("*.md")).read_text()
    marks = [word for word in day.split() if word.startswith("[secret:")]
    assert len(marks) == 2 and len({mark.strip(".") for mark in marks}) == 1


def test_a_root_that_cannot_be_written_gets_marks_without_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".lithify").write_text("in the way")
    assert RootKey(str(tmp_path))() == b""


def test_a_reply_is_saved_and_read_without_secrets(tmp_path: Path) -> None:
    replies = SavedReplies(tmp_path, "some:model", Redact(key=RootKey(str(tmp_path))))
    kept = replies.put("aa", Completion(f"- Rotated {TOKEN}. [e1]"))
    assert TOKEN not in kept.text
    assert replies.get("aa") == kept
    assert TOKEN not in (tmp_path / ".lithify/replies/aa.json").read_text()


def test_the_documents_list_the_forms_of_the_data_file() -> None:
    page = (Path(__file__).parent.parent / "docs" / "formats.md").read_text("utf-8")
    kinds, names = re.findall(
        r"by kind:\n\n(.+?)\n\n.+?words that end in:\n\n(.+?)\n\n", page, re.S
    )[0]
    known = formats()
    assert re.findall("`(.+?)`", kinds) == known.kinds
    words = {normalize("NFC", word) for word in (*known.names, *known.made)}
    assert set(re.findall("`(.+?)`", " ".join(names.split()))) == words


@pytest.mark.parametrize(("half", "least"), [("open", 0.97), ("recent", 0.96)])
def test_of_keys_and_tokens_nearly_all_are_found_and_nearly_nothing_else(
    half: str, least: float
) -> None:
    found, alarms = secret_detection.found(half), secret_detection.false_alarms(half)
    assert found.rate >= least, found.wrong
    assert alarms.rate <= 0.003, alarms.wrong
    assert len(found.rows) >= 40


def test_what_a_writer_was_shown_is_no_credential_of_its_reply(tmp_path: Path) -> None:
    said = "- The new flow: password=76fccbc4be9. [e1]"
    replies = SavedReplies(roots.make(tmp_path / "root", {}))
    assert "76fccbc4be9" not in replies.put("aa", Completion(said)).text
    kept = replies.put("bb", Completion(said), "[e1] Merged 76fccbc4be9, the new flow.")
    assert kept.text == said
    known = replies.put("cc", Completion(f"- The token is {TOKEN}. [e1]"), "[e1] Rotated a token.")
    assert TOKEN not in known.text


@pytest.mark.parametrize(
    "text",
    [
        "- brew: python=python@3.11, node=node@20 for the admin box",
        "- env: password=password@2, redis=redis@7",
        "- sessionKey agent:main:subagent:44b18ef2-c963-45ca-89aa-95078fb31a3a, runtime 4 s",
        "- Primary model: swift-coding/s2p5 (53.3M tokens, 79%)",
        "- First-pass reading: maybe (the shift is 2026-specific finding)",
        "- Honest=TRUST@19, Drifting=DISTRUST@9 after the run",
        "- the login score: k = σ²_within / σ²_between, per user",
        "- admin cost: TTL = BASE * rev² / log2(blast_radius), capped",
        "- memory search (BM25+vectors+rerank), auth/E=mc^2 as an example",
        "- Last message from me: sent status update, offered thread link for the wallet",
        "- A seed phrase generates private keys; wallets derive addresses, users restore funds, apps sign",
        "Seed phrase derivation turns random words into seeds, wallets compute keys, signing uses them",
    ],
)
def test_versions_formulas_and_talk_of_a_phrase_are_no_secrets(text: str) -> None:
    assert [text[one.start : one.end] for one in findings(text)] == []


def test_a_reply_in_json_stays_readable_and_keeps_no_secret(tmp_path: Path) -> None:
    replies = SavedReplies(tmp_path, "some:model", Redact(key=RootKey(str(tmp_path))))
    word = "Kiesel" + "!weg7"
    items = [{"text": f'He said "{TOKEN}" [e1]', "password": word, "token": "Use the key [e2]"}]
    for frame in ("{}", "Here you are:\n```json\n{}\n```", "{} trailing words"):
        kept = replies.put("aa", Completion(frame.replace("{}", json.dumps(items)))).text
        assert TOKEN not in kept and word not in kept
        begin = kept.index("[{")
        (read,), _ = json.JSONDecoder().raw_decode(kept, begin)
        assert read["text"].startswith('He said "[secret:github-token:')
        assert read["token"] == "Use the key [e2]"
        assert TOKEN not in (tmp_path / ".lithify/replies/aa.json").read_text()
        (tmp_path / ".lithify/replies/aa.json").unlink()


def test_a_reply_that_only_begins_like_json_is_redacted_as_text(tmp_path: Path) -> None:
    replies = SavedReplies(tmp_path, "some:model", Redact(key=RootKey(str(tmp_path))))
    kept = replies.put("aa", Completion(f"[e1] The token is {TOKEN}, {{see}}")).text
    assert TOKEN not in kept and kept.startswith("[e1] The token is [secret:")


def test_a_password_told_in_a_sentence_is_not_found() -> None:
    for line in (
        "The Wi-Fi password is Sonnen" + "blume2023 and guests may have it.",
        "Das Passwort lautet Wolken" + "bruch_47xd.",
        "We set the PIN from 5073 to 8816.",
    ):
        assert findings(line) == ()


@pytest.mark.parametrize(
    "line",
    [
        "Reading on credibility (Osei et al. 2011, k=72): warnings fade sooner than claims.",
        "Scores by author: authority 3, drift=0.25x, review=19.7h, rotation=1h.",
        "All cases of the login form pass: 23+4=27, 32*5=160.",
        "Approvals by account size: small, 4-6→2of3, large→board.",
        "Auth proxy on the WAN: same throughput, +326ms.",
        "1. `76fccbc` — Forgot password flow and theme picker",
        'Key: "150 with a receipt, 10000 without"',
    ],
)
def test_figures_in_a_line_about_accounts_are_no_passwords(line: str) -> None:
    assert findings(line) == ()
