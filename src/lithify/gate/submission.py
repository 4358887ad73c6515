"""A submitted summary: taken apart, measured against every rule, accepted or refused at once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lithify.gate.filler import filler
from lithify.gate.jobs import Book, Summary
from lithify.gate.presets import Section, most_none, sections_of
from lithify.text.tokens import estimate

if TYPE_CHECKING:
    from lithify.gate.decide import Demand
    from lithify.settings import Gate
    from lithify.text.atoms import Support

NOTHING = "None."
#: How many unknown figures or names one line of a refusal lists.
_LISTED = 8

#: Who speaks in a record, by whatever name.
_SPEAKERS = "User Person Agent Assistant Claude Codex Gemini Cursor Copilot"

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029]")
_HASHED = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_BOLD = re.compile(r"\*\*(.+?)\*\*:?")
#: A bold line stands below every heading with marks.
_BOLD_DEPTH = 7
_TOPIC = re.compile(r"topic:[ \t]*(.*)", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_NUMBERED = re.compile(r"^\s*\d{1,3}[.)]\s+", re.MULTILINE)
_DATED = re.compile(r"\W*\d{4}-\d{2}-\d{2}\b.*\w")


class Accepted(NamedTuple):
    """A summary as it goes into the chain; `unverified` are a section's unknown specifics."""

    text: str
    tokens: int
    topic: str = ""
    unverified: Mapping[str, Sequence[str]] = MappingProxyType({})


class Refused(NamedTuple):
    """Everything that is wrong with it, in the order of the text."""

    violations: tuple[str, ...]


class _Part(NamedTuple):
    section: Section
    body: str

    @property
    def nothing(self) -> bool:
        return self.body == NOTHING


def validate(text: str, book: Book, demand: Demand, rules: Gate) -> Accepted | Refused:
    """Whether a text is a summary of what the gate waits for."""
    parts, topic, wrong = _take_apart(text, rules)
    whole = _joined(parts)
    size = estimate(whole)
    wrong += _lengths(parts, size, demand, rules)
    wrong += filler([(p.section.name, p.body) for p in parts if not p.nothing], _earlier(book))
    unknown = _unknown(parts, book, demand)
    for part in parts:
        missing = unknown.get(part.section.name)
        if missing and part.section.reports:
            wrong.append(
                f"{part.section.name}: not in what was recorded: {_some(missing)}. This section "
                "reports what was said; move your own findings to another one"
            )
    if wrong:
        return Refused(tuple(wrong))
    marked = {p.section.name: unknown[p.section.name] for p in parts if p.section.name in unknown}
    return Accepted(whole, size, topic, marked)


def as_kept(text: str, rules: Gate) -> str:
    """A submitted text in the form the chain would keep it in."""
    return _joined(_take_apart(text, rules)[0])


def bodies(text: str) -> list[tuple[str, str]]:
    """The sections of an accepted summary, each with its text."""
    pieces = re.split(r"^### (.+)\n", text, flags=re.MULTILINE)
    return [(name, body.strip()) for name, body in zip(pieces[1::2], pieces[2::2], strict=True)]


def places_of(specifics: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Where these figures and names stand in a text, in order."""
    found = set()
    for specific in specifics:
        pattern = r"\s+".join(map(re.escape, specific.split()))
        found |= {match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text)}
    return sorted(found)


def cleaned(text: str) -> str:
    """The text without control characters, stray white space and runs of empty lines."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4))
    lines = [re.sub(r"(?<=\S) {2,}", " ", line.rstrip()) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _take_apart(text: str, rules: Gate) -> tuple[list[_Part], str, list[str]]:
    wanted = {section.name.casefold(): section for section in sections_of(rules)}
    lines = cleaned(text).split("\n")
    wrong: list[str] = []
    topic = ""
    if rules.shape == "topics":
        named = _TOPIC.fullmatch(lines[0])
        topic = " ".join(named[1].split())[:80] if named else ""
        if not topic:
            wrong.append("Topic: missing; the first line must be `Topic: ` and its name")
        lines = lines[1:] if named else lines
    found: dict[str, list[str]] = {}
    level = 0
    stray: list[str] = []
    body = stray
    for line in lines:
        depth, title = _heading(line)
        section = wanted.get(title.casefold()) if title else None
        if section is not None:
            if section.name in found:
                wrong.append(f"{section.name}: given more than once")
            level = depth
            body = found.setdefault(section.name, [])
        elif title and 0 < depth <= level:
            known = ", ".join(s.name for s in wanted.values())
            wrong.append(f"{title[:60]}: no section of this job; they are: {known}")
            body = []
        else:
            # An accepted text is taken apart by its `###` alone.
            body.append(title if 0 < depth < _BOLD_DEPTH else line)
    if any(line.strip() for line in stray):
        wrong.append("there is text before the first section; every line belongs into one")
    parts = [_Part(wanted[name.casefold()], "\n".join(b).strip()) for name, b in found.items()]
    missing = [s.name for s in wanted.values() if s.name not in found]
    wrong += [f"{name}: missing; write it, or `{NOTHING}` if there is nothing" for name in missing]
    return parts, topic, wrong


def _joined(parts: Sequence[_Part]) -> str:
    return "\n\n".join(f"### {part.section.name}\n{part.body}" for part in parts)


def _heading(line: str) -> tuple[int, str]:
    if hashed := _HASHED.fullmatch(line):
        return len(hashed[1]), hashed[2].strip(" *:")
    if bold := _BOLD.fullmatch(line.strip()):
        # A bold line is a heading only where it names a section.
        return _BOLD_DEPTH, bold[1].strip(" :")
    return 0, ""


def _lengths(parts: Sequence[_Part], size: int, demand: Demand, rules: Gate) -> list[str]:
    wrong = []
    floor = rules.section_floor
    for part in parts:
        tokens = estimate(part.body)
        if not part.nothing and tokens < floor:
            wrong.append(f"{part.section.name}: {tokens} of {floor} tokens")
        elif not part.nothing:
            wrong += _form(part)
    nothing = sum(part.nothing for part in parts)
    if nothing > most_none(rules):
        wrong.append(f"`{NOTHING}` in {nothing} sections, at most {most_none(rules)} may say it")
    if size < rules.min_tokens:
        wrong.append(f"the whole: {size:,} of at least {rules.min_tokens:,} tokens")
    if size > rules.max_tokens:
        wrong.append(f"the whole: {size:,} of at most {rules.max_tokens:,} tokens")
    if demand.tokens > rules.min_tokens and size >= demand.tokens:
        wrong.append(
            f"the whole: {size:,} tokens, and what it covers has {demand.tokens:,}; "
            "a summary is shorter"
        )
    return wrong


def _form(part: _Part) -> list[str]:
    name = part.section.name
    lines = [_BULLET.sub("", line).strip() for line in part.body.split("\n")]
    lines = [line.lstrip("*") for line in lines if line.strip()]
    if part.section.form == "pairs":
        marks = [line[:2].upper() for line in lines if line[:2].upper() in ("Q:", "A:")]
        pairs = "".join(mark[0] for mark in marks)
        if not pairs or pairs.replace("QA", ""):
            asked, answered = pairs.count("Q"), pairs.count("A")
            return [f"{name}: {asked} `Q:` and {answered} `A:`; each question needs its answer"]
    if part.section.form == "log":
        starts = [n for n, line in enumerate(lines) if _DATED.match(line)]
        if not starts or starts[0] > 0:
            return [f"{name}: each decision begins with its date, as in 2026-04-02"]
    return []


def _unknown(parts: Sequence[_Part], book: Book, demand: Demand) -> dict[str, list[str]]:
    """By section, the figures and names that neither the range nor the chain vouches for."""
    from lithify.text.atoms import unsupported_by

    sources = list(_sources(parts, book, demand))
    found: dict[str, list[str]] = {}
    for part in parts:
        if not part.nothing:
            # The numbers of a list count its lines and claim nothing.
            body = _NUMBERED.sub("", part.body)
            missing = [atom.text for atom in unsupported_by(body, sources)]
            if missing:
                found[part.section.name] = list(dict.fromkeys(missing))
    return found


def _sources(parts: Sequence[_Part], book: Book, demand: Demand) -> list[Support]:
    from lithify.text.atoms import support_of_text

    sources = []
    if demand.level == 0:
        for one in book.covered_by(demand):
            day = date.fromisoformat(one.time[:10])
            sources.append(support_of_text(f"{one.text}\n{one.time[:10]}", day))
    for summary in book.chain:
        day = date.fromisoformat(summary.time[:10])
        sources.append(support_of_text(f"{_vouched_for(summary)}\n{summary.time[:10]}", day))
    # Words of the form itself are nobody's claim.
    names = " ".join(part.section.name for part in parts)
    sources.append(support_of_text(f"{_SPEAKERS} {book.job} {names} Q A"))
    return sources


def _vouched_for(summary: Summary) -> str:
    """A summary without its unverified specifics: said again, they are no better known."""
    doubted = [one for texts in summary.unverified.values() for one in texts]
    text = summary.text
    for start, end in reversed(places_of(doubted, text)):
        text = f"{text[:start]} {text[end:]}"
    return text


def _earlier(book: Book) -> str:
    newest: Summary | None = book.chain[-1] if book.chain else None
    return newest.text if newest else ""


def _some(texts: Sequence[str]) -> str:
    shown = ", ".join(" ".join(text.split())[:60] for text in texts[:_LISTED])
    return shown + (f" and {len(texts) - _LISTED} more" if len(texts) > _LISTED else "")
