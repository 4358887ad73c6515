"""A second opinion on what a compaction left on disk, written from the contract alone.

`check(root)` reads every page the program wrote with its own eyes and lists what is wrong with
it. Of the program it uses only the parser of days (whose ids are the contract) and the token
estimate the bands are defined by; it never calls the verifier.

A page has at least 10 % of its input, or half its ceiling where that is less, unless it cites
every entry there is. It has at most 45 % of its input or 800 tokens, whichever is more, and never
more than its ceiling or its input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

from independent_pages import (
    ID,
    TAIL,
    Bullet,
    Fault,
    Sources,
    body_of,
    bullets_of,
    claim,
    front_of,
    read_sources,
)
from lithify.markdown.parse import parse, render
from lithify.text.tokens import estimate

WEEK = ("Key Outcomes", "Decisions", "Blockers & Open Items", "Context")
COMBINED = ("Key Decisions", "Outcomes", "Blockers & Open Items", "Context")
MONTH = ("Themes", "Milestones", "Trajectory", "Carried Forward")
TYPES = ("user", "feedback", "project", "reference")

_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")


def check(root: Path, *, today: date, foreign: Mapping[str, bytes] | None = None) -> list[Fault]:
    """Everything wrong with the pages under `root`.

    `foreign` are the pages that stood there before the program first ran, by path: they count
    as sources under their own label, and are not held to a form they were never written in.
    """
    pages = dict(foreign or {})
    sources = read_sources(root, pages)
    faults: list[Fault] = []
    for path in written(root):
        name = path.relative_to(root).as_posix()
        data = path.read_bytes()
        if render(parse(data)) != data:
            faults.append(Fault(name, "parse", "does not survive parse and render"))
        if pages.get(name) == data:
            continue
        if path.parent.name == "weekly":
            faults += _week(root, path, data, sources)
        elif path.parent.name == "monthly":
            faults += _month(root, path, data, sources)
        elif name == "WISDOM.md":
            faults += _wisdom(root, data, sources)
        else:
            faults += _typed(name, data, sources)
    return faults + list(_absent(root, sources, today))


def written(root: Path) -> Iterator[Path]:
    """Every page of a root that is not a day."""
    memory = root / "memory"
    yield from sorted(memory.glob("weekly/*.md"))
    yield from sorted(memory.glob("monthly/*.md"))
    yield from sorted(p for p in memory.glob("*.md") if p.name.partition("_")[0] in TYPES)
    if (root / "WISDOM.md").exists():
        yield root / "WISDOM.md"


# Summaries


def _summary(
    name: str, data: bytes, kind: str, title: str, sections: tuple[str, ...], sources: Sources
) -> tuple[list[Fault], list[Bullet], dict[str, object]]:
    text = data.decode()
    front, body = front_of(text)
    bullets, wrong = bullets_of(body, title, sections)
    faults = [Fault(name, "structure", what, words) for what, words in wrong]
    wanted = ["type", "period", "engine", "created", "sources", "tokens", "kept"]
    if list(front) != wanted:
        faults.append(Fault(name, "front matter", f"fields are {', '.join(front)}"))
        return faults, bullets, front
    tokens, digests = front["tokens"], front["sources"]
    good = (
        front["type"] == kind
        and front["period"] == Path(name).stem
        and front["engine"]
        and _STAMP.fullmatch(str(front["created"]))
        and _is_share(str(front["kept"]))
        and isinstance(tokens, dict)
        and list(tokens) == ["in", "out"]
        and isinstance(digests, dict)
        and all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in digests.values())
    )
    if not good:
        faults.append(Fault(name, "front matter", f"a value is out of form: {front}"))
    offline = front["engine"] == "offline"
    for bullet in bullets:
        faults += claim(name, bullet.text, bullet.ids, sources, bullet_limit=60 if offline else 0)
    return faults, bullets, front


def _is_share(kept: str) -> bool:
    """Whether `31 of 34` is a part and its whole."""
    match = re.fullmatch(r"(\d+) of (\d+)", kept)
    return match is not None and int(match[1]) <= int(match[2])


def _week(root: Path, path: Path, data: bytes, sources: Sources) -> Iterator[Fault]:
    name, period = path.relative_to(root).as_posix(), path.stem
    style = re.search(r'(?m)^style\s*=\s*"combined"', _settings(root))
    sections = COMBINED if style else WEEK
    title = f"# Week {period}"
    faults, bullets, front = _summary(name, data, "weekly", title, sections, sources)
    yield from faults
    files = [p for day in _days_of(period) for p in sources.files.get(day, ())]
    digests = {p.relative_to(root).as_posix(): sha256(p.read_bytes()).hexdigest() for p in files}
    if front.get("sources") != digests:
        yield Fault(name, "front matter", "sources are not the week's days as they are")
    days = {str(day) for day in _days_of(period)}
    for bullet in bullets:
        strange = [id for id in bullet.ids if id.partition("~")[0] not in days]
        if strange:
            yield Fault(name, "trace", f"{strange[0]} is of another week", bullet.text)
    texts = [front_of(p.read_bytes().decode("utf-8", "replace"))[1] for p in files]
    there = {id for id in sources.entries if id.partition("~")[0] in days}
    ceiling = _ceiling(root, "weekly", 4000)
    yield from _band(name, data, sum(map(estimate, texts)), ceiling, bullets, there, front)


def _month(root: Path, path: Path, data: bytes, sources: Sources) -> Iterator[Fault]:
    name, period = path.relative_to(root).as_posix(), path.stem
    faults, bullets, front = _summary(name, data, "monthly", f"# {period}", MONTH, sources)
    yield from faults
    weeks = [
        p for p in sorted((root / "memory/weekly").glob("*.md")) if _month_of(p.stem) == period
    ]
    digests = front.get("sources")
    names = [p.relative_to(root).as_posix() for p in weeks]
    if not isinstance(digests, dict) or list(digests) != names:
        yield Fault(name, "front matter", f"sources are not the month's weeks: {', '.join(names)}")
    pages = [p.read_bytes().decode() for p in weeks]
    there = {id for page in pages for id in ID.findall(front_of(page)[1])}
    for bullet in bullets:
        if bullet.ids and not there & set(bullet.ids):
            yield Fault(name, "trace", "traces to no week", bullet.text)
    size = sum(estimate(body_of(page)) for page in pages)
    ceiling = _ceiling(root, "monthly", 3000)
    yield from _band(name, data, size, ceiling, bullets, there, front)


def _ceiling(root: Path, table: str, default: int) -> int:
    found = re.search(rf"(?m)^\[{table}\]\n(?:[^\[].*\n)*?max_tokens\s*=\s*(\d+)", _settings(root))
    return int(found[1]) if found else default


def _band(
    name: str,
    data: bytes,
    size: int,
    ceiling: int,
    bullets: list[Bullet],
    there: set[str],
    front: Mapping[str, object],
) -> Iterator[Fault]:
    long = estimate(body_of(data.decode()))
    share = f"{long} of {size} tokens ({long / max(size, 1):.0%})"
    tokens = front.get("tokens")
    if isinstance(tokens, dict):
        # The contract leaves open whether a page's own headings count.
        for key, measured in (("in", size), ("out", long)):
            if not 0.8 * measured - 40 <= int(tokens[key]) <= 1.05 * measured + 40:
                yield Fault(name, "front matter", f"tokens {key} {tokens[key]}, not {measured}")
    told = sum(estimate(re.sub(r"^\d+ \w{3} \d{4}: ", "", bullet.text)) for bullet in bullets)
    # Up to 800 tokens neither headings nor the dates before bullets count.
    if (told if size <= 800 else long) > min(max(0.45 * size, 800), 1.1 * size + 8, ceiling):
        yield Fault(name, "length", f"too long: {share}", bullets[-1].text)
    cited = {id for bullet in bullets for id in bullet.ids}
    if size > 400 and long < min(0.10 * size, ceiling // 2) and there - cited:
        yield Fault(name, "length", f"too short: {share}")


# Typed memories


def _typed(name: str, data: bytes, sources: Sources) -> Iterator[Fault]:
    front, body = front_of(data.decode())
    kind, _, topic = Path(name).stem.partition("_")
    fields = [name for name in front if name not in ("by", "until")]
    if fields != ["name", "description", "type", "sources", "updated"]:
        yield Fault(name, "front matter", f"fields are {', '.join(front)}")
        return
    if front["type"] != kind or not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", topic):
        yield Fault(name, "front matter", f"type {front['type']}, topic {topic!r}")
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?", str(front["updated"])):
        yield Fault(name, "front matter", f"updated {front['updated']}")
    ids = front["sources"] if isinstance(front["sources"], list) else []
    now, _, before = body.partition("\n## Superseded\n")
    parts = re.fullmatch(
        r"(?P<said>.+?)(?:\n+\*\*Why:\*\* (?P<why>.+?)\n+\*\*How to apply:\*\* (?P<how>.+?))?",
        now.strip(),
        re.DOTALL,
    )
    if not parts or (kind in ("feedback", "project")) != bool(parts["why"]):
        yield Fault(name, "structure", "not a statement, a Why and a How to apply", now.strip())
        return
    said = {field: str(front[field]) for field in ("name", "description")} | parts.groupdict()
    for field, text in said.items():
        if text and text != "not stated":
            yield from claim(f"{name} ({field})", _sentence(text), ids, sources)
    for line in filter(None, before.split("\n")):
        dated = re.match(r"- \(?\d{4}-\d{2}-\d{2}\)?:?\s+(?:-\s+)?(.+)", line)
        if not dated:
            yield Fault(name, "structure", "a superseded statement without its date", line)
        else:
            yield from claim(name, _sentence(dated[1]), ids, sources)


def _sentence(text: str) -> str:
    return " ".join(text.split())


# Wisdom


def _settings(root: Path) -> str:
    path = root / "lithify.toml"
    return path.read_text() if path.exists() else ""


def _wisdom(root: Path, data: bytes, sources: Sources) -> Iterator[Fault]:
    name = "WISDOM.md"
    agent = re.search(r'(?m)^agent_name\s*=\s*"(.+?)"', _settings(root))
    text = data.decode()
    header = (
        f"# {agent[1] if agent else 'Agent'} - Wisdom\n\n"
        "Distilled principles. Read this first every session (after SOUL.md).\n\n"
        "Last compacted: "
    )
    if not text.startswith(header) or not re.match(
        r"\d{4}-\d\d-\d\d\n\n---\n", text[len(header) :]
    ):
        yield Fault(name, "structure", "the header is not the fixed one", text[:200])
        return
    blocks = [b for b in text.partition("\n---\n")[2].split("\n\n") if b.strip()]
    categories = re.search(r"(?m)^categories\s*=\s*\[\s*\S", _settings(root))
    entries = 0
    for block in blocks:
        block = block.strip("\n")
        if block.startswith("## ") and categories and "\n" not in block:
            continue
        # An entry without a title is bold in its first sentence.
        match = re.fullmatch(r"()\*\*(.+?[.!?]\*\*.*)", block, re.DOTALL) or re.fullmatch(
            r"\*\*(.+?)\*\*\n(.+)", block, re.DOTALL
        )
        if not match:
            yield Fault(name, "structure", "not a bold title and its sentences", block)
            continue
        entries += 1
        tail = TAIL.search(match[2])
        said = (match[2][: tail.start()] if tail else match[2]).replace("**", "")
        ids = tail[1].split() if tail else []
        if len(re.findall(r"[.!?](?=\s+[A-Z\"])", said)) > 2:
            yield Fault(name, "length", "more than three sentences", said)
        yield from claim(name, _sentence(said), ids, sources)
        if match[1]:
            yield from claim(name, match[1], ids, sources)
    cap = re.search(r"(?m)^max_entries\s*=\s*(\d+)", _settings(root))
    if entries > int(cap[1] if cap else 20):
        yield Fault(name, "length", f"{entries} entries")


# Periods


def _days_of(week: str) -> list[date]:
    monday = date.fromisocalendar(int(week[:4]), int(week[6:]), 1)
    return [monday + timedelta(n) for n in range(7)]


def _month_of(week: str) -> str:
    return f"{_days_of(week)[3]:%Y-%m}"


def _absent(root: Path, sources: Sources, today: date) -> Iterator[Fault]:
    """Periods that are over, hold days with something in them, and have no page."""
    filled = {id.partition("~")[0] for id in sources.entries}
    weeks = {"{}-W{:02}".format(*day.isocalendar()) for day in sources.files if str(day) in filled}
    over = {week for week in weeks if _days_of(week)[-1] < today}
    running = {_month_of(week) for week in weeks - over}
    months = {_month_of(week) for week in over} - running
    wanted = [f"memory/weekly/{week}.md" for week in over]
    wanted += [f"memory/monthly/{month}.md" for month in months]
    for name in sorted(wanted):
        if not (root / name).exists():
            yield Fault(name, "absent", "its days are over and it was not written")
