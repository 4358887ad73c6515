"""Small models choose: whatever they say, the page holds the floor and only the sources' words."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import pytest

import roots
from lithify.compact.brief import briefs_of
from lithify.engines.base import Completion
from lithify.engines.model.choose import SKIP, ChoosingEngine
from lithify.engines.offline import Offline
from lithify.memory import CompactOptions
from lithify.sections import WEEK
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Draft, Entry, Usage
from lithify.verify import AcceptedDraft, verify

SAMPLE = Path(__file__).parent.parent / "examples" / "sample"


class Dice:
    """A model that says anything its grammar allows."""

    name = "dice"

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def complete(
        self, prompt: str, *, system: str, temperature: float, max_tokens: int
    ) -> Completion:
        raise AssertionError("it can be held to a grammar, and must be")

    def choose(
        self,
        prompt: str,
        *,
        system: str,
        options: Mapping[str, Sequence[str]],
        temperature: float,
        max_tokens: int,
    ) -> Completion:
        said = {label: self._dice.choice(choices) for label, choices in options.items()}
        return Completion(json.dumps(said), Usage(10, 5))


class Says:
    """A model without a grammar that always says the same."""

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
        floor = verify(Offline().draft(brief), brief, extractive=True, last=True)
        page = verify(draft, brief, extractive=True, last=True)
        assert isinstance(page, AcceptedDraft) and isinstance(floor, AcceptedDraft)
        kept = {claim.text for claim in floor.claims}
        assert not kept & {refused.text for refused in page.refused}
        assert cited(floor.claims) <= cited(page.claims)
        assert page.kept.told >= floor.kept.told
        more += len(page.claims) - len(floor.claims)
    assert more > 0, "its picks must count for something"


def test_what_must_be_kept_is_not_given_up_for_a_bullet_that_only_cites_it() -> None:
    texts = [
        "Decision: keep the nightly export, because the live one times out.",
        *(f"Looked at crate {n} of the northern yard, it was dusty and grey." for n in range(90)),
    ]
    entries = tuple(
        Entry(f"2026-04-02~{n:012x}", text, line=n, day=date(2026, 4, 2))
        for n, text in enumerate(texts)
    )
    size = sum(estimate(text) for text in texts)
    brief = Brief("week", "2026-W14", WEEK, entries, size=size, target=size // 3)
    # Every bullet names the decision, none tells it: it is put back, and the page is too long.
    claims = tuple(
        Claim(entry.text, (entry.id, entries[0].id), "Key Outcomes") for entry in entries[1:81]
    )
    page = verify(Draft(claims), brief, extractive=False, last=True)
    assert isinstance(page, AcceptedDraft)
    assert page.kept == (1, 1)
    assert any("nightly export" in claim.text for claim in page.claims)
    assert len(page.claims) < len(claims)


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
