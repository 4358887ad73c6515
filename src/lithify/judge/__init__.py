"""What a sentence is: its section, whether it must be kept, whether it is worth remembering.

What a day states outright (a box, a label, a heading that is a label) settles the section. The rest
is judged by weights that were learned from labelled logs (`training/`), one file for each language;
in a language nobody has taught, only what is stated outright counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from lithify.judge.features import HEADS, features, weights_of
from lithify.regex import regex
from lithify.sections import AS_COMBINED, BY_KEY, WEEK
from lithify.text.language import labels, memory_labels
from lithify.text.sentences import plain
from lithify.text.stems import COMMON_STEMS, is_empty, stem
from lithify.values import Entry, MemoryType

#: A task's box, or a sign that stands for one: ticked, or still to be done.
_BOX = regex(r"\s*(?:[-*+]\s+)?(?:\[([ xX~/-])\]|([☑✅✔✓🗹])|[☐⬜◻🔲⏳⌛🚧])\ufe0f?\s*")
#: A tick that is no box, before a line or at its end.
_SIGN = regex(r"\s*(?:[-*+]\s+)?[✅✔✓]")
_TICK = regex(r"\s[✅✔✓]\ufe0f?[\s.*_]*$")
#: Signs that say yes or no, alone in a cell too.
VERDICTS = "☑✅✔✓🗹❌❎✖✗✘⛔"
#: A time of day, or two, that a line begins with: `09:00`, `[14:05]`, `9:00 am - 10:30:`.
_CLOCK = regex(
    r"[\s*_`(\[]{0,4}\d{1,2}[:h]\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?(?:\s*[-–—]\s*\d{1,2}[:h]\d\d)?[\])`*_]*"
    r"[\s:,|–—-]+(?=\S)",
    re.I,
)
_LABEL = regex(r"\W{0,4}([^\W\d_][^:：.!?\n]{1,30}?)\W{0,3}[:：][\s*_]{0,4}(?=\S)")
#: Words in square brackets that are no link.
_TAG = regex(r"\[([^\W\d_][^\[\]:]{1,24})\](?!\()")
#: A label before a dash, or alone in square brackets.
_DASHED = regex(r"\W{0,4}([^\W\d_][\w /-]{1,20}?)(?:\]|[*_]{0,3}\s+[–—-])\s+[*_]{0,3}(?=\S)")
#: What stands between the fields of a line, and the words of a status.
_FIELDS = regex(r"\s*[:：;|,]\s*|\s+[-–—]\s+")
_EDGES = regex(r"^[\W\d]+|\W+$")
_CELL_EDGES = regex(
    rf"^[^\w`#$€£¥~+−<>≤≥≈=±{VERDICTS}-]+(?=[\w`#$€£¥~+−<>≤≥≈=±-])|(?<=\w)[\s:*_]+$"
)
#: A heading or label of more words is no mere name of a section.
_MOST_WORDS = 5
#: Without its label a line of fewer words says too little.
_FEW_WORDS = 2
#: What ends a clause of a heading or lead-in line; a bracket is an aside.
_CLAUSE = regex(r"\s*\([^()]*\)|[.:!?]\s+|\s+[–—|-]\s+")
#: An order in capitals at the beginning of a line: `NEVER push to main`.
_ORDER = regex(r"\W{0,4}([^\W\d_]{2,}(?:['’]T)?(?: [^\W\d_]{2,})?)\b")


@cache
def _sections() -> dict[str, str]:
    """Return the section that each label stands for: those of the word lists, and our own names.

    Of the other kinds of labels there, `turns` are those without which a line says the opposite,
    `fields` stand before the name of a section, `heads` may have words before them, and what stands
    under `rules`, or begins with one of `orders` in capitals, is a rule.
    """
    found = {label: BY_KEY[key] for key in BY_KEY for label in labels(key)}
    for label, kind in memory_labels().items():
        found[label] = WEEK.decisions if kind in ("feedback", "project") else WEEK.context
    for name, combined in AS_COMBINED.items():
        found[name.lower()] = found[combined.lower()] = name
    return found


def box_of(text: str) -> tuple[bool | None, str]:
    """Return whether a line's box is ticked (None where it has no box), and the line without it."""
    match = _BOX.match(text)
    if match is None:
        return None, text
    return bool(match[2]) or (match[1] or " ") in "xX", text[match.end() :]


def without_clock(text: str) -> str:
    """Return a line without the time of day it begins with."""
    match = _CLOCK.match(text)
    return text[match.end() :] if match else text


@lru_cache(maxsize=1 << 12)
def section_of(label: str) -> str:
    """Return the section that a label or heading names, or "" where it names none.

    Behind the name there may stand a bracket, a figure or words that say nothing of their own, and
    before some names what they are of: `Decisions (2 May)`, `Key decisions made today`, `Blocked by
    legal`, `Hard rules established`.
    """
    return _sections().get(_name_in(label), "")


def names_rules(label: str) -> bool:
    """Whether a label or heading says that rules stand under it: `Rules from Anna`."""
    return _name_in(label) in labels("rules")


def _name_in(label: str) -> str:
    """The name of a section that a label or heading holds: first, or as the head of its last clause."""
    if name := _named_first(label):
        return name
    # The last clause of a heading says what stands below: `Memory: design decisions (Monday)`.
    clauses = (_EDGES.sub("", clause).lower() for clause in reversed(_CLAUSE.split(label)))
    return _headed(next(filter(None, clauses), "").split())


def _named_first(label: str) -> str:
    """The name of a section that a label begins with, where the words behind it say nothing."""
    words = _EDGES.sub("", label).lower()
    if words in _sections():
        return words
    parts = words.split()
    for end in range(len(parts) if len(parts) <= _MOST_WORDS else 0, 0, -1):
        name = " ".join(parts[:end])
        if name in _sections() and (end == len(parts) or _says_nothing(parts[end])):
            return name
    return ""


def _headed(words: Sequence[str]) -> str:
    """The name of a section that ends some words, or behind which the words say nothing."""
    for start in range(min(len(words), _MOST_WORDS)):
        for end in (start + 2, start + 1):
            name = " ".join(words[start:end])
            after = words[end] if end < len(words) else ""
            # `Rules agreed` are given below, and of `Rule enforced` it is told how.
            told = name[-1:] == "s" and after.endswith("ed")
            if name in labels("heads") and (not after or told or _says_nothing(after)):
                # `Pending decisions` are open, and `blockers resolved` are not.
                return next((w for w in (after, *words[:start]) if w in _sections()), name)
        if is_empty(words[start]):
            break
    return ""


def is_named_first(label: str) -> bool:
    """Whether a heading is the name of a section, with nothing before it that it is of."""
    return bool(_named_first(label))


def is_label(text: str) -> bool:
    """Whether words are the name of a section and nothing else."""
    return _EDGES.sub("", text).lower() in _sections()


def is_status(text: str) -> bool:
    """Whether a text is names of sections and fields alone: `State - Status: OPEN`."""
    parts = [part.strip(" .!*_`").lower() for part in _FIELDS.split(text)]
    return all(part in _sections() or part in labels("fields") for part in parts)


def _says_nothing(word: str) -> bool:
    return not word[0].isalpha() or is_empty(word) or stem(word) in COMMON_STEMS


def label_of(text: str) -> str:
    """The words before the first colon or dash of a line that are short enough for a label.

    Before a dash only a name of a section is one: `Decided — two rooms`.
    """
    match = _LABEL.match(text)
    if match is None and (dashed := _DASHED.match(text)) and section_of(dashed[1]):
        match = dashed
    return match[1].strip() if match else ""


def labelled_as(words: str) -> str:
    """Return the section that a label at the beginning of a line names, or an order in capitals."""
    if _is_order(words):
        return WEEK.decisions
    label = label_of(words)
    # In small letters `Firewall rules: 12` is about rules and states none.
    return section_of(label) if label.isupper() else _sections().get(_named_first(label), "")


def _is_order(words: str) -> bool:
    match = _ORDER.match(words)
    said = match[1].replace("’", "'") if match and match[1][:2].isupper() else ""
    return any(f"{said} ".startswith(f"{order.upper()} ") for order in labels("orders"))


def is_rule(words: str, heading: str = "", lead: str = "") -> bool:
    """Whether somebody said of a line that it is a rule: by capitals, or by what it stands under."""
    return _is_order(words) or names_rules(lead) or names_rules(heading)


def labelled_by(heading: str) -> str:
    """The section that a label in a heading gives to what stands below: `Decision: no new tools`."""
    if section_of(heading):
        return ""
    section = section_of(label_of(without_clock(heading)))
    return section if section != WEEK.context else ""


def without_label(text: str) -> str:
    """Return a line without a label that names its section: the page says that already.

    `Fixed: login crashes` keeps it, because it would read as if login crashed.
    """
    match = _LABEL.match(text) or _DASHED.match(text)
    # A label with more than its section's name, as in `Blocked by legal`, stays: the page lacks that.
    if match is None or not is_label(match[1]):
        return text
    if _EDGES.sub("", match[1]).lower() in labels("turns"):
        return text
    rest = text[match.end() :]
    words = rest.split()
    if len(words) < _FEW_WORDS:
        return text
    # A name such as `base.html` stays as it is written.
    return rest[0].upper() + rest[1:] if words[0].rstrip(",.:;").isalpha() else rest


#: From this chance on a sentence must be kept. Chosen on logs left out (`training/README.md`).
MUST = 0.8
#: From this chance on a rule or lesson is suggested as a memory: nine of ten are right on logs left out.
SUGGESTED = 0.97
_FEEDBACK, _STATED = HEADS["lasting"].index("feedback"), 3
#: From these chances on nine of ten are right on logs left out; below, a sentence is Context.
SURE = {WEEK.outcomes: 0.97, WEEK.decisions: 0.9, WEEK.open_items: 0.9}


class Judgement(NamedTuple):
    """What a sentence is taken for.

    `section` is Context where the weights are unsure; `stated` is the chance that it reports an
    outcome, a decision or something open, `drop` that nobody needs it; `marked` says that a box or
    a label settled the section.
    """

    section: str
    must: float
    stated: float
    drop: float
    marked: bool = False


_UNKNOWN = Judgement(WEEK.context, 0.0, 0.0, 0.0)


@lru_cache(maxsize=1 << 14)
def judge(text: str, heading: str = "", lead: str = "", language: str = "English") -> Judgement:
    """Return the judgement on one sentence, its box still before it."""
    ticked, words = box_of(without_clock(text))
    words = without_clock(words)
    labelled = labelled_as(words) or labelled_by(heading)
    # A sign of a tick decorates many lists: it counts where the words report something done.
    signed = _SIGN.match(text) or _TICK.search(words)
    if signed and not labelled:
        known = _weighed(words, heading, lead, language)
        is_report = known is _UNKNOWN or _likeliest(words, heading, lead, language) == WEEK.outcomes
        return Judgement(WEEK.outcomes, MUST, 1.0, 0.0, marked=True) if is_report else known
    # `Order the heater [done]`
    tag = next(filter(None, map(section_of, _TAG.findall(words))), "")
    if ticked is None and tag in (WEEK.outcomes, WEEK.open_items):
        ticked = tag == WEEK.outcomes
    # A tick before `Decision:` is decoration; what was to be done is done with it.
    if ticked is not None and not (ticked and labelled not in ("", WEEK.open_items)):
        section = WEEK.outcomes if ticked else WEEK.open_items
        return Judgement(section, MUST if ticked else 1.0, 1.0, 0.0, marked=True)
    if labelled not in ("", WEEK.context):
        return Judgement(labelled, 1.0, 1.0, 0.0, marked=True)
    known = _weighed(words, heading, lead, language)
    if labelled:
        return Judgement(labelled, known.must, 0.0, 0.0, marked=True)
    if section := section_of(lead) or section_of(heading):
        stated = float(section != WEEK.context)
        # A rule holds on whatever else the week was about.
        least = 1.0 if is_rule(words, heading, lead) else 0.5 * stated
        return Judgement(section, max(known.must, least), stated, known.drop, marked=True)
    return known


def judge_row(cells: Sequence[str], columns: Sequence[str], known: Judgement) -> Judgement:
    """Return the judgement on a table's row: by a cell that is a label, or its first column's name."""
    named = [section_of(cell) for cell in cells if is_label(cell)]
    if len(named) == len([cell for cell in cells if cell]):
        return known
    section = named[0] if named else section_of(columns[0]) if columns else ""
    if not section:
        return known
    stated = float(section != WEEK.context)
    return Judgement(section, stated or known.must, stated, 0.0, marked=True)


def _likeliest(text: str, heading: str, lead: str, language: str) -> str:
    """The section that the weights find likeliest, sure or not."""
    weights = weights_of(language)
    chances = weights.chances(features(text, heading, lead))["section"] if weights else ()
    return HEADS["section"][chances.index(max(chances))] if chances else ""


def _weighed(text: str, heading: str, lead: str, language: str) -> Judgement:
    weights = weights_of(language)
    if weights is None:
        return _UNKNOWN
    chances = weights.chances(features(text, heading, lead))
    *stated, _, drop = chances["section"]
    best = max(stated)
    section = WEEK[stated.index(best)]
    section = section if best >= SURE.get(section, 1.0) else WEEK.context
    return Judgement(section, must_chance(chances), sum(stated), drop)


def must_chance(chances: Mapping[str, Sequence[float]]) -> float:
    """Return the chance that a sentence must be kept.

    What states something must be kept, and so must a rule: two heads speak for the one, a third
    for the other.
    """
    stated = sum(chances["section"][:_STATED])
    return max((chances["must"][1] + stated) / 2, chances["lasting"][_FEEDBACK])


def cells_of(row: str) -> list[str]:
    """Return the cells of a table's row as plain words."""
    return [_CELL_EDGES.sub("", plain(cell)) for cell in row.strip().strip("|").split("|")]


def mark_of(entry: Entry) -> str:
    """The section under which somebody marked an entry: by a label, a heading or an open box.

    Empty where nobody did. A ticked box is routine, and a line of code marks nothing. A table's row
    is marked by a cell that is a label.
    """
    if entry.kind in ("code", "lead"):
        return ""
    if entry.kind == "row":
        section = judge_row(cells_of(entry.text), cells_of(entry.lead), _UNKNOWN).section
        return section if section != WEEK.context else ""
    ticked, words = box_of(without_clock(entry.text))
    heading = entry.headings[-1] if entry.headings else ""
    labelled = labelled_as(without_clock(words)) or labelled_by(heading)
    if ticked is not None and not (ticked and labelled not in ("", WEEK.open_items)):
        return "" if ticked else WEEK.open_items
    lead = section_of(entry.lead)
    section = labelled or (lead if lead != WEEK.outcomes else "") or section_of(heading)
    return section if section != WEEK.context else ""


def is_taught(language: str) -> bool:
    """Return whether there are weights for a language."""
    return weights_of(language) is not None


def lasting(
    text: str, heading: str = "", lead: str = "", language: str = "English"
) -> MemoryType | None:
    """Return the kind of memory a sentence is worth suggesting as, or None.

    What somebody said is a rule is one.
    Only rules and lessons reach nine of ten on logs left out; what looks like a pointer or a decision
    that stands does not, and is suggested by nobody.
    """
    if is_rule(text, heading, lead):
        return "feedback"
    weights = weights_of(language)
    if weights is None:
        return None
    chance = weights.chances(features(text, heading, lead))["lasting"][_FEEDBACK]
    return "feedback" if chance >= SUGGESTED else None
