"""A month out of what its weeks say: its titles, what is still open, what changed, and the rest.

Units are the sentences of the weeks' bullets, each resting on the days' entries it tells.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from lithify.calendar import day_words, week_of
from lithify.engines.offline.outline import matters_of, named_in, outline
from lithify.engines.offline.read import (
    LIMIT,
    OPENING,
    PASSAGE,
    Unit,
    sentences,
    speakers_of,
    subject_for,
    unit,
)
from lithify.engines.offline.select_units import closed, fold, replaced, select, weight, weights_of
from lithify.engines.offline.series import aged, is_unchanged, line_of, series_in, told_first
from lithify.engines.offline.week import (
    Development,
    budget_of,
    bullet,
    grouped,
    packed,
    sources_of,
    told,
)
from lithify.judge import MUST, Judgement, judge, mark_of
from lithify.regex import regex
from lithify.sections import AS_COMBINED, MONTH, WEEK
from lithify.text.language import judged_as
from lithify.text.sentences import split
from lithify.text.stems import COMMON_STEMS, is_empty, stem, stems_of
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Draft, Entry

# Value changes: the same thing said of two values, both with their noun, an earlier and a later day.


#: Share of the earlier unit's weight, figures left out, that the later one has, and the fewest words.
_SAME, _FEWEST = 0.6, 3
_COMMON = 30
_QUANTITY = regex(r"([$€£¥]?)(\d[\d.,]*\d|\d)\s?(%|[^\W\d_]{2,})?")


def changes(
    units: Sequence[Unit], weights: dict[str, float], budget: float, taken: Iterable[int]
) -> list[Development]:
    """The changes that fit a budget, the surest first; units already taken are left alone."""
    used = set(taken)
    found: list[Development] = []
    for _, places in sorted(_pairs(units, weights), key=lambda one: (-one[0], one[1])):
        own = [units[n] for n in places]
        text = "; ".join(map(told, [[one] for one in own]))
        cost = estimate(text) + OPENING
        if used & set(places) or cost > budget or cost > LIMIT + OPENING:
            continue
        used.update(places)
        budget -= cost
        found.append(Development(text, places, sources_of(own)))
    return sorted(found, key=lambda one: one.places)


def _values(text: str) -> dict[str, str]:
    """Each figure of a text by the noun or sign it stands with; one noun with two figures is none."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for sign, figure, noun in _QUANTITY.findall(text):
        name = sign if not noun or is_empty(noun.lower()) else stem(noun.lower())
        if name and name not in COMMON_STEMS:
            twice.update({name} & found.keys())
            found[name] = figure.strip(".,")
    return {name: figure for name, figure in found.items() if name not in twice}


def _pairs(units: Sequence[Unit], weights: dict[str, float]) -> list[tuple[float, tuple[int, ...]]]:
    """Units of two days that say the same of another value, with the share of words they have."""
    where: defaultdict[str, list[int]] = defaultdict(list)
    words = [frozenset(s for s in one.stems if not s[0].isdigit()) for one in units]
    for n, own in enumerate(words):
        for each in own - COMMON_STEMS:
            where[each].append(n)
    found: list[tuple[float, tuple[int, ...]]] = []
    for n, one in enumerate(units):
        old = _values(one.text)
        if not old or one.section == WEEK.open_items:
            continue
        shared: Counter[int] = Counter()
        for each in words[n]:
            for m in where[each] if len(where[each]) <= _COMMON else ():
                if m > n:
                    shared[m] += weights[each]  # type: ignore[assignment]
        whole = weight(words[n], weights) or 1.0
        for m, got in shared.items():
            if got < _SAME * whole or _week(units[m]) == _week(one):
                continue
            if len((words[n] & words[m]) - COMMON_STEMS) < _FEWEST:
                continue
            new = _values(units[m].text)
            if any(new[name] != old[name] for name in old.keys() & new.keys()):
                found.append((got / whole, (n, m)))
    return found


# The page.


#: The parts of a page that open items, changes and titles may take, and what must be kept.
_CARRIED, _CHANGES, _OUTLINE, _MUST_SHARE = 0.10, 0.20, 0.20, 0.5
#: Weeks at the end of a month whose open items are carried forward though nobody marked them.
_RECENT = 2
#: Share of an item's weight by which a later week closes it: the weeks say it in fewer words.
_CLOSES = 0.35
_FILED = {
    WEEK.outcomes: MONTH.milestones,
    WEEK.decisions: MONTH.milestones,
    WEEK.open_items: MONTH.carried_forward,
}
#: The section of a separate week that each section of a combined one stands for.
_AS_SEPARATE = {combined: name for name, combined in AS_COMBINED.items()}


def write_month(brief: Brief, marked_first: bool = True) -> Draft:
    """The month's bullets, as near to the target length as whole sentences allow."""
    said = sentences(brief.entries)
    series = series_in(said)
    # What began and ended in one week stays there.
    lasting = [one for one in series if len({_week(said[n]) for n in one.places}) > 1]
    units = _read(brief, {line_of(said[n].text) for one in series for n in one.places})
    units = replaced(units)
    weights = weights_of(units)
    units = fold(units, weights)
    budget = budget_of(brief)
    over = closed(units, weights, _CLOSES)
    talk = any(one.speaker for one in units)
    waiting = [] if talk else _still_open(units, over, _CARRIED * budget)
    recurring, others = told_first(lasting, _CHANGES * budget)
    left = _CHANGES * budget - sum(_cost([one]) for one in recurring)
    changed = [] if talk else changes(units, weights, left, set(waiting))
    taken = {*waiting, *(n for one in changed for n in one.places)}
    matters = matters_of(brief.entries)
    titles = [] if talk else outline(matters, named_in(said), _OUTLINE * budget)
    spent = sum(_cost([units[n]]) for n in waiting)
    spent += sum(estimate(f"- {one.text}") for one in [*changed, *titles])
    spent += sum(_cost([one]) for one in recurring)
    rest = [_filed(one) for n, one in enumerate(units) if n not in taken and n not in over]
    rest += [_filed(one) for one in others]
    group = grouped(rest)
    sure = [n for n, one in enumerate(rest) if one.section == MONTH.milestones and one.must >= MUST]
    sure.sort(key=lambda n: (-rest[n].must * rest[n].worth, n))
    marked = sure if marked_first else ()
    chosen = select(rest, max(0, budget - spent), group, marked, _MUST_SHARE)
    bullets = packed([rest[n] for n in chosen], group)
    claims = [Claim(one.text, one.sources, MONTH.themes, brief.trusted) for one in titles]
    claims += [bullet(own, own[0].section, brief.trusted) for own in bullets]
    claims += [Claim(one.text, one.sources, MONTH.trajectory, brief.trusted) for one in changed]
    claims += [bullet([one], MONTH.trajectory, brief.trusted) for one in recurring]
    carried = [aged(units[n]) for n in sorted(waiting)]
    claims += [bullet([one], MONTH.carried_forward, brief.trusted) for one in carried]
    return Draft(claims=tuple(sorted(claims, key=lambda one: MONTH.index(one.section))))


def _cost(units: Sequence[Unit]) -> int:
    return OPENING + sum(one.tokens for one in units) + estimate(units[0].subject)


def _filed(one: Unit) -> Unit:
    """The unit under its section of a month."""
    section = MONTH.trajectory if one.is_series else _FILED.get(one.section, MONTH.themes)
    return replace(one, judgement=one.judgement._replace(section=section))


def _still_open(units: Sequence[Unit], over: set[int], budget: float) -> list[int]:
    """The open items nothing closed: those of the last week, then the others, newest first."""
    weeks = sorted({_week(one) for one in units})
    items = [n for n, one in enumerate(units) if one.section == WEEK.open_items and n not in over]
    # What nobody marked and nobody came back to may well be done.
    items = [n for n in items if _week(units[n]) in weeks[-_RECENT:] or mark_of(units[n].entry)]
    items.sort(key=lambda n: (_week(units[n]) != weeks[-1], -units[n].must, -n))
    found: list[int] = []
    for n in items:
        cost = _cost([units[n]])
        if cost <= budget:
            found.append(n)
            budget -= cost
    return found


def _week(one: Unit) -> str:
    return week_of(one.entry.day) if one.entry.day else ""


def _read(brief: Brief, series: Collection[str]) -> list[Unit]:
    """The sentences of the weeks' bullets in the order of the days, lines of a series left out."""
    entries = {entry.id: entry for entry in brief.entries}
    names = "|".join(map(re.escape, sorted(speakers_of(brief.entries))))
    turn = re.compile(rf"(?:^|(?<=[.!?\"'] ))({names}): ") if names else None
    language = judged_as(" ".join(claim.text for claim in brief.claims[:400]))
    found: list[Unit] = []
    for claim in brief.claims:
        cited = [entries[id] for id in claim.sources if id in entries]
        own = _sentences(claim, cited, turn, language) if cited else ()
        # What did not change in a week, and does not recur over the month, stays in the week.
        found += [
            one for one in own if line_of(one.text) not in series and not is_unchanged(one.text)
        ]
    order = {entry.id: n for n, entry in enumerate(brief.entries)}
    found.sort(key=lambda one: (order[one.entry.id], one.at))
    return [replace(one, at=n) for n, one in enumerate(found)]


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
    section = _AS_SEPARATE.get(claim.section, claim.section or WEEK.context)
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
    stated = 1.0 if section != WEEK.context else 0.0
    judgement = Judgement(section, 0.0 if speaker else known.must, stated, known.drop, known.marked)
    own = unit(text, told[0], at, judgement, speaker=speaker, subject=subject)
    return replace(own, ids=ids)


def _told_by(sentence: str, cited: Sequence[Entry]) -> list[Entry]:
    """The cited entry that has most words of a sentence, then others that have a good part."""
    words = set(stems_of(sentence))
    shared = {entry.id: len(words & set(stems_of(entry.text))) for entry in cited}
    order = sorted(cited, key=lambda entry: -shared[entry.id])
    return [order[0], *(e for e in order[1:] if shared[e.id] >= max(2, 0.3 * len(words)))]
