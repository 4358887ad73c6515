"""Ends told by one word: the letter is here, she is back, he kept his word, the question is solved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from lithify import cues
from lithify.engines.offline.matters.ends import follows, real
from lithify.engines.offline.reading.units import Unit, stems_in
from lithify.text.stems import COMMON_STEMS

#: A word in more sentences than these, or in more than this part of them, tells no thing alone.
_FEW, _PART = 8, 20
#: A list of so many things is not over with one of them.
_LIST = 2
#: Who is not there, and that they are again.
_AWAY = re.compile(
    r"\b(?P<who>[A-Z][\w-]+)(?: is| was|'s)?(?: still)? (?:away|abroad|travell?ing|ill|sick|on (?:leave|holiday|vacation)|out of (?:the )?office)\b"
)
_BACK = re.compile(r"\b(?P<who>[A-Z][\w-]+) (?:is|was|came) back\b")
#: Who gave a word, and that it was kept.
_PROMISES = re.compile(r"\b(?P<who>[A-Z][\w-]+) (?:promises?|promised|has promised)\b")
_KEPT = re.compile(r"\b(?P<who>[A-Z][\w-]+) kept (?:his|her|their|its) (?:word|promise)\b")
#: What is waited for, however it is said, and a clause that says nothing but that it is there.
_LACKING = re.compile(
    r"\b(?:promises?|promised|wait\w*|await\w*|owes?|outstanding|missing|overdue|due|without|no|not|nothing|whether|"
    r"until|remind|chase|ask|get|collect)\b|n't\b",
    re.I,
)
#: What somebody is to send, named and no more: "Ada's answer".
_OF_SOMEBODY = re.compile(r"^[A-Z][\w-]+'s?(?: \w+){1,2}\W*$")
_HERE = re.compile(
    r"^(?:and |so )?(?:the |our |a |an )?(?P<what>[\w'-]+(?: [\w'-]+)?) (?:(?:is|are|has|have|was|were)(?: now| finally| also)? )?"
    r"(?:here|in|came|come|arrived|signed|passed|through|delivered|received|settled)(?: (?:in|today|at last|this morning))?\W*$",
    re.I,
)
#: Without one of these at the end of a clause, or of those verbs, nothing is told to be there.
_BRINGS = re.compile(
    r"\b(?:here|in|came|come|arrived|signed|passed|through|delivered|received|settled|today|last|morning)(?:[;,.:(!]|$)|"
    r" back\b| kept (?:his|her|their|its)\b|(?:ed|up) the "
)
#: The answer to a question that is named by its matter: "the parking question".
_SOLVED = re.compile(
    r"\b(?:solved|settled|answered|decided|closed|cleared up) the (?P<what>[\w-]+) (?:question|matter|problem|issue)\b",
    re.I,
)


def arrived(units: Sequence[Unit], counts: Mapping[str, int]) -> dict[int, Unit]:
    """For the place of each open item the first sentence that says that what it waits for is there.

    `counts` says of each word in how many of the units it stands.
    """
    brought: dict[tuple[str, str], list[tuple[frozenset[str], Unit]]] = {}
    for unit in units:
        for key, what in _brings(f"{unit.label}: {unit.text}" if unit.label else unit.text):
            brought.setdefault(key, []).append((what, unit))
    if not brought:
        return {}
    most = max(_FEW, len(units) // _PART)
    found: dict[int, Unit] = {}
    for item in units:
        if item.section != cues.OPEN:
            continue
        for key in [one for one in _lacks(item.text) if one in brought]:
            stems = frozenset(item.stems)
            came = [one for what, one in brought[key] if what <= stems and follows(one, item)]
            if came and counts.get(key[1], 0) <= most:
                found[item.at] = came[0]
                break
    return found


@lru_cache(maxsize=1 << 13)
def _brings(text: str) -> tuple[tuple[tuple[str, str], frozenset[str]], ...]:
    """What a sentence says is kept, back, solved or there: its kind and word, and all its words."""
    if not _BRINGS.search(text):
        return ()
    none = frozenset[str]()
    found = [(("kept", one["who"]), none) for one in _KEPT.finditer(text)]
    found += [(("back", one["who"]), none) for one in _BACK.finditer(text)]
    named = [("solved", one["what"]) for one in _SOLVED.finditer(text)]
    named += [("here", there["what"]) for one in real(text) if (there := _HERE.match(one))]
    for kind, words in named:
        what = [stem for stem in stems_in(words) if stem not in COMMON_STEMS]
        found += [((kind, what[-1]), frozenset(what))] if what else []
    return tuple(found)


@lru_cache(maxsize=1 << 13)
def _lacks(text: str) -> tuple[tuple[str, str], ...]:
    """What would end an item by a word of it alone: its kind and that word."""
    found = [("kept", one["who"]) for one in _PROMISES.finditer(text)]
    found += [("back", one["who"]) for one in _AWAY.finditer(text)]
    stems = [stem for stem in stems_in(text) if stem not in COMMON_STEMS]
    found += [("solved", stem) for stem in stems]
    if _OF_SOMEBODY.match(text) or (_LACKING.search(text) and text.count("; ") < _LIST):
        found += [("here", stem) for stem in stems]
    return tuple(found)
