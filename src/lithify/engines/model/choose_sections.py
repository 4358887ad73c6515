"""Small models as engines: they choose and label, and every word comes from the sources.

The offline engine's page is the floor. The model is asked about what that page has no clear
place for, and about what would come next with more room: a section for each, or to skip it.
What it picks is added while the page stays within its band. It can misplace a line; it can
neither lose one that the floor holds nor write one of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lithify.engines.base import Completion, Engine, MemoryModel, Room
from lithify.engines.model.prompt import Prompt, Template, fill, shipped
from lithify.engines.model.reply import Structured, object_of
from lithify.engines.replies import NoReplies, Replies, reply_key
from lithify.markdown.pages import longest
from lithify.sections import COMBINED, MONTH, WEEK
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Draft, SentBack, Usage

#: Notes in one question; more than a few confuse a small model.
AT_ONCE = 6
#: Tokens of a note that are shown.
SHOWN = 60
TEMPERATURE = 0.2
SKIP = "Skip"

_MEANS: Mapping[str, str] = {
    WEEK.outcomes: "something was finished, shipped, merged or solved",
    COMBINED.outcomes: "something was finished, shipped, merged or solved",
    WEEK.decisions: "something was decided or agreed",
    COMBINED.decisions: "something was decided or agreed",
    WEEK.open_items: "something is stuck, missing or still to be done",
    WEEK.context: "a fact, figure or name worth knowing",
    MONTH.themes: "what several notes are about",
    MONTH.milestones: "something was shipped, solved, decided or delivered",
    MONTH.trajectory: "a value or a direction changed",
    MONTH.carried_forward: "something is stuck or still to be done",
}


@dataclass(frozen=True, slots=True)
class ChoiceQuestion:
    """Some notes and what may be said of each."""

    notes: tuple[Claim, ...]
    options: Mapping[str, tuple[str, ...]]
    prompt: Prompt

    @property
    def schema(self) -> Mapping[str, Any]:
        """Return the form of an answer: one of its options for each label."""
        return object_of(
            {label: {"type": "string", "enum": [*known]} for label, known in self.options.items()}
        )


@dataclass(frozen=True, slots=True)
class ChoosingEngine:
    """A small model that picks and labels what the offline engine lays before it."""

    model: MemoryModel
    floor: Engine
    prompts: Mapping[str, Template] = field(default_factory=shipped)
    replies: Replies = field(default_factory=NoReplies)
    room: Room | None = None
    extractive: bool = True
    limit: int = 160

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def mark(self) -> str:
        return f"{self.model.name}:choose:{self.prompts['choose'].mark}"

    def draft(
        self,
        brief: Brief,
        back: SentBack | None = None,
        attempt: int = 0,
    ) -> Draft:
        """The offline page with the model's say in it; memories and wisdom are the page's alone."""
        page = self.floor.draft(brief)
        usage = Usage()
        said: dict[tuple[str, ...], str] = {}
        for question in self.questions(brief):
            reply = self._ask(question, attempt)
            usage += reply.usage
            said.update(_answers(question, reply.text))
        if not said:
            return page._replace(usage=usage)
        # To skip a line of the floor is not the model's right.
        claims = [
            claim
            if claim.section != _catch_all(brief) or said.get(claim.sources, SKIP) == SKIP
            else replace(claim, section=said[claim.sources])
            for claim in page.claims
        ]
        return Draft(claims=_filled(claims, self._more(brief), said, brief), usage=usage)

    def questions(self, brief: Brief) -> tuple[ChoiceQuestion, ...]:
        """Return all that the model is asked about a brief, a few notes at a time."""
        if brief.tier not in ("week", "month"):
            return ()
        unclear = [c for c in self.floor.draft(brief).claims if c.section == _catch_all(brief)]
        notes = [*unclear, *self._more(brief)]
        groups = [notes[n : n + AT_ONCE] for n in range(0, len(notes), AT_ONCE)]
        return tuple(self._question(brief, tuple(group)) for group in groups)

    def _more(self, brief: Brief) -> list[Claim]:
        """Return what the floor would add to its page if it had half as much room again."""
        told = {source for claim in self.floor.draft(brief).claims for source in claim.sources}
        wide = self.floor.draft(brief._replace(target=3 * brief.target // 2)).claims
        return [claim for claim in wide if not told & set(claim.sources)]

    def _question(self, brief: Brief, notes: tuple[Claim, ...]) -> ChoiceQuestion:
        choices = (*brief.sections, SKIP)
        values = {
            "agent_name": brief.agent_name,
            "sections": "\n".join(f"{s}: {_MEANS.get(s, s)}" for s in brief.sections),
            "notes": "\n".join(f"[n{n}] {_shown(c.text)}" for n, c in enumerate(notes, 1)),
        }
        options = {f"n{n}": choices for n in range(1, len(notes) + 1)}
        return ChoiceQuestion(notes, options, fill(self.prompts["choose"], values))

    def key(self, question: ChoiceQuestion, attempt: int) -> str:
        """Return the address of the reply to a question."""
        prompt = question.prompt
        return reply_key(self.name, TEMPERATURE, self.limit, prompt.system, prompt.user, attempt)

    def _ask(self, question: ChoiceQuestion, attempt: int) -> Completion:
        key = self.key(question, attempt)
        saved = self.replies.get(key)
        if saved is not None:
            return saved
        prompt = question.prompt
        how: Any = {
            "system": prompt.system,
            "temperature": TEMPERATURE,
            "max_tokens": self.limit,
        }
        if isinstance(self.model, Structured):
            reply = self.model.structured(prompt.user, schema=question.schema, **how)
        else:
            reply = self.model.complete(prompt.user, **how)
        return self.replies.put(key, reply, prompt.user)


def _catch_all(brief: Brief) -> str:
    """Return the section in which a line lands that says nothing clear of itself."""
    return brief.sections[0] if brief.tier == "month" else brief.sections[-1]


def _answers(question: ChoiceQuestion, text: str) -> dict[tuple[str, ...], str]:
    """Return what a reply says of each note; what cannot be read is not said."""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1]) if start >= 0 else {}
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {
        note.sources: str(found[label])
        for (label, options), note in zip(question.options.items(), question.notes, strict=True)
        if found.get(label) in options
    }


def _filled(
    claims: Sequence[Claim],
    more: Sequence[Claim],
    said: Mapping[tuple[str, ...], str],
    brief: Brief,
) -> tuple[Claim, ...]:
    """Return the floor and the lines that were picked, while there is room for them."""
    full = longest(brief.size, brief.ceiling)
    page = list(claims)
    used = sum(estimate(f"### {section}") for section in brief.sections)
    used += sum(estimate(f"- {claim.text}") for claim in page)
    for claim in more:
        section = said.get(claim.sources, SKIP)
        cost = estimate(f"- {claim.text}")
        if section != SKIP and used + cost <= full:
            page.append(replace(claim, section=section))
            used += cost
    return tuple(page)


def _shown(text: str) -> str:
    words = " ".join(text.split()).replace("```", "'''")
    if estimate(words) <= SHOWN:
        return words
    return " ".join(words.split()[: SHOWN * 2 // 3]) + " …"
