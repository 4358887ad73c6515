"""What must survive a summary, what did, and what is put back in the sources' own words."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache

from lithify.calendar import day_words, parse_day, week_of
from lithify.judge import MUST, OPEN, judge, language_of, must_keep
from lithify.judge.labels import without_clock
from lithify.markdown.entries import label_of
from lithify.markdown.length import allowed, length
from lithify.text.atoms import atom_keys
from lithify.text.dates import absolute
from lithify.text.hedges import denies
from lithify.text.sentences import plain, split
from lithify.text.tokens import estimate
from lithify.values import AS_COMBINED, COMBINED_SECTIONS, WEEK_SECTIONS, Brief, Claim, Entry
from lithify.verify.claims import overlap, words_of
from lithify.verify.verdict import Kept

#: Share of words by which two entries say the same thing.
SAME = 0.7
#: Words of an entry that a bullet must repeat to have told it.
TOLD = 3
#: Tokens of a bullet in the sources' own words.
_BULLET = 60
#: Sections whose bullets never give way to a page's length.
_FIRM = (WEEK_SECTIONS[1], COMBINED_SECTIONS[0], OPEN, "Carried Forward")


@lru_cache(maxsize=4)
def required(brief: Brief) -> tuple[Entry, ...]:
    """The entries of a brief that must be kept.

    Of a week those that the judge says; of a month those that its last week still has open.
    """
    if brief.tier == "month":
        open_ = _open_at_the_end(brief)
        return tuple(entry for entry in brief.entries if entry.id in open_)
    language = _language(brief)
    found: dict[str, Entry] = {}
    for entry in brief.entries:
        if must_keep(entry, language):
            # Of lines that repeat word for word, the last is asked for.
            found[entry.text] = entry
    return tuple(found.values())


def _language(brief: Brief) -> str:
    return language_of(" ".join(entry.text for entry in brief.entries[:400]))


def _open_at_the_end(brief: Brief) -> set[str]:
    weeks = [(_week(claim), claim) for claim in brief.claims if claim.sources]
    last = max((week for week, _ in weeks), default="")
    return {
        id
        for week, claim in weeks
        if week == last and claim.section == OPEN
        for id in claim.sources[:1]
    }


def _week(claim: Claim) -> str:
    day = parse_day(label_of(claim.sources[0]))
    return week_of(day) if day else label_of(claim.sources[0])


def missing(brief: Brief, claims: Sequence[Claim]) -> list[Entry]:
    """The entries that must be kept and that no claim tells."""
    told: dict[str, frozenset[str]] = {}
    for claim in claims:
        words = words_of(claim.text)
        for id in claim.sources:
            told[id] = told.get(id, frozenset()) | words
    alive = [entry for entry in brief.entries if _is_told(entry, told.get(entry.id))]
    ids = {entry.id for entry in alive}
    lost = [entry for entry in required(brief) if entry.id not in ids]
    same = _Alike(alive) if lost else None
    return [entry for entry in lost if same and not same.to(entry)]


def _is_told(entry: Entry, said: frozenset[str] | None) -> bool:
    """Whether the words of the claims that cite an entry tell it: to be cited is not enough."""
    if said is None:
        return False
    words = words_of(entry.text)
    return len(words & said) >= min(TOLD, (len(words) + 1) // 2)


class _Alike:
    """Entries that are told, looked up by their rarest words."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._told = list({entry.text: entry for entry in entries}.values())
        self._words = [words_of(entry.text) for entry in self._told]
        self._by_word: dict[str, list[int]] = {}
        for n, words in enumerate(self._words):
            for word in words:
                self._by_word.setdefault(word, []).append(n)

    def to(self, entry: Entry) -> bool:
        """Whether one of them says all that an entry says."""
        words = words_of(entry.text)
        if not words:
            return True
        rare = sorted(words, key=lambda word: (len(self._by_word.get(word, ())), word))
        near = {n for word in rare[:3] for n in self._by_word.get(word, ())[:50]}
        return any(
            overlap(words, self._words[n]) >= SAME
            and denies(entry.text) is denies(self._told[n].text)
            and atom_keys(entry.text) <= atom_keys(self._told[n].text)
            for n in sorted(near)
        )


def kept(brief: Brief, claims: Sequence[Claim]) -> Kept:
    """How much of what must be kept a page tells."""
    total = len(required(brief))
    return Kept(total - len(missing(brief, claims)), total)


def own_words(entry: Entry, brief: Brief) -> Claim:
    """A bullet that tells an entry in its own words: first the sentences it is kept for."""
    heading = entry.headings[-1] if entry.headings else ""
    language = _language(brief)
    sentences = split(without_clock(plain(entry.text)))
    said = [judge(sentence, heading, entry.lead, language) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda n: (said[n].must < MUST, n))
    chosen: list[int] = []
    size = 0
    for n in order:
        cost = estimate(sentences[n])
        if chosen and size + cost > _BULLET:
            break
        chosen.append(n)
        size += cost
    text = " ".join(sentences[n] for n in sorted(chosen))
    if entry.day:
        text = f"{day_words(entry.day)}: {absolute(text, entry.day)}"
    section = brief.sections[-1] if brief.tier == "month" else said[order[0]].section
    if brief.tier == "week" and section not in brief.sections:
        section = AS_COMBINED[section]
    return Claim(text, (entry.id,), section, brief.trusted)


def top_up(brief: Brief, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, with what is missing put back as far as the page can hold it.

    Bullets that report neither a decision nor something open may have to give way to it (`fit`).
    """
    _, most = allowed(brief)
    page = list(claims)
    room = most - length(brief, [claim for claim in claims if claim.section in _FIRM])
    for entry in missing(brief, claims):
        more = own_words(entry, brief)
        cost = estimate(f"- {more.text}")
        if cost <= room:
            page.append(more)
            room -= cost
    return in_order(page, brief)


def in_order(claims: Sequence[Claim], brief: Brief) -> tuple[Claim, ...]:
    """Claims by section, each section in the order they came."""
    rank = {section: n for n, section in enumerate(brief.sections)}
    return tuple(sorted(claims, key=lambda claim: rank[claim.section]))


def fit(
    brief: Brief, claims: Sequence[Claim], firm: Container[Claim] = ()
) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """Claims brought within their bounds, and those that gave way; `firm` ones do not.

    A page too thin is filled with entries in their own words. One too long loses its last bullets,
    those of Decisions and open items excepted.
    """
    _, most = allowed(brief)
    page = list(filled(brief, claims))
    gone: list[Claim] = []
    excess = length(brief, page) - most
    for claim in reversed(page.copy()):
        if excess <= 0:
            break
        if claim.section not in _FIRM and claim not in firm and len(page) > 1:
            page.remove(claim)
            gone.append(claim)
            excess -= estimate(f"- {claim.text}")
    return tuple(page), tuple(gone)


def filled(brief: Brief, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, and where they are too thin a page, entries in their own words beside them."""
    least, _ = allowed(brief)
    page = list(claims)
    cited = {id for claim in page for id in claim.sources}
    now = length(brief, page)
    for entry in [*required(brief), *brief.entries]:
        if now >= least:
            break
        if entry.id not in cited and entry.kind not in ("code", "lead") and words_of(entry.text):
            more = own_words(entry, brief)
            page.append(more)
            cited.add(entry.id)
            now += estimate(f"- {more.text}")
    return in_order(page, brief)
