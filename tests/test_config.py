"""Settings are right or refused, with the file, the key and the way out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lithify import config
from lithify.errors import ConfigError, PromptError
from lithify.settings import Gate, ModelFacts, Settings


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert config.load(tmp_path) == Settings()


def test_the_template_of_init_is_the_defaults(tmp_path: Path) -> None:
    off = Settings(gate=Gate(enabled=False))
    assert config.read(config.template().encode()) == off
    spoken = "\n".join(line.removeprefix("# ") for line in config.template().splitlines()[1:])
    settings = config.read(spoken.replace("#\n", "\n").encode())
    assert settings.models == {"ollama:llama3.2": ModelFacts()}
    assert settings._replace(zone="", models={}) == off


def test_the_template_of_init_names_every_setting() -> None:
    spoken = "\n".join(line.removeprefix("# ") for line in config.template().splitlines()[1:])
    table = tomllib.loads(spoken.replace("#\n", "\n"))
    assert list(table) == list(Settings._fields)
    for name, value in Settings()._asdict().items():
        if hasattr(value, "_fields"):
            assert set(table[name]) == set(value._fields) - {"jobs", "key"}
    assert "[gate.jobs.NAME]" in config.template()
    (facts,) = table["models"].values()
    assert list(facts) == list(ModelFacts._fields)


def test_every_kind_of_value_is_read() -> None:
    settings = config.read(
        b"\xef\xbb\xbf"
        b'agent_name = "Harbor"\nzone = "UTC"\ncompression = 0.2\n'
        b'[weekly]\nstyle = "combined"\n[wisdom]\ncategories = ["Deploys", "People"]\n'
        b'[models."lab:x"]\nwindow = 8000\nprice = [1, 2.5]\n'
    )
    assert settings.agent_name == "Harbor"
    assert settings.weekly.style == "combined"
    assert settings.wisdom.categories == ("Deploys", "People")
    assert settings.models == {"lab:x": ModelFacts(window=8000, price=(1.0, 2.5))}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("agent_nam = 'x'", ["`agent_nam`", "agent_name"]),
        ("[wisdom]\nmax_entry = 3", ["`wisdom.max_entry`", "`wisdom.max_entries`"]),
        ("[nowhere]\nx = 1", ["`nowhere`"]),
        ("compression = '30%'", ["`compression`", "a number"]),
        ("compression = true", ["`compression`", "a number"]),
        ("compression = 0.9", ["0.10 and 0.45"]),
        ("agent_name = 3", ["`agent_name`", "text"]),
        ("weekly = 3", ["`weekly`", "a table"]),
        ("[weekly]\nstyle = 'both'", ['"separate"', '"combined"']),
        ("[wisdom]\nmax_entries = 0", ["at least 1"]),
        ("[wisdom]\ncategories = ['a', 'a']", ["twice"]),
        ("[weekly]\nmin_dailies_for_weekly = 8", ["7 days"]),
        ("[weekly]\nmax_tokens = 0", ["`weekly.max_tokens` is 0", "400 or more", "4000"]),
        ("[monthly]\nmax_tokens = 399", ["`monthly.max_tokens`", "400 or more", "3000"]),
        ("zone = 'Mars/Olympus'", ["not a time zone"]),
        ("zone = '../../etc/passwd'", ["not a time zone"]),
        ("[verify]\nmax_repairs = 9", ["0 to 5"]),
        ("x = = 1", ["not valid TOML"]),
        ("agent_name = 'a\\nb'\nagent_name = 'c'", ["TOML"]),
    ],
)
def test_a_wrong_setting_is_refused_with_the_way_out(text: str, words: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        config.read(text.encode())
    message = caught.value.message
    assert message.startswith("lithify.toml: ")
    assert "\n" not in message.split("not valid TOML")[0]
    for word in words:
        assert word in message


def test_a_root_may_have_its_own_prompt(tmp_path: Path) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "weekly.md").write_text(
        "[system]\nBe brief.\n[user]\n{{logs}} {{memories}}\n"
    )
    prompts = config.load_prompts(tmp_path)
    assert prompts["weekly"].system == "Be brief."
    assert prompts["typed"] == config.load_prompts(tmp_path / "none")["typed"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[system]\nx\n[user]\nno placeholder\n", "logs"),
        ("[system]\nx\n[user]\n{{logs}}\n", "memories"),
        ("[system]\nx\n[user]\n{{logs}} {{memories}} {{secret}}\n", "secret"),
        ("{{logs}}\n", "[user]"),
        ("[user]\n{{logs}}\n[user]\n{{logs}}\n", "[user]"),
    ],
)
def test_a_prompt_is_checked_when_it_is_loaded(tmp_path: Path, text: str, word: str) -> None:
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts" / "weekly.md").write_text(text)
    with pytest.raises(PromptError, match=r"prompts/weekly\.md") as caught:
        config.load_prompts(tmp_path)
    assert word in caught.value.message
