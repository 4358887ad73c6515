"""Writes accepted summaries, and what a session was about, into the log of the day.

The line of the chain is the commit. The day's entries are written after it, and their journal line
names the number of the summary. After a crash the next call writes what is missing, once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any

from lithify.calendar import moment, stamp, zone
from lithify.capture import append_entries
from lithify.gate import files
from lithify.gate.files import GateSettings
from lithify.gate.jobs import Summary, blocks, summary_of, typed_text
from lithify.gate.submission import places_of
from lithify.gate.texts import NOTHING, bodies
from lithify.regex import regex
from lithify.sections import SUMMARY
from lithify.store import journal
from lithify.store.lock import locked
from lithify.store.places import Root
from lithify.store.recover import recover
from lithify.text.labels import labels
from lithify.text.sentences import SENTENCE, first_sentences, plain_sentences, points
from lithify.text.tokens import estimate

#: How far back in the journal a session looks for its own last entry.
_RECENT = 50

#: The label of a section's points in the day; other sections keep their names.
_LABELS = {
    SUMMARY.requests: "Request",
    SUMMARY.questions: "Asked",
    SUMMARY.design: "Design choice",
    SUMMARY.feedback: "Feedback",
    SUMMARY.state: "Current state",
}
#: The label of such a point that says that something was decided.
_SETTLED = {SUMMARY.questions: "Decision"}
_SETTLES = regex(
    r"\b(?:decid\w+|decisions?|chose|chosen|agreed|answer(?:ed|s)?|approved|confirmed|settled|rejected"
    r"|picked|prefers?|preferred|wants?|wanted)\b",
    re.I,
)
_NOT = regex(r"\b(?:no|not|nothing|nobody|none|never|yet to|un)\W*(?:\w+\W+){0,2}$", re.I)
#: The most characters of a request and of a result.
_ASKED, _ANSWERED = 300, 600
#: The least tokens of a prompt that is more than a greeting, and of an answer that is kept.
_GREETING, _CURT = 5, 4

#: The name of a job that was named by its day: it says nothing about the work.
_NUMBERED = regex(r"\d{8}-\d+")
_CLOSING = regex(r"[\"'`)\]”’»*_]*")
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
#: A sentence that has one of `_NONE` and only words of `_EMPTY` says that there is nothing to say.
_NONE = frozenset(_NO.split())
_EMPTY = _NONE.union(_SO_FAR.split())


def write_summaries(root: Root, job: str, settings: GateSettings) -> tuple[int, ...]:
    """Write the job's summaries that are in no day yet; return their numbers."""
    hint = files.folder(root, job, "fed.json")
    # The feed has its own lock, so that recording a prompt never waits for it.
    with locked(files.folder(root, "feed.lock")):
        # A killed run may have left a journal line whose entries are not in the day yet.
        recover(root)
        records = files.read(root, job, "chain").records
        # A summary of summaries holds nothing that the days do not have already.
        due = [r for r in records if r.kind == "summary" and not r.data.get("level")]
        done = (files.read_json(hint) or {}).get("seq", 0)
        due = [record for record in due if record.seq > done]
        if not due:
            return ()
        noted = (one.data.get("gate") for one in journal.read(root).records)
        known = {one.get("seq") for one in noted if isinstance(one, dict) and one.get("job") == job}
        written = []
        for record in due:
            if record.seq not in known:
                facts = {"job": job, "seq": record.seq, "hash": record.hash}
                origin = record.data.get("origin") or files.job_origin(
                    root, job, settings, record.time
                )
                lines = summary_entries(job, summary_of(record))
                _append(root, lines, moment(record.time), settings, origin, facts)
                written.append(record.seq)
        files.put_json(hint, {"seq": due[-1].seq})
        return tuple(written)


def write_session(
    root: Root, session: str, known: Mapping[str, Any], settings: GateSettings, now: datetime
) -> None:
    """Write what a session was asked and what came of it into the day.

    The person's words and the agent's have different origins, so each is a capture of its own.
    Where the session was asked nothing since the last time, nothing is written.
    """
    job, prompts = known["job"], int(known.get("prompts", 0))
    if not prompts or known.get("seq", 0) <= known.get("logged", 0):
        return
    asked, begins = _asked(root, job, session, int(known.get("logged", 0)))
    request, result = request_entry(asked, begins=begins), result_entry(str(known.get("last", "")))
    read = files.job_origin(root, job, settings, stamp(now)) if result else "agent"
    # Two hooks may report the same end at the same time: plugin and settings, say.
    with locked(files.folder(root, "feed.lock")):
        recent = [r.data.get("gate") for r in islice(journal.newest(root), _RECENT) if r]
        for kind, told, origin in (("request", request, "user"), ("result", result, read)):
            facts = {"job": job, "session": session, "through": known["seq"], "told": kind}
            # A run that was killed before it could note so may have written one or both already.
            if told and facts not in recent:
                _append(root, [told], now, settings, origin, facts)


def asked_to_remember(prompt: str) -> list[str]:
    """Return what a person's prompt says to remember, in its own words; nothing of what was pasted.

    A line of it begins with a label such as "Remember that"; a question asks for nothing.
    """
    typed = "" if all(block.pasted for block in blocks(prompt)) else typed_text(prompt)
    found = []
    for line in typed.split("\n"):
        if match := _remember().match(line):
            said = SENTENCE.split(line[match.end() :])[0].strip()
            if any(map(str.isalnum, said)) and not said.endswith(("?", "？")):
                found.append(said.rstrip(".!。！"))
    return found


@cache
def _remember() -> re.Pattern[str]:
    """Return the pattern of a label at the beginning of a line that asks to remember the rest.

    In English people also remember without asking to: there "that" or a colon stands behind it.
    """
    first, *others = (re.escape(label) for label in labels("project"))
    more = sorted(others, key=len, reverse=True)
    return re.compile(
        rf"[ \t]*(?:{first}(?:[ ]that\b|[ \t]?[:：])|(?:{'|'.join(more)})(?![^\W\d_]*[A-Za-z])[,，:：]?)[ \t]*",
        re.IGNORECASE,
    )


def write_asked(
    root: Root, statements: Sequence[str], settings: GateSettings, now: datetime, facts: Any
) -> None:
    """Write what a prompt said to remember into the day, each a marked line of its own."""
    with locked(files.folder(root, "feed.lock")):
        # Two hooks may report the same prompt.
        recent = [r.data.get("gate") for r in islice(journal.newest(root), _RECENT) if r]
        if facts not in recent:
            _append(root, [f"Remember: {s}" for s in statements], now, settings, "user", facts)


def summary_entries(job: str, summary: Summary) -> list[str]:
    """Return the entries of a summary: one for each of its points, so that each can be cited by itself."""
    named = (job if not _NUMBERED.fullmatch(job) else "", summary.topic)
    about = ", ".join(filter(None, named))
    entries = []
    for name, body in bodies(summary.text):
        for point in points(body) if body != NOTHING else ():
            if told := _telling(point):
                label = _LABELS[SUMMARY.state] if summary.unrelated else _label(name, told)
                label += f" ({about})" if about else ""
                told = f"[unverified] {told}" if summary.unrelated else told
                entries.append(f"{label}: {_marked(told, summary.unverified.get(name, ()))}")
    return entries


def request_entry(asked: Iterable[str], *, begins: bool = True) -> str:
    """Return the entry that says what a session was asked for; empty where it was asked nothing.

    It has the first lines of the first prompt that is more than a greeting, without what was
    pasted into it. `begins` is false where the session goes on after entries that were written
    before; a prompt of a few words then asks for nothing new.
    """
    said = [" ".join(typed_text(text).split()) for text in asked]
    wanted = [one for one in said if estimate(one) >= _GREETING] or said[:1] * begins
    return f"Request: {first_sentences(wanted[0], _ASKED)}" if wanted else ""


def result_entry(answered: str) -> str:
    """Return the entry that says what came of a session: the first sentences of its last answer."""
    sentences = plain_sentences(answered)
    stated = sentences[:]
    while stated and stated[-1].endswith("?"):
        stated.pop()
    told = first_sentences(" ".join(stated or sentences), _ANSWERED)
    if estimate(told) < _CURT and not any(map(str.isdigit, told)):
        return ""
    return f"Result: {told}" if stated else f"Open question: {told}"


def _asked(root: Root, job: str, session: str, told: int) -> tuple[list[str], bool]:
    """Return what a session was asked after line `told` and no summary covers.

    The second value is true where that is all it was ever asked.
    """
    covered = 1
    for record in files.newest(root, job, "chain"):
        if record.kind == "summary" and not record.data.get("level"):
            covered = int(record.data["to"])
            break
    since = max(told + 1, covered)
    asked = []
    for record in files.newest(root, job, "interactions"):
        if record.seq < since:
            break
        said = record.kind == "prompt" and record.data["session"] == session
        if said and "origin" not in record.data:
            asked.append(record.data["text"])
    return asked[::-1], since == 1


def _append(
    root: Root,
    texts: Sequence[str],
    at: datetime,
    settings: GateSettings,
    origin: str,
    facts: Mapping[str, Any],
) -> None:
    local = at.astimezone(zone(settings.zone))
    entries = [(f"{local:%H:%M}", text) for text in texts]
    day, said = local.date(), {"gate": dict(facts)}
    append_entries(root, settings.folders, day, entries, origin, stamp(at), said)


def _label(section: str, point: str) -> str:
    if section in _SETTLED:
        settled = _SETTLES.finditer(point)
        if any(not _NOT.search(point[: word.start()]) for word in settled):
            return _SETTLED[section]
    return _LABELS.get(section, section)


def _telling(point: str) -> str:
    """Return a point without the sentences that only say that nothing was asked, decided or done."""
    kept = [one for one in SENTENCE.split(point) if not _says_nothing(one)]
    return " ".join(kept).strip() if len(kept) < len(SENTENCE.split(point)) else point


def _says_nothing(sentence: str) -> bool:
    words = set(re.findall(r"[\w'’]+", sentence.casefold()))
    return words <= _EMPTY and not words.isdisjoint(_NONE)


def _marked(text: str, unknown: Sequence[str]) -> str:
    """Return the text with a mark beside each figure or name that the record does not have.

    The mark stands beside the word, because a page may take over only a part of the sentence.
    """
    closed = (_CLOSING.match(text, end) for _, end in places_of(unknown, text))
    for end in sorted({closing.end() for closing in closed if closing}, reverse=True):
        text = f"{text[:end]} [unverified]{text[end:]}"
    return text if text[-1:] != "]" else f"{text}."
