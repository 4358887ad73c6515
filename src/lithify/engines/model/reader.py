"""A reader: it is shown each claim with the entries it cites, and gives one verdict for each.

A reader is tested while it reads. Among the claims of each page stand two controls that code has made
from an entry that was shown: its own words, and the same words with a figure or name exchanged. A
reader that does not find the first supported, or finds the second supported, is not believed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from lithify.engines.base import Completion
from lithify.engines.model import ModelEngine, ReplyNeeded
from lithify.engines.model.prompt import Prompt, reader_prompt
from lithify.engines.model.reply import SCHEMAS
from lithify.regex import regex
from lithify.repeated import folded, others
from lithify.text.figures import find_figures
from lithify.text.labels import without_clock
from lithify.text.sentences import plain
from lithify.text.tokens import estimate
from lithify.text.words import stem
from lithify.values import Claim, Entry, SentBack, Usage, Violation

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
#: Words of an entry that a control is made of: fewer say too little, more are costly to read.
_SHORTEST, _LONGEST = 5, 60

Judgement = Literal["supported", "contradicted", "not stated"]

_WORDS = r"(not[\s_-]*(?:stated|supported)|un(?:stated|supported)|contradict\w*|supported)\b"
_VERDICT = regex(rf"\W*{_WORDS}", re.IGNORECASE)
_LINE = regex(
    rf"^\W*(?:claim\s*)?c?(\d+)\W{{1,6}}{_WORDS}[^\S\n]*[^\w\n]*(.*)$", re.IGNORECASE | re.MULTILINE
)
_UNREAD = SentBack(
    (Violation("reader", "no verdict could be read; give one for each claim by its number"),)
)
_NUMBER = regex(r"\d+")
_DIGIT = regex(r"\d")
_LONG_WORD = regex(r"[^\W\d_]{5,}")


class ClaimVerdict(NamedTuple):
    """The verdict on one claim, and why where it is not supported."""

    verdict: Judgement
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict


class Controls(NamedTuple):
    """Two claims that code knows the verdict on: one true, one false."""

    true: Claim
    false: Claim


class Answer(NamedTuple):
    """The verdicts by the place of their claim, from 0 on.

    `fault` says why they cannot be believed: no verdict could be read, or a control was misjudged.
    `tested` says whether controls stood among the claims; some entries give no material for them.
    """

    verdicts: Mapping[int, ClaimVerdict]
    usage: Usage = Usage()
    fault: str = ""
    tested: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """A model or agent that reads claims; `agent_name` is who speaks in entries without a subject."""

    engine: ModelEngine
    agent_name: str = "Agent"

    @property
    def name(self) -> str:
        return self.engine.name

    def read(
        self, claims: Sequence[Claim], entries: Mapping[str, Entry], attempt: int = 0
    ) -> Answer:
        """Read the claims of one page: one call, or several if they do not fit one."""
        return self._read([with_controls(claims, entries)], entries, attempt)[0]

    def read_pages(
        self, pages: Sequence[Sequence[Claim]], entries: Mapping[str, Entry], attempt: int = 0
    ) -> list[Answer]:
        """Read the claims of several pages together, each page with controls of its own.

        These are made from what the page itself cites, so that they are the same in any company.
        """
        tested = []
        for claims in pages:
            cited = {id: entries[id] for claim in claims for id in claim.sources if id in entries}
            tested.append(with_controls(claims, cited))
        return self._read(tested, entries, attempt)

    def _read(
        self,
        tested: Sequence[tuple[Sequence[Claim], Controls | None]],
        entries: Mapping[str, Entry],
        attempt: int,
    ) -> list[Answer]:
        shown = [claim for claims, _ in tested for claim in claims]
        verdicts: dict[int, ClaimVerdict] = {}
        usage, before = Usage(), 0
        for group in self.groups(shown, entries):
            found: dict[int, ClaimVerdict] = {}
            for turn in range(TRIES):
                reply = self._ask(self.prompt(group, entries), attempt * TRIES + turn, turn > 0)
                usage += reply.usage
                if found := read_verdicts(reply.text, len(group)):
                    break
            verdicts |= {before + number: verdict for number, verdict in found.items()}
            before += len(group)
        answers, start = [], 1
        for claims, controls in tested:
            own = {n: verdicts[start + n] for n in range(len(claims)) if start + n in verdicts}
            answers.append(_answer(claims, controls, own, usage))
            # The calls were made for all pages; their cost is counted with the first.
            usage, start = Usage(), start + len(claims)
        # A page of which no claim could be made false is believed as those beside it are.
        fault = next((one.fault for one in answers if one.tested and one.fault), "")
        return [one if one.tested else one._replace(fault=one.fault or fault) for one in answers]

    def _ask(self, prompt: Prompt, attempt: int, again: bool) -> Completion:
        try:
            return self.engine.ask(prompt, TEMPERATURE, attempt, SCHEMAS["reader"])
        except ReplyNeeded as needed:
            needed.back = _UNREAD if again else None
            raise

    def groups(
        self, claims: Sequence[Claim], entries: Mapping[str, Entry]
    ) -> list[tuple[Claim, ...]]:
        """The claims in their order, as many in a group as one call takes."""
        groups: list[tuple[Claim, ...]] = []
        used = most = self.most_shown
        for claim in claims:
            cost = cost_of(claim, entries)
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
        return reader_prompt(claims, cited, self.engine.prompts["reader"], self.agent_name)

    @property
    def most_claims(self) -> int:
        """The number of claims whose verdicts fit one reply."""
        return max(1, int(self.engine.room.output * FILL) // VERDICT)

    @property
    def most_shown(self) -> int:
        """Tokens of claims and entries that one call shows."""
        around, room = self.engine.prompts["reader"].tokens, self.engine.room
        return max(200, room.window - room.output - around)


def _answer(
    claims: Sequence[Claim],
    controls: Controls | None,
    verdicts: Mapping[int, ClaimVerdict],
    usage: Usage,
) -> Answer:
    """Return the verdicts on a page's own claims, or why its reader is not believed."""
    if not claims:
        return Answer({}, usage, tested=True)
    if not verdicts:
        return Answer({}, usage, "no verdict could be read in its reply", controls is not None)
    # A page may make the same claim as a control, so these are told apart by what they are.
    at = {id(claim): n for n, claim in enumerate(claims)}
    tests = [at[id(control)] for control in controls or ()]
    true, false = (verdicts.get(n) for n in tests) if tests else (None, None)
    fault = ""
    if true and true.verdict != "supported":
        fault = f'it called an entry\'s own words "{true.verdict}"'
    if false and false.verdict == "supported":
        fault = "it called a false claim supported"
    if controls and not fault and not (true and false):
        fault = "it left out claims that test it"
    own = [n for n in range(len(claims)) if n not in tests]
    mine = {place: verdicts[n] for place, n in enumerate(own) if n in verdicts}
    return Answer(mine, usage, fault, controls is not None)


def with_controls(
    claims: Sequence[Claim], entries: Mapping[str, Entry]
) -> tuple[tuple[Claim, ...], Controls | None]:
    """Return a page's claims with two controls among them, at places that nobody can foresee."""
    controls = controls_of(claims, entries) if claims else None
    if controls is None:
        return tuple(claims), None
    mixed = list(claims)
    for control in controls:
        place = int(_digest(control.text, *(claim.text for claim in claims)), 16)
        mixed.insert(place % (len(mixed) + 1), control)
    return tuple(mixed), controls


def controls_of(claims: Sequence[Claim], entries: Mapping[str, Entry]) -> Controls | None:
    """Make the two controls of a page, always the same for the same page; None without material."""
    told = {claim.text for claim in claims}
    # A page may repeat all that it was shown; then a control is made of what it repeats.
    plain_lines = (e for e in entries.values() if e.kind in ("item", "paragraph") and not e.quoted)
    material = sorted(
        (entry for entry in plain_lines if _SHORTEST <= len(entry.text.split()) <= _LONGEST),
        key=lambda entry: (entry.text in told, _digest(entry.id, *sorted(told))),
    )
    for exchanged in (_other_figure, _other_word):
        for entry in material:
            text = without_clock(plain(entry.text))
            if false := exchanged(text, material):
                return Controls(Claim(text, (entry.id,)), Claim(false, (entry.id,)))
    return None


def _digest(*texts: str) -> str:
    return hashlib.sha256("\x1f".join(texts).encode("utf-8", "replace")).hexdigest()[:12]


def _other_figure(text: str, others: Iterable[Entry]) -> str:
    """Return an entry's words with a figure of it exchanged; empty if it has none."""
    for figure in find_figures(text):
        whole = not text[figure.end : figure.end + 1].isalpha()
        if figure.start > 0 and whole and text.count(figure.digits) == 1:
            # Every digit but leading ones changes, so that no rounding makes it true again.
            digits = _DIGIT.sub(lambda match: str((int(match[0]) + 4) % 9 + 1), figure.digits)
            if digits != figure.digits:
                return text.replace(figure.digits, digits)
    return ""


def _other_word(text: str, others: Iterable[Entry]) -> str:
    """Return an entry's words with its longest word exchanged for one of another entry."""
    words = sorted(set(_LONG_WORD.findall(text)), key=lambda word: (-len(word), word))
    for other in others:
        for instead in _LONG_WORD.findall(plain(other.text)):
            if not words or stem(instead) == stem(words[0]):
                continue
            if instead not in text and text.count(words[0]) == 1:
                return text.replace(words[0], instead)
    return ""


def cost_of(claim: Claim, entries: Mapping[str, Entry]) -> int:
    """Tokens that a claim takes in a prompt with the entries it cites."""
    cited = folded([entries[id] for id in dict.fromkeys(claim.sources) if id in entries])
    said = sum(
        estimate(f"{' '.join(e.headings)} {e.lead} {e.text}{others((e, *more))}") + AROUND
        for e, *more in cited
    )
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
