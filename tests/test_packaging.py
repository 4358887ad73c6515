"""What is built and published agrees with itself: versions, dependencies, workflows, modules."""

from __future__ import annotations

import ast
import json
import os
import re
import runpy
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import yaml

import lithify
from test_import_circles import imported, modules

HERE = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
WORKFLOWS = sorted((HERE / ".github" / "workflows").glob("*.yml"))
FOLDERS = ("src", "tests", "scripts", "benchmarks", "live", "fuzz")

#: Packages whose module has another name.
NAMES = {
    "lithify-vectors": "lithify_vectors",
    "llama-index-core": "llama_index",
    "markdown-it-py": "markdown_it",
    "openai-agents": "agents",
    "opentelemetry-sdk": "opentelemetry",
    "pydantic-ai-slim": "pydantic_ai",
    "pyyaml": "yaml",
}
#: Packages that nobody imports, and the words by which they are used.
USED_BY = {
    "cyclonedx-bom": ("scripts/sbom", "cyclonedx_py"),
    "import-linter": ("Makefile", "lint-imports"),
    "lithify-vectors": ("src/lithify/search/vectors.py", "lithify_vectors"),
    "mypy": ("Makefile", "/mypy"),
    "pytest-randomly": ("CONTRIBUTING.md", "in random order"),
    "pytest-timeout": ("pyproject.toml", "timeout ="),
    "pytest-xdist": ("Makefile", "pytest -n 2"),
    "ruff": ("Makefile", "/ruff check"),
}
#: Modules that only a person's own program imports.
PUBLIC = {
    "lithify.hooks.agent_sdk",
    *(
        f"lithify.integrations.{name}"
        for name in (
            "langchain",
            "langgraph_checkpoint",
            "langgraph_store",
            "llamaindex",
            "memory_tool",
            "openai_agents",
            "pydantic_ai",
        )
    ),
}


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=!~; ]", requirement)[0]


@cache
def sources() -> dict[Path, str]:
    """Every Python file of the repository, those of scripts/ without a suffix included."""
    # Compiled files may lie beside the scripts.
    patterns = {"scripts": "[!_]*"}
    return {
        path: path.read_text("utf-8")
        for folder in FOLDERS
        for path in (HERE / folder).rglob(patterns.get(folder, "*.py"))
        if "__pycache__" not in path.parts
    }


def imported_below(*folders: str) -> set[str]:
    line = re.compile(r"^\s*(?:from|import) (\w+)", re.MULTILINE)
    found = (text for path, text in sources().items() if path.relative_to(HERE).parts[0] in folders)
    return {name for text in found for name in line.findall(text)}


def test_the_version_is_written_once_and_the_rest_agrees_with_it() -> None:
    plugin = HERE / "plugins" / "claude-code" / ".claude-plugin" / "plugin.json"
    assert json.loads(plugin.read_text("utf-8"))["version"] == PROJECT["version"]
    assert lithify.__version__ == version("lithify")
    entries = json.loads((HERE / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    assert all(
        one.get("version", PROJECT["version"]) == PROJECT["version"] for one in entries["plugins"]
    )
    assert "version" not in {
        name for name, value in vars(lithify).items() if isinstance(value, str)
    }


def test_the_extra_of_vectors_names_the_package_that_is_built_beside_it() -> None:
    place = HERE / "packages" / "lithify-vectors" / "pyproject.toml"
    if not place.exists():
        pytest.skip("a source archive does not hold packages/")
    beside = tomllib.loads(place.read_text("utf-8"))
    assert f"lithify-vectors=={beside['project']['version']}" in EXTRAS["vectors"]


def test_types_of_the_package_are_visible_to_its_users() -> None:
    assert (HERE / "src" / "lithify" / "py.typed").exists()
    assert "Typing :: Typed" in PROJECT["classifiers"]


@pytest.mark.parametrize("extra", ["core", *EXTRAS])
def test_every_dependency_is_used(extra: str) -> None:
    asked = PROJECT["dependencies"] if extra == "core" else EXTRAS[extra]
    known = imported_below(*(FOLDERS if extra == "dev" else ("src",)))
    for name in map(name_of, asked):
        if name in USED_BY:
            file, words = USED_BY[name]
            assert words in (HERE / file).read_text("utf-8"), name
        elif extra != "docs":  # A site generator is called, not imported.
            assert NAMES.get(name, name.replace("-", "_")) in known, name


def test_every_module_is_imported_by_another() -> None:
    known = modules()
    used: set[str] = set()
    for module, path in known.items():
        tree = ast.parse(sources()[path])
        for name, item in imported(tree):
            used |= {name, f"{name}.{item}"} - {module}
        if "import_module(" in sources()[path]:
            used |= set(named_in(tree, module))
    packages = {name.rpartition(".")[0] for name in known}
    alone = {name for name in known if not name.endswith("__main__")} - used - packages - PUBLIC
    assert not alone


def named_in(tree: ast.Module, module: str) -> Iterator[str]:
    """The modules that a table of names to import may mean."""
    package = module if module.endswith("clients") else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for word in node.value.split():
                yield f"{package}.{word.partition(':')[0]}"


def test_nothing_is_left_to_do_in_a_comment() -> None:
    left = re.compile(r"(?:#|<!--|//)\s*(?:TODO|FIXME|XXX)\b")
    others = (HERE / "Makefile", HERE / "pyproject.toml", *WORKFLOWS)
    found = sources() | {path: path.read_text("utf-8") for path in others}
    assert not [path for path, text in found.items() if left.search(text)]


def test_a_skipped_test_prints_its_reason() -> None:
    options = tomllib.loads((HERE / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]
    assert "-rs" in options["ini_options"]["addopts"].split()
    for path, text in sources().items():
        if re.search(r"\b(?:skip|skipif|xfail)\(", text):
            assert not list(without_reason(ast.parse(text))), path


def without_reason(tree: ast.Module) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            says = any(one.arg == "reason" for one in node.keywords)
            if node.func.attr in ("skipif", "xfail") and not says:
                yield node.lineno
            if node.func.attr == "skip" and not (says or node.args):
                yield node.lineno


def steps(workflow: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job["steps"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_what_exists_and_may_do_little(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        assert job.get("permissions", {"id-token": "write"}) == {"id-token": "write"}
        assert "permissions" not in job or name == "publish"
        assert job["timeout-minutes"] <= 60
    targets = set(re.findall(r"^([\w-]+):", (HERE / "Makefile").read_text("utf-8"), re.MULTILINE))
    for step in steps(workflow):
        if "uses" in step:
            assert re.search(r"@(v\d+\.\d+\.\d+|[0-9a-f]{40})$", step["uses"]), step["uses"]
        run = step.get("run", "")
        assert "${{" not in run, "an expression in a shell line lets its value run commands"
        assert set(re.findall(r"\bmake ([\w-]+)", run)) <= targets
        for script in re.findall(r"\bscripts/[\w-]+", run):
            assert os.access(HERE / script, os.X_OK), script
        if "scripts/test-wheel" in run:
            tried = runpy.run_path(str(HERE / "scripts" / "test-wheel"))["IMPORTS"]
            assert set(run.split("test-wheel")[1].split()[1:]) <= set(tried) <= set(EXTRAS)


def test_the_release_is_tried_on_every_system_and_python_that_is_named() -> None:
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    systems = {"ubuntu", "macos", "windows"}
    for path in WORKFLOWS:
        jobs = yaml.safe_load(path.read_text("utf-8"))["jobs"].values()
        tables = [job["strategy"]["matrix"] for job in jobs if "strategy" in job]
        assert all(table["python"] == named for table in tables)
        tried = {name.partition("-")[0] for table in tables for name in table.get("os", ["ubuntu"])}
        assert tried == systems
    assert f">={named[0]}" == PROJECT["requires-python"]


def test_the_lowest_versions_of_every_extra_are_tested() -> None:
    tests = runpy.run_path(str(HERE / "scripts" / "minimum-versions"))["TESTS"]
    assert set(tests) == {"core", "all", *EXTRAS} - {"dev", "docs"}
    for files, _ in tests.values():
        assert all((HERE / "tests" / f"test_{name}.py").is_file() for name in files)
