"""Small models choose: whatever they say, the page holds the floor and only the sources' words."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import roots
from lithify.compact.brief import briefs_of
from lithify.engines.base import Completion
from lithify.engines.model.choose_sections import SKIP, ChoosingEngine
from lithify.engines.offline import Offline
from lithify.memory import CompactOptions
from lithify.values import Brief, Claim, Usage
from lithify.verify import kept, verify

SAMPLE = Path(__file__).parent.parent / "examples" / "sample"


class Dice:
    """A model that says anything its schema allows."""

    name = "dice"

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        raise AssertionError("it can be held to a schema, and must be")

    def structured(
        self,
        prompt: str,
        *,
        system: str,
        schema: Mapping[str, Any],
        temperature: float,
        max_tokens: int,
    ) -> Completion:
        options = schema["properties"].items()
        said = {label: self._dice.choice(form["enum"]) for label, form in options}
        return Completion(json.dumps(said), Usage(10, 5))


class Says:
    """A model without a schema that always says the same."""

    name = "says"

    def __init__(self, text: str) -> None:
        self.text = text

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        return Completion(self.text, Usage(10, 5))


@pytest.fixture(scope="module")
def briefs(tmp_path_factory: pytest.TempPathFactory) -> list[Brief]:
    """The sample root's weeks and months as a writer is shown them."""
    root = tmp_path_factory.mktemp("sample") / "root"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns(".lithify"))
    memory = roots.opened(root, "2026-05-11")
    memory.compact(CompactOptions(("week",)))
    snapshot, tasks = memory.snapshot(), memory.plan()
    pages = [task for tier in ("week", "month") for task in tasks if task.tier == tier]
    return [briefs_of(snapshot, task)[0] for task in pages]


def cited(claims: Sequence[Claim]) -> set[str]:
    return {source for claim in claims for source in claim.sources}


@pytest.mark.parametrize("seed", range(1, 4))
def test_the_floor_is_kept_whatever_is_said(seed: int, briefs: list[Brief]) -> None:
    assert {brief.tier for brief in briefs} == {"week", "month"}
    more = 0
    for brief in briefs:
        draft = ChoosingEngine(Dice(seed), Offline()).draft(brief)
        floor = verify(Offline().draft(brief), brief, extractive=True)
        page = verify(draft, brief, extractive=True)
        sound = {claim.text for claim in floor.claims}
        assert not sound & {one.as_text.text for one in page.refused}
        assert cited(floor.claims) <= cited(page.claims)
        assert kept(brief, page.claims).told >= kept(brief, floor.claims).told
        more += len(page.claims) - len(floor.claims)
    assert more > 0, "its picks must count for something"


@pytest.mark.parametrize(
    "text",
    ["", "no", "{", "[1, 2]", '{"n1": "Nonsense"}', '{"n1": ["Context"]}', "{}" * 9, '{"x": 1}'],
)
def test_a_reply_that_says_nothing_leaves_the_floor(briefs: list[Brief], text: str) -> None:
    engine = ChoosingEngine(Says(text), Offline())
    brief = next(brief for brief in briefs if engine.questions(brief))
    draft = engine.draft(brief)
    assert draft.claims == Offline().draft(brief).claims
    assert draft.usage.input > 0


def test_to_skip_everything_skips_nothing_of_the_floor(briefs: list[Brief]) -> None:
    brief = briefs[0]
    said = json.dumps({f"n{n}": SKIP for n in range(1, 7)})
    assert (
        ChoosingEngine(Says(said), Offline()).draft(brief).claims == Offline().draft(brief).claims
    )
