"""The pages the program writes: summaries, typed memories, wisdom. Bytes in, bytes out.

A bullet's provenance is the comment at its end. It is written here, read here, and stripped
here; no writer of drafts ever sees or makes one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lithify.calendar import is_week
from lithify.fence import plain, unplain
from lithify.markdown.front import write_front
from lithify.markdown.parse import Block, after_front, is_entry_id, parse
from lithify.regex import regex
from lithify.text.tokens import estimate
from lithify.values import (
    MEMORY_TYPES,
    SHORT_INPUT,
    SPEAKERS,
    Brief,
    Claim,
    Entry,
    FrontValue,
    Tier,
    TypedMemory,
    WisdomEntry,
)

UNVERIFIED = "[unverified]"
#: The mark of what rests on a quote, a fence or a forwarded mail: somebody else said it.
QUOTED = "[quoted]"
NOT_STATED = "not stated"

_COMMENT = regex(r"<!--[^<>]*-->")
_CITED = regex(r"\S+~[0-9a-f]{12}")


def provenance(ids: Sequence[str]) -> str:
    """The comment that names the entries a sentence rests on."""
    return f" <!-- {' '.join(ids)} -->" if ids else ""


def split_provenance(line: str) -> tuple[str, tuple[str, ...]]:
    """A line without its provenance, and the ids that stood there."""
    line = line.rstrip()
    at = line.rfind("<!--")
    cited = line[at + 4 : -3].split() if at >= 0 and line.endswith("-->") else []
    if not cited or not all(map(_CITED.fullmatch, cited)):
        return line, ()
    return line[:at].rstrip(), tuple(filter(is_entry_id, cited))


def strip_comments(text: str) -> str:
    """Text as an agent may see it: no provenance."""
    *before, last = _COMMENT.split(text)
    return "".join([*(part.rstrip() for part in before), last])


def body_of(data: bytes) -> str:
    """A page without front matter and comments: what the tier above rests on."""
    text = strip_comments(after_front(data).decode("utf-8", "replace"))
    return "\n".join(line.rstrip() for line in text.splitlines()).strip()


def body_digest(data: bytes) -> str:
    """The digest by which a tier above knows that this page still says the same."""
    return hashlib.sha256(body_of(data).encode()).hexdigest()


# Summaries


def render_summary(
    front: Mapping[str, FrontValue], period: str, sections: Sequence[str], claims: Sequence[Claim]
) -> bytes:
    """Write a week's or month's page: front matter, heading, every section in order."""
    lines = [write_front(front), f"# Week {period}" if is_week(period) else f"# {period}"]
    for section in sections:
        lines += ["", f"### {section}"]
        lines += [bullet(claim) for claim in claims if claim.section == section]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def bullet(claim: Claim) -> str:
    """Write a claim as its line of a page."""
    return f"- {mark_of(claim)}{plain(_one_line(claim.text))}{provenance(claim.sources)}"


def mark_of(claim: Claim) -> str:
    """What stands before a claim that is not trusted, or rests on somebody else's words."""
    return f"{UNVERIFIED} " if not claim.trusted else f"{QUOTED} " if claim.quoted else ""


def _one_line(text: str) -> str:
    return " ".join(text.split())


#: What at the beginning of a line would make a heading, item, quote or fence of it.
_BLOCK = regex(r"^(?:(?:#+|>|[-*+]|\d{1,9}[.)])\s+|`{3,}|~{3,})+")


def _prose(text: str) -> str:
    """A text that stays one paragraph when it stands at the beginning of a line."""
    return plain(_BLOCK.sub("", _one_line(text)))


def summary_text(sections: Sequence[str], claims: Sequence[Claim]) -> str:
    """The part of a summary whose length counts: section headings and bullets, no comments."""
    lines = []
    for section in sections:
        own = [claim for claim in claims if claim.section == section]
        lines += [f"### {section}", *(f"- {mark_of(claim)}{claim.text}" for claim in own)]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Line:
    """A claim and the line of its page it stands on."""

    number: int
    claim: Claim


def read_summary(data: bytes) -> tuple[Line, ...]:
    """The claims of a summary page, ours or another's: bullets under their last heading."""
    return claims_in(parse(data).entries)


def claims_in(entries: Iterable[Entry]) -> tuple[Line, ...]:
    """The claims of a summary page that is parsed already."""
    lines: list[Line] = []
    for entry in entries:
        if entry.kind in ("code", "lead"):
            continue
        text, ids = split_provenance(entry.text)
        text = unplain(text)
        trusted = not text.startswith(UNVERIFIED)
        text = text.removeprefix(UNVERIFIED).strip()
        quoted = text.startswith(QUOTED)
        text = text.removeprefix(QUOTED).strip()
        if text:
            section = entry.headings[-1] if entry.headings else ""
            lines.append(Line(entry.line, Claim(text, ids, section, trusted, quoted=quoted)))
    return tuple(lines)


# Typed memories


def render_typed(memory: TypedMemory) -> bytes:
    """A typed memory's file."""
    front: dict[str, FrontValue] = {
        "name": memory.name,
        "description": memory.description,
        "type": memory.type,
        "sources": list(memory.sources),
        "updated": memory.updated,
    }
    front |= {name: text for name, text in (("by", memory.by), ("until", memory.until)) if text}
    statement = "\n\n".join(_prose(part) for part in memory.statement.split("\n\n"))
    lines = [write_front(front), statement]
    if memory.type in ("feedback", "project"):
        lines += ["", f"**Why:** {plain(_one_line(memory.why or NOT_STATED))}"]
        lines += ["", f"**How to apply:** {plain(_one_line(memory.how or NOT_STATED))}"]
    elif memory.why:
        lines += ["", f"**Why:** {plain(_one_line(memory.why))}"]
    if memory.superseded:
        lines += ["", "## Superseded", ""]
        # Each with the lines it stood on.
        before = map(split_provenance, memory.superseded)
        lines += [f"- {plain(_one_line(said))}{provenance(ids)}" for said, ids in before]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


#: Where a line begins that says why, or how to apply it: no part of what stands right above it.
_FIELD = regex(rb"(?m)^[ \t]*(?=\*\*(?:Why|How to apply):\*\*)")


def read_typed(data: bytes, path: str) -> TypedMemory | None:
    """A typed memory from its file, also in the form of other tools; None if it is not one."""
    document = parse(_FIELD.sub(b"\n", data))
    front = document.front
    metadata = front.values.get("metadata")
    given = front.text("type") or (
        str(metadata.get("type", "")) if isinstance(metadata, dict) else ""
    )
    stem = path.rpartition("/")[2].removesuffix(".md")
    prefix, _, rest = stem.partition("_")
    kind = next(
        (known for name in (given, prefix) for known in MEMORY_TYPES if known == name), None
    )
    if kind is None:
        return None
    statement, why, how, superseded = [], "", "", []
    for entry in document.entries:
        text = unplain(strip_comments(entry.text))
        if "Superseded" in entry.headings:
            said, cited = split_provenance(entry.text)
            superseded.append(f"{unplain(said)}{provenance(cited)}")
        elif text.startswith("**Why:**"):
            why = text.removeprefix("**Why:**").strip()
        elif text.startswith("**How to apply:**"):
            how = text.removeprefix("**How to apply:**").strip()
        else:
            statement.append(text)
    sources = front.values.get("sources")
    ids = tuple(str(s) for s in sources if is_entry_id(str(s))) if isinstance(sources, list) else ()
    topic = rest if prefix == kind and rest else stem
    return TypedMemory(
        type=kind,
        topic=topic,
        name=front.text("name") or topic.replace("-", " "),
        description=front.text("description"),
        statement="\n\n".join(statement),
        sources=ids,
        why="" if why == NOT_STATED else why,
        how="" if how == NOT_STATED else how,
        updated=front.text("updated") or front.text("modified"),
        superseded=tuple(superseded),
        by=next((one for one in SPEAKERS if one == front.text("by")), ""),
        until=front.text("until"),
    )


def memory_type_of(data: bytes) -> str | None:
    """The type a file's front matter gives it, in our form or under `metadata:`."""
    memory = read_typed(data, "_.md")
    return memory.type if memory else None


# Wisdom

_BOLD_LEAD = regex(r"\*\*(.+?)\*\*:?\s*")
_HEADER = ("Last compacted:", "Distilled principles. Read this first")


def render_wisdom(
    entries: Sequence[WisdomEntry], agent_name: str, compacted: str, categories: Sequence[str]
) -> bytes:
    """WISDOM.md whole: the fixed header, then the entries, under categories if there are any."""
    lines = [
        f"# {agent_name} - Wisdom",
        "",
        "Distilled principles. Read this first every session (after SOUL.md).",
        "",
        f"Last compacted: {compacted}",
        "",
        "---",
    ]
    # Headings a person made stay, also where no categories are configured.
    groups = list(dict.fromkeys(["", *categories, *(entry.category for entry in entries)]))
    for group in groups:
        members = [entry for entry in entries if entry.category == group]
        if members and group:
            lines += ["", f"## {group}"]
        for entry in members:
            lines += ["", entry.raw or _entry_lines(entry)]
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def _entry_lines(entry: WisdomEntry) -> str:
    """Write an entry: its title, or its first sentence where it has none, in bold."""
    from lithify.text.sentences import outside_code

    title = plain(outside_code(_one_line(entry.title), lambda text: text.replace("**", "")))
    is_sentence = entry.untitled and _SENTENCE_END.search(entry.title)
    text = entry.text.removeprefix(entry.title).lstrip() if is_sentence else entry.text
    below = f"\n{_prose(text)}" if text else ""
    return f"**{title}**{below}{provenance(entry.sources)}"


_SENTENCE_END = regex(r"[.!?…。！？][\"'”’»)\]]*$")


def rule_entry(
    text: str, title: str, sources: Sequence[str], category: str, taken: Collection[str]
) -> WisdomEntry:
    """Return a rule as an entry in the words that were said, from a capital letter to a full stop.

    A title that only repeats the beginning, or is taken, is left out: the first sentence stands
    in its place.
    """
    from lithify.text.sentences import said_words, split

    said = closed(text[:1].upper() + text[1:])
    if not title or title in taken or said_words(said).startswith(said_words(title)):
        title = closed(split(said)[0])
        said = said if said.startswith(title) else f"{title} {said}"
    return WisdomEntry(title, said, tuple(sources), category)


def closed(text: str) -> str:
    """Return a text with a full stop, if no other sign ends it."""
    text = text.rstrip()
    return text if not text or _SENTENCE_END.search(text) else f"{text.rstrip(',;:')}."


def read_wisdom(data: bytes) -> tuple[tuple[WisdomEntry, int], ...]:
    """The entries of a WISDOM.md of ours or a person's, with the lines they begin on.

    A bold opening is an entry's title, or its first sentence where it ends like one; a paragraph,
    list item or table without one is an entry whose title is its first words.
    """
    found: list[tuple[WisdomEntry, int]] = []
    heading = ""
    for block, raw in _with_tables(parse(data).blocks):
        if block.kind == "heading" and not heading:
            heading = block.raw.decode("utf-8", "surrogateescape").lstrip("\ufeff ")
        entry = block.entry
        if entry is None or (entry.line < 12 and entry.text.startswith(_HEADER)):
            continue
        text, ids = split_provenance(entry.text)
        text = unplain(text)
        # The page's own title is no category.
        above = entry.headings[1:] if heading.startswith("# ") else entry.headings
        title = _BOLD_LEAD.match(text)
        if title:
            name, rest = title[1].strip().rstrip(":"), text[title.end() :].strip()
            if not rest or _SENTENCE_END.search(name):
                # The bold line is the first sentence itself.
                rest = f"{name} {rest}".strip()
        else:
            name, rest = _first_words(text), text
        category = above[-1] if above else ""
        found.append((WisdomEntry(name, rest, ids, category, raw), entry.line))
    return tuple(found)


def _with_tables(blocks: Sequence[Block]) -> Iterator[tuple[Block, str]]:
    """The blocks with their text; a table is one block, its header and all its rows."""
    table: list[Block] = []
    for block in [*blocks, None]:
        is_row = block and (block.kind == "header" or (block.entry and block.entry.kind == "row"))
        if is_row and block:
            table.append(block)
            continue
        if table:
            first = next((part for part in table if part.entry), table[0])
            yield first, _text(b"".join(part.raw for part in table))
            table = []
        if block:
            yield block, _text(block.raw)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape").rstrip()


def _first_words(text: str) -> str:
    words = re.sub(r"[*_`\[\]|]", "", text).split()
    return " ".join(words[:7]).rstrip(".,;:")


# How long a page may be: its target and its most, in our own estimate of tokens.


#: The most of its input that a page takes.
MOST = 0.45
#: A page may be this long though that is more than its share, where its input holds so much.
ROOMY = 800
#: A short dense input is told, not a third of it: the least a target is, by tier.
_DENSE: dict[Tier, int] = {"week": 600, "month": 250}
#: The day that a bullet begins with, and dates that were made absolute.
_DATE = regex(r"^\d{1,2} [A-Z][a-z]{2} \d{4}: |\b\d{4}-\d\d-\d\d\b")
#: The part of the most a page may have that a target takes: a writer is seldom exact.
_MARGIN = 0.9


def target_length(tier: Tier, size: int, share: float, ceiling: int = 0) -> int:
    """The tokens to aim for with an input of this size; a ceiling of 0 is none."""
    wanted = max(int(share * size), _DENSE.get(tier, 0))
    if size <= SHORT_INPUT and tier == "week":
        wanted = size
    return min(wanted, int(_MARGIN * longest(size, ceiling)))


def longest(size: int, ceiling: int = 0) -> int:
    """The most tokens a page of an input of this size may have."""
    most = min(size, max(int(MOST * size), ROOMY))
    return min(most, ceiling) if ceiling else most


def most_of(brief: Brief) -> int:
    """The most tokens that a page of this brief, or a part of one, may have: its ceiling.

    How long a page is below that is its writer's judgement.
    """
    most = brief.ceiling or longest(brief.size)
    return min(most, brief.most) if brief.most else most


def length(brief: Brief, claims: Sequence[Claim]) -> int:
    """The tokens of a page that count; on a short page neither its headings nor its dates do."""
    if brief.size <= ROOMY:
        return sum(estimate(_DATE.sub("", claim.text)) for claim in claims)
    return estimate(summary_text(brief.sections, claims))
