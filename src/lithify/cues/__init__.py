"""What the words of an entry say it is: outcome, decision, blocker, correction, routine.

English first, and pure. A cue reads the entry's label, lead-in, headings, checkbox and words;
where none speaks, the entry is context. `must_keep` prefers silence to a false alarm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from lithify.cues import labels, learned, letters, own
from lithify.cues import words as said
from lithify.cues.letters import hinted, small
from lithify.cues.phrases import tokens_of
from lithify.cues.weighing import (
    MADE,
    OUTRIGHT,
    PAST,
    PLAIN,
    SAID,
    is_calm,
    outside_brackets,
    weigh,
)
from lithify.values import WEEK_SECTIONS, Entry

OUTCOMES, DECISIONS, OPEN, CONTEXT = WEEK_SECTIONS
STRUCK = said.STRUCK
bare = letters.bare
checkbox = letters.checkbox
is_plain_label = labels.is_plain
bears = labels.bears

_WITHOUT_OBJECT = frozenset(
    ["with", "by", "in", "at", "after", "since", "again", "as", "for", "via", "to", "on", "within"]
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def label_of(text: str) -> str:
    """The short label a line begins with (`Decision`, `Priya`), or nothing."""
    return _label(bare(text))


def _label(words: str) -> str:
    match = said.LABEL.match(words) if ": " in words[:80] else None
    return match[1] if match else ""


@lru_cache(maxsize=1 << 12)
def announced(words: str) -> str:
    """The section that a label, lead-in or heading of these words announces, or nothing."""
    words = words.rstrip(": ")
    if not words or len(words) > 48 or words.count(" ") > 6:
        return ""
    low = small(words)
    if said.SAYS_OPEN.search(words) and not said.UNBLOCKED.search(low):
        return OPEN
    # Brackets say who chose, or which one it is: "Decision (ADR-7)".
    if choice := said.SAYS_DECISION.search(words.partition(" (")[0]):
        return "" if said.NEGATED.search(low[: choice.start()]) else DECISIONS
    if result := said.SAYS_OUTCOME.search(words):
        if said.FUTURE.search(low[: result.start()]):
            return ""  # "Until fixed", "once merged"
        return OPEN if said.NEGATED.search(low[: result.start()]) else OUTCOMES
    return ""


def section_of(entry: Entry) -> str:
    """The section of a week that the entry belongs to."""
    return judge(entry.text, entry.lead, entry.headings)[0]


def must_keep(entry: Entry) -> bool:
    """Whether the entry states a decision, an outcome, a blocker, a correction or a prohibition.

    What the user says of their own likes and circumstances may not be lost either.
    """
    if entry.kind == "code":
        return False
    text = entry.text
    if entry.kind == "lead":
        # The sentence that leads in says nothing without its list; those before it do.
        text = " ".join(_SENTENCE.split(text)[:-1])
    return text != "" and (judge(text, entry.lead, entry.headings)[1] or speaks_of_self(entry))


def routine(entry: Entry) -> bool:
    """Whether the entry says that all is as it was, or reports a chore."""
    return is_routine(entry.text)


@lru_cache(maxsize=1 << 13)
def is_routine(text: str) -> bool:
    """Whether these words report a chore or the absence of change, and nothing heavier."""
    return is_calm(weigh(bare(text)))


def tells_deed(text: str) -> bool:
    """Whether a line begins with what was done, as a diary's do: "watered the plants"."""
    first = bare(text).partition(" ")[0].lower()
    return first in PAST or first in MADE or (first.endswith("ed") and len(first) > 4)


def is_cause(label: str) -> bool:
    """Whether what follows a label tells why something was as it was: "Cause", "Reason"."""
    return said.CAUSE.fullmatch(label) is not None


def lacks_object(sentence: str) -> bool:
    """Whether a deed is told without what it was done to: "Fixed with a new seal"."""
    first, _, rest = sentence.partition(" ")
    return rest.partition(" ")[0] in _WITHOUT_OBJECT and first.lower() in MADE


def judge(text: str, lead: str, headings: tuple[str, ...]) -> tuple[str, bool]:
    """The section of these words in this place, and whether they may not be lost."""
    place, under_settled = place_of(lead, headings)
    section, kept = _judge(text, place, under_settled)
    if place == OPEN and section == OUTCOMES and _is_to_come(text, lead or headings[-1]):
        return OPEN, True
    if lead and section != place and checkbox(text) is None and _lead_weakens(lead, section):
        return CONTEXT, False
    return section, kept


def place_of(lead: str, headings: tuple[str, ...]) -> tuple[str, bool]:
    """The section that a lead-in or heading announces, and whether all under it is settled."""
    return (_lead_place(lead) if lead else "") or announced_by(headings), _lead_settles(lead)


@lru_cache(maxsize=1 << 12)
def _is_to_come(text: str, over: str) -> bool:
    """Whether a line of a list for a day to come says what is to be so then: "pump back to 3 bar"."""
    coming = said.FOR_A_DAY.match(small(bare(over))) is not None
    return coming and checkbox(text) is None and not said.HAS_BEEN.search(small(text))


@lru_cache(maxsize=1 << 12)
def _lead_weakens(lead: str, section: str) -> bool:
    """Whether a lead-in is over what might be, or over what explains a thing and leaves none open."""
    over = small(lead)
    return bool(said.OPTIONS.search(over) or (section == OPEN and said.EXPLAINS.search(over)))


@lru_cache(maxsize=1 << 12)
def _judge(text: str, place: str, under_settled: bool) -> tuple[str, bool]:
    """The same where a heading or lead-in announces `place`, or says that all under it is settled."""
    cued = by_cues(text, place, under_settled)
    if cued.is_sure or cued.section == cued.place:
        return cued.section, cued.kept
    words = bare(text)
    if max(weigh(words)[:3]) >= OUTRIGHT:
        # What is said outright is believed whatever the other words are.
        return cued.section, cued.kept
    section = learned.section_of(seen_in(words, cued), cued.section)
    if section == DECISIONS != cued.section and _is_nobodys(words):
        section = cued.section
    return section, cued.kept or section == OPEN != cued.section


def seen_in(words: str, cued: Cued) -> Iterator[learned.Feature]:
    """What of bare words and their cues the learned weights are for."""
    tokens = outside_brackets(tokens_of(words))
    return learned.features(tokens, cued.place, cued.section, cued.kept, weigh(words))


def _is_nobodys(words: str) -> bool:
    """Whether words tell no choice of anybody: something is thought of, or somebody heard it."""
    return _undecided(words) or said.HEARSAY.search(small(words)) is not None


class Cued(NamedTuple):
    """What the cues make of an entry; `is_sure` where its writer says so by a mark or a label."""

    section: str
    kept: bool
    place: str
    is_sure: bool = False


def by_cues(text: str, place: str, under_settled: bool) -> Cued:
    """The section that marks, labels and phrases tell, in a place that announces one or none."""
    words = bare(text)
    label = _label(words)
    labelled = announced(label) if label else ""
    place = labelled or place
    body = words[len(label) :].lstrip(" :\u202f\u00a0") if label else words
    if label and not labelled and _is_talk(label, body):
        return Cued(
            CONTEXT, bool(said.SWORN.search(small(body))) and not words.endswith("?"), place, True
        )
    weights = weigh(words)
    # What forbids is no chore, though it may name one.
    forbids = states_prohibition(text) and weights.decision >= weights.routine
    quiet = is_calm(weights) and not forbids
    box = checkbox(text)
    if box is not None:
        return Cued(*((OUTCOMES, not quiet) if box else (OPEN, True)), place, True)
    if said.TICKED_OFF.search(words):
        return Cued(OUTCOMES, not quiet, place, True)
    settled = _settling(label) if label else under_settled
    if settled and labelled != OPEN and not words.endswith("?"):
        return Cued(OUTCOMES, not quiet, place, True)
    if place == DECISIONS and _undecided(body):
        return Cued(OPEN, not quiet, place, True)
    if labelled == OPEN or place == DECISIONS:
        return Cued(place, not quiet, place, True)
    if said.LESSON.match(words):
        section = DECISIONS if weights.decision >= PLAIN else CONTEXT
        return Cued(section, True, place)
    if _unblocks(body) and not body[:8].lower().startswith(("no ", "nothing ")):
        return Cued(OUTCOMES, not body.endswith("?"), place, True)
    if quiet:
        return Cued(place or CONTEXT, False, place)
    section, kept = _weighed(words, place)
    if section == OPEN and labelled == OUTCOMES and weights.open < OUTRIGHT and words[-1] != "?":
        # What its writer calls a result is one, though it leaves something to be done.
        section = OUTCOMES
    if (
        section == OPEN != place
        and forbids
        and weights.decision >= PLAIN
        and said.FORBIDS.search(small(words))
    ):
        # What is forbidden is settled; the trouble it names is why.
        section = DECISIONS
    if section == DECISIONS != place and said.HEARSAY.search(small(words)) and not forbids:
        # What somebody heard is nobody's choice.
        section = CONTEXT
    if section == OPEN != place and (is_cause(label) or said.ANSWERED.match(small(words))):
        section = OPEN if said.UNKNOWN.search(small(body)) else CONTEXT
    return Cued(section, kept or forbids, place)


def is_talk(text: str) -> bool:
    """Whether a line is someone's part in a conversation, and not a log's own words."""
    words = bare(text)
    label = _label(words)
    return label != "" and not announced(label) and _is_talk(label, words[len(label) :])


def _is_talk(label: str, body: str) -> bool:
    return label.istitle() and said.TALK.search(small(body)) is not None


def _settling(words: str) -> bool:
    """Whether a label or lead-in says that what follows it was wrong and no longer is."""
    return labels.SETTLING.search(words) is not None and announced(words) == OUTCOMES


@lru_cache(maxsize=1 << 12)
def _lead_settles(lead: str) -> bool:
    return bool(lead) and _settling(bare(lead).rstrip(": "))


@lru_cache(maxsize=1 << 12)
def bearing_lead(lead: str) -> str:
    """A lead-in without which the lines under it would say something else, or nothing."""
    return labels.over_list(bare(lead).rstrip(": "))


def _unblocks(body: str) -> bool:
    near = "block" in body or "stuck" in body or "waiting" in body
    return near and said.UNBLOCKED.search(small(body)) is not None


@lru_cache(maxsize=1 << 12)
def _lead_place(lead: str) -> str:
    words = bare(lead)
    # Over a list "D2" may be the name of anything.
    return "" if said.NUMBERED.fullmatch(words) else announced(words)


def announced_by(headings: tuple[str, ...]) -> str:
    """The section that the innermost heading announces, or nothing; a section announces itself."""
    return _lead_place(headings[-1]) if headings else ""


def _weighed(body: str, place: str) -> tuple[str, bool]:
    """What words that report no chore say, under a heading that announces `place`."""
    weights = weigh(body)
    outcome, decision, stuck = weights[:3]
    if body.endswith("?"):
        asked = stuck >= PLAIN or place == OPEN or said.QUESTION.match(small(body)) is not None
        return (OPEN, True) if asked else (place or CONTEXT, False)
    if place == OPEN:
        # What is sent off but not here yet is still waited for.
        done = outcome >= PLAIN > stuck
        return (OUTCOMES, True) if done else (OPEN, True)
    if place == OUTCOMES:
        outcome += 1.5
    heaviest = max(outcome, decision, stuck)
    if heaviest < SAID or weights.context > heaviest:
        return (place or CONTEXT), bool(place) or states_correction(body)
    kept = heaviest >= PLAIN or place == OUTCOMES or states_correction(body)
    if stuck == heaviest:
        return OPEN, kept
    if decision == heaviest:
        return (place or CONTEXT, False) if _undecided(body) else (DECISIONS, kept)
    return OUTCOMES, kept


def is_tentative(text: str) -> bool:
    """Whether something is only thought of, asked or left open here."""
    return _undecided(bare(text))


def _undecided(words: str) -> bool:
    """Whether something is only thought of, asked or left open; a doubt in the reason is none."""
    if words.endswith("?"):
        return True
    words = small(words)
    head = said.REASON.split(words, maxsplit=1)[0] or words
    if not said.TENTATIVE.search(head) or said.COMMITS.search(head):
        return False
    return said.DOUBTS.search(head) is not None or not said.BINDS.search(head)


def states_correction(text: str) -> bool:
    """Whether someone says here that something said before was wrong."""
    return hinted(said.CORRECTION_HINTS, text) and bool(said.CORRECTION.search(small(bare(text))))


@lru_cache(maxsize=1 << 13)
def denies(text: str) -> str:
    """Whether someone takes back what was said: "this" before it, "that" which is named, or ""."""
    words = small(bare(text))
    if said.LEANING_DENIAL.match(words) and said.DENIAL.search(words):
        return "this"
    return "that" if said.DENIAL.search(words) else ""


def states_preference(text: str) -> bool:
    """Whether someone says here how they like things done."""
    return bool(said.PREFERENCE.search(bare(text)))


def owns_preference(text: str) -> bool:
    """Whether who speaks says here how they like things, beyond the day."""
    words = bare(text)
    return (
        own.OWN_PREFERENCE.match(words) is not None
        and not own.BRIEFLY.search(words)
        and not _undecided(words)
    )


def owned_fact(text: str) -> str:
    """What of their own the speaker gives (`timezone`), "self" for what they are, or ""."""
    words = bare(text)
    match = own.OWN_FACT.match(words)
    if match is None or own.BRIEFLY.search(words) or _undecided(words):
        return ""
    return match["what"] or "self"


@lru_cache(maxsize=1 << 13)
def is_own(text: str) -> bool:
    """Whether who speaks tells a lasting like or circumstance of their own."""
    first = text[:60].lower()
    if "i" not in first and "m" not in first:
        return False
    return owns_preference(text) or owned_fact(text) != ""


def speaks_of_self(entry: Entry) -> bool:
    """Whether the user tells in the entry what they like or are."""
    return entry.origin == "user" and any(is_own(one) for one in _SENTENCE.split(entry.text))


def states_prohibition(text: str) -> bool:
    """Whether something is forbidden here."""
    if not hinted(said.PROHIBITION_HINTS, text):
        return False
    words = small(bare(text))
    if words.endswith("?") or said.NONE_YET.match(words):
        return False
    return bool(said.PROHIBITION.search(words))


def reports_none(text: str) -> bool:
    """Whether the words report that something is not there: no news, no result yet."""
    return bool(said.NONE_YET.match(small(bare(text))))


def is_hearsay(text: str) -> bool:
    """Whether the words pass on what somebody heard."""
    return bool(said.HEARSAY.search(small(text)))


def states_rule(text: str) -> bool:
    """Whether the words hold beyond the day: always, from now on, every."""
    return bool(said.STANDING.search(small(bare(text))))


def states_practice(text: str) -> bool:
    """Whether a way of working is reported to have proved itself."""
    return bool(said.PRACTICE.search(small(bare(text))))


def references(text: str) -> tuple[str, ...]:
    """The addresses and channels the words point to, in order."""
    found = [*said.URL.findall(text), *re.findall(r"(?<![\w/#&`(])#[a-z][a-z0-9_-]{2,}\b", text)]
    return tuple(dict.fromkeys(found))


def states_reference(text: str) -> bool:
    """Whether the words point to a place outside the log."""
    return bool(said.URL.search(text) or (references(text) and said.POINTER.search(text)))


def strength(text: str) -> float:
    """How plainly words state an outcome, a decision or an open item."""
    return max(weigh(bare(text))[:3])


def plainness(text: str) -> float:
    """How plainly words say that something was achieved or decided; 0 where they do not."""
    weights = weigh(bare(text))
    heaviest = max(weights.outcome, weights.decision)
    return heaviest if heaviest >= max(weights.open, weights.routine, SAID) else 0.0


def is_open(entry: Entry) -> bool:
    """Whether the entry leaves something open: a blocker, a task not done, a question put."""
    return section_of(entry) == OPEN and not said.UNBLOCKED.search(small(bare(entry.text)))


def resolves(entry: Entry) -> bool:
    """Whether the entry says that something is settled, delivered or works again."""
    return _resolves(entry.text)


def settles(text: str) -> bool:
    """Whether these words say that something is settled, delivered or works again."""
    return _resolves(text)


@lru_cache(maxsize=1 << 13)
def _resolves(text: str) -> bool:
    if checkbox(text):
        return True
    if not hinted(said.RESOLVED_HINTS, text):
        return False
    words = bare(text)
    match = said.RESOLVED.search(small(words))
    if not match:
        return False
    before = words[max(0, match.start() - 30) : match.end()]
    rest = before.replace(words[match.start() : match.end()], "")
    return not (said.NEGATED.search(small(rest)) or said.FUTURE.search(small(before)))


@lru_cache(maxsize=1 << 13)
def hedges(text: str) -> frozenset[str]:
    """The reserves of a text, each by one word (`planned` and `intends` are both `plan`).

    A reserve inside a reason of the past ("because it guessed wrong last year") is none on
    what is said here.
    """
    if not hinted(said.HEDGE_HINTS, text):
        return frozenset()
    if "because" in text or "since" in text or "after" in text:
        text = said.PAST_REASON.sub("", text)
    found = said.HEDGE.finditer(small(text.replace("’", "'")))
    # `May` is the month, or someone's name, but where it asks.
    kept = (
        m
        for m in found
        if m.lastgroup != "may"
        or not text[m.start()].isupper()
        or said.MAY_I.match(text, m.start())
    )
    return frozenset(str(match.lastgroup) for match in kept)
