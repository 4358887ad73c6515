"""How a relative date reads once it is absolute."""

from __future__ import annotations

import re
from datetime import date

from lithify.dates.hit import PARTS, Hit, word_before, word_set

_PREPOSITIONS = word_set(
    "on in by until till since of from to for before after at during through over than between and"
    " or as vs versus around about within past into onto towards toward throughout the"
)

_VAGUE = word_set("about around roughly approximately nearly almost")

_OWNER = re.compile(
    r"['’]s\s+(?!(?:an?|the|been|going|not|my|our|your|when|where|why|how|all)\b)\w"
)

_SUBJECT = re.compile(
    r"['’]s\b|\s+(?:is|was|are|were|has|had|will|would|looks?|seems?|went|saw|marks?|marked|brings"
    r"|brought|feels|felt|works|worked|turned|became|proved)\b"
)

_STOP = re.compile(r"\s*(?:\Z|[.;:!?)\]|—–\n])")


def reworded(text: str, hit: Hit, anchor: date) -> tuple[int, str]:
    """Where the old words end, and the new ones, with the preposition the place needs."""
    name, preposition = _name(hit, anchor)
    before, after, end = word_before(text, hit.start), text[hit.end : hit.end + 16], hit.end
    left = text[max(0, hit.start - 20) : hit.start].rstrip(" \t*_>#-•")
    joined = before in _PREPOSITIONS or text[hit.start - 1 : hit.start] in tuple("/–—-(")
    alone = (not left or left[-1] in ".!?:;,\n([|—–") and _STOP.match(after)
    if _OWNER.match(after) and not hit.form.endswith(("before", "after")):
        name, preposition, end = _label(hit, anchor), "", end + 2
    elif joined or alone or _SUBJECT.match(after):
        preposition = ""
    words = f"{preposition} {name}" if preposition else name
    if before in _VAGUE:
        words = words.removeprefix("around ")
    if before == "the":
        words = words.removeprefix("the ")
    if text[hit.start : hit.start + 2].istitle() and (not left or left[-1] in ".!?:\n|"):
        words = words[0].upper() + words[1:]
    return end, words


def _name(hit: Hit, anchor: date) -> tuple[str, str]:
    """The absolute name of a date, and the preposition it takes in a sentence."""
    manner, _, unit = hit.form.rpartition(" ")
    day = hit.first.isoformat()
    names = {
        "day": (day, "on"),
        "week": (f"the week of {day}", "in"),
        "weekend": (f"the weekend of {day}", "over"),
        "month": (day[:7], "in"),
        "quarter": (f"Q{(hit.first.month + 2) // 3} {day[:4]}", "in"),
        "year": (day[:4], "in"),
    }
    if unit in ("before", "after"):
        return f"{hit.form} {anchor.isoformat()}", ""
    name, preposition = names.get(unit) or (f"the {unit} of {day}", "on")
    if manner == "about":
        return f"around {name}", ""
    return (f"the end of {name}", "by") if manner == "end" else (name, preposition)


def _label(hit: Hit, anchor: date) -> str:
    """A date that stands before a noun: "this week's plan" is "the 2026-W14 plan"."""
    if hit.form == "week":
        year, week, _ = hit.first.isocalendar()
        return f"the {year}-W{week:02}"
    if hit.form in ("weekend", *PARTS.split("|")):
        return f"the {hit.first} {hit.form}"
    return "the " + _name(hit, anchor)[0].removeprefix("around ").removeprefix("the ")
