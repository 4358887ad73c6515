"""A pattern that is compiled at first use is the pattern."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lithify.regex import regex

PATTERN = r"(\w)(b+)?"


@given(st.text("ab \n", max_size=12))
def test_it_answers_as_re_does(text: str) -> None:
    ours, plain = regex(PATTERN, re.IGNORECASE), re.compile(PATTERN, re.IGNORECASE)
    for _ in range(2):
        assert ours.findall(text) == plain.findall(text)
        assert ours.split(text) == plain.split(text)
        assert ours.sub(r"<\1>", text) == plain.sub(r"<\1>", text)
        found, there = ours.search(text), plain.search(text)
        assert (found and found.groups()) == (there and there.groups())
    assert (ours.pattern, ours.flags, ours.groups) == (plain.pattern, plain.flags, plain.groups)


def test_it_has_nothing_that_a_pattern_does_not_have() -> None:
    for name in ("missing", "__wrapped__"):
        with pytest.raises(AttributeError):
            getattr(regex("a"), name)
    assert regex(b"a").match(b"ab")


def test_every_pattern_of_the_program_compiles() -> None:
    code = """
import importlib, pkgutil, lithify
from lithify.regex import _Waiting
for one in pkgutil.walk_packages(lithify.__path__, "lithify."):
    if not one.name.endswith("__main__"):
        try:
            module = importlib.import_module(one.name)
        except ImportError:
            continue
        for value in vars(module).values():
            for pattern in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(pattern, _Waiting):
                    pattern.flags
                    print(one.name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) > 250
