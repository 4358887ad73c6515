"""The locks hold what pyproject.toml asks for, with hashes, and a release lists all of it."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent.parent
LOCK = runpy.run_path(str(HERE / "scripts" / "lock"))
SETS: dict[str, list[str]] = LOCK["wanted"]()


def packages(name: str) -> dict[str, list[str]]:
    """The packages of a lock, as `name==version`, with their hashes."""
    text = (HERE / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.replace("\\\n", "").splitlines() if not line.startswith("#")]
    return {line.split()[0]: re.findall(r"--hash=sha256:([0-9a-f]{64})", line) for line in lines}


def test_there_is_a_lock_for_the_core_the_build_and_every_extra() -> None:
    assert {path.stem for path in (HERE / "locks").glob("*.txt")} == set(SETS)


@pytest.mark.parametrize("name", SETS)
def test_a_lock_is_current_whole_and_names_no_index(name: str) -> None:
    text = (HERE / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    assert text.startswith(f"# {name}: {LOCK['digest'](SETS[name])};"), "run scripts/lock"
    assert "://" not in text and "--index-url" not in text and "--find-links" not in text
    held = packages(name)
    assert all(re.fullmatch(r"[a-z0-9-]+==[\w.+!]+", one) for one in held)
    assert all(held.values()), [one for one, hashes in held.items() if not hashes]
    names = {one.partition("==")[0] for one in held}
    asked = {re.split(r"[\[<>=!~ ]", one)[0].lower().replace("_", "-") for one in SETS[name]}
    assert asked <= names


def test_the_bill_of_materials_lists_every_package_of_a_lock(tmp_path: Path) -> None:
    command = [sys.executable, str(HERE / "scripts" / "sbom"), str(tmp_path), "core", "mcp"]
    subprocess.run([*command, "--no-validate"], check=True, capture_output=True)
    for name in ("core", "mcp"):
        bill = json.loads((tmp_path / f"lithify-{name}.cdx.json").read_text())
        assert bill["bomFormat"] == "CycloneDX"
        assert bill["metadata"]["component"]["name"] == "lithify"
        listed = {f"{one['name']}=={one['version']}" for one in bill["components"]}
        assert listed == set(packages(name))
