"""A choice and what replaced it as one sentence: from the old value to the new, in their own words."""

from __future__ import annotations

import re

from lithify.engines.offline.reading.units import stems_in
from lithify.text.stems import COMMON_STEMS, is_common, is_empty

#: Words a value may have: more is a sentence of its own.
_LONGEST = 6
_CLAUSE = re.compile(
    r"[,;:.!?(]|\s-\s|\s(?:because|since|so that|so|which|while|until|unless|if)\s"
)
#: What was turned away from, named after what took its place.
_OVER = re.compile(
    r",? (?:instead of|rather than|in place of|and no longer|no longer|and not|but not|not) ", re.I
)
_FROM_TO = re.compile(r"\bfrom (?:the )?([^,;:.()]{1,60}?) (?:to|into|over to) (?:the )?(\S)", re.I)
_REASON = re.compile(r",? (?:because|since|so that|as)\b", re.I)
_NOW = re.compile(r"^(?:now|again|finally) (?=\w)", re.I)
#: What begins with a verb is what a thing did, not what it is worth.
_DOES = re.compile(
    r"(?:is|are|was|were|has|have|had|will|would|can|could|did|does|do|may|must|should|came|comes?|went|goes|got|gets?)\b|\w+n't\b",
    re.I,
)
_NO = re.compile(r"(?:no|not|never|none|without)\b", re.I)
#: As many characters tell where a sentence was taken from.
_HEAD = 12
#: Words between what has a value and the value: they go, the colon says the same.
_BETWEEN = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "has",
        "have",
        "had",
        "will",
        "shall",
        "should",
        "stays",
        "stay",
        "stayed",
        "remains",
        "remain",
        "go",
        "goes",
        "went",
        "run",
        "runs",
        "ran",
        "use",
        "uses",
        "used",
        "take",
        "takes",
        "took",
        "live",
        "lives",
        "sit",
        "sits",
        "move",
        "moves",
        "moved",
        "come",
        "comes",
        "keep",
        "keeps",
        "kept",
        "set",
        "sets",
        "leave",
        "leaves",
        "send",
        "sends",
        "sent",
        "ship",
        "ships",
        "happen",
        "happens",
        "now",
        "on",
        "in",
        "by",
        "with",
        "at",
        "to",
        "for",
        "from",
        "as",
        "via",
        "through",
        "of",
        "the",
        "a",
        "an",
    ]
)
_PRONOUNS = frozenset(
    ["i", "we", "you", "he", "she", "it", "they", "this", "that", "these", "those", "there"]
)


def from_to(old: str, new: str) -> str:
    """What two sentences of one frame give a value, old and new; "" where they have no such frame.

    A sentence that tells both itself (`moved from rail to barge`) is its own answer.
    """
    told = _FROM_TO.search(new)
    if told and _words(told[1]) <= _words(old):
        return new.rstrip(" .")
    before, after = old.split(), new.split()
    same = 0
    for one, other in zip(before, after, strict=False):
        if one.lower().rstrip(".!,;:") != other.lower().rstrip(".!,;:"):
            break
        same += 1
    subject = _subject(after[:same])
    was, more = _value(" ".join(before[same:]))
    if more.strip(" .!") and not _REASON.match(more):
        return ""
    rest = " ".join(after[same:])
    over = _OVER.search(rest)
    now, tail = _value(rest[: over.start()]) if over else _value(rest)
    now = _NOW.sub("", now)
    if over:
        named, tail = _value(rest[over.end() :])
        if tail.strip(" .!") and not tail.startswith(","):
            return ""
        if _words(named) != _words(was):
            return ""
    if not subject or not was or not now or _NO.match(now) or _words(was) <= _words(now):
        return ""
    if _DOES.match(was) or _DOES.match(now):
        return ""
    return f"{subject}: from {was} to {now}{tail}".rstrip(" .")


def small(text: str, source: str) -> str:
    """The text as it stands inside a sentence: small where its source has it or no name begins it."""
    first = text.split(maxsplit=1)[0] if text else ""
    if first == "I" or first.startswith("I'"):
        return text
    first = first.lower()
    low = text[:1].lower() + text[1:]
    return low if is_empty(first) or is_common(first) or low[:_HEAD] in source else text


def _subject(words: list[str]) -> str:
    """What a frame gives a value to, without the words that only lead on to it."""
    while words and words[-1].lower() in _BETWEEN:
        words = words[:-1]
    # Whose it is does not name what it is.
    if not words or words[-1].endswith(("'s", "s'")):
        return ""
    if len(words) == 1 and words[0].lower() in _PRONOUNS:
        return ""
    text = " ".join(words)
    return text if _telling(text) and not _CLAUSE.search(text) and '"' not in text else ""


def _value(rest: str) -> tuple[str, str]:
    """The few words of a value, and what is said after them; "" where they are too many."""
    stop = _CLAUSE.search(f"{rest} ")
    value = rest[: stop.start()] if stop else rest
    if not value or len(value.split()) > _LONGEST or '"' in value or not _words(value):
        return "", ""
    return value.strip(), rest[len(value) :].rstrip()


def _telling(text: str) -> frozenset[str]:
    return frozenset(stem for stem in stems_in(text) if stem not in COMMON_STEMS)


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in re.findall(r"\w+", text.lower()) if not is_empty(word))
