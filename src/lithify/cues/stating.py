"""What words state beyond their section: a correction, a wish, a rule, a doubt, a place to look."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.cues import own
from lithify.cues import words as said
from lithify.cues.letters import bare, hinted, small


def is_tentative(text: str) -> bool:
    """Whether something is only thought of, asked or left open; a doubt in the reason is none."""
    words = bare(text)
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
        and not is_tentative(words)
    )


def owned_fact(text: str) -> str:
    """What of their own the speaker gives (`timezone`), "self" for what they are, or ""."""
    words = bare(text)
    match = own.OWN_FACT.match(words)
    if match is None or own.BRIEFLY.search(words) or is_tentative(words):
        return ""
    return match["what"] or "self"


@lru_cache(maxsize=1 << 13)
def is_own(text: str) -> bool:
    """Whether who speaks tells a lasting like or circumstance of their own."""
    first = text[:60].lower()
    if "i" not in first and "m" not in first:
        return False
    return owns_preference(text) or owned_fact(text) != ""


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
