"""What is over though nobody says so: outrun by the next plan, answered or decided beside it, struck."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lithify import cues
from lithify.engines.offline.matters.boxes import is_task_row, is_ticked
from lithify.engines.offline.matters.due import ahead
from lithify.engines.offline.matters.matter import FEWEST, comes_after, telling
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

#: A line that says at a day's end what comes next: the next such line takes its place.
_PLAN = re.compile(
    r"(?:next(?: up| steps?| time| session| day)?|up next|tomorrow|(?:the )?plan for tomorrow)$",
    re.I,
)
#: What goes on after a question and gives no answer.
_NO_ANSWER = re.compile(
    r"\b(?:not|n't|never) (?:\w+ )?(?:say|said|know|known|sure|clear|tell|told|answer\w*|decided|yet)\b|"
    r"\b(?:maybe|perhaps|unsure|unclear|unknown|no idea|hm+|later|asks?|asked|asking|nobody|no one|who knows|think|thinks|wait|waiting|open|"
    r"we(?:'ll| shall| will) see|look into|find out|check|must|should|needs?|tbd|bet|guess|suspects?)\b|^(?:or|and|if|because|since)\b",
    re.I,
)
_STILL = re.compile(
    r"\bstill (?:no|not|open|un\w+|to|wait\w*)\b|\bnot yet\b|\b(?:is|are|stays|remains|left) open\b",
    re.I,
)
#: Who rules on it, or agrees, as the last word; and what a decision leaves as it is.
_RULES = re.compile(r"\b(?:verdict|ruling|decision|decided|decides)\b", re.I)
_AGREES = re.compile(r"(?:^|[.;] )(?:[A-Z][\w-]+|I|We) (?:agrees?|agreed|accepts?|accepted)\W*$")
#: What was done about a wish, told in the next breath without a word on who did it.
_SERVED = (
    r"(?:Done|Sent|Given|Granted|Changed|Corrected|Fixed|Told (?:him|her|them))"
    r"(?:[,;]|\W*$| (?:from|to|at|by|on|it|them)\b)"
)
#: That it was done is added to the task itself, or who did it, or what came of the question.
DONE = re.compile(
    r"[(,;] ?(?i:already )?(?i:done)(?:: \S+|(?: at)? \d\S*| today| now)?\)?\W*$|"
    r"[;:] (?:already )?done(?: already)?(?:,|\W*$)|"
    r"[.;] (?:[A-Z]\w+|I|We)(?: \w+ly)? did\b(?! not\b)|"
    r"\basked for\b[^.;]*\band (?:have|has|had|got) (?:it|them|both)\b|\basked: (?![^.]*\?)|"
    rf"[.;] {_SERVED}"
)
_PUT_OFF = re.compile(r"\b(?:wait\w*|until|till|postpone\w*|later|next|first|ask\w*)\b", re.I)
_YES_OR_NO = re.compile(r"[.?!:]\"? (?:yes|no|yep|nope|ja|nein|oui|non)[,.!;: ]", re.I)
_ASKS = re.compile(
    r"\?\"?$|\b(?:asked|asks?|wondered|wonders) (?:[\w.']+ ){0,4}?(?:whether|if|what|how|when)\b",
    re.I,
)
#: So many words or fewer tell a figure and nothing else.
_DIGIT, _CURT = re.compile(r"\d"), 8
#: Letters by which the end of a sentence is found again.
_TAIL = 24
#: What was wrong, told as what a section is about; what was tried there, and the sign that it did it.
_SYMPTOM = re.compile(r"(?:symptoms?|problem|bug|error|fault|trouble)$", re.I)
_TRIED = re.compile(r"(?:plan|option|attempt|try|fix|idea|step) ?[a-z\d]?$", re.I)


def met(units: Sequence[Unit]) -> dict[int, Unit]:
    """For the places of items that need no end of their own what they are over by.

    That is a sentence beside them, the next of their kind or a line that crosses them out.
    """
    how = (_outrun, _answered, _decided, _remedied, _struck)
    return dict(over for one in how for over in one(units))


def _outrun(units: Sequence[Unit]) -> Iterator[tuple[int, Unit]]:
    """What was to come next, where a later day says anew what comes next."""
    plans = [unit for unit in units if _PLAN.match(cues.label_of(unit.entry.text))]
    last = plans[-1].entry.day if plans else None
    for unit in plans:
        if unit.entry.day != last and last and not ahead(unit, last.isoformat()):
            yield unit.at, plans[-1]


def _answered(units: Sequence[Unit]) -> Iterator[tuple[int, Unit]]:
    """What was asked, where its own entry goes on with what is so."""
    for one, then in pairwise((*units, *units[-1:])):
        if one.section != cues.OPEN or not _ASKS.search(one.text) or not _is_loose(one):
            continue
        if _STILL.search(one.entry.text):
            # Somewhere in it stands that nobody has answered.
            continue
        if _YES_OR_NO.search(_from_end(one)) or (
            (then.entry is one.entry or _is_reply(one, then))
            and (one.text[-1:] == "?" != then.text[-1:] or _is_figure(then.text))
            and then.section != cues.OPEN
            and not _NO_ANSWER.search(then.text)
        ):
            yield one.at, then


def _from_end(unit: Unit) -> str:
    """What its entry says from the last words of a sentence on, as far as an answer may begin."""
    at = unit.entry.text.find(unit.text[-_TAIL:])
    return unit.text if at < 0 else unit.entry.text[at : at + 2 * _TAIL]


def _is_reply(one: Unit, then: Unit) -> bool:
    """Whether a line of a talk that is written down is what somebody says to the line before it."""
    return (
        then.label != ""
        and one.entry.kind == then.entry.kind == "paragraph"
        and (one.entry.day, one.place) == (then.entry.day, then.place)
    )


def _is_figure(text: str) -> bool:
    """Whether a sentence is little more than a figure."""
    return text.count(" ") < _CURT and _DIGIT.search(text) is not None


def _decided(units: Sequence[Unit]) -> Iterator[tuple[int, Unit]]:
    """What somebody wants or what is wrong, where the next line is the decision on it."""
    for one, then in pairwise(units):
        if one.section != cues.OPEN:
            continue
        if then.entry is one.entry and one.box is None and _is_ruled_on(one, then):
            yield one.at, then
        if then.entry is one.entry and _is_loose(one) and re.match(_SERVED, then.text):
            yield one.at, then
        if (
            then.entry is not one.entry
            and (then.entry.day, then.place) == (one.entry.day, one.place)
            and cues.announced(cues.label_of(then.entry.text)) == cues.DECISIONS
            and _is_loose(one)
            and not telling(one).isdisjoint(stems_in(then.entry.text))
        ):
            yield one.at, then


def _is_ruled_on(one: Unit, then: Unit) -> bool:
    """Whether a paragraph goes on from what is wrong with a decision, or with who agrees to its cure."""
    if _AGREES.search(then.text):
        return True
    return (
        then.section == cues.DECISIONS
        and _RULES.search(then.text) is not None
        and _is_loose(one)
        and not (one.entry.day and ahead(one, one.entry.day.isoformat()))
        and not (_PUT_OFF.search(then.text) or _STILL.search(one.text))
    )


def _remedied(units: Sequence[Unit]) -> Iterator[tuple[int, Unit]]:
    """The trouble that a section is about, where what was tried there is ticked off."""
    troubles: dict[tuple[object, ...], list[Unit]] = {}
    for unit in units:
        place = (unit.entry.day, unit.place)
        if unit.place and unit.section == cues.OPEN and _is_loose(unit):
            troubles.setdefault(place, []).append(unit)
        elif place in troubles and is_ticked(unit):
            tried = _TRIED.match(unit.label or cues.label_of(unit.entry.text)) is not None
            for one in troubles[place]:
                if tried or _SYMPTOM.match(one.label or cues.label_of(one.entry.text)):
                    yield one.at, unit


def _struck(units: Sequence[Unit]) -> Iterator[tuple[int, Unit]]:
    """The items that a later line names and crosses out."""
    gone: list[tuple[Unit, frozenset[str]]] = []
    for unit in units:
        if "~~" in unit.entry.text or "</" in unit.entry.text:
            for struck in cues.STRUCK.finditer(unit.entry.text):
                words = frozenset(stems_in(struck[0])) - COMMON_STEMS
                if len(words) >= FEWEST:
                    gone.append((unit, words))
    for item in units if gone else ():
        if item.section == cues.OPEN:
            own = telling(item)
            lines = [line for line, words in gone if words <= own and comes_after(line, item)]
            yield from ((item.at, line) for line in lines)


def _is_loose(unit: Unit) -> bool:
    """Whether neither a box nor a label says of a sentence that it is open."""
    if unit.box is not None or is_task_row(unit):
        return False
    announced = (cues.announced(cues.label_of(unit.said)), cues.announced(unit.entry.lead))
    return cues.OPEN not in announced
