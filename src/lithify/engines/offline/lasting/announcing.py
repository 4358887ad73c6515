"""What announces something lasting: a heading over it, a word before its colon, or what follows it."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.engines.offline.lasting import bar
from lithify.values import MemoryType

#: `Rule:`, `Lesson, says Ida:`, `she added a rule of her own:`, `a standing rule, in chalk on the door:`
_RULE = re.compile(
    r"^(?:\w+ ){0,3}(?:lesson|takeaway|moral|rule of thumb|learned|learnt|note to self|rule)\b[^:\"]{0,40}:\s|"
    r"\b(?:made|makes|set|sets|wrote|laid down) (?:\w+ ){0,2}(?:a|the|this|our) (?:\w+ )?rule\b[^:\"]{0,40}:\s|"
    r"^[^:\".]{0,60}\b(?:a|the|an old|new|house|standing|our|her|his|their|my|(?-i:[A-Z])\w+'s) (?:\w+ )?(?:rule|ruling|practice|policy|principle)\b[^:\".]{0,60}:\s|"
    r"^(?:\w+ )?(?:practice|policy|ruling)\b[^:\".]{0,30}:\s|"
    r"^what (?:i|we|he|she|they|(?-i:[A-Z])[\w'-]+) (?:\w+ )?(?:learn\w*|takes?|took|keeps?|wants? (?:remembered|kept))\b[^:\"]{0,50}:\s|"
    r"\bwhat (?:he|she|they|(?-i:[A-Z])[\w'-]+) wants? (?:us|me|you|everyone|everybody)(?: all)? to (?:remember|keep|learn)\b[^:\"]{0,30}:\s|"
    r"^the way (?:it goes|it's done|it is done|we do (?:it|this|that))\b[^:\".]{0,30}:\s|"
    r"^(?:that's|that is|this is|it's) worth (?:keeping|remembering)\b[^:\".]{0,20}:\s|"
    r"^[\w ,]{0,30}\bfor good:\s|^[^:\".]{0,60}\bfor keeping\b[^:\".]{0,30}:\s|^(?:generally|in general|as a rule): |"
    r"\b(?:sent|gave|handed) (?:it|that|them|(?:my|the) [\w ]{2,30}?) back(?: to me)?: (?=[^.]*\b(?:needs?|must|without|each|every|first|never|always|no)\b)|"
    r"\brefused to (?:review|sign|read|take)(?: it| them)?: (?=[^.]*\b(?:each|every|no|under|over|must|never|always|only)\b)|"
    r"^(?:(?:and|another|one more|an?) )*correction: (?=[^.]*\b(?:say|write|call|use|put|never|always|must)\b)|"
    r"^(?-i:[A-Z])[a-z]+ to me: (?!\W*(?:and|but|so|that|it)\b)(?=[^.]*(?:, (?:not|never) |\b(?:must|never|always|every|each)\b))|"
    r"^(?:please,? )?(?:not|never) (?:\w+ )?again(?:,? please)?: |"
    # `He came back and was not pleased: any migration goes past his eyes first`
    r"\b(?:(?:not|less than|far from|anything but) (?:\w+ )?(?:pleased|happy|amused|glad)|was (?:\w+ )?(?:cross|annoyed|firm|clear|strict|plain|sharp)(?: about it)?): "
    r"(?=(?:any|every|each|no|nothing|nobody|never|always|only|all|from now on)\b)|"
    r"^from (?:now|here|today|\d{4}-\d{2}-\d{2})(?: on)?: |^the (?:bar|condition|criterion|requirement)s? for [^:\".]{3,60}: ",
    re.I,
)
#: What the announcement names is what is ruled on.
_OF_WHAT = re.compile(r"^the (?:bar|condition|criterion|requirement)s? for\b", re.I)
_BY_NAME = re.compile(r"^[A-Z][\w'-]*(?: [A-Z][\w'-]*)?: ")
_BROKEN = re.compile(
    r"^re-?read\b|\b(?:read|checked|looked (?:up|at)|tested|tried)\b|\b(?:broke|broken|break(?:s|ing)?|against|exception|bent|bend|whether|(?:st[iu]cks?|kept|keeps?|held|holds?) to|no (?:such|new)|not an?|(?:must|has to|should|will|may) \w+)\b",
    re.I,
)
#: `For 3 May, on one page, as the rule is: …`
_FOR_A_DAY = re.compile(r"(?:for|on) ", re.I)
_HAPPENED = re.compile(
    r"^(?:(?!\b(?:once|if|when|until|unless|after|before|that|which|who|whose|because|since|while|where)\b)[^,;]){0,40}"
    r"\b(?<!must )(?<!to )(?<!should )(?:has|have|had|was|were) (?:\w+ )?\w+|"
    # `Jonah thought of the others`: what somebody did about it.
    r"^(?-i:[A-Z])[a-z]+ (?:\w{2,}ed|thought|went|took|gave|found|sent|wrote|said|saw|made|came|told|brought)\b",
    re.I,
)
#: What somebody does not know yet, under the name of a rule that is kept by saying so.
_OF_NOW = re.compile(r"^I (?:do not|don't|cannot|can't) (?:yet )?(?:know|see|understand)\b", re.I)
_QUOTED = re.compile(r'"[^"]*"')
#: What is said next is to be kept.
_NEXT = re.compile(
    r"\b(?:what (?:i|we)(?:'d|'ve| had| have)? (?:learnt|learned|(?:do|would do) differently)|something (?:i|we) (?:want|have) to (?:keep|remember)|"
    r"the lesson|worth (?:keeping|remembering))\b[^:]*$",
    re.I,
)
#: What was said before holds from now on: `That's how we do it from now on`, `Worth doing for every …`
_LEANS = re.compile(
    r"^(?:that's|that is|this is|it's) how (?:it|we|i|things)\b[^.]*\b(?:from now on|from here on|always|every time|in future)\b|"
    r"^(?-i:[A-Z])\w+ (?:wants|likes|would like) (?:it|this|that) (?:so|this way|that way|like (?:this|that)) (?:for|with|in|on|at|before) (?:every|each|any|all)\b|"
    r"^(?-i:[A-Z])\w+'s (?:(?:standing|old|new|house|firm|own) )?rule\b(?! (?:of|for|on|that|is|says|was)\b)(?![^.]*:)|"
    r"^(?:(?-i:[A-Z])\w+: )?(?:agreed, |yes, |ok, )?(?:that's|that is|this is) (?:now )?(?:a|our) rule(?: (?:now|from now on))?\W*$|"
    r"^worth (?:doing|repeating) (?:for|with|in|before|on|at) (?:every|each|any|all)\b|"
    r"^(?:from now on|from here on),? (?:that's|it's|this is) (?:the|how|our)\b",
    re.I,
)
#: What one does about words one was told: they are to hold.
_ADOPTS = re.compile(
    r"^(?:noted|duly noted|understood|taken to heart|learnt|remembered)\b[^.]{0,20}\b(?:for good|for ever|forever|from now on)\b|"
    r"^(?:will|shall) (?:do|\w+)(?: so| that| it)? from now on\b|^(?:i'll|i will|we'll|we will) treat [\w ]{2,20} as (?:standing|a rule|rules)\b|"
    r"^so:? (?:all|every|each|no|never|always|from now on)\b|^from now on\b|"
    r"^i take (?:that|it|this) as a rule\b",
    re.I,
)
_OBEYS = re.compile(
    r"^(?:i )?(?:changed|renamed|corrected|replaced|redid|redone|rewrote|rewritten)\b", re.I
)
_MARKS = " #*_.:"
#: Headings that name what stands under them: rules, lessons, where things are, or how somebody wants them.
_HEADINGS: tuple[tuple[MemoryType, re.Pattern[str]], ...] = (
    (
        "user",
        re.compile(
            r"^how (?:(?-i:[A-Z])[\w'-]+|people|everyone|everybody|they|others) (?:wants?|likes?|prefers?)|^what (?:(?-i:[A-Z])[\w'-]+|people) (?:wants?|told me|likes?)|"
            r"(?:^|\b(?:an?|one|two|three|four|some|few|more) |(?-i:[A-Z])[\w'-]+'s )(?:corrections?|wish(?:es)?|preferences?) (?:from|by|of) (?:him|her|them|(?-i:[A-Z])[\w'-]+)(?: to me)?$|"
            r"^(?:(?-i:[A-Z])[\w'-]+'s )?(?:wish(?:es)?|preferences?|ways?|way with [\w ]+|words?|likes and dislikes)$",
            re.I,
        ),
    ),
    (
        "reference",
        re.compile(
            r"^(?:where (?:things|everything|it all|to find (?:things|what|it)|what)(?: (?:are|is|lives?))?|places|whereabouts)(?: \([^()]*\))?$",
            re.I,
        ),
    ),
    (
        "feedback",
        re.compile(
            r"^(?:(?:house|standing|team|working|new|our|(?-i:[A-Z])[\w'-]+'s) )?(?:rules?|lessons?(?: learn(?:ed|t))?|learn(?:ed|t)(?: about [\w ]{2,30})?|practices?|conventions|principles)(?: (?:from|out of|after) [\w ]{2,30})?(?: \([^()]*\))?$|"
            r"^new (?:from|as of|since) (?:now|today|next \w+|(?-i:[A-Z])[a-z]+)(?: \d{1,4})?(?: on)?(?: \([^()]*\))?$|"
            r"\bfrom (?:now|here) on$|"
            r"^what (?:i|we) (?:have |'ve )?learn(?:ed|t)?\b|^(?:rules?|lessons?) (?:i|we|(?-i:[A-Z])[\w'-]+) (?:was|were|have|got|took|learnt|learned|set|gave|made)\b",
            re.I,
        ),
    ),
)


def teaches(spoken: str) -> bool:
    """Whether the words are announced as a lesson or a rule."""
    spoken = _spoken_by(spoken)
    told = _RULE.search(spoken) if ": " in spoken else None
    if told is None or spoken.endswith("?") or _BROKEN.search(told[0]):
        return False
    if _FOR_A_DAY.match(told[0]) and bar.dated(told[0]):
        return False
    rest = spoken[told.end() :]
    if bar.dated(rest):
        return False
    if bar.reports(rest) or _OF_NOW.match(rest):
        return False
    return not _HAPPENED.search(_QUOTED.sub("it", rest))


def _spoken_by(text: str) -> str:
    """The words without the name of who speaks, where they announce a rule themselves."""
    by = _BY_NAME.match(text)
    return text[by.end() :] if by and _RULE.match(text[by.end() :]) else text


def announced_by(text: str) -> str:
    """The words after what announces them as a rule or a lesson; all of them where nothing does."""
    words = _spoken_by(text)
    told = _RULE.search(words) if teaches(text) else None
    return text if told is None or _OF_WHAT.match(words) else words[told.end() :]


def keeps_next(before: str) -> bool:
    """Whether a sentence says that what comes after it was learnt or is to be kept."""
    return bool(_NEXT.search(before))


def leans_back(text: str) -> bool:
    """Whether a sentence makes a rule of the one before it."""
    return bool(_LEANS.match(text))


def obeys(after: str) -> bool:
    """Whether a sentence tells that something was put right at once: `Changed.`"""
    return bool(_OBEYS.match(after))


def adopts(after: str) -> bool:
    """Whether a sentence takes what was just said for a rule."""
    return bool(_ADOPTS.match(after))


@lru_cache(maxsize=1 << 12)
def under(headings: tuple[str, ...], lead: str = "") -> MemoryType | None:
    """The type of memory that the line over a list announces, or else the innermost heading."""
    heading = headings[-1] if headings else ""
    over = (lead.rpartition(". ")[2].strip(_MARKS), heading.strip(_MARKS))
    return next((kind for one in over for kind, words in _HEADINGS if words.search(one)), None)
