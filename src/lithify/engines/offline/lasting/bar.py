"""What is worth a memory beyond its week: rules, preferences, roles and decisions that last.

An event of the past, a thing of one day and a state that merely goes on are none of these.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from lithify import cues
from lithify.calendar import parse_day, shifted
from lithify.cues.letters import small
from lithify.text.atoms import find_atoms
from lithify.text.dates import could_name_date, find_dates
from lithify.values import TypedMemory

_TO_AGENT = re.compile(
    r"\b(?:corrected|stopped|scolded) (?:me|the agent)\b|\b(?:feedback|correction) from [A-Z]|"
    r"\b(?:reminded|warned|taught) (?:me|the agent)(?: again)?(?:[:,]| (?:not|never|always|to|against)\b)|"
    r"\b(?:told|asked) me (?:not|never|always|to (?:always|never|stop|keep|use|write|put|send|give))\b|"
    r"\b(?:asked|asks)(?:, [^.;:,]{2,30},)? that (?:I|we) (?:stop|no longer|never|not|always|only)\b|"
    r"\b(?:wants|expects) me to\b|"
    r"\bI(?:'m| am) (?:not|never|only) to\b(?! (?:mention|speak of|repeat|tell|talk about|pass on) (?:it|this|that|them|anyone|anybody)\b)|\bI may not\b|\bI may (?:now |only )?\w+[^.;]{0,60}\b(?:without asking|nothing else|(?:and )?no more|by myself|on my own)\b|"
    r"\bup to \W?\d[^.;]{0,20} I may\b|\bI ask (?:her|him|them|(?-i:[A-Z])\w+) (?:first|even)\b|"
    r"\balways ask (?:her|him|them|(?-i:[A-Z])\w+)(?: first)?\b",
    re.I,
)
#: What is still to be asked or awaited has not been told yet.
_OPEN = re.compile(r"^(?:await|ask|confirm|wait|check|watch)\b|\b(?:if|whether|unless)\b", re.I)
_ROLE = re.compile(
    r"\b(?:is|are) (?:the |our |my |their |a |an |now |also |responsible |in charge )*"
    r"(?:owner|lead|head|manager|contact|director|engineer|designer|analyst|founder|chair|"
    r"reviewer|maintainer|counsel|accountant|assistant|sponsor|expert|specialist|stand-in|"
    r"responsible|in charge)\b|\b(?:is|are) [^.;,]{0,40}\b(?:manager|lead|director|owner)\b|"
    r"\bowns (?:the )?(?!that\b|this\b|it\b)\w+|\b(?:reports to (?=[A-Z])|takes over(?! the \w+ (?:to|with|from) [A-Z])|speaks (?=[A-Z])|"
    r"works (?:only )?(?:on )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?(?:(?<=s)| (?:to|until|and|or) \w+day)|"
    r"is (?:(?:in|here|there|around|at work) )?(?:only )?(?:on )?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days(?: (?:and|to|or) \w+days)?(?: only|,? and not otherwise|,? and never otherwise)?(?= *(?:$|[.,;)]))|is (?:in|here) (?:Mon|Tues|Wednes|Thurs|Fri)day (?:to|through|until) \w+day|(?:is|works)(?: in)? (?:two|three|four|\d) days a week|"
    r"joined as|is called|goes by|leaves at \d[\d:.]*(?: [ap]m)? on \w+days|has (?:\w+day )?(?:mornings|afternoons|evenings|\w+days) off)\b|"
    # A person works at a place of work; keyboards work in calendars, and people at what is at hand.
    r"(?:^|\b(?:[A-Z]\w+|he|she|who|now|also|mostly|usually) )works (?:from|part|(?:at|in) "
    r"(?!it\b|this\b|that\b|the (?![\w ]{0,20}\b(?:office|team|lab\w*|department|kitchen|shop|school|depot|studio|archive|warehouse|workshop)\b)))\b"
)
_NOBODY = re.compile(r"\b(?:nobody|no one|no longer|never)\b", re.I)
_RULE = re.compile(
    r"\b(?:house|standing|new|firm|old|golden) rule\b|\b(?:her|his|their|our|my) rule\b|\brules? (?:is|says?) (?:that|to)\b|\ba rule\b(?<!as a rule)|\brule:|(?:^|[:;,] |\b(?:must|should|shall|will|please|to|and) )always\b|\bfrom (?:now|here) on\b|^every\b|\bevery \w+ (?:needs|must|gets|goes)\b",
    re.I,
)
#: An order at the head of its clause, or a ban that says so.
_ORDER = re.compile(
    r"(?:(?:^|[:;]\s|, (?:and |but )?)(?:please )?(?:do not|don't) \w+|"
    r"(?:^|[:;]\s|, (?:and |but )?|\band )(?:please )?never (?!\w+ed\b|again\b(?! \w+ \w)|what\b|on\b|(?:known|seen|heard|done|made|been)\b|(?:saw|found|gave|took|told|sent|knew|thought|left|ran|felt|kept|held|paid|wrote|said)\b|"
    r"(?:cut|put|set|read|shut|hit|run|let)(?=[.;,]|$)|\w+[^\Ws]s (?:the|its|an?|any|his|her|their|it|them|up|down|back|out|off)\b)\w+)|"
    r"(?:^|:\s)no (?!(?:open|known|new|log|entry|entries|record|sign|signs|trace|word|news|rule|limits?|answer|reply|luck|progress|trouble|problems?|doubt|reason|owner|owners|date)\b)(?:more )?(?:[\w-]+ ){1,3}(?:on|after|before|between|during|without|until|outside|under) |"
    r"\bmust (?:not|never)\b|\bmay not\b(?! have\b| be (?!\w+(?:ed|en)\b))|\b(?:is|are) never\b|\bnot to be \w+ed\b|\bunder no circumstances\b|"
    r"\b(?:not allowed|forbidden|prohibited|off[- ]limits|banned)\b|"
    r"\bwithout (?:\w+'s |prior |explicit |written )(?:\w+ )?(?:approval|consent|permission|review|sign-?off)\b",
    re.I,
)
#: A word on one thing that stands before one, or of one moment: `don't sand it again`, `Don't push me.`
_OF_IT = re.compile(
    r"^\W*(?:please )?(?:do not|don't) \w+ (?:(?:it|this|that|them|these|those|him|her)\b|(?:me|us)\W*$)|"
    r"^\W*\w+ (?:it|them), (?:and )?(?:do not|don't) \w+ (?:it|them)\b|^\W*(?:keep|leave|hold) (?:it|them|that) (?:till|until|here|there)\b",
    re.I,
)
#: What is quoted in brackets is told as somebody's words on a thing: `a note ("do not touch")`.
_CITED = re.compile(r"\s*\([^()\"]*\"[^()\"]*\"[^()\"]*\)")
#: What is put in brackets beside an event makes no rule of it: `fell to 40 (net, always)`.
_BESIDE = re.compile(r"\s*\([^()]*\)")
#: What was not on the one day that is named: `No leaks on Sunday.`
_OF_A_DAY = re.compile(
    r"^no (?:[\w-]+ ){1,3}on (?:mon|tues|wednes|thurs|fri|satur|sun)day(?=\s*(?:[.(;!]|$))", re.I
)
#: Who does a thing from now on is news of that person.
_ANOTHER = re.compile(
    r"\bfrom (?:now|here) on (?:it|that|this)(?: is|'s| will be) (?-i:[A-Z])", re.I
)
#: Circumstances of one hour, told in a row: what one may not do is one of them.
_JUST_THEN = re.compile(r"\b(?:was|were|had)\b[^.;:]*, (?:and )?$", re.I)
#: A number of one ticket or change: what is asked of it is done with it.
_ONE_CASE = re.compile(r"(?<![\w`])#\d+\b")
#: What things are that must not be touched is said, and not that they must not.
_RELATIVE = re.compile(r"s (?:that|which|who) [\w ]{0,30}?\bmust (?:not|never)\b", re.I)
_TALKS = re.compile(r"\bwants? to (?:talk|discuss|know|see|ask|hear)\b", re.I)
#: `Keep it short and don't repeat it`: after an order, and nowhere else, this forbids.
_AND_NOT = re.compile(
    r"(?:^|[:;]\s\"?|\")(?:please )?(?:keep|use|put|write|send|ask|hold|give|take|check|make|leave|start|stop|wait|let|tell|stay|be)\b"
    r"[^.;:]*\band (?:do not|don't) \w+",
    re.I,
)
_DECIDES = re.compile(
    r"\b(?:decided|agreed|chose|settled on|opted|ruled|rejected (?:the|an?|his|her|their|our|its|it|that|this|any|all|(?-i:[A-Z])\w+)|"
    r"(?:is|was|has been) rejected|postponed|put off|deferred|made (?:it|this) a rule|"
    r"goes? with|going with|stay(?:s|ing)? with)\b",
    re.I,
)
#: Somebody chooses, be it for one matter; with its reason that is worth a memory.
_CHOOSES = re.compile(
    r"\b(?:(?:has |have |had )?(?:decided|chosen|chose|settled on|opted|agreed)|changed (?:her|his|their|our) minds?|"
    r"said (?:yes|no)(?: at once)?|(?:is|was|are|were) (?:withdrawn|put off|postponed|parked|dropped|called off)|"
    r"(?:goes|go|moves|comes down|going) from \S+[^.;]{0,40}? to|(?:takes|took) (?:it|the \w+)(?=[.,;]|$)|and not the|replaces|^instead of [^.;]{5,60}? wants)\b",
    re.I,
)
_WITHDRAWS = re.compile(
    r"\b(?:decision|agreement|plan|rule)\b[^.;:]{0,60}\b(?:is|was|has been) (?:withdrawn|reversed|taken back|overturned|dropped)\b",
    re.I,
)
#: A yes to what only the words before it tell.
_ASSENT = re.compile(
    r"^[A-Z][\w'-]* (?:agreed|agrees)(?: on the spot| at once| straight away| immediately| too)?"
    r"(?=[.,;]|$| (?:since|because|as)\b)"
)
_TAKES = re.compile(
    r"^we(?:'ll| will)? (?:take|go with|buy|stay with|offer) \S[^.;?]*,? (?:and )?not \S", re.I
)
_LASTING = re.compile(
    r"\b(?:from (?:now on|20\d\d)|until|launch\w*|deadline|go-?live|because|policy|budget|contract|"
    r"goal|target|standard\w*|adopt\w*|instead of|rather than)\b",
    re.I,
)
_PASSING = re.compile(
    r"\b(?:today|this morning|this afternoon|tonight|right now|at the moment|just now|for now|so far|"
    r"tomorrow|later today|that one|this one|this time|(?:just|only) this once|no longer needed|no comment)\b",
    re.I,
)
#: A question, a thought that is not finished, what somebody has done, an errand for one day.
_MOMENT = re.compile(
    r"^(?:bad|good) news\b|\bwould like to (?:meet|see|talk|speak|think|know|hear|ask|wait|come|try)\b|"
    r"\basks? (?:\w+ )?(?:whether|if|why|who|when|where)\b|\bslept on it\b|\bstill (?:does not|doesn't|do not|don't) know\b|"
    r"\bpromis(?:es|ed) (?:\w+ ){1,3}?(?:for|by|on) [A-Z\d]|\bno \w+ing at \d{1,2}[:.]\d\d|\b(?:lowest|highest|peak) [−-]?\d|"
    r"\b(?:is|are) in there\b|\btold (?:us|me) something\b|(?:^|: )\W*now (?:I|we|he|she|they) wants?\b|(?:^|: )\W*I(?: have| had|'ve)(?! to\b| no\b) \w|"
    r"(?:^|: )\W*(?:ask|ring|call|phone|write|come|bring|send|tell)\b[^.;]{0,30}\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.I,
)
#: The writer reports what was done, or that things stay as they were.
_REPORT = re.compile(
    r"^(?:i|we) (?:\w+ed|kept|held|left|did|was|were|had|made|put|ran|sent|found|saw|gave|got|took|wrote|"
    r"went|am|have)\b|^(?:i|we)['’](?:m|ve|ll|d|re)\b",
    re.I,
)
#: A piece of work that is told to be over, whatever comes of it from now on.
_DONE = re.compile(r"^(?:[\w-]+ ){1,4}(?:done|finished|completed|sent)(?=[,;:.]|$)", re.I)
_CONTINUES = re.compile(
    r"^(?:(?:i|we|the \w+|\w+) )?(?:kept|held|preserved|maintained|retained|continued|stayed|remain(?:s|ed)?|"
    r"did not (?:change|introduce|alter|advance|broaden|infer|convert|expand|reopen|open|add|treat|let))\b|"
    r"\b(?:unchanged|no (?:new )?changes?|as before|still in force|remained|stayed (?:in|active|the|on))\b",
    re.I,
)
_SAME = re.compile(r"\b(?:unchanged|no (?:new )?changes? (?:on|to|in|since|at)|as before)\b", re.I)
#: What holds only while something has not happened yet.
_STATE = re.compile(r"\b(?:has|have|had) not\b|\bnot yet\b|\bstill (?:no|not|has|waiting)\b", re.I)
_WHY = re.compile(
    r"\b(?:because|since|reason|so that)\b|[,;] otherwise\b|\bafter (?=[^.;:]*\b(?:was|were|broke|lost|failed|went)\b)"
)
_FIGURE = re.compile(r"\d")
_ANY_DAY = date(2001, 1, 1)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_ANY_YEAR = re.compile(r"^--(?=\d{2}-\d{2}$)")
_BEGINS = re.compile(r"\b(?:from|since|effective|starting|as of) (?:[A-Z][a-z]+ )?$", re.I)
_DAY = re.compile(r"\b(?:from|until|by|since|till|effective|before|starting|as of) \W*$", re.I)
_INSTRUCTS = re.compile(
    r"\b(?:must|should(?! (?:get|have)\b)|always|never(?! \w+ed\b)|goes? through|go through|needs? to|has to|have to|may only|instead)\b|"
    r"^the (?:right )?way (?:is|to)\b|^(?:use|file|keep|ask|send|write|put|give|take|check|count|run|say|post|page|call|read|look|add|"
    r"set|make|leave|start|stop|wait|tell|note|do|let|store|convert|compare|lead|quote|fix|log|mark|"
    r"save|copy|test|review|report|name|begin|end|go|turn|close|open|move|try|avoid|include)\b",
    re.I,
)
#: A rule that is loosened or lifted: what it forbade is allowed from now on.
_RELAXES = re.compile(
    r": (?:now )?(?:allowed|permitted) |\b(?:"
    r"(?:is|are)(?: now| again)? (?:allowed|permitted|optional)\b|(?:is|are) (?:fine|ok|okay|possible) (?:again|now)\b|"
    r"may (?:now|again)\b|(?:you|we|they|everyone|anyone) may \w+[^.;\"]{0,30} now\b|"
    r"no longer (?:needs?|requires?|have to|has to|must|applies|apply|holds|forbidden|banned|required|necessary|mandatory|in force)\b|"
    r"(?:do|does)(?: not|n't) (?:apply|hold|need|require|have to)\b[^.;]*\bany ?(?:more|longer)\b|need not\b[^.;]*\bany ?(?:more|longer)\b|"
    r"(?:rule|ban|freeze|limit|requirement|restriction|policy|cap|prohibition|moratorium)\b[^.;]{0,40}"
    r"\b(?:is|are|was|were|been) (?:now )?(?:lifted|dropped|relaxed|rescinded|abolished|waived|suspended)\b|"
    r"(?:lifted|relaxed|dropped|waived|rescinded|loosened) the \w+ ?(?:rule|ban|freeze|limit|requirement|restriction|policy|cap))",
)
_UNTIL = re.compile(
    r"\b(?:until|till|through|up to) (?:the )?(\d{4}-(?:0\d|1[0-2])-(?:[01]\d|2[0-8]))\b", re.I
)
_SOON = 31
#: A term after which nothing of it is left to do.
_TERM = re.compile(
    r"\b(?:until|till|up to|through|for the (?:next|coming)|for (?:this|today|now)|this (?:week|month|sprint|time)|"
    r"by) (?:the (?:end of )?)?(?:\d{4}-\d{2}(?:-\d{2})?|\d{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2,8} \d{1,2}|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:two|three|few|\d+) (?:days?|weeks?)|tomorrow|tonight)\b|"
    r"\bfor the (?:next|coming) (?:\w+ )?(?:days?|weeks?|months?)\b|\bfor (?:today|now|the time being)\b|"
    r"\buntil (?:then|further notice|(?:we|i|they) (?:know|hear|have|get|see)|(?:he|she|they|it) (?:confirms?|answers?|repl(?:y|ies)|decides?|arrives?|comes? back|is back)|"
    r"(?:the|this|that) [\w-]+(?: [\w-]+)? (?:arrives?|comes?|(?:is|are|has|have) (?:back|here|in|known|signed|fixed|mended|found|arrived|come|answered|confirmed)))\b|"
    r"\bno (?:more )?new (?:things|features|work|tasks|changes|ideas|topics)\b|"
    r"\bwhile (?:I'm|I am|we're|we are|(?:he|she) is|(?:he|she)'s|they are|they're) (?:gone|away|out|off|abroad|on (?:holiday|leave))\b|"
    r"\bbefore (?:summer|autumn|winter|spring)\b|\b(?:(?:until|till) (?:the )?|before the )(?:summer|autumn|winter|spring|launch|release|audit|review|move|end of)\b",
    re.I,
)
_HOUR = re.compile(r"\b\d{1,2}(?::\d{2}| ?[ap]m)\b", re.I)
#: A sentence whose subject only those around it know.
_HANGING = re.compile(
    r"^(?:from|by|to|for|with|without|after|before) (?:him|her|them|it|this|that|these)\b(?! (?:day|date|week|year)\b)|^(?:he|she|they|it|this|these|those|his|her|their|its|the (?:others?|rest|former|latter)(?! of\b))\b(?! (?:is|means) )",
    re.I,
)
_PAST = re.compile(
    r"^(?:i|we|\w+ed|he|she|they) ?\b(?:\w+ed|was|were|had|did)?\b.*\b(?:was|were|\w+ed)\b", re.I
)


def told_to_agent(spoken: str) -> bool:
    """Whether a person tells the agent how to work."""
    told = _TO_AGENT.search(spoken)
    if told is None or _OPEN.search(spoken[: told.end()]) or _is_of_then(spoken):
        return False
    return not (_ONE_CASE.search(spoken) or dated(spoken))


def _is_of_then(text: str) -> bool:
    """Whether what the agent may not do is told in a row with how things stood at an hour."""
    told = _TO_AGENT.search(text)
    return told is not None and bool(_JUST_THEN.search(text[: told.start()]))


def passes(text: str) -> bool:
    """Whether the words are about the present day or case alone."""
    return bool(_PASSING.search(text))


def is_of_a_moment(spoken: str) -> bool:
    """Whether what somebody says is asked, thought over, told of themselves or wanted once."""
    return _MOMENT.search(spoken) is not None


def has_role(text: str) -> bool:
    """Whether the words say what a person is or is in charge of."""
    return bool(_ROLE.search(text)) and not (
        _PASSING.search(text) or cues.hedges(text) or _NOBODY.search(text)
    )


def rules(text: str) -> bool:
    """Whether the words say what to do or not to do, on every day and not on one."""
    if _DONE.match(text):
        return False
    text = ruling(text)
    if text.startswith("I "):
        return False  # a note to oneself
    if not _orders(text) or _REPORT.match(text) or _PASSING.search(text) or dated(text):
        return False
    order = without_reason(text)
    return not (
        _STATE.search(text)
        or _TALKS.search(text)
        or cues.judge(order, "", ())[0] == cues.OPEN
        or cues.hedges(order) - {"may"}
    )


def _orders(text: str) -> bool:
    """Whether the words forbid something, or bid it for more than the day."""
    text = _CITED.sub("", without_reason(text))
    if _RELATIVE.search(text) or _ANOTHER.search(text) or _is_of_then(text) or is_of_it(text):
        return False
    if _OF_A_DAY.match(text):
        return False
    text = _BESIDE.sub("", text)
    if cues.states_prohibition(text) and (_ORDER.search(text) or _AND_NOT.search(text)):
        return True
    return cues.states_rule(text) and bool(cues.states_practice(text) or _RULE.search(text))


def ruling(text: str) -> str:
    """The clause that gives the rule: what happened, told beside it, was of one day."""
    clauses = text.split("; ")
    if len(clauses) == 1:
        return text
    return next((one for one in clauses if _ORDER.search(one) or _RULE.search(one)), text)


@lru_cache(maxsize=1 << 12)
def relaxes(text: str) -> bool:
    """Whether a rule is loosened or lifted here, for good; asked of a rule beside every older one."""
    return bool(_RELAXES.search(small(text))) and not (
        _PASSING.search(text) or cues.hedges(text) - {"may"}
    )


def is_passing(text: str) -> bool:
    """Whether what is said ends by itself: until a day, for the week, before the launch."""
    said = without_reason(text)
    term = _TERM.search(said)
    # `never before 18:00, the books are closed until then`: every day until that hour.
    return term is not None and not (
        term[0].lower() == "until then" and _HOUR.search(said[: term.start()])
    )


def ends_soon(text: str, day: date | None) -> bool:
    """Whether what is said on a day holds until another that is near."""
    for match in _UNTIL.finditer(text):
        last = parse_day(match[1])
        if day is not None and last is not None and (last - day).days < _SOON:
            return True
    return False


def is_of_a_day(text: str) -> bool:
    """Whether the words are of one day or case, end by themselves, or tell what was done."""
    return is_passing(text) or passes(text) or dated(text) or reports(text)


def is_of_it(text: str) -> bool:
    """Whether an order is about the one thing that was spoken of before it."""
    return bool(_OF_IT.match(text))


def is_over_soon(text: str, day: date | None) -> bool:
    """Whether the last day that is named comes within a month: a plan, and nothing for later."""
    if day is None:
        return False
    named = [
        (_ANY_YEAR.sub(f"{day.year:04}-", atom.key), atom.start)
        for atom in find_atoms(text)
        if atom.kind == "date"
    ]
    last, at = max(((key, at) for key, at in named if _ISO.fullmatch(key)), default=("", 0))
    if not day.isoformat() <= last < shifted(day, _SOON).isoformat():
        return False
    return not (_BEGINS.search(text[:at]) or withdraws(text))


def hangs(text: str) -> bool:
    """Whether only the words around it tell whom or what a text is about."""
    return bool(_HANGING.match(text))


def decides(text: str) -> bool:
    """Whether a decision is told that binds beyond its day."""
    if _REPORT.match(text) or _PASSING.search(text) or _ASSENT.match(text):
        return False
    text = _CITED.sub("", text)
    return bool(_DECIDES.search(text) and _LASTING.search(text)) and not re.search(
        r"\b(?:not|un)\W?decided\b|\bwhether\b", text, re.I
    )


def chooses(text: str) -> bool:
    """Whether somebody makes a choice, for one matter or for good."""
    if _TAKES.match(text):
        return True
    if _REPORT.match(text) or text.endswith("?") or text.startswith('"') or _ASSENT.match(text):
        return False
    if not _CHOOSES.search(text) or not _CHOOSES.search(without_reason(text)):
        return False
    return not re.search(
        r"\b(?:not|un)\W?decided\b|\bnot (?:yet )?(?:said|agreed|chosen|settled)\b|\bto be (?:decided|agreed|chosen)\b|\bwhether\b|\bas (?:agreed|decided)\b",
        text,
        re.I,
    )


def withdraws(text: str) -> bool:
    """Whether a decision is said to hold no longer."""
    return bool(_WITHDRAWS.search(text))


def continues(text: str) -> bool:
    """Whether the words only report that something stays as it was."""
    return bool(_CONTINUES.search(text)) and not (_ORDER.search(text) and not _SAME.search(text))


def reports(text: str) -> bool:
    """Whether the writer tells what was done."""
    return bool(_REPORT.match(text))


def dated(text: str) -> bool:
    """Whether the words are about one day: a date stands in them that begins or ends nothing.

    So does a weekday of which nobody can tell whether it was or will be.
    """
    named = could_name_date(text)
    if not named and not _FIGURE.search(text):
        return False  # a date with its year has figures
    head = without_reason(ruling(text))
    for said in find_dates(head, _ANY_DAY) if named else ():
        if said.unclear == "either" and not _DAY.search(head[: said.start]):
            return True
    for atom in find_atoms(head):
        if atom.kind == "date" and _ISO.fullmatch(atom.key) and not _DAY.search(head[: atom.start]):
            return True
    return False


def without_reason(text: str) -> str:
    """The words up to where their reason begins."""
    return _WHY.split(text, maxsplit=1)[0]


def instructs(text: str) -> bool:
    """Whether a sentence says how a rule is applied."""
    return bool(_INSTRUCTS.search(text)) and not _REPORT.match(text) and not _PAST.match(text)


def weight(memory: TypedMemory) -> float:
    """How much a memory is worth beside the others of its week."""
    text = f"{memory.name} {memory.statement}"
    worth = {"feedback": 2.0, "user": 1.6, "reference": 1.4, "project": 1.0}[memory.type]
    worth += 0.6 * bool(memory.why) + 0.4 * bool(cues.states_rule(text))
    worth += 0.8 * bool(_TO_AGENT.search(memory.description))
    worth += 0.3 * min(3, len({source.partition("~")[0] for source in memory.sources}) - 1)
    return worth - 0.8 * bool(cues.hedges(text))
