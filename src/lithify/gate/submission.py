"""Checks a submitted summary against every rule: accepted, or refused with all violations. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from lithify.errors import LithifyError
from lithify.gate.jobs import PASTED_TOKENS, JobState, Summary, blocks
from lithify.gate.texts import NOTHING, SECTIONS, Section, bodies, most_none, sections_of
from lithify.regex import regex
from lithify.text.tokens import estimate
from lithify.values import Claim, Entry

if TYPE_CHECKING:
    from lithify.engines.model.reader import Reader
    from lithify.gate.decide import Demand
    from lithify.settings import Gate


#: How many unknown figures or names one line of a refusal lists.
_LISTED = 8

#: Names for those who speak in a record.
_SPEAKERS = "User Person Agent Assistant Claude Codex Gemini Cursor Copilot"

_CONTROL = regex(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029]")
_HASHED = regex(r"(#{1,6})\s+(.*?)\s*#*\s*")
_BOLD = regex(r"\*\*(.+?)\*\*:?")
#: A bold line ranks below every heading that begins with `#`.
_BOLD_DEPTH = 7
_TOPIC = regex(r"topic:[ \t]*(.*)", re.IGNORECASE)
_BULLET = regex(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
_NUMBERED = regex(r"^\s*\d{1,3}[.)]\s+", re.MULTILINE)
_DATED = regex(r"\W*\d{4}-\d{2}-\d{2}\b.*\w")

#: So many words in a row that equal a hint of the template were copied from it.
_RUN = 6
#: Share of different words below which a long section only repeats itself.
_VARIED = 0.34
#: Share of sentences taken word for word from the summary before at which a text is refused.
_REPEATED = 0.8

#: So many words of the person's make a summary's own telling, and so few shared ones are little.
_ENOUGH, _TELLING = 10, 3

_SENTENCE = regex(r"(?<=[.!?。！？])\s+|\n+")
_WORD = regex(r"\w+")
_STOCK = regex(
    r"lorem ipsum|\b(?:(?:filler|placeholder) text|blah blah|asdf\w*|insert \w+ here)\b",
    re.IGNORECASE,
)
#: A sentence that consists of nothing else is filler.
_FILLS = regex(
    r"\W*(?:tbd|todo|n/?a|placeholder|etc|(?:see|same as|as) (?:above|before|below))\W*",
    re.IGNORECASE,
)


class AcceptedSummary(NamedTuple):
    """A summary as the chain keeps it; `unverified` names the unknown figures and names by section."""

    text: str
    tokens: int
    topic: str = ""
    unverified: Mapping[str, Sequence[str]] = MappingProxyType({})
    unrelated: bool = False


class RefusedSummary(NamedTuple):
    """Everything that is wrong with a text, in its order; `asked` whether it is what it is about."""

    violations: tuple[str, ...]
    asked: bool = False


class _Part(NamedTuple):
    section: Section
    body: str

    @property
    def nothing(self) -> bool:
        return self.body == NOTHING


def validate(
    text: str, state: JobState, demand: Demand, rules: Gate, *, asked: bool = False
) -> AcceptedSummary | RefusedSummary:
    """Tell whether a text is an acceptable summary of what `demand` names.

    `asked` is true where its writer was asked already what it has to do with that.
    """
    parts, topic, wrong = _take_apart(text, rules)
    whole = _joined(parts)
    size = estimate(whole)
    wrong += _lengths(parts, size, demand, rules)
    filled = [(part.section.name, part.body) for part in parts if not part.nothing]
    wrong += _filler(filled, state.chain[-1].text if state.chain else "")
    unknown = _unknown(parts, state, demand)
    for part in parts:
        missing = unknown.get(part.section.name)
        if missing and part.section.reports:
            shown = ", ".join(" ".join(text.split())[:60] for text in missing[:_LISTED])
            more = f" and {len(missing) - _LISTED} more" if len(missing) > _LISTED else ""
            wrong.append(
                f"{part.section.name}: not in what was recorded: {shown}{more}. This section "
                "reports what was said; move your own findings to another one"
            )
    body = " ".join(part.body for part in parts if not part.nothing)
    about = _about(body, state, demand)
    if about == "nothing":
        wrong.append(
            "the whole: it shares no name, figure or word with what it is to summarise"
            f"{_subjects(body, state, demand)}. Summarise what was said in this job, and leave out "
            "what is of another one"
        )
    unrelated = about == "little"
    if unrelated and not asked:
        wrong.append(
            "the whole: it shares next to nothing with what the person said"
            f"{_subjects(body, state, demand)}. If that is of another job, write what was asked for and "
            "done here; if it is of this one, hand it in again: it is taken, marked unverified"
        )
    if wrong:
        return RefusedSummary(tuple(wrong), unrelated)
    return AcceptedSummary(whole, size, topic, unknown, unrelated)


def _about(text: str, state: JobState, demand: Demand) -> Literal["", "little", "nothing"]:
    """Tell whether a summary shares nothing with what it covers, or little with the person's words."""
    from lithify.text.words import stems_of

    covered = () if demand.level else state.covered_by(demand)
    range_text = "\n".join(map(_beginnings, (one.text for one in covered)))
    prose = "\n".join(_beginnings(one.text) for one in covered if one.origin == "user")
    chain = "\n".join(one.text for one in state.chain)
    frame = f"{_SPEAKERS} {state.job} {' '.join(section.name for section in SECTIONS)}"

    def words(text: str) -> set[str]:
        return {*stems_of(text)} - {*stems_of(frame)}

    own, known = words(text), words(f"{range_text}\n{chain}")
    if not own & known:
        # A word in other letters than the summary's cannot be shared.
        latin = 2 * sum(map(str.isascii, own)) > len(own)
        alike = [word for word in known if word.isascii() is latin]
        return "nothing" if not own or len(alike) >= _TELLING else ""
    said = words(prose)
    return "little" if len(said) >= _ENOUGH and len(own & said) < _TELLING else ""


def _subjects(text: str, state: JobState, demand: Demand) -> str:
    """Say what a summary speaks of most, and the person; nothing where neither has words to tell."""
    from collections import Counter

    from lithify.text.words import stems_of

    def most(text: str) -> str:
        words = Counter(word.lower() for word in re.findall(r"[^\W\d_]{4,}", text))
        return ", ".join([word for word, _ in words.most_common(40) if stems_of(word)][:_LISTED])

    covered = () if demand.level else state.covered_by(demand)
    said = most("\n".join(_beginnings(one.text) for one in covered if one.origin == "user"))
    own = most(text)
    return f" (it speaks of {own}; the person, of {said})" if own and said else ""


def _beginnings(text: str) -> str:
    """Return what was typed of a text, and the beginning of each pasted block."""
    most = PASTED_TOKENS * 4
    return "\n".join(block.text[: most if block.pasted else None] for block in blocks(text))


def as_kept(text: str, rules: Gate) -> str:
    """Return a submitted text in the form in which the chain would keep it."""
    return _joined(_take_apart(text, rules)[0])


def places_of(specifics: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Return where these figures and names stand in a text, as (start, end), in order."""
    found = set()
    for specific in specifics:
        pattern = r"\s+".join(map(re.escape, specific.split()))
        found |= {match.span() for match in re.finditer(rf"(?<!\w){pattern}(?!\w)", text)}
    return sorted(found)


def cleaned(text: str) -> str:
    """Return the text without control characters, stray white space and runs of empty lines."""
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4))
    lines = [re.sub(r"(?<=\S) {2,}", " ", line.rstrip()) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _take_apart(text: str, rules: Gate) -> tuple[list[_Part], str, list[str]]:
    wanted = {section.name.casefold(): section for section in sections_of(rules)}
    lines = cleaned(text).split("\n")
    wrong: list[str] = []
    topic = ""
    if rules.shape == "topics":
        named = _TOPIC.fullmatch(lines[0])
        topic = " ".join(named[1].split())[:80] if named else ""
        if not topic:
            wrong.append("Topic: missing; the first line must be `Topic: ` and its name")
        lines = lines[1:] if named else lines
    found: dict[str, list[str]] = {}
    level = 0
    stray: list[str] = []
    body = stray
    for line in lines:
        depth, title = _heading(line)
        section = wanted.get(title.casefold()) if title else None
        if section is not None:
            if section.name in found:
                wrong.append(f"{section.name}: given more than once")
            level = depth
            body = found.setdefault(section.name, [])
        elif title and 0 < depth <= level:
            known = ", ".join(s.name for s in wanted.values())
            wrong.append(f"{title[:60]}: no section of this job; they are: {known}")
            body = []
        else:
            # `###` marks the sections of an accepted text, so no other heading keeps its marks.
            body.append(title if 0 < depth < _BOLD_DEPTH else line)
    if any(line.strip() for line in stray):
        wrong.append("there is text before the first section; every line belongs into one")
    parts = [_Part(wanted[name.casefold()], "\n".join(b).strip()) for name, b in found.items()]
    missing = [s.name for s in wanted.values() if s.name not in found]
    wrong += [f"{name}: missing; write it, or `{NOTHING}` if there is nothing" for name in missing]
    return parts, topic, wrong


def _joined(parts: Sequence[_Part]) -> str:
    return "\n\n".join(f"### {part.section.name}\n{part.body}" for part in parts)


def _heading(line: str) -> tuple[int, str]:
    if hashed := _HASHED.fullmatch(line):
        return len(hashed[1]), hashed[2].strip(" *:")
    if bold := _BOLD.fullmatch(line.strip()):
        # A bold line is a heading only if it names a section.
        return _BOLD_DEPTH, bold[1].strip(" :")
    return 0, ""


def _lengths(parts: Sequence[_Part], size: int, demand: Demand, rules: Gate) -> list[str]:
    wrong = []
    floor = rules.section_floor
    for part in parts:
        tokens = estimate(part.body)
        if not part.nothing and tokens < floor:
            wrong.append(f"{part.section.name}: {tokens} of {floor} tokens")
        elif not part.nothing:
            wrong += _form(part)
    nothing = sum(part.nothing for part in parts)
    if nothing > most_none(rules):
        wrong.append(f"`{NOTHING}` in {nothing} sections, at most {most_none(rules)} may say it")
    if size < rules.min_tokens:
        wrong.append(f"the whole: {size:,} of at least {rules.min_tokens:,} tokens")
    if size > rules.max_tokens:
        wrong.append(f"the whole: {size:,} of at most {rules.max_tokens:,} tokens")
    if demand.tokens > rules.min_tokens and size >= demand.tokens:
        wrong.append(
            f"the whole: {size:,} tokens, and what it covers has {demand.tokens:,}; "
            "a summary is shorter"
        )
    return wrong


def _form(part: _Part) -> list[str]:
    name = part.section.name
    lines = [_BULLET.sub("", line).strip() for line in part.body.split("\n")]
    lines = [line.lstrip("*") for line in lines if line.strip()]
    if part.section.form == "pairs":
        marks = [line[:2].upper() for line in lines if line[:2].upper() in ("Q:", "A:")]
        pairs = "".join(mark[0] for mark in marks)
        if not pairs or pairs.replace("QA", ""):
            asked, answered = pairs.count("Q"), pairs.count("A")
            return [f"{name}: {asked} `Q:` and {answered} `A:`; each question needs its answer"]
    if part.section.form == "log":
        starts = [n for n, line in enumerate(lines) if _DATED.match(line)]
        if not starts or starts[0] > 0:
            return [f"{name}: each decision begins with its date, as in 2026-04-02"]
    return []


def _unknown(parts: Sequence[_Part], state: JobState, demand: Demand) -> dict[str, list[str]]:
    """Collect by section what figures, dates and quotations are neither in the range nor in the chain."""
    from lithify.verify.check import ground_of_texts, missing_in

    said = [(one.text, one.time[:10]) for one in state.covered_by(demand) if demand.level == 0]
    said += [(_verified_text(one), one.time[:10]) for one in state.chain]
    sources = [ground_of_texts((text, day), date.fromisoformat(day)) for text, day in said]
    sources.append(ground_of_texts((state.job,), None))
    found: dict[str, list[str]] = {}
    for part in parts:
        if not part.nothing:
            # The numbers of a list only count its lines.
            body = _NUMBERED.sub("", part.body)
            missing = [one.text for one in missing_in(body, sources)]
            if missing:
                found[part.section.name] = list(dict.fromkeys(missing))
    return found


def _verified_text(summary: Summary) -> str:
    """Return a summary without its unverified parts, which repeating does not verify."""
    doubted = [one for texts in summary.unverified.values() for one in texts]
    text = summary.text
    for start, end in reversed(places_of(doubted, text)):
        text = f"{text[:start]} {text[end:]}"
    return text


def _filler(sections: Sequence[tuple[str, str]], earlier: str) -> list[str]:
    """Return violations by text that only fills space: the template, stock phrases, repetition.

    `earlier` is the text of the last summary.
    """
    wrong: list[str] = []
    seen: dict[str, str] = {}
    for name, body in sections:
        if copied := _copied_hint(body):
            wrong.append(f'{name}: copied from the template: "{copied}"')
        empty = (_FILLS.fullmatch(sentence) for sentence in _SENTENCE.split(body))
        if stock := _STOCK.search(body) or next(filter(None, empty), None):
            wrong.append(f'{name}: filler: "{stock.group().strip()}"')
        if repeated := _repetition(body):
            wrong.append(f"{name}: filler: {repeated}")
        for sentence in _sentences(body):
            if sentence in seen:
                wrong.append(f'{name}: says again what {seen[sentence]} says: "{sentence[:60]}"')
                break
            seen[sentence] = name
    before = set(_sentences(earlier))
    again = sum(sentence in before for sentence in seen)
    if seen and again >= _REPEATED * len(seen):
        wrong.append(
            f"the whole: {again} of {len(seen)} sentences are those of the summary before; say "
            "what is new"
        )
    return wrong


def _sentences(text: str) -> list[str]:
    """Return the sentences of five words and more, in the form in which they are compared."""
    found = []
    for sentence in _SENTENCE.split(text):
        words = _WORD.findall(sentence.casefold())
        if len(words) >= 5:
            found.append(" ".join(words))
    return found


def _repetition(body: str) -> str:
    words = [word.casefold() for word in _WORD.findall(body)]
    if len(words) < 20:
        return ""
    # A long text repeats its small words, so stretches of one length are measured.
    stretches = [words[n : n + 60] for n in range(0, len(words), 60)]
    worst = min((s for s in stretches if len(s) >= 20), key=lambda s: len(set(s)) / len(s))
    if len(set(worst)) < _VARIED * len(worst):
        word, times = Counter(worst).most_common(1)[0]
        return f'{len(set(worst))} different words of {len(worst)}, "{word}" {times} times'
    return ""


def _runs(text: str) -> dict[tuple[str, ...], str]:
    words = _WORD.findall(text)
    return {
        tuple(word.casefold() for word in words[n : n + _RUN]): " ".join(words[n : n + _RUN])
        for n in range(len(words) - _RUN + 1)
    }


_TEMPLATE = {run for section in SECTIONS for run in _runs(section.hint)}


def _copied_hint(body: str) -> str:
    for run, words in _runs(body).items():
        if run in _TEMPLATE:
            return words
    own = re.search(r"all that belongs under .{1,80} with the figures and names", body)
    return own.group() if own else ""


@dataclass(slots=True)
class SummaryReader:
    """A reader for one hand-in; `note` says why a summary was accepted without it."""

    reader: Reader
    note: str = ""

    def __call__(
        self, found: AcceptedSummary, state: JobState, demand: Demand
    ) -> AcceptedSummary | RefusedSummary:
        """Refuse what contradicts the range it covers.

        What the range does not state passes: work done between prompts is not in it. A reader
        that cannot be asked must not keep a gate closed, so the summary is accepted then.
        """
        record = {}
        for one in state.summaries_of(demand) if demand.level else state.covered_by(demand):
            kind = getattr(one, "kind", "summary")
            entry = Entry(f"{one.time[:10]}~{one.seq:012x}", one.text, headings=(kind,))
            record[entry.id] = entry
        lines = [
            (section, _BULLET.sub("", line, count=1).strip())
            for section, body in bodies(found.text)
            for line in body.split("\n")
            if line.strip() not in ("", NOTHING)
        ]
        claims = [Claim(line, tuple(record)) for _, line in lines]
        try:
            answer = self.reader.read(claims, record)
        except LithifyError as error:
            self.note = f"not read: {error.message}"
            return found
        if answer.fault:
            self.note = f"not read: {answer.fault}"
            return found
        self.note = ""
        wrong = [
            f'{section}: {answer.verdicts[n]} (in: "{line[:120]}")'
            for n, (section, line) in enumerate(lines)
            if n in answer.verdicts and answer.verdicts[n].verdict == "contradicted"
        ]
        return RefusedSummary(tuple(wrong)) if wrong else found
