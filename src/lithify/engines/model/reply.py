"""Reading a model's summary: small slips are mended, the rest is named.

What comes out is a list of claims with the labels they cite; whether they are true is not
decided here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from lithify.engines.base import Completion
from lithify.limits import MODEL_REPLY
from lithify.markdown.pages import read_typed
from lithify.markdown.parse import parse
from lithify.regex import regex
from lithify.store.names import topic_slug
from lithify.values import (
    MEMORY_TYPES,
    Brief,
    Claim,
    Decision,
    Item,
    SentBack,
    TypedMemory,
    Verb,
    Violation,
    WisdomEntry,
)

_HEADING = regex(r"(?:#{1,6}\s*|\*\*)\s*(?:\d+[.)]\s*)?(.+?)\s*(?:\*\*|#*)\s*:?\s*(?:\*\*)?$")
_BULLET = regex(r"\s*(?:[-*+•–]|\d{1,3}[.)])\s+")
_LABELS = regex(r"\s*[\[(]\s*((?:[eb]\d+)(?:\s*[,;]?\s*(?:and\s+)?[eb]\d+)*)\s*[\])]")
_LABEL = regex(r"[eb]\d+")
#: Stands where something was taken out of a text; no reply holds it.
_CUT = "\x00"
_CONTROL = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FENCE_LINE = regex(r"\s*(`{3,}|~{3,})\s*\w*\s*$")


def read_reply(
    text: str,
    sections: Sequence[str],
    labels: Mapping[str, tuple[str, ...]],
    back: SentBack | None = None,
) -> tuple[tuple[Claim, ...], tuple[Violation, ...]]:
    """Return the claims of a reply, and what about its form could not be mended.

    A reply to bullets that were sent `back`, or to a question, may be `NONE`, and bullets of it that
    stand under no heading belong where the refused ones stood. If nothing of the reply before could
    be read, a whole page is asked for again, and held to its form.
    """
    if len(text) > MODEL_REPLY:
        wrong = f"the reply has {len(text)} characters; at most {MODEL_REPLY} are read"
        return (), (Violation("structure", wrong),)
    text = _CONTROL.sub("", text)
    known = {_plain(name): name for name in sections}
    if back and (back.claims or back.left_out):
        text = without_memories(text)
        headed = any(_section(line, known) for line in _lines(text))
        found = () if headed else _under_no_heading(text, sections, labels, back)
        if found or not text.strip():
            return found, ()
    claims: list[Claim] = []
    section, depth, seen = "", 0, False
    for line in _lines(text):
        if not line.strip() or _FENCE_LINE.match(line):
            continue
        level = len(line.strip()) - len(line.strip().lstrip("#"))
        if name := _section(line, known):
            section, depth, seen = name, level, True
            continue
        if level:
            # A heading of its own is refused with each bullet below it; one below a section's is
            # only an ornament.
            if seen and level <= depth:
                section = line.strip().strip("#").strip()[:80]
            continue
        if not seen:
            continue
        bullet = _BULLET.match(line)
        if bullet:
            claims.append(_claim(line[bullet.end() :], section, labels))
        elif claims and claims[-1].section == section and line[:1] in " \t":
            # A bullet that runs on over the next line.
            claims[-1] = _joined(claims[-1], _claim(line, section, labels))
        else:
            claims.append(_claim(line, section, labels))
    slips = []
    if not seen:
        listed = ", ".join(sections)
        slips.append(Violation("structure", f"none of the sections was found; they are: {listed}"))
    return tuple(claim for claim in claims if claim.text), tuple(slips)


def _under_no_heading(
    text: str, sections: Sequence[str], labels: Mapping[str, tuple[str, ...]], back: SentBack
) -> tuple[Claim, ...]:
    """The bullets of a reply without headings, each where the refused one in its place stood."""
    bullets = [line[found.end() :] for line in _lines(text) if (found := _BULLET.match(line))]
    places = [claim.section for claim in back.claims] or [sections[-1]]
    places += places[-1:] * len(bullets)
    return tuple(_claim(line, place, labels) for line, place in zip(bullets, places, strict=False))


def _lines(text: str) -> list[str]:
    """Return the reply's lines without front matter."""
    lines = text.splitlines()
    start = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if lines[start : start + 1] == ["---"]:
        end = next((n for n in range(start + 1, len(lines)) if lines[n].strip() == "---"), None)
        if end is not None:
            return lines[end + 1 :]
    return lines


def _section(line: str, known: Mapping[str, str]) -> str | None:
    match = _HEADING.match(line.strip())
    title = match[1] if match else line.strip().rstrip(":")
    return known.get(_plain(title))


def _plain(title: str) -> str:
    words = title.replace("&", " and ").replace("*", " ").replace(":", " ").lower()
    return " ".join(words.split())


def _claim(text: str, section: str, labels: Mapping[str, tuple[str, ...]]) -> Claim:
    sources = _cited(" ".join(_LABELS.findall(text)), labels)
    # Where labels were taken out, no space is left before what follows them.
    text = re.sub(r"\s*<!--.*?-->", _CUT, _LABELS.sub(_CUT, text))
    text = re.sub(rf"(?:{_CUT}\s*)+(?=[.,;:](?:[\s{_CUT}]|$))|{_CUT}", "", text).strip()
    text = re.sub(r"^\[[ xX]\]\s+", "", text)
    return Claim(" ".join(text.split()), sources, section)


def _cited(text: str, labels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the ids of the entries that the labels in a text stand for."""
    # A label nobody was shown is kept as it is; the verifier names it.
    groups = [labels.get(label, (f"[{label}]",)) for label in _LABEL.findall(text)]
    return tuple(dict.fromkeys(id for group in groups for id in group))


def _joined(first: Claim, rest: Claim) -> Claim:
    sources = tuple(dict.fromkeys([*first.sources, *rest.sources]))
    return Claim(f"{first.text} {rest.text}".strip(), sources, first.section)


# Reading replies that carry data: typed memories and decisions on wisdom.


_FENCE = regex(r"```typed_memory[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_NOTHING = regex(r"(?m)^[\s`]*\[\s*\][\s`.]*$|\[\][\s`.]*\Z")
#: A line that says there are no memories, whatever marks stand around the word.
_NONE = regex(r"\W*NONE\W*")
#: Characters of a memory that could not be read, by which its writer knows it again.
_EXCERPT = 400
_JSON_CONTROL = regex(r"[\x00-\x08\x0b-\x1f\x7f]")


def find_array(text: str) -> list[Any] | None:
    """Return the JSON array in a reply: bare, fenced, inside prose, or with trailing commas."""
    decoder = json.JSONDecoder(strict=False)
    at = text.find("[")
    tries = 0
    while at != -1 and tries < 50:
        tries += 1
        for candidate in (text[at:], _no_trailing_commas(text[at:])):
            try:
                value, _ = decoder.raw_decode(candidate)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
                return value
        at = text.find("[", at + 1)
    # Two brackets say "nothing" only where nothing else could have been meant.
    return [] if "{" not in text and _NOTHING.search(text) else None


def _no_trailing_commas(text: str) -> str:
    """Commas before a closing bracket taken out, strings left alone."""
    pieces = re.split(r'("(?:[^"\\]|\\.)*")', text)
    return "".join(
        piece if n % 2 else re.sub(r",(\s*[\]}])", r"\1", piece) for n, piece in enumerate(pieces)
    )


def without_memories(text: str) -> str:
    """Return the summary of a combined reply: everything outside the fences of its memories."""
    outside = _FENCE.sub("\n", text[: MODEL_REPLY + 1])
    return "\n".join(line for line in outside.splitlines() if not _NONE.fullmatch(line))


def _clean(value: Any) -> Any:
    """Return a decoded value without control characters in its texts."""
    if isinstance(value, str):
        return _JSON_CONTROL.sub("", value.encode("utf-8", "replace").decode())
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value


def read_memories(
    text: str, labels: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[TypedMemory, ...], tuple[Violation, ...]]:
    """Return the typed memories of a reply, and what could not be read of it."""
    if len(text) > MODEL_REPLY:
        return (), (Violation("structure", f"the reply has {len(text)} characters"),)
    bodies = [body for body in _FENCE.findall(text) if not _NONE.fullmatch(body)]
    fenced = [{"filename": "", "content": body} for body in bodies]
    array = _clean(fenced or find_array(text))
    if array is None:
        if any(map(_NONE.fullmatch, text.splitlines())):
            return (), ()
        wrong = "no memory could be read, and no NONE or [] says that there is none"
        return (), (Violation("structure", wrong),)
    found = [_memory(item, labels, number) for number, item in enumerate(array, 1)]
    memories = tuple(one for one in found if isinstance(one, TypedMemory))
    return memories, tuple(one for one in found if isinstance(one, Violation))


def _memory(
    item: Mapping[str, Any], labels: Mapping[str, tuple[str, ...]], number: int
) -> TypedMemory | Violation:
    """Return one object of a reply as a memory, or what is wrong with it."""
    content, filename = item.get("content"), item.get("filename", "")
    if not isinstance(content, str) or not isinstance(filename, str) or not content.strip():
        return Violation("structure", f'object {number} has no text in "content"')
    data = content.strip().encode("utf-8", "replace")
    stem = re.sub(r".*[/\\]", "", filename)[:200].removesuffix(".md")
    memory = read_typed(data, f"{stem}.md")
    if memory is None:
        kinds = ", ".join(MEMORY_TYPES)
        message = f"object {number}: `type` must be one of {kinds}"
        return Violation("structure", message, " ".join(content.split())[:_EXCERPT])
    front = parse(data).front
    # In a fence, the file's name stands beside the others.
    stem = stem or re.sub(r".*[/\\]", "", front.text("filename"))[:200].removesuffix(".md")
    if not memory.statement.strip():
        return Violation("structure", f"object {number} has no body")
    cited = front.values.get("sources", "")
    said = " ".join(map(str, cited)) if isinstance(cited, list) else str(cited)
    named = stem if stem and not stem[:4].isdigit() else memory.name
    topic = topic_slug(memory.type, named)
    statement = " ".join(_without_labels(memory.statement).split())
    name = " ".join(memory.name.split())[:120]
    return TypedMemory(
        type=memory.type,
        topic=topic,
        name=name or topic.replace("-", " "),
        description=" ".join(memory.description.split())[:240],
        statement=statement,
        sources=_cited(said, labels),
        why=_without_labels(memory.why),
        how=_without_labels(memory.how),
    )


def unquoted(
    memories: Sequence[TypedMemory], brief: Brief
) -> tuple[tuple[TypedMemory, ...], tuple[Violation, ...]]:
    """The memories without entries that quote somebody else, and those that rest on nothing else.

    A page may report what was quoted; no memory rests on it.
    """
    quoted = {entry.id for entry in brief.entries if entry.quoted}
    kept, slips = [], []
    for memory in memories:
        sources = tuple(id for id in memory.sources if id not in quoted)
        if memory.sources and not sources:
            message = "rests on an entry marked (quoted), and no memory may"
            slips.append(Violation("quoted", message, memory.statement))
        else:
            kept.append(memory._replace(sources=sources))
    return tuple(kept), tuple(slips)


def _without_labels(text: str) -> str:
    return re.sub(r"\s*[\[(](?:[eb]\d+[\s,;]*)+[\])]", "", text)


def read_decisions(text: str, brief: Brief) -> tuple[tuple[Decision, ...], tuple[Violation, ...]]:
    """Return the decisions of a reply on a wisdom brief: form only, one item at most once."""
    if len(text) > MODEL_REPLY:
        return (), (Violation("structure", f"the reply has {len(text)} characters"),)
    array = _clean(find_array(text))
    if array is None:
        wrong = 'the reply is not a JSON array of {"items", "decision"}'
        return (), (Violation("structure", wrong),)
    items = {item.id: item for item in brief.items}
    titles = {entry.title: entry for entry in brief.wisdom}
    titles.update({f"w{n}": entry for n, entry in enumerate(brief.wisdom, 1)})
    decisions: list[Decision] = []
    decided: set[str] = set()
    slips: list[Violation] = []
    strangers: list[str] = []
    for raw in array:
        if unknown := [name for name in _names(raw, "item", "items") if name not in items]:
            strangers.append(unknown[0][:40])
            continue
        decision = _decision(raw, items, titles)
        wrong = decision if isinstance(decision, str) else _in_conflict(decision, decisions)
        if wrong or isinstance(decision, str):
            slips.append(Violation("decisions", wrong))
            continue
        decisions.append(decision)
        decided.update(decision.items)
    for drop in [d for d in decisions if d.drops_entry]:
        # An item that is named only where it overtakes an entry is itself dropped.
        spent = tuple(name for name in drop.because if name in items and name not in decided)
        if spent:
            decisions.append(Decision(spent, "DROP", drop.reason))
            decided.update(spent)
    # What was meant can only be an item that nothing else decides; a send-back shows those.
    left = ", ".join(name for name in items if name not in decided)
    without = f"; no object names {left}" if left else ""
    slips += [
        Violation("decisions", f'"{name}" is not an item that was shown{without}')
        for name in strangers
    ]
    return tuple(decisions), tuple(slips)


def _decision(
    raw: Mapping[str, Any], items: Mapping[str, Item], titles: Mapping[str, WisdomEntry]
) -> Decision | str:
    """Return one object of a reply as a decision, or what is wrong with it."""
    names, wanted = _names(raw, "item", "items"), _names(raw, "target", "targets")
    leaving = _names(raw, "entry", "entries")
    who = ", ".join(names or wanted or leaving)[:80]
    verbs: Sequence[Verb] = ("MERGE", "ADD", "DROP")
    given = str(raw.get("decision")).strip().upper()
    verb = next((verb for verb in verbs if verb == given), None)
    said = {key: " ".join(str(raw.get(key) or "").split()) for key in _FIELDS}
    reason = said["reason"] or "no reason given"
    if verb is None:
        return f"{who}: the decision must be MERGE, ADD or DROP"
    if leaving:
        gone = titles.get(leaving[0])
        if verb != "DROP" or gone is None or leaving[1:]:
            return f"{leaving[0][:40]}: `entry` names one entry in force, and goes with DROP"
        because = (*names, *(titles[t].title for t in wanted if t in titles))
        return Decision((), "DROP", reason, (gone.title,), because=because)
    if verb != "MERGE":
        wanted = (_names(raw, "replaces") or wanted)[:1]
    targets = [titles[name] for name in wanted if name in titles]
    if verb == "MERGE" and (not targets or len(targets) < len(wanted)):
        return f"{who}: MERGE names no entry in force in `target`"
    if not said["text"] and (verb == "ADD" or targets[1:]):
        return f"{who}: {verb} gives no `text`"
    # Without items several entries become one, or a stale one is borne out.
    bears_out = verb == "MERGE" and bool(targets) and not said["text"]
    if not names and not (verb == "MERGE" and targets[1:]) and not bears_out:
        return f"{who or verb} names no item"
    entry = None
    if verb != "DROP" and said["text"]:
        before = targets if verb == "MERGE" else []
        made_of: list[WisdomEntry | Item] = [*before, *(items[name] for name in names)]
        entry = WisdomEntry(
            title=(said["title"] or made_of[0].title).strip("*")[:120],
            text=said["text"],
            sources=tuple(dict.fromkeys(id for one in made_of for id in one.sources)),
            category=said["category"] or (before[0].category if before else ""),
        )
    return Decision(tuple(names), verb, reason, tuple(t.title for t in targets), entry)


def _in_conflict(decision: Decision, others: Sequence[Decision]) -> str:
    """Return what is wrong with a decision beside the others of its reply, if anything."""
    for other in others:
        if both := set(decision.items) & set(other.items):
            return f"{min(both)} has more than one decision"
        # Several items may each add to one entry, but an entry that goes can only go once.
        if not (_takes_entries(decision) and _changes(other)) and not (
            _takes_entries(other) and _changes(decision)
        ):
            continue
        if titles := set(decision.targets) & set(other.targets):
            return f"“{min(titles)}” is changed or dropped by two objects"
    return ""


def _takes_entries(decision: Decision) -> bool:
    return decision.drops_entry or (decision.verb == "MERGE" and bool(decision.targets[1:]))


def _changes(decision: Decision) -> bool:
    return decision.drops_entry or (decision.verb == "MERGE" and decision.entry is not None)


_FIELDS = ("title", "text", "reason", "category")
_ITEM_LABELS = regex(r"\W*[mw]\d+(?:[\W_]+[mw]\d+)*\W*")


def _names(raw: Mapping[str, Any], *keys: str) -> list[str]:
    """Return the labels or titles in some fields, each of which holds one or a list of them."""
    found: list[str] = []
    for key in keys:
        value = raw.get(key)
        for one in value if isinstance(value, list) else [value]:
            name = " ".join(str(one or "").split()).strip("[]* ")
            several = re.findall(r"[mw]\d+", name) if _ITEM_LABELS.fullmatch(name) else [name]
            found += filter(None, several)
    return list(dict.fromkeys(found))


# The form of replies that carry data, for models that can be held to a JSON schema.


@runtime_checkable
class Structured(Protocol):
    """A model that can be held to a JSON schema."""

    def structured(
        self,
        prompt: str,
        *,
        system: str,
        schema: Mapping[str, Any],
        temperature: float,
        max_tokens: int,
    ) -> Completion: ...


_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}


def object_of(fields: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """An object that has these fields and no others."""
    closed = {"required": list(fields), "additionalProperties": False}
    return {"type": "object", "properties": dict(fields), **closed}


def _listed(name: str, fields: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """An object that holds one list of objects with these fields; no provider takes a bare list."""
    return object_of({name: {"type": "array", "items": object_of(fields)}})


_DECISION: Mapping[str, Mapping[str, Any]] = {
    "items": _TEXTS,
    "entry": _TEXT,
    "decision": {"type": "string", "enum": ["MERGE", "ADD", "DROP"]},
    "reason": _TEXT,
    "targets": _TEXTS,
    **dict.fromkeys(("replaces", "title", "text", "category"), _TEXT),
}

_FINDING: Mapping[str, Mapping[str, Any]] = {
    "claim": {"type": "integer"},
    "verdict": {"type": "string", "enum": ["supported", "contradicted", "not stated"]},
    "reason": _TEXT,
}

#: By stage; summaries are plain text everywhere.
SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "typed": _listed("memories", {"filename": _TEXT, "content": _TEXT}),
    "wisdom": _listed("decisions", _DECISION),
    "reader": _listed("verdicts", _FINDING),
}


def unwrapped(reply: Completion) -> Completion:
    """Return the list inside the object that a schema asks for; any other reply as it is."""
    try:
        found = json.loads(reply.text)
    except (ValueError, RecursionError):
        return reply
    if isinstance(found, dict) and len(found) == 1:
        (inner,) = found.values()
        if isinstance(inner, list):
            return replace(reply, text=json.dumps(inner, ensure_ascii=False))
    return reply
