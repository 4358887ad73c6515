"""The gate's settings: refused with the fix, compiled once, deaf to the environment."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lithify import config
from lithify.errors import ConfigError
from lithify.gate import files
from lithify.gate.files import gate_settings, settings_from_json, settings_to_json
from lithify.gate.gatekeeper import Gatekeeper
from lithify.settings import Gate, Settings
from test_gate_core import prose


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("section_floor = 50", ["50 times 5 sections is 250", "`min_tokens` 200", "250", "40"]),
        ("min_tokens = 600", ["`threshold` 500", "raise `threshold` to 600"]),
        ("min_tokens = 1000\nthreshold = 2000", ["below `max_tokens` 1000"]),
        ('preset = "sales"', ["one of", "research", "'sales'"]),
        ('sections = ["A", ""]', ["empty name"]),
        ('sections = ["A", "a"]', ["names a section twice"]),
        ('sections = ["# A"]', ["without `#`"]),
        ('sections = ["A\\nB"]', ["one line"]),
        ("treshold = 5", ["unknown key `gate.treshold`", "gate.threshold"]),
        ("threshold = 0", ["at least 1"]),
        ("max_none = -1", ["at least 0"]),
        ("max_denials = 0", ["at least 1"]),
        ("rollup_every = 1", ["at least 2"]),
        ('threshold = "many"', ["a whole number"]),
        ('on_stuck = "ignore"', ['"hold", "pass"']),
        ('shape = "tree"', ['"chain", "hierarchical", "topics"']),
        ("[gate.jobs.billing]\nmin_tokens = 900", ["gate.jobs.billing.min_tokens", "threshold"]),
        ("[gate.jobs.Billing]\nthreshold = 900", ["small letters"]),
        ("[gate.jobs.billing]\nspeed = 900", ["unknown key", "speed"]),
        ("[gate.jobs.billing.jobs.x]\nthreshold = 900", ["unknown key", "jobs"]),
    ],
)
def test_impossible_rules_are_refused_with_the_fix(text: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        config.read(f"[gate]\n{text}\n".encode())
    for word in words:
        assert word in caught.value.message


def test_defaults_are_the_documented_ones() -> None:
    assert Settings().gate == Gate(
        *(None, 500, 200, 1000, 40, 2, 8, "hold", (), "default", "chain", 5),
    )
    assert config.read(b"[gate]\n") == Settings()


def test_job_has_the_rules_of_the_root_but_for_its_own() -> None:
    gate = config.read(
        b'[gate]\nthreshold = 700\nsections = ["Asked", "Done"]\n'
        b'[gate.jobs.billing]\nthreshold = 900\n[gate.jobs.law]\npreset = "legal"\n'
    ).gate
    assert gate.jobs["billing"].threshold == 900
    assert gate.jobs["billing"].sections == ("Asked", "Done")
    assert (gate.jobs["law"].threshold, gate.jobs["law"].sections) == (700, ())


def test_compiled_form_holds_all_of_them() -> None:
    settings = config.read(
        b'zone = "UTC"\n[gate]\nthreshold = 700\n[gate.jobs.billing]\nsections = ["Asked"]\n'
        b'[redact]\nenabled = false\nallow = ["x"]\n[trust]\ntaint = ["mcp"]\n'
    )
    compiled = gate_settings(settings)
    saved = json.loads(json.dumps(settings_to_json(compiled, "d")))
    assert settings_from_json(saved) == compiled
    assert compiled.rules("billing").sections == ("Asked",)
    assert compiled.rules("other").threshold == 700
    assert settings_from_json({**saved, "format": 99}) is None
    assert settings_from_json({}) is None


def test_edited_file_is_compiled_anew_and_an_unchanged_one_is_not_read_as_toml(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml = tmp_path / "lithify.toml"
    toml.write_text("[gate]\nthreshold = 700\n")
    assert Gatekeeper(tmp_path).rules("x").threshold == 700
    monkeypatch.setattr(config, "read", lambda data: pytest.fail("parsed again"))
    assert Gatekeeper(tmp_path).rules("x").threshold == 700
    monkeypatch.undo()
    toml.write_text("[gate]\nthreshold = 900\n")
    assert Gatekeeper(tmp_path).rules("x").threshold == 900
    Path(files.settings_path(tmp_path)).write_text("{damaged")
    assert Gatekeeper(tmp_path).rules("x").threshold == 900
    toml.unlink()
    assert Gatekeeper(tmp_path).rules("x") == Gate()


def test_refused_file_leaves_the_last_good_settings_in_force_and_says_so(tmp_path: Path) -> None:
    toml = tmp_path / "lithify.toml"
    toml.write_text("[gate]\nthreshold = 700\n")
    Gatekeeper(tmp_path).rules("x")
    toml.write_text("[gate]\nthreshold = 10\n")
    gate = Gatekeeper(tmp_path)
    assert gate.rules("x").threshold == 700
    assert "raise `threshold`" in gate.settings.problem


def test_environment_cannot_change_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in Gate._fields:
        for name in (f"LITHIFY_GATE_{key}", f"LITHIFY_{key}", f"GATE_{key}", key):
            monkeypatch.setenv(name.upper(), "999999")
    (tmp_path / "lithify.toml").write_text("[gate]\nenabled = true\n")
    gate = Gatekeeper(tmp_path)
    assert gate.settings.gate == Gate(enabled=True)
    assert gate.record("s", "prompt", prose(1, 600)).closed_now
    assert "999999" in os.environ["LITHIFY_GATE_THRESHOLD"]


def test_threshold_raised_while_closed_does_not_unfreeze_the_range(tmp_path: Path) -> None:
    (tmp_path / "lithify.toml").write_text("[gate]\nenabled = true\n")
    gate = Gatekeeper(tmp_path)
    job = gate.record("s", "prompt", prose(1, 600)).state.job
    (tmp_path / "lithify.toml").write_text("[gate]\nenabled = true\nthreshold = 5000\n")
    assert Gatekeeper(tmp_path).state(job).demand is not None
