"""Rules in ordinary words: what somebody bids, forbids or says is always done, and who said it.

A rule is told by its form: an order, what "we" do or never do, what holds of any thing of a kind,
a word to be used in place of another. What was done once, what somebody saw to be so and what is
to be done today have other forms.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lithify import cues
from lithify.engines.offline.lasting import bar
from lithify.engines.offline.reading.text import split
from lithify.text.dates import MONTHS
from lithify.text.stems import is_empty

_NAME = r"[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,2}"
_SAYING = (
    r"(?:sa(?:id|ys)|told|tells|remind(?:ed|s)|repeat(?:ed|s)|insist(?:ed|s)|point(?:ed|s) out|stress(?:ed|es)|"
    r"warn(?:ed|s)|explain(?:ed|s)|wr(?:ote|ites)|add(?:ed|s)|ask(?:ed|s)|correct(?:ed|s)|agree[ds]|rul(?:ed|es))"
)
#: `Ines said of the page: "…"`, with at most a full stop after the quotation.
_QUOTES = re.compile(r"^([^\"]{2,140}):\s*\"([^\"]{8,})\"\W*$")
#: `"…", says Ines, who …`
_QUOTED_BY = re.compile(
    rf"^\"([^\"]{{8,}})\"?,?\"?\s+(?:{_SAYING}\s+({_NAME})|({_NAME}) (?:\w+ )?{_SAYING})\b"
)
#: `Idris reminded us that we …`
_TELLS = re.compile(
    rf"^({_NAME}) (?:\w+ly )?{_SAYING}(?: (?:me|us|you|everyone|everybody|the \w+|{_NAME}))?(?: again)?(?:,| that|:)? "
    r"(?=(?:we|you|one|nobody|no one|no-one|everyone|everybody|anyone|anything|any|every|each|all|never|always|no|"
    r"an?|when|whenever|not to|to (?:always|never))\b)"
)
#: `Wanda came in as well: names are never …`
_ANNOUNCES = re.compile(
    rf"^(?!(?:He|She|It|They|We|You|I|This|That|There|The|An?)\b)({_NAME})"
    r"(?:,| (?:in|on|at|by|to|about|once|again)\b|( (?:\w+ed|came|comes|went|rang|wrote|said|is|was)\b))[^:\".]{2,70}: (?=[a-z])"
)
_SAID_AFTER = re.compile(
    rf"^([^\"]{{8,}}?),? (?:{_SAYING} ({_NAME})|\(({_NAME})\))(?:,.*)?\W*$|^([^\"]{{8,}}?), ({_NAME}) (?:sa(?:id|ys)|repeat(?:ed|s)|insist(?:ed|s)|add(?:ed|s))\W*$"
)
_OPENS = re.compile(
    r"^(?:(?:please )?(?:remember|note)(?: that|:)? |reminder: |(?:and|but|so|also|then),? |(?:please|kindly),? |"
    r"(?:no|yes|right|well|stop)[.,!;] (?=[a-z])|"
    r"(?:from (?:now|today|tomorrow|\d{4}-\d{2}-\d{2})(?: on)?|in (?:the )?future|as a rule|in general|going forward)[,:]? |"
    r"(?:add|one more|another one): (?=[a-z])|"
    r"(?-i:[A-Z])[a-z]+, (?=(?:we|you|please|never|always|do|don't) ))+",
    re.I,
)
#: A place or a case before the order: `In the methods section we give …`
_CASE = re.compile(
    r"^(?:in|for|on|at|with|when|whenever|if|before|after|during|once) [^,;:.]{2,60}?"
    r"(?:,? (?=(?:we|you|one|nobody|no one)\b)|, (?=(?:never|always|do not|don't)\b))",
    re.I,
)
_PAST = (
    r"(?:sent|wrote|held|kept|left|paid|met|built|bought|sold|told|led|spent|chose|drew|drove|grew|broke|caught|heard|felt|"
    r"taught|began|became|brought|fell|flew|froze|rode|rose|rang|sat|slept|spoke|stood|stole|threw|understood|woke|wore|dealt)\b"
)
#: Verbs of mind, having and happening: to say that "we" do these is no order.
_MIND = (
    r"(?:know|knew|think|thought|believe|see|seem|feel|find|found|hear|want|need|have|has|had|get|got|like|love|enjoy|hope|"
    r"wish|expect|understand|agree|remember|recall|forget|forgot|worry|mind|care|mean|meant|look|come|came|go|went|am|are|is|was|"
    r"were|be|been|being|did|does|do|will|would|can|could|may|might|shall|made|make it|lost|lose|won|win|saw|said|made|miss|end|"
    r"stand|start|plan|wonder|hate|matter|even|really|yet|quite|more|enough|end|laugh|talk|learn|fail|struggle|manage|happen|wait|"
    r"own|owe|exist|work|match|just|also|seem|appear|suspect|doubt|support|offer|stop|ran|took|gave|put up|exactly|actually|fully|let|all|both|always|never|only|still|already|usually|often|sometimes)\b"
)
_VERB = rf"(?!{_MIND})(?!{_PAST})(?!\w+ed\b)[a-z][a-z-]+"
_FORBIDS = re.compile(
    rf"^(?:never|do not|don't|not to(?! the \d| \d))(?: ever)? (?:again )?{_VERB}", re.I
)
_HABIT = re.compile(
    rf"^(?:we|you|one|everybody|everyone) (?:now )?(?:always|never|only)(?: ever)? {_VERB} \S|"
    rf"^we {_VERB} (?:nothing|nobody|no [^.;:,]{{2,40}}?) (?:before|without|unless|until) \S|"
    r"^[^.;:]{3,60}? (?:is|are) \w+ by [^.;:]{2,20}, (?:and )?by (?:nobody|no one) else\b|"
    r"^[^.;:]{3,40}? stays? (?:on|at|in) [^.;:]{2,40}? (?:the|all) year(?: round)?\b|"
    r"^[^.;:]{2,60}? must (?:stay|remain|be kept) (?:under|below|above|over|within|at (?:least|most)) \S",
    re.I,
)
_WE_DO_NOT = re.compile(
    rf"^(?:we|you) (?:do not|don't|must|must not|must never|may not|may only|should never) {_VERB} \S",
    re.I,
)
_NOBODY = re.compile(
    r"^(?:nobody|no one|no-one) (?:(?:may|must|should|ever|is to|is allowed to) [a-z]|"
    rf"(?!knows|reads|has|is|was|needs|wants|said|saw|noticed|seems|could|can|did|will|would|likes|cares|{_MIND})[a-z]+s\b)",
    re.I,
)
_WE = re.compile(rf"^(?:we|you) (?:now )?{_VERB} \S", re.I)
_ORDER = re.compile(
    r"^(?:always |first )?(?:use|keep|put|write|store|label|name|give|take|run|wear|close|count|quote|avoid|send|ask|say|call|measure|"
    r"answer|check|read|test|page|sign|mark|copy|save|log|leave|start|tell|report|record|file|round|sort|show|include|make)\b",
    re.I,
)
#: Words that are no noun as well: a log's shorthand begins with those.
_PLAIN_ORDER = re.compile(
    r"^(?:always )?(?:use (?!of\b)|keep (?!\w+ing\b)|write|store|wear|avoid)\b[^:]*$",
    re.I,
)
#: `Exports with names are deleted after 30 days`
_DEALT_WITH = re.compile(
    r"^(?:all |new |old )?[a-z-]+s(?: [a-z-]+){0,5}? are (?!now\b|not yet\b|still\b|being\b|done\b)(?:\w+ ){0,1}?\w+(?:ed|en|ept|ade|ent|old|ut)\b",
    re.I,
)
#: What is said of all cases, or of one thing as against another.
_GENERAL = re.compile(
    r"\b(?:every|everything|each|always|never|ever|first|last|everywhere|anywhere|instead of|rather than|whenever)\b|"
    r", (?:and |but )?(?:not|never) |\band not\b",
    re.I,
)
_OF_ANY = re.compile(r"\b(?:any|anything|anyone|anybody|all)\b", re.I)
_CONTRAST = re.compile(
    r"^(?:we |you )?(?:say|write|call|spell)\b[^.;]+, (?:not|never) \w|^the word is\b[^.;]+, not \w",
    re.I,
)
#: `It's the Theatre, not the Theater`: a word put right, or a thing found out.
_IT_IS = re.compile(r"^(?:it's|it is|that's) ([^.;,]+), not ((?:an? |the )?[^.;,]+)", re.I)
#: Orders without a verb: `Units in brackets, everywhere.`, `No food at the bench.`
_BARE = re.compile(
    r"^(?!.*\b(?:is|are|was|were|isn't|aren't|wasn't|weren't)\b).*\b(?:everywhere|anywhere|always|ever|in everything [^.;]+|no exceptions|at all times)(?:,? please)?\W*$|"
    r"\balways (?:with|without|in|as|by|on|before|after|under)\b|"
    r"^(?:[\w-]+ ){1,3}(?:on|for|in|with|under) (?:anything|everything|every|each|all|any)\b",
    re.I,
)
#: `Names in full, never initials`: a way as against another, and no day or figure.
_AS_AGAINST = re.compile(
    r"^(?!.*\b(?:is|are|was|were|has|have|had|does|did|will|would|can|could)\b)[A-Z][^.;:\"?]{8,80}, (?:and )?"
    r"(?:never (?:the other|[a-z])|not (?:the other|[a-z]{4,}s\b))[^.;:]*\.?$"
)
#: `the names should begin with …`, `every rope is to be …`
_SHOULD = re.compile(
    r"^[^.;:,]{2,60}? (?:should|must|(?:is|are) to|has to|have to) (?:be )?\w+", re.I
)
_NONE = re.compile(
    r"^no (?!(?:one|need|news|answer|reply|changes?|errors?|open|known|new|log|entry|entries|record|signs?|trace|word|rule)\b)(?:[\w-]+ ){1,3}"
    rf"(?:at|in|on|under|after|before|between|during|without|inside|near|anywhere)\b(?! (?:{'|'.join(MONTHS)})\b)",
    re.I,
)
#: `use the crane, not hands`: one way as against another, and no one thing as against one.
_AGAINST = re.compile(
    r", (?:and )?(?:not|never) (?!(?:the|this|that|these|those|it|him|her|them|yet|only|just|even|before|now|on)\b)[a-z`\"]"
)
#: `sums in anything a guest sees are always net`
_ALWAYS = re.compile(
    r"^(?!(?:i|it|he|she|they|this|that|these|those|there)\b)[^.;:]{2,60}? (?:is|are) (?:always|never|only) "
    r"(?:with|without|in|by|as|under|net|gross)\b",
    re.I,
)
#: Any thing of a kind, and what becomes of it.
_KIND = re.compile(
    r"^(?:(?:an?|any|each|every|no) [^.,;:]{2,60}?|any(?:thing|one|body)\b[^.;:]{0,60}?|when(?:ever)? an? [^,;:.]{4,60}, (?:it|they|we|you))(?<! that)(?<! which)(?<! who) "
    r"(?:gets \w+|goes (?:back |straight |only )?(?:to|in|into|under|through|by|with|on)|stays? (?:in|on|at|with|out|off|under)|belongs? (?:in|to|on|under)|"
    r"must(?! be wrong\b| have\b)|needs? (?:an?|the|two|its|\w+'s)|has to|counts (?:as|only|for)|"
    r"is (?:only|never|always) (?!been\b)\w+)\b",
    re.I,
)
#: `ethanol is never stored there`, `a calibration is valid only if …`
_PASSIVE = re.compile(
    r"^(?!(?:i|it|he|she|they|this|that|these|those|there)\b)[^.;:]{2,50}? (?:is|are) (?:never to be (?:in|on|at|under)\b|(?:never|always|only)(?: to be)? (?!green\b|open\b|broken\b|often\b|even\b|frozen\b)(?:\w+(?:ed|en|ade|ept|ent|ought|old|ut)\b|valid\b))",
    re.I,
)
_DEFINITE = re.compile(r"^(?:the|this|that|my|his|her|their)\b", re.I)
_ONLY_ONCE = re.compile(
    r"^(?:an?|any|each|every|no|the|[a-z-]+s)\b[^.;:]{0,50}?\b(?:counts?|is|are|valid|holds?|goes|go|may|gets?|ships?|closes?)\b[^.;:]{0,25}"
    r"\bonly\b[^.;:]{0,15}\b(?:once|if|when|after)\b",
    re.I,
)
#: `Only members over sixteen may vote`
_ONLY = re.compile(
    r"^only (?:those|people|members|[a-z-]+s|(?:an?|the) [a-z-]+ [a-z-]+)\b[^.;:]{0,60}? (?:may|gets?|are allowed|is allowed)\b",
    re.I,
)
_NEW_WAY = re.compile(
    rf"^we now {_VERB} [^.;]*\b(?:first|always|every|each|only|instead of|rather than)\b|"
    rf"^we {_VERB} [^.;,]*\bonly(?=[,.;]|$)|^[a-z-]+s\b[^.;:]{{0,40}} (?:go|are|run|stay|get|belong) [^.;:]{{2,40}}, (?:and )?(?:never|not (?:in|into|on|to|by|at|under|from|with)) \w|"
    # `Manual runs only by the scheduler, never by hand`
    r"^(?:[\w-]+ ){1,7}only (?:by|with|via|through|from) [^.;:]+?, (?:and )?(?:never|not) \w",
    re.I,
)
_IN_CASE = re.compile(
    rf"^(?:if|when(?:ever)?) (?:an?|any|no) [^,;:.]{{4,60}}, (?:we|you) {_VERB}", re.I
)
_NEXT_TIME = re.compile(
    r"^(?:for|on|at|with|in) (?:the|any|every) (?:next|future|later) [\w-]+,? (?:we|you|one|i) (?:should|must|need to|have to) (?!have\b|be\b|see\b)|"
    r"^(?:do|take|use|ask|check|start|send|put|write|run|keep|try) [^.;]{2,60}\bnext time\b",
    re.I,
)
_NP = (
    r"(?!(?:the|an?|this|these|those|that|my|his|her|our|their|its|it|them|him|me|us|you|to|more|some|someone|how|what|if|"
    r"whether)\b)[a-z][\w-]*(?: [a-z][\w-]*){0,2}(?<=s)"
)
#: `asked that complaints be answered`, `wants refunds over 200 to be seen by …`
_ASKED = re.compile(
    rf"^{_NAME} (?:\w+ly |also )?(?:asks?|asked|wants?|insists?|insisted|expects?|requests?|requested|orders?|ordered)(?: that| for)? "
    rf"(?:all |every |each |any |no )?{_NP}\b(?: [\w£$€.,%-]+){{0,4}}?(?: not)?(?: to)? be (?!able\b|ready\b|done\b|back\b)\w+|"
    # `asked that remarks on drafts come in the margin`
    rf"^{_NAME} (?:\w+ly |also )?(?:asks?|asked|insists?|insisted) that {_NP}\b[^.;:,]{{0,40}}? (?:come|go|stay|remain|begin|end|stand|arrive)\b",
)
_OCCASION = r"(?:in the (?:morning|evening)s?|(?:on|every|each) (?:mon|tues|wednes|thurs|fri|satur|sun)days?|every \w+)"
#: Orders in forms that elsewhere tell what was, or are a note: `Never slides.`, `When you close it, say why.`,
#: `Incidents go on the board first, then …`, `three lines in the morning, please`; and maxims.
_QUOTED_ORDER = re.compile(
    r"^stop \w+ing \S|^never [a-z-]+s\W*$|(?:^|, )no [a-z-]+ in (?:[a-z-]+ )?[a-z-]+s\b|"
    r"^when(?:ever)? (?:some|any)(?:thing|body|one) [^,;:.]{4,60}, (?:please )?(?:tell|ask|ring|call|write|send|show|stop|say|report|come)\b|"
    r"^when(?:ever)? you (?!(?:have|get|can|come|arrive|see|find|are (?:back|done|ready|here|in|there))\b)[^,;:.]{4,60}, "
    r"(?!(?:you|i|i'll|we|we'll|it|it'll|he|she|they|that|this|there|the)\b)\w|"
    r"^(?:[\w'-]+ ){0,3}[\w'-]+s:? [^.;]*\bfirst, (?:and )?then\b|"
    rf"^(?:\w+|\d+) [a-z-]+s? {_OCCASION}(?=[,.:]| please|$)|"
    r"^an? [^.,;:]{3,60}? is (?:worse|better|safer|more \w+) than\b",
    re.I,
)
_WHEN_YOU = re.compile(r"^(?:\w+: )?(?:when(?:ever)?|if) you [^,;:.]+, ", re.I)
_SUBJECT_I = re.compile(r"^\W*(?:i|i'm|i've|my)\b", re.I)
_FORGET = re.compile(r"^(?:do not|don't|never) (?:forget|worry|panic|hesitate|bother|mind)\b", re.I)
_ONCE = re.compile(
    r"\b(?:(?<!from )today|tonight|(?<!from )tomorrow|this (?:time|morning|afternoon|evening|week|month|one)|right now|for now|just now|at the moment|yesterday|so far|yet)\b(?!'s)|"
    r"\b(?:leave|try|keep|watch|give) (?:it|this|that|them) (?:for )?(?:an?|one|two|three|another) (?:hour|day|night|week|month)s?\b",
    re.I,
)


#: Who says what stands in quotation marks, where nobody is named.
SOMEBODY = "somebody"


class Saying(NamedTuple):
    """What is said, without the marks of its speech, by whom, and whether that is told outright.

    A quotation and "she says that …" are; a name before a colon may only be whose turn it is.
    """

    words: str
    speaker: str = ""
    told: bool = False


@lru_cache(maxsize=1 << 12)
def saying(text: str, label: str = "") -> Saying:
    """The words somebody says in a sentence; the sentence itself where nobody is named."""
    if text.startswith('"') and text.rstrip(".").endswith('"') and text.count('"') == 2:
        return Saying(text.strip('". '), label or SOMEBODY, True)
    if announces := _ANNOUNCES.match(text):
        return Saying(text[announces.end() :], announces[1], announces[2] is None)
    if '"' in text:
        if quotes := _QUOTES.match(text):
            return Saying(quotes[2], _who(quotes[1]) or label, True)
        if by := _QUOTED_BY.match(text):
            return Saying(by[1], by[2] or by[3], True)
        return Saying(text, label)
    if tells := _TELLS.match(text):
        return Saying(text[tells.end() :], tells[1], True)
    if after := _SAID_AFTER.match(text):
        return Saying(after[1] or after[4], after[2] or after[3] or after[5], True)
    return Saying(text, label)


def _who(announcement: str) -> str:
    name = re.match(_NAME, announcement)
    # `Not joking: "…"` names nobody.
    return name[0].removesuffix("'s") if name and not is_empty(name[0].lower()) else ""


@lru_cache(maxsize=1 << 13)
def bids(text: str, label: str = "", before: str = "", *, quoted: bool = False) -> bool:
    """Whether a sentence says what is to be done or not, on every day and not on one.

    `before` is the sentence ahead of it, which may hold the word that is put right; `quoted`, that it
    stands in somebody's quotation marks, be it one of several.
    """
    said = saying(text, label)
    if quoted and not said.told:
        said = Saying(said.words, said.speaker or SOMEBODY, told=True)
    before = f"{before} {text.partition(said.words)[0]}"
    return (_ASKED.match(text) is not None and _stands(text)) or _any_bids(said, before)


def _any_bids(said: Saying, before: str) -> bool:
    return any(_bids(one, said, before) and _stands(one) for one in split(said.words)[:2])


def _stands(words: str) -> bool:
    """Whether nothing in the words makes them those of one day, a doubt or a report."""
    if words.endswith("?") or _SUBJECT_I.match(words) or _ONCE.search(words):
        return False
    if bar.is_passing(words) or bar.dated(words) or bar.reports(words):
        return False
    # Who is to do so when in doubt is in no doubt here.
    told = _WHEN_YOU.sub("", bar.without_reason(words))
    return not (cues.hedges(told) - {"may"} or cues.is_tentative(told))


def _bids(words: str, said: Saying, before: str) -> bool:
    words = _OPENS.sub("", words)
    if _FORGET.match(words) or bar.is_of_it(words):
        return False
    if _NEXT_TIME.match(words) or _IN_CASE.match(words):
        return True
    if said.told and _QUOTED_ORDER.search(words):
        return True
    if case := _CASE.match(words):
        words = words[case.end() :]
    if _FORBIDS.match(words) or _HABIT.match(words) or _CONTRAST.match(words):
        return True
    if _PASSIVE.match(words) and (said.speaker or not _DEFINITE.match(words)):
        return True
    if _KIND.match(words) or _ONLY.match(words) or _ONLY_ONCE.match(words) or _NEW_WAY.match(words):
        return True
    if not said.speaker:
        return False
    if _WE_DO_NOT.match(words) or _NOBODY.match(words) or _NONE.match(words):
        return True
    if _ALWAYS.match(words) or (_ORDER.match(words) and _AGAINST.search(words)):
        return True
    if not said.told:
        return False
    if (_WE.match(words) or _ORDER.match(words)) and _GENERAL.search(words):
        return True
    if _SHOULD.match(words) and (_GENERAL.search(words) or _OF_ANY.search(words)):
        return True
    # The reason may stand behind a semicolon.
    return bool(_BARE.search(words.partition("; ")[0]) or _AS_AGAINST.match(words)) or _names_anew(
        words, before
    )


def _names_anew(words: str, before: str) -> bool:
    """Whether `It's this, not that` is about a word: the two are alike, or that stood before."""
    names = _IT_IS.match(words)
    if not names:
        return False
    right, wrong = (set(cues.bare(part).lower().split()) for part in names.groups())
    wrong -= {"a", "an", "the"}
    said = before.lower()
    return bool(right & wrong) or "correct" in said or any(word in said for word in wrong)


def commands(text: str) -> bool:
    """Whether a sentence is in the form of an order, be it for once."""
    return _ORDER.match(_OPENS.sub("", text)) is not None and _stands(text)


def orders(text: str) -> bool:
    """Whether a sentence is a plain order; a reason beside it makes it one for every day."""
    return _PLAIN_ORDER.match(text) is not None and _stands(text) and not cues.references(text)


def governs(text: str) -> bool:
    """Whether the words say how all things of a kind are dealt with, be it without an order."""
    return bids(text) or bool(_DEALT_WITH.match(text) and _stands(text))


def is_general(words: str) -> bool:
    """Whether the words speak of all cases: `everywhere`, `always`, `never`, `each`."""
    return bool(_GENERAL.search(words))


def freed(words: str) -> str:
    """The words without what opens them: `Please`, `From now on`, the name of who is spoken to."""
    return _OPENS.sub("", words) or words
