"""What is waited for, though nobody calls it open: a day to come, a debt, an answer, a delivery."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from lithify import cues
from lithify.calendar import end_of_month, shifted
from lithify.cues.letters import small
from lithify.engines.offline.matters.boxes import as_task
from lithify.engines.offline.matters.due import after
from lithify.engines.offline.matters.told import tells_change
from lithify.engines.offline.reading.talk import is_talk
from lithify.engines.offline.reading.units import Unit
from lithify.text.atoms import find_atoms

#: What had been so is over.
HAD = re.compile(
    r"\b(?:which|that|it|they) (?:had been|had|were|was) \w+|\b(?:which|that) \w+ed\b|\bhad been\b|"
    r"\bhad (?:\w+ly )?(?!need|want|hop|plan)\w+ed\b|\b(?:was|were) (?:late|slow|down|full|off|short)\b",
    re.I,
)
#: Who is in debt now, or has given a word that is not kept yet.
OWES = re.compile(
    r"\b(?:still )?owes? (?:us|me|him|her|them|\w+ )?|\bpromises?\b(?! of\b)|\bhas promised\b|"
    r"\b(?:is|are) (?:still |now )?(?:outstanding|overdue|unpaid)\b",
    re.I,
)
#: What somebody waits for, where its day is named.
_COMES = re.compile(
    r"\b(?:due|planned|scheduled|expected|expects?|deadline|by|comes?|delivers?|arrives?|needs?|asks?|asked|would like|"
    r"wants?|set for|postponed|promised|answers?|decides?|starts?|goes live|visits?)\b|"
    r": (?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?(?:\d{1,2} [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2})(?:, (?:\d{4}|\d{1,2}:\d{2}))?\.?$"
)
#: What somebody else is to do on a day to come, however it was told.
_ANNOUNCES = re.compile(
    r"\b(?!(?:I|we|who|which)\b)[A-Za-z]+(?: will\b|'ll\b)|\b(?:only after|not before|still decides)\b",
    re.I,
)
#: A day to come on which nothing is brought, answered or done: a week has no room for it.
_IDLE = re.compile(
    r"\b(?:guarante\w+|opens|stays|unchanged|extended|hotel|away|on leave|holidays?|last day|around [A-Z][a-z]{2}|"
    r"(?:is|are) set for|(?:did|was)(?: not|n't))\b",
    re.I,
)
#: A day up to which something holds is not waited for.
_HOLDS = re.compile(
    r"\b(?:valid|stands|contract|lease|licen[cs]ed|insured|guarante\w+|confirmed|runs|through|unchanged|yes, until|forecast|gusts?)\b|\?",
    re.I,
)
#: What holds from a day on is a state to come, and nobody waits for it.
BEGINS = re.compile(
    r"\b[Ff]rom (?:the week of )?(?:\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2})\b(?! to\b| until\b)|\bextend(?:s|ed)? by\b"
)
#: What holds up to a day, or from one to another, is waited for by nobody.
VALID = re.compile(
    r"\b(?:valid|good|guarante\w+|covered|insured) (?:to|until|till)\b|\b(?:loan|lent|hired|rented)\b[^.;]{0,40}? (?:until|till)\b|"
    r"\b\d{1,2} [A-Z][a-z]+ (?:to|till|until) \d{1,2} [A-Z][a-z]+"
)
#: What nobody has answered, brought, signed or decided yet.
_SILENT = re.compile(
    r"^(?:(?:still|again|so far),? )?(?:nothing(?! (?:but|else|special|unusual|odd|wrong|lost|on fire)\b)|no (?:further |more )?(?:word|news|sign|answer|reply)|not a (?:word|squeak|sound|line)|silence)\b"
    r"(?:[^.;,]{0,30} (?:from|about|on) (?!then\b|now\b|that\b)| (?:yet|so far|firm|back)\b)|"
    r"(?:^|[.;,] )not (?:yet )?(?:here|settled|decided|signed|ordered|answered|agreed|confirmed|paid)\b|[.;] open\.?$|\b(?:"
    r"(?:hasn't|haven't|has not|have not)(?: \w+)? (?:answered|replied|responded|come|arrived|signed|confirmed|decided|sent|paid|returned|settled|agreed|ordered|said (?:whether|when|who|which|if))\b|"
    r"still (?:out|to come|to be|missing|waiting|undecided|not|nobody|nothing|without|thinking|looking|hunts?|hunting)\b|"
    r"(?:isn't|aren't|is not|are not) (?:yet )?(?:here|in|back|signed|decided|settled|ordered|paid|confirmed|agreed|answered)\b(?!,? so\b)|"
    r"yet to (?:come|be|answer|decide|sign|arrive)\b|to follow\W*$|to be (?:arranged|answered|decided|confirmed|agreed|settled|announced)\b|"
    r"(?:undecided|unanswered|unsigned|unpaid|unresolved|unsettled|up in the air|on back order|reopened)\b|"
    r"(?:stays|remains|left) open\b|still open(?=\W*$|[.;,])|(?:chased|reminded|nudged) (?:[\w.']+ ){1,3}again\b|"
    r"(?:wants? to know|asks?) (?:who|when|whether)\b|did(?: not|n't) say (?:who|when|how|what|which|whether)\b|"
    r"(?:will|'ll) (?:think (?:about|it|over)|tell us|let us know|let me know|decide|answer|look into|sleep on)\b)",
)
_BRACKETS = re.compile(r"\([^()]*\)")
_QUOTED = re.compile(r'"[^"]*"')
#: What was asked for, ordered or sent off, and how long it takes.
_TAKES = re.compile(
    r"\b(?:asked|claimed|applied|requested|ordered|handed|submitted|letter|went out|back order)\b[^;]{0,160}?"
    r"(?<!after )(?<!for )\b(?:an?|one|two|three|four|five|six|eight|ten|twelve|\d+)(?: (?:to|or) \w+)? (?:working )?"
    r"(?:days|weeks|months|fortnight)\b(?! (?:ago|old|off|late|later|before|of|without|in a row|running)\b)|"
    # What somebody will do or bring after a week or more.
    r"\b(?:will|'ll|results?|answer|reply|report|decision|ready|back)\b[^.;]{0,60}? (?:in|within) (?:about |some )?"
    r"(?:an? (?:week|fortnight|month)|(?:two|three|four|five|six|\d+) (?:weeks|months)|(?:seven|eight|ten|twelve|fourteen|\d\d) (?:working )?days)\b|"
    r"\b(?:quote|offer|letter|report|answer|invoice|rest|list|date) follows\W*$",
)
#: What goes on until something else comes about, and what nobody can explain.
LASTS = re.compile(
    r"\buntil then\b|\b(?:stays?|remains?) open\b|\buntil (?:the |an? |our |its |his |her |their |that |this )?(?:[\w'-]+ ){1,4}?(?:is|are|has|have|comes?|arrives?|answers?|signs?|"
    r"returns?|decides?|replies)\b|\bno idea (?:why|where|how|what)\b|\bnot (?:yet )?(?:proven|explained|understood)\b|"
    r"\bcause (?:is |still )?(?:unknown|unclear|not known)\b|\bunexplained\b",
    re.I,
)
#: What a sentence of a week is worth that tells what is waited for.
_WORTH = 1.3
_ALWAYS = re.compile(r"\b(?:always|never|every|each|from now on)\b", re.I)
#: Days before the last one told from which what lasts is taken to last still, and after it that count.
_RECENT, _SOON = 14, 62


def awaited(units: Sequence[Unit], *, kept: bool = True) -> list[Unit]:
    """The sentences, those open that tell what is owed, promised or due after the period.

    Nobody calls such a thing open, and yet it is: it has a day that is still to come. In a month
    these are `kept` whatever else there is. In a week they compete, worth a little more than the
    rest, and so does what nobody has answered yet: short lines that would crowd a month.
    """
    if is_talk(units):
        # In a conversation everybody speaks of days to come.
        return [*units]
    units = [as_task(unit) for unit in units]
    last = max((unit.entry.day for unit in units if unit.entry.day), default=date.min)
    if kept:
        last = end_of_month(last)
    worth = 1.0 if kept else _WORTH
    return [
        replace(
            unit,
            section=cues.OPEN,
            must=kept or unit.must,
            worth=worth * unit.worth,
            folded=[*unit.folded],
        )
        if (_is_to_come(unit, last) and (kept or not _IDLE.search(unit.text)))
        or (not kept and _is_unanswered(unit, last))
        else unit
        for unit in units
    ]


def _is_to_come(unit: Unit, last: date) -> bool:
    if not _may_wait(unit):
        return False
    text = _unquoted(unit.text)
    open_or_told = unit.section in (cues.CONTEXT, cues.OPEN)
    if (open_or_told or unit.section == cues.OUTCOMES) and _is_owed(text):
        return True
    days = after(unit, last.isoformat())
    if days and (BEGINS.search(text) or VALID.search(text)):
        days = []
    if days and text != unit.text:
        # What somebody says of a day is that one's word, and nobody's plan.
        named = {atom.key for atom in find_atoms(text, unit.entry.day)}
        days = [key for key in days if key in named]
    if days and open_or_told and _COMES.search(text):
        return True
    if not _is_recent(unit, last):
        return False
    soon = shifted(last, _SOON).isoformat() if days else ""
    if any(key <= soon for key in days) and not (_HOLDS.search(text) or tells_change(text)):
        return unit.section == cues.CONTEXT or _announces(unit)
    return unit.section == cues.CONTEXT and _lasts(text)


def _unquoted(text: str) -> str:
    return _QUOTED.sub(" ", text) if '"' in text else text


# A month reads what its weeks have read: what words say by themselves is remembered.


@lru_cache(maxsize=1 << 13)
def _lasts(text: str) -> bool:
    return LASTS.search(text) is not None and not _ALWAYS.search(text)


def _is_unanswered(unit: Unit, last: date) -> bool:
    """Whether a sentence says that nobody has answered, brought or decided something lately."""
    return is_silent(_unquoted(unit.text)) and _may_wait(unit) and _is_recent(unit, last)


@lru_cache(maxsize=1 << 13)
def is_silent(text: str) -> bool:
    """Whether words outside brackets say that something is not answered, here or decided."""
    said = small(_BRACKETS.sub(" ", text) if "(" in text else text)
    return _SILENT.search(said) is not None or _TAKES.search(said) is not None


def _may_wait(unit: Unit) -> bool:
    """Whether a sentence is no question, row of figures, quotation or ticked task."""
    text = unit.text
    return not (text[-1:] == "?" or text[:1] == "0" or text.count('"') % 2 or unit.box)


def _is_recent(unit: Unit, last: date) -> bool:
    return unit.entry.day is not None and (last - unit.entry.day).days <= _RECENT


def _announces(unit: Unit) -> bool:
    """Whether an outcome or a decision only says what is to come from somebody else."""
    if cues.announced(cues.label_of(unit.entry.text)) == cues.DECISIONS:
        return False
    return _ANNOUNCES.search(unit.text) is not None


@lru_cache(maxsize=1 << 13)
def _is_owed(text: str) -> bool:
    return OWES.search(text) is not None and not HAD.search(text)
