"""Wisdom by cue: rules that change behaviour are kept, history and pointers are not."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.lasting import announcing, bar, norms, wishes
from lithify.engines.offline.lasting.reversals import reverses
from lithify.engines.offline.lasting.titles import core, title_of
from lithify.engines.offline.reading.text import split
from lithify.text.stems import COMMON_STEMS, stems_of, words_of
from lithify.values import Brief, Decision, Draft, Item, MemoryType, WisdomEntry

SAME = 0.6
_WHY = re.compile(r"\s*\bWhy:\s+(.+)$")
#: Two entries of one title are one matter only if they share this much.
_AKIN = 0.3
_BOUND = re.compile(r"\b(?:from now on|always|every|never|must|do not|don't|only)\b", re.I)
_AGENT = re.compile(r"\b(?:me|my|i)\b", re.I)
#: By how much a rule must be the stronger for an entry in force to make room for it.
_CLEARLY = 0.5
#: The day before what a month's bullet tells.
_DAY = re.compile(r"^\d{1,2} [A-Z][a-z]{2} \d{4}: ")
#: What makes a sentence of a reason.
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|do|does|did|will|would|shall|should|can|cannot|could|must|may|might|need|"
    r"\w+n't|\w{3,}(?:ed|s))\b"
    r"|^(?:i|we|you|they|he|she|it|this|that|nobody|people) \w+",
    re.I,
)


def write_wisdom(brief: Brief) -> Draft:
    """One decision for each item: the strongest rules first when there is no room for all."""
    state = list(brief.wisdom)
    verdicts: dict[str, Decision] = {}
    items = brief.items if brief.trusted else [_as_rule(item) for item in brief.items]
    ranked = sorted(enumerate(items), key=lambda pair: (-_strength(pair[1]), pair[0]))
    stale, fresh = set(brief.stale), set[str]()
    for _, item in ranked:
        decision = _judged(item, state, brief.categories)
        if decision.verb == "ADD" and len(state) >= brief.max_entries:
            victim = _gives_way(item, [e for e in state if e.title not in fresh], stale)
            if victim is None:
                why = "no room, and no entry is stale or clearly weaker"
                decision = Decision(item.id, "DROP", why, crowded=True)
            else:
                state.remove(victim)
                decision = decision._replace(target=victim.title)
        if decision.verb == "ADD" and decision.entry is not None:
            state.append(decision.entry)
            fresh.add(decision.entry.title)
        elif decision.verb == "MERGE":
            at = next(n for n, known in enumerate(state) if known.title == decision.target)
            state[at] = decision.entry or state[at]
            fresh.add(state[at].title)
        verdicts[item.id] = decision
    return Draft(decisions=tuple(verdicts[item.id] for item in brief.items))


def _as_rule(item: Item) -> Item:
    """An untrusted bullet as what it asks for, if it does: no memory was drawn from its words."""
    text = _DAY.sub("", item.text)
    if item.type is not None or not _binds(text):
        return item
    return item._replace(text=text, type=_kind(text))


def _kind(text: str) -> MemoryType:
    return "user" if wishes.prefers(text) or cues.owns_preference(text) else "feedback"


def _gives_way(
    item: Item, state: Sequence[WisdomEntry], stale: Collection[str]
) -> WisdomEntry | None:
    """The entry that makes room: a stale one that is no stronger, or one that is clearly weaker."""
    ours = [entry for entry in state if entry.sources]

    def weakest(entries: Sequence[WisdomEntry]) -> tuple[WisdomEntry, float] | None:
        ranked = [(_worth(entry), _newest(entry.sources), n) for n, entry in enumerate(entries)]
        return (entries[min(ranked)[2]], min(ranked)[0]) if ranked else None

    strength = _strength(item)
    old, any_one = weakest([entry for entry in ours if entry.title in stale]), weakest(ours)
    if old and strength >= old[1]:
        return old[0]
    return any_one[0] if any_one and strength >= any_one[1] + _CLEARLY else None


def _worth(entry: WisdomEntry) -> float:
    """How strong an entry is, as the item it may have been made of."""
    rule, *reason = split(entry.text) or [""]
    text = f"{rule} Why: {' '.join(reason)}" if reason else rule
    return _strength(Item("", text, entry.sources, "", _kind(rule), entry.title))


def _strength(item: Item) -> float:
    """How much an item is a rule for tomorrow."""
    text = item.text
    if item.type is None or item.type == "reference":
        return 0.0
    strength = {"feedback": 2.0, "project": 0.6, "user": 1.0}[item.type]
    if cues.states_prohibition(text):
        strength += 1.0
    if cues.states_correction(text) and _AGENT.search(text):
        strength += 1.0
    if cues.states_rule(text):
        strength += 0.7
    if cues.states_practice(text):
        strength += 0.4
    if cues.states_preference(text) or (item.type == "user" and cues.owns_preference(text)):
        strength += 0.6
    if item.type == "project" and norms.governs(_WHY.sub("", text)):
        strength += 0.4
    if "Why:" in text and item.type != "user":
        strength += 1.0  # whose preference it is matters more than why
    strength += 0.5 * (len({source.partition("~")[0] for source in item.sources}) - 1)
    if cues.hedges(text) - ({"may"} if item.type == "feedback" else set()):
        strength -= 0.7
    return strength


def _judged(item: Item, state: Sequence[WisdomEntry], categories: Sequence[str]) -> Decision:
    text = _text(item)
    twin = _twin(item, text, state)
    if twin is not None:
        entry = _entry(item, text, categories)
        words, old = set(stems_of(entry.text)), set(stems_of(twin.text))
        newer = _newest(entry.sources) >= _newest(twin.sources)
        turned = newer and item.type == "project" and reverses(entry.text, twin.text)
        if (words <= old and not turned) or not newer or item.type is None:
            return Decision(item.id, "MERGE", "says again what the entry says", twin.title)
        if turned:
            return Decision(item.id, "MERGE", "a decision that was reversed", twin.title, entry)
        if bar.relaxes(entry.text):
            # What allows has its own name: the old one still forbids.
            return Decision(item.id, "MERGE", "a rule that was relaxed", twin.title, entry)
        sources = tuple(dict.fromkeys([*twin.sources, *entry.sources]))
        richer = entry.text if len(words) >= len(old) or words - old else twin.text
        unsaid = old - set(stems_of(richer))
        title = twin.title if unsaid.isdisjoint(stems_of(twin.title)) else entry.title
        merged = WisdomEntry(title, richer, sources, twin.category)
        return Decision(item.id, "MERGE", "newer words on the same matter", twin.title, merged)
    if item.type is None:
        return Decision(item.id, "DROP", "history of a month, not a rule")
    if item.type == "reference":
        return Decision(item.id, "DROP", "a pointer: its own memory is enough")
    if not _holds(item) or _strength(item) < 1.5:
        return Decision(item.id, "DROP", "true of its day, but no rule for the next")
    entry = _entry(item, text, categories)
    if any(other.title == entry.title for other in state):
        entry = _apart(entry, state)
    return Decision(item.id, "ADD", _grounds(item), entry.title, entry)


def _holds(item: Item) -> bool:
    """Whether an item says what to do on any day, or how a person wants it done."""
    rule = _WHY.sub("", item.text).strip()
    if item.type == "project" and not _binds(rule):
        return False
    # Who holds which post changes; its own memory is kept up to date.
    if item.type == "user" and not (wishes.prefers(rule) or cues.owns_preference(rule)):
        return False
    first = split(rule)[0] if rule else ""
    if bar.is_passing(first) or bar.hangs(first) or cues.is_tentative(first):
        return False
    if any(announcing.leans_back(one) for one in split(rule)[1:]):
        return True
    return not (bar.dated(rule) or bar.reports(rule) or bar.continues(rule))


def _binds(rule: str) -> bool:
    return bool(_BOUND.search(rule)) or cues.states_prohibition(rule) or norms.governs(rule)


def _grounds(item: Item) -> str:
    if cues.states_correction(item.text):
        return "a correction that will be needed again"
    if cues.states_prohibition(item.text):
        return "a prohibition"
    if item.type == "user" or cues.states_preference(item.text):
        return "how a person wants things done"
    if item.type == "project":
        return "a decision that lasts"
    return "a rule or practice that holds beyond its day"


def _text(item: Item) -> str:
    """An item as an entry says it: the rule first, its reason after it, no sentence twice."""
    why = _WHY.search(item.text)
    rule = _WHY.sub("", item.text).strip()
    said = split(rule)
    if why and why[1] not in rule:
        first = re.split(r"[,;:]", why[1])[0]
        stated = f"{why[1][:1].upper()}{why[1][1:]}" if _FINITE.search(first) else f"Why: {why[1]}"
        said += split(stated)
    once: list[str] = []
    for sentence in said:
        if not any(_is_within(sentence, other) for other in once):
            once.append(sentence)
    return " ".join(once)


def _is_within(one: str, other: str) -> bool:
    """Whether a sentence says nothing that another has not said."""
    return set(words_of(one)) <= set(words_of(other))


def _title(item: Item) -> str:
    """The name its memory has, or one made as those are."""
    return item.title or title_of(_WHY.sub("", item.text).strip())


def _entry(item: Item, text: str, categories: Sequence[str]) -> WisdomEntry:
    return WisdomEntry(_title(item), text, item.sources, _category(item, categories))


def _category(item: Item, categories: Sequence[str]) -> str:
    """The category that shares most words with the item, the last one if none does."""
    if not categories:
        return ""
    words = set(stems_of(f"{item.title} {item.text} {item.type or ''}"))
    scored = [(-len(words & set(stems_of(name))), n) for n, name in enumerate(categories)]
    best, at = min(scored)
    return categories[at] if best else categories[-1]


def _twin(item: Item, text: str, state: Sequence[WisdomEntry]) -> WisdomEntry | None:
    own = _stems(text)
    if bar.relaxes(text):
        near = [(len(own & rule), n) for n, rule in enumerate(map(_rule_stems, state)) if rule]
        near = [(k, n) for k, n in near if k >= 2 and 2 * k >= len(_rule_stems(state[n]))]
        if near:
            return state[max(near, key=lambda pair: (pair[0], -pair[1]))[1]]
    if older := _grown_from(item, own, state):
        return older
    for other in state if own else ():
        theirs = _stems(other.text)
        shared, together = len(own & theirs), len(own | theirs)
        if shared >= SAME * together:
            return other
        if shared >= _AKIN * together and other.title == _title(item):
            return other
    return next((other for other in state if reverses(text, other.text)), None)


def _grown_from(
    item: Item, own: frozenset[str], state: Sequence[WisdomEntry]
) -> WisdomEntry | None:
    """The entry an item has outgrown: it rests on all that the entry does and on more since."""
    sources = set(item.sources)
    near = [
        (len(own & _stems(other.text)), -n)
        for n, other in enumerate(state)
        if other.sources and set(other.sources) < sources
    ]
    shared, at = max(near, default=(0, 0))
    return state[-at] if shared else None


@lru_cache(maxsize=1 << 10)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stems_of(text))


def _rule_stems(entry: WisdomEntry) -> frozenset[str]:
    """The telling words of an entry's rule, without its reason and who said it."""
    rule = core(split(entry.text)[0] if entry.text else "")
    return frozenset(stem for stem in stems_of(rule) if stem not in COMMON_STEMS)


def _apart(entry: WisdomEntry, state: Sequence[WisdomEntry]) -> WisdomEntry:
    """The entry under a title no other has."""
    taken = {other.title for other in state}
    title, number = entry.title, 2
    while title in taken:
        title = f"{entry.title} ({number})"
        number += 1
    return entry._replace(title=title)


def _newest(sources: Sequence[str]) -> str:
    return max((source.partition("~")[0] for source in sources), default="")
