"""Prompts: text files of the package or of the root, filled with what a brief holds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import groupby, zip_longest
from typing import NamedTuple

from lithify.errors import PromptError
from lithify.markdown.pages import most_of
from lithify.regex import regex
from lithify.repeated import folded, others
from lithify.sections import COMBINED, JUDGEMENT, MONTH, WEEK
from lithify.text.tokens import estimate
from lithify.text.words import stems_of
from lithify.values import (
    Age,
    Brief,
    Claim,
    Decision,
    Entry,
    Item,
    SentBack,
    TypedMemory,
    Violation,
    label_of,
)

_PAGE = frozenset({"agent_name", "period", "target", "limit", "bullets", "shown", "whole"})
_MEMORIES = frozenset({"max_memories", "memory_words"})
_PART_OF = frozenset({"part", "parts", "told"})

#: Every stage, and the placeholders its prompt must and may hold.
STAGES: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "weekly": (
        frozenset({"logs", "memories"}),
        _PAGE | _MEMORIES | _PART_OF | frozenset(WEEK._fields),
    ),
    "monthly": (frozenset({"weeks"}), _PAGE | {"entries"}),
    "typed": (frozenset({"logs", "memories"}), _PAGE | _MEMORIES),
    "wisdom": (
        frozenset({"items", "wisdom"}),
        frozenset({"agent_name", "max_entries", "category_field", "today"}),
    ),
    "repair": (
        frozenset({"bullets", "memories", "decisions", "form", "entries", "left_out", "sections"}),
        frozenset({"words", "fenced", "json", "max_entries"}),
    ),
    "reader": (frozenset({"claims"}), frozenset({"agent_name", "count"})),
}

#: The sections whose names a stage's prompt takes by their keys when it is loaded. Those of a week
#: depend on its style, so they are put in for each brief.
_SECTIONS: Mapping[str, Mapping[str, str]] = {
    "monthly": {**MONTH._asdict(), "week_context": WEEK.context},
}

_PLACEHOLDER = regex(r"\{\{(\w+)\}\}")
_PART = regex(r"^\[(system|user)\][ \t]*\n", re.MULTILINE)

#: A line that is a tag begins a section of a prompt.
_TAGGED = regex(r"^(?=<[A-Z_]+>$)", re.MULTILINE)

#: Tokens of the list of existing memories.
CATALOGUE_TOKENS = 1500
#: Tokens of the line that says how many memories are not listed.
_MORE = 20
#: Words of one bullet, by which a page's length becomes a number of bullets.
_BULLET = 25
#: A text with more tokens than this to a word is written without spaces, or is no prose.
_UNSPACED = 5
#: The most reasons that one prompt gives.
_REASONS = 60
#: The most marked entries that a page is asked about.
_ASKED = 15
#: The most words of a memory.
MEMORY_WORDS = 180


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to a model."""

    system: str
    user: str

    @property
    def tokens(self) -> int:
        return estimate(self.system) + estimate(self.user)


@dataclass(frozen=True, slots=True)
class Template(Prompt):
    """A stage's prompt before it is filled."""

    @property
    def mark(self) -> str:
        return hashlib.sha256(f"{self.system}\0{self.user}".encode()).hexdigest()[:12]


def read_template(stage: str, text: str, file: str) -> Template:
    """Read a prompt file: check its placeholders, and put the sections' names in for theirs.

    What the prompt holds for a brief stays open, and the names count for its mark.
    """
    named = _SECTIONS.get(stage, {})
    text = _PLACEHOLDER.sub(lambda match: named.get(match[1], match[0]), text)
    parts = _PART.split(text)
    found = {name: body.strip("\n") for name, body in zip(parts[1::2], parts[2::2], strict=True)}
    if parts[0].strip() or "user" not in found or len(parts) != 1 + 2 * len(found):
        raise PromptError(
            file=file,
            reason="a prompt is a `[system]` line with its text, then a `[user]` line with its own",
        )
    needed, allowed = STAGES[stage]
    used = set(_PLACEHOLDER.findall(text))
    if missing := sorted(needed - used):
        raise PromptError(file=file, reason=f"lacks the placeholder {{{{{missing[0]}}}}}")
    if unknown := sorted(used - needed - allowed):
        known = ", ".join(sorted(needed | allowed | named.keys()))
        raise PromptError(
            file=file, reason=f"unknown placeholder {{{{{unknown[0]}}}}}; known here: {known}"
        )
    return Template(found.get("system", ""), found["user"])


@lru_cache(maxsize=1)
def shipped() -> Mapping[str, Template]:
    """The prompts of the package."""
    folder = resources.files("lithify.engines.model") / "prompts"
    return {
        stage: read_template(stage, (folder / f"{stage}.md").read_text("utf-8"), f"{stage}.md")
        for stage in STAGES
    }


def fill(template: Template, values: Mapping[str, str | None]) -> Prompt:
    """Put values in for placeholders, once: what a value holds is never filled again.

    A section, from a line that is a tag to the next such line, is left out if one of its
    placeholders has no value.
    """

    def filled(text: str) -> str:
        whole = []
        for section in _TAGGED.split(text):
            if all(values[name] is not None for name in _PLACEHOLDER.findall(section)):
                whole.append(_PLACEHOLDER.sub(lambda match: values[match[1]] or "", section))
        return "".join(whole).rstrip("\n")

    return Prompt(filled(template.system), filled(template.user))


def stage_of(brief: Brief) -> str:
    """Return the stage whose prompt a brief is shown with; a week and its memories may share one."""
    if brief.tier == "typed":
        return "weekly" if brief.with_memories else "typed"
    return {"week": "weekly", "month": "monthly", "wisdom": "wisdom"}[brief.tier]


def prompt_for(brief: Brief, template: Template) -> Prompt:
    """Fill the prompt that shows a brief to a model."""
    categories = "; ".join(brief.categories)
    remembers = brief.with_memories or brief.tier == "typed"
    names = COMBINED if brief.sections == COMBINED else WEEK
    values: dict[str, str | None] = {
        "agent_name": brief.agent_name,
        "period": brief.period,
        **_lengths(brief),
        **names._asdict(),
        "logs": _logs(brief),
        "weeks": _weeks(brief),
        "part": str(brief.part) if brief.parts > 1 else None,
        "parts": str(brief.parts),
        "told": "\n".join(_told(brief)) or None,
        "entries": _untold(brief) or None,
        "memories": (_catalogue(brief) or "none yet") if remembers else None,
        "wisdom": _wisdom(brief) or "none yet",
        "items": "\n".join([*map(_item, brief.items), *_not_settled(brief)]),
        "today": brief.today,
        "max_entries": str(brief.max_entries),
        "max_memories": str(brief.max_memories) if remembers else None,
        "memory_words": f"{MEMORY_WORDS} words",
        "category_field": f', "category": "one of: {categories}"' if categories else "",
    }
    return fill(template, values)


def _lengths(brief: Brief) -> dict[str, str | None]:
    """Return a page's target and limit in words, which a writer can count, and in bullets.

    How many tokens make a word is taken from the material. Text without spaces has no words to
    count, so its characters are.
    """
    material: Sequence[Entry | Claim] = brief.claims if brief.tier == "month" else brief.entries
    texts = [one.text for one in material]
    tokens, pieces = sum(map(estimate, texts)), sum(len(text.split()) for text in texts)
    unit, bullet = "words", _BULLET
    if tokens > _UNSPACED * pieces:
        pieces, unit, bullet = sum(len("".join(text.split())) for text in texts), "characters", 60
    share = pieces / tokens if tokens else 0.75
    target, limit = int(brief.target * share), int(most_of(brief) * share)
    return {
        "target": f"{_rounded(target):,} {unit}",
        # Nobody needs to hear of a limit that all that is shown stays below.
        "limit": f"{_rounded(limit):,} {unit}" if limit < pieces else None,
        "bullets": str(max(1, round(target / bullet))),
        "shown": f"{_rounded(int(brief.shown * share)):,}" if brief.shown else None,
        "whole": f"{_rounded(int(brief.whole * share)):,} {unit}",
    }


def _rounded(count: int) -> int:
    """Return a count that is easy to keep in mind, and not above the true one."""
    step = 50 if count >= 1000 else 10 if count >= 100 else 1
    return max(1, count // step * step)


# What is sent back


def repair_prompt(brief: Brief, first: Prompt, template: Template, back: SentBack) -> Prompt:
    """What was refused of a reply, why, and the words it concerns; the material is not shown again.

    Reasons that name no bullet, memory or decision concern the reply as a whole. If it held nothing
    that could be read, the first prompt is given again with them.
    """
    cited, given = _Cited.of(brief), back.violations[:_REASONS]
    texts = [
        *((claim.text,) for claim in back.claims),
        *((memory.statement, memory.why) for memory in back.memories),
        *(_texts_of(decision) for decision in back.decisions),
    ]
    reasons, form = _sorted_out(given, texts)
    known = any(v.claim or _ITEM.search(v.message) for v in given)
    if not (texts or known or back.about_page or back.about_memories):
        listed = "\n".join(form)
        return Prompt(first.system, f"{first.user}\n\n<FORM>\nThe last reply was unread:\n{listed}")
    because = iter(reasons)
    bullets = [
        (claim.section, [f"- {_safe(claim.text)} {cited.labels(claim.sources)}", *next(because)])
        for claim in back.claims
    ]
    memories = [
        line
        for memory in back.memories
        for line in (
            f"- {memory.type}_{memory.topic}.md {cited.labels(memory.sources)}: "
            f"{_safe(memory.statement)}" + (f" Why: {_safe(memory.why)}" if memory.why else ""),
            *next(because),
        )
    ]
    decisions = [
        line
        for decision in back.decisions
        for line in (_refused_decision(decision, brief), *next(because))
    ]
    ids = [id for claim in back.claims for id in claim.sources]
    ids += [id for memory in back.memories for id in memory.sources]
    named = [label for v in given for label in _LABEL.findall(v.message)]
    concerned = [*cited.lines(ids, named), *_concerned(back, brief)]
    paged = brief.tier in ("week", "month") or brief.with_memories
    remembers = back.about_memories if brief.with_memories else brief.tier == "typed"
    values: dict[str, str | None] = {
        "bullets": "\n".join(_by_section(bullets)) or None,
        "memories": "\n".join(memories) or None,
        "decisions": "\n".join(decisions) or None,
        "form": "\n".join(form) or None,
        "entries": "\n".join(concerned) or None,
        "left_out": "\n".join(_left_out(back.left_out, cited)) or None,
        # Of the forms of a reply, the sections of one have values.
        "sections": "\n".join(f"### {name}" for name in brief.sections)
        if paged and (back.about_page or not remembers)
        else None,
        "fenced": "" if remembers and brief.with_memories else None,
        "json": "" if remembers and not brief.with_memories else None,
        "max_entries": str(brief.max_entries) if brief.tier == "wisdom" else None,
    }
    return Prompt(first.system, fill(template, values).user)


def _left_out(entries: Sequence[Entry], cited: _Cited) -> list[str]:
    """Return the marked entries that a page is asked about, each day's in turn up to a limit."""
    days = [list(own) for _, own in groupby(entries, key=lambda entry: label_of(entry.id))]
    turns = [entry.id for turn in zip_longest(*days) for entry in turn if entry]
    asked = set(turns[:_ASKED])
    lines = cited.lines([entry.id for entry in entries if entry.id in asked], ())
    more = len(turns) - len(asked)
    return [*lines, f"({more} more are not listed)"] if more > 0 else lines


def _sorted_out(
    violations: Sequence[Violation], things: Sequence[tuple[str, ...]]
) -> tuple[list[list[str]], list[str]]:
    """Return the reasons that concern each thing by its texts, and those that concern none."""
    own: list[list[str]] = [[] for _ in things]
    others = []
    for one in violations:
        said = f"  {_untagged(one.message)}"
        named = [n for n, texts in enumerate(things) if _is_named(one.claim, texts)]
        for n in named:
            own[n] += [said] if said not in own[n] else []
        if not named:
            where = f' (in: "{_safe(one.claim[:200])}")' if one.claim else ""
            others.append(f"- {_untagged(one.message)}{where}")
    return own, list(dict.fromkeys(others))


def _is_named(named: str, texts: Sequence[str]) -> bool:
    """Return whether the words that a violation names are, or begin, one of these texts."""
    words = " ".join(named.split())
    return bool(words) and any(" ".join(text.split()).startswith(words) for text in texts)


def _by_section(refused: Iterable[tuple[str, list[str]]]) -> Iterator[str]:
    """Yield refused bullets with their reasons, under the headings that they stood under."""
    for section, group in groupby(refused, key=lambda pair: pair[0]):
        yield f"### {section}"
        for _, lines in group:
            yield from lines


def _texts_of(decision: Decision) -> tuple[str, ...]:
    """Return the words by which a violation may name a decision."""
    texts = (decision.entry.text, decision.entry.title) if decision.entry else ()
    return (*texts, decision.reason, *decision.items, *decision.targets)


def _refused_decision(decision: Decision, brief: Brief) -> str:
    """Return a decision as its writer put it: its items, the entries it names, and its words."""
    labels = {entry.title: f"w{n}" for n, entry in enumerate(brief.wisdom, 1)}
    names = [*decision.items, *(labels.get(title, title) for title in decision.targets)]
    entry = decision.entry
    said = entry.said if entry else decision.reason
    return f"- {decision.verb} {', '.join(names)}: {_safe(said)}"


def _concerned(back: SentBack, brief: Brief) -> Iterator[str]:
    """Yield the items and entries in force that refused decisions or their reasons name."""
    names = {name for d in back.decisions for name in (*d.items, *d.targets, *d.because)}
    names.update(label for v in back.violations for label in _ITEM.findall(v.message))
    yield from (_item(item) for item in brief.items if item.id in names)
    for n, entry in enumerate(brief.wisdom, 1):
        if names & {entry.title, f"w{n}"}:
            yield f"[w{n}] {_safe(entry.said)}"


class _Cited(NamedTuple):
    """The entries and bullets that a writer was shown, by id and by label."""

    entries: Mapping[str, tuple[str, tuple[Entry, ...]]]
    claims: Mapping[str, Claim]

    @classmethod
    def of(cls, brief: Brief) -> _Cited:
        entries: dict[str, tuple[str, tuple[Entry, ...]]] = {}
        for label, own in brief.lines:
            for entry in own:
                entries.setdefault(entry.id, (label, own))
        return cls(entries, dict(brief.labelled_claims))

    def labels(self, ids: Iterable[str]) -> str:
        """Return the labels of some entries as they were cited, unknown ones among them."""
        named = (f"[{self.entries[id][0]}]" if id in self.entries else id for id in ids)
        return "".join(dict.fromkeys(named))

    def lines(self, ids: Iterable[str], named: Iterable[str]) -> list[str]:
        """Return the words of some entries, and of what `named` are the labels, each once.

        A label that stands for nothing is named as such.
        """
        by_label = dict(self.entries.values())
        lines: dict[str, str] = {}
        for id in ids:
            if id in self.entries:
                label, own = self.entries[id]
                lines[label] = f"[{label}] {_cited(own)}"
            else:
                lines[id] = f"{id} is no label that you were shown."
        for label in named:
            if label in by_label:
                lines[label] = f"[{label}] {_cited(by_label[label])}"
            elif label in self.claims:
                lines[label] = f"[{label}] {_safe(self.claims[label].text)}"
        return list(lines.values())


# What a reader is asked


def reader_prompt(
    claims: Sequence[Claim], entries: Mapping[str, Entry], template: Template, agent_name: str
) -> Prompt:
    """Claims for a reader in the order of their numbers, each with the entries it cites.

    An entry stands below the first claim that cites it, and is named by its label after that.
    """
    labels: dict[tuple[Entry, ...], str] = {}
    found = []
    for number, claim in enumerate(claims, 1):
        kind = "(judgement) " if claim.section in JUDGEMENT else ""
        # What repeats itself is one line of the claim that cites all of it, and of no other.
        cited = folded([entries[id] for id in dict.fromkeys(claim.sources) if id in entries])
        new = [own for own in cited if own not in labels]
        labels.update((own, f"e{n}") for n, own in enumerate(new, len(labels) + 1))
        lines = [f"{number}: {kind}{_safe(claim.text)}"]
        lines.append(f"(cites {''.join(f'[{labels[own]}]' for own in cited) or 'nothing'})")
        lines += [f"[{labels[own]}] {_cited(own)}" for own in new]
        found.append("\n".join(lines))
    shown = {"claims": "\n\n".join(found), "count": str(len(claims))}
    return fill(template, {**shown, "agent_name": agent_name})


def _cited(group: tuple[Entry, ...]) -> str:
    """An entry on one line, with its day, its headings and its lead-in, and with what repeats it."""
    entry, day = group[0], label_of(group[0].id)
    about = [day, " > ".join(h for h in entry.headings if h != day), entry.lead]
    said = f"{_safe(entry.text)}{others(group)}"
    return f"({'; '.join(_safe(part) for part in about if part)}) {said}"


# The material


def _logs(brief: Brief) -> str:
    """The days oldest first under their date, a rule between them, every entry labelled.

    Headings and lead-in lines are printed where they change, not before every entry.
    """
    days = []
    for day, group in groupby(brief.lines, key=lambda line: label_of(line[1][0].id)):
        lines = [f"## {day}"]
        path: tuple[str, ...] = ()
        # What has been said of the lead-in: an entry that is one says it for those under it.
        leads: tuple[str, ...] = ("",)
        for label, own in group:
            entry = own[0]
            headings = tuple(heading for heading in entry.headings if heading != day)
            if headings != path:
                lines += _changed(path, headings)
                path, leads = headings, ("",)
            if entry.lead not in leads:
                lines.append(f"({_safe(entry.lead)})" if entry.lead else "")
            quoted = "(quoted) " if entry.quoted and brief.with_memories else ""
            lines.append(f"[{label}] {quoted}{_safe(entry.text)}{others(own)}")
            leads = (entry.lead,)
            if entry.kind == "lead":
                leads = (entry.text, f"{entry.lead} {entry.text}".strip())
        days.append("\n".join(lines))
    return "\n\n---\n\n".join(days)


def _changed(before: Sequence[str], now: Sequence[str]) -> list[str]:
    """The lines of a heading path from the first heading on that is not the one above already."""
    same = 0
    while same < min(len(before), len(now) - 1) and before[same] == now[same]:
        same += 1
    return [f"{'#' * min(6, depth + 3)} {_safe(now[depth])}" for depth in range(same, len(now))]


def _catalogue(brief: Brief) -> str:
    """The existing memories by name and description, those nearest to the material first."""
    known = {memory: frozenset(stems_of(_summed_up(memory))) for memory in brief.memories}
    holders: dict[str, int] = {}
    for stems in known.values():
        for stem in stems:
            holders[stem] = holders.get(stem, 0) + 1
    said = {stem for entry in brief.entries for stem in stems_of(entry.text)}

    def nearness(memory: TypedMemory) -> float:
        # A word that many memories share tells little about any of them.
        return sum(1 / holders[stem] for stem in sorted(known[memory] & said))

    lines: list[str] = []
    used = 0
    for memory in sorted(known, key=lambda memory: (-nearness(memory), memory.type, memory.topic)):
        line = f"- {_safe(_summed_up(memory))}"
        used += estimate(line)
        if used > CATALOGUE_TOKENS - _MORE:
            lines.append(f"({len(known) - len(lines)} more have less to do with these logs)")
            break
        lines.append(line)
    return "\n".join(lines)


def _summed_up(memory: TypedMemory) -> str:
    return f"{memory.type}_{memory.topic}.md: {memory.name[:120]}: {memory.description[:240]}"


def _weeks(brief: Brief) -> str:
    pages = []
    for week, group in groupby(brief.labelled_claims, key=lambda pair: pair[1].week):
        lines = [f"## {week}"]
        section = ""
        for label, claim in group:
            if claim.section != section:
                section = claim.section
                lines.append(f"### {section}")
            lines.append(f"- [{label}] {_safe(claim.text)}")
        pages.append("\n".join(lines))
    return "\n\n---\n\n".join(pages)


def _untold(brief: Brief) -> str:
    """Return the entries of a month that none of its weeks' bullets cites."""
    if brief.tier != "month":
        return ""
    told = {source for claim in brief.claims for source in claim.sources}
    return "\n".join(
        f"[{label}] ({label_of(entry.id)}) {_safe(entry.text)}"
        for label, entry in brief.labelled
        if entry.id not in told
    )


def _told(brief: Brief) -> Iterator[str]:
    """Yield the bullets and the memories that were made of a week's parts before this one."""
    yield from (f"- {_safe(claim.text)}" for claim in brief.told)
    yield from (f"- memory {_safe(_summed_up(memory))}" for memory in brief.found)


def _wisdom(brief: Brief) -> str:
    """The entries in force with their labels, each with its age on a line of its own."""
    ages = brief.ages or (Age(),) * len(brief.wisdom)
    found = []
    for n, (entry, age) in enumerate(zip(brief.wisdom, ages, strict=True), 1):
        about = [f"since {age.since}" if age.since else "", f"last confirmed {age.borne_out}"]
        if not entry.sources:
            about = ["written by a person"]
        about += [f"category {_safe(entry.category)}" if entry.category else ""]
        about += ["stale" if age.stale else ""]
        said = f"[w{n}] {_safe(entry.said)}"
        found.append(f"{said}\n  ({', '.join(filter(None, about))})")
    return "\n\n".join(found)


def _item(item: Item) -> str:
    """One item of new material with its label, its type and date on a line of their own."""
    kind = f"{item.type} memory" if item.type else "month"
    about = [kind, "marked" if item.basis == "marked" else "", item.day]
    said = f"- [{item.id}] {_safe(item.text)}\n  ({', '.join(filter(None, about))})"
    return f"{said}\n  How to apply: {_safe(item.how)}" if item.how else said


def _not_settled(brief: Brief) -> Iterator[str]:
    """Yield the pairs of memories that may contradict each other."""
    if brief.conflicts:
        yield "\nThese may contradict each other, the newer first, and nobody has settled it yet:"
    for newer, older in brief.conflicts:
        yield f"- {newer.updated}: {_safe(newer.statement)} / {older.updated}: {_safe(older.statement)}"


_TAG = regex(r"<(\s*/?\s*[A-Za-z_]{3,}\s*/?\s*)>")
_SHOWN_TAG = regex(r"‹(\s*/?\s*[A-Za-z_]{3,}\s*/?\s*)›")
_LABEL = regex(r"\[\s*([ebmw]\d+)\s*\]")
_ITEM = regex(r"\b[mw]\d+\b")


def _safe(text: str) -> str:
    """Material on one line that cannot pass for a section tag, a fence or a label of ours."""
    return _LABEL.sub(r"(\1)", _untagged(text))


def as_logged(reply: str) -> str:
    """A reply with the tags of the material as the log has them, not as the prompt shows them."""
    return _SHOWN_TAG.sub(r"<\1>", reply)


def _untagged(text: str) -> str:
    """A text on one line that cannot pass for a section tag or a fence of ours."""
    # Bytes that are no UTF-8 stand as lone surrogates, which no model's client can send.
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return _TAG.sub(r"‹\1›", line).replace("```", "'''").replace("~~~", "'''")
