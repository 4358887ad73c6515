"""Typed memories by cue: what people prefer and correct, what is forbidden, agreed and to be found.

When in doubt, nothing: a sentence without a person, a rule, a reason or an address is left to
the week.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lithify import cues
from lithify.engines.offline.lasting import (
    announcing,
    bar,
    customs,
    norms,
    pointers,
    renewed,
    wishes,
)
from lithify.engines.offline.lasting.about import about, lacks_matter, located
from lithify.engines.offline.lasting.around import Around, around, goes_with
from lithify.engines.offline.lasting.heard import dated, heard
from lithify.engines.offline.lasting.listed import DANGLING
from lithify.engines.offline.lasting.reasons import (
    ROOM,
    explains,
    grounds,
    is_own_need,
    learnt_from,
    reason_of,
    reasoned,
    said_why,
    says_why,
    spliced,
    stated_reason,
    weighs,
)
from lithify.engines.offline.lasting.said import Said
from lithify.engines.offline.lasting.successors import (
    is_record_file,
    is_superseding,
    names_record,
    record_of,
)
from lithify.engines.offline.lasting.telling import (
    sentence_of,
    telling_in,
)
from lithify.engines.offline.lasting.titles import clipped, core, title_of
from lithify.engines.offline.lasting.topics import Recorded, put
from lithify.engines.offline.reading.headings import subject_of
from lithify.engines.offline.reading.lines import lines_of
from lithify.engines.offline.reading.openings import before_list
from lithify.engines.offline.reading.text import plain, split
from lithify.store.names import slug
from lithify.text.tokens import estimate
from lithify.values import Brief, Draft, Entry, MemoryType, TypedMemory

#: Who said what stands before it.
_ATTRIBUTED = re.compile(r"\([A-Z][\w' -]{1,30}\)\.?")
#: A rule without its exception is another rule.
_EXCEPTION = re.compile(
    r"^(?:(?:only |the )?exceptions?|except|unless|apart from|otherwise (?:no|not|none))\b", re.I
)
_FIGURE = re.compile(r"\d[\d.,:]*(?<![.,:])")
#: A value that is another before the entry ends: `Ruth thought 0.2 too nervous, so it is 0.25 now.`
_NOW = re.compile(r"\b(?:so|now|then|therefore)\b[^.;]*\d|\d[^.;]* (?:now|instead|it is)\b", re.I)
#: Why something else is chosen, told before what is: `Glacier is too slow. Invoices go to the disk.`
_TOO_MUCH = re.compile(r"[^.;:]{3,60} (?:is|are|was|were) (?:far |much )?too (?!late\b)\w+\b", re.I)
#: Nobody knows any more who that was.
_WHO = re.compile(r"^(?:he|she|him|her|his)\b", re.I)
#: What was done about a wish at once, or was said besides.
_CAME_OF_IT = re.compile(
    r"^(?:also\b|so (?:this|that|be)\b|(?:both|all) (?:done|sent|changed)\b)", re.I
)
_OWN_WORDS = re.compile(r"\b(?:I|I'm|I've|my|me|we|our|us)\b")
#: Telling words without which a rule is about nothing.
_NAMED = 2
#: As many of them make a topic.
_TOPIC = 4
_OWNERS = re.compile(r"'s\b")
#: `Never slides.` needs no more words.
_NEVER = re.compile(r"(?:please )?never \w", re.I)
#: A line of a paragraph that tells where each thing is.
_NEXT_PLACE = re.compile(r"(?<=\w)[.;]? (?=[A-Z][a-z'-]+(?: [a-z0-9'-]+){0,5}: )")
#: As many entries before a rule may tell what it was learnt from, and as many after it its reason.
_BEFORE = _AFTER = 3
#: A period gives a memory for so many tokens of its days, and never fewer than these are allowed.
_FEWEST = 16
_TOKENS_EACH = 4000


def write_typed(brief: Brief) -> Draft:
    """The memories the entries give cause for, those on one topic merged, the strongest first kept."""
    found: list[TypedMemory] = []
    known = Recorded(brief.memories)
    for at, entry in enumerate(brief.entries):
        after = brief.entries[at + 1 : at + 1 + _AFTER]
        before = brief.entries[max(0, at - _BEFORE) : at]
        memories: Sequence[TypedMemory] = _of_entry(entry, after, before)
        if renewed.is_hinted(entry):
            memories = renewed.renewed(entry, memories, [*found, *brief.memories])
        for memory in memories:
            put(memory, found, known)
    room = max(_FEWEST, brief.size // _TOKENS_EACH) if brief.size else _FEWEST
    ranked = sorted(range(len(found)), key=lambda n: (-bar.weight(found[n]), n))
    # A week of many rules and addresses may have them all; decisions are in its page as well, but
    # those with a reason give way to no more than that many.
    # What changes a known memory is kept whatever its worth: the old one would stay as it is.
    topics = {(memory.type, memory.topic) for memory in brief.memories}
    kept = [
        n
        for at, n in enumerate(ranked)
        if (found[n].type, found[n].topic) in topics
        or (at < 2 * room and (at < room or found[n].type != "project" or found[n].why))
    ]
    return Draft(memories=tuple(found[n] for n in sorted(kept)))


def _reason_after(entry: Entry, after: Sequence[Entry]) -> Entry | None:
    """The entry among those after one that gives its reason, unless another is decided before it."""
    for one in after:
        if (one.day, one.headings, one.lead) != (entry.day, entry.headings, entry.lead):
            return None
        if reason_of(one):
            return one
        if {"project", "feedback"}.intersection(filter(None, heard(one).kinds)):
            return None
    return None


def _record_after(entry: Entry, after: Sequence[Entry]) -> Entry | None:
    """The entry right after one that tells in which file its decision is written up, or none."""
    for one in after[:2]:
        if (one.day, one.headings, one.lead) != (entry.day, entry.headings, entry.lead):
            return None
        if is_record_file(one.text):
            return one
    return None


def _of_entry(
    entry: Entry, after: Sequence[Entry] = (), before: Sequence[Entry] = ()
) -> list[TypedMemory]:
    """A memory of each type: the first sentence that is cause for it, and what its speaker says next.

    A line with a section's name before it (`Decision:`) begins another.

    One of the entries `after` it may give its reason, as may those `before`.
    """
    if entry.kind == "lead":
        told_before = before_list(entry)
        return _of_entry(told_before, (), before) if told_before else []
    if entry.kind in ("code", "row") or cues.checkbox(entry.text) is not None:
        return []
    lines = lines_of(entry.text)
    if len(lines) == 1 and announcing.under(entry.headings, cues.bare(entry.lead)) == "reference":
        lines = _NEXT_PLACE.split(entry.text)
    if lines != [entry.text]:
        return [one for line in lines for one in _of_entry(replace(entry, text=line))]
    told = heard(entry)
    beside = _reason_after(entry, after) if told.causes else None
    found: list[TypedMemory] = []
    for at in told.causes:
        kind = told.kinds[at]
        assert kind is not None
        said = Said(entry, told.labels[at], told.texts[at], told.quoted[at])
        until = next(
            (
                n
                for n in range(at + 1, len(told.kinds))
                if told.kinds[n] not in (kind, None)
                or n in told.causes
                or told.labels[n] not in ("", told.labels[at], said.person)
            ),
            len(told.kinds),
        )
        memory = _memory(said, kind, around(told, at, until), beside)
        if memory is not None and kind == "project" and not found:
            memory = _recorded(memory, _record_after(entry, after))
        if memory is not None and kind == "reference":
            memory = located(memory, said, told.texts[:at])
        elif memory is not None and (not telling_in(said.text) or lacks_matter(memory)):
            told_of = about(said, memory.statement)
            lost = told_of == memory.statement and lacks_matter(memory)
            memory = None if lost else memory._replace(statement=told_of)
        if memory is not None and not memory.why and kind == "feedback":
            memory = _learnt(memory, said, told.texts[:at], before)
        if memory is not None:
            found.append(memory)
    return found


def _recorded(memory: TypedMemory, record: Entry | None) -> TypedMemory:
    """The memory of a decision with the file that it is written up in: another may name its number."""
    told = plain(record, fit=False).sentences[:1] if record else ()
    if record is None or not told or estimate(told[0]) > ROOM:
        return memory
    statement = f"{memory.statement} {sentence_of(told[0])}"
    return memory._replace(statement=statement, sources=(*memory.sources, record.id))


def _learnt(
    memory: TypedMemory, said: Said, told: Sequence[str], before: Sequence[Entry]
) -> TypedMemory:
    """The memory of a rule with what it was learnt from, where that is told right before it."""
    entry = said.entry
    if why := learnt_from(said.spoken, told):
        return memory._replace(why=sentence_of(why))
    for one in () if told else reversed(before):
        if (one.day, one.headings) != (entry.day, entry.headings) or one.kind == "code":
            break
        sentences = [dated(sentence, one) for sentence in plain(one, fit=False).sentences]
        if why := learnt_from(said.spoken, sentences):
            return memory._replace(why=sentence_of(why), sources=(*memory.sources, one.id))
    return memory


def _memory(
    said: Said,
    kind: MemoryType,
    near: Around,
    beside: Entry | None,
) -> TypedMemory | None:
    statement, why = _reasoned(said, kind)
    if kind == "project" and not why and near.after and _TOO_MUCH.match(statement):
        statement, why, near = near.after[0], statement, near.past_first()
    if not why and near.quoted:
        why = next(filter(is_own_need, near.after[: near.quoted]), "")
    parts = _together(said, near.ahead, statement)
    how: list[str] = []
    apart = False
    joined = 0
    sources = [said.entry.id]
    for number, (follow, same) in enumerate(zip(near.after, near.kinds, strict=True)):
        reason = stated_reason(follow)
        if reason:
            why = why or reason
        elif follow == why or follow.endswith("?"):
            continue
        elif not number and _sets_anew(follow, statement):
            parts.append(sentence_of(follow))
        elif (kind == "feedback" and _EXCEPTION.match(follow)) or (
            kind == "project" and is_superseding(follow)
        ):
            parts.append(follow)
        elif kind == "feedback" and bar.instructs(follow):
            if len(how) < 2 and estimate(follow) <= ROOM:
                how.append(follow)
        elif not why and (
            (not number and _explained(follow, statement, kind))
            or (number < 2 and kind in ("user", "feedback") and says_why(follow))
        ):
            why = follow
        elif not number and _ATTRIBUTED.fullmatch(follow):
            parts[0] = f"{parts[0].rstrip('.')} {follow.rstrip('.')}."
        elif kind == "user" and not same and (apart or _is_of_once(follow)):
            apart = True
        elif kind == "feedback" and number < near.quoted:
            if goes_with(follow) and estimate(" ".join([*parts, follow])) <= 2 * ROOM:
                parts.append(sentence_of(follow))
        elif kind != "feedback" and (
            (same or (DANGLING.match(follow) and not _WHO.match(follow) and joined == number))
            and estimate(" ".join([*parts, follow])) <= 2 * ROOM
        ):
            parts.append(follow)
            joined = number + 1
    if kind == "reference":
        why = ""  # where a thing is needs no reason
    elif not why and beside is not None and (why := reason_of(beside)):
        sources.append(beside.id)
    record = record_of(said.label, said.entry.headings) if kind == "project" else ""
    if record and not names_record(parts[0], record):
        parts[0] = f"{record[:1].upper()}{record[1:]}: {parts[0]}"
    if kind == "project" and not why and bar.is_over_soon(said.text, said.entry.day):
        return None  # a plan for the coming days is in its week
    named = _leading(near.ahead, statement)
    topic = _topic(said, kind, named if near.ahead else said.spoken, parts)
    if not topic or (kind == "feedback" and _is_bare(said, parts)):
        return None
    return TypedMemory(
        type=kind,
        topic=topic,
        name=_name(said, named) or topic,
        description=clipped(said.spoken, 90),
        statement=" ".join(parts),
        sources=tuple(sources),
        why=_as_said(sentence_of(why), said.entry.text) if why else "",
        how=" ".join(sentence_of(one) for one in how),
        updated=said.entry.day.isoformat() if said.entry.day else "",
    )


def _sets_anew(follow: str, statement: str) -> bool:
    """Whether a sentence names the figure of a statement, and the one in its place."""
    if not _NOW.search(follow):
        return False
    was, told = set(_FIGURE.findall(statement)), set(_FIGURE.findall(follow))
    return bool(was & told and told - was)


def _as_said(why: str, text: str) -> str:
    """A reason in its quotation marks, where its "I" is somebody who is quoted."""
    words = why.rstrip(".")
    if not _OWN_WORDS.search(words) or '"' in words:
        return why
    inside = re.search(rf'"[^"]*{re.escape(words)}[^"]*"', text)
    return f'"{why}"' if inside and text[: inside.start()].count('"') % 2 == 0 else why


def _together(said: Said, ahead: Sequence[str], statement: str) -> list[str]:
    """The statement after what its speaker said before it, whose name stands before the first."""
    if not ahead:
        return [sentence_of(statement)]
    by = f"{said.label}: "
    named = statement.startswith(by)
    parts = [*ahead, statement.removeprefix(by)]
    return [sentence_of(f"{by}{one}" if named and not at else one) for at, one in enumerate(parts)]


def _leading(ahead: Sequence[str], statement: str) -> str:
    """The sentence that names what is ruled on, where the rule alone does not: `Don't pretty it up.`"""
    told = [one for one in ahead if len(telling_in(one)) >= _NAMED]
    return told[0] if told and len(telling_in(core(statement))) < _NAMED else statement


def _is_of_once(follow: str) -> bool:
    """Whether a sentence after a wish tells only what came of it, or another thing."""
    return bool(_CAME_OF_IT.match(follow)) or bar.is_passing(follow) or bar.dated(follow)


def _explained(follow: str, statement: str, kind: MemoryType) -> bool:
    if kind == "project":
        return grounds(follow) or (bar.chooses(statement) and weighs(follow))
    if kind == "user":
        return wishes.prefers(statement) and explains(follow, statement, closely=True)
    return kind == "feedback" and explains(follow, statement)


def _reasoned(said: Said, kind: MemoryType) -> tuple[str, str]:
    """The statement and the reason it gives itself, also inside a quotation."""
    statement, why = reasoned(said.spoken)
    if wishes.prefers(why) or customs.states(why):
        return said.spoken, ""  # what is to be done stands behind the reason, and goes with it
    if why or kind == "reference" or (kind == "user" and not wishes.prefers(statement)):
        return statement, why  # what a person is needs no reason
    if statement.endswith('"') and statement.count('"') == 2:
        # A quotation is one saying: the sentence after its rule may be the rule's reason.
        words = statement[statement.index('"') + 1 : -1]
        saying = split(words)
        if why := said_why(saying):
            # What is quoted stays whole: only its end can be taken off.
            ends = saying[-1] == why
            return statement.replace(words, " ".join(saying[:-1])) if ends else statement, why
        rule, why = spliced(words, quoted=True)
        return (statement.replace(words, f"{rule}."), why) if why else (statement, "")
    if kind == "project" and ";" not in statement:
        return statement, ""
    rule, why = spliced(statement)
    told = not customs.states(why) and (kind != "user" or wishes.prefers(rule))
    return (rule, why) if told else (statement, "")


def _name(said: Said, statement: str) -> str:
    what = cues.owned_fact(said.text) if said.is_own else ""
    return title_of(f"My {what}" if what and what != "self" else statement)


def _topic(said: Said, kind: MemoryType, named: str, parts: Sequence[str]) -> str:
    """A slug out of the sentence's own telling words, and where they are few those said with it."""
    what = cues.owned_fact(said.text) if said.is_own else ""
    # Another value of the same thing is news on the same topic.
    thing = said.points_to if kind == "reference" else ""
    words = thing or (what if what and what != "self" else norms.freed(core(named)))
    path = pointers.address_in(words)
    telling = telling_in(words.replace(path, " ") if "/" in path else words)
    if len(telling) < _NAMED:
        # A word alone is no name: what it is about may be a path, or somebody's.
        telling += [*telling_in(path), *telling_in(_OWNERS.sub(" ", words))]
    address = pointers.address_in(said.text) if kind == "reference" else ""
    if len(set(telling)) < _NAMED:
        telling += telling_in(address.rpartition("://")[-1])
    if len(telling) < _NAMED and said.quoted and len(parts) > 1:
        telling += telling_in(" ".join(norms.freed(core(one)) for one in parts))
    if not telling and (kind == "reference" or bar.told_to_agent(said.text)):
        telling = telling_in(said.label)
    if not telling:
        telling = telling_in(subject_of(said.entry.headings)[0])
    return slug(" ".join([*dict.fromkeys(telling)][:_TOPIC])) if telling else ""


def _is_bare(said: Said, parts: Sequence[str]) -> bool:
    """Whether a rule names too little to be followed by who was not there: `Will split from now on.`"""
    if announcing.teaches(said.spoken):
        return False
    alone = said.spoken == said.text or said.text.startswith('"')
    told = telling_in(" ".join(parts) if said.quoted else said.text)
    if said.quoted and told and _NEVER.match(said.text):
        return False
    return len(told) < _NAMED and (alone or announcing.adopts(said.text))
