"""What a sentence is cause for: a wish, a rule, a decision, a place, or nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lithify import cues
from lithify.engines.offline.lasting import (
    announcing,
    bar,
    customs,
    learned,
    norms,
    people,
    pointers,
    wishes,
)
from lithify.engines.offline.lasting.listed import DANGLING
from lithify.engines.offline.lasting.reasons import gives_because, stated_reason, weighs
from lithify.engines.offline.lasting.said import Said
from lithify.values import MemoryType

_UNDECIDED = re.compile(
    r"\b(?:none|must|should|not|cause|no|un\w+|open|pending|yet|needed|small)\b", re.I
)
_FIGURE_CORRECTED = re.compile(
    r"^(?!.*\b(?:took|lasted|needed|ran|arrived)\b).*(?:\bnot [$€£]?\d(?!\d?:\d)|\d[^.]*\b(?:instead of|rather than)\b(?! the \d+(?:st|nd|rd|th)\b)|\brevised\b[^.]*\bto\b)",
    re.I,
)
#: How a thing is, or the number it goes by: what came, was counted or is bought next is news.
_OF_FACT = re.compile(
    r"\b(?:is|are|says?|reads?|stands? at|was (?:in|of|from)|has|have|must|stays?|becomes|revised)\b|\b[A-Z]{2,}-\d"
)
_UNNAMED = re.compile(r"(?:^|[:;,] )(?:it's|it is|that's|there are|they are) \W?\d", re.I)
#: What is aimed at, tried or found to be the cause is work, and no rule.
_AIM = re.compile(r"(?:goal|aim|plan|idea|option|symptom|cause)s?\b", re.I)
#: News of a day, or what was done: `Second bad news`, `Switched on`
_NEWS_OF_DAY = re.compile(
    r"(?:[\w-]+ ){0,2}(?:news|problems?|trouble|surprises?|findings?|status|[a-z]{3,}ed(?: (?:on|off|in|out|up|over))?)",
    re.I,
)
#: What is done next, or until something else is done.
_SOON = re.compile(r"(?:next|until)\b", re.I)
_DONE_ABOUT = re.compile(
    r"(?:wrote|sent|told|asked|rang|called|thanked|informed|mailed|paid|ordered)\b", re.I
)
#: What became of a thing by itself: `The missing page: was dropped because …`
_OF_THING = re.compile(r"(?:[^:\"]{3,60}: )?(?:was|were|has|had) ", re.I)
#: What makes the order before it one for good.
_EVERY_TIME = re.compile(
    r"(?:always|every time|each time|without exception|from now on|no exceptions)\W*", re.I
)
#: What holds in a case, be it of a thing that hangs somewhere: `from now on: if the red card …`
_IN_CASE = re.compile(r"(?:from (?:now|here) on[:,]? )?(?:if|when) ", re.I)
_REASON = re.compile(r"reasons?(?: given)?: ", re.I)
_IS_TO_BE = re.compile(r"\b(?:is|are|stays?|goes|go|gets?|may|must|will|takes?|keeps?)\b")
_DID = re.compile(
    r"\b(?:was|were|had|did|has|have|failed|went|came|broke|(?<!is )(?<!are )(?<!be )[a-z]{3,}ed)\b"
)
#: Of whom or what it is told only the sentence before says.
_UNTOLD = re.compile(
    r"(?:it|its|it's|they|they're|them|he|she|he's|she's|his|her|this|that|these|those|there|which|both)\b",
    re.I,
)
_SHORT = 4
#: So few words are an order where somebody is quoted: `Never slides.`
_CALL = 2


def is_order(said: str, after: Sequence[str]) -> bool:
    """Whether a plain order is given with its reason, or somebody's words are taken for a rule."""
    if after and _EVERY_TIME.fullmatch(after[0]) and norms.commands(said):
        return True
    if norms.orders(said):
        return gives_because(said) or bool(after and stated_reason(after[0]))
    if '"' not in said or said.rstrip('"').endswith("?"):
        return False
    told = norms.saying(said)
    if bar.dated(told.words):
        return False
    if any(announcing.adopts(one) for one in after):
        return told.speaker not in ("", norms.SOMEBODY) or ": " in said
    return norms.is_general(told.words) and any(map(announcing.obeys, after[:1]))


def is_choice(said: str, after: Sequence[str]) -> bool:
    """Whether somebody chooses, and says why."""
    if " " not in said or not bar.chooses(said) or cues.is_tentative(said):
        return False
    if DANGLING.match(said) or bar.hangs(said) or _OF_THING.match(said):
        return False
    if bar.withdraws(said):
        return True
    return gives_because(said) or any(map(stated_reason, after)) or any(map(weighs, after[:1]))


def is_grounded(said: str, after: Sequence[str]) -> bool:
    """Whether a reason is given, under that name, for how things are to be: `No orders … Reason: …`"""
    if not after or not _REASON.match(after[0]) or not _IS_TO_BE.search(said):
        return False
    return not (_DID.search(said) or cues.hedges(said) or DANGLING.match(said) or bar.hangs(said))


def kind_of(said: Said, before: str) -> MemoryType | None:
    """The type of memory the sentence is cause for, if any."""
    text, spoken = said.text, said.spoken
    if said.is_own and not (bar.told_to_agent(text) or cues.states_prohibition(text)):
        return "user"
    if _SOON.match(said.label) or bar.is_of_a_moment(spoken):
        return None
    where = said.points_to and not (text.endswith("?") or _IN_CASE.match(text))
    if where and not bar.dated(said.named.partition("; ")[0]):
        return "reference"
    if people.is_role(text):
        return "user"
    if wishes.lists(text) and not text.endswith(("?", ":")):
        return "user"
    if text.endswith(("?", ":")) or len(text.split()) < (_CALL if said.quoted else _SHORT):
        return None
    if _AIM.match(said.label) or _is_news(said):
        return None
    teaches = any(map(announcing.teaches, {spoken, said.named, text}))
    if DANGLING.match(text) and not teaches:
        return None
    if announcing.leans_back(text.rpartition(". ")[2]):
        return "feedback"
    told = bar.told_to_agent(spoken)
    if cues.reports_none(text) or (cues.is_hearsay(text) and not told):
        return None
    if announcing.keeps_next(before) and not (bar.reports(text) or bar.dated(text)):
        return "user" if wishes.prefers(text) else "feedback"
    bids = norms.bids(text, said.speaker, before, quoted=said.quoted) or customs.states(text)
    if cues.is_routine(text) and not (cues.states_prohibition(text) or bids or teaches or told):
        return None
    if bar.continues(text):
        return None
    if cues.denies(text) == "this" or bar.ends_soon(text, said.entry.day):
        return None
    if (bar.hangs(text) or (bar.hangs(bar.ruling(text)) and not said.person)) and not teaches:
        return None
    if teaches or (told and not bar.is_passing(spoken)):
        return "feedback"
    if wishes.prefers(text) and (said.person or wishes.tells_whose(text)):
        return "user"
    if bids and not _announced_decision(said):
        return "feedback"
    if _announced_decision(said) and len(text.split()) > _SHORT and not cues.is_tentative(text):
        return "project"
    if pointers.points(text):
        return "reference"
    if bar.has_role(text) and said.person:
        return "user"
    relaxes = bar.relaxes(text) and not bar.dated(text)
    if (bar.rules(text) or relaxes) and not bar.is_passing(text):
        return "feedback"
    if bar.decides(text) and not cues.is_tentative(text):
        return "project"
    return "project" if _is_put_right(text) else _taught(said)


def _taught(said: Said) -> MemoryType | None:
    """What the words of a sentence speak for, where nothing in it is of one day or of what was said before."""
    text = said.text
    if bar.is_of_a_day(text) or cues.hedges(text) - {"may"} or _UNTOLD.match(text):
        return None
    return learned.kept_as(text)


def _is_put_right(text: str) -> bool:
    """Whether a figure is put right that stays so, and is told of a thing with a name."""
    if not (cues.states_correction(text) and _FIGURE_CORRECTED.search(text)):
        return False
    return bool(_OF_FACT.search(text)) and not (_UNNAMED.search(text) or cues.hedges(text))


def _is_news(said: Said) -> bool:
    """Whether the label calls what follows news of a day, or what was done."""
    if said.quoted or cues.announced(said.label):
        return False
    return _NEWS_OF_DAY.fullmatch(said.label) is not None


def _announced_decision(said: Said) -> bool:
    """Whether the line is labelled as a decision, and is the line that takes it."""
    label = said.label or cues.label_of(said.text)
    if not label and (_DONE_ABOUT.match(said.text) or bar.reports(said.text)):
        return False  # what was done about the decision that the line over the list takes
    label = label or cues.bare(said.entry.lead)
    return cues.announced(label) == cues.DECISIONS and not _UNDECIDED.search(label)
