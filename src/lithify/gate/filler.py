"""Text that only fills the space of a summary: the template itself, stock, repetition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from lithify.gate.presets import PRESETS

#: Words in a row that give away a copied hint of the template.
_RUN = 6
#: Share of different words below which a long section only turns in circles.
_VARIED = 0.34
#: Share of sentences that may stand word for word in the summary before.
_REPEATED = 0.8

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_WORD = re.compile(r"\w+")
_STOCK = re.compile(
    r"lorem ipsum|\b(?:(?:filler|placeholder) text|blah blah|asdf\w*|insert \w+ here)\b",
    re.IGNORECASE,
)
#: Words that say nothing when they are all there is of a sentence.
_EMPTY = re.compile(
    r"\W*(?:tbd|todo|n/?a|placeholder|etc|(?:see|same as|as) (?:above|before|below))\W*",
    re.IGNORECASE,
)


def filler(sections: Sequence[tuple[str, str]], earlier: str) -> list[str]:
    """What is wrong with the words themselves, section by section; `earlier` is the last summary."""
    wrong: list[str] = []
    seen: dict[str, str] = {}
    for name, body in sections:
        if copied := _of_the_template(body):
            wrong.append(f'{name}: copied from the template: "{copied}"')
        empty = (_EMPTY.fullmatch(sentence) for sentence in _SENTENCE.split(body))
        if stock := _STOCK.search(body) or next(filter(None, empty), None):
            wrong.append(f'{name}: filler: "{stock.group().strip()}"')
        if circle := _circle(body):
            wrong.append(f"{name}: filler: {circle}")
        for sentence in _sentences(body):
            if sentence in seen:
                wrong.append(f'{name}: says again what {seen[sentence]} says: "{sentence[:60]}"')
                break
            seen[sentence] = name
    before = set(_sentences(earlier))
    again = sum(sentence in before for sentence in seen)
    if seen and again >= _REPEATED * len(seen):
        wrong.append(
            f"the whole: {again} of {len(seen)} sentences are those of the summary before; say "
            "what is new"
        )
    return wrong


def _sentences(text: str) -> list[str]:
    """Sentences of five words and more, as they are compared."""
    found = []
    for sentence in _SENTENCE.split(text):
        words = _WORD.findall(sentence.casefold())
        if len(words) >= 5:
            found.append(" ".join(words))
    return found


def _circle(body: str) -> str:
    words = [word.casefold() for word in _WORD.findall(body)]
    if len(words) < 20:
        return ""
    # A long text repeats its small words; measure it in stretches of one length.
    stretches = [words[n : n + 60] for n in range(0, len(words), 60)]
    worst = min((s for s in stretches if len(s) >= 20), key=lambda s: len(set(s)) / len(s))
    if len(set(worst)) < _VARIED * len(worst):
        word, times = Counter(worst).most_common(1)[0]
        return f'{len(set(worst))} different words of {len(worst)}, "{word}" {times} times'
    return ""


def _runs(text: str) -> dict[tuple[str, ...], str]:
    words = _WORD.findall(text)
    return {
        tuple(word.casefold() for word in words[n : n + _RUN]): " ".join(words[n : n + _RUN])
        for n in range(len(words) - _RUN + 1)
    }


_TEMPLATE = {
    run for preset in PRESETS.values() for section in preset for run in _runs(section.hint)
}


def _of_the_template(body: str) -> str:
    for run, words in _runs(body).items():
        if run in _TEMPLATE:
            return words
    own = re.search(r"all that belongs under .{1,80} with the figures and names", body)
    return own.group() if own else ""
