"""Words without the ending of their form, so that `left` and `leave` are one."""

from __future__ import annotations

import re
from functools import lru_cache

from lithify.text.atoms.atom import word_set
from lithify.text.hedges import small

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_VOWEL = re.compile("[aeiouy]")
_FORMS = """
arise arose arisen|bear bore borne|beat beaten|become became|begin began begun|bend bent|bind bound
bite bit bitten|blow blew blown|break broke broken|bring brought|build built|burn burnt|buy bought
catch caught|choose chose chosen|come came|deal dealt|die dying|dig dug|draw drew drawn
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt
fight fought|find found|flee fled|fly flew flown|forget forgot forgotten|freeze froze frozen
get got gotten|give gave given|go went gone goes|grow grew grown|hang hung|hear heard|hide hid hidden
hold held|keep kept|know knew known|lay laid|lead led|learn learnt|leave left|lend lent|lie lay lain
light lit|lose lost|make made|mean meant|meet met|pay paid|prove proven|ride rode ridden
ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent
shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spin spun|stand stood
steal stole stolen|stick stuck|strike struck|swear swore sworn|sweep swept|swim swam swum
take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown
tie tied tying|understand understood|use used using|wake woke woken|wear wore worn|win won
wind wound|withhold withheld|withdraw withdrew withdrawn|write wrote written|agree agreed agrees
""".replace("\n", "|").strip("|")
_BASE = {form: verb for verb, *forms in map(str.split, _FORMS.split("|")) for form in forms}

#: Words that say nothing of what a sentence is about.
EMPTY = word_set(
    """a about an and any are as at be been being but by can did do does done for from had has have
    he her him his how i if in into is it its itself me my of off on or our out over own she so
    some such than that the their them then there these they this those to too up us was we were
    what when where which who whose will with would you your one also again now already just very
    still yet even ever through across via really actually anyone anybody anything either much"""
)
CALENDAR = word_set(
    """january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday jan feb mar apr jun jul aug sep sept
    oct nov dec mon tue wed thu fri sat sun"""
)

_ENDINGS = (("ing", ""), ("ied", "y"), ("ed", ""), ("ies", "y"), ("es", ""), ("s", ""))
_PAST = frozenset(_BASE) - frozenset(["goes", "dying", "tying", "using", "agrees"])


@lru_cache(maxsize=1 << 14)
def root(word: str) -> str:
    """A word without the ending of its form: `cancelled` and `cancels` are `cancel`."""
    word = _BASE.get(word, word)
    for ending, instead in _ENDINGS:
        base = word.removesuffix(ending)
        if (
            base != word
            and len(base) + len(instead) >= 3
            and word[-2:] != "ss"
            and _VOWEL.search(base + instead)
        ):
            word = base + instead
            break
    word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def is_past(word: str) -> bool:
    """Whether a word may be a verb in the past."""
    return word in _PAST or (word.endswith("ed") and len(word) > 4 and not word.endswith("eed"))


def said_in(text: str) -> list[str]:
    """The words of a text in their order, with their capitals."""
    return _TOKEN.findall(text.replace("’", "'") if "’" in text else text)


def all_roots(text: str) -> frozenset[str]:
    """The words of a text, each by its root."""
    return frozenset(root(word.removesuffix("'s")) for word in said_in(small(text)))


@lru_cache(maxsize=1 << 12)
def roots(text: str) -> frozenset[str]:
    """The words of a text that tell something, each by its root."""
    words = set(said_in(small(text))) - EMPTY
    return frozenset(root(word.removesuffix("'s")) for word in words)


def root_set(words: str) -> frozenset[str]:
    return frozenset(map(root, words.split()))


def is_date(word: str) -> bool:
    """Whether a word is a number or of the calendar: often put in from elsewhere."""
    return word.isdigit() or word in CALENDAR
