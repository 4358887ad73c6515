"""How an entry is read: its sentences, each with its words, its specifics and what it states."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.reading.dating import resolved
from lithify.engines.offline.reading.leaning import (
    ends_it,
    hangs,
    is_end,
    is_over,
    lacks_noun,
    leaves_open,
    names_decider,
)
from lithify.engines.offline.reading.lines import lines_of
from lithify.engines.offline.reading.openings import opened
from lithify.engines.offline.reading.stress import bold_in, stress
from lithify.engines.offline.reading.text import is_chatter, is_timed, plain
from lithify.engines.offline.reading.wording import Words, capital, words_of
from lithify.text.dates import find_dates
from lithify.values import Entry, EntryKind

#: A label under which an earlier choice no longer holds: what follows it is the new one.
_REVERSAL = re.compile(
    r"(?:decision )?(?:revers(?:ed|al)|overturned|overruled|rescinded|revoked|u-turn|superseded|"
    r"chang(?:e|ed) of (?:mind|plan|course)|changed (?:our|my|their) minds?)",
    re.I,
)
#: What an incident is not: it is over or it lasts.
_NO_STATE = (cues.DECISIONS, cues.CONTEXT)
_INCIDENT = re.compile(
    r"(?:\w+ )?(?:outage|incident|downtime|crash|failure|breach|data loss|alarm|accident)s?", re.I
)
_OVER = re.compile(
    r"\bfrom \S*\d\S* (?:to|until) \S*\d|\b(?:lasted|ended|over|fixed|resolved|restored|repaired|back)\b",
    re.I,
)
#: An end whose first word leans on what nobody has read.
_THAT_ENDS = re.compile(
    r"^(?:that|this|which) (?=(?:resolves|fixes|unblocks|closes|clears|ends)\b)", re.I
)
#: A row of a table whose state is that something is left to do.
ROW_OPEN = re.compile(
    r"(?:^|; | - )(?:[\w ]{1,20}: )?(?:open|blocked|to-?do|pending|waiting|overdue|stuck|not started|in progress|"
    r"unresolved|stalled|at risk)\.?(?=;|$)",
    re.I,
)
#: Who speaks where a line of the user's own is about themselves.
USER = "User"
#: What says it outright says it as plainly as can be: the first such sentence is the one.
_OUTRIGHT = 3.0
#: So much more it counts where the whole entry says the same.
_AT_HOME = 0.5
#: And how much more what is to be obeyed from now on.
_RULE = re.compile(r"(?:please )?(?:no|never|do not|don't|nobody|nothing|always|every) \w", re.I)
_RULED = 1.0
#: Where a sentence stands that a later one may say to be settled.
_LATER = (cues.OPEN, cues.CONTEXT)
#: As many characters tell where a sentence was taken from.
_HEAD = 12
#: Spaces in a sentence of too few words to be told alone.
_SCRAP = 4
#: What a note in brackets after what was said is worth.
_ASIDE = 0.35
#: Tokens up to which a sentence and the one that leans on it are chosen as one.
_TOGETHER = 46


@dataclass(frozen=True, slots=True)
class Reading:
    """One sentence as it was read. `firm` are its atoms but names that may be mere capitals.

    `leans`: it says nothing without the sentence before it. `line`: which line of its entry it is
    on, where a log was kept as one paragraph.
    """

    label: str
    text: str
    tokens: int
    stems: tuple[str, ...]
    atoms: frozenset[str]
    firm: frozenset[str]
    section: str
    must: bool
    worth: float
    leans: bool = False
    line: int = 0


def read(entry: Entry) -> tuple[Reading, ...]:
    """The sentences of an entry; logs repeat themselves, so the same words are read once.

    A heading counts by the section it announces, a day only where the words could name one.
    """
    timed = is_timed(entry.text) or (entry.lead != "" and is_timed(entry.lead))
    day = entry.day if timed else None
    under_it = opened(entry)
    place = cues.announced_by(under_it.headings)
    kept = under_it is not entry and cues.must_keep(entry)
    return _read(under_it.text, entry.lead, place, entry.kind, entry.origin == "user", day, kept)


# A month is read again after the weeks of the next: both find room.
@lru_cache(maxsize=1 << 14)
def _read(
    text: str,
    lead: str,
    place: str,
    kind: EntryKind,
    by_user: bool,
    day: date | None,
    kept: bool = False,
) -> tuple[Reading, ...]:
    origin = "user" if by_user else "file"
    entry = Entry("", text, (place,), lead, kind, day=day, origin=origin)
    lines = lines_of(entry.text)
    if len(lines) > 1:
        return tuple(
            replace(one, line=number)
            for number, line in enumerate(lines)
            for one in read(replace(entry, text=line))
        )
    entry = replace(entry, text=lines[0])
    said = plain(entry)
    must = kept or cues.must_keep(entry)
    section = cues.section_of(entry)
    calm = cues.routine(entry)
    announced = cues.announced(said.label)
    if not announced and _REVERSAL.fullmatch(said.label):
        # The first sentence after the label is the decision that holds from now on.
        announced = section = cues.DECISIONS
        must = must or not entry.text.endswith("?")
    elif section in _NO_STATE and _INCIDENT.fullmatch(said.label):
        announced = section = cues.OUTCOMES if _OVER.search(entry.text) else cues.OPEN
    elif entry.kind == "row" and any(map(ROW_OPEN.search, said.sentences)):
        section, must = cues.OPEN, True
    lead = "" if entry.kind == "row" else cues.bearing_lead(entry.lead)
    lead = "" if is_timed(lead) else lead
    many = len(said.sentences) > 1
    own = entry.day.isoformat() if entry.day else ""
    aside = entry.text.rpartition("[")[2] if entry.text.endswith("]") else ""
    boxed = entry.text.startswith("[ ]")
    to_do = boxed or cues.OPEN in (place, cues.announced(entry.lead))
    bold = bold_in(entry.text)
    found: list[Reading] = []
    for sentence, label in zip(said.sentences, said.labels, strict=True):
        ahead = to_do or _to_come(label, entry.day)
        words = words_of(sentence, entry.day if is_timed(sentence) else None, ahead)
        if not words.stems:
            continue
        if label == said.label and announced and announced == section:
            if found or cues.is_plain_label(label):
                words = capital(words)
            else:
                # "Resolved: the door is stuck" without its label says that it is.
                full = f"{label}: {sentence}"
                words = words_of(full, entry.day if is_timed(full) else None, ahead)
            label = ""
        elif lead and not found and not label:
            led = f"{lead}: {words.text}"
            words = words_of(led, entry.day if is_timed(words.text) else None, ahead)
        mine, needed = section, must
        speaks = bool(label) and not announced
        leans = hangs(sentence) or names_decider(sentence)
        leans = leans or (not label and lacks_noun(sentence))
        scrap = _is_scrap(sentence) and (not speaks or " " not in sentence)
        hanging = bool(found) and (leans or scrap)
        if hanging:
            mine, needed = found[-1].section, False
        elif many and not (announced and not found):
            # What a label announces is said of its first sentence; the others go on about it.
            mine, needed = cues.judge(sentence, "", entry.headings)
            needed = must and needed
            done = mine == cues.OUTCOMES and cues.settles(sentence)
            if ((announced or boxed) and not done) or (mine == cues.CONTEXT and entry.lead):
                mine = section
        goes_on = (
            announced == cues.DECISIONS
            and len(found) == 1
            and not speaks
            and (not needed or mine == found[-1].section)
        )
        if goes_on and label:
            # Whose reason it is belongs to it.
            full = f"{label}: {sentence}"
            words, label = words_of(full, entry.day if is_timed(full) else None, ahead), ""
        if (hanging or goes_on) and _leans(found[-1], words, label):
            found[-1] = _joined(found[-1], words, own)
            if found[-1].section == cues.OUTCOMES and cues.denies(sentence):
                found[-1] = replace(found[-1], section=cues.CONTEXT)
            elif found[-1].section in _LATER and not announced and ends_it(sentence):
                found[-1] = replace(found[-1], section=cues.OUTCOMES)
            elif found[-1].section == cues.OUTCOMES and not announced and leaves_open(sentence):
                found[-1] = replace(found[-1], section=cues.OPEN)
            continue
        if mine == cues.OPEN and (is_end(words.text) or (not announced and is_over(sentence))):
            mine = cues.OUTCOMES
        if (over := _THAT_ENDS.match(words.text)) and mine == cues.OUTCOMES:
            # Nobody knows any more what did it; what is over is named.
            leans = False
            words = capital(replace(words, text=words.text[over.end() :]))
        if entry.origin == "user" and must and not label and cues.is_own(sentence):
            # On a page nobody knows any more who "I" was.
            label, needed, mine = USER, True, cues.CONTEXT
        worth = _worth(entry, sentence, calm) * stress(sentence, bold, speaks=speaks)
        worth *= 0.8 if hanging and not label else 1.0
        if aside and sentence[:_HEAD] in aside:
            worth *= _ASIDE
        found.append(
            Reading(
                label=resolved(label, entry.day) if label and is_timed(label) else label,
                text=words.text,
                tokens=words.tokens,
                stems=words.stems,
                atoms=words.atoms,
                firm=words.firm - {own},
                # In talk only what is stated outright is more than talk.
                section=mine if needed or not speaks else cues.CONTEXT,
                must=needed,
                worth=worth,
                leans=hanging and leans and not label,
            )
        )
    stated = [n for n, one in enumerate(found) if one.must]
    if len(stated) > 1:
        # An entry is told by the sentence that states it most plainly; the others compete.
        first = announced and stated[0] == 0
        plainest = max(
            stated,
            key=lambda n: (
                min(_OUTRIGHT, cues.strength(found[n].text))
                + _AT_HOME * (found[n].section == section)
                + _RULED * _is_rule(found[n].text),
                len(found[n].firm),
                -n,
            ),
        )
        best = 0 if first else plainest
        found = [replace(one, must=n == best or one.label == USER) for n, one in enumerate(found)]
    if must and found and not any(one.must for one in found):
        best = max(
            range(len(found)),
            key=lambda n: (
                not found[n].leans,
                found[n].section == section,
                len(found[n].atoms),
                -n,
            ),
        )
        # A box or what stands over an entry says what each sentence is; its other words do not.
        sure = to_do or cues.checkbox(entry.text) or section in (place, announced)
        found[best] = replace(
            found[best], must=True, section=section if sure else found[best].section
        )
    return tuple(found)


def _is_rule(text: str) -> bool:
    """Whether a sentence says what holds from now on: it outlives what was done on the day."""
    return _RULE.match(text) is not None and cues.judge(text, "", ())[0] == cues.DECISIONS


def _to_come(label: str, day: date | None) -> bool:
    """Whether a label announces what is still to be done, or names a time that is to come."""
    if cues.announced(label) == cues.OPEN:
        return True
    if day is None or not label or not is_timed(label):
        return False
    return any(one.first > day for one in find_dates(label, day))


def _leans(before: Reading, words: Words, label: str) -> bool:
    """Whether a sentence that begins with a pronoun is told with the one before it."""
    return (
        label == before.label
        and before.text[-1:] in ".!"
        and before.tokens + words.tokens <= _TOGETHER
    )


def _joined(before: Reading, words: Words, own: str) -> Reading:
    return replace(
        before,
        text=f"{before.text} {words.text}",
        tokens=before.tokens + words.tokens,
        stems=(*before.stems, *words.stems),
        atoms=before.atoms | words.atoms,
        firm=before.firm | (words.firm - {own}),
    )


def _worth(entry: Entry, sentence: str, calm: bool) -> float:
    worth = 1.0
    if entry.kind == "code":
        worth *= 0.4
    if calm and cues.is_routine(sentence):
        worth *= 0.75
    if sentence.endswith(("?", ":")):
        worth *= 0.5
    elif is_chatter(sentence):
        worth *= 0.6
    return worth


def _is_scrap(sentence: str) -> bool:
    """Whether a sentence is too short to be understood without the one before it."""
    return sentence.count(" ") < _SCRAP and ": " not in sentence
