"""The pages of a root as the independent checker reads them, and what it asks of a sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from independent_atoms import misdated, plain, unsupported
from independent_speech import misattributed
from lithify.markdown.parse import parse
from lithify.text.tokens import estimate
from lithify.values import Entry

ID = re.compile(r"[^\s~]+~[0-9a-f]{12}")
TAIL = re.compile(r"\s*<!--((?:\s+[^\s~]+~[0-9a-f]{12})+)\s*-->$")
_DAY_FILE = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-.+)?\.md")
_POINTING = re.compile(
    r"\b(?:as (?:above|mentioned|noted|before)|see (?:above|below|daily|the daily)|mentioned above"
    r"|the same issue|the above)\b",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:yesterday|tomorrow|tonight|last night"
    r"|(?:last|next) (?:week|weekend|month|year|night)\b(?! of\b)|(?:last|next) (?:monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday)|this (?:morning|afternoon|evening)"
    r"|(?:\d+|an?|one|two|three|four|five|six|ten|few|couple of) (?:day|week|month|year)s? ago)\b"
    # A word with its date behind it says which day it means: "next Tuesday, 24 Feb".
    r"(?!,? \(?\d{1,2} [A-Z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One breach of the contract: where, which rule, what, and the words concerned."""

    path: str
    rule: str
    what: str
    words: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.rule}: {self.what}" + (f"\n    {self.words}" * bool(self.words))


@dataclass(frozen=True, slots=True)
class Sources:
    """The days of a root by id, and the files they came from."""

    entries: Mapping[str, tuple[Entry, ...]]
    files: Mapping[date, tuple[Path, ...]]

    def of(self, ids: Iterable[str]) -> list[Entry]:
        return [entry for id in ids for entry in self.entries.get(id, ())]


def read_sources(root: Path, foreign: Mapping[str, bytes]) -> Sources:
    """Every entry of the days, and of the pages another hand wrote."""
    entries: dict[str, tuple[Entry, ...]] = {}
    files: dict[date, tuple[Path, ...]] = {}
    # The plain file of a day comes first, then its others by name.
    for path in sorted((root / "memory").glob("*.md"), key=lambda p: (p.name[:10], p.stem)):
        if not (match := _DAY_FILE.fullmatch(path.name)):
            continue
        day = date.fromisoformat(match[1])
        files[day] = (*files.get(day, ()), path)
        for entry in parse(path.read_bytes(), label=match[1], day=day).entries:
            entries[entry.id] = (*entries.get(entry.id, ()), entry)
    for name, data in foreign.items():
        for entry in parse(data, label=Path(name).stem).entries:
            entries[entry.id] = (*entries.get(entry.id, ()), entry)
    return Sources(entries, files)


# Front matter


def front_of(text: str) -> tuple[dict[str, object], str]:
    """The fields between the dashes, and the page below them."""
    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    if not match:
        return {}, text
    fields = {}
    for line in match[1].split("\n"):
        key, _, value = line.partition(":")
        fields[key.strip()] = _value(value.strip())
    return fields, text[match.end() :]


def _value(text: str) -> object:
    if text[:1] in "{[" and text:
        parts = re.findall(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+', text[1:-1])
        if text[0] == "[":
            return [str(_value(part.strip())) for part in parts]
        pairs = (part.strip().partition(": ") for part in parts)
        return {str(_value(key)): str(_value(value.strip())) for key, _, value in pairs}
    return json.loads(text) if text.startswith('"') else text


# Summaries


@dataclass(frozen=True, slots=True)
class Bullet:
    section: str
    text: str
    ids: tuple[str, ...]


def bullets_of(
    body: str, title: str, sections: tuple[str, ...]
) -> tuple[list[Bullet], list[tuple[str, str]]]:
    """The bullets of a page, and what of its lines does not belong there."""
    lines = [line for line in body.split("\n") if line.strip()]
    wrong: list[tuple[str, str]] = []
    if not lines or lines[0] != title:
        wrong.append((f"the heading is not {title!r}", lines[0] if lines else ""))
    seen: list[str] = []
    bullets: list[Bullet] = []
    for line in lines[1:]:
        if line.startswith("### "):
            seen.append(line[4:])
        elif line.startswith("- ") and seen:
            tail = TAIL.search(line)
            text = line[2 : tail.start()] if tail else line[2:]
            bullets.append(Bullet(seen[-1], text, tuple(tail[1].split()) if tail else ()))
        else:
            wrong.append(("neither section nor bullet", line))
    if tuple(seen) != sections:
        wrong.append(("sections missing, misnamed or out of order", ", ".join(seen)))
    return bullets, wrong


def body_of(text: str) -> str:
    """A page as its reader sees it: no front matter, no comments."""
    return re.sub(r"\s*<!--[^<>]*-->", "", front_of(text)[1]).strip()


# Sentences


def claim(
    name: str, text: str, ids: Iterable[str], sources: Sources, *, bullet_limit: int = 0
) -> Iterator[Fault]:
    """What is wrong with one sentence and the ids it stands on."""
    ids = tuple(ids)
    text = text.removeprefix("[unverified] ").removeprefix("Open since ")
    if not ids:
        yield Fault(name, "trace", "names no source", text)
    for id in ids:
        if id not in sources.entries:
            yield Fault(name, "trace", f"{id} is no entry", text)
    if len(set(ids)) < len(ids):
        yield Fault(name, "trace", "names an entry twice", text)
    # One sentence that may not be cut may be longer; quotations and brackets are never cut.
    for line in re.split(r"; (?=\d+ \w{3} \d{4}: )", text):
        bare = re.sub(r'"[^"]*"|\([^()]*\)', "", line)
        joined = re.search(r"[a-z0-9][.!?] +[A-Z]", bare)
        if bullet_limit and estimate(line) > bullet_limit and joined:
            yield Fault(name, "length", f"a bullet of {estimate(line)} tokens", text)
    if not re.search(r"\w", text):
        yield Fault(name, "structure", "says nothing", text)
    for fact in unsupported(text, sources.of(ids)):
        yield Fault(name, "atom", f"{fact.kind} {fact.text!r} stands in no cited entry", text)
    if opening := misdated(text, sources.of(ids)):
        yield Fault(name, "atom", f"dated {opening}, the day of no cited entry", text)
    for label, words in misattributed(text, sources.of(ids)):
        yield Fault(name, "attribution", f"{label!r} did not say {words!r}", text)
    spoken = re.sub(r'"[^"]*"', " ", plain(text))
    for pattern in (_POINTING, _RELATIVE):
        # What belongs to a day keeps its words: "tomorrow's change".
        match = next(
            (m for m in pattern.finditer(spoken) if spoken[m.end() :][:2] not in ("'s", "’s")), None
        )
        # An offline bullet is its entry's own words, also where these point to something.
        own = match and any(
            match.group().lower() in f"{one.lead} {one.text}".lower() for one in sources.of(ids)
        )
        if match and not own:
            yield Fault(name, "self-contained", f"says {match.group()!r}", text)
