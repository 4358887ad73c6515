"""No module of the package imports itself through others, imports inside functions included."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"


def modules() -> dict[str, Path]:
    paths = {path: path.relative_to(SOURCE).with_suffix("") for path in SOURCE.rglob("*.py")}
    return {".".join(name.parts).removesuffix(".__init__"): path for path, name in paths.items()}


def imported(tree: ast.Module) -> set[tuple[str, str]]:
    """Every module and name that a file imports, whatever function it does so in."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {(node.module or "", alias.name) for alias in node.names}
    return found


def test_no_import_leads_back_to_its_module() -> None:
    known = modules()
    graph: dict[str, set[str]] = {}
    for module, path in known.items():
        wanted = imported(ast.parse(path.read_text("utf-8")))
        named = {f"{name}.{item}" if f"{name}.{item}" in known else name for name, item in wanted}
        # The package itself imports its public names on first use, from modules that import others.
        graph[module] = (named & known.keys()) - {module, "lithify"}
    TopologicalSorter(graph).prepare()
