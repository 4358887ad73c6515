"""A second reader: it is shown each claim with the text it cites, and gives one verdict for each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from lithify.engines.base import Completion
from lithify.engines.model import ModelEngine, ReplyNeeded
from lithify.engines.model.prompt import Prompt, audit_prompt
from lithify.engines.model.reply import SCHEMAS
from lithify.text.tokens import estimate
from lithify.values import Claim, Entry, Usage, Violation

#: Tokens of one verdict with its reason, and of what stands around a claim and around an entry.
VERDICT = 40
AROUND = 12
#: Share of the output limit that verdicts are planned to fill.
FILL = 0.8
#: Characters of a reason that are kept.
_REASON = 200
#: How often one question is asked before the page goes on without an answer.
TRIES = 2
TEMPERATURE = 0.0

Judgement = Literal["supported", "contradicted", "not stated"]

_WORDS = r"(not[\s_-]*(?:stated|supported)|un(?:stated|supported)|contradict\w*|supported)\b"
_VERDICT = re.compile(rf"\W*{_WORDS}", re.IGNORECASE)
_LINE = re.compile(
    rf"^\W*(?:claim\s*)?c?(\d+)\W{{1,6}}{_WORDS}[^\S\n]*[^\w\n]*(.*)$", re.IGNORECASE | re.MULTILINE
)
_UNREAD = (Violation("audit", "no verdict could be read; give one for each claim by its number"),)
_NUMBER = re.compile(r"\d+")


class ClaimVerdict(NamedTuple):
    """The verdict on one claim, and why where it is not supported."""

    verdict: Judgement
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict


class Answer(NamedTuple):
    """The findings by the number of their claim; `unread` if a reply could not be read twice."""

    findings: Mapping[int, ClaimVerdict]
    usage: Usage = Usage()
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Auditor:
    """A model as second reader; `agent_name` is who speaks in entries without a subject."""

    engine: ModelEngine
    agent_name: str = "Agent"

    @property
    def name(self) -> str:
        return self.engine.name

    def judge(
        self, claims: Sequence[Claim], entries: Mapping[str, Entry], attempt: int = 0
    ) -> Answer:
        """A verdict on each claim: one call, or several if the claims do not fit one."""
        findings: dict[int, ClaimVerdict] = {}
        usage, unread, before = Usage(), False, 0
        for group in self.groups(claims, entries):
            found: dict[int, ClaimVerdict] = {}
            for turn in range(TRIES):
                reply = self._ask(self.prompt(group, entries), attempt * TRIES + turn, turn > 0)
                usage += reply.usage
                if found := read_verdicts(reply.text, len(group)):
                    break
            unread = unread or not found
            findings |= {before + number: finding for number, finding in found.items()}
            before += len(group)
        return Answer(findings, usage, unread)

    def _ask(self, prompt: Prompt, attempt: int, again: bool) -> Completion:
        try:
            return self.engine.ask(prompt, TEMPERATURE, attempt, SCHEMAS["audit"])
        except ReplyNeeded as needed:
            needed.violations = _UNREAD if again else ()
            raise

    def groups(
        self, claims: Sequence[Claim], entries: Mapping[str, Entry]
    ) -> list[tuple[Claim, ...]]:
        """The claims in their order, as many in a group as one call takes."""
        groups: list[tuple[Claim, ...]] = []
        used = most = self.most_shown
        for claim in claims:
            cost = _cost(claim, entries)
            if used + cost > most or len(groups[-1]) >= self.most_claims:
                groups.append(())
                used = 0
            groups[-1] += (claim,)
            used += cost
        return groups

    def prompt(self, claims: Sequence[Claim], entries: Mapping[str, Entry]) -> Prompt:
        """What one call sends; an entry that is too long for any call is cut."""
        cited = {id: entries[id] for claim in claims for id in claim.sources if id in entries}
        if len(claims) == 1 and cited:
            most = self.most_shown // len(cited)
            cited = {id: _clipped(entry, most) for id, entry in cited.items()}
        return audit_prompt(claims, cited, self.engine.prompts["audit"], self.agent_name)

    @property
    def most_claims(self) -> int:
        """The number of claims whose verdicts fit one reply."""
        return max(1, int(self.engine.room.output * FILL) // VERDICT)

    @property
    def most_shown(self) -> int:
        """Tokens of claims and entries that one call shows."""
        frame = self.engine.prompts["audit"]
        around = estimate(frame.system) + estimate(frame.user)
        return max(200, self.engine.room.window - self.engine.room.output - around)


def _cost(claim: Claim, entries: Mapping[str, Entry]) -> int:
    cited = [entries[id] for id in claim.sources if id in entries]
    said = sum(estimate(f"{' '.join(e.headings)} {e.lead} {e.text}") + AROUND for e in cited)
    return estimate(claim.text) + said + AROUND


def _clipped(entry: Entry, most: int) -> Entry:
    text = entry.text
    while len(text) > most and estimate(text) > most:
        text = text[: len(text) * 3 // 4]
    return entry if text == entry.text else replace(entry, text=f"{text} …")


def read_verdicts(text: str, count: int) -> dict[int, ClaimVerdict]:
    """The verdicts of a reply by the number of their claim; empty where none can be read.

    Asked for is a JSON array. Also read: objects outside of one, an array that was cut off, and
    lines such as `3: contradicted – it was Tuesday`.
    """
    found: dict[int, ClaimVerdict] = {}
    objects = [one for one in _objects(text) if "verdict" in one]
    said = [(str(o.get("claim")), str(o["verdict"]), str(o.get("reason") or "")) for o in objects]
    for number, verdict, reason in said or _LINE.findall(text):
        place, judged = _NUMBER.search(number), _VERDICT.match(verdict)
        if place and judged and 1 <= int(place[0]) <= count:
            word = _plain(judged[1])
            why = " ".join(reason.encode("utf-8", "replace").decode().split())[:_REASON]
            found[int(place[0])] = ClaimVerdict(word, "" if word == "supported" else why)
    return found


def _plain(word: str) -> Judgement:
    if word.casefold() == "supported":
        return "supported"
    return "contradicted" if word[:1] in "cC" else "not stated"


def _objects(text: str) -> list[dict[str, Any]]:
    decoder = json.JSONDecoder(strict=False)
    found: list[dict[str, Any]] = []
    at = text.find("{")
    while at != -1:
        try:
            value, end = decoder.raw_decode(text, at)
            found.append(value)
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)
    return found
