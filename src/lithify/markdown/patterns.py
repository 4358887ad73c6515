"""What a line of Markdown is by its looks: heading, list item, fence, quote, rule, lead-in.

Every pattern reads a line once. Where a repetition could be tried at several lengths it is
possessive, so that a long hostile line costs no more than its length.
"""

from __future__ import annotations

import re

from lithify.text.stems import SIGNS, is_sentence

HEADING = re.compile(r" {0,3}(#+)(?=[ \t]|$)")
#: The mark of a list item; a bullet character pasted from elsewhere counts too.
ITEM = re.compile(r"([ \t]*)([-*+•◦▪‣]|\d{1,9}[.)])(?:[ \t]+(?=\S)|[ \t]*$)")
FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)$")
BREAK = re.compile(
    r" {0,3}(?:-[ \t]*+-[ \t]*+-[- \t]*+|\*[ \t]*+\*[ \t]*+\*[* \t]*+|_[ \t]*+_[ \t]*+_[_ \t]*+)$"
)
UNDERLINE = re.compile(r" {0,3}={3,}[ \t]*$")
TABLE_RULE = re.compile(
    r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?$",
)
QUOTE = re.compile(r" {0,3}>[ \t]?")
QUOTED_LINE = re.compile(r"(?m)^ {0,3}>[ \t]?")
LEAD_END = (":", "：")
#: How a line begins that stands by itself, whatever is above it: with the time of day (`09:15 …`,
#: `[09:15] …`, `**9:15 am** - …`), a sign (`✅ …`), a label (`**Result:** …`, `Result: …`) or a speaker.
STAMPED = re.compile(
    r"[*_`]{0,3}\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}[:h]\d{2}(?::\d{2})?(?: ?[aApP]\.?[mM]\b\.?)?\]?[*_`]{0,3}"
    r"(?:[ \t]*[-–—:|][ \t]+|[ \t]+)(?=(\S))|"
    rf"[{SIGNS}]+[ \t]+(?=(\S))|"
    r"\*\*[^*\n]{2,40}(?::\*\*|\*\*:)[ \t]+(?=(\S))|"
    r"(?:[^\W\d_a-z][\w'/&-]*(?: [\w'/&-]+){0,2}|user|human|assistant|agent|system|tool) ?:[ \t]+(?=(\S))"
)
#: The end of a line whose sentence goes on with a time of day.
GOES_ON = re.compile(
    r"(?:[,(/–-]|\b(?:at|to|by|of|in|on|from|since|until|till|after|before|around|about|and|or|for|the|"
    r"between|than|is|was|were|are|be))\s*$",
    re.I,
)
#: The end of a line that ends a sentence.
STOPS = re.compile(r"[.!?:;)\]\"'`*_]\s*$")
#: Control sequences and control characters: a terminal obeys them and nobody reads them.
SIGNALS = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|[\x00-\x08\x0b-\x1f\x7f-\x9f]"
)

#: A line that only names the list right below it: `Open`, `For Monday`, `Gate (Ada, 10:00)`.
_LIST_NAME = re.compile(
    r"(?!(?:I|We|You|He|She|It|They|There|This|That)\b|\w+ed \w)(?=[\W_]*[^\W_])(?:(?!->|=>|→)[^\n:;!?|]){2,40}?(?<!\.)(?: \([^()\n]{1,60}\))?"
)
_NAME_WORDS = 6
#: A line that tells what happened names no list: `Deploy failed twice`.
_TELLS = re.compile(
    r" (?:\w{2,}ed|went|came|got|sent|broke|found|ran|took|made|told|said|fell|lost|built|wrote|met|paid|rang|began|gave|"
    r"kept|held|fails|works|breaks|needs|wants|does|did)\b",
    re.I,
)
#: A line of bold words alone, not a sentence and not a step, stands over its list like a heading.
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)((?:(?!\1|->|=>|→)[^\n]){2,60})(?<![\s.!?])\1")
#: A name with its clause: `Rules I was told today`, `What we have learnt`
_OF_WHICH = re.compile(
    r"(?:[A-Z][a-z]+s (?:I|we|you|he|she|they)|(?:What|How|Where) [a-z]*) (?!\?)", re.I
)
#: The first characters of lines that may begin a block of their own, besides digits.
_MARKS = frozenset("#-*+_>`~•◦▪‣")


def may_open(text: str) -> bool:
    """Whether a line can be anything but prose, as far as its first mark or a bar tells."""
    mark = text.lstrip(" \t")[:1]
    return mark in _MARKS or mark.isdecimal() or "|" in text


def title(text: str) -> str:
    """A heading's words, without the hashes some writers close it with."""
    text = text.strip()
    bare = text.rstrip("#")
    return bare.rstrip() if bare != text and (not bare or bare[-1] in " \t") else text


def indent_width(text: str) -> int:
    """Columns of white space a line begins with."""
    lead = text[: len(text) - len(text.lstrip(" \t"))]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)


def is_bold_line(text: str) -> bool:
    """Whether a line is bold words alone that name what stands under it."""
    bold = _BOLD_LINE.fullmatch(text) if text[:2] in ("**", "__") else None
    return bold is not None and not (is_sentence(bold[2]) and not _OF_WHICH.match(bold[2]))


def names_list(text: str) -> bool:
    """Whether a line above a list names it and says nothing: few words, no verb, no stop."""
    words = text.strip("*_ ")
    if text.startswith(("**", "__")) or _LIST_NAME.fullmatch(words) is None or is_sentence(words):
        return False
    name = words.partition(" (")[0]
    return name.count(" ") < _NAME_WORDS and _TELLS.search(name) is None
