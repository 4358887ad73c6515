"""Typed memories by cue: what people prefer and correct, what is forbidden, agreed and to be found.

When in doubt, nothing: a sentence without a person, a rule, a reason or an address is left to
the week.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from lithify import cues, dates
from lithify.atoms import find_atoms
from lithify.dates import could_name_date
from lithify.engines.offline.lasting import bar, norms, pointers
from lithify.engines.offline.lasting.reasons import (
    ROOM,
    explains,
    gives_because,
    grounds,
    learnt_from,
    reason_of,
    reasoned,
    said_why,
    spliced,
    stated_reason,
)
from lithify.engines.offline.lasting.titles import clipped, core, title_of
from lithify.engines.offline.lasting.topics import put
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.speech import outside_quotes, whole
from lithify.engines.offline.reading.text import Plain, lines_of, plain, split
from lithify.store.names import slug
from lithify.tokens import estimate
from lithify.values import Brief, Draft, Entry, MemoryType, TypedMemory
from lithify.words import is_common, is_empty, words_of

_DANGLING = re.compile(
    r"^(?:it|its|they|them|their|he|him|she|her|that|this|these|those|which|so|also|but|and|then|"
    r"otherwise|instead|both|same|reasons?:|why:|because)\b",
    re.I,
)
_UNDECIDED = re.compile(r"\b(?:none|not|cause|no|un\w+|open|pending|yet|needed|small)\b", re.I)
_FIGURE_CORRECTED = re.compile(
    r"\bnot [$€£]?\d|\d[^.]*\b(?:instead of|rather than)\b|\brevised\b[^.]*\bto\b", re.I
)
#: Without one of these words nothing is preferred, forbidden, corrected, agreed or pointed to.
#: By their first letters: a search tries those of the letter it meets, and most texts are searched.
_CAUSE = re.compile(
    r"\b(?:a(?:ccountant|gree|llow|lways|nalyst|ny|nswers|pprove|sk|ssistant|void)|b(?:anned|ecause|est)|"
    r"c(?:hair|hose|ontact|orrect|ounsel|ounts)|"
    r"d(?:ecide|ecision|efault|efer|esigner|irector|o not|on't)|e(?:ach|ngineer|ver|xpect|xpert)|"
    r"f(?:avou?r|orbid|ounder|rom now)|g(?:ets|oes|oing with)|h(?:as to|ates?|ave to|ead|ttps?)|"
    r"hotline|i(?:f an? |n charge|nsist|nstead|s called)|joined|l(?:ead|earn|esson|ifted|ikes)|"
    r"m(?:aintainer|anager|ay (?:again|not|now)|istake|oved|oves|ust)|"
    r"n(?:eeds|ever|ext|o)|o(?:ff.limits|n-?call|nly|pt|wner|wns)|"
    r"p(?:ermitted|olicy|ostpone|ractice|refer|rohibit|ut off)|"
    r"r(?:ather|each|eason|eject|elaxed|emind|eports? to|esponsible|eviewer|evised|ule)|"
    r"s(?:cold|ettle|igned|peaks|pecialist|ponsor|tand-in|tays?|top|witch)|"
    r"t(?:ake-?away|akes over|aught|old)|under no|"
    r"w(?:aived|ants?|arn|e should|ent with|hen(?:ever| an?) |ill|ithout|orks (?:at|from|in|on|part|with)|rong))|#[a-z]|\w/\w|`[\w.-]+\.\w{2,5}`",
    re.I,
)
#: Who said it, told by a pronoun: nobody knows any more who that was.
_ANNOUNCED_BY = re.compile(
    r"^[^:\"]{0,40}?\b(?:him|her|them|he|she|they)\b[^:\"]{0,40}:\s+(?=\S)", re.I
)
_PRONOUN = re.compile(r"^(?:He|She)(?= (?!'))")
#: Who said what stands before it.
_ATTRIBUTED = re.compile(r"\([A-Z][\w' -]{1,30}\)\.?")
_ENDS_IN_URL = re.compile(r"https?://\S*[^\s.]$")
#: Labels that name no one: every log has its user.
_ROLES = frozenset(["user", "human", "agent", "assistant", "bot", "me", "system"])
_SHORT = 4
#: As many entries before a rule may tell what it was learnt from.
_BEFORE = 3
#: A period gives a memory for so many tokens of its days, and never fewer than these are allowed.
_FEWEST = 12
_TOKENS_EACH = 4000


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence worth a second look, with what stands around it."""

    entry: Entry
    label: str
    text: str

    @property
    def is_own(self) -> bool:
        """Whether the user speaks of their own likes or circumstances."""
        return self.entry.origin == "user" and cues.is_own(self.text)

    @property
    def speaker(self) -> str:
        """Who says it by the label before it; what names a section or the log's user is nobody."""
        label = self.label
        named = label.istitle() and not cues.announced(label) and not cues.is_plain_label(label)
        return label if named and label.lower() not in _ROLES else ""

    @property
    def named(self) -> str:
        """The sentence under its label, whatever that is."""
        return f"{self.label}: {self.text}" if self.label else self.text

    @property
    def spoken(self) -> str:
        """The sentence with its speaker; a label that only names a section is left out."""
        if self.is_own:
            return f"User: {self.text}"
        if not self.label or cues.is_plain_label(self.label) or self.label.lower() in _ROLES:
            return self.text
        return f"{self.label}: {self.text}"


def write_typed(brief: Brief) -> Draft:
    """The memories the entries give cause for, those on one topic merged, the strongest first kept."""
    found: list[TypedMemory] = []
    for at, entry in enumerate(brief.entries):
        beside = brief.entries[at + 1] if at + 1 < len(brief.entries) else None
        if beside is not None and (beside.day, beside.headings) != (entry.day, entry.headings):
            beside = None
        for memory in _of_entry(entry, beside, brief.entries[max(0, at - _BEFORE) : at]):
            put(memory, found, brief.memories)
    room = max(_FEWEST, brief.size // _TOKENS_EACH) if brief.size else _FEWEST
    ranked = sorted(range(len(found)), key=lambda n: (-bar.weight(found[n]), n))
    # A week of many rules and addresses may have them all; decisions are in its page as well.
    kept = [n for at, n in enumerate(ranked[: 2 * room]) if at < room or found[n].type != "project"]
    return Draft(memories=tuple(found[n] for n in sorted(kept)))


def _of_entry(
    entry: Entry, beside: Entry | None = None, before: Sequence[Entry] = ()
) -> list[TypedMemory]:
    """A memory of each type: the first sentence that is cause for it, and what follows.

    A line with a section's name before it (`Decision:`) begins another.

    `beside` is the next entry of the same place, which may give the reason, as may those `before`.
    """
    if entry.kind in ("code", "lead", "row") or cues.checkbox(entry.text) is not None:
        return []
    lines = lines_of(entry.text)
    if len(lines) > 1:
        return [one for line in lines for one in _of_entry(replace(entry, text=line))]
    day = entry.day if could_name_date(entry.text) else None
    heard = _heard(entry.text, _telling_lead(entry.lead), entry.origin == "user", day)
    found: list[TypedMemory] = []
    for at in heard.causes:
        kind = heard.kinds[at]
        assert kind is not None
        until = next(
            (
                n
                for n in range(at + 1, len(heard.kinds))
                if heard.kinds[n] not in (kind, None) or cues.announced(heard.labels[n])
            ),
            len(heard.kinds),
        )
        said = _Said(entry, heard.labels[at], heard.texts[at])
        after = heard.texts[at + 1 : until]
        memory = _memory(said, kind, after, heard.kinds[at + 1 : until], beside)
        if memory is not None and not memory.why and kind == "feedback":
            memory = _learnt(memory, said, heard.texts[:at], before)
        if memory is not None:
            found.append(memory)
    return found


def _learnt(
    memory: TypedMemory, said: _Said, told: Sequence[str], before: Sequence[Entry]
) -> TypedMemory:
    """The memory of a rule with what it was learnt from, where that is told right before it."""
    entry = said.entry
    if why := learnt_from(said.spoken, told):
        return memory._replace(why=_sentence(why))
    for one in () if told else reversed(before):
        if (one.day, one.headings) != (entry.day, entry.headings) or one.kind == "code":
            break
        sentences = [_dated(sentence, one) for sentence in plain(one, fit=False).sentences]
        if why := learnt_from(said.spoken, sentences):
            return memory._replace(why=_sentence(why), sources=(*memory.sources, one.id))
    return memory


class _Heard(NamedTuple):
    """The sentences of an entry, whose they are, what each is cause for, and which begin a memory."""

    labels: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    kinds: tuple[MemoryType | None, ...] = ()
    causes: tuple[int, ...] = ()


@lru_cache(maxsize=1 << 12)
def _telling_lead(lead: str) -> str:
    """A lead-in that announces decisions; no other is cause for a memory."""
    words = cues.bare(lead)
    return words if cues.announced(words) == cues.DECISIONS else ""


@lru_cache(maxsize=1 << 15)
def _heard(text: str, lead: str, by_user: bool, day: date | None) -> _Heard:
    """What words give cause for; logs repeat themselves, so the same words are heard once."""
    entry = Entry("", text, lead=lead, day=day, origin="user" if by_user else "file")
    if not (lead or cues.speaks_of_self(entry) or _CAUSE.search(text)):
        return _Heard()
    plainly = plain(entry, fit=False)
    texts = [_dated(sentence, entry) for sentence in plainly.sentences]
    texts = [_unannounced(_named(said, texts[:at])) for at, said in enumerate(texts)]
    labels, texts = _labelled([_label(plainly, at) for at in range(len(texts))], texts)
    befores = ["", *texts]
    found = [
        _kind(_Said(entry, who, said), before)
        for who, said, before in zip(labels, texts, befores, strict=False)
    ]
    for at, said in enumerate(texts):
        after = texts[at + 1] if at + 1 < len(texts) else ""
        if (
            found[at] is None
            and norms.orders(said)
            and (gives_because(said) or stated_reason(after))
        ):
            found[at] = "feedback"
    kinds = tuple(found)
    causes = tuple(
        at
        for at, kind in enumerate(kinds)
        if kind and (kind not in kinds[:at] or cues.announced(labels[at]))
    )
    return _Heard(labels, tuple(texts), kinds, causes)


def _labelled(labels: Sequence[str], texts: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The sentences with a section's name before one taken off it, and made its label."""
    found = []
    for label, text in zip(labels, texts, strict=True):
        own = "" if label else cues.label_of(text)
        plainly = bool(own) and cues.is_plain_label(own) and bool(cues.announced(own))
        found.append((own, text[len(own) :].lstrip(" :")) if plainly else (label, text))
    return tuple(label for label, _ in found), [text for _, text in found]


def _label(plainly: Plain, at: int) -> str:
    """The label of a sentence. What a heading word says, it says of the first one only."""
    label = plainly.labels[at]
    return label if not at or label != plainly.label or not cues.announced(label) else ""


def _named(text: str, before: Sequence[str]) -> str:
    """The sentence with the person in place of `he` or `she`, where only one can be meant."""
    match = _PRONOUN.match(text)
    if not match:
        return text
    names = {atom.text for one in before for atom in find_atoms(one) if atom.kind == "name"}
    if len(names) != 1:
        return text
    return names.pop().removesuffix("'s") + text[match.end() :]


def _unannounced(text: str) -> str:
    """The sentence without who said it, where a pronoun tells it; a condition is no speaker."""
    by = _ANNOUNCED_BY.match(text)
    if not by or cues.bears(by[0]) or norms.saying(text).speaker:
        return text
    return text[by.end() :]


def _dated(sentence: str, entry: Entry) -> str:
    """The sentence with its dates absolute and whole: a memory has no page to tell the year."""
    day = entry.day
    return outside_quotes(sentence, lambda words: dates.absolute(words, day)) if day else sentence


def _memory(
    said: _Said,
    kind: MemoryType,
    after: Sequence[str],
    kinds: Sequence[MemoryType | None],
    beside: Entry | None,
) -> TypedMemory | None:
    statement, why = _reasoned(said, kind)
    parts = [_sentence(statement)]
    how: list[str] = []
    sources = [said.entry.id]
    for number, (follow, same) in enumerate(zip(after, kinds, strict=True)):
        reason = stated_reason(follow)
        if reason:
            why = why or reason
        elif follow.endswith("?"):
            continue
        elif kind == "feedback" and bar.instructs(follow):
            if len(how) < 2 and estimate(follow) <= ROOM:
                how.append(follow)
        elif not number and not why and _explained(follow, statement, kind):
            why = follow
        elif not number and _ATTRIBUTED.fullmatch(follow):
            parts[0] = f"{parts[0].rstrip('.')} {follow.rstrip('.')}."
        elif kind != "feedback" and (
            (same or _DANGLING.match(follow)) and estimate(" ".join([*parts, follow])) <= 2 * ROOM
        ):
            parts.append(follow)
    if not why and beside is not None and (why := reason_of(beside)):
        sources.append(beside.id)
    topic = _topic(said, kind)
    if not topic:
        return None
    return TypedMemory(
        type=kind,
        topic=topic,
        name=_name(said, statement) or topic,
        description=clipped(said.spoken, 90),
        statement=" ".join(parts),
        sources=tuple(sources),
        why=_sentence(why) if why else "",
        how=" ".join(_sentence(one) for one in how),
        updated=said.entry.day.isoformat() if said.entry.day else "",
    )


def _explained(follow: str, statement: str, kind: MemoryType) -> bool:
    if kind == "project":
        return grounds(follow)
    if kind == "user":
        return bar.prefers(statement) and explains(follow, statement, closely=True)
    return kind == "feedback" and explains(follow, statement)


def _reasoned(said: _Said, kind: MemoryType) -> tuple[str, str]:
    """The statement and the reason it gives itself, also inside a quotation."""
    statement, why = reasoned(said.spoken)
    if why or kind == "reference" or (kind == "user" and not bar.prefers(statement)):
        return statement, why  # what a person is needs no reason
    if statement.endswith('"') and statement.count('"') == 2:
        # A quotation is one saying: the sentence after its rule may be the rule's reason.
        words = statement[statement.index('"') + 1 : -1]
        saying = split(words)
        if why := said_why(saying):
            return statement.replace(words, " ".join(saying[:-1])), why
        rule, why = spliced(words, quoted=True)
        return (statement.replace(words, f"{rule}."), why) if why else (statement, "")
    return spliced(statement) if kind != "project" or ";" in statement else (statement, "")


def _name(said: _Said, statement: str) -> str:
    what = cues.owned_fact(said.text) if said.is_own else ""
    return title_of(f"My {what}" if what and what != "self" else statement)


def _kind(said: _Said, before: str) -> MemoryType | None:
    """The type of memory the sentence is cause for, if any."""
    text, spoken = said.text, said.spoken
    if said.is_own and not (bar.told_to_agent(text) or cues.states_prohibition(text)):
        return "user"
    if pointers.thing_of(said.named) and not text.endswith("?"):
        return "reference"
    if text.endswith(("?", ":")) or len(text.split()) < _SHORT or _DANGLING.match(text):
        return None
    if cues.reports_none(text) or cues.is_hearsay(text):
        return None
    bids = norms.bids(text, said.speaker, before)
    teaches = bar.teaches(spoken)
    if cues.is_routine(text) and not (cues.states_prohibition(text) or bids or teaches):
        return None
    if bar.continues(text):
        return None
    if cues.denies(text) == "this" or bar.hangs(text) or bar.ends_soon(text, said.entry.day):
        return None
    if (bar.told_to_agent(spoken) or teaches) and not bar.is_passing(spoken):
        return "feedback"
    if bar.prefers(text) and _person(said):
        return "user"
    if bids and not _announced_decision(said):
        return "feedback"
    if _announced_decision(said) and len(text.split()) > _SHORT and not cues.is_tentative(text):
        return "project"
    if pointers.points(text):
        return "reference"
    if bar.has_role(text) and _person(said):
        return "user"
    if (bar.rules(text) or bar.relaxes(text)) and not bar.is_passing(text):
        return "feedback"
    if bar.decides(text) and not cues.is_tentative(text):
        return "project"
    if cues.states_correction(text) and _FIGURE_CORRECTED.search(text):
        return "project"
    return None


def _announced_decision(said: _Said) -> bool:
    """Whether the line is labelled as a decision, and is the line that takes it."""
    label = said.label or cues.label_of(said.text) or cues.bare(said.entry.lead)
    return cues.announced(label) == cues.DECISIONS and not _UNDECIDED.search(label)


def _person(said: _Said) -> str:
    """A name at the head of the sentence, or the speaker."""
    if said.label and not cues.announced(said.label) and said.label.istitle():
        return said.label
    for atom in find_atoms(said.text):
        if atom.kind == "name" and atom.start == 0:
            return atom.text
    return ""


def _topic(said: _Said, kind: MemoryType) -> str:
    """A slug out of the sentence's own telling words."""
    what = cues.owned_fact(said.text) if said.is_own else ""
    # Another value of the same thing is news on the same topic.
    thing = pointers.thing_of(said.named) if kind == "reference" else ""
    words = words_of(thing or (what if what and what != "self" else norms.freed(core(said.spoken))))
    telling = [w for w in dict.fromkeys(words) if _tells(w)]
    if kind == "reference" and len(telling) < 2:
        for address in cues.references(said.text)[:1]:
            telling += [w for w in words_of(address.split("://")[-1]) if _tells(w)]
    if not telling:
        telling = [w for w in words_of(subject_of(said.entry.headings)[0]) if _tells(w)]
    return slug(" ".join(dict.fromkeys(telling[:4]))) if telling else ""


def _tells(word: str) -> bool:
    return (
        len(word) > 2
        and not word.isdigit()
        and not is_empty(word)
        and not is_common(word)
        and "'" not in word
    )


def _sentence(text: str) -> str:
    text = whole(text).strip().rstrip(" ,;:-")
    if _ENDS_IN_URL.search(text):
        return text[:1].upper() + text[1:]  # a full stop would be taken for a part of it
    return text[:1].upper() + text[1:] + ("" if text[-1:] in '.!?"' else ".")
