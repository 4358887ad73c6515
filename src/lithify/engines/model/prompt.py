"""Prompts: text files of the package or of the root, filled with what a brief holds."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import groupby, zip_longest

from lithify.calendar import parse_day, week_of
from lithify.errors import PromptError
from lithify.markdown.pages import most_of
from lithify.sections import COMBINED, JUDGING, MONTH, WEEK
from lithify.text.stems import stems_of
from lithify.text.tokens import estimate
from lithify.values import Age, Brief, Claim, Entry, Item, TypedMemory, Violation, label_of

_PAGE = frozenset({"agent_name", "period", "target", "limit", "ceiling"})

#: Every stage, and the placeholders its prompt must and may hold.
STAGES: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "weekly": (frozenset({"logs"}), _PAGE),
    "combined": (frozenset({"logs", "memories"}), _PAGE | {"max_memories"}),
    "monthly": (frozenset({"weeks"}), _PAGE | {"entries"}),
    "typed": (
        frozenset({"logs", "memories"}),
        frozenset({"agent_name", "period", "max_memories"}),
    ),
    "wisdom": (
        frozenset({"items", "wisdom"}),
        frozenset({"agent_name", "max_entries", "category_field", "today"}),
    ),
    "repair": (frozenset({"draft", "violations"}), frozenset()),
    "choose": (frozenset({"notes", "sections"}), frozenset({"agent_name"})),
    "audit": (frozenset({"claims"}), frozenset({"agent_name", "count"})),
}

#: The sections whose names a stage's prompt may take by their keys.
_SECTIONS: Mapping[str, Mapping[str, str]] = {
    "weekly": WEEK._asdict(),
    "combined": COMBINED._asdict(),
    "monthly": MONTH._asdict(),
}

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_PART = re.compile(r"^\[(system|user)\][ \t]*\n", re.MULTILINE)

#: Tokens of the days' own entries beside a month's weeks, and of the list of existing memories.
GROUNDING_TOKENS = 2000
CATALOGUE_TOKENS = 1500
#: Tokens of the line that says how many memories are not listed.
_MORE = 20
#: Characters of a refused draft that its writer is shown again.
DRAFT_SHOWN = 20_000


@dataclass(frozen=True, slots=True)
class Template:
    """A stage's prompt before it is filled."""

    system: str
    user: str

    @property
    def mark(self) -> str:
        return hashlib.sha256(f"{self.system}\0{self.user}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent to a model."""

    system: str
    user: str


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


def fill(template: Template, values: Mapping[str, str]) -> Prompt:
    """Put values in for placeholders, once: what a value holds is never filled again."""

    def put(match: re.Match[str]) -> str:
        return values[match[1]]

    return Prompt(_PLACEHOLDER.sub(put, template.system), _PLACEHOLDER.sub(put, template.user))


def stage_of(brief: Brief) -> str:
    if brief.tier == "week" or (brief.tier == "typed" and brief.sections):
        return "combined" if COMBINED.decisions in brief.sections else "weekly"
    return {"month": "monthly", "typed": "typed", "wisdom": "wisdom"}[brief.tier]


def prompt_for(brief: Brief, template: Template) -> Prompt:
    """Fill the prompt that shows a brief to a model."""
    categories = "; ".join(brief.categories)
    values = {
        "agent_name": brief.agent_name,
        "period": brief.period,
        "target": str(brief.target),
        "limit": str(most_of(brief)),
        "ceiling": str(brief.ceiling or most_of(brief)),
        "logs": _logs(brief.entries),
        "weeks": _weeks(brief.claims),
        "entries": _grounding(brief),
        "memories": _catalogue(brief) or "none yet",
        "wisdom": _wisdom(brief) or "none yet",
        "items": "\n".join(map(_item, brief.items)),
        "today": brief.today,
        "max_entries": str(brief.max_entries),
        "max_memories": str(brief.max_memories),
        "category_field": f', "category": "one of: {categories}"' if categories else "",
    }
    return fill(template, values)


def repair_prompt(
    first: Prompt, template: Template, draft: str, violations: Sequence[Violation]
) -> Prompt:
    """The same prompt again, with the draft and what was wrong with it."""
    listed = "\n".join(
        f"- {v.rule}: {_untagged(v.message)}"
        + (f' (in: "{_safe(v.claim[:200])}")' if v.claim else "")
        for v in violations[:60]
    )
    again = fill(template, {"draft": draft[:DRAFT_SHOWN], "violations": listed})
    return Prompt(first.system, f"{first.user}\n\n{again.user}")


def audit_prompt(
    claims: Sequence[Claim], entries: Mapping[str, Entry], template: Template, agent_name: str
) -> Prompt:
    """Claims for a second reader, numbered, each under the entries it cites."""
    cited: dict[tuple[str, ...], list[str]] = {}
    for number, claim in enumerate(claims, 1):
        kind = "(judgement) " if claim.section in JUDGING else ""
        cited.setdefault(claim.sources, []).append(f"{number}: {kind}{_safe(claim.text)}")
    groups = [
        "\n".join(["Cited:", *(_cited(entries[id]) for id in ids if id in entries), "", *said])
        for ids, said in cited.items()
    ]
    shown = {"claims": "\n\n---\n\n".join(groups), "count": str(len(claims))}
    return fill(template, {**shown, "agent_name": agent_name})


def _cited(entry: Entry) -> str:
    """An entry on one line, with its day, its headings and its lead-in."""
    day = label_of(entry.id)
    about = [day, " > ".join(h for h in entry.headings if h != day), entry.lead]
    return f"- ({'; '.join(_safe(part) for part in about if part)}) {_safe(entry.text)}"


def _logs(entries: Sequence[Entry]) -> str:
    """The days oldest first under their date, a rule between them, every entry labelled.

    Headings and lead-in lines are printed where they change, not before every entry.
    """
    numbered = list(enumerate(entries, 1))
    days = []
    for label, group in groupby(numbered, key=lambda pair: label_of(pair[1].id)):
        lines = [f"## {label}"]
        path: tuple[str, ...] = ()
        # What has been said of the lead-in: an entry that is one says it for those under it.
        leads: tuple[str, ...] = ("",)
        for number, entry in group:
            headings = tuple(heading for heading in entry.headings if heading != label)
            if headings != path:
                lines += _changed(path, headings)
                path, leads = headings, ("",)
            if entry.lead not in leads:
                lines.append(f"({_safe(entry.lead)})" if entry.lead else "")
            lines.append(f"[e{number}] {_safe(entry.text)}")
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


def _weeks(claims: Sequence[Claim]) -> str:
    pages = []
    numbered = list(enumerate(claims, 1))
    for week, group in groupby(numbered, key=lambda pair: _week(pair[1])):
        lines = [f"## {week}"]
        section = ""
        for number, claim in group:
            if claim.section != section:
                section = claim.section
                lines.append(f"### {section}")
            lines.append(f"- [b{number}] {_safe(claim.text)}")
        pages.append("\n".join(lines))
    return "\n\n---\n\n".join(pages)


def _week(claim: Claim) -> str:
    label = label_of(claim.sources[0]) if claim.sources else ""
    day = parse_day(label)
    return week_of(day) if day else label


def _grounding(brief: Brief) -> str:
    """The cited entries that carry most of each week, taken from the weeks in turn."""
    if brief.tier != "month":
        return ""
    weight: dict[str, int] = {}
    for claim in brief.claims:
        for source in claim.sources:
            weight[source] = weight.get(source, 0) + 1
    weeks: dict[str, list[int]] = {}
    for n, entry in enumerate(brief.entries):
        weeks.setdefault(week_of(entry.day) if entry.day else "", []).append(n)
    for numbers in weeks.values():
        numbers.sort(key=lambda n: (-weight.get(brief.entries[n].id, 0), n))
    chosen, used = [], 0
    for turn in zip_longest(*weeks.values()):
        for n in turn:
            cost = 0 if n is None else estimate(brief.entries[n].text) + 6
            if n is not None and used + cost <= GROUNDING_TOKENS:
                used += cost
                chosen.append(n)
    return "\n".join(
        f"[e{n + 1}] ({label_of(brief.entries[n].id)}) {_safe(brief.entries[n].text)}"
        for n in sorted(chosen)
    )


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
        said = f"[w{n}] {_safe(entry.title)}: {_safe(entry.text)}"
        found.append(f"{said}\n  ({', '.join(filter(None, about))})")
    return "\n\n".join(found)


def _item(item: Item) -> str:
    """One item of new material with its label, its type and date on a line of their own."""
    kind = f"{item.type} memory" if item.type else "month"
    about = [kind, "marked" if item.basis == "marked" else "", item.day]
    said = f"- [{item.id}] {_safe(item.text)}\n  ({', '.join(filter(None, about))})"
    return f"{said}\n  How to apply: {_safe(item.how)}" if item.how else said


_TAG = re.compile(r"<(\s*/?\s*[A-Za-z_]{3,}\s*/?\s*)>")
_SHOWN_TAG = re.compile(r"‹(\s*/?\s*[A-Za-z_]{3,}\s*/?\s*)›")
_LABEL = re.compile(r"\[\s*([ebmw]\d+)\s*\]")


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
