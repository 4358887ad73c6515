"""Why something holds: the reason a sentence gives itself, or the one beside it gives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.lasting import announcing, bar, norms
from lithify.engines.offline.lasting.successors import supersedes_record
from lithify.engines.offline.lasting.titles import core
from lithify.engines.offline.reading.speech import opening_quotation
from lithify.engines.offline.reading.text import plain, split
from lithify.text.stems import COMMON_STEMS, stems_of
from lithify.text.tokens import estimate
from lithify.values import Entry

#: Tokens up to which a sentence can be a reason or an instruction.
ROOM = 45
_LABEL = re.compile("reasons?|why|because|grounds", re.I)
_REASON = re.compile(
    r"(?:,|;|\.)?\s+(?:because(?! of (?:that|this|it|them|these|those)\b)(?: of)?|so that|so as to|as otherwise|"
    r"given that|seeing that|on the grounds that|due to(?! (?:be|go|\w+ (?:on|in|by)\b))|in order (?:not )?to|"
    r"the reason (?:is|being)(?: that)?|reasons?:|lest|"
    r"since(?! (?:\d|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|last|"
    r"then|yesterday|early|late|mid|spring|summer|autumn|winter)\b|the (?:\w+ )?(?:launch|release|start|"
    r"deploy\w*|upgrade|move|meeting|morning|weekend|incident|outage)\b)))\s+(.+?)[.;]?$",
    re.I,
)
#: What happened before a rule was made, where only something gone wrong can be meant.
_AFTER = re.compile(
    r",?\s+((?:ever since|after)\s+(?!every\b|each\b|any\b|all\b|that\b|which\b)[^.;:]*?\b(?:broke|failed|lost|leaked|crashed|"
    r"burned|burnt|vanished|complained|missed|went (?:wrong|down|out|missing|to)|got \w+|cost|locked|overwrote|deleted|"
    r"was (?:lost|sent|wrong|deleted|overwritten|missed|charged|down)|were (?:lost|sent|wrong|deleted|missed|charged))\b[^.;:]*)[.;]?$",
    re.I,
)
#: What would come of it otherwise, or never comes of it so.
_OR_ELSE = re.compile(
    r"[,;]\s+((?:otherwise|or else|so (?:that )?(?:nothing|nobody|no one|none|each|every|everyone|it never|they never)|where (?:he|she|they|we|it|nobody|no one) (?:cannot|can't|never|will not|won't))\s+[^.;:]{8,}?)[.;]?\"?[.;]?$",
    re.I,
)
#: An order or a statement, and after the colon what makes it one.
_COLON_REASON = re.compile(r"^([^:]{15,}):\s+([a-z][^:]{20,})$")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|makes?|made|will|would|can|could|cannot|costs?|reads?|sees?|goes|went|"
    r"needs?|broke|breaks|fails?|\w{3,}ed|\w{3,}s)\b|^(?:[Tt]hey|[Yy]ou|[Ww]e) \w+"
)
_REASON_SENTENCE = re.compile(
    r"^(?:the )?(?:reasons?|why|because|grounds)(?: (?:noted|given|in short|told)(?=:))?(?: (?:is|was|are)(?: that)?|:)?\s+(?!of\b)(.+?)\.?$",
    re.I,
)
#: A sentence that goes on about the one before it.
_GOES_ON = re.compile(
    r"^(?:it|that|this|they|he|she|you|otherwise|last (?:time|year|month|week)|once|in \w+ \d{4}|we (?:had|got|lost|were)|"
    r"then (?:the|it|they|nobody|everyone)|too (?:many|much|often)|(?:two|three) (?:[\w-]+ ){1,3}(?:had|was|were|did|\w{3,}ed)|nobody|no one|someone|somebody|one of)\b",
    re.I,
)
#: A reason has words enough for a subject and what is said of it.
_FEWEST = 4
_SUBJECT = r"(?:the|our|your|their|his|her|its|my|an?|this|that|it|they|we|you|without|with|on|in|most|some|people|nobody|no one|everything|everyone|[a-z-]+s)"
_IS = (
    r"(?:is|are|isn't|aren't|has|have|does not|doesn't|do not|don't|cannot|can't|can|will|won't|needs?|costs?|makes?|takes?|matters?|counts?|"
    r"reads?|sees?|goes|go|knows?|breaks?|fails?|drifts?|drops?|[a-z]{2,}s)"
)
_STATIVE = re.compile(rf"^{_SUBJECT}\b(?: [\w'-]+){{0,5}}? {_IS}\b", re.I)
_EVENT = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|this (?:morning|week|afternoon|evening|time)|now|agrees?|backs|"
    r"was|were|did|ran|sent|made|gave|took|went|came|told|asked|fixed|added|moved)\b|^\W*I\b",
    re.I,
)
#: What binds all: `Clause 4 of the lease says …`, `… the auditor found last year`
_BY_NORM = re.compile(
    r"\b(?:clause|contract|law|guideline|regulation|standard|auditor|inspector|insurance|insurer)\b"
    r"[^.;]*\b(?:says?|demands?|requires?|forbids?|wants?|found)\b",
    re.I,
)
#: What is so since, and what is to be at hand, is what was done about it.
_SINCE_THEN = re.compile(
    r"\bnow\b|\bplease\b|; (?:corrected|changed|done|fixed)\b|^new [a-z]+ `|"
    r"^(?:one|two|three|four|\d+) (?:[\w-]+ ){1,2}(?:in|on|at|for|per|to) (?:each|every|all)\b",
    re.I,
)
#: A word on what was said, and no ground for it.
_ANSWERS = re.compile(r"(?:agreed|yes|no|fine|right|good|ok|okay|thank|thanks|sure|noted)\b", re.I)
#: Who told the writer, and nothing yet of what.
_TELLS_ME = re.compile(
    r"[^,:]{1,30}\b(?:reminded|reminds|told|tells|warned|warns|asked|asks) (?:me|us)"
)
#: What the writer did about it is not why.
_OWN_DEED = re.compile(
    r"\W*(?:I\b|(?:he|she|they|we) (?:did|do|does|\w+ed) (?:it|that|this|so)\b)", re.I
)
#: What comes of a rule is not why: `So the fee is net.`
_FOLLOWS = re.compile(
    r"(?:so|hence|therefore|thus)\b(?! (?:that|far|many|much)\b)|"
    r"and (?:when|if|then)\b|in other words\b|that of\b|existing\b",
    re.I,
)
#: What somebody did about it is not why: `Ada has changed the form`.
_DEED = re.compile(
    r"^(?!(?:It|They|That|This|These|Those|One|Both|Nobody|People)\b)[A-Z][\w'-]*(?: [A-Z][\w'-]*)? (?:(?:has|had|have|also|then) )*(?:\w+ed|put|made|wrote|took|sent|gave|set)\b"
)
#: What is said of anybody is nothing that is open.
_GENERAL = re.compile(r"^(?:an?|nobody|no one|you|people|one)\b", re.I)
#: Where a rule was put down is not why.
_RECORDED = re.compile(
    r"^(?:it|this|that)(?:'s| is| was) (?:now )?(?:written|noted|filed|recorded|saved|changed|done|in|on)\b",
    re.I,
)
_BY_NAME = re.compile(r"^[A-Z][\w'-]*(?: [A-Z][\w'-]*)?: ")
_REFUSES = re.compile(
    r"^[A-Z][\w'-]*(?: [A-Z][\w'-]*)? (?:will not|won't|cannot|can't|does not want|refuses|fears)\b"
)
_WEIGHS = re.compile(r"\b(?:more|less|than|better|worse|too)\b", re.I)
#: What speaks for a thing or against it.
_WORTH = re.compile(
    r"\b(?:too (?:\w+ )?(?:good|late|early|little|few|many|much|long|risky|dear|tight|small|slow)|(?:more|less|better|worse|cheaper|dearer|faster|slower|easier|safer|simpler|longer|richer) (?:than(?! (?:one|two|three|\d)\b)|for|to|on)|"
    r"(?:is|are|so (?:is|are)) (?:cheaper|dearer|faster|easier|safer|simpler|slower)|saves?|costs? (?:more|less|nothing|us)|fed up|not worth|worth it|thin month|"
    r"would (?:leave|mean|cost|go|have to|make|take|be (?:wrong|lost|too))|(?:won't|wouldn't) have|nothing left|is not in\b|no (?:time|money|room|one to)|can't be|cannot be|used up|"
    r"complain\w*|risk\w*|wrong)\b",
    re.I,
)
#: What would come of it otherwise, as people say it after a rule.
_IF_NOT = re.compile(r"^if (?:it|they|you|that|one|something)\b", re.I)
#: What the one who asks for a thing cannot do without it, or does with it.
_OWN_NEED = re.compile(
    r"^(?:I'm (?!not|sorry|glad|sure)\w|I (?:can't|cannot|don't (?!know|think|mind|believe)|never|need|search|sort|read|use|look|have to|lose|get)\b)"
)
#: What went wrong before somebody learnt from it.
_WENT_WRONG = re.compile(
    r"\b(?:wrong\w*|mistak\w+|misread|never|nobody|not|missing|lost|fail\w*|broke\w*|died|stopped|skipp\w+|stale|late|twice|"
    r"by accident|empty|overwr\w+|deleted|forg[eo]t\w*|complain\w*|had (?:\w+ )?(?:been|taken|written|read|used|sent|put))\b|n't\b|\b0 ",
    re.I,
)
_COSTS = re.compile(r"\b(?:would|could|might|can) (?:have )?cost\b", re.I)
_LEARNT = re.compile(
    r"^(?:\w+ ){0,3}(?:lesson|takeaway|moral|learned|learnt|note to self|(?:preference and )?rule)\b[^:\"]{0,40}:",
    re.I,
)
_FROM_NOW_ON = re.compile(
    r"\bfrom (?:now|today|\d{4}-\d{2}-\d{2}) on\b|\bstanding rule\b|^new (?:rule|practice)\b", re.I
)
#: Words that a rule shares with what it came from, where nobody says that it was learnt.
_SHARED = 2
#: What somebody does or cannot do is why they want a thing; that they agree is not.
_HE_DOES = (
    r"(?:he|she) (?:(?:does not|doesn't|cannot|can't|never|only|hardly)\b|"
    r"(?!agrees|says|wants|asks|thinks|knows|is|has|does|was|likes|signs|tells)[a-z]+s \w+ \w)"
)
#: What stays as it is, or is to be done, is a part of what was decided.
_ALSO = re.compile(r"\b(?:stays?|remains?|(?:is|are) to be) ", re.I)
_SPLICE = re.compile(r"[;,]\s+|\s-\s")
#: After a mere comma a clause has a subject that is another's, or a thing's.
_OTHER_SUBJECT = re.compile(
    rf"^{_HE_DOES}|^(?:it|they|(?:the|our|their|his|her|its) [\w-]+(?: [\w-]+)?) "
    r"(?:is|are|has|have|does not|doesn't|do not|don't|cannot|can't|needs?|costs?|breaks?|fails?|drifts?)\b",
    re.I,
)
_CLAUSE = re.compile(
    rf"^(?:(?:it|they|you|the|our|their|his|her|its|an?|[a-z-]+s)\b(?: [\w'-]+){{0,4}}? {_IS}\b|it \w+s$|"
    r"(?:people|[a-z-]{4,}s) (?:ask|need|read|see|know|want|expect|lose|forget|break|get|complain|use|call)\b|"
    rf"{_HE_DOES}|"
    r"[a-z]+ing [^,;]{2,50} (?:is|are|costs?|takes?|makes?|breaks?)\b|\w+ says (?:that|it|this) \w+s\b)",
    re.I,
)


def stated_reason(sentence: str) -> str:
    """The reason a sentence announces as one, or nothing."""
    match = _REASON_SENTENCE.match(sentence)
    return match[1] if match else ""


def reason_of(entry: Entry) -> str:
    """The reason an entry announces as one, or nothing."""
    sentences = plain(entry, fit=False).sentences
    if not sentences:
        return ""
    stated = stated_reason(sentences[0])
    return stated or (sentences[0] if _LABEL.fullmatch(cues.label_of(entry.text)) else "")


def gives_because(text: str) -> bool:
    """Whether the sentence gives its reason with a word for it."""
    match = _REASON.search(text)
    return match is not None and match.start() > 15


def reasoned(text: str) -> tuple[str, str]:
    """The statement and its reason, if a clause of its own gives one."""
    for clause in (_REASON, _AFTER, _OR_ELSE):
        match = clause.search(text)
        # A reserve in the reason is a reserve on the whole.
        if match and match.start() > 15 and not cues.hedges(match[1]):
            _, announced, rule = match[1].partition(": ")
            whole = f"{text[: match.start()]}{announced}{rule}"
            told = _TELLS_ME.fullmatch(text[: match.start()])
            if rule and (rule.startswith('"') or told or announcing.teaches(whole) or _bids(rule)):
                # `a rule, put here so that I find it again: never …` says why it is put there.
                return whole, ""
            return text[: match.start()], match[1]
    colon = _COLON_REASON.match(text)
    if (
        colon
        and not supersedes_record(colon[1])
        and core(text).lower() != colon[2].rstrip(" .;,:!-").lower()
        and (cues.states_prohibition(colon[1]) or cues.states_correction(colon[1]))
        and _FINITE.search(colon[2])
        and not cues.states_prohibition(colon[2])
        and not bar.instructs(colon[2])
        and not cues.hedges(colon[2])
    ):
        return colon[1], colon[2]
    return text, ""


def explains(follow: str, statement: str, *, closely: bool = False) -> bool:
    """Whether the sentence after a rule tells what it is good for, and is no rule itself.

    `closely`: to speak of the same things is not enough.
    """
    words = follow.strip('"')
    if estimate(words) > ROOM or len(words.split()) < _FEWEST or not _FINITE.search(words):
        return False
    if _OWN_DEED.match(words) or _DEED.match(words) or _RECORDED.match(words):
        return False
    if _FOLLOWS.match(words):
        return False
    if _BY_NORM.search(words):
        return True
    if cues.hedges(words) or _SINCE_THEN.search(words):
        return False
    if _bids(words):
        return False
    general = is_so(words) and _GENERAL.match(words)
    if (cues.judge(words, "", ())[0] == cues.OPEN and not general) or cues.is_routine(words):
        return False
    shared = not closely and set(stems_of(words)) & set(stems_of(core(statement)))
    return bool(shared) or bool(_GOES_ON.match(words)) or is_so(words)


def says_why(follow: str) -> bool:
    """Whether the sentence after a rule is what somebody said to it: neither a rule nor a question."""
    if not (follow.startswith('"') and follow.endswith('"') and follow.count('"') == 2):
        return False
    words = follow.strip('"')
    if estimate(words) > ROOM or len(words.split()) < _FEWEST or words.endswith("?"):
        return False
    if _ANSWERS.match(words):
        return False
    return bool(_FINITE.search(words)) and not (_bids(words) or cues.hedges(words))


def is_own_need(follow: str) -> bool:
    """Whether who asks for a thing says what they cannot do without it: `I never know which one.`"""
    return bool(_OWN_NEED.match(follow)) and not (follow.endswith("?") or bar.passes(follow))


def grounds(follow: str) -> bool:
    """Whether the sentence after a decision says what spoke for it: how things are, or what someone
    will not have.
    """
    words = _BY_NAME.sub("", follow)
    if estimate(words) > ROOM or len(words.split()) < _FEWEST or cues.hedges(words):
        return False
    if _REFUSES.match(words):
        return True
    is_open = cues.judge(words, "", ())[0] == cues.OPEN and not _WEIGHS.search(words)
    return words != follow and is_so(words) and not is_open


def weighs(follow: str) -> bool:
    """Whether the sentence after a choice weighs it: what is dearer, too little, saved or lost by it."""
    if estimate(follow) > 2 * ROOM or len(follow.split()) < _FEWEST or follow.endswith("?"):
        return False
    if _OWN_DEED.match(follow) or _DEED.match(follow) or bar.rules(follow):
        return False
    return bool(_WORTH.search(follow)) and not cues.is_routine(follow)


def said_why(saying: Sequence[str]) -> str:
    """The last sentence of what somebody said, where it tells why what they said before it holds, or
    else one that names what binds them.
    """
    last = saying[-1]
    words = last.strip('"')
    fits = len(saying) > 1 and estimate(words) <= ROOM and len(words.split()) >= _FEWEST
    if fits and ((_IF_NOT.match(words) and not norms.bids(words)) or is_own_need(words)):
        return last
    if fits and _FINITE.search(words) and not (_OWN_DEED.match(words) or _bids(words)):
        shared = len(saying) == 2 and set(stems_of(words)) & set(stems_of(core(saying[0])))
        if shared or _GOES_ON.match(words) or is_so(words):
            return last
    return next((one for one in saying[1:] if _BY_NORM.search(one) and not _bids(one)), "")


def _bids(words: str) -> bool:
    return bar.rules(words) or bar.instructs(words) or norms.bids(words)


def learnt_from(rule: str, before: Sequence[str]) -> str:
    """What somebody learnt a rule from, as the sentences before it tell it: what went wrong with the
    same thing, or what it would have cost.
    """
    learnt = _LEARNT.match(rule)
    if learnt is None and not _FROM_NOW_ON.search(rule):
        return ""
    telling = frozenset(stems_of(core(rule))) - COMMON_STEMS
    for number, words in enumerate(reversed(before)):
        *_, last = split(opening_quotation(words)[0] or words)
        near = last != words or telling & frozenset(stems_of(last))
        if not number and (_COSTS.search(words) or (near and is_so(last) and not _bids(last))):
            return last
        if (
            _WENT_WRONG.search(words)
            and len(telling & frozenset(stems_of(words))) >= (1 if learnt else _SHARED)
            and estimate(words) <= ROOM
            and not words.endswith(("?", ":"))
            and not cues.hedges(words)
            and not _bids(words)
        ):
            return words
    return ""


def is_so(words: str) -> bool:
    """Whether the words tell how things are, and no event: `The pumps need an hour to recover`."""
    return bool(_STATIVE.match(words)) and not (_EVENT.search(words) or bar.dated(words))


def spliced(text: str, *, quoted: bool = False) -> tuple[str, str]:
    """A rule and the clause after it that gives its reason without a word for it.

    `We never use that balance; it drifts.` Who is `quoted` may give their own need for it.
    """
    for cut in _SPLICE.finditer(text):
        rule, clause = text[: cut.start()], text[cut.end() :].rstrip(".")
        if rule.count('"') % 2 or len(rule.split()) < _FEWEST or len(clause.split()) < 2:
            continue
        if quoted and _OWN_NEED.match(clause):
            return rule, clause
        if cut[0].startswith(",") and not _OTHER_SUBJECT.match(clause):
            continue
        if _CLAUSE.match(clause) and not (
            bar.instructs(clause)
            or _EVENT.search(clause)
            or _ALSO.search(clause)
            or cues.hedges(clause)
        ):
            return rule, clause
    return text, ""
