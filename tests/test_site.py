"""The site of the documentation: what scripts/site makes of the pages, and what it refuses."""

from __future__ import annotations

import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

REPO = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site() -> ModuleType:
    loader = SourceFileLoader("site_script", str(REPO / "scripts" / "site"))
    spec = spec_from_loader("site_script", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def built(folder: Path, body: str, css: str = "") -> Path:
    (folder / "assets").mkdir()
    (folder / "assets" / "main.css").write_text(css)
    (folder / "other.html").write_text('<h2 id="there">Other</h2>')
    (folder / "index.html").write_text(f"<html><body>{body}</body></html>")
    return folder


@pytest.mark.parametrize(
    "body",
    [
        '<script src="https://cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="//fonts.example/css">',
        '<img src="https://img.example/badge.svg">',
        '<img srcset="https://img.example/badge.svg 2x">',
        '<style>@import "https://fonts.example/css";</style>',
        '<p style="background: url(https://img.example/x.png)">',
        '<a href="missing.html">x</a>',
        '<a href="other.html#gone">x</a>',
        '<a href="#gone">x</a>',
    ],
)
def test_remote_assets_and_dead_links_are_refused(
    site: ModuleType, tmp_path: Path, body: str
) -> None:
    assert len(site.problems(built(tmp_path, body))) == 1


def test_a_style_sheet_loads_nothing_from_elsewhere(site: ModuleType, tmp_path: Path) -> None:
    css = "@font-face { src: url('https://fonts.example/a.woff2'); }"
    assert len(site.problems(built(tmp_path, "", css))) == 1


def test_links_to_other_sites_and_between_pages_are_fine(site: ModuleType, tmp_path: Path) -> None:
    body = '<a href="https://example.com">x</a><a href="other.html#there">y</a><img src="a.png">'
    assert site.problems(built(tmp_path, body, "p { background: url(a.png) }")) == []


def test_links_out_of_the_docs_become_names(site: ModuleType) -> None:
    page = REPO / "docs" / "engine.md"
    text = (
        "[the data](../training/README.md), [training/](../training/README.md), [gate](gate.md#a)"
    )
    assert site.without_outside_links(text, page) == (
        "the data (`training/README.md`), `training/README.md`, [gate](gate.md#a)"
    )


def test_every_page_has_a_place_in_the_navigation() -> None:
    def pages(entry: Any) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        return [
            page
            for one in (entry.values() if isinstance(entry, dict) else entry)
            for page in pages(one)
        ]

    nav = tomllib.loads((REPO / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    docs = REPO / "docs"
    written = sorted(p.relative_to(docs).as_posix() for p in docs.rglob("*.md"))
    assert sorted(pages(nav)) == written, "nav in zensical.toml lists other pages than docs/ has"
