"""What stands around a sentence that is cause for a memory, and what is said with it in one quotation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from lithify.engines.offline.lasting import bar
from lithify.engines.offline.lasting.heard import Heard
from lithify.engines.offline.lasting.reasons import ROOM
from lithify.text.tokens import estimate
from lithify.values import MemoryType

#: What a speaker did or will do is said besides.
_OF_SPEAKER = re.compile(r"I(?:'ve|'ll|'d| have| had| will| was)\b|(?:if|when) [^,]+, I'll\b", re.I)
#: So few words are an answer and no part of what is said.
_CALL = 2


class Around(NamedTuple):
    """The sentences around one: those `ahead` of a rule in its quotation, for somebody said them as one
    thing; those `after` it with what each is cause for; and how many of these are `quoted` with it.
    """

    ahead: Sequence[str]
    after: Sequence[str]
    kinds: Sequence[MemoryType | None]
    quoted: int

    def past_first(self) -> Around:
        """The same of the sentence right after it."""
        return self._replace(
            after=self.after[1:], kinds=self.kinds[1:], quoted=max(0, self.quoted - 1)
        )


def around(told: Heard, at: int, until: int) -> Around:
    """What stands around a sentence, up to where another memory begins."""
    start, end = at, at + 1
    if told.quoted[at] and told.kinds[at] == "feedback":
        while start and told.quoted[start - 1] and told.labels[start - 1] == told.labels[at]:
            start -= 1
        while end < until and told.quoted[end] and told.labels[end] == told.labels[at]:
            end += 1
    ahead = tuple(filter(goes_with, told.texts[start:at]))
    if estimate(" ".join([*ahead, told.texts[at]])) > 2 * ROOM:
        ahead = ()
    return Around(ahead, told.texts[at + 1 : until], told.kinds[at + 1 : until], end - at - 1)


def goes_with(said: str) -> bool:
    """Whether a sentence of a quotation is one with the rule in it: no answer, no question, no news."""
    if len(said.split()) <= _CALL or said.endswith("?") or _OF_SPEAKER.match(said):
        return False
    return not (bar.dated(said) or bar.passes(said))
