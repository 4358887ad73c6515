"""A month out of what its weeks say: what is still open, what changed, threads, and the rest.

Units are the sentences of the weeks' bullets, each resting on the days' entries it tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lithify.calendar import day_words, week_of
from lithify.engines.offline.bullets import bullet, packed
from lithify.engines.offline.changes import changes
from lithify.engines.offline.fold import fold
from lithify.engines.offline.open_items import closed
from lithify.engines.offline.rarity import weights_of
from lithify.engines.offline.read import OPENING, PASSAGE, Unit, speakers_of, subject_for, unit
from lithify.engines.offline.select import select
from lithify.engines.offline.subjects import grouped
from lithify.engines.offline.threads import threads
from lithify.engines.offline.week import budget_of
from lithify.judge import CONTEXT, DECISIONS, MUST, OPEN, OUTCOMES, Judgement, judge, judged_as
from lithify.text.sentences import split
from lithify.text.stems import stems_of
from lithify.text.tokens import estimate
from lithify.values import MONTH_SECTIONS, Brief, Claim, Draft, Entry

THEMES, MILESTONES, TRAJECTORY, CARRIED = MONTH_SECTIONS
#: The parts of a page that open items, changes and threads may take, and what must be kept.
_CARRIED, _CHANGES, _THREADS, _MUST_SHARE = 0.25, 0.20, 0.20, 0.5
#: Share of an item's weight by which a later week closes it: the weeks say it in fewer words.
_CLOSES = 0.35
_FILED = {OUTCOMES: MILESTONES, DECISIONS: MILESTONES, OPEN: CARRIED}
_WEEK_SECTIONS = {"Outcomes": OUTCOMES, "Key Decisions": DECISIONS}


def write_month(brief: Brief) -> Draft:
    """The month's bullets, as near to the target length as whole sentences allow."""
    units = _read(brief)
    weights = weights_of(units)
    units = fold(units, weights)
    budget = budget_of(brief)
    over = closed(units, weights, _CLOSES)
    talk = any(one.speaker for one in units)
    waiting = [] if talk else _still_open(units, over, _CARRIED * budget)
    changed = [] if talk else changes(units, weights, _CHANGES * budget, set(waiting))
    taken = {*waiting, *(n for one in changed for n in one.places)}
    running = [] if talk else threads(units, weights, _THREADS * budget, taken)
    taken.update(n for one in running for n in one.places)
    spent = sum(_cost([units[n]]) for n in waiting)
    spent += sum(estimate(one.text) + OPENING for one in [*changed, *running])
    rest = [_filed(one) for n, one in enumerate(units) if n not in taken and n not in over]
    group = grouped(rest)
    sure = [n for n, one in enumerate(rest) if one.section == MILESTONES and one.must >= MUST]
    sure.sort(key=lambda n: (-rest[n].must, n))
    chosen = select(rest, max(0, budget - spent), group, sure, _MUST_SHARE)
    bullets = packed([rest[n] for n in chosen], group)
    claims = [bullet(own, own[0].section, brief.trusted) for own in bullets]
    claims += [Claim(one.text, one.sources, THEMES, brief.trusted) for one in running]
    claims += [Claim(one.text, one.sources, TRAJECTORY, brief.trusted) for one in changed]
    claims += [bullet([units[n]], CARRIED, brief.trusted) for n in sorted(waiting)]
    return Draft(claims=tuple(sorted(claims, key=lambda one: MONTH_SECTIONS.index(one.section))))


def _cost(units: Sequence[Unit]) -> int:
    return OPENING + sum(one.tokens for one in units) + estimate(units[0].subject)


def _filed(one: Unit) -> Unit:
    """The unit under its section of a month."""
    section = _FILED.get(one.section, THEMES)
    return replace(one, judgement=one.judgement._replace(section=section))


def _still_open(units: Sequence[Unit], over: set[int], budget: float) -> list[int]:
    """The open items nothing closed: those of the last week, then the others, newest first."""
    items = [n for n, one in enumerate(units) if one.section == OPEN and n not in over]
    last = max((_week(units[n]) for n in range(len(units))), default="")
    items.sort(key=lambda n: (_week(units[n]) != last, -units[n].must, -n))
    found: list[int] = []
    for n in items:
        cost = _cost([units[n]])
        if cost <= budget:
            found.append(n)
            budget -= cost
    return found


def _week(one: Unit) -> str:
    return week_of(one.entry.day) if one.entry.day else ""


def _read(brief: Brief) -> list[Unit]:
    """The sentences of the weeks' bullets, in the order of the days."""
    entries = {entry.id: entry for entry in brief.entries}
    speakers = speakers_of(brief.entries)
    turn = _turns(speakers)
    language = judged_as(" ".join(claim.text for claim in brief.claims[:400]))
    found: list[Unit] = []
    for claim in brief.claims:
        cited = [entries[id] for id in claim.sources if id in entries]
        if cited:
            found += _sentences(claim, cited, turn, language)
    order = {entry.id: n for n, entry in enumerate(brief.entries)}
    found.sort(key=lambda one: (order[one.entry.id], one.at))
    return [replace(one, at=n) for n, one in enumerate(found)]


def _turns(speakers: frozenset[str]) -> re.Pattern[str] | None:
    names = "|".join(map(re.escape, sorted(speakers)))
    return re.compile(rf"(?:^|(?<=[.!?\"'] ))({names}): ") if speakers else None


def _sentences(
    claim: Claim, cited: Sequence[Entry], turn: re.Pattern[str] | None, language: str
) -> Iterator[Unit]:
    """The sentences of one bullet, its date and subject taken off, each with the entry it tells."""
    text = claim.text
    day = cited[0].day
    if day and text.startswith(mark := f"{day_words(day)}: "):
        text = text[len(mark) :]
    subject = "" if turn else subject_for(cited[0])
    if subject:
        text = text.removeprefix(f"{subject}: ")
    section = _WEEK_SECTIONS.get(claim.section, claim.section or CONTEXT)
    at = 0
    for speaker, words in _by_speaker(text, turn):
        run: list[str] = []
        for sentence in (*split(words), ""):
            # Short neighbours stay together: a month's bullet reads alone.
            if run and (not sentence or estimate(" ".join(run)) + estimate(sentence) > PASSAGE):
                yield _unit(run, cited, at, section, language, speaker, subject)
                at += 1
                run = []
            run.append(sentence)


def _by_speaker(text: str, turn: re.Pattern[str] | None) -> list[tuple[str, str]]:
    parts = turn.split(text) if turn else [text]
    return [("", parts[0])] * bool(parts[0].strip()) + [
        (parts[n], parts[n + 1].strip()) for n in range(1, len(parts), 2)
    ]


def _unit(
    sentences: Sequence[str],
    cited: Sequence[Entry],
    at: int,
    section: str,
    language: str,
    speaker: str,
    subject: str,
) -> Unit:
    """A unit of some sentences, resting on the entries that each of them tells."""
    text = " ".join(sentences)
    told = [entry for sentence in sentences for entry in _told_by(sentence, cited)]
    ids = tuple(dict.fromkeys(entry.id for entry in told))
    heading = told[0].headings[-1] if told[0].headings else ""
    known = judge(text, heading, "", language)
    stated = 1.0 if section != CONTEXT else 0.0
    judgement = Judgement(section, 0.0 if speaker else known.must, stated, known.drop, known.marked)
    own = unit(text, told[0], at, judgement, speaker=speaker, subject=subject)
    return replace(own, ids=ids)


def _told_by(sentence: str, cited: Sequence[Entry]) -> list[Entry]:
    """The cited entry that has most words of a sentence, then others that have a good part."""
    words = set(stems_of(sentence))
    shared = {entry.id: len(words & set(stems_of(entry.text))) for entry in cited}
    order = sorted(cited, key=lambda entry: -shared[entry.id])
    return [order[0], *(e for e in order[1:] if shared[e.id] >= max(2, 0.3 * len(words)))]
