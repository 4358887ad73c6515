"""Who a sentence says is speaking, and who speaks in the entries it cites.

Part of the independent checker. A speaker is a name with a colon at the start of a text or of
one of its sentences; the words up to the next such name are that person's. That the name is
a person's and no mere topic ("Carriers: …") shows in an entry: words in quotes follow it, or
it is set in bold, as turns of a conversation are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from independent_atoms import plain
from lithify.values import Entry

_NAME = r"(?:(?:Mrs?|Ms|Dr)\. )?[A-Z][\w'-]*(?: [A-Z][\w'-]*){0,2}"
_LABEL = re.compile(rf"(?:^|(?<=[.!?\"':;])\s)({_NAME}):(?=\s)")
_PERSON = (re.compile(rf"({_NAME}): *[\"“]"), re.compile(rf"\*\*({_NAME}):\*\*"))
_OPENING = re.compile(
    r"(?:\d{4}-\d\d-\d\d|\d{1,2} [A-Z][a-z]+(?: \d{4})?|[A-Z][a-z]+ \d{1,2}(?:, \d{4})?)(?::| -)\s+"
)
_SENTENCE = re.compile(r"(?<=[.!?])[\"']*\s+|;\s+")
#: Fewer words than these may be anyone's.
_ENOUGH = 4


def misattributed(text: str, entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """Each speaker of a sentence whose words are another's in every entry that has them."""
    entries = list(entries)
    # A bold topic beside a person who is quoted is no person: each way of writing by itself.
    ways = [{name for e in entries for name in way.findall(e.text)} for way in _PERSON]
    spoken = [list(_turns(plain(entry.text))) for entry in entries]
    for label, words in _turns(_OPENING.sub("", plain(text), count=1)):
        people = next((way for way in ways if label in way), None)
        if people is None:
            continue
        for part in filter(None, _SENTENCE.split(words)):
            said = part.strip(" .,;:!?\"'").casefold()
            speakers = {who for turns in spoken for who, what in turns if said in what.casefold()}
            others = speakers and speakers <= people and label not in speakers
            if others and len(said.split()) >= _ENOUGH:
                yield label, part.strip()


def _turns(text: str) -> Iterator[tuple[str, str]]:
    """A text as (speaker, words); what stands before the first speaker is nobody's."""
    label, start = "", 0
    for match in _LABEL.finditer(text):
        yield label, text[start : match.start()]
        label, start = match[1], match.end()
    yield label, text[start:]
