"""Reading a model's summary: small slips are mended, the rest is named.

What comes out is a list of claims with the labels they cite; whether they are true is not
decided here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lithify.limits import MODEL_REPLY
from lithify.values import Claim, Violation

_HEADING = re.compile(r"(?:#{1,6}\s*|\*\*)\s*(?:\d+[.)]\s*)?(.+?)\s*(?:\*\*|#*)\s*:?\s*(?:\*\*)?$")
_BULLET = re.compile(r"\s*(?:[-*+•–]|\d{1,3}[.)])\s+")
_LABELS = re.compile(r"\s*[\[(]\s*((?:[eb]\d+)(?:\s*[,;]?\s*(?:and\s+)?[eb]\d+)*)\s*[\])]")
_LABEL = re.compile(r"[eb]\d+")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_FENCE_LINE = re.compile(r"\s*(`{3,}|~{3,})\s*\w*\s*$")


def read_reply(
    text: str, sections: Sequence[str], labels: Mapping[str, tuple[str, ...]]
) -> tuple[tuple[Claim, ...], tuple[Violation, ...]]:
    """The claims of a reply, and what about its form could not be mended."""
    if len(text) > MODEL_REPLY:
        return (), (
            Violation(
                "structure", f"the reply has {len(text)} characters; at most {MODEL_REPLY} are read"
            ),
        )
    text = _CONTROL.sub("", text)
    known = {_plain(name): name for name in sections}
    claims: list[Claim] = []
    slips: list[Violation] = []
    section: str | None = None
    foreign = False
    seen = False
    for line in _lines(text):
        if not line.strip() or _FENCE_LINE.match(line):
            continue
        name = _section(line, known)
        if name:
            section, foreign, seen = name, False, True
            continue
        if line.lstrip().startswith("#"):
            title = line.strip().lstrip("#").strip()
            if seen:
                foreign = True
                slips.append(Violation("structure", f'"{title[:80]}" is not one of the sections'))
            continue
        if section is None or foreign:
            continue
        bullet = _BULLET.match(line)
        if bullet:
            claims.append(_claim(line[bullet.end() :], section, labels))
        elif claims and claims[-1].section == section and line[:1] in " \t":
            # A bullet that runs on over the next line.
            claims[-1] = _joined(claims[-1], _claim(line, section, labels))
        else:
            claims.append(_claim(line, section, labels))
    if not seen:
        listed = ", ".join(sections)
        slips.append(Violation("structure", f"none of the sections was found; they are: {listed}"))
    return tuple(claim for claim in claims if claim.text), tuple(slips)


def _lines(text: str) -> list[str]:
    """The reply's lines without front matter."""
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
    sources: list[str] = []
    for group in _LABELS.findall(text):
        for label in _LABEL.findall(group):
            # A label nobody was shown is kept as it is; the verifier names it.
            sources += labels.get(label, (f"[{label}]",))
    text = _LABELS.sub("", text)
    text = re.sub(r"\s*<!--.*?-->", "", text).strip()
    text = re.sub(r"\s+([.,;:])", r"\1", text)
    text = re.sub(r"^\[[ xX]\]\s+", "", text)
    return Claim(" ".join(text.split()), tuple(dict.fromkeys(sources)), section)


def _joined(first: Claim, rest: Claim) -> Claim:
    sources = tuple(dict.fromkeys([*first.sources, *rest.sources]))
    return Claim(f"{first.text} {rest.text}".strip(), sources, first.section)
