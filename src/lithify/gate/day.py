"""What of a summary and of a session goes into the day: entries that tell something by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lithify.gate.jobs import Summary
from lithify.gate.submission import NOTHING, bodies, places_of
from lithify.text.tokens import estimate

#: What a section's points are called in the day; other sections go by their own names.
_LABELS = {
    "User Requests": "Request",
    "Questions & Decisions": "Asked",
    "Design Choices": "Design choice",
    "Corrections & Feedback": "Feedback",
    "Current State": "Current state",
}
#: And where a point of such a section says that something was settled.
_SETTLED = {"Questions & Decisions": "Decision"}
_SETTLES = re.compile(
    r"\b(?:decid\w+|decisions?|chose|chosen|agreed|answer(?:ed|s)?|approved|confirmed|settled|rejected"
    r"|picked|prefers?|preferred|wants?|wanted)\b",
    re.I,
)
_NOT = re.compile(r"\b(?:no|not|nothing|nobody|none|never|yet to|un)\W*(?:\w+\W+){0,2}$", re.I)
#: Characters of a request and of a result.
_ASKED, _ANSWERED = 300, 600
#: Tokens of a prompt that is more than a greeting or a nod, and of an answer that tells something.
_GREETING, _CURT = 5, 4

#: A job that was named by the day it was opened on: its name tells nothing.
_NUMBERED = re.compile(r"\d{8}-\d+")
_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+")
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+")
_STOPPED = re.compile(r"[.!?:;。！？…][\"'`)\]”’»*_]*$")
_CLOSING = re.compile(r"[\"'`)\]”’»*_]*")
_MARKUP = re.compile(r"^(?:#{1,6}\s.*|\s*\|.*|\s*(?:[-*_]\s*){3,})$", re.MULTILINE)
_FENCED = re.compile(r"^\s*(```|~~~).*?^\s*\1\s*$", re.MULTILINE | re.DOTALL)
#: An answer that says itself what it is.
_LABELLED = re.compile(r"(?:done|results?|outcome|finished|fixed|blocked|open)\b[:.!]", re.I)
_NO = "no none nothing nobody not neither nor never"
_SO_FAR = """
a about agent all also an and answer answered answers any anything are arose as ask asked asking
assistant at back be been being beyond but by came change changed changes choice choices chosen come
comments complaints conversation correct corrected correction corrections decide decided decision
decisions design did do does during else far feedback from further gave give given had happened has
have here human i in is it left made make me more needed new now objections occurred of on only open
or other over part pending person prompt prompts question questions raised range recorded remain
remains report reported request requested requests required said say section session so stated still
stretch summary taken than that the their them there they this to until up us user was we were what
which with yet you
"""
#: A sentence of nothing but these, one of the first among them, says that there is nothing to say.
_NONE = frozenset(_NO.split())
_EMPTY = _NONE.union(_SO_FAR.split())


def summary_entries(job: str, summary: Summary) -> list[str]:
    """A summary point by point, so that each can be kept, cited and traced by itself."""
    named = (job if not _NUMBERED.fullmatch(job) else "", summary.topic)
    about = ", ".join(filter(None, named))
    entries = []
    for name, body in bodies(summary.text):
        for point in _points(body) if body != NOTHING else ():
            if told := _telling(point):
                label = f"{_label(name, told)} ({about})" if about else _label(name, told)
                entries.append(f"{label}: {_marked(told, summary.unverified.get(name, ()))}")
    return entries


def session_entries(asked: Iterable[str], answered: str, *, begins: bool = True) -> list[str]:
    """What a session was asked for and what came of it; nothing where there is neither.

    Where it only goes on (`begins` is false), a few words of a prompt ask for nothing new.
    """
    entries = []
    said = [" ".join(text.split()) for text in asked]
    wanted = [one for one in said if estimate(one) >= _GREETING] or said[:1] * begins
    if wanted:
        entries.append(f"Request: {_short(wanted[0], _ASKED)}")
    sentences = _plain_sentences(answered)
    stated = sentences[:]
    while stated and stated[-1].endswith("?"):
        stated.pop()
    told = _short(" ".join(stated or sentences), _ANSWERED)
    if estimate(told) >= _CURT or any(map(str.isdigit, told)):
        label = "Result: " if stated else "Open question: "
        entries.append(told if _LABELLED.match(told) else label + told)
    return entries


def _label(section: str, point: str) -> str:
    if section in _SETTLED:
        settled = _SETTLES.finditer(point)
        if any(not _NOT.search(point[: word.start()]) for word in settled):
            return _SETTLED[section]
    return _LABELS.get(section, section)


def _points(body: str) -> list[str]:
    """The paragraphs and items of a text; a line that ends in a colon keeps the items under it."""
    points: list[list[str]] = []
    fresh = True
    for line in body.split("\n"):
        if not line.strip():
            fresh = True
            continue
        item = _ITEM.match(line)
        led = bool(points) and points[-1][0].endswith(":")
        if led and item:
            points[-1].append(line)
        elif item or fresh or not points:
            points.append([line[item.end() :] if item else line])
        else:
            points[-1].append(line)
        fresh = False
    return ["\n".join(lines) for lines in points]


def _telling(point: str) -> str:
    """A point without the sentences that only say that there is nothing to say."""
    kept = [one for one in _SENTENCE.split(point) if not _says_nothing(one)]
    return " ".join(kept).strip() if len(kept) < len(_SENTENCE.split(point)) else point


def _says_nothing(sentence: str) -> bool:
    words = set(re.findall(r"[\w'’]+", sentence.casefold()))
    return words <= _EMPTY and not words.isdisjoint(_NONE)


def _marked(text: str, unknown: Sequence[str]) -> str:
    """The text with a mark beside each specific that the record does not have.

    A page is made of sentences and parts of them: the mark goes where the specific goes.
    """
    closed = (_CLOSING.match(text, end) for _, end in places_of(unknown, text))
    for end in sorted({closing.end() for closing in closed if closing}, reverse=True):
        text = f"{text[:end]} [unverified]{text[end:]}"
    return text if text[-1:] != "]" else f"{text}."


def _plain_sentences(text: str) -> list[str]:
    """The sentences of an answer, without its headings, tables and code."""
    text = _MARKUP.sub("", _FENCED.sub("", text))
    flat = (" ".join(point.split()) for point in _points(text))
    stopped = (point if _STOPPED.search(point) else f"{point}." for point in flat if point)
    return [sentence for point in stopped for sentence in _SENTENCE.split(point)]


def _short(text: str, room: int) -> str:
    """A text that fits: whole sentences where there are such, else its beginning."""
    if len(text) <= room:
        return text
    ends = [match.start() for match in _SENTENCE.finditer(text[: room + 1])]
    if ends and ends[-1] > room // 3:
        return text[: ends[-1]]
    return text[: room - 1].rsplit(" ", 1)[0].rstrip() + "…"
