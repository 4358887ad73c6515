"""What must survive a summary, what did, and what is put back in the sources' own words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from lithify.calendar import day_words, parse_day, week_of
from lithify.judge import MUST, judge, must_keep, surest, without_clock
from lithify.markdown.pages import allowed, length
from lithify.sections import AS_COMBINED, COMBINED, MONTH, WEEK
from lithify.text.dates import absolute
from lithify.text.hedges import denies
from lithify.text.language import judged_as
from lithify.text.sentences import plain, split
from lithify.text.specifics import atom_keys
from lithify.text.tokens import estimate
from lithify.values import Brief, Claim, Entry, label_of
from lithify.verify.doubts import content_stems, overlap
from lithify.verify.verdict import KeptCount

#: Share of words by which two entries say the same thing.
SAME = 0.7
#: Words of an entry that a bullet must repeat to have told it.
TOLD = 3
#: From this chance on an entry that a writer left out is asked for and put back.
CERTAIN = 0.95
#: Share of an entry's weight and specifics that a bullet must have to tell it in other words.
IN_OTHER_WORDS = 0.6
#: Share of an open item's weight that a later report must have to settle it, and how sure it must be.
SETTLES, REPORTS = 0.45, 0.6
#: Tokens of a bullet in the sources' own words.
_BULLET = 60
#: A bullet in the sources' own words takes more tokens than this.
_SHORTEST = 5
#: Sections whose bullets give way to a page's length only when nothing else is left.
_FIRM = (WEEK.decisions, COMBINED.decisions, WEEK.open_items, MONTH.carried_forward)


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
    return judged_as(" ".join(entry.text for entry in brief.entries[:400]))


def _open_at_the_end(brief: Brief) -> set[str]:
    weeks = [(_week(claim), claim) for claim in brief.claims if claim.sources]
    last = max((week for week, _ in weeks), default="")
    return {
        id
        for week, claim in weeks
        if week == last and claim.section == WEEK.open_items
        for id in claim.sources[:1]
    }


def _week(claim: Claim) -> str:
    day = parse_day(label_of(claim.sources[0]))
    return week_of(day) if day else label_of(claim.sources[0])


def missing(brief: Brief, claims: Sequence[Claim]) -> list[Entry]:
    """The entries that must be kept and that no claim tells."""
    told: dict[str, frozenset[str]] = {}
    for claim in claims:
        words = content_stems(claim.text)
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
    words = content_stems(without_clock(entry.text))
    return len(words & said) >= min(TOLD, (len(words) + 1) // 2)


class _Alike:
    """Entries that are told, looked up by their rarest words."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._told = list({entry.text: entry for entry in entries}.values())
        self._words = [content_stems(entry.text) for entry in self._told]
        self._by_word: dict[str, list[int]] = {}
        for n, words in enumerate(self._words):
            for word in words:
                self._by_word.setdefault(word, []).append(n)

    def to(self, entry: Entry) -> bool:
        """Whether one of them says all that an entry says."""
        words = content_stems(entry.text)
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


class LeftOutEntries:
    """What a writer left out of a brief and should have told.

    Precision counts here: what is put back without need costs the reader more than what is lost.
    An entry is asked for only if the judge is certain of it, no later entry settles it and no
    bullet tells it in other words. A table's row says too little without the others.
    """

    def __init__(self, brief: Brief, claims: Sequence[Claim]) -> None:
        self._brief, self._claims = brief, claims
        self._language = _language(brief)
        self._held_by = Counter(word for e in brief.entries for word in content_stems(e.text))

    def __iter__(self) -> Iterator[Entry]:
        """The entries, the surest first."""
        found = [
            (-self._chance(entry), n, entry)
            for n, entry in enumerate(missing(self._brief, self._claims))
            if entry.kind != "row" and self._chance(entry) >= CERTAIN
        ]
        for _, _, entry in sorted(found, key=lambda one: one[:2]):
            if not self._is_told(entry) and not self._is_settled(entry):
                yield entry

    def _chance(self, entry: Entry) -> float:
        # What a month's last week has open was chosen by the writer of that week.
        return 1.0 if self._brief.tier == "month" else surest(entry, self._language).must

    def _weight(self, words: frozenset[str]) -> float:
        total = len(self._brief.entries) + 1
        return sum(math.log(total / (self._held_by[word] or 1)) for word in sorted(words))

    def _is_told(self, entry: Entry) -> bool:
        words, atoms = content_stems(entry.text), atom_keys(entry.text)
        whole = self._weight(words)
        return any(
            self._weight(words & content_stems(claim.text)) >= IN_OTHER_WORDS * whole
            and len(atoms & atom_keys(claim.text)) >= IN_OTHER_WORDS * len(atoms)
            and denies(claim.text) is denies(entry.text)
            for claim in self._claims
            if words & content_stems(claim.text)
        )

    def _is_settled(self, entry: Entry) -> bool:
        """Whether a later entry reports an open item done: it has most of its rare words."""
        if surest(entry, self._language).section != WEEK.open_items:
            return False
        entries = self._brief.entries
        words = content_stems(entry.text)
        whole = self._weight(words)
        return any(
            self._weight(words & content_stems(later.text)) >= SETTLES * whole
            and (report := surest(later, self._language)).section == WEEK.outcomes
            and report.stated >= REPORTS
            for later in entries[entries.index(entry) + 1 :]
            if words & content_stems(later.text)
        )


def kept(brief: Brief, claims: Sequence[Claim]) -> KeptCount:
    """How much of what must be kept a page tells."""
    total = len(required(brief))
    return KeptCount(total - len(missing(brief, claims)), total)


def own_words(entry: Entry, brief: Brief) -> Claim:
    """A bullet that tells an entry in its own words: first the sentences it is kept for."""
    heading = entry.headings[-1] if entry.headings else ""
    language = _language(brief)
    sentences = split(without_clock(plain(entry.text)))
    said = [judge(sentence, heading, entry.lead, language) for sentence in sentences]
    order = sorted(range(len(sentences)), key=lambda n: (said[n].must < MUST, n))
    # What nobody needs does not come along with what must be kept.
    order = [n for n in order if n == order[0] or said[n].must >= MUST or said[n].drop <= 0.5]
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


def put_back(brief: Brief, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """What the claims leave out, in the sources' own words, as far as the page can hold it.

    Bullets that report neither a decision nor something open may have to give way to it (`fit`).
    """
    _, most = allowed(brief)
    room = most - length(brief, [claim for claim in claims if claim.section in _FIRM])
    found: list[Claim] = []
    for entry in LeftOutEntries(brief, claims):
        if room < _SHORTEST:
            break
        more = own_words(entry, brief)
        cost = estimate(f"- {more.text}")
        if cost <= room:
            found.append(more)
            room -= cost
    return tuple(found)


def in_order(claims: Sequence[Claim], brief: Brief) -> tuple[Claim, ...]:
    """Claims by section, each section in the order they came."""
    rank = {section: n for n, section in enumerate(brief.sections)}
    return tuple(sorted(claims, key=lambda claim: rank[claim.section]))


def fit(
    brief: Brief, claims: Sequence[Claim], added: Sequence[Claim] = ()
) -> tuple[tuple[Claim, ...], tuple[Claim, ...]]:
    """Claims brought within their bounds, and those that gave way.

    A page too thin is filled with entries in their own words. One too long loses its last bullets:
    first those that report neither a decision nor something open, of them last those that tell what
    must be kept, then those that were `added` to what its writer wrote, the least sure first, then
    decisions and open items. A single bullet may
    be longer than its share of a short input, never than the page's ceiling.
    """
    page = list(filled(brief, claims))
    _, most = allowed(brief)
    gone: list[Claim] = []
    excess = length(brief, page) - most
    for claim in _giving_way(brief, page, added) if excess > 0 else ():
        if len(page) == 1 and length(brief, page) <= (brief.ceiling or math.inf):
            break
        if excess <= 0 and (excess := length(brief, page) - most) <= 0:
            break
        page.remove(claim)
        gone.append(claim)
        excess -= estimate(f"- {claim.text}")
    return tuple(page), tuple(gone)


def _giving_way(brief: Brief, page: Sequence[Claim], added: Sequence[Claim]) -> Iterator[Claim]:
    """The bullets of a page in the order in which they give way to its length."""
    written = [claim for claim in page if claim not in added]
    must = {entry.id: entry for entry in required(brief)}
    loose = [
        (any(id in must and _is_told(must[id], content_stems(c.text)) for id in c.sources), -n, c)
        for n, c in enumerate(written)
        if c.section not in _FIRM
    ]
    yield from (claim for *_, claim in sorted(loose, key=lambda one: one[:2]))
    yield from reversed(added)
    firm = {section: [claim for claim in written if claim.section == section] for section in _FIRM}
    while any(firm.values()):
        # The longest gives, so that no section is emptied for another.
        longest = max(firm, key=lambda section: sum(len(claim.text) for claim in firm[section]))
        yield firm[longest].pop()


def filled(brief: Brief, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims, and where they are too thin a page, entries in their own words beside them."""
    least, _ = allowed(brief)
    page = list(claims)
    if brief.most:
        # Only the whole page can tell whether it is too thin.
        return tuple(page)
    cited = {id for claim in page for id in claim.sources}
    now = length(brief, page)
    for entry in [*required(brief), *brief.entries]:
        if now >= least:
            break
        if (
            entry.id not in cited
            and entry.kind not in ("code", "lead")
            and content_stems(entry.text)
        ):
            more = own_words(entry, brief)
            page.append(more)
            cited.add(entry.id)
            now += estimate(f"- {more.text}")
    return in_order(page, brief)
