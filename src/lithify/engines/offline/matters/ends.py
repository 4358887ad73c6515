"""Ends told in other words: paid, called off, working again, done under another verb."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import islice

from lithify import cues
from lithify.engines.offline.matters.matter import CROWD, comes_after
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.dates import MONTHS
from lithify.text.stems import COMMON_STEMS

#: A word in more sentences than these, in more than this part of them or in very many is nobody's own.
_FEW, _PART, _MOST = 4, 40, 12
#: Words of its own that an item and its end share.
_SHARED = 2
_CLAUSE = re.compile(r"[;(]|, |\. |: |\s-\s|\s(?:but|because|so that|although|while)\s")
#: In a clause with one of these nothing has come about yet.
_UNREAL = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|cannot|without|yet|still|half|part(?:ly|ially)?|almost|nearly|draft|will|would|should|"
    r"could|might|may|must|shall|plan(?:s|ned|ning)?|tomorrow|next|until|once|if|when|whether|before|tries|tried|trying|wants?|"
    r"needs?|asks?|asked|chase[sd]|reminded|nudged|promis\w+|proposes?|proposed|hopes?|expects?|expected|waiting|waits)\b|n't\b|\?",
    re.I,
)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
OF_DATES = frozenset(stem for name in (*MONTHS, *_DAYS) for stem in stems_in(f"{name} {name[:3]}"))
_OF_MONTH = re.compile(rf"(?<!\d )\b({'|'.join(name.title() for name in MONTHS)})\b(?! \d)")
#: What came about, whatever the verb of the item is.
CAME = re.compile(
    r"\b(?:came|is here|are here|was here|were here|arrived|replaced|renewed|repaired|mended|rebuilt|refilled|handed over|"
    r"(?:is|are) (?:clean|clear|fine|free|right|correct)|insured|covered|booked|installed|taken over|takes over|took over|(?<!slow )(?<!down )(?<!late )(?<!stuck )(?<!dark )(?<!failed )again|now (?:\w+s|have|cover|describe|include|list|show|explain)|runs|works|reads|holds|is up|are up)\b",
    re.I,
)
_MENDED = re.compile(
    r"\b(?:fixed|repaired|mended|replaced|stopped|sealed|patched) (?:the|a|an)\b", re.I
)
_GONE = re.compile(
    r"^(?:[^.;:]{0,40}: )?(?P<what>[^.;:]{3,80}?) (?:is|are|was|were|has been|have been) (?:now )?"
    r"(?:called off|cancell?ed|dropped|scrapped|abandoned|shelved|withdrawn)\b",
    re.I,
)
_OWED = re.compile(r"\b(?:owes?|owed|owing|unpaid|outstanding|overdue|invoice|bill)\b", re.I)
_PAID = re.compile(
    r"\b(?:paid|repaid|pays|transfer\w*|came in|has come in|received|credited|settled|reimbursed)\b",
    re.I,
)
_SUM = re.compile(r"[$€£¥]|^(?:USD|EUR|GBP)", re.I)
#: An item that tells what is lacking ends with any sentence that says it is so.
_LACKS = re.compile(
    r"(?:(?P<who>[\w-]+)(?:'s)? )?\b(?:has not|have not|hasn't|haven't|does not|do not|doesn't|don't|did not|didn't)\b|"
    r"\b(?:nobody|no one|none of|not yet|unable to|no (?:\w+ )?(?:yet|working))\b",
    re.I,
)
_REFUSED = re.compile(r"(?:^|[,;:] )not (?:in|for|before|until|now)\b", re.I)
_CANNOT = re.compile(
    r"(?P<what>[\w'-]+) (?:cannot|can't|can not|could not|couldn't) (?:be )?(?P<verb>\w{3,})", re.I
)
_MOVED = re.compile(
    r"\b(?:moves?|moved|postponed|slips|slipped|put off|brought forward|rescheduled)\b|\binstead\W*$",
    re.I,
)
_WHOLE_OF = re.compile(r"\b(?:all|every|each|both)\b", re.I)
#: To look at a thing is not done by what becomes of the thing.
LOOKS = re.compile(
    r"(?:check|review|test|verify|watch|monitor|look|measure|compare|inspect|investigate|try|tell|discuss|explain)\b",
    re.I,
)
#: What is to be measured or tried out is done where figures of it are told.
_TRIES = re.compile(
    r"(?:measure|count|weigh|time|test|check|compare|finish|run|repeat|rehearse|benchmark|try)\b",
    re.I,
)
#: One of several of a kind, by its number.
_NUMBERED = re.compile(r"\b([a-z]{3,}(?= )|[a-z]{1,4}(?=-))[ -](\d{1,4})\b", re.I)
#: What something is for is no part of how things stand.
_PURPOSE = re.compile(
    r",? so (?:that )?(?:\w+ ){1,3}(?:can't|cannot|does not|do not|doesn't|don't)\b.*", re.I
)
#: What somebody guesses ends with the cause.
_GUESSED = re.compile(
    r"\b(?:suspects?|unclear|unknown|unexplained|nothing (?:is )?proven|no idea|"
    r"(?:(?:not|n't) (?:yet )?know|nobody knows|no one knows) (?:the (?:cause|reason)|why))\b",
    re.I,
)
_CAUSE = re.compile(r"\b(?:root )?cause (?:of|is|was)\b|\bturned out\b", re.I)
_ASKS = re.compile(
    r"^(?:\[ \] )?(?:[Aa]sk(?:ed)?|[Qq]uestion|[Cc]heck with|[Tt]alk to|[Ss]peak to|[Cc]all|[Pp]hone) "
    r"(?P<who>[A-Z][\w'-]+|the [\w-]+(?: (?!again|about|for|on)[\w-]+)?)(?: [A-Z][\w'-]+)?"
    r"(?:,| (?:again )?(?:about|on|for|whether|if|what|when|how|why)\b)"
)
_SAYS = r"(?i:\b{who}\b)(?: [A-Z][\w'-]+)?(?:'s (?:answer|reply|view)|(?: (?:on|about) [^:.]{{1,20}})?:|,? (?:says?|said|told|wrote|writes|answer\w*|repl\w+|thinks|confirm\w*|explain\w*|agree\w*|sent))"
_REPLIES = r"(?:(?i:the) )?(?:[A-Z]\w+ )?{who}(?: [A-Z][\w'-]+)?(?: (?:answer|repl|agree|confirm|consent|refuse|decline)\w*|: (?:yes|no)\b)"
_UNANSWERED = re.compile(
    r"\bno (?:answer|reply|response|word)\b|\b(?:has|have)(?: not|n't) (?:answered|replied|responded)\b",
    re.I,
)
#: What somebody was asked for, and how the one who answers may be called.
_ASKED_FOR = re.compile(r"\basked (?:for|about) \w", re.I)
_TITLE = r"(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Captain)\.? )?"
_CAPITAL = re.compile(r"(?<=[\s(])[A-Z][\w-]+|^[A-Z][\w-]+(?= has\b)")
#: A choice nobody has made yet.
_UNDECIDED = re.compile(
    r"\b(?:no decision|not (?:yet )?decided|undecided|(?:yet|still) to decide)\b", re.I
)
#: `The pump needs a test`, `the list must be printed`: what is to happen, as one word.
_NEEDS = re.compile(
    r"\b(?:needs?|must|has to|have to|to) (?:be |an? |the |another )?(\w{4,})\s*[.!]?$", re.I
)
_PAST = re.compile(r"\b\w+(?:ed|t|n)\b")
#: Anybody may answer anybody.
ANSWERS = frozenset(stems_in("answer answers answered reply replied response news date dated"))
_FAILS = re.compile(r"\b(?:fail\w*|broke|stuck|missing|late)\b", re.I)
# Asked of an item beside every sentence near it: what the words say is remembered.
_owes = lru_cache(maxsize=1 << 13)(_OWED.search)
_guesses = lru_cache(maxsize=1 << 13)(_GUESSED.search)
_leaves_undecided = lru_cache(maxsize=1 << 13)(_UNDECIDED.search)
_moves = lru_cache(maxsize=1 << 13)(_MOVED.search)
_names_all = lru_cache(maxsize=1 << 13)(_WHOLE_OF.search)
_asks = lru_cache(maxsize=1 << 13)(_ASKS.match)
_needs = lru_cache(maxsize=1 << 13)(_NEEDS.search)


def told_otherwise(units: Sequence[Unit], counts: Mapping[str, int]) -> dict[int, Unit]:
    """For the place of each open item the last sentence that ends it in words of its own.

    `counts` says of each word in how many of the units it stands.
    """
    items = [unit for unit in units if unit.section == cues.OPEN]
    if not items:
        return {}
    most = min(_MOST, max(_FEW, len(units) // _PART))
    rare = frozenset(
        stem
        for stem, count in counts.items()
        if count <= most and len(stem) > 1 and stem not in COMMON_STEMS and not stem.isdigit()
    )
    rare |= frozenset(stem for item in items for stem in _denied(item.text))
    own = {item.at: _marks(item, rare) for item in items}
    sought = frozenset(mark for marks in own.values() for mark in marks)
    by_mark: dict[str, list[Unit]] = {}
    gone: list[tuple[Unit, frozenset[str]]] = []
    guessed = {item.at for item in items if _guesses(item.text)}
    causes = [unit for unit in units if _CAUSE.search(unit.text)] if guessed else []
    chosen = [unit for unit in units if unit.section == cues.DECISIONS and unit.must]
    for unit in units:
        if unit.label or not (sought.isdisjoint(unit.stems) and sought.isdisjoint(unit.firm)):
            for mark in _marks(unit, rare) & sought:
                by_mark.setdefault(mark, []).append(unit)
        if what := _called_off(unit.text):
            gone.append((unit, what))
    found: dict[int, Unit] = {}
    for item in items:
        stems = frozenset(item.stems)
        ends = [one for one, what in gone if what <= stems and follows(one, item)]
        if _leaves_undecided(item.text):
            made = (one for one in chosen if follows(one, item) and _explains(one, item))
            ends += [*islice(made, 1)]
        if item.at in guessed:
            about = rare.intersection(stems_in(item.entry.text))
            ends += [
                one
                for one in causes
                if follows(one, item)
                and (_explains(one, item) or len(about.intersection(one.stems)) >= _SHARED)
            ]
        near = (
            one for one, shared in _near(item, own[item.at], by_mark) if _ends(one, item, shared)
        )
        ends += [*islice(near, 1)]
        if ends:
            found[item.at] = max(ends, key=lambda one: one.at)
    return found


def _explains(cause: Unit, item: Unit) -> bool:
    """Whether a cause or a choice is that of what an item stands under."""
    heading = frozenset(stem for words in item.place[-1:] for stem in stems_in(words))
    return bool(heading - COMMON_STEMS) and heading <= frozenset(cause.stems)


def follows(end: Unit, item: Unit) -> bool:
    """Whether a sentence of another entry comes after an item."""
    return end.entry is not item.entry and comes_after(end, item)


def _marks(unit: Unit, rare: frozenset[str]) -> frozenset[str]:
    """What a sentence can be known by: its rare words, and the sums and days it names."""
    labelled = unit.label and not cues.announced(unit.label)
    named = frozenset(stems_in(unit.label)) if labelled else frozenset[str]()
    return (named.union(unit.stems)) & rare | frozenset(filter(_is_firm, unit.firm))


@lru_cache(maxsize=1 << 12)
def _is_firm(key: str) -> bool:
    return bool(_SUM.match(key)) or (len(key) == 10 and key[:2] == "20" and key[4] == key[7] == "-")


def _near(
    item: Unit, own: frozenset[str], by_mark: Mapping[str, Sequence[Unit]]
) -> Iterator[tuple[Unit, frozenset[str]]]:
    """The later sentences that share enough marks with an item, and what they share, last first."""
    near: dict[int, Unit] = {}
    shared: dict[int, list[str]] = {}
    for mark in sorted(own):
        for one in by_mark.get(mark, ())[-CROWD:]:
            near[one.at] = one
            shared.setdefault(one.at, []).append(mark)
    # A sum, a day or what cannot be done may tell it alone.
    alone = bool(
        _owes(item.text) or _denied(item.text) or any(map(_is_firm, own)) or _asks(item.text)
    )
    for at in sorted(near, reverse=True):
        if (alone or len(shared[at]) >= _SHARED) and follows(near[at], item):
            yield near[at], frozenset(shared[at])


def _ends(end: Unit, item: Unit, shared: frozenset[str]) -> bool:
    """Whether a sentence that shares some marks with an item says that it is over."""
    if (
        _owes(item.text)
        and (any(map(_SUM.match, shared)) or len(shared) >= _SHARED or _names_debtor(end, item))
        and any(map(_PAID.search, real(end.text)))
    ):
        return True
    if item.text.count("; ") > 1 or shared <= ANSWERS:
        # A list of things is not over with one of them.
        return False
    few = len(shared) < _SHARED
    if (asked := _asks(item.text)) and _answers(end, asked):
        return True
    if few and not _denied(item.text) and not any(map(_is_firm, shared)):
        return False
    if (_names_all(item.text) and not _names_all(end.text)) or are_two(item, end):
        return False
    denied = _denied(item.text)
    if denied and any(denied <= _words(clause) for clause in real(end.text)):
        return True
    if _moves(end.text) and any(_is_firm(mark) and mark[0] == "2" for mark in shared):
        # It has another day now, and that is told there.
        return not LOOKS.match(item.text) and len(_things(item) & _things(end)) >= _SHARED
    if not few and asked is not None:
        return re.search(_SAYS.format(who=re.escape(asked["who"])), _said(end)) is not None
    if few or not any(_is_thing(mark, item) for mark in shared):
        return False
    waits = _UNANSWERED.search(item.text) and not _UNANSWERED.search(end.text)
    if waits or (_ASKED_FOR.search(item.text) and not _UNREAL.search(end.text)):
        who = "|".join(map(re.escape, _CAPITAL.findall(item.text)))
        if who and re.match(_TITLE + _SAYS.format(who=f"(?:{who})"), _said(end)):
            return True
    needed = _needs(item.text)
    if needed is not None and any(
        stems_in(needed[1])[:1] in past_verbs(clause) for clause in real(end.text)
    ):
        return True
    # What a line is headed with all its clauses are about.
    headed = len(shared & _words(end.label)) >= _SHARED
    clauses = [clause for clause in real(end.text) if headed or shared & _words(clause)]
    if _TRIES.match(item.text) and item.box is False and _told_under(end, shared):
        return True
    if LOOKS.match(item.text) and item.box is False:
        looked = stems_in(item.text)[:1]
        if any(looked in past_verbs(clause) for clause in clauses):
            return True
        if not CAME.search(end.text):
            return False
    named = frozenset(filter(_is_firm, shared))
    if end.section == cues.OPEN:
        return any(map(_MENDED.search, clauses))
    lack = _lacks(item.text)
    if lack and not denied and end.entry.kind != "row" and not _guesses(item.text):
        if _LACKS.search(end.text) or _REFUSED.search(end.text):
            # It is lacking still, though more is said of it.
            return False
        subject = frozenset(stems_in(lack["who"] or ""))
        return subject <= _words(end.text) and any(
            len(named | shared & _words(one)) >= _SHARED for one in clauses
        )
    return any(cues.settles(clause) or CAME.search(clause) for clause in clauses)


def _told_under(end: Unit, shared: frozenset[str]) -> bool:
    """Whether figures are told of what a line begins with by some marks."""
    name, _, rest = _said(end).partition(": ")
    return len(shared & _words(name)) >= _SHARED and re.search(r"\d", rest) is not None


def _answers(end: Unit, asked: re.Match[str]) -> bool:
    """Whether a sentence begins with the one who was asked and what that one answered."""
    return re.match(_REPLIES.format(who=re.escape(asked["who"])), _said(end)) is not None


def _things(unit: Unit) -> frozenset[str]:
    """The telling words of a sentence that are no part of a date."""
    return frozenset(stem for stem in unit.stems if not stem.isdigit()) - COMMON_STEMS - OF_DATES


def _names_debtor(end: Unit, item: Unit) -> bool:
    """Whether the one that owes is the one that a sentence begins with."""
    debtor = re.match(r"(?:[^.;:]*\b)?((?:[A-Z][\w'-]+ ?)+) (?:still )?ow(?:es?|ed)\b", item.text)
    return debtor is not None and end.text.startswith(debtor[1].split()[-1])


@lru_cache(maxsize=1 << 12)
def _lacks(text: str) -> re.Match[str] | None:
    """Where an item tells what is lacking."""
    return _LACKS.search(_PURPOSE.sub("", text))


@lru_cache(maxsize=1 << 12)
def _denied(text: str) -> frozenset[str]:
    """What an item says cannot be done and to what, by their stems."""
    denied = _CANNOT.search(_PURPOSE.sub("", text)) if "not" in text or "n't" in text else None
    words = frozenset(stems_in(f"{denied['what']} {denied['verb']}")) if denied else frozenset()
    return words if words - COMMON_STEMS else frozenset()


@lru_cache(maxsize=1 << 13)
def past_verbs(said: str) -> frozenset[tuple[str, ...]]:
    """The stems of the words that may be verbs in the past."""
    return frozenset(stems_in(word)[:1] for word in _PAST.findall(said))


@lru_cache(maxsize=1 << 13)
def months_in(text: str) -> frozenset[str]:
    """The months that no day stands beside: of "the April invoice", not of "on 3 April"."""
    return frozenset(_OF_MONTH.findall(text))


def are_two(item: Unit, end: Unit) -> bool:
    """Whether the two name things of one kind by other numbers or months: pump two is not pump three."""
    months = months_in(item.text)
    if months and months.isdisjoint(months_in(end.text) or months):
        return True
    own = _numbered(item.text)
    other = _numbered(end.text) if own else {}
    return any(own[kind].isdisjoint(other[kind]) for kind in own.keys() & other.keys())


@lru_cache(maxsize=1 << 13)
def _numbered(text: str) -> Mapping[str, Set[str]]:
    """The numbers that a sentence gives to things, by their kind."""
    found: dict[str, set[str]] = {}
    for kind, number in _NUMBERED.findall(text):
        found.setdefault(kind.lower(), set()).add(number)
    return found


def fails(text: str, words: Set[str]) -> bool:
    """Whether all that a sentence says of some words is that something went wrong."""
    if not _FAILS.search(text):
        return False
    told = [clause for clause in _CLAUSE.split(text) if not words.isdisjoint(_words(clause))]
    return bool(told) and all(_FAILS.search(one) and not cues.settles(one) for one in told)


def _is_thing(mark: str, item: Unit) -> bool:
    """Whether a mark is more than a capital, a sum or a day: many things have those in common."""
    return mark in _in_small(item.text) - OF_DATES and not mark.isdigit()


@lru_cache(maxsize=1 << 12)
def _in_small(text: str) -> frozenset[str]:
    """The stems of the words that are written small."""
    small = [word for word in text.split() if not word[0].isupper()]
    return frozenset(stems_in(" ".join(small)))


def _said(unit: Unit) -> str:
    return f"{unit.label}: {unit.text}" if unit.label else unit.text


@lru_cache(maxsize=1 << 13)
def real(text: str) -> tuple[str, ...]:
    """The clauses of a sentence that tell what is, not what is not or may come."""
    return tuple(clause for clause in _CLAUSE.split(text) if not _UNREAL.search(clause))


@lru_cache(maxsize=1 << 13)
def _words(clause: str) -> frozenset[str]:
    return frozenset(stems_in(clause))


@lru_cache(maxsize=1 << 13)
def _called_off(text: str) -> frozenset[str]:
    """What a sentence says will not be, by its telling words; none where they are too few."""
    gone = _GONE.match(text) if " off" in text or "ed" in text or "drawn" in text else None
    if gone is None or _UNREAL.search(gone[0]):
        return frozenset()
    name = re.split(r" (?:on|for|in|at|from) ", gone["what"])[0]
    what = frozenset(stem for stem in stems_in(name) if not stem.isdigit())
    return what if len(what) >= _SHARED and what - COMMON_STEMS else frozenset()
