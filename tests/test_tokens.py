"""The estimate is near a real vocabulary and is not fooled by what is not prose."""

from __future__ import annotations

import base64
import importlib.util
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lithify.text.tokens import estimate

#: (text, tokens in a common vocabulary of 200,000 words), counted once and recorded here.
PROSE = (
    "We moved the launch to the third of March because the carrier's sandbox was down for two "
    "days, and Priya asked for a rehearsal with the warehouse team before any customer sees it.",
    37,
)


def test_prose_is_within_fifteen_percent() -> None:
    text, tokens = PROSE
    assert abs(estimate(text) - tokens) <= 0.15 * tokens


@pytest.fixture(scope="module")
def measured() -> dict[str, list[Any]]:
    """What the benchmark finds, by the kind of text."""
    pytest.importorskip("rs_bpe", reason="pip install rs-bpe")
    path = Path(__file__).parent.parent / "benchmarks" / "tokens.py"
    spec = importlib.util.spec_from_file_location("benchmark_tokens", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: dict[str, list[Any]] = {}
    for one in module.measured():
        found.setdefault(one.kind, []).append(one)
    return found


def test_error_against_real_vocabularies_is_at_most_fifteen_percent_on_prose(
    measured: dict[str, list[Any]],
) -> None:
    prose = [kind for kind in measured if kind.startswith("English")]
    assert len(prose) == 2
    for kind in (*prose, "code", "Markdown tables", "base64"):
        for one in measured[kind]:
            assert one.tokens > 1000
            assert abs(one.error) <= 0.15, one


def test_wide_text_is_estimated_between_the_vocabularies(measured: dict[str, list[Any]]) -> None:
    wide = [kind for kind in measured if kind.startswith("CJK")]
    assert len(wide) == 3
    for kind in wide:
        errors = sorted(one.error for one in measured[kind])
        assert errors[0] < 0 < errors[1], measured[kind]


def test_encoded_bytes_cost_more_than_words_of_that_length() -> None:
    blob = base64.b64encode(random.Random(7).randbytes(3000)).decode()
    assert 0.55 * len(blob) < estimate(blob) < 0.75 * len(blob)


def test_every_wide_character_counts() -> None:
    assert estimate("四月二日に公開する") == 9


def test_nothing_is_nothing() -> None:
    assert estimate("") == 0
    assert estimate("  \t ") == 0


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_longer_text_never_costs_much_less(a: str, b: str) -> None:
    assert estimate(a + "\n" + b) >= max(estimate(a), estimate(b)) - 1


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_line_costs_what_its_words_cost(a: str, b: str) -> None:
    line = " ".join([*a.split(), *b.split()])
    assert estimate(line) == sum(estimate(word) for word in line.split())


@given(st.lists(st.text(max_size=60)))
def test_a_page_costs_what_its_lines_and_the_gaps_between_them_cost(lines: list[str]) -> None:
    page = "\n".join(lines)
    gaps = sum((len(gap) + 7) // 8 for gap in re.findall(r"\n\s*\n", page))
    assert estimate(page) == sum(map(estimate, page.split())) + gaps
