"""What an entry's sentences give cause for: a preference, a rule, a decision, a place, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.lasting import (
    announcing,
    bar,
    customs,
    learned,
    norms,
    people,
    pointers,
    wishes,
)
from lithify.engines.offline.lasting.kinds import is_choice, is_grounded, is_order, kind_of
from lithify.engines.offline.lasting.listed import (
    OPENS,
    listed,
    names_place,
    of_person,
    whose,
)
from lithify.engines.offline.lasting.reasons import ROOM
from lithify.engines.offline.lasting.said import Said
from lithify.engines.offline.reading.speech import outside_quotes
from lithify.engines.offline.reading.text import Plain, plain
from lithify.text import dates
from lithify.text.dates import could_name_date
from lithify.text.tokens import estimate
from lithify.values import Entry, MemoryType

#: Without one of these words nothing is preferred, forbidden, corrected, agreed or pointed to.
#: By their first letters: a search tries those of the letter it meets, and most texts are searched.
_CAUSE = re.compile(
    r"\b(?:a(?:bout (?:my|our) |ccountant|dr\W?\d|gree|llerg|llow|lways|nalyst|ny|nswers|pprove|sk|ssistant|void)|b(?:anned|ecause|est|etter than)|"
    r"c(?:hair|hose|ontact|orrect|ounsel|ounts)|"
    r"d(?:-?\d+:|ecide|ecision|efault|efer|esigner|irector|o not|on't)|e(?:ach|ngineer|ver|xpect|xpert)|"
    r"f(?:avou?r|irst, (?:and )?then|or (?:good|keeping)|orbid|ounder|rom (?:now|here))|g(?:ets|oes|oing with)|h(?:as to|ates?|ave to|ead|ttps?)|"
    r"hotline|i(?:f an? |n charge|nsist|nstead|s called)|joined|l(?:ead|earn|esson|ifted|ike)|"
    r"m(?:aintainer|anager|ay (?!\d)|istake|oved|oves|ust)|"
    r"n(?:eeds|ever|ext|o)|o(?:ff.limits|n-?call|nly|pt|wner|wns)|"
    r"p(?:ermitted|lease|olicy|ostpone|ractice|refer|rohibit|ut off)|"
    r"r(?:ather|each|eason|eject|elaxed|emind|eplac|eports? to|esponsible|eviewer|evised|ul(?:e|ing))|"
    r"s(?:cold|ettle|o (?:all|every|each)|ooner|igned|peaks|pecialist|ponsor|upersed|tand-in|tays?|top|witch)|"
    r"t(?:ake-?away|akes over|aught|old)|under no|"
    r"w(?:aived|ants?|arn|e should|ent with|hen(?:ever| an?| you) |ill|ithout|ish|orth|orks (?:at|from|in|on|part|with|only|\w+day)|orse than|rong))|#[a-z]|\w = [a-z]|[a-z]\), [A-Z]|\((?:hangs|lies|lives) |\w/\w|`[\w.-]+\.\w{2,5}`",
    re.I,
)
#: Who said it, told by a pronoun: nobody knows any more who that was.
_ANNOUNCED_BY = re.compile(
    r"^[^:\"]{0,40}?\b(?:him|her|them|he|she|they)\b[^:\"]{0,40}:\s+(?=\S)", re.I
)
#: Somebody put the writer right, and what they said is not told in the sentence itself.
_TOLD_NEXT = re.compile(
    r"\b([A-Z][\w'-]+)(?:, [^,.]{3,40},)? (?:corrected|stopped|scolded|reminded|warned|taught) me(?: again)?\.$"
)
#: A yes or no to what was said before.
_ASSENTS = re.compile(
    r"^(?:[A-Z][\w'-]+ (?:said (?:yes|no)|agreed|agrees|(?:takes|took) it|accepted|accepts)"
    r"(?: at once| straight away| immediately| too| on the spot)?|Agreed (?:by|with) [^.,;:]{2,40})(?=[.,;]|$)"
)
#: Above or below what only the sentence before tells.
_ABOVE_IT = re.compile(
    r"(?:any|every)thing (?:above|over|below|under|beyond)(?! \W?\d| (?:the|that|an?)\b)", re.I
)
#: A name before what is wished.
_WISHER = re.compile(
    r"^[A-Z][a-z]+(?: [A-Z][a-z]+)? (?=(?:wants|likes|prefers|asks|asked|does not|needs)\b)"
)
_IN_BRACKETS = re.compile(r"([A-Z]\w+ \([^()]{2,40}\)): (?=\S)")
#: So few words may name a matter and no more.
_SHORT = 4
#: What is new of the matter that a few words before it name: `Parking. … New: allowed until ten.`
_NEWS = re.compile(r"^new: (?=\S)", re.I)


class Heard(NamedTuple):
    """The sentences of an entry, whose they are, what each is cause for, which begin a memory, and which
    stand in their speaker's quotation marks.
    """

    labels: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    kinds: tuple[MemoryType | None, ...] = ()
    causes: tuple[int, ...] = ()
    quoted: tuple[bool, ...] = ()


def heard(entry: Entry) -> Heard:
    """What the sentences of an entry give cause for, one line of it at a time."""
    day = entry.day if could_name_date(entry.text) else None
    return _heard(entry.text, _place(entry.lead, entry.headings), entry.origin == "user", day)


class _Place(NamedTuple):
    """What the place of an entry says of it: a lead-in that announces decisions, as no other is cause
    for a memory; what the heading announces, and of whom.
    """

    lead: str
    under: MemoryType | None
    person: str


@lru_cache(maxsize=1 << 12)
def _place(lead: str, headings: tuple[str, ...]) -> _Place:
    words = cues.bare(lead)
    telling = words if cues.announced(words) == cues.DECISIONS else ""
    person = people.in_heading((words,)) or people.in_heading(headings)
    return _Place(telling, announcing.under(headings, words), person)


@lru_cache(maxsize=1 << 12)
def _heard(text: str, place: _Place, by_user: bool, day: date | None) -> Heard:
    """What words give cause for; logs repeat themselves, so the same words are heard once."""
    entry = Entry("", text, lead=place.lead, day=day, origin="user" if by_user else "file")
    if not (
        place.lead
        or place.under
        or cues.speaks_of_self(entry)
        or ': "' in text
        or _CAUSE.search(text)
        or pointers.is_hinted(text)
        or learned.may_keep(text)
    ):
        return Heard()
    plainly = plain(entry, fit=False)
    texts = [dated(sentence, entry) for sentence in plainly.sentences]
    labels = [dated(_label(plainly, at), entry) for at in range(len(texts))]
    quoted = tuple(_is_quoted(label, text) for label in labels)
    for at, said in enumerate(texts):
        labels[at], texts[at] = _made_whole(labels[at], said, texts[:at], place.person)
    labels, texts = _labelled(labels, texts)
    befores = ["", *texts]
    stated: list[int] = []
    found = [
        kind_of(Said(entry, who, said, marked), before)
        for who, said, marked, before in zip(labels, texts, quoted, befores, strict=False)
    ]
    for at, said in enumerate(texts):
        after = texts[at + 1 : at + 3]
        if at and found[at - 1] == "feedback" and said.startswith(texts[at - 1]):
            # It was a rule before somebody called it one.
            texts[at], found[at] = said[len(texts[at - 1]) + 1 :], None
            continue
        if found[at] is None and is_order(said, after):
            found[at] = "feedback"
        elif (
            found[at] is None
            and (is_choice(said, after) or is_grounded(said, after))
            and not bar.is_over_soon(said, day)
        ):
            found[at] = "project"
        elif found[at : at + 2] == ["feedback"] * 2 and _is_told_next(said, after[0]):
            found[at] = None
    if place.under == "reference":
        found = [
            kind or ("reference" if (label or ": " in said) and names_place(said) else None)
            for kind, label, said in zip(found, labels, texts, strict=True)
        ]
    elif place.under:
        labels, texts = of_person(labels, texts, place.person or whose(text))
        stated = listed(texts, found)
        for at in stated:
            found[at] = place.under if found[at] in (None, "project") else found[at]
    kinds = tuple(found)
    # What stands by itself, and hides no rule that is told after it.
    alone = [
        kind is not None and (customs.states(said) or learned.kept_as(said) == kind)
        for kind, said in zip(kinds, texts, strict=True)
    ]
    causes = tuple(
        at
        for at, kind in enumerate(kinds)
        if kind
        and (
            kind
            not in (one for one, by_itself in zip(kinds[:at], alone, strict=False) if not by_itself)
            or alone[at]
            or kind == "reference"
            or cues.announced(labels[at])
            or at in stated
            or (kind == "user" and _is_anothers(texts[at], texts[:at]))
            or people.is_role(texts[at])
        )
    )
    return Heard(tuple(labels), tuple(texts), kinds, causes, quoted)


def _is_quoted(label: str, text: str) -> bool:
    """Whether what a label stands before is a quotation: what follows one is no longer the speaker's."""
    return bool(label) and re.search(rf"{re.escape(label)}:\s+[\"\u201c]", text) is not None


def _made_whole(label: str, said: str, before: Sequence[str], person: str) -> tuple[str, str]:
    """A sentence and its label with what only those around it tell: who `she` is, what `that` is."""
    first, _, speaker = label.rpartition(". ")
    if speaker in ("He", "She"):
        # "Told Marit. She: …": whom the words before name.
        label = people.meant(speaker, [*before, *filter(None, [first])], person) or label
    if before and announcing.leans_back(said):
        return "" if label.istitle() else label, f"{before[-1]} {said}"
    if before and _ABOVE_IT.match(said) and estimate(before[-1]) <= ROOM:
        return label, f"{before[-1]} {said}"
    if role := people.role_in(said):
        return "", role
    news = _NEWS.match(said) or (label.lower() == "new" and re.match("", said))
    if news and before and len(before[0].split()) <= _SHORT:
        return "", f"{before[0].rstrip('.')}: {said[news.end() :]}"
    if before and _ASSENTS.match(said) and estimate(before[-1]) <= ROOM:
        return label, f"{before[-1]} {said}"
    if not label and before and said.startswith('"'):
        by = _TOLD_NEXT.search(before[-1])
        if who := by[1] if by else people.spoke_last(before):
            return who, said
    if head := label or (cues.label_of(before[0]) if before else ""):
        person = people.in_heading((head,)) or person
    clause = wishes.wish_in(said)
    told = [*before, said[: -len(clause)]] if clause != said else before
    text = _unannounced(people.named(clause, told, person))
    opens = OPENS.match(text)
    if opens and _lasts(rest := text[opens.end() :]):
        text = rest[:1].upper() + rest[1:]
    wisher = wishes.unnamed(text)
    if wisher and (who := people.meant(wisher, [*told, text], person)):
        return ("" if who in text else who), text
    return label, text


def _lasts(text: str) -> bool:
    """Whether the words say by themselves that they hold: a rule, a wish, an order to the agent."""
    if announcing.teaches(text) or wishes.prefers(text) or bar.told_to_agent(text):
        return True
    return norms.bids(text) or bar.rules(text)


def _is_told_next(said: str, after: str) -> bool:
    """Whether somebody puts the writer right, and what they say stands in the next sentence."""
    return after.startswith('"') and bar.told_to_agent(said) and bool(_TOLD_NEXT.search(said))


def _is_anothers(text: str, before: Sequence[str]) -> bool:
    """Whether a wish begins with the name of one whom no sentence before it begins with."""
    name = _WISHER.match(text)
    return name is not None and not any(one.startswith(name[0]) for one in before)


def _labelled(labels: Sequence[str], texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The sentences with a section's name before one taken off it, and made its label."""
    found = []
    for label, text in zip(labels, texts, strict=True):
        if label and not label.istitle() and announcing.teaches(text):
            label = ""  # it was of what happened, and this is called a rule
        own = "" if label else cues.label_of(text) or _numbered(text)
        name = own.partition(" (")[0]
        plainly = bool(own) and cues.is_plain_label(name) and bool(cues.announced(name))
        found.append((own, text[len(own) :].lstrip(" :")) if plainly else (label, text))
    return [label for label, _ in found], [text for _, text in found]


def _numbered(text: str) -> str:
    """A section's name with a number or names in brackets: `Decision (ADR-7)`, `Agreed (Ida, Nils)`."""
    label = _IN_BRACKETS.match(text)
    return label[1] if label else ""


def _label(plainly: Plain, at: int) -> str:
    """The label of a sentence. What a heading word says, it says of the first one only."""
    label = plainly.labels[at]
    return label if not at or label != plainly.label or not cues.announced(label) else ""


def _unannounced(text: str) -> str:
    """The sentence without who said it, where a pronoun tells it; a condition is no speaker."""
    by = _ANNOUNCED_BY.match(text)
    if (
        not by
        or wishes.lists(text)
        or announcing.teaches(text)
        or cues.bears(by[0])
        or norms.saying(text).speaker
    ):
        return text
    return text[by.end() :]


def dated(sentence: str, entry: Entry) -> str:
    """The sentence with its dates absolute and whole: a memory has no page to tell the year."""
    day = entry.day
    return outside_quotes(sentence, lambda words: dates.absolute(words, day)) if day else sentence
