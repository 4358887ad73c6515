"""Which open items are really open: something to finish that no later entry settles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise

from lithify import cues
from lithify.calendar import end_of_month, shifted
from lithify.cues.senses import LISTS
from lithify.engines.offline.matters.boxes import is_announced, is_listed, is_task_row
from lithify.engines.offline.matters.due import LINGERS, after, ahead, is_for_a_day, passed
from lithify.engines.offline.matters.ends import months_in
from lithify.engines.offline.matters.met import DONE, met
from lithify.engines.offline.matters.relisted import dropped
from lithify.engines.offline.matters.told import tells_change
from lithify.engines.offline.matters.waiting import BEGINS, HAD, LASTS, OWES, VALID, is_silent
from lithify.engines.offline.reading.sentences import ROW_OPEN
from lithify.engines.offline.reading.text import split
from lithify.engines.offline.reading.units import Unit
from lithify.text.dates import MONTHS

#: Words that say there is nothing open.
_NONE = re.compile(
    r"^(?:[\w ]{0,20}: )?(?:none\b|nothing\b|(?:I|we) have nothing\b|no (?:\w+ )?(?:unresolved|open|new|outstanding|pending|"
    r"blockers?|follow-?ups?|changes?)\b)",
    re.I,
)
#: What somebody said in passing, by how it was said.
_COLOUR = re.compile(
    r"^[A-Z][\w-]+(?:,? \w+ly|, \w+ing| laugh\w*| joke\w*| grin\w*| sigh\w*| smile\w*)\b[^\":]{0,20}: \""
)
#: What is denied to have been at all.
_NEVER_WAS = re.compile(
    r"\b(?:never (?:was|were|had been) (?:one|any)|there never (?:was|were))\b", re.I
)
#: What is told after its reason: "they have no van, so we take ours".
_THEREFORE = re.compile(
    r"^(?P<why>(?:(?!\. [A-Z]|;).)*?), so (?!that\b|far\b)(?P<what>(?:(?!\. [A-Z]|;).)+)$"
)
#: What somebody has still to do, said beside what was done; and what is over only until it comes again.
_LEFT = re.compile(
    r"\b(?i:must|has to|have to|every (?:single )?(?:day|night|morning|evening|hour|week|time))\b|[A-Z]\w+ will\b"
)
#: Who wants a thing has not got it; how somebody wants things is no item.
_REQUEST = re.compile(
    r"\bwants? (?:an?|the|some|another|\d+) (?!.*[,;] (?:given|sent|done)\b)", re.I
)
#: What is waited for beside somebody's wish.
_WAITED = re.compile(
    r"\b(?i:waits?|waiting|await\w*|until|missing|overdue|unsigned|still|(?:has|have)(?: not|n't))\b|[A-Z]\w+ will\b"
)
_LACK = "|".join([*LISTS["lack"].split(), "news", "contract", "account", "certificate", "data"])
_LAME = "|".join(
    [
        *LISTS["lame"].split(),
        "stuck",
        "blocked",
        "locked",
        "dark",
        "ill",
        "flagged",
        "out of order",
    ]
)
#: What a sentence that nobody lists as open must say to be so: something is waited for, lacking,
#: not known, to be done, due, out of order or asked for.
UNDONE = re.compile(
    # What is waited for or lacking.
    r"\b(?:wait(?:s|ing)? (?:for|on|until)|await\w*|(?<!\ba )pending|outstanding|overdue|on (?:hold|back order)|being (?:looked|worked|dealt)|"
    rf"still|(?<!\band )(?<!\bbut )yet|(?:no|not|nobody|nothing|none|never)\b[^.;:]{{0,60}}? so far|(?:no|without)(?: an?)?(?: \w+){{0,2}}? (?:{_LACK})|(?:do|does)(?: not|n't) have an? \w+|"
    r"gone (?:silent|missing|dark|quiet)|looking into|"
    r"(?:is|are|was|were) missing|missing(?= since| is| are|:|\W*$)|open(?=\W*$)|"
    r"did(?:n't| not) (?:happen|work|run|start|come|arrive|finish|answer|help)|(?:has|have)(?: not|n't) (?:yet )?been (?!asked)\w+(?:ed|n|t)|(?:is|are) expected|"
    # What nobody knows.
    r"(?:nobody|no one) (?:knows|owns|has (?:taken|signed|answered|volunteered))|no idea|unknown|(?<!\d )unclear|unconfirmed|unexplained|unfinished|unsolved|incomplete|suspects?|tb[dc]|"
    # What is to be done, and by when.
    r"(?:he|she|they|(?-i:[A-Z])\w+)(?:'ll| will)(?! be\b)|needs?(?! (?:\w+ ){0,2}(?:days|time|hours|minutes|weeks)\b)|needed|must|(?<!n't )(?:has|have) to|should be|(?:someone|somebody|we|I) should|"
    r"(?<!about )(?<!had )(?<!was )(?<!were )to be|(?:am|is|are) to \w+|to-?do|follow-?up|due|(?<!\bas )(?<!\ba )(?<!\bwritten )promis\w+(?! not to\b)|(?<!been the )deadline (?:is|for|on)|closing date|runs? out|"
    r"(?<!was )(?<!were )delay\w*|slip(?:s|ped)(?= (?:to|from|by|until|again)\b|[.;,]|$)|"
    # What is out of order.
    r"lacks?|at risk|in danger|held up|(?<!got )(?<!was )(?<!were )(?:blocked|stuck) (?:by|on|at|in|until)|keeps? (?:\w+ly )?\w+ing|"
    r"(?:leaks|drips|fails|jams|sticks|stalls|hangs(?! (?:in|from|beside|behind|by|at|inside|over|above|under|up|free\w*|on (?:its|his|her|a|an) )\b)|crashes|freezes|breaks|refuses|rejects|times out)(?! (?:if|unless|when)\b)|(?:failed|crashed|broke|died|stalled) again|"
    rf"(?:is|are|'re|remains?|stays?) (?:still |now )?(?:{_LAME})(?!(?<=open) again| (?:of|end|to|by|from|for|on \w+ \d)\b)|(?:is|are) too \w+|"
    r"has an? (?:gap|hole|leak|crack|fault)|every (?:single )?(?:day|night|morning|time)|we have no|(?:could not|couldn't) reach|"
    r"(?:cannot|can't)(?!:| [^,.;]* any ?more\b| (?:come back|go wrong|happen again|fail)\b)|"
    r"(?!(?:they|we|you|he|she|it|who|that|which|what)\b)(?-i:[a-z]+) (?:does|do)(?: not|n't) (?!want|mind|like|need|matter|mean|care|say|think)\w+|"
    # What is asked for.
    r"wants?(?! ?[.,;]|$)|would like|(?:(?:an?|the|one|open) )?question (?:is|for|to|of|whether|remains)|question(?=:|\W*$)|"
    r"(?<!not been )ask(?:s|ed)?(?: [\w.']+){0,5}? (?:for|to|if|whether|about|by|who|when|how|what|why|again)|(?:^|'ve |have )asked)\b|"
    r"(?:\bnot|n't) (?:yet )?(?:know|ready|coming|here|there|back|done|finished|tested|proven|begun|started|"
    r"(?:found|approved|paid|merged|delivered|fixed|solved|clear|installed|booked|repaired|cleared)(?! (?:by|in|at|from|to|with|for|on|as)\b))\b|'m to \w|'d like\b|\?$",
    re.I,
)
#: What is done again and again, or for good, is not left to be done.
_HABIT = re.compile(
    r"\b(?:always|every(?! single)|each|(?:anything|anyone) (?:above|below|over|under|who|that)|whoever|from now on|standing rule|the same (?:day|evening))\b",
    re.I,
)
#: What a clause that leans on another says by the way.
_LEANING = re.compile(
    r"^(?:while|when) \w+ing(?= (?:I|we|he|she|they)\b)|(?:^|(?<=[,;.:] ))(?:while|when|whenever|although|though|if)\b[^,.;:?]*|"
    r" (?:who|whose|whatever|whoever|where)\b[^,.;:?]*| (?:if|unless) [^,.;:?]*\b(?:not|cannot|no)\b[^,.;:?]*|\ban? (?:\w+ ){1,2}(?:cannot|can't)\b[^,.;]*|"
    r"\b(?:since|because|as|when|while) (?:it|he|she|they|we|I|the|there|nobody|no one)\b[^.;:]*",
    re.I,
)
#: The writer tells what was done, or what was left alone.
_REPORT = re.compile(
    r"^(?:(?:I|we)(?: also| then| again| both| \w+ly)? )?"
    r"(?:did(?:n't)?|(?!ask|need|promis|fail|block|stall|delay|reject|refus|lack|miss)\w{3,}ed|kept|held|sent|made|took|gave|told|"
    r"went|came|found|wrote|brought|left|put|ran|met|saw|got|chose|built|drew|began)\b(?! by\b)",
    re.I,
)
#: That there was none of something is how things stand, unless it is still looked for.
_ABSENT = re.compile(r"^(?:there (?:is|are|was|were) )?(?:still )?no\b", re.I)
_LOOKED_FOR = re.compile(
    r"^still no\b|\bno (?:\w+ ){0,2}?(?:answer|reply|response|word|decision|date|owner|access|approval|"
    r"news|feedback|root cause|cause|fix|solution|plan|contract|budget|replacement|confirm\w*)\b|\b(?:yet|so far|since|works?)\b",
    re.I,
)
#: What is only gone on with has no end to reach; what may happen has not.
_GOES_ON = re.compile(
    r"^(?:please )?(?:continu(?:e|ing)|keep(?:ing)?|maintain(?:ing)?|preserv(?:e|ing)|watch(?:ing)?|monitor(?:ing)?|resum(?:e|ing)|"
    r"remain(?:ing)?|stay(?:ing)?|reinforc(?:e|ing)|refin(?:e|ing)|observ(?:e|ing)|carry on|hold (?:the|to|on))\b",
    re.I,
)
_IF = re.compile(r"^\"?(?:if|in case|should(?! be\b| have\b))\b[^?]*$", re.I)
_FINE = re.compile(
    r"\b(?:is|are|was|were|looks?|looked|seems?|stays?|stayed) (?:\w+ly |very |quite |now |all |back |up and )?"
    r"(?:good|fine|ok|okay|great|done|stable|clean|healthy|in place|complete|unchanged|settled|solved|fixed|running)\b",
    re.I,
)
#: A question that is told with its answer.
_ASKED = re.compile(
    r"\?$|\b(?:asked|asks|to ask|wondered) (?:[\w.']+ ){0,4}?(?:whether|if|when|how|what|who|why|for|to|by|about)\b|"
    r"\b(?:wants?|wanted) (?:to know|an?)\b|\bquestion (?:from|to|for)\b",
    re.I,
)
_REPLY = re.compile(
    r"^(?:i |we |\w+ )?(?:says?|said|answer\w*|repl\w+|told (?:him|her|them|\w+)|confirmed|made|gave|yes|no|can't|cannot)\b(?! (?:nothing|word))|"
    r"^(?:explained|showed)\b|^[^?]{2,60}, (?:yes|no)\W*$|^\w+(?: \w+ed)?: |^(?:it|they|he|she|we|I) (?:is|are|was|were|does|do|did|has|have|can|will)\W*$",
    re.I,
)
#: The same in one breath: "asked Ove whether it froze before: in 1911, says he".
_ANSWERED = re.compile(
    r"\b(?:asked|asks|wondered) (?:[^:;.]* )?(?:whether|if|when|how|what|who|why|for|about)\b[^:;.]*: (?P<answer>[^?]+)$",
    re.I,
)
#: A file or an address alone asks nothing of anybody.
_ARTEFACT = re.compile(r"^`?[\w@./~:-]*[/.][\w/][\w./~:-]*`?(?: - .*)?$")
#: What is quoted, added in brackets, counted as none or said to be the purpose is not how things stand.
_BESIDE = re.compile(
    r"\"[^\"]*\"|\([^()]*\)|\b(?:0|no|zero|none|nothing) (?:\w+ )?(?:lost|loss|losses|fail\w*|missing|errors?|broken|rejected|refused)\b|"
    r"\bwithout a word\b|\bupside down\b|\bsold out\b|\b(?:none|nobody|no one)(?:'s| is)? (?:late|(?:in a )?panic)\b|"
    r"\b(?:has|have|'ve|'s) (?:stuck|hung) (?:an?|the|it|them|her|his|my|our)\b|"
    r", which (?:corrects|fixes|mends|solves|prevents|avoids|removes|repairs)\b[^.;]*|,? so (?:that )?(?:\w+ ){1,3}(?:can't|cannot|does not|do not|doesn't|don't|never|no longer)\b[^.;]*",
    re.I,
)
#: Why something was so is told of what has been looked into.
_WHY = re.compile(r"^(?:reasons?|(?:root )?cause|why|lessons?(?: learned)?|finding)$", re.I)
_MEANT = re.compile(
    r"\b(?:parked|shelved|put on ice) (?:until|till|for)\b|\b(?:that|this|which|it) (?:is|was) (?:intended|by design|on purpose|expected|as it should)\b",
    re.I,
)
#: Who mended it, said right after what was wrong.
_MENDED = re.compile(
    r"[.;] (?:[A-Z]\w+|I|We)(?: \w+ly| then| has)? (?:fixed|renewed|replaced|repaired|mended|restarted|restored|corrected|"
    r"cleared|reset|patched|removed|solved|resolved|paid) (?:it|them|that|this|both)\b[^.;]*\.?$"
)
#: That it was looked into and found to be well.
_WELL = re.compile(
    r"\bnothing (?:more |else |left )?to (?:do|fix|worry about)\b|\bnothing (?:was |is )?(?:lost|broken|damaged)\b|\bno action(?: is)? needed\b|\bharmless\b|\bhelped\b|\bfrom now on\b|"
    r"^(?:why|how)\b[^?]*$",
    re.I,
)
_WAS = re.compile(r"^(?:it|they|that|this|he|she) had\b", re.I)
_TASK = re.compile(
    r"^(?:to-?dos?|tasks?|actions?|next|open|left (?:lying|undone)|blocked|blockers?|must|needs?)\b",
    re.I,
)
#: So many things or fewer make no list, and days after which one is out of date.
_FEW, _WEEK = 2, 7
#: As many things with commas between them are a list where each is named in no more words than these.
_RUN, _NAMED = 4, 4
#: Days without a word after which nobody waits any more: for what was called open, and for the rest,
#: where on so many of them something was told.
_SILENCE, _HUSH, _TOLD = 20, 7, 5
#: After the last day there is.
_NEVER = "9999-12-31"


def still_open(
    units: Sequence[Unit], settled: Mapping[int, Unit], *, monthly: bool = False
) -> frozenset[int]:
    """The places of the open items that no later entry settles and no passed day has ended.

    `monthly` they are those that outlive the month, whichever day its last week ends on.
    """
    settling = {unit.at for unit in settled.values()}
    settling |= {
        one.at
        for one, then in pairwise(units)
        if then.entry is one.entry
        and _ASKED.search(one.text)
        and _REPLY.match(then.text)
        and not (then.section == cues.OPEN and _says_open(then.text))
    }
    days = sorted({unit.entry.day for unit in units if unit.entry.day})
    told = days[-1] if days else date.min
    last = end_of_month(told) if monthly else told
    end = last.isoformat()
    over = met(units).keys() | dropped(units)
    boxed = {(u.entry.day, u.place) for u in units if u.box is not None}
    lately = shifted(told, -_WEEK)
    return frozenset(
        unit.at
        for unit in units
        if unit.section == cues.OPEN
        and unit.at not in settled
        # A list tells what stood open on its day, and is soon out of date.
        and (parts_of(unit.text) == 1 or not unit.entry.day or unit.entry.day > lately)
        and not _is_faded(unit, days, last)
        and (unit.at not in settling or OWES.search(unit.text) is not None or ahead(unit, end))
        and (not _NONE.match(unit.text) or is_silent(unit.text))
        and not passed(unit, end, whole=last > told)
        and unit.at not in over
        and not (tells_change(unit.text) and not (is_announced(unit) or ahead(unit, end)))
        and _is_item(unit, (unit.entry.day, unit.place) in boxed)
    )


def _is_faded(unit: Unit, days: Sequence[date], last: date) -> bool:
    """Whether nothing but a day long ago speaks for an item: no box to tick, no time to come.

    `days` are those on which something was told.
    """
    spoken = [one.entry.day for one in (unit, *unit.folded) if one.entry.day]
    if not spoken:
        return False
    since = (days[-1] - max(spoken)).days
    if since <= (_SILENCE if is_listed(unit) else _HUSH):
        return False
    if since <= _SILENCE and sum(day > max(spoken) for day in days) < _TOLD:
        return False
    if unit.box is False or ahead(unit, last.isoformat()):
        return False
    return not any(MONTHS.index(name.lower()) >= last.month for name in months_in(unit.text))


def parts_of(text: str) -> int:
    """How many things a sentence lists; one where it is no list."""
    parts = 1 + max(text.count("; "), text.count("), "), text.count(" · "))
    if parts > _FEW:
        return parts
    named = text.rpartition(": ")[2].split(", ")
    return len(named) if len(named) >= _RUN and _are_named(named) else 1


def _are_named(parts: Sequence[str]) -> bool:
    return all(part.count(" ") < _NAMED for part in parts)


def _is_done(unit: Unit) -> bool:
    """Whether a label says of a sentence that it is done."""
    label = cues.label_of(unit.said)
    return cues.is_plain_label(label) and cues.announced(label) == cues.OUTCOMES


def _is_item(unit: Unit, boxed: bool) -> bool:
    """Whether something can be done about a sentence: no report, state, habit or mere case.

    Under a heading where others are `boxed`, what has no box is a remark, and says itself if it
    is open.
    """
    if is_task_row(unit) or (unit.entry.kind == "row" and ROW_OPEN.search(unit.text)):
        return True
    if DONE.search(unit.text):
        return False
    announced = is_announced(unit) if boxed else is_listed(unit)
    if not announced and (_is_met(unit.text) or _is_done(unit)):
        return False
    own = unit.entry.day.isoformat() if unit.entry.day else _NEVER
    dated = bool(after(unit, own)) and not _is_a_span(unit.text)
    announced = announced or dated or _waits(unit.text)
    if not announced and not _says_open(unit.text):
        return False
    if is_for_a_day(unit) and _REPORT.match(unit.text):
        # "Revised budget", in a list for tomorrow, is what it is to be then.
        return not cues.settles(unit.text)
    return _can_be_done(unit.text, unit.said, announced, dated)


def _is_a_span(text: str) -> bool:
    """Whether the day to come is one from which or up to which something holds."""
    return BEGINS.search(text) is not None or VALID.search(text) is not None


@lru_cache(maxsize=1 << 13)
def _waits(text: str) -> bool:
    """Whether somebody waits for something here, and not for what the same words answer."""
    if LASTS.search(text):
        return True
    return is_silent(text) and not any(
        _is_answered(part, then) for part, then in pairwise(_parts(text))
    )


def _parts(said: str) -> list[str]:
    return [part for one in split(said) for part in one.split("; ")]


def _is_answered(said: str, then: str) -> bool:
    return _ASKED.search(said) is not None and _REPLY.match(then) is not None


@lru_cache(maxsize=1 << 13)
def _says_open(text: str) -> bool:
    """Whether a sentence says of itself that it leaves something open, and not by the way."""
    beside = _BESIDE.sub(" ", text)
    said = text if beside.rstrip(" .").endswith(":") else beside
    if OWES.search(text):
        return True
    return any(
        _leaves_open(part) and not _is_answered(part, then)
        for part, then in pairwise((*_parts(said), ""))
    )


def _leaves_open(said: str) -> bool:
    """Whether its own clause leaves something open: no story, no habit, nothing met."""
    answer = _ANSWERED.search(said)
    if answer and not (is_silent(answer["answer"]) or UNDONE.search(answer["answer"])):
        return False
    told = _LEANING.sub(" ", said).strip(" ,")
    if not UNDONE.search(told) or _is_met(said):
        return False
    if _WAITED.search(told):
        return True
    return not (_REPORT.match(told) or _HABIT.search(told))


@lru_cache(maxsize=1 << 13)
def _is_met(text: str) -> bool:
    """Whether a trouble is told as the reason of what was done about it."""
    met = _THEREFORE.match(text)
    if met is None or _WAITED.search(met["why"]) or LINGERS.search(met["what"].removeprefix("no ")):
        return False
    return cues.judge(met["what"], "", ())[0] != cues.OPEN


@lru_cache(maxsize=1 << 13)
def _can_be_done(said: str, entry: str, announced: bool, dated: bool) -> bool:
    if cues.checkbox(entry) is False:
        return True
    if (
        _WHY.match(cues.label_of(entry))
        or _COLOUR.match(said)
        or _NEVER_WAS.search(said)
        or cues.denies(said) == "this"
        or _MEANT.search(said)
        or _MENDED.search(said)
        or _WELL.search(said)
    ):
        return False
    # Where all that is said is a quotation, it is how things stand.
    beside = _BESIDE.sub(" ", said)
    text = HAD.sub(" ", said if beside.rstrip(" .").endswith(":") else beside)
    if text != said and not (
        announced or OWES.search(text) or cues.judge(text, "", ())[0] == cues.OPEN
    ):
        return False
    if not text.strip(" .") or _WAS.match(said):
        return False
    if _ARTEFACT.match(text) or _IF.match(text):
        return False
    if (
        not dated
        and cues.states_preference(text)
        and not (_WAITED.search(text) or _REQUEST.search(text))
    ):
        return False
    if not announced and cues.settles(text) and not (LINGERS.search(text) or _LEFT.search(text)):
        return False
    if _ABSENT.match(text):
        return _LOOKED_FOR.search(text) is not None
    if UNDONE.search(text) or is_silent(text):
        return not _GOES_ON.match(text)
    if _TASK.match(cues.label_of(entry)):
        return True
    return not (_REPORT.match(text) or _GOES_ON.match(text) or _FINE.search(text))
