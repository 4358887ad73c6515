"""Read: from the entries of some days to sentences that can be told, each with where it stands.

Every word of a sentence comes from its entry; only marks, clock times, vocatives and relative dates
change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from lithify.calendar import day_words
from lithify.judge import (
    VERDICTS,
    Judgement,
    box_of,
    cells_of,
    is_label,
    is_named_first,
    is_status,
    is_taught,
    judge,
    judge_row,
    labelled_by,
    section_of,
    without_clock,
    without_label,
)
from lithify.regex import regex
from lithify.sections import WEEK
from lithify.text.dates import absolute, could_name_date
from lithify.text.headings import short_subject, subject_of
from lithify.text.hedges import denies, hedges
from lithify.text.language import judged_as, word_list
from lithify.text.sentences import outside_code, plain, split
from lithify.text.specifics import atom_keys
from lithify.text.stems import COMMON_STEMS, SIGNS, stems_of
from lithify.text.tokens import estimate
from lithify.values import Entry

#: Tokens of a bullet, and what is left of them beside a date and a subject.
LIMIT = 60
_ROOM = LIMIT - 12

#: Where a long sentence may be parted: what follows begins like a sentence of its own.
_STRONG = regex(r"(?:(?<=[;；])\s*|\s+(?=[-–—] )|\s+[·•|]\s+)(?=[-–—]?\s*[\"'`(*]*[^\W_a-z])")
_WEAK = regex(r"(?<=[;,])\s+|(?<=[，、；])|\s+(?=[-–—] )")
#: Of a sentence of more tokens only its beginning is told, as far as a mark.
_ENDLESS = 2 * LIMIT


def clauses(sentence: str, may_cut: bool = True) -> list[str]:
    """The sentence, in pieces that each fit a bullet where they are sentences of their own."""
    if len(sentence) < _ROOM or estimate(sentence) <= _ROOM or not may_cut:
        return [sentence]
    pieces = _filled(_parts(sentence, _STRONG))
    if len(pieces) > 1 and _may_part(sentence, pieces):
        return pieces
    if estimate(sentence) > _ENDLESS:
        beginning = _filled(_parts(sentence, _WEAK))[:1]
        if _may_part(sentence, beginning):
            return beginning
    return [sentence]


def _parts(sentence: str, mark: re.Pattern[str]) -> list[str]:
    """The sentence cut at every mark that stands outside quotations, code and brackets."""
    parts: list[str] = []
    start = at = 0
    quoted = depth = 0
    for match in mark.finditer(sentence):
        for sign in sentence[at : match.start()]:
            quoted ^= sign in '"`'
            depth += (sign in "([") - (sign in ")]" and depth > 0)
        at = match.start()
        if not quoted and not depth:
            parts.append(sentence[start : match.start()].strip())
            start = match.end()
    return [part for part in (*parts, sentence[start:].strip()) if part]


def _filled(parts: list[str]) -> list[str]:
    """Neighbouring parts joined as long as a bullet holds them."""
    pieces: list[str] = []
    size = 0
    for part in parts:
        cost = estimate(part)
        if pieces and size + cost <= _ROOM:
            pieces[-1] = f"{pieces[-1]} {part}"
            size += cost
        else:
            pieces.append(part)
            size = cost
    return [piece.strip(" ,;-–—") for piece in pieces if piece.strip(" ,;-–—")]


def _may_part(sentence: str, pieces: list[str]) -> bool:
    """Whether every piece is as reserved, and denies as much, as the whole sentence does."""
    whole = hedges(sentence), denies(sentence)
    return all((hedges(piece), denies(piece)) == whole for piece in pieces)


#: Tokens up to which neighbouring sentences of an entry are one unit.
PASSAGE = 50
#: Tokens that the date and marks of a bullet of its own cost.
OPENING = 6
#: The share of lines that begin with a speaker's name where a page is a conversation.
_TALK = 0.6
#: The share of entries, and the least number, from which their heading is no subject.
_COMMON_SHARE, _COMMON_LEAST = 0.4, 6
#: How much a sentence counts that is an aside in brackets, that answers another's question, or that
#: was said in a chat with an agent: what of it lasts, the agent's own notes say again.
_ASIDE, _ANSWER, _CHAT = 0.4, 1.4, 0.5

_SPEAKER = regex(r"([A-Z][\w.'-]+(?: [A-Z][\w.'-]+)?): +(?=\S)")
_ISO = regex(r"(?<![\w-])(\d{4}-\d\d-\d\d)(?![-\w])")
#: Signs for the eye before the words.
_DECORATION = regex(rf"^(?:[{SIGNS}]\s*)+(?=\w|[\"'(\[`*])")
_FIRST_WORD = regex(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """Something to tell: one or more neighbouring sentences of an entry.

    `at` is its place among all units, `ids` the entries it rests on, `worth` how much it counts for
    its kind beside others of the same words; `since` is the first day on which nearly the same was
    said.
    """

    text: str
    entry: Entry
    at: int
    tokens: int
    stems: tuple[str, ...]
    atoms: frozenset[str]
    judgement: Judgement
    ids: tuple[str, ...]
    speaker: str = ""
    subject: str = ""
    worth: float = 1.0
    since: date | None = None
    is_series: bool = False
    ticked: bool = False

    @property
    def section(self) -> str:
        return self.judgement.section

    @property
    def must(self) -> float:
        return self.judgement.must

    @property
    def asks(self) -> bool:
        return self.text.endswith(("?", "？"))


def unit(text: str, entry: Entry, at: int, judgement: Judgement, **more: object) -> Unit:
    """A unit of this text, its tokens, stems and atoms counted."""
    return Unit(
        text,
        entry,
        at,
        estimate(text),
        tuple(stems_of(text)),
        atom_keys(text),
        judgement,
        (entry.id,),
        **more,  # type: ignore[arg-type]
    )


def sentences(entries: Sequence[Entry]) -> list[Unit]:
    """The sentences of the entries. Noise and code are read only where there is nothing else."""
    told = [entry for entry in entries if entry.kind not in ("code", "lead")]
    language = judged_as(" ".join(entry.text for entry in told[:400]))
    speakers = speakers_of(told)
    common = _common_subject(told)
    every = [
        replace(one, subject="") if one.subject and one.subject == common else one
        for one in _sentences(told, speakers, language)
    ]
    prose = (one for one in every if one.entry.kind != "row")
    spoken_of = frozenset(stem for one in prose for stem in one.stems) - COMMON_STEMS
    small = sum(one.text[:1].islower() for one in every) > _HABIT * len(every)
    units = [
        one
        for one in every
        if not is_noise(one, spoken_of) and (small or speakers or not is_fragment(one, language))
    ]
    every = units or every
    return every or list(_sentences([e for e in entries if e.kind != "lead"], speakers, language))


# Noise: by its shape, and by whether anybody speaks of it.


#: Letters a word has at least, words that say something, and the share of letters in what is said.
_LETTERS, _SAYS, _SPELLED = 2, 2, 0.5
#: The share of sentences from which beginning in small letters is the writer's habit.
_HABIT = 0.15
_SAID = regex(r"[^\W\d_]+")


def is_noise(one: Unit, spoken_of: frozenset[str]) -> bool:
    """Whether a sentence only looks like one: a bare figure or name, a row of figures, an echo.

    What a box or a label marks is none, unless a program printed it. `spoken_of` are the words of
    sentences outside of tables.
    """
    if not spoken(one.text) or is_printed(one.text) or (is_status(one.text) and not one.subject):
        return True
    if one.judgement.must == 1.0:
        return False
    words = _SAID.findall(one.text)
    signs = len(one.text) - one.text.count(" ")
    unspelled = sum(map(len, words)) < _SPELLED * signs
    if one.entry.kind == "row":
        # What a row is about stands in its first cell.
        named = stems_of(one.text.partition(" - ")[0])
        return unspelled and spoken_of.isdisjoint(s for s in named if not s[0].isdigit())
    wide = not one.text.isascii() and any(sign > "\u2e7f" for sign in one.text)
    words = [word for word in words if len(word) >= _LETTERS]
    is_name = " " not in one.text and "://" not in one.text
    return not wide and (is_name or len(words) < _SAYS or unspelled)


# Echoes: what a harness or a program printed into a day, by its form and not by its words.


_NAME = r"[^\W\d_][\w/-]{0,30}(?: [\w/-]{1,30}){0,3}(?: \([^()]{1,40}\))?"
#: A record of a log: a full time in brackets behind the name of who reports.
_RECORD = regex(rf"(?:{_NAME}: ?)+\[\d{{4}}-\d\d-\d\d[ T]\d\d:\d\d[^\[\]]{{0,16}}\].*")
_ROLE = r"(?:user|assistant|tool)(?: \([^()]{1,40}\))?: "
#: Where the roles that chat formats name take turns within one paragraph.
_TURN = regex(rf"(?:^|\s+)(?={_ROLE})")
#: How a message reached the day: where it came from, and its full time.
_ENVELOPE = regex(
    rf"\A({_ROLE})?\[[^\[\]]{{3,80}} \d{{4}}-\d\d-\d\d[ T]\d\d:\d\d[^\[\]]{{0,16}}\]\s*"
)
#: A word for programs alone: a long number or hash, a key of several parts.
_OPAQUE = r"(?:\d{17,}|[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\[?[a-z]{3,}(?::[\w.-]+){2,}\]?)"
_ID_ASIDE = regex(rf"\s*\[{_NAME}: {_OPAQUE}\]|\[\[[a-z]+(?:_[a-z]+)+\]\]\s*")
#: An id behind its label and nothing else, or an answer that only a program reads: `HEARTBEAT_OK`.
_ID_ALONE = regex(
    rf"[\W_]*(?:{_NAME}[\W_]*:[\s*_`]*)*{_OPAQUE}[\s`*_.]*|(?i:.{{0,30}}{_ROLE})?(?:[A-Z]+(?:_[A-Z]+)+\.?)?"
)
#: What programs print and nobody writes: the branches of a tree, keys and brackets of data, the name
#: of a process before its line.
_PRINTED = regex(r"[├└│]|\w\"\s?:\s|[\[{]\"|\"[\]}]|(?:^|\s)@?[\w/-]+:\w+: ")
#: So many words of a sentence have such a sign at least for one that is printed.
_PRINTED_SHARE, _PRINTED_LEAST = 0.05, 2


def spoken(text: str) -> list[str]:
    """Return the turns of a text, records of a log and ids that stand for themselves left out."""

    def without_echoes(words: str) -> str:
        turns = _TURN.split(words)
        if "[" in words:  # All of these have one, and `_RECORD` is slow.
            turns = [_ENVELOPE.sub(r"\1", turn) for turn in turns]
            turns = [_ID_ASIDE.sub("", _RECORD.sub("", turn)) for turn in turns]
        return "\n".join(map(str.strip, turns))

    turns = outside_code(text, without_echoes).split("\n")
    return [turn for turn in turns if turn and not _ID_ALONE.fullmatch(turn)]


def is_printed(text: str) -> bool:
    """Whether a sentence is the output of a program or data: it has its signs all over."""
    signs = 0

    def counted(words: str) -> str:
        nonlocal signs
        signs = len(_PRINTED.findall(words))
        return words

    outside_code(text, counted)
    return signs >= max(_PRINTED_LEAST, _PRINTED_SHARE * len(text.split()))


def is_fragment(one: Unit, language: str) -> bool:
    """Whether a sentence goes on from another that it is parted from."""
    match = _FIRST_WORD.match(one.text)
    if match is None or not match[0].islower() or one.judgement.must == 1.0:
        return False
    # A name of code may begin a sentence in small letters: `pytest.ini`, `main` in `main/lib`.
    if one.text[match.end() : match.end() + 1] not in ("", " ", ","):
        return False
    return one.entry.kind in ("paragraph", "quote") or leans(one.text, language)


def subject_for(entry: Entry) -> str:
    """What an entry's heading says it is about; the name of a section in it says nothing."""
    if entry.headings and labelled_by(entry.headings[-1]):
        return without_label(subject_of(entry.headings))
    subject = short_subject(entry.headings)
    # What the rules or decisions are of is not said by the section: `Branching rules` stays.
    return "" if is_named_first(subject) else subject


def _common_subject(entries: Sequence[Entry]) -> str:
    """The heading that so many entries stand under that it tells none of them apart: `Log`."""
    counts = Counter(short_subject(entry.headings) for entry in entries)
    ((subject, count),) = counts.most_common(1) or [("", 0)]
    return subject if count >= max(_COMMON_LEAST, _COMMON_SHARE * len(entries)) else ""


def speakers_of(entries: Sequence[Entry]) -> frozenset[str]:
    """The names before the lines of a conversation, which take turns; none where few lines have one.

    A label such as `Decision` is no speaker, nor is a name that never speaks again after another.
    """
    said: list[tuple[object, str]] = []
    for entry in entries:
        match = _SPEAKER.match(plain(entry.text[:80]))
        if match and not section_of(match[1]):
            said.append(((entry.day, entry.headings), match[1]))
    names = Counter(name for _, name in said)
    if names.total() < _TALK * len(entries):
        return frozenset()
    turns: Counter[str] = Counter()
    seen: dict[object, dict[str, str]] = {}
    last: dict[object, str] = {}
    for place, name in said:
        own = seen.setdefault(place, {})
        if name in own and last[place] != name:
            turns[name] += 1
        own[name] = last[place] = name
    return frozenset(name for name, count in turns.items() if names[name] >= 3 and count >= 2)


def _sentences(entries: Sequence[Entry], speakers: frozenset[str], language: str) -> Iterator[Unit]:
    called = _vocatives(speakers)
    may_cut = is_taught(language)
    asked_by = ""
    at = 0
    chats = {(e.path, e.headings) for e in entries if _TURN.match(e.text)}
    for entry in entries:
        ticked, words = box_of(without_clock(entry.text))
        box = "" if ticked is None else "[x] " if ticked else "[ ] "
        is_row = entry.kind == "row"
        cells, columns = (cells_of(entry.text), cells_of(entry.lead)) if is_row else ([], [])
        turns = [] if is_row else spoken(words)
        words = _row(cells, columns) if is_row else plain(turns[0] if turns else words)
        match = _SPEAKER.match(words)
        speaker = match[1] if match and match[1] in speakers else ""
        words = words[match.end() :] if match and speaker else without_clock(words)
        words = _DECORATION.sub("", words)
        heading = entry.headings[-1] if entry.headings else ""
        lead = "" if is_row else entry.lead
        subject = "" if speakers else subject_for(entry)
        told = split(words) if turns or is_row else (words,)
        for sentence in (*told, *(one for turn in turns[1:] for one in split(plain(turn)))):
            judgement = judge(box + sentence, heading, lead, language)
            if is_row:
                judgement = judge_row(cells, columns, judgement)
            sentence = without_label(sentence)
            is_aside = sentence[:1] == "[" and sentence[-1:] == "]"
            if speaker:
                if not (judgement.marked or judgement.stated > 0.9):
                    # Talk is not what the weights were taught by.
                    judgement = Judgement(WEEK.context, 0.5 * judgement.must, 0.0, 0.0)
                sentence = sentence.strip("[]") if is_aside else _uncalled(sentence, called)
                if not sentence:
                    continue
            for piece in clauses(_dated(sentence, entry.day), may_cut):
                one = unit(
                    piece,
                    entry,
                    at,
                    judgement,
                    speaker=speaker,
                    subject=subject,
                    ticked=bool(ticked),
                )
                if not one.stems and not one.atoms:
                    continue
                worth = _CHAT if (entry.path, entry.headings) in chats else 1.0
                if is_aside:
                    worth = _ASIDE
                elif asked_by not in ("", speaker) and not one.asks:
                    worth, asked_by = _ANSWER, ""
                if one.asks:
                    asked_by = speaker
                yield one if worth == 1.0 else replace(one, worth=worth)
                at += 1


def _vocatives(speakers: frozenset[str]) -> re.Pattern[str] | None:
    """The speakers' names where one of them is spoken to: `Thanks, Mel!`, `Hey Mel, …`."""
    if not speakers:
        return None
    short = {name[:length] for name in speakers for length in range(3, len(name) + 1)}
    names = "|".join(map(re.escape, sorted(short, key=lambda name: (-len(name), name))))
    return re.compile(rf"(?:,\s*|^(?:\w+,? )?)(?:{names})(?=[!?.,])[!,]?\s*")


def _uncalled(sentence: str, called: re.Pattern[str] | None) -> str:
    """A sentence of talk without the name of who is spoken to; nothing if that was all."""
    kept = sentence
    if called:
        kept = called.sub(lambda m: " " * (m.start() > 0 and m[0][-1].isspace()), sentence)
        kept = kept.strip(" ,")
    if len(kept.split()) < 3:
        return ""
    return kept[:1].upper() + kept[1:]


def _dated(sentence: str, day: date | None) -> str:
    """The sentence with relative dates made absolute, written as a person would: `3 Apr`."""
    if day is None or not could_name_date(sentence):
        return sentence
    said = absolute(sentence, day)
    if said == sentence:
        return said
    return outside_code(said, lambda words: _ISO.sub(lambda found: _in_words(found[1], day), words))


def _in_words(iso: str, day: date) -> str:
    try:
        named = date.fromisoformat(iso)
    except ValueError:
        return iso
    return day_words(named, year=named.year != day.year)


def _row(cells: Sequence[str], columns: Sequence[str]) -> str:
    """A table's row in words: the first cell names it, the others carry their column's name.

    A number, a time of day or a label in front names no row; a number is told behind the name.
    """
    start = 0
    while start < len(cells) - 1 and (
        is_label(cells[start]) or not any(map(str.isalpha, cells[start]))
    ):
        start += 1
    rest = []
    for number, cell in enumerate(cells):
        head = columns[number] if number < len(columns) else ""
        # What a label says, the section says; a bare count of the rows says nothing.
        names = any(map(str.isalpha, head))
        if number == start or (number < start and (":" in cell or is_label(cell) or not names)):
            continue
        if any(sign.isalnum() or sign in VERDICTS for sign in cell):
            rest.append(f"{head}: {cell}" if head and not head[-1].isdigit() else f"{head} {cell}")
    told = "; ".join(part.strip() for part in rest)
    name = cells[start] if cells else ""
    return f"{name} - {told}" if name and told else name or told


def leans(text: str, language: str) -> bool:
    """Whether a sentence begins with a word that points back at the one before it."""
    match = _FIRST_WORD.match(text.lstrip("\"'(["))
    return match is not None and match[0].lower() in word_list(language, "back_references")


def passages(units: Sequence[Unit]) -> list[Unit]:
    """Neighbouring sentences of one entry as one unit; in talk only what leans on the one before.

    What rests on several entries, as a series does, stays by itself.
    """
    is_talk = any(one.speaker for one in units)
    found: list[Unit] = []
    run: list[Unit] = []
    for one in units:
        beside = OPENING + estimate(one.speaker or one.subject)
        most = min(PASSAGE, LIMIT - beside)
        near = run and run[-1].entry is one.entry and run[-1].at + 1 == one.at
        alone = any(each.is_series or len(each.ids) > 1 for each in (one, *run[-1:]))
        fits = near and _size(run) + one.tokens <= most and not alone
        if fits and (not is_talk or (leans(one.text, "English") and len(run) < 2)):
            run.append(one)
            continue
        if run:
            found.append(merged(run))
        run = [one]
    if run:
        found.append(merged(run))
    return found


def _size(units: Sequence[Unit]) -> int:
    return sum(one.tokens for one in units)


def stopped(text: str) -> str:
    """The text with a full stop where it has none; one inside a bracket ends no sentence."""
    return text if text.rstrip("\"'」』")[-1:] in ".!?:;。！？" else f"{text}."


def merged(units: Sequence[Unit]) -> Unit:
    """Neighbouring sentences as one unit, which is what its plainest sentence is."""
    if len(units) == 1:
        return units[0]
    first, last = units[0], units[-1]
    plainest = max(units, key=lambda one: (one.section != WEEK.context, one.must))
    judgement = plainest.judgement._replace(
        must=max(one.must for one in units), drop=min(one.judgement.drop for one in units)
    )
    total = _size(units)
    said = [stopped(one.text) for one in units[:-1]]
    return replace(
        first,
        text="".join([*(s if s[-1] in "。！？」』）" else f"{s} " for s in said), last.text]),
        tokens=total,
        stems=tuple(stem for one in units for stem in one.stems),
        atoms=frozenset[str]().union(*(one.atoms for one in units)),
        judgement=judgement,
        worth=sum(one.worth * one.tokens for one in units) / max(1, total),
    )
