"""LoCoMo's samples: long conversations as days, a bullet a turn, with the questions about them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from comparison.questions import Row, Sample, row_of
from lithify.bench.corpus import BadLines

_KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_SESSION = re.compile(r"session_(\d+)")
_WHEN = re.compile(r"(.*?)\bon (\d{1,2}) ([A-Za-z]+),? (\d{4})")
_TURN = re.compile(r"D:?(\d+):(\d+)")
_MONTHS = "january february march april may june july august september october november december"


def conversation(path: Path, number: int, sample: Any) -> Sample:
    """A sample's sessions as days, and its questions with the turns that answer them."""
    place = f"sample {number}"
    if not isinstance(sample, dict) or not isinstance(sample.get("conversation"), dict):
        raise BadLines(file=path, reason=f"{place}: no `conversation`")
    name = str(sample.get("sample_id") or number)
    place = f"sample {name}"
    days: dict[date, list[str]] = {}
    said: dict[tuple[int, int], tuple[date, str]] = {}
    for session, hour, day, turns in _sessions(path, place, sample["conversation"]):
        lines = days.setdefault(day, [f"# {day}"])
        lines += ["", f"## Conversation at {hour}" if hour else f"## Session {session}", ""]
        for at, turn in enumerate(turns, 1):
            if not isinstance(turn, dict):
                raise BadLines(file=path, reason=f"{place}: turn {at} is not an object")
            speaker = " ".join(str(turn.get("speaker") or "?").split())
            text = " ".join(str(turn.get("text") or "").split())
            image = " ".join(str(turn.get("blip_caption") or "").split())
            shown = f"{text} [shares image: {image}]".strip() if image else text
            lines.append(f"- **{speaker}:** {shown}")
            for key in _turns(turn.get("dia_id")) or [(session, at)]:
                said[key] = day, f"{speaker}: {text or shown}"
    asked = sample.get("qa")
    if not isinstance(asked, list):
        raise BadLines(file=path, reason=f"{place}: `qa` is not a list")
    rows = [
        _locomo_row(path, f"{place}, question {at}", f"{name}-q{at:03d}", qa, said)
        for at, qa in enumerate(asked, 1)
    ]
    texts = {day: "\n".join(lines) + "\n" for day, lines in sorted(days.items())}
    return Sample(name, tuple(rows), texts)


def _sessions(
    path: Path, place: str, talk: Mapping[str, Any]
) -> list[tuple[int, str, date, list[Any]]]:
    found = []
    for key, turns in talk.items():
        match = _SESSION.fullmatch(key)
        if not match or not turns:
            continue
        if not isinstance(turns, list):
            raise BadLines(file=path, reason=f"{place}: `{key}` is not a list")
        hour, day = _moment(str(talk.get(f"{key}_date_time") or ""))
        if day is None:
            reason = f"{place}: `{key}_date_time` is no date such as `1:56 pm on 8 May, 2023`"
            raise BadLines(file=path, reason=reason)
        found.append((int(match[1]), hour, day, turns))
    return sorted(found, key=lambda session: (session[2], session[0]))


def _moment(text: str) -> tuple[str, date | None]:
    match = _WHEN.search(text)
    if not match or match[3].lower() not in _MONTHS.split():
        return "", None
    try:
        month = _MONTHS.split().index(match[3].lower()) + 1
        return match[1].strip(), date(int(match[4]), month, int(match[2]))
    except ValueError:
        return "", None


def _turns(reference: object) -> list[tuple[int, int]]:
    return [(int(session), int(turn)) for session, turn in _TURN.findall(str(reference or ""))]


def _locomo_row(
    path: Path, place: str, id: str, asked: Any, said: Mapping[tuple[int, int], tuple[date, str]]
) -> Row:
    if not isinstance(asked, dict):
        raise BadLines(file=path, reason=f"{place} is not an object")
    kind = asked.get("category")
    category = _KINDS.get(kind, str(kind or "")) if isinstance(kind, int) else str(kind or "")
    listed = asked.get("evidence") or []
    if not isinstance(listed, list):
        listed = [listed]
    references = [key for one in listed for key in _turns(one)]
    found = dict.fromkeys(said[key] for key in references if key in said)
    answer = asked.get("answer")
    plain = {
        "id": id,
        "question": asked.get("question"),
        "answer": asked.get("adversarial_answer") if answer is None else answer,
        "category": category,
        "relevant_days": [str(day) for day in dict.fromkeys(day for day, _ in found)],
        "evidence": [text for _, text in found],
    }
    return row_of(path, 0, place, plain)
